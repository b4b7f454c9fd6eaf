//! What a game is told: facts from the table, acts of arbiters, and what the hub knows about the time up to which it has
//! heard everything.

use serde::{Deserialize, Serialize};

use crate::chess::{Color, Role, Square};
use crate::time::{HallTime, Millis};

/// One input, with the time it belongs to and the time it was heard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    /// Table time: when it happened.
    pub at: HallTime,
    /// When the hub heard of it; never before `at` but for the error bar of the device's time.
    pub heard: HallTime,
    /// Who says so.
    pub origin: Origin,
    /// What is said.
    pub what: Happening,
}

/// A bar that is not known counts as this.
pub const UNKNOWN_BAR: Millis = Millis::secs(1);

/// Who an input is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// A device's report. Those of one boot are ordered by `seq`, whatever their times; those of different devices by `at`
    /// where their bars do not overlap.
    Device {
        /// The device's id.
        device: String,
        /// Its boot.
        boot: u32,
        /// The report's sequence; for an acknowledged order, the last sequence before it took effect (-1: none).
        seq: i64,
        /// How far `at` may be off against what the table's other device tells, either way; `None` is unknown.
        bar: Option<Millis>,
    },
    /// A person with a token: an arbiter, a recorder.
    Person {
        /// The name in the journal.
        name: String,
        /// `chief-arbiter`, `arbiter`, `technician`, `recorder`.
        role: String,
    },
    /// The hub itself: alarms, what has settled, the event's regulations.
    Hub,
}

/// What is said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Happening {
    /// Something the players did, or a device saw.
    Fact(Fact),
    /// Something an arbiter (or recorder) does.
    Act(Act),
    /// Everything that happened at the table before this time has been heard. Not journalled by itself.
    Settled {
        /// The earliest time to which each of the table's devices has reported without a gap.
        through: HallTime,
    },
    /// Hall time has reached `Game::next_deadline`. Not journalled by itself.
    Alarm,
}

/// A fact from the table. Colours, not sides: left and right are mapped before they come here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Fact {
    /// A player has pressed the clock to end his turn.
    Pressed {
        /// Whose press.
        by: Color,
    },
    /// A square became empty.
    Lifted {
        /// In the table's own coordinates.
        square: Square,
    },
    /// Something was put on a square.
    Put {
        /// In the table's own coordinates.
        square: Square,
        /// What, where the board tells pieces apart.
        piece: Option<(Color, Role)>,
    },
    /// A whole picture: the first field of a FEN; `x` for a taken square of a board that does not tell pieces apart.
    Placed {
        /// Eight ranks from a8 to h1.
        placement: String,
    },
    /// A move known as such: entered by a recorder, or a rehearsal's player. May be illegal.
    Moved {
        /// Whose move.
        by: Color,
        /// From-square, to-square and, on promotion, the piece: `e7e8q`.
        mv: String,
    },
    /// What the clock shows. Compared with the game's own count.
    Reading(Reading),
    /// The clock has shown a flag by itself.
    FlagShown {
        /// Whose flag.
        of: Color,
        /// What it showed then.
        reading: Option<Reading>,
    },
    /// A player has stopped both clocks to call the arbiter (6.11.2).
    Paused {
        /// Which, if it is known.
        by: Option<Color>,
    },
    /// A player claims, the clocks stopped.
    Claimed {
        /// Who.
        by: Color,
        /// What.
        what: Claim,
        /// A move written down and not made (9.2.1, 9.3.1), as in [`Fact::Moved`].
        intends: Option<String>,
    },
    /// A draw offer.
    DrawOffered {
        /// By whom.
        by: Color,
    },
    /// The standing offer is accepted.
    DrawAccepted {
        /// By whom.
        by: Color,
    },
    /// The standing offer is declined.
    DrawDeclined {
        /// By whom.
        by: Color,
    },
    /// 5.1.2.
    Resigned {
        /// Who.
        by: Color,
    },
    /// Both players agree.
    Agreed {
        /// On what.
        what: Agreement,
    },
    /// A player came to the board.
    Arrived {
        /// Who.
        by: Color,
    },
    /// A player entered a result at the table clock.
    ResultEntered {
        /// Who.
        by: Color,
        /// `1-0`, `0-1`, `1/2-1/2`.
        result: String,
    },
    /// Result pieces stand on the board, or a result was entered at the clock without saying by whom.
    ResultShown {
        /// `1-0`, `0-1`, `1/2-1/2`.
        result: String,
    },
    /// An order of ours has taken effect at `at`, or has not.
    OrderAnswered {
        /// [`super::audience::Order::number`].
        number: u64,
        /// How.
        answer: OrderAnswer,
        /// What the clock showed then.
        reading: Option<Reading>,
    },
    /// Started, stopped or adjusted at the clock by hand.
    ByHand {
        /// What was done.
        what: ByHand,
        /// The clock after it.
        reading: Reading,
    },
    /// Reports of a device are gone for good.
    ReportsLost {
        /// How many.
        count: u64,
    },
    /// A board that was off, or another one in its place, is heard again. What was touched from this moment on it has not told; what stands on
    /// it comes as a whole picture, next.
    BoardBack {
        /// The board.
        device: String,
        /// The one that served before: the same, where it was only off.
        before: String,
        /// What it shows now.
        placement: String,
    },
    /// A clock that was exchanged, or was restarted and had lost everything, is given the game's control and times in mid-game.
    ClockRenewed {
        /// The clock.
        device: String,
        /// What it is given.
        given: Reading,
        /// It does not take them, and they have to be set by hand.
        #[serde(default)]
        by_hand: bool,
    },
    /// A device of the table has gone silent, or speaks again.
    Silent {
        /// The device.
        device: String,
        /// Silent or not.
        silent: bool,
        /// Lost with others, by one cause that the hall knows of: no item of this table.
        #[serde(default)]
        shared: bool,
    },
    /// The time of the table's clock does not go as the hall's, as far as exchanges tell. Nothing is changed by it.
    ClockTime {
        /// The device.
        device: String,
        /// What it does.
        what: ClockFault,
    },
    /// What a fuller search says of a position (6.9): can `winner` still mate by any series of legal moves?
    Verdict {
        /// The position asked about, as a FEN.
        fen: String,
        /// Who would have to mate.
        winner: Color,
        /// Whether he can; `None` is undecided.
        can_mate: Option<bool>,
        /// For people: the mating line, or why there is none.
        evidence: String,
        /// The mating line.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        line: Vec<crate::chess::Move>,
    },
}

