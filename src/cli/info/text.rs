//! The screen of one copy.

use super::page::{Page, ids, plural};
use super::quorum::VoterReport;
use super::report::{FindingReport, Report, Verdict};
use super::tally::table;
use crate::cli::console::{Paint, Tone};
use crate::finding::Severity;
use crate::image::MinIsrSource;
use crate::text::{ByteSize, Thousands, escape};
use crate::tree::{directory_name, level_name, quote};
use std::io::{self, Write};
use std::path::Path;

/// Everything of one copy.
pub(super) fn whole(report: &Report, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let heading = paint.text(Tone::Heading, escape(&report.path));
    writeln!(out, "{heading}")?;
    let mut page = Page { out, paint };
    verdict(report, &mut page)?;
    page.gap()?;
    identity(report, &mut page)?;
    state(report, &mut page)?;
    files(report, &mut page)?;
    page.gap()?;
    quorum(report, &mut page)?;
    features(report, &mut page)?;
    controllers(report, &mut page)?;
    brokers(report, &mut page)?;
    page.gap()?;
    counts(report, &mut page)?;
    transactions(report, &mut page)?;
    page.gap()?;
    table(&report.records, &mut page)?;
    super::batches::rows(&report.largest_batches, &mut page)?;
    findings(report, &mut page)
}

/// Whether all could be read, and what needs a look.
pub(super) fn verdict(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let Verdict {
        verdict,
        errors,
        warnings,
        first,
    } = &report.verdict;
    let many = |n: &u64, word: &str| plural(*n, word, &format!("{word}s"));
    let counts = match (errors, warnings) {
        (0, w) => many(w, "warning"),
        (e, 0) => many(e, "error"),
        (e, w) => format!("{} and {}", many(e, "error"), many(w, "warning")),
    };
    let first = first.as_ref().map(|f| format!("; first: {}", told(f)));
    let first = first.unwrap_or_default();
    match *verdict {
        word @ ("healthy" | "intact") => page.row(
            word,
            format!(
                "all {} read and understood",
                plural(report.records.records(), "record", "records")
            ),
        ),
        "empty" => page.toned(
            "EMPTY",
            "no record in any file: a log that was never written, or one that was lost",
            Some(Tone::Notice),
        ),
        "warnings" => page.toned("warnings", format!("{counts}{first}"), Some(Tone::Notice)),
        "inconsistent" => page.toned(
            "INCONSISTENT",
            format!("reads well, but the state has {counts}{first}"),
            Some(Tone::Bad),
        ),
        _ => page.toned("DAMAGED", format!("{counts}{first}"), Some(Tone::Bad)),
    }?;
    let mut label = "attention";
    for line in &report.attention {
        page.toned(label, line, Some(Tone::Notice))?;
        label = "";
    }
    Ok(())
}

/// A finding on one line, its place by the file's own name.
fn told(finding: &FindingReport) -> String {
    match &finding.place {
        Some(place) => format!("{} ({})", finding.summary, short(place)),
        None => finding.summary.clone(),
    }
}

