//! What arbiters do.

use std::sync::Arc;

use super::event::Note;
use super::input::{Act, Deed, Observation, Origin, Penalty, Restoration, TimeChange};
use super::item::{Kind, Matter, Offence, OpenItem, Ruled, Ruling};
use super::setup::BoardKind;
use super::state::{State, Told};
use super::table::Table;
use crate::chess::{Color, Illegality, Position, Role, Variant};
use crate::laws::open_points::{Alert, BothAbsent};
use crate::laws::{GameResult, PeriodRule, Termination, Zero};
use crate::time::Millis;

/// "I am on it" lapses after so long.
pub(super) const TAKEN_FOR: Millis = Millis::mins(3);

impl Table<'_> {
    /// Takes an act at the state's time. What cannot be done as things stand is not done.
    pub fn act(&mut self, act: &Act, origin: &Origin, made: Option<&Ruled>) {
        let author = author(origin);
        match &act.what {
            Deed::Start => self.start(),
            Deed::Pause => {
                if self.in_play() {
                    if self.s.clock.running().is_some() {
                        self.tell(Told::Stopped);
                    }
                    self.stop_by_ruling();
                }
            }
            Deed::Resume => {
                self.s.nobody_there = false;
                if self.in_play() {
                    let turn = self.s.to_run(self.setup);
                    if self.s.clock.running() != Some(turn) || !self.s.wants.is_empty() {
                        self.run_by_ruling(turn);
                    }
                }
            }
            Deed::Adjust {
                white,
                black,
                moves_done,
            } => {
                if let Some(moves) = moves_done {
                    for (color, time) in Color::BOTH.into_iter().zip([white, black]) {
                        self.s.clock.set_completed(color, *moves);
                        // A time that is set with the count is that of the period which the count says: none is added for it later.
                        if self.setup.period_rule == PeriodRule::OnMoves && matches!(time, Some(TimeChange::To(_))) {
                            let behind = self.setup.time_control.periods_behind(*moves);
                            self.s
                                .clock
                                .set_period(color, behind, self.s.time, &self.setup.time_control);
                        }
                    }
                }
                self.change_times([*white, *black], moves_done.is_some());
                self.acted("adjust", &["6.10.2"], &author, act);
            }
            Deed::Confirm { item, promotion } => match made {
                Some(made) => self.rule_again(made, &author, &act.reason),
                None => self.confirm(*item, *promotion, &author, &act.reason),
            },
            Deed::Dismiss { item } => self.dismiss(*item, &author, act),
            Deed::Observe { what, of } => self.observe(*what, *of),
            Deed::Restore { to } => {
                self.restore(to);
                self.acted("restore", &["7.1"], &author, act);
            }
            Deed::Penalise { of, what } => {
                self.penalise(*of, *what);
                self.acted("penalise", &["12.9"], &author, act);
            }
            Deed::Decide { result } => {
                if let Ok(result) = result.parse::<GameResult>() {
                    self.judge_what_is_shown();
                    self.end(result, Termination::Arbiter, self.s.time, true);
                    self.acted("result", &["8.7"], &author, act);
                }
            }
            Deed::Reopen => {
                self.reopen();
                self.acted("reopen", &["8.7"], &author, act);
            }
            Deed::EnterMove { mv } => self.enter(mv, &author, act),
            Deed::Promoted { ply, role } => {
                if let Some(at) = (*ply as usize).checked_sub(1) {
                    self.promoted(at, *role);
                    self.acted("promoted", &["4.4.4"], &author, act);
                }
            }
            Deed::Take { item } => {
                let now = self.s.time;
                // An arbiter who acknowledges an alert has seen what it is about (6.8, A.5.2).
                let known = self.s.item(*item).is_some_and(|item| item.key.kind.is_for_eyes());
                if known && self.setup.open_points.alert != Alert::Never {
                    self.join(|open| open.number == *item);
                }
                self.edit_item(*item, |item| item.taken = Some((author, now)));
            }
            Deed::MarkPresent { who, present: true } => self.arrived(*who),
            Deed::MarkPresent { who, present: false } => self.s.present[*who as usize] = false,
            // It changes nothing that anybody could have looked at: the table's revision stays.
            Deed::Note => self.notes.push(Note::Acted {
                what: "note".to_owned(),
                articles: Vec::new(),
                author,
                reason: act.reason.clone(),
            }),
        }
    }

    fn acted(&mut self, what: &str, articles: &[&str], author: &str, act: &Act) {
        self.s.rulings = self.s.rulings.saturating_add(1);
        self.notes.push(Note::Acted {
            what: what.to_owned(),
            articles: articles.iter().map(|&article| article.to_owned()).collect(),
            author: author.to_owned(),
            reason: act.reason.clone(),
        });
    }

    /// 6.6.
    fn start(&mut self) {
        if self.s.started.is_some() || self.s.ending.is_some() {
            return;
        }
        self.s.started = Some(self.s.time);
        let turn = self.s.turn(self.setup);
        let nobody = self.s.present == [false, false] && self.setup.open_points.both_absent == BothAbsent::Nobody;
        match self.s.hand_started.take() {
            Some(at) => {
                self.s.clock.run(turn, at, &self.setup.time_control);
            }
            None if nobody => self.s.nobody_there = true,
            None => self.run_by_ruling(turn),
        }
        self.reset_board();
    }

    /// The item meant: this one, or the oldest that arbiters see.
    fn meant(&self, item: Option<u64>) -> Option<Arc<OpenItem>> {
        match item {
            Some(number) => self.s.item(number).cloned(),
            None => self.s.shown_items().next().cloned(),
        }
    }

    fn confirm(&mut self, item: Option<u64>, promotion: Option<Role>, author: &str, reason: &str) {
        let Some(item) = self.meant(item) else {
            // With nothing open it acknowledges an ending that the hub found.
            if let Some(ending) = &mut self.s.ending {
                Arc::make_mut(ending).announced = true;
            }
            return;
        };
        let ruling = match (self.propose(&item), promotion) {
            (Ruling::Promoted { ply, .. }, Some(role)) => Ruling::Promoted { ply, role },
            (ruling, _) => ruling,
        };
        self.rule(&item, ruling, author, reason);
    }

    fn dismiss(&mut self, item: Option<u64>, author: &str, act: &Act) {
        let Some(item) = self.meant(item) else { return };
        self.close(|open| open.number == item.number);
        let articles = super::articles::of_item(&item, self.setup);
        let articles: Vec<&str> = articles.iter().map(String::as_str).collect();
        self.acted("dismiss", &articles, author, act);
        match &item.matter {
            Matter::Flag {
                period,
                frozen,
                missing,
                ..
            } => self.flag_dismissed(item.key.of, *period, *frozen, *missing),
            Matter::Absence { .. } => self.s.present = [true, true],
            Matter::Offence(offence) => self.castling_was_finished(offence),
            _ => {}
        }
    }

    /// The king went two squares and the rook was left at the press (4.7.2): where the arbiter takes it for castling that was only
    /// unfinished, and the rook has come since, it is castling.
    fn castling_was_finished(&mut self, offence: &Offence) {
        let Some(at) = offence.ply.filter(|at| at + 1 == self.s.record.len()) else {
            return;
        };
        if !matches!(offence.why, Some(Illegality::RookNotMoved { .. })) {
            return;
        }
        let from = Arc::clone(self.s.position_after(at));
        let Ok(after) = from.play(&self.s.record[at].mv) else {
            return;
        };
        let shown = self
            .s
            .board
            .as_ref()
            .is_some_and(|board| board.sensor.agrees_with(&after));
        if !shown {
            return;
        }
        self.s.record.edit(at, |ply| {
            ply.san = from.san(&ply.mv);
            ply.illegal = None;
            ply.after = Arc::new(after);
        });
        let position = Arc::clone(self.s.position());
        if let Some(board) = &mut self.s.board {
            Arc::make_mut(board).sensor.settle(&position);
        }
    }

    /// 8.6: the scoresheets show enough moves, so the count is corrected and, on moves, the period granted.
    fn flag_dismissed(&mut self, of: Option<Color>, period: u32, frozen: bool, missing: Option<u32>) {
        let Some(of) = of else { return };
        let control = &self.setup.time_control;
        if let Some(required) = control.moves_required(period) {
            let completed = self.s.clock.half(of).completed.max(required);
            self.s.clock.set_completed(of, completed);
            // The move that is on the board without its press is among those of the scoresheets.
            if let Some(last) = self.s.record.iter().rposition(|ply| ply.by == of && !ply.completed) {
                self.s.record.edit(last, |ply| ply.completed = true);
            }
            if frozen && missing.is_some() {
                self.s
                    .clock
                    .set_period(of, period + 1, self.s.time, &self.setup.time_control);
                self.change_times_of(of, TimeChange::By(control.period(period + 1).time));
            }
        }
        // What was made on the board while the flag was to be judged counts now.
        let last = self
            .s
            .record
            .last()
            .filter(|last| last.illegal.is_none())
            .map(|last| last.by);
        if let Some(by) = last.filter(|_| self.in_play() && !self.flag_decides()) {
            self.conclude(by, self.s.time);
        }
    }

    fn change_times_of(&mut self, of: Color, change: TimeChange) {
        let mut changes = [None; 2];
        changes[of as usize] = Some(change);
        self.change_times(changes, false);
    }

    /// The arbiter has seen it himself.
    fn observe(&mut self, what: Observation, of: Option<Color>) {
        if !self.in_play() {
            return;
        }
        match what {
            Observation::Flag => {
                let meant =
                    |item: &OpenItem| item.key.kind == Kind::Flag && of.is_none_or(|of| item.key.of == Some(of));
                if !self.join(meant) {
                    self.flag_seen(of);
                }
            }
            Observation::IllegalMove | Observation::TwoHands => self.offence_seen(of, what == Observation::TwoHands),
            Observation::IllegalPosition => self.illegal_position_seen(),
            Observation::ColoursReversed => {
                let moves = self.s.moves_made(Color::Black);
                self.bring(Kind::ColoursReversed, None, Matter::WrongStart { moves });
            }
            Observation::WrongSetup => {
                let moves = self.s.completed().into_iter().min().unwrap_or(0);
                self.bring(Kind::WrongSetup, None, Matter::WrongStart { moves });
            }
            Observation::WrongClock => self.bring(Kind::WrongClock, of, Matter::WrongClock),
            Observation::Device => self.bring(Kind::Device, of, Matter::Device),
        }
    }

    /// A flag that the hub's count does not show: the arbiter's eyes on the clock decide (6.8, 6.10.1).
    fn flag_seen(&mut self, of: Option<Color>) {
        let Some(of) = of.or(self.s.clock.running()) else {
            return;
        };
        let period = self.s.clock.half(of).period;
        let missing = self
            .setup
            .time_control
            .moves_required(period)
            .map(|required| required.saturating_sub(self.s.clock.half(of).completed));
        self.bring(
            Kind::Flag,
            Some(of),
            Matter::Flag {
                period,
                frozen: true,
                missing,
                by_clock: false,
                unordered: None,
                seen_only: true,
            },
        );
    }

    fn offence_seen(&mut self, of: Option<Color>, two_hands: bool) {
        let Some(of) = of
            .or(self.s.record.last().map(|ply| ply.by))
            .or(self.s.clock.running().map(Color::other))
        else {
            return;
        };
        let open = |item: &OpenItem| item.key.kind == Kind::IllegalMove && item.key.of == Some(of);
        if let Some(item) = self.s.items.iter().rev().find(|item| open(item)).cloned() {
            // Two faults in one move are one offence.
            let last = self.s.record.iter().rposition(|ply| ply.by == of);
            let same = matches!(&item.matter, Matter::Offence(offence) if offence.ply.is_none() || offence.ply == last);
            if !two_hands || same {
                self.join(|open| open.number == item.number);
                self.edit_item(item.number, |item| {
                    if let Matter::Offence(offence) = &mut item.matter {
                        offence.two_hands |= two_hands;
                    }
                });
                return;
            }
        }
        if let Some(offence) = self.last_offence(of, two_hands) {
            self.bring(Kind::IllegalMove, Some(of), Matter::Offence(offence));
        }
    }

    /// The offence that an arbiter has seen in a player's last completed move.
    fn last_offence(&self, of: Color, two_hands: bool) -> Option<Offence> {
        if self.setup.board == BoardKind::None {
            let pressed = self.s.last_press[of as usize]?;
            let answered = self.s.last_press[of.other() as usize].is_some_and(|press| press.at > pressed.at);
            return Some(Offence {
                of,
                ply: None,
                keep: self.s.record.len(),
                mv: None,
                why: None,
                unpromoted: None,
                two_hands,
                gain: Some(pressed.gain),
                completed: pressed.before,
                stands: self.limited() && answered,
            });
        }
        let completed = |at: &usize| self.s.record[*at].by == of && self.s.record[*at].completed;
        let mut his = (0..self.s.record.len()).rev().filter(completed);
        let last = his.next()?;
        // The one that really was illegal, where there is one; with limited supervision only the last is looked at.
        let illegal = |at: &usize| self.s.record[*at].illegal.is_some();
        let at = if two_hands || self.limited() || illegal(&last) {
            last
        } else {
            his.find(illegal).unwrap_or(last)
        };
        let ply = &self.s.record[at];
        let answered = self.s.record[at + 1..].iter().any(|later| later.by != of);
        Some(Offence {
            of,
            ply: Some(at),
            keep: at,
            mv: Some(ply.mv),
            why: ply.illegal,
            unpromoted: match ply.illegal {
                Some(crate::chess::Illegality::NotPromoted { square }) => Some(square),
                _ => None,
            },
            two_hands,
            gain: ply.pressed.map(|pressed| pressed.gain),
            completed: ply.pressed.map_or(ply.before, |pressed| pressed.before),
            stands: self.limited() && answered,
        })
    }

    /// Both kings in check, a pawn on its last rank, or another position that cannot be.
    fn illegal_position_seen(&mut self) {
        let completed = self.completed_by_both();
        if self.limited() {
            self.bring(
                Kind::IllegalPosition,
                None,
                Matter::IllegalPosition {
                    completed,
                    offence: None,
                },
            );
            return;
        }
        if self.join(|item| item.key.kind == Kind::IllegalMove) {
            return;
        }
        let first = self
            .s
            .record
            .iter()
            .position(|ply| ply.illegal.is_some() && ply.completed);
        let offence = first.and_then(|at| {
            let ply = &self.s.record[at];
            Some(Offence {
                ply: Some(at),
                keep: at,
                ..self.last_offence(ply.by, false)?
            })
            .map(|offence| Offence {
                mv: Some(ply.mv),
                why: ply.illegal,
                gain: ply.pressed.map(|pressed| pressed.gain),
                completed: ply.pressed.map_or(ply.before, |pressed| pressed.before),
                ..offence
            })
        });
        let of = offence.as_ref().map(|offence| offence.of);
        self.bring(
            Kind::IllegalPosition,
            of,
            Matter::IllegalPosition { completed, offence },
        );
    }

    /// 7.1: the position is put back; times stay.
    fn restore(&mut self, to: &Restoration) {
        let keep = match to {
            Restoration::Keep(keep) => Some(*keep as usize),
            Restoration::Fen(fen) => match self.read_position(fen) {
                Some(position) => {
                    let wanted = position.identity();
                    let known = (0..=self.s.record.len())
                        .rev()
                        .find(|&plies| self.s.position_after(plies).identity() == wanted);
                    if known.is_none() {
                        self.take_back_to(self.s.record.len(), self.s.completed());
                        self.s.base = (self.s.record.len(), Arc::new(position));
                        self.reset_board();
                    }
                    known
                }
                None => return,
            },
        };
        if let Some(keep) = keep.filter(|keep| *keep <= self.s.record.len()) {
            let completed = self.s.record.get(keep).map_or(self.s.completed(), |ply| ply.before);
            self.take_back_to(keep, completed);
        }
        Color::BOTH.into_iter().for_each(|color| {
            self.s
                .clock
                .set_used(color, Millis::ZERO, self.s.time, &self.setup.time_control)
        });
        self.tell(Told::Ruling);
    }

    pub fn read_position(&self, fen: &str) -> Option<Position> {
        let variant = if self.setup.chess960 {
            Variant::Chess960
        } else {
            Variant::Standard
        };
        Position::from_fen(fen, variant).ok()
    }

    /// 12.9.
    fn penalise(&mut self, of: Color, what: Penalty) {
        if self.s.ending.is_some() {
            return;
        }
        self.tell(Told::Ruling);
        match what {
            Penalty::Warning => {}
            Penalty::AddTime(span) => self.change_times_of(of.other(), TimeChange::By(span)),
            Penalty::TakeTime(span) => {
                self.change_times_of(of, TimeChange::By(-span));
                // A clock that stands at zero has fallen.
                if self.s.clock.half(of).left == Millis::ZERO && self.s.clock.running().is_none() && self.in_play() {
                    self.flag(of, Zero::Frozen);
                }
            }
            Penalty::Loss => self.end(GameResult::win(of.other()), Termination::Penalty, self.s.time, true),
        }
    }

    /// The last moment before the end is back, the clocks standing.
    fn reopen(&mut self) {
        let Some(ending) = self.s.ending.take() else { return };
        let mut before: State = (*ending.before).clone();
        before.record = self.s.record.clone();
        before.record.truncate(ending.keep);
        before.record.extend(&ending.tail);
        before.time = self.s.time;
        before.told = self.s.told.clone();
        before.wanted = self.s.wanted;
        before.rulings = self.s.rulings;
        before.verdicts = Arc::clone(&self.s.verdicts);
        before.asks = Arc::clone(&self.s.asks);
        self.s = before;
        self.reset_board();
    }

    /// A move entered or mended by hand.
    fn enter(&mut self, text: &str, author: &str, act: &Act) {
        let Some(mv) = self.read_move(text) else { return };
        if !self.in_play() {
            return;
        }
        let by = self.s.position().turn();
        let waiting = self.s.puzzling.take();
        let passed = self.s.passed;
        let at = waiting.map_or(self.s.time, |waiting| waiting.pressed.at);
        self.made(by, mv, at, false);
        let last = self.s.record.len() - 1;
        let press = match (self.setup.board, waiting) {
            (BoardKind::None, _) => self.s.bare_presses.get(last).copied(),
            (_, Some(waiting)) => Some(waiting.pressed),
            // The press has come and found no move: this is the one.
            (_, None) if passed => self.latest_press(by),
            _ => None,
        };
        if let Some(pressed) = press.filter(|pressed| pressed.by == by) {
            self.s.record.edit(last, |ply| {
                ply.pressed = Some(pressed);
                ply.completed = true;
                ply.made = ply.made.min(pressed.at);
            });
        }
        self.close(|item| item.key.kind.is_about_the_picture());
        let position = Arc::clone(self.s.position());
        if let Some(board) = &mut self.s.board {
            let board = Arc::make_mut(board);
            if board.sensor.agrees_with(&position) {
                board.sensor.settle(&position);
            } else {
                self.reset_board();
            }
        }
        self.acted("enter-move", &["8.5.3"], author, act);
    }
}

/// Who it was, for the journal.
fn author(origin: &Origin) -> String {
    match origin {
        Origin::Person { name, .. } => name.clone(),
        Origin::Device { device, .. } => device.clone(),
        Origin::Hub => "regulations".to_owned(),
    }
}
