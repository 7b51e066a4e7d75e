//! `--format jsonl`: an object a line for each batch, record and finding; docs/json.md describes them.

use super::secrecy::{self, REDACTED, hides};
use super::tags;
use super::walk::{Content, Form, Step};
use crate::finding::Finding;
use crate::ids::Timestamp;
use crate::log::{Batch, LogFile, RecordFault};
use crate::record::dynamic::{self, FieldView, Struct, Value};
use crate::record::json::json_string;
use crate::record::{ControlReading, ControlRecord, Field, Frame, Reading, Unread};
use crate::schema::Schemas;
use crate::text::{Base64, JavaDouble, Rfc3339};
use std::fmt::{self, Display};
use std::io::{self, Write};

/// Stands for the type of a control record, none of which holds secrets.
const CONTROL: Option<i16> = Some(-1);

/// Writes lines of JSON.
pub(super) struct JsonLines<'o> {
    out: &'o mut dyn Write,
    reveal: bool,
}

impl<'o> JsonLines<'o> {
    pub(super) fn new(out: &'o mut dyn Write, reveal: bool) -> Self {
        Self { out, reveal }
    }
}

/// A quoted string of something that needs no escapes, or null.
struct Quoted<T>(Option<T>);

impl<T: Display> Display for Quoted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => write!(f, "\"{value}\""),
            None => f.write_str("null"),
        }
    }
}

/// Something or null.
struct OrNull<T>(Option<T>);

impl<T: Display> Display for OrNull<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("null"),
        }
    }
}

fn time(time: Timestamp) -> Quoted<Rfc3339> {
    Quoted((time.0 >= 0).then_some(Rfc3339(time)))
}

/// `"file":...,"position":...` of a batch.
fn place(batch: &Batch<'_>, position: u64) -> impl Display {
    let path = batch.file().path().to_string_lossy().into_owned();
    fmt_with(move |f| write!(f, "\"file\":{},\"position\":{position}", json_string(&path)))
}

fn fmt_with(write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> impl Display {
    struct With<F>(F);
    impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> Display for With<F> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            (self.0)(f)
        }
    }
    With(write)
}

impl Form for JsonLines<'_> {
    fn file(&mut self, _: &LogFile) -> io::Result<()> {
        Ok(())
    }

    fn batch(&mut self, batch: &Batch<'_>) -> io::Result<()> {
        let h = batch.header();
        let wrong = !batch.is_crc_right();
        writeln!(
            self.out,
            "{{\"kind\":\"batch\",{},\"baseOffset\":{},\"lastOffset\":{},\"epoch\":{},\"time\":{},\
             \"inCheckpoint\":{},\"magic\":{},\"size\":{},\"count\":{},\"codec\":\"{}\",\
             \"control\":{},\"transactional\":{},\"timestampType\":\"{}\",\"baseTimestamp\":{},\
             \"maxTimestamp\":{},\"deleteHorizon\":{},\"producerId\":{},\"producerEpoch\":{},\
             \"baseSequence\":{},\"crc\":{},\"crcValid\":{},\"computedCrc\":{},\"trusted\":{}}}",
            place(batch, batch.position().0),
            h.base_offset,
            h.last_offset(),
            h.epoch,
            time(h.max_timestamp),
            batch.in_checkpoint(),
            h.magic,
            h.length,
            h.count,
            h.codec(),
            h.is_control(),
            h.is_transactional(),
            h.timestamp_type(),
            h.base_timestamp,
            h.max_timestamp,
            OrNull(h.delete_horizon()),
            h.producer_id,
            h.producer_epoch,
            h.base_sequence,
            h.crc,
            !wrong,
            OrNull(wrong.then(|| batch.computed_crc())),
            batch.is_trusted(),
        )
    }

    fn record(&mut self, step: &Step<'_, '_>) -> io::Result<()> {
        let line = Line {
            step,
            reveal: self.reveal,
        };
        writeln!(self.out, "{line}")
    }

    fn fault(&mut self, batch: &Batch<'_>, fault: &RecordFault) -> io::Result<()> {
        let position = if batch.is_inflated() {
            batch.position()
        } else {
            fault.at
        };
        writeln!(
            self.out,
            "{{\"kind\":\"fault\",{},\"batchPosition\":{},\"index\":{},\"length\":{},\"fault\":{}}}",
            place(batch, position.0),
            batch.position(),
            fault.index,
            OrNull(fault.length),
            json_string(&fault.to_string()),
        )
    }

    fn finding(&mut self, finding: &Finding) -> io::Result<()> {
        let mut facts = crate::tree::Facts::new().with("kind", "finding");
        for fact in crate::tree::finding_facts(finding).iter() {
            facts.add(fact.key.clone(), fact.value.clone());
        }
        serde_json::to_writer(&mut self.out, &facts)?;
        writeln!(self.out)
    }

    fn file_end(&mut self, _: &LogFile, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Line<'s, 'w, 'l> {
    step: &'s Step<'w, 'l>,
    reveal: bool,
}

