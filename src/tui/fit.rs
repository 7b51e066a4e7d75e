//! Cuts and folds text to columns. The text is already escaped.

use crate::text::display_width;

fn width_of(c: char) -> usize {
    display_width(c.encode_utf8(&mut [0; 4]))
}

/// How many bytes of a text fit into so many columns. Never half a wide character.
fn prefix(text: &str, columns: usize) -> usize {
    let mut used = 0usize;
    for (at, c) in text.char_indices() {
        used = used.saturating_add(width_of(c));
        if used > columns {
            return at;
        }
    }
    text.len()
}

/// A text of at most so many columns: the whole, or its start with `…`.
pub(super) fn cut(text: &str, columns: usize) -> String {
    if prefix(text, columns) == text.len() {
        return text.to_owned();
    }
    if columns == 0 {
        return String::new();
    }
    let mut out = text
        .get(..prefix(text, columns.saturating_sub(1)))
        .unwrap_or_default()
        .to_owned();
    out.push('…');
    out
}

/// A text of at most so many columns: the whole, or `…` and its end.
pub(super) fn cut_start(text: &str, columns: usize) -> String {
    if prefix(text, columns) == text.len() {
        return text.to_owned();
    }
    if columns == 0 {
        return String::new();
    }
    let mut used = 1usize;
    let mut from = text.len();
    for (at, c) in text.char_indices().rev() {
        used = used.saturating_add(width_of(c));
        if used > columns {
            break;
        }
        from = at;
    }
    format!("…{}", text.get(from..).unwrap_or_default())
}

/// Folds a text into lines of at most so many columns (at least 2, for a wide character), at blanks
/// where there are some.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<&str> {
    let columns = columns.max(2);
    let mut lines = Vec::new();
    let mut rest = text;
    loop {
        let fits = prefix(rest, columns);
        if fits >= rest.len() {
            lines.push(rest);
            return lines;
        }
        let head = rest.get(..fits).unwrap_or_default();
        // A blank that comes too early would leave a ragged column behind.
        let blank = head.rfind(' ').filter(|at| *at >= fits / 2);
        let (line, next) = match blank {
            Some(at) => (at, at.saturating_add(1)),
            None if fits == 0 => {
                let first = rest.chars().next().map_or(rest.len(), char::len_utf8);
                (first, first)
            }
            None => (fits, fits),
        };
        lines.push(rest.get(..line).unwrap_or_default());
        rest = rest.get(next..).unwrap_or_default();
        if rest.is_empty() {
            return lines;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_are_never_halved() {
        assert_eq!(cut("日本語", 6), "日本語");
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("日本語", 1), "…");
        assert_eq!(cut("日本語", 0), "");
        assert_eq!(cut_start("日本語", 5), "…本語");
        assert_eq!(cut_start("日本語", 4), "…語");
        assert_eq!(cut("abc", 3), "abc");
    }

    #[test]
    fn folds_at_blanks_else_anywhere() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("日本語", 3), ["日", "本", "語"]);
        assert_eq!(wrap("日本語", 0), ["日", "本", "語"]);
        assert_eq!(wrap("", 5), [""]);
    }
}
