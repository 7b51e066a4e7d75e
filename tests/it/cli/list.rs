//! Tables: that they hold what Kafka's own tree holds, and how they are written.

use super::{arg, kraftlens, segment_of};
use crate::support::{Golden, samples, trees};
use kraftlens::ids::Uuid;
use kraftlens::record::record;
use serde_json::Value;
use std::collections::BTreeSet;

/// All rows of a kind.
fn rows(golden: &Golden, kind: &str) -> Vec<Value> {
    let ran = kraftlens([
        "list",
        arg(&golden.sample),
        kind,
        "--format",
        "jsonl",
        "--reveal",
    ]);
    let lines = ran.out.lines();
    lines.map(|l| serde_json::from_str(l).unwrap()).collect()
}

/// Paths and texts of the files of Kafka's tree that are asked for.
fn kafkas(golden: &Golden, wanted: impl Fn(&str) -> bool) -> BTreeSet<(String, String)> {
    let text = golden.text();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines
        .filter_map(|line| {
            let path = line["path"].as_str().unwrap().to_owned();
            let text = line["text"]
                .as_str()?
                .strip_suffix('\n')
                .unwrap()
                .to_owned();
            wanted(&path).then_some((path, text))
        })
        .collect()
}

/// Holds the lines that `line` makes of rows against those of Kafka's that are wanted, on every sample;
/// returns how many there were.
fn compare(
    kind: &str,
    wanted: impl Fn(&str) -> bool,
    line: impl Fn(&Value) -> Vec<(String, String)>,
) -> usize {
    let mut seen = 0;
    for golden in trees() {
        let rows = rows(&golden, kind);
        let ours: Vec<_> = rows.iter().flat_map(&line).collect();
        let set: BTreeSet<_> = ours.iter().cloned().collect();
        assert_eq!(ours.len(), set.len(), "{}: doubled {kind}", golden.name());
        assert_eq!(set, kafkas(&golden, &wanted), "{} {kind}", golden.name());
        seen += ours.len();
    }
    seen
}

fn text<'v>(row: &'v Value, column: &str) -> &'v str {
    let value = row[column].as_str();
    value.unwrap_or_else(|| panic!("{column} in {row}"))
}

