//! `--format text`: a line a batch and a line a record, for people.

use super::object::{Named, Object, Readable};
use super::readable::{Fields, Word};
use super::secrecy::{self, REDACTED};
use super::transactions::{Fate, Within};
use super::walk::{Content, Form, Step};
use crate::cli::console::{Paint, Tone};
use crate::facts::codes::{
    AclOperation, AclPatternType, AclPermissionType, AclResourceType, ConfigResourceType,
    ScramMechanism,
};
use crate::facts::{levels, marks, secrets};
use crate::finding::{Code, Finding, Severity};
use crate::ids::{Offset, Timestamp};
use crate::log::{Batch, LogFile, RecordFault};
use crate::record::{
    ControlReading, ControlRecord, Frame, MetadataRecord, Reading, Unread, dynamic,
};
use crate::schema::{Schemas, snake};
use crate::text::{ByteSize, Escaped, Hex, JavaDouble, Rfc3339, Thousands};
use std::fmt::{self, Display};
use std::io::{self, Write};

/// Stands for the type of a control record, none of which holds secrets.
const CONTROL: Option<i16> = Some(-1);

/// Bytes of a value that are shown in hexadecimal.
const HEX: usize = 64;

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
        if header.timestamp_type() == crate::log::TimestampType::LogAppendTime {
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

/// All but the offset.
struct Line<'s, 'w, 'l> {
    step: &'s Step<'w, 'l>,
    reveal: bool,
    paint: Paint,
}

impl Display for Line<'_, '_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step.content {
            Content::Data(content) => self.data(f, content)?,
            Content::Control(Ok(reading)) => self.control(f, reading)?,
            Content::Control(Err(fault)) => {
                write!(f, "{}", self.bad(format_args!("unreadable: {fault}")))?;
                self.value(f, self.hides_bytes(CONTROL))?;
            }
        }
        self.frame(f)?;
        if let Some(within) = self.step.within {
            // What applies needs no word on each record.
            let begins = within.begin == self.step.record.reference();
            if begins || within.fate != Fate::Committed {
                transaction(f, within, self.paint)?;
            }
        }
        Ok(())
    }
}

impl<'l> Line<'_, '_, 'l> {
    fn bad(&self, text: impl Display) -> String {
        self.paint.text(Tone::Bad, text)
    }

    /// Whether bytes without a field that names them are not shown.
    fn hides_bytes(&self, key: Option<i16>) -> bool {
        !self.reveal && secrecy::hides_bytes(self.step.batch.is_crc_right(), key)
    }

    fn data(
        &self,
        f: &mut fmt::Formatter<'_>,
        content: &Result<Reading<'l>, Unread<'l>>,
    ) -> fmt::Result {
        let value = self.step.record.value().unwrap_or_default();
        let frame = Frame::parse(value).ok();
        let key = frame.map(|frame| frame.api_key);
        let hides_bytes = self.hides_bytes(key);
        let hidden =
            !self.reveal && secrecy::hides_value(self.step.batch.is_crc_right(), key, value);
        let words =
            match frame.map(|frame| (frame.api_key, Schemas::builtin().metadata(frame.api_key))) {
                Some((_, Some(schema))) => type_words(schema.name()),
                Some((key, None)) => format!("type {key}"),
                None => String::new(),
            };
        f.write_str(&words)?;
        match content {
            Ok(_) | Err(Unread::Leftover(..)) if hidden => write!(f, "  {REDACTED}"),
            Ok(reading) => {
                self.record(f, value, &words, &reading.record)?;
                match reading.unknown_tags {
                    0 => Ok(()),
                    _ => self.unknown_tags(f, value, hides_bytes),
                }
            }
            Err(Unread::Leftover(_, record, left)) => {
                self.record(f, value, &words, record)?;
                let text = format!("{} bytes left over:", left.len());
                match hides_bytes {
                    true => write!(f, "  {} {REDACTED}", self.bad(text)),
                    false => write!(f, "  {} {}", self.bad(text), Bytes(left)),
                }
            }
            Err(Unread::Frame(fault)) => {
                write!(
                    f,
                    "{}",
                    self.bad(format_args!("no metadata record: {fault}"))
                )?;
                self.value(f, hides_bytes)
            }
            Err(Unread::UnknownType(frame)) => {
                write!(
                    f,
                    " version {}: {}",
                    frame.version,
                    self.bad("unknown type")
                )?;
                self.value(f, hides_bytes)
            }
            Err(Unread::UnknownVersion(frame)) => {
                write!(
                    f,
                    " version {}: {}",
                    frame.version,
                    self.bad("unknown version")
                )?;
                self.value(f, hides_bytes)
            }
            Err(Unread::Body(frame, fault)) => {
                let text = format!("unreadable at byte {} of its value: {fault}", fault.at);
                write!(f, " version {}: {}", frame.version, self.bad(text))?;
                self.value(f, hides_bytes)
            }
        }
    }

