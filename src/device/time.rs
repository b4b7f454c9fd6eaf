//! From one boot's milliseconds to hall time, and how far that may be off.
//!
//! The offset used in the record is fixed when the boot is bound to its table; what is learned later changes the bar and
//! what is said about drift, never a time: a player's time is the difference of the device's own milliseconds, and stays it
//! however fast or slow they go. Only a counter that leaps by more than any network or drift explains is taken as a new boot
//! would be: the leap is bridged by hall time, once, and said.
//!
//! The bar holds for counters that run fast or slow as well: `device::offset`.

use std::collections::VecDeque;

use super::message::Vital;
use super::offset::Bounds;
use crate::hall::model::Ahead;
use crate::hall::report::{Exchange, KnownOffset};
use crate::time::{DeviceTime, HallTime, Millis};

/// Probes not yet answered; older ones count as lost.
const OPEN_PROBES: usize = 8;
/// The first exchanges follow each other quickly, to find a short one soon.
const QUICK_EXCHANGES: u32 = 10;
/// What is kept of a bar may be worse than what is known, by twice and so much.
const KEPT_LATE: Millis = Millis(200);
/// Drift is worth saying from here on: parts in a million, and far more than what the exchanges leave open.
const DRIFT_PPM: i64 = 1000;
const DRIFT_LEAST: Millis = Millis(50);
/// What cannot be drift between two exchanges: a tenth of the time between them, and a quarter of a second.
const JUMP_LEAST: Millis = Millis(250);
/// A counter that leaps by so much is taken to have begun anew: more than any network in order explains.
const LEAP: Millis = Millis::secs(10);
/// What a device may have drifted by while the hub was down, at most, before that is taken for a leap.
const RESTORED_DRIFT: Millis = Millis::mins(10);

/// Maps one boot's time.
#[derive(Clone, Debug)]
pub struct TimeMap {
    boot: u32,
    began: HallTime,
    /// Hall time minus device time, as used.
    offset: Millis,
    /// Fixed: the boot is bound to its table.
    fixed: bool,
    /// Where an earlier offset held: for device times below this, latest last.
    before: Vec<(DeviceTime, Millis)>,
    /// Smallest offset any arrival allows: no message arrives before it was sent.
    earliest_arrival: Millis,
    /// The latest of its times that the device has told something of.
    told: DeviceTime,
    /// The last message: when it was sent, and came in.
    last: Option<(DeviceTime, HallTime)>,
    /// A leap by so much is bridged.
    leap: Millis,
    resolution: Millis,
    counter_bits: u32,
    probe_every: Millis,
    open: VecDeque<Probe>,
    next_id: u64,
    done: u32,
    last_probe: Option<HallTime>,
    latest: Option<Answered>,
    first: Option<Answered>,
    bounds: Bounds,
    /// What the journal has of them.
    kept: Option<KnownOffset>,
    said_ppm: i64,
}

/// A question for the device's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Its id; never 0.
    pub id: u64,
    /// When it was asked.
    pub sent: HallTime,
}

/// The offset of a boot, for the journal: with it a restarted hub maps as before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BootOffset {
    /// The boot.
    pub boot: u32,
    /// Hall time minus device time.
    pub offset: Millis,
    /// Bound to a table.
    pub fixed: bool,
    /// What is known of how far it is off.
    pub known: Option<KnownOffset>,
}

/// What a device's clock was found to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeNote {
    /// It runs fast (positive) or slow against the hall's.
    Drifts {
        /// Parts in a million.
        ppm: i64,
        /// Measured over so long.
        over: Millis,
        /// So far ahead of (negative: behind) where it would be.
        off: Millis,
    },
    /// It has jumped between two exchanges.
    Jumped {
        /// So far ahead.
        by: Millis,
        /// The device's time after it.
        at: DeviceTime,
        /// It was too far to be counted: what follows is mapped anew, as after a new boot.
        bridged: bool,
    },
}

/// An exchange, and when its answer came.
#[derive(Clone, Copy, Debug)]
struct Answered {
    at: HallTime,
    what: Exchange,
}

