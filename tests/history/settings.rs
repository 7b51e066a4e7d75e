//! What administrators set: features, configurations, quotas, and the producer id blocks that brokers ask
//! for.

use super::cluster::{Cluster, Step};
use kraftlens::record::{Fields, fields, record};

const TOPIC: i8 = 2;
const BROKER: i8 = 4;
const BROKER_LOGGER: i8 = 8;
const CLIENT_METRICS: i8 = 16;
const GROUP: i8 = 32;

/// Lowering the level must not cross one that changed the records: these runs may be walked downwards.
const DOWNGRADES: &[(i16, i16)] = &[(8, 10), (11, 12), (15, 16), (17, 22), (23, 29), (30, 31)];

impl Cluster {
    pub(super) fn change_feature(&mut self, step: &mut Step<'_>) {
        if step.random.percent(50) {
            let down = DOWNGRADES
                .iter()
                .find(|(low, high)| (low + 1..=*high).contains(&self.level))
                .filter(|_| step.random.percent(30));
            let level = match down {
                Some((low, _)) => step.random.within((*low).into(), (self.level - 1).into()),
                None => step
                    .random
                    .within(self.level.into(), 33.min(i64::from(self.level) + 4)),
            };
            self.level = level as i16;
            step.push(feature("metadata.version", self.level));
            return;
        }
        let (name, highest) = *step.random.pick(&[
            ("transaction.version", 2),
            ("group.version", 1),
            ("eligible.leader.replicas.version", 1),
            ("share.version", 2),
            ("streams.version", 1),
            // Written by mistake by some releases, and passed over by all that came later.
            ("kraft.version", 1),
        ]);
        if name.starts_with("eligible") && self.level < 23 {
            return;
        }
        let level = step.random.below(highest + 1) as i16;
        self.features.insert(name, level);
        step.push(feature(name, level));
        if name.starts_with("eligible") && level > 0 {
            // Turning it on fixes the default for the cluster and takes it from single brokers.
            self.set_config(step, BROKER, "", "min.insync.replicas");
        }
    }

    pub(super) fn change_config(&mut self, step: &mut Step<'_>) {
        let known: Vec<_> = self.configs.iter().cloned().collect();
        if !known.is_empty() && step.random.percent(35) {
            let (kind, resource, key) = step.random.pick(&known).clone();
            self.delete_config(step, kind, &resource, &key);
            return;
        }
        let (kind, resource, keys): (i8, String, &[&str]) = match step.random.below(12) {
            0..4 => {
                let Some(name) = self.any_topic(step) else {
                    return;
                };
                (
                    TOPIC,
                    name,
                    &[
                        "retention.ms",
                        "cleanup.policy",
                        "message.format.version",
                        "min.insync.replicas",
                    ],
                )
            }
            4..7 => {
                let id = step.random.below(10).to_string();
                let keys = &[
                    "num.io.threads",
                    "ssl.keystore.password",
                    "listener.name.x.ssl.key.password",
                    "my.own.key",
                ];
                (
                    BROKER,
                    if step.random.percent(30) {
                        String::new()
                    } else {
                        id
                    },
                    keys,
                )
            }
            7 => (
                BROKER_LOGGER,
                step.random.below(10).to_string(),
                &["kafka.Log", "ROOT"],
            ),
            8 | 9 => (
                CLIENT_METRICS,
                step.random.odd_text(),
                &["metrics", "interval.ms", "match"],
            ),
            _ => {
                let name = if step.random.percent(20) {
                    String::new()
                } else {
                    step.random.odd_text()
                };
                (
                    GROUP,
                    name,
                    &["consumer.session.timeout.ms", "share.heartbeat.interval.ms"],
                )
            }
        };
        let key = *step.random.pick(keys);
        self.set_config(step, kind, &resource, key);
    }

    pub(super) fn set_config(&mut self, step: &mut Step<'_>, kind: i8, resource: &str, key: &str) {
        let value = match step.random.below(10) {
            0 => String::new(),
            1 => "two\nlines".to_owned(),
            2 => "\n".to_owned(),
            3 => " spaces at both ends ".to_owned(),
            4 => step.random.odd_text(),
            5 => "v".repeat(3000),
            _ => step.random.below(100_000).to_string(),
        };
        step.push(
            record("ConfigRecord", 0)
                .set("ResourceType", kind)
                .set("ResourceName", resource)
                .set("Name", key)
                .set("Value", value),
        );
        self.configs
            .insert((kind, resource.to_owned(), key.to_owned()));
        if kind == TOPIC {
            step.unpublished.configured.insert(resource.to_owned());
        }
    }

