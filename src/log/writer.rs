//! Writes batches, segments and checkpoints as Kafka writes them: uncompressed, magic 2.

use super::batch::{CRC_FROM, HEADER, OVERHEAD};
use crate::bytes::{crc32c, put_varlong};
use crate::ids::{Epoch, Offset, Timestamp};

/// Key of a control record: version 0, then its type.
#[must_use]
pub fn control_key(kind: i16) -> [u8; 4] {
    let [high, low] = kind.to_be_bytes();
    [0, 0, high, low]
}

/// Builds one batch. Offsets count up from the base offset, one a record.
#[derive(Clone, Debug)]
pub struct BatchWriter {
    base_offset: Offset,
    epoch: Epoch,
    timestamp: Timestamp,
    attributes: i16,
    records: Vec<u8>,
    count: i32,
}

impl BatchWriter {
    /// A batch without records. All of them get this one time, as a leader's append gives it.
    #[must_use]
    pub fn new(base_offset: Offset, epoch: Epoch, timestamp: Timestamp) -> Self {
        Self {
            base_offset,
            epoch,
            timestamp,
            attributes: 0,
            records: Vec::new(),
            count: 0,
        }
    }

    /// With the flag that says: all records are control records.
    #[must_use]
    pub fn control(self) -> Self {
        self.attributes(0x20)
    }

    /// With these attribute bits, beside those already set.
    #[must_use]
    pub fn attributes(mut self, bits: i16) -> Self {
        self.attributes |= bits;
        self
    }

    /// With one more record, without headers.
    #[must_use]
    pub fn record(self, key: Option<&[u8]>, value: Option<&[u8]>) -> Self {
        self.record_with(0, key, value, &[])
    }

    /// With one more record that has a time of its own and headers; metadata logs have neither.
    #[must_use]
    pub fn record_with(
        mut self,
        timestamp_delta: i64,
        key: Option<&[u8]>,
        value: Option<&[u8]>,
        headers: &[(&[u8], Option<&[u8]>)],
    ) -> Self {
        let mut body = vec![0];
        put_varlong(&mut body, timestamp_delta);
        put_varlong(&mut body, i64::from(self.count));
        put_bytes(&mut body, key);
        put_bytes(&mut body, value);
        put_varlong(&mut body, headers.len() as i64);
        for (key, value) in headers {
            put_bytes(&mut body, Some(key));
            put_bytes(&mut body, *value);
        }
        put_varlong(&mut self.records, body.len() as i64);
        self.records.extend(body);
        self.count = self.count.saturating_add(1);
        self
    }

    /// Bytes of the records so far, and how many there are.
    #[must_use]
    pub fn size(&self) -> (usize, i32) {
        (self.records.len(), self.count)
    }

    /// Offset after the last record.
    #[must_use]
    pub fn next_offset(&self) -> Offset {
        self.base_offset.plus(i64::from(self.count))
    }

    /// Appends the batch. The records are taken as they are, compressed already or not.
    pub fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        let size = (self.records.len() as u64)
            .saturating_add(HEADER)
            .saturating_sub(OVERHEAD);
        out.extend(self.base_offset.0.to_be_bytes());
        out.extend((size as i32).to_be_bytes());
        out.extend(self.epoch.0.to_be_bytes());
        out.push(2); // magic
        out.extend([0; 4]); // CRC, known at the end
        out.extend(self.attributes.to_be_bytes());
        out.extend(self.count.saturating_sub(1).to_be_bytes());
        out.extend(self.timestamp.0.to_be_bytes()); // base
        out.extend(self.timestamp.0.to_be_bytes()); // greatest
        out.extend((-1i64).to_be_bytes()); // producer id
        out.extend((-1i16).to_be_bytes()); // producer epoch
        out.extend((-1i32).to_be_bytes()); // base sequence
        out.extend(self.count.to_be_bytes());
        out.extend(&self.records);
        seal(out.get_mut(start..).unwrap_or_default());
    }

    /// The same batch with its records replaced by what a codec made of them, and the codec named.
    #[must_use]
    pub fn compressed(mut self, codec: i16, with: impl FnOnce(&[u8]) -> Vec<u8>) -> Self {
        self.records = with(&self.records);
        self.attributes(codec)
    }
}

