//! Doubles as Java prints them, for quota values.

use std::fmt::{self, Write as _};

/// A double in the layout of `java.lang.Double.toString`: plain from 1e-3 to below 1e7, else in the
/// form `1.0E10`; at least one digit after the point; `NaN`, `Infinity`, `-0.0`.
///
/// The digits are those of JDK 19 and later: the fewest that read back as the same double, and of
/// two-digit ones the nearest. Older JDKs sometimes print more (JDK-4511638).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JavaDouble(pub f64);

impl fmt::Display for JavaDouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        if value.is_nan() {
            return f.write_str("NaN");
        }
        if value.is_sign_negative() {
            f.write_char('-')?;
        }
        let size = value.abs();
        if size.is_infinite() {
            return f.write_str("Infinity");
        }
        if size == 0.0 || (1e-3..1e7).contains(&size) {
            return write!(f, "{size:?}");
        }
        let shortest = format!("{size:e}");
        // Kafka: Double.toString never prints one digit alone, and of all texts of the shortest length
        // (at least two digits) it takes the nearest, the even one of two equally near: 4.9E-324 and
        // not 5.0E-324, 1.4978982117220732E15 for the number that ends in .25.
        let digits = shortest
            .bytes()
            .take_while(|b| *b != b'e')
            .filter(u8::is_ascii_digit)
            .count();
        let nearest = format!("{size:.*e}", digits.saturating_sub(1).max(1));
        let text = match nearest.parse::<f64>() {
            Ok(same) if size == same => nearest,
            _ if digits == 1 => shortest.replace('e', ".0e"),
            _ => shortest,
        };
        f.write_str(&text.replace('e', "E"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits and text by a real Java 17, over values where it prints the shortest digits; the head of
    /// the file tells the program.
    #[test]
    fn prints_as_java_does() {
        let mut seen = 0;
        for line in include_str!("java-doubles.tsv")
            .lines()
            .filter(|l| !l.starts_with('#'))
        {
            let (bits, text) = line.split_once('\t').unwrap();
            let value = f64::from_bits(u64::from_str_radix(bits, 16).unwrap());
            assert_eq!(JavaDouble(value).to_string(), text, "{bits}");
            seen += 1;
        }
        assert!(seen > 100, "{seen} lines");
    }

    // By the specification of Double.toString since JDK 19; 17 prints 1.9999999999999998E23,
    // 9.999999999999999E22, 1.0E-323, -2.49608758206759744E17 and, not the nearest, ...2716E25.
    #[test]
    fn prints_the_shortest_and_nearest_digits_where_old_java_does_not() {
        for (value, text) in [
            (2e23, "2.0E23"),
            (1e23, "1.0E23"),
            (f64::from_bits(2), "9.9E-324"),
            (
                f64::from_bits(0xc38b_b64e_bead_ec1a),
                "-2.4960875820675974E17",
            ),
            (
                f64::from_bits(0xc53f_96d9_1488_5d09),
                "-3.8189059803482717E25",
            ),
        ] {
            assert_eq!(JavaDouble(value).to_string(), text);
        }
    }

    // 1497898211722073.25: both neighbours with 17 digits are equally near, Java takes the even one.
    #[test]
    fn takes_the_even_one_of_two_nearest() {
        let value = f64::from_bits(0x4315_4952_6b47_0d65);
        assert_eq!(JavaDouble(value).to_string(), "1.4978982117220732E15");
    }
}
