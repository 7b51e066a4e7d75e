//! Bytes as text.

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use std::fmt;

/// Bytes as lower-case hexadecimal without separators, as Kafka prints SCRAM salts and keys.
#[derive(Clone, Copy, Debug)]
pub struct Hex<'a>(pub &'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Bytes as standard base64 with padding, as Kafka's JSON converters print them.
#[derive(Clone, Copy, Debug)]
pub struct Base64<'a>(pub &'a [u8]);

impl fmt::Display for Base64<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Base64Display::new(self.0, &STANDARD).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_as_text() {
        assert_eq!(Hex(&[0x01, 0xff]).to_string(), "01ff");
        assert_eq!(Hex(&[]).to_string(), "");
        assert_eq!(Base64(&[0xff]).to_string(), "/w==");
        assert_eq!(Base64(&[0xfb, 0xef, 0xbe]).to_string(), "++++");
        assert_eq!(Base64(&[]).to_string(), "");
    }
}
