//! Walls: pieces that can never move nor be captured, and what they rule out for ever.
//!
//! An estimate from above: which squares each piece may ever reach, if the others are as helpful as they can be and pins and checks are
//! left aside. It starts with nobody having moved and adds what becomes possible until nothing more does; so every position that can
//! arise is within it. Where even that leaves no square on which the king could be mated, there is no mate.

use shakmaty::{Bitboard, Chess, Color, Position as _, Rank, Role, Square, attacks};

/// One piece of the position and where it may ever stand.
struct Man {
    home: Square,
    color: Color,
    role: Role,
    reach: Bitboard,
    /// Where it may stand once promoted.
    promoted: Bitboard,
    captured: bool,
}

impl Man {
    fn ever(&self) -> Bitboard {
        self.reach | self.promoted
    }

    /// It stands where it stands for ever, as far as is known yet.
    fn frozen(&self) -> bool {
        !self.captured && self.promoted.is_empty() && self.reach == Bitboard::from_square(self.home)
    }
}

struct Estimate {
    men: Vec<Man>,
    en_passant: Option<Square>,
}

/// The frozen pieces, if they leave `winner` no square on which the other king could be mated.
pub(super) fn no_mate_behind(chess: &Chess, winner: Color) -> Option<Vec<crate::chess::Square>> {
    let mut estimate = Estimate::of(chess);
    estimate.grow();
    if estimate.leaves_a_mate(winner) {
        return None;
    }
    Some(
        estimate
            .men
            .iter()
            .filter(|man| man.frozen())
            .map(|man| man.home.into())
            .collect(),
    )
}

impl Estimate {
    fn of(chess: &Chess) -> Estimate {
        let man = |(home, piece): (Square, shakmaty::Piece)| Man {
            home,
            color: piece.color,
            role: piece.role,
            reach: Bitboard::from_square(home),
            promoted: Bitboard::EMPTY,
            captured: false,
        };
        let mut men: Vec<Man> = chess.board().iter().map(man).collect();
        // Castling moves two pieces at once: allow both their squares from the start.
        for color in Color::ALL {
            for side in shakmaty::CastlingSide::ALL {
                if let (Some(rook), Some(king)) = (chess.castles().rook(color, side), chess.board().king_of(color)) {
                    for man in &mut men {
                        if man.home == king {
                            man.reach.add(side.king_to(color));
                        } else if man.home == rook {
                            man.reach.add(side.rook_to(color));
                        }
                    }
                }
            }
        }
        Estimate {
            men,
            en_passant: chess.legal_ep_square(),
        }
    }

