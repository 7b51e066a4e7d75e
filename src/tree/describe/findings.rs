//! The facts of findings: what is wrong, where and when, what is lost, what Kafka does.

use super::super::detail::{Facts, Value};
use super::super::{REDACTED, Tree};
use crate::error::Place;
use crate::facts::secrets;
use crate::finding::{Code, Finding, Offered};
use crate::record::Frame;
use crate::text::Hex;

impl Tree<'_> {
    /// A finding as facts, with the times of its places, and the bytes of a record that was not
    /// understood.
    pub(super) fn finding(&self, finding: &Finding) -> Facts {
        let mut facts = finding_facts(finding, &|place| self.place(place));
        let not_understood = matches!(
            finding.code,
            Code::BadFrame
                | Code::PreviewFrame
                | Code::UnknownRecordType
                | Code::UnknownRecordVersion
                | Code::BadRecord
                | Code::LeftoverBytes
                | Code::UnknownTag
        );
        let log = self.state().image().log();
        let record = log.at_place(&finding.place).and_then(|(_, record)| record);
        if let Some(value) = record.and_then(|r| r.value()).filter(|_| not_understood) {
            facts.add("valueSize", Value::Size(value.len() as u64));
            facts.add("value", self.raw_value(value));
        }
        facts
    }

    /// The bytes of a record value that was not understood, the first of them when it is long.
    pub(super) fn raw_value(&self, value: &[u8]) -> String {
        /// Enough for all but the largest records.
        const SHOWN: usize = 1024;
        let api_key = Frame::parse(value).ok().map(|frame| frame.api_key);
        if !self.reveals() && secrets::hides_whole_value(api_key) {
            return REDACTED.to_owned();
        }
        match value.get(..SHOWN) {
            Some(head) if head.len() < value.len() => format!("{}...", Hex(head)),
            _ => Hex(value).to_string(),
        }
    }

    pub(super) fn place(&self, at: &Place) -> Facts {
        let mut facts = place(at);
        let found = self.state().image().log().at_place(at);
        if let Some((batch, record)) = found {
            let time = record.map_or(batch.header().max_timestamp, |r| batch.origin(&r).time);
            facts.add("time", time);
        }
        facts
    }
}

/// A finding as facts: what is wrong, where, what is lost, what Kafka does.
#[must_use]
pub fn finding(finding: &Finding) -> Facts {
    finding_facts(finding, &place)
}

fn finding_facts(finding: &Finding, place: &dyn Fn(&Place) -> Facts) -> Facts {
    let mut facts = Facts::new()
        .with("code", finding.code.as_str())
        .with("severity", finding.severity.to_string())
        .with("summary", &*finding.summary);
    if finding.place != Place::default() {
        facts.add("place", place(&finding.place));
    }
    if let Some(expected) = &finding.expected {
        facts.add("expected", &**expected);
    }
    if let Some(found) = &finding.found {
        facts.add("found", &**found);
    }
    if let Some((other, what)) = &finding.other {
        facts.add("against", place(other).with("what", &**what));
    }
    if let Some(lost) = &finding.lost {
        let mut parts = Facts::new();
        if let Some(records) = lost.records {
            parts.add("records", records);
        }
        if let Some((first, last)) = lost.offsets {
            parts.add("firstOffset", first);
            parts.add("lastOffset", last);
        }
        if let Some(bytes) = lost.bytes {
            parts.add("bytes", Value::Size(bytes));
        }
        facts.add("lost", parts);
    }
    if !finding.offered.is_empty() {
        let offered: Vec<Facts> = finding.offered.iter().map(offered).collect();
        facts.add("offered", offered);
    }
    if let Some(kafka) = &finding.kafka {
        facts.add("kafka", &**kafka);
    }
    if let Some(loads) = finding.rest_loads {
        facts.add("restLoads", loads);
    }
    facts
}

fn offered(batch: &Offered) -> Facts {
    let (first, last) = batch.offsets;
    let crc = match batch.crc {
        Some(crc) => format!("CRC {crc} is right"),
        None => "CRC cannot be checked".to_owned(),
    };
    Facts::new()
        .with(
            "position",
            Value::Id(i64::try_from(batch.position.0).unwrap_or(i64::MAX)),
        )
        .with("bytes", Value::Size(batch.bytes))
        .with("firstOffset", first)
        .with("lastOffset", last)
        .with("epoch", batch.epoch)
        .with("records", batch.records)
        .with("crc", batch.crc.map(|crc| Value::Id(i64::from(crc))))
        .with("applied", false)
        .line(format!(
            "byte {}, {} bytes, offsets {first} to {last}, epoch {}, {} records, {crc}, not applied",
            batch.position, batch.bytes, batch.epoch, batch.records
        ))
}

fn place(place: &Place) -> Facts {
    let mut facts = Facts::new();
    if let Some(file) = &place.file {
        facts.add("file", file.to_string_lossy());
    }
    if let Some(position) = place.position {
        facts.add(
            "position",
            Value::Id(i64::try_from(position.0).unwrap_or(i64::MAX)),
        );
    }
    if let Some(offset) = place.offset {
        facts.add("offset", offset);
    }
    facts
}
