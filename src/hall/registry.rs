//! The registry: events, rounds, tables, devices and people, as state folded from [`HallEvent`]s.
//!
//! A command is validated whole against the registry as it is, and refused whole, with the path of the field that cannot be
//! so; what comes out is one event that goes to the journal before anything shows it.

mod checks;
mod devices;
mod rounds;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::checks::{check_fen, check_player, check_release, control, identity, in_range, text};
use super::call::{Answer, Author, CallError, CallReason, Command};
use super::ids::{DeviceId, EventId, RoundNo, TableNo};
use super::imported::Imported;
use super::model::{
    BoardKind, Category, ChessEvent, Credential, Device, DeviceKind, Pairing, Person, PersonRole, Player, Registry,
    Regulations, Release, Releases, Round, RoundStatus, Seat, Side, Table, Variant,
};
use super::report::Abilities;
use super::secrets::Chance;
use crate::game::input::{AppealStep, Deed};
use crate::game::{ClockKind, FoldError, GameSetup};
use crate::laws::TimeControl;
use crate::time::{HallTime, Millis};
pub use rounds::check_round;

/// The most tables, rounds or devices that a hall is made for, and then some: keeps slips of the pen out.
const MOST: u32 = 100_000;
/// The longest name.
const LONGEST: usize = 200;

/// Something that happened to the hall itself; the payload of a journal entry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum HallEvent {
    /// An event was made or changed; its rounds stay.
    EventPut {
        /// Its short name.
        event: EventId,
        /// Its name.
        name: String,
        /// Where.
        site: String,
        /// When.
        date: String,
        /// Its regulations.
        regulations: Regulations,
    },
    /// A round was made or changed, and its tables with it.
    RoundPut(Round),
    /// A round was imported from a pairing program's file, or imported again.
    RoundImported {
        /// As it is now, with the games that it has.
        round: Round,
        /// What is kept of the files.
        imported: Arc<Imported>,
        /// Games that are new, where the round is armed or called.
        seats: Vec<Arc<Seat>>,
    },
    /// The public sees what happens in an event, or in one of its rounds, by this from now on.
    ReleaseSet {
        /// Whose.
        event: EventId,
        /// Only in this round; `None`: in all that have no other.
        round: Option<RoundNo>,
        /// How; `None`: the round has none of its own any more.
        release: Option<Release>,
    },
    /// The tables have their games.
    RoundArmed {
        /// Whose.
        event: EventId,
        /// Which.
        round: RoundNo,
        /// The games.
        seats: Vec<Arc<Seat>>,
    },
    /// One more game in a round that is armed or called.
    PairingAdded {
        /// Whose.
        event: EventId,
        /// Which.
        round: RoundNo,
        /// Who plays whom where, with the game.
        pairing: Box<Pairing>,
        /// The game.
        seat: Arc<Seat>,
    },
    /// The round was called.
    RoundStarted {
        /// Whose.
        event: EventId,
        /// Which.
        round: RoundNo,
    },
    /// The round is over.
    RoundEnded {
        /// Whose.
        event: EventId,
        /// Which.
        round: RoundNo,
    },
    /// An event that was played in another hall, with its games; nothing of it is at a table here.
    EventImported {
        /// The event, with its rounds.
        event: Box<ChessEvent>,
        /// Its games.
        seats: Vec<Arc<Seat>>,
    },
    /// A device was added or changed.
    DevicePut(Device),
    /// A device has a new secret.
    DeviceRotated {
        /// Which.
        device: DeviceId,
        /// The hashes.
        credential: Credential,
    },
    /// A device is no longer known.
    DeviceRemoved {
        /// Which.
        device: DeviceId,
    },
    /// A device serves a table.
    DeviceBound {
        /// Which.
        device: DeviceId,
        /// Where.
        table: TableNo,
        /// As its clock.
        as_clock: bool,
        /// As its board.
        as_board: bool,
        /// The side of the clock at which White sits.
        white_side: Side,
        /// The board's own a1 lies at h8.
        board_turned: bool,
    },
    /// A device serves no table any more.
    DeviceUnbound {
        /// Which.
        device: DeviceId,
    },
    /// A device took over what another did.
    DeviceReplaced {
        /// The broken one.
        old: DeviceId,
        /// The one that is there now.
        new: DeviceId,
    },
    /// A table was made or changed.
    TablePut {
        /// Which.
        table: TableNo,
        /// Part of the hall.
        sector: String,
        /// The side of the clock at which White sits.
        white_side: Side,
        /// The board's own a1 lies at h8.
        board_turned: bool,
    },
    /// Somebody has a token.
    PersonPut(Person),
    /// A sector was handed over.
    SectorHandedOver {
        /// Which.
        sector: String,
        /// To whom; `None`: back.
        to: Option<String>,
    },
    /// His token is void.
    PersonRevoked {
        /// Who.
        name: String,
    },
}

