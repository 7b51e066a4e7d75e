//! What may have been meant by a node that is not there.

use super::outcome::complain;
use crate::error::{Error, ErrorKind, Place};
use crate::text::Escaped;
use crate::tree::{Component, Node, Tree, push_component, split};
use std::io::Write;

/// Says on stderr that a path leads nowhere, and which one it may have meant.
pub(crate) fn complain_of_missing(tree: &Tree<'_>, path: &str, err: &mut dyn Write) {
    let error = Error::new(ErrorKind::NoSuchNode(path.to_owned()), Place::default());
    complain(&error, err);
    let _ = match nearest(tree, path) {
        Some(near) => writeln!(err, "hint: did you mean {}", Escaped(&near)),
        None => writeln!(
            err,
            "hint: `kraftlens ls PATH /` shows where the tree begins"
        ),
    };
}

/// The path that is nearest to one that leads nowhere.
fn nearest(tree: &Tree<'_>, path: &str) -> Option<String> {
    let below_image = format!("/image/{}", path.trim_start_matches('/'));
    if let Some(node) = tree.find(&below_image).first() {
        return Some(tree.path(node));
    }
    let mut at = Node::Root;
    for component in split(path) {
        let (Component::Exact(name) | Component::Typed(name)) = component;
        if let Some(child) = tree.child(&at, &name) {
            at = child;
            continue;
        }
        let near = tree
            .children(&at)
            .into_iter()
            .filter_map(|child| Some((distance(&name, &child.name)?, child.name)))
            .min()?;
        let mut found = tree.path(&at);
        push_component(&mut found, &near.1);
        return Some(found);
    }
    None
}

/// How many letters two names differ by, case aside; nothing when they have little in common.
fn distance(a: &str, b: &str) -> Option<usize> {
    const LONGEST: usize = 64;
    let letters = |text: &str| {
        text.to_lowercase()
            .chars()
            .take(LONGEST)
            .collect::<Vec<_>>()
    };
    let (a, b) = (letters(a), letters(b));
    let most = a.len().max(b.len()).div_euclid(3).max(1);
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    // Levenshtein, one row at a time.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (n, x) in a.iter().enumerate() {
        let mut diagonal = n;
        let mut left = n.saturating_add(1);
        let mut next = vec![left];
        for (y, &above) in b.iter().zip(row.iter().skip(1)) {
            let replaced = diagonal.saturating_add(usize::from(x != y));
            left = replaced
                .min(above.saturating_add(1))
                .min(left.saturating_add(1));
            diagonal = above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().filter(|d| *d <= most)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn near_names_are_near() {
        for (a, b, far) in [
            ("orders", "orders", Some(0)),
            ("orders", "Orders", Some(0)),
            ("order", "orders", Some(1)),
            ("ordres", "orders", Some(2)),
            ("brokers", "controllers", None),
            ("1", "2", Some(1)),
            ("", "ab", None),
        ] {
            assert_eq!(distance(a, b), far, "{a} {b}");
        }
    }
}