impl Display for Line<'_, '_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step {
            batch,
            record,
            content,
            object,
            within,
            offset,
            time: at,
        } = self.step;
        let position = if batch.is_inflated() {
            batch.position()
        } else {
            record.reference().position()
        };
        let value = record.value().unwrap_or_default();
        let frame = Frame::parse(value).ok();
        let key = frame.map(|frame| frame.api_key);
        let is_control = batch.header().is_control();
        let hidden =
            !self.reveal && !is_control && secrecy::hides_value(batch.is_crc_right(), key, value);
        let epoch = match batch.file().kind().epoch() {
            Some(epoch) if batch.in_checkpoint() => epoch,
            _ => batch.header().epoch,
        };
        write!(
            f,
            "{{\"kind\":\"record\",{},\"offset\":{offset},\"offsetInFile\":{},\"epoch\":{epoch},\
             \"time\":{},\"timestamp\":{},\"inCheckpoint\":{},\"control\":{is_control},\
             \"trusted\":{}",
            place(batch, position.0),
            record.offset(),
            time(*at),
            record.timestamp(),
            batch.in_checkpoint(),
            batch.is_trusted(),
        )?;
        match content {
            Content::Data(_) => {
                let schema = key.and_then(|key| Schemas::builtin().metadata(key));
                write!(
                    f,
                    ",\"type\":{},\"apiKey\":{},\"version\":{}",
                    Quoted(schema.map(|schema| schema.kafka_name())),
                    OrNull(key),
                    OrNull(frame.map(|frame| frame.version)),
                )?;
            }
            Content::Control(read) => write!(
                f,
                ",\"type\":{},\"controlType\":{}",
                Quoted(read.as_ref().ok().and_then(control_name)),
                OrNull(crate::record::control_type(record.key().unwrap_or_default()).ok()),
            )?,
        }
        if !hidden && !object.is_none() {
            write!(f, ",\"object\":{}", json_string(&object.to_string()))?;
        }
        if let Some(within) = within {
            f.write_str(",\"transaction\":{\"name\":")?;
            match &within.name {
                Some(name) => write!(f, "{}", json_string(name))?,
                None => f.write_str("null")?,
            }
            write!(f, ",\"state\":\"{}\"}}", within.fate.word())?;
        }
        self.frame(f, is_control)?;
        match content {
            Content::Data(content) => self.data(f, content, value, key, hidden)?,
            Content::Control(Ok(reading)) => self.control(f, reading, value)?,
            Content::Control(Err(fault)) => {
                write!(f, ",\"fault\":{}", json_string(&fault.to_string()))?;
                self.value(f, self.hides_bytes(CONTROL))?;
            }
        }
        f.write_str("}")
    }
}

