//! What Kafka's releases know of a config's key.

use super::detail::{Facts, Value};
use crate::facts::codes::ConfigResourceType;
use crate::facts::configs::{self, Scope};

/// Adds the definition of a key to the facts of its config, by the names that tables use: `valueType`,
/// `default`, `differs`, `firstRelease`, `lastRelease`.
///
/// `value` is the config's value as it is shown: of a masked one only that it is set counts, for no
/// secret has a default.
pub(super) fn add(facts: &mut Facts, resource: ConfigResourceType, key: &str) {
    let value = match facts.get("value") {
        Some(Value::Text(value)) => Some(value.clone()),
        _ => None,
    };
    match configs::definition(resource, key) {
        Some(known) => {
            if known.name != key {
                facts.add("definedAs", known.name);
            }
            facts.add("valueType", known.kind.name());
            facts.add("default", known.default_value());
            let differs = match value {
                Some(value) => !known.is_default(&value),
                None => known.default.is_some(),
            };
            facts.add("differs", differs);
            facts.add("firstRelease", known.first);
            facts.add("lastRelease", known.last);
            if !known.broker_synonyms.is_empty() {
                let names = known.broker_synonyms.iter().map(|&name| name.into());
                facts.add("brokerSynonyms", Value::List(names.collect()));
            }
        }
        None if Scope::of(resource).is_some() => {
            facts.add("note", "not defined in any release 3.3 to 4.4");
        }
        None => facts.add("note", "resources of this type have no defined configs"),
    }
}

/// Adds that Kafka drops a dynamic config, where it does.
pub(super) fn add_dropped(facts: &mut Facts, resource: ConfigResourceType, key: &str) {
    if !configs::kept_on_replay(resource, key) {
        facts.add("kafka", "4.2 and later drop it when they load the record");
    }
}
