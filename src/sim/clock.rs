//! A simulated table clock: counts down by the control it was given, with arithmetic of its own.
//!
//! The hub's Laws count the same times from the same presses; that both come to the same milliseconds is what the simulator
//! is there to find out, so nothing of it is shared.

/// A side of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
}

impl Side {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }

    fn index(self) -> usize {
        self as usize
    }
}

/// What a press brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bonus {
    /// Nothing.
    None,
    /// So many ms at the press.
    Increment(i64),
    /// The main time waits so long at every move.
    Delay(i64),
    /// What was used comes back, at most so many ms.
    Bronstein(i64),
}

/// One period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Moves to complete in it; 0 is the rest of the game.
    pub moves: u32,
    /// Its time.
    pub time_ms: i64,
    /// Its bonus.
    pub bonus: Bonus,
}

/// A time control, as ordered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// The periods.
    pub periods: Vec<Period>,
    /// The next one comes at the press that completes the moves; otherwise to both sides when the first reaches zero.
    pub added_on_moves: bool,
    /// Both sides stand when one reaches zero in its last period.
    pub freeze: bool,
}

/// The clock. Its times are true at `as_of`.
#[derive(Clone, Debug, Default)]
pub struct TableClock {
    control: Control,
    left_ms: [i64; 2],
    moves: [u32; 2],
    period: [usize; 2],
    flag: [bool; 2],
    running: Option<Side>,
    as_of: i64,
    /// How long the running side has run in this turn.
    used_ms: i64,
}

impl TableClock {
    /// What a side shows.
    pub fn shows(&self, side: Side) -> i64 {
        self.left_ms[side.index()]
    }

    /// Whose time runs.
    pub fn running(&self) -> Option<Side> {
        self.running
    }

    /// Completed presses.
    pub fn moves(&self, side: Side) -> u32 {
        self.moves[side.index()]
    }

    /// The flag shown.
    pub fn flag(&self, side: Side) -> bool {
        self.flag[side.index()]
    }

    /// Whether it was given a control.
    pub fn has_control(&self) -> bool {
        !self.control.periods.is_empty()
    }

    /// Takes a control and the times before the start; stands.
    pub fn set_control(&mut self, control: Control, left_ms: i64, right_ms: i64, now: i64) {
        *self = TableClock {
            control,
            left_ms: [left_ms, right_ms],
            as_of: now,
            ..TableClock::default()
        };
    }

    /// When the running side reaches zero, if nothing happens before.
    pub fn next_zero(&self) -> Option<i64> {
        let side = self.running?;
        if self.flag[side.index()] {
            return None;
        }
        Some(self.as_of + self.shows(side) + self.waits(side))
    }

    /// Counts on to `now`. A side whose flag falls on the way is told of, with the moment; after it the clock stands there if it
    /// freezes.
    pub fn count_to(&mut self, now: i64) -> Option<(Side, i64)> {
        loop {
            let side = self.running?;
            match self.next_zero() {
                Some(zero) if zero <= now => {
                    self.consume(side, zero);
                    let next = self.period[side.index()] + 1;
                    if !self.control.added_on_moves && next < self.control.periods.len() {
                        for both in [Side::Left, Side::Right] {
                            self.enter(both, next);
                        }
                        continue;
                    }
                    self.flag[side.index()] = true;
                    if self.control.freeze {
                        self.running = None;
                    }
                    return Some((side, zero));
                }
                _ => {
                    self.consume(side, now);
                    return None;
                }
            }
        }
    }

