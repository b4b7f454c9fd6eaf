//! A game as arbiters see it, to be written.

use crate::broadcast::pgn::Score;
use crate::broadcast::score::bare;
use crate::game::audience::{ArbiterView, RuledView};
use crate::game::item::Ruling;
use crate::hall::model::{ChessEvent, Pairing, Seat};

/// Whether an arbiter has ruled that a game begun with colours reversed goes on so (7.3).
pub fn is_reversed(view: &ArbiterView) -> bool {
    view.rulings.iter().any(|ruling| {
        ruling.articles.iter().any(|article| article == "7.3")
            && matches!(ruling.ruled.as_deref(), Some(RuledView::Ruling(Ruling::Nothing)))
    })
}

/// Why a result may still change; `None` where it stands, or there is none.
pub fn provisional(view: &ArbiterView) -> Option<String> {
    match view.items.len() {
        _ if view.result == "*" => None,
        _ if view.is_appealed() => Some("an appeal is open".to_owned()),
        0 => None,
        1 => Some(format!("an item is open ({})", view.items[0].kind)),
        more => Some(format!("{more} items are open ({}, …)", view.items[0].kind)),
    }
}

/// A game as arbiters see it. `seat` is absent before the round is armed.
pub fn of_record(
    event: &ChessEvent,
    round: u32,
    pairing: &Pairing,
    seat: Option<&Seat>,
    view: Option<&ArbiterView>,
) -> Score {
    let reversed = view.is_some_and(is_reversed);
    let (white, black) = if reversed {
        (&pairing.black, &pairing.white)
    } else {
        (&pairing.white, &pairing.black)
    };
    Score {
        round,
        board: pairing.board,
        white: white.clone(),
        black: black.clone(),
        result: view.map_or_else(|| "*".to_owned(), |view| view.result.clone()),
        termination: view.and_then(|view| view.ended),
        provisional: view.and_then(provisional),
        moves: view.map(|view| view.moves.clone()).unwrap_or_default(),
        starts: view.map(|view| view.starts.clone()).unwrap_or_default(),
        started: view.and_then(|view| view.started),
        frank: true,
        ..bare(event, pairing, seat)
    }
}
