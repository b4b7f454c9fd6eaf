//! Which moves the Laws allow (Article 3).

use shakmaty::{Bitboard, attacks};

use super::{Castling, Position, Variant, last_rank};
use crate::chess::{Color, Illegality, Move, Piece, Role, Square};

/// What a move does on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// The piece goes there; what stands there comes off.
    Plain,
    /// A pawn takes the pawn on this square, which is not where it goes.
    EnPassant(shakmaty::Square),
    /// King and rook move.
    Castle(Castling),
}

impl Position {
    /// All legal moves of the side that has the move; castling as the king's move, in Chess960 as the king "taking" his rook.
    pub fn legal_moves(&self) -> Vec<Move> {
        self.legal_moves_where(|_| true)
    }

    /// Those of the legal moves for which this holds.
    pub fn legal_moves_where(&self, wanted: impl Fn(&Move) -> bool) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        self.for_each_candidate(|mv| {
            if wanted(&mv) && self.why_illegal(&mv, self.turn).is_none() {
                moves.push(mv);
            }
            false
        });
        moves
    }

    /// Whether the side that has the move has a legal one.
    pub fn has_legal_move(&self) -> bool {
        self.for_each_candidate(|mv| self.why_illegal(&mv, self.turn).is_none())
    }

    /// Whether the side that has the move may play this.
    pub fn is_legal(&self, mv: &Move) -> bool {
        self.why_illegal(mv, self.turn).is_none()
    }

    /// Why `by` may not play this; `None` if he may.
    pub fn why_illegal(&self, mv: &Move, by: Color) -> Option<Illegality> {
        self.judge(mv, by).err()
    }

    /// What a legal move does, or why it is none.
    pub(super) fn judge(&self, mv: &Move, by: Color) -> Result<Action, Illegality> {
        let piece = self.piece_at(mv.from).ok_or(Illegality::NoPiece { square: mv.from })?;
        if piece.color != by {
            return Err(Illegality::NotHisPiece { piece, square: mv.from });
        }
        if by != self.turn {
            return Err(Illegality::NotHisTurn { by });
        }
        if let Some(castling) = self.meant_castling(mv, by) {
            return self.judge_castling(mv, by, castling);
        }
        let action = self.judge_way(mv, piece)?;
        self.judge_promotion(mv, piece)?;
        self.judge_king(mv, piece, action)?;
        Ok(action)
    }

    /// The castling that a king's move can only mean: onto his own rook (Chess960), or more than one step along his rank to
    /// where castling would bring him. A single step is a step.
    pub(super) fn meant_castling(&self, mv: &Move, by: Color) -> Option<Castling> {
        let (from, to) = (shakmaty::Square::from(mv.from), shakmaty::Square::from(mv.to));
        let king = self.board.king_of(by.into()).filter(|&king| king == from)?;
        if self.variant == Variant::Chess960 && self.castling.contains(to) {
            return self.castling_with(by, to);
        }
        let mine = self.castling & self.board.by_color(by.into());
        let far = king.distance(to) > 1;
        mine.into_iter()
            .map(|rook| Castling::of(king, rook))
            .find(|castling| far && castling.king_to == to)
    }

    /// 3.8.2.
    fn judge_castling(&self, mv: &Move, by: Color, castling: Castling) -> Result<Action, Illegality> {
        if mv.promotion.is_some() {
            return Err(Illegality::NothingToPromote { square: mv.to });
        }
        if let Some(blocker) = (castling.must_be_empty() & self.board.occupied()).first() {
            return Err(Illegality::CastlingBlocked { square: blocker.into() });
        }
        let occupied = self.board.occupied().without(castling.king);
        for square in castling.kings_way() {
            if let Some(attacker) = self.board.attacks_to(square, by.other().into(), occupied).first() {
                let (square, attacker) = (Square::from(square), Square::from(attacker));
                return Err(if square == mv.from {
                    Illegality::CastlingOutOfCheck { attacker }
                } else if square == Square::from(castling.king_to) {
                    Illegality::CastlingIntoCheck { square, attacker }
                } else {
                    Illegality::CastlingThroughCheck { square, attacker }
                });
            }
        }
        // In Chess960 the rook itself may have covered the king from behind.
        let after = occupied
            .without(castling.rook)
            .with(castling.rook_to)
            .with(castling.king_to);
        if let Some(attacker) = self
            .board
            .attacks_to(castling.king_to, by.other().into(), after)
            .first()
        {
            return Err(Illegality::CastlingIntoCheck {
                square: castling.king_to.into(),
                attacker: attacker.into(),
            });
        }
        Ok(Action::Castle(castling))
    }

    /// Whether the piece goes there at all (3.2 to 3.8.1), and nothing is in its way.
    fn judge_way(&self, mv: &Move, piece: Piece) -> Result<Action, Illegality> {
        let (from, to) = (shakmaty::Square::from(mv.from), shakmaty::Square::from(mv.to));
        if let Some(taken) = self.piece_at(mv.to) {
            if taken.color == piece.color {
                return Err(Illegality::OwnPieceThere {
                    piece: taken,
                    square: mv.to,
                });
            }
            if taken.role == Role::King {
                return Err(Illegality::CapturesKing { square: mv.to });
            }
        }
        if piece.role == Role::Pawn {
            return self.judge_pawn(mv, piece);
        }
        if attacks::attacks(from, piece.into(), self.board.occupied()).contains(to) {
            return Ok(Action::Plain);
        }
        if attacks::attacks(from, piece.into(), Bitboard::EMPTY).contains(to) {
            let blocker = attacks::between(from, to) & self.board.occupied();
            return Err(self.blocked(piece, mv.to, blocker));
        }
        if piece.role == Role::King
            && from.rank() == to.rank()
            && from.rank() == shakmaty::Color::from(piece.color).backrank()
            && from.distance(to) == 2
        {
            return Err(Illegality::NoCastlingRight { to: mv.to });
        }
        Err(Illegality::DoesNotGoThere { piece, to: mv.to })
    }

    fn blocked(&self, piece: Piece, to: Square, blockers: Bitboard) -> Illegality {
        let by = blockers.first().map(Square::from);
        match by.and_then(|square| Some((square, self.piece_at(square)?))) {
            Some((square, by)) => Illegality::Blocked { piece, by, square },
            None => Illegality::DoesNotGoThere { piece, to },
        }
    }

    /// 3.7.
    fn judge_pawn(&self, mv: &Move, pawn: Piece) -> Result<Action, Illegality> {
        let (from, to) = (shakmaty::Square::from(mv.from), shakmaty::Square::from(mv.to));
        let color = shakmaty::Color::from(pawn.color);
        let no = Err(Illegality::DoesNotGoThere { piece: pawn, to: mv.to });
        if attacks::pawn_attacks(color, from).contains(to) {
            if self.board.occupied().contains(to) {
                return Ok(Action::Plain);
            }
            if self.en_passant == Some(mv.to) {
                return Ok(Action::EnPassant(shakmaty::Square::from_coords(to.file(), from.rank())));
            }
            return Err(Illegality::NothingToCapture { square: mv.to });
        }
        if from.file() != to.file() {
            return no;
        }
        let steps = (i32::from(mv.to.rank()) - i32::from(mv.from.rank())) * color.fold_wb(1, -1);
        if steps != 1 && !(steps == 2 && from.rank() == color.relative_rank(shakmaty::Rank::Second)) {
            return no;
        }
        let way = attacks::between(from, to).with(to) & self.board.occupied();
        if way.any() {
            Err(self.blocked(pawn, mv.to, way))
        } else {
            Ok(Action::Plain)
        }
    }

    /// 3.7.3.3 to 3.7.3.5, 7.5.2.
    fn judge_promotion(&self, mv: &Move, piece: Piece) -> Result<(), Illegality> {
        let must = piece.role == Role::Pawn && last_rank(piece.color).contains(mv.to.into());
        match mv.promotion {
            None if must => Err(Illegality::NotPromoted { square: mv.to }),
            Some(_) if !must => Err(Illegality::NothingToPromote { square: mv.to }),
            Some(role @ (Role::Pawn | Role::King)) => Err(Illegality::PromotedTo { role, square: mv.to }),
            _ => Ok(()),
        }
    }

    /// 3.9.2: no move may leave or place the own king in check.
    fn judge_king(&self, mv: &Move, piece: Piece, action: Action) -> Result<(), Illegality> {
        let (from, to) = (shakmaty::Square::from(mv.from), shakmaty::Square::from(mv.to));
        let Some(king) = self.board.king_of(piece.color.into()) else {
            return Ok(());
        };
        let enemy = shakmaty::Color::from(piece.color.other());
        let mut occupied = self.board.occupied().without(from).with(to);
        let mut gone = Bitboard::from_square(to);
        if let Action::EnPassant(pawn) = action {
            occupied.discard(pawn);
            gone.add(pawn);
        }
        let exposed = if king == from { to } else { king };
        let Some(attacker) = self
            .board
            .attacks_to(exposed, enemy, occupied)
            .without_squares(gone)
            .first()
        else {
            return Ok(());
        };
        let attacker = Square::from(attacker);
        let by = self.piece_at(attacker).unwrap_or(piece);
        let before = self.checkers(piece.color);
        Err(if king == from {
            Illegality::KingIntoCheck {
                to: mv.to,
                by,
                attacker,
            }
        } else if before.contains(attacker.into()) {
            Illegality::KingLeftInCheck {
                king: king.into(),
                by,
                attacker,
            }
        } else {
            Illegality::Pinned {
                piece,
                square: mv.from,
                by,
                attacker,
            }
        })
    }

    /// Pawns of the side to move that stand beside the pawn that passed over this square.
    pub(super) fn en_passant_capturers(&self, square: Square) -> Bitboard {
        attacks::pawn_attacks(self.turn.other().into(), square.into()) & self.pieces(self.turn, Role::Pawn)
    }

    /// Whether this en passant capture leaves the own king unattacked.
    pub(super) fn en_passant_leaves_king_safe(&self, from: shakmaty::Square, to: shakmaty::Square) -> bool {
        let pawn = shakmaty::Square::from_coords(to.file(), from.rank());
        let Some(king) = self.board.king_of(self.turn.into()) else {
            return true;
        };
        let occupied = self.board.occupied().without(from).without(pawn).with(to);
        self.board
            .attacks_to(king, self.turn.other().into(), occupied)
            .without(pawn)
            .is_empty()
    }

    /// Calls `take` with every move that may be legal, until it answers true; says whether it did.
    fn for_each_candidate(&self, mut take: impl FnMut(Move) -> bool) -> bool {
        let color = shakmaty::Color::from(self.turn);
        let mine = self.board.by_color(color);
        for from in mine {
            let Some(piece) = self.board.piece_at(from) else {
                continue;
            };
            let targets = match piece.role {
                shakmaty::Role::Pawn => {
                    let step = color.fold_wb(8, -8);
                    let steps = [from.offset(step), from.offset(2 * step)];
                    steps
                        .into_iter()
                        .flatten()
                        .fold(attacks::pawn_attacks(color, from), Bitboard::with)
                }
                _ => attacks::attacks(from, piece, self.board.occupied()) & !mine,
            };
            for to in targets {
                let mv = Move::new(from.into(), to.into());
                let promotes = piece.role == shakmaty::Role::Pawn && last_rank(self.turn).contains(to);
                let taken = if promotes {
                    [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
                        .into_iter()
                        .any(|role| take(mv.promoting(role)))
                } else {
                    take(mv)
                };
                if taken {
                    return true;
                }
            }
        }
        let Some(king) = self.board.king_of(color) else {
            return false;
        };
        (self.castling & mine).into_iter().any(|rook| {
            let to = match self.variant {
                Variant::Standard => Castling::of(king, rook).king_to,
                Variant::Chess960 => rook,
            };
            take(Move::new(king.into(), to.into()))
        })
    }
}

/// Squares of a set that are not in another.
trait WithoutSquares {
    fn without_squares(self, others: Bitboard) -> Bitboard;
}

impl WithoutSquares for Bitboard {
    fn without_squares(self, others: Bitboard) -> Bitboard {
        self & !others
    }
}
