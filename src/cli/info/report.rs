//! Everything that `info` tells of one copy, as the JSON has it.

use super::attention::attention;
use super::batches::{BatchReport, largest};
use super::quorum::{ControllerReport, QuorumReport, controllers};
use super::tally::RecordsReport;
use crate::error::Place;
use crate::facts::codes::{ConfigResourceType, ZkMigrationState};
use crate::finding::{Code, Finding, Severity};
use crate::ids::Timestamp;
use crate::image::{PartitionCounts, State, TransactionEnd};
use crate::log::Log;
use crate::text::Rfc3339;
use crate::tree::{Node, Tree, Value, file_kind, level_name};
use serde::Serialize;
use std::path::Path;

/// One copy.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    pub(super) path: String,
    pub(super) verdict: Verdict,
    /// What else needs a look, in words.
    pub(super) attention: Vec<String>,
    pub(super) identity: Identity,
    pub(super) state: StateReport,
    pub(super) log: Option<Span>,
    pub(super) files: Vec<FileReport>,
    pub(super) passed_over: Vec<PassedOverReport>,
    pub(super) quorum: QuorumReport,
    pub(super) features: Features,
    pub(super) controllers: Vec<ControllerReport>,
    pub(super) brokers: Brokers,
    pub(super) counts: Counts,
    pub(super) transactions: Transactions,
    pub(super) zk_migration: Option<Migration>,
    pub(super) records: RecordsReport,
    pub(super) largest_batches: Vec<BatchReport>,
    pub(super) findings: FindingsReport,
}

