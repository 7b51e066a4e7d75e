//! What control records say of the Raft quorum: kraft.version, voters, leaders by epoch.
//!
//! Follows `KRaftControlRecordStateMachine` and `VoterSetHistory`: the last record counts, reading the
//! checkpoint and then the log to its end, whether committed or not.

use crate::ids::{Epoch, NodeId, Uuid};
use crate::record::{LeaderChangeMessage, VotersRecord};
use crate::source::RecordRef;
use std::sync::Arc;

/// A member of a dynamic quorum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voter {
    /// `node.id`.
    pub id: NodeId,
    /// `directory.id` of its metadata log directory; zero when unknown.
    pub directory: Uuid,
    /// Controller listeners: name, host, port.
    pub endpoints: Vec<Endpoint>,
    /// The range of kraft.version it supports.
    pub kraft_version: (i16, i16),
}

/// Where a voter listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Listener name.
    pub name: Arc<str>,
    /// Host.
    pub host: Arc<str>,
    /// Port.
    pub port: u16,
}

/// A set of voters as one record gives it: always the whole set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoterSet {
    /// The VotersRecord.
    pub record: RecordRef,
    /// Its voters in the record's order.
    pub voters: Vec<Voter>,
}

/// That an epoch began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leadership {
    /// The epoch.
    pub epoch: Epoch,
    /// Who leads it.
    pub leader: NodeId,
    /// Voter ids as the leader knew them: for a static quorum the only trace of it in the log.
    pub voters: Vec<NodeId>,
    /// Those who voted for it.
    pub granting: Vec<NodeId>,
    /// The LeaderChangeMessage.
    pub record: RecordRef,
}

/// The quorum as control records tell it.
#[derive(Clone, Debug, Default)]
pub struct Quorum {
    kraft_version: Option<(i16, RecordRef)>,
    voters: Vec<Arc<VoterSet>>,
    leaders: Vec<Arc<Leadership>>,
}

impl Quorum {
    /// kraft.version: 1 when voters are in the log (dynamic quorum), 0 when they are in each node's
    /// configuration; none when no record says, which means 0.
    #[must_use]
    pub fn kraft_version(&self) -> Option<(i16, RecordRef)> {
        self.kraft_version
    }

    /// The voters that count; none in a static quorum.
    #[must_use]
    pub fn voters(&self) -> Option<&Arc<VoterSet>> {
        self.voters.last()
    }

    /// Every set of voters met, the one that counts last.
    #[must_use]
    pub fn voter_history(&self) -> &[Arc<VoterSet>] {
        &self.voters
    }

    /// Leaders in the order of the log.
    #[must_use]
    pub fn leaders(&self) -> &[Arc<Leadership>] {
        &self.leaders
    }

    /// The leader of an epoch.
    #[must_use]
    pub fn leader_of(&self, epoch: Epoch) -> Option<&Arc<Leadership>> {
        self.leaders.iter().rev().find(|l| l.epoch == epoch)
    }

    pub(super) fn set_kraft_version(&mut self, at: RecordRef, level: i16) {
        self.kraft_version = Some((level, at));
    }

    pub(super) fn set_voters(&mut self, at: RecordRef, record: &VotersRecord<'_>) {
        let voters = record
            .voters
            .iter()
            .map(|voter| Voter {
                id: NodeId(voter.voter_id),
                directory: voter.voter_directory_id,
                endpoints: voter
                    .endpoints
                    .iter()
                    .map(|e| Endpoint {
                        name: e.name.to_str().into(),
                        host: e.host.to_str().into(),
                        port: e.port,
                    })
                    .collect(),
                kraft_version: (
                    voter.kraft_version_feature.min_supported_version,
                    voter.kraft_version_feature.max_supported_version,
                ),
            })
            .collect();
        self.voters.push(Arc::new(VoterSet { record: at, voters }));
    }

    pub(super) fn set_leader(
        &mut self,
        at: RecordRef,
        epoch: Epoch,
        record: &LeaderChangeMessage<'_>,
    ) {
        self.leaders.push(Arc::new(Leadership {
            epoch,
            leader: NodeId(record.leader_id),
            voters: record.voters.iter().map(|v| NodeId(v.voter_id)).collect(),
            granting: record
                .granting_voters
                .iter()
                .map(|v| NodeId(v.voter_id))
                .collect(),
            record: at,
        }));
    }
}
