//! One device as the hub knows it: its session, the maps of its boots' time, its health; and what its session's effects come to.

use super::front::{Front, FrontEffect, FrontSettings, down};
use super::held::Held;
use super::marks::DeviceMarks;
use super::translate;
use crate::device::codec;
use crate::device::message as said;
use crate::device::message::{Birth, Death, FromDevice, Vital};
use crate::device::order as told;
use crate::device::session::{Heard, Session, SessionEffect, SessionProblem, Silence};
use crate::device::time::{BootOffset, TimeMap, TimeNote};
use crate::device::topics::Down;
use crate::game::input::ClockFault;
use crate::hall::ids::{DeviceId, TableNo};
use crate::hall::model::{self, DeviceHealth, DeviceKind, Online};
use crate::hall::record::DeviceRecord;
use crate::hall::report::{Abilities, Ack, DeviceOrder, Report};
use crate::hall::shard::{DeviceLife, DeviceState, DeviceTrouble, ShardInput, SilenceTold};
use crate::telemetry;
use crate::time::{DeviceTime, HallTime, Millis};

/// How often a device is asked for its time, in real time.
const PROBE_EVERY: Millis = Millis::secs(15);
/// So many exchanges follow each other at once after a birth, and give a short one.
const FIRST_EXCHANGES: u32 = 5;
/// After so many the offset of a boot may be fixed though nothing has been reported yet.
const ENOUGH_EXCHANGES: u32 = 3;
/// A counter that leaps by more, in real time, is taken to have begun anew: no network in order explains it.
const LEAP: Millis = Millis::secs(10);
/// Boots whose reports may still be coming.
const MAPS: usize = 3;
/// A signal that changes by less is not news.
const SIGNAL_STEP: i32 = 5;
/// Nor is a time that has run ahead by less.
const AHEAD_STEP: Millis = Millis(50);

/// One device.
pub(super) struct Device {
    pub session: Session,
    pub health: DeviceHealth,
    pub bound: Option<TableNo>,
    pub deadline: Option<HallTime>,
    kind: DeviceKind,
    speaks_for: Vec<DeviceId>,
    maps: Vec<TimeMap>,
    kept: DeviceMarks,
    /// Resolution and counter width, from the last birth.
    counter: (Millis, u32),
    /// It has been heard since the hub's start.
    born: bool,
    exchanges: u32,
    /// The health that the shard was told last.
    told: Option<DeviceHealth>,
    probe_every: Millis,
    /// It has been put at a table then, and what stands on its board has not been told there since.
    picture_from: Option<HallTime>,
    /// By how much its counter may leap before it is taken to have begun anew.
    leap: Millis,
    /// What waits until its time is known.
    pub held: Held,
}

impl Device {
    pub fn new(known: &model::Device, kept: DeviceMarks, settings: &FrontSettings, now: HallTime) -> Device {
        let session = Session::new(known.id.clone(), kept.session(now), settings.limits, now);
        let mut device = Device {
            session,
            health: DeviceHealth::unknown(known.id.clone()),
            bound: known.bound_to,
            deadline: None,
            kind: known.kind,
            speaks_for: known.speaks_for.clone(),
            maps: Vec::new(),
            counter: kept
                .able
                .map_or((Millis(1), 0), |able| (able.resolution, able.counter_bits)),
            kept,
            born: false,
            exchanges: 0,
            told: None,
            picture_from: None,
            probe_every: Millis((PROBE_EVERY.0 as f64 * settings.speed) as i64),
            leap: Millis((LEAP.0 as f64 * settings.speed.max(1.0)) as i64),
            held: Held::new(settings.speed),
        };
        device.restore_maps();
        device.health.ahead = device.maps.last().and_then(|map| map.ahead(map.at(now)));
        device
    }

