//! A shard runs the games of some of the hall's tables: `(now, input)` in, effects out.
//!
//! Each table has one batch with the journal at a time; what comes in meanwhile forms the next. Inputs are taken by a copy of
//! the game, and the copy takes the game's place when the journal says that it is durable. Nothing is shown, sent or answered
//! before. When a commit fails the shard shows nothing more and acknowledges nothing. A table whose game fails is parked, and
//! the others go on.

mod orders;
mod table;
#[cfg(test)]
mod tests;
mod views;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;

use self::table::{Queued, TableSlot};
use super::call::{Answer, Author, CallError, CallReason};
use super::ids::{DeviceId, GameId, TableNo};
use super::model::{ArbiterTable, DeviceHealth, Registry, TableCard};
use super::record::{DeviceRecord, KeptGame, write};
use super::registry::no_table;
use super::report::{Abilities, Ack, DeviceOrder, Face, Report};
use crate::game::Question;
use crate::game::input::{Act, ClockFault, Fact};
use crate::store::{EntryKind, NewEntry, RequestKey, SessionMark};
use crate::time::{HallTime, Millis};

/// A call on its way through the hall, numbered by whoever brought it in.
pub type CallTicket = u64;
/// A commit on its way to the journal, numbered by the shard.
pub type CommitTicket = u64;

/// What a shard is told at its start.
#[derive(Clone, Copy, Debug)]
pub struct ShardSettings {
    /// This start of the hub.
    pub epoch: u64,
    /// Hall seconds in one real second: what waits for the network waits in real time.
    pub speed: f64,
}

impl ShardSettings {
    /// A span of real time by hall time.
    pub(crate) fn real(&self, span: Millis) -> Millis {
        Millis((span.0 as f64 * self.speed).ceil() as i64)
    }
}

/// What a shard is told.
#[derive(Clone, Debug)]
pub enum ShardInput {
    /// The registry has changed.
    Registry {
        /// The journal's position of the change.
        position: u64,
        /// As it is now.
        registry: Arc<Registry>,
        /// The shard's tables that it concerns.
        tables: BTreeSet<TableNo>,
    },
    /// A device of a table reports.
    Report {
        /// The table it serves.
        table: TableNo,
        /// What.
        report: Report,
    },
    /// How a boot's time is mapped from now on: comes before the first thing that is so mapped.
    Offset {
        /// The table that the device serves.
        table: TableNo,
        /// How.
        record: DeviceRecord,
    },
    /// A report that belongs to no game is taken, so that the device need not keep it.
    Loose {
        /// Whose.
        device: DeviceId,
        /// Its boot.
        boot: u32,
        /// Which.
        seq: u64,
    },
    /// A device has been started.
    Born {
        /// What to write down.
        record: DeviceRecord,
    },
    /// What a device of a table showed, in its place among its reports.
    State {
        /// The table it serves.
        table: TableNo,
        /// What it showed.
        state: DeviceState,
    },
    /// A clock has answered an order.
    Acked {
        /// The table it serves.
        table: TableNo,
        /// How.
        ack: Ack,
    },
    /// Everything that happened at this device before `through` is here.
    Heard {
        /// The table it serves.
        table: TableNo,
        /// Which.
        device: DeviceId,
        /// In the table's time.
        through: HallTime,
        /// How far that may be off against what the table's other device tells; `None` is unknown.
        apart: Option<Millis>,
    },
    /// Something is wrong with a device of a table that its game has to know.
    Trouble {
        /// The table it serves.
        table: TableNo,
        /// Which device.
        device: DeviceId,
        /// What.
        trouble: DeviceTrouble,
    },
    /// How a device of a table is.
    Device {
        /// The table it serves.
        table: TableNo,
        /// All that is known.
        life: DeviceLife,
    },
    /// Somebody acts at a table, or enters a fact.
    Call {
        /// To be answered.
        call: CallTicket,
        /// Where.
        table: TableNo,
        /// What.
        what: TableCall,
    },
    /// The journal has taken a commit, or has not.
    Committed {
        /// Which.
        ticket: CommitTicket,
        /// At these positions; or why not.
        outcome: Result<RangeInclusive<u64>, String>,
    },
    /// A fuller search has answered a game's question.
    Searched {
        /// Where.
        table: TableNo,
        /// Whose.
        game: GameId,
        /// When the position came about.
        at: HallTime,
        /// The answer, decided or not.
        fact: Fact,
    },
    /// [`Shard::next_deadline`] has come.
    Tick,
    /// What has changed since the last time is to be kept in the state.
    Keep,
}

