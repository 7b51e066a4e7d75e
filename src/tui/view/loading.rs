//! What is being read while nothing can be shown yet.
//!
//! ```text
//! reading …                                                  q: quit
//!
//!   253.4 MiB  00000000000050000000-0000000040.checkpoint
//!   1.0 MiB    00000000000050000000.log
//! ```

use super::Pen;
use crate::text::{ByteSize, PadLeft, escape};
use crate::tui::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(super) fn draw(files: &[(String, u64)], theme: Theme, area: Rect, buffer: &mut Buffer) {
    let mut pen = Pen::new(buffer, area);
    pen.write_right("q: quit", theme.style(Role::Faint));
    pen.write("reading … ", theme.style(Role::Title));
    let body = area.top().saturating_add(2)..area.bottom();
    for ((name, size), y) in files.iter().zip(body) {
        let mut pen = Pen::at(buffer, area, y);
        let size = format!("{:#}", ByteSize(*size));
        pen.write(&PadLeft(&size, 12).to_string(), theme.style(Role::Faint));
        pen.skip(2);
        pen.write(&escape(name), theme.style(Role::Text));
    }
}
