//! The keymap: one table that leads from keys to commands and makes the help.

use std::fmt;

/// A key as the browser knows it, whatever terminal it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Ctrl(char),
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Tab,
    BackTab,
    Enter,
    Esc,
    Backspace,
    Delete,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Char(' ') => "Space",
            Self::Char(c) => return write!(f, "{c}"),
            Self::Ctrl(c) => return write!(f, "Ctrl-{c}"),
            Self::Up => "↑",
            Self::Down => "↓",
            Self::Left => "←",
            Self::Right => "→",
            Self::PageUp => "PgUp",
            Self::PageDown => "PgDn",
            Self::Home => "Home",
            Self::End => "End",
            Self::Tab => "Tab",
            Self::BackTab => "Shift-Tab",
            Self::Enter => "Enter",
            Self::Esc => "Esc",
            Self::Backspace => "Backspace",
            Self::Delete => "Delete",
        })
    }
}

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Up,
    Down,
    HalfUp,
    HalfDown,
    PageUp,
    PageDown,
    First,
    Last,
    Open,
    Close,
    Toggle,
    SwitchFocus,
    Narrower,
    Wider,
    Filter,
    NextHit,
    PreviousHit,
    GoTo,
    Help,
    Reload,
    Back,
    Suspend,
    Quit,
    // At a prompt.
    Accept,
    Cancel,
    Complete,
    Erase,
    EraseForward,
    EraseWord,
    EraseLine,
    CursorLeft,
    CursorRight,
    CursorHome,
    CursorEnd,
}

/// Where a binding holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// In every mode.
    Always,
    /// In the panes and the help.
    Panes,
    /// While something is typed; a character that is not bound is typed.
    Prompt,
}

impl When {
    /// All, in the order of the help.
    pub(super) const ALL: [Self; 3] = [Self::Panes, Self::Prompt, Self::Always];

    /// The heading in the help.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Panes => "In the panes",
            Self::Prompt => "At the / and : prompts",
            Self::Always => "Anywhere",
        }
    }
}

/// A line of the keymap.
#[derive(Debug)]
pub(super) struct Binding {
    pub(super) when: When,
    pub(super) keys: &'static [Key],
    pub(super) command: Command,
    pub(super) help: &'static str,
}

const fn bind(when: When, keys: &'static [Key], command: Command, help: &'static str) -> Binding {
    Binding {
        when,
        keys,
        command,
        help,
    }
}

/// The keymap.
pub(super) const BINDINGS: &[Binding] = {
    use Command as C;
    use Key as K;
    use When::{Always, Panes, Prompt};
    &[
        bind(Panes, &[K::Down, K::Char('j')], C::Down, "one line down"),
        bind(Panes, &[K::Up, K::Char('k')], C::Up, "one line up"),
        bind(
            Panes,
            &[K::Right, K::Char('l'), K::Enter],
            C::Open,
            "open a directory; again: go in; on a value: to the detail",
        ),
        bind(
            Panes,
            &[K::Left, K::Char('h'), K::Backspace],
            C::Close,
            "close a directory, or go to the one above",
        ),
        bind(
            Panes,
            &[K::Char(' ')],
            C::Toggle,
            "open or close a directory",
        ),
        bind(Panes, &[K::Ctrl('d')], C::HalfDown, "half a page down"),
        bind(Panes, &[K::Ctrl('u')], C::HalfUp, "half a page up"),
        bind(
            Panes,
            &[K::PageDown, K::Ctrl('f')],
            C::PageDown,
            "a page down",
        ),
        bind(Panes, &[K::PageUp, K::Ctrl('b')], C::PageUp, "a page up"),
        bind(
            Panes,
            &[K::Home, K::Char('g')],
            C::First,
            "to the first line",
        ),
        bind(Panes, &[K::End, K::Char('G')], C::Last, "to the last line"),
        bind(
            Panes,
            &[K::Tab, K::BackTab],
            C::SwitchFocus,
            "from the tree to the detail and back",
        ),
        bind(
            Panes,
            &[K::Char('<')],
            C::Narrower,
            "make the tree narrower",
        ),
        bind(Panes, &[K::Char('>')], C::Wider, "make the tree wider"),
        bind(
            Panes,
            &[K::Char('/')],
            C::Filter,
            "show only what has these letters in its name",
        ),
        bind(
            Panes,
            &[K::Char('n')],
            C::NextHit,
            "to the next that the filter found",
        ),
        bind(Panes, &[K::Char('N')], C::PreviousHit, "to the one before"),
        bind(
            Panes,
            &[K::Char(':')],
            C::GoTo,
            "go to a path; * and ? stand for any letters",
        ),
        bind(Panes, &[K::Char('r')], C::Reload, "read the files again"),
        bind(
            Panes,
            &[K::Esc],
            C::Back,
            "leave the help, the detail, the filter",
        ),
        bind(Panes, &[K::Char('?')], C::Help, "this help"),
        bind(Panes, &[K::Char('q')], C::Quit, "quit"),
        bind(
            Prompt,
            &[K::Enter],
            C::Accept,
            "keep the filter; go to the path",
        ),
        bind(Prompt, &[K::Esc], C::Cancel, "drop what was typed"),
        bind(
            Prompt,
            &[K::Tab],
            C::Complete,
            "complete the path as far as it is clear",
        ),
        bind(
            Prompt,
            &[K::Backspace, K::Ctrl('h')],
            C::Erase,
            "erase the letter before; with nothing left: drop",
        ),
        bind(
            Prompt,
            &[K::Delete],
            C::EraseForward,
            "erase the letter under the cursor",
        ),
        bind(
            Prompt,
            &[K::Ctrl('w')],
            C::EraseWord,
            "erase back to the last slash or blank",
        ),
        bind(
            Prompt,
            &[K::Ctrl('u')],
            C::EraseLine,
            "erase back to the start",
        ),
        bind(Prompt, &[K::Left], C::CursorLeft, "one letter left"),
        bind(Prompt, &[K::Right], C::CursorRight, "one letter right"),
        bind(
            Prompt,
            &[K::Home, K::Ctrl('a')],
            C::CursorHome,
            "to the start",
        ),
        bind(Prompt, &[K::End, K::Ctrl('e')], C::CursorEnd, "to the end"),
        bind(
            Prompt,
            &[K::Up],
            C::PreviousHit,
            "choose among what the filter found",
        ),
        bind(
            Prompt,
            &[K::Down],
            C::NextHit,
            "choose among what the filter found",
        ),
        bind(
            Always,
            &[K::Ctrl('z')],
            C::Suspend,
            "back to the shell until fg",
        ),
        bind(Always, &[K::Ctrl('c')], C::Quit, "quit"),
    ]
};

/// What a key means.
pub(super) fn command(prompt: bool, key: Key) -> Option<Command> {
    let here = if prompt { When::Prompt } else { When::Panes };
    BINDINGS
        .iter()
        .find(|b| (b.when == here || b.when == When::Always) && b.keys.contains(&key))
        .map(|b| b.command)
}

/// The keys of a binding as the help writes them.
pub(super) fn keys_text(binding: &Binding) -> String {
    let keys: Vec<String> = binding.keys.iter().map(Key::to_string).collect();
    keys.join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things_in_one_place() {
        for (n, a) in BINDINGS.iter().enumerate() {
            for b in &BINDINGS[n + 1..] {
                let together = a.when == b.when || [a.when, b.when].contains(&When::Always);
                let shared = a.keys.iter().find(|key| b.keys.contains(key));
                assert!(!together || shared.is_none(), "{shared:?}: {a:?} and {b:?}");
            }
        }
    }
}
