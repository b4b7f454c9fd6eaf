//! A device of the storm: numbers what happens, keeps it until it is seen, obeys orders once, and counts by itself.

use std::collections::VecDeque;

use super::clock::{Clock, side_of};
use crate::device::codec::{self, Format};
use crate::device::topics::Up;
use crate::device::wire as pb;
use crate::hall::ids::DeviceId;
use pb::ack::Outcome;
use pb::order::What as OrderWhat;
use pb::report::What;

/// What it is, from its maker.
#[derive(Clone, Debug)]
pub(super) struct Nature {
    pub clock: bool,
    pub counts: bool,
    pub board: bool,
    pub tells_pieces: bool,
    pub format: Format,
    pub counter_bits: u32,
    pub sensing_lag: i64,
    /// Parts in a million by which its counter runs fast.
    pub ppm: i64,
    /// Reports that it can keep.
    pub memory: usize,
}

/// A message for the hub.
pub(super) type Out = (Up, Vec<u8>);

/// A report that was made, for the truth.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub boot: u32,
    pub seq: u64,
    /// What it says, in a word.
    pub what: &'static str,
    /// How many facts of a game it holds that are always on the record.
    pub facts: usize,
    /// True time.
    pub at: i64,
    /// Gone before it was seen: the memory was full, or was lost with a restart.
    pub gone: bool,
}

/// One device.
pub(super) struct Device {
    pub id: DeviceId,
    pub nature: Nature,
    /// Switched on.
    pub on: bool,
    pub boot: u32,
    since: i64,
    counter: i64,
    pub connected: bool,
    connection: u32,
    next_seq: u64,
    kept: VecDeque<pb::Report>,
    /// Reports of the boot before.
    old: VecDeque<pb::Report>,
    old_next: u64,
    last_turn: i64,
    pub epoch: u64,
    answers: Vec<pb::Ack>,
    last_order: String,
    pub clock: Clock,
    pub made: Vec<Made>,
    /// When the hub said that it is at its table now, for one that was put there in mid-game: what it told before is no part of a
    /// game.
    pub put_there: Option<i64>,
    /// What orders have added to each side.
    pub changes: Vec<[i64; 2]>,
}

impl Device {
    pub fn new(id: DeviceId, nature: Nature, boot: u32, counter: i64, now: i64) -> Device {
        Device {
            id,
            nature,
            on: true,
            boot,
            since: now,
            counter,
            connected: false,
            connection: 0,
            next_seq: 0,
            kept: VecDeque::new(),
            old: VecDeque::new(),
            old_next: 0,
            last_turn: -1,
            epoch: 0,
            answers: Vec::new(),
            last_order: String::new(),
            clock: Clock::default(),
            made: Vec::new(),
            put_there: None,
            changes: Vec::new(),
        }
    }

    /// Its own milliseconds, as if they never wrapped.
    pub fn local(&self, now: i64) -> i64 {
        self.counter + (now - self.since) * (1_000_000 + self.nature.ppm) / 1_000_000
    }

    /// The first true moment at which its counter has come so far.
    pub fn true_time(&self, local: i64) -> i64 {
        let rate = 1_000_000 + self.nature.ppm;
        let ahead = (local - self.counter) * 1_000_000;
        let mut at = self.since + ahead.div_euclid(rate);
        while self.local(at) < local {
            at += 1;
        }
        at
    }

    fn wire(&self, local: i64) -> u64 {
        match self.nature.counter_bits {
            0 => local as u64,
            bits => local as u64 & ((1 << bits) - 1),
        }
    }

    fn encode<M: prost::Message + serde::Serialize>(&self, up: Up, message: &M) -> Out {
        (up, codec::encode(message, self.nature.format))
    }

    /// Whether it has carried out this order.
    pub fn has_done(&self, order: &str) -> bool {
        let done = |ack: &&pb::Ack| ack.order_id == order && ack.outcome() == Outcome::Done;
        self.answers.iter().any(|ack| done(&ack))
    }

    /// Reports that the hub has not called seen.
    pub fn unseen(&self) -> usize {
        self.kept.len() + self.old.len()
    }

    /// It is off, and what it has not told is lost with it.
    pub fn is_lost(&mut self) {
        self.on = false;
        self.connected = false;
        let lost: Vec<(u32, u64)> = self
            .kept
            .drain(..)
            .chain(self.old.drain(..))
            .map(|report| (report.boot, report.seq))
            .collect();
        for made in &mut self.made {
            made.gone |= lost.contains(&(made.boot, made.seq));
        }
    }

    /// Off: its clock, if it has one, stands.
    pub fn switch_off(&mut self, now: i64) {
        let local = self.local(now);
        self.clock.stop(local);
        self.on = false;
    }

