//! The facts of files: segments, checkpoints, and the small ones beside them.

use super::super::detail::{Facts, Value};
use super::super::{SideFile, Tree};
use crate::log::FileKind;

impl Tree<'_> {
    pub(super) fn file(&self, n: usize) -> Option<Facts> {
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

    pub(super) fn side_file(&self, kind: SideFile) -> Option<Facts> {
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

/// What a file is, in words.
#[must_use]
pub fn file_kind(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Segment { .. } => "log segment",
        FileKind::Checkpoint { .. } | FileKind::UnnamedCheckpoint { .. } => "checkpoint",
        FileKind::Bootstrap => "bootstrap checkpoint",
    }
}
