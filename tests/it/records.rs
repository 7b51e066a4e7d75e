//! Records of the samples: the same by both decoders, the same text as Kafka's, the same bytes again.

use crate::support::{Golden, files};
use kraftlens::ids::Uuid;
use kraftlens::log::{Log, Options};
use kraftlens::record::dynamic::{self, Struct, Undecoded, Value};
use kraftlens::record::json::{record_json, show_all, struct_json};
use kraftlens::record::{
    ControlRecord, Field, Fields, MetadataRecord, Owned, Spans, Unread, Visit, control_type,
    decode_as_kafka, encode, fields, put_frame, read_control_with, read_with,
};
use kraftlens::schema::{Record, Schemas, Type};
use std::collections::BTreeSet;

/// Key and value of every record of a file.
fn records(path: &std::path::Path) -> Vec<(bool, Vec<u8>, Option<Vec<u8>>)> {
    let log = Log::open(path, &Options::default()).unwrap();
    log.batches()
        .flat_map(|batch| {
            let control = batch.header().is_control();
            batch.records().map(move |record| {
                let record = record.unwrap();
                let key = record.key().unwrap_or_default().to_vec();
                (control, key, record.value().map(<[u8]>::to_vec))
            })
        })
        .collect()
}

/// The text of kafka-dump-log for a record, after the fields of its frame.
fn dump_text(offset: &str, control: bool, key: &[u8], value: &[u8]) -> String {
    let schemas = Schemas::builtin();
    if !control {
        return match decode_as_kafka(schemas, value) {
            Ok(record) => format!("payload: {}", record_json(&record, &show_all)),
            Err(refusal) => format!("payload: Error at {offset}, skipping. {refusal}"),
        };
    }
    let record = dynamic::decode_control(schemas, key, value)
        .unwrap()
        .unwrap();
    let json = struct_json(&record.data, &show_all);
    let name = match control_type(key).unwrap() {
        2 => "LeaderChange:",
        3 => "SnapshotHeader",
        4 => "SnapshotFooter",
        5 => "KRaftVersion",
        6 => "KRaftVoters",
        other => panic!("no sample holds type {other}"),
    };
    format!("{name} {json}")
}

#[test]
fn every_record_of_the_samples_has_kafkas_text() {
    let (mut same, mut newer) = (0, 0);
    for Golden { sample, golden } in files("dump.txt") {
        let text = std::fs::read_to_string(&golden).unwrap();
        let lines: Vec<_> = text
            .lines()
            .filter_map(|l| l.strip_prefix("| offset: "))
            .collect();
        let found = records(&sample);
        assert_eq!(found.len(), lines.len(), "{}", sample.display());
        for ((control, key, value), line) in found.iter().zip(lines) {
            let (offset, rest) = line.split_once(' ').unwrap();
            let (_, wanted) = rest.split_once("headerKeys: [] ").unwrap();
            let value = value.as_deref().unwrap();
            // RegisterBrokerRecord version 5, which Kafka 4.4.0 does not know.
            if value.starts_with(&[1, 0, 5]) && !control {
                newer += 1;
                continue;
            }
            assert_eq!(
                dump_text(offset, *control, key, value),
                wanted,
                "{}",
                sample.display()
            );
            same += 1;
        }
    }
    assert!(
        same > 10_000 && newer > 0,
        "{same} records compared, {newer} left out"
    );
}

/// Every value of a metadata record in the samples, each once.
fn values() -> Vec<Vec<u8>> {
    let mut all = BTreeSet::new();
    for golden in files("dump.txt") {
        let found = records(&golden.sample);
        all.extend(found.into_iter().filter(|r| !r.0).filter_map(|r| r.2));
    }
    all.into_iter().collect()
}

#[derive(Default, PartialEq, Debug)]
struct Found(BTreeSet<(String, usize, usize)>);

impl Spans for Found {
    fn field(&mut self, name: &'static str, start: usize, end: usize) {
        self.0.insert((name.to_owned(), start, end));
    }

    fn unknown_tag(&mut self, tag: u32, start: usize, end: usize) {
        self.0.insert((tag.to_string(), start, end));
    }
}

fn spans(record: &Struct<'_>, found: &mut Found) {
    fn nested(value: Value<'_>, found: &mut Found) {
        match value {
            Value::Struct(inner) => spans(&inner, found),
            Value::Array(list) => list.iter().for_each(|(item, _)| nested(item, found)),
            _ => {}
        }
    }
    for view in record.fields() {
        if let Some(span) = view.span {
            found
                .0
                .insert((view.field.name.clone(), span.start, span.end));
            nested(view.value.value(), found);
        }
    }
    record.unknown_tags(&mut |tag, span| {
        found.0.insert((tag.to_string(), span.start, span.end));
    });
}

