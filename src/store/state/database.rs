//! sled, opened on a copy, checked, and started afresh when it does not hold what it should.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use super::{Manifest, Tree};
use uuid::Uuid;

use crate::store::error::StateError;
use crate::store::journal::Known;

const CACHE_BYTES: u64 = 64 << 20;
/// The tree that says how far the others are.
const MARKS: &str = "marks";
const CHECKPOINT: &[u8] = b"checkpoint";
const HIGHEST: &[u8] = b"highest";

/// Version of the form of a value: this byte, a byte that is 1 for a value that was removed, the position (u64, big-endian),
/// the value.
const VERSION: u8 = 1;
const VALUE_HEAD: usize = 10;

/// A value of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateValue {
    /// Its key.
    pub key: Vec<u8>,
    /// The journal position up to which everything that concerns it is in it.
    pub position: u64,
    /// The value; none if it has been removed.
    pub value: Option<Vec<u8>>,
}

/// Reads values. Clones read the same.
#[derive(Clone)]
pub struct StateReader {
    db: sled::Db,
    path: PathBuf,
}

impl StateReader {
    /// The value of this key.
    pub fn get(&self, tree: Tree, key: &[u8]) -> Result<Option<StateValue>, StateError> {
        let found = self.tree(tree)?.get(key).map_err(failed(&self.path))?;
        found.map(|bytes| decode(tree, key.to_vec(), &bytes)).transpose()
    }

    /// All values of a tree in the order of their keys, the removed ones (without a value) too.
    pub fn iter(&self, tree: Tree) -> Result<impl Iterator<Item = Result<StateValue, StateError>> + use<>, StateError> {
        let path = self.path.clone();
        Ok(self.tree(tree)?.iter().map(move |found| {
            let (key, bytes) = found.map_err(failed(&path))?;
            decode(tree, key.to_vec(), &bytes)
        }))
    }

    fn tree(&self, tree: Tree) -> Result<sled::Tree, StateError> {
        self.db.open_tree(tree.name()).map_err(failed(&self.path))
    }
}

fn decode(tree: Tree, key: Vec<u8>, bytes: &[u8]) -> Result<StateValue, StateError> {
    let version = bytes.first().copied().unwrap_or_default();
    let bad = || StateError::Value {
        tree: tree.name(),
        version,
    };
    if version != VERSION || bytes.len() < VALUE_HEAD {
        return Err(bad());
    }
    let position = u64::from_be_bytes(bytes[2..VALUE_HEAD].try_into().map_err(|_| bad())?);
    let value = (bytes[1] == 0).then(|| bytes[VALUE_HEAD..].to_vec());
    Ok(StateValue { key, position, value })
}

fn encode(position: u64, value: Option<&[u8]>) -> Vec<u8> {
    let mut bytes = vec![VERSION, u8::from(value.is_none())];
    bytes.extend_from_slice(&position.to_be_bytes());
    bytes.extend_from_slice(value.unwrap_or_default());
    bytes
}

fn failed(path: &Path) -> impl FnOnce(sled::Error) -> StateError {
    let path = path.to_owned();
    move |error| StateError::Database {
        path,
        what: error.to_string(),
    }
}

/// The database in use.
pub(in crate::store) struct Database {
    db: sled::Db,
    /// The state's folder, and the database's in it.
    folder: PathBuf,
    path: PathBuf,
    /// sled's own flush does not reach the disk: its file is synced through this.
    file: File,
    /// Files of large values that have been synced.
    synced_blobs: HashSet<PathBuf>,
}

/// A change of a value: its position, and what it is now.
pub(super) type Change = (u64, Option<Vec<u8>>);

impl Database {
    pub(in crate::store) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub(in crate::store) fn reader(&self) -> StateReader {
        StateReader {
            db: self.db.clone(),
            path: self.path.clone(),
        }
    }

