//! A good journal, damaged: whatever was known to be durable is all there, or the journal refuses and names the first position
//! that is not. It is never silently shorter.
#![no_main]

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use flagfall::store::{
    self, Disk, Entry, EntryKind, FileJournal, Journal as _, JournalError, JournalOptions, Known, NewEntry, RealDisk,
    SessionMark, SimDisk,
};
use flagfall::time::HallTime;
use libfuzzer_sys::fuzz_target;
use uuid::Uuid;

const FOLDER: &str = "/hall/journal";

fn options() -> JournalOptions {
    JournalOptions {
        segment_bytes: 4 << 10,
        new_hall_id: Uuid::from_u128(7),
    }
}

fn open(disk: Arc<dyn Disk>, folder: &Path, known: Known, each: &mut dyn FnMut(Entry)) -> Result<FileJournal, JournalError> {
    let opened = FileJournal::open(disk, folder, options(), known, 0, each)?;
    Ok(opened.journal)
}

/// The files of a journal of some segments and two starts, one packed, and what was acknowledged.
static GOOD: LazyLock<(Vec<(PathBuf, Vec<u8>)>, Vec<Entry>, Known)> = LazyLock::new(|| {
    let data = std::env::temp_dir().join(format!("flagfall-fuzz-{}", std::process::id()));
    let folder = data.join("journal");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut known = Known::default();
    for start in 0..2_u128 {
        let mut journal = open(Arc::new(RealDisk), &folder, Known::default(), &mut |_| {}).expect("opens");
        for group in 0..12_u128 {
            let entries = (0..1 + group % 3).map(|nth| {
                let payload = format!("{{\"start\":{start},\"group\":{group},\"nth\":{nth}}}").repeat(3);
                let mark = SessionMark {
                    device: "clock-1".into(),
                    boot: 1,
                    seq: 7,
                };
                NewEntry::new(EntryKind::Table, HallTime(5), payload.into_bytes())
                    .at_table(nth as u32, Uuid::from_u128(nth))
                    .with_sessions(vec![mark])
            });
            let _first = journal.append(9, entries.collect()).expect("appends");
        }
        known = Known {
            position: journal.head().position,
            epoch: journal.epoch(),
            segment: journal.segment(),
        };
        if start == 0 {
            journal.close().expect("closes");
            let _gain = store::pack_closed(&data).expect("packs");
        }
    }
    let mut names: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("lists")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    names.sort();
    let files = names.iter().map(|path| {
        let name = path.file_name().expect("a name");
        (Path::new(FOLDER).join(name), std::fs::read(path).expect("reads"))
    });
    let files = files.collect();
    let mut entries = Vec::new();
    drop(open(Arc::new(RealDisk), &folder, known, &mut |entry| entries.push(entry)).expect("opens again"));
    std::fs::remove_dir_all(&data).expect("removes");
    (files, entries, known)
});

fuzz_target!(|bytes: &[u8]| {
    let (files, acknowledged, known) = &*GOOD;
    let mut files = files.clone();
    let mut rest = bytes;
    // Each damage: what, to which file, where, how much.
    while let Some((&[what, which, low, high, much], after)) = rest.split_first_chunk::<5>() {
        rest = after;
        let count = files.len();
        if count == 0 {
            break;
        }
        let which = usize::from(which) % count;
        let file = &mut files[which].1;
        let at = usize::from(low) | usize::from(high) << 8;
        let at = if file.is_empty() { 0 } else { at % file.len() };
        let end = (at + 1 + usize::from(much)).min(file.len());
        match what % 8 {
            0 if at < file.len() => file[at] ^= much,
            1 => file.truncate(at),
            2 => file[at..end].fill(0),
            3 => {
                let moved = file[at..end].to_vec();
                let to = usize::from(much).min(file.len());
                file.splice(to..to, moved);
            }
            4 => drop(file.drain(at..end)),
            5 => drop(files.remove(which)),
            6 => {
                // Another file's content under this name: a backup put back wrongly.
                let other = files[usize::from(much) % count].1.clone();
                files[which].1 = other;
            }
            _ => {
                let (fill, after) = rest.split_at((end - at).min(rest.len()));
                file[at..at + fill.len()].copy_from_slice(fill);
                rest = after;
            }
        }
    }
    let disk = Arc::new(SimDisk::new());
    disk.make_dir(Path::new(FOLDER)).expect("makes");
    for (path, bytes) in &files {
        let mut file = disk.create(path, bytes.len() as u64).expect("creates");
        file.write_at(0, bytes).and_then(|()| file.sync_data()).expect("writes");
    }
    let mut there = Vec::new();
    match open(disk, Path::new(FOLDER), *known, &mut |entry| there.push(entry)) {
        Ok(_) => assert_eq!(&there, acknowledged),
        Err(JournalError::Damaged(damage)) => {
            let good = damage.first_missing as usize - 1;
            assert!(good <= acknowledged.len() && there.len() >= good);
            assert_eq!(there[..good], acknowledged[..good]);
        }
        Err(JournalError::Newer { .. }) => {}
        Err(other) => panic!("{other}"),
    }
});
