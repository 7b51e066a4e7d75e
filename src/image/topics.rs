//! Topics and partitions: what `TopicsDelta`, `TopicDelta` and `PartitionRegistration.merge` do, held in
//! 48 bytes a partition.
//!
//! A partition keeps handles, not values: the record that created it, the record that last changed it,
//! and, only once a change touched it, for each field the record that set that field.

use super::change::Change;
use super::conflict::Conflict;
use super::records::{PartitionSource, Records};
use crate::finding::Code;
use crate::ids::{Epoch, NodeId, Uuid};
use crate::record::{
    Array, ClearElrRecord, PartitionChangeRecord, PartitionRecord, RemoveTopicRecord, TopicRecord,
};
use crate::source::RecordRef;
use std::collections::HashMap;
use std::sync::Arc;

/// A topic and its partitions.
#[derive(Clone, Debug)]
pub struct Topic {
    name: Arc<str>,
    id: Uuid,
    record: RecordRef,
    partitions: Vec<Partition>,
}

impl Topic {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> Uuid {
        self.id
    }

    /// The TopicRecord that created it.
    #[must_use]
    pub fn record(&self) -> RecordRef {
        self.record
    }

    /// Its partitions by rising id.
    #[must_use]
    pub fn partitions(&self) -> &[Partition] {
        &self.partitions
    }

    /// One partition.
    #[must_use]
    pub fn partition(&self, id: i32) -> Option<&Partition> {
        self.index(id).ok().and_then(|at| self.partitions.get(at))
    }

    fn index(&self, id: i32) -> Result<usize, usize> {
        match self.partitions.last() {
            Some(last) if last.id < id => Err(self.partitions.len()),
            _ => self.partitions.binary_search_by_key(&id, |p| p.id),
        }
    }
}

/// The state of one partition. Lists of replicas are not here: see [`PartitionView`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    base: RecordRef,
    last: RecordRef,
    fields: Option<Box<FieldOrigins>>,
    id: i32,
    leader: i32,
    leader_epoch: i32,
    partition_epoch: i32,
    replicas: u16,
    isr: u16,
    flags: u16,
}

/// For each field of a changed partition, the record that set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FieldOrigins {
    replicas: RecordRef,
    isr: RecordRef,
    removing: RecordRef,
    adding: RecordRef,
    directories: RecordRef,
    elr: RecordRef,
    last_known_elr: RecordRef,
    leader: RecordRef,
    recovery: RecordRef,
}

impl FieldOrigins {
    fn all(record: RecordRef) -> Self {
        Self {
            replicas: record,
            isr: record,
            removing: record,
            adding: record,
            directories: record,
            elr: record,
            last_known_elr: record,
            leader: record,
            recovery: record,
        }
    }
}

const RECOVERING: u16 = 1;
const ADDING: u16 = 2;
const REMOVING: u16 = 4;
const PREFERRED: u16 = 8;
const HAS_ELR: u16 = 16;
const UNDER_REPLICATED: u16 = 32;

impl Partition {
    /// Its number in the topic.
    #[must_use]
    pub fn id(&self) -> i32 {
        self.id
    }

    /// The leader, -1 for none.
    #[must_use]
    pub fn leader(&self) -> NodeId {
        NodeId(self.leader)
    }

    /// `leaderEpoch`: rises with every record that sets a leader, also the same one.
    #[must_use]
    pub fn leader_epoch(&self) -> Epoch {
        Epoch(self.leader_epoch)
    }

    /// `partitionEpoch`: rises with every change record.
    #[must_use]
    pub fn partition_epoch(&self) -> Epoch {
        Epoch(self.partition_epoch)
    }

    /// Whether it has no leader: Kafka's offline partition (`PartitionRegistration.hasLeader`).
    #[must_use]
    pub fn is_offline(&self) -> bool {
        self.leader == -1
    }

    /// Whether the leader of an unclean election has not finished recovering.
    #[must_use]
    pub fn is_recovering(&self) -> bool {
        self.flags & RECOVERING != 0
    }

    /// Whether replicas are being added or removed.
    #[must_use]
    pub fn is_reassigning(&self) -> bool {
        self.flags & (ADDING | REMOVING) != 0
    }

    /// Whether the first replica leads; leaderless partitions do not count as such.
    #[must_use]
    pub fn has_preferred_leader(&self) -> bool {
        self.flags & PREFERRED != 0
    }

    /// Whether ELR or last known ELR hold anyone.
    #[must_use]
    pub fn has_elr(&self) -> bool {
        self.flags & HAS_ELR != 0
    }

