//! The front of the hall: what comes in, from devices and from people, goes to its place, and what comes out goes to its own.
//!
//! A state machine like the rooms it ties together: `(now, input)` in, effects out. It owns the devices' sessions and time
//! maps, the desk, and which calls are under way. Nothing goes to a device as seen, and no call is answered, before a shard or
//! the desk has said that it is durable.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::devices::Device;
use super::marks::Marks;
use super::trouble::Troubles;
use crate::device::codec;
use crate::device::session::{Heard, Limits};
use crate::device::topics::{Topic, Up};
use crate::game::input::Fact;
use crate::hall::call::{Answer, Call, CallError, CallReason, Command};
use crate::hall::desk::{Desk, DeskCall, DeskEffect, DeskInput};
use crate::hall::ids::{DeviceId, GameId, TableNo};
use crate::hall::model::{DeviceHealth, Online, Registry};
use crate::hall::notice::Notice;
use crate::hall::record::{DoneCall, fingerprint, read};
use crate::hall::registry::{Part, allowed};
use crate::hall::report::{Abilities, DeviceOrder};
use crate::hall::secrets::Chance;
use crate::hall::shard::{CallTicket, ShardInput, TableCall, TableDeed};
use crate::store::{NewEntry, RequestKey, Requests, SessionMark};
use crate::telemetry;
use crate::time::{HallTime, Millis};

/// How often the retained `hub/state` is said again, in real time.
const STATE_EVERY: Millis = Millis::secs(30);

/// What the front is told at its start.
#[derive(Clone, Debug)]
pub struct FrontSettings {
    /// This start of the hub.
    pub epoch: u64,
    /// Hall seconds in one real second.
    pub speed: f64,
    /// How many shards there are.
    pub shards: usize,
    /// How long to wait for devices.
    pub limits: Limits,
}

/// What the front is told.
pub enum FrontInput {
    /// The link to the broker stands.
    LinkUp,
    /// It does not.
    LinkDown,
    /// A device has said something.
    Message {
        /// Which.
        device: DeviceId,
        /// On which topic.
        up: Up,
        /// The broker had kept it.
        retained: bool,
        /// As it came.
        payload: bytes::Bytes,
    },
    /// Somebody asks.
    Call {
        /// From [`Front::ticket`].
        call: CallTicket,
        /// What.
        what: Box<Call>,
        /// Randomness for it.
        chance: Chance,
        /// Games at tables that are over, though their rounds are not.
        over: Arc<BTreeSet<GameId>>,
    },
    /// The desk's change is durable, or not.
    DeskCommitted {
        /// At these positions; or why not.
        outcome: Result<RangeInclusive<u64>, String>,
    },
    /// A shard has made reports durable.
    Seen(SessionMark),
    /// A shard has an order for a device.
    Order(Box<DeviceOrder>),
    /// A shard answers.
    Answered {
        /// Which call.
        call: CallTicket,
        /// How.
        answer: Result<Answer, CallError>,
    },
    /// [`Front::next_deadline`] has come.
    Tick,
    /// The hub is stopping: the devices are told.
    Stopping,
}

/// What the front wants done.
#[derive(Debug)]
pub enum FrontEffect {
    /// For a shard.
    Shard(usize, Box<ShardInput>),
    /// A message over the link.
    Send(Topic, Vec<u8>),
    /// The desk's entries for the journal.
    Commit(Vec<NewEntry>),
    /// The registry has changed.
    Registry {
        /// The journal's position of the change.
        position: u64,
        /// As it is now.
        registry: Arc<Registry>,
        /// What of it.
        parts: BTreeSet<Part>,
    },
    /// A call is answered.
    Answer {
        /// Which.
        call: CallTicket,
        /// How.
        answer: Result<Answer, CallError>,
    },
    /// How a device is.
    Health(Box<DeviceHealth>),
    /// What is wrong in the hall beyond single games: all of it.
    Notices(Vec<Notice>),
}

struct UnderWay {
    asked: String,
    calls: Vec<CallTicket>,
}

