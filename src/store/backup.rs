//! Copies of the journal: `flagfall journal backup`, also while the hub runs, and `flagfall journal restore`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::{Disk, RealDisk};
use super::entry::{ChainHash, Entry};
use super::error::{Damage, JournalError};
use super::journal::{Head, Known, ends_early, segment_end};
use super::lock::FolderLock;
use super::opening::{StoreError, journal_folder, state_folder};
use super::record::Chains;
use super::segment::{self, ASIDE, Segment, SegmentPath, Survey};
use super::state;
use super::verify::survey_live;

/// The hub whose journal was copied may be started again before the copy is. A hub on the copy takes an epoch beyond those
/// starts: devices would refuse its orders otherwise.
const STARTS_SINCE: u64 = 1000;
/// How often a copy is tried of a journal that changes meanwhile: each of its segments is packed once.
const TRIES: usize = 8;

/// What was copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackedUp {
    /// The end of the copy: keep it with the copy.
    pub head: Head,
    /// Number of segment files that the copy has.
    pub segments: usize,
    /// How many of them were written now; the others were there from the backup before.
    pub written: usize,
    /// Bytes written now.
    pub bytes: u64,
}

/// Copies the hub's journal, up to the last whole group there is now, into a folder that is a data folder of its own: a hub can
/// be started on it. A folder that has an earlier copy of this journal is brought up to date: what has not changed is not
/// written again. Every file in the copy is closed and synced, and all of it checked before this says that all is well.
pub fn backup(data: &Path, target: &Path) -> Result<BackedUp, StoreError> {
    let disk: Arc<dyn Disk> = Arc::new(RealDisk);
    let from = journal_folder(data);
    if segment::numbers(&*disk, &from)?.is_empty() {
        // Before the folder of the copy is made.
        return Err(JournalError::None(from).into());
    }
    let _lock = FolderLock::take(target)?;
    for _ in 1..TRIES {
        if let Some(done) = copy(&*disk, data, target)? {
            return Ok(done);
        }
    }
    let damage = Damage {
        first_missing: 0,
        file: from,
        what: "it changes faster than it can be copied".into(),
    };
    Err(JournalError::Damaged(damage).into())
}

/// Says nothing when the journal has changed under its hands.
fn copy(disk: &dyn Disk, data: &Path, target: &Path) -> Result<Option<BackedUp>, StoreError> {
    let (from, to) = (journal_folder(data), journal_folder(target));
    let earlier = segment::survey(disk, &to, &mut |_| {})?;
    let earlier_head = head(earlier.chains.as_ref());
    let mut there = None;
    let survey = survey_live(disk, &from, &mut |entry: Entry| {
        if entry.position == earlier_head.position {
            there = Some(entry.hall_hash);
        }
    })?;
    if let Some(damage) = survey.damage {
        return Err(JournalError::Damaged(damage).into());
    }
    let (Some((hall_id, _)), Some(chains)) = (survey.hall, &survey.chains) else {
        return Err(JournalError::None(from).into());
    };
    if let Some((other, _)) = earlier.hall {
        let why = if other != hall_id {
            Some("it holds the journal of another hall")
        } else if earlier.highest_epoch > survey.highest_epoch {
            Some("a hub has been started on it")
        } else if earlier_head.position > 0 && there != Some(earlier_head.hash) {
            Some("it has entries that this journal has not")
        } else {
            None
        };
        if let Some(why) = why {
            return Err(JournalError::NoCopy { folder: to, why }.into());
        }
    } else if !segment::numbers(disk, &to)?.is_empty() {
        let why = "what is there is no whole journal";
        return Err(JournalError::NoCopy { folder: to, why }.into());
    }
    disk.make_dir(&to).map_err(JournalError::io("making the folder", &to))?;
    segment::remove_unfinished(disk, &to)?;
    let (mut written, mut written_bytes) = (0, 0);
    for part in &survey.segments {
        let same = |have: &Segment| have.number == part.number && have.closed && have.head == part.head && part.closed;
        if earlier.segments.iter().any(same) {
            continue;
        }
        let mut bytes = read_part(disk, part)?;
        if !part.closed {
            bytes.extend_from_slice(&segment_end(chains));
        }
        put(disk, &to, part.number, &bytes)?;
        written += 1;
        written_bytes += bytes.len() as u64;
    }
    disk.sync_dir(&to)
        .map_err(JournalError::io("syncing the folder", &to))?;
    let copy = segment::survey(disk, &to, &mut |_| {})?;
    let wanted = head(Some(chains));
    if copy.damage.is_some() || head(copy.chains.as_ref()) != wanted {
        return Ok(None);
    }
    let known = Known {
        position: wanted.position,
        epoch: survey.highest_epoch + STARTS_SINCE,
        segment: survey.segments.last().map_or(0, |last| last.number),
    };
    state::note_copy(&state_folder(target), hall_id, known)?;
    Ok(Some(BackedUp {
        head: wanted,
        segments: survey.segments.len(),
        written,
        bytes: written_bytes,
    }))
}

