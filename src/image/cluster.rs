//! Brokers and controllers: what `ClusterDelta`, `BrokerRegistration` and `ControllerRegistration` do,
//! with the marks of controllers that left for good.

use super::change::Change;
use super::conflict::Conflict;
use super::records::Records;
use crate::facts::marks;
use crate::finding::Code;
use crate::ids::Uuid;
use crate::record::{
    Array, BrokerRegistrationChangeRecord, RegisterBrokerRecord, RegisterControllerRecord,
};
use crate::source::RecordRef;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A broker's registration. What the registration record itself says is read from it when asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broker {
    /// `node.id`.
    pub id: i32,
    /// The broker epoch that its records must carry.
    pub epoch: i64,
    /// The process that registered.
    pub incarnation: Uuid,
    /// Whether it is fenced: takes no leadership, serves no clients.
    pub fenced: bool,
    /// Whether it is going down in an orderly way.
    pub in_controlled_shutdown: bool,
    /// The RegisterBrokerRecord.
    pub registration: RecordRef,
    /// The record that last changed it.
    pub last: RecordRef,
    /// The record that set `fenced`.
    pub fenced_by: RecordRef,
    log_dirs: RecordRef,
    cordoned: RecordRef,
}

/// A controller's registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Controller {
    /// `node.id`.
    pub id: i32,
    /// The process that registered.
    pub incarnation: Uuid,
    /// The RegisterControllerRecord.
    pub registration: RecordRef,
    /// The mark, while the registration has one.
    pub mark: Option<Mark>,
}

/// That a controller left for good: its registration names `__decommissioned_controller`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The first record since the last unmarked registration that has the mark.
    pub since: RecordRef,
    /// The registration that the mark replaced, when the files hold it.
    pub replaced: Option<RecordRef>,
}

/// A broker with what its records say of it.
#[derive(Clone, Copy, Debug)]
pub struct BrokerView<'a> {
    /// Its state.
    pub broker: &'a Broker,
    /// The registration.
    pub registration: RegisterBrokerRecord<'a>,
    /// `log.dirs` as directory ids, in the record's order.
    pub log_dirs: Array<'a, Uuid>,
    /// Cordoned directories: none when the broker has not said.
    pub cordoned: Option<Array<'a, Uuid>>,
}

/// Brokers and controllers by id.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    brokers: BTreeMap<i32, Arc<Broker>>,
    controllers: BTreeMap<i32, Arc<Controller>>,
}

impl Cluster {
    /// Registered brokers by rising id.
    #[must_use]
    pub fn brokers(&self) -> &BTreeMap<i32, Arc<Broker>> {
        &self.brokers
    }

    /// Registered controllers by rising id.
    #[must_use]
    pub fn controllers(&self) -> &BTreeMap<i32, Arc<Controller>> {
        &self.controllers
    }

