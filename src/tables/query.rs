//! Which rows of a table, in which order.

use super::column::Column;
use super::filter::Filter;
use super::item::Item;
use super::table::{Row, Table};
use crate::text::java_cmp;
use crate::tree::Value;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Which rows to take, and their order.
#[derive(Debug, Default)]
pub struct Query {
    /// A row has to pass all of them.
    pub filters: Vec<Filter>,
    /// Columns to sort by, the first counts most; whether each is descending. Null comes last either
    /// way, and rows that are equal stay in the order of the table.
    pub sort: Vec<(&'static Column, bool)>,
    /// How many rows at most.
    pub limit: Option<usize>,
}

impl Query {
    /// Hands the rows that it takes to `each`, in order.
    ///
    /// # Errors
    /// Whatever `each` returns.
    pub fn run<'t, 'a, E>(
        &self,
        table: &'t Table<'a>,
        each: &mut dyn FnMut(Item<'t, 'a>) -> Result<(), E>,
    ) -> Result<(), E> {
        let limit = self.limit.unwrap_or(usize::MAX);
        let kept = table.rows().filter_map(|row| {
            let item = table.item(row);
            let keeps = self.filters.iter().all(|filter| filter.keeps(&item));
            keeps.then_some((row, item))
        });
        if self.sort.is_empty() {
            for (_, item) in kept.take(limit) {
                each(item)?;
            }
            return Ok(());
        }
        for (_, row) in self.sorted(kept, limit) {
            each(table.item(row))?;
        }
        Ok(())
    }

    fn sorted<'t, 'a: 't>(
        &self,
        kept: impl Iterator<Item = (Row, Item<'t, 'a>)>,
        limit: usize,
    ) -> Vec<(Box<[Value]>, Row)> {
        let mut all: Vec<(Box<[Value]>, Row)> = Vec::new();
        for (row, item) in kept {
            let keys = self.sort.iter().map(|(column, _)| column.value(&item));
            all.push((keys.collect(), row));
            // With a limit, what cannot be among the first is let go of now and then.
            if all.len() > limit.saturating_mul(2).saturating_add(1024) {
                self.sort(&mut all);
                all.truncate(limit);
            }
        }
        self.sort(&mut all);
        all.truncate(limit);
        all
    }

    fn sort(&self, rows: &mut [(Box<[Value]>, Row)]) {
        rows.sort_unstable_by(|(a, row_a), (b, row_b)| {
            let keys = self.sort.iter().zip(a.iter().zip(b));
            keys.map(|((_, descending), (a, b))| match (a, b) {
                (Value::Null, Value::Null) => Ordering::Equal,
                (Value::Null, _) => Ordering::Greater,
                (_, Value::Null) => Ordering::Less,
                _ if *descending => value_order(b, a),
                _ => value_order(a, b),
            })
            .find(|order| order.is_ne())
            .unwrap_or_else(|| row_a.cmp(row_b))
        });
    }

    /// How many rows there are of each value of a column, the most frequent first. A row with a list
    /// counts once for each different element, and as null when the list is empty. The limit is one of
    /// values.
    #[must_use]
    pub fn count_by(&self, table: &Table<'_>, column: &'static Column) -> Counts {
        let mut counts: BTreeMap<Key, u64> = BTreeMap::new();
        let mut add = |value: Value| {
            let count = counts.entry(Key(value)).or_default();
            *count = count.saturating_add(1);
        };
        for row in table.rows() {
            let item = table.item(row);
            if !self.filters.iter().all(|filter| filter.keeps(&item)) {
                continue;
            }
            match column.value(&item) {
                Value::List(list) if list.is_empty() => add(Value::Null),
                Value::List(mut list) => {
                    list.sort_by(value_order);
                    list.dedup();
                    list.into_iter().for_each(&mut add);
                }
                value => add(value),
            }
        }
        let mut list: Vec<(Value, u64)> = counts.into_iter().map(|(k, n)| (k.0, n)).collect();
        // Stable: equal counts stay in the order of values.
        list.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        list.truncate(self.limit.unwrap_or(usize::MAX));
        list
    }
}

