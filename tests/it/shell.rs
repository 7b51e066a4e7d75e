//! `shell`: with `--compat` against kafka-metadata-shell 4.3.1, and its prompt at a terminal.

use crate::support::{files, project, samples};
use kraftlens::image::State;
use kraftlens::log::{Log, Options};
use kraftlens::tree::{Node, Secrets, TopicsBy, Tree};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

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

/// A checkpoint with topics, quotas and configs.
fn checkpoint() -> PathBuf {
    samples().join(
        "kafka-3.9.2-static/controller-3001/__cluster_metadata-0/00000000000000000152-0000000001.checkpoint",
    )
}

fn ran(args: &[&str]) -> (String, String, i32) {
    answer(kraftlens().args(args).output().unwrap())
}

fn answer(output: Output) -> (String, String, i32) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let status = output.status.code().expect("it ends by itself");
    (text(output.stdout), text(output.stderr), status)
}

/// Read from runs of the real shell, as recorded ones are.
#[test]
fn compat_refuses_as_kafkas_shell_does() {
    let file = checkpoint();
    for (args, stdout, status) in [
        (
            &["ca", "/x"][..],
            "invalid choice: 'ca': did you mean 'cat'?\n",
            2,
        ),
        (&["c"], "too few arguments\n", 2),
        (
            &["LS"],
            "invalid choice: 'LS' (choose from 'cat', 'find', 'ls', 'tree')\n",
            2,
        ),
        (
            &["pwd"],
            "invalid choice: 'pwd' (choose from 'cat', 'find', 'ls', 'tree')\n",
            2,
        ),
        (
            &["", "ls"],
            "invalid choice: '' (choose from 'cat', 'find', 'ls', 'tree')\n",
            2,
        ),
        (&["cat", ""], "too few arguments\n", 2),
        (&["ls", "", ""], "image\nlocal\n", 0),
        (&["ls", "-1"], "ls: -1: no such file or directory.\n", 2),
        (&["cat", "-"], "cat: -: No such file or directory.\n", 2),
        (
            &[
                "ls",
                "/image/cluster/brokers/1",
                "/image/cluster/brokers/+2",
                "/image/acls",
            ],
            "1\n+2\n\nacls:\nbyId\n",
            0,
        ),
        (
            &["ls", "/nope", "/image/acls"],
            "ls: /nope: no such file or directory.\nbyId\n",
            2,
        ),
        (
            &["find", "./image/producerIds/"],
            "./image/producerIds/\n./image/producerIds//nextProducerId\n",
            0,
        ),
        (
            &["ls", "/..", "/./"],
            "/:\nimage\nlocal\n\n/:\nimage\nlocal\n",
            0,
        ),
        (&["ls", "local"], "commitId\nversion\n", 0),
        (
            &["ls", "/image/{cl*,acls}"],
            "acls:\nbyId\n\nclientQuotas:\n\nuser(alice)\n\ncluster:\nbrokers\ncontrollers\n",
            0,
        ),
        (
            &["ls", "/image/{acls,{a}}"],
            "ls: /image/{acls,{a}}: no such file or directory.\n",
            2,
        ),
        (&["ls", "/image/\\prov*"], "provenance\n", 0),
        (
            &["tree", "/image/clientQuotas"],
            ":\nuser(alice):\n  producer_byte_rate:\n    1048576.0\n",
            0,
        ),
    ] {
        let run = kraftlens()
            .args(["shell", "--compat", "--snapshot"])
            .arg(&file)
            .arg("--")
            .args(args)
            .output()
            .unwrap();
        let (out, _, ended) = answer(run);
        assert_eq!((out.as_str(), ended), (stdout, status), "{args:?}");
    }
}

#[test]
fn path_may_stand_in_three_places() {
    let file = checkpoint();
    let file = file.to_str().unwrap();
    let wanted = "offset 56, epoch 1, time 2026-11-30T06:40:51.51Z[UTC]\n";
    for args in [
        &["shell", file, "--compat", "cat", "/image/provenance"][..],
        &["shell", "--compat", file, "cat", "/image/provenance"],
        &["shell", "--compat", "-s", file, "cat", "/image/provenance"],
        &["shell", "--compat", file, "--", "cat", "/image/provenance"],
        &["shell", "--compat", "--", file, "cat", "/image/provenance"],
        &["cat", "--compat", file, "/image/provenance"],
    ] {
        assert_eq!(ran(args), (wanted.to_owned(), String::new(), 0), "{args:?}");
    }
    let (out, _, status) = ran(&["shell", file, "ls", "/image/topics", "--format", "jsonl"]);
    assert!(out.starts_with('{') && status == 0, "{out}");
}

