//! One process per data folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use super::error::JournalError;

/// Holds the data folder; released when dropped, and by the system when the process dies.
#[derive(Debug)]
pub(super) struct FolderLock {
    _file: File,
}

impl FolderLock {
    pub(super) fn take(folder: &Path) -> Result<FolderLock, JournalError> {
        std::fs::create_dir_all(folder).map_err(JournalError::io("making the folder", folder))?;
        let path = folder.join("lock");
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(JournalError::io("opening", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(JournalError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => Err(JournalError::io("locking", &path)(error)),
        }
    }
}
