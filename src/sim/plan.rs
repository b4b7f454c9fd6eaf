//! The truth: what ought to be recorded of each game, worked out from its score alone.
//!
//! Nothing here uses the hub's clock or game code. All of it is in terms of durations: how long a player's time runs before
//! he presses, and what his clock must show then. When a turn begins in hall time is the players' business.

use std::collections::HashSet;

use shakmaty::fen::{Epd, Fen};
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{Board, CastlingMode, Chess, Color, EnPassantMode, Move, Position, Role, Square};

use super::control::{self, Control, ToldBy};
use super::dice::Dice;
use super::pgn::{Name, Ply, Score};

/// One game as it is going to be played.
#[derive(Clone, Debug)]
pub struct Game {
    /// Where it is from.
    pub source: String,
    /// The `Site` tag.
    pub site: String,
    /// The `Date` tag.
    pub date: String,
    /// The `Round` tag.
    pub round: String,
    /// White.
    pub white: Name,
    /// Black.
    pub black: Name,
    /// Start, if not the usual one.
    pub fen: Option<String>,
    /// Its time control.
    pub control: Control,
    /// How that was found.
    pub told_by: ToldBy,
    /// The planned record.
    pub turns: Vec<Turn>,
    /// How it ends.
    pub ending: Ending,
    /// Kings put in the centre to show the result: no moves.
    pub kings: Vec<(Color, Square)>,
    /// Whether the kings are moved before an arbiter has come (as the score's phantom moves were) or after it.
    pub kings_first: bool,
    /// The result that must stand in the end.
    pub result: String,
    /// What the score says and nobody can play, in words.
    pub remarks: Vec<String>,
}

/// One half-move of the planned record.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Whose.
    pub by: Color,
    /// Without check marks.
    pub san: String,
    /// From-square, to-square, promotion.
    pub uci: String,
    /// The move.
    pub mv: Move,
    /// What stood on the board before it.
    pub board: Board,
    /// How long the mover's time runs before he presses.
    pub think_ms: i64,
    /// Whether he presses at all: a mate may end the game first.
    pub pressed: bool,
    /// What both clocks show after the press: White's, Black's.
    pub shows_ms: [i64; 2],
    /// What an arbiter corrects in the middle of it, the clocks stopped.
    pub call: Option<Call>,
}

/// The clocks are stopped and the arbiter is called to correct a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// After so much of the turn's running time.
    pub at_ms: i64,
    /// Whose time is wrong.
    pub side: Color,
    /// By how much.
    pub by_ms: i64,
}

/// How a game ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// By itself, at the last planned move: in the words of the hub's terminations.
    OnTheBoard(&'static str),
    /// The flag of the side to move falls after so much of its time; then the move of the score is made on the board.
    Flag {
        /// All the time it has.
        after_ms: i64,
        /// The move that came too late.
        late: Option<Move>,
    },
    /// The players stop the clocks so long after the last press; the arbiter enters the result.
    Decided {
        /// Running time of the side to move.
        after_ms: i64,
    },
    /// Nobody played: the arbiter enters the result.
    Unplayed,
}

/// Plans all games. The same seed gives the same plan.
pub fn plan(scores: &[Score], seed: u64) -> Vec<Game> {
    let dice = Dice::new(seed);
    let controls = control::tell(scores);
    scores
        .iter()
        .zip(controls)
        .enumerate()
        .map(|(number, (score, (control, told_by)))| {
            plan_game(score, control, told_by, &dice.fork("game", number as u64))
        })
        .collect()
}

impl Game {
    /// The same game without a board on the table: nobody but the arbiter knows how it ends.
    #[must_use]
    pub fn without_board(mut self) -> Game {
        if let Ending::OnTheBoard(_) = self.ending {
            self.ending = Ending::Decided { after_ms: 500 };
            for turn in &mut self.turns {
                turn.pressed = true;
            }
        }
        self.kings.clear();
        self
    }

