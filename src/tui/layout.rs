//! Where everything stands on a screen of a size. Update and view ask the same function, so that a page
//! is as long as what is seen.
//!
//! ```text
//! header   who, verdict
//! span     offset, epoch, time, counts           (not on a low screen)
//! rules    ━ tree ━━━━━━━━┬─ detail ─────────
//! panes    tree           │ detail               (on a narrow screen the focused one)
//! path     /image/topics/byName/orders
//! origin   file, byte, offset, epoch, time       (not on a low screen)
//! status   prompt, message or the keys
//! ```

use super::model::Focus;
use ratatui::layout::Rect;

/// The smallest screen.
pub(super) const MIN_WIDTH: u16 = 40;
/// The smallest screen.
pub(super) const MIN_HEIGHT: u16 = 10;

const ONE_PANE_BELOW: u16 = 64;
const LOW_BELOW: u16 = 16;

/// The areas. Panes have no area when they are not on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) header: Rect,
    pub(super) span: Option<Rect>,
    pub(super) rules: Rect,
    pub(super) tree: Option<Rect>,
    pub(super) divider: Option<Rect>,
    pub(super) detail: Option<Rect>,
    pub(super) path: Rect,
    pub(super) origin: Option<Rect>,
    pub(super) status: Rect,
}

impl Layout {
    /// The areas of a screen with so many percent of its width for the tree; none when it is too small.
    pub(super) fn new(size: (u16, u16), focus: Focus, tree_percent: u16) -> Option<Self> {
        let (width, height) = size;
        if width < MIN_WIDTH || height < MIN_HEIGHT {
            return None;
        }
        let low = height < LOW_BELOW;
        let line = |y: u16| Rect::new(0, y, width, 1);
        let from_end = |n: u16| line(height.saturating_sub(n));
        let rules: u16 = if low { 1 } else { 2 };
        let body_top = rules.saturating_add(1);
        let below = if low { 2 } else { 3 };
        let body = Rect::new(
            0,
            body_top,
            width,
            height.saturating_sub(body_top).saturating_sub(below),
        );
        let (tree, divider, detail) = if width < ONE_PANE_BELOW {
            match focus {
                Focus::Tree => (Some(body), None, None),
                Focus::Detail => (None, None, Some(body)),
            }
        } else {
            let share = u32::from(width).saturating_mul(tree_percent.into()) / 100;
            let tree_width = u16::try_from(share).unwrap_or(width);
            let tree_width = tree_width.clamp(20, width.saturating_sub(24));
            let divider = Rect::new(tree_width, body.y, 1, body.height);
            let detail_x = tree_width.saturating_add(2);
            let detail = Rect::new(
                detail_x,
                body.y,
                width.saturating_sub(detail_x),
                body.height,
            );
            let tree = Rect::new(0, body.y, tree_width, body.height);
            (Some(tree), Some(divider), Some(detail))
        };
        Some(Self {
            header: line(0),
            span: (!low).then(|| line(1)),
            rules: line(rules),
            tree,
            divider,
            detail,
            path: from_end(below),
            origin: (!low).then(|| from_end(2)),
            status: from_end(1),
        })
    }

    /// Rows of the tree; 0 while it is not on the screen.
    pub(super) fn tree_height(&self) -> usize {
        self.tree.map_or(0, |area| area.height.into())
    }

    /// Lines of the detail; 0 while it is not on the screen.
    pub(super) fn detail_height(&self) -> usize {
        self.detail.map_or(0, |area| area.height.into())
    }
}
