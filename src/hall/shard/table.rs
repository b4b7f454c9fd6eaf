//! One table of a shard: its game, what waits for it, and the batch that is with the journal.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::orders::{Answers, OrderBook};
use super::{
    CallTicket, DeviceLife, DeviceState, DeviceTrouble, ShardEffect, ShardSettings, SilenceTold, TableCall, TableDeed,
};
use crate::game::audience::{ArbiterView, ClockCheck};
use crate::game::input::{Act, Deed, Fact, Happening, Input, OrderAnswer, Origin, UNKNOWN_BAR};
use crate::game::{Event, Game, Question, Refusal};
use crate::hall::binding::Binding;
use crate::hall::call::{Answer, CallError, CallReason};
use crate::hall::ids::{DeviceId, GameId, TableNo};
use crate::hall::model::{Ahead, ArbiterTable, Online, Registry, Seat, TableCard};
use crate::hall::record::{DeviceRecord, DoneCall, KeptGame, TableRecord, write};
use crate::hall::report::{Ack, Report, ReportKind};
use crate::laws::GameResult;
use crate::mutation::{self, Mutation};
use crate::store::{EntryKind, NewEntry, SessionMark};
use crate::time::{HallTime, Millis};

/// An alarm that did not change the deadline is tried again after so much real time.
const ALARM_AGAIN: Millis = Millis(250);

/// A clock that is off by less goes with the hall's time.
const AHEAD_LEAST: Millis = Millis(100);

/// A deviation of the table's arithmetic that has changed by so much is shown.
const CHECK_STEP: Millis = Millis::secs(1);

/// How far a time whose bar is unknown is taken to be off from when the game was opened.
const UNKNOWN_SETUP: Millis = Millis::mins(1);

/// Up to when a device has told everything, in the table's time.
struct Through {
    /// As it is mapped.
    last: HallTime,
    /// However far it is off against what the table's other device tells.
    surely: HallTime,
}

/// What waits for a table.
pub(super) enum Queued {
    /// A device's report.
    Report {
        report: Report,
        arrived: HallTime,
        /// Up to where the table was settled with it: a batch is taken as if each report had come alone.
        settled: HallTime,
    },
    /// Something about a device, to be written down before what comes after.
    Record(DeviceRecord),
    /// Something for the game that is not a report: an answer to an order, a state, an alarm.
    Input(Input),
    /// Somebody's call.
    Call { call: CallTicket, what: TableCall },
}

/// What forming a batch came to.
pub(super) enum Formed {
    /// Nothing waits, or a batch is with the journal.
    Nothing,
    /// There was nothing to journal; it is done.
    Over,
    /// To be made durable.
    Entries(Vec<NewEntry>),
}

/// The game at a table.
#[derive(Clone)]
pub(super) struct Running {
    pub seat: Arc<Seat>,
    pub game: Game,
    /// What failed, when the table is parked.
    pub parked: Option<String>,
    pub result_by_hand: Option<String>,
}

struct Batch {
    running: Option<Running>,
    marks: Vec<SessionMark>,
    replies: Vec<(CallTicket, Result<Answer, CallError>)>,
    arrived: Option<HallTime>,
    changed: bool,
}

/// One table.
pub(super) struct TableSlot {
    pub number: TableNo,
    pub binding: Binding,
    pub clock: Option<DeviceId>,
    pub board: Option<DeviceId>,
    pub running: Option<Running>,
    pub devices: BTreeMap<DeviceId, DeviceLife>,
    /// How far the table's time is ahead of the hall's, as its clock has told last; another clock goes on from there.
    ahead: Option<Ahead>,
    pub orders: OrderBook,
    queue: VecDeque<Queued>,
    batch: Option<Batch>,
    /// Up to where each device has told everything.
    heard: BTreeMap<DeviceId, Through>,
    /// What the game was last told of that.
    settled: HallTime,
    /// The game's deadline, or when to try it again.
    alarm: Option<HallTime>,
    /// The deadline for which the alarm was given last.
    rung: Option<HallTime>,
    /// The last report of each device that the game has taken.
    taken: BTreeMap<(DeviceId, u32), i64>,
    /// The position of what was last folded, and whether that has been kept.
    pub position: u64,
    dirty: bool,
    /// What a fuller search has been asked about this game since the start.
    asked: Vec<Question>,
    pub shown: Option<ArbiterTable>,
    pub shown_card: Option<TableCard>,
    /// Whose silence the game was told of: with others, or alone.
    silence_told: BTreeMap<String, SilenceTold>,
    /// The board was off since then, or another one served up to then: what stands on the present one has not been told.
    board_gap: Option<(DeviceId, HallTime)>,
    /// What the clock on the table showed last, both sides together, and when.
    read: Option<(HallTime, Millis)>,
    /// By how much more that was than the count of then.
    pub over: Option<Millis>,
}

