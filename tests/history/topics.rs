//! Topics and their partitions, in every form of change.

use super::cluster::{Cluster, Partition, Step, Topic, partition_version};
use kraftlens::ids::Uuid;
use kraftlens::record::{RecordBuilder, record};

const NAMES: &[&str] = &[
    "orders",
    "payments",
    "0",
    "1.2",
    "_",
    "...",
    "__consumer_offsets",
    "__transaction_state",
    "name",
    "id",
    "a-b_c",
    "UPPER",
    "partition-7",
];

impl Cluster {
    pub(super) fn create_topic(&mut self, step: &mut Step<'_>) {
        let name = match step.random.below(10) {
            0..6 => (*step.random.pick(NAMES)).to_owned(),
            6 => "x".repeat(249),
            _ => format!("topic-{}", step.random.below(40)),
        };
        if self.brokers.is_empty() || self.topics.contains_key(&name) {
            return;
        }
        let id = step.random.uuid();
        step.push(
            record("TopicRecord", 0)
                .set("Name", &name)
                .set("TopicId", id),
        );
        if step.random.percent(30) {
            // As the controller has it: configuration of a new topic stands between topic and partitions.
            self.set_config(step, 2, &name, "retention.ms");
        }
        self.topics.insert(
            name.clone(),
            Topic {
                id,
                partitions: Vec::new(),
            },
        );
        let partitions = if step.random.percent(5) {
            12
        } else {
            1 + step.random.below(5)
        };
        for _ in 0..partitions {
            self.add_partition(step, &name);
        }
    }

    pub(super) fn create_partitions(&mut self, step: &mut Step<'_>) {
        if let Some(name) = self.any_topic(step)
            && !self.brokers.is_empty()
        {
            for _ in 0..1 + step.random.below(3) {
                self.add_partition(step, &name);
            }
        }
    }

    fn add_partition(&mut self, step: &mut Step<'_>, name: &str) {
        let brokers = self.broker_ids();
        let count = 1 + step.random.below(4);
        let replicas = step.random.some(&brokers, count);
        let isr = if step.random.percent(80) {
            replicas.clone()
        } else {
            vec![replicas[0]]
        };
        let partition = Partition {
            leader: replicas[0],
            replicas,
            isr,
            ..Partition::default()
        };
        let topic = self.topics.get(name).expect("the caller found it");
        let mut new = record("PartitionRecord", partition_version(self.level))
            .set("PartitionId", topic.partitions.len() as i32)
            .set("TopicId", topic.id)
            .set("Replicas", partition.replicas.clone())
            .set("Isr", partition.isr.clone())
            .set("Leader", partition.leader)
            .set("LeaderEpoch", 0)
            .set("PartitionEpoch", 0);
        if self.level >= 17 {
            new = new.set("Directories", self.directories(step, &partition.replicas));
        }
        step.push(new);
        let topic = self.topics.get_mut(name).expect("the caller found it");
        topic.partitions.push(partition);
    }

    /// Where the replicas are: not said yet, lost, moved from a level without directories, or in one.
    fn directories(&self, step: &mut Step<'_>, replicas: &[i32]) -> Vec<Uuid> {
        let same = step.random.below(10);
        replicas
            .iter()
            .map(|id| {
                match self
                    .brokers
                    .get(id)
                    .map(|broker| broker.directories.as_slice())
                {
                    _ if same == 0 => Uuid::ZERO,
                    _ if same == 1 => Uuid::UNASSIGNED,
                    Some(directories) if !directories.is_empty() && step.random.percent(60) => {
                        *step.random.pick(directories)
                    }
                    _ => *step.random.pick(&[
                        Uuid::UNASSIGNED,
                        Uuid::UNASSIGNED,
                        Uuid::LOST,
                        Uuid::ZERO,
                    ]),
                }
            })
            .collect()
    }

    pub(super) fn remove_topic(&mut self, step: &mut Step<'_>) {
        let Some(name) = self.any_topic(step) else {
            return;
        };
        if step.unpublished.configured.contains(&name) {
            return;
        }
        let topic = self.topics.remove(&name).expect("it was picked from there");
        self.configs
            .retain(|(kind, resource, _)| *kind != 2 || *resource != name);
        step.push(record("RemoveTopicRecord", 0).set("TopicId", topic.id));
        step.unpublished.removed.insert(name);
    }

    pub(super) fn any_topic(&self, step: &mut Step<'_>) -> Option<String> {
        let names: Vec<_> = self.topics.keys().collect();
        (!names.is_empty()).then(|| (*step.random.pick(&names)).clone())
    }

