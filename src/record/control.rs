//! Control records: what Raft itself writes between the metadata.

use super::generated::control::{
    KRaftVersionRecord, LeaderChangeMessage, SnapshotFooterRecord, SnapshotHeaderRecord,
    VotersRecord,
};
use super::value::Spans;
use crate::bytes::{Cursor, Malformed, Read};
use std::fmt;

/// A control record.
#[derive(Clone, Debug, PartialEq)]
pub enum ControlRecord<'a> {
    /// The end marker of an aborted producer transaction. Never in metadata.
    Abort {
        /// The epoch of the transaction coordinator.
        coordinator_epoch: i32,
    },
    /// The end marker of a committed producer transaction. Never in metadata.
    Commit {
        /// The epoch of the transaction coordinator.
        coordinator_epoch: i32,
    },
    /// A leader begins its epoch.
    LeaderChange(LeaderChangeMessage<'a>),
    /// The first record of a checkpoint.
    SnapshotHeader(SnapshotHeaderRecord<'a>),
    /// The last record of a checkpoint.
    SnapshotFooter(SnapshotFooterRecord<'a>),
    /// The level of `kraft.version`.
    KRaftVersion(KRaftVersionRecord<'a>),
    /// The whole set of voters.
    Voters(VotersRecord<'a>),
    /// A type that nobody knows.
    Unknown {
        /// The type in the key.
        type_id: i16,
    },
}

/// A control record and what stands around it.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlReading<'a> {
    /// The type in the key.
    pub type_id: i16,
    /// The schema version that the value was read by.
    pub schema_version: i16,
    /// The record.
    pub record: ControlRecord<'a>,
    /// The bytes after it. Kafka ignores them.
    pub leftover: &'a [u8],
}

/// Why a control record cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlFault {
    /// The key is shorter than 4 bytes.
    ShortKey(usize),
    /// The key's version is negative.
    KeyVersion(i16),
    /// The value is not what its type says.
    Value {
        /// The type in the key.
        type_id: i16,
        /// What is wrong, counted from the start of the value.
        fault: Malformed,
    },
}

impl fmt::Display for ControlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ShortKey(n) => write!(f, "control key of {n} bytes, and 4 are needed"),
            Self::KeyVersion(n) => write!(f, "control key of version {n}"),
            Self::Value { type_id, fault } => {
                write!(f, "control record of type {type_id}: {fault}")
            }
        }
    }
}

impl std::error::Error for ControlFault {}

/// Reads a control record from its key and value. Null is given as empty.
///
/// # Errors
/// When the key or the value cannot be read.
// Kafka: ControlRecordType and ControlRecord. A key version above 0 is read as 0, bytes after the key
// and after the value are ignored.
pub fn read_control<'a>(key: &[u8], value: &'a [u8]) -> Result<ControlRecord<'a>, ControlFault> {
    read_control_with(key, value, &mut ()).map(|reading| reading.record)
}

/// The type in the key of a control record.
///
/// # Errors
/// When the key is shorter than 4 bytes or its version is negative.
pub fn control_type(key: &[u8]) -> Result<i16, ControlFault> {
    let mut cursor = Cursor::new(key);
    let short = |_| ControlFault::ShortKey(key.len());
    let version = cursor.i16().map_err(short)?;
    let type_id = cursor.i16().map_err(short)?;
    if version < 0 {
        return Err(ControlFault::KeyVersion(version));
    }
    Ok(type_id)
}

/// The schema version that reads the value of a control record: 0, but 1 for a leader change that says
/// so.
// Kafka: ControlRecordUtils reads every type by schema version 0, and no release writes a leader
// change of version 1.
#[must_use]
pub fn control_schema_version(type_id: i16, value: &[u8]) -> i16 {
    i16::from(type_id == LeaderChangeMessage::TYPE && value.starts_with(&[0, 1]))
}

/// Reads as [`read_control`] does, keeps what is left after the record, and tells where each field
/// stands in the value.
///
/// # Errors
/// When the key or the value cannot be read.
pub fn read_control_with<'a, S: Spans>(
    key: &[u8],
    value: &'a [u8],
    spans: &mut S,
) -> Result<ControlReading<'a>, ControlFault> {
    let type_id = control_type(key)?;
    let schema_version = control_schema_version(type_id, value);
    let mut cursor = Cursor::new(value);
    let record = body(type_id, schema_version, &mut cursor, spans)
        .map_err(|fault| ControlFault::Value { type_id, fault })?;
    let leftover = match record {
        ControlRecord::Unknown { .. } => &[],
        _ => cursor.rest(),
    };
    Ok(ControlReading {
        type_id,
        schema_version,
        record,
        leftover,
    })
}