    /// Only the first `plies` half-moves; the arbiter enters the score's result.
    #[must_use]
    pub fn until(mut self, plies: usize) -> Game {
        if plies < self.turns.len() {
            self.turns.truncate(plies);
            let left = self.left_to_mover();
            self.ending = if plies == 0 {
                Ending::Unplayed
            } else {
                Ending::Decided {
                    after_ms: (left / 2).min(800),
                }
            };
            self.kings.clear();
            if let Some(last) = self.turns.last_mut() {
                last.pressed = true;
            }
        }
        self
    }

    /// The time of the side to move after the last planned half-move.
    fn left_to_mover(&self) -> i64 {
        match self.turns.last() {
            None => self.control.start_ms(),
            Some(last) => last.shows_ms[index(last.by.other())],
        }
    }

    /// The start position.
    pub fn start(&self) -> Option<Chess> {
        start_of(self.fen.as_deref())
    }
}

/// White's place in a pair, or Black's.
pub fn index(side: Color) -> usize {
    match side {
        Color::White => 0,
        Color::Black => 1,
    }
}

fn start_of(fen: Option<&str>) -> Option<Chess> {
    match fen {
        None => Some(Chess::default()),
        Some(text) => text.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok(),
    }
}

/// What the score says of the moves.
struct Moves {
    /// Legal moves with the board before each.
    played: Vec<(Move, San, Board)>,
    /// Where the game ends by itself.
    ended: Option<&'static str>,
    phantoms: Vec<(Color, Square)>,
    remarks: Vec<String>,
}

fn plan_game(score: &Score, control: Control, told_by: ToldBy, dice: &Dice) -> Game {
    let mut remarks = Vec::new();
    if matches!(told_by, ToldBy::Round | ToldBy::Nothing) {
        remarks.push(format!(
            "no clock comment tells the control; {} is taken",
            control.notation()
        ));
    }
    let mut moves = read_moves(score);
    remarks.append(&mut moves.remarks);

    // A clock at zero under the last move: the flag fell, and the move came after it.
    let late = match (moves.ended, moves.played.len().checked_sub(1)) {
        (None, Some(last))
            if score.plies[last].clk == Some(0) && last + 1 + moves.phantoms.len() == score.plies.len() =>
        {
            moves.played.pop().map(|(mv, _, _)| mv)
        }
        _ => None,
    };
    let first = start_of(score.fen.as_deref()).map_or(Color::White, |position| position.turn());
    let count = moves.played.len();
    let plies = &score.plies[..count];
    let sides = [Color::White, Color::Black].map(|side| {
        let own: Vec<&Ply> = plies.iter().skip(usize::from(side != first)).step_by(2).collect();
        timings(control, &own, &mut dice.fork("time", index(side) as u64))
    });

    let mut shows = [control.start_ms(); 2];
    let mut turns: Vec<Turn> = Vec::with_capacity(count);
    for (ply, (mv, san, board)) in moves.played.into_iter().enumerate() {
        let by = if ply % 2 == 0 { first } else { first.other() };
        let timing = sides[index(by)][ply / 2];
        let before = shows[index(by)];
        if timing.adjust_ms != 0 {
            place_call(&mut turns, by, before, timing, &mut dice.fork("call", ply as u64));
        }
        shows[index(by)] = timing.shows_ms;
        let own_call = match turns.last() {
            Some(last) if last.call.is_some_and(|call| call.side == by) => None,
            _ if timing.adjust_ms != 0 => Some(own_call(by, before, timing, &mut dice.fork("call", ply as u64))),
            _ => None,
        };
        let pressed = moves.ended.is_none() || ply + 1 < count || score.plies[ply].clk.is_some();
        turns.push(Turn {
            by,
            san: san.to_string(),
            uci: UciMove::from_standard(mv).to_string(),
            mv,
            board,
            think_ms: timing.think_ms,
            pressed,
            shows_ms: shows,
            call: own_call,
        });
    }
    // A call in the opponent's turn changes what the clock of the side that waits shows at that turn's press already.
    for turn in &mut turns {
        if let Some(call) = turn.call
            && call.side != turn.by
        {
            turn.shows_ms[index(call.side)] += call.by_ms;
        }
    }

    let mover = turns.last().map_or(first, |last| last.by.other());
    let left = shows[index(mover)];
    let mut end_dice = dice.fork("end", 0);
    let ending = match (moves.ended, late) {
        (Some(how), _) => Ending::OnTheBoard(how),
        (None, Some(late)) => Ending::Flag {
            after_ms: left,
            late: Some(late),
        },
        (None, None) if turns.is_empty() => Ending::Unplayed,
        (None, None) => Ending::Decided {
            after_ms: end_dice.between(300, 2500).min(left / 2),
        },
    };
    let result = match (&ending, turns.last()) {
        (Ending::OnTheBoard("checkmate"), Some(last)) => if last.by == Color::White { "1-0" } else { "0-1" }.to_owned(),
        (Ending::OnTheBoard(_), _) => "1/2-1/2".to_owned(),
        // A score that ends in the middle has to be decided for the table to become free.
        _ if score.result == "*" => "1/2-1/2".to_owned(),
        _ => score.result.clone(),
    };
    if result != score.result {
        remarks.push(format!(
            "the score says {}, the game as played ends {result}",
            score.result
        ));
    }
    let kings_first = !moves.phantoms.is_empty();
    let mut kings = moves.phantoms;
    if !kings_first && !turns.is_empty() && end_dice.one_in(3) {
        kings = centre(&result, &mut end_dice);
    }
    Game {
        source: score.source.clone(),
        site: score.site.clone(),
        date: score.date.clone(),
        round: score.round.clone(),
        white: score.white.clone(),
        black: score.black.clone(),
        fen: score.fen.clone(),
        control,
        told_by,
        turns,
        ending,
        kings,
        kings_first,
        result,
        remarks,
    }
}

