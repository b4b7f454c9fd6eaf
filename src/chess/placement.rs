//! What stands where: as a board that tells pieces apart shows it, or one that only knows taken and empty squares.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Piece, Square};

/// What stands on each square; serialised as the first field of a FEN.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Placement([Option<Piece>; 64]);

impl Placement {
    /// Nothing anywhere.
    pub const EMPTY: Placement = Placement([None; 64]);

    /// What stands there.
    pub fn at(&self, square: Square) -> Option<Piece> {
        self.0[square.index()]
    }

    /// From now on this stands there.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.0[square.index()] = piece;
    }

    /// All pieces and where they stand.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.at(square)?)))
    }

    /// Which squares are taken.
    pub fn occupancy(&self) -> Occupancy {
        Occupancy(self.pieces().fold(0, |bits, (square, _)| bits | 1 << square.index()))
    }

    /// The squares on which the two differ.
    pub fn differences<'a>(&'a self, other: &'a Placement) -> impl Iterator<Item = Square> + 'a {
        Square::all().filter(|&square| self.at(square) != other.at(square))
    }

    /// The same pieces on a board turned by half a turn.
    #[must_use]
    pub fn turned(&self) -> Placement {
        let mut squares = self.0;
        squares.reverse();
        Placement(squares)
    }

    /// Whether the board seems to lie the wrong way round at the beginning of a game: most of White's pieces in the far half and of
    /// Black's in the near one.
    pub fn seems_turned(&self) -> bool {
        use super::Color::{Black, White};
        let far = |square: Square| square.rank() >= 4;
        let misplaced = |color, half| {
            self.pieces()
                .filter(|&(sq, pc)| pc.color == color && far(sq) == half)
                .count()
        };
        misplaced(White, true) > 10 && misplaced(Black, false) > 10
    }
}

/// Which squares are taken; bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Occupancy(pub u64);

impl Occupancy {
    /// Whether something stands there.
    pub fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 == 1
    }

    /// From now on something stands there, or nothing.
    pub fn set(&mut self, square: Square, taken: bool) {
        let bit = 1 << square.index();
        self.0 = if taken { self.0 | bit } else { self.0 & !bit };
    }

    /// The squares on which the two differ.
    pub fn differences(self, other: Occupancy) -> impl Iterator<Item = Square> {
        Square::all().filter(move |&square| self.contains(square) != other.contains(square))
    }

    /// The same on a board turned by half a turn.
    #[must_use]
    pub fn turned(self) -> Occupancy {
        Occupancy(self.0.reverse_bits())
    }
}

/// A whole picture of either kind, as devices report it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Picture {
    /// From a board that tells pieces apart.
    Pieces(Placement),
    /// From a board that knows only taken (`x`) and empty squares.
    Occupancy(Occupancy),
}

impl Picture {
    /// The same on a board turned by half a turn.
    #[must_use]
    pub fn turned(&self) -> Picture {
        match self {
            Picture::Pieces(placement) => Picture::Pieces(placement.turned()),
            Picture::Occupancy(occupancy) => Picture::Occupancy(occupancy.turned()),
        }
    }
}

/// What was given as the first field of a FEN and is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is no placement: {why}")]
pub struct BadPlacement {
    text: String,
    why: String,
}

/// Reads eight ranks from a8 to h1, telling `put` of each square that is not empty.
fn read(text: &str, mut put: impl FnMut(Square, char) -> Result<(), String>) -> Result<(), BadPlacement> {
    let bad = |why: String| BadPlacement {
        text: text.chars().take(80).collect(),
        why,
    };
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(bad(format!("it has {} ranks instead of 8", ranks.len())));
    }
    for (rank, row) in (0..8_u32).rev().zip(ranks) {
        let mut file = 0;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty,
                None => {
                    let square = Square::from_index(rank * 8 + file).filter(|_| file < 8);
                    let square = square.ok_or_else(|| bad(format!("rank {} has more than 8 squares", rank + 1)))?;
                    put(square, letter).map_err(bad)?;
                    file += 1;
                }
            }
        }
        if file != 8 {
            return Err(bad(format!("rank {} has {file} squares instead of 8", rank + 1)));
        }
    }
    Ok(())
}

