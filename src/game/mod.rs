//! One game at one table: inputs in, events out, state a fold of the events. Pure: time comes with the inputs.

pub mod account;
mod acts;
pub mod appeal;
mod articles;
pub mod audience;
mod by_hand;
mod chronicle;
mod event;
mod facts;
mod history;
pub mod input;
pub mod item;
mod known;
mod mating;
mod observed;
pub mod orders;
mod play;
mod refusal;
mod rulings;
mod setup;
pub mod state;
mod table;
#[cfg(test)]
mod tests;
mod timeline;
mod unanswered;
mod views;
mod words;

use std::slice;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use chronicle::Told;
pub use event::{Event, Note, Step};
pub use input::Input;
pub use mating::Question;
pub use refusal::{FoldError, Refusal};
pub use setup::{BoardKind, ClockKind, Enforcement, GameSetup};

use crate::chess::Color;
use crate::laws::GameResult;
use crate::mutation::{self, Mutation};
use crate::time::{HallTime, Millis};
use audience::OrderStatus;
use history::History;
use input::{Act, Deed, Fact, Happening, Origin, Reading, Restoration, TimeChange};
use orders::Desk;
use state::State;
use table::Table;
use timeline::{Course, Timeline};

/// One game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Game {
    setup: Arc<GameSetup>,
    timeline: Timeline,
    desk: Desk,
    /// What was ruled.
    #[serde(default)]
    history: History,
    /// Everything before this has been heard; known anew after a restart.
    #[serde(skip, default = "long_ago")]
    settled: HallTime,
    /// How far hall time has come, as far as the game was told.
    reached: HallTime,
    /// Since when the clock shows another side running than is counted, and which.
    #[serde(skip)]
    unlike: Option<(HallTime, Option<Color>)>,
}

/// A clock on which another side runs than is counted, or none, is believed when it has shown so for so long.
const UNLIKE_STANDS: Millis = Millis::secs(1);
/// What it showed longer ago is another matter.
const UNLIKE_AGAIN: Millis = Millis::secs(30);
/// More occurrences than these nobody names.
const MOST_CLAIMED: usize = 12;
/// With more broken sensors a board is of no use.
const MOST_MASKED: usize = 16;

fn long_ago() -> HallTime {
    HallTime(i64::MIN)
}

/// Two games are the same where their states are: how far back they could go is not part of it.
impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.setup == other.setup && self.state() == other.state() && self.desk == other.desk
    }
}

impl Game {
    /// A game before its start.
    pub fn new(setup: GameSetup) -> Game {
        let mut state = State::new(&setup);
        state.time = setup.opened;
        let mut desk = Desk::default();
        if setup.clock == ClockKind::Counting {
            desk.want(
                &mut state.wants,
                &mut state.wanted,
                setup.opened,
                orders::Wanted::Control,
            );
            desk.order(&state, &setup);
        }
        let reached = setup.opened;
        Game {
            setup: Arc::new(setup),
            timeline: Timeline::new(state),
            desk,
            history: History::default(),
            settled: long_ago(),
            reached,
            unlike: None,
        }
    }

    /// What it was set up with.
    pub fn setup(&self) -> &GameSetup {
        &self.setup
    }

    /// The present state.
    pub fn state(&self) -> &State {
        self.timeline.state()
    }

    /// Of this boot of the table's board no picture is known: since when what was touched is not told. `None`: it is known, or there is no
    /// board, or the game has not begun.
    pub fn board_unknown_since(&self, board: &str, boot: u32) -> Option<HallTime> {
        let state = self.state();
        match (&state.board_from, state.board_boot) {
            (Some((name, _)), Some(told)) if name == board && told != boot => {
                Some(self.timeline.last_told_in(board, told))
            }
            (None, _) if state.board.is_some() => state.started,
            _ => None,
        }
    }

    /// When the last of what this device has told was, as far back as is kept.
    pub fn last_told(&self, device: &str) -> HallTime {
        self.timeline.last_told_by(device, HallTime(i64::MAX)).time
    }

