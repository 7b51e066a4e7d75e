//! Random valid histories of a cluster, as the files that its controllers would have written.
//!
//! A history obeys the controller's rules: no unknown topics, partitions or brokers, epochs that match,
//! records only at levels that allow them, transactions that are well formed. It uses the encoder and
//! the writer of kraftlens and nothing that reads. The same seed gives the same bytes.

mod cluster;
mod nodes;
pub(crate) mod random;
mod security;
mod settings;
mod topics;

use cluster::{Cluster, Step, Unpublished};
use kraftlens::ids::{Epoch, Offset, Timestamp};
use kraftlens::log::writer::{BatchWriter, segment_name};
use kraftlens::record::{Fields, RecordBuilder, fields, record};
use random::Random;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// The levels that Kafka 4.4 reads and a controller may finalise.
pub(crate) const LEVELS: std::ops::RangeInclusive<i16> = 7..=33;

const GZIP: i16 = 1;
const ZSTD: i16 = 4;

/// Voters have the ids from 3000 on, at most this many.
const MOST_VOTERS: i32 = 5;

/// A history.
#[derive(Debug, PartialEq)]
pub(crate) struct History {
    /// The level it begins at.
    pub(crate) level: i16,
    /// Its segments: base offset and bytes.
    pub(crate) segments: Vec<(i64, Vec<u8>)>,
    /// The ends of data batches outside transactions: where a checkpoint could be.
    pub(crate) ends: Vec<i64>,
}

impl History {
    /// The history of a seed. The levels take turns.
    pub(crate) fn new(seed: u64) -> Self {
        let levels = LEVELS.count() as u64;
        let level = LEVELS.start() + (seed % levels) as i16;
        let mut writing =
            Writing::begin(Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d)), level);
        let batches = 5 + writing.random.below(80);
        for _ in 0..batches {
            writing.something();
        }
        writing.end(level)
    }

    /// Writes the segments into a folder.
    pub(crate) fn write(&self, folder: &Path) {
        fs::create_dir_all(folder).expect("a folder of the test's own");
        for (base, bytes) in &self.segments {
            fs::write(folder.join(segment_name(Offset(*base))), bytes)
                .expect("a file of the test's own");
        }
    }
}

/// A transaction that is open.
struct Open {
    /// What the controller goes back to when it is aborted.
    before: Cluster,
    /// Whether a leader change has doomed it.
    doomed: bool,
}

/// The log while it is written.
struct Writing {
    random: Random,
    cluster: Cluster,
    unpublished: Unpublished,
    open: Option<Open>,
    next: i64,
    epoch: i32,
    clock: i64,
    dynamic: bool,
    voters: Vec<i32>,
    segments: Vec<(i64, Vec<u8>)>,
    ends: Vec<i64>,
}

impl Writing {
    /// The first batches: a leader, and the records that formatting asked for.
    fn begin(mut random: Random, level: i16) -> Self {
        let clock = random.within(1_500_000_000_000, 1_900_000_000_000);
        let voters = vec![3000, 3001, 3002];
        let dynamic = level >= 21 && random.percent(60);
        let epoch = random.within(1, 3) as i32;
        let mut writing = Self {
            random,
            cluster: Cluster {
                level,
                ..Cluster::default()
            },
            unpublished: Unpublished::default(),
            open: None,
            next: 0,
            epoch,
            clock,
            dynamic,
            voters,
            segments: vec![(0, Vec::new())],
            ends: Vec::new(),
        };
        writing.lead();
        let mut records = vec![settings::feature("metadata.version", level)];
        if level >= 13 {
            records.insert(
                0,
                record("BeginTransactionRecord", 0).set("Name", "Bootstrap records"),
            );
            records.push(record("EndTransactionRecord", 0));
        }
        writing.data(records);
        for _ in 0..3 {
            writing.requests(Cluster::register_broker);
        }
        writing
    }

    /// One more batch of any kind, or a new segment.
    fn something(&mut self) {
        self.clock += self.random.within(0, 5000);
        match self.random.below(100) {
            0..4 => self.segments.push((self.next, Vec::new())),
            4..8 => {
                self.epoch += self.random.within(1, 3) as i32;
                self.lead();
            }
            8..10 if self.dynamic => self.voters(),
            10..18 if self.cluster.level >= 13 => self.transaction(),
            _ if self.open.as_ref().is_some_and(|open| open.doomed) => self.abort(Vec::new()),
            _ => self.requests(Cluster::step),
        }
    }

