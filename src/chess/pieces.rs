//! Colours, kinds of pieces and squares, as every room names them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// White or Black. Never a side of the clock: that is left or right, and the device's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Color {
    /// The player of the light pieces.
    White,
    /// The player of the dark pieces.
    Black,
}

impl Color {
    /// White, then Black.
    pub const BOTH: [Color; 2] = [Color::White, Color::Black];

    /// The opponent.
    #[must_use]
    pub fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// `white` or `black`.
    pub fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }
}

/// `White` or `Black`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "White",
            Color::Black => "Black",
        })
    }
}

impl From<shakmaty::Color> for Color {
    fn from(color: shakmaty::Color) -> Color {
        color.fold_wb(Color::White, Color::Black)
    }
}

impl From<Color> for shakmaty::Color {
    fn from(color: Color) -> shakmaty::Color {
        shakmaty::Color::from_white(color == Color::White)
    }
}

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A pawn.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king.
    King,
}

impl Role {
    /// What arbiters call it.
    pub fn name(self) -> &'static str {
        match self {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
        }
    }

    /// The lower-case letter of FEN.
    pub fn letter(self) -> char {
        shakmaty::Role::from(self).char()
    }

    /// From a letter of FEN, in either case.
    pub fn from_letter(letter: char) -> Option<Role> {
        shakmaty::Role::from_char(letter).map(Role::from)
    }
}

impl From<shakmaty::Role> for Role {
    fn from(role: shakmaty::Role) -> Role {
        match role {
            shakmaty::Role::Pawn => Role::Pawn,
            shakmaty::Role::Knight => Role::Knight,
            shakmaty::Role::Bishop => Role::Bishop,
            shakmaty::Role::Rook => Role::Rook,
            shakmaty::Role::Queen => Role::Queen,
            shakmaty::Role::King => Role::King,
        }
    }
}

impl From<Role> for shakmaty::Role {
    fn from(role: Role) -> shakmaty::Role {
        match role {
            Role::Pawn => shakmaty::Role::Pawn,
            Role::Knight => shakmaty::Role::Knight,
            Role::Bishop => shakmaty::Role::Bishop,
            Role::Rook => shakmaty::Role::Rook,
            Role::Queen => shakmaty::Role::Queen,
            Role::King => shakmaty::Role::King,
        }
    }
}

/// A piece: its kind and colour; serialised as its letter in FEN (`N`, `q`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "char", into = "char")]
pub struct Piece {
    /// Whose.
    pub color: Color,
    /// Which kind.
    pub role: Role,
}

impl Piece {
    /// The letter of FEN: upper case for White.
    pub fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter().to_ascii_uppercase(),
            Color::Black => self.role.letter(),
        }
    }

    /// From the letter of FEN.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let role = Role::from_letter(letter)?;
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        Some(Piece { color, role })
    }
}

/// The letter of FEN.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl From<(Color, Role)> for Piece {
    fn from((color, role): (Color, Role)) -> Piece {
        Piece { color, role }
    }
}

impl From<Piece> for char {
    fn from(piece: Piece) -> char {
        piece.letter()
    }
}

impl TryFrom<char> for Piece {
    type Error = NoPiece;
    fn try_from(letter: char) -> Result<Piece, NoPiece> {
        Piece::from_letter(letter).ok_or(NoPiece(letter))
    }
}

/// What was given as the letter of a piece and is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no piece: write one of PNBRQK for White, pnbrqk for Black")]
pub struct NoPiece(char);

impl From<shakmaty::Piece> for Piece {
    fn from(piece: shakmaty::Piece) -> Piece {
        Piece {
            color: piece.color.into(),
            role: piece.role.into(),
        }
    }
}

impl From<Piece> for shakmaty::Piece {
    fn from(piece: Piece) -> shakmaty::Piece {
        shakmaty::Piece {
            color: piece.color.into(),
            role: piece.role.into(),
        }
    }
}

/// A square of the table's own board, a1 to h8; serialised as its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Square(u8);

impl Square {
    /// From 0 (a1), b1, … to 63 (h8).
    pub fn from_index(index: u32) -> Option<Square> {
        (index < 64).then_some(Square(index as u8))
    }

    /// 0 (a1) to 63 (h8).
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// 0 for the a-file to 7 for the h-file.
    pub fn file(self) -> u8 {
        self.0 % 8
    }

    /// 0 for the first rank to 7 for the eighth.
    pub fn rank(self) -> u8 {
        self.0 / 8
    }

    /// Whether it is a light square (h1 is, a1 is not).
    pub fn is_light(self) -> bool {
        (self.file() + self.rank()) % 2 == 1
    }

    /// All squares, from a1, b1, … to h8.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..64).map(Square)
    }

    /// The same square on a board turned by half a turn.
    #[must_use]
    pub fn turned(self) -> Square {
        Square(63 - self.0)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What was given as the name of a square and is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no square: write a1 to h8")]
pub struct NoSquare(String);

impl FromStr for Square {
    type Err = NoSquare;
    fn from_str(name: &str) -> Result<Square, NoSquare> {
        match name.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square((rank - b'1') * 8 + (file - b'a'))),
            _ => Err(NoSquare(name.to_owned())),
        }
    }
}

impl TryFrom<String> for Square {
    type Error = NoSquare;
    fn try_from(name: String) -> Result<Square, NoSquare> {
        name.parse()
    }
}

impl From<Square> for String {
    fn from(square: Square) -> String {
        square.to_string()
    }
}

impl From<shakmaty::Square> for Square {
    fn from(square: shakmaty::Square) -> Square {
        Square(u8::from(square))
    }
}

impl From<Square> for shakmaty::Square {
    fn from(square: Square) -> shakmaty::Square {
        shakmaty::Square::new(u32::from(square.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_read_and_written_by_its_name_and_turns_with_the_board() {
        for index in 0..64 {
            let square = Square::from_index(index).expect("below 64");
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.turned().turned(), square);
            assert_eq!(Square::from(shakmaty::Square::from(square)), square);
        }
        assert_eq!("e2".parse::<Square>().unwrap().turned(), "d7".parse().unwrap());
        assert!("e9".parse::<Square>().is_err());
    }
}
