//! What is wrong with the hall's devices, put together: which silences have one cause, which batteries are low.
//!
//! A silence is first held for a moment. When many come together they are one trouble of the hall; one alone is an item at its
//! table. What was lost with the broker, a gateway or before the hub's first word of it is never an item for each.

use std::collections::{BTreeMap, BTreeSet};

use crate::device::session::{Limits, Silence};
use crate::device::topics::DeviceId;
use crate::game::input::ClockFault;
use crate::hall::ids::TableNo;
use crate::hall::model::DeviceHealth;
use crate::hall::notice::{
    BATTERY_CRITICAL, BATTERY_LOW, LOST_TOGETHER, Notice, NoticeDevice, NoticeKind, SIGNAL_WEAK, SIGNAL_WEAK_TIMES,
};
use crate::hall::shard::SilenceTold;
use crate::time::{HallTime, Millis};

/// So long a silence is held, in real time, to see whether others come with it.
const HELD: Millis = Millis::secs(2);
/// What follows a loss of many within this time belongs to it.
const SAME_LOSS: Millis = Millis::secs(30);
/// Notices are told no oftener than this, in real time.
const TOLD_EVERY: Millis = Millis(250);

/// How a device's silence is taken.
#[derive(Clone, Debug, PartialEq)]
enum Lost {
    /// Not decided yet.
    Held,
    Alone,
    Shared(NoticeKind),
}

#[derive(Clone, Debug)]
struct Gone {
    since: HallTime,
    why: String,
    lost: Lost,
}

/// What is wrong with one device.
#[derive(Clone, Debug, Default)]
struct Ills {
    gone: Option<Gone>,
    battery: Option<(HallTime, u32)>,
    weak_times: u32,
    signal: Option<(HallTime, i32)>,
    time: Option<(HallTime, ClockFault)>,
    missing: Option<(HallTime, u64)>,
}

impl Ills {
    fn is_well(&self) -> bool {
        self.gone.is_none()
            && self.battery.is_none()
            && self.weak_times == 0
            && self.time.is_none()
            && self.missing.is_none()
    }
}

/// All that is wrong with the hall's devices.
#[derive(Debug)]
pub(super) struct Troubles {
    ills: BTreeMap<DeviceId, Ills>,
    /// Devices that spoke before the link broke, and have not since.
    awaited: BTreeSet<DeviceId>,
    link_down: Option<HallTime>,
    /// The last loss of many.
    together: Option<HallTime>,
    silence: Millis,
    speed: f64,
    told: Vec<Notice>,
    tell_at: Option<HallTime>,
    told_at: Option<HallTime>,
    /// The link stood before.
    was_up: bool,
    /// Which device has obeyed a newer hub, of which epoch.
    newer: Option<(HallTime, DeviceId, u64)>,
}

impl Troubles {
    pub fn new(limits: &Limits, speed: f64) -> Troubles {
        Troubles {
            ills: BTreeMap::new(),
            awaited: BTreeSet::new(),
            link_down: None,
            together: None,
            silence: limits.silence,
            speed,
            told: Vec::new(),
            tell_at: None,
            told_at: None,
            was_up: false,
            newer: None,
        }
    }

    fn real(&self, span: Millis) -> Millis {
        Millis((span.0 as f64 * self.speed).ceil() as i64)
    }

    fn changed(&mut self, now: HallTime) {
        let due = self.told_at.map_or(now, |told| (told + self.real(TOLD_EVERY)).max(now));
        self.tell_at.get_or_insert(due);
    }

    fn ill(&mut self, id: &DeviceId) -> &mut Ills {
        self.ills.entry(id.clone()).or_default()
    }

    /// How the device's silence is to be told to its table.
    pub fn silence_of(&self, id: &DeviceId) -> SilenceTold {
        match self
            .ills
            .get(id)
            .and_then(|ills| ills.gone.as_ref())
            .map(|gone| &gone.lost)
        {
            None => SilenceTold::No,
            Some(Lost::Held) => SilenceTold::Held,
            Some(Lost::Alone) => SilenceTold::Alone,
            Some(Lost::Shared(_)) => SilenceTold::Shared,
        }
    }

    /// The link has broken; these devices spoke.
    pub fn link_down(&mut self, now: HallTime, speaking: impl Iterator<Item = DeviceId>) {
        self.awaited.extend(speaking);
        if self.was_up {
            self.link_down.get_or_insert(now);
        }
        self.changed(now);
    }

