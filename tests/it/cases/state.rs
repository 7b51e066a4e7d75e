//! States that are sound to read and odd to look at.

use super::{Case, has_all, input};
use crate::cli::{arg, kraftlens};
use kraftlens::finding::{Code, Severity};
use kraftlens::image::{MinIsr, MinIsrSource};
use serde_json::{Value, json};

#[test]
fn br_17_one_name_with_two_ids() {
    let case = Case::of("BR-17-two-histories/one-log");
    let [a, b] = ["slfoSOhPRbO9qUtxlEq3YQ", "QzfzwnS5SQicTjoRQIs8Jg"];
    let twice = case.only(Code::DuplicateTopicName, Severity::Error);
    assert!(
        has_all(&twice.summary, &["__consumer_offsets", a, b]),
        "{}",
        case.says("both ids")
    );
    let other = &twice.other.as_ref().unwrap().0;
    let offsets = [&twice.place, other].map(|p| p.offset.unwrap().0);
    assert_eq!(offsets, [163, 40], "{}", case.says("both offsets"));
    assert_eq!(
        case.batch_position(twice),
        3479,
        "{}",
        case.says("position of the second")
    );
    let (first, _) = case.log.at_place(other).unwrap();
    assert_eq!(
        first.position().0,
        1050,
        "{}",
        case.says("position of the first")
    );
    assert!(
        twice.kafka.as_deref().unwrap().contains("controller stops"),
        "{}",
        case.says("Kafka")
    );
    case.has("/image/topics/byId", &[b, a], "both by id");
    for (id, partitions) in [(a, 2), (b, 1)] {
        let topic = case.facts(&format!("/image/topics/byId/{id}"));
        assert_eq!(
            topic["partitions"],
            partitions,
            "{}",
            case.says("partitions")
        );
        let note = topic["note"].as_str().unwrap();
        assert!(
            note.contains("contested"),
            "{}",
            case.says("said under its id")
        );
    }
    let named = case.facts("/image/topics/byName/__consumer_offsets");
    assert_eq!(
        named["id"],
        b,
        "{}",
        case.says("the name leads to the last")
    );
    assert_eq!(
        named["nameAlsoOf"],
        json!([a]),
        "{}",
        case.says("said under the name")
    );
    case.info_says(1, &["1 error", a, b]);
}

#[test]
fn br_35_and_br_36_the_log_beside_the_disks() {
    let case = Case::of("BR-35-partition-without-topic-id/data");
    case.is_clean();
    assert_eq!(
        case.fact("/image/topics/byName/orders", "id"),
        "SLv6ZqGcT4a0qgAT-nhGQQ",
        "{}",
        case.says("id")
    );
    for partition in [0, 1] {
        let p = case.facts(&format!("/image/topics/byName/orders/{partition}"));
        assert_eq!(p["replicas"], json!([1]), "{}", case.says("replicas"));
        assert_eq!(
            p["directories"],
            json!(["pwCWj9KqQ1CAoT9D8-Vljg"]),
            "{}",
            case.says("directory")
        );
    }
    let case = Case::of("BR-36-disk-against-metadata/data");
    case.is_clean();
    for (topic, id, partitions) in [
        ("test-topic", "xTpfpobnRA6px8HaxVRzZg", 4),
        ("orders", "SLv6ZqGcT4a0qgAT-nhGQQ", 4),
        ("billing", "dACGMxXZRKa8ypq9dvMgmA", 1),
    ] {
        let facts = case.facts(&format!("/image/topics/byName/{topic}"));
        assert_eq!(facts["id"], id, "{}", case.says(topic));
        assert_eq!(facts["partitions"], partitions, "{}", case.says(topic));
    }
    let created = case.fact("/image/topics/byName/test-topic", "origin");
    assert_eq!(created["offset"], 21, "{}", case.says("created again at"));
    assert_eq!(
        created["time"],
        "2026-01-01T00:00:01.500Z",
        "{}",
        case.says("created again when")
    );
    assert_eq!(
        case.fact("/image/topics/byName/billing/0", "replicas"),
        json!([2, 3]),
        "{}",
        case.says("billing")
    );
}

