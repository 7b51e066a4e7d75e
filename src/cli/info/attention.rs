//! What needs a look although it reads well.

use super::page::{ids, plural};
use super::report::Report;
use crate::image::MIN_ISR;

/// In words, the most urgent first.
pub(super) fn attention(report: &Report) -> Vec<String> {
    let mut all = Vec::new();
    let p = &report.counts.partitions;
    let partitions = |n| plural(n, "partition", "partitions");
    if p.offline > 0 {
        let of = crate::text::Thousands(p.partitions);
        all.push(format!(
            "{} of {of} offline, with no leader: `list PATH partitions --where offline`",
            partitions(p.offline)
        ));
    }
    if p.leader_not_live > 0 {
        let led = partitions(p.leader_not_live);
        all.push(format!(
            "{led} led by a broker that is fenced or not registered: `list PATH partitions --where \
             leaderNotLive`"
        ));
    }
    let short = p.under_min_isr.saturating_sub(p.offline);
    if short > 0 {
        all.push(format!(
            "{} with a leader under {MIN_ISR}: `list PATH partitions --where underMinIsr`",
            partitions(short)
        ));
    }
    if p.recovering > 0 {
        let recovering = partitions(p.recovering);
        all.push(format!(
            "{recovering} still recovering from an unclean election"
        ));
    }
    if !report.brokers.fenced.is_empty() {
        let fenced = report.brokers.fenced.len() as u64;
        let of = report.brokers.registered;
        let words = plural(fenced, "broker", "brokers");
        all.push(format!(
            "{words} of {of} fenced: {}",
            ids(&report.brokers.fenced)
        ));
    }
    for controller in &report.controllers {
        if let Some(note) = &controller.note {
            all.push(format!("controller {}: {note}", controller.id));
        }
    }
    if let Some(open) = &report.transactions.open {
        let records = plural(open.records as u64, "record", "records");
        all.push(format!(
            "a metadata transaction is open, with {records} pending"
        ));
    }
    all
}
