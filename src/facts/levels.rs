//! metadata.version: its levels, what each gates, and which release knows it.
//!
//! Kafka: `MetadataVersion` of 4.4.0 for levels 7 to 34, of 3.9.2 for those below, and of 3.3 to 4.4
//! for which release calls which level unstable.

use super::releases::Release;
use std::fmt;

/// The name under which metadata.version stands among features.
pub const METADATA_VERSION: &str = "metadata.version";

/// A level of metadata.version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Level {
    /// The number in feature level records.
    pub level: i16,
    /// Kafka's name: `4.4-IV2`.
    pub name: &'static str,
    /// Whether Kafka says that it changed metadata records; a downgrade across such a level is refused.
    pub changes_metadata: bool,
    /// The version of RegisterBrokerRecord that is written from here.
    pub register_broker: i16,
    /// The version of RegisterControllerRecord; controllers do not register below level 15.
    pub register_controller: Option<i16>,
    /// The version of PartitionRecord and PartitionChangeRecord.
    pub partition: i16,
    /// The release before the level's own that already knows it, as unstable. What an unstable level
    /// stands for may differ from what was released: 3.9 has 22 for what 4.0 has as 23.
    pub unstable_in: Option<Release>,
    /// What it brings, in a few words.
    pub gates: &'static str,
}

#[expect(clippy::too_many_arguments, reason = "one line a level")]
const fn row(
    level: i16,
    name: &'static str,
    changes_metadata: bool,
    register_broker: i16,
    register_controller: Option<i16>,
    partition: i16,
    unstable_in: Option<Release>,
    gates: &'static str,
) -> Level {
    Level {
        level,
        name,
        changes_metadata,
        register_broker,
        register_controller,
        partition,
        unstable_in,
        gates,
    }
}

/// Every level that a release up to 4.4 knows, from 1 upwards without gaps.
#[rustfmt::skip]
pub const LEVELS: &[Level] = &[
    row(1, "3.0-IV1", true, 0, None, 0, None, "the first level of a KRaft log"),
    row(2, "3.1-IV0", false, 0, None, 0, None, "topic ids in fetch requests"),
    row(3, "3.2-IV0", true, 0, None, 0, None, "leader recovery state of partitions"),
    row(4, "3.3-IV0", false, 0, None, 0, None, "metadata.version as a feature"),
    row(5, "3.3-IV1", true, 0, None, 0, None, "no-op records"),
    row(6, "3.3-IV2", true, 0, None, 0, None, "one change record for brokers instead of fence and unfence records"),
    row(7, "3.3-IV3", true, 1, None, 0, None, "controlled shutdown of brokers; the lowest level that 4.x reads"),
    row(8, "3.4-IV0", true, 2, None, 0, None, "migration from ZooKeeper"),
    row(9, "3.5-IV0", false, 2, None, 0, None, "requests of tiered storage"),
    row(10, "3.5-IV1", false, 2, None, 0, None, "replica epochs in fetch requests"),
    row(11, "3.5-IV2", true, 2, None, 0, None, "SCRAM users"),
    row(12, "3.6-IV0", false, 2, None, 0, None, "an ISR that shrinks keeps the leader epoch"),
    row(13, "3.6-IV1", true, 2, None, 0, None, "metadata transactions"),
    row(14, "3.6-IV2", true, 2, None, 0, None, "delegation tokens"),
    row(15, "3.7-IV0", true, 2, Some(0), 0, None, "registrations of controllers"),
    row(16, "3.7-IV1", false, 2, Some(0), 0, None, "nothing (reserved)"),
    row(17, "3.7-IV2", true, 3, Some(0), 1, None, "log directories of replicas and brokers"),
    row(18, "3.7-IV3", false, 3, Some(0), 1, None, "nothing (reserved)"),
    row(19, "3.7-IV4", false, 3, Some(0), 1, None, "fetch version 16"),
    row(20, "3.8-IV0", false, 3, Some(0), 1, Some(Release::new(3, 7)), "nothing"),
    row(21, "3.9-IV0", false, 3, Some(0), 1, Some(Release::new(3, 8)), "list offsets version 9; kraft.version 1 for new clusters"),
    row(22, "4.0-IV0", false, 3, Some(0), 1, Some(Release::new(3, 9)), "group.version 1 for new clusters"),
    row(23, "4.0-IV1", true, 3, Some(0), 2, Some(Release::new(3, 9)), "eligible leader replicas in partition records"),
    row(24, "4.0-IV2", false, 3, Some(0), 2, None, "transaction.version 2 for new clusters"),
    row(25, "4.0-IV3", false, 3, Some(0), 2, None, "asynchronous list offsets for remote segments"),
    row(26, "4.1-IV0", false, 3, Some(0), 2, Some(Release::new(4, 0)), "eligible leader replicas on for new clusters"),
    row(27, "4.1-IV1", false, 3, Some(0), 2, None, "fetch version 18"),
    row(28, "4.2-IV0", false, 3, Some(0), 2, Some(Release::new(4, 1)), "share.version 1 for new clusters"),
    row(29, "4.2-IV1", false, 3, Some(0), 2, Some(Release::new(4, 1)), "streams.version 1 for new clusters"),
    row(30, "4.3-IV0", true, 4, Some(0), 2, Some(Release::new(4, 2)), "cordoned log directories"),
    row(31, "4.4-IV0", false, 4, Some(0), 2, Some(Release::new(4, 3)), "share.version 2 for new clusters"),
    row(32, "4.4-IV1", true, 4, Some(0), 2, None, "CIDR ranges as hosts of ACLs"),
    row(33, "4.4-IV2", true, 4, Some(0), 2, None, "removal of controller registrations"),
    row(34, "4.5-IV0", false, 4, Some(0), 2, Some(Release::new(4, 4)), "nothing yet (unstable in 4.4)"),
];

