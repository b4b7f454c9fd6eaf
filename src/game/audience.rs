//! What a game shows to whom, and what it wants its clock to do.
//!
//! Three audiences, three views (section 5 of the design): arbiters see everything at once; the hall sees clocks, positions,
//! moves and results, and never a hint; the public sees the hall's view later.

use serde::{Deserialize, Serialize};

use super::account::Account;
use super::appeal::Appeal;
use super::input::Deed;
use super::item::Ruling;
use crate::chess::{Color, Role, Square};
use crate::laws::Termination;
use crate::time::{HallTime, Millis};

/// What the hall, and later the public, may see of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HallView {
    /// Placement as far as the hall may know it: the first field of a FEN, and the side to move.
    pub fen: String,
    /// The moves of the record, an illegal one that stands or waits written from-to like in the record.
    pub moves: Vec<MoveView>,
    /// The clocks.
    pub clocks: ClockView,
    /// `*` until the result may be shown.
    pub result: String,
    /// Whether the game has begun.
    pub started: bool,
    /// Stopped by an arbiter or a player.
    pub paused: bool,
}

/// One half-move of the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveView {
    /// SAN; an illegal move is written from-to for arbiters (`e1-e3`), and for the hall as if it were legal (12.6).
    pub san: String,
    /// From-square, to-square, promotion.
    pub uci: String,
    /// What the mover's clock showed after his press; `None` while it was not pressed, or is unknown.
    pub clock: Option<Millis>,
    /// When it was pressed (or made, where it never was).
    pub at: HallTime,
    /// The promoted piece is a guess (an occupancy board): arbiters only, `false` in the hall's view.
    pub promotion_unconfirmed: bool,
}

/// Both clocks, as of one moment; whoever shows them counts on from there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockView {
    /// White's time at `as_of`.
    pub white: Millis,
    /// Black's time at `as_of`.
    pub black: Millis,
    /// Whose time runs.
    pub running: Option<Color>,
    /// Hall time of these figures.
    pub as_of: HallTime,
    /// The running side's time stands until then (simple delay).
    pub delay_until: Option<HallTime>,
    /// The clock has not been heard for a while: screens show the last reported time and "no signal".
    pub no_signal: bool,
}

/// What arbiters see of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArbiterView {
    /// As [`HallView::fen`], with rights and the en passant square where a capture is legal: the first four fields.
    pub fen: String,
    /// Who has the move (1.3).
    pub turn: Color,
    /// The record.
    pub moves: Vec<MoveView>,
    /// The clocks as the game counts them.
    pub clocks: ClockView,
    /// Presses completed by each: White's, Black's.
    pub completed: (u32, u32),
    /// The period each is in, from 0.
    pub period: (u32, u32),
    /// `*`, `1-0`, `0-1`, `1/2-1/2`, `0-0`, `1/2-0`, `0-1/2`.
    pub result: String,
    /// How it ended, in the words of the cases (`checkmate`, `flag`, …).
    pub termination: Option<String>,
    /// The same as data.
    #[serde(default)]
    pub ended: Option<Termination>,
    /// Whether it counts for rating.
    pub rated: bool,
    /// Illegal moves punished: White's, Black's.
    pub illegal: (u32, u32),
    /// Open items, oldest first.
    pub items: Vec<Item>,
    /// Whose draw offer stands.
    pub draw_offer: Option<Color>,
    /// What the player on move is bound to: a square, a move, or nothing.
    pub must_play: String,
    /// What the players have been told: `stopped`, `ruling`, `result`.
    pub players_told: Vec<String>,
    /// The table's ruling revision: rulings, results, reconsiderations change it; presses and readings never.
    pub revision: u64,
    /// Orders to the clock not yet answered, or answered with no.
    pub orders: Vec<Order>,
    /// Orders that were answered of late: the clock has them, or they were decided again.
    #[serde(default)]
    pub answered: Vec<Order>,
    /// The table's arithmetic: what both clocks show together against what they should.
    #[serde(default)]
    pub check: Option<ClockCheck>,
    /// The table is parked: its fold failed, it goes on by hand.
    pub parked: Option<String>,
    /// Whether the game has begun, and when (hall time of the call of the round).
    pub started: Option<HallTime>,
    /// Everything that was ruled, oldest first.
    #[serde(default)]
    pub rulings: Vec<RulingView>,
    /// What the table's board shows.
    #[serde(default)]
    pub sensed: Option<Sensed>,
    /// Marked absent: White, Black.
    #[serde(default)]
    pub absent: (bool, bool),
    /// All periods: `40/90m+30s,30m+30s`.
    #[serde(default)]
    pub time_control: String,
    /// Where the record begins, and where a position was set in it: half-moves before, and the whole FEN.
    #[serde(default)]
    pub starts: Vec<(u32, String)>,
    /// Appeals against what was ruled, the first first.
    #[serde(default)]
    pub appeals: Vec<Appeal>,
    /// What the board shows on these squares counts for nothing.
    #[serde(default)]
    pub masked: Vec<Square>,
    /// The game goes on without the table's board.
    #[serde(default)]
    pub without_board: bool,
}

