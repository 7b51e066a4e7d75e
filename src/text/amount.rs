//! Sizes, counts and spans of time for people.

use std::fmt::{self, Write as _};

/// A count with a comma between groups of three digits: `1,467,392`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thousands(pub u64);

impl fmt::Display for Thousands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut out = String::with_capacity(26);
        for (n, digit) in digits.chars().enumerate() {
            if n > 0 && digits.len().saturating_sub(n).is_multiple_of(3) {
                out.push(',');
            }
            out.push(digit);
        }
        f.pad(&out)
    }
}

/// A number of bytes: `1.4 MiB (1,467,392 bytes)`, with `{:#}` the short form `1.4 MiB`; below 1024
/// the bytes alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteSize(pub u64);

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.0;
        if bytes == 1 {
            return f.write_str("1 byte");
        }
        let mut size = bytes as f64;
        let mut unit = None;
        for next in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
            // From 1023.95 on one digit would print 1024.0.
            if size < if unit.is_none() { 1024.0 } else { 1023.95 } {
                break;
            }
            size /= 1024.0;
            unit = Some(next);
        }
        let Some(unit) = unit else {
            return write!(f, "{bytes} bytes");
        };
        write!(f, "{size:.1} {unit}")?;
        if !f.alternate() {
            write!(f, " ({} bytes)", Thousands(bytes))?;
        }
        Ok(())
    }
}

/// A span of time in milliseconds by its two greatest units: `3d 4h`, `5m 6s`, `2s 250ms`; a unit of
/// zero after the first is left out. A negative span has a minus before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub i64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(u64, &str); 5] = [
            (86_400_000, "d"),
            (3_600_000, "h"),
            (60_000, "m"),
            (1000, "s"),
            (1, "ms"),
        ];
        if self.0 < 0 {
            f.write_char('-')?;
        }
        let whole = self.0.unsigned_abs();
        let mut units = UNITS.iter().skip_while(|(size, _)| whole < *size);
        let Some((size, name)) = units.next() else {
            return f.write_str("0ms");
        };
        write!(f, "{}{name}", whole / size)?;
        let left = whole % size;
        if let Some((size, name)) = units.next()
            && left >= *size
        {
            write!(f, " {}{name}", left / size)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        for (n, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_467_392, "1,467,392"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(Thousands(n).to_string(), text);
        }
        assert_eq!(format!("{:>6}", Thousands(1000)), " 1,000");
    }

    #[test]
    fn sizes_have_both_forms() {
        for (n, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1023, "1023 bytes"),
            (1024, "1.0 KiB (1,024 bytes)"),
            (1_467_392, "1.4 MiB (1,467,392 bytes)"),
            (1_048_575, "1.0 MiB (1,048,575 bytes)"),
            (u64::MAX, "16.0 EiB (18,446,744,073,709,551,615 bytes)"),
        ] {
            assert_eq!(ByteSize(n).to_string(), text);
        }
        assert_eq!(format!("{:#}", ByteSize(1_467_392)), "1.4 MiB");
    }

    #[test]
    fn spans_keep_two_units() {
        for (ms, text) in [
            (0, "0ms"),
            (250, "250ms"),
            (2250, "2s 250ms"),
            (60_000, "1m"),
            (3_600_001, "1h"),
            (3 * 86_400_000 + 4 * 3_600_000 + 59_999, "3d 4h"),
            (-5000, "-5s"),
            (i64::MIN, "-106751991167d 7h"),
        ] {
            assert_eq!(Span(ms).to_string(), text);
        }
    }
}