/// All fields with their state. NaN is not itself, so that texts are compared.
fn typed_fields(record: &impl Visit) -> Vec<String> {
    let mut all = Vec::new();
    record.visit(&mut |name, value| all.push(format!("{name} {value:?}")));
    record.visit_unknown(&mut |tag, bytes| all.push(format!("{tag} {bytes:?}")));
    all
}

fn dynamic_fields(record: &Struct<'_>) -> Vec<String> {
    let mut all: Vec<_> = record
        .fields()
        .map(|f| format!("{} {:?}", f.field.name, f.value.map(Owned::from)))
        .collect();
    record.unknown_tags(&mut |tag, span| all.push(format!("{tag} {:?}", record.bytes(span))));
    all
}

/// Reads a value by both decoders, which must agree in everything; gives the fields when it is whole.
fn both(value: &[u8]) -> Option<Fields> {
    let mut found = Found::default();
    let typed = read_with(value, &mut found);
    let dynamic = dynamic::decode(Schemas::builtin(), value);
    let (record, rest): (MetadataRecord<'_>, &[u8]) = match (typed, &dynamic) {
        (Ok(reading), Ok(_)) => (reading.record, &[]),
        (Err(Unread::Leftover(_, record, rest)), Ok(_)) => (*record, rest),
        (Err(Unread::Frame(a)), Err(Undecoded::Frame(b))) if a == *b => return None,
        (Err(Unread::UnknownType(a)), Err(Undecoded::UnknownType(b))) if a == *b => return None,
        (Err(Unread::UnknownVersion(a)), Err(Undecoded::UnknownVersion(b))) if a == *b => {
            return None;
        }
        (Err(Unread::Body(_, a)), Err(Undecoded::Body(_, b))) if a == *b => return None,
        (typed, dynamic) => panic!("{typed:?}\n{dynamic:?}\n{value:x?}"),
    };
    let dynamic = dynamic.unwrap();
    assert_eq!(dynamic.leftover, rest, "{value:x?}");
    assert_eq!(
        typed_fields(&record),
        dynamic_fields(&dynamic.data),
        "{value:x?}"
    );
    let mut wanted = Found::default();
    spans(&dynamic.data, &mut wanted);
    // A tagged field that comes twice is told twice while it is decoded, and the last one counts.
    assert!(
        found.0.is_superset(&wanted.0),
        "{found:?}\n{wanted:?}\n{value:x?}"
    );
    let twice = found.0.len() - wanted.0.len();
    let names: BTreeSet<_> = found.0.iter().map(|(name, ..)| name).collect();
    assert!(twice == 0 || names.len() < found.0.len(), "{value:x?}");
    let fields = Fields::from(dynamic.data);
    assert_eq!(
        format!("{:?}", Fields::from(&record)),
        format!("{fields:?}")
    );
    rest.is_empty().then_some(fields)
}

#[test]
fn both_decoders_agree_on_the_samples_and_their_bytes_come_out_again() {
    let values = values();
    assert!(values.len() > 1_000, "{} values", values.len());
    for value in values {
        let fields = both(&value).unwrap();
        let (api_key, version) = (i16::from(value[1]), i16::from(value[2]));
        let mut bytes = Vec::new();
        put_frame(&mut bytes, api_key, version);
        bytes.extend(
            encode(
                Schemas::builtin().metadata(api_key).unwrap(),
                version,
                &fields,
            )
            .unwrap(),
        );
        assert_eq!(bytes, value);
    }
}

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    /// One below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

#[test]
fn both_decoders_agree_on_damaged_records() {
    let values: Vec<_> = values().into_iter().filter(|v| v.len() < 2_000).collect();
    let mut numbers = Numbers(0x5eed);
    let mut whole = 0;
    for _ in 0..15_000 {
        let mut value = values[numbers.below(values.len())].clone();
        for _ in 0..=numbers.below(3) {
            let at = numbers.below(value.len());
            let byte = [0, 1, 2, 0x7f, 0x80, 0xff, numbers.below(256) as u8][numbers.below(7)];
            match numbers.below(5) {
                0 => value.truncate(at),
                1 => value.insert(at, byte),
                2 if !value.is_empty() => drop(value.remove(at)),
                3 => value
                    .splice(at..at, [0xff, 0xff, 0xff, 0xff, 0x0f])
                    .for_each(drop),
                _ => value.iter_mut().skip(at).take(1).for_each(|b| *b = byte),
            }
        }
        whole += usize::from(both(&value).is_some());
        // Kafka's own reading must end too.
        let _ = decode_as_kafka(Schemas::builtin(), &value);
    }
    assert!(whole > 500, "{whole} of the records stayed readable");
}

