//! Simulated clocks that stand on their tables over many rounds, and players who press them.

use std::time::{Duration, Instant};

use flagfall::device::codec::Format;
use flagfall::device::topics::Up;
use flagfall::device::wire as pb;
use flagfall::sim::clock::{Side, TableClock};
use flagfall::sim::dice::Dice;
use flagfall::sim::firmware::{Firmware, Nature, Out, clock_state, wire_side};
use flagfall::sim::link::{Incoming, Line, Login, keep};
use pb::report::What;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

const VITAL: Duration = Duration::from_secs(5);

/// What somebody does at a clock.
#[derive(Clone, Copy, Debug)]
pub enum Hand {
    Press(Side),
    /// Both players enter this result: White's word and Black's.
    Results(&'static str, &'static str),
}

/// A clock that is switched on.
pub struct Clock(mpsc::Sender<Hand>);

impl Clock {
    pub fn switch_on(login: Login, number: u32, stop: &CancellationToken) -> Clock {
        let (hands, done) = mpsc::channel(64);
        let (to, from) = mpsc::channel(256);
        tokio::spawn(keep(login, 0, to, Dice::new(u64::from(number)), stop.clone()));
        let nature = Nature {
            model: "simulated".to_owned(),
            abilities: pb::Abilities {
                clock: true,
                counts: true,
                resolution_ms: 1,
                ..Default::default()
            },
            format: Format::Protobuf,
            counter_start: u64::from(number) * 1_000,
        };
        let going = Going {
            firmware: Firmware::new(nature, number + 1),
            clock: TableClock::default(),
            line: None,
            begun: Instant::now(),
        };
        tokio::spawn(going.run(done, from));
        Clock(hands)
    }

    pub async fn hand(&self, hand: Hand) {
        let _taken = self.0.send(hand).await;
    }
}

struct Going {
    firmware: Firmware,
    clock: TableClock,
    line: Option<Line>,
    begun: Instant,
}

impl Going {
    fn now(&self) -> i64 {
        self.begun.elapsed().as_millis() as i64
    }

    fn send(&self, out: Out) {
        if let Some(line) = &self.line {
            let _sent = line.send(out.up, out.payload);
        }
    }

    fn says(&mut self, what: What) {
        let now = self.now();
        let out = self.firmware.report(what, now, now);
        self.send(out);
    }

    /// Flags that have fallen by now.
    fn count(&mut self) {
        let now = self.now();
        while let Some((side, _)) = self.clock.count_to(now) {
            let clock = Some(clock_state(&self.clock));
            self.says(What::Flag(pb::Flag {
                side: wire_side(Some(side)),
                clock,
            }));
        }
    }

    async fn run(mut self, mut hands: mpsc::Receiver<Hand>, mut from: mpsc::Receiver<(usize, Incoming)>) {
        let mut beat = tokio::time::interval(VITAL);
        loop {
            tokio::select! {
                come = from.recv() => match come {
                    Some((_, incoming)) => self.heard(incoming),
                    None => return,
                },
                Some(hand) = hands.recv() => self.does(hand),
                _ = beat.tick() => {
                    self.count();
                    let out = self.firmware.vital(self.now(), Some(&self.clock), None);
                    self.send(out);
                }
            }
        }
    }

    fn heard(&mut self, incoming: Incoming) {
        self.count();
        let now = self.now();
        match incoming {
            Incoming::Connecting(will) => _ = will.send(self.firmware.connecting()),
            Incoming::Connected(line) => {
                self.line = Some(line);
                for out in self.firmware.connected(now, Some(&self.clock), String::new()) {
                    self.send(out);
                }
            }
            Incoming::Gone => self.line = None,
            Incoming::Order(order) => {
                let out = self.firmware.order(&order, now, &mut self.clock);
                self.send(out);
            }
            Incoming::Seen(seen) => {
                for out in self.firmware.seen(&seen, now, Some(&self.clock), String::new()) {
                    self.send(out);
                }
            }
            Incoming::Probe(probe) => {
                let out = self.firmware.vital(now, Some(&self.clock), Some(&probe));
                debug_assert_eq!(out.up, Up::Vital);
                self.send(out);
            }
            Incoming::State(_) => {}
        }
    }

    fn does(&mut self, hand: Hand) {
        self.count();
        let now = self.now();
        match hand {
            Hand::Press(side) => {
                self.clock.press(side, now);
                let clock = Some(clock_state(&self.clock));
                self.says(What::Press(pb::Press {
                    side: wire_side(Some(side)),
                    clock,
                }));
            }
            Hand::Results(white, black) => {
                for (side, result) in [(Side::Left, white), (Side::Right, black)] {
                    let clock = Some(clock_state(&self.clock));
                    self.says(What::Button(pb::Button {
                        kind: pb::button::Kind::Result.into(),
                        side: wire_side(Some(side)),
                        claim: String::new(),
                        result: result.to_owned(),
                        clock,
                    }));
                }
            }
        }
    }
}
