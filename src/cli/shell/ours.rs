//! The commands of our prompt: Kafka's ten, and every command of the command line without its PATH.

use super::complete::{self, Candidates, Wanted};
use super::words;
use super::{After, Commands, Said};
use crate::cli::common::Common;
use crate::cli::console::Console;
use crate::cli::nodes::{Here, complain_of_no_folder};
use crate::cli::outcome::{Failure, complain, usage};
use crate::cli::{self, Cli, Command, cat, find, ls, tree};
use crate::image::State;
use crate::text::Escaped;
use crate::tree::Tree;
use clap::FromArgMatches as _;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::path::PathBuf;

/// What only the prompt has: name, arguments, and what it does.
const PROMPT: [(&str, &str, &str); 6] = [
    (
        "cd",
        "[NODE]",
        "Go to a folder of nodes; to the root without one",
    ),
    (
        "pwd",
        "",
        "Print the folder that paths without a leading slash begin at",
    ),
    (
        "history",
        "[COUNT]",
        "Print the lines typed so far, or the last COUNT",
    ),
    (
        "man",
        "COMMAND",
        "Tell all about a command, as `help COMMAND` and `COMMAND --help` do",
    ),
    ("help", "[COMMAND]", "Print this list"),
    ("exit", "", "End, as Ctrl-D does"),
];

/// Of the command line, and not of the prompt.
const ABSENT: [&str; 2] = ["shell", "help"];

/// Our shell over one state.
pub(super) struct OurShell<'a> {
    path: PathBuf,
    common: &'a Common,
    state: &'a State,
    at: String,
    command: clap::Command,
}

impl<'a> OurShell<'a> {
    pub(super) fn new(path: PathBuf, common: &'a Common, state: &'a State) -> Self {
        Self {
            path,
            common,
            state,
            at: "/".to_owned(),
            command: cli::prompt_command(),
        }
    }

    fn tree(&self) -> Tree<'a> {
        Tree::new(self.state, self.common.secrets())
    }

    fn names(&self) -> Vec<&str> {
        let all = self.command.get_subcommands().map(clap::Command::get_name);
        let mut names: Vec<&str> = all.filter(|name| !ABSENT.contains(name)).collect();
        names.extend(PROMPT.iter().map(|(name, ..)| *name));
        names.sort_unstable();
        names.dedup();
        names
    }

    fn cd(&mut self, target: &str, console: &mut Console<'_>) -> Said {
        let tree = self.tree();
        let target = [target.to_owned()];
        let (found, missing) = Here { tree, at: &self.at }.resolve(&target, console);
        let mut after = After::of(missing);
        for node in found.into_iter().flat_map(|(_, nodes)| nodes) {
            let path = tree.path(&node);
            if tree.is_directory(&node) {
                self.at = path;
            } else {
                complain_of_no_folder(&path, console);
                after = After::Failed;
            }
        }
        Ok(after)
    }

    fn help(&self, name: Option<&String>, console: &mut Console<'_>) -> Said {
        let Some(name) = name else {
            for name in self.names() {
                let own = PROMPT.iter().find(|(own, ..)| *own == name);
                let about = match own {
                    Some((_, _, about)) => (*about).to_owned(),
                    None => {
                        let command = self.command.find_subcommand(name);
                        let about = command.and_then(clap::Command::get_about);
                        about.map(ToString::to_string).unwrap_or_default()
                    }
                };
                writeln!(console.out, "  {name:8}  {about}")?;
            }
            writeln!(
                console.out,
                "\nPATH of a command is left out here. Tab completes; `COMMAND --help` tells all."
            )?;
            return Ok(After::Done);
        };
        if let Some((name, arguments, about)) = PROMPT.iter().find(|(own, ..)| own == name) {
            let usage = format!("{name} {arguments}");
            writeln!(console.out, "{about}\n\nUsage: {}", usage.trim_end())?;
            return Ok(After::Done);
        }
        self.command_line(&[name.clone(), "--help".to_owned()], console)
    }

    fn history(
        &self,
        words: &[String],
        lines: &[String],
        console: &mut Console<'_>,
    ) -> Option<Said> {
        let wanted = match words {
            [_] => usize::MAX,
            [_, count] => count.parse().ok()?,
            _ => return None,
        };
        let skip = lines.len().saturating_sub(wanted);
        for (number, line) in lines.iter().enumerate().skip(skip) {
            if let Err(error) = writeln!(console.out, "{number:5}  {}", Escaped(line)) {
                return Some(Err(error.into()));
            }
        }
        Some(Ok(After::Done))
    }

    /// A command of the command line, its PATH put in.
    fn command_line(&self, words: &[String], console: &mut Console<'_>) -> Said {
        let Some((name, arguments)) = words.split_first() else {
            return Ok(After::Done);
        };
        let names = self.names();
        if !names.contains(&name.as_str()) {
            let near = names
                .iter()
                .filter(|known| known.starts_with(name.as_str()));
            let near: Vec<&str> = near.copied().collect();
            let _ = writeln!(console.err, "kraftlens: no command {}", Escaped(name));
            let _ = match near.as_slice() {
                [] => writeln!(console.err, "hint: `help` lists the commands"),
                near => writeln!(console.err, "hint: did you mean {}", near.join(" or ")),
            };
            return Ok(After::Failed);
        }
        let mut args: Vec<OsString> = vec!["kraftlens".into(), name.into()];
        args.push(self.path.clone().into_os_string());
        args.extend(arguments.iter().map(OsString::from));
        let matches = self.command.clone().try_get_matches_from(args);
        let read = matches.and_then(|matches| Cli::from_arg_matches(&matches));
        let line = match read {
            Ok(line) => line,
            Err(error) => {
                let help = matches!(error.kind(), ErrorKind::DisplayHelp);
                let text = error
                    .render()
                    .to_string()
                    .replace("Usage: kraftlens ", "Usage: ");
                return if help {
                    write!(console.out, "{text}")?;
                    Ok(After::Done)
                } else {
                    let _ = write!(console.err, "{text}");
                    Ok(After::Failed)
                };
            }
        };
        let common = Common {
            reveal: self.common.reveal || line.common.reveal,
            strict: self.common.strict || line.common.strict,
            at: line.common.at.or(self.common.at),
            ..self.common.clone()
        };
        let other;
        let state = if common.at == self.common.at {
            self.state
        } else {
            other = common.read(&self.path)?;
            &other
        };
        let here = Here {
            tree: Tree::new(state, common.secrets()),
            at: &self.at,
        };
        let failed = match line.command {
            Some(Command::Ls(args)) if !args.compat => ls::show(&args, here, console)?,
            Some(Command::Cat(args)) if !args.compat => cat::show(&args, here, console)?,
            Some(Command::Find(args)) if !args.compat => find::show(&args, here, console)?,
            Some(Command::Tree(args)) if !args.compat => tree::show(&args, here, console)?,
            command => cli::answer(command, None, &common, console)?.failed,
        };
        Ok(After::of(failed))
    }
}

