//! The largest batches, and those beyond what Kafka's own writers put into one.

use super::page::{Page, plural};
use crate::log::{Batch, Log};
use crate::text::{ByteSize, Thousands};
use serde::Serialize;
use std::io;

/// `KafkaRaftClient.MAX_BATCH_SIZE_BYTES`: the most bytes of a batch that a leader writes.
const MAX_BYTES: u32 = 8 << 20;
/// `QuorumController.DEFAULT_MAX_RECORDS_PER_BATCH`: the most records of a batch that a controller writes.
const MAX_RECORDS: i32 = 10_000;
/// How many of the largest are told.
const TOLD: usize = 5;

/// A batch of note.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BatchReport {
    pub(super) file: String,
    pub(super) position: u64,
    pub(super) first_offset: i64,
    pub(super) last_offset: i64,
    pub(super) bytes: u32,
    pub(super) records: i32,
    /// Whether Kafka's own writers make none so large.
    pub(super) beyond_limits: bool,
}

/// The batches with the most bytes, and before them those beyond the limits, the largest first.
pub(super) fn largest(log: &Log) -> Vec<BatchReport> {
    let mut top: Vec<(bool, u32, usize)> = Vec::new();
    for batch in log.batches().filter(Batch::is_trusted) {
        let header = batch.header();
        top.push((is_beyond(&batch), header.length, batch.index()));
        // Sorting now and then keeps the list short whatever the log holds.
        if top.len() > 16 * TOLD {
            keep_largest(&mut top);
        }
    }
    keep_largest(&mut top);
    top.iter()
        .filter_map(|(.., index)| log.batch(*index))
        .map(|batch| report(&batch))
        .collect()
}

fn is_beyond(batch: &Batch<'_>) -> bool {
    let header = batch.header();
    header.length > MAX_BYTES || header.count > MAX_RECORDS
}

fn keep_largest(top: &mut Vec<(bool, u32, usize)>) {
    top.sort_by_key(|&(beyond, bytes, index)| (!beyond, std::cmp::Reverse(bytes), index));
    top.truncate(TOLD);
}

fn report(batch: &Batch<'_>) -> BatchReport {
    let header = batch.header();
    BatchReport {
        file: batch.file().path().to_string_lossy().into_owned(),
        position: batch.position().0,
        first_offset: header.base_offset.0,
        last_offset: header.last_offset().0,
        bytes: header.length,
        records: header.count,
        beyond_limits: is_beyond(batch),
    }
}

/// Rows for those beyond the limits; the others are in the JSON.
pub(super) fn rows(largest: &[BatchReport], page: &mut Page<'_>) -> io::Result<()> {
    let mut label = "large";
    for batch in largest.iter().filter(|b| b.beyond_limits) {
        let limit = if batch.bytes > MAX_BYTES {
            format!("a leader writes at most {MAX_BYTES} bytes")
        } else {
            format!(
                "a controller writes at most {} records",
                Thousands(MAX_RECORDS.unsigned_abs().into())
            )
        };
        page.row(
            label,
            format!(
                "batch of offsets {} to {} at byte {}: {:#}, {}; {limit}",
                batch.first_offset,
                batch.last_offset,
                batch.position,
                ByteSize(batch.bytes.into()),
                plural(batch.records.unsigned_abs().into(), "record", "records"),
            ),
        )?;
        label = "";
    }
    Ok(())
}
