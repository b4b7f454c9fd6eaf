//! When two positions are the same (9.2.3).

use serde::{Deserialize, Serialize};

use super::{Color, Placement, Position, Square};

/// What makes a position the same as another (9.2.3): who has the move, kind and colour of piece on every square, castling
/// *rights* (whether castling is possible just now does not matter, 9.2.3.2), and a pawn that can really be captured en
/// passant (9.2.3.1). No counters; two knights that changed places are no difference.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Identity {
    placement: Placement,
    turn: Color,
    /// The squares of rooks with which castling is still possible, one bit each.
    castling: u64,
    en_passant: Option<Square>,
}

impl Position {
    /// The key under which occurrences are counted (9.2, 9.6.1).
    pub fn identity(&self) -> Identity {
        Identity {
            placement: self.placement(),
            turn: self.turn(),
            castling: self.castling.0,
            // A position keeps its en passant square only while a capture there is legal.
            en_passant: self.en_passant(),
        }
    }

    /// Whether this is the same position as another one (9.2.3): whether their identities are equal.
    pub fn is_same(&self, other: &Position) -> bool {
        self.turn() == other.turn()
            && self.castling == other.castling
            && self.en_passant() == other.en_passant()
            && self.board == other.board
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::Variant;
    use super::*;

    /// Occurrences of the position reached at the end.
    fn occurrences(fen: &str, moves: &str) -> usize {
        let mut position = Position::from_fen(fen, Variant::Standard).unwrap();
        let mut seen = HashMap::from([(position.identity(), 1)]);
        for san in moves.split_whitespace() {
            position = position.play(&position.parse_san(san).unwrap()).unwrap();
            *seen.entry(position.identity()).or_insert(0) += 1;
        }
        seen[&position.identity()]
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_starting_position_counts() {
        assert_eq!(occurrences(START, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"), 3);
    }

    #[test]
    fn en_passant_counts_only_where_the_capture_is_legal() {
        let knights = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
        assert_eq!(occurrences(START, &format!("e4 e6 e5 d5 {knights}")), 2);
        assert_eq!(occurrences(START, &format!("e4 e5 {knights}")), 3);
        let pinned = "1kr4n/3p4/8/2P5/8/8/8/2K4N b - - 0 1";
        assert_eq!(occurrences(pinned, "d5 Ng3 Ng6 Nh1 Nh8 Ng3 Ng6 Nh1 Nh8"), 3);
    }

    #[test]
    fn a_lost_castling_right_makes_another_position() {
        let moves = "Nf3 Nf6 Rg1 Rg8 Rh1 Rh8 Rg1 Rg8 Rh1 Rh8";
        assert_eq!(
            occurrences(START, moves),
            2,
            "the first look-alike still had the rights"
        );
    }

    #[test]
    fn two_knights_may_change_places() {
        let moves = "Na3 Kd8 Nc2 Ke8 Ne2 Kd8 Nec3 Ke8 Nb1 Kd8 Ne3 Ke8 Nf1 Kd8 Ng3 Ke8 Ne2 Kd8 Ng1 Ke8";
        assert_eq!(occurrences("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", moves), 2);
    }
}