    fn grow(&mut self) {
        loop {
            let frozen = self.frozen();
            let (mut by, mut guard) = ([Bitboard::EMPTY; 2], [Bitboard::EMPTY; 2]);
            for man in &self.men {
                let side = man.color as usize;
                if man.role != Role::King {
                    by[side] |= man.ever();
                }
                // What a frozen pawn attacks, no enemy king ever enters.
                if man.role == Role::Pawn && man.frozen() {
                    guard[side] |= attacks::pawn_attacks(man.color, man.home);
                }
            }
            let mut changed = false;
            let mut taken = [Bitboard::EMPTY; 2];
            for index in 0..self.men.len() {
                let (enemies, guarded) = {
                    let enemy = !self.men[index].color as usize;
                    (by[enemy], guard[enemy])
                };
                let grown = self.step(index, frozen, enemies, guarded);
                let man = &mut self.men[index];
                changed |= grown.reach != man.reach || grown.promoted != man.promoted;
                man.reach = grown.reach;
                man.promoted = grown.promoted;
                taken[!man.color as usize] |= grown.takes;
            }
            for man in &mut self.men {
                if man.role != Role::King && !man.captured && (man.ever() & taken[man.color as usize]).any() {
                    man.captured = true;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn frozen(&self) -> Bitboard {
        self.men.iter().filter(|man| man.frozen()).map(|man| man.home).collect()
    }

    /// One more move of a piece from anywhere it may stand.
    fn step(&self, index: usize, frozen: Bitboard, enemies: Bitboard, guarded: Bitboard) -> Grown {
        let man = &self.men[index];
        let others = frozen.without(man.home);
        // It may capture a frozen enemy, which is then frozen no more.
        let own: Bitboard = self
            .men
            .iter()
            .filter(|m| m.color == man.color && m.frozen())
            .map(|m| m.home)
            .collect();
        let mut grown = Grown {
            reach: man.reach,
            promoted: man.promoted,
            takes: Bitboard::EMPTY,
        };
        if man.role == Role::Pawn {
            for from in man.reach {
                self.pawn_step(man, from, others, enemies, &mut grown);
            }
            for from in man.promoted {
                let to = (attacks::queen_attacks(from, others) | attacks::knight_attacks(from)) & !own;
                grown.promoted |= to;
                grown.takes |= to & enemies;
            }
            return grown;
        }
        for from in man.reach {
            let mut to = attacks::attacks(from, man.role.of(man.color), others) & !own;
            if man.role == Role::King {
                to &= !guarded;
            }
            grown.reach |= to;
            grown.takes |= to & enemies;
        }
        grown
    }

    fn pawn_step(&self, man: &Man, from: Square, frozen: Bitboard, enemies: Bitboard, grown: &mut Grown) {
        let last = man.color.relative_rank(Rank::Eighth);
        let mut to = Bitboard::EMPTY;
        let ahead = |square: Square| {
            square
                .offset(man.color.fold_wb(8, -8))
                .filter(|&sq| !frozen.contains(sq))
        };
        if let Some(one) = ahead(from) {
            to.add(one);
            if from.rank() == man.color.relative_rank(Rank::Second)
                && let Some(two) = ahead(one)
            {
                to.add(two);
            }
        }
        let sides = attacks::pawn_attacks(man.color, from);
        let captures = sides & enemies;
        grown.takes |= captures;
        to |= captures;
        for square in sides {
            if let Some(pawn) = self.passing(man.color, from, square) {
                to.add(square);
                grown.takes.add(pawn);
            }
        }
        for square in to {
            if square.rank() == last {
                grown.promoted.add(square)
            } else {
                grown.reach.add(square)
            }
        }
    }

    /// The pawn that may be captured en passant on this square: it may still make its double step, or has just made it.
    fn passing(&self, color: Color, from: Square, to: Square) -> Option<Square> {
        let pawn = Square::from_coords(to.file(), from.rank());
        if from.rank() != color.relative_rank(Rank::Fifth) {
            return None;
        }
        let home = Square::from_coords(to.file(), color.relative_rank(Rank::Seventh));
        let waits =
            |man: &Man| man.color != color && man.role == Role::Pawn && man.home == home && man.reach.contains(pawn);
        (self.en_passant == Some(to) || self.men.iter().any(waits)).then_some(pawn)
    }

    /// Whether some square is left on which the king of `winner`'s opponent could be checked with every flight square attacked, or
    /// blocked by a piece of his own: each of them blocks one square, and the other king stands on one.
    fn leaves_a_mate(&self, winner: Color) -> bool {
        // Attacks go through the king that is to be mated: he does not cover his own flight.
        let through = self
            .men
            .iter()
            .filter(|man| man.color != winner && man.role == Role::King)
            .map(|man| man.home);
        let frozen = self.frozen() & !through.collect::<Bitboard>();
        let (mut attacked, mut flee, mut hunt) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
        let mut blockers: Vec<Bitboard> = Vec::with_capacity(15);
        for man in &self.men {
            match (man.color == winner, man.role) {
                (true, Role::King) => hunt = man.reach,
                (true, role) => {
                    let others = frozen.without(man.home);
                    for from in man.reach {
                        attacked |= attacks::attacks(from, role.of(man.color), others);
                    }
                    for from in man.promoted {
                        attacked |= attacks::queen_attacks(from, others) | attacks::knight_attacks(from);
                    }
                }
                (false, Role::King) => flee = man.reach,
                (false, _) => blockers.push(man.ever()),
            }
        }
        (flee & attacked).into_iter().any(|king| {
            let zone = attacks::king_attacks(king);
            let open = zone & !attacked;
            if blocked(open, &blockers) {
                return true;
            }
            let helping = hunt & !zone.with(king);
            helping.into_iter().any(|own| {
                let near = attacks::king_attacks(own) & open;
                near.any() && blocked(open & !near, &blockers)
            })
        })
    }
}

/// Whether every one of these squares can have a piece of its own on it at once.
fn blocked(squares: Bitboard, blockers: &[Bitboard]) -> bool {
    fn place(square: Square, blockers: &[Bitboard], on: &mut [Option<Square>], tried: &mut u32) -> bool {
        for (index, reach) in blockers.iter().enumerate() {
            if !reach.contains(square) || *tried & 1 << index != 0 {
                continue;
            }
            *tried |= 1 << index;
            let free = match on[index] {
                None => true,
                Some(other) => place(other, blockers, on, tried),
            };
            if free {
                on[index] = Some(square);
                return true;
            }
        }
        false
    }
    let mut on = [None; 64];
    squares.count() <= blockers.len()
        && squares
            .into_iter()
            .all(|square| place(square, blockers, &mut on, &mut 0))
}

struct Grown {
    reach: Bitboard,
    promoted: Bitboard,
    takes: Bitboard,
}
