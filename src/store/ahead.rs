//! Closed segments read and checked ahead of where a survey has come to, several at a time.
//!
//! A segment's header says where the hall's chain is before it, so that everything within can be checked without those before. What hangs
//! on these (that the chain is there indeed, and how each game goes on) is checked when the segment's turn comes. Only a segment that is
//! good by itself is taken so: any other is read again in its turn, and what is wrong is said as if nothing had been read ahead.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use super::disk::Disk;
use super::entry::Entry;
use super::record::{Chains, proto};
use super::segment::{self, SegmentPath};

/// No more threads than this: each holds what it has read until its turn comes.
const MOST_READERS: usize = 4;
/// Fewer segments are read as quickly one by one.
const FEW: usize = 3;

/// A closed segment, good by itself.
pub(super) struct Good {
    pub(super) header: proto::SegmentHeader,
    /// Up to the end of its last whole group, and with the frame that closes it.
    pub(super) used: usize,
    pub(super) end: usize,
    pub(super) chains: Chains,
    pub(super) entries: Vec<Entry>,
}

/// What is being read: each reader has every so manieth of the segments.
pub(super) struct Ahead {
    readers: Vec<Receiver<Option<Good>>>,
    segments: usize,
}

impl Ahead {
    /// The segment of this index, where it was read ahead and is good. They are asked for in order.
    pub(super) fn of(&self, at: usize) -> Option<Good> {
        let reader = (at < self.segments && !self.readers.is_empty()).then(|| &self.readers[at % self.readers.len()]);
        reader?.recv().ok()?
    }
}

/// Reads these segments while `work` goes through them.
pub(super) fn reading<T>(disk: &dyn Disk, folder: &Path, closed: &[u64], work: impl FnOnce(&Ahead) -> T) -> T {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let count = cores.min(MOST_READERS);
    if !disk.is_read_side_by_side() || closed.len() < FEW || count < 2 {
        return work(&Ahead {
            readers: Vec::new(),
            segments: 0,
        });
    }
    thread::scope(|scope| {
        let mut readers = Vec::new();
        for first in 0..count {
            // What has been read waits for its turn.
            let (sender, receiver) = mpsc::sync_channel(0);
            let numbers = closed.iter().skip(first).step_by(count);
            let read = move || read_all(disk, folder, numbers, &sender);
            // Without a thread its sender is gone, and its segments are read in their turn.
            let _started = thread::Builder::new()
                .name("journal-reader".into())
                .spawn_scoped(scope, read);
            readers.push(receiver);
        }
        let ahead = Ahead {
            readers,
            segments: closed.len(),
        };
        let done = work(&ahead);
        // Whoever still waits to hand something over ends.
        drop(ahead);
        done
    })
}

fn read_all<'a>(
    disk: &dyn Disk,
    folder: &Path,
    numbers: impl Iterator<Item = &'a u64>,
    sender: &SyncSender<Option<Good>>,
) {
    for &number in numbers {
        let path = SegmentPath::whole(folder, number);
        let read = disk.open(&path).and_then(|file| file.read_all());
        let good = read.ok().and_then(|bytes| good(&path, &bytes));
        if sender.send(good).is_err() {
            return;
        }
    }
}

