//! A bounded cursor over bytes that may be anything: no read panics or goes past the end.
//!
//! Two kinds of varint meet in the same bytes: record frames use the signed (zigzag) one, metadata
//! frames and flexible fields the unsigned one.

#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use crate::ids::Uuid;
use std::fmt;

/// Bytes that cannot be read as what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Where the unreadable thing begins, counted as the cursor counts.
    pub at: usize,
    /// What is wrong there.
    pub what: Fault,
}

/// What is wrong with bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// More bytes are announced than remain.
    Short {
        /// How many are wanted.
        wanted: u64,
        /// How many remain.
        left: u64,
    },
    /// A varint with more bytes than its type allows.
    LongVarint,
    /// A varint beyond the range of what it stands for.
    BigVarint(u32),
    /// A length below what is possible.
    BadLength(i64),
    /// Null where none may be.
    Null,
    /// A string longer than 32767 bytes.
    LongString(u32),
    /// A tagged field whose value does not fill its announced size.
    TagSize {
        /// The tag.
        tag: u32,
        /// Its announced size.
        size: u32,
        /// The bytes that its value took.
        used: u64,
    },
    /// A tagged field that this record version does not have.
    TagNotInVersion(u32),
    /// Tags that do not rise.
    TagOrder(u32),
    /// A version of a nested struct that nobody knows.
    Version(i16),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            Fault::Short { wanted, left } => write!(f, "{wanted} bytes wanted, {left} left"),
            Fault::LongVarint => f.write_str("varint longer than its type"),
            Fault::BigVarint(n) => write!(f, "varint {n} beyond its range"),
            Fault::BadLength(n) => write!(f, "length {n} is not possible"),
            Fault::Null => f.write_str("null where none may be"),
            Fault::LongString(n) => write!(f, "string of {n} bytes, and 32767 is the limit"),
            Fault::TagSize { tag, size, used } => {
                write!(
                    f,
                    "tagged field {tag} announces {size} bytes and takes {used}"
                )
            }
            Fault::TagNotInVersion(tag) => {
                write!(
                    f,
                    "tagged field {tag} does not exist in this record version"
                )
            }
            Fault::TagOrder(tag) => write!(f, "tagged field {tag} is out of order"),
            Fault::Version(v) => write!(f, "version {v} is unknown"),
        }
    }
}

impl std::error::Error for Malformed {}

/// The result of a read.
pub type Read<T> = Result<T, Malformed>;