    /// Whether the ISR is smaller than the replicas, those being added left out (`TopicCommand`).
    #[must_use]
    pub fn is_under_replicated(&self) -> bool {
        self.flags & UNDER_REPLICATED != 0
    }

    /// How many replicas it has, up to 65535.
    #[must_use]
    pub fn replica_count(&self) -> usize {
        usize::from(self.replicas)
    }

    /// How many of them are in sync, up to 65535.
    #[must_use]
    pub fn isr_count(&self) -> usize {
        usize::from(self.isr)
    }

    /// The PartitionRecord that created it.
    #[must_use]
    pub fn created(&self) -> RecordRef {
        self.base
    }

    /// The record that last changed it.
    #[must_use]
    pub fn last(&self) -> RecordRef {
        self.last
    }

    /// The record that set the leader it has.
    #[must_use]
    pub fn leader_record(&self) -> RecordRef {
        self.origins().leader
    }

    /// The record that set the ISR it has.
    #[must_use]
    pub fn isr_record(&self) -> RecordRef {
        self.origins().isr
    }

    fn origins(&self) -> FieldOrigins {
        self.fields
            .as_deref()
            .copied()
            .unwrap_or(FieldOrigins::all(self.base))
    }

    fn note_shape(&mut self, shape: &Shape) {
        let count = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        self.replicas = count(shape.replicas);
        self.isr = count(shape.isr);
        self.flags = [
            (shape.recovering, RECOVERING),
            (shape.adding > 0, ADDING),
            (shape.removing > 0, REMOVING),
            (self.leader == shape.preferred, PREFERRED),
            (shape.elr > 0, HAS_ELR),
            (
                shape.isr < shape.replicas.saturating_sub(shape.adding),
                UNDER_REPLICATED,
            ),
        ]
        .iter()
        .filter(|(set, _)| *set)
        .fold(0, |flags, (_, flag)| flags | flag);
    }
}

struct Shape {
    replicas: usize,
    isr: usize,
    adding: usize,
    removing: usize,
    elr: usize,
    preferred: i32,
    recovering: bool,
}

/// The directories of a partition's replicas, by position.
#[derive(Clone, Copy, Debug)]
pub enum Directories<'a> {
    /// No record named any: every replica counts as MIGRATING.
    Migrating(usize),
    /// As a record names them.
    Named(Array<'a, Uuid>),
}

impl<'a> Directories<'a> {
    /// One id for each replica.
    pub fn iter(self) -> impl Iterator<Item = Uuid> + 'a {
        let (count, named) = match self {
            Self::Migrating(count) => (count, None),
            Self::Named(named) => (0, Some(named)),
        };
        std::iter::repeat_n(Uuid::ZERO, count).chain(named.into_iter().flat_map(|n| n.iter()))
    }
}

/// A partition with its lists, read from the records that set them.
#[derive(Clone, Copy, Debug)]
pub struct PartitionView<'a> {
    /// Its scalar state.
    pub partition: &'a Partition,
    /// Replicas; the first is the preferred leader.
    pub replicas: Array<'a, i32>,
    /// In-sync replicas.
    pub isr: Array<'a, i32>,
    /// Replicas that a reassignment removes.
    pub removing: Array<'a, i32>,
    /// Replicas that a reassignment adds.
    pub adding: Array<'a, i32>,
    /// Eligible leader replicas (KIP-966).
    pub elr: Array<'a, i32>,
    /// Last known eligible leader replicas.
    pub last_known_elr: Array<'a, i32>,
    /// The directory of each replica.
    pub directories: Directories<'a>,
}

impl<'a> PartitionView<'a> {
    pub(super) fn read(partition: &'a Partition, records: Records<'a>) -> Self {
        let at = partition.origins();
        let mut cache = records.partition_cache();
        let replicas = cache.get(at.replicas).replicas();
        Self {
            partition,
            replicas,
            isr: cache.get(at.isr).isr(),
            removing: cache.get(at.removing).removing(),
            adding: cache.get(at.adding).adding(),
            elr: cache.get(at.elr).elr(),
            last_known_elr: cache.get(at.last_known_elr).last_known_elr(),
            directories: directories(cache.get(at.directories).directories(), replicas.len()),
        }
    }
}

