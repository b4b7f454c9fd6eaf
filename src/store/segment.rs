//! Segment files: their names, and what is found in them.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use prost::Message as _;
use uuid::Uuid;

use super::ahead::{self, Ahead, Good};
use super::disk::Disk;
use super::entry::Entry;
use super::error::{Damage, JournalError};
use super::frame::{self, Frame, FrameKind};
use super::journal::Head;
use super::pack::Block;
use super::record::{self, Chains, PACKED, proto};

/// More than a header's frame takes.
pub(super) const HEADER_ROOM: usize = 256;
/// Where what was cut off or given up is kept.
pub(super) const ASIDE: &str = "aside";

/// The names of segment files.
pub(super) struct SegmentPath;

impl SegmentPath {
    pub(super) fn whole(folder: &Path, number: u64) -> PathBuf {
        folder.join(format!("{number:08}.journal"))
    }

    /// While it is being made; nothing in it counts.
    pub(super) fn unfinished(folder: &Path, number: u64) -> PathBuf {
        folder.join(format!("{number:08}.new"))
    }

    fn number(name: &str) -> Option<u64> {
        name.strip_suffix(".journal")?.parse().ok()
    }
}

/// The number in the name of a segment's file.
pub(super) fn number_of(path: &Path) -> Option<u64> {
    SegmentPath::number(path.file_name()?.to_str()?)
}

/// The numbers of the segments in a folder, in order.
pub(super) fn numbers(disk: &dyn Disk, folder: &Path) -> Result<Vec<u64>, JournalError> {
    let names = disk.list(folder).map_err(JournalError::io("listing", folder))?;
    let mut numbers: Vec<u64> = names.iter().filter_map(|name| SegmentPath::number(name)).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// Removes what a crash has left half made.
pub(super) fn remove_unfinished(disk: &dyn Disk, folder: &Path) -> Result<(), JournalError> {
    for name in disk.list(folder).map_err(JournalError::io("listing", folder))? {
        if name.ends_with(".new") {
            let path = folder.join(name);
            disk.remove(&path).map_err(JournalError::io("removing", &path))?;
        }
    }
    Ok(())
}

pub(super) fn remove_if_there(disk: &dyn Disk, path: &Path) -> Result<(), JournalError> {
    match disk.remove(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(JournalError::io("removing", path)(error)),
        _ => Ok(()),
    }
}

/// A segment found.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) number: u64,
    pub(super) path: PathBuf,
    /// Bytes up to the end of its last whole group.
    pub(super) used: usize,
    /// The same, with the frame that closes it, if one does.
    pub(super) end: usize,
    pub(super) closed: bool,
    pub(super) packed: bool,
    /// The chain where it ends: its last position, and the hall's hash there.
    pub(super) head: Head,
    /// What follows the last whole group, where there should be nothing.
    pub(super) torn: Option<Vec<u8>>,
}

/// Everything found in a journal's folder.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The hall's id, and when its journal was begun.
    pub(super) hall: Option<(Uuid, i64)>,
    /// The segments that are whole. After damage, the last is the damaged one if it is good up to there.
    pub(super) segments: Vec<Segment>,
    /// The chains at the end of what is good.
    pub(super) chains: Option<Chains>,
    pub(super) highest_epoch: u64,
    /// What is wrong, if anything is: nothing from there on has been looked at but the epochs.
    pub(super) damage: Option<Damage>,
}

/// Reads and checks everything, and shows every good entry.
pub(super) fn survey(disk: &dyn Disk, folder: &Path, each: &mut dyn FnMut(Entry)) -> Result<Survey, JournalError> {
    let numbers = numbers(disk, folder)?;
    let closed = numbers.split_last().map_or(&[][..], |(_last, closed)| closed);
    ahead::reading(disk, folder, closed, |ahead| {
        survey_of(disk, folder, &numbers, ahead, each)
    })
}

