//! Times as text, all in UTC. A timestamp from the log may be any 64-bit number.

use crate::ids::Timestamp;
use std::fmt;

const DAY_MS: i64 = 86_400_000;

/// A civil date and time of day. Every 64-bit number of milliseconds has one.
struct Civil {
    year: i64,
    month: i64,
    day: i64,
    /// Milliseconds since midnight.
    time: i64,
}

impl Civil {
    /// The proleptic Gregorian date. Years are counted from a March in cycles of 400 years (146,097
    /// days), so that the leap day ends each year.
    // Not jiff's: its years end at 9999, Java's do not.
    fn of(timestamp: Timestamp) -> Self {
        const CYCLE: i64 = 146_097;
        // Days from 0000-03-01 to 1970-01-01.
        let days = timestamp.0.div_euclid(DAY_MS) + 719_468;
        let (cycle, day_of_cycle) = (days.div_euclid(CYCLE), days.rem_euclid(CYCLE));
        let year_of_cycle = (day_of_cycle - day_of_cycle / 1460 + day_of_cycle / 36_524
            - day_of_cycle / 146_096)
            / 365;
        let day_of_year =
            day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let month = if month_from_march < 10 {
            month_from_march + 3
        } else {
            month_from_march - 9
        };
        Self {
            year: cycle * 400 + year_of_cycle + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * month_from_march + 2) / 5 + 1,
            time: timestamp.0.rem_euclid(DAY_MS),
        }
    }

    fn millis(&self) -> i64 {
        self.time % 1000
    }

    /// `-11-14T22:13:20`: all but the year and the fraction.
    fn after_year(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.time / 1000;
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let Self { month, day, .. } = self;
        write!(f, "-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")
    }
}

/// A time in RFC 3339, with milliseconds only when there are any: `2026-01-01T00:00:03.250Z`. Outside
/// the years 0 to 9999, which RFC 3339 cannot tell, the number itself: `253402300800000 ms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rfc3339(pub Timestamp);

impl fmt::Display for Rfc3339 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let civil = Civil::of(self.0);
        if !(0..=9999).contains(&civil.year) {
            return write!(f, "{} ms", self.0);
        }
        write!(f, "{:04}", civil.year)?;
        civil.after_year(f)?;
        match civil.millis() {
            0 => f.write_str("Z"),
            ms => write!(f, ".{ms:03}Z"),
        }
    }
}

/// A time as Kafka's shell prints it, in Java's `ISO_ZONED_DATE_TIME`:
/// `2023-11-14T22:13:20.123Z[UTC]`, without the zeros at the end of a fraction.
// Kafka: ProvenanceNode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JavaTime(pub Timestamp);

impl fmt::Display for JavaTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let civil = Civil::of(self.0);
        let sign = match civil.year {
            ..0 => "-",
            0..=9999 => "",
            _ => "+",
        };
        write!(f, "{sign}{:04}", civil.year.unsigned_abs())?;
        civil.after_year(f)?;
        match civil.millis() {
            0 => {}
            ms if ms % 100 == 0 => write!(f, ".{}", ms / 100)?,
            ms if ms % 10 == 0 => write!(f, ".{:02}", ms / 10)?,
            ms => write!(f, ".{ms:03}")?,
        }
        f.write_str("Z[UTC]")
    }
}

/// Text that is not a point in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotATime(String);

impl fmt::Display for NotATime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "not a time like 2026-01-01T00:00:00Z: {}",
            super::Escaped(&self.0)
        )
    }
}

impl std::error::Error for NotATime {}

/// The millisecond in which a point in time lies, from RFC 3339 text with any zone offset.
///
/// # Errors
/// When the text has another form, no offset, or names a date that does not exist.
pub fn parse_time(text: &str) -> Result<Timestamp, NotATime> {
    let time: jiff::Timestamp = text.parse().map_err(|_| NotATime(text.into()))?;
    let whole = time.as_millisecond();
    // jiff cuts towards zero, so a time before 1970 with a finer fraction is one lower.
    let below = time.subsec_nanosecond() % 1_000_000 < 0;
    Ok(Timestamp(whole.saturating_sub(i64::from(below))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Milliseconds and text by a real Java; the head of the file tells the program.
    #[test]
    fn java_time_is_javas() {
        let mut seen = 0;
        for line in include_str!("java-times.tsv")
            .lines()
            .filter(|l| !l.starts_with('#'))
        {
            let (ms, text) = line.split_once('\t').unwrap();
            assert_eq!(
                JavaTime(Timestamp(ms.parse().unwrap())).to_string(),
                text,
                "{ms}"
            );
            seen += 1;
        }
        assert!(seen > 100, "{seen} lines");
    }

    #[test]
    fn rfc3339_is_jiffs_within_its_years() {
        let step = 86_399_997 * 31;
        // 0000-01-01T00:00:00Z to the last millisecond of 9999.
        for ms in (-62_167_219_200_000i64..253_402_300_800_000).step_by(step) {
            let jiff = jiff::Timestamp::from_millisecond(ms).unwrap();
            let digits = if ms % 1000 == 0 { 0 } else { 3 };
            let text = format!("{jiff:.digits$}");
            assert_eq!(Rfc3339(Timestamp(ms)).to_string(), text);
            assert_eq!(parse_time(&text), Ok(Timestamp(ms)));
        }
    }

    #[test]
    fn rfc3339_shows_what_it_cannot_tell_as_a_number() {
        for (ms, text) in [
            (1_767_225_603_250, "2026-01-01T00:00:03.250Z"),
            (1_767_225_600_000, "2026-01-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000, "253402300800000 ms"),
            (-62_167_219_200_001, "-62167219200001 ms"),
            (i64::MIN, "-9223372036854775808 ms"),
            (i64::MAX, "9223372036854775807 ms"),
        ] {
            assert_eq!(Rfc3339(Timestamp(ms)).to_string(), text);
        }
    }

    #[test]
    fn parses_offsets_and_floors_to_the_millisecond() {
        assert_eq!(
            parse_time("1970-01-01T01:00:00.5+01:00"),
            Ok(Timestamp(500))
        );
        assert_eq!(parse_time("1970-01-01T00:00:00.0019Z"), Ok(Timestamp(1)));
        assert_eq!(parse_time("1969-12-31T23:59:59.9999Z"), Ok(Timestamp(-1)));
        assert_eq!(parse_time("1969-12-31T23:59:59.9981Z"), Ok(Timestamp(-2)));
        assert_eq!(
            parse_time("2023-11-14T22:13:20.123Z[UTC]"),
            Ok(Timestamp(1_700_000_000_123))
        );
        for bad in [
            "",
            "yesterday",
            "2026-01-01T00:00:00",
            "2026-02-30T00:00:00Z",
            "1767225600000",
        ] {
            assert!(parse_time(bad).is_err(), "{bad}");
        }
    }
}
