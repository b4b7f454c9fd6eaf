//! A disk in memory that forgets, tears and refuses as real ones do.
//!
//! Everything that was written is seen at once, but survives a crash only by what was synced before; the rest is kept, lost or
//! torn, as the crash is told to. Operations that change something are counted, so that a test can let any of them fail.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Disk, DiskFile};

/// The size in which a write may be torn.
const SECTOR: usize = 512;

/// What becomes, at a crash, of what was not synced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CrashStyle {
    /// All of it is gone.
    LoseAll,
    /// All of it is there, as after the death of the process alone.
    KeepAll,
    /// Every sector of every write is there or not, by chance; names are there in the order they were given, up to some point.
    Tear,
}

/// How one operation goes wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SimFault {
    /// It fails. A write has left half its bytes; a sync has dropped what it should have made durable, which is still seen
    /// until the machine crashes, and a second sync says that all is well.
    Fail,
    /// It fails for want of room, and nothing was changed.
    Full,
    /// The machine goes off in the middle of it; every later operation fails too, until [`SimDisk::reboot`].
    PowerOff,
}

/// A simulated disk. Clones are the same disk.
#[derive(Clone, Default)]
pub struct SimDisk {
    world: Arc<Mutex<World>>,
}

#[derive(Default)]
struct World {
    files: Vec<Content>,
    names: BTreeMap<PathBuf, usize>,
    durable_names: BTreeMap<PathBuf, usize>,
    /// What was done to names and not yet synced, in order.
    name_changes: Vec<NameChange>,
    faults: BTreeMap<u64, SimFault>,
    operations: u64,
    off: bool,
    /// Counts reboots: a file opened before one is of no use after it.
    life: u64,
}

#[derive(Default)]
struct Content {
    seen: Vec<u8>,
    durable: Vec<u8>,
    pending: Vec<Change>,
}

enum Change {
    Write { offset: usize, bytes: Vec<u8> },
    Resize(usize),
}

#[derive(Clone)]
enum NameChange {
    Named(PathBuf, usize),
    Renamed(PathBuf, PathBuf),
    Removed(PathBuf),
}

impl NameChange {
    fn folder(&self) -> Option<&Path> {
        match self {
            NameChange::Named(path, _) | NameChange::Renamed(_, path) | NameChange::Removed(path) => path.parent(),
        }
    }

    fn apply(&self, names: &mut BTreeMap<PathBuf, usize>) {
        match self {
            NameChange::Named(path, file) => {
                names.insert(path.clone(), *file);
            }
            NameChange::Renamed(from, to) => {
                if let Some(file) = names.remove(from) {
                    names.insert(to.clone(), file);
                }
            }
            NameChange::Removed(path) => {
                names.remove(path);
            }
        }
    }
}

impl SimDisk {
    /// An empty disk.
    pub fn new() -> SimDisk {
        SimDisk::default()
    }

    /// How many operations have changed or synced something.
    pub fn operations(&self) -> u64 {
        self.world().operations
    }

    /// Lets the operation of this number (the next one has the number [`SimDisk::operations`]) go wrong.
    pub fn fault_at(&self, operation: u64, fault: SimFault) {
        self.world().faults.insert(operation, fault);
    }

    /// Whether the machine has gone off.
    pub fn is_off(&self) -> bool {
        self.world().off
    }

    /// The machine goes off, if it has not yet, and on again. `seed` decides what a torn crash keeps.
    pub fn reboot(&self, style: CrashStyle, seed: u64) {
        self.world().reboot(style, seed);
    }

    /// Changes the durable bytes of a file behind everyone's back: rot, or an intruder.
    pub fn damage(&self, path: &Path, change: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
        let mut world = self.world();
        let file = world.find(path)?;
        let content = &mut world.files[file];
        change(&mut content.durable);
        content.seen = content.durable.clone();
        content.pending.clear();
        Ok(())
    }

