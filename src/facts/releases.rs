//! Kafka's releases by their first two numbers, which decide what a release knows.

use std::fmt;

/// A release of Kafka: `4.4`. A third number does not change what metadata it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release {
    /// The first number.
    pub major: u16,
    /// The second number.
    pub minor: u16,
}

impl Release {
    /// The release of these two numbers.
    #[must_use]
    pub const fn new(major: u16, minor: u16) -> Self {
        Self { major, minor }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// Text that names no release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotARelease;

impl fmt::Display for NotARelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a release like 4.4 or 4.3.1")
    }
}

impl std::error::Error for NotARelease {}

/// Reads `4.4`, `4.3.1`, `4.3.1-rc0`: what follows the second point or a hyphen is ignored.
impl std::str::FromStr for Release {
    type Err = NotARelease;

    fn from_str(text: &str) -> Result<Self, NotARelease> {
        let numbers = text.split_once('-').map_or(text, |(numbers, _)| numbers);
        let mut parts = numbers.split('.').map(|part| {
            let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            if digits {
                part.parse().map_err(|_| NotARelease)
            } else {
                Err(NotARelease)
            }
        });
        let mut next = || parts.next().unwrap_or(Err(NotARelease));
        Ok(Self::new(next()?, next()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_two_numbers() {
        assert_eq!("4.4".parse(), Ok(Release::new(4, 4)));
        assert_eq!("4.3.1".parse(), Ok(Release::new(4, 3)));
        assert_eq!("4.0-rc1".parse(), Ok(Release::new(4, 0)));
        for bad in ["", "4", "4.", "4.x", "+4.1", "kafka", "99999.1"] {
            assert_eq!(bad.parse::<Release>(), Err(NotARelease), "{bad}");
        }
        assert!(Release::new(3, 9) < Release::new(4, 0));
    }
}
