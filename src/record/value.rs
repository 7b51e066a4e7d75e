//! What fields hold, borrowed from the bytes of a record: strings, lists, tagged fields.
//!
//! Everything here was walked once when its record was decoded, so that reading it again cannot fail.

use crate::bytes::{Cursor, Fault, Malformed, Read};
use crate::ids::Uuid;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// Where the fields of a record stand, told while it is decoded. `()` listens to nothing.
pub trait Spans {
    /// A field was read: its schema name and its bytes in the value, `start` to before `end`. Fields
    /// of a nested struct come before the field that holds it; a tagged field's bytes are those of its
    /// value.
    fn field(&mut self, name: &'static str, start: usize, end: usize);

    /// A tagged field that the schema does not know was passed over: its tag and its bytes.
    fn unknown_tag(&mut self, tag: u32, start: usize, end: usize);
}

impl Spans for () {
    #[inline(always)]
    fn field(&mut self, _: &'static str, _: usize, _: usize) {}

    #[inline(always)]
    fn unknown_tag(&mut self, _: u32, _: usize, _: usize) {}
}

/// Counts unknown tagged fields on their way to another listener.
pub(super) struct Counting<'s, S> {
    pub(super) inner: &'s mut S,
    pub(super) unknown: u32,
}

impl<S: Spans> Spans for Counting<'_, S> {
    #[inline(always)]
    fn field(&mut self, name: &'static str, start: usize, end: usize) {
        self.inner.field(name, start, end);
    }

    #[inline(always)]
    fn unknown_tag(&mut self, tag: u32, start: usize, end: usize) {
        self.unknown = self.unknown.saturating_add(1);
        self.inner.unknown_tag(tag, start, end);
    }
}

/// Something that a field or a list can hold.
pub trait Wire<'a>: Sized {
    /// How many bytes each takes, when all take the same.
    const SIZE: Option<usize> = None;

    /// Reads one at the version of its record.
    ///
    /// # Errors
    /// When the bytes are not one, or end before it does.
    fn read<S: Spans>(cursor: &mut Cursor<'a>, version: i16, spans: &mut S) -> Read<Self>;
}

macro_rules! fixed {
    ($($type:ty, $size:literal, $read:ident;)*) => {$(
        impl<'a> Wire<'a> for $type {
            const SIZE: Option<usize> = Some($size);

            #[inline(always)]
            fn read<S: Spans>(cursor: &mut Cursor<'a>, _: i16, _: &mut S) -> Read<Self> {
                cursor.$read()
            }
        }
    )*};
}

fixed! {
    i8, 1, i8;
    i16, 2, i16;
    u16, 2, u16;
    i32, 4, i32;
    i64, 8, i64;
    f64, 8, f64;
    Uuid, 16, uuid;
}

impl<'a> Wire<'a> for bool {
    const SIZE: Option<usize> = Some(1);

    #[inline(always)]
    fn read<S: Spans>(cursor: &mut Cursor<'a>, _: i16, _: &mut S) -> Read<Self> {
        Ok(cursor.u8()? != 0)
    }
}

/// Reads the length or count of something: one more than it, as an unsigned varint; 0 is null.
#[inline(always)]
pub(super) fn compact_length(cursor: &mut Cursor<'_>) -> Read<Option<u32>> {
    Ok(cursor.uvarint()?.checked_sub(1))
}

#[inline(always)]
fn not_null<T>(value: Option<T>, at: usize) -> Read<T> {
    value.ok_or(Malformed {
        at,
        what: Fault::Null,
    })
}

impl<'a> Wire<'a> for Option<&'a [u8]> {
    #[inline]
    fn read<S: Spans>(cursor: &mut Cursor<'a>, _: i16, _: &mut S) -> Read<Self> {
        let Some(length) = compact_length(cursor)? else {
            return Ok(None);
        };
        cursor.take(length as usize).map(Some)
    }
}

impl<'a> Wire<'a> for &'a [u8] {
    #[inline]
    fn read<S: Spans>(cursor: &mut Cursor<'a>, version: i16, spans: &mut S) -> Read<Self> {
        let at = cursor.position();
        not_null(Wire::read(cursor, version, spans)?, at)
    }
}

/// A string field: bytes that ought to be UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Text<'a>(pub(super) &'a [u8]);