    /// The value in hexadecimal.
    fn value(&self, f: &mut fmt::Formatter<'_>, hidden: bool) -> fmt::Result {
        match self.step.record.value() {
            None => f.write_str("; null"),
            Some(value) if hidden => write!(f, "; {} bytes: {REDACTED}", value.len()),
            Some(value) => write!(f, "; {} bytes: {}", value.len(), Bytes(value)),
        }
    }

    fn record(
        &self,
        f: &mut fmt::Formatter<'_>,
        value: &[u8],
        words: &str,
        record: &MetadataRecord<'_>,
    ) -> fmt::Result {
        use MetadataRecord as R;
        let object = &self.step.object;
        let mut but = stands_in_object(object);
        if matches!(record, R::FeatureLevel(_)) {
            write!(f, " {}", Named(object))?;
        } else if words.ends_with(object.kind()) {
            // `fence broker 3`, not `fence broker  broker 3`
            write!(f, "{}", Named(object))?;
        } else if !matches!(
            object,
            Object::None | Object::ProducerIds | Object::Migration
        ) {
            write!(f, "  {}", Readable(object))?;
        }
        match record {
            R::Config(r) => {
                let key = r.name.to_str();
                write!(f, "  {} ", Word(&key))?;
                let kind = ConfigResourceType(r.resource_type);
                return match r.value {
                    None => f.write_str("removed"),
                    Some(_) if !self.reveal && secrets::is_secret_config(kind, &key) => {
                        write!(f, "= {REDACTED}")
                    }
                    Some(value) => write!(f, "= {}", Word(&value.to_str())),
                };
            }
            R::ClientQuota(r) => {
                write!(f, "  {} ", Word(&r.key.to_str()))?;
                return match r.remove {
                    true => f.write_str("removed"),
                    false => write!(f, "= {}", JavaDouble(r.value)),
                };
            }
            R::FeatureLevel(r) => {
                write!(f, " = {}", r.feature_level)?;
                if r.name == levels::METADATA_VERSION
                    && let Some(level) = levels::level(r.feature_level)
                {
                    write!(f, " ({})", level.name)?;
                }
                return Ok(());
            }
            R::AccessControlEntry(r) => {
                return write!(
                    f,
                    "  {} {} {} on {} {} {} from {}",
                    AclPermissionType(r.permission_type).readable(),
                    Word(&r.principal.to_str()),
                    AclOperation(r.operation).readable(),
                    AclPatternType(r.pattern_type).readable(),
                    AclResourceType(r.resource_type).readable(),
                    Word(&r.resource_name.to_str()),
                    Word(&r.host.to_str()),
                );
            }
            R::UserScramCredential(r) => {
                write!(f, "  {}", ScramMechanism(r.mechanism).readable())?;
            }
            R::RemoveUserScramCredential(r) => {
                return write!(f, "  {}", ScramMechanism(r.mechanism).readable());
            }
            R::RegisterController(r) => {
                let names: Vec<_> = r.features.iter().map(|f| f.name.to_str()).collect();
                if marks::is_marked(names.iter().map(AsRef::as_ref)) {
                    write!(f, " {}", self.paint.text(Tone::Notice, "MARKED"))?;
                }
            }
            R::ClearElr(r) if r.topic_name.is_empty() => return f.write_str("  all topics"),
            R::BrokerRegistrationChange(r) => {
                but = &["BrokerId", "Fenced", "InControlledShutdown"];
                f.write_str(match r.fenced.value() {
                    1 => "  fenced",
                    -1 => "  unfenced",
                    _ => "",
                })?;
                if r.in_controlled_shutdown.value() == 1 {
                    f.write_str("  in controlled shutdown")?;
                }
            }
            R::Partition(r) if r.removing_replicas.is_empty() && r.adding_replicas.is_empty() => {
                but = &[
                    "PartitionId",
                    "TopicId",
                    "RemovingReplicas",
                    "AddingReplicas",
                ];
            }
            _ => {}
        }
        let Ok(decoded) = dynamic::decode(Schemas::builtin(), value) else {
            return Ok(());
        };
        let fields = Fields {
            data: &decoded.data,
            but,
            reveal: self.reveal,
        }
        .to_string();
        match fields.is_empty() {
            true => Ok(()),
            false => write!(f, "  {fields}"),
        }
    }

