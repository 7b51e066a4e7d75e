//! Draws the model. Every text is cut to its area here, and is escaped before it comes here.

pub(super) mod detail;
pub(super) mod footer;
pub(super) mod header;
pub(super) mod help;
pub(super) mod loading;
pub(super) mod tree;

use super::fit::cut;
use super::layout::{Layout, MIN_HEIGHT, MIN_WIDTH};
use super::model::{Content, Mode, Model};
use super::theme::{Role, Theme};
use crate::text::display_width;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// Draws a frame.
pub(super) fn draw(model: &Model, theme: Theme, frame: &mut Frame<'_>) {
    let area = frame.area();
    let buffer = frame.buffer_mut();
    if area.width < MIN_WIDTH || area.height < MIN_HEIGHT {
        let mut pen = Pen::new(buffer, area);
        pen.write("terminal too small", Style::new());
        return;
    }
    if let Mode::Help { top } = model.mode {
        help::draw(top, theme, area, buffer);
        return;
    }
    let browser = match &model.content {
        Content::Loading(files) => {
            loading::draw(files, theme, area, buffer);
            return;
        }
        Content::Ready(browser) => browser,
    };
    // The screen may have another size than the last action knew.
    let size = (area.width, area.height);
    let Some(layout) = Layout::new(size, browser.focus, browser.tree_percent) else {
        return;
    };
    header::draw(browser, theme, &layout, buffer);
    if let Some(area) = layout.tree {
        tree::draw(browser, theme, area, buffer);
    }
    if let Some(area) = layout.divider {
        for y in area.top()..area.bottom() {
            Pen::at(buffer, area, y).write("│", theme.style(Role::Rule));
        }
    }
    if let Some(area) = layout.detail {
        detail::draw(browser, theme, area, buffer);
    }
    let cursor = footer::draw(model, browser, theme, &layout, buffer);
    if let Some(column) = cursor {
        frame.set_cursor_position((column, layout.status.y));
    }
}

/// Writes along one line of an area and never beyond it.
struct Pen<'a> {
    buffer: &'a mut Buffer,
    x: u16,
    y: u16,
    end: u16,
}

impl<'a> Pen<'a> {
    /// At the start of the first line of an area.
    fn new(buffer: &'a mut Buffer, area: Rect) -> Self {
        Self::at(buffer, area, area.y)
    }

    /// At the start of a line of an area. A line outside takes nothing.
    fn at(buffer: &'a mut Buffer, area: Rect, y: u16) -> Self {
        let area = area.intersection(buffer.area);
        let inside = (area.top()..area.bottom()).contains(&y);
        Self {
            buffer,
            x: area.left(),
            y,
            end: if inside { area.right() } else { area.left() },
        }
    }

    /// Columns that are left.
    fn left(&self) -> usize {
        self.end.saturating_sub(self.x).into()
    }

    /// Writes what fits, with `…` where it is cut.
    fn write(&mut self, text: &str, style: Style) {
        if self.left() == 0 || text.is_empty() {
            return;
        }
        let text = cut(text, self.left());
        let (x, _) = self
            .buffer
            .set_stringn(self.x, self.y, &text, self.left(), style);
        self.x = x;
    }

    /// Moves on by some columns.
    fn skip(&mut self, columns: usize) {
        let columns = columns.min(self.left());
        self.x = self.x.saturating_add(u16::try_from(columns).unwrap_or(0));
    }

    /// Writes what fits at the right end, which is then taken.
    fn write_right(&mut self, text: &str, style: Style) {
        let text = cut(text, self.left());
        let width = u16::try_from(display_width(&text)).unwrap_or(0);
        let x = self.end.saturating_sub(width);
        if width > 0 && x >= self.x {
            self.buffer
                .set_stringn(x, self.y, &text, width.into(), style);
            self.end = x;
        }
    }
}
