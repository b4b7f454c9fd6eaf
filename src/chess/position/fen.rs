//! Positions as FEN: read leniently, since a rehearsal may begin anywhere; written strictly.

use std::num::NonZeroU32;

use shakmaty::{Bitboard, CastlingMode, Chess, File, PositionError, Rank, Setup, fen::Fen};

use super::{Castling, Position, Variant};
use crate::chess::{Color, Move, Role, Square};

/// What was given as a FEN and cannot be a position on a table.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{fen}` is no position: {why}")]
pub struct BadFen {
    fen: String,
    why: String,
}

impl Position {
    /// Reads a FEN of two to six fields. Castling rights without king and rook in their places, and an en passant square where
    /// no capture is legal, are dropped; two kings of one colour are refused.
    pub fn from_fen(fen: &str, variant: Variant) -> Result<Position, BadFen> {
        let bad = |why: String| BadFen {
            fen: fen.chars().take(120).collect(),
            why,
        };
        let setup = Fen::from_ascii(fen.trim().as_bytes())
            .map_err(|error| bad(error.to_string()))?
            .into_setup();
        let mut position = Position {
            board: setup.board,
            turn: setup.turn.into(),
            castling: setup.castling_rights,
            en_passant: setup.ep_square.map(Square::from),
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves.get(),
            variant,
        };
        for color in Color::BOTH {
            let kings = position.pieces(color, Role::King).count();
            if kings > 1 {
                return Err(bad(format!("{color} has {kings} kings")));
            }
        }
        position.drop_impossible_rights();
        if !position.en_passant_stands() {
            position.en_passant = None;
        }
        position.keep_legal_en_passant();
        Ok(position)
    }

    /// Six fields; the en passant square only where a capture is legal.
    pub fn full_fen(&self) -> String {
        format!("{} {} {}", self.fen4(), self.halfmoves, self.fullmoves)
    }

    /// The first four fields: placement, side to move, castling (X-FEN in Chess960), en passant only where a capture is legal.
    pub fn fen4(&self) -> String {
        let turn = if self.turn == Color::White { 'w' } else { 'b' };
        let en_passant = self
            .en_passant
            .map_or_else(|| "-".to_owned(), |square| square.to_string());
        format!("{} {turn} {} {en_passant}", self.placement(), self.castling_field())
    }

    fn castling_field(&self) -> String {
        let mut field = String::new();
        for color in Color::BOTH {
            let Some(king) = self.board.king_of(color.into()) else {
                continue;
            };
            let mine = self.castling & self.board.by_color(color.into());
            for rook in mine.into_iter().rev() {
                let outer = self.pieces(color, Role::Rook) & Bitboard::from_rank(king.rank());
                let letter = match rook > king {
                    true if outer.last() == Some(rook) => 'k',
                    false if outer.first() == Some(rook) => 'q',
                    _ => rook.file().char(),
                };
                field.push(if color == Color::White {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                });
            }
        }
        if field.is_empty() { "-".to_owned() } else { field }
    }

    /// Forgets rights whose king or rook is not where it began.
    pub(super) fn drop_impossible_rights(&mut self) {
        let mut kept = Bitboard::EMPTY;
        for color in Color::BOTH {
            let home = shakmaty::Color::from(color).backrank();
            let Some(king) = self.board.king_of(color.into()).filter(|king| king.rank() == home) else {
                continue;
            };
            for rook in self.castling & self.pieces(color, Role::Rook) & Bitboard::from_rank(home) {
                let in_place = match self.variant {
                    Variant::Standard => king.file() == File::E && matches!(rook.file(), File::A | File::H),
                    Variant::Chess960 => true,
                };
                if in_place {
                    kept.add(rook);
                }
            }
        }
        self.castling = kept;
    }

    /// Whether the en passant square has, on the board, a pawn that can just have advanced two squares over it.
    fn en_passant_stands(&self) -> bool {
        let Some(square) = self.en_passant.map(shakmaty::Square::from) else {
            return false;
        };
        let pusher = self.turn.other();
        let (rank, step) = if pusher == Color::White {
            (Rank::Third, 8)
        } else {
            (Rank::Sixth, -8)
        };
        let holds = |offset| square.offset(offset).map(|sq| self.board.occupied().contains(sq));
        square.rank() == rank
            && !self.board.occupied().contains(square)
            && holds(-step) == Some(false)
            && square
                .offset(step)
                .is_some_and(|sq| self.pieces(pusher, Role::Pawn).contains(sq))
    }

    /// Keeps the en passant square only while a pawn can legally be captured there.
    pub(super) fn keep_legal_en_passant(&mut self) {
        let Some(square) = self.en_passant else { return };
        let capturers = self.en_passant_capturers(square);
        let legal = capturers
            .into_iter()
            .any(|from| self.en_passant_leaves_king_safe(from, square.into()));
        if !legal {
            self.en_passant = None;
        }
    }