impl TimeMap {
    /// A map for a boot first heard now: `sent` came in at `arrived`. Until an exchange succeeds the bar is unknown.
    pub fn new(boot: u32, sent: DeviceTime, arrived: HallTime, resolution: Millis, counter_bits: u32) -> TimeMap {
        let offset = Millis(arrived.0 - sent.0 as i64);
        TimeMap {
            boot,
            began: arrived,
            offset,
            fixed: false,
            before: Vec::new(),
            earliest_arrival: offset,
            told: DeviceTime(0),
            last: None,
            leap: LEAP,
            resolution,
            counter_bits,
            probe_every: Millis::secs(30),
            open: VecDeque::new(),
            next_id: 1,
            done: 0,
            last_probe: None,
            latest: None,
            first: None,
            bounds: Bounds::unknown(),
            kept: None,
            said_ppm: 0,
        }
    }

    /// A map for a boot whose offset was kept. Of its bar is known what was kept of it, which is the less the longer ago that was, until
    /// an exchange succeeds.
    pub fn restore(kept: BootOffset, resolution: Millis, counter_bits: u32) -> TimeMap {
        let mut map = TimeMap::new(
            kept.boot,
            DeviceTime(0),
            HallTime(kept.offset.0),
            resolution,
            counter_bits,
        );
        map.fixed = kept.fixed;
        map.began = HallTime(i64::MIN);
        map.kept = kept.known;
        map.bounds = kept.known.map_or_else(Bounds::unknown, Bounds::restore);
        // What arrived before the restart is not known any more.
        map.earliest_arrival = Millis(i64::MAX);
        map
    }

    /// The device has told something of this time of its.
    pub fn tells(&mut self, at: DeviceTime) {
        self.told = self.told.max(at);
    }

    /// When the latest was that the device has told of in this boot, since the hub was started.
    pub fn told_of(&self) -> Option<HallTime> {
        let at = Some(self.told).filter(|at| *at > DeviceTime(0))?;
        Some(self.known(at).map_or(self.to_hall(at).0, |(hall, _)| hall))
    }

    /// Something of this boot has been heard since the hub was started.
    pub fn is_heard(&self) -> bool {
        self.last.is_some()
    }

    /// When the boot was first heard of, in hall time; one that a hub heard before it was restarted has always been there.
    pub fn began(&self) -> HallTime {
        self.began
    }

    /// Whether an exchange tells anything of its time.
    pub fn has_exchange(&self) -> bool {
        self.bounds.closest().is_some()
    }

    /// Which boot it maps.
    pub fn boot(&self) -> u32 {
        self.boot
    }

    /// How often the device is asked, by hall time.
    pub fn set_probe_every(&mut self, every: Millis) {
        self.probe_every = every;
    }

    /// From which leap on a counter is taken to have begun anew.
    pub fn set_leap(&mut self, leap: Millis) {
        self.leap = leap;
    }

    /// To be kept in the journal.
    pub fn offset(&self) -> BootOffset {
        BootOffset {
            boot: self.boot,
            offset: self.offset,
            fixed: self.fixed,
            known: self.kept,
        }
    }

    /// The boot is bound to a table: its offset is what is known best by now, so far ahead as the table's time is, and stays so.
    pub fn bind(&mut self, at: DeviceTime, ahead: Millis) -> BootOffset {
        self.fixed = true;
        self.offset += ahead;
        self.worth_keeping(at).unwrap_or_else(|| self.offset())
    }

    /// Something came in that was sent at `sent`: until an exchange has succeeded the quickest arrival is the best guess. A message
    /// that would have come in long before it was sent tells of a counter that has leapt ahead.
    pub fn heard(&mut self, sent: DeviceTime, arrived: HallTime) -> Option<TimeNote> {
        let by_arrival = Millis(arrived.0.saturating_sub(sent.0 as i64));
        let last = self.last.replace((sent, arrived));
        let restored = self.earliest_arrival.0 == i64::MAX;
        // What drift can have come to since the device was last heard; after a restart of the hub nobody knows when that was.
        let drift = match last {
            Some((_, heard)) if !restored => Millis((arrived - heard).0.max(0) / 10),
            _ => RESTORED_DRIFT,
        };
        let known = if restored {
            self.likeliest(sent)
        } else {
            self.earliest_arrival
        };
        let ahead = known - by_arrival;
        if ahead > self.leap + drift && (self.fixed || last.is_some()) {
            // Nothing that was counted before it can lie beyond this.
            let from = match last {
                Some((before, heard)) => before + (arrived - heard) + self.leap,
                None => DeviceTime(0),
            };
            self.begin_anew(self.offset - ahead, from);
            self.earliest_arrival = by_arrival;
            return Some(TimeNote::Jumped {
                by: ahead,
                at: sent,
                bridged: true,
            });
        }
        if restored {
            // The first to arrive may have been held up for long; that the kept offset was allowed by arrivals of before is known.
            self.earliest_arrival = by_arrival.min(known);
            if !self.fixed && self.latest.is_none() {
                self.offset = self.earliest_arrival;
            }
        } else if by_arrival < self.earliest_arrival {
            self.earliest_arrival = by_arrival;
            if !self.fixed && self.latest.is_none() {
                self.offset = by_arrival;
            }
        }
        None
    }

