//! What is done at the clock by hand: as the clock tells of it, and as it is counted where no clock answers the order.
//!
//! An order without an answer counts from its ruling, as if somebody had gone there at once. The clock as it was before is kept until it
//! says a word: what it tells then shows whether it had been stopped, or started, by that time, and if not, the count goes on from what
//! was before. No press is lost with a stop that nobody made, and no time with a start.

use super::audience::OrderKind;
use super::facts::{agrees, contradicts, only_counted};
use super::input::{ByHand, Reading, TimeChange};
use super::orders::{Want, Wanted};
use super::table::Table;
use crate::chess::Color;
use crate::laws::Clock;
use crate::laws::open_points::Freeze;
use crate::time::{HallTime, Millis};

impl Table<'_> {
    /// Somebody has started, stopped or adjusted the clock, and it tells.
    pub fn by_hand(&mut self, what: ByHand, reading: Reading) {
        if self.s.ending.is_some() {
            return;
        }
        let (now, control) = (self.s.time, &self.setup.time_control);
        if self.s.started.is_none() {
            // A round is armed, then started: a clock started by hand after arming keeps its own time.
            match what {
                ByHand::Started => self.s.hand_started = Some(now),
                ByHand::Stopped => self.s.hand_started = None,
                ByHand::Adjusted { .. } => {}
            }
            return;
        }
        self.s.may_run = None;
        let before = match what {
            ByHand::Started => {
                self.has_stood();
                reading
            }
            ByHand::Stopped => {
                self.stops_only_now();
                reading
            }
            ByHand::Adjusted { before } => {
                match before.running {
                    Some(side) => self.has_run(side),
                    None => self.has_stood(),
                }
                before
            }
        };
        let count = self.count();
        if let Some(fallen) = self.s.clock.fallen() {
            // A flag that was only counted while the clock was off is none; one that was shown, claimed or seen stays to be ruled on.
            if contradicts(&self.s, fallen, before, self.tolerance()) {
                self.close(|item| item.key.of == Some(fallen) && only_counted(item));
                self.take_reading(before, now);
            }
            // The clock of the side whose flag stands runs again with time left: that is so (6.10.1).
            if reading.running == Some(fallen) && reading.of(fallen) > Millis::ZERO {
                self.take_reading(reading, now);
                self.s.clock.run(fallen, now, control);
            }
        }
        match what {
            ByHand::Started => {
                if let Some(of) = reading.running {
                    self.s.clock.run(of, now, control);
                    self.s.wants.retain(|want| !matches!(want.what, Wanted::Run(_)));
                    self.misses_a_press(of);
                }
                self.s.ran_on = false;
            }
            ByHand::Stopped => {
                self.s.clock.stop(now, control);
                self.s.wants.retain(|want| want.what != Wanted::Stop);
                self.s.ran_on = false;
            }
            ByHand::Adjusted { .. } => {}
        }
        if !agrees(count, reading, self.setup.clock_resolution) {
            // The clock's indication is conclusive (6.10.1); the arbiter adds the reason, or rules otherwise.
            self.take_reading(reading, now);
            if let (ByHand::Started, Some(of)) = (what, reading.running) {
                // It was counted as down, and has the time after all.
                self.s.clock.run(of, now, control);
            }
            self.adjusted(count, reading, true);
        }
        if self.s.clock.running().is_none() {
            // It stood up to now, whatever it is counted to do since an earlier ruling.
            self.s.clock.stop(now, control);
        }
    }

    /// Who starts the clock by hand of the player who does not have the move on the record knows of a press that was not heard: a clock that
    /// was exchanged has taken it along. What the board shows then says nothing against him who presses next.
    fn misses_a_press(&mut self, runs: Color) {
        let turn = self.s.position().turn();
        // A press that waits for its move is heard.
        if self.s.board.is_some() && turn != runs && self.s.to_run(self.setup) != runs {
            self.s.presses_lost = true;
            self.s.behind = true;
        }
    }

    /// No clock has done what is wanted: it is done by hand, and counts from the ruling.
    pub fn counts_as_done_by_hand(&mut self, want: &Want, what: &OrderKind) {
        self.s.by_hand.push(want.id);
        if self.s.ending.is_some() {
            return;
        }
        let at = want.since.max(self.s.clock.as_of());
        if let Wanted::Change { white, black, .. } = &want.what {
            // Only what was ruled: the order's figure for a side that nobody has ruled on is what was counted when it was sent.
            let control = &self.setup.time_control;
            for clock in std::iter::once(&mut self.s.clock).chain(&mut self.s.unheard) {
                for (color, change) in Color::BOTH.into_iter().zip([white, black]) {
                    match change {
                        Some(TimeChange::To(time)) => clock.set(color, *time, at, control),
                        Some(TimeChange::By(span)) => clock.add(color, *span, at, control),
                        None => {}
                    }
                }
            }
            return;
        }
        if matches!(what, OrderKind::Stop | OrderKind::Run(_)) && self.s.unheard.is_none() {
            self.s.unheard = Some(self.s.clock);
        }
        self.carried_out(what, at);
    }

    /// The clock tells that this side's time has run up to now: a stop that was counted was not made.
    pub fn has_run(&mut self, side: Color) {
        if let Some(before) = self.s.unheard.take()
            && before.running() == Some(side)
        {
            self.count_on_from(before);
            self.s.ran_on = true;
        }
    }

    /// The clock tells that it has stood up to now: a start that was counted was not made.
    fn has_stood(&mut self) {
        if let Some(before) = self.s.unheard.take()
            && before.running().is_none()
        {
            self.count_on_from(before);
        }
    }

    /// The clock is stopped now, as it tells; no earlier.
    pub fn stops_only_now(&mut self) {
        match self.s.unheard.and_then(|before| before.running()) {
            Some(side) => self.has_run(side),
            None => self.s.unheard = None,
        }
    }

    /// It answers with what it shows after an order: where that is what it would show if nothing had been done by hand before, nothing
    /// was.
    pub fn did_it_run_on(&mut self, what: &OrderKind, shown: Option<Reading>) {
        let Some(before) = self.s.unheard.take() else { return };
        let shown = match (what, shown) {
            (OrderKind::Stop | OrderKind::Run(_), Some(shown)) => shown,
            (OrderKind::Add { white, black }, Some(shown)) => Reading {
                white: shown.white - *white,
                black: shown.black - *black,
                ..shown
            },
            _ => return,
        };
        let at = self.told_at.max(before.as_of());
        let control = &self.setup.time_control;
        let counted = |clock: &Clock| Reading {
            white: clock.shows(Color::White, at, control),
            black: clock.shows(Color::Black, at, control),
            running: clock.running(),
        };
        let resolution = self.setup.clock_resolution;
        if agrees(counted(&before), shown, resolution) {
            self.count_on_from(before);
        }
    }

    /// The clock is what it was before orders were counted as done by hand; moves completed, and what was ruled meanwhile, stay.
    fn count_on_from(&mut self, before: Clock) {
        let completed = self.s.completed();
        self.s.clock = before;
        for color in Color::BOTH {
            self.s.clock.set_completed(color, completed[color as usize]);
        }
        if self.s.clock.fallen().is_none() {
            self.close(only_counted);
        }
    }

    /// The clock has shown this side's flag though its time was not counted as running. On clocks that freeze the other side's cannot
    /// have fallen before.
    pub fn ran_to_its_flag(&mut self, of: Color) {
        if self.setup.open_points.freeze == Freeze::BothStand {
            self.close(|item| item.key.of == Some(of.other()) && only_counted(item));
        }
        let (now, control) = (self.s.time, &self.setup.time_control);
        self.s.clock.set(of, Millis(1), now, control);
        self.s.clock.run(of, now, control);
        self.s.ran_on = true;
    }

    /// By how much the figures of an order to set the clock are not what was ruled, as it is known now: the side that nobody ruled on has
    /// the time that it had, whatever was counted when the order was sent.
    pub fn not_ruled_so(&self, want: u64, what: &OrderKind, at: HallTime) -> [Millis; 2] {
        let OrderKind::Set { white, black, .. } = what else {
            return [Millis::ZERO; 2];
        };
        let open = self.s.wants.iter().find(|open| open.id == want);
        let Some(Wanted::Change {
            white: for_white,
            black: for_black,
            ..
        }) = open.map(|open| &open.what)
        else {
            return [Millis::ZERO; 2];
        };
        if !self.in_play() || self.s.clock.running().is_some() {
            return [Millis::ZERO; 2];
        }
        let off = |of: Color, change: &Option<TimeChange>, set: Millis| {
            let had = self.s.clock.shows(of, at, &self.setup.time_control);
            match change {
                None => had - set,
                Some(TimeChange::By(span)) => (had + *span).at_least_zero() - set,
                Some(TimeChange::To(_)) => Millis::ZERO,
            }
        };
        [
            off(Color::White, for_white, *white),
            off(Color::Black, for_black, *black),
        ]
    }

    /// The clock has been set to other times than were ruled: that is put right before anything else.
    pub fn put_right(&mut self, off: [Millis; 2]) {
        if off == [Millis::ZERO; 2] {
            return;
        }
        let by = |span: Millis| (span != Millis::ZERO).then_some(TimeChange::By(span));
        self.want_first(Wanted::Change {
            white: by(off[0]),
            black: by(off[1]),
            count: false,
        });
    }
}
