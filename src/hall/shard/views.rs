//! What is shown of a table, when it has changed.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::ShardEffect;
use super::table::{TableSlot, panic_text, view};
use crate::game::audience::{ClockView, Effect, Item};
use crate::hall::ids::DeviceId;
use crate::hall::model::{ArbiterTable, DeviceHealth, Registry, TableCard};
use crate::time::{HallTime, Millis};

impl TableSlot {
    /// Shows what has changed; what looks the same as before is not shown again.
    pub fn show(&mut self, now: HallTime, registry: &Registry, out: &mut Vec<ShardEffect>) {
        let (there, ahead) = (self.table_time(now), self.ahead(now));
        let Some(running) = &mut self.running else { return };
        let hall = catch_unwind(AssertUnwindSafe(|| running.game.hall_view(there)))
            .map_err(|panic| panic_text(panic.as_ref()));
        let (mut arbiters, mut hall) = match (view(&running.game, there), hall) {
            (Ok(arbiters), Ok(hall)) => (arbiters, hall),
            (Err(why), _) | (_, Err(why)) => {
                // Its events are in order, so a restart may mend it: nothing is written, and the last view stays.
                tracing::error!(table = self.number.0, game = %running.seat.game, %why, "the game cannot be shown");
                running.parked = Some(why);
                return;
            }
        };
        if let Some(why) = &running.parked {
            arbiters.parked = Some(why.clone());
            arbiters.items.push(by_hand(why, now, &arbiters.items));
            if let Some(result) = &running.result_by_hand {
                arbiters.result.clone_from(result);
                hall.result.clone_from(result);
            }
        }
        by_hall_time(&mut arbiters.clocks, ahead);
        by_hall_time(&mut hall.clocks, ahead);
        let mut card = TableCard::of(&running.seat, hall, registry);
        if running.game.colours_reversed() {
            card = card.with_colours_reversed();
        }
        arbiters.check = arbiters.check.map(|check| self.checked(check));
        let health = |device: &Option<DeviceId>| device.as_ref().map(|device| self.health(device));
        let state = ArbiterTable {
            sector: registry
                .tables
                .get(&self.number)
                .map(|place| place.sector.clone())
                .unwrap_or_default(),
            clock_device: health(&self.clock),
            board_device: health(&self.board),
            white_side: self.binding.white_side,
            board_turned: self.binding.board_turned,
            card: card.clone(),
            view: arbiters,
        };
        if self.shown_card.as_ref().is_none_or(|shown| !shown.says_the_same(&card)) {
            self.shown_card = Some(card.clone());
            out.push(ShardEffect::Screens {
                position: self.position,
                state: Box::new(card),
            });
        }
        self.shown = Some(state.clone());
        out.push(ShardEffect::Arbiters {
            position: self.position,
            state: Box::new(state),
        });
    }

    /// Only the health of the table's devices has changed.
    pub fn refresh_health(&mut self, out: &mut Vec<ShardEffect>) {
        let clock = self.clock.as_ref().map(|device| self.health(device));
        let board = self.board.as_ref().map(|device| self.health(device));
        let Some(shown) = &mut self.shown else { return };
        shown.clock_device = clock;
        shown.board_device = board;
        out.push(ShardEffect::Arbiters {
            position: self.position,
            state: Box::new(shown.clone()),
        });
    }

    fn health(&self, device: &DeviceId) -> DeviceHealth {
        self.devices
            .get(device)
            .map(|life| life.health.clone())
            .unwrap_or_else(|| DeviceHealth::unknown(device.clone()))
    }
}

/// What is shown says when by the hall's time.
fn by_hall_time(clocks: &mut ClockView, ahead: Millis) {
    clocks.as_of = clocks.as_of - ahead;
    clocks.delay_until = clocks.delay_until.map(|until| until - ahead);
}

fn by_hand(why: &str, now: HallTime, others: &[Item]) -> Item {
    Item {
        number: others.iter().map(|item| item.number).max().unwrap_or(0) + 1,
        revision: 1,
        kind: "by-hand".to_owned(),
        of: None,
        certain: true,
        articles: Vec::new(),
        what: format!("The game failed in the hub ({why})."),
        proposal: "The table goes on by hand: write the moves down, and enter the result when there is one.".to_owned(),
        since: now,
        taken: None,
        evidence: Vec::new(),
        effect: Effect::default(),
        until_answered: false,
        account: None,
    }
}
