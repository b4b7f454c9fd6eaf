//! Checking a whole journal: `flagfall journal verify`.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use uuid::Uuid;

use super::disk::{Disk, RealDisk};
use super::entry::Entry;
use super::error::{Damage, JournalError};
use super::journal::{Head, ends_early};
use super::opening::{StoreError, journal_folder, state_folder};
use super::record::Chains;
use super::segment::{self, Survey};
use super::state;

/// How often a journal that is being written is read again before it is called damaged.
const LOOKS: usize = 5;

/// What was found in a journal.
#[derive(Clone, Debug)]
pub struct Report {
    /// Its folder.
    pub folder: PathBuf,
    /// The hall's id.
    pub hall_id: Uuid,
    /// Number of segment files that are whole.
    pub segments: usize,
    /// How many of them are packed.
    pub packed: usize,
    /// Number of entries that are whole.
    pub entries: u64,
    /// Number of commits.
    pub groups: u64,
    /// Number of games with a chain of their own.
    pub games: usize,
    /// The epochs whose entries are there.
    pub epochs: BTreeSet<u64>,
    /// Bytes of the whole segments that hold something.
    pub bytes: u64,
    /// Unix time in ms of the first and the last entry.
    pub wall_ms: Option<(i64, i64)>,
    /// The end of what is whole.
    pub head: Head,
    /// The last segment has not been closed: a hub is running, or has died.
    pub open: bool,
    /// Bytes after the last whole group that belong to no whole group: a commit being written just now, or torn.
    pub torn: usize,
    /// What is wrong.
    pub damage: Option<Damage>,
}

/// Reads and checks every frame, position and chain of the hub's journal. Takes no lock and changes nothing.
pub fn verify(data: &Path) -> Result<Report, StoreError> {
    let folder = journal_folder(data);
    // Before the journal is read: what it says was durable then must be found.
    let known = state::known(&state_folder(data))?;
    let mut epochs = BTreeSet::new();
    let mut wall_ms: Option<(i64, i64)> = None;
    let mut see = |entry: Entry| {
        epochs.insert(entry.epoch);
        let first = wall_ms.map_or(entry.wall_ms, |(first, _)| first);
        wall_ms = Some((first, entry.wall_ms));
    };
    let survey = survey_live(&RealDisk, &folder, &mut see)?;
    let damage = survey.damage.clone().or_else(|| ends_early(&survey, &folder, known));
    let (Some((hall_id, _)), Some(chains)) = (survey.hall, &survey.chains) else {
        return Err(match damage {
            Some(damage) => JournalError::Damaged(damage).into(),
            None => JournalError::None(folder).into(),
        });
    };
    let last = survey.segments.last();
    Ok(Report {
        hall_id,
        segments: survey.segments.len(),
        packed: survey.segments.iter().filter(|segment| segment.packed).count(),
        entries: chains.position,
        groups: chains.group,
        games: chains.games.len(),
        epochs,
        bytes: survey.segments.iter().map(|segment| segment.end as u64).sum(),
        wall_ms,
        head: head_of(chains),
        open: last.is_some_and(|last| !last.closed),
        torn: last.and_then(|last| last.torn.as_ref()).map_or(0, Vec::len),
        damage,
        folder,
    })
}

fn head_of(chains: &Chains) -> Head {
    Head {
        position: chains.position,
        hash: chains.hall,
    }
}

/// Surveys a journal that may be written at the same time: a file read in the middle of two commits can look damaged.
pub(super) fn survey_live(disk: &dyn Disk, folder: &Path, each: &mut dyn FnMut(Entry)) -> Result<Survey, JournalError> {
    for _ in 1..LOOKS {
        if segment::survey(disk, folder, &mut |_| {}).is_ok_and(|survey| survey.damage.is_none()) {
            break;
        }
    }
    segment::survey(disk, folder, each)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |ms| jiff::Timestamp::from_millisecond(ms).map_or_else(|_| ms.to_string(), |time| time.to_string());
        writeln!(f, "journal   {}", self.folder.display())?;
        writeln!(f, "hall      {}", self.hall_id)?;
        writeln!(
            f,
            "segments  {} ({} bytes, {} of them packed)",
            self.segments, self.bytes, self.packed
        )?;
        writeln!(
            f,
            "entries   {} in {} commits, {} games",
            self.entries, self.groups, self.games
        )?;
        if let Some((first, last)) = self.wall_ms {
            writeln!(f, "written   {} to {}", time(first), time(last))?;
        }
        let epochs: Vec<_> = self.epochs.iter().map(u64::to_string).collect();
        writeln!(f, "epochs    {}", epochs.join(" "))?;
        writeln!(f, "head      {} {}", self.head.position, self.head.hash)?;
        if self.torn > 0 {
            writeln!(
                f,
                "note      {} bytes after the head belong to a commit that is not whole",
                self.torn
            )?;
        }
        if self.open {
            writeln!(f, "note      the last segment is open: a hub is running, or has died")?;
        }
        match &self.damage {
            None => write!(f, "whole     every frame, position and chain is as it was written"),
            Some(damage) => write!(f, "DAMAGED   {}", JournalError::Damaged(damage.clone())),
        }
    }
}

/// Bytes that the journal's files take on the disk, prepared ones too; nothing where there is none.
pub fn journal_bytes(data: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let files = std::fs::read_dir(journal_folder(data)).into_iter().flatten().flatten();
    // A file in its 512-byte blocks: what is prepared has them, whatever its size says.
    files
        .filter_map(|file| Some(file.metadata().ok()?.blocks() * 512))
        .sum()
}
