//! The journal on a disk that crashes, tears, fails and rots.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::store::committer::Committer;
use crate::store::disk::{CrashStyle, SimDisk, SimFault};
use crate::store::entry::{RequestKey, SessionMark};
use crate::store::reader::JournalReader;
use crate::store::record;
use crate::store::requests::Requests;

const FOLDER: &str = "/hall/journal";
const SMALL: u64 = 4096;

fn folder() -> &'static Path {
    Path::new(FOLDER)
}

fn path(number: u64) -> PathBuf {
    SegmentPath::whole(folder(), number)
}

/// The nth entry of a hall with three games.
fn entry(n: u64) -> NewEntry {
    let payload = format!("{{\"n\":{n},\"text\":\"{}\"}}", "x".repeat((n * 7 % 90) as usize)).into_bytes();
    let plain = NewEntry::new(EntryKind::Table, HallTime(n as i64 * 10), payload);
    let mark = SessionMark {
        device: "clock-1".into(),
        boot: 7,
        seq: n as i64,
    };
    match n % 4 {
        0 => plain.answering(
            RequestKey {
                author: "ann".into(),
                id: format!("r{n}"),
            },
            b"done".to_vec(),
        ),
        game => plain
            .at_table(game as u32, Uuid::from_u128(u128::from(game)))
            .with_sessions(vec![mark]),
    }
}

/// Groups of one, two, three, one, two, ... entries.
fn group(first: u64, at: u64) -> Vec<NewEntry> {
    (first..first + 1 + at % 3).map(entry).collect()
}

fn open_known(disk: &SimDisk, known: Known) -> Result<(FileJournal, Vec<Entry>, Vec<String>), JournalError> {
    let mut entries = Vec::new();
    let options = JournalOptions {
        segment_bytes: SMALL,
        new_hall_id: Uuid::from_u128(77),
    };
    let opened = FileJournal::open(Arc::new(disk.clone()), folder(), options, known, 1_000, &mut |entry| {
        entries.push(entry)
    })?;
    assert_eq!(opened.end, entries.len() as u64);
    Ok((opened.journal, entries, opened.notes))
}

fn open(disk: &SimDisk) -> Result<(FileJournal, Vec<Entry>, Vec<String>), JournalError> {
    open_known(disk, Known::default())
}

fn damage(disk: &SimDisk) -> Damage {
    match open(disk) {
        Err(JournalError::Damaged(damage)) => damage,
        Err(other) => panic!("another error: {other}"),
        Ok((_, entries, notes)) => panic!("opened with {} entries, notes {notes:?}", entries.len()),
    }
}

/// What a hub did until something failed.
struct Run {
    /// Every group submitted, with the position it would have.
    submitted: Vec<(u64, Vec<NewEntry>)>,
    /// How many of them were acknowledged.
    acknowledged: usize,
}

/// Opens, writes groups, closes.
fn run(disk: &SimDisk, groups: u64) -> Run {
    let mut run = Run {
        submitted: Vec::new(),
        acknowledged: 0,
    };
    let Ok((mut journal, before, _)) = open(disk) else {
        return run;
    };
    assert!(before.is_empty());
    let mut next = 1;
    for at in 0..groups {
        let entries = group(next, at);
        run.submitted.push((next, entries.clone()));
        next += entries.len() as u64;
        match journal.append(500, entries) {
            Ok(first) => {
                assert_eq!(first, run.submitted[at as usize].0);
                run.acknowledged += 1;
            }
            Err(_) => return run,
        }
    }
    if journal.close().is_err() {
        return run;
    }
    run
}

/// Everything acknowledged is there, and of what was not, either a whole group or nothing.
fn check(run: &Run, entries: &[Entry]) {
    let contents: Vec<NewEntry> = entries
        .iter()
        .filter(|entry| entry.content.kind != EntryKind::Note)
        .map(|entry| entry.content.clone())
        .collect();
    let whole = |groups: usize| {
        run.submitted[..groups]
            .iter()
            .flat_map(|(_, group)| group.clone())
            .collect::<Vec<_>>()
    };
    let possible = run.acknowledged..=run.submitted.len().min(run.acknowledged + 1);
    assert!(
        possible.clone().any(|groups| whole(groups) == contents),
        "{possible:?} groups, got {}",
        contents.len()
    );
    for (at, entry) in entries.iter().enumerate() {
        assert_eq!(entry.position, at as u64 + 1);
    }
}