impl<'a> Text<'a> {
    /// A string that holds these bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes as they stand there.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// Whether the bytes are UTF-8.
    #[must_use]
    pub fn is_valid(self) -> bool {
        std::str::from_utf8(self.0).is_ok()
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The string as Kafka sees it: what is no UTF-8 is replaced exactly as Java replaces it.
    #[must_use]
    pub fn to_str(self) -> Cow<'a, str> {
        match std::str::from_utf8(self.0) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(super::java_utf8::decode(self.0)),
        }
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_str())
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_str())
    }
}

impl PartialEq<str> for Text<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}

/// The longest string that Kafka reads, in bytes.
pub const MAX_STRING: u32 = 0x7fff;

impl<'a> Wire<'a> for Option<Text<'a>> {
    #[inline]
    fn read<S: Spans>(cursor: &mut Cursor<'a>, _: i16, _: &mut S) -> Read<Self> {
        let at = cursor.position();
        let Some(length) = compact_length(cursor)? else {
            return Ok(None);
        };
        if length > MAX_STRING {
            return Err(Malformed {
                at,
                what: Fault::LongString(length),
            });
        }
        cursor.take(length as usize).map(|bytes| Some(Text(bytes)))
    }
}

impl<'a> Wire<'a> for Text<'a> {
    #[inline]
    fn read<S: Spans>(cursor: &mut Cursor<'a>, version: i16, spans: &mut S) -> Read<Self> {
        let at = cursor.position();
        not_null(Wire::read(cursor, version, spans)?, at)
    }
}

/// A list field, read from its bytes again each time it is walked.
pub struct Array<'a, T> {
    bytes: &'a [u8],
    len: u32,
    version: i16,
    items: PhantomData<fn() -> T>,
}

impl<T> Clone for Array<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Array<'_, T> {}

impl<T> Default for Array<'_, T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T> Array<'_, T> {
    /// A list with nothing in it.
    pub const EMPTY: Self = Self {
        bytes: &[],
        len: 0,
        version: 0,
        items: PhantomData,
    };

    /// How many items it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<'a, T: Wire<'a>> Array<'a, T> {
    /// The items in order.
    #[inline]
    pub fn iter(&self) -> Items<'a, T> {
        Items {
            cursor: Cursor::new(self.bytes),
            left: self.len,
            version: self.version,
            items: PhantomData,
        }
    }

    /// The item at an index; in constant time for numbers and ids.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T> {
        if index >= self.len() {
            return None;
        }
        let Some(size) = T::SIZE else {
            return self.iter().nth(index);
        };
        let mut cursor = Cursor::at(self.bytes, index.saturating_mul(size));
        T::read(&mut cursor, self.version, &mut ()).ok()
    }

    /// The first item.
    #[must_use]
    pub fn first(&self) -> Option<T> {
        self.get(0)
    }

    /// Whether an item equals this one.
    #[must_use]
    pub fn contains(&self, item: &T) -> bool
    where
        T: PartialEq,
    {
        self.iter().any(|i| i == *item)
    }

    /// The items in a vector.
    #[must_use]
    pub fn to_vec(&self) -> Vec<T> {
        self.iter().collect()
    }
}

impl<'a, T: Wire<'a>> Wire<'a> for Option<Array<'a, T>> {
    #[inline]
    fn read<S: Spans>(cursor: &mut Cursor<'a>, version: i16, spans: &mut S) -> Read<Self> {
        let at = cursor.position();
        let Some(len) = compact_length(cursor)? else {
            return Ok(None);
        };
        let bytes = if let Some(size) = T::SIZE {
            let wanted = u64::from(len).saturating_mul(size as u64);
            cursor.take(usize::try_from(wanted).unwrap_or(usize::MAX))?
        } else {
            // Nothing takes less than one byte, so that the loop ends with the bytes.
            if len as usize > cursor.left() {
                let what = Fault::Short {
                    wanted: len.into(),
                    left: cursor.left() as u64,
                };
                return Err(Malformed { at, what });
            }
            let from = cursor.position();
            for _ in 0..len {
                T::read(cursor, version, spans)?;
            }
            cursor.since(from)
        };
        Ok(Some(Array {
            bytes,
            len,
            version,
            items: PhantomData,
        }))
    }
}

impl<'a, T: Wire<'a>> Wire<'a> for Array<'a, T> {
    #[inline]
    fn read<S: Spans>(cursor: &mut Cursor<'a>, version: i16, spans: &mut S) -> Read<Self> {
        let at = cursor.position();
        not_null(Wire::read(cursor, version, spans)?, at)
    }
}

impl<T> PartialEq for Array<'_, T> {
    /// Equal bytes are equal items at one record version.
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes && self.len == other.len
    }
}

