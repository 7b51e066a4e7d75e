//! The walk over the bytes of a record by its schema.

use super::{List, Struct, Value};
use crate::bytes::{Cursor, Fault, Malformed, Read};
use crate::record::value::{MAX_STRING, Text};
use crate::schema::{self, Record, Type};
use std::ops::Range;

/// What counts as well-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::record) enum Rules {
    /// Everything must be as announced.
    Strict,
    /// What Kafka's generated readers take: known tagged fields are read by type whatever their size.
    Kafka,
}

/// A tagged field.
pub(super) struct Tagged<'a> {
    pub(super) tag: u32,
    pub(super) span: Range<usize>,
    /// The index of a field that the schema knows, and its value when it was asked for.
    pub(super) known: Option<(usize, Option<Value<'a>>)>,
}

/// Moves over values of a record at one version, checking them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader {
    pub(super) version: i16,
    pub(super) highest: i16,
    pub(super) rules: Rules,
}

impl Reader {
    pub(super) fn new(schema: &Record, version: i16, rules: Rules) -> Self {
        // Kafka: a version that is negative as a short meets only lower bounds of 0 and conditions
        // above it.
        Self {
            version: version.max(0),
            highest: schema.versions.highest(),
            rules,
        }
    }

    /// Reads the length or count of something; 0 is null.
    pub(super) fn compact_length(self, cursor: &mut Cursor<'_>) -> Read<Option<u32>> {
        let length = crate::record::value::compact_length(cursor)?;
        // Kafka: a length that is negative as an int is null too.
        Ok(length.filter(|&n| self.rules == Rules::Strict || i32::try_from(n).is_ok()))
    }

