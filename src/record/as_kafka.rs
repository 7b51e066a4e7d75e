//! Metadata records as kafka-dump-log 4.4.0 reads them, and its words for those it cannot read.
//!
//! Kafka is laxer than [`decode`](super::dynamic::decode) in some places: it reads a version above the
//! highest known by the rules of the highest, passes over the size of known tagged fields, and takes
//! negative numbers for null or small. For the one output that must be Kafka's, so does this.

use super::dynamic::{Decoded, Rules, decode_body};
use super::frame::{Frame, FramePart};
use crate::bytes::Cursor;
use crate::schema::Schemas;
use std::fmt;

/// Why Kafka does not read a record. Its text is the message after `Error at 7, skipping. `.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KafkaRefusal {
    /// A number of the frame cannot be read.
    Unreadable(FramePart),
    /// A number of the frame is above 32767.
    TooLarge(FramePart),
    /// Frame version 0.
    Preview,
    /// A frame version that nobody knows.
    FrameVersion(i16),
    /// No record of Kafka 4.4.0 has this apiKey.
    UnknownType(i16),
    /// The body of a record of this apiKey cannot be read.
    Body(i16),
    /// Bytes are left after a record of this apiKey.
    Leftover {
        /// How many.
        bytes: usize,
        /// The apiKey.
        api_key: i16,
    },
}

impl fmt::Display for KafkaRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(part) => write!(f, "Error while reading {part}"),
            Self::TooLarge(part) => write!(f, "Value for {part} was too large."),
            Self::Preview => f.write_str(
                "Could not deserialize metadata record with frame version 0. Note that upgrades \
                 from the preview release of KRaft in 2.8 to newer versions are not supported.",
            ),
            Self::FrameVersion(n) => write!(
                f,
                "Could not deserialize metadata record due to unknown frame version {n}\
                 (only frame version 1 is supported)"
            ),
            Self::UnknownType(n) => write!(
                f,
                "org.apache.kafka.common.errors.UnsupportedVersionException: \
                 Unknown metadata id {n}"
            ),
            Self::Body(n) => write!(f, "Failed to deserialize record with type {n}"),
            Self::Leftover { bytes, api_key } => {
                write!(f, "Found {bytes} byte(s) of garbage after {api_key}")
            }
        }
    }
}

impl std::error::Error for KafkaRefusal {}

/// The apiKey of AccessControlRecord, which is in our schemas and not in those of Kafka 4.4.0.
const RETIRED: i16 = 6;

/// Reads the value of a metadata record as Kafka does. A null value is read as an empty one.
/// `RegisterBrokerRecord` version 5, which Kafka 4.4.0 does not know, is read as our draft says.
///
/// # Errors
/// When Kafka refuses the record.
// Kafka: AbstractApiMessageSerde and MetadataRecordSerde.
pub fn decode_as_kafka<'a>(
    schemas: &'a Schemas,
    value: &'a [u8],
) -> Result<Decoded<'a>, KafkaRefusal> {
    let mut cursor = Cursor::new(value);
    let frame_version = number(&mut cursor, FramePart::FrameVersion)?;
    match frame_version {
        1 => {}
        0 => return Err(KafkaRefusal::Preview),
        other => return Err(KafkaRefusal::FrameVersion(other)),
    }
    let api_key = number(&mut cursor, FramePart::ApiKey)?;
    let version = number(&mut cursor, FramePart::Version)?;
    let (body, body_at) = (cursor.rest(), cursor.position());
    let frame = Frame {
        frame_version: 1,
        api_key,
        version,
        body,
        body_at,
    };
    let schema = schemas.metadata(api_key).filter(|_| api_key != RETIRED);
    let schema = schema.ok_or(KafkaRefusal::UnknownType(api_key))?;
    let record =
        decode_body(schema, frame, value, Rules::Kafka).map_err(|_| KafkaRefusal::Body(api_key))?;
    match record.leftover.len() {
        0 => Ok(record),
        bytes => Err(KafkaRefusal::Leftover { bytes, api_key }),
    }
}