    fn world(&self) -> MutexGuard<'_, World> {
        // A panic of another test thread leaves the world as it was between two operations.
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn file(&self, file: usize, life: u64) -> Box<dyn DiskFile> {
        Box::new(SimFile {
            world: self.world.clone(),
            file,
            life,
        })
    }
}

fn is_off() -> io::Error {
    io::Error::other("the machine is off")
}

fn full() -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, "no space left on the simulated disk")
}

fn failed() -> io::Error {
    io::Error::other("the simulated disk failed")
}

impl World {
    fn find(&self, path: &Path) -> io::Result<usize> {
        let missing = || io::Error::new(io::ErrorKind::NotFound, format!("no file {}", path.display()));
        self.names.get(path).copied().ok_or_else(missing)
    }

    /// Counts an operation and says how it goes wrong, if it does.
    fn operation(&mut self) -> io::Result<Option<SimFault>> {
        if self.off {
            return Err(is_off());
        }
        let fault = self.faults.remove(&self.operations);
        self.operations += 1;
        if fault == Some(SimFault::PowerOff) {
            self.off = true;
        }
        Ok(fault)
    }

    fn name_change(&mut self, change: NameChange) -> io::Result<()> {
        let fault = self.operation()?;
        if matches!(fault, Some(SimFault::Full | SimFault::Fail)) {
            return Err(if fault == Some(SimFault::Full) {
                full()
            } else {
                failed()
            });
        }
        change.apply(&mut self.names);
        self.name_changes.push(change);
        if fault == Some(SimFault::PowerOff) {
            Err(is_off())
        } else {
            Ok(())
        }
    }

    fn reboot(&mut self, style: CrashStyle, seed: u64) {
        let mut chance = Chance(seed);
        self.off = false;
        self.life += 1;
        self.faults.clear();
        for content in &mut self.files {
            let mut survived = std::mem::take(&mut content.durable);
            for change in content.pending.drain(..) {
                change.survive(&mut survived, style, &mut chance);
            }
            if style == CrashStyle::KeepAll {
                survived = content.seen.clone();
            }
            content.seen = survived.clone();
            content.durable = survived;
        }
        let kept = match style {
            CrashStyle::LoseAll => 0,
            CrashStyle::KeepAll => self.name_changes.len(),
            CrashStyle::Tear => chance.below(self.name_changes.len() + 1),
        };
        for change in self.name_changes.drain(..).take(kept) {
            change.apply(&mut self.durable_names);
        }
        self.names = self.durable_names.clone();
    }
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Change::Write { offset, bytes: new } => write_into(bytes, *offset, new),
            Change::Resize(len) => bytes.resize(*len, 0),
        }
    }

    fn survive(&self, bytes: &mut Vec<u8>, style: CrashStyle, chance: &mut Chance) {
        match (style, self) {
            (CrashStyle::LoseAll, _) => {}
            (CrashStyle::KeepAll, change) => change.apply(bytes),
            (CrashStyle::Tear, Change::Resize(len)) => {
                if chance.below(2) == 0 {
                    bytes.resize(*len, 0);
                }
            }
            (CrashStyle::Tear, Change::Write { offset, bytes: new }) => {
                // Thrown for each write: a crash that loses nearly all, nearly nothing, or half.
                let lost_of_8 = chance.below(9);
                let mut at = 0;
                while at < new.len() {
                    let end = new.len().min(at + SECTOR - (offset + at) % SECTOR);
                    if chance.below(8) >= lost_of_8 {
                        write_into(bytes, offset + at, &new[at..end]);
                    }
                    at = end;
                }
            }
        }
    }
}

fn write_into(bytes: &mut Vec<u8>, offset: usize, new: &[u8]) {
    if bytes.len() < offset + new.len() {
        bytes.resize(offset + new.len(), 0);
    }
    bytes[offset..offset + new.len()].copy_from_slice(new);
}

/// A small generator of chance (splitmix64), so that a seed always gives the same crash.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

