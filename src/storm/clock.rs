//! The truth about time: a table clock with arithmetic of its own, in the milliseconds of its own counter.
//!
//! Neither the Laws' clock nor the simulator's is used: what the hub says must come to the same by another way.

use crate::device::wire as pb;

/// What a move brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bonus {
    Nothing,
    Increment(i64),
    Delay(i64),
    Bronstein(i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Period {
    moves: u32,
    time: i64,
    bonus: Bonus,
}

/// One player's half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Half {
    pub left: i64,
    pub moves: u32,
    pub period: usize,
    pub flag: bool,
}

/// A table clock; its left side is 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    periods: Vec<Period>,
    on_moves: bool,
    freeze: bool,
    pub halves: [Half; 2],
    pub running: Option<usize>,
    /// The figures are those of this moment.
    as_of: i64,
    /// Which side ran last.
    last: Option<usize>,
    /// What it has used of its turn.
    used: i64,
}

impl Clock {
    pub fn has_control(&self) -> bool {
        !self.periods.is_empty()
    }

    /// Takes the control of an order, and stands.
    pub fn control(&mut self, order: &pb::SetControl, now: i64) {
        use pb::period::Bonus as Wire;
        let period = |period: &pb::Period| Period {
            moves: period.moves,
            time: period.time_ms as i64,
            bonus: match Wire::try_from(period.bonus).unwrap_or_default() {
                Wire::Unspecified | Wire::None => Bonus::Nothing,
                Wire::Increment => Bonus::Increment(period.bonus_ms as i64),
                Wire::Delay => Bonus::Delay(period.bonus_ms as i64),
                Wire::Bronstein => Bonus::Bronstein(period.bonus_ms as i64),
            },
        };
        *self = Clock {
            periods: order.periods.iter().map(period).collect(),
            on_moves: order.added_on_moves,
            freeze: order.freeze,
            as_of: now,
            ..Clock::default()
        };
        self.halves[0].left = order.left_ms as i64;
        self.halves[1].left = order.right_ms as i64;
    }

    /// Another counter, from here on.
    pub fn rebase(&mut self, now: i64) {
        self.as_of = now;
    }

    fn bonus(&self, side: usize) -> Bonus {
        self.periods
            .get(self.halves[side].period)
            .map_or(Bonus::Nothing, |period| period.bonus)
    }

    /// How long the running side's time still stands in this turn.
    fn free(&self, side: usize) -> i64 {
        match self.bonus(side) {
            Bonus::Delay(delay) => (delay - self.used).max(0),
            _ => 0,
        }
    }

    /// When the running side shows zero, if nothing happens before.
    pub fn zero(&self) -> Option<i64> {
        let side = self.running.filter(|&side| !self.halves[side].flag)?;
        Some(self.as_of + self.free(side) + self.halves[side].left)
    }

    fn pass(&mut self, now: i64) {
        let Some(side) = self.running else {
            self.as_of = self.as_of.max(now);
            return;
        };
        let ran = (now - self.as_of).max(0);
        let counted = ran - ran.min(self.free(side));
        self.halves[side].left = (self.halves[side].left - counted).max(0);
        self.used += ran;
        self.as_of = self.as_of.max(now);
    }

    /// Counts on; says whose flag fell on the way, and when.
    pub fn count(&mut self, now: i64) -> Option<(usize, i64)> {
        while let (Some(side), Some(zero)) = (self.running, self.zero())
            && zero <= now
        {
            self.pass(zero);
            let next = self.halves[side].period + 1;
            if !self.on_moves && next < self.periods.len() {
                for half in &mut self.halves {
                    half.period = next;
                    half.left += self.periods[next].time;
                }
                continue;
            }
            self.halves[side].flag = true;
            if self.freeze {
                self.running = None;
            }
            return Some((side, zero));
        }
        self.pass(now);
        None
    }

    /// A press of this side's lever; false when its time does not run.
    pub fn press(&mut self, side: usize, now: i64) -> bool {
        if self.running != Some(side) {
            return false;
        }
        self.pass(now);
        let bonus = self.bonus(side);
        let half = &mut self.halves[side];
        half.moves += 1;
        half.left += match bonus {
            Bonus::Increment(more) => more,
            Bonus::Bronstein(most) => most.min(self.used),
            Bonus::Nothing | Bonus::Delay(_) => 0,
        };
        let needed: u32 = self
            .periods
            .iter()
            .take(half.period + 1)
            .map(|period| period.moves)
            .sum();
        if self.on_moves && needed > 0 && half.moves >= needed && half.period + 1 < self.periods.len() {
            half.period += 1;
            half.left += self.periods[half.period].time;
        }
        self.running = Some(1 - side);
        self.last = self.running;
        self.used = 0;
        true
    }

    pub fn stop(&mut self, now: i64) {
        self.pass(now);
        self.running = None;
    }

    pub fn run(&mut self, side: usize, now: i64) {
        self.pass(now);
        if self.last.is_some_and(|before| before != side) {
            self.used = 0;
        }
        self.last = Some(side);
        self.running = Some(side);
    }

    pub fn add(&mut self, more: [i64; 2], now: i64) {
        self.pass(now);
        for (half, more) in self.halves.iter_mut().zip(more) {
            half.left = (half.left + more).max(0);
            half.flag &= half.left == 0;
        }
    }

    /// Sets a clock that stands; false where it runs.
    pub fn set(&mut self, left: [i64; 2], moves: [Option<u32>; 2]) -> bool {
        if self.running.is_some() {
            return false;
        }
        for (side, half) in self.halves.iter_mut().enumerate() {
            half.left = left[side];
            half.flag &= half.left == 0;
            half.moves = moves[side].unwrap_or(half.moves);
            if self.on_moves {
                let mut needed = 0;
                half.period = 0;
                for period in &self.periods {
                    needed += period.moves;
                    if period.moves == 0 || half.moves < needed || half.period + 1 == self.periods.len() {
                        break;
                    }
                    half.period += 1;
                }
            }
        }
        true
    }

    /// As it is told on the wire.
    pub fn state(&self) -> pb::ClockState {
        pb::ClockState {
            left_ms: self.halves[0].left.max(0) as u64,
            right_ms: self.halves[1].left.max(0) as u64,
            running: wire_side(self.running),
            left_moves: self.halves[0].moves,
            right_moves: self.halves[1].moves,
            left_flag: self.halves[0].flag,
            right_flag: self.halves[1].flag,
            has_control: self.has_control(),
        }
    }
}

pub(super) fn wire_side(side: Option<usize>) -> i32 {
    match side {
        Some(0) => pb::Side::Left,
        Some(_) => pb::Side::Right,
        None => pb::Side::Unspecified,
    }
    .into()
}

pub(super) fn side_of(wire: i32) -> Option<usize> {
    match pb::Side::try_from(wire).ok()? {
        pb::Side::Left => Some(0),
        pb::Side::Right => Some(1),
        pb::Side::Unspecified => None,
    }
}
