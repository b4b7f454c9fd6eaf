//! Standard, rapid and blitz (A.1, B.1), and how the games are supervised (A.4, A.5, B.2, B.3).

use serde::{Deserialize, Serialize};

use super::TimeControl;

/// What kind of chess it is: it decides penalties and what an arbiter may do unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// Sixty minutes or more a player, counted for sixty moves.
    Standard,
    /// More than ten minutes and less than sixty (A.1).
    Rapid,
    /// Ten minutes or less (B.1).
    Blitz,
}

/// How rapid and blitz are supervised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Supervision {
    /// A.5, B.3: what is not claimed or seen before the next move stands.
    #[default]
    Limited,
    /// A.4, B.2: the Competition Rules apply as in standard chess.
    Adequate,
}

impl Category {
    /// The category of a time control: all main time and sixty times what a move adds or is spared (A.1, B.1).
    pub fn of(control: &TimeControl) -> Category {
        let main: i64 = control.periods().iter().map(|period| period.time.0).sum();
        // What sixty moves add, each in the period in which it is made.
        let mut moves = 60;
        let mut added: i64 = 0;
        for period in control.periods() {
            let here = period.moves.map_or(moves, |wanted| i64::from(wanted).min(moves));
            moves -= here;
            added = added.saturating_add(period.bonus.span().0.saturating_mul(here));
        }
        match main.saturating_add(added) {
            total if total >= 60 * 60_000 => Category::Standard,
            total if total > 10 * 60_000 => Category::Rapid,
            _ => Category::Blitz,
        }
    }

    /// `standard`, `rapid` or `blitz`.
    pub fn name(self) -> &'static str {
        match self {
            Category::Standard => "standard",
            Category::Rapid => "rapid",
            Category::Blitz => "blitz",
        }
    }
}

/// Whether A.5 (B.3) governs: what the opponent does not claim, and the arbiter does not see, before the next move is made
/// stands. Never in standard chess.
pub fn limited(category: Category, supervision: Supervision) -> bool {
    category != Category::Standard && supervision == Supervision::Limited
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_borders_are_where_the_laws_put_them() {
        let of = |text: &str| Category::of(&text.parse().expect(text));
        assert_eq!(of("30m+30s"), Category::Standard);
        assert_eq!(of("50m+10s"), Category::Standard);
        assert_eq!(of("10m+5s"), Category::Rapid);
        assert_eq!(of("5m+5s"), Category::Blitz);
        assert_eq!(of("7m+3s"), Category::Blitz);
        assert_eq!(of("15md10s"), Category::Rapid);
        assert_eq!(of("40/90m+30s,30m+30s"), Category::Standard);
        assert_eq!(of("1h"), Category::Standard);
        assert_eq!(of("59m59s"), Category::Rapid);
        assert_eq!(of("10m"), Category::Blitz);
        assert_eq!(of("10m1s"), Category::Rapid);
        assert_eq!(of("3mb2s"), Category::Blitz);
        assert_eq!(of("30mb30s"), Category::Standard);
        // The increment of the second period is there for its own twenty moves.
        assert_eq!(of("40/5m,2m+10s"), Category::Rapid);
        assert_eq!(of("40/5m,1m+10s"), Category::Blitz);
    }
}
