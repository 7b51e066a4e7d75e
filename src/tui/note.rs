//! What stands beside a name in the tree: a sign where something needs eyes, and a few words.

use super::theme::Role;
use super::totals::{Totals, count};
use crate::facts::codes;
use crate::finding::Severity;
use crate::image::{Partition, TransactionEnd};
use crate::text::ByteSize;
use crate::tree::{Node, TopicsBy, Tree, Value, level_name};

/// A sign: a glyph with a colour, so that it is seen without colours too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Good,
    Warning,
    Error,
    /// A controller that left for good.
    Mark,
}

impl Sign {
    /// The glyph, one column wide.
    pub(super) fn glyph(self) -> &'static str {
        match self {
            Self::Good => "✓",
            Self::Warning => "!",
            Self::Error => "✗",
            Self::Mark => "⊘",
        }
    }

    /// How it looks.
    pub(super) fn role(self) -> Role {
        match self {
            Self::Good => Role::Good,
            Self::Warning => Role::Warning,
            Self::Error => Role::Error,
            Self::Mark => Role::Mark,
        }
    }
}

/// A sign and words. The words are raw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) sign: Option<Sign>,
    pub(super) words: String,
}

impl Note {
    fn plain(words: impl Into<String>) -> Self {
        Self {
            sign: None,
            words: words.into(),
        }
    }

    fn signed(sign: Sign, words: impl Into<String>) -> Self {
        Self {
            sign: Some(sign),
            words: words.into(),
        }
    }
}

/// The note of a node; asked for the rows on the screen only.
pub(super) fn note(tree: &Tree<'_>, totals: &Totals, node: &Node) -> Note {
    let state = tree.state();
    let image = state.image();
    let number = |n: usize| Note::plain(count_only(n));
    match node {
        Node::Topics | Node::TopicsBy(TopicsBy::Id) => replicas(
            image.topics().len(),
            totals.offline,
            totals.under_replicated,
        ),
        Node::TopicsBy(TopicsBy::Name) => {
            replicas(totals.named_topics, totals.offline, totals.under_replicated)
        }
        Node::Topic(by, id) => {
            let Some(topic) = image.topics().by_id(*id) else {
                return Note::default();
            };
            let all = topic.partitions();
            let count = |what: fn(&Partition) -> bool| all.iter().filter(|p| what(p)).count();
            let offline = count(Partition::is_offline);
            let note = replicas(all.len(), offline, count(Partition::is_under_replicated));
            match by {
                TopicsBy::Id => Note {
                    words: format!("{} {}", topic.name(), note.words),
                    ..note
                },
                TopicsBy::Name => note,
            }
        }
        Node::Partition(_, id, n) => image
            .topics()
            .by_id(*id)
            .and_then(|topic| topic.partition(*n))
            .map_or_else(Note::default, partition),
        Node::Cluster if totals.marked == 0 && totals.fenced > 0 => {
            Note::signed(Sign::Warning, format!("{} fenced", totals.fenced))
        }
        Node::Cluster => marked(None, totals),
        Node::Controllers => marked(Some(image.cluster().controllers().len()), totals),
        Node::Marks if totals.marked > 0 => Note::signed(Sign::Mark, count_only(totals.marked)),
        Node::Marks => number(0),
        Node::Controller(id) => {
            let controller = image.cluster().controllers().get(id);
            match controller.and_then(|controller| controller.mark) {
                Some(_) => Note::signed(Sign::Mark, "marked: decommissioned"),
                None => Note::default(),
            }
        }
        Node::Mark(_) => Note::signed(Sign::Mark, "decommissioned"),
        Node::Voter(id) => {
            let controller = image.cluster().controllers().get(id);
            match controller.and_then(|controller| controller.mark) {
                Some(_) => Note::signed(Sign::Error, "marked, yet a voter"),
                None => Note::default(),
            }
        }
        Node::Brokers => {
            let all = image.cluster().brokers().len();
            match totals.fenced {
                0 => number(all),
                fenced => Note::signed(
                    Sign::Warning,
                    format!("{}, {fenced} fenced", count_only(all)),
                ),
            }
        }
        Node::Broker(id) => match image.cluster().brokers().get(id) {
            Some(broker) if broker.fenced => Note::signed(Sign::Warning, "fenced"),
            Some(broker) if broker.in_controlled_shutdown => {
                Note::signed(Sign::Warning, "in controlled shutdown")
            }
            _ => Note::default(),
        },
        Node::Findings => match (state.findings().kept().len(), state.findings().worst()) {
            (0, _) | (_, None) => Note::signed(Sign::Good, "none"),
            (_, Some(worst)) => {
                let all = state.findings().counts().map(|c| c.2);
                let all = all.fold(0, u64::saturating_add);
                Note {
                    sign: severity(worst),
                    words: crate::text::Thousands(all).to_string(),
                }
            }
        },
        Node::Finding(n) => state
            .findings()
            .kept()
            .get(*n)
            .map_or_else(Note::default, |finding| Note {
                sign: severity(finding.severity),
                words: format!("{}: {}", finding.code.as_str(), finding.summary),
            }),
        Node::Transactions => match state.open_transaction() {
            Some(_) => Note::signed(
                Sign::Warning,
                format!("{}, the last is open", state.transactions().len()),
            ),
            None => number(state.transactions().len()),
        },
        Node::Transaction(n) => state
            .transactions()
            .get(*n)
            .map_or_else(Note::default, |t| {
                let name = t.name.as_deref().unwrap_or("without a name");
                match t.end {
                    TransactionEnd::Committed(_) => Note::plain(format!("{name}, committed")),
                    TransactionEnd::Aborted { .. } => Note::plain(format!("{name}, aborted")),
                    TransactionEnd::Open => Note::signed(Sign::Warning, format!("{name}, open")),
                }
            }),
        Node::Configs => number(image.configs().len()),
        Node::Resource(resource) => number(image.configs().get(resource).map_or(0, |c| c.len())),
        Node::Quotas => number(image.quotas().len()),
        Node::Entity(entity) => number(image.quotas().get(entity).map_or(0, |q| q.len())),
        Node::AclsById | Node::Acls => number(image.acls().len()),
        Node::Acl(_) => acl(tree, node),
        Node::Scram => number(image.scram().len()),
        Node::Mechanism(mechanism) => {
            number(image.scram().iter().filter(|c| c.0 == *mechanism).count())
        }
        Node::Tokens => number(image.tokens().len()),
        Node::Features => number(image.features().others().count().saturating_add(1)),
        Node::MetadataVersion => match image.features().metadata_version() {
            Some((level, _)) => Note::plain(format!("{} ({level})", level_name(level))),
            None => Note::plain("none"),
        },
        Node::Feature(name) => Note::plain(image.features().level(name).to_string()),
        Node::Config(..) | Node::StaticConfig(..) | Node::Quota(..) => {
            Note::plain(value(tree, node, "value"))
        }
        Node::NextProducerId => Note::plain(value(tree, node, "nextProducerId")),
        Node::StaticConfigs => match totals.reporting {
            0 => Note::plain("not reported"),
            n => Note::plain(count(n as u64, "broker")),
        },
        Node::BrokerStaticConfigs(id) => number(tree.static_configs(*id).count()),
        Node::KraftVersion => Note::plain(
            image
                .quorum()
                .kraft_version()
                .map_or(0, |v| v.0)
                .to_string(),
        ),
        Node::Voters => match image.quorum().voters() {
            Some(set) => number(set.voters.len()),
            None => Note::plain("static quorum"),
        },
        Node::Leaders => number(image.quorum().leaders().len()),
        Node::Leader(epoch) => image
            .quorum()
            .leader_of(*epoch)
            .map_or_else(Note::default, |l| Note::plain(format!("node {}", l.leader))),
        Node::Migration => match image.migration() {
            Some((code, _)) => Note::plain(codes::ZkMigrationState(code).readable().to_string()),
            None => Note::plain("none"),
        },
        Node::File(n) => image
            .log()
            .files()
            .get(*n)
            .map_or_else(Note::default, |file| {
                Note::plain(format!("{:#}", ByteSize(file.size())))
            }),
        Node::PassedOver(_) => Note::plain("passed over"),
        Node::Version => Note::plain(env!("CARGO_PKG_VERSION")),
        _ => Note::default(),
    }
}