    /// A report that was made after another says that it happened long before it: the counter has leapt back, somewhere between.
    pub fn went_back(
        &mut self,
        from: DeviceTime,
        sent: DeviceTime,
        arrived: HallTime,
        to: DeviceTime,
    ) -> Option<TimeNote> {
        let by = Millis(to.0 as i64 - from.0 as i64);
        if by.0.saturating_neg() < self.leap.0 {
            return Some(TimeNote::Jumped {
                by,
                at: to,
                bridged: false,
            });
        }
        let by_arrival = Millis(arrived.0.saturating_sub(sent.0 as i64));
        let known = if self.earliest_arrival.0 == i64::MAX {
            self.likeliest(sent)
        } else {
            self.earliest_arrival
        };
        let back = by_arrival - known;
        if back < self.leap {
            // It was bridged when an exchange told of it.
            return None;
        }
        self.begin_anew(self.offset + back, DeviceTime(0));
        self.earliest_arrival = by_arrival;
        Some(TimeNote::Jumped {
            by: -back,
            at: to,
            bridged: true,
        })
    }

    /// From this device time on another offset holds, and exchanges of before tell nothing of it.
    fn begin_anew(&mut self, offset: Millis, from: DeviceTime) {
        if from == DeviceTime(0) {
            self.before.clear();
        } else {
            self.before.push((from, self.offset));
        }
        self.offset = offset;
        self.forget();
        self.open.clear();
        self.said_ppm = 0;
    }

    /// What exchanges of before told holds no more.
    fn forget(&mut self) {
        self.latest = None;
        self.first = None;
        self.bounds = Bounds::unknown();
        self.kept = None;
    }

    /// When the next probe is due.
    pub fn probe_due(&self) -> Option<HallTime> {
        let every = if self.done < QUICK_EXCHANGES {
            Millis(self.probe_every.0 / 10)
        } else {
            self.probe_every
        };
        self.last_probe.map(|last| last + every)
    }

    /// A new probe, asked now. Its id is the hall time, made unique: so it tells what was asked after what, whatever the boot.
    pub fn probe(&mut self, now: HallTime) -> Probe {
        let id = self.next_id.max(u64::try_from(now.0).unwrap_or(0));
        let probe = Probe { id, sent: now };
        self.next_id = id + 1;
        self.last_probe = Some(now);
        self.open.push_back(probe);
        if self.open.len() > OPEN_PROBES {
            self.open.pop_front();
        }
        probe
    }

    /// Takes a vital that came in `now`; where it answers a probe, the exchange is complete.
    pub fn take(&mut self, vital: &Vital, now: HallTime) -> Option<TimeNote> {
        if vital.boot != self.boot {
            return None;
        }
        let leapt = self.heard(vital.sent, now);
        if leapt.is_some() {
            return leapt;
        }
        let echo = vital.probe?;
        let at = self.open.iter().position(|probe| probe.id == echo.id)?;
        let probe = self.open.remove(at)?;
        let exchange = Exchange {
            received: echo.received,
            low: Millis(probe.sent.0 - echo.received.0 as i64),
            sent: vital.sent,
            high: Millis(now.0 - vital.sent.0 as i64),
        };
        if exchange.is_impossible() {
            return None;
        }
        let answered = Answered {
            at: now,
            what: exchange,
        };
        self.done = self.done.saturating_add(1);
        let mut note = self.compare(&answered, vital.sent);
        if let Some(TimeNote::Jumped { by, bridged, .. }) = &mut note {
            if by.0.abs() >= self.leap.0 {
                *bridged = true;
                let from = if by.0 > 0 { vital.sent - *by } else { DeviceTime(0) };
                let by = *by;
                self.begin_anew(self.offset - by, from);
                self.earliest_arrival = exchange.high;
            }
            self.forget();
        }
        self.bounds.learn(exchange);
        self.latest = Some(answered);
        if self
            .first
            .is_none_or(|first| exchange.open() < first.what.open() && self.done <= QUICK_EXCHANGES)
        {
            self.first = Some(answered);
        }
        if !self.fixed
            && let Some(closest) = self.bounds.closest()
        {
            self.offset = closest.middle();
        }
        note
    }

