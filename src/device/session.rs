//! One device's stream: in order, once each, whatever the network did to it.
//!
//! A pure state machine: `(now, message)` in, effects out. Nothing is taken from a retained message, from an old boot or
//! twice; what is missing is waited for and asked for; what a device declares lost closes the gap and is reported. Delivered
//! is not durable: only what the hall has called [`Session::durable`] is told to the device as seen, and only that may it
//! forget.

mod counter;
mod stream;

use serde::{Deserialize, Serialize};

use self::counter::Counter;
use self::stream::{Promise, Stream};
use super::codec::Format;
use super::message::{Ack, Birth, ClockState, Death, DeviceReport, FromDevice, Report, Vital};
use super::topics::DeviceId;
use crate::mutation::{self, Mutation};
use crate::time::{DeviceTime, HallTime, Millis};

/// Boots that are over and remembered, so that what is still under way from them is known for what it is.
const PAST_BOOTS: usize = 8;
/// After so many questions a gap is reported.
const ASK_BEFORE_SAYING: u32 = 3;

/// How long to wait for what, by hall time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Without a sign of life for so long a device is silent. Vitals come every 5 s.
    pub silence: Millis,
    /// So long a missing report is waited for before it is asked for, and between questions.
    pub gap: Millis,
    /// So long reports announced from an earlier boot are waited for.
    pub kept: Millis,
    /// Reports ahead of a gap that are held.
    pub buffer: usize,
}

impl Limits {
    /// What suits a hall that runs at `speed`: networks do not get quicker with it, so no limit is below so much real time.
    pub fn at_speed(speed: f64) -> Limits {
        let at_least = |hall: f64, real: f64| Millis((hall.max(real * speed.max(0.0)) * 1000.0) as i64);
        Limits {
            silence: at_least(15.0, 3.0),
            gap: at_least(2.0, 0.5),
            kept: at_least(30.0, 5.0),
            buffer: 1024,
        }
    }
}

/// How far a device's stream is durable: what a session is built from after a restart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mark {
    /// The boot.
    pub boot: u32,
    /// Durable without a gap up to here; -1: nothing.
    pub seq: i64,
    /// The device's latest time known, unwrapped, and its counter's width; where it is not kept the birth is waited for.
    #[serde(default)]
    pub counter: Option<(DeviceTime, u32)>,
    /// How the device writes.
    #[serde(default)]
    pub format: Format,
    /// Boots before it.
    #[serde(default)]
    pub past: Vec<PastMark>,
}

/// What is kept of a boot that is over: the device may still have reports of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PastMark {
    /// Which.
    pub boot: u32,
    /// Durable without a gap up to here; -1: nothing.
    pub seq: i64,
    /// As of the present boot: without it a counter that had wrapped would be taken for one that had not.
    #[serde(default)]
    pub counter: Option<(DeviceTime, u32)>,
}

impl Mark {
    /// The least that must be kept.
    pub fn at(boot: u32, seq: i64) -> Mark {
        Mark {
            boot,
            seq,
            counter: None,
            format: Format::default(),
            past: Vec::new(),
        }
    }
}

/// A message as it came in.
#[derive(Clone, PartialEq, Debug)]
pub struct Heard {
    /// The broker had kept it: it proves nothing.
    pub retained: bool,
    /// How it was written.
    pub format: Format,
    /// What it says.
    pub message: FromDevice,
}

/// Whether a device is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Presence {
    /// It has not spoken since the hub or the broker started.
    Unknown,
    /// It speaks.
    Present,
    /// It does not.
    Silent(Silence),
}

/// Why a device counts as silent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// No sign of life for too long.
    Limit,
    /// The broker lost its connection and published its Will.
    Will,
    /// It said good-bye.
    Polite,
}

impl std::fmt::Display for Silence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Silence::Limit => "not heard for too long",
            Silence::Will => "its connection broke",
            Silence::Polite => "it said good-bye",
        })
    }
}

