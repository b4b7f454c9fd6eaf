//! A longer search and a second opinion, for a worker beside the game.

use std::str::FromStr;

use super::{Bound, Proof, Verdict, can_mate};
use crate::chess::{Color, Move, Position, Variant};

/// The search with `bound`, and, where it does not decide, the second solver (which has no bound of its own: the caller runs this
/// where it can be given up). A mating line of the second solver is replayed before it is believed.
pub fn fuller(position: &Position, winner: Color, bound: Bound) -> Verdict {
    match can_mate(position, winner, bound) {
        undecided @ Verdict::Undecided { .. } => second_opinion(position, winner).unwrap_or(undecided),
        decided => decided,
    }
}

/// What the second solver says alone; `None` where it does not answer, or cannot be asked.
pub fn second_opinion(position: &Position, winner: Color) -> Option<Verdict> {
    position.to_chess()?;
    let castling = position.fen4().split(' ').nth(2) != Some("-");
    if position.variant() == Variant::Chess960 && castling {
        return None;
    }
    let board = chess_board::Board::from_str(&position.full_fen()).ok()?;
    let color = match winner {
        Color::White => chess_board::Color::White,
        Color::Black => chess_board::Color::Black,
    };
    match chasolver::winnability(&board, color)? {
        chasolver::Winnability::Unwinnable => Some(Verdict::CannotMate {
            why: Proof::SecondOpinion,
        }),
        chasolver::Winnability::Winnable { helpmate } => {
            let line: Vec<Move> = helpmate
                .iter()
                .map(|mv| mv.to_string().parse())
                .collect::<Result<_, _>>()
                .ok()?;
            let last = line.iter().try_fold(position.clone(), |at, mv| at.play(mv)).ok()?;
            (last.is_checkmate() && last.turn() != winner).then_some(Verdict::CanMate { line })
        }
    }
}
