//! The tree as kafka-metadata-shell 4.3.1 has it of one file: `image` and `local`, Kafka's names, what
//! that release reads and nothing else.

use super::{Matching, Node, Pattern, Tree, names};
use crate::facts::releases::Release;
use crate::facts::{codes, configs, levels};
use crate::image::{METADATA_VERSION, Provenance, State};
use crate::log::{Batch, Log};
use crate::record::{self, MetadataRecord, Reading, UnregisterControllerRecord};
use crate::text::java_cmp;
use std::sync::Arc;

/// The release that is followed: the newest of which the shell was published.
const RELEASE: Release = Release::new(4, 3);

/// The highest version of RegisterBrokerRecord that [`RELEASE`] reads.
const REGISTER_BROKER: i16 = 4;

/// The tree of the shell.
#[derive(Clone, Copy, Debug)]
pub struct ShellTree<'a> {
    tree: Tree<'a>,
    provenance: Provenance,
}

/// What a name of the shell's tree stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShellNode {
    /// A node that ours has too.
    Node(Node),
    /// `/local/commitId`.
    CommitId,
    /// A name that Kafka lists and cannot look up. Its shell stops at some of these.
    Unreachable,
}

/// A node and the components that led to it, as they were typed or listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellPlace {
    /// The components.
    pub path: Vec<String>,
    /// The node.
    pub node: ShellNode,
}

impl ShellPlace {
    /// The last component; `/` for the root.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.last().map_or("/", String::as_str)
    }
}

/// Reads a file as the shell does: without the records that 4.3.1 cannot read, the config keys that it
/// drops, and the levels that it does not know.
#[must_use]
pub fn read_as_shell(log: Arc<Log>) -> State {
    State::read_taking(log, |reading| is_read(reading) && applies(&reading.record))
}

/// Whether the release can read a record.
fn is_read(reading: &Reading<'_>) -> bool {
    match reading.record {
        MetadataRecord::RegisterBroker(_) => reading.frame.version <= REGISTER_BROKER,
        _ => reading.frame.api_key != UnregisterControllerRecord::API_KEY,
    }
}

/// Whether a record that the release can read changes its image.
fn applies(record: &MetadataRecord<'_>) -> bool {
    match record {
        // Kafka: SupportedConfigChecker, in ConfigurationsDelta.replay.
        MetadataRecord::Config(r) => {
            let resource = codes::ConfigResourceType(r.resource_type);
            configs::kept_on_replay_of(RELEASE, resource, &r.name.to_str())
        }
        // Kafka: MetadataVersion.fromFeatureLevel refuses what is no level of its release.
        MetadataRecord::FeatureLevel(r) if r.name == METADATA_VERSION => {
            r.feature_level >= levels::lowest(RELEASE)
                && levels::first_known(r.feature_level).is_some_and(|first| first <= RELEASE)
        }
        _ => true,
    }
}

// Kafka: SnapshotFileReader hands the records of each batch over as if they were committed to a log, and
// Batch.data counts those that could be read.
fn provenance(log: &Log) -> Provenance {
    let of_batch = |batch: Batch<'_>| {
        if batch.header().is_control() || !batch.is_applied() {
            return None;
        }
        let values = batch.records().filter_map(Result::ok).map(|r| r.value());
        let readings = values.map(|value| record::read(value.unwrap_or_default()));
        let read = readings.filter(|r| r.as_ref().is_ok_and(is_read)).count();
        let last = i64::try_from(read)
            .ok()?
            .checked_sub(1)
            .filter(|n| *n >= 0)?;
        Some(Provenance {
            offset: batch.header().base_offset.plus(last),
            epoch: batch.header().epoch,
            time: batch.header().max_timestamp,
        })
    };
    log.batches()
        .rev()
        .find_map(of_batch)
        .unwrap_or(Provenance::EMPTY)
}

impl<'a> ShellTree<'a> {
    /// The tree over what [`read_as_shell`] read, or over any other state.
    #[must_use]
    pub fn new(tree: Tree<'a>) -> Self {
        let provenance = provenance(tree.state().image().log());
        Self { tree, provenance }
    }

    /// Whether a node has children rather than a text.
    #[must_use]
    pub fn is_directory(&self, node: &ShellNode) -> bool {
        match node {
            ShellNode::Node(node) => self.tree.is_directory(node),
            ShellNode::CommitId | ShellNode::Unreachable => false,
        }
    }

