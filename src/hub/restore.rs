//! A start: everything as the journal says it was.
//!
//! Kept values make it quick, the journal's tail brings them up to its end; where there are no values the whole journal is the
//! tail. Events are folded, the Laws are not run again. A table whose game fails here is parked, and the others go on.

use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use super::HubError;
use super::keep::{self, Keeper};
use super::marks::{DeviceMarks, Marks};
use crate::game::audience::ArbiterView;
use crate::hall::clock::{Mapping, wall_ms};
use crate::hall::ids::{GameId, TableNo};
use crate::hall::model::{Registry, Seat};
use crate::hall::record::{DeviceRecord, KeptGame, TableRecord, read, write};
use crate::hall::registry::HallEvent;
use crate::store::{Entry, EntryKind, NewEntry, StateReader, Store, StoreOptions, Tree};
use crate::time::HallTime;

/// A hall as it was, and the store that says so.
pub(super) struct Restored {
    pub store: Store,
    pub registry: Arc<Registry>,
    /// The position of what was last folded into the registry.
    pub registry_position: u64,
    /// The games at the tables, with the position of what was last folded into each.
    pub games: Vec<(u64, KeptGame)>,
    pub marks: Marks,
    /// Hall time from now on; in the journal already.
    pub mapping: Mapping,
}

/// A hall that is put together from kept values, where there are any, and the journal's entries after them.
#[derive(Default)]
pub(crate) struct Folding {
    state: Option<StateReader>,
    pub registry: Registry,
    pub registry_position: u64,
    registry_changed: bool,
    games: HashMap<GameId, (u64, KeptGame)>,
    changed_games: BTreeSet<GameId>,
    pub marks: Marks,
    mapping: Option<Mapping>,
    /// The latest hall time that anything was heard at.
    heard: HallTime,
}

/// Opens the data folder. Blocks.
pub(super) fn restore(data: &Path, speed: Option<f64>) -> Result<Restored, HubError> {
    let opened = Store::open(data, StoreOptions::default(), wall_ms)?;
    for note in &opened.notes {
        tracing::warn!(%note, "the store was mended");
    }
    let mut folding = Folding::over(&opened.store.state())?;
    let mut replayed = 0u64;
    for entry in opened.tail {
        folding.entry(&entry?)?;
        replayed += 1;
    }
    folding.games_at_tables()?;
    tracing::info!(
        epoch = opened.store.epoch(),
        end = opened.end,
        checkpoint = opened.checkpoint,
        replayed,
        tables = folding.registry.tables.len(),
        devices = folding.registry.devices.len(),
        "the hall is as the journal says"
    );

    let mapping = folding.next_mapping(wall_ms(), speed);
    let entry = NewEntry::new(EntryKind::Clock, mapping.hall, write(&mapping));
    let commit = opened.store.commits().commit_blocking(vec![entry])?;

    let keeper = Keeper::new(opened.store.writer(), folding.marks.clone());
    keeper.clock(commit.last(), &mapping);
    if folding.registry_changed {
        keeper.registry(
            folding.registry_position,
            &folding.registry,
            folding.registry.games.values(),
        );
    }
    for id in &folding.changed_games {
        if let Some((position, kept)) = folding.games.get(id) {
            keeper.game(*position, kept);
        }
    }
    keeper.all_marks(commit.last());
    opened.replay.folded();
    commit.folded();

    let games = folding.take_games();
    Ok(Restored {
        store: opened.store,
        registry: Arc::new(folding.registry),
        registry_position: folding.registry_position,
        games,
        marks: folding.marks,
        mapping,
    })
}

impl Folding {
    /// Begins with what was kept.
    fn over(state: &StateReader) -> Result<Folding, HubError> {
        let mut folding = Folding {
            state: Some(state.clone()),
            ..Folding::default()
        };
        if let Some(kept) = state.get(Tree::Hall, keep::REGISTRY)?
            && let Some(value) = kept.value
        {
            folding.registry = read("the registry", &value)?;
            folding.registry_position = kept.position;
        }
        for kept in state.iter(Tree::Hall)? {
            let kept = kept?;
            if let (true, Some(value)) = (kept.key.starts_with(keep::SEAT), kept.value) {
                let seat: Seat = read("a game's seat", &value)?;
                folding.registry.games.insert(seat.game, Arc::new(seat));
            }
        }
        for kept in state.iter(Tree::Sessions)? {
            let kept = kept?;
            let device = std::str::from_utf8(&kept.key).ok().and_then(|id| id.parse().ok());
            if let Some((device, value)) = device.zip(kept.value) {
                let marks: DeviceMarks = read("a device's marks", &value)?;
                folding.marks.restore(device, marks);
            }
        }
        if let Some(value) = state.get(Tree::Meta, keep::CLOCK)?.and_then(|kept| kept.value) {
            folding.mapping = Some(read("the hall clock", &value)?);
        }
        Ok(folding)
    }