/// What the device showed at a moment of its own, in its place among the reports.
#[derive(Clone, PartialEq, Debug)]
pub struct DeviceState {
    /// Its boot.
    pub boot: u32,
    /// The last report before it; -1: none.
    pub after_seq: i64,
    /// When.
    pub at: DeviceTime,
    /// What the clock showed.
    pub clock: Option<ClockState>,
    /// What stood on the board; only told at a birth.
    pub placement: Option<String>,
    /// Told at a birth.
    pub at_birth: bool,
}

/// What a session wants done.
#[derive(Clone, PartialEq, Debug)]
pub enum SessionEffect {
    /// The next report, in order and once.
    Deliver(DeviceReport),
    /// An order was answered; comes after the report it names. May come twice: an answer to an answered order is nothing new.
    Acked(Ack),
    /// The device's own state, in its place.
    State(DeviceState),
    /// Everything that happened at this device before `through` has been delivered.
    Settled {
        /// In this boot's time.
        boot: u32,
        /// Up to here.
        through: DeviceTime,
    },
    /// The device is back on the broker, or has started. At once: its state comes in its place as [`SessionEffect::State`].
    Born {
        /// What it says of itself.
        birth: Birth,
        /// It has been restarted (or was never heard of).
        new_boot: bool,
    },
    /// A sign of life, for battery, signal and the time exchange, at once. Its clock comes in its place.
    Vital(Vital),
    /// To be sent on the device's `seen` topic.
    SendSeen {
        /// The boot.
        boot: u32,
        /// Durable up to here; -1: nothing.
        seq: i64,
        /// Something after it is missing.
        resend: bool,
        /// The birth is missing.
        birth: bool,
    },
    /// It does not speak any more.
    Silent {
        /// When it last spoke, if ever.
        since: Option<HallTime>,
        /// How that is known.
        why: Silence,
    },
    /// It speaks (again).
    Back {
        /// After so long.
        after: Option<Millis>,
    },
    /// Something a person should know.
    Problem(SessionProblem),
}

/// What can be wrong with a stream.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SessionProblem {
    /// A report of a boot that is over.
    #[error("a report of the earlier boot {boot} came late (seq {seq}) and was not taken")]
    OldBoot {
        /// Which.
        boot: u32,
        /// Which report.
        seq: u64,
    },
    /// Two devices with one name, or one that reuses its boot number.
    #[error(
        "boot {boot} says its next report is {claimed}, but {known} have been taken: was it restarted under the same boot?"
    )]
    SequenceWentBack {
        /// Which.
        boot: u32,
        /// What the device says.
        claimed: u64,
        /// What is known.
        known: u64,
    },
    /// Reports do not come, though they were asked for.
    #[error(
        "report {expected} of boot {boot} is missing, {held} after it are held: the device was asked {asked} times"
    )]
    Gap {
        /// Which.
        boot: u32,
        /// The first that is missing.
        expected: u64,
        /// Held after it.
        held: usize,
        /// So often.
        asked: u32,
    },
    /// More than can be held came after a gap; it will come again.
    #[error("report {expected} of boot {boot} is missing and the buffer behind it is full")]
    BufferFull {
        /// Which.
        boot: u32,
        /// The first that is missing.
        expected: u64,
    },
    /// The device was restarted and took these with it.
    #[error("boot {boot} ended with reports {first} to {last} not delivered")]
    BootEnded {
        /// Which.
        boot: u32,
        /// From.
        first: u64,
        /// To.
        last: u64,
    },
    /// The device's time went backwards.
    #[error(
        "report {seq} of boot {boot} happened at {to} ms by the device's time, after one at {from} ms: its time jumped back"
    )]
    TimeWentBack {
        /// Which.
        boot: u32,
        /// Which report.
        seq: u64,
        /// The time before.
        from: u64,
        /// The time it says.
        to: u64,
        /// When it was sent, by the device's time.
        sent: u64,
    },
    /// Said to have happened after it was sent.
    #[error("report {seq} of boot {boot} says it happened at {event} ms, after its sending at {sent} ms")]
    EventAfterSending {
        /// Which.
        boot: u32,
        /// Which report.
        seq: u64,
        /// Event.
        event: u64,
        /// Sending.
        sent: u64,
    },
}

