//! One state being browsed: its rows, the detail of the chosen one, and which pane has the keys.

use super::about;
use super::detail::Detail;
use super::layout::Layout;
use super::model::Focus;
use super::rows::Rows;
use super::totals::{Totals, identity};
use crate::image::State;
use crate::text::{Rfc3339, escape};
use crate::tree::{Facts, Node, Secrets, Tree, Value};
use std::collections::HashSet;
use std::sync::Arc;

/// A state that has been read, with its totals.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    pub(super) state: Arc<State>,
    pub(super) totals: Totals,
}

impl Loaded {
    /// Counts a state.
    pub(super) fn new(state: Arc<State>) -> Self {
        let totals = Totals::of(&state);
        Self { state, totals }
    }
}

/// A state on the screen.
#[derive(Clone, Debug)]
pub(super) struct Browser {
    state: Arc<State>,
    secrets: Secrets,
    pub(super) totals: Totals,
    /// Who the state is of, escaped.
    pub(super) identity: String,
    /// Offset, time and counts, escaped.
    pub(super) span: Vec<String>,
    pub(super) rows: Rows,
    pub(super) detail: Detail,
    pub(super) focus: Focus,
    pub(super) tree_percent: u16,
}

impl Browser {
    /// A state as it is first shown.
    pub(super) fn new(loaded: Loaded, secrets: Secrets) -> Self {
        let Loaded { state, totals } = loaded;
        let open = HashSet::from([Node::Image]);
        let rows = Rows::new(&Tree::new(&state, secrets), &open);
        let escaped = |text: String| escape(&text).into_owned();
        let mut browser = Self {
            identity: escaped(identity(&state)),
            span: totals.span(&state).into_iter().map(escaped).collect(),
            state,
            secrets,
            totals,
            rows,
            detail: Detail::new(Node::Root, "/", None, &Facts::new()),
            focus: Focus::Tree,
            tree_percent: 42,
        };
        browser.describe(Node::Root);
        browser
    }

    /// The same place in a state that was read later.
    pub(super) fn again(&self, loaded: Loaded) -> Self {
        let mut next = Self::new(loaded, self.secrets);
        next.focus = self.focus;
        next.tree_percent = self.tree_percent;
        let tree = Tree::new(&next.state, next.secrets);
        next.rows = Rows::new(&tree, &self.rows.opened());
        // What is gone is looked for one directory up.
        let mut node = self.detail.node.clone();
        while !next.rows.reveal(&tree, &node) && node != Node::Root {
            node = tree.parent(&node);
        }
        next.rows.set_filter(self.rows.filter());
        next
    }

    /// The tree over the state.
    pub(super) fn tree(&self) -> Tree<'_> {
        Tree::new(&self.state, self.secrets)
    }

    /// Opens the chosen directory.
    pub(super) fn open(&mut self) -> bool {
        self.rows.open(&Tree::new(&self.state, self.secrets))
    }

    /// Goes to a node.
    pub(super) fn reveal(&mut self, node: &Node) -> bool {
        self.rows
            .reveal(&Tree::new(&self.state, self.secrets), node)
    }

    /// The directory that relative paths begin at: the chosen one, or that of the chosen value.
    pub(super) fn here(&self) -> Node {
        match self.rows.chosen() {
            Some(row) if row.directory => row.node.clone(),
            Some(row) => self.tree().parent(&row.node),
            None => Node::Root,
        }
    }

    /// Makes the detail that of the chosen row and brings cursor and windows inside their bounds.
    pub(super) fn settle(&mut self, layout: &Layout) {
        let chosen = self.rows.chosen().map(|row| &row.node);
        if let Some(node) = chosen.filter(|node| **node != self.detail.node) {
            self.describe(node.clone());
        }
        if let Some(area) = layout.tree {
            self.rows.keep_in_view(area.height.into());
        }
        if let Some(area) = layout.detail {
            self.detail.fold(area.width.into());
            self.detail.scroll(0, area.height.into());
        }
    }

    fn describe(&mut self, node: Node) {
        let tree = self.tree();
        let path = tree.path(&node);
        let facts = about::facts(&tree, &self.totals, &node);
        let origin = tree.origin(&node).and_then(|at| tree.origin_facts(at));
        let origin = origin.map(|facts| origin_line(&facts));
        self.detail = Detail::new(node, &path, origin, &facts);
    }
}

/// An origin on one line, the file by its name.
fn origin_line(origin: &Facts) -> String {
    let mut words = Vec::new();
    for fact in origin.iter() {
        let value = match (fact.key.as_str(), &fact.value) {
            ("file", Value::Text(path)) => super::file_name(std::path::Path::new(path)),
            ("position", value) => format!("byte {}", value.inline()),
            ("time", Value::Time(time)) if time.0 >= 0 => Rfc3339(*time).to_string(),
            ("time", _) => continue,
            ("leader", value) => format!("led by {}", value.inline()),
            // In a checkpoint a record stands for all that led to it.
            ("note", _) => "or earlier".to_owned(),
            (key, value) => format!("{key} {}", value.inline()),
        };
        words.push(escape(&value).into_owned());
    }
    words.join(" · ")
}
