//! Batches, record frames, files, and a folder as one chain of files; what record values mean is
//! left to the rows above.
//!
//! A [`Log`] is everything that was read for one state: the checkpoint used, the segments, a small
//! table of all batches, and the findings on their bytes. It reads on past damage: what it cannot
//! trust is in the table with that mark, and what it could not reach is a finding.

#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod batch;
mod chain;
mod codec;
mod directory;
mod file;
mod kind;
pub mod legacy;
mod moment;
mod record;
mod resync;
mod scan;
mod search;
mod side_files;
mod table;
pub mod writer;

#[cfg(test)]
mod tests;

pub use batch::{BatchHeader, Codec, TimestampType};
pub use codec::{InflateFault, inflate};
pub use file::{FileKind, LogFile};
pub use moment::Moment;
pub use record::{Headers, Record, RecordFault, RecordProblem, Records};
pub use scan::control_type;
pub use search::metadata_folders;
pub use side_files::{LeaderEpochs, MetaProperties, PartitionMetadata, QuorumState, SideFiles};
pub use table::{Batch, Origin};

use crate::error::{Place, Result};
use crate::finding::Findings;
use crate::ids::Offset;
use crate::source::{BufferId, Opening, RecordRef, Source};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use table::Entry;

/// How a log is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// How its files are brought in.
    pub opening: Opening,
    /// Bytes that the records of one batch may have when decompressed.
    pub max_batch: u64,
    /// Bytes that all decompressed records together may have.
    pub max_expanded: u64,
    /// Up to where the state is to be read: to the end, unless it is set.
    pub at: Option<Moment>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            opening: Opening::default(),
            max_batch: 32 << 20,
            max_expanded: 2 << 30,
            at: None,
        }
    }
}

/// A file of the folder that is not part of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedOver {
    /// The file.
    pub path: Arc<Path>,
    /// What it is, in words.
    pub kind: String,
    /// Why it is passed over, in words.
    pub why: String,
}

/// What a buffer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    File(usize),
    Batch(usize),
}

/// Everything that was read for one state. It does not change once opened.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    folder: Option<PathBuf>,
    source: Arc<Source>,
    files: Vec<LogFile>,
    entries: Vec<Entry>,
    /// What each buffer holds, by buffer.
    owners: Vec<(BufferId, Owner)>,
    passed_over: Vec<PassedOver>,
    checkpoint: Option<usize>,
    apply_from: Offset,
    until: Option<Offset>,
    findings: Findings,
    side_files: SideFiles,
}

impl Log {
    /// Opens a metadata folder, a folder with one in reach, or one segment or checkpoint. What a
    /// file is, its content tells before its name does.
    ///
    /// # Errors
    /// When the operating system refuses; when a file is something else than metadata; when no
    /// metadata folder is in reach, or several are; when the folder changes all the time.
    pub fn open(path: &Path, options: &Options) -> Result<Self> {
        directory::open(path, options)
    }

    /// The path that it was opened with.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The metadata folder that was read; none when it was opened as one file.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The bytes.
    #[must_use]
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// The files used, in reading order: the checkpoint, if any, then all segments. Segments that the
    /// checkpoint covers are among them, for they hold history; [`Log::apply_from`] tells what of
    /// them is state.
    #[must_use]
    pub fn files(&self) -> &[LogFile] {
        &self.files
    }

    /// The files that could be taken for part of the state, and are not.
    #[must_use]
    pub fn passed_over(&self) -> &[PassedOver] {
        &self.passed_over
    }

    /// The checkpoint of which the state is used.
    #[must_use]
    pub fn checkpoint(&self) -> Option<&LogFile> {
        self.files.get(self.checkpoint?)
    }

    /// The segments, in order.
    #[must_use]
    pub fn segments(&self) -> &[LogFile] {
        let first = usize::from(self.checkpoint.is_some());
        self.files.get(first..).unwrap_or_default()
    }

    /// Records of the log from this offset on are to be applied on top of the checkpoint. Without one
    /// it is the first offset of the log. When Kafka would drop the whole log for a checkpoint of a
    /// later epoch, it is the end of the log.
    #[must_use]
    pub fn apply_from(&self) -> Offset {
        self.apply_from
    }

    /// Records of the log after this offset are not part of the state; none when all are. It is set
    /// by [`Options::at`].
    #[must_use]
    pub fn until(&self) -> Option<Offset> {
        self.until
    }

    /// Whether a record of the log at this offset is part of the state, or would be but for an older
    /// checkpoint.
    #[must_use]
    pub fn reaches(&self, offset: Offset) -> bool {
        self.until.is_none_or(|until| offset <= until)
    }

    /// How many batches there are in all files.
    #[must_use]
    pub fn batch_count(&self) -> usize {
        self.entries.len()
    }