/// Values and how many rows have each.
pub type Counts = Vec<(Value, u64)>;

struct Key(Value);

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        value_order(&self.0, &other.0)
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key {}

/// The order of values: numbers by size whatever they count, texts as Java orders them, lists element
/// by element, null after all. Between values of different types it is arbitrary but fixed.
#[must_use]
pub fn value_order(a: &Value, b: &Value) -> Ordering {
    if let (Some(a), Some(b)) = (whole(a), whole(b)) {
        return a.cmp(&b);
    }
    if let (Some(a), Some(b)) = (real(a), real(b)) {
        // An integer and a fraction: 64-bit integers beyond 2^53 lose their last digits here. 0.0 and
        // -0.0 are one number to whoever asks.
        return (a + 0.0).total_cmp(&(b + 0.0));
    }
    match (a, b) {
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => java_cmp(a, b),
        (Value::Uuid(a), Value::Uuid(b)) => a.cmp(b),
        (Value::Time(a), Value::Time(b)) => a.cmp(b),
        (Value::List(a), Value::List(b)) => {
            let differing = a.iter().zip(b).map(|(a, b)| value_order(a, b));
            let mut differing = differing.filter(|order| order.is_ne());
            differing.next().unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        _ => class(a)
            .cmp(&class(b))
            .then_with(|| a.inline().cmp(&b.inline())),
    }
}

fn whole(value: &Value) -> Option<i128> {
    match value {
        Value::Id(n) => Some(i128::from(*n)),
        Value::Count(n) | Value::Size(n) => Some(i128::from(*n)),
        _ => None,
    }
}

fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Real(n) => Some(*n),
        Value::Id(n) => Some(*n as f64),
        Value::Count(n) | Value::Size(n) => Some(*n as f64),
        _ => None,
    }
}

fn class(value: &Value) -> u8 {
    match value {
        Value::Bool(_) => 0,
        Value::Id(_) | Value::Count(_) | Value::Size(_) | Value::Real(_) => 1,
        Value::Time(_) => 2,
        Value::Uuid(_) => 3,
        Value::Text(_) => 4,
        Value::List(_) => 5,
        Value::Facts(_) | Value::Table(_) => 6,
        Value::Null => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::value_order;
    use crate::ids::Timestamp;
    use crate::tree::Value;
    use std::cmp::Ordering;

    #[test]
    fn values_of_one_type_have_one_order() {
        let list = |ids: &[i32]| Value::List(ids.iter().map(|&id| id.into()).collect());
        let rising: [&[Value]; 6] = [
            &[
                Value::Real(f64::NEG_INFINITY),
                (-1).into(),
                Value::Real(0.5),
                Value::Count(1),
                Value::Size(2),
            ],
            &[
                (i64::MAX - 1).into(),
                i64::MAX.into(),
                Value::Count(u64::MAX),
            ],
            &[
                "".into(),
                "a".into(),
                "ab".into(),
                "\u{10000}".into(),
                "\u{ffff}".into(),
            ],
            &[
                list(&[]),
                list(&[1]),
                list(&[1, 2]),
                list(&[1, 10]),
                list(&[2]),
            ],
            &[false.into(), true.into()],
            &[Timestamp(0).into(), Timestamp(1).into(), Value::Null],
        ];
        for values in rising {
            for (i, a) in values.iter().enumerate() {
                for (j, b) in values.iter().enumerate() {
                    assert_eq!(value_order(a, b), i.cmp(&j), "{a:?} {b:?}");
                }
            }
        }
        let zeros = value_order(&Value::Real(-0.0), &Value::Real(0.0));
        assert_eq!(zeros, Ordering::Equal);
        assert_eq!(value_order(&3.into(), &Value::Count(3)), Ordering::Equal);
    }
}
