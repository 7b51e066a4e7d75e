//! Which files make the state, and what else a folder may hold.

use super::{Case, LOG, has_all, input};
use crate::cli::{arg, kraftlens};
use crate::support::walk;
use kraftlens::finding::{Code, Severity};
use kraftlens::ids::{Epoch, Offset};
use kraftlens::log::FileKind;
use std::path::Path;
use std::time::SystemTime;

#[test]
fn br_01_control_records_are_content() {
    let running = Case::of("BR-01-healthy-control-records/running");
    running.is_clean();
    running.as_of(273, 1, "2026-01-01T00:01:30Z");
    let checkpoint = running.log.checkpoint().unwrap();
    assert!(
        checkpoint.has_header() && checkpoint.has_footer(),
        "{}",
        running.says("both ends")
    );
    assert_eq!(
        running.fact("/quorum/kraftVersion", "level"),
        1,
        "{}",
        running.says("kraft.version")
    );
    running.has("/quorum/voters", &["1"], "one voter");
    let voter = running.facts("/quorum/voters/1");
    assert_eq!(
        voter["directoryId"],
        "pwCWj9KqQ1CAoT9D8-Vljg",
        "{}",
        running.says("voter")
    );
    assert_eq!(
        voter["endpoints"][0]["name"],
        "CONTROLLER",
        "{}",
        running.says("voter's listener")
    );
    assert_eq!(
        voter["endpoints"][0]["host"],
        "ctl-1.example",
        "{}",
        running.says("voter's host")
    );
    assert_eq!(
        voter["endpoints"][0]["port"],
        9093,
        "{}",
        running.says("voter's port")
    );
    assert_eq!(
        voter["kraftVersion"],
        "0-1",
        "{}",
        running.says("voter's range")
    );
    running.has(
        "/image/features",
        &[
            "finalized_group.version",
            "finalized_transaction.version",
            "metadataVersion",
        ],
        "features",
    );
    assert_eq!(
        running.fact("/image/features/metadataVersion", "level"),
        25,
        "{}",
        running.says("level")
    );
    running.has("/image/cluster/brokers", &["1"], "brokers");
    running.has("/image/cluster/controllers", &["1"], "controllers");
    running.has_topics(&["orders"]);
    let orders = running.facts("/image/topics/byName/orders");
    assert_eq!(
        orders["id"],
        "SLv6ZqGcT4a0qgAT-nhGQQ",
        "{}",
        running.says("topic id")
    );
    assert_eq!(orders["partitions"], 2, "{}", running.says("partitions"));
    assert_eq!(
        running.state.checkpoint_tally().records(),
        13,
        "{}",
        running.says("records")
    );
    let controls: u64 = running
        .state
        .checkpoint_tally()
        .control()
        .map(|c| c.1.records)
        .sum();
    assert_eq!(
        controls,
        4,
        "{}",
        running.says("3 control records and the footer")
    );
    running.info_says(0, &["healthy", "up to offset 273", "4.0-IV3 (25)"]);
}

#[test]
fn br_01_what_format_wrote_is_no_cluster_yet() {
    let formatted = Case::of("BR-01-healthy-control-records/formatted");
    formatted.is_clean();
    assert_eq!(
        formatted.state.image().provenance().offset,
        Offset(-1),
        "{}",
        formatted.says("offset")
    );
    let time = formatted.log.checkpoint().unwrap().header_time().unwrap();
    let time = kraftlens::text::Rfc3339(time).to_string();
    assert_eq!(
        time,
        "2026-01-01T00:00:00Z",
        "{}",
        formatted.says("time of the header")
    );
    formatted.info_says(
        0,
        &[
            "healthy",
            "not yet that of a cluster",
            "bootstrap records",
            "offset -1",
        ],
    );
}

