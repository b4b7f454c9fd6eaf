//! The storm itself: time, the network, devices, players, people and the disk around one hub, and what must always hold.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use shakmaty::Position as _;

use super::chance::Chance;
use super::clock::wire_side;
use super::device::{Device, Nature, Out};
use super::house::{Effect, House, Waiter};
use super::people::{self, Ask, Purpose};
use super::plan::{CALL_AT, Fault, Kind, Plan, Whim};
use super::record::Record;
use super::table::{Hand, Table};
use super::{Failure, Figures};
use crate::chess::Color;
use crate::device::codec;
use crate::device::topics::{Down, Topic, Up};
use crate::device::wire as pb;
use crate::game::Note;
use crate::game::audience::{ArbiterView, OrderKind, OrderStatus};
use crate::game::input::{Deed, TimeChange};
use crate::hall::call::{Answer, CallError, CallReason, Command};
use crate::hall::ids::TableNo;
use crate::hall::model::{ArbiterTable, DeviceKind, Enforcement, Pairing, Player, Regulations, Side, TableCard};
use crate::hall::secrets::Chance as Random;
use crate::hall::shard::ShardEffect;
use crate::hub::front::{FrontEffect, FrontInput};
use crate::laws::Category;
use crate::store::{CrashStyle, SimDisk};
use crate::time::Millis;
use pb::report::What;

/// After so long nothing can be under way any more; what is still not over then never will be.
const PATIENCE: i64 = 240_000;
/// So long it may take until what was heard last is concluded.
const SETTLES: i64 = 16_000;
/// The storm's own end, whatever happens.
const MOST_EVENTS: usize = 200_000;

#[derive(Debug)]
enum Event {
    ToHub {
        device: usize,
        up: Up,
        payload: Vec<u8>,
        retained: bool,
        broker: u64,
    },
    ToDevice {
        device: usize,
        down: Down,
        payload: Vec<u8>,
        link: u64,
    },
    State {
        device: usize,
        epoch: u64,
        link: u64,
    },
    Disk {
        life: u64,
    },
    Start,
    LinkUp {
        life: u64,
        cut: u64,
    },
    Hand {
        table: usize,
        token: u64,
    },
    Zero {
        device: usize,
        boot: u32,
    },
    Vital {
        device: usize,
        boot: u32,
    },
    /// The players start a clock that stands.
    ByHand {
        device: usize,
        boot: u32,
    },
    Connect {
        device: usize,
    },
    /// The device notices that its connection is gone.
    Gone {
        device: usize,
        link: u64,
    },
    /// The broker notices it.
    Will {
        device: usize,
        link: u64,
        payload: Vec<u8>,
    },
    Fault(usize),
    FaultOver(usize),
    Calm,
    Arbiter(usize),
    Whim(usize),
    Ask {
        id: usize,
    },
    Told {
        id: usize,
        answer: Result<Answer, CallError>,
    },
    Again {
        id: usize,
        attempt: u32,
    },
    Resume {
        table: usize,
    },
}

struct Link {
    /// Counts connections and their ends.
    number: u64,
    cut: bool,
    stalled: bool,
    /// What waits for the end of a stall.
    held: Vec<(bool, Event)>,
    last: [i64; 2],
    messages: [u64; 2],
    /// The last birth and Will, for a broker that keeps what it should not.
    kept: Option<(Up, Vec<u8>)>,
}

/// One storm.
pub(super) struct World<'a> {
    plan: &'a Plan,
    now: i64,
    order: u64,
    queue: BinaryHeap<Reverse<(i64, u64, usize)>>,
    events: Vec<Option<Event>>,
    free: Vec<usize>,
    dice: Chance,
    disk: SimDisk,
    house: Option<House>,
    life: u64,
    /// Effects of this life since the storm has begun.
    effects: u64,
    deaths: std::collections::VecDeque<Fault>,
    /// When the hub dies, and how.
    death: Option<Fault>,
    calm: bool,
    healed: bool,
    broker: u64,
    broker_up: bool,
    hub_cut: u64,
    hub_reachable: bool,
    state: Option<u64>,
    devices: Vec<Device>,
    links: Vec<Link>,
    tables: Vec<Table>,
    record: Record,
    asks: Vec<Ask>,
    tickets: BTreeMap<u64, usize>,
    shown: BTreeMap<u32, ArbiterTable>,
    cards: BTreeMap<u32, TableCard>,
    disk_waits: bool,
    highest_epoch: u64,
    /// The device that waits for each exchange, by the fault's number.
    spares: BTreeMap<usize, usize>,
    /// Since when nothing is left to be done.
    quiet: Option<i64>,
    started: bool,
    failure: Option<Failure>,
    pub figures: Figures,
    story: Option<Vec<(i64, String)>>,
}

/// Says something for the story, where one is told.
macro_rules! tell {
    ($world:expr, $($words:tt)*) => {
        if $world.story.is_some() {
            let words = format!($($words)*);
            $world.tell(words);
        }
    };
}

