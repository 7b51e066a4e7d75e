//! The rows of the tree: those of opened directories only, flat, parents before children. The cursor
//! and the top count rows that are shown; a filter hides rows, it never closes any.

use crate::tree::{Child, Node, Tree};
use std::collections::HashSet;

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// How deep it stands: 0 for the root.
    pub(super) depth: u16,
    /// Its name, raw.
    pub(super) name: String,
    /// What it stands for.
    pub(super) node: Node,
    /// Whether it has children rather than a value.
    pub(super) directory: bool,
    /// Whether its children are rows.
    pub(super) open: bool,
    /// Whether its children are shown whatever the filter says: it was opened under it.
    whole: bool,
}

/// What a filter leaves.
#[derive(Clone, Debug)]
struct Shown {
    rows: Vec<usize>,
    hits: usize,
}

/// The rows with cursor and top.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    rows: Vec<Row>,
    filter: String,
    shown: Option<Shown>,
    cursor: usize,
    top: usize,
}

impl Rows {
    /// The rows of the root and of these directories, where they are in reach of it.
    pub(super) fn new(tree: &Tree<'_>, open: &HashSet<Node>) -> Self {
        let mut rows = vec![Row {
            depth: 0,
            name: "/".to_owned(),
            node: Node::Root,
            directory: true,
            open: true,
            whole: false,
        }];
        fill(tree, &Node::Root, 1, open, &mut rows);
        Self {
            rows,
            filter: String::new(),
            shown: None,
            cursor: 0,
            top: 0,
        }
    }

    /// How many rows are shown; never 0, for the root always is.
    pub(super) fn len(&self) -> usize {
        self.shown
            .as_ref()
            .map_or(self.rows.len(), |shown| shown.rows.len())
    }

    /// How many rows the filter found, when there is one.
    pub(super) fn hits(&self) -> Option<usize> {
        self.shown.as_ref().map(|shown| shown.hits)
    }

    /// The text that rows are filtered by; empty for no filter.
    pub(super) fn filter(&self) -> &str {
        &self.filter
    }

    /// A row that is shown, by its place.
    pub(super) fn get(&self, place: usize) -> Option<&Row> {
        self.rows.get(self.index(place)?)
    }

    /// The place of the chosen row.
    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    /// The place of the first row on the screen.
    pub(super) fn top(&self) -> usize {
        self.top
    }

    /// The chosen row.
    pub(super) fn chosen(&self) -> Option<&Row> {
        self.get(self.cursor)
    }

    /// The opened directories.
    pub(super) fn opened(&self) -> HashSet<Node> {
        let open = self.rows.iter().filter(|row| row.open);
        open.map(|row| row.node.clone()).collect()
    }

    fn index(&self, place: usize) -> Option<usize> {
        match &self.shown {
            Some(shown) => shown.rows.get(place).copied(),
            None => Some(place),
        }
    }

    /// The place at which a row is shown.
    fn place(&self, index: usize) -> Option<usize> {
        match &self.shown {
            Some(shown) => shown.rows.binary_search(&index).ok(),
            None => (index < self.rows.len()).then_some(index),
        }
    }

    /// Chooses a row by its place, the last one when there is none.
    pub(super) fn choose(&mut self, place: usize) {
        self.cursor = place.min(self.len().saturating_sub(1));
    }

    /// Chooses another row by its distance, the first or last when it is beyond.
    pub(super) fn step(&mut self, by: isize) {
        self.choose(self.cursor.saturating_add_signed(by));
    }

    /// Moves the rows under the window, the cursor only as far as it must to stay inside.
    pub(super) fn scroll(&mut self, by: isize, height: usize) {
        let last_top = self.len().saturating_sub(height);
        self.top = self.top.saturating_add_signed(by).min(last_top);
        let last = self.top.saturating_add(height.saturating_sub(1));
        self.choose(self.cursor.clamp(self.top, last));
    }

    /// Moves the window so that the cursor is inside and no row is missing below the last.
    pub(super) fn keep_in_view(&mut self, height: usize) {
        self.choose(self.cursor);
        let height = height.max(1);
        let lowest = self.cursor.saturating_sub(height.saturating_sub(1));
        self.top = self.top.clamp(lowest, self.cursor);
        self.top = self.top.min(self.len().saturating_sub(height));
    }

