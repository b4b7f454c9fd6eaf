//! The clocks by another hand: what both show, from what was heard, by arithmetic of its own. It knows the steps that a game recorded,
//! what was heard in each and what was ruled, and none of the figures that the game counted from them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::*;
use crate::game::audience::OrderKind;
use crate::game::item::{Kind, Matter, Offence, OpenItem, Ruling};
use crate::game::orders::{Desk, Want, Wanted};
use crate::game::state::State;
use crate::game::table;
use crate::laws::Termination;

/// What a move adds or is spared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Nothing.
    Plain,
    /// Added at the press.
    Cumulative,
    /// The main time waits.
    Delay,
    /// What was used comes back, up to this.
    Bronstein,
}

/// Moves of a period (none in the last), its milliseconds, its mode and what a move gets.
pub type Period = (Option<u32>, i64, Mode, i64);

/// Time controls, as the house writes them and as this ledger counts them.
pub const CONTROLS: &[(&str, &[Period])] = &[
    ("3m+2s", &[(None, 180_000, Mode::Cumulative, 2_000)]),
    ("90m+30s", &[(None, 5_400_000, Mode::Cumulative, 30_000)]),
    ("10m+5s", &[(None, 600_000, Mode::Cumulative, 5_000)]),
    ("5md3s", &[(None, 300_000, Mode::Delay, 3_000)]),
    ("5mb3s", &[(None, 300_000, Mode::Bronstein, 3_000)]),
    ("2m", &[(None, 120_000, Mode::Plain, 0)]),
    (
        "4/1m+2s,2m+2s",
        &[
            (Some(4), 60_000, Mode::Cumulative, 2_000),
            (None, 120_000, Mode::Cumulative, 2_000),
        ],
    ),
    (
        "3/40sb4s,2/30s,1m+1s",
        &[
            (Some(3), 40_000, Mode::Bronstein, 4_000),
            (Some(2), 30_000, Mode::Plain, 0),
            (None, 60_000, Mode::Cumulative, 1_000),
        ],
    ),
    (
        "2/50sd5s,1md2s",
        &[
            (Some(2), 50_000, Mode::Delay, 5_000),
            (None, 60_000, Mode::Delay, 2_000),
        ],
    ),
];

/// A press that was counted.
#[derive(Clone, Copy, Debug)]
struct Press {
    by: usize,
    at: i64,
    gain: i64,
    used: i64,
    period: usize,
    /// It made the number of moves and brought the next period.
    brought: bool,
}

/// Both clocks.
#[derive(Clone, Debug)]
pub struct Ledger {
    periods: &'static [Period],
    on_moves: bool,
    counting: bool,
    first_increment: bool,
    category: Category,
    pub left: [i64; 2],
    used: [i64; 2],
    period: [usize; 2],
    pub running: Option<usize>,
    since: i64,
    presses: Vec<Press>,
    by_hand: Vec<u64>,
    /// Changes of a game that was begun anew since.
    overtaken: Vec<u64>,
    /// As they were before a stop or a run without an answer was taken for done.
    unheard: Option<Box<Ledger>>,
    /// As they stood when the game ended for the first time.
    at_the_end: Option<Box<Ledger>>,
    /// The changes of times that the clock had not answered then.
    unanswered: Vec<u64>,
}

fn other(side: usize) -> usize {
    1 - side
}

impl Ledger {
    pub fn new(setup: &GameSetup) -> Ledger {
        let text = setup.time_control.to_string();
        let periods = CONTROLS
            .iter()
            .find(|(known, _)| *known == text)
            .expect("a control of the list")
            .1;
        let mut ledger = Ledger {
            periods,
            on_moves: setup.period_rule == PeriodRule::OnMoves,
            counting: setup.clock == ClockKind::Counting,
            first_increment: setup.first_increment,
            category: setup.category,
            left: [0; 2],
            used: [0; 2],
            period: [0; 2],
            running: None,
            since: 0,
            presses: Vec::new(),
            by_hand: Vec::new(),
            overtaken: Vec::new(),
            unheard: None,
            at_the_end: None,
            unanswered: Vec::new(),
        };
        ledger.left = [ledger.at_the_start(); 2];
        ledger
    }

    fn at_the_start(&self) -> i64 {
        let (_, time, mode, span) = self.periods[0];
        let first = self.first_increment && matches!(mode, Mode::Cumulative | Mode::Bronstein);
        if first { time + span } else { time }
    }

