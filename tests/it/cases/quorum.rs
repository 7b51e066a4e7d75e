//! Quorums: their kind, their voters, identities of nodes, registrations.

use super::{Case, input};
use crate::cli::{arg, kraftlens};
use kraftlens::finding::Severity;
use serde_json::json;

#[test]
fn br_17_two_directories_of_a_split_quorum() {
    for (part, offset, epoch, topics) in [
        (
            "controller-1",
            46,
            3,
            &["__consumer_offsets", "audit", "orders", "shared"][..],
        ),
        ("controller-2", 45, 4, &["__consumer_offsets", "orders"]),
    ] {
        let case = Case::of(&format!("BR-17-two-histories/{part}"));
        case.is_clean();
        let p = case.state.image().provenance();
        assert_eq!(
            (p.offset.0, p.epoch.0),
            (offset, epoch),
            "{}",
            case.says("ends at")
        );
        case.has_topics(topics);
        let leader = case.facts(&format!("/quorum/leaders/{epoch}"));
        let id = if epoch == 3 { 1 } else { 2 };
        assert_eq!(leader["leader"], id, "{}", case.says("leader"));
        assert_eq!(
            leader["grantingVoters"],
            json!([id]),
            "{}",
            case.says("granted by itself only")
        );
        assert_eq!(
            leader["origin"]["offset"],
            40,
            "{}",
            case.says("its first offset")
        );
        let cluster = case.fact("/files/meta.properties", "clusterId");
        assert_eq!(
            cluster,
            "oOvQ5XjpT86iArlF57tUuw",
            "{}",
            case.says("cluster.id")
        );
    }
    let id = |case: &Case, topic: &str| case.fact(&format!("/image/topics/byName/{topic}"), "id");
    let first = Case::of("BR-17-two-histories/controller-1");
    for (topic, wanted) in [
        ("orders", "9pPqnw4KQE6VFsWMWUab1A"),
        ("__consumer_offsets", "SdM6nnMySGKy21KmT2tlFQ"),
        ("audit", "8SzHiQCCT6-fOTfh9MhlCQ"),
    ] {
        assert_eq!(id(&first, topic), wanted, "{}", first.says(topic));
    }
    let second = Case::of("BR-17-two-histories/controller-2");
    for (topic, wanted) in [
        ("orders", "m-vPc9tZQRaKJkF7EO_2Bw"),
        ("__consumer_offsets", "y_28PgYBRYCAbKwyUvZioA"),
    ] {
        assert_eq!(id(&second, topic), wanted, "{}", second.says(topic));
    }
}

#[test]
fn br_25_controllers_that_left_are_still_registered() {
    let case = Case::of("BR-25-controllers-that-block-an-upgrade");
    case.finds(Severity::Error, &[]);
    case.finds(Severity::Warning, &[]);
    case.has(
        "/image/cluster/controllers",
        &["3", "4", "5", "90", "91", "92"],
        "controllers",
    );
    for (id, offset) in [(3, 4), (4, 5), (5, 6)] {
        let controller = case.facts(&format!("/image/cluster/controllers/{id}"));
        let range = &controller["features"][0];
        assert_eq!(
            (&range["min"], &range["max"]),
            (&json!(1), &json!(19)),
            "{}",
            case.says("range")
        );
        assert_eq!(
            controller["origin"]["offset"],
            offset,
            "{}",
            case.says("registered at")
        );
        let host = format!("ctl-{id}.example");
        assert_eq!(
            controller["endpoints"][0]["host"],
            host,
            "{}",
            case.says("endpoint")
        );
    }
    let three = case.fact("/image/cluster/controllers/3", "origin");
    assert_eq!(
        three["time"],
        "2024-01-01T00:00:00.500Z",
        "{}",
        case.says("registered when")
    );
    let leader = case.facts("/quorum/leaders/2");
    assert_eq!(
        leader["voters"],
        json!([90, 91, 92]),
        "{}",
        case.says("voters by the leader change")
    );
    assert_eq!(
        leader["origin"]["offset"],
        60,
        "{}",
        case.says("leader change")
    );
    let voters = case.fact("/files/quorum-state", "currentVoters");
    assert_eq!(
        voters,
        json!([90, 91, 92]),
        "{}",
        case.says("voters by quorum-state")
    );
    assert_eq!(
        case.fact("/image/features/metadataVersion", "level"),
        19,
        "{}",
        case.says("level")
    );
    assert_eq!(
        case.fact("/quorum/kraftVersion", "level"),
        0,
        "{}",
        case.says("kraft.version")
    );
    case.info_says(
        0,
        &[
            "static (kraft.version 0)",
            "90, 91, 92",
            "3.0-IV1 to 3.7-IV4 (1-19)",
        ],
    );
}

