//! Keeps one simulated table going in real time: its connections, its alarm, and people's words with its players.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::device::topics::Up;

use super::dice::Dice;
use super::link::{self, Incoming, Line, Login};
use super::plan::Game;
use super::table::{Happened, Notice, Table};

/// What is said to the players.
#[derive(Debug)]
pub enum Word {
    /// Sit down to this game.
    SitDown(Arc<Game>, u64),
    /// The flag has been confirmed; make the move.
    MoveLate,
    /// The result stands.
    ShowResult,
}

/// What a table's devices have done, read from outside.
#[derive(Debug, Default)]
pub struct Tally {
    /// Reports made.
    pub made: AtomicU64,
    /// Of them not yet seen by the hub.
    pub unseen: AtomicU64,
    /// Dropped for want of memory.
    pub lost: AtomicU64,
    /// Sent more than once.
    pub resent: AtomicU64,
    /// Times a connection was made.
    pub connections: AtomicU64,
}

/// A table that is going.
pub struct Seat {
    /// To the players.
    pub say: mpsc::Sender<Word>,
    /// What people see there, and when.
    pub notices: mpsc::UnboundedReceiver<(Notice, Instant)>,
    /// What its devices have done.
    pub tally: Arc<Tally>,
}

/// How virtual time goes: known from the hub's state.
struct Pace {
    from: Instant,
    at: i64,
    speed: f64,
}

impl Pace {
    fn now(&self) -> i64 {
        self.at + (self.from.elapsed().as_secs_f64() * self.speed * 1000.0) as i64
    }

    /// When virtual time is `at`.
    fn when(&self, at: i64) -> Instant {
        let ahead = (at - self.at).max(0) as f64 / 1000.0 / self.speed.max(1e-6);
        // A day is as good as never, and can be added.
        self.from + Duration::from_secs_f64(ahead.min(86_400.0))
    }
}

/// A device that is not seen to get on for so long sends everything again.
const PATIENCE: Duration = Duration::from_secs(5);

/// Good-byes take no longer.
const GOOD_BYE: Duration = Duration::from_secs(1);

/// Starts a table: a task for it and one for each of its connections.
pub fn start(table: Table, logins: Vec<Login>, dice: &Dice, tasks: &TaskTracker, stop: &CancellationToken) -> Seat {
    let (say, words) = mpsc::channel(8);
    let (tell, notices) = mpsc::unbounded_channel();
    let (to, incoming) = mpsc::channel(256);
    let tally = Arc::new(Tally::default());
    // The connections outlive the table by as long as its good-byes take.
    let cut = CancellationToken::new();
    for (device, login) in logins.into_iter().enumerate() {
        tasks.spawn(link::keep(
            login,
            device,
            to.clone(),
            dice.fork("link", device as u64),
            cut.clone(),
        ));
    }
    let lines = table.devices().iter().map(|_| None).collect();
    let waiting = table.devices().iter().map(|_| VecDeque::new()).collect();
    let going = Going {
        table,
        lines,
        waiting,
        pace: None,
        epoch: 0,
        progress: Instant::now(),
        tell,
        tally: Arc::clone(&tally),
        cut,
    };
    tasks.spawn(going.run(words, incoming, stop.clone()));
    Seat { say, notices, tally }
}

struct Going {
    table: Table,
    lines: Vec<Option<Line>>,
    /// What did not fit into a connection's queue.
    waiting: Vec<VecDeque<(Up, Vec<u8>)>>,
    pace: Option<Pace>,
    epoch: u64,
    /// When the hub last had seen everything, or more.
    progress: Instant,
    tell: mpsc::UnboundedSender<(Notice, Instant)>,
    tally: Arc<Tally>,
    cut: CancellationToken,
}