    /// Off and on again. `memory`: reports and clock survive it; otherwise all is lost.
    pub fn restart(&mut self, boot: u32, counter: i64, memory: bool, now: i64) {
        if memory {
            // What the clock shows is kept, and it stands.
            if self.old.is_empty() {
                self.old = std::mem::take(&mut self.kept);
                self.old_next = self.next_seq;
            }
        } else {
            self.clock = Clock::default();
            self.epoch = 0;
            for report in self.old.drain(..) {
                let told = |made: &&mut Made| made.boot == report.boot && made.seq == report.seq;
                if let Some(made) = self.made.iter_mut().find(told) {
                    made.gone = true;
                }
            }
            self.last_order.clear();
        }
        // What does not survive is gone for good.
        let left: Vec<(u32, u64)> = self.old.iter().map(|report| (report.boot, report.seq)).collect();
        let lost: Vec<(u32, u64)> = self.kept.drain(..).map(|report| (report.boot, report.seq)).collect();
        for made in &mut self.made {
            made.gone |= lost.contains(&(made.boot, made.seq)) && !left.contains(&(made.boot, made.seq));
        }
        self.boot = boot;
        self.counter = counter;
        self.since = now;
        self.connected = false;
        self.connection = 0;
        self.next_seq = 0;
        self.last_turn = -1;
        self.answers.clear();
        self.on = true;
        self.clock.rebase(counter);
    }

    /// A new connection: its Will.
    pub fn connecting(&mut self) -> Vec<u8> {
        self.connection += 1;
        self.connected = true;
        self.death(false).1
    }

    pub fn death(&self, polite: bool) -> Out {
        let death = pb::Death {
            boot: self.boot,
            polite,
            connection: self.connection,
        };
        self.encode(Up::Death, &death)
    }

    pub fn birth(&mut self, now: i64, placement: String) -> Out {
        let local = self.local(now);
        let oldest = |kept: &VecDeque<pb::Report>, next: u64| {
            kept.front().map_or(next, |report| match &report.what {
                Some(What::Lost(lost)) => lost.first_seq,
                _ => report.seq,
            })
        };
        let birth = pb::Birth {
            boot: self.boot,
            model: "storm".into(),
            firmware: "1".into(),
            abilities: Some(pb::Abilities {
                clock: self.nature.clock,
                counts: self.nature.counts,
                board: self.nature.board,
                tells_pieces: self.nature.tells_pieces,
                resolution_ms: 1,
                sensing_lag_ms: self.nature.sensing_lag as u32,
                counter_bits: self.nature.counter_bits,
                ..Default::default()
            }),
            clock: self.face(local),
            placement,
            last_order: self.last_order.clone(),
            highest_epoch: self.epoch,
            sent_ms: self.wire(local),
            next_seq: self.next_seq,
            oldest_seq: oldest(&self.kept, self.next_seq),
            connection: self.connection,
            kept_boot: self.old.front().map_or(0, |report| report.boot),
            kept_oldest_seq: if self.old.is_empty() {
                0
            } else {
                oldest(&self.old, self.old_next)
            },
            kept_next_seq: if self.old.is_empty() { 0 } else { self.old_next },
            ..Default::default()
        };
        self.encode(Up::Birth, &birth)
    }

    fn face(&mut self, local: i64) -> Option<pb::ClockState> {
        if !self.nature.counts {
            return None;
        }
        self.clock.count(local);
        Some(self.clock.state())
    }

    /// Everything kept, oldest first.
    pub fn all_kept(&self, now: i64) -> Vec<Out> {
        let sent_ms = self.wire(self.local(now));
        let old = self.old.iter().cloned();
        let own = self.kept.iter().map(|report| pb::Report {
            sent_ms,
            ..report.clone()
        });
        old.chain(own).map(|report| self.encode(Up::Report, &report)).collect()
    }

    /// Something has happened at `at`.
    pub fn report(&mut self, what: What, name: &'static str, facts: usize, at: i64, now: i64) -> Out {
        let seq = self.next_seq;
        self.next_seq += 1;
        if matches!(what, What::Press(_) | What::Flag(_)) {
            self.last_turn = seq as i64;
        }
        let report = pb::Report {
            boot: self.boot,
            seq,
            event_ms: self.wire(self.local(at)),
            sent_ms: self.wire(self.local(now)),
            what: Some(what),
        };
        self.made.push(Made {
            boot: self.boot,
            seq,
            what: name,
            facts,
            at,
            gone: false,
        });
        let out = self.encode(Up::Report, &report);
        self.kept.push_back(report);
        if self.kept.len() > self.nature.memory {
            self.forget();
        }
        out
    }

