//! The way of a checkpoint from bytes to image, stage by stage: scan (headers and CRC), decode (typed
//! records), image. Figures are for comparing two states of this code on one machine.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    reason = "a bench that cannot go on has failed"
)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use kraftlens::image::State;
use kraftlens::log::{Log, Options};
use kraftlens::record;
use std::hint::black_box;
use std::sync::Arc;

#[path = "../tests/large/mod.rs"]
mod large;

const TOPICS: u32 = 10_000;
const PARTITIONS: u32 = 20;

fn stages(c: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let path = large::checkpoint(folder.path(), TOPICS, PARTITIONS);
    let open = || Arc::new(Log::open(&path, &Options::default()).unwrap());
    let log = open();
    let bytes = log.files()[0].size();

    let mut group = c.benchmark_group("reading");
    group.sample_size(20).throughput(Throughput::Bytes(bytes));
    group.bench_function("scan", |b| b.iter(open));
    group.bench_function("decode", |b| {
        b.iter(|| {
            let mut records = 0u64;
            for batch in log.batches().filter(|b| !b.header().is_control()) {
                for framed in batch.records() {
                    let framed = framed.unwrap();
                    black_box(record::read(framed.value().unwrap()).unwrap());
                    records += 1;
                }
            }
            records
        });
    });
    group.bench_function("image", |b| {
        b.iter_batched(|| log.clone(), State::read, BatchSize::LargeInput);
    });
    group.finish();

    let state = State::read(log);
    c.bench_function("clone of an image", |b| b.iter(|| state.image().clone()));
}

criterion_group!(benches, stages);
criterion_main!(benches);