// Kafka: PartitionRegistration and DirectoryId.createDirectoriesFrom take no list, an empty one and one
// of MIGRATING ids only as the same: MIGRATING for as many replicas as there are.
fn directories(named: Option<Array<'_, Uuid>>, replicas: usize) -> Directories<'_> {
    match named {
        Some(named) if named.iter().any(|id| id != Uuid::ZERO) => Directories::Named(named),
        _ => Directories::Migrating(replicas),
    }
}

/// All topics.
#[derive(Clone, Debug, Default)]
pub struct Topics {
    by_id: HashMap<Uuid, Arc<Topic>>,
    by_name: HashMap<Arc<str>, Uuid>,
    partitions: usize,
    growing: Option<Uuid>,
}

impl Topics {
    /// How many topics there are, by id.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// How many partitions all topics have together.
    #[must_use]
    pub fn partition_count(&self) -> usize {
        self.partitions
    }

    /// The topic of an id.
    #[must_use]
    pub fn by_id(&self, id: Uuid) -> Option<&Arc<Topic>> {
        self.by_id.get(&id)
    }

    /// The topic that a name leads to: of several with one name, the last one written.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&Arc<Topic>> {
        self.by_id.get(self.by_name.get(name)?)
    }

    /// All topics in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Topic>> {
        self.by_id.values()
    }

    /// The topics that names lead to, in no order.
    pub fn named(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<Topic>)> {
        self.by_name
            .iter()
            .filter_map(|(name, id)| Some((name, self.by_id.get(id)?)))
    }

    fn shrink_grown(&mut self, next: Option<Uuid>) {
        if let Some(id) = self.growing.filter(|&id| Some(id) != next)
            && let Some(topic) = self.by_id.get_mut(&id).and_then(Arc::get_mut)
        {
            topic.partitions.shrink_to_fit();
        }
        self.growing = next;
    }

    /// Gives back what growing lists reserved; call it once all is read.
    pub(super) fn settle(&mut self) {
        self.shrink_grown(None);
        self.by_id.shrink_to_fit();
        self.by_name.shrink_to_fit();
    }

    // Kafka: TopicsDelta.replay(TopicRecord) starts an empty topic whatever was under the id, and does
    // not look at the name; ReplicationControlManager stops at a name that is taken.
    pub(super) fn create(
        &mut self,
        at: RecordRef,
        record: &TopicRecord<'_>,
    ) -> (Change, Option<Conflict>) {
        let name: Arc<str> = record.name.to_str().into();
        self.shrink_grown(Some(record.topic_id));
        let topic = Arc::new(Topic {
            name: name.clone(),
            id: record.topic_id,
            record: at,
            partitions: Vec::new(),
        });
        let before = self.by_id.insert(record.topic_id, topic.clone());
        if let Some(old) = &before {
            self.partitions = self.partitions.saturating_sub(old.partitions.len());
            if old.name != name && self.by_name.get(&old.name) == Some(&old.id) {
                self.by_name.remove(&old.name);
            }
        }
        let holder = self.by_name.insert(name.clone(), record.topic_id);
        let contested = holder
            .filter(|&id| id != record.topic_id)
            .and_then(|id| self.by_id.get(&id))
            .map(|other| {
                Conflict::new(
                    Code::DuplicateTopicName,
                    at,
                    format!("topic {name:?} is there already"),
                )
                .values(
                    format!("id {}", other.id),
                    format!("id {}", record.topic_id),
                )
                .against(other.record, format!("topic {name:?} with id {}", other.id))
                .applied()
            });
        (
            Change::Topic {
                id: record.topic_id,
                before,
                after: Some(topic),
            },
            contested,
        )
    }

    pub(super) fn remove(
        &mut self,
        at: RecordRef,
        record: &RemoveTopicRecord<'_>,
    ) -> Result<Arc<Topic>, Conflict> {
        let Some(topic) = self.by_id.remove(&record.topic_id) else {
            return Err(unknown_topic(at, record.topic_id));
        };
        self.partitions = self.partitions.saturating_sub(topic.partitions.len());
        if self.by_name.get(&topic.name) == Some(&topic.id) {
            // The name goes with its topic, even when another topic of that name remains by id.
            self.by_name.remove(&topic.name);
        }
        Ok(topic)
    }

    // Kafka: TopicDelta.replay(PartitionRecord) replaces the partition whole, epochs included.
    pub(super) fn set_partition(
        &mut self,
        at: RecordRef,
        record: &PartitionRecord<'_>,
    ) -> Result<Change, Conflict> {
        if self.growing != Some(record.topic_id) {
            self.shrink_grown(Some(record.topic_id));
        }
        let Some(topic) = self.by_id.get_mut(&record.topic_id) else {
            return Err(unknown_topic(at, record.topic_id));
        };
        let state = record.leader_recovery_state.value();
        if !(0..=1).contains(&state) {
            return Err(bad_recovery_state(at, state));
        }
        let named = record.directories.value();
        let count = record.replicas.len();
        if let Directories::Named(named) = directories(Some(named), count)
            && named.len() != count
        {
            return Err(directory_count(at, count, named.len()));
        }
        let elr = |field: Option<Array<'_, i32>>| field.map_or(0, |a| a.len());
        let mut partition = Partition {
            base: at,
            last: at,
            fields: None,
            id: record.partition_id,
            leader: record.leader,
            leader_epoch: record.leader_epoch,
            partition_epoch: record.partition_epoch,
            replicas: 0,
            isr: 0,
            flags: 0,
        };
        partition.note_shape(&Shape {
            replicas: count,
            isr: record.isr.len(),
            adding: record.adding_replicas.len(),
            removing: record.removing_replicas.len(),
            elr: elr(record.eligible_leader_replicas.value())
                .saturating_add(elr(record.last_known_elr.value())),
            preferred: record.replicas.iter().next().unwrap_or(-1),
            recovering: state == 1,
        });
        let topic = Arc::make_mut(topic);
        let before = match topic.index(partition.id) {
            Ok(found) => topic
                .partitions
                .get_mut(found)
                .map(|old| std::mem::replace(old, partition.clone())),
            Err(place) => {
                topic.partitions.insert(place, partition.clone());
                self.partitions = self.partitions.saturating_add(1);
                None
            }
        };
        Ok(Change::Partition {
            topic: record.topic_id,
            before,
            after: partition,
        })
    }

    // Kafka: PartitionRegistration.merge, field by field: null keeps, present (even empty) replaces.
    pub(super) fn change_partition(
        &mut self,
        at: RecordRef,
        record: &PartitionChangeRecord<'_>,
        records: Records<'_>,
    ) -> Result<Change, Conflict> {
        let Some(topic) = self.by_id.get_mut(&record.topic_id) else {
            return Err(unknown_topic(at, record.topic_id));
        };
        let Some(old) = topic.partition(record.partition_id) else {
            return Err(Conflict::new(
                Code::UnknownPartition,
                at,
                format!(
                    "change of partition {} of topic {:?}, which has no such partition",
                    record.partition_id, topic.name
                ),
            )
            .against(
                topic.record,
                format!("the topic, with {} partitions", topic.partitions.len()),
            ));
        };
        let state = record.leader_recovery_state.value();
        if !(-1..=1).contains(&state) {
            return Err(bad_recovery_state(at, state));
        }
        let mut next = old.clone();
        next.last = at;
        next.partition_epoch = old.partition_epoch.wrapping_add(1);
        let mut from = old.origins();
        let set = |present: bool, field: &mut RecordRef| {
            if present {
                *field = at;
            }
        };
        set(record.replicas.value().is_some(), &mut from.replicas);
        set(record.isr.value().is_some(), &mut from.isr);
        set(
            record.removing_replicas.value().is_some(),
            &mut from.removing,
        );
        set(record.adding_replicas.value().is_some(), &mut from.adding);
        set(record.directories.value().is_some(), &mut from.directories);
        set(
            record.eligible_leader_replicas.value().is_some(),
            &mut from.elr,
        );
        set(
            record.last_known_elr.value().is_some(),
            &mut from.last_known_elr,
        );
        set(state != -1, &mut from.recovery);
        if record.leader.value() != -2 {
            from.leader = at;
            next.leader = record.leader.value();
            next.leader_epoch = old.leader_epoch.wrapping_add(1);
        }
        next.fields = Some(Box::new(from));
        let view = PartitionView::read(&next, records);
        let count = view.replicas.len();
        if let Directories::Named(named) = view.directories
            && named.len() != count
        {
            return Err(directory_count(at, count, named.len())
                .against(from.directories, format!("{} directories", named.len())));
        }
        let shape = Shape {
            replicas: count,
            isr: view.isr.len(),
            adding: view.adding.len(),
            removing: view.removing.len(),
            elr: view.elr.len().saturating_add(view.last_known_elr.len()),
            preferred: view.replicas.iter().next().unwrap_or(-1),
            recovering: if state == -1 {
                old.is_recovering()
            } else {
                state == 1
            },
        };
        next.note_shape(&shape);
        let topic = Arc::make_mut(topic);
        let Some(slot) = topic
            .index(next.id)
            .ok()
            .and_then(|found| topic.partitions.get_mut(found))
        else {
            return Ok(Change::None);
        };
        let before = std::mem::replace(slot, next.clone());
        Ok(Change::Partition {
            topic: record.topic_id,
            before: Some(before),
            after: next,
        })
    }

    // Kafka: TopicsDelta.replay(ClearElrRecord): only partitions that have an ELR change, and their
    // partition epoch rises with it.
    pub(super) fn clear_elr(
        &mut self,
        at: RecordRef,
        record: &ClearElrRecord<'_>,
    ) -> Result<Change, Conflict> {
        let name = record.topic_name.to_str();
        let ids: Vec<Uuid> = if name.is_empty() {
            self.by_id.keys().copied().collect()
        } else if let Some(id) = self.by_name.get(&*name) {
            vec![*id]
        } else {
            return Err(Conflict::new(
                Code::UnknownTopic,
                at,
                format!("the ELR of topic {name:?} is cleared, and there is no such topic"),
            ));
        };
        let mut cleared = Vec::new();
        for id in ids {
            let Some(topic) = self.by_id.get_mut(&id) else {
                continue;
            };
            if !topic.partitions.iter().any(Partition::has_elr) {
                continue;
            }
            for partition in Arc::make_mut(topic)
                .partitions
                .iter_mut()
                .filter(|p| p.has_elr())
            {
                cleared.push((id, partition.clone()));
                let mut from = partition.origins();
                (from.elr, from.last_known_elr) = (at, at);
                partition.fields = Some(Box::new(from));
                partition.last = at;
                partition.partition_epoch = partition.partition_epoch.wrapping_add(1);
                partition.flags &= !HAS_ELR;
            }
        }
        Ok(Change::ElrCleared { before: cleared })
    }
}

