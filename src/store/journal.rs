//! The journal in files: segments, in which groups of entries are made durable.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use uuid::Uuid;

use super::disk::{Disk, DiskFile};
use super::entry::{ChainHash, Entry, EntryKind, NewEntry};
use super::error::{Damage, JournalError};
use super::frame::{self, FrameKind};
use super::record::{Chains, FORMAT, proto};
use super::segment::{self, SegmentPath, Survey};
use crate::mutation::{self, Mutation};
use crate::time::HallTime;
use prost::Message as _;

/// What a segment is made with, unless a single group needs more.
const SEGMENT_BYTES: u64 = 16 << 20;
/// Room kept for the frame that closes a segment.
const END_ROOM: usize = 128;

/// The end of the journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// The last position; 0 before the first entry.
    pub position: u64,
    /// The hall's chain hash there.
    pub hash: ChainHash,
}

/// Where entries become durable. Narrow, so that a replicated engine can stand here.
pub trait Journal: Send {
    /// This start of the hub: higher than that of every start before.
    fn epoch(&self) -> u64;
    /// The last durable entry.
    fn head(&self) -> Head;
    /// Makes sure that there is room for entries of at most so many bytes, where it can; an error is none of the journal's end, and
    /// may be followed by another attempt.
    fn make_room(&mut self, _wall_ms: i64, _bytes: usize) -> Result<(), JournalError> {
        Ok(())
    }
    /// Makes all of these durable, or none, and gives the position of the first. `wall_ms` is Unix time, for the record.
    fn append(&mut self, wall_ms: i64, entries: Vec<NewEntry>) -> Result<u64, JournalError>;
    /// Ends it properly.
    fn close(self) -> Result<(), JournalError>
    where
        Self: Sized;
}

/// How the journal is written.
#[derive(Clone, Debug)]
pub struct JournalOptions {
    /// Size of a segment file.
    pub segment_bytes: u64,
    /// The id of the hall, if its journal is begun now.
    pub new_hall_id: Uuid,
}

impl Default for JournalOptions {
    fn default() -> Self {
        JournalOptions {
            segment_bytes: SEGMENT_BYTES,
            new_hall_id: Uuid::new_v4(),
        }
    }
}

/// What is known of the journal from elsewhere; it must not have less.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Known {
    /// A position that was durable.
    pub position: u64,
    /// An epoch that was taken.
    pub epoch: u64,
    /// A segment that was begun.
    pub segment: u64,
}

/// The journal in segment files of a folder.
pub struct FileJournal {
    disk: Arc<dyn Disk>,
    folder: PathBuf,
    options: JournalOptions,
    hall_id: Uuid,
    begun_wall_ms: i64,
    epoch: u64,
    chains: Chains,
    current: Current,
    /// Why nothing more is taken.
    poisoned: Option<String>,
}

/// The segment that is written.
struct Current {
    number: u64,
    path: PathBuf,
    file: Box<dyn DiskFile>,
    made: u64,
    at: usize,
}

/// A journal that has been opened.
pub struct OpenedJournal {
    /// The journal, with a fresh epoch.
    pub journal: FileJournal,
    /// The hall's id.
    pub hall_id: Uuid,
    /// When the hall's journal was begun: Unix time in ms.
    pub begun_wall_ms: i64,
    /// The last position of earlier starts.
    pub end: u64,
    /// What was found and mended, for the log. The journal has them too.
    pub notes: Vec<String>,
}

impl FileJournal {
    /// Opens the journal in this folder, or begins one. Every entry is read and checked, and shown to `each`. A torn last group
    /// is cut off with a note; anything else that is not as it was written is an error. The caller has locked the folder.
    pub fn open(
        disk: Arc<dyn Disk>,
        folder: &Path,
        options: JournalOptions,
        known: Known,
        wall_ms: i64,
        each: &mut dyn FnMut(Entry),
    ) -> Result<OpenedJournal, JournalError> {
        disk.make_dir(folder)
            .map_err(JournalError::io("making the folder", folder))?;
        segment::remove_unfinished(&*disk, folder)?;
        let survey = segment::survey(&*disk, folder, each)?;
        if let Some(damage) = survey.damage {
            return Err(JournalError::Damaged(damage));
        }
        if let Some(damage) = ends_early(&survey, folder, known) {
            return Err(JournalError::Damaged(damage));
        }
        let notes = close_last(&*disk, folder, &survey)?;
        Self::begin(disk, folder, options, survey, known.epoch, wall_ms, notes)
    }