#[test]
fn br_39_reserved_directory_ids() {
    let [migrating, unassigned, lost] = [
        "AAAAAAAAAAAAAAAAAAAAAA",
        "AAAAAAAAAAAAAAAAAAAAAQ",
        "AAAAAAAAAAAAAAAAAAAAAg",
    ];
    let a = Case::of("BR-39-reserved-directory-ids/a-level-14");
    a.is_clean();
    let p = a.facts("/image/topics/byName/orders/0");
    assert_eq!(p["replicas"], json!([1, 2, 3, 4]), "{}", a.says("replicas"));
    assert_eq!(
        p["directories"],
        json!([migrating, migrating, migrating, migrating]),
        "{}",
        a.says("all MIGRATING")
    );
    assert_eq!(p["addingReplicas"], json!([3, 4]), "{}", a.says("adding"));
    a.info_says(0, &["healthy", "1 being reassigned"]);

    let b = Case::of("BR-39-reserved-directory-ids/b-level-19");
    b.is_clean();
    let p = b.facts("/image/topics/byName/orders/0");
    let real = "pwCWj9KqQ1CAoT9D8-Vljg";
    assert_eq!(
        p["directories"],
        json!([real, unassigned, lost]),
        "{}",
        b.says("directories")
    );
    let ran = kraftlens(["cat", arg(&input(&b.name)), "/image/topics/byName/orders/0"]);
    assert!(
        ran.out.contains(&format!("{real}, UNASSIGNED, LOST")),
        "{}",
        b.says("by name")
    );

    let c = Case::of("BR-39-reserved-directory-ids/c-length-mismatch");
    let code = Code::DirectoryCountMismatch;
    c.finds(Severity::Error, &[(code, 9), (code, 12)]);
    for finding in c.found(Severity::Error) {
        let words = ["3 replicas", "2 directories"];
        assert!(
            has_all(&finding.summary, &words),
            "{}",
            c.says("both lengths")
        );
    }
    assert_eq!(
        c.fact("/image/topics/byName/orders", "partitions"),
        0,
        "{}",
        c.says("orders-0 is not in")
    );
    let kept = c.fact("/image/topics/byName/audit/0", "replicas");
    assert_eq!(kept, json!([1, 2]), "{}", c.says("audit-0 stays"));
    c.info_says(1, &["2 errors"]);
}

#[test]
fn br_41_clearing_elr() {
    for (part, b0_elr, b0_epoch) in [("after-first", json!([2]), 7), ("after-both", json!([]), 8)] {
        let case = Case::of(&format!("BR-41-elr-and-min-isr/{part}"));
        case.finds(Severity::Error, &[]);
        let a0 = case.facts("/image/topics/byName/a/0");
        assert_eq!(a0["isr"], json!([0]), "{}", case.says("a-0 isr"));
        assert_eq!(a0["elr"], json!([]), "{}", case.says("a-0 elr"));
        assert_eq!(
            a0["lastKnownElr"],
            json!([]),
            "{}",
            case.says("a-0 last known")
        );
        assert_eq!(a0["partitionEpoch"], 1, "{}", case.says("a-0 epoch"));
        assert_eq!(
            case.fact("/image/topics/byName/a/1", "partitionEpoch"),
            0,
            "{}",
            case.says("a-1")
        );
        let b0 = case.facts("/image/topics/byName/b/0");
        assert_eq!(b0["isr"], json!([1]), "{}", case.says("b-0 isr"));
        assert_eq!(b0["elr"], b0_elr, "{}", case.says("b-0 elr"));
        assert_eq!(b0["partitionEpoch"], b0_epoch, "{}", case.says("b-0 epoch"));
        let image = case.state.image();
        let min = MinIsr::of(image);
        let value = |topic: &str| {
            let topic = image.topics().by_name(topic).unwrap();
            min.value(topic, topic.partition(0).unwrap())
        };
        assert_eq!(
            value("a"),
            (1, MinIsrSource::LeaderDynamic),
            "{}",
            case.says("a-0: its leader's own")
        );
        assert_eq!(
            value("b"),
            (2, MinIsrSource::ClusterDefault),
            "{}",
            case.says("b-0: the default")
        );
        case.info_says(
            0,
            &["1 under min ISR", "the leading broker's dynamic config"],
        );
    }
}

#[test]
fn br_42_partitions_without_a_leader() {
    let case = Case::of("BR-42-leaderless-partitions");
    case.finds(Severity::Error, &[]);
    for (n, leader, isr, elr, known) in [
        (0, Value::Null, json!([]), json!([2]), json!([])),
        (1, Value::Null, json!([]), json!([]), json!([3])),
        (2, Value::Null, json!([4]), json!([5]), json!([])),
        (3, json!(3), json!([3]), json!([]), json!([])),
    ] {
        let p = case.facts(&format!("/image/topics/byName/orders/{n}"));
        let found = [&p["leader"], &p["isr"], &p["elr"], &p["lastKnownElr"]];
        assert_eq!(
            found,
            [&leader, &isr, &elr, &known],
            "{}",
            case.says(&format!("orders-{n}"))
        );
        let recovery = if n == 3 { "RECOVERING" } else { "RECOVERED" };
        assert_eq!(
            p["leaderRecoveryState"],
            recovery,
            "{}",
            case.says("recovery state")
        );
    }
    for id in 1..=6 {
        let fenced = case.fact(&format!("/image/cluster/brokers/{id}"), "fenced");
        assert_eq!(
            fenced,
            [1, 2, 4].contains(&id),
            "{}",
            case.says(&format!("broker {id}"))
        );
    }
    case.info_says(
        0,
        &[
            "3 partitions of 4 offline",
            "recovering from an unclean election",
            "1, 2, 4",
        ],
    );
}

