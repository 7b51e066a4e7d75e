//! The one pass over a log: counts, applies, and records what was found.

use super::ahead::{Item, Ready};
use super::conflict::{Conflict, place};
use super::replay::{Replay, Transaction, TransactionEnd, Watch};
use super::tally::Tally;
use super::{Change, Image, METADATA_VERSION, Provenance};
use crate::bytes::Malformed;
use crate::error::Place;
use crate::facts::levels;
use crate::finding::{Code, Finding, Findings, Severity};
use crate::ids::Offset;
use crate::log::{Batch, Log, Record};
use crate::record::{
    self, FeatureLevelRecord, Frame, FrameFault, MetadataRecord, PartitionRecord, Reading, Unread,
};
use crate::schema::Schemas;
use crate::source::RecordRef;
use std::collections::BTreeSet;

/// Takes the items of a log in order, and keeps what is learnt on the way.
pub(super) struct Reader<'a> {
    log: &'a Log,
    batch: Option<Batch<'a>>,
    pub(super) findings: Findings,
    pub(super) checkpoint: Tally,
    pub(super) tally: Tally,
    data_records: u64,
    /// The first offset of the files, when what was before it is missing.
    begins_at: Option<Offset>,
    /// The level of metadata.version last read, in a transaction or not.
    level: Option<i16>,
    /// Whether a record that may set that level was not understood.
    level_unread: bool,
    /// Types and versions reported as ahead of a level, and the level.
    ahead: BTreeSet<(i16, i16, i16)>,
    watch: &'a mut dyn FnMut(RecordRef, &Change),
    takes: fn(&Reading<'_>) -> bool,
}

impl Watch for Reader<'_> {
    fn change(&mut self, at: RecordRef, change: &Change) {
        (self.watch)(at, change);
    }

    fn conflict(&mut self, conflict: Conflict) {
        let explained = self.begins_at.filter(|_| conflict.may_lack_history());
        let mut finding = conflict.finding(self.log);
        if let Some(start) = explained {
            finding.severity = finding.severity.min(Severity::Warning);
            finding.summary.push_str(&format!(
                "; it may be older than offset {start}, and that history is missing"
            ));
        }
        self.findings.push(finding);
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
            begins_at: begins_at(log),
            level: None,
            level_unread: log.findings().worst() == Some(Severity::Error),
            ahead: BTreeSet::new(),
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
        self.check_version(at, PartitionRecord::API_KEY, ready.version);
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
                if let MetadataRecord::FeatureLevel(level) = &reading.record
                    && level.name.bytes() == METADATA_VERSION.as_bytes()
                {
                    self.level = Some(level.feature_level);
                }
                self.check_version(at, reading.frame.api_key, reading.frame.version);
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
                self.level_unread |= may_set_level(&unread);
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

    /// Reports a record version that the level does not write, once for each type, version and level.
    fn check_version(&mut self, at: RecordRef, api_key: i16, version: i16) {
        let Some(level) = self.level else { return };
        if levels::writes(level, api_key, version) || !self.ahead.insert((api_key, version, level))
        {
            return;
        }
        let Some(first) = levels::first_to_write(api_key, version) else {
            return;
        };
        let finding = Finding::new(
            Code::VersionAheadOfLevel,
            place(self.log, at),
            format!(
                "{} of version {version} at metadata.version {}; levels below {} ({}) do not write it",
                type_name(api_key),
                levels::LevelText(level),
                first.level,
                first.name
            ),
        )
        .values(
            format!("metadata.version {} or later", first.level),
            level.to_string(),
        )
        .kafka("a release that only knows the finalised level cannot read the record");
        self.findings.push(if version == 0 {
            finding.severity(Severity::Info)
        } else {
            finding
        });
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
        let known = self.begins_at.is_none() && !self.level_unread;
        if image.features().metadata_version().is_none() && known && self.data_records > 0 {
            self.findings.push(
                Finding::new(
                    Code::NoMetadataVersion,
                    Place::default(),
                    "metadata.version is not recorded, as in logs that 3.0 to 3.2 wrote",
                )
                .kafka(
                    "3.x assumes 3.0-IV1 (1); a controller of 4.x stops on it: unknown metadata version",
                ),
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

/// The first offset of the files, when what was before it is missing.
fn begins_at(log: &Log) -> Option<Offset> {
    let missing = |f: &&Finding| matches!(f.code, Code::HistoryMissing | Code::StateBeforeUnknown);
    log.findings().kept().iter().find(missing)?.place.offset
}

fn may_set_level(unread: &Unread<'_>) -> bool {
    match unread {
        Unread::Frame(_) => true,
        Unread::UnknownType(frame)
        | Unread::UnknownVersion(frame)
        | Unread::Body(frame, _)
        | Unread::Leftover(frame, ..) => frame.api_key == FeatureLevelRecord::API_KEY,
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
            "record of the 2.8 preview format, which Kafka cannot upgrade and no later release reads",
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
                "{} of version {} with {} bytes after its end: another layout under the same number",
                type_name(frame.api_key),
                frame.version,
                left.len()
            ),
        ),
    };
    finding.kafka(kafka)
}
