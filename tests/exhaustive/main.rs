//! Every single-bit flip and every cut of small real files: nothing panics or hangs, and every flip that
//! a CRC covers is reported at its batch. Takes a minute or two of release code, so it is apart from the
//! other tests: `cargo test --release --features exhaustive --test exhaustive`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use kraftlens::finding::Code;
use kraftlens::ids::Position;
use kraftlens::image::State;
use kraftlens::log::{Log, Options};
use kraftlens::tree::{Node, Secrets, Tree};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files of each codec, with marked controllers, transactions and static configs, as folder and file of
/// `sample-snapshots`. The files of the same folder stand beside the damaged one, as on a disk.
const FILES: &[(&str, &str)] = &[
    ("codecs/none", "00000000000000000900.log"),
    ("codecs/gzip", "00000000000000000900-0000000002.checkpoint"),
    (
        "codecs/snappy",
        "00000000000000000900-0000000002.checkpoint",
    ),
    ("codecs/lz4", "00000000000000000900.log"),
    ("codecs/zstd", "00000000000000000900-0000000002.checkpoint"),
    (
        "marked-controllers/static-quorum-log",
        "00000000000000000000.log",
    ),
    (
        "marked-controllers/option-a-and-g",
        "00000000000000005000-0000000004.checkpoint",
    ),
    ("transactions", "00000000000000000000.log"),
    (
        "kafka-3.3.2-static/controller-3001/__cluster_metadata-0",
        "00000000000000000099-0000000001.checkpoint",
    ),
];

/// The bytes of a batch that its CRC stands for, and the CRC itself.
const CRC: Range<u64> = 17..u64::MAX;

struct Damaged {
    folder: tempfile::TempDir,
    file: PathBuf,
    bytes: Vec<u8>,
    batches: Vec<Range<u64>>,
}

impl Damaged {
    fn new(folder: &str, name: &str) -> Self {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-snapshots");
        let copy = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(samples.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::copy(&path, copy.path().join(path.file_name().unwrap())).unwrap();
            }
        }
        let file = copy.path().join(name);
        let bytes = std::fs::read(&file).unwrap();
        let sound = Log::open(&file, &Options::default()).unwrap();
        assert!(
            !mentions(&sound, Code::CrcMismatch, None),
            "{folder} is sound"
        );
        let batches = sound
            .batches()
            .map(|b| b.position().0..b.position().0 + b.bytes().len() as u64)
            .collect();
        Self {
            folder: copy,
            file,
            bytes,
            batches,
        }
    }

    /// Reads the folder with these bytes in the file, as far as a reader can: state, and if `deep` every
    /// node with its facts.
    fn read(&self, bytes: &[u8], deep: bool) -> Option<Arc<Log>> {
        std::fs::write(&self.file, bytes).unwrap();
        // What is no metadata at all any more is an error with words, and that is an answer.
        let log = Arc::new(Log::open(self.folder.path(), &Options::default()).ok()?);
        let state = State::read(Arc::clone(&log));
        if deep {
            let tree = Tree::new(&state, Secrets::Masked);
            let mut nodes = vec![Node::Root];
            while let Some(node) = nodes.pop() {
                assert!(tree.facts(&node).lines().len() < 100_000);
                nodes.extend(tree.children(&node).into_iter().map(|child| child.node));
            }
        }
        Some(log)
    }

    fn batch_at(&self, byte: u64) -> Option<&Range<u64>> {
        self.batches.iter().find(|batch| batch.contains(&byte))
    }
}

fn mentions(log: &Log, code: Code, position: Option<Position>) -> bool {
    log.findings()
        .kept()
        .iter()
        .any(|f| f.code == code && (position.is_none() || f.place.position == position))
}

#[test]
fn every_bit_flip_is_read_past_and_reported() {
    let (mut tried, mut covered) = (0u64, 0u64);
    for (folder, name) in FILES {
        let damaged = Damaged::new(folder, name);
        for byte in 0..damaged.bytes.len() {
            for bit in 0..8 {
                let mut bytes = damaged.bytes.clone();
                bytes[byte] ^= 1 << bit;
                let log = damaged.read(&bytes, bit == 0 && byte % 16 == 0);
                tried += 1;
                let batch = damaged.batch_at(byte as u64).unwrap();
                if CRC.contains(&(byte as u64 - batch.start)) {
                    covered += 1;
                    let reported = log.as_ref().is_none_or(|log| {
                        mentions(log, Code::CrcMismatch, Some(Position(batch.start)))
                            || log.passed_over().iter().any(|p| p.path.ends_with(name))
                    });
                    assert!(
                        reported,
                        "{folder}/{name}: bit {bit} of byte {byte} is not reported"
                    );
                }
            }
        }
    }
    println!("{tried} flips, {covered} of them under a CRC");
    assert!(tried > 100_000, "only {tried} flips");
}

#[test]
fn every_cut_is_read() {
    let mut tried = 0u64;
    for (folder, name) in FILES {
        let damaged = Damaged::new(folder, name);
        for end in 0..damaged.bytes.len() {
            let log = damaged.read(&damaged.bytes[..end], end % 16 == 0);
            tried += 1;
            let whole = damaged.batches.iter().any(|batch| batch.end == end as u64);
            if let Some(log) = log
                && name.ends_with(".log")
                && !whole
                && end > 0
            {
                // The first bytes of an offset may be zeros, which are told as such.
                let told =
                    mentions(&log, Code::CutBatch, None) || mentions(&log, Code::ZeroTail, None);
                assert!(told, "{folder}/{name} cut at {end}");
            }
        }
    }
    println!("{tried} cuts");
    assert!(tried > 10_000, "only {tried} cuts");
}
