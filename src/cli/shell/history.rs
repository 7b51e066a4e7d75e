//! The lines of earlier prompts, in a file of the user's.

use etcetera::BaseStrategy as _;
use std::path::{Path, PathBuf};

/// Where they are kept: `kraftlens/history` in the user's folder for state. None when the system does
/// not tell where that is.
pub(super) fn file() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    let folder = folders.state_dir().unwrap_or_else(|| folders.data_dir());
    Some(folder.join("kraftlens").join("history"))
}

/// Makes the folder of the file, for the user alone.
pub(super) fn make_room(file: &Path) -> std::io::Result<()> {
    let Some(folder) = file.parent() else {
        return Ok(());
    };
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
