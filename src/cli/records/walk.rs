//! The walk over the batches and records of a log that every form of output shares: what is read, which
//! of it is wanted, and what was found on the way.

use super::object::{Names, Object};
use super::select::Selection;
use super::transactions::{Transactions, Within};
use crate::error::Place;
use crate::finding::{Code, Finding, Findings};
use crate::ids::{Offset, Timestamp};
use crate::image::unread_finding;
use crate::log::{Batch, Log, LogFile, Record, RecordFault};
use crate::record::{self, ControlFault, ControlReading, ControlRecord, Reading, Unread};
use std::io;
use std::sync::Arc;

/// What a record turned out to be.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(super) enum Content<'l> {
    /// A metadata record, or why it is none.
    Data(Result<Reading<'l>, Unread<'l>>),
    /// A control record, or why it is none.
    Control(Result<ControlReading<'l>, ControlFault>),
}

impl<'l> Content<'l> {
    fn of(batch: &Batch<'_>, record: &Record<'l>) -> Self {
        let value = record.value().unwrap_or_default();
        if batch.header().is_control() {
            let key = record.key().unwrap_or_default();
            Self::Control(record::read_control_with(key, value, &mut ()))
        } else {
            Self::Data(record::read(value))
        }
    }

    fn finding(&self, place: impl FnOnce() -> Place) -> Option<Finding> {
        match self {
            Self::Data(Ok(reading)) if reading.unknown_tags > 0 => Some(Finding::new(
                Code::UnknownTag,
                place(),
                format!(
                    "{} tagged fields that no known release writes",
                    reading.unknown_tags
                ),
            )),
            Self::Data(Err(unread)) => Some(unread_finding(place(), unread)),
            Self::Control(Err(fault)) => Some(Finding::new(
                Code::BadControlRecord,
                place(),
                fault.to_string(),
            )),
            Self::Control(Ok(ControlReading {
                record: ControlRecord::Unknown { type_id },
                ..
            })) => Some(Finding::new(
                Code::BadControlRecord,
                place(),
                format!("control record of type {type_id}, which no release writes"),
            )),
            _ => None,
        }
    }
}

/// A record on the walk, and what is known of it.
#[derive(Debug)]
pub(super) struct Step<'w, 'l> {
    pub(super) batch: &'w Batch<'l>,
    pub(super) record: &'w Record<'l>,
    pub(super) content: &'w Content<'l>,
    /// What it is about.
    pub(super) object: Object<'l>,
    /// The metadata transaction that it stands in.
    pub(super) within: Option<&'w Within>,
    /// The offset in the log: of a record in a checkpoint, the last one that the checkpoint contains.
    pub(super) offset: Offset,
    /// The time in the log, likewise.
    pub(super) time: Timestamp,
}