/// A call at one table.
#[derive(Clone, Debug)]
pub struct TableCall {
    /// Who asks.
    pub author: Author,
    /// By which the call is known again.
    pub request: RequestKey,
    /// The SHA-256 of what was asked.
    pub asked: String,
    /// What.
    pub deed: TableDeed,
}

/// What is done at a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableDeed {
    /// An arbiter's act.
    Act(Act),
    /// Something the players did.
    Fact(Fact),
}

/// What can be wrong with a device's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceTrouble {
    /// Its time does not go as the hall's.
    Time(ClockFault),
    /// So many reports went with a boot that is over.
    Lost(u64),
}

/// What a device showed at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceState {
    /// Which.
    pub device: DeviceId,
    /// Its boot.
    pub boot: u32,
    /// The last report before it; -1: none.
    pub after_seq: i64,
    /// When.
    pub at: HallTime,
    /// How far that may be off against what the table's other device tells; `None` is unknown.
    pub apart: Option<Millis>,
    /// What the clock showed.
    pub face: Option<Face>,
    /// What stood on the board.
    pub placement: Option<String>,
}

/// How a device's silence is to be taken by its table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SilenceTold {
    /// It speaks, or nothing is known of it.
    #[default]
    No,
    /// It is not yet known whether it is lost alone.
    Held,
    /// It is lost alone: an item of its table.
    Alone,
    /// It is lost with others: a notice of the hall, and no item.
    Shared,
}

/// All that a shard needs to know of a device's life.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceLife {
    /// Which, and how it is.
    pub health: DeviceHealth,
    /// Its boot; `None`: never heard of.
    pub boot: Option<u32>,
    /// What it can do, as far as it has said so.
    pub able: Option<Abilities>,
    /// It was started anew, and has lost its time control.
    pub empty: bool,
    /// How its silence is to be taken.
    pub silence: SilenceTold,
    /// The last report of this boot that is durable; -1: none.
    pub durable: i64,
}

/// What a shard wants done.
#[derive(Clone, Debug)]
pub enum ShardEffect {
    /// Entries for the journal, to be made durable together.
    Commit {
        /// To be told with [`ShardInput::Committed`].
        ticket: CommitTicket,
        /// What.
        entries: Vec<NewEntry>,
    },
    /// A device's reports are durable up to here.
    Seen(SessionMark),
    /// An order for a device; may be one that was sent before.
    Order(DeviceOrder),
    /// What arbiters see of a table.
    Arbiters {
        /// The journal's position it rests on.
        position: u64,
        /// What.
        state: Box<ArbiterTable>,
    },
    /// What the hall sees of a table.
    Screens {
        /// The journal's position it rests on.
        position: u64,
        /// What.
        state: Box<TableCard>,
    },
    /// A call is answered.
    Answer {
        /// Which.
        call: CallTicket,
        /// How.
        answer: Result<Answer, CallError>,
    },
    /// A fuller search is to be asked, beside the shard; to be answered with [`ShardInput::Searched`].
    Search {
        /// Where.
        table: TableNo,
        /// Whose.
        game: GameId,
        /// What.
        question: Question,
    },
    /// Games to be kept in the state; all commits told before are in them.
    Keep {
        /// The games, with the position of what was last folded into each.
        games: Vec<(u64, KeptGame)>,
    },
    /// From the arrival of the oldest report of a batch until it was shown, in hall time.
    Latency(Millis),
    /// The journal does not take anything any more.
    Down(String),
}

