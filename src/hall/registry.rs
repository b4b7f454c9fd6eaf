//! The registry: events, rounds, tables, devices and people, as state folded from [`HallEvent`]s.
//!
//! A command is validated whole against the registry as it is, and refused whole, with the path of the field that cannot be
//! so; what comes out is one event that goes to the journal before anything shows it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::call::{Answer, Author, CallError, CallReason, Command};
use super::ids::{DeviceId, EventId, RoundNo, TableNo};
use super::model::{
    BoardKind, Category, ChessEvent, Credential, Device, DeviceKind, Pairing, Person, PersonRole, Player, Registry,
    Regulations, Round, RoundStatus, Seat, Side, Table, Variant,
};
use super::report::Abilities;
use super::secrets::Chance;
use crate::game::input::Deed;
use crate::game::{ClockKind, FoldError, GameSetup};
use crate::laws::TimeControl;
use crate::time::{HallTime, Millis};

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
    /// The tables have their games.
    RoundArmed {
        /// Whose.
        event: EventId,
        /// Which.
        round: RoundNo,
        /// The games.
        seats: Vec<Arc<Seat>>,
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
            Deed::Reopen => &[ChiefArbiter],
            Deed::EnterMove { .. } | Deed::Promoted { .. } => &[ChiefArbiter, Arbiter, Recorder],
            _ => &[ChiefArbiter, Arbiter],
        },
        Command::EnterFact { .. } => &[ChiefArbiter, Arbiter, Recorder],
        Command::ArmRound { .. } | Command::StartRound { .. } | Command::EndRound { .. } => &[ChiefArbiter, Arbiter],
        Command::PutEvent { .. } | Command::PutRound { .. } => &[ChiefArbiter],
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
            Command::ArmRound { event, round } => self.arm(event, *round, context).map(done),
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
                if let Some(sector) = sector {
                    text("sector", sector, true)?;
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
                event.rounds.insert(round.number, round.clone());
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
                found.status = RoundStatus::Armed;
                for pairing in &mut found.pairings {
                    pairing.game = seats
                        .iter()
                        .find(|seat| seat.table == pairing.table)
                        .map(|seat| seat.game);
                }
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
            | HallEvent::RoundStarted { event, .. }
            | HallEvent::RoundEnded { event, .. } => {
                parts.insert(Part::Event(event.clone()));
            }
            HallEvent::RoundPut(round) => {
                parts.insert(Part::Event(round.event.clone()));
                parts.extend(round.pairings.iter().map(|pairing| Part::Table(pairing.table)));
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

    fn device(&self, field: &str, device: &DeviceId) -> Result<&Device, CallError> {
        self.devices.get(device).ok_or_else(|| CallError {
            field: Some(field.to_owned()),
            ..not_found(format!("the hall does not know a device {device}; add it first"))
        })
    }

    fn unbind(&mut self, device: &DeviceId) {
        let Some(known) = self.devices.get_mut(device) else {
            return;
        };
        let Some(place) = known.bound_to.take().and_then(|table| self.tables.get_mut(&table)) else {
            return;
        };
        for serves in [&mut place.clock, &mut place.board] {
            if serves.as_ref() == Some(device) {
                *serves = None;
            }
        }
    }

    fn add_device(
        &self,
        device: &DeviceId,
        kind: DeviceKind,
        speaks_for: &[DeviceId],
        context: &Context<'_>,
    ) -> Result<Decided, CallError> {
        if device.as_str() == "hub" {
            return Err(CallError::field("device", "`hub` is the hub's own name; take another"));
        }
        if self.devices.contains_key(device) {
            return Err(CallError {
                field: Some("device".into()),
                ..CallError::new(
                    CallReason::AlreadyExists,
                    format!("{device} is known already; rotate it for a new secret, or take another name"),
                )
            });
        }
        if !speaks_for.is_empty() && kind != DeviceKind::Gateway {
            return Err(CallError::field("speaks_for", "only a gateway speaks for others"));
        }
        for (at, other) in speaks_for.iter().enumerate() {
            let path = format!("speaks_for[{at}]");
            let known = self.device(&path, other)?;
            if known.kind == DeviceKind::Gateway {
                return Err(CallError::field(path, format!("{other} is a gateway itself")));
            }
        }
        let secret = context.chance.secret();
        Ok(Decided {
            event: HallEvent::DevicePut(Device {
                id: device.clone(),
                kind,
                speaks_for: speaks_for.to_vec(),
                credential: context.chance.credential(&secret),
                bound_to: None,
            }),
            answer: Answer {
                secret: Some(secret),
                ..Answer::default()
            },
        })
    }

    fn bind(
        &self,
        device: &DeviceId,
        table: TableNo,
        (as_clock, as_board): (bool, bool),
        white_side: Option<Side>,
        board_turned: Option<bool>,
    ) -> Result<HallEvent, CallError> {
        let known = self.device("device", device)?;
        let place = self.tables.get(&table).ok_or_else(|| no_table(table))?;
        let (as_clock, as_board) = match (as_clock, as_board, known.kind) {
            (_, _, DeviceKind::Gateway) => {
                return Err(CallError::field(
                    "device",
                    format!("{device} is a gateway: bind the devices it speaks for"),
                ));
            }
            (false, false, DeviceKind::Clock) => (true, false),
            (false, false, DeviceKind::Board) => (false, true),
            (false, false, DeviceKind::Both) => (true, true),
            (true, _, DeviceKind::Board) => return Err(CallError::field("as_clock", format!("{device} is a board"))),
            (_, true, DeviceKind::Clock) => return Err(CallError::field("as_board", format!("{device} is a clock"))),
            (as_clock, as_board, _) => (as_clock, as_board),
        };
        if let Some(other) = known.bound_to.filter(|other| *other != table) {
            return Err(wrong_state(format!(
                "{device} serves table {other}; unbind it there first"
            )));
        }
        let taken =
            |wanted: bool, serves: &Option<DeviceId>| serves.clone().filter(|serves| wanted && serves != device);
        for (what, serves) in [
            ("clock", taken(as_clock, &place.clock)),
            ("board", taken(as_board, &place.board)),
        ] {
            if let Some(other) = serves {
                return Err(wrong_state(format!(
                    "table {table} has {other} as its {what}; unbind it, or replace it by {device} in one call"
                )));
            }
        }
        Ok(HallEvent::DeviceBound {
            device: device.clone(),
            table,
            as_clock,
            as_board,
            white_side: white_side.unwrap_or(place.white_side),
            board_turned: board_turned.unwrap_or(place.board_turned),
        })
    }

    fn replace(&self, old: &DeviceId, new: &DeviceId) -> Result<HallEvent, CallError> {
        let broken = self.device("old", old)?;
        let fresh = self.device("new", new)?;
        let Some(table) = broken.bound_to else {
            return Err(wrong_state(format!("{old} serves no table: bind {new} instead")));
        };
        if let Some(other) = fresh.bound_to {
            return Err(wrong_state(format!(
                "{new} serves table {other} already; unbind it there first"
            )));
        }
        let place = self.tables.get(&table).ok_or_else(|| no_table(table))?;
        let (clock, board) = (place.clock.as_ref() == Some(old), place.board.as_ref() == Some(old));
        let can = match fresh.kind {
            DeviceKind::Both => true,
            DeviceKind::Clock => !board,
            DeviceKind::Board => !clock,
            DeviceKind::Gateway => false,
        };
        if !can {
            return Err(CallError::field(
                "new",
                format!("{new} cannot do all that {old} does at table {table}"),
            ));
        }
        Ok(HallEvent::DeviceReplaced {
            old: old.clone(),
            new: new.clone(),
        })
    }

    fn put_round(
        &self,
        event: &EventId,
        round: RoundNo,
        time_control: &str,
        pairings: &[Pairing],
    ) -> Result<HallEvent, CallError> {
        let found = self.events.get(event).ok_or_else(|| CallError {
            field: Some("event".into()),
            ..not_found(format!("there is no event {event}; make it first"))
        })?;
        in_range("round", round.0)?;
        if let Some(known) = found
            .rounds
            .get(&round)
            .filter(|known| known.status != RoundStatus::Prepared)
        {
            return Err(wrong_state(format!(
                "round {round} of {event} is {} and its pairings cannot change any more",
                format!("{:?}", known.status).to_lowercase()
            )));
        }
        control("time_control", time_control)?;
        let mut tables = HashMap::new();
        let mut boards = HashMap::new();
        let mut players: HashMap<String, String> = HashMap::new();
        for (at, pairing) in pairings.iter().enumerate() {
            let path = |field: &str| format!("pairings[{at}].{field}");
            in_range(&path("table"), pairing.table.0)?;
            if let Some(before) = tables.insert(pairing.table, at) {
                let what = format!(
                    "table {} has pairings[{before}] already: one game at a table",
                    pairing.table
                );
                return Err(CallError::field(path("table"), what));
            }
            if let Some(before) = boards.insert(pairing.board, at) {
                let what = format!("board {} is pairings[{before}] already", pairing.board);
                return Err(CallError::field(path("board"), what));
            }
            for (color, player) in [("white", &pairing.white), ("black", &pairing.black)] {
                check_player(&path(color), player)?;
                let here = path(color);
                if let Some(before) = players.insert(identity(player), here.clone()) {
                    let what = format!("{:?} plays at {before} already", player.name);
                    return Err(CallError::field(here, what));
                }
            }
            if let Some(own) = &pairing.time_control {
                control(&path("time_control"), own)?;
            }
            if let Some(fen) = &pairing.fen {
                check_fen(&path("fen"), fen)?;
            }
        }
        let pairings = pairings
            .iter()
            .map(|pairing| Pairing {
                game: None,
                ..pairing.clone()
            })
            .collect();
        Ok(HallEvent::RoundPut(Round {
            event: event.clone(),
            number: round,
            time_control: time_control.to_owned(),
            status: RoundStatus::Prepared,
            pairings,
        }))
    }

    fn arm(&self, event: &EventId, number: RoundNo, context: &Context<'_>) -> Result<HallEvent, CallError> {
        let round = self.round(event, number)?;
        if round.status != RoundStatus::Prepared {
            return Err(wrong_state(format!(
                "round {number} of {event} is {} already",
                format!("{:?}", round.status).to_lowercase()
            )));
        }
        if round.pairings.is_empty() {
            return Err(wrong_state(format!("round {number} of {event} has no pairings")));
        }
        let regulations = self
            .events
            .get(event)
            .map(|event| event.regulations.clone())
            .unwrap_or_default();
        let common = control("time_control", &round.time_control)?;
        let category = regulations.category.unwrap_or_else(|| Category::of(&common));
        let mut seats = Vec::with_capacity(round.pairings.len());
        for (at, pairing) in (0u64..).zip(&round.pairings) {
            let place = self.tables.get(&pairing.table).ok_or_else(|| no_table(pairing.table))?;
            if let Some(other) = self.unfinished(place) {
                return Err(CallError {
                    field: Some(format!("pairings[{at}].table")),
                    ..wrong_state(format!(
                        "table {} still has a game of round {} of {}; end that round first",
                        pairing.table, other.round, other.event
                    ))
                });
            }
            let time_control = match &pairing.time_control {
                Some(own) => control(&format!("pairings[{at}].time_control"), own)?,
                None => common.clone(),
            };
            let setup = setup(pairing, place, &regulations, category, time_control, context);
            seats.push(Arc::new(Seat {
                game: context.chance.game(at),
                table: pairing.table,
                event: event.clone(),
                round: number,
                board: pairing.board,
                setup,
            }));
        }
        Ok(HallEvent::RoundArmed {
            event: event.clone(),
            round: number,
            seats,
        })
    }

    /// The game at this table, if its round is not over.
    fn unfinished(&self, table: &Table) -> Option<&Seat> {
        let seat = self.games.get(&table.game?)?;
        let round = self.events.get(&seat.event)?.rounds.get(&seat.round)?;
        (round.status != RoundStatus::Ended).then_some(seat.as_ref())
    }
}

fn setup(
    pairing: &Pairing,
    table: &Table,
    regulations: &Regulations,
    category: Category,
    time_control: TimeControl,
    context: &Context<'_>,
) -> GameSetup {
    let clock = table.clock.as_ref().map(|clock| context.abilities.get(clock));
    let board = table.board.as_ref().map(|board| context.abilities.get(board));
    let kind_of_board = match board {
        None => BoardKind::None,
        Some(Some(able)) if !able.tells_pieces => BoardKind::Occupancy,
        // One that has not spoken yet is taken for the better kind; the pairing can say otherwise.
        Some(_) => BoardKind::Pieces,
    };
    GameSetup {
        category,
        time_control,
        supervision: regulations.supervision,
        enforcement: regulations.enforcement,
        open_points: regulations.open_points,
        default_time: regulations.default_time_ms,
        period_rule: regulations.period_added,
        first_increment: regulations.first_increment,
        board: pairing.board_kind.unwrap_or(kind_of_board),
        chess960: pairing.variant == Variant::Chess960,
        fen: pairing.fen.clone(),
        min_moves_for_draw: regulations.min_moves_for_draw,
        clock: match clock {
            None => ClockKind::None,
            Some(Some(able)) if !able.counts => ClockKind::Button,
            Some(_) => ClockKind::Counting,
        },
        clock_resolution: clock.flatten().map_or(Millis(1), |able| able.resolution),
        sensing_lag: board.flatten().map_or(Millis::ZERO, |able| able.sensing_lag),
        endings_at_once: regulations.endings_shown_at_once,
        opened: context.now,
        ..GameSetup::default()
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

/// There is no such table.
pub(super) fn no_table(table: TableNo) -> CallError {
    CallError::new(
        CallReason::NoSuchTable,
        format!("the hall has no table {table}; pair players at it first (`flagfall round put`)"),
    )
}

fn in_range(path: &str, number: u32) -> Result<(), CallError> {
    if (1..=MOST).contains(&number) {
        return Ok(());
    }
    Err(CallError::field(path, format!("{number} is out of range: 1 to {MOST}")))
}

/// Names come from strangers' files: no control characters, and no end of them.
fn text(path: &str, given: &str, needed: bool) -> Result<(), CallError> {
    if needed && given.trim().is_empty() {
        return Err(CallError::field(path, "it must not be empty"));
    }
    if given.chars().count() > LONGEST {
        return Err(CallError::field(
            path,
            format!("it is longer than {LONGEST} characters"),
        ));
    }
    if given.chars().any(char::is_control) {
        return Err(CallError::field(path, "it has control characters in it"));
    }
    Ok(())
}

fn check_player(path: &str, player: &Player) -> Result<(), CallError> {
    text(&format!("{path}.name"), &player.name, true)?;
    text(&format!("{path}.title"), &player.title, false)?;
    text(&format!("{path}.federation"), &player.federation, false)?;
    text(&format!("{path}.team"), &player.team, false)
}

/// What makes two entries the same player: FIDE's number, or the name where there is none.
fn identity(player: &Player) -> String {
    match player.fide_id {
        Some(id) => format!("#{id}"),
        None => player.name.trim().to_lowercase(),
    }
}

fn control(path: &str, written: &str) -> Result<TimeControl, CallError> {
    written
        .parse()
        .map_err(|why: crate::laws::time_control::NoTimeControl| CallError::field(path, why.to_string()))
}

fn check_fen(path: &str, fen: &str) -> Result<(), CallError> {
    let placement = fen.split(' ').next().unwrap_or_default();
    match placement.parse::<crate::chess::Placement>() {
        Ok(_) => Ok(()),
        Err(why) => Err(CallError::field(path, why.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hall::ids::GameId;

    struct Hall {
        registry: Registry,
        calls: u8,
    }

    fn event() -> EventId {
        "open".parse().expect("an id")
    }

    fn device(name: &str) -> DeviceId {
        name.parse().expect("an id")
    }

    fn pairing(table: u32, white: &str, black: &str) -> Pairing {
        let player = |name: &str| Player {
            name: name.to_owned(),
            ..Player::default()
        };
        Pairing {
            table: TableNo(table),
            board: table,
            white: player(white),
            black: player(black),
            time_control: None,
            board_kind: None,
            variant: Variant::Standard,
            fen: None,
            game: None,
        }
    }

    fn round(number: u32, pairings: Vec<Pairing>) -> Command {
        Command::PutRound {
            event: event(),
            round: RoundNo(number),
            time_control: "90m+30s".into(),
            pairings,
        }
    }

    fn arm(number: u32) -> Command {
        Command::ArmRound {
            event: event(),
            round: RoundNo(number),
        }
    }

    fn add(name: &str, kind: DeviceKind) -> Command {
        Command::AddDevice {
            device: device(name),
            kind,
            speaks_for: Vec::new(),
        }
    }

    fn bind(name: &str, table: u32) -> Command {
        Command::BindDevice {
            device: device(name),
            table: TableNo(table),
            as_clock: false,
            as_board: false,
            white_side: None,
            board_turned: None,
        }
    }

    impl Hall {
        fn new() -> Hall {
            let mut hall = Hall {
                registry: Registry::default(),
                calls: 0,
            };
            hall.ask(&Command::PutEvent {
                event: event(),
                name: "Open".into(),
                site: String::new(),
                date: String::new(),
                regulations: Regulations::default(),
            })
            .expect("an event");
            hall
        }

        fn ask(&mut self, command: &Command) -> Result<Decided, CallError> {
            self.calls += 1;
            let chance = Chance {
                bytes: [self.calls; 32],
                wall_ms: 1,
            };
            let able = Abilities {
                clock: true,
                ..Abilities::default()
            };
            let abilities = HashMap::from([(device("button"), able)]);
            let context = Context {
                chance: &chance,
                abilities: &abilities,
                now: HallTime(5),
            };
            let decided = self.registry.decide(command, &context)?;
            // What is journalled is read again at a restart.
            let written = serde_json::to_string(&decided.event).expect("written");
            let event: HallEvent = serde_json::from_str(&written).expect("read");
            assert_eq!(event, decided.event);
            if let Some(secret) = &decided.answer.secret {
                assert!(
                    !written.contains(secret.as_str()),
                    "a secret never comes into the journal"
                );
            }
            self.registry.fold(&event).expect("it fits");
            Ok(decided)
        }

        fn refused(&mut self, command: &Command) -> CallError {
            let before = self.registry.clone();
            let error = self.ask(command).expect_err("must be refused");
            assert_eq!(before, self.registry, "refused whole");
            error
        }
    }

    #[test]
    fn rated_events_leave_illegal_moves_and_defaults_to_the_arbiter() {
        use crate::laws::{Enforced, Enforcement, Finding};
        let put = |finding, rated| {
            let mut enforcement = Enforcement::CONFIRM;
            enforcement.set(finding, Enforced::Automatic);
            Command::PutEvent {
                event: event(),
                name: "Open".into(),
                site: String::new(),
                date: String::new(),
                regulations: Regulations {
                    enforcement,
                    rated,
                    ..Regulations::default()
                },
            }
        };
        let mut hall = Hall::new();
        let refused = hall.refused(&put(Finding::Default, true));
        assert_eq!(refused.field.as_deref(), Some("regulations.enforcement[default]"));
        assert!(refused.message.contains("6.7.1"), "{refused}");
        hall.refused(&put(Finding::IllegalMove, true));
        hall.ask(&put(Finding::Flag, true)).expect("a flag is the clock's own");
        hall.ask(&put(Finding::IllegalMove, false)).expect("a house rule");
    }

    #[test]
    fn a_player_twice_or_two_games_at_one_table_are_refused_with_the_path_of_the_field() {
        let mut hall = Hall::new();
        let twice = hall.refused(&round(
            1,
            vec![pairing(1, "Adams", "Bell"), pairing(2, "Carr", "ADAMS ")],
        ));
        assert_eq!(
            (twice.reason, twice.field.as_deref()),
            (CallReason::BadField, Some("pairings[1].black"))
        );
        assert!(twice.message.contains("pairings[0].white"), "{twice}");
        let table = hall.refused(&round(1, vec![pairing(1, "Adams", "Bell"), pairing(1, "Carr", "Dunn")]));
        assert_eq!(table.field.as_deref(), Some("pairings[1].table"));
        let mut unequal = pairing(2, "Carr", "Dunn");
        unequal.time_control = Some("90 minutes".into());
        let control = hall.refused(&round(1, vec![pairing(1, "Adams", "Bell"), unequal]));
        assert_eq!(control.field.as_deref(), Some("pairings[1].time_control"));
        let hostile = hall.refused(&round(1, vec![pairing(1, "A\u{1b}[2Jdams", "Bell")]));
        assert_eq!(hostile.field.as_deref(), Some("pairings[0].white.name"));
        let stranger = Command::ArmRound {
            event: "other".parse().expect("an id"),
            round: RoundNo(1),
        };
        assert_eq!(hall.refused(&stranger).reason, CallReason::NotFound);
    }

    #[test]
    fn the_same_name_with_two_fide_numbers_is_two_players() {
        let mut hall = Hall::new();
        let mut pairing = pairing(1, "Wang, Li", "Wang, Li");
        pairing.white.fide_id = Some(1);
        pairing.black.fide_id = Some(2);
        hall.ask(&round(1, vec![pairing])).expect("two players");
    }

    #[test]
    fn a_round_is_armed_once_and_its_pairings_stay_and_the_next_waits_for_its_end() {
        let mut hall = Hall::new();
        hall.ask(&round(1, vec![pairing(1, "Adams", "Bell"), pairing(2, "Carr", "Dunn")]))
            .expect("paired");
        hall.ask(&arm(1)).expect("armed");
        let games: BTreeSet<GameId> = hall.registry.games.keys().copied().collect();
        assert_eq!(games.len(), 2);
        assert_eq!(hall.refused(&arm(1)).reason, CallReason::WrongState);
        assert_eq!(
            hall.refused(&round(1, vec![pairing(1, "Adams", "Bell")])).reason,
            CallReason::WrongState
        );
        hall.ask(&round(2, vec![pairing(1, "Bell", "Carr")]))
            .expect("paired meanwhile");
        let early = hall.refused(&arm(2));
        assert_eq!(
            (early.reason, early.field.as_deref()),
            (CallReason::WrongState, Some("pairings[0].table"))
        );
        hall.ask(&Command::EndRound {
            event: event(),
            round: RoundNo(1),
        })
        .expect("ended");
        hall.ask(&arm(2)).expect("armed");
        assert!(
            games.iter().all(|game| hall.registry.games.contains_key(game)),
            "the games of before stay known"
        );
    }

    #[test]
    fn a_table_has_one_clock_at_a_time_and_a_broken_one_is_replaced_in_one_call() {
        let mut hall = Hall::new();
        hall.ask(&round(1, vec![pairing(1, "Adams", "Bell")])).expect("paired");
        for name in ["clock-1", "clock-2"] {
            hall.ask(&add(name, DeviceKind::Clock)).expect("added");
        }
        hall.ask(&add("board-1", DeviceKind::Board)).expect("added");
        hall.ask(&bind("clock-1", 1)).expect("bound");
        hall.ask(&bind("board-1", 1)).expect("bound");
        assert_eq!(hall.refused(&bind("clock-2", 1)).reason, CallReason::WrongState);
        assert_eq!(hall.refused(&bind("clock-2", 9)).reason, CallReason::NoSuchTable);
        let replace = |old: &str, new: &str| Command::ReplaceDevice {
            old: device(old),
            new: device(new),
        };
        assert_eq!(
            hall.refused(&replace("board-1", "clock-2")).field.as_deref(),
            Some("new")
        );
        let decided = hall.registry.clone();
        hall.ask(&replace("clock-1", "clock-2")).expect("replaced");
        let table = &hall.registry.tables[&TableNo(1)];
        assert_eq!(
            (table.clock.as_ref(), table.board.as_ref()),
            (Some(&device("clock-2")), Some(&device("board-1")))
        );
        assert_eq!(hall.registry.devices[&device("clock-1")].bound_to, None);
        let touched = decided.touched(&HallEvent::DeviceReplaced {
            old: device("clock-1"),
            new: device("clock-2"),
        });
        assert!(touched.contains(&Part::Table(TableNo(1))) && touched.contains(&Part::Device(device("clock-2"))));
        hall.ask(&Command::UnbindDevice {
            device: device("clock-2"),
        })
        .expect("unbound");
        assert_eq!(hall.registry.tables[&TableNo(1)].clock, None);
    }

    #[test]
    fn what_stands_at_the_table_decides_how_the_game_is_set_up() {
        let mut hall = Hall::new();
        hall.ask(&round(1, vec![pairing(1, "Adams", "Bell"), pairing(2, "Carr", "Dunn")]))
            .expect("paired");
        hall.ask(&add("button", DeviceKind::Clock)).expect("added");
        hall.ask(&bind("button", 1)).expect("bound");
        hall.ask(&arm(1)).expect("armed");
        let setup = |table: u32| {
            hall.registry
                .games
                .values()
                .find(|seat| seat.table == TableNo(table))
                .expect("armed")
                .setup
                .clone()
        };
        assert_eq!((setup(1).clock, setup(1).board), (ClockKind::Button, BoardKind::None));
        assert_eq!(setup(2).clock, ClockKind::None);
    }

    #[test]
    fn secrets_are_shown_once_and_a_name_has_one_token() {
        let mut hall = Hall::new();
        let person = Command::AddPerson {
            name: "Vera".into(),
            role: PersonRole::Arbiter,
            sector: None,
            expires_unix_ms: None,
        };
        let token = hall.ask(&person).expect("added").answer.secret.expect("a token");
        assert_eq!(
            hall.registry.people["Vera"].token_sha256,
            crate::hall::handle::sha256_hex(&token)
        );
        assert_eq!(hall.refused(&person).reason, CallReason::AlreadyExists);
        hall.ask(&add("clock-1", DeviceKind::Clock)).expect("added");
        let before = hall.registry.devices[&device("clock-1")].credential.clone();
        let secret = hall
            .ask(&Command::RotateDevice {
                device: device("clock-1"),
            })
            .expect("rotated")
            .answer
            .secret;
        let after = &hall.registry.devices[&device("clock-1")].credential;
        assert!(after.proves(secret.expect("a secret").as_bytes()) && *after != before);
    }

    #[test]
    fn who_may_do_what_is_told_with_the_roles_that_may() {
        let author = |role| Author {
            name: "x".into(),
            role,
            sector: None,
        };
        let table = Command::PutTable {
            table: TableNo(1),
            sector: None,
            white_side: None,
            board_turned: None,
        };
        assert!(allowed(&author(PersonRole::Technician), &table).is_ok());
        let refused = allowed(&author(PersonRole::Recorder), &table).expect_err("a recorder sets up nothing");
        assert_eq!(refused.reason, CallReason::NotAllowed);
        assert!(refused.message.contains("chief-arbiter, technician"), "{refused}");
        let reopen = Command::Act {
            table: TableNo(1),
            act: crate::game::input::Act {
                revision: None,
                reason: String::new(),
                what: Deed::Reopen,
            },
        };
        assert!(allowed(&author(PersonRole::Arbiter), &reopen).is_err());
        assert!(allowed(&author(PersonRole::ChiefArbiter), &reopen).is_ok());
        assert!(allowed(&author(PersonRole::Screen), &arm(1)).is_err());
    }
}
