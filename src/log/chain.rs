//! What the files of one state say about each other: offsets that follow, epochs that do not fall, a
//! checkpoint that the log continues.

use super::FileKind;
use super::scan::{Ends, Scan, Tail, tail_finding};
use super::table::Entry;
use crate::error::Place;
use crate::finding::{Code, Finding, Findings, Lost};
use crate::ids::{Epoch, Offset, Position};
use crate::source::BufferId;
use std::path::Path;
use std::sync::Arc;

/// A file that was read and judged.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) path: Arc<Path>,
    pub(crate) kind: FileKind,
    pub(crate) buffer: BufferId,
    pub(crate) size: u64,
    pub(crate) scan: Scan,
    pub(crate) ends: Ends,
}

impl Opened {
    pub(crate) fn is_complete(&self) -> bool {
        self.ends.footer
    }

    pub(crate) fn has_data(&self) -> bool {
        self.scan
            .entries
            .iter()
            .any(|e| e.is_trusted() && !e.is(Entry::CONTROL))
    }

    fn place(&self, entry: &Entry) -> Place {
        Place::file(Arc::clone(&self.path))
            .at(entry.position)
            .offset(entry.base_offset)
    }

    fn last_trusted(&self) -> Option<&Entry> {
        self.scan.entries.iter().rev().find(|e| e.is_trusted())
    }
}

/// Says what is wrong with a checkpoint by itself.
pub(crate) fn check_checkpoint(file: &Opened, findings: &mut Findings) {
    let place = Place::file(Arc::clone(&file.path));
    if file.ends.header.is_none() {
        findings.push(
            Finding::new(
                Code::NoHeader,
                place.clone(),
                "the checkpoint does not begin with its header",
            )
            .kafka("refuses the checkpoint"),
        );
    }
    // The footer is the last record, so it tells nothing when the tail could not be read.
    if !file.ends.footer {
        findings.push(
            Finding::new(
                Code::NoFooter,
                place.at(file.scan.read_to),
                "the checkpoint has no footer: it was not finished, or the copy is cut",
            )
            .kafka("loads what is there, without a word"),
        );
    }
    follow(std::slice::from_ref(file), findings);
}

/// Says what is wrong with the segments as one chain.
pub(crate) fn check_segments(segments: &[Opened], findings: &mut Findings) {
    for file in segments {
        let FileKind::Segment { base } = file.kind else {
            continue;
        };
        if let Some(first) = file.scan.entries.first().filter(|e| e.base_offset != base) {
            findings.push(
                Finding::new(
                    Code::NameMismatch,
                    file.place(first),
                    format!(
                        "the segment is named {base} and begins at offset {}",
                        first.base_offset
                    ),
                )
                .values(base.0.to_string(), first.base_offset.0.to_string()),
            );
        }
    }
    follow(segments, findings);
}

/// Where the walk stands.
struct Walk {
    /// The offset that should come next, when that is known.
    next: Option<Offset>,
    epoch: Option<Epoch>,
    /// A finding that explains why offsets are missing; it takes them up when the next batch is met.
    hole: Option<Finding>,
}

fn follow(files: &[Opened], findings: &mut Findings) {
    let mut walk = Walk {
        next: None,
        epoch: None,
        hole: None,
    };
    for (place, file) in files.iter().enumerate() {
        findings.extend(file.scan.findings.clone());
        for entry in &file.scan.entries {
            walk.step(file, entry, findings);
        }
        if let FileKind::Segment { base } = file.kind
            && file.scan.entries.is_empty()
            && walk.next.is_none()
            && walk.hole.is_none()
        {
            walk.next = Some(base);
        }
        let last = place.saturating_add(1) == files.len();
        let tail = tail_finding(&file.scan, &file.path, file.size, last, walk.next);
        match tail {
            // Zero bytes stand for no offsets.
            Some(finding) if file.scan.tail == Tail::Zero => findings.push(finding),
            Some(finding) => walk.hole = Some(finding),
            None => {}
        }
    }
    walk.close(findings);
}

impl Walk {
    fn close(&mut self, findings: &mut Findings) {
        if let Some(finding) = self.hole.take() {
            findings.push(finding);
        }
    }

    fn step(&mut self, file: &Opened, entry: &Entry, findings: &mut Findings) {
        let base = entry.base_offset;
        if let Some(next) = self.next {
            let explained = self.hole.is_some();
            if base > next {
                let lost = Lost {
                    records: u64::try_from(base.0.saturating_sub(next.0)).ok(),
                    offsets: Some((next, base.plus(-1))),
                    bytes: None,
                };
                if let Some(hole) = &mut self.hole {
                    let bytes = hole.lost.take().and_then(|l| l.bytes);
                    hole.lost = Some(Lost { bytes, ..lost });
                } else {
                    let summary = format!("offsets {next} to {} are missing", base.plus(-1));
                    findings.push(
                        Finding::new(Code::OffsetGap, file.place(entry), summary)
                            .values(next.0.to_string(), base.0.to_string())
                            .lost(lost),
                    );
                }
            } else if base < next && !explained {
                let summary = format!("the batch begins at offset {base}, and {next} is next");
                findings.push(
                    Finding::new(Code::OffsetOverlap, file.place(entry), summary)
                        .values(next.0.to_string(), base.0.to_string()),
                );
            }
        }
        self.close(findings);
        if !entry.is_trusted() {
            // Its own last offset is as doubtful as the rest of it.
            self.next = None;
            return;
        }
        if let Some(epoch) = self.epoch.filter(|epoch| entry.epoch < *epoch) {
            let summary = format!("epoch {} after epoch {epoch}", entry.epoch);
            findings.push(
                Finding::new(Code::EpochFalls, file.place(entry), summary)
                    .values(format!("at least {epoch}"), entry.epoch.0.to_string()),
            );
        }
        self.epoch = Some(entry.epoch);
        self.next = Some(entry.next_offset());
    }
}

