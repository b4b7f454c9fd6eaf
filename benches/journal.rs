//! What durability costs: `cargo bench --bench journal`.
//!
//! Disks differ, and the same disk differs from minute to minute: compare a commit only with the raw append of the same run.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use flagfall::store::{
    EntryKind, FileJournal, Journal as _, JournalOptions, JournalReader, Known, NewEntry, RealDisk, Store, StoreOptions,
};
use flagfall::time::HallTime;
use tempfile::TempDir;
use uuid::Uuid;

fn main() {
    divan::main();
}

/// In the build folder: the system's folder for temporary files is often in memory.
fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder in target/")
}

/// A press, as the journal holds it.
fn entry(n: u64) -> NewEntry {
    let payload =
        format!("{{\"pressed\":{{\"color\":\"white\",\"at\":{n},\"ply\":41,\"left_ms\":3599000,\"san\":\"Nf3\"}}}}");
    NewEntry::new(EntryKind::Table, HallTime(n as i64), payload.into_bytes()).at_table(7, Uuid::from_u128(7))
}

fn journal(folder: &TempDir) -> FileJournal {
    let disk = Arc::new(RealDisk);
    let opened = FileJournal::open(
        disk,
        folder.path(),
        JournalOptions::default(),
        Known::default(),
        0,
        &mut |_| {},
    );
    opened.expect("a new journal opens").journal
}

/// For comparison: the same number of bytes, appended to a preallocated file and synced, with nothing around it.
#[divan::bench(args = [1, 10, 100])]
fn raw_append_and_sync(bencher: Bencher, entries: usize) {
    let folder = folder();
    let file = File::create_new(folder.path().join("raw")).expect("a file");
    rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, 256 << 20).expect("room for it");
    let bytes = vec![0x55; entries * 320];
    let mut at = 0;
    bencher.counter(ItemsCount::new(entries)).bench_local(|| {
        file.write_all_at(&bytes, at).expect("written");
        file.sync_data().expect("synced");
        at += bytes.len() as u64;
    });
}

/// One group of so many entries.
#[divan::bench(args = [1, 10, 100])]
fn append_a_group(bencher: Bencher, entries: usize) {
    let folder = folder();
    let mut journal = journal(&folder);
    let group: Vec<_> = (0..entries as u64).map(entry).collect();
    bencher
        .counter(ItemsCount::new(entries))
        .bench_local(|| journal.append(0, group.clone()).expect("durable"));
}

/// So many tables commit at the same time, each one entry; as the hall does it, through the committer's thread.
#[divan::bench(args = [1, 10, 100, 1000])]
fn commits_side_by_side(bencher: Bencher, tables: usize) {
    let folder = folder();
    let opened = Store::open(folder.path(), StoreOptions::default(), || 0).expect("a new store opens");
    let commits = opened.store.commits();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    bencher.counter(ItemsCount::new(tables)).bench_local(|| {
        let asked = (0..tables as u64).map(|n| commits.commit(vec![entry(n)]));
        let answers = runtime.block_on(futures::future::join_all(asked));
        assert!(answers.iter().all(Result::is_ok));
    });
}

const MANY: u64 = 100_000;

fn written() -> TempDir {
    let folder = folder();
    let mut journal = journal(&folder);
    for first in (0..MANY).step_by(1000) {
        journal
            .append(0, (first..first + 1000).map(entry).collect())
            .expect("durable");
    }
    journal.close().expect("closed");
    folder
}

/// A start: every record, position and chain is checked.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn open_a_hundred_thousand(bencher: Bencher) {
    let folder = written();
    bencher
        .counter(ItemsCount::new(MANY))
        .bench_local(|| journal(&folder).epoch());
}

/// Reading the entries for the hall to fold.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn replay_a_hundred_thousand(bencher: Bencher) {
    let folder = written();
    let reader = JournalReader::new(Arc::new(RealDisk), folder.path());
    bencher.counter(ItemsCount::new(MANY)).bench_local(|| {
        let entries = reader.entries(1).expect("readable");
        assert_eq!(entries.filter(Result::is_ok).count() as u64, MANY);
    });
}
