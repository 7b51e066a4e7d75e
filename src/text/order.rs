//! The order of Java strings.

use std::cmp::Ordering;

/// The order of `java.lang.String.compareTo`, by UTF-16 code units, in which Kafka's shell lists
/// names. It differs from the order of code points only between the characters from U+E000 to U+FFFF
/// and those above, which Java writes as surrogates below them.
#[must_use]
pub fn java_cmp(a: &str, b: &str) -> Ordering {
    let differing = a.bytes().zip(b.bytes()).find(|(x, y)| x != y);
    match differing {
        // In UTF-8 a lead byte of 0xf0 or more begins a character above U+FFFF, and 0xee and 0xef
        // begin U+E000 to U+FFFF; bytes that continue a character are all below.
        Some((0xf0.., 0xee | 0xef)) => Ordering::Less,
        Some((0xee | 0xef, 0xf0..)) => Ordering::Greater,
        Some((x, y)) => x.cmp(&y),
        None => a.len().cmp(&b.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_order_of_utf16() {
        let texts = [
            "",
            "a",
            "ab",
            "b",
            "é",
            "\u{7ff}",
            "\u{800}",
            "\u{d7ff}",
            "\u{e000}",
            "\u{ffff}",
            "\u{10000}",
            "\u{10ffff}",
            "a\u{e000}",
            "a\u{10000}",
            "a\u{10001}",
            "1",
            "10",
            "2",
        ];
        for a in texts {
            for b in texts {
                let units = a.encode_utf16().cmp(b.encode_utf16());
                assert_eq!(java_cmp(a, b), units, "{a:?} {b:?}");
            }
        }
    }
}
