//! What the clock on the table is to do: wants of the game, put into orders one at a time.
//!
//! A want belongs to the state and goes when the state is reconsidered; an order was sent and cannot be taken back. Only a clock
//! that counts by itself is given any; elsewhere what an arbiter rules takes effect at the ruling.

use serde::{Deserialize, Serialize};

use super::audience::{Order, OrderKind, OrderStatus};
use super::input::{OrderAnswer, TimeChange};
use super::item::ItemKey;
use super::setup::{ClockKind, GameSetup};
use super::state::State;
use crate::chess::Color;
use crate::time::{HallTime, Millis};

/// By which a want is known again when late news have the game think once more: what it was sent as stays known by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WantKey {
    /// The table time of what it came from.
    pub since: HallTime,
    /// What for.
    pub what: WantKind,
    /// How many of its kind had come from that moment before.
    pub nth: u32,
}

/// What a want is for, without its figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "as in `Wanted`")]
pub enum WantKind {
    Control,
    Stop,
    Run,
    Change,
}

/// How many wants of each kind came from the moment of the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WantCount {
    since: HallTime,
    of: [u32; 4],
}

impl WantCount {
    /// The key of one more.
    fn key(&mut self, since: HallTime, what: WantKind) -> WantKey {
        if self.since != since {
            *self = WantCount { since, of: [0; 4] };
        }
        let count = &mut self.of[what as usize];
        let nth = *count;
        *count += 1;
        WantKey { since, what, nth }
    }
}

/// Something that the clock is still to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Want {
    /// By its [`WantKey`].
    pub id: u64,
    /// Since when.
    pub since: HallTime,
    /// What.
    pub what: Wanted,
}

/// What is wanted of the clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Wanted {
    /// The game's time control and starting times.
    Control,
    /// Both stand.
    Stop,
    /// The side's time runs; where it is the player on move that is meant, whoever has the move when it is sent.
    Run(Color),
    /// Other times.
    Change {
        /// White's.
        white: Option<TimeChange>,
        /// Black's.
        black: Option<TimeChange>,
        /// The moves completed are to be told too.
        count: bool,
    },
}

impl Wanted {
    fn kind(&self) -> WantKind {
        match self {
            Wanted::Control => WantKind::Control,
            Wanted::Stop => WantKind::Stop,
            Wanted::Run(_) => WantKind::Run,
            Wanted::Change { .. } => WantKind::Change,
        }
    }
}

/// What is never taken back by late news: numbers given, orders sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Desk {
    /// The keys of all items there ever were, in the order of their numbers.
    pub items: Vec<ItemKey>,
    /// The last revision of each of them.
    pub item_revisions: Vec<u64>,
    /// The keys of all wants there ever were, in the order of their numbers.
    pub wants: Vec<WantKey>,
    /// The table's ruling revision.
    pub revision: u64,
    /// What last changed it.
    pub changed: String,
    /// Orders sent and not answered, or answered with no.
    pub orders: Vec<Order>,
    /// The orders of late, with the want each is for.
    pub sent: Vec<(u64, u64, OrderKind)>,
    /// How many orders there have been.
    pub ordered: u64,
    /// Those that were answered of late, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<Order>,
}

/// So many answered orders are remembered for answers that are heard again, or late.
const REMEMBERED: usize = 16;
/// So many are shown as answered.
const SHOWN_ANSWERED: usize = 4;

impl Desk {
    /// The number of an item: the same as before for the same matter.
    pub fn item_number(&mut self, key: ItemKey) -> u64 {
        let at = self.items.iter().position(|known| *known == key).unwrap_or_else(|| {
            self.items.push(key);
            self.item_revisions.push(0);
            self.items.len() - 1
        });
        at as u64 + 1
    }

    /// Puts a want of this moment among those of the state, under the same number as before for the same matter.
    pub fn want(&mut self, wants: &mut Vec<Want>, count: &mut WantCount, since: HallTime, what: Wanted) {
        let key = count.key(since, what.kind());
        let at = self.wants.iter().position(|known| *known == key).unwrap_or_else(|| {
            self.wants.push(key);
            self.wants.len() - 1
        });
        wants.push(Want {
            id: at as u64 + 1,
            since,
            what,
        });
    }

