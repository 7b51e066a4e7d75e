//! What a record did to the image: the object, and what was there before and after.
//!
//! One stream of these feeds history, following, growth and the browser. Values are handles and shared
//! parts, so making one costs little; fields are compared by whoever wants them.

use super::cluster::{Broker, Controller};
use super::configs::{Resource, ResourceConfigs};
use super::partition::Partition;
use super::quotas::{Entity, Quota};
use super::topics::Topic;
use crate::ids::Uuid;
use crate::source::RecordRef;
use std::sync::Arc;

/// The effect of one record.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Change {
    /// No effect on any object: a NoOpRecord, the deletion of what is not there.
    None,
    /// A finalised feature level.
    Feature {
        /// The feature.
        name: Arc<str>,
        /// The level before, with the record that set it.
        before: Option<(i16, RecordRef)>,
        /// The level after.
        after: Option<(i16, RecordRef)>,
    },
    /// A broker was registered, changed or unregistered.
    Broker {
        /// `node.id`.
        id: i32,
        /// Before.
        before: Option<Arc<Broker>>,
        /// After.
        after: Option<Arc<Broker>>,
    },
    /// A controller was registered, marked or unregistered.
    Controller {
        /// `node.id`.
        id: i32,
        /// Before.
        before: Option<Arc<Controller>>,
        /// After.
        after: Option<Arc<Controller>>,
    },
    /// A topic was created or replaced.
    Topic {
        /// Its id.
        id: Uuid,
        /// Before.
        before: Option<Arc<Topic>>,
        /// After.
        after: Option<Arc<Topic>>,
    },
    /// A topic was removed, with its partitions and configs.
    TopicRemoved {
        /// The topic as it was.
        before: Arc<Topic>,
        /// Its configs as they were.
        configs: Option<Arc<ResourceConfigs>>,
    },
    /// A partition was created or changed.
    Partition {
        /// The topic's id.
        topic: Uuid,
        /// Before.
        before: Option<Partition>,
        /// After.
        after: Partition,
    },
    /// ELR and last known ELR of these partitions were emptied.
    ElrCleared {
        /// Topic id and the partition as it was.
        before: Vec<(Uuid, Partition)>,
    },
    /// A config was set or deleted.
    Config {
        /// Whose.
        resource: Resource,
        /// The key.
        key: Arc<str>,
        /// The ConfigRecord that set it before.
        before: Option<RecordRef>,
        /// The ConfigRecord that sets it now.
        after: Option<RecordRef>,
    },
    /// A quota was set or removed.
    Quota {
        /// Whose.
        entity: Entity,
        /// The key.
        key: Arc<str>,
        /// Before.
        before: Option<Quota>,
        /// After.
        after: Option<Quota>,
    },
    /// The next producer id.
    ProducerIds {
        /// Before.
        before: Option<(i64, RecordRef)>,
        /// After.
        after: (i64, RecordRef),
    },
    /// An ACL was added or removed.
    Acl {
        /// Its id.
        id: Uuid,
        /// The record that set it before.
        before: Option<RecordRef>,
        /// The record that sets it now.
        after: Option<RecordRef>,
    },
    /// A SCRAM credential was set or removed.
    Scram {
        /// Mechanism code.
        mechanism: i8,
        /// The user.
        user: Arc<str>,
        /// The record that set it before.
        before: Option<RecordRef>,
        /// The record that sets it now.
        after: Option<RecordRef>,
    },
    /// A delegation token was set or removed.
    Token {
        /// The token's id.
        id: Arc<str>,
        /// The record that set it before.
        before: Option<RecordRef>,
        /// The record that sets it now.
        after: Option<RecordRef>,
    },
    /// The state of the ZooKeeper migration.
    Migration {
        /// Before.
        before: Option<(i8, RecordRef)>,
        /// After.
        after: (i8, RecordRef),
    },
}
