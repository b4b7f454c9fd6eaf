//! Packing: what a closed segment holds, in a ninth of the room.
//!
//! Only how it is kept changes. The entries are there byte for byte, and the chains over them; the hashes of each entry, which
//! follow from those before it, are left out. A segment is packed aside, read back and compared before it takes the place of
//! what it was made from, so that there is a whole one of that name at any time.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;
use std::{io, thread};

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;
use prost::Message as _;
use uuid::Uuid;

use super::disk::{Disk, RealDisk};
use super::entry::{ChainHash, Entry};
use super::error::{Damage, JournalError};
use super::frame::{self, FrameKind};
use super::lock::FolderLock;
use super::opening::journal_folder;
use super::record::{self, Chains, PACKED, proto};
use super::segment::{self, SegmentPath};

/// Entries of about so many bytes go into one block: damage costs no more than one, and larger ones gain little.
const BLOCK_BYTES: usize = 256 << 10;
/// No block is larger: a single commit may be, by itself.
const LARGEST_BLOCK: usize = 64 << 20;
/// Of 1 to 10; what comes after costs more time than it saves room.
const LEVEL: u8 = 6;

/// A block that has been read.
pub(super) struct Block {
    first_group: u64,
    first_position: u64,
    content: proto::BlockContent,
    hall: ChainHash,
}

impl Block {
    /// Reads the payload of a block's frame.
    pub(super) fn read(payload: &[u8]) -> Result<Block, String> {
        let cannot = |what: &dyn std::fmt::Display| format!("a block cannot be read: {what}");
        let block = proto::Block::decode(payload).map_err(|error| cannot(&error))?;
        let size = block.content_bytes as usize;
        if size > LARGEST_BLOCK {
            return Err(cannot(&format_args!("it says that it has {size} bytes")));
        }
        let content = decompress_to_vec_with_limit(&block.content, size).map_err(|error| cannot(&error))?;
        if content.len() != size {
            return Err(cannot(&format_args!(
                "it has {} bytes instead of {size}",
                content.len()
            )));
        }
        Ok(Block {
            first_group: block.first_group,
            first_position: block.first_position,
            content: proto::BlockContent::decode(&*content).map_err(|error| cannot(&error))?,
            hall: record::hash(&block.hall_hash).ok_or_else(|| cannot(&"it has no chain hash"))?,
        })
    }

    /// Its entries, as the next ones after these chains, which move on to its end. `known`: the chains are those of the whole
    /// journal, so that all that is kept of hashes can be checked.
    pub(super) fn entries(self, chains: &mut Chains, known: bool) -> Result<Vec<Entry>, String> {
        let (first, position) = (self.first_group, self.first_position);
        if first != chains.group + 1 || position != chains.position + 1 {
            return Err(format!(
                "a block of group {first} from position {position} on stands where it cannot be"
            ));
        }
        let mut games = HashMap::new();
        for game in self.content.games {
            let id = Uuid::from_slice(&game.game).map_err(|_| "a block has no proper game id")?;
            let hash = record::hash(&game.hash).ok_or("a block has no proper game hash")?;
            games.insert(id, hash);
        }
        let mut entries = Vec::new();
        for group in self.content.groups {
            if group.entries.is_empty() {
                return Err("a block has a group of no entries".into());
            }
            for encoded in group.entries {
                entries.push(chains.take(&encoded, &mut games, known)?);
            }
            chains.group += 1;
        }
        if chains.hall != self.hall {
            return Err(format!(
                "the block from position {position} on is not the one that was closed: entries were changed"
            ));
        }
        Ok(entries)
    }
}

/// What packing gained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gain {
    pub(super) before: usize,
    pub(super) after: usize,
}

