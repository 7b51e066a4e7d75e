//! The table of batches: a small entry each, and the batch as it is shown, read again from its bytes.

use super::batch::{BatchHeader, CRC_FROM, HEADER};
use super::file::LogFile;
use super::record::{Frame, Record, RecordFault, RecordProblem, Records};
use super::{Log, legacy};
use crate::bytes::crc32c;
use crate::error::Place;
use crate::finding::{Code, Finding, Findings, Lost};
use crate::ids::{Epoch, Offset, Position, Timestamp};
use crate::source::{BufferId, Source};
use std::path::Path;
use std::sync::Arc;

/// A batch in the table: what is needed to find a record's batch and to know its trust. The rest is
/// read again from the bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) base_offset: Offset,
    pub(crate) position: Position,
    pub(crate) file: u32,
    pub(crate) length: u32,
    pub(crate) last_offset_delta: i32,
    pub(crate) epoch: Epoch,
    /// Of the file, or of the decompressed records.
    pub(crate) records: BufferId,
    pub(crate) flags: u8,
}

impl Entry {
    /// The stored CRC is that of the bytes.
    pub(crate) const CRC: u8 = 1;
    pub(crate) const CONTROL: u8 = 2;
    /// Decompressed into a buffer of its own.
    pub(crate) const INFLATED: u8 = 4;
    /// Compressed, and could not be decompressed.
    pub(crate) const ABSENT: u8 = 8;
    /// A magic other than 2.
    pub(crate) const OTHER_MAGIC: u8 = 16;

    pub(crate) fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub(crate) fn is_trusted(&self) -> bool {
        self.is(Self::CRC) && !self.is(Self::OTHER_MAGIC)
    }

    pub(crate) fn next_offset(&self) -> Offset {
        self.base_offset
            .plus(i64::from(self.last_offset_delta))
            .plus(1)
    }

    pub(crate) fn end(&self) -> Position {
        Position(self.position.0.saturating_add(u64::from(self.length)))
    }

    pub(crate) fn header(&self, file: &[u8]) -> Option<BatchHeader> {
        let bytes = slice(file, self.position.0, self.end().0);
        if self.is(Self::OTHER_MAGIC) && bytes.get(16).is_some_and(|m| (*m as i8) < 2) {
            return legacy::parse(bytes).ok();
        }
        BatchHeader::parse(bytes).ok()
    }

    /// The bytes that hold the records, up to where they end, and where they begin.
    pub(crate) fn records<'a>(&self, source: &'a Source) -> (&'a [u8], usize) {
        let bytes = source.bytes(self.records);
        if self.is(Self::INFLATED) {
            return (bytes, 0);
        }
        let start = self.position.0.saturating_add(HEADER);
        (
            slice(bytes, 0, self.end().0),
            usize::try_from(start).unwrap_or(usize::MAX),
        )
    }
}

fn slice(bytes: &[u8], from: u64, to: u64) -> &[u8] {
    let range = usize::try_from(from).ok().zip(usize::try_from(to).ok());
    range
        .and_then(|(from, to)| bytes.get(from..to))
        .unwrap_or_default()
}

/// The stored and the computed CRC, by the rule of the magic.
pub(crate) fn crc_of(whole: &[u8], magic: i8) -> Option<(u32, u32)> {
    if magic < 2 {
        return Some((legacy::parse(whole).ok()?.crc, legacy::crc(whole)));
    }
    let header = BatchHeader::parse(whole).ok()?;
    Some((header.crc, crc32c(whole.get(CRC_FROM as usize..)?)))
}

/// The records of a batch in the table.
pub(crate) fn records<'a>(source: &'a Source, file: &[u8], entry: &Entry) -> Records<'a> {
    let Some(header) = entry.header(file) else {
        return Records::absent(Frame::nothing(entry.records), 0);
    };
    let frame = Frame::of(&header, entry.records);
    let (bytes, start) = entry.records(source);
    if entry.is(Entry::ABSENT) || header.magic < 2 {
        return Records::absent(frame, start);
    }
    Records::new(frame, bytes, start, header.count)
}

