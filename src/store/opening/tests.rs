//! The whole store on a real disk: restarts, damage, and the death of the process.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::*;
use crate::store::entry::{NewEntry, RequestKey};
use crate::store::segment::SegmentPath;
use crate::store::{CommitError, ShowFilter, Tree, accept_loss, backup, restore, show, verify};
use crate::time::HallTime;

fn options() -> StoreOptions {
    let journal = JournalOptions {
        segment_bytes: 64 << 10,
        ..JournalOptions::default()
    };
    StoreOptions {
        journal,
        write_behind: Duration::from_millis(20),
        pack_every: None,
    }
}

fn open(data: &Path) -> Opened {
    Store::open(data, options(), || 1_700_000_000_000).unwrap()
}

/// A hall of counters: an entry adds one to its counter, whose value is the count.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counters(BTreeMap<String, (u64, u64)>);

impl Counters {
    fn entry(name: &str) -> NewEntry {
        let payload = format!("{{\"count\":\"{name}\"}}").into_bytes();
        let table = name.bytes().map(u32::from).sum::<u32>();
        NewEntry::new(EntryKind::Table, HallTime(5), payload).at_table(table, Uuid::from_u128(u128::from(table)))
    }

    fn name(entry: &Entry) -> String {
        let event: serde_json::Value = serde_json::from_slice(&entry.content.payload).unwrap();
        event["count"].as_str().unwrap().to_owned()
    }

    /// What the hall does at a start.
    fn recover(opened: Opened) -> (Store, Counters) {
        let mut counters = Counters::default();
        for value in opened.store.state().iter(Tree::Games).unwrap() {
            let value = value.unwrap();
            let count = u64::from_be_bytes(value.value.unwrap().try_into().unwrap());
            counters
                .0
                .insert(String::from_utf8(value.key).unwrap(), (value.position, count));
        }
        let writer = opened.store.writer();
        let mut changed = BTreeMap::new();
        for entry in opened.tail {
            let entry = entry.unwrap();
            let name = Counters::name(&entry);
            let (position, count) = counters.0.entry(name.clone()).or_default();
            if entry.position > *position {
                (*position, *count) = (entry.position, *count + 1);
                changed.insert(name, (*position, *count));
            }
        }
        for (name, (position, count)) in changed {
            writer.put(Tree::Games, name, position, count.to_be_bytes().to_vec());
        }
        opened.replay.folded();
        (opened.store, counters)
    }

    fn count(&mut self, store: &Store, name: &str) {
        let commit = store.commits().commit_blocking(vec![Counters::entry(name)]).unwrap();
        let (position, count) = self.0.entry(name.to_owned()).or_default();
        (*position, *count) = (commit.last(), *count + 1);
        store
            .writer()
            .put(Tree::Games, name, *position, count.to_be_bytes().to_vec());
        commit.folded();
    }
}

/// A data folder in which a hub has run and stopped, and what it held.
fn ran(data: &Path, entries: usize) -> Counters {
    let (store, mut counters) = Counters::recover(open(data));
    for n in 0..entries {
        counters.count(&store, ["ann", "bob", "cy"][n % 3]);
    }
    store.close();
    counters
}

fn database(data: &Path) -> PathBuf {
    let mut databases: Vec<_> = fs::read_dir(state_folder(data))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    databases.retain(|path| path.file_name().unwrap().to_string_lossy().starts_with("sled-"));
    databases.sort();
    databases.pop().unwrap()
}

fn last_segment(data: &Path) -> PathBuf {
    let mut segments: Vec<_> = fs::read_dir(journal_folder(data))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    segments.retain(|path| path.extension().is_some_and(|end| end == "journal"));
    segments.sort();
    segments.pop().unwrap()
}

fn first_missing(data: &Path) -> u64 {
    match Store::open(data, options(), || 0) {
        Err(StoreError::Journal(JournalError::Damaged(damage))) => damage.first_missing,
        Err(other) => panic!("{other}"),
        Ok(opened) => panic!("it started with {} entries", opened.end),
    }
}

#[test]
fn a_restart_goes_on_from_the_checkpoint_with_a_higher_epoch() {
    let data = TempDir::new().unwrap();
    let before = ran(data.path(), 30);
    let opened = open(data.path());
    assert_eq!((opened.store.epoch(), opened.end, opened.checkpoint), (2, 30, 30));
    assert!(opened.notes.is_empty(), "{:?}", opened.notes);
    let (store, after) = Counters::recover(opened);
    assert_eq!(after, before);
    let hall = store.hall_id();
    store.close();
    assert_eq!(open(data.path()).store.hall_id(), hall);
}

