//! Random valid histories: Kafka replays them without a fault, and kraftlens shows the same tree.

use crate::harness;
use crate::history::{History, LEVELS};
use kraftlens::image::State;
use kraftlens::log::{Log, Options};
use kraftlens::tree::{Secrets, Tree};
use std::convert::Infallible;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Each level is where some twenty of them begin.
const HISTORIES: u64 = 540;

/// As many differing lines are told as help.
const SHOWN: usize = 4;

#[test]
fn kafka_and_kraftlens_agree_on_every_history() {
    let first = std::env::var("KRAFTLENS_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    let folder = tempfile::tempdir().unwrap();
    let kafka = folder.path().join("kafka");
    let mut arguments = vec![OsString::from("trees"), kafka.clone().into()];
    let mut levels: Vec<i16> = Vec::new();
    for seed in first..first + HISTORIES {
        let history = History::new(seed);
        let path = folder.path().join(seed.to_string());
        history.write(&path);
        levels.push(history.level);
        arguments.push(path.into());
    }
    levels.sort_unstable();
    levels.dedup();
    assert_eq!(
        levels,
        LEVELS.collect::<Vec<_>>(),
        "a level was never tried"
    );
    harness::run(arguments);

    let mut failed = Vec::new();
    for seed in first..first + HISTORIES {
        let place = seed - first;
        let faults = fs::read_to_string(kafka.join(format!("{place}.faults"))).unwrap();
        if let Some(fault) = faults.lines().next() {
            failed.push(format!("seed {seed}: Kafka refuses the history: {fault}"));
            continue;
        }
        let kafkas = fs::read_to_string(kafka.join(format!("{place}.jsonl"))).unwrap();
        let ours = tree(&folder.path().join(seed.to_string()));
        failed.extend(differences(seed, &kafkas, &ours));
    }
    let histories = failed.len();
    if let Ok(keep) = std::env::var("KRAFTLENS_KEEP") {
        // For a look at the files of a seed after the test.
        fs::rename(folder.keep(), keep).unwrap();
    }
    assert!(
        failed.is_empty(),
        "{histories} histories:\n{}",
        failed.join("\n")
    );
}

/// The tree of a folder in Kafka's form, a JSON line a node.
fn tree(path: &Path) -> String {
    let log = Log::open(path, &Options::default()).unwrap();
    let state = State::read(Arc::new(log));
    let mut lines = String::new();
    Tree::new(&state, Secrets::Revealed)
        .kafka_lines(&mut |line| {
            lines += &serde_json::to_string(&line).unwrap();
            lines.push('\n');
            Ok::<_, Infallible>(())
        })
        .unwrap();
    lines
}

/// The first lines that only one side has. A line that comes twice must come twice on both sides.
fn differences(seed: u64, kafkas: &str, ours: &str) -> Option<String> {
    let (mut kafkas, mut ours) = (parsed(kafkas), parsed(ours));
    kafkas.sort();
    ours.sort();
    if kafkas == ours {
        return None;
    }
    let mut told = format!("seed {seed}:");
    for (name, these, those) in [("missing", &kafkas, &ours), ("invented", &ours, &kafkas)] {
        let mut those = those.iter().peekable();
        let only = these.iter().filter(|line| {
            while those.next_if(|other| other < line).is_some() {}
            those.next_if(|other| other == line).is_none()
        });
        for line in only.take(SHOWN) {
            told += &format!("\n  {name}: {line}");
        }
    }
    Some(told)
}

/// Both sides through one JSON writer: escapes may differ, values not.
fn parsed(lines: &str) -> Vec<String> {
    let value = |line| {
        serde_json::from_str::<serde_json::Value>(line)
            .unwrap()
            .to_string()
    };
    lines.lines().map(value).collect()
}
