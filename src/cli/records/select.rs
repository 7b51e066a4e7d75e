//! Which records are wanted: by type, by object, by offset and by time.

use super::object::Object;
use super::walk::{Content, Step};
use crate::facts::codes::ConfigResourceType;
use crate::ids::{Offset, Timestamp, Uuid};
use crate::record::{Frame, Text};
use crate::schema::{Record, Schemas};
use crate::text::parse_time;

/// What is wanted. Every part that is given has to fit.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    pub(super) types: Vec<TypeChoice>,
    pub(super) object: Option<ObjectChoice>,
    pub(super) from: Option<Offset>,
    pub(super) to: Option<Offset>,
    pub(super) since: Option<Timestamp>,
    pub(super) until: Option<Timestamp>,
}

impl Selection {
    /// Whether nothing is left out.
    pub(super) fn is_all(&self) -> bool {
        self.types.is_empty()
            && self.object.is_none()
            && self.from.is_none()
            && self.to.is_none()
            && self.since.is_none()
            && self.until.is_none()
    }

    pub(super) fn wants(&self, step: &Step<'_, '_>) -> bool {
        self.from.is_none_or(|from| step.offset >= from)
            && self.to.is_none_or(|to| step.offset <= to)
            && self.since.is_none_or(|since| step.time >= since)
            && self.until.is_none_or(|until| step.time <= until)
            && (self.types.is_empty() || self.types.iter().any(|t| t.fits(step)))
            && self.object.as_ref().is_none_or(|o| o.fits(step))
    }
}

/// A type of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeChoice {
    /// A metadata record by its apiKey.
    Metadata(i16),
    /// A control record by its type.
    Control(i16),
}

impl TypeChoice {
    fn fits(self, step: &Step<'_, '_>) -> bool {
        match (self, step.content) {
            (Self::Metadata(key), Content::Data(_)) => {
                let value = step.record.value().unwrap_or_default();
                Frame::parse(value).is_ok_and(|frame| frame.api_key == key)
            }
            (Self::Control(kind), Content::Control(_)) => {
                let key = step.record.key().unwrap_or_default();
                crate::record::control_type(key) == Ok(kind)
            }
            _ => false,
        }
    }
}

/// A name in the one form that all spellings share: `TOPIC_RECORD`, `TopicRecord` and `topic` are one.
fn plain(name: &str) -> String {
    let mut name: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    for end in ["record", "message"] {
        if let Some(short) = name.strip_suffix(end).filter(|short| !short.is_empty()) {
            name.truncate(short.len());
        }
    }
    name
}

fn known_types() -> impl Iterator<Item = (String, TypeChoice)> {
    let schemas = Schemas::builtin();
    let names = |all: &'static [std::sync::Arc<Record>], choice: fn(i16) -> TypeChoice| {
        all.iter().map(move |r| (r.kafka_name(), choice(r.key)))
    };
    let others = [
        ("ABORT", 0),
        ("COMMIT", 1),
        ("LEADER_CHANGE", 2),
        ("SNAPSHOT_HEADER", 3),
        ("SNAPSHOT_FOOTER", 4),
        ("KRAFT_VERSION", 5),
        ("KRAFT_VOTERS", 6),
    ];
    names(schemas.all_metadata(), TypeChoice::Metadata)
        .chain(names(schemas.all_control(), TypeChoice::Control))
        .chain(others.map(|(name, kind)| (name.to_owned(), TypeChoice::Control(kind))))
}

/// Reads a type: Kafka's name, the schema's, an apiKey, or `control:` and a number.
pub(super) fn parse_type(text: &str) -> Result<TypeChoice, String> {
    let text = text.trim();
    if let Ok(key) = text.parse::<i16>() {
        return Ok(TypeChoice::Metadata(key));
    }
    if let Some(Ok(kind)) = text.strip_prefix("control:").map(str::parse) {
        return Ok(TypeChoice::Control(kind));
    }
    let wanted = plain(text);
    if let Some((_, choice)) = known_types().find(|(name, _)| plain(name) == wanted) {
        return Ok(choice);
    }
    let nearest = known_types()
        .map(|(name, _)| (distance(&plain(&name), &wanted), name))
        .min();
    Err(match nearest {
        Some((far, name)) if far <= wanted.len().div_ceil(3) => {
            format!("no type of record has this name; {name} is one")
        }
        _ => "no type of record has this name; TOPIC_RECORD, TopicRecord and its apiKey 2 \
              are one, LEADER_CHANGE another"
            .to_owned(),
    })
}

