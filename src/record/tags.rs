//! Tagged fields at the end of a struct: those that the schema knows, on their way to the typed record,
//! and those that it does not, kept as bytes.

use super::value::{Spans, Wire, field};
use crate::bytes::{Cursor, Fault, Malformed, Read};
use std::fmt;

/// The tagged fields of a struct that its schema does not know.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tags<'a> {
    /// The section after its count, known fields included.
    bytes: &'a [u8],
    /// Bit n is set when the schema knows tag n.
    known: u32,
    unknown: u32,
}

impl<'a> Tags<'a> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.unknown as usize
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.unknown == 0
    }

    /// Each tag and its bytes, in their order in the record.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &'a [u8])> + use<'a> {
        let mut cursor = Cursor::new(if self.unknown == 0 { &[] } else { self.bytes });
        let known = self.known;
        std::iter::from_fn(move || {
            let tag = cursor.uvarint().ok()?;
            let size = cursor.uvarint().ok()?;
            Some((tag, cursor.take(size as usize).ok()?))
        })
        .filter(move |(tag, _)| !is_known(known, *tag))
    }
}

impl fmt::Debug for Tags<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

fn is_known(known: u32, tag: u32) -> bool {
    known.checked_shr(tag).is_some_and(|bits| bits & 1 == 1)
}

/// A walk over the tagged fields at the end of a struct.
// Kafka: the generated readers take tags in any order, and the last of several counts; so do we.
pub(super) struct TagWalk {
    left: u32,
    start: usize,
    known: u32,
    unknown: u32,
}

/// One tagged field, and a cursor over its value that sees nothing behind it.
pub(super) struct Tag<'a> {
    pub(super) number: u32,
    pub(super) value: Cursor<'a>,
}

impl TagWalk {
    /// Begins at the count of a section, given which tags the schema knows.
    #[inline(always)]
    pub(super) fn new(cursor: &mut Cursor<'_>, known: u32) -> Read<Self> {
        let at = cursor.position();
        let left = cursor.uvarint()?;
        // Each takes at least its tag and its size.
        let wanted = u64::from(left).saturating_mul(2);
        if wanted > cursor.left() as u64 {
            let what = Fault::Short {
                wanted,
                left: cursor.left() as u64,
            };
            return Err(Malformed { at, what });
        }
        Ok(Self {
            left,
            start: cursor.position(),
            known,
            unknown: 0,
        })
    }

    /// The next field that the schema knows; unknown ones are told to `spans`.
    #[inline(always)]
    pub(super) fn next<'a, S: Spans>(
        &mut self,
        cursor: &mut Cursor<'a>,
        spans: &mut S,
    ) -> Read<Option<Tag<'a>>> {
        while let Some(left) = self.left.checked_sub(1) {
            self.left = left;
            let number = cursor.uvarint()?;
            let size = cursor.uvarint()?;
            let start = cursor.position();
            cursor.take(size as usize)?;
            if is_known(self.known, number) {
                return Ok(Some(Tag {
                    number,
                    value: Cursor::at(cursor.since(0), start),
                }));
            }
            self.unknown = self.unknown.saturating_add(1);
            spans.unknown_tag(number, start, cursor.position());
        }
        Ok(None)
    }

    /// Passes over the fields of a struct whose schema has no tagged ones.
    #[inline(always)]
    pub(super) fn skip_unknown<'a, S: Spans>(
        &mut self,
        cursor: &mut Cursor<'a>,
        spans: &mut S,
    ) -> Read<()> {
        while self.next(cursor, spans)?.is_some() {}
        Ok(())
    }

    /// The fields that the schema does not know.
    #[inline(always)]
    pub(super) fn finish<'a>(self, cursor: &Cursor<'a>) -> Tags<'a> {
        Tags {
            bytes: cursor.since(self.start),
            known: self.known,
            unknown: self.unknown,
        }
    }
}

impl<'a> Tag<'a> {
    /// Reads the value, which must fill the announced size.
    // Kafka: the generated readers pass over the size of a known tag and read by its type.
    pub(super) fn read<T: Wire<'a>, S: Spans>(
        mut self,
        version: i16,
        spans: &mut S,
        name: &'static str,
    ) -> Read<T> {
        let (at, size) = (self.value.position(), self.value.left());
        let value = match field(&mut self.value, version, spans, name) {
            Ok(value) if self.value.left() == 0 => value,
            Ok(_) => {
                let used = size.saturating_sub(self.value.left()) as u64;
                return Err(self.wrong_size(at, size, used));
            }
            Err(Malformed {
                what: Fault::Short { wanted, left },
                ..
            }) => {
                let used = (size as u64).saturating_sub(left).saturating_add(wanted);
                return Err(self.wrong_size(at, size, used));
            }
            Err(fault) => return Err(fault),
        };
        Ok(value)
    }

    fn wrong_size(&self, at: usize, size: usize, used: u64) -> Malformed {
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        Malformed {
            at,
            what: Fault::TagSize {
                tag: self.number,
                size,
                used,
            },
        }
    }

    /// A tag that the schema knows, at a version without it.
    // Kafka: the generated readers refuse the record then.
    pub(super) fn not_in_version(&self) -> Malformed {
        self.value.fault(Fault::TagNotInVersion(self.number))
    }
}
