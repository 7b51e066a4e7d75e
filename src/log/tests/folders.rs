//! Folders as one state, what is passed over, and files that are something else.

use super::*;

#[test]
fn the_newest_complete_checkpoint_by_epoch_is_used() {
    let log = Folder::new()
        .segment(0, segment(0, 1))
        .segment(6, segment(6, 2))
        .checkpoint(4, 2, checkpoint(2).finish())
        .checkpoint(8, 1, checkpoint(1).finish())
        .checkpoint(10, 2, checkpoint(2).unfinished())
        .checkpoint(6, 2, checkpoint(2).finish())
        .put("00000000000000000012-0000000002-123.checkpoint.part", "")
        .put("00000000000000000002-0000000001.checkpoint.deleted", "")
        .put("bootstrap.checkpoint", "")
        .put("state.checkpoint", "")
        .open();
    let kind = FileKind::Checkpoint {
        end: Offset(6),
        epoch: Epoch(2),
    };
    assert_eq!(log.checkpoint().unwrap().kind(), kind);
    assert_eq!(log.checkpoint().unwrap().header_time(), Some(TIME));
    assert_eq!((log.apply_from(), log.end()), (Offset(6), Some(Offset(12))));
    assert_eq!(log.files().len(), 3);
    let finding = only(&log);
    assert_eq!(
        (finding.code, finding.severity),
        (Code::NoFooter, Severity::Error)
    );
    let mut why: Vec<_> = log.passed_over().iter().map(|p| p.why.as_str()).collect();
    why.sort_unstable();
    let wanted = [
        "being written when the node stopped",
        "its name is not that of a segment or checkpoint; open it by itself",
        "marked for deletion",
        "no footer: it is not complete",
        "older than the checkpoint used",
        "older than the checkpoint used",
        "what format wrote for the first leader, not state",
    ];
    assert_eq!(why, wanted);
    let applied: Vec<_> = log.batches().map(|b| b.is_applied()).collect();
    let in_segments = [false, false, false, true, true, true];
    assert_eq!(applied, [&[true; 3][..], &in_segments].concat());
    // A record of the checkpoint is at its last offset.
    let record = log
        .batches()
        .nth(1)
        .unwrap()
        .records()
        .next()
        .unwrap()
        .unwrap();
    let origin = log.origin(record.reference()).unwrap();
    assert_eq!((origin.offset, origin.epoch), (Offset(5), Epoch(2)));
    assert!(origin.in_checkpoint);
}

#[test]
fn the_checkpoint_of_format_counts_only_while_the_log_has_no_data() {
    let folder = Folder::new()
        .checkpoint(0, 0, checkpoint(0).finish())
        .segment(0, "");
    let log = folder.open();
    assert!(log.checkpoint().unwrap().kind().is_format_time());
    assert_eq!(log.apply_from(), Offset(0));
    let mut leader = Vec::new();
    BatchWriter::new(Offset(0), Epoch(1), TIME)
        .control()
        .record(Some(&control_key(2)), Some(&[0; 9]))
        .write(&mut leader);
    let folder = folder.segment(0, &leader);
    assert!(folder.open().checkpoint().is_some());
    let log = folder
        .segment(0, [leader, batch(1, 1, &[NO_OP])].concat())
        .open();
    assert!(log.checkpoint().is_none());
    assert!(log.findings().is_empty());
}

#[test]
fn a_log_that_starts_above_zero() {
    let alone = Folder::new().segment(10, segment(10, 1));
    let unknown = only(&alone.open());
    assert_eq!(unknown.code, Code::StateBeforeUnknown);
    assert_eq!(unknown.lost.unwrap().records, Some(10));
    let file = alone.path().join(segment_name(Offset(10)));
    let one = only(&Log::open(&file, &Options::default()).unwrap());
    assert_eq!(
        (one.code, one.severity),
        (Code::HistoryMissing, Severity::Warning)
    );
    let between = alone.checkpoint(4, 1, checkpoint(1).finish());
    let gap = only(&between.open());
    assert_eq!(gap.code, Code::StateBeforeUnknown);
    assert_eq!(gap.lost.unwrap().offsets, Some((Offset(4), Offset(9))));
    let covered = between.checkpoint(10, 1, checkpoint(1).finish()).open();
    assert!(covered.findings().is_empty(), "old segments are deleted");
}

