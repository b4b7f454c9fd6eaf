//! What people ask of the hall, and what they are answered.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ids::{DeviceId, EventId, RequestId, RoundNo, TableNo};
use super::imported::Imported;
use super::model::{DeviceKind, Pairing, PersonRole, Regulations, Release, Side};
use crate::game::input::{Act, Fact};
use crate::time::{HallTime, Millis};

/// One call, of one person. The same request again gets the same answer, and nothing is done twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The caller's own name for it.
    pub request: RequestId,
    /// Who asks. Authenticated by whoever makes the call.
    pub author: Author,
    /// What.
    pub command: Command,
    /// Not to be begun later than this: what was decided in the hall a while ago may be wrong by now.
    pub until: Option<HallTime>,
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// As it stands in the journal.
    pub name: String,
    /// What he may do.
    pub role: PersonRole,
    /// Only in this part of the hall.
    #[serde(default)]
    pub sector: Option<String>,
}

/// What can be asked of the hall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// An arbiter's act at a table.
    Act {
        /// Which.
        table: TableNo,
        /// What.
        act: Act,
    },
    /// Something that the players did, entered by a recorder or an arbiter (a resignation, an agreed draw, a move).
    EnterFact {
        /// Which.
        table: TableNo,
        /// What.
        fact: Fact,
    },
    /// Make or change an event; its rounds stay.
    PutEvent {
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
    /// Make or change a round that is not armed yet, with all its pairings. Tables that the hall has not are made.
    PutRound {
        /// Whose.
        event: EventId,
        /// Which.
        round: RoundNo,
        /// `90m+30s`.
        time_control: String,
        /// Who plays whom where.
        pairings: Vec<Pairing>,
    },
    /// The same from a pairing program's file, also after the round was armed or called: games that go on stay as they are.
    ImportRound {
        /// Whose.
        event: EventId,
        /// Which.
        round: RoundNo,
        /// `90m+30s`.
        time_control: String,
        /// Who plays whom where.
        pairings: Vec<Pairing>,
        /// What is kept of the files.
        imported: Arc<Imported>,
    },
    /// When the public sees what happens in an event, or in one of its rounds; at any time, also while they are played.
    SetRelease {
        /// Whose.
        event: EventId,
        /// Only in this round; `None`: in all that have no other.
        round: Option<RoundNo>,
        /// How; `None`: the round goes by its event again.
        release: Option<Release>,
    },
    /// One more game in a round that is armed or called.
    AddPairing {
        /// Whose.
        event: EventId,
        /// Which.
        round: RoundNo,
        /// Who plays whom where.
        pairing: Box<Pairing>,
        /// What White's clock begins with; `None`: the time control's.
        white_time: Option<Millis>,
        /// The same of Black's.
        black_time: Option<Millis>,
    },
    /// The tables get their games, the clocks their time control. Those where another round is still played are left out, for another call.
    ArmRound {
        /// Whose.
        event: EventId,
        /// Which.
        round: RoundNo,
    },
    /// The round is called. Arms it, where that has not been done.
    StartRound {
        /// Whose.
        event: EventId,
        /// Which.
        round: RoundNo,
        /// Only these; `None` is all.
        tables: Option<Vec<TableNo>>,
    },
    /// The round is over.
    EndRound {
        /// Whose.
        event: EventId,
        /// Which.
        round: RoundNo,
    },
    /// A new device; the answer has its secret, once.
    AddDevice {
        /// Its name.
        device: DeviceId,
        /// What it is.
        kind: DeviceKind,
        /// The devices a gateway speaks for.
        speaks_for: Vec<DeviceId>,
    },
    /// A new secret for it; the old one is void.
    RotateDevice {
        /// Which.
        device: DeviceId,
    },
    /// The device is no longer known.
    RemoveDevice {
        /// Which.
        device: DeviceId,
    },
    /// The device serves this table.
    BindDevice {
        /// Which.
        device: DeviceId,
        /// Where.
        table: TableNo,
        /// As its clock.
        as_clock: bool,
        /// As its board.
        as_board: bool,
        /// The side of the clock at which White sits; `None` leaves it.
        white_side: Option<Side>,
        /// The board's own a1 lies at h8; `None` leaves it.
        board_turned: Option<bool>,
    },
    /// The device serves no table.
    UnbindDevice {
        /// Which.
        device: DeviceId,
    },
    /// Another device takes over everything that this one does, in mid-game too.
    ReplaceDevice {
        /// The broken one.
        old: DeviceId,
        /// The one that is put there.
        new: DeviceId,
    },
    /// Make or change a table.
    PutTable {
        /// Which.
        table: TableNo,
        /// `None` leaves it.
        sector: Option<String>,
        /// `None` leaves it.
        white_side: Option<Side>,
        /// `None` leaves it.
        board_turned: Option<bool>,
    },
    /// Somebody new; the answer has the token, once.
    AddPerson {
        /// As it stands in the journal.
        name: String,
        /// What he may do.
        role: PersonRole,
        /// Only in this part of the hall.
        sector: Option<String>,
        /// When the token becomes void.
        expires_unix_ms: Option<i64>,
    },
    /// A sector is handed over.
    HandOverSector {
        /// Which.
        sector: String,
        /// To whom; `None`: back to who has it by his token.
        to: Option<String>,
    },
    /// His token is void.
    RevokePerson {
        /// Who.
        name: String,
    },
}