    /// The registry has something new about it.
    pub fn update(&mut self, known: &model::Device, now: HallTime) {
        if self.bound != known.bound_to {
            self.health.pressed = None;
            self.picture_from = known.bound_to.map(|_| now);
        }
        self.bound = known.bound_to;
        self.kind = known.kind;
        self.speaks_for.clone_from(&known.speaks_for);
    }

    /// The table that it serves, for the log: a device that serves none is logged without one.
    pub fn table_no(&self) -> Option<u32> {
        self.bound.map(|table| table.0)
    }

    /// A board that has come to a table is asked what stands on it, until it has said so.
    pub fn ask_picture(&mut self, able: Option<Abilities>, now: HallTime) -> Vec<SessionEffect> {
        if self.picture_from.is_some() && able.is_some_and(|able| able.board) {
            self.session.ask_state(now)
        } else {
            Vec::new()
        }
    }

    /// Counts a report that has been here before.
    pub fn note_twice(&self, message: &FromDevice) {
        if let FromDevice::Report(report) = message
            && self.session.boot() == Some(report.boot)
            && report.seq as i64 <= self.session.delivered()
        {
            metrics::counter!(telemetry::REPORTS_TWICE).increment(1);
        }
    }

    pub fn life(&self, able: Option<Abilities>, empty: bool, silence: SilenceTold) -> DeviceLife {
        DeviceLife {
            health: self.health.clone(),
            boot: self.session.boot(),
            able,
            empty,
            silence,
            durable: self.session.mark().map_or(-1, |mark| mark.seq),
        }
    }

    pub fn probe_due(&self) -> Option<HallTime> {
        self.maps
            .last()
            .filter(|map| Some(map.boot()) == self.session.boot())?
            .probe_due()
    }

    /// A time probe, as it is sent.
    pub fn probe(&mut self, now: HallTime) -> Option<Vec<u8>> {
        let boot = self.session.boot();
        let format = self.session.format();
        let map = self.maps.iter_mut().find(|map| Some(map.boot()) == boot)?;
        let probe = map.probe(now);
        Some(codec::encode_probe(probe.id, probe.sent, format))
    }

    /// An order, as it is sent; `None` while the device's time is not known.
    pub fn order(&self, order: &DeviceOrder) -> Option<Vec<u8>> {
        let map = self
            .maps
            .iter()
            .find(|map| map.boot() == order.boot && map.is_heard())?;
        let told = told::DeviceOrder {
            id: order.id.clone(),
            epoch: order.epoch,
            boot: order.boot,
            decided_seq: order.decided_seq,
            expires: Some(map.to_device(order.expires)),
            what: translate::order(&order.what),
        };
        Some(codec::encode_order(&told, self.session.format()))
    }

    /// How its boots are mapped, the newest last.
    pub(super) fn maps(&self) -> &[TimeMap] {
        &self.maps
    }

    /// The map of this boot's time; where none was kept, what was `sent` has come in now.
    pub(super) fn map(&mut self, boot: u32, sent: DeviceTime, now: HallTime) -> &mut TimeMap {
        let at = self.maps.iter().position(|map| map.boot() == boot).unwrap_or_else(|| {
            let (resolution, bits) = self.counter;
            self.put_map(match self.kept.offset(boot) {
                Some(kept) => TimeMap::restore(kept, resolution, bits),
                None => TimeMap::new(boot, sent, now, resolution, bits),
            })
        });
        &mut self.maps[at]
    }

    fn put_map(&mut self, mut map: TimeMap) -> usize {
        map.set_probe_every(self.probe_every);
        map.set_leap(self.leap);
        self.maps.push(map);
        if self.maps.len() > MAPS {
            self.maps.remove(0);
        }
        self.maps.len() - 1
    }

    /// What is kept of how its boots are mapped is at hand before it is heard again: other devices are put in order with it.
    fn restore_maps(&mut self) {
        let (resolution, bits) = self.counter;
        let kept: Vec<_> = self
            .kept
            .boots
            .iter()
            .filter_map(|mark| self.kept.offset(mark.boot))
            .collect();
        for kept in kept.into_iter().rev().take(MAPS).rev() {
            self.put_map(TimeMap::restore(kept, resolution, bits));
        }
    }
}

