//! Brokers and controllers: registrations and what becomes of them.

use super::MOST_VOTERS;
use super::cluster::{Broker, Cluster, Step, broker_version};
use kraftlens::ids::Uuid;
use kraftlens::record::{Fields, RecordBuilder, fields, record};

const BROKERS: &[i32] = &[0, 1, 2, 3, 10, 11, 100, i32::MAX];
const LISTENERS: &[&str] = &[
    "PLAINTEXT",
    "EXTERNAL",
    "CONTROLLER",
    "SSL-2",
    "b.internal",
    "Ünter",
];
const HOSTS: &[&str] = &[
    "localhost",
    "broker-1.example",
    "10.0.0.1",
    "::1",
    "",
    "host-日本",
];
const FEATURES: &[&str] = &[
    "kraft.version",
    "transaction.version",
    "group.version",
    "eligible.leader.replicas.version",
    "share.version",
    "streams.version",
    "test.feature.version",
];
/// A controller with this in its registration is gone for good.
const MARK: &str = "__decommissioned_controller";

impl Cluster {
    pub(super) fn register_broker(&mut self, step: &mut Step<'_>) {
        let id = *step.random.pick(BROKERS);
        let known = self.brokers.get(&id).cloned();
        let same = known.clone().filter(|_| step.random.percent(30));
        if known.is_some() && same.is_none() {
            // What was left of the incarnation before goes first, in the same batch.
            self.leave_every_isr(step, id);
        }
        let broker = same.unwrap_or_else(|| Broker {
            epoch: step.base,
            incarnation: step.random.uuid(),
            fenced: step.random.percent(80),
            shutdown: false,
            directories: (0..step.random.below(4))
                .map(|_| step.random.uuid())
                .collect(),
        });
        let highest = broker_version(self.level);
        // An older software at the same level registered at a lower version.
        let version = if step.random.percent(90) {
            highest
        } else {
            step.random.within(1, highest.into()) as i16
        };
        let mut new = record("RegisterBrokerRecord", version)
            .set("BrokerId", id)
            .set("IncarnationId", broker.incarnation)
            .set("BrokerEpoch", broker.epoch)
            .set("EndPoints", endpoints(step))
            .set("Features", ranges(step, false))
            .set("Fenced", broker.fenced)
            .set("InControlledShutdown", broker.shutdown);
        if step.random.percent(60) {
            let rack = *step.random.pick(&["r1", "rack b", "", "ラック", "a, b]"]);
            new = new.set("Rack", rack);
        } else {
            new = new.set("Rack", None::<&str>);
        }
        if version >= 2 && (8..22).contains(&self.level) && step.random.percent(10) {
            new = new.set("IsMigratingZkBroker", true);
        }
        if version >= 3 {
            new = new.set("LogDirs", broker.directories.clone());
        }
        if version >= 4 && step.random.percent(70) {
            new = new.set("CordonedLogDirs", cordoned(step, &broker.directories));
        }
        step.push(new);
        self.brokers.insert(id, broker);
    }

    pub(super) fn change_broker(&mut self, step: &mut Step<'_>) {
        let ids = self.broker_ids();
        if ids.is_empty() {
            return;
        }
        let id = *step.random.pick(&ids);
        let mut broker = self.brokers[&id].clone();
        let kind = step.random.below(10);
        match kind {
            0..4 if !broker.fenced => {
                broker.fenced = true;
                self.leave_every_isr(step, id);
                let new =
                    self.fencing(step.random.percent(80), id, &broker, 1, "FenceBrokerRecord");
                step.push(new);
            }
            0..5 if broker.fenced => {
                broker.fenced = false;
                let new = self.fencing(
                    step.random.percent(80),
                    id,
                    &broker,
                    -1,
                    "UnfenceBrokerRecord",
                );
                step.push(new);
            }
            5 | 6 => {
                broker.shutdown = true;
                step.push(
                    self.registration_change(id, &broker, 1)
                        .set("InControlledShutdown", 1i8),
                );
            }
            7 if self.level >= 17 => {
                let more = step.random.uuid();
                broker.directories.push(more);
                if broker.directories.len() > 3 {
                    broker.directories.remove(0);
                }
                let change = self.registration_change(id, &broker, 2);
                step.push(change.set("LogDirs", broker.directories.clone()));
            }
            8 | 9 if self.level >= 30 => {
                let mut change = self
                    .registration_change(id, &broker, 3)
                    .set("CordonedLogDirs", cordoned(step, &broker.directories));
                if step.random.percent(20) {
                    change = change.set("Fenced", if broker.fenced { -1i8 } else { 1 });
                    broker.fenced = !broker.fenced;
                }
                step.push(change);
            }
            _ => return,
        }
        self.brokers.insert(id, broker);
    }

