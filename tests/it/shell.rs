//! `shell --compat` against kafka-metadata-shell 4.3.1.

use crate::support::files;
use std::process::Command;

fn kraftlens() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kraftlens"));
    command.env_clear();
    command
}

#[derive(serde::Deserialize)]
struct Recorded {
    args: Vec<String>,
    stdout: String,
    exit: i32,
}

/// Kafka's shell stops with an exception and status 1 at a name that it lists and cannot look up; ours
/// goes on, so what it printed until there must be how ours begins.
#[test]
fn batch_commands_print_what_kafkas_shell_prints() {
    let mut runs = 0;
    for golden in files("shell.jsonl") {
        for line in golden.text().lines() {
            let recorded: Recorded = serde_json::from_str(line).unwrap();
            if recorded.args.iter().any(|arg| arg.contains("local")) {
                continue;
            }
            let ours = kraftlens()
                .args(["shell", "--snapshot"])
                .arg(&golden.sample)
                .args(["--compat", "--reveal", "--"])
                .args(&recorded.args)
                .output()
                .unwrap();
            let stdout = String::from_utf8(ours.stdout).unwrap();
            let what = format!("{}: {:?}", golden.name(), recorded.args);
            if recorded.exit == 0 {
                assert_eq!(stdout, recorded.stdout, "{what}");
            } else {
                assert!(stdout.starts_with(&recorded.stdout), "{what}: {stdout}");
                assert!(stdout.len() > recorded.stdout.len(), "{what}");
            }
            runs += 1;
        }
    }
    assert_eq!(runs, 68);
}
