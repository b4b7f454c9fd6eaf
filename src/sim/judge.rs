//! Compares what was recorded with the plan.

use serde::Serialize;

use crate::api::proto::arbiter::v1::Game as Recorded;

use super::plan::{Ending, Game, index};
use super::table::BoardKind;

/// What differs in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Half-moves in the record.
    pub recorded: usize,
    /// The moves are others.
    pub san_differs: bool,
    /// Presses after which the clock was off by a millisecond or more, or that came at another time after the one before.
    pub presses_differ: usize,
    /// The result is another.
    pub result_differs: bool,
    /// Half-moves more than planned.
    pub too_many: usize,
    /// For people: what, and what was planned; the first few.
    pub details: Vec<String>,
}

impl Verdict {
    /// Everything is as planned.
    pub fn holds(&self) -> bool {
        !self.san_differs && self.presses_differ == 0 && !self.result_differs
    }

    fn say(&mut self, what: String) {
        if self.details.len() < 5 {
            self.details.push(what);
        }
    }
}

/// Check marks are not part of the move.
fn bare(san: &str) -> &str {
    san.trim_end_matches(['+', '#'])
}

/// Judges the record of one game.
pub fn judge(plan: &Game, board: BoardKind, recorded: &Recorded) -> Verdict {
    let mut verdict = Verdict::default();
    if recorded.result != plan.result {
        verdict.result_differs = true;
        verdict.say(format!("result {}, planned {}", recorded.result, plan.result));
    }
    if board == BoardKind::None {
        judge_presses(plan, recorded, &mut verdict);
        return verdict;
    }
    verdict.recorded = recorded.moves.len();
    verdict.too_many = recorded.moves.len().saturating_sub(plan.turns.len());
    if recorded.moves.len() != plan.turns.len() {
        verdict.san_differs = true;
        verdict.say(format!(
            "{} half-moves, planned {}",
            recorded.moves.len(),
            plan.turns.len()
        ));
    }
    for (at, (turn, mv)) in plan.turns.iter().zip(&recorded.moves).enumerate() {
        let place = format!("half-move {} ({})", at + 1, turn.san);
        if bare(&mv.san) != turn.san || mv.uci != turn.uci {
            verdict.san_differs = true;
            verdict.say(format!(
                "{place}: recorded {} ({}), planned {}",
                mv.san, mv.uci, turn.uci
            ));
            // What follows cannot be compared any more.
            break;
        }
        let shows = turn.shows_ms[index(turn.by)];
        // A game that has ended by itself takes no press: whether one came is not in its record.
        let ends = at + 1 == plan.turns.len() && matches!(plan.ending, Ending::OnTheBoard(_));
        match mv.clock_ms {
            Some(ms) if ms == shows => {}
            None if ends => {}
            other => {
                verdict.presses_differ += 1;
                let other = other.map_or_else(|| "no time".to_owned(), |ms| format!("{ms} ms"));
                verdict.say(format!("{place}: the clock shows {other}, planned {shows} ms"));
                continue;
            }
        }
        let apart = at.checked_sub(1).map(|before| mv.at_ms - recorded.moves[before].at_ms);
        // Where the clocks were stopped in between, the presses are further apart than anybody thought.
        if let Some(apart) = apart.filter(|_| turn.call.is_none() && !ends)
            && apart != turn.think_ms
        {
            verdict.presses_differ += 1;
            verdict.say(format!(
                "{place}: pressed {apart} ms after the press before, planned {}",
                turn.think_ms
            ));
        }
    }
    verdict
}

