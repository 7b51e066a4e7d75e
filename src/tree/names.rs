//! What nodes are called: Kafka's names under `/image`, and ours where Kafka's lead nowhere or to
//! something else.

use crate::facts::codes;
use crate::image::{Entity, Resource};
use std::borrow::Cow;
use std::fmt::Write as _;

/// `TYPE:name`, or `TYPE` for the default of a type (`ConfigurationsImageNode`).
pub(super) fn resource(resource: &Resource) -> String {
    let kind = codes::ConfigResourceType(resource.kind);
    if resource.name.is_empty() {
        kind.to_string()
    } else {
        format!("{kind}:{}", resource.name)
    }
}

/// Kafka's word for a quota entity type in node names; an unknown type is called as it is.
fn entity_kind(kind: &str) -> &str {
    match kind {
        "client-id" => "clientId",
        other => other,
    }
}

fn escaped(name: &str) -> Cow<'_, str> {
    if !name.contains(['\\', '(', ')']) {
        return name.into();
    }
    let mut out = String::with_capacity(name.len().saturating_add(4));
    for c in name.chars() {
        if matches!(c, '\\' | '(' | ')') {
            out.push('\\');
        }
        out.push(c);
    }
    out.into()
}

/// `clientId(x)_user(y)`, a default part as `user<default>`: no two entities share a name.
pub(super) fn entity(entity: &Entity) -> String {
    let mut out = String::new();
    for (kind, name) in entity.parts() {
        let kind = entity_kind(kind);
        let joint = if out.is_empty() { "" } else { "_" };
        let _ = match name {
            Some(name) => write!(out, "{joint}{kind}({})", escaped(name)),
            None => write!(out, "{joint}{kind}<default>"),
        };
    }
    out
}

/// The name that Kafka gives an entity: default parts are skipped (`ClientQuotasImageNode`), so that it
/// may be empty, or that of another entity.
pub(super) fn kafka_entity(entity: &Entity) -> String {
    let mut out = String::new();
    for (kind, name) in entity.parts() {
        if let Some(name) = name {
            let joint = if out.is_empty() { "" } else { "_" };
            let _ = write!(out, "{joint}{}({})", entity_kind(kind), escaped(name));
        }
    }
    out
}
