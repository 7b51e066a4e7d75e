//! Security objects: ACLs, tokens, credentials; and secrets, which never show.

use super::{Case, input};
use crate::cli::{arg, kraftlens};
use kraftlens::finding::Severity;
use serde_json::json;

#[test]
fn br_46_acls_by_id() {
    let case = Case::of("BR-46-acls-and-every-record-type/acls");
    case.is_clean();
    let [alice, bob] = ["faJ0kAuQSZqhFQjsoVLr8w", "RzUBjR_9TDehzprrthP04A"];
    case.has(
        "/image/acls/byId",
        &[bob, alice],
        "the second one is removed",
    );
    for (id, facts) in [
        (
            alice,
            [
                "TOPIC",
                "orders-",
                "PREFIXED",
                "User:alice",
                "READ",
                "ALLOW",
            ],
        ),
        (
            bob,
            ["GROUP", "billing", "LITERAL", "User:bob", "READ", "DENY"],
        ),
    ] {
        let acl = case.facts(&format!("/image/acls/byId/{id}"));
        let keys = [
            "resourceType",
            "resourceName",
            "patternType",
            "principal",
            "operation",
            "permissionType",
        ];
        for (key, value) in keys.into_iter().zip(facts) {
            assert_eq!(acl[key], value, "{}", case.says(key));
        }
    }
    let host = case.fact(&format!("/image/acls/byId/{bob}"), "host");
    assert_eq!(host, "10.1.2.3", "{}", case.says("host of the deny"));
    case.info_says(0, &["2 ACLs"]);
}

#[test]
fn br_49_tokens_by_the_time_of_the_log() {
    let case = Case::of("BR-49-tokens-and-secrets");
    case.finds(Severity::Error, &[]);
    assert_eq!(
        case.kafka("/image/configs/TOPIC:orders/retention.ms")
            .trim(),
        "60000",
        "{}",
        case.says("a plain value is not masked")
    );
    case.has(
        "/image/delegationToken",
        &["tok-a", "tok-b", "tok-c", "tok-e"],
        "tok-d is removed",
    );
    for (token, state, expires) in [
        ("tok-a", "valid", "2026-01-05T00:00:00Z"),
        ("tok-b", "expired", "2026-01-01T00:00:00Z"),
        ("tok-c", "expired", "2026-01-02T00:00:00Z"),
        ("tok-e", "valid", ""),
    ] {
        let facts = case.facts(&format!("/image/delegationToken/{token}"));
        assert_eq!(facts["state"], state, "{}", case.says(token));
        if !expires.is_empty() {
            assert_eq!(facts["expires"], expires, "{}", case.says(token));
        }
    }
    let b = case.facts("/image/delegationToken/tok-b");
    assert_eq!(
        b["issued"],
        "2026-01-01T01:00:00Z",
        "{}",
        case.says("tok-b is issued later")
    );
    assert!(
        b["note"].as_str().unwrap().contains("expires before"),
        "{}",
        case.says("tok-b: said")
    );
    let renewers = case.fact("/image/delegationToken/tok-a", "renewers");
    assert_eq!(
        renewers,
        json!(["User:carol"]),
        "{}",
        case.says("renewer of tok-a")
    );
    let e = case.facts("/image/delegationToken/tok-e");
    assert_eq!(e["owner"], "User:erin", "{}", case.says("owner of tok-e"));
    assert_eq!(
        e["requester"],
        "User:gateway",
        "{}",
        case.says("requester of tok-e")
    );
}

#[test]
fn br_49_no_secret_shows() {
    let folder = input("BR-49-tokens-and-secrets");
    let folder = arg(&folder);
    let path = format!("{folder}/{}", super::LOG);
    let secrets = [
        "hunter2",
        "3baa379b47fbc36edfe4f8aa050d10d0",
        "b10ff3328fc3ce3627eb3db889e541c0e31023c4432b924defc3d8bfe163b96b",
        "O6o3m0f7w27f5PiqBQ0Q0A",
        "sQ/zMo/DzjYn6z24ieVBwOMQI8RDK5JN78PYv",
    ];
    let mut seen = 0;
    for args in [
        &["info", &path][..],
        &["info", &path, "--format", "json"],
        &["tree", &path],
        &["tree", &path, "--format", "json"],
        &["tree", &path, "--format", "kafka-jsonl"],
        &[
            "cat",
            &path,
            "/image/configs/*/*",
            "/image/scram/*/*",
            "/image/delegationToken/*",
        ],
        &["find", &path],
        &["records", &path],
        &["records", &path, "--noops"],
        &["records", &path, "--format", "jsonl"],
        &["records", &path, "--format", "dump-log"],
    ] {
        let ran = kraftlens(args);
        assert_eq!(ran.status, 0, "BR-49: {args:?}: {}", ran.err);
        let all = format!("{}{}", ran.out, ran.err);
        for secret in secrets {
            let shown = all
                .to_ascii_lowercase()
                .contains(&secret.to_ascii_lowercase());
            assert!(!shown, "BR-49: {args:?} shows {secret}");
        }
        seen += usize::from(all.contains("remote.store.password"));
    }
    assert!(seen >= 6, "BR-49: names of secret keys stay visible");
}
