//! The features beside metadata.version, and the ranges that each release says it supports.

use super::levels::{self, METADATA_VERSION};
use super::releases::Release;

/// The feature that lives in control records and not among feature level records.
pub const KRAFT_VERSION: &str = "kraft.version";

/// The feature that turns eligible leader replicas on.
pub const ELR_VERSION: &str = "eligible.leader.replicas.version";

/// A feature of Kafka, without the test features of its own builds.
// Kafka: Feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Feature {
    /// Its name in records.
    pub name: &'static str,
    /// Its levels above 0, from 1 upwards. Level 0 is off.
    pub levels: &'static [FeatureLevel],
}

/// A level of a feature above 0.
// Kafka: KRaftVersion, TransactionVersion, GroupVersion, EligibleLeaderReplicasVersion, ShareVersion,
// StreamsVersion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FeatureLevel {
    /// The level.
    pub level: i16,
    /// The metadata.version from which new clusters get this level by default. It is no limit: an
    /// existing cluster may use the level at a lower metadata.version.
    pub bootstrap: i16,
    /// The first release where it is a production level.
    pub since: Release,
    /// Features that must be at least at a level before this one is accepted.
    pub requires: &'static [(&'static str, i16)],
}

const fn at(level: i16, bootstrap: i16, since: Release) -> FeatureLevel {
    FeatureLevel {
        level,
        bootstrap,
        since,
        requires: &[],
    }
}

/// Every feature that production releases up to 4.4 support above level 0, beside metadata.version.
// Kafka: 4.0 alone also wanted metadata.version 21 for kraft.version 1.
pub const FEATURES: &[Feature] = &[
    Feature {
        name: ELR_VERSION,
        levels: &[FeatureLevel {
            requires: &[(METADATA_VERSION, 23)],
            ..at(1, 26, Release::new(4, 0))
        }],
    },
    Feature {
        name: "group.version",
        levels: &[at(1, 22, Release::new(4, 0))],
    },
    Feature {
        name: KRAFT_VERSION,
        levels: &[at(1, 21, Release::new(3, 9))],
    },
    Feature {
        name: "share.version",
        levels: &[at(1, 28, Release::new(4, 1)), at(2, 31, Release::new(4, 4))],
    },
    Feature {
        name: "streams.version",
        levels: &[at(1, 29, Release::new(4, 2))],
    },
    Feature {
        name: "transaction.version",
        levels: &[at(1, 24, Release::new(4, 0)), at(2, 24, Release::new(4, 0))],
    },
];

impl Feature {
    /// The greatest level that a release supports; 0 when it has the feature not at all.
    #[must_use]
    pub fn latest(&self, release: Release) -> i16 {
        self.levels
            .iter()
            .filter(|l| l.since <= release)
            .map(|l| l.level)
            .max()
            .unwrap_or(0)
    }

    /// The level that a new cluster formatted at a metadata.version gets.
    // Kafka: Feature.defaultLevel goes up and stops at the first level that is too new.
    #[must_use]
    pub fn default_at(&self, metadata_version: i16) -> i16 {
        let fitting = self
            .levels
            .iter()
            .take_while(|l| l.bootstrap <= metadata_version);
        fitting.last().map_or(0, |l| l.level)
    }
}

/// A feature by name; metadata.version is none of them.
#[must_use]
pub fn feature(name: &str) -> Option<&'static Feature> {
    FEATURES.iter().find(|f| f.name == name)
}

/// The range that a release's registrations list for a feature, metadata.version included. Nothing
/// when they do not list it, which Kafka reads as 0 to 0, and for a release that the table of levels
/// does not know.
// Kafka: QuorumFeatures.defaultSupportedFeatureMap leaves out features whose latest level is 0.
#[must_use]
pub fn supported_range(name: &str, release: Release) -> Option<(i16, i16)> {
    let latest_metadata = levels::latest_production(release)?;
    if name == METADATA_VERSION {
        return Some((levels::lowest(release), latest_metadata));
    }
    let latest = feature(name)?.latest(release);
    (latest > 0).then_some((0, latest))
}

/// All ranges that a release's registrations list, by name.
pub fn supported_ranges(release: Release) -> impl Iterator<Item = (&'static str, i16, i16)> {
    let mut names: Vec<_> = FEATURES
        .iter()
        .map(|f| f.name)
        .chain([METADATA_VERSION])
        .collect();
    names.sort_unstable();
    names.into_iter().filter_map(move |name| {
        supported_range(name, release).map(|(lowest, latest)| (name, lowest, latest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(release: Release) -> String {
        let ranges = supported_ranges(release).map(|(n, a, b)| format!("{n}: {a}-{b}"));
        ranges.collect::<Vec<_>>().join(", ")
    }

    // What brokers of these releases wrote into the sample logs.
    #[test]
    fn ranges_are_those_of_real_registrations() {
        assert_eq!(text(Release::new(3, 3)), "metadata.version: 1-7");
        assert_eq!(
            text(Release::new(3, 9)),
            "kraft.version: 0-1, metadata.version: 1-21"
        );
        assert_eq!(
            text(Release::new(4, 3)),
            "eligible.leader.replicas.version: 0-1, group.version: 0-1, kraft.version: 0-1, \
             metadata.version: 7-30, share.version: 0-1, streams.version: 0-1, \
             transaction.version: 0-2"
        );
        assert_eq!(
            text(Release::new(4, 4)),
            "eligible.leader.replicas.version: 0-1, group.version: 0-1, kraft.version: 0-1, \
             metadata.version: 7-33, share.version: 0-2, streams.version: 0-1, \
             transaction.version: 0-2"
        );
    }

    // Feature.latestProduction of 4.0.0 and 4.1.1.
    #[test]
    fn ranges_of_the_releases_between() {
        let of = |name, minor| supported_range(name, Release::new(4, minor));
        assert_eq!(of(ELR_VERSION, 0), Some((0, 1)));
        assert_eq!(of("share.version", 0), None);
        assert_eq!(of("share.version", 1), Some((0, 1)));
        assert_eq!(of("streams.version", 1), None);
        assert_eq!(of("streams.version", 2), Some((0, 1)));
        assert_eq!(of("no.such", 4), None);
        assert_eq!(of(KRAFT_VERSION, 99), None);
    }

    // Feature.defaultLevel of 4.4.0.
    #[test]
    fn defaults_of_new_clusters() {
        let default = |name, at| feature(name).map(|f| f.default_at(at));
        assert_eq!(default("share.version", 30), Some(1));
        assert_eq!(default("share.version", 33), Some(2));
        assert_eq!(default("transaction.version", 23), Some(0));
        assert_eq!(default("transaction.version", 24), Some(2));
        assert_eq!(default(ELR_VERSION, 25), Some(0));
        assert_eq!(feature(METADATA_VERSION), None);
    }
}
