//! The little that the journal needs of a disk, so that the same journal runs on a real one and on a simulated one.

use std::io;
use std::path::Path;

mod real;
mod sim;

pub use real::RealDisk;
pub use sim::{CrashStyle, SimDisk, SimFault};

/// A folder tree with files. What is written or renamed is only sure to be there after a crash once it has been synced.
pub trait Disk: Send + Sync {
    /// Makes a folder and those above it.
    fn make_dir(&self, folder: &Path) -> io::Result<()>;
    /// Names of the files (not folders) in a folder, sorted. A folder that is not there has none.
    fn list(&self, folder: &Path) -> io::Result<Vec<String>>;
    /// Makes a new file of so many zero bytes, with room for all of them taken on the disk. Fails if it is there already.
    fn create(&self, path: &Path, len: u64) -> io::Result<Box<dyn DiskFile>>;
    /// Opens a file to read and write.
    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;
    /// Gives a file another name; a file that had that name is replaced.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes the names in a folder durable.
    fn sync_dir(&self, folder: &Path) -> io::Result<()>;
    /// Whether several threads may read from it at once with any gain.
    fn is_read_side_by_side(&self) -> bool {
        false
    }
}

/// An open file.
pub trait DiskFile: Send {
    /// Writes all of these bytes at this place.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// So many bytes from this place on, or fewer where the file ends.
    fn read(&self, offset: u64, len: usize) -> io::Result<Vec<u8>>;
    /// The whole content.
    fn read_all(&self) -> io::Result<Vec<u8>> {
        self.read(0, usize::try_from(self.len()?).map_err(io::Error::other)?)
    }
    /// Its size.
    fn len(&self) -> io::Result<u64>;
    /// Whether it holds nothing.
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }
    /// Shortens it to this size.
    fn cut(&mut self, len: u64) -> io::Result<()>;
    /// Makes what was written durable.
    fn sync_data(&mut self) -> io::Result<()>;
}
