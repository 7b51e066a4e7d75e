//! UTF-8 as Java's `new String(bytes, UTF_8)` decodes it. It replaces malformed input as Rust does,
//! except that an encoded surrogate becomes one replacement character, not three, and that a sequence
//! cut by the end becomes one as far as its bytes might still have become a character or a surrogate.

/// Decodes bytes that are not all UTF-8.
pub(super) fn decode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let valid = match std::str::from_utf8(rest) {
            Ok(text) => text,
            Err(e) => rest
                .get(..e.valid_up_to())
                .and_then(|b| std::str::from_utf8(b).ok())
                .unwrap_or_default(),
        };
        out.push_str(valid);
        rest = rest.get(valid.len()..).unwrap_or_default();
        if !rest.is_empty() {
            out.push(char::REPLACEMENT_CHARACTER);
            rest = rest.get(malformed(rest)..).unwrap_or_default();
        }
    }
    out
}

/// How many bytes at the start, which begin no character, are replaced together.
fn malformed(bytes: &[u8]) -> usize {
    let continues = |at: usize| bytes.get(at).is_some_and(|b| b & 0xc0 == 0x80);
    let second = bytes.get(1).copied();
    match (bytes.first().copied(), second) {
        // An overlong form has no second byte that would do.
        (Some(0xe0), Some(0x80..=0x9f)) => 1,
        (Some(0xf0), Some(0x80..=0x8f)) | (Some(0xf4), Some(0x90..=0xbf)) => 1,
        (Some(0xe0..=0xef), _) if !continues(1) => 1,
        // Whole only when it is a surrogate.
        (Some(0xe0..=0xef), _) if continues(2) => 3,
        (Some(0xe0..=0xef), _) => 2,
        (Some(0xf0..=0xf4), _) if !continues(1) => 1,
        (Some(0xf0..=0xf4), _) if !continues(2) => 2,
        (Some(0xf0..=0xf4), _) => 3,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    // What JDK 17 gives for these bytes.
    #[test]
    fn malformed_input_is_replaced_as_java_does() {
        for (bytes, text) in [
            (&b"a\xffb"[..], "a\u{fffd}b"),
            (b"\xc3", "\u{fffd}"),
            (b"\xc3(", "\u{fffd}("),
            (b"\xc0\x80", "\u{fffd}\u{fffd}"),
            (b"\xed\xa0\x80x", "\u{fffd}x"),
            (b"\xed\xa0", "\u{fffd}"),
            (b"\xe0\x80\x80", "\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xe2\x82", "\u{fffd}"),
            (b"\xe2\x82A", "\u{fffd}A"),
            (b"\xf0\x9f\x98", "\u{fffd}"),
            (b"\xf0\x9f\x98A", "\u{fffd}A"),
            (b"\xf0\x80\x80\x80", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xf5\x80\x80\x80", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(decode(bytes), text, "{bytes:x?}");
        }
    }
}
