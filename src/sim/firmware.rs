//! What every simulated device does with its messages: numbers them, keeps them until they are seen, answers orders once.
//!
//! A state machine: virtual milliseconds and messages in, messages out. The clock that an order is for is handed in.

use std::collections::VecDeque;

use crate::device::codec::{self, Format};
use crate::device::topics::Up;
use crate::device::wire as pb;
use pb::order::What as OrderWhat;
use pb::report::What;

use super::clock::{Bonus, Control, Period, Side, TableClock};

/// Reports kept until seen; the contract asks for 512 at least.
pub const MEMORY: usize = 4096;
/// Answers remembered, for orders that come again.
const ANSWERS: usize = 64;

/// A message to the hub.
#[derive(Clone, Debug, PartialEq)]
pub struct Out {
    /// On which topic.
    pub up: Up,
    /// Its bytes.
    pub payload: Vec<u8>,
}

/// What a device tells of itself.
#[derive(Clone, Debug)]
pub struct Nature {
    /// Model.
    pub model: String,
    /// Abilities.
    pub abilities: pb::Abilities,
    /// How it writes.
    pub format: Format,
    /// What its counter showed when it was switched on.
    pub counter_start: u64,
}

/// One boot of one device.
#[derive(Debug)]
pub struct Firmware {
    nature: Nature,
    boot: u32,
    connection: u32,
    next_seq: u64,
    kept: VecDeque<pb::Report>,
    /// The last report that was a press or a flag.
    last_turn: i64,
    last_order: String,
    highest_epoch: u64,
    answers: VecDeque<pb::Ack>,
    lost: u64,
    resent: u64,
}

impl Firmware {
    /// Switched on. `boot` is not 0.
    pub fn new(nature: Nature, boot: u32) -> Firmware {
        Firmware {
            nature,
            boot,
            connection: 0,
            next_seq: 0,
            kept: VecDeque::new(),
            last_turn: -1,
            last_order: String::new(),
            highest_epoch: 0,
            answers: VecDeque::new(),
            lost: 0,
            resent: 0,
        }
    }

    /// Reports made so far.
    pub fn made(&self) -> u64 {
        self.next_seq
    }

    /// Reports not yet seen by the hub.
    pub fn unseen(&self) -> usize {
        self.kept.len()
    }

    /// Reports dropped because the memory was full.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Reports sent more than once.
    pub fn resent(&self) -> u64 {
        self.resent
    }

    /// How it writes.
    pub fn format(&self) -> Format {
        self.nature.format
    }

    /// The device's own milliseconds: its counter wraps where it says so.
    pub fn counter(&self, now: i64) -> u64 {
        let ms = self.nature.counter_start.wrapping_add(now.max(0) as u64);
        match self.nature.abilities.counter_bits {
            0 => ms,
            bits => ms & (u64::MAX >> (64 - bits.min(64))),
        }
    }

    /// A new connection is about to be made: the Will for it.
    pub fn connecting(&mut self) -> Vec<u8> {
        self.connection += 1;
        let will = pb::Death {
            boot: self.boot,
            polite: false,
            connection: self.connection,
        };
        codec::encode(&will, self.nature.format)
    }

    /// The last word before a polite leave.
    pub fn leaving(&self) -> Out {
        let death = pb::Death {
            boot: self.boot,
            polite: true,
            connection: self.connection,
        };
        Out {
            up: Up::Death,
            payload: codec::encode(&death, self.nature.format),
        }
    }

    /// Connected: the birth, and every report that was not seen.
    pub fn connected(&mut self, now: i64, clock: Option<&TableClock>, placement: String) -> Vec<Out> {
        let birth = pb::Birth {
            boot: self.boot,
            model: self.nature.model.clone(),
            firmware: env!("CARGO_PKG_VERSION").to_owned(),
            abilities: Some(self.nature.abilities),
            clock: clock.map(clock_state),
            placement,
            last_order: self.last_order.clone(),
            highest_epoch: self.highest_epoch,
            sent_ms: self.counter(now),
            next_seq: self.next_seq,
            oldest_seq: self.oldest(),
            up_ms: now.max(0) as u64,
            connection: self.connection,
            ..pb::Birth::default()
        };
        let mut out = vec![Out {
            up: Up::Birth,
            payload: codec::encode(&birth, self.nature.format),
        }];
        self.resent += self.kept.len() as u64;
        out.extend(self.kept_from(0, now));
        out
    }

    fn oldest(&self) -> u64 {
        self.kept.front().map_or(self.next_seq, |report| match &report.what {
            Some(What::Lost(lost)) => lost.first_seq,
            _ => report.seq,
        })
    }

