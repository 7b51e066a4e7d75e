//! The JSON of kafka-dump-log 4.4.0: compact, in schema order, tagged fields left out when they equal
//! their default, fields of other versions left out.
// Kafka: the generated JsonConverters and MetadataRecordSerde through DumpLogSegments.

use super::dynamic::{Decoded, Struct, Value};
use super::value::Field;
use crate::text::{Base64, JavaDouble};
use std::fmt::{self, Display, Write};

/// Which fields are not shown: given a struct and the index of a field of its schema.
pub type Hide<'h> = &'h dyn Fn(&Struct<'_>, usize) -> bool;

/// Hides nothing.
pub fn show_all(_: &Struct<'_>, _: usize) -> bool {
    false
}

/// What stands in place of a value that is not shown.
pub const REDACTED: &str = "[redacted]";

/// Something that a function writes.
struct Written<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> Display for Written<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

/// The JSON of a metadata record: `{"type":"TOPIC_RECORD","version":0,"data":{...}}`.
pub fn record_json<'r>(record: &'r Decoded<'_>, hide: Hide<'r>) -> impl Display + 'r {
    Written(move |f: &mut fmt::Formatter<'_>| {
        let name = record.schema.kafka_name();
        write!(
            f,
            "{{\"type\":\"{name}\",\"version\":{},\"data\":",
            record.frame.version
        )?;
        write_struct(f, &record.data, hide)?;
        f.write_char('}')
    })
}

/// The JSON of the fields of a record: `{"name":"orders","topicId":"..."}`.
pub fn struct_json<'r>(data: &'r Struct<'_>, hide: Hide<'r>) -> impl Display + 'r {
    Written(move |f: &mut fmt::Formatter<'_>| write_struct(f, data, hide))
}

/// The JSON of a value, with the fields of structs in it hidden or shown.
pub fn value_json<'r>(value: Value<'r>, hide: Hide<'r>) -> impl Display + 'r {
    Written(move |f: &mut fmt::Formatter<'_>| write_value(f, value, hide))
}

fn write_struct(f: &mut fmt::Formatter<'_>, data: &Struct<'_>, hide: Hide<'_>) -> fmt::Result {
    f.write_char('{')?;
    let mut comma = "";
    for view in data.fields() {
        let value = match view.value {
            Field::Present(value) if view.field.tag.is_none() || !view.is_default() => value,
            _ => continue,
        };
        write!(f, "{comma}\"{}\":", view.field.json_name)?;
        comma = ",";
        // That something is null tells no secret.
        if !matches!(value, Value::Null) && hide(data, view.index) {
            write!(f, "\"{REDACTED}\"")?;
        } else {
            write_value(f, value, hide)?;
        }
    }
    f.write_char('}')
}

fn write_value(f: &mut fmt::Formatter<'_>, value: Value<'_>, hide: Hide<'_>) -> fmt::Result {
    match value {
        Value::Null => f.write_str("null"),
        Value::Bool(b) => write!(f, "{b}"),
        Value::Int(n) => write!(f, "{n}"),
        Value::Uint16(n) => write!(f, "{n}"),
        Value::Float(n) if n.is_finite() => write!(f, "{}", JavaDouble(n)),
        Value::Float(n) => write!(f, "\"{}\"", JavaDouble(n)),
        Value::Uuid(id) => write!(f, "\"{id}\""),
        Value::Text(text) => write!(f, "{}", json_string(&text.to_str())),
        Value::Bytes(bytes) => write!(f, "\"{}\"", Base64(bytes)),
        Value::Array(list) => {
            f.write_char('[')?;
            let mut comma = "";
            for (item, _) in list.iter() {
                f.write_str(comma)?;
                comma = ",";
                write_value(f, item, hide)?;
            }
            f.write_char(']')
        }
        Value::Struct(inner) => write_struct(f, &inner, hide),
    }
}

/// A quoted JSON string, escaped as Kafka's writer does: only what JSON demands.
// Kafka: Jackson; control characters without a short form are `\u` with upper-case digits.
pub fn json_string(text: &str) -> impl Display + '_ {
    Written(move |f: &mut fmt::Formatter<'_>| {
        f.write_char('"')?;
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c < ' ' || c == '"' || c == '\\') {
            let (plain, tail) = rest.split_at_checked(at).unwrap_or((rest, ""));
            f.write_str(plain)?;
            let mut tail = tail.chars();
            match tail.next() {
                Some(c @ ('"' | '\\')) => write!(f, "\\{c}")?,
                Some('\u{8}') => f.write_str("\\b")?,
                Some('\t') => f.write_str("\\t")?,
                Some('\n') => f.write_str("\\n")?,
                Some('\u{c}') => f.write_str("\\f")?,
                Some('\r') => f.write_str("\\r")?,
                Some(c) => write!(f, "\\u{:04X}", u32::from(c))?,
                None => {}
            }
            rest = tail.as_str();
        }
        write!(f, "{rest}\"")
    })
}

