//! What comes out of an input: what was heard and what followed, as journalled. Folding these needs no Laws.

use serde::{Deserialize, Serialize};

use super::input::Input;
use super::item::{Kind, Ruled, Ruling};
use super::orders::Desk;
use super::state::Change;
use crate::chess::Color;
use crate::laws::{GameResult, Termination};
use crate::time::HallTime;

/// Something that happened to a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// An input, or the passing of time, and what followed.
    Taken {
        /// One step for the input, and one for each conclusion that came before or from it.
        steps: Vec<Step>,
        /// What is never taken back, where it changed: numbers and orders.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        desk: Option<Box<Desk>>,
        /// The number of the last step before it that could not change any more.
        #[serde(default)]
        settled: u64,
    },
    /// Late news: a fact that belongs before others, or that the board has been heard up to a moment at last, sent the game back, and
    /// these steps stand in place of those after `back_to`.
    Reconsidered {
        /// The fact, or what says how far has been heard; of several facts that were heard together the earliest.
        cause: Box<Input>,
        /// How many more were heard with it.
        #[serde(default)]
        with_it: u32,
        /// Half-moves of the record that were left alone; views say "replace from ply N".
        from_ply: usize,
        /// What had been concluded and is no more.
        withdrawn: Vec<Note>,
        /// What is concluded now and was not.
        found: Vec<Note>,
        /// The number of the last step that stays.
        back_to: u64,
        /// All steps after it, the fact's among them.
        steps: Vec<Step>,
        /// As above.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        desk: Option<Box<Desk>>,
        /// As above.
        #[serde(default)]
        settled: u64,
    },
}

/// One step of a game's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Counted along the game's present course.
    pub number: u64,
    /// The table time it belongs to.
    pub at: HallTime,
    /// What was heard; `None` for what the passing of time brought about.
    pub input: Option<Box<Input>>,
    /// The ruling that it carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruled: Option<Box<Ruled>>,
    /// Findings, rulings and endings, for people and for what reads the journal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// What became of the state.
    pub change: Change,
}

/// A finding, a ruling or an ending, with its article.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    /// A move was made.
    Moved {
        /// From 1.
        ply: usize,
        /// As the record writes it.
        san: String,
    },
    /// An item was opened: found, claimed or seen.
    Opened {
        /// Its number.
        item: u64,
        /// Its kind.
        kind: Kind,
        /// Whom it is about.
        of: Option<Color>,
        /// The Laws it rests on.
        articles: Vec<String>,
    },
    /// An item is no more: answered, joined to a ruling, or its time is over.
    Closed {
        /// Its number.
        item: u64,
        /// Its kind.
        kind: Kind,
    },
    /// A ruling was carried out.
    Ruled {
        /// On which item, where it was one.
        item: Option<u64>,
        /// What.
        ruling: Box<Ruling>,
        /// The same in a sentence, as it was proposed.
        #[serde(default)]
        words: String,
        /// The Laws it rests on.
        articles: Vec<String>,
        /// By whom.
        author: String,
        /// In the author's own words.
        reason: String,
    },
    /// The arbiter did something of his own.
    Acted {
        /// What, in one word.
        what: String,
        /// The Laws it rests on.
        articles: Vec<String>,
        /// By whom.
        author: String,
        /// In the author's own words.
        reason: String,
    },
    /// The game ended.
    Ended {
        /// With this result.
        result: GameResult,
        /// For this reason.
        termination: Termination,
        /// The article.
        article: String,
    },
}

impl Note {
    /// Something concluded, which a reconsideration may withdraw.
    pub(super) fn is_conclusion(&self) -> bool {
        matches!(self, Note::Opened { .. } | Note::Ended { .. })
    }
}