    fn kept_from(&self, seq: u64, now: i64) -> Vec<Out> {
        let sent_ms = self.counter(now);
        let kept = self.kept.iter().filter(|report| report.seq >= seq);
        let out = kept.map(|report| pb::Report {
            sent_ms,
            ..report.clone()
        });
        out.map(|report| Out {
            up: Up::Report,
            payload: codec::encode(&report, self.nature.format),
        })
        .collect()
    }

    /// Something happened at `at`, and is told `now`.
    pub fn report(&mut self, what: What, at: i64, now: i64) -> Out {
        let seq = self.next_seq;
        self.next_seq += 1;
        if matches!(what, What::Press(_) | What::Flag(_)) {
            self.last_turn = seq as i64;
        }
        let report = pb::Report {
            boot: self.boot,
            seq,
            event_ms: self.counter(at),
            sent_ms: self.counter(now),
            what: Some(what),
        };
        let payload = codec::encode(&report, self.nature.format);
        self.kept.push_back(report);
        if self.kept.len() > MEMORY {
            self.forget_oldest();
        }
        Out {
            up: Up::Report,
            payload,
        }
    }

    /// The memory is full: the two oldest become one declaration of loss.
    fn forget_oldest(&mut self) {
        let (Some(first), Some(second)) = (self.kept.pop_front(), self.kept.pop_front()) else {
            return;
        };
        let first_seq = match first.what {
            Some(What::Lost(lost)) => lost.first_seq,
            _ => {
                self.lost += 1;
                first.seq
            }
        };
        self.lost += 1;
        let what = Some(What::Lost(pb::Lost {
            first_seq,
            last_seq: second.seq,
        }));
        self.kept.push_front(pb::Report { what, ..second });
    }

    /// A sign of life.
    pub fn vital(&self, now: i64, clock: Option<&TableClock>, probe: Option<&pb::TimeProbe>) -> Out {
        let vital = pb::Vital {
            boot: self.boot,
            last_seq: self.next_seq as i64 - 1,
            sent_ms: self.counter(now),
            battery_percent: Some(90),
            signal_dbm: Some(-55),
            clock: clock.map(clock_state),
            probe_id: probe.map_or(0, |probe| probe.id),
            probe_received_ms: probe.map_or(0, |_| self.counter(now)),
        };
        Out {
            up: Up::Vital,
            payload: codec::encode(&vital, self.nature.format),
        }
    }

    /// The hub has made reports durable. What is to be sent for it.
    pub fn seen(&mut self, seen: &pb::Seen, now: i64, clock: Option<&TableClock>, placement: String) -> Vec<Out> {
        if seen.birth {
            return self.connected(now, clock, placement);
        }
        if seen.boot != self.boot {
            return Vec::new();
        }
        while self.kept.front().is_some_and(|report| report.seq as i64 <= seen.seq) {
            self.kept.pop_front();
        }
        if !seen.resend {
            return Vec::new();
        }
        let again = self.kept_from((seen.seq + 1).max(0) as u64, now);
        self.resent += again.len() as u64;
        again
    }

    /// An order for the clock, at `now`; everything that happened before has been reported.
    pub fn order(&mut self, order: &pb::Order, now: i64, clock: &mut TableClock) -> Out {
        let known = self.answers.iter().find(|ack| ack.order_id == order.id).cloned();
        let ack = known.unwrap_or_else(|| {
            let (outcome, detail) = self.obey(order, now, clock);
            let ack = pb::Ack {
                boot: self.boot,
                order_id: order.id.clone(),
                outcome: outcome.into(),
                effect_ms: self.counter(now),
                after_seq: self.next_seq as i64 - 1,
                clock: Some(clock_state(clock)),
                detail: detail.to_owned(),
                sent_ms: 0,
            };
            self.answers.push_back(ack.clone());
            if self.answers.len() > ANSWERS {
                self.answers.pop_front();
            }
            ack
        });
        let ack = pb::Ack {
            sent_ms: self.counter(now),
            ..ack
        };
        Out {
            up: Up::Ack,
            payload: codec::encode(&ack, self.nature.format),
        }
    }

