//! How available partitions are: counts of one pass, and the min.insync.replicas that each is held to.

use super::{Configs, Image, Partition, Resource, Topic};
use crate::facts::codes::ConfigResourceType;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The config, of one name at all levels.
pub const MIN_ISR: &str = "min.insync.replicas";

/// Where the min.insync.replicas of a partition comes from, the most specific first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MinIsrSource {
    /// A config of the topic.
    Topic,
    /// A dynamic config of the broker that leads.
    LeaderDynamic,
    /// The dynamic default of all brokers.
    ClusterDefault,
    /// What the broker that leads reported of its configuration file.
    LeaderStatic,
    /// Nothing says: 1, as in a Kafka without any setting.
    Assumed,
}

/// The min.insync.replicas that each partition is held to, as far as the log tells.
// Kafka: KafkaConfigSchema.resolveEffectiveTopicConfig, asked by the leader as for its metric.
#[derive(Debug)]
pub struct MinIsr<'a> {
    image: &'a Image,
    of_topics: bool,
    cluster: Option<i32>,
    dynamic: BTreeMap<i32, i32>,
    reported: BTreeMap<i32, i32>,
}

impl<'a> MinIsr<'a> {
    /// Reads what brokers and the cluster set.
    #[must_use]
    pub fn of(image: &'a Image) -> Self {
        let mut read = Self {
            image,
            of_topics: false,
            cluster: None,
            dynamic: BTreeMap::new(),
            reported: BTreeMap::new(),
        };
        for (resource, configs) in image.configs().iter() {
            let Some(&at) = configs.get(MIN_ISR) else {
                continue;
            };
            match ConfigResourceType(resource.kind) {
                ConfigResourceType::TOPIC => read.of_topics = true,
                ConfigResourceType::BROKER => {
                    let Some(value) = image.config_value(at).and_then(|v| number(&v)) else {
                        continue;
                    };
                    if resource.name.is_empty() {
                        read.cluster = Some(value);
                    } else if let Ok(id) = resource.name.parse() {
                        read.dynamic.insert(id, value);
                    }
                }
                _ => {}
            }
        }
        for broker in image.cluster().brokers().values() {
            let record = image.records().broker(broker.registration);
            let value = record
                .and_then(|record| record.static_configs.present())
                .and_then(|configs| {
                    configs
                        .iter()
                        .find(|c| c.name.bytes() == MIN_ISR.as_bytes())
                })
                .and_then(|config| number(&config.value?.to_str()));
            if let Some(value) = value {
                read.reported.insert(broker.id, value);
            }
        }
        read
    }

    /// What a topic sets for its partitions.
    fn of_topic(&self, topic: &Topic) -> Option<i32> {
        if !self.of_topics {
            return None;
        }
        let resource = Resource {
            kind: ConfigResourceType::TOPIC.0,
            name: Arc::clone(topic.name()),
        };
        let configs: &Configs = self.image.configs();
        let at = *configs.get(&resource)?.get(MIN_ISR)?;
        number(&self.image.config_value(at)?)
    }

    /// The value for a partition of a topic whose own setting is known, and where it comes from.
    fn resolve(&self, of_topic: Option<i32>, leader: i32) -> (i32, MinIsrSource) {
        use MinIsrSource as S;
        let found = of_topic.map(|value| (value, S::Topic));
        found
            .or_else(|| Some((*self.dynamic.get(&leader)?, S::LeaderDynamic)))
            .or_else(|| Some((self.cluster?, S::ClusterDefault)))
            .or_else(|| Some((*self.reported.get(&leader)?, S::LeaderStatic)))
            .unwrap_or((1, S::Assumed))
    }

    /// The value for a partition, and where it comes from.
    #[must_use]
    pub fn value(&self, topic: &Topic, partition: &Partition) -> (i32, MinIsrSource) {
        self.resolve(self.of_topic(topic), partition.leader().0)
    }
}

/// A value that Kafka's type of this config reads.
fn number(text: &str) -> Option<i32> {
    text.trim().parse().ok()
}

/// Partitions by what is to be said of them. One partition may count several times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PartitionCounts {
    /// All.
    pub partitions: u64,
    /// Without a leader.
    pub offline: u64,
    /// Led by a broker that is fenced or not registered.
    pub leader_not_live: u64,
    /// With fewer in-sync replicas than replicas, those being added left out.
    // Kafka: TopicCommand --under-replicated-partitions.
    pub under_replicated: u64,
    /// Without a leader, or with fewer in-sync replicas than min.insync.replicas.
    // Kafka: TopicCommand --under-min-isr-partitions.
    pub under_min_isr: u64,
    /// With just as many in-sync replicas as min.insync.replicas.
    pub at_min_isr: u64,
    /// Not led by their first replica, leaderless ones included.
    pub not_preferred_leader: u64,
    /// Being reassigned.
    pub reassigning: u64,
    /// Whose leader of an unclean election still recovers.
    pub recovering: u64,
    /// With eligible leader replicas outside the ISR, or last known ones.
    pub with_elr: u64,
    /// By where their min.insync.replicas comes from.
    pub min_isr_sources: BTreeMap<MinIsrSource, u64>,
}

impl PartitionCounts {
    /// Counts all partitions of an image in one pass over them, without reading their records.
    #[must_use]
    pub fn of(image: &Image) -> Self {
        let min_isr = MinIsr::of(image);
        let live: std::collections::HashSet<i32> = image
            .cluster()
            .brokers()
            .values()
            .filter(|broker| !broker.fenced)
            .map(|broker| broker.id)
            .collect();
        let mut counts = Self::default();
        for topic in image.topics().iter() {
            let of_topic = min_isr.of_topic(topic);
            for partition in topic.partitions() {
                let leader = partition.leader().0;
                let (min, source) = min_isr.resolve(of_topic, leader);
                let isr = i32::try_from(partition.isr_count()).unwrap_or(i32::MAX);
                let offline = partition.is_offline();
                for (holds, count) in [
                    (true, &mut counts.partitions),
                    (offline, &mut counts.offline),
                    (
                        !offline && !live.contains(&leader),
                        &mut counts.leader_not_live,
                    ),
                    (
                        partition.is_under_replicated(),
                        &mut counts.under_replicated,
                    ),
                    (offline || isr < min, &mut counts.under_min_isr),
                    (isr == min, &mut counts.at_min_isr),
                    (
                        !partition.has_preferred_leader(),
                        &mut counts.not_preferred_leader,
                    ),
                    (partition.is_reassigning(), &mut counts.reassigning),
                    (partition.is_recovering(), &mut counts.recovering),
                    (partition.has_elr(), &mut counts.with_elr),
                    (true, counts.min_isr_sources.entry(source).or_default()),
                ] {
                    *count = count.saturating_add(u64::from(holds));
                }
            }
        }
        counts
    }
}
