//! What a record is about, with the names of topics that were seen so far.

use super::walk::Content;
use crate::facts::codes::ConfigResourceType;
use crate::ids::Uuid;
use crate::record::{
    Array, ControlReading, ControlRecord, EntityData, MetadataRecord, Text, Unread, VotersRecord,
};
use crate::text::Escaped;
use std::collections::HashMap;
use std::fmt::{self, Display as _};

/// What a record is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Object<'l> {
    /// Nothing in particular, or nothing that can be told.
    None,
    Topic {
        id: Option<Uuid>,
        name: Option<Text<'l>>,
    },
    Partition {
        topic: Uuid,
        name: Option<Text<'l>>,
        partition: i32,
    },
    Broker(i32),
    Controller(i32),
    Config {
        kind: i8,
        resource: Text<'l>,
        key: Text<'l>,
    },
    Quota {
        entity: Array<'l, EntityData<'l>>,
    },
    User(Text<'l>),
    Acl {
        id: Uuid,
        principal: Option<Text<'l>>,
    },
    Token {
        id: Text<'l>,
        owner: Option<Text<'l>>,
    },
    Feature(Text<'l>),
    ProducerIds,
    Migration,
    Transaction,
    Leader(i32),
    Voters(Array<'l, crate::record::generated::control::Voter<'l>>),
    KraftVersion,
}

/// Names of topics by id, as topic records told them.
#[derive(Debug, Default)]
pub(super) struct Names<'l>(HashMap<Uuid, Text<'l>>);

impl<'l> Names<'l> {
    pub(super) fn learn(&mut self, record: &MetadataRecord<'l>) {
        if let MetadataRecord::Topic(topic) = record {
            self.0.insert(topic.topic_id, topic.name);
        }
    }

    fn topic(&self, id: Uuid) -> Object<'l> {
        Object::Topic {
            id: Some(id),
            name: self.0.get(&id).copied(),
        }
    }

    fn partition(&self, topic: Uuid, partition: i32) -> Object<'l> {
        Object::Partition {
            topic,
            name: self.0.get(&topic).copied(),
            partition,
        }
    }

    pub(super) fn object(&self, content: &Content<'l>) -> Object<'l> {
        match content {
            Content::Data(Ok(reading)) => self.of_record(&reading.record),
            Content::Data(Err(Unread::Leftover(_, record, _))) => self.of_record(record),
            Content::Data(Err(_)) | Content::Control(Err(_)) => Object::None,
            Content::Control(Ok(ControlReading { record, .. })) => match record {
                ControlRecord::LeaderChange(change) => Object::Leader(change.leader_id),
                ControlRecord::KRaftVersion(_) => Object::KraftVersion,
                ControlRecord::Voters(VotersRecord { voters, .. }) => Object::Voters(*voters),
                _ => Object::None,
            },
        }
    }

    fn of_record(&self, record: &MetadataRecord<'l>) -> Object<'l> {
        use MetadataRecord as R;
        match record {
            R::RegisterBroker(r) => Object::Broker(r.broker_id),
            R::UnregisterBroker(r) => Object::Broker(r.broker_id),
            R::FenceBroker(r) => Object::Broker(r.id),
            R::UnfenceBroker(r) => Object::Broker(r.id),
            R::BrokerRegistrationChange(r) => Object::Broker(r.broker_id),
            R::RegisterController(r) => Object::Controller(r.controller_id),
            R::UnregisterController(r) => Object::Controller(r.controller_id),
            R::Topic(r) => Object::Topic {
                id: Some(r.topic_id),
                name: Some(r.name),
            },
            R::RemoveTopic(r) => self.topic(r.topic_id),
            R::ClearElr(r) => Object::Topic {
                id: None,
                name: Some(r.topic_name),
            },
            R::Partition(r) => self.partition(r.topic_id, r.partition_id),
            R::PartitionChange(r) => self.partition(r.topic_id, r.partition_id),
            R::Config(r) => Object::Config {
                kind: r.resource_type,
                resource: r.resource_name,
                key: r.name,
            },
            R::ClientQuota(r) => Object::Quota { entity: r.entity },
            R::UserScramCredential(r) => Object::User(r.name),
            R::RemoveUserScramCredential(r) => Object::User(r.name),
            R::AccessControlEntry(r) => Object::Acl {
                id: r.id,
                principal: Some(r.principal),
            },
            R::RemoveAccessControlEntry(r) => Object::Acl {
                id: r.id,
                principal: None,
            },
            R::DelegationToken(r) => Object::Token {
                id: r.token_id,
                owner: Some(r.owner),
            },
            R::RemoveDelegationToken(r) => Object::Token {
                id: r.token_id,
                owner: None,
            },
            R::FeatureLevel(r) => Object::Feature(r.name),
            R::ProducerIds(_) => Object::ProducerIds,
            R::ZkMigrationState(_) => Object::Migration,
            R::BeginTransaction(_) | R::EndTransaction(_) | R::AbortTransaction(_) => {
                Object::Transaction
            }
            R::AccessControl(_) | R::NoOp(_) => Object::None,
        }
    }
}

/// A name where it was seen, else the id. Raw.
struct NameOr<'l>(Option<Text<'l>>, Option<Uuid>);