    /// Reads a struct and moves past it.
    pub(super) fn structure<'a>(
        self,
        layout: &'a schema::Struct,
        cursor: &mut Cursor<'a>,
        value: &'a [u8],
    ) -> Read<Struct<'a>> {
        let start = cursor.position();
        for field in &layout.fields {
            if field.tag.is_none() && field.versions.contains(self.version) {
                self.field(field, cursor, value)?;
            }
        }
        let tags_at = cursor.position();
        self.tags(layout, cursor, value, &mut |_| true, &mut |_| {})?;
        let end = cursor.position();
        Ok(Struct {
            layout,
            reader: self,
            value,
            start,
            tags_at,
            end,
        })
    }

    /// Walks a section of tagged fields, telling the value of those that are wanted.
    pub(super) fn tags<'a>(
        self,
        layout: &'a schema::Struct,
        cursor: &mut Cursor<'a>,
        value: &'a [u8],
        wanted: &mut dyn FnMut(usize) -> bool,
        visit: &mut dyn FnMut(Tagged<'a>),
    ) -> Read<()> {
        let at = cursor.position();
        let count = cursor.uvarint()?;
        let least = u64::from(count).saturating_mul(2);
        if least > cursor.left() as u64 {
            let what = Fault::Short {
                wanted: least,
                left: cursor.left() as u64,
            };
            return Err(Malformed { at, what });
        }
        for _ in 0..count {
            let tag = cursor.uvarint()?;
            let size = cursor.uvarint()?;
            let start = cursor.position();
            let known = layout.tagged(tag);
            if known.is_none() || self.rules == Rules::Strict {
                cursor.take(size as usize)?;
            }
            let Some((index, field)) = known else {
                let span = start..cursor.position();
                visit(Tagged {
                    tag,
                    span,
                    known: None,
                });
                continue;
            };
            if !field.versions.contains(self.version) {
                return Err(Malformed {
                    at: start,
                    what: Fault::TagNotInVersion(tag),
                });
            }
            let read = if self.rules == Rules::Kafka {
                Some(self.field(field, cursor, value)?)
            } else if wanted(index) {
                let mut inside = Cursor::at(cursor.since(0), start);
                Some(self.whole(field, tag, &mut inside, value)?)
            } else {
                None
            };
            let span = start..cursor.position();
            visit(Tagged {
                tag,
                span,
                known: Some((index, read)),
            });
        }
        Ok(())
    }

    /// Reads a tagged value, which must fill its size.
    pub(super) fn whole<'a>(
        self,
        field: &'a schema::Field,
        tag: u32,
        cursor: &mut Cursor<'a>,
        value: &'a [u8],
    ) -> Read<Value<'a>> {
        let (at, size) = (cursor.position(), cursor.left());
        let wrong = |used: u64| {
            let size = u32::try_from(size).unwrap_or(u32::MAX);
            Malformed {
                at,
                what: Fault::TagSize { tag, size, used },
            }
        };
        match self.field(field, cursor, value) {
            Ok(read) if cursor.left() == 0 => Ok(read),
            Ok(_) => Err(wrong(size.saturating_sub(cursor.left()) as u64)),
            Err(Malformed {
                what: Fault::Short { wanted, left },
                ..
            }) => Err(wrong(
                (size as u64).saturating_sub(left).saturating_add(wanted),
            )),
            Err(fault) => Err(fault),
        }
    }

    pub(super) fn field<'a>(
        self,
        field: &'a schema::Field,
        cursor: &mut Cursor<'a>,
        value: &'a [u8],
    ) -> Read<Value<'a>> {
        let at = cursor.position();
        match self.value(&field.kind, cursor, value)? {
            Value::Null if !field.nullable.contains(self.version) => Err(Malformed {
                at,
                what: Fault::Null,
            }),
            read => Ok(read),
        }
    }

    /// Reads a value and moves past it.
    pub(super) fn value<'a>(
        self,
        kind: &'a Type,
        cursor: &mut Cursor<'a>,
        value: &'a [u8],
    ) -> Read<Value<'a>> {
        Ok(match kind {
            Type::Bool => Value::Bool(cursor.u8()? != 0),
            Type::Int8 => Value::Int(cursor.i8()?.into()),
            Type::Int16 => Value::Int(cursor.i16()?.into()),
            Type::Uint16 => Value::Uint16(cursor.u16()?),
            Type::Int32 => Value::Int(cursor.i32()?.into()),
            Type::Int64 => Value::Int(cursor.i64()?),
            Type::Float64 => Value::Float(cursor.f64()?),
            Type::Uuid => Value::Uuid(cursor.uuid()?),
            Type::String => {
                let at = cursor.position();
                let Some(length) = self.compact_length(cursor)? else {
                    return Ok(Value::Null);
                };
                if length > MAX_STRING {
                    return Err(Malformed {
                        at,
                        what: Fault::LongString(length),
                    });
                }
                Value::Text(Text::new(cursor.take(length as usize)?))
            }
            Type::Bytes => {
                let Some(length) = self.compact_length(cursor)? else {
                    return Ok(Value::Null);
                };
                Value::Bytes(cursor.take(length as usize)?)
            }
            Type::Array(item) => {
                let at = cursor.position();
                let Some(len) = self.compact_length(cursor)? else {
                    return Ok(Value::Null);
                };
                let start;
                if let Some(size) = fixed_size(item) {
                    start = cursor.position();
                    let wanted = u64::from(len).saturating_mul(size);
                    cursor.take(usize::try_from(wanted).unwrap_or(usize::MAX))?;
                } else {
                    // Nothing takes less than one byte, so that the loop ends with the bytes.
                    if len as usize > cursor.left() {
                        let what = Fault::Short {
                            wanted: len.into(),
                            left: cursor.left() as u64,
                        };
                        return Err(Malformed { at, what });
                    }
                    start = cursor.position();
                    for _ in 0..len {
                        self.item(item, cursor, value)?;
                    }
                }
                Value::Array(List {
                    item,
                    reader: self,
                    value,
                    start,
                    len,
                })
            }
            Type::Struct(layout) => {
                // Kafka: only nested structs refuse a version that their schema does not know.
                if self.version > self.highest {
                    return Err(cursor.fault(Fault::Version(self.version)));
                }
                Value::Struct(self.structure(layout, cursor, value)?)
            }
        })
    }

    pub(super) fn item<'a>(
        self,
        kind: &'a Type,
        cursor: &mut Cursor<'a>,
        value: &'a [u8],
    ) -> Read<Value<'a>> {
        let at = cursor.position();
        match self.value(kind, cursor, value)? {
            Value::Null => Err(Malformed {
                at,
                what: Fault::Null,
            }),
            read => Ok(read),
        }
    }
}

/// How many bytes each value of a type takes, when all take the same.
fn fixed_size(kind: &Type) -> Option<u64> {
    match kind {
        Type::Bool | Type::Int8 => Some(1),
        Type::Int16 | Type::Uint16 => Some(2),
        Type::Int32 => Some(4),
        Type::Int64 | Type::Float64 => Some(8),
        Type::Uuid => Some(16),
        Type::String | Type::Bytes | Type::Array(_) | Type::Struct(_) => None,
    }
}
