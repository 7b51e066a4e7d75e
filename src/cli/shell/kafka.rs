//! `--compat`: the commands of kafka-metadata-shell 4.3.1, its listings and messages to the byte.
//!
//! What it would print on stdout goes to stdout here too, its messages included. Where it stops with an
//! exception (names that it lists and cannot look up) the answer goes on.

use super::complete::{self, Candidates, Wanted};
use super::{After, Commands, Said, words};
use crate::cli::common::Common;
use crate::cli::console::Console;
use crate::cli::layout;
use crate::cli::nodes::kafka_text;
use crate::cli::outcome::{Answer, Failure, Outcome, usage};
use crate::image::State;
use crate::log::Log;
use crate::text::escape;
use crate::tree::{ShellNode, ShellPlace, ShellTree, Tree, read_as_shell};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// A command of Kafka's shell (`Commands`).
struct Command {
    name: &'static str,
    /// Whether it is a command of the prompt only.
    prompt: bool,
    least: usize,
    /// The most arguments; none when there is no limit.
    most: Option<usize>,
    arguments: &'static str,
    about: &'static str,
}

const fn command(
    name: &'static str,
    prompt: bool,
    least: usize,
    most: Option<usize>,
    arguments: &'static str,
    about: &'static str,
) -> Command {
    Command {
        name,
        prompt,
        least,
        most,
        arguments,
        about,
    }
}

// The words of Kafka's help are not repeated: these say the same in ours.
static COMMANDS: [Command; 10] = [
    command(
        "cat",
        false,
        1,
        None,
        "NODE...",
        "what a leaf holds, in Kafka's words",
    ),
    command(
        "cd",
        true,
        0,
        Some(1),
        "[NODE]",
        "go to a directory; to the root without one",
    ),
    command(
        "exit",
        true,
        0,
        Some(0),
        "",
        "end the prompt, as Ctrl-D does",
    ),
    command(
        "find",
        false,
        0,
        None,
        "[NODE...]",
        "the paths of nodes and of all below them",
    ),
    command("help", true, 0, Some(0), "", "this list"),
    command(
        "history",
        true,
        0,
        Some(1),
        "[COUNT]",
        "the lines typed so far, or the last COUNT",
    ),
    command("ls", false, 0, None, "[NODE...]", "the names below nodes"),
    command("man", true, 1, Some(1), "COMMAND", "what one command does"),
    command(
        "pwd",
        true,
        0,
        Some(0),
        "",
        "the directory that paths without a leading slash start at",
    ),
    command(
        "tree",
        false,
        1,
        None,
        "NODE...",
        "all below nodes, with what the leaves hold",
    ),
];

/// What a line of words asks for.
enum Asked {
    Nothing,
    Run(&'static str, Vec<String>),
    Help(&'static Command),
    /// It is refused, in Kafka's words.
    Refused(String),
}

/// Kafka's shell over one file.
pub(super) struct KafkaShell<'a> {
    tree: ShellTree<'a>,
    at: Vec<String>,
    prompt: bool,
}

/// Reads the one file that Kafka's shell takes.
pub(super) fn read(path: &Path, common: &Common) -> Result<State, Failure> {
    let log = open(path, common)?;
    if log.folder().is_some() {
        return Err(usage(format!(
            "--compat reads one file, as Kafka's shell does; {} is a folder",
            path.display()
        )));
    }
    Ok(read_as_shell(log))
}

fn open(path: &Path, common: &Common) -> crate::error::Result<Arc<Log>> {
    Ok(Arc::new(Log::open(path, &common.options())?))
}

/// Runs one command on a file.
pub(crate) fn batch(
    path: &Path,
    words: &[String],
    common: &Common,
    console: &mut Console<'_>,
) -> Answer {
    let state = read(path, common)?;
    let tree = ShellTree::new(Tree::new(&state, common.secrets()));
    let mut shell = KafkaShell::new(tree, false);
    // Kafka: its own arguments are read by the same rules first, and an option stops it there.
    if let Some(option) = words.iter().find(|word| is_option(word)) {
        return Err(usage(format!(
            "{option} is no argument of a command of Kafka's shell"
        )));
    }
    let after = shell.answer(words, &[], console)?;
    Ok(Outcome {
        failed: after == After::Failed,
        ..Outcome::of(state.findings())
    })
}

impl<'a> KafkaShell<'a> {
    pub(super) fn new(tree: ShellTree<'a>, prompt: bool) -> Self {
        Self {
            tree,
            at: Vec::new(),
            prompt,
        }
    }