/// One part of the registry, as it is kept in the state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "named as what they are of")]
pub enum Part {
    Event(EventId),
    Table(TableNo),
    Device(DeviceId),
    Person(String),
    Game(super::ids::GameId),
}

/// What a decision may look at beside the registry.
pub struct Context<'a> {
    /// Randomness for this call.
    pub chance: &'a Chance,
    /// What the devices said they can do.
    pub abilities: &'a HashMap<DeviceId, Abilities>,
    /// Hall time.
    pub now: HallTime,
    /// Games at tables that are over, though their rounds are not.
    pub over: &'a BTreeSet<super::ids::GameId>,
}

/// What a command comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Decided {
    /// To be journalled and folded.
    pub event: HallEvent,
    /// To be answered once it is.
    pub answer: Answer,
}

/// Whether this person may do that at all; where in the hall is another question.
///
/// # Errors
/// He may not.
pub fn allowed(author: &Author, command: &Command) -> Result<(), CallError> {
    use PersonRole::{Arbiter, ChiefArbiter, Recorder, Technician};
    let may: &[PersonRole] = match command {
        Command::Act { act, .. } => match act.what {
            Deed::Reopen | Deed::Appeal(AppealStep::Close { .. }) => &[ChiefArbiter],
            Deed::EnterMove { .. } | Deed::Promoted { .. } => &[ChiefArbiter, Arbiter, Recorder],
            _ => &[ChiefArbiter, Arbiter],
        },
        Command::EnterFact { .. } => &[ChiefArbiter, Arbiter, Recorder],
        Command::ArmRound { .. }
        | Command::StartRound { .. }
        | Command::EndRound { .. }
        | Command::AddPairing { .. }
        | Command::HandOverSector { .. } => &[ChiefArbiter, Arbiter],
        Command::PutEvent { .. }
        | Command::PutRound { .. }
        | Command::ImportRound { .. }
        | Command::SetRelease { .. } => &[ChiefArbiter],
        Command::AddDevice { .. }
        | Command::RotateDevice { .. }
        | Command::RemoveDevice { .. }
        | Command::PutTable { .. } => &[ChiefArbiter, Technician],
        Command::BindDevice { .. } | Command::UnbindDevice { .. } | Command::ReplaceDevice { .. } => {
            &[ChiefArbiter, Arbiter, Technician]
        }
        Command::AddPerson { .. } | Command::RevokePerson { .. } => &[ChiefArbiter],
    };
    if may.contains(&author.role) {
        return Ok(());
    }
    let names: Vec<_> = may.iter().map(|role| role.name()).collect();
    Err(CallError::new(
        CallReason::NotAllowed,
        format!(
            "a {} may not do that; it takes the token of: {}",
            author.role.name(),
            names.join(", ")
        ),
    ))
}

