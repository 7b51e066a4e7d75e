//! Where a command writes: results to one stream, words about the run to the other.

use super::common::ColorWhen;
use std::io::Write;

/// The two streams, and what the first may carry.
pub(crate) struct Console<'a> {
    /// Results. Buffered; flushed at the end.
    pub(crate) out: &'a mut dyn Write,
    /// Words about the run.
    pub(crate) err: &'a mut dyn Write,
    /// Whether a terminal shows the results: Kafka's raw texts are escaped there.
    pub(crate) terminal: bool,
    /// Colors of the results.
    pub(crate) paint: Paint,
    /// The width that plain names may share a line in; none for one name a line.
    pub(crate) columns: Option<usize>,
}

impl<'a> Console<'a> {
    pub(crate) fn new(out: &'a mut dyn Write, err: &'a mut dyn Write, terminal: bool) -> Self {
        Self {
            out,
            err,
            terminal,
            paint: Paint { on: false },
            columns: None,
        }
    }

    /// Decides about colors, once the flag is known.
    pub(crate) fn color(&mut self, when: ColorWhen) {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
            || std::env::var_os("TERM").is_some_and(|v| v == "dumb");
        self.paint.on = match when {
            ColorWhen::Auto => self.terminal && !unwanted,
            ColorWhen::Always => true,
            ColorWhen::Never => false,
        };
    }
}

/// Colors text, or does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    on: bool,
}

/// What a color is for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tone {
    /// Headings and paths.
    Heading,
    /// Marks and warnings.
    Notice,
    /// Damage.
    Bad,
    /// Names of facts.
    Quiet,
}

impl Paint {
    /// Whether colors are used.
    #[cfg(feature = "tui")]
    pub(crate) fn is_on(self) -> bool {
        self.on
    }

    /// Text that is already escaped, in a color.
    pub(crate) fn text(self, tone: Tone, text: impl std::fmt::Display) -> String {
        if !self.on {
            return text.to_string();
        }
        let code = match tone {
            Tone::Heading => "1",
            Tone::Notice => "33",
            Tone::Bad => "1;31",
            Tone::Quiet => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
