//! Finalised feature levels (`FeaturesDelta`).

use super::change::Change;
use super::conflict::Conflict;
use crate::facts::levels;
use crate::finding::{Code, Severity};
use crate::record::FeatureLevelRecord;
use crate::source::RecordRef;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use crate::facts::features::KRAFT_VERSION;
pub use crate::facts::levels::METADATA_VERSION;

/// Finalised levels, each with the record that set it.
#[derive(Clone, Debug, Default)]
pub struct Features {
    metadata_version: Option<(i16, RecordRef)>,
    others: BTreeMap<Arc<str>, (i16, RecordRef)>,
}

impl Features {
    /// The level of metadata.version; none in a log that 3.0 to 3.2 began.
    #[must_use]
    pub fn metadata_version(&self) -> Option<(i16, RecordRef)> {
        self.metadata_version
    }

    /// The other features by name; level 0 is off and not here.
    pub fn others(&self) -> impl Iterator<Item = (&Arc<str>, i16, RecordRef)> {
        self.others
            .iter()
            .map(|(name, &(level, record))| (name, level, record))
    }

    /// The level of any feature but kraft.version, 0 when off.
    #[must_use]
    pub fn level(&self, name: &str) -> i16 {
        if name == METADATA_VERSION {
            return self.metadata_version.map_or(0, |(level, _)| level);
        }
        self.others.get(name).map_or(0, |&(level, _)| level)
    }

    /// The record that set the level of a feature.
    #[must_use]
    pub fn record(&self, name: &str) -> Option<RecordRef> {
        if name == METADATA_VERSION {
            return self.metadata_version.map(|(_, record)| record);
        }
        self.others.get(name).map(|&(_, record)| record)
    }

    pub(super) fn set(
        &mut self,
        at: RecordRef,
        record: &FeatureLevelRecord<'_>,
    ) -> Result<(Change, Option<Conflict>), Conflict> {
        let name = record.name.to_str();
        let level = record.feature_level;
        match &*name {
            // Kafka: FeaturesDelta skips it since 4.0; the truth is in the control records.
            KRAFT_VERSION => Ok((
                Change::None,
                Some(
                    Conflict::new(
                        Code::InvalidValue,
                        at,
                        "kraft.version as a feature level record, which has no effect",
                    )
                    .severity(Severity::Info)
                    .kafka("4.0 and later skip it; 3.9 stored it")
                    .applied(),
                ),
            )),
            METADATA_VERSION => self.set_metadata_version(at, level),
            _ => {
                let before = self.others.get(&*name).copied();
                let name: Arc<str> = name.into();
                let after = (level != 0).then_some((level, at));
                match after {
                    Some(value) => self.others.insert(name.clone(), value),
                    None => self.others.remove(&name),
                };
                if before.is_none() && after.is_none() {
                    return Ok((Change::None, None));
                }
                Ok((
                    Change::Feature {
                        name,
                        before,
                        after,
                    },
                    None,
                ))
            }
        }
    }

    // Kafka: MetadataVersion.fromFeatureLevel throws for a level that the reading release does not
    // know. We keep what the log says, but for what no release can mean.
    fn set_metadata_version(
        &mut self,
        at: RecordRef,
        level: i16,
    ) -> Result<(Change, Option<Conflict>), Conflict> {
        if level < 1 {
            let mut conflict = Conflict::new(
                Code::InvalidValue,
                at,
                "metadata.version is set to no level",
            )
            .values("1 or more", level.to_string());
            if let Some((old, record)) = self.metadata_version {
                conflict = conflict.against(record, format!("level {old}, which stays"));
            }
            return Err(conflict);
        }
        let before = self.metadata_version.replace((level, at));
        let remark = levels::level(level).is_none().then(|| {
            Conflict::new(
                Code::InvalidValue,
                at,
                format!("metadata.version {level} is a level that this program does not know"),
            )
            .severity(Severity::Warning)
            .kafka("a release that does not know the level keeps the one before, or stops")
            .applied()
        });
        let name = Arc::from(METADATA_VERSION);
        Ok((
            Change::Feature {
                name,
                before,
                after: Some((level, at)),
            },
            remark,
        ))
    }
}
