//! Time controls (6.3): periods and what each move adds.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::span;
use crate::time::Millis;

/// All periods of a game, the same for both players: `40/90m+30s,30m+30s`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControl {
    periods: Vec<Period>,
}

/// One period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Moves to be completed in it; the last period has none (6.3.1).
    pub moves: Option<u32>,
    /// Main time.
    pub time: Millis,
    /// What a move adds or is spared.
    pub bonus: Bonus,
}

/// What each move adds or is spared (6.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bonus {
    /// Nothing.
    None,
    /// Cumulative, Fischer: added at the press.
    Increment(Millis),
    /// Simple delay: the main time waits for so long on every move.
    Delay(Millis),
    /// Bronstein: what was used is given back at the press, up to this.
    Bronstein(Millis),
}

/// Why a time control cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("time control {control:?}, period {period}: {why}")]
pub struct NoTimeControl {
    /// The whole text.
    pub control: String,
    /// Which period, from 1.
    pub period: usize,
    /// What is wrong with it.
    pub why: String,
}

/// More periods than any regulations have.
const MOST_PERIODS: usize = 8;

impl TimeControl {
    /// The periods in order; never none.
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// The period of this index, or the last one where there are not so many.
    pub fn period(&self, index: u32) -> &Period {
        let last = self.periods.len() - 1;
        &self.periods[(index as usize).min(last)]
    }

    /// Whether no period follows this one.
    pub fn is_last(&self, index: u32) -> bool {
        index as usize + 1 >= self.periods.len()
    }

    /// How many moves a player must have completed, counted from the first move of the game, by the end of this period;
    /// `None` in the last one.
    pub fn moves_required(&self, index: u32) -> Option<u32> {
        if self.is_last(index) {
            return None;
        }
        Some(
            self.periods[..=index as usize]
                .iter()
                .filter_map(|period| period.moves)
                .sum(),
        )
    }

    /// How many periods are behind whoever has completed so many moves, where they end with the moves.
    pub fn periods_behind(&self, completed: u32) -> u32 {
        (0..)
            .take_while(|&period| self.moves_required(period).is_some_and(|moves| moves <= completed))
            .count() as u32
    }

    /// As PGN and TRF26 code it, in seconds: `40/6000+30:900+30`. They have no form for a simple delay or Bronstein: only the main
    /// time is told then.
    pub fn coded(&self) -> String {
        let periods = self.periods.iter().map(|period| {
            let moves = period.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
            let bonus = match period.bonus {
                Bonus::Increment(span) => format!("+{}", span.0 / 1000),
                Bonus::None | Bonus::Delay(_) | Bonus::Bronstein(_) => String::new(),
            };
            format!("{moves}{}{bonus}", period.time.0 / 1000)
        });
        periods.collect::<Vec<_>>().join(":")
    }

    /// What a clock shows at the start.
    pub fn start(&self, first_increment: bool) -> Millis {
        let first = self.period(0);
        match first.bonus {
            Bonus::Increment(bonus) | Bonus::Bronstein(bonus) if first_increment => first.time + bonus,
            _ => first.time,
        }
    }
}

impl Bonus {
    /// How much a move adds or spares at most.
    pub fn span(self) -> Millis {
        match self {
            Bonus::None => Millis::ZERO,
            Bonus::Increment(span) | Bonus::Delay(span) | Bonus::Bronstein(span) => span,
        }
    }

    /// The span for which the main time waits.
    pub fn delay(self) -> Millis {
        match self {
            Bonus::Delay(span) => span,
            _ => Millis::ZERO,
        }
    }
}

impl FromStr for TimeControl {
    type Err = NoTimeControl;

