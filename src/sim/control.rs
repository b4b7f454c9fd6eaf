//! Which time control a game was played with, told from its first clock comments: the tag of such files is no machine value.

use super::pgn::Score;

/// A time control as the simulated clocks and the plan understand it: periods with one increment throughout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// The first period's time.
    pub first_ms: i64,
    /// Added at every press, and once before the start.
    pub increment_ms: i64,
    /// The second period: the press of this move adds so much to the mover's own clock.
    pub second: Option<(u32, i64)>,
}

impl Control {
    const fn of(first_min: i64, increment_s: i64, second: Option<(u32, i64)>) -> Control {
        let second = match second {
            Some((moves, minutes)) => Some((moves, minutes * 60_000)),
            None => None,
        };
        Control {
            first_ms: first_min * 60_000,
            increment_ms: increment_s * 1000,
            second,
        }
    }

    /// In the notation of the hub: `40/90m+30s,30m+30s`.
    pub fn notation(&self) -> String {
        let bonus = match self.increment_ms {
            0 => String::new(),
            ms => format!("+{}", span(ms)),
        };
        match self.second {
            None => format!("{}{bonus}", span(self.first_ms)),
            Some((moves, more)) => format!("{moves}/{}{bonus},{}{bonus}", span(self.first_ms), span(more)),
        }
    }

    /// What both clocks show before the start.
    pub fn start_ms(&self) -> i64 {
        self.first_ms + self.increment_ms
    }
}

fn span(ms: i64) -> String {
    match (ms % 60_000, ms % 1000) {
        (0, _) => format!("{}m", ms / 60_000),
        (_, 0) => format!("{}s", ms / 1000),
        _ => format!("{ms}ms"),
    }
}

/// How a game's control was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToldBy {
    /// First clock + first time spent.
    ClockAndSpent,
    /// The first clock alone: the smallest control that it fits into.
    Clock,
    /// Another game of the same day's board number range (the part of the Round tag before the dot).
    Round,
    /// Nothing told it: the longest is taken, which no player can overstep.
    Nothing,
}

/// The controls in use over the board, shortest first.
pub const KNOWN: [Control; 9] = [
    Control::of(3, 2, None),
    Control::of(5, 3, None),
    Control::of(10, 5, None),
    Control::of(10, 10, None),
    Control::of(15, 10, None),
    Control::of(25, 10, None),
    Control::of(45, 15, None),
    Control::of(60, 30, None),
    Control::of(90, 30, Some((40, 30))),
];

/// A first clock and time spent may be off by so many seconds together: both are cut to whole ones, and now and then the first
/// press of a side came late or twice.
const TOLERANCE_S: i64 = 20;

/// Tells each game's control. First clock + first time spent is the base and *two* increments: the clocks start at the base and
/// one increment, and the press adds one more.
pub fn tell(games: &[Score]) -> Vec<(Control, ToldBy)> {
    let own: Vec<Option<(Control, ToldBy)>> = games.iter().map(tell_one).collect();
    let day = |round: &str| round.split_once('.').map_or(round, |(day, _)| day).to_owned();
    games
        .iter()
        .zip(&own)
        .map(|(game, told)| {
            told.or_else(|| {
                let same_day = games
                    .iter()
                    .zip(&own)
                    .filter(|(other, _)| day(&other.round) == day(&game.round));
                let mut controls: Vec<Control> = same_day.filter_map(|(_, told)| Some((*told)?.0)).collect();
                controls.sort_by_key(|control| (control.first_ms, control.increment_ms));
                let most = controls.chunk_by(|a, b| a == b).max_by_key(|same| same.len())?;
                Some((*most.first()?, ToldBy::Round))
            })
            .unwrap_or((KNOWN[KNOWN.len() - 1], ToldBy::Nothing))
        })
        .collect()
}

fn tell_one(game: &Score) -> Option<(Control, ToldBy)> {
    let firsts = &game.plies[..game.plies.len().min(2)];
    let sum_of = |control: &Control| (control.first_ms + 2 * control.increment_ms) / 1000;
    let sums = firsts
        .iter()
        .filter_map(|ply| Some(i64::from(ply.clk?) + i64::from(ply.emt?)));
    let near = sums.flat_map(|sum| KNOWN.map(|control| ((sum_of(&control) - sum).abs(), control)));
    if let Some((off, control)) = near.min_by_key(|(off, _)| *off)
        && off <= TOLERANCE_S
    {
        return Some((control, ToldBy::ClockAndSpent));
    }
    let most = firsts.iter().filter_map(|ply| ply.clk).max()?;
    let control = KNOWN
        .into_iter()
        .find(|control| sum_of(control) + 2 >= i64::from(most))?;
    Some((control, ToldBy::Clock))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::pgn;

    fn told(movetext: &str) -> (String, ToldBy) {
        let games = pgn::read("t", format!("[Round \"1.1\"]\n\n{movetext} *\n").as_bytes()).expect("reads");
        let (control, by) = tell(&games)[0];
        (control.notation(), by)
    }

    #[test]
    fn first_clock_and_time_spent_are_the_base_and_two_increments() {
        let by = ToldBy::ClockAndSpent;
        assert_eq!(
            told("1. e4 {[%clk 1:30:50]} {[%emt 0:00:10]}"),
            ("40/90m+30s,30m+30s".to_owned(), by)
        );
        assert_eq!(
            told("1. e4 {[%clk 0:15:18]} {[%emt 0:00:02]}"),
            ("15m+10s".to_owned(), by)
        );
        assert_eq!(
            told("1. e4 {[%clk 0:10:16]} {[%emt 0:00:05]}"),
            ("10m+10s".to_owned(), by)
        );
        assert_eq!(
            told("1. e4 {[%clk 0:05:05]} {[%emt 0:00:01]}"),
            ("5m+3s".to_owned(), by)
        );
        assert_eq!(
            told("1. e4 {[%clk 0:03:01]} {[%emt 0:00:02]}"),
            ("3m+2s".to_owned(), by)
        );
        assert_eq!(
            told("1. e4 e5 {[%clk 0:15:18]} {[%emt 0:00:02]}"),
            ("15m+10s".to_owned(), by)
        );
    }

    #[test]
    fn without_a_time_spent_the_smallest_control_that_fits_is_taken() {
        assert_eq!(told("1. e4 {[%clk 0:15:02]}"), ("15m+10s".to_owned(), ToldBy::Clock));
        assert_eq!(told("1. e4"), ("40/90m+30s,30m+30s".to_owned(), ToldBy::Nothing));
    }

    #[test]
    fn a_game_without_any_time_is_told_by_the_others_of_its_day() {
        let text = "[Round \"4.1\"]\n\n1. e4 {[%clk 0:15:18]} {[%emt 0:00:02]} *\n\n[Round \"4.2\"]\n\n1. d4 1-0\n\n[Round \"5.1\"]\n\n1. c4 {[%clk \
            0:10:16]} {[%emt 0:00:05]} *\n";
        let told = tell(&pgn::read("t", text.as_bytes()).expect("reads"));
        assert_eq!(told[1].0.notation(), "15m+10s");
        assert_eq!(told[1].1, ToldBy::Round);
    }
}