const STYLES: [CrashStyle; 5] = [
    CrashStyle::LoseAll,
    CrashStyle::KeepAll,
    CrashStyle::Tear,
    CrashStyle::Tear,
    CrashStyle::Tear,
];

#[test]
fn what_was_written_is_read_back_over_many_segments() {
    let disk = SimDisk::new();
    let run = run(&disk, 60);
    assert_eq!(run.acknowledged, 60);
    let (journal, entries, notes) = open(&disk).unwrap();
    check(&run, &entries);
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(journal.epoch(), 2);
    assert!(journal.segment() > 5);
    let reader = JournalReader::new(Arc::new(disk.clone()), folder());
    for from in [0, 1, 2, 50, 119, 120, 121] {
        let read: Vec<Entry> = reader.entries(from).unwrap().map(Result::unwrap).collect();
        assert_eq!(read, entries[(from.max(1) as usize - 1).min(entries.len())..]);
    }
}

#[test]
fn a_crash_between_any_two_operations_loses_nothing_acknowledged() {
    let clean = SimDisk::new();
    run(&clean, 24);
    let operations = clean.operations();
    assert!(operations > 60);
    for at in 0..operations {
        for (seed, style) in (0..).zip(STYLES) {
            let disk = SimDisk::new();
            disk.fault_at(at, SimFault::PowerOff);
            let run = run(&disk, 24);
            disk.reboot(style, at * 31 + seed);
            let (mut journal, entries, _) =
                open(&disk).unwrap_or_else(|error| panic!("off at {at}, {style:?}: {error}"));
            check(&run, &entries);
            let first = journal.append(600, vec![entry(1)]).unwrap();
            assert_eq!(first, journal.head().position);
            let epoch = journal.epoch();
            drop(journal);
            disk.reboot(CrashStyle::LoseAll, 0);
            let (journal, entries, _) = open(&disk).unwrap();
            assert_eq!(entries.last().map(|entry| entry.position), Some(first));
            assert!(journal.epoch() > epoch);
        }
    }
}

#[test]
fn a_crash_while_a_crash_is_mended_loses_nothing_either() {
    for first_off in [12, 20, 33, 47] {
        for at in 0..20 {
            for (seed, style) in (0..).zip(STYLES) {
                let disk = SimDisk::new();
                disk.fault_at(first_off, SimFault::PowerOff);
                let run = run(&disk, 24);
                disk.reboot(CrashStyle::Tear, first_off);
                disk.fault_at(disk.operations() + at, SimFault::PowerOff);
                if let Ok((journal, entries, _)) = open(&disk) {
                    check(&run, &entries);
                    drop(journal);
                }
                disk.reboot(style, at + seed);
                let (_, entries, _) =
                    open(&disk).unwrap_or_else(|error| panic!("{first_off}, {at}, {style:?}: {error}"));
                check(&run, &entries);
            }
        }
    }
}

#[test]
fn after_a_failed_write_or_sync_nothing_more_is_acknowledged() {
    let clean = SimDisk::new();
    run(&clean, 24);
    for fault in [SimFault::Fail, SimFault::Full] {
        for at in 0..clean.operations() {
            let disk = SimDisk::new();
            disk.fault_at(at, fault);
            let Ok((mut journal, ..)) = open(&disk) else { continue };
            let mut run = Run {
                submitted: Vec::new(),
                acknowledged: 0,
            };
            let mut next = 1;
            let mut failed = None;
            for n in 0..24 {
                let entries = group(next, n);
                let outcome = journal.append(500, entries.clone());
                match (&failed, outcome) {
                    (None, Ok(_)) => {
                        next += entries.len() as u64;
                        run.submitted.push((0, entries));
                        run.acknowledged += 1;
                    }
                    // Nothing was written: it may be tried again, and goes well the second time.
                    (None, Err(JournalError::NoRoom { .. })) => {}
                    (None, Err(_)) => {
                        run.submitted.push((0, entries));
                        failed = Some(disk.operations());
                    }
                    (Some(_), Err(JournalError::Poisoned(_))) => {}
                    (Some(_), other) => panic!("{fault:?} at {at}: {other:?} after a failure"),
                }
            }
            if let Some(operations) = failed {
                assert_eq!(disk.operations(), operations, "a poisoned journal touched the disk");
            }
            if disk.operations() <= at {
                // The fault has not come up.
                continue;
            }
            // The process dies, the machine goes on: the file may show what never reached the disk.
            drop(journal);
            let (journal, entries, _) = open(&disk).unwrap();
            check(&run, &entries);
            // What is there now is relied upon: it must survive the machine too.
            drop(journal);
            disk.reboot(CrashStyle::LoseAll, 0);
            let (_, after, _) = open(&disk).unwrap();
            assert_eq!(after[..entries.len()], entries);
        }
    }
}

