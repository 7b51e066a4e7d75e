//! The samples and goldens themselves: that they are whole, as copied, and belong together.

use crate::support::{files, samples, trees, walk};
use std::path::Path;

fn is_metadata(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_str().unwrap();
    let folder = path.parent().unwrap();
    let partition = folder.join("partition.metadata");
    // Only the metadata partition and hand-made folders count: `orders-0` and its like hold user data.
    let user_data = partition.exists() && !folder.ends_with("__cluster_metadata-0");
    let second_bootstrap =
        name == "bootstrap.checkpoint" && folder.join(".kafka_cleanshutdown").exists();
    (name.ends_with(".log") || name.ends_with(".checkpoint")) && !user_data && !second_bootstrap
}

#[test]
fn every_metadata_file_has_kafkas_reading_and_every_reading_its_file() {
    let metadata: Vec<_> = walk(&samples())
        .into_iter()
        .filter(|path| is_metadata(path))
        .collect();
    assert_eq!(metadata.len(), 58);
    for kind in ["records.jsonl", "dump.txt"] {
        let mut read: Vec<_> = files(kind).into_iter().map(|file| file.sample).collect();
        read.sort();
        assert_eq!(read, metadata, "{kind}");
    }
    assert_eq!(files("shell.jsonl").len(), 2);
    assert_eq!(trees().len(), 25);
    for tree in trees() {
        assert!(tree.sample.is_dir(), "{}", tree.name());
    }
}

#[test]
fn dumps_name_the_file_relative_to_its_own_folder() {
    for dump in files("dump.txt") {
        let name = dump
            .sample
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        assert_eq!(
            dump.text().lines().next(),
            Some(format!("Dumping ./{name}").as_str())
        );
    }
}

/// A checkout that translates line ends or drops a file makes every other comparison meaningless.
#[test]
fn sizes_add_up_to_what_the_clusters_wrote() {
    let bytes: u64 = walk(&samples())
        .into_iter()
        .filter(|path| !path.ends_with("README.md"))
        .map(|path| path.metadata().unwrap().len())
        .sum();
    assert_eq!(bytes, 2_243_563);
}
