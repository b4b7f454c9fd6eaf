//! Each table's newest state as JSON, written once however many screens ask for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use crate::game::audience::{ClockView, MoveView};
use crate::hall::{GameId, TableCard, TableNo};

/// A card, and how it is written.
type Written = (Arc<TableCard>, Arc<str>);
/// A card, the one after it, and how what is new in that is written.
type Change = (Arc<TableCard>, Written);

/// What has been written last of each table. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Cards {
    written: Arc<Mutex<HashMap<TableNo, Written>>>,
    changes: Arc<Mutex<HashMap<TableNo, Change>>>,
}

impl Cards {
    /// The card as JSON.
    pub(super) fn json(&self, card: &Arc<TableCard>) -> Arc<str> {
        // A whole entry is put in at once, so a poisoned lock guards nothing broken.
        if let Some((of, text)) = self
            .written
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&card.table)
            && Arc::ptr_eq(of, card)
        {
            return Arc::clone(text);
        }
        // Outside the lock: two watchers may do the same work once, but nobody waits for it.
        let text: Arc<str> = serde_json::to_string(&**card)
            .expect("a card has only names for keys")
            .into();
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.insert(card.table, (Arc::clone(card), Arc::clone(&text)));
        text
    }

    /// What changes from one card of a game to another, as JSON; `None` where that is not all in the game.
    pub(super) fn change(&self, before: &Arc<TableCard>, after: &Arc<TableCard>) -> Option<Arc<str>> {
        if let Some((from, (to, text))) = self
            .changes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&after.table)
            && Arc::ptr_eq(from, before)
            && Arc::ptr_eq(to, after)
        {
            return Some(Arc::clone(text));
        }
        let from_ply = before.replaced_from(after)?;
        let view = &after.view;
        let moves = Moves {
            table: after.table,
            game: after.game,
            from_ply,
            moves: view.moves.get(from_ply..).unwrap_or_default(),
            fen: &view.fen,
            clocks: &view.clocks,
            result: &view.result,
            started: view.started,
            paused: view.paused,
        };
        let text: Arc<str> = serde_json::to_string(&moves)
            .expect("a change has only names for keys")
            .into();
        let mut changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        let change = (Arc::clone(before), (Arc::clone(after), Arc::clone(&text)));
        changes.insert(after.table, change);
        Some(text)
    }
}

/// What is new in a game.
#[derive(Serialize)]
struct Moves<'a> {
    table: TableNo,
    game: Option<GameId>,
    /// The record is replaced from here, counted from 0.
    from_ply: usize,
    /// By these, which are all that follow.
    moves: &'a [MoveView],
    fen: &'a str,
    clocks: &'a ClockView,
    result: &'a str,
    started: bool,
    paused: bool,
}
