//! Numbers over the whole state, taken once when it has been read: the header, the overview and the
//! notes beside directories show them.

use super::note::Sign;
use crate::finding::Severity;
use crate::image::State;
use crate::log::Log;
use crate::text::{Rfc3339, Thousands};
use crate::tree::{Facts, Node, Secrets, Tree, Value, level_name};
use std::fmt::Write as _;

/// The numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) named_topics: usize,
    pub(super) partitions: usize,
    pub(super) offline: usize,
    pub(super) under_replicated: usize,
    pub(super) reassigning: usize,
    pub(super) fenced: usize,
    pub(super) marked: usize,
    /// Brokers that reported static configs.
    pub(super) reporting: usize,
    pub(super) errors: u64,
    pub(super) warnings: u64,
}

impl Totals {
    /// Counts. This looks at every partition.
    pub(super) fn of(state: &State) -> Self {
        let image = state.image();
        let mut totals = Self {
            named_topics: image.topics().named().count(),
            fenced: image
                .cluster()
                .brokers()
                .values()
                .filter(|b| b.fenced)
                .count(),
            marked: image.marked().count(),
            reporting: Tree::new(state, Secrets::Masked)
                .children(&Node::StaticConfigs)
                .len(),
            errors: state.findings().count(Severity::Error),
            warnings: state.findings().count(Severity::Warning),
            ..Self::default()
        };
        for partition in image.topics().iter().flat_map(|topic| topic.partitions()) {
            let count = |number: &mut usize, is: bool| *number = number.saturating_add(is.into());
            count(&mut totals.partitions, true);
            count(&mut totals.offline, partition.is_offline());
            count(
                &mut totals.under_replicated,
                partition.is_under_replicated(),
            );
            count(&mut totals.reassigning, partition.is_reassigning());
        }
        totals
    }

    /// Whether the bytes and records were all right, in words.
    pub(super) fn verdict(&self) -> (Sign, String) {
        match (self.errors, self.warnings) {
            (0, 0) => (Sign::Good, "no damage".to_owned()),
            (0, warnings) => (Sign::Warning, count(warnings, "warning")),
            (errors, 0) => (Sign::Error, count(errors, "error")),
            (errors, warnings) => (
                Sign::Error,
                format!("{}, {}", count(errors, "error"), count(warnings, "warning")),
            ),
        }
    }

    /// Offset, epoch and time of the state and what is in it, the most telling first.
    pub(super) fn span(&self, state: &State) -> Vec<String> {
        let image = state.image();
        let p = image.provenance();
        let mut words = Vec::new();
        if p.offset.0 < 0 {
            words.push("no metadata records".to_owned());
        } else {
            words.push(format!("offset {}", p.offset));
            words.push(format!("epoch {}", p.epoch));
            if p.time.0 >= 0 {
                words.push(Rfc3339(p.time).to_string());
            }
        }
        if self.marked > 0 {
            words.push(count(self.marked as u64, "marked controller"));
        }
        if self.offline > 0 {
            words.push(format!(
                "{} offline",
                count(self.offline as u64, "partition")
            ));
        }
        if let Some((level, _)) = image.features().metadata_version() {
            words.push(format!("metadata.version {}", level_name(level)));
        }
        let numbers = [
            (image.topics().len(), "topic"),
            (self.partitions, "partition"),
            (image.cluster().brokers().len(), "broker"),
            (image.cluster().controllers().len(), "controller"),
        ];
        words.extend(numbers.map(|(n, what)| count(n as u64, what)));
        words
    }

    /// What the root shows.
    pub(super) fn overview(&self, state: &State) -> Facts {
        let image = state.image();
        let log = image.log();
        let mut facts = Facts::new().with("path", log.path().to_string_lossy());
        if let Some(folder) = log.folder().filter(|folder| *folder != log.path()) {
            facts.add("folder", folder.to_string_lossy());
        }
        if let Some(meta) = &log.side_files().meta_properties {
            facts.add("node", meta.node_id);
            facts.add("clusterId", meta.cluster_id.clone());
            facts.add("directoryId", meta.directory_id);
        }
        let p = image.provenance();
        facts.add("verdict", self.verdict().1);
        facts.add(
            "state",
            Facts::new()
                .with("offset", p.offset)
                .with("epoch", p.epoch)
                .with("time", p.time),
        );
        let level = image.features().metadata_version();
        facts.add(
            "metadata.version",
            level.map(|(level, _)| format!("{} ({level})", level_name(level))),
        );
        facts.add("quorum", quorum(state));
        facts.add(
            "cluster",
            Facts::new()
                .with("brokers", image.cluster().brokers().len())
                .with("fenced", self.fenced)
                .with("controllers", image.cluster().controllers().len())
                .with("marked", self.marked)
                .with("topics", image.topics().len())
                .with("partitions", self.partitions)
                .with("offline", self.offline)
                .with("underReplicated", self.under_replicated)
                .with("reassigning", self.reassigning),
        );
        facts.add(
            "files",
            log.files()
                .iter()
                .map(|file| {
                    Facts::new()
                        .with("name", super::file_name(file.path()))
                        .with("size", Value::Size(file.size()))
                })
                .collect::<Vec<_>>(),
        );
        facts
    }
}

fn quorum(state: &State) -> Facts {
    let quorum = state.image().quorum();
    let mut facts = Facts::new().with("kraft.version", quorum.kraft_version().map_or(0, |v| v.0));
    if let Some(set) = quorum.voters() {
        facts.add(
            "voters",
            Value::List(set.voters.iter().map(|v| v.id.into()).collect()),
        );
    }
    if let Some(last) = quorum.leaders().last() {
        facts.add("leader", last.leader);
        facts.add("epoch", last.epoch);
    }
    facts
}

/// Who the state is of: the node as far as the files tell, the cluster, the path.
pub(super) fn identity(state: &State) -> String {
    let log: &Log = state.image().log();
    let cluster = state.image().cluster();
    let meta = log.side_files().meta_properties.as_ref();
    let mut out = String::new();
    if let Some(id) = meta.and_then(|meta| meta.node_id) {
        let role = match (
            cluster.controllers().contains_key(&id.0),
            cluster.brokers().contains_key(&id.0),
        ) {
            (true, true) => "broker and controller",
            (true, false) => "controller",
            (false, true) => "broker",
            (false, false) => "node",
        };
        // Writing into a String cannot fail.
        let _ = write!(out, "{role} {id}");
    }
    if let Some(cluster) = meta.and_then(|meta| meta.cluster_id.as_deref()) {
        let joint = if out.is_empty() { "" } else { " · " };
        let _ = write!(out, "{joint}cluster {cluster}");
    }
    let joint = if out.is_empty() { "" } else { " · " };
    let _ = write!(out, "{joint}{}", log.path().display());
    out
}

/// `1 topic`, `1,000 topics`.
pub(super) fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", Thousands(number))
}
