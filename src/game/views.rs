//! The three audiences' views of a game. The one place where it is decided who may be told what (12.6, section 5 of the design).

use std::sync::Arc;

use super::account::Doubt;
use super::acts::TAKEN_FOR;
use super::audience::{ArbiterView, ClockCheck, ClockView, Effect, HallView, Item, MoveView, Order, Sensed};
use super::input::Reading;
use super::item::{Kind, Matter, OpenItem, Ruling, Sign};
use super::state::{Ply, State};
use super::{BoardKind, Game, articles, words};
use crate::chess::{Color, Move, Position, Role};
use crate::laws::GameResult;
use crate::laws::category::limited;
use crate::time::{HallTime, Millis};

/// What the clock has answered is shown for so long.
const ANSWERED_SHOWN: Millis = Millis::mins(1);

impl Game {
    /// What arbiters see at this moment.
    pub fn arbiter_view(&self, now: HallTime) -> ArbiterView {
        let state = self.state();
        let half = |of| state.clock.half(of);
        let completed = state.completed();
        ArbiterView {
            fen: state.position().fen4(),
            turn: state.turn(&self.setup),
            moves: state.record.iter().map(|ply| MoveView::from(&**ply)).collect(),
            clocks: self.clocks(state, now),
            completed: (completed[0], completed[1]),
            period: (half(Color::White).period, half(Color::Black).period),
            result: state
                .ending
                .as_ref()
                .map_or("*", |ending| ending.result.text())
                .to_owned(),
            termination: state.ending.as_ref().map(|ending| ending.termination.name().to_owned()),
            ended: state.ending.as_ref().map(|ending| ending.termination),
            rated: Color::BOTH.iter().all(|&color| state.moves_made(color) > 0),
            illegal: (state.illegal[0], state.illegal[1]),
            items: state.shown_items().map(|item| self.item_view(item, now)).collect(),
            draw_offer: state.offer,
            must_play: state.bound.map(|(_, bound)| bound.to_string()).unwrap_or_default(),
            players_told: state.told.iter().map(|told| told.name().to_owned()).collect(),
            revision: self.desk.revision,
            orders: self.desk.orders.clone(),
            answered: self.answered(now),
            check: self.check_sum(now),
            parked: None,
            started: state.started,
            rulings: self.history.views(),
            sensed: state.board.as_ref().map(|board| Sensed {
                placement: board.sensor.picture().to_string(),
                differs: board.sensor.differences(state.position()),
            }),
            absent: (!state.present[0], !state.present[1]),
            time_control: self.setup.time_control.to_string(),
            starts: state.starts(&self.setup),
            appeals: state.appeals.to_vec(),
            masked: state.masked.clone(),
            without_board: state.without_board,
        }
    }

    /// What the hall sees at this moment, and the public later: never an item, a hint or a count.
    pub fn hall_view(&self, now: HallTime) -> HallView {
        let state = self.state();
        let position = state.position();
        let turn = if state.turn(&self.setup) == Color::White {
            "w"
        } else {
            "b"
        };
        let announced = state.ending.as_ref().filter(|ending| ending.announced);
        let clocks = self.hall_clocks(now);
        HallView {
            fen: format!("{} {turn}", position.placement()),
            moves: hall_moves(state),
            paused: state.started.is_some()
                && state.ending.is_none()
                && clocks.running.is_none()
                && state.clock.fallen().is_none(),
            clocks,
            result: announced.map_or("*", |ending| ending.result.text()).to_owned(),
            started: state.started.is_some(),
        }
    }

    /// The game began with the colours reversed and goes on so (7.3): who was paired with White has Black.
    pub fn colours_reversed(&self) -> bool {
        self.history.colours_reversed()
    }

    /// The orders that the clock has answered of late.
    fn answered(&self, now: HallTime) -> Vec<Order> {
        let of_late = |order: &&Order| order.answered.is_some_and(|at| at + ANSWERED_SHOWN > now);
        self.desk.answered.iter().filter(of_late).cloned().collect()
    }

