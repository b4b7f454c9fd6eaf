//! A search that visits every position once, the most promising first.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use shakmaty::{Chess, Color, Move, Position as _};

use super::Bound;
use super::score::{SCORES, score};

/// How a search ended.
pub(super) enum Outcome {
    /// With these moves it is mate.
    Mate(Vec<Move>),
    /// No position is left, and none was mate.
    None {
        /// How many there were.
        positions: u32,
        /// No side ever had a choice.
        forced: bool,
    },
    /// More positions than the bound allows.
    Bound,
}

struct Node {
    chess: Chess,
    parent: u32,
    by: Option<Move>,
}

/// Searches all series of legal moves from here.
pub(super) fn search(root: Chess, winner: Color, bound: Bound) -> Outcome {
    let bound = bound.0 as usize;
    let capacity = bound.min(8_192);
    let mut seen: HashSet<u64, BuildHasherDefault<AlreadyHashed>> =
        HashSet::with_capacity_and_hasher(capacity, BuildHasherDefault::default());
    let mut waiting = Waiting::new();
    let mut nodes = Vec::with_capacity(capacity);
    seen.insert(key(&root));
    waiting.push(0, 0);
    nodes.push(Node {
        chess: root,
        parent: u32::MAX,
        by: None,
    });
    let mut forced = true;
    while let Some(index) = waiting.pop() {
        let moves = nodes[index as usize].chess.legal_moves();
        forced &= moves.len() <= 1;
        for &mv in &moves {
            let mut next = nodes[index as usize].chess.clone();
            next.play_unchecked(mv);
            if !seen.insert(key(&next)) {
                continue;
            }
            let changed = mv.is_capture() || mv.is_promotion();
            if changed && next.has_insufficient_material(winner) {
                // Hopeless material stays hopeless.
                continue;
            }
            if next.turn() != winner && next.is_check() && next.legal_moves().is_empty() {
                return Outcome::Mate(line(&nodes, index, mv));
            }
            if nodes.len() >= bound {
                return Outcome::Bound;
            }
            waiting.push(score(&next, winner), nodes.len() as u32);
            nodes.push(Node {
                chess: next,
                parent: index,
                by: Some(mv),
            });
        }
    }
    Outcome::None {
        positions: nodes.len() as u32,
        forced,
    }
}

/// Positions that wait to be looked at, by score; of one score the latest first.
struct Waiting {
    by_score: Vec<Vec<u32>>,
    nearest: usize,
}

impl Waiting {
    fn new() -> Waiting {
        Waiting {
            by_score: vec![Vec::new(); SCORES],
            nearest: SCORES,
        }
    }

    fn push(&mut self, score: u16, index: u32) {
        let score = usize::from(score).min(SCORES - 1);
        self.by_score[score].push(index);
        self.nearest = self.nearest.min(score);
    }

    fn pop(&mut self) -> Option<u32> {
        while let Some(waiting) = self.by_score.get_mut(self.nearest) {
            if let Some(index) = waiting.pop() {
                return Some(index);
            }
            self.nearest += 1;
        }
        None
    }
}

/// The moves from the root to this node, and then `last`.
fn line(nodes: &[Node], mut index: u32, last: Move) -> Vec<Move> {
    let mut line = vec![last];
    while let Some(node) = nodes.get(index as usize) {
        line.extend(node.by);
        index = node.parent;
    }
    line.reverse();
    line
}

const MIX: u64 = 0xa076_1d64_78bd_642f;

/// What tells positions apart, mixed to 64 bits: pieces, side to move, castling rights, and en passant where a capture is legal. (Two
/// of a million positions share a key once in ten million searches.)
fn key(chess: &Chess) -> u64 {
    let board = chess.board();
    let mut rights = chess.castles().castling_rights().0 ^ u64::from(chess.turn().is_white()) << 32;
    if chess.maybe_ep_square().is_some() {
        rights ^= chess
            .legal_ep_square()
            .map_or(0, |square| u64::from(square.to_u32() + 1) << 40);
    }
    let words = [
        board.pawns().0,
        board.knights().0,
        board.bishops().0,
        board.rooks().0,
        board.queens().0,
        board.kings().0,
        board.white().0,
        rights,
    ];
    words.into_iter().fold(0x9e37_79b9_7f4a_7c15, |key, word| {
        let product = u128::from(key ^ word) * u128::from(MIX);
        (product as u64) ^ (product >> 64) as u64 ^ key.rotate_left(29)
    })
}

/// Keys are hashes already.
#[derive(Default)]
struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
