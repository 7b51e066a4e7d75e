//! What is wrong with a filter, and where.

use crate::text::{display_width, escape};
use std::fmt;
use std::ops::Range;

/// A filter that does not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// What is wrong.
    pub message: String,
    /// The filter.
    pub text: String,
    /// The bytes of it that are wrong; empty at its end.
    pub span: Range<usize>,
    /// What may have been meant, or what would do.
    pub hint: Option<String>,
}

impl FilterError {
    /// The filter and below it marks under the part that is wrong, both safe for a terminal and of the
    /// same width up to there.
    #[must_use]
    pub fn pointer(&self) -> (String, String) {
        let part = |range: Range<usize>| escape(self.text.get(range).unwrap_or_default());
        let before = display_width(&part(0..self.span.start));
        let marked = display_width(&part(self.span.clone())).max(1);
        let marks = format!("{:before$}{}", "", "^".repeat(marked));
        (escape(&self.text).into_owned(), marks)
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FilterError {}

/// The same before it knows the text.
pub(super) struct Wrong {
    pub(super) message: String,
    pub(super) span: Range<usize>,
    pub(super) hint: Option<String>,
}

impl Wrong {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            span,
            hint: None,
        }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(super) fn within(self, text: &str) -> FilterError {
        FilterError {
            message: self.message,
            text: text.to_owned(),
            span: self.span,
            hint: self.hint,
        }
    }
}