    /// The table's arithmetic by the count; what the clock on the table shows, and how the hall's time has gone meanwhile, is for the
    /// hall to put in.
    pub fn check_sum(&self, now: HallTime) -> Option<ClockCheck> {
        let state = self.state();
        state.started?;
        let control = &self.setup.time_control;
        let at = now.max(state.clock.as_of());
        let start = control.start(self.setup.first_increment);
        let begun = |given: Option<Millis>| given.unwrap_or(start).at_least_zero();
        let initial = begun(self.setup.white_time) + begun(self.setup.black_time);
        let shown = state.clock.shows(Color::White, at, control) + state.clock.shows(Color::Black, at, control);
        let elapsed = state.clock.ran(at, control);
        Some(ClockCheck {
            as_of: now,
            initial,
            granted: shown + elapsed - initial,
            elapsed,
            shown,
            read: false,
        })
    }

    /// The orders that wait for the table's clock.
    pub fn pending_orders(&self) -> Vec<Order> {
        self.desk.orders.clone()
    }

    fn clocks(&self, state: &State, now: HallTime) -> ClockView {
        let control = &self.setup.time_control;
        let at = now.max(state.clock.as_of());
        ClockView {
            white: state.clock.shows(Color::White, at, control),
            black: state.clock.shows(Color::Black, at, control),
            running: state.clock.running(),
            as_of: now,
            delay_until: state.clock.delay_until(control).filter(|until| *until > now),
            no_signal: !state.silent.is_empty(),
        }
    }

    /// A flag that is only suspected never shows: the hall sees the last time that was reported.
    fn hall_clocks(&self, now: HallTime) -> ClockView {
        let state = self.state();
        let suspected =
            |item: &OpenItem| matches!(item.matter, Matter::Flag { .. }) && !item.certain && item.observed.is_none();
        if !state.items.iter().any(|item| suspected(item)) {
            return self.clocks(state, now);
        }
        let before = self
            .timeline
            .latest_where(|state| !state.items.iter().any(|item| suspected(item)));
        let heard = before.time.max(self.settled.min(now));
        ClockView {
            as_of: heard,
            no_signal: true,
            ..self.clocks(before, heard)
        }
    }

    fn item_view(&self, item: &OpenItem, now: HallTime) -> Item {
        Item {
            number: item.number,
            revision: item.revision,
            kind: item.key.kind.name().to_owned(),
            of: item.key.of,
            certain: item.certain,
            articles: articles::of_item(item, &self.setup),
            what: words::what(item, self.state()),
            proposal: words::proposal(item, self.state(), &self.setup),
            since: item.since,
            taken: item.taken.clone().filter(|(_, since)| *since + TAKEN_FOR > now),
            evidence: self.evidence(item),
            effect: effect(&item.proposal),
            // Claimed or seen in time, it can be dealt with also later.
            until_answered: matches!(&item.matter, Matter::Offence(offence) if !offence.stands)
                && item.observed.is_none()
                && limited(self.setup.category, self.setup.supervision),
            account: Some(Box::new(self.account(item, now))),
        }
    }

