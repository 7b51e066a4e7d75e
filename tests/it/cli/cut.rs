//! An input that is cut while it is mapped.

use super::{arg, segment_of};
use kraftlens::ids::Uuid;
use kraftlens::record::record;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Stdio};

/// Many topics, so that the segment is above what is mapped and the answer above what a pipe holds.
fn plant(folder: &Path) {
    let topics = 0..6000u32;
    let values: Vec<Vec<u8>> = topics
        .map(|n| {
            let mut id = [1; 16];
            id[12..].copy_from_slice(&n.to_be_bytes());
            let name = format!("{n:04}{}", "x".repeat(200));
            let topic = record("TopicRecord", 0)
                .set("Name", name.as_str())
                .set("TopicId", Uuid(id));
            topic.to_bytes().unwrap()
        })
        .collect();
    segment_of(folder, &values);
}

/// Starts an answer that reads the mapped bytes while it is written, and cuts the file once the first
/// of it has come: the rest waits for room in the pipe.
fn answer_and_cut(folder: &Path, more: &[&str]) -> (Child, Vec<u8>) {
    let mut child = super::command()
        .args(["tree", arg(folder), "/image/topics", "--format", "jsonl"])
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = vec![0; 64];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut first)
        .unwrap();
    let file = folder.join("00000000000000000000.log");
    let file = std::fs::OpenOptions::new().write(true).open(file).unwrap();
    file.set_len(100).unwrap();
    (child, first)
}

#[test]
fn it_is_told_what_happened() {
    let temp = tempfile::tempdir().unwrap();
    plant(temp.path());
    let (child, _) = answer_and_cut(temp.path(), &[]);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(2), "{:?}", ended.status);
    let told = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(
        told,
        "kraftlens: an input was cut while it was being read\n\
         hint: try again with --no-mmap, or on a copy\n"
    );
}

#[test]
fn what_was_read_whole_cannot_be_cut() {
    let temp = tempfile::tempdir().unwrap();
    plant(temp.path());
    let (child, first) = answer_and_cut(temp.path(), &["--no-mmap"]);
    let ended = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(0), "{told}");
    let all = [first, ended.stdout].concat();
    // Each topic by name and by id, with its name and id, and the three folders above.
    assert_eq!(
        all.iter().filter(|&&b| b == b'\n').count(),
        2 * 3 * 6000 + 3
    );
}
