//! The command line: words in, text out.
//!
//! Each command is a file of its own with its arguments, whose docs are its help, and one function that
//! writes to the `Console` it is given. What the exit status is, and what is said on the way out, is
//! decided in `outcome` alone.

#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod browse;
mod cat;
mod common;
mod console;
mod find;
mod info;
mod layout;
mod list;
mod ls;
mod nodes;
mod outcome;
mod records;
mod sheet;
mod shell;
mod signal;
mod suggest;
mod tree;

use clap::{CommandFactory as _, Parser, Subcommand};
use common::Common;
use console::Console;
use outcome::{Answer, Outcome};
use std::ffi::OsString;
use std::io::{BufWriter, IsTerminal as _};
use std::path::PathBuf;
use std::process::ExitCode;

/// Inspect Apache Kafka KRaft metadata logs and snapshots offline
///
/// PATH is a metadata folder (__cluster_metadata-0), one segment (.log) or checkpoint (.checkpoint) of
/// it, or a folder with metadata folders up to two levels down. Files are told by their content. They
/// are opened for reading only: nothing is written, locked or removed.
///
/// Secrets are shown as [redacted] unless --reveal is given.
#[derive(Debug, Parser)]
#[command(
    name = "kraftlens",
    version,
    long_version = LONG_VERSION,
    arg_required_else_help = true,
    override_usage = "kraftlens [OPTIONS] PATH\n       kraftlens [OPTIONS] COMMAND PATH ...",
    after_help = "\
Exit status:
  0  answered; warnings are told in a line on stderr
  1  answered, but bytes or records are damaged, as a line on stderr tells
  2  wrong usage, input that cannot be read, no such node, or --strict

A PATH with the name of a command is opened as ./NAME."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// Metadata to look at: opens the browser; without a terminal, or in a build without the browser,
    /// the same as `info PATH`
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,

    #[command(flatten)]
    common: Common,
}

const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\nreads metadata of Apache Kafka 3.3 to 4.4 (metadata.version 3.3-IV3 to 4.5-IV0)",
    "\nRegisterBrokerRecord version 5 (static configs) is read as in its draft; its final form may differ",
);

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::InfoArgs),
    Ls(ls::LsArgs),
    Cat(cat::CatArgs),
    Find(find::FindArgs),
    Tree(tree::TreeArgs),
    List(list::ListArgs),
    Shell(shell::ShellArgs),
    Records(records::RecordsArgs),
}

/// All commands with their arguments and help: for manual pages, completions and the docs.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    signal::explain_cut_inputs();
    let (stdout, mut stderr) = (std::io::stdout(), std::io::stderr());
    let terminal = stdout.is_terminal();
    // Neither stream is locked: the browser's threads and the panic hook write to them too.
    let mut out = BufWriter::with_capacity(1 << 16, stdout);
    let mut console = Console::new(&mut out, &mut stderr, terminal);
    ExitCode::from(run(std::env::args_os(), &mut console))
}

fn run(args: impl IntoIterator<Item = OsString>, console: &mut Console<'_>) -> u8 {
    let cli = match parse(args.into_iter().collect()) {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing can be done about a closed stream here.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(outcome::CANNOT);
        }
    };
    console.color(cli.common.color);
    let answer = answer(cli.command, cli.path, &cli.common, console);
    outcome::finish(answer, &cli.common, console)
}

/// Reads the arguments. PATH of `shell` becomes its --snapshot, so that flags may follow it, and what
/// follows its command belongs to that command.
fn parse(mut args: Vec<OsString>) -> Result<Cli, clap::Error> {
    let cli = Cli::try_parse_from(&args)?;
    let Some(Command::Shell(shell)) = &cli.command else {
        return Ok(cli);
    };
    let Some((path, behind)) = shell.path_first() else {
        return Ok(cli);
    };
    // A `--` may stand after PATH or before it, and is no word.
    let mut at = args.len().saturating_sub(behind).saturating_sub(1);
    if args.get(at) != Some(path) {
        at = at.saturating_sub(1);
    }
    if args.get(at) != Some(path) {
        return Ok(cli);
    }
    let path = args.remove(at);
    if at > 0
        && args
            .get(at.saturating_sub(1))
            .is_some_and(|before| before == "--")
    {
        at = at.saturating_sub(1);
    }
    args.splice(at..at, ["--snapshot".into(), path]);
    Cli::try_parse_from(&args)
}

/// The commands as the prompt of `shell` has them: PATH is given by itself.
fn prompt_command() -> clap::Command {
    Cli::command().mut_subcommands(|command| {
        command.mut_args(|arg| {
            let is_path = arg.get_id() == "path";
            arg.hide(is_path)
        })
    })
}

fn answer(
    command: Option<Command>,
    path: Option<PathBuf>,
    common: &Common,
    console: &mut Console<'_>,
) -> Answer {
    match (command, path) {
        (Some(_), Some(path)) => Err(outcome::usage(format!(
            "PATH {} stands before the command: it comes after it",
            path.display()
        ))),
        (Some(Command::Info(args)), None) => info::run(&args, common, console),
        (Some(Command::Ls(args)), None) => ls::run(&args, common, console),
        (Some(Command::Cat(args)), None) => cat::run(&args, common, console),
        (Some(Command::Find(args)), None) => find::run(&args, common, console),
        (Some(Command::Tree(args)), None) => tree::run(&args, common, console),
        (Some(Command::Shell(args)), None) => shell::run(&args, common, console),
        (Some(Command::Records(args)), None) => records::run(&args, common, console),
        (Some(Command::List(args)), None) => list::run(&args, common, console),
        (None, Some(path)) => browse::run(path, common, console),
        (None, None) => {
            Cli::command().write_long_help(&mut console.err)?;
            Ok(Outcome::failed())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_make_sense_to_clap() {
        command().debug_assert();
    }
}
