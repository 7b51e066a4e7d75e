//! What a file is, by its content first and its name second.

use super::batch::HEADER;
use super::file::FileKind;
use super::scan::{Ends, Scan, control_type};
use super::search;
use super::table::{Entry, records};
use crate::bytes::{Cursor, crc32c};
use crate::source::Source;
use std::path::Path;

/// What a file turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Batches of a metadata log, or the ruins of them.
    Segment,
    /// A snapshot, whole or not.
    Checkpoint,
    /// Nothing at all under the name of a segment: a log that has just begun.
    Empty,
    /// Batches whose records are no metadata.
    DataLog,
    /// Something that has a name.
    Other(&'static str),
    /// An archive.
    Archive(&'static str),
    /// No idea.
    Unknown,
}

impl Content {
    /// In words, with an article.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Segment => "a segment of a metadata log",
            Self::Checkpoint => "a metadata checkpoint",
            Self::Empty => "an empty file",
            Self::DataLog => "the log of a data topic",
            Self::Other(what) | Self::Archive(what) => what,
            Self::Unknown => "not a file of Kafka's",
        }
        .into()
    }
}

/// Tells what a scanned file is.
pub(crate) fn of(path: &Path, source: &Source, bytes: &[u8], scan: &Scan, ends: Ends) -> Content {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let named = FileKind::of_name(&name);
    let by_name = if named.is_some_and(FileKind::is_checkpoint) || name.ends_with(".checkpoint") {
        Content::Checkpoint
    } else {
        Content::Segment
    };
    if bytes.is_empty() {
        return Content::Empty;
    }
    if ends.header.is_some() {
        return Content::Checkpoint;
    }
    if scan.entries.iter().any(Entry::is_trusted) {
        return match judge(source, bytes, scan) {
            Some(false) if !in_metadata_folder(path) => Content::DataLog,
            None if path.parent().is_some_and(search::is_topic) => Content::DataLog,
            _ => by_name,
        };
    }
    if let Some(content) = by_signature(bytes).or_else(|| by_text(bytes)).or_else(|| {
        // Entries of indexes carry no mark, so anything that may be a batch comes first, and so does the
        // name of a file that is cut before its first header is whole.
        let cut = named.is_some() && bytes.len() < usize::try_from(HEADER).unwrap_or(usize::MAX);
        if scan.entries.is_empty() && !cut {
            by_entries(bytes)
        } else {
            None
        }
    }) {
        return content;
    }
    if !scan.entries.is_empty() || named.is_some() {
        return by_name;
    }
    match by_extension(&name) {
        Some(what) => Content::Other(what),
        None => Content::Unknown,
    }
}

fn in_metadata_folder(path: &Path) -> bool {
    path.parent()
        .and_then(Path::file_name)
        .is_some_and(search::is_metadata_name)
}

/// Whether records speak for a metadata log (control records that only Raft writes, values in the
/// metadata frame) or against it; nothing when there are none to ask.
fn judge(source: &Source, bytes: &[u8], scan: &Scan) -> Option<bool> {
    const BATCHES: usize = 256;
    const RECORDS: usize = 64;
    let mut seen = None;
    for entry in scan.entries.iter().filter(|e| e.is_trusted()).take(BATCHES) {
        for record in records(source, bytes, entry)
            .take(RECORDS)
            .filter_map(Result::ok)
        {
            let speaks = if entry.is(Entry::CONTROL) {
                matches!(record.key().and_then(control_type), Some(2..=6))
            } else {
                seen = Some(false);
                record.key().is_none() && record.value().is_some_and(is_frame)
            };
            if speaks {
                return Some(true);
            }
        }
    }
    seen
}

/// Frame version 1, then an api key and a version as varints.
fn is_frame(value: &[u8]) -> bool {
    let mut c = Cursor::new(value);
    c.uvarint() == Ok(1)
        && c.uvarint().is_ok_and(|key| key <= 0x7fff)
        && c.uvarint().is_ok_and(|version| version <= 0x7fff)
}

fn by_signature(bytes: &[u8]) -> Option<Content> {
    const PICTURES: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
        (b"\xff\xd8\xff", "a JPEG picture"),
        (b"GIF8", "a GIF picture"),
        (b"%PDF-", "a PDF document"),
        (b"\x7fELF", "a program"),
        (b"SQLite format 3\0", "an SQLite database"),
    ];
    const ARCHIVES: &[(&[u8], &str)] = &[
        (b"\x1f\x8b", "a gzip archive"),
        (b"PK\x03\x04", "a zip archive"),
        (b"\xfd7zXZ\0", "an xz archive"),
        (b"\x28\xb5\x2f\xfd", "a zstd archive"),
        (b"BZh", "a bzip2 archive"),
    ];
    let found = |list: &[(&[u8], &'static str)]| {
        list.iter()
            .find(|(magic, _)| bytes.starts_with(magic))
            .map(|(_, what)| *what)
    };
    if let Some(what) = found(PICTURES) {
        return Some(Content::Other(what));
    }
    if let Some(what) = found(ARCHIVES) {
        return Some(Content::Archive(what));
    }
    if bytes.get(257..262) == Some(b"ustar") {
        return Some(Content::Archive("a tar archive"));
    }
    is_producer_snapshot(bytes).then_some(Content::Other("a producer state snapshot"))
}