/// How many letters must be added, dropped or replaced to make one word of another.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut left = i.saturating_add(1);
        let mut diagonal = i;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (y, above) in b.bytes().zip(row.iter_mut().skip(1)) {
            let replaced = diagonal.saturating_add(usize::from(x != y));
            diagonal = *above;
            left = replaced.min(left.min(*above).saturating_add(1));
            *above = left;
        }
    }
    row.last().copied().unwrap_or_default()
}

/// An object that records are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ObjectChoice {
    /// A topic by name or id: its records, those of its partitions, its configs.
    Topic(String),
    /// One partition of a topic by name or id.
    Partition(String, i32),
    /// A broker: its registration, and its configs.
    Broker(i32),
    /// A controller: its registration, the epochs that it leads, the voters that it is one of.
    Controller(i32),
    /// The configs of one resource.
    Resource(ConfigResourceType, String),
    /// One config key of any resource.
    ConfigKey(String),
    /// A user: credentials, quotas, ACLs, delegation tokens.
    User(String),
    /// The quotas of a client id.
    Client(String),
    /// An ACL by id.
    Acl(Uuid),
    /// A delegation token by id.
    Token(String),
    /// A feature.
    Feature(String),
}

/// Reads an object: `KIND:NAME`, or the bare name or id of a topic.
pub(super) fn parse_object(text: &str) -> Result<ObjectChoice, String> {
    let (kind, name) = match text.split_once([':', ' ']) {
        Some((kind, name)) => (kind, name.trim()),
        None => return Ok(ObjectChoice::Topic(text.to_owned())),
    };
    let id = |what: &str| {
        name.parse::<i32>()
            .map_err(|_| format!("a {what} is named by its number, as in {what}:3"))
    };
    Ok(match kind.to_ascii_lowercase().as_str() {
        "topic" => ObjectChoice::Topic(name.to_owned()),
        "partition" => {
            let parts = name.rsplit_once('-');
            let (topic, number) = parts
                .and_then(|(topic, n)| Some((topic, n.parse().ok()?)))
                .ok_or(
                    "a partition is named by its topic and its number, as in partition:orders-3",
                )?;
            ObjectChoice::Partition(topic.to_owned(), number)
        }
        "broker" => ObjectChoice::Broker(id("broker")?),
        "controller" => ObjectChoice::Controller(id("controller")?),
        "config" => match name.split_once(':') {
            None => ObjectChoice::ConfigKey(name.to_owned()),
            Some((kind, resource)) => {
                let kind = ConfigResourceType::named(&kind.to_ascii_uppercase());
                let kind = kind.ok_or_else(|| {
                    let all: Vec<_> = ConfigResourceType::ALL
                        .iter()
                        .filter_map(|kind| kind.name())
                        .collect();
                    format!(
                        "configs belong to {}, as in config:TOPIC:orders",
                        all.join(", ")
                    )
                })?;
                ObjectChoice::Resource(kind, resource.to_owned())
            }
        },
        "user" => ObjectChoice::User(name.to_owned()),
        "client" => ObjectChoice::Client(name.to_owned()),
        "acl" => ObjectChoice::Acl(
            name.parse()
                .map_err(|_| "an ACL is named by its id of 22 characters".to_owned())?,
        ),
        "token" => ObjectChoice::Token(name.to_owned()),
        "feature" => ObjectChoice::Feature(name.to_owned()),
        _ => {
            return Err(
                "an object is KIND:NAME with topic, partition, broker, controller, config, user, \
                 client, acl, token or feature as KIND, or the bare name or id of a topic"
                    .to_owned(),
            );
        }
    })
}

