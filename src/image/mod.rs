//! The cluster image: the only place that knows what a metadata record does.
//!
//! An image owns itself (`Send + Sync + 'static`): it holds an `Arc` of the log that it was read from, and
//! handles of 8 bytes into it instead of copies. A clone shares topics and registrations. Its parts are
//! those of Kafka's `MetadataImage`, and beside them what Kafka keeps elsewhere or nowhere: the quorum,
//! the ZooKeeper migration, marks, static configs, transactions.

#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod ahead;
mod availability;
mod change;
mod cluster;
mod configs;
mod conflict;
mod features;
mod partition;
mod quorum;
mod quotas;
mod reader;
mod records;
mod replay;
mod security;
mod state;
mod tally;
mod topics;

pub use availability::{MIN_ISR, MinIsr, MinIsrSource, PartitionCounts};
pub use change::Change;
pub use cluster::{Broker, BrokerView, Cluster, Controller, Mark};
pub use configs::{Configs, Resource, ResourceConfigs};
pub use conflict::{Conflict, place};
pub use features::{Features, KRAFT_VERSION, METADATA_VERSION};
pub use partition::{Directories, Partition, PartitionView};
pub use quorum::{Endpoint, Leadership, Quorum, Voter, VoterSet};
pub use quotas::{Entity, EntityQuotas, Quota, Quotas};
pub use reader::unread_finding;
pub use records::Records;
pub use replay::{Replay, Transaction, TransactionEnd, Watch};
pub use security::{Acls, Scram, Tokens};
pub use state::State;
pub use tally::{Tally, TypeTally};
pub use topics::{Topic, Topics};

use crate::ids::{Epoch, Offset, Timestamp, Uuid};
use crate::log::Log;
use crate::record::MetadataRecord;
use crate::source::RecordRef;
use std::sync::Arc;

/// Up to where an image was read (`MetadataProvenance`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Provenance {
    /// The last offset in it, -1 for an empty image.
    pub offset: Offset,
    /// The epoch of that offset.
    pub epoch: Epoch,
    /// When the leader appended it.
    pub time: Timestamp,
}

impl Provenance {
    /// That of an image in which nothing is.
    pub const EMPTY: Self = Self {
        offset: Offset(-1),
        epoch: Epoch(-1),
        time: Timestamp(-1),
    };
}

/// The state of a cluster.
#[derive(Clone, Debug)]
pub struct Image {
    log: Arc<Log>,
    provenance: Provenance,
    features: Features,
    cluster: Cluster,
    topics: Topics,
    configs: Configs,
    quotas: Quotas,
    producer_ids: Option<(i64, RecordRef)>,
    acls: Acls,
    scram: Scram,
    tokens: Tokens,
    quorum: Quorum,
    migration: Option<(i8, RecordRef)>,
}

impl Image {
    /// An image with nothing in it, over a log.
    #[must_use]
    pub fn empty(log: Arc<Log>) -> Self {
        Self {
            log,
            provenance: Provenance::EMPTY,
            features: Features::default(),
            cluster: Cluster::default(),
            topics: Topics::default(),
            configs: Configs::default(),
            quotas: Quotas::default(),
            producer_ids: None,
            acls: Acls::default(),
            scram: Scram::default(),
            tokens: Tokens::default(),
            quorum: Quorum::default(),
            migration: None,
        }
    }

    /// The log that its handles lead into.
    #[must_use]
    pub fn log(&self) -> &Arc<Log> {
        &self.log
    }

