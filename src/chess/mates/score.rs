//! How near a position looks to a mate that both sides want.
//!
//! Only the order of the search rests on this, never a verdict. The weights were found by trial over some two thousand positions. The
//! plan behind them: with a heavy piece, take everything and drive the king into a corner; without one, promote; with minor pieces alone,
//! mate in a corner where the opponent's own men block their king.

use shakmaty::{Bitboard, Board, Chess, Color, Position as _, Rank, Role, Square, attacks};

/// Scores are below this; smaller is nearer.
pub(super) const SCORES: usize = 1024;

/// For each flight square of the king that is to be mated.
const FLIGHT: i32 = 3;
/// For each step of his from the corner.
const CORNER: i32 = 12;
/// For each step between the kings.
const KINGS: i32 = 6;
/// For each man of his, where a heavy piece is there to take them.
const MAN: i32 = 16;
/// The same where only pawns, or a pair of minor pieces, are there.
const MAN_BEFORE_PROMOTION: i32 = 5;
const MAN_AGAINST_MINORS: i32 = 2;
/// For each step of a pawn before its last rank, and each piece in its way.
const PAWN_STEP: i32 = 6;
const PAWN_BLOCKED: i32 = 9;
/// What it costs to have no heavy piece, and not even a pawn.
const NO_HEAVY_PIECE: i32 = 110;
const MINORS_ONLY: i32 = 160;
/// So much less does the king's place matter before the promotion.
const BEFORE_PROMOTION: i32 = 4;
/// For each step between the king and the man that is to block him in, and what a pawn is worse at it than a piece.
const HELPER: i32 = 2;
const PAWN_AS_HELPER: i32 = 7;
/// What it costs to wait for a pawn of his that becomes such a man.
const HELPER_TO_COME: i32 = 203;

/// How far the position is from a mate by `winner`.
pub(super) fn score(chess: &Chess, winner: Color) -> u16 {
    let board = chess.board();
    let (Some(king), Some(own)) = (board.king_of(!winner), board.king_of(winner)) else {
        return SCORES as u16 - 1;
    };
    let view = View {
        board,
        winner,
        king,
        own,
        mine: board.by_color(winner),
        theirs: board.by_color(!winner).without(king),
    };
    view.score().clamp(0, SCORES as i32 - 1) as u16
}

struct View<'a> {
    board: &'a Board,
    winner: Color,
    /// To be mated.
    king: Square,
    own: Square,
    mine: Bitboard,
    /// Without their king.
    theirs: Bitboard,
}

impl View<'_> {
    fn score(&self) -> i32 {
        let hunt = FLIGHT * self.flights() + CORNER * self.corner_distance() + KINGS * self.between_kings();
        let men = self.theirs.count() as i32;
        let heavy = self.mine & (self.board.queens() | self.board.rooks());
        if heavy.any() {
            return hunt + MAN * men + self.nearest(heavy);
        }
        let pawns = self.mine & self.board.pawns();
        let minors = self.by_minors(hunt, men);
        let Some(way) = pawns.into_iter().map(|pawn| self.way(pawn)).min() else {
            return minors + MINORS_ONLY;
        };
        let promote = hunt / BEFORE_PROMOTION + NO_HEAVY_PIECE + way + MAN_BEFORE_PROMOTION * men;
        promote.min(minors + MINORS_ONLY)
    }

    fn flights(&self) -> i32 {
        let occupied = self.board.occupied().without(self.king);
        let zone = attacks::king_attacks(self.king) & !self.theirs;
        zone.into_iter()
            .filter(|&square| self.board.attacks_to(square, self.winner, occupied).is_empty())
            .count() as i32
    }

    fn corner_distance(&self) -> i32 {
        let edge = |index: u32| index.min(7 - index) as i32;
        let (file, rank) = (edge(self.king.file().to_u32()), edge(self.king.rank().to_u32()));
        3 * file.min(rank) + file.max(rank)
    }

    fn between_kings(&self) -> i32 {
        self.king.distance(self.own).saturating_sub(2) as i32
    }

    fn nearest(&self, pieces: Bitboard) -> i32 {
        pieces
            .into_iter()
            .map(|square| square.distance(self.king) as i32)
            .min()
            .unwrap_or(0)
    }

    /// Mate by minor pieces, with the opponent's men in the way of their king where one piece alone cannot do it.
    fn by_minors(&self, hunt: i32, men: i32) -> i32 {
        let minors = self.mine & (self.board.knights() | self.board.bishops());
        if minors.is_empty() {
            return SCORES as i32;
        }
        let bishops = self.mine & self.board.bishops();
        let dark = (bishops & Bitboard::DARK_SQUARES).any();
        let one_colour = minors == bishops && !(dark && (bishops & Bitboard::LIGHT_SQUARES).any());
        let near = hunt + self.nearest(minors);
        if !one_colour && minors.count() > 1 {
            return near + MAN_AGAINST_MINORS * men;
        }
        let colour = if dark {
            Bitboard::DARK_SQUARES
        } else {
            Bitboard::LIGHT_SQUARES
        };
        // A bishop mates in a corner of its colour, over men that are neither rooks nor bishops like it.
        let (useless, corner) = if one_colour {
            let steps =
                |corner: Square| corner.file().distance(self.king.file()) + corner.rank().distance(self.king.rank());
            let corner = (Bitboard::CORNERS & colour).into_iter().map(steps).min().unwrap_or(0) as i32;
            (
                self.board.rooks() | (self.board.bishops() & colour),
                CORNER * (corner - self.corner_distance()),
            )
        } else {
            (Bitboard::EMPTY, 0)
        };
        let helpers = self.theirs & !self.board.queens() & !useless;
        let pieces = helpers & !self.board.pawns();
        if pieces.any() {
            return near + corner + HELPER * self.nearest(pieces) + MAN_AGAINST_MINORS * (men - 2).max(0);
        }
        let steps = helpers
            .into_iter()
            .map(|pawn| steps_left(pawn, !self.winner))
            .min()
            .unwrap_or(0);
        let by_pawn = near + corner + HELPER * self.nearest(helpers) + PAWN_AS_HELPER;
        by_pawn.min(hunt / PAWN_AS_HELPER + HELPER_TO_COME + PAWN_STEP * steps)
    }

    /// A pawn's way to its last rank.
    fn way(&self, pawn: Square) -> i32 {
        let last = Square::from_coords(pawn.file(), self.winner.relative_rank(Rank::Eighth));
        let in_the_way = attacks::between(pawn, last).with(last) & self.board.occupied();
        let pawns = in_the_way & self.board.by_piece(Role::Pawn.of(!self.winner));
        let walk = pawns
            .into_iter()
            .map(|square| square.distance(self.own) as i32)
            .min()
            .unwrap_or(0);
        PAWN_STEP * steps_left(pawn, self.winner) + PAWN_BLOCKED * in_the_way.count() as i32 + walk
    }
}

fn steps_left(pawn: Square, color: Color) -> i32 {
    let rank = pawn.rank().to_u32();
    color.fold_wb(7 - rank, rank) as i32
}