/// A boot that is over.
#[derive(Clone, Copy, Debug)]
struct Past {
    boot: u32,
    durable: i64,
    delivered: i64,
    /// Known to be over since then.
    since: HallTime,
    /// Its latest time known, unwrapped, and its counter's width.
    counter: Option<(DeviceTime, u32)>,
}

/// Reports of the boot before, which come first.
#[derive(Clone, Debug)]
struct Earlier {
    stream: Stream,
    /// One after its last.
    end: u64,
    /// Given up then.
    until: HallTime,
}

/// One device's stream of messages.
#[derive(Clone, Debug)]
pub struct Session {
    device: DeviceId,
    limits: Limits,
    format: Format,
    current: Option<Stream>,
    earlier: Option<Earlier>,
    past: Vec<Past>,
    /// A boot that was taken for over has come back: its next birth is told as a new one.
    returned: bool,
    /// The last birth taken in this life: its sending and connection.
    birth: Option<(DeviceTime, Option<u32>)>,
    presence: Presence,
    heard: Option<HallTime>,
    /// Since when the device could have been heard; `None` while the hub's own link is down.
    listening: Option<HallTime>,
    asked_birth: Option<HallTime>,
    said_seen: Option<HallTime>,
    said_old: Option<u32>,
}

impl Session {
    /// A session for `device`, from what was kept of it. `now` is when listening begins.
    pub fn new(device: DeviceId, mark: Option<Mark>, limits: Limits, now: HallTime) -> Session {
        let mut session = Session {
            device,
            limits,
            format: Format::default(),
            current: None,
            earlier: None,
            past: Vec::new(),
            returned: false,
            birth: None,
            presence: Presence::Unknown,
            heard: None,
            listening: Some(now),
            asked_birth: None,
            said_seen: None,
            said_old: None,
        };
        if let Some(mark) = mark {
            session.format = mark.format;
            let past = |past: PastMark| Past {
                boot: past.boot,
                durable: past.seq,
                delivered: past.seq,
                since: now,
                counter: past.counter,
            };
            session.past = mark.past.into_iter().map(past).collect();
            let counter = mark.counter.map(|(latest, bits)| Counter::new(bits, Some(latest)));
            session.current = Some(Stream::after(mark.boot, mark.seq, counter));
        }
        session
    }

    /// Whose it is.
    pub fn device(&self) -> &DeviceId {
        &self.device
    }

    /// How the device writes, and wants to be written to.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether it is there.
    pub fn presence(&self) -> Presence {
        self.presence
    }

    /// The boot it is in, as far as is known.
    pub fn boot(&self) -> Option<u32> {
        self.current.as_ref().map(|stream| stream.boot)
    }

    /// The last report delivered of the present boot; -1: none.
    pub fn delivered(&self) -> i64 {
        self.current.as_ref().map_or(-1, Stream::delivered)
    }

    /// What must be kept for a restart.
    pub fn mark(&self) -> Option<Mark> {
        let stream = self.current.as_ref()?;
        let over = |past: &Past| PastMark {
            boot: past.boot,
            seq: past.durable,
            counter: past.counter,
        };
        let mut past: Vec<_> = self.past.iter().map(over).collect();
        past.extend(self.earlier.as_ref().map(|earlier| PastMark {
            boot: earlier.stream.boot,
            seq: earlier.stream.durable,
            counter: earlier.stream.counter.as_ref().and_then(Counter::kept),
        }));
        Some(Mark {
            boot: stream.boot,
            seq: stream.durable,
            counter: stream.counter.as_ref().and_then(Counter::kept),
            format: self.format,
            past,
        })
    }

