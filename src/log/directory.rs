//! A folder as one state: which checkpoint, which segments, what is passed over and why; or one file
//! by itself.

use super::chain::{Opened, check_checkpoint, check_segments, join};
use super::kind::{self, Content};
use super::scan::{Limits, ends, scan};
use super::search;
use super::side_files::SideFiles;
use super::table::Entry;
use super::{FileKind, Log, LogFile, Moment, Options, Owner, PassedOver};
use crate::error::{Error, ErrorKind, Place, Result};
use crate::finding::{Code, Finding, Findings};
use crate::ids::{Epoch, Offset};
use crate::source::{BufferId, Source};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How often a listing is taken when files vanish between it and their opening.
const TRIES: u32 = 3;

/// Opens whatever a path is.
pub(crate) fn open(path: &Path, options: &Options) -> Result<Log> {
    let metadata = std::fs::metadata(path).map_err(|e| Error::io(e, path))?;
    if !metadata.is_dir() {
        return open_file(path, options);
    }
    if Listing::take(path)?.is_state() {
        return open_folder(path, path, options);
    }
    let found = search::metadata_folders(path)?;
    match found.as_slice() {
        [one] => open_folder(path, one, options),
        [] => {
            let bootstrap = path.join("bootstrap.checkpoint");
            if bootstrap.is_file() {
                return open_file(&bootstrap, options);
            }
            Err(Error::new(ErrorKind::NoMetadata, Place::file(path)))
        }
        _ => Err(Error::new(
            ErrorKind::SeveralMetadata(found),
            Place::file(path),
        )),
    }
}

/// The names in a folder that matter here.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// By base offset.
    pub(crate) segments: Vec<(Offset, PathBuf)>,
    /// The greatest (epoch, end offset) first.
    pub(crate) checkpoints: Vec<(Epoch, Offset, PathBuf)>,
    passed_over: Vec<PassedOver>,
}

impl Listing {
    pub(crate) fn take(folder: &Path) -> Result<Self> {
        let io = |e| Error::io(e, folder);
        let mut listing = Self::default();
        for entry in std::fs::read_dir(folder).map_err(io)? {
            let entry = entry.map_err(io)?;
            let name = entry.file_name();
            listing.sort_in(&name.to_string_lossy(), entry.path());
        }
        listing.segments.sort();
        listing.checkpoints.sort_by(|a, b| b.cmp(a));
        listing.passed_over.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(listing)
    }

    fn sort_in(&mut self, name: &str, path: PathBuf) {
        let why = if name.ends_with(".deleted") {
            "marked for deletion"
        } else if name.ends_with(".part") || name == "bootstrap.checkpoint.tmp" {
            "being written when the node stopped"
        } else if name.ends_with(".swap") || name.ends_with(".cleaned") {
            "left over from a compaction, which metadata logs never have"
        } else if name == "bootstrap.checkpoint" {
            "what format wrote for the first leader, not state"
        } else {
            match FileKind::of_name(name) {
                // Opening a pipe would wait for a writer for ever.
                Some(_) if path.metadata().is_ok_and(|m| !m.is_file()) => "it is no regular file",
                Some(FileKind::Segment { base }) if name.ends_with(".log") => {
                    return self.segments.push((base, path));
                }
                Some(FileKind::Checkpoint { end, epoch }) if name.ends_with(".checkpoint") => {
                    return self.checkpoints.push((epoch, end, path));
                }
                _ if name.ends_with(".log") || name.ends_with(".checkpoint") => {
                    "its name is not that of a segment or checkpoint; open it by itself"
                }
                _ => return,
            }
        };
        let kind = if name.contains(".checkpoint") {
            "checkpoint"
        } else if name.contains(".log") {
            "segment"
        } else {
            return;
        };
        self.passed_over.push(PassedOver {
            path: path.into(),
            kind: kind.into(),
            why: why.into(),
        });
    }

