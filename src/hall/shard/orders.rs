//! Orders to a table's clock: sent, sent again until they are answered, given up when their lifetime is over.
//!
//! The game says what it wants; here that becomes an order for the clock that stands at the table, of its boot, decided on the
//! last of its reports. A clock that was exchanged or restarted in mid-game is given control and times by orders of the hub's
//! own, which the game does not know.

use super::table::TableSlot;
use super::{ShardEffect, ShardSettings};
use crate::game::audience::{OrderKind, OrderStatus};
use crate::game::input::{Fact, Happening, OrderAnswer, Reading};
use crate::hall::binding::Binding;
use crate::hall::report::{Ack, DeviceOrder, DeviceOrderKind, Outcome};
use crate::mutation::{self, Mutation};
use crate::time::{HallTime, Millis};

/// After so much real time an order that is not answered is given up.
const LIFETIME: Millis = Millis::secs(20);
/// After so much real time it is sent again.
const AGAIN: Millis = Millis::secs(1);

/// The orders of one table.
#[derive(Default)]
pub(super) struct OrderBook {
    sent: Vec<Sent>,
    /// The game's orders whose answers are on their way to the game: not sent again meanwhile.
    answered: Vec<u64>,
    /// The clock has to be given the game's control and times: what is next. One order at a time, for what is sent together may come
    /// in any order.
    revive: Option<Revival>,
    /// Counts the hub's own orders.
    own: u64,
}

/// The steps by which an exchanged or restarted clock comes to be as the game has it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Revival {
    Control,
    Times,
    Run,
    /// What it shows too much or too little, because its orders took their time.
    Rest,
}

struct Sent {
    /// The game's number; `None`: an order of the hub's own.
    number: Option<u64>,
    /// What an order of the hub's own is for.
    step: Option<Revival>,
    order: DeviceOrder,
    last: HallTime,
}

/// What an acknowledgement answers.
pub(super) enum Answers {
    /// This order of the game's.
    Game(u64),
    /// One of the hub's own.
    Hub,
    /// None that waits for an answer: it was answered or given up before, or never sent.
    Nothing,
}

impl OrderBook {
    pub fn clock_exchanged(&mut self) {
        self.revive = Some(Revival::Control);
        self.sent.retain(|sent| sent.number.is_some());
    }

    /// The clock was started anew; `empty`: it has lost its time control.
    pub fn clock_restarted(&mut self, empty: bool) {
        if empty {
            self.revive = Some(Revival::Control);
        }
        self.sent.retain(|sent| sent.number.is_some());
    }

    /// What an acknowledgement answers.
    pub fn answered(&mut self, ack: &Ack) -> Answers {
        let answered = |sent: &Sent| sent.order.id == ack.order && sent.order.device == ack.device;
        let Some(at) = self.sent.iter().position(answered) else {
            return Answers::Nothing;
        };
        let sent = self.sent.remove(at);
        if let Some(step) = sent.step {
            // What the clock did meanwhile may have changed its times.
            self.revive = match step {
                // What it shows stands then, and differs by what its orders took.
                Revival::Rest => None,
                _ if ack.outcome == Outcome::MovedOn => Some(step),
                Revival::Control => Some(Revival::Times),
                Revival::Times => Some(Revival::Run),
                Revival::Run => None,
            };
        }
        self.answered.extend(sent.number);
        sent.number.map_or(Answers::Hub, Answers::Game)
    }

    /// The clock is being given the game's control and times: what it shows meanwhile says nothing.
    pub fn renewing(&self) -> bool {
        self.revive.is_some() || self.sent.iter().any(|sent| sent.step.is_some())
    }

    pub fn next_deadline(&self) -> Option<HallTime> {
        self.sent
            .iter()
            .map(|sent| sent.order.expires.min(sent.last + sent.order.repeat))
            .min()
    }
}

