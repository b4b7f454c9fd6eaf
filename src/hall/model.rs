//! What a hall is made of: events with their rounds, tables, devices, people; and what is shown of a table.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ids::{DeviceId, EventId, GameId, RoundNo, TableNo};
use super::imported::Imported;
use crate::chess::Color;
pub use crate::game::BoardKind;
use crate::game::GameSetup;
use crate::game::audience::{ArbiterView, HallView};
pub use crate::laws::{Category, Enforced, Enforcement, Finding, OpenPoints, PeriodRule as PeriodAdded, Supervision};
use crate::time::{HallTime, Millis};

/// A chess event in the hall. Several share it, each with its own regulations, rounds and tables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChessEvent {
    /// Its short name.
    pub id: EventId,
    /// Its name, as printed.
    pub name: String,
    /// Where it is played.
    #[serde(default)]
    pub site: String,
    /// `2026-11-29`; may be empty.
    #[serde(default)]
    pub date: String,
    /// Its own regulations.
    #[serde(default)]
    pub regulations: Regulations,
    /// Its rounds.
    #[serde(default)]
    pub rounds: BTreeMap<RoundNo, Round>,
    /// What those rounds were imported from that were.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub imports: BTreeMap<RoundNo, Arc<Imported>>,
    /// When the public sees what happens.
    #[serde(default)]
    pub releases: Releases,
}

/// What the Laws leave to an event's regulations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Regulations {
    /// `None`: derived from each round's time control (A.1, B.1).
    pub category: Option<Category>,
    /// Rapid and blitz: how many arbiters watch.
    pub supervision: Supervision,
    /// Whether what the hub finds waits for an arbiter, for each kind of finding.
    pub enforcement: Enforcement,
    /// Whether the event's games are sent in for rating: then illegal moves and defaults are never carried out automatically.
    pub rated: bool,
    /// What the event has decided where the Laws leave it open.
    pub open_points: OpenPoints,
    /// How late a player may arrive (6.7.1).
    pub default_time_ms: Millis,
    /// No draw by agreement before both have made so many moves.
    pub min_moves_for_draw: u32,
    /// When the next period's time is added.
    pub period_added: PeriodAdded,
    /// The clocks start at the period's time plus one increment.
    pub first_increment: bool,
    /// Mate and stalemate are shown to the hall at once, not only when an arbiter has acknowledged them.
    pub endings_shown_at_once: bool,
}

impl Default for Regulations {
    fn default() -> Regulations {
        Regulations {
            category: None,
            supervision: Supervision::Limited,
            enforcement: Enforcement::CONFIRM,
            rated: true,
            open_points: OpenPoints::default(),
            default_time_ms: Millis::ZERO,
            min_moves_for_draw: 0,
            period_added: PeriodAdded::OnZero,
            first_increment: true,
            endings_shown_at_once: false,
        }
    }
}

/// When the public sees what happens in an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Releases {
    /// In rounds that have no other.
    pub all: Release,
    /// In these rounds.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rounds: BTreeMap<RoundNo, Release>,
}

impl Releases {
    /// What holds for a round.
    pub fn of(&self, round: RoundNo) -> &Release {
        self.rounds.get(&round).unwrap_or(&self.all)
    }
}

/// When the public sees what happens in a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Release {
    /// Everything is held back so long, in hall time.
    pub delay_ms: Millis,
    /// Boards that are held back for another time, by their numbers in the event.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub boards: BTreeMap<u32, Millis>,
    /// What is held back of a game is told as soon as the hall sees its result.
    pub finished_at_once: bool,
    /// What is held back of a round is told when it ends.
    pub ended_at_once: bool,
}

impl Release {
    /// How long a board is held back.
    pub fn delay(&self, board: u32) -> Millis {
        self.boards.get(&board).copied().unwrap_or(self.delay_ms)
    }
}

