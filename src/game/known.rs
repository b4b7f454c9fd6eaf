//! Who can still mate in a position (5.1.2, 5.2.2, 6.9, 7.5.5), searched for once. A game asks at every move, at every look at an open
//! flag, and again whenever late news send it back; the answer is always the same, so that remembering it changes nothing but the time
//! it takes.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::chess::{Color, Identity, Position, Variant, mates};

/// What is remembered at most, by each thread.
const MOST: usize = 4096;

/// Whether a side can mate, and whether only its material says so.
type Answer = (bool, bool);

thread_local! {
    static KNOWN: RefCell<HashMap<(Identity, Variant, Color), Answer>> = RefCell::default();
}

/// Whether this side can mate by any series of legal moves, and whether it could not be decided, so that its material speaks.
pub(super) fn can_mate(position: &Position, winner: Color) -> Answer {
    let key = (position.identity(), position.variant(), winner);
    KNOWN.with_borrow_mut(|known| {
        if let Some(answer) = known.get(&key) {
            return *answer;
        }
        let answer = match mates::can_mate(position, winner, mates::Bound::GAME) {
            mates::Verdict::CanMate { .. } => (true, false),
            mates::Verdict::CannotMate { .. } => (false, false),
            mates::Verdict::Undecided { by_material } => (by_material, true),
        };
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, answer);
        answer
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_of_the_position_and_the_side_that_was_asked_about() {
        let read = |fen: &str| Position::from_fen(fen, Variant::Standard).expect("a position");
        let (rook, bare) = (
            read("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
            read("4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        );
        for _ in 0..2 {
            assert_eq!(can_mate(&rook, Color::White), (true, false));
            assert_eq!(can_mate(&rook, Color::Black), (false, false));
            assert_eq!(can_mate(&bare, Color::White), (false, false));
        }
    }
}
