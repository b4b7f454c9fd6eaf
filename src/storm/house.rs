//! The hub of the storm: the real front, shards, committer and journal, pumped by hand instead of by tokio.
//!
//! What goes from one of them to another waits in a queue, as it does in the hub; the storm decides which of them is next, and
//! may let the hub die between any two of their effects.

use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use uuid::Uuid;

use super::chance::Chance;
use crate::device::session::Limits;
use crate::hall::clock::Mapping;
use crate::hall::record::write;
use crate::hall::shard::{CommitTicket, Shard, ShardEffect, ShardInput, ShardSettings};
use crate::hub::front::{Front, FrontEffect, FrontInput, FrontSettings};
use crate::hub::restore::Folding;
use crate::store::{
    Committer, Entry, EntryKind, FileJournal, Journal as _, JournalOptions, Known, NewEntry, Requests, SimDisk,
};
use crate::time::HallTime;

/// Unix time at the storm's zero.
const BEGIN_WALL: i64 = 1_764_000_000_000;
const SHARDS: usize = 2;

/// Who waits for a commit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Waiter {
    Desk,
    Shard(usize, CommitTicket),
}

/// Something that the hub's parts want done, or have told each other.
pub(super) enum Effect {
    Front(FrontEffect),
    Shard(usize, ShardEffect),
}

/// Who is next.
#[derive(Clone, Copy, Debug)]
enum Part {
    Front,
    Shard(usize),
    Answer,
}

/// Commits that are durable, or failed.
pub(super) struct Written {
    pub entries: Vec<NewEntry>,
    pub outcome: Result<RangeInclusive<u64>, String>,
}

/// One life of the hub.
pub(super) struct House {
    pub epoch: u64,
    mapping: Mapping,
    front: Front,
    shards: Vec<Shard>,
    committer: Committer<FileJournal>,
    to_front: VecDeque<FrontInput>,
    to_shards: Vec<VecDeque<ShardInput>>,
    waiting: BTreeMap<u64, (Waiter, Vec<NewEntry>)>,
    answers: VecDeque<(Waiter, Result<RangeInclusive<u64>, String>)>,
    next_ticket: u64,
    /// The link to the broker stands.
    pub linked: bool,
    /// A shard has said that the journal takes nothing more.
    pub down: bool,
}

/// A life that begins.
pub(super) struct Begun {
    pub house: House,
    /// Everything in the journal, this start's own entry too.
    pub entries: Vec<Entry>,
    /// The first effects.
    pub effects: Vec<Effect>,
    /// What was put together from them.
    pub folding: Folding,
    pub games: Vec<(u64, crate::hall::record::KeptGame)>,
}

pub(super) fn wall(now: i64) -> i64 {
    BEGIN_WALL + now
}

impl House {
    /// Starts on what the disk holds, as the hub does when it has no kept values.
    pub fn start(disk: &SimDisk, now: i64) -> Result<Begun, String> {
        let requests = Requests::default();
        let mut entries = Vec::new();
        let mut see = |entry: Entry| {
            entries.push(entry.clone());
            requests.see(entry);
        };
        let options = JournalOptions {
            segment_bytes: 96 << 10,
            new_hall_id: Uuid::from_u128(7),
        };
        let folder = Path::new("/hall/journal");
        let opened = FileJournal::open(
            Arc::new(disk.clone()),
            folder,
            options,
            Known::default(),
            wall(now),
            &mut see,
        )
        .map_err(|error| error.to_string())?;
        let epoch = opened.journal.epoch();
        let mut folding = Folding::default();
        for entry in entries.iter().filter(|entry| entry.content.kind != EntryKind::Note) {
            folding.entry(entry).map_err(|error| error.to_string())?;
        }
        folding.games_at_tables().map_err(|error| error.to_string())?;
        let mapping = folding.next_mapping(wall(now), None);
        let noted: Vec<String> = opened.notes;
        let mut committer = Committer::new(opened.journal, requests.clone());
        let first = NewEntry::new(EntryKind::Clock, mapping.hall, write(&mapping));
        committer.submit(0, vec![first.clone()]);
        let position = match committer.step(wall(now)).pop().map(|done| done.outcome) {
            Some(Ok(positions)) => *positions.end(),
            Some(Err(error)) => return Err(error.to_string()),
            None => return Err("the committer did not answer".into()),
        };
        // Notes of the journal's own and the clock's entry, as they will be read next time.
        let mut own = |position: u64, content: NewEntry| {
            entries.push(Entry {
                position,
                epoch,
                wall_ms: wall(now),
                content,
                hall_hash: crate::store::ChainHash([0; 32]),
                game_hash: None,
            });
        };
        for (at, note) in noted.iter().enumerate() {
            let payload = serde_json::json!({ "note": note }).to_string().into_bytes();
            let content = NewEntry::new(EntryKind::Note, HallTime::default(), payload);
            own(position - (noted.len() - at) as u64, content);
        }
        own(position, first);

        let games = folding.take_games();
        let registry = Arc::new(folding.registry.clone());
        let settings = ShardSettings { epoch, speed: 1.0 };
        let shards = (0..SHARDS)
            .map(|number| {
                let own = games
                    .iter()
                    .filter(|(_, kept)| kept.table.0 as usize % SHARDS == number);
                Shard::new(settings, own.cloned().collect())
            })
            .collect();
        let front = Front::new(
            FrontSettings {
                epoch,
                speed: 1.0,
                shards: SHARDS,
                limits: Limits::at_speed(1.0),
            },
            registry,
            requests,
            &folding.marks,
            mapping.hall,
        );
        let effects = front
            .begin(folding.registry_position)
            .into_iter()
            .map(Effect::Front)
            .collect();
        let house = House {
            epoch,
            mapping,
            front,
            shards,
            committer,
            to_front: VecDeque::new(),
            to_shards: vec![VecDeque::new(); SHARDS],
            waiting: BTreeMap::new(),
            answers: VecDeque::new(),
            next_ticket: 1,
            linked: false,
            down: false,
        };
        Ok(Begun {
            house,
            entries,
            effects,
            folding,
            games,
        })
    }

