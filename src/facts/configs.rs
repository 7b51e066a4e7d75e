//! Every config definition of Kafka 3.3 to 4.4, from the releases 3.3.2, 3.6.2, 3.9.2, 4.0.0, 4.1.1,
//! 4.2.1, 4.3.1 and 4.4.0.
//!
//! Kafka: the `ConfigDef` of `AbstractKafkaConfig` (broker), `LogConfig` (topic), `GroupConfig` and
//! `ClientMetricsConfigs`.

use super::codes::ConfigResourceType;
use super::releases::Release;
use serde::Deserialize;
use std::sync::LazyLock;

/// Where a config may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// Brokers and controllers, also their `server.properties`.
    Broker,
    /// Topics.
    Topic,
    /// Subscriptions of client metrics.
    ClientMetrics,
    /// Consumer, share and streams groups.
    Group,
}

impl Scope {
    /// The scope whose definitions hold for a config resource; none for loggers of brokers and
    /// unknown types.
    #[must_use]
    pub fn of(resource: ConfigResourceType) -> Option<Self> {
        match resource {
            ConfigResourceType::BROKER => Some(Self::Broker),
            ConfigResourceType::TOPIC => Some(Self::Topic),
            ConfigResourceType::CLIENT_METRICS => Some(Self::ClientMetrics),
            ConfigResourceType::GROUP => Some(Self::Group),
            _ => None,
        }
    }
}

/// The type of a config's value.
// Kafka: ConfigDef.Type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Type {
    Boolean,
    String,
    Int,
    Short,
    Long,
    Double,
    List,
    Class,
    /// Never to be shown.
    Password,
}

impl Type {
    /// Kafka's name of it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Boolean => "BOOLEAN",
            Self::String => "STRING",
            Self::Int => "INT",
            Self::Short => "SHORT",
            Self::Long => "LONG",
            Self::Double => "DOUBLE",
            Self::List => "LIST",
            Self::Class => "CLASS",
            Self::Password => "PASSWORD",
        }
    }
}

/// The definition of a config.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Where it may be set.
    pub scope: Scope,
    /// Its key.
    pub name: &'static str,
    /// The type of its value, by the latest release that has it.
    #[serde(rename = "type")]
    pub kind: Type,
    /// Whether Kafka checks its values, beyond the type. Brokers report such configs and no others.
    pub validator: bool,
    /// Its default as Kafka prints it. None: the default is null, or the config is required.
    pub default: Option<&'static str>,
    /// Whether a value must be given.
    #[serde(default)]
    pub required: bool,
    /// The first release of those read that has it: `3.3.2`.
    pub first: &'static str,
    /// The last release of those read that has it; [`LATEST`] when it is not gone.
    pub last: &'static str,
    /// For a topic config, the broker configs that give its default, the strongest first.
    #[serde(default)]
    pub broker_synonyms: Vec<&'static str>,
}

/// The newest release whose definitions are here.
pub const LATEST: &str = "4.4.0";

impl Config {
    /// Whether a release has it. Releases between those read count as the ones around them.
    #[must_use]
    pub fn in_release(&self, release: Release) -> bool {
        let within = |first: Release, last: Release| first <= release && release <= last;
        matches!((self.first.parse(), self.last.parse()), (Ok(a), Ok(b)) if within(a, b))
    }

    /// The default as it would be set: of a list without the brackets of [`Self::default`].
    #[must_use]
    pub fn default_value(&self) -> Option<&'static str> {
        let default = self.default?;
        let bare = |text: &'static str| text.strip_prefix('[')?.strip_suffix(']');
        match self.kind {
            Type::List => Some(bare(default).unwrap_or(default)),
            _ => Some(default),
        }
    }

    /// Whether a value means the same as the default.
    // Kafka: ConfigDef.parseType trims every value and reads booleans in any case.
    #[must_use]
    pub fn is_default(&self, value: &str) -> bool {
        let Some(default) = self.default_value() else {
            return false;
        };
        let (value, default) = (value.trim(), default.trim());
        let parts = |list: &str| -> Vec<String> {
            let all = list.split(',').map(|part| part.trim().to_owned());
            all.filter(|part| !part.is_empty()).collect()
        };
        match self.kind {
            Type::Boolean => value.eq_ignore_ascii_case(default),
            Type::Int | Type::Short | Type::Long => {
                matches!((value.parse::<i64>(), default.parse::<i64>()), (Ok(a), Ok(b)) if a == b)
            }
            Type::Double => {
                matches!((value.parse::<f64>(), default.parse::<f64>()), (Ok(a), Ok(b)) if a == b)
            }
            Type::List => parts(value) == parts(default),
            Type::String | Type::Class | Type::Password => value == default,
        }
    }

    /// Whether the newest release read has it.
    #[must_use]
    pub fn is_current(&self) -> bool {
        self.last == LATEST
    }
}

static CONFIGS: LazyLock<Vec<Config>> = LazyLock::new(|| {
    let mut configs: Vec<Config> = serde_json::from_str(include_str!("configs.json"))
        .expect("the definitions are part of the program, and a test reads them");
    configs.sort_by_key(|c| (c.scope, c.name));
    configs
});

/// Every definition, by scope and name.
#[must_use]
pub fn all() -> &'static [Config] {
    &CONFIGS
}

/// The definition of a key in a scope.
#[must_use]
pub fn config(scope: Scope, name: &str) -> Option<&'static Config> {
    let found = all().binary_search_by(|c| (c.scope, c.name).cmp(&(scope, name)));
    found.ok().and_then(|index| all().get(index))
}

