//! One partition: what `PartitionRegistration` does, held in 48 bytes.
//!
//! A partition keeps handles, not values: the record that created it, the record that last changed it,
//! and, only once a change touched it, for each field the record that set that field.

use super::conflict::Conflict;
use super::records::{PartitionSource, Records};
use crate::finding::Code;
use crate::ids::{Epoch, NodeId, Uuid};
use crate::record::{Array, PartitionChangeRecord, PartitionRecord};
use crate::source::RecordRef;

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

    /// The partition that a PartitionRecord makes.
    pub(super) fn of(at: RecordRef, record: &PartitionRecord<'_>) -> Result<Self, Conflict> {
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
        let mut partition = Self {
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
            preferred: record.replicas.first().unwrap_or(-1),
            recovering: state == 1,
        });
        Ok(partition)
    }

    /// The partition after a change record.
    // Kafka: PartitionRegistration.merge, field by field: null keeps, present (even empty) replaces.
    pub(super) fn merge(
        &self,
        at: RecordRef,
        record: &PartitionChangeRecord<'_>,
        records: Records<'_>,
    ) -> Result<Self, Conflict> {
        let state = record.leader_recovery_state.value();
        if !(-1..=1).contains(&state) {
            return Err(bad_recovery_state(at, state));
        }
        let mut next = self.clone();
        next.last = at;
        next.partition_epoch = self.partition_epoch.wrapping_add(1);
        let mut from = self.origins();
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
        if record.leader.value() != -2 {
            from.leader = at;
            next.leader = record.leader.value();
            next.leader_epoch = self.leader_epoch.wrapping_add(1);
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
            preferred: view.replicas.first().unwrap_or(-1),
            recovering: if state == -1 {
                self.is_recovering()
            } else {
                state == 1
            },
        };
        next.note_shape(&shape);
        Ok(next)
    }

    /// Empties ELR and last known ELR, as a ClearElrRecord does.
    pub(super) fn clear_elr(&mut self, at: RecordRef) {
        let mut from = self.origins();
        (from.elr, from.last_known_elr) = (at, at);
        self.fields = Some(Box::new(from));
        self.last = at;
        self.partition_epoch = self.partition_epoch.wrapping_add(1);
        self.flags &= !HAS_ELR;
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

fn bad_recovery_state(at: RecordRef, state: i8) -> Conflict {
    Conflict::new(Code::InvalidValue, at, "leader recovery state is not known")
        .values("0 (recovered) or 1 (recovering)", state.to_string())
}

fn directory_count(at: RecordRef, replicas: usize, directories: usize) -> Conflict {
    Conflict::new(
        Code::DirectoryCountMismatch,
        at,
        format!("{replicas} replicas with {directories} directories: their numbers differ"),
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