/// A value as Java prints it: lists in brackets.
fn java(row: &Value, column: &str) -> String {
    match &row[column] {
        Value::Array(list) => {
            let each = list.iter().map(|v| v.to_string().replace('"', ""));
            format!("[{}]", each.collect::<Vec<_>>().join(", "))
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// `NAME=value` of each column, as Java's records print them.
fn pairs(row: &Value, columns: &[&str]) -> String {
    let each = columns
        .iter()
        .map(|name| format!("{name}={}", java(row, name)));
    each.collect::<Vec<_>>().join(", ")
}

#[test]
fn topics_are_kafkas() {
    let wanted = |path: &str| {
        path.starts_with("/topics/byId/") && (path.ends_with("/name") || path.ends_with("/id"))
    };
    let seen = compare("topics", wanted, |row| {
        let (name, id) = (text(row, "name"), text(row, "id"));
        vec![
            (format!("/topics/byId/{id}/name"), name.to_owned()),
            (format!("/topics/byId/{id}/id"), id.to_owned()),
        ]
    });
    assert!(seen > 400, "{seen}");
    // Each topic tells how many partitions it has.
    for golden in trees() {
        for topic in rows(&golden, "topics") {
            let below = format!("/topics/byId/{}/", text(&topic, "id"));
            let all = kafkas(&golden, |path| path.starts_with(&below));
            let offline = all.iter().filter(|(_, text)| text.contains("leader=-1,"));
            assert_eq!(topic["partitions"], all.len() - 2, "{}", golden.name());
            assert_eq!(topic["offline"], offline.count(), "{}", golden.name());
        }
    }
}

#[test]
fn partitions_are_kafkas() {
    let wanted = |path: &str| {
        let number = path.rsplit('/').next().unwrap();
        path.starts_with("/topics/byId/") && number.parse::<i32>().is_ok()
    };
    let seen = compare("partitions", wanted, |row| {
        let path = format!("/topics/byId/{}/{}", text(row, "topicId"), row["partition"]);
        let mut row = row.clone();
        if row["leader"].is_null() {
            row["leader"] = (-1).into();
        }
        let facts = pairs(
            &row,
            &[
                "replicas",
                "directories",
                "isr",
                "removingReplicas",
                "addingReplicas",
                "elr",
                "lastKnownElr",
                "leader",
                "leaderRecoveryState",
                "leaderEpoch",
                "partitionEpoch",
            ],
        );
        assert_eq!(row["isrSize"], row["isr"].as_array().unwrap().len());
        assert_eq!(row["offline"], row["leader"] == -1);
        vec![(path, format!("PartitionRegistration({facts})"))]
    });
    assert!(seen > 1000, "{seen}");
}

/// `{name: range, ...}`, sorted as Kafka does.
fn features(row: &Value) -> String {
    let list = row["features"].as_array().unwrap();
    let mut each: Vec<String> = list
        .iter()
        .map(|feature| {
            let (name, range) = feature.as_str().unwrap().rsplit_once(' ').unwrap();
            format!("{name}: {range}")
        })
        .collect();
    if row["marked"] == true {
        each.push("__decommissioned_controller: 1".to_owned());
    }
    each.sort();
    format!("{{{}}}", each.join(", "))
}

/// What Kafka prints of registrations, but for the security protocol, which tables leave to `cat`.
fn listeners(row: &Value) -> String {
    let list = row["listeners"].as_array().unwrap();
    let each = list.iter().map(|listener| {
        let (name, rest) = listener.as_str().unwrap().split_once("://").unwrap();
        let (host, port) = rest.rsplit_once(':').unwrap();
        format!("Endpoint(listenerName='{name}', host='{host}', port={port})")
    });
    each.collect::<Vec<_>>().join(", ")
}

fn without_protocols(text: &str) -> String {
    let mut parts = text.split("securityProtocol=");
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        out.push_str(part.split_once(", ").unwrap().1);
    }
    out
}

#[test]
fn brokers_and_controllers_are_kafkas() {
    let (mut brokers, mut controllers) = (0, 0);
    for golden in trees() {
        let set = |lines: Vec<(String, String)>| lines.into_iter().collect::<BTreeSet<_>>();
        let ours = set(rows(&golden, "brokers")
            .iter()
            .map(|row| {
                let rack = row["rack"].as_str();
                let rack = rack.map_or("Optional.empty".into(), |r| format!("Optional[{r}]"));
                let mut dirs: Vec<&str> = row["logDirs"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|d| d.as_str().unwrap())
                    .collect();
                dirs.sort_unstable();
                let head = pairs(row, &["id", "epoch", "incarnationId"]);
                let state = pairs(
                    row,
                    &["fenced", "inControlledShutdown", "isMigratingZkBroker"],
                );
                let text = format!(
                    "BrokerRegistration({head}, listeners=[{}], supportedFeatures={}, rack={rack}, \
                     {state}, directories={dirs:?}",
                    listeners(row),
                    features(row),
                );
                (
                    format!("/cluster/brokers/{}", row["id"]),
                    text.replace('"', ""),
                )
            })
            .collect());
        // Directories sorted as texts here, and cordoned ones, which are hardly ever said, left out.
        let kafkas_of = |folder: &str| kafkas(&golden, |path| path.starts_with(folder));
        let theirs = set(kafkas_of("/cluster/brokers/")
            .into_iter()
            .map(|(path, text)| {
                let text = without_protocols(&text);
                let (head, rest) = text.split_once("directories=[").unwrap();
                let mut dirs: Vec<&str> = rest.split_once(']').unwrap().0.split(", ").collect();
                dirs.sort_unstable();
                (path, format!("{head}directories=[{}]", dirs.join(", ")))
            })
            .collect());
        assert_eq!(ours, theirs, "{}", golden.name());
        brokers += ours.len();

        let ours = set(rows(&golden, "controllers")
            .iter()
            .map(|row| {
                let head = pairs(row, &["id", "incarnationId", "zkMigrationReady"]);
                let text = format!(
                    "ControllerRegistration({head}, listeners=[{}], supportedFeatures={})",
                    listeners(row),
                    features(row),
                );
                (format!("/cluster/controllers/{}", row["id"]), text)
            })
            .collect());
        let theirs = set(kafkas_of("/cluster/controllers/")
            .into_iter()
            .map(|(path, text)| (path, without_protocols(&text)))
            .collect());
        assert_eq!(ours, theirs, "{}", golden.name());
        controllers += ours.len();
    }
    assert!(brokers > 40 && controllers > 40, "{brokers} {controllers}");
}

#[test]
fn settings_are_kafkas() {
    let below = |folder: &'static str| move |path: &str| path.starts_with(folder);
    let seen = compare("configs", below("/configs/"), |row| {
        let (kind, resource, key) = (text(row, "type"), text(row, "resource"), text(row, "name"));
        let colon = if resource.is_empty() { "" } else { ":" };
        let path = format!("/configs/{kind}{colon}{resource}/{key}");
        vec![(path, text(row, "value").to_owned())]
    });
    assert!(seen > 100, "{seen}");

    let seen = compare("quotas", below("/clientQuotas/"), |row| {
        // Kafka's tree has no way to entities with a default part.
        if row["defaultFor"] != Value::Array(Vec::new()) {
            return Vec::new();
        }
        let path = format!(
            "/clientQuotas/{}/{}",
            text(row, "entity"),
            text(row, "name")
        );
        vec![(path, format!("{:?}", row["value"].as_f64().unwrap()))]
    });
    assert!(seen > 10, "{seen}");

    let seen = compare("features", below("/features/"), |row| {
        let level = row["level"].to_string();
        match text(row, "name") {
            "kraft.version" => Vec::new(),
            "metadata.version" => {
                let name = format!("Optional[{}]", text(row, "levelName"));
                vec![("/features/metadataVersion".to_owned(), name)]
            }
            name => vec![(format!("/features/finalized_{name}"), level)],
        }
    });
    assert!(seen > 50, "{seen}");
}

#[test]
fn access_is_kafkas() {
    let below = |folder: &'static str| move |path: &str| path.starts_with(folder);
    let seen = compare("acls", below("/acls/byId/"), |row| {
        let facts = pairs(
            row,
            &[
                "resourceType",
                "resourceName",
                "patternType",
                "principal",
                "host",
                "operation",
                "permissionType",
            ],
        );
        let path = format!("/acls/byId/{}", text(row, "id"));
        vec![(path, format!("StandardAcl[{facts}]"))]
    });
    assert!(seen > 10, "{seen}");

    let seen = compare("users", below("/scram/"), |row| {
        let facts = pairs(row, &["salt", "storedKey", "serverKey", "iterations"]);
        let path = format!("/scram/{}/{}", text(row, "mechanism"), text(row, "user"));
        vec![(path, format!("ScramCredentialData({facts})"))]
    });
    assert!(seen > 3, "{seen}");

    // No sample has a token: the clusters had no secret key to issue them with.
    compare("tokens", below("/delegationToken/"), |row| panic!("{row}"));
}

/// A token, hand-made, and what a table and Kafka's text say of it.
#[test]
fn tokens_are_rows() {
    let temp = tempfile::tempdir().unwrap();
    let token = record("DelegationTokenRecord", 0)
        .set("Owner", "User:alice")
        .set("Requester", "User:admin")
        .set("Renewers", vec!["User:bob", "User:a,b"])
        .set("IssueTimestamp", 1_700_000_000_000_i64)
        .set("ExpirationTimestamp", 1_700_086_400_000_i64)
        .set("MaxTimestamp", 1_700_604_800_000_i64)
        .set("TokenId", "token-1");
    segment_of(temp.path(), &[token.to_bytes().unwrap()]);
    let of = |format: &str| {
        let columns = "tokenId,owner,renewers,expires";
        let path = arg(temp.path());
        let args = [
            "list",
            path,
            "tokens",
            "--columns",
            columns,
            "--format",
            format,
        ];
        kraftlens(args).out
    };
    assert_eq!(
        of("jsonl"),
        "{\"tokenId\":\"token-1\",\"owner\":\"User:alice\",\"renewers\":[\"User:bob\",\"User:a,b\"],\
         \"expires\":\"2023-11-15T22:13:20Z\"}\n"
    );
    assert_eq!(
        of("text"),
        "tokenId  owner       renewers           expires\n\
         token-1  User:alice  User:bob,User:a,b  2023-11-15T22:13:20Z\n"
    );
    assert_eq!(
        of("csv"),
        "tokenId,owner,renewers,expires\n\
         token-1,User:alice,\"User:bob,User:a,b\",2023-11-15T22:13:20Z\n"
    );
}

/// Names from the log can hold anything: nothing of it acts on a terminal or a spreadsheet.
#[test]
fn odd_names_are_harmless() {
    let temp = tempfile::tempdir().unwrap();
    let names = [
        "=1+1",
        "@SUM(A1)",
        "-2",
        "+3",
        "'quoted",
        "a,\"b\"",
        "two\nlines\t\u{1b}[31m",
        "back\\slash",
        "日本",
    ];
    let topics: Vec<Vec<u8>> = (1u8..)
        .zip(names)
        .map(|(n, name)| {
            let topic = record("TopicRecord", 0).set("Name", name);
            topic.set("TopicId", Uuid([n; 16])).to_bytes().unwrap()
        })
        .collect();
    segment_of(temp.path(), &topics);
    let list = |format: &str| {
        let path = arg(temp.path());
        let args = [
            "list",
            path,
            "topics",
            "--columns",
            "name,partitions",
            "--format",
            format,
        ];
        kraftlens([&args[..], &["--sort", "id"]].concat()).out
    };
    assert_eq!(
        list("csv"),
        "name,partitions\n\
         '=1+1,0\n\
         '@SUM(A1),0\n\
         '-2,0\n\
         '+3,0\n\
         ''quoted,0\n\
         \"a,\"\"b\"\"\",0\n\
         two\\nlines\\t\\x1b[31m,0\n\
         back\\\\slash,0\n\
         日本,0\n"
    );
    assert_eq!(
        list("text"),
        "name                  partitions\n\
         =1+1                           0\n\
         @SUM(A1)                       0\n\
         -2                             0\n\
         +3                             0\n\
         'quoted                        0\n\
         a,\"b\"                          0\n\
         two\\nlines\\t\\x1b[31m           0\n\
         back\\\\slash                    0\n\
         日本                           0\n"
    );
    let exact: Vec<Value> = list("jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let exact: Vec<&str> = exact.iter().map(|row| text(row, "name")).collect();
    assert_eq!(exact, names);
}

#[test]
fn questions_that_make_no_sense_are_pointed_at() {
    let sample = samples().join("static-configs");
    let ask = |more: &[&str]| {
        let mut args = vec!["list", arg(&sample), "brokers"];
        args.extend(more);
        let ran = kraftlens(args);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{more:?}");
        ran.err
    };
    assert_eq!(
        ask(&["--where", "fenced or rak = 'x'"]),
        "kraftlens: --where: brokers have no column rak\n  \
         fenced or rak = 'x'\n            \
         ^^^\n\
         hint: did you mean rack\n"
    );
    assert_eq!(
        ask(&["--sort", "-eboch"]),
        "kraftlens: --sort: brokers have no column eboch\nhint: did you mean epoch\n"
    );
    assert_eq!(
        ask(&["--columns", "id,xyzzy"]),
        "kraftlens: --columns: brokers have no column xyzzy\n\
         hint: `kraftlens list brokers --help` names the columns\n"
    );
    let both = ask(&["--count-by", "rack", "--sort", "id"]);
    assert!(both.contains("cannot be used with"), "{both}");
    let kind = kraftlens(["list", arg(&sample), "broker"]);
    assert_eq!(kind.status, 2);
    assert!(kind.err.contains("brokers"), "{}", kind.err);
    assert_eq!(kraftlens(["list", arg(&sample)]).status, 2);
    assert_eq!(kraftlens(["list"]).status, 2);
}

#[test]
fn rows_are_sorted_limited_and_counted() {
    let sample = samples().join("static-configs");
    let ask = |more: &[&str]| {
        let mut args = vec!["list", arg(&sample), "brokers", "--format", "csv"];
        args.extend(more);
        let ran = kraftlens(args);
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.out.replace('\n', " ")
    };
    let ids = ["--columns", "id,rack"];
    let with = |more: &[&'static str]| ask(&[&ids[..], more].concat());
    assert_eq!(
        with(&["--sort", "rack,-id"]),
        "id,rack 3,rack-0 4,rack-1 1,rack-1 5,rack-2 2,rack-2 "
    );
    assert_eq!(
        with(&["--sort=-RACK", "--limit", "2"]),
        "id,rack 2,rack-2 5,rack-2 "
    );
    // Null is last in both orders: broker 5 reported no static configs.
    assert_eq!(
        with(&["--sort", "staticConfigs,id", "--limit", "1"]),
        "id,rack 1,rack-1 "
    );
    assert_eq!(
        with(&["--sort=-static-configs", "--where", "id > 3"]),
        "id,rack 4,rack-1 5,rack-2 "
    );
    assert_eq!(with(&["--limit", "0"]), "id,rack ");
    assert_eq!(
        ask(&["--count-by", "rack"]),
        "rack,count rack-1,2 rack-2,2 rack-0,1 "
    );
    assert_eq!(
        ask(&["--count-by", "rack", "--limit", "1"]),
        "rack,count rack-1,2 "
    );
    assert_eq!(
        ask(&["--where", "id < 3", "--where", "id > 1", "--columns", "id"]),
        "id 2 "
    );
    // A list counts once for each of its elements.
    assert_eq!(
        ask(&["--count-by", "cordonedLogDirs"]),
        "cordonedLogDirs,count ,5 "
    );
    let features = ask(&["--count-by", "features", "--where", "id = 1 or id = 2"]);
    assert!(features.contains("kraft.version 0-1,2 "), "{features}");
}

#[test]
fn help_names_the_columns() {
    for args in [
        vec!["list", "somewhere", "quotas", "--help"],
        vec!["list", "quotas", "-h"],
    ] {
        let ran = kraftlens(&args);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
        for column in kraftlens::tables::Kind::Quotas.columns() {
            assert!(ran.out.contains(column.name), "{}", column.name);
            assert!(ran.out.contains(column.help), "{}", column.help);
        }
    }
    let ran = kraftlens(["list", "--help"]);
    assert!(ran.out.contains("--where") && ran.out.contains("--reveal"));
}

/// What `cat` adds to a config is what the definitions say of it.
#[test]
fn a_config_tells_its_definition() {
    let temp = tempfile::tempdir().unwrap();
    let config = |kind: i8, name: &str, key: &str, value: &str| {
        record("ConfigRecord", 0)
            .set("ResourceType", kind)
            .set("ResourceName", name)
            .set("Name", key)
            .set("Value", value)
            .to_bytes()
            .unwrap()
    };
    segment_of(
        temp.path(),
        &[
            config(2, "t", "retention.ms", "604800000"),
            config(2, "t", "message.format.version", "2.8"),
            config(2, "t", "made.up", "1"),
            config(4, "1", "listener.name.ext.ssl.keystore.location", "/x"),
            config(4, "1", "made.up", "1"),
        ],
    );
    let cat = |node: &str| {
        let path = format!("/image/configs/{node}");
        let ran = kraftlens(["cat", arg(temp.path()), &path, "--format", "jsonl"]);
        let mut node: Value = serde_json::from_str(&ran.out).unwrap();
        let facts = node["facts"].as_object_mut().unwrap();
        for known in ["type", "resource", "name", "value", "origin"] {
            assert!(facts.remove(known).is_some(), "{known}");
        }
        node["facts"].to_string()
    };
    let same = |ours: String, wanted: Value| {
        assert_eq!(serde_json::from_str::<Value>(&ours).unwrap(), wanted);
    };
    same(
        cat("TOPIC:t/retention.ms"),
        serde_json::json!({
            "valueType": "LONG", "default": "604800000", "differs": false,
            "firstRelease": "3.3.2", "lastRelease": "4.4.0",
            "brokerSynonyms": ["log.retention.ms", "log.retention.minutes", "log.retention.hours"],
        }),
    );
    let dropped = "4.2 and later drop it when they load the record";
    same(
        cat("TOPIC:t/message.format.version"),
        serde_json::json!({
            "valueType": "STRING", "default": "3.0-IV1", "differs": true,
            "firstRelease": "3.3.2", "lastRelease": "3.9.2", "kafka": dropped,
            "brokerSynonyms": ["log.message.format.version"],
        }),
    );
    let unknown = "not defined in any release 3.3 to 4.4";
    same(
        cat("TOPIC:t/made.up"),
        serde_json::json!({"note": unknown, "kafka": dropped}),
    );
    // Kafka keeps any key of a broker.
    same(
        cat("BROKER:1/made.up"),
        serde_json::json!({"note": unknown}),
    );
    same(
        cat("BROKER:1/listener.name.ext.ssl.keystore.location"),
        serde_json::json!({
            "definedAs": "ssl.keystore.location", "valueType": "STRING", "default": null,
            "differs": true, "firstRelease": "3.3.2", "lastRelease": "4.4.0",
        }),
    );
    // Tables say the same.
    let ran = kraftlens([
        "list",
        arg(temp.path()),
        "configs",
        "--where",
        "dropped",
        "--columns",
        "name,valueType,lastRelease",
        "--format",
        "csv",
    ]);
    assert_eq!(
        ran.out,
        "name,valueType,lastRelease\nmade.up,,\nmessage.format.version,STRING,3.9.2\n"
    );
}
