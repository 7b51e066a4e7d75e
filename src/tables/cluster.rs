//! Columns of brokers, controllers, voters and features.

use super::column::{Column, Type as T};
use super::item::Item;
use crate::facts::levels;
use crate::tree::{Facts, Node, Value, version_range};

const LISTENERS: Column = Column::new(
    "listeners",
    T::Texts,
    "",
    "where it listens: NAME://HOST:PORT",
)
.own(listeners);

const RELEASE: Column = Column::new(
    "release",
    T::Text,
    "",
    "release whose newest metadata.version is the newest that it supports",
)
.own(release);

const VERSION_MIN: Column = Column::new(
    "metadataVersionMin",
    T::Number,
    "level",
    "lowest metadata.version it supports",
)
.own(|i| range(i, "min"));

const VERSION_MAX: Column = Column::new(
    "metadataVersionMax",
    T::Number,
    "level",
    "highest metadata.version it supports",
)
.own(|i| range(i, "max"));

const FEATURES_SUPPORTED: Column = Column::new(
    "features",
    T::Texts,
    "",
    "features it supports: NAME RANGE, as 0-2, 1, or 7+ without end",
)
.own(features);

const INCARNATION: Column = Column::new("incarnationId", T::Id, "", "the process that registered");

pub(super) static BROKERS: &[Column] = &[
    Column::new("id", T::Number, "broker id", "its node.id").usual(),
    Column::new(
        "status",
        T::Text,
        "",
        "active, fenced, or in controlled shutdown",
    )
    .usual(),
    Column::new(
        "fenced",
        T::Bool,
        "",
        "it takes no leadership and serves no clients",
    ),
    Column::new(
        "inControlledShutdown",
        T::Bool,
        "",
        "it is going down in an orderly way",
    ),
    Column::new(
        "epoch",
        T::Number,
        "broker epoch",
        "what its records must carry",
    )
    .usual(),
    INCARNATION,
    Column::new("rack", T::Text, "", "its broker.rack").usual(),
    LISTENERS.usual(),
    RELEASE.usual(),
    VERSION_MIN,
    VERSION_MAX,
    FEATURES_SUPPORTED,
    Column::new(
        "isMigratingZkBroker",
        T::Bool,
        "",
        "it runs on ZooKeeper and is being migrated",
    ),
    Column::new("logDirs", T::Ids, "", "its log directories"),
    Column::new(
        "cordonedLogDirs",
        T::Ids,
        "",
        "directories that take no new replicas; null when it does not say",
    ),
    Column::new("leads", T::Number, "partitions", "partitions that it leads")
        .usual()
        .own(|i| on_broker(i, |i, id| i.table().load(id).leads.into())),
    Column::new(
        "replicas",
        T::Number,
        "replicas",
        "replicas that it is to hold",
    )
    .usual()
    .own(|i| on_broker(i, |i, id| i.table().load(id).replicas.into())),
    Column::new(
        "staticConfigs",
        T::Number,
        "keys",
        "configs of its file that it reported; null when it reported none at all",
    )
    .usual()
    .own(|i| match i.fact("staticConfigs") {
        count @ Value::Count(_) => count,
        _ => Value::Null,
    }),
    Column::new(
        "staticConfigsSize",
        T::Size,
        "bytes",
        "names and values of those",
    )
    .own(|i| {
        on_broker(i, |i, id| {
            let reported = matches!(i.fact("staticConfigs"), Value::Count(_));
            if !reported {
                return Value::Null;
            }
            let configs = i.table().tree().static_configs(id);
            Value::Size(configs.fold(0u64, |sum, (name, value)| {
                let value = value.map_or(0, |v| v.bytes().len());
                sum.saturating_add(name.bytes().len() as u64)
                    .saturating_add(value as u64)
            }))
        })
    }),
];

pub(super) static CONTROLLERS: &[Column] = &[
    Column::new("id", T::Number, "controller id", "its node.id").usual(),
    Column::new(
        "marked",
        T::Bool,
        "",
        "its registration says that it left for good",
    )
    .usual()
    .own(|i| matches!(i.facts().get("marked"), Some(Value::Facts(_))).into()),
    Column::new(
        "markedSince",
        T::Number,
        "offset",
        "the record that marked it, or the checkpoint that holds the mark",
    )
    .usual()
    .own(|i| match i.fact("marked.since") {
        Value::Null => i.fact("marked.sinceAtLatest"),
        since => since,
    }),
    Column::new("markedAt", T::Time, "", "when that was, at the latest").fact("marked.time"),
    Column::new(
        "markForm",
        T::Text,
        "",
        "what the marked registration says of features",
    )
    .fact("marked.form"),
    Column::new(
        "voter",
        T::Bool,
        "",
        "it is a live voter; null in a static quorum",
    )
    .usual(),
    INCARNATION,
    Column::new(
        "zkMigrationReady",
        T::Bool,
        "",
        "it was ready for the ZooKeeper migration",
    ),
    LISTENERS.usual(),
    RELEASE.usual(),
    VERSION_MIN,
    VERSION_MAX.usual(),
    FEATURES_SUPPORTED,
];