    /// Takes an input; what comes out is to be journalled. No events: nothing to journal.
    pub fn take(&mut self, input: &Input) -> Result<Vec<Event>, Refusal> {
        if let Happening::Settled { through } = input.what {
            self.settled = self.settled.max(through);
        }
        self.reached = match &input.what {
            Happening::Fact(_) => self.reached.max(input.at),
            _ => self.reached.max(input.heard),
        };
        let mut input = input.clone();
        match &input.what {
            Happening::Settled { .. } | Happening::Alarm => return Ok(self.pass(&input)),
            Happening::Act(act) => {
                self.check(act, input.at.max(self.state().time))?;
                // An arbiter acts on what is known: his act comes after it.
                input.at = input.at.max(self.state().time);
                if is_idle(act, self.state()) {
                    return Ok(self.pass(&input));
                }
            }
            Happening::Fact(fact) => {
                check_fact(fact)?;
                self.check_early_draw(&input.origin, fact)?;
                if let Fact::OrderAnswered { number, .. } = fact
                    && !self.desk.orders.iter().any(|order| order.number == *number)
                {
                    // An answer that is heard again: what it says has been taken.
                    return Ok(self.pass(&input));
                }
                let news = match fact {
                    Fact::Reading(reading) => self.is_news(*reading, input.at),
                    Fact::Placed { placement } => {
                        let state = self.state();
                        state.picture_gap
                            || state.behind
                            || state.away.is_some()
                            || state.is_another_board(&input.origin)
                            || !self.is_shown(placement, input.at)
                    }
                    // What it has told since it was put on again is no news, and is not what it showed before it went off.
                    Fact::BoardBack { before, placement, .. } => {
                        !self.timeline.last_told_by(before, input.at).board_shows(placement)
                    }
                    _ => true,
                };
                if !news {
                    return Ok(self.pass(&input));
                }
            }
        }
        match &input.what {
            // What is lost may be anything since the device's last report before it.
            Happening::Fact(Fact::ReportsLost { .. }) => {
                input.at = input.at.min(self.timeline.last_told(&input.origin));
            }
            Happening::Fact(Fact::BoardBack { before, .. }) => {
                input.at = input.at.max(self.timeline.last_told_by(before, input.at).time);
            }
            Happening::Fact(Fact::Placed { .. }) => {
                input.at = self.state().away.map_or(input.at, |since| input.at.max(since));
            }
            _ => {}
        }
        // What is older than all that is kept is taken as of then.
        let mut desk = self.desk.clone();
        if let Happening::Fact(Fact::OrderAnswered { number, answer, .. }) = &input.what {
            desk.answered(*number, answer, input.at);
        }
        let course = self.timeline.run(
            slice::from_ref(&input),
            self.reached,
            &self.setup,
            self.settled,
            &mut desk,
        );
        Ok(self.adopt(course, desk, slice::from_ref(&input)))
    }

    /// Whether a device tells late what a player did, or what its clock showed then: it belongs before what has been taken already, which
    /// is taken again for it. What several such reports bring is taken in one run, by [`Game::take_late`].
    pub fn is_late(&self, input: &Input) -> bool {
        input.at < self.state().time
            && matches!(input.origin, Origin::Device { .. })
            && matches!(
                input.what,
                Happening::Fact(Fact::Pressed { .. } | Fact::Lifted { .. } | Fact::Put { .. } | Fact::Reading(_))
            )
    }

    /// Takes reports heard together, each of them [late](Game::is_late), as those of an outage are: one by one each would have all that
    /// came after it taken again. Refused are they all, where one of them is not late.
    pub fn take_late(&mut self, inputs: &[Input]) -> Result<Vec<Event>, Refusal> {
        if !inputs.iter().all(|input| self.is_late(input)) {
            return Err(Refusal::NotNow("not all of these reports are late".to_owned()));
        }
        // A reading of then is no news now.
        let says = |input: &&Input| !matches!(input.what, Happening::Fact(Fact::Reading(_)));
        let said: Vec<Input> = inputs.iter().filter(says).cloned().collect();
        if said.len() < inputs.len() {
            self.unlike = None;
        }
        let mut desk = self.desk.clone();
        let course = self
            .timeline
            .run(&said, self.reached, &self.setup, self.settled, &mut desk);
        if course.steps.is_empty() && course.keep == self.timeline.len() {
            return Ok(Vec::new());
        }
        Ok(self.adopt(course, desk, if said.is_empty() { inputs } else { &said }))
    }