/// Packs a closed segment, unless it has been. `go_on` is asked between blocks; nothing has happened if it says no.
pub(super) fn pack(
    disk: &dyn Disk,
    folder: &Path,
    number: u64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Gain>, JournalError> {
    let path = SegmentPath::whole(folder, number);
    let file = disk.open(&path).map_err(JournalError::io("opening", &path))?;
    let bytes = file.read_all().map_err(JournalError::io("reading", &path))?;
    let damaged = |what: String| {
        JournalError::Damaged(Damage {
            first_missing: 0,
            file: path.clone(),
            what,
        })
    };
    let (header, at) = segment::read_header(&path, &bytes)?.map_err(damaged)?;
    if header.format >= PACKED {
        return Ok(None);
    }
    let Some(packed) = packed(&bytes, at, &header, go_on).map_err(damaged)? else {
        return Ok(None);
    };
    let unfinished = SegmentPath::unfinished(folder, number);
    segment::remove_if_there(disk, &unfinished)?;
    segment::write_new(disk, &unfinished, &packed)?;
    disk.rename(&unfinished, &path)
        .map_err(JournalError::io("renaming", &unfinished))?;
    disk.sync_dir(folder)
        .map_err(JournalError::io("syncing the folder", folder))?;
    Ok(Some(Gain {
        before: bytes.len(),
        after: packed.len(),
    }))
}

fn packed(
    bytes: &[u8],
    mut at: usize,
    header: &proto::SegmentHeader,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Vec<u8>>, String> {
    let packed_header = proto::SegmentHeader {
        format: PACKED,
        ..header.clone()
    };
    let mut out = Vec::new();
    let before = header.first_group.saturating_sub(1);
    frame::write(
        &mut out,
        FrameKind::SegmentHeader,
        before,
        &packed_header.encode_to_vec(),
    );
    let begun = out.len();
    let mut packer = Packer::new(header);
    let mut plain = Vec::new();
    let mut group = Vec::new();
    loop {
        let frame = frame::read(bytes, at).ok_or_else(|| format!("it has no whole record at byte {at}, and no end"))?;
        at = frame.end;
        match frame.kind {
            FrameKind::Entry => group.push(record::decode(frame.payload)?),
            FrameKind::GroupEnd => {
                let read = group
                    .drain(..)
                    .inspect(|read: &record::ReadEntry| plain.push(read.entry.clone()));
                packer.group(read);
                if packer.bytes >= BLOCK_BYTES {
                    packer.write(&mut out);
                    if !go_on() {
                        return Ok(None);
                    }
                }
            }
            FrameKind::SegmentEnd => {
                packer.write(&mut out);
                frame::write(&mut out, FrameKind::SegmentEnd, frame.group, frame.payload);
                break;
            }
            FrameKind::SegmentHeader | FrameKind::Block => return Err("it holds what it cannot hold".into()),
        }
    }
    // Only what reads back as it was may take its place.
    let mut chains = Chains::before(header)?;
    let mut same = plain.into_iter();
    let mut at = begun;
    while let Some(frame) = frame::read(&out, at).filter(|frame| frame.kind == FrameKind::Block) {
        at = frame.end;
        for entry in Block::read(frame.payload)?.entries(&mut chains, false)? {
            if same.next().as_ref() != Some(&entry) {
                return Err(format!("entry {} does not read back as it was", entry.position));
            }
        }
        if !go_on() {
            return Ok(None);
        }
    }
    match same.next() {
        None => Ok(Some(out)),
        Some(missing) => Err(format!("entry {} does not read back", missing.position)),
    }
}

/// Packs every segment of a hub that is stopped but the last, and says how many bytes they took before and after.
pub fn pack_closed(data: &Path) -> Result<(usize, usize), JournalError> {
    let _lock = FolderLock::take(data)?;
    let folder = journal_folder(data);
    let (mut before, mut after) = (0, 0);
    let numbers = segment::numbers(&RealDisk, &folder)?;
    for &number in numbers.split_last().map_or(&[][..], |(_last, closed)| closed) {
        if let Some(gain) = pack(&RealDisk, &folder, number, &mut || true)? {
            before += gain.before;
            after += gain.after;
        }
    }
    Ok((before, after))
}

/// Puts groups together into blocks.
struct Packer {
    next_group: u64,
    next_position: u64,
    content: proto::BlockContent,
    bytes: usize,
    hall: Option<ChainHash>,
    /// Games that the segment has had an entry of.
    games: HashSet<Uuid>,
}

impl Packer {
    fn new(header: &proto::SegmentHeader) -> Packer {
        Packer {
            next_group: header.first_group,
            next_position: header.first_position,
            content: proto::BlockContent::default(),
            bytes: 0,
            hall: None,
            games: HashSet::new(),
        }
    }

    fn group(&mut self, read: impl Iterator<Item = record::ReadEntry>) {
        let mut entries = Vec::new();
        for read in read {
            self.bytes += read.encoded.len();
            self.hall = Some(read.entry.hall_hash);
            if let Some((game, hash)) = read.entry.content.game.zip(read.entry.game_hash)
                && self.games.insert(game)
            {
                self.content.games.push(proto::GameHash {
                    game: game.as_bytes().to_vec(),
                    hash: hash.0.to_vec(),
                });
            }
            entries.push(read.encoded);
        }
        self.content.groups.push(proto::PackedGroup { entries });
    }

    /// Writes what has come together, if anything has.
    fn write(&mut self, out: &mut Vec<u8>) {
        let Some(hall) = self.hall.take() else {
            return;
        };
        let content = std::mem::take(&mut self.content);
        let plain = content.encode_to_vec();
        let block = proto::Block {
            first_group: self.next_group,
            first_position: self.next_position,
            // A group is far smaller than u32 can say; the committer refuses a larger one.
            content_bytes: plain.len() as u32,
            content: compress_to_vec(&plain, LEVEL),
            hall_hash: hall.0.to_vec(),
        };
        frame::write(out, FrameKind::Block, self.next_group, &block.encode_to_vec());
        self.bytes = 0;
        self.next_group += content.groups.len() as u64;
        self.next_position += content
            .groups
            .iter()
            .map(|group| group.entries.len() as u64)
            .sum::<u64>();
    }
}

/// Packs what is closed, behind the running hub's back.
pub(super) struct PackerThread {
    thread: JoinHandle<()>,
    stop: mpsc::Sender<()>,
}

/// Between blocks, so that the hall has the machine.
const BREATH: Duration = Duration::from_millis(10);

impl PackerThread {
    /// Looks so often whether there is something to pack.
    pub(super) fn start(disk: Arc<dyn Disk>, folder: &Path, every: Duration) -> io::Result<PackerThread> {
        let folder = folder.to_owned();
        let (stop, stopped) = mpsc::channel();
        let thread = thread::Builder::new().name("journal-packer".into()).spawn(move || {
            // Packed, or not to be packed: nothing is tried twice.
            let mut done = 0;
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                match pack_after(&*disk, &folder, &mut done, &stopped) {
                    Ok(()) => {}
                    // The hub goes on; what is not packed is as good, and larger.
                    Err(error) => tracing::warn!(%error, "A segment of the journal was not packed."),
                }
            }
        })?;
        Ok(PackerThread { thread, stop })
    }

    /// Ends it; what it has not finished it leaves as it was.
    pub(super) fn stop(self) {
        drop(self.stop);
        if self.thread.join().is_err() {
            tracing::error!("The thread that packs the journal panicked.");
        }
    }
}

/// Packs the segments after `done` but the last, which is being written.
fn pack_after(
    disk: &dyn Disk,
    folder: &Path,
    done: &mut u64,
    stopped: &mpsc::Receiver<()>,
) -> Result<(), JournalError> {
    let numbers = segment::numbers(disk, folder)?;
    let Some((_last, closed)) = numbers.split_last() else {
        return Ok(());
    };
    let after = *done;
    for number in closed.iter().copied().filter(|number| *number > after) {
        let mut go_on = || stopped.recv_timeout(BREATH) == Err(RecvTimeoutError::Timeout);
        if !go_on() {
            return Ok(());
        }
        *done = number;
        if let Some(gain) = pack(disk, folder, number, &mut go_on)? {
            tracing::debug!(number, gain.before, gain.after, "A segment of the journal was packed.");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
