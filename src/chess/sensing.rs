//! What boards sense, and which moves that shows.
//!
//! A board tells lifts, puts and whole pictures; the clock's press tells when to read them. A [`Sensor`] keeps the picture and how it
//! came about since the position of record; [`Sensor::reading`] says which moves explain it. Nothing is guessed: what no move
//! explains "disagrees". No time in here: when a picture has stood long enough is the game's to say.

mod picture;
mod read;
mod single;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use self::picture::Board;
pub(crate) use self::picture::Seen;
use super::{Color, Illegality, Move, Picture, Piece, Position, Square};

/// What a board can tell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It tells pieces apart.
    Pieces,
    /// It knows only taken and empty squares.
    Occupancy,
}

/// What a picture, and how it came about, says at a press or while it stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Reading {
    /// The board is as the position of record: nothing was moved, or all was put back.
    NoChange,
    /// One move or more, the side that has the move first, then in turn: more than one where a move was answered before its press, or
    /// never pressed.
    Moves {
        /// In the order in which they were made; never empty.
        plies: Vec<Ply>,
        /// What the opponent of the last mover already has in his hand, or is shifting about.
        in_hand: Vec<Square>,
    },
    /// Both kings stand in the middle: the sign for a result (interop 4.4), never a move. `Some` names the winner.
    KingsInCentre {
        /// White for two light squares, Black for two dark ones, `None` (a draw) for one of each.
        winner: Option<Color>,
    },
    /// No move explains the picture.
    Disagrees {
        /// Where it differs from the position of record.
        squares: Vec<Square>,
    },
}

/// One half-move that a reading found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ply {
    /// Who moved.
    pub by: Color,
    /// What; a legal move as [`Position::legal_moves`] lists it.
    pub mv: Move,
    /// What stands on the board after it, whatever the Laws say.
    pub after: Position,
    /// Why it is illegal; `None` for a legal move. [`Illegality::NotPromoted`] is a pawn left on its last rank (7.5.2).
    pub illegal: Option<Illegality>,
    /// A promotion whose piece the board cannot see: a queen is assumed.
    pub promotion_unconfirmed: bool,
}

/// A board's picture and its changes since the position of record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sensor {
    kind: Kind,
    board: Board,
    changes: Vec<Change>,
    /// How many messages have changed something; squares changed by one message have no order.
    batches: u32,
}

/// One square's change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Change {
    batch: u32,
    square: Square,
    was: Seen,
    now: Seen,
}

/// So many changes are remembered: far more than a move takes, however clumsy.
const REMEMBERED: usize = 192;

impl Sensor {
    /// A board that shows this position.
    pub fn new(kind: Kind, position: &Position) -> Sensor {
        Sensor {
            kind,
            board: Board::of(position, kind),
            changes: Vec::new(),
            batches: 0,
        }
    }

    /// The same, where what it shows on these squares counts for nothing: one of its sensors is broken.
    pub fn masked(kind: Kind, position: &Position, masked: &[Square]) -> Sensor {
        let mut sensor = Sensor::new(kind, position);
        for &square in masked {
            sensor.board.set(square, Seen::Masked);
        }
        sensor
    }

    /// What the board can tell.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// A square became empty.
    pub fn lift(&mut self, square: Square) {
        self.batches += 1;
        self.change(square, Seen::Empty);
    }

    /// Something was put on a square; `None` is a piece that the board could not tell.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.batches += 1;
        self.change(square, self.seen(piece));
    }

    /// A whole picture.
    pub fn place(&mut self, picture: &Picture) {
        self.batches += 1;
        for square in Square::all() {
            let now = match picture {
                Picture::Pieces(placement) => placement.at(square).map_or(Seen::Empty, |piece| self.seen(Some(piece))),
                Picture::Occupancy(taken) if taken.contains(square) => match self.board.at(square) {
                    Seen::Empty => Seen::Taken,
                    same => same,
                },
                Picture::Occupancy(_) => Seen::Empty,
            };
            if now != self.board.at(square) {
                self.change(square, now);
            }
        }
    }

    fn seen(&self, piece: Option<Piece>) -> Seen {
        match piece {
            Some(piece) if self.kind == Kind::Pieces => Seen::Piece(piece),
            _ => Seen::Taken,
        }
    }

    fn change(&mut self, square: Square, now: Seen) {
        let was = self.board.at(square);
        if was == Seen::Masked || was == Seen::Empty && now == Seen::Empty {
            return;
        }
        self.board.set(square, now);
        if self.changes.len() == REMEMBERED {
            self.changes.drain(..REMEMBERED / 2);
        }
        self.changes.push(Change {
            batch: self.batches,
            square,
            was,
            now,
        });
    }

    /// What the board shows, as devices report it.
    pub fn picture(&self) -> Picture {
        self.board.picture(self.kind)
    }

    /// Whether the board shows this position, as far as it can tell.
    pub fn agrees_with(&self, position: &Position) -> bool {
        self.board.shows(position)
    }

    /// Where the board does not show this position.
    pub fn differences(&self, position: &Position) -> Vec<Square> {
        self.board.differences(position)
    }

    /// This is the position of record now: what led to it is forgotten. What has happened on the board since it showed this position
    /// (the opponent has begun his reply) stays.
    pub fn settle(&mut self, position: &Position) {
        let mut board = self.board.clone();
        for index in (0..=self.changes.len()).rev() {
            if board.shows(position) {
                self.changes.drain(..index);
                return;
            }
            if let Some(change) = index.checked_sub(1).map(|before| self.changes[before]) {
                board.set(change.square, change.was);
            }
        }
    }

    /// Pieces of `position` that were lifted since and are not (any more) where they stood, in the order in which they were first
    /// lifted: a lift is a touch unless the piece is put back on the same square (4.2, 4.3).
    pub fn touched(&self, position: &Position) -> Vec<(Square, Piece)> {
        let mut touched: Vec<(Square, Piece)> = Vec::new();
        for change in &self.changes {
            let Some(piece) = position.piece_at(change.square) else {
                continue;
            };
            let back = self.board.at(change.square).may_be(Some(piece)) && !self.replaced(change.square);
            if !back && touched.iter().all(|(square, _)| *square != change.square) {
                touched.push((change.square, piece));
            }
        }
        touched
    }

    /// Whether the last changes came in one message, which has no order.
    pub fn came_at_once(&self) -> bool {
        matches!(self.changes.as_slice(), [.., one, other] if one.batch == other.batch)
    }

    /// Whether anything stands there.
    pub fn is_taken(&self, square: Square) -> bool {
        self.board.at(square) != Seen::Empty
    }

    /// Whether something was put down on `to` after the piece of `from` had been lifted. A board that tells pieces apart shows it by what
    /// stands there.
    pub fn was_put_down(&self, from: Square, to: Square) -> bool {
        let lifted = |change: &Change| change.square == from && change.now == Seen::Empty;
        let put = |change: &&Change| change.square == to && change.now != Seen::Empty;
        let lifted = self.changes.iter().position(lifted).unwrap_or(0);
        self.kind == Kind::Pieces || self.changes[lifted..].iter().any(|change| put(&change))
    }

    /// On a board that does not tell pieces apart: something was put on this square while more than its own piece was in the air.
    fn replaced(&self, square: Square) -> bool {
        self.board.at(square) == Seen::Taken && self.meaningful().contains(square)
    }
}
