//! Who the state is of and whether it is sound, what it spans, and the rules above the panes.
//!
//! ```text
//! controller 3001 · cluster MkU3… · /data/__cluster_metadata-0      ✗ 2 errors
//! offset 149 · epoch 2 · 2026-01-01T00:00:03Z · metadata.version 4.4-IV2 (33)
//! ━ tree ━━━━━━━━━━━━━━━━━━━━━━━━━━┬─ detail ──────────────────────────────────
//! ```

use super::Pen;
use crate::tui::browser::Browser;
use crate::tui::layout::Layout;
use crate::tui::model::Focus;
use crate::tui::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(super) fn draw(browser: &Browser, theme: Theme, layout: &Layout, buffer: &mut Buffer) {
    let mut pen = Pen::new(buffer, layout.header);
    let (sign, verdict) = browser.totals.verdict();
    let verdict = format!(" {} {verdict}", sign.glyph());
    pen.write_right(&verdict, theme.style(sign.role()));
    pen.write(&browser.identity, theme.style(Role::Title));
    if let Some(area) = layout.span {
        Pen::new(buffer, area).write(&browser.span.join(" · "), theme.style(Role::Text));
    }
    rules(browser, theme, layout, buffer);
}

/// A heavy rule is over the pane that has the keys.
fn rules(browser: &Browser, theme: Theme, layout: &Layout, buffer: &mut Buffer) {
    let line = layout.rules;
    let over = |pane: Rect| Rect::new(pane.x, line.y, pane.width, 1);
    if let Some(pane) = layout.tree {
        let title = match browser.rows.hits() {
            Some(hits) => format!(
                "tree: {hits} with {}",
                crate::text::escape(browser.rows.filter())
            ),
            None => "tree".to_owned(),
        };
        rule(
            &title,
            browser.focus == Focus::Tree,
            theme,
            over(pane),
            buffer,
        );
    }
    if let Some(divider) = layout.divider {
        // The junction and the blank before the detail.
        let area = Rect::new(divider.x, line.y, 2, 1);
        Pen::new(buffer, area).write("┬─", theme.style(Role::Rule));
    }
    if let Some(pane) = layout.detail {
        let shown = usize::from(pane.height);
        let all = browser.detail.lines().len();
        let last = browser.detail.top().saturating_add(shown).min(all);
        let title = if all > shown {
            format!("detail: to line {last} of {all}")
        } else {
            "detail".to_owned()
        };
        let focused = browser.focus == Focus::Detail;
        rule(&title, focused, theme, over(pane), buffer);
    }
}

fn rule(title: &str, focused: bool, theme: Theme, area: Rect, buffer: &mut Buffer) {
    let (dash, role) = if focused {
        ("━", Role::FocusedRule)
    } else {
        ("─", Role::Rule)
    };
    let style = theme.style(role);
    let mut pen = Pen::new(buffer, area);
    pen.write(dash, style);
    pen.write(&format!(" {title} "), style);
    let rest = pen.left();
    pen.write(&dash.repeat(rest), style);
}
