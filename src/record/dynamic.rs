//! Records read by schema: any record of any set of schemas, field by field.
//!
//! Reading a record walks it once, to check it and to find its end. Its values are then read where they
//! stand each time they are asked for, so that memory never depends on what counts the input names.

mod reader;

pub(super) use reader::Rules;

use super::control::{ControlFault, control_schema_version, control_type};
use super::frame::{Frame, FrameFault};
use super::owned::{Fields, Owned};
use super::value::{Field, Text};
use crate::bytes::{Cursor, Malformed};
use crate::ids::Uuid;
use crate::schema::{self, Default, Record, Schemas, Type};
use reader::{Reader, Tagged};
use std::ops::Range;

/// A metadata record and the bytes after it.
#[derive(Clone, Copy, Debug)]
pub struct Decoded<'a> {
    /// The frame it came in.
    pub frame: Frame<'a>,
    /// Its schema.
    pub schema: &'a Record,
    /// Its fields.
    pub data: Struct<'a>,
    /// The bytes after it. Kafka refuses a record that has some.
    pub leftover: &'a [u8],
}

/// Why a value cannot be read by schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Undecoded<'a> {
    /// The value has no frame.
    Frame(FrameFault),
    /// No record has this apiKey.
    UnknownType(Frame<'a>),
    /// The record is known, but not at a version this high.
    UnknownVersion(Frame<'a>),
    /// The body is not what its type and version say. Positions count from the start of the value.
    Body(Frame<'a>, Malformed),
}

/// A control record that has a schema.
#[derive(Clone, Copy, Debug)]
pub struct DecodedControl<'a> {
    /// Its schema.
    pub schema: &'a Record,
    /// Its fields.
    pub data: Struct<'a>,
    /// The bytes after it. Kafka ignores them.
    pub leftover: &'a [u8],
}

/// Reads the value of a metadata record by schema. A null value is read as an empty one.
///
/// # Errors
/// [`Undecoded`] says how far reading came.
pub fn decode<'a>(schemas: &'a Schemas, value: &'a [u8]) -> Result<Decoded<'a>, Undecoded<'a>> {
    let frame = Frame::parse(value).map_err(Undecoded::Frame)?;
    let schema = schemas
        .metadata(frame.api_key)
        .ok_or(Undecoded::UnknownType(frame))?;
    if !schema.versions.contains(frame.version) {
        return Err(Undecoded::UnknownVersion(frame));
    }
    decode_body(schema, frame, value, Rules::Strict)
}

pub(super) fn decode_body<'a>(
    schema: &'a Record,
    frame: Frame<'a>,
    value: &'a [u8],
    rules: Rules,
) -> Result<Decoded<'a>, Undecoded<'a>> {
    let mut cursor = Cursor::at(value, frame.body_at);
    let data = Reader::new(schema, frame.version, rules)
        .structure(&schema.layout, &mut cursor, value)
        .map_err(|fault| Undecoded::Body(frame, fault))?;
    Ok(Decoded {
        frame,
        schema,
        data,
        leftover: cursor.rest(),
    })
}

/// Reads a control record by schema; nothing for a type that has none.
///
/// # Errors
/// When the key or the value cannot be read.
pub fn decode_control<'a>(
    schemas: &'a Schemas,
    key: &[u8],
    value: &'a [u8],
) -> Result<Option<DecodedControl<'a>>, ControlFault> {
    let type_id = control_type(key)?;
    let Some(schema) = schemas.control(type_id) else {
        return Ok(None);
    };
    let version = control_schema_version(type_id, value);
    let mut cursor = Cursor::new(value);
    let data = Reader::new(schema, version, Rules::Strict)
        .structure(&schema.layout, &mut cursor, value)
        .map_err(|fault| ControlFault::Value { type_id, fault })?;
    Ok(Some(DecodedControl {
        schema,
        data,
        leftover: cursor.rest(),
    }))
}

/// A value of a field or list item.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// Null, also an absent nested struct.
    Null,
    /// A boolean.
    Bool(bool),
    /// A signed integer of any width.
    Int(i64),
    /// An unsigned 16-bit integer.
    Uint16(u16),
    /// A double.
    Float(f64),
    /// An id.
    Uuid(Uuid),
    /// A string.
    Text(Text<'a>),
    /// Bytes.
    Bytes(&'a [u8]),
    /// A list.
    Array(List<'a>),
    /// A nested struct.
    Struct(Struct<'a>),
}

/// A field of a [`Struct`].
#[derive(Clone, Debug)]
pub struct FieldView<'a> {
    /// Its index in the schema's fields.
    pub index: usize,
    /// Its schema.
    pub field: &'a schema::Field,
    /// Its value and whether the record holds it.
    pub value: Field<Value<'a>>,
    /// Its bytes in the value of the record, when the record holds it.
    pub span: Option<Range<usize>>,
}

/// A record or nested struct, read where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Struct<'a> {
    layout: &'a schema::Struct,
    reader: Reader,
    value: &'a [u8],
    start: usize,
    tags_at: usize,
    end: usize,
}

/// A list, read where it stands.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    item: &'a Type,
    reader: Reader,
    value: &'a [u8],
    start: usize,
    len: u32,
}