/// A form of output.
pub(super) trait Form {
    /// A file begins.
    fn file(&mut self, file: &LogFile) -> io::Result<()>;
    /// A batch begins that has something to show.
    fn batch(&mut self, batch: &Batch<'_>) -> io::Result<()>;
    /// A record.
    fn record(&mut self, step: &Step<'_, '_>) -> io::Result<()>;
    /// A record that cannot be read, or records that are not what the batch says.
    fn fault(&mut self, batch: &Batch<'_>, fault: &RecordFault) -> io::Result<()>;
    /// Something wrong with the bytes, at its place between the batches.
    fn finding(&mut self, finding: &Finding) -> io::Result<()>;
    /// A file ends with these bytes after its last batch.
    fn file_end(&mut self, file: &LogFile, tail: &[u8]) -> io::Result<()>;
    /// Everything was shown.
    fn finish(&mut self) -> io::Result<()>;
}

/// What a walk leaves.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// What was found in the records, shown or not.
    pub(super) findings: Findings,
    /// How many records were shown.
    pub(super) shown: u64,
}

/// Walks these files of a log, shows what is wanted, and tells how much that was and what was found.
pub(super) fn walk<'l>(
    log: &'l Log,
    files: &[&'l LogFile],
    selection: &Selection,
    transactions: &Transactions,
    form: &mut dyn Form,
) -> io::Result<Walked> {
    let mut walk = Walk {
        names: Names::default(),
        transactions,
        next_transaction: 0,
        within: None,
        selection,
        form,
        walked: Walked::default(),
    };
    for file in files {
        walk.file(log, file)?;
    }
    walk.form.finish()?;
    Ok(walk.walked)
}

struct Walk<'w, 'l> {
    names: Names<'l>,
    transactions: &'w Transactions,
    next_transaction: usize,
    within: Option<usize>,
    selection: &'w Selection,
    form: &'w mut dyn Form,
    walked: Walked,
}

impl<'l> Walk<'_, 'l> {
    fn file(&mut self, log: &'l Log, file: &'l LogFile) -> io::Result<()> {
        self.form.file(file)?;
        let mut findings: Vec<_> = log
            .findings()
            .kept()
            .iter()
            .filter(|f| f.place.file.as_ref() == Some(file.path()))
            .collect();
        findings.sort_by_key(|f| f.place.position);
        let mut findings = findings.into_iter().peekable();
        for batch in log.batches_of(file) {
            while let Some(finding) =
                findings.next_if(|f| f.place.position <= Some(batch.position()))
            {
                self.finding(finding)?;
            }
            self.batch(&batch)?;
        }
        for finding in findings {
            self.finding(finding)?;
        }
        let bytes = log.source().bytes(file.buffer());
        let tail = usize::try_from(file.read_to().0)
            .ok()
            .and_then(|from| bytes.get(from..))
            .unwrap_or_default();
        self.form.file_end(file, tail)
    }

    /// A finding on bytes is of no use between chosen records.
    fn finding(&mut self, finding: &Finding) -> io::Result<()> {
        if self.selection.is_all() {
            self.form.finding(finding)?;
        }
        Ok(())
    }

    fn batch(&mut self, batch: &Batch<'l>) -> io::Result<()> {
        let all = self.selection.is_all();
        let mut shown = all;
        if all {
            self.form.batch(batch)?;
        }
        let in_checkpoint = batch.in_checkpoint().then(|| {
            let file = batch.file();
            let end = file.kind().end().map_or(Offset(-1), |end| end.plus(-1));
            (end, file.header_time())
        });
        for record in batch.records() {
            let record = match record {
                Ok(record) => record,
                Err(fault) => {
                    // Older magics have their finding, and no records that are read.
                    if batch.header().magic < 2 {
                        continue;
                    }
                    if batch.is_trusted() {
                        self.walked.findings.push(batch.fault(&fault));
                    }
                    if shown {
                        self.form.fault(batch, &fault)?;
                    }
                    continue;
                }
            };
            let content = Content::of(batch, &record);
            if batch.is_trusted() {
                let place = || {
                    Place::file(Arc::clone(batch.file().path()))
                        .at(record.reference().position())
                        .offset(record.offset())
                };
                if let Some(finding) = content.finding(place) {
                    self.walked.findings.push(finding);
                }
                if let Content::Data(Ok(reading)) = &content {
                    self.names.learn(&reading.record);
                }
            }
            self.enter(&record);
            let (offset, time) = match in_checkpoint {
                Some((end, time)) => (end, time.unwrap_or(record.timestamp())),
                None => (record.offset(), record.timestamp()),
            };
            let step = Step {
                batch,
                record: &record,
                content: &content,
                object: self.names.object(&content),
                within: self.within.and_then(|n| self.transactions.get(n)),
                offset,
                time,
            };
            if all || self.selection.wants(&step) {
                if !shown {
                    self.form.batch(batch)?;
                    shown = true;
                }
                self.form.record(&step)?;
                self.walked.shown = self.walked.shown.saturating_add(1);
            }
            self.leave(&record);
        }
        Ok(())
    }

    fn enter(&mut self, record: &Record<'_>) {
        let next = self.transactions.get(self.next_transaction);
        if next.is_some_and(|t| t.begin == record.reference()) {
            self.within = Some(self.next_transaction);
            self.next_transaction = self.next_transaction.saturating_add(1);
        }
    }

    fn leave(&mut self, record: &Record<'_>) {
        let within = self.within.and_then(|n| self.transactions.get(n));
        if within.is_some_and(|t| t.end == Some(record.reference())) {
            self.within = None;
        }
    }
}