/// A path without the folders before it.
fn short(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn identity(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let identity = &report.identity;
    let roles = if identity.roles.is_empty() {
        "role not known".to_owned()
    } else {
        identity.roles.join(" and ")
    };
    match identity.node_id {
        Some(id) => page.row("node", format!("{id}, {roles}"))?,
        None => page.row("node", "not known: no meta.properties here or above")?,
    }
    if let Some(id) = &identity.cluster_id {
        page.row("cluster", id)?;
    }
    if let Some(id) = &identity.directory_id {
        page.row("directory", id)?;
    }
    Ok(())
}

/// Up to where the state goes, and what of it may not count.
pub(super) fn state(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let state = &report.state;
    let at = state.time.as_ref().map(|time| format!(", {time}"));
    let at = at.unwrap_or_default();
    match state.offset {
        -1 if checkpoint_of_format(report) => page.row(
            "state",
            "not yet that of a cluster: bootstrap records that `format` wrote",
        )?,
        -1 => page.row("state", "empty: nothing was applied")?,
        offset => page.row(
            "state",
            format!("as of offset {offset}, epoch {}{at}", state.epoch),
        )?,
    }
    if let Some(offset) = state.asked_up_to {
        page.row(
            "",
            format!("not the newest: asked for up to offset {offset}"),
        )?;
    }
    if let Some(offsets) = &state.maybe_uncommitted {
        let (first, last) = (offsets.first_offset, offsets.last_offset);
        let after = if state.checkpoint.is_some() {
            "after the checkpoint"
        } else {
            "of the log"
        };
        page.row(
            "",
            format!(
                "records {after} (offsets {first} to {last}) may be uncommitted: nothing on disk \
                 says how far the log was committed"
            ),
        )?;
    }
    Ok(())
}

fn checkpoint_of_format(report: &Report) -> bool {
    let checkpoint = report.state.checkpoint.as_ref();
    checkpoint.is_some_and(|c| c.last_contained_offset == Some(-1))
}

fn files(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    if let Some(checkpoint) = &report.state.checkpoint {
        let up_to = match checkpoint.last_contained_offset {
            Some(offset) => format!("up to offset {offset}"),
            None => "its name does not tell up to which offset".to_owned(),
        };
        let time = checkpoint.last_contained_log_time.as_ref();
        let time = time.map(|time| format!(", {time}")).unwrap_or_default();
        let size = report.files.iter().find(|f| f.path == checkpoint.path);
        let size = size.map(|f| format!(", {:#}", ByteSize(f.bytes)));
        page.row(
            "checkpoint",
            format!("{up_to}{time}{}", size.unwrap_or_default()),
        )?;
        page.row("", short(&checkpoint.path))?;
    }
    if let Some(log) = &report.log {
        page.row(
            "log",
            format!(
                "offsets {} to {}, {:#} in {}",
                log.first_offset,
                log.last_offset,
                ByteSize(log.bytes),
                plural(log.segments as u64, "segment", "segments"),
            ),
        )?;
        if log.first_offset > 0 {
            let first = log.first_offset;
            page.row(
                "",
                format!("history before offset {first} is not in the files"),
            )?;
        }
        if let (Some(first), Some(last)) = (&log.first_time, &log.last_time) {
            page.row("", format!("{first} to {last}"))?;
        }
        let segments = report.files.iter().filter(|f| f.kind == "log segment");
        let names: Vec<&str> = segments.map(|f| short(&f.path)).collect();
        page.row("", few(&names))?;
    }
    let mut label = "passed over";
    for file in report.passed_over.iter().take(FEW) {
        page.row(label, format!("{}: {}", short(&file.path), file.why))?;
        label = "";
    }
    match report.passed_over.len().saturating_sub(FEW) {
        0 => Ok(()),
        more => page.row("", format!("and {more} more: `ls` of /files shows them")),
    }
}

const FEW: usize = 6;

fn few(names: &[&str]) -> String {
    let shown: Vec<&str> = names.iter().take(FEW).copied().collect();
    match names.len().saturating_sub(FEW) {
        0 => shown.join(" "),
        more => format!("{} and {more} more", shown.join(" ")),
    }
}

/// Voters, those removed, leader.
pub(super) fn quorum(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let quorum = &report.quorum;
    if quorum.kind == "dynamic" {
        let what = format!(
            "dynamic (kraft.version {}): voters are in the log",
            quorum.kraft_version
        );
        page.row("quorum", what)?;
    } else {
        page.row(
            "quorum",
            "static (kraft.version 0): voters are in each node's controller.quorum.voters",
        )?;
        if !quorum.static_voters.is_empty() {
            let voters = ids(&quorum.static_voters);
            page.row("", format!("voters as the last leader knew them: {voters}"))?;
        }
    }
    if let Some(leader) = &quorum.leader {
        let since = leader.since_offset.map(|o| format!(", since offset {o}"));
        let time = leader.since_time.as_ref().map(|t| format!(", {t}"));
        page.row(
            "leader",
            format!(
                "{} of epoch {}{}{}",
                leader.id,
                leader.epoch,
                since.unwrap_or_default(),
                time.unwrap_or_default()
            ),
        )?;
    } else {
        page.row("leader", "not in the files")?;
    }
    if let Some(state) = &quorum.quorum_state {
        let leader = state
            .leader_id
            .map_or("no leader".to_owned(), |id| format!("leader {id}"));
        let voted = state.voted_id.map(|id| format!(", voted for {id}"));
        page.row(
            "",
            format!(
                "this node's quorum-state: {leader}, epoch {}{}",
                state.leader_epoch,
                voted.unwrap_or_default()
            ),
        )?;
    }
    for voter in &quorum.voters {
        let (note, tone) = match (voter.marked, voter.registered) {
            (true, _) => (", MARKED as decommissioned", Some(Tone::Bad)),
            (_, false) => (", not registered", None),
            _ => ("", None),
        };
        page.toned("voter", format!("{}{note}", voter_words(voter)), tone)?;
    }
    for removed in &quorum.removed_voters {
        let at = removed
            .removed_at_offset
            .map(|o| format!(", at offset {o}"));
        let time = removed.removed_at.as_ref().map(|t| format!(", {t}"));
        let words = voter_words(&removed.voter);
        page.row(
            "removed",
            format!(
                "{words}{}{}",
                at.unwrap_or_default(),
                time.unwrap_or_default()
            ),
        )?;
    }
    Ok(())
}

fn voter_words(voter: &VoterReport) -> String {
    let id = voter.directory_id;
    let directory = directory_name(id).map_or_else(|| id.to_string(), str::to_owned);
    format!(
        "{}  {}  {}",
        voter.id,
        directory,
        voter.endpoints.join(", ")
    )
}

fn features(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    match &report.features.metadata_version {
        Some(v) => page.row(
            "features",
            format!("metadata.version {} ({})", v.name, v.level),
        )?,
        None => match report.features.note {
            Some(note) => page.row("features", format!("metadata.version {note}"))?,
            None => page.row("features", "no metadata.version")?,
        },
    }
    let others: Vec<String> = report
        .features
        .others
        .iter()
        .map(|f| format!("{} {}", f.name, f.level))
        .collect();
    if others.is_empty() {
        return Ok(());
    }
    page.row("", others.join(", "))
}

fn controllers(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    if report.controllers.is_empty() {
        return page.row("controllers", "none registered");
    }
    let mut label = "controllers";
    for controller in &report.controllers {
        let voter = match controller.voter {
            Some(true) => ", voter",
            Some(false) => ", not a voter",
            None => "",
        };
        let range = match &controller.metadata_version {
            Some(r) if r.max == i16::MAX => {
                format!(
                    ", metadata.version from {} ({}) up",
                    level_name(r.min),
                    r.min
                )
            }
            Some(r) => format!(
                ", metadata.version {} to {} ({}-{})",
                level_name(r.min),
                level_name(r.max),
                r.min,
                r.max
            ),
            None => ", no range of metadata.version".to_owned(),
        };
        let note = controller.note.as_ref().map(|note| {
            let note = note.replacen("marked", "MARKED", usize::from(controller.marked));
            let form = controller.mark.as_ref().and_then(|facts| facts.get("form"));
            let form = form.map(|form| format!(" ({})", form.inline()));
            format!(", {note}{}", form.unwrap_or_default())
        });
        let tone = note.is_some().then_some(Tone::Notice);
        let note = note.unwrap_or_default();
        page.toned(
            label,
            format!("{}{note}{voter}{range}", controller.id),
            tone,
        )?;
        label = "";
    }
    Ok(())
}

fn brokers(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let brokers = &report.brokers;
    if brokers.registered == 0 {
        page.row("brokers", "none registered")?;
    } else {
        let named = |list: &[i32]| {
            if list.is_empty() {
                String::new()
            } else {
                format!(" ({})", ids(list))
            }
        };
        page.row(
            "brokers",
            format!(
                "{}: {} active, {} fenced{}, {} in controlled shutdown{}",
                brokers.registered,
                brokers.active,
                brokers.fenced.len(),
                named(&brokers.fenced),
                brokers.in_controlled_shutdown.len(),
                named(&brokers.in_controlled_shutdown),
            ),
        )?;
    }
    if !brokers.with_static_configs.is_empty() {
        let all = &brokers.with_static_configs;
        let who: Vec<i32> = all.iter().map(|s| s.broker).collect();
        let bytes = all.iter().fold(0u64, |sum, s| sum.saturating_add(s.bytes));
        page.row(
            "",
            format!(
                "static configs reported by {} ({:#})",
                ids(&who),
                ByteSize(bytes)
            ),
        )?;
        if !brokers.without_static_configs.is_empty() {
            let silent = ids(&brokers.without_static_configs);
            page.row("", format!("no static configs reported by {silent}"))?;
        }
    }
    if !brokers.only_configs.is_empty() {
        let who = ids(&brokers.only_configs);
        page.row(
            "",
            format!("dynamic configs of brokers not registered: {who}"),
        )?;
    }
    Ok(())
}

fn counts(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let c = &report.counts;
    let p = &c.partitions;
    let n = |count: usize| Thousands(count as u64);
    page.row(
        "topics",
        format!(
            "{}, with {}",
            n(c.topics),
            plural(p.partitions, "partition", "partitions")
        ),
    )?;
    if p.partitions > 0 {
        page.row(
            "partitions",
            format!(
                "{} offline, {} under-replicated, {} under min ISR, {} at min ISR",
                Thousands(p.offline),
                Thousands(p.under_replicated),
                Thousands(p.under_min_isr),
                Thousands(p.at_min_isr),
            ),
        )?;
        page.row(
            "",
            format!(
                "{} not led by their first replica, {} being reassigned",
                Thousands(p.not_preferred_leader),
                Thousands(p.reassigning)
            ),
        )?;
        let sources: Vec<String> = p
            .min_isr_sources
            .iter()
            .map(|(source, count)| format!("{} ({})", source_words(*source), Thousands(*count)))
            .collect();
        page.row("", format!("min ISR from {}", sources.join(", ")))?;
    }
    page.row(
        "configs",
        format!(
            "{} of {}",
            n(c.configs),
            plural(c.config_resources as u64, "resource", "resources")
        ),
    )?;
    page.row(
        "security",
        format!(
            "{}, {}, {}",
            plural(c.acls as u64, "ACL", "ACLs"),
            plural(
                c.scram_credentials as u64,
                "SCRAM credential",
                "SCRAM credentials"
            ),
            plural(
                c.delegation_tokens as u64,
                "delegation token",
                "delegation tokens"
            ),
        ),
    )?;
    page.row(
        "quotas",
        format!(
            "{} of {}",
            n(c.quotas),
            plural(c.quota_entities as u64, "entity", "entities")
        ),
    )
}

fn source_words(source: MinIsrSource) -> &'static str {
    match source {
        MinIsrSource::Topic => "the topic",
        MinIsrSource::LeaderDynamic => "the leading broker's dynamic config",
        MinIsrSource::ClusterDefault => "the cluster default",
        MinIsrSource::LeaderStatic => "the leading broker's static config",
        MinIsrSource::Assumed => "nowhere: 1 is assumed",
    }
}