    fn evidence(&self, item: &OpenItem) -> Vec<(String, String)> {
        let state = self.state();
        let mut evidence: Vec<(String, String)> = Vec::new();
        let mut add = |key: &str, value: String| evidence.push((key.to_owned(), value));
        match &item.matter {
            Matter::Offence(offence)
            | Matter::IllegalPosition {
                offence: Some(offence), ..
            } => {
                let keep = offence.keep.min(state.record.len());
                add("before", state.position_after(keep).full_fen());
                if let Some(ply) = offence.ply.and_then(|ply| state.record.get(ply)) {
                    add("after", ply.after.full_fen());
                    add("move", ply.mv.to_string());
                }
                if let Some(gain) = offence.gain {
                    add("added by the press", gain.time.to_string());
                }
            }
            Matter::Flag { missing, .. } => {
                if let Some(doubt) = self.doubt(item) {
                    let why = match doubt {
                        Doubt::Unheard => "the table's devices have not been heard".to_owned(),
                        Doubt::HeardUntil(short) => format!("everything is heard only up to {short} before it"),
                        Doubt::NotShown => "the clock itself has not shown the flag".to_owned(),
                    };
                    add("not certain", why);
                }
                add("position", state.position().full_fen());
                if let Some(missing) = missing {
                    add("moves missing", missing.to_string());
                }
                if state.board_kind(&self.setup) == BoardKind::None {
                    add("board", "none: the position is not known".to_owned());
                }
            }
            Matter::DrawClaim { verdict, intends } => {
                add("record", words::claim_verdict(*verdict));
                if item.key.kind == Kind::ClaimThreefold {
                    add("occurrences", self.occurrences(*intends));
                }
                if let Some(intends) = intends {
                    add("intended move", intends.to_string());
                }
                if !item.claimed.is_empty() {
                    let checked = self.claimed(item, *intends).into_iter();
                    let said = |(number, plies, stood): (u32, usize, bool)| {
                        format!("{number}:{plies}:{}", if stood { "yes" } else { "no" })
                    };
                    add("claimed", checked.map(said).collect::<Vec<_>>().join(" "));
                }
            }
            Matter::Disagreement { squares } => {
                add(
                    "squares",
                    squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
                );
                if let Some(board) = &state.board {
                    add("board", board.sensor.picture().to_string());
                }
            }
            Matter::Unordered { .. } | Matter::MovesMissing => {
                add("record", state.position().full_fen());
                if let Some(board) = &state.board {
                    add("board", board.sensor.picture().to_string());
                }
            }
            Matter::Adjusted { count, shown, .. } => {
                let times = |reading: &Reading| format!("{} / {}", reading.white, reading.black);
                add("counted", times(count));
                add("clock", times(shown));
            }
            Matter::Renewed { device, given, .. } => {
                add("device", device.clone());
                add("given", format!("{} / {}", given.white, given.black));
            }
            Matter::ResultSignal { result, shown } => match shown {
                Sign::Kings => add("kings in the centre", result.text().to_owned()),
                Sign::Pieces => add("result pieces", result.text().to_owned()),
                Sign::Entered { white, black } => {
                    for (of, entered) in [("White", white), ("Black", black)] {
                        add(
                            &format!("entered by {of}"),
                            entered.map_or("nothing yet", GameResult::text).to_owned(),
                        );
                    }
                }
                Sign::Imposed => add("result", result.text().to_owned()),
            },
            _ => {}
        }
        evidence.extend(self.mating_evidence(item));
        evidence
    }

