//! Going to a path: what it leads to, what it may become, and what was perhaps meant.

use super::fit::cut;
use crate::text::escape;
use crate::tree::{Component, Node, Pattern, Tree, quote, split};

/// The most characters of a name that are compared when the nearest one is looked for.
const COMPARED: usize = 64;

/// The first node that a path leads to; a path that does not begin with a slash is tried from a
/// directory first.
///
/// # Errors
/// What is not there, with the nearest name, in escaped words.
pub(super) fn find(tree: &Tree<'_>, from: &Node, path: &str) -> Result<Node, String> {
    let path = path.trim_start();
    if !path.starts_with('/')
        && let Some(node) = tree.find(&below(tree, from, path)).into_iter().next()
    {
        return Ok(node);
    }
    match tree.find(path).into_iter().next() {
        Some(node) => Ok(node),
        None => Err(missing(tree, path)),
    }
}

fn below(tree: &Tree<'_>, from: &Node, path: &str) -> String {
    format!("{}/{path}", tree.path(from))
}

fn missing(tree: &Tree<'_>, path: &str) -> String {
    let mut at = Node::Root;
    for component in split(path) {
        let (Component::Exact(name) | Component::Typed(name)) = &component;
        match tree.child(&at, name) {
            Some(child) => at = child,
            None if is_pattern(&component) => break,
            None => {
                let place = tree.path(&at);
                let start = format!("no {} in {}", cut(&escape(name), 40), escape(&place));
                return match nearest(tree, &at, name) {
                    Some(near) => format!("{start}; nearest: {}", escape(&near)),
                    None => format!("{start}, which is empty"),
                };
            }
        }
    }
    format!("nothing matches {}", cut(&escape(path), 60))
}

fn is_pattern(component: &Component) -> bool {
    matches!(component, Component::Typed(name) if Pattern::new(name).is_some())
}

/// The child whose name is nearest to a text.
fn nearest(tree: &Tree<'_>, node: &Node, name: &str) -> Option<String> {
    let wanted: Vec<char> = name.chars().take(COMPARED).collect();
    let children = tree.children(node).into_iter();
    let near = children.min_by_key(|child| distance(&wanted, &child.name))?;
    Some(near.name)
}

/// How many letters must be put in, left out or exchanged; a difference of case counts half.
fn distance(wanted: &[char], name: &str) -> usize {
    let mut row: Vec<usize> = (0..=wanted.len()).map(|n| n.saturating_mul(2)).collect();
    for c in name.chars().take(COMPARED) {
        let mut diagonal = row.first().copied().unwrap_or(0);
        let mut left = diagonal.saturating_add(2);
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (w, cell) in wanted.iter().zip(row.iter_mut().skip(1)) {
            let cost = match *w == c {
                true => 0,
                false if w.eq_ignore_ascii_case(&c) => 1,
                false => 2,
            };
            let best = diagonal
                .saturating_add(cost)
                .min(cell.saturating_add(2))
                .min(left.saturating_add(2));
            diagonal = std::mem::replace(cell, best);
            left = best;
        }
    }
    row.last().copied().unwrap_or(0)
}

/// What a path that is being typed may become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Completion {
    /// The path as far as it is clear.
    pub(super) path: String,
    /// The names it may go on with, raw, when there are several.
    pub(super) names: Vec<String>,
}

/// Completes the last component of a path.
pub(super) fn complete(tree: &Tree<'_>, from: &Node, path: &str) -> Option<Completion> {
    let path = path.trim_start();
    let cut = last_component(path);
    let (folder, start) = path.split_at_checked(cut)?;
    let relative = !path.starts_with('/');
    let look = if relative {
        below(tree, from, folder)
    } else {
        folder.to_owned()
    };
    let folder_node = tree.find(&look).into_iter().next()?;
    let start = start.strip_prefix('"').unwrap_or(start);
    let mut fits: Vec<_> = tree
        .children(&folder_node)
        .into_iter()
        .filter(|child| child.name.starts_with(start))
        .collect();
    let (first, last) = (fits.first()?, fits.last()?);
    let mut out = folder.to_owned();
    if fits.len() == 1 {
        out.push_str(&quote(&first.name));
        if tree.is_directory(&first.node) {
            out.push('/');
        }
        return Some(Completion {
            path: out,
            names: Vec::new(),
        });
    }
    // Children are sorted, so that the first and the last differ earliest.
    let common = common_prefix(&first.name, &last.name).max(start.len());
    let common = first.name.get(..common).unwrap_or(start);
    // An open quote would have to be closed at once: the part stays without one.
    out.push_str(common);
    let names = fits.drain(..).map(|child| child.name).collect();
    Some(Completion { path: out, names })
}

fn common_prefix(a: &str, b: &str) -> usize {
    let same = a.char_indices().zip(b.chars()).find(|((_, x), y)| x != y);
    same.map_or(a.len().min(b.len()), |((at, _), _)| at)
}

/// Where the last component begins: after the last slash outside quotes.
fn last_component(path: &str) -> usize {
    let (mut from, mut quoted, mut escaped) = (0usize, false, false);
    for (at, c) in path.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' if at == from => quoted = true,
            '"' => quoted = false,
            '/' if !quoted => from = at.saturating_add(1),
            _ => {}
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let of = |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), b);
        assert_eq!(of("orders", "orders"), 0);
        assert_eq!(of("oders", "orders"), 2);
        assert_eq!(of("Orders", "orders"), 1);
        assert_eq!(of("", "abc"), 6);
        assert_eq!(of("abc", ""), 6);
        assert_eq!(of("kitten", "sitting"), 6);
    }

    #[test]
    fn the_last_component_begins_after_a_slash_outside_quotes() {
        assert_eq!(last_component("/image/to"), 7);
        assert_eq!(last_component("/image/"), 7);
        assert_eq!(last_component("im"), 0);
        assert_eq!(last_component("/a/\"b/c"), 3);
        assert_eq!(last_component("/a/\"b/c\"/d"), 9);
    }
}