fn head(chains: Option<&Chains>) -> Head {
    Head {
        position: chains.map_or(0, |chains| chains.position),
        hash: chains.map_or(ChainHash([0; 32]), |chains| chains.hall),
    }
}

/// What is whole of a segment.
fn read_part(disk: &dyn Disk, part: &Segment) -> Result<Vec<u8>, JournalError> {
    let file = disk.open(&part.path).map_err(JournalError::io("opening", &part.path))?;
    file.read(0, part.end).map_err(JournalError::io("reading", &part.path))
}

/// Writes a segment aside and gives it its name.
fn put(disk: &dyn Disk, folder: &Path, number: u64, bytes: &[u8]) -> Result<(), JournalError> {
    let unfinished = SegmentPath::unfinished(folder, number);
    segment::write_new(disk, &unfinished, bytes)?;
    disk.rename(&unfinished, &SegmentPath::whole(folder, number))
        .map_err(JournalError::io("renaming", &unfinished))
}

/// What was restored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Restored {
    /// The end of the journal now.
    pub head: Head,
    /// The files that came from the backup.
    pub files: Vec<PathBuf>,
    /// Where the damaged files are that they took the place of.
    pub aside: Option<PathBuf>,
    /// What is missing all the same, because the backup does not have it.
    pub still: Option<Damage>,
}

/// Puts back from a backup what the hub's journal has not: all of it where there is no journal, otherwise the files that are
/// missing or damaged. Nothing that is whole is touched, and a journal that is whole is left alone.
pub fn restore(backup: &Path, data: &Path, wall_ms: i64) -> Result<Restored, StoreError> {
    let disk = RealDisk;
    let (from, to) = (journal_folder(backup), journal_folder(data));
    if segment::numbers(&disk, &from)?.is_empty() {
        return Err(JournalError::None(from).into());
    }
    let _lock = FolderLock::take(data)?;
    let copy = segment::survey(&disk, &from, &mut |_| {})?;
    if let Some(damage) = copy.damage {
        return Err(JournalError::BackupDamaged(damage).into());
    }
    let Some((hall_id, _)) = copy.hall else {
        return Err(JournalError::None(from).into());
    };
    let known = state::known(&state_folder(data))?;
    disk.make_dir(&to).map_err(JournalError::io("making the folder", &to))?;
    segment::remove_unfinished(&disk, &to)?;
    let mut restored = Restored {
        head: head(None),
        files: Vec::new(),
        aside: None,
        still: None,
    };
    if segment::numbers(&disk, &to)?.is_empty() {
        for part in &copy.segments {
            put_part(&disk, &to, part, &copy)?;
            restored.files.push(SegmentPath::whole(&to, part.number));
        }
    } else {
        mend(&disk, &to, &copy, hall_id, known, wall_ms, &mut restored)?;
    }
    disk.sync_dir(&to)
        .map_err(JournalError::io("syncing the folder", &to))?;
    let survey = segment::survey(&disk, &to, &mut |_| {})?;
    restored.head = head(survey.chains.as_ref());
    restored.still = survey.damage.clone().or_else(|| ends_early(&survey, &to, known));
    if known == Known::default() {
        // As the backup has it; a state that is there knows more.
        let noted = state::known(&state_folder(backup))?;
        let known = Known {
            position: restored.head.position,
            epoch: noted.epoch.max(survey.highest_epoch + STARTS_SINCE),
            segment: survey.segments.last().map_or(0, |last| last.number),
        };
        state::note_copy(&state_folder(data), hall_id, known)?;
    }
    Ok(restored)
}

