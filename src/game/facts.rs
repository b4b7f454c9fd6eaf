//! Facts from the table, other than moves and presses: claims, offers, calls, and what the clock tells of itself.

use std::sync::Arc;

use super::audience::OrderKind;
use super::input::{Agreement, Claim, ClockFault, Fact, OrderAnswer, Origin, Reading};
use super::item::{ClaimVerdict, Kind, Matter, QuickplayVerdict, Sign};
use super::orders::Wanted;
use super::setup::{BoardKind, ClockKind};
use super::state::State;
use super::table::Table;
use crate::chess::{Color, Move, Role};
use crate::laws::clock::Zero;
use crate::laws::open_points::{QuickplayFinish, QuickplayIncrement, UnpressedMove};
use crate::laws::{Bonus, Category, GameResult, Termination};
use crate::time::{HallTime, Millis};

impl Table<'_> {
    /// Takes a fact at the state's time.
    pub fn fact(&mut self, fact: &Fact) {
        match fact {
            Fact::Pressed { by } => {
                self.clock_speaks();
                self.pressed(*by);
            }
            Fact::Lifted { .. } | Fact::Put { .. } | Fact::Placed { .. } => self.sensed(fact),
            Fact::Moved { by, mv } => {
                if let Ok(mv) = mv.parse() {
                    self.moved(*by, mv);
                }
            }
            Fact::Reading(reading) => self.differs(*reading),
            Fact::FlagShown { of, reading } => {
                self.clock_speaks();
                self.flag_shown(*of, *reading);
            }
            Fact::Paused { by } => self.paused(*by),
            Fact::Claimed { by, what, intends } => self.claimed(*by, *what, intends.as_deref()),
            Fact::DrawOffered { by } => {
                if self.in_play() && self.s.offer.is_none() {
                    self.s.offer = Some(*by);
                }
            }
            Fact::DrawAccepted { by } => {
                self.judge_what_is_shown();
                // 9.1.2.1: an offer ends when the opponent touches a piece with the intention of moving or capturing.
                if self.has_touched(*by) && self.s.offer == Some(by.other()) {
                    self.s.offer = None;
                }
                if self.in_play() && self.s.offer == Some(by.other()) {
                    self.agreed_draw();
                }
            }
            Fact::DrawDeclined { by } => {
                if self.s.offer == Some(by.other()) {
                    self.s.offer = None;
                }
            }
            Fact::Resigned { by } => {
                self.judge_what_is_shown();
                self.resigned(*by);
            }
            Fact::Agreed { what: Agreement::Draw } => {
                self.judge_what_is_shown();
                self.agreed_draw();
            }
            Fact::Agreed {
                what: Agreement::Correct,
            } => self.agreed_to_correct(),
            Fact::Arrived { by } => self.arrived(*by),
            Fact::ResultEntered { by, result } => {
                if let Ok(result) = result.parse() {
                    self.result_entered(*by, result);
                }
            }
            Fact::ResultShown { result } => {
                if let (true, Ok(result)) = (self.in_play(), result.parse()) {
                    self.result_signal(result, Sign::Pieces);
                }
            }
            Fact::OrderAnswered {
                number,
                answer,
                reading,
            } => self.order_answered(*number, answer, *reading),
            Fact::ByHand { what, reading } => self.by_hand(*what, *reading),
            Fact::ReportsLost { count } => {
                let of_the_board = match (&self.origin, &self.s.board_from) {
                    (Origin::Device { device, .. }, Some((board, _))) => device == board,
                    // Whose they were is not said, or the board has told nothing yet.
                    _ => true,
                };
                self.s.picture_gap |= of_the_board && self.s.board.is_some();
                self.s.presses_lost |= !of_the_board && self.s.board.is_some();
                self.s.behind |= self.s.picture_gap || self.s.presses_lost;
                if self.s.ending.is_none() {
                    self.bring(Kind::ReportsLost, None, Matter::Lost { count: *count });
                }
            }
            Fact::BoardBack { placement, .. } => self.board_was_away(placement),
            Fact::ClockRenewed { device, given, by_hand } => self.clock_renewed(device, *given, *by_hand),
            Fact::Silent { device, silent, shared } => self.silent(device, *silent, *shared),
            Fact::ClockTime { device, what } => self.clock_time(device, *what),
            Fact::Verdict {
                fen,
                winner,
                can_mate,
                evidence,
                line,
            } => self.searched(fen, *winner, *can_mate, evidence, line),
        }
    }

    /// Which device the clock's facts come from, for the order of what it and the board tell.
    fn clock_speaks(&mut self) {
        let Origin::Device { device, bar, .. } = &self.origin else {
            return;
        };
        let from = Some((device.clone(), *bar));
        if self.s.clock_from != from {
            self.s.clock_from = from;
        }
    }

    // Players

    /// 6.11.2.
    fn paused(&mut self, by: Option<Color>) {
        if !self.in_play() {
            return;
        }
        if let Some(by) = by {
            self.s.present[by as usize] = true;
        }
        self.stopped_by_a_player();
        self.bring(Kind::Call, by, Matter::Call { by });
    }

    /// The clock that tells of it stands; if a person does, the clock may not know of it.
    fn stopped_by_a_player(&mut self) {
        if matches!(self.origin, Origin::Person { .. }) {
            self.stop_by_ruling();
        } else {
            self.stops_only_now();
            self.s.clock.stop(self.s.time, &self.setup.time_control);
        }
    }

    fn claimed(&mut self, by: Color, what: Claim, intends: Option<&str>) {
        if !self.in_play() {
            return;
        }
        self.s.present[by as usize] = true;
        self.stopped_by_a_player();
        match what {
            Claim::Unspecified => self.bring(Kind::Call, Some(by), Matter::Call { by: Some(by) }),
            Claim::Quickplay => {
                let verdict = self.quickplay_claim(by);
                if verdict == QuickplayVerdict::IncrementAsked {
                    // III.4: asking for it is an offer of a draw.
                    self.s.offer = Some(by);
                }
                self.bring(Kind::ClaimQuickplay, Some(by), Matter::Quickplay { verdict });
            }
            Claim::Flag => {
                // It is the opponent's that is claimed, whatever stands on the claimant's own clock.
                if !self.join(|item| item.key.kind == Kind::Flag && item.key.of == Some(by.other())) {
                    self.bring(Kind::ClaimFlag, Some(by), Matter::OtherClaim);
                }
            }
            Claim::IllegalMove => {
                let his = |offender: Option<Color>| offender == Some(by.other());
                if !self.join(|item| item.key.kind == Kind::IllegalMove && his(item.key.of)) {
                    self.bring(Kind::ClaimIllegalMove, Some(by), Matter::OtherClaim);
                }
            }
            Claim::Threefold | Claim::FiftyMoves => {
                let intends = intends.and_then(|text| self.read_move(text));
                let kind = if what == Claim::Threefold {
                    Kind::ClaimThreefold
                } else {
                    Kind::ClaimFiftyMoves
                };
                let verdict = self.draw_claim(by, what, intends);
                // 9.1.2.3: a claim is a draw offer too.
                self.s.offer = Some(by);
                if !self
                    .s
                    .items
                    .iter()
                    .any(|item| item.key.kind == kind && item.key.of == Some(by))
                {
                    self.bring(kind, Some(by), Matter::DrawClaim { verdict, intends });
                }
            }
        }
    }

    /// A player has come: where nobody was there and nobody's time was to run (6.7.2), White's does now.
    pub fn arrived(&mut self, by: Color) {
        self.s.present[by as usize] = true;
        if std::mem::take(&mut self.s.nobody_there) && self.in_play() {
            let turn = self.s.turn(self.setup);
            self.run_by_ruling(turn);
        }
    }

    /// Guidelines III.4, III.5.
    fn quickplay_claim(&self, by: Color) -> QuickplayVerdict {
        let period = self.setup.time_control.period(self.s.clock.half(by).period);
        let last = self.setup.time_control.is_last(self.s.clock.half(by).period);
        let left = self.s.clock.shows(by, self.s.time, &self.setup.time_control);
        if self.setup.open_points.quickplay_finish == QuickplayFinish::NotAnnounced {
            QuickplayVerdict::NotAnnounced
        } else if period.bonus != Bonus::None
            || self.s.clock.adds_to_every_move()
            || !last
            || self.setup.category == Category::Blitz
        {
            QuickplayVerdict::NoQuickplayFinish
        } else if self
            .s
            .items
            .iter()
            .any(|item| item.key.kind == Kind::Flag && item.key.of == Some(by))
        {
            QuickplayVerdict::TooLate
        } else if self.s.turn(self.setup) != by {
            QuickplayVerdict::NotOnMove
        } else if left >= Millis::mins(2) {
            QuickplayVerdict::TimeLeft
        } else if self.setup.open_points.quickplay_increment == QuickplayIncrement::AskedFirst {
            QuickplayVerdict::IncrementAsked
        } else if self.s.knows_the_position(self.setup)
            && self.can_mate(self.s.position(), Some(self.s.record.len()), by.other()) == (false, false)
        {
            QuickplayVerdict::CannotBeWon
        } else {
            QuickplayVerdict::ForTheArbiter
        }
    }

    /// What the hub has found already is claimed or seen now; whether there was such an item.
    pub fn join(&mut self, same: impl Fn(&super::item::OpenItem) -> bool) -> bool {
        let Some(number) = self.s.items.iter().find(|item| same(item)).map(|item| item.number) else {
            return false;
        };
        let (now, plies) = (self.s.time, self.s.record.len());
        self.edit_item(number, |item| {
            if item.observed.is_none() {
                item.observed = Some(now);
                item.observed_after = plies;
            }
        });
        true
    }

    /// From-to, or SAN.
    pub fn read_move(&self, text: &str) -> Option<Move> {
        text.parse().ok().or_else(|| self.s.position().parse_san(text).ok())
    }

    /// Whether the player on move has a piece of his in the hand, or has put it elsewhere (4.3, 9.4).
    fn has_touched(&self, by: Color) -> bool {
        let position = self.s.position();
        let Some(board) = self.s.board.as_ref().filter(|_| position.turn() == by) else {
            return false;
        };
        board
            .sensor
            .touched(position)
            .iter()
            .any(|(_, piece)| piece.color == by)
    }

    /// What the record says of a claim under 9.2 or 9.3.
    fn draw_claim(&self, by: Color, what: Claim, intends: Option<Move>) -> ClaimVerdict {
        if self.s.board_kind(self.setup) == BoardKind::None
            && (self.s.record.is_empty() || !self.s.knows_the_position(self.setup))
        {
            return ClaimVerdict::NoRecord;
        }
        let position = self.s.position();
        if position.turn() != by {
            return ClaimVerdict::NotOnMove;
        }
        if self.has_touched(by) {
            return ClaimVerdict::Touched;
        }
        let after = match intends {
            None => None,
            Some(mv) => match position.play(&mv) {
                Ok(after) => Some(after),
                Err(_) => return ClaimVerdict::IntendedIllegal,
            },
        };
        let (count, needed) = match (what, &after) {
            (Claim::Threefold, None) => (self.occurrences(position, None), 3),
            (Claim::Threefold, Some(after)) => (self.occurrences(after, intends.as_ref()) + 1, 3),
            (_, None) => (position.halfmoves() - self.unpressed(), 100),
            (_, Some(after)) if after.halfmoves() == 0 => return ClaimVerdict::IntendedStartsAnew,
            (_, Some(after)) => (after.halfmoves(), 100),
        };
        if count >= needed {
            ClaimVerdict::Right { count }
        } else {
            ClaimVerdict::TooFew { count }
        }
    }

    /// 9.3.2 read by its words: a last move that was never pressed is not completed.
    fn unpressed(&self) -> u32 {
        let waits = self.setup.open_points.unpressed_move == UnpressedMove::Waits;
        let last = self.s.record.last().filter(|_| self.s.record.len() > self.s.base.0);
        u32::from(waits && last.is_some_and(|last| !last.completed && self.s.position().halfmoves() > 0))
    }

    /// 5.2.3, 9.1.1: both have made a move, and as many as the event asks.
    fn agreed_draw(&mut self) {
        if self.in_play() && self.may_agree_to_a_draw() && !self.flag_decides() {
            self.end(GameResult::Draw, Termination::Agreement, self.s.time, true);
        }
    }

    /// A.5.2: the two players take an illegal move back themselves; no penalty, no offence.
    fn agreed_to_correct(&mut self) {
        if !self.in_play() || !self.limited() {
            return;
        }
        let Some(at) = self.s.record.iter().rposition(|ply| ply.illegal.is_some()) else {
            return;
        };
        let completed = self.s.record[at].before;
        self.take_back_to(at, completed);
        let turn = self.s.position().turn();
        if self.s.clock.running().is_some_and(|running| running != turn) {
            self.s.unheard = None;
            self.s.clock.stop(self.s.time, &self.setup.time_control);
            self.s.clock.run(turn, self.s.time, &self.setup.time_control);
        }
    }

    /// 8.7: both state the result. Where they state the same, the loser has resigned, or both have agreed to a draw; anything else is
    /// for an arbiter.
    fn result_entered(&mut self, by: Color, result: GameResult) {
        self.judge_what_is_shown();
        if !self.in_play() {
            return;
        }
        let open = self.s.items.iter().find(|item| item.key.kind == Kind::ResultSignal);
        let (number, mut entered) = match open.map(|item| (item.number, &item.matter)) {
            Some((
                number,
                Matter::ResultSignal {
                    shown: Sign::Entered { white, black },
                    ..
                },
            )) => (Some(number), [*white, *black]),
            other => (other.map(|(number, _)| number), [None, None]),
        };
        entered[by as usize] = Some(result);
        let [white, black] = entered;
        if white == black {
            match result.winner() {
                Some(winner) => self.resigned(winner.other()),
                None if result == GameResult::Draw => self.agreed_draw(),
                None => {}
            }
            if !self.in_play() {
                self.close(|item| item.key.kind == Kind::ResultSignal);
                return;
            }
        }
        let shown = Sign::Entered { white, black };
        match number {
            Some(number) => self.edit_item(number, |item| item.matter = Matter::ResultSignal { result, shown }),
            None => self.result_signal(result, shown),
        }
    }

    /// 5.1.2.
    fn resigned(&mut self, by: Color) {
        if !self.in_play() || self.flag_decides() {
            return;
        }
        let (result, termination) = match self.opponent_can_mate(by) {
            true => (GameResult::win(by.other()), Termination::Resignation),
            false => (GameResult::Draw, Termination::ResignationNoMate),
        };
        self.end(result, termination, self.s.time, true);
    }

    /// Where that is not decided he can, and a fuller search is asked.
    fn opponent_can_mate(&mut self, of: Color) -> bool {
        if !self.s.knows_the_position(self.setup) {
            return true;
        }
        let (can_mate, by_material) = self.can_mate(self.s.position(), Some(self.s.record.len()), of.other());
        if by_material {
            self.ask(of.other());
        }
        can_mate || by_material
    }

    // The clock tells of itself

    /// An arbiter has to see that the clock shows what it was given (6.10.1).
    fn clock_renewed(&mut self, device: &str, given: Reading, by_hand: bool) {
        if !self.in_play() {
            return;
        }
        self.s.unheard = None;
        self.close(|item| item.key.kind == Kind::ClockRenewed);
        let matter = Matter::Renewed {
            device: device.to_owned(),
            given,
            by_hand,
        };
        self.bring(Kind::ClockRenewed, None, matter);
    }

    /// The clock shows a flag by itself.
    fn flag_shown(&mut self, of: Color, reading: Option<Reading>) {
        if !self.in_play() {
            return;
        }
        self.has_run(of);
        if self.s.clock.fallen() == Some(of) {
            self.flag_is_shown(of);
            return;
        }
        let left = self.s.clock.shows(of, self.s.time, &self.setup.time_control);
        let count = self.count();
        if self.s.clock.running() != Some(of) {
            // Whatever is counted, a clock that counts by itself and shows its flag at zero has run to it (6.10.1).
            let at_zero = reading.is_some_and(|shown| shown.of(of) <= Millis::ZERO);
            if !self.counting() || !at_zero {
                return;
            }
            self.ran_to_its_flag(of);
        }
        self.s
            .clock
            .set(of, Millis::ZERO, self.s.time, &self.setup.time_control);
        if let Some((of, zero)) = self.s.clock.reach_zero(
            self.s.time,
            &self.setup.time_control,
            self.setup.period_rule,
            self.setup.open_points.freeze,
        ) {
            self.flag(of, zero);
            if matches!(zero, Zero::NextPeriod { .. }) {
                return;
            }
            self.flag_is_shown(of);
        }
        if left > self.tolerance() {
            let shown = reading.unwrap_or(self.count());
            self.adjusted(count, shown, true);
        }
    }

    /// What the game counts now.
    pub fn count(&self) -> Reading {
        self.count_at(self.s.time)
    }

    fn count_at(&self, at: HallTime) -> Reading {
        let shows = |of| self.s.clock.shows(of, at, &self.setup.time_control);
        Reading {
            white: shows(Color::White),
            black: shows(Color::Black),
            running: self.s.clock.running(),
        }
    }

    /// Differences below this are the display's and the clock's oscillator, not somebody's hand.
    pub fn tolerance(&self) -> Millis {
        tolerance(self.setup.clock_resolution)
    }

    /// A reading that differs from the count. The indication of a clock that counts is conclusive (6.10.1): it stands, and the arbiter
    /// sees both, to rule otherwise where the clock is defect or was set wrong.
    fn differs(&mut self, shown: Reading) {
        self.differs_at(shown, self.s.time);
    }

    /// The same, of a reading of this moment.
    fn differs_at(&mut self, shown: Reading, now: HallTime) {
        let count = self.count_at(now);
        if !self.in_play() {
            return;
        }
        if self.setup.clock != ClockKind::Counting {
            if !agrees(count, shown, self.setup.clock_resolution) {
                self.adjusted(count, shown, false);
            }
            return;
        }
        let control = &self.setup.time_control;
        if let Some(fallen) = self.s.clock.fallen() {
            if !contradicts(&self.s, fallen, shown, self.tolerance()) {
                return;
            }
            self.close(|item| item.key.of == Some(fallen) && matches!(item.matter, Matter::Flag { frozen: true, .. }));
        }
        let called = |item: &super::item::OpenItem| item.observed.is_some() && item.key.kind.stops_the_clocks();
        let stopped_by_a_player = self.s.items.iter().any(|item| called(item));
        if shown.running == count.running && agrees(count, shown, self.setup.clock_resolution) {
            return;
        }
        if shown.running.is_some_and(|side| shown.of(side) <= Millis::ZERO) {
            // A zero is no flag: that the clock shows as a fact of its own.
            self.adjusted(count, shown, false);
            return;
        }
        self.s.unheard = None;
        self.take_reading(shown, now);
        match shown.running {
            None => self.s.clock.stop(now, control),
            // A player has stopped the clocks by a claim, and the clock does not know of it.
            Some(_) if stopped_by_a_player && count.running.is_none() => self.want_stop(),
            Some(of) => {
                self.s.clock.run(of, now, control);
            }
        }
        self.adjusted(count, shown, true);
    }

    /// `taken`: the clock's times stand already.
    pub fn adjusted(&mut self, count: Reading, shown: Reading, taken: bool) {
        let matter = Matter::Adjusted { count, shown, taken };
        let open = |item: &&std::sync::Arc<super::item::OpenItem>| item.key.kind == Kind::AdjustedAtTable;
        match self.s.items.iter().find(open).map(|item| item.number) {
            Some(number) => self.edit_item(number, |item| item.matter = matter),
            None => self.bring(Kind::AdjustedAtTable, None, matter),
        }
    }

    /// The clock's own times stand, as it showed them at this moment.
    pub fn take_reading(&mut self, reading: Reading, now: HallTime) {
        let control = &self.setup.time_control;
        self.s.clock.set(Color::White, reading.white, now, control);
        self.s.clock.set(Color::Black, reading.black, now, control);
    }

    fn silent(&mut self, device: &str, silent: bool, shared: bool) {
        self.s.silent.retain(|known| known != device);
        if silent {
            self.s.silent.push(device.to_owned());
        }
        let same = |matter: &Matter| matches!(matter, Matter::Silent { device: known } if known == device);
        if !silent || shared {
            self.close(|item| same(&item.matter));
        } else if self.s.ending.is_none() && !self.s.items.iter().any(|item| same(&item.matter)) {
            self.bring(
                Kind::SilentDevice,
                None,
                Matter::Silent {
                    device: device.to_owned(),
                },
            );
        }
    }

    /// Said with its figure, and nothing is done about it: what the clock shows stands unless an arbiter rules otherwise.
    fn clock_time(&mut self, device: &str, what: ClockFault) {
        if self.s.ending.is_some() {
            return;
        }
        let same = |item: &super::item::OpenItem| match &item.matter {
            Matter::ClockTime {
                device: known,
                what: before,
            } => known == device && std::mem::discriminant(before) == std::mem::discriminant(&what),
            _ => false,
        };
        let matter = Matter::ClockTime {
            device: device.to_owned(),
            what,
        };
        match self.s.items.iter().find(|item| same(item)).map(|item| item.number) {
            Some(number) => self.edit_item(number, |item| item.matter = matter),
            None => self.bring(Kind::ClockTime, None, matter),
        }
    }

    fn order_answered(&mut self, number: u64, answer: &OrderAnswer, reading: Option<Reading>) {
        let Some((want, what)) = self.desk.sent(number).map(|(want, what)| (want, what.clone())) else {
            return;
        };
        if let Some(shown) = reading.filter(|_| *answer != OrderAnswer::Done) {
            self.shown_after_the_end(shown);
        }
        match answer {
            // What was added by hand is not added a second time. All other orders come to the same, at the clock's own moment.
            OrderAnswer::Done if self.s.by_hand.contains(&want) && matches!(what, OrderKind::Add { .. }) => {}
            _ if self.s.overtaken.contains(&want) => {}
            OrderAnswer::Done => {
                self.did_it_run_on(&what, reading);
                // By the clock's own time, so that what it counts before and after is counted the same here. A clock that stands
                // runs from that moment, though the hub's own time has been taken to be later meanwhile.
                let runs_now = self.s.clock.running().is_none() && matches!(what, OrderKind::Run(_));
                let at = if runs_now {
                    self.told_at
                } else {
                    self.told_at.max(self.s.clock.as_of())
                };
                let off = self.not_ruled_so(want, &what, at);
                self.carried_out(&what, at);
                if matches!(what, OrderKind::Control | OrderKind::Stop | OrderKind::Run(_)) {
                    self.s.may_run = None;
                }
                self.s.wants.retain(|open| open.id != want);
                self.put_right(off);
                self.done_after_the_end(want, &what, at);
                if what == OrderKind::Stop {
                    // What is to run again is the clock of whoever has the move now: presses may have crossed the order.
                    self.aim();
                }
                if let Some(shown) = reading {
                    self.shown_after_the_end(shown);
                    self.differs_at(shown, at);
                }
            }
            OrderAnswer::MovedOn => {
                self.did_not_run(&what);
                // Decided anew: what is to run then is the clock of whoever has the move now; a stop of a clock that stands is done.
                let runs = reading.is_some_and(|shown| shown.running.is_some());
                let stands = self.s.clock.running().is_none() && self.s.ending.is_none() && !runs;
                self.aim();
                self.s
                    .wants
                    .retain(|open| open.id != want || !(stands && open.what == Wanted::Stop));
            }
            OrderAnswer::Refused { .. } | OrderAnswer::Unanswered => {
                if *answer != OrderAnswer::Unanswered {
                    self.did_not_run(&what);
                }
                // By hand: it counts from the ruling.
                if let Some(open) = self.s.wants.iter().find(|open| open.id == want).cloned() {
                    self.counts_as_done_by_hand(&open, &what);
                }
                self.s.wants.retain(|open| open.id != want);
            }
        }
    }

    /// The clock says that it has not done this: no press shows it to have run for it.
    fn did_not_run(&mut self, what: &OrderKind) {
        if let (OrderKind::Run(of), Some((may, _))) = (what, self.s.may_run)
            && *of == may
        {
            self.s.may_run = None;
        }
    }

    /// What is wanted to run is the clock of whoever has the move.
    fn aim(&mut self) {
        let turn = self.s.to_run(self.setup);
        for open in &mut self.s.wants {
            if let Wanted::Run(of) = &mut open.what {
                *of = turn;
            }
        }
    }

    pub fn carried_out(&mut self, what: &OrderKind, at: HallTime) {
        if self.s.ending.is_some() {
            return;
        }
        if matches!(what, OrderKind::Control | OrderKind::Stop | OrderKind::Run(_)) {
            self.s.ran_on = false;
        }
        let control = &self.setup.time_control;
        match what {
            OrderKind::Control => {}
            OrderKind::Stop => self.s.clock.stop(at, control),
            OrderKind::Run(of) => {
                self.s.clock.run(*of, at, control);
            }
            OrderKind::Add { white, black } => {
                self.s.clock.add(Color::White, *white, at, control);
                self.s.clock.add(Color::Black, *black, at, control);
            }
            OrderKind::Set { white, black, .. } => {
                self.s.clock.set(Color::White, *white, at, control);
                self.s.clock.set(Color::Black, *black, at, control);
            }
        }
    }

    /// The record goes from the game's beginning again, whatever position was set in it.
    pub fn forget_set_position(&mut self) {
        let start = super::state::State::new(self.setup).base.1;
        self.s.base = (0, start);
    }

    /// Only so many half-moves stay; the counts of completed moves are those of then.
    pub fn take_back_to(&mut self, keep: usize, completed: [u32; 2]) {
        if keep < self.s.base.0 {
            // A position set by hand in between is taken back too.
            self.forget_set_position();
        }
        self.s.record.truncate(keep);
        for color in Color::BOTH {
            self.s.clock.set_completed(color, completed[color as usize]);
        }
        self.s.passed = false;
        self.s.bound = None;
        self.s.waiting.clear();
        self.s.puzzling = None;
        self.close(|item| match &item.matter {
            Matter::Offence(offence) => offence.keep >= keep,
            Matter::Promotion { ply, .. } => *ply >= keep,
            Matter::DrawClaim { .. } | Matter::Disagreement { .. } => true,
            _ => false,
        });
        self.reset_board();
    }

    /// The promoted piece of a half-move was another: the record goes on from there as it was played.
    pub fn promoted(&mut self, at: usize, role: Role) {
        let Some(changed) = self.s.record.get(at).cloned() else {
            return;
        };
        if changed.mv.promotion.is_none() {
            return;
        }
        let tail = self.s.record.truncate(at);
        for (index, ply) in tail.iter().enumerate() {
            let mut ply = (**ply).clone();
            if index == 0 {
                ply.mv.promotion = Some(role);
                ply.unconfirmed = false;
            }
            let from = Arc::clone(self.s.position());
            let from = if from.turn() == ply.by {
                from
            } else {
                Arc::new(from.with_turn(ply.by))
            };
            ply.illegal = from.why_illegal(&ply.mv, ply.by);
            ply.san = if ply.illegal.is_none() {
                from.san(&ply.mv)
            } else {
                ply.mv.from_to()
            };
            ply.after = Arc::new(from.play_unchecked(&ply.mv, ply.by));
            self.s.record.push(ply);
        }
        self.close(|item| matches!(item.matter, Matter::Promotion { ply, .. } if ply == at));
        let position = Arc::clone(self.s.position());
        if let Some(board) = &mut self.s.board {
            Arc::make_mut(board).sensor.settle(&position);
        }
        // With another piece the game may be over (5.2.2): a knight mates nobody.
        if let Some(last) = self.s.record.last().filter(|ply| ply.illegal.is_none()).cloned()
            && self.in_play()
            && !self.flag_decides()
        {
            self.conclude(last.by, last.made);
        }
    }
}

