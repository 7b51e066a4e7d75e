//! Columns of epochs, files and findings, and those that say where a row comes from.

use super::column::{Column, Type as T};
use super::item::Item;
use crate::ids::Position;
use crate::log::Origin;
use crate::tree::{Node, Value};

pub(super) static ORIGIN: &[Column] = &[
    Column::new(
        "originFile",
        T::Text,
        "",
        "file of the record that last set it",
    )
    .own(|i| origin(i, |o| o.file.to_string_lossy().into())),
    Column::new(
        "originPosition",
        T::Number,
        "byte",
        "where the record, or its compressed batch, begins",
    )
    .own(|i| origin(i, |o| position(o.position))),
    Column::new(
        "originOffset",
        T::Number,
        "offset",
        "offset of the record; from a checkpoint the last one that it contains",
    )
    .own(|i| origin(i, |o| o.offset.into())),
    Column::new(
        "originEpoch",
        T::Number,
        "epoch",
        "leader epoch of the record",
    )
    .own(|i| origin(i, |o| o.epoch.into())),
    Column::new(
        "originTime",
        T::Time,
        "",
        "when the leader appended it; from a checkpoint at the latest",
    )
    .own(|i| origin(i, |o| o.time.into())),
];

pub(super) static EPOCHS: &[Column] = &[
    Column::new("epoch", T::Number, "epoch", "the leader epoch").usual(),
    Column::new("leader", T::Number, "controller id", "who leads it").usual(),
    Column::new(
        "voters",
        T::Numbers,
        "controller ids",
        "voters as the leader knew them",
    )
    .usual(),
    Column::new(
        "grantingVoters",
        T::Numbers,
        "controller ids",
        "those who voted for it",
    )
    .usual(),
    Column::new("startOffset", T::Number, "offset", "its first record")
        .usual()
        .own(|i| origin(i, |o| o.offset.into())),
    Column::new("startTime", T::Time, "", "when it began")
        .usual()
        .own(|i| origin(i, |o| o.time.into())),
];

pub(super) static FILES: &[Column] = &[
    Column::new("path", T::Text, "", "its path").usual(),
    Column::new(
        "kind",
        T::Text,
        "",
        "log segment, checkpoint, bootstrap checkpoint, ...",
    )
    .usual()
    .own(|i| match i.node() {
        Node::SideFile(file) => file.name().into(),
        _ => i.fact("kind"),
    }),
    Column::new("used", T::Bool, "", "the state was read from it")
        .usual()
        .own(|i| matches!(i.node(), Node::File(_)).into()),
    Column::new("passedOver", T::Text, "", "why it was not used").usual(),
    Column::new("size", T::Size, "bytes", "its length").usual(),
    Column::new("batches", T::Number, "batches", "batches in it").usual(),
    Column::new(
        "firstOffset",
        T::Number,
        "offset",
        "of a segment, its first offset",
    )
    .usual(),
    Column::new(
        "lastOffset",
        T::Number,
        "offset",
        "of a segment, its last offset",
    )
    .usual(),
    Column::new(
        "lastTime",
        T::Time,
        "",
        "of a segment, the time of its last batch",
    ),
    Column::new(
        "lastContainedLogTime",
        T::Time,
        "",
        "of a checkpoint, the time of the last record that it contains",
    ),
    Column::new(
        "footer",
        T::Bool,
        "",
        "of a checkpoint, whether it is complete",
    ),
];

pub(super) static FINDINGS: &[Column] = &[
    Column::new("severity", T::Text, "", "info, warning or error").usual(),
    Column::new("code", T::Text, "", "its kind").usual(),
    Column::new("summary", T::Text, "", "what is wrong").usual(),
    Column::new(
        "damage",
        T::Bool,
        "",
        "bytes or records are damaged, lost or not understood",
    )
    .own(|i| with_finding(i, |f| f.code.is_damage().into())),
    Column::new("file", T::Text, "", "where")
        .fact("place.file")
        .usual(),
    Column::new("position", T::Number, "byte", "where in the file")
        .fact("place.position")
        .usual(),
    Column::new(
        "offset",
        T::Number,
        "offset",
        "where in the log; in a checkpoint, inside the file",
    )
    .fact("place.offset")
    .usual(),
    Column::new("expected", T::Text, "", "what should stand there"),
    Column::new("found", T::Text, "", "what stands there"),
    Column::new("lostRecords", T::Number, "records", "records lost by it").fact("lost.records"),
    Column::new("lostBytes", T::Size, "bytes", "bytes lost by it").fact("lost.bytes"),
    Column::new("against", T::Text, "", "what it conflicts with").fact("against.what"),
    Column::new("kafka", T::Text, "", "what Kafka does with it"),
];

fn origin(item: &Item<'_, '_>, value: impl FnOnce(&Origin) -> Value) -> Value {
    item.origin().map_or(Value::Null, value)
}

fn position(position: Position) -> Value {
    Value::Id(i64::try_from(position.0).unwrap_or(i64::MAX))
}

fn with_finding(
    item: &Item<'_, '_>,
    value: impl FnOnce(&crate::finding::Finding) -> Value,
) -> Value {
    let Node::Finding(n) = item.node() else {
        return Value::Null;
    };
    let findings = item.table().tree().state().findings();
    findings.kept().get(*n).map_or(Value::Null, value)
}
