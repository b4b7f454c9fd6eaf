//! What is proposed for an item, and what carrying it out does (7.5.5, 6.9, 9.5.3 and the rest).

use std::sync::Arc;

use super::event::Note;
use super::input::TimeChange;
use super::item::{Bound, ClaimVerdict, Kind, Matter, Offence, OpenItem, QuickplayVerdict, Ruled, Ruling, Sign};
use super::setup::BoardKind;
use super::state::{State, Told};
use super::table::Table;
use crate::chess::{Color, Illegality, Move, Position, Role, Square};
use crate::laws::open_points::{
    DeviceFound, FlagDuringIrregularity, ImposedQueen, MovingOutOfTurn, QuickplayFinish, UnpromotedPress, VoidClaim,
};
use crate::laws::{GameResult, Termination, penalty};
use crate::time::Millis;

/// What each move of both adds where one of them has asked for it (Guidelines III.4).
const QUICKPLAY_INCREMENT: Millis = Millis::secs(5);

impl Table<'_> {
    /// The ruling proposed for an item as things stand.
    pub fn propose(&self, item: &OpenItem) -> Ruling {
        match &item.matter {
            Matter::Offence(offence) => self.propose_offence(offence),
            Matter::Flag { unordered: None, .. } => match item.key.of {
                Some(of) => self.propose_flag(of, item),
                None => Ruling::Nothing,
            },
            // Whether the game was over before is not known.
            Matter::Flag { .. } => Ruling::Nothing,
            Matter::Absence { white, black } => {
                let result = match (white, black) {
                    (true, true) => GameResult::BothLose,
                    (true, false) => GameResult::BlackWins,
                    _ => GameResult::WhiteWins,
                };
                Ruling::End {
                    result,
                    termination: Termination::Default,
                    by_material: false,
                }
            }
            Matter::DrawClaim { verdict, intends } => self.propose_claim(item, *verdict, *intends),
            // What the Guidelines leave to him, an arbiter rules himself: a result, or time to the opponent.
            Matter::Quickplay {
                verdict: QuickplayVerdict::CannotBeWon,
            } => Ruling::End {
                result: GameResult::Draw,
                termination: Termination::Arbiter,
                by_material: false,
            },
            Matter::Quickplay {
                verdict: QuickplayVerdict::IncrementAsked,
            } => match item.key.of {
                Some(by) => Ruling::Increment {
                    by,
                    increment: QUICKPLAY_INCREMENT,
                    time: self.setup.open_points.quickplay_time(self.setup.category),
                },
                None => Ruling::Nothing,
            },
            Matter::Quickplay { .. }
            | Matter::OtherClaim
            | Matter::Call { .. }
            | Matter::Disagreement { .. }
            | Matter::LateNews { .. }
            | Matter::Renewed { .. }
            | Matter::Lost { .. }
            | Matter::Silent { .. }
            | Matter::ClockTime { .. }
            | Matter::Unordered { .. }
            | Matter::MovesMissing => Ruling::Nothing,
            Matter::Promotion { ply, role } => Ruling::Promoted { ply: *ply, role: *role },
            Matter::IllegalPosition { completed, offence } => {
                self.propose_illegal_position(*completed, offence.as_ref())
            }
            Matter::WrongStart { moves } => self.propose_wrong_start(item.key.kind, *moves),
            Matter::WrongClock | Matter::SidesExchanged => {
                // A.5.1.1: after ten completed moves each nothing is changed, not even the setting.
                if self.limited() && self.s.completed().iter().all(|&completed| completed >= 10) {
                    Ruling::Nothing
                } else {
                    Ruling::StopClocks
                }
            }
            // 11.3.2.2: the opponent wins, whatever he has left; unless the regulations have something milder.
            Matter::Device => match item.key.of {
                Some(of) if self.setup.open_points.device_found == DeviceFound::Loss => Ruling::End {
                    result: GameResult::win(of.other()),
                    termination: Termination::Device,
                    by_material: false,
                },
                _ => Ruling::Nothing,
            },
            Matter::ResultSignal { result, shown } => self.propose_signalled(*result, *shown),
            Matter::Adjusted { taken: true, .. } => Ruling::Nothing,
            Matter::Adjusted { shown, .. } => Ruling::TakeReading(*shown),
        }
    }

    /// What the players show is what they have agreed on: the loser has resigned (5.1.2), or both want a draw (5.2.3).
    fn propose_signalled(&self, result: GameResult, shown: Sign) -> Ruling {
        let end = |result, termination, by_material| Ruling::End {
            result,
            termination,
            by_material,
        };
        match (shown, result.winner()) {
            (
                Sign::Entered {
                    white: Some(white),
                    black: Some(black),
                },
                _,
            ) if white != black => Ruling::Nothing,
            (Sign::Imposed, _) => end(result, Termination::Arbiter, false),
            (_, Some(winner)) => {
                let position = self.s.position();
                let (can_mate, by_material) = match self.s.knows_the_position(self.setup) {
                    true => self.can_mate(position, Some(self.s.record.len()), winner),
                    false => (true, false),
                };
                // Undecided: he can.
                if can_mate || by_material {
                    end(result, Termination::Resignation, false)
                } else {
                    end(GameResult::Draw, Termination::ResignationNoMate, false)
                }
            }
            (_, None) if result != GameResult::Draw => end(result, Termination::Arbiter, false),
            (_, None) if self.may_agree_to_a_draw() => end(result, Termination::Agreement, false),
            (_, None) => Ruling::Nothing,
        }
    }

    /// 5.2.3, 9.1.1: both have made a move, or as many as the event wants before.
    pub fn may_agree_to_a_draw(&self) -> bool {
        let least = self.setup.min_moves_for_draw.max(1);
        Color::BOTH.iter().all(|&color| self.s.moves_made(color) >= least)
    }

    fn propose_offence(&self, offence: &Offence) -> Ruling {
        let out_of_turn = matches!(offence.why, Some(Illegality::NotHisTurn { .. }));
        if offence.stands || (out_of_turn && self.setup.open_points.moving_out_of_turn == MovingOutOfTurn::Arbiter) {
            return Ruling::Nothing;
        }
        let of = offence.of;
        let count = self.s.illegal[of as usize].saturating_add(1);
        let (after, turn_stays) = self.s.position_restored(offence);
        let bound = match offence.mv {
            // Whoever moved out of turn does not have the move after it.
            Some(mv) if turn_stays && offence.why.is_some() && after.turn() == of => {
                let ply = offence.ply.and_then(|ply| self.s.record.get(ply));
                touched_bound(&after, mv, ply.map_or(&[], |ply| &ply.touched))
            }
            _ => None,
        };
        let mut by_material = false;
        let ends = (count >= penalty::ILLEGAL_MOVES_THAT_LOSE).then(|| {
            // 7.5.5: judged after the position was put back.
            let plies = turn_stays.then_some(offence.keep.min(self.s.record.len()));
            let mut hopeless = false;
            if offence.is_placed(self.s.board_kind(self.setup)) {
                let (can_mate, undecided) = self.can_mate(&after, plies, of.other());
                (hopeless, by_material) = (!can_mate, undecided);
            }
            if hopeless {
                (GameResult::Draw, Termination::IllegalMovesNoMate)
            } else {
                (GameResult::win(of.other()), Termination::IllegalMoves)
            }
        });
        let penalty = if ends.is_some() { Millis::ZERO } else { self.penalty() };
        Ruling::Offence {
            offence: offence.clone(),
            penalty,
            count,
            bound,
            ends,
            by_material,
        }
    }

    /// What an illegal move or a wrong draw claim gives the opponent.
    fn penalty(&self) -> Millis {
        penalty::opponents_time(self.setup.category, self.setup.supervision, &self.setup.open_points)
    }

    /// 6.9.
    fn propose_flag(&self, of: Color, item: &OpenItem) -> Ruling {
        let win = GameResult::win(of.other());
        if let Some(ruling) = self.flag_among_others(of, item) {
            return ruling;
        }
        if !self.s.knows_the_position(self.setup) {
            return Ruling::End {
                result: win,
                termination: Termination::Flag,
                by_material: false,
            };
        }
        let plies = self.s.plies_at_flag(item);
        let position = self.s.position_after(plies);
        let (result, termination, by_material) = match self.can_mate(position, Some(plies), of.other()) {
            (false, by_material) => (GameResult::Draw, Termination::FlagNoMate, by_material),
            (true, by_material) => (win, Termination::Flag, by_material),
        };
        Ruling::End {
            result,
            termination,
            by_material,
        }
    }

    /// What else is open can come before a flag: an irregularity found earlier, where the event says so, or the other flag.
    fn flag_among_others(&self, of: Color, item: &OpenItem) -> Option<Ruling> {
        let points = &self.setup.open_points;
        let others = || self.s.items.iter().filter(|other| other.number != item.number);
        let earlier = |other: &&std::sync::Arc<OpenItem>| match &other.matter {
            Matter::Offence(offence) => !offence.stands && other.since <= item.since,
            Matter::IllegalPosition { .. } => other.since <= item.since,
            _ => false,
        };
        if points.flag_during_irregularity == FlagDuringIrregularity::IrregularityFirst && others().any(|o| earlier(&o))
        {
            return Some(Ruling::Wait);
        }
        let Matter::Flag { seen_only, missing, .. } = item.matter else {
            return None;
        };
        let other_flag = others().find(|other| {
            other.key.of == Some(of.other()) && matches!(other.matter, Matter::Flag { frozen: true, .. })
        });
        let other = other_flag?;
        let Matter::Flag {
            seen_only: other_seen, ..
        } = other.matter
        else {
            return None;
        };
        if !(seen_only || other_seen) {
            // The one that fell first decides, and the clock shows which (6.8).
            return (other.since < item.since).then_some(Ruling::Nothing);
        }
        // Guidelines III.3.1: nobody can say which was first.
        let announced = points.quickplay_finish != QuickplayFinish::NotAnnounced;
        Some(match missing {
            None if announced => Ruling::End {
                result: GameResult::Draw,
                termination: Termination::Arbiter,
                by_material: false,
            },
            _ => Ruling::Nothing,
        })
    }

    fn propose_claim(&self, item: &OpenItem, verdict: ClaimVerdict, intends: Option<Move>) -> Ruling {
        let Some(by) = item.key.of else { return Ruling::Nothing };
        match verdict {
            ClaimVerdict::Right { .. } => {
                let termination = if item.key.kind == Kind::ClaimThreefold {
                    Termination::Threefold
                } else {
                    Termination::FiftyMoves
                };
                Ruling::End {
                    result: GameResult::Draw,
                    termination,
                    by_material: false,
                }
            }
            ClaimVerdict::NoRecord => Ruling::Nothing,
            // He had no right to claim on this move (9.2, 9.3, 9.4).
            ClaimVerdict::NotOnMove | ClaimVerdict::Touched
                if self.setup.open_points.void_claim == VoidClaim::Refused =>
            {
                Ruling::Nothing
            }
            _ => {
                // 9.5.3: the intended move must be made; an illegal one binds to its piece.
                let position = self.s.position();
                let bound = intends.filter(|_| position.turn() == by).and_then(|mv| {
                    if position.is_legal(&mv) {
                        Some(Bound::Move(mv))
                    } else {
                        touched_bound(position, mv, &[])
                    }
                });
                Ruling::WrongClaim {
                    by,
                    penalty: self.penalty(),
                    bound,
                }
            }
        }
    }

    /// A.5.4 in rapid and blitz with limited supervision; elsewhere 7.5.1.
    fn propose_illegal_position(&self, completed: u32, offence: Option<&Offence>) -> Ruling {
        if !self.limited() {
            return offence.map_or(Ruling::Nothing, |offence| self.propose_offence(offence));
        }
        // Where no board shows it, it is what the arbiter has seen until he dismisses it.
        let illegal = !self.s.knows_the_position(self.setup) || still_illegal(self.s.position());
        if illegal && self.completed_by_both() <= completed {
            // Once a flag has fallen there is no next move to wait for.
            let frozen = |item: &&Arc<OpenItem>| matches!(item.matter, Matter::Flag { frozen: true, .. });
            let fallen = self.s.items.iter().any(|item| frozen(&item));
            match self.setup.open_points.flag_during_irregularity {
                FlagDuringIrregularity::EachByItself if self.flag_decides() => return Ruling::Nothing,
                FlagDuringIrregularity::IrregularityFirst if fallen => {}
                _ => return Ruling::Wait,
            }
        }
        if illegal {
            return Ruling::End {
                result: GameResult::Draw,
                termination: Termination::ImpossiblePosition,
                by_material: false,
            };
        }
        Ruling::Nothing
    }

    pub fn completed_by_both(&self) -> u32 {
        self.s
            .completed()
            .iter()
            .fold(0, |sum, completed| sum.saturating_add(*completed))
    }

    /// 7.2.1, 7.3, A.5.1.2.
    fn propose_wrong_start(&self, kind: Kind, moves: u32) -> Ruling {
        let stands = match kind {
            // Ten moves made by both, in every category.
            Kind::ColoursReversed => moves >= 10,
            _ => self.limited() && moves >= 10,
        };
        if stands { Ruling::Nothing } else { Ruling::NewGame }
    }

    /// A.5.4: whether the next move completed has cured the position, so that the item is over.
    pub fn cured_positions(&mut self) {
        if !self.limited() {
            return;
        }
        let known = self.s.knows_the_position(self.setup);
        let (completed, cured) = (self.completed_by_both(), known && !still_illegal(self.s.position()));
        self.close(
            |item| matches!(item.matter, Matter::IllegalPosition { completed: then, .. } if cured && completed > then),
        );
    }

    /// Carries out the ruling proposed for an item.
    pub fn rule(&mut self, item: &OpenItem, ruling: Ruling, author: &str, reason: &str) {
        if ruling == Ruling::Wait {
            return;
        }
        let number = item.number;
        self.close(|open| open.number == number);
        let clock = self.s.clock;
        self.carry_out(item, &ruling);
        let control = &self.setup.time_control;
        let shown = |clock: &crate::laws::Clock| Color::BOTH.map(|color| clock.shows(color, self.s.time, control));
        let times = (shown(&clock) != shown(&self.s.clock)).then(|| shown(&self.s.clock));
        self.note_ruling(item, &ruling, author, reason);
        self.ruled = Some(Ruled {
            item: number,
            key: item.key,
            ruling,
            times,
        });
    }

    fn note_ruling(&mut self, item: &OpenItem, ruling: &Ruling, author: &str, reason: &str) {
        let ruled = OpenItem {
            proposal: ruling.clone(),
            ..item.clone()
        };
        self.notes.push(Note::Ruled {
            item: Some(item.number),
            ruling: Box::new(ruling.clone()),
            words: super::words::proposal(&ruled, &self.s, self.setup),
            articles: super::articles::of_item(item, self.setup),
            author: author.to_owned(),
            reason: reason.to_owned(),
        });
    }

    /// A ruling that was made stays made when late news come: what it set is set at its place, and where it would have been proposed
    /// otherwise an item says so.
    pub fn rule_again(&mut self, made: &Ruled, author: &str, reason: &str) {
        let known = self.s.items.iter().find(|item| item.key == made.key).cloned();
        let proposed = known.as_deref().map(|item| self.propose(item));
        let otherwise = !proposed.is_some_and(|proposed| same_ruling(&proposed, &made.ruling));
        let item = known.unwrap_or_else(|| {
            Arc::new(OpenItem {
                key: made.key,
                number: made.item,
                revision: 1,
                since: self.s.time,
                certain: true,
                observed: Some(self.s.time),
                observed_after: self.s.record.len(),
                matter: Matter::OtherClaim,
                proposal: made.ruling.clone(),
                taken: None,
                claimed: Vec::new(),
            })
        });
        self.close(|open| open.key == made.key);
        self.carry_out(&item, &made.ruling);
        if let Some(times) = made.times {
            for (color, time) in Color::BOTH.into_iter().zip(times) {
                self.s.clock.set(color, time, self.s.time, &self.setup.time_control);
            }
        }
        self.note_ruling(&item, &made.ruling, author, reason);
        self.ruled = Some(made.clone());
        if otherwise {
            let matter = Matter::LateNews {
                ruled: made.item,
                kind: made.key.kind,
            };
            self.bring(Kind::LateNews, made.key.of, matter);
        }
    }

    fn carry_out(&mut self, item: &OpenItem, ruling: &Ruling) {
        // What is ruled now is ruled on the count as it is.
        self.s.unheard = None;
        if ruling.is_told()
            && item.key.kind != Kind::Call
            && !matches!(item.key.kind, Kind::LateNews | Kind::ClockRenewed)
        {
            self.tell(Told::Ruling);
        }
        self.s.rulings = self.s.rulings.saturating_add(1);
        let now = self.s.time;
        match ruling {
            Ruling::Nothing | Ruling::Wait => {}
            Ruling::Offence {
                offence,
                penalty,
                count,
                bound,
                ends,
                ..
            } => {
                self.carry_out_offence(offence, *penalty, *count, *bound, *ends);
            }
            Ruling::End {
                result, termination, ..
            } => self.end(*result, *termination, now, true),
            Ruling::WrongClaim { by, penalty, bound } => {
                self.stop_by_ruling();
                let mut change = [None; 2];
                change[by.other() as usize] = Some(TimeChange::By(*penalty));
                self.change_times(change, false);
                self.s.bound = bound.map(|bound| (*by, bound));
            }
            Ruling::Increment { by, increment, time } => {
                self.stop_by_ruling();
                let mut change = [None; 2];
                change[by.other() as usize] = Some(TimeChange::By(*time));
                self.change_times(change, false);
                self.s.clock.add_to_every_move(*increment);
                // It is granted where the offer that it was is refused.
                if self.s.offer == Some(*by) {
                    self.s.offer = None;
                }
            }
            Ruling::NewGame => self.new_game(),
            Ruling::StopClocks => self.stop_by_ruling(),
            Ruling::Promoted { ply, role } => self.promoted(*ply, *role),
            Ruling::TakeReading(reading) => match &item.matter {
                // Both have gone on since: what stands is by how much the clock differs.
                Matter::Adjusted { count, shown, .. } => {
                    let control = &self.setup.time_control;
                    self.s.clock.add(Color::White, shown.white - count.white, now, control);
                    self.s.clock.add(Color::Black, shown.black - count.black, now, control);
                }
                _ => self.take_reading(*reading, self.s.time),
            },
        }
    }

    fn carry_out_offence(
        &mut self,
        offence: &Offence,
        penalty: Millis,
        count: u32,
        bound: Option<Bound>,
        ends: Option<(GameResult, Termination)>,
    ) {
        let of = offence.of;
        self.s.illegal[of as usize] = count;
        self.stop_by_ruling();
        let imposed = offence
            .unpromoted
            .filter(|_| offence.ply.is_some_and(|ply| ply < self.s.record.len()));
        let (keep, mut completed) = (offence.keep.min(self.s.record.len()), offence.completed);
        if let (Some(square), Some(ply)) = (imposed, offence.ply) {
            // 7.5.2: that move stands, with a queen, and is completed.
            completed[of as usize] = completed[of as usize].saturating_add(1);
            self.take_back_to(ply + 1, completed);
            self.impose_queen(ply, square);
        } else {
            self.take_back_to(keep, completed);
        }
        if ends.is_none() {
            let keeps = imposed.is_some() && self.setup.open_points.unpromoted_press == UnpromotedPress::Kept;
            let gain = offence.gain.filter(|_| !keeps);
            let mut change = [None; 2];
            if let Some(gain) = gain {
                if gain.time != Millis::ZERO {
                    change[of as usize] = Some(TimeChange::By(-gain.time));
                }
                if imposed.is_none() {
                    let (now, control) = (self.s.time, &self.setup.time_control);
                    self.s.clock.set_used(of, gain.before.used, now, control);
                    // Only a period that this very press brought is taken back with its time; one that came since stays.
                    if gain.brought_period(control, self.setup.period_rule) {
                        self.s
                            .clock
                            .set_period(of, gain.before.period, self.s.time, &self.setup.time_control);
                    }
                }
            }
            change[of.other() as usize] = Some(TimeChange::By(penalty));
            self.change_times(change, false);
            if imposed.is_none() {
                let (now, control) = (self.s.time, &self.setup.time_control);
                self.s.clock.set_used(of.other(), Millis::ZERO, now, control);
            }
        }
        if self.s.board_kind(self.setup) == BoardKind::None {
            // The press of the offence completes nothing any more.
            let presses = Arc::make_mut(&mut self.s.bare_presses);
            if let Some(at) = presses.iter().rposition(|press| press.by == of) {
                presses.truncate(at);
                if self.s.told_position.is_some_and(|(presses, _)| presses > at) {
                    // A position that was told after it is taken back with it.
                    self.s.told_position = None;
                    self.forget_set_position();
                }
            }
            self.s.bare_turn = of;
        }
        match ends {
            Some((result, termination)) => self.end(result, termination, self.s.time, true),
            None => {
                self.s.bound = bound.map(|bound| (of, bound));
                if imposed.is_some() {
                    self.imposed_queen_concludes(of);
                }
            }
        }
    }

    /// The queen that 7.5.2 puts on the board may mate.
    fn imposed_queen_concludes(&mut self, of: Color) {
        if self.setup.open_points.imposed_queen == ImposedQueen::Ends {
            self.conclude(of, self.s.time);
        } else if let Some((result, _)) = {
            let plies = Some(self.s.record.len());
            self.concluded(self.s.position(), plies, of, &mut Vec::new())
        } {
            self.result_signal(result, Sign::Imposed);
        }
    }

    fn impose_queen(&mut self, at: usize, square: crate::chess::Square) {
        let before = Arc::clone(self.s.position_after(at));
        self.s.record.edit(at, |ply| {
            let mv = ply.mv.promoting(Role::Queen);
            let queen = crate::chess::Piece {
                color: ply.by,
                role: Role::Queen,
            };
            ply.mv = mv;
            ply.san = if before.is_legal(&mv) {
                before.san(&mv)
            } else {
                mv.from_to()
            };
            ply.after = Arc::new(ply.after.with_piece(square, Some(queen)));
            ply.illegal = None;
            ply.completed = true;
        });
        self.reset_board();
    }

    /// 7.2.1, 7.3: from the standard position, with full times, the clocks standing.
    fn new_game(&mut self) {
        self.stop_by_ruling();
        let mut setup = self.setup.clone();
        if !setup.chess960 {
            setup.fen = None;
        }
        (setup.white_time, setup.black_time, setup.moves_done, setup.illegal_done) = (None, None, 0, (0, 0));
        self.close(|item| !item.key.kind.is_about_a_device());
        let old = std::mem::replace(&mut self.s, State::new(&setup));
        self.s = old.begun_anew(&setup);
        self.reset_board();
        self.want_control();
    }
}

