#![allow(
    clippy::arithmetic_side_effects,
    reason = "tests compute what they expect"
)]

/// The footer batch of a real snapshot.
pub(super) const FOOTER: [u8; 75] = [
    0, 0, 0, 0, 0, 0, 0, 10, // base offset
    0, 0, 0, 63, // size
    0, 0, 0, 0, // epoch
    2, // magic
    0xdf, 0x22, 0xcf, 0xf5, // CRC
    0, 0x20, // attributes: control
    0, 0, 0, 0, // last offset delta
    0, 0, 0x01, 0xa2, 0x2b, 0x0e, 0x11, 0x28, // base timestamp
    0, 0, 0x01, 0xa2, 0x2b, 0x0e, 0x11, 0x28, // max timestamp
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // producer id
    0xff, 0xff, // producer epoch
    0xff, 0xff, 0xff, 0xff, // base sequence
    0, 0, 0, 1,    // record count
    0x1a, // record length 13
    0,    // attributes
    0,    // timestamp delta
    0,    // offset delta
    8, 0, 0, 0, 4, // key: version 0, type 4
    6, 0, 0, 0, // value: version 0, no tags
    0, // no headers
];

use super::writer::{
    BatchWriter, CheckpointWriter, checkpoint_name, control_key, seal, segment_name,
};
use super::{BatchHeader, Codec, FileKind, Log, Options, RecordProblem};
use crate::error::ErrorKind;
use crate::finding::{Code, Finding, Severity};
use crate::ids::{Epoch, Offset, Position, Timestamp};
use std::path::{Path, PathBuf};

mod folders;

const TIME: Timestamp = Timestamp(1_767_225_600_000);

fn batch(base: i64, epoch: i32, values: &[&[u8]]) -> Vec<u8> {
    let empty = BatchWriter::new(Offset(base), Epoch(epoch), TIME);
    let full = values.iter().fold(empty, |b, v| b.record(None, Some(v)));
    let mut out = Vec::new();
    full.write(&mut out);
    out
}

/// A NoOpRecord in its frame.
const NO_OP: &[u8] = &[1, 20, 0, 0];

/// Three batches: offsets base to base + 5, two each.
fn segment(base: i64, epoch: i32) -> Vec<u8> {
    (0..3)
        .flat_map(|n| batch(base + 2 * n, epoch, &[NO_OP, NO_OP]))
        .collect()
}

fn checkpoint(epoch: i32) -> CheckpointWriter {
    let mut writer = CheckpointWriter::new(Epoch(epoch), TIME, TIME, &[]);
    writer.push(NO_OP);
    writer
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn put(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.path().join(name), bytes).unwrap();
        self
    }

    fn segment(self, base: i64, bytes: impl AsRef<[u8]>) -> Self {
        self.put(&segment_name(Offset(base)), bytes)
    }

    fn checkpoint(self, end: i64, epoch: i32, bytes: impl AsRef<[u8]>) -> Self {
        self.put(&checkpoint_name(Offset(end), Epoch(epoch)), bytes)
    }

    fn open(&self) -> Log {
        Log::open(self.path(), &Options::default()).unwrap()
    }
}

fn codes(log: &Log) -> Vec<Code> {
    log.findings().kept().iter().map(|f| f.code).collect()
}

fn only(log: &Log) -> Finding {
    match log.findings().kept() {
        [one] => one.clone(),
        more => panic!("one finding expected: {more:#?}"),
    }
}

/// The findings of one segment with these bytes in a folder.
fn of_segment(bytes: impl AsRef<[u8]>) -> Log {
    Folder::new().segment(0, bytes).open()
}

#[test]
fn a_batch_costs_forty_bytes_in_the_table() {
    assert_eq!(size_of::<super::Entry>(), 40);
}

#[test]
fn a_header_is_read_field_by_field() {
    let header = BatchHeader::parse(&FOOTER).unwrap();
    assert_eq!(header.base_offset, Offset(10));
    assert_eq!(header.last_offset(), Offset(10));
    assert_eq!(header.length, 75);
    assert_eq!(header.magic, 2);
    assert_eq!(header.crc, 3_743_600_629);
    assert_eq!(header.max_timestamp, Timestamp(0x01a2_2b0e_1128));
    assert!(header.is_control());
    assert!(!header.is_transactional());
    assert_eq!(header.codec(), Codec::None);
    assert_eq!(
        (
            header.producer_id,
            header.producer_epoch,
            header.base_sequence
        ),
        (-1, -1, -1)
    );
    assert_eq!(
        (
            header.count,
            header.last_sequence(),
            header.delete_horizon()
        ),
        (1, -1, None)
    );
}