impl Front {
    /// What a session wants done.
    pub(super) fn effects(
        &mut self,
        now: HallTime,
        id: &DeviceId,
        effects: Vec<SessionEffect>,
        out: &mut Vec<FrontEffect>,
    ) {
        for effect in effects {
            self.effect(now, id, effect, out);
        }
    }

    pub(super) fn effect(&mut self, now: HallTime, id: &DeviceId, effect: SessionEffect, out: &mut Vec<FrontEffect>) {
        let Some(effect) = self.hold_back(now, id, effect, out) else {
            return;
        };
        let counts = self.able(id).is_some_and(|able| able.counts);
        let Some(device) = self.device_mut(id) else { return };
        let bound = device.bound;
        match effect {
            SessionEffect::Born { birth, new_boot } => self.born(now, id, &birth, new_boot, out),
            SessionEffect::Deliver(report) => {
                metrics::counter!(telemetry::REPORTS).increment(1);
                self.troubles.missing(now, id, None);
                let Some(device) = self.device_mut(id) else { return };
                let what = translate::report(&with_control(report.what, counts));
                if let crate::hall::report::ReportKind::Lost { count } = what {
                    metrics::counter!(telemetry::REPORTS_LOST).increment(count);
                    // What stands there now is not to be known from the others.
                    device.picture_from = bound.map(|_| now);
                    tracing::warn!(device = %id, table = device.table_no(), count, "reports of a device are lost for good");
                }
                // What was kept over a restart does not say when it was sent.
                let present = device.session.boot() == Some(report.boot);
                let map = device.map(report.boot, report.sent, now);
                let leapt = if present { map.heard(report.sent, now) } else { None };
                self.time_note(now, id, report.boot, leapt, out);
                let Some(table) = bound else {
                    // Whoever sets up the hall presses a clock to know which it is, and which side is which.
                    if let crate::hall::report::ReportKind::Press { side, .. } = what
                        && present
                        && let Some(device) = self.device_mut(id)
                    {
                        device.health.pressed = Some(model::PressedLast { at: now, side });
                        self.say_life(id, false, out);
                    }
                    let loose = ShardInput::Loose {
                        device: id.clone(),
                        boot: report.boot,
                        seq: report.seq,
                    };
                    out.push(FrontEffect::Shard(0, Box::new(loose)));
                    return;
                };
                self.fix(now, id, table, report.boot, report.sent, out);
                let Some(moment) = self.moment(now, id, table, report.boot, (report.sent, report.event)) else {
                    return;
                };
                let report = Report {
                    device: id.clone(),
                    boot: report.boot,
                    seq: report.seq,
                    at: moment.at,
                    bar: moment.bar,
                    apart: moment.apart,
                    what,
                };
                self.to_table(table, ShardInput::Report { table, report }, out);
            }
            SessionEffect::Acked(ack) => {
                let Some(table) = bound else { return };
                self.fix(now, id, table, ack.boot, ack.sent, out);
                let Some(moment) = self.moment(now, id, table, ack.boot, (ack.sent, ack.effect)) else {
                    return;
                };
                let ack = Ack {
                    device: id.clone(),
                    boot: ack.boot,
                    outcome: translate::outcome(&ack),
                    at: moment.at,
                    apart: moment.apart,
                    after_seq: ack.after_seq,
                    face: ack.clock.as_ref().map(translate::face),
                    order: ack.order,
                };
                self.to_table(table, ShardInput::Acked { table, ack }, out);
            }
            SessionEffect::State(state) => {
                let Some(table) = bound else { return };
                let map = device.map(state.boot, state.at, now);
                let hall = map
                    .known(state.at)
                    .map_or_else(|| map.to_hall(state.at).0, |(hall, _)| hall);
                if state.placement.is_some() && device.picture_from.is_some_and(|since| hall > since) {
                    device.picture_from = None;
                }
                let Some(moment) = self.moment(now, id, table, state.boot, (state.at, state.at)) else {
                    return;
                };
                let state = DeviceState {
                    device: id.clone(),
                    boot: state.boot,
                    after_seq: state.after_seq,
                    at: moment.at,
                    apart: moment.apart,
                    face: state
                        .clock
                        .filter(|clock| clock.has_control || !counts)
                        .as_ref()
                        .map(translate::face),
                    placement: state.placement,
                };
                self.to_table(table, ShardInput::State { table, state }, out);
            }
            SessionEffect::Settled { boot, through } => {
                let Some(table) = bound else { return };
                let enough = device.exchanges >= ENOUGH_EXCHANGES;
                let fixed = device.map(boot, through, now).offset().fixed;
                if !fixed && !enough {
                    return;
                }
                self.fix(now, id, table, boot, through, out);
                let Some(moment) = self.moment(now, id, table, boot, (through, through)) else {
                    return;
                };
                self.to_table(
                    table,
                    ShardInput::Heard {
                        table,
                        device: id.clone(),
                        through: moment.at,
                        apart: moment.apart,
                    },
                    out,
                );
            }
            SessionEffect::Vital(vital) => self.vital(now, id, &vital, out),
            SessionEffect::SendSeen {
                boot,
                seq,
                resend,
                birth,
            } => {
                let payload = codec::encode_seen(boot, seq, resend, birth, device.session.format());
                out.push(down(id, Down::Seen, payload));
            }
            SessionEffect::Silent { why, since } => {
                device.health.online = Online::Silent;
                tracing::warn!(device = %id, table = device.table_no(), %why, "a device is silent");
                let gone = (device.kind == DeviceKind::Gateway && why != Silence::Limit)
                    .then(|| (device.speaks_for.clone(), why == Silence::Polite));
                let gateway = self.with_gateway.clone();
                self.troubles.silent(now, id, why, since.is_some(), gateway.as_ref());
                self.say_life(id, false, out);
                if let Some((others, polite)) = gone {
                    self.with_gateway = Some(id.clone());
                    self.gateway_gone(now, &others, polite, out);
                    self.with_gateway = None;
                }
            }
            SessionEffect::Back { .. } => {
                device.health.online = Online::Online;
                self.troubles.back(now, id);
                self.say_life(id, false, out);
            }
            SessionEffect::Problem(problem) => {
                tracing::warn!(device = %id, table = device.table_no(), %problem, "a device's stream has a problem");
                self.problem(now, id, &problem, out);
            }
        }
    }

