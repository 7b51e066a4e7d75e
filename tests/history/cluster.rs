//! What the simulated controller knows. It holds only what the next record must agree with, never what
//! an image shows: a fault in kraftlens cannot hide in a like fault here.

use super::random::Random;
use kraftlens::ids::Uuid;
use kraftlens::record::RecordBuilder;
use std::collections::{BTreeMap, BTreeSet};

/// Whom a quota is for: types with names, where no name is everyone without a quota of their own.
pub(super) type Entity = Vec<(&'static str, Option<String>)>;

/// The controller's memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cluster {
    pub(super) level: i16,
    pub(super) features: BTreeMap<&'static str, i16>,
    pub(super) brokers: BTreeMap<i32, Broker>,
    pub(super) controllers: BTreeSet<i32>,
    pub(super) topics: BTreeMap<String, Topic>,
    pub(super) configs: BTreeSet<(i8, String, String)>,
    pub(super) quotas: BTreeSet<(Entity, &'static str)>,
    pub(super) producer_ids: i64,
    pub(super) acls: Vec<Uuid>,
    pub(super) scram: BTreeSet<(i8, String)>,
    pub(super) tokens: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Broker {
    pub(super) epoch: i64,
    pub(super) incarnation: Uuid,
    pub(super) fenced: bool,
    pub(super) shutdown: bool,
    pub(super) directories: Vec<Uuid>,
}

#[derive(Clone, Debug)]
pub(super) struct Topic {
    pub(super) id: Uuid,
    pub(super) partitions: Vec<Partition>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Partition {
    pub(super) replicas: Vec<i32>,
    pub(super) isr: Vec<i32>,
    pub(super) adding: Vec<i32>,
    pub(super) removing: Vec<i32>,
    pub(super) eligible: Vec<i32>,
    pub(super) leader: i32,
    pub(super) recovering: bool,
}

impl Partition {
    pub(super) fn reassigned(&self) -> bool {
        !self.adding.is_empty() || !self.removing.is_empty()
    }
}

/// What happened since the state was last published, at the end of a batch or of a transaction. Kafka
/// compares some records with the last published state, not with the record before: a controller keeps
/// clear of that by writing what belongs together in one batch, and so does this one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unpublished {
    /// Topics whose configuration changed.
    pub(super) configured: BTreeSet<String>,
    /// Topics that were removed.
    pub(super) removed: BTreeSet<String>,
    /// SCRAM mechanisms of which users were set (true) or removed (false).
    pub(super) scram: BTreeSet<(i8, bool)>,
}

/// One request that the controller answers, as the records that it becomes.
pub(crate) struct Step<'a> {
    pub(super) random: &'a mut Random,
    pub(super) unpublished: &'a mut Unpublished,
    /// The offset that the first record will get.
    pub(super) base: i64,
    /// The time of the batch.
    pub(super) now: i64,
    pub(crate) records: Vec<RecordBuilder>,
}

impl Step<'_> {
    pub(super) fn push(&mut self, record: RecordBuilder) {
        self.records.push(record);
    }
}

/// The version of RegisterBrokerRecord that a controller writes at a level.
pub(super) fn broker_version(level: i16) -> i16 {
    match level {
        ..8 => 1,
        8..17 => 2,
        17..30 => 3,
        _ => 4,
    }
}

/// The version of PartitionRecord and PartitionChangeRecord at a level.
pub(super) fn partition_version(level: i16) -> i16 {
    match level {
        ..17 => 0,
        17..23 => 1,
        _ => 2,
    }
}

impl Cluster {
    /// Whether partitions keep eligible leader replicas.
    pub(super) fn elr(&self) -> bool {
        self.level >= 23
            && self
                .features
                .get("eligible.leader.replicas.version")
                .is_some_and(|l| *l > 0)
    }

    pub(super) fn broker_ids(&self) -> Vec<i32> {
        self.brokers.keys().copied().collect()
    }

    /// Answers one random request. There may be nothing to do: then no records come of it.
    pub(crate) fn step(&mut self, step: &mut Step<'_>) {
        match step.random.below(100) {
            0..8 => self.create_topic(step),
            8..10 => self.create_partitions(step),
            10..40 => self.change_partition(step),
            40..44 => self.remove_topic(step),
            44..49 => self.register_broker(step),
            49..61 => self.change_broker(step),
            61..63 => self.unregister_broker(step),
            63..66 => self.change_controller(step),
            66..76 => self.change_config(step),
            76..82 => self.change_quota(step),
            82..84 => self.allocate_producer_ids(step),
            84..88 => self.change_acl(step),
            88..91 => self.change_scram(step),
            91..94 => self.change_token(step),
            94..96 => self.change_feature(step),
            96..97 => self.clear_elr(step),
            97..98 => self.zookeeper(step),
            _ => step.push(kraftlens::record::record("NoOpRecord", 0)),
        }
    }
}