/// Some of the hall's tables.
pub struct Shard {
    settings: ShardSettings,
    registry: Arc<Registry>,
    tables: BTreeMap<TableNo, TableSlot>,
    /// Games of earlier starts, until the registry says where they are played.
    restored: HashMap<GameId, (u64, KeptGame)>,
    /// What is written down without a table: progress of devices whose reports are in no game, births.
    loose: Loose,
    next_ticket: CommitTicket,
    /// Who waits for which commit.
    commits: BTreeMap<CommitTicket, Waiting>,
    down: Option<String>,
}

#[derive(Clone, Copy, Debug)]
enum Waiting {
    Table(TableNo),
    Loose,
}

#[derive(Default)]
struct Loose {
    marks: BTreeMap<(DeviceId, u32), u64>,
    records: Vec<DeviceRecord>,
    busy: Option<Vec<SessionMark>>,
}

impl Shard {
    /// A shard with the games of earlier starts that are its own, each with the position of what was last folded into it.
    pub fn new(settings: ShardSettings, restored: Vec<(u64, KeptGame)>) -> Shard {
        Shard {
            settings,
            registry: Arc::default(),
            tables: BTreeMap::new(),
            restored: restored
                .into_iter()
                .map(|(position, kept)| (kept.id, (position, kept)))
                .collect(),
            loose: Loose::default(),
            next_ticket: 1,
            commits: BTreeMap::new(),
            down: None,
        }
    }

    /// When [`ShardInput::Tick`] has something to do.
    pub fn next_deadline(&self) -> Option<HallTime> {
        if self.down.is_some() {
            return None;
        }
        self.tables.values().filter_map(TableSlot::next_deadline).min()
    }

    /// Open items at all tables, and how many tables are parked.
    pub fn waiting(&self) -> (usize, usize) {
        let parked = self.tables.values().filter(|slot| slot.is_parked()).count();
        (self.tables.values().map(TableSlot::open_items).sum(), parked)
    }

    /// Takes one input.
    pub fn handle(&mut self, now: HallTime, input: ShardInput) -> Vec<ShardEffect> {
        let mut out = Vec::new();
        match input {
            ShardInput::Registry {
                position,
                registry,
                tables,
            } => {
                self.registry = registry;
                for table in tables {
                    self.update_table(now, position, table, &mut out);
                }
            }
            ShardInput::Report { table, report } => {
                match self.tables.get_mut(&table) {
                    Some(slot) => slot.report(now, report),
                    // The table went between the routing and here.
                    None => self.take_loose(&report.device, report.boot, report.seq),
                }
                self.work(now, Some(table), &mut out);
            }
            ShardInput::Offset { table, record } => {
                match self.tables.get_mut(&table) {
                    Some(slot) => slot.queue(Queued::Record(record)),
                    None => self.loose.records.push(record),
                }
                self.work(now, Some(table), &mut out);
            }
            ShardInput::Loose { device, boot, seq } => {
                self.take_loose(&device, boot, seq);
                self.work(now, None, &mut out);
            }
            ShardInput::Born { record } => {
                self.loose.records.push(record);
                self.work(now, None, &mut out);
            }
            ShardInput::State { table, state } => self.at(now, table, &mut out, |slot| slot.state(now, state)),
            ShardInput::Acked { table, ack } => {
                let settings = self.settings;
                if let Some(slot) = self.tables.get_mut(&table) {
                    slot.bridge(now, &ack, &settings, &mut out);
                }
                self.at(now, table, &mut out, |slot| slot.acked(now, ack));
                if let Some(slot) = self.tables.get_mut(&table) {
                    slot.sync_orders(now, &settings, &mut out);
                }
            }
            ShardInput::Heard {
                table,
                device,
                through,
                apart,
            } => {
                self.at(now, table, &mut out, |slot| slot.heard(&device, through, apart));
            }
            ShardInput::Trouble { table, device, trouble } => {
                self.at(now, table, &mut out, |slot| slot.trouble(now, &device, trouble));
            }
            ShardInput::Device { table, life } => {
                let settings = self.settings;
                if let Some(slot) = self.tables.get_mut(&table) {
                    slot.device(now, life, &settings, &mut out);
                }
                self.work(now, Some(table), &mut out);
            }
            ShardInput::Call { call, table, what } => self.call(now, call, table, what, &mut out),
            ShardInput::Committed { ticket, outcome } => self.committed(now, ticket, outcome, &mut out),
            ShardInput::Searched { table, game, at, fact } => {
                self.at(now, table, &mut out, |slot| slot.searched(now, game, at, fact));
            }
            ShardInput::Tick => {
                let settings = self.settings;
                let due: Vec<_> = self
                    .tables
                    .iter_mut()
                    .filter(|(_, slot)| slot.next_deadline().is_some_and(|deadline| deadline <= now))
                    .map(|(table, slot)| {
                        slot.tick(now, &settings, &mut out);
                        *table
                    })
                    .collect();
                for table in due {
                    self.work(now, Some(table), &mut out);
                }
            }
            ShardInput::Keep => out.push(self.keep()),
        }
        out
    }

