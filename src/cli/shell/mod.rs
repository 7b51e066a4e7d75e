//! `shell`: the prompt of Kafka's metadata shell, and its commands one at a time.

mod complete;
mod history;
mod kafka;
mod ours;
mod prompt;
mod words;

use super::common::Common;
use super::console::Console;
use super::outcome::{Answer, Failure, Outcome, tell, usage};
use crate::tree::{ShellTree, Tree};
use clap::Args;
use complete::Candidates;
use kafka::KafkaShell;
use ours::OurShell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Run commands of Kafka's metadata shell, or give its prompt
///
/// With COMMAND that command is run; without, a prompt takes one after the other. `help` lists them.
/// Paths, wildcards and layout are those of kafka-metadata-shell; docs/metadata-shell.md tells
/// where the two differ.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kraftlens shell DIR
  kraftlens shell DIR ls /image/topics/byName
  kraftlens shell --snapshot FILE --compat --reveal cat /image/provenance")]
pub(crate) struct ShellArgs {
    /// Metadata folder, segment or checkpoint; then the command and its arguments
    #[arg(
        value_name = "PATH [COMMAND]",
        trailing_var_arg = true,
        required_unless_present = "snapshot"
    )]
    words: Vec<OsString>,

    /// The same as PATH, as kafka-metadata-shell has it; every other word is of the command
    #[arg(long, short, value_name = "FILE")]
    snapshot: Option<PathBuf>,

    /// Behave as kafka-metadata-shell 4.3.1 does of one file, byte for byte but for its faults and help
    /// texts; the exit status stays ours
    #[arg(long)]
    compat: bool,
}

impl ShellArgs {
    /// PATH where it is the first word, and how many words follow it.
    pub(crate) fn path_first(&self) -> Option<(&OsString, usize)> {
        let (path, rest) = self.words.split_first()?;
        self.snapshot.is_none().then_some((path, rest.len()))
    }
}

/// Runs one of the four commands that are also of the command line, as Kafka's shell does.
pub(crate) fn batch(
    path: &Path,
    name: &str,
    nodes: &[String],
    common: &Common,
    console: &mut Console<'_>,
) -> Answer {
    let words: Vec<String> = std::iter::once(name.to_owned())
        .chain(nodes.iter().cloned())
        .collect();
    kafka::batch(path, &words, common, console)
}

pub(crate) fn run(args: &ShellArgs, common: &Common, console: &mut Console<'_>) -> Answer {
    let Some(path) = &args.snapshot else {
        return Err(usage("PATH is missing"));
    };
    let words: Vec<String> = args
        .words
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if args.compat && !words.is_empty() {
        return kafka::batch(path, &words, common, console);
    }
    if args.compat {
        let state = kafka::read(path, common)?;
        let tree = ShellTree::new(Tree::new(&state, common.secrets()));
        tell(state.findings(), console.err);
        writeln!(
            console.out,
            "Loading...\nStarting...\n[ Kafka Metadata Shell ]"
        )?;
        console.out.flush()?;
        return prompted(&mut KafkaShell::new(tree, true), console);
    }
    let state = common.read(path)?;
    let mut shell = OurShell::new(path.clone(), common, &state);
    if words.is_empty() {
        tell(state.findings(), console.err);
        return prompted(&mut shell, console);
    }
    let after = shell.run(&words, &[], console)?;
    Ok(Outcome {
        failed: after == After::Failed,
        ..Outcome::of(state.findings())
    })
}

// What was found in the bytes was told before the first line: the end of a prompt is a success.
fn prompted(shell: &mut dyn Commands, console: &mut Console<'_>) -> Answer {
    let failed = prompt::run(shell, console)?;
    Ok(Outcome {
        failed,
        ..Outcome::default()
    })
}

/// What is left to do after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    /// Go on; all was answered.
    Done,
    /// Go on; something was refused or not there.
    Failed,
    /// End.
    Exit,
}

impl After {
    fn of(failed: bool) -> Self {
        if failed { Self::Failed } else { Self::Done }
    }
}

/// What a line leads to.
type Said = Result<After, Failure>;

/// The commands of a prompt.
trait Commands {
    /// The words of a line.
    fn words(&self, line: &str) -> Vec<String>;

    /// Runs the words of a line. `lines` is what was typed so far, this line included.
    fn run(&mut self, words: &[String], lines: &[String], console: &mut Console<'_>) -> Said;

    /// Says why a line could not be run, unless that ends the prompt.
    fn complain(&self, failure: Failure, console: &mut Console<'_>) -> Result<(), Failure>;

    /// What a line, as far as it was typed, may go on with.
    fn complete(&self, line: &str) -> Candidates;
}
