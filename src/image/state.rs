//! The state that a log leads to: the image, how much of what it took, and what was found on the way,
//! all in one pass.

use super::ahead;
use super::reader::Reader;
use super::replay::{Replay, Transaction, TransactionEnd};
use super::tally::Tally;
use super::{Change, Image, Provenance};
use crate::finding::Findings;
use crate::log::Log;
use crate::record::Reading;
use crate::source::RecordRef;
use std::sync::Arc;

/// An image with all that was learnt while it was read.
#[derive(Clone, Debug)]
pub struct State {
    image: Image,
    transactions: Vec<Transaction>,
    findings: Findings,
    checkpoint: Tally,
    log: Tally,
}

impl State {
    /// Reads all of a log.
    #[must_use]
    pub fn read(log: Arc<Log>) -> Self {
        Self::read_watched(log, &mut |_, _| {})
    }

    /// Reads a log as a program does that leaves out some records that can be read. Partitions are
    /// taken without asking. Findings are those of [`State::read`].
    #[must_use]
    pub fn read_taking(log: Arc<Log>, takes: fn(&Reading<'_>) -> bool) -> Self {
        Self::read_with(log, &mut |_, _| {}, takes)
    }

    /// Reads all of a log and hands each change to `watch`, in the order in which they take effect.
    pub fn read_watched(log: Arc<Log>, watch: &mut dyn FnMut(RecordRef, &Change)) -> Self {
        Self::read_with(log, watch, |_| true)
    }

    fn read_with(
        log: Arc<Log>,
        watch: &mut dyn FnMut(RecordRef, &Change),
        takes: fn(&Reading<'_>) -> bool,
    ) -> Self {
        let mut reader = Reader::new(&log, watch, takes);
        let mut replay = Replay::new(Image::empty(log.clone()));
        if let Some(provenance) = checkpoint_provenance(&log) {
            replay.reached(provenance);
        }
        ahead::read(&log, &mut |item| reader.item(item, &mut replay));
        let (image, transactions) = replay.finish();
        reader.closing_findings(&image, &transactions);
        let (findings, checkpoint, tally) = (reader.findings, reader.checkpoint, reader.tally);
        Self {
            image,
            transactions,
            findings,
            checkpoint,
            log: tally,
        }
    }

    /// The image.
    #[must_use]
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Transactions in the order they began; one that is open comes last.
    #[must_use]
    pub fn transactions(&self) -> &[Transaction] {
        &self.transactions
    }

    /// The transaction that is open at the end.
    #[must_use]
    pub fn open_transaction(&self) -> Option<&Transaction> {
        self.transactions
            .last()
            .filter(|t| t.end == TransactionEnd::Open)
    }

    /// All that was found: damage, records that were not understood or cannot apply.
    #[must_use]
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// What the checkpoint holds.
    #[must_use]
    pub fn checkpoint_tally(&self) -> &Tally {
        &self.checkpoint
    }

    /// What the segments hold, also those older than the checkpoint.
    #[must_use]
    pub fn log_tally(&self) -> &Tally {
        &self.log
    }
}

fn checkpoint_provenance(log: &Log) -> Option<Provenance> {
    let file = log.checkpoint()?;
    Some(Provenance {
        offset: file.kind().end()?.plus(-1),
        epoch: file.kind().epoch()?,
        time: file.header_time().unwrap_or_default(),
    })
}