/// The definition that holds for a key of a resource. A broker's key behind `listener.name.LISTENER.`,
/// or behind that and a SASL mechanism, is defined as the bare key is.
#[must_use]
pub fn definition(resource: ConfigResourceType, key: &str) -> Option<&'static Config> {
    let scope = Scope::of(resource)?;
    if let Some(found) = config(scope, key) {
        return Some(found);
    }
    if scope != Scope::Broker {
        return None;
    }
    let rest = key.strip_prefix("listener.name.")?;
    rest.match_indices('.')
        .take(2)
        .find_map(|(at, _)| config(scope, rest.get(at.saturating_add(1)..)?))
}

/// The topic configs that take their default from a broker config.
pub fn topic_synonyms(broker_name: &str) -> impl Iterator<Item = &'static Config> {
    all()
        .iter()
        .filter(move |c| c.broker_synonyms.contains(&broker_name))
}

/// Whether Kafka 4.2 and later keep a key of a resource when they replay its record. Others are in
/// the log and in no image, and are lost with the next snapshot.
// Kafka: DefaultSupportedConfigChecker of 4.4.0.
#[must_use]
pub fn kept_on_replay(resource: ConfigResourceType, name: &str) -> bool {
    match Scope::of(resource) {
        Some(Scope::Broker) => true,
        Some(scope) => config(scope, name).is_some_and(Config::is_current),
        None => false,
    }
}

/// The same of an older release, 4.2 or later.
#[must_use]
pub fn kept_on_replay_of(release: Release, resource: ConfigResourceType, name: &str) -> bool {
    match Scope::of(resource) {
        Some(Scope::Broker) => true,
        Some(scope) => config(scope, name).is_some_and(|config| config.in_release(release)),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_read_and_found() {
        assert_eq!(all().len(), 498);
        let password = config(Scope::Broker, "ssl.key.password").unwrap();
        assert_eq!(password.kind, Type::Password);
        let retention = config(Scope::Topic, "retention.ms").unwrap();
        assert_eq!(
            (retention.kind, retention.default),
            (Type::Long, Some("604800000"))
        );
        assert_eq!(
            retention.broker_synonyms,
            [
                "log.retention.ms",
                "log.retention.minutes",
                "log.retention.hours"
            ]
        );
        assert_eq!(config(Scope::Broker, "retention.ms"), None);
        assert_eq!(config(Scope::Topic, ""), None);
        assert!(config(Scope::Broker, "node.id").unwrap().required);
        let names: Vec<_> = topic_synonyms("log.roll.hours").map(|c| c.name).collect();
        assert_eq!(names, ["segment.ms"]);
    }

    #[test]
    fn values_are_compared_with_defaults_by_their_type() {
        let is = |scope, name, value| config(scope, name).unwrap().is_default(value);
        assert!(is(Scope::Topic, "retention.ms", " 604800000"));
        assert!(!is(Scope::Topic, "retention.ms", "604800001"));
        assert!(!is(Scope::Topic, "retention.ms", "a week"));
        assert!(is(Scope::Topic, "unclean.leader.election.enable", "False"));
        assert!(is(Scope::Topic, "min.cleanable.dirty.ratio", "0.50"));
        assert!(!is(Scope::Broker, "advertised.listeners", ""));
        assert!(is(Scope::Topic, "cleanup.policy", "delete"));
        assert!(!is(Scope::Topic, "cleanup.policy", "compact, delete"));
        assert!(is(Scope::Broker, "config.providers", ""));
    }

    #[test]
    fn a_listeners_key_has_the_definition_of_the_bare_key() {
        let of = |key| definition(ConfigResourceType::BROKER, key).map(|c| c.name);
        let location = "ssl.keystore.location";
        assert_eq!(of(location), Some(location));
        assert_eq!(
            of("listener.name.ext.ssl.keystore.location"),
            Some(location)
        );
        let jaas = "listener.name.ext.scram-sha-512.sasl.jaas.config";
        assert_eq!(of(jaas), Some("sasl.jaas.config"));
        assert_eq!(of("listener.name.a.b.c.ssl.keystore.location"), None);
        assert_eq!(of("listener.name.ext"), None);
        let topic = definition(ConfigResourceType::TOPIC, "listener.name.ext.retention.ms");
        assert_eq!(topic, None);
        assert_eq!(definition(ConfigResourceType(99), "retention.ms"), None);
    }

    #[test]
    fn every_release_is_readable_and_keys_are_single() {
        for pair in all().windows(2) {
            assert_ne!((pair[0].scope, pair[0].name), (pair[1].scope, pair[1].name));
        }
        assert!(all().iter().all(|c| c.in_release(c.first.parse().unwrap())));
        let gone = config(Scope::Topic, "message.format.version").unwrap();
        assert!(gone.in_release(Release::new(3, 9)) && !gone.in_release(Release::new(4, 0)));
    }

    // Brokers of 4.4.0 report 229 keys: those that have a validator.
    #[test]
    fn broker_configs_with_a_validator() {
        let broker = all()
            .iter()
            .filter(|c| c.scope == Scope::Broker && c.is_current());
        assert_eq!(broker.filter(|c| c.validator).count(), 229);
    }

    // Asked of the real checker for every name here, over all resource types.
    #[test]
    fn keys_that_kafka_drops_on_replay() {
        use ConfigResourceType as Resource;
        for (resource, name, kept) in [
            (Resource::TOPIC, "retention.ms", true),
            (Resource::TOPIC, "message.format.version", false),
            (Resource::TOPIC, "nope", false),
            (Resource::BROKER, "nope", true),
            (Resource::GROUP, "share.session.timeout.ms", true),
            (Resource::GROUP, "retention.ms", false),
            (Resource::CLIENT_METRICS, "metrics", true),
            (Resource::BROKER_LOGGER, "kafka", false),
            (Resource(0), "retention.ms", false),
        ] {
            assert_eq!(kept_on_replay(resource, name), kept, "{resource} {name}");
        }
    }
}