impl TableSlot {
    pub fn new(number: TableNo) -> TableSlot {
        TableSlot {
            number,
            binding: Binding {
                white_side: Default::default(),
                board_turned: false,
            },
            clock: None,
            board: None,
            running: None,
            devices: BTreeMap::new(),
            ahead: None,
            orders: OrderBook::default(),
            queue: VecDeque::new(),
            batch: None,
            heard: BTreeMap::new(),
            settled: HallTime(i64::MIN),
            alarm: None,
            rung: None,
            taken: BTreeMap::new(),
            position: 0,
            dirty: false,
            asked: Vec::new(),
            shown: None,
            shown_card: None,
            silence_told: BTreeMap::new(),
            board_gap: None,
            read: None,
            over: None,
        }
    }

    /// The registry has something new about the table.
    pub fn update(
        &mut self,
        now: HallTime,
        position: u64,
        registry: &Registry,
        restored: Option<(u64, KeptGame)>,
        settings: &ShardSettings,
        out: &mut Vec<ShardEffect>,
    ) {
        let Some(place) = registry.tables.get(&self.number) else {
            return;
        };
        let clock_before = self.clock.clone();
        let board_before = self.board.clone();
        self.binding = Binding::from(place);
        self.clock.clone_from(&place.clock);
        self.board.clone_from(&place.board);
        if board_before != self.board
            && let Some(before) = board_before
        {
            self.board_is_gone(before);
        }
        let bound = |device: &DeviceId| place.clock.as_ref() == Some(device) || place.board.as_ref() == Some(device);
        self.devices.retain(|device, _| bound(device));
        self.heard.retain(|device, _| bound(device));
        if place.game != self.running.as_ref().map(|running| running.seat.game)
            && let Some(seat) = place.game.and_then(|game| registry.games.get(&game))
        {
            if let Some(Queued::Call { .. }) = self.queue.front() {
                tracing::warn!(table = self.number.0, "a call was waiting for the game before");
            }
            self.running = Some(begin(seat, restored.as_ref().map(|(_, kept)| kept)));
            self.position = restored.map_or(position, |(position, _)| position);
            self.dirty = true;
            self.orders = OrderBook::default();
            let clock = self.clock.as_ref().and_then(|clock| self.devices.get(clock));
            self.ahead = clock.and_then(|clock| clock.health.ahead);
            self.settled = HallTime(i64::MIN);
            self.rung = None;
            self.asked.clear();
            self.shown = None;
            self.shown_card = None;
            self.silence_told.clear();
            self.board_gap = None;
            self.read = None;
            self.over = None;
            self.alarm = self.running.as_ref().and_then(|running| running.game.next_deadline());
            if let Some(board) = self.board.clone() {
                self.was_off_before(&board);
            }
        } else if clock_before != self.clock && clock_before.is_some() && self.running.is_some() {
            // Another clock stands there: it has to be given the game's control and times.
            self.orders.clock_exchanged();
        }
        self.tell_silence(now);
        self.sync_orders(now, settings, out);
        self.ask(out);
        self.show(now, registry, out);
    }

    /// What is touched from now on this board will not tell.
    fn board_is_gone(&mut self, board: DeviceId) {
        let heard = self.heard.get(&board).map(|heard| heard.last);
        // A picture that it told and nothing after it, and what a hub knows that was restarted, are on record only.
        let on_record = self.running.as_ref();
        let on_record = on_record.map(|running| running.game.last_told(board.as_str()));
        let since = heard.max(on_record).unwrap_or(HallTime(i64::MIN));
        self.board_gap.get_or_insert((board, since));
    }

    /// A hub that was restarted hears a boot of which no picture is on record: the one before it did not come to that, or the board has told
    /// nothing at all.
    fn was_off_before(&mut self, device: &DeviceId) {
        let boot = self.devices.get(device).and_then(|life| life.boot);
        let (Some(boot), Some(running), true) = (boot, &self.running, self.board.as_ref() == Some(device)) else {
            return;
        };
        if let Some(since) = running.game.board_unknown_since(device.as_str(), boot) {
            self.board_gap.get_or_insert((device.clone(), since));
        }
    }

    /// What the game itself has not decided is asked beside it, once.
    fn ask(&mut self, out: &mut Vec<ShardEffect>) {
        let Some(running) = self.running.as_ref().filter(|running| running.parked.is_none()) else {
            return;
        };
        for question in running.game.questions() {
            if !self.asked.contains(&question) {
                out.push(ShardEffect::Search {
                    table: self.number,
                    game: running.seat.game,
                    question: question.clone(),
                });
                self.asked.push(question);
            }
        }
    }

    /// A fuller search has answered.
    pub fn searched(&mut self, now: HallTime, game: GameId, at: HallTime, fact: Fact) {
        if self.running.as_ref().is_some_and(|running| running.seat.game == game) {
            self.queue(Queued::Input(Input {
                at,
                heard: now,
                origin: Origin::Hub,
                what: Happening::Fact(fact),
            }));
        }
    }