fn some_value(numbers: &mut Numbers, kind: &Type, version: i16) -> Owned {
    let mut bytes = |most: usize| -> Vec<u8> {
        (0..numbers.below(most))
            .map(|_| numbers.below(256) as u8)
            .collect()
    };
    let int = |numbers: &mut Numbers, bits: u32| {
        let n = numbers.below(usize::MAX) as i64;
        Owned::Int(n.wrapping_shl(64 - bits) >> (64 - bits))
    };
    match kind {
        Type::Bool => Owned::Bool(numbers.below(2) == 1),
        Type::Int8 => int(numbers, 8),
        Type::Int16 => int(numbers, 16),
        Type::Uint16 => Owned::Int(numbers.below(65536) as i64),
        Type::Int32 => int(numbers, 32),
        Type::Int64 => int(numbers, 53),
        Type::Float64 => Owned::Float(numbers.below(1 << 40) as f64 / 1024.0),
        Type::Uuid => Owned::Uuid(Uuid([numbers.below(256) as u8; 16])),
        Type::String => Owned::Text(bytes(300)),
        Type::Bytes => Owned::Bytes(bytes(40)),
        Type::Array(item) => {
            let len = numbers.below(4);
            Owned::List(
                (0..len)
                    .map(|_| some_value(numbers, item, version))
                    .collect(),
            )
        }
        Type::Struct(layout) => Owned::Struct(some_fields(numbers, layout, version)),
    }
}

fn some_fields(numbers: &mut Numbers, layout: &kraftlens::schema::Struct, version: i16) -> Fields {
    let mut all = fields();
    for field in layout
        .fields
        .iter()
        .filter(|f| f.versions.contains(version))
    {
        let null = field.nullable.contains(version) && numbers.below(4) == 0;
        let value = if null {
            Owned::Null
        } else {
            some_value(numbers, &field.kind, version)
        };
        all.put(&field.name, value);
    }
    if numbers.below(3) == 0 {
        all = all.tag(40 + numbers.below(1000) as u32, vec![7; numbers.below(5)]);
    }
    all
}

/// What stays of fields when those tagged ones are left out that equal their default.
fn kept(record: &Record, version: i16, all: &Fields) -> Fields {
    let value = encode(record, version, all).unwrap();
    let mut framed = Vec::new();
    put_frame(&mut framed, record.key, version);
    framed.extend(value);
    both(&framed).unwrap()
}

#[test]
fn what_is_encoded_is_decoded() {
    let schemas = Schemas::builtin();
    let mut numbers = Numbers(42);
    let mut states = BTreeSet::new();
    for record in schemas.all_metadata() {
        for version in record.versions.lowest()..=record.versions.highest() {
            for _ in 0..50 {
                let all = some_fields(&mut numbers, &record.layout, version);
                let again = kept(record, version, &all);
                for field in &record.layout.fields {
                    match (all.get(&field.name), again.get(&field.name)) {
                        (Some(a), Some(b)) if a == b => states.insert("kept"),
                        (Some(_), None) if field.tag.is_some() => states.insert("left out"),
                        (None, None) => states.insert("not in version"),
                        (a, b) => panic!("{}.{}: {a:?} {b:?}", record.name(), field.name),
                    };
                }
            }
        }
    }
    assert_eq!(states.len(), 3, "{states:?}");
}

#[test]
fn control_records_are_the_same_by_both_decoders() {
    let schemas = Schemas::builtin();
    let mut numbers = Numbers(7);
    for record in schemas.all_control() {
        for version in record.versions.lowest()..=record.versions.highest() {
            for _ in 0..50 {
                let all = some_fields(&mut numbers, &record.layout, version);
                let mut all = all;
                all.put("Version", version.into());
                let value = encode(record, version, &all).unwrap();
                let key = kraftlens::record::control_key(record.key);
                let mut found = Found::default();
                let typed = read_control_with(&key, &value, &mut found).unwrap();
                let dynamic = dynamic::decode_control(schemas, &key, &value)
                    .unwrap()
                    .unwrap();
                assert_eq!(
                    (typed.schema_version, typed.leftover),
                    (version, dynamic.leftover)
                );
                let typed = match &typed.record {
                    ControlRecord::LeaderChange(r) => typed_fields(r),
                    ControlRecord::SnapshotHeader(r) => typed_fields(r),
                    ControlRecord::SnapshotFooter(r) => typed_fields(r),
                    ControlRecord::KRaftVersion(r) => typed_fields(r),
                    ControlRecord::Voters(r) => typed_fields(r),
                    other => panic!("{other:?} has no schema"),
                };
                assert_eq!(typed, dynamic_fields(&dynamic.data));
                let mut wanted = Found::default();
                spans(&dynamic.data, &mut wanted);
                assert_eq!(found, wanted);
                let states = dynamic
                    .data
                    .fields()
                    .map(|f| (f.field.name.clone(), f.value));
                for (name, value) in states {
                    let Field::Present(value) = value else {
                        panic!("{name} is in every version")
                    };
                    assert_eq!(all.get(&name), Some(&Owned::from(value)), "{name}");
                }
            }
        }
    }
}