    fn of(&self, period: usize) -> Period {
        self.periods[period.min(self.periods.len() - 1)]
    }

    fn required(&self, period: usize) -> Option<u32> {
        (period + 1 < self.periods.len()).then(|| self.periods[..=period].iter().filter_map(|(moves, ..)| *moves).sum())
    }

    /// What the running side has left of the span for which its main time waits.
    fn waits(&self) -> i64 {
        let Some(side) = self.running else { return 0 };
        let (_, _, mode, span) = self.of(self.period[side]);
        if mode == Mode::Delay {
            (span - self.used[side]).max(0)
        } else {
            0
        }
    }

    pub fn shows(&self, side: usize, at: i64) -> i64 {
        if self.running != Some(side) {
            return self.left[side];
        }
        let ran = (at - self.since).max(0);
        (self.left[side] - (ran - self.waits()).max(0)).max(0)
    }

    fn zero_at(&self) -> Option<i64> {
        self.running.map(|side| self.since + self.waits() + self.left[side])
    }

    fn count_up_to(&mut self, at: i64) {
        if let Some(side) = self.running {
            self.left[side] = self.shows(side, at);
            self.used[side] += (at - self.since).max(0);
        }
        self.since = self.since.max(at);
    }

    fn count_if_running(&mut self, at: i64) {
        if self.running.is_some() {
            self.count_up_to(at);
        }
    }

    fn stop(&mut self, at: i64) {
        self.count_up_to(at);
        self.running = None;
    }

    fn run(&mut self, side: usize, at: i64) {
        self.count_up_to(at);
        if self.running.is_none() {
            // A clock that stands shows the same at any time.
            self.since = at;
        }
        if self.left[side] > 0 {
            self.running = Some(side);
        }
    }

    fn set(&mut self, side: usize, left: i64, at: i64) {
        self.count_up_to(at);
        self.left[side] = left.max(0);
    }

    fn change(&mut self, side: usize, change: Option<TimeChange>, at: i64) {
        match change {
            Some(TimeChange::To(time)) => self.set(side, time.0, at),
            Some(TimeChange::By(span)) => {
                self.count_up_to(at);
                self.set(side, self.left[side] + span.0, at);
            }
            None => {}
        }
    }

    /// The running side has come to zero at this moment.
    fn zero(&mut self, at: i64) {
        let Some(side) = self.running else { return };
        self.count_up_to(at);
        let period = self.period[side];
        if !self.on_moves && self.required(period).is_some() {
            for side in 0..2 {
                if self.period[side] == period {
                    self.period[side] += 1;
                    self.left[side] += self.of(period + 1).1;
                }
            }
        } else {
            self.left[side] = 0;
            self.running = None;
        }
    }

    /// A press; the record says that it completes this player's move of this number.
    fn press(&mut self, side: usize, at: i64, completed: u32) {
        if self.running != Some(side) {
            return;
        }
        self.count_up_to(at);
        let (used, period) = (self.used[side], self.period[side]);
        let (_, _, mode, span) = self.of(period);
        let mut gain = match mode {
            Mode::Cumulative => span,
            Mode::Bronstein => used.min(span),
            Mode::Plain | Mode::Delay => 0,
        };
        let brought = self.on_moves && self.required(period).is_some_and(|moves| completed >= moves);
        if brought {
            self.period[side] += 1;
            gain += self.of(period + 1).1;
        }
        self.left[side] += gain;
        self.presses.push(Press {
            by: side,
            at,
            gain,
            used,
            period,
            brought,
        });
        self.used = [0; 2];
        self.running = Some(other(side));
    }

    /// Two minutes, in rapid and blitz one.
    fn penalty(&self) -> i64 {
        if self.category == Category::Standard {
            120_000
        } else {
            60_000
        }
    }

    /// The clock says what it did up to now: where that is what it did before somebody was taken to have been there, nobody was.
    fn heard_of(&mut self, ran: Option<usize>) {
        if let Some(then) = self.unheard.take().filter(|then| then.running == ran) {
            (self.left, self.used, self.period) = (then.left, then.used, then.period);
            (self.running, self.since) = (then.running, then.since);
        }
    }

    /// It is stopped, and says so: if it ran before, it did until now.
    fn stops_only_now(&mut self) {
        match self.unheard.as_ref().and_then(|then| then.running) {
            None => self.unheard = None,
            ran => self.heard_of(ran),
        }
    }