    fn answer(
        &mut self,
        words: &[String],
        lines: &[String],
        console: &mut Console<'_>,
    ) -> io::Result<After> {
        let (name, arguments) = match parse(words, self.prompt) {
            Asked::Nothing => return Ok(After::Done),
            Asked::Refused(message) => {
                kafka_text(&message, console)?;
                return Ok(After::Failed);
            }
            Asked::Help(command) => {
                describe(command, console)?;
                return Ok(After::Done);
            }
            Asked::Run(name, arguments) => (name, arguments),
        };
        let here = [".".to_owned()];
        let targets: &[String] = if arguments.is_empty() {
            &here
        } else {
            &arguments
        };
        match name {
            "cat" => self.cat(targets, console),
            "cd" => self.cd(arguments.first().map_or("/", String::as_str), console),
            "exit" => Ok(After::Exit),
            "find" => self.find(targets, console),
            "help" => {
                for command in &COMMANDS {
                    writeln!(console.out, "{:8} {}", command.name, command.about)?;
                }
                Ok(After::Done)
            }
            "history" => history(arguments.first(), lines, console),
            "ls" => self.ls(targets, console),
            "man" => man(arguments.first().map_or("", String::as_str), console),
            "pwd" => {
                kafka_text(&format!("/{}", self.at.join("/")), console)?;
                Ok(After::Done)
            }
            _ => self.tree(targets, console),
        }
    }

    // Kafka: CatCommandHandler.
    fn cat(&self, targets: &[String], console: &mut Console<'_>) -> io::Result<After> {
        let mut after = After::Done;
        for target in targets {
            let found = self.tree.find(&self.at, target);
            if found.is_empty() {
                kafka_text(
                    &format!("cat: {target}: No such file or directory."),
                    console,
                )?;
                after = After::Failed;
            }
            for place in found {
                if self.tree.is_directory(&place.node) {
                    kafka_text(&format!("cat: {target}: Is a directory"), console)?;
                    after = After::Failed;
                } else {
                    kafka_text(&self.tree.text(&place.node), console)?;
                }
            }
        }
        Ok(after)
    }

    // Kafka: CdCommandHandler tries every match; the last directory wins.
    fn cd(&mut self, target: &str, console: &mut Console<'_>) -> io::Result<After> {
        let mut after = After::Done;
        let found = self.tree.find(&self.at, target);
        if found.is_empty() {
            kafka_text(&format!("cd: {target}: no such directory."), console)?;
            after = After::Failed;
        }
        for place in found {
            if self.tree.is_directory(&place.node) {
                self.at = place.path;
            } else {
                kafka_text(&format!("cd: {target}: not a directory."), console)?;
                after = After::Failed;
            }
        }
        Ok(after)
    }

    // Kafka: FindCommandHandler: paths begin with the argument as it was typed.
    fn find(&self, targets: &[String], console: &mut Console<'_>) -> io::Result<After> {
        let mut after = After::Done;
        for target in targets {
            let found = self.tree.find(&self.at, target);
            if found.is_empty() {
                kafka_text(
                    &format!("find: {target}: no such file or directory."),
                    console,
                )?;
                after = After::Failed;
            }
            for place in found {
                self.paths(&place.node, &mut target.clone(), console)?;
            }
        }
        Ok(after)
    }

    fn paths(
        &self,
        node: &ShellNode,
        path: &mut String,
        console: &mut Console<'_>,
    ) -> io::Result<()> {
        kafka_text(path, console)?;
        let length = path.len();
        for (name, child) in self.tree.children(node) {
            // Kafka: a slash at the end of what was typed is doubled, but for the root's.
            if path != "/" {
                path.push('/');
            }
            path.push_str(&name);
            self.paths(&child, path, console)?;
            path.truncate(length);
        }
        Ok(())
    }

