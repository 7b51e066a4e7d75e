//! Kinds of tables and their columns.

use super::item::Item;
use super::{cluster, log, partitions, settings};
use crate::text::distance;
use crate::tree::Value;
use std::fmt;

/// What the rows of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Kind {
    Topics,
    Partitions,
    Brokers,
    Controllers,
    Voters,
    Configs,
    StaticConfigs,
    Acls,
    Quotas,
    /// SCRAM credentials.
    Users,
    /// Delegation tokens.
    Tokens,
    Features,
    /// Leaders by epoch.
    Epochs,
    Files,
    Findings,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Topics,
        Self::Partitions,
        Self::Brokers,
        Self::Controllers,
        Self::Voters,
        Self::Configs,
        Self::StaticConfigs,
        Self::Acls,
        Self::Quotas,
        Self::Users,
        Self::Tokens,
        Self::Features,
        Self::Epochs,
        Self::Files,
        Self::Findings,
    ];

    /// Its name, which is part of the JSON interface.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Topics => "topics",
            Self::Partitions => "partitions",
            Self::Brokers => "brokers",
            Self::Controllers => "controllers",
            Self::Voters => "voters",
            Self::Configs => "configs",
            Self::StaticConfigs => "static-configs",
            Self::Acls => "acls",
            Self::Quotas => "quotas",
            Self::Users => "users",
            Self::Tokens => "tokens",
            Self::Features => "features",
            Self::Epochs => "epochs",
            Self::Files => "files",
            Self::Findings => "findings",
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// One line: what the rows are.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Topics => "topics, also those whose name another one took",
            Self::Partitions => "partitions of all topics",
            Self::Brokers => "registered brokers",
            Self::Controllers => "registered controllers, with their marks",
            Self::Voters => "voters of a dynamic quorum, as the last voters record has them",
            Self::Configs => "dynamic configs, one key a row",
            Self::StaticConfigs => {
                "what brokers reported of their configuration files, one key a row"
            }
            Self::Acls => "access control entries",
            Self::Quotas => "client quotas, one key a row",
            Self::Users => "SCRAM credentials",
            Self::Tokens => "delegation tokens",
            Self::Features => "finalised features",
            Self::Epochs => "leaders of the metadata log by epoch",
            Self::Files => "files that were read, passed over, or stand beside the log",
            Self::Findings => "what is wrong or odd",
        }
    }

    fn own_columns(self) -> &'static [Column] {
        match self {
            Self::Topics => partitions::TOPICS,
            Self::Partitions => partitions::PARTITIONS,
            Self::Brokers => cluster::BROKERS,
            Self::Controllers => cluster::CONTROLLERS,
            Self::Voters => cluster::VOTERS,
            Self::Configs => settings::CONFIGS,
            Self::StaticConfigs => settings::STATIC_CONFIGS,
            Self::Acls => settings::ACLS,
            Self::Quotas => settings::QUOTAS,
            Self::Users => settings::USERS,
            Self::Tokens => settings::TOKENS,
            Self::Features => cluster::FEATURES,
            Self::Epochs => log::EPOCHS,
            Self::Files => log::FILES,
            Self::Findings => log::FINDINGS,
        }
    }

    /// Its columns in their order: its own, then where the row comes from.
    pub fn columns(self) -> impl Iterator<Item = &'static Column> {
        let origin: &[Column] = match self {
            Self::Files | Self::Findings => &[],
            _ => log::ORIGIN,
        };
        self.own_columns().iter().chain(origin)
    }

    /// The column of a name. Case, hyphens and underscores do not count: `min-isr` is `minIsr`.
    ///
    /// # Errors
    /// When there is none; with the column whose name is nearest.
    pub fn column(self, name: &str) -> Result<&'static Column, NoColumn> {
        let wanted = folded(name);
        if let Some(column) = self.columns().find(|c| folded(c.name) == wanted) {
            return Ok(column);
        }
        let nearest = self
            .columns()
            .filter_map(|c| Some((distance(&wanted, &folded(c.name))?, c.name)))
            .min_by_key(|(far, _)| *far);
        Err(NoColumn {
            kind: self,
            name: name.to_owned(),
            nearest: nearest.map(|(_, name)| name),
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

fn folded(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// A name that no column of a kind has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoColumn {
    /// The kind.
    pub kind: Kind,
    /// The name as it was given.
    pub name: String,
    /// The column that may have been meant.
    pub nearest: Option<&'static str>,
}

impl fmt::Display for NoColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} have no column {}", self.kind, self.name)
    }
}