/// Two light squares: White won; two dark ones: Black won; one of each: a draw.
fn centre(result: &str, dice: &mut Dice) -> Vec<(Color, Square)> {
    let squares = match result {
        "1-0" => [Square::E4, Square::D5],
        "0-1" => [Square::D4, Square::E5],
        "1/2-1/2" => dice
            .pick(&[[Square::E4, Square::E5], [Square::D4, Square::D5]])
            .unwrap_or([Square::E4, Square::E5]),
        _ => return Vec::new(),
    };
    vec![(Color::White, squares[0]), (Color::Black, squares[1])]
}

/// From which ply on the kings were only put in the centre: the last moves without a clock, the first of them a king's to d4,
/// d5, e4 or e5, whether it would be legal or not. One *with* a clock was pressed: it is a move.
fn phantoms_from(plies: &[Ply]) -> usize {
    let timed = plies
        .iter()
        .rposition(|ply| ply.clk.is_some())
        .map_or(plies.len(), |last| last + 1);
    let king_to = |ply: &Ply| match ply.san.parse::<San>() {
        Ok(San::Normal {
            role: Role::King, to, ..
        }) => Some(to),
        _ => None,
    };
    let centre = [Square::D4, Square::D5, Square::E4, Square::E5];
    (timed..plies.len())
        .find(|&at| {
            king_to(&plies[at]).is_some_and(|to| centre.contains(&to))
                && plies[at..].iter().all(|ply| king_to(ply).is_some())
        })
        .unwrap_or(plies.len())
}