/// A number of the frame, cut to 16 bits once it is not above 32767 as a signed one.
fn number(cursor: &mut Cursor<'_>, part: FramePart) -> Result<i16, KafkaRefusal> {
    let n = cursor
        .uvarint()
        .map_err(|_| KafkaRefusal::Unreadable(part))? as i32;
    if n > i32::from(i16::MAX) {
        return Err(KafkaRefusal::TooLarge(part));
    }
    Ok(n as i16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::json::{record_json, show_all};
    use crate::record::record;

    fn payload(value: &[u8]) -> String {
        match decode_as_kafka(Schemas::builtin(), value) {
            Ok(record) => record_json(&record, &show_all).to_string(),
            Err(refusal) => refusal.to_string(),
        }
    }

    // kafka-dump-log 4.4.0 printed these texts for these bytes.
    #[test]
    fn refusals_in_kafkas_words() {
        let preview = "Could not deserialize metadata record with frame version 0. Note that \
            upgrades from the preview release of KRaft in 2.8 to newer versions are not supported.";
        for (value, text) in [
            (&[][..], "Error while reading frame version"),
            (&[0, 2, 0], preview),
            (
                &[2, 2, 0],
                "Could not deserialize metadata record due to unknown frame version 2\
                 (only frame version 1 is supported)",
            ),
            (
                &[0x80, 0x80, 2, 2, 0],
                "Value for frame version was too large.",
            ),
            // 2^31, which is 0 in 16 bits
            (&[0x80, 0x80, 0x80, 0x80, 8, 2, 0], preview),
            (&[1], "Error while reading type"),
            (&[1, 0x80, 0x80, 2, 0], "Value for type was too large."),
            (&[1, 2], "Error while reading version"),
            (&[1, 2, 0x80, 0x80, 2], "Value for version was too large."),
            (
                &[1, 99, 0],
                "org.apache.kafka.common.errors.UnsupportedVersionException: \
                 Unknown metadata id 99",
            ),
            (
                &[1, 6, 0],
                "org.apache.kafka.common.errors.UnsupportedVersionException: \
                 Unknown metadata id 6",
            ),
            (
                &[1, 2, 0, 2, b'a'],
                "Failed to deserialize record with type 2",
            ),
            (
                &[1, 26, 0, 2, b'x', 0, 0xaa, 0xbb],
                "Found 2 byte(s) of garbage after 26",
            ),
        ] {
            assert_eq!(payload(value), text, "{value:x?}");
        }
    }

    #[test]
    fn what_kafka_reads_and_should_not() {
        // a version that does not exist
        let value = [1, 21, 3, 2, 0];
        let text =
            r#"{"type":"ZK_MIGRATION_STATE_RECORD","version":3,"data":{"zkMigrationState":2}}"#;
        assert_eq!(payload(&value), text);
        // a config value of length -2
        let value = [
            1, 4, 0, 2, 2, b't', 2, b'k', 0xff, 0xff, 0xff, 0xff, 0x0f, 0,
        ];
        assert!(payload(&value).ends_with(r#""name":"k","value":null}}"#));
        // leader 7 in a tag that announces three bytes, then in one that announces five
        let change = record("PartitionChangeRecord", 0).to_bytes().unwrap();
        let tagged = |size| [&change[..change.len() - 1], &[1, 1, size, 0, 0, 0, 7]].concat();
        assert!(payload(&tagged(5)).ends_with(r#""leader":7}}"#));
        assert!(payload(&tagged(3)).ends_with(r#""leader":7}}"#));
        // a new version whose nested structs nobody knows: only when there are some
        let controller = [&[1, 27, 1, 0, 0, 0, 1][..], &[0; 16], &[0]].concat();
        let empty = [&controller[..], &[1, 1, 0]].concat();
        assert!(payload(&empty).ends_with(r#""endPoints":[],"features":[]}}"#));
        let one = [&controller[..], &[2, 1, 1, 0, 0, 0, 0, 0, 1, 0]].concat();
        assert_eq!(payload(&one), "Failed to deserialize record with type 27");
    }
}