    // Steps

    /// One step of the game: from `before` to `after`; `earlier` are this ledger's pages, one for each step so far, and `known` all items
    /// that were ever open, as they were last.
    fn step(
        &mut self,
        step: &Step,
        (before, after): (&State, &State),
        earlier: &[(i64, Ledger)],
        known: &Items,
        desk: &Desk,
    ) {
        let at = after.time.0;
        if step.input.is_none() {
            let judged = after.waiting != before.waiting
                || after.standing != before.standing
                || after.puzzling != before.puzzling;
            let awaited = table::awaited(before)
                .into_iter()
                .flatten()
                .any(|(due, _)| due <= after.time);
            let zero = self.zero_at().filter(|zero| *zero <= at);
            if let (None, false, Some(zero)) = (&before.ending, judged && awaited, zero) {
                self.zero(zero);
            }
        }
        for note in &step.notes {
            if let Note::Ruled { item, ruling, .. } = note {
                // One that late news have closed is ruled on as its arbiter saw it.
                let item = item.and_then(|number| before.item(number).or_else(|| known.get(&number)));
                self.ruled(ruling, item.map(|item| &**item), before, after, at);
            }
        }
        if let Some(input) = step.input.as_deref() {
            match &input.what {
                Happening::Fact(fact) => self.heard(fact, before, after, (input.at, at), desk),
                Happening::Act(act) => self.acted(&act.what, before, after, at),
                Happening::Settled { .. } | Happening::Alarm => {}
            }
        }
        if let (None, Some(ending)) = (&before.ending, &after.ending) {
            self.ended(step, ending.termination, ending.at.0, before, after, earlier);
            self.unheard = None;
            let mut end = self.clone();
            end.at_the_end = None;
            let changes = before.wants.iter();
            let changes = changes.filter(|want| matches!(want.what, Wanted::Change { .. }));
            end.unanswered = changes.map(|want| want.id).collect();
            self.at_the_end = Some(Box::new(end));
        }
    }

    /// The game has ended at this moment, which may lie before what is known since: then the clocks stand as they stood then.
    fn ended(
        &mut self,
        step: &Step,
        why: Termination,
        at: i64,
        before: &State,
        after: &State,
        earlier: &[(i64, Ledger)],
    ) {
        let seen = matches!(
            why,
            Termination::Checkmate
                | Termination::Stalemate
                | Termination::DeadPosition
                | Termination::Fivefold
                | Termination::SeventyFiveMoves
        );
        let ruled = matches!(
            step.input.as_deref(),
            Some(Input {
                what: Happening::Act(_),
                ..
            })
        );
        if seen && !ruled {
            let last = after.record.last().expect("a move ended it");
            let presses: Vec<_> = before.puzzling.iter().chain(&before.waiting).collect();
            let nth = (after.record.len() - before.record.len().min(after.record.len())).max(1) - 1;
            // Moves that were found only now may have had their presses before, and those at which the board disagreed are not all kept.
            let pressed = presses.get(nth).or(presses.last());
            // No press comes before its move.
            let pressed = pressed.filter(|press| press.pressed.by == last.by && press.pressed.at >= last.made);
            let page = match pressed {
                // Before his press.
                Some(press) => earlier.iter().rposition(|(page, ledger)| {
                    *page <= press.pressed.at.0
                        && !ledger
                            .presses
                            .iter()
                            .any(|known| known.by == last.by as usize && known.at == press.pressed.at.0)
                }),
                None => earlier.iter().rposition(|(page, _)| *page <= at),
            };
            if let Some(page) = page {
                *self = earlier[page].1.clone();
            }
        }
        self.stop(at);
    }