#[test]
fn sequences_wrap_to_zero() {
    let mut header = BatchHeader::parse(&FOOTER).unwrap();
    header.base_sequence = i32::MAX - 1;
    header.last_offset_delta = 3;
    assert_eq!(header.last_sequence(), 1);
}

#[test]
fn records_and_their_origin() {
    let folder = Folder::new().segment(0, segment(0, 7));
    let log = folder.open();
    let last = log.batches().last().unwrap();
    let record = last.records().last().unwrap().unwrap();
    assert_eq!(record.offset(), Offset(5));
    assert_eq!(record.value(), Some(NO_OP));
    assert_eq!(record.key(), None);
    assert_eq!(record.headers().count(), 0);
    let at = record.value_position().0 as usize;
    assert_eq!(
        &log.source().bytes(record.reference().buffer())[at..][..4],
        NO_OP
    );
    let origin = log.origin(record.reference()).unwrap();
    assert_eq!(
        (origin.offset, origin.epoch, origin.time),
        (Offset(5), Epoch(7), TIME)
    );
    assert_eq!(origin.position, record.reference().position());
    assert!(!origin.in_checkpoint);
    assert!(log.findings().is_empty() && log.check_records().is_empty());
}

#[test]
fn headers_keys_and_times_are_read_and_reported() {
    let mut bytes = segment(0, 1);
    BatchWriter::new(Offset(6), Epoch(1), TIME)
        .record_with(5, Some(b"k"), None, &[(b"a", Some(b"b")), (b"c", None)])
        .write(&mut bytes);
    let log = of_segment(bytes);
    let record = log
        .batches()
        .last()
        .unwrap()
        .records()
        .next()
        .unwrap()
        .unwrap();
    assert_eq!((record.key(), record.value()), (Some(&b"k"[..]), None));
    assert_eq!(record.timestamp(), Timestamp(TIME.0 + 5));
    let headers: Vec<_> = record.headers().collect();
    assert_eq!(headers, [(&b"a"[..], Some(&b"b"[..])), (&b"c"[..], None)]);
    assert_eq!(
        log.record(record.reference()).unwrap().key(),
        Some(&b"k"[..])
    );
    let findings = log.check_records();
    assert_eq!(findings.kept()[0].code, Code::UnexpectedRecordForm);
    assert_eq!(findings.kept()[0].place.offset, Some(Offset(6)));
}

#[test]
fn append_time_is_that_of_every_record() {
    let mut bytes = Vec::new();
    BatchWriter::new(Offset(0), Epoch(1), TIME)
        .attributes(8)
        .record_with(9, None, Some(NO_OP), &[])
        .write(&mut bytes);
    let log = of_segment(bytes);
    let record = log
        .batches()
        .next()
        .unwrap()
        .records()
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(record.timestamp(), TIME);
}

#[test]
fn compressed_records_stand_in_their_own_buffer() {
    let mut bytes = segment(0, 1);
    let start = bytes.len() as u64;
    BatchWriter::new(Offset(6), Epoch(1), TIME)
        .record(None, Some(NO_OP))
        .record(None, Some(NO_OP))
        .compressed(4, |plain| zstd::encode_all(plain, 1).unwrap())
        .write(&mut bytes);
    let log = of_segment(bytes);
    let batch = log.batches().last().unwrap();
    assert!(batch.is_inflated() && batch.is_trusted());
    let record = batch.records().last().unwrap().unwrap();
    assert_ne!(record.reference().buffer(), log.files()[0].buffer());
    let origin = log.origin(record.reference()).unwrap();
    assert_eq!(
        (origin.position, origin.offset),
        (Position(start), Offset(7))
    );
}