    pub fn is_parked(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.parked.is_some())
    }

    pub fn open_items(&self) -> usize {
        self.shown.as_ref().map_or(0, |shown| shown.view.items.len())
    }

    pub fn next_deadline(&self) -> Option<HallTime> {
        if self.batch.is_some() {
            return None;
        }
        let alarm = self
            .alarm
            .filter(|_| !self.is_parked())
            .map(|alarm| self.hall_time(alarm));
        alarm.into_iter().chain(self.orders.next_deadline()).min()
    }

    pub fn queue(&mut self, queued: Queued) {
        self.queue.push_back(queued);
    }

    pub fn report(&mut self, now: HallTime, report: Report) {
        // Reports of one device come in order: all before this one are here. Unless they are lost: that is said with the time at which the
        // device noticed, and what it has kept from before that comes behind.
        let lost = matches!(report.what, ReportKind::Lost { .. });
        if let ReportKind::Placement(picture) = &report.what
            && let Some(placement) = self.binding.placement(picture)
        {
            self.board_tells(now, &report.device, &placement);
        }
        if !lost {
            self.heard(&report.device, report.at, report.apart);
        }
        let settled = self.settled_through();
        self.queue(Queued::Report {
            report,
            arrived: now,
            settled,
        });
    }

    /// All that this device has to tell up to then is here.
    pub fn heard(&mut self, device: &DeviceId, through: HallTime, apart: Option<Millis>) {
        let is_clock = self.clock.as_ref() == Some(device);
        if !is_clock && self.board.as_ref() != Some(device) {
            return;
        }
        let open = if is_clock {
            Millis::ZERO
        } else {
            apart.unwrap_or(UNKNOWN_BAR)
        };
        let surely = through - open;
        let heard = self
            .heard
            .entry(device.clone())
            .or_insert(Through { last: through, surely });
        heard.last = heard.last.max(through);
        heard.surely = heard.surely.max(surely);
    }

    pub fn state(&mut self, now: HallTime, state: DeviceState) {
        let origin = Origin::Device {
            device: state.device.to_string(),
            boot: state.boot,
            seq: state.after_seq,
            bar: state.apart,
        };
        let is_clock = self.clock.as_ref() == Some(&state.device);
        let is_board = self.board.as_ref() == Some(&state.device);
        let is_clock = is_clock && !self.orders.renewing();
        if let Some(face) = state.face.filter(|_| is_clock) {
            self.read = Some((state.at, face.left + face.right));
        }
        let reading = state
            .face
            .filter(|_| is_clock)
            .map(|face| Fact::Reading(self.binding.reading(&face)));
        let placement = state
            .placement
            .filter(|_| is_board)
            .and_then(|picture| self.binding.placement(&picture));
        if let Some(placement) = &placement {
            self.board_tells(now, &state.device, placement);
        }
        let placed = placement.map(|placement| Fact::Placed { placement });
        for fact in reading.into_iter().chain(placed) {
            let what = Happening::Fact(fact);
            self.queue(Queued::Input(Input {
                at: state.at,
                heard: now,
                origin: origin.clone(),
                what,
            }));
        }
    }

    /// What stands on the board is told: if it was off, or another one was there, the game learns since when.
    fn board_tells(&mut self, now: HallTime, device: &DeviceId, placement: &str) {
        if self.board.as_ref() != Some(device) {
            return;
        }
        let Some((before, since)) = self.board_gap.take() else {
            return;
        };
        let fact = Fact::BoardBack {
            device: device.to_string(),
            before: before.to_string(),
            placement: placement.to_owned(),
        };
        self.queue(Queued::Input(Input {
            at: since,
            heard: now,
            origin: Origin::Hub,
            what: Happening::Fact(fact),
        }));
    }

    pub fn acked(&mut self, now: HallTime, ack: Ack) {
        let number = match self.orders.answered(&ack) {
            Answers::Game(number) => number,
            Answers::Hub => return,
            Answers::Nothing => {
                tracing::warn!(
                    table = self.number.0, device = %ack.device, order = %ack.order, outcome = ?ack.outcome,
                    "an acknowledgement answers no order that waits for one: it came again, too late, or was never sent"
                );
                return;
            }
        };
        let what = Happening::Fact(Fact::OrderAnswered {
            number,
            answer: OrderAnswer::from(&ack.outcome),
            reading: ack.face.map(|face| self.binding.reading(&face)),
        });
        let origin = Origin::Device {
            device: ack.device.to_string(),
            boot: ack.boot,
            seq: ack.after_seq,
            bar: ack.apart,
        };
        self.queue(Queued::Input(Input {
            at: ack.at,
            heard: now,
            origin,
            what,
        }));
    }

    /// Something of the hub's own for the game.
    pub(super) fn hub_input(&mut self, now: HallTime, what: Happening) {
        let there = self.table_time(now);
        self.queue(Queued::Input(Input {
            at: there,
            heard: there,
            origin: Origin::Hub,
            what,
        }));
    }

    /// Something is wrong with what a device of the table tells.
    pub fn trouble(&mut self, now: HallTime, device: &DeviceId, trouble: DeviceTrouble) {
        let is_clock = self.clock.as_ref() == Some(device);
        let fact = match trouble {
            // A board's time only puts it in order, and its bar has grown with it.
            DeviceTrouble::Time(what) if is_clock => Fact::ClockTime {
                device: device.to_string(),
                what,
            },
            DeviceTrouble::Lost(count) if is_clock || self.board.as_ref() == Some(device) => {
                Fact::ReportsLost { count }
            }
            DeviceTrouble::Time(_) | DeviceTrouble::Lost(_) => return,
        };
        self.hub_input(now, Happening::Fact(fact));
    }

    /// The time at the table, which is its clock's: where that has run ahead of the hall's, or behind, what only the passing of time
    /// brings about comes when the clock says so.
    pub fn table_time(&self, now: HallTime) -> HallTime {
        now + self.ahead(now)
    }

    /// The first hall time at which the table's time has come to this.
    fn hall_time(&self, there: HallTime) -> HallTime {
        let mut now = there - self.ahead(there);
        // The nearer it comes the less the two can have run apart meanwhile; with no more than a few per cent that is soon.
        for _ in 0..16 {
            let left = there - self.table_time(now);
            if left <= Millis::ZERO {
                break;
            }
            now = now + left;
        }
        now
    }

    /// How far the table's time is ahead of the hall's at this hall time.
    pub fn ahead(&self, now: HallTime) -> Millis {
        let ahead = self.ahead.map_or(Millis::ZERO, |ahead| ahead.by(now));
        // What the exchanges leave open is nothing to follow.
        if ahead.0.abs() < AHEAD_LEAST.0 {
            Millis::ZERO
        } else {
            ahead
        }
    }

    pub fn device(&mut self, now: HallTime, life: DeviceLife, settings: &ShardSettings, out: &mut Vec<ShardEffect>) {
        let device = life.health.id.clone();
        let is_clock = self.clock.as_ref() == Some(&device);
        if !is_clock && self.board.as_ref() != Some(&device) {
            return;
        }
        let before = self.devices.get(&device);
        let known = before.and_then(|before| before.boot);
        let rebooted = known.is_some() && known != life.boot;
        let empty = life.empty;
        let only_heard = before.is_some_and(|before| {
            let mut same = before.health.clone();
            same.last_heard = life.health.last_heard;
            same == life.health && before.boot == life.boot
        });
        if is_clock {
            self.ahead = life.health.ahead.or(self.ahead);
        }
        self.devices.insert(device.clone(), life);
        if rebooted && self.board.as_ref() == Some(&device) {
            self.board_is_gone(device.clone());
        } else if known.is_none() {
            self.was_off_before(&device);
        }
        self.tell_silence(now);
        if is_clock && (rebooted || empty) {
            self.orders.clock_restarted(empty);
        }
        if is_clock {
            self.sync_orders(now, settings, out);
        }
        if !only_heard {
            self.refresh_health(out);
        }
    }

    /// Tells the game whose silence it does not know of yet, or still believes in.
    fn tell_silence(&mut self, now: HallTime) {
        let Some(running) = &self.running else { return };
        let believed = &running.game.state().silent;
        let known = |name: &str| match self.silence_told.get(name) {
            Some(told) => *told,
            // Told by an earlier start of the hub, in whichever way.
            None if believed.iter().any(|silent| silent == name) => SilenceTold::Held,
            None => SilenceTold::No,
        };
        let mut news = Vec::new();
        let served: Vec<&DeviceId> = [&self.clock, &self.board].into_iter().flatten().collect();
        for device in &served {
            let Some(life) = self.devices.get(*device) else {
                continue;
            };
            let now = match (life.silence, life.health.online) {
                (told @ (SilenceTold::Alone | SilenceTold::Shared), _) => told,
                (SilenceTold::No, Online::Online) => SilenceTold::No,
                // Nothing is known of it, or not yet: it stays as it was.
                (SilenceTold::No | SilenceTold::Held, _) => continue,
            };
            if now != known(device.as_str()) {
                news.push((device.to_string(), now));
            }
        }
        // What does not serve the table any more is not missed.
        let told = self.silence_told.iter().filter(|(_, told)| **told != SilenceTold::No);
        let silent: BTreeSet<&String> = believed.iter().chain(told.map(|(name, _)| name)).collect();
        let gone = silent.into_iter().filter(|name| {
            served.iter().all(|device| device.as_str() != name.as_str()) && known(name) != SilenceTold::No
        });
        news.extend(gone.map(|name| (name.clone(), SilenceTold::No)));
        for (device, told) in news {
            self.silence_told.insert(device.clone(), told);
            let fact = Fact::Silent {
                device,
                silent: told != SilenceTold::No,
                shared: told == SilenceTold::Shared,
            };
            self.hub_input(now, Happening::Fact(fact));
        }
    }

    pub fn tick(&mut self, now: HallTime, settings: &ShardSettings, out: &mut Vec<ShardEffect>) {
        if self.batch.is_some() {
            return;
        }
        let there = self.table_time(now);
        if !self.is_parked() && self.alarm.is_some_and(|alarm| alarm <= there) {
            self.hub_input(now, Happening::Alarm);
            self.rung = self.running.as_ref().and_then(|running| running.game.next_deadline());
            self.alarm = Some(there + settings.real(ALARM_AGAIN));
        }
        self.sync_orders(now, settings, out);
    }

    /// The journal takes nothing more: who waits is told so.
    pub fn give_up(&mut self) -> Vec<CallTicket> {
        let queued = self.queue.drain(..).filter_map(|queued| match queued {
            Queued::Call { call, .. } => Some(call),
            _ => None,
        });
        let batch = self
            .batch
            .take()
            .into_iter()
            .flat_map(|batch| batch.replies.into_iter().map(|(call, _)| call));
        batch.chain(queued).collect()
    }

    /// Takes what waits by a copy of the game.
    pub fn form(
        &mut self,
        now: HallTime,
        registry: &Registry,
        settings: &ShardSettings,
        out: &mut Vec<ShardEffect>,
    ) -> Formed {
        if self.batch.is_some() || (self.queue.is_empty() && self.settled_through() <= self.settled) {
            return Formed::Nothing;
        }
        let mut taking = Taking {
            table: self.number,
            now,
            there: self.table_time(now),
            renewing: self.orders.renewing(),
            running: self.running.clone(),
            entries: Vec::new(),
            marks: BTreeMap::new(),
            replies: Vec::new(),
            arrived: None,
            changed: false,
        };
        let mut outage = Outage::default();
        while let Some(queued) = self.queue.pop_front() {
            if !matches!(queued, Queued::Report { .. }) {
                self.settled = taking.outage(&mut outage, self.settled);
            }
            match queued {
                Queued::Report {
                    report,
                    arrived,
                    settled,
                } => {
                    if outage.is_empty() {
                        // That everything before the report is here is known as soon as it is, and what hangs on that is found
                        // before it.
                        self.settled = taking.settled(arrived, self.settled, settled);
                    }
                    let told = taking.read(&self.binding, report, arrived);
                    if taking.are_late(&told) {
                        outage.add(told, arrived, settled);
                        continue;
                    }
                    if !outage.is_empty() {
                        self.settled = taking.outage(&mut outage, self.settled);
                        self.settled = taking.settled(arrived, self.settled, settled);
                    }
                    told.into_iter().for_each(|input| taking.input(input));
                }
                Queued::Record(record) => taking
                    .entries
                    .push(NewEntry::new(EntryKind::Sessions, now, write(&record))),
                Queued::Input(input) => taking.input(input),
                Queued::Call { call, what } => taking.call(call, what),
            }
        }
        self.settled = taking.outage(&mut outage, self.settled);
        self.settled = taking.settled(now, self.settled, self.settled_through());
        let (entries, mut batch) = taking.finish();
        if mutation::on(Mutation::SeenEarly) {
            out.extend(batch.marks.iter().cloned().map(ShardEffect::Seen));
        }
        if mutation::on(Mutation::AnsweredEarly) {
            let early = batch.replies.drain(..);
            out.extend(early.map(|(call, answer)| ShardEffect::Answer { call, answer }));
        }
        if mutation::on(Mutation::ShownEarly) && batch.changed {
            self.running.clone_from(&batch.running);
            self.show(now, registry, out);
        }
        self.batch = Some(batch);
        if entries.is_empty() {
            self.settle(now, registry, settings, out);
            return Formed::Over;
        }
        Formed::Entries(entries)
    }

    /// The batch is durable.
    pub fn committed(
        &mut self,
        now: HallTime,
        positions: &RangeInclusive<u64>,
        registry: &Registry,
        settings: &ShardSettings,
        out: &mut Vec<ShardEffect>,
    ) {
        self.position = self.position.max(*positions.end());
        self.dirty = true;
        if let Some(batch) = &mut self.batch {
            for (_, answer) in &mut batch.replies {
                if let Ok(answer) = answer {
                    // Until now its place in the batch.
                    answer.position += *positions.start();
                }
            }
        }
        self.settle(now, registry, settings, out);
    }

    /// The batch's copy takes the game's place, and everybody is told.
    fn settle(&mut self, now: HallTime, registry: &Registry, settings: &ShardSettings, out: &mut Vec<ShardEffect>) {
        let Some(batch) = self.batch.take() else { return };
        let same_game = |running: &Running| {
            self.running
                .as_ref()
                .is_some_and(|present| present.seat.game == running.seat.game)
        };
        // The table may have been given its next game meanwhile.
        if let Some(running) = batch.running.filter(same_game) {
            let deadline = running.game.next_deadline();
            // The same deadline again, though its alarm was given: that is tried again a little later.
            if deadline.is_none() || deadline != self.rung {
                self.alarm = deadline;
            }
            self.running = Some(running);
        }
        for mark in &batch.marks {
            if let Ok(device) = mark.device.parse() {
                self.taken.insert((device, mark.boot), mark.seq);
            }
        }
        out.extend(batch.marks.into_iter().map(ShardEffect::Seen));
        self.sync_orders(now, settings, out);
        if batch.changed {
            self.ask(out);
        }
        if batch.changed || self.check_has_changed() {
            self.show(now, registry, out);
        }
        if let Some(arrived) = batch.arrived {
            out.push(ShardEffect::Latency(now - arrived));
        }
        out.extend(
            batch
                .replies
                .into_iter()
                .map(|(call, answer)| ShardEffect::Answer { call, answer }),
        );
    }

    /// Compares what the clock showed last with the count of then, once nothing is under way between them; whether arbiters should see
    /// the table's arithmetic anew.
    fn check_has_changed(&mut self) -> bool {
        let Some(running) = self.running.as_ref().filter(|running| running.parked.is_none()) else {
            return false;
        };
        let Some((at, sum)) = self.read.filter(|(at, _)| *at >= running.game.state().time) else {
            return false;
        };
        self.read = None;
        let counted = catch_unwind(AssertUnwindSafe(|| running.game.check_sum(at)));
        let Ok(Some(counted)) = counted else { return false };
        self.over = Some(sum - counted.shown);
        let shown = self.shown.as_ref().and_then(|shown| shown.view.check);
        let now = self.checked(counted);
        shown.is_none_or(|shown| !shown.read || (shown.deviation() - now.deviation()).0.abs() >= CHECK_STEP.0)
    }

    /// The table's arithmetic with what the clock on the table has shown, and by the hall's time.
    pub fn checked(&self, mut check: ClockCheck) -> ClockCheck {
        if let Some(over) = self.over {
            check.shown += over;
            check.read = true;
        }
        check.elapsed -= self.ahead(check.as_of);
        check
    }

    /// The last report of this boot that the game has taken.
    pub fn decided_on(&self, device: &DeviceId, life: &DeviceLife) -> i64 {
        let taken = life.boot.and_then(|boot| self.taken.get(&(device.clone(), boot)));
        taken.copied().unwrap_or(life.durable).max(life.durable)
    }

    /// Up to where all of the table's devices have told everything.
    fn settled_through(&self) -> HallTime {
        if self.running.is_none() {
            return HallTime(i64::MIN);
        }
        let heard = |device: &DeviceId| {
            let heard = self.heard.get(device).map_or(HallTime(i64::MIN), |heard| heard.surely);
            // What a board tells before its picture is no more than what was touched, on top of nobody knows what.
            let gap = self.board_gap.as_ref().filter(|_| self.board.as_ref() == Some(device));
            gap.map_or(heard, |(_, since)| heard.min(*since))
        };
        [&self.clock, &self.board]
            .into_iter()
            .flatten()
            .map(heard)
            .min()
            // Without devices everything is entered by people, and known when it is entered.
            .unwrap_or(HallTime(i64::MIN))
    }

    /// The game at the table.
    pub fn plays(&self) -> Option<GameId> {
        self.running.as_ref().map(|running| running.seat.game)
    }

    /// What is to be kept in the state, if anything has changed.
    pub fn keep(&mut self) -> Option<(u64, KeptGame)> {
        if !std::mem::take(&mut self.dirty) {
            return None;
        }
        let running = self.running.as_ref()?;
        Some((
            self.position,
            KeptGame {
                id: running.seat.game,
                table: self.number,
                game: running.game.clone(),
                parked: running.parked.clone(),
                result_by_hand: running.result_by_hand.clone(),
            },
        ))
    }
}