    fn heard(&mut self, fact: &Fact, before: &State, after: &State, (told, at): (HallTime, i64), desk: &Desk) {
        let playing = before.started.is_some() && before.ending.is_none();
        match fact {
            Fact::Pressed { by } if playing => {
                self.heard_of(Some(*by as usize));
                // A clock that was told to run, and is pressed before it has answered, runs since the ruling.
                let told = before
                    .wants
                    .iter()
                    .find(|want| want.what == Wanted::Run(*by))
                    .map(|want| want.since.0);
                let stops = before.wants.iter().any(|want| want.what == Wanted::Stop);
                // And so does one that was told to and then was not to after all.
                let withdrawn = before.may_run.filter(|(of, _)| of == by).map(|(_, since)| since.0);
                if let (None, Some(since)) = (self.running, told.filter(|_| !stops).or(withdrawn)) {
                    self.run(*by as usize, since.max(self.since));
                }
                // A game that ended at the move does not have its press any more.
                if after.ending.is_none() {
                    self.press(*by as usize, at, after.clock.half(*by).completed);
                }
            }
            Fact::Paused { .. } | Fact::Claimed { .. } if playing => {
                self.stops_only_now();
                self.stop(at);
            }
            Fact::FlagShown { of, .. } if playing => {
                self.heard_of(Some(*of as usize));
                if self.running == Some(*of as usize) {
                    self.set(*of as usize, 0, at);
                    self.zero(at);
                }
            }
            Fact::Agreed {
                what: Agreement::Correct,
            } if playing && after.record.len() < before.record.len() => {
                let turn = after.position().turn() as usize;
                if self.running.is_some_and(|running| running != turn) {
                    self.unheard = None;
                    self.stop(at);
                    self.run(turn, at);
                }
            }
            Fact::OrderAnswered { number, answer, .. } if before.ending.is_none() => {
                let Some((want, what)) = desk.sent(*number) else { return };
                let by_hand = matches!(what, OrderKind::Add { .. }) && self.by_hand.contains(&want);
                if by_hand || self.overtaken.contains(&want) {
                    return;
                }
                if *answer == OrderAnswer::Done {
                    self.unheard = None;
                }
                match answer {
                    // A clock that stood runs from when it says so.
                    OrderAnswer::Done if self.running.is_none() && matches!(what, OrderKind::Run(_)) => {
                        self.carried_out(what, told.0)
                    }
                    OrderAnswer::Done => self.carried_out(what, told.0.max(self.since)),
                    OrderAnswer::MovedOn => {}
                    // By hand, and counted from the ruling.
                    OrderAnswer::Refused { .. } | OrderAnswer::Unanswered => {
                        if let Some(want) = before.wants.iter().find(|open| open.id == want) {
                            self.done_by_hand(want, what);
                        }
                    }
                }
            }
            // The clock has a time that was ruled before the end after all: it is that of the moment before it.
            Fact::OrderAnswered {
                number,
                answer: OrderAnswer::Done,
                ..
            } => {
                let (Some((want, what)), Some(end)) = (desk.sent(*number), &mut self.at_the_end) else {
                    return;
                };
                if !self.overtaken.contains(&want) && end.unanswered.contains(&want) {
                    end.unanswered.retain(|open| *open != want);
                    end.carried_out(what, told.0.max(end.since));
                }
            }
            // What a counting clock shows stands, where it differs.
            Fact::Reading(reading) if playing && self.counting => {
                let stands = |item: &OpenItem| matches!(item.matter, Matter::Adjusted { shown, taken: true, .. } if shown == *reading);
                let differs = [reading.white.0, reading.black.0] != [self.shows(0, at), self.shows(1, at)]
                    || reading.running.map(|side| side as usize) != self.running;
                if differs && after.items.iter().any(|item| stands(item)) && after.clock != before.clock {
                    self.unheard = None;
                    self.set(0, reading.white.0, at);
                    self.set(1, reading.black.0, at);
                    match reading.running {
                        None => self.stop(at),
                        Some(side) if self.running.is_some() || after.clock.running() == Some(side) => {
                            self.run(side as usize, at)
                        }
                        Some(_) => {}
                    }
                }
            }
            Fact::ByHand { what, reading } if playing => {
                let shown = [reading.white.0, reading.black.0];
                match what {
                    ByHand::Started => self.heard_of(None),
                    ByHand::Stopped => self.stops_only_now(),
                    ByHand::Adjusted { before } => self.heard_of(before.running.map(|side| side as usize)),
                }
                // A flag that was only counted is none where the clock shows time left.
                let then = before.unheard.and_then(|clock| clock.fallen());
                let fallen = before.clock.fallen().or(then);
                let withdrawn = fallen.filter(|of| after.clock.fallen() != Some(*of));
                if let Some(of) = withdrawn {
                    let first = match what {
                        ByHand::Adjusted { before } => before,
                        ByHand::Started | ByHand::Stopped => reading,
                    };
                    self.set(0, first.white.0, at);
                    self.set(1, first.black.0, at);
                    if reading.running == Some(of) {
                        self.run(of as usize, at);
                    }
                }
                match what {
                    ByHand::Started => {
                        if let Some(of) = reading.running {
                            self.run(of as usize, at);
                        }
                    }
                    ByHand::Stopped => self.stop(at),
                    ByHand::Adjusted { .. } => {}
                }
                if (0..2).any(|side| (self.shows(side, at) - shown[side]).abs() > 100) {
                    (0..2).for_each(|side| self.set(side, shown[side], at));
                    if let (ByHand::Started, Some(of)) = (what, reading.running) {
                        self.run(of as usize, at);
                    }
                }
                if self.running.is_none() {
                    // It stood up to now.
                    self.since = self.since.max(at);
                }
            }
            _ => {}
        }
    }