    pub(in crate::store) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes values and what they stand for, and makes them durable.
    pub(super) fn write(&mut self, values: Vec<(Tree, Vec<u8>, Change)>, checkpoint: u64) -> Result<(), StateError> {
        let marks = self.db.open_tree(MARKS).map_err(failed(&self.path))?;
        let highest = values.iter().map(|(_, _, (position, _))| *position).max().unwrap_or(0);
        // First how far any value may be, then the values, last that they are there: a crash between leaves nothing wrong,
        // since every value has its own position.
        if highest > mark(&marks, HIGHEST).map_err(failed(&self.path))? {
            marks
                .insert(HIGHEST, &highest.to_be_bytes())
                .map_err(failed(&self.path))?;
        }
        for tree in Tree::ALL {
            let mut batch = sled::Batch::default();
            for (_, key, (position, value)) in values.iter().filter(|(of, ..)| *of == tree) {
                batch.insert(key.as_slice(), encode(*position, value.as_deref()));
            }
            let tree = self.db.open_tree(tree.name()).map_err(failed(&self.path))?;
            tree.apply_batch(batch).map_err(failed(&self.path))?;
        }
        marks
            .insert(CHECKPOINT, &checkpoint.to_be_bytes())
            .map_err(failed(&self.path))?;
        self.sync()
    }

    fn sync(&mut self) -> Result<(), StateError> {
        self.db.flush().map_err(failed(&self.path))?;
        let blobs = self.path.join("blobs");
        let there: HashSet<PathBuf> = files_in(&blobs)
            .map_err(StateError::io("listing", &blobs))?
            .into_iter()
            .collect();
        self.synced_blobs.retain(|blob| there.contains(blob));
        let mut new_blobs = false;
        for blob in there {
            if !self.synced_blobs.contains(&blob) {
                match File::open(&blob).and_then(|file| file.sync_all()) {
                    // Its value has been replaced meanwhile.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    other => other.map_err(StateError::io("syncing", &blob))?,
                }
                new_blobs = true;
                self.synced_blobs.insert(blob);
            }
        }
        if new_blobs {
            sync_folder(&blobs)?;
        }
        self.file
            .sync_data()
            .map_err(StateError::io("syncing", self.path.join("db")))
    }
}

fn mark(marks: &sled::Tree, name: &[u8]) -> sled::Result<u64> {
    let bytes = marks.get(name)?;
    Ok(bytes
        .and_then(|bytes| Some(u64::from_be_bytes(bytes.as_ref().try_into().ok()?)))
        .unwrap_or(0))
}

/// What a start found.
pub(in crate::store) struct Opening {
    pub(in crate::store) database: Database,
    /// Up to where its values hold everything; 0 when it is new.
    pub(in crate::store) checkpoint: u64,
    /// What the journal must have.
    pub(in crate::store) known: Known,
    /// The hall whose state it is, if there was one.
    pub(in crate::store) hall_id: Option<Uuid>,
    pub(in crate::store) notes: Vec<String>,
}