/// The same lines as the real prompt was given, as it answered them; its own prompts left out.
#[test]
fn lines_of_a_pipe_are_answered_as_at_kafkas_prompt() {
    let mut child = kraftlens()
        .args(["shell", "--compat"])
        .arg(checkpoint())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = "c\ncd /image /x\ncd /image\npwd\ncd nope\ncd provenance\ncd\npwd\nhistory 2\n\
        history x\nhistory 1 2\nman nope\nls -x\n''\ncat \"/image/producerIds/nextProducerId\"\n\
        cat '/image/prov'enance\ncd image/c*\npwd\ncd ../..\npwd\nhi\nexit\npwd\n";
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let (out, ..) = answer(child.wait_with_output().unwrap());
    assert_eq!(
        out,
        "Loading...\nStarting...\n[ Kafka Metadata Shell ]\n\
         ambiguous command: c could match cat, cd\n\
         unrecognized arguments: '/x'\n\
         /image\n\
         cd: nope: no such directory.\n\
         cd: provenance: not a directory.\n\
         /\n    7  pwd\n    8  history 2\n\
         argument numEntriesToShow: could not convert 'x' to Integer (For input string: \"x\")\n\
         unrecognized arguments: '2'\n\
         man: unknown command nope. Type help to get a list of commands.\n\
         unrecognized arguments: '-x'\n\
         1000\n\
         offset 56, epoch 1, time 2026-11-30T06:40:51.51Z[UTC]\n\
         /image/configs\n/\n\
         invalid choice: 'hi': did you mean 'history'?\n"
    );
}

/// A prompt at a terminal, with the screen that it makes.
struct Terminal {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    output: mpsc::Receiver<Vec<u8>>,
    screen: vt100::Parser,
    child: Box<dyn Child + Send + Sync>,
}

/// Long enough for a busy machine; no test waits for it to pass.
const DEADLINE: Duration = Duration::from_secs(60);

