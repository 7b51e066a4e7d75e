//! Topics by id and by name: what `TopicsDelta` and `TopicDelta` do.

use super::change::Change;
use super::conflict::Conflict;
use super::partition::Partition;
use super::records::Records;
use crate::finding::Code;
use crate::ids::Uuid;
use crate::record::{ClearElrRecord, PartitionChangeRecord, RemoveTopicRecord, TopicRecord};
use crate::source::RecordRef;
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
            Some(last) if last.id() < id => Err(self.partitions.len()),
            _ => self.partitions.binary_search_by_key(&id, Partition::id),
        }
    }
}

/// All topics.
#[derive(Clone, Debug, Default)]
pub struct Topics {
    topics: Slots,
    by_id: HashMap<Uuid, Slot>,
    by_name: HashMap<Arc<str>, Slot>,
    partitions: usize,
    /// The topic that partitions were last added to: in a checkpoint they follow their topic.
    growing: Option<(Uuid, Slot)>,
}

// foldhash: ids and names are hashed millions of times, and SipHash takes a tenth of the opening.
type HashMap<K, V> = std::collections::HashMap<K, V, foldhash::fast::RandomState>;

/// Where a topic stands in [`Slots`].
type Slot = u32;

/// Topics by slot; those of removed topics are used again.
#[derive(Clone, Debug, Default)]
struct Slots {
    slots: Vec<Option<Arc<Topic>>>,
    free: Vec<Slot>,
}

impl Slots {
    fn get(&self, slot: Slot) -> Option<&Arc<Topic>> {
        self.slots.get(slot as usize)?.as_ref()
    }

    fn get_mut(&mut self, slot: Slot) -> Option<&mut Arc<Topic>> {
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    fn take(&mut self, slot: Slot) -> Option<Arc<Topic>> {
        let taken = self.slots.get_mut(slot as usize)?.take();
        if taken.is_some() {
            self.free.push(slot);
        }
        taken
    }

    fn put(&mut self, topic: Arc<Topic>) -> Slot {
        if let Some(slot) = self.free.pop()
            && let Some(place) = self.slots.get_mut(slot as usize)
        {
            *place = Some(topic);
            return slot;
        }
        // A topic takes dozens of bytes in the input, so no input that fits in memory has 2^32.
        let slot = Slot::try_from(self.slots.len()).unwrap_or(Slot::MAX);
        self.slots.push(Some(topic));
        slot
    }
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
        self.topics.get(self.slot(id)?)
    }