/// The front of one hall.
pub struct Front {
    settings: FrontSettings,
    desk: Desk,
    requests: Requests,
    devices: BTreeMap<DeviceId, Device>,
    abilities: HashMap<DeviceId, Abilities>,
    /// Which clock was at a table before the one that is.
    clocks_before: HashMap<TableNo, DeviceId>,
    /// When which device wants to be looked at.
    deadlines: BTreeSet<(HallTime, DeviceId)>,
    under_way: HashMap<RequestKey, UnderWay>,
    /// Whose calls are whose requests.
    keys: HashMap<CallTicket, RequestKey>,
    /// Calls of the desk's own to tables: for which call, and which table.
    of_desk: HashMap<CallTicket, (CallTicket, TableNo)>,
    next_call: CallTicket,
    state_due: HallTime,
    link_up: bool,
    pub(super) troubles: Troubles,
    /// A gateway's death is being told: whatever falls silent now does so with it.
    pub(super) with_gateway: Option<DeviceId>,
    /// The epoch of a hub that came after this one, once a device has told of it.
    overruled: Option<u64>,
    stopping: bool,
}

impl Front {
    /// A front with everything as it was.
    pub fn new(
        settings: FrontSettings,
        registry: Arc<Registry>,
        requests: Requests,
        marks: &Marks,
        now: HallTime,
    ) -> Front {
        let mut front = Front {
            desk: Desk::new(Arc::clone(&registry)),
            requests,
            devices: BTreeMap::new(),
            abilities: HashMap::new(),
            clocks_before: HashMap::new(),
            deadlines: BTreeSet::new(),
            under_way: HashMap::new(),
            keys: HashMap::new(),
            of_desk: HashMap::new(),
            next_call: 1,
            state_due: now,
            link_up: false,
            troubles: Troubles::new(&settings.limits, settings.speed),
            with_gateway: None,
            overruled: None,
            stopping: false,
            settings,
        };
        for known in registry.devices.values() {
            let kept = marks.get(&known.id).cloned().unwrap_or_default();
            if let Some(able) = kept.able {
                front.abilities.insert(known.id.clone(), able);
            }
            let device = Device::new(known, kept, &front.settings, now);
            front.devices.insert(known.id.clone(), device);
        }
        front
    }

    /// What every shard is told first.
    pub fn begin(&self, position: u64) -> Vec<FrontEffect> {
        let tables: BTreeSet<TableNo> = self.desk.registry().tables.keys().copied().collect();
        let mut out = Vec::new();
        self.tell_shards(position, &tables, &mut out);
        for (id, device) in &self.devices {
            self.tell_life(id, device, false, &mut out);
        }
        out
    }

    /// A number for the next call.
    pub fn ticket(&mut self) -> CallTicket {
        self.next_call += 1;
        self.next_call
    }

    /// When [`FrontInput::Tick`] has something to do.
    pub fn next_deadline(&self) -> Option<HallTime> {
        let device = self.deadlines.first().map(|(deadline, _)| *deadline);
        let troubles = self.troubles.next_deadline();
        device
            .into_iter()
            .chain(self.link_up.then_some(self.state_due))
            .chain(troubles)
            .min()
    }

    /// How many devices speak.
    pub fn online(&self) -> usize {
        self.devices
            .values()
            .filter(|device| device.health.online == Online::Online)
            .count()
    }

    /// Takes one input.
    pub fn handle(&mut self, now: HallTime, input: FrontInput) -> Vec<FrontEffect> {
        let mut out = Vec::new();
        self.take(now, input, &mut out);
        let devices = &self.devices;
        let bound = |id: &DeviceId| devices.get(id).and_then(|device| device.bound);
        out.extend(self.troubles.tell(now, bound).map(FrontEffect::Notices));
        out
    }

    fn take(&mut self, now: HallTime, input: FrontInput, out: &mut Vec<FrontEffect>) {
        match input {
            FrontInput::LinkUp => {
                self.link_up = true;
                self.troubles.link_up(now);
                self.state_due = now;
                for device in self.devices.values_mut() {
                    device.session.link_up(now);
                }
                self.presence_unknown(out);
                self.tick(now, out);
            }
            FrontInput::LinkDown => {
                self.link_up = false;
                let speaking = self
                    .devices
                    .iter()
                    .filter(|(_, device)| device.health.online == Online::Online);
                self.troubles.link_down(now, speaking.map(|(id, _)| id.clone()));
                for device in self.devices.values_mut() {
                    device.session.link_down();
                }
                self.presence_unknown(out);
            }
            FrontInput::Message {
                device,
                up,
                retained,
                payload,
            } => {
                self.message(now, &device, up, retained, &payload, out);
            }
            FrontInput::Call {
                call,
                what,
                chance,
                over,
            } => self.call(now, call, *what, (chance, over), out),
            FrontInput::DeskCommitted { outcome } => self.desk(now, DeskInput::Committed { outcome }, out),
            FrontInput::Seen(mark) => {
                if let Ok(id) = mark.device.parse::<DeviceId>()
                    && let Some(device) = self.devices.get_mut(&id)
                {
                    let effects = device.session.durable(mark.boot, mark.seq);
                    self.effects(now, &id, effects, out);
                }
            }
            FrontInput::Order(order) => self.order(&order, out),
            FrontInput::Answered { call, answer } => match self.of_desk.remove(&call) {
                Some((of, table)) => self.desk(
                    now,
                    DeskInput::Table {
                        call: of,
                        table,
                        answer,
                    },
                    out,
                ),
                None => self.answer(call, answer, out),
            },
            FrontInput::Tick => self.tick(now, out),
            FrontInput::Stopping => {
                self.stopping = true;
                self.say_state(now, false, out);
            }
        }
    }

