//! What waits, in the order of the journal, for one delay.

use std::collections::VecDeque;

use crate::time::{HallTime, Millis};

/// The beginning of time.
const NEVER: HallTime = HallTime(i64::MIN);

/// What waits for one delay.
pub(super) struct Line<T> {
    delay: Millis,
    /// What was heard before this is released. Never goes back.
    cutoff: HallTime,
    /// What stands in the journal up to here is released. Never goes back.
    through: u64,
    /// Now less the delay is before the cutoff: the delay was made longer.
    frozen: bool,
    waiting: VecDeque<Waiting<T>>,
    /// When the last that was released was heard.
    last: HallTime,
    /// By how much later than in the hall it was released.
    shift: Millis,
    /// It was released before its time.
    early: bool,
}

struct Waiting<T> {
    position: u64,
    heard: HallTime,
    what: T,
    /// It was let go before its time.
    early: bool,
    /// Its time had come by this delay, though it is not taken out yet.
    by: Option<Millis>,
}

impl<T> Line<T> {
    pub fn new(delay: Millis) -> Line<T> {
        Line {
            delay,
            cutoff: NEVER,
            through: 0,
            frozen: false,
            waiting: VecDeque::new(),
            last: NEVER,
            shift: delay,
            early: false,
        }
    }

    pub fn push(&mut self, position: u64, heard: HallTime, what: T) {
        self.waiting.push_back(Waiting {
            position,
            heard,
            what,
            early: false,
            by: None,
        });
    }

    /// Time has come so far.
    pub fn settle(&mut self, now: HallTime) {
        let cutoff = HallTime(now.0.saturating_sub(self.delay.0));
        self.frozen = cutoff < self.cutoff;
        self.cutoff = self.cutoff.max(cutoff);
    }

    /// Until now it was one delay, and is another from now on.
    pub fn set_delay(&mut self, now: HallTime, delay: Millis) {
        self.settle(now);
        let (cutoff, by) = (self.cutoff, self.delay);
        for waiting in self.waiting.iter_mut().filter(|waiting| waiting.heard < cutoff) {
            waiting.by = waiting.by.or(Some(by));
        }
        self.delay = delay;
    }

    /// What was heard before this may be known by then.
    pub fn cutoff(&self, now: HallTime) -> HallTime {
        self.cutoff.max(HallTime(now.0.saturating_sub(self.delay.0)))
    }

    /// All up to this position may be known from now on, and what was not heard before `cutoff` is so before its time. That is settled here, and
    /// not when it is taken out: what is taken out late is the same.
    pub fn let_go(&mut self, position: u64, cutoff: HallTime) {
        self.through = self.through.max(position);
        for waiting in self.waiting.iter_mut().filter(|waiting| waiting.position <= position) {
            waiting.early |= waiting.heard >= cutoff;
        }
    }

    /// The next that may be known.
    pub fn pop(&mut self) -> Option<(u64, HallTime, T)> {
        let next = self.waiting.front()?;
        if next.heard >= self.cutoff && next.position > self.through {
            return None;
        }
        let next = self.waiting.pop_front()?;
        self.early = next.early;
        self.shift = if next.early {
            Millis::ZERO
        } else {
            next.by.unwrap_or(self.delay)
        };
        self.last = self.last.max(next.heard);
        Some((next.position, next.heard, next.what))
    }

    /// What waits, and where it stands in the journal.
    pub fn waiting(&self) -> impl DoubleEndedIterator<Item = (u64, &T)> {
        self.waiting.iter().map(|waiting| (waiting.position, &waiting.what))
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    /// The moment in the hall that is shown.
    pub fn at(&self) -> HallTime {
        self.cutoff.max(self.last)
    }

    /// So much later than in the hall things are for the public; what was released before its time is when it was.
    pub fn shift(&self) -> Millis {
        if self.early { Millis::ZERO } else { self.delay }
    }

    /// The same when the last that was released was released, whatever the delay is now.
    pub fn shift_of_last(&self) -> Millis {
        self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn released(line: &mut Line<()>, now: i64) -> Vec<u64> {
        line.settle(HallTime(now));
        std::iter::from_fn(|| line.pop().map(|(position, ..)| position)).collect()
    }

    #[test]
    fn a_longer_delay_freezes_and_a_shorter_one_catches_up() {
        let mut line = Line::new(Millis(100));
        for position in 1..=9 {
            line.push(position, HallTime(position as i64 * 50), ());
        }
        assert_eq!(released(&mut line, 200), [1], "heard at 50; at 100 is not before 100");
        line.set_delay(HallTime(220), Millis(300));
        assert!(!line.is_frozen());
        assert_eq!(released(&mut line, 220), [2], "heard at 100, before 120");
        assert!(line.is_frozen());
        assert_eq!(released(&mut line, 420), [0u64; 0], "frozen");
        assert_eq!(released(&mut line, 451), [3]);
        assert!(!line.is_frozen());
        line.set_delay(HallTime(451), Millis(0));
        assert_eq!(released(&mut line, 451), [4, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn what_is_let_go_is_released_up_to_there_and_in_order() {
        let mut line = Line::new(Millis(1000));
        for position in 1..=4 {
            line.push(position, HallTime(position as i64), ());
        }
        line.let_go(3, HallTime(-996));
        line.let_go(2, HallTime(-996));
        assert_eq!(released(&mut line, 5), [1, 2, 3]);
        assert_eq!(line.shift(), Millis::ZERO);
        assert_eq!(released(&mut line, 1005), [4]);
        assert_eq!(line.shift(), Millis(1000));
    }

    #[test]
    fn what_was_let_go_before_its_time_was_so_however_late_it_is_taken_out() {
        for late in [5, 5_000] {
            let mut line = Line::new(Millis(1000));
            line.push(1, HallTime(1), ());
            line.let_go(1, line.cutoff(HallTime(4)));
            assert_eq!(released(&mut line, late), [1]);
            assert_eq!(line.shift(), Millis::ZERO);
        }
        let mut line = Line::new(Millis(1000));
        line.push(1, HallTime(1), ());
        line.let_go(1, line.cutoff(HallTime(1500)));
        assert_eq!(released(&mut line, 1500), [1]);
        assert_eq!(line.shift(), Millis(1000), "its time had come");
    }

    #[test]
    fn what_was_due_by_a_former_delay_was_released_by_it() {
        let mut line = Line::new(Millis(100));
        line.push(1, HallTime(50), ());
        line.set_delay(HallTime(200), Millis(1000));
        line.set_delay(HallTime(300), Millis(5));
        assert_eq!(released(&mut line, 10_000), [1]);
        assert_eq!((line.shift_of_last(), line.shift()), (Millis(100), Millis(5)));
    }
}