/// Whether all could be read.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Verdict {
    /// `empty`: no record at all; `healthy`; `intact`: all was read, and something needs attention; `warnings`; `inconsistent`: all
    /// was read, and the state has errors; `damaged`.
    pub(super) verdict: &'static str,
    pub(super) errors: u64,
    pub(super) warnings: u64,
    /// The first finding of the worst weight.
    pub(super) first: Option<FindingReport>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Identity {
    pub(super) cluster_id: Option<String>,
    pub(super) node_id: Option<i32>,
    pub(super) directory_id: Option<String>,
    /// Guessed from registrations and voters: `controller`, `broker`, or both.
    pub(super) roles: Vec<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StateReport {
    /// The last offset that `--at` lets in, when it was given.
    pub(super) asked_up_to: Option<i64>,
    /// The last offset in the state, -1 when there is none.
    pub(super) offset: i64,
    pub(super) epoch: i32,
    pub(super) time: Option<String>,
    /// The checkpoint that it begins with.
    pub(super) checkpoint: Option<CheckpointReport>,
    /// Offsets whose records may not have been committed: nothing on disk says.
    pub(super) maybe_uncommitted: Option<Offsets>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Offsets {
    pub(super) first_offset: i64,
    pub(super) last_offset: i64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CheckpointReport {
    pub(super) path: String,
    pub(super) last_contained_offset: Option<i64>,
    pub(super) epoch: Option<i32>,
    pub(super) last_contained_log_time: Option<String>,
}

/// The ZooKeeper migration, as its last record has it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Migration {
    pub(super) state: String,
    pub(super) code: i8,
    pub(super) since_offset: Option<i64>,
    pub(super) since_time: Option<String>,
    pub(super) note: Option<String>,
}

/// What the segments span.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Span {
    pub(super) first_offset: i64,
    pub(super) last_offset: i64,
    pub(super) first_time: Option<String>,
    pub(super) last_time: Option<String>,
    pub(super) segments: usize,
    pub(super) bytes: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FileReport {
    pub(super) path: String,
    pub(super) kind: &'static str,
    pub(super) bytes: u64,
    pub(super) batches: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct PassedOverReport {
    pub(super) path: String,
    pub(super) kind: String,
    pub(super) why: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Features {
    pub(super) metadata_version: Option<Level>,
    pub(super) others: Vec<Level>,
    /// Why there is no metadata.version, or what that means.
    pub(super) note: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct Level {
    pub(super) name: String,
    pub(super) level: i16,
}

/// Registered brokers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Brokers {
    pub(super) registered: usize,
    /// Neither fenced nor in controlled shutdown.
    pub(super) active: usize,
    pub(super) fenced: Vec<i32>,
    /// Those fenced as well left out.
    pub(super) in_controlled_shutdown: Vec<i32>,
    pub(super) with_static_configs: Vec<StaticConfigs>,
    /// While others have some.
    pub(super) without_static_configs: Vec<i32>,
    /// Dynamic configs are there for these ids, and no broker is.
    pub(super) only_configs: Vec<i32>,
}

#[derive(Debug, Serialize)]
pub(super) struct StaticConfigs {
    pub(super) broker: i32,
    pub(super) configs: usize,
    pub(super) bytes: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Counts {
    pub(super) topics: usize,
    #[serde(flatten)]
    pub(super) partitions: PartitionCounts,
    pub(super) config_resources: usize,
    pub(super) configs: usize,
    pub(super) acls: usize,
    pub(super) quota_entities: usize,
    pub(super) quotas: usize,
    pub(super) scram_credentials: usize,
    pub(super) delegation_tokens: usize,
    pub(super) next_producer_id: Option<i64>,
}

#[derive(Debug, Serialize)]
pub(super) struct Transactions {
    pub(super) committed: usize,
    pub(super) aborted: usize,
    pub(super) open: Option<OpenTransaction>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OpenTransaction {
    pub(super) name: Option<String>,
    pub(super) since_offset: Option<i64>,
    pub(super) records: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct FindingsReport {
    /// By code and weight.
    pub(super) counts: Vec<FindingCount>,
    /// The worst ones.
    pub(super) worst: Vec<FindingReport>,
}

#[derive(Debug, Serialize)]
pub(super) struct FindingCount {
    pub(super) code: Code,
    pub(super) severity: Severity,
    pub(super) count: u64,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct FindingReport {
    /// Its node.
    pub(super) path: String,
    pub(super) code: Code,
    pub(super) severity: Severity,
    pub(super) summary: String,
    pub(super) place: Option<String>,
}

/// How many findings are told one by one.
const FINDINGS: usize = 10;

impl Report {
    pub(super) fn of(tree: &Tree<'_>, path: &Path) -> Self {
        let state = tree.state();
        let image = state.image();
        let log = image.log();
        let findings = FindingsReport::of(state);
        let mut report = Self {
            path: log.folder().unwrap_or(path).to_string_lossy().into_owned(),
            verdict: verdict(state, &findings),
            attention: Vec::new(),
            identity: identity(tree),
            state: state_report(state),
            log: span(log),
            files: log.files().iter().map(file).collect(),
            passed_over: log
                .passed_over()
                .iter()
                .map(|p| PassedOverReport {
                    path: p.path.to_string_lossy().into_owned(),
                    kind: p.kind.clone(),
                    why: p.why.clone(),
                })
                .collect(),
            quorum: QuorumReport::of(tree),
            features: features(state),
            controllers: controllers(tree),
            brokers: brokers(tree),
            counts: counts(state),
            transactions: transactions(state),
            zk_migration: migration(tree),
            records: RecordsReport::of(state),
            largest_batches: largest(log),
            findings,
        };
        report.attention = attention(&report);
        if report.verdict.verdict == "healthy" && !report.attention.is_empty() {
            report.verdict.verdict = "intact";
        }
        report
    }
}

/// A time as text; none before 1970, which is how Kafka writes that there is none.
pub(super) fn rfc3339(time: Timestamp) -> Option<String> {
    (time.0 >= 0).then(|| Rfc3339(time).to_string())
}

impl FindingReport {
    fn of(n: usize, finding: &Finding) -> Self {
        Self {
            path: format!("/findings/{n}"),
            code: finding.code,
            severity: finding.severity,
            summary: finding.summary.clone(),
            place: (finding.place != Place::default()).then(|| finding.place.to_string()),
        }
    }
}

impl FindingsReport {
    fn of(state: &State) -> Self {
        let findings = state.findings();
        let mut worst: Vec<(usize, &Finding)> = findings.kept().iter().enumerate().collect();
        worst.sort_by_key(|(_, finding)| std::cmp::Reverse(finding.severity));
        let counts = findings.counts();
        Self {
            counts: counts
                .map(|(code, severity, count)| FindingCount {
                    code,
                    severity,
                    count,
                })
                .collect(),
            worst: worst
                .into_iter()
                .take(FINDINGS)
                .map(|(n, finding)| FindingReport::of(n, finding))
                .collect(),
        }
    }

    /// How many there are.
    pub(super) fn total(&self) -> u64 {
        self.counts
            .iter()
            .fold(0, |sum, c| sum.saturating_add(c.count))
    }
}

/// Whether no file holds a single record.
fn holds_nothing(state: &State) -> bool {
    state.checkpoint_tally().records() == 0 && state.log_tally().records() == 0
}

fn verdict(state: &State, findings: &FindingsReport) -> Verdict {
    let all = state.findings();
    let (errors, warnings) = (all.count(Severity::Error), all.count(Severity::Warning));
    let damaged = all
        .counts()
        .any(|(code, severity, _)| severity == Severity::Error && code.is_damage());
    let first = findings.worst.first();
    Verdict {
        verdict: match (damaged, errors, warnings) {
            (true, ..) => "damaged",
            (false, 0, 0) if holds_nothing(state) => "empty",
            (false, 0, 0) => "healthy",
            (false, 0, _) => "warnings",
            (false, ..) => "inconsistent",
        },
        errors,
        warnings,
        first: first.filter(|f| f.severity > Severity::Info).cloned(),
    }
}

fn identity(tree: &Tree<'_>) -> Identity {
    let image = tree.state().image();
    let meta = image.log().side_files().meta_properties.as_ref();
    let node = meta.and_then(|m| m.node_id).map(|id| id.0);
    let quorum = image.quorum();
    let mut roles = Vec::new();
    if let Some(id) = node {
        let dynamic = quorum.voter_history().iter().flat_map(|set| &set.voters);
        let fixed = quorum.leaders().iter().flat_map(|l| &l.voters);
        if image.cluster().controllers().contains_key(&id)
            || dynamic
                .map(|v| v.id)
                .chain(fixed.copied())
                .any(|v| v.0 == id)
        {
            roles.push("controller");
        }
        if image.cluster().brokers().contains_key(&id) {
            roles.push("broker");
        }
    }
    Identity {
        cluster_id: meta.and_then(|m| m.cluster_id.clone()),
        node_id: node,
        directory_id: meta.and_then(|m| m.directory_id).map(|id| id.to_string()),
        roles,
    }
}

fn state_report(state: &State) -> StateReport {
    let image = state.image();
    let log = image.log();
    let provenance = image.provenance();
    // Kafka keeps the high watermark in memory only. A checkpoint is made of committed records.
    let (from, end) = (log.apply_from(), log.log_end().unwrap_or_default());
    let after = log.checkpoint().and_then(|c| c.kind().end());
    let from = after.map_or(from, |end| end.max(from));
    let end = log.until().map_or(end, |until| end.min(until.plus(1)));
    StateReport {
        asked_up_to: log.until().map(|until| until.0),
        offset: provenance.offset.0,
        epoch: provenance.epoch.0,
        time: rfc3339(provenance.time),
        checkpoint: log.checkpoint().map(|c| CheckpointReport {
            path: c.path().to_string_lossy().into_owned(),
            last_contained_offset: c.kind().end().map(|end| end.plus(-1).0),
            epoch: c.kind().epoch().map(|e| e.0),
            last_contained_log_time: c.header_time().and_then(rfc3339),
        }),
        maybe_uncommitted: (end > from).then(|| Offsets {
            first_offset: from.0,
            last_offset: end.plus(-1).0,
        }),
    }
}

fn span(log: &Log) -> Option<Span> {
    let segments = log.segments();
    let mut batches = segments.iter().flat_map(|file| log.batches_of(file));
    let first = batches.next()?;
    let last = segments
        .iter()
        .rev()
        .flat_map(|file| log.batches_of(file).rev())
        .find(|batch| batch.is_trusted())?;
    Some(Span {
        first_offset: first.header().base_offset.0,
        last_offset: last.header().last_offset().0,
        first_time: rfc3339(first.header().base_timestamp),
        last_time: rfc3339(last.header().max_timestamp),
        segments: segments.len(),
        bytes: segments
            .iter()
            .fold(0, |sum, file| sum.saturating_add(file.size())),
    })
}

fn file(file: &crate::log::LogFile) -> FileReport {
    FileReport {
        path: file.path().to_string_lossy().into_owned(),
        kind: file_kind(file.kind()),
        bytes: file.size(),
        batches: file.batches().len(),
    }
}

fn features(state: &State) -> Features {
    let features = state.image().features();
    let not_recorded = state
        .findings()
        .counts()
        .any(|(code, ..)| code == Code::NoMetadataVersion);
    let read = state.checkpoint_tally().batches() > 0 || state.log_tally().batches() > 0;
    let note = match (features.metadata_version(), not_recorded, read) {
        (Some(_), ..) | (None, _, false) => None,
        (None, true, _) => {
            Some("not recorded: Kafka 3.x assumes 3.0-IV1 (1), a controller of 4.x stops on it")
        }
        (None, false, true) => Some("not known: what may set it is missing, or could not be read"),
    };
    Features {
        note,
        metadata_version: features.metadata_version().map(|(level, _)| Level {
            name: level_name(level).into_owned(),
            level,
        }),
        others: features
            .others()
            .map(|(name, level, _)| Level {
                name: name.to_string(),
                level,
            })
            .collect(),
    }
}

fn migration(tree: &Tree<'_>) -> Option<Migration> {
    let image = tree.state().image();
    let (code, at) = image.migration()?;
    let origin = image.log().origin(at);
    let note = match tree.facts(&Node::Migration).get("note") {
        Some(Value::Text(note)) => Some(note.clone()),
        _ => None,
    };
    Some(Migration {
        state: ZkMigrationState(code).readable().to_string(),
        code,
        since_offset: origin.as_ref().map(|o| o.offset.0),
        since_time: origin.and_then(|o| rfc3339(o.time)),
        note,
    })
}

fn brokers(tree: &Tree<'_>) -> Brokers {
    let image = tree.state().image();
    let brokers = image.cluster().brokers();
    let of = |is: fn(&crate::image::Broker) -> bool| {
        let these = brokers.values().filter(|b| is(b));
        these.map(|b| b.id).collect::<Vec<_>>()
    };
    let mut reporting: Vec<StaticConfigs> = tree
        .children(&Node::StaticConfigs)
        .into_iter()
        .filter_map(|child| match child.node {
            Node::BrokerStaticConfigs(broker) => Some(StaticConfigs {
                broker,
                configs: tree.static_configs(broker).count(),
                bytes: match tree.facts(&child.node).get("size") {
                    Some(Value::Size(bytes)) => *bytes,
                    _ => 0,
                },
            }),
            _ => None,
        })
        .collect();
    reporting.sort_by_key(|r| r.broker);
    let reports = |id: &i32| reporting.iter().any(|r| r.broker == *id);
    let silent = brokers.keys().copied().filter(|id| !reports(id));
    let configured = image.configs().iter().map(|(resource, _)| resource);
    Brokers {
        registered: brokers.len(),
        active: of(|b| !b.fenced && !b.in_controlled_shutdown).len(),
        fenced: of(|b| b.fenced),
        in_controlled_shutdown: of(|b| !b.fenced && b.in_controlled_shutdown),
        without_static_configs: if reporting.is_empty() {
            Vec::new()
        } else {
            silent.collect()
        },
        with_static_configs: reporting,
        only_configs: configured
            .filter(|r| r.kind == ConfigResourceType::BROKER.0)
            .filter_map(|r| r.name.parse().ok())
            .filter(|id| {
                !brokers.contains_key(id) && !image.cluster().controllers().contains_key(id)
            })
            .collect(),
    }
}

fn counts(state: &State) -> Counts {
    let image = state.image();
    Counts {
        topics: image.topics().len(),
        partitions: PartitionCounts::of(image),
        config_resources: image.configs().len(),
        configs: image
            .configs()
            .iter()
            .map(|(_, configs)| configs.len())
            .sum(),
        acls: image.acls().len(),
        quota_entities: image.quotas().len(),
        quotas: image.quotas().iter().map(|(_, quotas)| quotas.len()).sum(),
        scram_credentials: image.scram().len(),
        delegation_tokens: image.tokens().len(),
        next_producer_id: image.producer_ids().map(|(next, _)| next),
    }
}

fn transactions(state: &State) -> Transactions {
    let count = |is: fn(&TransactionEnd) -> bool| {
        state.transactions().iter().filter(|t| is(&t.end)).count()
    };
    Transactions {
        committed: count(|end| matches!(end, TransactionEnd::Committed(_))),
        aborted: count(|end| matches!(end, TransactionEnd::Aborted { .. })),
        open: state.open_transaction().map(|t| OpenTransaction {
            name: t.name.clone(),
            since_offset: state.image().log().origin(t.begin).map(|o| o.offset.0),
            records: t.records,
        }),
    }
}