    fn tick(&mut self, now: HallTime, out: &mut Vec<FrontEffect>) {
        for id in self.troubles.tick(now) {
            self.say_life(&id, false, out);
        }
        if self.link_up && self.state_due <= now && !self.stopping {
            self.say_state(now, true, out);
        }
        while let Some((deadline, id)) = self.deadlines.first().cloned()
            && deadline <= now
        {
            self.deadlines.pop_first();
            let Some(device) = self.devices.get_mut(&id) else {
                continue;
            };
            device.deadline = None;
            let effects = if device.session.next_deadline().is_some_and(|due| due <= now) {
                device.session.tick(now)
            } else {
                Vec::new()
            };
            if device.probe_due().is_some_and(|due| due <= now) && self.link_up {
                let probe = device.probe(now);
                out.extend(probe.map(|payload| down(&id, crate::device::topics::Down::Time, payload)));
            }
            self.effects(now, &id, effects, out);
            if self.device(&id).is_some_and(|device| device.held.is_due(now)) {
                self.release(now, &id, out);
            }
            self.arm(&id, Some(now));
        }
    }

    /// Notes when this device wants to be looked at next; never in the same moment again.
    pub(super) fn arm(&mut self, id: &DeviceId, after: Option<HallTime>) {
        let Some(device) = self.devices.get_mut(id) else { return };
        let probe = device.probe_due().filter(|_| self.link_up);
        let session = device.session.next_deadline();
        let mut deadline = session.into_iter().chain(probe).chain(device.held.due()).min();
        if let (Some(due), Some(after)) = (&mut deadline, after) {
            *due = (*due).max(after + Millis(1));
        }
        if deadline == device.deadline {
            return;
        }
        if let Some(before) = device.deadline.take() {
            self.deadlines.remove(&(before, id.clone()));
        }
        if let Some(deadline) = deadline {
            self.deadlines.insert((deadline, id.clone()));
        }
        device.deadline = deadline;
    }

    fn say_state(&mut self, now: HallTime, online: bool, out: &mut Vec<FrontEffect>) {
        let payload = codec::encode_hub_state(online, self.settings.epoch, now, self.settings.speed);
        out.push(FrontEffect::Send(Topic::HubState, payload));
        self.state_due = now + Millis((STATE_EVERY.0 as f64 * self.settings.speed) as i64);
    }

    fn message(
        &mut self,
        now: HallTime,
        id: &DeviceId,
        up: Up,
        retained: bool,
        payload: &[u8],
        out: &mut Vec<FrontEffect>,
    ) {
        let Some(device) = self.devices.get_mut(id) else {
            metrics::counter!(telemetry::MESSAGES_REFUSED, "why" => "unknown device").increment(1);
            tracing::warn!(device = %id, topic = up.name(), "a message of a device that the hall does not know was not taken; add the device first");
            return;
        };
        let (message, format) = match codec::decode(id, up, payload) {
            Ok(read) => read,
            Err(error) => {
                metrics::counter!(telemetry::MESSAGES_REFUSED, "why" => "malformed").increment(1);
                tracing::warn!(device = %id, table = device.table_no(), %error, "a message was not taken");
                return;
            }
        };
        device.note_twice(&message);
        let effects = device.session.take(
            now,
            Heard {
                retained,
                format,
                message,
            },
        );
        if !retained {
            device.health.last_heard = Some(now);
        }
        self.effects(now, id, effects, out);
        let able = self.able(id);
        if let Some(device) = self.devices.get_mut(id).filter(|_| !retained) {
            let asked = device.ask_picture(able, now);
            self.effects(now, id, asked, out);
        }
        self.arm(id, None);
    }

