//! Paths of nodes as text: components joined by `/`, a component in double quotes where it would not be
//! read back as itself.

use crate::text::escape;
use std::borrow::Cow;

/// A component as it stands in a path. Quoted when it is empty, is `.` or `..`, has a slash, begins
/// with a quote, or holds characters that cannot be seen; inside quotes a quote or backslash has a
/// backslash before it, and what cannot be seen is written as [`crate::text::Escaped`] writes it.
#[must_use]
pub fn quote(name: &str) -> Cow<'_, str> {
    let seen = |part| matches!(escape(part), Cow::Borrowed(_));
    let plain = !name.is_empty()
        && name != "."
        && name != ".."
        && !name.contains('/')
        && !name.starts_with('"')
        && name.split('\\').all(seen);
    if plain {
        return Cow::Borrowed(name);
    }
    let inner = escape(name).replace('"', "\\\"");
    Cow::Owned(format!("\"{inner}\""))
}

/// Appends a component to a path.
pub fn push(path: &mut String, name: &str) {
    if !path.ends_with('/') {
        path.push('/');
    }
    path.push_str(&quote(name));
}

/// A component of a path that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Component {
    /// In quotes: this very name.
    Exact(String),
    /// As typed: a name, or a pattern when no child has it as its name.
    Typed(String),
}

/// Splits a path at slashes outside quotes. Empty components and `.` go, `..` takes the one before it
/// with it and never leaves the root, as in MetadataShell (`CommandUtils.stripDotPathComponents`).
#[must_use]
pub fn split(path: &str) -> Vec<Component> {
    let mut components = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(open) = rest.strip_prefix('"')
            && let Some((name, after)) = quoted(open)
        {
            components.push(Component::Exact(name));
            rest = after;
            continue;
        }
        let (component, after) = rest.split_once('/').unwrap_or((rest, ""));
        match component {
            "" | "." => {}
            ".." => {
                components.pop();
            }
            _ => components.push(Component::Typed(component.to_owned())),
        }
        rest = after;
    }
    components
}

/// Reads up to the closing quote, which must end the component.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                let after = text.get(at.saturating_add(1)..)?;
                return match after.strip_prefix('/') {
                    Some(next) => Some((name, next)),
                    None if after.is_empty() => Some((name, after)),
                    None => None,
                };
            }
            '\\' => name.push(unescaped(&mut chars)?),
            _ => name.push(c),
        }
    }
    None
}

/// The character that an escape stands for, its backslash already taken.
fn unescaped(chars: &mut std::str::CharIndices<'_>) -> Option<char> {
    let mut digits = String::new();
    match chars.next()?.1 {
        'n' => return Some('\n'),
        'r' => return Some('\r'),
        't' => return Some('\t'),
        'x' => digits.extend([chars.next()?.1, chars.next()?.1]),
        'u' => {
            if chars.next()?.1 != '{' {
                return None;
            }
            digits.extend(chars.map(|c| c.1).take_while(|c| *c != '}'));
        }
        c => return Some(c),
    }
    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(name: &str) -> Component {
        Component::Typed(name.to_owned())
    }

    #[test]
    fn dots_and_empty_components_go() {
        assert_eq!(split("/a//./b/../c/"), [typed("a"), typed("c")]);
        assert_eq!(split("../../a"), [typed("a")]);
        assert_eq!(split("/"), []);
    }

    #[test]
    fn what_is_quoted_reads_back() {
        for name in [
            "",
            ".",
            "..",
            "a/b",
            "\"x",
            "\\\"/",
            "plain",
            "a\"b",
            "a\\b",
            "a\nb",
            "\\n",
            "a\\\n\t",
            "\u{1b}[2J",
            "\u{202e}x\u{200b}",
        ] {
            let mut path = String::from("/image");
            push(&mut path, name);
            push(&mut path, "end");
            let read = split(&path);
            let back = match &read[1] {
                Component::Exact(back) | Component::Typed(back) => back,
            };
            assert_eq!((read.len(), back.as_str()), (3, name), "{path}");
        }
    }

    #[test]
    fn a_quote_that_does_not_close_is_a_character() {
        assert_eq!(split("\"a/b"), [typed("\"a"), typed("b")]);
    }
}
