//! Positions, moves as the Laws know them (Articles 1 to 3), what boards sense, and whether a side can still be mated.
//!
//! A pure floor: no I/O, no clock, no async, no randomness. Only this room knows the chess library.

mod identity;
pub mod mates;
mod moves;
mod pieces;
mod placement;
mod position;
pub mod sensing;
pub mod why;

pub use identity::Identity;
pub use moves::{Move, NoMove};
pub use pieces::{Color, NoPiece, NoSquare, Piece, Role, Square};
pub use placement::{BadPlacement, Occupancy, Picture, Placement};
pub use position::{BadFen, BadSan, Position, Variant};
pub use sensing::{Ply, Reading, Sensor};
pub use why::Illegality;
