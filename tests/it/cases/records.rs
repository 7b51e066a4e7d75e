//! Records that nobody knows, records that cannot apply, and how many there are of which kind.

use super::{Case, LOG, has_all, input};
use crate::cli::{arg, kraftlens};
use kraftlens::finding::{Code, Severity};
use kraftlens::ids::{Epoch, Offset, Timestamp};
use kraftlens::image::TypeTally;
use kraftlens::log::writer::{BatchWriter, segment_name};

#[test]
fn br_16_a_change_with_another_epoch_than_the_registered_one() {
    let case = Case::of("BR-16-broker-epoch-mismatch/a-change");
    let conflict = case.only(Code::BrokerEpochMismatch, Severity::Error);
    assert!(
        has_all(&conflict.summary, &["9915562", "9914910"]),
        "{}",
        case.says("both epochs")
    );
    let (other, _) = conflict.other.as_ref().unwrap();
    let offsets = [&conflict.place, other].map(|p| p.offset.unwrap().0);
    assert_eq!(
        offsets,
        [9_915_570, 9_914_910],
        "{}",
        case.says("both offsets")
    );
    assert_eq!(
        case.batch_position(conflict),
        8329,
        "{}",
        case.says("position of the batch")
    );
    let facts = case.facts("/findings/0");
    let times = [&facts["place"]["time"], &facts["against"]["time"]];
    assert_eq!(
        times,
        ["2026-01-01T00:00:07Z", "2026-01-01T00:00:00.500Z"],
        "{}",
        case.says("both times")
    );
    assert_eq!(
        conflict.rest_loads,
        Some(true),
        "{}",
        case.says("the rest loads")
    );
    assert!(
        conflict
            .kafka
            .as_deref()
            .unwrap()
            .contains("controller stops"),
        "{}",
        case.says("Kafka")
    );
    broker_3_stands(&case, 9_914_910);
    case.has_topics(&["orders"]);
    case.info_says(1, &["1 error", "9915562", "9914910"]);
}

#[test]
fn br_16_fence_and_unfence_with_wrong_epochs() {
    let case = Case::of("BR-16-broker-epoch-mismatch/b-fence-unfence");
    let code = Code::BrokerEpochMismatch;
    case.finds(Severity::Error, &[(code, 5), (code, 6)]);
    case.finds(Severity::Warning, &[]);
    for (finding, epoch) in case.found(Severity::Error).into_iter().zip(["2", "9"]) {
        assert_eq!(
            finding.found.as_deref(),
            Some(epoch),
            "{}",
            case.says("epoch in the record")
        );
        assert_eq!(
            finding.expected.as_deref(),
            Some("3"),
            "{}",
            case.says("epoch registered")
        );
    }
    broker_3_stands(&case, 3);
    case.has_topics(&["orders"]);
    case.info_says(1, &["2 errors"]);
}

fn broker_3_stands(case: &Case, epoch: i64) {
    let broker = case.facts("/image/cluster/brokers/3");
    assert_eq!(broker["epoch"], epoch, "{}", case.says("epoch of broker 3"));
    assert_eq!(
        broker["fenced"],
        false,
        "{}",
        case.says("broker 3 stays unfenced")
    );
}

#[test]
fn br_16_a_broker_that_never_registered() {
    let case = Case::of("BR-16-broker-epoch-mismatch/c-never-registered");
    case.finds(
        Severity::Error,
        &[5, 6, 7].map(|offset| (Code::UnknownBroker, offset)),
    );
    for finding in case.found(Severity::Error) {
        let words = ["broker 9", "not registered"];
        assert!(
            has_all(&finding.summary, &words),
            "{}",
            case.says("which broker")
        );
    }
    case.has(
        "/image/cluster/brokers",
        &["1", "3"],
        "brokers 1 and 3 are untouched",
    );
    case.has_topics(&["orders"]);
    case.info_says(1, &["3 errors"]);
}

