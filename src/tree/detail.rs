//! What is known of a node, as facts with names and units: the one form behind readable text, JSON and
//! the browser's detail pane.

use crate::ids::{Timestamp, Uuid};
use crate::text::{Rfc3339, Thousands};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::fmt::Write as _;

/// Facts in the order in which they are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    all: Vec<Fact>,
    line: Option<String>,
}

/// One fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Its name: a camel-case JSON key. Readable text shows its words.
    pub key: String,
    /// What is known.
    pub value: Value,
}

/// The value of a fact. Text is raw: whoever prints to a terminal escapes it.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing: no rack, no leader.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A number that identifies: an id, an offset, an epoch, a level.
    Id(i64),
    /// A number that counts.
    Count(u64),
    /// A quota or another real number.
    Real(f64),
    /// Bytes.
    Size(u64),
    /// Milliseconds since 1970.
    Time(Timestamp),
    /// A 16-byte id.
    Uuid(Uuid),
    /// Words or a name.
    Text(String),
    /// Several values.
    List(Vec<Value>),
    /// Facts inside a fact.
    Facts(Facts),
    /// Several things of one kind, each with facts.
    Table(Vec<Facts>),
}

macro_rules! from {
    ($($type:ty => $make:expr;)*) => {
        $(impl From<$type> for Value {
            fn from(value: $type) -> Self {
                $make(value)
            }
        })*
    };
}

from! {
    bool => Self::Bool;
    i64 => Self::Id;
    i32 => |v| Self::Id(i64::from(v));
    i16 => |v| Self::Id(i64::from(v));
    i8 => |v| Self::Id(i64::from(v));
    u16 => |v| Self::Id(i64::from(v));
    usize => |v| Self::Count(v as u64);
    u64 => Self::Count;
    f64 => Self::Real;
    Timestamp => Self::Time;
    Uuid => Self::Uuid;
    String => Self::Text;
    &str => |v: &str| Self::Text(v.to_owned());
    std::borrow::Cow<'_, str> => |v: std::borrow::Cow<'_, str>| Self::Text(v.into_owned());
    Facts => Self::Facts;
    Vec<Facts> => Self::Table;
    crate::ids::Offset => |v: crate::ids::Offset| Self::Id(v.0);
    crate::ids::Epoch => |v: crate::ids::Epoch| Self::Id(i64::from(v.0));
    crate::ids::NodeId => |v: crate::ids::NodeId| Self::Id(i64::from(v.0));
    crate::record::Text<'_> => |v: crate::record::Text<'_>| Self::Text(v.to_str().into_owned());
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl Facts {
    /// No facts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.add(key, value);
        self
    }

    /// With a remark, when there is one.
    #[must_use]
    pub(super) fn with_note(self, note: Option<impl Into<String>>) -> Self {
        match note {
            Some(note) => self.with("note", note.into()),
            None => self,
        }
    }

    /// With the words that stand for all of them on one line of readable text.
    #[must_use]
    pub fn line(mut self, line: impl Into<String>) -> Self {
        self.line = Some(line.into());
        self
    }

    /// Adds one.
    pub fn add(&mut self, key: impl Into<String>, value: impl Into<Value>) {
        self.all.push(Fact {
            key: key.into(),
            value: value.into(),
        });
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.all.iter()
    }

    /// Those that are not of this kind.
    #[must_use]
    pub fn without(mut self, is: impl Fn(&Fact) -> bool) -> Self {
        self.all.retain(|fact| !is(fact));
        self
    }

    /// The value of one.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.all
            .iter()
            .find(|fact| fact.key == key)
            .map(|fact| &fact.value)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Lines of readable text: the name of each fact in words, then its value; nested facts indented
    /// below theirs. Nothing is escaped.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        self.lines_at(0, &mut lines);
        lines
    }

    fn lines_at(&self, depth: usize, lines: &mut Vec<Line>) {
        for fact in &self.all {
            let label = words(&fact.key);
            match &fact.value {
                Value::Facts(facts) => {
                    lines.push(Line {
                        depth,
                        label,
                        value: String::new(),
                    });
                    facts.lines_at(depth.saturating_add(1), lines);
                }
                Value::Table(rows) if rows.is_empty() => {
                    lines.push(Line {
                        depth,
                        label,
                        value: "none".to_owned(),
                    });
                }
                Value::Table(rows) => {
                    lines.push(Line {
                        depth,
                        label,
                        value: String::new(),
                    });
                    for row in rows {
                        let value = row.inline();
                        let depth = depth.saturating_add(1);
                        lines.push(Line {
                            depth,
                            label: String::new(),
                            value,
                        });
                    }
                }
                value => lines.push(Line {
                    depth,
                    label,
                    value: value.inline(),
                }),
            }
        }
    }

    /// All facts on one line: the words made for it, or `name value, name value`.
    #[must_use]
    pub fn inline(&self) -> String {
        if let Some(line) = &self.line {
            return line.clone();
        }
        let mut out = String::new();
        for fact in &self.all {
            let joint = if out.is_empty() { "" } else { ", " };
            let _ = write!(out, "{joint}{} {}", words(&fact.key), fact.value.inline());
        }
        out
    }
}

