//! Names in columns, as `ls` shows them at the prompt.

use crate::text::display_width;
use std::io::{self, Write};

/// Writes names one a line, or in as many columns as fit a width, column by column.
// Kafka: LsCommandHandler.
pub(crate) fn columns(
    names: &[impl AsRef<str>],
    width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let layout = width.and_then(|width| Layout::widest(names, width));
    let Some(layout) = layout else {
        for name in names {
            writeln!(out, "{}", name.as_ref())?;
        }
        return Ok(());
    };
    for row in 0..layout.rows {
        for (column, wide) in layout.widths.iter().enumerate() {
            let at = column.saturating_mul(layout.rows).saturating_add(row);
            let Some(name) = names.get(at) else { break };
            let last = column.saturating_add(1) == layout.widths.len();
            let pad = if last {
                0
            } else {
                wide.saturating_sub(display_width(name.as_ref()))
            };
            write!(out, "{}{:pad$}", name.as_ref(), "")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

struct Layout {
    rows: usize,
    /// The width of each column, the blanks after it counted.
    widths: Vec<usize>,
}

impl Layout {
    /// The most columns that fit.
    fn widest(names: &[impl AsRef<str>], width: usize) -> Option<Self> {
        const NARROWEST: usize = 4;
        let lengths: Vec<usize> = names
            .iter()
            .map(|name| display_width(name.as_ref()))
            .collect();
        let most = (width / NARROWEST).min(names.len());
        (2..=most).rev().find_map(|count| {
            let rows = lengths.len().div_ceil(count);
            let widths: Vec<usize> = lengths
                .chunks(rows)
                .map(|column| column.iter().max().map_or(0, |w| w.saturating_add(2)))
                .collect();
            let total = widths
                .iter()
                .fold(0, |sum: usize, w| sum.saturating_add(*w));
            // Fewer chunks than columns: the last ones would be empty.
            (widths.len() == count && total <= width).then_some(Self { rows, widths })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(names: &[&str], width: usize) -> String {
        let mut out = Vec::new();
        columns(names, Some(width), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    // A row that ends before the last column keeps its blanks, as in Kafka's shell.
    #[test]
    fn columns_fill_downwards() {
        let names = ["acls", "clientQuotas", "cluster", "configs", "features"];
        assert_eq!(
            shown(&names, 40),
            "acls          cluster  features\nclientQuotas  configs  \n"
        );
        assert_eq!(
            shown(&names, 7),
            "acls\nclientQuotas\ncluster\nconfigs\nfeatures\n"
        );
        assert_eq!(shown(&[], 80), "");
        assert_eq!(shown(&["a", "b"], 80), "a  b\n");
    }
}