impl std::error::Error for NoColumn {}

/// What the values of a column are. Any may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A whole number.
    Number,
    /// A number with a fraction.
    Real,
    /// Bytes.
    Size,
    /// Text.
    Text,
    /// Yes or no.
    Bool,
    /// A point in time.
    Time,
    /// A 16-byte id.
    Id,
    /// A list of whole numbers.
    Numbers,
    /// A list of texts.
    Texts,
    /// A list of 16-byte ids.
    Ids,
}

impl Type {
    /// What the elements of a list are.
    #[must_use]
    pub fn element(self) -> Option<Self> {
        match self {
            Self::Numbers => Some(Self::Number),
            Self::Texts => Some(Self::Text),
            Self::Ids => Some(Self::Id),
            _ => None,
        }
    }

    /// Whether values stand to the right in a column of text.
    #[must_use]
    pub fn is_amount(self) -> bool {
        matches!(self, Self::Number | Self::Real | Self::Size)
    }

    /// Its name in help.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Real => "real number",
            Self::Size => "size",
            Self::Text => "text",
            Self::Bool => "yes or no",
            Self::Time => "time",
            Self::Id => "id",
            Self::Numbers => "list of numbers",
            Self::Texts => "list of texts",
            Self::Ids => "list of ids",
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A column.
pub struct Column {
    /// Its name: the key of the same fact in the tree's JSON, where there is one.
    pub name: &'static str,
    /// What its values are.
    pub kind: Type,
    /// What its numbers count or identify; empty where the type says it.
    pub unit: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Whether it is shown when no columns are asked for and width is scarce.
    pub usual: bool,
    get: Get,
}

/// The way to a value.
#[derive(Clone, Copy)]
pub(super) enum Get {
    /// A fact of the row's node, nested ones behind points.
    Fact(&'static str),
    /// A function of the row.
    Own(fn(&Item<'_, '_>) -> Value),
}

impl Column {
    pub(super) const fn new(
        name: &'static str,
        kind: Type,
        unit: &'static str,
        help: &'static str,
    ) -> Self {
        Self {
            name,
            kind,
            unit,
            help,
            usual: false,
            get: Get::Fact(name),
        }
    }

    /// The same column, shown when nothing else is asked for.
    pub(super) const fn usual(mut self) -> Self {
        self.usual = true;
        self
    }

    pub(super) const fn fact(mut self, path: &'static str) -> Self {
        self.get = Get::Fact(path);
        self
    }

    pub(super) const fn own(mut self, get: fn(&Item<'_, '_>) -> Value) -> Self {
        self.get = Get::Own(get);
        self
    }

    /// Its value in a row.
    #[must_use]
    pub fn value(&self, item: &Item<'_, '_>) -> Value {
        let value = match self.get {
            Get::Fact(path) => item.fact(path),
            Get::Own(get) => get(item),
        };
        match value {
            // No time, as the readable and JSON forms of facts have it.
            Value::Time(time) if time.0 < 0 => Value::Null,
            value => value,
        }
    }
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Column").field(&self.name).finish()
    }
}

impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_single_whatever_their_form_and_kinds_are_found_by_name() {
        for kind in Kind::ALL {
            let mut seen = HashSet::new();
            for column in kind.columns() {
                let name = column.name;
                assert!(seen.insert(folded(name)), "{kind} have two columns {name}");
                assert_eq!(kind.column(name), Ok(column));
                assert!(!column.help.is_empty(), "{name}");
                assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{name}");
                // Words of the filter language stay free for it.
                let taken = ["and", "or", "not", "in", "is", "null", "contains", "len"];
                assert!(!taken.contains(&name), "{name}");
            }
            assert!(kind.columns().any(|c| c.usual), "{kind}");
            assert_eq!(Kind::named(kind.name()), Some(kind));
        }
        let id = Kind::Partitions.column("Under-Min_ISR").unwrap();
        assert_eq!(id.name, "underMinIsr");
        let none = Kind::Partitions.column("isrsize2").unwrap_err();
        assert_eq!(none.nearest, Some("isrSize"));
        assert_eq!(Kind::named("partition"), None);
    }
}