    /// A batch by its place in the table.
    #[must_use]
    pub fn batch(&self, index: usize) -> Option<Batch<'_>> {
        let entry = self.entries.get(index)?;
        let file = self.files.get(entry.file as usize)?;
        let header = entry.header(self.source.bytes(file.buffer))?;
        Some(Batch {
            log: self,
            file,
            entry,
            index,
            header,
        })
    }

    /// All batches, trusted or not, in the order of [`Log::files`].
    pub fn batches(&self) -> impl DoubleEndedIterator<Item = Batch<'_>> {
        (0..self.entries.len()).filter_map(|index| self.batch(index))
    }

    /// The batches of one file.
    pub fn batches_of(&self, file: &LogFile) -> impl DoubleEndedIterator<Item = Batch<'_>> {
        file.batches().filter_map(|index| self.batch(index))
    }

    /// The offset after the last one of the state: the end of the log, or of a checkpoint ahead of it.
    /// Nothing when a lone checkpoint does not tell where it ends.
    #[must_use]
    pub fn end(&self) -> Option<Offset> {
        let checkpoint = self.checkpoint().map(|file| file.kind.end());
        match (checkpoint, self.log_end()) {
            (Some(end), log) => end.max(log),
            (None, log) => log,
        }
    }

    /// The offset after the last trusted batch of the segments; the base of the last one when no
    /// segment holds any. Nothing without segments.
    #[must_use]
    pub fn log_end(&self) -> Option<Offset> {
        let segments = self.segments();
        let last = segments.iter().rev().find_map(|file| {
            self.entries
                .get(file.batches())?
                .iter()
                .rev()
                .find(|e| e.is_trusted())
        });
        let base = segments.last().and_then(|file| match file.kind {
            FileKind::Segment { base } => Some(base),
            _ => None,
        });
        last.map(Entry::next_offset).or(base)
    }

    fn batch_at(&self, r: RecordRef) -> Option<usize> {
        let place = self
            .owners
            .binary_search_by_key(&r.buffer(), |owner| owner.0)
            .ok()?;
        match self.owners.get(place)?.1 {
            Owner::Batch(index) => Some(index),
            Owner::File(file) => {
                let range = self.files.get(file)?.batches();
                let entries = self.entries.get(range.clone())?;
                let after = entries.partition_point(|e| e.position <= r.position());
                let index = range.start.checked_add(after.checked_sub(1)?)?;
                (r.position() < self.entries.get(index)?.end()).then_some(index)
            }
        }
    }

    /// The batch that a record stands in.
    #[must_use]
    pub fn batch_of(&self, r: RecordRef) -> Option<Batch<'_>> {
        self.batch(self.batch_at(r)?)
    }

    /// A record, read again from its place. Nothing when no record can be read there.
    #[must_use]
    pub fn record(&self, r: RecordRef) -> Option<Record<'_>> {
        let batch = self.batch_of(r)?;
        let frame = record::Frame::of(&batch.header, batch.entry.records);
        if frame.buffer != r.buffer() {
            return None;
        }
        let (bytes, start) = batch.entry.records(&self.source);
        let at = usize::try_from(r.position().0)
            .ok()
            .filter(|at| *at >= start)?;
        frame.read(bytes, at, 0).ok().map(|(record, _)| record)
    }

    /// Where a record comes from.
    #[must_use]
    pub fn origin(&self, r: RecordRef) -> Option<Origin> {
        let batch = self.batch_of(r)?;
        let record = self.record(r)?;
        Some(batch.origin(&record))
    }

    /// The batch at a place, as findings name it, and the record when the place is that of one.
    #[must_use]
    pub fn at_place(&self, place: &Place) -> Option<(Batch<'_>, Option<Record<'_>>)> {
        let (path, position) = (place.file.as_ref()?, place.position?);
        let file = self.files.iter().find(|f| f.path == *path)?;
        let range = file.batches();
        let entries = self.entries.get(range.clone())?;
        let after = entries.partition_point(|e| e.position <= position);
        let index = range.start.checked_add(after.checked_sub(1)?)?;
        let batch = self
            .batch(index)
            .filter(|batch| position < batch.entry.end())?;
        let record = batch
            .records()
            .map_while(std::result::Result::ok)
            .find(|r| {
                if batch.is_inflated() {
                    position == batch.position() && Some(r.offset()) == place.offset
                } else {
                    r.reference().position() == position
                }
            });
        Some((batch, record))
    }

    /// What is wrong with the bytes, as far as one walk over the batches shows it.
    #[must_use]
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// The small files beside the log.
    #[must_use]
    pub fn side_files(&self) -> &SideFiles {
        &self.side_files
    }

    /// Walks all records of all batches and says what is wrong with their frames. This reads every
    /// byte once more, so opening leaves it out.
    #[must_use]
    pub fn check_records(&self) -> Findings {
        let mut findings = Findings::default();
        for batch in self.batches() {
            batch.check_records(&mut findings);
        }
        findings
    }
}
