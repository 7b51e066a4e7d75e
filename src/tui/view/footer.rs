//! The path of the chosen object, the record that set it, and what is being typed or said.
//!
//! ```text
//! /image/topics/byName/orders/0
//! 00000000000000000000.log · byte 1234 · offset 27 · epoch 2 · 2026-01-01T00:00:03Z
//! ? help  / filter  : go to  q quit
//! ```

use super::Pen;
use crate::text::{display_width, escape};
use crate::tui::browser::Browser;
use crate::tui::fit::cut_start;
use crate::tui::layout::Layout;
use crate::tui::line::LineEditor;
use crate::tui::model::{Mode, Model};
use crate::tui::theme::{Role, Theme};
use ratatui::buffer::Buffer;

/// Draws and returns the column of the cursor when something is typed.
pub(super) fn draw(
    model: &Model,
    browser: &Browser,
    theme: Theme,
    layout: &Layout,
    buffer: &mut Buffer,
) -> Option<u16> {
    let width = usize::from(layout.path.width);
    let path = cut_start(&browser.detail.path, width);
    Pen::new(buffer, layout.path).write(&path, theme.style(Role::Path));
    if let Some(area) = layout.origin {
        let origin = browser.detail.origin.as_deref();
        let text = origin.unwrap_or("no record of its own");
        Pen::new(buffer, area).write(text, theme.style(Role::Faint));
    }
    let mut pen = Pen::new(buffer, layout.status);
    match &model.mode {
        Mode::Filter { line, .. } => {
            let found = match browser.rows.hits() {
                Some(hits) => format!("  {hits} found"),
                None => "  among the names of open directories".to_owned(),
            };
            Some(prompt("/", line, Some(&found), theme, &mut pen))
        }
        Mode::GoTo { line, hint } => {
            let hint = hint.as_ref().map(|hint| format!("  {hint}"));
            Some(prompt(":", line, hint.as_deref(), theme, &mut pen))
        }
        Mode::Panes | Mode::Help { .. } => {
            match &model.message {
                Some(message) => pen.write(message, theme.style(Role::Warning)),
                None => hints(theme, &mut pen),
            }
            None
        }
    }
}

fn hints(theme: Theme, pen: &mut Pen<'_>) {
    for (key, what) in [
        ("?", "help"),
        ("/", "filter"),
        (":", "go to"),
        ("Tab", "detail"),
        ("q", "quit"),
    ] {
        pen.write(key, theme.style(Role::Key));
        pen.write(&format!(" {what}  "), theme.style(Role::Faint));
    }
}

/// A prompt: the end of what is typed stays in sight, the hint takes what is left, at least half of
/// the line when it needs it.
fn prompt(
    sign: &str,
    line: &LineEditor,
    hint: Option<&str>,
    theme: Theme,
    pen: &mut Pen<'_>,
) -> u16 {
    pen.write(sign, theme.style(Role::Key));
    let room = pen.left().saturating_sub(1);
    let hint_width = hint.map_or(0, display_width).min(room / 2);
    let (before, after) = line.parts();
    let before = cut_start(&escape(before), room.saturating_sub(hint_width));
    pen.write(&before, theme.style(Role::Text));
    let cursor = pen.x;
    pen.write(&escape(after), theme.style(Role::Text));
    if let Some(hint) = hint {
        pen.write(hint, theme.style(Role::Warning));
    }
    cursor
}
