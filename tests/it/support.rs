//! Where the samples and Kafka's readings of them stand.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the package.
pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of real files.
pub(crate) fn samples() -> PathBuf {
    project().join("sample-snapshots")
}

/// The folder of Kafka's readings, which mirrors [`samples`].
pub(crate) fn goldens() -> PathBuf {
    project().join("tests/golden")
}

/// A sample and what Kafka makes of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Golden {
    /// A file of [`samples`]; for a tree, its folder.
    pub(crate) sample: PathBuf,
    /// The file of [`goldens`].
    pub(crate) golden: PathBuf,
}

impl Golden {
    /// The sample's path below [`samples`], for messages.
    pub(crate) fn name(&self) -> String {
        self.sample
            .strip_prefix(samples())
            .unwrap()
            .display()
            .to_string()
    }

    /// Kafka's text.
    pub(crate) fn text(&self) -> String {
        fs::read_to_string(&self.golden).unwrap()
    }
}

/// The folders with a `tree.jsonl`.
pub(crate) fn trees() -> Vec<Golden> {
    golden_files()
        .into_iter()
        .filter(|golden| golden.ends_with("tree.jsonl"))
        .map(|golden| Golden {
            sample: mirrored(golden.parent().unwrap()),
            golden,
        })
        .collect()
}

/// The files with a golden of this kind: `records.jsonl`, `dump.txt`, `shell.jsonl`.
pub(crate) fn files(kind: &str) -> Vec<Golden> {
    let suffix = format!(".{kind}");
    golden_files()
        .into_iter()
        .filter_map(|golden| {
            let sample = mirrored(Path::new(golden.to_str()?.strip_suffix(&suffix)?));
            Some(Golden { sample, golden })
        })
        .collect()
}

/// Every file below a folder, sorted.
pub(crate) fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path)
            } else {
                found.push(path)
            }
        }
    }
    found.sort();
    found
}

fn golden_files() -> Vec<PathBuf> {
    walk(&goldens())
}

fn mirrored(golden: &Path) -> PathBuf {
    samples().join(golden.strip_prefix(goldens()).unwrap())
}
