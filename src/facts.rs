//! What Kafka's releases know: metadata.version levels, features, config definitions, names of codes;
//! and the two decisions that everything above shares, what is secret and what marks a controller.
//!
//! Facts only. None of these tables reads a log, and none is needed to read one: records are decoded
//! by the version that each carries.

#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

pub mod codes;
pub mod configs;
pub mod features;
pub mod levels;
pub mod marks;
pub mod releases;
pub mod secrets;