fn transactions(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let t = &report.transactions;
    if t.committed > 0 || t.aborted > 0 || t.open.is_some() {
        let open = t.open.as_ref().map(|open| {
            let name = open.name.as_ref().map(|name| format!(" {}", quote(name)));
            let since = open.since_offset.map(|o| format!(" since offset {o}"));
            format!(
                ", open:{}{}, {} pending",
                name.unwrap_or_default(),
                since.unwrap_or_default(),
                plural(open.records as u64, "record", "records")
            )
        });
        page.row(
            "transactions",
            format!(
                "{} committed, {} aborted{}",
                t.committed,
                t.aborted,
                open.unwrap_or_else(|| ", none open".to_owned())
            ),
        )?;
    }
    let Some(migration) = &report.zk_migration else {
        return Ok(());
    };
    let since = migration
        .since_offset
        .map(|o| format!(", since offset {o}"));
    let time = migration.since_time.as_ref().map(|t| format!(", {t}"));
    page.row(
        "ZooKeeper",
        format!(
            "migration state {} ({}){}{}",
            migration.state,
            migration.code,
            since.unwrap_or_default(),
            time.unwrap_or_default()
        ),
    )?;
    match &migration.note {
        Some(note) => page.row("", note),
        None => Ok(()),
    }
}

fn findings(report: &Report, page: &mut Page<'_>) -> io::Result<()> {
    let total = report.findings.total();
    if total == 0 {
        return Ok(());
    }
    page.gap()?;
    let mut label = "findings";
    for finding in &report.findings.worst {
        let tone = match finding.severity {
            Severity::Error => Some(Tone::Bad),
            Severity::Warning => Some(Tone::Notice),
            Severity::Info => None,
        };
        let text = format!("{}: {}", finding.severity, told(finding));
        page.toned(label, text, tone)?;
        page.row("", format!("  {} {}", finding.path, finding.code))?;
        label = "";
    }
    let more = total.saturating_sub(report.findings.worst.len() as u64);
    if more > 0 {
        let more = Thousands(more);
        page.row(
            "",
            format!("and {more} more: `kraftlens ls PATH /findings` lists them"),
        )?;
    }
    page.row("", "`kraftlens cat PATH /findings/N` tells all of one")
}

/// The folder of a copy, below the path that was asked about.
pub(super) fn below(path: &Path, report: &Report) -> String {
    let folder = Path::new(&report.path);
    let below = folder.strip_prefix(path).unwrap_or(folder);
    below.to_string_lossy().into_owned()
}
