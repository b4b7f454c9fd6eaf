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
    let capacity = (bound.0 as usize).min(8_192);
    let mut seen: HashSet<u128, BuildHasherDefault<AlreadyHashed>> =
        HashSet::with_capacity_and_hasher(capacity, BuildHasherDefault::default());
    seen.insert(key(&root));
    let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); SCORES];
    let mut nearest = 0;
    waiting[0].push(0);
    let mut nodes = Vec::with_capacity(capacity);
    nodes.push(Node {
        chess: root,
        parent: u32::MAX,
        by: None,
    });
    let mut forced = true;
    loop {
        let Some(bucket) = (nearest..SCORES).find(|&bucket| !waiting[bucket].is_empty()) else {
            return Outcome::None {
                positions: nodes.len() as u32,
                forced,
            };
        };
        nearest = bucket;
        let Some(index) = waiting[bucket].pop() else { continue };
        let moves = nodes[index as usize].chess.legal_moves();
        forced &= moves.len() <= 1;
        for mv in moves {
            let mut next = nodes[index as usize].chess.clone();
            next.play_unchecked(mv);
            if next.has_insufficient_material(winner) {
                // Hopeless material stays hopeless.
                continue;
            }
            if !seen.insert(key(&next)) {
                continue;
            }
            if next.turn() != winner && next.is_check() && next.legal_moves().is_empty() {
                return Outcome::Mate(line(&nodes, index, mv));
            }
            if nodes.len() >= bound.0 as usize {
                return Outcome::Bound;
            }
            let score = usize::from(score(&next, winner));
            waiting[score].push(nodes.len() as u32);
            nearest = nearest.min(score);
            nodes.push(Node {
                chess: next,
                parent: index,
                by: Some(mv),
            });
        }
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

/// What tells positions apart, hashed to 128 bits (two positions of a search sharing a key is out of the question): pieces, side to
/// move, castling rights, and en passant where a capture is legal.
fn key(chess: &Chess) -> u128 {
    let board = chess.board();
    let mut rights = chess.castles().castling_rights().0 ^ u64::from(chess.turn().is_white());
    if chess.maybe_ep_square().is_some() {
        rights ^= chess
            .legal_ep_square()
            .map_or(0, |square| (square.to_u32() as u64 + 1) << 16);
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
    let (mut a, mut b) = (0x9e37_79b9_7f4a_7c15_u64, 0xc2b2_ae3d_27d4_eb4f_u64);
    for word in words {
        a = fold(a ^ word, 0xa076_1d64_78bd_642f);
        b = fold(b.rotate_left(23) ^ word, 0xe703_7ed1_a0b4_28db);
    }
    u128::from(a) << 64 | u128::from(b)
}

/// Mixes by a full multiplication.
fn fold(word: u64, by: u64) -> u64 {
    let product = u128::from(word) * u128::from(by);
    (product as u64) ^ (product >> 64) as u64 ^ word.rotate_left(32)
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

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}