    /// A batch of answers to one or more requests.
    fn requests(&mut self, answer: fn(&mut Cluster, &mut Step<'_>)) {
        let records = self.answers(answer, 0);
        if !records.is_empty() {
            self.data(records);
        }
    }

    fn answers(
        &mut self,
        answer: fn(&mut Cluster, &mut Step<'_>),
        after: usize,
    ) -> Vec<RecordBuilder> {
        let mut records = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            let mut step = Step {
                random: &mut self.random,
                unpublished: &mut self.unpublished,
                base: self.next + (after + records.len()) as i64,
                now: self.clock,
                records: Vec::new(),
            };
            answer(&mut self.cluster, &mut step);
            records.append(&mut step.records);
        }
        records
    }

    /// Begins, ends or aborts a transaction, with other records around in the same batch.
    fn transaction(&mut self) {
        if self.open.is_none() {
            let mut records = Vec::new();
            if self.random.percent(40) {
                records = self.answers(Cluster::step, 0);
            }
            let before = self.cluster.clone();
            // What stands before the beginning is published there.
            self.unpublished = Unpublished::default();
            let name = self.random.percent(70).then(|| self.random.odd_text());
            records.push(record("BeginTransactionRecord", 0).set("Name", name));
            let after = records.len();
            records.append(&mut self.answers(Cluster::step, after));
            self.open = Some(Open {
                before,
                doomed: false,
            });
            if self.random.percent(25) {
                records.push(record("EndTransactionRecord", 0));
                self.open = None;
            }
            self.data(records);
        } else if self.open.as_ref().is_some_and(|open| open.doomed) || self.random.percent(35) {
            let records = if self.random.percent(40) {
                self.answers(Cluster::step, 0)
            } else {
                Vec::new()
            };
            self.abort(records);
        } else {
            let mut records = if self.random.percent(40) {
                self.answers(Cluster::step, 0)
            } else {
                Vec::new()
            };
            records.push(record("EndTransactionRecord", 0));
            self.open = None;
            if self.random.percent(40) {
                let after = records.len();
                records.append(&mut self.answers(Cluster::step, after));
            }
            self.data(records);
        }
    }

    /// Aborts the open transaction. The record is the last of its batch: Kafka's loader forgets the
    /// abortion when an ordinary record follows in the same batch.
    fn abort(&mut self, mut records: Vec<RecordBuilder>) {
        let reason = self.random.percent(70).then(|| self.random.odd_text());
        records.push(record("AbortTransactionRecord", 0).set("Reason", reason));
        if let Some(open) = self.open.take() {
            self.cluster = open.before;
        }
        self.data(records);
    }

    fn data(&mut self, records: Vec<RecordBuilder>) {
        let mut batch =
            BatchWriter::new(Offset(self.next), Epoch(self.epoch), Timestamp(self.clock));
        for record in &records {
            let value = record.to_bytes().expect("the generator knows the schemas");
            batch = batch.record(None, Some(&value));
        }
        let batch = self.codec(batch);
        self.append(batch);
        if self.open.is_none() {
            self.unpublished = Unpublished::default();
            self.ends.push(self.next);
        }
    }

    /// Controllers do not compress; what others compress is read all the same.
    fn codec(&mut self, batch: BatchWriter) -> BatchWriter {
        match self.random.below(40) {
            0 => batch.compressed(GZIP, |records| {
                let mut gzip =
                    flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                gzip.write_all(records).expect("memory takes all");
                gzip.finish().expect("memory takes all")
            }),
            1 => batch.compressed(ZSTD, |records| {
                zstd::bulk::compress(records, 1).expect("memory takes all")
            }),
            _ => batch,
        }
    }

    /// The batch that a new leader begins with.
    fn lead(&mut self) {
        if let Some(open) = &mut self.open {
            open.doomed = true;
        }
        let leader = *self.random.pick(&self.voters);
        let voters: Vec<Fields> = self
            .voters
            .iter()
            .map(|id| fields().set("VoterId", *id))
            .collect();
        let granting = voters.iter().take(2).cloned().collect::<Vec<_>>();
        let mut records = vec![
            record("LeaderChangeMessage", 0)
                .set("LeaderId", leader)
                .set("Voters", voters)
                .set("GrantingVoters", granting),
        ];
        if self.dynamic && (self.next == 0 || self.random.percent(30)) {
            records.push(record("KRaftVersionRecord", 0).set("KRaftVersion", 1i16));
            records.push(self.voters_record());
        }
        self.control(&records);
    }

    /// A voter joins or leaves.
    fn voters(&mut self) {
        let most = self.voters.len() == MOST_VOTERS as usize;
        if most || self.voters.len() > 2 && self.random.percent(50) {
            self.voters.pop();
        } else {
            self.voters.push(3000 + self.voters.len() as i32);
        }
        let record = self.voters_record();
        self.control(&[record]);
    }

    fn voters_record(&mut self) -> RecordBuilder {
        let voters: Vec<Fields> = self
            .voters
            .iter()
            .map(|id| {
                let endpoint = fields()
                    .set("Name", "CONTROLLER")
                    .set("Host", format!("controller-{id}.example"))
                    .set("Port", 9093u16);
                let range = fields()
                    .set("MinSupportedVersion", 0i16)
                    .set("MaxSupportedVersion", 1i16);
                fields()
                    .set("VoterId", *id)
                    .set("VoterDirectoryId", self.random.uuid())
                    .set("Endpoints", vec![endpoint])
                    .set("KRaftVersionFeature", range)
            })
            .collect();
        record("VotersRecord", 0).set("Voters", voters)
    }

    fn control(&mut self, records: &[RecordBuilder]) {
        let mut batch =
            BatchWriter::new(Offset(self.next), Epoch(self.epoch), Timestamp(self.clock)).control();
        for record in records {
            let key = record
                .key()
                .expect("a control record")
                .expect("control records have a key");
            let value = record.to_bytes().expect("the generator knows the schemas");
            batch = batch.record(Some(&key), Some(&value));
        }
        self.append(batch);
    }

    fn append(&mut self, batch: BatchWriter) {
        let (_, bytes) = self
            .segments
            .last_mut()
            .expect("there is one from the beginning");
        batch.write(bytes);
        self.next = batch.next_offset().0;
    }

    fn end(mut self, level: i16) -> History {
        // A segment is only made when something goes into it; the same base cannot come twice.
        self.segments.retain(|(_, bytes)| !bytes.is_empty());
        History {
            level,
            segments: self.segments,
            ends: self.ends,
        }
    }
}
