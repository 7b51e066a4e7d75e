//! A moment of a log that state is asked for, and the offset that it means.

use super::batch::BatchHeader;
use super::chain::Opened;
use crate::error::{Error, ErrorKind, Place};
use crate::ids::{Offset, Timestamp};
use crate::source::Source;
use crate::text::Rfc3339;
use std::fmt;
use std::path::Path;

/// Up to where a log is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// After the record at this offset, also inside a batch. Kafka's ids of snapshots are exclusive: our
    /// N is their N + 1.
    Offset(Offset),
    /// After the last record, in the order of offsets, that was not appended later than this.
    Time(Timestamp),
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Offset(offset) => write!(f, "offset {offset}"),
            Self::Time(time) => Rfc3339(*time).fmt(f),
        }
    }
}

impl Moment {
    /// The last offset of the segments that is within it: none when all of them are later.
    pub(super) fn last_offset(self, segments: &[Opened], source: &Source) -> Option<Offset> {
        let time = match self {
            Self::Offset(offset) => return Some(offset),
            Self::Time(time) => time,
        };
        segments.iter().rev().find_map(|file| {
            let bytes = source.bytes(file.buffer);
            let mut trusted = file.scan.entries.iter().rev().filter(|e| e.is_trusted());
            trusted.find_map(|entry| {
                let at = usize::try_from(entry.position.0).ok()?;
                let header = BatchHeader::parse(bytes.get(at..)?).ok()?;
                (header.max_timestamp <= time).then(|| header.last_offset())
            })
        })
    }

    /// Whether a checkpoint stands for a state within it. `last` is what [`Moment::last_offset`] says.
    pub(super) fn covers(self, checkpoint: &Opened, last: Option<Offset>) -> bool {
        match (self, last, checkpoint.kind.end()) {
            (_, Some(last), Some(end)) => end <= last.plus(1),
            (Self::Time(time), None, _) => checkpoint.ends.header.is_some_and(|h| h <= time),
            _ => false,
        }
    }

    /// That nothing in reach is as early as this.
    pub(super) fn too_early(self, path: &Path, earliest: Option<Offset>) -> Error {
        let reach = match earliest {
            Some(offset) => format!("the earliest state in reach is as of offset {offset}"),
            None => "no state is in reach".to_owned(),
        };
        Error::new(
            ErrorKind::OutOfReach(format!("{self} cannot be asked: {reach}")),
            Place::file(path),
        )
    }
}