    /// Whether the folder directly holds segments or checkpoints.
    pub(crate) fn is_state(&self) -> bool {
        !self.segments.is_empty() || !self.checkpoints.is_empty()
    }
}

/// What opening collects besides the files.
struct Reader<'a> {
    options: &'a Options,
    source: Arc<Source>,
    limits: Limits,
    findings: Findings,
    passed_over: Vec<PassedOver>,
}

impl<'a> Reader<'a> {
    fn new(options: &'a Options) -> Self {
        let limits = Limits {
            batch: options.max_batch,
            all: options.max_expanded,
        };
        Self {
            options,
            source: Arc::default(),
            limits,
            findings: Findings::default(),
            passed_over: Vec::new(),
        }
    }

    /// Reads one file and tells what it is.
    fn read(&mut self, path: &Path) -> Result<(Content, Opened)> {
        let path: Arc<Path> = path.into();
        let buffer = self.source.open(&path, self.options.opening)?;
        let bytes = self.source.bytes(buffer);
        let scan = scan(&self.source, buffer, &path, &mut self.limits);
        let ends = ends(&self.source, bytes, &scan);
        let content = kind::of(&path, &self.source, bytes, &scan, ends);
        let named = path
            .file_name()
            .and_then(|n| FileKind::of_name(&n.to_string_lossy()));
        let first = scan.entries.first();
        let kind = match content {
            Content::Checkpoint => {
                named
                    .filter(|k| k.is_checkpoint())
                    .unwrap_or(FileKind::UnnamedCheckpoint {
                        epoch: first.map_or(Epoch(-1), |e| e.epoch),
                    })
            }
            _ => named
                .filter(|k| !k.is_checkpoint())
                .unwrap_or(FileKind::Segment {
                    base: first.map_or(Offset(0), |e| e.base_offset),
                }),
        };
        let size = bytes.len() as u64;
        Ok((
            content,
            Opened {
                path,
                kind,
                buffer,
                size,
                scan,
                ends,
            },
        ))
    }

    /// Reads one file of a folder; nothing when it is something else or cannot be read.
    fn try_read(&mut self, path: &Path, want: Content) -> Result<Option<Opened>> {
        let what = if want == Content::Checkpoint {
            "checkpoint"
        } else {
            "segment"
        };
        match self.read(path) {
            Ok((Content::Empty, _)) if path.parent().is_some_and(search::is_topic) => {
                self.pass(path, "segment", "it holds a topic's data");
                Ok(None)
            }
            Ok((content, opened)) if content == want || content == Content::Empty => {
                Ok(Some(opened))
            }
            Ok((Content::DataLog, _)) => {
                self.pass(path, "segment", "it holds a topic's data");
                Ok(None)
            }
            Ok((content, _)) => {
                self.pass(path, what, &format!("it is {}", content.words()));
                Ok(None)
            }
            // A link to nowhere is still in the listing, and would be the next time.
            Err(error) if vanished(&error) && path.symlink_metadata().is_err() => Err(error),
            Err(error) => {
                self.pass(path, what, &error_words(&error));
                self.findings.push(Finding::new(
                    Code::UnreadableFile,
                    Place::file(path),
                    format!("the {what} cannot be read: {}", error_words(&error)),
                ));
                Ok(None)
            }
        }
    }

    fn pass(&mut self, path: &Path, kind: &str, why: &str) {
        self.passed_over.push(PassedOver {
            path: path.into(),
            kind: kind.into(),
            why: why.into(),
        });
    }