    /// A link that breaks or comes back says nothing about any device: all are unknown until they speak.
    fn presence_unknown(&mut self, out: &mut Vec<FrontEffect>) {
        let ids: Vec<_> = self.devices.keys().cloned().collect();
        for id in ids {
            if let Some(device) = self.devices.get_mut(&id) {
                let changed = device.health.online != Online::Unknown;
                device.health.online = Online::Unknown;
                if changed {
                    self.say_life(&id, false, out);
                }
            }
            self.arm(&id, None);
        }
    }

    fn order(&mut self, order: &DeviceOrder, out: &mut Vec<FrontEffect>) {
        if self.overruled.is_some() {
            return;
        }
        let Some(payload) = self.devices.get(&order.device).and_then(|device| device.order(order)) else {
            return;
        };
        metrics::counter!(telemetry::ORDERS).increment(1);
        out.push(down(&order.device, crate::device::topics::Down::Order, payload));
    }

    /// A device has obeyed a hub of this epoch.
    pub(super) fn check_epoch(&mut self, now: HallTime, id: &DeviceId, highest: u64) {
        if highest > self.settings.epoch && self.overruled.is_none_or(|epoch| highest > epoch) {
            self.overruled = Some(highest);
            self.troubles.newer_hub(now, id, highest);
            tracing::error!(
                device = %id, highest, epoch = self.settings.epoch,
                "a device has obeyed a newer hub than this one: two hubs are running, or the data folder is an old copy. This hub gives \
                 no more orders; stop it, and start the newest one"
            );
        }
    }

    // ---- calls ----

    fn call(
        &mut self,
        now: HallTime,
        call: CallTicket,
        what: Call,
        (chance, over): (Chance, Arc<BTreeSet<GameId>>),
        out: &mut Vec<FrontEffect>,
    ) {
        let asked = fingerprint(&what.command);
        let key = RequestKey {
            author: what.author.name.clone(),
            id: what.request.to_string(),
        };
        if let Err(error) = allowed(&what.author, &what.command).and_then(|()| enterable(&what.command)) {
            answered(&Err(error.clone()));
            out.push(FrontEffect::Answer {
                call,
                answer: Err(error),
            });
            return;
        }
        if let Some(known) = self.known(&key, &asked) {
            out.push(FrontEffect::Answer { call, answer: known });
            return;
        }
        if let Some(under_way) = self.under_way.get_mut(&key) {
            if under_way.asked == asked {
                under_way.calls.push(call);
            } else {
                out.push(FrontEffect::Answer {
                    call,
                    answer: Err(reused(&key)),
                });
            }
            return;
        }
        if let Some(until) = what.until.filter(|until| now > *until) {
            let error = CallError::new(
                CallReason::TooLate,
                format!(
                    "this came {} after the time until which it was to be done: nothing was done; look again, and decide again",
                    now - until
                ),
            );
            answered(&Err(error.clone()));
            out.push(FrontEffect::Answer {
                call,
                answer: Err(error),
            });
            return;
        }
        self.under_way.insert(
            key.clone(),
            UnderWay {
                asked: asked.clone(),
                calls: vec![call],
            },
        );
        self.keys.insert(call, key.clone());
        let author = what.author;
        match what.command {
            Command::Act { table, act } => {
                self.table_call(
                    call,
                    table,
                    TableCall {
                        author,
                        request: key,
                        asked,
                        deed: TableDeed::Act(act),
                    },
                    out,
                );
            }
            Command::EnterFact { table, fact } => {
                self.table_call(
                    call,
                    table,
                    TableCall {
                        author,
                        request: key,
                        asked,
                        deed: TableDeed::Fact(fact),
                    },
                    out,
                );
            }
            command => {
                let what = Box::new(DeskCall {
                    author,
                    request: key,
                    asked,
                    command,
                    chance,
                    over,
                });
                self.desk(now, DeskInput::Call { call, what }, out);
            }
        }
    }

    fn table_call(&mut self, call: CallTicket, table: TableNo, what: TableCall, out: &mut Vec<FrontEffect>) {
        let shard = self.shard_of(table);
        out.push(FrontEffect::Shard(
            shard,
            Box::new(ShardInput::Call { call, table, what }),
        ));
    }