    /// How far a bound boot's time, as it is mapped, is ahead of the hall's (negative: behind), and goes on to be.
    pub fn ahead(&self, at: DeviceTime) -> Option<Ahead> {
        let (offset, open) = self.best(at).filter(|_| self.fixed)?;
        let off = self.offset - offset;
        // The offset moves with the device's time, and this goes by the hall's.
        let moves = self.bounds.likely_ppm();
        let ppm = -(moves.saturating_mul(1_000_000) / (1_000_000 + moves));
        // Within what the exchanges leave open it goes as the hall's.
        let none = ppm == 0 && off.0.abs() <= open.0 * 3 + DRIFT_LEAST.0;
        Some(Ahead {
            at: HallTime(offset.0.saturating_add(at.0 as i64)),
            by: if none { Millis::ZERO } else { off },
            ppm,
        })
    }

    /// How fast (positive) or slow it was said to run last, in parts in a million; 0: nothing was said.
    pub fn said_ppm(&self) -> i64 {
        self.said_ppm
    }

    /// Says how the device's clock has moved since earlier exchanges.
    fn compare(&mut self, new: &Answered, at: DeviceTime) -> Option<TimeNote> {
        let last = self.latest?;
        // An offset that shrinks is a device that runs ahead.
        let moved = last.what.middle() - new.what.middle();
        let since = new.at - last.at;
        if moved.0.abs() > (last.what.open() + new.what.open() + JUMP_LEAST).0 + since.0.max(0) / 10 {
            return Some(TimeNote::Jumped {
                by: moved,
                at,
                bridged: false,
            });
        }
        let first = self.first?;
        let over = new.at - first.at;
        let off = first.what.middle() - new.what.middle();
        if over.0 <= 0 || off.0.abs() <= (first.what.open() + new.what.open()).0 * 3 + DRIFT_LEAST.0 {
            return None;
        }
        let ppm = off.0.saturating_mul(1_000_000) / over.0;
        // Said again when it has become half as much again.
        if ppm.abs() < DRIFT_PPM || ppm.abs() < self.said_ppm.abs() + self.said_ppm.abs() / 2 {
            return None;
        }
        self.said_ppm = ppm;
        Some(TimeNote::Drifts { ppm, over, off })
    }

    /// The likeliest offset at this time of the device, and how far it may be from that, either way.
    fn best(&self, at: DeviceTime) -> Option<(Millis, Millis)> {
        let (low, high) = self.bounds.within(at)?;
        let open = (high - low).0 / 2 + (high - low).0 % 2;
        Some((Millis(low.0.midpoint(high.0)), Millis(open + self.resolution.0 - 1)))
    }

    /// When this time of the device really was, as far as is known, and how far that may be off; unknown before the first exchange, and
    /// before a leap.
    pub fn known(&self, at: DeviceTime) -> Option<(HallTime, Millis)> {
        if self.before.iter().any(|(until, _)| at < *until) {
            return None;
        }
        let (offset, open) = self.best(at)?;
        Some((HallTime(offset.0.saturating_add(at.0 as i64)), open))
    }

    /// By how much what the device told at this hall time is mapped too late (negative: too early).
    pub fn mapped_ahead(&self, at: HallTime) -> Option<Millis> {
        let (offset, _) = self.best(self.at(at))?;
        Some(self.offset - offset)
    }

    /// The device's time at a hall time, by what is known best.
    pub fn at(&self, hall: HallTime) -> DeviceTime {
        let by = |offset: Millis| DeviceTime(hall.0.saturating_sub(offset.0).max(0) as u64);
        // Where the offset moves it hangs on the device's time itself: each step comes nearer by as much as the counter is better than none.
        (0..6).fold(by(self.offset), |at, _| by(self.likeliest(at)))
    }

    fn likeliest(&self, at: DeviceTime) -> Millis {
        self.best(at).map_or(self.offset, |(offset, _)| offset)
    }

