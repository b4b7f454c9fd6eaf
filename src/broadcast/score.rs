//! A game as it is written: what is fixed before it, and what the hall sees of it. What only arbiters see is added where they are served.

use super::pgn::Score;
use crate::hall::model::{ChessEvent, Pairing, Seat, TableCard};

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
pub fn bare(event: &ChessEvent, pairing: &Pairing, seat: Option<&Seat>) -> Score {
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