#[test]
fn br_24_record_types_of_a_fork() {
    let case = Case::of("BR-24-very-large-batches");
    let code = Code::UnknownRecordType;
    case.finds(
        Severity::Warning,
        &[(code, 6), (code, 7), (code, 8), (code, 9)],
    );
    case.finds(Severity::Error, &[]);
    let types = [
        "101 version 0",
        "150 version 1",
        "150 version 1",
        "300 version 0",
    ];
    for (finding, kind) in case.found(Severity::Warning).into_iter().zip(types) {
        assert!(finding.summary.contains(kind), "{}", case.says(kind));
    }
    // Frame version 1, apiKey 300 as a varint, version 0.
    let raw = case.fact("/findings/3", "value");
    let raw = raw.as_str().unwrap();
    assert!(
        raw.starts_with("01ac0200"),
        "{}: {raw}",
        case.says("raw bytes of type 300")
    );
    let raw = case.fact("/findings/0", "value");
    assert!(
        raw.as_str().unwrap().starts_with("016500"),
        "{}",
        case.says("raw bytes of type 101")
    );
    case.has_topics(&["orders"]);
    case.info_says(0, &["4 warnings"]);
    let folder = input(&case.name);
    let ran = kraftlens(["cat", arg(&folder), "/findings/3"]);
    assert_eq!(ran.status, 0, "{}", case.says("status of cat"));
    assert!(
        has_all(&ran.out, &["type 300", "01ac0200"]),
        "{}",
        case.says("cat shows them")
    );
}

#[test]
fn br_30_registrations_that_take_turns() {
    let case = Case::of("BR-30-flapping-registration");
    case.finds(Severity::Error, &[]);
    let registrations = tally(&case, 0);
    // 201 of broker 1, one each of brokers 0 and 2.
    assert_eq!(registrations.records, 203, "{}", case.says("registrations"));
    let broker = case.facts("/image/cluster/brokers/1");
    assert_eq!(broker["epoch"], 207, "{}", case.says("present epoch"));
    assert_eq!(broker["fenced"], true, "{}", case.says("fenced"));
    assert_eq!(
        broker["incarnationId"],
        "MibSLyPhS_CR6QT1OnBhCw",
        "{}",
        case.says("incarnation")
    );
    assert_eq!(
        broker["endpoints"][0]["host"],
        "broker-1a.example",
        "{}",
        case.says("host")
    );
    case.as_of(207, 1, "2026-01-01T00:21:00Z");
    case.info_says(0, &["as of offset 207"]);
}

#[test]
fn br_46_every_record_type_is_known() {
    let case = Case::of("BR-46-acls-and-every-record-type/every-type");
    case.is_clean();
    let kinds: Vec<_> = case
        .state
        .log_tally()
        .metadata()
        .map(|(key, _)| key)
        .collect();
    let wanted: Vec<_> = (0..=29).filter(|key| ![6, 13, 16].contains(key)).collect();
    assert_eq!(kinds, wanted, "{}", case.says("apiKeys"));
    assert_eq!(
        case.state.log_tally().records(),
        41,
        "{}",
        case.says("records 0 to 40")
    );
    case.has(
        "/image/features",
        &[
            "finalized_eligible.leader.replicas.version",
            "metadataVersion",
        ],
        "features",
    );
    assert_eq!(
        case.fact("/image/features/metadataVersion", "level"),
        33,
        "{}",
        case.says("level")
    );
    case.has("/image/cluster/brokers", &["1", "2"], "broker 3 is gone");
    assert_eq!(
        case.fact("/image/cluster/brokers/1", "fenced"),
        false,
        "{}",
        case.says("broker 1")
    );
    let shutdown = case.fact("/image/cluster/brokers/2", "inControlledShutdown");
    assert_eq!(shutdown, true, "{}", case.says("broker 2"));
    case.has(
        "/image/cluster/controllers",
        &["10"],
        "controller 11 is gone",
    );
    case.has_topics(&["kept"]);
    let kept = case.facts("/image/topics/byName/kept/0");
    assert_eq!(kept["isr"], serde_json::json!([1]), "{}", case.says("isr"));
    assert_eq!(kept["elr"], serde_json::json!([]), "{}", case.says("elr"));
    for (key, value) in [("leader", 1), ("leaderEpoch", 1), ("partitionEpoch", 2)] {
        assert_eq!(kept[key], value, "{}", case.says(key));
    }
    case.has("/image/configs", &["BROKER", "TOPIC:kept"], "configs");
    case.has("/image/clientQuotas", &["user(alice)"], "quotas");
    let producer = case.kafka("/image/producerIds/nextProducerId");
    assert_eq!(producer.trim(), "1000", "{}", case.says("next producer id"));
    case.has("/image/acls/byId", &["faJ0kAuQSZqhFQjsoVLr8w"], "ACLs");
    case.has("/image/scram/SCRAM-SHA-256", &["alice"], "SCRAM users");
    case.has("/image/scram/SCRAM-SHA-512", &[], "bob is gone");
    case.has("/image/delegationToken", &["tok-1"], "tok-2 is gone");
    let state = case.fact("/transactions/1", "state");
    assert_eq!(
        state,
        "aborted",
        "{}",
        case.says("topic never was in an aborted transaction")
    );
    case.info_says(0, &["ZooKeeper migration state"]);
}