#[test]
fn br_02_a_wrong_file_is_named_for_what_it_is() {
    let metadata = "BR-02-wrong-file-given/__cluster_metadata-0";
    for (path, is) in [
        (
            format!("{metadata}/00000000000000000017.snapshot"),
            "producer state snapshot",
        ),
        (
            format!("{metadata}/00000000000000000000.index"),
            "offset index",
        ),
        (
            format!("{metadata}/00000000000000000000.timeindex"),
            "time index",
        ),
        (
            format!("{metadata}/leader-epoch-checkpoint"),
            "leader-epoch-checkpoint",
        ),
        (format!("{metadata}/quorum-state"), "quorum-state"),
        (
            format!("{metadata}/partition.metadata"),
            "partition.metadata",
        ),
        (
            "BR-02-wrong-file-given/meta.properties".to_owned(),
            "identity",
        ),
        ("BR-02-wrong-file-given/empty.log".to_owned(), "empty file"),
        ("BR-02-wrong-file-given/photo.png".to_owned(), "PNG"),
        (
            "BR-02-wrong-file-given/orders-0/00000000000000000000.log".to_owned(),
            "topic",
        ),
    ] {
        refused(&path, is);
    }
    let folder = "BR-02-wrong-file-given/wrong-suffix";
    let mut told = Vec::new();
    for file in walk(&input(folder)) {
        let ran = kraftlens(["info", arg(&file)]);
        assert_eq!(
            (ran.status, ran.out.as_str()),
            (2, ""),
            "BR-02: {file:?} is refused"
        );
        for what in [
            "PNG",
            "producer state snapshot",
            "quorum-state",
            "offset index",
        ] {
            if ran.err.contains(&format!("a {what}")) || ran.err.contains(&format!("an {what}")) {
                told.push(what);
            }
        }
    }
    told.sort_unstable();
    let wanted = [
        "PNG",
        "offset index",
        "producer state snapshot",
        "quorum-state",
    ];
    assert_eq!(told, wanted, "BR-02: content tells, not the suffix");
    let right = Case::open(&format!("{metadata}/00000000000000000000.log"));
    right.is_clean();
    right.as_of(16, 1, "2026-01-01T00:00:01.250Z");
    assert_eq!(right.log.batch_count(), 6, "{}", right.says("batches"));
}

fn refused(path: &str, is: &str) {
    for command in ["info", "records", "tree"] {
        let ran = kraftlens([command, arg(&input(path))]);
        assert_eq!(ran.status, 2, "{path}: {command} refuses it: {}", ran.err);
        assert_eq!(ran.out, "", "{path}: {command} shows nothing of it");
        assert!(
            ran.err.contains(is),
            "{path}: {command} says {is:?}: {}",
            ran.err
        );
        assert!(!ran.err.contains("corrupt"), "{path}: it is not corrupt");
        assert!(
            has_all(&ran.err, &["hint: ", LOG]),
            "{path}: a hint leads to the log: {}",
            ran.err
        );
    }
}

#[test]
fn br_04_looking_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let node = folder.path().join("node");
    for from in walk(&input("BR-05-directory-as-one-state/node")) {
        let below = from
            .strip_prefix(input("BR-05-directory-as-one-state/node"))
            .unwrap();
        let to = node.join(below);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(&from, &to).unwrap();
    }
    let wanted = kraftlens(["info", arg(&node)]);
    assert_eq!(wanted.status, 0, "BR-04: it opens");
    let lock = std::fs::File::create(node.join(".lock")).unwrap();
    lock.lock().unwrap();
    let before = contents(&node);
    let locked = kraftlens(["info", arg(&node)]);
    assert_eq!(
        (locked.status, &locked.out),
        (0, &wanted.out),
        "BR-04: a lock changes nothing"
    );
    assert_eq!(
        contents(&node),
        before,
        "BR-04: looking leaves all as it was"
    );
    for path in walk(&node) {
        set_read_only(&path);
    }
    let frozen = kraftlens(["info", arg(&node)]);
    assert_eq!(
        (frozen.status, &frozen.out),
        (0, &wanted.out),
        "BR-04: nothing need be writable"
    );
}

