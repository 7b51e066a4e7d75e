//! Codes in records and Kafka's names for them. A code that Kafka does not know stays what it is.

use std::fmt;

macro_rules! code {
    ($(#[$doc:meta])* $name:ident($inner:ty), else $unknown:literal;
     $($(#[$each:meta])* $constant:ident = $code:literal $text:literal;)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub $inner);

        impl $name {
            $($(#[$each])* #[doc = concat!("`", $text, "`")] pub const $constant: Self = Self($code);)*

            /// Every code that Kafka knows, in the order of numbers.
            pub const ALL: &'static [Self] = &[$(Self::$constant,)*];

            /// Kafka's name; nothing for a code that Kafka does not know.
            #[must_use]
            pub fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$constant => Some($text),)*
                    _ => None,
                }
            }

            /// The code with this name.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.name() == Some(name))
            }

            /// The name for people, where an unknown code keeps its number: `unknown (99)`.
            #[must_use]
            pub fn readable(self) -> Readable {
                Readable { name: self.name(), code: self.0.into() }
            }
        }

        #[doc = concat!("Kafka's text; `", $unknown, "` for a code that Kafka does not know.")]
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name().unwrap_or($unknown))
            }
        }
    };
}

/// A code for people, see `readable` of each code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Readable {
    name: Option<&'static str>,
    code: i64,
}

impl fmt::Display for Readable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            Some(name) => f.pad(name),
            None => write!(f, "unknown ({})", self.code),
        }
    }
}

code! {
    /// The kind of resource that a config belongs to.
    // Kafka: ConfigResource.Type.
    ConfigResourceType(i8), else "UNKNOWN";
    TOPIC = 2 "TOPIC";
    BROKER = 4 "BROKER";
    BROKER_LOGGER = 8 "BROKER_LOGGER";
    CLIENT_METRICS = 16 "CLIENT_METRICS";
    GROUP = 32 "GROUP";
}

code! {
    /// The kind of resource that an ACL guards.
    // Kafka: org.apache.kafka.common.resource.ResourceType.
    AclResourceType(i8), else "UNKNOWN";
    ANY = 1 "ANY";
    TOPIC = 2 "TOPIC";
    GROUP = 3 "GROUP";
    CLUSTER = 4 "CLUSTER";
    TRANSACTIONAL_ID = 5 "TRANSACTIONAL_ID";
    DELEGATION_TOKEN = 6 "DELEGATION_TOKEN";
    USER = 7 "USER";
}

code! {
    /// How an ACL's resource name is matched.
    // Kafka: PatternType.
    AclPatternType(i8), else "UNKNOWN";
    ANY = 1 "ANY";
    MATCH = 2 "MATCH";
    LITERAL = 3 "LITERAL";
    PREFIXED = 4 "PREFIXED";
}

code! {
    /// What an ACL is about.
    // Kafka: AclOperation.
    AclOperation(i8), else "UNKNOWN";
    ANY = 1 "ANY";
    ALL_OPERATIONS = 2 "ALL";
    READ = 3 "READ";
    WRITE = 4 "WRITE";
    CREATE = 5 "CREATE";
    DELETE = 6 "DELETE";
    ALTER = 7 "ALTER";
    DESCRIBE = 8 "DESCRIBE";
    CLUSTER_ACTION = 9 "CLUSTER_ACTION";
    DESCRIBE_CONFIGS = 10 "DESCRIBE_CONFIGS";
    ALTER_CONFIGS = 11 "ALTER_CONFIGS";
    IDEMPOTENT_WRITE = 12 "IDEMPOTENT_WRITE";
    CREATE_TOKENS = 13 "CREATE_TOKENS";
    DESCRIBE_TOKENS = 14 "DESCRIBE_TOKENS";
    TWO_PHASE_COMMIT = 15 "TWO_PHASE_COMMIT";
}