fn control_name(reading: &ControlReading<'_>) -> Option<&'static str> {
    Some(match reading.record {
        ControlRecord::Abort { .. } => "ABORT",
        ControlRecord::Commit { .. } => "COMMIT",
        ControlRecord::LeaderChange(_) => "LEADER_CHANGE",
        ControlRecord::SnapshotHeader(_) => "SNAPSHOT_HEADER",
        ControlRecord::SnapshotFooter(_) => "SNAPSHOT_FOOTER",
        ControlRecord::KRaftVersion(_) => "KRAFT_VERSION",
        ControlRecord::Voters(_) => "KRAFT_VOTERS",
        ControlRecord::Unknown { .. } => return None,
    })
}

impl Line<'_, '_, '_> {
    /// Whether bytes without a field that names them are not shown.
    fn hides_bytes(&self, key: Option<i16>) -> bool {
        !self.reveal && secrecy::hides_bytes(self.step.batch.is_crc_right(), key)
    }

    /// What metadata records do not have, left out when it is not there.
    fn frame(&self, f: &mut fmt::Formatter<'_>, is_control: bool) -> fmt::Result {
        let record = self.step.record;
        let hidden = !self.reveal && !self.step.batch.is_crc_right();
        if !is_control && let Some(key) = record.key() {
            write!(f, ",\"key\":{}", Shown(key, hidden))?;
        }
        if record.attributes() != 0 {
            write!(f, ",\"attributes\":{}", record.attributes())?;
        }
        if record.timestamp_delta() != 0 {
            write!(f, ",\"timestampDelta\":{}", record.timestamp_delta())?;
        }
        let mut headers = record.headers().peekable();
        if hidden && headers.peek().is_some() {
            write!(f, ",\"headers\":\"{REDACTED}\"")?;
        } else if headers.peek().is_some() {
            let mut joint = ",\"headers\":[";
            for (key, value) in headers {
                write!(
                    f,
                    "{joint}{{\"key\":{},\"value\":{}}}",
                    Str(key),
                    Quoted(value.map(Base64))
                )?;
                joint = ",";
            }
            f.write_str("]")?;
        }
        Ok(())
    }

    fn data(
        &self,
        f: &mut fmt::Formatter<'_>,
        content: &Result<Reading<'_>, Unread<'_>>,
        value: &[u8],
        key: Option<i16>,
        hidden: bool,
    ) -> fmt::Result {
        let hides_bytes = self.hides_bytes(key);
        let fault = match content {
            Ok(_) => None,
            Err(Unread::Leftover(_, _, left)) => {
                write!(f, ",\"leftover\":{}", Shown(left, hides_bytes))?;
                Some(format!("{} bytes left over", left.len()))
            }
            Err(Unread::Frame(fault)) => Some(fault.to_string()),
            Err(Unread::UnknownType(_)) => Some("unknown type".to_owned()),
            Err(Unread::UnknownVersion(_)) => Some("unknown version".to_owned()),
            Err(Unread::Body(_, fault)) => {
                Some(format!("{fault}, at byte {} of the value", fault.at))
            }
        };
        if let Some(fault) = &fault {
            write!(f, ",\"fault\":{}", json_string(fault))?;
        }
        if hidden && matches!(content, Ok(_) | Err(Unread::Leftover(..))) {
            return write!(f, ",\"data\":\"{REDACTED}\"");
        }
        match dynamic::decode(Schemas::builtin(), value) {
            Ok(record) => self.fields(f, &record.data, hides_bytes),
            Err(_) => self.value(f, hides_bytes),
        }
    }

    fn control(
        &self,
        f: &mut fmt::Formatter<'_>,
        reading: &ControlReading<'_>,
        value: &[u8],
    ) -> fmt::Result {
        let hides_bytes = self.hides_bytes(CONTROL);
        if !reading.leftover.is_empty() {
            write!(f, ",\"leftover\":{}", Shown(reading.leftover, hides_bytes))?;
        }
        match reading.record {
            ControlRecord::Abort { coordinator_epoch }
            | ControlRecord::Commit { coordinator_epoch } => {
                write!(f, ",\"data\":{{\"coordinatorEpoch\":{coordinator_epoch}}}")
            }
            ControlRecord::Unknown { .. } => {
                f.write_str(",\"fault\":\"unknown type\"")?;
                self.value(f, hides_bytes)
            }
            _ => {
                let key = self.step.record.key().unwrap_or_default();
                match dynamic::decode_control(Schemas::builtin(), key, value) {
                    Ok(Some(control)) => self.fields(f, &control.data, false),
                    _ => self.value(f, hides_bytes),
                }
            }
        }
    }

    /// The value as it stands there.
    fn value(&self, f: &mut fmt::Formatter<'_>, hidden: bool) -> fmt::Result {
        match self.step.record.value() {
            Some(value) => write!(f, ",\"value\":{}", Shown(value, hidden)),
            None => f.write_str(",\"value\":null"),
        }
    }

    fn fields(
        &self,
        f: &mut fmt::Formatter<'_>,
        data: &Struct<'_>,
        hides_bytes: bool,
    ) -> fmt::Result {
        f.write_str(",\"data\":")?;
        write_struct(f, data, self.reveal)?;
        let mut joint = ",\"defaults\":{";
        for view in data.fields() {
            if let Field::Default(value) = view.value {
                write!(f, "{joint}\"{}\":", view.field.json_name)?;
                // What the schema says is no secret.
                write_value(f, value, self.reveal)?;
                joint = ",";
            }
        }
        if joint == "," {
            f.write_str("}")?;
        }
        let mut joint = ",\"notInVersion\":[";
        for view in data.fields() {
            if let Field::NotInVersion(_) = view.value {
                write!(f, "{joint}\"{}\"", view.field.json_name)?;
                joint = ",";
            }
        }
        if joint == "," {
            f.write_str("]")?;
        }
        let (mut joint, mut result) = (",\"unknownTags\":[", Ok(()));
        tags::each(data, &mut |path, tag, bytes| {
            if result.is_ok() {
                result = write!(
                    f,
                    "{joint}{{\"in\":\"{path}\",\"tag\":{tag},\"bytes\":{}}}",
                    Shown(bytes, hides_bytes)
                );
                joint = ",";
            }
        });
        result?;
        if joint == "," {
            f.write_str("]")?;
        }
        Ok(())
    }
}

