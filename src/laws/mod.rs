//! The Laws of Chess of FIDE, 2023, as far as they are rules about time, offences and results: time controls and clocks,
//! categories, penalties, claims and endings. Articles are named as the Laws number them.
//!
//! A pure floor: no I/O, no clock of its own, no async, no randomness.

pub mod article;
pub mod category;
pub mod clock;
pub mod ending;
pub mod enforcement;
pub mod open_points;
pub mod penalty;
pub mod span;
pub mod time_control;

pub use category::{Category, Supervision};
pub use clock::{Clock, PeriodRule, Zero};
pub use ending::{GameResult, Termination};
pub use enforcement::{Enforced, Enforcement, Finding};
pub use open_points::{OpenPoint, OpenPoints};
pub use time_control::{Bonus, Period, TimeControl};
