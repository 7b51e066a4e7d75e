//! The `records` command.

use crate::support::{Golden, files, project, samples};
use assert_cmd::Command;
use std::collections::BTreeSet;
use std::fs;
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

/// Logs at which kafka-dump-log dies with a stack trace.
const DEADLY: [&str; 14] = [
    "18-zeros",
    "bad-gzip",
    "bad-record-length",
    "control-key-short",
    "control-value-cut",
    "control-value-null",
    "count-negative",
    "count-too-high",
    "count-too-low",
    "leader-change-1",
    "record-beyond-batch",
    "record-with-leftover",
    "size-13",
    "unknown-codec",
];

#[test]
fn dump_log_is_kafkas_on_odd_logs_and_goes_on_where_kafka_dies() {
    let mut seen = BTreeSet::new();
    for entry in fs::read_dir(project().join("tests/dump-log")).unwrap() {
        let folder = entry.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let kafka = fs::read_to_string(folder.join("dump.txt")).unwrap();
        let file = "./00000000000000000000.log";
        let (ours, ..) = records(&folder, &[file, "--format", "dump-log", "--reveal"]);
        if !DEADLY.contains(&name.as_str()) {
            assert_eq!(ours, kafka, "{name}");
            assert!(!ours.contains("kraftlens: "), "{name}");
        } else {
            let more = ours.strip_prefix(&kafka);
            let more = more.unwrap_or_else(|| panic!("{name}:\n{ours}\nkafka:\n{kafka}"));
            // Only this one reads well all the same.
            let said = more.matches("; kafka-dump-log ends here\n").count();
            match name.as_str() {
                "leader-change-1" => assert!(more.starts_with(" LeaderChange: {\"version\":1,")),
                "bad-gzip" => assert!(more.starts_with("kraftlens: records could not be")),
                _ => assert_eq!(said, 1, "{name}: {more}"),
            }
        }
        seen.insert(name);
    }
    assert_eq!(seen.len(), 27);
}

/// The offsets of the records shown, by their JSON.
fn offsets(folder: &Path, args: &[&str]) -> Vec<i64> {
    let (out, ..) = records(folder, &[args, &["--format", "jsonl"]].concat());
    out.lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|line| line["kind"] == "record")
        .map(|line| line["offset"].as_i64().unwrap())
        .collect()
}

#[test]
fn records_are_chosen_by_type_object_offset_and_time() {
    let folder = samples().join("kafka-4.4.0-dynamic/controller-3001");
    let chosen = |args: &[&str]| offsets(&folder, &[&["__cluster_metadata-0"], args].concat());
    assert_eq!(chosen(&["--type", "LEADER_CHANGE"]), [0]);
    assert_eq!(
        chosen(&["--type", "voters,kraft_version", "--to", "2"]),
        [1, 2]
    );
    // It is created at 47 with two partitions, and again at 140 under another id.
    let doomed = chosen(&["--object", "doomed", "--to", "141"]);
    // 55 clears the ELR of all topics.
    assert_eq!(doomed, [47, 48, 49, 50, 55, 78, 81, 104, 140, 141]);
    assert_eq!(
        chosen(&["--object", "partition:doomed-0", "--to", "141"]),
        [49, 78, 141]
    );
    let by_id = [
        "--object",
        "h0c3gPOFT_u_beeZgf7pJw",
        "--type",
        "RemoveTopicRecord",
    ];
    assert_eq!(chosen(&by_id), [104]);
    assert_eq!(
        chosen(&["--object", "broker:3", "--to", "30"]),
        [13, 18, 22]
    );
    assert_eq!(
        chosen(&["--object", "controller:3002", "--to", "30"]),
        [2, 15]
    );
    assert_eq!(
        chosen(&["--object", "config:TOPIC:payments", "--to", "60"]),
        [41, 51, 52]
    );
    assert_eq!(
        chosen(&["--object", "user:alice", "--to", "100"]),
        [93, 98, 99]
    );
    assert_eq!(chosen(&["--from", "12", "--to", "14"]), [12, 13, 14]);
    let times = [
        "--since",
        "2026-11-30T06:04:46.613Z",
        "--until",
        "2026-11-30T06:04:46.65Z",
    ];
    assert_eq!(chosen(&times), [12, 13, 14, 15]);
    // All records of a checkpoint count as its last offset.
    let folder = samples().join("codecs/none");
    assert!(offsets(&folder, &[".", "--to", "898"]).is_empty());
    let last = offsets(&folder, &[".", "--from", "899", "--to", "899"]);
    assert!(last.len() > 10 && last.iter().all(|offset| *offset == 899));
}

