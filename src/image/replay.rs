//! Replays records in order, holding back those of metadata transactions (KIP-868) until they end.
//!
//! Follows the controller (`OffsetControlManager`): what is aborted never applies. The image loaders of
//! brokers (`MetadataBatchLoader`) differ in one case, which is reported.

use super::change::Change;
use super::conflict::Conflict;
use super::partition::Partition;
use super::records::Records;
use super::{Image, Provenance};
use crate::finding::Code;
use crate::ids::{Epoch, Uuid};
use crate::record::{ControlRecord, MetadataRecord};
use crate::source::RecordRef;

/// Takes records one by one and keeps the image that they make.
#[derive(Clone, Debug)]
pub struct Replay {
    image: Image,
    open: Option<Open>,
    closed: Vec<Transaction>,
    aborted_in_batch: Option<usize>,
}

#[derive(Clone, Debug)]
struct Open {
    begin: RecordRef,
    name: Option<String>,
    held: Vec<RecordRef>,
}

/// A metadata transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// Its name, as its BeginTransactionRecord gives it.
    pub name: Option<String>,
    /// The BeginTransactionRecord.
    pub begin: RecordRef,
    /// How many records stand in it, its begin and end not counted.
    pub records: usize,
    /// How it ended.
    pub end: TransactionEnd,
}

/// How a transaction ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TransactionEnd {
    /// Its records apply, all at once.
    Committed(RecordRef),
    /// Its records never apply.
    Aborted {
        /// The AbortTransactionRecord.
        record: RecordRef,
        /// Why, in the words of the controller that aborted it.
        reason: Option<String>,
    },
    /// It has no end in the log: its records are pending.
    Open,
}

/// What a replay tells while it goes on.
pub trait Watch {
    /// A record took effect.
    fn change(&mut self, at: RecordRef, change: &Change) {
        let _ = (at, change);
    }

    /// A record cannot apply, or applies with a remark.
    fn conflict(&mut self, conflict: Conflict);
}

impl Replay {
    /// A replay onto an image.
    #[must_use]
    pub fn new(image: Image) -> Self {
        Self {
            image,
            open: None,
            closed: Vec::new(),
            aborted_in_batch: None,
        }
    }

    /// The image so far: what pending records would change is not in it.
    #[must_use]
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// The image, and all transactions in the order they began, an open one last.
    #[must_use]
    pub fn finish(mut self) -> (Image, Vec<Transaction>) {
        self.image.topics.settle();
        self.image.acls.settle();
        if let Some(open) = self.open.take() {
            self.closed.push(open.closed(TransactionEnd::Open));
        }
        (self.image, self.closed)
    }

    /// Whether a transaction is open.
    #[must_use]
    pub fn in_transaction(&self) -> bool {
        self.open.is_some()
    }

    /// Says that a new batch begins.
    pub fn begin_batch(&mut self) {
        self.aborted_in_batch = None;
    }

    /// Says up to where the image now goes, unless a transaction is open.
    pub fn reached(&mut self, provenance: Provenance) {
        if self.open.is_none() {
            self.image.provenance = provenance;
        }
    }

    /// Takes one metadata record of the log.
    pub fn record(&mut self, at: RecordRef, record: &MetadataRecord<'_>, watch: &mut impl Watch) {
        match record {
            MetadataRecord::BeginTransaction(begin) => {
                if let Some(open) = &self.open {
                    watch.conflict(
                        Conflict::new(
                            Code::BadTransaction,
                            at,
                            "a transaction begins inside another, which goes on",
                        )
                        .against(open.begin, "begin of the transaction that is open")
                        .kafka("a controller stops here; image loaders skip this record"),
                    );
                    return;
                }
                let name = begin.name.value().map(|name| name.to_str().into_owned());
                self.open = Some(Open {
                    begin: at,
                    name,
                    held: Vec::new(),
                });
            }
            MetadataRecord::EndTransaction(_) => match self.open.take() {
                Some(open) => {
                    for &held in &open.held {
                        if let Some(record) = Records::new(&self.image.log.clone()).read(held) {
                            self.apply(held, &record, watch);
                        }
                    }
                    self.closed.push(open.closed(TransactionEnd::Committed(at)));
                }
                None => watch.conflict(outside(at, "ends")),
            },
            MetadataRecord::AbortTransaction(abort) => match self.open.take() {
                Some(open) => {
                    if !open.held.is_empty() {
                        self.aborted_in_batch = Some(self.closed.len());
                    }
                    let reason = abort.reason.value().map(|text| text.to_str().into_owned());
                    self.closed
                        .push(open.closed(TransactionEnd::Aborted { record: at, reason }));
                }
                None => watch.conflict(outside(at, "is aborted")),
            },
            _ => {
                if let Some(aborted) = self.aborted_in_batch.take() {
                    self.report_return(at, aborted, watch);
                }
                match &mut self.open {
                    Some(open) => open.held.push(at),
                    None => self.apply(at, record, watch),
                }
            }
        }
    }

