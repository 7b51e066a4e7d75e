//! Which rows to keep: `--where` and the browser's filters.
//!
//! ```text
//! expression = expression "or" expression | expression "and" expression | "not" expression
//!            | "(" expression ")" | test
//! test       = COLUMN                                       a column of yes or no
//!            | operand ("=" "!=" "<" "<=" ">" ">=") operand
//!            | COLUMN ("~" "!~") GLOB | COLUMN "=~" REGEX
//!            | COLUMN "is" ["not"] "null"
//!            | operand ["not"] "in" ("(" value, ... ")" | LIST-COLUMN)
//!            | COLUMN ["not"] "contains" operand
//! operand    = COLUMN | "len" "(" LIST-COLUMN ")" | value
//! ```
//!
//! Null equals null and nothing else, is unequal to every value, and is neither less nor greater than
//! any. So a test is true or false, never unknown.

mod error;
mod lex;
mod parse;
#[cfg(test)]
mod tests;

pub use error::FilterError;

use super::column::{Column, Kind};
use super::item::Item;
use super::query::value_order;
use crate::tree::{Pattern, Value};
use std::cmp::Ordering;

/// A filter that was read: it fits the columns of one kind.
#[derive(Debug)]
pub struct Filter(Expression);

impl Filter {
    /// Reads a filter for rows of a kind.
    ///
    /// # Errors
    /// When the text is no filter, or a column, operator or value in it does not fit; with the place in
    /// the text.
    pub fn parse(text: &str, kind: Kind) -> Result<Self, FilterError> {
        parse::parse(text, kind).map(Self)
    }

    /// Whether a row is kept.
    #[must_use]
    pub fn keeps(&self, item: &Item<'_, '_>) -> bool {
        self.0.holds(item)
    }
}

/// Nesting is bounded by the parser.
#[derive(Debug)]
enum Expression {
    All(Vec<Self>),
    Any(Vec<Self>),
    Not(Box<Self>),
    Test(Test),
}

#[derive(Debug)]
enum Test {
    Is(&'static Column),
    Compare(Operand, Comparison, Operand),
    OneOf(Operand, Vec<Value>),
    Holds(&'static Column, Operand),
    Matches(&'static Column, Matcher),
}

#[derive(Debug)]
enum Operand {
    Column(&'static Column),
    Length(&'static Column),
    Literal(Value),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

#[derive(Debug)]
enum Matcher {
    Glob(Pattern),
    Name(String),
    Regex(regex::Regex),
}

impl Expression {
    fn holds(&self, item: &Item<'_, '_>) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(item)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(item)),
            Self::Not(part) => !part.holds(item),
            Self::Test(test) => test.holds(item),
        }
    }
}

impl Test {
    fn holds(&self, item: &Item<'_, '_>) -> bool {
        match self {
            Self::Is(column) => column.value(item) == Value::Bool(true),
            Self::Compare(left, comparison, right) => {
                comparison.holds(&left.value(item), &right.value(item))
            }
            Self::OneOf(operand, values) => {
                let value = operand.value(item);
                values.iter().any(|v| equal(v, &value))
            }
            Self::Holds(column, operand) => {
                let value = operand.value(item);
                match (column.value(item), &value) {
                    (Value::List(list), value) => list.iter().any(|v| equal(v, value)),
                    (Value::Text(text), Value::Text(part)) => text.contains(part.as_str()),
                    _ => false,
                }
            }
            Self::Matches(column, matcher) => match column.value(item) {
                Value::List(list) => list.iter().any(|value| matcher.matches(value)),
                Value::Null => false,
                value => matcher.matches(&value),
            },
        }
    }
}

impl Operand {
    fn value(&self, item: &Item<'_, '_>) -> Value {
        match self {
            Self::Column(column) => column.value(item),
            Self::Length(column) => match column.value(item) {
                Value::List(list) => list.len().into(),
                _ => Value::Null,
            },
            Self::Literal(value) => value.clone(),
        }
    }
}

impl Comparison {
    fn holds(self, left: &Value, right: &Value) -> bool {
        match self {
            Self::Equal => return equal(left, right),
            Self::Unequal => return !equal(left, right),
            _ => {}
        }
        if matches!(left, Value::Null) || matches!(right, Value::Null) {
            return false;
        }
        let order = value_order(left, right);
        match self {
            Self::Less => order == Ordering::Less,
            Self::AtMost => order != Ordering::Greater,
            Self::Greater => order == Ordering::Greater,
            _ => order != Ordering::Less,
        }
    }
}

fn equal(left: &Value, right: &Value) -> bool {
    value_order(left, right) == Ordering::Equal
}

impl Matcher {
    fn matches(&self, value: &Value) -> bool {
        let text = match value {
            Value::Text(text) => text.as_str(),
            Value::Uuid(id) => return self.matches_text(&id.to_string()),
            _ => return false,
        };
        self.matches_text(text)
    }

    fn matches_text(&self, text: &str) -> bool {
        match self {
            Self::Glob(pattern) => pattern.matches(text),
            Self::Name(name) => name == text,
            Self::Regex(regex) => regex.is_match(text),
        }
    }
}
