//! How many records of each type a copy holds, and how many bytes they take.

use super::page::{Page, plural};
use crate::cli::console::Tone;
use crate::image::{State, Tally, TypeTally};
use crate::schema::Schemas;
use crate::text::{ByteSize, PadLeft, PadRight, Thousands, escape};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;

/// Records by type, the greatest share of bytes first.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RecordsReport {
    pub(super) checkpoint: Totals,
    pub(super) log: Totals,
    pub(super) types: Vec<TypeReport>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Totals {
    pub(super) batches: u64,
    pub(super) header_bytes: u64,
    pub(super) records: u64,
    /// Of records as they stand in batches, uncompressed.
    pub(super) record_bytes: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TypeReport {
    #[serde(rename = "type")]
    pub(super) name: String,
    /// The apiKey, or the type of a control record; none for records that tell no type.
    pub(super) key: Option<i16>,
    pub(super) control: bool,
    pub(super) checkpoint: TypeTally,
    pub(super) log: TypeTally,
}

impl TypeReport {
    fn bytes(&self) -> u64 {
        self.checkpoint.bytes.saturating_add(self.log.bytes)
    }
}

impl RecordsReport {
    pub(super) fn of(state: &State) -> Self {
        let (checkpoint, log) = (state.checkpoint_tally(), state.log_tally());
        let mut types: BTreeMap<(bool, Option<i16>), TypeReport> = BTreeMap::new();
        for (tally, is_log) in [(checkpoint, false), (log, true)] {
            let data = tally.metadata().map(|(key, t)| (false, Some(key), t));
            let control = tally.control().map(|(key, t)| (true, Some(key), t));
            let unread = Some(tally.unframed()).filter(|t| t.records > 0);
            let all = data.chain(control).chain(unread.map(|t| (false, None, t)));
            for (control, key, count) in all {
                let row = types.entry((control, key)).or_insert_with(|| TypeReport {
                    name: name(control, key),
                    key,
                    control,
                    checkpoint: TypeTally::default(),
                    log: TypeTally::default(),
                });
                if is_log {
                    row.log = count;
                } else {
                    row.checkpoint = count;
                }
            }
        }
        let mut types: Vec<TypeReport> = types.into_values().collect();
        types.sort_by(|a, b| b.bytes().cmp(&a.bytes()).then_with(|| a.name.cmp(&b.name)));
        Self {
            checkpoint: Totals::of(checkpoint),
            log: Totals::of(log),
            types,
        }
    }

    /// Records in both.
    pub(super) fn records(&self) -> u64 {
        self.checkpoint.records.saturating_add(self.log.records)
    }
}

impl Totals {
    fn of(tally: &Tally) -> Self {
        let bytes = tally
            .metadata()
            .chain(tally.control())
            .fold(tally.unframed().bytes, |sum, (_, t)| {
                sum.saturating_add(t.bytes)
            });
        Self {
            batches: tally.batches(),
            header_bytes: tally.header_bytes(),
            records: tally.records(),
            record_bytes: bytes,
        }
    }
}

fn name(control: bool, key: Option<i16>) -> String {
    let Some(key) = key else {
        return "of no type that can be told".to_owned();
    };
    let schemas = Schemas::builtin();
    let known = if control {
        schemas.control(key)
    } else {
        schemas.metadata(key)
    };
    match known {
        Some(record) => record.name().to_owned(),
        None if control => format!("unknown control type {key}"),
        None => format!("unknown type {key}"),
    }
}

/// Records by type, the checkpoint's beside the log's.
pub(super) fn table(records: &RecordsReport, page: &mut Page<'_>) -> io::Result<()> {
    let both = [&records.checkpoint, &records.log].map(|t| t.batches > 0);
    let heads = ["in the checkpoint", "in the log"];
    let mut head = PadRight("records", NAME).to_string();
    let mut heading = PadRight("", NAME).to_string();
    for (_, title) in both.iter().zip(heads).filter(|(shown, _)| **shown) {
        head.push_str(&PadLeft(title, CELLS).to_string());
        heading.push_str(&PadLeft("count", COUNT).to_string());
        heading.push_str(&PadLeft("size", SIZE).to_string());
    }
    if both.iter().all(|shown| !shown) {
        return page.row("records", "none");
    }
    if both.get(1).is_some_and(|shown| *shown) {
        heading.push_str(&PadLeft("share", SHARE).to_string());
    }
    writeln!(page.out, "{}", page.paint.text(Tone::Quiet, head))?;
    writeln!(page.out, "{}", page.paint.text(Tone::Quiet, heading))?;
    for row in &records.types {
        line(
            &row.name,
            [row.checkpoint, row.log],
            both,
            &records.log,
            page,
        )?;
    }
    let total = |t: &Totals| TypeTally {
        records: t.records,
        bytes: t.record_bytes,
    };
    let totals = [total(&records.checkpoint), total(&records.log)];
    line("all", totals, both, &records.log, page)?;
    let headers = |t: &Totals| {
        let batches = plural(t.batches, "batch", "batches");
        format!("{batches}, {:#} of headers", ByteSize(t.header_bytes))
    };
    let mut words = Vec::new();
    for (name, totals) in [("checkpoint", &records.checkpoint), ("log", &records.log)] {
        if totals.batches > 0 {
            words.push(format!("{name}: {}", headers(totals)));
        }
    }
    writeln!(page.out, "  {}", words.join("; "))
}

const NAME: usize = 35;
const COUNT: usize = 10;
const SIZE: usize = 10;
const CELLS: usize = COUNT + SIZE;
const SHARE: usize = 7;

fn line(
    name: &str,
    tallies: [TypeTally; 2],
    both: [bool; 2],
    log: &Totals,
    page: &mut Page<'_>,
) -> io::Result<()> {
    let mut text = PadRight(&format!("  {}", escape(name)), NAME).to_string();
    for (tally, _) in tallies.iter().zip(both).filter(|(_, shown)| *shown) {
        let count = Thousands(tally.records).to_string();
        let size = format!("{:#}", ByteSize(tally.bytes)).replace(" bytes", " B");
        text.push_str(&PadLeft(&count, COUNT).to_string());
        text.push_str(&PadLeft(&size, SIZE).to_string());
    }
    let [_, in_log] = tallies;
    if log.batches > 0 {
        let percent = 100.0 * in_log.bytes as f64 / log.record_bytes.max(1) as f64;
        text.push_str(&PadLeft(&format!("{percent:.1}%"), SHARE).to_string());
    }
    writeln!(page.out, "{}", text.trim_end())
}
