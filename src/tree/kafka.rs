//! Kafka's own texts of nodes: the Java `toString` forms that MetadataShell prints, of 4.2 and later.

use super::{Node, Tree};
use crate::facts::codes;
use crate::ids::Uuid;
use crate::image::{BrokerView, Provenance};
use crate::record::{MetadataRecord, Text};
use crate::text::{Hex, JavaDouble, JavaTime};
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

impl Tree<'_> {
    /// What MetadataShell prints of a leaf under `/image`, without the final newline; none for
    /// directories and for nodes that Kafka's tree does not have.
    #[must_use]
    pub fn kafka_text(&self, node: &Node) -> Option<String> {
        let image = self.state().image();
        let records = image.records();
        Some(match node {
            Node::Provenance => provenance(image.provenance()),
            Node::MetadataVersion => match image.features().metadata_version() {
                Some((level, _)) => format!("Optional[{}]", super::level_name(level)),
                None => "Optional.empty".to_owned(),
            },
            Node::Feature(name) => image.features().level(name).to_string(),
            Node::Broker(id) => broker(&image.broker(image.cluster().brokers().get(id)?)?),
            Node::Controller(id) => {
                let controller = image.cluster().controllers().get(id)?;
                let r = records.controller(controller.registration)?;
                let endpoints = r
                    .end_points
                    .iter()
                    .map(|e| (e.name, e.host, e.port, e.security_protocol));
                let features = r
                    .features
                    .iter()
                    .map(|f| (f.name, f.min_supported_version, f.max_supported_version));
                format!(
                    "ControllerRegistration(id={id}, incarnationId={}, zkMigrationReady={}, \
                     listeners=[{}], supportedFeatures={{{}}})",
                    r.incarnation_id,
                    r.zk_migration_ready,
                    listeners(endpoints),
                    supported_features(features),
                )
            }
            Node::TopicName(_, id) => image.topics().by_id(*id)?.name().to_string(),
            Node::TopicId(_, id) => id.to_string(),
            Node::Partition(_, topic, id) => {
                let partition = image.topics().by_id(*topic)?.partition(*id)?;
                let view = image.partition(partition);
                format!(
                    "PartitionRegistration(replicas=[{}], directories=[{}], isr=[{}], \
                     removingReplicas=[{}], addingReplicas=[{}], elr=[{}], lastKnownElr=[{}], \
                     leader={}, leaderRecoveryState={}, leaderEpoch={}, partitionEpoch={})",
                    joined(view.replicas.iter()),
                    joined(view.directories.iter()),
                    joined(view.isr.iter()),
                    joined(view.removing.iter()),
                    joined(view.adding.iter()),
                    joined(view.elr.iter()),
                    joined(view.last_known_elr.iter()),
                    partition.leader(),
                    if partition.is_recovering() {
                        "RECOVERING"
                    } else {
                        "RECOVERED"
                    },
                    partition.leader_epoch(),
                    partition.partition_epoch(),
                )
            }
            Node::Config(resource, key) => {
                let at = *image.configs().get(resource)?.get(key)?;
                if self.hides_config(resource.kind, key) {
                    return Some(super::REDACTED.to_owned());
                }
                image.config_value(at)?.into_owned()
            }
            Node::Quota(entity, key) => {
                JavaDouble(image.quotas().get(entity)?.get(key)?.value).to_string()
            }
            Node::NextProducerId => image
                .producer_ids()
                .map_or(-1, |(next, _)| next)
                .to_string(),
            Node::Acl(id) => match records.read(image.acls().get(*id)?)? {
                MetadataRecord::AccessControlEntry(r) => format!(
                    "StandardAcl[resourceType={}, resourceName={}, patternType={}, principal={}, \
                     host={}, operation={}, permissionType={}]",
                    codes::AclResourceType(r.resource_type),
                    r.resource_name.to_str(),
                    codes::AclPatternType(r.pattern_type),
                    r.principal.to_str(),
                    r.host.to_str(),
                    codes::AclOperation(r.operation),
                    codes::AclPermissionType(r.permission_type),
                ),
                _ => return None,
            },
            Node::Credential(mechanism, user) => {
                match records.read(image.scram().get(*mechanism, user)?)? {
                    MetadataRecord::UserScramCredential(r) => {
                        let field = |bytes| {
                            if self.reveals() {
                                Hex(bytes).to_string()
                            } else {
                                super::REDACTED.into()
                            }
                        };
                        format!(
                            "ScramCredentialData(salt={}, storedKey={}, serverKey={}, iterations={})",
                            field(r.salt),
                            field(r.stored_key),
                            field(r.server_key),
                            // Kafka: the redacted form hides the iterations too; they are no secret.
                            r.iterations,
                        )
                    }
                    _ => return None,
                }
            }
            // Kafka: TokenInformation and DelegationTokenData print these unbalanced parentheses.
            Node::Token(id) => match records.read(image.tokens().get(id)?)? {
                MetadataRecord::DelegationToken(r) => format!(
                    "DelegationTokenDatatokenId={}(owner={}(tokenRequester={}(renewers={}, \
                     issueTimestamp={}, maxTimestamp={}), expiryTimestamp={}",
                    r.token_id.to_str(),
                    r.owner.to_str(),
                    r.requester.to_str(),
                    spaced(r.renewers.iter()),
                    r.issue_timestamp,
                    r.max_timestamp,
                    r.expiration_timestamp,
                ),
                _ => return None,
            },
            _ => return None,
        })
    }
}

