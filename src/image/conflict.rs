//! Records that cannot apply: what they meet, and both sides of it.

use crate::error::Place;
use crate::finding::{Code, Finding, Severity};
use crate::log::Log;
use crate::source::RecordRef;

/// A record that the image refuses, or takes with a remark.
#[derive(Clone, Debug)]
pub struct Conflict(Box<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    code: Code,
    record: RecordRef,
    summary: String,
    values: Option<(String, String)>,
    other: Option<(RecordRef, String)>,
    applied: bool,
    severity: Option<Severity>,
    kafka: Option<&'static str>,
}

impl Conflict {
    pub(super) fn new(code: Code, record: RecordRef, summary: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            code,
            record,
            summary: summary.into(),
            values: None,
            other: None,
            applied: false,
            severity: None,
            kafka: None,
        }))
    }

    pub(super) fn values(mut self, expected: impl Into<String>, found: impl Into<String>) -> Self {
        self.0.values = Some((expected.into(), found.into()));
        self
    }

    /// The record on the other side, and what it says.
    pub(super) fn against(mut self, record: RecordRef, what: impl Into<String>) -> Self {
        self.0.other = Some((record, what.into()));
        self
    }

    /// The record was applied all the same.
    pub(super) fn applied(mut self) -> Self {
        self.0.applied = true;
        self
    }

    pub(super) fn severity(mut self, severity: Severity) -> Self {
        self.0.severity = Some(severity);
        self
    }

    pub(super) fn kafka(mut self, does: &'static str) -> Self {
        self.0.kafka = Some(does);
        self
    }

    /// What kind of conflict it is.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Whether something that was set before the first offset read could be what the record needs.
    pub(super) fn may_lack_history(&self) -> bool {
        match self.0.code {
            Code::UnknownTopic
            | Code::UnknownPartition
            | Code::UnknownBroker
            | Code::UnknownController
            | Code::UnknownAcl
            | Code::RemovesNothing => true,
            // The end of a transaction that began earlier.
            Code::BadTransaction => self.0.other.is_none(),
            _ => false,
        }
    }

    /// The record that meets it.
    #[must_use]
    pub fn record(&self) -> RecordRef {
        self.0.record
    }

    /// The same with places, as a finding.
    #[must_use]
    pub fn finding(self, log: &Log) -> Finding {
        let parts = *self.0;
        let mut finding = Finding::new(parts.code, place(log, parts.record), parts.summary);
        if let Some(severity) = parts.severity {
            finding = finding.severity(severity);
        }
        if let Some((expected, found)) = parts.values {
            finding = finding.values(expected, found);
        }
        if let Some((record, what)) = parts.other {
            finding = finding.against(place(log, record), what);
        }
        finding.rest_loads = Some(true);
        let default = if parts.applied {
            "the controller stops at this record; the image loaders of brokers apply it"
        } else {
            "the controller stops at this record; the image loaders of brokers skip it"
        };
        finding.kafka(parts.kafka.unwrap_or(default))
    }
}

/// The place of a record: file, byte and offset.
#[must_use]
pub fn place(log: &Log, record: RecordRef) -> Place {
    log.origin(record).map_or_else(Place::default, |origin| {
        Place::file(origin.file)
            .at(origin.position)
            .offset(origin.offset)
    })
}
