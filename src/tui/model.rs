//! What is on the screen, and what each action does to it. Nothing here knows a terminal.

use super::browser::{Browser, Loaded};
use super::goto;
use super::keys::{self, Command, Key};
use super::layout::Layout;
use super::line::LineEditor;
use super::view::help;
use crate::text::escape;
use crate::tree::Secrets;

/// What happens.
#[derive(Debug)]
pub(super) enum Action {
    /// A key that is bound.
    Do(Command),
    /// A character for the prompt.
    Type(char),
    /// The mouse chose a place.
    Click {
        column: u16,
        row: u16,
        /// Whether it is the second click on the same place.
        double: bool,
    },
    /// The wheel turned over a place, by lines; below 0 is up.
    Wheel { column: u16, row: u16, by: isize },
    /// The screen has another size: columns, rows.
    Resize(u16, u16),
    /// The state was read, or why it was not.
    Loaded(Box<Result<Loaded, String>>),
}

/// What is to be done outside the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Leave.
    Quit,
    /// Read the files beside the screen.
    Load,
    /// Give the terminal back until the process is continued.
    Suspend,
}

/// The pane that has the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Focus {
    Tree,
    Detail,
}

/// What keys act on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The panes.
    Panes,
    /// The filter is being typed.
    Filter {
        line: LineEditor,
        /// The row to come back to.
        anchor: usize,
    },
    /// A path is being typed.
    GoTo {
        line: LineEditor,
        /// What Tab found, or what is wrong, escaped.
        hint: Option<String>,
    },
    /// The help, from a line on.
    Help { top: usize },
}

/// What is browsed.
#[derive(Debug)]
pub(super) enum Content {
    /// Nothing yet: files with their sizes are being read.
    Loading(Vec<(String, u64)>),
    /// A state.
    Ready(Box<Browser>),
}

/// What is on the screen.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) content: Content,
    pub(super) mode: Mode,
    /// Said until the next key, escaped.
    pub(super) message: Option<String>,
    /// Columns and rows.
    pub(super) size: (u16, u16),
    secrets: Secrets,
    reloading: bool,
}

impl Model {
    /// A model that waits for its state.
    pub(super) fn new(files: Vec<(String, u64)>, secrets: Secrets, size: (u16, u16)) -> Self {
        Self {
            content: Content::Loading(files),
            mode: Mode::Panes,
            message: None,
            size,
            secrets,
            reloading: false,
        }
    }

    /// What a key means now.
    pub(super) fn action(&self, key: Key) -> Option<Action> {
        let prompt = matches!(self.mode, Mode::Filter { .. } | Mode::GoTo { .. });
        match (keys::command(prompt, key), key) {
            (Some(command), _) => Some(Action::Do(command)),
            (None, Key::Char(c)) if prompt => Some(Action::Type(c)),
            _ => None,
        }
    }

    /// The areas of the screen; none when it is too small or nothing is read yet.
    pub(super) fn layout(&self) -> Option<Layout> {
        let Content::Ready(browser) = &self.content else {
            return None;
        };
        Layout::new(self.size, browser.focus, browser.tree_percent)
    }

    /// Does an action.
    pub(super) fn update(&mut self, action: Action) -> Option<Effect> {
        let effect = match action {
            Action::Do(command) => {
                self.message = None;
                self.command(command)
            }
            Action::Type(c) => {
                self.type_char(c);
                None
            }
            Action::Click {
                column,
                row,
                double,
            } => {
                self.message = None;
                self.click(column, row, double);
                None
            }
            Action::Wheel { column, row, by } => {
                self.wheel(column, row, by);
                None
            }
            Action::Resize(columns, rows) => {
                self.size = (columns, rows);
                None
            }
            Action::Loaded(result) => {
                self.loaded(*result);
                None
            }
        };
        self.settle();
        effect
    }

    fn settle(&mut self) {
        let layout = self.layout();
        if let (Content::Ready(browser), Some(layout)) = (&mut self.content, layout) {
            browser.settle(&layout);
        }
        if let Mode::Help { top } = &mut self.mode {
            *top = (*top).min(help::last_top(self.size));
        }
    }

    fn loaded(&mut self, result: Result<Loaded, String>) {
        self.reloading = false;
        match (result, &self.content) {
            (Ok(loaded), Content::Loading(_)) => {
                let browser = Browser::new(loaded, self.secrets);
                self.content = Content::Ready(Box::new(browser));
            }
            (Ok(loaded), Content::Ready(browser)) => {
                let browser = browser.again(loaded);
                self.content = Content::Ready(Box::new(browser));
                // The rows are others now: there is no row to come back to.
                if let Mode::Filter { .. } = self.mode {
                    self.mode = Mode::Panes;
                }
                self.message = Some("read again".to_owned());
            }
            (Err(why), _) => self.message = Some(escape(&why).into_owned()),
        }
    }