    /// The answer of a call that was done before.
    fn known(&self, key: &RequestKey, asked: &str) -> Option<Result<Answer, CallError>> {
        let known = self.requests.get(key)?;
        let done: DoneCall = match read("an answer", &known.answer) {
            Ok(done) => done,
            Err(error) => {
                let text = format!(
                    "the answer to request {} cannot be read any more ({error}); ask with a new request id",
                    key.id
                );
                return Some(Err(CallError::new(CallReason::RequestReused, text)));
            }
        };
        Some(if done.asked == asked {
            Ok(Answer {
                position: known.position,
                ..done.answer
            })
        } else {
            Err(reused(key))
        })
    }

    fn answer(&mut self, call: CallTicket, answer: Result<Answer, CallError>, out: &mut Vec<FrontEffect>) {
        answered(&answer);
        let Some(under_way) = self.keys.remove(&call).and_then(|key| self.under_way.remove(&key)) else {
            return;
        };
        for (at, call) in under_way.calls.into_iter().enumerate() {
            let mut answer = answer.clone();
            if at > 0
                && let Ok(repeated) = &mut answer
            {
                // Only the first one is shown the secret.
                repeated.secret = None;
            }
            out.push(FrontEffect::Answer { call, answer });
        }
    }

    fn desk(&mut self, now: HallTime, input: DeskInput, out: &mut Vec<FrontEffect>) {
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            for effect in self.desk.handle(now, &self.abilities, input) {
                match effect {
                    DeskEffect::Commit(entries) => out.push(FrontEffect::Commit(entries)),
                    DeskEffect::Answer { call, answer } => self.answer(call, answer, out),
                    DeskEffect::Registry {
                        position,
                        registry,
                        parts,
                    } => {
                        self.registry_changed(now, position, &registry, &parts, out);
                        out.push(FrontEffect::Registry {
                            position,
                            registry,
                            parts,
                        });
                    }
                    DeskEffect::Table { call, table, what } => {
                        // A round's start that was cut off by a crash: what was done then is not done again.
                        if let Some(answer) = self.known(&what.request, &what.asked) {
                            inputs.push(DeskInput::Table { call, table, answer });
                            continue;
                        }
                        let ticket = self.ticket();
                        self.of_desk.insert(ticket, (call, table));
                        self.table_call(ticket, table, what, out);
                    }
                }
            }
        }
    }

    // ---- the registry ----

    fn registry_changed(
        &mut self,
        now: HallTime,
        position: u64,
        registry: &Arc<Registry>,
        parts: &BTreeSet<Part>,
        out: &mut Vec<FrontEffect>,
    ) {
        let mut tables = BTreeSet::new();
        for part in parts {
            match part {
                Part::Table(table) => {
                    tables.insert(*table);
                }
                Part::Event(event) => {
                    // Names on the cards of its tables.
                    let rounds = registry
                        .events
                        .get(event)
                        .into_iter()
                        .flat_map(|event| event.rounds.values());
                    tables.extend(rounds.flat_map(|round| round.pairings.iter().map(|pairing| pairing.table)));
                }
                Part::Device(_) | Part::Person(_) | Part::Game(_) => {}
            }
        }
        self.tell_shards(position, &tables, out);
        for part in parts {
            let Part::Device(id) = part else { continue };
            self.troubles.touch(now);
            let Some(known) = registry.devices.get(id) else {
                self.troubles.forget(now, id);
                if let Some(device) = self.devices.remove(id)
                    && let Some(deadline) = device.deadline
                {
                    self.deadlines.remove(&(deadline, id.clone()));
                }
                continue;
            };
            match self.devices.get_mut(id) {
                Some(device) => {
                    if let Some(table) = device.bound.filter(|table| known.bound_to != Some(*table))
                        && self.abilities.get(id).is_some_and(|able| able.clock)
                    {
                        self.clocks_before.insert(table, id.clone());
                    }
                    device.update(known, now);
                    let asked = device.ask_picture(self.abilities.get(id).copied(), now);
                    self.effects(now, id, asked, out);
                }
                None => {
                    let mut device = Device::new(known, super::marks::DeviceMarks::default(), &self.settings, now);
                    if !self.link_up {
                        device.session.link_down();
                    }
                    self.devices.insert(id.clone(), device);
                }
            }
            self.say_life(id, false, out);
            self.arm(id, None);
        }
    }

    fn tell_shards(&self, position: u64, tables: &BTreeSet<TableNo>, out: &mut Vec<FrontEffect>) {
        for shard in 0..self.settings.shards {
            let own: BTreeSet<_> = tables
                .iter()
                .copied()
                .filter(|table| self.shard_of(*table) == shard)
                .collect();
            let registry = Arc::clone(self.desk.registry());
            out.push(FrontEffect::Shard(
                shard,
                Box::new(ShardInput::Registry {
                    position,
                    registry,
                    tables: own,
                }),
            ));
        }
    }

    pub(super) fn say_life(&self, id: &DeviceId, empty: bool, out: &mut Vec<FrontEffect>) {
        if let Some(device) = self.devices.get(id) {
            out.push(FrontEffect::Health(Box::new(device.health.clone())));
            self.tell_life(id, device, empty, out);
        }
    }

    fn tell_life(&self, id: &DeviceId, device: &Device, empty: bool, out: &mut Vec<FrontEffect>) {
        if let Some(table) = device.bound {
            let able = self.abilities.get(id).copied();
            self.to_table(
                table,
                ShardInput::Device {
                    table,
                    life: device.life(able, empty, self.troubles.silence_of(id)),
                },
                out,
            );
        }
    }

    pub(super) fn to_table(&self, table: TableNo, input: ShardInput, out: &mut Vec<FrontEffect>) {
        out.push(FrontEffect::Shard(self.shard_of(table), Box::new(input)));
    }

    pub(super) fn shard_of(&self, table: TableNo) -> usize {
        table.0 as usize % self.settings.shards.max(1)
    }

    pub(super) fn device_mut(&mut self, id: &DeviceId) -> Option<&mut Device> {
        self.devices.get_mut(id)
    }

    pub(super) fn device(&self, id: &DeviceId) -> Option<&Device> {
        self.devices.get(id)
    }

    /// The clock that this table had before the one it has.
    pub(super) fn clock_before(&self, table: TableNo) -> Option<&DeviceId> {
        self.clocks_before.get(&table)
    }

    /// A game is at this table.
    pub(super) fn has_game(&self, table: TableNo) -> bool {
        let seat = self.desk.registry().tables.get(&table);
        seat.is_some_and(|seat| seat.game.is_some())
    }

    /// The table's clock and its board.
    pub(super) fn devices_at(&self, table: TableNo) -> (Option<&DeviceId>, Option<&DeviceId>) {
        let seat = self.desk.registry().tables.get(&table);
        let (clock, board) = (
            seat.and_then(|seat| seat.clock.as_ref()),
            seat.and_then(|seat| seat.board.as_ref()),
        );
        (clock, board)
    }

    pub(super) fn able(&self, id: &DeviceId) -> Option<Abilities> {
        self.abilities.get(id).copied()
    }

    pub(super) fn learn(&mut self, id: &DeviceId, able: Abilities) {
        self.abilities.insert(id.clone(), able);
    }
}