    fn keep(&mut self) -> ShardEffect {
        let games = self.tables.values_mut().flat_map(TableSlot::keep).collect();
        ShardEffect::Keep { games }
    }

    fn at(&mut self, now: HallTime, table: TableNo, out: &mut Vec<ShardEffect>, does: impl FnOnce(&mut TableSlot)) {
        if let Some(slot) = self.tables.get_mut(&table) {
            does(slot);
            self.work(now, Some(table), out);
        }
    }

    fn take_loose(&mut self, device: &DeviceId, boot: u32, seq: u64) {
        let highest = self.loose.marks.entry((device.clone(), boot)).or_insert(seq);
        *highest = seq.max(*highest);
    }

    fn update_table(&mut self, now: HallTime, position: u64, table: TableNo, out: &mut Vec<ShardEffect>) {
        let Some(game) = self.registry.tables.get(&table).map(|place| place.game) else {
            return;
        };
        let goes = |slot: &TableSlot| game.is_some() && slot.plays().is_some() && slot.plays() != game;
        if self.tables.get(&table).is_some_and(goes) {
            // Nobody keeps the game that leaves the table later; with it everything, as always.
            let kept = self.keep();
            out.push(kept);
        }
        let slot = self.tables.entry(table).or_insert_with(|| TableSlot::new(table));
        let restored = game.and_then(|game| self.restored.remove(&game));
        slot.update(now, position, &self.registry, restored, &self.settings, out);
        self.work(now, Some(table), out);
    }

    fn call(&mut self, now: HallTime, call: CallTicket, table: TableNo, what: TableCall, out: &mut Vec<ShardEffect>) {
        let refused = if let Some(why) = &self.down {
            Some(journal_down(why))
        } else if let Some(place) = self.registry.tables.get(&table) {
            let handed = self.registry.people.get(&what.author.name);
            what.author
                .sector
                .as_ref()
                .filter(|sector| **sector != place.sector)
                .filter(|_| !handed.is_some_and(|person| person.has(&place.sector)))
                .map(|sector| {
                    CallError::new(
                        CallReason::NotAllowed,
                        format!(
                            "table {table} is not in sector {sector:?}, where {} is arbiter",
                            what.author.name
                        ),
                    )
                })
        } else {
            Some(no_table(table))
        };
        match (refused, self.tables.get_mut(&table)) {
            (Some(error), _) => out.push(ShardEffect::Answer {
                call,
                answer: Err(error),
            }),
            (None, None) => out.push(ShardEffect::Answer {
                call,
                answer: Err(no_table(table)),
            }),
            (None, Some(slot)) => {
                slot.queue(Queued::Call { call, what });
                self.work(now, Some(table), out);
            }
        }
    }