/// What a call that was done is answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// The journal's position of what was done.
    pub position: u64,
    /// The table's ruling revision after it.
    pub revision: Option<u64>,
    /// A new device's password or person's token. Shown once: a repeated request does not have it again.
    #[serde(skip)]
    pub secret: Option<String>,
    /// What a person should know about it ("already made; rotate to get a new secret").
    pub note: String,
    /// With many tables: how it went at each.
    pub tables: Vec<TableAnswer>,
}

/// How a call went at one of many tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableAnswer {
    /// Which.
    pub table: TableNo,
    /// The error, where there was one.
    pub error: Option<CallError>,
}

/// Why a call was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct CallError {
    /// The kind.
    pub reason: CallReason,
    /// What happened, to which table, what to do.
    pub message: String,
    /// With [`CallReason::BadField`]: the path of the field, `pairings[3].white.name`.
    pub field: Option<String>,
    /// With [`CallReason::StaleRevision`]: the present one.
    pub current_revision: Option<u64>,
}

impl CallError {
    /// An error with neither field nor revision.
    pub fn new(reason: CallReason, message: impl Into<String>) -> CallError {
        CallError {
            reason,
            message: message.into(),
            field: None,
            current_revision: None,
        }
    }

    /// A field that cannot be so.
    pub fn field(path: impl Into<String>, message: impl Into<String>) -> CallError {
        CallError {
            reason: CallReason::BadField,
            message: message.into(),
            field: Some(path.into()),
            current_revision: None,
        }
    }
}

/// The kinds of refusal; each has one code in the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CallReason {
    /// What was ruled on has changed since it was looked at.
    StaleRevision,
    /// The hall has no such table.
    NoSuchTable,
    /// No game at this table.
    NoGame,
    /// No such event, round, device, person or item.
    NotFound,
    /// It exists already, and differently.
    AlreadyExists,
    /// The game is over; reopen it first.
    GameOver,
    /// The game has not begun.
    NotStarted,
    /// Not in this state.
    WrongState,
    /// A field cannot be so.
    BadField,
    /// The table goes on by hand.
    Parked,
    /// The journal does not take anything; the hall stops acknowledging.
    JournalDown,
    /// The same request id with another body.
    RequestReused,
    /// This person may not do that.
    NotAllowed,
    /// Too much is waiting; try again.
    Busy,
    /// The hub is stopping.
    Stopping,
    /// It came after the time until which it was to be done.
    TooLate,
}

impl CallReason {
    /// As clients read it: `STALE_REVISION`.
    pub fn name(self) -> &'static str {
        match self {
            CallReason::StaleRevision => "STALE_REVISION",
            CallReason::NoSuchTable => "NO_SUCH_TABLE",
            CallReason::NoGame => "NO_GAME",
            CallReason::NotFound => "NOT_FOUND",
            CallReason::AlreadyExists => "ALREADY_EXISTS",
            CallReason::GameOver => "GAME_OVER",
            CallReason::NotStarted => "NOT_STARTED",
            CallReason::WrongState => "WRONG_STATE",
            CallReason::BadField => "BAD_FIELD",
            CallReason::Parked => "PARKED",
            CallReason::JournalDown => "JOURNAL_DOWN",
            CallReason::RequestReused => "REQUEST_REUSED",
            CallReason::NotAllowed => "NOT_ALLOWED",
            CallReason::Busy => "BUSY",
            CallReason::Stopping => "STOPPING",
            CallReason::TooLate => "TOO_LATE",
        }
    }
}
