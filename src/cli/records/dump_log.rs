//! `--format dump-log`: what kafka-dump-log 4.4.0 prints with `--cluster-metadata-decoder`, to the byte.
//!
//! Where that tool dies with a stack trace this one goes on, and says so in a line that begins with
//! [`OURS`]; no line of Kafka's begins so.
// Kafka: DumpLogSegments.

use super::secrecy;
use super::walk::{Form, Step};
use crate::finding::Finding;
use crate::log::{
    Batch, Codec, FileKind, LogFile, Record, RecordFault, RecordProblem, TimestampType, legacy,
};
use crate::record::json::{Hide, record_json, show_all, struct_json};
use crate::record::{ControlFault, ControlRecord, Text, dynamic};
use crate::schema::Schemas;
use crate::text::{Escaped, escape};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// How a line begins that kafka-dump-log does not have.
const OURS: &str = "kraftlens: ";

/// Writes Kafka's lines.
pub(super) struct DumpLog<'o> {
    out: &'o mut dyn Write,
    reveal: bool,
    /// Whether a terminal shows the lines: then nothing in them may act on it.
    terminal: bool,
    /// Whether kafka-dump-log would have died by now.
    died: bool,
    line: String,
}

impl<'o> DumpLog<'o> {
    pub(super) fn new(out: &'o mut dyn Write, reveal: bool, terminal: bool) -> Self {
        Self {
            out,
            reveal,
            terminal,
            died: false,
            line: String::new(),
        }
    }

    /// A line of our own; the first that Kafka does not get past says so.
    fn ours(&mut self, what: impl fmt::Display) -> io::Result<()> {
        let end = if self.died {
            ""
        } else {
            "; kafka-dump-log ends here"
        };
        self.died = true;
        writeln!(self.out, "{OURS}{what}{end}")
    }

    /// Text with names from the input in it.
    fn text(&mut self, text: impl fmt::Display) -> io::Result<()> {
        use fmt::Write as _;
        // Many small writes into a String cost less than into a stream.
        self.line.clear();
        write!(self.line, "{text}").map_err(io::Error::other)?;
        if self.terminal {
            self.line = visible(&self.line);
        }
        self.out.write_all(self.line.as_bytes())
    }

    fn path(&self, path: &Path) -> String {
        let path = path.to_string_lossy();
        match self.terminal {
            true => Escaped(&path).to_string(),
            false => path.into_owned(),
        }
    }

