//! Writes records by schema, as Kafka writes them: tagged fields that equal their default are left
//! out, tags rise. Bytes that a schema does not foresee can be added, to make damaged records.

use super::owned::{Fields, Owned};
use super::value::MAX_STRING;
use crate::bytes::put_uvarint;
use crate::ids::Uuid;
use crate::schema::{Default, Field, Record, Schemas, Struct, Type};
use std::fmt;

/// Why a record cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodeFault {
    /// The record and field, such as `TopicRecord.Name`.
    pub path: String,
    /// What is wrong with it.
    pub what: EncodeFaultKind,
}

/// What is wrong with a record to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeFaultKind {
    /// No schema has this name.
    UnknownRecord,
    /// The schema does not know this version.
    UnknownVersion(i16),
    /// The schema has no such field.
    UnknownField,
    /// The field is set to something else than its default, and the version does not have it.
    NotInVersion(i16),
    /// The value has another type than the field.
    WrongType,
    /// The value is beyond the range of the field's type.
    OutOfRange,
    /// Null where none may be.
    Null,
    /// A string above 32767 bytes, or a list or bytes above 2^31 - 2.
    TooLong,
}

impl fmt::Display for EncodeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path)?;
        match self.what {
            EncodeFaultKind::UnknownRecord => f.write_str("no record has this name"),
            EncodeFaultKind::UnknownVersion(v) => write!(f, "version {v} is unknown"),
            EncodeFaultKind::UnknownField => f.write_str("no such field"),
            EncodeFaultKind::NotInVersion(v) => write!(f, "not in version {v}"),
            EncodeFaultKind::WrongType => f.write_str("a value of another type"),
            EncodeFaultKind::OutOfRange => f.write_str("beyond the range of its type"),
            EncodeFaultKind::Null => f.write_str("null where none may be"),
            EncodeFaultKind::TooLong => f.write_str("too long"),
        }
    }
}

impl std::error::Error for EncodeFault {}

type Encode<T> = Result<T, EncodeFault>;

/// A record to be written, by its schema name.
///
/// ```
/// use kraftlens::{ids::Uuid, record::record};
/// let topic = record("TopicRecord", 0).set("Name", "orders").set("TopicId", Uuid::LOST);
/// let value = topic.to_bytes()?;
/// # Ok::<(), kraftlens::record::EncodeFault>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RecordBuilder {
    name: String,
    version: i16,
    fields: Fields,
    leftover: Vec<u8>,
}

/// A metadata or control record with no fields set. A control record's own field `Version` is set to
/// the version.
#[must_use]
pub fn record(name: &str, version: i16) -> RecordBuilder {
    let mut fields = Fields::default();
    if Schemas::builtin()
        .all_control()
        .iter()
        .any(|r| r.name() == name)
    {
        fields.put("Version", version.into());
    }
    RecordBuilder {
        name: name.to_owned(),
        version,
        fields,
        leftover: Vec::new(),
    }
}

impl RecordBuilder {
    /// Sets a field by its schema name.
    #[must_use]
    pub fn set(mut self, name: &str, value: impl Into<Owned>) -> Self {
        self.fields.put(name, value.into());
        self
    }

    /// Adds a tagged field as raw bytes, whatever the schema says of its tag.
    #[must_use]
    pub fn tag(mut self, tag: u32, bytes: impl Into<Vec<u8>>) -> Self {
        self.fields = self.fields.tag(tag, bytes);
        self
    }

    /// Adds bytes after the record.
    #[must_use]
    pub fn leftover(mut self, bytes: &[u8]) -> Self {
        self.leftover.extend_from_slice(bytes);
        self
    }

    /// The fields set so far.
    #[must_use]
    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// The value of the record: a metadata record with its frame, a control record as it is.
    ///
    /// # Errors
    /// When no such record, version or field exists, or a value does not fit its field.
    pub fn to_bytes(&self) -> Encode<Vec<u8>> {
        let schema = self.schema()?;
        let mut out = Vec::new();
        if Schemas::builtin()
            .metadata(schema.key)
            .is_some_and(|r| r.name() == self.name)
        {
            put_frame(&mut out, schema.key, self.version);
        }
        out.extend(encode(schema, self.version, &self.fields)?);
        out.extend_from_slice(&self.leftover);
        Ok(out)
    }