    /// The memory is full: the two oldest become one declaration of loss.
    fn forget(&mut self) {
        let (Some(first), Some(second)) = (self.kept.pop_front(), self.kept.pop_front()) else {
            return;
        };
        let first_seq = match first.what {
            Some(What::Lost(lost)) => lost.first_seq,
            _ => first.seq,
        };
        for made in self.made.iter_mut().filter(|made| made.boot == self.boot) {
            made.gone |= (first_seq..=second.seq).contains(&made.seq);
        }
        let what = Some(What::Lost(pb::Lost {
            first_seq,
            last_seq: second.seq,
        }));
        self.kept.push_front(pb::Report { what, ..second });
    }

    pub fn vital(&mut self, now: i64, probe: Option<&pb::TimeProbe>) -> Out {
        let local = self.local(now);
        let vital = pb::Vital {
            boot: self.boot,
            last_seq: self.next_seq as i64 - 1,
            sent_ms: self.wire(local),
            battery_percent: Some(80),
            signal_dbm: Some(-60),
            clock: self.face(local),
            probe_id: probe.map_or(0, |probe| probe.id),
            probe_received_ms: probe.map_or(0, |_| self.wire(local)),
        };
        self.encode(Up::Vital, &vital)
    }

    pub fn seen(&mut self, seen: &pb::Seen, now: i64, placement: String) -> Vec<Out> {
        if let Some(report) = self.old.front()
            && report.boot == seen.boot
        {
            self.old.retain(|report| report.seq as i64 > seen.seq);
        }
        if seen.boot == self.boot {
            self.kept.retain(|report| report.seq as i64 > seen.seq);
        }
        let mut out = Vec::new();
        if seen.birth {
            out.push(self.birth(now, placement));
        }
        if seen.birth || seen.resend {
            out.extend(self.all_kept(now));
        }
        out
    }

    /// Obeys an order, once. Says whether the clock was changed.
    pub fn order(&mut self, order: &pb::Order, now: i64) -> (Out, bool) {
        let local = self.local(now);
        let known = self.answers.iter().find(|ack| ack.order_id == order.id).cloned();
        let fresh = known.is_none();
        let ack = known.unwrap_or_else(|| {
            let (outcome, detail) = self.obey(order, local);
            let ack = pb::Ack {
                boot: self.boot,
                order_id: order.id.clone(),
                outcome: outcome.into(),
                effect_ms: self.wire(local),
                after_seq: self.next_seq as i64 - 1,
                clock: Some(self.clock.state()),
                detail: detail.to_owned(),
                sent_ms: 0,
            };
            self.answers.push(ack.clone());
            ack
        });
        let changed = fresh && ack.outcome() == Outcome::Done;
        let ack = pb::Ack {
            sent_ms: self.wire(local),
            ..ack
        };
        (self.encode(Up::Ack, &ack), changed)
    }

    fn obey(&mut self, order: &pb::Order, local: i64) -> (Outcome, &'static str) {
        if order.epoch < self.epoch {
            return (Outcome::OldEpoch, "a newer hub has spoken");
        }
        self.epoch = order.epoch;
        if order.boot != self.boot {
            return (Outcome::MovedOn, "another boot");
        }
        if self.last_turn > order.decided_seq {
            return (Outcome::MovedOn, "pressed since");
        }
        let late = self.wire(local) as i64 - order.expires_ms as i64;
        let late = match self.nature.counter_bits {
            0 => late > 0,
            bits => (1..1 << (bits - 1)).contains(&late.rem_euclid(1 << bits)),
        };
        if order.expires_ms != 0 && late {
            return (Outcome::Expired, "too late");
        }
        let before = [self.clock.halves[0].left, self.clock.halves[1].left];
        match &order.what {
            Some(OrderWhat::Control(control)) => self.clock.control(control, local),
            Some(OrderWhat::Add(add)) => {
                self.clock.add([add.left_ms, add.right_ms], local);
                self.changes.push([add.left_ms, add.right_ms]);
            }
            Some(OrderWhat::Set(set)) => {
                let to = [set.left_ms as i64, set.right_ms as i64];
                if !self.clock.set(to, [set.left_moves, set.right_moves]) {
                    return (Outcome::Cannot, "it runs");
                }
                self.changes.push([to[0] - before[0], to[1] - before[1]]);
            }
            Some(OrderWhat::Run(run)) => match side_of(run.side) {
                Some(side) => self.clock.run(side, local),
                None => return (Outcome::Cannot, "no such side"),
            },
            Some(OrderWhat::Stop(_)) => self.clock.stop(local),
            Some(OrderWhat::Text(_)) | None => return (Outcome::Cannot, "not this"),
        }
        self.last_order.clone_from(&order.id);
        (Outcome::Done, "")
    }
}
