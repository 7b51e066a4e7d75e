//! The fields of a record on one line, for people. Everything is escaped.

use super::secrecy::{REDACTED, hides};
use crate::ids::Timestamp;
use crate::record::Field;
use crate::record::dynamic::{FieldView, Struct, Value};
use crate::text::{Base64, Escaped, JavaDouble, Rfc3339};
use crate::tree::directory_name;
use std::fmt::{self, Display};

/// How many items of a list are shown.
const ITEMS: usize = 20;

/// `leader=2 isr=[1, 2]`: the fields that the record holds, but those of some names, and tagged ones
/// only when they are there.
pub(super) struct Fields<'f, 'a> {
    pub(super) data: &'f Struct<'a>,
    /// Schema names of fields that stand elsewhere on the line.
    pub(super) but: &'f [&'f str],
    pub(super) reveal: bool,
}

impl Display for Fields<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut space = "";
        for view in self.data.fields() {
            if self.but.contains(&view.field.name.as_str()) {
                continue;
            }
            let Field::Present(value) = view.value else {
                continue;
            };
            write!(f, "{space}{}=", view.field.json_name)?;
            space = " ";
            field(f, self.data, &view, value, self.reveal)?;
        }
        Ok(())
    }
}

fn field(
    f: &mut fmt::Formatter<'_>,
    data: &Struct<'_>,
    view: &FieldView<'_>,
    value: Value<'_>,
    reveal: bool,
) -> fmt::Result {
    if !reveal && !matches!(value, Value::Null) && hides(data, view.index) {
        return f.write_str(REDACTED);
    }
    match value {
        Value::Int(ms) if view.field.name.ends_with("Timestamp") => Rfc3339(Timestamp(ms)).fmt(f),
        Value::Uuid(id) if view.field.name == "Directories" => directory(f, id),
        Value::Array(list) if view.field.name == "Directories" => {
            f.write_str("[")?;
            let mut comma = "";
            for (item, _) in list.iter() {
                f.write_str(comma)?;
                comma = ", ";
                match item {
                    Value::Uuid(id) => directory(f, id)?,
                    other => write_value(f, other, reveal)?,
                }
            }
            f.write_str("]")
        }
        value => write_value(f, value, reveal),
    }
}

fn directory(f: &mut fmt::Formatter<'_>, id: crate::ids::Uuid) -> fmt::Result {
    match directory_name(id) {
        Some(name) => f.write_str(name),
        None => id.fmt(f),
    }
}

fn write_value(f: &mut fmt::Formatter<'_>, value: Value<'_>, reveal: bool) -> fmt::Result {
    match value {
        Value::Null => f.write_str("null"),
        Value::Bool(b) => b.fmt(f),
        Value::Int(n) => n.fmt(f),
        Value::Uint16(n) => n.fmt(f),
        Value::Float(n) => JavaDouble(n).fmt(f),
        Value::Uuid(id) => id.fmt(f),
        Value::Text(text) => Word(&text.to_str()).fmt(f),
        Value::Bytes(bytes) => Base64(bytes).fmt(f),
        Value::Array(list) => {
            f.write_str("[")?;
            let mut comma = "";
            for (item, _) in list.iter().take(ITEMS) {
                f.write_str(comma)?;
                comma = ", ";
                write_value(f, item, reveal)?;
            }
            match list.len().saturating_sub(ITEMS) {
                0 => {}
                more => write!(f, ", and {more} more")?,
            }
            f.write_str("]")
        }
        Value::Struct(inner) => nested(f, &inner, reveal),
    }
}

/// A struct in its usual short form, else its fields in braces.
fn nested(f: &mut fmt::Formatter<'_>, data: &Struct<'_>, reveal: bool) -> fmt::Result {
    let get = |name: &str| match data.get(name)?.value {
        Field::Present(value) => Some(value),
        _ => None,
    };
    if let (Some(Value::Text(name)), Some(Value::Text(host)), Some(Value::Uint16(port))) =
        (get("Name"), get("Host"), get("Port"))
    {
        let (name, host) = (name.to_str(), host.to_str());
        return write!(f, "{}://{}:{port}", Escaped(&name), Escaped(&host));
    }
    if let (Some(Value::Text(name)), Some(Value::Int(least)), Some(Value::Int(most))) = (
        get("Name"),
        get("MinSupportedVersion"),
        get("MaxSupportedVersion"),
    ) {
        return write!(f, "{} {least} to {most}", Escaped(&name.to_str()));
    }
    let fields = Fields {
        data,
        but: &[],
        reveal,
    };
    write!(f, "{{{fields}}}")
}

/// Text, in quotes where it would not be seen to end.
pub(super) struct Word<'a>(pub(super) &'a str);

impl Display for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain =
            !self.0.is_empty() && !self.0.contains([' ', ',', '=', '[', ']', '{', '}', '"']);
        if plain {
            Escaped(self.0).fmt(f)
        } else {
            write!(f, "\"{}\"", Escaped(self.0))
        }
    }
}
