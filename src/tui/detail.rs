//! The text of the detail pane: the facts of one node, escaped, folded to the pane's width.

use super::fit::wrap;
use crate::text::{display_width, escape};
use crate::tree::{Facts, Node};

/// A fact's line, escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fact {
    depth: usize,
    label: String,
    value: String,
}

/// A line of the pane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// Blanks before the label or, without one, before the value.
    pub(super) indent: usize,
    /// The name of the fact; empty on the lines that follow.
    pub(super) label: String,
    /// Columns before the value.
    pub(super) value_at: usize,
    /// The value, or a piece of it.
    pub(super) value: String,
}

/// The detail of a node.
#[derive(Clone, Debug)]
pub(super) struct Detail {
    /// The node.
    pub(super) node: Node,
    /// Its path, escaped.
    pub(super) path: String,
    /// Where it comes from, escaped; none when no record set it.
    pub(super) origin: Option<String>,
    facts: Vec<Fact>,
    width: usize,
    lines: Vec<Line>,
    top: usize,
}

impl Detail {
    /// The detail of a node before it is folded: it has no lines yet.
    pub(super) fn new(node: Node, path: &str, origin: Option<String>, facts: &Facts) -> Self {
        let facts = facts.lines().into_iter().map(|line| Fact {
            depth: line.depth,
            label: escape(&line.label).into_owned(),
            value: escape(&line.value).into_owned(),
        });
        Self {
            node,
            path: escape(path).into_owned(),
            origin,
            facts: facts.collect(),
            width: 0,
            lines: Vec::new(),
            top: 0,
        }
    }

    /// The lines.
    pub(super) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The first line on the screen.
    pub(super) fn top(&self) -> usize {
        self.top
    }

    /// Folds to a width, unless it is folded to it already.
    pub(super) fn fold(&mut self, width: usize) {
        if width == self.width {
            return;
        }
        self.width = width;
        self.lines.clear();
        let columns = value_columns(&self.facts, width);
        for (fact, column) in self.facts.iter().zip(columns) {
            fold_fact(fact, column, width, &mut self.lines);
        }
    }

    /// Moves the window over the lines; no line is missing below the last.
    pub(super) fn scroll(&mut self, by: isize, height: usize) {
        let top = self.top.saturating_add_signed(by);
        self.top = top.min(self.lines.len().saturating_sub(height));
    }
}

fn indent(depth: usize) -> usize {
    depth.saturating_mul(2)
}

/// Where the value of each fact begins: facts of one parent have theirs in one column. The widest label
/// counts as long as it leaves most of the width to the values.
fn value_columns(facts: &[Fact], width: usize) -> Vec<usize> {
    // The widest label of each parent's facts; those of the fact at hand and of its parents, by depth.
    let mut widest: Vec<usize> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut of_fact = Vec::with_capacity(facts.len());
    for fact in facts {
        open.truncate(fact.depth.saturating_add(1));
        while open.len() <= fact.depth {
            open.push(widest.len());
            widest.push(0);
        }
        let group = open.last().copied().unwrap_or(0);
        of_fact.push(group);
        let label = display_width(&fact.label);
        let most = (width / 2).saturating_sub(indent(fact.depth)).max(12);
        if let Some(widest) = widest.get_mut(group)
            && !fact.value.is_empty()
            && label <= most
        {
            *widest = label.max(*widest);
        }
    }
    let column = |(fact, group): (&Fact, usize)| {
        let widest = widest.get(group).copied().unwrap_or(0);
        let gap = if widest == 0 { 0 } else { 2 };
        indent(fact.depth)
            .saturating_add(widest)
            .saturating_add(gap)
    };
    facts.iter().zip(of_fact).map(column).collect()
}

fn fold_fact(fact: &Fact, column: usize, width: usize, lines: &mut Vec<Line>) {
    let indent = indent(fact.depth);
    let line = |label: &str, value_at: usize, value: &str| Line {
        indent,
        label: label.to_owned(),
        value_at,
        value: value.to_owned(),
    };
    let room = |from: usize| width.saturating_sub(from);
    if fact.label.is_empty() {
        // A row of a table: what does not fit goes on a little deeper.
        let mut pieces = wrap(&fact.value, room(indent.saturating_add(2))).into_iter();
        let mut at = indent;
        if let Some(first) = pieces.next() {
            lines.push(line("", at, first));
            at = at.saturating_add(2);
        }
        lines.extend(pieces.map(|piece| line("", at, piece)));
        return;
    }
    let label_end = indent
        .saturating_add(display_width(&fact.label))
        .saturating_add(2);
    if label_end > column && !fact.value.is_empty() {
        // The label is too long for the column: its value stands below.
        for piece in wrap(&fact.label, room(indent)) {
            lines.push(line(piece, 0, ""));
        }
        let at = indent.saturating_add(4);
        let pieces = wrap(&fact.value, room(at)).into_iter();
        lines.extend(pieces.map(|piece| line("", at, piece)));
        return;
    }
    let mut pieces = wrap(&fact.value, room(column)).into_iter();
    let first = pieces.next().unwrap_or_default();
    lines.push(line(&fact.label, column, first));
    lines.extend(pieces.map(|piece| line("", column, piece)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(facts: &Facts, width: usize) -> Vec<String> {
        let mut detail = Detail::new(Node::Root, "/", None, facts);
        detail.fold(width);
        let text = |line: &Line| {
            let label = format!("{}{}", " ".repeat(line.indent), line.label);
            let value = if line.value.is_empty() {
                0
            } else {
                line.value_at
            };
            format!("{label:value$}{}", line.value)
        };
        detail.lines().iter().map(text).collect()
    }

    #[test]
    fn values_stand_in_one_column_and_fold_below_themselves() {
        let facts = Facts::new()
            .with("id", 1)
            .with("rack", "a rack of a long name")
            .with("state", Facts::new().with("offset", 7))
            .with("to", 9);
        assert_eq!(
            folded(&facts, 18),
            [
                "id    1",
                "rack  a rack of a",
                "      long name",
                "state",
                "  offset  7",
                "to    9",
            ]
        );
    }

    #[test]
    fn a_label_that_is_too_long_has_its_value_below() {
        let facts = Facts::new()
            .with("a.b", 1)
            .with("some.very.long.config.name", "x\ny");
        assert_eq!(
            folded(&facts, 20),
            ["a.b  1", "some.very.long.confi", "g.name", "    x\\ny"]
        );
    }
}