    /// A press by `side` at `now`; false when it does nothing, because that side's time does not run.
    pub fn press(&mut self, side: Side, now: i64) -> bool {
        if self.running != Some(side) || now < self.as_of {
            return false;
        }
        self.consume(side, now);
        let own = side.index();
        self.moves[own] += 1;
        match self.bonus(side) {
            Bonus::None | Bonus::Delay(_) => {}
            Bonus::Increment(ms) => self.left_ms[own] += ms,
            Bonus::Bronstein(ms) => self.left_ms[own] += ms.min(self.used_ms),
        }
        if self.control.added_on_moves {
            let upto: u32 = self
                .control
                .periods
                .iter()
                .take(self.period[own] + 1)
                .map(|period| period.moves)
                .sum();
            let next = self.period[own] + 1;
            if upto > 0 && self.moves[own] >= upto && next < self.control.periods.len() {
                self.enter(side, next);
            }
        }
        self.running = Some(side.other());
        self.used_ms = 0;
        true
    }

    /// Both stand.
    pub fn stop(&mut self, now: i64) {
        if let Some(side) = self.running.take() {
            self.consume(side, now);
        }
    }

    /// This side's time runs; what it has used of this turn stays used if it is the side that ran last.
    pub fn run(&mut self, side: Side, now: i64) {
        if let Some(before) = self.running {
            self.consume(before, now);
        }
        if self.running != Some(side) && self.running.is_some() {
            self.used_ms = 0;
        }
        self.running = Some(side);
        self.as_of = now;
    }

    /// Adds to both sides, running or not.
    pub fn add(&mut self, left_ms: i64, right_ms: i64, now: i64) {
        if let Some(side) = self.running {
            self.consume(side, now);
        }
        for (own, ms) in [left_ms, right_ms].into_iter().enumerate() {
            self.left_ms[own] = (self.left_ms[own] + ms).max(0);
            if self.left_ms[own] > 0 {
                self.flag[own] = false;
            }
        }
    }

    /// Sets both sides; false while it runs.
    pub fn set(&mut self, left_ms: i64, right_ms: i64, moves: [Option<u32>; 2]) -> bool {
        if self.running.is_some() {
            return false;
        }
        self.left_ms = [left_ms, right_ms];
        for (own, moves) in moves.into_iter().enumerate() {
            self.moves[own] = moves.unwrap_or(self.moves[own]);
            self.flag[own] &= self.left_ms[own] == 0;
            if self.control.added_on_moves {
                self.period[own] = self.period_after(self.moves[own]);
            }
        }
        true
    }

    fn period_after(&self, moves: u32) -> usize {
        let mut upto = 0;
        let last = self.control.periods.len().saturating_sub(1);
        self.control.periods[..last]
            .iter()
            .take_while(|period| {
                upto += period.moves;
                moves >= upto
            })
            .count()
    }

    fn bonus(&self, side: Side) -> Bonus {
        self.control
            .periods
            .get(self.period[side.index()])
            .map_or(Bonus::None, |period| period.bonus)
    }

    /// How long the main time still waits in this turn.
    fn waits(&self, side: Side) -> i64 {
        match self.bonus(side) {
            Bonus::Delay(ms) => (ms - self.used_ms).max(0),
            _ => 0,
        }
    }

    fn enter(&mut self, side: Side, period: usize) {
        self.period[side.index()] = period;
        self.left_ms[side.index()] += self.control.periods[period].time_ms;
    }

