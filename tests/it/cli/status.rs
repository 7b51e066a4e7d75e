//! Exit status and what is said on stderr.

use super::{arg, kraftlens, segment, segment_of};
use crate::support::{project, samples};
use kraftlens::record::record;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

fn topic(name: &str) -> Vec<u8> {
    // Names of one length would share the id.
    let id = kraftlens::ids::Uuid([u8::try_from(name.len()).unwrap(); 16]);
    let topic = record("TopicRecord", 0)
        .set("Name", name)
        .set("TopicId", id);
    topic.to_bytes().unwrap()
}

fn level() -> Vec<u8> {
    let level = record("FeatureLevelRecord", 0)
        .set("Name", "metadata.version")
        .set("FeatureLevel", 25i16);
    level.to_bytes().unwrap()
}

/// A folder with a segment in it, whose bytes are then damaged.
fn damaged(folder: &Path, damage: impl FnOnce(&mut Vec<u8>)) {
    segment_of(folder, &[level(), topic("one"), level()]);
    let file = folder.join("00000000000000000000.log");
    let mut bytes = fs::read(&file).unwrap();
    damage(&mut bytes);
    fs::write(&file, bytes).unwrap();
}

#[test]
fn status_and_words() {
    let temp = tempfile::tempdir().unwrap();
    let at = |name: &str| temp.path().join(name);
    let whole = at("whole");
    segment_of(&whole, &[level(), topic("orders")]);
    let flipped = at("flipped");
    damaged(&flipped, |bytes| *bytes.last_mut().unwrap() ^= 1);
    let cut = at("cut");
    damaged(&cut, |bytes| bytes.truncate(bytes.len() - 3));
    let zeros = at("zeros");
    damaged(&zeros, |bytes| bytes.extend([0; 100]));
    let unknown = at("unknown");
    segment_of(&unknown, &[level(), vec![1, 99, 0]]);
    let marked = samples().join("marked-controllers/marked-live-voter");
    let (four, text) = (
        samples().join("kafka-4.4.0-dynamic"),
        samples().join("README.md"),
    );
    let empty = at("empty");
    fs::create_dir(&empty).unwrap();

    let ls = |path: &Path| vec!["ls".to_owned(), arg(path).to_owned()];
    let with = |path: &Path, words: &[&str]| {
        let mut args = ls(path);
        args.extend(words.iter().map(|&w| w.to_owned()));
        args
    };
    let cat =
        |path: &Path, node: &str| vec!["cat".to_owned(), arg(path).to_owned(), node.to_owned()];
    let table: Vec<(Vec<String>, i32, &[&str])> = vec![
        (ls(&whole), 0, &[]),
        (with(&whole, &["--strict"]), 0, &[]),
        (
            ls(&flipped),
            1,
            &[
                "00000000000000000000.log, byte ",
                ": error: ",
                "[crc-mismatch]",
            ],
        ),
        (
            with(&flipped, &["--strict"]),
            2,
            &["[crc-mismatch]", "--strict: not everything was understood"],
        ),
        (ls(&cut), 0, &[": warning: ", "[cut-batch]"]),
        (with(&cut, &["--strict"]), 2, &["[cut-batch]", "--strict"]),
        (ls(&zeros), 0, &["[zero-tail]"]),
        (ls(&unknown), 0, &[": warning: ", "[unknown-record-type]"]),
        (with(&unknown, &["--strict"]), 2, &["[unknown-record-type]"]),
        // A rule that the state breaks is no damage of the bytes: info and /findings tell it.
        (ls(&marked), 0, &[]),
        (with(&marked, &["--strict"]), 0, &[]),
        (
            ls(&at("nothing")),
            2,
            &["nothing: No such file or directory"],
        ),
        (
            ls(&text),
            2,
            &[
                "README.md: a text file, not a metadata log or checkpoint",
                "\nhint: ",
            ],
        ),
        (
            ls(&empty),
            2,
            &["no metadata log or checkpoint here", "\nhint: "],
        ),
        (
            ls(&four),
            2,
            &[
                "4 metadata folders, and this command takes one\n",
                "\n  ",
                "controller-3003/__cluster_metadata-0\n",
                "hint: give one of them; `info` takes them all",
            ],
        ),
        (
            cat(&whole, "/image/topics/byName/order"),
            2,
            &["no such node", "did you mean /image/topics/byName/orders\n"],
        ),
        (
            cat(&whole, "/topics/byName/orders"),
            2,
            &["did you mean /image/topics/byName/orders\n"],
        ),
        (
            cat(&whole, "/image/zzz"),
            2,
            &["no such node: /image/zzz", "\nhint: "],
        ),
        (
            cat(&whole, "/image/topics"),
            2,
            &["/image/topics: is a directory\nhint: "],
        ),
        (
            with(&whole, &["--color", "sometimes"]),
            2,
            &["invalid value 'sometimes'"],
        ),
        (with(&whole, &["--max-batch", "0"]), 2, &["leaves no room"]),
        (
            vec![
                "tree".into(),
                arg(&whole).into(),
                "/image".into(),
                "--format".into(),
                "kafka-jsonl".into(),
            ],
            2,
            &["takes no NODE"],
        ),
        (vec![], 2, &["Usage: kraftlens"]),
        (vec!["--reveal".into()], 2, &["Usage: kraftlens"]),
        (
            vec![arg(&whole).into(), "ls".into(), arg(&whole).into()],
            2,
            &["comes after it"],
        ),
    ];
    for (args, status, words) in table {
        let ran = kraftlens(&args);
        assert_eq!(ran.status, status, "{args:?}: {}", ran.err);
        for word in words {
            assert!(
                ran.err.contains(word),
                "{args:?}: no {word:?} in {:?}",
                ran.err
            );
        }
        if words.is_empty() {
            assert_eq!(ran.err, "", "{args:?}");
        }
    }
    // What could be answered is, beside what could not.
    let mixed = kraftlens([
        "cat",
        arg(&whole),
        "/nope",
        "/image/features/metadataVersion",
    ]);
    assert_eq!(mixed.status, 2);
    assert!(mixed.out.contains("4.0-IV3"), "{}", mixed.out);
    for args in [["--help"], ["--version"]] {
        let ran = kraftlens(args);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{args:?}");
    }
}

