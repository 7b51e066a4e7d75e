//! Reads Apache Kafka KRaft metadata logs and snapshots, offline and without changing a byte.
//!
//! Data flows one way, from the bytes of a directory to the screens: each module imports only from
//! the rows above its own (`docs/architecture.md`; a test holds it).

// Row 1: places, ids, findings, text.
pub mod error;
pub mod finding;
pub mod ids;
pub mod text;

// Row 2: bytes and where they come from.
pub mod bytes;
pub mod source;

// Row 3: batches, files, folders.
pub mod log;

// Row 4: schemas and records.
pub mod record;
pub mod schema;

// Row 5: what Kafka's releases know, and what is secret.
pub mod facts;

// Row 6: what records do.
pub mod image;

// Row 8: nodes and columns.
pub mod tables;
pub mod tree;

// Row 10: the only ones that print.
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "tui")]
pub mod tui;