    /// After how many half-moves the claimed position stood on the board: `12 16 20`.
    fn occurrences(&self, intends: Option<Move>) -> String {
        let state = self.state();
        let claimed = match intends.map(|mv| state.position().play(&mv)) {
            None => (**state.position()).clone(),
            Some(Ok(after)) => after,
            Some(Err(_)) => return String::new(),
        };
        let mut stood: Vec<usize> = state.stood(&claimed).collect();
        stood.sort_unstable();
        stood.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// What the claimant says, move by move: its number, the half-moves of the record with it, and whether the position stood then.
    pub(super) fn claimed(&self, item: &OpenItem, intends: Option<Move>) -> Vec<(u32, usize, bool)> {
        let state = self.state();
        let now = state.position();
        let claimed = intends.and_then(|mv| now.play(&mv).ok());
        let claimed = claimed.as_ref().unwrap_or(now);
        let stood: Vec<usize> = state.stood(claimed).collect();
        // The position comes about by a move of who does not have it in it.
        let mover = claimed.turn().other();
        let check = |&number: &u32| {
            let plies = state.plies_of(number, mover);
            // The move that is only intended brings it about once more (9.2.1).
            let comes = intends.is_some() && plies == state.record.len() + 1;
            (number, plies, comes || stood.contains(&plies))
        };
        item.claimed.iter().map(check).collect()
    }

    /// The result, `None` while the game is being played.
    pub fn result(&self) -> Option<GameResult> {
        self.state().ending.as_ref().map(|ending| ending.result)
    }
}

/// What carrying it out does.
fn effect(ruling: &Ruling) -> Effect {
    let to = |color: Color, span: Millis| match color {
        Color::White => (span, Millis::ZERO),
        Color::Black => (Millis::ZERO, span),
    };
    let mut effect = Effect::default();
    match ruling {
        Ruling::Offence {
            offence,
            penalty,
            bound,
            ends,
            ..
        } => {
            effect.result = ends.map(|(result, _)| result.text().to_owned());
            if ends.is_none() {
                let given = to(offence.of.other(), *penalty);
                let taken = to(offence.of, offence.gain.map_or(Millis::ZERO, |gain| gain.time));
                effect.add = (given.0 - taken.0, given.1 - taken.1);
                effect.must_play = bound.map(|bound| bound.to_string());
            }
            if offence.ply.is_some() && offence.unpromoted.is_none() {
                effect.keep = u32::try_from(offence.keep).ok();
            }
        }
        Ruling::End { result, .. } => effect.result = Some(result.text().to_owned()),
        Ruling::WrongClaim { by, penalty, bound } => {
            effect.add = to(by.other(), *penalty);
            effect.must_play = bound.map(|bound| bound.to_string());
        }
        Ruling::Increment { by, time, .. } => effect.add = to(by.other(), *time),
        Ruling::NewGame => effect.new_game = true,
        Ruling::StopClocks => effect.stops = true,
        Ruling::TakeReading(reading) => effect.set = Some((reading.white, reading.black)),
        Ruling::Nothing | Ruling::Wait | Ruling::Promoted { .. } => {}
    }
    effect
}

impl From<&Ply> for MoveView {
    fn from(ply: &Ply) -> MoveView {
        MoveView {
            san: ply.san.clone(),
            uci: ply.mv.to_string(),
            clock: ply.pressed.map(|pressed| pressed.shows),
            at: ply.pressed.map_or(ply.made, |pressed| pressed.at),
            promotion_unconfirmed: ply.unconfirmed,
        }
    }
}

/// The record as the hall sees it: an illegal move is written like any other (12.6), nothing is said of a piece that nobody saw, and a
/// mate is a check until it has been said that the game is over.
fn hall_moves(state: &State) -> Vec<MoveView> {
    let said = state.ending.as_ref().is_some_and(|ending| ending.announced);
    let last = state.record.len().checked_sub(1).filter(|_| said);
    let view = |(at, ply): (usize, &Arc<Ply>)| MoveView {
        san: match ply.illegal {
            None if last == Some(at) => ply.san.clone(),
            None => ply.san.replace('#', "+"),
            Some(_) => like_any_other(state.position_after(at), ply),
        },
        promotion_unconfirmed: false,
        ..MoveView::from(&**ply)
    };
    state.record.iter().enumerate().map(view).collect()
}

/// What SAN would be if the move were legal.
fn like_any_other(before: &Position, ply: &Ply) -> String {
    let mv = &ply.mv;
    let Some(piece) = before.piece_at(mv.from) else {
        return mv.to.to_string();
    };
    let captures = before.piece_at(mv.to).is_some();
    let piece = match piece.role {
        Role::Pawn if captures => char::from(b'a' + mv.from.file()).to_string(),
        Role::Pawn => String::new(),
        role => role.letter().to_ascii_uppercase().to_string(),
    };
    let check = if ply.after.is_check(ply.by.other()) { "+" } else { "" };
    // A king that goes two squares is taken for castling by whoever looks.
    if mv.from.rank() == mv.to.rank() && mv.from.file().abs_diff(mv.to.file()) >= 2 && piece == "K" {
        let castling = if mv.to.file() > mv.from.file() { "O-O" } else { "O-O-O" };
        return format!("{castling}{check}");
    }
    let captures = if captures { "x" } else { "" };
    let promotion = mv
        .promotion
        .map_or(String::new(), |role| format!("={}", role.letter().to_ascii_uppercase()));
    format!("{piece}{captures}{}{promotion}{check}", mv.to)
}