impl Disk for SimDisk {
    fn make_dir(&self, _folder: &Path) -> io::Result<()> {
        Ok(())
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let world = self.world();
        if world.off {
            return Err(is_off());
        }
        let inside = world.names.keys().filter(|path| path.parent() == Some(folder));
        Ok(inside
            .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .collect())
    }

    fn create(&self, path: &Path, len: u64) -> io::Result<Box<dyn DiskFile>> {
        let mut world = self.world();
        if world.names.contains_key(path) {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                format!("{} is there already", path.display()),
            ));
        }
        let file = world.files.len();
        let mut content = Content::default();
        content.change(Change::Resize(len as usize));
        world.files.push(content);
        world.name_change(NameChange::Named(path.to_owned(), file))?;
        let life = world.life;
        drop(world);
        Ok(self.file(file, life))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let world = self.world();
        if world.off {
            return Err(is_off());
        }
        let (file, life) = (world.find(path)?, world.life);
        drop(world);
        Ok(self.file(file, life))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut world = self.world();
        world.find(from)?;
        world.name_change(NameChange::Renamed(from.to_owned(), to.to_owned()))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut world = self.world();
        world.find(path)?;
        world.name_change(NameChange::Removed(path.to_owned()))
    }

    fn sync_dir(&self, folder: &Path) -> io::Result<()> {
        let mut world = self.world();
        match world.operation()? {
            Some(SimFault::PowerOff) => return Err(is_off()),
            Some(_) => return Err(failed()),
            None => {}
        }
        let changes = std::mem::take(&mut world.name_changes);
        let (synced, waiting): (Vec<_>, Vec<_>) =
            changes.into_iter().partition(|change| change.folder() == Some(folder));
        synced.iter().for_each(|change| change.apply(&mut world.durable_names));
        world.name_changes = waiting;
        Ok(())
    }
}

impl Content {
    fn change(&mut self, change: Change) {
        change.apply(&mut self.seen);
        self.pending.push(change);
    }
}

struct SimFile {
    world: Arc<Mutex<World>>,
    file: usize,
    life: u64,
}

impl SimFile {
    fn world(&self) -> io::Result<MutexGuard<'_, World>> {
        let world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        if world.off || world.life != self.life {
            Err(is_off())
        } else {
            Ok(world)
        }
    }
}

impl DiskFile for SimFile {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut world = self.world()?;
        let fault = world.operation()?;
        let written = match fault {
            None | Some(SimFault::PowerOff) => bytes.len(),
            Some(SimFault::Fail) => bytes.len() / 2,
            Some(SimFault::Full) => 0,
        };
        let change = Change::Write {
            offset: offset as usize,
            bytes: bytes[..written].to_vec(),
        };
        world.files[self.file].change(change);
        match fault {
            None => Ok(()),
            Some(SimFault::Fail) => Err(failed()),
            Some(SimFault::Full) => Err(full()),
            Some(SimFault::PowerOff) => Err(is_off()),
        }
    }

    fn read(&self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        let world = self.world()?;
        let seen = &world.files[self.file].seen;
        let from = seen.len().min(offset as usize);
        Ok(seen[from..seen.len().min(from.saturating_add(len))].to_vec())
    }

    fn len(&self) -> io::Result<u64> {
        Ok(self.world()?.files[self.file].seen.len() as u64)
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        let mut world = self.world()?;
        match world.operation()? {
            Some(SimFault::PowerOff) => return Err(is_off()),
            Some(_) => return Err(failed()),
            None => {}
        }
        world.files[self.file].change(Change::Resize(len as usize));
        Ok(())
    }

    fn sync_data(&mut self) -> io::Result<()> {
        let mut world = self.world()?;
        match world.operation()? {
            Some(SimFault::PowerOff) => return Err(is_off()),
            Some(_) => {
                world.files[self.file].pending.clear();
                return Err(failed());
            }
            None => {}
        }
        let content = &mut world.files[self.file];
        for change in content.pending.drain(..) {
            change.apply(&mut content.durable);
        }
        Ok(())
    }
}