fn contents(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>, SystemTime)> {
    walk(folder)
        .into_iter()
        .map(|path| {
            let changed = std::fs::metadata(&path).unwrap().modified().unwrap();
            let bytes = std::fs::read(&path).unwrap();
            (path, bytes, changed)
        })
        .collect()
}

fn set_read_only(path: &Path) {
    let mut permissions = std::fs::metadata(path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(path, permissions).unwrap();
}

#[test]
fn br_05_a_folder_is_one_state() {
    let node = Case::open("BR-05-directory-as-one-state/node");
    let folder = Case::of("BR-05-directory-as-one-state/node");
    for case in [&node, &folder] {
        case.is_clean();
        case.as_of(20, 2, "2026-01-01T00:00:03.250Z");
        let checkpoint = case.log.checkpoint().unwrap().kind();
        let used = FileKind::Checkpoint {
            end: Offset(16),
            epoch: Epoch(2),
        };
        assert_eq!(checkpoint, used, "{}", case.says("checkpoint used"));
        let passed: Vec<_> = case
            .log
            .passed_over()
            .iter()
            .filter(|p| p.kind == "checkpoint")
            .map(|p| {
                (
                    p.path.file_name().unwrap().to_str().unwrap(),
                    p.why.as_str(),
                )
            })
            .collect();
        let older = (
            "00000000000000000008-0000000001.checkpoint",
            "older than the checkpoint used",
        );
        assert_eq!(passed, [older], "{}", case.says("checkpoint passed over"));
        assert_eq!(
            case.log.apply_from(),
            Offset(16),
            "{}",
            case.says("segments 0 and 8 are history")
        );
        case.has("/image/cluster/brokers", &["1", "2"], "brokers");
        assert_eq!(
            case.fact("/image/cluster/brokers/1", "epoch"),
            5,
            "{}",
            case.says("broker 1")
        );
        assert_eq!(
            case.fact("/image/cluster/brokers/2", "epoch"),
            12,
            "{}",
            case.says("broker 2")
        );
        case.has("/image/cluster/controllers", &["1"], "controllers");
        case.has_topics(&["audit", "orders"]);
        let orders = case.facts("/image/topics/byName/orders/0");
        for (key, value) in [("replicas", vec![1, 2]), ("isr", vec![1, 2])] {
            assert_eq!(orders[key], serde_json::json!(value), "{}", case.says(key));
        }
        for (key, value) in [("leader", 1), ("leaderEpoch", 0), ("partitionEpoch", 1)] {
            assert_eq!(orders[key], value, "{}", case.says(key));
        }
        case.has("/image/configs", &["TOPIC:orders"], "configs");
        let retention = case.kafka("/image/configs/TOPIC:orders/retention.ms");
        assert_eq!(retention.trim(), "7200000", "{}", case.says("retention.ms"));
        let epochs = case.fact("/files/leader-epoch-checkpoint", "epochs");
        let wanted =
            serde_json::json!([{"epoch": 1, "startOffset": 0}, {"epoch": 2, "startOffset": 11}]);
        assert_eq!(epochs, wanted, "{}", case.says("leader epochs"));
        assert_eq!(
            case.fact("/files/meta.properties", "nodeId"),
            1,
            "{}",
            case.says("node")
        );
        let cluster = case.fact("/files/meta.properties", "clusterId");
        assert_eq!(
            cluster,
            "XuKV9HAAQNGKQ3zEPwcnPw",
            "{}",
            case.says("cluster")
        );
        case.info_says(
            0,
            &[
                "healthy",
                "as of offset 20, epoch 2",
                "older than the checkpoint used",
            ],
        );
    }
}

#[test]
fn br_05_one_segment_alone_is_told_as_such() {
    let segment = |base: u64| format!("BR-05-directory-as-one-state/node/{LOG}/{base:020}.log");
    let first = Case::open(&segment(0));
    first.is_clean();
    first.as_of(7, 1, "2026-01-01T00:00:00.500Z");
    for (base, meets) in [(8, 13), (16, 19)] {
        let case = Case::open(&segment(base));
        let missing = (Code::HistoryMissing, base as i64);
        case.finds(Severity::Error, &[]);
        case.finds(Severity::Warning, &[missing, (Code::UnknownTopic, meets)]);
        let words = format!("history before offset {base} is missing");
        assert!(
            case.found(Severity::Warning)[0].summary.contains(&words),
            "{}",
            case.says(&words)
        );
        case.info_says(0, &[&words, "metadata.version not known"]);
    }
}

#[test]
fn br_07_a_log_without_its_first_segments_is_whole() {
    let case = Case::open("BR-07-state-of-an-old-cluster/node");
    case.is_clean();
    case.as_of(57_054_846, 12, "2026-01-01T00:00:30Z");
    let base = FileKind::Checkpoint {
        end: Offset(57_054_787),
        epoch: Epoch(12),
    };
    assert_eq!(
        case.log.checkpoint().unwrap().kind(),
        base,
        "{}",
        case.says("checkpoint")
    );
    assert_eq!(
        case.state.log_tally().records(),
        60,
        "{}",
        case.says("log records")
    );
    let no_ops = case
        .state
        .log_tally()
        .metadata()
        .find(|(key, _)| *key == 20)
        .unwrap()
        .1;
    assert_eq!(no_ops.records, 58, "{}", case.says("NoOp records"));
    assert_eq!(
        case.fact("/image/features/metadataVersion", "level"),
        21,
        "{}",
        case.says("level")
    );
    case.has("/image/cluster/brokers", &["1", "2", "3"], "brokers");
    for (broker, epoch) in [(1, 56_964_788), (2, 56_964_789), (3, 56_964_790)] {
        let path = format!("/image/cluster/brokers/{broker}");
        assert_eq!(case.fact(&path, "epoch"), epoch, "{}", case.says(&path));
    }
    case.has(
        "/image/cluster/controllers",
        &["101", "102", "103"],
        "controllers",
    );
    case.has_topics(&["orders"]);
    case.has(
        "/image/topics/byName/orders",
        &["0", "1", "id", "name"],
        "partitions",
    );
    let isr = case.fact("/image/topics/byName/orders/1", "isr");
    assert_eq!(
        isr,
        serde_json::json!([2, 3, 1]),
        "{}",
        case.says("isr set at 57054807")
    );
    let set = case.fact("/image/topics/byName/orders/1", "origin");
    assert_eq!(
        set["offset"],
        57_054_807,
        "{}",
        case.says("origin of that isr")
    );
    case.has("/image/configs", &["BROKER"], "no topic config is left");
    let threads = case.kafka("/image/configs/BROKER/log.cleaner.threads");
    assert_eq!(threads.trim(), "2", "{}", case.says("cluster default"));
    assert_eq!(
        case.kafka("/image/producerIds/nextProducerId").trim(),
        "412000",
        "{}",
        case.says("producer id")
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
            "healthy",
            "history before offset 57054787 is not in the files",
            "node 102",
        ],
    );
}