#[test]
fn br_43_static_default_and_override() {
    let case = Case::of("BR-43-effective-broker-config");
    case.is_clean();
    case.as_of(74, 1, "2026-01-01T00:00:04.250Z");
    case.has("/static-configs", &["1", "2"], "broker 3 reports none");
    for (broker, threads) in [(1, "1"), (2, "8")] {
        let path = format!("/static-configs/{broker}");
        assert_eq!(
            case.fact(&format!("{path}/num.io.threads"), "value"),
            threads,
            "{}",
            case.says(&path)
        );
        assert_eq!(
            case.fact(&format!("{path}/num.network.threads"), "value"),
            "3",
            "{}",
            case.says(&path)
        );
        let origin = case.fact(&path, "origin");
        assert_eq!(origin["offset"], 59, "{}", case.says("from the checkpoint"));
    }
    let silent = case.fact("/image/cluster/brokers/3", "staticConfigs");
    assert_eq!(
        silent,
        "not reported",
        "{}",
        case.says("broker 3: not recorded")
    );
    let default = case.facts("/image/configs/BROKER/num.io.threads");
    assert_eq!(default["value"], "4", "{}", case.says("cluster default"));
    assert_eq!(
        default["origin"]["offset"],
        70,
        "{}",
        case.says("set after the checkpoint")
    );
    assert_eq!(
        default["origin"]["time"],
        "2026-01-01T00:00:04Z",
        "{}",
        case.says("set when")
    );
    let set = case.log.batches_of(&case.log.segments()[0]);
    let set = set.rev().find(|b| b.header().base_offset.0 <= 70).unwrap();
    assert_eq!(
        set.position().0,
        2317,
        "{}",
        case.says("position of its batch")
    );
    let own = case.facts("/image/configs/BROKER:2/num.io.threads");
    assert_eq!(own["value"], "6", "{}", case.says("override of broker 2"));
    assert!(
        own["origin"]["note"]
            .as_str()
            .unwrap()
            .contains("checkpoint"),
        "{}",
        case.says("in the checkpoint")
    );
    case.info_says(
        0,
        &[
            "static configs reported by 1, 2",
            "no static configs reported by 3",
        ],
    );
}

#[test]
fn br_45_default_quotas_are_three_things() {
    let case = Case::of("BR-45-default-quotas");
    case.is_clean();
    let mut found = Vec::new();
    for entity in case.names("/image/clientQuotas") {
        let path = format!("/image/clientQuotas/{}", kraftlens::tree::quote(&entity));
        let facts = case.facts(&path);
        found.push((facts["entity"].to_string(), facts["quotas"].to_string()));
    }
    found.sort();
    let rate = |value: &str| format!(r#"{{"producer_byte_rate":{value}}}"#);
    let mut wanted = [
        (r#"{"user":null}"#, rate("1000.0")),
        (r#"{"client-id":null}"#, rate("2000.0")),
        (r#"{"client-id":null,"user":"alice"}"#, rate("3000.0")),
        (
            r#"{"ip":null}"#,
            r#"{"connection_creation_rate":4.0}"#.to_owned(),
        ),
        (r#"{"user":"<default>"}"#, rate("5000.0")),
        (r#"{"client-id":null,"user":null}"#, rate("7000.0")),
        (r#"{"user":""}"#, rate("8000.0")),
    ]
    .map(|(entity, quotas)| (entity.to_owned(), quotas));
    wanted.sort();
    assert_eq!(
        found,
        wanted,
        "{}",
        case.says("seven quotas, each once, bob's gone")
    );
    case.info_says(0, &["7 of 7 entities"]);
}

#[test]
fn br_47_a_cluster_with_almost_nothing() {
    let case = Case::of("BR-47-fresh-cluster");
    case.is_clean();
    for path in [
        "/image/topics/byName",
        "/image/topics/byId",
        "/image/configs",
        "/image/clientQuotas",
        "/image/acls/byId",
        "/image/delegationToken",
        "/image/scram/SCRAM-SHA-256",
        "/image/scram/SCRAM-SHA-512",
    ] {
        case.has(path, &[], "empty groups are shown as empty");
    }
    let next = case.kafka("/image/producerIds/nextProducerId");
    assert_eq!(
        next.trim(),
        "-1",
        "{}",
        case.says("Kafka's text for no producer id")
    );
    let folder = input(&case.name);
    let found = kraftlens(["find", arg(&folder)]);
    assert_eq!(
        found.status,
        0,
        "{}",
        case.says("a search from the root ends well")
    );
    let paths: Vec<_> = found.out.lines().collect();
    assert!(paths.len() > 30, "{}", case.says("and comes far"));
    for path in paths {
        assert_eq!(
            case.tree().find(path).len(),
            1,
            "{}",
            case.says(&format!("{path} opens"))
        );
    }
    case.info_says(0, &["healthy", "0, with 0 partitions"]);
}