/// A message to a device.
pub(super) fn down(id: &DeviceId, what: crate::device::topics::Down, payload: Vec<u8>) -> FrontEffect {
    FrontEffect::Send(Topic::Down(id.clone(), what), payload)
}

fn reused(key: &RequestKey) -> CallError {
    CallError::new(
        CallReason::RequestReused,
        format!(
            "request id {} was used for another call; nothing was done. Give every new call a new id",
            key.id
        ),
    )
}

fn answered(answer: &Result<Answer, CallError>) {
    let outcome = match answer {
        Ok(_) => "ok",
        Err(error) => error.reason.name(),
    };
    metrics::counter!(telemetry::CALLS, "outcome" => outcome).increment(1);
}

/// People enter what players did, not what devices say.
fn enterable(command: &Command) -> Result<(), CallError> {
    let Command::EnterFact { table, fact } = command else {
        return Ok(());
    };
    match fact {
        Fact::Reading(_)
        | Fact::OrderAnswered { .. }
        | Fact::ByHand { .. }
        | Fact::ReportsLost { .. }
        | Fact::Silent { .. }
        | Fact::ClockTime { .. }
        | Fact::ClockRenewed { .. }
        | Fact::BoardBack { .. }
        | Fact::Verdict { .. }
        | Fact::FlagShown { .. } => Err(CallError::field(
            "fact",
            format!("table {table}: only a device says that; nobody can enter it"),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