/// What the time of a clock was found to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockFault {
    /// It runs fast (positive) or slow.
    Drifts {
        /// Parts in a million.
        ppm: i64,
        /// Measured over so long.
        over: Millis,
        /// So far ahead (negative: behind) by now.
        off: Millis,
    },
    /// Its time has leapt.
    Jumped {
        /// So far ahead (negative: back).
        by: Millis,
        /// Too far to be counted: it was bridged by the hall's time. Otherwise it was counted as the clock counts it.
        bridged: bool,
    },
}

/// What a clock shows, by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// White's time left.
    pub white: Millis,
    /// Black's time left.
    pub black: Millis,
    /// Whose time runs.
    pub running: Option<Color>,
}

impl Reading {
    /// One side's time left.
    pub const fn of(&self, side: Color) -> Millis {
        match side {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

/// What a player can claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// 9.2.
    Threefold,
    /// 9.3.
    FiftyMoves,
    /// 6.8.
    Flag,
    /// 7.5, A.5.2.
    IllegalMove,
    /// Guidelines III.5, where they were announced: the opponent cannot win, or does not try to, by normal means.
    Quickplay,
    /// The button says no more: the arbiter asks. Opens a `call`.
    Unspecified,
}

/// What both players can agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Agreement {
    /// 5.2.3.
    Draw,
    /// A.5.2: they take an illegal move back themselves.
    Correct,
}

/// How a device answered an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderAnswer {
    /// Done at the input's `at`.
    Done,
    /// Pressed, flagged or rebooted since.
    MovedOn,
    /// Refused for another reason.
    Refused {
        /// In words.
        why: String,
    },
    /// No answer within the order's lifetime: the arbiter does it by hand.
    Unanswered,
}

/// What was done at the clock by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ByHand {
    /// Its time was started.
    Started,
    /// Both were stopped.
    Stopped,
    /// A time was changed.
    Adjusted {
        /// What it showed before.
        before: Reading,
    },
}

/// An act of an arbiter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Act {
    /// The ruling revision of the table (adjust, restore, mend, result) or the item's revision (confirm, dismiss, rule
    /// otherwise) that the arbiter saw; `None` where none is needed (start, pause, resume, relative adjustments, a rehearsal).
    pub revision: Option<u64>,
    /// In the arbiter's own words; may be empty.
    pub reason: String,
    /// What he does.
    pub what: Deed,
}

