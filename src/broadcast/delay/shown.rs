//! What is shown of one game.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::Shift;
use super::line::Line;
use crate::broadcast::pgn::Score;
use crate::broadcast::published::{PublishedBoard, Stage};
use crate::broadcast::score;
use crate::game::audience::HallView;
use crate::hall::model::{Registry, RoundStatus, Seat, TableCard};
use crate::hall::record::KeptGame;
use crate::laws::Termination;
use crate::time::HallTime;

/// A game as the public sees it.
pub(super) struct Shown {
    /// For screens and feeds.
    pub card: TableCard,
    /// For files and pushes.
    pub board: Arc<PublishedBoard>,
    /// Who was paired with White has Black (7.3).
    is_reversed: bool,
}

impl Shown {
    /// `None` where the game cannot be shown; what was shown before stays.
    pub fn of<T>(
        seat: &Seat,
        game: &KeptGame,
        line: &Line<T>,
        shift: Shift,
        now: HallTime,
        registry: &Registry,
    ) -> Option<Shown> {
        let at = line.at().min(now);
        let mut view = view(game, at)?;
        if line.is_frozen() && view.clocks.running.is_some() {
            // Time stands still for the public: nobody may count on.
            view.clocks.no_signal = true;
        }
        shift_view(&mut view, shift);
        let event = registry.events.get(&seat.event)?;
        let round = event.rounds.get(&seat.round)?;
        let pairing = round.pairings.iter().find(|pairing| pairing.game == Some(seat.game))?;
        let state = game.game.state();
        let is_closed = round.status == RoundStatus::Ended;
        // Who closes a round has seen its results: what the hub found and nobody has said by then is said by that.
        let ending = state.ending.as_ref().filter(|ending| ending.announced || is_closed);
        if let Some(ending) = ending.filter(|ending| !ending.announced) {
            ending.result.text().clone_into(&mut view.result);
            view.paused = false;
            if let Some(last) = view
                .moves
                .last_mut()
                .filter(|_| ending.termination == Termination::Checkmate)
            {
                last.san = last.san.replace('+', "#");
            }
        }
        let mut card = TableCard::of(seat, view, registry);
        let is_reversed = game.game.colours_reversed();
        if is_reversed {
            card = card.with_colours_reversed();
        }
        let mut score = score::of_card(event, pairing, Some(seat), &card);
        score.started = state.started.map(|started| started + shift);
        score.starts = state.starts(game.game.setup());
        score.termination = ending.map(|ending| ending.termination);
        let board = PublishedBoard {
            table: seat.table,
            board: seat.board,
            game: Some(seat.game),
            score,
            stage: Stage::of(card.view.started, &card.view.result),
            clocks: Some(card.view.clocks).filter(|_| card.view.started),
            fen: card.view.fen.clone(),
            paused: card.view.paused,
        };
        Some(Shown {
            card,
            board: Arc::new(board),
            is_reversed,
        })
    }

    /// The same game, as event and players are called now; all that happened in it, and when, as it was.
    pub fn renamed(&self, seat: &Seat, registry: &Registry) -> Option<Shown> {
        let event = registry.events.get(&seat.event)?;
        let round = event.rounds.get(&seat.round)?;
        let pairing = round.pairings.iter().find(|pairing| pairing.game == Some(seat.game))?;
        let mut card = TableCard::of(seat, self.card.view.clone(), registry);
        if self.is_reversed {
            card = card.with_colours_reversed();
        }
        let before = &self.board.score;
        let score = Score {
            started: before.started,
            starts: before.starts.clone(),
            termination: before.termination,
            ..score::of_card(event, pairing, Some(seat), &card)
        };
        let board = PublishedBoard {
            score,
            ..PublishedBoard::clone(&self.board)
        };
        Some(Shown {
            card,
            board: Arc::new(board),
            is_reversed: self.is_reversed,
        })
    }
}

impl Shown {
    /// Whether nobody would see a difference.
    pub fn says_the_same(&self, later: &Shown) -> bool {
        let board = PublishedBoard {
            clocks: self.board.clocks,
            ..PublishedBoard::clone(&later.board)
        };
        self.card.says_the_same(&later.card) && *self.board == board
    }
}

/// Whether the hall sees a result.
pub(super) fn is_over(game: &KeptGame, at: HallTime) -> bool {
    view(game, at).is_some_and(|view| view.result != "*")
}

fn view(game: &KeptGame, at: HallTime) -> Option<HallView> {
    let mut view = catch_unwind(AssertUnwindSafe(|| game.game.hall_view(at))).ok()?;
    if game.parked.is_some()
        && let Some(result) = &game.result_by_hand
    {
        view.result.clone_from(result);
    }
    Some(view)
}

fn shift_view(view: &mut HallView, shift: Shift) {
    let clocks = &mut view.clocks;
    clocks.as_of = clocks.as_of + shift;
    clocks.delay_until = clocks.delay_until.map(|until| until + shift);
    for mv in &mut view.moves {
        mv.at = mv.at + shift;
    }
}
