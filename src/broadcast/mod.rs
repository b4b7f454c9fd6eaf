//! What leaves the hall for the world: games as PGN, in the files of LiveChess, and pushed to Lichess.
//!
//! A writer here is given what may be told, by whoever knows the audience, and decides only how it is written.

pub mod delay;
pub mod lichess;
pub mod livechess;
pub mod pgn;
pub mod published;
pub mod score;
