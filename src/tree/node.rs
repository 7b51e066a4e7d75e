//! The nodes: what each stands for. A node is a small owned key, valid for as long as the state that it
//! was asked of, and holds no text of its own but names.

use crate::ids::{Epoch, Uuid};
use crate::image::{Entity, Resource};
use crate::log::SideFiles;
use std::sync::Arc;

/// The two ways to topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TopicsBy {
    /// `/image/topics/byId`: every topic.
    Id,
    /// `/image/topics/byName`: the topics that names lead to.
    Name,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Node {
    /// `/`
    Root,

    /// `/image`: the tree that MetadataShell shows.
    Image,
    /// Offset, epoch and time of the image.
    Provenance,
    /// Finalised features.
    Features,
    /// The level of metadata.version.
    MetadataVersion,
    /// `finalized_NAME`: the level of another feature.
    Feature(Arc<str>),
    /// Brokers and controllers.
    Cluster,
    /// Registered brokers.
    Brokers,
    /// One broker.
    Broker(i32),
    /// Registered controllers.
    Controllers,
    /// One controller.
    Controller(i32),
    /// Topics, by id and by name.
    Topics,
    /// Topics one way.
    TopicsBy(TopicsBy),
    /// One topic.
    Topic(TopicsBy, Uuid),
    /// Its name.
    TopicName(TopicsBy, Uuid),
    /// Its id.
    TopicId(TopicsBy, Uuid),
    /// One partition.
    Partition(TopicsBy, Uuid, i32),
    /// Resources with dynamic configs.
    Configs,
    /// One resource.
    Resource(Resource),
    /// One config.
    Config(Resource, Arc<str>),
    /// Entities with client quotas.
    Quotas,
    /// One entity.
    Entity(Entity),
    /// One quota.
    Quota(Entity, Arc<str>),
    /// Producer ids.
    ProducerIds,
    /// The next producer id.
    NextProducerId,
    /// ACLs.
    Acls,
    /// ACLs by id.
    AclsById,
    /// One ACL.
    Acl(Uuid),
    /// SCRAM mechanisms.
    Scram,
    /// One mechanism, by its code.
    Mechanism(i8),
    /// One user's credential.
    Credential(i8, Arc<str>),
    /// Delegation tokens.
    Tokens,
    /// One token.
    Token(Arc<str>),

    /// `/local`: this program.
    Local,
    /// Its version.
    Version,

    /// `/quorum`: what control records say.
    Quorum,
    /// kraft.version.
    KraftVersion,
    /// The voters that count.
    Voters,
    /// One voter.
    Voter(i32),
    /// Leaders by epoch.
    Leaders,
    /// The leader of one epoch.
    Leader(Epoch),
    /// The state of the ZooKeeper migration.
    Migration,

    /// `/static-configs`: what brokers reported of their configuration files.
    StaticConfigs,
    /// Those of one broker.
    BrokerStaticConfigs(i32),
    /// One of them.
    StaticConfig(i32, Arc<str>),

    /// `/marks`: controllers that left for good.
    Marks,
    /// One of them.
    Mark(i32),

    /// `/transactions`: metadata transactions, by the order they began.
    Transactions,
    /// One of them.
    Transaction(usize),

    /// `/files`: segments and checkpoints used, files passed over, identities.
    Files,
    /// One file used, by reading order.
    File(usize),
    /// One file passed over.
    PassedOver(usize),
    /// One file beside the log.
    SideFile(SideFile),

    /// `/findings`: what is wrong or odd.
    Findings,
    /// One finding, by the order it was met.
    Finding(usize),
}

/// A small file beside segments and checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SideFile {
    /// `meta.properties`
    MetaProperties,
    /// `quorum-state`
    QuorumState,
    /// `leader-epoch-checkpoint`
    LeaderEpochs,
    /// `partition.metadata`
    PartitionMetadata,
}

impl SideFile {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::LeaderEpochs,
        Self::MetaProperties,
        Self::PartitionMetadata,
        Self::QuorumState,
    ];

    /// Whether it was found.
    #[must_use]
    pub fn is_in(self, files: &SideFiles) -> bool {
        match self {
            Self::MetaProperties => files.meta_properties.is_some(),
            Self::QuorumState => files.quorum_state.is_some(),
            Self::LeaderEpochs => files.leader_epochs.is_some(),
            Self::PartitionMetadata => files.partition_metadata.is_some(),
        }
    }

    /// Its file name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MetaProperties => "meta.properties",
            Self::QuorumState => "quorum-state",
            Self::LeaderEpochs => "leader-epoch-checkpoint",
            Self::PartitionMetadata => "partition.metadata",
        }
    }
}
