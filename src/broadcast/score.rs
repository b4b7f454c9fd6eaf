//! A game as it is written, from what each audience sees of it.

use super::pgn::Score;
use crate::game::audience::{ArbiterView, RuledView};
use crate::game::item::Ruling;
use crate::hall::model::{ChessEvent, Pairing, Seat, TableCard};

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

/// A game as the hall sees it, or the public later: no more than the card says.
pub fn of_card(event: &ChessEvent, pairing: &Pairing, seat: Option<&Seat>, card: &TableCard) -> Score {
    Score {
        round: card.round.0,
        board: card.board,
        white: card.white.clone(),
        black: card.black.clone(),
        result: card.view.result.clone(),
        moves: card.view.moves.clone(),
        ..bare(event, pairing, seat)
    }
}

/// What is fixed before the game.
fn bare(event: &ChessEvent, pairing: &Pairing, seat: Option<&Seat>) -> Score {
    Score {
        event: event.name.clone(),
        site: event.site.clone(),
        date: event.date.clone(),
        control: seat.map(|seat| seat.setup.time_control.clone()),
        variant: pairing.variant,
        fen: seat
            .and_then(|seat| seat.setup.fen.clone())
            .or_else(|| pairing.fen.clone()),
        game_id: seat.map(|seat| seat.game.to_string()),
        ..Score::default()
    }
}