    /// Opens the chosen directory. Whether that changed anything.
    pub(super) fn open(&mut self, tree: &Tree<'_>) -> bool {
        let Some(index) = self.index(self.cursor) else {
            return false;
        };
        let filtered = self.shown.is_some();
        let Some(row) = self.rows.get_mut(index) else {
            return false;
        };
        if !row.directory {
            return false;
        }
        let changed = !row.open || (filtered && !row.whole);
        row.whole |= filtered;
        if !row.open {
            self.open_index(tree, index);
        }
        if changed && filtered {
            self.show_again(index);
        }
        changed
    }

    fn open_index(&mut self, tree: &Tree<'_>, index: usize) {
        let Some(row) = self.rows.get_mut(index) else {
            return;
        };
        if row.open || !row.directory {
            return;
        }
        row.open = true;
        let depth = row.depth.saturating_add(1);
        let children = tree.children(&row.node);
        let after = index.saturating_add(1);
        self.rows.splice(
            after..after,
            children
                .into_iter()
                .map(|child| new_row(tree, child, depth)),
        );
    }

    /// Closes the chosen directory. Whether it was open; the root never closes.
    pub(super) fn close(&mut self) -> bool {
        let Some(index) = self.index(self.cursor).filter(|index| *index > 0) else {
            return false;
        };
        let end = self.end(index);
        let Some(row) = self.rows.get_mut(index).filter(|row| row.open) else {
            return false;
        };
        row.open = false;
        row.whole = false;
        self.rows.drain(index.saturating_add(1)..end);
        if self.shown.is_some() {
            self.show_again(index);
        }
        true
    }

    /// The index after the last row below this one.
    fn end(&self, index: usize) -> usize {
        let Some(depth) = self.rows.get(index).map(|row| row.depth) else {
            return index;
        };
        let below = self.rows.iter().skip(index.saturating_add(1));
        let count = below.take_while(|row| row.depth > depth).count();
        index.saturating_add(1).saturating_add(count)
    }

    /// Chooses the directory that the chosen row is in.
    pub(super) fn choose_parent(&mut self) {
        let Some(index) = self.index(self.cursor) else {
            return;
        };
        let depth = self.rows.get(index).map_or(0, |row| row.depth);
        let before = self.rows.get(..index).unwrap_or_default();
        if let Some(parent) = before.iter().rposition(|row| row.depth < depth) {
            self.choose(self.place(parent).unwrap_or(0));
        }
    }

    /// Chooses the first shown child of the chosen row. Whether there is one.
    pub(super) fn choose_first_child(&mut self) -> bool {
        let depth = self.chosen().map_or(0, |row| row.depth);
        let next = self.cursor.saturating_add(1);
        let is_child = self.get(next).is_some_and(|row| row.depth > depth);
        if is_child {
            self.choose(next);
        }
        is_child
    }

    /// Opens the directories on the way to a node and chooses its row, or the last one on the way that
    /// there is. A filter that hides it goes. Whether the tree has it.
    pub(super) fn reveal(&mut self, tree: &Tree<'_>, node: &Node) -> bool {
        let mut way = Vec::new();
        let mut at = node.clone();
        while at != Node::Root {
            let parent = tree.parent(&at);
            way.push(at);
            at = parent;
        }
        let mut index = 0;
        let mut found = true;
        for step in way.iter().rev() {
            self.open_index(tree, index);
            let (from, end) = (index.saturating_add(1), self.end(index));
            let below = self.rows.get(from..end).unwrap_or_default();
            match below.iter().position(|row| row.node == *step) {
                Some(at) => index = from.saturating_add(at),
                None => {
                    found = false;
                    break;
                }
            }
        }
        if self.shown.is_some() {
            self.shown = Some(self.filtered());
        }
        if self.place(index).is_none() {
            self.set_filter("");
        }
        self.choose(self.place(index).unwrap_or(0));
        found
    }