    pub(super) fn view<'a>(
        &self,
        broker: &'a Broker,
        records: Records<'a>,
    ) -> Option<BrokerView<'a>> {
        let registration = records.broker(broker.registration)?;
        let change = |at: RecordRef| match records.read(at) {
            Some(crate::record::MetadataRecord::BrokerRegistrationChange(change)) => Some(change),
            _ => None,
        };
        Some(BrokerView {
            broker,
            registration,
            log_dirs: if broker.log_dirs == broker.registration {
                registration.log_dirs.value()
            } else {
                change(broker.log_dirs)?.log_dirs.value()
            },
            cordoned: if broker.cordoned == broker.registration {
                registration.cordoned_log_dirs.value()
            } else {
                change(broker.cordoned)?.cordoned_log_dirs.value()
            },
        })
    }

    // Kafka: ClusterDelta.replay(RegisterBrokerRecord) replaces the registration whole.
    pub(super) fn register_broker(
        &mut self,
        at: RecordRef,
        record: &RegisterBrokerRecord<'_>,
    ) -> Result<Change, Conflict> {
        // Kafka: Endpoint refuses an empty listener name; an unknown security protocol becomes null.
        if record.end_points.iter().any(|e| e.name.bytes().is_empty()) {
            return Err(Conflict::new(
                Code::InvalidValue,
                at,
                format!(
                    "broker {} registers a listener without a name",
                    record.broker_id
                ),
            ));
        }
        let broker = Arc::new(Broker {
            id: record.broker_id,
            epoch: record.broker_epoch,
            incarnation: record.incarnation_id,
            fenced: record.fenced,
            in_controlled_shutdown: record.in_controlled_shutdown.value(),
            registration: at,
            last: at,
            fenced_by: at,
            log_dirs: at,
            cordoned: at,
        });
        let before = self.brokers.insert(broker.id, broker.clone());
        Ok(Change::Broker {
            id: broker.id,
            before,
            after: Some(broker),
        })
    }

    // Kafka: the image checks neither epoch nor existence here; ClusterControlManager stops at both.
    pub(super) fn unregister_broker(
        &mut self,
        at: RecordRef,
        id: i32,
        epoch: i64,
    ) -> (Change, Option<Conflict>) {
        let before = self.brokers.remove(&id);
        let remark = match &before {
            None => Some(
                Conflict::new(
                    Code::RemovesNothing,
                    at,
                    format!("broker {id} is unregistered and was not registered"),
                )
                .applied(),
            ),
            Some(broker) if broker.epoch != epoch => {
                Some(epoch_conflict(at, broker, epoch).applied())
            }
            Some(_) => None,
        };
        (
            Change::Broker {
                id,
                before,
                after: None,
            },
            remark,
        )
    }

    fn checked(&self, at: RecordRef, id: i32, epoch: i64) -> Result<Broker, Conflict> {
        let Some(broker) = self.brokers.get(&id) else {
            return Err(Conflict::new(
                Code::UnknownBroker,
                at,
                format!("broker {id} is changed and is not registered"),
            ));
        };
        if broker.epoch != epoch {
            return Err(epoch_conflict(at, broker, epoch));
        }
        Ok((**broker).clone())
    }

    fn put(&mut self, broker: Broker) -> Change {
        let id = broker.id;
        let after = Arc::new(broker);
        let before = self.brokers.insert(id, after.clone());
        Change::Broker {
            id,
            before,
            after: Some(after),
        }
    }

    /// FenceBrokerRecord and UnfenceBrokerRecord, the old forms.
    pub(super) fn fence(
        &mut self,
        at: RecordRef,
        id: i32,
        epoch: i64,
        fenced: bool,
    ) -> Result<Change, Conflict> {
        let mut broker = self.checked(at, id, epoch)?;
        (broker.fenced, broker.fenced_by, broker.last) = (fenced, at, at);
        Ok(self.put(broker))
    }

    // Kafka: ClusterDelta.replay(BrokerRegistrationChangeRecord), BrokerRegistrationFencingChange and
    // BrokerRegistrationInControlledShutdownChange: shutdown can be set and never cleared by a change.
    pub(super) fn change_broker(
        &mut self,
        at: RecordRef,
        record: &BrokerRegistrationChangeRecord<'_>,
    ) -> Result<Change, Conflict> {
        let mut broker = self.checked(at, record.broker_id, record.broker_epoch)?;
        let invalid = |what: &str, expected: &str, found: i8| {
            Conflict::new(
                Code::InvalidValue,
                at,
                format!("change of broker {}: {what} is not known", record.broker_id),
            )
            .values(expected, found.to_string())
        };
        match record.fenced.value() {
            0 => {}
            way @ (1 | -1) => (broker.fenced, broker.fenced_by) = (way == 1, at),
            other => return Err(invalid("fencing", "1, 0 or -1", other)),
        }
        match record.in_controlled_shutdown.value() {
            0 => {}
            1 => broker.in_controlled_shutdown = true,
            other => return Err(invalid("controlled shutdown", "0 or 1", other)),
        }
        if !record.log_dirs.value().is_empty() {
            broker.log_dirs = at;
        }
        if record.cordoned_log_dirs.value().is_some() {
            broker.cordoned = at;
        }
        broker.last = at;
        Ok(self.put(broker))
    }

    // Kafka: ControllerRegistration refuses an unknown security protocol, unlike BrokerRegistration.
    pub(super) fn register_controller(
        &mut self,
        at: RecordRef,
        record: &RegisterControllerRecord<'_>,
    ) -> Result<Change, Conflict> {
        for endpoint in record.end_points.iter() {
            if endpoint.name.bytes().is_empty() {
                return Err(Conflict::new(
                    Code::InvalidValue,
                    at,
                    format!(
                        "controller {} registers a listener without a name",
                        record.controller_id
                    ),
                ));
            }
            if !(0..=3).contains(&endpoint.security_protocol) {
                return Err(Conflict::new(
                    Code::InvalidValue,
                    at,
                    format!(
                        "controller {}: security protocol is not known",
                        record.controller_id
                    ),
                )
                .values("0 to 3", endpoint.security_protocol.to_string()));
            }
        }
        let old = self.controllers.get(&record.controller_id);
        let marked = record
            .features
            .iter()
            .any(|f| f.name.bytes() == marks::DECOMMISSIONED.as_bytes());
        let mark = marked.then(|| match old.and_then(|c| c.mark) {
            Some(mark) => mark,
            None => Mark {
                since: at,
                replaced: old.map(|c| c.registration),
            },
        });
        let controller = Arc::new(Controller {
            id: record.controller_id,
            incarnation: record.incarnation_id,
            registration: at,
            mark,
        });
        let before = self.controllers.insert(controller.id, controller.clone());
        Ok(Change::Controller {
            id: controller.id,
            before,
            after: Some(controller),
        })
    }

    // Kafka: the image tolerates an unknown id; ClusterControlManager stops at it.
    pub(super) fn unregister_controller(
        &mut self,
        at: RecordRef,
        id: i32,
    ) -> (Change, Option<Conflict>) {
        let before = self.controllers.remove(&id);
        let remark = before.is_none().then(|| {
            Conflict::new(
                Code::RemovesNothing,
                at,
                format!("controller {id} is unregistered and was not registered"),
            )
            .applied()
        });
        (
            Change::Controller {
                id,
                before,
                after: None,
            },
            remark,
        )
    }
}

fn epoch_conflict(at: RecordRef, broker: &Broker, epoch: i64) -> Conflict {
    Conflict::new(
        Code::BrokerEpochMismatch,
        at,
        format!(
            "record for broker {} carries epoch {epoch}; the broker is registered with {}",
            broker.id, broker.epoch
        ),
    )
    .values(broker.epoch.to_string(), epoch.to_string())
    .against(
        broker.registration,
        format!("registration with epoch {}", broker.epoch),
    )
}
