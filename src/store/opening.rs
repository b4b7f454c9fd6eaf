//! A start: the data folder locked, journal and state read and brought together, the threads running.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use uuid::Uuid;

use super::checkpoint::{Checkpoint, FoldGuard};
use super::disk::RealDisk;
use super::entry::{Entry, EntryKind};
use super::error::{Damage, JournalError, StateError};
use super::journal::{FileJournal, Head, Journal, JournalOptions, Known};
use super::lock::FolderLock;
use super::pack::PackerThread;
use super::pump::{CommitHandle, CommitterThread};
use super::reader::{Entries, JournalReader};
use super::requests::Requests;
use super::state::{self, Manifest, StateReader, StateThread, StateWriter};

/// The journal's folder within the data folder.
pub(super) fn journal_folder(data: &Path) -> PathBuf {
    data.join("journal")
}

/// The state's folder within the data folder.
pub(super) fn state_folder(data: &Path) -> PathBuf {
    data.join("state")
}

/// How the store works.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// How the journal is written.
    pub journal: JournalOptions,
    /// How long changed values may wait before they are written to the state. A longer time only makes the next start replay more.
    pub write_behind: Duration,
    /// How often to look whether segments have been closed that can be packed; never, without it.
    pub pack_every: Option<Duration>,
}

impl Default for StoreOptions {
    fn default() -> Self {
        StoreOptions {
            journal: JournalOptions::default(),
            write_behind: Duration::from_millis(500),
            pack_every: Some(Duration::from_secs(5)),
        }
    }
}

/// Why the store cannot be opened.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The state.
    #[error(transparent)]
    State(#[from] StateError),
}

/// The journal and the state of a running hub. Dropped, it is closed.
pub struct Store {
    epoch: u64,
    hall_id: Uuid,
    commits: CommitHandle,
    requests: Requests,
    state: StateReader,
    writer: StateWriter,
    reader: JournalReader,
    committer: Option<CommitterThread>,
    writing: Option<StateThread>,
    packing: Option<PackerThread>,
    // Last, so that it is released when the threads have ended.
    _lock: FolderLock,
}

/// A store that has been opened, and what the hall needs to be where it was.
pub struct Opened {
    /// The store.
    pub store: Store,
    /// When the hall's journal was begun, Unix time in ms.
    pub begun_wall_ms: i64,
    /// The last position of earlier starts (0: there was none).
    pub end: u64,
    /// The values hold everything up to here; [`Opened::tail`] begins after it.
    pub checkpoint: u64,
    /// What happened after the checkpoint. Fold each entry over the values read from [`Store::state`], except where the value's
    /// own position is not below the entry's.
    pub tail: Tail,
    /// To be told [`FoldGuard::folded`] once every value that the tail has changed has been put.
    pub replay: FoldGuard,
    /// What was found and mended, for the log.
    pub notes: Vec<String>,
}

/// Entries of earlier starts, for the hall to fold: without the journal's own notes.
pub struct Tail {
    entries: Entries,
    next: u64,
    end: u64,
    folder: PathBuf,
}

impl Iterator for Tail {
    type Item = Result<Entry, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.next <= self.end {
            match self.entries.next() {
                Some(Ok(entry)) => {
                    self.next = entry.position + 1;
                    if entry.content.kind != EntryKind::Note {
                        return Some(Ok(entry));
                    }
                }
                Some(Err(error)) => {
                    self.next = u64::MAX;
                    return Some(Err(error));
                }
                None => {
                    let what = format!(
                        "it was whole a moment ago, but cannot be read to position {} now",
                        self.end
                    );
                    let damage = Damage {
                        first_missing: self.next,
                        file: self.folder.clone(),
                        what,
                    };
                    self.next = u64::MAX;
                    return Some(Err(JournalError::Damaged(damage)));
                }
            }
        }
        None
    }
}

impl Store {
    /// Opens the data folder, or begins one. `wall_ms` tells Unix time for the record.
    pub fn open(
        data: &Path,
        options: StoreOptions,
        wall_ms: impl Fn() -> i64 + Send + 'static,
    ) -> Result<Opened, StoreError> {
        let lock = FolderLock::take(data)?;
        let state_folder = state_folder(data);
        let opening = state::open(&state_folder)?;
        let journal_folder = journal_folder(data);
        let requests = Requests::default();
        let mut see = |entry: Entry| requests.see(entry);
        let opened = FileJournal::open(
            Arc::new(RealDisk),
            &journal_folder,
            options.journal,
            opening.known,
            wall_ms(),
            &mut see,
        )?;
        let mut notes = opened.notes;
        let end = opened.end;
        if end > 0 {
            notes.extend(opening.notes);
        }
        let epoch = opened.journal.epoch();
        let manifest = Manifest {
            hall_id: opened.hall_id,
            known: Known {
                position: end,
                epoch,
                segment: opened.journal.segment(),
            },
            checkpoint: opening.checkpoint,
            database: opening.database.name(),
        };
        let (checkpoint, replay) = Checkpoint::new(opened.journal.head().position, opening.checkpoint);
        let state = opening.database.reader();
        let (writer, writing) =
            StateThread::start(opening.database, manifest, checkpoint.clone(), options.write_behind)?;
        let started = CommitterThread::start(opened.journal, requests.clone(), checkpoint, wall_ms);
        let (commits, committer) = started.map_err(JournalError::io("starting the thread of", &journal_folder))?;
        let packing = options
            .pack_every
            .map(|every| PackerThread::start(Arc::new(RealDisk), &journal_folder, every))
            .transpose()
            .map_err(JournalError::io("starting the thread that packs", &journal_folder))?;
        let reader = JournalReader::new(Arc::new(RealDisk), &journal_folder);
        let next = opening.checkpoint + 1;
        let tail = Tail {
            entries: reader.entries(next)?,
            next,
            end,
            folder: journal_folder,
        };
        let store = Store {
            epoch,
            hall_id: opened.hall_id,
            commits,
            requests,
            state,
            writer,
            reader,
            committer: Some(committer),
            writing: Some(writing),
            packing,
            _lock: lock,
        };
        let begun_wall_ms = opened.begun_wall_ms;
        Ok(Opened {
            store,
            begun_wall_ms,
            end,
            checkpoint: opening.checkpoint,
            tail,
            replay,
            notes,
        })
    }

    /// This start of the hub.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The hall's id.
    pub fn hall_id(&self) -> Uuid {
        self.hall_id
    }

    /// Where to ask for commits.
    pub fn commits(&self) -> CommitHandle {
        self.commits.clone()
    }

    /// The last durable entry.
    pub fn head(&self) -> Head {
        self.commits.head()
    }

    /// The calls that were answered, in this start and all before.
    pub fn requests(&self) -> Requests {
        self.requests.clone()
    }

    /// The values as they were at the checkpoint, and later as they are written behind.
    pub fn state(&self) -> StateReader {
        self.state.clone()
    }

    /// Where to put values that have changed.
    pub fn writer(&self) -> StateWriter {
        self.writer.clone()
    }

    /// The journal, to read.
    pub fn reader(&self) -> JournalReader {
        self.reader.clone()
    }

    /// Answers what was asked, closes the journal, writes what is known of the state, and gives the folder free.
    pub fn close(self) {
        drop(self);
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if let Some(packing) = self.packing.take() {
            packing.stop();
        }
        if let Some(committer) = self.committer.take() {
            committer.stop();
        }
        if let Some(writing) = self.writing.take() {
            writing.stop();
        }
    }
}

#[cfg(test)]
mod tests;