    /// Shows only rows that have a text in their names, and what is above them. Letters match whatever
    /// their case unless the text has a capital. The cursor goes to the first hit from where it stands.
    pub(super) fn set_filter(&mut self, filter: &str) {
        if filter == self.filter {
            return;
        }
        let index = self.index(self.cursor).unwrap_or(0);
        filter.clone_into(&mut self.filter);
        for row in &mut self.rows {
            row.whole = false;
        }
        if filter.is_empty() {
            self.shown = None;
            self.choose(index);
            return;
        }
        self.show_again(index);
        if !self.is_hit_at(self.cursor) {
            self.next_hit();
        }
    }

    /// Chooses a row by its index or the nearest one shown after it.
    fn show_again(&mut self, index: usize) {
        let shown = self.filtered();
        let place = shown.rows.partition_point(|shown| *shown < index);
        self.shown = Some(shown);
        self.choose(place);
    }

    /// The index of the chosen row, to come back to with [`Rows::choose_index`] while no directory is
    /// opened or closed.
    pub(super) fn chosen_index(&self) -> usize {
        self.index(self.cursor).unwrap_or(0)
    }

    /// Chooses a row by its index, the first one when it is not shown.
    pub(super) fn choose_index(&mut self, index: usize) {
        self.choose(self.place(index).unwrap_or(0));
    }

    /// Whether the row at a place has the text of the filter in its name.
    pub(super) fn is_hit_at(&self, place: usize) -> bool {
        self.get(place)
            .is_some_and(|row| is_hit(&self.filter, &row.name))
    }

    /// Chooses the next hit, the first one after the last.
    pub(super) fn next_hit(&mut self) -> bool {
        let after = self.cursor.saturating_add(1)..self.len();
        let hit = after.chain(0..self.cursor).find(|p| self.is_hit_at(*p));
        self.cursor = hit.unwrap_or(self.cursor);
        hit.is_some()
    }

    /// Chooses the hit before, the last one before the first.
    pub(super) fn previous_hit(&mut self) -> bool {
        let after = self.cursor.saturating_add(1)..self.len();
        let hit = after.chain(0..self.cursor).rfind(|p| self.is_hit_at(*p));
        self.cursor = hit.unwrap_or(self.cursor);
        hit.is_some()
    }

    fn filtered(&self) -> Shown {
        struct Above {
            index: usize,
            depth: u16,
            shown: bool,
            whole: bool,
        }
        let mut rows = Vec::new();
        let mut hits = 0usize;
        let mut above: Vec<Above> = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            while above.last().is_some_and(|a| a.depth >= row.depth) {
                above.pop();
            }
            let hit = is_hit(&self.filter, &row.name);
            hits = hits.saturating_add(usize::from(hit));
            let covered = above.last().is_some_and(|a| a.whole);
            let shown = hit || covered || index == 0;
            if shown {
                for a in above.iter_mut().filter(|a| !a.shown) {
                    a.shown = true;
                    rows.push(a.index);
                }
                rows.push(index);
            }
            if row.open {
                above.push(Above {
                    index,
                    depth: row.depth,
                    shown,
                    whole: row.whole || covered,
                });
            }
        }
        Shown { rows, hits }
    }
}

fn new_row(tree: &Tree<'_>, child: Child, depth: u16) -> Row {
    Row {
        depth,
        directory: tree.is_directory(&child.node),
        name: child.name,
        node: child.node,
        open: false,
        whole: false,
    }
}

fn fill(tree: &Tree<'_>, node: &Node, depth: u16, open: &HashSet<Node>, rows: &mut Vec<Row>) {
    for child in tree.children(node) {
        let mut row = new_row(tree, child, depth);
        row.open = row.directory && open.contains(&row.node);
        let inside = row.open.then(|| row.node.clone());
        rows.push(row);
        if let Some(node) = inside {
            fill(tree, &node, depth.saturating_add(1), open, rows);
        }
    }
}

/// Where a filter's text stands in a name, in bytes.
pub(super) fn hit(filter: &str, name: &str) -> Option<std::ops::Range<usize>> {
    if filter.is_empty() {
        return None;
    }
    let at = if filter.contains(char::is_uppercase) {
        name.find(filter)?
    } else {
        let wanted = filter.as_bytes();
        let mut windows = name.as_bytes().windows(wanted.len());
        windows.position(|w| w.eq_ignore_ascii_case(wanted))?
    };
    Some(at..at.saturating_add(filter.len()))
}

fn is_hit(filter: &str, name: &str) -> bool {
    hit(filter, name).is_some()
}