impl Registry {
    /// What a command comes to, or why it is refused. Acts at tables, and the start of a round, are not the registry's.
    ///
    /// # Errors
    /// The first thing that cannot be so.
    pub fn decide(&self, command: &Command, context: &Context<'_>) -> Result<Decided, CallError> {
        match command {
            Command::PutEvent {
                event,
                name,
                site,
                date,
                regulations,
            } => {
                text("name", name, true)?;
                text("site", site, false)?;
                text("date", date, false)?;
                if regulations.default_time_ms < Millis::ZERO {
                    return Err(CallError::field(
                        "regulations.default_time_ms",
                        "a default time is never negative",
                    ));
                }
                if let Err(refused) = regulations.enforcement.check_rated()
                    && regulations.rated
                {
                    let field = format!("regulations.enforcement[{}]", refused.0);
                    return Err(CallError::field(field, refused.to_string()));
                }
                Ok(done(HallEvent::EventPut {
                    event: event.clone(),
                    name: name.clone(),
                    site: site.clone(),
                    date: date.clone(),
                    regulations: regulations.clone(),
                }))
            }
            Command::PutRound {
                event,
                round,
                time_control,
                pairings,
            } => self.put_round(event, *round, time_control, pairings).map(done),
            Command::ImportRound {
                event,
                round,
                time_control,
                pairings,
                imported,
            } => self
                .import_round((event, *round), time_control, pairings, imported, context)
                .map(done),
            Command::SetRelease { event, round, release } => {
                if !self.events.contains_key(event) {
                    return Err(CallError {
                        field: Some("event".into()),
                        ..not_found(format!("there is no event {event}; make it first"))
                    });
                }
                if let Some(round) = round {
                    in_range("round", round.0)?;
                } else if release.is_none() {
                    return Err(CallError::field(
                        "release",
                        "an event always has a delay: say 0 for none",
                    ));
                }
                if let Some(release) = release {
                    check_release(release)?;
                }
                Ok(done(HallEvent::ReleaseSet {
                    event: event.clone(),
                    round: *round,
                    release: release.clone(),
                }))
            }
            Command::ArmRound { event, round } => self.arm(event, *round, context),
            Command::AddPairing {
                event,
                round,
                pairing,
                white_time,
                black_time,
            } => self
                .add_pairing((event, *round), pairing, [*white_time, *black_time], context)
                .map(done),
            Command::HandOverSector { sector, to } => {
                text("sector", sector, true)?;
                if let Some(name) = to {
                    let known = self.people.get(name);
                    let person = known.ok_or_else(|| not_found(format!("there is no person named {name:?}")))?;
                    if !matches!(person.role, PersonRole::ChiefArbiter | PersonRole::Arbiter) {
                        let message = format!(
                            "{name:?} is a {}: only an arbiter can take a sector",
                            person.role.name()
                        );
                        return Err(CallError::field("to", message));
                    }
                }
                if !self.tables.values().any(|table| table.sector == *sector) {
                    return Err(not_found(format!("no table of the hall is in sector {sector:?}")));
                }
                Ok(done(HallEvent::SectorHandedOver {
                    sector: sector.clone(),
                    to: to.clone(),
                }))
            }
            Command::EndRound { event, round } => {
                let found = self.round(event, *round)?;
                if found.status == RoundStatus::Prepared {
                    return Err(wrong_state(format!(
                        "round {round} of {event} has not been armed: there is nothing to end"
                    )));
                }
                Ok(done(HallEvent::RoundEnded {
                    event: event.clone(),
                    round: *round,
                }))
            }
            Command::AddDevice {
                device,
                kind,
                speaks_for,
            } => self.add_device(device, *kind, speaks_for, context),
            Command::RotateDevice { device } => {
                self.device("device", device)?;
                let secret = context.chance.secret();
                let credential = context.chance.credential(&secret);
                Ok(Decided {
                    event: HallEvent::DeviceRotated {
                        device: device.clone(),
                        credential,
                    },
                    answer: Answer {
                        secret: Some(secret),
                        ..Answer::default()
                    },
                })
            }
            Command::RemoveDevice { device } => {
                if let Some(table) = self.device("device", device)?.bound_to {
                    return Err(wrong_state(format!(
                        "{device} serves table {table}; unbind or replace it first"
                    )));
                }
                Ok(done(HallEvent::DeviceRemoved { device: device.clone() }))
            }
            Command::BindDevice {
                device,
                table,
                as_clock,
                as_board,
                white_side,
                board_turned,
            } => self
                .bind(device, *table, (*as_clock, *as_board), *white_side, *board_turned)
                .map(done),
            Command::UnbindDevice { device } => {
                if self.device("device", device)?.bound_to.is_none() {
                    return Err(wrong_state(format!("{device} serves no table")));
                }
                Ok(done(HallEvent::DeviceUnbound { device: device.clone() }))
            }
            Command::ReplaceDevice { old, new } => self.replace(old, new).map(done),
            Command::PutTable {
                table,
                sector,
                white_side,
                board_turned,
            } => {
                in_range("table", table.0)?;
                let known = self.tables.get(table);
                let sector = sector
                    .clone()
                    .unwrap_or_else(|| known.map(|known| known.sector.clone()).unwrap_or_default());
                text("sector", &sector, false)?;
                Ok(done(HallEvent::TablePut {
                    table: *table,
                    sector,
                    white_side: white_side.unwrap_or_else(|| known.map(|known| known.white_side).unwrap_or_default()),
                    board_turned: board_turned.unwrap_or_else(|| known.is_some_and(|known| known.board_turned)),
                }))
            }
            Command::AddPerson {
                name,
                role,
                sector,
                expires_unix_ms,
            } => {
                text("name", name, true)?;
                if HUB_NAMES.contains(&name.to_lowercase().as_str()) {
                    let message = format!("{name:?} stands in records for what no person has done: take another name");
                    return Err(CallError::field("name", message));
                }
                if let Some(sector) = sector {
                    text("sector", sector, true)?;
                    if matches!(role, PersonRole::ChiefArbiter | PersonRole::Screen) {
                        let message = format!("a {} is for the whole hall: leave the sector out", role.name());
                        return Err(CallError::field("sector", message));
                    }
                }
                if self.people.contains_key(name) {
                    return Err(CallError::new(
                        CallReason::AlreadyExists,
                        format!(
                            "there is a person named {name:?} already; revoke that token first, or take another name"
                        ),
                    ));
                }
                let secret = context.chance.secret();
                Ok(Decided {
                    event: HallEvent::PersonPut(Person {
                        name: name.clone(),
                        role: *role,
                        sector: sector.clone(),
                        also: Vec::new(),
                        token_sha256: super::handle::sha256_hex(&secret),
                        expires_unix_ms: *expires_unix_ms,
                    }),
                    answer: Answer {
                        secret: Some(secret),
                        ..Answer::default()
                    },
                })
            }
            Command::RevokePerson { name } => {
                if !self.people.contains_key(name) {
                    return Err(not_found(format!("there is no person named {name:?}")));
                }
                Ok(done(HallEvent::PersonRevoked { name: name.clone() }))
            }
            Command::Act { .. } | Command::EnterFact { .. } | Command::StartRound { .. } => {
                Err(wrong_state("this is for a table, not for the registry".into()))
            }
        }
    }

