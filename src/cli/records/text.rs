//! `--format text`: a line a batch and a line a record, for people.

use super::line::Line;
use super::walk::{Content, Form, Step};
use crate::cli::console::{Paint, Tone};
use crate::finding::{Code, Finding, Severity};
use crate::ids::{Offset, Timestamp};
use crate::log::{Batch, LogFile, RecordFault, TimestampType};
use crate::record::{Frame, MetadataRecord, Reading};
use crate::text::{ByteSize, Escaped, Rfc3339, Thousands};
use std::fmt;
use std::io::{self, Write};

/// Writes lines for people.
pub(super) struct Text<'o> {
    out: &'o mut dyn Write,
    paint: Paint,
    reveal: bool,
    /// Whether each NoOp record has its line.
    noops: bool,
    /// The line of a batch of NoOps, until a record of it is shown, and whether some were folded.
    waiting: Option<(String, bool)>,
    run: Option<Run>,
}

/// NoOp records in a row.
struct Run {
    count: u64,
    first: (Offset, Timestamp),
    last: (Offset, Timestamp),
}

impl<'o> Text<'o> {
    pub(super) fn new(out: &'o mut dyn Write, paint: Paint, reveal: bool, noops: bool) -> Self {
        Self {
            out,
            paint,
            reveal,
            noops,
            waiting: None,
            run: None,
        }
    }

    /// Writes the line of folded records, if there is one.
    fn unfold(&mut self) -> io::Result<()> {
        let Some(run) = self.run.take() else {
            return Ok(());
        };
        let ((first, begin), (last, end)) = (run.first, run.last);
        let offsets = if first == last {
            format!("offset {first}")
        } else {
            format!("offsets {first}..{last}")
        };
        let times = if begin == end {
            Rfc3339(begin).to_string()
        } else {
            format!("{} to {}", Rfc3339(begin), Rfc3339(end))
        };
        let line = format!("NoOp x {}, {offsets}, {times}", Thousands(run.count));
        writeln!(self.out, "{}", self.paint.text(Tone::Quiet, line))
    }

    /// Writes what comes before a line about the batch at hand.
    fn inside_batch(&mut self) -> io::Result<()> {
        self.unfold()?;
        if let Some((line, _)) = self.waiting.take() {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }

    /// Writes the line of a batch that had no records, when it ends.
    fn end_batch(&mut self) -> io::Result<()> {
        match self.waiting.take() {
            Some((line, false)) => {
                self.unfold()?;
                writeln!(self.out, "{line}")
            }
            _ => Ok(()),
        }
    }

    fn batch_line(&self, batch: &Batch<'_>) -> String {
        let header = batch.header();
        let name = batch.file().path().file_name().unwrap_or_default();
        let mut line = self.paint.text(
            Tone::Heading,
            format_args!("{}@{}", Escaped(&name.to_string_lossy()), batch.position()),
        );
        let mut add = |part: fmt::Arguments<'_>| {
            line.push_str("  ");
            // Writing into a String cannot fail.
            let _ = fmt::Write::write_fmt(&mut line, part);
        };
        let inside = if batch.in_checkpoint() {
            "in file "
        } else {
            ""
        };
        let (first, last) = (header.base_offset, header.last_offset());
        if first == last {
            add(format_args!("{inside}offset {first}"));
        } else {
            add(format_args!("{inside}offsets {first}..{last}"));
        }
        add(format_args!("epoch {}", header.epoch));
        match header.max_timestamp {
            Timestamp(..0) => add(format_args!("no time")),
            time => add(format_args!("{}", Rfc3339(time))),
        }
        add(format_args!("{:#}", ByteSize(header.length.into())));
        add(format_args!("{}", header.codec()));
        if header.is_control() {
            add(format_args!("CONTROL"));
        }
        if header.is_transactional() {
            add(format_args!("TRANSACTIONAL"));
        }
        if header.timestamp_type() == TimestampType::LogAppendTime {
            add(format_args!("LogAppendTime"));
        }
        if let Some(horizon) = header.delete_horizon() {
            add(format_args!("delete horizon {}", Rfc3339(horizon)));
        }
        if header.producer_id != -1 || header.producer_epoch != -1 || header.base_sequence != -1 {
            add(format_args!(
                "producer {} epoch {} sequence {}",
                header.producer_id, header.producer_epoch, header.base_sequence
            ));
        }
        if header.magic != 2 {
            let unread = if header.magic < 2 {
                " its records are not read"
            } else {
                ""
            };
            let text = format!("magic {}!{unread}", header.magic);
            add(format_args!("{}", self.paint.text(Tone::Bad, text)));
        }
        if !batch.is_crc_right() {
            let text = format!(
                "CRC wrong! stored {}, of the bytes {}",
                header.crc,
                batch.computed_crc()
            );
            add(format_args!("{}", self.paint.text(Tone::Bad, text)));
        }
        line
    }
}