fn unknown_topic(at: RecordRef, id: Uuid) -> Conflict {
    Conflict::new(
        Code::UnknownTopic,
        at,
        format!("topic id {id} does not exist"),
    )
}

fn bad_recovery_state(at: RecordRef, state: i8) -> Conflict {
    Conflict::new(Code::InvalidValue, at, "leader recovery state is not known")
        .values("0 (recovered) or 1 (recovering)", state.to_string())
}

fn directory_count(at: RecordRef, replicas: usize, directories: usize) -> Conflict {
    Conflict::new(
        Code::DirectoryCountMismatch,
        at,
        "replicas and directories differ in number",
    )
    .values(format!("{replicas} directories"), format!("{directories}"))
}

impl<'a> PartitionSource<'a> {
    fn replicas(&self) -> Array<'a, i32> {
        match self {
            Self::Partition(r) => r.replicas,
            Self::Change(r) => r.replicas.value().unwrap_or_default(),
            Self::Other => Array::default(),
        }
    }

    fn isr(&self) -> Array<'a, i32> {
        match self {
            Self::Partition(r) => r.isr,
            Self::Change(r) => r.isr.value().unwrap_or_default(),
            Self::Other => Array::default(),
        }
    }

    fn removing(&self) -> Array<'a, i32> {
        match self {
            Self::Partition(r) => r.removing_replicas,
            Self::Change(r) => r.removing_replicas.value().unwrap_or_default(),
            Self::Other => Array::default(),
        }
    }

    fn adding(&self) -> Array<'a, i32> {
        match self {
            Self::Partition(r) => r.adding_replicas,
            Self::Change(r) => r.adding_replicas.value().unwrap_or_default(),
            Self::Other => Array::default(),
        }
    }

    // A ClearElrRecord reads as `Other`, and so as empty lists.
    fn elr(&self) -> Array<'a, i32> {
        match self {
            Self::Partition(r) => r.eligible_leader_replicas.value().unwrap_or_default(),
            Self::Change(r) => r.eligible_leader_replicas.value().unwrap_or_default(),
            Self::Other => Array::default(),
        }
    }

    fn last_known_elr(&self) -> Array<'a, i32> {
        match self {
            Self::Partition(r) => r.last_known_elr.value().unwrap_or_default(),
            Self::Change(r) => r.last_known_elr.value().unwrap_or_default(),
            Self::Other => Array::default(),
        }
    }

    fn directories(&self) -> Option<Array<'a, Uuid>> {
        match self {
            Self::Partition(r) => Some(r.directories.value()),
            Self::Change(r) => r.directories.value(),
            Self::Other => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partition_takes_48_bytes() {
        assert_eq!(size_of::<Partition>(), 48);
    }
}