fn survey_of(
    disk: &dyn Disk,
    folder: &Path,
    numbers: &[u64],
    ahead: &Ahead,
    each: &mut dyn FnMut(Entry),
) -> Result<Survey, JournalError> {
    let mut survey = Survey::default();
    let last = numbers.last().copied();
    for (at, &number) in numbers.iter().enumerate() {
        let path = SegmentPath::whole(folder, number);
        if survey.damage.is_some() {
            // Only for its epoch, which must never be taken again.
            let file = disk.open(&path).map_err(JournalError::io("opening", &path))?;
            let start = file.read(0, HEADER_ROOM).map_err(JournalError::io("reading", &path))?;
            if let Ok((header, _)) = read_header(&path, &start)? {
                survey.highest_epoch = survey.highest_epoch.max(header.epoch);
            }
            continue;
        }
        let expected = at as u64 + 1;
        if number != expected {
            survey.damage = Some(survey.damaged(SegmentPath::whole(folder, expected), "the file is missing"));
            continue;
        }
        let good = ahead.of(at);
        if good.is_some_and(|good| survey.goes_on(number, &path, good, each)) {
            continue;
        }
        let file = disk.open(&path).map_err(JournalError::io("opening", &path))?;
        let bytes = file.read_all().map_err(JournalError::io("reading", &path))?;
        survey.segment(number, path, &bytes, Some(number) == last, each)?;
    }
    Ok(survey)
}

impl Survey {
    fn damaged(&self, file: PathBuf, what: impl Into<String>) -> Damage {
        let first_missing = self.chains.as_ref().map_or(0, |chains| chains.position) + 1;
        Damage {
            first_missing,
            file,
            what: what.into(),
        }
    }

    fn segment(
        &mut self,
        number: u64,
        path: PathBuf,
        bytes: &[u8],
        last: bool,
        each: &mut dyn FnMut(Entry),
    ) -> Result<(), JournalError> {
        let (header, at) = match read_header(&path, bytes)? {
            Ok(read) => read,
            Err(what) => {
                self.damage = Some(self.damaged(path, what));
                return Ok(());
            }
        };
        self.highest_epoch = self.highest_epoch.max(header.epoch);
        if let Err(what) = self.follows(number, &header) {
            self.damage = Some(self.damaged(path, what));
            return Ok(());
        }
        let hall_id = Uuid::from_slice(&header.hall_id).unwrap_or_default();
        let mut chains = self.chains.take().unwrap_or_else(|| Chains::begin(hall_id));
        let found = scan(bytes, at, &mut chains, &mut |entry| {
            each(entry);
            ControlFlow::Continue(())
        });
        let segment = Segment {
            number,
            path: path.clone(),
            used: found.used,
            end: found.end,
            closed: found.closed,
            packed: header.format >= PACKED,
            head: Head {
                position: chains.position,
                hash: chains.hall,
            },
            torn: None,
        };
        let next_group = chains.group + 1;
        self.chains = Some(chains);
        self.hall = Some((hall_id, header.begun_wall_ms));
        self.segments.push(segment);
        let wrong = match found {
            Found { broken: Some(what), .. } => Some(what),
            Found { closed: true, .. } => None,
            _ => self.unclosed(bytes, found.used, &header, last, next_group),
        };
        self.damage = wrong.map(|what| self.damaged(path, what));
        Ok(())
    }

    /// Takes a closed segment that was read ahead and found good by itself. False, and nothing is changed, where it does not go on from
    /// those before it.
    fn goes_on(&mut self, number: u64, path: &Path, good: Good, each: &mut dyn FnMut(Entry)) -> bool {
        let Ok(hall_id) = Uuid::from_slice(&good.header.hall_id) else {
            return false;
        };
        if self.follows(number, &good.header).is_err() {
            return false;
        }
        let mut chains = self.chains.take();
        let joined = chains.get_or_insert_with(|| Chains::begin(hall_id)).join(good.chains);
        self.chains = chains.filter(|_| joined || self.hall.is_some());
        let Some(chains) = self.chains.as_ref().filter(|_| joined) else {
            return false;
        };
        self.segments.push(Segment {
            number,
            path: path.to_owned(),
            used: good.used,
            end: good.end,
            closed: true,
            packed: good.header.format >= PACKED,
            head: Head {
                position: chains.position,
                hash: chains.hall,
            },
            torn: None,
        });
        self.highest_epoch = self.highest_epoch.max(good.header.epoch);
        self.hall = Some((hall_id, good.header.begun_wall_ms));
        good.entries.into_iter().for_each(each);
        true
    }

    /// Whether a segment goes on where the one before it ended.
    fn follows(&self, number: u64, header: &proto::SegmentHeader) -> Result<(), String> {
        if header.number != number {
            return Err(format!("the file says that it is segment {}", header.number));
        }
        let Ok(hall_id) = Uuid::from_slice(&header.hall_id) else {
            return Err("it names no hall".into());
        };
        let begin = Chains::begin(hall_id);
        let before = self.chains.as_ref().unwrap_or(&begin);
        if self.hall.is_some_and(|(hall, _)| hall != hall_id) {
            return Err("it belongs to another hall".into());
        }
        if header.first_position != before.position + 1 || header.first_group != before.group + 1 {
            let (begins, ends) = (header.first_position, before.position);
            return Err(format!(
                "it begins at position {begins}, but the segment before it ends at {ends}"
            ));
        }
        if record::hash(&header.previous_hash) != Some(before.hall) {
            return Err("its chain does not go on from the segment before it: entries were changed".into());
        }
        Ok(())
    }