    /// Nobody has told of it: it counts from the ruling, as it was ruled.
    fn done_by_hand(&mut self, want: &Want, what: &OrderKind) {
        let at = want.since.0.max(self.since);
        self.by_hand.push(want.id);
        match &want.what {
            Wanted::Change { white, black, .. } => {
                for (side, change) in [white, black].into_iter().enumerate() {
                    self.change(side, *change, at);
                    if let Some(then) = &mut self.unheard {
                        then.change(side, *change, at);
                    }
                }
            }
            _ => {
                if matches!(what, OrderKind::Stop | OrderKind::Run(_)) && self.unheard.is_none() {
                    self.unheard = Some(Box::new(self.clone()));
                }
                self.carried_out(what, at);
            }
        }
    }

    fn acted(&mut self, deed: &Deed, before: &State, after: &State, at: i64) {
        let playing = before.started.is_some() && before.ending.is_none();
        let turn = |state: &State| state.position().turn() as usize;
        let on_the_count = matches!(
            deed,
            Deed::Adjust {
                moves_done: Some(_),
                ..
            } | Deed::Dismiss { .. }
                | Deed::Restore { .. }
        );
        if on_the_count {
            self.unheard = None;
        }
        match deed {
            Deed::Start if before.started.is_none() => self.run_by_ruling(after.bare_turn as usize, at),
            Deed::Pause if playing => self.stop_by_ruling(at),
            Deed::Resume if playing => {
                // Whoever has pressed has made his move, though the board has not shown it yet, or does not show which.
                // Both counted from where a position was told last.
                let (presses, plies) = after.told_position.unwrap_or_default();
                let entered_ahead = after.record.len() + presses > after.bare_presses.len() + plies;
                // A press without a move that was ruled on, or dismissed, leaves the move with its player.
                let open = |item: &Arc<OpenItem>| item.key.kind == Kind::IllegalMove;
                let unexplained = before.puzzling.is_some() || before.passed && before.items.iter().any(open);
                let pressed = before.last_press.iter().flatten().max_by_key(|press| press.at);
                let side = if let Some(press) = before.waiting.last() {
                    press.pressed.by.other() as usize
                } else if let Some(press) = pressed.filter(|_| unexplained) {
                    press.by.other() as usize
                } else if after.board.is_some() || entered_ahead {
                    turn(after)
                } else {
                    after.bare_turn as usize
                };
                self.run_by_ruling(side, at);
            }
            Deed::Adjust {
                white,
                black,
                moves_done,
            } => {
                for (side, time) in [white, black].into_iter().enumerate() {
                    // A time that is set with the count is that of the period which the count says.
                    if let (Some(moves), Some(TimeChange::To(_)), true) = (moves_done, time, self.on_moves) {
                        self.count_if_running(at);
                        let behind = |period: &usize| self.required(*period).is_some_and(|required| required <= *moves);
                        self.period[side] = (0..).take_while(behind).count();
                    }
                }
                self.change_by_ruling(0, *white, at);
                self.change_by_ruling(1, *black, at);
            }
            Deed::Penalise { of, what } if before.ending.is_none() => match what {
                Penalty::AddTime(span) => self.change_by_ruling(of.other() as usize, Some(TimeChange::By(*span)), at),
                Penalty::TakeTime(span) => self.change_by_ruling(*of as usize, Some(TimeChange::By(-*span)), at),
                Penalty::Warning | Penalty::Loss => {}
            },
            Deed::Restore { .. } => {
                self.count_if_running(at);
                self.used = [0; 2];
            }
            Deed::Dismiss { item } => {
                let open = match item {
                    Some(number) => before.item(*number),
                    None => before.shown_items().next(),
                };
                // 8.6: there were enough moves, and the period comes.
                if let Some((
                    of,
                    Matter::Flag {
                        period,
                        frozen: true,
                        missing: Some(_),
                        ..
                    },
                )) = open.map(|item| (item.key.of, &item.matter))
                    && let (Some(of), true) = (of, self.required(*period as usize).is_some())
                {
                    self.count_if_running(at);
                    self.period[of as usize] = *period as usize + 1;
                    let time = self.of(*period as usize + 1).1;
                    self.change_by_ruling(of as usize, Some(TimeChange::By(Millis(time))), at);
                }
            }
            Deed::Reopen => {
                if let (Some(_), None, Some(end)) = (&before.ending, &after.ending, self.at_the_end.take()) {
                    *self = *end;
                }
            }
            _ => {}
        }
    }