#[test]
fn a_wrong_type_or_object_is_told_with_what_may_be_meant() {
    let folder = samples().join("transactions");
    for (args, words) in [
        (["--type", "PARTITON_RECORD"], "PARTITION_RECORD is one"),
        (["--object", "broker:x"], "broker:3"),
        (["--since", "yesterday"], "2026-01-01T00:00:00Z"),
    ] {
        let (out, err, status) = records(&folder, &[&["."], &args[..]].concat());
        assert_eq!((out.as_str(), status), ("", 2));
        assert!(err.contains(words), "{err}");
    }
}

#[test]
fn text_tells_transactions_names_and_folds_noops() {
    let folder = samples().join("transactions");
    let (out, ..) = records(&folder, &["."]);
    let line = |offset: &str| {
        out.lines()
            .find(|line| line.trim_start().starts_with(offset))
            .unwrap_or_else(|| panic!("{offset}: {out}"))
    };
    assert!(line("18  ").ends_with("(aborted transaction \"aborted\")"));
    assert!(line("19  ").contains("partition dropped-00.topic-000000-0  replicas=[0, 1]"));
    assert!(line("27  ").ends_with("(open transaction \"unfinished\")"));
    assert!(!line("7  ").contains("transaction"));
    assert!(
        out.contains("\nNoOp x 1, offset 25, 2026-01-01T00:00:02Z\n"),
        "{out}"
    );
    let (out, ..) = records(&folder, &[".", "--noops"]);
    assert!(out.contains("\n  25  NoOp\n"), "{out}");

    let folder = samples().join("marked-controllers/option-a");
    let (out, ..) = records(&folder, &[".", "--object", "controller:3000"]);
    assert!(out.contains("register controller 3000 MARKED  "), "{out}");
}

#[test]
fn text_says_what_is_wrong() {
    let folder = project().join("tests/dump-log");
    let text = |name: &str| records(&folder.join(name), &["00000000000000000000.log"]);
    let (out, err, status) = text("bad-crc");
    assert!(out.contains("CRC wrong! stored 788759856, of the bytes 788759857"));
    assert!(out.contains("\n? 3  config  [redacted]\n"), "{out}");
    assert!(err.contains("[crc-mismatch]"));
    assert_eq!(status, 1);
    let (out, ..) = text("undecodable");
    for part in [
        "  type 99 version 0: unknown type; 3 bytes: 016300",
        "  topic version 9: unknown version; 27 bytes: 010209",
        "  topic orders  topicId=AAAAAAAAAAAAAAAAAAAACQ  2 bytes left over: 7a7a",
        "  unregister controller 7  unknown tag 9: cafe",
        "  register broker version 6: unknown version; 3 bytes: [redacted]",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let (out, ..) = text("cut-batch");
    // Its offset was had already, so it is not the one that is due.
    assert!(out.contains("\n! error: no batch here (106 bytes announced, 40 left"));
}

#[test]
fn secrets_are_shown_only_on_request() {
    let folder = samples().join("kafka-4.4.0-dynamic/controller-3001/__cluster_metadata-0");
    let golden = files("dump.txt")
        .into_iter()
        .find(|golden| golden.sample == folder.join("00000000000000000000.log"))
        .unwrap()
        .text();
    let mut secrets = Vec::new();
    for payload in golden
        .lines()
        .filter_map(|line| Some(line.split_once(" payload: ")?.1))
    {
        let record: serde_json::Value = serde_json::from_str(payload).unwrap();
        let data = &record["data"];
        let names: &[&str] = match record["type"].as_str().unwrap() {
            "USER_SCRAM_CREDENTIAL_RECORD" => &["salt", "storedKey", "serverKey"],
            "CONFIG_RECORD" if data["name"].as_str().unwrap().ends_with("password") => &["value"],
            _ => continue,
        };
        secrets.extend(
            names
                .iter()
                .filter_map(|name| Some(data[name].as_str()?.to_owned())),
        );
    }
    assert_eq!(secrets.len(), 7);
    for format in ["text", "jsonl", "dump-log"] {
        let args = [".", "--format", format];
        let (masked, ..) = records(&folder, &args);
        let (revealed, ..) = records(&folder, &[&args[..], &["--reveal"]].concat());
        assert!(
            masked.matches("[redacted]").count() >= secrets.len(),
            "{format}"
        );
        for secret in &secrets {
            assert!(!masked.contains(secret), "{format}: {secret}");
            assert!(revealed.contains(secret), "{format}: {secret}");
        }
    }
}
