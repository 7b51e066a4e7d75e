//! Columns of configs, quotas, ACLs, credentials and tokens.

use super::column::{Column, Type as T};
use crate::facts::codes::ConfigResourceType;
use crate::facts::configs;
use crate::tree::{Node, Value};

const VALUE_TYPE: Column = Column::new(
    "valueType",
    T::Text,
    "",
    "the type that Kafka gives its values; null for a key that no release defines",
);

const DEFAULT: Column = Column::new(
    "default",
    T::Text,
    "",
    "what Kafka takes when nothing is set; empty for an empty list or text",
);

const DIFFERS: Column = Column::new(
    "differs",
    T::Bool,
    "",
    "the value is not the default; null for a key that no release defines",
);

const FIRST: Column = Column::new(
    "firstRelease",
    T::Text,
    "",
    "first release read that defines it",
);

const LAST: Column = Column::new(
    "lastRelease",
    T::Text,
    "",
    "last release read that defines it",
);

pub(super) static CONFIGS: &[Column] = &[
    Column::new(
        "type",
        T::Text,
        "",
        "TOPIC, BROKER, BROKER_LOGGER, CLIENT_METRICS or GROUP",
    )
    .usual(),
    Column::new(
        "resource",
        T::Text,
        "",
        "what it belongs to; empty for the default of the type",
    )
    .usual(),
    Column::new("name", T::Text, "", "its key").usual(),
    Column::new("value", T::Text, "", "its value").usual(),
    VALUE_TYPE,
    DEFAULT.usual(),
    DIFFERS,
    FIRST,
    LAST,
    Column::new(
        "dropped",
        T::Bool,
        "",
        "Kafka 4.2 and later drop it when they load the record",
    )
    .own(|i| match i.node() {
        Node::Config(resource, key) => {
            (!configs::kept_on_replay(ConfigResourceType(resource.kind), key)).into()
        }
        _ => Value::Null,
    }),
];

pub(super) static STATIC_CONFIGS: &[Column] = &[
    Column::new("broker", T::Number, "broker id", "who reported it").usual(),
    Column::new("name", T::Text, "", "its key").usual(),
    Column::new("value", T::Text, "", "its value").usual(),
    VALUE_TYPE,
    DEFAULT.usual(),
    DIFFERS,
    FIRST,
    LAST,
];

pub(super) static ACLS: &[Column] = &[
    Column::new("id", T::Id, "", "its id"),
    Column::new("principal", T::Text, "", "who: TYPE:NAME").usual(),
    Column::new("host", T::Text, "", "from where; * is anywhere").usual(),
    Column::new("operation", T::Text, "", "what").usual(),
    Column::new("permissionType", T::Text, "", "ALLOW or DENY").usual(),
    Column::new("resourceType", T::Text, "", "TOPIC, GROUP, CLUSTER, ...").usual(),
    Column::new("patternType", T::Text, "", "LITERAL or PREFIXED").usual(),
    Column::new("resourceName", T::Text, "", "which; * is any").usual(),
];

pub(super) static QUOTAS: &[Column] = &[
    Column::new(
        "entity",
        T::Text,
        "",
        "whom it is for, as the tree names it",
    )
    .usual()
    .own(|i| match i.node() {
        Node::Quota(entity, _) => {
            let tree = i.table().tree();
            tree.name(&Node::Entity(entity.clone())).into()
        }
        _ => Value::Null,
    }),
    Column::new(
        "user",
        T::Text,
        "",
        "the user part; null when it has none or is for the default",
    )
    .fact("entity.user"),
    Column::new(
        "clientId",
        T::Text,
        "",
        "the client id part; null when it has none or is for the default",
    )
    .fact("entity.client-id"),
    Column::new(
        "ip",
        T::Text,
        "",
        "the address part; null when it has none or is for the default",
    )
    .fact("entity.ip"),
    Column::new(
        "defaultFor",
        T::Texts,
        "",
        "parts that stand for all without a quota of their own",
    ),
    Column::new("name", T::Text, "", "its key").usual(),
    Column::new(
        "value",
        T::Real,
        "as the key says",
        "bytes a second, percent of a thread, or changes a second",
    )
    .usual(),
];

pub(super) static USERS: &[Column] = &[
    Column::new("user", T::Text, "", "the user").usual(),
    Column::new("mechanism", T::Text, "", "SCRAM-SHA-256 or SCRAM-SHA-512").usual(),
    Column::new("iterations", T::Number, "iterations", "rounds of the hash").usual(),
    Column::new("salt", T::Text, "", "secret"),
    Column::new("storedKey", T::Text, "", "secret"),
    Column::new("serverKey", T::Text, "", "secret"),
];

pub(super) static TOKENS: &[Column] = &[
    Column::new("tokenId", T::Text, "", "its id").usual(),
    Column::new("owner", T::Text, "", "whose it is: TYPE:NAME").usual(),
    Column::new("requester", T::Text, "", "who asked for it").usual(),
    Column::new("renewers", T::Texts, "", "who may renew it").usual(),
    Column::new("issued", T::Time, "", "when it was issued"),
    Column::new("expires", T::Time, "", "when it expires").usual(),
    Column::new(
        "expiresAtLatest",
        T::Time,
        "",
        "up to when it can be renewed",
    )
    .usual(),
];
