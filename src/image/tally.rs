//! How much of what a log holds.

use std::collections::BTreeMap;

/// How many records of each type, and how many bytes they take.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    metadata: BTreeMap<i16, TypeTally>,
    control: BTreeMap<i16, TypeTally>,
    frequent: [TypeTally; Self::FREQUENT],
    pub(super) unframed: TypeTally,
    batches: u64,
    header_bytes: u64,
}

/// Records of one type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct TypeTally {
    /// How many.
    pub records: u64,
    /// Bytes of the records in their batches, uncompressed, frames included.
    pub bytes: u64,
}

impl TypeTally {
    pub(super) fn add(&mut self, bytes: u64) {
        self.records = self.records.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

impl Tally {
    // What a batch of magic 2 takes before its records.
    const HEADER_BYTES: u64 = 61;

    pub(super) fn add_batch(&mut self) {
        self.batches = self.batches.saturating_add(1);
        self.header_bytes = self.header_bytes.saturating_add(Self::HEADER_BYTES);
    }

    const FREQUENT: usize = 32;

    /// Metadata records by apiKey.
    pub fn metadata(&self) -> impl Iterator<Item = (i16, TypeTally)> {
        let frequent = self
            .frequent
            .iter()
            .zip(0i16..)
            .map(|(&tally, key)| (key, tally));
        frequent
            .filter(|(_, tally)| tally.records > 0)
            .chain(self.metadata.iter().map(|(&key, &tally)| (key, tally)))
    }

    /// Control records by type.
    pub fn control(&self) -> impl Iterator<Item = (i16, TypeTally)> {
        self.control.iter().map(|(&key, &tally)| (key, tally))
    }

    /// Records whose type cannot be told.
    #[must_use]
    pub fn unframed(&self) -> TypeTally {
        self.unframed
    }

    /// Batches.
    #[must_use]
    pub fn batches(&self) -> u64 {
        self.batches
    }

    /// Bytes of batch headers.
    #[must_use]
    pub fn header_bytes(&self) -> u64 {
        self.header_bytes
    }

    /// All records.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.metadata()
            .chain(self.control())
            .map(|(_, tally)| tally.records)
            .fold(self.unframed.records, u64::saturating_add)
    }

    pub(super) fn add(&mut self, control: bool, key: i16, bytes: u64) {
        if control {
            return self.control.entry(key).or_default().add(bytes);
        }
        match usize::try_from(key)
            .ok()
            .and_then(|key| self.frequent.get_mut(key))
        {
            Some(tally) => tally.add(bytes),
            None => self.metadata.entry(key).or_default().add(bytes),
        }
    }
}