/// What is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "their names say it")]
pub enum Variant {
    #[default]
    Standard,
    Chess960,
}

/// A round of an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Whose.
    pub event: EventId,
    /// From 1.
    pub number: RoundNo,
    /// As `flagfall` writes time controls: `90m+30s`.
    pub time_control: String,
    /// How far it is.
    pub status: RoundStatus,
    /// Who plays whom where.
    pub pairings: Vec<Pairing>,
}

/// How far a round is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoundStatus {
    /// Pairings may still change.
    #[default]
    Prepared,
    /// The tables have their games and the clocks their time control.
    Armed,
    /// Called.
    Started,
    /// Over.
    Ended,
}

/// Two players at a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairing {
    /// The hall's table.
    pub table: TableNo,
    /// The board's number in the event.
    pub board: u32,
    /// Who has White.
    pub white: Player,
    /// Who has Black.
    pub black: Player,
    /// Where it differs from the round's.
    #[serde(default)]
    pub time_control: Option<String>,
    /// `None`: what the table's board says of itself.
    #[serde(default)]
    pub board_kind: Option<BoardKind>,
    /// What is played.
    #[serde(default)]
    pub variant: Variant,
    /// Start from here instead.
    #[serde(default)]
    pub fen: Option<String>,
    /// The game, once the round is armed.
    #[serde(default)]
    pub game: Option<GameId>,
}

/// A player, as the pairings name him.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Player {
    /// `Surname, First name`.
    pub name: String,
    /// `GM`, `WIM`, …; may be empty.
    pub title: String,
    /// FIDE's number.
    pub fide_id: Option<u64>,
    /// Elo.
    pub rating: Option<u32>,
    /// `NOR`; may be empty.
    pub federation: String,
    /// May be empty.
    pub team: String,
}

/// A clock, a board, both in one, or a gateway that speaks for others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Device {
    /// Its name in its topics, and its user name.
    pub id: DeviceId,
    /// What it is.
    pub kind: DeviceKind,
    /// The devices a gateway speaks for.
    #[serde(default)]
    pub speaks_for: Vec<DeviceId>,
    /// What proves it; never the secret itself.
    pub credential: Credential,
    /// The table it serves.
    #[serde(default)]
    pub bound_to: Option<TableNo>,
}

/// What kind of device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "their names say it")]
pub enum DeviceKind {
    Clock,
    Board,
    Both,
    Gateway,
}

/// The hashes of a device's secret.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credential {
    /// Hex of the secret's SHA-256: what the embedded broker checks.
    pub sha256: String,
    /// The same secret as mosquitto's password file wants it.
    pub mosquitto: String,
}

/// A side of a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "their names say it")]
pub enum Side {
    #[default]
    Left,
    Right,
}

impl Side {
    /// The opposite side.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// A table of the hall, and what serves it. Which side of the clock is White's, and which way round the board lies, are two
/// facts of the table, neither of them the device's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Its number.
    pub number: TableNo,
    /// Part of the hall; may be empty.
    #[serde(default)]
    pub sector: String,
    /// Its clock. Never two at a time.
    #[serde(default)]
    pub clock: Option<DeviceId>,
    /// Its board.
    #[serde(default)]
    pub board: Option<DeviceId>,
    /// The side of the clock at which White sits.
    #[serde(default)]
    pub white_side: Side,
    /// The board's own a1 lies at h8.
    #[serde(default)]
    pub board_turned: bool,
    /// The game now at it.
    #[serde(default)]
    pub game: Option<GameId>,
}

/// A game: where it is played, and what it was set up with when its round was armed. Never changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Seat {
    /// The game.
    pub game: GameId,
    /// At this table.
    pub table: TableNo,
    /// Of this event.
    pub event: EventId,
    /// In this round.
    pub round: RoundNo,
    /// The board's number in the event.
    pub board: u32,
    /// What it was set up with.
    pub setup: GameSetup,
}