    fn unknown_tags(&self, f: &mut fmt::Formatter<'_>, value: &[u8], hidden: bool) -> fmt::Result {
        let Ok(decoded) = dynamic::decode(Schemas::builtin(), value) else {
            return Ok(());
        };
        let mut result = Ok(());
        super::tags::each(&decoded.data, &mut |path, tag, bytes| {
            if result.is_err() {
                return;
            }
            let place = if path.is_empty() {
                String::new()
            } else {
                format!(" in {path}")
            };
            let text = format!("unknown tag {tag}{place}:");
            result = match hidden {
                true => write!(f, "  {} {REDACTED}", self.paint.text(Tone::Notice, text)),
                false => write!(
                    f,
                    "  {} {}",
                    self.paint.text(Tone::Notice, text),
                    Bytes(bytes)
                ),
            };
        });
        result
    }

    fn control(&self, f: &mut fmt::Formatter<'_>, reading: &ControlReading<'_>) -> fmt::Result {
        match &reading.record {
            ControlRecord::Abort {
                coordinator_epoch: n,
            } => {
                write!(f, "ABORT marker  coordinatorEpoch={n}")?;
            }
            ControlRecord::Commit {
                coordinator_epoch: n,
            } => {
                write!(f, "COMMIT marker  coordinatorEpoch={n}")?;
            }
            ControlRecord::Unknown { type_id } => {
                let text = format!("unknown control record of type {type_id}");
                write!(f, "{}", self.bad(text))?;
                self.value(f, self.hides_bytes(CONTROL))?;
            }
            ControlRecord::LeaderChange(change) => {
                write!(f, "leader change  leader {}, voters ", change.leader_id)?;
                ids(f, change.voters.iter().map(|v| v.voter_id))?;
                f.write_str(", granted by ")?;
                ids(f, change.granting_voters.iter().map(|v| v.voter_id))?;
            }
            ControlRecord::SnapshotHeader(header) => {
                let time = Timestamp(header.last_contained_log_timestamp);
                write!(f, "snapshot header  last contained time {}", Rfc3339(time))?;
            }
            ControlRecord::SnapshotFooter(_) => f.write_str("snapshot footer")?,
            ControlRecord::KRaftVersion(version) => {
                write!(
                    f,
                    "kraft version  kraft.version = {}",
                    version.kraft_version
                )?;
            }
            ControlRecord::Voters(_) => {
                f.write_str("voters")?;
                let key = self.step.record.key().unwrap_or_default();
                let value = self.step.record.value().unwrap_or_default();
                if let Ok(Some(control)) = dynamic::decode_control(Schemas::builtin(), key, value) {
                    let fields = Fields {
                        data: &control.data,
                        but: &["Version"],
                        reveal: self.reveal,
                    };
                    write!(f, "  {fields}")?;
                }
            }
        }
        match reading.leftover {
            [] => Ok(()),
            left => {
                let text = format!("{} bytes left over:", left.len());
                write!(f, "  {} {}", self.bad(text), Bytes(left))
            }
        }
    }

