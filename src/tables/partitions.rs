//! Columns of topics and partitions.

use super::column::{Column, Type as T};
use super::item::Item;
use crate::image::{MinIsrSource, Partition, PartitionView, Topic};
use crate::record::Array;
use crate::tree::Value;

pub(super) static TOPICS: &[Column] = &[
    Column::new("name", T::Text, "", "its name")
        .usual()
        .own(|i| topic(i, |t| (&**t.name()).into())),
    Column::new("id", T::Id, "", "its id")
        .usual()
        .own(|i| topic(i, |t| t.id().into())),
    Column::new(
        "partitions",
        T::Number,
        "partitions",
        "how many partitions it has",
    )
    .usual()
    .own(|i| topic(i, |t| t.partitions().len().into())),
    Column::new(
        "replicationFactor",
        T::Number,
        "replicas",
        "replicas of its first partition, as Kafka's own tool tells it",
    )
    .usual()
    .own(|i| {
        topic(i, |t| {
            t.partitions().first().map(Partition::replica_count).into()
        })
    }),
    Column::new(
        "replicas",
        T::Number,
        "replicas",
        "replicas of all its partitions together",
    )
    .own(|i| topic(i, |t| total(t, Partition::replica_count))),
    Column::new(
        "offline",
        T::Number,
        "partitions",
        "partitions without a leader",
    )
    .usual()
    .own(|i| topic(i, |t| count(t, Partition::is_offline))),
    Column::new(
        "underReplicated",
        T::Number,
        "partitions",
        "partitions with fewer in-sync replicas than replicas, those being added left out",
    )
    .usual()
    .own(|i| topic(i, |t| count(t, Partition::is_under_replicated))),
    Column::new(
        "underMinIsr",
        T::Number,
        "partitions",
        "partitions without a leader, or with fewer in-sync replicas than min.insync.replicas",
    )
    .usual()
    .own(|i| {
        topic(i, |t| {
            count(t, |p| {
                let (min, _) = i.table().min_isr().value(t, p);
                p.is_offline() || isr(p) < min
            })
        })
    }),
    Column::new(
        "reassigning",
        T::Number,
        "partitions",
        "partitions that are being reassigned",
    )
    .usual()
    .own(|i| topic(i, |t| count(t, Partition::is_reassigning))),
    Column::new("configs", T::Number, "keys", "dynamic configs of the topic").own(|i| {
        topic(i, |t| {
            let resource = crate::image::Resource {
                kind: crate::facts::codes::ConfigResourceType::TOPIC.0,
                name: t.name().clone(),
            };
            let configs = i.image().configs().get(&resource);
            configs.map_or(0, |c| c.len()).into()
        })
    }),
    Column::new(
        "nameTaken",
        T::Bool,
        "",
        "another topic has its name, and this one is only found by id",
    )
    .own(|i| {
        topic(i, |t| {
            let named = i.image().topics().by_name(t.name());
            (named.map(|n| n.id()) != Some(t.id())).into()
        })
    }),
];

