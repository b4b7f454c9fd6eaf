//! Positions, moves as the Laws know them (Articles 1 to 3), what boards sense, and whether a side can still be mated.
//!
//! A pure floor: no I/O, no clock, no async, no randomness. Only this room knows the chess library.

mod pieces;

pub use pieces::{Color, NoSquare, Role, Square};