/// What `ProvenanceNode` prints.
pub(super) fn provenance(p: Provenance) -> String {
    let (offset, epoch, time) = (p.offset, p.epoch, JavaTime(p.time));
    format!("offset {offset}, epoch {epoch}, time {time}")
}

fn broker(view: &BrokerView<'_>) -> String {
    let (broker, r) = (view.broker, &view.registration);
    let endpoints = r
        .end_points
        .iter()
        .map(|e| (e.name, e.host, e.port, e.security_protocol));
    let features = r
        .features
        .iter()
        .map(|f| (f.name, f.min_supported_version, f.max_supported_version));
    // Kafka: BrokerRegistration sorts log directories and keeps cordoned ones as recorded.
    let mut dirs: Vec<Uuid> = view.log_dirs.iter().collect();
    dirs.sort_by(Uuid::java_cmp);
    format!(
        "BrokerRegistration(id={}, epoch={}, incarnationId={}, listeners=[{}], \
         supportedFeatures={{{}}}, rack={}, fenced={}, inControlledShutdown={}, \
         isMigratingZkBroker={}, directories=[{}], cordonedDirectories={})",
        broker.id,
        broker.epoch,
        broker.incarnation,
        listeners(endpoints),
        supported_features(features),
        match r.rack {
            Some(rack) => format!("Optional[{}]", rack.to_str()),
            None => "Optional.empty".to_owned(),
        },
        broker.fenced,
        broker.in_controlled_shutdown,
        r.is_migrating_zk_broker.value(),
        joined(dirs.iter()),
        match view.cordoned {
            Some(dirs) => format!("[{}]", joined(dirs.iter())),
            None => "null".to_owned(),
        },
    )
}

fn joined(items: impl Iterator<Item = impl Display>) -> String {
    let mut out = String::new();
    for item in items {
        let _ = write!(out, "{}{item}", if out.is_empty() { "" } else { ", " });
    }
    out
}

fn spaced<'a>(items: impl Iterator<Item = Text<'a>>) -> String {
    items
        .map(|item| item.to_str().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

// Kafka: listeners and features are maps, so the last of one name counts; printed in Java string order.
fn sorted<'a, V>(items: impl Iterator<Item = (Text<'a>, V)>) -> Vec<(String, V)> {
    let mut by_name = BTreeMap::new();
    for (name, value) in items {
        by_name.insert(name.to_str().into_owned(), value);
    }
    let mut all: Vec<_> = by_name.into_iter().collect();
    all.sort_by(|a, b| crate::text::java_cmp(&a.0, &b.0));
    all
}

fn listeners<'a>(endpoints: impl Iterator<Item = (Text<'a>, Text<'a>, u16, i16)>) -> String {
    let by_name =
        sorted(endpoints.map(|(name, host, port, protocol)| (name, (host, port, protocol))));
    let texts = by_name.iter().map(|(name, (host, port, protocol))| {
        let protocol = codes::SecurityProtocol(*protocol);
        format!(
            "Endpoint(listenerName='{name}', securityProtocol={protocol}, host='{}', port={port})",
            host.to_str()
        )
    });
    joined(texts)
}

fn supported_features<'a>(features: impl Iterator<Item = (Text<'a>, i16, i16)>) -> String {
    let by_name = sorted(features.map(|(name, min, max)| (name, (min, max))));
    joined(
        by_name
            .iter()
            .map(|(name, (min, max))| format!("{name}: {}", version_range(*min, *max))),
    )
}

/// `VersionRange.toString`: `3`, `3+` up to 32767, else `3-7`.
#[must_use]
pub fn version_range(min: i16, max: i16) -> String {
    if min == max {
        min.to_string()
    } else if max == i16::MAX {
        format!("{min}+")
    } else {
        format!("{min}-{max}")
    }
}
