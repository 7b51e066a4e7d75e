//! What a line may go on with.

use super::words::Word;
use crate::tree::{Matching, quote};

/// The most names that are offered; of more, the first and how many there are.
pub(super) const MOST: usize = 1000;

/// What may stand in place of the end of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Candidates {
    /// The byte from which on the line is replaced.
    pub(super) from: usize,
    /// What is shown, and what takes the place.
    pub(super) list: Vec<(String, String)>,
}

/// What is completed.
pub(super) enum Wanted<'w> {
    /// A command, by its beginning.
    Command(&'w str),
    /// A path.
    Path(&'w str),
    Nothing,
}

/// The place in the line that is completed: words before it, where it begins, and its text.
pub(super) fn last(words: &[Word], line: &str) -> (Vec<String>, usize, String) {
    let mut before: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
    match words.last() {
        Some(word) if word.open && !ends_outside(line, word) => {
            before.pop();
            (before, word.at, word.text.clone())
        }
        _ => (before, line.len(), String::new()),
    }
}

// A blank behind a word ends it, unless the word holds it in quotes.
fn ends_outside(line: &str, word: &Word) -> bool {
    let typed = line.get(word.at..).unwrap_or_default();
    typed.ends_with(char::is_whitespace) && !word.text.ends_with(char::is_whitespace)
}

/// What the last word of a line of these commands is.
pub(super) fn wanted<'w>(before: &[String], last: &'w str) -> Wanted<'w> {
    match before {
        [] => Wanted::Command(last),
        [man] if man == "man" => Wanted::Command(last),
        [cd] if cd == "cd" => Wanted::Path(last),
        [first, ..] if matches!(first.as_str(), "cat" | "find" | "ls" | "tree") => {
            Wanted::Path(last)
        }
        _ => Wanted::Nothing,
    }
}

/// Commands that begin so.
pub(super) fn commands<'n>(
    names: impl Iterator<Item = &'n str>,
    prefix: &str,
    from: usize,
) -> Candidates {
    let names = names.filter(|name| name.starts_with(prefix));
    Candidates {
        from,
        list: names.map(|n| (n.to_owned(), format!("{n} "))).collect(),
    }
}

/// Names that begin so, below what was typed of their folder.
pub(super) fn names(
    matching: Matching<bool>,
    folder: &str,
    from: usize,
    typed: fn(&str) -> String,
) -> Candidates {
    let single = matching.total == 1;
    let left = matching.total.saturating_sub(matching.first.len());
    let mut list: Vec<(String, String)> = matching
        .first
        .iter()
        .map(|(name, directory)| {
            let end = match (*directory, single) {
                (true, _) => "/",
                (false, true) => " ",
                (false, false) => "",
            };
            let mark = if *directory { "/" } else { "" };
            let shown = quote(name);
            (
                format!("{shown}{mark}"),
                format!("{folder}{}{end}", typed(name)),
            )
        })
        .collect();
    if left > 0 {
        let shown = format!("... and {left} more");
        list.push((shown, format!("{folder}{}", matching.common)));
    }
    Candidates { from, list }
}

/// A name as a component of a path at our prompt.
pub(super) fn typed(name: &str) -> String {
    let quoted = quote(name);
    if quoted.starts_with('"')
        || !name.contains(|c: char| c.is_whitespace() || c == '\'' || c == '"')
    {
        return quoted.into_owned();
    }
    let inner = name.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{inner}\"")
}

/// A name as a component at Kafka's prompt.
pub(super) fn typed_for_kafka(name: &str) -> String {
    let mut typed = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_whitespace() || matches!(c, '\\' | '"' | '\'') {
            typed.push('\\');
        }
        typed.push(c);
    }
    typed
}

/// Splits what was typed of a path at its last slash that is in no quotes.
pub(super) fn folder(path: &str) -> (&str, &str) {
    let mut quoted = false;
    let mut escaped = false;
    let mut cut = 0;
    for (at, c) in path.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '/' if !quoted => cut = at.saturating_add(1),
            _ => {}
        }
    }
    path.split_at_checked(cut).unwrap_or((path, ""))
}

/// What was typed of a component, as it begins a name: without the quotes and backslashes around it.
pub(super) fn beginning(component: &str) -> String {
    let Some(quoted) = component.strip_prefix('"') else {
        return component.to_owned();
    };
    let mut name = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => name.extend(chars.next()),
            c => name.push(c),
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::shell::words;

    #[test]
    fn the_last_word_is_what_is_completed() {
        for (line, before, from, text) in [
            ("", 0, 0, ""),
            ("ca", 0, 0, "ca"),
            ("cat ", 1, 4, ""),
            ("cat /im", 1, 4, "/im"),
            ("cat a /image/\"x y", 2, 6, "/image/\"x y"),
            ("cat a  ", 2, 7, ""),
        ] {
            let (words, at, last) = last(&words::ours(line), line);
            assert_eq!(
                (words.len(), at, last.as_str()),
                (before, from, text),
                "{line}"
            );
        }
    }

    #[test]
    fn a_name_with_blanks_is_typed_in_quotes() {
        assert_eq!(typed("clientId(a)"), "clientId(a)");
        assert_eq!(typed("clientId(my app)"), "\"clientId(my app)\"");
        assert_eq!(typed("a/b"), "\"a/b\"");
        assert_eq!(folder("/image/\"a/b"), ("/image/", "\"a/b"));
        assert_eq!(folder("ima"), ("", "ima"));
        assert_eq!(beginning("\"a \\\"b"), "a \"b");
    }
}