    /// The topic that a name leads to: of several with one name, the last one written.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&Arc<Topic>> {
        self.topics.get(*self.by_name.get(name)?)
    }

    /// All topics of a name, in no order. Of a sound log it is one at most.
    pub fn of_name(&self, name: &str) -> impl Iterator<Item = &Arc<Topic>> {
        let contested = self.by_id.len() != self.by_name.len();
        let all = contested
            .then(|| self.iter().filter(move |t| *t.name == *name))
            .into_iter()
            .flatten();
        let one = (!contested).then(|| self.by_name(name)).flatten();
        one.into_iter().chain(all)
    }

    /// All topics in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Topic>> {
        self.topics.slots.iter().flatten()
    }

    /// The topics that names lead to, in no order.
    pub fn named(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<Topic>)> {
        self.by_name
            .iter()
            .filter_map(|(name, &slot)| Some((name, self.topics.get(slot)?)))
    }

    fn slot(&self, id: Uuid) -> Option<Slot> {
        match self.growing {
            Some((growing, slot)) if growing == id => Some(slot),
            _ => self.by_id.get(&id).copied(),
        }
    }

    /// Gives back what the list of the topic grown last reserved, when another one comes.
    fn grow(&mut self, next: Option<(Uuid, Slot)>) {
        if self.growing == next {
            return;
        }
        if let Some((_, slot)) = self.growing
            && let Some(topic) = self.topics.get_mut(slot).and_then(Arc::get_mut)
        {
            topic.partitions.shrink_to_fit();
        }
        self.growing = next;
    }

    /// Gives back what growing lists reserved; call it once all is read.
    pub(super) fn settle(&mut self) {
        self.grow(None);
        self.topics.slots.shrink_to_fit();
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
        let id = record.topic_id;
        let name: Arc<str> = record.name.to_str().into();
        // Topics of one cluster are often of one size: reserve as many as the one before has.
        let alike = self
            .growing
            .and_then(|(_, slot)| self.topics.get(slot))
            .map_or(0, |t| t.partitions.len().min(Self::RESERVED));
        let before = self.take(id);
        let topic = Arc::new(Topic {
            name: name.clone(),
            id,
            record: at,
            partitions: Vec::with_capacity(alike),
        });
        let slot = self.topics.put(topic.clone());
        self.by_id.insert(id, slot);
        self.grow(Some((id, slot)));
        let holder = self.by_name.insert(name.clone(), slot);
        let contested = holder
            .filter(|&holder| holder != slot)
            .and_then(|holder| self.topics.get(holder))
            .map(|other| {
                Conflict::new(
                    Code::DuplicateTopicName,
                    at,
                    format!(
                        "topic {name:?} has id {id} here and is there already with id {}; no record \
                         removed that one",
                        other.id
                    ),
                )
                .values(format!("id {}", other.id), format!("id {id}"))
                .against(other.record, format!("topic {name:?} with id {}", other.id))
                .applied()
            });
        let after = Some(topic);
        (Change::Topic { id, before, after }, contested)
    }

    /// The most partitions that room is made for before they are read.
    const RESERVED: usize = 256;

    /// Takes a topic out of all maps. The name goes with its topic, even when another topic of that
    /// name remains by id.
    fn take(&mut self, id: Uuid) -> Option<Arc<Topic>> {
        let slot = self.by_id.remove(&id)?;
        if self.growing.is_some_and(|(growing, _)| growing == id) {
            self.growing = None;
        }
        let topic = self.topics.take(slot)?;
        self.partitions = self.partitions.saturating_sub(topic.partitions.len());
        if self.by_name.get(&topic.name) == Some(&slot) {
            self.by_name.remove(&topic.name);
        }
        Some(topic)
    }

    pub(super) fn remove(
        &mut self,
        at: RecordRef,
        record: &RemoveTopicRecord<'_>,
    ) -> Result<Arc<Topic>, Conflict> {
        self.take(record.topic_id)
            .ok_or_else(|| unknown_topic(at, record.topic_id))
    }

    // Kafka: TopicDelta.replay(PartitionRecord) replaces the partition whole, epochs included.
    pub(super) fn set_partition(
        &mut self,
        id: Uuid,
        partition: Partition,
    ) -> Result<Change, Conflict> {
        let Some(slot) = self.slot(id) else {
            return Err(unknown_topic(partition.last(), id));
        };
        self.grow(Some((id, slot)));
        let Some(topic) = self.topics.get_mut(slot) else {
            return Err(unknown_topic(partition.last(), id));
        };
        let topic = Arc::make_mut(topic);
        let before = match topic.index(partition.id()) {
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
            topic: id,
            before,
            after: partition,
        })
    }

    pub(super) fn change_partition(
        &mut self,
        at: RecordRef,
        record: &PartitionChangeRecord<'_>,
        records: Records<'_>,
    ) -> Result<Change, Conflict> {
        let slot = self.slot(record.topic_id);
        let Some(topic) = slot.and_then(|slot| self.topics.get_mut(slot)) else {
            return Err(unknown_topic(at, record.topic_id));
        };
        let Some(old) = topic.partition(record.partition_id) else {
            let (id, name) = (record.partition_id, &topic.name);
            return Err(Conflict::new(
                Code::UnknownPartition,
                at,
                format!("change of partition {id} of topic {name:?}, which has no such partition"),
            )
            .against(
                topic.record,
                format!("the topic, with {} partitions", topic.partitions.len()),
            ));
        };
        let next = old.merge(at, record, records)?;
        let topic = Arc::make_mut(topic);
        let found = topic.index(next.id()).ok();
        let Some(slot) = found.and_then(|found| topic.partitions.get_mut(found)) else {
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
        let slots: Vec<Slot> = if name.is_empty() {
            self.by_id.values().copied().collect()
        } else if let Some(slot) = self.by_name.get(&*name) {
            vec![*slot]
        } else {
            return Err(Conflict::new(
                Code::UnknownTopic,
                at,
                format!("the ELR of topic {name:?} is cleared, and there is no such topic"),
            ));
        };
        let mut cleared = Vec::new();
        for slot in slots {
            let Some(topic) = self.topics.get_mut(slot) else {
                continue;
            };
            let id = topic.id;
            if !topic.partitions.iter().any(Partition::has_elr) {
                continue;
            }
            for partition in Arc::make_mut(topic)
                .partitions
                .iter_mut()
                .filter(|p| p.has_elr())
            {
                cleared.push((id, partition.clone()));
                partition.clear_elr(at);
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