    fn finish(
        mut self,
        path: &Path,
        folder: Option<&Path>,
        checkpoint: Option<Opened>,
        segments: Vec<Opened>,
    ) -> Result<Log> {
        let mut findings = std::mem::take(&mut self.findings);
        if let Some(file) = &checkpoint {
            check_checkpoint(file, &mut findings);
        }
        check_segments(&segments, &mut findings);
        let apply_from = join(
            checkpoint.as_ref(),
            &segments,
            folder.is_some(),
            &mut findings,
        );
        let until = match self.options.at {
            Some(at) => Some(reached(
                at,
                path,
                checkpoint.as_ref(),
                &segments,
                &self.source,
            )?),
            None => None,
        };
        let side_files = match folder {
            Some(folder) => SideFiles::of_folder(folder, &mut findings),
            None => SideFiles::of_file(path, &mut findings),
        };
        let mut log = Log {
            path: path.into(),
            folder: folder.map(Into::into),
            source: self.source,
            files: Vec::new(),
            entries: Vec::new(),
            owners: Vec::new(),
            passed_over: self.passed_over,
            checkpoint: checkpoint.is_some().then_some(0),
            apply_from,
            until,
            findings,
            side_files,
        };
        for opened in checkpoint.into_iter().chain(segments) {
            log.add(opened);
        }
        log.owners.sort_unstable_by_key(|owner| owner.0);
        Ok(log)
    }
}

/// The last offset of the state at a moment.
fn reached(
    at: Moment,
    path: &Path,
    checkpoint: Option<&Opened>,
    segments: &[Opened],
    source: &Source,
) -> Result<Offset> {
    let last = at.last_offset(segments, source);
    let (earliest, covered) = match checkpoint {
        Some(file) => (
            file.kind.end().map(|end| end.plus(-1)),
            at.covers(file, last),
        ),
        None => {
            let mut entries = segments.iter().flat_map(|file| &file.scan.entries);
            let first = entries.next().map(|entry| entry.base_offset);
            (first, last.is_some() && last >= first)
        }
    };
    if !covered {
        return Err(at.too_early(path, earliest));
    }
    Ok(last.or(earliest).unwrap_or(Offset(-1)))
}

impl Log {
    fn add(&mut self, opened: Opened) {
        let file = self.files.len();
        let start = self.entries.len();
        self.owners.push((opened.buffer, Owner::File(file)));
        for mut entry in opened.scan.entries {
            entry.file = u32::try_from(file).unwrap_or(u32::MAX);
            if entry.is(Entry::INFLATED) {
                self.owners
                    .push((entry.records, Owner::Batch(self.entries.len())));
            }
            self.entries.push(entry);
        }
        self.files.push(LogFile {
            path: opened.path,
            kind: opened.kind,
            size: opened.size,
            buffer: opened.buffer,
            batches: start..self.entries.len(),
            read_to: opened.scan.read_to,
            header_time: opened.ends.header,
            has_header: opened.ends.header.is_some(),
            has_footer: opened.ends.footer,
        });
    }
}

fn open_file(path: &Path, options: &Options) -> Result<Log> {
    let mut reader = Reader::new(options);
    let (content, opened) = reader.read(path)?;
    match content {
        Content::Segment => reader.finish(path, None, None, vec![opened]),
        Content::Checkpoint => reader.finish(path, None, Some(opened), Vec::new()),
        other => Err(not_metadata(path, &other)),
    }
}

fn not_metadata(path: &Path, content: &Content) -> Error {
    let (what, hint) = (content.words(), kind::hint(path, content));
    Error::new(ErrorKind::NotMetadata { what, hint }, Place::file(path))
}

fn open_folder(path: &Path, folder: &Path, options: &Options) -> Result<Log> {
    for _ in 0..TRIES {
        match read_folder(path, folder, options) {
            Err(error) if vanished(&error) && folder.is_dir() => {}
            result => return result,
        }
    }
    Err(Error::new(ErrorKind::Unsteady, Place::file(folder)))
}

fn vanished(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Io(e) if e.kind() == std::io::ErrorKind::NotFound)
}

fn error_words(error: &Error) -> String {
    match error.kind() {
        ErrorKind::Io(e) => e.to_string(),
        _ => error.to_string(),
    }
}