    fn hide(&self) -> Hide<'static> {
        if self.reveal {
            &show_all
        } else {
            &secrecy::hides
        }
    }

    fn data(&mut self, batch: &Batch<'_>, offset: i64, value: Option<&[u8]>) -> io::Result<()> {
        let value = value.unwrap_or_default();
        let hide = self.hide();
        match crate::record::decode_as_kafka(Schemas::builtin(), value) {
            Ok(record)
                if !self.reveal
                    && secrecy::hides_value(
                        batch.is_crc_right(),
                        Some(record.frame.api_key),
                        value,
                    ) =>
            {
                writeln!(self.out, " payload: {}", secrecy::REDACTED)
            }
            Ok(record) => {
                self.out.write_all(b" payload: ")?;
                self.text(record_json(&record, hide))?;
                self.out.write_all(b"\n")
            }
            Err(refusal) => {
                writeln!(self.out, " payload: Error at {offset}, skipping. {refusal}")
            }
        }
    }

    fn control(&mut self, record: &Record<'_>) -> io::Result<()> {
        let (key, value) = (record.key(), record.value());
        let read = crate::record::read_control_with(
            key.unwrap_or_default(),
            value.unwrap_or_default(),
            &mut (),
        );
        let name = match read.map(|reading| (reading.type_id, reading.record)) {
            Err(fault) => return self.dead_end(&fault),
            Ok((
                _,
                ControlRecord::Abort {
                    coordinator_epoch: n,
                },
            )) => {
                return writeln!(self.out, " endTxnMarker: ABORT coordinatorEpoch: {n}");
            }
            Ok((
                _,
                ControlRecord::Commit {
                    coordinator_epoch: n,
                },
            )) => {
                return writeln!(self.out, " endTxnMarker: COMMIT coordinatorEpoch: {n}");
            }
            Ok((type_id, ControlRecord::Unknown { .. })) => {
                return writeln!(self.out, " controlType: UNKNOWN({type_id})");
            }
            Ok((_, ControlRecord::LeaderChange(_))) => "LeaderChange:",
            Ok((_, ControlRecord::SnapshotHeader(_))) => "SnapshotHeader",
            Ok((_, ControlRecord::SnapshotFooter(_))) => "SnapshotFooter",
            Ok((_, ControlRecord::KRaftVersion(_))) => "KRaftVersion",
            Ok((_, ControlRecord::Voters(_))) => "KRaftVoters",
        };
        let key = key.unwrap_or_default();
        match dynamic::decode_control(Schemas::builtin(), key, value.unwrap_or_default()) {
            Ok(Some(control)) => {
                write!(self.out, " {name} ")?;
                self.text(struct_json(&control.data, &show_all))?;
                self.out.write_all(b"\n")
            }
            Ok(None) => writeln!(self.out),
            Err(fault) => self.dead_end(&fault),
        }
    }

    /// A control record at which Kafka dies in the middle of the line.
    fn dead_end(&mut self, fault: &ControlFault) -> io::Result<()> {
        writeln!(self.out)?;
        self.ours(fault)
    }

    /// The one record of an uncompressed batch of magic 0 or 1.
    fn legacy(&mut self, batch: &Batch<'_>) -> io::Result<()> {
        let header = batch.header();
        let message = (header.codec() == Codec::None)
            .then(|| legacy::Message::parse(batch.bytes()))
            .flatten();
        let Some(legacy::Message { key, value }) = message else {
            let codec = header.codec();
            let magic = header.magic;
            return writeln!(
                self.out,
                "{OURS}records of magic {magic} with codec {codec} are not read here"
            );
        };
        let length = |bytes: Option<&[u8]>| bytes.map_or(-1, |b| b.len() as i64);
        write!(
            self.out,
            "| offset: {} {}: {} keySize: {} valueSize: {} isValid: {} crc: {}",
            header.base_offset,
            time_type(batch),
            header.max_timestamp,
            length(key),
            length(value),
            batch.is_crc_right(),
            header.crc,
        )?;
        self.data(batch, header.base_offset.0, value)
    }
}

/// Kafka's name for what the times of a batch mean.
fn time_type(batch: &Batch<'_>) -> &'static str {
    match (batch.header().magic, batch.header().timestamp_type()) {
        (0, _) => "NoTimestampType",
        (_, TimestampType::CreateTime) => "CreateTime",
        (_, TimestampType::LogAppendTime) => "LogAppendTime",
    }
}

/// Text with what a terminal would act on written out. Backslashes stay: they are JSON's.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive('\\') {
        let (plain, slash) = match part.strip_suffix('\\') {
            Some(plain) => (plain, "\\"),
            None => (part, ""),
        };
        out.push_str(&escape(plain));
        out.push_str(slash);
    }
    out
}

