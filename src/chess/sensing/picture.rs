//! What is seen on 64 squares, where some pieces may be told and others not.

use serde::{Deserialize, Serialize};

use super::{Change, Kind, Sensor};
use crate::chess::{Occupancy, Picture, Piece, Placement, Position, Square};

/// What a board sees on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Seen {
    /// Nothing.
    Empty,
    /// Something.
    Taken,
    /// This.
    Piece(Piece),
    /// What it shows there counts for nothing.
    Masked,
}

impl Seen {
    /// Whether it can be this.
    pub fn may_be(self, piece: Option<Piece>) -> bool {
        match (self, piece) {
            (Seen::Empty, None) | (Seen::Taken, Some(_)) => true,
            (Seen::Piece(seen), Some(piece)) => seen == piece,
            (Seen::Masked, _) => true,
            _ => false,
        }
    }
}

/// All that a board sees.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "Kept", from = "Kept")]
pub(super) struct Board([Seen; 64]);

/// A board as it is kept: the pieces that are told, all squares that are taken, and those that are masked, where there are any.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Kept {
    Masked(Placement, Occupancy, Occupancy),
    Whole(Placement, Occupancy),
}

impl From<Board> for Kept {
    fn from(board: Board) -> Kept {
        let mut masked = Occupancy::default();
        for square in Square::all().filter(|&square| board.at(square) == Seen::Masked) {
            masked.set(square, true);
        }
        if masked == Occupancy::default() {
            Kept::Whole(board.placement(), board.occupancy())
        } else {
            Kept::Masked(board.placement(), board.occupancy(), masked)
        }
    }
}

impl From<Kept> for Board {
    fn from(kept: Kept) -> Board {
        let (told, taken, masked) = match kept {
            Kept::Masked(told, taken, masked) => (told, taken, masked),
            Kept::Whole(told, taken) => (told, taken, Occupancy::default()),
        };
        let mut board = Board([Seen::Empty; 64]);
        for square in Square::all().filter(|&square| taken.contains(square)) {
            board.set(square, told.at(square).map_or(Seen::Taken, Seen::Piece));
        }
        for square in Square::all().filter(|&square| masked.contains(square)) {
            board.set(square, Seen::Masked);
        }
        board
    }
}

impl Board {
    pub fn of(position: &Position, kind: Kind) -> Board {
        let placement = position.placement();
        let mut board = Board([Seen::Empty; 64]);
        for (square, piece) in placement.pieces() {
            board.set(
                square,
                if kind == Kind::Pieces {
                    Seen::Piece(piece)
                } else {
                    Seen::Taken
                },
            );
        }
        board
    }

    pub fn at(&self, square: Square) -> Seen {
        self.0[square.index()]
    }

    pub fn set(&mut self, square: Square, seen: Seen) {
        self.0[square.index()] = seen;
    }

    pub fn shows(&self, position: &Position) -> bool {
        Square::all().all(|square| self.at(square).may_be(position.piece_at(square)))
    }

    /// Whether it differs from the position on more squares than this.
    pub fn differs_more(&self, position: &Position, than: usize) -> bool {
        Square::all()
            .filter(|&square| !self.at(square).may_be(position.piece_at(square)))
            .nth(than)
            .is_some()
    }

    pub fn differences(&self, position: &Position) -> Vec<Square> {
        Square::all()
            .filter(|&square| !self.at(square).may_be(position.piece_at(square)))
            .collect()
    }

    /// The picture before these changes, which are its latest.
    pub fn before(&self, changes: &[Change]) -> Board {
        let mut board = self.clone();
        for change in changes.iter().rev() {
            board.set(change.square, change.was);
        }
        board
    }

    fn placement(&self) -> Placement {
        let mut placement = Placement::EMPTY;
        for square in Square::all() {
            if let Seen::Piece(piece) = self.at(square) {
                placement.set(square, Some(piece));
            }
        }
        placement
    }

    fn occupancy(&self) -> Occupancy {
        let mut occupancy = Occupancy::default();
        for square in Square::all() {
            occupancy.set(square, !matches!(self.at(square), Seen::Empty | Seen::Masked));
        }
        occupancy
    }

    pub fn picture(&self, kind: Kind) -> Picture {
        match kind {
            Kind::Pieces => Picture::Pieces(self.placement()),
            Kind::Occupancy => Picture::Occupancy(self.occupancy()),
        }
    }
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Squares(u64);

impl Squares {
    pub fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 == 1
    }

    pub fn add(&mut self, square: Square) {
        self.0 |= 1 << square.index();
    }

    pub fn len(self) -> i32 {
        self.0.count_ones().cast_signed()
    }

    pub fn and(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }

    pub fn without(self, other: Squares) -> Squares {
        Squares(self.0 & !other.0)
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        let mut set = Squares::default();
        squares.into_iter().for_each(|square| set.add(square));
        set
    }
}

impl Sensor {
    /// Squares that changed and were not merely adjusted: lifted and put back with nothing else in the air (4.2.1).
    pub(super) fn meaningful(&self) -> Squares {
        meaningful(&self.changes)
    }
}

/// See [`Sensor::meaningful`].
pub(super) fn meaningful(changes: &[Change]) -> Squares {
    let mut kept: Vec<&Change> = Vec::with_capacity(changes.len());
    let mut in_the_air = 0;
    for change in changes {
        let back = kept.last().is_some_and(|last| {
            in_the_air == 1 && last.square == change.square && last.now == Seen::Empty && last.was == change.now
        });
        match change.now {
            Seen::Empty => in_the_air += 1,
            _ if change.was == Seen::Empty => in_the_air = (in_the_air - 1).max(0),
            _ => {}
        }
        if back {
            kept.pop();
        } else {
            kept.push(change);
        }
    }
    kept.iter().map(|change| change.square).collect()
}