    /// The next revision of an item.
    pub fn item_revision(&mut self, number: u64) -> u64 {
        let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let Some(revision) = at.and_then(|at| self.item_revisions.get_mut(at)) else {
            return 1;
        };
        *revision += 1;
        *revision
    }

    /// The moment of what an order was given for: it is answered no earlier, whatever the clock's time is taken to be.
    pub fn sent_since(&self, number: u64) -> Option<HallTime> {
        let (want, _) = self.sent(number)?;
        let key = self.wants.get(usize::try_from(want).ok()?.checked_sub(1)?)?;
        Some(key.since)
    }

    /// What an order was, and the want it was for.
    pub fn sent(&self, number: u64) -> Option<(u64, &OrderKind)> {
        self.sent
            .iter()
            .find(|(sent, ..)| *sent == number)
            .map(|(_, want, what)| (*want, what))
    }

    /// The order was answered, or given up, at this moment.
    pub fn answered(&mut self, number: u64, answer: &OrderAnswer, at: HallTime) {
        let status = match answer {
            OrderAnswer::Done => OrderStatus::Done,
            OrderAnswer::MovedOn => OrderStatus::MovedOn,
            OrderAnswer::Refused { why } => OrderStatus::Refused(why.clone()),
            OrderAnswer::Unanswered => OrderStatus::ByHand,
        };
        let Some(order) = self.orders.iter_mut().find(|order| order.number == number) else {
            return;
        };
        order.answered = Some(at);
        order.status = status;
        if matches!(order.status, OrderStatus::Done | OrderStatus::MovedOn) {
            // What the clock does now shows that it takes orders again.
            let answered = order.clone();
            self.orders.retain(|order| order.status == OrderStatus::Sent);
            self.answered.push(answered);
            if self.answered.len() > SHOWN_ANSWERED {
                self.answered.remove(0);
            }
        } else {
            let refused = |order: &Order| order.status != OrderStatus::Sent;
            if self.orders.iter().filter(|order| refused(order)).count() > SHOWN_ANSWERED
                && let Some(oldest) = self.orders.iter().position(refused)
            {
                self.orders.remove(oldest);
            }
        }
    }

    /// Puts the oldest want into an order, unless one is under way.
    pub fn order(&mut self, state: &State, setup: &GameSetup) {
        if setup.clock != ClockKind::Counting || self.orders.iter().any(|order| order.status == OrderStatus::Sent) {
            return;
        }
        let Some(want) = state.wants.first() else { return };
        let what = order_for(&want.what, state, setup);
        self.ordered += 1;
        self.sent.push((self.ordered, want.id, what.clone()));
        if self.sent.len() > REMEMBERED {
            self.sent.remove(0);
        }
        self.orders.push(Order {
            number: self.ordered,
            since: want.since,
            what,
            status: OrderStatus::Sent,
            answered: None,
        });
    }
}

/// The order that does what is wanted, as things stand.
fn order_for(wanted: &Wanted, state: &State, setup: &GameSetup) -> OrderKind {
    match wanted {
        Wanted::Control => OrderKind::Control,
        Wanted::Stop => OrderKind::Stop,
        Wanted::Run(color) => OrderKind::Run(*color),
        Wanted::Change { white, black, count } => {
            let change = |change: &Option<TimeChange>| match change {
                None => Some(Millis::ZERO),
                Some(TimeChange::By(span)) => Some(*span),
                Some(TimeChange::To(_)) => None,
            };
            // Its figures are not known to the millisecond while it runs, while nothing has been heard of it since it was to be stopped or
            // started by hand, and after the end, where it may have run on: then it is told by how much only.
            let unknown = state.clock.running().is_some() || state.unheard.is_some() || state.ending.is_some();
            match (change(white), change(black)) {
                (Some(white), Some(black)) if unknown && !count => OrderKind::Add { white, black },
                _ => {
                    let time = |of: Color, change: &Option<TimeChange>| {
                        let left = state.clock.shows(of, state.time, &setup.time_control);
                        match change {
                            None => left,
                            Some(TimeChange::By(span)) => (left + *span).at_least_zero(),
                            Some(TimeChange::To(time)) => time.at_least_zero(),
                        }
                    };
                    let [white_moves, black_moves] = state.completed();
                    OrderKind::Set {
                        white: time(Color::White, white),
                        black: time(Color::Black, black),
                        moves: count.then_some((white_moves, black_moves)),
                    }
                }
            }
        }
    }
}