    /// Hall time of this start, to be written to the journal.
    pub fn next_mapping(&self, wall_ms: i64, speed: Option<f64>) -> Mapping {
        match &self.mapping {
            Some(last) => last.next(wall_ms, speed.unwrap_or(last.speed), self.heard),
            None => Mapping::first(wall_ms, speed.unwrap_or(1.0)),
        }
    }

    /// The games at the tables, each with the position of what was last folded into it.
    pub fn take_games(&mut self) -> Vec<(u64, KeptGame)> {
        let current: BTreeSet<_> = self.registry.tables.values().filter_map(|table| table.game).collect();
        let games = std::mem::take(&mut self.games).into_iter();
        games
            .filter(|(id, _)| current.contains(id))
            .map(|(_, game)| game)
            .collect()
    }

    /// Takes the next entry.
    pub fn entry(&mut self, entry: &Entry) -> Result<(), HubError> {
        let content = &entry.content;
        self.heard = self.heard.max(content.heard);
        for mark in &content.sessions {
            self.marks.progress(mark);
        }
        match content.kind {
            EntryKind::Hall => {
                let event: HallEvent = read("a change of the hall", &content.payload)?;
                if entry.position > self.registry_position {
                    self.registry.fold(&event).map_err(|error| HubError::Journal {
                        position: entry.position,
                        why: error.to_string(),
                    })?;
                    self.registry_position = entry.position;
                    self.registry_changed = true;
                }
            }
            EntryKind::Table => {
                let (Some(game), Some(table)) = (content.game, content.table) else {
                    return Ok(());
                };
                let record: TableRecord = read("what happened at a table", &content.payload)?;
                self.table(entry.position, TableNo(table), GameId(game), &record)?;
            }
            EntryKind::Sessions => {
                let record: DeviceRecord = read("what became known of a device", &content.payload)?;
                self.marks.record(&record);
            }
            EntryKind::Clock => self.mapping = Some(read("the hall clock", &content.payload)?),
            EntryKind::Note => {}
        }
        Ok(())
    }

    fn table(&mut self, position: u64, table: TableNo, id: GameId, record: &TableRecord) -> Result<(), HubError> {
        if !self.load(id)? {
            return Err(HubError::Journal {
                position,
                why: format!("table {table} has an event of game {id}, which was never armed"),
            });
        }
        let Some((folded, kept)) = self.games.get_mut(&id).filter(|(folded, _)| *folded < position) else {
            return Ok(());
        };
        *folded = position;
        self.changed_games.insert(id);
        if let Err(why) = kept.fold(record) {
            tracing::error!(table = kept.table.0, game = %kept.id, position, %why, "the game cannot be replayed: the table goes on by hand");
        }
        Ok(())
    }

    /// Makes sure that a game is there: as it was kept, or as it was armed.
    fn load(&mut self, id: GameId) -> Result<bool, HubError> {
        if self.games.contains_key(&id) {
            return Ok(true);
        }
        let Some(seat) = self.registry.games.get(&id) else {
            return Ok(false);
        };
        let kept = match &self.state {
            Some(state) => state.get(Tree::Games, id.0.as_bytes())?,
            None => None,
        };
        let kept = match kept.map(|kept| (kept.position, kept.value)) {
            Some((position, Some(value))) => (position, read("a game", &value)?),
            _ => (0, KeptGame::new(seat)),
        };
        self.games.insert(id, kept);
        Ok(true)
    }

    /// Games that nothing has happened in yet are at their tables too.
    pub fn games_at_tables(&mut self) -> Result<(), HubError> {
        let ids: Vec<_> = self.registry.tables.values().filter_map(|table| table.game).collect();
        for id in ids {
            self.load(id)?;
        }
        Ok(())
    }
}

/// A game of an earlier round, as it was left; `None` where nothing is kept of it.
pub(super) fn past_game(state: &StateReader, seat: &Seat) -> Option<ArbiterView> {
    let kept = match state.get(Tree::Games, seat.game.0.as_bytes()) {
        Ok(kept) => kept?.value?,
        Err(error) => {
            tracing::warn!(game = %seat.game, %error, "an earlier game cannot be read from the state");
            return None;
        }
    };
    let kept: KeptGame = match read("a game", &kept) {
        Ok(kept) => kept,
        Err(error) => {
            tracing::warn!(game = %seat.game, %error, "an earlier game cannot be read from the state");
            return None;
        }
    };
    let now = kept.game.state().time;
    let view = catch_unwind(AssertUnwindSafe(|| kept.game.arbiter_view(now)));
    let mut view = view.ok()?;
    if let Some(result) = kept.result_by_hand {
        view.result = result;
    }
    view.parked = kept.parked;
    Some(view)
}
