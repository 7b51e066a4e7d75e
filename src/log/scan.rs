//! One file as a run of batches: which bytes are batches, which are a tail, and what is wrong.

use super::batch::{
    BatchHeader, CRC_FROM, Codec, HEADER, LEAST_SIZE, LEAST_SIZE_V2, MAGIC_AT, total_length,
};
use super::codec::{InflateFault, inflate};
use super::legacy;
use super::record::{Frame, Records};
use super::resync::{self, Resync};
use super::table::{Entry, crc_of, records};
use crate::bytes::Cursor;
use crate::error::Place;
use crate::finding::{Code, Finding, Findings, Lost, Offered, Severity};
use crate::ids::{Epoch, Offset, Position, Timestamp};
use crate::source::{BufferId, Source};
use std::path::Path;
use std::sync::Arc;

/// How much may be decompressed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of one batch.
    pub(crate) batch: u64,
    /// Bytes of all batches together that are still allowed.
    pub(crate) all: u64,
}

/// What stands after the last batch of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    /// Nothing.
    None,
    /// Zero bytes.
    Zero,
    /// The beginning of a batch: what of it can be read.
    Cut {
        base_offset: Option<Offset>,
        epoch: Option<Epoch>,
        missing: Option<u64>,
        records: Option<u64>,
        last_offset: Option<Offset>,
        /// How many records at its beginning are whole.
        whole: u64,
    },
    /// Something else, and why it is no batch.
    Other(String),
}

/// A file read once from end to end.
#[derive(Debug)]
pub(crate) struct Scan {
    pub(crate) entries: Vec<Entry>,
    pub(crate) read_to: Position,
    pub(crate) tail: Tail,
    /// Batches that stand in the tail.
    pub(crate) resync: Resync,
    pub(crate) findings: Findings,
}

/// Walks the batches of a file by their lengths.
pub(crate) fn scan(
    source: &Source,
    buffer: BufferId,
    path: &Arc<Path>,
    limits: &mut Limits,
) -> Scan {
    let bytes = source.bytes(buffer);
    let mut scan = Scan {
        entries: Vec::new(),
        read_to: Position(0),
        tail: Tail::None,
        resync: Resync::default(),
        findings: Findings::default(),
    };
    let mut at = 0usize;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let place = || Place::file(Arc::clone(path)).at(Position(at as u64));
        let length = match step(rest, buffer, &scan.entries) {
            Step::End => break,
            Step::Tail(tail) => {
                scan.tail = tail;
                break;
            }
            Step::Batch(length) => length,
        };
        let whole = rest.get(..length as usize).unwrap_or_default();
        let Some(mut entry) = entry(whole, at, buffer, &place, &mut scan.findings) else {
            scan.tail = Tail::Other("its header does not fit its size".into());
            break;
        };
        inflate_into(
            source,
            &mut entry,
            whole,
            path,
            &place,
            limits,
            &mut scan.findings,
        );
        scan.entries.push(entry);
        at = at.saturating_add(length as usize);
        scan.read_to = Position(at as u64);
    }
    search_tail(bytes, at, &mut scan);
    scan
}

/// Looks for batches behind what could not be read.
fn search_tail(bytes: &[u8], at: usize, scan: &mut Scan) {
    if matches!(scan.tail, Tail::None | Tail::Zero) {
        return;
    }
    scan.resync = resync::search(bytes, at.saturating_add(1));
    // A batch that goes on behind another one is not cut: its length is wrong.
    if let (Tail::Cut { .. }, Some(first)) = (&scan.tail, scan.resync.batches.first()) {
        scan.tail = Tail::Other(format!(
            "more bytes announced than are left, and a batch begins at byte {}",
            first.position
        ));
    }
}

enum Step {
    End,
    Tail(Tail),
    /// Bytes of the batch, all there.
    Batch(u32),
}