    /// Time has passed, or more is settled, as this input says.
    fn pass(&mut self, input: &Input) -> Vec<Event> {
        let mut desk = self.desk.clone();
        let course = self
            .timeline
            .run(&[], self.reached, &self.setup, self.settled, &mut desk);
        let events = if course.steps.is_empty() && course.keep == self.timeline.len() {
            Vec::new()
        } else {
            self.adopt(course, desk, slice::from_ref(input))
        };
        // An order that the clock has not answered may have been carried out at any time since it was given; and what has been heard since,
        // whenever that was by its time.
        let open = self
            .desk
            .orders
            .iter()
            .filter(|order| order.status == OrderStatus::Sent);
        let given = open.map(|order| order.since).min();
        let through = given.map_or(self.settled, |given| given.min(self.settled));
        self.timeline.settle(through, given);
        events
    }

    /// Takes what the engine made of inputs, and says it in events.
    fn adopt(&mut self, course: Course, mut desk: Desk, causes: &[Input]) -> Vec<Event> {
        let before = Arc::clone(self.timeline.state());
        let late = course.keep < self.timeline.len();
        let back_to = self.timeline.number_after(course.keep);
        let (withdrawn, found) = if late {
            self.differences(&course)
        } else {
            Default::default()
        };
        let steps: Vec<Step> = course.steps.iter().map(|(step, _)| step.clone()).collect();
        self.timeline.adopt(course);
        self.history.fold(back_to, &steps);
        let after = Arc::clone(self.timeline.state());
        if after.rulings != before.rulings
            || result(&after) != result(&before)
            || !withdrawn.is_empty()
            || !found.is_empty()
        {
            desk.revision += 1;
            desk.changed = what_changed(&before, &after, late && !(withdrawn.is_empty() && found.is_empty()));
        }
        desk.order(&after, &self.setup);
        let settled = self.timeline.base_number();
        let changed = (desk != self.desk).then(|| Box::new(desk.clone()));
        self.desk = desk;
        let cause = causes.iter().min_by_key(|input| input.at).filter(|_| late);
        let Some(cause) = cause else {
            return vec![Event::Taken {
                steps,
                desk: changed,
                settled,
            }];
        };
        let from_ply = before
            .record
            .iter()
            .zip(after.record.iter())
            .take_while(|(a, b)| a == b)
            .count();
        vec![Event::Reconsidered {
            cause: Box::new(cause.clone()),
            with_it: u32::try_from(causes.len() - 1).unwrap_or(u32::MAX),
            from_ply,
            withdrawn,
            found,
            back_to,
            steps,
            desk: changed,
            settled,
        }]
    }

    /// What had been concluded and is no more, and what is concluded now and was not.
    fn differences(&self, course: &Course) -> (Vec<Note>, Vec<Note>) {
        let conclusions = |notes: &mut dyn Iterator<Item = &Note>| -> Vec<Note> {
            notes.filter(|note| note.is_conclusion()).cloned().collect()
        };
        let old = conclusions(&mut self.timeline.notes_after(course.keep));
        let new = conclusions(&mut course.steps.iter().flat_map(|(step, _)| &step.notes));
        let without =
            |notes: &[Note], others: &[Note]| notes.iter().filter(|note| !others.contains(note)).cloned().collect();
        (without(&old, &new), without(&new, &old))
    }

    /// Replays an event.
    pub fn fold(&mut self, event: &Event) -> Result<(), FoldError> {
        let (back_to, steps, desk, settled) = match event {
            Event::Taken { steps, desk, settled } => (self.timeline.number(), steps, desk, settled),
            Event::Reconsidered {
                back_to,
                steps,
                desk,
                settled,
                ..
            } => (*back_to, steps, desk, settled),
        };
        self.timeline.replay(back_to, steps)?;
        self.history.fold(back_to, steps);
        if let Some(desk) = desk {
            self.desk = (**desk).clone();
        }
        self.reached = self.reached.max(self.state().time);
        // As it was then: what cannot change any more is not kept to go back to.
        self.timeline.forget_through(*settled);
        Ok(())
    }

    /// The hall time at which something happens by itself if nothing is heard before.
    pub fn next_deadline(&self) -> Option<HallTime> {
        let next = Table::deadline(self.state(), &self.setup, self.settled);
        next.into_iter().chain(self.timeline.ripens(self.settled)).min()
    }