    /// The old form has a record for each way; it was written below 3.3-IV2 and still counts.
    fn fencing(&self, new: bool, id: i32, broker: &Broker, value: i8, old: &str) -> RecordBuilder {
        if new {
            self.registration_change(id, broker, 0).set("Fenced", value)
        } else {
            record(old, 0).set("Id", id).set("Epoch", broker.epoch)
        }
    }

    fn registration_change(&self, id: i32, broker: &Broker, needs: i16) -> RecordBuilder {
        record("BrokerRegistrationChangeRecord", needs)
            .set("BrokerId", id)
            .set("BrokerEpoch", broker.epoch)
    }

    pub(super) fn unregister_broker(&mut self, step: &mut Step<'_>) {
        let ids = self.broker_ids();
        if ids.len() < 2 {
            return;
        }
        let id = *step.random.pick(&ids);
        self.leave_every_isr(step, id);
        let broker = self.brokers.remove(&id).expect("it was picked from there");
        step.push(
            record("UnregisterBrokerRecord", 0)
                .set("BrokerId", id)
                .set("BrokerEpoch", broker.epoch),
        );
    }

    pub(super) fn change_controller(&mut self, step: &mut Step<'_>) {
        if self.level < 15 {
            return;
        }
        let known: Vec<i32> = self.controllers.iter().copied().collect();
        if self.level >= 33 && !known.is_empty() && step.random.percent(30) {
            let id = *step.random.pick(&known);
            self.controllers.remove(&id);
            step.push(record("UnregisterControllerRecord", 0).set("ControllerId", id));
            return;
        }
        let id = 3000 + step.random.below(7) as i32;
        self.controllers.insert(id);
        // A voter is never gone for good.
        let mark = id >= 3000 + MOST_VOTERS && step.random.percent(50);
        let new = record("RegisterControllerRecord", 0)
            .set("ControllerId", id)
            .set("IncarnationId", step.random.uuid())
            .set("ZkMigrationReady", step.random.percent(20))
            .set("EndPoints", endpoints(step))
            .set("Features", ranges(step, mark));
        step.push(new);
    }
}

fn endpoints(step: &mut Step<'_>) -> Vec<Fields> {
    let count = 1 + step.random.below(3);
    step.random
        .some(LISTENERS, count)
        .into_iter()
        .map(|name| {
            fields()
                .set("Name", name)
                .set("Host", *step.random.pick(HOSTS))
                .set("Port", *step.random.pick(&[9092u16, 0, 65535, 9093]))
                .set("SecurityProtocol", step.random.below(4) as i16)
        })
        .collect()
}

fn ranges(step: &mut Step<'_>, mark: bool) -> Vec<Fields> {
    let range = |name: &str, low: i16, high: i16| {
        fields()
            .set("Name", name)
            .set("MinSupportedVersion", low)
            .set("MaxSupportedVersion", high)
    };
    if mark && step.random.percent(20) {
        return vec![range(MARK, 1, 1)];
    }
    let open = step.random.percent(10);
    let highest = if open {
        i16::MAX
    } else {
        step.random.within(30, 34) as i16
    };
    let mut all = vec![range("metadata.version", 7, highest)];
    let count = step.random.below(FEATURES.len());
    for name in step.random.some(FEATURES, count) {
        let low = step.random.below(2) as i16;
        let high = if open {
            i16::MAX
        } else {
            low + step.random.below(3) as i16
        };
        all.push(range(name, low, high));
    }
    if mark {
        all.push(range(MARK, 1, 1));
    }
    all
}

/// Some of the directories, perhaps none, which is not the same as not saying.
fn cordoned(step: &mut Step<'_>, directories: &[Uuid]) -> Vec<Uuid> {
    let count = step.random.below(directories.len() + 1);
    step.random.some(directories, count)
}
