//! Bytes that are wrong, missing or too many.

use super::{Case, has_all, input};
use crate::cli::{arg, kraftlens};
use kraftlens::finding::{Code, Severity};
use kraftlens::ids::{Epoch, Offset, Position};

#[test]
fn br_09_one_flipped_bit_costs_one_batch() {
    let case = Case::of("BR-09-checksum-fault");
    let fault = case.only(Code::CrcMismatch, Severity::Error);
    assert_eq!(
        fault.place.position,
        Some(Position(432)),
        "{}",
        case.says("position")
    );
    assert_eq!(
        fault.found.as_deref(),
        Some("3200845775"),
        "{}",
        case.says("stored CRC")
    );
    assert_eq!(
        fault.expected.as_deref(),
        Some("1531973259"),
        "{}",
        case.says("computed CRC")
    );
    let lost = fault.lost.as_ref().unwrap();
    assert_eq!(lost.bytes, Some(169), "{}", case.says("size of the batch"));
    assert_eq!(lost.records, Some(2), "{}", case.says("records"));
    assert_eq!(
        lost.offsets,
        Some((Offset(6), Offset(7))),
        "{}",
        case.says("offsets")
    );
    assert!(
        fault.kafka.as_deref().unwrap().contains("cuts the segment"),
        "{}",
        case.says("Kafka")
    );
    let trusted: Vec<_> = case.batches().iter().map(|b| b.1).collect();
    assert_eq!(
        trusted,
        [true, true, false, true, true, true],
        "{}",
        case.says("batches")
    );
    let batch = case.log.batches().nth(2).unwrap();
    assert_eq!(batch.header().epoch, Epoch(1), "{}", case.says("epoch"));
    case.has_topics(&["audit", "payments"]);
    assert_eq!(
        case.kafka("/image/configs/TOPIC:payments/retention.ms")
            .trim(),
        "86400000",
        "{}",
        case.says("batches after it are applied")
    );
    case.info_says(1, &["DAMAGED 1 error", "byte 432, offset 6"]);
    let ran = kraftlens(["records", arg(&input(&case.name))]);
    for line in ran.out.lines().filter(|l| has_all(l, &["nrders"])) {
        assert!(
            line.starts_with('?'),
            "{}",
            case.says("its records are marked as untrusted")
        );
    }
    assert!(
        ran.out.contains("nrders"),
        "{}",
        case.says("its records are listed")
    );
}

#[test]
fn br_10_zeros_at_the_end() {
    for (part, bytes) in [("a", 4096), ("b", 10)] {
        let case = Case::of(&format!("BR-10-zero-tail/{part}"));
        let tail = case.only(Code::ZeroTail, Severity::Warning);
        assert_eq!(
            tail.place.position,
            Some(Position(1332)),
            "{}",
            case.says("position")
        );
        let lost = tail.lost.as_ref().and_then(|l| l.bytes);
        assert_eq!(lost, Some(bytes), "{}", case.says("how many zero bytes"));
        case.as_of(16, 1, "2026-01-01T00:00:01.250Z");
        case.has_topics(&["audit", "orders", "payments", "refunds"]);
        let partitions = case.state.image().topics().partition_count();
        assert_eq!(partitions, 7, "{}", case.says("partitions"));
        case.info_says(
            0,
            &["1 warning", &format!("{bytes} zero bytes"), "byte 1332"],
        );
    }
}

#[test]
fn br_10_a_batch_behind_zeros_is_offered_and_not_applied() {
    let case = Case::of("BR-10-zero-tail/c");
    let hole = case.only(Code::NotABatch, Severity::Error);
    assert_eq!(
        hole.place.position,
        Some(Position(1332)),
        "{}",
        case.says("position")
    );
    let lost = hole.lost.as_ref().unwrap();
    let missing = Some((Offset(17), Offset(19)));
    assert_eq!(
        (lost.records, lost.offsets),
        (Some(3), missing),
        "{}",
        case.says("missing offsets")
    );
    let [offered] = hole.offered[..] else {
        panic!("{}", case.says("one batch is offered"));
    };
    assert_eq!(
        offered.position,
        Position(5428),
        "{}",
        case.says("its position")
    );
    assert_eq!(offered.bytes, 168, "{}", case.says("its size"));
    assert_eq!(
        offered.offsets,
        (Offset(20), Offset(21)),
        "{}",
        case.says("its offsets")
    );
    assert_eq!(
        offered.crc,
        Some(2_427_051_340),
        "{}",
        case.says("its CRC is right")
    );
    assert_eq!(offered.records, 2, "{}", case.says("its records"));
    case.as_of(16, 1, "2026-01-01T00:00:01.250Z");
    case.has_topics(&["audit", "orders", "payments", "refunds"]);
    case.info_says(1, &["DAMAGED 1 error", "byte 5428"]);
}

#[test]
fn br_12_a_batch_that_is_cut() {
    // Bytes left, bytes missing, records by the header, offsets by the header, whole records.
    let all = Some((Offset(12), Offset(16)));
    for (part, left, missing, records, offsets, whole) in [
        ("a", 20, 372, None, None, 0),
        ("a2", 40, 352, None, all, 0),
        ("b", 177, 215, Some(5), all, 2),
        ("c", 391, 1, Some(5), all, 4),
    ] {
        let case = Case::of(&format!("BR-12-half-written-last-batch/{part}"));
        let cut = case.only(Code::CutBatch, Severity::Warning);
        assert_eq!(
            cut.place.position,
            Some(Position(940)),
            "{}",
            case.says("position")
        );
        let lost = cut.lost.as_ref().unwrap();
        assert_eq!(lost.bytes, Some(left), "{}", case.says("trailing bytes"));
        let words = format!("{missing} are missing");
        assert!(
            cut.summary.contains(&words),
            "{}",
            case.says("missing bytes")
        );
        assert_eq!(
            lost.records,
            records,
            "{}",
            case.says("records by the count field")
        );
        assert_eq!(lost.offsets, offsets, "{}", case.says("offsets lost"));
        let found = cut.found.as_deref().unwrap();
        assert!(
            has_all(found, &["offset 12", "epoch 1"]),
            "{}",
            case.says("base offset and epoch")
        );
        let offered: Vec<_> = cut.offered.iter().map(|o| (o.records, o.crc)).collect();
        let wanted: Vec<_> = (whole > 0).then_some((whole, None)).into_iter().collect();
        assert_eq!(offered, wanted, "{}", case.says("whole records, untrusted"));
        assert!(
            cut.summary.contains("running node"),
            "{}",
            case.says("expected of a live copy")
        );
        case.as_of(11, 1, "2026-01-01T00:00:01Z");
        case.has_topics(&["audit", "orders", "payments"]);
        case.info_says(0, &["1 warning", "byte 940"]);
    }
}