    /// The link stands (again).
    pub fn link_up(&mut self, now: HallTime) {
        self.was_up = true;
        self.link_down = None;
        self.changed(now);
    }

    /// A device has gone silent. `heard`: it has spoken to this hub at all.
    pub fn silent(&mut self, now: HallTime, id: &DeviceId, why: Silence, heard: bool, gateway: Option<&DeviceId>) {
        let recent = self.together.is_some_and(|at| now - at <= self.real(SAME_LOSS));
        let lost = if self.awaited.contains(id) {
            Lost::Shared(NoticeKind::LostWithBroker)
        } else if gateway.is_some() {
            Lost::Shared(NoticeKind::LostWithGateway)
        } else if !heard {
            Lost::Shared(NoticeKind::NotSeenYet)
        } else if why == Silence::Polite {
            Lost::Alone
        } else if recent {
            Lost::Shared(NoticeKind::LostTogether)
        } else {
            Lost::Held
        };
        let why = match gateway {
            Some(gateway) => format!("gateway {gateway}"),
            None => why.to_string(),
        };
        self.ill(id).gone = Some(Gone { since: now, why, lost });
        self.changed(now);
    }

    /// A device speaks (again).
    pub fn back(&mut self, now: HallTime, id: &DeviceId) {
        self.awaited.remove(id);
        if let Some(ills) = self.ills.get_mut(id)
            && ills.gone.take().is_some()
        {
            self.changed(now);
        }
    }

    /// What a sign of life says of the device.
    pub fn vital(&mut self, now: HallTime, id: &DeviceId, health: &DeviceHealth) {
        let mut changed = false;
        let well = !self.ills.contains_key(id);
        let low = health.battery.is_some_and(|percent| percent <= BATTERY_LOW.0);
        let weak = health.signal.is_some_and(|dbm| dbm <= SIGNAL_WEAK.0);
        if well && !low && !weak {
            return;
        }
        let ills = self.ill(id);
        match (health.battery, ills.battery) {
            (Some(percent), None) if low => {
                ills.battery = Some((now, percent));
                changed = true;
            }
            (Some(percent), Some((since, known))) if percent < BATTERY_LOW.1 => {
                changed |= percent != known;
                ills.battery = Some((since, percent));
            }
            (Some(_), Some(_)) => {
                ills.battery = None;
                changed = true;
            }
            _ => {}
        }
        match health.signal {
            Some(_) if weak => {
                ills.weak_times = ills.weak_times.saturating_add(1);
                let dbm = health.signal.unwrap_or_default();
                if ills.weak_times >= SIGNAL_WEAK_TIMES {
                    let since = ills.signal.map_or(now, |(since, _)| since);
                    changed |= ills.signal.is_none_or(|(_, known)| (known - dbm).abs() >= 5);
                    ills.signal.get_or_insert((since, dbm)).1 = dbm;
                }
            }
            Some(dbm) if dbm >= SIGNAL_WEAK.1 || ills.signal.is_none() => {
                ills.weak_times = 0;
                changed |= ills.signal.take().is_some();
            }
            _ => {}
        }
        if ills.is_well() {
            self.ills.remove(id);
        }
        if changed {
            self.changed(now);
        }
    }

    /// A device's time does not go as the hall's.
    pub fn time(&mut self, now: HallTime, id: &DeviceId, what: ClockFault) {
        let since = self
            .ills
            .get(id)
            .and_then(|ills| ills.time)
            .map_or(now, |(since, _)| since);
        self.ill(id).time = Some((since, what));
        self.changed(now);
    }

    /// Reports of it do not come, from this one on; or (`None`) they are here.
    pub fn missing(&mut self, now: HallTime, id: &DeviceId, expected: Option<u64>) {
        let known = self.ills.get(id).and_then(|ills| ills.missing);
        match (expected, known) {
            (Some(expected), known) => {
                let since = known.map_or(now, |(since, _)| since);
                self.ill(id).missing = Some((since, expected));
            }
            (None, Some(_)) => self.ill(id).missing = None,
            (None, None) => return,
        }
        self.changed(now);
    }

    /// It was started anew: what was said of its time is over.
    pub fn born(&mut self, now: HallTime, id: &DeviceId) {
        if let Some(ills) = self.ills.get_mut(id)
            && (ills.time.take().is_some() | ills.missing.take().is_some())
        {
            self.changed(now);
        }
    }

    /// A device has obeyed a hub of this epoch, newer than this one.
    pub fn newer_hub(&mut self, now: HallTime, id: &DeviceId, epoch: u64) {
        self.newer = Some((now, id.clone(), epoch));
        self.changed(now);
    }

