//! Calls `tests/oracle/run`.

use crate::support::project;
use std::ffi::OsStr;
use std::process::Command;

/// Runs a command of the harness to its end and gives its standard output.
pub(crate) fn run<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> String {
    let script = project().join("tests/oracle/run");
    let output = Command::new("bash")
        .arg(&script)
        .args(arguments)
        .output()
        .expect("bash runs the harness");
    assert!(
        output.status.success(),
        "{}: {}\n{}",
        script.display(),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}
