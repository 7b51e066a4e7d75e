//! Columns of a terminal. Escape text before measuring it: controls have no width to speak of.

use std::fmt::{self, Write as _};
use unicode_width::UnicodeWidthStr as _;

/// How many terminal columns a text takes.
#[must_use]
pub fn display_width(text: &str) -> usize {
    text.width()
}

/// A text with blanks after it up to a width in columns; a longer text stays whole.
#[derive(Clone, Copy, Debug)]
pub struct PadRight<'a>(pub &'a str, pub usize);

impl fmt::Display for PadRight<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)?;
        blanks(f, self.0, self.1)
    }
}

/// A text with blanks before it, for numbers.
#[derive(Clone, Copy, Debug)]
pub struct PadLeft<'a>(pub &'a str, pub usize);

impl fmt::Display for PadLeft<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        blanks(f, self.0, self.1)?;
        f.write_str(self.0)
    }
}

fn blanks(f: &mut fmt::Formatter<'_>, text: &str, width: usize) -> fmt::Result {
    (display_width(text)..width).try_for_each(|_| f.write_char(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pads_by_columns_not_by_characters() {
        assert_eq!(display_width("日本"), 4);
        assert_eq!(display_width("e\u{301}"), 1);
        assert_eq!(PadRight("日本", 6).to_string(), "日本  ");
        assert_eq!(PadLeft("12", 4).to_string(), "  12");
        assert_eq!(PadLeft("12345", 4).to_string(), "12345");
    }
}
