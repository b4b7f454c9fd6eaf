//! What arbiters read, in their language: items explained, rulings told, the announcement before round one.
//!
//! The games and the registry give data; the sentences stand in `lang/`, a folder for each language, in Project Fluent's form, and
//! are part of the binary. Nothing here decides anything, and nothing here is for the hall or the public (12.6).
//!
//! Text from outside (names, an arbiter's own words) goes into a sentence only through [`lexicon::Words::foreign`], which takes out what
//! steers a terminal or the direction of writing and sets it apart.

pub mod announcement;
mod clocks;
mod dates;
mod item;
pub mod journal;
pub mod lexicon;
mod names;
pub mod record;
mod ruled;
pub mod sheet;
#[cfg(test)]
mod tests;
mod why;

pub use crate::config::Language;
pub use announcement::{Announcement, Boards, NoAnnouncement};
pub use item::{Explanation, explain, kind_name};
pub use names::termination;
pub use ruled::ruled;
