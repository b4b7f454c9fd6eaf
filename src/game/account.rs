//! What an explanation of an item needs beside the item itself, as data: which piece goes back where, which times are set, what
//! must be played, since when a right was lost. Languages are spoken on the floors above.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::item::{Bound, Kind, Matter, Offence, OpenItem, Ruling};
use super::setup::{BoardKind, ClockKind};
use super::state::State;
use super::table::Table;
use super::{Game, GameSetup};
use crate::chess::mates::{self, Proof};
use crate::chess::{Color, Illegality, Move, Picture, Piece, Placement, Position, Role, Square};
use crate::laws::category::limited;
use crate::time::{HallTime, Millis};

/// An item with everything that is to be said of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// What it is.
    pub kind: Kind,
    /// Whom it is about.
    pub of: Option<Color>,
    /// Whether everything before it has been heard.
    pub certain: bool,
    /// What is still missing to that, where it is known.
    pub doubt: Option<Doubt>,
    /// Claimed by a player or seen by an arbiter.
    pub observed: bool,
    /// What it is about.
    pub matter: Matter,
    /// What a confirm carries out.
    pub proposal: Ruling,
    /// A.5 governs: what is not claimed or seen before the next move stands.
    pub limited: bool,
    /// What the table's board can see.
    pub board: BoardKind,
    /// How late a player may arrive (6.7.1).
    pub default_time: Millis,
    /// What a claim under Guidelines III that is refused gives the opponent.
    pub quickplay_time: Millis,
    /// The other flag has fallen too.
    pub other_flag: Option<OtherFlag>,
    /// More about an offence.
    pub offence: Option<OffenceFacts>,
    /// 9.2: the moves after which the claimed position stood, `None` for the position that the record begins with.
    pub occurrences: Vec<Option<String>>,
    /// 9.2.3: the moves after which it stood as the claimant says, and whether it did.
    #[serde(default)]
    pub claimed: Vec<(u32, bool)>,
    /// 9.3: the last move that moved a pawn or captured; `None` where the record has none.
    pub counted_from: Option<String>,
    /// What the board shows otherwise than the record.
    pub squares: Vec<SquareSeen>,
    /// The half-move of the record that is meant: `12...Kh8`.
    pub recorded: Option<String>,
    /// Whether the opponent can still mate (5.1.2, 6.9, 7.5.5), where the ruling rests on it.
    pub mate: Option<MateFacts>,
    /// What a confirm does to the table.
    pub outcome: Outcome,
}

/// The opponent's flag has fallen too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OtherFlag {
    /// It fell first.
    First,
    /// It fell after this one.
    Later,
    /// Nobody can say which was first.
    Unknown,
}

/// Why a flag is only suspected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// The table's devices have not been heard at all of late.
    Unheard,
    /// All is heard only up to so long before it.
    HeardUntil(Millis),
    /// A clock that counts has not shown the flag itself.
    NotShown,
}

/// More about a completed illegal move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OffenceFacts {
    /// As the record writes it: `14.Ke1-e3`; empty for a press without a move.
    pub mv: String,
    /// What was moved.
    pub piece: Option<Role>,
    /// Where the offender's own king stood.
    pub king: Option<Square>,
    /// What attacks, where castling was illegal for it.
    pub attacker: Option<Piece>,
    /// What stands between king and rook.
    pub blocker: Option<Piece>,
    /// Why castling was no longer possible.
    pub right: Option<RightLost>,
    /// His own move was the last before it.
    pub twice: bool,
}

/// Why there was no right to castle (3.8.2.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RightLost {
    /// The king has moved before: `9.Ke2`.
    KingMoved(String),
    /// That rook has moved before: `11.Rg1`.
    RookMoved(String),
    /// That rook was captured: `13...Bxh1`.
    RookCaptured(String),
    /// The record does not have it: the position was set so.
    NotInRecord,
}

/// A square where board and record differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SquareSeen {
    /// Which.
    pub square: Square,
    /// What stands there by the record.
    pub record: Option<Piece>,
    /// What the board shows.
    pub board: Shown,
}

/// What a board shows of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// Nothing.
    Empty,
    /// Something: it does not tell pieces apart.
    Taken,
    /// This piece.
    Piece(Piece),
}

/// Whether the opponent can still mate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MateFacts {
    /// By this series of moves, in SAN; empty where the line is not at hand.
    Possible(Vec<String>),
    /// Not by any series of legal moves.
    Impossible(Proof),
    /// A search beside the game says so: whether he can, and its own words.
    Searched(bool, String),
    /// Not decided; by the material alone he could, or could not.
    Undecided(bool),
}

