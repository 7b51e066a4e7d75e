//! Reads record schemas from their JSON notation and checks that they make sense, so that whatever
//! walks them later need not.

use super::{Default, Field, Record, Struct, Type, Versions};
use crate::error::{Error, ErrorKind, Place, Result};
use serde::Deserialize;
use std::sync::Arc;

/// Structs may be nested this deep. Kafka's deepest is three.
const MAX_DEPTH: usize = 8;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawRecord {
    api_key: i16,
    name: String,
    valid_versions: String,
    flexible_versions: String,
    fields: Vec<RawField>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RawField {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    versions: String,
    nullable_versions: Option<String>,
    tagged_versions: Option<String>,
    tag: Option<u32>,
    default: Option<String>,
    entity_type: Option<String>,
    #[serde(default)]
    map_key: bool,
    #[serde(default)]
    fields: Vec<RawField>,
}

/// Reads a list of record schemas and sorts it by key.
///
/// # Errors
/// [`ErrorKind::Schema`] with the record and field when the text is no JSON, has a key or a type that
/// is unknown, or contradicts itself.
pub(super) fn records(text: &str) -> Result<Vec<Arc<Record>>> {
    let raw: Vec<RawRecord> = serde_json::from_str(text).map_err(|e| fault(e.to_string()))?;
    let mut records = raw.into_iter().map(record).collect::<Result<Vec<_>>>()?;
    records.sort_by_key(|r| r.key);
    if let Some(pair) = records.windows(2).find(|pair| pair[0].key == pair[1].key) {
        return Err(fault(format!(
            "{} and {} share a key",
            pair[0].name(),
            pair[1].name()
        )));
    }
    Ok(records)
}

fn fault(what: String) -> Error {
    Error::new(ErrorKind::Schema(what), Place::default())
}

fn record(raw: RawRecord) -> Result<Arc<Record>> {
    let versions = parse_versions(&raw.valid_versions, &raw.name)?;
    if versions.is_empty() || versions.highest() == i16::MAX || raw.api_key < 0 {
        return Err(fault(format!(
            "{} needs a key and a closed range of versions",
            raw.name
        )));
    }
    if !parse_versions(&raw.flexible_versions, &raw.name)?.covers(&versions) {
        return Err(fault(format!(
            "{} has versions that are not flexible",
            raw.name
        )));
    }
    let layout = layout(raw.name, raw.fields, &versions, 0)?;
    Ok(Arc::new(Record {
        key: raw.api_key,
        versions,
        layout,
    }))
}

fn layout(name: String, raw: Vec<RawField>, versions: &Versions, depth: usize) -> Result<Struct> {
    check_name(&name, &name)?;
    if depth > MAX_DEPTH {
        return Err(fault(format!("{name} is nested deeper than {MAX_DEPTH}")));
    }
    let mut fields: Vec<Field> = Vec::with_capacity(raw.len());
    for raw in raw {
        let path = format!("{name}.{}", raw.name);
        let field = field(raw, &path, versions, depth)?;
        if fields.iter().any(|f| f.name == field.name) {
            return Err(fault(format!("{path} stands there twice")));
        }
        fields.push(field);
    }
    let mut tags: Vec<_> = fields.iter().filter_map(|f| f.tag).collect();
    tags.sort_unstable();
    if tags.iter().zip(0..).any(|(&tag, wanted)| tag != wanted) || tags.len() > 32 {
        return Err(fault(format!(
            "the tags of {name} are not 0, 1, 2 and so on, 32 at most"
        )));
    }
    Ok(Struct { name, fields })
}

fn field(raw: RawField, path: &str, outer: &Versions, depth: usize) -> Result<Field> {
    check_name(&raw.name, path)?;
    let optional = |text: &Option<String>| match text {
        Some(text) => parse_versions(text, path),
        None => Ok(Versions::NONE),
    };
    let versions = parse_versions(&raw.versions, path)?;
    let nullable = optional(&raw.nullable_versions)?;
    let tagged = optional(&raw.tagged_versions)?;
    let known = versions.and(outer);
    if known.is_empty() {
        return Err(fault(format!("{path} is in no version")));
    }
    if tagged.is_empty() == raw.tag.is_some() {
        return Err(fault(format!(
            "{path} needs both a tag and tagged versions, or none"
        )));
    }
    if !versions.covers(&tagged) || !versions.covers(&nullable) {
        return Err(fault(format!(
            "{path} is tagged or nullable in versions without it"
        )));
    }
    // A field that becomes tagged later would be read in two ways; no metadata record has one.
    if !tagged.is_empty() && !tagged.covers(&known) {
        return Err(fault(format!(
            "{path} is tagged in some of its versions only"
        )));
    }
    let kind = parse_type(&raw.kind, raw.fields, path, &known, depth)?;
    let may_be_null = matches!(kind, Type::String | Type::Bytes | Type::Array(_));
    let null_fits = nullable.is_empty() || (may_be_null && nullable.covers(&known));
    if !null_fits {
        return Err(fault(format!(
            "{path} cannot be nullable, or is so in some versions only"
        )));
    }
    let default = parse_default(raw.default.as_deref(), &kind, path)?;
    if default == Default::Null && nullable.is_empty() {
        return Err(fault(format!(
            "{path} has the default null and is not nullable"
        )));
    }
    let mut letters = raw.name.chars();
    let json_name = letters
        .next()
        .map(|c| c.to_ascii_lowercase())
        .into_iter()
        .chain(letters)
        .collect();
    Ok(Field {
        name: raw.name,
        json_name,
        kind,
        versions,
        nullable,
        tagged,
        tag: raw.tag,
        default,
        entity: raw.entity_type,
        map_key: raw.map_key,
    })
}

fn check_name(name: &str, path: &str) -> Result<()> {
    let letters = name.bytes().all(|b| b.is_ascii_alphanumeric());
    if letters && name.starts_with(|c: char| c.is_ascii_uppercase()) {
        Ok(())
    } else {
        Err(fault(format!("{path:?} is no name of a record or field")))
    }
}

fn parse_versions(text: &str, path: &str) -> Result<Versions> {
    let number = |text: &str| text.parse::<i16>().ok().filter(|&n| n >= 0);
    let range = if text == "none" {
        Some(Versions::NONE)
    } else if let Some(low) = text.strip_suffix('+') {
        number(low).map(|low| Versions {
            low,
            high: i16::MAX,
        })
    } else if let Some((low, high)) = text.split_once('-') {
        number(low)
            .zip(number(high))
            .filter(|(l, h)| l <= h)
            .map(|(low, high)| Versions { low, high })
    } else {
        number(text).map(|only| Versions {
            low: only,
            high: only,
        })
    };
    range.ok_or_else(|| fault(format!("{path} has the versions {text:?}")))
}

fn parse_type(
    text: &str,
    fields: Vec<RawField>,
    path: &str,
    versions: &Versions,
    depth: usize,
) -> Result<Type> {
    if let Some(item) = text.strip_prefix("[]") {
        if item.starts_with("[]") {
            return Err(fault(format!("{path} is a list of lists")));
        }
        let item = parse_type(item, fields, path, versions, depth)?;
        return Ok(Type::Array(Box::new(item)));
    }
    let simple = match text {
        "bool" => Type::Bool,
        "int8" => Type::Int8,
        "int16" => Type::Int16,
        "uint16" => Type::Uint16,
        "int32" => Type::Int32,
        "int64" => Type::Int64,
        "float64" => Type::Float64,
        "uuid" => Type::Uuid,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        name if name.starts_with(|c: char| c.is_ascii_uppercase()) && !fields.is_empty() => {
            let nested = layout(name.to_owned(), fields, versions, depth.saturating_add(1))?;
            return Ok(Type::Struct(Arc::new(nested)));
        }
        _ => return Err(fault(format!("{path} has the type {text:?}"))),
    };
    if fields.is_empty() {
        Ok(simple)
    } else {
        Err(fault(format!("{path} is no struct and has fields")))
    }
}

fn parse_default(text: Option<&str>, kind: &Type, path: &str) -> Result<Default> {
    let number = |text: &str, low: i64, high: i64| {
        text.parse::<i64>()
            .ok()
            .filter(|n| (low..=high).contains(n))
            .map(|n| match n {
                0 => Default::Zero,
                n => Default::Int(n),
            })
    };
    let parsed = match (text, kind) {
        (None, _) => Some(Default::Zero),
        (Some("null"), Type::String | Type::Bytes | Type::Array(_)) => Some(Default::Null),
        (Some(""), Type::String) => Some(Default::Zero),
        (Some("false"), Type::Bool) => Some(Default::Zero),
        (Some("true"), Type::Bool) => Some(Default::Int(1)),
        (Some(t), Type::Int8) => number(t, i8::MIN.into(), i8::MAX.into()),
        (Some(t), Type::Int16) => number(t, i16::MIN.into(), i16::MAX.into()),
        (Some(t), Type::Uint16) => number(t, 0, u16::MAX.into()),
        (Some(t), Type::Int32) => number(t, i32::MIN.into(), i32::MAX.into()),
        (Some(t), Type::Int64) => number(t, i64::MIN, i64::MAX),
        (Some(t), Type::Float64) => t.parse().ok().map(|n: f64| match n {
            0.0 => Default::Zero,
            n => Default::Float(n),
        }),
        _ => None,
    };
    parsed.ok_or_else(|| {
        fault(format!(
            "{path} has the default {:?}",
            text.unwrap_or_default()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_field(field: &str) -> Result<Vec<Arc<Record>>> {
        records(&format!(
            r#"[{{"apiKey":1,"name":"OneRecord","validVersions":"0-2","flexibleVersions":"0+",
                "fields":[{field}]}}]"#
        ))
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_place() {
        for (field, words) in [
            (
                r#"{"name":"A","type":"int32","versions":"0+","about":"x"}"#,
                "unknown field `about`",
            ),
            (
                r#"{"name":"A","type":"int33","versions":"0+"}"#,
                "OneRecord.A has the type \"int33\"",
            ),
            (
                r#"{"name":"A","type":"Other","versions":"0+"}"#,
                "OneRecord.A has the type \"Other\"",
            ),
            (
                r#"{"name":"A","type":"[][]int8","versions":"0+"}"#,
                "a list of lists",
            ),
            (
                r#"{"name":"A","type":"int8","versions":"2-1"}"#,
                "the versions \"2-1\"",
            ),
            (
                r#"{"name":"A","type":"int8","versions":"3+"}"#,
                "in no version",
            ),
            (
                r#"{"name":"A","type":"int8","versions":"0+","tag":0}"#,
                "both a tag and",
            ),
            (
                r#"{"name":"A","type":"int8","versions":"1+","taggedVersions":"0+","tag":0}"#,
                "versions without it",
            ),
            (
                r#"{"name":"A","type":"int8","versions":"0+","taggedVersions":"0+","tag":1}"#,
                "the tags of OneRecord",
            ),
            (
                r#"{"name":"A","type":"int8","versions":"0+","nullableVersions":"0+"}"#,
                "cannot be nullable",
            ),
            (
                r#"{"name":"A","type":"int8","versions":"0+","default":"200"}"#,
                "default \"200\"",
            ),
            (
                r#"{"name":"A","type":"string","versions":"0+","default":"null"}"#,
                "not nullable",
            ),
            (r#"{"name":"a b","type":"int8","versions":"0+"}"#, "no name"),
            (
                r#"{"name":"A","type":"int8","versions":"0+"},
                   {"name":"A","type":"int8","versions":"0+"}"#,
                "twice",
            ),
        ] {
            let error = one_field(field).expect_err(field).to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let mut field = r#"{"name":"A","type":"int8","versions":"0+"}"#.to_owned();
        for _ in 0..10 {
            field = format!(r#"{{"name":"A","type":"[]B","versions":"0+","fields":[{field}]}}"#);
        }
        let error = one_field(&field).expect_err("ten deep").to_string();
        assert!(error.contains("nested deeper than 8"), "{error}");
    }
}
