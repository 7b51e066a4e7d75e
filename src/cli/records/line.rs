//! The line of one record, for people. Everything from the input is escaped.

use super::object::{Named, Object, Readable};
use super::readable::{Fields, Word};
use super::secrecy::{self, REDACTED};
use super::transactions::{Fate, Within};
use super::walk::{Content, Step};
use crate::cli::console::{Paint, Tone};
use crate::facts::codes::{
    AclOperation, AclPatternType, AclPermissionType, AclResourceType, ConfigResourceType,
    ScramMechanism,
};
use crate::facts::{levels, marks, secrets};
use crate::ids::Timestamp;
use crate::record::{
    ControlReading, ControlRecord, Frame, MetadataRecord, Reading, Unread, dynamic,
};
use crate::schema::{Schemas, snake};
use crate::text::{Escaped, Hex, JavaDouble, Rfc3339, Thousands};
use std::fmt::{self, Display};

/// Stands for the type of a control record, none of which holds secrets.
const CONTROL: Option<i16> = Some(-1);

/// Bytes of a value that are shown in hexadecimal.
const HEX: usize = 64;

/// All but the offset.
pub(super) struct Line<'s, 'w, 'l> {
    pub(super) step: &'s Step<'w, 'l>,
    pub(super) reveal: bool,
    pub(super) paint: Paint,
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
            _ if self.0.is_empty() => f.write_str("empty"),
            _ => Hex(self.0).fmt(f),
        }
    }
}
