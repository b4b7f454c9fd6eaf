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
use super::table::{Granted, Hand, Table};
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

mod arbiters;
mod faults;
mod judge;
mod life;
mod network;
mod opening;
mod play;
mod shown;

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
                    self.pass(at);
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
        if self.failure.is_some() && self.story.is_some() {
            (0..self.tables.len()).for_each(|at| self.tell_course(at));
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
        self.pass(deadline);
        if let Some(house) = &mut self.house {
            house.ring(self.now);
        }
        self.pump();
    }

    /// Time goes on to this moment.
    fn pass(&mut self, to: i64) {
        let span = to - self.now;
        if span <= 0 {
            return;
        }
        let hub = self.broker_up && self.house.as_ref().is_some_and(|house| house.linked);
        for table in self.tables.iter_mut().filter(|_| hub) {
            let link = &self.links[table.clock];
            if self.devices[table.clock].connected && !link.cut && !link.stalled {
                table.reached += span;
            }
        }
        self.now = to;
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
}
