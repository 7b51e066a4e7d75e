//! Messages of magic 0 and 1, which no metadata log holds: recognised, and only shown.

use super::batch::{BatchHeader, total_length};
use crate::bytes::{Cursor, Malformed};
use crate::ids::{Epoch, Offset, Timestamp};

/// Bytes before the first that the CRC covers.
const CRC_FROM: usize = 16;

/// The fields that a message of magic 0 or 1 has, as a header: its offset (the last one when it is
/// compressed), length, CRC, attributes and time. What it does not have is as Kafka's dump tool
/// takes it: one record, no producer, no epoch.
///
/// # Errors
/// When the bytes end before the attributes, or before the time that magic 1 has.
// Kafka: LegacyRecord.
pub fn parse(bytes: &[u8]) -> Result<BatchHeader, Malformed> {
    let mut c = Cursor::new(bytes);
    let base_offset = Offset(c.i64()?);
    let length = total_length(c.i32()?);
    let crc = c.u32()?;
    let magic = c.i8()?;
    let attributes = i16::from(c.i8()?);
    let time = Timestamp(if magic == 1 { c.i64()? } else { -1 });
    Ok(BatchHeader {
        base_offset,
        length,
        epoch: Epoch(-1),
        magic,
        crc,
        attributes,
        last_offset_delta: 0,
        base_timestamp: time,
        max_timestamp: time,
        producer_id: -1,
        producer_epoch: -1,
        base_sequence: -1,
        count: 1,
    })
}

/// What a message of magic 0 or 1 holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message<'a> {
    /// The key.
    pub key: Option<&'a [u8]>,
    /// The value; of a compressed message, the messages in it.
    pub value: Option<&'a [u8]>,
}

impl<'a> Message<'a> {
    /// Reads a message from its offset on; nothing when it ends before its value does.
    #[must_use]
    pub fn parse(bytes: &'a [u8]) -> Option<Self> {
        let magic = *bytes.get(CRC_FROM)? as i8;
        // After offset, size, CRC, magic and attributes, and the time that magic 1 has.
        let mut c = Cursor::at(bytes, if magic == 1 { 26 } else { 18 });
        let mut part = || match usize::try_from(c.i32().ok()?) {
            Ok(length) => c.take(length).ok().map(Some),
            Err(_) => Some(None),
        };
        let key = part()?;
        let value = part()?;
        Some(Self { key, value })
    }
}

/// CRC-32 (IEEE) of what a message's CRC covers.
#[must_use]
pub fn crc(message: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(message.get(CRC_FROM..).unwrap_or_default());
    crc.sum()
}
