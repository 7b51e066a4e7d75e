//! Access rules, SCRAM users and delegation tokens.

use super::cluster::{Cluster, Step};
use kraftlens::record::record;

const PRINCIPALS: &[&str] = &[
    "User:alice",
    "User:*",
    "User:CN=a,OU=b c,O=d",
    "Group:ops",
    "User:",
    "User:größe",
    "a:b:c",
];

impl Cluster {
    pub(super) fn change_acl(&mut self, step: &mut Step<'_>) {
        if !self.acls.is_empty() && step.random.percent(40) {
            let at = step.random.below(self.acls.len());
            let id = self.acls.remove(at);
            step.push(record("RemoveAccessControlEntryRecord", 0).set("Id", id));
            return;
        }
        let id = step.random.uuid();
        let resource = if step.random.percent(50) {
            "*".to_owned()
        } else {
            step.random.odd_text()
        };
        let mut hosts = vec!["*", "10.0.0.1", "::1"];
        if self.level >= 32 {
            hosts.push("10.0.0.0/8");
        }
        let new = record("AccessControlEntryRecord", 0)
            .set("Id", id)
            .set("ResourceType", step.random.within(2, 7) as i8)
            .set("ResourceName", resource)
            .set("PatternType", step.random.within(3, 4) as i8)
            .set("Principal", *step.random.pick(PRINCIPALS))
            .set("Host", *step.random.pick(&hosts))
            .set("Operation", step.random.within(2, 15) as i8)
            .set("PermissionType", step.random.within(2, 3) as i8);
        step.push(new);
        self.acls.push(id);
    }

    pub(super) fn change_scram(&mut self, step: &mut Step<'_>) {
        if self.level < 11 {
            return;
        }
        let known: Vec<_> = self.scram.iter().cloned().collect();
        if !known.is_empty() && step.random.percent(35) {
            let (mechanism, user) = step.random.pick(&known).clone();
            if !stays_clear(step, mechanism, false) {
                return;
            }
            step.push(
                record("RemoveUserScramCredentialRecord", 0)
                    .set("Name", &user)
                    .set("Mechanism", mechanism),
            );
            self.scram.remove(&(mechanism, user));
            return;
        }
        let mechanism = step.random.within(1, 2) as i8;
        if !stays_clear(step, mechanism, true) {
            return;
        }
        let user = step.random.odd_text();
        let length = if mechanism == 1 { 32 } else { 64 };
        let new = record("UserScramCredentialRecord", 0)
            .set("Name", &user)
            .set("Mechanism", mechanism)
            .set("Salt", &step.random.bytes(17)[..])
            .set("StoredKey", &step.random.bytes(length)[..])
            .set("ServerKey", &step.random.bytes(length)[..])
            .set("Iterations", step.random.within(4096, 16384) as i32);
        step.push(new);
        self.scram.insert((mechanism, user));
    }

    pub(super) fn change_token(&mut self, step: &mut Step<'_>) {
        if self.level < 14 {
            return;
        }
        if !self.tokens.is_empty() && step.random.percent(35) {
            let at = step.random.below(self.tokens.len());
            let id = self.tokens.remove(at);
            step.push(record("RemoveDelegationTokenRecord", 0).set("TokenId", id));
            return;
        }
        let renewed = !self.tokens.is_empty() && step.random.percent(30);
        let id = if renewed {
            step.random.pick(&self.tokens).clone()
        } else {
            step.random.uuid().to_string()
        };
        let count = step.random.below(4);
        let renewers = step.random.some(PRINCIPALS, count);
        let new = record("DelegationTokenRecord", 0)
            .set("Owner", *step.random.pick(PRINCIPALS))
            .set("Requester", *step.random.pick(PRINCIPALS))
            .set("Renewers", renewers)
            .set("IssueTimestamp", step.now)
            .set("MaxTimestamp", step.now + 604_800_000)
            .set(
                "ExpirationTimestamp",
                step.now + step.random.within(0, 86_400_000),
            )
            .set("TokenId", &id);
        step.push(new);
        if !renewed {
            self.tokens.push(id);
        }
    }
}

/// Whether a user of a mechanism may be set or removed now.
// Kafka: ScramDelta.apply drops the mechanism with its last user and goes on to fill the dropped map, so
// a user who is set in the same flush is lost or not, as the hash order has it.
fn stays_clear(step: &mut Step<'_>, mechanism: i8, set: bool) -> bool {
    step.unpublished.scram.insert((mechanism, set));
    !step.unpublished.scram.contains(&(mechanism, !set))
}
