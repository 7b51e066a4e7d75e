//! The facts of each kind of node.

use super::detail::{Facts, Value};
use super::{Node, REDACTED, SideFile, Tree, definition, names};
use crate::error::Place;
use crate::facts::{codes, levels, secrets};
use crate::finding::{Code, Finding, Offered};
use crate::ids::{Epoch, Uuid};
use crate::image::{Controller, Mark, Partition, TransactionEnd, VoterSet};
use crate::log::FileKind;
use crate::record::{Frame, MetadataRecord, Text};
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

    /// A finding as facts, with the times of its places, and the bytes of a record that was not
    /// understood.
    fn finding(&self, finding: &Finding) -> Facts {
        let mut facts = finding_facts(finding, &|place| self.place(place));
        let not_understood = matches!(
            finding.code,
            Code::BadFrame
                | Code::PreviewFrame
                | Code::UnknownRecordType
                | Code::UnknownRecordVersion
                | Code::BadRecord
                | Code::LeftoverBytes
                | Code::UnknownTag
        );
        let log = self.state().image().log();
        let record = log.at_place(&finding.place).and_then(|(_, record)| record);
        if let Some(value) = record.and_then(|r| r.value()).filter(|_| not_understood) {
            facts.add("valueSize", Value::Size(value.len() as u64));
            facts.add("value", self.raw_value(value));
        }
        facts
    }

    /// The bytes of a record value that was not understood, the first of them when it is long.
    fn raw_value(&self, value: &[u8]) -> String {
        /// Enough for all but the largest records.
        const SHOWN: usize = 1024;
        let api_key = Frame::parse(value).ok().map(|frame| frame.api_key);
        if !self.reveals() && secrets::hides_whole_value(api_key) {
            return REDACTED.to_owned();
        }
        match value.get(..SHOWN) {
            Some(head) if head.len() < value.len() => format!("{}...", Hex(head)),
            _ => Hex(value).to_string(),
        }
    }

    fn place(&self, at: &Place) -> Facts {
        let mut facts = place(at);
        let found = self.state().image().log().at_place(at);
        if let Some((batch, record)) = found {
            let time = record.map_or(batch.header().max_timestamp, |r| batch.origin(&r).time);
            facts.add("time", time);
        }
        facts
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

    fn broker(&self, id: i32) -> Option<Facts> {
        let image = self.state().image();
        let broker = image.cluster().brokers().get(&id)?;
        let view = image.broker(broker)?;
        let r = &view.registration;
        // BrokerRegistrationState: fenced counts before controlled shutdown.
        let status = match (broker.fenced, broker.in_controlled_shutdown) {
            (true, _) => "fenced",
            (false, true) => "in controlled shutdown",
            (false, false) => "active",
        };
        let mut facts = Facts::new()
            .with("id", id)
            .with("status", status)
            .with("fenced", broker.fenced)
            .with("inControlledShutdown", broker.in_controlled_shutdown)
            .with("epoch", broker.epoch)
            .with("incarnationId", broker.incarnation)
            .with("rack", r.rack)
            .with(
                "endpoints",
                r.end_points
                    .iter()
                    .map(|e| endpoint(e.name, e.host, e.port, e.security_protocol))
                    .collect::<Vec<_>>(),
            )
            .with(
                "features",
                r.features
                    .iter()
                    .map(|f| feature(f.name, f.min_supported_version, f.max_supported_version))
                    .collect::<Vec<_>>(),
            )
            .with("isMigratingZkBroker", r.is_migrating_zk_broker.value())
            .with("logDirs", ids(view.log_dirs.iter()))
            .with(
                "cordonedLogDirs",
                view.cordoned.map(|dirs| ids(dirs.iter())),
            );
        match r.static_configs.present() {
            Some(configs) => facts.add("staticConfigs", configs.len()),
            None => facts.add("staticConfigs", "not reported"),
        }
        if broker.last != broker.registration {
            facts.add("registered", self.origin_facts(broker.registration));
        }
        Some(facts)
    }

    fn controller(&self, controller: &Controller) -> Option<Facts> {
        let image = self.state().image();
        let r = image.records().controller(controller.registration)?;
        let voter = image
            .quorum()
            .voters()
            .is_some_and(|set| set.voters.iter().any(|v| v.id.0 == controller.id));
        let mut facts = Facts::new().with("id", controller.id);
        // The mark has a line of its own and does not stand among the features.
        match controller.mark {
            Some(mark) => facts.add("marked", self.mark(mark, controller)),
            None => facts.add("marked", false),
        }
        if image.quorum().voters().is_some() {
            facts.add("voter", voter);
        }
        let features = r.features.iter().filter(|f| !is_mark(f.name));
        Some(
            facts
                .with("incarnationId", controller.incarnation)
                .with("zkMigrationReady", r.zk_migration_ready)
                .with(
                    "endpoints",
                    r.end_points
                        .iter()
                        .map(|e| endpoint(e.name, e.host, e.port, e.security_protocol))
                        .collect::<Vec<_>>(),
                )
                .with(
                    "features",
                    features
                        .map(|f| feature(f.name, f.min_supported_version, f.max_supported_version))
                        .collect::<Vec<_>>(),
                ),
        )
    }

    fn mark(&self, mark: Mark, controller: &Controller) -> Facts {
        let image = self.state().image();
        let mut facts = Facts::new().with("decommissioned", true);
        if let Some(origin) = image.log().origin(mark.since) {
            let since = if origin.in_checkpoint {
                "sinceAtLatest"
            } else {
                "since"
            };
            facts.add(since, origin.offset);
            facts.add("time", origin.time);
            facts.add("epoch", origin.epoch);
            if let Some(leader) = image.quorum().leader_of(origin.epoch) {
                facts.add("by", leader.leader);
            }
        }
        if let Some(r) = image.records().controller(controller.registration) {
            let mut entries = r.features.iter().filter(|f| is_mark(f.name));
            if let Some(entry) = entries.next() {
                let range =
                    super::version_range(entry.min_supported_version, entry.max_supported_version);
                facts.add(
                    "entry",
                    format!("{} {range}", crate::facts::marks::DECOMMISSIONED),
                );
            }
            let rest = r.features.iter().filter(|f| !is_mark(f.name));
            let permissive = rest.clone().any(|f| f.max_supported_version == i16::MAX);
            let form = match (rest.count(), permissive) {
                (0, _) => "mark alone, with no ranges",
                (_, true) => "mark and permissive ranges",
                (_, false) => "mark beside the ranges it had",
            };
            facts.add("form", form);
        }
        facts
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

    fn voter(&self, set: &VoterSet, id: i32) -> Option<Facts> {
        let image = self.state().image();
        let voter = set.voters.iter().find(|v| v.id.0 == id)?;
        let endpoints = voter.endpoints.iter().map(|e| {
            Facts::new()
                .with("name", &*e.name)
                .with("host", &*e.host)
                .with("port", e.port)
                .line(format!("{}  {}:{}", e.name, e.host, e.port))
        });
        let controller = image.cluster().controllers().get(&id);
        let mut facts = Facts::new()
            .with("id", voter.id)
            .with("directoryId", voter.directory)
            .with("endpoints", endpoints.collect::<Vec<_>>())
            .with(
                "kraftVersion",
                super::version_range(voter.kraft_version.0, voter.kraft_version.1),
            )
            .with("registered", controller.is_some());
        if controller.is_some_and(|c| c.mark.is_some()) {
            facts.add("marked", true);
        }
        Some(facts)
    }

    fn leader(&self, epoch: Epoch) -> Option<Facts> {
        let leadership = self.state().image().quorum().leader_of(epoch)?;
        let list = |ids: &[crate::ids::NodeId]| {
            Value::List(ids.iter().map(|&id| Value::from(id)).collect())
        };
        Some(
            Facts::new()
                .with("epoch", epoch)
                .with("leader", leadership.leader)
                .with("voters", list(&leadership.voters))
                .with("grantingVoters", list(&leadership.granting)),
        )
    }

    fn file(&self, n: usize) -> Option<Facts> {
        let log = self.state().image().log();
        let file = log.files().get(n)?;
        let mut facts = Facts::new()
            .with("path", file.path().to_string_lossy())
            .with("kind", file_kind(file.kind()))
            .with("size", Value::Size(file.size()))
            .with("batches", file.batches().len());
        let first = log.batches_of(file).next();
        let last = log.batches_of(file).next_back();
        if let (Some(first), Some(last)) = (first, last)
            && !first.in_checkpoint()
        {
            facts.add("firstOffset", first.header().base_offset);
            facts.add("lastOffset", last.header().last_offset());
            facts.add("lastTime", last.header().max_timestamp);
        }
        if let Some(time) = file.header_time() {
            facts.add("lastContainedLogTime", time);
        }
        if file.kind().is_checkpoint() {
            facts.add("footer", file.has_footer());
        }
        Some(facts)
    }

    fn side_file(&self, kind: SideFile) -> Option<Facts> {
        let files = self.state().image().log().side_files();
        Some(match kind {
            SideFile::MetaProperties => {
                let file = files.meta_properties.as_ref()?;
                Facts::new()
                    .with("path", file.path.to_string_lossy())
                    .with("version", file.version)
                    .with("nodeId", file.node_id)
                    .with("clusterId", file.cluster_id.as_deref())
                    .with("directoryId", file.directory_id)
            }
            SideFile::QuorumState => {
                let file = files.quorum_state.as_ref()?;
                let voters = file
                    .current_voters
                    .as_ref()
                    .map(|ids| Value::List(ids.iter().map(|&id| Value::from(id)).collect()));
                Facts::new()
                    .with("path", file.path.to_string_lossy())
                    .with("dataVersion", file.data_version)
                    .with("leaderId", file.leader_id)
                    .with("leaderEpoch", file.leader_epoch)
                    .with("votedId", file.voted_id)
                    .with("votedDirectoryId", file.voted_directory_id)
                    .with("currentVoters", voters)
            }
            SideFile::LeaderEpochs => {
                let file = files.leader_epochs.as_ref()?;
                let rows = file.entries.iter().map(|&(epoch, start)| {
                    Facts::new().with("epoch", epoch).with("startOffset", start)
                });
                Facts::new()
                    .with("path", file.path.to_string_lossy())
                    .with("epochs", rows.collect::<Vec<_>>())
            }
            SideFile::PartitionMetadata => {
                let file = files.partition_metadata.as_ref()?;
                Facts::new()
                    .with("path", file.path.to_string_lossy())
                    .with("version", file.version)
                    // As text: the metadata topic's id is, by number, that of the directory UNASSIGNED.
                    .with("topicId", file.topic_id.to_string())
            }
        })
    }
}

/// A finding as facts: what is wrong, where, what is lost, what Kafka does.
#[must_use]
pub fn finding(finding: &Finding) -> Facts {
    finding_facts(finding, &place)
}

fn finding_facts(finding: &Finding, place: &dyn Fn(&Place) -> Facts) -> Facts {
    let mut facts = Facts::new()
        .with("code", finding.code.as_str())
        .with("severity", finding.severity.to_string())
        .with("summary", &*finding.summary);
    if finding.place != Place::default() {
        facts.add("place", place(&finding.place));
    }
    if let Some(expected) = &finding.expected {
        facts.add("expected", &**expected);
    }
    if let Some(found) = &finding.found {
        facts.add("found", &**found);
    }
    if let Some((other, what)) = &finding.other {
        facts.add("against", place(other).with("what", &**what));
    }
    if let Some(lost) = &finding.lost {
        let mut parts = Facts::new();
        if let Some(records) = lost.records {
            parts.add("records", records);
        }
        if let Some((first, last)) = lost.offsets {
            parts.add("firstOffset", first);
            parts.add("lastOffset", last);
        }
        if let Some(bytes) = lost.bytes {
            parts.add("bytes", Value::Size(bytes));
        }
        facts.add("lost", parts);
    }
    if !finding.offered.is_empty() {
        let offered: Vec<Facts> = finding.offered.iter().map(offered).collect();
        facts.add("offered", offered);
    }
    if let Some(kafka) = &finding.kafka {
        facts.add("kafka", &**kafka);
    }
    if let Some(loads) = finding.rest_loads {
        facts.add("restLoads", loads);
    }
    facts
}

fn offered(batch: &Offered) -> Facts {
    let (first, last) = batch.offsets;
    let crc = match batch.crc {
        Some(crc) => format!("CRC {crc} is right"),
        None => "CRC cannot be checked".to_owned(),
    };
    Facts::new()
        .with(
            "position",
            Value::Id(i64::try_from(batch.position.0).unwrap_or(i64::MAX)),
        )
        .with("bytes", Value::Size(batch.bytes))
        .with("firstOffset", first)
        .with("lastOffset", last)
        .with("epoch", batch.epoch)
        .with("records", batch.records)
        .with("crc", batch.crc.map(|crc| Value::Id(i64::from(crc))))
        .with("applied", false)
        .line(format!(
            "byte {}, {} bytes, offsets {first} to {last}, epoch {}, {} records, {crc}, not applied",
            batch.position, batch.bytes, batch.epoch, batch.records
        ))
}

fn place(place: &Place) -> Facts {
    let mut facts = Facts::new();
    if let Some(file) = &place.file {
        facts.add("file", file.to_string_lossy());
    }
    if let Some(position) = place.position {
        facts.add(
            "position",
            Value::Id(i64::try_from(position.0).unwrap_or(i64::MAX)),
        );
    }
    if let Some(offset) = place.offset {
        facts.add("offset", offset);
    }
    facts
}

/// What a file is, in words.
#[must_use]
pub fn file_kind(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Segment { .. } => "log segment",
        FileKind::Checkpoint { .. } | FileKind::UnnamedCheckpoint { .. } => "checkpoint",
        FileKind::Bootstrap => "bootstrap checkpoint",
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

fn endpoint(name: Text<'_>, host: Text<'_>, port: u16, protocol: i16) -> Facts {
    let protocol = codes::SecurityProtocol(protocol).readable();
    Facts::new()
        .with("name", name)
        .with("host", host)
        .with("port", port)
        .with("securityProtocol", protocol.to_string())
        .line(format!(
            "{}  {}:{port}  {protocol}",
            name.to_str(),
            host.to_str()
        ))
}

fn feature(name: Text<'_>, min: i16, max: i16) -> Facts {
    let mut facts = Facts::new()
        .with("name", name)
        .with("min", min)
        .with("max", max);
    let mut line = format!("{}  {}", name.to_str(), super::version_range(min, max));
    if name.bytes() == levels::METADATA_VERSION.as_bytes() {
        let open = max == i16::MAX;
        let [first, last] = [min, max].map(|level| super::level_name(level).into_owned());
        line.push_str(&if open {
            format!("  ({first} and all later)")
        } else {
            format!("  ({first} to {last})")
        });
        facts.add("minName", first);
        facts.add("maxName", (!open).then_some(last));
    }
    facts.line(line)
}

fn is_mark(name: Text<'_>) -> bool {
    name.bytes() == crate::facts::marks::DECOMMISSIONED.as_bytes()
}

fn ids(ids: impl Iterator<Item = Uuid>) -> Value {
    Value::List(ids.map(Value::from).collect())
}