code! {
    /// Whether an ACL allows or denies.
    // Kafka: AclPermissionType.
    AclPermissionType(i8), else "UNKNOWN";
    ANY = 1 "ANY";
    DENY = 2 "DENY";
    ALLOW = 3 "ALLOW";
}

code! {
    /// A SCRAM mechanism by the name of the SASL mechanism.
    // Kafka: ScramMechanism.mechanismName; the enum constants are written with underscores.
    ScramMechanism(i8), else "UNKNOWN";
    SHA_256 = 1 "SCRAM-SHA-256";
    SHA_512 = 2 "SCRAM-SHA-512";
}

code! {
    /// The security protocol of an endpoint.
    // Kafka: SecurityProtocol.forId gives null for others, and a broker's registration prints that.
    SecurityProtocol(i16), else "null";
    PLAINTEXT = 0 "PLAINTEXT";
    SSL = 1 "SSL";
    SASL_PLAINTEXT = 2 "SASL_PLAINTEXT";
    SASL_SSL = 3 "SASL_SSL";
}

code! {
    /// How far a migration from ZooKeeper has come.
    // Kafka: ZkMigrationState of 3.5 to 3.9, gone in 4.0; 3.4 had 1 and 2 the other way round.
    ZkMigrationState(i8), else "UNKNOWN";
    NONE = 0 "NONE";
    MIGRATION = 1 "MIGRATION";
    PRE_MIGRATION = 2 "PRE_MIGRATION";
    POST_MIGRATION = 3 "POST_MIGRATION";
    ZK = 4 "ZK";
}

code! {
    /// Whether the leader of a partition still recovers from an unclean election. In a change record
    /// -1 is "as it was".
    // Kafka: LeaderRecoveryState.of throws for others.
    LeaderRecoveryState(i8), else "UNKNOWN";
    RECOVERED = 0 "RECOVERED";
    RECOVERING = 1 "RECOVERING";
}

impl ScramMechanism {
    /// The name of Kafka's enum constant: `SCRAM_SHA_256`.
    #[must_use]
    pub fn constant_name(self) -> &'static str {
        match self {
            Self::SHA_256 => "SCRAM_SHA_256",
            Self::SHA_512 => "SCRAM_SHA_512",
            _ => "UNKNOWN",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Kafka 4.4.0 makes of every code from -1 to 39; the head of the file names the calls.
    #[test]
    fn equals_kafkas_enums() {
        let mut seen = 0;
        for line in include_str!("codes.tsv")
            .lines()
            .filter(|l| !l.starts_with('#'))
        {
            let row: Vec<&str> = line.split('\t').collect();
            let code: i8 = row[0].parse().unwrap();
            let mechanism = ScramMechanism(code);
            let recovery = LeaderRecoveryState(code).name().unwrap_or("-");
            let ours = [
                code.to_string(),
                ConfigResourceType(code).to_string(),
                AclResourceType(code).to_string(),
                AclPatternType(code).to_string(),
                AclOperation(code).to_string(),
                AclPermissionType(code).to_string(),
                mechanism.constant_name().into(),
                mechanism.to_string(),
                SecurityProtocol(code.into()).to_string(),
                recovery.into(),
            ];
            assert_eq!(ours[..], row[..]);
            seen += 1;
        }
        assert_eq!(seen, 41);
    }

    #[test]
    fn unknown_codes_keep_their_number() {
        assert_eq!(AclOperation(99).readable().to_string(), "unknown (99)");
        assert_eq!(AclOperation(2).readable().to_string(), "ALL");
        assert_eq!(
            AclOperation::named("TWO_PHASE_COMMIT"),
            Some(AclOperation(15))
        );
        assert_eq!(AclOperation::named("UNKNOWN"), None);
        // ZkMigrationState.values() of 3.6.2 and 3.9.2.
        let states = ZkMigrationState::ALL
            .iter()
            .map(|s| s.to_string())
            .collect::<Vec<_>>();
        assert_eq!(
            states,
            ["NONE", "MIGRATION", "PRE_MIGRATION", "POST_MIGRATION", "ZK"]
        );
    }
}
