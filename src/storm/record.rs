//! What is durable, kept once more beside the hub: the fold of the journal as it was acknowledged.
//!
//! Everything that the hub shows, answers or calls seen is held against it.

use std::collections::BTreeMap;

use crate::game::input::{Happening, Input, Origin};
use crate::game::{Event, Game, Note, Step};
use crate::hall::ids::{GameId, TableNo};
use crate::hall::model::Registry;
use crate::hall::record::{KeptGame, TableRecord, read};
use crate::hall::registry::HallEvent;
use crate::store::{Entry, EntryKind, NewEntry};

/// A game as the journal has it.
pub(super) struct Kept {
    pub table: TableNo,
    pub game: Game,
    /// The steps of its present course, with what each took.
    pub course: Vec<(u64, Option<Box<Input>>)>,
    pub position: u64,
    pub parked: bool,
    /// As it was lately, by position: what is shown may be a commit behind.
    lately: Vec<(u64, Game)>,
}

/// The journal as far as it is acknowledged.
#[derive(Default)]
pub(super) struct Record {
    entries: Vec<NewEntry>,
    pub registry: Registry,
    pub games: BTreeMap<GameId, Kept>,
    marks: BTreeMap<(String, u32), i64>,
    requests: BTreeMap<(String, String), u64>,
}

impl Record {
    /// The last durable position.
    pub fn durable(&self) -> u64 {
        self.entries.len() as u64
    }

    /// How far a device's boot is durable.
    pub fn mark(&self, device: &str, boot: u32) -> i64 {
        self.marks.get(&(device.to_owned(), boot)).copied().unwrap_or(-1)
    }

    /// Where a call stands.
    pub fn request(&self, author: &str, id: &str) -> Option<u64> {
        self.requests.get(&(author.to_owned(), id.to_owned())).copied()
    }

    /// The game at a table.
    pub fn at_table(&self, table: u32) -> Option<&Kept> {
        let game = self.registry.tables.get(&TableNo(table))?.game?;
        self.games.get(&game)
    }

    /// Takes what has become durable at this position; what was found and ruled in it comes back.
    pub fn take(&mut self, position: u64, content: &NewEntry) -> Result<Vec<(TableNo, Note)>, String> {
        if position != self.durable() + 1 {
            return Err(format!(
                "position {position} was acknowledged after position {}",
                self.durable()
            ));
        }
        self.entries.push(content.clone());
        for mark in &content.sessions {
            let known = self.marks.entry((mark.device.clone(), mark.boot)).or_insert(-1);
            *known = mark.seq.max(*known);
        }
        if let Some(key) = &content.request
            && let Some(before) = self.requests.insert((key.author.clone(), key.id.clone()), position)
        {
            return Err(format!(
                "request {} of {} was done at {before} and again at {position}",
                key.id, key.author
            ));
        }
        match content.kind {
            EntryKind::Hall => {
                let event: HallEvent = read("a change", &content.payload).map_err(|error| error.to_string())?;
                self.registry.fold(&event).map_err(|error| error.to_string())?;
                for (id, seat) in &self.registry.games {
                    self.games.entry(*id).or_insert_with(|| Kept {
                        table: seat.table,
                        game: Game::new(seat.setup.clone()),
                        course: Vec::new(),
                        position: 0,
                        parked: false,
                        lately: vec![(0, Game::new(seat.setup.clone()))],
                    });
                }
                Ok(Vec::new())
            }
            EntryKind::Table => self.at(position, content),
            EntryKind::Sessions | EntryKind::Clock | EntryKind::Note => Ok(Vec::new()),
        }
    }

