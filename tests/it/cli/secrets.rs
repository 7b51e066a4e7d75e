//! Canaries: secrets planted in every place that is masked, looked for in every answer.

use super::{arg, kraftlens, segment_of};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use kraftlens::ids::Uuid;
use kraftlens::record::{Owned, fields, record};
use std::path::Path;

/// One word for each hiding place, so that a leak names its place.
const SCRAM: [&str; 3] = ["canary-salt-01", "canary-stored-02", "canary-server-03"];
const SHOWN_WHEN_REVEALED: [(&str, &str); 9] = [
    ("ssl.keystore.password", "canary-bare-04"),
    ("listener.name.ext.ssl.key.password", "canary-listener-05"),
    (
        "listener.name.ext.scram-sha-256.sasl.jaas.config",
        "canary-mechanism-06",
    ),
    (
        "config.providers.vault.param.ssl.keystore.password",
        "canary-provider-07",
    ),
    ("my.secret.thing", "canary-telling-08"),
    ("some.API.Token", "canary-token-09"),
    ("db.credentials", "canary-credential-10"),
    ("tls.key", "canary-key-11"),
    ("private.thing", "canary-private-12"),
];
const STATIC: (&str, &str) = ("vendor.secret", "canary-static-13");
/// In records that do not decode: only whole values show them.
const UNREAD: [&str; 3] = [
    "canary-undecodable-14",
    "canary-leftover-15",
    "canary-broken-16",
];

fn plant(folder: &Path) {
    let mut values = vec![
        record("FeatureLevelRecord", 0)
            .set("Name", "metadata.version")
            .set("FeatureLevel", 25i16)
            .to_bytes()
            .unwrap(),
        record("UserScramCredentialRecord", 0)
            .set("Name", "alice")
            .set("Mechanism", 1i8)
            .set("Salt", SCRAM[0].as_bytes())
            .set("StoredKey", SCRAM[1].as_bytes())
            .set("ServerKey", SCRAM[2].as_bytes())
            .set("Iterations", 4096i32)
            .to_bytes()
            .unwrap(),
    ];
    let config = |kind: i8, resource: &str, key: &str, value: &str| {
        record("ConfigRecord", 0)
            .set("ResourceType", kind)
            .set("ResourceName", resource)
            .set("Name", key)
            .set("Value", value)
    };
    for (key, value) in SHOWN_WHEN_REVEALED {
        values.push(config(4, "1", key, value).to_bytes().unwrap());
        values.push(config(4, "", key, value).to_bytes().unwrap());
    }
    let pair = fields().set("Name", STATIC.0).set("Value", STATIC.1);
    values.push(
        record("RegisterBrokerRecord", 5)
            .set("BrokerId", 1i32)
            .set("IncarnationId", Uuid([3; 16]))
            .set("BrokerEpoch", 5i64)
            .set("StaticConfigs", vec![Owned::from(pair)])
            .to_bytes()
            .unwrap(),
    );
    // A ConfigRecord that ends in the middle, one with bytes left over, a credential cut short.
    let mut cut = config(4, "2", "ssl.keystore.password", UNREAD[0])
        .to_bytes()
        .unwrap();
    cut.truncate(cut.len() - 1);
    values.push(cut);
    let leftover = config(4, "3", "log.cleaner.threads", "1").leftover(UNREAD[1].as_bytes());
    values.push(leftover.to_bytes().unwrap());
    let mut broken = record("UserScramCredentialRecord", 0)
        .set("Name", "bob")
        .set("Mechanism", 1i8)
        .set("Salt", UNREAD[2].as_bytes())
        .set("Iterations", 4096i32)
        .to_bytes()
        .unwrap();
    broken.truncate(broken.len() - 2);
    values.push(broken);
    segment_of(folder, &values);
}

/// The word as it is, and as hex and base64 would carry it. Of base64 the inner part for each of the
/// three ways in which bytes before it may shift it.
fn disguises(word: &str) -> Vec<String> {
    let mut all = vec![word.to_owned()];
    let hex: String = word.bytes().map(|b| format!("{b:02x}")).collect();
    all.extend([hex.to_uppercase(), hex]);
    for shift in 0..3 {
        let shifted = [vec![0; shift], word.as_bytes().to_vec()].concat();
        for engine in [STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD] {
            let text = engine.encode(&shifted);
            // Whole groups of three bytes from after the shift on.
            let from = shift.div_ceil(3) * 4;
            let to = shifted.len() / 3 * 4;
            all.push(text[from..to].to_owned());
        }
    }
    all
}

