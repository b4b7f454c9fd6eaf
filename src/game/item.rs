//! What waits for an arbiter, and the ruling proposed for it: as data.

use serde::{Deserialize, Serialize};

use super::input::{ClockFault, Reading};
use super::setup::{BoardKind, GameSetup};
use crate::chess::{Color, Illegality, Move, Role, Square};
use crate::laws::clock::Gain;
use crate::laws::{GameResult, Termination};
use crate::time::{HallTime, Millis};

/// The kinds of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "named as in the README of the cases")]
pub enum Kind {
    IllegalMove,
    Flag,
    Default,
    ClaimThreefold,
    ClaimFiftyMoves,
    ClaimFlag,
    ClaimIllegalMove,
    /// Guidelines III, where they were announced.
    ClaimQuickplay,
    Call,
    BoardDisagrees,
    Promotion,
    IllegalPosition,
    ColoursReversed,
    WrongSetup,
    WrongClock,
    Device,
    ResultSignal,
    LateNews,
    /// Times were changed, or differ, at the clock on the table (6.10.1).
    AdjustedAtTable,
    /// Reports of a device are gone for good.
    ReportsLost,
    /// A device has gone silent.
    SilentDevice,
    /// The time of the clock on the table does not go as the hall's.
    ClockTime,
    /// What stood on the board at a press is not known, because the devices' times do not tell.
    OrderUnknown,
    /// A person tells the moves, and has told none for a press.
    MovesMissing,
    ClockRenewed,
}

impl Kind {
    /// In the words of the cases.
    pub fn name(self) -> &'static str {
        match self {
            Kind::IllegalMove => "illegal-move",
            Kind::Flag => "flag",
            Kind::Default => "default",
            Kind::ClaimThreefold => "claim-threefold",
            Kind::ClaimFiftyMoves => "claim-fifty-moves",
            Kind::ClaimFlag => "claim-flag",
            Kind::ClaimIllegalMove => "claim-illegal-move",
            Kind::ClaimQuickplay => "claim-quickplay",
            Kind::Call => "call",
            Kind::BoardDisagrees => "board-disagrees",
            Kind::Promotion => "promotion",
            Kind::IllegalPosition => "illegal-position",
            Kind::ColoursReversed => "colours-reversed",
            Kind::WrongSetup => "wrong-setup",
            Kind::WrongClock => "wrong-clock",
            Kind::Device => "device",
            Kind::ResultSignal => "result-signal",
            Kind::LateNews => "late-news",
            Kind::AdjustedAtTable => "adjusted-at-table",
            Kind::ReportsLost => "reports-lost",
            Kind::SilentDevice => "silent-device",
            Kind::ClockTime => "clock-time",
            Kind::OrderUnknown => "order-unknown",
            Kind::MovesMissing => "moves-missing",
            Kind::ClockRenewed => "clock-renewed",
        }
    }

    /// What an arbiter's own eyes can see too, and has its effect from when he does (6.8, A.5.2).
    pub fn is_for_eyes(self) -> bool {
        matches!(self, Kind::Flag | Kind::IllegalMove)
    }

    /// Whether it is about a device of the table, whatever is played there.
    pub fn is_about_a_device(self) -> bool {
        matches!(self, Kind::Device | Kind::SilentDevice | Kind::ClockTime)
    }

    /// Whether it asks what was on the board at a press.
    pub fn is_about_the_picture(self) -> bool {
        matches!(self, Kind::BoardDisagrees | Kind::OrderUnknown | Kind::MovesMissing)
    }

    /// Whether a player has stopped the clocks with it.
    pub fn stops_the_clocks(self) -> bool {
        matches!(
            self,
            Kind::Call
                | Kind::ClaimThreefold
                | Kind::ClaimFiftyMoves
                | Kind::ClaimFlag
                | Kind::ClaimIllegalMove
                | Kind::IllegalMove
                | Kind::Flag
        )
    }

    /// Shown to arbiters while it is only suspected: what only the passing of time brought about.
    pub fn shown_when_suspected(self) -> bool {
        matches!(self, Kind::Flag | Kind::Default)
    }
}