/// What a confirm does to the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Both clocks, White's first.
    pub times: [TimeEffect; 2],
    /// Pieces that go back, each with where it is and where it belongs.
    pub pieces: Vec<PieceBack>,
    /// Moves that are taken back: `14.Ke1-e3`.
    pub taken_back: Vec<String>,
    /// What he may choose from who is bound to a piece, in SAN.
    pub choices: Vec<String>,
    /// The piece that he is bound to move, or to capture.
    pub touched: Option<Piece>,
    /// Who has the move then, where the game goes on.
    pub turn: Option<Color>,
}

/// One clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeEffect {
    /// What it shows.
    pub before: Millis,
    /// What it shows then.
    pub after: Millis,
    /// Its time runs meanwhile: only the difference means something.
    pub runs: bool,
}

/// A piece that is to be moved by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PieceBack {
    /// Which.
    pub piece: Piece,
    /// Where it stands; `None`: beside the board.
    pub from: Option<Square>,
    /// Where it belongs; `None`: beside the board.
    pub to: Option<Square>,
}

impl Game {
    /// Everything that is to be said of an item.
    pub(super) fn account(&self, item: &OpenItem, now: HallTime) -> Account {
        let (state, setup) = (self.state(), self.setup());
        let mut account = Account {
            kind: item.key.kind,
            of: item.key.of,
            certain: item.certain,
            doubt: self.doubt(item),
            observed: item.observed.is_some(),
            matter: item.matter.clone(),
            proposal: item.proposal.clone(),
            limited: limited(setup.category, setup.supervision),
            board: state.board_kind(setup),
            default_time: setup.default_time,
            quickplay_time: setup.open_points.quickplay_time(setup.category),
            other_flag: self.other_flag(item),
            offence: None,
            occurrences: Vec::new(),
            claimed: Vec::new(),
            counted_from: None,
            squares: Vec::new(),
            recorded: None,
            mate: None,
            outcome: self.outcome(item, now),
        };
        match &item.matter {
            Matter::Offence(offence)
            | Matter::IllegalPosition {
                offence: Some(offence), ..
            } => account.offence = Some(offence_facts(state, offence)),
            Matter::DrawClaim { intends, .. } => {
                self.claim_facts(item, *intends, &mut account);
                let checked = self.claimed(item, *intends).into_iter();
                account.claimed = checked.map(|(number, _, stood)| (number, stood)).collect();
            }
            Matter::Disagreement { squares } => account.squares = squares_seen(state, squares),
            Matter::Promotion { ply, .. } => account.recorded = written(state, *ply),
            _ => {}
        }
        account.mate = self.mate_facts(item);
        account
    }

    fn other_flag(&self, item: &OpenItem) -> Option<OtherFlag> {
        let Matter::Flag { seen_only, .. } = item.matter else {
            return None;
        };
        let fallen = |other: &&Arc<OpenItem>| {
            other.key.of.is_some()
                && other.key.of != item.key.of
                && matches!(other.matter, Matter::Flag { frozen: true, .. })
        };
        let other = self.state().items.iter().find(fallen)?;
        let only = matches!(other.matter, Matter::Flag { seen_only: true, .. });
        Some(if seen_only || only {
            OtherFlag::Unknown
        } else if other.since < item.since {
            OtherFlag::First
        } else {
            OtherFlag::Later
        })
    }

    /// Why a flag is only suspected, as far as it is known.
    pub(super) fn doubt(&self, item: &OpenItem) -> Option<Doubt> {
        let Matter::Flag { frozen, by_clock, .. } = item.matter else {
            return None;
        };
        if item.certain {
            return None;
        }
        if self.settled < item.since {
            let short = item.since - self.settled;
            let unheard = self.settled <= HallTime(0) || short > Millis::mins(600);
            return Some(if unheard {
                Doubt::Unheard
            } else {
                Doubt::HeardUntil(short)
            });
        }
        (frozen && !by_clock && self.setup().clock == ClockKind::Counting).then_some(Doubt::NotShown)
    }