#[test]
fn only_one_process_may_have_the_folder() {
    let data = TempDir::new().unwrap();
    let opened = open(data.path());
    let second = Store::open(data.path(), options(), || 0);
    assert!(matches!(second, Err(StoreError::Journal(JournalError::InUse(_)))));
    drop(opened);
    open(data.path());
}

#[test]
fn the_checkpoint_stays_behind_what_is_not_folded_yet() {
    let data = TempDir::new().unwrap();
    let opened = open(data.path());
    opened.replay.folded();
    let store = opened.store;
    let first = store.commits().commit_blocking(vec![Counters::entry("ann")]).unwrap();
    let second = store.commits().commit_blocking(vec![Counters::entry("bob")]).unwrap();
    store
        .writer()
        .put(Tree::Games, "bob", second.last(), 1u64.to_be_bytes().to_vec());
    second.folded();
    store.writer().flush();
    store.close();
    drop(first);
    let opened = open(data.path());
    assert_eq!(opened.checkpoint, 0);
    let (_, counters) = Counters::recover(opened);
    assert_eq!(
        counters.0,
        BTreeMap::from([("ann".into(), (1, 1)), ("bob".into(), (2, 1))])
    );
}

#[test]
fn a_value_ahead_of_the_journal_waits_for_it_and_a_removed_one_stays_removed() {
    let data = TempDir::new().unwrap();
    let opened = open(data.path());
    opened.replay.folded();
    let store = opened.store;
    store.writer().put(Tree::Hall, "early", 3, b"x".to_vec());
    store.writer().put(Tree::Hall, "gone", 0, b"x".to_vec());
    store.writer().flush();
    assert!(store.state().get(Tree::Hall, b"early").unwrap().is_none());
    for _ in 0..3 {
        store
            .commits()
            .commit_blocking(vec![Counters::entry("ann")])
            .unwrap()
            .folded();
    }
    store.writer().remove(Tree::Hall, "gone", 2);
    // Comes late from another shard: the newer one stands.
    store.writer().put(Tree::Hall, "gone", 1, b"y".to_vec());
    store.writer().flush();
    assert_eq!(
        store.state().get(Tree::Hall, b"early").unwrap().unwrap().value,
        Some(b"x".to_vec())
    );
    let gone = store.state().get(Tree::Hall, b"gone").unwrap().unwrap();
    assert_eq!((gone.position, gone.value), (2, None));
}

#[test]
fn a_repeated_call_is_known_after_a_restart_too() {
    let data = TempDir::new().unwrap();
    let key = RequestKey {
        author: "chief".into(),
        id: "7f".into(),
    };
    let opened = open(data.path());
    assert!(opened.store.requests().get(&key).is_none());
    let entry = Counters::entry("ann").answering(key.clone(), b"paused".to_vec());
    drop(
        opened
            .store
            .commits()
            .commit_blocking(vec![Counters::entry("bob"), entry])
            .unwrap(),
    );
    let known = opened.store.requests().get(&key).unwrap();
    assert_eq!((known.position, known.answer.as_slice()), (2, &b"paused"[..]));
    drop(opened);
    assert_eq!(open(data.path()).store.requests().get(&key), Some(known));
}

#[tokio::test]
async fn commits_of_many_tasks_are_all_answered_and_later_ones_refused() {
    let data = TempDir::new().unwrap();
    let Opened { store, .. } = open(data.path());
    let ask = |n: usize| {
        let commits = store.commits();
        async move {
            commits
                .commit(vec![Counters::entry(["ann", "bob"][n % 2]); 1 + n % 3])
                .await
                .unwrap()
                .positions()
        }
    };
    let mut answers = futures::future::join_all((0..300).map(ask)).await;
    answers.sort_by_key(|range| *range.start());
    let mut next = 1;
    for range in answers {
        assert_eq!(*range.start(), next);
        next = range.end() + 1;
    }
    assert_eq!(store.head().position, next - 1);
    let commits = store.commits();
    store.close();
    assert!(matches!(
        commits.commit(vec![Counters::entry("ann")]).await,
        Err(CommitError::Closed)
    ));
}

