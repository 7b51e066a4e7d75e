//! State at a moment: `Options::at` against copies of the log that end there.

use crate::support::samples;
use kraftlens::error::ErrorKind;
use kraftlens::ids::{Offset, Timestamp};
use kraftlens::image::State;
use kraftlens::log::{Log, Moment, Options};
use kraftlens::tree::{Secrets, Tree};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

fn open(path: &Path, at: Option<Moment>) -> kraftlens::error::Result<Log> {
    let options = Options {
        at,
        ..Options::default()
    };
    Log::open(path, &options)
}

fn lines(log: Log) -> BTreeSet<String> {
    let state = State::read(Arc::new(log));
    let mut lines = BTreeSet::new();
    Tree::new(&state, Secrets::Revealed)
        .kafka_lines(&mut |line| {
            lines.insert(line.to_string());
            Ok::<_, Infallible>(())
        })
        .unwrap();
    lines
}

/// The folder has checkpoints at 80 and 158, so later moments start from another base than earlier ones;
/// the copies have none and are replayed from 0. Kafka's own trees at 79, 186 and 235 were
/// compared by hand as well.
#[test]
fn every_batch_end_is_the_state_of_a_log_that_ends_there() {
    let folder = samples().join("kafka-4.4.0-dynamic/controller-3001/__cluster_metadata-0");
    let segment = "00000000000000000000.log";
    let bytes = std::fs::read(folder.join(segment)).unwrap();
    let whole = open(&folder.join(segment), None).unwrap();
    let copy = tempfile::tempdir().unwrap();
    let mut seen = 0;
    for batch in whole.batches() {
        let end = batch.position().0 as usize + batch.bytes().len();
        std::fs::write(copy.path().join(segment), &bytes[..end]).unwrap();
        let ended = lines(open(copy.path(), None).unwrap());
        let last = batch.header().last_offset();
        let at = lines(open(&folder, Some(Moment::Offset(last))).unwrap());
        assert_eq!(at, ended, "at offset {last}");
        seen += 1;
    }
    assert_eq!(seen, 79, "batches of the sample");
}

#[test]
fn a_time_is_the_last_offset_not_later() {
    let folder = samples().join("kafka-4.4.0-dynamic/controller-3001");
    let until = |time| {
        let log = open(&folder, Some(Moment::Time(Timestamp(time))));
        log.map(|log| log.until().unwrap())
    };
    // From Kafka's reading of the segment: the batch of offset 12 was appended at 1796018686613, that of
    // 13 to 15 at 1796018686650.
    let golden = crate::support::goldens().join(
        "kafka-4.4.0-dynamic/controller-3001/__cluster_metadata-0/00000000000000000000.log.records.jsonl",
    );
    let golden = std::fs::read_to_string(golden).unwrap();
    for (offset, last, time) in [(12, 12, 1_796_018_686_613i64), (13, 15, 1_796_018_686_650)] {
        let line =
            format!(r#"{{"batch":{offset},"lastOffset":{last},"epoch":1,"timestamp":{time},"#);
        assert!(golden.contains(&line), "the golden says otherwise: {line}");
    }
    assert_eq!(until(1_796_018_686_613).unwrap(), Offset(12));
    assert_eq!(until(1_796_018_686_649).unwrap(), Offset(12));
    assert_eq!(until(1_796_018_686_650).unwrap(), Offset(15));
    assert_eq!(until(i64::MAX).unwrap(), Offset(235));
    let early = until(0).unwrap_err();
    assert!(matches!(early.kind(), ErrorKind::OutOfReach(_)), "{early}");
}

#[test]
fn a_checkpoint_alone_can_only_be_asked_at_its_end_or_later() {
    let file = samples().join(
        "kafka-4.4.0-dynamic/controller-3001/__cluster_metadata-0/00000000000000000158-0000000001.checkpoint",
    );
    let early = open(&file, Some(Moment::Offset(Offset(156)))).unwrap_err();
    assert!(
        early.to_string().ends_with(
            "offset 156 cannot be asked: the earliest state in reach is as of offset 157"
        ),
        "{early}"
    );
    let whole = lines(open(&file, None).unwrap());
    for later in [157, 1000] {
        assert_eq!(
            lines(open(&file, Some(Moment::Offset(Offset(later)))).unwrap()),
            whole
        );
    }
}

/// Offset 185 is in the batch before the removal of voter 3003 at 186; inside the bootstrap transaction
/// (offsets 3 to 11) nothing of it applies.
#[test]
fn moments_inside_transactions_and_before_voter_changes() {
    let folder = samples().join("kafka-4.4.0-dynamic/controller-3001");
    let at = |offset| {
        State::read(Arc::new(
            open(&folder, Some(Moment::Offset(Offset(offset)))).unwrap(),
        ))
    };
    let voters = |state: &State| state.image().quorum().voters().unwrap().voters.len();
    assert_eq!(voters(&at(185)), 3);
    assert_eq!(voters(&at(186)), 2);
    let inside = at(7);
    assert_eq!(inside.image().features().metadata_version(), None);
    assert_eq!(inside.open_transaction().unwrap().records, 4);
    assert_eq!(at(11).image().features().level("metadata.version"), 33);
}