impl ArbiterView {
    /// Whether an appeal is not decided yet.
    pub fn is_appealed(&self) -> bool {
        self.appeals.iter().any(|appeal| appeal.decided.is_none())
    }
}

/// What a board shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sensed {
    /// As the first field of a FEN; a board that does not tell pieces apart says `x` for each.
    pub placement: String,
    /// Where it does not show the game's position.
    pub differs: Vec<Square>,
}

/// Both times together against what they began with, what was given since, and how long they have run: arbiters look at this to
/// find missed presses, wrong settings and clocks that do not go right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockCheck {
    /// When.
    pub as_of: HallTime,
    /// What both began with.
    pub initial: Millis,
    /// Increments, periods, and what rulings gave (or took).
    pub granted: Millis,
    /// How long one of them has run, by the hall's time.
    pub elapsed: Millis,
    /// What both show together.
    pub shown: Millis,
    /// The clock on the table has shown it; otherwise it is the count.
    pub read: bool,
}

impl ClockCheck {
    /// What both should show together.
    pub fn expected(&self) -> Millis {
        self.initial + self.granted - self.elapsed
    }

    /// So much more is shown than should be (negative: less).
    pub fn deviation(&self) -> Millis {
        self.shown - self.expected()
    }
}

/// Something that an arbiter, or the event's regulations, ruled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RulingView {
    /// When.
    pub at: HallTime,
    /// Who: a name, or `regulations`.
    pub author: String,
    /// What, in one English sentence.
    pub what: String,
    /// In the author's own words; may be empty.
    pub reason: String,
    /// The Laws it rests on: `7.5.5`.
    pub articles: Vec<String>,
    /// The item that it answered.
    pub item: Option<u64>,
    /// The same as data, from which it is said in any language.
    #[serde(default)]
    pub ruled: Option<Box<RuledView>>,
}

/// What was ruled, as data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuledView {
    /// What an item proposed.
    Ruling(Ruling),
    /// What an arbiter did of his own.
    Deed(Deed),
}

/// Something that waits for an arbiter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Counted per game, from 1.
    pub number: u64,
    /// Changes only with the proposal or the evidence.
    pub revision: u64,
    /// The kind, in the words of the cases' README (`illegal-move`, `flag`, …).
    pub kind: String,
    /// Whom it is about.
    pub of: Option<Color>,
    /// Certain, or only suspected.
    pub certain: bool,
    /// The Laws it rests on: `7.5.5`.
    pub articles: Vec<String>,
    /// What happened, in one English sentence.
    pub what: String,
    /// The ruling proposed, in one English sentence, with its effect ("Black +2:00, White -0:30").
    pub proposal: String,
    /// When it was found or claimed.
    pub since: HallTime,
    /// Who is on it, and since when.
    pub taken: Option<(String, HallTime)>,
    /// Facts for the eye: key and value, in order.
    pub evidence: Vec<(String, String)>,
    /// What a confirm does to the game.
    #[serde(default)]
    pub effect: Effect,
    /// It can be dealt with only until the opponent has made his next move (A.5.2).
    #[serde(default)]
    pub until_answered: bool,
    /// The same as data, from which it is said in any language; `None` where the game itself has failed.
    #[serde(default)]
    pub account: Option<Box<Account>>,
}

/// What a proposed ruling does to the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effect {
    /// Added to White's time and Black's.
    pub add: (Millis, Millis),
    /// White's time and Black's are set to these.
    pub set: Option<(Millis, Millis)>,
    /// So many half-moves of the record stay.
    pub keep: Option<u32>,
    /// The game ends so.
    pub result: Option<String>,
    /// What the offender is bound to: a square or a move.
    pub must_play: Option<String>,
    /// A new game begins.
    pub new_game: bool,
    /// The clocks are stopped.
    pub stops: bool,
}

/// An order that the game wants the table's clock to carry out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    /// Counted per game, from 1.
    pub number: u64,
    /// Since when.
    pub since: HallTime,
    /// What.
    pub what: OrderKind,
    /// How far it got.
    pub status: OrderStatus,
    /// When it was answered, by the clock's time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<HallTime>,
}

/// What the clock is to do, by colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OrderKind {
    /// Take the game's time control and show the starting times.
    Control,
    /// Change a clock that runs or stands.
    Add {
        /// White's change.
        white: Millis,
        /// Black's change.
        black: Millis,
    },
    /// Set a clock that stands.
    Set {
        /// White's time.
        white: Millis,
        /// Black's time.
        black: Millis,
        /// Moves completed by White and Black.
        moves: Option<(u32, u32)>,
    },
    /// This side's time runs.
    Run(Color),
    /// Both stand.
    Stop,
}

/// How far an order got.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderStatus {
    /// Sent, no answer yet.
    Sent,
    /// The clock answered that it is not going to.
    Refused(String),
    /// No answer: to be done by hand.
    ByHand,
    /// The clock has it.
    Done,
    /// The clock has pressed, flagged or been started anew since it was decided: decided again.
    MovedOn,
}

/// A promoted piece that nobody saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnconfirmedPromotion {
    /// Half-move in the record, from 1.
    pub ply: u32,
    /// What the record says meanwhile.
    pub role: Role,
}