    /// Hall time.
    pub fn now(&self, now: i64) -> HallTime {
        self.mapping.hall_at(wall(now))
    }

    /// The true time of a hall time.
    fn true_time(&self, at: HallTime) -> i64 {
        at.0 - self.mapping.hall.0 + self.mapping.wall_ms - BEGIN_WALL
    }

    pub fn tell_front(&mut self, input: FrontInput) {
        self.to_front.push_back(input);
    }

    pub fn tell_shard(&mut self, shard: usize, input: ShardInput) {
        self.to_shards[shard].push_back(input);
    }

    pub fn ticket(&mut self) -> u64 {
        self.front.ticket()
    }

    /// Entries for the journal. Says whether the disk has to be woken.
    pub fn submit(&mut self, waiter: Waiter, entries: Vec<NewEntry>) -> bool {
        let idle = self.committer.waiting() == 0;
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.waiting.insert(ticket, (waiter, entries.clone()));
        self.committer.submit(ticket, entries);
        idle
    }

    /// Writes one group. What has become of it waits for those who asked.
    pub fn write(&mut self, now: i64) -> Vec<Written> {
        let mut written = Vec::new();
        for done in self.committer.step(wall(now)) {
            let Some((waiter, entries)) = self.waiting.remove(&done.ticket) else {
                continue;
            };
            let outcome = done.outcome.map_err(|error| error.to_string());
            self.answers.push_back((waiter, outcome.clone()));
            written.push(Written { entries, outcome });
        }
        written
    }

    /// More waits for the disk.
    pub fn to_write(&self) -> bool {
        self.committer.waiting() > 0
    }

    /// When something happens by itself.
    pub fn deadline(&self) -> Option<i64> {
        let shards = self.shards.iter().filter_map(Shard::next_deadline);
        let next = self.front.next_deadline().into_iter().chain(shards).min()?;
        Some(self.true_time(next))
    }

    /// Whose time has come is told so.
    pub fn ring(&mut self, now: i64) {
        let hall = self.now(now);
        if self.front.next_deadline().is_some_and(|due| due <= hall) {
            self.tell_front(FrontInput::Tick);
        }
        for shard in 0..SHARDS {
            if self.shards[shard].next_deadline().is_some_and(|due| due <= hall) {
                self.tell_shard(shard, ShardInput::Tick);
            }
        }
    }

    /// Lets one part take one input; `None`: nothing waits.
    pub fn step(&mut self, now: i64, dice: &mut Chance) -> Option<Vec<Effect>> {
        let mut ready = Vec::with_capacity(SHARDS + 2);
        if !self.to_front.is_empty() {
            ready.push(Part::Front);
        }
        if !self.answers.is_empty() {
            ready.push(Part::Answer);
        }
        ready.extend(
            (0..SHARDS)
                .filter(|&at| !self.to_shards[at].is_empty())
                .map(Part::Shard),
        );
        if ready.is_empty() {
            return None;
        }
        let hall = self.now(now);
        match *dice.pick(&ready) {
            Part::Front => {
                let input = self.to_front.pop_front()?;
                Some(self.front.handle(hall, input).into_iter().map(Effect::Front).collect())
            }
            Part::Shard(at) => {
                let input = self.to_shards[at].pop_front()?;
                Some(self.shard(at, hall, input))
            }
            Part::Answer => {
                // Those who wait are woken in any order.
                let at = dice.below(self.answers.len() as u64) as usize;
                let (waiter, outcome) = self.answers.remove(at)?;
                Some(match waiter {
                    Waiter::Desk => {
                        let input = FrontInput::DeskCommitted { outcome };
                        self.front.handle(hall, input).into_iter().map(Effect::Front).collect()
                    }
                    Waiter::Shard(at, ticket) => self.shard(at, hall, ShardInput::Committed { ticket, outcome }),
                })
            }
        }
    }

    fn shard(&mut self, at: usize, hall: HallTime, input: ShardInput) -> Vec<Effect> {
        let effects = self.shards[at].handle(hall, input).into_iter();
        effects.map(|effect| Effect::Shard(at, effect)).collect()
    }
}
