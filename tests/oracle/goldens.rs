//! The golden files are what Kafka says today.

use crate::harness;
use crate::support::{goldens, walk};
use std::ffi::OsStr;
use std::fs;

#[test]
fn kafka_makes_every_golden_again() {
    let fresh = tempfile::tempdir().unwrap();
    harness::run([OsStr::new("goldens"), fresh.path().as_os_str()]);
    let mut compared = 0;
    for golden in walk(&goldens()) {
        if golden.ends_with("README.md") {
            continue;
        }
        let name = golden.strip_prefix(goldens()).unwrap();
        let again = fs::read_to_string(fresh.path().join(name)).unwrap();
        let differing = fs::read_to_string(&golden)
            .unwrap()
            .lines()
            .zip(again.lines())
            .position(|(kept, made)| kept != made);
        assert_eq!(
            differing,
            None,
            "{}: first line that differs, from 0",
            name.display()
        );
        assert_eq!(
            fs::metadata(&golden).unwrap().len(),
            again.len() as u64,
            "{}",
            name.display()
        );
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}
