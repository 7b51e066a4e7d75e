//! The binary as it is run: cleared environment, what it says on both streams, its exit status.

mod cut;
mod goldens;
mod help;
mod json;
mod list;
mod samples;
mod scripts;
mod secrets;
mod status;

use crate::support::project;
use kraftlens::ids::{Epoch, Offset, Timestamp};
use kraftlens::log::writer::{BatchWriter, segment_name};
use kraftlens::record::RecordBuilder;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

/// How a run ended.
pub(super) struct Ran {
    pub(super) status: i32,
    pub(super) out: String,
    pub(super) err: String,
}

pub(super) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kraftlens"));
    command.env_clear().current_dir(project());
    command
}

pub(super) fn kraftlens(args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ran {
    let Output {
        status,
        stdout,
        stderr,
    } = command().args(args).output().unwrap();
    Ran {
        status: status.code().expect("it ends by itself, not by a signal"),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}

/// A path as an argument.
pub(super) fn arg(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A segment at offset 0 with each record in a batch of its own.
pub(super) fn segment(folder: &Path, records: &[RecordBuilder]) {
    let values: Vec<Vec<u8>> = records.iter().map(|r| r.to_bytes().unwrap()).collect();
    segment_of(folder, &values);
}

pub(super) fn segment_of(folder: &Path, values: &[Vec<u8>]) {
    let mut bytes = Vec::new();
    for (offset, value) in (0..).zip(values) {
        BatchWriter::new(Offset(offset), Epoch(1), Timestamp(1_700_000_000_000))
            .record(None, Some(value))
            .write(&mut bytes);
    }
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join(segment_name(Offset(0))), bytes).unwrap();
}
