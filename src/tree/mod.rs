//! The tree of nodes over a state: Kafka's tree under `/image` with the same names and nesting, and ours
//! beside it.
//!
//! Children are made when asked for: a tree of two million partitions costs nothing until someone looks.

mod definition;
mod describe;
mod detail;
mod glob;
mod kafka;
mod lines;
mod matching;
mod names;
mod node;
mod path;
mod shell;

pub use describe::{file_kind, finding as finding_facts};
pub use detail::{Fact, Facts, Line, Value, directory_name};
pub use glob::Pattern;
pub use kafka::version_range;
pub use lines::KafkaLine;
pub use matching::Matching;
pub use node::{Node, SideFile, TopicsBy};
pub use path::{Component, push as push_component, quote, split};
pub use shell::{ShellNode, ShellPlace, ShellTree, read_as_shell};

use crate::facts::{codes, levels, secrets};
use crate::ids::Uuid;
use crate::image::{State, Topic};
use crate::record::Text;
use crate::text::java_cmp;
use std::borrow::Cow;
use std::sync::Arc;

/// What stands in place of a secret.
pub const REDACTED: &str = secrets::REDACTED;

/// Kafka's name of a metadata.version level, the number for one that is not known.
#[must_use]
pub fn level_name(level: i16) -> Cow<'static, str> {
    levels::level(level).map_or_else(|| level.to_string().into(), |known| known.name.into())
}

/// Whether secrets are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Secrets {
    /// As `[redacted]`.
    #[default]
    Masked,
    /// As they are.
    Revealed,
}

/// The tree over a state.
#[derive(Clone, Copy, Debug)]
pub struct Tree<'a> {
    state: &'a State,
    secrets: Secrets,
}

/// A child with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// Its name, raw: whoever prints escapes it.
    pub name: String,
    /// The node.
    pub node: Node,
}

impl Child {
    fn new(name: impl Into<String>, node: Node) -> Self {
        Self {
            name: name.into(),
            node,
        }
    }
}

impl<'a> Tree<'a> {
    /// The tree over a state.
    #[must_use]
    pub fn new(state: &'a State, secrets: Secrets) -> Self {
        Self { state, secrets }
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &'a State {
        self.state
    }

    /// Whether secrets are shown.
    #[must_use]
    pub fn reveals(&self) -> bool {
        self.secrets == Secrets::Revealed
    }

    /// Whether the value of a config is to be masked.
    #[must_use]
    pub fn hides_config(&self, kind: i8, key: &str) -> bool {
        !self.reveals() && secrets::is_secret_config(codes::ConfigResourceType(kind), key)
    }

    /// Whether a node has children rather than a value. A directory may be empty.
    #[must_use]
    pub fn is_directory(&self, node: &Node) -> bool {
        use Node as N;
        matches!(
            node,
            N::Root
                | N::Image
                | N::Features
                | N::Cluster
                | N::Brokers
                | N::Controllers
                | N::Topics
                | N::TopicsBy(_)
                | N::Topic(..)
                | N::Configs
                | N::Resource(_)
                | N::Quotas
                | N::Entity(_)
                | N::ProducerIds
                | N::Acls
                | N::AclsById
                | N::Scram
                | N::Mechanism(_)
                | N::Tokens
                | N::Local
                | N::Quorum
                | N::Voters
                | N::Leaders
                | N::StaticConfigs
                | N::BrokerStaticConfigs(_)
                | N::Marks
                | N::Transactions
                | N::Files
                | N::Findings
        )
    }

    /// The children of a directory, in Java string order of their names as MetadataShell lists them; what
    /// is only numbered in ours stays in its order.
    #[must_use]
    pub fn children(&self, node: &Node) -> Vec<Child> {
        let mut children = self.unsorted(node);
        if !matches!(node, Node::Findings | Node::Transactions | Node::Leaders) {
            children.sort_by(|a, b| java_cmp(&a.name, &b.name));
        }
        children
    }

