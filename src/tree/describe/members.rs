//! The facts of those who make the cluster: brokers, controllers and their marks, voters, leaders.

use super::super::detail::{Facts, Value};
use super::super::{Tree, level_name, version_range};
use super::ids;
use crate::facts::{codes, levels};
use crate::ids::Epoch;
use crate::image::{Controller, Mark, VoterSet};
use crate::record::Text;

impl Tree<'_> {
    pub(super) fn broker(&self, id: i32) -> Option<Facts> {
        let image = self.state().image();
        let broker = image.cluster().brokers().get(&id)?;
        let view = image.broker(broker)?;
        let r = &view.registration;
        // BrokerRegistrationState: fenced counts before controlled shutdown.
        let status = match (broker.fenced, broker.in_controlled_shutdown) {
            (true, _) => "fenced",
            (false, true) => "in controlled shutdown",
            (false, false) => "active",
        };
        let mut facts = Facts::new()
            .with("id", id)
            .with("status", status)
            .with("fenced", broker.fenced)
            .with("inControlledShutdown", broker.in_controlled_shutdown)
            .with("epoch", broker.epoch)
            .with("incarnationId", broker.incarnation)
            .with("rack", r.rack)
            .with(
                "endpoints",
                r.end_points
                    .iter()
                    .map(|e| endpoint(e.name, e.host, e.port, e.security_protocol))
                    .collect::<Vec<_>>(),
            )
            .with(
                "features",
                r.features
                    .iter()
                    .map(|f| feature(f.name, f.min_supported_version, f.max_supported_version))
                    .collect::<Vec<_>>(),
            )
            .with("isMigratingZkBroker", r.is_migrating_zk_broker.value())
            .with("logDirs", ids(view.log_dirs.iter()))
            .with(
                "cordonedLogDirs",
                view.cordoned.map(|dirs| ids(dirs.iter())),
            );
        match r.static_configs.present() {
            Some(configs) => facts.add("staticConfigs", configs.len()),
            None => facts.add("staticConfigs", "not reported"),
        }
        if broker.last != broker.registration {
            facts.add("registered", self.origin_facts(broker.registration));
        }
        Some(facts)
    }

    pub(super) fn controller(&self, controller: &Controller) -> Option<Facts> {
        let image = self.state().image();
        let r = image.records().controller(controller.registration)?;
        let voter = image
            .quorum()
            .voters()
            .is_some_and(|set| set.voters.iter().any(|v| v.id.0 == controller.id));
        let mut facts = Facts::new().with("id", controller.id);
        // The mark has a line of its own and does not stand among the features.
        match controller.mark {
            Some(mark) => facts.add("marked", self.mark(mark, controller)),
            None => facts.add("marked", false),
        }
        if image.quorum().voters().is_some() {
            facts.add("voter", voter);
        }
        let features = r.features.iter().filter(|f| !is_mark(f.name));
        Some(
            facts
                .with("incarnationId", controller.incarnation)
                .with("zkMigrationReady", r.zk_migration_ready)
                .with(
                    "endpoints",
                    r.end_points
                        .iter()
                        .map(|e| endpoint(e.name, e.host, e.port, e.security_protocol))
                        .collect::<Vec<_>>(),
                )
                .with(
                    "features",
                    features
                        .map(|f| feature(f.name, f.min_supported_version, f.max_supported_version))
                        .collect::<Vec<_>>(),
                ),
        )
    }

    pub(super) fn mark(&self, mark: Mark, controller: &Controller) -> Facts {
        let image = self.state().image();
        let mut facts = Facts::new().with("decommissioned", true);
        if let Some(origin) = image.log().origin(mark.since) {
            let since = if origin.in_checkpoint {
                "sinceAtLatest"
            } else {
                "since"
            };
            facts.add(since, origin.offset);
            facts.add("time", origin.time);
            facts.add("epoch", origin.epoch);
            if let Some(leader) = image.quorum().leader_of(origin.epoch) {
                facts.add("by", leader.leader);
            }
        }
        if let Some(r) = image.records().controller(controller.registration) {
            let mut entries = r.features.iter().filter(|f| is_mark(f.name));
            if let Some(entry) = entries.next() {
                let range = version_range(entry.min_supported_version, entry.max_supported_version);
                facts.add(
                    "entry",
                    format!("{} {range}", crate::facts::marks::DECOMMISSIONED),
                );
            }
            let rest = r.features.iter().filter(|f| !is_mark(f.name));
            let permissive = rest.clone().any(|f| f.max_supported_version == i16::MAX);
            let form = match (rest.count(), permissive) {
                (0, _) => "mark alone, with no ranges",
                (_, true) => "mark and permissive ranges",
                (_, false) => "mark beside the ranges it had",
            };
            facts.add("form", form);
        }
        facts
    }

    pub(super) fn voter(&self, set: &VoterSet, id: i32) -> Option<Facts> {
        let image = self.state().image();
        let voter = set.voters.iter().find(|v| v.id.0 == id)?;
        let endpoints = voter.endpoints.iter().map(|e| {
            Facts::new()
                .with("name", &*e.name)
                .with("host", &*e.host)
                .with("port", e.port)
                .line(format!("{}  {}:{}", e.name, e.host, e.port))
        });
        let controller = image.cluster().controllers().get(&id);
        let mut facts = Facts::new()
            .with("id", voter.id)
            .with("directoryId", voter.directory)
            .with("endpoints", endpoints.collect::<Vec<_>>())
            .with(
                "kraftVersion",
                version_range(voter.kraft_version.0, voter.kraft_version.1),
            )
            .with("registered", controller.is_some());
        if controller.is_some_and(|c| c.mark.is_some()) {
            facts.add("marked", true);
        }
        Some(facts)
    }

    pub(super) fn leader(&self, epoch: Epoch) -> Option<Facts> {
        let leadership = self.state().image().quorum().leader_of(epoch)?;
        let list = |ids: &[crate::ids::NodeId]| {
            Value::List(ids.iter().map(|&id| Value::from(id)).collect())
        };
        Some(
            Facts::new()
                .with("epoch", epoch)
                .with("leader", leadership.leader)
                .with("voters", list(&leadership.voters))
                .with("grantingVoters", list(&leadership.granting)),
        )
    }
}

fn endpoint(name: Text<'_>, host: Text<'_>, port: u16, protocol: i16) -> Facts {
    let protocol = codes::SecurityProtocol(protocol).readable();
    Facts::new()
        .with("name", name)
        .with("host", host)
        .with("port", port)
        .with("securityProtocol", protocol.to_string())
        .line(format!(
            "{}  {}:{port}  {protocol}",
            name.to_str(),
            host.to_str()
        ))
}

fn feature(name: Text<'_>, min: i16, max: i16) -> Facts {
    let mut facts = Facts::new()
        .with("name", name)
        .with("min", min)
        .with("max", max);
    let mut line = format!("{}  {}", name.to_str(), version_range(min, max));
    if name.bytes() == levels::METADATA_VERSION.as_bytes() {
        let open = max == i16::MAX;
        let [first, last] = [min, max].map(|level| level_name(level).into_owned());
        line.push_str(&if open {
            format!("  ({first} and all later)")
        } else {
            format!("  ({first} to {last})")
        });
        facts.add("minName", first);
        facts.add("maxName", (!open).then_some(last));
    }
    facts.line(line)
}

fn is_mark(name: Text<'_>) -> bool {
    name.bytes() == crate::facts::marks::DECOMMISSIONED.as_bytes()
}
