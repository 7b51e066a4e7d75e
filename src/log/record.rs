//! Records inside a batch: their frames, and the walk over them.

use super::batch::{BatchHeader, TimestampType};
use crate::bytes::{Cursor, Fault, Malformed};
use crate::ids::{Offset, Position, Timestamp};
use crate::source::{BufferId, RecordRef};
use std::fmt;

/// One record of a batch. Keys and values are as they stand in the bytes.
// Kafka: DefaultRecord.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    reference: RecordRef,
    offset: Offset,
    timestamp: Timestamp,
    attributes: i8,
    offset_delta: i32,
    timestamp_delta: i64,
    key: Option<&'a [u8]>,
    value: Option<&'a [u8]>,
    value_position: Position,
    headers: &'a [u8],
    header_count: u32,
    length: u32,
}

impl<'a> Record<'a> {
    /// The handle of this record.
    #[must_use]
    pub fn reference(&self) -> RecordRef {
        self.reference
    }

    /// Base offset of the batch plus the record's delta. Inside a checkpoint: within the file.
    #[must_use]
    pub fn offset(&self) -> Offset {
        self.offset
    }

    /// Its time, by the rule of the batch's timestamp type.
    #[must_use]
    pub fn timestamp(&self) -> Timestamp {
        self.timestamp
    }

    /// The attributes byte, unused so far.
    #[must_use]
    pub fn attributes(&self) -> i8 {
        self.attributes
    }

    /// Its offset, less the batch's base offset.
    #[must_use]
    pub fn offset_delta(&self) -> i32 {
        self.offset_delta
    }

    /// Its time, less the batch's base time. 0 in metadata logs.
    #[must_use]
    pub fn timestamp_delta(&self) -> i64 {
        self.timestamp_delta
    }

    /// The key; null in data records of metadata logs.
    #[must_use]
    pub fn key(&self) -> Option<&'a [u8]> {
        self.key
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> Option<&'a [u8]> {
        self.value
    }

    /// Where the value begins in the record's buffer; where it would when it is null.
    #[must_use]
    pub fn value_position(&self) -> Position {
        self.value_position
    }

    /// The headers: key, and value or null.
    #[must_use]
    pub fn headers(&self) -> Headers<'a> {
        Headers {
            cursor: Cursor::new(self.headers),
            left: self.header_count,
        }
    }

    /// Bytes of the whole frame, its length field included.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.length
    }
}

/// The headers of a record, checked when the record was read.
#[derive(Clone, Debug)]
pub struct Headers<'a> {
    cursor: Cursor<'a>,
    left: u32,
}

impl<'a> Iterator for Headers<'a> {
    type Item = (&'a [u8], Option<&'a [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        header(&mut self.cursor).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

fn header<'a>(c: &mut Cursor<'a>) -> Result<(&'a [u8], Option<&'a [u8]>), Malformed> {
    let length = c.varint()?;
    let length =
        usize::try_from(length).map_err(|_| c.fault(Fault::BadLength(i64::from(length))))?;
    let key = c.take(length)?;
    Ok((key, nullable(c)?))
}

/// Bytes behind a varint length.
// Kafka: every negative length is null, not only -1.
#[inline]
fn nullable<'a>(c: &mut Cursor<'a>) -> Result<Option<&'a [u8]>, Malformed> {
    match usize::try_from(c.varint()?) {
        Ok(length) => c.take(length).map(Some),
        Err(_) => Ok(None),
    }
}

/// Why a record cannot be read, or why the records of a batch are not what its header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordFault {
    /// The byte in the buffer of the records (the file, unless the batch is compressed).
    pub at: Position,
    /// How many records of the batch stand before it.
    pub index: u32,
    /// Bytes of the frame at that place, when its length can be read and fits.
    pub length: Option<u32>,
    /// What is wrong.
    pub what: RecordProblem,
}

/// What is wrong with the records of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordProblem {
    /// A record length that cannot be read, is negative, or goes beyond the batch.
    Length(Malformed),
    /// A record that cannot be read inside its length.
    Frame(Malformed),
    /// Bytes inside a record's length that belong to no field.
    FrameLeftover(u64),
    /// The records end before as many are read as the header announces.
    TooFew {
        /// How many the header announces.
        announced: i32,
    },
    /// Bytes after the last record that the header announces.
    Leftover(u64),
    /// A record count below zero.
    NegativeCount(i32),
    /// Records that were not decompressed; the log has a finding that says why.
    NotInflated,
}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let index = self.index;
        match self.what {
            RecordProblem::Length(m) => write!(f, "length of record {index}: {m}"),
            RecordProblem::Frame(m) => write!(f, "record {index}, byte {}: {m}", m.at),
            RecordProblem::FrameLeftover(n) => {
                write!(f, "record {index} has {n} bytes beyond its last field")
            }
            RecordProblem::TooFew { announced } => {
                write!(f, "{announced} records announced, {index} found")
            }
            RecordProblem::Leftover(n) => {
                write!(f, "{n} bytes after the last of {index} announced records")
            }
            RecordProblem::NegativeCount(n) => write!(f, "record count {n}"),
            RecordProblem::NotInflated => f.write_str("records could not be decompressed"),
        }
    }
}