/// A position in a slice. Copy it to look ahead.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of a slice.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// A cursor at a byte of a slice; at the end when the slice is shorter.
    #[must_use]
    pub fn at(bytes: &'a [u8], at: usize) -> Self {
        Self {
            bytes,
            at: at.min(bytes.len()),
        }
    }

    /// The byte it stands at, counted from the start of the slice.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// How many bytes remain.
    #[must_use]
    pub fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// The bytes that remain.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The bytes between a byte passed earlier and here.
    #[must_use]
    pub fn since(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.at).unwrap_or_default()
    }

    /// The next `n` bytes.
    ///
    /// # Errors
    /// When fewer remain.
    #[inline]
    pub fn take(&mut self, n: usize) -> Read<&'a [u8]> {
        match self.rest().split_at_checked(n) {
            Some((taken, _)) => {
                self.at = self.at.saturating_add(n);
                Ok(taken)
            }
            None => Err(self.short(n as u64)),
        }
    }

    /// A fault at the byte it stands at.
    #[must_use]
    pub fn fault(&self, what: Fault) -> Malformed {
        Malformed { at: self.at, what }
    }

    fn short(&self, wanted: u64) -> Malformed {
        self.fault(Fault::Short {
            wanted,
            left: self.left() as u64,
        })
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        match self.rest().first_chunk::<N>() {
            Some(chunk) => {
                self.at = self.at.saturating_add(N);
                Ok(*chunk)
            }
            None => Err(self.short(N as u64)),
        }
    }

    /// An unsigned byte.
    ///
    /// # Errors
    /// At the end.
    #[inline]
    pub fn u8(&mut self) -> Read<u8> {
        self.array().map(u8::from_be_bytes)
    }

    /// A signed byte.
    ///
    /// # Errors
    /// At the end.
    #[inline]
    pub fn i8(&mut self) -> Read<i8> {
        self.array().map(i8::from_be_bytes)
    }

    /// A big-endian 16-bit number.
    ///
    /// # Errors
    /// When fewer than 2 bytes remain.
    #[inline]
    pub fn i16(&mut self) -> Read<i16> {
        self.array().map(i16::from_be_bytes)
    }

    /// A big-endian unsigned 16-bit number.
    ///
    /// # Errors
    /// When fewer than 2 bytes remain.
    #[inline]
    pub fn u16(&mut self) -> Read<u16> {
        self.array().map(u16::from_be_bytes)
    }

    /// A big-endian 32-bit number.
    ///
    /// # Errors
    /// When fewer than 4 bytes remain.
    #[inline]
    pub fn i32(&mut self) -> Read<i32> {
        self.array().map(i32::from_be_bytes)
    }

    /// A big-endian unsigned 32-bit number.
    ///
    /// # Errors
    /// When fewer than 4 bytes remain.
    #[inline]
    pub fn u32(&mut self) -> Read<u32> {
        self.array().map(u32::from_be_bytes)
    }

    /// A big-endian 64-bit number.
    ///
    /// # Errors
    /// When fewer than 8 bytes remain.
    #[inline]
    pub fn i64(&mut self) -> Read<i64> {
        self.array().map(i64::from_be_bytes)
    }

    /// A big-endian IEEE-754 double.
    ///
    /// # Errors
    /// When fewer than 8 bytes remain.
    #[inline]
    pub fn f64(&mut self) -> Read<f64> {
        self.array().map(f64::from_be_bytes)
    }

    /// A 16-byte id.
    ///
    /// # Errors
    /// When fewer than 16 bytes remain.
    #[inline]
    pub fn uuid(&mut self) -> Read<Uuid> {
        self.array().map(Uuid)
    }

    /// An unsigned varint of at most 5 bytes, 0 to 2^32-1.
    ///
    /// # Errors
    /// When it has no end within 5 bytes or within the slice.
    // Kafka: ByteBufferAccessor drops the bits of the fifth byte above the low four; so do we.
    #[inline]
    pub fn uvarint(&mut self) -> Read<u32> {
        // Nearly all are of one byte or two.
        if let Some(&low) = self.bytes.get(self.at) {
            if low & 0x80 == 0 {
                self.at = self.at.saturating_add(1);
                return Ok(u32::from(low));
            }
            if let Some(&high) = self.bytes.get(self.at.saturating_add(1))
                && high & 0x80 == 0
            {
                self.at = self.at.saturating_add(2);
                return Ok(u32::from(low & 0x7f) | u32::from(high).wrapping_shl(7));
            }
        }
        self.long_uvarint()
    }

    fn long_uvarint(&mut self) -> Read<u32> {
        let start = self.at;
        let mut value = 0u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.u8()?;
            value |= u32::from(byte & 0x7f).wrapping_shl(shift);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed {
            at: start,
            what: Fault::LongVarint,
        })
    }

    /// A zigzag varint of at most 5 bytes.
    ///
    /// # Errors
    /// When it has no end within 5 bytes or within the slice.
    #[inline]
    pub fn varint(&mut self) -> Read<i32> {
        let raw = self.uvarint()?;
        Ok((raw >> 1) as i32 ^ ((raw & 1) as i32).wrapping_neg())
    }

    /// A zigzag varint of at most 10 bytes.
    ///
    /// # Errors
    /// When it has no end within 10 bytes or within the slice.
    #[inline]
    pub fn varlong(&mut self) -> Read<i64> {
        if let Some(&byte) = self.bytes.get(self.at)
            && byte & 0x80 == 0
        {
            self.at = self.at.saturating_add(1);
            return Ok(i64::from(byte >> 1) ^ i64::from(byte & 1).wrapping_neg());
        }
        self.long_varlong()
    }

    fn long_varlong(&mut self) -> Read<i64> {
        let start = self.at;
        let mut value = 0u64;
        for shift in [0, 7, 14, 21, 28, 35, 42, 49, 56, 63] {
            let byte = self.u8()?;
            value |= u64::from(byte & 0x7f).wrapping_shl(shift);
            if byte & 0x80 == 0 {
                return Ok((value >> 1) as i64 ^ ((value & 1) as i64).wrapping_neg());
            }
        }
        Err(Malformed {
            at: start,
            what: Fault::LongVarint,
        })
    }
}

/// Appends an unsigned varint.
pub fn put_uvarint(out: &mut Vec<u8>, mut value: u32) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a zigzag varint, as records frame their lengths and deltas.
pub fn put_varlong(out: &mut Vec<u8>, value: i64) {
    let mut raw = (value.wrapping_shl(1) ^ (value >> 63)) as u64;
    while raw > 0x7f {
        out.push(raw as u8 | 0x80);
        raw >>= 7;
    }
    out.push(raw as u8);
}

/// CRC-32C (Castagnoli) of some bytes.
#[must_use]
pub fn crc32c(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_of_both_kinds() {
        assert_eq!(
            Cursor::new(&[0xff, 0xff, 0xff, 0xff, 0x0f]).uvarint(),
            Ok(u32::MAX)
        );
        assert_eq!(Cursor::new(&[0xac, 0x02]).uvarint(), Ok(300));
        assert_eq!(Cursor::new(&[0x01]).varint(), Ok(-1));
        assert_eq!(Cursor::new(&[0x1a]).varint(), Ok(13));
        let long = [0xff; 11];
        assert_eq!(
            Cursor::new(&long).varlong(),
            Err(Malformed {
                at: 0,
                what: Fault::LongVarint
            })
        );
        for value in [0, -1, 1, i64::MIN, i64::MAX, 1 << 40] {
            let mut out = Vec::new();
            put_varlong(&mut out, value);
            assert_eq!(Cursor::new(&out).varlong(), Ok(value));
        }
        for value in [0, 127, 128, u32::MAX] {
            let mut out = Vec::new();
            put_uvarint(&mut out, value);
            assert_eq!(Cursor::new(&out).uvarint(), Ok(value));
        }
    }

    #[test]
    fn reads_stop_at_the_end() {
        let mut cursor = Cursor::new(&[1, 2]);
        let short = Fault::Short { wanted: 4, left: 2 };
        assert_eq!(cursor.i32(), Err(Malformed { at: 0, what: short }));
        assert_eq!(cursor.u16(), Ok(258));
        assert_eq!(cursor.left(), 0);
        assert!(cursor.take(1).is_err());
    }

    // The footer batch of format.md 2.5: its CRC covers the bytes from the attributes on.
    #[test]
    fn crc_is_castagnoli() {
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    }
}
