//! Every command on every sample: its exit status, no word out of place, and not a byte changed.

use super::{arg, kraftlens};
use crate::support::{samples, trees, walk};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What of a file would tell that it was touched.
fn traces(folder: &Path) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
    let trace = |path: PathBuf| {
        let modified = path.metadata().unwrap().modified().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        (path, (modified, bytes))
    };
    walk(folder).into_iter().map(trace).collect()
}

fn forms(path: &str) -> Vec<Vec<&str>> {
    let mut all = vec![vec!["info", path], vec!["info", path, "--format", "json"]];
    for format in ["text", "json", "jsonl", "kafka"] {
        all.push(vec!["ls", path, "/image/*", "/*", "--format", format]);
        all.push(vec!["cat", path, "/image/provenance", "--format", format]);
        all.push(vec!["find", path, "--format", format]);
        all.push(vec!["tree", path, "/image", "--format", format]);
    }
    all.push(vec!["tree", path, "/"]);
    all.push(vec!["tree", path, "--format", "kafka-jsonl"]);
    all.push(vec![path]);
    all
}

#[test]
fn every_command_answers_and_changes_nothing() {
    let before = traces(&samples());
    for sample in trees() {
        for args in forms(arg(&sample.sample)) {
            let ran = kraftlens(&args);
            assert_eq!(ran.status, 0, "{args:?}: {}", ran.err);
            assert!(!ran.out.is_empty(), "{args:?}");
            assert_eq!(ran.err, "", "{args:?}");
        }
        for format in ["text", "jsonl", "dump-log"] {
            let ran = kraftlens(["records", arg(&sample.sample), "--format", format]);
            assert_eq!(ran.status, 0, "{}: {}", sample.name(), ran.err);
        }
    }
    let every_record = samples().join("every-record");
    for args in forms(arg(&every_record)) {
        let ran = kraftlens(&args);
        assert_eq!(ran.status, 1, "{args:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{args:?}: {}", ran.err);
    }
    assert!(traces(&samples()) == before, "a sample changed");
}

#[test]
fn every_file_of_a_sample_opens_by_itself() {
    for golden in crate::support::files("records.jsonl") {
        let ran = kraftlens(["info", arg(&golden.sample)]);
        let expected = i32::from(golden.name().starts_with("every-record"));
        // A segment whose beginning is not here tells no state.
        let cut_off =
            !golden.name().ends_with("00000000000000000000.log") && golden.name().ends_with(".log");
        assert!(
            ran.status == expected || (cut_off && ran.status == 1),
            "{}: {} {}",
            golden.name(),
            ran.status,
            ran.err
        );
    }
}

/// Whatever `find` prints leads back to one node.
#[test]
fn every_path_that_is_printed_can_be_given_back() {
    let mut folders: Vec<PathBuf> = trees().into_iter().map(|tree| tree.sample).collect();
    folders.push(samples().join("every-record"));
    for folder in folders {
        let all = kraftlens(["find", arg(&folder)]).out;
        let mut args = vec!["ls", arg(&folder), "--format", "jsonl"];
        args.extend(all.lines());
        let again: Vec<String> = kraftlens(args)
            .out
            .lines()
            .map(|line| {
                let node: serde_json::Value = serde_json::from_str(line).unwrap();
                node["path"].as_str().unwrap().to_owned()
            })
            .collect();
        let all: Vec<&str> = all.lines().collect();
        assert_eq!(again, all, "{}", folder.display());
    }
}

/// What the READMEs of the samples promise can be read.
#[test]
fn planned_facts_can_be_read() {
    let marked = samples().join("marked-controllers");
    let configs = samples().join("static-configs");
    let four = samples().join("kafka-4.4.0-dynamic");
    for (args, facts) in [
        (
            vec!["info", arg(&four)],
            vec![
                "node  role        log    state  epoch  time                      folder",
                "3001  controller  0-235  235    1      2026-11-30T06:05:09.084Z  controller-3001/",
                "1     broker      0-232  232    1 ",
                "3003  controller  0-186  185    1 ",
                "voter        3001  JEXGHDFPRpeXXXnFhSEUpA  CONTROLLER localhost:19101",
                "voter        3002  OaNRPWp4S6iBzoeC7Gtk0w  CONTROLLER localhost:19102",
                "removed      3003  cGFydGl0aW9uLW1ldGFkYQ  CONTROLLER localhost:19103, at offset",
                "leader       3001 of epoch 1",
                "metadata.version 4.4-IV2 (33)",
                "topics       7, with 19 partitions",
                "  UnregisterControllerRecord                0       0 B         1      15 B",
            ],
        ),
        (
            vec!["info", arg(&marked)],
            vec![
                "controllers  3000, not a voter, metadata.version 3.3-IV3 to 4.0-IV3 (7-25)",
                "3000, MARKED: decommissioned since offset 4999 or before (mark",
                "3000, ranges open to 32767 and no mark: nothing says why, not a",
                "(mark and",
                "(mark\n             alone, with no ranges)",
                "MARKED as decommissioned",
                "3003, MARKED: decommissioned since offset 12 (mark beside the",
                "voters as the last leader knew them: 3001, 3002, 3003",
                "metadata.version 3.9-IV0 (21)",
            ],
        ),
        (
            vec![
                "ls",
                arg(&marked.join("option-a-and-g")),
                "/image/cluster/controllers",
            ],
            vec!["3000  marked: decommissioned since offset 4999 or before\n3001\n"],
        ),
        (
            vec![
                "ls",
                arg(&marked.join("static-quorum-log")),
                "/image/cluster/controllers",
            ],
            vec!["3003  marked: decommissioned since offset 12\n"],
        ),
        (
            vec![
                "ls",
                arg(&marked.join("marked-live-voter")),
                "/quorum/voters",
            ],
            vec!["3003  marked: decommissioned since offset 4999 or before, but a live voter\n"],
        ),
        (
            vec!["info", arg(&configs)],
            vec![
                "static configs reported by 1, 2, 3, 4",
                "no static configs reported by 5",
                "dynamic configs of brokers not registered: 9",
            ],
        ),
        (
            vec![
                "cat",
                arg(&configs),
                "/static-configs/3/num.io.threads",
                "/image/configs/BROKER:3/num.io.threads",
                "/static-configs/2/background.threads",
                "/static-configs/3/num.network.threads",
                "/static-configs/4/client.configs.policy.class.name",
                "/static-configs/1/empty.value",
                "/image/cluster/brokers/5",
            ],
            vec![
                "  broker         3\n  name           num.io.threads\n  value          4\n",
                "  name           num.io.threads\n  value          16\n  value type     INT\n",
                "  default        8\n  differs        yes\n  first release  3.3.2\n",
                "  broker         2\n  name           background.threads\n  value          5\n",
                "  broker         3\n  name           num.network.threads\n  value          6\n",
                "  broker  4\n  name    client.configs.policy.class.name\n  value   none\n",
                "  broker  1\n  name    empty.value\n",
                "not reported",
            ],
        ),
    ] {
        let ran = kraftlens(&args);
        for fact in facts {
            assert!(
                ran.out.contains(fact),
                "{args:?}: no {fact:?} in\n{}",
                ran.out
            );
        }
    }
}