#[test]
fn a_checkpoint_inside_a_batch_and_one_ahead_of_the_log() {
    let inside = Folder::new()
        .segment(0, segment(0, 1))
        .checkpoint(3, 1, checkpoint(1).finish())
        .open();
    assert_eq!(only(&inside).code, Code::CheckpointInsideBatch);
    let ahead = Folder::new()
        .segment(0, segment(0, 1))
        .checkpoint(9, 1, checkpoint(1).finish())
        .open();
    assert_eq!(only(&ahead).code, Code::CheckpointAhead);
    assert_eq!(
        (ahead.apply_from(), ahead.end()),
        (Offset(9), Some(Offset(9)))
    );
    // The epoch decides before the offset: Kafka drops this log too.
    let later = Folder::new()
        .segment(0, segment(0, 1))
        .checkpoint(2, 2, checkpoint(2).finish())
        .open();
    assert_eq!(only(&later).code, Code::CheckpointAhead);
    assert_eq!(later.apply_from(), Offset(6));
}

#[test]
fn lone_checkpoints() {
    let folder = Folder::new()
        .put("renamed.bin", checkpoint(3).finish())
        .put(
            "00000000000000000007-0000000003.checkpoint.deleted",
            checkpoint(3).finish(),
        )
        .put("bootstrap.checkpoint", checkpoint(0).finish())
        .checkpoint(9, 3, checkpoint(3).unfinished());
    let open = |name: &str| Log::open(&folder.path().join(name), &Options::default()).unwrap();
    let renamed = open("renamed.bin");
    let kind = FileKind::UnnamedCheckpoint { epoch: Epoch(3) };
    assert_eq!(renamed.checkpoint().unwrap().kind(), kind);
    assert_eq!(renamed.end(), None);
    let deleted = open("00000000000000000007-0000000003.checkpoint.deleted");
    assert_eq!(
        (deleted.apply_from(), deleted.end()),
        (Offset(7), Some(Offset(7)))
    );
    assert_eq!(
        open("bootstrap.checkpoint").checkpoint().unwrap().kind(),
        FileKind::Bootstrap
    );
    let cut = open("00000000000000000009-0000000003.checkpoint");
    assert_eq!(only(&cut).code, Code::NoFooter);
    let headless = Folder::new().checkpoint(9, 3, segment(0, 3)).open();
    assert_eq!(codes(&headless), [Code::NoHeader, Code::NoFooter]);
}