#[test]
fn a_damaged_state_is_built_again_from_the_journal() {
    type Damage = fn(&Path);
    let kinds: [(&str, bool, Damage); 7] = [
        ("snapshot garbled", false, |data| {
            let snapshots = fs::read_dir(database(data)).unwrap().map(|entry| entry.unwrap().path());
            let snapshots = snapshots.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("snap."));
            snapshots.for_each(|path| fs::write(path, [0x5a; 64]).unwrap());
        }),
        ("db emptied", true, |data| {
            fs::write(database(data).join("db"), b"").unwrap()
        }),
        ("db shortened", true, |data| {
            let db = fs::File::options().write(true).open(database(data).join("db")).unwrap();
            db.set_len(db.metadata().unwrap().len() / 3).unwrap();
        }),
        ("db garbled", true, |data| {
            let path = database(data).join("db");
            let mut bytes = fs::read(&path).unwrap();
            bytes.iter_mut().step_by(97).for_each(|byte| *byte ^= 0xff);
            fs::write(path, bytes).unwrap();
        }),
        ("database deleted", true, |data| {
            fs::remove_dir_all(database(data)).unwrap()
        }),
        ("MANIFEST garbled", true, |data| {
            fs::write(state_folder(data).join("MANIFEST"), b"{}\n00\n").unwrap()
        }),
        ("everything deleted", true, |data| {
            fs::remove_dir_all(state_folder(data)).unwrap()
        }),
    ];
    for (kind, noted, damage) in kinds {
        let data = TempDir::new().unwrap();
        let before = ran(data.path(), 200);
        damage(data.path());
        let opened = open(data.path());
        assert_eq!(opened.end, 200, "{kind}");
        if noted {
            assert_eq!(opened.checkpoint, 0, "{kind}");
            assert!(
                opened.notes.iter().any(|note| note.contains("built again")),
                "{kind}: {:?}",
                opened.notes
            );
        }
        let (store, after) = Counters::recover(opened);
        assert_eq!(after, before, "{kind}");
        store.close();
        let again = open(data.path());
        assert_eq!(again.checkpoint, 200, "{kind}");
        assert!(again.notes.is_empty(), "{kind}: {:?}", again.notes);
        assert_eq!(Counters::recover(again).1, before, "{kind}");
    }
}

#[test]
fn a_journal_shorter_than_the_state_stops_the_start_until_the_loss_is_accepted() {
    let data = TempDir::new().unwrap();
    ran(data.path(), 30);
    ran(data.path(), 12);
    let lost = last_segment(data.path());
    fs::remove_file(&lost).unwrap();
    assert_eq!(first_missing(data.path()), 31);
    assert_eq!(verify(data.path()).unwrap().damage.unwrap().first_missing, 31);
    let other = accept_loss(data.path(), 30, 7);
    assert!(matches!(
        other,
        Err(StoreError::Journal(JournalError::OtherLoss {
            first_missing: 31,
            asked: 30
        }))
    ));
    assert_eq!(first_missing(data.path()), 31);
    accept_loss(data.path(), 31, 7).unwrap();
    let opened = open(data.path());
    assert_eq!((opened.end, opened.checkpoint), (31, 0));
    assert!(opened.store.epoch() > 3, "an epoch is never taken twice");
    let (store, counters) = Counters::recover(opened);
    assert_eq!(counters.0.values().map(|(_, count)| count).sum::<u64>(), 30);
    store.close();
    assert!(verify(data.path()).unwrap().damage.is_none());
    assert!(matches!(
        accept_loss(data.path(), 32, 7),
        Err(StoreError::Journal(JournalError::NothingLost))
    ));
}

#[test]
fn a_bad_record_stops_the_start_and_the_accepted_loss_keeps_every_file_aside() {
    let data = TempDir::new().unwrap();
    (0..3).for_each(|_| drop(ran(data.path(), 20)));
    let hall = open(data.path()).store.hall_id();
    let damaged = journal_folder(data.path()).join("00000002.journal");
    let mut bytes = fs::read(&damaged).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&damaged, &bytes).unwrap();
    let from = first_missing(data.path());
    assert!((22..40).contains(&from), "{from}");
    let accepted = accept_loss(data.path(), from, 9).unwrap();
    let aside = accepted.aside.unwrap();
    assert_eq!(fs::read(aside.join("00000002.journal")).unwrap(), bytes);
    assert!(aside.join("00000003.journal").exists());
    let opened = open(data.path());
    assert_eq!((opened.end, opened.store.hall_id()), (from, hall));
    assert!(opened.store.epoch() > 4);
    let (_, counters) = Counters::recover(opened);
    assert_eq!(counters.0.values().map(|(_, count)| count).sum::<u64>(), from - 1);
    let mut out = Vec::new();
    show(
        data.path(),
        &ShowFilter {
            from,
            ..ShowFilter::default()
        },
        &mut out,
    )
    .unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("loss accepted from position"), "{text}");
}