    /// How far this time of the device, as it is mapped, may be off against hall time, either way; unknown before the first exchange.
    pub fn bar(&self, at: DeviceTime) -> Option<Millis> {
        let (low, high) = self.bounds.within(at)?;
        let off = (self.offset - low).0.abs().max((high - self.offset).0.abs());
        Some(Millis(off + self.resolution.0 - 1))
    }

    /// What is known of a bound boot's bar, where the journal should have it: a hub that started now would know it much worse by what is
    /// kept. It counts as kept from now on.
    pub fn worth_keeping(&mut self, at: DeviceTime) -> Option<BootOffset> {
        let known = self.bounds.known(at)?;
        let open = |known: KnownOffset| {
            Bounds::restore(known)
                .within(at)
                .map_or(i64::MAX, |(low, high)| (high - low).0)
        };
        let enough = self
            .kept
            .is_some_and(|kept| open(kept) <= open(known).saturating_mul(2) + KEPT_LATE.0);
        if !self.fixed || enough {
            return None;
        }
        self.kept = Some(known);
        Some(self.offset())
    }

    /// The hall time of a device's time, and how far it may be off. Nothing is known of the bar of a time before a leap.
    pub fn to_hall(&self, at: DeviceTime) -> (HallTime, Option<Millis>) {
        let hall = |offset: Millis| HallTime(offset.0.saturating_add(at.0 as i64));
        match self.before.iter().find(|(until, _)| at < *until) {
            Some((_, offset)) => (hall(*offset), None),
            None => (hall(self.offset), self.bar(at)),
        }
    }

