//! One process per data folder.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use super::error::JournalError;

/// Holds the data folder; released when dropped, and by the system when the process dies.
#[derive(Debug)]
pub(super) struct FolderLock {
    _file: File,
}

impl FolderLock {
    pub(super) fn take(folder: &Path) -> Result<FolderLock, JournalError> {
        let refused = |what, path: &Path| {
            let (folder, at) = (folder.to_owned(), path.to_owned());
            move |source: io::Error| match source.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    JournalError::NotWritable { folder, source }
                }
                _ => JournalError::io(what, at)(source),
            }
        };
        std::fs::create_dir_all(folder).map_err(refused("making the folder", folder))?;
        super::private::keep(folder);
        let path = folder.join("lock");
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(refused("opening", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(JournalError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => Err(JournalError::io("locking", &path)(error)),
        }
    }
}
