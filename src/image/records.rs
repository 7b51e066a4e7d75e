//! Reads the records that the image's handles lead to.

use crate::log::{Log, Record};
use crate::record::{
    self, MetadataRecord, PartitionChangeRecord, PartitionRecord, RegisterBrokerRecord,
    RegisterControllerRecord,
};
use crate::source::RecordRef;

/// The records behind handles. Every handle of an image leads to a record that decoded when it was
/// applied; one that does not any more (a mapped file overwritten meanwhile) reads as nothing.
#[derive(Clone, Copy, Debug)]
pub struct Records<'a>(&'a Log);

impl<'a> Records<'a> {
    pub(super) fn new(log: &'a Log) -> Self {
        Self(log)
    }

    /// The record at a handle, with its frame in the batch.
    #[must_use]
    pub fn framed(self, at: RecordRef) -> Option<Record<'a>> {
        self.0.record(at)
    }

    /// The meaning of the record at a handle.
    #[must_use]
    pub fn read(self, at: RecordRef) -> Option<MetadataRecord<'a>> {
        let value = self.0.record(at)?.value()?;
        record::read(value).ok().map(|reading| reading.record)
    }

    /// The broker registration at a handle.
    #[must_use]
    pub fn broker(self, at: RecordRef) -> Option<RegisterBrokerRecord<'a>> {
        match self.read(at)? {
            MetadataRecord::RegisterBroker(record) => Some(record),
            _ => None,
        }
    }

    /// The controller registration at a handle.
    #[must_use]
    pub fn controller(self, at: RecordRef) -> Option<RegisterControllerRecord<'a>> {
        match self.read(at)? {
            MetadataRecord::RegisterController(record) => Some(record),
            _ => None,
        }
    }

    pub(super) fn partition_cache(self) -> PartitionCache<'a> {
        PartitionCache {
            records: self,
            last: None,
        }
    }
}

/// A record that sets fields of a partition.
#[derive(Clone, Copy, Debug)]
pub(super) enum PartitionSource<'a> {
    Partition(PartitionRecord<'a>),
    Change(PartitionChangeRecord<'a>),
    Other,
}

/// The fields of one partition mostly come from one record, so the last one read is kept.
pub(super) struct PartitionCache<'a> {
    records: Records<'a>,
    last: Option<(RecordRef, PartitionSource<'a>)>,
}

impl<'a> PartitionCache<'a> {
    pub(super) fn get(&mut self, at: RecordRef) -> PartitionSource<'a> {
        if let Some((known, source)) = self.last
            && known == at
        {
            return source;
        }
        let source = match self.records.read(at) {
            Some(MetadataRecord::Partition(record)) => PartitionSource::Partition(record),
            Some(MetadataRecord::PartitionChange(record)) => PartitionSource::Change(record),
            _ => PartitionSource::Other,
        };
        self.last = Some((at, source));
        source
    }
}
