//! The `records` command.

use crate::support::{Golden, files, samples};
use assert_cmd::Command;
use std::path::Path;

/// Runs `records` in a folder: standard output, standard error, exit status.
fn records(folder: &Path, args: &[&str]) -> (String, String, i32) {
    let output = Command::cargo_bin("kraftlens")
        .unwrap()
        .env_clear()
        .current_dir(folder)
        .arg("records")
        .args(args)
        .output()
        .unwrap();
    (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
        output.status.code().unwrap(),
    )
}

fn dump(golden: &Golden) -> String {
    let name = golden.sample.file_name().unwrap().to_str().unwrap();
    let folder = golden.sample.parent().unwrap();
    let file = format!("./{name}");
    let (out, err, status) = records(folder, &[&file, "--format", "dump-log", "--reveal"]);
    assert_eq!(
        (err.as_str(), status),
        ("", 0),
        "{}",
        golden.sample.display()
    );
    out
}

/// The lines that Kafka 4.4.0 cannot print: it knows no RegisterBrokerRecord version 5.
fn is_exempt(kafka: &str, ours: &str) -> bool {
    kafka.ends_with("skipping. Failed to deserialize record with type 0")
        && ours.contains("{\"type\":\"REGISTER_BROKER_RECORD\",\"version\":5,")
}

#[test]
fn dump_log_is_kafkas() {
    let (mut compared, mut exempt) = (0, 0);
    for golden in files("dump.txt") {
        let (ours, kafka) = (dump(&golden), golden.text());
        compared += 1;
        if ours == kafka {
            continue;
        }
        let (mut left, mut right) = (ours.split('\n'), kafka.split('\n'));
        loop {
            match (left.next(), right.next()) {
                (None, None) => break,
                (Some(a), Some(b)) if a == b => {}
                (Some(a), Some(b)) if is_exempt(b, a) => exempt += 1,
                (a, b) => panic!("{}:\n ours {a:?}\nkafka {b:?}", golden.sample.display()),
            }
        }
    }
    assert_eq!((compared, exempt), (58, 4));
}

#[test]
fn a_folder_is_its_segments_and_a_checkpoint_that_the_log_does_not_reach() {
    let files_of = |out: &str| -> Vec<String> {
        out.lines()
            .filter_map(|line| line.strip_prefix("Dumping "))
            .map(|path| path.rsplit('/').next().unwrap().to_owned())
            .collect()
    };
    // The log reaches back to 0.
    let folder = samples().join("kafka-4.4.0-dynamic/controller-3001");
    let (out, err, status) = records(&folder, &["__cluster_metadata-0", "--format", "dump-log"]);
    assert_eq!(files_of(&out), ["00000000000000000000.log"]);
    assert!(
        err.contains("passed over: 00000000000000000158-0000000001.checkpoint"),
        "{err}"
    );
    assert_eq!(status, 0, "{err}");
    // It does not.
    let folder = samples().join("codecs/zstd");
    let (out, err, _) = records(&folder, &[".", "--format", "dump-log"]);
    assert_eq!(
        files_of(&out),
        [
            "00000000000000000900-0000000002.checkpoint",
            "00000000000000000900.log"
        ]
    );
    assert!(!err.contains("passed over"), "{err}");
}
