//! The header of a record batch (magic 2).

use crate::bytes::{Cursor, Malformed};
use crate::ids::{Epoch, Offset, Timestamp};
use std::fmt;

/// Bytes before those that the size field counts: the offset and the size itself.
pub(crate) const OVERHEAD: u64 = 12;
/// Where the magic stands, the same for every magic.
pub(crate) const MAGIC_AT: usize = 16;
/// Bytes of a header of magic 2; the records follow.
pub(crate) const HEADER: u64 = 61;
/// The first byte that the CRC of magic 2 covers.
pub(crate) const CRC_FROM: u64 = 21;
/// The least size field that any magic can have.
pub(crate) const LEAST_SIZE: i32 = 14;
/// The least size field of magic 2.
pub(crate) const LEAST_SIZE_V2: i32 = 49;

/// How the records of a batch are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// Not at all, as Raft leaders and snapshot writers do it.
    None,
    /// RFC 1952.
    Gzip,
    /// Snappy blocks in xerial's stream framing.
    Snappy,
    /// LZ4 frames.
    Lz4,
    /// Zstandard frames.
    Zstd,
    /// A number that Kafka does not know: 5 to 7.
    Unknown(u8),
}

impl Codec {
    /// The codec in the low three bits of the attributes.
    #[must_use]
    pub fn of(attributes: i16) -> Self {
        match attributes & 7 {
            0 => Self::None,
            1 => Self::Gzip,
            2 => Self::Snappy,
            3 => Self::Lz4,
            4 => Self::Zstd,
            other => Self::Unknown(other as u8),
        }
    }
}

/// Kafka's lower-case name.
impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Gzip => f.pad("gzip"),
            Self::Snappy => f.pad("snappy"),
            Self::Lz4 => f.pad("lz4"),
            Self::Zstd => f.pad("zstd"),
            Self::Unknown(id) => write!(f, "unknown({id})"),
        }
    }
}

/// What the timestamps of a batch mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimestampType {
    /// Each record has its own.
    CreateTime,
    /// Every record has the batch's greatest.
    LogAppendTime,
}

impl fmt::Display for TimestampType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::CreateTime => "CreateTime",
            Self::LogAppendTime => "LogAppendTime",
        })
    }
}

/// The header of a batch as it stands on disk. Batches of magic 0 and 1 have the fields that theirs
/// give, see [`super::legacy`].
// Kafka: DefaultRecordBatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchHeader {
    /// Offset of the first record. Not covered by the CRC.
    pub base_offset: Offset,
    /// Bytes on disk, offset and size field included. Not covered by the CRC.
    pub length: u32,
    /// `partitionLeaderEpoch`. Not covered by the CRC.
    pub epoch: Epoch,
    /// Layout of the batch; 2 is the one that metadata logs have. Not covered by the CRC.
    pub magic: i8,
    /// The stored CRC: CRC-32C for magic 2, CRC-32 for older ones.
    pub crc: u32,
    /// Codec, timestamp type, and the flags.
    pub attributes: i16,
    /// Offset of the last record, less the base offset.
    pub last_offset_delta: i32,
    /// Time that the records' deltas count from, or the delete horizon.
    pub base_timestamp: Timestamp,
    /// The greatest time of a record; in metadata logs the append time.
    pub max_timestamp: Timestamp,
    /// -1 in metadata logs.
    pub producer_id: i64,
    /// -1 in metadata logs.
    pub producer_epoch: i16,
    /// -1 in metadata logs.
    pub base_sequence: i32,
    /// How many records the header announces.
    pub count: i32,
}

impl BatchHeader {
    /// Reads the 61 bytes at the head of a slice, whatever magic they name. The length is what the
    /// size field says, 12 more; nothing of it is checked against the bytes that remain.
    ///
    /// # Errors
    /// When there are fewer than 61 bytes.
    pub fn parse(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut c = Cursor::new(bytes);
        let base_offset = Offset(c.i64()?);
        let size = c.i32()?;
        Ok(Self {
            base_offset,
            length: total_length(size),
            epoch: Epoch(c.i32()?),
            magic: c.i8()?,
            crc: c.u32()?,
            attributes: c.i16()?,
            last_offset_delta: c.i32()?,
            base_timestamp: Timestamp(c.i64()?),
            max_timestamp: Timestamp(c.i64()?),
            producer_id: c.i64()?,
            producer_epoch: c.i16()?,
            base_sequence: c.i32()?,
            count: c.i32()?,
        })
    }

    /// Offset of the last record.
    #[must_use]
    pub fn last_offset(&self) -> Offset {
        self.base_offset.plus(i64::from(self.last_offset_delta))
    }

    /// Offset that the next batch should begin with.
    #[must_use]
    pub fn next_offset(&self) -> Offset {
        self.last_offset().plus(1)
    }

    /// How the records are compressed.
    #[must_use]
    pub fn codec(&self) -> Codec {
        Codec::of(self.attributes)
    }

    /// Whether all records of the batch are control records.
    #[must_use]
    pub fn is_control(&self) -> bool {
        self.magic >= 2 && self.attributes & 0x20 != 0
    }

    /// Whether it belongs to a producer's transaction; never in metadata logs.
    #[must_use]
    pub fn is_transactional(&self) -> bool {
        self.magic >= 2 && self.attributes & 0x10 != 0
    }

    /// What its timestamps mean.
    #[must_use]
    pub fn timestamp_type(&self) -> TimestampType {
        if self.attributes & 8 == 0 {
            TimestampType::CreateTime
        } else {
            TimestampType::LogAppendTime
        }
    }

    /// The time from which a compaction may drop its tombstones; never set in metadata logs.
    #[must_use]
    pub fn delete_horizon(&self) -> Option<Timestamp> {
        (self.magic >= 2 && self.attributes & 0x40 != 0).then_some(self.base_timestamp)
    }

    /// Sequence of the last record, -1 without one. Wraps to 0 after 2^31-1.
    #[must_use]
    pub fn last_sequence(&self) -> i32 {
        if self.base_sequence == -1 {
            return -1;
        }
        self.sequence_after(self.last_offset_delta)
    }

    /// Sequence of the record with this offset delta, -1 in a batch without sequences.
    // Kafka: DefaultRecord.readFrom takes every negative base sequence for none.
    #[must_use]
    pub fn sequence(&self, offset_delta: i32) -> i32 {
        if self.base_sequence < 0 {
            return -1;
        }
        self.sequence_after(offset_delta)
    }

    // Kafka: DefaultRecordBatch.incrementSequence.
    fn sequence_after(&self, delta: i32) -> i32 {
        self.base_sequence.checked_add(delta).unwrap_or_else(|| {
            delta
                .wrapping_sub(i32::MAX.wrapping_sub(self.base_sequence))
                .wrapping_sub(1)
        })
    }
}

/// Bytes on disk of a batch with this size field; 12 when the field is negative.
pub(crate) fn total_length(size: i32) -> u32 {
    u32::try_from(size)
        .unwrap_or(0)
        .saturating_add(OVERHEAD as u32)
}