/// Opens the state's database, or begins a new one where there is none that holds what it should.
pub(in crate::store) fn open(folder: &Path) -> Result<Opening, StateError> {
    fs::create_dir_all(folder).map_err(StateError::io("making the folder", folder))?;
    let mut notes = Vec::new();
    let manifest = match Manifest::read(folder)? {
        Some(Ok(manifest)) => Some(manifest),
        Some(Err(what)) => {
            notes.push(format!("the state is built again from the journal: {what}"));
            None
        }
        None => None,
    };
    let there = databases_in(folder)?;
    let was_there = manifest.is_some() || !there.is_empty() || !notes.is_empty();
    let mut next = there.iter().map(|(number, _)| *number).max().unwrap_or(0) + 1;
    let hall_id = manifest.as_ref().map(|manifest| manifest.hall_id);
    let known = manifest.as_ref().map(|manifest| manifest.known).unwrap_or_default();
    if let Some(manifest) = manifest {
        let live = folder.join(&manifest.database);
        match reopen(folder, &live, &manifest, &mut next) {
            Ok((database, checkpoint, highest)) => {
                // What else is there are copies that a crash has left.
                for (_, path) in there.into_iter().filter(|(_, path)| *path != live) {
                    remove_folder(&path)?;
                }
                let known = Known {
                    position: known.position.max(highest),
                    ..known
                };
                return Ok(Opening {
                    database,
                    checkpoint,
                    known,
                    hall_id,
                    notes,
                });
            }
            Err(what) => notes.push(format!("the state is built again from the journal: {what}")),
        }
    } else if !there.is_empty() && notes.is_empty() {
        notes.push("the state is built again from the journal: its MANIFEST is missing".into());
    }
    if !was_there {
        notes.push("the state is built again from the journal: there was none".into());
    }
    for (_, path) in there {
        move_aside(folder, &path)?;
    }
    let path = folder.join(database_name(next));
    let db = open_sled(&path).map_err(|what| StateError::Database {
        path: path.clone(),
        what,
    })?;
    let database = in_use(folder, path, db)?;
    for synced in [&database.path, &folder.to_owned()] {
        sync_folder(synced)?;
    }
    if let Some(parent) = folder.parent() {
        sync_folder(parent)?;
    }
    Ok(Opening {
        database,
        checkpoint: 0,
        known,
        hall_id,
        notes,
    })
}

/// What the manifest says that the journal must have.
pub(in crate::store) fn known(folder: &Path) -> Result<Known, StateError> {
    let manifest = Manifest::read(folder)?.and_then(Result::ok);
    Ok(manifest.map(|manifest| manifest.known).unwrap_or_default())
}

/// Writes down what a copied journal must have; there is no database with it.
pub(in crate::store) fn note_copy(folder: &Path, hall_id: Uuid, known: Known) -> Result<(), StateError> {
    fs::create_dir_all(folder).map_err(StateError::io("making the folder", folder))?;
    Manifest {
        hall_id,
        known,
        checkpoint: 0,
        database: "not-copied".into(),
    }
    .write(folder)
}

/// Forgets the manifest, once a loss is accepted: the next start begins a new state.
pub(in crate::store) fn forget(folder: &Path) -> Result<(), StateError> {
    Manifest::remove(folder)
}

/// Opens a copy of the database; a second one without sled's snapshots, which it can do without, if the first does not open.
fn reopen(folder: &Path, live: &Path, manifest: &Manifest, next: &mut u64) -> Result<(Database, u64, u64), String> {
    if !live.is_dir() {
        return Err(format!("{} is missing", live.display()));
    }
    let mut what = String::new();
    for with_snapshots in [true, false] {
        let path = folder.join(database_name(*next));
        *next += 1;
        let opened = copy_database(live, &path, with_snapshots)
            .map_err(|error| format!("copying {} failed: {error}", live.display()))
            .and_then(|()| open_sled(&path))
            .and_then(|db| {
                let (checkpoint, highest) = check(&db, manifest)?;
                let mut database = in_use(folder, path.clone(), db).map_err(|error| error.to_string())?;
                // All of the copy, before the original may go.
                database.sync().map_err(|error| error.to_string())?;
                sync_folder(&path).map_err(|error| error.to_string())?;
                Ok((database, checkpoint, highest))
            });
        match opened {
            Ok(opened) => return Ok(opened),
            Err(wrong) => {
                what = wrong;
                if let Err(error) = remove_folder(&path) {
                    tracing::warn!(%error, "A copy of the state's database was left behind.");
                }
            }
        }
    }
    Err(what)
}