    /// Takes one message.
    pub fn take(&mut self, now: HallTime, heard: Heard) -> Vec<SessionEffect> {
        let mut out = Vec::new();
        if heard.retained && !mutation::on(Mutation::RetainedBirth) {
            return out;
        }
        let boot = heard.message.boot();
        let current = self.current.as_ref().is_some_and(|stream| stream.boot == boot);
        let earlier = self.earlier.as_ref().is_some_and(|earlier| earlier.stream.boot == boot);
        if let Some(at) = self.past.iter().position(|past| past.boot == boot)
            && !current
            && !earlier
        {
            self.late_word(now, at, heard.message, &mut out);
            return out;
        }
        match heard.message {
            FromDevice::Death(death) => {
                if current {
                    self.died(death, &mut out);
                }
                return out;
            }
            FromDevice::Birth(birth) if !earlier => {
                self.format = heard.format;
                self.alive(now, &mut out);
                self.born(now, birth, &mut out);
            }
            FromDevice::Report(report) if earlier => {
                self.alive(now, &mut out);
                if let Some(earlier) = &mut self.earlier {
                    earlier.stream.put(report, self.limits.buffer, now, &mut out);
                }
            }
            message if current => {
                self.format = heard.format;
                self.alive(now, &mut out);
                self.speaks(now, message, &mut out);
            }
            FromDevice::Birth(_) => {}
            _ if earlier => {}
            // A boot never heard of: without its birth nobody knows what it is.
            _ => self.ask_birth(now, boot, &mut out),
        }
        self.advance(now, &mut out);
        out
    }

    /// A message of a boot that is over: late, and not taken. Unless it answers a probe that was made after the boot had been
    /// given up: then it is the present one after all, and a late birth of an older one has been believed.
    fn late_word(&mut self, now: HallTime, at: usize, message: FromDevice, out: &mut Vec<SessionEffect>) {
        let past = self.past[at];
        match message {
            FromDevice::Vital(vital)
                if vital
                    .probe
                    .is_some_and(|echo| i128::from(echo.id) > i128::from(past.since.0)) =>
            {
                self.past.remove(at);
                for stream in self
                    .earlier
                    .take()
                    .map(|earlier| earlier.stream)
                    .into_iter()
                    .chain(self.current.take())
                {
                    self.bury(&stream, now);
                }
                let mut stream = Stream::after(past.boot, past.delivered, None);
                stream.durable = past.durable;
                self.current = Some(stream);
                self.birth = None;
                self.returned = true;
                self.asked_birth = None;
                self.alive(now, out);
                self.ask_birth(now, past.boot, out);
            }
            FromDevice::Report(report) if self.said_old != Some(past.boot) => {
                self.said_old = Some(past.boot);
                out.push(SessionEffect::Problem(SessionProblem::OldBoot {
                    boot: past.boot,
                    seq: report.seq,
                }));
            }
            _ => {}
        }
    }

    /// A message of the present boot other than birth and death.
    fn speaks(&mut self, now: HallTime, message: FromDevice, out: &mut Vec<SessionEffect>) {
        let Some(stream) = &mut self.current else { return };
        if self.birth.is_none() {
            // After a restart of the hub: the device goes on, its abilities have to be asked for. Before the first report of a
            // boot is taken its birth must have told whether others come before it.
            let (boot, usable) = (stream.boot, stream.counter.is_some() && !stream.fresh);
            self.ask_birth(now, boot, out);
            if !usable {
                return;
            }
        }
        let Some(stream) = &mut self.current else { return };
        match message {
            FromDevice::Report(report) => {
                if !stream.put(report, self.limits.buffer, now, out) {
                    // It was here before: the device has not heard so.
                    let due = self.said_seen.is_none_or(|said| now - said >= self.limits.gap);
                    if due && stream.durable >= 0 {
                        self.said_seen = Some(now);
                        out.push(stream.seen(false));
                    }
                }
            }
            FromDevice::Vital(mut vital) => {
                vital.sent = stream.unwrap(vital.sent);
                if let Some(echo) = &mut vital.probe {
                    echo.received = stream.unwrap(echo.received);
                }
                stream.promise(
                    Promise {
                        after: vital.last_seq,
                        at: vital.sent,
                        clock: vital.clock,
                        placement: None,
                        at_birth: false,
                    },
                    now,
                );
                out.push(SessionEffect::Vital(vital));
            }
            FromDevice::Ack(ack) => stream.ack(ack, now),
            FromDevice::Birth(_) | FromDevice::Death(_) => {}
        }
    }