/// What makes an item the same after a reconsideration: its number stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ItemKey {
    /// Its kind.
    pub kind: Kind,
    /// Whom it is about.
    pub of: Option<Color>,
    /// The half-move or the moment it is about.
    pub anchor: i64,
}

/// An open item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenItem {
    /// What it is.
    pub key: ItemKey,
    /// Counted per game, from 1.
    pub number: u64,
    /// Changes only with the proposal or the evidence.
    pub revision: u64,
    /// When it was found, claimed or seen.
    pub since: HallTime,
    /// Whether everything before it has been heard.
    pub certain: bool,
    /// Claimed by a player or seen by an arbiter since this moment.
    pub observed: Option<HallTime>,
    /// So many half-moves were on the record then: a flag is judged by the position of that moment (6.8, 6.9).
    pub observed_after: usize,
    /// What it is about.
    pub matter: Matter,
    /// What a confirm carries out.
    pub proposal: Ruling,
    /// Which arbiter is on it, and since when.
    pub taken: Option<(String, HallTime)>,
    /// After which of his moves the position stood, as the claimant says (9.2.3).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claimed: Vec<u32>,
}

impl OpenItem {
    /// Whether arbiters see it.
    pub fn shown(&self) -> bool {
        self.certain || self.observed.is_some() || self.key.kind.shown_when_suspected()
    }

    /// The same but for numbers and who is on it.
    pub fn says_the_same(&self, other: &OpenItem) -> bool {
        self.matter == other.matter
            && self.proposal == other.proposal
            && self.claimed == other.claimed
            && self.certain == other.certain
            && self.observed.is_some() == other.observed.is_some()
    }
}

/// How players show a result at the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    /// Both kings stand in the centre.
    #[default]
    Kings,
    /// Result pieces stand on the board, or a result was entered and nobody knows by whom.
    Pieces,
    /// Entered at the clock, by either player or both.
    Entered {
        /// By White.
        white: Option<GameResult>,
        /// By Black.
        black: Option<GameResult>,
    },
    /// Not at all: a queen that 7.5.2 put on the board would end the game.
    Imposed,
}

