//! What arbiters do.

use std::sync::Arc;

use super::event::Note;
use super::input::{Act, Deed, Fact, Origin, Penalty, Restoration, TimeChange};
use super::item::{Matter, Offence, OpenItem, Ruled, Ruling};
use super::orders::{Want, Wanted};
use super::setup::BoardKind;
use super::state::{Board, Pressed, State, Told};
use super::table::Table;
use crate::chess::{Color, Illegality, Picture, Position, Role, Square, Variant};
use crate::laws::open_points::{Alert, BothAbsent};
use crate::laws::{GameResult, PeriodRule, Termination, Zero};
use crate::time::Millis;

/// "I am on it" lapses after so long.
pub(super) const TAKEN_FOR: Millis = Millis::mins(3);

impl Table<'_> {
    /// Takes an act at the state's time. What cannot be done as things stand is not done.
    pub fn act(&mut self, act: &Act, origin: &Origin, made: Option<&Ruled>) {
        let author = author(origin);
        if matches!(
            act.what,
            Deed::Adjust {
                moves_done: Some(_),
                ..
            } | Deed::Dismiss { .. }
                | Deed::Restore { .. }
        ) {
            // What is ruled now is ruled on the count as it is.
            self.s.unheard = None;
        }
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
            Deed::SetPeriods { white, black } => {
                for (color, period) in Color::BOTH.into_iter().zip([white, black]) {
                    if let Some(period) = period {
                        let (now, control) = (self.s.time, &self.setup.time_control);
                        self.s.clock.set_period(color, *period, now, control);
                    }
                }
                self.acted("periods", &["6.10.2"], &author, act);
            }
            Deed::Mend { ply, mv } => {
                if let Some(mended) = (*ply as usize).checked_sub(1).and_then(|at| self.s.mended(at, mv).ok()) {
                    let to = self.s.record.len() - mended.len();
                    self.s.record.truncate(to);
                    self.s.record.extend(&mended);
                    self.reset_board();
                    self.acted("mend", &["8.5.3"], &author, act);
                }
            }
            Deed::ClaimedMoves { item, moves } => {
                self.edit_item(*item, |item| item.claimed.clone_from(moves));
                self.said("claimed-moves", &["9.2.3"], &author, act);
            }
            Deed::MaskSquares { squares } => {
                self.mask_board(squares);
                self.acted("mask-squares", &[], &author, act);
            }
            Deed::UseBoard { used } => {
                if *used {
                    self.s.without_board = false;
                    self.s.bare_presses = Arc::default();
                    self.s.told_position = None;
                    self.reset_board();
                } else {
                    self.leave_board();
                }
                self.acted("use-board", &[], &author, act);
            }
            Deed::Appeal(step) => {
                self.s.appeal(step, &author, act);
                self.said("appeal", &["11.10"], &author, act);
            }
            // It changes nothing that anybody could have looked at: the table's revision stays.
            Deed::Note => self.said("note", &[], &author, act),
        }
    }

    /// What the board shows stays, but for the squares that are masked now, or no more.
    fn mask_board(&mut self, squares: &[Square]) {
        let before = std::mem::replace(&mut self.s.masked, squares.to_vec());
        let Some(mut shown) = self.s.board.as_ref().map(|board| board.sensor.picture()) else {
            return;
        };
        let position = Arc::clone(self.s.position());
        // What was masked has told nothing: it is taken for what the record says until the board shows it.
        for square in before.into_iter().filter(|square| !squares.contains(square)) {
            match &mut shown {
                Picture::Pieces(placement) => placement.set(square, position.piece_at(square)),
                Picture::Occupancy(taken) => taken.set(square, position.piece_at(square).is_some()),
            }
        }
        self.s.board = Board::showing(self.s.board_kind(self.setup), &position, squares);
        if let Some(board) = &mut self.s.board {
            let board = Arc::make_mut(board);
            board.sensor.place(&shown);
            board.changed = self.s.time;
        }
    }

    /// The board tells nothing any more: from here on moves are entered, and presses counted. One that no move is known for yet is that
    /// of the move that is entered next.
    fn leave_board(&mut self) {
        if self.s.board_kind(self.setup) == BoardKind::None {
            return;
        }
        let mut open: Vec<Pressed> = self.s.puzzling.take().into_iter().map(|press| press.pressed).collect();
        open.extend(
            std::mem::take(&mut self.s.waiting)
                .into_iter()
                .map(|press| press.pressed),
        );
        let turn = self.s.position().turn();
        open.retain(|press| press.at > self.s.started.unwrap_or(press.at));
        let next = open.last().map_or(turn, |press| press.by.other());
        self.s.without_board = true;
        self.s.passed = false;
        self.s.board_from = None;
        self.s.board_boot = None;
        self.s.told_position = Some((0, self.s.record.len()));
        self.s.bare_presses = Arc::new(open);
        self.s.bare_turn = next;
        self.close(|item| item.key.kind.is_about_the_picture());
        self.reset_board();
    }

    fn acted(&mut self, what: &str, articles: &[&str], author: &str, act: &Act) {
        self.s.rulings = self.s.rulings.saturating_add(1);
        self.said(what, articles, author, act);
    }

    /// For the record; nobody's ruling rests on it, and the table's revision stays.
    fn said(&mut self, what: &str, articles: &[&str], author: &str, act: &Act) {
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
        // What was lost may have been touched since.
        let (gap, behind, presses) = (self.s.picture_gap, self.s.behind, self.s.presses_lost);
        let in_hand = self.pieces_in_hand();
        self.reset_board();
        (self.s.picture_gap, self.s.behind, self.s.presses_lost) = (gap, behind, presses);
        if let Some(board) = in_hand {
            self.s.board = Some(board);
        }
    }

    /// The board as it stands, where pieces of at most two squares are in the air and all else is as the position of record: whoever takes
    /// the piece of his first move as the round is called has it in his hand then.
    fn pieces_in_hand(&self) -> Option<Arc<Board>> {
        let (sensor, position) = (&self.s.board.as_ref()?.sensor, self.s.position());
        let away = sensor.differences(position);
        if !(1..=2).contains(&away.len()) {
            return None;
        }
        let mut board = Board::showing(self.s.board_kind(self.setup), position, &self.s.masked)?;
        let taken = Arc::make_mut(&mut board);
        for square in away {
            taken.sense(&Fact::Lifted { square }, self.s.time);
        }
        (taken.sensor.picture() == sensor.picture()).then_some(board)
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

    /// 7.1: the position is put back; times stay.
    fn restore(&mut self, to: &Restoration) {
        let had = self.s.record.len();
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
                        self.s.position_was_told(self.setup);
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
            if keep < had {
                self.s.presses_taken_back_to(keep, self.setup);
            } else if matches!(to, Restoration::Fen(_)) {
                self.s.position_was_told(self.setup);
            }
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
        // What was taken back since the end stays taken back.
        let taken_back = (self.s.record.len() < ending.keep).then(|| (self.s.record.len(), self.s.completed()));
        let mut before: State = (*ending.before).clone();
        // The clock is still to stop, if it has not yet.
        let stops = |want: &&Want| want.what == Wanted::Stop;
        let stop = self.s.wants.iter().filter(stops).cloned().collect();
        let unanswered = std::mem::replace(&mut before.wants, stop);
        before.record = self.s.record.clone();
        before.record.truncate(ending.keep);
        if taken_back.is_none() {
            before.record.extend(&ending.tail);
        }
        before.time = self.s.time;
        before.told = self.s.told.clone();
        before.wanted = self.s.wanted;
        before.rulings = self.s.rulings;
        before.verdicts = Arc::clone(&self.s.verdicts);
        before.asks = Arc::clone(&self.s.asks);
        before.appeals = Arc::clone(&self.s.appeals);
        before.masked = self.s.masked.clone();
        self.s = before;
        if let Some((keep, completed)) = taken_back {
            self.take_back_to(keep, completed);
            self.s.presses_taken_back_to(keep, self.setup);
        }
        self.reset_board();
        self.give_again(&unanswered);
    }

    /// A move entered or mended by hand.
    fn enter(&mut self, text: &str, author: &str, act: &Act) {
        let Some(mv) = self.read_move(text) else { return };
        if !self.in_play() {
            return;
        }
        let by = self.s.position().turn();
        let waiting = self.s.puzzling.take().or_else(|| self.press_to_be_told(by));
        let passed = self.s.passed;
        let at = waiting.map_or(self.s.time, |waiting| waiting.pressed.at);
        self.made(by, mv, at, false);
        let last = self.s.record.len() - 1;
        let press = match (self.s.board_kind(self.setup), waiting) {
            (BoardKind::None, _) => self.s.press_of(last).copied(),
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