#[test]
fn a_whole_journal_that_is_gone_is_missed_as_well() {
    let data = TempDir::new().unwrap();
    ran(data.path(), 5);
    fs::remove_dir_all(journal_folder(data.path())).unwrap();
    assert_eq!(first_missing(data.path()), 1);
    accept_loss(data.path(), 1, 9).unwrap();
    assert_eq!(open(data.path()).end, 1);
}

#[test]
fn a_backup_of_a_running_hub_is_whole_and_can_be_started() {
    let data = TempDir::new().unwrap();
    let copies = TempDir::new().unwrap();
    let (store, mut counters) = Counters::recover(open(data.path()));
    let done = std::sync::atomic::AtomicBool::new(false);
    struct Stop<'a>(&'a std::sync::atomic::AtomicBool);
    impl Drop for Stop<'_> {
        fn drop(&mut self) {
            self.0.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }
    thread::scope(|scope| {
        // Also when an assertion fails, so that the writer does not go on for ever.
        let _stop = Stop(&done);
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                counters.count(&store, "ann");
            }
        });
        for n in 0..8 {
            thread::sleep(Duration::from_millis(15));
            let before = store.head().position;
            let report = verify(data.path()).unwrap();
            assert!(report.damage.is_none(), "{report}");
            assert!(report.entries >= before, "{report}");
            let copy = copies.path().join(n.to_string());
            let copied = backup(data.path(), &copy).unwrap();
            assert!(copied.head.position >= report.entries);
            let report = verify(&copy).unwrap();
            assert_eq!(report.head, copied.head);
            assert!(!report.open);
            let opened = open(&copy);
            assert!(
                opened.store.epoch() > 1000,
                "devices refuse a lower one than that of the lost hub"
            );
            let (_, counters) = Counters::recover(opened);
            assert_eq!(
                counters.0.values().map(|(_, count)| count).sum::<u64>(),
                copied.head.position
            );
            assert!(matches!(
                backup(data.path(), &copy),
                Err(StoreError::Journal(JournalError::NoCopy {
                    why: "a hub has been started on it",
                    ..
                }))
            ));
        }
    });
}

#[test]
fn the_journal_is_shown_by_table_game_and_position() {
    let data = TempDir::new().unwrap();
    ran(data.path(), 9);
    let shown = |filter: ShowFilter| {
        let mut out = Vec::new();
        let count = show(data.path(), &filter, &mut out).unwrap();
        (count, String::from_utf8(out).unwrap())
    };
    let all = ShowFilter::default();
    assert_eq!(shown(all.clone()).0, 9);
    assert_eq!(shown(ShowFilter { from: 8, ..all.clone() }).0, 2);
    let table = u32::from(b'a') + 2 * u32::from(b'n');
    let (count, text) = shown(ShowFilter {
        table: Some(table),
        ..all.clone()
    });
    assert_eq!(count, 3);
    assert!(
        text.lines()
            .all(|line| line.contains("{\"count\":\"ann\"}") && line.contains("table 317")),
        "{text}"
    );
    let (count, text) = shown(ShowFilter {
        game: Some(Uuid::from_u128(u128::from(table))),
        json: true,
        ..all
    });
    assert_eq!(count, 3);
    let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(first["event"]["count"], "ann");
    assert_eq!(first["position"], 1);
}

#[expect(clippy::disallowed_methods, reason = "measures a start")]
#[test]
fn a_hundred_thousand_entries_open_within_seconds() {
    let data = TempDir::new().unwrap();
    let options = StoreOptions::default;
    let opened = Store::open(data.path(), options(), || 0).unwrap();
    for _ in 0..100 {
        drop(
            opened
                .store
                .commits()
                .commit_blocking(vec![Counters::entry("ann"); 1000])
                .unwrap(),
        );
    }
    drop(opened.tail);
    drop(opened.store);
    let started = Instant::now();
    let opened = Store::open(data.path(), options(), || 0).unwrap();
    let tail = opened.tail.map(Result::unwrap).count();
    assert_eq!(tail, 100_000);
    // Unoptimized, on a machine that others use too: a release build takes a small part of it.
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    let bytes: u64 = verify(data.path()).unwrap().bytes;
    assert!(bytes / 100_000 < 220, "{} bytes an entry", bytes / 100_000);
}

