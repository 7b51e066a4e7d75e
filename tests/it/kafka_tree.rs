//! The tree equals the one that Kafka's own classes make of every sample.

use crate::support;
use kraftlens::image::State;
use kraftlens::log::{Log, Options};
use kraftlens::tree::{Secrets, Tree};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;

#[test]
fn every_sample_has_kafkas_tree() {
    let goldens = support::trees();
    assert!(goldens.len() >= 25, "only {} trees", goldens.len());
    let mut failed = Vec::new();
    for golden in goldens {
        let log = Log::open(&golden.sample, &Options::default()).unwrap();
        let state = State::read(Arc::new(log));
        let mut ours = BTreeSet::new();
        Tree::new(&state, Secrets::Revealed)
            .kafka_lines(&mut |line| {
                ours.insert(line.to_string());
                Ok::<_, Infallible>(())
            })
            .unwrap();
        let kafkas: BTreeSet<String> = golden.text().lines().map(str::to_owned).collect();
        for line in kafkas.difference(&ours).take(3) {
            failed.push(format!("{}: missing {line}", golden.name()));
        }
        for line in ours.difference(&kafkas).take(3) {
            failed.push(format!("{}: invented {line}", golden.name()));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