impl<'a> World<'a> {
    pub fn new(plan: &'a Plan, story: bool) -> World<'a> {
        let chance = Chance::new(plan.seed);
        let mut world = World {
            plan,
            now: 0,
            order: 0,
            queue: BinaryHeap::new(),
            events: Vec::new(),
            free: Vec::new(),
            dice: chance.of(50),
            disk: SimDisk::new(),
            house: None,
            life: 0,
            effects: 0,
            deaths: plan
                .faults
                .iter()
                .filter(|fault| matches!(fault, Fault::Kill { .. } | Fault::PowerCut { .. } | Fault::Disk { .. }))
                .cloned()
                .collect(),
            death: None,
            calm: true,
            healed: false,
            broker: 0,
            broker_up: true,
            hub_cut: 0,
            hub_reachable: true,
            state: None,
            devices: Vec::new(),
            links: Vec::new(),
            tables: Vec::new(),
            record: Record::default(),
            asks: Vec::new(),
            tickets: BTreeMap::new(),
            shown: BTreeMap::new(),
            cards: BTreeMap::new(),
            disk_waits: false,
            highest_epoch: 0,
            spares: BTreeMap::new(),
            quiet: None,
            started: false,
            failure: None,
            figures: Figures::default(),
            story: story.then(Vec::new),
        };
        for (at, table) in plan.tables.iter().enumerate() {
            let number = at as u32 + 1;
            let clock = world.device(&format!("clock-{number}"), table.clock.clone(), table.counters[0]);
            let board = match &table.board {
                Some(nature) => world.device(&format!("board-{number}"), nature.clone(), table.counters[1]),
                None => clock,
            };
            let table = Table::new(number, clock, board, table.white_side, table.turned, &table.plays);
            world.tables.push(table);
        }
        for (at, fault) in plan.faults.iter().enumerate() {
            if let Fault::Exchange { table, .. } = fault {
                let nature = plan.tables[*table].clock.clone();
                let counter = world.dice.between(1_000, 90_000);
                let spare = world.device(&format!("spare-{at}"), nature, counter);
                world.devices[spare].on = false;
                world.spares.insert(at, spare);
            }
        }
        world
    }

    fn device(&mut self, name: &str, nature: Nature, counter: i64) -> usize {
        let boot = self.dice.below(u64::from(u32::MAX)) as u32 | 1;
        let id = name.parse().expect("a device's name");
        self.devices.push(Device::new(id, nature, boot, counter, self.now));
        self.links.push(Link {
            number: 0,
            cut: false,
            stalled: false,
            held: Vec::new(),
            last: [0; 2],
            messages: [0; 2],
            kept: None,
        });
        self.devices.len() - 1
    }

    /// Lets everything happen. What was wrong, if anything was, and the story.
    pub fn run(mut self) -> (Result<Figures, Failure>, Vec<(i64, String)>) {
        self.open();
        let mut handled = 0;
        while self.failure.is_none() && !self.is_over() {
            handled += 1;
            if handled > MOST_EVENTS {
                self.fail("endless", format!("{MOST_EVENTS} events, and it is not over"));
                break;
            }
            let deadline = self.house.as_ref().and_then(House::deadline);
            let next = self.queue.peek().map(|Reverse((at, ..))| *at);
            match (next, deadline) {
                (Some(next), Some(deadline)) if deadline < next => self.ring(deadline),
                (None, Some(deadline)) => self.ring(deadline),
                (Some(_), _) => {
                    let Some(Reverse((at, _, slot))) = self.queue.pop() else {
                        break;
                    };
                    self.now = self.now.max(at);
                    self.free.push(slot);
                    if let Some(event) = self.events[slot].take() {
                        self.event(event);
                        self.pump();
                    }
                }
                (None, None) => break,
            }
        }
        if self.failure.is_none() {
            self.judge();
        }
        self.figures.halls = 1;
        self.figures.games = self.tables.len() as u64;
        self.figures.moves = self.tables.iter().map(|table| table.record.len() as u64).sum();
        self.figures.entries = self.record.durable();
        self.figures.virtual_ms = self.now as u64;
        let story = self.story.unwrap_or_default();
        (self.failure.map_or(Ok(self.figures), Err), story)
    }

    fn ring(&mut self, deadline: i64) {
        self.now = self.now.max(deadline);
        if let Some(house) = &mut self.house {
            house.ring(self.now);
        }
        self.pump();
    }

    fn tell(&mut self, words: String) {
        if let Some(story) = &mut self.story {
            story.push((self.now, words));
        }
    }

    fn fail(&mut self, rule: &'static str, what: String) {
        if self.failure.is_none() {
            tell!(self, "WRONG ({rule}): {what}");
            self.failure = Some(Failure {
                seed: self.plan.seed,
                at: self.now,
                rule,
                what,
            });
        }
    }

    fn at(&mut self, at: i64, event: Event) {
        self.order += 1;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.events.push(None);
            self.events.len() - 1
        });
        self.events[slot] = Some(event);
        self.queue.push(Reverse((at.max(self.now), self.order, slot)));
    }

    fn after(&mut self, wait: i64, event: Event) {
        self.at(self.now + wait, event);
    }

    // ---- the hall is opened, in calm weather ----

    fn open(&mut self) {
        self.start();
        let tables: Vec<(u32, usize, usize, usize, bool)> = self
            .tables
            .iter()
            .map(|table| (table.number, table.clock, table.board, table.white_side, table.turned))
            .collect();
        for device in 0..self.devices.len() {
            let nature = &self.devices[device].nature;
            let kind = match (nature.clock, nature.board) {
                (true, true) => DeviceKind::Both,
                (false, true) => DeviceKind::Board,
                _ => DeviceKind::Clock,
            };
            let id = self.devices[device].id.clone();
            self.ask_now(Command::AddDevice {
                device: id,
                kind,
                speaks_for: Vec::new(),
            });
        }
        let regulations = Regulations {
            category: Some(Category::Standard),
            enforcement: if self.plan.automatic {
                Enforcement::AUTOMATIC
            } else {
                Enforcement::default()
            },
            endings_shown_at_once: true,
            rated: false,
            ..Regulations::default()
        };
        let event = "open".parse().expect("an event's name");
        self.ask_now(Command::PutEvent {
            event,
            name: "Open".into(),
            site: String::new(),
            date: String::new(),
            regulations,
        });
        let pairings = tables
            .iter()
            .map(|&(number, ..)| Pairing {
                table: TableNo(number),
                board: number,
                white: Player {
                    name: format!("White {number}"),
                    ..Player::default()
                },
                black: Player {
                    name: format!("Black {number}"),
                    ..Player::default()
                },
                time_control: None,
                board_kind: None,
                variant: Default::default(),
                fen: None,
                game: None,
            })
            .collect();
        let round = crate::hall::ids::RoundNo(1);
        self.ask_now(Command::PutRound {
            event: "open".parse().expect("an event's name"),
            round,
            time_control: self.plan.control.to_owned(),
            pairings,
        });
        for (number, clock, board, white_side, turned) in tables {
            let bind = |world: &mut Self, device: usize, as_clock, as_board| {
                let device = world.devices[device].id.clone();
                world.ask_now(Command::BindDevice {
                    device,
                    table: TableNo(number),
                    as_clock,
                    as_board,
                    white_side: Some(if white_side == 0 { Side::Left } else { Side::Right }),
                    board_turned: Some(turned),
                });
            };
            bind(self, clock, true, board == clock);
            if board != clock {
                bind(self, board, false, true);
            }
        }
        for device in 0..self.devices.len() {
            let wait = self.dice.between(100, 2_000);
            if self.devices[device].on {
                self.after(wait, Event::Connect { device });
            }
        }
        self.at(CALL_AT - 4_000, Event::Calm);
        for at in 0..self.plan.faults.len() {
            let when = match &self.plan.faults[at] {
                Fault::Partition { at, .. }
                | Fault::Stall { at, .. }
                | Fault::BrokerRestart { at, .. }
                | Fault::HubCut { at, .. }
                | Fault::Restart { at, .. }
                | Fault::Exchange { at, .. } => *at,
                Fault::Retained { taken, .. } => *taken,
                Fault::Kill { .. } | Fault::PowerCut { .. } | Fault::Disk { .. } => continue,
            };
            self.at(when, Event::Fault(at));
        }
        for at in 0..self.plan.acts.len() {
            let when = self.plan.acts[at].at;
            self.at(when, Event::Whim(at));
        }
        for who in 0..people::PEOPLE.len() {
            let wait = self.dice.between(500, 1_500);
            self.at(CALL_AT + wait, Event::Arbiter(who));
        }
    }

    /// Asks, and lets the hub answer at once: only while the hall is set up.
    fn ask_now(&mut self, command: Command) {
        let Some(call) = people::call(0, self.asks.len(), command) else {
            return;
        };
        let id = self.asks.len();
        self.asks.push(Ask {
            table: None,
            purpose: Purpose::Setup,
            call,
            attempts: 1,
            answer: None,
            again: false,
        });
        self.event(Event::Ask { id });
        self.pump();
        while self.disk_waits && self.failure.is_none() {
            self.write();
            self.pump();
        }
    }

    /// The round is armed, and from here on the weather is what it is.
    fn call_the_round(&mut self) {
        let event = || "open".parse().expect("an event's name");
        let round = crate::hall::ids::RoundNo(1);
        self.ask_now(Command::ArmRound { event: event(), round });
        self.calm = false;
        self.effects = 0;
        self.next_death();
        self.started = true;
        let command = Command::StartRound {
            event: event(),
            round,
            tables: None,
        };
        let id = self.ask(0, None, Purpose::Call, command);
        if let Some(id) = id {
            self.at(CALL_AT, Event::Ask { id });
        }
    }

    // ---- the hub's life ----

    fn start(&mut self) {
        if self.house.is_some() {
            return;
        }
        match House::start(&self.disk, self.now) {
            Ok(begun) => {
                let begun_epoch = begun.house.epoch;
                self.figures.starts += 1;
                if begun_epoch <= self.highest_epoch {
                    self.fail(
                        "epoch",
                        format!("a start took epoch {begun_epoch} after {}", self.highest_epoch),
                    );
                }
                self.highest_epoch = begun_epoch;
                match self.record.compare(&begun.entries) {
                    Ok(notes) => self.notes(notes),
                    Err(what) => self.fail("journal", what),
                }
                if let Err(what) = self.record.same(&begun.folding.registry, &begun.games) {
                    self.fail("restored", what);
                }
                tell!(
                    self,
                    "the hub starts: epoch {begun_epoch}, journal to {}",
                    self.record.durable()
                );
                self.house = Some(begun.house);
                self.life += 1;
                self.effects = 0;
                if !self.calm {
                    self.next_death();
                }
                if self.run_effects(begun.effects) {
                    let (life, cut) = (self.life, self.hub_cut);
                    let wait = self.dice.between(20, 400);
                    self.after(wait, Event::LinkUp { life, cut });
                }
            }
            Err(why) => {
                // Only a disk that fails may keep it from starting.
                if self.disk.is_off() {
                    self.disk.reboot(CrashStyle::Tear, self.plan.seed ^ self.now as u64);
                    self.death = None;
                    self.after(1_000, Event::Start);
                } else if matches!(self.death, Some(Fault::Disk { .. })) {
                    self.death = None;
                    self.after(1_000, Event::Start);
                } else {
                    self.fail("start", format!("the hub does not start: {why}"));
                }
            }
        }
    }

    /// What this life dies of.
    fn next_death(&mut self) {
        self.death = if self.healed { None } else { self.deaths.pop_front() };
        if let Some(Fault::Disk { operation, fault, .. }) = self.death {
            self.disk.fault_at(self.disk.operations() + operation, fault);
        }
    }

    fn die(&mut self, style: CrashStyle, down: i64, how: &str) {
        tell!(self, "the hub dies: {how}; {} effects into this life", self.effects);
        self.house = None;
        self.tickets.clear();
        self.disk_waits = false;
        self.death = None;
        let seed = self.plan.seed ^ self.life << 32;
        self.disk.reboot(style, seed);
        self.figures.deaths += 1;
        self.after(down, Event::Start);
    }

    fn pump(&mut self) {
        while self.failure.is_none() {
            let now = self.now;
            let Some(house) = &mut self.house else { return };
            let Some(effects) = house.step(now, &mut self.dice) else {
                break;
            };
            if !self.run_effects(effects) {
                return;
            }
        }
        if self.house.as_ref().is_some_and(|house| house.down)
            && let Some(Fault::Disk { down, .. }) = self.death
        {
            // The technician sees that the hall acknowledges nothing, and starts the hub again.
            self.death = None;
            self.die(
                CrashStyle::KeepAll,
                down,
                "it is stopped, since its journal takes nothing more",
            );
        }
    }

    /// False when the hub has died on the way.
    fn run_effects(&mut self, effects: Vec<Effect>) -> bool {
        for effect in effects {
            match self.death {
                Some(Fault::Kill { effects, down }) if !self.calm && self.effects >= effects => {
                    self.figures.fault(Kind::Kill);
                    self.die(CrashStyle::KeepAll, down, "killed");
                    return false;
                }
                Some(Fault::PowerCut { effects, style, down }) if !self.calm && self.effects >= effects => {
                    self.figures.fault(Kind::PowerCut);
                    self.die(style, down, "its power is cut");
                    return false;
                }
                _ => {}
            }
            self.effects += 1;
            self.effect(effect);
            if self.failure.is_some() {
                return false;
            }
        }
        true
    }

    fn effect(&mut self, effect: Effect) {
        match effect {
            Effect::Front(effect) => match effect {
                FrontEffect::Shard(at, input) => {
                    if let Some(house) = &mut self.house {
                        house.tell_shard(at, *input);
                    }
                }
                FrontEffect::Send(topic, payload) => self.send_down(topic, payload),
                FrontEffect::Commit(entries) => self.submit(Waiter::Desk, entries),
                FrontEffect::Registry { position, .. } => {
                    if position > self.record.durable() {
                        self.fail(
                            "durable",
                            format!("a change of the hall is told before position {position} is durable"),
                        );
                    }
                }
                FrontEffect::Answer { call, answer } => self.answered(call, answer),
            },
            Effect::Shard(at, effect) => match effect {
                ShardEffect::Commit { ticket, entries } => self.submit(Waiter::Shard(at, ticket), entries),
                ShardEffect::Seen(mark) => self.front(FrontInput::Seen(mark)),
                ShardEffect::Order(order) => self.front(FrontInput::Order(Box::new(order))),
                ShardEffect::Answer { call, answer } => self.front(FrontInput::Answered { call, answer }),
                ShardEffect::Arbiters { position, state } => self.published(position, *state),
                ShardEffect::Screens { position, state } => self.screened(position, *state),
                ShardEffect::Down(_) => {
                    if let Some(house) = &mut self.house {
                        house.down = true;
                    }
                }
                ShardEffect::Keep { .. } | ShardEffect::Latency(_) | ShardEffect::Search { .. } => {}
            },
        }
    }

    fn front(&mut self, input: FrontInput) {
        if let Some(house) = &mut self.house {
            house.tell_front(input);
        }
    }

    fn submit(&mut self, waiter: Waiter, entries: Vec<crate::store::NewEntry>) {
        let Some(house) = &mut self.house else { return };
        if house.submit(waiter, entries) {
            self.disk_waits = true;
            if self.started {
                let wait = if self.dice.percent(2) {
                    self.dice.between(200, 2_500)
                } else {
                    self.dice.between(1, 12)
                };
                let life = self.life;
                self.after(wait, Event::Disk { life });
            }
        }
    }

    fn write(&mut self) {
        let now = self.now;
        let Some(house) = &mut self.house else { return };
        let written = house.write(now);
        self.disk_waits = house.to_write();
        if self.disk.is_off() {
            let down = match self.death {
                Some(Fault::Disk { down, .. }) => down,
                _ => 1_000,
            };
            self.figures.fault(Kind::TornWrite);
            self.die(CrashStyle::Tear, down, "its power goes in the middle of a write");
            return;
        }
        for done in written {
            match done.outcome {
                Ok(positions) => {
                    for (position, content) in positions.zip(&done.entries) {
                        match self.record.take(position, content) {
                            Ok(notes) => self.notes(notes),
                            Err(what) => self.fail("journal", what),
                        }
                    }
                }
                Err(why) => {
                    tell!(self, "the journal: {why}");
                    self.figures.fault(Kind::FailedDisk);
                    if !matches!(self.death, Some(Fault::Disk { .. })) && !self.healed {
                        self.fail("journal", format!("a commit failed on a good disk: {why}"));
                    }
                    if let Some(house) = &mut self.house {
                        house.down = true;
                    }
                }
            }
        }
        if self.disk_waits && self.started {
            let (wait, life) = (self.dice.between(1, 8), self.life);
            self.after(wait, Event::Disk { life });
        }
    }

    // ---- what is shown, answered and sent ----

    fn published(&mut self, position: u64, state: ArbiterTable) {
        let table = state.card.table.0;
        self.figures.views += 1;
        if position > self.record.durable() {
            self.fail(
                "durable",
                format!("table {table} is shown as of position {position} before that is durable"),
            );
            return;
        }
        let Some(kept) = self.record.at_table(table) else {
            self.fail(
                "views",
                format!("table {table} is shown, but has no game in the journal"),
            );
            return;
        };
        if let Some(game) = kept.as_of(position) {
            let mut own = game.arbiter_view(state.view.clocks.as_of);
            let mut shown = state.view.clone();
            shown.clocks.no_signal = own.clocks.no_signal;
            // Up to where devices have been heard is in no journal.
            for item in own.items.iter_mut().chain(&mut shown.items) {
                item.evidence.retain(|(key, _)| key != "not certain");
            }
            if own != shown {
                let what = difference(&own, &shown);
                self.fail(
                    "views",
                    format!("table {table} at position {position} is shown otherwise than the journal has it: {what}"),
                );
                return;
            }
        }
        self.findings(&state);
        if self.story.is_some() {
            let items: Vec<String> = state
                .view
                .items
                .iter()
                .map(|item| format!("{}{} {}", item.kind, if item.certain { "" } else { "?" }, item.number))
                .collect();
            let moves: Vec<&str> = state.view.moves.iter().map(|mv| mv.uci.as_str()).collect();
            let clocks = &state.view.clocks;
            let words = format!(
                "table {table} is shown: {} [{}] {} {} {:?} orders {:?} items {items:?}",
                state.view.result,
                moves.join(" "),
                clocks.white.0,
                clocks.black.0,
                clocks.running,
                state
                    .view
                    .orders
                    .iter()
                    .map(|order| format!("{:?} {:?}", order.what, order.status))
                    .collect::<Vec<_>>(),
            );
            let essence = |view: &ArbiterView| {
                let mut view = view.clone();
                view.clocks.as_of = crate::time::HallTime(0);
                match view.clocks.running {
                    Some(Color::White) => view.clocks.white = Millis::ZERO,
                    Some(Color::Black) => view.clocks.black = Millis::ZERO,
                    None => {}
                }
                view.check = None;
                view
            };
            let before = self.shown.get(&table).map(|before| essence(&before.view));
            if before.is_none_or(|before| before != essence(&state.view)) {
                self.tell(words);
            }
        }
        self.shown.insert(table, state);
    }

    /// What the hub has found must be so.
    fn findings(&mut self, state: &ArbiterTable) {
        let Some(table) = self.tables.iter().find(|table| table.number == state.card.table.0) else {
            return;
        };
        let mut wrong = None;
        for item in &state.view.items {
            let of = item.of;
            match item.kind.as_str() {
                "flag" if item.certain && table.fell.map(Color::from) != of => {
                    wrong = Some(format!(
                        "table {}: {of:?}'s flag is certain, and did not fall",
                        table.number
                    ));
                }
                "illegal-move" if !table.offences.iter().any(|(_, by)| Some(Color::from(*by)) == of) => {
                    wrong = Some(format!(
                        "table {}: {of:?} made no illegal move: {}",
                        table.number, item.what
                    ));
                }
                _ => {}
            }
        }
        let view = &state.view;
        if view.result != "*" && wrong.is_none() {
            wrong = self.wrong_end(table, &view.result, view.termination.as_deref());
        }
        if let Some(wrong) = wrong {
            self.fail("finding", wrong);
        }
    }

    fn wrong_end(&self, table: &Table, result: &str, termination: Option<&str>) -> Option<String> {
        let fine = match termination {
            Some("flag") => table
                .fell
                .is_some_and(|fell| result == if fell.is_white() { "0-1" } else { "1-0" } || result == "1/2-1/2"),
            Some("checkmate") => table.chess.is_checkmate(),
            Some("stalemate") => table.chess.is_stalemate(),
            Some("dead-position") => true,
            _ => {
                let asked = |ask: &Ask| {
                    ask.table.is_some_and(|at| self.tables[at].number == table.number)
                        && ask.purpose == Purpose::Result(result.to_owned())
                };
                self.asks.iter().any(asked)
            }
        };
        (!fine).then(|| {
            format!(
                "table {} ended {result} ({termination:?}), which is not so",
                table.number
            )
        })
    }

    /// Findings and rulings as the journal has them.
    fn notes(&mut self, notes: Vec<(TableNo, Note)>) {
        for (_, note) in notes {
            match note {
                Note::Opened { .. } => self.figures.findings += 1,
                Note::Ruled { .. } | Note::Acted { .. } => self.figures.rulings += 1,
                _ => {}
            }
        }
    }

    fn screened(&mut self, position: u64, card: TableCard) {
        let table = card.table.0;
        if position > self.record.durable() {
            self.fail(
                "durable",
                format!("screens show table {table} as of position {position} before that is durable"),
            );
        }
        let Some(game) = self.record.at_table(table).and_then(|kept| kept.as_of(position)) else {
            return;
        };
        let own = game.hall_view(card.view.clocks.as_of);
        if own.moves != card.view.moves || own.fen != card.view.fen || own.result != card.view.result {
            self.fail(
                "views",
                format!("screens show table {table} otherwise than the journal has it"),
            );
        }
        self.cards.insert(table, card);
    }

    fn answered(&mut self, ticket: u64, answer: Result<Answer, CallError>) {
        let Some(id) = self.tickets.remove(&ticket) else { return };
        let ask = &self.asks[id];
        if answer.is_ok() && ask.purpose == (Purpose::Set { stale: true }) {
            let what = format!(
                "request {} names a revision that never was, and was done",
                ask.call.request
            );
            self.fail("answered", what);
            return;
        }
        if let Ok(given) = &answer {
            let (author, request) = (&ask.call.author.name, ask.call.request.as_str());
            let stands = self.record.request(author, request);
            let nothing = ask.purpose == Purpose::Call && given.tables.iter().all(|table| table.error.is_some());
            if stands != Some(given.position) && !nothing {
                let what = format!(
                    "request {request} was answered at {}, but stands at {stands:?}",
                    given.position
                );
                self.fail("answered", what);
                return;
            }
        }
        match (&ask.answer, &answer) {
            (Some(Ok(before)), Ok(now)) if before.position != now.position => {
                let what = format!(
                    "request {} was answered {} and then {}",
                    ask.call.request, before.position, now.position
                );
                self.fail("answered", what);
                return;
            }
            (Some(Ok(_)), Err(error)) if !matches!(error.reason, CallReason::JournalDown | CallReason::Busy) => {
                let what = format!("request {} was done, and then refused: {error}", ask.call.request);
                self.fail("answered", what);
                return;
            }
            _ => {}
        }
        if self.started {
            let wait = self.dice.between(1, 60);
            self.after(wait, Event::Told { id, answer });
        } else {
            if let Err(error) = &answer {
                self.fail("storm", format!("the hall could not be set up: {error}"));
            }
            self.asks[id].answer = Some(answer);
        }
    }

    fn send_down(&mut self, topic: Topic, payload: Vec<u8>) {
        if !self.house.as_ref().is_some_and(|house| house.linked) {
            return;
        }
        let (id, down) = match topic {
            Topic::HubState => {
                let Ok(state) = codec::decode_wire::<pb::HubState>(&payload) else {
                    return;
                };
                self.state = Some(state.epoch);
                for device in 0..self.devices.len() {
                    self.say_state(device);
                }
                return;
            }
            Topic::Down(id, down) => (id, down),
            Topic::Up(..) => return,
        };
        let Some(device) = self.devices.iter().position(|device| device.id == id) else {
            return;
        };
        match down {
            Down::Seen => {
                let Ok(seen) = codec::decode_wire::<pb::Seen>(&payload) else {
                    self.fail("storm", "a `seen` that cannot be read".into());
                    return;
                };
                let durable = self.record.mark(id.as_str(), seen.boot);
                if seen.resend || seen.birth {
                    tell!(self, "{id} is asked for what is missing: {seen:?}");
                }
                if seen.seq > durable {
                    self.fail(
                        "seen",
                        format!("{id} is told that {} is seen, and {durable} is durable", seen.seq),
                    );
                    return;
                }
            }
            Down::Order => {
                let Ok(order) = codec::decode_wire::<pb::Order>(&payload) else {
                    self.fail("storm", "an order that cannot be read".into());
                    return;
                };
                if order.epoch != self.highest_epoch {
                    self.fail("epoch", format!("order {} has epoch {}", order.id, order.epoch));
                }
                tell!(
                    self,
                    "order to {id}: {} {:?} decided on {}",
                    order.id,
                    order.what,
                    order.decided_seq
                );
                self.figures.orders += 1;
            }
            Down::Time => {}
        }
        if !self.devices[device].connected || !self.broker_up {
            return;
        }
        let link = self.links[device].number;
        self.travel(
            device,
            false,
            |payload| Event::ToDevice {
                device,
                down,
                payload,
                link,
            },
            payload,
        );
    }

    fn say_state(&mut self, device: usize) {
        if let Some(epoch) = self.state
            && self.devices[device].connected
        {
            let (link, wait) = (self.links[device].number, self.dice.between(5, 80));
            self.after(wait, Event::State { device, epoch, link });
        }
    }

    // ---- the network ----

    /// Sends something on its way: late, twice, or never. What happens to a message hangs on its number alone.
    fn travel(&mut self, device: usize, up: bool, event: impl Fn(Vec<u8>) -> Event, payload: Vec<u8>) {
        let way = usize::from(up);
        let link = &mut self.links[device];
        link.messages[way] += 1;
        let number = link.messages[way];
        let mut dice = Chance::new(self.plan.seed).of((device as u64) << 40 | (way as u64) << 39 | number);
        let network = &self.plan.network;
        let wild = !self.calm && !self.healed;
        if wild && dice.percent(network.lost_percent) {
            self.figures.fault(Kind::Loss);
            return;
        }
        let copies = if wild && dice.percent(network.doubled_percent) {
            self.figures.fault(Kind::Duplication);
            2
        } else {
            1
        };
        for copy in 0..copies {
            let jitter = if wild { network.jitter_ms } else { 5 };
            let mut at = self.now + network.least_ms + dice.between(0, jitter);
            let link = &mut self.links[device];
            if !(wild && network.reordered) {
                at = at.max(link.last[way]);
                link.last[way] = at;
            } else if copy == 0 && at < link.last[way] {
                self.figures.fault(Kind::Reordering);
            }
            let link = &mut self.links[device];
            link.last[way] = link.last[way].max(at);
            let event = event(payload.clone());
            if link.cut || link.stalled {
                link.held.push((up, event));
            } else {
                self.at(at, event);
            }
        }
    }

    fn send_up(&mut self, device: usize, out: Vec<Out>) {
        for (up, payload) in out {
            if up == Up::Birth {
                self.links[device].kept = Some((up, payload.clone()));
            }
            if !self.devices[device].connected || !self.broker_up {
                continue;
            }
            let broker = self.broker;
            self.travel(
                device,
                true,
                |payload| Event::ToHub {
                    device,
                    up,
                    payload,
                    retained: false,
                    broker,
                },
                payload,
            );
        }
    }

    fn picture(&self, device: usize) -> String {
        let nature = &self.devices[device].nature;
        if !nature.board {
            return String::new();
        }
        let table = self.tables.iter().find(|table| table.board == device);
        table
            .map(|table| table.picture(nature.tells_pieces))
            .unwrap_or_default()
    }

    fn connect(&mut self, device: usize) {
        let cut = self.links[device].cut;
        let known = &self.devices[device];
        if !known.on || known.connected {
            return;
        }
        if cut || !self.broker_up {
            let wait = self.dice.between(1_000, 4_000);
            self.after(wait, Event::Connect { device });
            return;
        }
        self.links[device].number += 1;
        self.links[device].held.clear();
        tell!(
            self,
            "{} connects, {} reports not seen",
            self.devices[device].id,
            self.devices[device].unseen()
        );
        self.devices[device].connecting();
        self.say_state(device);
        self.say_birth(device);
        let (boot, wait) = (self.devices[device].boot, self.dice.between(500, 5_000));
        self.after(wait, Event::Vital { device, boot });
    }

    fn say_birth(&mut self, device: usize) {
        let picture = self.picture(device);
        self.count(device);
        let now = self.now;
        let birth = self.devices[device].birth(now, picture);
        let mut out = vec![birth];
        out.extend(self.devices[device].all_kept(now));
        self.send_up(device, out);
    }

    /// The connection is gone; the device tries again.
    fn disconnect(&mut self, device: usize) {
        if !self.devices[device].connected {
            return;
        }
        self.devices[device].connected = false;
        self.links[device].number += 1;
        self.links[device].held.clear();
        let wait = self.dice.between(500, 5_000);
        self.after(wait, Event::Connect { device });
    }

    // ---- what happens ----

    fn event(&mut self, event: Event) {
        match event {
            Event::ToHub {
                device,
                up,
                payload,
                retained,
                broker,
            } => {
                let there = self.house.as_ref().is_some_and(|house| house.linked);
                if matches!(up, Up::Birth | Up::Death | Up::Report) {
                    tell!(
                        self,
                        "{} says {up:?}{}: {}",
                        self.devices[device].id,
                        if retained { ", retained" } else { "" },
                        if broker == self.broker && self.broker_up && there {
                            "heard"
                        } else {
                            "not heard"
                        }
                    );
                }
                if broker == self.broker && self.broker_up && there {
                    self.figures.messages += 1;
                    let id = self.devices[device].id.clone();
                    self.front(FrontInput::Message {
                        device: id,
                        up,
                        retained,
                        payload: payload.into(),
                    });
                }
            }
            Event::ToDevice {
                device,
                down,
                payload,
                link,
            } => {
                if self.links[device].number == link && self.devices[device].on {
                    self.heard(device, down, &payload);
                }
            }
            Event::State { device, epoch, link } => {
                if self.links[device].number == link && self.devices[device].on && epoch > self.devices[device].epoch {
                    self.devices[device].epoch = epoch;
                    self.say_birth(device);
                }
            }
            Event::Disk { life } if life == self.life => self.write(),
            Event::Disk { .. } => {}
            Event::Start => self.start(),
            Event::LinkUp { life, cut } => {
                if life == self.life && cut == self.hub_cut && self.hub_reachable && self.broker_up {
                    self.link_up();
                }
            }
            Event::Hand { table, token } => {
                if self.tables[table].token == token {
                    self.hand(table);
                }
            }
            Event::Zero { device, boot } => {
                if self.devices[device].boot == boot {
                    self.count(device);
                }
            }
            Event::Vital { device, boot } => {
                let known = &self.devices[device];
                if known.boot == boot && known.connected && known.on {
                    self.count(device);
                    let vital = self.devices[device].vital(self.now, None);
                    self.send_up(device, vec![vital]);
                    self.after(5_000, Event::Vital { device, boot });
                }
            }
            Event::ByHand { device, boot } => {
                if self.devices[device].boot == boot && self.devices[device].on {
                    self.by_hand(device);
                }
            }
            Event::Connect { device } => self.connect(device),
            Event::Gone { device, link } => {
                if self.links[device].number == link && (self.links[device].cut || !self.broker_up) {
                    self.disconnect(device);
                }
            }
            Event::Will { device, link, payload } => {
                // A connection that has ended, or was never noticed to: its Will comes either way, perhaps late.
                let gone = self.links[device].number != link || self.links[device].cut;
                if gone && self.broker_up {
                    let broker = self.broker;
                    self.after(
                        3,
                        Event::ToHub {
                            device,
                            up: Up::Death,
                            payload,
                            retained: false,
                            broker,
                        },
                    );
                }
            }
            Event::Fault(at) => self.fault(at),
            Event::FaultOver(at) => self.fault_over(at),
            Event::Calm => self.call_the_round(),
            Event::Arbiter(who) => {
                self.look_round(who);
                let wait = self.dice.between(900, 2_600);
                self.after(wait, Event::Arbiter(who));
            }
            Event::Whim(at) => self.whim(at),
            Event::Ask { id } => self.bring(id),
            Event::Told { id, answer } => self.told(id, answer),
            Event::Again { id, attempt } => {
                if self.asks[id].answer.is_none() && self.asks[id].attempts == attempt {
                    self.event(Event::Ask { id });
                }
            }
            Event::Resume { table } => {
                let number = self.tables[table].number;
                self.ask_soon(0, table, Purpose::Resume, people::act(number, None, Deed::Resume));
            }
        }
    }

    fn link_up(&mut self) {
        if let Some(house) = &mut self.house
            && !house.linked
        {
            house.linked = true;
            house.tell_front(FrontInput::LinkUp);
        }
    }

    fn link_down(&mut self) {
        if let Some(house) = &mut self.house
            && house.linked
        {
            house.linked = false;
            house.tell_front(FrontInput::LinkDown);
        }
    }

    fn heard(&mut self, device: usize, down: Down, payload: &[u8]) {
        let now = self.now;
        self.count(device);
        match down {
            Down::Time => {
                if let Ok(probe) = codec::decode_wire::<pb::TimeProbe>(payload) {
                    let vital = self.devices[device].vital(now, Some(&probe));
                    self.send_up(device, vec![vital]);
                }
            }
            Down::Seen => {
                if let Ok(seen) = codec::decode_wire::<pb::Seen>(payload) {
                    let picture = self.picture(device);
                    let out = self.devices[device].seen(&seen, now, picture);
                    self.send_up(device, out);
                }
            }
            Down::Order => {
                if let Ok(order) = codec::decode_wire::<pb::Order>(payload) {
                    let (out, changed) = self.devices[device].order(&order, now);
                    tell!(self, "{} obeys {}: {changed}", self.devices[device].id, order.id);
                    self.send_up(device, vec![out]);
                    if changed {
                        self.clock_changed(device);
                    }
                }
            }
        }
    }

    // ---- players and clocks ----

    /// Lets a clock count on to now; a flag that falls is shown and told.
    fn count(&mut self, device: usize) {
        if !self.devices[device].nature.counts || !self.devices[device].on {
            return;
        }
        let local = self.devices[device].local(self.now);
        let Some((side, zero)) = self.devices[device].clock.count(local) else {
            return;
        };
        let at = self.devices[device].true_time(zero).min(self.now);
        let clock = Some(self.devices[device].clock.state());
        let what = What::Flag(pb::Flag {
            side: wire_side(Some(side)),
            clock,
        });
        let out = self.devices[device].report(what, "flag", 1, at, self.now);
        if let Some(table) = self.tables.iter_mut().find(|table| table.clock == device) {
            table.fell = Some(table.color(side));
            table.token += 1;
            table.hands.clear();
            table.finished = true;
            let (number, color) = (table.number, table.color(side));
            tell!(self, "table {number}: {color}'s flag falls");
            self.figures.flags += 1;
        }
        self.send_up(device, vec![out]);
    }

    fn clock_changed(&mut self, device: usize) {
        if let Some(zero) = self.devices[device].clock.zero() {
            let at = self.devices[device].true_time(zero);
            let boot = self.devices[device].boot;
            if at < self.now + 1_000_000 {
                self.at(at, Event::Zero { device, boot });
            }
        }
        if let Some(table) = self.tables.iter().position(|table| table.clock == device) {
            self.look(table);
        }
    }

    /// The players look at their clock.
    fn look(&mut self, at: usize) {
        let device = &self.devices[self.tables[at].clock];
        let running = device.clock.running;
        let tells = self.devices[self.tables[at].board].nature.tells_pieces;
        let table = &mut self.tables[at];
        if table.result.is_some() || table.fell.is_some() {
            return;
        }
        let turn = table.side(table.chess.turn());
        let dark = !self.devices[table.board].on && !self.plan.kinds.contains(&Kind::BlindBoard);
        if running != Some(turn) || table.offender.is_some() || dark {
            // What was begun waits.
            if table.offender.is_none() {
                table.token += 1;
                table.moving_on = false;
            }
            return;
        }
        if table.hands.is_empty() {
            table.begin_turn(tells);
            if table.finished {
                table.finished_at = self.now;
            }
        }
        self.next_hand(at);
    }

    fn next_hand(&mut self, at: usize) {
        let table = &mut self.tables[at];
        table.token += 1;
        if let Some((wait, _)) = table.hands.front() {
            let (wait, token) = (*wait, table.token);
            table.moving_on = true;
            self.after(wait, Event::Hand { table: at, token });
        }
    }

    fn hand(&mut self, at: usize) {
        let clock = self.tables[at].clock;
        self.count(clock);
        let Some((_, hand)) = self.tables[at].hands.pop_front() else {
            return;
        };
        match hand {
            Hand::Touch(square, piece) => {
                let table = &mut self.tables[at];
                match piece {
                    Some(piece) => table.pieces.set_piece_at(square, piece),
                    None => table.pieces.discard_piece_at(square),
                }
                let board = table.board;
                let seen = table.seen_as(square);
                let tells = self.devices[board].nature.tells_pieces;
                let now = match piece {
                    None => String::new(),
                    Some(piece) if tells => piece.char().to_string(),
                    Some(_) => "x".to_owned(),
                };
                let what = What::Squares(pb::SquaresChanged {
                    changes: vec![pb::SquareChange {
                        square: seen.to_string(),
                        now,
                    }],
                });
                if self.devices[board].on {
                    let out = self.devices[board].report(what, "square", 1, self.now, self.now);
                    self.send_up(board, vec![out]);
                }
            }
            Hand::Press => {
                let turn = self.tables[at].chess.turn();
                let side = self.tables[at].side(turn);
                let local = self.devices[clock].local(self.now);
                if !self.devices[clock].clock.press(side, local) {
                    self.tables[at].hands.push_front((50, Hand::Press));
                    return;
                }
                let shown = self.devices[clock].clock.halves[side].left;
                let state = self.devices[clock].clock.state();
                let what = What::Press(pb::Press {
                    side: wire_side(Some(side)),
                    clock: Some(state),
                });
                let out = self.devices[clock].report(what, "press", 1, self.now, self.now);
                self.tables[at].completed(shown);
                if self.story.is_some() {
                    let table = &self.tables[at];
                    let ply = table.record.last().cloned();
                    let words = format!(
                        "table {}: {turn} plays {}{}, {shown} ms left",
                        table.number,
                        ply.as_ref().map_or("?", |ply| &ply.uci),
                        if ply.as_ref().is_some_and(|ply| ply.legal) {
                            ""
                        } else {
                            " (illegal)"
                        },
                    );
                    self.tell(words);
                }
                self.send_up(clock, vec![out]);
                self.clock_changed(clock);
                return;
            }
        }
        if self.tables[at].hands.is_empty() {
            // Pieces were put back.
            self.look(at);
        } else {
            self.next_hand(at);
        }
    }

    // ---- faults ----

    fn fault(&mut self, at: usize) {
        if self.healed {
            return;
        }
        let fault = self.plan.faults[at].clone();
        self.figures.fault(fault.kind());
        tell!(self, "FAULT {fault:?}");
        match fault {
            Fault::Partition { device, lasts, .. } => {
                self.links[device].cut = true;
                let link = self.links[device].number;
                let (soon, will) = (self.dice.between(3_000, 12_000), self.dice.between(10_000, 22_000));
                self.after(soon, Event::Gone { device, link });
                let payload = self.devices[device].death(false).1;
                self.after(will, Event::Will { device, link, payload });
                self.after(lasts, Event::FaultOver(at));
            }
            Fault::Stall { device, lasts, .. } => {
                self.links[device].stalled = true;
                self.after(lasts, Event::FaultOver(at));
            }
            Fault::BrokerRestart { lasts, .. } => {
                self.broker_up = false;
                self.broker += 1;
                self.state = None;
                for device in 0..self.devices.len() {
                    let (link, wait) = (self.links[device].number, self.dice.between(0, 2_000));
                    self.after(wait, Event::Gone { device, link });
                }
                self.link_down();
                self.after(lasts, Event::FaultOver(at));
            }
            Fault::HubCut { lasts, .. } => {
                self.hub_reachable = false;
                self.hub_cut += 1;
                self.link_down();
                self.after(lasts, Event::FaultOver(at));
            }
            Fault::Retained { .. } => {
                // Comes at the hub's next subscription, or now.
                self.after(1, Event::FaultOver(at));
            }
            Fault::Restart { device, lasts, .. } => {
                let payload = self.devices[device].death(false).1;
                let link = self.links[device].number;
                if !self.devices[device].on {
                    return;
                }
                self.count(device);
                self.devices[device].switch_off(self.now);
                self.disconnect(device);
                self.after(50, Event::Will { device, link, payload });
                self.after(lasts, Event::FaultOver(at));
                if let Some(table) = self.tables.iter_mut().find(|table| table.devices.contains(&device)) {
                    table.exact &= table.clock != device;
                }
                self.clock_changed(device);
                if let Some(table) = self.tables.iter().position(|table| table.board == device) {
                    self.look(table);
                }
            }
            Fault::Exchange { table, .. } => self.exchange(table, at),
            Fault::Kill { .. } | Fault::PowerCut { .. } | Fault::Disk { .. } => {}
        }
    }

    fn fault_over(&mut self, at: usize) {
        match self.plan.faults[at].clone() {
            Fault::Partition { device, .. } => {
                self.links[device].cut = false;
                self.let_go(device);
            }
            Fault::Stall { device, .. } => {
                self.links[device].stalled = false;
                self.let_go(device);
            }
            Fault::BrokerRestart { .. } => {
                self.broker_up = true;
                for device in 0..self.devices.len() {
                    // Whoever had not noticed does now.
                    self.disconnect(device);
                }
                self.link_soon();
            }
            Fault::HubCut { .. } => {
                self.hub_reachable = true;
                self.link_soon();
            }
            Fault::Retained { device, .. } => {
                if let Some((up, payload)) = self.links[device].kept.clone() {
                    let when = match self.plan.faults[at] {
                        Fault::Retained { at, .. } => at,
                        _ => self.now,
                    };
                    let broker = self.broker;
                    self.at(
                        when,
                        Event::ToHub {
                            device,
                            up,
                            payload,
                            retained: true,
                            broker,
                        },
                    );
                }
            }
            Fault::Restart { device, memory, .. } => {
                let (boot, counter) = (
                    self.dice.below(u64::from(u32::MAX)) as u32 | 1,
                    self.dice.between(300, 3_000),
                );
                let before = self.devices[device].unseen();
                self.devices[device].restart(boot, counter, memory, self.now);
                let lost = self.devices[device].unseen() < before;
                if let Some(table) = self.tables.iter_mut().find(|table| table.devices.contains(&device)) {
                    table.whole &= !lost;
                }
                tell!(self, "{} is on again: boot {boot}", self.devices[device].id);
                self.connect(device);
                self.by_hand_soon(device);
                if let Some(table) = self.tables.iter().position(|table| table.board == device) {
                    self.look(table);
                }
            }
            _ => {}
        }
    }

    /// A clock that has forgotten that it ran is started by the players.
    fn by_hand_soon(&mut self, device: usize) {
        if self.devices[device].clock.has_control() && self.tables.iter().any(|table| table.clock == device) {
            let (boot, wait) = (self.devices[device].boot, self.dice.between(1_000, 4_000));
            self.after(wait, Event::ByHand { device, boot });
        }
    }

    /// Another clock is put there; the arbiter tells the hub.
    fn exchange(&mut self, table: usize, at: usize) {
        let Some(spare) = self.spares.get(&at).copied() else {
            return;
        };
        let old = self.tables[table].clock;
        if self.tables[table].result.is_some() || !self.devices[old].on {
            return;
        }
        self.count(old);
        if self.tables[table].fell.is_some() {
            return;
        }
        let payload = self.devices[old].death(false).1;
        let link = self.links[old].number;
        self.devices[old].switch_off(self.now);
        let lost = self.devices[old].unseen() > 0;
        self.devices[old].is_lost();
        self.links[old].number += 1;
        self.after(
            50,
            Event::Will {
                device: old,
                link,
                payload,
            },
        );
        let table_state = &mut self.tables[table];
        table_state.exact = false;
        table_state.whole &= !lost;
        table_state.clock = spare;
        if table_state.board == old {
            table_state.board = spare;
        }
        table_state.devices.push(spare);
        let now = self.now;
        let counter = self.devices[spare].local(now);
        let boot = self.devices[spare].boot;
        self.devices[spare].restart(boot, counter, false, now);
        self.look(table);
        self.connect(spare);
        let command = Command::ReplaceDevice {
            old: self.devices[old].id.clone(),
            new: self.devices[spare].id.clone(),
        };
        self.ask_soon(0, table, Purpose::Setup, command);
    }

    fn by_hand(&mut self, device: usize) {
        let Some(at) = self.tables.iter().position(|table| table.clock == device) else {
            return;
        };
        let now = self.now;
        self.count(device);
        let table = &self.tables[at];
        let started = self
            .shown
            .get(&table.number)
            .is_some_and(|shown| shown.view.started.is_some());
        if table.result.is_some() || table.fell.is_some() || table.offender.is_some() || !started {
            return;
        }
        if self.devices[device].clock.running.is_some() {
            return;
        }
        let side = table.side(table.chess.turn());
        let local = self.devices[device].local(now);
        self.devices[device].clock.run(side, local);
        let after = Some(self.devices[device].clock.state());
        let what = What::ByHand(pb::ByHand {
            kind: pb::by_hand::Kind::Started.into(),
            before: None,
            after,
        });
        tell!(self, "table {}: the clock is started by hand", self.tables[at].number);
        let out = self.devices[device].report(what, "by-hand", 1, now, now);
        self.send_up(device, vec![out]);
        self.clock_changed(device);
    }

    fn link_soon(&mut self) {
        let (life, cut, wait) = (self.life, self.hub_cut, self.dice.between(100, 3_000));
        self.after(wait, Event::LinkUp { life, cut });
    }

    /// What waited is under way again, if its connection lived.
    fn let_go(&mut self, device: usize) {
        let link = &mut self.links[device];
        if link.cut || link.stalled {
            return;
        }
        for (_, event) in std::mem::take(&mut link.held) {
            let wait = self.dice.between(5, 60);
            let at = (self.now + wait).max(self.links[device].last[0]);
            self.links[device].last[0] = at;
            self.at(at, event);
        }
    }

    // ---- people ----

    fn ask(&mut self, who: usize, table: Option<usize>, purpose: Purpose, command: Command) -> Option<usize> {
        let id = self.asks.len();
        let call = people::call(who, id, command)?;
        self.asks.push(Ask {
            table,
            purpose,
            call,
            attempts: 0,
            answer: None,
            again: false,
        });
        Some(id)
    }

    fn ask_soon(&mut self, who: usize, table: usize, purpose: Purpose, command: Command) -> Option<usize> {
        let id = self.ask(who, Some(table), purpose, command)?;
        let wait = self.dice.between(1, 80);
        self.after(wait, Event::Ask { id });
        Some(id)
    }

    /// A request reaches the hub, or does not.
    fn bring(&mut self, id: usize) {
        self.asks[id].attempts += 1;
        let attempt = self.asks[id].attempts;
        if self.started {
            let wait = self.dice.between(2_000, 5_000);
            self.after(wait, Event::Again { id, attempt });
        }
        let Some(house) = &mut self.house else { return };
        let ticket = house.ticket();
        self.tickets.insert(ticket, id);
        self.figures.calls += 1;
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = (id as u8).wrapping_mul(31).wrapping_add(at as u8);
        }
        let what = Box::new(self.asks[id].call.clone());
        let chance = Random {
            bytes,
            wall_ms: super::house::wall(self.now),
        };
        tell!(
            self,
            "{} asks (r-{id}, {attempt}): {:?}",
            self.asks[id].call.author.name,
            self.asks[id].call.command
        );
        self.front(FrontInput::Call {
            call: ticket,
            what,
            chance,
        });
    }

    fn told(&mut self, id: usize, answer: Result<Answer, CallError>) {
        tell!(self, "r-{id} is answered: {answer:?}");
        let ask = self.asks[id].clone();
        if let Err(error) = &answer
            && matches!(
                error.reason,
                CallReason::JournalDown | CallReason::Busy | CallReason::Stopping
            )
        {
            // Asked again later, under the same id.
            return;
        }
        let first = ask.answer.is_none();
        self.asks[id].answer = Some(answer.clone());
        if !first {
            return;
        }
        if ask.again {
            let wait = self.dice.between(100, 4_000);
            self.after(wait, Event::Ask { id });
        }
        let Some(table) = ask.table else { return };
        if answer.is_err() {
            return;
        }
        match ask.purpose {
            Purpose::Pause { resume_after } => self.after(resume_after, Event::Resume { table }),
            Purpose::Add([white, black]) => {
                self.tables[table]
                    .granted
                    .push((ask.call.request.to_string(), [white, black]));
            }
            Purpose::Result(result) => {
                tell!(self, "table {} is over: {result}", table + 1);
                let table = &mut self.tables[table];
                table.result = Some(result);
                table.token += 1;
            }
            Purpose::Confirm { kind } if kind == "illegal-move" => {
                let table_state = &mut self.tables[table];
                if table_state.offender.is_some() {
                    table_state.put_back();
                    self.next_hand(table);
                }
            }
            _ => {}
        }
    }

    /// An open request of anybody at this table.
    fn busy(&self, table: usize) -> bool {
        self.asks
            .iter()
            .rev()
            .take(40)
            .any(|ask| ask.table == Some(table) && ask.answer.is_none())
    }

    /// An arbiter looks at what is shown, and does what has to be done.
    fn look_round(&mut self, who: usize) {
        for at in 0..self.tables.len() {
            let number = self.tables[at].number;
            let Some(shown) = self.shown.get(&number) else { continue };
            let view = shown.view.clone();
            if self.busy(at) {
                continue;
            }
            if let Some(item) = view.items.iter().find(|item| {
                item.certain
                    && matches!(
                        item.kind.as_str(),
                        "illegal-move" | "flag" | "adjusted-at-table" | "reports-lost" | "late-news"
                    )
            }) {
                let purpose = Purpose::Confirm {
                    kind: item.kind.clone(),
                };
                let deed = Deed::Confirm {
                    item: Some(item.number),
                    promotion: None,
                };
                self.ask_soon(who, at, purpose, people::act(number, Some(item.revision), deed));
                continue;
            }
            if view.result != "*" {
                if self.tables[at].result.is_none() {
                    self.tables[at].result = Some(view.result.clone());
                }
                continue;
            }
            self.do_by_hand(at, &view);
            let table = &self.tables[at];
            // Everything is put back: on it goes.
            if let Some(offender) = table.offender {
                let ruled = view.illegal.0 + view.illegal.1 > 0;
                if ruled && table.record.last().is_some_and(|ply| !ply.legal) {
                    // The regulations have ruled by themselves.
                    self.tables[at].put_back();
                    self.next_hand(at);
                    continue;
                }
                let back = table.pieces == *table.chess.board();
                let stands = self.devices[table.clock].clock.running.is_none();
                let waits = view.orders.iter().any(|order| order.status == OrderStatus::Sent);
                if ruled && back && stands && !waits {
                    self.tables[at].offender = None;
                    let _ = offender;
                    self.ask_soon(who, at, Purpose::Resume, people::act(number, None, Deed::Resume));
                }
                continue;
            }
            // A result is entered when the last move has been seen; an impatient arbiter does not wait for that.
            let patience = if self.plan.kinds.contains(&Kind::Arbiters) {
                0
            } else {
                6_000
            };
            if table.finished && table.fell.is_none() && self.now > table.finished_at + patience {
                let result = (*self.dice.pick(&["1-0", "0-1", "1/2-1/2"])).to_owned();
                let deed = Deed::Decide { result: result.clone() };
                self.ask_soon(
                    who,
                    at,
                    Purpose::Result(result),
                    people::act(number, Some(view.revision), deed),
                );
            }
        }
    }

    /// What the clock did not take is done at the clock.
    fn do_by_hand(&mut self, at: usize, view: &ArbiterView) {
        let number = self.tables[at].number;
        let game = self
            .record
            .registry
            .tables
            .get(&TableNo(number))
            .and_then(|table| table.game);
        let Some(game) = game else { return };
        for order in &view.orders {
            let open = matches!(order.status, OrderStatus::ByHand | OrderStatus::Refused(_));
            if !open || self.tables[at].by_hand.contains(&order.number) {
                continue;
            }
            self.tables[at].by_hand.push(order.number);
            self.tables[at].exact = false;
            let clock = self.tables[at].clock;
            if !self.devices[clock].on || self.devices[clock].has_done(&format!("{game}:{}", order.number)) {
                continue;
            }
            self.count(clock);
            if self.tables[at].fell.is_some() {
                return;
            }
            let (now, local) = (self.now, self.devices[clock].local(self.now));
            let white = self.tables[at].white_side;
            let sides = |of_white: i64, of_black: i64| {
                if white == 0 {
                    [of_white, of_black]
                } else {
                    [of_black, of_white]
                }
            };
            let device = &mut self.devices[clock];
            let before = Some(device.clock.state());
            let kind = match &order.what {
                OrderKind::Stop => {
                    device.clock.stop(local);
                    pb::by_hand::Kind::Stopped
                }
                OrderKind::Run(color) => {
                    device
                        .clock
                        .run(if *color == Color::White { white } else { 1 - white }, local);
                    pb::by_hand::Kind::Started
                }
                OrderKind::Add { white, black } => {
                    device.clock.add(sides(white.0, black.0), local);
                    pb::by_hand::Kind::Adjusted
                }
                OrderKind::Set { white, black, .. } => {
                    let runs = device.clock.running;
                    device.clock.stop(local);
                    device.clock.set(sides(white.0, black.0), [None; 2]);
                    device.clock.running = runs;
                    pb::by_hand::Kind::Adjusted
                }
                OrderKind::Control => continue,
            };
            let after = Some(device.clock.state());
            let what = What::ByHand(pb::ByHand {
                kind: kind.into(),
                before,
                after,
            });
            tell!(self, "table {number}: order {} is done by hand: {kind:?}", order.number);
            let out = self.devices[clock].report(what, "by-hand", 1, now, now);
            self.send_up(clock, vec![out]);
            self.clock_changed(clock);
        }
    }

    fn whim(&mut self, at: usize) {
        let act = self.plan.acts[at].clone();
        let table = act.table;
        let number = self.tables[table].number;
        let Some(view) = self.shown.get(&number).map(|shown| shown.view.clone()) else {
            return;
        };
        if self.healed || view.result != "*" || self.tables[table].result.is_some() || view.started.is_none() {
            return;
        }
        self.figures.fault(Kind::Arbiters);
        let adjust = |white: Option<TimeChange>, black: Option<TimeChange>| Deed::Adjust {
            white,
            black,
            moves_done: None,
        };
        let by = |ms: i64| Some(TimeChange::By(Millis(ms)));
        let mut asked = Vec::new();
        match act.whim {
            Whim::Pause { lasts } => {
                let purpose = Purpose::Pause { resume_after: lasts };
                asked.extend(self.ask_soon(1, table, purpose, people::act(number, None, Deed::Pause)));
            }
            Whim::Add { white, black } => {
                let deed = adjust(by(white), by(black));
                asked.extend(self.ask_soon(0, table, Purpose::Add([white, black]), people::act(number, None, deed)));
            }
            Whim::Set { white, stale } => {
                let revision = if stale { view.revision + 7 } else { view.revision };
                let deed = adjust(Some(TimeChange::To(Millis(white))), None);
                asked.extend(self.ask_soon(
                    0,
                    table,
                    Purpose::Set { stale },
                    people::act(number, Some(revision), deed),
                ));
            }
            Whim::Both { black } => {
                for who in 0..2 {
                    let deed = adjust(None, by(black));
                    let id = self.ask(
                        who,
                        Some(table),
                        Purpose::Add([0, black]),
                        people::act(number, None, deed),
                    );
                    if let Some(id) = id {
                        self.after(20, Event::Ask { id });
                        asked.push(id);
                    }
                }
            }
        }
        for id in asked {
            self.asks[id].again = act.repeated;
        }
    }

    // ---- the end ----

    /// Whether everything is over, or time is up; heals the network when the games are.
    fn is_over(&mut self) -> bool {
        if !self.started {
            return false;
        }
        let games_over = self.tables.iter().all(|table| table.result.is_some());
        let long = self.now > CALL_AT + 2 * PATIENCE;
        if !self.healed && (games_over || long) {
            self.heal();
        }
        if !self.healed {
            return false;
        }
        if self.now > CALL_AT + 3 * PATIENCE {
            return true;
        }
        let done = games_over
            && self.house.is_some()
            && self
                .devices
                .iter()
                .all(|device| device.unseen() == 0 && device.connected)
            && self.asks.iter().all(|ask| ask.answer.is_some())
            && self.tables.iter().all(|table| {
                self.shown
                    .get(&table.number)
                    .is_some_and(|shown| shown.view.result != "*")
            })
            && !self.disk_waits;
        if !done {
            self.quiet = None;
            return false;
        }
        self.now > *self.quiet.get_or_insert(self.now) + SETTLES
    }

    fn heal(&mut self) {
        tell!(self, "the weather clears");
        self.healed = true;
        if !matches!(self.death, Some(Fault::Disk { .. })) {
            self.death = None;
        }
        for device in 0..self.devices.len() {
            self.links[device].cut = false;
            self.links[device].stalled = false;
            self.let_go(device);
        }
        // What is off is switched on when its time has come.
        if !self.broker_up {
            self.broker_up = true;
            for device in 0..self.devices.len() {
                self.disconnect(device);
            }
        }
        self.hub_reachable = true;
        self.link_soon();
    }

    /// Everything that the devices have said is on the record, and the record is what was played.
    fn judge(&mut self) {
        for at in 0..self.devices.len() {
            if self.devices[at].unseen() > 0 {
                let what = format!(
                    "{} still keeps {} reports, long after the network was mended",
                    self.devices[at].id,
                    self.devices[at].unseen()
                );
                self.fail("seen", what);
                return;
            }
        }
        if let Some(ask) = self.asks.iter().find(|ask| ask.answer.is_none()) {
            let what = format!(
                "request {} was never answered: {:?}",
                ask.call.request, ask.call.command
            );
            self.fail("answered", what);
            return;
        }
        for at in 0..self.tables.len() {
            if let Some((rule, what)) = self.judge_table(at) {
                self.fail(rule, what);
                return;
            }
        }
    }

    fn judge_table(&self, at: usize) -> Option<(&'static str, String)> {
        let table = &self.tables[at];
        let number = table.number;
        let Some(shown) = self.shown.get(&number) else {
            return Some(("views", format!("table {number} was never shown")));
        };
        let view = &shown.view;
        if view.result == "*" {
            return Some((
                "over",
                format!(
                    "table {number} is not over: items {:?}, orders {:?}",
                    view.items, view.orders
                ),
            ));
        }
        let kept = self.record.at_table(number)?;
        for &device in &table.devices {
            let device = &self.devices[device];
            for made in device.made.iter().filter(|made| !made.gone) {
                let facts = kept.facts(device.id.as_str(), made.boot, made.seq);
                if facts != made.facts {
                    let what = format!(
                        "report {} of {} (a {}, at {}) is {facts} times on the record of table {number}",
                        made.seq, device.id, made.what, made.at
                    );
                    return Some(("events", what));
                }
            }
        }
        let moves: Vec<&str> = view.moves.iter().map(|mv| mv.uci.as_str()).collect();
        let mut played: Vec<&str> = table.record.iter().map(|ply| ply.uci.as_str()).collect();
        if table.whole {
            // The last one may have been made and not pressed, or be an ending by release.
            if moves.len() == played.len() + 1 {
                played.push(moves[played.len()]);
            }
            if moves != played {
                return Some((
                    "record",
                    format!("table {number}: played {played:?}, on the record {moves:?}"),
                ));
            }
            if table.exact {
                for (ply, (shown, played)) in view.moves.iter().zip(&table.record).enumerate() {
                    if shown.clock.is_some_and(|clock| clock.0 != played.shown) {
                        let what = format!(
                            "table {number}, half-move {}: the clock showed {} ms, on the record are {:?}",
                            ply + 1,
                            played.shown,
                            shown.clock
                        );
                        return Some(("times", what));
                    }
                }
            }
        }
        let ruled = self.asks.iter().any(|ask| {
            ask.table == Some(at)
                && !matches!(
                    ask.purpose,
                    Purpose::Add(_) | Purpose::Pause { .. } | Purpose::Resume | Purpose::Result(_)
                )
        });
        if table.exact && !ruled && table.offences.is_empty() {
            // What the clock was given is what was granted, in that order; the last of it may have come after the end.
            let mut given = [0; 2];
            for change in &self.devices[table.clock].changes {
                given = [given[0] + change[0], given[1] + change[1]];
            }
            let given = table.by_color(given);
            let mut granted = [0; 2];
            let mut sums = vec![granted];
            for (_, by) in &table.granted {
                granted = [granted[0] + by[0], granted[1] + by[1]];
                sums.push(granted);
            }
            if !sums.contains(&given) {
                let what = format!(
                    "table {number}: the clock was given {given:?} ms, granted were {:?}",
                    table.granted
                );
                return Some(("orders", what));
            }
        }
        None
    }
}

/// Where two views differ first, in words.
fn difference(own: &ArbiterView, shown: &ArbiterView) -> String {
    let (own, shown) = (serde_json::to_value(own), serde_json::to_value(shown));
    let (Ok(serde_json::Value::Object(own)), Ok(serde_json::Value::Object(shown))) = (own, shown) else {
        return "they cannot be written".into();
    };
    for (name, value) in &own {
        if shown.get(name) != Some(value) {
            return format!("{name}: {value} in the journal, {:?} shown", shown.get(name));
        }
    }
    "nothing".into()
}