    // Kafka: LsCommandHandler.
    fn ls(&self, targets: &[String], console: &mut Console<'_>) -> io::Result<After> {
        let mut after = After::Done;
        let mut found: Vec<ShellPlace> = Vec::new();
        for target in targets {
            let places = self.tree.find(&self.at, target);
            if places.is_empty() {
                kafka_text(
                    &format!("ls: {target}: no such file or directory."),
                    console,
                )?;
                after = After::Failed;
            }
            found.extend(places);
        }
        let (folders, leaves): (Vec<_>, Vec<_>) = found
            .iter()
            .partition(|place| self.tree.is_directory(&place.node));
        let names: Vec<String> = leaves.iter().map(|place| place.name().to_owned()).collect();
        self.block(&names, console)?;
        let headings = !leaves.is_empty() || folders.len() > 1;
        let mut first = leaves.is_empty();
        for folder in folders {
            let children = self.tree.children(&folder.node);
            // Kafka: an empty folder shows nothing, and yet the next one is no longer the first.
            let is_first = std::mem::take(&mut first);
            if children.is_empty() {
                continue;
            }
            if headings {
                if !is_first {
                    writeln!(console.out)?;
                }
                kafka_text(&format!("{}:", folder.name()), console)?;
            }
            let names: Vec<String> = children.into_iter().map(|(name, _)| name).collect();
            self.block(&names, console)?;
        }
        Ok(after)
    }

    fn block(&self, names: &[String], console: &mut Console<'_>) -> io::Result<()> {
        let shown: Vec<_> = if console.terminal {
            names.iter().map(|name| escape(name)).collect()
        } else {
            names.iter().map(|name| name.into()).collect()
        };
        layout::columns(&shown, console.columns, console.out)
    }

    // Kafka: TreeCommandHandler.
    fn tree(&self, targets: &[String], console: &mut Console<'_>) -> io::Result<After> {
        let mut after = After::Done;
        for target in targets {
            let found = self.tree.find(&self.at, target);
            if found.is_empty() {
                kafka_text(
                    &format!("tree: {target}: No such file or directory."),
                    console,
                )?;
                after = After::Failed;
            }
            for place in found {
                self.below(&place.node, 0, console)?;
            }
        }
        Ok(after)
    }

    fn below(&self, node: &ShellNode, depth: usize, console: &mut Console<'_>) -> io::Result<()> {
        let blanks = "  ".repeat(depth);
        if *node == ShellNode::Unreachable {
            return Ok(());
        }
        if !self.tree.is_directory(node) {
            for line in self.tree.text(node).split('\n') {
                kafka_text(&format!("{blanks}{line}"), console)?;
            }
            return Ok(());
        }
        for (name, child) in self.tree.children(node) {
            kafka_text(&format!("{blanks}{name}:"), console)?;
            self.below(&child, depth.saturating_add(1), console)?;
        }
        Ok(())
    }
}

impl Commands for KafkaShell<'_> {
    fn words(&self, line: &str) -> Vec<String> {
        words::texts(words::kafka(line))
    }

    fn run(&mut self, words: &[String], lines: &[String], console: &mut Console<'_>) -> Said {
        Ok(self.answer(words, lines, console)?)
    }

    fn complain(&self, failure: Failure, _: &mut Console<'_>) -> Result<(), Failure> {
        Err(failure)
    }

    fn complete(&self, line: &str) -> Candidates {
        let (before, from, last) = complete::last(&words::kafka(line), line);
        match complete::wanted(&before, &last) {
            Wanted::Command(prefix) => {
                complete::commands(COMMANDS.iter().map(|c| c.name), prefix, from)
            }
            Wanted::Path(path) => {
                let cut = path.rfind('/').map_or(0, |at| at.saturating_add(1));
                let (folder, name) = path.split_at_checked(cut).unwrap_or((path, ""));
                let mut places = self.tree.find(&self.at, folder);
                let node = match (places.pop(), places.pop()) {
                    (Some(place), None) if self.tree.is_directory(&place.node) => place.node,
                    _ => return Candidates::default(),
                };
                let matching = self.tree.matching(&node, name, complete::MOST);
                let folder = complete::typed_for_kafka(folder);
                complete::names(matching, &folder, from, complete::typed_for_kafka)
            }
            Wanted::Nothing => Candidates::default(),
        }
    }
}

