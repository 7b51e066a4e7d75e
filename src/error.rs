//! Why reading cannot go on, always with the place. What is only recorded and read past is a
//! [`Finding`](crate::finding::Finding) instead.

use crate::ids::{Offset, Position};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The result of everything that can fail for good.
pub type Result<T> = std::result::Result<T, Error>;

/// Where something is: a file, a byte in it, an offset of the log, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file, as the user named it or as it was found from there.
    pub file: Option<Arc<Path>>,
    /// The byte in the file.
    pub position: Option<Position>,
    /// The offset in the log (in a checkpoint: inside the file).
    pub offset: Option<Offset>,
}

impl Place {
    /// A file as a whole.
    #[must_use]
    pub fn file(path: impl Into<Arc<Path>>) -> Self {
        Self {
            file: Some(path.into()),
            ..Self::default()
        }
    }

    /// The same place, at this byte.
    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        self.position = Some(position);
        self
    }

    /// The same place, at this offset.
    #[must_use]
    pub fn offset(mut self, offset: Offset) -> Self {
        self.offset = Some(offset);
        self
    }
}

/// The parts that are known, in the form `file, byte 61, offset 7`. Names are escaped by whoever
/// prints to a terminal.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        if let Some(file) = &self.file {
            write!(f, "{}", file.display())?;
            comma = ", ";
        }
        if let Some(position) = self.position {
            write!(f, "{comma}byte {position}")?;
            comma = ", ";
        }
        if let Some(offset) = self.offset {
            write!(f, "{comma}offset {offset}")?;
        }
        Ok(())
    }
}

/// Reading cannot go on.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    place: Place,
}

/// What stopped the reader.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system refused.
    Io(std::io::Error),
    /// The input is something else than a metadata log or checkpoint.
    NotMetadata {
        /// What it is, in words: "a producer state snapshot".
        what: String,
        /// What to open instead.
        hint: String,
    },
    /// A folder holds no metadata folder within reach.
    NoMetadata,
    /// Several metadata folders are in reach and the command takes one.
    SeveralMetadata(Vec<PathBuf>),
    /// A record schema is not what the loader knows.
    Schema(String),
    /// A path of the node tree that names nothing.
    NoSuchNode(String),
    /// Words of the command line that make no sense together.
    Usage(String),
    /// A moment before the earliest state that the files hold.
    OutOfReach(String),
    /// Files went or were renamed while the folder was being read, more often than is tried.
    Unsteady,
}

impl Error {
    /// An error at a place.
    #[must_use]
    pub fn new(kind: ErrorKind, place: Place) -> Self {
        Self { kind, place }
    }

    /// An operating system error on a file.
    #[must_use]
    pub fn io(error: std::io::Error, path: &Path) -> Self {
        Self::new(ErrorKind::Io(error), Place::file(path))
    }

    /// What stopped the reader.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// Where.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place != Place::default() {
            write!(f, "{}: ", self.place)?;
        }
        match &self.kind {
            ErrorKind::Io(error) => error.fmt(f),
            ErrorKind::NotMetadata { what, .. } => {
                write!(f, "{what}, not a metadata log or checkpoint")
            }
            ErrorKind::NoMetadata => {
                f.write_str("no metadata log or checkpoint here or up to two folders down")
            }
            ErrorKind::SeveralMetadata(folders) => {
                write!(
                    f,
                    "{} metadata folders, and this command takes one",
                    folders.len()
                )
            }
            ErrorKind::Schema(what) => write!(f, "record schema: {what}"),
            ErrorKind::NoSuchNode(path) => write!(f, "no such node: {path}"),
            ErrorKind::Usage(what) | ErrorKind::OutOfReach(what) => f.write_str(what),
            ErrorKind::Unsteady => {
                f.write_str("files came and went while the folder was read, three times over")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            ErrorKind::Io(error) => Some(error),
            _ => None,
        }
    }
}