    fn unsorted(&self, node: &Node) -> Vec<Child> {
        use Node as N;
        let image = self.state.image();
        let fixed = |list: &[(&str, Node)]| {
            list.iter()
                .map(|(name, node)| Child::new(*name, node.clone()))
                .collect()
        };
        match node {
            N::Root => fixed(&[
                ("image", N::Image),
                ("local", N::Local),
                ("quorum", N::Quorum),
                ("static-configs", N::StaticConfigs),
                ("marks", N::Marks),
                ("transactions", N::Transactions),
                ("files", N::Files),
                ("findings", N::Findings),
            ]),
            N::Image => fixed(&[
                ("provenance", N::Provenance),
                ("features", N::Features),
                ("cluster", N::Cluster),
                ("topics", N::Topics),
                ("configs", N::Configs),
                ("clientQuotas", N::Quotas),
                ("producerIds", N::ProducerIds),
                ("acls", N::Acls),
                ("scram", N::Scram),
                ("delegationToken", N::Tokens),
            ]),
            N::Features => {
                let mut list = vec![Child::new("metadataVersion", N::MetadataVersion)];
                list.extend(image.features().others().map(|(name, _, _)| {
                    Child::new(format!("finalized_{name}"), N::Feature(name.clone()))
                }));
                list
            }
            N::Cluster => fixed(&[("brokers", N::Brokers), ("controllers", N::Controllers)]),
            N::Brokers => numbered(image.cluster().brokers().keys().copied(), N::Broker),
            N::Controllers => {
                numbered(image.cluster().controllers().keys().copied(), N::Controller)
            }
            N::Topics => fixed(&[
                ("byId", N::TopicsBy(TopicsBy::Id)),
                ("byName", N::TopicsBy(TopicsBy::Name)),
            ]),
            N::TopicsBy(TopicsBy::Id) => image
                .topics()
                .iter()
                .map(|topic| Child::new(topic.id().to_string(), N::Topic(TopicsBy::Id, topic.id())))
                .collect(),
            N::TopicsBy(TopicsBy::Name) => image
                .topics()
                .named()
                .map(|(name, topic)| Child::new(&**name, N::Topic(TopicsBy::Name, topic.id())))
                .collect(),
            N::Topic(by, id) => {
                let Some(topic) = image.topics().by_id(*id) else {
                    return Vec::new();
                };
                let mut list = vec![
                    Child::new("name", N::TopicName(*by, *id)),
                    Child::new("id", N::TopicId(*by, *id)),
                ];
                list.extend(
                    topic
                        .partitions()
                        .iter()
                        .map(|p| Child::new(p.id().to_string(), N::Partition(*by, *id, p.id()))),
                );
                list
            }
            N::Configs => image
                .configs()
                .iter()
                .map(|(resource, _)| {
                    Child::new(names::resource(resource), N::Resource(resource.clone()))
                })
                .collect(),
            N::Resource(resource) => keyed(
                image
                    .configs()
                    .get(resource)
                    .into_iter()
                    .flat_map(|c| c.keys()),
                |key| N::Config(resource.clone(), key),
            ),
            N::Quotas => image
                .quotas()
                .iter()
                .map(|(entity, _)| Child::new(names::entity(entity), N::Entity(entity.clone())))
                .collect(),
            N::Entity(entity) => keyed(
                image
                    .quotas()
                    .get(entity)
                    .into_iter()
                    .flat_map(|q| q.keys()),
                |key| N::Quota(entity.clone(), key),
            ),
            N::ProducerIds => fixed(&[("nextProducerId", N::NextProducerId)]),
            N::Acls => fixed(&[("byId", N::AclsById)]),
            N::AclsById => image
                .acls()
                .iter()
                .map(|(id, _)| Child::new(id.to_string(), N::Acl(id)))
                .collect(),
            N::Scram => {
                let mut list: Vec<Child> = fixed(&[
                    ("SCRAM-SHA-256", N::Mechanism(1)),
                    ("SCRAM-SHA-512", N::Mechanism(2)),
                ]);
                // Kafka's tree does not show credentials of unknown mechanisms.
                let mut unknown: Vec<i8> = image
                    .scram()
                    .iter()
                    .map(|c| c.0)
                    .filter(|m| !(1..=2).contains(m))
                    .collect();
                unknown.dedup();
                list.extend(
                    unknown
                        .into_iter()
                        .map(|m| Child::new(format!("unknown-{m}"), N::Mechanism(m))),
                );
                list
            }
            N::Mechanism(mechanism) => {
                let users = image
                    .scram()
                    .iter()
                    .filter(|c| c.0 == *mechanism)
                    .map(|c| c.1);
                keyed(users, |user| N::Credential(*mechanism, user))
            }
            N::Tokens => keyed(image.tokens().iter().map(|t| t.0), N::Token),
            N::Local => fixed(&[("version", N::Version)]),
            N::Quorum => fixed(&[
                ("kraftVersion", N::KraftVersion),
                ("voters", N::Voters),
                ("leaders", N::Leaders),
                ("zkMigrationState", N::Migration),
            ]),
            N::Voters => {
                let voters = image.quorum().voters();
                numbered(
                    voters.iter().flat_map(|s| &s.voters).map(|v| v.id.0),
                    N::Voter,
                )
            }
            N::Leaders => image
                .quorum()
                .leaders()
                .iter()
                .map(|l| Child::new(l.epoch.to_string(), N::Leader(l.epoch)))
                .collect(),
            N::StaticConfigs => {
                let reporting = image.cluster().brokers().values().filter(|broker| {
                    let record = image.records().broker(broker.registration);
                    record.is_some_and(|r| r.static_configs.is_present())
                });
                numbered(reporting.map(|b| b.id), N::BrokerStaticConfigs)
            }
            N::BrokerStaticConfigs(id) => self
                .static_configs(*id)
                .map(|(name, _)| {
                    let name: Arc<str> = name.to_str().into();
                    Child::new(&*name, N::StaticConfig(*id, name.clone()))
                })
                .collect(),
            N::Marks => numbered(image.marked().map(|(c, _)| c.id), N::Mark),
            N::Transactions => {
                let count = self.state.transactions().len();
                (0..count)
                    .map(|n| Child::new(n.to_string(), N::Transaction(n)))
                    .collect()
            }
            N::Files => self.files(),
            N::Findings => {
                let count = self.state.findings().kept().len();
                (0..count)
                    .map(|n| Child::new(n.to_string(), N::Finding(n)))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The static configs that a broker reported, in the record's order.
    pub fn static_configs(
        &self,
        broker: i32,
    ) -> impl Iterator<Item = (Text<'a>, Option<Text<'a>>)> + use<'a> {
        let image = self.state.image();
        image
            .cluster()
            .brokers()
            .get(&broker)
            .and_then(|b| image.records().broker(b.registration))
            .and_then(|r| r.static_configs.present())
            .into_iter()
            .flat_map(|configs| configs.iter().map(|c| (c.name, c.value)))
    }

    fn files(&self) -> Vec<Child> {
        let log = self.state.image().log();
        let name = |path: &std::path::Path| {
            path.file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy()
                .into_owned()
        };
        let used = log.files().iter().enumerate();
        let mut list: Vec<Child> = used
            .map(|(n, file)| Child::new(name(file.path()), Node::File(n)))
            .collect();
        let over = log.passed_over().iter().enumerate();
        list.extend(over.map(|(n, file)| Child::new(name(&file.path), Node::PassedOver(n))));
        list.extend(
            SideFile::ALL
                .into_iter()
                .filter(|kind| kind.is_in(log.side_files()))
                .map(|kind| Child::new(kind.name(), Node::SideFile(kind))),
        );
        list
    }

    /// The child of a name, also one that resolves without being listed: `finalized_X` of any feature,
    /// and numbers as Java's `Integer.valueOf` reads them (`+1`, `01`).
    #[must_use]
    pub fn child(&self, node: &Node, name: &str) -> Option<Node> {
        use Node as N;
        let image = self.state.image();
        let number = || java_int(name);
        match node {
            N::Features => match name.strip_prefix("finalized_") {
                Some(feature) => Some(N::Feature(feature.into())),
                None => (name == "metadataVersion").then_some(N::MetadataVersion),
            },
            N::Brokers => number()
                .filter(|id| image.cluster().brokers().contains_key(id))
                .map(N::Broker),
            N::Controllers => number()
                .filter(|id| image.cluster().controllers().contains_key(id))
                .map(N::Controller),
            N::TopicsBy(TopicsBy::Id) => {
                let id: Uuid = name.parse().ok()?;
                image
                    .topics()
                    .by_id(id)
                    .map(|t| N::Topic(TopicsBy::Id, t.id()))
            }
            N::TopicsBy(TopicsBy::Name) => image
                .topics()
                .by_name(name)
                .map(|t| N::Topic(TopicsBy::Name, t.id())),
            N::Topic(by, id) => match name {
                "name" => Some(N::TopicName(*by, *id)),
                "id" => Some(N::TopicId(*by, *id)),
                _ => {
                    let topic: &Topic = image.topics().by_id(*id)?;
                    topic
                        .partition(number()?)
                        .map(|p| N::Partition(*by, *id, p.id()))
                }
            },
            N::AclsById => {
                let id: Uuid = name.parse().ok()?;
                image.acls().get(id).map(|_| N::Acl(id))
            }
            N::Resource(resource) => {
                let (key, _) = image.configs().get(resource)?.get_key_value(name)?;
                Some(N::Config(resource.clone(), key.clone()))
            }
            N::Tokens => image.tokens().get(name).map(|_| N::Token(name.into())),
            _ => {
                let mut all = self.unsorted(node).into_iter();
                all.find(|child| child.name == name).map(|child| child.node)
            }
        }
    }

    /// The last component of a node's path.
    #[must_use]
    pub fn name(&self, node: &Node) -> String {
        let parent = self.parent(node);
        match node {
            Node::Root => "/".to_owned(),
            Node::Broker(id)
            | Node::Controller(id)
            | Node::Voter(id)
            | Node::Mark(id)
            | Node::BrokerStaticConfigs(id)
            | Node::Partition(_, _, id) => id.to_string(),
            Node::Topic(TopicsBy::Id, id) | Node::Acl(id) => id.to_string(),
            Node::Topic(TopicsBy::Name, id) => {
                let topic = self.state.image().topics().by_id(*id);
                topic.map_or_else(|| id.to_string(), |t| t.name().to_string())
            }
            Node::Feature(name) => format!("finalized_{name}"),
            Node::Resource(resource) => names::resource(resource),
            Node::Entity(entity) => names::entity(entity),
            Node::Config(_, name)
            | Node::Quota(_, name)
            | Node::Credential(_, name)
            | Node::StaticConfig(_, name)
            | Node::Token(name) => name.to_string(),
            Node::Leader(epoch) => epoch.to_string(),
            Node::Transaction(n) | Node::Finding(n) => n.to_string(),
            _ => {
                let mut siblings = self.unsorted(&parent).into_iter();
                siblings
                    .find(|child| child.node == *node)
                    .map_or_else(String::new, |c| c.name)
            }
        }
    }

    /// The directory that a node is in; the root is its own.
    #[must_use]
    pub fn parent(&self, node: &Node) -> Node {
        use Node as N;
        match node {
            N::Root
            | N::Image
            | N::Local
            | N::Quorum
            | N::StaticConfigs
            | N::Marks
            | N::Transactions
            | N::Files
            | N::Findings => N::Root,
            N::Provenance
            | N::Features
            | N::Cluster
            | N::Topics
            | N::Configs
            | N::Quotas
            | N::ProducerIds
            | N::Acls
            | N::Scram
            | N::Tokens => N::Image,
            N::MetadataVersion | N::Feature(_) => N::Features,
            N::Brokers | N::Controllers => N::Cluster,
            N::Broker(_) => N::Brokers,
            N::Controller(_) => N::Controllers,
            N::TopicsBy(_) => N::Topics,
            N::Topic(by, _) => N::TopicsBy(*by),
            N::TopicName(by, id) | N::TopicId(by, id) | N::Partition(by, id, _) => {
                N::Topic(*by, *id)
            }
            N::Resource(_) => N::Configs,
            N::Config(resource, _) => N::Resource(resource.clone()),
            N::Entity(_) => N::Quotas,
            N::Quota(entity, _) => N::Entity(entity.clone()),
            N::NextProducerId => N::ProducerIds,
            N::AclsById => N::Acls,
            N::Acl(_) => N::AclsById,
            N::Mechanism(_) => N::Scram,
            N::Credential(mechanism, _) => N::Mechanism(*mechanism),
            N::Token(_) => N::Tokens,
            N::Version => N::Local,
            N::KraftVersion | N::Voters | N::Leaders | N::Migration => N::Quorum,
            N::Voter(_) => N::Voters,
            N::Leader(_) => N::Leaders,
            N::BrokerStaticConfigs(_) => N::StaticConfigs,
            N::StaticConfig(id, _) => N::BrokerStaticConfigs(*id),
            N::Mark(_) => N::Marks,
            N::Transaction(_) => N::Transactions,
            N::File(_) | N::PassedOver(_) | N::SideFile(_) => N::Files,
            N::Finding(_) => N::Findings,
        }
    }

    /// The path of a node, quoted where needed so that [`Tree::find`] leads back to it.
    #[must_use]
    pub fn path(&self, node: &Node) -> String {
        let mut names = Vec::new();
        let mut at = node.clone();
        while at != Node::Root {
            names.push(self.name(&at));
            at = self.parent(&at);
        }
        let mut path = String::from("/");
        for name in names.iter().rev() {
            path::push(&mut path, name);
        }
        path
    }

    /// The nodes that a path leads to, in listed order; several only when it has wildcards.
    #[must_use]
    pub fn find(&self, path: &str) -> Vec<Node> {
        let mut found = vec![Node::Root];
        for component in split(path) {
            let mut next = Vec::new();
            for node in &found {
                match &component {
                    Component::Exact(name) => next.extend(self.child(node, name)),
                    Component::Typed(name) => {
                        if let Some(child) = self.child(node, name) {
                            next.push(child);
                        } else if let Some(pattern) = Pattern::new(name) {
                            next.extend(
                                self.children(node)
                                    .into_iter()
                                    .filter(|child| pattern.matches(&child.name))
                                    .map(|child| child.node),
                            );
                        }
                    }
                }
            }
            found = next;
        }
        found
    }
}

fn numbered(ids: impl Iterator<Item = i32>, node: impl Fn(i32) -> Node) -> Vec<Child> {
    ids.map(|id| Child::new(id.to_string(), node(id))).collect()
}

fn keyed<'a>(
    keys: impl Iterator<Item = &'a Arc<str>>,
    node: impl Fn(Arc<str>) -> Node,
) -> Vec<Child> {
    keys.map(|key| Child::new(&**key, node(key.clone())))
        .collect()
}

// Java's Integer.valueOf takes a sign and leading zeros, as Rust's parse does.
fn java_int(text: &str) -> Option<i32> {
    text.parse().ok()
}