#[test]
fn br_08_which_checkpoint_covers_the_start() {
    let a = Case::of("BR-08-log-starts-above-zero/a");
    a.finds(Severity::Error, &[(Code::StateBeforeUnknown, 100)]);
    a.finds(Severity::Warning, &[(Code::UnknownTopic, 100)]);
    a.has_topics(&["late"]);
    a.has("/image/configs", &["BROKER"], "the broker default");
    assert!(
        a.found(Severity::Warning)[0]
            .summary
            .contains("SLv6ZqGcT4a0qgAT-nhGQQ"),
        "{}",
        a.says("which topic is not known")
    );
    a.info_says(
        1,
        &[
            "state before offset 100 is unknown",
            "metadata.version not known",
        ],
    );

    let b = Case::of("BR-08-log-starts-above-zero/b");
    b.finds(Severity::Error, &[(Code::StateBeforeUnknown, 100)]);
    let hole = b.found(Severity::Error)[0].lost.as_ref().unwrap();
    assert_eq!(hole.records, Some(50), "{}", b.says("how many are missing"));
    assert_eq!(
        hole.offsets,
        Some((Offset(50), Offset(99))),
        "{}",
        b.says("which are missing")
    );
    let kafka = b.found(Severity::Error)[0].kafka.as_deref().unwrap();
    assert!(
        has_all(kafka, &["ignores", "refuses to start"]),
        "{}",
        b.says("what Kafka does")
    );
    b.info_says(1, &["offsets 50 to 99 are missing"]);

    let c = Case::of("BR-08-log-starts-above-zero/c");
    c.is_clean();
    c.as_of(119, 1, "2026-01-01T00:00:01.500Z");
    c.has_topics(&["late", "orders"]);
    for (key, value) in [("leader", 1), ("leaderEpoch", 1), ("partitionEpoch", 4)] {
        let found = c.fact("/image/topics/byName/orders/0", key);
        assert_eq!(found, value, "{}", c.says(key));
    }
    c.info_says(0, &["healthy"]);

    let d = Case::of("BR-08-log-starts-above-zero/d");
    let ahead = d.only(Code::CheckpointAhead, Severity::Info);
    assert!(
        ahead.summary.contains("120 to 139"),
        "{}",
        d.says("only in the checkpoint")
    );
    assert!(
        ahead
            .kafka
            .as_deref()
            .unwrap()
            .contains("drops the whole log"),
        "{}",
        d.says("Kafka")
    );
    let p = d.state.image().provenance();
    assert_eq!(
        (p.offset, p.epoch),
        (Offset(139), Epoch(2)),
        "{}",
        d.says("state as of")
    );
    d.has_topics(&["late", "newest", "orders"]);
    d.info_says(0, &["as of offset 139, epoch 2"]);
}

