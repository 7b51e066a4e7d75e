//! What the detail pane says of directories, which have no facts of their own.

use super::totals::Totals;
use crate::tree::{Facts, Node, TopicsBy, Tree, Value};

/// Facts of a node, also of directories; its origin left out where it is told apart.
pub(super) fn facts(tree: &Tree<'_>, totals: &Totals, node: &Node) -> Facts {
    if *node == Node::Root {
        return totals.overview(tree.state());
    }
    let mut facts = Facts::new();
    let own = tree.facts(node);
    let has_origin = tree.origin(node).is_some();
    for fact in own
        .iter()
        .filter(|fact| !(has_origin && fact.key == "origin"))
    {
        facts.add(fact.key.clone(), fact.value.clone());
    }
    if let Some(about) = about(node) {
        facts.add("about", about);
    }
    match node {
        Node::Topics | Node::TopicsBy(_) => {
            facts.add("topics", tree.state().image().topics().len());
            facts.add("withAName", totals.named_topics);
            facts.add("partitions", totals.partitions);
            facts.add("offline", totals.offline);
            facts.add("underReplicated", totals.under_replicated);
            facts.add("reassigning", totals.reassigning);
        }
        Node::Findings => {
            let counts = tree.state().findings().counts();
            let rows: Vec<Facts> = counts
                .map(|(code, severity, count)| {
                    Facts::new()
                        .with("severity", severity.to_string())
                        .with("code", code.as_str())
                        .with("count", count)
                })
                .collect();
            if rows.is_empty() {
                facts.add("found", "nothing");
            } else {
                facts.add("found", rows);
            }
        }
        Node::Marks => {
            let marked = tree.state().image().marked();
            let ids: Vec<Value> = marked.map(|(c, _)| c.id.into()).collect();
            facts.add("controllers", Value::List(ids));
        }
        Node::StaticConfigs => {
            let image = tree.state().image();
            let brokers = image.cluster().brokers().values();
            let silent = brokers.filter(|broker| {
                let record = image.records().broker(broker.registration);
                !record.is_some_and(|r| r.static_configs.is_present())
            });
            let ids: Vec<Value> = silent.map(|b| b.id.into()).collect();
            facts.add("brokersWithoutReport", Value::List(ids));
        }
        _ => {}
    }
    facts
}

fn about(node: &Node) -> Option<&'static str> {
    Some(match node {
        Node::Image => "the cluster's metadata, as kafka-metadata-shell shows it",
        Node::Features => "finalized features: what the cluster may use",
        Node::Cluster => "registered brokers and controllers",
        Node::Brokers => "registered brokers by id",
        Node::Controllers => "registered controllers by id",
        Node::Topics => "topics, by id and by name",
        Node::TopicsBy(TopicsBy::Id) => "every topic, by id",
        Node::TopicsBy(TopicsBy::Name) => "every topic that a name leads to",
        Node::Configs => "dynamic configs: TYPE:name, or TYPE for its default",
        Node::Quotas => "client quotas by entity",
        Node::ProducerIds => "the ids that producers are given",
        Node::Acls | Node::AclsById => "access control entries by id",
        Node::Scram | Node::Mechanism(_) => "users with SCRAM credentials, by mechanism",
        Node::Tokens => "delegation tokens by id",
        Node::Local => "this program",
        Node::Quorum => "what control records say of the Raft quorum",
        Node::Voters => "the voters of the last voter set in the files",
        Node::Leaders => "who led each epoch that the files hold",
        Node::StaticConfigs => "the configuration files of brokers, as they reported them",
        Node::Marks => "controllers that were removed for good",
        Node::Transactions => "metadata transactions in the order they began",
        Node::Files => "the files of this state, those passed over, and identities",
        Node::Findings => "what is wrong or odd in the files",
        _ => return None,
    })
}
