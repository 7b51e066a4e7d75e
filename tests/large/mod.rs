//! A checkpoint of many partitions, the same bytes each time: for benches and for what memory they take.

use kraftlens::ids::{Epoch, Offset, Timestamp, Uuid};
use kraftlens::log::writer::{CheckpointWriter, checkpoint_name};
use kraftlens::record::{Owned, record};
use std::path::{Path, PathBuf};

fn uuid(high: u64, low: u64) -> Uuid {
    Uuid((u128::from(high) << 64 | u128::from(low)).to_be_bytes())
}

/// Writes it into a folder and tells where. Each partition has three replicas among 100 brokers and
/// directories, as a cluster at 4.0-IV0 writes them.
pub(crate) fn checkpoint(folder: &Path, topics: u32, partitions: u32) -> PathBuf {
    let time = Timestamp(1_767_225_600_000);
    let mut writer = CheckpointWriter::new(Epoch(3), time, time, &[]);
    let feature = record("FeatureLevelRecord", 0).set("Name", "metadata.version");
    writer.push(&feature.set("FeatureLevel", 22).to_bytes().unwrap());
    for topic in 0..topics {
        let id = uuid(0x5ca1_ab1e, u64::from(topic) + 1000);
        let name = format!("team-{:02}.topic-{topic:06}", topic % 50);
        let value = record("TopicRecord", 0)
            .set("Name", name)
            .set("TopicId", id);
        writer.push(&value.to_bytes().unwrap());
        for partition in 0..partitions {
            let brokers: Vec<i32> = (0..3)
                .map(|n| ((topic + partition + n) % 100) as i32)
                .collect();
            let dirs: Vec<Owned> = brokers
                .iter()
                .map(|&b| uuid(0xd12, b as u64 + 1000).into())
                .collect();
            let list = |ids: &[i32]| Owned::from(ids.to_vec());
            let value = record("PartitionRecord", 1)
                .set("PartitionId", partition as i32)
                .set("TopicId", id)
                .set("Replicas", list(&brokers))
                .set("Isr", list(&brokers))
                .set("RemovingReplicas", list(&[]))
                .set("AddingReplicas", list(&[]))
                .set("Leader", brokers[0])
                .set("LeaderEpoch", 4)
                .set("PartitionEpoch", 9)
                .set("Directories", Owned::from(dirs));
            writer.push(&value.to_bytes().unwrap());
        }
    }
    let path = folder.join(checkpoint_name(Offset(50_000_000), Epoch(3)));
    std::fs::write(&path, writer.finish()).unwrap();
    path
}