    /// Starts a new segment and epoch after everything surveyed, whose last segment is closed.
    pub(super) fn begin(
        disk: Arc<dyn Disk>,
        folder: &Path,
        options: JournalOptions,
        survey: Survey,
        known_epoch: u64,
        wall_ms: i64,
        notes: Vec<String>,
    ) -> Result<OpenedJournal, JournalError> {
        let (hall_id, begun_wall_ms) = survey.hall.unwrap_or((options.new_hall_id, wall_ms));
        let chains = survey.chains.unwrap_or_else(|| Chains::begin(hall_id));
        let epoch = survey.highest_epoch.max(known_epoch) + u64::from(!mutation::on(Mutation::SameEpoch));
        let number = survey.segments.last().map_or(1, |last| last.number + 1);
        let end = chains.position;
        let made = options.segment_bytes;
        let file = prepare(&*disk, folder, number, made)?;
        let header = Header {
            hall_id,
            begun_wall_ms,
            number,
            epoch,
            made,
            wall_ms,
        };
        let current = finish(&*disk, folder, file, &header, &chains)?;
        let mut journal = FileJournal {
            disk,
            folder: folder.to_owned(),
            options,
            hall_id,
            begun_wall_ms,
            epoch,
            chains,
            current,
            poisoned: None,
        };
        if !notes.is_empty() {
            let entries = notes.iter().map(|note| note_entry(note)).collect();
            journal.append(wall_ms, entries)?;
        }
        Ok(OpenedJournal {
            journal,
            hall_id,
            begun_wall_ms,
            end,
            notes,
        })
    }

    /// The number of the segment being written.
    pub fn segment(&self) -> u64 {
        self.current.number
    }

    fn rotate(&mut self, wall_ms: i64, group: usize) -> Result<(), JournalError> {
        let number = self.current.number + 1;
        let made = self
            .options
            .segment_bytes
            .max((group + 2 * segment::HEADER_ROOM + END_ROOM) as u64);
        // Room first: when there is none, nothing has been changed and the next attempt may find some.
        let file = prepare(&*self.disk, &self.folder, number, made)?;
        let rotated = self.end_current().and_then(|()| {
            let header = Header {
                hall_id: self.hall_id,
                begun_wall_ms: self.begun_wall_ms,
                number,
                epoch: self.epoch,
                made,
                wall_ms,
            };
            finish(&*self.disk, &self.folder, file, &header, &self.chains)
        });
        match rotated {
            Ok(current) => {
                self.current = current;
                Ok(())
            }
            Err(error) => Err(self.poison(error)),
        }
    }

    fn end_current(&mut self) -> Result<(), JournalError> {
        let end = segment_end(&self.chains);
        let current = &mut self.current;
        current
            .file
            .write_at(current.at as u64, &end)
            .map_err(JournalError::io("writing", &current.path))?;
        current
            .file
            .sync_data()
            .map_err(JournalError::io("syncing", &current.path))?;
        current.at += end.len();
        // Closed, it may be shorter. Nothing depends on whether this lasts.
        current
            .file
            .cut(current.at as u64)
            .map_err(JournalError::io("shortening", &current.path))
    }

    fn poison(&mut self, error: JournalError) -> JournalError {
        tracing::error!(%error, "The journal takes nothing more.");
        self.poisoned = Some(error.to_string());
        error
    }
}

impl Journal for FileJournal {
    fn epoch(&self) -> u64 {
        self.epoch
    }

    fn head(&self) -> Head {
        Head {
            position: self.chains.position,
            hash: self.chains.hall,
        }
    }

    fn make_room(&mut self, wall_ms: i64, bytes: usize) -> Result<(), JournalError> {
        let group = bytes + segment::HEADER_ROOM;
        if self.poisoned.is_some() || (self.current.at + group + END_ROOM) as u64 <= self.current.made {
            return Ok(());
        }
        self.rotate(wall_ms, group)
    }

    fn append(&mut self, wall_ms: i64, entries: Vec<NewEntry>) -> Result<u64, JournalError> {
        if let Some(why) = &self.poisoned {
            return Err(JournalError::Poisoned(why.clone()));
        }
        let first = self.chains.position + 1;
        if entries.is_empty() {
            return Ok(first);
        }
        let group = self.chains.group + 1;
        let mut bytes = Vec::new();
        // What the chains were, to go back to when the group does not become durable.
        let before = self.chains.mark(&entries);
        for entry in &entries {
            let payload = self.chains.write(self.epoch, wall_ms, entry);
            frame::write(&mut bytes, FrameKind::Entry, group, &payload);
        }
        let end = proto::GroupEnd {
            first_position: first,
            last_position: self.chains.position,
            hall_hash: self.chains.hall.0.to_vec(),
        };
        frame::write(&mut bytes, FrameKind::GroupEnd, group, &end.encode_to_vec());
        let after = self.chains.swap(before);
        if (self.current.at + bytes.len() + END_ROOM) as u64 > self.current.made {
            self.rotate(wall_ms, bytes.len())?;
        }
        let current = &mut self.current;
        let written = current
            .file
            .write_at(current.at as u64, &bytes)
            .map_err(JournalError::io("writing", &current.path))
            .and_then(|()| {
                if mutation::on(Mutation::NoSync) {
                    return Ok(());
                }
                current
                    .file
                    .sync_data()
                    .map_err(JournalError::io("syncing", &current.path))
            });
        if let Err(error) = written {
            return Err(self.poison(error));
        }
        current.at += bytes.len();
        self.chains.swap(after);
        self.chains.group = group;
        Ok(first)
    }