fn read_folder(path: &Path, folder: &Path, options: &Options) -> Result<Log> {
    let listing = Listing::take(folder)?;
    let mut reader = Reader::new(options);
    reader.passed_over = listing.passed_over;
    let before = reader.passed_over.len();
    let mut segments = Vec::new();
    for (_, path) in &listing.segments {
        segments.extend(reader.try_read(path, Content::Segment)?);
    }
    let mut checkpoint = None;
    let mut incomplete = Vec::new();
    let has_data = segments.iter().any(Opened::has_data);
    let last = options
        .at
        .and_then(|at| at.last_offset(&segments, &reader.source));
    for (epoch, end, path) in &listing.checkpoints {
        let kind = FileKind::Checkpoint {
            end: *end,
            epoch: *epoch,
        };
        if kind.is_format_time() && has_data {
            reader.pass(
                path,
                "checkpoint",
                "what format wrote, and the log holds data records",
            );
            continue;
        }
        if checkpoint.is_some() {
            reader.pass(path, "checkpoint", "older than the checkpoint used");
            continue;
        }
        let Some(opened) = reader.try_read(path, Content::Checkpoint)? else {
            continue;
        };
        if options.at.is_some_and(|at| !at.covers(&opened, last)) {
            reader.pass(path, "checkpoint", "later than the moment asked for");
        } else if opened.is_complete() {
            checkpoint = Some(opened);
        } else {
            incomplete.push(opened);
        }
    }
    // Of a folder with nothing else, the newest of them is shown rather than nothing.
    if segments.is_empty() && checkpoint.is_none() && !incomplete.is_empty() {
        checkpoint = Some(incomplete.remove(0));
    }
    for opened in incomplete {
        reader.pass(&opened.path, "checkpoint", "no footer: it is not complete");
        reader.findings.push(
            Finding::new(
                Code::NoFooter,
                Place::file(Arc::clone(&opened.path)).at(opened.scan.read_to),
                "the checkpoint has no footer and is passed over",
            )
            .kafka("loads what is there, without a word"),
        );
    }
    if segments.is_empty() && checkpoint.is_none() {
        return Err(nothing_left(folder, &reader, before));
    }
    reader.finish(path, Some(folder), checkpoint, segments)
}

/// Why a folder whose names promised a state holds none.
fn nothing_left(folder: &Path, reader: &Reader<'_>, before: usize) -> Error {
    let reasons = reader.passed_over.get(before..).unwrap_or_default();
    if !reasons.is_empty() && reasons.iter().all(|p| p.why == "it holds a topic's data") {
        return not_metadata(folder, &Content::DataLog);
    }
    match reasons.first() {
        Some(first) => Error::new(
            ErrorKind::NotMetadata {
                what: format!(
                    "a folder without a usable segment or checkpoint ({})",
                    first.why
                ),
                hint: kind::hint(folder, &Content::Unknown),
            },
            Place::file(folder),
        ),
        None => Error::new(ErrorKind::NoMetadata, Place::file(folder)),
    }
}

/// Reads the beginning of a file and tells what it is.
pub(crate) fn peek(path: &Path) -> Result<Content> {
    use std::io::Read as _;
    /// Enough for the first batches of any log.
    const PEEKED: u64 = 256 << 10;
    let io = |e| Error::io(e, path);
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .and_then(|f| f.take(PEEKED).read_to_end(&mut bytes))
        .map_err(io)?;
    let source = Source::new();
    let buffer: BufferId = source.add(bytes, None);
    let path: Arc<Path> = path.into();
    let mut limits = Limits {
        batch: PEEKED,
        all: PEEKED,
    };
    let scan = scan(&source, buffer, &path, &mut limits);
    let bytes = source.bytes(buffer);
    Ok(kind::of(
        &path,
        &source,
        bytes,
        &scan,
        ends(&source, bytes, &scan),
    ))
}