const CHILD: &str = "FLAGFALL_TEST_WRITER";

/// This very test, started again as a process that only writes.
fn writer(data: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "store::opening::tests::a_killed_hub_has_lost_nothing_acknowledged",
            "--exact",
            "--nocapture",
        ])
        .env(CHILD, data)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn write_until_killed(data: &Path) {
    let (store, counters) = Counters::recover(open(data));
    let counters = std::sync::Mutex::new(counters);
    thread::scope(|scope| {
        for name in ["ann", "bob", "cy", "dee"] {
            let (store, counters) = (&store, &counters);
            scope.spawn(move || {
                loop {
                    let commit = store.commits().commit_blocking(vec![Counters::entry(name)]).unwrap();
                    let value = {
                        let mut counters = counters.lock().unwrap();
                        let (position, count) = counters.0.entry(name.to_owned()).or_default();
                        (*position, *count) = (commit.last(), *count + 1);
                        *count
                    };
                    store
                        .writer()
                        .put(Tree::Games, name, commit.last(), value.to_be_bytes().to_vec());
                    let mut out = std::io::stdout().lock();
                    writeln!(out, "acknowledged {} {name}", commit.last()).unwrap();
                    out.flush().unwrap();
                    commit.folded();
                }
            });
        }
    });
}

#[test]
fn a_killed_hub_has_lost_nothing_acknowledged() {
    if let Some(data) = std::env::var_os(CHILD) {
        write_until_killed(Path::new(&data));
        return;
    }
    let data = TempDir::new().unwrap();
    let mut acknowledged = BTreeMap::new();
    for round in 0..10u64 {
        let mut child = writer(data.path());
        let out = BufReader::new(child.stdout.take().unwrap());
        let reading = thread::spawn(move || {
            let mut seen = Vec::new();
            for line in out.lines().map_while(Result::ok) {
                let mut words = line.split(' ').skip_while(|word| *word != "acknowledged").skip(1);
                let found = words
                    .next()
                    .and_then(|position| position.parse::<u64>().ok())
                    .zip(words.next());
                seen.extend(found.map(|(position, name)| (position, name.to_owned())));
            }
            seen
        });
        // From in the middle of the opening to well into the writing.
        thread::sleep(Duration::from_millis(20 + round * 37 % 400));
        child.kill().unwrap();
        child.wait().unwrap();
        acknowledged.extend(reading.join().unwrap());

        let opened = open(data.path());
        assert!(opened.end >= acknowledged.keys().next_back().copied().unwrap_or(0));
        let entries: Vec<Entry> = opened.store.reader().entries(1).unwrap().map(Result::unwrap).collect();
        for (position, name) in &acknowledged {
            assert_eq!(&Counters::name(&entries[*position as usize - 1]), name);
        }
        let (store, counters) = Counters::recover(opened);
        for (name, (_, count)) in &counters.0 {
            let there = entries.iter().filter(|entry| entry.content.kind != EntryKind::Note);
            assert_eq!(
                there.filter(|entry| Counters::name(entry) == *name).count() as u64,
                *count
            );
        }
        store.close();
        assert!(verify(data.path()).unwrap().damage.is_none());
    }
    assert!(
        acknowledged.len() > 100,
        "only {} were acknowledged",
        acknowledged.len()
    );
}

#[test]
fn a_running_store_packs_what_it_has_closed_and_starts_from_it() {
    let data = TempDir::new().unwrap();
    let options = || StoreOptions {
        pack_every: Some(Duration::from_millis(10)),
        ..options()
    };
    let open = || Store::open(data.path(), options(), || 0).unwrap();
    let (store, mut counters) = Counters::recover(open());
    for _ in 0..900 {
        counters.count(&store, "ann");
    }
    let mut report = verify(data.path()).unwrap();
    for _ in 0..500 {
        if report.packed + 1 == report.segments {
            break;
        }
        thread::sleep(Duration::from_millis(20));
        report = verify(data.path()).unwrap();
    }
    assert!(report.damage.is_none() && report.segments > 2, "{report}");
    assert_eq!(report.packed + 1, report.segments, "{report}");
    store.close();
    fs::remove_dir_all(state_folder(data.path())).unwrap();
    let (store, again) = Counters::recover(open());
    assert_eq!(again, counters);
    store.close();
}