/// Each release with its latest production level, oldest first. Levels 1 to 3 come from 3.0 to 3.2,
/// where metadata.version was no feature yet.
const RELEASES: &[(Release, i16)] = &[
    (Release::new(3, 0), 1),
    (Release::new(3, 1), 2),
    (Release::new(3, 2), 3),
    (Release::new(3, 3), 7),
    (Release::new(3, 4), 8),
    (Release::new(3, 5), 11),
    (Release::new(3, 6), 14),
    (Release::new(3, 7), 19),
    (Release::new(3, 8), 20),
    (Release::new(3, 9), 21),
    (Release::new(4, 0), 25),
    (Release::new(4, 1), 27),
    (Release::new(4, 2), 29),
    (Release::new(4, 3), 30),
    (Release::new(4, 4), 33),
];

/// The lowest level that 4.0 and later read: 3.3-IV3.
pub const MINIMUM_4X: i16 = 7;

/// From here controllers register: 3.7-IV0.
pub const CONTROLLERS_REGISTER: i16 = 15;

/// From here a controller's registration can be deleted: 4.4-IV2.
pub const CONTROLLERS_UNREGISTER: i16 = 33;

/// A level by its number.
#[must_use]
pub fn level(number: i16) -> Option<&'static Level> {
    let index = usize::try_from(number).ok()?.checked_sub(1)?;
    LEVELS.get(index)
}

/// A level by Kafka's name for it.
#[must_use]
pub fn level_named(name: &str) -> Option<&'static Level> {
    LEVELS.iter().find(|l| l.name == name)
}

/// A level as people write it: its number, its name, or a release (its latest production level).
#[must_use]
pub fn parse_level(text: &str) -> Option<&'static Level> {
    match text.parse() {
        Ok(number) => level(number),
        Err(_) => level_named(text).or_else(|| level_of_release(text).and_then(level)),
    }
}

/// The latest production level of a release given as text, `4.3.1` or `4.3`.
// Kafka: MetadataVersion.fromVersionString ignores what follows the second point.
#[must_use]
pub fn level_of_release(text: &str) -> Option<i16> {
    text.parse().ok().and_then(latest_production)
}

/// The latest production level of a release; nothing for one that this table does not know.
#[must_use]
pub fn latest_production(release: Release) -> Option<i16> {
    RELEASES
        .iter()
        .find(|(r, _)| *r == release)
        .map(|(_, level)| *level)
}

/// The lowest level that a release reads.
#[must_use]
pub fn lowest(release: Release) -> i16 {
    if release.major >= 4 { MINIMUM_4X } else { 1 }
}

/// The first release where a level is a production level: the oldest that may run a cluster at it.
#[must_use]
pub fn first_release(level: i16) -> Option<Release> {
    if level < 1 {
        return None;
    }
    RELEASES
        .iter()
        .find(|(_, latest)| *latest >= level)
        .map(|(release, _)| *release)
}

/// The first release that knows the level at all, be it as unstable.
#[must_use]
pub fn first_known(number: i16) -> Option<Release> {
    level(number)?.unstable_in.or_else(|| first_release(number))
}

/// The releases that read a log at this level: the first, and the last when a later one refuses it.
#[must_use]
pub fn readers(level: i16) -> Option<(Release, Option<Release>)> {
    let first = first_release(level)?;
    Some((first, (level < MINIMUM_4X).then_some(Release::new(3, 9))))
}

/// The releases of the table with their latest production levels, oldest first.
pub fn releases() -> impl Iterator<Item = (Release, i16)> {
    RELEASES.iter().copied()
}

