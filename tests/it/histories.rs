//! The random histories themselves: repeatable, and sound as kraftlens sees them. What Kafka makes of them
//! is compared by the target `oracle`.

use crate::history::{History, LEVELS};
use kraftlens::finding::Severity;
use kraftlens::image::State;
use kraftlens::log::{Log, Options};
use std::sync::Arc;

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for seed in 0..LEVELS.count() as u64 {
        assert_eq!(History::new(seed), History::new(seed));
    }
    assert_ne!(History::new(0).segments, History::new(27).segments);
}

#[test]
fn valid_histories_have_no_findings_to_act_on() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..2 * LEVELS.count() as u64 {
        let path = folder.path().join(seed.to_string());
        let history = History::new(seed);
        history.write(&path);
        let log = Log::open(&path, &Options::default()).unwrap();
        let state = State::read(Arc::new(log));
        let wrong: Vec<_> = state
            .findings()
            .kept()
            .iter()
            .filter(|finding| finding.severity > Severity::Info)
            .collect();
        assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}");
        let end = *history.ends.last().unwrap();
        // Of a batch in which a transaction begins, what stands before it is published too.
        assert!(
            state.image().provenance().offset.0 + 1 >= end,
            "seed {seed}"
        );
    }
}