    fn born(&mut self, now: HallTime, id: &DeviceId, birth: &Birth, new_boot: bool, out: &mut Vec<FrontEffect>) {
        self.check_epoch(now, id, birth.highest_epoch);
        let able = translate::abilities(&birth.abilities);
        self.learn(id, able);
        let Some(device) = self.device_mut(id) else { return };
        device.counter = (birth.abilities.resolution, birth.abilities.counter_bits);
        if new_boot {
            device.exchanges = 0;
            device.health.ahead = None;
            device.health.drift_ppm = 0;
        }
        device.map(birth.boot, birth.sent, now).heard(birth.sent, now);
        tracing::info!(
            device = %id, table = device.table_no(), boot = birth.boot, model = ?birth.model, firmware = ?birth.firmware, new_boot,
            "a device is here"
        );
        let known = device.kept.boots.iter().any(|boot| boot.boot == birth.boot) && device.kept.able == Some(able);
        let probe = device.probe(now);
        // A clock that was started anew and counts, but holds no time control, has lost it; or the hub died before it was given one.
        let anew = new_boot || !std::mem::replace(&mut device.born, true);
        let empty = anew && able.counts && birth.clock.is_none_or(|clock| !clock.has_control);
        let table = device.bound;
        out.extend(probe.map(|payload| down(id, Down::Time, payload)));
        if new_boot || !known {
            let record = DeviceRecord::Born {
                device: id.clone(),
                boot: birth.boot,
                model: birth.model.clone(),
                firmware: birth.firmware.clone(),
                able,
            };
            let shard = table.map_or(0, |table| self.shard_of(table));
            out.push(FrontEffect::Shard(shard, Box::new(ShardInput::Born { record })));
        }
        if new_boot {
            self.troubles.born(now, id);
        }
        self.say_life(id, empty, out);
    }

