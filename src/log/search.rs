//! Finds metadata folders below a folder that is none: a log dir, a node's folder, a folder of nodes.

use super::directory::{Listing, peek};
use super::kind::Content;
use super::side_files::{METADATA_TOPIC, partition_id};
use crate::error::{Error, Result};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The name that Kafka gives the folder.
pub(crate) const METADATA_FOLDER: &str = "__cluster_metadata-0";

pub(crate) fn is_metadata_name(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b"__cluster_metadata-")
}

/// Whether a folder is that of a data topic: another name, and another topic's id in its
/// `partition.metadata`.
pub(crate) fn is_topic(folder: &Path) -> bool {
    !folder.file_name().is_some_and(is_metadata_name)
        && partition_id(folder).is_some_and(|id| id != METADATA_TOPIC)
}

/// Whether a folder directly holds segments or checkpoints, and they are of a metadata log: by the
/// folder's name, or by the content of one of them.
pub(crate) fn holds_metadata(folder: &Path) -> bool {
    let Ok(listing) = Listing::take(folder) else {
        return false;
    };
    if !listing.is_state() || is_topic(folder) {
        return false;
    }
    // The current folder's own name is not in the path ".".
    if folder.file_name().is_some_and(is_metadata_name) {
        return true;
    }
    let checkpoints = listing.checkpoints.iter().map(|c| &c.2);
    let segments = listing.segments.iter().map(|s| &s.1);
    checkpoints
        .take(1)
        .chain(segments.take(1))
        .any(|path| matches!(peek(path), Ok(Content::Segment | Content::Checkpoint)))
}

/// The metadata folders in reach of a path, in the order of their names: the folder itself when it is
/// one, else those directly in it, in its folders, and in the folders of those.
///
/// # Errors
/// When the folder itself cannot be listed. What cannot be listed below it is left out, unless nothing
/// else is found.
pub fn metadata_folders(path: &Path) -> Result<Vec<PathBuf>> {
    if holds_metadata(path) {
        return Ok(vec![path.into()]);
    }
    let mut found = Vec::new();
    let mut denied = None;
    walk(path, 0, &mut found, &mut denied).map_err(|e| Error::io(e, path))?;
    match denied {
        Some(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}

/// Node folders and log dirs lie between the path and a metadata folder, so those of the third level
/// are taken too, by their name.
const DEPTH: u32 = 2;

fn walk(
    folder: &Path,
    depth: u32,
    found: &mut Vec<PathBuf>,
    denied: &mut Option<Error>,
) -> std::io::Result<()> {
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(folder)?.filter_map(std::io::Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    for path in folders {
        let named = path.file_name().is_some_and(is_metadata_name);
        if (named || depth < DEPTH) && holds_metadata(&path) {
            found.push(path);
        } else if depth < DEPTH {
            let below = walk(&path, depth.saturating_add(1), found, denied);
            if let Err(error) = below
                && error.kind() == std::io::ErrorKind::PermissionDenied
            {
                denied.get_or_insert_with(|| Error::io(error, &path));
            }
        }
    }
    Ok(())
}
