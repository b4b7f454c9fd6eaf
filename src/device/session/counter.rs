//! A millisecond counter that wraps, told as one that does not.

use crate::time::DeviceTime;

/// Unwraps one boot's counter: a value is the one nearest to the latest known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    bits: u32,
    latest: Option<DeviceTime>,
}

impl Counter {
    pub(super) fn new(bits: u32, latest: Option<DeviceTime>) -> Counter {
        Counter { bits, latest }
    }

    pub(super) fn bits(&self) -> u32 {
        self.bits
    }

    /// What a restarted session needs.
    pub(super) fn kept(&self) -> Option<(DeviceTime, u32)> {
        self.latest.map(|latest| (latest, self.bits))
    }

    /// One more than its largest value; `None` where it never wraps.
    fn period(&self) -> Option<i64> {
        (1..=53).contains(&self.bits).then(|| 1 << self.bits)
    }

    /// The full value of a reading taken now.
    pub(super) fn now(&mut self, raw: DeviceTime) -> DeviceTime {
        let full = self.near(raw);
        self.latest = Some(self.latest.map_or(full, |latest| latest.max(full)));
        full
    }

    /// The full value of a reading that may be old, and is no news of the present.
    pub(super) fn near(&self, raw: DeviceTime) -> DeviceTime {
        let (Some(period), Some(latest)) = (self.period(), self.latest) else {
            return raw;
        };
        let (raw, latest) = (raw.0 as i64 % period, latest.0 as i64);
        let ahead = (raw - latest).rem_euclid(period);
        let full = if ahead <= period / 2 {
            latest + ahead
        } else {
            latest + ahead - period
        };
        DeviceTime(if full < 0 { full + period } else { full } as u64)
    }

    /// The full value of a reading taken before another, itself already full.
    pub(super) fn before(&self, raw: DeviceTime, later_raw: DeviceTime, later: DeviceTime) -> DeviceTime {
        let Some(period) = self.period() else { return raw };
        let back = (later_raw.0 as i64 - raw.0 as i64).rem_euclid(period);
        // A reading from before this boot's zero would be one after the other: taken as it stands.
        if back > later.0 as i64 {
            self.near(raw)
        } else {
            DeviceTime(later.0 - back as u64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrap_is_passed_in_both_directions() {
        let mut counter = Counter::new(32, None);
        let top = 1_u64 << 32;
        assert_eq!(counter.now(DeviceTime(top - 10)), DeviceTime(top - 10));
        assert_eq!(counter.now(DeviceTime(5)), DeviceTime(top + 5));
        assert_eq!(counter.near(DeviceTime(top - 3)), DeviceTime(top - 3));
        assert_eq!(counter.now(DeviceTime(top - 3)), DeviceTime(top - 3));
        assert_eq!(counter.now(DeviceTime(8)), DeviceTime(top + 8));
        assert_eq!(
            counter.before(DeviceTime(top - 100), DeviceTime(8), DeviceTime(top + 8)),
            DeviceTime(top - 100)
        );
    }

    #[test]
    fn a_counter_that_never_wraps_is_taken_as_it_stands() {
        let mut counter = Counter::new(0, None);
        assert_eq!(counter.now(DeviceTime(1 << 40)), DeviceTime(1 << 40));
        assert_eq!(counter.now(DeviceTime(5)), DeviceTime(5));
    }

    #[test]
    fn many_wraps_add_up() {
        let mut counter = Counter::new(16, None);
        let mut truth = 0_u64;
        for _ in 0..1000 {
            truth += 9_973;
            assert_eq!(counter.now(DeviceTime(truth % 65_536)), DeviceTime(truth));
        }
    }
}