    /// Which device serves which table may have changed.
    pub fn touch(&mut self, now: HallTime) {
        if !self.told.is_empty() || !self.ills.is_empty() {
            self.changed(now);
        }
    }

    /// The hall does not know it any more.
    pub fn forget(&mut self, now: HallTime, id: &DeviceId) {
        self.awaited.remove(id);
        if self.ills.remove(id).is_some() {
            self.changed(now);
        }
    }

    pub fn next_deadline(&self) -> Option<HallTime> {
        let held = self
            .ills
            .values()
            .filter_map(|ills| ills.gone.as_ref())
            .filter(|gone| gone.lost == Lost::Held);
        let decide = held.map(|gone| gone.since + self.real(HELD)).min();
        let broker = self
            .link_down
            .filter(|_| !self.awaited.is_empty())
            .map(|since| since + self.silence)
            .filter(|_| self.awaited.iter().any(|id| self.silence_of(id) == SilenceTold::No));
        decide.into_iter().chain(broker).chain(self.tell_at).min()
    }

    /// Time has come: says whose silence has been decided.
    pub fn tick(&mut self, now: HallTime) -> Vec<DeviceId> {
        let mut decided = Vec::new();
        if self.link_down.is_some_and(|since| since + self.silence <= now) {
            // Nobody hears them: what screens show of them is old.
            for id in self.awaited.clone() {
                let ills = self.ill(&id);
                if ills.gone.is_none() {
                    ills.gone = Some(Gone {
                        since: now,
                        why: "with the broker".to_owned(),
                        lost: Lost::Shared(NoticeKind::LostWithBroker),
                    });
                    decided.push(id);
                }
            }
        }
        let hold = self.real(HELD);
        let held = |ills: &Ills| matches!(&ills.gone, Some(gone) if gone.lost == Lost::Held);
        let due = |ills: &Ills| held(ills) && ills.gone.as_ref().is_some_and(|gone| gone.since + hold <= now);
        if self.ills.values().any(due) {
            let all: Vec<DeviceId> = self
                .ills
                .iter()
                .filter(|(_, ills)| held(ills))
                .map(|(id, _)| id.clone())
                .collect();
            let together = all.len() >= LOST_TOGETHER;
            if together {
                self.together = Some(now);
            }
            for id in all {
                let ills = self.ill(&id);
                if !together && !due(ills) {
                    continue;
                }
                if let Some(gone) = &mut ills.gone {
                    gone.lost = if together {
                        Lost::Shared(NoticeKind::LostTogether)
                    } else {
                        Lost::Alone
                    };
                }
                decided.push(id);
            }
        }
        if !decided.is_empty() {
            self.changed(now);
        }
        decided
    }

    /// The notices, when they are to be told and have changed.
    pub fn tell(&mut self, now: HallTime, table_of: impl Fn(&DeviceId) -> Option<TableNo>) -> Option<Vec<Notice>> {
        if self.tell_at.is_none_or(|at| at > now) {
            return None;
        }
        self.tell_at = None;
        self.told_at = Some(now);
        let notices = self.notices(table_of);
        if notices == self.told {
            return None;
        }
        self.told.clone_from(&notices);
        Some(notices)
    }

