//! Reads ahead of the thread that applies: walks batches and decodes what can be decoded without the
//! image. Nearly all records of a big checkpoint are partitions, and half of the work on one needs
//! nothing but its bytes.

use super::partition::Partition;
use crate::ids::{Offset, Uuid};
use crate::log::{Batch, Log, Record, RecordFault};
use crate::record::{self, MetadataRecord, PartitionRecord, Reading};
use crate::source::RecordRef;
use std::sync::mpsc;

/// A step of reading, in the order of the log.
#[derive(Debug)]
pub(super) enum Item<'a> {
    /// A batch begins.
    Batch(Batch<'a>),
    /// A partition that is to be applied, ready but for its topic.
    Partition(Ready),
    /// Any other record.
    Record(Record<'a>),
    /// Bytes that are no record.
    Fault(RecordFault),
}

/// A PartitionRecord, decoded and checked.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) at: RecordRef,
    pub(super) offset: Offset,
    pub(super) length: u32,
    pub(super) version: i16,
    pub(super) topic: Uuid,
    pub(super) partition: Partition,
}

/// Logs below this size are read on one thread: 1 MiB.
const ALONE: u64 = 1 << 20;
const CHUNK: usize = 1024;
const CHUNKS: usize = 8;

/// Hands every item of a log to `take`.
pub(super) fn read<'a>(log: &'a Log, take: &mut impl FnMut(Item<'a>)) {
    let size = log
        .files()
        .iter()
        .map(|f| f.size())
        .fold(0, u64::saturating_add);
    if size < ALONE {
        return walk(log, take);
    }
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::sync_channel(CHUNKS);
        let ahead = std::thread::Builder::new().name("decode".to_owned());
        let started = ahead.spawn_scoped(scope, move || {
            let mut chunk = Vec::with_capacity(CHUNK);
            walk(log, &mut |item| {
                chunk.push(item);
                if chunk.len() == CHUNK {
                    let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
                    // The other side hangs up only when it has panicked.
                    let _ = send.send(full);
                }
            });
            let _ = send.send(chunk);
        });
        match started {
            Ok(_) => receive.iter().flatten().for_each(take),
            // No thread to be had: the same on this one.
            Err(_) => walk(log, take),
        }
    });
}

fn walk<'a>(log: &'a Log, take: &mut impl FnMut(Item<'a>)) {
    for batch in log.batches() {
        if !batch.in_checkpoint() && !log.reaches(batch.header().base_offset) {
            continue;
        }
        take(Item::Batch(batch));
        if !batch.is_trusted() {
            continue;
        }
        let data = !batch.header().is_control();
        for record in batch.records() {
            take(match record {
                Ok(record) if !batch.in_checkpoint() && !log.reaches(record.offset()) => continue,
                Ok(record) => {
                    let applies = batch.in_checkpoint() || record.offset() >= log.apply_from();
                    match (data && applies).then(|| ready(&record)).flatten() {
                        Some(ready) => Item::Partition(ready),
                        None => Item::Record(record),
                    }
                }
                Err(fault) => Item::Fault(fault),
            });
        }
    }
}

fn ready(record: &Record<'_>) -> Option<Ready> {
    let value = record.value()?;
    // The apiKey is the second byte of every frame that a release writes; others go the long way.
    if value.get(1).copied().map(i16::from) != Some(PartitionRecord::API_KEY) {
        return None;
    }
    match record::read(value).ok()? {
        Reading {
            record: MetadataRecord::Partition(partition),
            unknown_tags: 0,
            frame,
        } => Some(Ready {
            at: record.reference(),
            offset: record.offset(),
            length: record.length(),
            version: frame.version,
            topic: partition.topic_id,
            partition: Partition::of(record.reference(), &partition).ok()?,
        }),
        _ => None,
    }
}