    fn claim_facts(&self, item: &OpenItem, intends: Option<Move>, account: &mut Account) {
        let state = self.state();
        if item.key.kind == Kind::ClaimFiftyMoves {
            let counted = state.position().halfmoves() as usize;
            account.counted_from = state
                .record
                .len()
                .checked_sub(counted + 1)
                .and_then(|ply| written(state, ply));
            return;
        }
        let claimed = match intends {
            None => Some((**state.position()).clone()),
            Some(mv) => state.position().play(&mv).ok(),
        };
        let Some(claimed) = claimed else { return };
        let mut stood: Vec<usize> = state.stood(&claimed).collect();
        stood.sort_unstable();
        // What stood after no half-move, or was set, no move has brought about.
        let brought = |plies: usize| plies.checked_sub(1).filter(|_| plies > state.base.0);
        let occurrences = stood
            .into_iter()
            .map(|plies| brought(plies).and_then(|ply| written(state, ply)));
        account.occurrences.extend(occurrences);
        if let Some(mv) = intends {
            let turn = state.position();
            let dots = if turn.turn() == Color::White { "." } else { "..." };
            account
                .occurrences
                .push(Some(format!("{}{dots}{}", turn.fullmoves(), turn.san(&mv))));
        }
    }

    /// Whether the opponent can mate, where what is proposed rests on it.
    fn mate_facts(&self, item: &OpenItem) -> Option<MateFacts> {
        let state = self.state();
        let rests = state.rests_on(item, self.setup())?;
        if let Some((can_mate, verdict)) = state
            .heard(&rests.position, rests.plies, rests.winner)
            .and_then(|verdict| Some((verdict.can_mate?, verdict)))
        {
            if can_mate && !verdict.line.is_empty() {
                return Some(MateFacts::Possible(in_san(&rests.position, &verdict.line)));
            }
            return Some(MateFacts::Searched(can_mate, verdict.evidence.clone()));
        }
        Some(
            match mates::can_mate(&rests.position, rests.winner, mates::Bound::GAME) {
                mates::Verdict::CanMate { line } => MateFacts::Possible(in_san(&rests.position, &line)),
                mates::Verdict::CannotMate { why } => MateFacts::Impossible(why),
                mates::Verdict::Undecided { by_material } => MateFacts::Undecided(by_material),
            },
        )
    }

    /// What a confirm does, found by doing it on a copy.
    fn outcome(&self, item: &OpenItem, now: HallTime) -> Outcome {
        let state = self.state();
        let mut desk = self.desk.clone();
        // What a clock on the table does when it is told, is done at once here: its times are what is asked for.
        let setup = GameSetup {
            clock: ClockKind::Button,
            ..self.setup().clone()
        };
        let mut table = Table::new(state.clone(), &setup, self.settled, now, &mut desk);
        table.begin(now);
        let shows = |state: &State| Color::BOTH.map(|of| state.clock.shows(of, state.time, &setup.time_control));
        let (before, running) = (shows(&table.s), table.s.clock.running());
        table.rule(item, item.proposal.clone(), "", "");
        let after = shows(&table.s);
        let times = Color::BOTH.map(|of| TimeEffect {
            before: before[of as usize],
            after: after[of as usize],
            runs: running == Some(of),
        });
        let mut outcome = Outcome {
            times,
            turn: table.s.ending.is_none().then(|| table.s.turn(&setup)),
            ..Outcome::default()
        };
        if let Ruling::Offence { offence, bound, .. } = &item.proposal
            && offence.is_placed(state.board_kind(&setup))
        {
            let (then, _) = state.position_restored(offence);
            outcome.pieces = pieces_back(state.position(), &then);
            let stays = if offence.unpromoted.is_some() {
                offence.keep + 1
            } else {
                offence.keep
            };
            outcome.taken_back = (stays..state.record.len())
                .filter_map(|ply| written(state, ply))
                .collect();
            let legal = then.legal_moves();
            let chosen: Vec<&Move> = match bound {
                Some(Bound::Piece(square)) => {
                    outcome.touched = then.piece_at(*square);
                    let own = outcome.touched.is_some_and(|piece| piece.color == offence.of);
                    let meets = |mv: &&Move| if own { mv.from == *square } else { mv.to == *square };
                    legal.iter().filter(meets).collect()
                }
                Some(Bound::Move(mv)) => legal.iter().filter(|other| *other == mv).collect(),
                None => Vec::new(),
            };
            outcome.choices = chosen.into_iter().map(|mv| then.san(mv)).collect();
        }
        if let Ruling::WrongClaim { bound: Some(bound), .. } = &item.proposal {
            let position = state.position();
            match bound {
                Bound::Move(mv) => outcome.choices = vec![position.san(mv)],
                Bound::Piece(square) => {
                    outcome.touched = position.piece_at(*square);
                    let legal = position.legal_moves();
                    let meets = |mv: &&Move| mv.from == *square || mv.to == *square;
                    outcome.choices = legal.iter().filter(meets).map(|mv| position.san(mv)).collect();
                }
            }
        }
        outcome
    }
}