#[test]
fn a_file_cut_anywhere_never_starts_silently_shortened() {
    for close in [true, false] {
        let written = || {
            let disk = SimDisk::new();
            let (mut journal, ..) = open(&disk).unwrap();
            (0..5).for_each(|n| assert!(journal.append(1, vec![entry(n)]).is_ok()));
            if close {
                journal.close().unwrap();
            }
            disk
        };
        let len = written().open(&path(1)).unwrap().len().unwrap();
        for cut in 0..len {
            let disk = written();
            disk.damage(&path(1), |bytes| bytes.truncate(cut as usize)).unwrap();
            let damage = damage(&disk);
            assert!(damage.first_missing <= 6);
            assert!(damage.to_string().contains("00000001.journal"), "{damage}");
        }
    }
}

#[test]
fn a_changed_byte_in_a_closed_file_is_not_taken_for_a_short_file() {
    let disk = SimDisk::new();
    let (mut journal, ..) = open(&disk).unwrap();
    journal.append(1, vec![entry(1)]).unwrap();
    let second = journal.current.at;
    journal.append(1, vec![entry(2)]).unwrap();
    journal.append(1, vec![entry(3)]).unwrap();
    journal.close().unwrap();
    disk.damage(&path(1), |bytes| bytes[second + 40] ^= 0x55).unwrap();
    let damage = damage(&disk);
    assert!(damage.to_string().contains("a bad record at byte"), "{damage}");
    assert!(!damage.to_string().contains("has only"), "{damage}");
}

#[test]
fn a_torn_last_group_is_cut_off_with_a_note_and_kept_aside() {
    let disk = SimDisk::new();
    let (mut journal, ..) = open(&disk).unwrap();
    journal.append(1, vec![entry(1)]).unwrap();
    let good = journal.current.at;
    journal.append(1, vec![entry(2), entry(3)]).unwrap();
    let end = journal.current.at;
    drop(journal);
    for zeroed in good..end {
        for lone_byte in [false, true] {
            let torn = SimDisk::new();
            let bytes = disk.open(&path(1)).unwrap().read_all().unwrap();
            let mut file = torn.create(&path(1), bytes.len() as u64).unwrap();
            file.write_at(0, &bytes).unwrap();
            torn.reboot(CrashStyle::KeepAll, 0);
            torn.damage(&path(1), |bytes| {
                if lone_byte {
                    bytes[zeroed] ^= 0x55
                } else {
                    bytes[zeroed..end].fill(0)
                }
            })
            .unwrap();
            // If it was known to be durable, it is a loss; else it was never acknowledged.
            let known = Known {
                position: 3,
                ..Known::default()
            };
            match open_known(&torn, known) {
                Ok((_, entries, notes)) => assert!(entries.len() == 3 && notes.is_empty(), "padding only"),
                Err(JournalError::Damaged(damage)) => assert_eq!(damage.first_missing, 2),
                Err(other) => panic!("{other}"),
            }
            let (journal, entries, notes) = open(&torn).unwrap();
            if entries.len() == 3 {
                continue;
            }
            assert_eq!(entries.len(), 1);
            if zeroed > good || lone_byte {
                assert_eq!(notes.len(), 1);
                assert_eq!(torn.list(&folder().join("aside")).unwrap(), ["00000001.torn"]);
                assert_eq!(journal.head().position, 2, "the note has a position of its own");
            }
        }
    }
}

