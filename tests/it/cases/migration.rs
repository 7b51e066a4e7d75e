//! Migrations from ZooKeeper.

use super::{Case, has_all};

#[test]
fn br_52_a_migration_that_waits() {
    let case = Case::of("BR-52-migration-that-waits");
    case.is_clean();
    let migration = case.facts("/quorum/zkMigrationState");
    assert_eq!(
        migration["state"],
        "PRE_MIGRATION",
        "{}",
        case.says("state")
    );
    assert_eq!(migration["code"], 2, "{}", case.says("its number"));
    assert_eq!(migration["origin"]["offset"], 4, "{}", case.says("since"));
    assert_eq!(
        migration["origin"]["time"],
        "2026-01-01T00:00:00.250Z",
        "{}",
        case.says("since when")
    );
    // 3.75 s after that time.
    case.as_of(39, 1, "2026-01-01T00:00:04Z");
    case.has("/image/cluster/brokers", &[], "no broker is registered");
    case.has(
        "/image/cluster/controllers",
        &["6", "7", "8"],
        "controllers",
    );
    for (controller, ready) in [(6, true), (7, false), (8, true)] {
        let path = format!("/image/cluster/controllers/{controller}");
        assert_eq!(
            case.fact(&path, "zkMigrationReady"),
            ready,
            "{}",
            case.says(&path)
        );
    }
    let present = case.fact("/image/cluster/controllers/8", "incarnationId");
    assert_eq!(
        present,
        "ZfLNDob-RK-qktRzAqZMDA",
        "{}",
        case.says("the second incarnation of 8")
    );
    case.info_says(
        0,
        &[
            "migration state PRE_MIGRATION (2), since offset 4",
            "3.4",
            "none registered",
        ],
    );
}

#[test]
fn br_54_a_migration_that_left_a_broker() {
    let case = Case::of("BR-54-migration-left-a-broker");
    let migration = case.facts("/quorum/zkMigrationState");
    assert_eq!(
        migration["state"],
        "POST_MIGRATION",
        "{}",
        case.says("state")
    );
    assert_eq!(migration["code"], 3, "{}", case.says("its number"));
    assert_eq!(migration["origin"]["offset"], 12, "{}", case.says("since"));
    assert_eq!(
        migration["origin"]["time"],
        "2026-01-01T00:00:02Z",
        "{}",
        case.says("since when")
    );
    let note = migration["note"].as_str().unwrap();
    assert!(
        has_all(note, &["3.4", "other way round", "3.6-IV2"]),
        "{}: {note}",
        case.says("note")
    );
    for (broker, zk) in [(1, false), (2, true), (3, false)] {
        let path = format!("/image/cluster/brokers/{broker}");
        assert_eq!(
            case.fact(&path, "isMigratingZkBroker"),
            zk,
            "{}",
            case.says(&path)
        );
    }
    assert_eq!(
        case.fact("/image/cluster/brokers/2", "epoch"),
        6,
        "{}",
        case.says("epoch of 2")
    );
    for list in ["replicas", "isr"] {
        let ids = case.fact("/image/topics/byName/orders/0", list);
        assert!(
            ids.as_array().unwrap().contains(&2.into()),
            "{}",
            case.says(list)
        );
    }
    case.info_says(
        0,
        &["POST_MIGRATION (3), since offset 12, 2026-01-01T00:00:02Z"],
    );
}
