//! The machine's own disk.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::{FallocateFlags, fallocate};

use super::{Disk, DiskFile};

/// The machine's own disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

struct RealFile(File);

impl Disk for RealDisk {
    fn is_read_side_by_side(&self) -> bool {
        true
    }

    fn make_dir(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    fn create(&self, path: &Path, len: u64) -> io::Result<Box<dyn DiskFile>> {
        let mut made = OpenOptions::new();
        let file = made.read(true).write(true).create_new(true).mode(0o600).open(path)?;
        let made = match fallocate(&file, FallocateFlags::empty(), 0, len) {
            // Some file systems cannot take room ahead; there the file grows as it is written.
            Err(rustix::io::Errno::OPNOTSUPP) => file.set_len(len),
            other => other.map_err(io::Error::from),
        };
        if let Err(error) = made {
            // A file without its room is of no use, and would stand in the way of the next attempt.
            drop(file);
            fs::remove_file(path)?;
            return Err(error);
        }
        Ok(Box::new(RealFile(file)))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        // Looking at a journal must work for one who may not write to it.
        let file = match OpenOptions::new().read(true).write(true).open(path) {
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
                ) =>
            {
                File::open(path)?
            }
            other => other?,
        };
        Ok(Box::new(RealFile(file)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_dir(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }
}

impl DiskFile for RealFile {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, offset)
    }

    fn read(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        let mut filled = 0;
        while filled < bytes.len() {
            match self.0.read_at(&mut bytes[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn sync_data(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }
}
