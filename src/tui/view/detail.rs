//! What is known of the chosen object.
//!
//! ```text
//! id                    1
//! status                active
//! endpoints
//!   name PLAINTEXT, host broker1, port 9092,
//!     protocol PLAINTEXT
//! ```

use super::Pen;
use crate::tui::browser::Browser;
use crate::tui::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(super) fn draw(browser: &Browser, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let detail = &browser.detail;
    let lines = detail.lines().iter().skip(detail.top());
    for (line, y) in lines.zip(area.top()..area.bottom()) {
        let mut pen = Pen::at(buffer, area, y);
        pen.skip(line.indent);
        pen.write(&line.label, theme.style(Role::Label));
        if !line.value.is_empty() {
            let mut pen = Pen::at(buffer, area, y);
            pen.skip(line.value_at);
            pen.write(&line.value, theme.style(Role::Text));
        }
    }
}
