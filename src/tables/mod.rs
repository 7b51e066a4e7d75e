//! Tables over a state: for each kind of thing one set of columns, with types, units and the way to
//! each value; what rows to keep and in which order. Nothing is printed here.
//!
//! A row is a handle of 8 bytes; values are made when they are asked for, so a table of two million
//! partitions costs nothing until someone looks. Secrets are masked as in the tree.

#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod cluster;
mod column;
mod filter;
mod item;
mod log;
mod partitions;
mod query;
mod settings;
mod table;

pub use column::{Column, Kind, NoColumn, Type};
pub use filter::{Filter, FilterError};
pub use item::Item;
pub use query::{Counts, Query, value_order};
pub use table::{Row, Table};
