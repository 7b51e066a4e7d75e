//! Records of the metadata log: the frame of a value, the typed form of every metadata and control
//! record, and the form by schema that also serves records whose type is only known at run time.
//!
//! Records borrow the bytes they stand in and allocate nothing. What cannot be read is told apart by
//! how far reading came ([`Unread`]); nothing is guessed.

#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod as_kafka;
mod control;
pub mod dynamic;
mod encode;
mod frame;
pub mod generated;
mod java_utf8;
pub mod json;
mod owned;
mod tags;
mod value;

pub use as_kafka::{KafkaRefusal, decode_as_kafka};
pub use control::{
    ControlFault, ControlReading, ControlRecord, control_schema_version, control_type,
    read_control, read_control_with,
};
pub use encode::{
    EncodeFault, EncodeFaultKind, RecordBuilder, control_key, encode, put_frame, record,
};
pub use frame::{Frame, FrameFault, FramePart};
pub use generated::control::*;
pub use generated::metadata::*;
pub use owned::{Fields, Owned, Visit, fields};
pub use tags::Tags;
pub use value::{Array, Field, Items, MAX_STRING, Spans, Text, Wire};

use crate::bytes::{Cursor, Malformed};
use value::Counting;

/// A metadata record that was read to its last byte.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading<'a> {
    /// The frame it came in.
    pub frame: Frame<'a>,
    /// The record.
    pub record: MetadataRecord<'a>,
    /// How many tagged fields that the schema does not know it holds, nested ones included. Each is
    /// kept in `unknown_tags` of the struct it stands in.
    pub unknown_tags: u32,
}