/// What an arbiter does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Deed {
    /// The round is called: White's clock runs (6.6). With a clock that takes orders: it is told to.
    Start,
    /// Both clocks stop.
    Pause,
    /// The clock of the player who has the move runs.
    Resume,
    /// The clocks are set, and the moves completed, where given.
    Adjust {
        /// White's time.
        white: Option<TimeChange>,
        /// Black's time.
        black: Option<TimeChange>,
        /// Moves completed by each, for move-counted periods.
        moves_done: Option<u32>,
    },
    /// The ruling proposed for this item (default: the oldest open one) is carried out.
    Confirm {
        /// [`super::audience::Item::number`].
        item: Option<u64>,
        /// For an open `promotion`: the piece it really was.
        promotion: Option<Role>,
    },
    /// The item is dropped, with no effect on the game.
    Dismiss {
        /// As above.
        item: Option<u64>,
    },
    /// The arbiter has seen it himself.
    Observe {
        /// What.
        what: Observation,
        /// Of which player, where one is meant.
        of: Option<Color>,
    },
    /// The position is put back; times stay.
    Restore {
        /// To when.
        to: Restoration,
    },
    /// A penalty of 12.9.
    Penalise {
        /// Whom.
        of: Color,
        /// How.
        what: Penalty,
    },
    /// The arbiter decides the game, also after its end.
    Decide {
        /// `1-0`, `0-1`, `1/2-1/2`, `0-0`, `1/2-0`, `0-1/2`.
        result: String,
    },
    /// (Chief arbiter) the game stands as it was before the move or act that ended it, clocks standing.
    Reopen,
    /// A move of the side to move, entered or mended by hand; on a table without a board, or after `board-disagrees`.
    EnterMove {
        /// As in [`Fact::Moved`], or SAN.
        mv: String,
    },
    /// The promoted piece of ply `ply` (from 1) was this one: answers an open `promotion`.
    Promoted {
        /// Half-move in the record, from 1.
        ply: u32,
        /// The piece.
        role: Role,
    },
    /// "I am on it": told to other arbiters; lapses after three minutes.
    Take {
        /// The item.
        item: u64,
    },
    /// Marked absent or present (default time is found only for those marked absent).
    MarkPresent {
        /// Who.
        who: Color,
        /// Present or not.
        present: bool,
    },
    /// For the record: the act's reason, and nothing changes.
    Note,
    /// The periods that the players are in are set.
    SetPeriods {
        /// White's, from 0.
        white: Option<u32>,
        /// Black's, from 0.
        black: Option<u32>,
    },
    /// A half-move of the record was another one; those after it stay, and so do clocks and presses.
    Mend {
        /// Half-move in the record, from 1.
        ply: u32,
        /// As in [`Fact::Moved`], or SAN.
        mv: String,
    },
    /// After which of his moves the position stood, as the claimant of a threefold repetition says (9.2.3).
    ClaimedMoves {
        /// The item of the claim.
        item: u64,
        /// Move numbers.
        moves: Vec<u32>,
    },
    /// What the board shows on these squares counts for nothing, and on all others again.
    MaskSquares {
        /// All that are masked from now on.
        squares: Vec<Square>,
    },
    /// The game goes on without the table's board, as if none stood there; or with it again.
    UseBoard {
        /// With it.
        used: bool,
    },
    /// Something about an appeal. The game is not touched by it.
    Appeal(AppealStep),
}

/// What is done about an appeal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AppealStep {
    /// It is lodged.
    Lodge {
        /// By whom.
        by: Color,
        /// When, where it is written down later.
        at: Option<HallTime>,
        /// What was paid for it, in words; may be empty.
        fee: String,
        /// Until when it is to be decided, or what is missing to be brought.
        deadline: Option<HallTime>,
        /// What the appellant says.
        statement: String,
    },
    /// Somebody says something about it.
    State {
        /// Which.
        appeal: u64,
        /// Who, in words: a player, an arbiter, a witness.
        by: String,
        /// What.
        statement: String,
    },
    /// It is decided; in which words, the act's reason says.
    Close {
        /// Which.
        appeal: u64,
        /// How.
        outcome: AppealOutcome,
    },
}

/// What became of an appeal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AppealOutcome {
    /// The appellant is right: the game is reopened, or its result corrected, by hand.
    Upheld,
    /// What was ruled stands.
    Dismissed,
    /// He has taken it back.
    Withdrawn,
}

/// A new time, or a change of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeChange {
    /// Set to this.
    To(Millis),
    /// This much more (or less).
    By(Millis),
}

/// What an arbiter can have seen himself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "named as the Laws name them")]
pub enum Observation {
    Flag,
    IllegalMove,
    TwoHands,
    IllegalPosition,
    ColoursReversed,
    WrongSetup,
    WrongClock,
    Device,
}

/// Where a position is put back to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Restoration {
    /// So many half-moves of the record stay.
    Keep(u32),
    /// This position.
    Fen(String),
}

/// A penalty of 12.9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Penalty {
    /// 12.9.1.
    Warning,
    /// 12.9.2, to the opponent.
    AddTime(Millis),
    /// 12.9.3.
    TakeTime(Millis),
    /// 12.9.6.
    Loss,
}
