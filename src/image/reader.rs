//! The one pass over a log: counts, applies, and records what was found.

use super::ahead::{Item, Ready};
use super::conflict::{Conflict, place};
use super::replay::{Replay, Transaction, TransactionEnd, Watch};
use super::tally::Tally;
use super::{Change, Image, Provenance};
use crate::bytes::Malformed;
use crate::error::Place;
use crate::finding::{Code, Finding, Findings};
use crate::ids::Offset;
use crate::log::{Batch, Log, Record};
use crate::record::{self, Frame, FrameFault, PartitionRecord, Reading, Unread};
use crate::schema::Schemas;
use crate::source::RecordRef;

/// Takes the items of a log in order, and keeps what is learnt on the way.
pub(super) struct Reader<'a> {
    log: &'a Log,
    batch: Option<Batch<'a>>,
    pub(super) findings: Findings,
    pub(super) checkpoint: Tally,
    pub(super) tally: Tally,
    data_records: u64,
    watch: &'a mut dyn FnMut(RecordRef, &Change),
    takes: fn(&Reading<'_>) -> bool,
}

impl Watch for Reader<'_> {
    fn change(&mut self, at: RecordRef, change: &Change) {
        (self.watch)(at, change);
    }

    fn conflict(&mut self, conflict: Conflict) {
        self.findings.push(conflict.finding(self.log));
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        log: &'a Log,
        watch: &'a mut dyn FnMut(RecordRef, &Change),
        takes: fn(&Reading<'_>) -> bool,
    ) -> Self {
        Self {
            log,
            batch: None,
            findings: log.findings().clone(),
            checkpoint: Tally::default(),
            tally: Tally::default(),
            data_records: 0,
            watch,
            takes,
        }
    }

    fn tally(&mut self, batch: &Batch<'_>) -> &mut Tally {
        if batch.in_checkpoint() {
            &mut self.checkpoint
        } else {
            &mut self.tally
        }
    }

    pub(super) fn item(&mut self, item: Item<'a>, replay: &mut Replay) {
        if let Item::Batch(batch) = item {
            self.tally(&batch).add_batch();
            replay.begin_batch();
            self.batch = Some(batch);
            return;
        }
        let Some(batch) = self.batch else { return };
        match item {
            Item::Partition(ready) => self.partition(&batch, ready, replay),
            Item::Record(record) if batch.header().is_control() => {
                self.control(&batch, &record, replay);
            }
            Item::Record(record) => self.data(&batch, &record, replay),
            Item::Fault(fault) => self.findings.push(batch.fault(&fault)),
            Item::Batch(_) => {}
        }
    }

    fn partition(&mut self, batch: &Batch<'_>, ready: Ready, replay: &mut Replay) {
        self.data_records = self.data_records.saturating_add(1);
        let length = u64::from(ready.length);
        self.tally(batch)
            .add(false, PartitionRecord::API_KEY, length);
        let (at, offset) = (ready.at, ready.offset);
        if batch.in_checkpoint() {
            replay.checkpoint_partition(at, ready.topic, ready.partition, self);
        } else {
            replay.partition(at, ready.topic, ready.partition, self);
            replay.reached(reached(batch, offset));
        }
    }

    fn control(&mut self, batch: &Batch<'_>, record: &Record<'_>, replay: &mut Replay) {
        let key = record.key().unwrap_or_default();
        let read = record::read_control(key, record.value().unwrap_or_default());
        let kind = record::control_type(key).unwrap_or(-1);
        let bytes = u64::from(record.length());
        let in_checkpoint = batch.in_checkpoint();
        self.tally(batch).add(true, kind, bytes);
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

    fn data(&mut self, batch: &Batch<'_>, record: &Record<'_>, replay: &mut Replay) {
        let value = record.value().unwrap_or_default();
        let bytes = u64::from(record.length());
        let in_checkpoint = batch.in_checkpoint();
        let apply_from = self.log.apply_from();
        let offset = record.offset();
        if !in_checkpoint && offset < apply_from {
            match Frame::parse(value) {
                Ok(frame) => self.tally(batch).add(false, frame.api_key, bytes),
                Err(_) => self.tally(batch).unframed.add(bytes),
            }
            return;
        }
        self.data_records = self.data_records.saturating_add(1);
        let at = record.reference();
        match record::read(value) {
            Ok(reading) => {
                self.tally(batch).add(false, reading.frame.api_key, bytes);
                if !(self.takes)(&reading) {
                    // Left out, as whoever asked wants it.
                } else if in_checkpoint {
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
                    Ok(frame) => self.tally(batch).add(false, frame.api_key, bytes),
                    Err(_) => self.tally(batch).unframed.add(bytes),
                }
                self.findings
                    .push(unread_finding(self.place(record), &unread));
            }
        }
        if !in_checkpoint {
            replay.reached(reached(batch, offset));
        }
    }

    fn place(&self, record: &Record<'_>) -> Place {
        place(self.log, record.reference())
    }

    pub(super) fn closing_findings(&mut self, image: &Image, transactions: &[Transaction]) {
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

fn reached(batch: &Batch<'_>, offset: Offset) -> Provenance {
    Provenance {
        offset,
        epoch: batch.header().epoch,
        time: batch.header().max_timestamp,
    }
}

fn type_name(api_key: i16) -> &'static str {
    Schemas::builtin()
        .metadata(api_key)
        .map_or("record", |schema| schema.name())
}

/// What a record that cannot be read is as a finding.
#[must_use]
pub fn unread_finding(place: Place, unread: &Unread<'_>) -> Finding {
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