    fn at(&mut self, position: u64, content: &NewEntry) -> Result<Vec<(TableNo, Note)>, String> {
        let record: TableRecord = read("a table's", &content.payload).map_err(|error| error.to_string())?;
        let id = content.game.map(GameId).ok_or("a table's entry without a game")?;
        let kept = self
            .games
            .get_mut(&id)
            .ok_or("an entry of a game that was never armed")?;
        kept.position = position;
        let mut notes = Vec::new();
        match record {
            TableRecord::Taken { events } => {
                for event in &events {
                    kept.game
                        .fold(event)
                        .map_err(|error| format!("position {position}: {error}"))?;
                    let (back_to, steps) = match event {
                        Event::Taken { steps, .. } => (u64::MAX, steps),
                        Event::Reconsidered { back_to, steps, .. } => (*back_to, steps),
                    };
                    kept.course.retain(|(number, _)| *number <= back_to);
                    let taken = |step: &Step| (step.number, step.input.clone());
                    kept.course.extend(steps.iter().map(taken));
                    let found = steps.iter().flat_map(|step| step.notes.iter().cloned());
                    notes.extend(found.map(|note| (kept.table, note)));
                }
            }
            TableRecord::Parked { why, .. } => {
                return Err(format!("table {} was parked: {why}", kept.table));
            }
            TableRecord::Aside { .. } | TableRecord::ResultByHand { .. } => kept.parked = true,
        }
        if kept.lately.len() > 8 {
            kept.lately.remove(0);
        }
        kept.lately.push((position, kept.game.clone()));
        Ok(notes)
    }

    /// What a start has read must begin with what was acknowledged, and come to the same; what is new in it is taken.
    pub fn compare(&mut self, read: &[Entry]) -> Result<Vec<(TableNo, Note)>, String> {
        if read.len() < self.entries.len() {
            return Err(format!(
                "the journal ends at position {}, but {} was acknowledged",
                read.len(),
                self.entries.len()
            ));
        }
        for (at, (known, entry)) in self.entries.iter().zip(read).enumerate() {
            if *known != entry.content || entry.position != at as u64 + 1 {
                return Err(format!("position {} is not as it was acknowledged", at + 1));
            }
        }
        let mut notes = Vec::new();
        for entry in &read[self.entries.len()..] {
            notes.extend(self.take(entry.position, &entry.content)?);
        }
        Ok(notes)
    }

    /// What the hub has put together at its start must be the same.
    pub fn same(&self, registry: &Registry, games: &[(u64, KeptGame)]) -> Result<(), String> {
        if *registry != self.registry {
            return Err("the hall after the start is not as the journal has it".into());
        }
        for (_, started) in games {
            let known = self.games.get(&started.id).ok_or("a game that was never armed")?;
            if known.game != started.game {
                return Err(format!(
                    "the game at table {} after the start is not as before",
                    known.table
                ));
            }
        }
        Ok(())
    }
}

impl Kept {
    /// The game as it was at this position of the journal.
    pub fn as_of(&self, position: u64) -> Option<&Game> {
        let known = self.lately.iter().rev().find(|(at, _)| *at <= position);
        known.map(|(_, game)| game)
    }

    /// How often the course has facts of a device's report.
    pub fn facts(&self, device: &str, boot: u32, seq: u64) -> usize {
        let own = |input: &Input| {
            matches!(&input.origin, Origin::Device { device: of, boot: in_boot, seq: at, .. }
                if of == device && *in_boot == boot && *at == seq as i64)
                && matches!(&input.what, Happening::Fact(fact) if always_recorded(fact))
        };
        self.course
            .iter()
            .filter(|(_, input)| input.as_deref().is_some_and(own))
            .count()
    }
}

/// What is on the record even when it changes nothing.
fn always_recorded(fact: &crate::game::input::Fact) -> bool {
    use crate::game::input::Fact;
    matches!(
        fact,
        Fact::Pressed { .. }
            | Fact::Lifted { .. }
            | Fact::Put { .. }
            | Fact::FlagShown { .. }
            | Fact::ByHand { .. }
            | Fact::Paused { .. }
            | Fact::ReportsLost { .. }
    )
}