/// What an item is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matter {
    /// 7.5.
    Offence(Offence),
    /// 6.8.
    Flag {
        /// The period that ran out, from 0.
        period: u32,
        /// It can be the end of the game: the last period, or one added on moves; `false` where the next period was added on zero.
        frozen: bool,
        /// Moves missing to the requirement of an earlier period.
        missing: Option<u32>,
        /// The clock on the table has shown the flag itself.
        #[serde(default)]
        by_clock: bool,
        /// The board's times and the clock's cannot be put in order so closely: a picture that ends the game was seen so long after
        /// the flag (negative: before it), and this is how far they may be off.
        #[serde(default)]
        unordered: Option<(Millis, Millis)>,
        /// An arbiter has seen it, and no count says when it fell.
        #[serde(default)]
        seen_only: bool,
    },
    /// 6.7.1: who was not at the board.
    Absence {
        /// White.
        white: bool,
        /// Black.
        black: bool,
    },
    /// 9.2, 9.3.
    DrawClaim {
        /// What the hub's record says of it.
        verdict: ClaimVerdict,
        /// A move written down and not made.
        intends: Option<Move>,
    },
    /// Guidelines III.5: whether the claim can be made at all.
    Quickplay {
        /// What stands against it.
        verdict: QuickplayVerdict,
    },
    /// A claim that the hub's count does not bear out (6.8, A.5.2).
    OtherClaim,
    /// Somebody stopped the clocks to call the arbiter (6.11.2).
    Call {
        /// Who, where it is known.
        by: Option<Color>,
    },
    /// No move explains the picture at this press.
    Disagreement {
        /// Where it differs from the record.
        squares: Vec<Square>,
    },
    /// A promoted piece that nobody saw.
    Promotion {
        /// Half-move in the record, from 0.
        ply: usize,
        /// What the record says meanwhile.
        role: Role,
    },
    /// A.5.4, or an illegal position elsewhere.
    IllegalPosition {
        /// Moves completed by both when it was seen: the next one decides.
        completed: u32,
        /// The offence that brought it about, where the record has it.
        offence: Option<Offence>,
    },
    /// 7.2, 7.3: seen after so many moves.
    WrongStart {
        /// Moves made by Black, or completed by each.
        moves: u32,
    },
    /// 6.10.2.
    WrongClock,
    /// The first presses came from the other side: left and right of the clock are taken for each other.
    SidesExchanged,
    /// 11.3.2.
    Device,
    /// Kings in the centre, result pieces, or results entered at the clock.
    ResultSignal {
        /// What it says.
        result: GameResult,
        /// How.
        #[serde(default)]
        shown: Sign,
    },
    /// A ruling that would have been proposed otherwise.
    LateNews {
        /// The item that had been ruled on.
        ruled: u64,
        /// Its kind.
        kind: Kind,
    },
    /// 6.10.1.
    Adjusted {
        /// What the game counted.
        count: Reading,
        /// What the clock shows.
        shown: Reading,
        /// That stands already: nothing is left to be carried out.
        #[serde(default)]
        taken: bool,
    },
    /// So many reports are gone.
    Lost {
        /// How many.
        count: u64,
    },
    /// 6.10.1: another clock stands there, or the same with nothing in it.
    Renewed {
        /// The clock.
        device: String,
        /// The times that it was given.
        given: Reading,
        /// It did not take them.
        by_hand: bool,
    },
    /// Which device.
    Silent {
        /// Its id.
        device: String,
    },
    /// The board showed a legal move at the press and something else so soon after it that the order is not known.
    Unordered {
        /// How far the times of the clock and of the board may be off, and how late the board may see.
        apart: Millis,
    },
    /// The moves of the board are told by a person, and none has been told for a press.
    MovesMissing,
    /// A clock that is fast or slow, or whose time has leapt.
    ClockTime {
        /// Its id.
        device: String,
        /// What it does, with the figure.
        what: ClockFault,
    },
}

/// One completed illegal move, press without a move, or use of two hands (7.5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offence {
    /// Who.
    pub of: Color,
    /// The half-move, from 0; `None` for a press without a move, or where moves are not known.
    pub ply: Option<usize>,
    /// How many half-moves of the record were there before it.
    pub keep: usize,
    /// What the move was.
    pub mv: Option<Move>,
    /// Why it is illegal.
    pub why: Option<Illegality>,
    /// 7.5.2: where the pawn stands that was not exchanged, in an otherwise legal move.
    pub unpromoted: Option<Square>,
    /// 7.5.4, as an arbiter has seen.
    pub two_hands: bool,
    /// What the press gave.
    pub gain: Option<Gain>,
    /// Moves completed by White and Black before it.
    pub completed: [u32; 2],
    /// A.5.2: its time is over, nothing is done about it.
    pub stands: bool,
}

impl Offence {
    /// What a ruling takes back of what the press gave. A move that stands with a queen was completed (7.5.2), and so does a period stand
    /// that it brought.
    pub fn taken_back(gain: Gain, unpromoted: Option<Square>, setup: &GameSetup) -> Gain {
        match unpromoted {
            Some(_) => gain.without_period(&setup.time_control, setup.period_rule),
            None => gain,
        }
    }

    /// Whether it is known what position it was made in: on a table without a board only where its move was entered.
    pub fn is_placed(&self, board: BoardKind) -> bool {
        board != BoardKind::None || self.ply.is_some()
    }
}