fn count_only(n: usize) -> String {
    crate::text::Thousands(n as u64).to_string()
}

fn severity(severity: Severity) -> Option<Sign> {
    match severity {
        Severity::Error => Some(Sign::Error),
        Severity::Warning => Some(Sign::Warning),
        Severity::Info => None,
    }
}

/// A count, and how many partitions have no leader or too few replicas in sync.
fn replicas(all: usize, offline: usize, under_replicated: usize) -> Note {
    let all = count_only(all);
    match (offline, under_replicated) {
        (0, 0) => Note::plain(all),
        (0, n) => Note::signed(
            Sign::Warning,
            format!("{all}, {} under-replicated", count_only(n)),
        ),
        (n, _) => Note::signed(Sign::Error, format!("{all}, {} offline", count_only(n))),
    }
}

fn marked(all: Option<usize>, totals: &Totals) -> Note {
    let all = all.map(count_only);
    match totals.marked {
        0 => Note::plain(all.unwrap_or_default()),
        n => {
            let all = all.map_or_else(String::new, |all| format!("{all}, "));
            Note::signed(Sign::Mark, format!("{all}{} marked", count_only(n)))
        }
    }
}

fn partition(partition: &Partition) -> Note {
    if partition.is_offline() {
        return Note::signed(Sign::Error, "offline");
    }
    let leader = format!("leader {}", partition.leader());
    let (isr, replicas) = (partition.isr_count(), partition.replica_count());
    match (partition.is_under_replicated(), partition.is_reassigning()) {
        (true, _) => Note::signed(
            Sign::Warning,
            format!("{leader}, {isr} of {replicas} in sync"),
        ),
        (false, true) => Note::plain(format!("{leader}, reassigning")),
        (false, false) => Note::plain(leader),
    }
}

fn acl(tree: &Tree<'_>, node: &Node) -> Note {
    let facts = tree.facts(node);
    let word = |key| facts.get(key).map_or_else(String::new, Value::inline);
    Note::plain(format!(
        "{} {} {} {} {}",
        word("permissionType"),
        word("principal"),
        word("operation"),
        word("resourceType"),
        word("resourceName"),
    ))
}

fn value(tree: &Tree<'_>, node: &Node, key: &str) -> String {
    match tree.facts(node).get(key) {
        // Null and empty are two things.
        Some(Value::Text(text)) if text.is_empty() => "\"\"".to_owned(),
        Some(value) => value.inline(),
        None => String::new(),
    }
}
