//! The one model of record schemas: which fields a record has at which version, how they are named and
//! encoded, and what an absent one means.
//!
//! The schemas built in are the latest of every record up to Kafka 4.4.0, and `RegisterBrokerRecord`
//! version 5 as a draft. Decoders are either generated from this model (`record::generated`) or walk
//! it (`record::dynamic`).

mod load;

use crate::ids::Uuid;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// All schemas of one set: metadata records by apiKey, control records by type.
#[derive(Clone, Debug)]
pub struct Schemas {
    metadata: Vec<Arc<Record>>,
    control: Vec<Arc<Record>>,
}

impl Schemas {
    /// The schemas that this program is built with.
    #[must_use]
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Schemas> = OnceLock::new();
        BUILTIN.get_or_init(|| {
            let read = |text| load::records(text).expect("a test reads the built-in schemas");
            Self {
                metadata: read(include_str!("metadata.json")),
                control: read(include_str!("control.json")),
            }
        })
    }

    /// The schema of a metadata record.
    #[must_use]
    pub fn metadata(&self, api_key: i16) -> Option<&Arc<Record>> {
        find(&self.metadata, api_key)
    }

    /// The schema of a control record: types 2 to 6 have one, ABORT and COMMIT have none.
    #[must_use]
    pub fn control(&self, type_id: i16) -> Option<&Arc<Record>> {
        find(&self.control, type_id)
    }

    /// All metadata records, by apiKey.
    #[must_use]
    pub fn all_metadata(&self) -> &[Arc<Record>] {
        &self.metadata
    }

    /// All control records that have a schema, by type.
    #[must_use]
    pub fn all_control(&self) -> &[Arc<Record>] {
        &self.control
    }

    /// A metadata or control record by its schema name, such as `TopicRecord`.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&Arc<Record>> {
        self.metadata
            .iter()
            .chain(&self.control)
            .find(|r| r.name() == name)
    }
}

fn find(records: &[Arc<Record>], key: i16) -> Option<&Arc<Record>> {
    let at = records.binary_search_by_key(&key, |r| r.key).ok()?;
    records.get(at)
}

/// A record: its key, its known versions and the struct that it is.
#[derive(Debug)]
pub struct Record {
    /// The apiKey of a metadata record, the type of a control record.
    pub key: i16,
    /// The versions that this schema knows.
    pub versions: Versions,
    /// Its name and fields.
    pub layout: Struct,
}

impl Record {
    /// The schema name, such as `TopicRecord`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.layout.name
    }

    /// The name of its type in Kafka's text forms, such as `TOPIC_RECORD`.
    #[must_use]
    pub fn kafka_name(&self) -> String {
        kafka_name(self.name())
    }
}

/// A record or a struct nested in one.
#[derive(Debug, PartialEq)]
pub struct Struct {
    /// The name in the schema. Two nested structs of different records may share one.
    pub name: String,
    /// The fields in schema order, which is also the order of the wire for untagged ones.
    pub fields: Vec<Field>,
}

impl Struct {
    /// A field and its index, by its schema name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<(usize, &Field)> {
        self.fields.iter().enumerate().find(|(_, f)| f.name == name)
    }

    /// The tagged field with this tag at any version.
    #[must_use]
    pub fn tagged(&self, tag: u32) -> Option<(usize, &Field)> {
        self.fields
            .iter()
            .enumerate()
            .find(|(_, f)| f.tag == Some(tag))
    }
}

/// A field of a struct.
#[derive(Debug, PartialEq)]
pub struct Field {
    /// The name in the schema, such as `BrokerId`.
    pub name: String,
    /// The key in Kafka's JSON: the name with its first letter lowered.
    pub json_name: String,
    /// What its value is.
    pub kind: Type,
    /// The record versions that have it.
    pub versions: Versions,
    /// The record versions at which it may be null.
    pub nullable: Versions,
    /// The record versions at which it is a tagged field.
    pub tagged: Versions,
    /// Its tag, below 32, for a field that is tagged at some version.
    pub tag: Option<u32>,
    /// What it means when absent.
    pub default: Default,
    /// What an int or string names, in Kafka's words: `brokerId`, `topicName`.
    pub entity: Option<String>,
    /// Whether it is the key of its struct among others in a list.
    pub map_key: bool,
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// One byte; any but zero is true.
    Bool,
    /// 8 bits, signed.
    Int8,
    /// 16 bits, signed.
    Int16,
    /// 16 bits, unsigned.
    Uint16,
    /// 32 bits, signed.
    Int32,
    /// 64 bits, signed.
    Int64,
    /// An IEEE-754 double.
    Float64,
    /// 16 bytes.
    Uuid,
    /// UTF-8 with a length.
    String,
    /// Bytes with a length.
    Bytes,
    /// A list with a count.
    Array(Box<Type>),
    /// Fields, then a section of tagged fields.
    Struct(Arc<Struct>),
}