    fn consume(&mut self, side: Side, now: i64) {
        let ran = (now - self.as_of).max(0);
        let free = ran.min(self.waits(side));
        let own = side.index();
        self.left_ms[own] = (self.left_ms[own] - (ran - free)).max(0);
        self.used_ms += ran;
        self.as_of = self.as_of.max(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(periods: &[Period], added_on_moves: bool, start_ms: i64) -> TableClock {
        let mut clock = TableClock::default();
        let control = Control {
            periods: periods.to_vec(),
            added_on_moves,
            freeze: true,
        };
        clock.set_control(control, start_ms, start_ms, 0);
        clock
    }

    fn period(moves: u32, time_ms: i64, bonus: Bonus) -> Period {
        Period { moves, time_ms, bonus }
    }

    #[test]
    fn an_increment_is_added_at_the_press() {
        let mut clock = clock(&[period(0, 60_000, Bonus::Increment(2000))], true, 62_000);
        clock.run(Side::Left, 1000);
        assert!(clock.press(Side::Left, 4500));
        assert_eq!((clock.shows(Side::Left), clock.running()), (60_500, Some(Side::Right)));
        assert!(
            !clock.press(Side::Left, 5000),
            "a press by the side whose time stands does nothing"
        );
        assert!(clock.press(Side::Right, 5500));
        assert_eq!(clock.shows(Side::Right), 63_000);
    }

    #[test]
    fn a_stop_in_the_middle_costs_nobody_anything() {
        let mut clock = clock(&[period(0, 60_000, Bonus::None)], true, 60_000);
        clock.run(Side::Left, 0);
        clock.stop(10_000);
        clock.add(5000, -1000, 11_000);
        clock.run(Side::Left, 500_000);
        clock.press(Side::Left, 501_000);
        assert_eq!((clock.shows(Side::Left), clock.shows(Side::Right)), (54_000, 59_000));
    }

    #[test]
    fn the_next_period_comes_at_the_press_that_completes_the_moves_or_when_the_first_reaches_zero() {
        let periods = [period(2, 10_000, Bonus::None), period(0, 5000, Bonus::None)];
        let mut on_moves = clock(&periods, true, 10_000);
        on_moves.run(Side::Left, 0);
        for (at, side) in [(1000, Side::Left), (2000, Side::Right), (3000, Side::Left)] {
            assert!(on_moves.press(side, at));
        }
        assert_eq!(
            (on_moves.shows(Side::Left), on_moves.shows(Side::Right)),
            (13_000, 9000)
        );

        let mut on_zero = clock(&periods, false, 10_000);
        on_zero.run(Side::Left, 0);
        assert_eq!(on_zero.count_to(12_000), None);
        assert_eq!((on_zero.shows(Side::Left), on_zero.shows(Side::Right)), (3000, 15_000));
        assert_eq!(on_zero.count_to(20_000), Some((Side::Left, 15_000)));
    }

    #[test]
    fn a_flag_freezes_both_at_the_moment_of_zero() {
        let mut clock = clock(&[period(0, 10_000, Bonus::Increment(1000))], true, 10_000);
        clock.run(Side::Right, 0);
        assert_eq!(clock.next_zero(), Some(10_000));
        assert_eq!(clock.count_to(10_700), Some((Side::Right, 10_000)));
        assert_eq!(
            (clock.running(), clock.flag(Side::Right), clock.shows(Side::Right)),
            (None, true, 0)
        );
        assert!(!clock.press(Side::Right, 10_700));
    }

    #[test]
    fn a_delay_lets_the_main_time_wait_and_bronstein_gives_back_what_was_used() {
        let mut delay = clock(&[period(0, 10_000, Bonus::Delay(3000))], true, 10_000);
        delay.run(Side::Left, 0);
        assert_eq!(delay.next_zero(), Some(13_000));
        delay.count_to(2000);
        delay.press(Side::Left, 5000);
        assert_eq!(delay.shows(Side::Left), 8000);

        let mut bronstein = clock(&[period(0, 10_000, Bonus::Bronstein(3000))], true, 10_000);
        bronstein.run(Side::Left, 0);
        bronstein.press(Side::Left, 2000);
        bronstein.press(Side::Right, 7000);
        assert_eq!(
            (bronstein.shows(Side::Left), bronstein.shows(Side::Right)),
            (10_000, 8000)
        );
    }

    #[test]
    fn only_a_clock_that_stands_is_set() {
        let mut clock = clock(&[period(0, 10_000, Bonus::None)], true, 10_000);
        clock.run(Side::Left, 0);
        assert!(!clock.set(1, 2, [None, None]));
        clock.stop(100);
        assert!(clock.set(7000, 8000, [Some(3), None]));
        assert_eq!(
            (
                clock.shows(Side::Left),
                clock.moves(Side::Left),
                clock.moves(Side::Right)
            ),
            (7000, 3, 0)
        );
    }
}