fn read_moves(score: &Score) -> Moves {
    let mut found = Moves {
        played: Vec::new(),
        ended: None,
        phantoms: Vec::new(),
        remarks: Vec::new(),
    };
    let Some(mut position) = start_of(score.fen.as_deref()) else {
        found
            .remarks
            .push("the start position cannot be read; the game is not played".to_owned());
        return found;
    };
    let phantoms = phantoms_from(&score.plies);
    let mut seen = vec![repetition_key(&position)];
    for (at, ply) in score.plies[..phantoms].iter().enumerate() {
        let legal = ply.san.parse::<San>().ok().and_then(|san| san.to_move(&position).ok());
        let Some(mv) = legal else {
            found.remarks.push(format!(
                "half-move {} ({}) is not legal; the game is played up to it",
                at + 1,
                ply.san
            ));
            return found;
        };
        found
            .played
            .push((mv, San::from_move(&position, mv), position.board().clone()));
        position.play_unchecked(mv);
        seen.push(repetition_key(&position));
        found.ended = ended(&position, &seen);
        if found.ended.is_some() {
            if at + 1 < phantoms {
                found.remarks.push(format!(
                    "the game ends by itself at half-move {}; {} more are in the score",
                    at + 1,
                    phantoms - at - 1
                ));
            }
            return found;
        }
    }
    let mut side = position.turn();
    for ply in &score.plies[phantoms..] {
        if let Ok(San::Normal { to, .. }) = ply.san.parse::<San>() {
            found.phantoms.push((side, to));
        }
        side = side.other();
    }
    found
}

fn repetition_key(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// So many positions are looked at for a mate before a game is taken to be alive: a dead one is soon played through, since it is one
/// where few pieces are left and the moves are forced.
const PLAYED_THROUGH: usize = 100;

/// No series of legal moves leads to a mate of either side (5.2.2): all of them are played through, to where the material rules it out.
fn is_dead(position: &Chess) -> bool {
    if position.board().occupied().count() > 10 {
        return false;
    }
    let mut seen: HashSet<Chess> = HashSet::new();
    let mut open = vec![position.clone()];
    while let Some(position) = open.pop() {
        if position.is_checkmate() || seen.len() > PLAYED_THROUGH {
            return false;
        }
        if position.is_insufficient_material() || !seen.insert(position.clone()) {
            continue;
        }
        let moves = position.legal_moves();
        open.extend(moves.into_iter().filter_map(|mv| position.clone().play(mv).ok()));
    }
    true
}

/// What ends a game at the move that makes it, claims or no claims.
fn ended(position: &Chess, seen: &[String]) -> Option<&'static str> {
    if position.is_checkmate() {
        return Some("checkmate");
    }
    if position.is_stalemate() {
        return Some("stalemate");
    }
    if is_dead(position) {
        return Some("dead-position");
    }
    // 9.6.1, 9.6.2.
    if seen
        .last()
        .is_some_and(|now| seen.iter().filter(|key| *key == now).count() >= 5)
    {
        return Some("fivefold");
    }
    (position.halfmoves() >= 150).then_some("seventy-five-moves")
}

/// One player's turn in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Timing {
    think_ms: i64,
    shows_ms: i64,
    adjust_ms: i64,
}

/// What one player's clock shows after a press in whole seconds, and where that comes from.
struct Step {
    shows_s: i64,
    adjust_s: i64,
    period_s: i64,
}

/// One player's turns in time. The clock after each press, cut to whole seconds as such clocks show it, is the score's; where the
/// clock in the hall added its second period by a rule of its own, later (or, once, earlier) than at the press of the 40th
/// move, the difference is carried until it did.
fn timings(control: Control, plies: &[&Ply], dice: &mut Dice) -> Vec<Timing> {
    let mut steps = steps(control, plies, dice);
    let fractions = fractions(control, &mut steps, dice);
    let mut before = control.start_ms();
    steps
        .iter()
        .zip(fractions)
        .map(|(step, fraction)| {
            let shows_ms = step.shows_s * 1000 + fraction;
            let adjust_ms = step.adjust_s * 1000;
            let think_ms = before + adjust_ms + control.increment_ms + step.period_s * 1000 - shows_ms;
            before = shows_ms;
            Timing {
                think_ms,
                shows_ms,
                adjust_ms,
            }
        })
        .collect()
}