// Kafka: ProducerStateManager.
fn is_producer_snapshot(bytes: &[u8]) -> bool {
    let mut c = Cursor::new(bytes);
    c.i16() == Ok(1) && c.u32().is_ok_and(|crc| crc == crc32c(c.rest()))
}

fn by_text(bytes: &[u8]) -> Option<Content> {
    const LOOKED_AT: usize = 4096;
    let head = bytes.get(..LOOKED_AT.min(bytes.len()))?;
    if head.iter().any(|b| *b < b' ' && !b"\t\r\n".contains(b)) {
        return None;
    }
    let text = String::from_utf8_lossy(head);
    let has = |part: &str| text.contains(part);
    let numbers = |line: &str| {
        let fields: Vec<_> = line.split_whitespace().collect();
        fields.len() == 2 && fields.iter().all(|f| f.parse::<i64>().is_ok())
    };
    let mut lines = text.lines();
    Some(Content::Other(
        if has("\"leaderEpoch\"") && has("\"data_version\"") {
            "a quorum-state file"
        } else if has("topic_id:") && has("version:") {
            "a partition.metadata file"
        } else if has("cluster.id") && (has("node.id") || has("broker.id") || has("version")) {
            "a meta.properties file (the node's identity)"
        } else if lines.next() == Some("0")
            && lines
                .next()
                .is_some_and(|n| n.trim().parse::<u32>().is_ok())
            && lines.next().is_none_or(numbers)
        {
            "a leader-epoch-checkpoint file"
        } else {
            "a text file"
        },
    ))
}

fn by_entries(bytes: &[u8]) -> Option<Content> {
    if rising(bytes, 12, |c| Some((c.i64().ok()?, c.i32().ok()?))) {
        return Some(Content::Other("a time index"));
    }
    if rising(bytes, 8, |c| {
        Some((i64::from(c.i32().ok()?), c.i32().ok()?))
    }) {
        return Some(Content::Other("an offset index"));
    }
    None
}

/// Whether the bytes are entries of this size that rise in both fields up to the end or to a tail of
/// zeros, which an active index has.
fn rising(bytes: &[u8], size: usize, read: impl Fn(&mut Cursor<'_>) -> Option<(i64, i32)>) -> bool {
    if bytes.len().checked_rem(size) != Some(0) {
        return false;
    }
    let mut before: Option<(i64, i32)> = None;
    let mut chunks = bytes.chunks_exact(size);
    for chunk in chunks.by_ref() {
        let Some((a, b)) = read(&mut Cursor::new(chunk)) else {
            return false;
        };
        if before.is_some() && (a, b) == (0, 0) {
            return chunks.flatten().all(|byte| *byte == 0);
        }
        // The first entry of an offset index may stand at position 0.
        if a <= 0 || b < 0 || before.is_some_and(|(x, y)| a <= x || b <= y) {
            return false;
        }
        before = Some((a, b));
    }
    before.is_some()
}

fn by_extension(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix(".deleted").unwrap_or(name);
    Some(match name.rsplit_once('.')?.1 {
        "index" => "an offset index",
        "timeindex" => "a time index",
        "txnindex" => "a transaction index",
        "snapshot" => "a producer state snapshot",
        _ => return None,
    })
}

/// What to open instead.
pub(crate) fn hint(path: &Path, content: &Content) -> String {
    if let Content::Archive(_) = content {
        return "archives are not read yet: unpack it and open the metadata folder in it".into();
    }
    let parents = path.ancestors().skip(usize::from(!path.is_dir())).take(3);
    for parent in parents {
        // The path "x" has the parent "".
        let parent = if parent.as_os_str().is_empty() {
            Path::new(".")
        } else {
            parent
        };
        let below = parent.join(search::METADATA_FOLDER);
        for folder in [parent, &below] {
            if folder != path && search::holds_metadata(folder) {
                return format!("open the metadata folder {}", folder.display());
            }
        }
    }
    format!(
        "open a metadata folder ({}), a segment (.log) or a checkpoint of it",
        search::METADATA_FOLDER
    )
}