    fn ruled(&mut self, ruling: &Ruling, item: Option<&OpenItem>, before: &State, after: &State, at: i64) {
        self.unheard = None;
        match ruling {
            Ruling::Offence { offence, ends, .. } => {
                self.stop_by_ruling(at);
                if ends.is_none() {
                    self.offence(offence, item, before, at);
                }
            }
            Ruling::WrongClaim { by, .. } => {
                self.stop_by_ruling(at);
                let penalty = self.penalty();
                self.change_by_ruling(by.other() as usize, Some(TimeChange::By(Millis(penalty))), at);
            }
            Ruling::NewGame => {
                (self.left, self.used, self.period) = ([self.at_the_start(); 2], [0; 2], [0; 2]);
                (self.running, self.since) = (None, at);
                self.presses.clear();
                self.overtaken.append(&mut self.by_hand);
                let changes = before
                    .wants
                    .iter()
                    .filter(|want| matches!(want.what, Wanted::Change { .. }));
                self.overtaken.extend(changes.map(|want| want.id));
            }
            Ruling::StopClocks => self.stop_by_ruling(at),
            Ruling::TakeReading(_) => {
                // Both have gone on since: what stands is by how much the clock differs.
                if let Some(Matter::Adjusted { count, shown, .. }) = item.map(|item| &item.matter) {
                    self.change(0, Some(TimeChange::By(shown.white - count.white)), at);
                    self.change(1, Some(TimeChange::By(shown.black - count.black)), at);
                }
            }
            _ => {}
        }
        let _ = after;
    }

    /// 7.5.5: what the press gave is taken back, and the opponent gets his time.
    fn offence(&mut self, offence: &Offence, item: Option<&OpenItem>, before: &State, at: i64) {
        self.count_if_running(at);
        let of = offence.of as usize;
        let imposed = offence.unpromoted.is_some() && offence.ply.is_some_and(|ply| ply < before.record.len());
        if offence.gain.is_some() {
            let moment = match offence.ply.and_then(|ply| before.record.get(ply)) {
                Some(ply) => ply.pressed.map(|pressed| pressed.at.0),
                None => item
                    .filter(|item| item.key.kind == Kind::IllegalMove && item.observed != Some(item.since))
                    .map(|item| item.key.anchor),
            };
            // What was seen is the last press before it was.
            let seen = item.map_or(at, |item| item.since.0);
            let his = self.presses.iter().rev().filter(|press| press.by == of);
            let press = his
                .clone()
                .find(|press| Some(press.at) == moment)
                .or(his.clone().find(|press| press.at <= seen))
                .copied();
            let press = press.expect("a press that was counted");
            // A move that stands with a queen was completed, and a period that it brought stays with it.
            let back = if imposed && press.brought {
                press.gain - self.of(press.period + 1).1
            } else {
                press.gain
            };
            if back != 0 {
                self.change_by_ruling(of, Some(TimeChange::By(Millis(-back))), at);
            }
            if !imposed {
                self.used[of] = press.used;
                // A period that came since stays.
                if press.brought {
                    self.period[of] = press.period;
                }
            }
        }
        if before.board.is_none() {
            // Without a board the moves are the presses: those from the offence on are taken back.
            if let Some(last) = self.presses.iter().rposition(|press| press.by == of) {
                self.presses.truncate(last);
            }
        }
        let penalty = self.penalty();
        self.change_by_ruling(other(of), Some(TimeChange::By(Millis(penalty))), at);
        if !imposed {
            self.used[other(of)] = 0;
        }
    }

