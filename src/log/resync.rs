//! Looks for whole batches in bytes that no trusted length leads to. What it finds is offered, never
//! applied: only its CRC vouches for it.

use super::batch::{BatchHeader, HEADER, LEAST_SIZE_V2, MAGIC_AT, total_length};
use super::table::crc_of;
use crate::finding::Offered;
use crate::ids::Position;

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Resync {
    /// Batches with a right CRC, in the order of the file, at most [`KEPT`].
    pub(crate) batches: Vec<Offered>,
    /// How many there are, kept or not.
    pub(crate) count: u64,
    /// Where the search gave up, when bytes that look like batches and are none used up its budget.
    pub(crate) gave_up_at: Option<Position>,
}

/// How many batches of a file are kept, so that hostile input cannot fill the memory.
const KEPT: usize = 1000;
/// Bytes of CRC that may be computed in vain, over those of the searched bytes.
const SPARE: u64 = 1 << 20;

/// Searches a file from a byte on. Time is linear in the bytes searched.
pub(crate) fn search(file: &[u8], from: usize) -> Resync {
    let mut found = Resync::default();
    let searched = file.len().saturating_sub(from) as u64;
    let mut vain = searched.saturating_mul(4).saturating_add(SPARE);
    let mut at = from;
    while let Some(next) = next_magic(file, at) {
        at = next;
        let rest = file.get(at..).unwrap_or_default();
        let Some((header, whole)) = plausible(rest) else {
            at = at.saturating_add(1);
            continue;
        };
        if crc_of(whole, header.magic).is_some_and(|(stored, computed)| stored == computed) {
            found.count = found.count.saturating_add(1);
            if found.batches.len() < KEPT {
                found.batches.push(Offered {
                    position: Position(at as u64),
                    bytes: whole.len() as u64,
                    offsets: (header.base_offset, header.last_offset()),
                    epoch: header.epoch,
                    records: u64::try_from(header.count).unwrap_or(0),
                    crc: Some(header.crc),
                });
            }
            at = at.saturating_add(whole.len());
            continue;
        }
        match vain.checked_sub(whole.len() as u64) {
            Some(left) => vain = left,
            None => {
                found.gave_up_at = Some(Position(at as u64));
                return found;
            }
        }
        at = at.saturating_add(1);
    }
    found
}

/// The next byte, from `at` on, that can begin a batch by its magic.
fn next_magic(file: &[u8], at: usize) -> Option<usize> {
    let magics = file.get(at.checked_add(MAGIC_AT)?..)?;
    let skip = magics.iter().position(|b| *b == 2)?;
    at.checked_add(skip)
}

/// The header and the bytes of what may be a batch of a metadata log.
fn plausible(rest: &[u8]) -> Option<(BatchHeader, &[u8])> {
    let header = BatchHeader::parse(rest).ok()?;
    let least = total_length(LEAST_SIZE_V2);
    let spanned = i64::from(header.last_offset_delta).saturating_add(1);
    let fits = header.magic == 2
        && header.length >= least
        && header.base_offset.0 >= 0
        && header.epoch.0 >= 0
        && header.count > 0
        && i64::from(header.count) == spanned
        && u64::from(header.length) >= HEADER
        && header.attributes & !0x7f == 0;
    fits.then_some(())?;
    let whole = rest.get(..usize::try_from(header.length).ok()?)?;
    Some((header, whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{Epoch, Offset, Timestamp};
    use crate::log::writer::BatchWriter;

    fn batch(base: i64) -> Vec<u8> {
        let no_op = [1, 20, 0, 0];
        let mut out = Vec::new();
        BatchWriter::new(Offset(base), Epoch(1), Timestamp(5))
            .record(None, Some(&no_op))
            .write(&mut out);
        out
    }

    #[test]
    fn finds_what_is_whole_between_what_is_not() {
        let mut file = vec![0; 100];
        file.extend(batch(7));
        let cut = batch(8);
        file.extend(&cut[..50]);
        file.extend(batch(9));
        let mut wrong = batch(10);
        wrong[40] ^= 1;
        file.extend(wrong);
        let found = search(&file, 0);
        let offsets: Vec<_> = found.batches.iter().map(|b| b.offsets.0.0).collect();
        assert_eq!(offsets, [7, 9]);
        assert_eq!(found.batches.first().map(|b| b.position.0), Some(100));
        assert_eq!((found.count, found.gave_up_at), (2, None));
    }

    #[test]
    fn bytes_made_to_look_like_batches_use_up_the_budget_and_no_more() {
        // Headers that overlap and each announce all the bytes that follow.
        let mut file = Vec::new();
        for _ in 0..40_000 {
            let mut head = [0u8; 61];
            head[8..12].copy_from_slice(&1_000_000i32.to_be_bytes());
            head[16] = 2;
            head[60] = 1;
            file.extend(head);
        }
        let found = search(&file, 0);
        assert!(found.batches.is_empty());
        assert!(found.gave_up_at.is_some_and(|at| at.0 < file.len() as u64));
    }
}
