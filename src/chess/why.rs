//! Why a move is illegal, as data that an arbiter's page can translate and point at.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Color, Piece, Role, Square};

/// What the Laws have against a move (3.10.2, 7.5). The English sentence is what `Display` writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Illegality {
    /// Nothing stands where the move begins.
    NoPiece {
        /// The empty square.
        square: Square,
    },
    /// The opponent's piece was moved.
    NotHisPiece {
        /// The piece.
        piece: Piece,
        /// Where it stood.
        square: Square,
    },
    /// The other side has the move (1.3): the wrong side moved, or one side twice in a row.
    NotHisTurn {
        /// Who moved.
        by: Color,
    },
    /// A piece cannot move to a square taken by one of its own colour (3.1).
    OwnPieceThere {
        /// What stands there.
        piece: Piece,
        /// Where.
        square: Square,
    },
    /// Capturing the king is not allowed (1.4.1).
    CapturesKing {
        /// Where the king stood.
        square: Square,
    },
    /// Such a piece does not move like that (3.2 to 3.8).
    DoesNotGoThere {
        /// The piece.
        piece: Piece,
        /// Where it was put.
        to: Square,
    },
    /// A piece stands in the way (3.5).
    Blocked {
        /// The piece that moved.
        piece: Piece,
        /// What stands in its way.
        by: Piece,
        /// Where.
        square: Square,
    },
    /// A pawn moved diagonally and took nothing (3.7.3), or en passant is not, or no longer, possible (3.7.3.2).
    NothingToCapture {
        /// The square it went to.
        square: Square,
    },
    /// The pawn was not exchanged on its last rank (7.5.2).
    NotPromoted {
        /// Where the pawn stands.
        square: Square,
    },
    /// A piece was exchanged that is no pawn on its last rank.
    NothingToPromote {
        /// Where.
        square: Square,
    },
    /// A pawn may become a queen, rook, bishop or knight (3.7.3.3).
    PromotedTo {
        /// What it became.
        role: Role,
        /// Where.
        square: Square,
    },
    /// The king went to an attacked square (3.9.2).
    KingIntoCheck {
        /// The square.
        to: Square,
        /// What attacks it.
        by: Piece,
        /// From where.
        attacker: Square,
    },
    /// The king was in check and still is (3.9.2).
    KingLeftInCheck {
        /// Where the king stands.
        king: Square,
        /// What gives check.
        by: Piece,
        /// From where.
        attacker: Square,
    },
    /// The piece had to stay: without it the king is in check (3.9.2).
    Pinned {
        /// The piece that moved.
        piece: Piece,
        /// Where it stood.
        square: Square,
        /// What gives check now.
        by: Piece,
        /// From where.
        attacker: Square,
    },
    /// King or rook has moved before (3.8.2.1), or there is no rook.
    NoCastlingRight {
        /// Where the king went.
        to: Square,
    },
    /// A piece stands between king and rook (3.8.2.2).
    CastlingBlocked {
        /// Where.
        square: Square,
    },
    /// The king stands in check (3.8.2.2).
    CastlingOutOfCheck {
        /// From where.
        attacker: Square,
    },
    /// A square that the king crosses is attacked (3.8.2.2).
    CastlingThroughCheck {
        /// The square.
        square: Square,
        /// From where it is attacked.
        attacker: Square,
    },
    /// The king moved two squares as in castling, and the rook stayed (4.4, 4.7.2): unfinished, the arbiter finds out.
    RookNotMoved {
        /// Where the rook still stands.
        rook: Square,
    },
    /// The pawn captured en passant was not taken off (3.7.3.1).
    CapturedPawnStays {
        /// Where it still stands.
        square: Square,
    },
    /// An enemy piece was taken off that the move does not capture (3.1).
    TookOff {
        /// The piece.
        piece: Piece,
        /// Where it stood.
        square: Square,
    },
    /// The square to which the king goes is attacked (3.8.2.2).
    CastlingIntoCheck {
        /// The square.
        square: Square,
        /// From where it is attacked.
        attacker: Square,
    },
}

