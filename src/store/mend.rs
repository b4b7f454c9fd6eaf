//! Going on after a loss that somebody has accepted.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::{Disk, RealDisk};
use super::error::JournalError;
use super::journal::{FileJournal, Journal as _, JournalOptions, close_last, ends_early};
use super::lock::FolderLock;
use super::opening::{StoreError, journal_folder, state_folder};
use super::segment::{self, ASIDE, SegmentPath};
use super::state;

/// What was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// The position at which the journal goes on, with a note.
    pub from: u64,
    /// Where the damaged files are now, if there were any.
    pub aside: Option<PathBuf>,
    /// What was wrong.
    pub what: String,
}

/// Goes on without the entries from position `from` on, which must be where the damage begins. Files that are damaged, or follow
/// a damaged one, are moved aside, never removed; what is good of them stays; the state is folded again at the next start; and a
/// note in the journal says what happened.
pub fn accept_loss(data: &Path, from: u64, wall_ms: i64) -> Result<Accepted, StoreError> {
    let _lock = FolderLock::take(data)?;
    let folder = journal_folder(data);
    let state_folder = state_folder(data);
    let opening = state::open(&state_folder)?;
    let disk: Arc<dyn Disk> = Arc::new(RealDisk);
    segment::remove_unfinished(&*disk, &folder)?;
    let mut survey = segment::survey(&*disk, &folder, &mut |_| {})?;
    let damage = survey
        .damage
        .take()
        .or_else(|| ends_early(&survey, &folder, opening.known));
    let damage = damage.ok_or(JournalError::NothingLost)?;
    if damage.first_missing != from {
        return Err(JournalError::OtherLoss {
            first_missing: damage.first_missing,
            asked: from,
        }
        .into());
    }
    let good = survey.segments.last();
    let good_number = good.map_or(0, |good| good.number);
    let aside = folder.join(ASIDE).join(format!("from-{from}-{wall_ms}"));
    let mut moved = false;
    // The last first: a crash in between leaves the same loss to be accepted again.
    for number in segment::numbers(&*disk, &folder)?
        .into_iter()
        .rev()
        .filter(|number| *number > good_number)
    {
        move_aside(&*disk, &SegmentPath::whole(&folder, number), &aside)?;
        moved = true;
    }
    disk.sync_dir(&folder)
        .map_err(JournalError::io("syncing the folder", &folder))?;
    if let Some(good) = good.filter(|good| good.path == damage.file) {
        copy_aside(&*disk, &good.path, &aside)?;
        moved = true;
    }
    close_last(&*disk, &folder, &survey)?;
    let database = opening.database.path().to_owned();
    drop(opening.database);
    state::move_aside(&state_folder, &database)?;
    let what = damage.to_string();
    let kept = if moved {
        format!("; the files are in {}", aside.display())
    } else {
        String::new()
    };
    let note = format!("loss accepted from position {from} on: {what}{kept}");
    survey.hall = survey.hall.or(opening.hall_id.map(|hall| (hall, wall_ms)));
    let options = JournalOptions::default();
    let opened = FileJournal::begin(disk, &folder, options, survey, opening.known.epoch, wall_ms, vec![note])?;
    opened.journal.close()?;
    // Only now: until the journal has gone on, the manifest must say that something is missing.
    state::forget(&state_folder)?;
    Ok(Accepted {
        from,
        aside: moved.then_some(aside),
        what,
    })
}

fn move_aside(disk: &dyn Disk, path: &Path, aside: &Path) -> Result<(), JournalError> {
    disk.make_dir(aside)
        .map_err(JournalError::io("making the folder", aside))?;
    let target = aside.join(path.file_name().unwrap_or_default());
    disk.rename(path, &target)
        .map_err(JournalError::io("moving aside", path))?;
    disk.sync_dir(aside)
        .map_err(JournalError::io("syncing the folder", aside))
}

fn copy_aside(disk: &dyn Disk, path: &Path, aside: &Path) -> Result<(), JournalError> {
    disk.make_dir(aside)
        .map_err(JournalError::io("making the folder", aside))?;
    let bytes = disk
        .open(path)
        .and_then(|file| file.read_all())
        .map_err(JournalError::io("reading", path))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let target = segment::free_name(disk, aside, &name)?;
    segment::write_new(disk, &target, &bytes)?;
    disk.sync_dir(aside)
        .map_err(JournalError::io("syncing the folder", aside))
}