pub(super) static PARTITIONS: &[Column] = &[
    Column::new("topic", T::Text, "", "name of its topic")
        .usual()
        .own(|i| topic(i, |t| (&**t.name()).into())),
    Column::new("topicId", T::Id, "", "id of its topic").own(|i| topic(i, |t| t.id().into())),
    Column::new("partition", T::Number, "number", "its number in the topic")
        .usual()
        .own(|i| partition(i, |p| p.id().into())),
    Column::new(
        "leader",
        T::Number,
        "broker id",
        "who leads it; null when no one does",
    )
    .usual()
    .own(|i| partition(i, |p| Some(p.leader().0).filter(|&id| id != -1).into())),
    Column::new(
        "replicas",
        T::Numbers,
        "broker ids",
        "its replicas, the preferred leader first",
    )
    .usual()
    .own(|i| view(i, |v| numbers(v.replicas))),
    Column::new("isr", T::Numbers, "broker ids", "its in-sync replicas")
        .usual()
        .own(|i| view(i, |v| numbers(v.isr))),
    Column::new("elr", T::Numbers, "broker ids", "eligible leader replicas")
        .own(|i| view(i, |v| numbers(v.elr))),
    Column::new(
        "lastKnownElr",
        T::Numbers,
        "broker ids",
        "last known eligible leader replicas",
    )
    .own(|i| view(i, |v| numbers(v.last_known_elr))),
    Column::new(
        "addingReplicas",
        T::Numbers,
        "broker ids",
        "replicas that a reassignment adds",
    )
    .own(|i| view(i, |v| numbers(v.adding))),
    Column::new(
        "removingReplicas",
        T::Numbers,
        "broker ids",
        "replicas that a reassignment removes",
    )
    .own(|i| view(i, |v| numbers(v.removing))),
    Column::new("directories", T::Ids, "", "log directory of each replica").own(|i| {
        view(i, |v| {
            Value::List(v.directories.iter().map(Value::from).collect())
        })
    }),
    Column::new(
        "leaderEpoch",
        T::Number,
        "epoch",
        "rises with every record that sets a leader",
    )
    .usual()
    .own(|i| partition(i, |p| p.leader_epoch().into())),
    Column::new(
        "partitionEpoch",
        T::Number,
        "epoch",
        "rises with every change record",
    )
    .usual()
    .own(|i| partition(i, |p| p.partition_epoch().into())),
    Column::new(
        "leaderRecoveryState",
        T::Text,
        "",
        "RECOVERED, or RECOVERING after an unclean election",
    )
    .own(|i| {
        partition(i, |p| {
            if p.is_recovering() {
                "RECOVERING"
            } else {
                "RECOVERED"
            }
            .into()
        })
    }),
    Column::new(
        "replicaCount",
        T::Number,
        "replicas",
        "how many replicas it has: len(replicas)",
    )
    .own(|i| partition(i, |p| p.replica_count().into())),
    Column::new(
        "isrSize",
        T::Number,
        "replicas",
        "how many of them are in sync: len(isr)",
    )
    .own(|i| partition(i, |p| p.isr_count().into())),
    Column::new(
        "minIsr",
        T::Number,
        "replicas",
        "the min.insync.replicas that it is held to",
    )
    .usual()
    .own(|i| min_isr(i, |min, _, _| min.into())),
    Column::new(
        "minIsrFrom",
        T::Text,
        "",
        "where minIsr comes from: topic, leader-dynamic, cluster-default, leader-static, assumed",
    )
    .own(|i| min_isr(i, |_, source, _| source_name(source).into())),
    Column::new("offline", T::Bool, "", "it has no leader")
        .own(|i| partition(i, |p| p.is_offline().into())),
    Column::new(
        "leaderNotLive",
        T::Bool,
        "",
        "its leader is fenced or not registered",
    )
    .own(|i| {
        partition(i, |p| {
            (!p.is_offline() && !i.table().live().contains(&p.leader().0)).into()
        })
    }),
    Column::new(
        "underReplicated",
        T::Bool,
        "",
        "fewer in-sync replicas than replicas, those being added left out",
    )
    .own(|i| partition(i, |p| p.is_under_replicated().into())),
    Column::new(
        "underMinIsr",
        T::Bool,
        "",
        "no leader, or fewer in-sync replicas than minIsr",
    )
    .own(|i| min_isr(i, |min, _, p| (p.is_offline() || isr(p) < min).into())),
    Column::new(
        "atMinIsr",
        T::Bool,
        "",
        "just as many in-sync replicas as minIsr",
    )
    .own(|i| min_isr(i, |min, _, p| (isr(p) == min).into())),
    Column::new(
        "preferredLeader",
        T::Number,
        "broker id",
        "its first replica",
    )
    .own(|i| view(i, |v| v.replicas.first().into())),
    Column::new(
        "notPreferredLeader",
        T::Bool,
        "",
        "its first replica does not lead it, or no one does",
    )
    .own(|i| partition(i, |p| (!p.has_preferred_leader()).into())),
    Column::new(
        "reassigning",
        T::Bool,
        "",
        "replicas are being added or removed",
    )
    .own(|i| partition(i, |p| p.is_reassigning().into())),
];

fn topic(item: &Item<'_, '_>, value: impl FnOnce(&Topic) -> Value) -> Value {
    item.topic().map_or(Value::Null, |topic| value(topic))
}

fn partition(item: &Item<'_, '_>, value: impl FnOnce(&Partition) -> Value) -> Value {
    item.partition().map_or(Value::Null, value)
}

fn view(item: &Item<'_, '_>, value: impl FnOnce(&PartitionView<'_>) -> Value) -> Value {
    item.view().map_or(Value::Null, value)
}

fn numbers(list: Array<'_, i32>) -> Value {
    Value::List(list.iter().map(Value::from).collect())
}

fn count(topic: &Topic, what: impl Fn(&Partition) -> bool) -> Value {
    topic.partitions().iter().filter(|p| what(p)).count().into()
}

fn total(topic: &Topic, what: impl Fn(&Partition) -> usize) -> Value {
    let each = topic.partitions().iter().map(what);
    each.fold(0usize, usize::saturating_add).into()
}

fn isr(partition: &Partition) -> i32 {
    i32::try_from(partition.isr_count()).unwrap_or(i32::MAX)
}

fn min_isr(
    item: &Item<'_, '_>,
    value: impl FnOnce(i32, MinIsrSource, &Partition) -> Value,
) -> Value {
    match (item.topic(), item.partition()) {
        (Some(topic), Some(partition)) => {
            let (min, source) = item.table().min_isr().value(topic, partition);
            value(min, source, partition)
        }
        _ => Value::Null,
    }
}

fn source_name(source: MinIsrSource) -> &'static str {
    match source {
        MinIsrSource::Topic => "topic",
        MinIsrSource::LeaderDynamic => "leader-dynamic",
        MinIsrSource::ClusterDefault => "cluster-default",
        MinIsrSource::LeaderStatic => "leader-static",
        MinIsrSource::Assumed => "assumed",
    }
}
