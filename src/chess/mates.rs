//! Whether a side can still checkmate "by any possible series of legal moves" (5.1.2, 5.2.2, 6.9, 7.5.5).
//!
//! The opponent helps: only possibility counts. Decided from the position, never from the material alone, in three steps: what the
//! material rules out; what a wall of pieces that can never move rules out (`wall`); and a search that visits every position once, most
//! promising first (`search`): it ends with a mating line, with no position left, or at its bound. The bound is in positions, not in
//! time, so that every machine and every replay answers alike.

mod fuller;
mod score;
mod search;
#[cfg(test)]
mod tests;
mod wall;

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::Position as _;

pub use fuller::{fuller, second_opinion};

use super::{Color, Move, Position, Square};

/// How many positions the search may look at before it gives up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bound(pub u32);

impl Bound {
    /// What a game asks at every flag, resignation and move: under two milliseconds at worst.
    pub const GAME: Bound = Bound(5_000);
    /// What a worker beside the game may look at: seconds, and some hundred megabytes.
    pub const WORKER: Bound = Bound(1_000_000);
}

/// Whether `winner` can still mate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// There is a series of legal moves that ends in mate.
    CanMate {
        /// One such series; empty where it is mate already.
        line: Vec<Move>,
    },
    /// There is none.
    CannotMate {
        /// The proof.
        why: Proof,
    },
    /// Not decided within the bound.
    Undecided {
        /// What the material rule says meanwhile: whether this material could mate in some position.
        by_material: bool,
    },
}

impl Verdict {
    /// Yes, no, or not decided.
    pub fn can_mate(&self) -> Option<bool> {
        match self {
            Verdict::CanMate { .. } => Some(true),
            Verdict::CannotMate { .. } => Some(false),
            Verdict::Undecided { .. } => None,
        }
    }
}

/// Why no series of legal moves ends in mate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "proof", rename_all = "kebab-case")]
pub enum Proof {
    /// The game is over: mate to the other side, or stalemate.
    Over,
    /// What the side has left never mates, whatever the opponent has left.
    Material,
    /// The pieces on these squares can never move nor be captured, and behind them no mate is possible.
    WalledIn {
        /// The pieces that stand for ever.
        frozen: Vec<Square>,
    },
    /// All lines are forced, to the end.
    Forced {
        /// How many positions there are.
        positions: u32,
    },
    /// All positions that can still arise were visited, and in none is it mate.
    Exhausted {
        /// How many positions there are, hopeless material and walls not followed further.
        positions: u32,
    },
    /// A second solver found no mate in a complete search of its own.
    SecondOpinion,
}

/// For people, after "cannot mate: ".
impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Proof::Over => f.write_str("the game is over on the board"),
            Proof::Material => f.write_str("the pieces left cannot mate in any position"),
            Proof::WalledIn { frozen } => {
                let squares: Vec<String> = frozen.iter().map(Square::to_string).collect();
                write!(
                    f,
                    "the pieces on {} can never move or be captured, and behind them there is no mate",
                    squares.join(", ")
                )
            }
            Proof::Forced { positions } => {
                write!(f, "every move is forced, and none of the {positions} positions is mate")
            }
            Proof::Exhausted { positions } => {
                write!(f, "none of the {positions} positions that can still arise is mate")
            }
            Proof::SecondOpinion => f.write_str("a complete search by a second solver found no mate"),
        }
    }
}

/// Whether `winner` can mate from this position, looking at no more than `bound` positions.
///
/// A position that only an illegal move could bring about (3.10.3) is not decided: no series of legal moves is defined there.
pub fn can_mate(position: &Position, winner: Color, bound: Bound) -> Verdict {
    let Some(chess) = position.to_chess() else {
        return Verdict::Undecided {
            by_material: material_can_mate(position, winner),
        };
    };
    let loser = shakmaty::Color::from(winner.other());
    let winner = shakmaty::Color::from(winner);
    if chess.legal_moves().is_empty() {
        return if chess.is_check() && chess.turn() == loser {
            Verdict::CanMate { line: Vec::new() }
        } else {
            Verdict::CannotMate { why: Proof::Over }
        };
    }
    if chess.has_insufficient_material(winner) {
        return Verdict::CannotMate { why: Proof::Material };
    }
    if let Some(frozen) = wall::no_mate_behind(&chess, winner) {
        return Verdict::CannotMate {
            why: Proof::WalledIn { frozen },
        };
    }
    match search::search(chess, winner, bound) {
        search::Outcome::Mate(line) => Verdict::CanMate {
            line: position.own_moves(&line),
        },
        search::Outcome::None {
            positions,
            forced: true,
        } => Verdict::CannotMate {
            why: Proof::Forced { positions },
        },
        search::Outcome::None { positions, .. } => Verdict::CannotMate {
            why: Proof::Exhausted { positions },
        },
        search::Outcome::Bound => Verdict::Undecided { by_material: true },
    }
}

/// For people: "can mate: Ra8#", "cannot mate: …", or that it is not decided.
pub fn explain(position: &Position, verdict: &Verdict) -> String {
    match verdict {
        Verdict::CanMate { line } if line.is_empty() => "can mate: it is mate".to_owned(),
        Verdict::CanMate { line } => {
            let mut at = position.clone();
            let mut words = Vec::with_capacity(line.len());
            for mv in line {
                words.push(at.san(mv));
                at = at.play_unchecked(mv, at.turn());
            }
            format!("can mate: {}", words.join(" "))
        }
        Verdict::CannotMate { why } => format!("cannot mate: {why}"),
        Verdict::Undecided { by_material: true } => "undecided; by the material alone it can".to_owned(),
        Verdict::Undecided { by_material: false } => "undecided; by the material alone it cannot".to_owned(),
    }
}

/// Neither side can mate (5.2.2): `None` where that is not decided.
pub fn is_dead(position: &Position, bound: Bound) -> Option<bool> {
    let mut dead = Some(true);
    for color in Color::BOTH {
        match can_mate(position, color, bound) {
            Verdict::CanMate { .. } => return Some(false),
            Verdict::CannotMate { .. } => {}
            Verdict::Undecided { .. } => dead = None,
        }
    }
    dead
}

/// Whether the material could mate in some position, the opponent's helping.
pub fn material_can_mate(position: &Position, winner: Color) -> bool {
    let (mut knights, mut bishops, mut light, mut dark) = (0, 0, false, false);
    let mut helpers = false;
    for (square, piece) in position.placement().pieces() {
        use super::Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        match (piece.color == winner, piece.role) {
            (_, King) => {}
            (true, Pawn | Rook | Queen) => return true,
            (true, Knight) => knights += 1,
            (mine, Bishop) => {
                bishops += u32::from(mine);
                light |= square.is_light();
                dark |= !square.is_light();
                helpers |= !mine;
            }
            (false, role) => helpers |= role != Queen,
        }
    }
    let blockers = position
        .placement()
        .pieces()
        .any(|(_, piece)| piece.color != winner && matches!(piece.role, super::Role::Pawn | super::Role::Knight));
    match (knights, bishops) {
        (0, 0) => false,
        (1, 0) => helpers,
        (0, _) => (light && dark) || blockers,
        _ => true,
    }
}
