//! A position as it stands on a table: also one that only an illegal move could bring about.
//!
//! The chess library refuses positions that the Laws call illegal (3.10.3), and a hall has them: a king left in check while the
//! opponent moves, a pawn waiting on its last rank, no king at all. So the board is kept here, and legality is decided here on the
//! library's attack tables; tests hold it against the library's own generator.

mod fen;
mod legal;
mod play;
mod san;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::Bitboard;

pub use fen::BadFen;
pub use san::BadSan;

use super::{Color, Move, Piece, Placement, Role, Square};

/// The game that is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Chess.
    #[default]
    Standard,
    /// Guidelines II.
    Chess960,
}

/// Pieces, the side that has the move, castling rights, en passant and the two counters of a FEN. Serialised as a FEN (with a
/// seventh field, `chess960`, in that variant).
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Position {
    pub(super) board: shakmaty::Board,
    turn: Color,
    /// The rooks with which castling is still possible: neither they nor their king have moved.
    pub(super) castling: Bitboard,
    /// The square behind a pawn that has just advanced two squares, while it can legally be captured there.
    en_passant: Option<Square>,
    halfmoves: u32,
    fullmoves: u32,
    variant: Variant,
}

impl Position {
    /// The starting position of 2.3.
    pub fn initial() -> Position {
        Position {
            board: shakmaty::Board::new(),
            turn: Color::White,
            castling: Bitboard::CORNERS,
            en_passant: None,
            halfmoves: 0,
            fullmoves: 1,
            variant: Variant::Standard,
        }
    }

    /// The side that has the move.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The game that is played.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Half-moves since the last pawn move or capture (9.3, 9.6.2).
    pub fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// The number of the move that is being played, as a FEN counts it.
    pub fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// Where a pawn can legally be captured en passant (3.7.3.2).
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Whether `color` may still castle with the rook on this square, now or later.
    pub fn may_castle_with(&self, color: Color, rook: Square) -> bool {
        self.castling.contains(rook.into()) && self.piece_at(rook).is_some_and(|piece| piece.color == color)
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board.piece_at(square.into()).map(Piece::from)
    }

    /// Where a king stands, if he does.
    pub fn king_of(&self, color: Color) -> Option<Square> {
        self.board.king_of(color.into()).map(Square::from)
    }

    /// What stands where.
    pub fn placement(&self) -> Placement {
        let mut placement = Placement::EMPTY;
        for (square, piece) in self.board.iter() {
            placement.set(square.into(), Some(piece.into()));
        }
        placement
    }

    /// This position with another side to move: nothing else changes but en passant, which is then over.
    #[must_use]
    pub fn with_turn(&self, turn: Color) -> Position {
        if turn == self.turn {
            return self.clone();
        }
        Position {
            turn,
            en_passant: None,
            ..self.clone()
        }
    }

    /// This position with something else on one square: a queen imposed in place of a pawn (7.5.2), a promoted piece that turned
    /// out to be another. Castling rights that no longer have king and rook in place are gone.
    #[must_use]
    pub fn with_piece(&self, square: Square, piece: Option<Piece>) -> Position {
        let mut position = self.clone();
        match piece {
            Some(piece) => position.board.set_piece_at(square.into(), piece.into()),
            None => position.board.discard_piece_at(square.into()),
        }
        position.drop_impossible_rights();
        position.keep_legal_en_passant();
        position
    }

    /// The pieces of the side `by` that attack a square (3.1.2), whether pinned or not.
    pub fn attackers(&self, square: Square, by: Color) -> Vec<Square> {
        let attackers = self.board.attacks_to(square.into(), by.into(), self.board.occupied());
        attackers.into_iter().map(Square::from).collect()
    }

    /// Whether the king of `color` is attacked (3.9.1).
    pub fn is_check(&self, color: Color) -> bool {
        self.checkers(color).any()
    }

    /// Both kings are attacked (A.5.4).
    pub fn both_kings_in_check(&self) -> bool {
        Color::BOTH.iter().all(|&color| self.is_check(color))
    }

    /// A pawn stands on its own last rank (A.5.4): its promotion was not completed.
    pub fn unpromoted_pawn(&self) -> Option<Square> {
        let last = |color: Color| self.pieces(color, Role::Pawn) & last_rank(color);
        (last(Color::White) | last(Color::Black)).first().map(Square::from)
    }

    /// The side to move is in check and has no legal move (1.4.1, 5.1.1).
    pub fn is_checkmate(&self) -> bool {
        self.is_check(self.turn) && !self.has_legal_move()
    }

    /// The side to move is not in check and has no legal move (5.2.1).
    pub fn is_stalemate(&self) -> bool {
        !self.is_check(self.turn) && !self.has_legal_move()
    }

    fn checkers(&self, color: Color) -> Bitboard {
        self.board.king_of(color.into()).map_or(Bitboard::EMPTY, |king| {
            self.board.attacks_to(king, color.other().into(), self.board.occupied())
        })
    }

    fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.board.by_piece(Piece { color, role }.into())
    }

    /// Play this move if it is legal.
    pub fn play(&self, mv: &Move) -> Result<Position, super::Illegality> {
        self.why_illegal(mv, self.turn)
            .map_or_else(|| Ok(self.play_unchecked(mv, self.turn)), Err)
    }
}

/// The rank on which a pawn of this colour is exchanged (3.7.3.3).
fn last_rank(color: Color) -> Bitboard {
    Bitboard::from_rank(shakmaty::Color::from(color.other()).backrank())
}

/// Three points of a move's geometry that castling needs: where the king stands, where he and the rook go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Castling {
    king: shakmaty::Square,
    rook: shakmaty::Square,
    king_to: shakmaty::Square,
    rook_to: shakmaty::Square,
}

impl Castling {
    /// The castling of this king with this rook: to the g- or c-file, the rook beside him.
    fn of(king: shakmaty::Square, rook: shakmaty::Square) -> Castling {
        let (king_file, rook_file) = if rook > king {
            (shakmaty::File::G, shakmaty::File::F)
        } else {
            (shakmaty::File::C, shakmaty::File::D)
        };
        let on = |file| shakmaty::Square::from_coords(file, king.rank());
        Castling {
            king,
            rook,
            king_to: on(king_file),
            rook_to: on(rook_file),
        }
    }

    /// The squares that must be empty but for this king and this rook (3.8.2.2, Guidelines II.3).
    fn must_be_empty(self) -> Bitboard {
        let span = |a, b| shakmaty::attacks::between(a, b).with(a).with(b);
        (span(self.king, self.king_to) | span(self.rook, self.rook_to))
            .without(self.king)
            .without(self.rook)
    }

    /// The squares of the king's way, his own and his last included: none may be attacked (3.8.2.1).
    fn kings_way(self) -> Bitboard {
        shakmaty::attacks::between(self.king, self.king_to)
            .with(self.king)
            .with(self.king_to)
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full_fen())
    }
}
