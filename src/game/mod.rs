//! One game at one table: inputs in, events out, state a fold of the events. Pure: time comes with the inputs.

use serde::{Deserialize, Serialize};

pub mod audience;
pub mod input;
mod refusal;
mod setup;

pub use input::Input;
pub use refusal::{FoldError, Refusal};
pub use setup::{BoardKind, ClockKind, Enforcement, GameSetup};

use crate::laws::Clock;
use crate::laws::clock::Half;
use crate::time::HallTime;
use audience::{ArbiterView, ClockView, HallView, Order};

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Game {
    setup: GameSetup,
    clock: Clock,
}

/// Something that happened to a game: facts, findings and rulings as journalled. Folding needs nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// An input and what followed from it.
    Taken {
        /// The input.
        input: Input,
    },
}

impl Game {
    /// A game before its start.
    pub fn new(setup: GameSetup) -> Game {
        let start = setup.time_control.start(setup.first_increment);
        let half = |given: Option<_>| Half {
            left: given.unwrap_or(start),
            completed: setup.moves_done,
            ..Half::default()
        };
        let clock = Clock::new(half(setup.white_time), half(setup.black_time));
        Game { setup, clock }
    }

    /// What it was set up with.
    pub fn setup(&self) -> &GameSetup {
        &self.setup
    }

    /// Takes an input; what comes out is to be journalled. No events: nothing to journal.
    pub fn take(&mut self, _input: &Input) -> Result<Vec<Event>, Refusal> {
        Ok(Vec::new())
    }

    /// Replays an event.
    pub fn fold(&mut self, _event: &Event) -> Result<(), FoldError> {
        Ok(())
    }

    /// The hall time at which something happens by itself if nothing is heard before.
    pub fn next_deadline(&self) -> Option<HallTime> {
        None
    }

    fn clocks(&self, now: HallTime) -> ClockView {
        use crate::chess::Color::{Black, White};
        ClockView {
            white: self.clock.shows(White, now, &self.setup.time_control),
            black: self.clock.shows(Black, now, &self.setup.time_control),
            running: self.clock.running(),
            as_of: now,
            delay_until: None,
            no_signal: false,
        }
    }

    /// What arbiters see at this moment.
    pub fn arbiter_view(&self, now: HallTime) -> ArbiterView {
        ArbiterView {
            fen: String::new(),
            turn: crate::chess::Color::White,
            moves: Vec::new(),
            clocks: self.clocks(now),
            completed: (0, 0),
            period: (0, 0),
            result: "*".to_owned(),
            termination: None,
            rated: false,
            illegal: self.setup.illegal_done,
            items: Vec::new(),
            draw_offer: None,
            must_play: String::new(),
            players_told: Vec::new(),
            revision: 0,
            orders: Vec::new(),
            parked: None,
            started: None,
        }
    }

    /// What the hall sees at this moment.
    pub fn hall_view(&self, now: HallTime) -> HallView {
        HallView {
            fen: String::new(),
            moves: Vec::new(),
            clocks: self.clocks(now),
            result: "*".to_owned(),
            started: false,
            paused: false,
        }
    }

    /// The orders that wait for the table's clock.
    pub fn pending_orders(&self) -> Vec<Order> {
        Vec::new()
    }
}