#[test]
fn br_14_the_offsets_decide_inside_a_batch() {
    let case = Case::of("BR-14-snapshot-inside-a-batch");
    let inside = case.only(Code::CheckpointInsideBatch, Severity::Info);
    assert!(
        has_all(&inside.summary, &["105", "100 to 109"]),
        "{}",
        case.says("which batch")
    );
    assert_eq!(
        case.batch_position(inside),
        171,
        "{}",
        case.says("its position")
    );
    let p = case.state.image().provenance();
    assert_eq!(p.offset, Offset(110), "{}", case.says("state as of"));
    let payments = case.facts("/image/topics/byName/payments/0");
    assert_eq!(
        payments["leaderEpoch"],
        2,
        "{}",
        case.says("104 is not applied twice")
    );
    assert_eq!(
        payments["partitionEpoch"],
        2,
        "{}",
        case.says("104 is not applied twice")
    );
    let orders = case.facts("/image/topics/byName/orders");
    assert_eq!(
        orders["id"],
        "Vccn4kUwQGWw029DSg_b4g",
        "{}",
        case.says("the new topic")
    );
    assert_eq!(orders["partitions"], 1, "{}", case.says("its partition"));
    let policy = case.kafka("/image/configs/TOPIC:orders/cleanup.policy");
    assert_eq!(policy.trim(), "compact", "{}", case.says("its config"));
    let retention = case.kafka("/image/configs/TOPIC:payments/retention.ms");
    assert_eq!(retention.trim(), "3000", "{}", case.says("105 is applied"));
    case.has("/image/clientQuotas", &["user(alice)"], "quotas");
    let quota = case.names("/image/clientQuotas/user(alice)");
    assert_eq!(quota.len(), 1, "{}", case.says("one quota"));
    let quota = case.fact(
        &format!("/image/clientQuotas/user(alice)/{}", quota[0]),
        "value",
    );
    assert_eq!(quota, 1024.0, "{}", case.says("quota of alice"));
    case.info_says(0, &["healthy"]);
}
