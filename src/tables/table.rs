//! A table: which rows there are.

use super::column::Kind;
use super::item::Item;
use crate::image::{MinIsr, Topic};
use crate::text::java_cmp;
use crate::tree::{Node, TopicsBy, Tree};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

/// A row: a handle that means something to its table only. Rows of a table are ordered as they are
/// listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(pub(super) u32, pub(super) u32);

/// All rows of one kind over a state.
#[derive(Debug)]
pub struct Table<'a> {
    tree: Tree<'a>,
    kind: Kind,
    topics: Vec<&'a Arc<Topic>>,
    nodes: Vec<Node>,
    min_isr: OnceLock<MinIsr<'a>>,
    live: OnceLock<HashSet<i32>>,
    load: OnceLock<HashMap<i32, Load>>,
}

/// What a broker carries.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Load {
    /// Partitions that it leads.
    pub(super) leads: u64,
    /// Replicas that it is to hold.
    pub(super) replicas: u64,
}

impl<'a> Table<'a> {
    /// The table of a kind.
    #[must_use]
    pub fn new(tree: Tree<'a>, kind: Kind) -> Self {
        let topics = match kind {
            Kind::Topics | Kind::Partitions => {
                let mut all: Vec<_> = tree.state().image().topics().iter().collect();
                all.sort_by(|a, b| {
                    java_cmp(a.name(), b.name()).then_with(|| a.id().java_cmp(&b.id()))
                });
                all
            }
            _ => Vec::new(),
        };
        Self {
            nodes: nodes(&tree, kind),
            tree,
            kind,
            topics,
            min_isr: OnceLock::new(),
            live: OnceLock::new(),
            load: OnceLock::new(),
        }
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The tree that its nodes are of.
    #[must_use]
    pub fn tree(&self) -> &Tree<'a> {
        &self.tree
    }

    /// How many rows it has.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.kind {
            Kind::Topics => self.topics.len(),
            Kind::Partitions => self.tree.state().image().topics().partition_count(),
            _ => self.nodes.len(),
        }
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its rows in their order: topics by name, brokers by id, ...
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        let inner = |index: u32| {
            if self.kind != Kind::Partitions {
                return 1;
            }
            let topic = self.topics.get(index as usize);
            topic.map_or(0, |topic| count(topic.partitions().len()))
        };
        let outer = count(self.topics.len().max(self.nodes.len()));
        (0..outer).flat_map(move |a| (0..inner(a)).map(move |b| Row(a, b)))
    }

    /// A row with what its columns are read from.
    #[must_use]
    pub fn item(&self, row: Row) -> Item<'_, 'a> {
        let topic = self.topics.get(row.0 as usize).copied();
        let partition = topic
            .filter(|_| self.kind == Kind::Partitions)
            .and_then(|topic| topic.partitions().get(row.1 as usize));
        let node = match (topic, partition) {
            (Some(topic), Some(p)) => Node::Partition(TopicsBy::Id, topic.id(), p.id()),
            (Some(topic), None) => Node::Topic(TopicsBy::Id, topic.id()),
            (None, _) => self
                .nodes
                .get(row.0 as usize)
                .cloned()
                .unwrap_or(Node::Root),
        };
        Item::new(self, node, topic, partition)
    }

    pub(super) fn min_isr(&self) -> &MinIsr<'a> {
        self.min_isr
            .get_or_init(|| MinIsr::of(self.tree.state().image()))
    }

    /// Brokers that are registered and not fenced.
    pub(super) fn live(&self) -> &HashSet<i32> {
        self.live.get_or_init(|| {
            let brokers = self.tree.state().image().cluster().brokers().values();
            brokers.filter(|b| !b.fenced).map(|b| b.id).collect()
        })
    }

    /// What a broker carries, from one pass over all partitions.
    pub(super) fn load(&self, broker: i32) -> Load {
        let all = self.load.get_or_init(|| {
            let image = self.tree.state().image();
            let mut all: HashMap<i32, Load> = HashMap::new();
            for topic in image.topics().iter() {
                for partition in topic.partitions() {
                    let led = all.entry(partition.leader().0).or_default();
                    led.leads = led.leads.saturating_add(1);
                    for replica in image.partition(partition).replicas.iter() {
                        let held = all.entry(replica).or_default();
                        held.replicas = held.replicas.saturating_add(1);
                    }
                }
            }
            all
        });
        all.get(&broker).copied().unwrap_or_default()
    }
}

/// A count of things that each take more than one byte of memory.
fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn nodes(tree: &Tree<'_>, kind: Kind) -> Vec<Node> {
    let image = tree.state().image();
    let below = |node: &Node| -> Vec<Node> {
        let children = tree.children(node).into_iter();
        children.map(|child| child.node).collect()
    };
    match kind {
        Kind::Topics | Kind::Partitions => Vec::new(),
        Kind::Brokers => numbered(image.cluster().brokers().keys(), Node::Broker),
        Kind::Controllers => numbered(image.cluster().controllers().keys(), Node::Controller),
        Kind::Voters => {
            let set = image.quorum().voters();
            let mut ids: Vec<i32> = set.iter().flat_map(|s| &s.voters).map(|v| v.id.0).collect();
            ids.sort_unstable();
            numbered(ids.iter(), Node::Voter)
        }
        Kind::Configs => {
            let resources = image.configs().iter();
            resources
                .flat_map(|(resource, configs)| {
                    let keys = configs.keys();
                    keys.map(|key| Node::Config(resource.clone(), key.clone()))
                })
                .collect()
        }
        Kind::StaticConfigs => {
            let brokers = image.cluster().brokers().keys();
            brokers
                .flat_map(|&id| below(&Node::BrokerStaticConfigs(id)))
                .collect()
        }
        Kind::Acls => below(&Node::AclsById),
        Kind::Quotas => {
            let entities = image.quotas().iter();
            entities
                .flat_map(|(entity, quotas)| {
                    let keys = quotas.keys();
                    keys.map(|key| Node::Quota(entity.clone(), key.clone()))
                })
                .collect()
        }
        Kind::Users => {
            let all = image.scram().iter();
            all.map(|(mechanism, user, _)| Node::Credential(mechanism, user.clone()))
                .collect()
        }
        Kind::Tokens => {
            let all = image.tokens().iter();
            all.map(|(id, _)| Node::Token(id.clone())).collect()
        }
        Kind::Features => {
            let version = image.features().metadata_version();
            let kraft = image.quorum().kraft_version();
            let others = image.features().others();
            version
                .map(|_| Node::MetadataVersion)
                .into_iter()
                .chain(kraft.map(|_| Node::KraftVersion))
                .chain(others.map(|(name, _, _)| Node::Feature(name.clone())))
                .collect()
        }
        Kind::Epochs => {
            let leaders = image.quorum().leaders().iter();
            let mut all: Vec<Node> = leaders.map(|l| Node::Leader(l.epoch)).collect();
            all.dedup();
            all
        }
        Kind::Files => below(&Node::Files),
        Kind::Findings => {
            let kept = tree.state().findings().kept().len();
            (0..kept).map(Node::Finding).collect()
        }
    }
}

fn numbered<'i>(ids: impl Iterator<Item = &'i i32>, node: impl Fn(i32) -> Node) -> Vec<Node> {
    ids.map(|&id| node(id)).collect()
}
