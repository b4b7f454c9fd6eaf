//! The reports of one boot, put in order.

use std::collections::{BTreeMap, VecDeque};

use super::counter::Counter;
use super::{DeviceState, SessionEffect, SessionProblem, placed};
use crate::device::message::{Ack, ClockState, Report, ReportKind};
use crate::device::topics::DeviceId;
use crate::mutation::{self, Mutation};
use crate::time::{DeviceTime, HallTime, Millis};

/// Answers and states held until their place has come.
const HELD: usize = 64;

/// What a device said of itself at a moment, good once every report up to `after` is delivered.
#[derive(Clone, Debug)]
pub(super) struct Promise {
    pub(super) after: i64,
    pub(super) at: DeviceTime,
    pub(super) clock: Option<ClockState>,
    pub(super) placement: Option<String>,
    pub(super) at_birth: bool,
}

/// A range that the device declared lost.
#[derive(Clone, Debug)]
struct Lost {
    first: u64,
    last: u64,
    event: DeviceTime,
    sent: DeviceTime,
}

/// One boot's reports.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub(super) boot: u32,
    /// The next to be delivered.
    pub(super) next: u64,
    pub(super) durable: i64,
    /// Nothing of it has been delivered, in this life or before.
    pub(super) fresh: bool,
    /// `None` until a birth has told how its counter wraps.
    pub(super) counter: Option<Counter>,
    /// How late it may see a square change.
    pub(super) lag: Millis,
    /// The oldest that the device still has, by its own word.
    pub(super) oldest: u64,
    /// One more than the highest known to exist.
    heard_of: u64,
    waiting: BTreeMap<u64, Report>,
    lost: Vec<Lost>,
    acks: VecDeque<Ack>,
    promises: VecDeque<Promise>,
    last_event: Option<DeviceTime>,
    settled: Option<DeviceTime>,
    /// Something has been missing since then, and was asked for so often.
    gap: Option<(HallTime, u32)>,
    said_full: bool,
    /// Reports from before a restart do not say when they were sent.
    from_memory: bool,
}

impl Stream {
    /// Goes on after `durable` (-1: from the beginning).
    pub(super) fn after(boot: u32, durable: i64, counter: Option<Counter>) -> Stream {
        let next = u64::try_from(durable + 1).unwrap_or(0);
        Stream {
            boot,
            next,
            durable,
            fresh: durable < 0,
            counter,
            lag: Millis::ZERO,
            oldest: 0,
            heard_of: next,
            waiting: BTreeMap::new(),
            lost: Vec::new(),
            acks: VecDeque::new(),
            promises: VecDeque::new(),
            last_event: None,
            settled: None,
            gap: None,
            said_full: false,
            from_memory: false,
        }
    }

    /// The boot is over, but the device has kept reports of it up to `end` and sends them.
    pub(super) fn reopen(&mut self, oldest: u64, end: u64, bits: u32, now: HallTime) {
        if self.counter.is_none() {
            self.counter = Some(Counter::new(bits, None));
        }
        self.oldest = self.oldest.max(oldest);
        self.heard_of = self.heard_of.max(end);
        self.from_memory = true;
        self.acks.clear();
        self.promises.clear();
        self.gap.get_or_insert((now, 0));
    }

    /// A boot met for the first time begins with the oldest report that the device has.
    pub(super) fn begin(&mut self, oldest: u64) {
        if self.fresh && oldest > self.next {
            self.next = oldest;
            self.heard_of = self.heard_of.max(oldest);
            self.waiting.retain(|&seq, _| seq >= oldest);
        }
    }

    pub(super) fn delivered(&self) -> i64 {
        self.next as i64 - 1
    }

