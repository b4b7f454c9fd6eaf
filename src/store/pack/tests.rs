//! Packed segments, on a disk that crashes, fails and rots.

use std::path::PathBuf;

use super::*;
use crate::store::disk::{CrashStyle, SimDisk, SimFault};
use crate::store::entry::{EntryKind, NewEntry, RequestKey, SessionMark};
use crate::store::journal::{FileJournal, Journal as _, JournalOptions, Known};
use crate::store::reader::JournalReader;
use crate::time::HallTime;

fn folder() -> &'static Path {
    Path::new("/hall/journal")
}

fn path(number: u64) -> PathBuf {
    SegmentPath::whole(folder(), number)
}

fn entry(n: u64) -> NewEntry {
    let payload = format!("{{\"taken\":{{\"n\":{n},\"board\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\"}}}}");
    let plain = NewEntry::new(EntryKind::Table, HallTime(n as i64 * 10), payload.into_bytes());
    let mark = SessionMark {
        device: "clock-1".into(),
        boot: 7,
        seq: n as i64,
    };
    let key = RequestKey {
        author: "ann".into(),
        id: format!("r{n}"),
    };
    match n % 5 {
        0 => plain.answering(key, b"done".to_vec()),
        game => plain
            .at_table(game as u32, Uuid::from_u128(u128::from(game)))
            .with_sessions(vec![mark]),
    }
}

fn open(disk: &SimDisk) -> Result<(FileJournal, Vec<Entry>), JournalError> {
    let mut entries = Vec::new();
    let options = JournalOptions {
        segment_bytes: 8 << 10,
        new_hall_id: Uuid::from_u128(77),
    };
    let disk = Arc::new(disk.clone());
    let opened = FileJournal::open(disk, folder(), options, Known::default(), 1_000, &mut |entry| {
        entries.push(entry)
    })?;
    Ok((opened.journal, entries))
}

/// A journal of several segments, closed; and all that is in it.
fn written(disk: &SimDisk) -> Vec<Entry> {
    let (mut journal, _) = open(disk).unwrap();
    for n in 0..60 {
        let group = (3 * n..3 * n + 1 + n % 3).map(entry).collect();
        let _first = journal.append(9, group).unwrap();
    }
    journal.close().unwrap();
    let (journal, entries) = open(disk).unwrap();
    journal.close().unwrap();
    entries
}

fn pack_all(disk: &SimDisk) -> Result<u64, JournalError> {
    let numbers = segment::numbers(disk, folder())?;
    let (_last, closed) = numbers.split_last().unwrap();
    let mut packed = 0;
    for &number in closed {
        packed += u64::from(pack(disk, folder(), number, &mut || true)?.is_some());
    }
    Ok(packed)
}

fn read(disk: &SimDisk, from: u64) -> Vec<Entry> {
    let reader = JournalReader::new(Arc::new(disk.clone()), folder());
    reader.entries(from).unwrap().map(Result::unwrap).collect()
}

fn size(disk: &SimDisk, number: u64) -> usize {
    disk.open(&path(number)).unwrap().read_all().unwrap().len()
}

#[test]
fn a_packed_journal_holds_the_same_entries_and_chains_in_a_fraction_of_the_room() {
    let disk = SimDisk::new();
    let entries = written(&disk);
    let before: usize = (1..4).map(|number| size(&disk, number)).sum();
    assert!(pack_all(&disk).unwrap() > 3);
    let after: usize = (1..4).map(|number| size(&disk, number)).sum();
    assert!(after * 3 < before, "{before} bytes became {after}");
    assert_eq!(read(&disk, 1), entries);
    // A reader that begins in the middle knows every hash as well.
    for from in [2, 40, 90] {
        assert_eq!(read(&disk, from), entries[from as usize - 1..]);
    }
    let (mut journal, again) = open(&disk).unwrap();
    assert_eq!(again, entries);
    let _first = journal.append(9, vec![entry(1), entry(2)]).unwrap();
    drop(journal);
    assert_eq!(read(&disk, 1)[..entries.len()], entries);
    // The second time there is nothing to do but what has been closed since.
    let (journal, _) = open(&disk).unwrap();
    assert_eq!(pack_all(&disk).unwrap(), 2);
    assert_eq!(pack_all(&disk).unwrap(), 0);
    journal.close().unwrap();
}