    fn obey(&mut self, order: &pb::Order, now: i64, clock: &mut TableClock) -> (pb::ack::Outcome, &'static str) {
        use pb::ack::Outcome;
        if order.epoch < self.highest_epoch {
            return (Outcome::OldEpoch, "a later hub has spoken");
        }
        self.highest_epoch = order.epoch;
        if order.boot != self.boot {
            return (Outcome::MovedOn, "restarted since");
        }
        if self.last_turn > order.decided_seq {
            return (Outcome::MovedOn, "pressed since");
        }
        // Both are the device's counter; half its range tells before from after where it wraps.
        let late = self.counter(now).wrapping_sub(order.expires_ms);
        let late = match self.nature.abilities.counter_bits {
            0 => late as i64 > 0,
            bits => (1..1_u64 << (bits - 1)).contains(&(late & ((1 << bits) - 1))),
        };
        if order.expires_ms != 0 && late {
            return (Outcome::Expired, "too late");
        }
        let done = match &order.what {
            Some(OrderWhat::Control(control)) => {
                let (left, right) = (control.left_ms as i64, control.right_ms as i64);
                match control_of(control) {
                    Some(periods) => {
                        clock.set_control(periods, left, right, now);
                        true
                    }
                    None => false,
                }
            }
            Some(OrderWhat::Add(add)) => {
                clock.add(add.left_ms, add.right_ms, now);
                true
            }
            Some(OrderWhat::Set(set)) => clock.set(
                set.left_ms as i64,
                set.right_ms as i64,
                [set.left_moves, set.right_moves],
            ),
            Some(OrderWhat::Run(run)) => match side_of(run.side) {
                Some(side) => {
                    clock.run(side, now);
                    true
                }
                None => false,
            },
            Some(OrderWhat::Stop(_)) => {
                clock.stop(now);
                true
            }
            Some(OrderWhat::Text(_)) => true,
            None => false,
        };
        if done {
            self.last_order.clone_from(&order.id);
            (Outcome::Done, "")
        } else {
            (Outcome::Cannot, "not in this state")
        }
    }
}

fn control_of(control: &pb::SetControl) -> Option<Control> {
    use pb::period::Bonus as Wire;
    let periods = control.periods.iter().map(|period| {
        let ms = period.bonus_ms as i64;
        let bonus = match Wire::try_from(period.bonus).ok()? {
            Wire::Unspecified | Wire::None => Bonus::None,
            Wire::Increment => Bonus::Increment(ms),
            Wire::Delay => Bonus::Delay(ms),
            Wire::Bronstein => Bonus::Bronstein(ms),
        };
        Some(Period {
            moves: period.moves,
            time_ms: period.time_ms as i64,
            bonus,
        })
    });
    let periods = periods.collect::<Option<Vec<Period>>>()?;
    (!periods.is_empty()).then_some(Control {
        periods,
        added_on_moves: control.added_on_moves,
        freeze: control.freeze,
    })
}

/// A side of the device, where it is one.
pub fn side_of(wire: i32) -> Option<Side> {
    match pb::Side::try_from(wire).ok()? {
        pb::Side::Left => Some(Side::Left),
        pb::Side::Right => Some(Side::Right),
        pb::Side::Unspecified => None,
    }
}

/// The same on the wire.
pub fn wire_side(side: Option<Side>) -> i32 {
    match side {
        Some(Side::Left) => pb::Side::Left,
        Some(Side::Right) => pb::Side::Right,
        None => pb::Side::Unspecified,
    }
    .into()
}