/// Without a board only the presses are known, and what the clocks show at the end.
fn judge_presses(plan: &Game, recorded: &Recorded, verdict: &mut Verdict) {
    let completed = (recorded.completed_white + recorded.completed_black) as usize;
    verdict.recorded = completed;
    verdict.too_many = completed.saturating_sub(plan.turns.len());
    if completed != plan.turns.len() {
        verdict.presses_differ += completed.abs_diff(plan.turns.len());
        verdict.say(format!("{completed} presses, planned {}", plan.turns.len()));
        return;
    }
    let (Some(clocks), Some(last)) = (&recorded.clocks, plan.turns.last()) else {
        return;
    };
    let mut left = last.shows_ms;
    match plan.ending {
        Ending::Decided { after_ms } | Ending::Flag { after_ms, .. } => left[index(last.by.other())] -= after_ms,
        Ending::OnTheBoard(_) | Ending::Unplayed => return,
    }
    if [clocks.white_ms, clocks.black_ms] != left {
        verdict.presses_differ += 1;
        verdict.say(format!(
            "at the end {} and {} ms, planned {left:?}",
            clocks.white_ms, clocks.black_ms
        ));
    }
}

/// Press-to-feed latency in ms of real time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Latency {
    /// Half of them were quicker.
    pub p50: f64,
    /// All but one in a hundred.
    pub p99: f64,
    /// The slowest.
    pub max: f64,
}

impl Latency {
    /// Of these, in microseconds.
    pub fn of(micros: &[u64]) -> Latency {
        let mut sorted = micros.to_vec();
        sorted.sort_unstable();
        let at = |part: usize| {
            let rank = (sorted.len() * part).div_ceil(1000).saturating_sub(1);
            sorted.get(rank).map_or(0.0, |us| *us as f64 / 1000.0)
        };
        Latency {
            p50: at(500),
            p99: at(990),
            max: at(1000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::proto::feed::v1::Move;
    use crate::sim::{pgn, plan};

    fn planned() -> Game {
        let text = "[Result \"1-0\"]\n\n1. e4 {[%clk 0:05:05]} {[%emt 0:00:01]} e5 {[%clk 0:05:04]} {[%emt 0:00:02]} 2. Nf3 {[%clk 0:05:06]} 1-0";
        plan::plan(&pgn::read("t", text.as_bytes()).expect("reads"), 1).remove(0)
    }

    fn as_planned(game: &Game) -> Recorded {
        let mut at = 1000;
        let moves = game.turns.iter().map(|turn| {
            at += turn.think_ms;
            Move {
                san: format!("{}+", turn.san),
                uci: turn.uci.clone(),
                clock_ms: Some(turn.shows_ms[index(turn.by)]),
                at_ms: at,
                promotion_unconfirmed: false,
            }
        });
        Recorded {
            moves: moves.collect(),
            result: game.result.clone(),
            ..Recorded::default()
        }
    }

    #[test]
    fn a_record_as_planned_holds_and_a_millisecond_is_seen() {
        let game = planned();
        let good = as_planned(&game);
        assert!(judge(&game, BoardKind::Pieces, &good).holds());

        let mut clock = good.clone();
        clock.moves[1].clock_ms = clock.moves[1].clock_ms.map(|ms| ms + 1);
        assert_eq!(judge(&game, BoardKind::Pieces, &clock).presses_differ, 1);

        let mut late = good.clone();
        late.moves[2].at_ms += 1;
        assert_eq!(judge(&game, BoardKind::Pieces, &late).presses_differ, 1);
    }

    #[test]
    fn another_move_a_missing_one_one_too_many_and_another_result_are_seen() {
        let game = planned();
        let good = as_planned(&game);
        let mut other = good.clone();
        other.moves[2].san = "Nc3".into();
        assert!(judge(&game, BoardKind::Pieces, &other).san_differs);
        let mut short = good.clone();
        short.moves.pop();
        assert!(judge(&game, BoardKind::Pieces, &short).san_differs);
        let mut long = good.clone();
        long.moves.push(Move::default());
        assert_eq!(judge(&game, BoardKind::Pieces, &long).too_many, 1);
        let mut lost = good;
        lost.result = "*".into();
        assert!(judge(&game, BoardKind::Pieces, &lost).result_differs);
    }

    #[test]
    fn percentiles_are_those_of_the_slowest_among_so_many() {
        let all: Vec<u64> = (1..=1000).map(|ms| ms * 1000).rev().collect();
        assert_eq!(
            Latency::of(&all),
            Latency {
                p50: 500.0,
                p99: 990.0,
                max: 1000.0
            }
        );
        assert_eq!(Latency::of(&[]), Latency::default());
    }
}