    /// The key of the record: none for a metadata record.
    ///
    /// # Errors
    /// When no such record exists.
    pub fn key(&self) -> Encode<Option<Vec<u8>>> {
        let schema = self.schema()?;
        let control = Schemas::builtin()
            .control(schema.key)
            .filter(|r| r.name() == self.name);
        Ok(control.map(|r| control_key(r.key).to_vec()))
    }

    fn schema(&self) -> Encode<&'static Record> {
        let found = Schemas::builtin().by_name(&self.name).map(|r| &**r);
        found.ok_or_else(|| fault(&self.name, EncodeFaultKind::UnknownRecord))
    }
}

/// The key of a control record of a type.
#[must_use]
pub fn control_key(type_id: i16) -> [u8; 4] {
    let [high, low] = type_id.to_be_bytes();
    [0, 0, high, low]
}

/// Appends the frame of a metadata record. Numbers below 0 are written as no reader takes them.
pub fn put_frame(out: &mut Vec<u8>, api_key: i16, version: i16) {
    put_uvarint(out, 1);
    put_uvarint(out, i32::from(api_key) as u32);
    put_uvarint(out, i32::from(version) as u32);
}

/// Writes the body of a record by its schema.
///
/// # Errors
/// When the schema does not know the version or a field, or a value does not fit its field.
pub fn encode(schema: &Record, version: i16, fields: &Fields) -> Encode<Vec<u8>> {
    if !schema.versions.contains(version) {
        return Err(fault(
            schema.name(),
            EncodeFaultKind::UnknownVersion(version),
        ));
    }
    let mut out = Vec::new();
    put_struct(&mut out, &schema.layout, version, fields, schema.name())?;
    Ok(out)
}

fn fault(path: &str, what: EncodeFaultKind) -> EncodeFault {
    EncodeFault {
        path: path.to_owned(),
        what,
    }
}

fn put_struct(
    out: &mut Vec<u8>,
    layout: &Struct,
    version: i16,
    fields: &Fields,
    path: &str,
) -> Encode<()> {
    if let Some((name, _)) = fields.iter().find(|(name, _)| layout.field(name).is_none()) {
        return Err(fault(
            &format!("{path}.{name}"),
            EncodeFaultKind::UnknownField,
        ));
    }
    let mut tags = fields.tags.clone();
    for field in &layout.fields {
        let path = format!("{path}.{}", field.name);
        let value = fields.get(&field.name);
        let is_default = value.is_none_or(|value| *value == default(field));
        if !field.versions.contains(version) {
            if !is_default {
                return Err(fault(&path, EncodeFaultKind::NotInVersion(version)));
            }
        } else if let Some(tag) = field.tag {
            if let Some(value) = value.filter(|_| !is_default) {
                let mut bytes = Vec::new();
                put_field(&mut bytes, field, version, value, &path)?;
                tags.push((tag, bytes));
            }
        } else {
            match value {
                Some(value) => put_field(out, field, version, value, &path)?,
                None => put_field(out, field, version, &default(field), &path)?,
            }
        }
    }
    tags.sort_by_key(|(tag, _)| *tag);
    put_length(out, tags.len(), 0, path)?;
    for (tag, bytes) in tags {
        put_uvarint(out, tag);
        put_length(out, bytes.len(), 0, path)?;
        out.extend(bytes);
    }
    Ok(())
}

