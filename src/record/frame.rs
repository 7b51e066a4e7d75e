//! The frame of a metadata record: three unsigned varints before the body.

use crate::bytes::{Cursor, Malformed};
use std::fmt;

/// The frame of a value, with its body not yet read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Always 1.
    pub frame_version: u32,
    /// Which record it is.
    pub api_key: i16,
    /// The version of the record's layout.
    pub version: i16,
    /// The bytes after the frame.
    pub body: &'a [u8],
    /// Where the body begins in the value.
    pub body_at: usize,
}

/// Why a value has no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameFault {
    /// Frame version 0: the preview format of Kafka 2.8.
    Preview,
    /// A frame version that nobody knows.
    Version(u32),
    /// A number above 32767.
    OutOfRange(FramePart, u32),
    /// A number cannot be read. An empty value is one, at its first number.
    Malformed(FramePart, Malformed),
}

/// A number of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramePart {
    /// The frame version.
    FrameVersion,
    /// The apiKey.
    ApiKey,
    /// The record version.
    Version,
}

impl fmt::Display for FramePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FrameVersion => "frame version",
            Self::ApiKey => "type",
            Self::Version => "version",
        })
    }
}

impl fmt::Display for FrameFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Preview => f.write_str("frame version 0, the preview format of Kafka 2.8"),
            Self::Version(n) => write!(f, "frame version {n} is unknown"),
            Self::OutOfRange(part, n) => write!(f, "{part} {n} is above 32767"),
            Self::Malformed(part, fault) => write!(f, "{part}: {fault}"),
        }
    }
}

impl std::error::Error for FrameFault {}

impl fmt::Debug for Frame<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            api_key,
            version,
            body,
            ..
        } = self;
        write!(
            f,
            "Frame(apiKey {api_key}, version {version}, {} bytes)",
            body.len()
        )
    }
}

impl<'a> Frame<'a> {
    /// Reads the frame of a value. A null value is given as an empty one.
    ///
    /// # Errors
    /// When a number cannot be read or is out of range, or the frame version is not 1.
    // Kafka: AbstractApiMessageSerde. A number with bit 31 set reads negative there and passes its
    // range check; it is out of range here.
    #[inline]
    pub fn parse(value: &'a [u8]) -> Result<Self, FrameFault> {
        // The three numbers nearly always take a byte each.
        if let &[1, api_key @ ..0x80, version @ ..0x80, ref body @ ..] = value {
            let (api_key, version) = (i16::from(api_key), i16::from(version));
            return Ok(Self {
                frame_version: 1,
                api_key,
                version,
                body,
                body_at: 3,
            });
        }
        Self::parse_long(value)
    }

    #[cold]
    fn parse_long(value: &'a [u8]) -> Result<Self, FrameFault> {
        let mut cursor = Cursor::new(value);
        let mut number = |part| {
            let n = cursor
                .uvarint()
                .map_err(|fault| FrameFault::Malformed(part, fault))?;
            i16::try_from(n).map_err(|_| FrameFault::OutOfRange(part, n))
        };
        match number(FramePart::FrameVersion)? {
            1 => {}
            0 => return Err(FrameFault::Preview),
            other => return Err(FrameFault::Version(u32::from(other.unsigned_abs()))),
        }
        let api_key = number(FramePart::ApiKey)?;
        let version = number(FramePart::Version)?;
        let (body, body_at) = (cursor.rest(), cursor.position());
        Ok(Self {
            frame_version: 1,
            api_key,
            version,
            body,
            body_at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Fault;

    #[test]
    fn frames() {
        let frame = Frame::parse(&[1, 29, 0, 9, 9]).unwrap();
        assert_eq!(
            (frame.api_key, frame.version, frame.body, frame.body_at),
            (29, 0, &[9, 9][..], 3)
        );
        // apiKey 300 in two bytes
        let frame = Frame::parse(&[1, 0xac, 0x02, 1]).unwrap();
        assert_eq!((frame.api_key, frame.version, frame.body_at), (300, 1, 4));
    }

    #[test]
    fn what_is_no_frame() {
        let short = Malformed {
            at: 0,
            what: Fault::Short { wanted: 1, left: 0 },
        };
        for (value, fault) in [
            (
                &[][..],
                FrameFault::Malformed(FramePart::FrameVersion, short),
            ),
            (&[0, 2, 0], FrameFault::Preview),
            (&[2, 2, 0], FrameFault::Version(2)),
            (
                &[1, 0x80, 0x80, 0x02, 0],
                FrameFault::OutOfRange(FramePart::ApiKey, 32768),
            ),
            // bit 31 set, which Java takes for a negative number
            (
                &[1, 2, 0x80, 0x80, 0x80, 0x80, 0x08],
                FrameFault::OutOfRange(FramePart::Version, 1 << 31),
            ),
        ] {
            assert_eq!(Frame::parse(value), Err(fault), "{value:x?}");
        }
    }
}