/// Bytes in base64, or what stands for them.
struct Shown<'a>(&'a [u8], bool);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            true => write!(f, "\"{REDACTED}\""),
            false => write!(f, "\"{}\"", Base64(self.0)),
        }
    }
}

/// A string, exact: `{"bytes": base64}` when it is no UTF-8.
struct Str<'a>(&'a [u8]);

impl Display for Str<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::str::from_utf8(self.0) {
            Ok(text) => write!(f, "{}", json_string(text)),
            Err(_) => write!(f, "{{\"bytes\":\"{}\"}}", Base64(self.0)),
        }
    }
}

/// The fields that the record holds.
fn write_struct(f: &mut fmt::Formatter<'_>, data: &Struct<'_>, reveal: bool) -> fmt::Result {
    f.write_str("{")?;
    let mut comma = "";
    for view in data.fields() {
        if let Field::Present(value) = view.value {
            write!(f, "{comma}\"{}\":", view.field.json_name)?;
            comma = ",";
            write_field(f, data, &view, value, reveal)?;
        }
    }
    f.write_str("}")
}

fn write_field(
    f: &mut fmt::Formatter<'_>,
    data: &Struct<'_>,
    view: &FieldView<'_>,
    value: Value<'_>,
    reveal: bool,
) -> fmt::Result {
    // That something is null tells no secret.
    if !reveal && !matches!(value, Value::Null) && hides(data, view.index) {
        return write!(f, "\"{REDACTED}\"");
    }
    write_value(f, value, reveal)
}

fn write_value(f: &mut fmt::Formatter<'_>, value: Value<'_>, reveal: bool) -> fmt::Result {
    match value {
        Value::Null => f.write_str("null"),
        Value::Bool(b) => b.fmt(f),
        Value::Int(n) => n.fmt(f),
        Value::Uint16(n) => n.fmt(f),
        Value::Float(n) if n.is_finite() => JavaDouble(n).fmt(f),
        Value::Float(n) => write!(f, "\"{}\"", JavaDouble(n)),
        Value::Uuid(id) => write!(f, "\"{id}\""),
        Value::Text(text) => Str(text.bytes()).fmt(f),
        Value::Bytes(bytes) => write!(f, "\"{}\"", Base64(bytes)),
        Value::Array(list) => {
            let mut joint = "[";
            for (item, _) in list.iter() {
                f.write_str(joint)?;
                joint = ",";
                write_value(f, item, reveal)?;
            }
            f.write_str(if list.is_empty() { "[]" } else { "]" })
        }
        Value::Struct(inner) => write_struct(f, &inner, reveal),
    }
}