    fn command(&mut self, command: Command) -> Option<Effect> {
        match command {
            Command::Quit => return Some(Effect::Quit),
            Command::Suspend => return Some(Effect::Suspend),
            _ => {}
        }
        if let Mode::Help { top } = &mut self.mode {
            let page = help::height(self.size);
            match moved(command, page) {
                Some(by) => *top = top.saturating_add_signed(by),
                None => self.mode = Mode::Panes,
            }
            return None;
        }
        if matches!(self.content, Content::Loading(_)) {
            if command == Command::Help {
                self.mode = Mode::Help { top: 0 };
            }
            return None;
        }
        match &self.mode {
            Mode::Filter { .. } => self.at_filter(command),
            Mode::GoTo { .. } => self.at_goto(command),
            Mode::Panes | Mode::Help { .. } => return self.in_panes(command),
        }
        None
    }

    fn in_panes(&mut self, command: Command) -> Option<Effect> {
        let layout = self.layout();
        let Content::Ready(browser) = &mut self.content else {
            return None;
        };
        let tree_height = layout.map_or(1, |l| l.tree_height()).max(1);
        let detail_height = layout.map_or(1, |l| l.detail_height()).max(1);
        match (command, browser.focus) {
            (Command::Filter, _) => {
                browser.focus = Focus::Tree;
                self.mode = Mode::Filter {
                    line: LineEditor::new(browser.rows.filter()),
                    anchor: browser.rows.chosen_index(),
                };
            }
            (Command::GoTo, _) => {
                self.mode = Mode::GoTo {
                    line: LineEditor::new("/"),
                    hint: None,
                };
            }
            (Command::Help, _) => self.mode = Mode::Help { top: 0 },
            (Command::Reload, _) => {
                if !self.reloading {
                    self.reloading = true;
                    self.message = Some("reading again …".to_owned());
                    return Some(Effect::Load);
                }
            }
            (Command::SwitchFocus, Focus::Tree) => browser.focus = Focus::Detail,
            (Command::SwitchFocus, Focus::Detail) => browser.focus = Focus::Tree,
            (Command::Narrower, _) => {
                browser.tree_percent = browser.tree_percent.saturating_sub(4).max(16);
            }
            (Command::Wider, _) => {
                browser.tree_percent = browser.tree_percent.saturating_add(4).min(80);
            }
            (Command::NextHit | Command::PreviousHit, _) => {
                let next = command == Command::NextHit;
                if browser.rows.filter().is_empty() {
                    self.message = Some("no filter: / sets one".to_owned());
                } else if next {
                    browser.rows.next_hit();
                } else {
                    browser.rows.previous_hit();
                }
            }
            (Command::Open, Focus::Tree) => {
                let directory = browser.rows.chosen().is_some_and(|row| row.directory);
                if !directory {
                    browser.focus = Focus::Detail;
                } else if !browser.open() && !browser.rows.choose_first_child() {
                    self.message = Some("nothing in it".to_owned());
                }
            }
            (Command::Toggle, Focus::Tree) => {
                if !browser.rows.close() {
                    browser.open();
                }
            }
            (Command::Close, Focus::Tree) => {
                if !browser.rows.close() {
                    browser.rows.choose_parent();
                }
            }
            (Command::Close | Command::Back, Focus::Detail) => browser.focus = Focus::Tree,
            (Command::Back, Focus::Tree) => browser.rows.set_filter(""),
            (_, Focus::Tree) => {
                if let Some(by) = moved(command, tree_height) {
                    browser.rows.step(by);
                }
            }
            (_, Focus::Detail) => {
                if let Some(by) = moved(command, detail_height) {
                    browser.detail.scroll(by, detail_height);
                }
            }
        }
        None
    }

    fn at_filter(&mut self, command: Command) {
        let (Mode::Filter { line, anchor }, Content::Ready(browser)) =
            (&mut self.mode, &mut self.content)
        else {
            return;
        };
        let anchor = *anchor;
        match command {
            Command::Accept => {
                if browser.rows.hits() == Some(0) {
                    let filter = escape(browser.rows.filter()).into_owned();
                    self.message = Some(format!("no name of an open directory has {filter}"));
                    browser.rows.set_filter("");
                    browser.rows.choose_index(anchor);
                }
                self.mode = Mode::Panes;
            }
            Command::NextHit => {
                browser.rows.next_hit();
            }
            Command::PreviousHit => {
                browser.rows.previous_hit();
            }
            Command::Erase if line.is_empty() => self.mode = Mode::Panes,
            Command::Cancel => {
                browser.rows.set_filter("");
                browser.rows.choose_index(anchor);
                self.mode = Mode::Panes;
            }
            _ => {
                edit(line, command);
                let text = line.text();
                refilter(browser, &text, anchor);
            }
        }
    }