/// What a clock shows, on the wire.
pub fn clock_state(clock: &TableClock) -> pb::ClockState {
    pb::ClockState {
        left_ms: clock.shows(Side::Left).max(0) as u64,
        right_ms: clock.shows(Side::Right).max(0) as u64,
        running: wire_side(clock.running()),
        left_moves: clock.moves(Side::Left),
        right_moves: clock.moves(Side::Right),
        left_flag: clock.flag(Side::Left),
        right_flag: clock.flag(Side::Right),
        has_control: clock.has_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn firmware(counter_bits: u32, counter_start: u64) -> Firmware {
        let abilities = pb::Abilities {
            clock: true,
            counts: true,
            counter_bits,
            resolution_ms: 1,
            ..Default::default()
        };
        let nature = Nature {
            model: "test".into(),
            abilities,
            format: Format::Protobuf,
            counter_start,
        };
        Firmware::new(nature, 7)
    }

    fn read<M: prost::Message + Default + serde::de::DeserializeOwned>(out: &Out) -> M {
        codec::decode_wire(&out.payload).expect("reads")
    }

    fn press() -> What {
        What::Press(pb::Press { side: 1, clock: None })
    }

    fn order(id: &str, what: OrderWhat) -> pb::Order {
        pb::Order {
            id: id.into(),
            epoch: 3,
            boot: 7,
            decided_seq: -1,
            expires_ms: 0,
            what: Some(what),
        }
    }

    fn control() -> OrderWhat {
        let period = pb::Period {
            moves: 0,
            time_ms: 60_000,
            bonus: pb::period::Bonus::Increment.into(),
            bonus_ms: 2000,
        };
        OrderWhat::Control(pb::SetControl {
            periods: vec![period],
            added_on_moves: true,
            white: 1,
            left_ms: 62_000,
            right_ms: 62_000,
            freeze: true,
        })
    }

    #[test]
    fn reports_are_kept_until_seen_and_sent_again_with_the_time_of_the_sending() {
        let mut device = firmware(0, 100);
        for at in 0..5 {
            device.report(press(), at * 10, at * 10);
        }
        device.seen(
            &pb::Seen {
                boot: 7,
                seq: 2,
                resend: false,
                birth: false,
            },
            60,
            None,
            String::new(),
        );
        let again = device.connected(70, None, String::new());
        let birth: pb::Birth = read(&again[0]);
        assert_eq!((birth.next_seq, birth.oldest_seq), (5, 3));
        let seqs: Vec<(u64, u64, u64)> = again[1..]
            .iter()
            .map(read::<pb::Report>)
            .map(|r| (r.seq, r.event_ms, r.sent_ms))
            .collect();
        assert_eq!(seqs, [(3, 130, 170), (4, 140, 170)]);
        assert_eq!(device.resent(), 2);
        let other = device.seen(
            &pb::Seen {
                boot: 8,
                seq: 9,
                resend: true,
                birth: false,
            },
            80,
            None,
            String::new(),
        );
        assert!(other.is_empty() && device.unseen() == 2, "another boot's");
    }

    #[test]
    fn what_no_longer_fits_is_declared_lost_in_its_place() {
        let mut device = firmware(0, 0);
        for at in 0..MEMORY as i64 + 3 {
            device.report(press(), at, at);
        }
        let again = device.connected(9999, None, String::new());
        let birth: pb::Birth = read(&again[0]);
        let first: pb::Report = read(&again[1]);
        assert_eq!((birth.oldest_seq, first.seq), (0, 3));
        assert_eq!(
            first.what,
            Some(What::Lost(pb::Lost {
                first_seq: 0,
                last_seq: 3
            }))
        );
        assert_eq!(device.lost(), 4);
        assert_eq!(read::<pb::Report>(&again[2]).seq, 4);
    }

    #[test]
    fn an_order_is_done_once_and_answered_every_time() {
        let (mut device, mut clock) = (firmware(0, 0), TableClock::default());
        let outcome = |out: &Out| read::<pb::Ack>(out).outcome();
        assert_eq!(
            outcome(&device.order(&order("a", control()), 10, &mut clock)),
            pb::ack::Outcome::Done
        );
        let add = order(
            "b",
            OrderWhat::Add(pb::AddTime {
                left_ms: 1000,
                right_ms: 0,
            }),
        );
        for _ in 0..3 {
            assert_eq!(outcome(&device.order(&add, 20, &mut clock)), pb::ack::Outcome::Done);
        }
        assert_eq!(clock.shows(Side::Left), 63_000);
        let set = order(
            "c",
            OrderWhat::Set(pb::SetTimes {
                left_ms: 1,
                right_ms: 1,
                ..Default::default()
            }),
        );
        clock.run(Side::Left, 30);
        assert_eq!(outcome(&device.order(&set, 31, &mut clock)), pb::ack::Outcome::Cannot);
    }

    #[test]
    fn an_order_decided_before_the_last_press_by_an_old_hub_or_too_late_is_refused() {
        let (mut device, mut clock) = (firmware(32, u64::from(u32::MAX) - 50), TableClock::default());
        let outcome = |out: &Out| read::<pb::Ack>(out).outcome();
        device.order(&order("a", control()), 0, &mut clock);
        device.report(press(), 5, 5);
        let stop = |id: &str| order(id, OrderWhat::Stop(pb::Stop {}));
        assert_eq!(
            outcome(&device.order(&stop("b"), 6, &mut clock)),
            pb::ack::Outcome::MovedOn
        );
        let fresh = pb::Order {
            decided_seq: 0,
            ..stop("c")
        };
        assert_eq!(
            outcome(&device.order(
                &pb::Order {
                    epoch: 2,
                    ..fresh.clone()
                },
                7,
                &mut clock
            )),
            pb::ack::Outcome::OldEpoch
        );
        // The counter wraps between the order and its end.
        let until = pb::Order {
            id: "d".into(),
            expires_ms: device.counter(60),
            ..fresh.clone()
        };
        assert_eq!(outcome(&device.order(&until, 40, &mut clock)), pb::ack::Outcome::Done);
        let until = pb::Order {
            id: "e".into(),
            ..until
        };
        assert_eq!(
            outcome(&device.order(&until, 61, &mut clock)),
            pb::ack::Outcome::Expired
        );
        assert_eq!(device.counter(60), 9);
    }
}
