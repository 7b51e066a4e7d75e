//! Batches and records of every sample file, held against what Kafka's own classes read there.

use crate::support::{files, samples, trees};
use kraftlens::error::ErrorKind;
use kraftlens::finding::Severity;
use kraftlens::ids::{Epoch, NodeId, Offset};
use kraftlens::log::{FileKind, Log, Options, metadata_folders};
use serde_json::Value;
use std::path::Path;

#[test]
fn every_batch_and_record_offset_is_kafkas() {
    let mut batches = 0;
    for file in files("records.jsonl") {
        let log = Log::open(&file.sample, &Options::default()).unwrap();
        let mut found = Vec::new();
        for batch in log.batches() {
            assert!(batch.is_trusted());
            let h = batch.header();
            found.push(format!(
                "batch {} to {} epoch {} at {} size {} control {} codec {} crc {} count {}",
                h.base_offset,
                h.last_offset(),
                h.epoch,
                h.max_timestamp,
                h.length,
                h.is_control(),
                h.codec(),
                h.crc,
                h.count
            ));
            for record in batch.records() {
                let record = record.unwrap();
                found.push(format!(
                    "record {} at {}",
                    record.offset(),
                    record.timestamp()
                ));
                let again = log.record(record.reference()).unwrap();
                assert_eq!(again.value(), record.value());
                assert_eq!(again.offset(), record.offset());
                assert_eq!(
                    log.batch_of(record.reference()).unwrap().index(),
                    batch.index()
                );
            }
        }
        let wanted: Vec<_> = file.text().lines().map(line).collect();
        assert_eq!(found, wanted, "{}", file.name());
        assert!(log.check_records().is_empty(), "{}", file.name());
        batches += log.batch_count();
    }
    assert!(batches > 1000, "{batches} batches in all samples");
}

fn line(line: &str) -> String {
    let json: Value = serde_json::from_str(line).unwrap();
    let text = |name: &str| json[name].as_str().unwrap().to_owned();
    if json.get("batch").is_none() {
        return format!("record {} at {}", json["offset"], json["timestamp"]);
    }
    assert_eq!(json["valid"], true);
    format!(
        "batch {} to {} epoch {} at {} size {} control {} codec {} crc {} count {}",
        json["batch"],
        json["lastOffset"],
        json["epoch"],
        json["timestamp"],
        json["size"],
        json["control"],
        text("codec"),
        json["crc"],
        json["count"]
    )
}

#[test]
fn every_sample_folder_is_sound() {
    for tree in trees() {
        let log = Log::open(&tree.sample, &Options::default()).unwrap();
        let worst = log.findings().worst();
        assert!(
            worst <= Some(Severity::Info),
            "{}: {:?}",
            tree.name(),
            log.findings().kept()
        );
    }
}

#[test]
fn a_folder_of_nodes_names_its_metadata_folders() {
    let nodes = samples().join("kafka-4.4.0-dynamic");
    let found = metadata_folders(&nodes).unwrap();
    let names: Vec<_> = found
        .iter()
        .map(|f| f.strip_prefix(&nodes).unwrap())
        .collect();
    let wanted = [
        "broker-1/d1/__cluster_metadata-0",
        "controller-3001/__cluster_metadata-0",
        "controller-3002/__cluster_metadata-0",
        "controller-3003/__cluster_metadata-0",
    ];
    assert_eq!(names, wanted.map(Path::new));
    let error = Log::open(&nodes, &Options::default()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SeveralMetadata(list) if list.len() == 4));
}

#[test]
fn a_node_folder_gives_its_state_and_identity() {
    let node = samples().join("kafka-4.3.1-dynamic/controller-3001");
    let log = Log::open(&node, &Options::default()).unwrap();
    let checkpoint = log.checkpoint().unwrap();
    let kind = FileKind::Checkpoint {
        end: Offset(9012),
        epoch: Epoch(2),
    };
    assert_eq!(checkpoint.kind(), kind);
    assert_eq!(log.apply_from(), Offset(9012));
    assert_eq!(log.end(), Some(Offset(9017)));
    let bases: Vec<_> = log.segments().iter().map(|s| s.kind()).collect();
    let base = |base| FileKind::Segment { base: Offset(base) };
    assert_eq!(bases, [base(4635), base(6570)]);
    let side = log.side_files();
    assert_eq!(
        side.meta_properties.as_ref().unwrap().node_id,
        Some(NodeId(3001))
    );
    assert_eq!(side.quorum_state.as_ref().unwrap().leader_epoch, Epoch(2));
    let deleted = log
        .passed_over()
        .iter()
        .filter(|p| p.why == "marked for deletion")
        .count();
    assert_eq!(deleted, 13);
}

#[test]
fn a_topics_log_is_refused() {
    let folder = samples().join("kafka-3.3.2-static/broker-1/d1/orders-1");
    for path in [folder.clone(), folder.join("00000000000000000000.log")] {
        let error = Log::open(&path, &Options::default()).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::NotMetadata { .. }),
            "{error}"
        );
    }
}