/// A game at its table: new, or as it was kept.
fn begin(seat: &Arc<Seat>, kept: Option<&KeptGame>) -> Running {
    if let Some(kept) = kept {
        return Running {
            seat: Arc::clone(seat),
            game: kept.game.clone(),
            parked: kept.parked.clone(),
            result_by_hand: kept.result_by_hand.clone(),
        };
    }
    Running {
        seat: Arc::clone(seat),
        game: Game::new(seat.setup.clone()),
        parked: None,
        result_by_hand: None,
    }
}

/// Reports that belong before what their game has taken already, heard one right behind the other: those of a device that could not be
/// heard for a while. One by one each would have all that came after it taken again.
#[derive(Default)]
struct Outage {
    told: Vec<Input>,
    arrived: HallTime,
    /// Up to where the table is settled with them.
    through: HallTime,
}

impl Outage {
    fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    fn add(&mut self, told: Vec<Input>, arrived: HallTime, settled: HallTime) {
        self.told.extend(told);
        self.arrived = arrived;
        self.through = settled;
    }
}

/// A batch that is being formed.
struct Taking {
    table: TableNo,
    now: HallTime,
    /// The same moment by the table's time.
    there: HallTime,
    /// What the clock shows says nothing: it is just being given its times.
    renewing: bool,
    running: Option<Running>,
    entries: Vec<NewEntry>,
    marks: BTreeMap<(DeviceId, u32), i64>,
    replies: Vec<(CallTicket, Result<Answer, CallError>)>,
    arrived: Option<HallTime>,
    changed: bool,
}