    fn born(&mut self, now: HallTime, mut birth: Birth, out: &mut Vec<SessionEffect>) {
        let mut new_boot = self.current.as_ref().is_none_or(|stream| stream.boot != birth.boot);
        if new_boot {
            self.change_boot(now, &birth, out);
        }
        new_boot |= std::mem::take(&mut self.returned);
        self.open_earlier(now, &birth, out);
        let Some(stream) = &mut self.current else { return };
        let bits = birth.abilities.counter_bits;
        if stream.counter.as_ref().is_none_or(|counter| counter.bits() != bits) {
            stream.counter = Some(Counter::new(bits, None));
        }
        stream.lag = birth.abilities.sensing_lag;
        birth.sent = stream.unwrap(birth.sent);
        // Of two births of one boot the later connection is the later one, whatever its time has done meanwhile.
        let stale = !new_boot
            && self
                .birth
                .is_some_and(|(sent, connection)| match birth.connection.zip(connection) {
                    Some((this, known)) if this != known => this < known,
                    _ => birth.sent < sent,
                });
        if stale {
            // Overtaken by a later one.
            return;
        }
        stream.begin(birth.oldest_seq);
        if birth.next_seq < stream.next {
            let (claimed, known) = (birth.next_seq, stream.next);
            out.push(SessionEffect::Problem(SessionProblem::SequenceWentBack {
                boot: birth.boot,
                claimed,
                known,
            }));
        }
        let again = self.birth == Some((birth.sent, birth.connection)) && !new_boot;
        self.birth = Some((birth.sent, birth.connection));
        self.asked_birth = None;
        stream.oldest = stream.oldest.max(birth.oldest_seq);
        stream.promise(
            Promise {
                after: birth.next_seq as i64 - 1,
                at: birth.sent,
                clock: birth.clock,
                placement: birth.placement.clone(),
                at_birth: true,
            },
            now,
        );
        let seen = stream.seen(false);
        if !again {
            out.push(SessionEffect::Born { birth, new_boot });
        }
        self.said_seen = Some(now);
        out.push(seen);
    }

    /// The device has been restarted.
    fn change_boot(&mut self, now: HallTime, birth: &Birth, out: &mut Vec<SessionEffect>) {
        let mut ended: Vec<Stream> = self.earlier.take().map(|earlier| earlier.stream).into_iter().collect();
        ended.extend(self.current.take());
        for stream in ended {
            if let Some(kept) = birth.kept.filter(|kept| kept.boot == stream.boot) {
                self.earlier = Some(Earlier {
                    stream,
                    end: kept.next_seq,
                    until: now + self.limits.kept,
                });
                continue;
            }
            if let Some((first, last)) = stream.missing() {
                out.push(SessionEffect::Problem(SessionProblem::BootEnded {
                    boot: stream.boot,
                    first,
                    last,
                }));
            }
            self.bury(&stream, now);
        }
        let counter = Counter::new(birth.abilities.counter_bits, None);
        self.current = Some(Stream::after(birth.boot, -1, Some(counter)));
        self.birth = None;
        self.said_old = None;
    }

