//! The integration tests, as one binary: each file of this folder is a module listed here.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

#[cfg(feature = "cli")]
mod cases;
#[cfg(feature = "cli")]
mod cli;
mod codegen;
mod histories;
#[allow(dead_code, reason = "the other test binary uses all of it")]
#[path = "../history/mod.rs"]
mod history;
mod kafka_tree;
#[path = "../large/mod.rs"]
mod large;
mod layers;
mod listed;
mod log_samples;
mod records;
mod records_command;
mod samples;
mod shell;
mod support;
mod time_travel;