    // What an arbiter or a ruling does to the clocks: at once, or by orders to a clock that takes them.

    fn stop_by_ruling(&mut self, at: i64) {
        if !self.counting {
            self.stop(at);
        }
    }

    fn run_by_ruling(&mut self, side: usize, at: i64) {
        if !self.counting {
            self.run(side, at);
        }
    }

    fn change_by_ruling(&mut self, side: usize, change: Option<TimeChange>, at: i64) {
        if !self.counting {
            self.change(side, change, at);
        }
    }

    /// The clock has done this.
    fn carried_out(&mut self, order: &OrderKind, at: i64) {
        let both = |white: &Millis, black: &Millis, to: fn(Millis) -> TimeChange| [Some(to(*white)), Some(to(*black))];
        let changes = match order {
            OrderKind::Control => [None; 2],
            OrderKind::Stop => {
                self.stop(at);
                [None; 2]
            }
            OrderKind::Run(side) => {
                self.run(*side as usize, at);
                [None; 2]
            }
            OrderKind::Add { white, black } => both(white, black, TimeChange::By),
            OrderKind::Set { white, black, .. } => both(white, black, TimeChange::To),
        };
        (0..2).for_each(|side| self.change(side, changes[side], at));
    }
}

/// Items by their numbers.
type Items = BTreeMap<u64, Arc<OpenItem>>;

/// A game's steps followed one by one: its states, from what was journalled, and the ledger's pages.
pub struct Follower {
    control: crate::laws::TimeControl,
    first: u64,
    states: Vec<Arc<State>>,
    /// The steps, for whoever looks for a fault.
    told: Vec<Step>,
    pages: Vec<(i64, Ledger)>,
    items: Items,
}

impl Follower {
    pub fn new(game: &Game) -> Follower {
        let ledger = Ledger::new(game.setup());
        Follower {
            control: game.setup().time_control.clone(),
            first: game.timeline.number(),
            states: vec![Arc::new(game.state().clone())],
            told: Vec::new(),
            pages: vec![(i64::MIN, ledger)],
            items: Items::new(),
        }
    }

    pub fn state(&self) -> &State {
        self.states.last().expect("the first is always there")
    }

    pub fn follow(&mut self, event: &Event, desk: &Desk) {
        let steps = match event {
            Event::Taken { steps, .. } => steps,
            Event::Reconsidered { back_to, steps, .. } => {
                let keep = usize::try_from(back_to - self.first).expect("a step") + 1;
                self.states.truncate(keep);
                self.pages.truncate(keep);
                steps
            }
        };
        for step in steps {
            let before = Arc::clone(self.states.last().expect("the first is always there"));
            let mut after = (*before).clone();
            after.apply(&step.change, step.input.as_deref()).expect("it fits");
            let (_, mut ledger) = self.pages.last().expect("the first is always there").clone();
            ledger.step(step, (&before, &after), &self.pages, &self.items, desk);
            let at = after.time;
            let shown = Color::BOTH.map(|side| after.clock.shows(side, at, &self.control).0);
            let counted = [ledger.shows(0, at.0), ledger.shows(1, at.0)];
            self.told.truncate(self.states.len() - 1);
            self.told.push(step.clone());
            let told = || {
                let from = self.told.len().saturating_sub(20);
                let line = |(nth, step): (usize, &Step)| {
                    let (number, at, notes) = (step.number, step.at, &step.notes);
                    let clock = self
                        .states
                        .get(from + nth + 1)
                        .map_or(&after.clock, |state| &state.clock);
                    format!(
                        "{number} at {at:?}: {:?} {notes:?} {clock:?}",
                        step.input.as_deref().map(|input| &input.what)
                    )
                };
                self.told[from..]
                    .iter()
                    .enumerate()
                    .map(line)
                    .collect::<Vec<_>>()
                    .join("\n")
            };
            assert_eq!(
                shown,
                counted,
                "what the clocks show (left) is not what was granted and used, {}",
                told()
            );
            assert_eq!(
                after.clock.running().map(|side| side as usize),
                ledger.running,
                "whose time runs, {}",
                told()
            );
            self.pages.push((after.time.0, ledger));
            let open = after.items.iter().map(|item| (item.number, Arc::clone(item)));
            self.items.extend(open);
            self.states.push(Arc::new(after));
        }
    }
}
