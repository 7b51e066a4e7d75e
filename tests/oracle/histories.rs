//! Random valid histories: Kafka replays them without a fault, and kraftlens shows the same tree.

use crate::harness;
use crate::history::{History, LEVELS};
use crate::support::walk;
use kraftlens::ids::{Epoch, Offset};
use kraftlens::log::writer::{checkpoint_name, segment_name};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each level is where some twenty of them begin.
const HISTORIES: u64 = 540;

/// As many differing lines are told as help.
const SHOWN: usize = 4;

#[test]
fn kafka_and_kraftlens_agree_on_every_history() {
    let first = std::env::var("KRAFTLENS_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    let seeds = first..first + HISTORIES;
    let folder = tempfile::tempdir().unwrap();
    let place = |seed: u64| folder.path().join(seed.to_string());
    let histories: Vec<_> = seeds
        .clone()
        .map(|seed| (seed, History::new(seed)))
        .collect();
    for (seed, history) in &histories {
        history.write(&place(*seed));
    }
    let levels: BTreeSet<i16> = histories.iter().map(|(_, history)| history.level).collect();
    assert!(levels.into_iter().eq(LEVELS), "a level was never tried");
    checkpoints(&histories, &place);

    let kafka = folder.path().join("kafka");
    let mut arguments = vec![OsString::from("trees"), kafka.clone().into()];
    arguments.extend(seeds.clone().map(|seed| place(seed).into_os_string()));
    harness::run(arguments);
    let mut failed = Vec::new();
    for (number, seed) in seeds.enumerate() {
        let faults = fs::read_to_string(kafka.join(format!("{number}.faults"))).unwrap();
        if let Some(fault) = faults.lines().next() {
            failed.push(format!("seed {seed}: Kafka refuses the history: {fault}"));
            continue;
        }
        let kafkas = fs::read_to_string(kafka.join(format!("{number}.jsonl"))).unwrap();
        failed.extend(differences(seed, &kafkas, &tree(&place(seed))));
    }
    if let Ok(keep) = std::env::var("KRAFTLENS_KEEP") {
        // For a look at the files of a seed after the test.
        fs::rename(folder.keep(), keep).unwrap();
    }
    assert!(
        failed.is_empty(),
        "{} histories:\n{}",
        failed.len(),
        failed.join("\n")
    );
}

/// Has Kafka write checkpoints into half of the folders, one or two each, and takes away what a cluster
/// would have cleaned, or leaves behind what one that crashed would have left.
fn checkpoints(histories: &[(u64, History)], place: &dyn Fn(u64) -> PathBuf) {
    let with: Vec<_> = histories
        .iter()
        .filter(|(seed, history)| seed % 2 == 1 && history.ends.len() > 4)
        .map(|(seed, history)| {
            (
                seed,
                history,
                history.ends[history.ends.len() / (2 + *seed as usize % 3)],
            )
        })
        .collect();
    let mut arguments = vec![OsString::from("snapshot")];
    for (seed, history, end) in &with {
        let mut ends = vec![end];
        if *seed % 5 == 0 {
            ends.insert(0, &history.ends[1]);
        }
        for end in ends {
            let folder = place(**seed).into_os_string();
            arguments.extend([folder.clone(), end.to_string().into(), folder]);
        }
    }
    let written = harness::run(arguments);
    assert!(written.lines().count() >= with.len());
    for (seed, history, end) in with {
        let folder = place(*seed);
        if seed % 3 == 0 {
            // All segments that the checkpoint makes needless.
            for pair in history.segments.windows(2) {
                if pair[1].0 <= end {
                    fs::remove_file(folder.join(segment_name(Offset(pair[0].0)))).unwrap();
                }
            }
        }
        if seed % 7 == 0 {
            let name = checkpoint_name(Offset(end + 1_000_000), Epoch(i32::MAX));
            let whole = files_ending(&folder, ".checkpoint").pop().unwrap();
            let bytes = fs::read(&whole).unwrap();
            // Without its footer batch, 75 bytes, a checkpoint is not complete; the others are none.
            fs::write(folder.join(&name), &bytes[..bytes.len() - 75]).unwrap();
            fs::write(folder.join(format!("{name}.deleted")), &bytes).unwrap();
            fs::write(
                folder.join(name.replace(".checkpoint", "-123.checkpoint.part")),
                &bytes,
            )
            .unwrap();
        }
    }
}

fn files_ending(folder: &Path, suffix: &str) -> Vec<PathBuf> {
    let mut files = walk(folder);
    files.retain(|path| path.to_str().unwrap().ends_with(suffix));
    files
}

/// What the command prints when it ends with this status.
fn kraftlens(arguments: &[&OsStr], status: i32) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kraftlens"))
        .args(arguments)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {told}");
    String::from_utf8(output.stdout).unwrap()
}

/// The tree of a folder in Kafka's form, a JSON line a node.
fn tree(path: &Path) -> String {
    let options = ["--format", "kafka-jsonl", "--reveal"].map(OsStr::new);
    // An incomplete checkpoint is passed over, and said to be damage.
    let status = i32::from(!files_ending(path, ".checkpoint.deleted").is_empty());
    let arguments = [&[OsStr::new("tree"), path.as_os_str()], &options[..]].concat();
    kraftlens(&arguments, status)
}

/// A file as kafka-dump-log prints it.
fn dump(path: &Path) -> String {
    let options = ["--format", "dump-log", "--reveal"].map(OsStr::new);
    kraftlens(
        &[&[OsStr::new("records"), path.as_os_str()], &options[..]].concat(),
        0,
    )
}

#[test]
fn dumps_of_histories_are_kafkas() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for seed in 1000..1000 + 2 * LEVELS.count() as u64 {
        let place = folder.path().join(seed.to_string());
        History::new(seed).write(&place);
        files.extend(files_ending(&place, ".log"));
    }
    let arguments = [OsStr::new("dump")]
        .into_iter()
        .chain(files.iter().map(|f| f.as_os_str()));
    let kafkas = harness::run(arguments);
    let mut rest = kafkas.as_str();
    for file in &files {
        let ours = dump(file);
        let start = format!("Dumping {}\n", file.display());
        assert!(ours.starts_with(&start), "{}", file.display());
        let (kafkas, after) =
            rest.split_at(rest[1..].find("Dumping ").map_or(rest.len(), |at| at + 1));
        let differing = ours
            .lines()
            .zip(kafkas.lines())
            .find(|(ours, kafkas)| ours != kafkas);
        assert_eq!(differing, None, "{}", file.display());
        assert_eq!(ours.len(), kafkas.len(), "{}", file.display());
        rest = after;
    }
}

/// The first lines that only one side has. A line that comes twice must come twice on both sides.
fn differences(seed: u64, kafkas: &str, ours: &str) -> Option<String> {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (mut kafkas, mut ours) = (lines(kafkas), lines(ours));
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
