//! `info`: the first screen.

use super::common::Common;
use super::console::Console;
use super::outcome::{Answer, Outcome};
use clap::Args;
use std::path::PathBuf;

/// Tell what is here: identity, files, quorum, features, counts, damage
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Metadata folder, segment or checkpoint, or a folder with several nodes
    path: PathBuf,
}

impl InfoArgs {
    /// With every setting as it is when nothing is asked for.
    pub(crate) fn of(path: PathBuf) -> Self {
        Self { path }
    }
}

pub(crate) fn run(args: &InfoArgs, common: &Common, console: &mut Console<'_>) -> Answer {
    let state = common.read(&args.path)?;
    let p = state.image().provenance();
    writeln!(console.out, "offset {}, epoch {}", p.offset, p.epoch)?;
    Ok(Outcome::of(state.findings()))
}
