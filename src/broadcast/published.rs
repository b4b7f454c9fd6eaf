//! What the public may see of the hall, now: the one state that every public outlet reads, files, pushes and feeds alike.
//!
//! Whoever makes it holds back each board by its round's delay (or its own), moves, clocks and result together. So nothing that an
//! outlet could tell is younger than it may be, and two outlets never tell different things. It has positions of its own.
//!
//! **Times.** Hall times in here are the public's: whoever holds a board back adds the same span to all of that board's times
//! (when moves were made, as of when its clocks are), so that a reader who counts a running clock on from there sees what the hall
//! saw then. Differences of times, as the time spent on a move, stay what they were.

use std::sync::Arc;

use super::pgn::Score;
use crate::game::audience::ClockView;
use crate::hall::ids::{EventId, GameId, RoundNo, TableNo};
use crate::hall::model::RoundStatus;
use crate::laws::TimeControl;
use crate::time::HallTime;

/// All of it, at one moment. Made anew whenever anything in it changes; what has not changed is shared with the one before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Published {
    /// Its own position: one more than the one before. Never goes back, over a restart neither.
    pub position: u64,
    /// The hall's time now.
    pub as_of: HallTime,
    /// The same moment as milliseconds since 1970.
    pub unix_ms: i64,
    /// Rounds that are armed, called or over, by event and number.
    pub rounds: Vec<Arc<PublishedRound>>,
}

/// A round, as far as the public may know it.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedRound {
    /// Whose round.
    pub event: PublishedEvent,
    /// From 1.
    pub number: RoundNo,
    /// How far it is.
    pub status: RoundStatus,
    /// The round's time control; `None` where it cannot be read.
    pub control: Option<TimeControl>,
    /// Its games in the order of their files: by board, and who was paired later after all others. Once it is published a game keeps its
    /// place.
    pub boards: Vec<Arc<PublishedBoard>>,
}

/// The event of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedEvent {
    /// Its short name.
    pub id: EventId,
    /// Its name, as printed.
    pub name: String,
    /// Where it is played; may be empty.
    pub site: String,
    /// `2026-11-29`; may be empty.
    pub date: String,
}

/// One game, as far as the public may know it.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedBoard {
    /// The hall's table.
    pub table: TableNo,
    /// The board's number in the event: games are told apart by it, and it stays the same throughout the round.
    pub board: u32,
    /// The game.
    pub game: Option<GameId>,
    /// Players, moves, result. Its `frank` is never set: the public is not told what is legal (12.6).
    pub score: Score,
    /// How far it is.
    pub stage: Stage,
    /// The clocks; `None` before the game.
    pub clocks: Option<ClockView>,
    /// Placement and side to move, as the hall sees them.
    pub fen: String,
    /// Stopped by an arbiter or a player.
    pub paused: bool,
}

/// How far a game is, for the public.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Not begun: names only.
    #[default]
    Waiting,
    /// Being played.
    Live,
    /// Its result is known.
    Finished,
}

impl Published {
    /// Nothing yet.
    #[must_use]
    pub fn empty() -> Arc<Published> {
        Arc::default()
    }

    /// This round.
    pub fn round(&self, event: &EventId, number: RoundNo) -> Option<&Arc<PublishedRound>> {
        self.rounds
            .iter()
            .find(|round| round.event.id == *event && round.number == number)
    }

    /// The rounds of an event, by number.
    pub fn rounds_of<'a>(&'a self, event: &'a EventId) -> impl Iterator<Item = &'a Arc<PublishedRound>> {
        self.rounds.iter().filter(move |round| round.event.id == *event)
    }

    /// Each event once, in order.
    pub fn events(&self) -> Vec<&PublishedEvent> {
        let mut events: Vec<&PublishedEvent> = Vec::new();
        for round in &self.rounds {
            if !events.iter().any(|event| event.id == round.event.id) {
                events.push(&round.event);
            }
        }
        events
    }
}

impl PublishedRound {
    /// Whether any of its games is being played.
    pub fn is_live(&self) -> bool {
        self.boards.iter().any(|board| board.stage == Stage::Live)
    }

    /// Its games by board, for people.
    pub fn by_board(&self) -> Vec<&Arc<PublishedBoard>> {
        let mut boards: Vec<_> = self.boards.iter().collect();
        boards.sort_by_key(|board| board.board);
        boards
    }

    /// The game at this board.
    pub fn board(&self, board: u32) -> Option<&Arc<PublishedBoard>> {
        self.boards.iter().find(|one| one.board == board)
    }
}

impl Stage {
    /// What a game's view says: begun, and with or without a result.
    pub fn of(started: bool, result: &str) -> Stage {
        match (result, started) {
            ("*" | "", true) => Stage::Live,
            ("*" | "", false) => Stage::Waiting,
            _ => Stage::Finished,
        }
    }
}