impl Form for Text<'_> {
    fn file(&mut self, _: &LogFile) -> io::Result<()> {
        Ok(())
    }

    fn batch(&mut self, batch: &Batch<'_>) -> io::Result<()> {
        self.end_batch()?;
        let line = self.batch_line(batch);
        if !self.noops && batch.is_trusted() && holds_only_noops(batch) {
            self.waiting = Some((line, false));
            return Ok(());
        }
        self.unfold()?;
        writeln!(self.out, "{line}")
    }

    fn record(&mut self, step: &Step<'_, '_>) -> io::Result<()> {
        let is_noop = matches!(
            step.content,
            Content::Data(Ok(Reading {
                record: MetadataRecord::NoOp(_),
                unknown_tags: 0,
                ..
            }))
        );
        if is_noop && !self.noops && step.batch.is_trusted() && is_plain(step) {
            let here = (step.record.offset(), step.record.timestamp());
            let run = self.run.get_or_insert(Run {
                count: 0,
                first: here,
                last: here,
            });
            run.count = run.count.saturating_add(1);
            run.last = here;
            if let Some((_, folded)) = &mut self.waiting {
                *folded = true;
            }
            return Ok(());
        }
        self.inside_batch()?;
        let last = step.batch.header().last_offset().to_string();
        let mark = if step.batch.is_trusted() { " " } else { "?" };
        let offset = step.record.offset();
        write!(self.out, "{mark} {offset:>width$}  ", width = last.len())?;
        writeln!(
            self.out,
            "{}",
            Line {
                step,
                reveal: self.reveal,
                paint: self.paint
            }
        )
    }

    fn fault(&mut self, _: &Batch<'_>, fault: &RecordFault) -> io::Result<()> {
        self.inside_batch()?;
        let text = self.paint.text(Tone::Bad, format_args!("! {fault}"));
        writeln!(self.out, "{text}")
    }

    fn finding(&mut self, finding: &Finding) -> io::Result<()> {
        // Its batch says so itself.
        if matches!(finding.code, Code::CrcMismatch | Code::UnsupportedMagic) {
            return Ok(());
        }
        self.end_batch()?;
        self.unfold()?;
        let tone = match finding.severity {
            Severity::Error => Tone::Bad,
            _ => Tone::Notice,
        };
        let text = format!(
            "! {}: {} [{}]",
            finding.severity, finding.summary, finding.code
        );
        writeln!(self.out, "{}", self.paint.text(tone, Escaped(&text)))
    }

    fn file_end(&mut self, _: &LogFile, _: &[u8]) -> io::Result<()> {
        self.end_batch()?;
        self.unfold()
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether there are records in it and all of them are NoOps.
fn holds_only_noops(batch: &Batch<'_>) -> bool {
    let is_noop = |value: &[u8]| Frame::parse(value).is_ok_and(|frame| frame.api_key == 20);
    let mut records = batch.records().peekable();
    records.peek().is_some()
        && records.all(|record| record.is_ok_and(|r| is_noop(r.value().unwrap_or_default())))
}

/// Whether a record has nothing but its value.
fn is_plain(step: &Step<'_, '_>) -> bool {
    step.record.key().is_none()
        && step.record.headers().next().is_none()
        && step.record.attributes() == 0
        && step.record.timestamp_delta() == 0
        && step.within.is_none()
}
