//! The state: values folded from the journal, kept in sled so that a start is quick.
//!
//! It is only ever a copy of what the journal says. Whatever looks wrong with it is moved aside, and the hall folds the journal
//! again. sled stands behind the types of this file alone, and is used so that its known weaknesses cost time and not games:
//! one thread flushes and syncs its file; it never opens the only copy of a database; what it holds is compared with a manifest.

mod database;
mod manifest;
mod writer;

pub use database::{StateReader, StateValue};
pub(super) use database::{forget, known, move_aside, note_copy, open};
pub(super) use manifest::Manifest;
pub(super) use writer::StateThread;
pub use writer::StateWriter;

/// One kind of value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Tree {
    /// Games, by table or game id.
    Games,
    /// Events, rounds, people, devices, settings.
    Hall,
    /// Calls and their answers.
    Requests,
    /// How far the reports of each device are durable.
    Sessions,
    /// Single values.
    Meta,
}

impl Tree {
    /// All of them.
    pub const ALL: [Tree; 5] = [Tree::Games, Tree::Hall, Tree::Requests, Tree::Sessions, Tree::Meta];

    fn name(self) -> &'static str {
        match self {
            Tree::Games => "games",
            Tree::Hall => "hall",
            Tree::Requests => "requests",
            Tree::Sessions => "sessions",
            Tree::Meta => "meta",
        }
    }
}