    fn vital(&mut self, now: HallTime, id: &DeviceId, vital: &Vital, out: &mut Vec<FrontEffect>) {
        let Some(device) = self.device_mut(id) else { return };
        let map = device.map(vital.boot, vital.sent, now);
        let note = map.take(vital, now);
        let (bar, ahead, ppm) = (map.bar(vital.sent), map.ahead(vital.sent), map.said_ppm());
        let kept = map.worth_keeping(vital.sent);
        if vital.probe.is_some() {
            device.exchanges = device.exchanges.saturating_add(1);
            if device.exchanges < FIRST_EXCHANGES {
                let probe = device.probe(now);
                out.extend(probe.map(|payload| down(id, Down::Time, payload)));
            }
        }
        device.health.battery = vital.battery_percent.or(device.health.battery);
        device.health.signal = vital.signal_dbm.or(device.health.signal);
        device.health.bar = bar;
        device.health.ahead = ahead.or(device.health.ahead);
        device.health.drift_ppm = ppm;
        let news = device
            .told
            .as_ref()
            .is_none_or(|told| worth_telling(told, &device.health));
        let health = device.health.clone();
        self.troubles.vital(now, id, &health);
        let Some(device) = self.device_mut(id) else { return };
        if news {
            device.told = Some(device.health.clone());
            self.say_life(id, false, out);
        }
        self.time_note(now, id, vital.boot, note, out);
        if let (Some(kept), Some(table)) = (kept, self.device_mut(id).and_then(|device| device.bound)) {
            self.mapped(id, table, kept, out);
        }
        if vital.probe.is_some() {
            self.release(now, id, out);
        }
    }

    /// What a device's time was found to do is told with its figure; after a leap its boot is mapped anew.
    pub(super) fn time_note(
        &mut self,
        now: HallTime,
        id: &DeviceId,
        boot: u32,
        note: Option<TimeNote>,
        out: &mut Vec<FrontEffect>,
    ) {
        let Some(note) = note else { return };
        let Some(device) = self.device_mut(id) else { return };
        tracing::warn!(device = %id, table = device.table_no(), ?note, "a device's time does not go as the hall's");
        let what = match note {
            TimeNote::Drifts { ppm, over, off } => ClockFault::Drifts { ppm, over, off },
            TimeNote::Jumped { by, bridged, .. } => ClockFault::Jumped { by, bridged },
        };
        self.troubles.time(now, id, what);
        let Some(device) = self.device_mut(id) else { return };
        let Some(table) = device.bound else { return };
        let mapped = device.maps.iter().find(|map| map.boot() == boot).map(TimeMap::offset);
        if let (ClockFault::Jumped { bridged: true, .. }, Some(mapped)) = (what, mapped)
            && mapped.fixed
        {
            self.mapped(id, table, mapped, out);
        }
        let trouble = DeviceTrouble::Time(what);
        let device = id.clone();
        self.to_table(table, ShardInput::Trouble { table, device, trouble }, out);
    }

