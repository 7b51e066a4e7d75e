//! What each kind of text looks like.

use ratatui::style::{Color, Modifier, Style};

/// The colours of the browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// The terminal's own sixteen colours, for a dark background.
    #[default]
    Dark,
    /// No colour: bold, dim and reversed text only.
    Plain,
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Text,
    Faint,
    Title,
    Rule,
    FocusedRule,
    Directory,
    Label,
    Path,
    Good,
    Warning,
    Error,
    Mark,
    Hit,
    Key,
}

impl Theme {
    /// The style of a piece of text.
    pub(super) fn style(self, role: Role) -> Style {
        let plain = Style::new();
        let (colour, modifier) = match role {
            Role::Text => (None, Modifier::empty()),
            Role::Faint => (Some(Color::DarkGray), Modifier::DIM),
            Role::Title => (Some(Color::Cyan), Modifier::BOLD),
            Role::Rule => (Some(Color::DarkGray), Modifier::empty()),
            Role::FocusedRule => (Some(Color::Cyan), Modifier::BOLD),
            Role::Directory => (Some(Color::LightBlue), Modifier::empty()),
            Role::Label => (Some(Color::LightBlue), Modifier::empty()),
            Role::Path => (None, Modifier::BOLD),
            Role::Good => (Some(Color::Green), Modifier::empty()),
            Role::Warning => (Some(Color::Yellow), Modifier::empty()),
            Role::Error => (Some(Color::LightRed), Modifier::BOLD),
            Role::Mark => (Some(Color::Magenta), Modifier::BOLD),
            Role::Hit => (Some(Color::Yellow), Modifier::UNDERLINED),
            Role::Key => (Some(Color::Cyan), Modifier::BOLD),
        };
        match (self, colour) {
            // Faint text has a colour of its own; dim on top of it would vanish.
            (Self::Dark, Some(colour)) => plain
                .fg(colour)
                .add_modifier(modifier.difference(Modifier::DIM)),
            _ => plain.add_modifier(modifier),
        }
    }

    /// What is laid over the chosen row.
    pub(super) fn chosen(self, focused: bool) -> Style {
        match (self, focused) {
            (Self::Plain, true) => Style::new().add_modifier(Modifier::REVERSED),
            (Self::Plain, false) => {
                Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
            }
            (Self::Dark, true) => Style::new().bg(Color::Blue).fg(Color::White),
            (Self::Dark, false) => Style::new().bg(Color::DarkGray).fg(Color::White),
        }
    }
}
