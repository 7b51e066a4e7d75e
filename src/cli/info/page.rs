//! Rows of a screen: a label, then words that wrap at 80 columns.

use crate::cli::console::{Paint, Tone};
use crate::text::{PadRight, display_width, escape};
use std::io::{self, Write};

/// Where the words begin.
const MARGIN: usize = 13;
/// Where they end.
const WIDTH: usize = 80;

/// Writes rows.
pub(super) struct Page<'a> {
    pub(super) out: &'a mut dyn Write,
    pub(super) paint: Paint,
}

impl Page<'_> {
    /// A row; the text is escaped here.
    pub(super) fn row(&mut self, label: &str, text: impl AsRef<str>) -> io::Result<()> {
        self.toned(label, text, None)
    }

    /// A row in a color.
    pub(super) fn toned(
        &mut self,
        label: &str,
        text: impl AsRef<str>,
        tone: Option<Tone>,
    ) -> io::Result<()> {
        let text = escape(text.as_ref());
        let mut label = escape(label).into_owned();
        for line in wrapped(&text, WIDTH.saturating_sub(MARGIN)) {
            let padded = PadRight(&label, MARGIN).to_string();
            let gap = if display_width(&label) < MARGIN {
                ""
            } else {
                " "
            };
            let line = tone.map_or_else(|| line.clone(), |tone| self.paint.text(tone, &line));
            writeln!(
                self.out,
                "{}{gap}{line}",
                self.paint.text(Tone::Quiet, padded)
            )?;
            label.clear();
        }
        Ok(())
    }

    /// An empty line.
    pub(super) fn gap(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }
}

/// Lines of at most this many columns, broken at blanks; a longer word stands alone.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let needed = display_width(&line)
            .saturating_add(1)
            .saturating_add(display_width(word));
        if !line.is_empty() && needed > width {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// `1 broker`, `2 brokers`.
pub(super) fn plural(count: u64, one: &str, many: &str) -> String {
    let word = if count == 1 { one } else { many };
    format!("{} {word}", crate::text::Thousands(count))
}

/// Ids in one run of text: the first few of them, and how many more there are.
pub(super) fn ids(ids: &[i32]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<String> = ids.iter().take(SHOWN).map(ToString::to_string).collect();
    match ids.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn words_wrap_and_long_ones_stay_whole() {
        assert_eq!(wrapped("ab cd ef", 5), ["ab cd", "ef"]);
        assert_eq!(wrapped("abcdefgh i", 5), ["abcdefgh", "i"]);
        assert_eq!(wrapped("", 5), [""]);
    }
}
