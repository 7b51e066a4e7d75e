//! Flags that every command takes.

use crate::error::Result;
use crate::ids::Offset;
use crate::image::State;
use crate::log::{Log, Moment, Options};
use crate::source::Opening;
use crate::text::parse_time;
use crate::tree::Secrets;
use clap::{Args, ValueEnum};
use std::path::Path;
use std::sync::Arc;

/// Flags that every command takes.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Common flags")]
pub(crate) struct Common {
    /// Show secrets: passwords, SCRAM keys and the like are [redacted] without it
    #[arg(long, global = true)]
    pub(crate) reveal: bool,

    /// Exit with status 2 when anything was not fully understood
    ///
    /// That is any finding of weight warning or error that tells of damage, of loss, or of something
    /// unknown: bytes that do not read, a cut or zero tail, an unknown record type, version or tag,
    /// bytes left over, a record that cannot apply. The answer is still printed; the first of the
    /// findings is named on stderr.
    #[arg(long, global = true)]
    pub(crate) strict: bool,

    /// Show the state as it was after the record at this offset, or at this time (RFC 3339)
    ///
    /// A time means: after the last record, in the order of offsets, that was not appended later. The
    /// newest complete checkpoint that is early enough is the base; what lies before the earliest of
    /// them and before the log cannot be asked.
    #[arg(long, global = true, value_name = "OFFSET|TIME", value_parser = moment, allow_negative_numbers = true)]
    pub(crate) at: Option<Moment>,

    /// Read files whole instead of mapping them: needed when an input may be cut short meanwhile, as
    /// on a live node, and slower
    #[arg(long, global = true)]
    pub(crate) no_mmap: bool,

    /// The most that the records of one compressed batch may expand to; a larger batch is a finding
    #[arg(long, global = true, value_name = "SIZE", default_value = "32M", value_parser = size)]
    pub(crate) max_batch: u64,

    /// When to use colors; auto is only on a terminal, and not when NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorWhen,
}

/// When colors are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal.
    #[default]
    Auto,
    /// Also into a file or pipe.
    Always,
    /// Not at all.
    Never,
}

impl Common {
    /// How inputs are opened.
    pub(crate) fn options(&self) -> Options {
        let usual = Options::default();
        Options {
            opening: Opening { map: !self.no_mmap },
            max_batch: self.max_batch,
            max_expanded: usual.max_expanded.max(self.max_batch),
            at: self.at,
        }
    }

    /// Reads all of one state.
    pub(crate) fn read(&self, path: &Path) -> Result<State> {
        Ok(State::read(Arc::new(Log::open(path, &self.options())?)))
    }

    /// Whether secrets are shown.
    pub(crate) fn secrets(&self) -> Secrets {
        if self.reveal {
            Secrets::Revealed
        } else {
            Secrets::Masked
        }
    }
}

/// Reads a moment: an offset or a time.
fn moment(text: &str) -> std::result::Result<Moment, String> {
    if let Ok(offset) = text.parse() {
        return Ok(Moment::Offset(Offset(offset)));
    }
    match parse_time(text) {
        Ok(time) => Ok(Moment::Time(time)),
        Err(_) => Err("neither an offset nor a time such as 2026-01-01T00:00:00Z".to_owned()),
    }
}

/// Reads a size: digits, then K, M or G, each 1024 times the one before, as `64M` or `64MiB`.
fn size(text: &str) -> std::result::Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = text.strip_prefix(digits).unwrap_or_default();
    let factor: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => return Err(format!("{unit} is no unit of size; K, M and G are")),
    };
    let count: u64 = digits
        .parse()
        .map_err(|_| "a size is a whole number, then K, M or G, as in 64M".to_owned())?;
    match count.checked_mul(factor) {
        Some(0) => Err("a size of 0 leaves no room for any record".to_owned()),
        Some(bytes) => Ok(bytes),
        None => Err("the size is beyond what 64 bits count".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_read_with_their_units() {
        for (text, bytes) in [
            ("1", 1),
            ("64k", 65_536),
            ("32M", 33_554_432),
            ("32MiB", 33_554_432),
            ("2G", 2_147_483_648),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "0",
            "M",
            "12 parsecs",
            "-1",
            "1.5M",
            "99999999999999999999",
            "18446744073709551615K",
        ] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