impl TableSlot {
    /// Sends what the game wants and has not been sent, again what is not answered, and gives up what is too old.
    pub fn sync_orders(&mut self, now: HallTime, settings: &ShardSettings, out: &mut Vec<ShardEffect>) {
        let Some(running) = self.running.as_ref().filter(|running| running.parked.is_none()) else {
            return;
        };
        let pending: Vec<_> = running
            .game
            .pending_orders()
            .into_iter()
            .filter(|order| order.status == OrderStatus::Sent)
            .collect();
        self.orders.sent.retain(|sent| {
            sent.number
                .is_none_or(|number| pending.iter().any(|order| order.number == number))
        });
        self.orders
            .answered
            .retain(|number| pending.iter().any(|order| order.number == *number));
        let game = running.seat.game;
        let setup = running.seat.setup.clone();
        let life = self.clock.as_ref().and_then(|clock| self.devices.get(clock)).cloned();
        let mut give_up = Vec::new();
        // Without a clock that takes orders the arbiter does it by hand, and is told so at once.
        let able = life.as_ref().and_then(|life| life.able);
        let hopeless = self.clock.is_none() || able.is_some_and(|able| !able.counts);
        let reviving = self.orders.revive.is_some() || self.orders.sent.iter().any(|sent| sent.step.is_some());
        for order in &pending {
            let sent = self.orders.sent.iter().any(|sent| sent.number == Some(order.number));
            if sent || self.orders.answered.contains(&order.number) {
                continue;
            }
            // A clock that has lost its times is given them first.
            if reviving && order.what != OrderKind::Control {
                continue;
            }
            if hopeless {
                give_up.push((order.number, OrderAnswer::Unanswered));
                continue;
            }
            let Some((clock, life)) = self.clock.clone().zip(life.as_ref()) else {
                continue;
            };
            let Some(boot) = life.boot else { continue };
            let order_to_device = DeviceOrder {
                decided_seq: self.decided_on(&clock, life),
                device: clock,
                id: format!("{game}:{}", order.number),
                epoch: settings.epoch,
                boot,
                expires: now + settings.real(LIFETIME),
                repeat: settings.real(AGAIN),
                what: self.binding.order(&order.what, &setup),
            };
            out.push(ShardEffect::Order(order_to_device.clone()));
            self.orders.sent.push(Sent {
                number: Some(order.number),
                step: None,
                order: order_to_device,
                last: now,
            });
        }
        self.revive_clock(now, settings, out);
        let boot = life.as_ref().and_then(|life| life.boot);
        let mut kept = Vec::new();
        let mut not_taken = None;
        for mut sent in std::mem::take(&mut self.orders.sent) {
            let moved =
                self.clock.as_ref() != Some(&sent.order.device) || boot.is_some_and(|boot| boot != sent.order.boot);
            let answer = if moved {
                Some(OrderAnswer::MovedOn)
            } else if sent.order.expires <= now {
                Some(OrderAnswer::Unanswered)
            } else {
                None
            };
            if let Some(answer) = answer {
                match sent.number {
                    Some(number) => give_up.push((number, answer)),
                    None => {
                        tracing::warn!(table = self.number.0, %game, device = %sent.order.device, order = %sent.order.id, "the clock did not take its control and times: set it by hand");
                        if !moved {
                            not_taken = Some(sent.order.device.to_string());
                        }
                    }
                }
                continue;
            }
            if sent.last + sent.order.repeat <= now {
                sent.last = now;
                if mutation::on(Mutation::OrderTwice) {
                    sent.order.id.push('x');
                }
                out.push(ShardEffect::Order(sent.order.clone()));
            }
            kept.push(sent);
        }
        self.orders.sent = kept;
        if let Some(device) = not_taken {
            self.renewed(now, device, true);
        }
        for (number, answer) in give_up {
            // Until the game has heard of it, it still waits for an answer.
            self.orders.answered.push(number);
            self.hub_input(
                now,
                Happening::Fact(Fact::OrderAnswered {
                    number,
                    answer,
                    reading: None,
                }),
            );
        }
    }

