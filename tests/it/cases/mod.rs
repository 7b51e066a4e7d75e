//! The inputs of tests/cases, each with the facts that a right answer has. Expected values come from how
//! an input was made and from what Kafka does with it, never from what this program prints.

mod damage;
mod folders;
mod migration;
mod old_formats;
mod quorum;
mod records;
mod secrets;
mod state;
mod transactions;
mod versions;

use crate::cli::{Ran, arg, kraftlens};
use crate::support::project;
use kraftlens::finding::{Code, Finding, Severity};
use kraftlens::image::State;
use kraftlens::log::{Log, Options};
use kraftlens::text::Rfc3339;
use kraftlens::tree::{Node, Secrets, Tree};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

/// The metadata folder of a case.
const LOG: &str = "__cluster_metadata-0";

/// The path of an input.
fn input(below: &str) -> PathBuf {
    project().join("tests/cases").join(below)
}

/// An input with what is read from it.
struct Case {
    name: String,
    log: Arc<Log>,
    state: State,
}

impl Case {
    /// Reads the metadata folder below a folder.
    fn of(folder: &str) -> Self {
        Self::open(&format!("{folder}/{LOG}"))
    }

    /// Reads a path.
    fn open(below: &str) -> Self {
        let log = Log::open(&input(below), &Options::default());
        let log = Arc::new(log.unwrap_or_else(|error| panic!("{below}: {error}")));
        Self {
            name: below.to_owned(),
            log: Arc::clone(&log),
            state: State::read(log),
        }
    }

    /// A message: the case and the fact.
    fn says(&self, fact: &str) -> String {
        let found = self.state.findings().kept();
        let found: Vec<_> = found
            .iter()
            .map(|f| format!("{} {}: {}", f.severity, f.code, f.summary))
            .collect();
        format!("{}: {fact}\nfindings: {found:#?}", self.name)
    }

    fn tree(&self) -> Tree<'_> {
        Tree::new(&self.state, Secrets::Masked)
    }

    fn node(&self, path: &str) -> Node {
        let mut found = self.tree().find(path);
        assert_eq!(found.len(), 1, "{}: one node at {path}", self.name);
        found.remove(0)
    }

    /// Kafka's text of a node.
    fn kafka(&self, path: &str) -> String {
        let text = self.tree().kafka_text(&self.node(path));
        text.unwrap_or_else(|| panic!("{}: {path} has a text", self.name))
    }

    /// The facts of a node.
    fn facts(&self, path: &str) -> Value {
        serde_json::to_value(self.tree().facts(&self.node(path))).unwrap()
    }

    /// One fact of a node.
    fn fact(&self, path: &str, key: &str) -> Value {
        let facts = self.facts(path);
        let fact = facts.get(key);
        fact.unwrap_or_else(|| panic!("{}: {path} has {key}: {facts}", self.name))
            .clone()
    }

    /// The names below a node, sorted.
    fn names(&self, path: &str) -> Vec<String> {
        let children = self.tree().children(&self.node(path));
        let mut names: Vec<_> = children.into_iter().map(|c| c.name).collect();
        names.sort();
        names
    }

    #[track_caller]
    fn has(&self, path: &str, names: &[&str], fact: &str) {
        assert_eq!(self.names(path), names, "{}", self.says(fact));
    }

    /// That the topics are these and no others, by name and by id.
    #[track_caller]
    fn has_topics(&self, names: &[&str]) {
        self.has("/image/topics/byName", names, "topics");
        let ids = self.names("/image/topics/byId").len();
        assert_eq!(ids, names.len(), "{}", self.says("as many topics by id"));
    }

    /// Up to where the state goes.
    #[track_caller]
    fn as_of(&self, offset: i64, epoch: i32, time: &str) {
        let p = self.state.image().provenance();
        let found = (p.offset.0, p.epoch.0, Rfc3339(p.time).to_string());
        let wanted = (offset, epoch, time.to_owned());
        assert_eq!(found, wanted, "{}", self.says("state as of"));
    }

    fn found(&self, severity: Severity) -> Vec<&Finding> {
        let all = self.state.findings().kept();
        all.iter().filter(|f| f.severity == severity).collect()
    }

    /// That the findings of a weight have these codes and offsets, in this order, and no others.
    #[track_caller]
    fn finds(&self, severity: Severity, wanted: &[(Code, i64)]) {
        let found: Vec<_> = self
            .found(severity)
            .into_iter()
            .map(|f| (f.code, f.place.offset.map_or(-1, |o| o.0)))
            .collect();
        let fact = format!("every finding of weight {severity}, with its offset");
        assert_eq!(found, wanted, "{}", self.says(&fact));
    }

    /// That there is no finding of any weight.
    #[track_caller]
    fn is_clean(&self) {
        let found = self.state.findings();
        assert!(found.is_empty(), "{}", self.says("no findings at all"));
    }

    /// That there is one finding and no other.
    #[track_caller]
    fn only(&self, code: Code, severity: Severity) -> &Finding {
        let all = self.state.findings().kept();
        let found: Vec<_> = all.iter().map(|f| (f.code, f.severity)).collect();
        assert_eq!(found, [(code, severity)], "{}", self.says("one finding"));
        &all[0]
    }

    /// What `info` prints, with its exit status.
    fn info(&self) -> Ran {
        kraftlens(["info", arg(&input(&self.name))])
    }

    /// That `info` ends with a status and tells these things.
    #[track_caller]
    fn info_says(&self, status: i32, words: &[&str]) {
        let ran = self.info();
        assert_eq!(
            ran.status, status,
            "{}: status of info: {}",
            self.name, ran.out
        );
        // Lines are wrapped for the screen.
        let told = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        for word in words {
            assert!(
                told.contains(word),
                "{}: info says {word:?}:\n{}",
                self.name,
                ran.out
            );
        }
    }

    /// Positions of the file of all batches, and whether each is trusted.
    fn batches(&self) -> Vec<(u64, bool)> {
        let batches = self.log.batches();
        batches.map(|b| (b.position().0, b.is_trusted())).collect()
    }

    /// The position of the batch that a finding's place is in.
    fn batch_position(&self, finding: &Finding) -> u64 {
        let (batch, _) = self
            .log
            .at_place(&finding.place)
            .expect("the place is in a batch");
        batch.position().0
    }
}

fn has_all(text: &str, words: &[&str]) -> bool {
    words.iter().all(|word| text.contains(word))
}