/// What a field means when it is not set.
pub(super) fn default(field: &Field) -> Owned {
    match (&field.default, &field.kind) {
        (Default::Null, _) => Owned::Null,
        (Default::Int(n), Type::Bool) => Owned::Bool(*n != 0),
        (Default::Int(n), _) => Owned::Int(*n),
        (Default::Float(n), _) => Owned::Float(*n),
        (Default::Zero, Type::Bool) => Owned::Bool(false),
        (Default::Zero, Type::Float64) => Owned::Float(0.0),
        (Default::Zero, Type::Uuid) => Owned::Uuid(Uuid::ZERO),
        (Default::Zero, Type::String) => Owned::Text(Vec::new()),
        (Default::Zero, Type::Bytes) => Owned::Bytes(Vec::new()),
        (Default::Zero, Type::Array(_)) => Owned::List(Vec::new()),
        (Default::Zero, Type::Struct(_)) => Owned::Struct(Fields::default()),
        (Default::Zero, _) => Owned::Int(0),
    }
}

fn put_field(
    out: &mut Vec<u8>,
    field: &Field,
    version: i16,
    value: &Owned,
    path: &str,
) -> Encode<()> {
    if *value == Owned::Null {
        if !field.nullable.contains(version) {
            return Err(fault(path, EncodeFaultKind::Null));
        }
        out.push(0);
        return Ok(());
    }
    put_value(out, &field.kind, version, value, path)
}

fn put_value(
    out: &mut Vec<u8>,
    kind: &Type,
    version: i16,
    value: &Owned,
    path: &str,
) -> Encode<()> {
    match (kind, value) {
        (Type::Bool, Owned::Bool(value)) => out.push(u8::from(*value)),
        (Type::Int8, Owned::Int(n)) => out.extend(narrow::<i8>(*n, path)?.to_be_bytes()),
        (Type::Int16, Owned::Int(n)) => out.extend(narrow::<i16>(*n, path)?.to_be_bytes()),
        (Type::Uint16, Owned::Int(n)) => out.extend(narrow::<u16>(*n, path)?.to_be_bytes()),
        (Type::Int32, Owned::Int(n)) => out.extend(narrow::<i32>(*n, path)?.to_be_bytes()),
        (Type::Int64, Owned::Int(n)) => out.extend(n.to_be_bytes()),
        (Type::Float64, Owned::Float(n)) => out.extend(n.to_be_bytes()),
        (Type::Uuid, Owned::Uuid(id)) => out.extend(id.0),
        (Type::String, Owned::Text(bytes)) => {
            if bytes.len() > MAX_STRING as usize {
                return Err(fault(path, EncodeFaultKind::TooLong));
            }
            put_length(out, bytes.len(), 1, path)?;
            out.extend(bytes);
        }
        (Type::Bytes, Owned::Bytes(bytes)) => {
            put_length(out, bytes.len(), 1, path)?;
            out.extend(bytes);
        }
        (Type::Array(item), Owned::List(items)) => {
            put_length(out, items.len(), 1, path)?;
            for value in items {
                put_value(out, item, version, value, path)?;
            }
        }
        (Type::Struct(layout), Owned::Struct(fields)) => {
            put_struct(out, layout, version, fields, path)?;
        }
        (_, Owned::Null) => return Err(fault(path, EncodeFaultKind::Null)),
        _ => return Err(fault(path, EncodeFaultKind::WrongType)),
    }
    Ok(())
}

fn narrow<T: TryFrom<i64>>(n: i64, path: &str) -> Encode<T> {
    T::try_from(n).map_err(|_| fault(path, EncodeFaultKind::OutOfRange))
}

