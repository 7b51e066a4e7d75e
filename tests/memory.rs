//! What an image takes of the heap. A binary of its own: it counts every allocation of the process.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod large;

use kraftlens::image::State;
use kraftlens::log::{Log, Options};
use peak_alloc::PeakAlloc;
use std::sync::Arc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The bound that the design sets: 64 bytes of the image's own a partition, topics included.
#[test]
fn a_partition_takes_at_most_64_bytes_of_an_image() {
    let folder = tempfile::tempdir().unwrap();
    let (topics, partitions) = (3_500, 20);
    let path = large::checkpoint(folder.path(), topics, partitions);
    let log = Arc::new(Log::open(&path, &Options::default()).unwrap());
    let before = HEAP.current_usage();
    let state = State::read(log);
    let taken = HEAP.current_usage() - before;
    let count = state.image().topics().partition_count();
    assert_eq!(count, (topics * partitions) as usize);
    let each = taken as f64 / count as f64;
    println!("{each:.1} bytes a partition");
    assert!(each <= 64.0, "{each:.1} bytes a partition");
    // A clone shares topics: it copies the maps that lead to them, not the partitions.
    let before = HEAP.current_usage();
    let clone = state.image().clone();
    let taken = HEAP.current_usage() - before;
    assert_eq!(clone.topics().partition_count(), count);
    assert!(
        taken as f64 / count as f64 <= 8.0,
        "a clone takes {taken} bytes"
    );
}