impl fmt::Display for NameOr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (Some(name), _) => name.fmt(f),
            (None, Some(id)) => id.fmt(f),
            (None, None) => Ok(()),
        }
    }
}

/// Whom a quota is for: `user=alice,client-id=<default>`. Raw.
fn entity(f: &mut fmt::Formatter<'_>, entity: &Array<'_, EntityData<'_>>) -> fmt::Result {
    let mut comma = "";
    for part in entity.iter() {
        write!(f, "{comma}{}=", part.entity_type)?;
        match part.entity_name {
            Some(name) => name.fmt(f)?,
            None => f.write_str("<default>")?,
        }
        comma = ",";
    }
    Ok(())
}

impl Object<'_> {
    /// Whether it is about nothing that has a name.
    pub(super) fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// The word for its kind, as `--object` takes it.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::None => "",
            Self::Topic { .. } => "topic",
            Self::Partition { .. } => "partition",
            Self::Broker(_) => "broker",
            Self::Controller(_) | Self::Leader(_) => "controller",
            Self::Config { .. } => "config",
            Self::Quota { .. } => "quota",
            Self::User(_) => "user",
            Self::Acl { .. } => "acl",
            Self::Token { .. } => "token",
            Self::Feature(_) | Self::KraftVersion => "feature",
            Self::ProducerIds => "producer-ids",
            Self::Migration => "migration",
            Self::Transaction => "transaction",
            Self::Voters(_) => "voters",
        }
    }

    fn name(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Topic { id, name } => NameOr(*name, *id).fmt(f),
            Self::Partition {
                topic,
                name,
                partition,
            } => write!(f, "{}-{partition}", NameOr(*name, Some(*topic))),
            Self::Broker(id) | Self::Controller(id) | Self::Leader(id) => id.fmt(f),
            Self::Config { kind, resource, .. } => match ConfigResourceType(*kind).name() {
                Some(name) => write!(f, "{name}:{resource}"),
                None => write!(f, "{kind}:{resource}"),
            },
            Self::Quota { entity: of } => entity(f, of),
            Self::User(name) | Self::Feature(name) => name.fmt(f),
            Self::Acl { id, .. } => id.fmt(f),
            Self::Token { id, .. } => id.fmt(f),
            Self::KraftVersion => f.write_str(crate::image::KRAFT_VERSION),
            Self::None
            | Self::ProducerIds
            | Self::Migration
            | Self::Transaction
            | Self::Voters(_) => Ok(()),
        }
    }
}

/// `partition:orders-3`: what `--object` takes. Raw; nothing for a record about nothing.
impl fmt::Display for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Name(self).to_string();
        match name.is_empty() {
            true => f.write_str(self.kind()),
            false => write!(f, "{}:{name}", self.kind()),
        }
    }
}

struct Name<'o, 'l>(&'o Object<'l>);

impl fmt::Display for Name<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.name(f)
    }
}

/// ` orders-3`, with a space before it: the name alone, for people, escaped.
pub(super) struct Named<'o, 'l>(pub(super) &'o Object<'l>);

impl fmt::Display for Named<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Name(self.0).to_string();
        match name.is_empty() {
            true => Ok(()),
            false => write!(f, " {}", Escaped(&name)),
        }
    }
}

/// `partition orders-3`: for people, escaped.
pub(super) struct Readable<'o, 'l>(pub(super) &'o Object<'l>);

impl fmt::Display for Readable<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Name(self.0).to_string();
        match name.is_empty() {
            true => f.write_str(self.0.kind()),
            false => write!(f, "{} {}", self.0.kind(), Escaped(&name)),
        }
    }
}