    fn notices(&self, table_of: impl Fn(&DeviceId) -> Option<TableNo>) -> Vec<Notice> {
        let mut by_kind: BTreeMap<NoticeKind, Vec<(i64, NoticeDevice)>> = BTreeMap::new();
        let mut put = |kind, worst: i64, id: &DeviceId, since, detail: String| {
            let device = NoticeDevice {
                id: id.clone(),
                table: table_of(id),
                since,
                detail,
            };
            by_kind.entry(kind).or_default().push((worst, device));
        };
        for (id, ills) in &self.ills {
            if let Some(gone) = &ills.gone
                // A spare that lies in the box, switched off, is nobody's trouble.
                && (table_of(id).is_some())
                && self.link_down.is_none()
            {
                let kind = match gone.lost {
                    Lost::Held => None,
                    Lost::Alone => Some(NoticeKind::Silent),
                    Lost::Shared(kind) => Some(kind),
                };
                if let Some(kind) = kind {
                    put(kind, gone.since.0, id, gone.since, gone.why.clone());
                }
            }
            if let Some((since, percent)) = ills.battery {
                let last = if percent <= BATTERY_CRITICAL {
                    ", it will not last"
                } else {
                    ""
                };
                put(
                    NoticeKind::BatteryLow,
                    i64::from(percent),
                    id,
                    since,
                    format!("{percent} %{last}"),
                );
            }
            if let Some((since, dbm)) = ills.signal {
                put(NoticeKind::SignalWeak, i64::from(dbm), id, since, format!("{dbm} dBm"));
            }
            if let Some((since, what)) = ills.time {
                let (worst, detail) = match what {
                    ClockFault::Drifts { ppm, .. } => {
                        let way = if ppm < 0 { "slow" } else { "fast" };
                        let ppm = ppm.unsigned_abs();
                        (
                            -(ppm as i64),
                            format!("{}.{:02} % {way}", ppm / 10_000, ppm % 10_000 / 100),
                        )
                    }
                    ClockFault::Jumped { by, .. } => {
                        let way = if by.0 < 0 { "back" } else { "ahead" };
                        let ms = by.0.unsigned_abs();
                        (-by.0.abs(), format!("leapt {way} by {}.{:03} s", ms / 1000, ms % 1000))
                    }
                };
                put(NoticeKind::TimeOff, worst, id, since, detail);
            }
            if let Some((since, expected)) = ills.missing {
                put(
                    NoticeKind::ReportsMissing,
                    since.0,
                    id,
                    since,
                    format!("from report {expected} on"),
                );
            }
        }
        if let Some((since, id, epoch)) = &self.newer {
            put(NoticeKind::NewerHub, 0, id, *since, format!("epoch {epoch}"));
        }
        if let Some(since) = self.link_down {
            for id in &self.awaited {
                put(NoticeKind::BrokerLost, 0, id, since, String::new());
            }
            by_kind.entry(NoticeKind::BrokerLost).or_default();
        }
        let link_down = self.link_down;
        by_kind
            .into_iter()
            .map(|(kind, mut devices)| {
                devices.sort_by(|(a, one), (b, other)| (a, one.table, &one.id).cmp(&(b, other.table, &other.id)));
                let devices: Vec<NoticeDevice> = devices.into_iter().map(|(_, device)| device).collect();
                let since = devices
                    .iter()
                    .map(|device| device.since)
                    .min()
                    .or(link_down)
                    .unwrap_or_default();
                Notice {
                    kind,
                    since,
                    devices,
                    places: Vec::new(),
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> DeviceId {
        format!("clock-{number}").parse().expect("an id")
    }

    fn table(id: &DeviceId) -> Option<TableNo> {
        id.to_string()
            .strip_prefix("clock-")
            .and_then(|number| number.parse().ok())
            .map(TableNo)
    }

    fn troubles() -> Troubles {
        let mut troubles = Troubles::new(&Limits::at_speed(1.0), 1.0);
        troubles.link_up(HallTime(0));
        troubles.tell(HallTime(0), table);
        troubles
    }

    fn told(troubles: &mut Troubles, at: i64) -> Vec<(NoticeKind, usize)> {
        troubles.tick(HallTime(at));
        troubles.tell(HallTime(at), table);
        troubles
            .told
            .iter()
            .map(|notice| (notice.kind, notice.devices.len()))
            .collect()
    }

    #[test]
    fn two_hundred_devices_lost_with_the_broker_are_one_notice_and_no_item() {
        let mut troubles = troubles();
        troubles.link_down(HallTime(10_000), (1..=200).map(id));
        assert_eq!(told(&mut troubles, 10_000), [(NoticeKind::BrokerLost, 200)]);
        assert_eq!(troubles.silence_of(&id(1)), SilenceTold::No);
        // Longer than a device may be silent: what is shown of them is old, but nobody is accused.
        assert_eq!(troubles.next_deadline(), Some(HallTime(25_000)));
        assert_eq!(told(&mut troubles, 25_000), [(NoticeKind::BrokerLost, 200)]);
        assert_eq!(troubles.silence_of(&id(1)), SilenceTold::Shared);
        troubles.link_up(HallTime(40_000));
        for number in 1..=180 {
            troubles.back(HallTime(41_000), &id(number));
        }
        assert_eq!(told(&mut troubles, 41_500), [(NoticeKind::LostWithBroker, 20)]);
        assert_eq!(troubles.silence_of(&id(1)), SilenceTold::No);
        for number in 181..=200 {
            troubles.silent(HallTime(55_000), &id(number), Silence::Limit, true, None);
            assert_eq!(troubles.silence_of(&id(number)), SilenceTold::Shared);
        }
        assert_eq!(told(&mut troubles, 56_000), [(NoticeKind::LostWithBroker, 20)]);
        for number in 181..=200 {
            troubles.back(HallTime(60_000), &id(number));
        }
        assert_eq!(told(&mut troubles, 61_000), []);
    }

    #[test]
    fn one_that_is_lost_alone_is_its_table_s_and_many_at_once_are_one_trouble() {
        let mut troubles = troubles();
        troubles.silent(HallTime(1_000), &id(1), Silence::Will, true, None);
        assert_eq!(troubles.silence_of(&id(1)), SilenceTold::Held);
        assert_eq!(
            troubles.next_deadline(),
            Some(HallTime(1_000)),
            "it is to be told, though there is nothing yet"
        );
        assert_eq!(told(&mut troubles, 1_000), []);
        assert_eq!(told(&mut troubles, 3_000), [(NoticeKind::Silent, 1)]);
        assert_eq!(troubles.silence_of(&id(1)), SilenceTold::Alone);
        for number in 2..=60 {
            troubles.silent(
                HallTime(10_000 + number as i64 * 20),
                &id(number),
                Silence::Will,
                true,
                None,
            );
        }
        assert_eq!(
            told(&mut troubles, 12_100),
            [(NoticeKind::LostTogether, 59), (NoticeKind::Silent, 1)]
        );
        // Some were a little later to be missed.
        troubles.silent(HallTime(20_000), &id(61), Silence::Limit, true, None);
        assert_eq!(troubles.silence_of(&id(61)), SilenceTold::Shared);
    }

    #[test]
    fn what_has_never_spoken_and_what_a_gateway_takes_with_it_is_one_notice_each() {
        let mut troubles = troubles();
        let gateway: DeviceId = "gateway".parse().expect("an id");
        for number in 1..=30 {
            troubles.silent(HallTime(15_000), &id(number), Silence::Limit, false, None);
        }
        for number in 31..=40 {
            troubles.silent(HallTime(16_000), &id(number), Silence::Will, true, Some(&gateway));
        }
        assert_eq!(
            told(&mut troubles, 20_000),
            [(NoticeKind::NotSeenYet, 30), (NoticeKind::LostWithGateway, 10)]
        );
        assert!((1..=40).all(|number| troubles.silence_of(&id(number)) == SilenceTold::Shared));
    }

    #[test]
    fn a_battery_and_a_signal_are_said_at_their_thresholds_once_and_taken_back_above_them() {
        let mut troubles = troubles();
        let mut at = 0;
        let mut vital = |troubles: &mut Troubles, battery, signal| {
            at += 5_000;
            let health = DeviceHealth {
                battery: Some(battery),
                signal: Some(signal),
                ..DeviceHealth::unknown(id(7))
            };
            troubles.vital(HallTime(at), &id(7), &health);
            told(troubles, at)
        };
        assert_eq!(vital(&mut troubles, 21, -79), []);
        assert_eq!(vital(&mut troubles, 20, -81), [(NoticeKind::BatteryLow, 1)]);
        assert_eq!(
            vital(&mut troubles, 22, -60),
            [(NoticeKind::BatteryLow, 1)],
            "it wavers"
        );
        assert_eq!(vital(&mut troubles, 9, -82), [(NoticeKind::BatteryLow, 1)]);
        assert_eq!(troubles.told[0].devices[0].detail, "9 %, it will not last");
        assert_eq!(vital(&mut troubles, 9, -82), [(NoticeKind::BatteryLow, 1)]);
        let both = [(NoticeKind::BatteryLow, 1), (NoticeKind::SignalWeak, 1)];
        assert_eq!(vital(&mut troubles, 9, -83), both);
        assert_eq!(vital(&mut troubles, 9, -78), both, "not yet as it should be");
        assert_eq!(vital(&mut troubles, 90, -60), []);
    }

    #[test]
    fn a_clock_that_goes_wrong_is_told_with_its_figure_until_it_is_started_anew() {
        let mut troubles = troubles();
        let slow = ClockFault::Drifts {
            ppm: -50_000,
            over: Millis::mins(10),
            off: Millis(-30_000),
        };
        troubles.time(HallTime(1_000), &id(3), slow);
        assert_eq!(told(&mut troubles, 1_000), [(NoticeKind::TimeOff, 1)]);
        assert_eq!(troubles.told[0].devices[0].detail, "5.00 % slow");
        troubles.born(HallTime(2_000), &id(3));
        assert_eq!(told(&mut troubles, 2_000), []);
    }
}