fn body<'a, S: Spans>(
    type_id: i16,
    version: i16,
    cursor: &mut Cursor<'a>,
    spans: &mut S,
) -> Read<ControlRecord<'a>> {
    // Kafka: EndTransactionMarker; a version above 0 is read as 0.
    let coordinator_epoch = |cursor: &mut Cursor<'a>| {
        let version = cursor.i16()?;
        if version < 0 {
            return Err(Malformed {
                at: 0,
                what: crate::bytes::Fault::Version(version),
            });
        }
        cursor.i32()
    };
    Ok(match type_id {
        0 => ControlRecord::Abort {
            coordinator_epoch: coordinator_epoch(cursor)?,
        },
        1 => ControlRecord::Commit {
            coordinator_epoch: coordinator_epoch(cursor)?,
        },
        LeaderChangeMessage::TYPE => {
            ControlRecord::LeaderChange(LeaderChangeMessage::decode(cursor, version, spans)?)
        }
        SnapshotHeaderRecord::TYPE => {
            ControlRecord::SnapshotHeader(SnapshotHeaderRecord::decode(cursor, version, spans)?)
        }
        SnapshotFooterRecord::TYPE => {
            ControlRecord::SnapshotFooter(SnapshotFooterRecord::decode(cursor, version, spans)?)
        }
        KRaftVersionRecord::TYPE => {
            ControlRecord::KRaftVersion(KRaftVersionRecord::decode(cursor, version, spans)?)
        }
        VotersRecord::TYPE => ControlRecord::Voters(VotersRecord::decode(cursor, version, spans)?),
        type_id => ControlRecord::Unknown { type_id },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // The vector of format.md 3.
    #[test]
    fn a_leader_change() {
        let key = [0, 0, 0, 2];
        let value = [
            0, 0, // version 0
            0, 0, 0, 1, // leader 1
            2, 0, 0, 0, 1, 0, // one voter: 1, no tags
            2, 0, 0, 0, 1, 0, // one that granted: 1, no tags
            0, // no tags
        ];
        let ControlRecord::LeaderChange(change) = read_control(&key, &value).unwrap() else {
            panic!("type 2 is a leader change");
        };
        assert_eq!((change.version, change.leader_id), (0, 1));
        assert_eq!(
            change.voters.iter().map(|v| v.voter_id).collect::<Vec<_>>(),
            [1]
        );
        assert_eq!(change.granting_voters.len(), 1);
    }

    #[test]
    fn a_version_that_nobody_knows_is_data() {
        let value = [
            0, 7, // version 7, which chooses no layout
            0, 0, 0, 1, // leader 1
            2, 0, 0, 0, 1, 0, // one voter: 1, no tags
            1, // none granted
            0, // no tags
        ];
        let ControlRecord::LeaderChange(change) = read_control(&[0, 0, 0, 2], &value).unwrap()
        else {
            panic!("type 2 is a leader change");
        };
        assert_eq!((change.version, change.voters.len()), (7, 1));
    }

    #[test]
    fn keys() {
        let footer = [0, 0, 0];
        for (key, fault) in [
            (&[0, 0, 4][..], ControlFault::ShortKey(3)),
            (&[0xff, 0xff, 0, 4], ControlFault::KeyVersion(-1)),
        ] {
            assert_eq!(read_control(key, &footer), Err(fault));
        }
        // a later version and one byte too many
        let read = read_control(&[0, 9, 0, 4, 7], &footer);
        assert!(matches!(read, Ok(ControlRecord::SnapshotFooter(_))));
        assert_eq!(
            read_control(&[0, 0, 0, 9], &[]),
            Ok(ControlRecord::Unknown { type_id: 9 })
        );
        let commit = read_control(&[0, 0, 0, 1], &[0, 0, 0, 0, 0, 5]);
        assert_eq!(
            commit,
            Ok(ControlRecord::Commit {
                coordinator_epoch: 5
            })
        );
    }
}
