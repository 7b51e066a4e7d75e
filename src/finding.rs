//! What is wrong or odd, recorded with its place while reading goes on: damage of the bytes, records
//! that cannot apply, and later what audits find, all as one type with one list of codes.

use crate::error::Place;
use crate::ids::{Epoch, Offset, Position};
use serde::Serialize;
use std::fmt;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing, nothing to do.
    Info,
    /// Something is not understood, or lost that was never committed.
    Warning,
    /// Bytes or state are wrong or lost.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $severity:ident;)*) => {
        /// The stable code of a kind of finding. The text form is part of the JSON interface.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// Every code, in the order of the layers that report them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The text form: lower case, words joined by hyphens.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The weight that findings of this code have unless the finder knows better.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    // log: bytes of batches and files
    /// The CRC-32C stored in a batch is not that of its bytes.
    CrcMismatch = "crc-mismatch", Error;
    /// Fewer bytes remain than the last batch announces.
    CutBatch = "cut-batch", Warning;
    /// Zero bytes up to the end of the file.
    ZeroTail = "zero-tail", Warning;
    /// Bytes that begin no batch.
    NotABatch = "not-a-batch", Error;
    /// A magic other than 2.
    UnsupportedMagic = "unsupported-magic", Error;
    /// A batch whose records cannot be decompressed.
    BadCompression = "bad-compression", Error;
    /// A batch whose records expand beyond the limit.
    BatchTooLarge = "batch-too-large", Error;
    /// A record whose frame (lengths, deltas, headers) does not fit its batch.
    BadRecordFrame = "bad-record-frame", Error;
    /// Fewer or more records in a batch than its header counts.
    RecordCountMismatch = "record-count-mismatch", Error;
    /// A record with a key, headers or a timestamp delta, which Kafka's Raft reader refuses.
    UnexpectedRecordForm = "unexpected-record-form", Warning;
    /// Offsets that are missing between two batches.
    OffsetGap = "offset-gap", Error;
    /// A batch that begins before the previous one ended.
    OffsetOverlap = "offset-overlap", Error;
    /// A leader epoch lower than that of an earlier batch.
    EpochFalls = "epoch-falls", Error;
    /// A segment whose first offset is not its name.
    NameMismatch = "name-mismatch", Error;
    /// A checkpoint without its footer.
    NoFooter = "no-footer", Error;
    /// A checkpoint that does not begin with its header.
    NoHeader = "no-header", Error;
    /// A segment was opened by itself, and does not begin at 0.
    HistoryMissing = "history-missing", Warning;
    /// The log starts above 0 and no checkpoint covers its start.
    StateBeforeUnknown = "state-before-unknown", Error;
    /// A checkpoint that ends inside a batch of the log.
    CheckpointInsideBatch = "checkpoint-inside-batch", Info;
    /// A checkpoint that is ahead of the log.
    CheckpointAhead = "checkpoint-ahead", Info;
    /// A segment or checkpoint of the folder that the operating system refuses to open.
    UnreadableFile = "unreadable-file", Error;
    /// A small file beside the log (quorum-state, meta.properties, ...) that does not read.
    BadSideFile = "bad-side-file", Warning;

    // record: meaning of record values
    /// A value whose frame is not version 1.
    BadFrame = "bad-frame", Error;
    /// A frame of the 2.8 preview.
    PreviewFrame = "preview-frame", Error;
    /// A record type that no known release has.
    UnknownRecordType = "unknown-record-type", Warning;
    /// A version above the highest known of a known record type.
    UnknownRecordVersion = "unknown-record-version", Warning;
    /// A record body that does not decode.
    BadRecord = "bad-record", Error;
    /// Bytes left over after a record body.
    LeftoverBytes = "leftover-bytes", Warning;
    /// A tagged field that the schema does not know.
    UnknownTag = "unknown-tag", Warning;
    /// A control record of an unknown type, or one that does not decode.
    BadControlRecord = "bad-control-record", Error;

    // image: records that cannot apply
    /// A record for a topic that does not exist.
    UnknownTopic = "unknown-topic", Error;
    /// A change of a partition that does not exist.
    UnknownPartition = "unknown-partition", Error;
    /// A record for a broker that is not registered.
    UnknownBroker = "unknown-broker", Error;
    /// A record for a controller that is not registered.
    UnknownController = "unknown-controller", Error;
    /// A removal of an ACL that does not exist.
    UnknownAcl = "unknown-acl", Error;
    /// A broker record whose epoch is not the registered one.
    BrokerEpochMismatch = "broker-epoch-mismatch", Error;
    /// Two topics of one name.
    DuplicateTopicName = "duplicate-topic-name", Error;
    /// A field with a value that Kafka refuses.
    InvalidValue = "invalid-value", Error;
    /// As many directories as replicas are needed, and there are not.
    DirectoryCountMismatch = "directory-count-mismatch", Error;
    /// A transaction record where none may be.
    BadTransaction = "bad-transaction", Error;
    /// Records after an abort in the same batch: Kafka's image loader applies the aborted ones.
    AbortedTransactionReturns = "aborted-transaction-returns", Warning;
    /// A transaction that is still open at the end.
    OpenTransaction = "open-transaction", Info;
    /// A record removed something that was not there; Kafka's controller stops at it.
    RemovesNothing = "removes-nothing", Warning;
    /// A marked controller that is a live voter.
    MarkedVoter = "marked-voter", Error;
    /// No record of a metadata.version.
    NoMetadataVersion = "no-metadata-version", Warning;
    /// A record of a version that the finalised metadata.version does not write yet.
    VersionAheadOfLevel = "version-ahead-of-level", Warning;
}