    fn from_str(text: &str) -> Result<TimeControl, NoTimeControl> {
        let parts: Vec<&str> = text.split(',').collect();
        let no = |period: usize, why: String| NoTimeControl {
            control: text.to_owned(),
            period,
            why,
        };
        if parts.len() > MOST_PERIODS {
            return Err(no(MOST_PERIODS + 1, format!("more than {MOST_PERIODS} periods")));
        }
        let mut periods = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            let period = parse_period(part.trim()).map_err(|why| no(at + 1, why))?;
            let last = at + 1 == parts.len();
            if !last && period.moves.is_none() {
                return Err(no(
                    at + 1,
                    "a period with another after it needs its number of moves: 40/90m".to_owned(),
                ));
            }
            if last && period.moves.is_some() {
                return Err(no(at + 1, "the last period has no number of moves (6.3.1)".to_owned()));
            }
            periods.push(period);
        }
        Ok(TimeControl { periods })
    }
}

fn parse_period(text: &str) -> Result<Period, String> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => {
            let count = moves.parse::<u32>().ok().filter(|count| (1..=1000).contains(count));
            (
                Some(count.ok_or_else(|| format!("{moves:?} is no number of moves"))?),
                rest,
            )
        }
        None => (None, text),
    };
    let span = |text: &str| span::parse(text).map_err(|no| no.to_string());
    let (time, bonus) = match rest.find(['+', 'd', 'b']) {
        None => (span(rest)?, Bonus::None),
        Some(at) => {
            let (time, bonus) = rest.split_at(at);
            let amount = span(&bonus[1..])?;
            let bonus = match (bonus.as_bytes()[0], amount) {
                (_, Millis::ZERO) => Bonus::None,
                (b'+', amount) => Bonus::Increment(amount),
                (b'd', amount) => Bonus::Delay(amount),
                (_, amount) => Bonus::Bronstein(amount),
            };
            (span(time)?, bonus)
        }
    };
    if time == Millis::ZERO {
        return Err("a period has some time".to_owned());
    }
    Ok(Period { moves, time, bonus })
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, period) in self.periods.iter().enumerate() {
            if at > 0 {
                f.write_str(",")?;
            }
            write!(f, "{period}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        f.write_str(&span::print(self.time))?;
        match self.bonus {
            Bonus::None => Ok(()),
            Bonus::Increment(bonus) => write!(f, "+{}", span::print(bonus)),
            Bonus::Delay(bonus) => write!(f, "d{}", span::print(bonus)),
            Bonus::Bronstein(bonus) => write!(f, "b{}", span::print(bonus)),
        }
    }
}

impl TryFrom<String> for TimeControl {
    type Error = NoTimeControl;

    fn try_from(text: String) -> Result<TimeControl, NoTimeControl> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_written_again() {
        for text in [
            "40/90m+30s,30m+30s",
            "90m+30s",
            "3m+2s",
            "5m",
            "15md10s",
            "5mb3s",
            "40/100m+30s,20/50m+30s,15m+30s",
            "2h",
        ] {
            let control: TimeControl = text.parse().expect(text);
            assert_eq!(control.to_string(), text);
        }
    }

    #[test]
    fn what_cannot_be_read_says_where_and_why() {
        let why = |text: &str| text.parse::<TimeControl>().expect_err(text).to_string();
        assert!(why("90m,30m").contains("period 1") && why("90m,30m").contains("needs its number of moves"));
        assert!(why("40/90m").contains("the last period has no number of moves"));
        assert!(why("40/90m,x").contains("period 2"));
        assert!(why("0").contains("some time"));
        assert!(why("3m+2").contains("unit"));
    }

    #[test]
    fn the_first_increment_is_on_the_clock_at_the_start() {
        let start = |text: &str| text.parse::<TimeControl>().expect(text).start(true);
        assert_eq!(start("90m+30s"), Millis::secs(5430));
        assert_eq!(start("5mb3s"), Millis::secs(303));
        assert_eq!(start("15md10s"), Millis::mins(15));
    }

    #[test]
    fn moves_are_required_from_the_first_move_of_the_game() {
        let control: TimeControl = "40/100m,20/50m,15m".parse().expect("a control");
        assert_eq!(
            [0, 1, 2, 3].map(|p| control.moves_required(p)),
            [Some(40), Some(60), None, None]
        );
    }
}
