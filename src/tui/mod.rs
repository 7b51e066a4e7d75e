//! The full-screen browser.
//!
//! What happens goes one way: the terminal and the reader of files send events, an event becomes an
//! `Action` by one keymap, `Model::update` does it, and the
//! view draws what is then there. Nothing ticks: the browser sleeps until the next event. Only
//! `terminal` knows a terminal, so that everything else is tested without one.

#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod about;
mod browser;
mod detail;
mod fit;
mod goto;
mod keys;
mod layout;
mod line;
mod model;
mod note;
mod rows;
mod terminal;
mod theme;
mod totals;
mod view;

#[cfg(test)]
mod tests;

#[cfg(unix)]
pub(crate) use terminal::leave_raw_mode;
pub use theme::Theme;

use crate::error::Error;
use crate::image::State;
use crate::log::metadata_folders;
use crate::tree::Secrets;
use browser::Loaded;
use keys::Key;
use model::{Action, Content, Effect, Model};
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Reads the state, at first and again when asked to.
pub type Load = dyn Fn() -> Result<State, Error> + Send + Sync;

/// How the browser shows what it reads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether secrets are shown.
    pub secrets: Secrets,
    /// Its colours.
    pub theme: Theme,
}

/// Why the browser ended other than by being left.
#[derive(Debug)]
pub enum Failure {
    /// The files could not be read.
    Load(Error),
    /// The terminal could not be used.
    Terminal(std::io::Error),
    /// The reader panicked, with its words.
    Panicked(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(error) => error.fmt(f),
            Self::Terminal(error) => write!(f, "the terminal cannot be used: {error}"),
            Self::Panicked(words) => write!(f, "internal error: {words}"),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Load(_) | Self::Panicked(_) => None,
            Self::Terminal(error) => Some(error),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Terminal(error)
    }
}

/// Something that happened.
enum Event {
    Key(Key),
    Does(Action),
    Read(Result<Loaded, Error>),
    /// The thread that reads the files panicked.
    Panicked,
    Leave,
}

/// How long nothing is drawn at first, so that a small state appears without a flicker.
const BEFORE_FIRST_FRAME: Duration = Duration::from_millis(60);

/// Takes the terminal and browses what `load` reads, until the user leaves. `path` is what is read, for
/// the screen that shows before it has been.
///
/// # Errors
/// When the first reading fails (the terminal is then the shell's again), or the terminal does.
pub fn run(path: &Path, load: Arc<Load>, options: Options) -> Result<(), Failure> {
    terminal::guard_panics();
    let (sender, events) = channel();
    read(load.clone(), sender.clone());
    terminal::listen_to_signals(sender.clone())?;
    let first = events.recv_timeout(BEFORE_FIRST_FRAME);
    // A path that cannot be read is told on the shell's own screen.
    if let Ok(Event::Read(Err(error))) = first {
        return Err(Failure::Load(error));
    }
    let mut screen = terminal::Screen::take(options.theme)?;
    terminal::listen(sender.clone());
    let mut model = Model::new(file_sizes(path), options.secrets, screen.size()?);
    let mut next = first.ok();
    loop {
        if let Some(event) = next {
            match handle(&mut model, event)? {
                Some(Effect::Quit) => return Ok(()),
                Some(Effect::Load) => read(load.clone(), sender.clone()),
                Some(Effect::Suspend) => {
                    screen.suspend()?;
                    let (columns, rows) = screen.size()?;
                    model.update(Action::Resize(columns, rows));
                }
                None => {}
            }
        }
        next = events.try_recv().ok();
        // What has come in meanwhile is done before the next frame: held keys never lag.
        if next.is_none() {
            screen.draw(|frame| view::draw(&model, options.theme, frame))?;
            next = wait(&events);
        }
    }
}

fn wait(events: &Receiver<Event>) -> Option<Event> {
    // The loop holds a sender, so that this cannot end without an event.
    events.recv().ok()
}

fn handle(model: &mut Model, event: Event) -> Result<Option<Effect>, Failure> {
    let action = match event {
        Event::Key(key) => model.action(key),
        Event::Does(action) => Some(action),
        Event::Read(Err(error)) if matches!(model.content, Content::Loading(_)) => {
            return Err(Failure::Load(error));
        }
        Event::Read(result) => Some(Action::Loaded(Box::new(
            result.map_err(|error| error.to_string()),
        ))),
        Event::Panicked => return Err(Failure::Panicked(terminal::panics())),
        Event::Leave => return Ok(Some(Effect::Quit)),
    };
    Ok(action.and_then(|action| model.update(action)))
}

/// Reads beside the screen.
fn read(load: Arc<Load>, events: Sender<Event>) {
    std::thread::spawn(move || {
        let reading = || load().map(|state| Loaded::new(Arc::new(state)));
        let event = match std::panic::catch_unwind(AssertUnwindSafe(reading)) {
            Ok(result) => Event::Read(result),
            Err(_) => Event::Panicked,
        };
        // Nobody listens any more when the user has left.
        let _ = events.send(event);
    });
}

/// The segments and checkpoints at a path with their sizes, the largest first; what cannot be listed is
/// left out.
fn file_sizes(path: &Path) -> Vec<(String, u64)> {
    let size = |path: &Path| Some((file_name(path), path.metadata().ok()?.len()));
    if path.is_file() {
        return size(path).into_iter().collect();
    }
    let folders = metadata_folders(path).unwrap_or_default();
    let files = folders
        .iter()
        .filter_map(|folder| folder.read_dir().ok())
        .flatten()
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| {
            let extension = path.extension().and_then(|e| e.to_str());
            matches!(extension, Some("log" | "checkpoint"))
        });
    let mut sizes: Vec<_> = files.filter_map(|path| size(&path)).collect();
    sizes.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    sizes
}

/// The last part of a path.
fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
