//! Names and values made safe for a terminal and unambiguous for the reader.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// Text with everything that a terminal would act on, or a reader could not see, written out: `\n`,
/// `\r`, `\t`, `\x1b` for other ASCII controls, `\u{202e}` for other control, bidirectional,
/// zero-width and format characters, and `\\` for a backslash, so that no two texts look the same.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(needs_escape) {
            let (plain, tail) = rest.split_at(at);
            f.write_str(plain)?;
            let mut chars = tail.chars();
            match chars.next() {
                Some('\\') => f.write_str("\\\\")?,
                Some('\n') => f.write_str("\\n")?,
                Some('\r') => f.write_str("\\r")?,
                Some('\t') => f.write_str("\\t")?,
                Some(c) if c.is_ascii() => write!(f, "\\x{:02x}", u32::from(c))?,
                Some(c) => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                None => break,
            }
            rest = chars.as_str();
        }
        f.write_str(rest)
    }
}

/// [`Escaped`] text; borrowed when there is nothing to escape.
#[must_use]
pub fn escape(text: &str) -> Cow<'_, str> {
    if text.contains(needs_escape) {
        let mut out = String::with_capacity(text.len());
        // Writing into a String cannot fail.
        let _ = write!(out, "{}", Escaped(text));
        Cow::Owned(out)
    } else {
        Cow::Borrowed(text)
    }
}

fn needs_escape(c: char) -> bool {
    if c.is_ascii() {
        c == '\\' || c.is_ascii_control()
    } else {
        c.is_control() || is_unseen(c)
    }
}

/// Characters beyond ASCII that have no picture of their own: general category Cf, the line and
/// paragraph separators, and the default-ignorable ones (fillers, variation selectors, tags).
/// Unicode 16.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}'
        | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}'
        | '\u{8e2}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_is_written_out() {
        for (raw, shown) in [
            // C0, among them the ones with a short form, and DEL
            ("\0\x07\x1b[2J\x7f", "\\x00\\x07\\x1b[2J\\x7f"),
            ("a\nb\rc\td", "a\\nb\\rc\\td"),
            // C1: the one-character CSI and the next line
            ("\u{9b}31m\u{85}", "\\u{9b}31m\\u{85}"),
            // bidirectional controls
            ("\u{202a}\u{202e}", "\\u{202a}\\u{202e}"),
            ("\u{2066}\u{2069}", "\\u{2066}\\u{2069}"),
            ("\u{200e}\u{200f}\u{61c}", "\\u{200e}\\u{200f}\\u{61c}"),
            // zero width and other format characters
            (
                "a\u{200b}b\u{200d}\u{feff}",
                "a\\u{200b}b\\u{200d}\\u{feff}",
            ),
            ("\u{ad}\u{2060}\u{fff9}", "\\u{ad}\\u{2060}\\u{fff9}"),
            ("\u{fe0f}\u{3164}", "\\u{fe0f}\\u{3164}"),
            ("\u{e0001}\u{e0041}", "\\u{e0001}\\u{e0041}"),
            // separators of lines and paragraphs
            ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"),
        ] {
            assert_eq!(Escaped(raw).to_string(), shown);
            assert_eq!(escape(raw), shown);
        }
    }

    #[test]
    fn a_backslash_is_doubled_so_that_escapes_cannot_be_forged() {
        assert_eq!(Escaped("a\nb").to_string(), "a\\nb");
        assert_eq!(Escaped("a\\nb").to_string(), "a\\\\nb");
    }

    #[test]
    fn other_text_stays() {
        let text = "Ärger, 日本, ½ 🦀 e\u{301} عربي \u{fffd}";
        assert_eq!(Escaped(text).to_string(), text);
        assert!(matches!(escape(text), Cow::Borrowed(_)));
    }
}