    /// The birth names reports of the boot before: they are waited for, unless this boot's own have begun to be taken.
    fn open_earlier(&mut self, now: HallTime, birth: &Birth, out: &mut Vec<SessionEffect>) {
        let Some(kept) = birth.kept else { return };
        if self
            .earlier
            .as_ref()
            .is_none_or(|earlier| earlier.stream.boot != kept.boot)
        {
            let known = self.past.iter().position(|past| past.boot == kept.boot);
            let (durable, delivered) = known.map_or((-1, -1), |at| (self.past[at].durable, self.past[at].delivered));
            let counter = known.and_then(|at| self.past[at].counter);
            let counter = counter.map(|(latest, bits)| Counter::new(bits, Some(latest)));
            if kept.next_seq as i64 <= delivered + 1 {
                // All here: the device has only not heard so.
                out.push(SessionEffect::SendSeen {
                    boot: kept.boot,
                    seq: durable,
                    resend: false,
                    birth: false,
                });
                return;
            }
            if self.earlier.is_some() || !self.current.as_ref().is_some_and(|stream| stream.fresh) {
                return;
            }
            if let Some(at) = known {
                self.past.remove(at);
            }
            let mut stream = Stream::after(kept.boot, delivered, counter);
            stream.durable = durable;
            stream.begin(kept.oldest_seq);
            self.earlier = Some(Earlier {
                stream,
                end: kept.next_seq,
                until: now + self.limits.kept,
            });
        }
        if let Some(earlier) = &mut self.earlier {
            earlier
                .stream
                .reopen(kept.oldest_seq, kept.next_seq, birth.abilities.counter_bits, now);
            out.push(earlier.stream.seen(false));
        }
    }

    fn bury(&mut self, stream: &Stream, since: HallTime) {
        let Stream { boot, durable, .. } = *stream;
        self.past.push(Past {
            boot,
            durable,
            delivered: stream.delivered(),
            since,
            counter: stream.counter.as_ref().and_then(Counter::kept),
        });
        if self.past.len() > PAST_BOOTS {
            self.past.remove(0);
        }
    }

    fn died(&mut self, death: Death, out: &mut Vec<SessionEffect>) {
        let latest = self.birth.and_then(|(_, connection)| connection);
        if death
            .connection
            .zip(latest)
            .is_some_and(|(ended, latest)| ended < latest)
        {
            // The Will of a connection before the present one.
            return;
        }
        if !matches!(self.presence, Presence::Silent(_)) {
            let why = if death.polite { Silence::Polite } else { Silence::Will };
            self.presence = Presence::Silent(why);
            out.push(SessionEffect::Silent { since: self.heard, why });
        }
    }

    fn alive(&mut self, now: HallTime, out: &mut Vec<SessionEffect>) {
        if self.presence != Presence::Present {
            self.presence = Presence::Present;
            out.push(SessionEffect::Back {
                after: self.heard.map(|heard| now - heard),
            });
        }
        self.heard = Some(now);
    }

    fn ask_birth(&mut self, now: HallTime, boot: u32, out: &mut Vec<SessionEffect>) {
        if self.asked_birth.is_none_or(|asked| now - asked >= self.limits.gap) {
            self.asked_birth = Some(now);
            let seq = self
                .current
                .as_ref()
                .filter(|stream| stream.boot == boot)
                .map_or(-1, |stream| stream.durable);
            out.push(SessionEffect::SendSeen {
                boot,
                seq,
                resend: false,
                birth: true,
            });
        }
    }

    /// A board that is put at a table is asked what stands on it: what it told before is no part of what the table knows. The answer is
    /// a birth; it is asked again, not more often than for a gap, as long as this is called.
    pub fn ask_state(&mut self, now: HallTime) -> Vec<SessionEffect> {
        let mut out = Vec::new();
        if let Some(boot) = self.boot() {
            self.ask_birth(now, boot, &mut out);
        }
        out
    }

    /// Delivers what is in order.
    fn advance(&mut self, now: HallTime, out: &mut Vec<SessionEffect>) {
        if let Some(earlier) = &mut self.earlier {
            earlier.stream.advance(&self.device, now, out);
            if earlier.stream.next >= earlier.end {
                self.close_earlier(now, out);
            }
        }
        if self.earlier.is_none()
            && let Some(stream) = &mut self.current
        {
            stream.advance(&self.device, now, out);
        }
    }