    /// The castling with this rook.
    pub(super) fn castling_with(&self, color: Color, rook: shakmaty::Square) -> Option<Castling> {
        let king = self.board.king_of(color.into())?;
        (self.castling & self.board.by_color(color.into()))
            .contains(rook)
            .then(|| Castling::of(king, rook))
    }
}

impl Position {
    /// The library's own position, where it takes this one: read leniently, refused where a king is missing or could be captured.
    pub(in crate::chess) fn to_chess(&self) -> Option<Chess> {
        let mode = match self.variant {
            Variant::Standard => CastlingMode::Standard,
            Variant::Chess960 => CastlingMode::Chess960,
        };
        let mut setup = Setup::empty();
        setup.board = self.board.clone();
        setup.turn = self.turn.into();
        setup.castling_rights = self.castling;
        setup.ep_square = self.en_passant.map(shakmaty::Square::from);
        setup.halfmoves = self.halfmoves;
        setup.fullmoves = NonZeroU32::new(self.fullmoves).unwrap_or(NonZeroU32::MIN);
        setup
            .position(mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .ok()
    }

    /// The library's moves as ours.
    pub(in crate::chess) fn own_moves(&self, moves: &[shakmaty::Move]) -> Vec<Move> {
        let own = |mv: &shakmaty::Move| {
            let from = Square::from(mv.from().unwrap_or(mv.to()));
            let to = match (mv.castling_side(), self.variant) {
                (Some(side), Variant::Standard) => side.king_to(if from.rank() == 0 {
                    shakmaty::Color::White
                } else {
                    shakmaty::Color::Black
                }),
                _ => mv.to(),
            };
            Move {
                from,
                to: to.into(),
                promotion: mv.promotion().map(Role::from),
            }
        };
        moves.iter().map(own).collect()
    }
}

const CHESS960: &str = " chess960";

impl TryFrom<String> for Position {
    type Error = BadFen;
    fn try_from(fen: String) -> Result<Position, BadFen> {
        match fen.strip_suffix(CHESS960) {
            Some(fen) => Position::from_fen(fen, Variant::Chess960),
            None => Position::from_fen(&fen, Variant::Standard),
        }
    }
}

impl From<Position> for String {
    fn from(position: Position) -> String {
        let suffix = if position.variant == Variant::Chess960 {
            CHESS960
        } else {
            ""
        };
        position.full_fen() + suffix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen4(fen: &str, variant: Variant) -> String {
        Position::from_fen(fen, variant).unwrap().fen4()
    }

    #[test]
    fn en_passant_is_written_only_where_the_capture_is_legal() {
        let lone = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1";
        assert_eq!(fen4(lone, Variant::Standard), "4k3/8/8/8/4P3/8/8/4K3 b - -");
        let beside = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
        assert_eq!(fen4(beside, Variant::Standard), "4k3/8/8/8/3pP3/8/8/4K3 b - e3");
        let along_the_rank = "6k1/8/8/KPp4r/8/5N2/8/8 w - c6";
        assert_eq!(fen4(along_the_rank, Variant::Standard), "6k1/8/8/KPp4r/8/5N2/8/8 w - -");
    }

    #[test]
    fn rights_without_king_and_rook_in_place_are_dropped() {
        assert_eq!(
            fen4("4k3/8/8/8/8/8/8/R2K3R w KQkq -", Variant::Standard),
            "4k3/8/8/8/8/8/8/R2K3R w - -"
        );
        assert_eq!(
            fen4("4k3/8/8/8/8/8/8/R2K3R w KQkq -", Variant::Chess960),
            "4k3/8/8/8/8/8/8/R2K3R w KQ -"
        );
        assert_eq!(
            fen4("4k3/8/8/8/8/8/8/R1K1R2R w E -", Variant::Chess960),
            "4k3/8/8/8/8/8/8/R1K1R2R w E -"
        );
    }

    #[test]
    fn positions_that_only_illegal_moves_bring_about_are_read_and_written() {
        for fen in [
            "8/8/8/8/8/8/8/4K3 w - - 0 1",
            "P3k3/8/8/8/8/8/8/4K2p b - - 3 9",
            "4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1",
        ] {
            let position = Position::from_fen(fen, Variant::Standard).unwrap();
            assert_eq!(position.full_fen(), fen);
            let json = serde_json::to_string(&position).unwrap();
            assert_eq!(serde_json::from_str::<Position>(&json).unwrap(), position);
        }
        let two = Position::from_fen("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", Variant::Standard).unwrap_err();
        assert!(two.to_string().contains("White has 2 kings"), "{two}");
    }

    #[test]
    fn chess960_survives_the_way_to_text_and_back() {
        let fen = "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1";
        let position = Position::from_fen(fen, Variant::Chess960).unwrap();
        assert_eq!(position.full_fen(), fen);
        assert_eq!(Position::try_from(String::from(position.clone())).unwrap(), position);
    }
}
