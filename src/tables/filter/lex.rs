//! Words and marks of a filter.

use super::error::Wrong;
use std::ops::Range;

/// A token with its bytes in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A bare word: a column, a keyword or a value.
    Word(String),
    /// A quoted value.
    Quoted(String),
    /// `(`, `)`, `,` or an operator.
    Mark(&'static str),
    End,
}

/// Longer ones before those that they begin with.
const MARKS: [&str; 14] = [
    "==", "=~", "!=", "!~", "<=", ">=", "<>", "=", "<", ">", "~", "(", ")", ",",
];

/// Splits a text; the last token is always the end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Wrong> {
    let mut tokens = Vec::new();
    let mut at = 0usize;
    while let Some(rest) = text.get(at..)
        && let Some(first) = rest.chars().next()
    {
        let (kind, length) = if first.is_whitespace() {
            at = at.saturating_add(first.len_utf8());
            continue;
        } else if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            (TokenKind::Mark(mark), mark.len())
        } else if matches!(first, '"' | '\'') {
            quoted(rest, first).ok_or_else(|| {
                Wrong::new(at..text.len(), "a quoted value that does not end")
                    .hint(format!("{first} begins it and has to end it"))
            })?
        } else {
            let ends = |c: char| c.is_whitespace() || "()<>=!~,\"'".contains(c);
            match rest.find(ends) {
                // A lone exclamation mark.
                Some(0) => {
                    let end = at.saturating_add(first.len_utf8());
                    return Err(Wrong::new(at..end, format!("{first} is no operator"))
                        .hint("not, != and !~ are"));
                }
                Some(length) => (word(rest, length), length),
                None => (word(rest, rest.len()), rest.len()),
            }
        };
        let end = at.saturating_add(length);
        tokens.push(Token {
            kind,
            span: at..end,
        });
        at = end;
    }
    tokens.push(Token {
        kind: TokenKind::End,
        span: text.len()..text.len(),
    });
    Ok(tokens)
}

fn word(rest: &str, length: usize) -> TokenKind {
    TokenKind::Word(rest.get(..length).unwrap_or_default().to_owned())
}

/// A quoted value and its length with the quotes. In double quotes `\"`, `\\`, `\n`, `\r` and `\t`
/// stand for characters, and any other backslash for itself, as regular expressions want; in single
/// quotes all is as it is.
fn quoted(rest: &str, quote: char) -> Option<(TokenKind, usize)> {
    let mut value = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == quote {
            return Some((TokenKind::Quoted(value), at.saturating_add(1)));
        }
        if c != '\\' || quote == '\'' {
            value.push(c);
            continue;
        }
        match chars.next()?.1 {
            c @ ('"' | '\\') => value.push(c),
            'n' => value.push('\n'),
            'r' => value.push('\r'),
            't' => value.push('\t'),
            other => {
                value.push('\\');
                value.push(other);
            }
        }
    }
    None
}