/// A line of readable text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How deep it is nested.
    pub depth: usize,
    /// The name of the fact; empty for a row of a table.
    pub label: String,
    /// Its value; empty when it follows in deeper lines.
    pub value: String,
}

impl Value {
    /// On one line.
    #[must_use]
    pub fn inline(&self) -> String {
        match self {
            Self::Null => "none".to_owned(),
            Self::Bool(true) => "yes".to_owned(),
            Self::Bool(false) => "no".to_owned(),
            Self::Id(n) => n.to_string(),
            Self::Count(n) => Thousands(*n).to_string(),
            Self::Real(n) => crate::text::JavaDouble(*n).to_string(),
            Self::Size(n) => crate::text::ByteSize(*n).to_string(),
            Self::Time(time) if time.0 < 0 => "none".to_owned(),
            Self::Time(time) => Rfc3339(*time).to_string(),
            Self::Uuid(id) => directory_name(*id).map_or_else(|| id.to_string(), str::to_owned),
            Self::Text(text) => text.clone(),
            Self::List(list) if list.is_empty() => "none".to_owned(),
            Self::List(list) => list.iter().map(Self::inline).collect::<Vec<_>>().join(", "),
            Self::Facts(facts) => facts.inline(),
            Self::Table(rows) => rows
                .iter()
                .map(Facts::inline)
                .collect::<Vec<_>>()
                .join("; "),
        }
    }
}

/// The reserved ids by name (`DirectoryId`).
#[must_use]
pub fn directory_name(id: Uuid) -> Option<&'static str> {
    match id {
        Uuid::ZERO => Some("MIGRATING"),
        Uuid::UNASSIGNED => Some("UNASSIGNED"),
        Uuid::LOST => Some("LOST"),
        _ => None,
    }
}

/// A camel-case key in words: `leaderEpoch` is `leader epoch`.
fn words(key: &str) -> String {
    if key.contains(['.', '-', '_', ' ']) {
        return key.to_owned();
    }
    let mut out = String::with_capacity(key.len().saturating_add(4));
    for c in key.chars() {
        if c.is_ascii_uppercase() {
            out.push(' ');
            out.push(c.to_ascii_lowercase());
        } else {
            out.push(c);
        }
    }
    out
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.all.len()))?;
        for fact in &self.all {
            map.serialize_entry(&fact.key, &fact.value)?;
        }
        map.end()
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Id(value) => serializer.serialize_i64(*value),
            Self::Count(value) | Self::Size(value) => serializer.serialize_u64(*value),
            Self::Real(value) if value.is_finite() => serializer.serialize_f64(*value),
            // NaN and infinities have no JSON number; Kafka writes their Java text.
            Self::Real(value) => serializer.collect_str(&crate::text::JavaDouble(*value)),
            Self::Time(time) if time.0 < 0 => serializer.serialize_unit(),
            Self::Time(time) => serializer.collect_str(&Rfc3339(*time)),
            Self::Uuid(id) => id.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(list) => {
                let mut seq = serializer.serialize_seq(Some(list.len()))?;
                for value in list {
                    seq.serialize_element(value)?;
                }
                seq.end()
            }
            Self::Facts(facts) => facts.serialize(serializer),
            Self::Table(rows) => rows.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_read_as_words_and_as_json() {
        let facts = Facts::new()
            .with("leaderEpoch", 7)
            .with("rack", None::<&str>)
            .with("records", 12_345u64)
            .with("log.dirs", Value::List(vec![Uuid::LOST.into()]))
            .with("endpoints", vec![Facts::new().with("port", 9092u16)]);
        let text: Vec<_> = facts
            .lines()
            .iter()
            .map(|l| format!("{}|{}|{}", l.depth, l.label, l.value))
            .collect();
        assert_eq!(
            text,
            [
                "0|leader epoch|7",
                "0|rack|none",
                "0|records|12,345",
                "0|log.dirs|LOST",
                "0|endpoints|",
                "1||port 9092",
            ]
        );
        assert_eq!(
            serde_json::to_string(&facts).unwrap(),
            r#"{"leaderEpoch":7,"rack":null,"records":12345,"log.dirs":["AAAAAAAAAAAAAAAAAAAAAg"],"endpoints":[{"port":9092}]}"#
        );
    }
}