/// Whether the database can be read and holds what the manifest says.
fn check(db: &sled::Db, manifest: &Manifest) -> Result<(u64, u64), String> {
    let read = || {
        let marks = db.open_tree(MARKS)?;
        let (checkpoint, mut highest) = (mark(&marks, CHECKPOINT)?, mark(&marks, HIGHEST)?);
        let mut bad = None;
        for tree in Tree::ALL {
            for found in db.open_tree(tree.name())?.iter() {
                let (key, bytes) = found?;
                match decode(tree, key.to_vec(), &bytes) {
                    Ok(value) => highest = highest.max(value.position),
                    Err(error) => bad = Some(error.to_string()),
                }
            }
        }
        Ok((checkpoint, highest, bad))
    };
    // sled panics over some kinds of damage.
    let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
    let read: Result<_, sled::Error> = read.map_err(|_| "the database panicked when it was read".to_owned())?;
    let (checkpoint, highest, bad) = read.map_err(|error| format!("the database cannot be read: {error}"))?;
    if let Some(bad) = bad {
        return Err(bad);
    }
    if checkpoint < manifest.checkpoint {
        return Err(format!(
            "the database only goes to position {checkpoint}, but held everything up to {}",
            manifest.checkpoint
        ));
    }
    Ok((checkpoint, highest))
}

fn open_sled(path: &Path) -> Result<sled::Db, String> {
    let path = path.to_owned();
    // In a thread of its own: sled panics over some kinds of damage.
    let opened = thread::spawn(move || {
        sled::Config::new()
            .path(path)
            .mode(sled::Mode::HighThroughput)
            .cache_capacity(CACHE_BYTES)
            .flush_every_ms(None)
            .open()
            .map_err(|error| format!("the database cannot be opened: {error}"))
    });
    opened
        .join()
        .unwrap_or_else(|_| Err("the database panicked when it was opened".into()))
}

fn in_use(folder: &Path, path: PathBuf, db: sled::Db) -> Result<Database, StateError> {
    let file = path.join("db");
    let file = File::open(&file).map_err(StateError::io("opening", &file))?;
    Ok(Database {
        db,
        folder: folder.to_owned(),
        path,
        file,
        synced_blobs: HashSet::new(),
    })
}

fn database_name(number: u64) -> String {
    format!("sled-{number:06}")
}

fn databases_in(folder: &Path) -> Result<Vec<(u64, PathBuf)>, StateError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(StateError::io("listing", folder))? {
        let entry = entry.map_err(StateError::io("listing", folder))?;
        let name = entry.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix("sled-"))
            .and_then(|number| number.parse().ok());
        if let Some(number) = number {
            found.push((number, entry.path()));
        }
    }
    Ok(found)
}

fn copy_database(from: &Path, to: &Path, with_snapshots: bool) -> io::Result<()> {
    fs::create_dir_all(to.join("blobs"))?;
    for file in files_in(from)? {
        let Some(name) = file.file_name() else { continue };
        if with_snapshots || !name.to_string_lossy().starts_with("snap.") {
            fs::copy(&file, to.join(name))?;
        }
    }
    for blob in files_in(&from.join("blobs"))? {
        let Some(name) = blob.file_name() else { continue };
        fs::copy(&blob, to.join("blobs").join(name))?;
    }
    Ok(())
}

fn files_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            files.push(entry.path());
        }
    }
    Ok(files)
}

/// Moves a database to `aside/` in the state's folder.
pub(in crate::store) fn move_aside(folder: &Path, path: &Path) -> Result<PathBuf, StateError> {
    let aside = folder.join("aside");
    fs::create_dir_all(&aside).map_err(StateError::io("making the folder", &aside))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut target = aside.join(&name);
    let mut number = 2;
    while target.exists() {
        target = aside.join(format!("{name}.{number}"));
        number += 1;
    }
    fs::rename(path, &target).map_err(StateError::io("moving aside", path))?;
    Ok(target)
}

fn remove_folder(path: &Path) -> Result<(), StateError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StateError::io("removing", path)(error)),
        _ => Ok(()),
    }
}

fn sync_folder(folder: &Path) -> Result<(), StateError> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(StateError::io("syncing the folder", folder))
}
