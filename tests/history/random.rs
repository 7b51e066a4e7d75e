//! Numbers from a seed: the same seed gives the same numbers on every machine.

use kraftlens::ids::Uuid;

/// A SplitMix64 generator.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `end`, which is above 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// From `low` to `high`, both possible.
    pub(crate) fn within(&mut self, low: i64, high: i64) -> i64 {
        low + (self.next() % (high - low + 1) as u64) as i64
    }

    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.next() % 100 < chance
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A few of the items, in any order, none twice.
    pub(crate) fn some<T: Clone>(&mut self, from: &[T], count: usize) -> Vec<T> {
        let mut left = from.to_vec();
        (0..count.min(from.len()))
            .map(|_| {
                let at = self.below(left.len());
                left.swap_remove(at)
            })
            .collect()
    }

    /// An id, with all bits free: Kafka compares the halves of an id as signed numbers.
    pub(crate) fn uuid(&mut self) -> Uuid {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&(self.next() | 1 << 32).to_be_bytes());
        bytes[8..].copy_from_slice(&self.next().to_be_bytes());
        Uuid(bytes)
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }

    /// A text such as nobody expects where users may write what they like.
    pub(crate) fn odd_text(&mut self) -> String {
        const TEXTS: &[&str] = &[
            "plain",
            "with space",
            "a/b/c",
            "/",
            "..",
            "a(b)",
            "back\\slash",
            "(",
            "quote\"d 'twice'",
            "täst-日本語-🦀",
            "e\u{301} \u{200b}\u{202e}abc",
            "tab\tand\u{1b}[31mred\u{7f}",
            "\u{2028}\u{feff}",
            "a=b,c;d",
            "*",
            "{x,y}",
            "%41",
            "_",
            "user(x)_ip(y)",
        ];
        let text = (*self.pick(TEXTS)).to_owned();
        if self.percent(20) {
            text + &self.below(1000).to_string()
        } else {
            text
        }
    }
}