// Kafka: argparse4j takes what looks like a negative number as an argument, and a lone hyphen.
fn is_option(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|rest| !rest.is_empty() && rest.parse::<f64>().is_err())
}

/// Reads words as `Commands.parseCommand` does.
fn parse(words: &[String], prompt: bool) -> Asked {
    let used = words.iter().rposition(|word| !word.is_empty());
    let words = used.and_then(|last| words.get(..=last)).unwrap_or_default();
    let Some((typed, arguments)) = words.split_first() else {
        return Asked::Nothing;
    };
    let quoted = |names: &[&str], quote: &str| {
        let quoted: Vec<_> = names.iter().map(|n| format!("{quote}{n}{quote}")).collect();
        quoted.join(", ")
    };
    let known: Vec<&'static Command> = COMMANDS.iter().filter(|c| prompt || !c.prompt).collect();
    let names = |commands: &[&Command]| commands.iter().map(|c| c.name).collect::<Vec<_>>();
    let exact = known.iter().find(|command| command.name == typed);
    let command: &'static Command = match exact {
        Some(command) => command,
        None => {
            let meant: Vec<&'static Command> = known
                .iter()
                .copied()
                .filter(|command| !typed.is_empty() && command.name.starts_with(typed.as_str()))
                .collect();
            match meant.as_slice() {
                [] => {
                    let choices = quoted(&names(&known), "'");
                    let what = format!("invalid choice: '{typed}' (choose from {choices})");
                    return Asked::Refused(what);
                }
                [one] => one,
                several => {
                    let choices = quoted(&names(several), "");
                    let what = format!("ambiguous command: {typed} could match {choices}");
                    return Asked::Refused(what);
                }
            }
        }
    };
    if let Some(option) = arguments.iter().find(|word| is_option(word)) {
        if matches!(option.as_str(), "-h" | "--help") {
            return Asked::Help(command);
        }
        return Asked::Refused(format!("unrecognized arguments: '{option}'"));
    }
    if arguments.len() < command.least {
        return Asked::Refused("too few arguments".to_owned());
    }
    if let Some(extra) = command.most.and_then(|most| arguments.get(most)) {
        return Asked::Refused(format!("unrecognized arguments: '{extra}'"));
    }
    if command.name == "history"
        && let Some(count) = arguments.first()
        && count.parse::<i32>().is_err()
    {
        return Asked::Refused(format!(
            "argument numEntriesToShow: could not convert '{count}' to Integer (For input string: \
             \"{count}\")"
        ));
    }
    if exact.is_none() {
        let name = command.name;
        return Asked::Refused(format!("invalid choice: '{typed}': did you mean '{name}'?"));
    }
    Asked::Run(command.name, arguments.to_vec())
}

// Kafka: HistoryCommandHandler: numbers from 0, the line of this command among them.
fn history(
    count: Option<&String>,
    lines: &[String],
    console: &mut Console<'_>,
) -> io::Result<After> {
    let wanted = count.and_then(|count| count.parse::<i32>().ok());
    let wanted = wanted.map_or(usize::MAX, |count| usize::try_from(count).unwrap_or(0));
    let skip = lines.len().saturating_sub(wanted);
    for (number, line) in lines.iter().enumerate().skip(skip) {
        kafka_text(&format!("{number:5}  {line}"), console)?;
    }
    Ok(After::Done)
}

fn man(name: &str, console: &mut Console<'_>) -> io::Result<After> {
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        let what = format!("man: unknown command {name}. Type help to get a list of commands.");
        kafka_text(&what, console)?;
        return Ok(After::Failed);
    };
    describe(command, console)?;
    Ok(After::Done)
}

fn describe(command: &Command, console: &mut Console<'_>) -> io::Result<()> {
    let blank = if command.arguments.is_empty() {
        ""
    } else {
        " "
    };
    writeln!(console.out, "{}: {}", command.name, command.about)?;
    writeln!(console.out)?;
    writeln!(
        console.out,
        "usage: {}{blank}{}",
        command.name, command.arguments
    )
}
