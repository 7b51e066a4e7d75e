//! The state that a log leads to: the image, how much of what it took, and what was found on the way,
//! all in one pass.

use super::conflict::{Conflict, place};
use super::replay::{Replay, Transaction, TransactionEnd, Watch};
use super::{Change, Image, Provenance};
use crate::bytes::Malformed;
use crate::error::Place;
use crate::finding::{Code, Finding, Findings};
use crate::log::{Batch, Log, Record};
use crate::record::{self, Frame, FrameFault, Unread};
use crate::schema::Schemas;
use crate::source::RecordRef;
use std::collections::BTreeMap;
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

/// How many records of each type, and how many bytes they take.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    metadata: BTreeMap<i16, TypeTally>,
    control: BTreeMap<i16, TypeTally>,
    frequent: [TypeTally; Self::FREQUENT],
    unframed: TypeTally,
    batches: u64,
    header_bytes: u64,
}

/// Records of one type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct TypeTally {
    /// How many.
    pub records: u64,
    /// Bytes of the records in their batches, uncompressed, frames included.
    pub bytes: u64,
}

impl TypeTally {
    fn add(&mut self, bytes: u64) {
        self.records = self.records.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

impl Tally {
    const FREQUENT: usize = 32;

    /// Metadata records by apiKey.
    pub fn metadata(&self) -> impl Iterator<Item = (i16, TypeTally)> {
        let frequent = self
            .frequent
            .iter()
            .zip(0i16..)
            .map(|(&tally, key)| (key, tally));
        frequent
            .filter(|(_, tally)| tally.records > 0)
            .chain(self.metadata.iter().map(|(&key, &tally)| (key, tally)))
    }

    /// Control records by type.
    pub fn control(&self) -> impl Iterator<Item = (i16, TypeTally)> {
        self.control.iter().map(|(&key, &tally)| (key, tally))
    }

    /// Records whose type cannot be told.
    #[must_use]
    pub fn unframed(&self) -> TypeTally {
        self.unframed
    }

    /// Batches.
    #[must_use]
    pub fn batches(&self) -> u64 {
        self.batches
    }

    /// Bytes of batch headers.
    #[must_use]
    pub fn header_bytes(&self) -> u64 {
        self.header_bytes
    }

    /// All records.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.metadata()
            .chain(self.control())
            .map(|(_, tally)| tally.records)
            .fold(self.unframed.records, u64::saturating_add)
    }

    fn add(&mut self, control: bool, key: i16, bytes: u64) {
        if control {
            return self.control.entry(key).or_default().add(bytes);
        }
        match usize::try_from(key)
            .ok()
            .and_then(|key| self.frequent.get_mut(key))
        {
            Some(tally) => tally.add(bytes),
            None => self.metadata.entry(key).or_default().add(bytes),
        }
    }
}

impl State {
    /// Reads all of a log.
    #[must_use]
    pub fn read(log: Arc<Log>) -> Self {
        Self::read_watched(log, &mut |_, _| {})
    }

    /// Reads all of a log and hands each change to `watch`, in the order in which they take effect.
    pub fn read_watched(log: Arc<Log>, watch: &mut dyn FnMut(RecordRef, &Change)) -> Self {
        let mut reader = Reader {
            log: &log,
            findings: log.findings().clone(),
            checkpoint: Tally::default(),
            tally: Tally::default(),
            data_records: 0,
            watch,
        };
        let mut replay = Replay::new(Image::empty(log.clone()));
        if let Some(provenance) = checkpoint_provenance(&log) {
            replay.reached(provenance);
        }
        for batch in log.batches() {
            reader.batch(&batch, &mut replay);
        }
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

// What a batch of magic 2 takes before its records.
const HEADER_BYTES: u64 = 61;

struct Reader<'a> {
    log: &'a Log,
    findings: Findings,
    checkpoint: Tally,
    tally: Tally,
    data_records: u64,
    watch: &'a mut dyn FnMut(RecordRef, &Change),
}

impl Watch for Reader<'_> {
    fn change(&mut self, at: RecordRef, change: &Change) {
        (self.watch)(at, change);
    }

    fn conflict(&mut self, conflict: Conflict) {
        self.findings.push(conflict.finding(self.log));
    }
}

impl Reader<'_> {
    fn batch(&mut self, batch: &Batch<'_>, replay: &mut Replay) {
        let in_checkpoint = batch.in_checkpoint();
        let header = batch.header();
        let tally = if in_checkpoint {
            &mut self.checkpoint
        } else {
            &mut self.tally
        };
        tally.batches = tally.batches.saturating_add(1);
        tally.header_bytes = tally.header_bytes.saturating_add(HEADER_BYTES);
        if !batch.is_trusted() {
            return;
        }
        replay.begin_batch();
        for record in batch.records() {
            let record = match record {
                Ok(record) => record,
                Err(fault) => {
                    self.findings.push(batch.fault(&fault));
                    continue;
                }
            };
            if header.is_control() {
                self.control(batch, &record, replay);
            } else {
                self.data(batch, &record, in_checkpoint, replay);
            }
        }
    }