impl Code {
    /// Whether it says that bytes or records are damaged, lost or not understood, rather than that a
    /// state which reads well breaks a rule or deserves a look. Exit status 1 and `--strict` go by it.
    #[must_use]
    pub fn is_damage(self) -> bool {
        !matches!(
            self,
            Self::HistoryMissing
                | Self::CheckpointInsideBatch
                | Self::CheckpointAhead
                | Self::AbortedTransactionReturns
                | Self::OpenTransaction
                | Self::MarkedVoter
                | Self::NoMetadataVersion
                | Self::VersionAheadOfLevel
        )
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// One thing that is wrong or odd. Text fields are plain words; names from the input inside them are
/// raw, and whoever prints escapes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its kind.
    pub code: Code,
    /// Its weight.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
    /// One sentence: what is wrong.
    pub summary: String,
    /// What should stand there.
    pub expected: Option<String>,
    /// What stands there.
    pub found: Option<String>,
    /// What is lost by it.
    pub lost: Option<Lost>,
    /// What can be read in or after the place all the same, and is not applied.
    pub offered: Vec<Offered>,
    /// What Kafka does with it at start, in words.
    pub kafka: Option<String>,
    /// The other side of a conflict: place and what is there.
    pub other: Option<(Place, String)>,
    /// For a record that cannot apply: would the rest load without it.
    pub rest_loads: Option<bool>,
}

/// What a finding costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// How many records, when a header tells.
    pub records: Option<u64>,
    /// First and last offset, when known.
    pub offsets: Option<(Offset, Offset)>,
    /// How many bytes.
    pub bytes: Option<u64>,
}

/// A batch, or the beginning of one, that can be read although no trusted length leads to it, or no
/// CRC vouches for it. It is shown and never applied unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Offered {
    /// The byte in the file where it begins.
    pub position: Position,
    /// How many bytes of it are there.
    pub bytes: u64,
    /// Offsets of its first and last record that can be read.
    pub offsets: (Offset, Offset),
    /// Its leader epoch.
    pub epoch: Epoch,
    /// How many of its records are whole.
    pub records: u64,
    /// The stored CRC, when it is that of the bytes; none when it cannot be checked.
    pub crc: Option<u32>,
}

impl Finding {
    /// How many offered batches one finding lists.
    pub const OFFERED: usize = 100;

    /// A finding of this code, with the weight that the code has.
    #[must_use]
    pub fn new(code: Code, place: Place, summary: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            place,
            summary: summary.into(),
            expected: None,
            found: None,
            lost: None,
            offered: Vec::new(),
            kafka: None,
            other: None,
            rest_loads: None,
        }
    }

    /// With another weight than the code's.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// With what should stand there and what does.
    #[must_use]
    pub fn values(mut self, expected: impl Into<String>, found: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self.found = Some(found.into());
        self
    }

    /// With what is lost.
    #[must_use]
    pub fn lost(mut self, lost: Lost) -> Self {
        self.lost = Some(lost);
        self
    }

    /// With what can be read all the same, at most [`Finding::OFFERED`] of it.
    #[must_use]
    pub fn offered(mut self, offered: impl IntoIterator<Item = Offered>) -> Self {
        self.offered = offered.into_iter().take(Self::OFFERED).collect();
        self
    }

    /// With what Kafka does.
    #[must_use]
    pub fn kafka(mut self, does: impl Into<String>) -> Self {
        self.kafka = Some(does.into());
        self
    }

    /// With the other side of the conflict.
    #[must_use]
    pub fn against(mut self, place: Place, what: impl Into<String>) -> Self {
        self.other = Some((place, what.into()));
        self
    }
}

/// Findings in the order they were met, at most [`Findings::KEPT`] of each code; the rest is counted.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    kept: Vec<Finding>,
    counts: std::collections::BTreeMap<(Code, Severity), u64>,
}

impl Findings {
    /// How many findings of one code and weight are kept whole, so that hostile input cannot fill
    /// the memory.
    pub const KEPT: u64 = 1000;

    /// Records a finding.
    pub fn push(&mut self, finding: Finding) {
        let count = self
            .counts
            .entry((finding.code, finding.severity))
            .or_default();
        *count = count.saturating_add(1);
        if *count <= Self::KEPT {
            self.kept.push(finding);
        }
    }

    /// Records all of another list, with its counts.
    pub fn extend(&mut self, other: Self) {
        for ((code, severity), count) in other.counts {
            let all = self.counts.entry((code, severity)).or_default();
            *all = all.saturating_add(count);
        }
        self.kept.extend(other.kept);
    }

    /// The findings kept whole.
    #[must_use]
    pub fn kept(&self) -> &[Finding] {
        &self.kept
    }

    /// How many there are of each code and weight, kept or not.
    pub fn counts(&self) -> impl Iterator<Item = (Code, Severity, u64)> {
        self.counts
            .iter()
            .map(|(&(code, severity), &count)| (code, severity, count))
    }

    /// How many there are of a weight.
    #[must_use]
    pub fn count(&self, severity: Severity) -> u64 {
        self.counts()
            .filter(|c| c.1 == severity)
            .map(|c| c.2)
            .fold(0, u64::saturating_add)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The greatest weight among them.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        self.counts().map(|c| c.1).max()
    }
}