#[cfg(test)]
mod tests {
    use super::super::dynamic::{decode, decode_control};
    use super::super::{fields, record};
    use super::*;
    use crate::ids::Uuid;
    use crate::schema::Schemas;

    fn json(value: &[u8], hide: Hide<'_>) -> String {
        let record = decode(Schemas::builtin(), value).unwrap();
        assert!(record.leftover.is_empty());
        record_json(&record, hide).to_string()
    }

    #[test]
    fn tagged_fields_stand_at_their_schema_position() {
        let partition = record("PartitionRecord", 2)
            .set("Replicas", [1, 2])
            .set("LeaderRecoveryState", 1)
            .set("LastKnownElr", Vec::<i32>::new())
            .set("Directories", [Uuid::UNASSIGNED])
            .tag(9, [1, 2, 3])
            .to_bytes()
            .unwrap();
        assert_eq!(
            json(&partition, &show_all),
            "{\"type\":\"PARTITION_RECORD\",\"version\":2,\"data\":{\"partitionId\":-1,\
             \"topicId\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"replicas\":[1,2],\"isr\":[],\
             \"removingReplicas\":[],\"addingReplicas\":[],\"leader\":-1,\
             \"leaderRecoveryState\":1,\"leaderEpoch\":-1,\"partitionEpoch\":-1,\
             \"directories\":[\"AAAAAAAAAAAAAAAAAAAAAQ\"],\"lastKnownElr\":[]}}"
        );
        assert_eq!(
            json(&[1, 20, 0, 0], &show_all),
            r#"{"type":"NO_OP_RECORD","version":0,"data":{}}"#
        );
    }

    #[test]
    fn hidden_fields_keep_their_place() {
        let config = record("ConfigRecord", 0).set("Name", "k").set("Value", "v");
        let hide = |data: &Struct<'_>, index: usize| {
            data.name() == "ConfigRecord" && data.layout().fields[index].name == "Value"
        };
        assert_eq!(
            json(&config.to_bytes().unwrap(), &hide),
            "{\"type\":\"CONFIG_RECORD\",\"version\":0,\"data\":{\"resourceType\":0,\
             \"resourceName\":\"\",\"name\":\"k\",\"value\":\"[redacted]\"}}"
        );
        let gone = config
            .set("Value", crate::record::Owned::Null)
            .to_bytes()
            .unwrap();
        assert!(json(&gone, &hide).ends_with(r#""value":null}}"#));
    }

    #[test]
    fn doubles_and_strings() {
        for (double, text) in [
            (1024.0, "1024.0"),
            (1e10, "1.0E10"),
            (f64::NAN, "\"NaN\""),
            (0.0, "0.0"),
        ] {
            let quota = record("ClientQuotaRecord", 0)
                .set("Value", double)
                .to_bytes()
                .unwrap();
            assert!(
                json(&quota, &show_all).contains(&format!("\"value\":{text},")),
                "{text}"
            );
        }
        let text = "a\"b\\c/d\u{1}\u{1f}\n\t\u{8}\u{c}\r\u{7f}\u{e4}\u{2028}\u{1f600}";
        let wanted = "\"a\\\"b\\\\c/d\\u0001\\u001F\\n\\t\\b\\f\\r\u{7f}\u{e4}\u{2028}\u{1f600}\"";
        assert_eq!(json_string(text).to_string(), wanted);
    }

    #[test]
    fn control_records() {
        let voters = record("VotersRecord", 0).set(
            "Voters",
            [fields()
                .set("VoterId", 7)
                .set(
                    "Endpoints",
                    [fields().set("Name", "C").set("Host", "h").set("Port", 9093)],
                )
                .set(
                    "KRaftVersionFeature",
                    fields().set("MaxSupportedVersion", 1),
                )],
        );
        let (key, value) = (voters.key().unwrap().unwrap(), voters.to_bytes().unwrap());
        let control = decode_control(Schemas::builtin(), &key, &value)
            .unwrap()
            .unwrap();
        assert_eq!(
            struct_json(&control.data, &show_all).to_string(),
            "{\"version\":0,\"voters\":[{\"voterId\":7,\
             \"voterDirectoryId\":\"AAAAAAAAAAAAAAAAAAAAAA\",\
             \"endpoints\":[{\"name\":\"C\",\"host\":\"h\",\"port\":9093}],\
             \"kRaftVersionFeature\":{\"minSupportedVersion\":0,\"maxSupportedVersion\":1}}]}"
        );
    }
}
