//! What can be wrong with the journal or the state.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Something acknowledged that is not in the journal's files as it was written.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{file}: {what}; entries from position {first_missing} on are missing or cannot be trusted", file = file.display())]
pub struct Damage {
    /// The first position that cannot be read.
    pub first_missing: u64,
    /// The file concerned.
    pub file: PathBuf,
    /// What is wrong with it.
    pub what: String,
}

/// ` --data FOLDER` for a file of the journal in a data folder, so that the command can be given as it stands.
fn of_data(file: &Path) -> String {
    let journal = if file.extension().is_some() {
        file.parent()
    } else {
        Some(file)
    };
    let data = journal
        .and_then(Path::parent)
        .filter(|data| !data.as_os_str().is_empty());
    data.map_or_else(String::new, |data| format!(" --data {}", data.display()))
}

/// What to do where the disk is full, or can only be read.
fn to_do(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; free some space on this disk and start the hub again"
        }
        io::ErrorKind::ReadOnlyFilesystem => {
            "; have this disk mounted so that it can be written, and start the hub again"
        }
        _ => "",
    }
}

/// Why the journal could not do what it was asked.
#[derive(Debug, Error)]
pub enum JournalError {
    /// Something acknowledged is missing. The hub must not start over it.
    #[error(
        "the journal is damaged: {0}. Put back what is missing from a backup: `flagfall journal restore BACKUP{data}`; or go on \
         without these entries: `flagfall journal accept-loss --from {from}{data}` (moves the damaged files aside)",
        from = .0.first_missing, data = of_data(&.0.file)
    )]
    Damaged(Damage),
    /// The backup to restore from is damaged itself.
    #[error("the backup is damaged itself: {0}; nothing was changed: take another backup")]
    BackupDamaged(Damage),
    /// `accept-loss` was asked for another position than the one where the damage begins.
    #[error("the loss begins at position {first_missing}, not {asked}; nothing was changed")]
    OtherLoss {
        /// Where it begins.
        first_missing: u64,
        /// The position asked for.
        asked: u64,
    },
    /// `accept-loss` was asked for, but nothing is missing.
    #[error("the journal is whole: nothing is lost, and nothing was changed")]
    NothingLost,
    /// There is no journal in the folder.
    #[error("there is no journal in {0}")]
    None(PathBuf),
    /// The folder for a copy, or for what is restored, holds something else.
    #[error("{folder}: {why}; nothing was changed: choose another folder", folder = folder.display())]
    NoCopy {
        /// The folder.
        folder: PathBuf,
        /// What is in it.
        why: &'static str,
    },
    /// The data folder cannot be written.
    #[error(
        "the data folder {folder} cannot be written ({source}): give it to the user that runs the hub (`chown -R`), see that its disk is \
         not mounted read-only, or choose another folder with --data or `hall.data`",
        folder = folder.display()
    )]
    NotWritable {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process has the data folder.
    #[error("the data folder {0} is in use by another flagfall process; stop it first, or use another folder")]
    InUse(PathBuf),
    /// An earlier write failed: nothing more is accepted until the hub is started again.
    #[error("the journal takes nothing more since a write failed ({0}); mend the disk and start the hub again")]
    Poisoned(String),
    /// There is no room for another segment. Nothing was written; it can be tried again.
    #[error("another journal segment cannot be made in {folder} ({source}); nothing was written: free some space and try again", folder = folder.display())]
    NoRoom {
        /// Where it should have been made.
        folder: PathBuf,
        /// What the disk said.
        source: io::Error,
    },
    /// A single commit is larger than the journal takes.
    #[error("a commit of {bytes} bytes is more than the journal takes at once ({most})")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The most that is taken.
        most: usize,
    },
    /// The journal was written by a newer version.
    #[error("{file} has journal format {found}; this version reads up to {known}: use the flagfall that wrote it", file = file.display())]
    Newer {
        /// The file.
        file: PathBuf,
        /// Its format.
        found: u32,
        /// The newest known here.
        known: u32,
    },
    /// The disk failed.
    #[error("{what} {path} failed: {source}{todo}", path = path.display(), todo = to_do(source))]
    Io {
        /// What was tried.
        what: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// What the disk said.
        source: io::Error,
    },
}

impl JournalError {
    pub(super) fn io(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> JournalError {
        let path = path.into();
        move |source| JournalError::Io { what, path, source }
    }
}

/// Why the state could not be read or written. It is only a copy of what the journal says: moved aside, it is made again.
#[derive(Debug, Error)]
pub enum StateError {
    /// The database did.
    #[error("the state database in {path} failed: {what}", path = path.display())]
    Database {
        /// Its folder.
        path: PathBuf,
        /// What it said.
        what: String,
    },
    /// A value is not in the form this version writes.
    #[error("a state value in {tree} has version {version}, which this version does not read")]
    Value {
        /// The tree it is in.
        tree: &'static str,
        /// Its version byte.
        version: u8,
    },
    /// The disk failed.
    #[error("{what} {path} failed: {source}{todo}", path = path.display(), todo = to_do(source))]
    Io {
        /// What was tried.
        what: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// What the disk said.
        source: io::Error,
    },
}

impl StateError {
    pub(super) fn io(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> StateError {
        let path = path.into();
        move |source| StateError::Io { what, path, source }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_takes_nothing_is_said_with_what_to_do() {
        let said = |kind: io::ErrorKind| StateError::io("making the folder", "state/aside")(kind.into()).to_string();
        assert!(said(io::ErrorKind::StorageFull).ends_with("free some space on this disk and start the hub again"));
        assert!(said(io::ErrorKind::ReadOnlyFilesystem).contains("can be written"));
        assert_eq!(
            said(io::ErrorKind::NotFound),
            "making the folder state/aside failed: entity not found"
        );
    }
}