/// Opens one file by itself and gives what it is said to be.
fn refused(folder: &Folder, name: &str) -> String {
    match Log::open(&folder.path().join(name), &Options::default())
        .unwrap_err()
        .kind()
    {
        ErrorKind::NotMetadata { what, .. } => what.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn other_files_are_named_for_what_they_are() {
    let mut producers = vec![0, 1]; // version
    producers.extend(crate::bytes::crc32c(&[0; 4]).to_be_bytes());
    producers.extend([0; 4]); // no producer
    // Two entries, then zeros as in an active index.
    let offsets = [
        &[0, 0, 0, 3, 0, 0, 0, 0][..],
        &[0, 0, 0, 9, 0, 0, 4, 0],
        &[0; 64],
    ]
    .concat();
    let mut times = TIME.0.to_be_bytes().to_vec();
    times.extend([0, 0, 0, 4]);
    times.extend([0; 96]);
    let topic = batch(0, 0, &[b"{}", b"[]"]);
    for (bytes, what) in [
        (producers, "a producer state snapshot"),
        (offsets, "an offset index"),
        (times, "a time index"),
        (topic, "the log of a data topic"),
        (b"\x89PNG\r\n\x1a\n....".to_vec(), "a PNG picture"),
        (b"PK\x03\x04........".to_vec(), "a zip archive"),
        (b"0\n1\n1 0\n".to_vec(), "a leader-epoch-checkpoint file"),
        (
            b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ\n".to_vec(),
            "a partition.metadata file",
        ),
        (
            b"{\"leaderId\":1,\"leaderEpoch\":1,\"data_version\":0}".to_vec(),
            "a quorum-state file",
        ),
        (
            b"#\nnode.id=1\nversion=1\ncluster.id=x\n".to_vec(),
            "a meta.properties file (the node's identity)",
        ),
        (b"hello\n".to_vec(), "a text file"),
        (Vec::new(), "an empty file"),
    ] {
        for name in [
            "00000000000000000000.log",
            "00000000000000000009-0000000001.checkpoint",
            "x",
        ] {
            let folder = Folder::new().put(name, &bytes);
            assert_eq!(refused(&folder, name), what, "{name}");
        }
    }
    let noise: Vec<_> = (0..500u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    assert_eq!(
        refused(&Folder::new().put("x", noise), "x"),
        "not a file of Kafka's"
    );
}

#[test]
fn a_hint_names_the_metadata_folder() {
    let node = Folder::new().put("photo.png", b"\x89PNG\r\n\x1a\n");
    let metadata = node.path().join("__cluster_metadata-0");
    std::fs::create_dir(&metadata).unwrap();
    std::fs::write(metadata.join(segment_name(Offset(0))), segment(0, 1)).unwrap();
    let error = Log::open(&node.path().join("photo.png"), &Options::default()).unwrap_err();
    let ErrorKind::NotMetadata { hint, .. } = error.kind() else {
        panic!("{error}")
    };
    assert!(hint.contains(metadata.to_str().unwrap()), "{hint}");
}

#[test]
fn a_bad_side_file_is_a_warning() {
    let folder = Folder::new()
        .segment(0, segment(0, 1))
        .put("quorum-state", "?");
    let log = folder.open();
    let finding = only(&log);
    assert_eq!(
        (finding.code, finding.severity),
        (Code::BadSideFile, Severity::Warning)
    );
    assert!(log.side_files().quorum_state.is_none());
}

#[cfg(unix)]
#[test]
fn links_to_nowhere_and_pipes_do_not_stop_a_folder() {
    let folder = Folder::new()
        .segment(0, segment(0, 1))
        .segment(6, segment(6, 1));
    let put = |name: &str| folder.path().join(name);
    let link = put(&checkpoint_name(Offset(12), Epoch(1)));
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    for name in ["00000000000000000012.log", "leader-epoch-checkpoint"] {
        let made = std::process::Command::new("mkfifo")
            .arg(put(name))
            .status()
            .unwrap();
        assert!(made.success());
    }
    let log = folder.open();
    assert_eq!(codes(&log), [Code::UnreadableFile, Code::BadSideFile]);
    assert_eq!(
        log.findings().kept()[0].place.file.as_deref(),
        Some(link.as_path())
    );
    let passed: Vec<_> = log.passed_over().iter().map(|p| p.kind.as_str()).collect();
    assert_eq!(passed, ["segment", "checkpoint"]);
    assert_eq!(log.log_end(), Some(Offset(12)));
}

#[test]
fn a_topics_folder_is_known_by_its_id_while_it_is_empty() {
    let id = |id: &str| {
        let folder = Folder::new().segment(0, "");
        folder.put(
            "partition.metadata",
            format!("version: 0\ntopic_id: {id}\n"),
        )
    };
    let topic = id("JuNTCrSqQd6HTANcqoMWag");
    let error = Log::open(topic.path(), &Options::default()).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::NotMetadata { .. }),
        "{error}"
    );
    assert_eq!(id("AAAAAAAAAAAAAAAAAAAAAQ").open().end(), Some(Offset(0)));
}

#[test]
fn folders_are_searched_and_several_are_listed() {
    let nodes = Folder::new();
    let put = |path: &str| -> PathBuf {
        let folder = nodes.path().join(path);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(segment_name(Offset(0))), segment(0, 1)).unwrap();
        folder
    };
    assert!(matches!(
        Log::open(nodes.path(), &Options::default())
            .unwrap_err()
            .kind(),
        ErrorKind::NoMetadata
    ));
    let first = put("a/d1/__cluster_metadata-0");
    let topic = put("a/d1/orders-0");
    std::fs::write(topic.join(segment_name(Offset(0))), batch(0, 0, &[b"{}"])).unwrap();
    assert_eq!(nodes.open().folder(), Some(first.as_path()));
    let second = put("b/renamed");
    match Log::open(nodes.path(), &Options::default())
        .unwrap_err()
        .kind()
    {
        ErrorKind::SeveralMetadata(found) => assert_eq!(*found, [first, second]),
        other => panic!("{other:?}"),
    }
}
