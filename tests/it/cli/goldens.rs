//! Kafka's forms through the command line equal Kafka's.

use super::{arg, kraftlens};
use crate::support::{files, trees};
use serde_json::Value;
use std::collections::BTreeSet;

fn lines(text: &str) -> BTreeSet<String> {
    // Through one JSON writer: how characters are escaped is free.
    let parsed = |line| serde_json::from_str::<Value>(line).unwrap().to_string();
    text.lines().map(parsed).collect()
}

#[test]
fn tree_as_kafka_jsonl_is_kafkas_tree() {
    for golden in trees() {
        let args = [
            "tree",
            arg(&golden.sample),
            "--format",
            "kafka-jsonl",
            "--reveal",
        ];
        let ran = kraftlens(args);
        assert_eq!(lines(&ran.out), lines(&golden.text()), "{}", golden.name());
    }
}

#[test]
fn cat_as_kafka_prints_the_text_of_every_leaf() {
    let mut compared = 0;
    for golden in trees() {
        let mut args = vec!["cat".to_owned(), arg(&golden.sample).to_owned()];
        args.extend(["--format", "kafka", "--reveal"].map(str::to_owned));
        let mut expected = String::new();
        for line in golden.text().lines() {
            let node: Value = serde_json::from_str(line).unwrap();
            let Some(text) = node["text"].as_str() else {
                continue;
            };
            args.push(format!("/image{}", node["path"].as_str().unwrap()));
            expected.push_str(text);
            compared += 1;
        }
        let ran = kraftlens(args);
        assert_eq!(ran.out, expected, "{}: {}", golden.name(), ran.err);
    }
    assert!(compared > 5000, "only {compared} leaves");
}

/// What kafka-metadata-shell printed, but for what is ours on purpose: the root has more in it, nodes
/// that are not there are told on stderr, the state is as of the log's offsets, and default quota
/// entities have names.
#[test]
fn listings_are_those_of_the_metadata_shell() {
    const OURS: [&str; 5] = ["/", "/nope", "/image", "/image/*", "/image/provenance"];
    let mut compared = 0;
    for golden in files("shell.jsonl") {
        for line in golden.text().lines() {
            let run: Value = serde_json::from_str(line).unwrap();
            let words: Vec<&str> = run["args"]
                .as_array()
                .unwrap()
                .iter()
                .map(|w| w.as_str().unwrap())
                .collect();
            let (command, nodes) = (words[0], &words[1..]);
            let listed = ["ls", "cat", "find", "tree"].contains(&command);
            let printed = run["stdout"].as_str().unwrap();
            let directory = printed.ends_with(": Is a directory\n");
            if !listed || directory || nodes.is_empty() || nodes == ["/image/provenance"] {
                continue;
            }
            if command != "ls" && nodes.iter().any(|node| OURS.contains(node)) {
                continue;
            }
            if command == "ls"
                && nodes
                    .iter()
                    .any(|node| ["/", "/nope", "/image/*"].contains(node))
            {
                continue;
            }
            let mut args = vec![command, arg(&golden.sample)];
            args.extend(nodes);
            args.extend(["--format", "kafka", "--reveal"]);
            let ran = kraftlens(args);
            assert_eq!(
                ran.out,
                printed,
                "{}: {words:?}: {}",
                golden.name(),
                ran.err
            );
            compared += 1;
        }
    }
    assert!(compared > 30, "only {compared} runs");
}