impl std::error::Error for RecordFault {}

/// A zigzag varint of at most three bytes that stands for no negative number, and what follows it.
#[inline(always)]
fn short_varint(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (raw, rest) = match bytes {
        [a, rest @ ..] if *a < 0x80 => (u32::from(*a), rest),
        [a, b, rest @ ..] if *b < 0x80 => (u32::from(*a & 0x7f) | u32::from(*b) << 7, rest),
        [a, b, c, rest @ ..] if *c < 0x80 => (
            u32::from(*a & 0x7f) | u32::from(*b & 0x7f) << 7 | u32::from(*c) << 14,
            rest,
        ),
        _ => return None,
    };
    (raw & 1 == 0).then_some((raw >> 1, rest))
}

/// What the records of one batch share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) buffer: BufferId,
    pub(crate) base_offset: Offset,
    pub(crate) base_timestamp: Timestamp,
    /// The time of every record when the batch says so.
    pub(crate) append_time: Option<Timestamp>,
}

impl Frame {
    pub(crate) fn of(header: &BatchHeader, buffer: BufferId) -> Self {
        let append = header.timestamp_type() == TimestampType::LogAppendTime;
        Self {
            buffer,
            base_offset: header.base_offset,
            base_timestamp: header.base_timestamp,
            append_time: append.then_some(header.max_timestamp),
        }
    }

    /// Of a batch without a readable header.
    pub(crate) fn nothing(buffer: BufferId) -> Self {
        Self {
            buffer,
            base_offset: Offset(0),
            base_timestamp: Timestamp(-1),
            append_time: None,
        }
    }

    /// The record at `at` in `bytes`, which end where the batch ends, and the byte after it.
    #[inline]
    pub(crate) fn read<'a>(
        &self,
        bytes: &'a [u8],
        at: usize,
        index: u32,
    ) -> Result<(Record<'a>, usize), RecordFault> {
        match self.usual(bytes, at) {
            Some(found) => Ok(found),
            None => self.any(bytes, at, index),
        }
    }

    /// A record as metadata logs have them: no time of its own, no key, a value, no headers, and
    /// lengths of few bytes. Everything else, faults included, is left to [`Self::any`].
    #[inline]
    fn usual<'a>(&self, bytes: &'a [u8], at: usize) -> Option<(Record<'a>, usize)> {
        let start = bytes.get(at..)?;
        let (body_size, rest) = short_varint(start)?;
        let body = rest.get(..body_size as usize)?;
        let length = start
            .len()
            .checked_sub(rest.len())?
            .checked_add(body.len())?;
        let [attributes, 0, rest @ ..] = body else {
            return None;
        };
        let (offset_delta, rest) = short_varint(rest)?;
        let [1, rest @ ..] = rest else { return None };
        let (size, rest) = short_varint(rest)?;
        let (value, [0]) = rest.split_at_checked(size as usize)? else {
            return None;
        };
        let end = at.checked_add(length)?;
        let value_position = end.checked_sub(value.len())?.checked_sub(1)?;
        let record = Record {
            reference: RecordRef::new(self.buffer, Position(at as u64))?,
            offset: self.base_offset.plus(i64::from(offset_delta)),
            timestamp: self.append_time.unwrap_or(self.base_timestamp),
            attributes: *attributes as i8,
            offset_delta: offset_delta as i32,
            timestamp_delta: 0,
            key: None,
            value: Some(value),
            value_position: Position(value_position as u64),
            headers: &[],
            header_count: 0,
            length: length as u32,
        };
        Some((record, end))
    }

    fn any<'a>(
        &self,
        bytes: &'a [u8],
        at: usize,
        index: u32,
    ) -> Result<(Record<'a>, usize), RecordFault> {
        let start = Position(at as u64);
        let fault = |what, length| RecordFault {
            at: start,
            index,
            length,
            what,
        };
        let mut c = Cursor::at(bytes, at);
        let size = c
            .varint()
            .map_err(|m| fault(RecordProblem::Length(m), None))?;
        let body = usize::try_from(size)
            .map_err(|_| c.fault(Fault::BadLength(i64::from(size))))
            .and_then(|n| c.take(n))
            .map_err(|m| fault(RecordProblem::Length(m), None))?;
        let end = c.position();
        let length = u32::try_from(end.saturating_sub(at)).unwrap_or(u32::MAX);
        // Positions of the body are counted as those of the whole buffer.
        let mut c = Cursor::at(
            bytes.get(..end).unwrap_or_default(),
            end.saturating_sub(body.len()),
        );
        self.body(&mut c, start, length)
            .map_err(|m| fault(RecordProblem::Frame(m), Some(length)))
            .and_then(|record| match c.left() {
                0 => Ok((record, end)),
                n => Err(fault(RecordProblem::FrameLeftover(n as u64), Some(length))),
            })
    }

    fn body<'a>(
        &self,
        c: &mut Cursor<'a>,
        start: Position,
        length: u32,
    ) -> Result<Record<'a>, Malformed> {
        let attributes = c.i8()?;
        let timestamp_delta = c.varlong()?;
        let offset_delta = c.varint()?;
        let key = nullable(c)?;
        let value = nullable(c)?;
        let value_end = c.position();
        let header_count = c.varint()?;
        let header_count = u32::try_from(header_count)
            .map_err(|_| c.fault(Fault::BadLength(i64::from(header_count))))?;
        let headers = c.rest();
        // A header takes two bytes at least.
        let least = u64::from(header_count).saturating_mul(2);
        if least > c.left() as u64 {
            return Err(c.fault(Fault::Short {
                wanted: least,
                left: c.left() as u64,
            }));
        }
        for _ in 0..header_count {
            header(c)?;
        }
        let value_position = value_end.saturating_sub(value.map_or(0, <[u8]>::len));
        let reference = RecordRef::new(self.buffer, start).ok_or(Malformed {
            at: value_end,
            what: Fault::BadLength(start.0 as i64),
        })?;
        Ok(Record {
            reference,
            offset: self.base_offset.plus(i64::from(offset_delta)),
            timestamp: self.append_time.unwrap_or(Timestamp(
                self.base_timestamp.0.wrapping_add(timestamp_delta),
            )),
            attributes,
            offset_delta,
            timestamp_delta,
            key,
            value,
            value_position: Position(value_position as u64),
            headers,
            header_count,
            length,
        })
    }
}

