//! Several copies: which belong together, how far each goes, and what is to be said of those that are
//! not the furthest.

use super::page::{Page, plural};
use super::report::Report;
use super::text::{below, quorum, state, verdict};
use crate::cli::console::{Paint, Tone};
use crate::text::{PadRight, display_width, escape};
use std::io::{self, Write};
use std::path::Path;

/// A copy by its place among those of its cluster.
pub(super) enum Copy<'a> {
    /// The one that goes furthest, or one of which the cluster is not known.
    Furthest(&'a Report),
    /// Another one, with the furthest of its cluster.
    Other(&'a Report, &'a Report),
}

impl<'a> Copy<'a> {
    pub(super) fn report(&self) -> &'a Report {
        match self {
            Self::Furthest(report) | Self::Other(report, _) => report,
        }
    }
}

/// Up to where a copy goes, control records included: a later epoch first, then a greater offset.
fn reach(report: &Report) -> (i32, i64) {
    let led = report.quorum.leader.as_ref().map_or(-1, |l| l.epoch);
    let log = report.log.as_ref().map_or(-1, |l| l.last_offset);
    (report.state.epoch.max(led), report.state.offset.max(log))
}

/// Copies by cluster, of each the furthest first.
pub(super) fn sort(reports: &[Report]) -> Vec<Copy<'_>> {
    let mut sorted = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for report in reports {
        let Some(cluster) = report.identity.cluster_id.as_deref() else {
            sorted.push(Copy::Furthest(report));
            continue;
        };
        if done.contains(&cluster) {
            continue;
        }
        done.push(cluster);
        let same = || {
            let all = reports.iter();
            all.filter(|r| r.identity.cluster_id.as_deref() == Some(cluster))
        };
        // Of equals the first one found.
        let Some(furthest) = same().rev().max_by_key(|r| reach(r)) else {
            continue;
        };
        sorted.push(Copy::Furthest(furthest));
        let others = same().filter(|r| !std::ptr::eq(*r, furthest));
        sorted.extend(others.map(|r| Copy::Other(r, furthest)));
    }
    sorted
}

/// Identity and span of each copy.
pub(super) fn table(
    path: &Path,
    copies: &[Copy<'_>],
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let title = format!("{} metadata folders below {}", copies.len(), path.display());
    writeln!(out, "{}", paint.text(Tone::Heading, escape(&title)))?;
    let none = || "-".to_owned();
    let head = ["node", "role", "log", "state", "epoch", "time", "folder"].map(str::to_owned);
    let rows = copies.iter().map(|copy| {
        let r = copy.report();
        [
            r.identity.node_id.map_or_else(none, |id| id.to_string()),
            match r.identity.roles.as_slice() {
                [] => none(),
                roles => roles.join("+"),
            },
            r.log
                .as_ref()
                .map_or_else(none, |l| format!("{}-{}", l.first_offset, l.last_offset)),
            r.state.offset.to_string(),
            reach(r).0.to_string(),
            r.state.time.clone().unwrap_or_else(none),
            escape(&below(path, r)).into_owned(),
        ]
    });
    let rows: Vec<[String; 7]> = std::iter::once(head).chain(rows).collect();
    for (n, row) in rows.iter().enumerate() {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            let widths = rows.iter().filter_map(|r| r.get(column));
            let width = widths.map(|c| display_width(c)).max().unwrap_or(0);
            PadRight(cell, width).to_string()
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        let line = line.trim_end();
        if n == 0 {
            writeln!(out, "{}", paint.text(Tone::Quiet, line))?;
        } else {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// A copy that is not the furthest: what sets it apart.
pub(super) fn other(
    report: &Report,
    furthest: &Report,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut page = Page { out, paint };
    let node = |r: &Report| match r.identity.node_id {
        Some(id) => format!("node {id}"),
        None => "another copy".to_owned(),
    };
    verdict(report, &mut page)?;
    if let Some(id) = report.identity.node_id {
        let directory = report.identity.directory_id.as_ref();
        let directory = directory.map(|id| format!(", directory {id}"));
        page.row(
            "node",
            format!(
                "{id}, {}{}",
                report.identity.roles.join(" and "),
                directory.unwrap_or_default()
            ),
        )?;
    }
    state(report, &mut page)?;
    let behind = reach(furthest).1.saturating_sub(reach(report).1);
    let words = match u64::try_from(behind) {
        Ok(0) => format!("goes as far as {}", node(furthest)),
        Ok(n) => format!(
            "{} behind {}",
            plural(n, "offset", "offsets"),
            node(furthest)
        ),
        Err(_) => format!("further than {}, but of an earlier epoch", node(furthest)),
    };
    page.row("", words)?;
    quorum(report, &mut page)
}