    /// The device's reading of its own counter at a hall time, by what is known best: for lifetimes of orders. Never 0.
    pub fn to_device(&self, at: HallTime) -> DeviceTime {
        let ms = self.at(at).0.max(1);
        DeviceTime(match self.counter_bits {
            bits @ 1..=63 => (ms & ((1 << bits) - 1)).max(1),
            _ => ms,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::ProbeEcho;
    use super::*;

    /// A device whose counter is `ahead` of hall time, behind a network.
    struct World {
        ahead: i64,
    }

    impl World {
        fn exchange(&self, map: &mut TimeMap, at: i64, there: i64, back: i64) -> Option<TimeNote> {
            let probe = map.probe(HallTime(at));
            let read = |hall: i64| DeviceTime((hall + self.ahead) as u64);
            let vital = Vital {
                boot: 7,
                last_seq: -1,
                sent: read(at + there + 3),
                battery_percent: None,
                signal_dbm: None,
                clock: None,
                probe: Some(ProbeEcho {
                    id: probe.id,
                    received: read(at + there),
                }),
            };
            map.take(&vital, HallTime(at + there + 3 + back))
        }
    }

    fn map(ahead: i64, delay: i64) -> TimeMap {
        TimeMap::new(
            7,
            DeviceTime((1000 + ahead) as u64),
            HallTime(1000 + delay),
            Millis(1),
            32,
        )
    }

    #[test]
    fn a_press_before_any_exchange_is_mapped_with_an_unknown_bar() {
        let map = map(50_000, 40);
        assert_eq!(map.to_hall(DeviceTime(52_000)), (HallTime(2040), None));
    }

    #[test]
    fn the_bar_is_half_the_shortest_round_trip_and_covers_the_truth() {
        let world = World { ahead: 50_000 };
        let mut map = map(50_000, 40);
        world.exchange(&mut map, 2000, 100, 300);
        // 200, and what a counter may drift by while it answers.
        assert_eq!(map.bar(DeviceTime(52_103)), Some(Millis(201)));
        world.exchange(&mut map, 4000, 4, 10);
        assert_eq!(map.bar(DeviceTime(54_007)), Some(Millis(8)));
        world.exchange(&mut map, 6000, 400, 10);
        assert_eq!(map.bar(DeviceTime(54_007)), Some(Millis(8)));
        let (hall, bar) = map.to_hall(DeviceTime(60_000));
        assert!((hall.0 - 10_000).abs() <= bar.expect("known").0);
    }

    #[test]
    fn a_bound_boot_keeps_its_offset_and_its_bar_tells_how_wrong_that_is() {
        let world = World { ahead: 50_000 };
        let mut map = map(50_000, 40);
        let bound = map.bind(DeviceTime(1_000), Millis::ZERO);
        let before = map.to_hall(DeviceTime(60_000)).0;
        world.exchange(&mut map, 4000, 5, 5);
        assert_eq!(map.to_hall(DeviceTime(54_008)), (HallTime(4_048), Some(Millis(46))));
        let (later, bar) = map.to_hall(DeviceTime(60_000));
        assert_eq!(later, before);
        assert!(bar > Some(Millis(46)), "nothing was asked since: {bar:?}");
        assert_eq!(map.offset(), bound);
        let restored = TimeMap::restore(bound, Millis(1), 32);
        assert_eq!(restored.to_hall(DeviceTime(60_000)), (before, None));
    }

    /// A counter that has stood at `begun` at hall time 0 and runs so fast or slow since `from`.
    struct Counter {
        begun: i64,
        ppm: i64,
        from: i64,
    }

    impl Counter {
        fn at(&self, hall: i64) -> i64 {
            self.begun + hall + (hall - self.from).max(0) * self.ppm / 1_000_000
        }

        fn exchange(&self, map: &mut TimeMap, at: i64, there: i64, back: i64) -> Option<TimeNote> {
            let read = self.at(at + there) - (at + there);
            World { ahead: read }.exchange(map, at, there, back)
        }

        fn covers(&self, map: &TimeMap, hall: i64) {
            let (mapped, bar) = map.to_hall(DeviceTime(self.at(hall) as u64));
            let off = (mapped - HallTime(hall)).0.abs();
            // The counter's reading is cut to whole milliseconds.
            assert!(
                bar.is_none_or(|bar| off <= bar.0 + 1),
                "at {hall} it is {off} off, and the bar is {bar:?}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn the_bar_covers_the_truth_of_a_fast_or_slow_counter_between_exchanges_too(
            ppm in -50_000_i64..50_000,
            trips in proptest::collection::vec((0_i64..400, 0_i64..400, 20_i64..40_000), 1..40),
        ) {
            let counter = Counter { begun: 50_000, ppm, from: 0 };
            let mut map = TimeMap::new(7, DeviceTime(51_000), HallTime(1_040), Millis(1), 32);
            map.bind(DeviceTime(51_000), Millis::ZERO);
            let mut now = 1_100;
            for (there, back, pause) in trips {
                counter.exchange(&mut map, now, there, back);
                let end = now + there + 3 + back;
                for hall in [now - 5_000, now, end, end + pause / 2, end + pause] {
                    counter.covers(&map, hall.max(1_000));
                }
                now = end + pause;
            }
        }
    }

    #[test]
    fn a_counter_that_begins_to_run_slow_is_not_believed_for_its_past() {
        let counter = Counter {
            begun: 0,
            ppm: -50_000,
            from: 600_000,
        };
        let mut map = map(0, 2);
        map.bind(DeviceTime(1_000), Millis::ZERO);
        for step in 1..20 {
            counter.exchange(&mut map, step * 30_000, 3, 4);
        }
        let soon = map.bar(DeviceTime(600_000)).expect("known");
        assert!(soon < Millis(15), "until then it is believed: {soon:?}");
        for step in 20..40 {
            counter.exchange(&mut map, step * 30_000 + 10_000, 3, 4);
            for later in [0, 10_000, 29_000] {
                counter.covers(&map, step * 30_000 + 10_010 + later);
            }
        }
    }

    #[test]
    fn a_restarted_hub_knows_the_bar_from_what_was_kept_and_the_less_the_longer_ago() {
        let counter = Counter {
            begun: 0,
            ppm: 40,
            from: 0,
        };
        let mut map = map(0, 2);
        let mut kept = vec![map.bind(DeviceTime(1_000), Millis::ZERO)];
        for step in 1..600 {
            let at = if step < 10 { 1_000 + step * 3_000 } else { step * 30_000 };
            counter.exchange(&mut map, at, 3, 4);
            kept.extend(map.worth_keeping(DeviceTime(counter.at(at) as u64)));
        }
        assert!((3..30).contains(&kept.len()), "{} in five hours", kept.len());
        let restored = TimeMap::restore(kept[kept.len() - 1], Millis(1), 32);
        let bar = |map: &TimeMap, hall| map.bar(DeviceTime(counter.at(hall) as u64)).expect("known").0;
        let end = 599 * 30_000;
        assert!(
            bar(&restored, end) <= 2 * bar(&map, end) + KEPT_LATE.0,
            "{} for {}",
            bar(&restored, end),
            bar(&map, end)
        );
        assert!(bar(&restored, end + 3_600_000) > bar(&restored, end));
        counter.covers(&restored, end + 3_600_000);
    }

    #[test]
    fn what_was_held_up_while_the_hub_started_makes_no_leap_of_what_comes_next() {
        let mut map = map(0, 2);
        let mut restored = TimeMap::restore(map.bind(DeviceTime(1_000), Millis::ZERO), Millis(1), 32);
        assert_eq!(restored.heard(DeviceTime(50_000), HallTime(61_000)), None);
        assert_eq!(restored.heard(DeviceTime(62_000), HallTime(62_005)), None);
        assert_eq!(restored.to_hall(DeviceTime(62_000)).0, HallTime(62_002));
    }

    #[test]
    fn a_clock_five_per_cent_slow_is_said_with_its_figure_and_not_repaired() {
        let mut map = map(0, 2);
        map.bind(DeviceTime(1_000), Millis::ZERO);
        let before = map.to_hall(DeviceTime(90_000)).0;
        let mut notes = Vec::new();
        for step in 1..=20 {
            let at = 1000 + step * 30_000;
            let slow = World {
                ahead: -(at - 1000) / 20,
            };
            notes.extend(slow.exchange(&mut map, at, 3, 3));
        }
        let Some(TimeNote::Drifts { ppm, .. }) = notes.first() else {
            panic!("{notes:?}")
        };
        assert!((-52_000..=-48_000).contains(ppm), "{notes:?}");
        assert!(notes.len() <= 2, "{notes:?}");
        assert_eq!(map.to_hall(DeviceTime(90_000)).0, before);
        assert!(map.bar(DeviceTime(571_000)).expect("known") > Millis(5000));
    }

    #[test]
    fn a_good_clock_on_a_bad_network_is_not_accused() {
        let world = World { ahead: 1000 };
        let mut map = map(1000, 100);
        for step in 0..200_i64 {
            let (there, back) = (step * 37 % 400, step * 91 % 390);
            assert_eq!(
                world.exchange(&mut map, 2000 + step * 30_000, there, back),
                None,
                "step {step}"
            );
        }
    }

    #[test]
    fn a_jump_is_said_with_its_figure() {
        let mut map = map(0, 2);
        World { ahead: 0 }.exchange(&mut map, 2000, 3, 3);
        let note = World { ahead: 10_000 }.exchange(&mut map, 32_000, 3, 3);
        assert!(
            matches!(note, Some(TimeNote::Jumped { by: Millis(10_000), .. })),
            "{note:?}"
        );
        let note = World { ahead: 10_000 }.exchange(&mut map, 62_000, 3, 3);
        assert_eq!(note, None);
    }

    #[test]
    fn a_leap_ahead_is_bridged_once_and_the_device_s_own_differences_go_on() {
        let mut map = map(0, 2);
        map.bind(DeviceTime(1_000), Millis::ZERO);
        assert_eq!(map.heard(DeviceTime(4_000), HallTime(4_002)), None);
        // An hour ahead, between two messages; the second comes 40 ms late.
        let note = map.heard(DeviceTime(3_608_000), HallTime(8_042));
        let Some(TimeNote::Jumped { by, bridged: true, .. }) = note else {
            panic!("{note:?}")
        };
        assert_eq!(by, Millis(3_600_000 - 40));
        let hall = |at| map.to_hall(DeviceTime(at)).0;
        assert_eq!(hall(3_608_000), HallTime(8_042), "by what is known of the hall's time");
        assert_eq!(
            hall(3_609_250) - hall(3_608_000),
            Millis(1_250),
            "a player's time is the device's difference"
        );
        assert_eq!(
            hall(5_000) - hall(4_000),
            Millis(1_000),
            "what was before it is still told"
        );
        assert_eq!(hall(4_000), HallTime(4_002));
    }

    #[test]
    fn a_leap_back_is_bridged_when_a_later_report_is_earlier() {
        let mut map = map(0, 2);
        map.bind(DeviceTime(1_000), Millis::ZERO);
        map.heard(DeviceTime(600_000), HallTime(600_002));
        let note = map.went_back(
            DeviceTime(600_000),
            DeviceTime(1_500),
            HallTime(604_002),
            DeviceTime(1_000),
        );
        assert!(matches!(note, Some(TimeNote::Jumped { bridged: true, .. })), "{note:?}");
        assert_eq!(map.to_hall(DeviceTime(1_500)).0, HallTime(604_002));
        assert_eq!(map.heard(DeviceTime(2_000), HallTime(604_502)), None, "once");
    }

    #[test]
    fn a_small_jump_is_said_and_counted_as_the_device_counts_it() {
        let mut map = map(0, 2);
        map.bind(DeviceTime(1_000), Millis::ZERO);
        let world = World { ahead: 0 };
        world.exchange(&mut map, 2_000, 1, 1);
        let before = map.to_hall(DeviceTime(9_000)).0;
        let note = World { ahead: 3_000 }.exchange(&mut map, 10_000, 1, 1);
        assert!(
            matches!(
                note,
                Some(TimeNote::Jumped {
                    by: Millis(3_000),
                    bridged: false,
                    ..
                })
            ),
            "{note:?}"
        );
        assert_eq!(map.to_hall(DeviceTime(9_000)).0, before);
        let ahead = map.ahead(DeviceTime(13_004)).expect("known");
        assert!((3_000..=3_005).contains(&ahead.by.0), "{ahead:?}");
    }

    #[test]
    fn a_clock_five_per_cent_fast_is_charged_by_its_own_milliseconds_for_hours() {
        let mut map = map(0, 2);
        map.bind(DeviceTime(1_000), Millis::ZERO);
        let mut notes = Vec::new();
        for step in 0..1_000_i64 {
            let hall = 1_000 + step * 5_000;
            let fast = World {
                ahead: (hall - 1_000) / 20,
            };
            if step % 3 == 0 {
                notes.extend(fast.exchange(&mut map, hall, 2, 2));
            } else {
                notes.extend(map.heard(DeviceTime((hall + fast.ahead) as u64), HallTime(hall + 3)));
            }
        }
        assert!(
            notes.iter().all(|note| matches!(
                note,
                TimeNote::Drifts {
                    ppm: 48_000..=52_000,
                    ..
                }
            )),
            "{notes:?}"
        );
        let span = map.to_hall(DeviceTime(6_000_000)).0 - map.to_hall(DeviceTime(5_000_000)).0;
        assert_eq!(span, Millis(1_000_000));
        let ahead = map.ahead(DeviceTime(5_245_750)).expect("known");
        assert!((ahead.by.0 - 999 * 250).abs() < 20, "{ahead:?}");
        let later = ahead.by(ahead.at + Millis(100_000)) - ahead.by;
        assert!((later.0 - 5_000).abs() < 20, "{ahead:?}");
    }

    #[test]
    fn messages_held_up_for_minutes_are_no_leap() {
        let mut map = map(0, 2);
        map.bind(DeviceTime(1_000), Millis::ZERO);
        for step in 0..50_i64 {
            // Everything of two minutes comes at once, then the network is quick again.
            let sent = 1_000 + step * 5_000;
            let arrived = if (10..34).contains(&step) { 171_000 } else { sent + 3 };
            assert_eq!(
                map.heard(DeviceTime(sent as u64), HallTime(arrived.max(sent))),
                None,
                "step {step}"
            );
        }
    }

    #[test]
    fn an_order_s_lifetime_is_in_the_device_s_own_counter_wrapped_as_it_wraps() {
        let mut map = TimeMap::new(7, DeviceTime((1 << 32) - 500), HallTime(1000), Millis(1), 32);
        assert_eq!(map.to_device(HallTime(1400)), DeviceTime((1 << 32) - 100));
        assert_eq!(map.to_device(HallTime(1700)), DeviceTime(200));
        map.counter_bits = 0;
        assert_eq!(map.to_device(HallTime(1700)), DeviceTime((1 << 32) + 200));
    }

    #[test]
    fn a_foreign_or_old_answer_changes_nothing() {
        let world = World { ahead: 0 };
        let mut map = map(0, 2);
        for _ in 0..20 {
            map.probe(HallTime(1500));
        }
        assert!(map.open.len() <= OPEN_PROBES);
        let mut vital = Vital {
            boot: 7,
            last_seq: -1,
            sent: DeviceTime(2000),
            battery_percent: None,
            signal_dbm: None,
            clock: None,
            probe: Some(ProbeEcho {
                id: 1,
                received: DeviceTime(2000),
            }),
        };
        map.take(&vital, HallTime(2001));
        vital.boot = 8;
        map.take(&vital, HallTime(2001));
        assert_eq!(map.bar(DeviceTime(2000)), None);
        world.exchange(&mut map, 3000, 1, 1);
        assert_eq!(map.bar(DeviceTime(3004)), Some(Millis(2)));
    }
}