fn put_length(out: &mut Vec<u8>, length: usize, more: u32, path: &str) -> Encode<()> {
    let length = i32::try_from(length)
        .ok()
        .and_then(|n| n.checked_add(more as i32));
    put_uvarint(
        out,
        length.ok_or_else(|| fault(path, EncodeFaultKind::TooLong))? as u32,
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fields;

    fn hex(text: &str) -> Vec<u8> {
        let digits: Vec<_> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
        let byte =
            |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        digits.chunks(2).map(byte).collect()
    }

    // The vectors of format.md 4.4, which Kafka wrote.
    #[test]
    fn records_are_written_as_kafka_writes_them() {
        let topic = Uuid(hex("00000000000000010000000000000002").try_into().unwrap());
        let change = record("PartitionChangeRecord", 2)
            .set("PartitionId", 3)
            .set("TopicId", topic)
            .set("Leader", -1)
            .set("Isr", [1, 2])
            .set("LeaderRecoveryState", 1)
            .set("EligibleLeaderReplicas", [5])
            .set("LastKnownElr", Vec::<i32>::new())
            .set("Directories", [Uuid::UNASSIGNED]);
        let quota = record("ClientQuotaRecord", 0)
            .set(
                "Entity",
                [fields()
                    .set("EntityType", "user")
                    .set("EntityName", Owned::Null)],
            )
            .set("Key", "k")
            .set("Value", 1024.5);
        for (record, bytes) in [
            (
                change,
                "01 05 02 00000003 0000000000000001 0000000000000002 06 00 09 03 00000001 00000002
                 01 04 ffffffff 05 01 01 06 05 02 00000005 07 01 01
                 08 11 02 0000000000000000 0000000000000001",
            ),
            (
                quota,
                "01 0e 00 02 05 75736572 00 00 02 6b 4090020000000000 00 00",
            ),
            (record("EndTransactionRecord", 0), "01 18 00 00"),
            (
                record("BeginTransactionRecord", 0).set("Name", Owned::Null),
                "01 17 00 00",
            ),
            (
                record("AbortTransactionRecord", 0).set("Reason", "x"),
                "01 19 00 01 00 02 02 78",
            ),
            (record("ClearElrRecord", 0), "01 1c 00 01 00"),
            (
                record("UnregisterControllerRecord", 0).set("ControllerId", 7),
                "01 1d 00 00000007 00",
            ),
        ] {
            assert_eq!(record.to_bytes().unwrap(), hex(bytes), "{}", record.name);
        }
    }

    // The vector of format.md 3.
    #[test]
    fn control_records_have_a_key_and_no_frame() {
        let voters = [fields().set("VoterId", 1)];
        let change = record("LeaderChangeMessage", 0)
            .set("LeaderId", 1)
            .set("Voters", voters.clone())
            .set("GrantingVoters", voters);
        assert_eq!(change.key().unwrap().unwrap(), [0, 0, 0, 2]);
        let value = hex("0000 00000001 02 00000001 00 02 00000001 00 00");
        assert_eq!(change.to_bytes().unwrap(), value);
        assert_eq!(record("TopicRecord", 0).key(), Ok(None));
    }

    #[test]
    fn tags_and_leftovers_can_be_added() {
        let odd = record("NoOpRecord", 0)
            .tag(3, [7])
            .tag(1, [8, 9])
            .leftover(&[0xaa]);
        assert_eq!(
            odd.to_bytes().unwrap(),
            [1, 20, 0, 2, 1, 2, 8, 9, 3, 1, 7, 0xaa]
        );
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        use EncodeFaultKind::*;
        for (record, path, what) in [
            (record("NoRecord", 0), "NoRecord", UnknownRecord),
            (record("TopicRecord", 1), "TopicRecord", UnknownVersion(1)),
            (
                record("TopicRecord", 0).set("Nam", "x"),
                "TopicRecord.Nam",
                UnknownField,
            ),
            (
                record("TopicRecord", 0).set("Name", 1),
                "TopicRecord.Name",
                WrongType,
            ),
            (
                record("TopicRecord", 0).set("Name", Owned::Null),
                "TopicRecord.Name",
                Null,
            ),
            (
                record("TopicRecord", 0).set("Name", "x".repeat(32768)),
                "TopicRecord.Name",
                TooLong,
            ),
            (
                record("ConfigRecord", 0).set("ResourceType", 200),
                "ConfigRecord.ResourceType",
                OutOfRange,
            ),
            (
                record("PartitionRecord", 0).set("Directories", [Uuid::LOST]),
                "PartitionRecord.Directories",
                NotInVersion(0),
            ),
        ] {
            let wanted = EncodeFault {
                path: path.to_owned(),
                what,
            };
            assert_eq!(record.to_bytes(), Err(wanted), "{}", record.name);
        }
    }
}