    /// The records that its handles lead to.
    #[must_use]
    pub fn records(&self) -> Records<'_> {
        Records::new(&self.log)
    }

    /// Up to where it was read.
    #[must_use]
    pub fn provenance(&self) -> Provenance {
        self.provenance
    }

    /// Finalised feature levels.
    #[must_use]
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// Brokers and controllers.
    #[must_use]
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Topics and partitions.
    #[must_use]
    pub fn topics(&self) -> &Topics {
        &self.topics
    }

    /// Dynamic configs.
    #[must_use]
    pub fn configs(&self) -> &Configs {
        &self.configs
    }

    /// Client quotas.
    #[must_use]
    pub fn quotas(&self) -> &Quotas {
        &self.quotas
    }

    /// The next producer id to be given out, and the record that says so; none when none ever was.
    #[must_use]
    pub fn producer_ids(&self) -> Option<(i64, RecordRef)> {
        self.producer_ids
    }

    /// ACLs.
    #[must_use]
    pub fn acls(&self) -> &Acls {
        &self.acls
    }

    /// SCRAM credentials.
    #[must_use]
    pub fn scram(&self) -> &Scram {
        &self.scram
    }

    /// Delegation tokens.
    #[must_use]
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// Voters, kraft.version, leaders.
    #[must_use]
    pub fn quorum(&self) -> &Quorum {
        &self.quorum
    }

    /// The state of the ZooKeeper migration: 0 none, 1 migration, 2 pre-migration, 3 post-migration
    /// (`ZkMigrationState`; a 3.4 log means 1 and 2 the other way round).
    #[must_use]
    pub fn migration(&self) -> Option<(i8, RecordRef)> {
        self.migration
    }

    /// A partition with its lists.
    #[must_use]
    pub fn partition<'a>(&'a self, partition: &'a Partition) -> PartitionView<'a> {
        PartitionView::read(partition, self.records())
    }

    /// A broker with what its records say; none when the file no longer holds them.
    #[must_use]
    pub fn broker<'a>(&'a self, broker: &'a Broker) -> Option<BrokerView<'a>> {
        self.cluster.view(broker, self.records())
    }

    /// The text value of a config that a handle of [`Configs`] leads to.
    #[must_use]
    pub fn config_value(&self, at: RecordRef) -> Option<std::borrow::Cow<'_, str>> {
        match self.records().read(at)? {
            MetadataRecord::Config(record) => Some(record.value?.to_str()),
            _ => None,
        }
    }

    /// Marked controllers by id.
    pub fn marked(&self) -> impl Iterator<Item = (&Arc<Controller>, Mark)> {
        self.cluster
            .controllers()
            .values()
            .filter_map(|c| Some((c, c.mark?)))
    }

    pub(super) fn apply_partition(
        &mut self,
        topic: Uuid,
        partition: Partition,
    ) -> Result<Change, Conflict> {
        self.topics.set_partition(topic, partition)
    }

    /// Applies one record that counts: of no transaction, or of one that ended. Returns what it did, and
    /// a remark when Kafka's controller would stop at it while the image takes it.
    ///
    /// # Errors
    /// When the record meets a state that it cannot apply to; the image is then as before.
    // Each arm follows the replay method of the delta class that Kafka gives the record to.
    pub fn apply(
        &mut self,
        at: RecordRef,
        record: &MetadataRecord<'_>,
    ) -> Result<(Change, Option<Conflict>), Conflict> {
        use MetadataRecord as R;
        let plain = |change| Ok((change, None));
        match record {
            R::RegisterBroker(r) => plain(self.cluster.register_broker(at, r)?),
            R::UnregisterBroker(r) => {
                Ok(self
                    .cluster
                    .unregister_broker(at, r.broker_id, r.broker_epoch))
            }
            R::Topic(r) => Ok(self.topics.create(at, r)),
            R::Partition(r) => {
                let partition = Partition::of(at, r)?;
                plain(self.topics.set_partition(r.topic_id, partition)?)
            }
            R::PartitionChange(r) => plain(self.topics.change_partition(
                at,
                r,
                Records::new(&self.log),
            )?),
            R::Config(r) => plain(self.configs.set(at, r)),
            R::FenceBroker(r) => plain(self.cluster.fence(at, r.id, r.epoch, true)?),
            R::UnfenceBroker(r) => plain(self.cluster.fence(at, r.id, r.epoch, false)?),
            R::RemoveTopic(r) => {
                let before = self.topics.remove(at, r)?;
                let configs = self.configs.remove_topic(before.name());
                plain(Change::TopicRemoved { before, configs })
            }
            R::DelegationToken(r) => plain(self.tokens.set(at, r)?),
            R::RemoveDelegationToken(r) => plain(self.tokens.remove(r.token_id)),
            R::UserScramCredential(r) => plain(self.scram.set(at, r)),
            R::RemoveUserScramCredential(r) => Ok(self.scram.remove(at, r)),
            R::FeatureLevel(r) => self.features.set(at, r),
            R::ClientQuota(r) => plain(self.quotas.set(at, r)),
            R::ProducerIds(r) => {
                let after = (r.next_producer_id, at);
                let before = self.producer_ids.replace(after);
                plain(Change::ProducerIds { before, after })
            }
            R::BrokerRegistrationChange(r) => plain(self.cluster.change_broker(at, r)?),
            R::AccessControlEntry(r) => plain(self.acls.add(at, r)),
            R::RemoveAccessControlEntry(r) => plain(self.acls.remove(at, r.id)?),
            R::ZkMigrationState(r) => {
                let after = (r.zk_migration_state, at);
                let before = self.migration.replace(after);
                plain(Change::Migration { before, after })
            }
            R::RegisterController(r) => plain(self.cluster.register_controller(at, r)?),
            R::UnregisterController(r) => {
                Ok(self.cluster.unregister_controller(at, r.controller_id))
            }
            R::ClearElr(r) => plain(self.topics.clear_elr(at, r)?),
            // AccessControlRecord was retired in 3.5 and never had an effect in KRaft; transaction
            // records are for Replay.
            _ => plain(Change::None),
        }
    }
}
