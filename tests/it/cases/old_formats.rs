//! Logs without a metadata.version, preview frames, withdrawn records.

use super::{Case, has_all};
use kraftlens::finding::{Code, Severity};
use serde_json::Value;

#[test]
fn br_21_a_log_of_3_0_has_no_level() {
    let case = Case::of("BR-21-old-archives/a-release-3-0");
    let level = case.only(Code::NoMetadataVersion, Severity::Warning);
    assert!(
        level.summary.contains("not recorded"),
        "{}",
        case.says("not recorded")
    );
    let kafka = level.kafka.as_deref().unwrap();
    assert!(
        has_all(kafka, &["3.0-IV1", "stops", "unknown metadata version"]),
        "{}",
        case.says("Kafka")
    );
    let recorded = case.fact("/image/features/metadataVersion", "level");
    assert_eq!(
        recorded,
        Value::Null,
        "{}",
        case.says("never a level as if recorded")
    );
    case.as_of(5, 1, "2022-01-01T00:00:01Z");
    case.has("/image/cluster/brokers", &["2"], "broker");
    let broker = case.facts("/image/cluster/brokers/2");
    assert_eq!(broker["epoch"], 1, "{}", case.says("epoch of broker 2"));
    assert_eq!(
        broker["fenced"],
        false,
        "{}",
        case.says("broker 2 is not fenced")
    );
    case.has_topics(&["orders"]);
    let partition = case.facts("/image/topics/byName/orders/0");
    assert_eq!(partition["leader"], 2, "{}", case.says("leader"));
    let text = case.kafka("/image/topics/byName/orders/0");
    assert!(
        text.contains("directories=[AAAAAAAAAAAAAAAAAAAAAA]"),
        "{}",
        case.says("MIGRATING: its id")
    );
    let producer = case.kafka("/image/producerIds/nextProducerId");
    assert_eq!(producer.trim(), "1000", "{}", case.says("next producer id"));
    case.info_says(
        0,
        &[
            "metadata.version not recorded: Kafka 3.x assumes 3.0-IV1",
            "controller of 4.x stops",
        ],
    );
}

#[test]
fn br_21_the_preview_of_2_8() {
    let case = Case::of("BR-21-old-archives/b-preview-2-8");
    case.finds(
        Severity::Error,
        &[1, 2, 3].map(|offset| (Code::PreviewFrame, offset)),
    );
    case.finds(Severity::Warning, &[]);
    for finding in case.found(Severity::Error) {
        assert!(
            has_all(&finding.summary, &["2.8 preview", "cannot upgrade"]),
            "{}",
            case.says("words")
        );
    }
    let batches = case.log.batches().map(|b| {
        assert!(b.is_trusted(), "{}", case.says("CRCs are valid"));
        (b.header().base_offset.0, b.header().last_offset().0)
    });
    assert_eq!(
        batches.collect::<Vec<_>>(),
        [(0, 0), (1, 2), (3, 3)],
        "{}",
        case.says("batches")
    );
    case.has_topics(&[]);
    case.has("/image/cluster/brokers", &[], "nothing is half decoded");
    case.has("/quorum/leaders", &["1"], "the leader change at 0 is read");
}

#[test]
fn br_21_records_that_were_withdrawn() {
    let case = Case::of("BR-21-old-archives/c-withdrawn-records");
    case.finds(
        Severity::Warning,
        &[
            (Code::UnknownRecordType, 2),
            (Code::UnknownRecordType, 3),
            (Code::LeftoverBytes, 5),
        ],
    );
    case.finds(Severity::Error, &[]);
    let found = case.found(Severity::Warning);
    assert!(
        found[0].summary.contains("type 16"),
        "{}",
        case.says("apiKey 16")
    );
    assert!(
        found[1].summary.contains("type 13"),
        "{}",
        case.says("apiKey 13")
    );
    assert!(
        has_all(&found[2].summary, &["FeatureLevelRecord", "2 bytes"]),
        "{}",
        case.says("2 bytes too many")
    );
    let level = case.fact("/image/features/metadataVersion", "level");
    assert_eq!(
        level,
        Value::Null,
        "{}",
        case.says("no level 1 as if it were sound")
    );
    case.has_topics(&["audit", "orders"]);
    case.info_says(0, &["3 warnings", "metadata.version not known"]);
}
