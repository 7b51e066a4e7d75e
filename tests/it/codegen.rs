//! Writes the typed records of `src/record/generated` from the schemas, and fails when the files there
//! are not what it would write. `KRAFTLENS_REWRITE=1` writes them.

use kraftlens::schema::{Default, Field, Record, Schemas, Struct, Type, Versions, snake};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

const METADATA: &str = "src/record/generated/metadata.rs";
const CONTROL: &str = "src/record/generated/control.rs";
const VISIT: &str = "src/record/generated/visit.rs";

/// Nested structs whose schema name says too little or is taken by another record.
const RENAMED: &[(&str, &str, &str)] = &[
    ("LeaderChangeMessage", "Voter", "LeaderChangeVoter"),
    ("VotersRecord", "Endpoint", "VoterEndpoint"),
];

#[test]
fn typed_records_are_what_the_schemas_say() {
    let schemas = Schemas::builtin();
    check(METADATA, &metadata(schemas.all_metadata()));
    check(CONTROL, &control(schemas.all_control()));
    check(VISIT, &visit(schemas));
}

fn check(file: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("KRAFTLENS_REWRITE").is_some() {
        std::fs::write(&path, text).unwrap();
        let config = concat!(env!("CARGO_MANIFEST_DIR"), "/rustfmt.toml");
        let mut rustfmt = Command::new("rustfmt");
        rustfmt
            .args(["--edition", "2024", "--config-path", config])
            .arg(&path);
        assert!(rustfmt.status().unwrap().success(), "rustfmt {file}");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    // rustfmt moves blanks, commas and the braces of match arms only, so that it is not needed to see
    // that a file is stale.
    let bare = |text: &str| -> String {
        text.chars()
            .filter(|c| !c.is_whitespace() && !matches!(c, ',' | '{' | '}'))
            .collect()
    };
    let (found, wanted) = (bare(&found), bare(text));
    let same = found
        .chars()
        .zip(wanted.chars())
        .take_while(|(a, b)| a == b)
        .count();
    assert!(
        found == wanted,
        "{file} is stale (at {:?}): run this test with KRAFTLENS_REWRITE=1",
        wanted.chars().skip(same).take(60).collect::<String>()
    );
}

fn metadata(records: &[Arc<Record>]) -> String {
    let mut out = head("Metadata records");
    out.push_str("use crate::bytes::{Cursor, Read};\nuse crate::ids::Uuid;\n");
    out.push_str(
        "use crate::record::tags::{TagWalk, Tags};\nuse crate::record::value::{self, Array, Field, Spans, Text, Wire};\n",
    );
    out.push_str("use crate::record::{Frame, Reading, Unread, read_body};\n\n");
    let mut written = HashSet::new();
    for record in records {
        structs(&mut out, record, "API_KEY", "The apiKey.", &mut written);
    }
    dispatch(&mut out, records);
    out
}

fn control(records: &[Arc<Record>]) -> String {
    let mut out = head("Control records");
    out.push_str("use crate::bytes::{Cursor, Read};\nuse crate::ids::Uuid;\n");
    out.push_str(
        "use crate::record::tags::{TagWalk, Tags};\nuse crate::record::value::{self, Array, Field, Spans, Text, Wire};\n\n",
    );
    let mut written = HashSet::new();
    for record in records {
        structs(
            &mut out,
            record,
            "TYPE",
            "The control record type.",
            &mut written,
        );
    }
    out
}

/// How the fields of typed records are told by name.
fn visit(schemas: &Schemas) -> String {
    let mut out = head("The fields of typed records by name");
    out.push_str("use super::control::*;\nuse super::metadata::*;\n");
    out.push_str("use crate::record::owned::{Fields, Owned, Visit};\n");
    out.push_str("use crate::record::value::Field;\n\n");
    let mut written = HashSet::new();
    for record in schemas.all_metadata().iter().chain(schemas.all_control()) {
        let of = Of { record };
        of.visit(&mut out, &record.layout, record.name());
        of.nested(&record.layout, &mut written, &mut |layout, name| {
            of.visit(&mut out, layout, name);
            writeln!(
                out,
                "impl From<{name}<'_>> for Owned {{
                    fn from(item: {name}<'_>) -> Self {{ Self::Struct(Fields::from(&item)) }}
                }}\n"
            )
            .unwrap();
        });
    }
    writeln!(
        out,
        "impl Visit for MetadataRecord<'_> {{
            fn visit(&self, visitor: &mut dyn FnMut(&'static str, Field<Owned>)) {{ match self {{"
    )
    .unwrap();
    let each = |out: &mut String, call: &str| {
        for record in schemas.all_metadata() {
            let variant = record.name().strip_suffix("Record").unwrap();
            writeln!(out, "Self::{variant}(record) => record.{call}(visitor),").unwrap();
        }
        out.push_str("} }\n");
    };
    each(&mut out, "visit");
    out.push_str("\nfn visit_unknown(&self, visitor: &mut dyn FnMut(u32, &[u8])) { match self {\n");
    each(&mut out, "visit_unknown");
    out.push_str("}\n");
    out
}

fn head(what: &str) -> String {
    format!(
        "// @generated by tests/it/codegen.rs from src/schema: KRAFTLENS_REWRITE=1 rewrites it.\n\
         //! {what} as Rust types. A field's doc is its schema type; versions are record versions.\n\n\
         #![allow(unused_variables, reason = \"generated\")]\n\n"
    )
}

/// A record and the structs nested in it.
fn structs(
    out: &mut String,
    record: &Record,
    key: &str,
    key_doc: &str,
    written: &mut HashSet<String>,
) {
    let (name, versions) = (record.name(), &record.versions);
    let of = Of { record };
    let what = if key == "API_KEY" { "apiKey" } else { "type" };
    let doc = format!("`{name}`: {what} {}, versions {versions}.", record.key);
    of.layout(out, &record.layout, name, &doc);
    writeln!(
        out,
        "impl {name}<'_> {{
            /// {key_doc}
            pub const {key}: i16 = {};
            /// The highest version known.
            pub const HIGHEST_VERSION: i16 = {};
        }}",
        record.key,
        versions.highest(),
    )
    .unwrap();
    out.push('\n');
    of.nested(&record.layout, written, &mut |layout, name| {
        let doc = format!("`{}` in a [`{}`].", layout.name, record.name());
        of.layout(out, layout, name, &doc);
    });
}