#[test]
fn a_second_backup_into_the_same_folder_writes_only_what_is_new() {
    let data = TempDir::new().unwrap();
    let copy = TempDir::new().unwrap();
    let (store, mut counters) = Counters::recover(open(data.path()));
    for _ in 0..600 {
        counters.count(&store, "ann");
    }
    let first = backup(data.path(), copy.path()).unwrap();
    assert!(first.segments > 1 && first.written == first.segments);
    for _ in 0..10 {
        counters.count(&store, "bob");
    }
    let second = backup(data.path(), copy.path()).unwrap();
    assert!(
        second.written < second.segments && second.bytes < first.bytes,
        "{second:?}"
    );
    assert_eq!(second.head, store.head());
    assert_eq!(verify(copy.path()).unwrap().head, second.head);
    // Another hall's does not go into it, nor an older state of this one over a newer.
    let other = TempDir::new().unwrap();
    ran(other.path(), 3);
    let refused = backup(other.path(), copy.path()).unwrap_err().to_string();
    assert!(refused.contains("another hall"), "{refused}");
    store.close();
}

#[test]
fn a_restored_backup_is_the_same_hall_with_an_epoch_beyond_the_lost_ones() {
    let data = TempDir::new().unwrap();
    let copy = TempDir::new().unwrap();
    let fresh = TempDir::new().unwrap();
    let counters = ran(data.path(), 40);
    let copied = backup(data.path(), copy.path()).unwrap();
    let restored = restore(copy.path(), fresh.path(), 5).unwrap();
    assert_eq!((restored.head, restored.still), (copied.head, None));
    let opened = open(fresh.path());
    assert!(opened.store.epoch() > 1000);
    let (store, again) = Counters::recover(opened);
    assert_eq!(again, counters);
    store.close();
    // What is whole is not touched.
    let refused = restore(copy.path(), fresh.path(), 5).unwrap_err();
    assert!(
        matches!(refused, StoreError::Journal(JournalError::NothingLost)),
        "{refused}"
    );
}

#[test]
fn damaged_and_missing_files_are_put_back_from_a_backup_and_nothing_newer_is_touched() {
    let data = TempDir::new().unwrap();
    let copy = TempDir::new().unwrap();
    ran(data.path(), 600);
    backup(data.path(), copy.path()).unwrap();
    let counters = {
        let (store, mut counters) = Counters::recover(open(data.path()));
        for _ in 0..20 {
            counters.count(&store, "dee");
        }
        store.close();
        counters
    };
    let segment = |number: u64| SegmentPath::whole(&journal_folder(data.path()), number);
    let mut bytes = fs::read(segment(1)).unwrap();
    bytes[9000] ^= 1;
    fs::write(segment(1), bytes).unwrap();
    fs::remove_file(segment(2)).unwrap();
    let lost = first_missing(data.path());
    assert!(lost > 1 && lost < 600);
    let restored = restore(copy.path(), data.path(), 5).unwrap();
    assert_eq!(restored.files, [segment(1), segment(2)]);
    assert!(restored.aside.is_some() && restored.still.is_none());
    let (store, again) = Counters::recover(open(data.path()));
    assert_eq!(again, counters);
    store.close();
}

#[test]
fn what_the_backup_does_not_have_is_still_named_as_missing_after_it_was_restored() {
    let data = TempDir::new().unwrap();
    let copy = TempDir::new().unwrap();
    ran(data.path(), 30);
    backup(data.path(), copy.path()).unwrap();
    let counters = ran(data.path(), 30);
    drop(counters);
    fs::remove_dir_all(journal_folder(data.path())).unwrap();
    let restored = restore(copy.path(), data.path(), 5).unwrap();
    let still = restored.still.expect("the state knows more");
    assert_eq!((restored.head.position, still.first_missing), (30, 31));
    assert_eq!(first_missing(data.path()), 31);
    let _accepted = accept_loss(data.path(), 31, 6).unwrap();
    let (store, counters) = Counters::recover(open(data.path()));
    assert_eq!(counters.0.values().map(|(_, count)| count).sum::<u64>(), 30);
    store.close();
}