impl Form for DumpLog<'_> {
    fn file(&mut self, file: &LogFile) -> io::Result<()> {
        let path = file.path();
        writeln!(self.out, "Dumping {}", self.path(path))?;
        // Kafka goes by the name alone.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == "bootstrap.checkpoint" {
            return writeln!(self.out, "KRaft bootstrap snapshot");
        }
        let named = name
            .strip_suffix(".log")
            .and_then(|stem| stem.split('.').next()?.parse::<i64>().ok());
        match (named, file.kind()) {
            (Some(base), _) => writeln!(self.out, "Log starting offset: {base}"),
            (None, FileKind::Segment { base }) => {
                writeln!(self.out, "Log starting offset: {base}")
            }
            (None, FileKind::Checkpoint { end, epoch }) => {
                writeln!(self.out, "Snapshot end offset: {end}, epoch: {epoch}")
            }
            (None, FileKind::Bootstrap | FileKind::UnnamedCheckpoint { .. }) => {
                self.ours("a checkpoint whose name tells no end offset")
            }
        }
    }

    fn batch(&mut self, batch: &Batch<'_>) -> io::Result<()> {
        let h = batch.header();
        if h.magic < 2 {
            // Kafka: the offset of a compressed message is that of its last record.
            write!(self.out, "offset: {}", h.base_offset)?;
        } else {
            write!(
                self.out,
                "baseOffset: {} lastOffset: {} count: {} baseSequence: {} lastSequence: {} \
                 producerId: {} producerEpoch: {} partitionLeaderEpoch: {} isTransactional: {} \
                 isControl: {} deleteHorizonMs: ",
                h.base_offset,
                h.last_offset(),
                h.count,
                h.base_sequence,
                h.last_sequence(),
                h.producer_id,
                h.producer_epoch,
                h.epoch,
                h.is_transactional(),
                h.is_control(),
            )?;
            match h.delete_horizon() {
                Some(time) => write!(self.out, "OptionalLong[{time}]")?,
                None => self.out.write_all(b"OptionalLong.empty")?,
            }
        }
        writeln!(
            self.out,
            " position: {} {}: {} size: {} magic: {} compresscodec: {} crc: {} isvalid: {}",
            batch.position(),
            time_type(batch),
            h.max_timestamp,
            h.length,
            h.magic,
            h.codec(),
            h.crc,
            batch.is_crc_right(),
        )?;
        if matches!(h.codec(), Codec::Unknown(_)) {
            self.ours(format_args!("codec {} of the line above", h.codec()))?;
        }
        if h.magic < 2 {
            self.legacy(batch)?;
        }
        Ok(())
    }

    fn record(&mut self, step: &Step<'_, '_>) -> io::Result<()> {
        let (batch, record) = (step.batch, step.record);
        let length = |bytes: Option<&[u8]>| bytes.map_or(-1, |b| b.len() as i64);
        write!(
            self.out,
            "| offset: {} {}: {} keySize: {} valueSize: {} sequence: {} headerKeys: [",
            record.offset(),
            time_type(batch),
            record.timestamp(),
            length(record.key()),
            length(record.value()),
            batch.header().sequence(record.offset_delta()),
        )?;
        let mut comma = "";
        let hidden = !self.reveal && !batch.is_crc_right();
        for (key, _) in record.headers() {
            self.out.write_all(comma.as_bytes())?;
            comma = ",";
            match self.terminal {
                _ if hidden => write!(self.out, "{}", secrecy::REDACTED)?,
                true => write!(self.out, "{}", Escaped(&Text::new(key).to_str()))?,
                false => write!(self.out, "{}", Text::new(key))?,
            }
        }
        self.out.write_all(b"]")?;
        if batch.header().is_control() {
            self.control(record)
        } else {
            self.data(batch, record.offset().0, record.value())
        }
    }

    fn fault(&mut self, batch: &Batch<'_>, fault: &RecordFault) -> io::Result<()> {
        // Said with the batch.
        if matches!(batch.header().codec(), Codec::Unknown(_)) {
            return Ok(());
        }
        // It may only be larger than what is allowed here.
        if fault.what == RecordProblem::NotInflated {
            return writeln!(self.out, "{OURS}{fault}");
        }
        self.ours(fault)
    }

    fn finding(&mut self, _: &Finding) -> io::Result<()> {
        Ok(())
    }

    fn file_end(&mut self, file: &LogFile, tail: &[u8]) -> io::Result<()> {
        if tail.is_empty() {
            return Ok(());
        }
        // Kafka: FileLogInputStream ends quietly where no magic fits or the batch is cut.
        let size = tail
            .get(8..12)
            .and_then(|b| Some(i32::from_be_bytes(*b.first_chunk()?)));
        let quiet = match size {
            Some(size) if tail.len() >= 18 => {
                size >= 14 && (size as u64).saturating_add(12) > tail.len() as u64
            }
            _ => true,
        };
        if !quiet {
            self.ours(format_args!("no batch at position {}", file.read_to()))?;
        }
        let name = file.path().file_name().unwrap_or_default();
        writeln!(
            self.out,
            "Found {} invalid bytes at the end of {}",
            tail.len(),
            self.path(name.as_ref())
        )
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
