//! One piece gone from one square to another: a move, legal or not.

use super::picture::{Seen, meaningful};
use super::read::Glimpse;
use super::{Color, Illegality, Move, Piece, Ply, Position, Square};
use crate::chess::Role;

/// A half-move of `by`, with what stands after it and what the Laws have against it.
pub(super) fn ply(position: &Position, mv: Move, by: Color) -> Ply {
    Ply {
        by,
        mv,
        after: position.play_unchecked(&mv, by),
        illegal: position.why_illegal(&mv, by),
        promotion_unconfirmed: false,
    }
}

/// How the squares differ from the position, from the view of one side.
#[derive(Default)]
struct Difference {
    /// Own pieces that are gone.
    gone: Vec<Square>,
    /// Own pieces that have come, and what they are where that is told.
    come: Vec<(Square, Option<Piece>)>,
    /// Enemy pieces that are off, nothing in their place.
    off: Vec<Square>,
}

/// The move of `by` that the picture shows, though no legal move explains it: one piece of his gone from one square to another, at most
/// one enemy piece off; or king and rook as in castling.
pub(super) fn moved(glimpse: &Glimpse<'_>, position: &Position, by: Color) -> Option<Ply> {
    let mut difference = differ(glimpse, position, by)?;
    if let (&[_, _], [_, _], &[]) = (
        difference.gone.as_slice(),
        difference.come.as_slice(),
        difference.off.as_slice(),
    ) {
        return castled(position, by, &difference);
    }
    if difference.come.is_empty() {
        difference.come.push((captured_unseen(glimpse, position, by)?, None));
    }
    let (&[from], &[(to, piece)]) = (difference.gone.as_slice(), difference.come.as_slice()) else {
        return None;
    };
    let captures = position.piece_at(to).is_some();
    if difference.off.len() + usize::from(captures) > 1 {
        return None;
    }
    let mover = position.piece_at(from)?;
    let mv = Move {
        from,
        to,
        promotion: became(mover, piece, to)?,
    };
    Some(one_piece(position, by, mv, difference.off.first().copied()))
}

/// What a piece has become on its way: nothing, or from a pawn on its last rank a piece. `None`: another piece stands there.
fn became(mover: Piece, arrived: Option<Piece>, to: Square) -> Option<Option<Role>> {
    let last = to.rank() == if mover.color == Color::White { 7 } else { 0 };
    match arrived {
        // Not told: a pawn on its last rank is taken for a queen.
        None => Some((mover.role == Role::Pawn && last).then_some(Role::Queen)),
        Some(piece) if piece == mover => Some(None),
        Some(Piece { role, .. }) if mover.role == Role::Pawn && last && role != Role::King => Some(Some(role)),
        Some(_) => None,
    }
}

fn one_piece(position: &Position, by: Color, mv: Move, off: Option<Square>) -> Ply {
    let lawful = position.why_illegal(&mv, by);
    let alone = position.play_alone(&mv, by);
    let off = off.and_then(|square| Some((square, position.piece_at(square)?)));
    let after = off.map_or_else(|| alone.clone(), |(square, _)| alone.with_piece(square, None));
    let illegal = lawful.or_else(
        || match (position.castling_squares(&mv), position.captured_by(&mv), off) {
            (Some([_, (rook, _)]), ..) => Some(Illegality::RookNotMoved { rook }),
            (_, Some(square), None) if square != mv.to => Some(Illegality::CapturedPawnStays { square }),
            (_, _, Some((square, piece))) => Some(Illegality::TookOff { piece, square }),
            _ => None,
        },
    );
    let unseen = mv.promotion.is_some() && illegal.is_none();
    Ply {
        by,
        mv,
        after,
        illegal,
        promotion_unconfirmed: unseen,
    }
}

/// King and rook moved as in castling, which was not legal.
fn castled(position: &Position, by: Color, difference: &Difference) -> Option<Ply> {
    let king = position.king_of(by).filter(|king| difference.gone.contains(king))?;
    let rook = difference.gone.iter().copied().find(|&square| square != king)?;
    let (after, [king_to, rook_to]) = position.castle_whatever(by, rook)?;
    let fits = |square: Square, role: Role| {
        difference
            .come
            .iter()
            .any(|&(to, seen)| to == square && seen.is_none_or(|piece| piece.role == role))
    };
    if !fits(king_to, Role::King) || !fits(rook_to, Role::Rook) {
        return None;
    }
    let mv = Move::new(king, king_to);
    let illegal = position
        .why_illegal(&mv, by)
        .unwrap_or(Illegality::NoCastlingRight { to: king_to });
    Some(Ply {
        by,
        mv,
        after,
        illegal: Some(illegal),
        promotion_unconfirmed: false,
    })
}

fn differ(glimpse: &Glimpse<'_>, position: &Position, by: Color) -> Option<Difference> {
    let mut difference = Difference::default();
    for square in glimpse.board.differences(position) {
        let before = position.piece_at(square);
        let own = before.is_some_and(|piece| piece.color == by);
        match glimpse.board.at(square) {
            Seen::Empty if own => difference.gone.push(square),
            Seen::Empty => difference.off.push(square),
            Seen::Masked => {}
            Seen::Taken => difference.come.push((square, None)),
            Seen::Piece(piece) if !own && piece.color == by => difference.come.push((square, Some(piece))),
            // An own piece in place of another, an enemy piece where none was.
            Seen::Piece(_) => return None,
        }
    }
    Some(difference)
}

/// On a board that sees only taken squares: the one enemy square that was in the air and is taken again.
fn captured_unseen(glimpse: &Glimpse<'_>, position: &Position, by: Color) -> Option<Square> {
    let touched = meaningful(glimpse.changes);
    let mut squares = Square::all().filter(|&square| {
        touched.contains(square)
            && glimpse.board.at(square) == Seen::Taken
            && position.piece_at(square).is_some_and(|piece| piece.color != by)
    });
    squares.next().filter(|_| squares.next().is_none())
}
