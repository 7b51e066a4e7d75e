//! Decides what is secret. Nothing else may: whoever shows, writes or hexes a value asks here, and
//! shows [`REDACTED`] instead unless the user asked to reveal.
//!
//! When in doubt it hides: a value shown by mistake is out for good, one hidden by mistake is a flag
//! away.

use super::codes::ConfigResourceType;
use super::configs::{self, Scope, Type};

/// What stands in the place of a secret.
// Kafka: RecordRedactor, MetadataNode.
pub const REDACTED: &str = "[redacted]";

/// Names of unknown keys that tell of a secret.
const TELLING: [&str; 6] = [
    "password",
    "secret",
    "token",
    "credential",
    "jaas",
    "private",
];

/// Whether the value of a config is secret.
///
/// Secret are configs of type PASSWORD, bare or behind `listener.name.LISTENER.`,
/// `listener.name.LISTENER.MECHANISM.` and `config.providers.PROVIDER.param.`, on any kind of
/// resource; and keys without a definition for that resource whose name has one of a few telling
/// words or ends in `.key`, whatever the case, or has a character that its bytes did not give (U+FFFD
/// stands for what is no UTF-8, and may hide such a word). Other defined keys are shown, whatever their names.
#[must_use]
pub fn is_secret_config(resource: ConfigResourceType, key: &str) -> bool {
    if is_password(key) || known_password_behind_prefix(key) {
        return true;
    }
    configs::definition(resource, key).is_none() && has_telling_name(key)
}

/// Whether the value of a static config of a broker (RegisterBrokerRecord, StaticConfigs) is secret.
#[must_use]
pub fn is_secret_static_config(key: &str) -> bool {
    is_secret_config(ConfigResourceType::BROKER, key)
}

/// Whether a field is secret wherever it appears, by the names of the record schema and of the field.
/// Values of configs depend on their key: see [`is_secret_config`].
// Kafka: RecordRedactor.
#[must_use]
pub fn is_secret_field(record: &str, field: &str) -> bool {
    record == "UserScramCredentialRecord" && matches!(field, "Salt" | "StoredKey" | "ServerKey")
}

/// Whether a record value must be hidden as a whole when its fields cannot be told apart or trusted:
/// it does not decode, has bytes left over or unknown tags, or stands in a damaged batch. `None` is a
/// value whose type itself cannot be read.
///
/// ConfigRecord (4) and UserScramCredentialRecord (11) carry secrets. RegisterBrokerRecord (0) carries
/// static configs from version 5 on, where a broker of another make may report any key; all its
/// versions are hidden, for a damaged version number, and the unknown tag under which an older
/// version would carry them, cannot be trusted either.
#[must_use]
pub fn hides_whole_value(api_key: Option<i16>) -> bool {
    matches!(api_key, None | Some(0 | 4 | 11))
}

fn is_password(key: &str) -> bool {
    configs::config(Scope::Broker, key).is_some_and(|c| c.kind == Type::Password)
}

/// The keys that a prefixed key may stand for: what follows one of the places where the prefix may
/// end. A listener's or provider's name may itself hold points, so every point is such a place.
fn behind_points(rest: &str) -> impl Iterator<Item = &str> {
    rest.match_indices('.')
        .filter_map(|(at, point)| rest.get(at.saturating_add(point.len())..))
}

fn known_password_behind_prefix(key: &str) -> bool {
    if let Some(rest) = key.strip_prefix("listener.name.") {
        return behind_points(rest).any(is_password);
    }
    match key.strip_prefix("config.providers.") {
        Some(rest) => behind_points(rest)
            .filter_map(|tail| tail.strip_prefix("param."))
            .any(is_password),
        None => false,
    }
}

fn has_telling_name(key: &str) -> bool {
    let key = key.to_lowercase();
    key.ends_with(".key")
        || key.contains(char::REPLACEMENT_CHARACTER)
        || TELLING.iter().any(|word| key.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROKER: ConfigResourceType = ConfigResourceType::BROKER;
    const TOPIC: ConfigResourceType = ConfigResourceType::TOPIC;

    #[test]
    fn a_key_with_bytes_that_are_no_text_is_secret() {
        assert!(is_secret_config(BROKER, "my.store.passw\u{fffd}rd"));
        assert!(!is_secret_config(BROKER, "my.store.kind"));
    }

    #[test]
    fn every_password_config_is_secret_bare_and_behind_its_prefixes() {
        let mut seen = 0;
        for config in configs::all().iter().filter(|c| c.kind == Type::Password) {
            for prefix in [
                "",
                "listener.name.external.",
                "listener.name.external.scram-sha-512.",
                "listener.name.my.listener.plain.",
                "config.providers.vault.param.",
                "config.providers.my.vault.param.",
            ] {
                let key = format!("{prefix}{}", config.name);
                assert!(is_secret_config(BROKER, &key), "{key}");
                assert!(is_secret_static_config(&key), "{key}");
                assert!(is_secret_config(TOPIC, &key), "{key}");
            }
            seen += 1;
        }
        assert_eq!(seen, 15);
        // Named by no telling word: the type alone decides.
        assert!(is_secret_config(
            BROKER,
            "listener.name.ext.ssl.truststore.certificates"
        ));
        assert!(is_secret_config(BROKER, "ssl.keystore.certificate.chain"));
    }

    #[test]
    fn other_defined_keys_are_shown_whatever_their_names() {
        for key in [
            "delegation.token.max.lifetime.ms",
            "password.encoder.iterations",
            "sasl.oauthbearer.token.endpoint.url",
            "listener.name.ext.sasl.oauthbearer.token.endpoint.url",
            "listener.name.ext.oauthbearer.sasl.oauthbearer.token.endpoint.url",
            "num.io.threads",
            "listener.name.ext.ssl.keystore.location",
        ] {
            assert!(!is_secret_config(BROKER, key), "{key}");
        }
        assert!(!is_secret_config(TOPIC, "retention.ms"));
    }

    #[test]
    fn unknown_keys_are_judged_by_name() {
        for key in [
            "my.PassWord.x",
            "x.secret",
            "Auth.Token",
            "cloud.credentials",
            "x.jaas",
            "privateThing",
            "encryption.KEY",
            "config.providers.vault.param.token",
            // defined elsewhere, but not as a parameter of a provider
            "config.providers.p.param.password.encoder.iterations",
            "listener.name.a.b.c.delegation.token.max.lifetime.ms",
        ] {
            assert!(is_secret_config(BROKER, key), "{key}");
        }
        for key in [
            "key.x",
            "monkey",
            "num.foo",
            "config.providers.file.param.paths",
            "",
        ] {
            assert!(!is_secret_config(BROKER, key), "{key}");
        }
        // Defined for brokers, so unknown for topics and loggers.
        assert!(is_secret_config(TOPIC, "delegation.token.max.lifetime.ms"));
        assert!(is_secret_config(
            ConfigResourceType(99),
            "delegation.token.max.lifetime.ms"
        ));
        assert!(!is_secret_config(ConfigResourceType::GROUP, "retention.ms"));
    }

    #[test]
    fn fields_and_whole_values() {
        assert!(is_secret_field("UserScramCredentialRecord", "StoredKey"));
        assert!(!is_secret_field("UserScramCredentialRecord", "Iterations"));
        assert!(!is_secret_field("DelegationTokenRecord", "TokenId"));
        assert!(hides_whole_value(None) && hides_whole_value(Some(0)));
        assert!(hides_whole_value(Some(4)) && hides_whole_value(Some(11)));
        assert!(!hides_whole_value(Some(2)) && !hides_whole_value(Some(10)));
    }
}