/// Why a value is not a metadata record that can be used, by how far reading came.
#[derive(Clone, Debug, PartialEq)]
pub enum Unread<'a> {
    /// The value has no frame.
    Frame(FrameFault),
    /// No record has this apiKey.
    UnknownType(Frame<'a>),
    /// The record is known, but not at a version this high.
    // Kafka: reads it by the rules of its highest known version, and only nested structs refuse it.
    UnknownVersion(Frame<'a>),
    /// The body is not what its type and version say. Positions count from the start of the value.
    Body(Frame<'a>, Malformed),
    /// The record was read, and these bytes are left after it. Kafka refuses it.
    Leftover(Frame<'a>, Box<MetadataRecord<'a>>, &'a [u8]),
}

/// Reads the value of a metadata record. A null value is read as an empty one.
///
/// # Errors
/// [`Unread`] says how far reading came.
// Kafka: MetadataRecordSerde.
#[inline]
pub fn read(value: &[u8]) -> Result<Reading<'_>, Unread<'_>> {
    read_with(value, &mut ())
}

/// Reads as [`read`] does and tells where each field stands in the value, also those before a fault.
///
/// # Errors
/// [`Unread`] says how far reading came.
#[inline]
pub fn read_with<'a, S: Spans>(value: &'a [u8], spans: &mut S) -> Result<Reading<'a>, Unread<'a>> {
    let frame = Frame::parse(value).map_err(Unread::Frame)?;
    MetadataRecord::read(frame, value, spans)
}

/// Reads the body of a record of one type.
// A function of its own for each type: inlined into one, their frames and copies add up.
#[inline(never)]
fn read_body<'a, T: Wire<'a>, S: Spans>(
    frame: Frame<'a>,
    value: &'a [u8],
    spans: &mut S,
    record: impl FnOnce(T) -> MetadataRecord<'a>,
) -> Result<Reading<'a>, Unread<'a>> {
    let mut cursor = Cursor::at(value, frame.body_at);
    let mut spans = Counting {
        inner: spans,
        unknown: 0,
    };
    let body = match T::read(&mut cursor, frame.version, &mut spans) {
        Ok(body) => body,
        Err(fault) => return Err(Unread::Body(frame, fault)),
    };
    if cursor.left() > 0 {
        return Err(Unread::Leftover(
            frame,
            Box::new(record(body)),
            cursor.rest(),
        ));
    }
    Ok(Reading {
        frame,
        record: record(body),
        unknown_tags: spans.unknown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Fault;
    use crate::ids::Uuid;

    // The vectors of format.md 4.4 were read by Kafka.
    #[test]
    fn a_partition_change() {
        let mut value = vec![
            1, 5, 2, // frame: partition change, version 2
            0, 0, 0, 3, // partition 3
            0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, // topic id
            6, // six tagged fields
            0, 9, 3, 0, 0, 0, 1, 0, 0, 0, 2, // isr [1, 2]
            1, 4, 0xff, 0xff, 0xff, 0xff, // leader -1
            5, 1, 1, // recovery state 1
            6, 5, 2, 0, 0, 0, 5, // eligible leader replicas [5]
            7, 1, 1, // last known: none
            8, 17, 2, // directories: one
        ];
        value.extend(Uuid::UNASSIGNED.0);
        let reading = read(&value).unwrap();
        let MetadataRecord::PartitionChange(change) = reading.record else {
            panic!("apiKey 5 is a partition change");
        };
        assert_eq!(
            (change.partition_id, change.leader),
            (3, Field::Present(-1))
        );
        assert_eq!(change.isr.value().unwrap().to_vec(), [1, 2]);
        assert_eq!(change.replicas, Field::Default(None));
        assert_eq!(change.leader_recovery_state, Field::Present(1));
        assert_eq!(
            change.eligible_leader_replicas.value().unwrap().to_vec(),
            [5]
        );
        assert_eq!(change.last_known_elr, Field::Present(Some(Array::EMPTY)));
        assert_eq!(
            change.directories.value().unwrap().to_vec(),
            [Uuid::UNASSIGNED]
        );
        assert_eq!(reading.unknown_tags, 0);

        // The same body at version 1 holds tags that version 1 does not have.
        value[2] = 1;
        let Err(Unread::Body(_, fault)) = read(&value) else {
            panic!("tag 6 came later")
        };
        assert_eq!(fault.what, Fault::TagNotInVersion(6));
        value[2] = 3;
        assert!(matches!(read(&value), Err(Unread::UnknownVersion(frame)) if frame.version == 3));
    }

    #[test]
    fn short_records() {
        let quota = [
            1, 14, 0, // frame: client quota
            2, 5, b'u', b's', b'e', b'r', 0, 0, // one entity: user, default, no tags
            2, b'k', // key
            0x40, 0x90, 0x02, 0, 0, 0, 0, 0, // 1024.5
            0, 0, // not removed, no tags
        ];
        let MetadataRecord::ClientQuota(quota) = read(&quota).unwrap().record else {
            panic!("apiKey 14 is a client quota");
        };
        let entity = quota.entity.first().unwrap();
        assert_eq!(
            (entity.entity_type, entity.entity_name),
            (Text::new(b"user"), None)
        );
        assert_eq!((quota.value, quota.remove), (1024.5, false));

        let begin = read(&[1, 23, 0, 0]).unwrap().record;
        let MetadataRecord::BeginTransaction(begin) = begin else {
            panic!("apiKey 23")
        };
        assert_eq!(begin.name, Field::Default(None));
        let abort = read(&[1, 25, 0, 1, 0, 2, 2, b'x']).unwrap().record;
        let MetadataRecord::AbortTransaction(abort) = abort else {
            panic!("apiKey 25")
        };
        assert_eq!(abort.reason, Field::Present(Some(Text::new(b"x"))));
    }

    #[test]
    fn unknown_tags_and_leftovers_are_kept() {
        let value = [
            1, 29, 0, // frame: unregister controller
            0, 0, 0, 7, // controller 7
            1, 9, 2, 0xca, 0xfe, // an unknown tag 9 of two bytes
            0xaa, // one byte too many
        ];
        let Err(Unread::Leftover(_, record, rest)) = read(&value) else {
            panic!("a byte is left")
        };
        assert_eq!(rest, [0xaa]);
        let MetadataRecord::UnregisterController(gone) = *record else {
            panic!("apiKey 29")
        };
        assert_eq!(
            gone.unknown_tags.iter().collect::<Vec<_>>(),
            [(9, &[0xca, 0xfe][..])]
        );
        assert_eq!(read(&value[..12]).unwrap().unknown_tags, 1);
    }

    #[test]
    fn a_tagged_value_fills_its_size() {
        for (size, used) in [(5, 4), (3, 4)] {
            let value = [
                1, 5, 0, // frame: partition change
                0, 0, 0, 3, // partition 3
                0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, // topic id
                1, 1, size, 0, 0, 0, 1, 0, // leader 1 in a wrong size
            ];
            let Err(Unread::Body(_, fault)) = read(&value) else {
                panic!("size {size}")
            };
            let what = Fault::TagSize {
                tag: 1,
                size: size.into(),
                used,
            };
            assert_eq!(fault, Malformed { at: 26, what });
        }
    }

    #[test]
    fn every_cut_of_a_record_is_told() {
        let value = [
            1, 4, 0, // frame: config
            2, // a topic
            2, b't', 2, b'k', 2, b'v', // t, k, v
            0,    // no tags
        ];
        assert!(read(&value).is_ok());
        for end in 0..value.len() {
            assert!(read(&value[..end]).is_err(), "{end} bytes");
        }
    }
}
