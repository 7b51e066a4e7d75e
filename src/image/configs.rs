//! Dynamic configs (`ConfigurationsDelta`): by resource and key, each the ConfigRecord that set it.
//!
//! Keys that Kafka 4.2 and later drop when they load a record are kept: they are in the log.

use super::change::Change;
use crate::record::ConfigRecord;
use crate::source::RecordRef;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a config belongs to. An empty name is the default of the type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Resource {
    /// `ConfigResource.Type` code: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
    pub kind: i8,
    /// Its name: a topic, a node id, a group, ...
    pub name: Arc<str>,
}

/// The configs of one resource.
pub type ResourceConfigs = BTreeMap<Arc<str>, RecordRef>;

/// All configs.
#[derive(Clone, Debug, Default)]
pub struct Configs {
    by_resource: BTreeMap<Resource, Arc<ResourceConfigs>>,
}

impl Configs {
    /// Resources that have a config, by type code and name.
    pub fn iter(&self) -> impl Iterator<Item = (&Resource, &Arc<ResourceConfigs>)> {
        self.by_resource.iter()
    }

    /// The configs of one resource.
    #[must_use]
    pub fn get(&self, resource: &Resource) -> Option<&Arc<ResourceConfigs>> {
        self.by_resource.get(resource)
    }

    /// How many resources have a config.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_resource.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_resource.is_empty()
    }

    // Kafka: ConfigurationDelta.replay: null deletes, an empty string is a value; a resource goes with
    // its last key.
    pub(super) fn set(&mut self, at: RecordRef, record: &ConfigRecord<'_>) -> Change {
        let resource = Resource {
            kind: record.resource_type,
            name: record.resource_name.to_str().into(),
        };
        let key: Arc<str> = record.name.to_str().into();
        let after = record.value.is_some().then_some(at);
        let before = if after.is_some() {
            let configs = self.by_resource.entry(resource.clone()).or_default();
            Arc::make_mut(configs).insert(key.clone(), at)
        } else if let Some(configs) = self.by_resource.get_mut(&resource) {
            let configs = Arc::make_mut(configs);
            let before = configs.remove(&key);
            if configs.is_empty() {
                self.by_resource.remove(&resource);
            }
            before
        } else {
            None
        };
        if before.is_none() && after.is_none() {
            return Change::None;
        }
        Change::Config {
            resource,
            key,
            before,
            after,
        }
    }

    // Kafka: ConfigurationControlManager.deleteTopicConfigs; the image loaders of brokers do so only for
    // configs that an earlier flush knew (ConfigurationsDelta.replay(RemoveTopicRecord)).
    pub(super) fn remove_topic(&mut self, name: &Arc<str>) -> Option<Arc<ResourceConfigs>> {
        self.by_resource.remove(&Resource {
            kind: 2,
            name: name.clone(),
        })
    }
}