/// Whether an arbiter would have been proposed the same; what the clocks showed meanwhile does not matter.
fn same_ruling(a: &Ruling, b: &Ruling) -> bool {
    match (a, b) {
        (
            Ruling::Offence {
                offence: one,
                penalty,
                count,
                bound,
                ends,
                ..
            },
            Ruling::Offence {
                offence: other,
                penalty: p,
                count: c,
                bound: b,
                ends: e,
                ..
            },
        ) => {
            let gained = |offence: &Offence| offence.gain.map(|gain| gain.time);
            (one.of, one.ply, one.keep, one.mv, gained(one))
                == (other.of, other.ply, other.keep, other.mv, gained(other))
                && (penalty, count, bound, ends) == (p, c, b, e)
        }
        // That a fuller search has borne it out since changes nothing.
        (
            Ruling::End {
                result, termination, ..
            },
            Ruling::End {
                result: r,
                termination: t,
                ..
            },
        ) => (result, termination) == (r, t),
        _ => a == b,
    }
}

/// Both kings in check, or a pawn on its last rank (A.5.4).
pub(super) fn still_illegal(position: &Position) -> bool {
    position.both_kings_in_check() || position.unpromoted_pawn().is_some()
}

/// 4.3, 4.4: what a player is bound to who has made this illegal move from this position: the first of what he touched that can be moved,
/// if it is his own, or captured. Where no board has seen in which order he lifted, his own piece comes first (4.3.3).
fn touched_bound(position: &Position, mv: Move, lifted: &[Square]) -> Option<Bound> {
    let legal = position.legal_moves();
    let can = |square: Square| match position.piece_at(square) {
        Some(piece) if piece.color == position.turn() => legal.iter().any(|other| other.from == square),
        Some(_) => legal.iter().any(|other| other.to == square),
        None => false,
    };
    let own = |square: Square, role: Role| {
        let there = position.piece_at(square);
        there.is_some_and(|piece| piece.role == role && piece.color == position.turn())
    };
    let king = own(mv.from, Role::King);
    let seen = lifted.contains(&mv.from);
    // Castling onto the rook is not a touch of it, nor is the rook of a castling whose king was touched first (4.4.3); one that was
    // lifted before the king is (4.4.2).
    let castles = king && (own(mv.to, Role::Rook) || lifted.iter().any(|square| own(*square, Role::Rook)));
    let touched: Vec<Square> = match (seen, castles) {
        (true, true) if lifted.first() == Some(&mv.from) => vec![mv.from],
        (true, _) => lifted.to_vec(),
        (false, true) => vec![mv.from],
        (false, false) => vec![mv.from, mv.to],
    };
    touched.into_iter().find(|square| can(*square)).map(Bound::Piece)
}
