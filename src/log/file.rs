//! One file that was read, and what its name says.

use crate::ids::{Epoch, Offset, Position, Timestamp};
use crate::source::BufferId;
use std::path::Path;
use std::sync::Arc;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// A segment of the log.
    Segment {
        /// Its base offset: from the name, or of its first batch when the name tells none.
        base: Offset,
    },
    /// A snapshot.
    Checkpoint {
        /// The offset after the last log record in it.
        end: Offset,
        /// The epoch of that last record.
        epoch: Epoch,
    },
    /// `bootstrap.checkpoint`: what `format` wrote for the first leader.
    Bootstrap,
    /// A snapshot whose name does not tell where it ends.
    UnnamedCheckpoint {
        /// The epoch of its batches.
        epoch: Epoch,
    },
}

impl FileKind {
    /// What the name alone says; also of `.deleted` and `.part` files.
    // Kafka: Snapshots.parse, LogFileUtils.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        if name == "bootstrap.checkpoint" {
            return Some(Self::Bootstrap);
        }
        let (base, rest) = digits(name, 20)?;
        if rest == ".log" || rest.starts_with(".log.") {
            return Some(Self::Segment { base: Offset(base) });
        }
        let (epoch, rest) = digits(rest.strip_prefix('-')?, 10)?;
        let epoch = Epoch(i32::try_from(epoch).ok()?);
        let known = rest == ".checkpoint"
            || rest.starts_with(".checkpoint.")
            || (rest.starts_with('-') && rest.ends_with(".checkpoint.part"));
        known.then_some(Self::Checkpoint {
            end: Offset(base),
            epoch,
        })
    }

    /// Whether it is a snapshot of any sort.
    #[must_use]
    pub fn is_checkpoint(self) -> bool {
        !matches!(self, Self::Segment { .. })
    }

    /// Where a snapshot ends: the offset from which the log continues it.
    #[must_use]
    pub fn end(self) -> Option<Offset> {
        match self {
            Self::Checkpoint { end, .. } => Some(end),
            Self::Bootstrap => Some(Offset(0)),
            Self::Segment { .. } | Self::UnnamedCheckpoint { .. } => None,
        }
    }

    /// The epoch of a snapshot.
    #[must_use]
    pub fn epoch(self) -> Option<Epoch> {
        match self {
            Self::Checkpoint { epoch, .. } | Self::UnnamedCheckpoint { epoch } => Some(epoch),
            Self::Bootstrap => Some(Epoch(0)),
            Self::Segment { .. } => None,
        }
    }

    /// Whether its data is only what `format` wrote: `bootstrap.checkpoint` and the 0-0 checkpoint.
    // Kafka: Snapshots.BOOTSTRAP_SNAPSHOT_ID.
    #[must_use]
    pub fn is_format_time(self) -> bool {
        self == Self::Bootstrap
            || self
                == Self::Checkpoint {
                    end: Offset(0),
                    epoch: Epoch(0),
                }
    }
}

fn digits(text: &str, count: usize) -> Option<(i64, &str)> {
    let (number, rest) = text.split_at_checked(count)?;
    number.bytes().all(|b| b.is_ascii_digit()).then_some(())?;
    Some((number.parse().ok()?, rest))
}

/// One file that was read.
#[derive(Clone, Debug)]
pub struct LogFile {
    pub(crate) path: Arc<Path>,
    pub(crate) kind: FileKind,
    pub(crate) size: u64,
    pub(crate) buffer: BufferId,
    pub(crate) batches: std::ops::Range<usize>,
    pub(crate) read_to: Position,
    pub(crate) header_time: Option<Timestamp>,
    pub(crate) has_header: bool,
    pub(crate) has_footer: bool,
}

impl LogFile {
    /// Where it is, as it was found from the path that was given.
    #[must_use]
    pub fn path(&self) -> &Arc<Path> {
        &self.path
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> FileKind {
        self.kind
    }

    /// Its bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The buffer that holds its bytes.
    #[must_use]
    pub fn buffer(&self) -> BufferId {
        self.buffer
    }

    /// Its batches, as places in the batch table.
    #[must_use]
    pub fn batches(&self) -> std::ops::Range<usize> {
        self.batches.clone()
    }

    /// The byte after its last batch. What follows up to the size is a tail that holds none, or
    /// none that trusted lengths lead to.
    #[must_use]
    pub fn read_to(&self) -> Position {
        self.read_to
    }

    /// Bytes after the last batch.
    #[must_use]
    pub fn tail(&self) -> u64 {
        self.size.saturating_sub(self.read_to.0)
    }

    /// LastContainedLogTimestamp of a snapshot's header: the append time of the last log record in
    /// it. 0 in `bootstrap.checkpoint`, the time of formatting in the 0-0 checkpoint.
    #[must_use]
    pub fn header_time(&self) -> Option<Timestamp> {
        self.header_time
    }

    /// Whether it begins with a snapshot header.
    #[must_use]
    pub fn has_header(&self) -> bool {
        self.has_header
    }

    /// Whether it ends with a snapshot footer and nothing after it.
    #[must_use]
    pub fn has_footer(&self) -> bool {
        self.has_footer
    }
}