/// Puts the right CRC into a batch of magic 2.
pub fn seal(batch: &mut [u8]) {
    let crc = crc32c(batch.get(CRC_FROM as usize..).unwrap_or_default());
    if let Some(place) = batch.get_mut(17..21) {
        place.copy_from_slice(&crc.to_be_bytes());
    }
}

fn put_bytes(out: &mut Vec<u8>, bytes: Option<&[u8]>) {
    match bytes {
        Some(bytes) => {
            put_varlong(out, bytes.len() as i64);
            out.extend(bytes);
        }
        None => put_varlong(out, -1),
    }
}

/// Builds a checkpoint: a control batch with the header, data batches, a control batch with the
/// footer. Offsets restart at 0.
// Kafka: RecordsSnapshotWriter.
#[derive(Clone, Debug)]
pub struct CheckpointWriter {
    out: Vec<u8>,
    epoch: Epoch,
    written: Timestamp,
    next: Offset,
    batch: Option<BatchWriter>,
}

impl CheckpointWriter {
    /// Bytes of records after which a new batch begins: 8 MiB less room for one header.
    const BATCH_BYTES: usize = (8 << 20) - 61;

    /// A checkpoint with its header batch. `last_contained` is the append time of the last log record
    /// in it, `written` the time that its batches get. `control` are further control records of the
    /// header batch as (type, value): the kraft.version and the voters.
    #[must_use]
    pub fn new(
        epoch: Epoch,
        last_contained: Timestamp,
        written: Timestamp,
        control: &[(i16, &[u8])],
    ) -> Self {
        let mut value = vec![0, 0]; // version
        value.extend(last_contained.0.to_be_bytes());
        value.push(0); // no tagged fields
        let mut batch = BatchWriter::new(Offset(0), epoch, written)
            .control()
            .record(Some(&control_key(3)), Some(&value));
        for (kind, value) in control {
            batch = batch.record(Some(&control_key(*kind)), Some(value));
        }
        let next = batch.next_offset();
        let mut out = Vec::new();
        batch.write(&mut out);
        Self {
            out,
            epoch,
            written,
            next,
            batch: None,
        }
    }

    /// Adds a data record.
    pub fn push(&mut self, value: &[u8]) {
        let (base, epoch, written) = (self.next, self.epoch, self.written);
        let batch = self
            .batch
            .take()
            .unwrap_or_else(|| BatchWriter::new(base, epoch, written));
        let batch = batch.record(None, Some(value));
        self.next = batch.next_offset();
        let full = batch.size().0.saturating_add(value.len()) > Self::BATCH_BYTES;
        self.batch = Some(batch);
        if full {
            self.flush();
        }
    }

    /// Ends the batch begun; the next record begins another.
    pub fn flush(&mut self) {
        if let Some(batch) = self.batch.take() {
            batch.write(&mut self.out);
        }
    }

    /// The bytes with the footer.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        self.flush();
        BatchWriter::new(self.next, self.epoch, self.written)
            .control()
            .record(Some(&control_key(4)), Some(&[0, 0, 0]))
            .write(&mut self.out);
        self.out
    }

    /// The bytes so far, without footer.
    #[must_use]
    pub fn unfinished(mut self) -> Vec<u8> {
        self.flush();
        self.out
    }
}

/// The file name of a segment.
#[must_use]
pub fn segment_name(base: Offset) -> String {
    format!("{:020}.log", base.0)
}

/// The file name of a checkpoint.
#[must_use]
pub fn checkpoint_name(end: Offset, epoch: Epoch) -> String {
    format!("{:020}-{:010}.checkpoint", end.0, epoch.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    // The footer batch of a real snapshot.
    #[test]
    fn a_footer_batch_is_kafkas() {
        let mut out = Vec::new();
        BatchWriter::new(Offset(10), Epoch(0), Timestamp(0x01a2_2b0e_1128))
            .control()
            .record(Some(&control_key(4)), Some(&[0, 0, 0]))
            .write(&mut out);
        assert_eq!(out, super::super::tests::FOOTER);
    }
}