    /// Reports held behind a gap.
    pub(super) fn held(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn seen(&self, resend: bool) -> SessionEffect {
        SessionEffect::SendSeen {
            boot: self.boot,
            seq: self.durable,
            resend,
            birth: false,
        }
    }

    /// Full value of a time at which something was sent.
    pub(super) fn unwrap(&mut self, raw: DeviceTime) -> DeviceTime {
        self.counter.as_mut().map_or(raw, |counter| counter.now(raw))
    }

    /// Holds a report until its place has come. False when it was here before.
    pub(super) fn put(
        &mut self,
        mut report: Report,
        buffer: usize,
        now: HallTime,
        out: &mut Vec<SessionEffect>,
    ) -> bool {
        // What is declared lost may stand where the report itself came through before.
        let declared = matches!(report.what, ReportKind::Lost { .. });
        if mutation::on(Mutation::NoDedupe) && !declared {
            self.next = self.next.min(report.seq);
        }
        if report.seq < self.next || (!declared && self.waiting.contains_key(&report.seq)) {
            return false;
        }
        let Some(counter) = &mut self.counter else { return true };
        let (raw_event, raw_sent) = (report.event, report.sent);
        if self.from_memory {
            report.event = counter.near(raw_event);
            report.sent = report.event;
        } else {
            report.sent = counter.now(raw_sent);
            report.event = counter.before(raw_event, raw_sent, report.sent);
        }
        if report.event > report.sent {
            out.push(SessionEffect::Problem(SessionProblem::EventAfterSending {
                boot: self.boot,
                seq: report.seq,
                event: report.event.0,
                sent: report.sent.0,
            }));
        }
        self.heard_of = self.heard_of.max(report.seq + 1);
        if let ReportKind::Lost { first, last } = report.what {
            if self.lost.len() < HELD {
                self.lost.push(Lost {
                    first,
                    last,
                    event: report.event,
                    sent: report.sent,
                });
            }
        } else if report.seq == self.next || self.waiting.len() < buffer {
            self.waiting.insert(report.seq, report);
        } else if !self.said_full {
            self.said_full = true;
            let expected = self.next;
            out.push(SessionEffect::Problem(SessionProblem::BufferFull {
                boot: self.boot,
                expected,
            }));
        }
        self.watch_gap(now);
        true
    }

    pub(super) fn promise(&mut self, promise: Promise, now: HallTime) {
        self.heard_of = self.heard_of.max(u64::try_from(promise.after + 1).unwrap_or(0));
        if self.promises.len() == HELD {
            self.promises.pop_front();
        }
        self.promises.push_back(promise);
        self.watch_gap(now);
    }

    pub(super) fn ack(&mut self, mut ack: Ack, now: HallTime) {
        let raw_sent = ack.sent;
        ack.sent = self.unwrap(raw_sent);
        if let Some(counter) = &self.counter {
            ack.effect = counter.before(ack.effect, raw_sent, ack.sent);
        }
        self.heard_of = self.heard_of.max(u64::try_from(ack.after_seq + 1).unwrap_or(0));
        if self.acks.len() == HELD {
            self.acks.pop_front();
        }
        self.acks.push_back(ack);
        self.watch_gap(now);
    }

    /// Delivers whatever is in order now.
    pub(super) fn advance(&mut self, device: &DeviceId, now: HallTime, out: &mut Vec<SessionEffect>) {
        loop {
            self.release(out);
            if mutation::on(Mutation::NoGaps)
                && let Some(first) = self.waiting.keys().next()
            {
                self.next = *first;
            }
            if let Some(report) = self.waiting.remove(&self.next) {
                self.check_time(&report, out);
                self.settle(report.event);
                self.next += 1;
                out.push(SessionEffect::Deliver(placed(device, report)));
            } else if let Some(lost) = self
                .lost
                .iter()
                .find(|lost| (lost.first..=lost.last).contains(&self.next))
            {
                // What came all the same is no loss.
                let held = self.waiting.keys().next().map_or(u64::MAX, |&first| first - 1);
                // Of a boot met for the first time all that it declares lost is lost.
                let first = if self.fresh { lost.first } else { self.next };
                let last = lost.last.min(held);
                let what = ReportKind::Lost { first, last };
                let report = Report {
                    boot: self.boot,
                    seq: last,
                    event: lost.event,
                    sent: lost.sent,
                    what,
                };
                self.next = last + 1;
                out.push(SessionEffect::Deliver(placed(device, report)));
            } else {
                break;
            }
            self.fresh = false;
            self.gap = None;
            self.said_full = false;
        }
        self.lost.retain(|lost| lost.last >= self.next);
        self.watch_gap(now);
        if let Some(through) = self.settled.take()
            && !self.from_memory
        {
            out.push(SessionEffect::Settled {
                boot: self.boot,
                through,
            });
        }
    }

    /// Answers and states whose place has come.
    fn release(&mut self, out: &mut Vec<SessionEffect>) {
        let (next, boot) = (self.next as i64, self.boot);
        for _ in 0..self.acks.len() {
            let Some(ack) = self.acks.pop_front() else { break };
            if ack.after_seq < next {
                out.push(SessionEffect::Acked(ack));
            } else {
                self.acks.push_back(ack);
            }
        }
        for _ in 0..self.promises.len() {
            let Some(promise) = self.promises.pop_front() else {
                break;
            };
            if promise.after >= next {
                self.promises.push_back(promise);
                continue;
            }
            let Promise {
                after,
                at,
                clock,
                placement,
                at_birth,
            } = promise;
            // Overtaken by reports: what it showed is history, and they say so too.
            if after + 1 == next {
                self.settle(at);
                if clock.is_some() || placement.is_some() {
                    out.push(SessionEffect::State(DeviceState {
                        boot,
                        after_seq: after,
                        at,
                        clock,
                        placement,
                        at_birth,
                    }));
                }
            }
        }
    }

    fn settle(&mut self, through: DeviceTime) {
        self.settled = Some(self.settled.map_or(through, |settled| settled.max(through)));
    }

    fn check_time(&mut self, report: &Report, out: &mut Vec<SessionEffect>) {
        if let Some(last) = self.last_event
            && report.event + self.lag < last
        {
            out.push(SessionEffect::Problem(SessionProblem::TimeWentBack {
                boot: self.boot,
                seq: report.seq,
                from: last.0,
                to: report.event.0,
                sent: report.sent.0,
            }));
        }
        self.last_event = Some(report.event);
    }

    /// From and to what is known to exist and did not come.
    pub(super) fn missing(&self) -> Option<(u64, u64)> {
        (self.heard_of > self.next).then(|| (self.next, self.heard_of - 1))
    }

    fn watch_gap(&mut self, now: HallTime) {
        match self.missing() {
            Some(_) => _ = self.gap.get_or_insert((now, 0)),
            None => self.gap = None,
        }
    }

    /// When the next question for what is missing is due.
    pub(super) fn ask_at(&self, every: Millis) -> Option<HallTime> {
        self.gap
            .map(|(since, asked)| since + Millis(every.0.saturating_mul(1 + i64::from(asked))))
    }

    /// Asks for what is missing, when it is time.
    pub(super) fn ask(&mut self, now: HallTime, every: Millis, saying: u32, out: &mut Vec<SessionEffect>) {
        let Some(due) = self.ask_at(every) else { return };
        if due > now {
            return;
        }
        let Some((since, asked)) = &mut self.gap else { return };
        *asked += 1;
        // After a long pause one question is enough.
        *since = now - Millis(every.0.saturating_mul(i64::from(*asked)));
        let asked = *asked;
        out.push(self.seen(true));
        if asked == saying {
            out.push(SessionEffect::Problem(SessionProblem::Gap {
                boot: self.boot,
                expected: self.next,
                held: self.held(),
                asked,
            }));
        }
        if asked >= saying && self.oldest > self.next {
            // It has said that it has them no more, only not as it should.
            self.lose_until(self.oldest - 1);
        }
    }

    /// A person gives up what is missing before the first that is held, or before the next to come.
    pub(super) fn give_up(&mut self, now: HallTime) {
        let last = self.waiting.keys().next().copied().unwrap_or(self.heard_of);
        if last > self.next {
            self.lose_until(last - 1);
        }
        self.watch_gap(now);
    }

    fn lose_until(&mut self, last: u64) {
        let at = self.last_event.unwrap_or_default();
        self.lost.push(Lost {
            first: self.next,
            last,
            event: at,
            sent: at,
        });
    }

    /// `None` when that is no news.
    pub(super) fn durable(&mut self, seq: i64) -> Option<SessionEffect> {
        if seq <= self.durable {
            return None;
        }
        if self.fresh {
            return None;
        }
        self.durable = seq.min(self.delivered());
        Some(self.seen(false))
    }
}
