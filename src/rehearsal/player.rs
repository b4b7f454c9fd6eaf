//! Plays a case as a hall would: actions in hall time, some of them heard later, alarms when the game asks for them.

use std::fmt;

use super::case::{Action, Case};
use super::judge::Mismatch;
use crate::chess::mates::{self, Bound};
use crate::game::input::{Act, Happening, Input, Origin};
use crate::game::{Event, Game, Refusal};
use crate::time::{HallTime, Millis};

/// Where and how a case does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Something is not as expected.
    Mismatch {
        /// The step, from 1.
        step: usize,
        /// What.
        wrong: Vec<Mismatch>,
    },
    /// The game refused what a step does.
    Refused {
        /// The step, from 1.
        step: usize,
        /// Why.
        why: Refusal,
    },
}

impl Failure {
    /// The step, from 1.
    pub fn step(&self) -> usize {
        match self {
            Failure::Mismatch { step, .. } | Failure::Refused { step, .. } => *step,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Mismatch { step, wrong } => {
                let wrong: Vec<String> = wrong.iter().map(ToString::to_string).collect();
                write!(f, "step {step}  {}", wrong.join("; "))
            }
            Failure::Refused { step, why } => write!(f, "step {step}  refused: {why}"),
        }
    }
}

/// Plays a case and judges it.
pub fn play(case: &Case) -> Result<Game, Failure> {
    play_watched(case, |_, _, _| {})
}

/// The same; `watch` sees every input with the game after it and the events that came out.
pub fn play_watched(case: &Case, mut watch: impl FnMut(&Input, &Game, &[Event])) -> Result<Game, Failure> {
    let mut hall = Hall {
        game: Game::new(case.setup.clone()),
        under_way: Vec::new(),
        watch: &mut watch,
    };
    for (index, step) in case.steps.iter().enumerate() {
        let number = index + 1;
        let refused = |(step, why)| Failure::Refused { step, why };
        let now = HallTime(step.at.0);
        hall.pass(now).map_err(refused)?;
        if let Some(action) = &step.action {
            let input = input(action, now, index);
            match step.arrives.filter(|arrives| *arrives > step.at) {
                Some(arrives) => hall.under_way.push((
                    number,
                    Input {
                        heard: HallTime(arrives.0),
                        ..input
                    },
                )),
                None => match hall.hear(&input) {
                    Err(Refusal::NotNow(_)) if action.is_a_look() => {}
                    heard => heard.map_err(|why| refused((number, why)))?,
                },
            }
        }
        hall.settle(now).map_err(|why| refused((number, why)))?;
        if let Some(expect) = &step.expect {
            let wrong = expect.judge(&hall.game.arbiter_view(now));
            if !wrong.is_empty() {
                return Err(Failure::Mismatch { step: number, wrong });
            }
        }
    }
    Ok(hall.game)
}

/// One table's side of the network counts its reports, so that nothing is mistaken for earlier than it was.
fn input(action: &Action, at: HallTime, index: usize) -> Input {
    let (origin, what) = match action {
        Action::Player(fact) => {
            let seq = i64::try_from(index).unwrap_or(i64::MAX);
            let origin = Origin::Device {
                device: "table".to_owned(),
                boot: 0,
                seq,
                bar: Some(Millis::ZERO),
            };
            (origin, Happening::Fact(fact.clone()))
        }
        Action::Arbiter(deed) => {
            let origin = Origin::Person {
                name: "arbiter".to_owned(),
                role: "chief-arbiter".to_owned(),
            };
            (
                origin,
                Happening::Act(Act {
                    revision: None,
                    reason: String::new(),
                    what: deed.clone(),
                }),
            )
        }
    };
    Input {
        at,
        heard: at,
        origin,
        what,
    }
}

struct Hall<'a> {
    game: Game,
    /// Actions done and not heard of, with the step of each.
    under_way: Vec<(usize, Input)>,
    watch: &'a mut dyn FnMut(&Input, &Game, &[Event]),
}

impl Hall<'_> {
    fn hear(&mut self, input: &Input) -> Result<(), Refusal> {
        let events = self.game.take(input)?;
        (self.watch)(input, &self.game, &events);
        self.search(input.heard)
    }

    /// What the game itself has not decided is waited for, so that a case comes out the same on every machine.
    fn search(&mut self, now: HallTime) -> Result<(), Refusal> {
        let mut asked = Vec::new();
        while let Some(question) = self
            .game
            .questions()
            .into_iter()
            .find(|question| !asked.contains(question))
        {
            asked.push(question.clone());
            let verdict = mates::fuller(&question.position, question.winner, Bound::WORKER);
            let answer = Input {
                at: question.at,
                heard: now,
                origin: Origin::Hub,
                what: Happening::Fact(question.answered(&verdict)),
            };
            let events = self.game.take(&answer)?;
            (self.watch)(&answer, &self.game, &events);
        }
        Ok(())
    }

    /// Everything before now has been heard, but for what is still under way.
    fn settle(&mut self, now: HallTime) -> Result<(), Refusal> {
        let through = self
            .under_way
            .iter()
            .map(|(_, input)| input.at)
            .min()
            .unwrap_or(now + Millis(1));
        self.hear(&Input {
            at: now,
            heard: now,
            origin: Origin::Hub,
            what: Happening::Settled { through },
        })
    }

    /// Time passes up to this moment: deadlines, and news that arrive.
    fn pass(&mut self, now: HallTime) -> Result<(), (usize, Refusal)> {
        loop {
            let arrival = (0..self.under_way.len()).min_by_key(|&at| self.under_way[at].1.heard);
            let arrival = arrival.filter(|&at| self.under_way[at].1.heard <= now);
            let heard = arrival.map(|at| self.under_way[at].1.heard);
            let deadline = self.game.next_deadline().filter(|at| *at <= now);
            match (deadline, arrival) {
                (Some(deadline), _) if heard.is_none_or(|heard| deadline <= heard) => {
                    let alarm = Input {
                        at: deadline,
                        heard: deadline,
                        origin: Origin::Hub,
                        what: Happening::Alarm,
                    };
                    self.hear(&alarm)
                        .and_then(|()| self.settle(deadline))
                        .map_err(|why| (0, why))?;
                    if self.game.next_deadline() == Some(deadline) {
                        // Nothing came of it; it is not asked again before something else happens.
                        return Ok(());
                    }
                }
                (_, Some(arrival)) => {
                    let (step, input) = self.under_way.remove(arrival);
                    self.hear(&input)
                        .and_then(|()| self.settle(input.heard))
                        .map_err(|why| (step, why))?;
                }
                _ => return Ok(()),
            }
        }
    }
}
