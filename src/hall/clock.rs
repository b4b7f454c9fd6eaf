//! The hall's one clock: hall time as a mapping of the machine's clocks.
//!
//! Each start of the hub writes a mapping to the journal, so that hall time goes on over a restart, the downtime included,
//! and over a change of speed. While the hub runs, hall time follows the monotonic clock only: a corrected wall clock
//! moves nobody's time. Hall time never goes back.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::time::{HallTime, Millis};

/// How hall time was tied to the wall clock at one start of the hub; the payload of a journal entry.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mapping {
    /// Milliseconds since 1970.
    pub wall_ms: i64,
    /// Hall time then.
    pub hall: HallTime,
    /// Hall seconds in one real second.
    pub speed: f64,
}

impl Mapping {
    /// The first of a hall whose journal is begun now.
    pub fn first(wall_ms: i64, speed: f64) -> Mapping {
        Mapping {
            wall_ms,
            hall: HallTime(0),
            speed,
        }
    }

    /// Hall time at this wall time.
    pub fn hall_at(&self, wall_ms: i64) -> HallTime {
        self.hall + Millis(scaled(wall_ms.saturating_sub(self.wall_ms), self.speed))
    }

    /// The mapping of the next start: hall time has gone on since, at the old speed, and goes on at `speed`. It never begins
    /// before `heard`, the latest hall time in the journal, even if the wall clock was set back meanwhile.
    #[must_use]
    pub fn next(&self, wall_ms: i64, speed: f64, heard: HallTime) -> Mapping {
        Mapping {
            wall_ms,
            hall: self.hall_at(wall_ms).max(heard).max(self.hall),
            speed,
        }
    }
}

fn scaled(ms: i64, speed: f64) -> i64 {
    // Exact for a speed of 1, and for every span a hall can last.
    (ms as f64 * speed).round() as i64
}

/// Hall time while the hub runs.
#[derive(Clone, Copy, Debug)]
pub struct HallClock {
    mapping: Mapping,
    started: Instant,
}

impl HallClock {
    /// Hall time as this mapping says, from now on.
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    pub fn start(mapping: Mapping) -> HallClock {
        HallClock {
            mapping,
            started: Instant::now(),
        }
    }

    /// What was written to the journal.
    pub fn mapping(&self) -> Mapping {
        self.mapping
    }

    /// Hall seconds in one real second.
    pub fn speed(&self) -> f64 {
        self.mapping.speed
    }

    /// Hall time now.
    pub fn now(&self) -> HallTime {
        let ms = self.started.elapsed().as_micros() as f64 / 1000.0 * self.mapping.speed;
        // Rounded down: an alarm that waits for a moment finds that it has come.
        self.mapping.hall + Millis(ms.floor() as i64)
    }

    /// The real time until then; zero when it has passed.
    pub fn until(&self, then: HallTime) -> Duration {
        let ahead = then.0.saturating_sub(self.now().0);
        if ahead <= 0 {
            return Duration::ZERO;
        }
        // A century is for ever.
        Duration::from_secs_f64((ahead as f64 / self.mapping.speed / 1000.0).clamp(0.000_1, 3.2e9))
    }

    /// A span of real time in hall time: for network latencies, which stay real at any speed.
    pub fn span(&self, real: Duration) -> Millis {
        Millis((real.as_secs_f64() * 1000.0 * self.mapping.speed).ceil() as i64)
    }
}

/// Milliseconds since 1970, for records and for going on over a restart only.
pub fn wall_ms() -> i64 {
    wall_now().as_millisecond()
}

/// The wall clock's time: for what has a date, as certificates and tokens have.
#[expect(clippy::disallowed_methods, reason = "the one look at the wall clock")]
pub fn wall_now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hall_time_goes_on_over_a_restart_and_a_change_of_speed_and_never_back() {
        let first = Mapping::first(1_000_000, 1.0);
        let second = first.next(1_060_000, 60.0, HallTime(59_000));
        assert_eq!(second.hall, HallTime(60_000), "the downtime counts");
        let third = second.next(1_061_000, 1.0, HallTime(0));
        assert_eq!(third.hall, HallTime(120_000), "a second at speed 60");
        let set_back = third.next(5_000, 1.0, HallTime(125_000));
        assert_eq!(set_back.hall, HallTime(125_000));
        assert_eq!(set_back.next(4_000, 1.0, HallTime(0)).hall, HallTime(125_000));
    }

    #[test]
    fn a_running_clock_runs_at_its_speed() {
        let clock = HallClock::start(Mapping {
            wall_ms: 0,
            hall: HallTime(500),
            speed: 1000.0,
        });
        std::thread::sleep(Duration::from_millis(3));
        assert!(clock.now() >= HallTime(3_500));
        assert!(clock.until(clock.now() + Millis::mins(1)) <= Duration::from_millis(60));
        assert_eq!(clock.until(HallTime(0)), Duration::ZERO);
        assert_eq!(clock.span(Duration::from_millis(2)), Millis(2000));
    }
}