/// What stands at the beginning of `rest`, after these batches.
fn step(rest: &[u8], buffer: BufferId, before: &[Entry]) -> Step {
    if rest.is_empty() {
        return Step::End;
    }
    let prefix = (|| {
        let mut c = Cursor::new(rest);
        let offset = Offset(c.i64().ok()?);
        let size = c.i32().ok()?;
        c.i32().ok()?;
        Some((offset, size, c.i8().ok()?))
    })();
    let suspicious = prefix.is_none_or(|(_, size, _)| size < LEAST_SIZE);
    if suspicious && rest.iter().all(|b| *b == 0) {
        return Step::Tail(Tail::Zero);
    }
    let Some((offset, size, magic)) = prefix else {
        return Step::Tail(cut(rest, buffer, before));
    };
    if size < LEAST_SIZE || (magic >= 2 && size < LEAST_SIZE_V2) {
        return Step::Tail(Tail::Other(format!("batch size {size}")));
    }
    let length = total_length(size);
    if u64::from(length) <= rest.len() as u64 {
        let fits = rest.get(length as usize..).is_some_and(starts_batch);
        return if magic == 2 || known_by_crc(rest, length, magic) || (fits && offset.0 >= 0) {
            Step::Batch(length)
        } else {
            Step::Tail(Tail::Other(format!("magic {magic}")))
        };
    }
    let expected = before
        .last()
        .filter(|e| e.is_trusted())
        .map(Entry::next_offset);
    if magic != 2 || offset.0 < 0 || expected.is_some_and(|e| e != offset) {
        return Step::Tail(Tail::Other(format!(
            "{length} bytes announced, {} left, at offset {offset}",
            rest.len()
        )));
    }
    match overlong(rest, buffer) {
        Some(end) => Step::Tail(Tail::Other(format!(
            "{length} bytes announced, and its records end after {end}"
        ))),
        None => Step::Tail(cut(rest, buffer, before)),
    }
}

/// Whether these bytes can be the beginning of a batch, or are the end of the file.
fn starts_batch(bytes: &[u8]) -> bool {
    if bytes.is_empty() {
        return true;
    }
    let mut c = Cursor::new(bytes);
    c.i64().is_ok_and(|offset| offset >= 0)
        && c.i32().is_ok_and(|size| size >= LEAST_SIZE)
        && c.i32().is_ok()
        && c.i8().is_ok_and(|magic| (0..=2).contains(&magic))
}

fn known_by_crc(rest: &[u8], length: u32, magic: i8) -> bool {
    let whole = rest.get(..length as usize).unwrap_or_default();
    crc_of(whole, magic).is_some_and(|(stored, computed)| stored == computed)
}

/// The bytes that a batch takes when all records that it counts are there although it announces
/// more bytes than there are: then its length is wrong, and it is not cut.
fn overlong(rest: &[u8], buffer: BufferId) -> Option<usize> {
    let header = BatchHeader::parse(rest).ok()?;
    if header.codec() != Codec::None || header.count <= 0 {
        return None;
    }
    let frame = Frame::of(&header, buffer);
    let mut records = Records::new(frame, rest, HEADER as usize, header.count);
    for _ in 0..header.count {
        records.next()?.ok()?;
    }
    let end = usize::try_from(records.next_position().0).ok()?;
    (end < rest.len()).then_some(end)
}

/// What can be read of a batch of which the end is missing.
fn cut(rest: &[u8], buffer: BufferId, before: &[Entry]) -> Tail {
    let mut c = Cursor::new(rest);
    let base_offset = c.i64().ok().map(Offset);
    let missing = c
        .i32()
        .ok()
        .map(|size| u64::from(total_length(size)).saturating_sub(rest.len() as u64));
    let delta = Cursor::at(rest, 23).i32().ok().filter(|d| *d >= 0);
    let count = Cursor::at(rest, 57).i32().ok().filter(|n| *n >= 0);
    let expected = before
        .last()
        .filter(|e| e.is_trusted())
        .map(Entry::next_offset);
    let base_offset = base_offset.or(expected);
    Tail::Cut {
        base_offset,
        epoch: c.i32().ok().map(Epoch),
        missing,
        records: count.map(|n| n as u64),
        whole: whole_records(rest, buffer),
        last_offset: base_offset
            .zip(delta)
            .map(|(base, d)| base.plus(i64::from(d))),
    }
}

/// How many records at the beginning of an uncompressed batch are there to their last byte.
fn whole_records(rest: &[u8], buffer: BufferId) -> u64 {
    let Ok(header) = BatchHeader::parse(rest) else {
        return 0;
    };
    if header.codec() != Codec::None || header.count <= 0 {
        return 0;
    }
    let frame = Frame::of(&header, buffer);
    let records = Records::new(frame, rest, HEADER as usize, header.count);
    records.map_while(Result::ok).count() as u64
}