#[test]
fn a_batch_beyond_the_limit_is_not_inflated() {
    let mut bytes = segment(0, 1);
    BatchWriter::new(Offset(6), Epoch(1), TIME)
        .record(None, Some(&[7; 5000]))
        .compressed(4, |plain| zstd::encode_all(plain, 1).unwrap())
        .write(&mut bytes);
    let folder = Folder::new().segment(0, bytes);
    let options = Options {
        max_batch: 4999,
        ..Options::default()
    };
    let log = Log::open(folder.path(), &options).unwrap();
    assert_eq!(only(&log).code, Code::BatchTooLarge);
    let fault = log
        .batches()
        .last()
        .unwrap()
        .records()
        .next()
        .unwrap()
        .unwrap_err();
    assert_eq!(fault.what, RecordProblem::NotInflated);
}

#[test]
fn an_unknown_codec_and_bad_compression() {
    for codec in [4, 5] {
        let mut bytes = segment(0, 1);
        BatchWriter::new(Offset(6), Epoch(1), TIME)
            .record(None, Some(NO_OP))
            .attributes(codec)
            .write(&mut bytes);
        let finding = only(&of_segment(bytes));
        assert_eq!(finding.code, Code::BadCompression);
        assert_eq!(finding.place.offset, Some(Offset(6)));
    }
}

#[test]
fn a_bad_crc_marks_the_batch_and_reading_goes_on() {
    let mut bytes = segment(0, 1);
    let at = bytes.len() / 3 + 64;
    bytes[at] ^= 1;
    let log = of_segment(bytes);
    let trusted: Vec<_> = log.batches().map(|b| b.is_trusted()).collect();
    assert_eq!(trusted, [true, false, true]);
    let finding = only(&log);
    assert_eq!(finding.code, Code::CrcMismatch);
    assert_eq!(finding.lost.unwrap().offsets, Some((Offset(2), Offset(3))));
    assert_eq!(log.log_end(), Some(Offset(6)));
}

#[test]
fn a_cut_last_batch_is_a_warning_with_what_is_known() {
    let bytes = segment(0, 1);
    let last = bytes.len() / 3 * 2;
    let cut = |left: usize| only(&of_segment(&bytes[..last + left]));
    let lost = |left: usize| {
        let finding = cut(left);
        assert_eq!(
            (finding.code, finding.severity),
            (Code::CutBatch, Severity::Warning)
        );
        assert_eq!(finding.place.position, Some(Position(last as u64)));
        let lost = finding.lost.unwrap();
        assert_eq!(lost.bytes, Some(left as u64));
        (lost.records, lost.offsets)
    };
    assert_eq!(lost(20), (None, None));
    assert_eq!(lost(40), (None, Some((Offset(4), Offset(5)))));
    assert_eq!(lost(70), (Some(2), Some((Offset(4), Offset(5)))));
    assert!(
        cut(70)
            .summary
            .contains(&format!("{} are missing", bytes.len() / 3 - 70))
    );
}

#[test]
fn a_cut_before_a_later_segment_is_an_error_with_the_offsets_lost() {
    let bytes = segment(0, 1);
    let log = Folder::new()
        .segment(0, &bytes[..bytes.len() - 10])
        .segment(6, segment(6, 1))
        .open();
    let finding = only(&log);
    assert_eq!(
        (finding.code, finding.severity),
        (Code::CutBatch, Severity::Error)
    );
    assert_eq!(finding.lost.unwrap().offsets, Some((Offset(4), Offset(5))));
    assert_eq!(log.log_end(), Some(Offset(12)));
}

#[test]
fn zeros_at_the_end_are_a_tail_and_before_a_batch_a_hole() {
    let sound = segment(0, 1);
    let tail = |zeros: usize| [sound.clone(), vec![0; zeros]].concat();
    for zeros in [1, 10, 17, 18, 4096] {
        let finding = only(&of_segment(tail(zeros)));
        assert_eq!(
            (finding.code, finding.severity),
            (Code::ZeroTail, Severity::Warning)
        );
        assert_eq!(finding.lost.unwrap().bytes, Some(zeros as u64));
    }
    let hole = [tail(4096), batch(9, 1, &[NO_OP])].concat();
    let left = (hole.len() - sound.len()) as u64;
    let finding = only(&of_segment(hole));
    assert_eq!(finding.code, Code::NotABatch);
    assert_eq!(finding.lost.unwrap().bytes, Some(left));
    assert_eq!(finding.offered[0].offsets, (Offset(9), Offset(9)));
}