    /// Takes one partition of the log, decoded and checked.
    pub(super) fn partition(
        &mut self,
        at: RecordRef,
        topic: Uuid,
        partition: Partition,
        watch: &mut impl Watch,
    ) {
        if let Some(aborted) = self.aborted_in_batch.take() {
            self.report_return(at, aborted, watch);
        }
        match &mut self.open {
            Some(open) => open.held.push(at),
            None => self.checkpoint_partition(at, topic, partition, watch),
        }
    }

    /// Takes one partition of a checkpoint, decoded and checked.
    pub(super) fn checkpoint_partition(
        &mut self,
        at: RecordRef,
        topic: Uuid,
        partition: Partition,
        watch: &mut impl Watch,
    ) {
        match self.image.apply_partition(topic, partition) {
            Ok(change) => watch.change(at, &change),
            Err(conflict) => watch.conflict(conflict),
        }
    }

    /// Takes one metadata record of a checkpoint, where no transaction can be.
    pub fn checkpoint_record(
        &mut self,
        at: RecordRef,
        record: &MetadataRecord<'_>,
        watch: &mut impl Watch,
    ) {
        match record {
            MetadataRecord::BeginTransaction(_)
            | MetadataRecord::EndTransaction(_)
            | MetadataRecord::AbortTransaction(_) => watch.conflict(Conflict::new(
                Code::BadTransaction,
                at,
                "a transaction record in a checkpoint, where none may be",
            )),
            _ => self.apply(at, record, watch),
        }
    }

    /// Takes one control record. They take effect at once, also inside a transaction.
    pub fn control(&mut self, at: RecordRef, epoch: Epoch, record: &ControlRecord<'_>) {
        let quorum = &mut self.image.quorum;
        match record {
            ControlRecord::LeaderChange(change) => quorum.set_leader(at, epoch, change),
            ControlRecord::KRaftVersion(version) => {
                quorum.set_kraft_version(at, version.kraft_version);
            }
            ControlRecord::Voters(voters) => quorum.set_voters(at, voters),
            _ => {}
        }
    }

    fn apply(&mut self, at: RecordRef, record: &MetadataRecord<'_>, watch: &mut impl Watch) {
        match self.image.apply(at, record) {
            Ok((change, remark)) => {
                watch.change(at, &change);
                if let Some(remark) = remark {
                    watch.conflict(remark);
                }
            }
            Err(conflict) => watch.conflict(conflict),
        }
    }

    // Kafka: MetadataBatchLoader forgets that it must drop the aborted records when another record
    // follows before its next flush.
    fn report_return(&self, at: RecordRef, aborted: usize, watch: &mut impl Watch) {
        let Some(transaction) = self.closed.get(aborted) else {
            return;
        };
        watch.conflict(
            Conflict::new(
                Code::AbortedTransactionReturns,
                at,
                format!(
                    "records follow an abort in one batch; its {} aborted records stay out here",
                    transaction.records
                ),
            )
            .against(transaction.begin, "begin of the aborted transaction")
            .kafka("controllers revert the aborted records; image loaders of brokers apply them")
            .applied(),
        );
    }
}

impl Open {
    fn closed(self, end: TransactionEnd) -> Transaction {
        Transaction {
            name: self.name,
            begin: self.begin,
            records: self.held.len(),
            end,
        }
    }
}

fn outside(at: RecordRef, verb: &str) -> Conflict {
    Conflict::new(
        Code::BadTransaction,
        at,
        format!("a transaction {verb} and none is open"),
    )
}
