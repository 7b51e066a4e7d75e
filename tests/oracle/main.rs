//! Compares kraftlens with real Apache Kafka. Needs Java and Maven, so it is apart from the other tests:
//! `cargo test --release --features oracle --test oracle`. Without them it fails: a comparison that was
//! asked for and did not happen has not passed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

#[allow(dead_code, reason = "the other test binary uses all of it")]
#[path = "../it/support.rs"]
mod support;

#[path = "../history/mod.rs"]
mod history;

mod goldens;
mod harness;
mod histories;
mod values;