/// Somebody with a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// As it stands in the journal.
    pub name: String,
    /// What he may do.
    pub role: PersonRole,
    /// Only this part of the hall; `None` is all of it.
    #[serde(default)]
    pub sector: Option<String>,
    /// Sectors that were handed over to him, beside his own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Hex of the token's SHA-256; never the token.
    pub token_sha256: String,
    /// Milliseconds since 1970 after which the token is void.
    #[serde(default)]
    pub expires_unix_ms: Option<i64>,
}

impl Person {
    /// Whether he acts in this part of the hall.
    pub fn has(&self, sector: &str) -> bool {
        self.sector.as_deref().is_none_or(|own| own == sector) || self.also.iter().any(|also| also == sector)
    }
}

/// What somebody may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "their names say it")]
pub enum PersonRole {
    ChiefArbiter,
    Arbiter,
    Technician,
    Recorder,
    Screen,
}

impl PersonRole {
    /// As written in tokens' lists and in the journal.
    pub fn name(self) -> &'static str {
        match self {
            PersonRole::ChiefArbiter => "chief-arbiter",
            PersonRole::Arbiter => "arbiter",
            PersonRole::Technician => "technician",
            PersonRole::Recorder => "recorder",
            PersonRole::Screen => "screen",
        }
    }
}

/// Everything about the hall that is not a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Registry {
    /// By their short names.
    pub events: BTreeMap<EventId, ChessEvent>,
    /// By number.
    pub tables: BTreeMap<TableNo, Table>,
    /// By name.
    pub devices: BTreeMap<DeviceId, Device>,
    /// By name.
    pub people: BTreeMap<String, Person>,
    /// Every game that was ever armed.
    pub games: BTreeMap<GameId, Arc<Seat>>,
}

/// What a screen shows of one table: the hall's view, with no items and no hints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableCard {
    /// The table.
    pub table: TableNo,
    /// The event playing at it.
    pub event: EventId,
    /// Its name.
    pub event_name: String,
    /// The round.
    pub round: RoundNo,
    /// The board's number in the event.
    pub board: u32,
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
    /// The game.
    pub game: Option<GameId>,
    /// What White had before the round, in tenths of a point, where the import tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white_points: Option<i64>,
    /// What Black had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black_points: Option<i64>,
    /// Its view.
    pub view: HallView,
}

impl TableCard {
    /// What is shown of this game, with the names that the registry has for it.
    pub fn of(seat: &Seat, view: HallView, registry: &Registry) -> TableCard {
        let event = registry.events.get(&seat.event);
        let round = event.and_then(|event| event.rounds.get(&seat.round));
        let pairing = round.and_then(|round| round.pairings.iter().find(|pairing| pairing.game == Some(seat.game)));
        let player = |player: Option<&Player>| player.cloned().unwrap_or_default();
        let imported = event.and_then(|event| event.imports.get(&seat.round));
        let before = imported.and_then(|imported| imported.points.iter().find(|before| before.table == seat.table));
        TableCard {
            table: seat.table,
            event: seat.event.clone(),
            event_name: event.map(|event| event.name.clone()).unwrap_or_default(),
            round: seat.round,
            board: seat.board,
            white: player(pairing.map(|pairing| &pairing.white)),
            black: player(pairing.map(|pairing| &pairing.black)),
            game: Some(seat.game),
            white_points: before.and_then(|before| before.white),
            black_points: before.and_then(|before| before.black),
            view,
        }
    }

    /// The same with the players the other way round.
    #[must_use]
    pub fn with_colours_reversed(mut self) -> TableCard {
        std::mem::swap(&mut self.white, &mut self.black);
        std::mem::swap(&mut self.white_points, &mut self.black_points);
        self
    }

