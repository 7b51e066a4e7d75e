//! The help, made from the keymap.
//!
//! ```text
//! kraftlens 0.1.0: the keys                                 any other key: back
//!
//! In the panes
//!   ↓  j                one line down
//!   ↑  k                one line up
//! ```

use super::Pen;
use crate::text::PadRight;
use crate::tui::fit::wrap;
use crate::tui::keys::{BINDINGS, When, keys_text};
use crate::tui::note::Sign;
use crate::tui::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const KEYS_WIDTH: usize = 18;

struct Line {
    keys: String,
    text: String,
    role: Role,
}

/// What the signs mean.
const SIGNS: &[(Sign, &str)] = &[
    (Sign::Error, "an error, or a partition without a leader"),
    (
        Sign::Warning,
        "a warning, or something that is not as it should be",
    ),
    (Sign::Mark, "a controller that was removed for good"),
];

fn lines(width: u16) -> Vec<Line> {
    let room = usize::from(width).saturating_sub(KEYS_WIDTH.saturating_add(2));
    let mut lines = Vec::new();
    let mut add = |keys: &str, text: &str, role: Role| {
        let mut keys = keys.to_owned();
        for piece in wrap(text, room) {
            lines.push(Line {
                keys: std::mem::take(&mut keys),
                text: piece.to_owned(),
                role,
            });
        }
    };
    for when in When::ALL {
        add(when.title(), "", Role::Title);
        for binding in BINDINGS.iter().filter(|b| b.when == when) {
            add(
                &format!("  {}", keys_text(binding)),
                binding.help,
                Role::Key,
            );
        }
        add("", "", Role::Text);
    }
    add("Mouse", "", Role::Title);
    add("  click", "choose; on an arrow: open or close", Role::Key);
    add("  double click", "open or close", Role::Key);
    add("  wheel", "scroll what is under it", Role::Key);
    add("", "", Role::Text);
    add("Signs", "", Role::Title);
    for (sign, text) in SIGNS {
        add(&format!("  {}", sign.glyph()), text, sign.role());
    }
    lines
}

/// Lines on a screen of a size.
pub(in crate::tui) fn height(size: (u16, u16)) -> usize {
    size.1.saturating_sub(2).into()
}

/// The first line when the last one is at the bottom.
pub(in crate::tui) fn last_top(size: (u16, u16)) -> usize {
    lines(size.0).len().saturating_sub(height(size))
}

pub(super) fn draw(top: usize, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let mut pen = Pen::new(buffer, area);
    let version = env!("CARGO_PKG_VERSION");
    pen.write_right("other keys: back", theme.style(Role::Faint));
    pen.write(
        &format!("kraftlens {version}: the keys "),
        theme.style(Role::Title),
    );
    let body = area.top().saturating_add(2)..area.bottom();
    for (line, y) in lines(area.width).iter().skip(top).zip(body) {
        let mut pen = Pen::at(buffer, area, y);
        let keys = PadRight(&line.keys, KEYS_WIDTH).to_string();
        pen.write(&keys, theme.style(line.role));
        pen.skip(2);
        pen.write(&line.text, theme.style(Role::Text));
    }
}