    /// What of a stream's problems the table's arbiter has to know.
    fn problem(&mut self, now: HallTime, id: &DeviceId, problem: &SessionProblem, out: &mut Vec<FrontEffect>) {
        let Some(device) = self.device_mut(id) else { return };
        match *problem {
            SessionProblem::TimeWentBack {
                boot, from, to, sent, ..
            } => {
                let map = device.map(boot, DeviceTime(sent), now);
                let note = map.went_back(DeviceTime(from), DeviceTime(sent), now, DeviceTime(to));
                self.time_note(now, id, boot, note, out);
            }
            SessionProblem::BootEnded { first, last, .. } => {
                let Some(table) = device.bound else { return };
                let trouble = DeviceTrouble::Lost(last.saturating_sub(first) + 1);
                let device = id.clone();
                self.to_table(table, ShardInput::Trouble { table, device, trouble }, out);
            }
            SessionProblem::Gap { expected, .. } => self.troubles.missing(now, id, Some(expected)),
            _ => {}
        }
    }

    /// The offset of a boot is fixed by the first thing that goes to its table with it.
    fn fix(
        &mut self,
        now: HallTime,
        id: &DeviceId,
        table: TableNo,
        boot: u32,
        sent: DeviceTime,
        out: &mut Vec<FrontEffect>,
    ) {
        let Some(device) = self.device_mut(id) else { return };
        if device.map(boot, sent, now).offset().fixed {
            return;
        }
        let ahead = self.ahead_for(id, table, now);
        let Some(device) = self.device_mut(id) else { return };
        let map = device.map(boot, sent, now);
        let mapped = map.bind(sent, ahead);
        let ahead = map.ahead(sent);
        device.health.ahead = ahead.or(device.health.ahead);
        self.mapped(id, table, mapped, out);
        if ahead.is_some_and(|ahead| ahead.by != Millis::ZERO || ahead.ppm != 0) {
            self.say_life(id, false, out);
        }
    }

    /// How a boot's time is mapped is written down.
    fn mapped(&mut self, id: &DeviceId, table: TableNo, mapped: BootOffset, out: &mut Vec<FrontEffect>) {
        let record = DeviceRecord::Offset {
            device: id.clone(),
            boot: mapped.boot,
            offset: mapped.offset,
            known: mapped.known,
        };
        self.to_table(table, ShardInput::Offset { table, record }, out);
    }

    /// A gateway's death is that of the devices it speaks for.
    fn gateway_gone(&mut self, now: HallTime, others: &[DeviceId], polite: bool, out: &mut Vec<FrontEffect>) {
        for id in others {
            let Some(device) = self.device_mut(id) else { continue };
            let Some(boot) = device.session.boot() else { continue };
            let message = FromDevice::Death(Death {
                boot,
                polite,
                connection: None,
            });
            let heard = Heard {
                retained: false,
                format: device.session.format(),
                message,
            };
            let effects = device.session.take(now, heard);
            self.effects(now, id, effects, out);
        }
    }
}

/// A clock that counts and holds no time control shows nothing of the game: it has lost it, or was never given it.
fn with_control(mut what: said::ReportKind, counts: bool) -> said::ReportKind {
    use said::ReportKind::{Button, Flag, Press};
    if let Press { clock, .. } | Flag { clock, .. } | Button { clock, .. } = &mut what {
        *clock = clock.filter(|clock| clock.has_control || !counts);
    }
    what
}

fn worth_telling(told: &DeviceHealth, now: &DeviceHealth) -> bool {
    let signal = match (told.signal, now.signal) {
        (Some(before), Some(after)) => (before - after).abs() >= SIGNAL_STEP,
        (before, after) => before != after,
    };
    let bar = match (told.bar, now.bar) {
        (Some(before), Some(after)) => after.0 * 4 < before.0 * 3 || after.0 * 3 > before.0 * 4,
        (before, after) => before != after,
    };
    let ahead = match (told.ahead, now.ahead) {
        (Some(before), Some(after)) => (after.by - before.by(after.at)).0.abs() >= AHEAD_STEP.0,
        (before, after) => before.is_some() != after.is_some(),
    };
    signal
        || bar
        || ahead
        || told.drift_ppm != now.drift_ppm
        || told.battery != now.battery
        || told.online != now.online
}
