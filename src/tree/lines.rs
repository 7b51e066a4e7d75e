//! Kafka's tree as a line a node, for comparing with Kafka itself.

use super::{Node, Tree, names};
use crate::record::json::json_string;
use std::fmt;

/// A node of Kafka's tree as a server holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KafkaLine {
    /// Its path without `/image`, `/` for the root.
    pub path: String,
    /// `dir` or `file`.
    pub kind: &'static str,
    /// The text of a file, with its final newline.
    pub text: Option<String>,
}

/// The line as JSON, escaped as Kafka's JSON writer escapes.
impl fmt::Display for KafkaLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, kind) = (json_string(&self.path), self.kind);
        write!(f, "{{\"path\":{path},\"kind\":\"{kind}\"")?;
        if let Some(text) = &self.text {
            write!(f, ",\"text\":{}", json_string(text))?;
        }
        f.write_str("}")
    }
}

impl Tree<'_> {
    /// Hands every node of Kafka's tree to `line`, parents first. Paths are Kafka's: nothing in them is
    /// quoted, and what Kafka lists without being able to look it up is left out, as it leaves it out.
    ///
    /// # Errors
    /// Whatever `line` returns.
    pub fn kafka_lines<E>(
        &self,
        line: &mut impl FnMut(KafkaLine) -> Result<(), E>,
    ) -> Result<(), E> {
        self.kafka_node(String::new(), &Node::Image, line)
    }

    fn kafka_node<E>(
        &self,
        path: String,
        node: &Node,
        line: &mut impl FnMut(KafkaLine) -> Result<(), E>,
    ) -> Result<(), E> {
        let shown = if path.is_empty() {
            "/".to_owned()
        } else {
            path.clone()
        };
        if !self.is_directory(node) {
            let mut text = self.kafka_text(node).unwrap_or_default();
            text.push('\n');
            return line(KafkaLine {
                path: shown,
                kind: "file",
                text: Some(text),
            });
        }
        line(KafkaLine {
            path: shown,
            kind: "dir",
            text: None,
        })?;
        for (name, child) in self.kafka_children(node) {
            self.kafka_node(format!("{path}/{name}"), &child, line)?;
        }
        Ok(())
    }

    /// The children that Kafka's node lists and can look up, under Kafka's names.
    fn kafka_children(&self, node: &Node) -> Vec<(String, Node)> {
        let named = |nodes: Vec<super::Child>| {
            nodes
                .into_iter()
                .map(|child| (child.name, child.node))
                .collect::<Vec<_>>()
        };
        match node {
            // Kafka: a listed name leads to the entity without default parts, which may be another one,
            // listed itself, or none.
            Node::Quotas => {
                let quotas = self.state().image().quotas();
                let mut list: Vec<(String, Node)> = quotas
                    .iter()
                    .filter_map(|(entity, _)| {
                        let plain = entity.without_defaults();
                        let known = !plain.is_empty() && quotas.get(&plain).is_some();
                        known.then(|| (names::kafka_entity(entity), Node::Entity(plain)))
                    })
                    .collect();
                list.sort_by(|a, b| crate::text::java_cmp(&a.0, &b.0));
                list
            }
            Node::Scram => named(self.children(node))
                .into_iter()
                .filter(|(_, child)| matches!(child, Node::Mechanism(1 | 2)))
                .collect(),
            _ => named(self.children(node)),
        }
    }
}
