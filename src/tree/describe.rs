//! The facts of each kind of node.

mod files;
mod findings;
mod members;

pub use files::file_kind;
pub use findings::finding;

use super::detail::{Facts, Value};
use super::{Node, REDACTED, Tree, definition, names};
use crate::facts::{codes, levels, secrets};
use crate::ids::Uuid;
use crate::image::{Partition, TransactionEnd};
use crate::record::{MetadataRecord, Text};
use crate::source::RecordRef;
use crate::text::Hex;

impl Tree<'_> {
    /// What is known of a node, its origin last. Empty for the plain directories.
    #[must_use]
    pub fn facts(&self, node: &Node) -> Facts {
        self.known(node).unwrap_or_default()
    }

    /// The same without the origin.
    #[must_use]
    pub fn own_facts(&self, node: &Node) -> Facts {
        self.own(node).unwrap_or_default()
    }

    /// The record that a node was last set by.
    #[must_use]
    pub fn origin(&self, node: &Node) -> Option<RecordRef> {
        let image = self.state().image();
        let topic = |id: &Uuid| image.topics().by_id(*id);
        match node {
            Node::MetadataVersion => image.features().metadata_version().map(|(_, at)| at),
            Node::Feature(name) => image.features().record(name),
            Node::Broker(id) => image.cluster().brokers().get(id).map(|b| b.last),
            Node::Controller(id) => image
                .cluster()
                .controllers()
                .get(id)
                .map(|c| c.registration),
            Node::Topic(_, id) | Node::TopicName(_, id) | Node::TopicId(_, id) => {
                topic(id).map(|t| t.record())
            }
            Node::Partition(_, id, n) => topic(id)?.partition(*n).map(Partition::last),
            Node::Config(resource, key) => image.configs().get(resource)?.get(key).copied(),
            Node::Quota(entity, key) => image.quotas().get(entity)?.get(key).map(|q| q.record),
            Node::NextProducerId => image.producer_ids().map(|(_, at)| at),
            Node::Acl(id) => image.acls().get(*id),
            Node::Credential(mechanism, user) => image.scram().get(*mechanism, user),
            Node::Token(id) => image.tokens().get(id),
            Node::KraftVersion => image.quorum().kraft_version().map(|(_, at)| at),
            Node::Voters | Node::Voter(_) => image.quorum().voters().map(|set| set.record),
            Node::Leader(epoch) => image.quorum().leader_of(*epoch).map(|l| l.record),
            Node::Migration => image.migration().map(|(_, at)| at),
            Node::BrokerStaticConfigs(id) | Node::StaticConfig(id, _) => {
                image.cluster().brokers().get(id).map(|b| b.registration)
            }
            Node::Mark(id) => image
                .cluster()
                .controllers()
                .get(id)?
                .mark
                .map(|mark| mark.since),
            Node::Transaction(n) => self.state().transactions().get(*n).map(|t| t.begin),
            _ => None,
        }
    }

    /// Where a record comes from: file, byte, offset, epoch, time, and who led that epoch.
    #[must_use]
    pub fn origin_facts(&self, at: RecordRef) -> Option<Facts> {
        let image = self.state().image();
        let origin = image.log().origin(at)?;
        let mut facts = Facts::new()
            .with("file", origin.file.to_string_lossy())
            .with(
                "position",
                Value::Id(i64::try_from(origin.position.0).unwrap_or(i64::MAX)),
            )
            .with("offset", origin.offset)
            .with("epoch", origin.epoch)
            .with("time", origin.time);
        if origin.in_checkpoint {
            facts.add("note", "in a checkpoint: set at this offset or before");
        } else if let Some(leader) = image.quorum().leader_of(origin.epoch) {
            facts.add("leader", leader.leader);
        }
        Some(facts)
    }

    fn known(&self, node: &Node) -> Option<Facts> {
        let mut facts = self.own(node)?;
        if let Some(origin) = self.origin(node).and_then(|at| self.origin_facts(at)) {
            facts.add("origin", origin);
        }
        Some(facts)
    }

    fn own(&self, node: &Node) -> Option<Facts> {
        let state = self.state();
        let image = state.image();
        let records = image.records();
        Some(match node {
            Node::Provenance => {
                let p = image.provenance();
                Facts::new()
                    .with("offset", p.offset)
                    .with("epoch", p.epoch)
                    .with("time", p.time)
            }
            Node::MetadataVersion => match image.features().metadata_version() {
                Some((level, _)) => metadata_version(level),
                None => Facts::new().with("level", Value::Null),
            },
            Node::Feature(name) => Facts::new()
                .with("name", &**name)
                .with("level", image.features().level(name)),
            Node::Broker(id) => self.broker(*id)?,
            Node::Controller(id) => self.controller(image.cluster().controllers().get(id)?)?,
            Node::Topic(_, id) | Node::TopicName(_, id) | Node::TopicId(_, id) => {
                let topic = image.topics().by_id(*id)?;
                let all = topic.partitions();
                let count = |what: fn(&Partition) -> bool| all.iter().filter(|p| what(p)).count();
                let mut facts = Facts::new()
                    .with("name", &**topic.name())
                    .with("id", topic.id())
                    .with("partitions", all.len())
                    .with("offline", count(Partition::is_offline))
                    .with("underReplicated", count(Partition::is_under_replicated))
                    .with("reassigning", count(Partition::is_reassigning));
                let others = image.topics().of_name(topic.name());
                let others: Vec<Value> = others
                    .map(|t| t.id())
                    .filter(|other| other != id)
                    .map(Value::from)
                    .collect();
                if !others.is_empty() {
                    let named = image.topics().by_name(topic.name()).map(|t| t.id());
                    facts.add("nameAlsoOf", Value::List(others));
                    facts.add(
                        "note",
                        if named == Some(*id) {
                            "the name is contested: it leads here, the other is only found by id"
                        } else {
                            "the name is contested: it leads to another topic, this one is only found by id"
                        },
                    );
                }
                facts
            }
            Node::Partition(_, id, n) => self.partition(*id, *n)?,
            Node::Resource(resource) => {
                let configs = image.configs().get(resource)?;
                let mut all = Facts::new();
                for (key, &at) in &**configs {
                    all.add(&**key, self.config_value(resource.kind, key, at));
                }
                Facts::new()
                    .with(
                        "type",
                        codes::ConfigResourceType(resource.kind)
                            .readable()
                            .to_string(),
                    )
                    .with("name", &*resource.name)
                    .with("configs", all)
            }
            Node::Config(resource, key) => {
                let at = *image.configs().get(resource)?.get(key)?;
                let mut facts = Facts::new()
                    .with(
                        "type",
                        codes::ConfigResourceType(resource.kind)
                            .readable()
                            .to_string(),
                    )
                    .with("resource", &*resource.name)
                    .with("name", &**key)
                    .with("value", self.config_value(resource.kind, key, at));
                let kind = codes::ConfigResourceType(resource.kind);
                definition::add(&mut facts, kind, key);
                definition::add_dropped(&mut facts, kind, key);
                facts
            }
            Node::Entity(entity) => {
                let mut all = Facts::new();
                for (key, quota) in &**image.quotas().get(entity)? {
                    all.add(&**key, quota.value);
                }
                entity_facts(entity).with("quotas", all)
            }
            Node::Quota(entity, key) => entity_facts(entity)
                .with("name", &**key)
                .with("value", image.quotas().get(entity)?.get(key)?.value),
            Node::NextProducerId => {
                Facts::new().with("nextProducerId", image.producer_ids().map(|(next, _)| next))
            }
            Node::Acl(id) => match records.read(image.acls().get(*id)?)? {
                MetadataRecord::AccessControlEntry(r) => Facts::new()
                    .with("id", *id)
                    .with(
                        "resourceType",
                        codes::AclResourceType(r.resource_type)
                            .readable()
                            .to_string(),
                    )
                    .with("resourceName", r.resource_name)
                    .with(
                        "patternType",
                        codes::AclPatternType(r.pattern_type).readable().to_string(),
                    )
                    .with("principal", r.principal)
                    .with("host", r.host)
                    .with(
                        "operation",
                        codes::AclOperation(r.operation).readable().to_string(),
                    )
                    .with(
                        "permissionType",
                        codes::AclPermissionType(r.permission_type)
                            .readable()
                            .to_string(),
                    ),
                _ => return None,
            },
            Node::Credential(mechanism, user) => {
                match records.read(image.scram().get(*mechanism, user)?)? {
                    MetadataRecord::UserScramCredential(r) => {
                        let secret = |bytes| {
                            if self.reveals() {
                                Hex(bytes).to_string()
                            } else {
                                REDACTED.to_owned()
                            }
                        };
                        Facts::new()
                            .with("user", &**user)
                            .with(
                                "mechanism",
                                codes::ScramMechanism(*mechanism).readable().to_string(),
                            )
                            .with("iterations", r.iterations)
                            .with("salt", secret(r.salt))
                            .with("storedKey", secret(r.stored_key))
                            .with("serverKey", secret(r.server_key))
                    }
                    _ => return None,
                }
            }
            Node::Token(id) => match records.read(image.tokens().get(id)?)? {
                MetadataRecord::DelegationToken(r) => Facts::new()
                    .with("tokenId", &**id)
                    .with("owner", r.owner)
                    .with("requester", r.requester)
                    .with(
                        "renewers",
                        Value::List(r.renewers.iter().map(Into::into).collect()),
                    )
                    .with("issued", crate::ids::Timestamp(r.issue_timestamp))
                    .with("expires", crate::ids::Timestamp(r.expiration_timestamp))
                    .with("expiresAtLatest", crate::ids::Timestamp(r.max_timestamp))
                    .with("state", self.token_state(r.expiration_timestamp))
                    .with_note(
                        (r.expiration_timestamp < r.issue_timestamp)
                            .then_some("it expires before it was issued: it never was valid"),
                    ),
                _ => return None,
            },
            Node::Version => Facts::new().with("version", env!("CARGO_PKG_VERSION")),
            Node::KraftVersion => {
                let level = image.quorum().kraft_version().map_or(0, |(level, _)| level);
                let meaning = if level == 0 {
                    "static quorum: the voters are in each node's configuration, not here"
                } else {
                    "dynamic quorum: the voters are in the log"
                };
                Facts::new().with("level", level).with("meaning", meaning)
            }
            Node::Voter(id) => self.voter(image.quorum().voters()?, *id)?,
            Node::Leader(epoch) => self.leader(*epoch)?,
            Node::Migration => match image.migration() {
                Some((code, _)) => Facts::new()
                    .with(
                        "state",
                        codes::ZkMigrationState(code).readable().to_string(),
                    )
                    .with("code", code)
                    .with_note(self.migration_note(code)),
                None => Facts::new().with("state", Value::Null),
            },
            Node::BrokerStaticConfigs(id) => {
                let mut all = Facts::new();
                let mut bytes = 0u64;
                for (name, value) in self.static_configs(*id) {
                    let length = value.map_or(0, |v| v.bytes().len());
                    bytes = bytes.saturating_add(name.bytes().len().saturating_add(length) as u64);
                    all.add(name.to_str(), self.static_value(name, value));
                }
                Facts::new()
                    .with("broker", *id)
                    .with("size", Value::Size(bytes))
                    .with("configs", all)
            }
            Node::StaticConfig(id, key) => {
                let (name, value) = self
                    .static_configs(*id)
                    .find(|(name, _)| name.to_str() == **key)?;
                let mut facts = Facts::new()
                    .with("broker", *id)
                    .with("name", &**key)
                    .with("value", self.static_value(name, value));
                definition::add(&mut facts, codes::ConfigResourceType::BROKER, key);
                facts
            }
            Node::Mark(id) => {
                let controller = image.cluster().controllers().get(id)?;
                self.mark(controller.mark?, controller)
            }
            Node::Transaction(n) => {
                let t = state.transactions().get(*n)?;
                let (end, at, reason) = match &t.end {
                    TransactionEnd::Committed(at) => ("committed", Some(*at), None),
                    TransactionEnd::Aborted { record, reason } => {
                        ("aborted", Some(*record), reason.as_deref())
                    }
                    TransactionEnd::Open => ("open", None, None),
                };
                let mut facts = Facts::new()
                    .with("name", t.name.as_deref())
                    .with("state", end)
                    .with("records", t.records);
                if let Some(reason) = reason {
                    facts.add("reason", reason);
                }
                if let Some(ended) = at.and_then(|at| self.origin_facts(at)) {
                    facts.add("ended", ended);
                }
                facts
            }
            Node::File(n) => self.file(*n)?,
            Node::PassedOver(n) => {
                let file = image.log().passed_over().get(*n)?;
                Facts::new()
                    .with("path", file.path.to_string_lossy())
                    .with("kind", &*file.kind)
                    .with("passedOver", &*file.why)
            }
            Node::SideFile(kind) => self.side_file(*kind)?,
            Node::Finding(n) => self.finding(state.findings().kept().get(*n)?),
            _ => return None,
        })
    }

    // Log time, so that the answer stays the same whenever it is asked.
    fn token_state(&self, expires: i64) -> &'static str {
        if expires < self.state().image().provenance().time.0 {
            "expired"
        } else {
            "valid"
        }
    }

    fn migration_note(&self, code: i8) -> Option<String> {
        // Kafka: ZkMigrationState gave 1 and 2 the other way round in 3.4.
        /// The latest level of 3.4.
        const OF_3_4: i16 = 8;
        if !matches!(code, 1..=3) {
            return None;
        }
        let swapped = "a log that 3.4 wrote has 1 and 2 the other way round";
        Some(match self.state().image().features().metadata_version() {
            Some((level, _)) if level > OF_3_4 => format!(
                "{swapped}; the level here, {}, says that a later release wrote it",
                super::level_name(level)
            ),
            _ => format!("{swapped}, and this may be one"),
        })
    }

    fn config_value(&self, kind: i8, key: &str, at: RecordRef) -> Value {
        if self.hides_config(kind, key) {
            return REDACTED.into();
        }
        self.state().image().config_value(at).into()
    }

    fn static_value(&self, name: Text<'_>, value: Option<Text<'_>>) -> Value {
        if value.is_some() && !self.reveals() && secrets::is_secret_static_config(&name.to_str()) {
            return REDACTED.into();
        }
        value.into()
    }

    fn partition(&self, topic: Uuid, id: i32) -> Option<Facts> {
        let image = self.state().image();
        let topic = image.topics().by_id(topic)?;
        let partition = topic.partition(id)?;
        let view = image.partition(partition);
        let numbers = |list: crate::record::Array<'_, i32>| {
            Value::List(list.iter().map(Value::from).collect())
        };
        let leader = Some(partition.leader().0).filter(|&leader| leader != -1);
        let mut facts = Facts::new()
            .with("topic", &**topic.name())
            .with("topicId", topic.id())
            .with("partition", id)
            .with("leader", leader)
            .with("replicas", numbers(view.replicas))
            .with("isr", numbers(view.isr))
            .with("addingReplicas", numbers(view.adding))
            .with("removingReplicas", numbers(view.removing))
            .with("elr", numbers(view.elr))
            .with("lastKnownElr", numbers(view.last_known_elr))
            .with("directories", ids(view.directories.iter()))
            .with(
                "leaderRecoveryState",
                if partition.is_recovering() {
                    "RECOVERING"
                } else {
                    "RECOVERED"
                },
            )
            .with("leaderEpoch", partition.leader_epoch())
            .with("partitionEpoch", partition.partition_epoch());
        if partition.last() != partition.created() {
            facts.add("created", self.origin_facts(partition.created()));
        }
        Some(facts)
    }
}

fn metadata_version(level: i16) -> Facts {
    let mut facts = Facts::new()
        .with("level", level)
        .with("name", super::level_name(level).into_owned());
    if let Some((first, _)) = levels::readers(level) {
        facts.add("neededRelease", first.to_string());
    }
    facts
}

fn entity_facts(entity: &crate::image::Entity) -> Facts {
    let mut parts = Facts::new();
    for (kind, name) in entity.parts() {
        match name {
            Some(name) => parts.add(kind, name),
            None => parts.add(kind, Value::Null),
        }
    }
    let defaults: Vec<Value> = entity
        .parts()
        .filter(|(_, name)| name.is_none())
        .map(|(kind, _)| kind.into())
        .collect();
    Facts::new()
        .with("entity", parts)
        .with("defaultFor", Value::List(defaults))
        .with("kafkaName", names::kafka_entity(entity))
}

fn ids(ids: impl Iterator<Item = Uuid>) -> Value {
    Value::List(ids.map(Value::from).collect())
}