    fn close(mut self) -> Result<(), JournalError> {
        if let Some(why) = self.poisoned {
            return Err(JournalError::Poisoned(why));
        }
        self.end_current()
    }
}

/// An entry of the journal's own.
pub(super) fn note_entry(note: &str) -> NewEntry {
    let payload = serde_json::json!({ "note": note }).to_string().into_bytes();
    NewEntry::new(EntryKind::Note, HallTime::default(), payload)
}

/// The frame that closes a segment after these chains.
pub(super) fn segment_end(chains: &Chains) -> Vec<u8> {
    let end = proto::SegmentEnd {
        last_position: chains.position,
        hall_hash: chains.hall.0.to_vec(),
    };
    let mut bytes = Vec::new();
    frame::write(
        &mut bytes,
        FrameKind::SegmentEnd,
        chains.group + 1,
        &end.encode_to_vec(),
    );
    bytes
}

struct Header {
    hall_id: Uuid,
    begun_wall_ms: i64,
    number: u64,
    epoch: u64,
    made: u64,
    wall_ms: i64,
}

/// Takes the room for a segment, still without its name.
fn prepare(disk: &dyn Disk, folder: &Path, number: u64, made: u64) -> Result<Box<dyn DiskFile>, JournalError> {
    let unfinished = SegmentPath::unfinished(folder, number);
    segment::remove_if_there(disk, &unfinished)?;
    disk.create(&unfinished, made).map_err(|source| JournalError::NoRoom {
        folder: folder.to_owned(),
        source,
    })
}

/// Writes the header and gives the segment its name: a file of that name always has a whole header.
fn finish(
    disk: &dyn Disk,
    folder: &Path,
    mut file: Box<dyn DiskFile>,
    header: &Header,
    chains: &Chains,
) -> Result<Current, JournalError> {
    let message = proto::SegmentHeader {
        format: FORMAT,
        hall_id: header.hall_id.as_bytes().to_vec(),
        begun_wall_ms: header.begun_wall_ms,
        number: header.number,
        epoch: header.epoch,
        first_position: chains.position + 1,
        first_group: chains.group + 1,
        previous_hash: chains.hall.0.to_vec(),
        made_bytes: header.made,
        made_wall_ms: header.wall_ms,
    };
    let mut bytes = Vec::new();
    frame::write(
        &mut bytes,
        FrameKind::SegmentHeader,
        chains.group,
        &message.encode_to_vec(),
    );
    let unfinished = SegmentPath::unfinished(folder, header.number);
    let path = SegmentPath::whole(folder, header.number);
    file.write_at(0, &bytes)
        .map_err(JournalError::io("writing", &unfinished))?;
    file.sync_data().map_err(JournalError::io("syncing", &unfinished))?;
    disk.rename(&unfinished, &path)
        .map_err(JournalError::io("renaming", &unfinished))?;
    disk.sync_dir(folder)
        .map_err(JournalError::io("syncing the folder", folder))?;
    Ok(Current {
        number: header.number,
        path,
        file,
        made: header.made,
        at: bytes.len(),
    })
}

/// Whether less is there than is known to have been.
pub(super) fn ends_early(survey: &Survey, folder: &Path, known: Known) -> Option<Damage> {
    let end = survey.chains.as_ref().map_or(0, |chains| chains.position);
    let last = survey.segments.last().map_or(0, |last| last.number);
    let file = SegmentPath::whole(folder, last.max(known.segment).max(1));
    if end < known.position {
        let what = format!(
            "the journal ends at position {end}, but position {} was durable",
            known.position
        );
        return Some(Damage {
            first_missing: end + 1,
            file,
            what,
        });
    }
    if last < known.segment {
        return Some(Damage {
            first_missing: end + 1,
            file,
            what: "this segment was begun, but is not there".into(),
        });
    }
    None
}

/// Puts a closed copy in the place of the last segment.
///
/// Nobody knows how much of it is on the disk and how much only looks so, after a sync that failed when the hub before this one
/// died; that goes for the frame that closes it, too. So its whole groups are written to a new file, which takes its place once
/// it is synced. The segments before it were synced before the next one got its name.
pub(super) fn close_last(disk: &dyn Disk, folder: &Path, survey: &Survey) -> Result<Vec<String>, JournalError> {
    let (Some(last), Some(chains)) = (survey.segments.last(), &survey.chains) else {
        return Ok(Vec::new());
    };
    let mut notes = Vec::new();
    if let Some(torn) = &last.torn {
        let aside = folder.join(segment::ASIDE);
        let kept = segment::keep_aside(disk, &aside, last.number, torn)?;
        notes.push(format!(
            "a torn last group was cut off after position {} of segment {}: {} bytes that were never acknowledged, kept in {}",
            chains.position,
            last.number,
            torn.len(),
            kept.display()
        ));
    }
    // A packed segment was synced before it got its name.
    if !(last.packed && last.closed) {
        segment::replace_closed(disk, folder, last, &segment_end(chains))?;
    }
    Ok(notes)
}

#[cfg(test)]
mod tests;
