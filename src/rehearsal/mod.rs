//! Rehearsed situations: case files, the player that plays them through the same [`crate::game::Game`] that runs the hall, and the
//! judge. The form is described in `tests/cases/README.md`.

mod case;
mod judge;
mod player;
mod raw;

pub use case::{Action, Case, Faulty, Step};
pub use judge::{Expectation, Mismatch};
pub use player::{Failure, play, play_watched};