impl<'a> Struct<'a> {
    /// The name of its schema: of the record, or of the nested struct.
    #[must_use]
    pub fn name(&self) -> &'a str {
        &self.layout.name
    }

    /// Its schema.
    #[must_use]
    pub fn layout(&self) -> &'a schema::Struct {
        self.layout
    }

    /// The version that it was read by.
    #[must_use]
    pub fn version(&self) -> i16 {
        self.reader.version
    }

    /// Its bytes in the value of the record.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Every field of the schema in schema order, absent ones too.
    pub fn fields(&self) -> impl Iterator<Item = FieldView<'a>> + use<'a> {
        let this = *self;
        let mut cursor = Cursor::at(self.value, self.start);
        this.layout
            .fields
            .iter()
            .enumerate()
            .map_while(move |(index, field)| {
                let absent = default(field);
                let (value, span) = if !field.versions.contains(this.reader.version) {
                    (Field::NotInVersion(absent), None)
                } else if field.tag.is_some() {
                    match this.tagged(index) {
                        Some((value, span)) => (Field::Present(value), Some(span)),
                        None => (Field::Default(absent), None),
                    }
                } else {
                    let start = cursor.position();
                    let value = this.reader.field(field, &mut cursor, this.value).ok()?;
                    (Field::Present(value), Some(start..cursor.position()))
                };
                Some(FieldView {
                    index,
                    field,
                    value,
                    span,
                })
            })
    }

    /// A field by its schema name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<FieldView<'a>> {
        self.fields().find(|f| f.field.name == name)
    }

    /// A tagged field that the record holds. The last of several counts.
    fn tagged(&self, wanted: usize) -> Option<(Value<'a>, Range<usize>)> {
        let mut found = None;
        self.walk_tags(&mut |index| index == wanted, &mut |tag| {
            if let Some((index, Some(value))) = tag.known
                && index == wanted
            {
                found = Some((value, tag.span));
            }
        });
        found
    }

    /// Tells each tagged field that the schema does not know: its tag and where its bytes stand in the
    /// value of the record.
    pub fn unknown_tags(&self, visit: &mut dyn FnMut(u32, Range<usize>)) {
        self.walk_tags(&mut |_| false, &mut |tag| {
            if tag.known.is_none() {
                visit(tag.tag, tag.span);
            }
        });
    }

    fn walk_tags(&self, wanted: &mut dyn FnMut(usize) -> bool, visit: &mut dyn FnMut(Tagged<'a>)) {
        let mut cursor = Cursor::at(self.value, self.tags_at);
        let read = self
            .reader
            .tags(self.layout, &mut cursor, self.value, wanted, visit);
        debug_assert!(
            read.is_ok(),
            "the section was walked when the struct was read"
        );
    }

    /// The bytes of a span.
    #[must_use]
    pub fn bytes(&self, span: Range<usize>) -> &'a [u8] {
        self.value.get(span).unwrap_or_default()
    }
}

/// What a field means when it is absent.
fn default<'a>(field: &'a schema::Field) -> Value<'a> {
    match (&field.default, &field.kind) {
        (Default::Null, _) | (_, Type::Struct(_)) => Value::Null,
        (Default::Int(n), Type::Bool) => Value::Bool(*n != 0),
        (Default::Int(n), Type::Uint16) => Value::Uint16(u16::try_from(*n).unwrap_or_default()),
        (Default::Int(n), _) => Value::Int(*n),
        (Default::Float(n), _) => Value::Float(*n),
        (Default::Zero, Type::Bool) => Value::Bool(false),
        (Default::Zero, Type::Uint16) => Value::Uint16(0),
        (Default::Zero, Type::Float64) => Value::Float(0.0),
        (Default::Zero, Type::Uuid) => Value::Uuid(Uuid::ZERO),
        (Default::Zero, Type::String) => Value::Text(Text::default()),
        (Default::Zero, Type::Bytes) => Value::Bytes(&[]),
        (Default::Zero, Type::Array(item)) => {
            let reader = Reader {
                version: 0,
                highest: 0,
                rules: Rules::Strict,
            };
            Value::Array(List {
                item,
                reader,
                value: &[],
                start: 0,
                len: 0,
            })
        }
        (Default::Zero, _) => Value::Int(0),
    }
}

impl FieldView<'_> {
    /// Whether its value is the schema default.
    #[must_use]
    pub fn is_default(&self) -> bool {
        match (self.value.value(), default(self.field)) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Uint16(a), Value::Uint16(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b,
            (Value::Uuid(a), Value::Uuid(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => a.is_empty() && b.is_empty(),
            _ => false,
        }
    }
}

impl<'a> List<'a> {
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

    /// The items in order, with their bytes in the value of the record.
    pub fn iter(&self) -> impl Iterator<Item = (Value<'a>, Range<usize>)> + use<'a> {
        let this = *self;
        let mut cursor = Cursor::at(self.value, self.start);
        (0..self.len).map_while(move |_| {
            let start = cursor.position();
            let value = this.reader.item(this.item, &mut cursor, this.value).ok()?;
            Some((value, start..cursor.position()))
        })
    }
}

impl From<Value<'_>> for Owned {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(b) => Self::Bool(b),
            Value::Int(n) => Self::Int(n),
            Value::Uint16(n) => Self::Int(n.into()),
            Value::Float(n) => Self::Float(n),
            Value::Uuid(id) => Self::Uuid(id),
            Value::Text(text) => text.into(),
            Value::Bytes(bytes) => bytes.into(),
            Value::Array(list) => Self::List(list.iter().map(|(item, _)| item.into()).collect()),
            Value::Struct(inner) => Self::Struct(Fields::from(inner)),
        }
    }
}

impl From<Struct<'_>> for Fields {
    /// The fields that the record holds, and its unknown tags.
    fn from(record: Struct<'_>) -> Self {
        let mut fields = Self::default();
        for view in record.fields() {
            if let Field::Present(value) = view.value {
                fields.put(&view.field.name, value.into());
            }
        }
        record.unknown_tags(&mut |tag, span| fields.tags.push((tag, record.bytes(span).to_vec())));
        fields
    }
}
