//! The terminal: the one file that knows crossterm. It takes the screen, gives it back whatever
//! happens, and turns what the terminal says into events.

use super::Event;
use super::keys::Key;
use super::model::Action;
use super::theme::Theme;
use crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, KeyCode, KeyEvent, KeyModifiers, MouseButton,
    MouseEvent, MouseEventKind,
};
use crossterm::terminal::{self, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, style};
use ratatui::backend::CrosstermBackend;
use ratatui::{Frame, Terminal};
use std::io::{self, Stdout, Write as _};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

/// Lines that one turn of the wheel scrolls.
const WHEEL: isize = 3;
/// Two clicks on one cell within this time are a double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);

/// The screen, taken from the shell until it is dropped.
pub(super) struct Screen(Terminal<CrosstermBackend<Stdout>>);

impl Screen {
    /// Takes the screen.
    pub(super) fn take(theme: Theme) -> io::Result<Self> {
        // The theme has weighed NO_COLOR already.
        style::force_color_output(theme != Theme::Plain);
        enter()?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()));
        if terminal.is_err() {
            restore();
        }
        Ok(Self(terminal?))
    }

    /// Columns and rows.
    pub(super) fn size(&self) -> io::Result<(u16, u16)> {
        let size = self.0.size()?;
        Ok((size.width, size.height))
    }

    /// Draws a frame.
    pub(super) fn draw(&mut self, view: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.0.draw(view).map(|_| ())
    }

    /// Stops the process as Ctrl-Z does elsewhere, with the shell's own screen back until it goes on.
    #[cfg(unix)]
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        restore();
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        enter()?;
        self.0.clear()
    }

    /// There is no such thing here.
    #[cfg(not(unix))]
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What threads beside the screen said when they panicked.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Gives the screen back before a panic of this thread says its words. Other threads keep theirs for
/// [`panics`]: they cannot write while this one holds the standard streams, and the screen is not
/// theirs.
pub(super) fn guard_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let owner = std::thread::current().id();
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().id() == owner {
                restore();
                usual(panic);
            } else if let Ok(mut said) = PANICS.lock() {
                said.push(panic.to_string());
            }
        }));
    });
}

/// What threads beside the screen said when they panicked.
pub(super) fn panics() -> String {
    PANICS
        .lock()
        .map_or_else(|_| String::new(), |said| said.join("; "))
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn enter() -> io::Result<()> {
    let entered = terminal::enable_raw_mode().and_then(|()| {
        execute!(
            io::stdout(),
            EnterAlternateScreen,
            EnableMouseCapture,
            cursor::Hide
        )
    });
    if entered.is_err() {
        restore();
    }
    entered
}

/// Gives the screen back. There is nobody left to tell of an error.
fn restore() {
    let mut out = io::stdout();
    let _ = execute!(out, DisableMouseCapture, LeaveAlternateScreen, cursor::Show);
    let _ = terminal::disable_raw_mode();
    let _ = out.flush();
}

/// Gives the shell its own way of reading keys back, for a handler that ends the process: nothing else
/// of [`restore`] may be called there.
#[cfg(unix)]
pub(crate) fn leave_raw_mode() {
    let _ = terminal::disable_raw_mode();
}

/// Sends what the terminal says, until nobody listens or the terminal is gone.
pub(super) fn listen(events: Sender<Event>) {
    std::thread::spawn(move || {
        let mut clicks = Clicks::default();
        while let Ok(event) = event::read() {
            let event = match event {
                event::Event::Key(key) if key.is_press() || key.is_repeat() => {
                    key_of(key).map(Event::Key)
                }
                event::Event::Mouse(mouse) => clicks.action(mouse).map(Event::Does),
                event::Event::Resize(columns, rows) => {
                    Some(Event::Does(Action::Resize(columns, rows)))
                }
                _ => None,
            };
            if let Some(event) = event
                && events.send(event).is_err()
            {
                return;
            }
        }
        let _ = events.send(Event::Leave);
    });
}

/// Sends [`Event::Leave`] when the process is asked to end, so that the screen is given back first.
#[cfg(unix)]
pub(super) fn listen_to_signals(events: Sender<Event>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::spawn(move || {
        for _ in signals.forever() {
            if events.send(Event::Leave).is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// Signals of this kind are Unix's.
#[cfg(not(unix))]
pub(super) fn listen_to_signals(_: Sender<Event>) -> io::Result<()> {
    Ok(())
}

fn key_of(key: KeyEvent) -> Option<Key> {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    let alt = key.modifiers.contains(KeyModifiers::ALT);
    Some(match key.code {
        // On some keyboards AltGr, which makes characters, comes as both.
        KeyCode::Char(c) if control && !alt => Key::Ctrl(c.to_ascii_lowercase()),
        KeyCode::Char(c) if alt == control => Key::Char(c),
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Tab => Key::Tab,
        KeyCode::BackTab => Key::BackTab,
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Delete => Key::Delete,
        _ => return None,
    })
}

/// Remembers the last click, for the terminal does not tell double ones.
#[derive(Default)]
struct Clicks(Option<(Instant, u16, u16)>);

impl Clicks {
    fn action(&mut self, mouse: MouseEvent) -> Option<Action> {
        let (column, row) = (mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                let last = self.0.take();
                let double = last.is_some_and(|(time, x, y)| {
                    (x, y) == (column, row) && time.elapsed() < DOUBLE_CLICK
                });
                // A third click is a first one again.
                self.0 = (!double).then(|| (Instant::now(), column, row));
                Some(Action::Click {
                    column,
                    row,
                    double,
                })
            }
            MouseEventKind::ScrollUp => Some(Action::Wheel {
                column,
                row,
                by: WHEEL.saturating_neg(),
            }),
            MouseEventKind::ScrollDown => Some(Action::Wheel {
                column,
                row,
                by: WHEEL,
            }),
            _ => None,
        }
    }
}