    pub(super) fn change_partition(&mut self, step: &mut Step<'_>) {
        let Some(name) = self.any_topic(step) else {
            return;
        };
        let topic = &self.topics[&name];
        if topic.partitions.is_empty() {
            return;
        }
        let index = step.random.below(topic.partitions.len());
        let mut partition = topic.partitions[index].clone();
        let change = self.begin_change(topic.id, index);
        if let Some(change) = self.some_change(step, &mut partition, change) {
            step.push(change);
            let topic = self
                .topics
                .get_mut(&name)
                .expect("it was picked from there");
            topic.partitions[index] = partition;
        }
    }

    fn begin_change(&self, topic: Uuid, index: usize) -> RecordBuilder {
        record("PartitionChangeRecord", partition_version(self.level))
            .set("PartitionId", index as i32)
            .set("TopicId", topic)
    }

    /// A change that fits what the partition is, or none.
    fn some_change(
        &self,
        step: &mut Step<'_>,
        partition: &mut Partition,
        change: RecordBuilder,
    ) -> Option<RecordBuilder> {
        let kind = step.random.below(12);
        Some(match kind {
            0 | 1 if partition.leader < 0 => self.elect_again(step, partition, change),
            0 | 1 if partition.isr.len() > 1 => {
                let leaving = *step.random.pick(&partition.isr);
                self.leave_isr(partition, leaving, change)
            }
            2 | 3 if partition.isr.len() < partition.replicas.len() && partition.leader >= 0 => {
                let joining = partition
                    .replicas
                    .iter()
                    .find(|id| !partition.isr.contains(id))
                    .copied()?;
                partition.isr.push(joining);
                partition.eligible.clear();
                let change = change.set("Isr", partition.isr.clone());
                if self.elr() {
                    change
                        .set("EligibleLeaderReplicas", Vec::<i32>::new())
                        .set("LastKnownElr", Vec::<i32>::new())
                } else {
                    change
                }
            }
            4 if partition.isr.len() > 1 => {
                partition.leader = *step.random.pick(&partition.isr);
                change.set("Leader", partition.leader)
            }
            5 if partition.leader >= 0 => self.lose_leader(partition, change),
            // A bump of the leader epoch alone.
            6 if partition.leader >= 0 => change.set("Leader", partition.leader),
            7 if !partition.reassigned() => self.reassign(step, partition, change)?,
            8 | 9 if partition.reassigned() => self.end_reassignment(step, partition, change),
            10 if self.level >= 17 => {
                change.set("Directories", self.directories(step, &partition.replicas))
            }
            11 if partition.recovering => {
                partition.recovering = false;
                change.set("LeaderRecoveryState", 0i8)
            }
            _ => return None,
        })
    }

    /// Takes a broker out of the ISR, and its lead if it has it.
    fn leave_isr(
        &self,
        partition: &mut Partition,
        id: i32,
        mut change: RecordBuilder,
    ) -> RecordBuilder {
        if partition.isr == [id] {
            return self.lose_leader(partition, change);
        }
        partition.isr.retain(|other| *other != id);
        change = change.set("Isr", partition.isr.clone());
        if partition.leader == id {
            partition.leader = partition.isr[0];
            change = change.set("Leader", partition.leader);
        } else if self.level < 12 {
            // The leader epoch rises with each shrinking of the ISR at these levels.
            change = change.set("Leader", partition.leader);
        }
        if self.elr() {
            partition.eligible.push(id);
            change = change.set("EligibleLeaderReplicas", partition.eligible.clone());
        }
        change
    }

    fn lose_leader(&self, partition: &mut Partition, mut change: RecordBuilder) -> RecordBuilder {
        let last = partition.leader;
        partition.leader = -1;
        change = change.set("Leader", -1);
        if self.elr() {
            partition.isr.clear();
            partition.eligible.retain(|id| *id != last);
            change = change
                .set("Isr", Vec::<i32>::new())
                .set("LastKnownElr", vec![last]);
            change = change.set("EligibleLeaderReplicas", partition.eligible.clone());
        } else {
            partition.isr = vec![last];
            change = change.set("Isr", vec![last]);
        }
        change
    }