    /// The first half-move, counted from 0, that is another one, or none, in a later state of the same game: the record is replaced
    /// from there. `None`: it is another game, or more than the game has changed.
    pub fn replaced_from(&self, later: &TableCard) -> Option<usize> {
        let named = |card: &TableCard| (card.table, card.event.clone(), card.round, card.board, card.game);
        let is_same = named(self) == named(later)
            && self.event_name == later.event_name
            && (&self.white, &self.black) == (&later.white, &later.black)
            && (self.white_points, self.black_points) == (later.white_points, later.black_points);
        let (before, after) = (&self.view.moves, &later.view.moves);
        is_same.then(|| before.iter().zip(after).take_while(|(one, other)| one == other).count())
    }

    /// Whether it says the same as a later one: only the moment differs at which the clocks were read, and what those count down to
    /// is the same.
    pub fn says_the_same(&self, later: &TableCard) -> bool {
        let mut counted = self.clone();
        let (before, after) = (&self.view.clocks, &later.view.clocks);
        if before.running == after.running && before.delay_until == after.delay_until && before.delay_until.is_none() {
            let passed = after.as_of - before.as_of;
            let clocks = &mut counted.view.clocks;
            clocks.as_of = after.as_of;
            match before.running {
                Some(Color::White) => clocks.white = (clocks.white - passed).at_least_zero(),
                Some(Color::Black) => clocks.black = (clocks.black - passed).at_least_zero(),
                None => {}
            }
        }
        counted == *later
    }
}

/// What arbiters see of one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArbiterTable {
    /// What the hall sees of it.
    pub card: TableCard,
    /// What only arbiters see.
    pub view: ArbiterView,
    /// The part of the hall it stands in.
    pub sector: String,
    /// The table's clock.
    pub clock_device: Option<DeviceHealth>,
    /// The table's board.
    pub board_device: Option<DeviceHealth>,
    /// The side of the clock at which White sits.
    pub white_side: Side,
    /// The board's own a1 lies at h8.
    pub board_turned: bool,
}

/// How far a device's time has run ahead of the hall's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ahead {
    /// Then, by hall time,
    pub at: HallTime,
    /// so far (negative: behind),
    pub by: Millis,
    /// and it goes on by so much, in parts in a million.
    pub ppm: i64,
}

impl Ahead {
    /// How far at another hall time.
    pub fn by(&self, at: HallTime) -> Millis {
        self.by + Millis((at - self.at).0.saturating_mul(self.ppm) / 1_000_000)
    }
}

/// How a device is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceHealth {
    /// Which.
    pub id: DeviceId,
    /// Whether it speaks.
    pub online: Online,
    /// Percent.
    pub battery: Option<u32>,
    /// dBm.
    pub signal: Option<i32>,
    /// Hall time of the last message.
    pub last_heard: Option<HallTime>,
    /// How far its time may be off against the hall's.
    pub bar: Option<Millis>,
    /// How far its time, as it counts at its table, is ahead of the hall's.
    #[serde(default)]
    pub ahead: Option<Ahead>,
    /// How fast (positive) or slow it was found to run, in parts in a million; 0: as it should.
    #[serde(default)]
    pub drift_ppm: i64,
    /// The last press of a clock that serves no table: it names itself by that.
    #[serde(default)]
    pub pressed: Option<PressedLast>,
}

/// A press of a clock that serves no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PressedLast {
    /// When the hub heard it, in hall time.
    pub at: HallTime,
    /// On which side of the clock.
    pub side: Side,
}

impl DeviceHealth {
    /// Nothing is known of it.
    pub fn unknown(id: DeviceId) -> DeviceHealth {
        DeviceHealth {
            id,
            online: Online::Unknown,
            battery: None,
            signal: None,
            last_heard: None,
            bar: None,
            ahead: None,
            drift_ppm: 0,
            pressed: None,
        }
    }
}

/// Whether a device speaks. Unknown until it has spoken to this hub: what a broker retained proves nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "their names say it")]
pub enum Online {
    #[default]
    Unknown,
    Online,
    Silent,
}
