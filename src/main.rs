//! The `kraftlens` command.

fn main() {}
