//! The quorum as a copy tells it: voters, those that are no longer, leader.

use super::report::rfc3339;
use crate::cli::nodes::mark_words;
use crate::ids::Uuid;
use crate::image::{Voter, VoterSet};
use crate::tree::{Facts, Node, Tree};
use serde::Serialize;
use std::sync::Arc;

/// The quorum.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct QuorumReport {
    /// `static` or `dynamic`.
    pub(super) kind: &'static str,
    pub(super) kraft_version: i16,
    pub(super) leader: Option<LeaderReport>,
    /// In a dynamic quorum.
    pub(super) voters: Vec<VoterReport>,
    /// Once voters, and no longer by the last set.
    pub(super) removed_voters: Vec<RemovedVoter>,
    /// In a static quorum: as the last leader knew them.
    pub(super) static_voters: Vec<i32>,
    pub(super) quorum_state: Option<QuorumStateReport>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LeaderReport {
    pub(super) id: i32,
    pub(super) epoch: i32,
    pub(super) since_offset: Option<i64>,
    pub(super) since_time: Option<String>,
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VoterReport {
    pub(super) id: i32,
    pub(super) directory_id: Uuid,
    pub(super) endpoints: Vec<String>,
    pub(super) registered: bool,
    pub(super) marked: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RemovedVoter {
    #[serde(flatten)]
    pub(super) voter: VoterReport,
    /// The offset of the first set without it.
    pub(super) removed_at_offset: Option<i64>,
    pub(super) removed_at: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct QuorumStateReport {
    pub(super) leader_id: Option<i32>,
    pub(super) leader_epoch: i32,
    pub(super) voted_id: Option<i32>,
}

impl QuorumReport {
    pub(super) fn of(tree: &Tree<'_>) -> Self {
        let image = tree.state().image();
        let (log, quorum) = (image.log(), image.quorum());
        let kraft_version = quorum.kraft_version().map_or(0, |(level, _)| level);
        let last = quorum.leaders().last();
        let known = |id: i32| Some(id).filter(|id| *id >= 0);
        Self {
            kind: if kraft_version > 0 || quorum.voters().is_some() {
                "dynamic"
            } else {
                "static"
            },
            kraft_version,
            leader: last.map(|l| {
                let origin = log.origin(l.record);
                LeaderReport {
                    id: l.leader.0,
                    epoch: l.epoch.0,
                    since_offset: origin.as_ref().map(|o| o.offset.0),
                    since_time: origin.and_then(|o| rfc3339(o.time)),
                }
            }),
            voters: quorum.voters().map_or_else(Vec::new, |set| {
                set.voters.iter().map(|v| voter(tree, v)).collect()
            }),
            removed_voters: removed(tree, quorum.voter_history()),
            static_voters: match (quorum.voters(), last) {
                (None, Some(l)) => l.voters.iter().map(|id| id.0).collect(),
                _ => Vec::new(),
            },
            quorum_state: log
                .side_files()
                .quorum_state
                .as_ref()
                .map(|s| QuorumStateReport {
                    leader_id: known(s.leader_id.0),
                    leader_epoch: s.leader_epoch.0,
                    voted_id: known(s.voted_id.0),
                }),
        }
    }
}

fn voter(tree: &Tree<'_>, voter: &Voter) -> VoterReport {
    let controllers = tree.state().image().cluster().controllers();
    let endpoint = |e: &crate::image::Endpoint| format!("{} {}:{}", e.name, e.host, e.port);
    VoterReport {
        id: voter.id.0,
        directory_id: voter.directory,
        endpoints: voter.endpoints.iter().map(endpoint).collect(),
        registered: controllers.contains_key(&voter.id.0),
        marked: controllers
            .get(&voter.id.0)
            .is_some_and(|c| c.mark.is_some()),
    }
}

/// Voters of earlier sets, by id and directory, that the last set does not have.
fn removed(tree: &Tree<'_>, history: &[Arc<VoterSet>]) -> Vec<RemovedVoter> {
    let has = |set: &VoterSet, voter: &Voter| {
        let mut all = set.voters.iter();
        all.any(|v| v.id == voter.id && v.directory == voter.directory)
    };
    let Some(last) = history.last() else {
        return Vec::new();
    };
    let mut gone: Vec<RemovedVoter> = Vec::new();
    let pairs = history.iter().zip(history.iter().skip(1));
    // The latest removal first, so that a voter removed twice counts once, with that one.
    for (before, after) in pairs.rev() {
        for lost in before
            .voters
            .iter()
            .filter(|v| !has(after, v) && !has(last, v))
        {
            let report = voter(tree, lost);
            if gone.iter().any(|g| g.voter == report) {
                continue;
            }
            let origin = tree.state().image().log().origin(after.record);
            gone.push(RemovedVoter {
                voter: report,
                removed_at_offset: origin.as_ref().map(|o| o.offset.0),
                removed_at: origin.and_then(|o| rfc3339(o.time)),
            });
        }
    }
    gone.sort_by_key(|g| g.voter.id);
    gone
}

/// A registered controller.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ControllerReport {
    pub(super) id: i32,
    /// In a dynamic quorum, whether it is a voter.
    pub(super) voter: Option<bool>,
    pub(super) marked: bool,
    /// Since when, by whom, in which form.
    pub(super) mark: Option<Facts>,
    /// The same in words.
    pub(super) note: Option<String>,
    pub(super) metadata_version: Option<RangeReport>,
    /// Whether any range is open to 32767.
    pub(super) open_ranges: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct RangeReport {
    pub(super) min: i16,
    pub(super) max: i16,
}

/// Registered controllers, by id.
pub(super) fn controllers(tree: &Tree<'_>) -> Vec<ControllerReport> {
    let image = tree.state().image();
    let voters = image.quorum().voters();
    let controllers = image.cluster().controllers().values();
    controllers
        .map(|controller| {
            let id = controller.id;
            let record = image.records().controller(controller.registration);
            let features = record.iter().flat_map(|r| r.features.iter());
            let range = features
                .clone()
                .find(|f| f.name.bytes() == crate::image::METADATA_VERSION.as_bytes())
                .map(|f| RangeReport {
                    min: f.min_supported_version,
                    max: f.max_supported_version,
                });
            let open_ranges = features
                .clone()
                .any(|f| f.max_supported_version == i16::MAX);
            let marked = controller.mark.is_some();
            let note = mark_words(tree, id).or_else(|| {
                let words = "ranges open to 32767 and no mark: nothing says why";
                open_ranges.then(|| words.to_owned())
            });
            ControllerReport {
                id,
                voter: voters.map(|set| set.voters.iter().any(|v| v.id.0 == id)),
                marked,
                mark: marked.then(|| tree.facts(&Node::Mark(id))),
                note,
                metadata_version: range,
                open_ranges,
            }
        })
        .collect()
}