impl<T> Eq for Array<'_, T> {}

impl<'a, T: Wire<'a> + fmt::Debug> fmt::Debug for Array<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T: Wire<'a>> IntoIterator for Array<'a, T> {
    type Item = T;
    type IntoIter = Items<'a, T>;

    fn into_iter(self) -> Items<'a, T> {
        self.iter()
    }
}

/// The items of an [`Array`].
pub struct Items<'a, T> {
    cursor: Cursor<'a>,
    left: u32,
    version: i16,
    items: PhantomData<fn() -> T>,
}

impl<T> Clone for Items<'_, T> {
    fn clone(&self) -> Self {
        Self {
            items: PhantomData,
            ..*self
        }
    }
}

impl<T> fmt::Debug for Items<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Items({} left)", self.left)
    }
}

impl<'a, T: Wire<'a>> Iterator for Items<'a, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        T::read(&mut self.cursor, self.version, &mut ()).ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl<'a, T: Wire<'a>> ExactSizeIterator for Items<'a, T> {}

/// A field that only some versions have, or a tagged one. Each state carries the value that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field<T> {
    /// The record's version does not have it; the schema default stands in.
    NotInVersion(T),
    /// The version has it as a tagged field, and the record leaves it out, which means the schema
    /// default.
    Default(T),
    /// The record holds it. It may still equal the default.
    Present(T),
}

impl<T> Field<T> {
    /// The value that counts.
    #[inline]
    pub fn value(self) -> T {
        match self {
            Self::NotInVersion(value) | Self::Default(value) | Self::Present(value) => value,
        }
    }

    /// The value, when the record holds it.
    #[inline]
    pub fn present(self) -> Option<T> {
        match self {
            Self::Present(value) => Some(value),
            _ => None,
        }
    }

    /// Whether the record holds it.
    #[inline]
    pub fn is_present(&self) -> bool {
        matches!(self, Self::Present(_))
    }

    /// Another value in the same state.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Field<U> {
        match self {
            Self::NotInVersion(value) => Field::NotInVersion(f(value)),
            Self::Default(value) => Field::Default(f(value)),
            Self::Present(value) => Field::Present(f(value)),
        }
    }
}

/// Reads a field and tells where it stands.
#[inline(always)]
pub(super) fn field<'a, T: Wire<'a>, S: Spans>(
    cursor: &mut Cursor<'a>,
    version: i16,
    spans: &mut S,
    name: &'static str,
) -> Read<T> {
    let start = cursor.position();
    let value = T::read(cursor, version, spans)?;
    spans.field(name, start, cursor.position());
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(bytes: &[u8]) -> Read<Option<Array<'_, i32>>> {
        Wire::read(&mut Cursor::new(bytes), 0, &mut ())
    }

    #[test]
    fn arrays_of_numbers() {
        let bytes = [
            3, // two items
            0, 0, 0, 7, // 7
            0xff, 0xff, 0xff, 0xff, // -1
        ];
        let two = array(&bytes).unwrap().unwrap();
        assert_eq!(two.to_vec(), [7, -1]);
        assert_eq!((two.len(), two.get(1), two.get(2)), (2, Some(-1), None));
        assert!(two.contains(&7) && !two.contains(&0));
        assert_eq!(array(&[0]).unwrap(), None);
        assert!(array(&[1]).unwrap().unwrap().is_empty());
        // 2^32 - 2 items announced, none there
        assert!(array(&[0xff, 0xff, 0xff, 0xff, 0x0f]).is_err());
    }

    #[test]
    fn strings_end_at_32767_bytes() {
        let mut bytes = vec![0x80, 0x80, 0x02]; // 32768: a length of 32767
        bytes.resize(3 + 32767, b'x');
        let text: Text<'_> = Wire::read(&mut Cursor::new(&bytes), 0, &mut ()).unwrap();
        assert_eq!(text.bytes().len(), 32767);
        bytes[0] = 0x81; // one more
        bytes.push(b'x');
        let fault = <Text<'_>>::read(&mut Cursor::new(&bytes), 0, &mut ()).unwrap_err();
        assert_eq!(
            fault,
            Malformed {
                at: 0,
                what: Fault::LongString(32768)
            }
        );
        let null = <Text<'_>>::read(&mut Cursor::new(&[0]), 0, &mut ()).unwrap_err();
        assert_eq!(
            null,
            Malformed {
                at: 0,
                what: Fault::Null
            }
        );
    }
}