impl Taking {
    /// What a report tells the game.
    fn read(&mut self, binding: &Binding, report: Report, arrived: HallTime) -> Vec<Input> {
        self.arrived = Some(self.arrived.map_or(arrived, |earliest| earliest.min(arrived)));
        let seq = report.seq as i64;
        let mark = self.marks.entry((report.device.clone(), report.boot)).or_insert(seq);
        *mark = seq.max(*mark);
        if self.before_the_game(&report) {
            tracing::debug!(table = self.table.0, device = %report.device, seq, at = report.at.0, "a report from before the game is kept out of it");
            return Vec::new();
        }
        let facts = binding.facts(&report.what);
        if facts.is_empty() {
            tracing::warn!(table = self.table.0, device = %report.device, seq, "a report could not be read as a fact of the game");
        }
        let origin = Origin::Device {
            device: report.device.to_string(),
            boot: report.boot,
            seq,
            bar: report.apart,
        };
        let heard = |fact| Input {
            at: report.at,
            heard: arrived,
            origin: origin.clone(),
            what: Happening::Fact(fact),
        };
        let counts = |fact: &Fact| !self.renewing || !matches!(fact, Fact::Reading(_));
        facts.into_iter().filter(counts).map(heard).collect()
    }

    /// What happened before the game was opened at the table is no part of it: pieces that were set up, or reports that a device
    /// has kept from the game before.
    fn before_the_game(&self, report: &Report) -> bool {
        let slack = report.bar.unwrap_or(UNKNOWN_SETUP);
        self.running
            .as_ref()
            .is_some_and(|running| report.at + slack < running.seat.setup.opened)
    }