    fn committed(
        &mut self,
        now: HallTime,
        ticket: CommitTicket,
        outcome: Result<RangeInclusive<u64>, String>,
        out: &mut Vec<ShardEffect>,
    ) {
        let Some(waiting) = self.commits.remove(&ticket) else {
            return;
        };
        let positions = match outcome {
            Ok(positions) => positions,
            Err(why) => {
                self.go_down(why, out);
                return;
            }
        };
        match waiting {
            Waiting::Loose => {
                for mark in self.loose.busy.take().unwrap_or_default() {
                    out.push(ShardEffect::Seen(mark));
                }
                self.work(now, None, out);
            }
            Waiting::Table(table) => {
                let settings = self.settings;
                if let Some(slot) = self.tables.get_mut(&table) {
                    slot.committed(now, &positions, &self.registry, &settings, out);
                }
                self.work(now, Some(table), out);
            }
        }
    }

    /// Nothing is shown or acknowledged any more; who waits is told so.
    fn go_down(&mut self, why: String, out: &mut Vec<ShardEffect>) {
        if self.down.is_none() {
            tracing::error!(%why, "the journal takes nothing more: the hall acknowledges nothing until the hub is started again");
            out.push(ShardEffect::Down(why.clone()));
        }
        for slot in self.tables.values_mut() {
            for call in slot.give_up() {
                out.push(ShardEffect::Answer {
                    call,
                    answer: Err(journal_down(&why)),
                });
            }
        }
        self.down.get_or_insert(why);
    }

    /// Brings what waits to the journal, where nothing of the same kind is there already.
    fn work(&mut self, now: HallTime, table: Option<TableNo>, out: &mut Vec<ShardEffect>) {
        if self.down.is_some() {
            return;
        }
        let Some(table) = table else {
            self.work_loose(now, out);
            return;
        };
        let settings = self.settings;
        // A batch with nothing to journal is over at once, and what it caused forms the next.
        while let Some(slot) = self.tables.get_mut(&table) {
            match slot.form(now, &self.registry, &settings, out) {
                table::Formed::Nothing => break,
                table::Formed::Over => {}
                table::Formed::Entries(entries) => {
                    let ticket = self.next_ticket;
                    self.next_ticket += 1;
                    self.commits.insert(ticket, Waiting::Table(table));
                    out.push(ShardEffect::Commit { ticket, entries });
                    break;
                }
            }
        }
        if !self.loose.marks.is_empty() || !self.loose.records.is_empty() {
            self.work_loose(now, out);
        }
    }

    fn work_loose(&mut self, now: HallTime, out: &mut Vec<ShardEffect>) {
        let loose = &mut self.loose;
        if loose.busy.is_some() || (loose.marks.is_empty() && loose.records.is_empty()) {
            return;
        }
        let marks: Vec<_> = std::mem::take(&mut loose.marks)
            .into_iter()
            .map(|((device, boot), seq)| SessionMark {
                device: device.to_string(),
                boot,
                seq: seq as i64,
            })
            .collect();
        let mut records = std::mem::take(&mut loose.records);
        if records.is_empty() {
            records.push(DeviceRecord::Progress);
        }
        let mut entries: Vec<_> = records
            .iter()
            .map(|record| NewEntry::new(EntryKind::Sessions, now, write(record)))
            .collect();
        if let Some(last) = entries.last_mut() {
            last.sessions.clone_from(&marks);
        }
        loose.busy = Some(marks);
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        self.commits.insert(ticket, Waiting::Loose);
        out.push(ShardEffect::Commit { ticket, entries });
    }
}

fn journal_down(why: &str) -> CallError {
    CallError::new(
        CallReason::JournalDown,
        format!("nothing was done: the journal takes nothing more ({why}); mend the disk and start the hub again"),
    )
}
