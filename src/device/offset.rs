//! Between which bounds a boot's offset lies at any of its times, by the exchanges that were had with it.
//!
//! An exchange tells of its own moment. A counter runs fast or slow, so that its offset moves; how, any two exchanges bound. With both an
//! exchange tells of every moment, and the less the further from it. Everything is reckoned in the device's own time, in which a steady
//! counter's offset moves along a straight line.

use std::collections::VecDeque;

use crate::hall::report::{Exchange, KnownOffset, Slope};
use crate::time::{DeviceTime, Millis};

/// Exchanges that are looked at together, besides the oldest.
const WINDOW: usize = 16;
/// No counter is taken to run faster or slower than this as long as exchanges do not show it, in parts in a million; the worst that was
/// heard of runs 5 % slow.
const WORST_PPM: i64 = 60_000;
/// So much may a counter's rate change by itself, with heat and the battery.
const WANDER_PPM: i64 = 50;
/// Nothing is known of how it runs.
const ANY: Slope = Slope {
    least_ppm: -WORST_PPM,
    most_ppm: WORST_PPM,
};

impl Exchange {
    /// The likeliest offset.
    pub(super) fn middle(&self) -> Millis {
        Millis(self.low.0.midpoint(self.high.0))
    }

    /// Half of what is open, rounded up. A fast counter that took its time to answer leaves nothing.
    pub(super) fn open(&self) -> Millis {
        Millis((self.high.0 - self.low.0 + 1).max(0) / 2)
    }

    /// The device answered before it was asked, by more than any counter runs fast while it answers: its two times contradict each other.
    pub(super) fn is_impossible(&self) -> bool {
        let took = self.sent.0 as i64 - self.received.0 as i64;
        let fast = took.max(0).saturating_mul(WORST_PPM) / 1_000_000;
        self.high.0 + fast < self.low.0
    }

    /// How the offset has moved since an earlier one.
    fn slope_since(&self, earlier: &Exchange) -> Option<Slope> {
        let shortest = self.received.0 as i64 - earlier.sent.0 as i64;
        let longest = self.sent.0 as i64 - earlier.received.0 as i64;
        let ppm = |moved: Millis| moved.0.saturating_mul(1_000_000);
        (shortest > 0).then(|| Slope {
            least_ppm: ppm(self.low - earlier.high).div_euclid(shortest),
            most_ppm: -ppm(earlier.low - self.high).div_euclid(longest),
        })
    }

    /// The bounds at another moment, with an offset that moves so.
    fn at(&self, at: DeviceTime, slope: Slope) -> (Millis, Millis) {
        let moved = |since: DeviceTime, least: bool| {
            let over = at.0 as i64 - since.0 as i64;
            let ppm = if least == (over >= 0) {
                slope.least_ppm
            } else {
                slope.most_ppm
            };
            let moved = over.saturating_mul(ppm);
            Millis(if least {
                moved.div_euclid(1_000_000)
            } else {
                -(-moved).div_euclid(1_000_000)
            })
        };
        (
            self.low + moved(self.received, true),
            self.high + moved(self.sent, false),
        )
    }
}

impl Slope {
    fn and(self, other: Slope) -> Slope {
        Slope {
            least_ppm: self.least_ppm.max(other.least_ppm),
            most_ppm: self.most_ppm.min(other.most_ppm),
        }
    }

    /// No single rate, as far as it wanders by itself, lies between the bounds.
    fn is_contradictory(self) -> bool {
        self.least_ppm > self.most_ppm + 2 * WANDER_PPM
    }

    /// The same with what it may wander.
    fn wandering(self) -> Slope {
        let (low, high) = (self.least_ppm.min(self.most_ppm), self.least_ppm.max(self.most_ppm));
        Slope {
            least_ppm: low - WANDER_PPM,
            most_ppm: high + WANDER_PPM,
        }
    }
}

/// What is known of a boot's offset.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    /// The oldest that tells something, and the newest ones.
    exchanges: VecDeque<Exchange>,
    slope: Slope,
}

impl Bounds {
    /// Nothing.
    pub fn unknown() -> Bounds {
        Bounds {
            exchanges: VecDeque::new(),
            slope: ANY,
        }
    }

    /// What was kept.
    pub fn restore(known: KnownOffset) -> Bounds {
        Bounds {
            exchanges: VecDeque::from([known.exchange]),
            slope: known.slope,
        }
    }

    /// One more exchange. Where no steady counter explains all of them, it runs otherwise since one does not know when: then what was learned
    /// before tells nothing of how it runs now.
    pub fn learn(&mut self, exchange: Exchange) {
        let slopes = self
            .exchanges
            .iter()
            .filter_map(|earlier| exchange.slope_since(earlier));
        let slope = slopes.fold(self.slope, Slope::and);
        if slope.is_contradictory() {
            *self = Bounds {
                exchanges: VecDeque::from([exchange]),
                slope: ANY,
            };
            return;
        }
        self.slope = slope;
        self.exchanges.push_back(exchange);
        if self.exchanges.len() > WINDOW + 1 {
            // A long time between two tells most of how it runs, if neither leaves much open.
            let oldest = self.exchanges[0].open().0;
            let next = self.exchanges[1].open().0;
            self.exchanges.remove(if next * 2 < oldest { 0 } else { 1 });
        }
    }

    /// The least and the most that the offset was at that moment.
    pub fn within(&self, at: DeviceTime) -> Option<(Millis, Millis)> {
        let slope = self.slope.wandering();
        let newest = self.exchanges.back()?.at(at, slope);
        let (low, high) = self
            .exchanges
            .iter()
            .map(|exchange| exchange.at(at, slope))
            .fold(newest, |(low, high), (other_low, other_high)| {
                (low.max(other_low), high.min(other_high))
            });
        Some(if low <= high { (low, high) } else { newest })
    }

    /// How the offset moves, in parts in a million, where the exchanges show that it does; else 0.
    pub fn likely_ppm(&self) -> i64 {
        let Slope { least_ppm, most_ppm } = self.slope.wandering();
        if least_ppm > 0 || most_ppm < 0 {
            least_ppm.midpoint(most_ppm)
        } else {
            0
        }
    }

    /// The exchange that leaves least open of its own moment.
    pub fn closest(&self) -> Option<&Exchange> {
        self.exchanges.iter().min_by_key(|exchange| exchange.open())
    }

    /// What is best to be kept of it at that moment.
    pub fn known(&self, at: DeviceTime) -> Option<KnownOffset> {
        let slope = self.slope.wandering();
        let open = |exchange: &Exchange| {
            let (low, high) = exchange.at(at, slope);
            high - low
        };
        let exchange = *self.exchanges.iter().min_by_key(|exchange| open(exchange))?;
        Some(KnownOffset {
            exchange,
            slope: self.slope,
        })
    }
}