struct Of<'s> {
    record: &'s Record,
}

impl Of<'_> {
    /// Calls for each nested struct that was not yet written, and its Rust name.
    fn nested(
        &self,
        layout: &Struct,
        written: &mut HashSet<String>,
        each: &mut dyn FnMut(&Struct, &str),
    ) {
        for field in &layout.fields {
            let kind = match &field.kind {
                Type::Array(item) => &**item,
                kind => kind,
            };
            if let Type::Struct(inner) = kind {
                let name = self.struct_name(inner);
                if written.insert(name.clone()) {
                    each(inner, &name);
                    self.nested(inner, written, each);
                }
            }
        }
    }

    fn visit(&self, out: &mut String, layout: &Struct, name: &str) {
        writeln!(
            out,
            "impl Visit for {name}<'_> {{
                fn visit(&self, visitor: &mut dyn FnMut(&'static str, Field<Owned>)) {{"
        )
        .unwrap();
        for field in &layout.fields {
            let (rust, schema) = (rust_name(field), &field.name);
            if self.kind(field).starts_with("Field<") {
                writeln!(out, "visitor({schema:?}, self.{rust}.map(Into::into));").unwrap();
            } else {
                writeln!(
                    out,
                    "visitor({schema:?}, Field::Present(self.{rust}.into()));"
                )
                .unwrap();
            }
        }
        writeln!(
            out,
            "}}

                fn visit_unknown(&self, visitor: &mut dyn FnMut(u32, &[u8])) {{
                    self.unknown_tags.iter().for_each(|(tag, bytes)| visitor(tag, bytes));
                }}
            }}\n"
        )
        .unwrap();
    }

    fn struct_name(&self, layout: &Struct) -> String {
        let renamed = RENAMED
            .iter()
            .find(|(record, name, _)| *record == self.record.name() && *name == layout.name);
        renamed
            .map_or(layout.name.as_str(), |(_, _, new)| new)
            .to_owned()
    }

    /// The struct, its decoder and the way it is read as a list item.
    fn layout(&self, out: &mut String, layout: &Struct, name: &str, doc: &str) {
        writeln!(
            out,
            "/// {doc}\n#[derive(Clone, Copy, Debug, PartialEq)]\npub struct {name}<'a> {{"
        )
        .unwrap();
        for field in &layout.fields {
            writeln!(
                out,
                "/// {}\npub {}: {},",
                self.doc(field),
                rust_name(field),
                self.kind(field)
            )
            .unwrap();
        }
        out.push_str("/// Tagged fields that the schema does not know.\n");
        out.push_str("pub unknown_tags: Tags<'a>,\n}\n\n");
        self.decoder(out, layout, name);
        writeln!(
            out,
            "impl<'a> Wire<'a> for {name}<'a> {{
                #[inline]
                fn read<S: Spans>(cursor: &mut Cursor<'a>, layout: i16, spans: &mut S) -> Read<Self> {{
                    Self::decode(cursor, layout, spans)
                }}
            }}\n"
        )
        .unwrap();
    }

    fn decoder(&self, out: &mut String, layout: &Struct, name: &str) {
        let tagged: Vec<_> = layout.fields.iter().filter(|f| f.tag.is_some()).collect();
        let known = tagged
            .iter()
            .filter_map(|f| f.tag)
            .fold(0u32, |mask, tag| mask | 1 << tag);
        writeln!(
            out,
            "impl<'a> {name}<'a> {{
                /// Reads one where the cursor stands, at a version that the schema knows.
                ///
                /// # Errors
                /// When the bytes are not one.
                #[inline]
                pub fn decode<S: Spans>(cursor: &mut Cursor<'a>, layout: i16, spans: &mut S) -> Read<Self> {{"
        )
        .unwrap();
        for field in &layout.fields {
            let (rust, schema) = (rust_name(field), &field.name);
            let read = format!("value::field(cursor, layout, spans, {schema:?})?");
            let default = match self.always(field) && field.tag.is_none() {
                true => String::new(),
                false => self.default(field),
            };
            if field.tag.is_some() && self.always(field) {
                writeln!(out, "let mut {rust} = Field::Default({default});").unwrap();
            } else if field.tag.is_some() {
                writeln!(
                    out,
                    "let mut {rust} = if layout >= {} {{ Field::Default({default}) }} \
                     else {{ Field::NotInVersion({default}) }};",
                    self.since(field)
                )
                .unwrap();
            } else if self.always(field) {
                writeln!(out, "let {rust} = {read};").unwrap();
            } else {
                writeln!(
                    out,
                    "let {rust} = if layout >= {} {{ Field::Present({read}) }} \
                     else {{ Field::NotInVersion({default}) }};",
                    self.since(field)
                )
                .unwrap();
            }
        }
        writeln!(out, "let mut tags = TagWalk::new(cursor, {known:#b})?;").unwrap();
        if tagged.is_empty() {
            writeln!(out, "tags.skip_unknown(cursor, spans)?;").unwrap();
        } else {
            writeln!(
                out,
                "while let Some(tag) = tags.next(cursor, spans)? {{ match tag.number {{"
            )
            .unwrap();
            for field in &tagged {
                let (rust, schema, tag) = (rust_name(field), &field.name, field.tag.unwrap());
                let guard = if self.always(field) {
                    String::new()
                } else {
                    format!(" if layout >= {}", self.since(field))
                };
                writeln!(
                    out,
                    "{tag}{guard} => {rust} = Field::Present(tag.read(layout, spans, {schema:?})?),"
                )
                .unwrap();
            }
            writeln!(out, "_ => return Err(tag.not_in_version()), }} }}").unwrap();
        }
        writeln!(out, "let unknown_tags = tags.finish(cursor);\nOk(Self {{").unwrap();
        for field in &layout.fields {
            writeln!(out, "{},", rust_name(field)).unwrap();
        }
        out.push_str("unknown_tags })\n}\n}\n\n");
    }

    /// The versions of the record that have a field. The generated conditions have a lower bound only.
    fn versions(&self, field: &Field) -> Versions {
        let versions = field.versions.and(&self.record.versions);
        assert_eq!(
            versions.highest(),
            self.record.versions.highest(),
            "{} is gone in a later version",
            field.name
        );
        versions
    }

    fn since(&self, field: &Field) -> i16 {
        self.versions(field).lowest()
    }

    /// Whether each version has the field. A list in a later version may hold structs that are younger
    /// than the record; their own fields are then always there.
    fn always(&self, field: &Field) -> bool {
        self.versions(field).covers(&self.record.versions) || self.in_younger_struct(field)
    }

    fn in_younger_struct(&self, field: &Field) -> bool {
        fn holds(layout: &Struct, field: &Field, since: i16) -> bool {
            layout.fields.iter().any(|outer| {
                let since = since.max(outer.versions.lowest());
                let inner = match &outer.kind {
                    Type::Array(item) => &**item,
                    kind => kind,
                };
                let Type::Struct(inner) = inner else {
                    return false;
                };
                inner
                    .fields
                    .iter()
                    .any(|f| std::ptr::eq(f, field) && f.versions.lowest() <= since)
                    || holds(inner, field, since)
            })
        }
        holds(&self.record.layout, field, self.record.versions.lowest())
    }

    fn kind(&self, field: &Field) -> String {
        let plain = self.plain(&field.kind);
        let plain = if field.nullable.is_empty() {
            plain
        } else {
            format!("Option<{plain}>")
        };
        if field.tag.is_some() || !self.always(field) {
            format!("Field<{plain}>")
        } else {
            plain
        }
    }

    fn plain(&self, kind: &Type) -> String {
        match kind {
            Type::Bool => "bool".to_owned(),
            Type::Int8 => "i8".to_owned(),
            Type::Int16 => "i16".to_owned(),
            Type::Uint16 => "u16".to_owned(),
            Type::Int32 => "i32".to_owned(),
            Type::Int64 => "i64".to_owned(),
            Type::Float64 => "f64".to_owned(),
            Type::Uuid => "Uuid".to_owned(),
            Type::String => "Text<'a>".to_owned(),
            Type::Bytes => "&'a [u8]".to_owned(),
            Type::Array(item) => format!("Array<'a, {}>", self.plain(item)),
            Type::Struct(inner) => format!("{}<'a>", self.struct_name(inner)),
        }
    }

    fn default(&self, field: &Field) -> String {
        let zero = match (&field.default, &field.kind) {
            (Default::Null, _) => return "None".to_owned(),
            (Default::Int(n), Type::Bool) => return (*n != 0).to_string(),
            (Default::Int(n), _) => return n.to_string(),
            (Default::Float(n), _) => return format!("{n:?}"),
            (Default::Zero, Type::Bool) => "false",
            (Default::Zero, Type::Float64) => "0.0",
            (Default::Zero, Type::Uuid) => "Uuid::ZERO",
            (Default::Zero, Type::String) => "Text::default()",
            (Default::Zero, Type::Bytes) => "&[]",
            (Default::Zero, Type::Array(_)) => "Array::EMPTY",
            (Default::Zero, Type::Struct(_)) => panic!("{} would need a default", field.name),
            (Default::Zero, _) => "0",
        };
        if field.nullable.is_empty() {
            zero.to_owned()
        } else {
            format!("Some({zero})")
        }
    }

    fn doc(&self, field: &Field) -> String {
        let kind = match &field.kind {
            Type::Array(item) => format!("a list of {}", schema_type(item)),
            kind => schema_type(kind),
        };
        let mut doc = format!("`{}`: {kind}", field.name);
        if !field.nullable.is_empty() {
            doc.push_str(", nullable");
        }
        if let Some(tag) = field.tag {
            write!(doc, ", tag {tag}").unwrap();
        }
        if !self.always(field) {
            write!(doc, ", since version {}", self.since(field)).unwrap();
        }
        match (&field.default, &field.kind) {
            (Default::Null, _) => doc.push_str(", default null"),
            (Default::Int(n), Type::Bool) => write!(doc, ", default {}", *n != 0).unwrap(),
            (Default::Int(n), _) => write!(doc, ", default {n}").unwrap(),
            (Default::Float(n), _) => write!(doc, ", default {n}").unwrap(),
            (Default::Zero, _) => {}
        }
        doc.push('.');
        doc
    }
}

