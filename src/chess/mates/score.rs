//! How near a position looks to a mate that both sides want.

use shakmaty::{Bitboard, Chess, Color, Position as _, Rank, Square, attacks};

/// Scores are below this; smaller is nearer.
pub(super) const SCORES: usize = 256;

/// How far the position is from mate of `winner`'s opponent: by the flight squares of the king to be mated, how near the edge he
/// stands, how near the other king is, and what the winner still has to promote.
pub(super) fn score(chess: &Chess, winner: Color) -> u8 {
    let board = chess.board();
    let (Some(king), Some(own)) = (board.king_of(!winner), board.king_of(winner)) else {
        return u8::MAX;
    };
    let occupied = board.occupied().without(king);
    let zone = attacks::king_attacks(king) & !board.by_color(!winner);
    let flights = zone
        .into_iter()
        .filter(|&sq| board.attacks_to(sq, winner, occupied).is_empty())
        .count();
    let edge = |index: u32| index.min(7 - index);
    let (file, rank) = (edge(king.file().to_u32()), edge(king.rank().to_u32()));
    let home = 3 * file.min(rank) + file.max(rank);
    let near = king.distance(own).saturating_sub(2);
    let force = force(chess, winner);
    let total = 5 * flights + 3 * home as usize + 2 * near as usize + force as usize;
    total.min(SCORES - 1) as u8
}

/// What is missing for a mate in material: nothing with a heavy piece, else the way of a pawn to its last rank.
fn force(chess: &Chess, winner: Color) -> u32 {
    let board = chess.board();
    let mine = board.by_color(winner);
    if (mine & (board.queens() | board.rooks())).any() {
        return 0;
    }
    let pawns = mine & board.pawns();
    let pieces = (mine & (board.knights() | board.bishops())).count() as u32;
    let way = pawns
        .into_iter()
        .map(|pawn| way_to_promotion(pawn, winner, board.occupied()))
        .min();
    match (way, pieces) {
        (None, 0..=1) => 24,
        (None, _) => 8,
        (Some(way), 0) => 10 + way,
        (Some(way), _) => 6 + way,
    }
}

fn way_to_promotion(pawn: Square, color: Color, occupied: Bitboard) -> u32 {
    let steps = match color {
        Color::White => 7 - pawn.rank().to_u32(),
        Color::Black => pawn.rank().to_u32(),
    };
    let ahead = Square::from_coords(pawn.file(), color.relative_rank(Rank::Eighth));
    let blocked = ((attacks::between(pawn, ahead).with(ahead)) & occupied).count() as u32;
    4 * steps + 6 * blocked
}
