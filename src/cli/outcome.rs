//! How a command ends: its exit status, and what stderr says about it.

use super::common::Common;
use super::console::Console;
use crate::error::{Error, ErrorKind, Place};
use crate::finding::{Finding, Findings, Severity};
use crate::text::{Escaped, Thousands};
use std::io::{self, Write};

/// Answered.
const ANSWERED: u8 = 0;
/// Answered from damaged bytes.
const DAMAGED: u8 = 1;
/// Wrong usage, unreadable input, a node that is not there, `--strict`.
pub(crate) const CANNOT: u8 = 2;

/// What a command that ran to its end saw.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// What was found in the bytes it read.
    pub(crate) findings: Findings,
    /// Whether part of what was asked could not be answered, as was said on stderr already.
    pub(crate) failed: bool,
}

impl Outcome {
    /// Answered in full, from bytes with these findings.
    pub(crate) fn of(findings: &Findings) -> Self {
        Self {
            findings: findings.clone(),
            failed: false,
        }
    }

    /// Not answered.
    pub(crate) fn failed() -> Self {
        Self {
            findings: Findings::default(),
            failed: true,
        }
    }
}

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It cannot go on.
    Cannot(Error),
    /// Its output cannot be written.
    Write(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Cannot(error)
    }
}

// Only writing gives a bare io::Error: reading carries its place in an Error.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::Write(error.into())
    }
}

/// What a command returns.
pub(crate) type Answer = Result<Outcome, Failure>;

/// Words of the command line that make no sense together.
pub(crate) fn usage(what: impl Into<String>) -> Failure {
    Failure::Cannot(Error::new(ErrorKind::Usage(what.into()), Place::default()))
}

/// Says what there is to say on stderr, flushes, and tells the exit status.
pub(crate) fn finish(answer: Answer, common: &Common, console: &mut Console<'_>) -> u8 {
    let flushed = console.out.flush();
    let answer = answer.and_then(|outcome| Ok(flushed.map(|()| outcome)?));
    match answer {
        Ok(outcome) => closing(&outcome, common, console.err),
        // Whoever reads has seen enough.
        Err(Failure::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => ANSWERED,
        Err(Failure::Write(error)) => {
            let _ = writeln!(console.err, "kraftlens: output: {error}");
            CANNOT
        }
        Err(Failure::Cannot(error)) => {
            complain(&error, console.err);
            CANNOT
        }
    }
}

/// An error and its hint. A stderr that is closed changes nothing.
pub(crate) fn complain(error: &Error, err: &mut dyn Write) {
    let _ = writeln!(err, "kraftlens: {}", Escaped(&error.to_string()));
    match error.kind() {
        ErrorKind::NotMetadata { hint, .. } if !hint.is_empty() => {
            let _ = writeln!(err, "hint: {}", Escaped(hint));
        }
        ErrorKind::SeveralMetadata(folders) => {
            for folder in folders {
                let _ = writeln!(err, "  {}", Escaped(&folder.to_string_lossy()));
            }
            let _ = writeln!(err, "hint: give one of them; `info` takes them all at once");
        }
        ErrorKind::NoMetadata => {
            let _ = writeln!(
                err,
                "hint: a metadata folder is named __cluster_metadata-0 and is in the folder that the \
                 node's metadata.log.dir names, or else the first of its log.dirs"
            );
        }
        ErrorKind::Usage(_) => {
            let _ = writeln!(err, "hint: `kraftlens --help` lists the commands");
        }
        _ => {}
    }
}

/// Names the worst of the findings; how many errors there are, and whether there is anything to name.
pub(crate) fn tell(findings: &Findings, err: &mut dyn Write) -> (u64, bool) {
    let first = |severity| {
        let mut kept = findings.kept().iter();
        kept.find(|f| f.severity == severity && f.code.is_damage())
    };
    let count = |severity| -> u64 {
        let counts = findings.counts();
        counts
            .filter(|(code, weight, _)| *weight == severity && code.is_damage())
            .fold(0, |sum, (_, _, n)| sum.saturating_add(n))
    };
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let worst = first(Severity::Error).or_else(|| first(Severity::Warning));
    if let Some(worst) = worst {
        name(worst, errors, warnings, err);
    }
    (errors, worst.is_some())
}

/// What the findings make of a command that answered.
fn closing(outcome: &Outcome, common: &Common, err: &mut dyn Write) -> u8 {
    let (errors, any) = tell(&outcome.findings, err);
    if common.strict && any {
        let _ = writeln!(err, "kraftlens: --strict: not everything was understood");
        return CANNOT;
    }
    match (outcome.failed, errors) {
        (true, _) => CANNOT,
        (false, 0) => ANSWERED,
        (false, _) => DAMAGED,
    }
}

/// One line: the worst finding, and how many more there are.
fn name(finding: &Finding, errors: u64, warnings: u64, err: &mut dyn Write) {
    let place = if finding.place == Place::default() {
        String::new()
    } else {
        format!("{}: ", finding.place)
    };
    let (errors, warnings) = match finding.severity {
        Severity::Error => (errors.saturating_sub(1), warnings),
        _ => (errors, warnings.saturating_sub(1)),
    };
    let more = [(errors, "error"), (warnings, "warning")]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| {
            format!(
                "{} more {word}{}",
                Thousands(n),
                if n == 1 { "" } else { "s" }
            )
        })
        .collect::<Vec<_>>()
        .join(" and ");
    let more = if more.is_empty() {
        more
    } else {
        format!(", and {more}")
    };
    let line = format!(
        "kraftlens: {place}{}: {} [{}]{more}",
        finding.severity, finding.summary, finding.code
    );
    let _ = writeln!(err, "{}", Escaped(&line));
}