#[test]
fn a_batch_that_seems_cut_and_goes_on_behind_is_a_hole() {
    // The second batch ends early, and a third one follows: its length leads past the end.
    let mut bytes = batch(0, 1, &[NO_OP]);
    let whole = batch(1, 1, &[NO_OP, NO_OP]);
    let third = batch(3, 1, &[NO_OP]);
    let at = bytes.len() as u64;
    for missing in [1, 20] {
        bytes.extend(&whole[..whole.len() - missing]);
        let mut file = bytes.clone();
        file.extend(&third[..]);
        // Unless it is longer than all that is left, the cut cannot be told from a wrong CRC.
        file[at as usize + 8..at as usize + 12].copy_from_slice(&4000i32.to_be_bytes());
        let log = of_segment(&file);
        let hole = only(&log);
        assert_eq!(
            (hole.code, hole.severity),
            (Code::NotABatch, Severity::Error)
        );
        assert_eq!(hole.place.position, Some(Position(at)));
        let offered: Vec<_> = hole
            .offered
            .iter()
            .map(|o| (o.offsets.0, o.records))
            .collect();
        assert_eq!(offered, [(Offset(3), 1)]);
        let lost = hole.lost.unwrap();
        assert_eq!(lost.offsets, Some((Offset(1), Offset(2))));
        assert_eq!(log.batch_count(), 1, "nothing of it is applied");
        bytes.truncate(at as usize);
    }
}

#[test]
fn a_hole_is_bridged_by_the_next_segment() {
    let mut bytes = segment(0, 1);
    let second = bytes.len() / 3;
    bytes[second..].fill(0xee);
    let log = Folder::new()
        .segment(0, bytes)
        .segment(6, segment(6, 1))
        .open();
    let finding = only(&log);
    assert_eq!(finding.code, Code::NotABatch);
    assert_eq!(finding.place.offset, Some(Offset(2)));
    assert_eq!(finding.lost.unwrap().offsets, Some((Offset(2), Offset(5))));
    assert_eq!(log.batches().filter(|b| b.is_trusted()).count(), 4);
}

#[test]
fn a_length_that_is_too_great_is_no_cut() {
    let mut bytes = segment(0, 1);
    let second = bytes.len() / 3;
    bytes[second + 9] = 1; // 65536 bytes more
    let finding = only(&of_segment(bytes));
    assert_eq!(
        (finding.code, finding.severity),
        (Code::NotABatch, Severity::Error)
    );
}

#[test]
fn other_magics_are_read_past() {
    for magic in [0, 1, 3, 6, 0x82] {
        let mut bytes = segment(0, 1);
        let second = bytes.len() / 3;
        bytes[second + 16] = magic;
        let log = of_segment(bytes);
        let trusted: Vec<_> = log.batches().map(|b| b.is_trusted()).collect();
        assert_eq!(trusted, [true, false, true], "magic {magic}");
        assert!(
            codes(&log).contains(&Code::UnsupportedMagic),
            "magic {magic}"
        );
    }
}

#[test]
fn a_message_of_magic_1_has_its_own_crc() {
    // offset 6
    let mut message = vec![0, 0, 0, 0, 0, 0, 0, 6];
    message.extend([0, 0, 0, 24]); // size
    message.extend([0; 4]); // CRC, below
    message.extend([1, 0]); // magic, attributes
    message.extend(TIME.0.to_be_bytes());
    message.extend([0xff; 4]); // no key
    message.extend([0, 0, 0, 2, 7, 8]); // value
    let crc = super::legacy::crc(&message);
    message[12..16].copy_from_slice(&crc.to_be_bytes());
    let log = of_segment([segment(0, 1), message].concat());
    assert_eq!(only(&log).code, Code::UnsupportedMagic);
    let batch = log.batches().last().unwrap();
    assert!(batch.is_crc_right() && !batch.is_trusted());
    assert_eq!(batch.header().base_offset, Offset(6));
    assert_eq!(batch.header().max_timestamp, TIME);
}

