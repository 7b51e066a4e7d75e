//! `kraftlens PATH`: the browser on a terminal, else what `info` says.

use super::common::Common;
use super::console::Console;
use super::info;
use super::outcome::Answer;
use std::path::PathBuf;

/// Runs the browser, or `info` where there is no screen to take.
#[cfg(feature = "tui")]
pub(super) fn run(path: PathBuf, common: &Common, console: &mut Console<'_>) -> Answer {
    use super::outcome::{Failure, Outcome};
    use crate::tui;
    use std::io::IsTerminal as _;
    use std::sync::Arc;

    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    if dumb || !console.terminal || !std::io::stdin().is_terminal() {
        return info::run(&info::InfoArgs::of(path), common, console);
    }
    let options = tui::Options {
        secrets: common.secrets(),
        theme: if console.paint.is_on() {
            tui::Theme::Dark
        } else {
            tui::Theme::Plain
        },
    };
    let (flags, from) = (common.clone(), path.clone());
    let load = Arc::new(move || flags.read(&from));
    super::signal::screen_is_taken(true);
    let ended = tui::run(&path, load, options);
    super::signal::screen_is_taken(false);
    match ended {
        // What is wrong was on the screen.
        Ok(()) => Ok(Outcome::default()),
        Err(tui::Failure::Load(error)) => Err(Failure::Cannot(error)),
        Err(tui::Failure::Terminal(error)) => Err(Failure::Write(error)),
        Err(failure @ tui::Failure::Panicked(_)) => {
            let _ = writeln!(console.err, "kraftlens: {failure}");
            Ok(Outcome::failed())
        }
    }
}

/// Runs `info`: this build has no browser.
#[cfg(not(feature = "tui"))]
pub(super) fn run(path: PathBuf, common: &Common, console: &mut Console<'_>) -> Answer {
    info::run(&info::InfoArgs::of(path), common, console)
}