#[test]
fn a_power_cut_at_any_moment_of_packing_loses_nothing() {
    for style in [CrashStyle::KeepAll, CrashStyle::LoseAll, CrashStyle::Tear] {
        let mut at = 0;
        loop {
            let disk = SimDisk::new();
            let entries = written(&disk);
            disk.fault_at(disk.operations() + at, SimFault::PowerOff);
            let packed = pack_all(&disk);
            disk.reboot(style, at);
            let (_, again) = open(&disk).unwrap();
            assert_eq!(again, entries, "off at operation {at}");
            if packed.is_ok() {
                break;
            }
            at += 1;
        }
        assert!(at > 10);
    }
}

#[test]
fn a_disk_that_fails_while_packing_leaves_what_was_there() {
    for at in 0..6 {
        let disk = SimDisk::new();
        let entries = written(&disk);
        disk.fault_at(disk.operations() + at, SimFault::Fail);
        assert!(pack_all(&disk).is_err());
        assert_eq!(read(&disk, 1), entries);
    }
}

#[test]
fn rot_in_a_packed_segment_stops_the_start_and_names_the_first_position_of_its_block() {
    let disk = SimDisk::new();
    let entries = written(&disk);
    pack_all(&disk).unwrap();
    disk.reboot(CrashStyle::KeepAll, 0);
    let first = read(&disk, 1)
        .iter()
        .position(|entry| entry.position == entries.len() as u64);
    assert_eq!(first, Some(entries.len() - 1));
    for number in 1..4 {
        let whole = disk.open(&path(number)).unwrap().read_all().unwrap();
        for at in (0..whole.len()).step_by(7) {
            disk.damage(&path(number), |bytes| bytes[at] ^= 0x10).unwrap();
            let mut seen = Vec::new();
            let survey = segment::survey(&disk, folder(), &mut |entry| seen.push(entry)).unwrap();
            let damage = survey.damage.expect("it is seen");
            assert_eq!(damage.first_missing, seen.len() as u64 + 1);
            assert_eq!(seen, entries[..seen.len()]);
            disk.damage(&path(number), |bytes| *bytes = whole.clone()).unwrap();
        }
        for len in (0..whole.len()).step_by(5) {
            disk.damage(&path(number), |bytes| bytes.truncate(len)).unwrap();
            assert!(open(&disk).is_err(), "cut to {len} bytes it was opened");
            disk.damage(&path(number), |bytes| *bytes = whole.clone()).unwrap();
        }
    }
}

#[test]
fn an_entry_changed_in_a_packed_segment_breaks_the_chain() {
    let disk = SimDisk::new();
    written(&disk);
    pack_all(&disk).unwrap();
    disk.reboot(CrashStyle::KeepAll, 0);
    disk.damage(&path(2), |bytes| {
        // An intruder who knows the format: checksum and compression are right.
        let header = frame::read(bytes, 0).unwrap();
        let at = header.end;
        let old = frame::read(bytes, at).unwrap();
        let mut block = proto::Block::decode(old.payload).unwrap();
        let plain = decompress_to_vec_with_limit(&block.content, block.content_bytes as usize).unwrap();
        let mut content = proto::BlockContent::decode(&*plain).unwrap();
        let entry = &mut content.groups[1].entries[0];
        let digit = entry.iter().rposition(u8::is_ascii_digit).unwrap();
        entry[digit] = if entry[digit] == b'1' { b'2' } else { b'1' };
        block.content = compress_to_vec(&content.encode_to_vec(), LEVEL);
        let (group, end) = (old.group, old.end);
        let mut forged = Vec::new();
        frame::write(&mut forged, FrameKind::Block, group, &block.encode_to_vec());
        bytes.splice(at..end, forged);
    })
    .unwrap();
    match open(&disk) {
        Err(JournalError::Damaged(damage)) => assert!(damage.what.contains("entries were changed"), "{damage}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was opened"),
    }
}

#[test]
fn a_block_that_would_fill_the_memory_is_refused() {
    let block = proto::Block {
        first_group: 1,
        first_position: 1,
        content_bytes: u32::MAX,
        content: compress_to_vec(&[0; 1000], LEVEL),
        hall_hash: vec![0; 32],
    };
    assert!(Block::read(&block.encode_to_vec()).is_err());
    let bomb = proto::Block {
        content_bytes: 10,
        content: compress_to_vec(&vec![0; 1 << 20], LEVEL),
        ..block
    };
    assert!(Block::read(&bomb.encode_to_vec()).is_err());
}