    fn at_goto(&mut self, command: Command) {
        let (Mode::GoTo { line, hint }, Content::Ready(browser)) =
            (&mut self.mode, &mut self.content)
        else {
            return;
        };
        match command {
            Command::Accept => {
                let here = browser.here();
                match goto::find(&browser.tree(), &here, &line.text()) {
                    Ok(node) => {
                        if !browser.reveal(&node) {
                            self.message = Some("it is not listed in the tree".to_owned());
                        }
                        browser.focus = Focus::Tree;
                        self.mode = Mode::Panes;
                    }
                    Err(why) => *hint = Some(why),
                }
            }
            Command::Complete => {
                let here = browser.here();
                *hint = match goto::complete(&browser.tree(), &here, &line.text()) {
                    Some(done) => {
                        *line = LineEditor::new(done.path);
                        choices(&done.names)
                    }
                    None => Some("no name begins so".to_owned()),
                };
            }
            Command::Erase if line.is_empty() => self.mode = Mode::Panes,
            Command::Cancel => self.mode = Mode::Panes,
            _ => {
                *hint = None;
                edit(line, command);
            }
        }
    }

    fn type_char(&mut self, c: char) {
        match (&mut self.mode, &mut self.content) {
            (Mode::Filter { line, anchor }, Content::Ready(browser)) => {
                line.insert(c);
                let text = line.text();
                refilter(browser, &text, *anchor);
            }
            (Mode::GoTo { line, hint }, _) => {
                line.insert(c);
                *hint = None;
            }
            _ => {}
        }
    }

    fn click(&mut self, column: u16, row: u16, double: bool) {
        if let Mode::Help { .. } = self.mode {
            self.mode = Mode::Panes;
            return;
        }
        let Some(layout) = self.layout() else {
            return;
        };
        let Content::Ready(browser) = &mut self.content else {
            return;
        };
        let at = ratatui::layout::Position::new(column, row);
        if layout.detail.is_some_and(|area| area.contains(at)) {
            browser.focus = Focus::Detail;
        }
        let Some(area) = layout.tree.filter(|area| area.contains(at)) else {
            return;
        };
        browser.focus = Focus::Tree;
        let line = usize::from(row.saturating_sub(area.y));
        let place = browser.rows.top().saturating_add(line);
        let Some(clicked) = browser.rows.get(place) else {
            return;
        };
        let arrow = super::view::tree::arrow_column(clicked);
        let on_arrow = column.saturating_sub(area.x) == arrow;
        let directory = clicked.directory;
        browser.rows.choose(place);
        // The first click of two on the arrow has done it already.
        if directory && (on_arrow != double) && !browser.rows.close() {
            browser.open();
        }
    }

    fn wheel(&mut self, column: u16, row: u16, by: isize) {
        if let Mode::Help { top } = &mut self.mode {
            *top = top.saturating_add_signed(by);
            return;
        }
        let Some(layout) = self.layout() else {
            return;
        };
        let Content::Ready(browser) = &mut self.content else {
            return;
        };
        let at = ratatui::layout::Position::new(column, row);
        if layout.detail.is_some_and(|area| area.contains(at)) {
            browser.detail.scroll(by, layout.detail_height());
        } else if layout.tree.is_some_and(|area| area.contains(at)) {
            browser.rows.scroll(by, layout.tree_height());
        }
    }
}

/// How far a command moves where a page has so many lines; nothing when it is no movement.
fn moved(command: Command, page: usize) -> Option<isize> {
    let page = isize::try_from(page).unwrap_or(isize::MAX);
    Some(match command {
        Command::Up => -1,
        Command::Down => 1,
        Command::HalfUp => (page / 2).max(1).saturating_neg(),
        Command::HalfDown => (page / 2).max(1),
        Command::PageUp => page.saturating_sub(1).max(1).saturating_neg(),
        Command::PageDown => page.saturating_sub(1).max(1),
        Command::First => isize::MIN,
        Command::Last => isize::MAX,
        _ => return None,
    })
}

fn edit(line: &mut LineEditor, command: Command) {
    match command {
        Command::Erase => line.erase(),
        Command::EraseForward => line.erase_forward(),
        Command::EraseWord => line.erase_word(),
        Command::EraseLine => line.erase_line(),
        Command::CursorLeft => line.left(),
        Command::CursorRight => line.right(),
        Command::CursorHome => line.home(),
        Command::CursorEnd => line.end(),
        _ => {}
    }
}

/// Filters from where the prompt was opened, so that an erased letter undoes what it did.
fn refilter(browser: &mut Browser, text: &str, anchor: usize) {
    if text != browser.rows.filter() {
        browser.rows.set_filter("");
        browser.rows.choose_index(anchor);
        browser.rows.set_filter(text);
    }
}

/// Some names that a path may go on with.
fn choices(names: &[String]) -> Option<String> {
    let first = names.iter().take(20).map(|name| escape(name));
    let first: Vec<_> = first.collect();
    match names.len() {
        0 => None,
        n if n <= first.len() => Some(first.join("  ")),
        n => Some(format!("{n} names: {}  …", first.join("  "))),
    }
}