/// Whether this item is a flag that was only counted: no clock has shown it, and nobody has claimed or seen it.
pub(super) fn only_counted(item: &super::item::OpenItem) -> bool {
    let by_no_clock = matches!(
        item.matter,
        Matter::Flag {
            frozen: true,
            by_clock: false,
            ..
        }
    );
    by_no_clock && item.observed.is_none()
}

/// Whether the clock shows that the side whose flag was only counted has time left: it runs on it, or stands with more than what the
/// count may be off by.
pub(super) fn contradicts(state: &State, fallen: Color, shown: Reading, tolerance: Millis) -> bool {
    let least = if shown.running == Some(fallen) {
        Millis::ZERO
    } else {
        tolerance
    };
    let counted = |item: &super::item::OpenItem| item.key.of == Some(fallen) && only_counted(item);
    shown.of(fallen) > least && state.items.iter().any(|item| counted(item))
}

pub(super) fn tolerance(resolution: Millis) -> Millis {
    resolution.max(Millis(100))
}

/// Whether a reading is what the game counts, as far as the clock can show it.
pub(super) fn agrees(count: Reading, shown: Reading, resolution: Millis) -> bool {
    let near = |a: Millis, b: Millis| (a - b).0.saturating_abs() <= tolerance(resolution).0;
    near(count.white, shown.white) && near(count.black, shown.black)
}