impl ObjectChoice {
    fn fits(&self, step: &Step<'_, '_>) -> bool {
        let is = |text: Option<Text<'_>>, name: &str| text.is_some_and(|text| text == *name);
        let is_id = |id: Option<Uuid>, name: &str| id.is_some_and(|id| name.parse() == Ok(id));
        match (self, &step.object) {
            (Self::Topic(wanted), Object::Topic { id, name }) => {
                // An empty name clears the ELR of all topics.
                is(*name, wanted)
                    || is_id(*id, wanted)
                    || (id.is_none() && name.is_some_and(Text::is_empty))
            }
            (Self::Topic(wanted), Object::Partition { topic, name, .. }) => {
                is(*name, wanted) || is_id(Some(*topic), wanted)
            }
            (Self::Topic(wanted), Object::Config { kind, resource, .. }) => {
                *kind == ConfigResourceType::TOPIC.0 && *resource == **wanted
            }
            (
                Self::Partition(wanted, number),
                Object::Partition {
                    topic,
                    name,
                    partition,
                },
            ) => partition == number && (is(*name, wanted) || is_id(Some(*topic), wanted)),
            (Self::Broker(wanted), Object::Broker(id)) => wanted == id,
            (Self::Broker(wanted), Object::Config { kind, resource, .. }) => {
                let kind = ConfigResourceType(*kind);
                (kind == ConfigResourceType::BROKER || kind == ConfigResourceType::BROKER_LOGGER)
                    && *resource == *wanted.to_string()
            }
            (Self::Controller(wanted), Object::Controller(id) | Object::Leader(id)) => wanted == id,
            (Self::Controller(wanted), Object::Voters(voters)) => {
                voters.iter().any(|voter| voter.voter_id == *wanted)
            }
            (Self::Resource(wanted, name), Object::Config { kind, resource, .. }) => {
                wanted.0 == *kind && *resource == **name
            }
            (Self::ConfigKey(wanted), Object::Config { key, .. }) => *key == **wanted,
            (Self::User(wanted), Object::User(name)) => *name == **wanted,
            (Self::User(wanted), Object::Quota { entity }) => entity
                .iter()
                .any(|part| part.entity_type == "user" && is(part.entity_name, wanted)),
            (
                Self::User(wanted),
                Object::Acl { principal: who, .. } | Object::Token { owner: who, .. },
            ) => who.is_some_and(|who| who.to_str().strip_prefix("User:") == Some(wanted)),
            (Self::Client(wanted), Object::Quota { entity }) => entity
                .iter()
                .any(|part| part.entity_type == "client-id" && is(part.entity_name, wanted)),
            (Self::Acl(wanted), Object::Acl { id, .. }) => wanted == id,
            (Self::Token(wanted), Object::Token { id, .. }) => *id == **wanted,
            (Self::Feature(wanted), Object::Feature(name)) => *name == **wanted,
            (Self::Feature(wanted), Object::KraftVersion) => {
                wanted == crate::facts::features::KRAFT_VERSION
            }
            _ => false,
        }
    }
}

/// Reads a time for clap.
pub(super) fn parse_bound(text: &str) -> Result<Timestamp, String> {
    parse_time(text).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_has_many_spellings() {
        for text in ["TOPIC_RECORD", "TopicRecord", "topic", "Topic-Record", "2"] {
            assert_eq!(parse_type(text), Ok(TypeChoice::Metadata(2)), "{text}");
        }
        for text in [
            "LEADER_CHANGE",
            "LeaderChangeMessage",
            "leaderchange",
            "control:2",
        ] {
            assert_eq!(parse_type(text), Ok(TypeChoice::Control(2)), "{text}");
        }
        assert_eq!(parse_type("KRaftVoters"), parse_type("VotersRecord"));
        assert_eq!(parse_type("99"), Ok(TypeChoice::Metadata(99)));
        assert!(
            parse_type("topik")
                .unwrap_err()
                .ends_with("; TOPIC_RECORD is one")
        );
        assert!(
            parse_type("xyzzy")
                .unwrap_err()
                .contains("LEADER_CHANGE another")
        );
    }

    #[test]
    fn distances() {
        for (a, b, far) in [
            ("", "", 0),
            ("", "ab", 2),
            ("ab", "", 2),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), far, "{a} {b}");
        }
    }

    #[test]
    fn objects() {
        use ObjectChoice as O;
        for (text, object) in [
            ("orders", O::Topic("orders".into())),
            ("topic:orders", O::Topic("orders".into())),
            ("partition:my-topic-3", O::Partition("my-topic".into(), 3)),
            ("partition orders-0", O::Partition("orders".into(), 0)),
            ("broker:3", O::Broker(3)),
            (
                "config:topic:a:b",
                O::Resource(ConfigResourceType::TOPIC, "a:b".into()),
            ),
            (
                "config BROKER:",
                O::Resource(ConfigResourceType::BROKER, "".into()),
            ),
            ("config:retention.ms", O::ConfigKey("retention.ms".into())),
            ("user:alice", O::User("alice".into())),
            ("acl:AAAAAAAAAAAAAAAAAAAAAQ", O::Acl(Uuid::UNASSIGNED)),
        ] {
            assert_eq!(parse_object(text), Ok(object), "{text}");
        }
        for text in [
            "partition:orders",
            "broker:x",
            "acl:x",
            "config:nothing:x",
            "what:x",
        ] {
            assert!(parse_object(text).is_err(), "{text}");
        }
    }
}