    /// The children of a directory in Java string order; a name may be empty or come twice.
    #[must_use]
    pub fn children(&self, node: &ShellNode) -> Vec<(String, ShellNode)> {
        let ShellNode::Node(node) = node else {
            return Vec::new();
        };
        let known = |name: &str, node| (name.to_owned(), ShellNode::Node(node));
        match node {
            Node::Root => vec![known("image", Node::Image), known("local", Node::Local)],
            Node::Local => vec![
                ("commitId".to_owned(), ShellNode::CommitId),
                known("version", Node::Version),
            ],
            Node::Quotas => {
                let quotas = self.tree.state().image().quotas();
                let mut list: Vec<_> = quotas
                    .iter()
                    .map(|(entity, _)| {
                        let plain = entity.without_defaults();
                        let node = if !plain.is_empty() && quotas.get(&plain).is_some() {
                            ShellNode::Node(Node::Entity(plain))
                        } else {
                            ShellNode::Unreachable
                        };
                        (names::kafka_entity(entity), node)
                    })
                    .collect();
                list.sort_by(|a, b| java_cmp(&a.0, &b.0));
                list
            }
            _ => {
                let children = self.tree.children(node).into_iter();
                children
                    .filter(|child| Self::has(&child.node))
                    .map(|child| (child.name, ShellNode::Node(child.node)))
                    .collect()
            }
        }
    }

    // Kafka: ScramImageNode knows two mechanisms.
    fn has(node: &Node) -> bool {
        !matches!(node, Node::Mechanism(mechanism) if !(1..=2).contains(mechanism))
    }

    /// The child of a name, listed or not.
    #[must_use]
    pub fn child(&self, node: &ShellNode, name: &str) -> Option<ShellNode> {
        match node {
            ShellNode::Node(Node::Root | Node::Local | Node::Quotas) => {
                let mut listed = self.children(node).into_iter();
                listed
                    .find(|(listed, child)| listed == name && *child != ShellNode::Unreachable)
                    .map(|(_, child)| child)
            }
            ShellNode::Node(node) => {
                let child = self.tree.child(node, name)?;
                Self::has(&child).then_some(ShellNode::Node(child))
            }
            ShellNode::CommitId | ShellNode::Unreachable => None,
        }
    }

    /// The children of a directory whose names begin with a prefix, as [`Tree::matching`] gives them,
    /// each with whether it is a directory.
    #[must_use]
    pub fn matching(&self, node: &ShellNode, prefix: &str, most: usize) -> Matching<bool> {
        match node {
            ShellNode::Node(node @ (Node::TopicsBy(_) | Node::Topic(..))) => {
                self.tree.matching(node, prefix, most)
            }
            node => {
                let mut matching = Matching::new(most);
                for (name, child) in self.children(node) {
                    if child != ShellNode::Unreachable && name.starts_with(prefix) {
                        matching.take(&name, || self.is_directory(&child));
                    }
                }
                matching.sorted()
            }
        }
    }

    /// The text of a leaf, without its final newline.
    #[must_use]
    pub fn text(&self, node: &ShellNode) -> String {
        match node {
            ShellNode::Node(Node::Provenance) => super::kafka::provenance(self.provenance),
            ShellNode::Node(Node::Version) => env!("CARGO_PKG_VERSION").to_owned(),
            ShellNode::Node(node) => self.tree.kafka_text(node).unwrap_or_default(),
            // Kafka: AppInfoParser says so of a build that does not know its commit.
            ShellNode::CommitId => "unknown".to_owned(),
            ShellNode::Unreachable => String::new(),
        }
    }

    /// The places that a path leads to from a working directory, in listed order. Nothing in it is
    /// quoted: it is split at slashes only (`CommandUtils.splitPath`), and a component without wildcard
    /// is a name as it stands (`GlobVisitor`).
    #[must_use]
    pub fn find(&self, from: &[String], path: &str) -> Vec<ShellPlace> {
        let mut found = vec![ShellPlace {
            path: Vec::new(),
            node: ShellNode::Node(Node::Root),
        }];
        for component in components(from, path) {
            let pattern = Pattern::new(&component);
            let mut next = Vec::new();
            for place in &found {
                let below = |name: String, node: ShellNode| ShellPlace {
                    path: place.path.iter().cloned().chain([name]).collect(),
                    node,
                };
                match &pattern {
                    None => next.extend(
                        self.child(&place.node, &component)
                            .map(|node| below(component.clone(), node)),
                    ),
                    Some(pattern) => next.extend(
                        self.children(&place.node)
                            .into_iter()
                            .filter(|(name, node)| {
                                *node != ShellNode::Unreachable && pattern.matches(name)
                            })
                            .map(|(name, node)| below(name, node)),
                    ),
                }
            }
            found = next;
        }
        found
    }
}

/// The components of a path, dots taken out of it before anything is looked up
/// (`CommandUtils.stripDotPathComponents`).
fn components(from: &[String], path: &str) -> Vec<String> {
    let mut components = if path.starts_with('/') {
        Vec::new()
    } else {
        from.to_vec()
    };
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                components.pop();
            }
            name => components.push(name.to_owned()),
        }
    }
    components
}