/// A segment of the backup, closed as it is there or by what ends the backup.
fn put_part(disk: &dyn Disk, to: &Path, part: &Segment, copy: &Survey) -> Result<(), JournalError> {
    let mut bytes = read_part(disk, part)?;
    if let (false, Some(chains)) = (part.closed, &copy.chains) {
        bytes.extend_from_slice(&segment_end(chains));
    }
    put(disk, to, part.number, &bytes)
}

/// Puts one file after another back, as long as each brings the journal further.
fn mend(
    disk: &dyn Disk,
    to: &Path,
    copy: &Survey,
    hall_id: uuid::Uuid,
    known: Known,
    wall_ms: i64,
    restored: &mut Restored,
) -> Result<(), StoreError> {
    let aside = to.join(ASIDE).join(format!("restored-{wall_ms}"));
    let damage_now = || -> Result<(Option<Damage>, Survey), JournalError> {
        let survey = segment::survey(disk, to, &mut |_| {})?;
        Ok((survey.damage.clone().or_else(|| ends_early(&survey, to, known)), survey))
    };
    let (mut damage, mut survey) = damage_now()?;
    if let Some((other, _)) = survey.hall
        && other != hall_id
    {
        let why = "the data folder holds the journal of another hall";
        return Err(JournalError::NoCopy {
            folder: to.to_owned(),
            why,
        }
        .into());
    }
    if damage.is_none() {
        return Err(JournalError::NothingLost.into());
    }
    while let Some(wrong) = damage {
        // The first one in the backup that reaches what is missing, from the damaged file on.
        let from = segment::number_of(&wrong.file).unwrap_or(1);
        let last = survey.segments.last().map_or(1, |last| last.number);
        let part = copy
            .segments
            .iter()
            .filter(|part| part.number >= from.min(last))
            .find(|part| part.head.position >= wrong.first_missing || part.number == from);
        let Some(part) = part.filter(|part| part.head.position + 1 >= wrong.first_missing) else {
            return Ok(());
        };
        let path = SegmentPath::whole(to, part.number);
        let there = segment::numbers(disk, to)?.contains(&part.number);
        let kept = aside.join(path.file_name().unwrap_or_default());
        if there {
            disk.make_dir(&aside)
                .map_err(JournalError::io("making the folder", &aside))?;
            disk.rename(&path, &kept)
                .map_err(JournalError::io("moving aside", &path))?;
            disk.sync_dir(&aside)
                .map_err(JournalError::io("syncing the folder", &aside))?;
        }
        put_part(disk, to, part, copy)?;
        let (now, surveyed) = damage_now()?;
        let further = now.as_ref().is_none_or(|now| {
            now.first_missing > wrong.first_missing || segment::number_of(&now.file) > segment::number_of(&wrong.file)
        });
        if !further {
            // It does not go on from what is here: as it was.
            if there {
                disk.rename(&kept, &path)
                    .map_err(JournalError::io("moving back", &path))?;
            } else {
                segment::remove_if_there(disk, &path)?;
            }
            return Ok(());
        }
        if there {
            restored.aside = Some(aside.clone());
        }
        restored.files.push(path);
        (damage, survey) = (now, surveyed);
    }
    Ok(())
}
