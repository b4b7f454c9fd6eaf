//! What is kept in the state so that a start is quick: the registry, games, devices' marks, the clock.

use std::sync::{Arc, Mutex, PoisonError};

use super::marks::Marks;
use crate::hall::clock::Mapping;
use crate::hall::ids::DeviceId;
use crate::hall::model::{Registry, Seat};
use crate::hall::record::{DeviceRecord, KeptGame, read, write};
use crate::store::{EntryKind, NewEntry, SessionMark, StateWriter, Tree};

/// The registry without its games.
pub(super) const REGISTRY: &[u8] = b"registry";
/// A game's seat, followed by its id.
pub(super) const SEAT: &[u8] = b"seat/";
/// The hall clock.
pub(super) const CLOCK: &[u8] = b"clock";

/// Puts values that have changed. Cheap to clone.
#[derive(Clone)]
pub(super) struct Keeper {
    writer: StateWriter,
    /// All shards tell of devices' progress here, so that a mark never goes back.
    marks: Arc<Mutex<Marks>>,
}

/// What a commit says of devices.
#[derive(Default)]
pub(super) struct Progress {
    marks: Vec<SessionMark>,
    records: Vec<DeviceRecord>,
}

impl Progress {
    /// What these entries say.
    pub fn of(entries: &[NewEntry]) -> Progress {
        let mut progress = Progress::default();
        for entry in entries {
            progress.marks.extend(entry.sessions.iter().cloned());
            if entry.kind == EntryKind::Sessions
                && let Ok(record) = read("what became known of a device", &entry.payload)
                && record != DeviceRecord::Progress
            {
                progress.records.push(record);
            }
        }
        progress
    }
}

impl Keeper {
    pub fn new(writer: StateWriter, marks: Marks) -> Keeper {
        Keeper {
            writer,
            marks: Arc::new(Mutex::new(marks)),
        }
    }

    /// What has become durable of devices.
    pub fn progress(&self, position: u64, progress: &Progress) {
        if progress.marks.is_empty() && progress.records.is_empty() {
            return;
        }
        let mut marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed: Vec<DeviceId> = progress
            .records
            .iter()
            .filter_map(|record| marks.record(record))
            .collect();
        changed.extend(progress.marks.iter().filter_map(|mark| marks.progress(mark)));
        changed.dedup();
        for device in changed {
            self.put_marks(position, &device, &marks);
        }
    }

    /// The marks of every device.
    pub fn all_marks(&self, position: u64) {
        let marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        for (device, _) in marks.iter() {
            self.put_marks(position, device, &marks);
        }
    }

    fn put_marks(&self, position: u64, device: &DeviceId, marks: &Marks) {
        if let Some(kept) = marks.get(device) {
            self.writer
                .put(Tree::Sessions, device.as_str().as_bytes(), position, write(kept));
        }
    }

    /// A game.
    pub fn game(&self, position: u64, kept: &KeptGame) {
        self.writer
            .put(Tree::Games, kept.id.0.as_bytes().as_slice(), position, write(kept));
    }

    /// The registry, and the seats that are new in it.
    pub fn registry<'a>(&self, position: u64, registry: &Registry, seats: impl IntoIterator<Item = &'a Arc<Seat>>) {
        for seat in seats {
            let key: Vec<u8> = SEAT.iter().chain(seat.game.0.as_bytes()).copied().collect();
            self.writer.put(Tree::Hall, key, position, write(seat.as_ref()));
        }
        // Seats never change, and a season has many.
        let rest = Registry {
            events: registry.events.clone(),
            tables: registry.tables.clone(),
            devices: registry.devices.clone(),
            people: registry.people.clone(),
            games: Default::default(),
        };
        self.writer.put(Tree::Hall, REGISTRY, position, write(&rest));
    }

    /// The hall clock.
    pub fn clock(&self, position: u64, mapping: &Mapping) {
        self.writer.put(Tree::Meta, CLOCK, position, write(mapping));
    }
}