    /// Tells the game up to where the table is settled, if that is news, and says up to where it has been told.
    fn settled(&mut self, heard: HallTime, told: HallTime, through: HallTime) -> HallTime {
        if through <= told {
            return told;
        }
        self.input(Input {
            at: heard,
            heard,
            origin: Origin::Hub,
            what: Happening::Settled { through },
        });
        through
    }

    /// Whether all of this belongs before what the game has taken.
    fn are_late(&self, told: &[Input]) -> bool {
        let game = self.running.as_ref().filter(|running| running.parked.is_none());
        game.is_some_and(|running| !told.is_empty() && told.iter().all(|input| running.game.is_late(input)))
    }

    /// The game takes what an outage has kept back, and says up to where it has been told.
    fn outage(&mut self, outage: &mut Outage, told: HallTime) -> HallTime {
        let outage = std::mem::take(outage);
        if outage.is_empty() {
            return told;
        }
        match self.take(|game| game.take_late(&outage.told)) {
            Ok(Ok(events)) if events.is_empty() => {}
            Ok(Ok(events)) => self.write(&TableRecord::Taken { events }),
            // One of them is bad, and shows which it is when each is taken alone.
            Ok(Err(_)) | Err(_) => outage.told.into_iter().for_each(|input| self.input(input)),
        }
        self.settled(outage.arrived, told, outage.through)
    }