/// `14.Ke1-e3`, `12...Kh8`: one half-move of the record as it is spoken of.
fn written(state: &State, at: usize) -> Option<String> {
    let ply = state.record.get(at)?;
    let dots = if ply.by == Color::White { "." } else { "..." };
    let before = state.position_after(at);
    let letter = match before.piece_at(ply.mv.from).map(|piece| piece.role) {
        Some(role) if ply.illegal.is_some() && role != Role::Pawn => role.letter().to_ascii_uppercase().to_string(),
        _ => String::new(),
    };
    Some(format!("{}{dots}{letter}{}", before.fullmoves(), ply.san))
}

fn in_san(position: &Position, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut written = Vec::with_capacity(line.len());
    for mv in line {
        written.push(position.san(mv));
        match position.play(mv) {
            Ok(after) => position = after,
            Err(_) => break,
        }
    }
    written
}

fn offence_facts(state: &State, offence: &Offence) -> OffenceFacts {
    let keep = offence.keep.min(state.record.len());
    let before = state.position_after(keep);
    let twice = keep
        .checked_sub(1)
        .and_then(|last| state.record.get(last))
        .is_some_and(|last| last.by == offence.of);
    let mut facts = OffenceFacts {
        mv: offence.ply.and_then(|ply| written(state, ply)).unwrap_or_default(),
        piece: offence
            .mv
            .and_then(|mv| before.piece_at(mv.from))
            .map(|piece| piece.role),
        king: before.king_of(offence.of),
        attacker: None,
        blocker: None,
        right: None,
        twice,
    };
    match &offence.why {
        Some(
            Illegality::CastlingOutOfCheck { attacker }
            | Illegality::CastlingThroughCheck { attacker, .. }
            | Illegality::CastlingIntoCheck { attacker, .. },
        ) => facts.attacker = before.piece_at(*attacker),
        Some(Illegality::CastlingBlocked { square }) => facts.blocker = before.piece_at(*square),
        Some(Illegality::NoCastlingRight { to }) => facts.right = Some(right_lost(state, keep, offence.of, *to)),
        _ => {}
    }
    facts
}

/// Why a king may not castle to this square: what the record has of king and rook.
fn right_lost(state: &State, keep: usize, of: Color, to: Square) -> RightLost {
    let home = |file: u8| Square::from_index(u32::from(file) + if of == Color::White { 0 } else { 56 });
    let king = home(4);
    let rook = home(if to.file() > 4 { 7 } else { 0 });
    for at in state.base.0..keep {
        let Some(ply) = state.record.get(at) else { break };
        let how = if ply.by == of && Some(ply.mv.from) == king {
            RightLost::KingMoved
        } else if ply.by == of && Some(ply.mv.from) == rook {
            RightLost::RookMoved
        } else if ply.by != of && Some(ply.mv.to) == rook {
            RightLost::RookCaptured
        } else {
            continue;
        };
        return written(state, at).map_or(RightLost::NotInRecord, how);
    }
    RightLost::NotInRecord
}

fn squares_seen(state: &State, squares: &[Square]) -> Vec<SquareSeen> {
    let picture = state.board.as_ref().map(|board| board.sensor.picture());
    let shown = |square: Square| match &picture {
        Some(Picture::Pieces(placement)) => placement.at(square).map_or(Shown::Empty, Shown::Piece),
        Some(Picture::Occupancy(occupancy)) if occupancy.contains(square) => Shown::Taken,
        _ => Shown::Empty,
    };
    squares
        .iter()
        .map(|&square| SquareSeen {
            square,
            record: state.position().piece_at(square),
            board: shown(square),
        })
        .collect()
}

/// What is to be moved by hand to come from one position to another: a piece that only stands elsewhere is moved there.
fn pieces_back(now: &Position, then: &Position) -> Vec<PieceBack> {
    let (now, then) = (now.placement(), then.placement());
    let on = |placement: &Placement| -> Vec<(Square, Piece)> {
        let differing = now.differences(&then);
        differing
            .filter_map(|square| Some((square, placement.at(square)?)))
            .collect()
    };
    let (mut gone, mut missing) = (on(&now), on(&then));
    let mut back = Vec::new();
    gone.retain(|&(from, piece)| {
        let Some(at) = missing.iter().position(|&(_, other)| other == piece) else {
            return true;
        };
        let (to, _) = missing.remove(at);
        back.push(PieceBack {
            piece,
            from: Some(from),
            to: Some(to),
        });
        false
    });
    back.extend(gone.into_iter().map(|(from, piece)| PieceBack {
        piece,
        from: Some(from),
        to: None,
    }));
    back.extend(missing.into_iter().map(|(to, piece)| PieceBack {
        piece,
        from: None,
        to: Some(to),
    }));
    back
}
