//! What is fixed before a game begins: the event's regulations and what stands on the table.

use serde::{Deserialize, Serialize};

pub use crate::laws::Enforcement;
use crate::laws::{Category, OpenPoints, PeriodRule, Supervision, TimeControl};
use crate::time::{HallTime, Millis};

/// How one game is to be played and administered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GameSetup {
    /// Standard, rapid or blitz: the event's, which an unequal control of one table does not change.
    pub category: Category,
    /// The periods and what each move adds.
    pub time_control: TimeControl,
    /// How rapid and blitz are supervised.
    pub supervision: Supervision,
    /// Who carries out what the hub finds, by kind.
    pub enforcement: Enforcement,
    /// How late a player may arrive (6.7.1).
    pub default_time: Millis,
    /// When the next period is added.
    pub period_rule: PeriodRule,
    /// The clocks start at the first period's time plus one increment (or Bronstein delay).
    pub first_increment: bool,
    /// What the table's board can see.
    pub board: BoardKind,
    /// Whether castling follows Guidelines II.
    pub chess960: bool,
    /// The starting position where it is another one than usual.
    pub fen: Option<String>,
    /// What White's clock shows at the start, where it is not the first period's time.
    pub white_time: Option<Millis>,
    /// The same of Black's.
    pub black_time: Option<Millis>,
    /// Moves each player has completed before.
    pub moves_done: u32,
    /// Illegal moves punished before: White's, Black's.
    pub illegal_done: (u32, u32),
    /// No draw by agreement before both have made so many moves (9.1.1).
    pub min_moves_for_draw: u32,
    /// What stands beside the board.
    pub clock: ClockKind,
    /// The finest step of the clock's own reading: a reading within it agrees.
    pub clock_resolution: Millis,
    /// How late the board may see a change: a change so long after a press may belong before it.
    pub sensing_lag: Millis,
    /// Clock and board are two devices: before the board has told anything nobody knows how far its time may be off.
    pub two_devices: bool,
    /// A person tells what stands on the board: whole moves, in the order in which they were made.
    pub told_by_hand: bool,
    /// Whether White and Black are at the board when the round is called; default time is found of those who are not.
    pub present: (bool, bool),
    /// Whether the hall sees mate and stalemate at once, or when an arbiter has acknowledged them.
    pub endings_at_once: bool,
    /// What the event has decided where the Laws leave it open.
    pub open_points: OpenPoints,
    /// Hall time at which the game was opened at the table.
    pub opened: HallTime,
}

impl Default for GameSetup {
    fn default() -> GameSetup {
        GameSetup {
            category: Category::Standard,
            time_control: "90m+30s".parse().expect("a time control of this house"),
            supervision: Supervision::Limited,
            enforcement: Enforcement::CONFIRM,
            default_time: Millis::ZERO,
            period_rule: PeriodRule::OnZero,
            first_increment: true,
            board: BoardKind::Pieces,
            chess960: false,
            fen: None,
            white_time: None,
            black_time: None,
            moves_done: 0,
            illegal_done: (0, 0),
            min_moves_for_draw: 0,
            clock: ClockKind::Button,
            clock_resolution: Millis::ZERO,
            sensing_lag: Millis::ZERO,
            two_devices: false,
            told_by_hand: false,
            present: (true, true),
            endings_at_once: true,
            open_points: OpenPoints::default(),
            opened: HallTime(0),
        }
    }
}

/// What the table's board can see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardKind {
    /// It tells pieces apart.
    #[default]
    Pieces,
    /// It knows only taken and empty squares.
    Occupancy,
    /// There is none: presses are counted, moves can be entered.
    None,
}

/// What stands beside the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockKind {
    /// A clock that counts by itself and takes orders.
    Counting,
    /// Presses are heard; the hub counts, and what an arbiter rules takes effect at the ruling.
    #[default]
    Button,
    /// No clock is heard at all.
    None,
}