fn steps(control: Control, plies: &[&Ply], dice: &mut Dice) -> Vec<Step> {
    let increment = control.increment_ms / 1000;
    let mut shown = control.start_ms() / 1000;
    let mut in_score = shown;
    let mut ahead = 0;
    let mut steps = Vec::with_capacity(plies.len());
    for (at, ply) in plies.iter().enumerate() {
        let spent = ply.emt.map(i64::from);
        let period_s = match control.second {
            Some((moves, more)) if moves as usize == at + 1 => more / 1000,
            _ => 0,
        };
        ahead += period_s;
        let explained = shown + increment + period_s;
        let wanted = match ply.clk.map(i64::from) {
            Some(clk) => {
                if let Some((_, more)) = control.second
                    && ahead > 0
                    && clk - in_score - increment + spent.unwrap_or(0) > more / 2000
                {
                    ahead -= more / 1000;
                }
                in_score = clk;
                clk + ahead
            }
            None => {
                let wish = explained - spent.unwrap_or_else(|| dice.between(1, 8));
                // Not so long that the next clock of the score would seem to have risen.
                let next = plies[at..].iter().position(|later| later.clk.is_some());
                let low =
                    next.and_then(|next| Some(i64::from(plies[at + next].clk?) + ahead - increment * next as i64));
                let wanted = wish.max(low.unwrap_or(wish)).min(explained);
                in_score = wanted - ahead;
                wanted
            }
        };
        // A press adds the increment to what was left: less than that cannot be shown after it.
        let shows_s = wanted.max(increment + period_s);
        let rise = shows_s - explained;
        let adjust_s = if rise > 0 {
            rise + spent.filter(|s| *s > 0).unwrap_or_else(|| dice.between(1, 5))
        } else {
            0
        };
        steps.push(Step {
            shows_s,
            adjust_s,
            period_s,
        });
        shown = shows_s;
    }
    steps
}

/// Seeded fractions of the second, such that every think time is positive: hands need a moment. A run of moves without a second
/// between them (a blitz finish) shares out one second's fraction, so the least moment gets shorter there.
fn fractions(control: Control, steps: &mut [Step], dice: &mut Dice) -> Vec<i64> {
    const LEAST_MS: [i64; 5] = [250, 100, 40, 10, 2];
    let mut tries = LEAST_MS.iter().copied().peekable();
    let (least, low) = loop {
        let Some(least) = tries.next() else {
            unreachable!("the last try always ends the loop")
        };
        let mut low = vec![0_i64; steps.len()];
        let mut need = 0;
        let mut stuck = None;
        for at in (0..steps.len()).rev() {
            // After a press there must have been a millisecond left before the bonus came.
            let floor = i64::from(steps[at].shows_s * 1000 == control.increment_ms + steps[at].period_s * 1000);
            low[at] = floor.max(need);
            let most = if at == 0 { 0 } else { 999 };
            need = least + low[at] - slack_ms(control, steps, at);
            if need > most {
                stuck = Some(at);
                need = 0;
            }
        }
        match (stuck, tries.peek()) {
            (None, _) => break (least, low),
            (Some(_), Some(_)) => {}
            // Not even so: the arbiter gives that second.
            (Some(at), None) => {
                steps[at].adjust_s += 1;
                tries = LEAST_MS[LEAST_MS.len() - 1..].iter().copied().peekable();
            }
        }
    };
    let mut last = 0;
    (0..steps.len())
        .map(|at| {
            let high = (last + slack_ms(control, steps, at) - least).min(999);
            last = dice.between(low[at], high);
            last
        })
        .collect()
}

/// What would be left of the think time if both fractions were the same.
fn slack_ms(control: Control, steps: &[Step], at: usize) -> i64 {
    let step = &steps[at];
    let before = if at == 0 {
        control.start_ms()
    } else {
        steps[at - 1].shows_s * 1000
    };
    before + control.increment_ms + (step.period_s + step.adjust_s - step.shows_s) * 1000
}