fn entry(
    whole: &[u8],
    at: usize,
    buffer: BufferId,
    place: &impl Fn() -> Place,
    findings: &mut Findings,
) -> Option<Entry> {
    let magic = *whole.get(MAGIC_AT)? as i8;
    let header = if magic < 2 {
        legacy::parse(whole).ok()?
    } else {
        BatchHeader::parse(whole).ok()?
    };
    let (stored, computed) = crc_of(whole, magic)?;
    let mut flags = 0;
    if header.is_control() {
        flags |= Entry::CONTROL;
    }
    if stored == computed {
        flags |= Entry::CRC;
    } else {
        let lost = Lost {
            records: u64::try_from(header.count).ok(),
            offsets: Some((header.base_offset, header.last_offset())),
            bytes: Some(whole.len() as u64),
        };
        findings.push(
            Finding::new(
                Code::CrcMismatch,
                place().offset(header.base_offset),
                format!("the CRC of the batch is {stored}, and that of its bytes {computed}"),
            )
            .values(computed.to_string(), stored.to_string())
            .lost(lost)
            .kafka("cuts the segment here and deletes all later segments"),
        );
    }
    if magic != 2 {
        flags |= Entry::OTHER_MAGIC;
        findings.push(
            Finding::new(
                Code::UnsupportedMagic,
                place().offset(header.base_offset),
                format!("a batch of magic {magic}; metadata logs have 2"),
            )
            .values("2", magic.to_string())
            .kafka("its Raft reader stops here"),
        );
    }
    Some(Entry {
        base_offset: header.base_offset,
        position: Position(at as u64),
        file: 0,
        length: header.length,
        last_offset_delta: header.last_offset_delta,
        epoch: header.epoch,
        records: buffer,
        flags,
    })
}

fn inflate_into(
    source: &Source,
    entry: &mut Entry,
    whole: &[u8],
    path: &Arc<Path>,
    place: &impl Fn() -> Place,
    limits: &mut Limits,
    findings: &mut Findings,
) {
    let codec = Cursor::at(whole, CRC_FROM as usize)
        .i16()
        .map_or(Codec::None, Codec::of);
    if codec == Codec::None || entry.is(Entry::OTHER_MAGIC) {
        return;
    }
    let records = whole.get(HEADER as usize..).unwrap_or_default();
    let limit = limits.batch.min(limits.all);
    match inflate(codec, records, limit) {
        Ok(bytes) => {
            limits.all = limits.all.saturating_sub(bytes.len() as u64);
            entry.records = source.add(bytes, Some(Arc::clone(path)));
            entry.flags |= Entry::INFLATED;
        }
        Err(fault) => {
            entry.flags |= Entry::ABSENT;
            // A batch with a bad CRC has its finding.
            if entry.is_trusted() {
                let code = match fault {
                    InflateFault::TooLarge(_) => Code::BatchTooLarge,
                    InflateFault::UnknownCodec(_) | InflateFault::Bad(_) => Code::BadCompression,
                };
                let lost = Lost {
                    records: None,
                    offsets: Some((entry.base_offset, entry.next_offset().plus(-1))),
                    bytes: Some(records.len() as u64),
                };
                let summary = format!("the records of the batch ({codec}): {fault}");
                findings.push(
                    Finding::new(code, place().offset(entry.base_offset), summary).lost(lost),
                );
            }
        }
    }
}