#[test]
fn br_50_a_quiet_log_is_mostly_no_op() {
    let case = Case::of("BR-50-idle-cluster-growth");
    case.is_clean();
    case.as_of(1602, 1, "2026-01-01T00:05:01Z");
    let log = case.state.log_tally();
    assert_eq!(
        (log.records(), log.batches()),
        (603, 603),
        "{}",
        case.says("one record a batch")
    );
    assert_eq!(
        tally(&case, 20).records,
        600,
        "{}",
        case.says("NoOp records")
    );
    let bytes = case.log.segments()[0].size();
    assert_eq!(bytes, 43_487, "{}", case.says("bytes"));
    // 61 bytes of header and the record: 72 a batch.
    assert_eq!(
        tally(&case, 20).bytes,
        600 * (72 - 61),
        "{}",
        case.says("bytes of NoOp records")
    );
    case.has_topics(&["audit", "orders"]);
    case.has("/image/configs", &[], "no config is left");
    assert_eq!(
        case.fact("/image/topics/byName/audit", "partitions"),
        0,
        "{}",
        case.says("audit")
    );
    let folder = input(&format!(
        "BR-50-idle-cluster-growth/{LOG}/00000000000000001000.log"
    ));
    let ran = kraftlens(["records", arg(&folder)]);
    let real = |line: &&str| ["topic audit", "config "].iter().any(|w| line.contains(w));
    assert_eq!(
        ran.out.lines().filter(real).count(),
        3,
        "{}",
        case.says("three real records")
    );
    case.info_says(0, &["healthy", "NoOpRecord"]);
}

fn tally(case: &Case, api_key: i16) -> TypeTally {
    let mut all = case.state.log_tally().metadata();
    all.find(|(key, _)| *key == api_key)
        .map(|(_, t)| t)
        .unwrap_or_default()
}

#[test]
fn br_24_batches_beyond_the_limits_are_named() {
    // A batch as large as the one of the report, made here: it is no input to keep.
    let no_op = [1, 20, 0, 0];
    let mut batch = BatchWriter::new(Offset(0), Epoch(1), Timestamp(1_700_000_000_000));
    for _ in 0..17_446 {
        batch = batch.record(None, Some(&no_op));
    }
    let mut bytes = Vec::new();
    batch.write(&mut bytes);
    let length = bytes.len();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(segment_name(Offset(0))), bytes).unwrap();
    let ran = kraftlens(["info", arg(folder.path())]);
    assert_eq!(ran.status, 0, "BR-24: a large batch is sound");
    let told = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = [
        "batch of offsets 0 to 17445 at byte 0",
        "17,446 records",
        "10,000",
    ];
    assert!(has_all(&told, &words), "BR-24: it is named: {}", ran.out);
    let ran = kraftlens(["info", arg(folder.path()), "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let top = &json["copies"][0]["largestBatches"][0];
    assert_eq!(top["records"], 17_446, "BR-24: count: {json}");
    assert_eq!(top["bytes"], length, "BR-24: size");
}