    /// Replays an event.
    ///
    /// # Errors
    /// It does not fit: the journal is not of this hall, or was made by something else.
    pub fn fold(&mut self, event: &HallEvent) -> Result<(), FoldError> {
        let lost = |what: &str, name: &dyn std::fmt::Display| FoldError(format!("there is no {what} {name}"));
        match event {
            HallEvent::EventPut {
                event,
                name,
                site,
                date,
                regulations,
            } => {
                let entry = self.events.entry(event.clone()).or_insert_with(|| ChessEvent {
                    id: event.clone(),
                    name: String::new(),
                    site: String::new(),
                    date: String::new(),
                    regulations: Regulations::default(),
                    rounds: BTreeMap::new(),
                    imports: BTreeMap::new(),
                    releases: Releases::default(),
                });
                entry.name.clone_from(name);
                entry.site.clone_from(site);
                entry.date.clone_from(date);
                entry.regulations = regulations.clone();
            }
            HallEvent::RoundPut(round) => {
                for pairing in &round.pairings {
                    self.tables
                        .entry(pairing.table)
                        .or_insert_with(|| bare_table(pairing.table));
                }
                let event = self
                    .events
                    .get_mut(&round.event)
                    .ok_or_else(|| lost("event", &round.event))?;
                let before = event.rounds.insert(round.number, round.clone());
                // Starting numbers are those of the file's games: what is paired otherwise by hand has none.
                if let (Some(before), Some(imported)) = (before, event.imports.get_mut(&round.number)) {
                    Arc::make_mut(imported)
                        .numbers
                        .retain(|numbers| rounds::is_unchanged(&before, round, numbers.table));
                }
            }
            HallEvent::ReleaseSet { event, round, release } => {
                let releases = &mut self.events.get_mut(event).ok_or_else(|| lost("event", event))?.releases;
                match (round, release) {
                    (None, release) => releases.all = release.clone().unwrap_or_default(),
                    (Some(round), Some(release)) => {
                        releases.rounds.insert(*round, release.clone());
                    }
                    (Some(round), None) => {
                        releases.rounds.remove(round);
                    }
                }
            }
            HallEvent::RoundImported { round, imported, seats } => {
                let event = self
                    .events
                    .get_mut(&round.event)
                    .ok_or_else(|| lost("event", &round.event))?;
                event.imports.insert(round.number, Arc::clone(imported));
                let before = event.rounds.insert(round.number, round.clone());
                for old in before.iter().flat_map(|before| &before.pairings) {
                    if let Some(table) = self.tables.get_mut(&old.table)
                        && table.game.is_some()
                        && table.game == old.game
                    {
                        table.game = None;
                    }
                }
                for pairing in &round.pairings {
                    let table = self.tables.entry(pairing.table);
                    let table = table.or_insert_with(|| bare_table(pairing.table));
                    table.game = pairing.game.or(table.game);
                }
                for seat in seats {
                    self.games.insert(seat.game, Arc::clone(seat));
                }
            }
            HallEvent::RoundArmed { event, round, seats } => {
                for seat in seats {
                    let table = self
                        .tables
                        .get_mut(&seat.table)
                        .ok_or_else(|| lost("table", &seat.table))?;
                    table.game = Some(seat.game);
                    self.games.insert(seat.game, Arc::clone(seat));
                }
                let found = self.round_mut(event, *round).ok_or_else(|| lost("round", round))?;
                if found.status == RoundStatus::Prepared {
                    found.status = RoundStatus::Armed;
                }
                for pairing in &mut found.pairings {
                    pairing.game = seats
                        .iter()
                        .find(|seat| seat.table == pairing.table)
                        .map(|seat| seat.game)
                        .or(pairing.game);
                }
            }
            HallEvent::PairingAdded {
                event,
                round,
                pairing,
                seat,
            } => {
                let found = self.round_mut(event, *round).ok_or_else(|| lost("round", round))?;
                found.pairings.push(Pairing::clone(pairing));
                let table = self.tables.entry(pairing.table);
                table.or_insert_with(|| bare_table(pairing.table)).game = Some(seat.game);
                self.games.insert(seat.game, Arc::clone(seat));
            }
            HallEvent::EventImported { event, seats } => {
                self.events.insert(event.id.clone(), ChessEvent::clone(event));
                for seat in seats {
                    self.games.insert(seat.game, Arc::clone(seat));
                }
            }
            HallEvent::RoundStarted { event, round } => {
                self.round_mut(event, *round)
                    .ok_or_else(|| lost("round", round))?
                    .status = RoundStatus::Started;
            }
            HallEvent::RoundEnded { event, round } => {
                self.round_mut(event, *round)
                    .ok_or_else(|| lost("round", round))?
                    .status = RoundStatus::Ended;
            }
            HallEvent::DevicePut(device) => {
                self.devices.insert(device.id.clone(), device.clone());
            }
            HallEvent::DeviceRotated { device, credential } => {
                self.devices
                    .get_mut(device)
                    .ok_or_else(|| lost("device", device))?
                    .credential = credential.clone();
            }
            HallEvent::DeviceRemoved { device } => {
                self.unbind(device);
                self.devices.remove(device).ok_or_else(|| lost("device", device))?;
            }
            HallEvent::DeviceBound {
                device,
                table,
                as_clock,
                as_board,
                white_side,
                board_turned,
            } => {
                self.unbind(device);
                let place = self.tables.get_mut(table).ok_or_else(|| lost("table", table))?;
                if *as_clock {
                    place.clock = Some(device.clone());
                }
                if *as_board {
                    place.board = Some(device.clone());
                }
                place.white_side = *white_side;
                place.board_turned = *board_turned;
                self.devices
                    .get_mut(device)
                    .ok_or_else(|| lost("device", device))?
                    .bound_to = Some(*table);
            }
            HallEvent::DeviceUnbound { device } => self.unbind(device),
            HallEvent::DeviceReplaced { old, new } => {
                let table = self
                    .devices
                    .get(old)
                    .and_then(|device| device.bound_to)
                    .ok_or_else(|| FoldError(format!("{old} serves no table")))?;
                self.unbind(new);
                if let Some(place) = self.tables.get_mut(&table) {
                    for serves in [&mut place.clock, &mut place.board] {
                        if serves.as_ref() == Some(old) {
                            *serves = Some(new.clone());
                        }
                    }
                }
                self.unbind(old);
                self.devices.get_mut(new).ok_or_else(|| lost("device", new))?.bound_to = Some(table);
            }
            HallEvent::TablePut {
                table,
                sector,
                white_side,
                board_turned,
            } => {
                let place = self.tables.entry(*table).or_insert_with(|| bare_table(*table));
                place.sector.clone_from(sector);
                place.white_side = *white_side;
                place.board_turned = *board_turned;
            }
            HallEvent::PersonPut(person) => {
                self.people.insert(person.name.clone(), person.clone());
            }
            HallEvent::SectorHandedOver { sector, to } => {
                for person in self.people.values_mut() {
                    person.also.retain(|also| also != sector);
                }
                if let Some(name) = to {
                    let person = self.people.get_mut(name).ok_or_else(|| lost("person", name))?;
                    if person.sector.as_ref() != Some(sector) {
                        person.also.push(sector.clone());
                    }
                }
            }
            HallEvent::PersonRevoked { name } => {
                self.people.remove(name);
            }
        }
        Ok(())
    }

