//! What a table's devices say and are told, by the sides of the device. Who sits at which side, and which way round the board
//! lies, is the table's: [`super::binding`] turns these into facts of the game, and orders of the game into these.

use serde::{Deserialize, Serialize};

use super::ids::DeviceId;
use super::model::Side;
use crate::chess::{Color, Role, Square};
use crate::time::{DeviceTime, HallTime, Millis};

/// What a device can do, from its birth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abilities {
    /// It reports presses.
    pub clock: bool,
    /// It counts down and shows by itself, and takes orders. A clock that does not is a button.
    pub counts: bool,
    /// It reports squares.
    pub board: bool,
    /// Its board tells pieces apart.
    pub tells_pieces: bool,
    /// Resolution of its time.
    pub resolution: Millis,
    /// How late it may see a change of a square.
    pub sensing_lag: Millis,
    /// Bits of its counter, where it wraps; 0: never.
    #[serde(default)]
    pub counter_bits: u32,
    /// A person tells its changes: whole moves, in the order in which they were made.
    #[serde(default)]
    pub by_hand: bool,
}

/// A device was asked for its time and has answered: what that says of its offset, which is hall time minus device time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Exchange {
    /// When it was asked, by its own time:
    pub received: DeviceTime,
    /// the offset was no less than this then.
    pub low: Millis,
    /// When it answered, by its own time:
    pub sent: DeviceTime,
    /// the offset was no more than this then.
    pub high: Millis,
}

/// What is known of a boot's offset besides what it was taken to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KnownOffset {
    /// By this exchange.
    #[serde(flatten)]
    pub exchange: Exchange,
    /// How it moves, for the counter runs fast or slow.
    #[serde(flatten)]
    pub slope: Slope,
}

/// How an offset moves with the device's time, in parts in a million: no less and no more than this. A counter that runs slow has an
/// offset that grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Slope {
    /// No less.
    pub least_ppm: i64,
    /// No more.
    pub most_ppm: i64,
}

/// What a clock shows, by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Face {
    /// Time left on the left side.
    pub left: Millis,
    /// Time left on the right side.
    pub right: Millis,
    /// Whose time runs.
    pub running: Option<Side>,
}

/// One report of a device: in its place, once, and mapped to hall time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Whose.
    pub device: DeviceId,
    /// Its boot.
    pub boot: u32,
    /// From 0 in every boot.
    pub seq: u64,
    /// When it happened.
    pub at: HallTime,
    /// How far `at` may be off against hall time; `None` is unknown.
    pub bar: Option<Millis>,
    /// How far `at` may be off against what the table's other device tells; `None` is unknown.
    pub apart: Option<Millis>,
    /// What happened.
    pub what: ReportKind,
}

/// What a report says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ReportKind {
    /// A side has ended its turn.
    Press {
        /// The side whose time ran, or would have.
        side: Side,
        /// The clock just after.
        face: Option<Face>,
    },
    /// Squares changed, in the order in which they were seen, in the device's own coordinates.
    Squares(Vec<(Square, Occupant)>),
    /// A whole picture, from the device's own a8 to h1.
    Placement(String),
    /// What the clock shows.
    Reading(Face),
    /// The clock has shown a flag by itself.
    Flag {
        /// On this side.
        side: Side,
        /// The clock then.
        face: Option<Face>,
    },
    /// A player's button.
    Button {
        /// Which.
        button: Button,
        /// Whose; `None` for one in the middle.
        side: Option<Side>,
        /// The clock then.
        face: Option<Face>,
    },
    /// Started at the clock by hand.
    StartedByHand(Face),
    /// Stopped at the clock by hand.
    StoppedByHand(Face),
    /// Changed at the clock by hand.
    AdjustedByHand {
        /// What it showed before, where that is known.
        before: Option<Face>,
        /// What it shows now.
        after: Face,
    },
    /// So many reports are gone for good.
    Lost {
        /// How many.
        count: u64,
    },
}

/// What a board knows of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Occupant {
    /// Nothing.
    Nothing,
    /// Something; the board cannot tell what.
    Something,
    /// This piece.
    Piece(Color, Role),
}

/// A player's buttons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Button {
    /// Both clocks stopped to call the arbiter (6.11.2).
    Pause,
    /// A claim; `None` where the button says no more, and the arbiter asks.
    Claim(Option<crate::game::input::Claim>),
    /// A draw offer (9.1.2).
    DrawOffered,
    /// It is accepted.
    DrawAccepted,
    /// It is declined.
    DrawDeclined,
    /// `1-0`, `0-1` or `1/2-1/2`.
    Result(String),
}

/// How a device answered an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ack {
    /// Which device.
    pub device: DeviceId,
    /// Its boot.
    pub boot: u32,
    /// The order's id.
    pub order: String,
    /// How it went.
    pub outcome: Outcome,
    /// When it took effect.
    pub at: HallTime,
    /// How far `at` may be off against what the table's other device tells; `None` is unknown.
    pub apart: Option<Millis>,
    /// The highest report made before that; -1: none.
    pub after_seq: i64,
    /// What the clock showed then.
    pub face: Option<Face>,
}

/// How an order went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Done.
    Done,
    /// The device has pressed, flagged or rebooted since it was decided.
    MovedOn,
    /// It came too late.
    Expired,
    /// The device obeys a newer hub.
    OldEpoch,
    /// Not in this state, or not at all.
    Cannot(String),
}

/// An order to a device.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceOrder {
    /// To whom.
    pub device: DeviceId,
    /// Done once, however often it comes.
    pub id: String,
    /// This start of the hub.
    pub epoch: u64,
    /// The boot it is meant for.
    pub boot: u32,
    /// The last report it was decided on; -1: none.
    pub decided_seq: i64,
    /// When it is void.
    pub expires: HallTime,
    /// How long after one sending the next is due.
    pub repeat: Millis,
    /// What to do.
    pub what: DeviceOrderKind,
}

/// What a device is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum DeviceOrderKind {
    /// Take this time control and show the starting times.
    Control(Control),
    /// Change both sides.
    Add {
        /// The left side's change.
        left: Millis,
        /// The right side's change.
        right: Millis,
    },
    /// Set both sides of a clock that stands.
    Set {
        /// The left side's time.
        left: Millis,
        /// The right side's time.
        right: Millis,
        /// Presses completed, left and right.
        moves: Option<(u32, u32)>,
    },
    /// This side's time runs.
    Run(Side),
    /// Both stand.
    Stop,
}

/// A time control for a clock that counts by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The game's time control.
    pub periods: Vec<ControlPeriod>,
    /// The next period is added at the press that completes the moves; otherwise when the first side reaches zero.
    pub added_on_moves: bool,
    /// Which side is White's.
    pub white: Side,
    /// What the left side shows before the start.
    pub left: Millis,
    /// What the right side shows before the start.
    pub right: Millis,
    /// In the last period both stand when one reaches zero.
    pub freeze: bool,
}

/// One period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlPeriod {
    /// Moves to complete; `None` is the rest of the game.
    pub moves: Option<u32>,
    /// Its time.
    pub time: Millis,
    /// What is given at every move.
    pub bonus: ControlBonus,
}

/// What is given at every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlBonus {
    /// Nothing.
    None,
    /// Added at the press.
    Increment(Millis),
    /// The main time waits so long (6.3.2).
    Delay(Millis),
    /// The time used is given back, at most so much.
    Bronstein(Millis),
}