/// The lowest level above `target` and up to `current` that changed metadata records, which is what a
/// downgrade from `current` to `target` is refused for. Nothing when it would be accepted.
// Kafka: MetadataVersion.checkIfMetadataChanged.
#[must_use]
pub fn downgrade_blocker(current: i16, target: i16) -> Option<&'static Level> {
    LEVELS
        .iter()
        .find(|l| l.level > target && l.level <= current && l.changes_metadata)
}

/// A level as readable text: `4.4-IV2 (33)`, or `unknown level (99)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelText(pub i16);

impl fmt::Display for LevelText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = level(self.0).map_or("unknown level", |l| l.name);
        write!(f, "{name} ({})", self.0)
    }
}

/// The lowest level that writes a record of this type (apiKey) in this version; none when every level
/// does, or no released one.
#[must_use]
pub fn first_to_write(api_key: i16, version: i16) -> Option<&'static Level> {
    let writes = |row: &&Level| match api_key {
        0 => row.register_broker >= version,
        3 | 5 => row.partition >= version,
        27 => row.register_controller.is_some_and(|v| v >= version),
        _ => true,
    };
    LEVELS.iter().find(writes).filter(|row| row.level > 1)
}

/// Whether a level writes a record of this type in this version, as far as levels decide it.
#[must_use]
pub fn writes(number: i16, api_key: i16, version: i16) -> bool {
    // The unstable level 22 of 3.9 is what 4.0 released as 23.
    let number = if number == 22 { 23 } else { number };
    first_to_write(api_key, version).is_none_or(|first| first.level <= number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows that Kafka 4.4.0 itself prints: level, name, didMetadataChange, and the versions of
    /// RegisterBroker, RegisterController (- below 15), Partition and PartitionChange records.
    const KAFKA: &str = include_str!("metadata-versions.tsv");

    #[test]
    fn equals_kafkas_enum() {
        let mut seen = 0;
        for line in KAFKA.lines().filter(|l| !l.starts_with('#')) {
            let row: Vec<&str> = line.split('\t').collect();
            let l = level(row[0].parse().unwrap()).unwrap();
            let controller = l.register_controller.map_or("-".into(), |v| v.to_string());
            let ours = [
                l.level.to_string(),
                l.name.into(),
                l.changes_metadata.to_string(),
                l.register_broker.to_string(),
                controller,
                l.partition.to_string(),
                l.partition.to_string(),
            ];
            assert_eq!(ours[..], row[..]);
            seen += 1;
        }
        assert_eq!(seen, 28);
    }

    #[test]
    fn levels_have_no_gaps_and_names_tell_the_release() {
        for (index, l) in LEVELS.iter().enumerate() {
            assert_eq!(usize::try_from(l.level).unwrap(), index + 1);
            if let Some(release) = first_release(l.level) {
                assert!(l.name.starts_with(&format!("{release}-IV")), "{}", l.name);
            }
        }
        assert_eq!(level(0), None);
        assert_eq!(level(35), None);
        assert_eq!(level(i16::MIN), None);
    }

    #[test]
    fn releases_and_levels() {
        assert_eq!(level_of_release("4.3.1"), Some(30));
        assert_eq!(level_of_release("3.8.1"), Some(20));
        assert_eq!(level_of_release("5.0"), None);
        assert_eq!(parse_level("4.4-IV2").map(|l| l.level), Some(33));
        assert_eq!(parse_level("4.4").map(|l| l.level), Some(33));
        assert_eq!(parse_level("21").map(|l| l.name), Some("3.9-IV0"));
        assert_eq!(parse_level("4"), level(4));
        assert_eq!(first_release(31), Some(Release::new(4, 4)));
        assert_eq!(first_known(31), Some(Release::new(4, 3)));
        assert_eq!(first_known(34), Some(Release::new(4, 4)));
        assert_eq!(first_release(34), None);
        assert_eq!(first_release(0), None);
        assert_eq!(
            readers(4),
            Some((Release::new(3, 3), Some(Release::new(3, 9))))
        );
        assert_eq!(readers(7), Some((Release::new(3, 3), None)));
        assert_eq!(LevelText(33).to_string(), "4.4-IV2 (33)");
        assert_eq!(LevelText(99).to_string(), "unknown level (99)");
    }

    // Run with the real controller: 29 to 23 is accepted, 30 to 29 refused.
    #[test]
    fn downgrades_stop_at_changes_of_metadata() {
        assert_eq!(downgrade_blocker(29, 23), None);
        assert_eq!(downgrade_blocker(30, 29).map(|l| l.level), Some(30));
        assert_eq!(downgrade_blocker(33, 14).map(|l| l.level), Some(15));
        assert_eq!(downgrade_blocker(23, 30), None);
    }
}