    /// What is wrong with a segment that was not closed; a torn last group is not.
    fn unclosed(
        &mut self,
        bytes: &[u8],
        used: usize,
        header: &proto::SegmentHeader,
        last: bool,
        next_group: u64,
    ) -> Option<String> {
        // A closed file with a bad record in it looks like one that was cut off: what stands behind tells them apart.
        if let Some((at, later)) = find_later(bytes, used, next_group) {
            let group = later.group;
            return Some(format!(
                "a bad record at byte {used} stands before a good one at byte {at} (group {group})"
            ));
        }
        if header.format >= PACKED {
            return Some(format!("it has no whole record at byte {used}, and no end"));
        }
        let made = header.made_bytes;
        if (bytes.len() as u64) < made {
            return Some(format!(
                "the file was made with {made} bytes and has only {}",
                bytes.len()
            ));
        }
        if !last {
            return Some("it was never closed, but another segment follows".into());
        }
        let rest = frame::without_zeros(&bytes[used..]);
        if !rest.is_empty()
            && let Some(segment) = self.segments.last_mut()
        {
            segment.torn = Some(rest.to_vec());
        }
        None
    }
}

/// A good frame after a place where none is: one that cannot be of the group that was being written.
fn find_later(bytes: &[u8], mut at: usize, next_group: u64) -> Option<(usize, Frame<'_>)> {
    while let Some((found, frame)) = frame::find(bytes, at) {
        if frame.group != next_group {
            return Some((found, frame));
        }
        at = frame.end;
    }
    None
}

/// The header at the beginning of a segment, and where it ends; or what is wrong with it.
pub(super) fn read_header(
    path: &Path,
    bytes: &[u8],
) -> Result<Result<(proto::SegmentHeader, usize), String>, JournalError> {
    let bad = || Ok(Err("the header at its beginning is damaged".to_owned()));
    let Some(frame) = frame::read(bytes, 0).filter(|frame| frame.kind == FrameKind::SegmentHeader) else {
        return bad();
    };
    let Ok(header) = proto::SegmentHeader::decode(frame.payload) else {
        return bad();
    };
    if header.format > PACKED {
        return Err(JournalError::Newer {
            file: path.to_owned(),
            found: header.format,
            known: PACKED,
        });
    }
    Ok(Ok((header, frame.end)))
}

/// What a scan found.
#[derive(Debug)]
pub(super) struct Found {
    /// Up to where its groups are good, and with the frame that closes it.
    pub(super) used: usize,
    pub(super) end: usize,
    pub(super) closed: bool,
    /// A frame that is whole, but cannot have been written so.
    pub(super) broken: Option<String>,
}

/// Reads whole groups and shows their entries, until one is not whole or the segment ends; checks them against the chains and
/// moves these on.
pub(super) fn scan(
    bytes: &[u8],
    start: usize,
    chains: &mut Chains,
    each: &mut dyn FnMut(Entry) -> ControlFlow<()>,
) -> Found {
    let mut found = Found {
        used: start,
        end: start,
        closed: false,
        broken: None,
    };
    let mut group = Vec::new();
    let mut at = start;
    while let Some(frame) = frame::read(bytes, at) {
        if frame.group != chains.group + 1 {
            found.broken = Some(format!(
                "a record of group {} stands at byte {at}, where it cannot be",
                frame.group
            ));
            break;
        }
        at = frame.end;
        match frame.kind {
            FrameKind::Entry => group.push(frame.payload),
            FrameKind::GroupEnd => {
                let read = check_group(&group, frame.payload, chains);
                let entries = match read {
                    Ok(entries) => entries,
                    Err(what) => {
                        found.broken = Some(what);
                        break;
                    }
                };
                group.clear();
                (found.used, found.end) = (at, at);
                for entry in entries {
                    if each(entry).is_break() {
                        return found;
                    }
                }
            }
            FrameKind::SegmentEnd => {
                let end = proto::SegmentEnd::decode(frame.payload).unwrap_or_default();
                let fits = end.last_position == chains.position && record::hash(&end.hall_hash) == Some(chains.hall);
                if fits && group.is_empty() {
                    found.end = at;
                    found.closed = true;
                } else {
                    found.broken = Some(format!("its end says that it ends at position {}", end.last_position));
                }
                break;
            }
            FrameKind::Block => {
                let entries = match check_block(&group, frame.payload, chains) {
                    Ok(entries) => entries,
                    Err(what) => {
                        found.broken = Some(what);
                        break;
                    }
                };
                (found.used, found.end) = (at, at);
                for entry in entries {
                    if each(entry).is_break() {
                        return found;
                    }
                }
            }
            FrameKind::SegmentHeader => {
                found.broken = Some("a second header stands in it".into());
                break;
            }
        }
    }
    found
}

