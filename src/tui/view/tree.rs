//! The tree: names, signs, and a few words beside them.
//!
//! ```text
//! /
//! ▾ image
//!   ▾ cluster        ⊘ 1 marked
//!     ▸ brokers      3
//!     ▾ controllers  ⊘ 3, 1 marked
//!         3001
//!         3003       ⊘ marked: decommissioned
//! ```

use super::Pen;
use crate::text::escape;
use crate::tui::browser::Browser;
use crate::tui::model::Focus;
use crate::tui::note::note;
use crate::tui::rows::{Row, hit};
use crate::tui::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// How many characters of a name or note are looked at; more could not be seen anyway.
const NAME_CHARS: usize = 1024;

/// The column of a row's arrow, from the left of the pane.
pub(in crate::tui) fn arrow_column(row: &Row) -> u16 {
    row.depth.saturating_sub(1).saturating_mul(2)
}

pub(super) fn draw(browser: &Browser, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let tree = browser.tree();
    let rows = &browser.rows;
    for (place, y) in (rows.top()..rows.len()).zip(area.top()..area.bottom()) {
        let Some(row) = rows.get(place) else {
            break;
        };
        let mut pen = Pen::at(buffer, area, y);
        pen.skip(arrow_column(row).into());
        let role = if row.directory {
            Role::Directory
        } else {
            Role::Text
        };
        let style = theme.style(role);
        if row.depth > 0 {
            let arrow = match (row.directory, row.open) {
                (true, true) => "▾ ",
                (true, false) => "▸ ",
                (false, _) => "  ",
            };
            pen.write(arrow, style);
        }
        name(rows.filter(), &row.name, theme, role, &mut pen);
        let note = note(&tree, &browser.totals, &row.node);
        if let Some(sign) = note.sign {
            pen.skip(2);
            pen.write(sign.glyph(), theme.style(sign.role()));
        }
        if !note.words.is_empty() {
            pen.skip(if note.sign.is_some() { 1 } else { 2 });
            let role = note.sign.map_or(Role::Faint, |sign| sign.role());
            pen.write(&escape(head(&note.words)), theme.style(role));
        }
        if place == rows.cursor() {
            let line = Rect::new(area.x, y, area.width, 1).intersection(buffer.area);
            buffer.set_style(line, theme.chosen(browser.focus == Focus::Tree));
        }
    }
}

fn head(text: &str) -> &str {
    let end = text.char_indices().nth(NAME_CHARS).map(|(at, _)| at);
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// A name with what the filter found in it set off.
fn name(filter: &str, name: &str, theme: Theme, role: Role, pen: &mut Pen<'_>) {
    let name = head(name);
    let style = theme.style(role);
    let parts = hit(filter, name).and_then(|range| {
        let end = range.end;
        Some((name.get(..range.start)?, name.get(range)?, name.get(end..)?))
    });
    match parts {
        Some((before, found, after)) => {
            pen.write(&escape(before), style);
            pen.write(&escape(found), theme.style(Role::Hit));
            pen.write(&escape(after), style);
        }
        None if name.is_empty() => pen.write("\"\"", style),
        None => pen.write(&escape(name), style),
    }
}