fn schema_type(kind: &Type) -> String {
    match kind {
        Type::Bool => "bool".to_owned(),
        Type::Int8 => "int8".to_owned(),
        Type::Int16 => "int16".to_owned(),
        Type::Uint16 => "uint16".to_owned(),
        Type::Int32 => "int32".to_owned(),
        Type::Int64 => "int64".to_owned(),
        Type::Float64 => "float64".to_owned(),
        Type::Uuid => "uuid".to_owned(),
        Type::String => "string".to_owned(),
        Type::Bytes => "bytes".to_owned(),
        Type::Array(item) => format!("list of {}", schema_type(item)),
        Type::Struct(inner) => format!("`{}`", inner.name),
    }
}

/// The schema name in snake case; `KRaft` is one word.
fn rust_name(field: &Field) -> String {
    snake(&field.name.replace("KRaft", "Kraft"))
}

/// The enum of all metadata records.
fn dispatch(out: &mut String, records: &[Arc<Record>]) {
    out.push_str(
        "/// Any metadata record.\n#[derive(Clone, Debug, PartialEq)]\n#[non_exhaustive]\n",
    );
    out.push_str("pub enum MetadataRecord<'a> {\n");
    let each = |out: &mut String, line: &dyn Fn(&Record, &str) -> String| {
        for record in records {
            let variant = record.name().strip_suffix("Record").unwrap();
            out.push_str(&line(record, variant));
            out.push('\n');
        }
    };
    each(out, &|r, v| {
        format!("/// apiKey {}.\n{v}({}<'a>),", r.key, r.name())
    });
    out.push_str(
        "}

        impl<'a> MetadataRecord<'a> {
            /// Reads the body of a framed record.
            #[inline]
            pub(in crate::record) fn read<S: Spans>(
                frame: Frame<'a>,
                value: &'a [u8],
                spans: &mut S,
            ) -> Result<Reading<'a>, Unread<'a>> {
                let version = frame.version;
                match frame.api_key {\n",
    );
    each(out, &|r, v| {
        let name = r.name();
        format!(
            "{name}::API_KEY if version <= {name}::HIGHEST_VERSION => \
             read_body(frame, value, spans, Self::{v}),"
        )
    });
    out.push_str("key if Self::knows(key) => Err(Unread::UnknownVersion(frame)),\n");
    out.push_str("_ => Err(Unread::UnknownType(frame)),\n}\n}\n\n");
    out.push_str("/// The schema name, such as `TopicRecord`.\n#[must_use]\n");
    out.push_str("pub fn name(&self) -> &'static str { match self {\n");
    each(out, &|r, v| format!("Self::{v}(_) => {:?},", r.name()));
    out.push_str("} }\n\n/// The apiKey.\n#[must_use]\n");
    out.push_str("pub fn api_key(&self) -> i16 { match self {\n");
    each(out, &|r, v| {
        format!("Self::{v}(_) => {}::API_KEY,", r.name())
    });
    out.push_str("} }\n\n");
    out.push_str("/// The apiKey of every record and its type name in Kafka's text forms.\n");
    out.push_str("pub const NAMES: &'static [(i16, &'static str)] = &[\n");
    each(out, &|r, _| format!("({}, {:?}),", r.key, r.kafka_name()));
    out.push_str(
        "];

            /// Whether a record has this apiKey.
            #[must_use]
            pub fn knows(api_key: i16) -> bool {
                Self::NAMES.binary_search_by_key(&api_key, |(key, _)| *key).is_ok()
            }
        }\n",
    );
}