    /// The last of the orders that gave a clock its times anew is done. While they were under way the player's time ran by the hall's:
    /// what the clock shows too much of it is taken off again, once, and from then on the clock counts.
    pub fn bridge(&mut self, now: HallTime, ack: &Ack, settings: &ShardSettings, out: &mut Vec<ShardEffect>) {
        let runs = |sent: &Sent| {
            sent.step == Some(Revival::Run) && sent.order.id == ack.order && sent.order.device == ack.device
        };
        if ack.outcome != Outcome::Done || !self.orders.sent.iter().any(runs) {
            return;
        }
        let (Some(face), Some(running)) = (ack.face, &self.running) else {
            return;
        };
        let counted = match super::table::view(&running.game, ack.at) {
            Ok(view) if running.game.state().time <= ack.at => view.clocks,
            _ => return,
        };
        let (left, right) = self.binding.by_side(counted.white, counted.black);
        let off = (left - face.left, right - face.right);
        if off == (Millis::ZERO, Millis::ZERO) {
            return;
        }
        let Some(life) = self.devices.get(&ack.device) else {
            return;
        };
        let order = DeviceOrder {
            device: ack.device.clone(),
            id: format!("{}:hub-{}-{}", running.seat.game, settings.epoch, self.orders.own + 1),
            epoch: settings.epoch,
            boot: ack.boot,
            decided_seq: self.decided_on(&ack.device, life).max(ack.after_seq),
            expires: now + settings.real(LIFETIME),
            repeat: settings.real(AGAIN),
            what: DeviceOrderKind::Add {
                left: off.0,
                right: off.1,
            },
        };
        self.orders.own += 1;
        out.push(ShardEffect::Order(order.clone()));
        self.orders.sent.push(Sent {
            number: None,
            step: Some(Revival::Rest),
            order,
            last: now,
        });
    }

    /// Gives an exchanged or restarted clock the game's control and present times.
    fn revive_clock(&mut self, now: HallTime, settings: &ShardSettings, out: &mut Vec<ShardEffect>) {
        let Some(step) = self.orders.revive else { return };
        if self.orders.sent.iter().any(|sent| sent.step.is_some()) {
            return;
        }
        let Some(running) = &self.running else { return };
        let Some((clock, life)) = self
            .clock
            .clone()
            .zip(self.clock.as_ref().and_then(|clock| self.devices.get(clock)))
        else {
            return;
        };
        let Some((boot, able)) = life.boot.zip(life.able) else {
            return;
        };
        let Ok(view) = super::table::view(&running.game, self.table_time(now)) else {
            return;
        };
        self.orders.revive = None;
        // A control that the game itself has just ordered does the same.
        let control_waits = running
            .game
            .pending_orders()
            .iter()
            .any(|order| order.what == OrderKind::Control);
        if !able.counts || view.result != "*" || control_waits {
            return;
        }
        let binding: Binding = self.binding;
        let what = match step {
            Revival::Control => {
                tracing::warn!(
                    table = self.number.0, game = %running.seat.game, device = %clock,
                    "the clock was exchanged or restarted in mid-game: it gets control and times, and the gap is bridged by hall time"
                );
                DeviceOrderKind::Control(binding.control(&running.seat.setup))
            }
            // Before the start it shows what the control says.
            _ if view.started.is_none() => return,
            Revival::Times => {
                let (left, right) = binding.by_side(view.clocks.white, view.clocks.black);
                let moves = Some(binding.by_side(view.completed.0, view.completed.1));
                DeviceOrderKind::Set { left, right, moves }
            }
            Revival::Run => match view.clocks.running {
                Some(color) => DeviceOrderKind::Run(binding.side(color)),
                None => return,
            },
            Revival::Rest => return,
        };
        let game = running.seat.game;
        let decided_seq = self.decided_on(&clock, life);
        self.orders.own += 1;
        let order = DeviceOrder {
            device: clock.clone(),
            id: format!("{game}:hub-{}-{}", settings.epoch, self.orders.own),
            epoch: settings.epoch,
            boot,
            decided_seq,
            expires: now + settings.real(LIFETIME),
            repeat: settings.real(AGAIN),
            what,
        };
        out.push(ShardEffect::Order(order.clone()));
        self.orders.sent.push(Sent {
            number: None,
            step: Some(step),
            order,
            last: now,
        });
        if step == Revival::Control {
            self.renewed(now, clock.to_string(), false);
        }
    }

    /// An arbiter has to look at a clock that was given everything anew.
    fn renewed(&mut self, now: HallTime, device: String, by_hand: bool) {
        let view = self
            .running
            .as_ref()
            .map(|running| super::table::view(&running.game, self.table_time(now)));
        let Some(Ok(view)) = view else { return };
        if view.started.is_none() || view.result != "*" {
            return;
        }
        let given = Reading {
            white: view.clocks.white,
            black: view.clocks.black,
            running: view.clocks.running,
        };
        self.hub_input(now, Happening::Fact(Fact::ClockRenewed { device, given, by_hand }));
    }
}
