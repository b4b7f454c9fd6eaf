//! A copy of the journal, taken while the hub runs: `flagfall journal backup`.

use std::path::Path;
use std::sync::Arc;

use super::disk::{Disk, RealDisk};
use super::error::JournalError;
use super::journal::{Head, Known, segment_end};
use super::opening::{StoreError, journal_folder, state_folder};
use super::segment::{self, SegmentPath};
use super::state;
use super::verify::survey_live;

/// The hub whose journal was copied may be started again before the copy is. A hub on the copy takes an epoch beyond those
/// starts: devices would refuse its orders otherwise.
const STARTS_SINCE: u64 = 1000;

/// What was copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackedUp {
    /// The end of the copy: keep it with the copy.
    pub head: Head,
    /// Number of segment files.
    pub segments: usize,
}

/// Copies the hub's journal, up to the last whole group there is now, into a folder that is a data folder of its own: a hub can
/// be started on it. Every file in the copy is closed and synced, and checked before this says that all is well.
pub fn backup(data: &Path, target: &Path) -> Result<BackedUp, StoreError> {
    let disk: Arc<dyn Disk> = Arc::new(RealDisk);
    let (from, to) = (journal_folder(data), journal_folder(target));
    let survey = survey_live(&*disk, &from, &mut |_| {})?;
    if let Some(damage) = survey.damage {
        return Err(JournalError::Damaged(damage).into());
    }
    let (Some((hall_id, _)), Some(chains)) = (survey.hall, survey.chains) else {
        return Err(JournalError::None(from).into());
    };
    if !segment::numbers(&*disk, &to)?.is_empty() {
        return Err(JournalError::NotEmpty(to).into());
    }
    disk.make_dir(&to).map_err(JournalError::io("making the folder", &to))?;
    for part in &survey.segments {
        let file = disk.open(&part.path).map_err(JournalError::io("opening", &part.path))?;
        let mut bytes = file
            .read(0, part.end)
            .map_err(JournalError::io("reading", &part.path))?;
        if !part.closed {
            bytes.extend_from_slice(&segment_end(&chains));
        }
        segment::write_new(&*disk, &SegmentPath::whole(&to, part.number), &bytes)?;
    }
    disk.sync_dir(&to)
        .map_err(JournalError::io("syncing the folder", &to))?;
    let copy = segment::survey(&*disk, &to, &mut |_| {})?;
    let head = Head {
        position: chains.position,
        hash: chains.hall,
    };
    let copied = copy.chains.map(|chains| Head {
        position: chains.position,
        hash: chains.hall,
    });
    match copy.damage {
        Some(damage) => Err(JournalError::Damaged(damage).into()),
        None if copied != Some(head) => Err(JournalError::NotEmpty(to).into()),
        None => {
            let last = survey.segments.last().map_or(0, |last| last.number);
            let epoch = survey.highest_epoch + STARTS_SINCE;
            state::note_copy(
                &state_folder(target),
                hall_id,
                Known {
                    position: head.position,
                    epoch,
                    segment: last,
                },
            )?;
            Ok(BackedUp {
                head,
                segments: survey.segments.len(),
            })
        }
    }
}
