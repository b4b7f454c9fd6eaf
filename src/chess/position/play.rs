//! Moves made on the board, whatever the Laws say of them.

use shakmaty::Bitboard;

use super::legal::Action;
use super::{Castling, Position, Variant, last_rank};
use crate::chess::{Color, Move, Piece, Role, Square};

impl Position {
    /// The position after `by` moved like this, legal or not: what stands on the to-square comes off; a legal castling takes the
    /// rook along, a legal en passant capture takes the pawn off; a pawn without promotion stays a pawn on its last rank
    /// (7.5.2). A king or rook that moved, or was taken, has no castling right any more. The opponent of `by` has the move.
    #[must_use]
    pub fn play_unchecked(&self, mv: &Move, by: Color) -> Position {
        self.carry_out(mv, by, self.judge(mv, by).unwrap_or(Action::Plain))
    }

    /// As [`Position::play_unchecked`], but nothing else moves along: the rook of a castling and the pawn of an en passant capture
    /// stay where they are.
    pub(in crate::chess) fn play_alone(&self, mv: &Move, by: Color) -> Position {
        self.carry_out(mv, by, Action::Plain)
    }

    /// King and the rook on this square of the first rank moved as in castling, legal or not, and where they went.
    pub(in crate::chess) fn castle_whatever(&self, by: Color, rook: Square) -> Option<(Position, [Square; 2])> {
        let king = self.board.king_of(by.into())?;
        let rook = shakmaty::Square::from(rook);
        let home = shakmaty::Color::from(by).backrank();
        let is_rook = self.pieces(by, Role::Rook).contains(rook);
        if !is_rook || king.rank() != home || rook.rank() != home {
            return None;
        }
        let castling = Castling::of(king, rook);
        let mv = Move::new(king.into(), castling.king_to.into());
        let after = self.carry_out(&mv, by, Action::Castle(castling));
        Some((after, [castling.king_to.into(), castling.rook_to.into()]))
    }

    fn carry_out(&self, mv: &Move, by: Color, action: Action) -> Position {
        let mut next = self.clone();
        next.turn = by.other();
        next.en_passant = None;
        next.halfmoves = self.halfmoves.saturating_add(1);
        if by == Color::Black {
            next.fullmoves = self.fullmoves.saturating_add(1);
        }
        let Some(piece) = self.piece_at(mv.from) else {
            return next;
        };
        let (from, to) = (shakmaty::Square::from(mv.from), shakmaty::Square::from(mv.to));
        if piece.role == Role::Pawn || (self.piece_at(mv.to).is_some() && !matches!(action, Action::Castle(_))) {
            next.halfmoves = 0;
        }
        next.board.discard_piece_at(from);
        match action {
            Action::Castle(castling) => {
                let color = piece.color.into();
                next.board.discard_piece_at(castling.rook);
                next.board
                    .set_piece_at(castling.king_to, shakmaty::Role::King.of(color));
                next.board
                    .set_piece_at(castling.rook_to, shakmaty::Role::Rook.of(color));
            }
            Action::EnPassant(pawn) => {
                next.board.discard_piece_at(pawn);
                next.board.set_piece_at(to, piece.into());
            }
            Action::Plain => next.board.set_piece_at(to, self.what_arrives(mv, piece).into()),
        }
        let untouched = !(Bitboard::from_square(from) | Bitboard::from_square(to));
        next.castling = self.castling & untouched;
        if piece.role == Role::King {
            next.castling &= !self.board.by_color(piece.color.into());
        }
        next.drop_impossible_rights();
        next.en_passant = self.passed_over(mv, piece).filter(|_| piece.color == by);
        next.keep_legal_en_passant();
        next
    }

    /// The piece that stands on the to-square afterwards.
    fn what_arrives(&self, mv: &Move, piece: Piece) -> Piece {
        match mv.promotion {
            Some(role) if piece.role == Role::Pawn && last_rank(piece.color).contains(mv.to.into()) => {
                Piece { role, ..piece }
            }
            _ => piece,
        }
    }

    /// The square that a pawn has passed over by an advance of two squares (3.7.3.1).
    fn passed_over(&self, mv: &Move, piece: Piece) -> Option<Square> {
        let (from, to) = (shakmaty::Square::from(mv.from), shakmaty::Square::from(mv.to));
        let color = shakmaty::Color::from(piece.color);
        let home = color.relative_rank(shakmaty::Rank::Second);
        let over = from.offset(color.fold_wb(8, -8))?;
        (piece.role == Role::Pawn
            && from.rank() == home
            && from.offset(color.fold_wb(16, -16)) == Some(to)
            && !self.board.occupied().contains(over)
            && !self.board.occupied().contains(to))
        .then(|| over.into())
    }

    /// A legal move in the form in which [`Position::legal_moves`] lists it; `None` if it is not legal.
    pub fn canonical(&self, mv: &Move) -> Option<Move> {
        match self.judge(mv, self.turn).ok()? {
            Action::Castle(castling) => {
                let to = if self.variant == Variant::Chess960 {
                    castling.rook
                } else {
                    castling.king_to
                };
                Some(Move::new(castling.king.into(), to.into()))
            }
            _ => Some(*mv),
        }
    }

    /// Whether this is a legal castling; the squares are those of the king and the rook before and after.
    pub fn castling_squares(&self, mv: &Move) -> Option<[(Square, Square); 2]> {
        match self.judge(mv, self.turn).ok()? {
            Action::Castle(castling) => Some([
                (castling.king.into(), castling.king_to.into()),
                (castling.rook.into(), castling.rook_to.into()),
            ]),
            _ => None,
        }
    }

    /// The square of the piece that a move takes off the board, if it does: not the to-square for en passant.
    pub fn captured_by(&self, mv: &Move) -> Option<Square> {
        match self.judge(mv, self.turn) {
            Ok(Action::Castle(_)) => None,
            Ok(Action::EnPassant(pawn)) => Some(pawn.into()),
            Ok(Action::Plain) | Err(_) => self.piece_at(mv.to).map(|_| mv.to),
        }
    }
}