/// Puts a correction into the opponent's turn before, if that is the longer one.
fn place_call(turns: &mut [Turn], by: Color, before_ms: i64, timing: Timing, dice: &mut Dice) {
    let Some(last) = turns.last_mut() else { return };
    if last.call.is_none() && last.pressed && last.think_ms > timing.think_ms && before_ms + timing.adjust_ms > 0 {
        let at_ms = last.think_ms * dice.between(20, 60) / 100;
        last.call = Some(Call {
            at_ms,
            side: by,
            by_ms: timing.adjust_ms,
        });
    }
}

fn own_call(by: Color, before_ms: i64, timing: Timing, dice: &mut Dice) -> Call {
    let at_ms = (timing.think_ms * dice.between(20, 60) / 100).min(before_ms / 2);
    Call {
        at_ms,
        side: by,
        by_ms: timing.adjust_ms,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::pgn;

    fn planned(text: &str) -> Game {
        let scores = pgn::read("t", text.as_bytes()).expect("reads");
        plan(&scores, 1).remove(0)
    }

    /// Goes through a plan with a bookkeeper's arithmetic: nothing may come from nowhere.
    fn audit(game: &Game) {
        let mut left = [game.control.start_ms(); 2];
        let mut moves = [0_u32; 2];
        for (ply, turn) in game.turns.iter().enumerate() {
            let own = index(turn.by);
            let place = format!("{} half-move {}", game.source, ply + 1);
            if let Some(call) = turn.call {
                assert!((0..=turn.think_ms).contains(&call.at_ms), "{place}");
                assert!(left[own] > call.at_ms, "{place}: flag before the call");
                left[index(call.side)] += call.by_ms;
            }
            assert!(turn.think_ms > 0, "{place}: thinks {} ms", turn.think_ms);
            left[own] -= turn.think_ms;
            assert!(left[own] > 0, "{place}: the flag would fall");
            left[own] += game.control.increment_ms;
            moves[own] += 1;
            if let Some((at, more)) = game.control.second
                && moves[own] == at
            {
                left[own] += more;
            }
            assert_eq!(turn.shows_ms, left, "{place}");
        }
    }

    #[test]
    fn clocks_cut_to_seconds_are_the_scores_and_every_think_time_is_positive() {
        let game = planned(
            "1. e4 {[%clk 0:05:05]} {[%emt 0:00:01]} e5 {[%clk 0:05:05]} {[%emt 0:00:01]} 2. Nf3 {[%clk 0:05:08]} Nc6 {[%clk 0:05:08]} \
             3. Bc4 {[%clk 0:05:11]} Bc5 {[%clk 0:04:40]} *",
        );
        audit(&game);
        let shown: Vec<i64> = game
            .turns
            .iter()
            .map(|turn| turn.shows_ms[index(turn.by)] / 1000)
            .collect();
        assert_eq!(shown, [305, 305, 308, 308, 311, 280]);
    }

    #[test]
    fn a_missing_clock_is_worked_out_from_the_time_spent_and_the_next_clock() {
        let game = planned(
            "1. e4 {[%clk 0:15:18]} {[%emt 0:00:02]} e5 {[%clk 0:15:18]} {[%emt 0:00:02]} 2. Nf3 {[%emt 0:00:07]} Nc6 3. Bc4 {[%clk \
             0:15:29]} Bc5 {[%clk 0:15:38]} *",
        );
        audit(&game);
        assert!(game.turns.iter().all(|turn| turn.call.is_none()));
        assert_eq!(game.turns[2].shows_ms[0] / 1000, 921);
        assert_eq!(game.turns[3].shows_ms[1] / 1000, 928);
    }

    #[test]
    fn a_rise_that_no_press_explains_is_an_arbiters_correction() {
        let game = planned(
            "1. e4 {[%clk 0:15:18]} {[%emt 0:00:02]} e5 {[%clk 0:14:20]} {[%emt 0:01:00]} 2. Nf3 {[%clk 0:17:26]} {[%emt 0:00:02]} *",
        );
        audit(&game);
        let calls: Vec<Call> = game.turns.iter().filter_map(|turn| turn.call).collect();
        assert_eq!(calls.len(), 1);
        assert_eq!((calls[0].side, calls[0].by_ms), (Color::White, 120_000));
        assert!(game.turns[1].call.is_some(), "in the longer turn, Black's");
    }

    #[test]
    fn kings_in_the_centre_are_no_moves_and_a_pressed_king_move_is_one() {
        let timed = "1. e4 {[%clk 1:30:50]} {[%emt 0:00:10]} e5 {[%clk 1:30:50]} {[%emt 0:00:10]} 2. Ke2 {[%clk 1:31:00]} Ke7 {[%clk 1:31:00]}";
        let game = planned(&format!(
            "[Result \"1/2-1/2\"]\n\n{timed} 3. Ke3 {{[%clk 1:31:20]}} Kd6 {{[%clk 1:31:20]}} 4. Kd4 1/2-1/2"
        ));
        assert_eq!(game.turns.len(), 6);
        assert_eq!(game.kings, [(Color::White, Square::D4)]);
        assert!(game.kings_first);
        let pressed = planned(&format!(
            "{timed} 3. Kd3 {{[%clk 1:31:20]}} Kd6 {{[%clk 1:31:20]}} 4. Kd4 {{[%clk 1:31:40]}} *"
        ));
        assert_eq!(
            pressed.turns.len(),
            6,
            "Kd4 is not legal next to the king and has a clock: it is not dropped but told of"
        );
        assert_eq!(
            pressed
                .remarks
                .iter()
                .filter(|remark| remark.contains("not legal"))
                .count(),
            1
        );
    }

    #[test]
    fn a_clock_at_zero_is_a_flag_and_the_move_came_after_it() {
        let game = planned(
            "[Result \"0-1\"]\n\n1. e4 {[%clk 0:05:04]} {[%emt 0:00:02]} e5 {[%clk 0:05:04]} {[%emt 0:00:02]} 2. Nf3 {[%clk 0:00:00]} 0-1",
        );
        audit(&game);
        assert_eq!(game.turns.len(), 2);
        let Ending::Flag {
            after_ms,
            late: Some(_),
        } = game.ending
        else {
            panic!("{:?}", game.ending)
        };
        assert_eq!(after_ms, game.turns[1].shows_ms[0]);
    }

    #[test]
    fn a_mate_ends_the_game_whatever_the_score_says_after_it() {
        let game = planned("[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1");
        assert_eq!(game.ending, Ending::OnTheBoard("checkmate"));
        assert_eq!(game.result, "0-1");
        assert!(!game.turns[3].pressed);
    }

    #[test]
    fn the_same_seed_gives_the_same_plan_and_another_other_fractions() {
        let text =
            "1. e4 {[%clk 1:30:50]} {[%emt 0:00:10]} e5 {[%clk 1:30:50]} {[%emt 0:00:10]} 2. Ke2 {[%clk 1:31:00]} *";
        let scores = pgn::read("t", text.as_bytes()).expect("reads");
        let shows = |seed| {
            plan(&scores, seed)[0]
                .turns
                .iter()
                .map(|turn| turn.shows_ms)
                .collect::<Vec<_>>()
        };
        assert_eq!(shows(4), shows(4));
        assert_ne!(shows(4), shows(5));
    }

    #[test]
    fn the_plan_of_every_game_that_comes_with_flagfall_adds_up() {
        for game in plan(&crate::sim::games::all().expect("reads"), 3) {
            audit(&game);
        }
    }

    #[test]
    fn a_forced_capture_that_leaves_bare_kings_is_over_before_it_is_made() {
        let at = |fen: &str| start_of(Some(fen)).expect("a position");
        assert!(
            is_dead(&at("8/8/8/8/8/5k2/7p/7K w - - 0 90")),
            "5.2.2: the last pawn has to be taken"
        );
        assert!(is_dead(&at("8/8/8/8/8/5k2/8/7K w - - 0 90")));
        assert!(!is_dead(&at("8/8/8/8/8/5k2/6pp/7K w - - 0 90")));
        assert!(!is_dead(&Chess::default()));
    }
}
