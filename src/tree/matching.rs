//! Children by the beginning of their names, for completion: of a hundred thousand topics only those that
//! match are looked at twice, and only those that are shown are sorted.

use super::{Node, TopicsBy, Tree};
use crate::text::java_cmp;
use std::fmt::Write as _;

/// Names with the same beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matching<T> {
    /// The first of them in Java string order, at most as many as were asked for.
    pub first: Vec<(String, T)>,
    /// How many there are.
    pub total: usize,
    /// The longest beginning that all of them have; empty when there is none.
    pub common: String,
    most: usize,
    /// The last of those that are kept, once there are as many as were asked for.
    last: Option<String>,
}

impl<T> Matching<T> {
    pub(super) fn new(most: usize) -> Self {
        Self {
            first: Vec::new(),
            total: 0,
            common: String::new(),
            most,
            last: None,
        }
    }

    pub(super) fn take(&mut self, name: &str, value: impl FnOnce() -> T) {
        if self.total == 0 {
            name.clone_into(&mut self.common);
        } else {
            let same = self.common.char_indices().zip(name.chars());
            let differ = same.into_iter().find(|((_, a), b)| a != b);
            let length = differ.map_or(self.common.len().min(name.len()), |((at, _), _)| at);
            self.common.truncate(length);
        }
        self.total = self.total.saturating_add(1);
        // Most of many names are behind all that are kept, and cost this one comparison.
        let behind = |last: &String| java_cmp(last, name).is_le();
        if self.last.as_ref().is_some_and(behind) {
            return;
        }
        self.first.push((name.to_owned(), value()));
        if self.first.len() >= self.most.saturating_mul(4).max(64) {
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        let Some(last) = self.most.checked_sub(1) else {
            self.first.clear();
            return;
        };
        if self.first.len() > self.most {
            self.first
                .select_nth_unstable_by(last, |a, b| java_cmp(&a.0, &b.0));
            self.first.truncate(self.most);
            self.last = self.first.last().map(|(name, _)| name.clone());
        }
    }

    pub(super) fn sorted(mut self) -> Self {
        self.shorten();
        self.first.sort_by(|a, b| java_cmp(&a.0, &b.0));
        self
    }
}

impl Tree<'_> {
    /// The children of a directory whose names begin with a prefix: the first `most` of them, each
    /// with whether it is a directory.
    #[must_use]
    pub fn matching(&self, node: &Node, prefix: &str, most: usize) -> Matching<bool> {
        let mut matching = Matching::new(most);
        let mut take = |name: &str, directory: &dyn Fn() -> bool| {
            if name.starts_with(prefix) {
                matching.take(name, directory);
            }
        };
        let topics = self.state().image().topics();
        let mut text = String::new();
        match node {
            Node::TopicsBy(TopicsBy::Name) => {
                for (name, _) in topics.named() {
                    take(name, &|| true);
                }
            }
            Node::TopicsBy(TopicsBy::Id) => {
                for topic in topics.iter() {
                    text.clear();
                    let _ = write!(text, "{}", topic.id());
                    take(&text, &|| true);
                }
            }
            Node::Topic(_, id) => {
                take("id", &|| false);
                take("name", &|| false);
                let partitions = topics.by_id(*id).map(|topic| topic.partitions());
                for partition in partitions.unwrap_or_default() {
                    text.clear();
                    let _ = write!(text, "{}", partition.id());
                    take(&text, &|| false);
                }
            }
            _ => {
                for child in self.unsorted(node) {
                    take(&child.name, &|| self.is_directory(&child.node));
                }
            }
        }
        matching.sorted()
    }
}

#[cfg(test)]
mod tests {
    use super::Matching;

    #[test]
    fn the_first_are_kept_and_all_are_counted() {
        let mut matching = Matching::new(3);
        for n in (0..1000).rev() {
            matching.take(&format!("orders-{n:04}"), || n);
        }
        let matching = matching.sorted();
        let first: Vec<_> = matching.first.iter().map(|(_, n)| *n).collect();
        assert_eq!((first, matching.total), (vec![0, 1, 2], 1000));
        assert_eq!(matching.common, "orders-0");
    }

    #[test]
    fn what_is_common_ends_between_characters() {
        let mut matching = Matching::new(10);
        for name in ["naïve", "naïf", "naïv"] {
            matching.take(name, || ());
        }
        assert_eq!(matching.common, "naï");
    }
}