/// Writes eight ranks from a8 to h1.
fn write(f: &mut fmt::Formatter<'_>, letter: impl Fn(Square) -> Option<char>) -> fmt::Result {
    for rank in (0..8_u32).rev() {
        let mut empty = 0;
        for square in (0..8).filter_map(|file| Square::from_index(rank * 8 + file)) {
            match letter(square) {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        write!(f, "{empty}")?;
                    }
                    empty = 0;
                    write!(f, "{letter}")?;
                }
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if rank > 0 {
            f.write_str("/")?;
        }
    }
    Ok(())
}

impl FromStr for Placement {
    type Err = BadPlacement;
    fn from_str(text: &str) -> Result<Placement, BadPlacement> {
        let mut placement = Placement::EMPTY;
        read(text, |square, letter| {
            placement.set(square, Some(Piece::try_from(letter).map_err(|no| no.to_string())?));
            Ok(())
        })?;
        Ok(placement)
    }
}

/// Pieces are read as taken squares too.
impl FromStr for Occupancy {
    type Err = BadPlacement;
    fn from_str(text: &str) -> Result<Occupancy, BadPlacement> {
        let mut occupancy = Occupancy::default();
        read(text, |square, letter| {
            if letter != 'x' && Piece::from_letter(letter).is_none() {
                return Err(format!("`{letter}` is neither `x` nor a piece"));
            }
            occupancy.set(square, true);
            Ok(())
        })?;
        Ok(occupancy)
    }
}

/// With `x` in it: an occupancy; without: pieces. (An empty board reads as pieces.)
impl FromStr for Picture {
    type Err = BadPlacement;
    fn from_str(text: &str) -> Result<Picture, BadPlacement> {
        if text.contains('x') {
            text.parse().map(Picture::Occupancy)
        } else {
            text.parse().map(Picture::Pieces)
        }
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, |square| self.at(square).map(Piece::letter))
    }
}

impl fmt::Display for Occupancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, |square| self.contains(square).then_some('x'))
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Picture::Pieces(placement) => placement.fmt(f),
            Picture::Occupancy(occupancy) => occupancy.fmt(f),
        }
    }
}

macro_rules! as_text {
    ($kind:ident) => {
        impl fmt::Debug for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl TryFrom<String> for $kind {
            type Error = BadPlacement;
            fn try_from(text: String) -> Result<$kind, BadPlacement> {
                text.parse()
            }
        }

        impl From<$kind> for String {
            fn from(value: $kind) -> String {
                value.to_string()
            }
        }
    };
}

as_text!(Placement);
as_text!(Occupancy);

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    #[test]
    fn a_placement_is_read_and_written_in_both_forms() {
        let start: Placement = START.parse().unwrap();
        assert_eq!(start.to_string(), START);
        let occupancy = start.occupancy();
        assert_eq!(occupancy.to_string(), "xxxxxxxx/xxxxxxxx/8/8/8/8/xxxxxxxx/xxxxxxxx");
        assert_eq!(occupancy.to_string().parse(), Ok(occupancy));
        assert_eq!(START.parse(), Ok(Picture::Pieces(start)));
        assert_eq!(
            "8/8/3x4/8/8/8/8/8".parse::<Picture>().unwrap().turned().to_string(),
            "8/8/8/8/8/4x3/8/8"
        );
    }

    #[test]
    fn a_turned_board_is_noticed_where_pieces_are_told_apart() {
        let start: Placement = START.parse().unwrap();
        assert!(!start.seems_turned());
        assert!(start.turned().seems_turned());
        assert_eq!(start.turned().turned(), start);
    }

    #[test]
    fn a_broken_placement_says_what_is_wrong() {
        let why = |text: &str| text.parse::<Placement>().unwrap_err().to_string();
        assert!(why("8/8/8").contains("3 ranks"));
        assert!(why("9/8/8/8/8/8/8/8").contains("rank 8 has 9 squares"));
        assert!(why("8/8/8/8/8/8/8/ppppppppp").contains("more than 8"));
        assert!(why("8/8/8/8/8/8/8/7z").contains("`z` is no piece"));
    }
}
