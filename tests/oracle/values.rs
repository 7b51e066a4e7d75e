//! Random record values, whole and damaged: kraftlens has for each the text that kafka-dump-log prints.

use crate::harness;
use crate::history::random::Random;
use kraftlens::ids::{Epoch, Offset, Timestamp};
use kraftlens::log::writer::{BatchWriter, segment_name};
use kraftlens::record::json::{record_json, show_all};
use kraftlens::record::{Fields, Owned, decode_as_kafka, encode, put_frame};
use kraftlens::schema::{Record, Schemas, Struct, Type};
use std::ffi::OsString;
use std::fs;

const VALUES: usize = 20_000;
const IN_BATCH: usize = 50;

#[test]
fn kafka_prints_the_same_of_every_value() {
    let seed = std::env::var("KRAFTLENS_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    let mut random = Random::new(seed);
    let values: Vec<Vec<u8>> = std::iter::repeat_with(|| value(&mut random))
        .filter(|value| !is_draft(value))
        .take(VALUES)
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let segment = folder.path().join(segment_name(Offset(0)));
    let mut bytes = Vec::new();
    for (number, values) in values.chunks(IN_BATCH).enumerate() {
        let base = Offset((number * IN_BATCH) as i64);
        let mut batch = BatchWriter::new(base, Epoch(1), Timestamp(1_700_000_000_000));
        for value in values {
            batch = batch.record(None, Some(value));
        }
        batch.write(&mut bytes);
    }
    fs::write(&segment, bytes).unwrap();
    let dump = harness::run([OsString::from("dump"), segment.into()]);

    // A text may hold line ends of its own, so lines are found by what a record line begins with.
    let mut rest = dump.as_str();
    let mut failed = Vec::new();
    let mut refused = 0;
    for (offset, value) in values.iter().enumerate() {
        let start = format!("\n| offset: {offset} ");
        rest = &rest[rest
            .find(&start)
            .unwrap_or_else(|| panic!("Kafka printed no {start}"))..];
        let (_, text) = rest.split_once("payload: ").unwrap();
        let end = ["\n| offset: ", "\nbaseOffset: "]
            .iter()
            .filter_map(|next| text.find(next))
            .min();
        let kafkas = text[..end.unwrap_or(text.len())].trim_end_matches('\n');
        let ours = match decode_as_kafka(Schemas::builtin(), value) {
            Ok(record) => record_json(&record, &show_all).to_string(),
            Err(refusal) => format!("Error at {offset}, skipping. {refusal}"),
        };
        refused += usize::from(kafkas.starts_with("Error at "));
        if ours != kafkas {
            failed.push(format!("{value:02x?}\n  kafka: {kafkas}\n  ours:  {ours}"));
        }
        rest = text;
    }
    // Damage that nothing refuses, or refusals only, would compare little.
    assert!(
        (VALUES / 10..VALUES / 2).contains(&refused),
        "{refused} refused"
    );
    assert!(
        failed.is_empty(),
        "{} of {VALUES} differ:\n{}",
        failed.len(),
        failed[..failed.len().min(10)].join("\n")
    );
}

/// RegisterBrokerRecord above version 4, which Kafka 4.4.0 does not know and kraftlens does.
fn is_draft(value: &[u8]) -> bool {
    matches!(value, [1, 0, version, ..] if *version > 4)
}

fn value(random: &mut Random) -> Vec<u8> {
    let schemas = Schemas::builtin().all_metadata();
    let schema = random.pick(schemas).as_ref();
    let version = random.within(
        schema.versions.lowest().into(),
        schema.versions.highest().into(),
    );
    let fields = fields(random, &schema.layout, version as i16);
    let mut value = Vec::new();
    put_frame(&mut value, schema.key, version as i16);
    value.extend(encode(schema, version as i16, &fields).expect("made by the schema"));
    if random.percent(50) {
        damage(random, schema, &mut value);
    }
    value
}

fn fields(random: &mut Random, layout: &Struct, version: i16) -> Fields {
    let mut fields = Fields::default();
    for field in &layout.fields {
        let tagged = field.tagged.contains(version);
        if !field.versions.contains(version) || tagged && random.percent(40) {
            continue;
        }
        let null = field.nullable.contains(version) && random.percent(25);
        let value = if null {
            Owned::Null
        } else {
            owned(random, &field.kind, version)
        };
        fields = fields.set(&field.name, value);
    }
    if random.percent(10) {
        let count = random.below(5);
        fields = fields.tag(100, random.bytes(count));
    }
    fields
}

fn owned(random: &mut Random, kind: &Type, version: i16) -> Owned {
    let int = |random: &mut Random, bits: u32| {
        let any = (random.next() as i64) >> (64 - bits);
        *random.pick(&[
            any,
            0,
            1,
            -1,
            i64::MAX >> (64 - bits),
            i64::MIN >> (64 - bits),
        ])
    };
    match kind {
        Type::Bool => random.percent(50).into(),
        Type::Int8 => Owned::Int(int(random, 8)),
        Type::Int16 => Owned::Int(int(random, 16)),
        Type::Uint16 => Owned::Int(int(random, 16) & 0xffff),
        Type::Int32 => Owned::Int(int(random, 32)),
        Type::Int64 => Owned::Int(int(random, 64)),
        // Doubles that every Java release prints alike.
        Type::Float64 => Owned::Float(*random.pick(&[
            0.0,
            -0.0,
            1.5,
            -1024.0,
            1.0e7,
            1.0e-4,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
        ])),
        Type::Uuid => random.uuid().into(),
        Type::String => random.odd_text().into(),
        Type::Bytes => {
            let count = random.below(20);
            Owned::Bytes(random.bytes(count))
        }
        Type::Array(item) => Owned::List(
            (0..random.below(4))
                .map(|_| owned(random, item, version))
                .collect(),
        ),
        Type::Struct(layout) => Owned::Struct(fields(random, layout, version)),
    }
}

/// Cuts, adds or changes bytes. The double of a quota is spared, as most doubles are printed with
/// other digits by older Java releases.
fn damage(random: &mut Random, schema: &Record, value: &mut Vec<u8>) {
    match random.below(if schema.name() == "ClientQuotaRecord" {
        2
    } else {
        6
    }) {
        0 => value.truncate(random.below(value.len())),
        1 => {
            let count = 1 + random.below(3);
            value.extend(random.bytes(count));
        }
        2 => {
            let at = random.below(value.len().min(3));
            value[at] = random.next() as u8;
        }
        3 => {
            let at = random.below(value.len());
            value.insert(at, random.next() as u8);
        }
        _ => {
            for _ in 0..1 + random.below(3) {
                let at = random.below(value.len());
                value[at] = random.next() as u8;
            }
        }
    }
}