    fn input(&mut self, input: Input) {
        let Some(running) = &self.running else { return };
        if running.parked.is_some() {
            if matches!(input.what, Happening::Fact(ref fact) if !matches!(fact, Fact::Reading(_))) {
                self.write(&TableRecord::Aside { input: Box::new(input) });
            }
            return;
        }
        match self.take(|game| game.take(&input)) {
            Ok(Ok(events)) => {
                if !events.is_empty() {
                    self.write(&TableRecord::Taken { events });
                }
            }
            Ok(Err(refusal)) => {
                tracing::warn!(table = self.table.0, game = %running_id(&self.running), %refusal, "the game does not take what was heard");
            }
            Err(why) => self.park(why, Some(input)),
        }
    }

    fn call(&mut self, call: CallTicket, what: TableCall) {
        match self.answer(what) {
            Ok(answer) => self.replies.push((call, Ok(answer))),
            Err(error) => self.replies.push((call, Err(error))),
        }
    }

    fn answer(&mut self, what: TableCall) -> Result<Answer, CallError> {
        let table = self.table;
        let Some(running) = &mut self.running else {
            return Err(CallError::new(
                CallReason::NoGame,
                format!("there is no game at table {table}; arm its round first"),
            ));
        };
        let origin = Origin::Person {
            name: what.author.name.clone(),
            role: what.author.role.name().to_owned(),
        };
        if let Some(why) = running.parked.clone() {
            let result = match &what.deed {
                TableDeed::Act(Act {
                    what: Deed::Decide { result },
                    ..
                }) => match result.parse::<GameResult>() {
                    Ok(result) => result.text(),
                    Err(no) => return Err(CallError::field("result", format!("table {table}: {no}"))),
                },
                // Played on by hand after all.
                TableDeed::Act(Act { what: Deed::Reopen, .. }) if running.result_by_hand.is_some() => "*",
                _ => {
                    return Err(CallError::new(
                        CallReason::Parked,
                        format!(
                            "table {table} goes on by hand, since its game failed in the hub ({why}): stop and set the clocks at the \
                             table, write the moves down, and enter the result when there is one (`flagfall arbiter result`); \
                             `reopen` takes it back"
                        ),
                    ));
                }
            };
            running.result_by_hand = Some(result.to_owned());
            let record = TableRecord::ResultByHand {
                result: result.to_owned(),
                by: what.author.name.clone(),
            };
            return Ok(self.done(&what, &record, None));
        }
        let happening = match &what.deed {
            TableDeed::Act(act) => Happening::Act(act.clone()),
            TableDeed::Fact(fact) => Happening::Fact(fact.clone()),
        };
        let input = Input {
            at: self.there,
            heard: self.there,
            origin,
            what: happening,
        };
        match self.take(|game| game.take(&input)) {
            Ok(Ok(events)) => {
                let revision = self
                    .running
                    .as_ref()
                    .map(|running| view(&running.game, self.now).map(|view| view.revision));
                let revision = match revision {
                    Some(Ok(revision)) => Some(revision),
                    _ => None,
                };
                // Also where nothing came of it: a repeated call must find its answer.
                Ok(self.done(&what, &TableRecord::Taken { events }, revision))
            }
            Ok(Err(refusal)) => Err(self.refused(refusal)),
            Err(why) => {
                self.park(why.clone(), Some(input));
                Err(CallError::new(
                    CallReason::Parked,
                    format!("the game at table {table} failed in the hub ({why}); the table goes on by hand"),
                ))
            }
        }
    }