    /// Gives a leaderless partition a leader: a member of the ISR, an eligible replica, or any replica,
    /// which then has to recover.
    fn elect_again(
        &self,
        step: &mut Step<'_>,
        partition: &mut Partition,
        mut change: RecordBuilder,
    ) -> RecordBuilder {
        let clean = [&partition.isr[..], &partition.eligible[..]].concat();
        let unclean = clean.is_empty() || step.random.percent(40);
        let from = if unclean { &partition.replicas } else { &clean };
        partition.leader = *step.random.pick(from);
        partition.isr = vec![partition.leader];
        change = change
            .set("Leader", partition.leader)
            .set("Isr", partition.isr.clone());
        if unclean {
            partition.recovering = true;
            change = change.set("LeaderRecoveryState", 1i8);
        }
        if self.elr() {
            partition.eligible.retain(|id| *id != partition.leader);
            change = change
                .set("EligibleLeaderReplicas", partition.eligible.clone())
                .set("LastKnownElr", Vec::<i32>::new());
        }
        change
    }

    fn reassign(
        &self,
        step: &mut Step<'_>,
        partition: &mut Partition,
        change: RecordBuilder,
    ) -> Option<RecordBuilder> {
        let count = 1 + step.random.below(3);
        let target = step.random.some(&self.broker_ids(), count);
        let adding: Vec<i32> = target
            .iter()
            .filter(|id| !partition.replicas.contains(id))
            .copied()
            .collect();
        let removing: Vec<i32> = partition
            .replicas
            .iter()
            .filter(|id| !target.contains(id))
            .copied()
            .collect();
        if adding.is_empty() && removing.is_empty() || target.is_empty() {
            return None;
        }
        // Kafka puts the target first and what goes behind it.
        partition.replicas = [target, removing.clone()].concat();
        (partition.adding, partition.removing) = (adding, removing);
        let mut change = change.set("Replicas", partition.replicas.clone());
        if !partition.adding.is_empty() {
            change = change.set("AddingReplicas", partition.adding.clone());
        }
        if !partition.removing.is_empty() {
            change = change.set("RemovingReplicas", partition.removing.clone());
        }
        Some(self.with_directories(step, partition, change))
    }

    /// Completes a reassignment, or calls it off.
    fn end_reassignment(
        &self,
        step: &mut Step<'_>,
        partition: &mut Partition,
        mut change: RecordBuilder,
    ) -> RecordBuilder {
        let gone = if step.random.percent(70) {
            partition.removing.clone()
        } else {
            partition.adding.clone()
        };
        let mut replicas = partition.replicas.clone();
        replicas.retain(|id| !gone.contains(id));
        if replicas.is_empty() {
            replicas = gone;
        }
        partition.isr.retain(|id| replicas.contains(id));
        partition.eligible.retain(|id| replicas.contains(id));
        if partition.isr.is_empty() {
            partition.isr = vec![replicas[0]];
        }
        if !partition.isr.contains(&partition.leader) && partition.leader >= 0 {
            partition.leader = partition.isr[0];
        }
        change = change
            .set("Isr", partition.isr.clone())
            .set("Replicas", replicas.clone())
            .set("Leader", partition.leader);
        if !partition.adding.is_empty() {
            change = change.set("AddingReplicas", Vec::<i32>::new());
        }
        if !partition.removing.is_empty() {
            change = change.set("RemovingReplicas", Vec::<i32>::new());
        }
        if self.elr() {
            change = change.set("EligibleLeaderReplicas", partition.eligible.clone());
        }
        partition.replicas = replicas;
        partition.adding.clear();
        partition.removing.clear();
        self.with_directories(step, partition, change)
    }

    fn with_directories(
        &self,
        step: &mut Step<'_>,
        partition: &Partition,
        change: RecordBuilder,
    ) -> RecordBuilder {
        if self.level >= 17 {
            change.set("Directories", self.directories(step, &partition.replicas))
        } else {
            change
        }
    }

    /// Takes a broker that goes out of every ISR that it is in.
    pub(super) fn leave_every_isr(&mut self, step: &mut Step<'_>, id: i32) {
        let mut topics = std::mem::take(&mut self.topics);
        for topic in topics.values_mut() {
            for (index, partition) in topic.partitions.iter_mut().enumerate() {
                if partition.isr.contains(&id) && partition.leader >= 0 {
                    let change = self.begin_change(topic.id, index);
                    step.push(self.leave_isr(partition, id, change));
                }
            }
        }
        self.topics = topics;
    }

    pub(super) fn clear_elr(&mut self, step: &mut Step<'_>) {
        if self.level < 23 || !step.unpublished.removed.is_empty() {
            return;
        }
        let one = self.any_topic(step).filter(|_| step.random.percent(60));
        for (name, topic) in &mut self.topics {
            if one.as_ref().is_none_or(|one| one == name) {
                topic
                    .partitions
                    .iter_mut()
                    .for_each(|partition| partition.eligible.clear());
            }
        }
        step.push(record("ClearElrRecord", 0).set("TopicName", one.unwrap_or_default()));
    }
}
