//! The metadata transactions of the segments, found before anything is printed: whether a record
//! applies is only told by a later one.

use crate::log::Log;
use crate::record::{self, Frame, MetadataRecord};
use crate::source::RecordRef;

/// A transaction that records stand in.
#[derive(Clone, Debug)]
pub(super) struct Within {
    pub(super) name: Option<String>,
    pub(super) begin: RecordRef,
    /// The record that ends it.
    pub(super) end: Option<RecordRef>,
    pub(super) fate: Fate,
}

/// How a transaction ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Committed,
    Aborted,
    Open,
}

impl Fate {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Committed => "committed",
            Self::Aborted => "aborted",
            Self::Open => "open",
        }
    }
}

/// All transactions, in the order they begin.
#[derive(Debug, Default)]
pub(super) struct Transactions(Vec<Within>);

impl Transactions {
    pub(super) fn get(&self, n: usize) -> Option<&Within> {
        self.0.get(n)
    }

    /// Finds them by the controller's rules: a begin inside another changes nothing, an end outside
    /// ends nothing.
    pub(super) fn of(log: &Log) -> Self {
        let mut found: Vec<Within> = Vec::new();
        let mut open = false;
        let batches = log.batches().filter(|batch| {
            batch.is_trusted() && !batch.in_checkpoint() && !batch.header().is_control()
        });
        for record in batches
            .flat_map(|batch| batch.records())
            .filter_map(Result::ok)
        {
            let value = record.value().unwrap_or_default();
            if !Frame::parse(value).is_ok_and(|frame| matches!(frame.api_key, 23..=25)) {
                continue;
            }
            let at = record.reference();
            let fate = match record::read(value).map(|reading| reading.record) {
                Ok(MetadataRecord::BeginTransaction(begin)) if !open => {
                    open = true;
                    found.push(Within {
                        name: begin.name.value().map(|name| name.to_str().into_owned()),
                        begin: at,
                        end: None,
                        fate: Fate::Open,
                    });
                    continue;
                }
                Ok(MetadataRecord::EndTransaction(_)) if open => Fate::Committed,
                Ok(MetadataRecord::AbortTransaction(_)) if open => Fate::Aborted,
                _ => continue,
            };
            open = false;
            if let Some(last) = found.last_mut() {
                last.end = Some(at);
                last.fate = fate;
            }
        }
        Self(found)
    }
}