impl Going {
    async fn run(
        mut self,
        mut words: mpsc::Receiver<Word>,
        mut incoming: mpsc::Receiver<(usize, Incoming)>,
        stop: CancellationToken,
    ) {
        let mut look = tokio::time::interval(Duration::from_millis(500));
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let alarm = self
                .pace
                .as_ref()
                .and_then(|pace| Some(pace.when(self.table.next_due()?)));
            let congested = self.waiting.iter().any(|waiting| !waiting.is_empty());
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some((device, incoming)) = incoming.recv() => self.take(device, incoming),
                // Before the hub's state is known there is no time to do anything at.
                Some(word) = words.recv(), if self.pace.is_some() => self.hear(word),
                () = tokio::time::sleep_until(alarm.unwrap_or_else(Instant::now)), if alarm.is_some() => {}
                () = tokio::time::sleep(Duration::from_millis(10)), if congested => {}
                _ = look.tick() => self.look_after(),
            }
            if let Some(now) = self.now() {
                let happened = self.table.wake(now);
                self.pass_on(happened);
            }
            self.flush();
            self.count();
        }
        self.leave(incoming).await;
    }

    /// Says good-bye on every connection, and waits until it has gone out.
    async fn leave(mut self, mut incoming: mpsc::Receiver<(usize, Incoming)>) {
        let mut open = 0;
        for device in 0..self.lines.len() {
            if let Some(line) = self.lines[device].take() {
                let out = self.table.device_mut(device).leaving();
                line.send(out.up, out.payload);
                line.leave().await;
                open += 1;
            }
        }
        let closed = async {
            while open > 0 {
                match incoming.recv().await {
                    Some((_, Incoming::Gone)) => open -= 1,
                    Some(_) => {}
                    None => return,
                }
            }
        };
        // Whoever is not gone by then is cut off.
        drop(tokio::time::timeout(GOOD_BYE, closed).await);
        self.cut.cancel();
    }

    fn now(&self) -> Option<i64> {
        self.pace.as_ref().map(Pace::now)
    }

    fn take(&mut self, device: usize, incoming: Incoming) {
        match incoming {
            Incoming::Connecting(ask) => {
                // The connection may have been given up meanwhile.
                drop(ask.send(self.table.device_mut(device).connecting()));
            }
            Incoming::Connected(line) => {
                self.lines[device] = Some(line);
                self.waiting[device].clear();
                self.tally.connections.fetch_add(1, Ordering::Relaxed);
                self.be_born(device);
            }
            Incoming::Gone => {
                self.lines[device] = None;
                self.waiting[device].clear();
                self.table.disconnected(device);
            }
            Incoming::State(state) => self.hall_state(&state),
            Incoming::Order(order) => {
                if let Some(now) = self.now() {
                    let happened = self.table.order(&order, now);
                    self.pass_on(happened);
                }
            }
            Incoming::Seen(seen) => {
                if let Some(now) = self.now() {
                    let before = self.table.devices()[device].unseen();
                    let happened = self.table.seen(device, &seen, now);
                    if self.table.devices()[device].unseen() < before {
                        self.progress = Instant::now();
                    }
                    self.pass_on(happened);
                }
            }
            Incoming::Probe(probe) => {
                if let Some(now) = self.now() {
                    let happened = self.table.probe(device, &probe, now);
                    self.pass_on(happened);
                }
            }
        }
    }

    /// The hall's speed is everybody's. A new start of the hub gets a birth, in case it has missed one.
    fn hall_state(&mut self, state: &crate::device::wire::HubState) {
        if state.speed > 0.0 && self.pace.as_ref().is_none_or(|pace| pace.speed != state.speed) {
            let at = self.now().unwrap_or(0);
            self.pace = Some(Pace {
                from: Instant::now(),
                at,
                speed: state.speed,
            });
            self.table.set_speed(state.speed);
        }
        if state.online && state.epoch > self.epoch {
            self.epoch = state.epoch;
            for device in 0..self.lines.len() {
                self.be_born(device);
            }
        }
    }

    fn be_born(&mut self, device: usize) {
        if let Some(now) = self.now()
            && self.lines[device].is_some()
        {
            self.waiting[device].clear();
            let happened = self.table.connected(device, now);
            self.progress = Instant::now();
            self.pass_on(happened);
        }
    }

    fn hear(&mut self, word: Word) {
        let Some(now) = self.now() else { return };
        match word {
            Word::SitDown(game, number) => {
                let happened = self.table.sit_down(game, number, now);
                self.pass_on(happened);
            }
            Word::MoveLate => self.table.move_late(now),
            Word::ShowResult => self.table.show_result(now),
        }
    }

    /// What was sent and is not seen for long is sent again.
    fn look_after(&mut self) {
        let unseen = self.table.devices().iter().any(|device| device.unseen() > 0);
        if !unseen {
            self.progress = Instant::now();
        } else if self.progress.elapsed() > PATIENCE {
            for device in 0..self.lines.len() {
                self.be_born(device);
            }
        }
    }

    fn pass_on(&mut self, happened: Happened) {
        for (device, out) in happened.out {
            // What is said while there is no connection is kept, if it matters, by the device itself.
            if self.lines[device].is_some() {
                self.waiting[device].push_back((out.up, out.payload));
            }
        }
        self.flush();
        self.count();
        let now = Instant::now();
        for notice in happened.notices {
            // Nobody may be looking any more.
            drop(self.tell.send((notice, now)));
        }
    }

    fn flush(&mut self) {
        for (line, waiting) in self.lines.iter().zip(&mut self.waiting) {
            let Some(line) = line else { continue };
            while let Some((up, payload)) = waiting.front() {
                if !line.send(*up, payload.clone()) {
                    break;
                }
                waiting.pop_front();
            }
        }
    }

    fn count(&self) {
        let sum = |what: fn(&super::firmware::Firmware) -> u64| self.table.devices().iter().map(what).sum::<u64>();
        self.tally.made.store(sum(|device| device.made()), Ordering::Relaxed);
        self.tally
            .unseen
            .store(sum(|device| device.unseen() as u64), Ordering::Relaxed);
        self.tally.lost.store(sum(|device| device.lost()), Ordering::Relaxed);
        self.tally
            .resent
            .store(sum(|device| device.resent()), Ordering::Relaxed);
    }
}