/// A batch of a log.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    pub(super) log: &'a Log,
    pub(super) file: &'a LogFile,
    pub(super) entry: &'a Entry,
    pub(super) index: usize,
    pub(super) header: BatchHeader,
}

impl<'a> Batch<'a> {
    /// Its header.
    #[must_use]
    pub fn header(&self) -> &BatchHeader {
        &self.header
    }

    /// The file that it stands in.
    #[must_use]
    pub fn file(&self) -> &'a LogFile {
        self.file
    }

    /// Where it begins in the file.
    #[must_use]
    pub fn position(&self) -> Position {
        self.entry.position
    }

    /// Its place in the table of all batches.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its bytes as they stand in the file.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        let bytes = self.log.source.bytes(self.file.buffer);
        let from = usize::try_from(self.entry.position.0).unwrap_or(usize::MAX);
        let to = usize::try_from(self.entry.end().0).unwrap_or(usize::MAX);
        bytes.get(from..to).unwrap_or_default()
    }

    /// The CRC of its bytes, computed again.
    #[must_use]
    pub fn computed_crc(&self) -> u32 {
        crc_of(self.bytes(), self.header.magic).map_or(0, |(_, computed)| computed)
    }

    /// Whether the stored CRC is that of its bytes.
    #[must_use]
    pub fn is_crc_right(&self) -> bool {
        self.entry.is(Entry::CRC)
    }

    /// Whether its records may be applied: magic 2, the CRC right, and reached by lengths that held.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        self.entry.is_trusted()
    }

    /// Whether it is part of a checkpoint. Its offsets then mean nothing for the log.
    #[must_use]
    pub fn in_checkpoint(&self) -> bool {
        self.file.kind.is_checkpoint()
    }

    /// Whether its records are to be applied for the state: those of the checkpoint, and those of the
    /// log from [`Log::apply_from`] on. Of a batch on both sides it holds; look at the offsets then.
    #[must_use]
    pub fn is_applied(&self) -> bool {
        self.is_trusted()
            && (self.in_checkpoint() || self.header.last_offset() >= self.log.apply_from)
    }

    /// The buffer that its records stand in: the file's, or one of its own when it is compressed.
    #[must_use]
    pub fn record_buffer(&self) -> BufferId {
        self.entry.records
    }

    /// Whether it is compressed and could be decompressed.
    #[must_use]
    pub fn is_inflated(&self) -> bool {
        self.entry.is(Entry::INFLATED)
    }

    /// Its records, see there for what happens at one that cannot be read.
    #[must_use]
    pub fn records(&self) -> Records<'a> {
        records(
            &self.log.source,
            self.log.source.bytes(self.file.buffer),
            self.entry,
        )
    }

    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::file(Arc::clone(&self.file.path))
            .at(self.entry.position)
            .offset(self.header.base_offset)
    }

    /// Where a record of it comes from.
    #[must_use]
    pub fn origin(&self, record: &Record<'_>) -> Origin {
        let in_checkpoint = self.in_checkpoint();
        let kind = self.file.kind;
        let position = if self.is_inflated() {
            self.entry.position
        } else {
            record.reference().position()
        };
        let (offset, epoch, time) = if in_checkpoint {
            (
                kind.end().map_or(Offset(-1), |end| end.plus(-1)),
                kind.epoch().unwrap_or(self.header.epoch),
                self.file.header_time.unwrap_or(record.timestamp()),
            )
        } else {
            (record.offset(), self.header.epoch, record.timestamp())
        };
        Origin {
            file: Arc::clone(&self.file.path),
            position,
            offset,
            epoch,
            time,
            in_checkpoint,
        }
    }

    /// What a fault of the records is as a finding.
    #[must_use]
    pub fn fault(&self, fault: &RecordFault) -> Finding {
        let code = match fault.what {
            RecordProblem::TooFew { .. }
            | RecordProblem::Leftover(_)
            | RecordProblem::NegativeCount(_) => Code::RecordCountMismatch,
            RecordProblem::NotInflated => Code::BadCompression,
            _ => Code::BadRecordFrame,
        };
        let position = if self.is_inflated() {
            self.entry.position
        } else {
            fault.at
        };
        let offset = self.header.base_offset.plus(i64::from(fault.index));
        let place = Place::file(Arc::clone(&self.file.path))
            .at(position)
            .offset(offset);
        let records = match fault.what {
            RecordProblem::Frame(_) | RecordProblem::FrameLeftover(_) => Some(1),
            RecordProblem::Leftover(_) => None,
            _ => {
                u64::try_from(i64::from(self.header.count).saturating_sub(fault.index.into())).ok()
            }
        };
        let bytes = match fault.what {
            RecordProblem::Leftover(bytes) => Some(bytes),
            _ => fault.length.map(u64::from),
        };
        let lost = Lost {
            records,
            offsets: None,
            bytes,
        };
        Finding::new(
            code,
            place,
            format!("in the batch at byte {}: {fault}", self.entry.position),
        )
        .lost(lost)
    }

    /// Walks the records and says what is wrong with their frames.
    pub fn check_records(&self, findings: &mut Findings) {
        // What an unsupported magic holds is not known, and has its finding already; so have
        // records that could not be decompressed.
        if self.entry.is(Entry::OTHER_MAGIC) || self.entry.is(Entry::ABSENT) {
            return;
        }
        let mut index = 0i64;
        for record in self.records() {
            match record {
                Ok(record) => {
                    if i64::from(record.offset_delta()) != index {
                        let found = record.offset_delta().to_string();
                        findings.push(
                            Finding::new(
                                Code::BadRecordFrame,
                                self.record_place(&record),
                                format!("record {index} of the batch has offset delta {found}"),
                            )
                            .values(index.to_string(), found)
                            .kafka("counts the records and ignores the delta"),
                        );
                    }
                    if let Some(form) = self.unexpected_form(&record) {
                        findings.push(
                            Finding::new(
                                Code::UnexpectedRecordForm,
                                self.record_place(&record),
                                format!("a record with {form}"),
                            )
                            .kafka("its Raft reader stops here"),
                        );
                    }
                }
                Err(fault) => findings.push(self.fault(&fault)),
            }
            index = index.saturating_add(1);
        }
        // A batch without records may span offsets only in a compacted topic.
        let spanned = i64::from(self.header.last_offset_delta).saturating_add(1);
        if spanned != i64::from(self.header.count) {
            findings.push(
                Finding::new(
                    Code::RecordCountMismatch,
                    self.place(),
                    format!(
                        "{} records announced for {spanned} offsets",
                        self.header.count
                    ),
                )
                .values(spanned.to_string(), self.header.count.to_string()),
            );
        }
    }

    fn record_place(&self, record: &Record<'_>) -> Place {
        let origin = self.origin(record);
        Place::file(origin.file)
            .at(origin.position)
            .offset(record.offset())
    }

    // Kafka: RecordsIterator.
    fn unexpected_form(&self, record: &Record<'_>) -> Option<&'static str> {
        if record.timestamp_delta() != 0 {
            Some("a timestamp delta")
        } else if record.headers().next().is_some() {
            Some("headers")
        } else if self.header.is_control() {
            match (record.key(), record.value()) {
                (None | Some([]), _) => Some("no key in a control batch"),
                (_, None | Some([])) => Some("no value in a control batch"),
                _ => None,
            }
        } else {
            match (record.key(), record.value()) {
                (Some(_), _) => Some("a key in a data batch"),
                (_, None | Some([])) => Some("no value"),
                _ => None,
            }
        }
    }
}

/// Where something comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file.
    pub file: Arc<Path>,
    /// The byte in it where the record begins, or the batch when that is compressed.
    pub position: Position,
    /// The offset in the log. Of a record in a checkpoint: the last offset that the checkpoint
    /// contains, -1 for one that `format` wrote or of which the end is not known.
    pub offset: Offset,
    /// The epoch of the batch, or of the checkpoint.
    pub epoch: Epoch,
    /// The time of the record, or the last contained time of the checkpoint.
    pub time: Timestamp,
    /// Whether the record stands in a checkpoint.
    pub in_checkpoint: bool,
}
