//! What an import changes of a round that the hall has already.

use super::check;
use super::import::is_same_game;
use crate::hall::model::Pairing;

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A game that was not there.
    Added(Pairing),
    /// A game that is there no more.
    Removed(Pairing),
    /// The same game at another table, or with another board number.
    Moved {
        /// As it was.
        before: Pairing,
        /// As it is now.
        after: Pairing,
    },
    /// The same two with the other colours.
    ColoursTurned {
        /// As it was.
        before: Pairing,
        /// As it is now.
        after: Pairing,
    },
    /// A player is written otherwise.
    Renamed {
        /// As it was.
        before: Pairing,
        /// As it is now.
        after: Pairing,
    },
}

/// What is different; nothing where the round is the same.
pub fn changes(before: &[Pairing], after: &[Pairing]) -> Vec<Change> {
    let mut changes = Vec::new();
    for new in after {
        if let Some(old) = before.iter().find(|old| is_same_game(old, new)) {
            if (old.table, old.board) != (new.table, new.board) {
                changes.push(Change::Moved {
                    before: old.clone(),
                    after: new.clone(),
                });
            }
            if (&old.white, &old.black) != (&new.white, &new.black) {
                changes.push(Change::Renamed {
                    before: old.clone(),
                    after: new.clone(),
                });
            }
        } else if let Some(old) = before.iter().find(|old| is_turned(old, new)) {
            changes.push(Change::ColoursTurned {
                before: old.clone(),
                after: new.clone(),
            });
        } else {
            changes.push(Change::Added(new.clone()));
        }
    }
    let gone = before
        .iter()
        .filter(|old| !after.iter().any(|new| is_same_game(old, new) || is_turned(old, new)));
    changes.extend(gone.cloned().map(Change::Removed));
    changes
}

fn is_turned(one: &Pairing, other: &Pairing) -> bool {
    check::is_same(&one.white, &other.black) && check::is_same(&one.black, &other.white)
}
