//! ACLs, SCRAM credentials and delegation tokens (`AclsDelta`, `ScramDelta`, `DelegationTokenDelta`): each
//! the record that set it.

use super::change::Change;
use super::conflict::Conflict;
use crate::finding::Code;
use crate::ids::Uuid;
use crate::record::{
    AccessControlEntryRecord, DelegationTokenRecord, RemoveUserScramCredentialRecord, Text,
    UserScramCredentialRecord,
};
use crate::source::RecordRef;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// ACLs by id.
#[derive(Clone, Debug, Default)]
pub struct Acls(HashMap<Uuid, RecordRef>);

impl Acls {
    /// All of them, in no order, each with its AccessControlEntryRecord.
    pub fn iter(&self) -> impl Iterator<Item = (Uuid, RecordRef)> {
        self.0.iter().map(|(&id, &record)| (id, record))
    }

    /// The record of one.
    #[must_use]
    pub fn get(&self, id: Uuid) -> Option<RecordRef> {
        self.0.get(&id).copied()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn add(&mut self, at: RecordRef, record: &AccessControlEntryRecord<'_>) -> Change {
        let before = self.0.insert(record.id, at);
        Change::Acl {
            id: record.id,
            before,
            after: Some(at),
        }
    }

    pub(super) fn remove(&mut self, at: RecordRef, id: Uuid) -> Result<Change, Conflict> {
        match self.0.remove(&id) {
            Some(before) => Ok(Change::Acl {
                id,
                before: Some(before),
                after: None,
            }),
            None => Err(Conflict::new(
                Code::UnknownAcl,
                at,
                format!("ACL {id} is removed and does not exist"),
            )),
        }
    }

    pub(super) fn settle(&mut self) {
        self.0.shrink_to_fit();
    }
}

/// SCRAM credentials by mechanism code and user.
#[derive(Clone, Debug, Default)]
pub struct Scram(BTreeMap<(i8, Arc<str>), RecordRef>);

impl Scram {
    /// All of them: mechanism code, user, UserScramCredentialRecord.
    pub fn iter(&self) -> impl Iterator<Item = (i8, &Arc<str>, RecordRef)> {
        self.0
            .iter()
            .map(|((mechanism, user), &record)| (*mechanism, user, record))
    }

    /// The record of one.
    #[must_use]
    pub fn get(&self, mechanism: i8, user: &str) -> Option<RecordRef> {
        self.0.get(&(mechanism, Arc::from(user))).copied()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn set(&mut self, at: RecordRef, record: &UserScramCredentialRecord<'_>) -> Change {
        let user: Arc<str> = record.name.to_str().into();
        let before = self.0.insert((record.mechanism, user.clone()), at);
        Change::Scram {
            mechanism: record.mechanism,
            user,
            before,
            after: Some(at),
        }
    }

    // Kafka: the image tolerates an absent user; ScramControlManager stops at it.
    pub(super) fn remove(
        &mut self,
        at: RecordRef,
        record: &RemoveUserScramCredentialRecord<'_>,
    ) -> (Change, Option<Conflict>) {
        let user: Arc<str> = record.name.to_str().into();
        let before = self.0.remove(&(record.mechanism, user.clone()));
        if before.is_none() {
            let summary = format!("the SCRAM credential of {user:?} is removed and does not exist");
            return (
                Change::None,
                Some(Conflict::new(Code::RemovesNothing, at, summary).applied()),
            );
        }
        (
            Change::Scram {
                mechanism: record.mechanism,
                user,
                before,
                after: None,
            },
            None,
        )
    }
}

/// Delegation tokens by id.
#[derive(Clone, Debug, Default)]
pub struct Tokens(BTreeMap<Arc<str>, RecordRef>);

impl Tokens {
    /// All of them by id, each with its DelegationTokenRecord.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, RecordRef)> {
        self.0.iter().map(|(id, &record)| (id, record))
    }

    /// The record of one.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<RecordRef> {
        self.0.get(id).copied()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    // Kafka: SecurityUtils.parseKafkaPrincipal wants type:name of owner, requester and renewers.
    pub(super) fn set(
        &mut self,
        at: RecordRef,
        record: &DelegationTokenRecord<'_>,
    ) -> Result<Change, Conflict> {
        let principal = |text: Text<'_>| text.bytes().contains(&b':');
        if !principal(record.owner)
            || !principal(record.requester)
            || !record.renewers.iter().all(principal)
        {
            return Err(Conflict::new(
                Code::InvalidValue,
                at,
                "a principal of the delegation token has no colon",
            ));
        }
        let id: Arc<str> = record.token_id.to_str().into();
        let before = self.0.insert(id.clone(), at);
        Ok(Change::Token {
            id,
            before,
            after: Some(at),
        })
    }

    pub(super) fn remove(&mut self, id: Text<'_>) -> Change {
        let id: Arc<str> = id.to_str().into();
        match self.0.remove(&id) {
            Some(before) => Change::Token {
                id,
                before: Some(before),
                after: None,
            },
            None => Change::None,
        }
    }
}