/// What is in a closed segment, if all of it is good.
fn good(path: &Path, bytes: &[u8]) -> Option<Good> {
    let (header, at) = segment::read_header(path, bytes).ok()?.ok()?;
    let mut chains = Chains::ahead(&header).ok()?;
    let mut entries = Vec::new();
    let found = segment::scan(bytes, at, &mut chains, &mut |entry| {
        entries.push(entry);
        ControlFlow::Continue(())
    });
    (found.closed && found.broken.is_none()).then_some(Good {
        header,
        used: found.used,
        end: found.end,
        chains,
        entries,
    })
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;

    use uuid::Uuid;

    use super::*;
    use crate::store::disk::{DiskFile, SimDisk};
    use crate::store::entry::{EntryKind, NewEntry};
    use crate::store::journal::{FileJournal, Journal as _, JournalOptions, Known};
    use crate::store::{pack, record};
    use crate::time::HallTime;

    const FOLDER: &str = "/hall/journal";

    /// The same disk, read by several at once.
    #[derive(Clone)]
    struct SideBySide(SimDisk);

    impl Disk for SideBySide {
        fn is_read_side_by_side(&self) -> bool {
            true
        }
        fn make_dir(&self, folder: &Path) -> io::Result<()> {
            self.0.make_dir(folder)
        }
        fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
            self.0.list(folder)
        }
        fn create(&self, path: &Path, len: u64) -> io::Result<Box<dyn DiskFile>> {
            self.0.create(path, len)
        }
        fn open(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
            self.0.open(path)
        }
        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            self.0.rename(from, to)
        }
        fn remove(&self, path: &Path) -> io::Result<()> {
            self.0.remove(path)
        }
        fn sync_dir(&self, folder: &Path) -> io::Result<()> {
            self.0.sync_dir(folder)
        }
    }

    fn entry(n: u64) -> NewEntry {
        let payload = format!("{{\"n\":{n}}}").into_bytes();
        NewEntry::new(EntryKind::Table, HallTime(n as i64), payload).at_table(1, Uuid::from_u128(u128::from(n % 5)))
    }

    /// A journal of several segments, the first of them packed.
    fn journal() -> (SimDisk, Vec<u64>) {
        let (disk, folder) = (SimDisk::new(), Path::new(FOLDER));
        let options = JournalOptions {
            segment_bytes: 4096,
            new_hall_id: Uuid::from_u128(77),
        };
        let known = Known::default();
        let opened = FileJournal::open(Arc::new(disk.clone()), folder, options, known, 1, &mut |_| {}).expect("opened");
        let mut journal = opened.journal;
        for n in 0..120 {
            journal.append(1, vec![entry(n)]).expect("appended");
        }
        let numbers = segment::numbers(&disk, folder).expect("listed");
        for number in &numbers[..numbers.len() / 2] {
            pack::pack(&disk, folder, *number, &mut || true).expect("packed");
        }
        (disk, numbers)
    }

    /// What a survey says, word for word.
    fn survey(disk: &dyn Disk) -> (Vec<Entry>, String) {
        let mut entries = Vec::new();
        let survey = segment::survey(disk, Path::new(FOLDER), &mut |entry| entries.push(entry)).expect("read");
        let games = survey.chains.as_ref().map(|chains| {
            let mut games: Vec<_> = chains.games.iter().collect();
            games.sort_by_key(|(game, _)| **game);
            format!("{} {} {} {games:?}", chains.position, chains.group, chains.hall)
        });
        let said = format!(
            "{:?} {games:?} {} {:?} {:?}",
            survey.hall, survey.highest_epoch, survey.damage, survey.segments
        );
        (entries, said)
    }

    #[test]
    fn a_journal_that_is_read_ahead_says_what_one_says_that_is_read_in_order() {
        let (disk, numbers) = journal();
        assert!(numbers.len() > 4, "{numbers:?}");
        let (entries, said) = survey(&disk);
        assert_eq!(entries.len(), 120);
        assert_eq!(survey(&SideBySide(disk)), (entries, said));
    }

    #[test]
    fn what_is_damaged_is_named_the_same() {
        let (disk, numbers) = journal();
        for &number in &numbers {
            let path = SegmentPath::whole(Path::new(FOLDER), number);
            let len = disk.open(&path).expect("opened").len().expect("measured");
            for at in (5..len).step_by(97) {
                let mut file = disk.open(&path).expect("opened");
                let good = file.read(at, 1).expect("read");
                file.write_at(at, &[good[0] ^ 0x55]).expect("written");
                assert_eq!(
                    survey(&SideBySide(disk.clone())),
                    survey(&disk),
                    "byte {at} of segment {number}"
                );
                file.write_at(at, &good).expect("written");
            }
        }
        let path = |number| SegmentPath::whole(Path::new(FOLDER), number);
        disk.rename(&path(numbers[2]), &path(99)).expect("renamed");
        assert_eq!(survey(&SideBySide(disk.clone())), survey(&disk), "one is missing");
    }

    #[test]
    fn a_game_that_does_not_go_on_from_the_segments_before_is_not_taken() {
        let hall = Uuid::from_u128(1);
        let mut written = Chains::begin(hall);
        written.write(1, 0, &entry(0));
        let before = written.clone();
        let header = proto::SegmentHeader {
            first_position: before.position + 1,
            first_group: before.group + 1,
            previous_hash: before.hall.0.to_vec(),
            ..Default::default()
        };
        let mut ahead = Chains::ahead(&header).expect("a header");
        let read = record::decode(&written.write(1, 0, &entry(5))).expect("read");
        ahead.check(&read).expect("good by itself");
        assert!(before.clone().join(ahead.clone()));
        // The same hall, in which the game had another entry before.
        let mut other = Chains::begin(hall);
        other.write(1, 0, &entry(10));
        assert!(!other.join(ahead));
    }
}