/// What a field means when it is absent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Default {
    /// Null.
    Null,
    /// A number or boolean (0 or 1) other than its type's zero.
    Int(i64),
    /// A double other than 0.
    Float(f64),
    /// The zero of its type: 0, false, the zero id, nothing in it.
    Zero,
}

impl Default {
    /// The id that a uuid field means when it is absent.
    pub const UUID: Uuid = Uuid::ZERO;
}

/// A range of record versions, perhaps with none in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    low: i16,
    high: i16,
}

impl Versions {
    /// No version.
    pub const NONE: Self = Self { low: 0, high: -1 };

    /// Whether a version is in it.
    #[must_use]
    pub fn contains(&self, version: i16) -> bool {
        (self.low..=self.high).contains(&version)
    }

    /// Whether every version of another range is in it.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        other.is_empty() || (self.contains(other.lowest()) && self.contains(other.highest()))
    }

    /// Whether no version is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    /// The lowest version.
    #[must_use]
    pub fn lowest(&self) -> i16 {
        self.low
    }

    /// The highest version; 32767 for an open range.
    #[must_use]
    pub fn highest(&self) -> i16 {
        self.high
    }

    /// The versions that are in both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }
}

/// The notation of the schemas: `0`, `0-2`, `1+`, `none`.
impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lowest(), self.highest()) {
            _ if self.is_empty() => f.write_str("none"),
            (low, i16::MAX) => write!(f, "{low}+"),
            (low, high) if low == high => write!(f, "{low}"),
            (low, high) => write!(f, "{low}-{high}"),
        }
    }
}

/// The type name of a record in Kafka's text forms: its schema name in upper snake case.
// Kafka: MetadataRecordType; the constants are made by the message generator.
#[must_use]
pub fn kafka_name(schema_name: &str) -> String {
    snake(schema_name).to_ascii_uppercase()
}

/// A schema name in snake case. A run of capitals counts as one word.
#[must_use]
pub fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len().saturating_add(8));
    let mut after_lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && after_lower {
            out.push('_');
        }
        after_lower = !c.is_ascii_uppercase();
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_schemas_load() {
        let all = Schemas::builtin();
        assert_eq!(all.all_metadata().len(), 28);
        assert_eq!(all.all_control().len(), 5);
        let topic = all.metadata(2).unwrap();
        assert_eq!(
            (topic.name(), topic.versions.to_string()),
            ("TopicRecord", "0".to_owned())
        );
        assert!(all.metadata(13).is_none());
        let broker = all.by_name("RegisterBrokerRecord").unwrap();
        assert_eq!(broker.versions.highest(), 5);
        let (index, cordoned) = broker.layout.field("CordonedLogDirs").unwrap();
        assert_eq!(
            (index, cordoned.tag, cordoned.default),
            (10, Some(1), Default::Null)
        );
        assert_eq!(
            broker.layout.field("Fenced").unwrap().1.default,
            Default::Int(1)
        );
        assert_eq!(
            all.control(5).unwrap().layout.fields[1].json_name,
            "kRaftVersion"
        );
    }

    // format.md 12: how many fields each version has, nested ones counted.
    #[test]
    fn fields_per_version() {
        fn count(layout: &Struct, version: i16) -> usize {
            let fields = layout
                .fields
                .iter()
                .filter(|f| f.versions.contains(version));
            fields
                .map(|f| match &f.kind {
                    Type::Struct(s) => 1 + count(s, version),
                    Type::Array(item) => match &**item {
                        Type::Struct(s) => 1 + count(s, version),
                        _ => 1,
                    },
                    _ => 1,
                })
                .sum()
        }
        for (name, counts) in [
            ("RegisterBrokerRecord", &[14, 15, 16, 17, 18, 21][..]),
            ("PartitionRecord", &[10, 11, 13]),
            ("PartitionChangeRecord", &[8, 9, 11]),
            ("BrokerRegistrationChangeRecord", &[3, 4, 5, 6]),
            ("RegisterControllerRecord", &[12]),
            ("LeaderChangeMessage", &[6, 8]),
            ("VotersRecord", &[11]),
        ] {
            let record = Schemas::builtin().by_name(name).unwrap();
            let versions = record.versions.lowest()..=record.versions.highest();
            let found: Vec<_> = versions.map(|v| count(&record.layout, v)).collect();
            assert_eq!(found, counts, "{name}");
        }
    }

    #[test]
    fn names_in_kafkas_text_forms() {
        for (schema, kafka) in [
            ("RegisterBrokerRecord", "REGISTER_BROKER_RECORD"),
            ("AccessControlRecord", "ACCESS_CONTROL_RECORD"),
            ("NoOpRecord", "NO_OP_RECORD"),
            ("ZkMigrationStateRecord", "ZK_MIGRATION_STATE_RECORD"),
        ] {
            assert_eq!(kafka_name(schema), kafka);
        }
    }
}
