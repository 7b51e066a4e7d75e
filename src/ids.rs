//! Newtypes of the numbers that a metadata log is full of, so that none is taken for another.

use std::cmp::Ordering;
use std::fmt;

macro_rules! number {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number!(
    /// Offset of a record in the metadata log. Inside a checkpoint file offsets restart at 0 and mean
    /// nothing for the log.
    Offset(i64)
);
number!(
    /// Byte position in a file or buffer.
    Position(u64)
);
number!(
    /// Epoch of a Raft leader: `partitionLeaderEpoch` of a batch. -1 is unknown.
    Epoch(i32)
);
number!(
    /// `node.id` of a broker or controller. -1 is none.
    NodeId(i32)
);
number!(
    /// Milliseconds since 1970-01-01T00:00:00Z. -1 is none.
    Timestamp(i64)
);

impl Offset {
    /// The offset `delta` records further; stays at the end of the 64-bit range instead of wrapping.
    #[must_use]
    pub fn plus(self, delta: i64) -> Self {
        Self(self.0.saturating_add(delta))
    }
}

/// A 16-byte id as Kafka's `org.apache.kafka.common.Uuid`: most significant byte first. Its own order is
/// that of the bytes; Kafka's is [`Uuid::java_cmp`].
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid(pub [u8; 16]);

impl Uuid {
    /// `DirectoryId.MIGRATING`, also `Uuid.ZERO_UUID`: no id at all.
    pub const ZERO: Self = Self([0; 16]);
    /// `DirectoryId.UNASSIGNED`: a replica whose broker has not yet said where it is.
    pub const UNASSIGNED: Self = Self::from_low(1);
    /// `DirectoryId.LOST`: a replica in a directory that its broker lost.
    pub const LOST: Self = Self::from_low(2);

    const fn from_low(low: u8) -> Self {
        let mut bytes = [0; 16];
        bytes[15] = low;
        Self(bytes)
    }

    /// The order of Java's `Uuid.compareTo`: both halves as signed 64-bit numbers.
    #[must_use]
    pub fn java_cmp(&self, other: &Self) -> Ordering {
        let halves = |id: &Self| {
            let whole = i128::from_be_bytes(id.0);
            ((whole >> 64) as i64, whole as i64)
        };
        halves(self).cmp(&halves(other))
    }
}

/// The 22-character base64url text that Kafka prints.
impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use base64::Engine as _;
        let mut text = [0; 22];
        let written = base64::engine::general_purpose::URL_SAFE_NO_PAD
            .encode_slice(self.0, &mut text)
            .map_err(|_| fmt::Error)?;
        let text = text
            .get(..written)
            .and_then(|t| std::str::from_utf8(t).ok());
        f.pad(text.ok_or(fmt::Error)?)
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for Uuid {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Text that is not a 22-character base64url id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAUuid;

impl fmt::Display for NotAUuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an id of 22 base64url characters")
    }
}

impl std::error::Error for NotAUuid {}

impl std::str::FromStr for Uuid {
    type Err = NotAUuid;

    fn from_str(text: &str) -> Result<Self, NotAUuid> {
        use base64::Engine as _;
        let mut bytes = [0; 16];
        // A 22-character text decodes into an estimate of 18 bytes, so decode through a Vec.
        let decoded = base64::engine::general_purpose::URL_SAFE_NO_PAD
            .decode(text)
            .map_err(|_| NotAUuid)?;
        if decoded.len() != bytes.len() {
            return Err(NotAUuid);
        }
        bytes.copy_from_slice(&decoded);
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuid_text_is_kafkas() {
        assert_eq!(Uuid::ZERO.to_string(), "AAAAAAAAAAAAAAAAAAAAAA");
        assert_eq!(Uuid::UNASSIGNED.to_string(), "AAAAAAAAAAAAAAAAAAAAAQ");
        assert_eq!(Uuid::LOST.to_string(), "AAAAAAAAAAAAAAAAAAAAAg");
        assert_eq!("AAAAAAAAAAAAAAAAAAAAAg".parse(), Ok(Uuid::LOST));
        assert_eq!("AAAAAAAAAAAAAAAAAAAAA".parse::<Uuid>(), Err(NotAUuid));
    }

    #[test]
    fn uuid_order_is_signed() {
        let negative = Uuid([0xff; 16]);
        assert_eq!(negative.java_cmp(&Uuid::ZERO), Ordering::Less);
        let mut low = [0; 16];
        low[8] = 0x80;
        assert_eq!(Uuid(low).java_cmp(&Uuid::ZERO), Ordering::Less);
    }
}