    /// The earlier boot is told to the end, or given up. It stays where `durable` finds it.
    fn close_earlier(&mut self, now: HallTime, out: &mut Vec<SessionEffect>) {
        let Some(earlier) = self.earlier.take() else { return };
        if earlier.stream.next < earlier.end {
            let (first, last) = (earlier.stream.next, earlier.end - 1);
            out.push(SessionEffect::Problem(SessionProblem::BootEnded {
                boot: earlier.stream.boot,
                first,
                last,
            }));
        }
        self.bury(&earlier.stream, now);
    }

    /// Everything delivered of `boot` up to `seq` is durable: the device may be told.
    pub fn durable(&mut self, boot: u32, seq: i64) -> Vec<SessionEffect> {
        if let Some(stream) = self.current.as_mut().filter(|stream| stream.boot == boot) {
            return stream.durable(seq).into_iter().collect();
        }
        if let Some(earlier) = self.earlier.as_mut().filter(|earlier| earlier.stream.boot == boot) {
            return earlier.stream.durable(seq).into_iter().collect();
        }
        let Some(past) = self
            .past
            .iter_mut()
            .find(|past| past.boot == boot && past.durable < seq)
        else {
            return Vec::new();
        };
        past.durable = seq.min(past.delivered);
        vec![SessionEffect::SendSeen {
            boot,
            seq: past.durable,
            resend: false,
            birth: false,
        }]
    }

    /// When [`Session::tick`] has something to do.
    pub fn next_deadline(&self) -> Option<HallTime> {
        let streams = self
            .earlier
            .as_ref()
            .map(|earlier| &earlier.stream)
            .into_iter()
            .chain(&self.current);
        let gaps = streams.filter_map(|stream| stream.ask_at(self.limits.gap));
        let silence = match (self.presence, self.listening) {
            (Presence::Silent(_), _) | (_, None) => None,
            (_, Some(since)) => Some(self.heard.map_or(since, |heard| heard.max(since)) + self.limits.silence),
        };
        gaps.chain(silence)
            .chain(self.earlier.as_ref().map(|earlier| earlier.until))
            .min()
    }

    /// Time has come to [`Session::next_deadline`].
    pub fn tick(&mut self, now: HallTime) -> Vec<SessionEffect> {
        let mut out = Vec::new();
        if self.earlier.as_ref().is_some_and(|earlier| earlier.until <= now) {
            self.close_earlier(now, &mut out);
        }
        let streams = self
            .earlier
            .as_mut()
            .map(|earlier| &mut earlier.stream)
            .into_iter()
            .chain(&mut self.current);
        for stream in streams {
            stream.ask(now, self.limits.gap, ASK_BEFORE_SAYING, &mut out);
        }
        self.advance(now, &mut out);
        if let Some(since) = self.listening
            && !matches!(self.presence, Presence::Silent(_))
            && now - self.heard.map_or(since, |heard| heard.max(since)) >= self.limits.silence
        {
            self.presence = Presence::Silent(Silence::Limit);
            out.push(SessionEffect::Silent {
                since: self.heard,
                why: Silence::Limit,
            });
        }
        out
    }

    /// The hub's own link is down: that says nothing about the device.
    pub fn link_down(&mut self) {
        self.presence = Presence::Unknown;
        self.listening = None;
    }

    /// The hub listens again: the device is unknown until it speaks.
    pub fn link_up(&mut self, now: HallTime) {
        self.listening = Some(now);
        self.presence = Presence::Unknown;
    }

    /// A person gives up what is missing: it counts as lost.
    pub fn give_up_gap(&mut self, now: HallTime) -> Vec<SessionEffect> {
        let mut out = Vec::new();
        if self.earlier.is_some() {
            self.close_earlier(now, &mut out);
        } else if let Some(stream) = &mut self.current {
            stream.give_up(now);
        }
        self.advance(now, &mut out);
        out
    }
}

/// A report that is not in its place yet.
fn placed(device: &DeviceId, report: Report) -> DeviceReport {
    let Report {
        boot,
        seq,
        event,
        sent,
        what,
    } = report;
    DeviceReport {
        device: device.clone(),
        boot,
        seq,
        event,
        sent,
        what,
    }
}

#[cfg(test)]
mod tests;