/// `info` goes on with the copies that can be read.
#[test]
fn a_copy_that_cannot_be_read_does_not_hide_the_others() {
    let temp = tempfile::tempdir().unwrap();
    let at = |name: &str| temp.path().join(name).join("__cluster_metadata-0");
    segment_of(&at("a"), &[level()]);
    segment_of(&at("b"), &[level()]);
    segment_of(&at("c"), &[level()]);
    fs::write(
        at("b").join("00000000000000000000.log"),
        b"no batches, only words",
    )
    .unwrap();
    let ran = kraftlens(["info", arg(temp.path())]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.out.contains("a/__cluster_metadata-0"), "{}", ran.out);
    assert!(ran.out.contains("c/__cluster_metadata-0"), "{}", ran.out);
    assert!(ran.err.contains("b/__cluster_metadata-0"), "{}", ran.err);
}

/// A log that was lost must not pass for one that is well.
#[test]
fn a_folder_without_a_record_is_empty_not_healthy() {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join("00000000000000000000.log"), []).unwrap();
    let ran = kraftlens(["info", arg(temp.path())]);
    assert!(ran.out.contains("EMPTY"), "{}", ran.out);
    assert!(!ran.out.contains("healthy"), "{}", ran.out);
}

/// In 3.9.2 the copy of controller 3001 ends with the leader change of epoch 3, a control record; the
/// others end one offset earlier, in epoch 2.
#[test]
fn the_furthest_copy_is_told_with_control_records() {
    let ran = kraftlens(["info", arg(&samples().join("kafka-3.9.2-static"))]);
    let first = ran.out.lines().nth(2).unwrap();
    assert!(
        first.contains("0-279") && first.contains("controller-3001"),
        "{first}"
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let sample = samples().join("kafka-4.3.1-dynamic/controller-3001/__cluster_metadata-0");
    for command in ["find", "tree"] {
        let mut child = super::command()
            .args([command, arg(&sample), "/", "--format", "jsonl"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        let mut out = BufReader::with_capacity(16, child.stdout.take().unwrap());
        out.read_line(&mut first).unwrap();
        drop(out);
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{command}");
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{command}");
    }
}

#[test]
fn a_path_with_the_name_of_a_command_can_be_opened() {
    let temp = tempfile::tempdir().unwrap();
    segment_of(&temp.path().join("info"), &[level()]);
    let mut command = super::command();
    let ended = command
        .current_dir(temp.path())
        .arg("./info")
        .output()
        .unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&ended.stdout).contains("4.0-IV3 (25)"));
}

/// Names that would move the cursor, clear the screen or turn the line around.
#[test]
fn names_do_not_reach_the_terminal_as_they_are() {
    let temp = tempfile::tempdir().unwrap();
    let name = "a\u{1b}[2J\r\n\u{202e}b\u{9b}31m/../x\\";
    let id = kraftlens::ids::Uuid([7; 16]);
    segment(
        temp.path(),
        &[
            record("TopicRecord", 0)
                .set("Name", name)
                .set("TopicId", id),
            record("ConfigRecord", 0)
                .set("ResourceType", 2i8)
                .set("ResourceName", name)
                .set("Name", name)
                .set("Value", name),
            record("FeatureLevelRecord", 0)
                .set("Name", name)
                .set("FeatureLevel", 1i16),
            record("BeginTransactionRecord", 0).set("Name", name),
        ],
    );
    let path = arg(temp.path());
    for args in [
        vec!["info", path],
        vec![
            "ls",
            path,
            "/image/*",
            "/image/*/*",
            "/image/*/*/*",
            "/transactions",
        ],
        vec!["find", path],
        vec!["tree", path, "/"],
        vec![
            "cat",
            path,
            "/image/*/*/*",
            "/image/configs/*/*",
            "/transactions/*",
        ],
        vec!["cat", path, "/no\u{1b}[2J/such"],
        vec!["info", "/no\u{1b}[2J\u{202e}/such"],
    ] {
        let ran = kraftlens(&args);
        let told = format!("{}{}", ran.out, ran.err);
        let raw = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        let found: Vec<char> = told.chars().filter(|&c| raw(c)).collect();
        assert!(found.is_empty(), "{args:?}: {found:?} in {told}");
    }
    // The path that is printed leads to the topic all the same.
    let found = kraftlens(["find", path, "/image/topics/byName"]).out;
    let printed = found.lines().nth(1).unwrap();
    let ran = kraftlens(["cat", path, printed, "--format", "jsonl"]);
    let node: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(node["facts"]["name"], name);
}

#[test]
fn a_path_that_is_suggested_leads_to_its_node() {
    let temp = tempfile::tempdir().unwrap();
    segment_of(
        temp.path(),
        &[level(), topic("cl\\(x\\)-orders"), topic("a/b\nlong")],
    );
    let path = arg(temp.path());
    for near in [
        "/image/topics/byName/cl\\(x\\)-order",
        "/image/topics/byName/\"a/b\\nlonk\"",
    ] {
        let told = kraftlens(["cat", path, near]).err;
        let suggested = told
            .lines()
            .last()
            .unwrap()
            .strip_prefix("hint: did you mean ");
        let ran = kraftlens(["ls", path, suggested.unwrap()]);
        assert_eq!(ran.status, 0, "{told}{}", ran.err);
    }
}

#[test]
fn colors_come_when_asked_for() {
    let sample = samples().join("marked-controllers/option-a");
    let args = |when| ["ls", arg(&sample), "/marks", "--color", when].map(str::to_owned);
    assert!(kraftlens(args("always")).out.contains("\u{1b}[33m"));
    for when in ["auto", "never"] {
        assert!(!kraftlens(args(when)).out.contains('\u{1b}'), "{when}");
    }
}

/// What is said at the package's root must hold: no path of the machine leaks into messages.
#[test]
fn places_are_named_as_the_user_named_them() {
    let ran = kraftlens(["ls", "sample-snapshots/every-record"]);
    assert!(
        ran.err.starts_with(
            "kraftlens: sample-snapshots/every-record/00000000000000000000.log, byte "
        )
    );
    assert!(!ran.err.contains(arg(project())));
}