    fn control(&mut self, batch: &Batch<'_>, record: &Record<'_>, replay: &mut Replay) {
        let key = record.key().unwrap_or_default();
        let read = record::read_control(key, record.value().unwrap_or_default());
        let kind = record::control_type(key).unwrap_or(-1);
        let bytes = u64::from(record.length());
        let in_checkpoint = batch.in_checkpoint();
        let tally = if in_checkpoint {
            &mut self.checkpoint
        } else {
            &mut self.tally
        };
        tally.add(true, kind, bytes);
        match read {
            Ok(control) => {
                let old = !in_checkpoint && record.offset() < self.log.apply_from();
                // Older voters than the checkpoint's are history; leaders of all epochs are wanted.
                if !old || matches!(control, record::ControlRecord::LeaderChange(_)) {
                    replay.control(record.reference(), batch.header().epoch, &control);
                }
                if matches!(control, record::ControlRecord::Unknown { .. }) {
                    self.findings.push(Finding::new(
                        Code::BadControlRecord,
                        self.place(record),
                        format!("control record of type {kind}, which no release writes"),
                    ));
                }
            }
            Err(fault) => self.findings.push(Finding::new(
                Code::BadControlRecord,
                self.place(record),
                fault.to_string(),
            )),
        }
    }

    fn data(
        &mut self,
        batch: &Batch<'_>,
        record: &Record<'_>,
        in_checkpoint: bool,
        replay: &mut Replay,
    ) {
        let value = record.value().unwrap_or_default();
        let bytes = u64::from(record.length());
        let tally = if in_checkpoint {
            &mut self.checkpoint
        } else {
            &mut self.tally
        };
        let offset = record.offset();
        if !in_checkpoint && offset < self.log.apply_from() {
            match Frame::parse(value) {
                Ok(frame) => tally.add(false, frame.api_key, bytes),
                Err(_) => tally.unframed.add(bytes),
            }
            return;
        }
        self.data_records = self.data_records.saturating_add(1);
        let at = record.reference();
        match record::read(value) {
            Ok(reading) => {
                tally.add(false, reading.frame.api_key, bytes);
                if in_checkpoint {
                    replay.checkpoint_record(at, &reading.record, self);
                } else {
                    replay.record(at, &reading.record, self);
                }
                let unknown = reading.unknown_tags;
                if unknown > 0 {
                    self.findings.push(Finding::new(
                        Code::UnknownTag,
                        self.place(record),
                        format!(
                            "{} with {unknown} tagged fields that no known release writes",
                            type_name(reading.frame.api_key)
                        ),
                    ));
                }
            }
            Err(unread) => {
                match Frame::parse(value) {
                    Ok(frame) => tally.add(false, frame.api_key, bytes),
                    Err(_) => tally.unframed.add(bytes),
                }
                self.findings
                    .push(unread_finding(self.place(record), &unread));
            }
        }
        if !in_checkpoint {
            replay.reached(Provenance {
                offset,
                epoch: batch.header().epoch,
                time: batch.header().max_timestamp,
            });
        }
    }

    fn place(&self, record: &Record<'_>) -> Place {
        place(self.log, record.reference())
    }

    fn closing_findings(&mut self, image: &Image, transactions: &[Transaction]) {
        if let Some(open) = transactions
            .last()
            .filter(|t| t.end == TransactionEnd::Open)
        {
            let name = open.name.as_deref().unwrap_or("without a name");
            self.findings.push(
                Finding::new(
                    Code::OpenTransaction,
                    place(self.log, open.begin),
                    format!(
                        "transaction {name:?} is open; its {} records are pending",
                        open.records
                    ),
                )
                .kafka("the next controller aborts it when it becomes active"),
            );
        }
        if image.features().metadata_version().is_none() && self.data_records > 0 {
            self.findings.push(
                Finding::new(
                    Code::NoMetadataVersion,
                    Place::default(),
                    "no metadata.version is recorded",
                )
                .kafka("3.x assumes 3.0-IV1 (1); 4.x does not start"),
            );
        }
        if let Some(set) = image.quorum().voters() {
            for (controller, mark) in image.marked() {
                if set.voters.iter().any(|v| v.id.0 == controller.id) {
                    let id = controller.id;
                    self.findings.push(
                        Finding::new(
                            Code::MarkedVoter,
                            place(self.log, mark.since),
                            format!(
                                "controller {id} is marked as decommissioned and is a live voter"
                            ),
                        )
                        .against(
                            place(self.log, set.record),
                            format!("voters with {id} among them"),
                        )
                        .kafka("a level may be finalised that this voter cannot read"),
                    );
                }
            }
        }
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

fn type_name(api_key: i16) -> &'static str {
    Schemas::builtin()
        .metadata(api_key)
        .map_or("record", |schema| schema.name())
}

fn unread_finding(place: Place, unread: &Unread<'_>) -> Finding {
    let kafka = "a controller stops at this record; image loaders of brokers skip it";
    let body =
        |malformed: &Malformed| format!("{malformed}, at byte {} of its value", malformed.at);
    let finding = match unread {
        Unread::Frame(FrameFault::Preview) => Finding::new(
            Code::PreviewFrame,
            place,
            "record of the 2.8 preview format, which no later release reads",
        ),
        Unread::Frame(fault) => {
            Finding::new(Code::BadFrame, place, format!("record value: {fault}"))
        }
        Unread::UnknownType(frame) => Finding::new(
            Code::UnknownRecordType,
            place,
            format!(
                "record of type {} version {}, which is not known",
                frame.api_key, frame.version
            ),
        ),
        Unread::UnknownVersion(frame) => Finding::new(
            Code::UnknownRecordVersion,
            place,
            format!(
                "{} of version {}, newer than any known",
                type_name(frame.api_key),
                frame.version
            ),
        ),
        Unread::Body(frame, malformed) => Finding::new(
            Code::BadRecord,
            place,
            format!(
                "{} of version {}: {}",
                type_name(frame.api_key),
                frame.version,
                body(malformed)
            ),
        ),
        Unread::Leftover(frame, _, left) => Finding::new(
            Code::LeftoverBytes,
            place,
            format!(
                "{} of version {} with {} bytes after its end",
                type_name(frame.api_key),
                frame.version,
                left.len()
            ),
        ),
    };
    finding.kafka(kafka)
}
