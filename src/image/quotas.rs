//! Client quotas (`ClientQuotasDelta`, `ClientQuotaImage`).

use super::change::Change;
use crate::record::ClientQuotaRecord;
use crate::source::RecordRef;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Whom a quota is for: entity type to name, by type; a null name is the default of the type.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity(BTreeMap<Arc<str>, Option<Arc<str>>>);

impl Entity {
    /// Its parts by type, `client-id`, `ip` and `user` in releases so far.
    pub fn parts(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.0.iter().map(|(kind, name)| (&**kind, name.as_deref()))
    }

    /// The entity without its default parts.
    #[must_use]
    pub fn without_defaults(&self) -> Self {
        let named = self.0.iter().filter(|(_, name)| name.is_some());
        Self(
            named
                .map(|(kind, name)| (kind.clone(), name.clone()))
                .collect(),
        )
    }

    /// Whether it has no part at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The name of one part: outer none when the part is absent, inner none for the default.
    #[must_use]
    pub fn part(&self, kind: &str) -> Option<Option<&str>> {
        self.0.get(kind).map(Option::as_deref)
    }
}

/// A quota's value and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quota {
    /// Bytes a second, requests percent or changes a second, as the key says.
    pub value: f64,
    /// The ClientQuotaRecord.
    pub record: RecordRef,
}

/// The quotas of one entity by key.
pub type EntityQuotas = BTreeMap<Arc<str>, Quota>;

/// All quotas.
#[derive(Clone, Debug, Default)]
pub struct Quotas {
    by_entity: BTreeMap<Entity, Arc<EntityQuotas>>,
}

impl Quotas {
    /// Entities that have a quota.
    pub fn iter(&self) -> impl Iterator<Item = (&Entity, &Arc<EntityQuotas>)> {
        self.by_entity.iter()
    }

    /// The quotas of one entity.
    #[must_use]
    pub fn get(&self, entity: &Entity) -> Option<&Arc<EntityQuotas>> {
        self.by_entity.get(entity)
    }

    /// How many entities have a quota.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_entity.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_entity.is_empty()
    }

    // Kafka: of two parts of one type in a record the last one counts (ClientQuotasDelta.replay).
    pub(super) fn set(&mut self, at: RecordRef, record: &ClientQuotaRecord<'_>) -> Change {
        let entity = Entity(
            record
                .entity
                .iter()
                .map(|part| {
                    (
                        Arc::from(&*part.entity_type.to_str()),
                        part.entity_name.map(|name| Arc::from(&*name.to_str())),
                    )
                })
                .collect(),
        );
        let key: Arc<str> = record.key.to_str().into();
        let after = (!record.remove).then_some(Quota {
            value: record.value,
            record: at,
        });
        let before = if let Some(quota) = after {
            let quotas = self.by_entity.entry(entity.clone()).or_default();
            Arc::make_mut(quotas).insert(key.clone(), quota)
        } else if let Some(quotas) = self.by_entity.get_mut(&entity) {
            let quotas = Arc::make_mut(quotas);
            let before = quotas.remove(&key);
            if quotas.is_empty() {
                self.by_entity.remove(&entity);
            }
            before
        } else {
            None
        };
        if before.is_none() && after.is_none() {
            return Change::None;
        }
        Change::Quota {
            entity,
            key,
            before,
            after,
        }
    }
}