#[test]
fn a_flipped_bit_before_the_last_group_is_found_and_the_first_missing_position_named() {
    let written = || {
        let disk = SimDisk::new();
        let (mut journal, ..) = open(&disk).unwrap();
        (1..=6).for_each(|n| assert!(journal.append(1, vec![entry(n)]).is_ok()));
        journal.close().unwrap();
        disk.reboot(CrashStyle::KeepAll, 0);
        disk
    };
    let disk = written();
    let len = disk.open(&path(1)).unwrap().len().unwrap() as usize;
    let (_, whole, _) = open(&disk).unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for at in 0..len {
        let disk = written();
        disk.damage(&path(1), |bytes| bytes[at] ^= 1 << (at % 8)).unwrap();
        match open(&disk) {
            Err(JournalError::Damaged(damage)) => drop(seen.insert(damage.first_missing)),
            Ok((_, entries, _)) => assert_eq!(entries, whole, "byte {at}"),
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn in_a_file_that_was_not_closed_too_a_bad_record_before_a_good_one_is_no_torn_group() {
    let written = || {
        let disk = SimDisk::new();
        let (mut journal, ..) = open(&disk).unwrap();
        for n in 1..=4 {
            journal.append(1, vec![entry(n), entry(n + 1)]).unwrap();
        }
        (disk, journal.current.at)
    };
    let (disk, _) = written();
    let (_, whole, _) = open(&disk).unwrap();
    let (disk, end) = written();
    let bytes = disk.open(&path(1)).unwrap().read_all().unwrap();
    let groups: Vec<usize> = (0..end)
        .filter(|at| frame::read(&bytes, *at).is_some_and(|frame| frame.kind == FrameKind::GroupEnd))
        .collect();
    let last_group = frame::read(&bytes, groups[2]).unwrap().end;
    for at in (0..end).step_by(3) {
        let (disk, _) = written();
        disk.reboot(CrashStyle::KeepAll, 0);
        disk.damage(&path(1), |bytes| bytes[at] ^= 0x10).unwrap();
        match open(&disk) {
            Err(JournalError::Damaged(damage)) => assert!(at < last_group && damage.first_missing <= 7, "byte {at}"),
            Ok((_, entries, notes)) => {
                assert!(at >= last_group && !notes.is_empty(), "byte {at}: {notes:?}");
                assert_eq!(entries[..], whole[..6]);
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn an_entry_changed_with_its_checksum_mended_breaks_the_chains() {
    let disk = SimDisk::new();
    let (mut journal, ..) = open(&disk).unwrap();
    (1..=3).for_each(|n| assert!(journal.append(1, vec![entry(n)]).is_ok()));
    journal.close().unwrap();
    disk.damage(&path(1), |bytes| {
        let header = frame::read(bytes, 0).unwrap();
        let first = frame::read(bytes, header.end).unwrap();
        let mut payload = first.payload.to_vec();
        let at = payload.windows(4).position(|window| window == b"\"n\":").unwrap() + 4;
        payload[at] = b'9';
        let mut forged = Vec::new();
        frame::write(&mut forged, FrameKind::Entry, first.group, &payload);
        let (start, end) = (header.end, first.end);
        bytes.splice(start..end, forged);
    })
    .unwrap();
    let damage = damage(&disk);
    assert_eq!(damage.first_missing, 1);
    assert!(damage.what.contains("chain is broken at position 1"), "{damage}");
}

#[test]
fn a_missing_segment_is_named_with_its_first_position() {
    let disk = SimDisk::new();
    run(&disk, 60);
    let (_, entries, _) = open(&disk).unwrap();
    disk.reboot(CrashStyle::KeepAll, 0);
    disk.remove(&path(3)).unwrap();
    let found = damage(&disk);
    assert_eq!(found.file, path(3));
    assert!(found.first_missing > 1 && found.first_missing < entries.len() as u64);
    let message = JournalError::Damaged(found.clone()).to_string();
    assert!(
        message.contains(&format!("flagfall journal accept-loss --from {}", found.first_missing)),
        "{message}"
    );
    disk.remove(&path(1)).unwrap();
    assert_eq!(damage(&disk).first_missing, 1);
}

#[test]
fn a_journal_that_ends_before_what_is_known_does_not_start() {
    let disk = SimDisk::new();
    run(&disk, 3);
    let ends = |known| match open_known(&disk, known) {
        Err(JournalError::Damaged(damage)) => damage.first_missing,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it started"),
    };
    assert_eq!(
        ends(Known {
            position: 7,
            ..Known::default()
        }),
        7
    );
    assert_eq!(
        ends(Known {
            position: 6,
            segment: 2,
            ..Known::default()
        }),
        7
    );
    let (journal, ..) = open_known(
        &disk,
        Known {
            position: 6,
            segment: 1,
            epoch: 41,
        },
    )
    .unwrap();
    assert_eq!(journal.epoch(), 42);
}

#[test]
fn a_journal_of_a_newer_version_is_refused_by_name() {
    let disk = SimDisk::new();
    let (journal, ..) = open(&disk).unwrap();
    journal.close().unwrap();
    disk.damage(&path(1), |bytes| {
        let frame = frame::read(bytes, 0).unwrap();
        let mut header = proto::SegmentHeader::decode(frame.payload).unwrap();
        header.format = record::PACKED + 1;
        let mut newer = Vec::new();
        frame::write(&mut newer, FrameKind::SegmentHeader, 0, &header.encode_to_vec());
        *bytes = newer;
    })
    .unwrap();
    assert!(matches!(open(&disk), Err(JournalError::Newer { found: 3, .. })));
}

#[test]
fn a_group_larger_than_a_segment_gets_one_of_its_own() {
    let disk = SimDisk::new();
    let (mut journal, ..) = open(&disk).unwrap();
    let large = NewEntry::new(EntryKind::Hall, HallTime(0), vec![b'x'; 3 * SMALL as usize]);
    journal.append(1, vec![entry(1)]).unwrap();
    journal.append(1, vec![large.clone(), entry(2)]).unwrap();
    journal.append(1, vec![entry(3)]).unwrap();
    drop(journal);
    let (_, entries, _) = open(&disk).unwrap();
    assert_eq!(entries.len(), 4);
    assert_eq!(entries[1].content, large);
}

#[test]
fn one_step_makes_all_that_waits_durable_with_one_write_and_one_sync() {
    let disk = SimDisk::new();
    let (journal, ..) = open(&disk).unwrap();
    let mut committer = Committer::new(journal, Requests::default());
    let before = disk.operations();
    for ticket in 0..6 {
        committer.submit(
            ticket,
            if ticket == 3 {
                Vec::new()
            } else {
                vec![entry(ticket), entry(ticket + 1)]
            },
        );
    }
    let answers = committer.step(9);
    assert_eq!(disk.operations() - before, 2);
    let positions: Vec<_> = answers.iter().map(|answer| answer.outcome.clone().unwrap()).collect();
    assert_eq!(positions[..3], [1..=2, 3..=4, 5..=6]);
    assert!(positions[3].is_empty());
    assert_eq!(positions[4..], [7..=8, 9..=10]);
    assert!(committer.step(10).is_empty());
    disk.fault_at(disk.operations() + 1, SimFault::Fail);
    committer.submit(7, vec![entry(1)]);
    committer.submit(8, vec![entry(1)]);
    assert!(committer.step(11).iter().all(|answer| answer.outcome.is_err()));
    committer.submit(9, vec![entry(1)]);
    let refused = committer.step(12).remove(0).outcome.unwrap_err();
    assert!(
        matches!(&*refused, JournalError::Poisoned(why) if why.contains("syncing")),
        "{refused}"
    );
    assert_eq!(committer.head().position, 10);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Lives of a hub, each ended by a crash at some operation: what was acknowledged in all of them is there, in order.
    #[test]
    fn many_lives_and_crashes_lose_nothing(
        lives in prop::collection::vec((0u64..60, 0usize..5, any::<u64>(), 1u64..12), 1..6)
    ) {
        let disk = SimDisk::new();
        let mut sure: Vec<NewEntry> = Vec::new();
        let mut n = 1;
        for (off_after, style, seed, groups) in lives {
            disk.fault_at(disk.operations() + off_after, SimFault::PowerOff);
            let mut maybe = Vec::new();
            if let Ok((mut journal, entries, _)) = open(&disk) {
                let before: Vec<_> =
                    entries.into_iter().map(|entry| entry.content).filter(|content| content.kind != EntryKind::Note).collect();
                prop_assert_eq!(&before, &sure);
                for at in 0..groups {
                    let entries = group(n, at);
                    n += entries.len() as u64;
                    if journal.append(1, entries.clone()).is_err() {
                        maybe = entries;
                        break;
                    }
                    sure.extend(entries);
                }
            }
            disk.reboot(STYLES[style], seed);
            let (journal, entries, _) = open(&disk).unwrap();
            drop(journal);
            let after: Vec<_> =
                entries.into_iter().map(|entry| entry.content).filter(|content| content.kind != EntryKind::Note).collect();
            if after.len() > sure.len() {
                sure.extend(maybe);
            }
            prop_assert_eq!(&after, &sure);
            disk.reboot(CrashStyle::KeepAll, 0);
        }
    }

    /// Whatever the bytes, opening never panics and never takes a changed entry for the original.
    #[test]
    fn rubbish_is_never_taken_for_entries(at in 0usize..4096, rubbish in prop::collection::vec(any::<u8>(), 1..200)) {
        let disk = SimDisk::new();
        let written = run(&disk, 12);
        let (_, whole, _) = open(&disk).unwrap();
        disk.reboot(CrashStyle::KeepAll, 0);
        disk.damage(&path(1), |bytes| {
            for (place, byte) in bytes.iter_mut().skip(at).zip(&rubbish) {
                *place = *byte;
            }
        }).unwrap();
        prop_assert_eq!(written.acknowledged, 12);
        match open(&disk) {
            Ok((_, entries, _)) => prop_assert_eq!(&entries[..whole.len().min(entries.len())], &whole[..]),
            Err(JournalError::Damaged(damage)) => prop_assert!(damage.first_missing <= whole.len() as u64 + 1),
            Err(other) => prop_assert!(matches!(other, JournalError::Newer { .. }), "{}", other),
        }
    }
}

#[test]
fn who_follows_the_journal_reads_every_entry_once_over_segments_and_starts() {
    let disk = SimDisk::new();
    let reader = JournalReader::new(Arc::new(disk.clone()), folder());
    let mut follow = reader.follow(1);
    let mut late = None;
    let mut read: Vec<Entry> = Vec::new();
    let mut next = 1;
    for start in 0..3 {
        let (mut journal, _, _) = open_known(&disk, Known::default()).expect("opens");
        for at in 0..60u64 {
            let entries = group(next, at);
            next += entries.len() as u64;
            // A large one, too, which does not fit into the piece that is read.
            let large = NewEntry::new(EntryKind::Hall, HallTime(0), vec![b'x'; 1_500_000]);
            let entries = match (start, at) {
                (1, 30) => entries.into_iter().chain([large]).collect(),
                _ => entries,
            };
            let before = journal.head().position;
            journal.append(1, entries).expect("durable");
            let durable = follow.read(before).expect("read");
            assert!(
                durable.iter().all(|entry| entry.position <= before),
                "not before it is durable"
            );
            read.extend(durable);
            if at % 7 != 3 {
                loop {
                    let some = follow.read(journal.head().position).expect("read");
                    if some.is_empty() {
                        break;
                    }
                    read.extend(some);
                }
            }
            if (start, at) == (1, 10) {
                late = Some((journal.head().position, reader.follow(journal.head().position)));
            }
        }
        journal.close().expect("closes");
    }
    let all: Vec<Entry> = reader
        .entries(1)
        .expect("opens")
        .map(|entry| entry.expect("reads"))
        .collect();
    let end = all.last().expect("some").position;
    let rest = |follow: &mut crate::store::Follow| {
        let mut rest = Vec::new();
        loop {
            let some = follow.read(end).expect("read");
            if some.is_empty() {
                return rest;
            }
            rest.extend(some);
        }
    };
    read.extend(rest(&mut follow));
    assert_eq!(read, all);
    let (from, mut late) = late.expect("begun");
    assert_eq!(rest(&mut late), all[from as usize - 1..]);
}