    /// The parts that an event changes, by the registry before it: what has to be kept anew.
    pub fn touched(&self, event: &HallEvent) -> BTreeSet<Part> {
        let mut parts = BTreeSet::new();
        let bound = |device: &DeviceId| {
            self.devices
                .get(device)
                .and_then(|device| device.bound_to)
                .map(Part::Table)
        };
        match event {
            HallEvent::EventPut { event, .. }
            | HallEvent::ReleaseSet { event, .. }
            | HallEvent::RoundStarted { event, .. }
            | HallEvent::RoundEnded { event, .. } => {
                parts.insert(Part::Event(event.clone()));
            }
            HallEvent::RoundPut(round) => {
                parts.insert(Part::Event(round.event.clone()));
                parts.extend(round.pairings.iter().map(|pairing| Part::Table(pairing.table)));
            }
            HallEvent::RoundImported { round, seats, .. } => {
                parts.insert(Part::Event(round.event.clone()));
                let known = self.round(&round.event, round.number).ok();
                let all = known
                    .into_iter()
                    .flat_map(|known| &known.pairings)
                    .chain(&round.pairings);
                parts.extend(all.map(|pairing| Part::Table(pairing.table)));
                parts.extend(seats.iter().map(|seat| Part::Game(seat.game)));
            }
            HallEvent::RoundArmed { event, seats, .. } => {
                parts.insert(Part::Event(event.clone()));
                parts.extend(
                    seats
                        .iter()
                        .flat_map(|seat| [Part::Table(seat.table), Part::Game(seat.game)]),
                );
            }
            HallEvent::EventImported { event, seats } => {
                parts.insert(Part::Event(event.id.clone()));
                parts.extend(seats.iter().map(|seat| Part::Game(seat.game)));
            }
            HallEvent::DevicePut(Device { id: device, .. }) | HallEvent::DeviceRotated { device, .. } => {
                parts.insert(Part::Device(device.clone()));
            }
            HallEvent::DeviceRemoved { device } | HallEvent::DeviceUnbound { device } => {
                parts.insert(Part::Device(device.clone()));
                parts.extend(bound(device));
            }
            HallEvent::DeviceBound { device, table, .. } => {
                parts.insert(Part::Device(device.clone()));
                parts.insert(Part::Table(*table));
                parts.extend(bound(device));
            }
            HallEvent::DeviceReplaced { old, new } => {
                for device in [old, new] {
                    parts.insert(Part::Device(device.clone()));
                    parts.extend(bound(device));
                }
            }
            HallEvent::TablePut { table, .. } => {
                parts.insert(Part::Table(*table));
            }
            HallEvent::PersonPut(person) => {
                parts.insert(Part::Person(person.name.clone()));
            }
            HallEvent::PairingAdded { event, seat, .. } => {
                parts.insert(Part::Event(event.clone()));
                parts.insert(Part::Table(seat.table));
                parts.insert(Part::Game(seat.game));
            }
            HallEvent::SectorHandedOver { sector, to } => {
                let held = self.people.values().filter(|person| person.also.contains(sector));
                parts.extend(held.map(|person| Part::Person(person.name.clone())));
                parts.extend(to.clone().map(Part::Person));
            }
            HallEvent::PersonRevoked { name } => {
                parts.insert(Part::Person(name.clone()));
            }
        }
        parts
    }