/// The records of a batch, in order.
///
/// After a record that cannot be read inside its length, iteration goes on with the next one. After a
/// length that cannot be trusted, or when the header announces more or fewer records than there
/// are, one fault is given and iteration ends.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    frame: Frame,
    /// The buffer up to the end of the batch.
    bytes: &'a [u8],
    at: usize,
    index: u32,
    count: i32,
    done: bool,
    absent: bool,
}

impl<'a> Records<'a> {
    /// The records in `bytes` from `at` to their end.
    pub(crate) fn new(frame: Frame, bytes: &'a [u8], at: usize, count: i32) -> Self {
        Self {
            frame,
            bytes,
            at,
            index: 0,
            count,
            done: false,
            absent: false,
        }
    }

    /// One fault and no record.
    pub(crate) fn absent(frame: Frame, at: usize) -> Self {
        Self {
            frame,
            bytes: &[],
            at,
            index: 0,
            count: 0,
            done: false,
            absent: true,
        }
    }

    /// The byte in the buffer where the next record begins.
    #[must_use]
    pub fn next_position(&self) -> Position {
        Position(self.at as u64)
    }

    #[cold]
    fn end(&mut self) -> Option<RecordFault> {
        self.done = true;
        let left = self.bytes.len().saturating_sub(self.at) as u64;
        let what = if self.absent {
            RecordProblem::NotInflated
        } else if self.count < 0 {
            RecordProblem::NegativeCount(self.count)
        } else if i64::from(self.index) < i64::from(self.count) {
            RecordProblem::TooFew {
                announced: self.count,
            }
        } else if left > 0 {
            RecordProblem::Leftover(left)
        } else {
            return None;
        };
        Some(RecordFault {
            at: self.next_position(),
            index: self.index,
            length: None,
            what,
        })
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<Record<'a>, RecordFault>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        if i64::from(self.index) >= i64::from(self.count) || self.at >= self.bytes.len() {
            return self.end().map(Err);
        }
        if let Some((record, end)) = self.frame.usual(self.bytes, self.at) {
            self.index = self.index.saturating_add(1);
            self.at = end;
            return Some(Ok(record));
        }
        let read = self.frame.any(self.bytes, self.at, self.index);
        self.index = self.index.saturating_add(1);
        match read {
            Ok((record, end)) => {
                self.at = end;
                Some(Ok(record))
            }
            Err(fault) => {
                match fault.length {
                    Some(length) => self.at = self.at.saturating_add(length as usize),
                    None => self.done = true,
                }
                Some(Err(fault))
            }
        }
    }
}