/// What the record says of a claim under 9.2 or 9.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimVerdict {
    /// The claim is right.
    Right {
        /// Occurrences, or half-moves without capture and pawn move.
        count: u32,
    },
    /// There are not enough.
    TooFew {
        /// Occurrences, or half-moves without capture and pawn move.
        count: u32,
    },
    /// The claimant does not have the move (9.2, 9.3).
    NotOnMove,
    /// He has touched a piece on this move (9.4).
    Touched,
    /// The intended move is illegal.
    IntendedIllegal,
    /// The intended move captures or moves a pawn (9.3.1).
    IntendedStartsAnew,
    /// There is no record to look it up in.
    NoRecord,
}

/// What the record and the clocks say of a claim under Guidelines III.5. Whether the opponent tries to win by normal means, only an
/// arbiter can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuickplayVerdict {
    /// The arbiter judges: a draw, a refusal, or to be postponed.
    ForTheArbiter,
    /// III.4 comes first here: he asks for an increment for both, and offers a draw with it.
    IncrementAsked,
    /// The opponent cannot win by any series of legal moves.
    CannotBeWon,
    /// The Guidelines were not announced (III.2.1).
    NotAnnounced,
    /// Time is added with the moves, or another period follows: no quickplay finish (III.1, III.2).
    NoQuickplayFinish,
    /// The claimant does not have the move (III.4, III.5).
    NotOnMove,
    /// He has two minutes or more left.
    TimeLeft,
    /// His flag had fallen before (III.5).
    TooLate,
}

/// What the player on move is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// A piece touched, his own or one to be captured (4.3).
    Piece(Square),
    /// A move claimed with (9.5.3).
    Move(Move),
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Bound::Piece(square) => square.fmt(f),
            Bound::Move(mv) => mv.fmt(f),
        }
    }
}

/// A ruling: what a confirm carries out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// Nothing changes: a claim is refused, an offence stands, news are noted.
    Nothing,
    /// A.5.4: the next completed move decides; the item waits.
    Wait,
    /// 7.5: position, increment, penalty, count; and the game, where it is the second.
    Offence {
        /// What for.
        offence: Offence,
        /// To the opponent.
        penalty: Millis,
        /// The player's illegal moves, this one included.
        count: u32,
        /// What he is bound to.
        bound: Option<Bound>,
        /// How it ends the game.
        ends: Option<(GameResult, Termination)>,
        /// Whether it could not be decided from the position whether the opponent can mate, and the material speaks.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_material: bool,
    },
    /// The game ends.
    End {
        /// With this result.
        result: GameResult,
        /// For this reason.
        termination: Termination,
        /// Whether it could not be decided from the position, and the material speaks.
        by_material: bool,
    },
    /// 9.5.3.
    WrongClaim {
        /// Whose.
        by: Color,
        /// To the opponent.
        penalty: Millis,
        /// The intended move, or its piece.
        bound: Option<Bound>,
    },
    /// Guidelines III.4: from now on each move of both adds so much, and the opponent of who has asked for it gets his time.
    Increment {
        /// Who has asked.
        by: Color,
        /// With each move.
        increment: Millis,
        /// To the opponent.
        time: Millis,
    },
    /// 7.2.1, 7.3: a new game.
    NewGame,
    /// 6.10.2: the clocks stop, to be set.
    StopClocks,
    /// The promoted piece was this.
    Promoted {
        /// Half-move, from 0.
        ply: usize,
        /// The piece.
        role: Role,
    },
    /// The clock's own times stand (6.10.1).
    TakeReading(Reading),
}

impl Ruling {
    /// Whether players are told that there was a ruling.
    pub fn is_told(&self) -> bool {
        !matches!(self, Ruling::Wait | Ruling::Promoted { .. } | Ruling::TakeReading(_))
    }
}

/// A ruling that was carried out, with what it set: it stays when late news come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ruled {
    /// Which item.
    pub item: u64,
    /// Of which kind.
    pub key: ItemKey,
    /// What was carried out.
    pub ruling: Ruling,
    /// Both times after it, where they were set by it.
    pub times: Option<[Millis; 2]>,
}