    /// The round, or that there is none.
    ///
    /// # Errors
    /// No such event or round.
    pub fn round(&self, event: &EventId, round: RoundNo) -> Result<&Round, CallError> {
        let found = self
            .events
            .get(event)
            .ok_or_else(|| not_found(format!("there is no event {event}")))?;
        found
            .rounds
            .get(&round)
            .ok_or_else(|| not_found(format!("{event} has no round {round}")))
    }

    fn round_mut(&mut self, event: &EventId, round: RoundNo) -> Option<&mut Round> {
        self.events.get_mut(event)?.rounds.get_mut(&round)
    }
}

fn bare_table(number: TableNo) -> Table {
    Table {
        number,
        sector: String::new(),
        clock: None,
        board: None,
        white_side: Side::Left,
        board_turned: false,
        game: None,
    }
}

fn done(event: HallEvent) -> Decided {
    Decided {
        event,
        answer: Answer::default(),
    }
}

fn wrong_state(message: String) -> CallError {
    CallError::new(CallReason::WrongState, message)
}

fn not_found(message: String) -> CallError {
    CallError::new(CallReason::NotFound, message)
}

/// Nobody can take these: the record would be read as if the hub had done what he did.
const HUB_NAMES: [&str; 3] = ["the hub", "hub", "regulations"];

/// There is no such table.
pub(super) fn no_table(table: TableNo) -> CallError {
    CallError::new(
        CallReason::NoSuchTable,
        format!("the hall has no table {table}; pair players at it first (`flagfall round put`)"),
    )
}