/// Checks a whole group; the chains only move if all of it is good.
fn check_group(payloads: &[&[u8]], end: &[u8], chains: &mut Chains) -> Result<Vec<Entry>, String> {
    let end = proto::GroupEnd::decode(end).map_err(|error| format!("the end of a group cannot be read: {error}"))?;
    let read = payloads
        .iter()
        .map(|payload| record::decode(payload))
        .collect::<Result<Vec<_>, _>>()?;
    let before = chains.mark_games(read.iter().filter_map(|read| read.entry.content.game));
    let first = chains.position + 1;
    let checked = read.iter().try_for_each(|entry| chains.check(entry)).and_then(|()| {
        let fits = end.first_position == first
            && end.last_position == chains.position
            && record::hash(&end.hall_hash) == Some(chains.hall);
        if fits {
            Ok(())
        } else {
            Err(format!(
                "the group from position {first} is not the one that was closed"
            ))
        }
    });
    if let Err(what) = checked {
        chains.swap(before);
        return Err(what);
    }
    chains.group += 1;
    Ok(read.into_iter().map(|read| read.entry).collect())
}

/// Checks a block of groups; the chains only move if all of it is good.
fn check_block(open: &[&[u8]], payload: &[u8], chains: &mut Chains) -> Result<Vec<Entry>, String> {
    if !open.is_empty() {
        return Err("a block stands within a group".into());
    }
    let block = Block::read(payload)?;
    if chains.is_ahead() {
        // Nobody goes on from these chains if it is not good.
        return block.entries(chains, true);
    }
    let mut after = chains.clone();
    let entries = block.entries(&mut after, true)?;
    *chains = after;
    Ok(entries)
}

/// Keeps bytes that were cut off.
pub(super) fn keep_aside(disk: &dyn Disk, aside: &Path, number: u64, torn: &[u8]) -> Result<PathBuf, JournalError> {
    disk.make_dir(aside)
        .map_err(JournalError::io("making the folder", aside))?;
    let path = free_name(disk, aside, &format!("{number:08}.torn"))?;
    write_new(disk, &path, torn)?;
    disk.sync_dir(aside)
        .map_err(JournalError::io("syncing the folder", aside))?;
    Ok(path)
}

/// Makes a file with this content, and syncs it.
pub(super) fn write_new(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> Result<(), JournalError> {
    let mut file = disk
        .create(path, bytes.len() as u64)
        .map_err(JournalError::io("making", path))?;
    file.write_at(0, bytes).map_err(JournalError::io("writing", path))?;
    file.sync_data().map_err(JournalError::io("syncing", path))
}

/// This name, or the first numbered one that is free.
pub(super) fn free_name(disk: &dyn Disk, folder: &Path, name: &str) -> Result<PathBuf, JournalError> {
    let taken = disk.list(folder).map_err(JournalError::io("listing", folder))?;
    let numbered = (2..).map(|number| format!("{name}.{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    Ok(folder.join(names.find(|name| !taken.contains(name)).unwrap_or_default()))
}

/// Puts a closed copy of a segment's whole groups in its place.
pub(super) fn replace_closed(
    disk: &dyn Disk,
    folder: &Path,
    segment: &Segment,
    end: &[u8],
) -> Result<(), JournalError> {
    let unfinished = SegmentPath::unfinished(folder, segment.number);
    let old = disk
        .open(&segment.path)
        .map_err(JournalError::io("opening", &segment.path))?;
    let mut bytes = old
        .read(0, segment.used)
        .map_err(JournalError::io("reading", &segment.path))?;
    bytes.extend_from_slice(end);
    remove_if_there(disk, &unfinished)?;
    write_new(disk, &unfinished, &bytes)?;
    disk.rename(&unfinished, &segment.path)
        .map_err(JournalError::io("renaming", &unfinished))?;
    disk.sync_dir(folder)
        .map_err(JournalError::io("syncing the folder", folder))
}