    /// What metadata records do not have: a key, headers, a time of its own.
    fn frame(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = self.step.record;
        let hidden = !self.reveal && !self.step.batch.is_crc_right();
        if !self.step.batch.header().is_control()
            && let Some(key) = record.key()
        {
            match hidden {
                true => write!(f, "  key: {REDACTED}")?,
                false => write!(f, "  key: {}", Bytes(key))?,
            }
        }
        for (key, value) in record.headers() {
            if hidden {
                write!(f, "  header: {REDACTED}")?;
                continue;
            }
            let key = crate::record::Text::new(key).to_str();
            write!(f, "  header {}: ", Word(&key))?;
            match value {
                Some(value) => write!(f, "{}", Bytes(value))?,
                None => f.write_str("null")?,
            }
        }
        if record.attributes() != 0 {
            write!(f, "  attributes {}", record.attributes())?;
        }
        if record.timestamp() != self.step.batch.header().max_timestamp {
            write!(f, "  at {}", Rfc3339(record.timestamp()))?;
        }
        Ok(())
    }
}

fn ids(f: &mut fmt::Formatter<'_>, ids: impl Iterator<Item = i32>) -> fmt::Result {
    let mut comma = "";
    for id in ids {
        write!(f, "{comma}{id}")?;
        comma = ", ";
    }
    match comma {
        "" => f.write_str("none"),
        _ => Ok(()),
    }
}

fn transaction(f: &mut fmt::Formatter<'_>, within: &Within, paint: Paint) -> fmt::Result {
    let name = match &within.name {
        Some(name) => format!(" \"{}\"", Escaped(name)),
        None => String::new(),
    };
    let text = format!("({} transaction{name})", within.fate.word());
    let tone = match within.fate {
        Fate::Committed => Tone::Quiet,
        Fate::Aborted | Fate::Open => Tone::Notice,
    };
    write!(f, "  {}", paint.text(tone, text))
}

/// `register broker` of `RegisterBrokerRecord`.
fn type_words(schema: &str) -> String {
    if schema == "NoOpRecord" {
        return "NoOp".to_owned();
    }
    let short = schema.strip_suffix("Record").unwrap_or(schema);
    snake(short).replace('_', " ")
}

/// The fields that the name of the object tells.
fn stands_in_object(object: &Object<'_>) -> &'static [&'static str] {
    match object {
        Object::Topic { name: Some(_), .. } => &["Name", "TopicName"],
        Object::Topic { .. } => &["TopicId"],
        Object::Partition { .. } => &["PartitionId", "TopicId"],
        Object::Broker(_) => &["BrokerId", "Id"],
        Object::Controller(_) => &["ControllerId"],
        Object::User(_) => &["Name", "Mechanism"],
        Object::Acl { .. } => &["Id"],
        Object::Token { .. } => &["TokenId"],
        _ => &[],
    }
}

/// Bytes in hexadecimal, the first of them when there are many.
struct Bytes<'a>(&'a [u8]);

impl Display for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.split_at_checked(HEX) {
            Some((first, rest)) if !rest.is_empty() => {
                write!(
                    f,
                    "{} and {} more",
                    Hex(first),
                    Thousands(rest.len() as u64)
                )
            }
            _ if self.0.is_empty() => f.write_str("none"),
            _ => Hex(self.0).fmt(f),
        }
    }
}