impl Illegality {
    /// The article it offends against.
    pub fn article(&self) -> &'static str {
        match self {
            Illegality::NoPiece { .. } | Illegality::NotHisPiece { .. } => "3.1",
            Illegality::NotHisTurn { .. } => "1.3",
            Illegality::OwnPieceThere { .. } => "3.1.1",
            Illegality::CapturesKing { .. } => "1.4.1",
            Illegality::DoesNotGoThere { piece, .. } => match piece.role {
                Role::Bishop => "3.2",
                Role::Rook => "3.3",
                Role::Queen => "3.4",
                Role::Knight => "3.6",
                Role::Pawn => "3.7",
                Role::King => "3.8.1",
            },
            Illegality::Blocked { piece, .. } if piece.role == Role::Pawn => "3.7.1",
            Illegality::Blocked { .. } => "3.5",
            Illegality::NothingToCapture { .. } => "3.7.3",
            Illegality::NotPromoted { .. } => "7.5.2",
            Illegality::NothingToPromote { .. } | Illegality::PromotedTo { .. } => "3.7.3.3",
            Illegality::KingIntoCheck { .. } | Illegality::KingLeftInCheck { .. } | Illegality::Pinned { .. } => {
                "3.9.2"
            }
            Illegality::NoCastlingRight { .. } => "3.8.2.1",
            Illegality::RookNotMoved { .. } => "3.8.2",
            Illegality::CapturedPawnStays { .. } => "3.7.3.1",
            Illegality::TookOff { .. } => "3.1",
            Illegality::CastlingBlocked { .. }
            | Illegality::CastlingOutOfCheck { .. }
            | Illegality::CastlingThroughCheck { .. }
            | Illegality::CastlingIntoCheck { .. } => "3.8.2.2",
        }
    }
}

/// A piece as an arbiter writes it before its square: `B`, nothing for a pawn.
fn sign(piece: Piece) -> String {
    match piece.role {
        Role::Pawn => "the pawn on ".to_owned(),
        role => role.letter().to_ascii_uppercase().to_string(),
    }
}

impl fmt::Display for Illegality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Illegality::NoPiece { square } => write!(f, "nothing stood on {square}"),
            Illegality::NotHisPiece { piece, square } => {
                write!(f, "the {} on {square} is {}'s", piece.role.name(), piece.color)
            }
            Illegality::NotHisTurn { by } => write!(f, "{by} moved, and {} has the move", by.other()),
            Illegality::OwnPieceThere { piece, square } => {
                write!(f, "the own {} stands on {square}", piece.role.name())
            }
            Illegality::CapturesKing { square } => write!(f, "the king on {square} may not be captured"),
            Illegality::DoesNotGoThere { piece, to } => {
                write!(f, "a {} does not go to {to} from there", piece.role.name())
            }
            Illegality::Blocked { piece, by, square } => {
                write!(
                    f,
                    "the {} is blocked by the {} on {square}",
                    piece.role.name(),
                    by.role.name()
                )
            }
            Illegality::NothingToCapture { square } => write!(f, "the pawn has nothing to capture on {square}"),
            Illegality::NotPromoted { square } => write!(f, "the pawn on {square} was not exchanged for a piece"),
            Illegality::NothingToPromote { square } => write!(f, "what went to {square} could not be exchanged"),
            Illegality::PromotedTo { role, square } => {
                write!(f, "the pawn on {square} cannot become a {}", role.name())
            }
            Illegality::KingIntoCheck { to, by, attacker } => {
                write!(f, "the king goes into check on {to} from {}{attacker}", sign(by))
            }
            Illegality::KingLeftInCheck { king, by, attacker } => {
                write!(f, "the king on {king} stays in check from {}{attacker}", sign(by))
            }
            Illegality::Pinned {
                piece,
                square,
                by,
                attacker,
            } => {
                write!(
                    f,
                    "the {} on {square} is pinned by {}{attacker}",
                    piece.role.name(),
                    sign(by)
                )
            }
            Illegality::NoCastlingRight { to } => {
                write!(
                    f,
                    "no castling to {to}: king or rook has moved before, or the rook is not there"
                )
            }
            Illegality::RookNotMoved { rook } => {
                write!(f, "the king moved as in castling, and the rook still stands on {rook}")
            }
            Illegality::CapturedPawnStays { square } => {
                write!(f, "the pawn captured en passant still stands on {square}")
            }
            Illegality::TookOff { piece, square } => {
                write!(
                    f,
                    "the {} on {square} was taken off and is not captured by the move",
                    piece.role.name()
                )
            }
            Illegality::CastlingBlocked { square } => write!(f, "castling over the piece on {square}"),
            Illegality::CastlingOutOfCheck { attacker } => write!(f, "castling out of check from {attacker}"),
            Illegality::CastlingThroughCheck { square, attacker } => {
                write!(f, "castling through {square}, which is attacked from {attacker}")
            }
            Illegality::CastlingIntoCheck { square, attacker } => {
                write!(f, "castling into check on {square} from {attacker}")
            }
        }
    }
}
