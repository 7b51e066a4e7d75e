//! One row with what its values are read from.

use super::table::Table;
use crate::image::{Image, Partition, PartitionView, Topic};
use crate::log::Origin;
use crate::tree::{Facts, Node, Value};
use std::cell::OnceCell;
use std::sync::Arc;

/// A row that is being looked at. What several columns are read from is read once.
#[derive(Debug)]
pub struct Item<'t, 'a> {
    table: &'t Table<'a>,
    node: Node,
    topic: Option<&'a Arc<Topic>>,
    partition: Option<&'a Partition>,
    view: OnceCell<Option<PartitionView<'a>>>,
    facts: OnceCell<Facts>,
    origin: OnceCell<Option<Origin>>,
}

impl<'t, 'a> Item<'t, 'a> {
    pub(super) fn new(
        table: &'t Table<'a>,
        node: Node,
        topic: Option<&'a Arc<Topic>>,
        partition: Option<&'a Partition>,
    ) -> Self {
        Self {
            table,
            node,
            topic,
            partition,
            view: OnceCell::new(),
            facts: OnceCell::new(),
            origin: OnceCell::new(),
        }
    }

    /// The node of the tree that the row is.
    #[must_use]
    pub fn node(&self) -> &Node {
        &self.node
    }

    pub(super) fn table(&self) -> &'t Table<'a> {
        self.table
    }

    pub(super) fn image(&self) -> &'a Image {
        self.table.tree().state().image()
    }

    pub(super) fn topic(&self) -> Option<&'a Arc<Topic>> {
        self.topic
    }

    pub(super) fn partition(&self) -> Option<&'a Partition> {
        self.partition
    }

    pub(super) fn view(&self) -> Option<&PartitionView<'a>> {
        let read = || Some(self.image().partition(self.partition?));
        self.view.get_or_init(read).as_ref()
    }

    pub(super) fn facts(&self) -> &Facts {
        self.facts
            .get_or_init(|| self.table.tree().own_facts(&self.node))
    }

    /// A fact of the node, nested ones behind points.
    pub(super) fn fact(&self, path: &str) -> Value {
        let mut at = self.facts();
        let mut names = path.split('.').peekable();
        while let Some(name) = names.next() {
            match at.get(name) {
                Some(Value::Facts(inner)) if names.peek().is_some() => at = inner,
                Some(value) if names.peek().is_none() => return value.clone(),
                _ => break,
            }
        }
        Value::Null
    }

    pub(super) fn origin(&self) -> Option<&Origin> {
        let find = || {
            let at = match self.partition {
                Some(partition) => partition.last(),
                None => self.table.tree().origin(&self.node)?,
            };
            self.image().log().origin(at)
        };
        self.origin.get_or_init(find).as_ref()
    }
}
