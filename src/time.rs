//! The two kinds of time, which must never be mixed up: hall time and device time; and spans of either.
//!
//! Pure numbers: nothing here reads a clock.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

/// A span in milliseconds; may be negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Millis {
    /// No time at all.
    pub const ZERO: Millis = Millis(0);

    /// So many whole seconds.
    pub const fn secs(secs: i64) -> Millis {
        Millis(secs * 1000)
    }

    /// So many whole minutes.
    pub const fn mins(mins: i64) -> Millis {
        Millis(mins * 60_000)
    }

    /// The same span, or zero where it is negative.
    #[must_use]
    pub fn at_least_zero(self) -> Millis {
        Millis(self.0.max(0))
    }
}

/// Hall time: milliseconds on the hall's one clock, counted from when the hall's journal was begun. It goes on over restarts
/// and runs at the hall's speed. *Table time*, the time an input belongs to, is hall time too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HallTime(pub i64);

/// Device time: milliseconds of one device's own counter within one boot. Only differences mean anything.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DeviceTime(pub u64);

macro_rules! moment {
    ($moment:ident, $inner:ty) => {
        impl Add<Millis> for $moment {
            type Output = $moment;
            fn add(self, span: Millis) -> $moment {
                $moment((self.0 as i64).saturating_add(span.0) as $inner)
            }
        }

        impl Sub<Millis> for $moment {
            type Output = $moment;
            fn sub(self, span: Millis) -> $moment {
                $moment((self.0 as i64).saturating_sub(span.0) as $inner)
            }
        }

        impl Sub for $moment {
            type Output = Millis;
            fn sub(self, earlier: $moment) -> Millis {
                Millis((self.0 as i64).saturating_sub(earlier.0 as i64))
            }
        }

        impl fmt::Debug for $moment {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "@{}ms", self.0)
            }
        }
    };
}

moment!(HallTime, i64);
moment!(DeviceTime, u64);

impl Add for Millis {
    type Output = Millis;
    fn add(self, other: Millis) -> Millis {
        Millis(self.0.saturating_add(other.0))
    }
}

impl Sub for Millis {
    type Output = Millis;
    fn sub(self, other: Millis) -> Millis {
        Millis(self.0.saturating_sub(other.0))
    }
}

impl Neg for Millis {
    type Output = Millis;
    fn neg(self) -> Millis {
        Millis(-self.0)
    }
}

impl AddAssign for Millis {
    fn add_assign(&mut self, other: Millis) {
        *self = *self + other;
    }
}

impl SubAssign for Millis {
    fn sub_assign(&mut self, other: Millis) {
        *self = *self - other;
    }
}

impl fmt::Debug for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}ms", self.0)
    }
}

/// As a clock shows it: `h:mm:ss`, with the fraction where there is one (`0:00:04.2`).
impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let ms = self.0.unsigned_abs();
        let (h, m, s, frac) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000);
        write!(f, "{sign}{h}:{m:02}:{s:02}")?;
        if frac == 0 {
            return Ok(());
        }
        write!(f, ".{}", format!("{frac:03}").trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_written_as_a_clock_shows_it() {
        assert_eq!(Millis(5_420_000).to_string(), "1:30:20");
        assert_eq!(Millis(4_200).to_string(), "0:00:04.2");
        assert_eq!(Millis(-30_000).to_string(), "-0:00:30");
    }
}