impl Commands for OurShell<'_> {
    fn words(&self, line: &str) -> Vec<String> {
        words::texts(words::ours(line))
    }

    fn run(&mut self, words: &[String], lines: &[String], console: &mut Console<'_>) -> Said {
        let Some((name, arguments)) = words.split_first() else {
            return Ok(After::Done);
        };
        let asks_help = arguments
            .iter()
            .any(|word| word == "--help" || word == "-h");
        let own = PROMPT.iter().find(|(own, ..)| own == name);
        if asks_help && own.is_some() {
            return self.help(Some(name), console);
        }
        let at_most = |most: usize| match arguments.get(most) {
            None => Ok(()),
            Some(extra) => Err(usage(format!("{name} takes no {extra}"))),
        };
        match name.as_str() {
            "cd" => {
                at_most(1)?;
                self.cd(arguments.first().map_or("/", String::as_str), console)
            }
            "pwd" => {
                at_most(0)?;
                writeln!(console.out, "{}", self.at)?;
                Ok(After::Done)
            }
            "exit" => {
                at_most(0)?;
                Ok(After::Exit)
            }
            "help" => {
                at_most(1)?;
                self.help(arguments.first(), console)
            }
            "man" => {
                at_most(1)?;
                match arguments.first() {
                    Some(name) => self.help(Some(name), console),
                    None => Err(usage("man takes the name of a command")),
                }
            }
            "history" => match self.history(words, lines, console) {
                Some(said) => said,
                None if self.command.find_subcommand("history").is_some() => {
                    self.command_line(words, console)
                }
                None => Err(usage("history takes a number of lines")),
            },
            _ => self.command_line(words, console),
        }
    }

    fn complain(&self, failure: Failure, console: &mut Console<'_>) -> Result<(), Failure> {
        match failure {
            Failure::Cannot(error) => {
                complain(&error, console.err);
                Ok(())
            }
            other => Err(other),
        }
    }

    fn complete(&self, line: &str) -> Candidates {
        let (before, from, last) = complete::last(&words::ours(line), line);
        match complete::wanted(&before, &last) {
            Wanted::Command(prefix) => complete::commands(self.names().into_iter(), prefix, from),
            Wanted::Path(path) => {
                let tree = self.tree();
                let (folder, name) = complete::folder(path);
                let at = Here { tree, at: &self.at };
                let mut nodes = tree.find(&at.absolute(folder));
                let node = match (nodes.pop(), nodes.pop()) {
                    (Some(node), None) if tree.is_directory(&node) => node,
                    _ => return Candidates::default(),
                };
                let prefix = complete::beginning(name);
                let matching = tree.matching(&node, &prefix, complete::MOST);
                complete::names(matching, folder, from, complete::typed)
            }
            Wanted::Nothing => Candidates::default(),
        }
    }
}
