//! Owns every byte that was read: files, mapped or read, and what was decompressed from them.
//!
//! Append-only, so that a slice once given out stays where it is while more files are opened and more
//! batches decompressed, and everything above can hold handles of 8 bytes ([`RecordRef`]).

use crate::error::{Error, Result};
use crate::ids::Position;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

/// A file or a decompressed run of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BufferId(u32);

/// A record: its buffer and the byte where its frame begins. The file, the offset, the epoch and the
/// time all follow from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordRef(u64);

impl RecordRef {
    const POSITION_BITS: u32 = 40;

    /// A record at a byte of a buffer; nothing when either is beyond 2^24 buffers or 2^40 bytes.
    #[must_use]
    pub fn new(buffer: BufferId, position: Position) -> Option<Self> {
        (position.0 >> Self::POSITION_BITS == 0 && buffer.0 >> 24 == 0).then_some(Self(
            u64::from(buffer.0) << Self::POSITION_BITS | position.0,
        ))
    }

    /// The buffer.
    #[must_use]
    pub fn buffer(self) -> BufferId {
        BufferId((self.0 >> Self::POSITION_BITS) as u32)
    }

    /// The byte in the buffer.
    #[must_use]
    pub fn position(self) -> Position {
        Position(self.0 & ((1 << Self::POSITION_BITS) - 1))
    }
}

impl std::fmt::Debug for RecordRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.buffer().0, self.position())
    }
}

/// How files are brought in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Whether files above [`Opening::MAPPED_FROM`] are mapped. A mapped file that is cut short while
    /// it is read ends the process with SIGBUS, through a private map too; reading it whole does not.
    pub map: bool,
}

impl Opening {
    /// Files from this many bytes on are mapped, smaller ones read: 1 MiB.
    pub const MAPPED_FROM: u64 = 1 << 20;
}

impl Default for Opening {
    fn default() -> Self {
        Self { map: true }
    }
}

enum Bytes {
    Mapped(memmap2::Mmap),
    Owned(Box<[u8]>),
}

struct Buffer {
    bytes: Bytes,
    file: Option<Arc<Path>>,
}

/// All bytes read so far.
#[derive(Default)]
pub struct Source {
    buffers: boxcar::Vec<Buffer>,
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({} buffers)", self.buffers.count())
    }
}

impl Source {
    /// A source with nothing in it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens a file, for reading only and without any lock. Its length is taken once, here.
    ///
    /// # Errors
    /// When the operating system refuses, or the path is no regular file.
    pub fn open(&self, path: &Path, opening: Opening) -> Result<BufferId> {
        let bytes = read_or_map(path, opening).map_err(|e| Error::io(e, path))?;
        Ok(self.push(Buffer {
            bytes,
            file: Some(path.into()),
        }))
    }

    /// Adds bytes that come from inside a file: a member of an archive, decompressed records.
    pub fn add(&self, bytes: Vec<u8>, file: Option<Arc<Path>>) -> BufferId {
        self.push(Buffer {
            bytes: Bytes::Owned(bytes.into()),
            file,
        })
    }

    fn push(&self, buffer: Buffer) -> BufferId {
        BufferId(u32::try_from(self.buffers.push(buffer)).unwrap_or(u32::MAX))
    }

    /// The bytes of a buffer; none for a buffer of another source.
    #[must_use]
    pub fn bytes(&self, buffer: BufferId) -> &[u8] {
        match self.buffers.get(buffer.0 as usize).map(|b| &b.bytes) {
            Some(Bytes::Mapped(map)) => map,
            Some(Bytes::Owned(bytes)) => bytes,
            None => &[],
        }
    }

    /// The file that a buffer came from, when it came from one.
    #[must_use]
    pub fn file(&self, buffer: BufferId) -> Option<&Arc<Path>> {
        self.buffers.get(buffer.0 as usize)?.file.as_ref()
    }
}

fn read_or_map(path: &Path, opening: Opening) -> std::io::Result<Bytes> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(std::io::ErrorKind::IsADirectory.into());
    }
    if is_device(&metadata) {
        let what = "a device, which has no end to be read to";
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, what));
    }
    let length = metadata.len();
    if opening.map && metadata.is_file() && length >= Opening::MAPPED_FROM {
        return map(&file).map(Bytes::Mapped);
    }
    let mut bytes = Vec::new();
    // A file that grows meanwhile is read up to the length it had; a pipe up to its end.
    if metadata.is_file() {
        bytes.reserve_exact(usize::try_from(length).map_err(std::io::Error::other)?);
        file.take(length).read_to_end(&mut bytes)?;
    } else {
        file.take(PIPED_AT_MOST).read_to_end(&mut bytes)?;
    }
    Ok(Bytes::Owned(bytes.into()))
}

/// What is read of a pipe, twice the size that Kafka lets a segment have: 2 GiB.
const PIPED_AT_MOST: u64 = 2 << 30;

#[cfg(unix)]
fn is_device(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = metadata.file_type();
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &std::fs::Metadata) -> bool {
    false
}

#[expect(
    unsafe_code,
    reason = "mapping is the one way to show a file as a slice"
)]
fn map(file: &File) -> std::io::Result<memmap2::Mmap> {
    // SAFETY: the risk taken is that another process changes the file while we look: bytes may then
    // change under a slice, and a cut file ends the process with SIGBUS (the command installs a
    // handler that says so). Kafka only appends to segments and never writes to finished
    // checkpoints; nothing above relies on bytes staying the same for memory safety, since every
    // length is checked again wherever it is read.
    let map = unsafe { memmap2::Mmap::map(file) }?;
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_ref_is_eight_bytes_and_keeps_both_parts() {
        assert_eq!(size_of::<RecordRef>(), 8);
        let end = Position((1 << 40) - 1);
        let r = RecordRef::new(BufferId(0x00ff_ffff), end).unwrap();
        assert_eq!((r.buffer(), r.position()), (BufferId(0x00ff_ffff), end));
        assert_eq!(RecordRef::new(BufferId(0), Position(1 << 40)), None);
        assert_eq!(RecordRef::new(BufferId(1 << 24), Position(0)), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_refused() {
        let error = Source::new()
            .open(Path::new("/dev/zero"), Opening::default())
            .unwrap_err();
        assert!(error.to_string().contains("a device"), "{error}");
    }

    #[test]
    fn slices_stay_while_buffers_are_added() {
        let source = Source::new();
        let first = source.add(vec![1, 2, 3], None);
        let slice = source.bytes(first);
        for n in 0..1000 {
            source.add(vec![n as u8; 10], None);
        }
        assert_eq!(slice, [1, 2, 3]);
    }
}