impl Terminal {
    fn open(state: &Path, args: &[&str]) -> Self {
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_kraftlens"));
        command.env_clear();
        command.env("TERM", "xterm");
        command.env("XDG_STATE_HOME", state);
        command.env("HOME", state);
        command.cwd(project());
        command.arg("shell");
        command.args(args);
        command.arg(checkpoint());
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (send, output) = mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut bytes) {
                if send.send(bytes[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            keys: pair.master.take_writer().unwrap(),
            master: pair.master,
            output,
            screen: vt100::Parser::new(24.try_into().unwrap(), 80.try_into().unwrap(), 1000),
            child,
        }
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    fn until(&mut self, what: &str, done: impl Fn(&str) -> bool) {
        let end = Instant::now() + DEADLINE;
        while !done(self.text().trim_end()) {
            let left = end.saturating_duration_since(Instant::now());
            let bytes = self.output.recv_timeout(left);
            let bytes = bytes.unwrap_or_else(|_| panic!("{what} did not come:\n{}", self.text()));
            self.screen.process(&bytes);
        }
    }

    /// Waits until the screen ends so.
    fn ends(&mut self, end: &str) {
        self.until(end, |text| text.ends_with(end));
    }

    fn type_in(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Clears the screen and waits for the empty prompt.
    fn fresh(&mut self) {
        self.type_in("\x0c");
        self.until("an empty prompt", |text| text == ">>");
    }

    fn resize(&mut self, cols: u16) {
        let size = PtySize {
            rows: 24,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        self.master.resize(size).unwrap();
        self.screen
            .screen_mut()
            .set_size(24.try_into().unwrap(), cols.try_into().unwrap());
    }

    fn status(mut self) -> u32 {
        let ended = self.child.wait().unwrap();
        ended.exit_code()
    }
}

#[test]
fn the_prompt_completes_edits_remembers_and_ends() {
    let state = tempfile::tempdir().unwrap();
    let mut prompt = Terminal::open(state.path(), &[]);
    prompt.ends(">>");
    assert!(
        !state.path().join("kraftlens").exists(),
        "nothing was typed yet"
    );

    // Complete: the command, folders with their slash, a leaf with a blank.
    prompt.type_in("pw\t");
    prompt.ends(">> pwd");
    prompt.type_in("\r");
    prompt.ends("/\n>>");
    prompt.type_in("cd /im\tto\tbyN\tor\t\r");
    prompt.ends("/image/topics/byName/orders/\n>>");
    prompt.type_in("cat na\t\r");
    prompt.until("the name", |text| {
        text.contains("  name              orders\n") && text.ends_with("\n>>")
    });

    // Several names: what they have in common, then all of them.
    prompt.fresh();
    prompt.type_in("ls /image/topics/by\t\t");
    prompt.until("both", |text| {
        text.contains("byId/") && text.contains("byName/")
    });
    // Ctrl-C drops the line.
    prompt.type_in("\x03");
    prompt.ends("\n>>");

    // Edit: to the head of the line and back, and one letter away.
    prompt.fresh();
    prompt.type_in("wdd\x01p\x05\x7f\r");
    prompt.ends(">> pwd\n/image/topics/byName/orders\n>>");

    // A wrong command.
    prompt.fresh();
    prompt.type_in("lss\r");
    prompt.until("the complaint", |text| {
        text.contains("kraftlens: no command lss")
    });
    prompt.ends(">>");

    // History: three lines back.
    prompt.fresh();
    prompt.type_in("\x1b[A\x1b[A");
    prompt.ends(">> pwd");
    prompt.type_in("\r");
    prompt.ends(">> pwd\n/image/topics/byName/orders\n>>");

    // Columns follow the width.
    prompt.type_in("cd\r");
    prompt.ends(">> cd\n>>");
    prompt.fresh();
    prompt.type_in("ls image\r");
    prompt.ends(
        "acls          cluster  delegationToken  producerIds  scram\n\
                 clientQuotas  configs  features         provenance   topics\n>>",
    );
    prompt.resize(30);
    prompt.fresh();
    prompt.type_in("ls image\r");
    prompt.until("two columns", |text| {
        text.contains("acls             features\n") && text.ends_with("\n>>")
    });

    prompt.type_in("\x04");
    assert_eq!(prompt.status(), 0);

    // Another run knows the lines of this one.
    let mut again = Terminal::open(state.path(), &[]);
    again.ends(">>");
    again.type_in("\x1b[A");
    again.ends(">> ls image");
    again.type_in("\x03");
    again.ends("\n>>");
    again.type_in("exit\r");
    assert_eq!(again.status(), 0);
}

#[test]
fn kafkas_prompt_is_there_with_compat() {
    let state = tempfile::tempdir().unwrap();
    let mut prompt = Terminal::open(state.path(), &["--compat"]);
    prompt.ends("[ Kafka Metadata Shell ]\n>>");
    prompt.type_in("ca\t/im\tprov\t\r");
    prompt.ends("offset 56, epoch 1, time 2026-11-30T06:40:51.51Z[UTC]\n>>");
    prompt.type_in("\x04");
    assert_eq!(prompt.status(), 0);
}

#[test]
fn a_state_folder_that_cannot_be_made_changes_nothing() {
    let state = tempfile::NamedTempFile::new().unwrap();
    let mut prompt = Terminal::open(state.path(), &[]);
    prompt.ends(">>");
    prompt.type_in("pwd\r");
    prompt.ends("/\n>>");
    prompt.type_in("\x04");
    assert_eq!(prompt.status(), 0);
}

/// A key that completes must answer at once: within 50 ms as released, which other builds cannot show.
#[test]
fn names_among_a_hundred_thousand_are_found_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = crate::large::checkpoint(folder.path(), 100_000, 1);
    let state = State::read(Arc::new(Log::open(&file, &Options::default()).unwrap()));
    let tree = Tree::new(&state, Secrets::Masked);
    let allowed = Duration::from_millis(if cfg!(debug_assertions) { 5000 } else { 50 });
    for (by, prefix, total, common) in [
        (TopicsBy::Name, "", 100_000, "team-"),
        (TopicsBy::Name, "team-07.topic-0", 2_000, "team-07.topic-0"),
        (
            TopicsBy::Name,
            "team-07.topic-012357",
            1,
            "team-07.topic-012357",
        ),
        (TopicsBy::Id, "", 100_000, "AAAAAFyhq"),
    ] {
        let ask = || tree.matching(&Node::TopicsBy(by), prefix, 1000);
        let found = ask();
        assert_eq!(found.total, total, "{prefix}");
        assert!(
            found.common.starts_with(common),
            "{prefix}: {}",
            found.common
        );
        assert_eq!(found.first.len(), total.min(1000));
        assert!(found.first.is_sorted_by(|a, b| a.0 < b.0));
        let took = (0..20)
            .map(|_| {
                let start = Instant::now();
                std::hint::black_box(ask());
                start.elapsed()
            })
            .min();
        println!("{by:?} {prefix:?}: {took:?}");
        assert!(took < Some(allowed), "{prefix}: {took:?}");
    }
}