/// Says how the checkpoint and the log fit, and from which offset on the log is applied. `folder`:
/// whether a whole folder was read, so that what is missing is missing there.
pub(crate) fn join(
    checkpoint: Option<&Opened>,
    segments: &[Opened],
    folder: bool,
    findings: &mut Findings,
) -> Offset {
    let first = segments.first();
    let start = first.map(|file| match (file.kind, file.scan.entries.first()) {
        (FileKind::Segment { base }, _) => base,
        (_, Some(entry)) => entry.base_offset,
        _ => Offset(0),
    });
    let end = checkpoint.map(|file| file.kind.end().unwrap_or(Offset(0)));
    if let (Some(file), Some(start)) = (first, start.filter(|s| s.0 > 0)) {
        history(file, start, checkpoint, folder, findings);
    }
    let Some((file, end)) = checkpoint.zip(end) else {
        return start.unwrap_or(Offset(0));
    };
    let last = segments
        .iter()
        .rev()
        .find_map(|f| f.last_trusted().map(|e| (f, e)));
    let Some((last_file, last)) = last else {
        return end;
    };
    let log_end = last.next_offset();
    let epoch = file.kind.epoch().unwrap_or(Epoch(-1));
    // Kafka: KafkaRaftLog.createLog compares the epochs before the offsets.
    if !file.kind.is_format_time() && (epoch > last.epoch || (epoch == last.epoch && end > log_end))
    {
        let only = u64::try_from(end.0.saturating_sub(log_end.0)).unwrap_or(0);
        let mut summary = format!(
            "the checkpoint (end {end}, epoch {epoch}) is ahead of the log (end {log_end}, epoch {})",
            last.epoch
        );
        if only > 0 {
            summary.push_str(&format!(
                "; offsets {log_end} to {} are only in the checkpoint",
                end.plus(-1)
            ));
        }
        findings.push(
            Finding::new(
                Code::CheckpointAhead,
                Place::file(Arc::clone(&file.path)),
                summary,
            )
            .against(last_file.place(last), "last batch of the log")
            .kafka(format!(
                "drops the whole log at start and begins a new segment at {end}"
            )),
        );
        return end.max(log_end);
    }
    if let Some((file, entry)) = segments.iter().find_map(|f| {
        let inside = |e: &&Entry| e.is_trusted() && e.base_offset < end && e.next_offset() > end;
        f.scan.entries.iter().find(inside).map(|e| (f, e))
    }) {
        let summary = format!(
            "the checkpoint ends at {end}, inside the batch of offsets {} to {}",
            entry.base_offset,
            entry.next_offset().plus(-1)
        );
        findings.push(
            Finding::new(Code::CheckpointInsideBatch, file.place(entry), summary)
                .kafka("hands over whole batches, so its loader applies the first records twice"),
        );
    }
    end
}

/// The log begins above 0.
fn history(
    file: &Opened,
    start: Offset,
    checkpoint: Option<&Opened>,
    folder: bool,
    findings: &mut Findings,
) {
    let place = Place::file(Arc::clone(&file.path))
        .at(Position(0))
        .offset(start);
    let lost = |from: Offset| Lost {
        records: u64::try_from(start.0.saturating_sub(from.0)).ok(),
        offsets: Some((from, start.plus(-1))),
        bytes: None,
    };
    let covered = checkpoint
        .and_then(|c| c.kind.end())
        .filter(|end| end.0 > 0);
    let finding = match covered {
        // Old segments are deleted as a matter of course.
        Some(end) if end >= start => return,
        Some(end) => Finding::new(
            Code::StateBeforeUnknown,
            place,
            format!(
                "offsets {end} to {} are missing between the checkpoint and the log",
                start.plus(-1)
            ),
        )
        .lost(lost(end))
        .kafka("ignores this checkpoint and refuses to start: no snapshot covers the log's start"),
        None if folder => Finding::new(
            Code::StateBeforeUnknown,
            place,
            format!("state before offset {start} is unknown: no checkpoint covers the log's start"),
        )
        .lost(lost(Offset(0)))
        .kafka("refuses to start"),
        None => Finding::new(
            Code::HistoryMissing,
            place,
            format!("history before offset {start} is missing: this is one segment of a log"),
        )
        .lost(lost(Offset(0))),
    };
    findings.push(finding);
}