#[test]
fn br_27_fenced_brokers() {
    let case = Case::of("BR-27-brokers-that-are-gone");
    case.finds(Severity::Error, &[]);
    case.has(
        "/image/cluster/brokers",
        &["1000", "1001", "1002", "1003"],
        "brokers",
    );
    for (id, fenced, max) in [
        (1000, false, 19),
        (1001, false, 19),
        (1002, true, 14),
        (1003, true, 14),
    ] {
        let broker = case.facts(&format!("/image/cluster/brokers/{id}"));
        assert_eq!(broker["fenced"], fenced, "{}", case.says("fenced"));
        assert_eq!(broker["features"][0]["max"], max, "{}", case.says("range"));
    }
    for (id, since) in [(1002, 12), (1003, 13)] {
        let origin = case.fact(&format!("/image/cluster/brokers/{id}"), "origin");
        assert_eq!(origin["offset"], since, "{}", case.says("fenced since"));
    }
    for partition in [0, 1] {
        let p = case.facts(&format!("/image/topics/byName/orders/{partition}"));
        assert_eq!(
            p["replicas"],
            json!([1000, 1001, 1003]),
            "{}",
            case.says("replicas")
        );
        assert_eq!(p["isr"], json!([1000, 1001]), "{}", case.says("isr"));
        for (key, value) in [("leader", 1000), ("leaderEpoch", 0), ("partitionEpoch", 1)] {
            assert_eq!(p[key], value, "{}", case.says(key));
        }
    }
    case.info_says(
        0,
        &["2 fenced (1002, 1003)", "0 offline, 2 under-replicated"],
    );
}

#[test]
fn br_32_a_dynamic_quorum() {
    let case = Case::open("BR-32-static-or-dynamic-quorum/dynamic/data");
    case.is_clean();
    let version = case.facts("/quorum/kraftVersion");
    assert_eq!(version["level"], 1, "{}", case.says("kraft.version"));
    assert_eq!(
        version["origin"]["offset"],
        1,
        "{}",
        case.says("set at offset 1")
    );
    let directories = [
        "pwCWj9KqQ1CAoT9D8-Vljg",
        "GqcoogSoSzCcX2Da49Wxmw",
        "wS_S5kcDTxSOH_wJ8OE27Q",
    ];
    case.has("/quorum/voters", &["1", "2", "3"], "voters");
    for (id, directory) in (1..).zip(directories) {
        let voter = case.facts(&format!("/quorum/voters/{id}"));
        assert_eq!(
            voter["directoryId"],
            directory,
            "{}",
            case.says("directory id")
        );
        assert_eq!(
            voter["origin"]["offset"],
            2,
            "{}",
            case.says("set at offset 2")
        );
    }
    let own = case.fact("/files/meta.properties", "directoryId");
    assert_eq!(
        own,
        directories[0],
        "{}",
        case.says("this disk is voter 1's")
    );
    assert_eq!(
        case.fact("/files/quorum-state", "dataVersion"),
        1,
        "{}",
        case.says("quorum-state")
    );
    case.info_says(
        0,
        &["dynamic (kraft.version 1)", directories[1], directories[2]],
    );
}

#[test]
fn br_32_a_static_quorum() {
    let case = Case::open("BR-32-static-or-dynamic-quorum/static/data");
    case.is_clean();
    assert_eq!(
        case.fact("/quorum/kraftVersion", "level"),
        0,
        "{}",
        case.says("kraft.version")
    );
    case.has("/quorum/voters", &[], "no voters in the log");
    let state = case.facts("/files/quorum-state");
    assert_eq!(state["dataVersion"], 0, "{}", case.says("quorum-state"));
    assert_eq!(
        state["currentVoters"],
        json!([1, 2, 3]),
        "{}",
        case.says("voters by quorum-state")
    );
    let leader = case.facts("/quorum/leaders/1");
    assert_eq!(
        leader["voters"],
        json!([1, 2, 3]),
        "{}",
        case.says("voters by the leader change")
    );
    assert_eq!(
        leader["origin"]["offset"],
        0,
        "{}",
        case.says("leader change")
    );
    case.info_says(0, &["static (kraft.version 0)", "1, 2, 3"]);
}

#[test]
fn br_38_what_the_disk_with_the_log_says_of_itself() {
    let case = Case::open("BR-38-identity-mismatch/node-1001/disk-a");
    case.is_clean();
    let identity = case.facts("/files/meta.properties");
    assert_eq!(
        identity["clusterId"],
        "XuKV9HAAQNGKQ3zEPwcnPw",
        "{}",
        case.says("cluster.id")
    );
    assert_eq!(identity["nodeId"], 1001, "{}", case.says("node"));
    assert_eq!(
        identity["directoryId"],
        "LlXnk0FXT5CWQ-AJF7_A0A",
        "{}",
        case.says("directory.id")
    );
    assert_eq!(identity["version"], 1, "{}", case.says("version"));
    case.has(
        "/image/cluster/brokers",
        &["1001", "1002", "1003"],
        "brokers",
    );
    case.has("/image/cluster/controllers", &["1"], "controllers");
    for (id, offset, dirs) in [
        (
            1001,
            5,
            json!([
                "LlXnk0FXT5CWQ-AJF7_A0A",
                "n0fCCsVPSl2q2bVSTAoofQ",
                "J7o29irhSxS7coditF3yzQ"
            ]),
        ),
        (1002, 6, json!(["huid4I_VQz2GnafpfWOcXw"])),
        (1003, 7, json!(["GhHwTJmsT_Szh84yRxzQUg"])),
    ] {
        let broker = case.facts(&format!("/image/cluster/brokers/{id}"));
        assert_eq!(
            broker["logDirs"],
            dirs,
            "{}",
            case.says("registered directories")
        );
        assert_eq!(
            broker["origin"]["offset"],
            offset,
            "{}",
            case.says("registered at")
        );
    }
    // Disks without a log are named, and what holds the log is found from above.
    let ran = kraftlens(["info", arg(&input("BR-38-identity-mismatch/node-1001"))]);
    assert_eq!(ran.status, 0, "{}", case.says("from the node's folder"));
    assert!(
        ran.out.contains("LlXnk0FXT5CWQ-AJF7_A0A"),
        "{}",
        case.says("its directory")
    );
}
