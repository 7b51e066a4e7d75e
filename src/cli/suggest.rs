//! What may have been meant by a node that is not there.

use super::outcome::complain;
use crate::error::{Error, ErrorKind, Place};
use crate::text::distance;
use crate::tree::{Component, Node, Tree, push_component, split};
use std::io::Write;

/// Says on stderr that a path leads nowhere, and which one it may have meant.
pub(crate) fn complain_of_missing(tree: &Tree<'_>, path: &str, err: &mut dyn Write) {
    let error = Error::new(ErrorKind::NoSuchNode(path.to_owned()), Place::default());
    complain(&error, err);
    let _ = match nearest(tree, path) {
        // A path of the tree is safe to print as it is, and escaped it would not lead back.
        Some(near) => writeln!(err, "hint: did you mean {near}"),
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
