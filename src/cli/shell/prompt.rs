//! The prompt: reads lines, completes them, keeps them, and hands them on.

use super::{After, Commands, history};
use crate::cli::console::Console;
use crate::cli::outcome::Failure;
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::{DefaultHistory, History as _, SearchDirection};
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::cell::RefCell;
use std::io::{self, BufRead as _, IsTerminal as _, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const PROMPT: &str = ">> ";

/// Takes lines until the input ends or one says so. True when a line of an input that is no terminal
/// was not answered.
pub(super) fn run(shell: &mut dyn Commands, console: &mut Console<'_>) -> Result<bool, Failure> {
    if io::stdin().is_terminal() {
        at_terminal(shell, console).map(|()| false)
    } else {
        piped(shell, console)
    }
}

fn piped(shell: &mut dyn Commands, console: &mut Console<'_>) -> Result<bool, Failure> {
    let mut lines = Vec::new();
    let mut failed = false;
    for line in io::stdin().lock().lines() {
        // Lines that are no UTF-8 lead nowhere.
        let Ok(line) = line else { break };
        let words = shell.words(&line);
        lines.push(line);
        match step(shell, &words, &lines, console)? {
            After::Done => {}
            After::Failed => failed = true,
            After::Exit => break,
        }
        console.out.flush()?;
    }
    Ok(failed)
}

fn step(
    shell: &mut dyn Commands,
    words: &[String],
    lines: &[String],
    console: &mut Console<'_>,
) -> Result<After, Failure> {
    match shell.run(words, lines, console) {
        Ok(after) => Ok(after),
        Err(failure) => {
            shell.complain(failure, console)?;
            Ok(After::Failed)
        }
    }
}

fn at_terminal<'s>(
    shell: &'s mut (dyn Commands + 's),
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .history_ignore_space(true)
        .auto_add_history(false)
        .build();
    let shell = RefCell::new(shell);
    let mut editor: Editor<Names<'_, '_>, DefaultHistory> =
        Editor::with_config(config).map_err(unreadable)?;
    editor.set_helper(Some(Names { shell: &shell }));
    let mut kept = Kept::load(&mut editor);
    let stop = interrupts();
    loop {
        let line = match editor.readline(PROMPT) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => return Ok(()),
            Err(error) => return Err(unreadable(error)),
        };
        if line.trim().is_empty() {
            continue;
        }
        kept.add(&mut editor, &line);
        let lines = lines(&editor);
        console.columns = width();
        stop.store(false, Ordering::Relaxed);
        let mut shell = shell.borrow_mut();
        let words = shell.words(&line);
        let mut out = Stoppable {
            out: &mut *console.out,
            stop: &stop,
        };
        let mut one = Console {
            out: &mut out,
            err: &mut *console.err,
            terminal: console.terminal,
            paint: console.paint,
            columns: console.columns,
        };
        let after = step(&mut **shell, &words, &lines, &mut one);
        let stopped = stop.swap(false, Ordering::Relaxed);
        match after {
            Ok(After::Exit) => return Ok(()),
            Ok(_) => {}
            Err(Failure::Write(_)) if stopped => {}
            Err(failure) => return Err(failure),
        }
        console.out.flush()?;
    }
}

fn unreadable(error: ReadlineError) -> Failure {
    match error {
        ReadlineError::Io(error) => Failure::Write(error),
        other => Failure::Write(io::Error::other(other)),
    }
}

/// The lines typed so far, the oldest first.
fn lines(editor: &Editor<Names<'_, '_>, DefaultHistory>) -> Vec<String> {
    let history = editor.history();
    let line = |at| history.get(at, SearchDirection::Forward).ok().flatten();
    (0..history.len())
        .filter_map(|at| line(at).map(|found| found.entry.into_owned()))
        .collect()
}

/// How wide the terminal is now; none for one that cannot place text.
fn width() -> Option<usize> {
    if std::env::var_os("TERM").is_none_or(|term| term == "dumb") {
        return None;
    }
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// Set by Ctrl-C while a command runs: it ends at its next line. A second one ends the process.
fn interrupts() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGINT;
        // Without the handlers Ctrl-C ends the process, as it does elsewhere.
        drop(signal_hook::flag::register_conditional_shutdown(
            SIGINT,
            130,
            stop.clone(),
        ));
        drop(signal_hook::flag::register(SIGINT, stop.clone()));
    }
    stop
}

/// Writes until it is told to stop.
struct Stoppable<'a> {
    out: &'a mut dyn Write,
    stop: &'a AtomicBool,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The file of earlier lines. Whatever goes wrong with it, the prompt goes on without.
struct Kept {
    file: Option<PathBuf>,
}

impl Kept {
    fn load(editor: &mut Editor<Names<'_, '_>, DefaultHistory>) -> Self {
        let file = history::file();
        if let Some(file) = &file {
            let _ = editor.load_history(file);
        }
        Self { file }
    }

    fn add(&mut self, editor: &mut Editor<Names<'_, '_>, DefaultHistory>, line: &str) {
        if !editor.add_history_entry(line).unwrap_or(false) {
            return;
        }
        let Some(file) = &self.file else { return };
        let saved = history::make_room(file).is_ok() && editor.append_history(file).is_ok();
        if !saved {
            self.file = None;
        }
    }
}

struct Names<'a, 's> {
    shell: &'a RefCell<&'s mut (dyn Commands + 's)>,
}

impl Completer for Names<'_, '_> {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..pos).unwrap_or(line);
        let found = self.shell.borrow().complete(typed);
        let pairs = found.list.into_iter().map(|(display, replacement)| Pair {
            display,
            replacement,
        });
        Ok((found.from, pairs.collect()))
    }
}

impl Hinter for Names<'_, '_> {
    type Hint = String;
}
impl Highlighter for Names<'_, '_> {}
impl Validator for Names<'_, '_> {}
impl Helper for Names<'_, '_> {}