/// The finding for the tail of a file. `last`: whether no segment follows it.
pub(crate) fn tail_finding(
    scan: &Scan,
    path: &Arc<Path>,
    size: u64,
    last: bool,
    after: Option<Offset>,
) -> Option<Finding> {
    let bytes = size.saturating_sub(scan.read_to.0);
    let mut place = Place::file(Arc::clone(path)).at(scan.read_to);
    let mut lost = Lost {
        records: None,
        offsets: None,
        bytes: Some(bytes),
    };
    if let Some(after) = after {
        place = place.offset(after);
    }
    let finding = match &scan.tail {
        Tail::None => return None,
        Tail::Zero => Finding::new(
            Code::ZeroTail,
            place,
            format!("{bytes} zero bytes up to the end"),
        ),
        Tail::Cut {
            base_offset,
            epoch,
            missing,
            records,
            last_offset,
            whole,
        } => {
            if let Some(base) = base_offset {
                place = place.offset(*base);
            }
            lost.records = *records;
            lost.offsets = base_offset.zip(*last_offset);
            let missing = missing.map_or_else(String::new, |n| format!(", {n} are missing"));
            let mut summary =
                format!("the last batch is cut: {bytes} bytes of it are there{missing}");
            if *whole > 0 {
                summary.push_str(&format!(
                    "; its first {whole} records are whole, not checked by any CRC and not applied"
                ));
            } else if records.is_none() {
                summary.push_str("; how many records it holds is not known");
            }
            summary.push_str("; a copy of a running node may end so");
            let mut finding = Finding::new(Code::CutBatch, place, summary);
            if let Some((base, epoch)) = base_offset.zip(*epoch) {
                finding.found = Some(format!(
                    "the beginning of a batch of offset {base}, epoch {epoch}"
                ));
                finding.offered = (*whole > 0)
                    .then(|| Offered {
                        position: scan.read_to,
                        bytes,
                        offsets: (
                            base,
                            base.plus(i64::try_from(*whole).unwrap_or(i64::MAX))
                                .plus(-1),
                        ),
                        epoch,
                        records: *whole,
                        crc: None,
                    })
                    .into_iter()
                    .collect();
            }
            finding
        }
        Tail::Other(why) => {
            let (offers, next) = resync_words(&scan.resync);
            if let Some((after, next)) = after.zip(next).filter(|(after, next)| next > after) {
                lost.records = u64::try_from(next.0.saturating_sub(after.0)).ok();
                lost.offsets = Some((after, next.plus(-1)));
            }
            let summary = format!("no batch here ({why}); {offers} {bytes} bytes up to the end");
            Finding::new(Code::NotABatch, place, summary)
                .offered(scan.resync.batches.iter().copied())
        }
    };
    let kafka = if last {
        "cuts the segment here at start"
    } else {
        "cuts the segment here at start and deletes all later segments"
    };
    let finding = finding.lost(lost).kafka(kafka);
    Some(if last {
        finding
    } else {
        finding.severity(Severity::Error)
    })
}

/// What the search of a tail found, in words, and the offset with which that begins.
fn resync_words(found: &Resync) -> (String, Option<Offset>) {
    let stopped = found.gave_up_at.map_or_else(String::new, |at| {
        format!(" (searched up to byte {at} only: too much looks like batches and is none)")
    });
    let (Some(first), Some(last)) = (found.batches.first(), found.batches.last()) else {
        return (format!("nothing can be read{stopped} in the"), None);
    };
    let batches = match found.count {
        1 => "a batch with a right CRC, not applied, stands".to_owned(),
        n => format!("{n} batches with a right CRC, not applied, stand"),
    };
    let more = if found.count > found.batches.len() as u64 {
        " and more"
    } else {
        ""
    };
    let words = format!(
        "{batches} at byte {} (offsets {} to {}{more}){stopped} in the",
        first.position, first.offsets.0, last.offsets.1
    );
    (words, Some(first.offsets.0))
}

/// What the first and the last record of a file say about it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ends {
    /// Time in the snapshot header that it begins with.
    pub(crate) header: Option<Timestamp>,
    pub(crate) footer: bool,
}

/// Looks at the first record and at the last one.
pub(crate) fn ends(source: &Source, file: &[u8], scan: &Scan) -> Ends {
    let header = scan
        .entries
        .first()
        .filter(|e| e.is(Entry::CONTROL))
        .and_then(|first| {
            let record = records(source, file, first).next()?.ok()?;
            if control_type(record.key()?)? != 3 {
                return None;
            }
            let mut c = Cursor::at(record.value()?, 2);
            Some(Timestamp(c.i64().ok()?))
        });
    let footer = scan.tail == Tail::None
        && scan
            .entries
            .last()
            .filter(|e| e.is(Entry::CONTROL))
            .is_some_and(|last| {
                let record = records(source, file, last).filter_map(Result::ok).last();
                record.and_then(|r| r.key()).and_then(control_type) == Some(4)
            });
    Ends { header, footer }
}

/// The type in the key of a control record: 3 is a snapshot header, 4 a footer.
// Kafka: ControlRecordType.parse takes every version from 0 on for 0 and ignores further bytes.
#[must_use]
pub fn control_type(key: &[u8]) -> Option<i16> {
    let mut c = Cursor::new(key);
    let version = c.i16().ok()?;
    let kind = c.i16().ok()?;
    (version >= 0).then_some(kind)
}
