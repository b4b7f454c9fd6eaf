//! A move as a board or a person tells it: from where, to where, and what a pawn became.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Role, Square};

/// From-square, to-square and, on promotion, the piece; legal or not. Serialised as `e2e4`, `e7e8q`.
///
/// Castling is the king's move (`e1g1`); in Chess960 the king "takes" his own rook (`f1g1`), because the king's own
/// squares do not always tell castling from a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Move {
    /// Where the piece stood.
    pub from: Square,
    /// Where it was put.
    pub to: Square,
    /// What stands there instead of the pawn.
    pub promotion: Option<Role>,
}

impl Move {
    /// A move without promotion.
    pub fn new(from: Square, to: Square) -> Move {
        Move {
            from,
            to,
            promotion: None,
        }
    }

    /// The same move with a pawn exchanged for `role`.
    #[must_use]
    pub fn promoting(self, role: Role) -> Move {
        Move {
            promotion: Some(role),
            ..self
        }
    }

    /// How an illegal move that stands is written in the record: `e1-e3`, `b7-b8=Q`.
    pub fn from_to(&self) -> String {
        match self.promotion {
            None => format!("{}-{}", self.from, self.to),
            Some(role) => format!("{}-{}={}", self.from, self.to, role.letter().to_ascii_uppercase()),
        }
    }
}

/// `e2e4`, `e7e8q`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.letter()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What was given as a move and is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "`{0}` is no move: write the from-square, the to-square and, on promotion, the piece (q, r, b, n), as in e2e4 or e7e8q"
)]
pub struct NoMove(String);

impl FromStr for Move {
    type Err = NoMove;
    fn from_str(text: &str) -> Result<Move, NoMove> {
        let bad = || NoMove(text.to_owned());
        let square = |range| text.get(range).and_then(|name: &str| name.parse().ok()).ok_or_else(bad);
        let (from, to): (Square, Square) = (square(0..2)?, square(2..4)?);
        let promotion = match &text.as_bytes()[4..] {
            [] => None,
            [letter @ (b'q' | b'r' | b'b' | b'n')] => Role::from_letter(char::from(*letter)),
            _ => return Err(bad()),
        };
        if from == to {
            Err(bad())
        } else {
            Ok(Move { from, to, promotion })
        }
    }
}

impl TryFrom<String> for Move {
    type Error = NoMove;
    fn try_from(text: String) -> Result<Move, NoMove> {
        text.parse()
    }
}

impl From<Move> for String {
    fn from(mv: Move) -> String {
        mv.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_read_and_written_from_to_and_what_is_none_is_refused() {
        for text in ["e2e4", "e7e8q", "a2a1n"] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
        for text in ["", "e2", "e2e", "e2e9", "e7e8k", "e7e8qq", "e2e2", "éé11"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
        assert_eq!("e1e3".parse::<Move>().unwrap().from_to(), "e1-e3");
    }
}