    fn delete_config(&mut self, step: &mut Step<'_>, kind: i8, resource: &str, key: &str) {
        step.push(
            record("ConfigRecord", 0)
                .set("ResourceType", kind)
                .set("ResourceName", resource)
                .set("Name", key)
                .set("Value", None::<&str>),
        );
        self.configs
            .remove(&(kind, resource.to_owned(), key.to_owned()));
        if kind == TOPIC {
            step.unpublished.configured.insert(resource.to_owned());
        }
    }

    pub(super) fn change_quota(&mut self, step: &mut Step<'_>) {
        let known: Vec<_> = self.quotas.iter().cloned().collect();
        if !known.is_empty() && step.random.percent(30) {
            let (entity, key) = step.random.pick(&known).clone();
            step.push(
                record("ClientQuotaRecord", 0)
                    .set("Entity", entity_fields(&entity))
                    .set("Key", key)
                    .set("Value", 0.0)
                    .set("Remove", true),
            );
            self.quotas.remove(&(entity, key));
            return;
        }
        let mut name = || (!step.random.percent(30)).then(|| step.random.odd_text());
        let (one, two) = (name(), name());
        let (entity, keys): (Vec<_>, &[&'static str]) = match step.random.below(4) {
            0 => (
                vec![("user", one)],
                &[
                    "producer_byte_rate",
                    "consumer_byte_rate",
                    "controller_mutation_rate",
                ],
            ),
            1 => (
                vec![("client-id", one)],
                &["producer_byte_rate", "request_percentage"],
            ),
            2 => (
                vec![("user", one), ("client-id", two)],
                &["consumer_byte_rate", "request_percentage"],
            ),
            _ => {
                let ip =
                    step.random
                        .pick(&[None, Some("10.0.0.1"), Some("::1"), Some("fe80::1%eth0")]);
                (
                    vec![("ip", ip.map(str::to_owned))],
                    &["connection_creation_rate"],
                )
            }
        };
        let key = *step.random.pick(keys);
        // Doubles that every Java release prints alike.
        let value = *step.random.pick(&[
            0.1,
            0.5,
            1.0,
            12.5,
            99.99,
            1024.0,
            0.001,
            9_999_999.0,
            1.0e7,
            123_456_789.0,
            1.0e10,
            2.5e-4,
            9_007_199_254_740_991.0,
        ]);
        step.push(
            record("ClientQuotaRecord", 0)
                .set("Entity", entity_fields(&entity))
                .set("Key", key)
                .set("Value", value),
        );
        self.quotas.insert((entity, key));
    }

    pub(super) fn allocate_producer_ids(&mut self, step: &mut Step<'_>) {
        let ids = self.broker_ids();
        if ids.is_empty() {
            return;
        }
        let id = *step.random.pick(&ids);
        self.producer_ids += 1000;
        step.push(
            record("ProducerIdsRecord", 0)
                .set("BrokerId", id)
                .set("BrokerEpoch", self.brokers[&id].epoch)
                .set("NextProducerId", self.producer_ids),
        );
    }

    pub(super) fn zookeeper(&self, step: &mut Step<'_>) {
        if (8..22).contains(&self.level) {
            let state = step.random.below(4) as i8;
            step.push(record("ZkMigrationStateRecord", 0).set("ZkMigrationState", state));
        }
    }
}

pub(super) fn feature(name: &str, level: i16) -> kraftlens::record::RecordBuilder {
    record("FeatureLevelRecord", 0)
        .set("Name", name)
        .set("FeatureLevel", level)
}

fn entity_fields(entity: &[(&'static str, Option<String>)]) -> Vec<Fields> {
    entity
        .iter()
        .map(|(kind, name)| {
            fields()
                .set("EntityType", *kind)
                .set("EntityName", name.clone())
        })
        .collect()
}