    /// Whether a reading says something that the game does not count itself. One between two states of the clock says nothing: that
    /// another side runs, or none, is news when it is shown again.
    fn is_news(&mut self, reading: Reading, at: HallTime) -> bool {
        let unlike = self.unlike.take();
        let state = self.state();
        let quiet = state.started.is_some()
            && state.ending.is_none()
            && state.wants.is_empty()
            && self.desk.orders.is_empty()
            && self.timeline.is_last_at(at);
        if !quiet {
            return false;
        }
        let counting = self.setup.clock == ClockKind::Counting;
        if let Some(fallen) = state.clock.fallen() {
            let tolerance = facts::tolerance(self.setup.clock_resolution);
            if !counting || !facts::contradicts(state, fallen, reading, tolerance) {
                return false;
            }
            if reading.running == Some(fallen) {
                return true;
            }
        }
        if state.clock.running() != reading.running {
            if !counting {
                return false;
            }
            let again = unlike.filter(|(since, running)| *running == reading.running && at - *since <= UNLIKE_AGAIN);
            let (since, _) = *self.unlike.insert(again.unwrap_or((at, reading.running)));
            return at - since >= UNLIKE_STANDS;
        }
        let shows = |of| state.clock.shows(of, at, &self.setup.time_control);
        let count = Reading {
            white: shows(Color::White),
            black: shows(Color::Black),
            running: reading.running,
        };
        let open = state
            .items
            .iter()
            .any(|item| item.key.kind == item::Kind::AdjustedAtTable);
        (counting || !open) && !facts::agrees(count, reading, self.setup.clock_resolution)
    }

    /// Whether the board is known to show this already.
    fn is_shown(&self, placement: &str, at: HallTime) -> bool {
        self.timeline.is_last_at(at) && self.state().board_shows(placement)
    }

    // What is refused