    /// Lets a copy take something, and proves that what came out can be replayed. An error is a failure of the game.
    fn take(
        &mut self,
        takes: impl FnOnce(&mut Game) -> Result<Vec<Event>, Refusal>,
    ) -> Result<Result<Vec<Event>, Refusal>, String> {
        let Some(running) = &mut self.running else {
            return Ok(Ok(Vec::new()));
        };
        let mut copy = running.game.clone();
        let mut replayed = running.game.clone();
        #[cfg(test)]
        let table = self.table;
        let taken = catch_unwind(AssertUnwindSafe(|| {
            #[cfg(test)]
            super::tests::fail_where_told(table);
            let events = match takes(&mut copy) {
                Ok(events) => events,
                Err(refusal) => return Ok(Err(refusal)),
            };
            for event in &events {
                replayed.fold(event).map_err(|error| error.to_string())?;
            }
            Ok(Ok(events))
        }));
        match taken {
            Ok(Ok(Ok(events))) => {
                running.game = copy;
                self.changed |= !events.is_empty();
                Ok(Ok(events))
            }
            Ok(Ok(Err(refusal))) => Ok(Err(refusal)),
            Ok(Err(why)) => Err(why),
            Err(panic) => Err(panic_text(panic.as_ref())),
        }
    }

    fn park(&mut self, why: String, input: Option<Input>) {
        tracing::error!(table = self.table.0, game = %running_id(&self.running), %why, "the game failed in the hub: the table goes on by hand");
        self.write(&TableRecord::Parked {
            why: why.clone(),
            input: input.map(Box::new),
        });
        if let Some(running) = &mut self.running {
            running.parked = Some(why);
        }
        self.changed = true;
    }

    fn done(&mut self, what: &TableCall, record: &TableRecord, revision: Option<u64>) -> Answer {
        let answer = Answer {
            revision,
            ..Answer::default()
        };
        let done = DoneCall {
            asked: what.asked.clone(),
            answer: answer.clone(),
        };
        let entry = self.entry(record).answering(what.request.clone(), write(&done));
        let place = self.entries.len() as u64;
        self.entries.push(entry);
        self.changed = true;
        Answer {
            position: place,
            ..answer
        }
    }

    fn entry(&self, record: &TableRecord) -> NewEntry {
        let entry = NewEntry::new(EntryKind::Table, self.now, write(record));
        match &self.running {
            Some(running) => entry.at_table(self.table.0, running.seat.game.0),
            None => entry,
        }
    }

    fn write(&mut self, record: &TableRecord) {
        let entry = self.entry(record);
        self.entries.push(entry);
    }

    fn refused(&self, refusal: Refusal) -> CallError {
        let table = self.table;
        let message = format!("table {table}: {refusal}");
        match refusal {
            Refusal::StaleTable { now, .. } | Refusal::StaleItem { now, .. } => CallError {
                current_revision: Some(now),
                ..CallError::new(CallReason::StaleRevision, message)
            },
            Refusal::NoItem { .. } => CallError::new(CallReason::NotFound, message),
            Refusal::Invalid { field, .. } => CallError::field(field, message),
            Refusal::NotNow(_) => {
                let view = self
                    .running
                    .as_ref()
                    .and_then(|running| view(&running.game, self.now).ok());
                let reason = match view {
                    Some(view) if view.result != "*" => CallReason::GameOver,
                    Some(view) if view.started.is_none() => CallReason::NotStarted,
                    _ => CallReason::WrongState,
                };
                CallError::new(reason, message)
            }
        }
    }

    /// The entries, with the devices' progress on the last of them, and the rest of the batch.
    fn finish(mut self) -> (Vec<NewEntry>, Batch) {
        let marks: Vec<_> = self
            .marks
            .iter()
            .map(|((device, boot), seq)| SessionMark {
                device: device.to_string(),
                boot: *boot,
                seq: *seq,
            })
            .collect();
        if !marks.is_empty() {
            if self.entries.is_empty() {
                let progress = write(&DeviceRecord::Progress);
                self.entries
                    .push(NewEntry::new(EntryKind::Sessions, self.now, progress));
            }
            if let Some(last) = self.entries.last_mut() {
                last.sessions.clone_from(&marks);
            }
        }
        let batch = Batch {
            running: self.running,
            marks,
            replies: self.replies,
            arrived: self.arrived,
            changed: self.changed,
        };
        (self.entries, batch)
    }
}

fn running_id(running: &Option<Running>) -> String {
    running
        .as_ref()
        .map_or_else(|| "none".to_owned(), |running| running.seat.game.to_string())
}

/// What arbiters see, unless the game fails at saying it.
pub(super) fn view(game: &Game, now: HallTime) -> Result<ArbiterView, String> {
    catch_unwind(AssertUnwindSafe(|| game.arbiter_view(now))).map_err(|panic| panic_text(panic.as_ref()))
}

/// What a panic said.
pub(super) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let said = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    said.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".to_owned())
}
