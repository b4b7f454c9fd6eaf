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
    waiting: VecDeque<(u64, HallTime, T)>,
    /// When the last that was released was heard.
    last: HallTime,
    /// It was released before its time.
    early: bool,
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
            early: false,
        }
    }

    pub fn push(&mut self, position: u64, heard: HallTime, what: T) {
        self.waiting.push_back((position, heard, what));
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
        self.delay = delay;
    }

    /// All up to this position may be known.
    pub fn let_go(&mut self, position: u64) {
        self.through = self.through.max(position);
    }

    /// The next that may be known.
    pub fn pop(&mut self) -> Option<(u64, HallTime, T)> {
        let (position, heard, _) = self.waiting.front()?;
        let is_old = *heard < self.cutoff;
        if !is_old && *position > self.through {
            return None;
        }
        self.early = !is_old;
        self.last = self.last.max(*heard);
        self.waiting.pop_front()
    }

    pub fn waiting(&self) -> impl DoubleEndedIterator<Item = &(u64, HallTime, T)> {
        self.waiting.iter()
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
        line.let_go(3);
        line.let_go(2);
        assert_eq!(released(&mut line, 5), [1, 2, 3]);
        assert_eq!(line.shift(), Millis::ZERO);
        assert_eq!(released(&mut line, 1005), [4]);
        assert_eq!(line.shift(), Millis(1000));
    }
}