    fn check(&self, act: &Act, at: HallTime) -> Result<(), Refusal> {
        let state = self.state();
        match &act.what {
            Deed::Adjust {
                white,
                black,
                moves_done,
            } => {
                let absolute = moves_done.is_some()
                    || [white, black]
                        .iter()
                        .any(|change| matches!(change, Some(TimeChange::To(_))));
                if absolute {
                    self.check_table(act)?;
                }
                for (field, of, change) in [("white", Color::White, white), ("black", Color::Black, black)] {
                    let why = match change {
                        Some(TimeChange::To(time)) if time.0 < 0 => "a clock shows no time below zero".to_owned(),
                        Some(TimeChange::By(span)) if span.0 < 0 => {
                            let has = state.clock.shows(of, at, &self.setup.time_control);
                            if has.0.saturating_add(span.0) >= 0 {
                                continue;
                            }
                            let taken = crate::time::Millis(span.0.saturating_neg());
                            format!(
                                "{of} has {has}, so {taken} cannot be taken from it; take no more than that, or set the time to 0:00:00"
                            )
                        }
                        _ => continue,
                    };
                    return Err(Refusal::Invalid { field, why });
                }
                Ok(())
            }
            Deed::Restore { to } => {
                self.check_table(act)?;
                match to {
                    Restoration::Keep(keep) if *keep as usize > state.record.len() => {
                        let why = format!("the record has {} half-moves, so no more can stay", state.record.len());
                        Err(Refusal::Invalid { field: "keep", why })
                    }
                    Restoration::Fen(fen) => {
                        let variant = state.base.1.variant();
                        let bad = crate::chess::Position::from_fen(fen, variant).err();
                        bad.map_or(Ok(()), |bad| {
                            Err(Refusal::Invalid {
                                field: "fen",
                                why: bad.to_string(),
                            })
                        })
                    }
                    Restoration::Keep(_) => Ok(()),
                }
            }
            Deed::Decide { result } => {
                self.check_table(act)?;
                result.parse::<GameResult>().map(|_| ()).map_err(|no| Refusal::Invalid {
                    field: "result",
                    why: no.to_string(),
                })
            }
            Deed::EnterMove { mv } => {
                self.check_table(act)?;
                let known = mv.parse::<crate::chess::Move>().is_ok() || state.position().parse_san(mv).is_ok();
                if !known {
                    let why = format!("{mv:?} is no move here; write e2e4, e7e8q or the SAN of a legal move");
                    return Err(Refusal::Invalid { field: "move", why });
                }
                if state.started.is_none() || state.ending.is_some() {
                    return Err(Refusal::NotNow(
                        "moves are entered while the game is being played; reopen it first if it is over".to_owned(),
                    ));
                }
                Ok(())
            }
            Deed::Promoted { ply, .. } => {
                self.check_table(act)?;
                let promotion = (*ply as usize)
                    .checked_sub(1)
                    .and_then(|at| state.record.get(at))
                    .and_then(|ply| ply.mv.promotion);
                promotion.map(|_| ()).ok_or_else(|| Refusal::Invalid {
                    field: "ply",
                    why: format!("half-move {ply} of the record is no promotion"),
                })
            }
            Deed::SetPeriods { white, black } => {
                self.check_table(act)?;
                let last = self.setup.time_control.periods().len().saturating_sub(1);
                for (field, period) in [("white", white), ("black", black)] {
                    if period.is_some_and(|period| period as usize > last) {
                        let why = match last {
                            0 => "this time control has one period only".to_owned(),
                            _ => format!("this time control has {} periods", last + 1),
                        };
                        return Err(Refusal::Invalid { field, why });
                    }
                }
                Ok(())
            }
            Deed::Mend { ply, mv } => {
                self.check_table(act)?;
                let at = (*ply as usize).checked_sub(1).unwrap_or(usize::MAX);
                let mended = state.mended(at, mv).map(|_| ());
                mended.map_err(|why| Refusal::Invalid { field: "move", why })
            }
            Deed::ClaimedMoves { item, moves } => {
                self.check_item(Some(*item), act.revision)?;
                let threefold = state
                    .item(*item)
                    .is_some_and(|item| item.key.kind == item::Kind::ClaimThreefold);
                if !threefold {
                    let why = "it is no claim of a threefold repetition: only there are moves named (9.2)".to_owned();
                    return Err(Refusal::Invalid { field: "item", why });
                }
                if moves.len() > MOST_CLAIMED || moves.iter().any(|&mv| mv == 0 || mv > 1_000) {
                    let why = format!("name at most {MOST_CLAIMED} moves by their numbers, from 1");
                    return Err(Refusal::Invalid { field: "moves", why });
                }
                Ok(())
            }
            Deed::MaskSquares { squares } => {
                if state.board_kind(&self.setup) == BoardKind::None {
                    return Err(Refusal::NotNow(
                        "no board serves this table, so there is nothing to mask".to_owned(),
                    ));
                }
                if squares.len() > MOST_MASKED {
                    let why = format!("with more than {MOST_MASKED} squares masked go on without the board");
                    return Err(Refusal::Invalid { field: "squares", why });
                }
                Ok(())
            }
            Deed::UseBoard { used: true } if self.setup.board == BoardKind::None => Err(Refusal::NotNow(
                "this game was begun without a board, and cannot use one any more".to_owned(),
            )),
            Deed::UseBoard { used: true } if state.without_board && !state.knows_the_position(&self.setup) => {
                Err(Refusal::NotNow(
                    "the moves made meanwhile are missing: enter them, or restore the position, and use the board then"
                        .to_owned(),
                ))
            }
            Deed::UseBoard { used } if *used != state.without_board => Err(Refusal::NotNow(
                if *used {
                    "the board is used already"
                } else {
                    "this game is played without a board already"
                }
                .to_owned(),
            )),
            Deed::Appeal(step) => state.check_appeal(step),
            Deed::Confirm { item, .. } | Deed::Dismiss { item } => self.check_item(*item, act.revision),
            Deed::Take { item } => self.check_item(Some(*item), act.revision),
            Deed::Reopen if state.ending.is_none() => Err(Refusal::NotNow(
                "the game is not over, there is nothing to reopen".to_owned(),
            )),
            Deed::Observe { what, of } => match state.nothing_to_see(*what, *of, &self.setup) {
                Some(why) => Err(Refusal::NotNow(why)),
                None => Ok(()),
            },
            Deed::Note if act.reason.trim().is_empty() => Err(Refusal::Invalid {
                field: "text",
                why: "a note says something".to_owned(),
            }),
            Deed::Note => self.check_table(act),
            Deed::Start if state.started.is_some() => {
                Err(Refusal::NotNow("the game has been started before".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// 9.1.1: where somebody enters that the players agree on a draw, and they cannot yet, he is told so. What devices say of it is theirs.
    fn check_early_draw(&self, origin: &Origin, fact: &Fact) -> Result<(), Refusal> {
        let agreed = matches!(
            fact,
            Fact::Agreed {
                what: input::Agreement::Draw
            } | Fact::DrawAccepted { .. }
        );
        let state = self.state();
        if !agreed || !matches!(origin, Origin::Person { .. }) || state.started.is_none() || state.ending.is_some() {
            return Ok(());
        }
        let least = self.setup.min_moves_for_draw.max(1);
        let [white, black] = Color::BOTH.map(|color| state.moves_made(color));
        if white.min(black) >= least {
            return Ok(());
        }
        Err(Refusal::NotNow(format!(
            "no draw is agreed before both players have made {least} moves (9.1.1), and White has made {white}, Black {black}: the game \
             goes on; if it is to end all the same, set the result"
        )))
    }

    fn check_table(&self, act: &Act) -> Result<(), Refusal> {
        match act.revision {
            Some(given) if given != self.desk.revision && !mutation::on(Mutation::StaleRevision) => {
                Err(Refusal::StaleTable {
                    given,
                    now: self.desk.revision,
                    changed: self.desk.changed.clone(),
                })
            }
            _ => Ok(()),
        }
    }

    fn check_item(&self, item: Option<u64>, revision: Option<u64>) -> Result<(), Refusal> {
        let Some(number) = item else { return Ok(()) };
        let Some(item) = self.state().item(number) else {
            let why = if number == 0 || number > self.desk.items.len() as u64 {
                "there never was one of this number".to_owned()
            } else {
                "it was answered, or its time is over".to_owned()
            };
            return Err(Refusal::NoItem { item: number, why });
        };
        match revision {
            Some(given) if given != item.revision => {
                let changed = words::proposal(item, self.state(), &self.setup);
                Err(Refusal::StaleItem {
                    item: number,
                    given,
                    now: item.revision,
                    changed,
                })
            }
            _ => Ok(()),
        }
    }
}

/// Whether an act finds nothing to do at all, so that not even the journal needs it.
fn is_idle(act: &Act, state: &State) -> bool {
    match &act.what {
        Deed::Confirm { item: None, .. } => {
            state.shown_items().next().is_none() && state.ending.as_ref().is_none_or(|ending| ending.announced)
        }
        Deed::Dismiss { item: None } => state.shown_items().next().is_none(),
        _ => false,
    }
}

/// Facts that say nothing at all.
fn check_fact(fact: &Fact) -> Result<(), Refusal> {
    match fact {
        Fact::Moved { mv, .. } => mv
            .parse::<crate::chess::Move>()
            .map(|_| ())
            .map_err(|no| Refusal::Invalid {
                field: "move",
                why: no.to_string(),
            }),
        Fact::Placed { placement } | Fact::BoardBack { placement, .. } => placement
            .parse::<crate::chess::Picture>()
            .map(|_| ())
            .map_err(|no| Refusal::Invalid {
                field: "placement",
                why: no.to_string(),
            }),
        Fact::ResultEntered { result, .. } | Fact::ResultShown { result } => {
            result.parse::<GameResult>().map(|_| ()).map_err(|no| Refusal::Invalid {
                field: "result",
                why: no.to_string(),
            })
        }
        _ => Ok(()),
    }
}

fn result(state: &State) -> Option<(GameResult, crate::laws::Termination)> {
    state.ending.as_ref().map(|ending| (ending.result, ending.termination))
}

fn what_changed(before: &State, after: &State, reconsidered: bool) -> String {
    match (&after.ending, &before.ending) {
        (Some(ending), _) if result(after) != result(before) => {
            format!("the game ended {} ({})", ending.result, ending.termination.name())
        }
        (None, Some(_)) => "the game was reopened".to_owned(),
        _ if reconsidered => "late news changed what had been found".to_owned(),
        _ => "an arbiter has ruled".to_owned(),
    }
}

/// The regulations have an item carried out at once.
fn regulations_confirm(item: u64, at: HallTime) -> Input {
    let act = Act {
        revision: None,
        reason: "automatic enforcement".to_owned(),
        what: Deed::Confirm {
            item: Some(item),
            promotion: None,
        },
    };
    Input {
        at,
        heard: at,
        origin: Origin::Hub,
        what: Happening::Act(act),
    }
}