pub(super) static VOTERS: &[Column] = &[
    Column::new("id", T::Number, "controller id", "its node.id").usual(),
    Column::new(
        "directoryId",
        T::Id,
        "",
        "the directory of its metadata log",
    )
    .usual(),
    LISTENERS.usual(),
    Column::new(
        "kraftVersion",
        T::Text,
        "",
        "range of kraft.version it supports",
    )
    .usual(),
    Column::new(
        "registered",
        T::Bool,
        "",
        "a controller of this id is registered",
    )
    .usual(),
    Column::new(
        "marked",
        T::Bool,
        "",
        "that controller is marked as gone for good",
    )
    .usual()
    .own(|i| matches!(i.fact("marked"), Value::Bool(true)).into()),
];

pub(super) static FEATURES: &[Column] = &[
    Column::new("name", T::Text, "", "its name")
        .usual()
        .own(|i| match i.node() {
            Node::MetadataVersion => levels::METADATA_VERSION.into(),
            Node::KraftVersion => crate::image::KRAFT_VERSION.into(),
            _ => i.fact("name"),
        }),
    Column::new("level", T::Number, "level", "its finalised level").usual(),
    Column::new(
        "levelName",
        T::Text,
        "",
        "Kafka's name of a metadata.version",
    )
    .usual()
    .own(|i| match i.node() {
        Node::MetadataVersion => i.fact("name"),
        _ => Value::Null,
    }),
    Column::new(
        "neededRelease",
        T::Text,
        "",
        "first release with this metadata.version",
    )
    .usual(),
];

fn on_broker(item: &Item<'_, '_>, value: impl FnOnce(&Item<'_, '_>, i32) -> Value) -> Value {
    match item.node() {
        Node::Broker(id) => value(item, *id),
        _ => Value::Null,
    }
}

fn table<'i>(item: &'i Item<'_, '_>, key: &str) -> &'i [Facts] {
    match item.facts().get(key) {
        Some(Value::Table(rows)) => rows,
        _ => &[],
    }
}

fn inline(facts: &Facts, key: &str) -> String {
    facts.get(key).map(Value::inline).unwrap_or_default()
}

fn listeners(item: &Item<'_, '_>) -> Value {
    let each = table(item, "endpoints").iter().map(|e| {
        let (name, host, port) = (inline(e, "name"), inline(e, "host"), inline(e, "port"));
        if host.contains(':') {
            format!("{name}://[{host}]:{port}").into()
        } else {
            format!("{name}://{host}:{port}").into()
        }
    });
    Value::List(each.collect())
}

fn features(item: &Item<'_, '_>) -> Value {
    let level = |f: &Facts, key| match f.get(key) {
        Some(Value::Id(level)) => i16::try_from(*level).unwrap_or_default(),
        _ => 0,
    };
    let each = table(item, "features").iter().map(|f| {
        let range = version_range(level(f, "min"), level(f, "max"));
        format!("{} {range}", inline(f, "name")).into()
    });
    Value::List(each.collect())
}

/// One end of the range of metadata.version.
fn range(item: &Item<'_, '_>, end: &str) -> Value {
    let version = Value::Text(levels::METADATA_VERSION.to_owned());
    let entry = table(item, "features")
        .iter()
        .find(|f| f.get("name") == Some(&version));
    entry
        .and_then(|f| f.get(end))
        .cloned()
        .unwrap_or(Value::Null)
}

fn release(item: &Item<'_, '_>) -> Value {
    let Value::Id(max) = range(item, "max") else {
        return Value::Null;
    };
    let Ok(max) = i16::try_from(max) else {
        return Value::Null;
    };
    if let Some((release, _)) = levels::releases().find(|(_, latest)| *latest == max) {
        return release.to_string().into();
    }
    // Not the newest of a release: of one in the making, or unstable and let in by a setting.
    let (Some(level), Some(first)) = (levels::level(max), levels::first_known(max)) else {
        return Value::Null;
    };
    let first = first.to_string();
    match level.name.split_once("-IV") {
        Some((named, _)) if named != first => format!("{first} unstable or {named}").into(),
        _ => first.into(),
    }
}
