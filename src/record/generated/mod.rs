//! Typed records, generated from the schemas by `tests/it/codegen.rs`, which also tells when they are
//! stale.

pub mod control;
pub mod metadata;
mod visit;