fn words() -> Vec<&'static str> {
    let configs = SHOWN_WHEN_REVEALED.iter().map(|(_, word)| *word);
    SCRAM
        .into_iter()
        .chain(configs)
        .chain([STATIC.1])
        .chain(UNREAD)
        .collect()
}

fn every_answer(path: &str) -> Vec<Vec<&str>> {
    const EVERYTHING: [&str; 8] = [
        "/",
        "/*",
        "/*/*",
        "/*/*/*",
        "/*/*/*/*",
        "/*/*/*/*/*",
        "/findings/*",
        "/static-configs/1/*",
    ];
    let mut all = vec![
        vec!["info", path],
        vec!["info", path, "--format", "json"],
        vec![path],
    ];
    for format in ["text", "json", "jsonl", "kafka"] {
        for command in ["ls", "cat", "find", "tree"] {
            let mut args = vec![command, path];
            args.extend(EVERYTHING);
            args.extend(["--format", format]);
            all.push(args);
        }
    }
    all.push(vec!["tree", path, "--format", "kafka-jsonl"]);
    for format in ["text", "jsonl", "dump-log"] {
        all.push(vec!["records", path, "--format", format]);
    }
    for format in ["text", "csv", "json", "jsonl"] {
        for kind in ["configs", "static-configs", "users", "brokers", "findings"] {
            all.push(vec!["list", path, kind, "--format", format]);
        }
    }
    for (kind, column) in [
        ("configs", "value"),
        ("users", "salt"),
        ("users", "storedKey"),
    ] {
        all.push(vec!["list", path, kind, "--count-by", column]);
    }
    all
}

#[test]
fn no_answer_holds_a_secret_unless_it_is_asked_for() {
    let temp = tempfile::tempdir().unwrap();
    plant(temp.path());
    let path = arg(temp.path());
    let (mut masked, mut revealed) = (String::new(), String::new());
    for args in every_answer(path) {
        let ran = kraftlens(&args);
        let told = ran.out + &ran.err;
        for word in words() {
            for disguise in disguises(word) {
                assert!(
                    !told.contains(&disguise),
                    "{args:?} tells {word} as {disguise}"
                );
            }
        }
        masked.push_str(&told);
        let mut open = args.clone();
        open.push("--reveal");
        let ran = kraftlens(&open);
        revealed.push_str(&ran.out);
    }
    assert!(masked.contains("[redacted]"));
    // The canaries are there to be found.
    let readable = SHOWN_WHEN_REVEALED
        .iter()
        .map(|(_, word)| *word)
        .chain([STATIC.1]);
    for word in readable {
        assert!(revealed.contains(word), "{word} was never planted");
    }
    for word in UNREAD {
        let found = disguises(word).iter().any(|d| revealed.contains(d));
        assert!(found, "{word} was never planted");
    }
    for word in SCRAM {
        let hex: String = word.bytes().map(|b| format!("{b:02x}")).collect();
        assert!(revealed.contains(&hex), "{word} was never planted");
    }
}

/// The user and the mechanism are no secrets, nor is that there is a value.
#[test]
fn only_the_secret_part_is_masked() {
    let temp = tempfile::tempdir().unwrap();
    plant(temp.path());
    let node = "/image/scram/SCRAM-SHA-256/alice";
    let ran = kraftlens(["cat", arg(temp.path()), node, "--format", "kafka"]);
    assert_eq!(
        ran.out,
        "ScramCredentialData(salt=[redacted], storedKey=[redacted], serverKey=[redacted], iterations=4096)\n"
    );
}

/// A filter sees what is shown: else one could guess a secret by asking whether it begins with a letter.
#[test]
fn filters_do_not_see_behind_the_mask() {
    let temp = tempfile::tempdir().unwrap();
    plant(temp.path());
    let count = |filter: &str, reveal: &[&str]| {
        let mut args = vec!["list", arg(temp.path()), "configs", "--format", "jsonl"];
        args.extend(["--where", filter]);
        args.extend(reveal);
        kraftlens(args).out.lines().count()
    };
    assert_eq!(count("value ~ canary*", &[]), 0);
    assert_eq!(count("value ~ canary*", &["--reveal"]), 18);
    assert_eq!(count("value = '[redacted]'", &[]), 18);
}