#[test]
fn gaps_overlaps_epochs_and_names() {
    let gap = only(&of_segment([segment(0, 1), batch(8, 1, &[NO_OP])].concat()));
    assert_eq!(gap.code, Code::OffsetGap);
    assert_eq!(gap.lost.unwrap().offsets, Some((Offset(6), Offset(7))));
    let overlap = only(&of_segment([segment(0, 1), batch(5, 1, &[NO_OP])].concat()));
    assert_eq!(overlap.code, Code::OffsetOverlap);
    let epoch = only(&of_segment([segment(0, 3), batch(6, 2, &[NO_OP])].concat()));
    assert_eq!(epoch.code, Code::EpochFalls);
    let missing = Folder::new()
        .segment(0, segment(0, 1))
        .segment(8, segment(8, 1))
        .open();
    assert_eq!(codes(&missing), [Code::OffsetGap]);
    let name = Folder::new().segment(0, segment(2, 1)).open();
    assert_eq!(codes(&name), [Code::NameMismatch]);
}

#[test]
fn record_counts_that_do_not_hold() {
    let sound = batch(0, 1, &[NO_OP, NO_OP]);
    let with_count = |count: i32| {
        let mut bytes = sound.clone();
        bytes[57..61].copy_from_slice(&count.to_be_bytes());
        seal(&mut bytes);
        let log = of_segment(bytes);
        let read = log
            .batches()
            .next()
            .unwrap()
            .records()
            .filter(Result::is_ok)
            .count();
        let codes: Vec<_> = log.check_records().kept().iter().map(|f| f.code).collect();
        assert!(
            codes.iter().all(|c| *c == Code::RecordCountMismatch),
            "{codes:?}"
        );
        (read, codes.is_empty())
    };
    assert_eq!(with_count(2), (2, true));
    assert_eq!(with_count(1), (1, false));
    assert_eq!(with_count(3), (2, false));
    assert_eq!(with_count(-1), (0, false));
    assert_eq!(with_count(i32::MAX), (2, false));
}

#[test]
fn a_record_that_does_not_fit_its_length_is_skipped() {
    let mut bytes = batch(0, 1, &[NO_OP, NO_OP]);
    assert_eq!(bytes[66], 8); // length of the first value: 4
    bytes[66] = 4; // 2: two bytes then take the place of the header count and of nothing
    bytes[69] = 0;
    seal(&mut bytes);
    let log = of_segment(bytes);
    let batch = log.batches().next().unwrap();
    let mut records = batch.records();
    let fault = records.next().unwrap().unwrap_err();
    assert_eq!(
        (fault.at, fault.what),
        (Position(61), RecordProblem::FrameLeftover(2))
    );
    assert_eq!(records.next().unwrap().unwrap().offset(), Offset(1));
    assert!(records.next().is_none());
}

#[test]
fn every_cut_and_every_bit_flip_is_survived() {
    let mut bytes = batch(0, 1, &[NO_OP, NO_OP]);
    BatchWriter::new(Offset(2), Epoch(1), TIME)
        .record_with(1, Some(b"k"), Some(NO_OP), &[(b"h", None)])
        .compressed(1, |plain| {
            use std::io::Write as _;
            let level = flate2::Compression::fast();
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(plain).unwrap();
            encoder.finish().unwrap()
        })
        .write(&mut bytes);
    let folder = Folder::new();
    let metadata = folder.path().join("__cluster_metadata-0");
    std::fs::create_dir(&metadata).unwrap();
    let file = metadata.join(segment_name(Offset(0)));
    let sound = bytes.len();
    let read = |bytes: &[u8]| {
        // Some file systems wait for the disk when a file is written over.
        let _ = std::fs::remove_file(&file);
        std::fs::write(&file, bytes).unwrap();
        let log = Log::open(&metadata, &Options::default()).unwrap();
        let mut all = log.findings().clone();
        all.extend(log.check_records());
        for batch in log.batches() {
            for record in batch.records().flatten() {
                let _ = log.origin(record.reference());
            }
        }
        (log.files()[0].read_to(), all)
    };
    for cut in 0..sound {
        let (read_to, findings) = read(&bytes[..cut]);
        // The first bytes of an offset are zeros.
        let tail = [Code::CutBatch, Code::ZeroTail];
        let found = findings.kept().iter().any(|f| tail.contains(&f.code));
        assert_eq!(found, read_to.0 < cut as u64, "cut at {cut}");
    }
    for bit in 0..sound * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let (_, findings) = read(&bytes);
        assert!(!findings.is_empty(), "a flip of bit {bit} goes unseen");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}
