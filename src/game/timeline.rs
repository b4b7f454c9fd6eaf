//! The course of a game in table time: a settled state, the steps since, and how late news are put where they belong.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::FoldError;
use super::event::{Note, Step};
use super::input::{Fact, Happening, Input, Origin};
use super::item::Ruled;
use super::orders::Desk;
use super::setup::GameSetup;
use super::state::State;
use super::table::{self, Table};
use crate::time::HallTime;

/// So many steps are kept to go back to when nothing settles; older late news are taken as of then.
const MOST_STEPS: usize = 512;
/// So many conclusions at most are drawn before one input: more is a fault, and the rest comes at the next.
const MOST_CONCLUSIONS: usize = 64;

/// A settled state and the steps since.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub(super) struct Timeline {
    /// The state up to which everything is settled, or as far back as is kept.
    base: Arc<State>,
    /// The number of the step that led to it.
    base_number: u64,
    /// The steps since, with the state after each.
    steps: Vec<(Arc<Step>, Arc<State>)>,
}

/// As it is serialised: the steps carry the difference that each made.
#[derive(Clone, Serialize, Deserialize)]
struct Written {
    base: Arc<State>,
    base_number: u64,
    steps: Vec<Arc<Step>>,
}

impl From<Timeline> for Written {
    fn from(timeline: Timeline) -> Written {
        let steps = timeline.steps.into_iter().map(|(step, _)| step).collect();
        Written {
            base: timeline.base,
            base_number: timeline.base_number,
            steps,
        }
    }
}

impl TryFrom<Written> for Timeline {
    type Error = FoldError;

    fn try_from(written: Written) -> Result<Timeline, FoldError> {
        let mut timeline = Timeline {
            base: written.base,
            base_number: written.base_number,
            steps: Vec::new(),
        };
        for step in written.steps {
            timeline.push_step(step)?;
        }
        Ok(timeline)
    }
}

/// What running the engine made: the steps that stay, and those to put after them.
pub(super) struct Course {
    /// How many of the steps so far stay.
    pub keep: usize,
    /// The steps after them, with the state after each.
    pub steps: Vec<(Step, State)>,
}

impl Timeline {
    pub fn new(state: State) -> Timeline {
        Timeline {
            base: Arc::new(state),
            base_number: 0,
            steps: Vec::new(),
        }
    }

    /// The present state.
    pub fn state(&self) -> &Arc<State> {
        self.steps.last().map_or(&self.base, |(_, state)| state)
    }

    /// How many steps are kept.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The latest state kept in which this was so, or the earliest there is.
    pub fn latest_where(&self, was: impl Fn(&State) -> bool) -> &State {
        self.steps
            .iter()
            .rev()
            .map(|(_, state)| &**state)
            .find(|state| was(state))
            .unwrap_or(&self.base)
    }

    /// The number of the last step.
    pub fn number(&self) -> u64 {
        self.number_after(self.steps.len())
    }

    pub fn number_after(&self, steps: usize) -> u64 {
        steps
            .checked_sub(1)
            .map_or(self.base_number, |last| self.steps[last].0.number)
    }

    fn state_after(&self, steps: usize) -> &Arc<State> {
        steps.checked_sub(1).map_or(&self.base, |last| &self.steps[last].1)
    }

    /// The notes of the steps after the first `keep`.
    pub fn notes_after(&self, keep: usize) -> impl Iterator<Item = &Note> {
        self.steps[keep..].iter().flat_map(|(step, _)| &step.notes)
    }

    /// Whether anything is kept that happened after this moment.
    pub fn is_last_at(&self, at: HallTime) -> bool {
        self.state().time <= at
    }

    /// The earliest moment whose conclusion from the board's picture was left open while later things were taken.
    fn left_open(&self) -> impl Iterator<Item = HallTime> {
        (0..self.steps.len()).filter_map(|at| {
            let (state, next) = (self.state_after(at), &self.steps[at].0);
            let (due, _) = table::awaited(state).into_iter().flatten().min_by_key(|(at, _)| *at)?;
            // A conclusion of that very moment is the one that was awaited; an input is taken after it.
            let from = due.max(state.time);
            (next.at > from || (next.at == from && next.input.is_some())).then_some(due)
        })
    }

    /// From which step on all is to be taken again, because what was left open there may be concluded by now.
    fn ripened(&self, settled: HallTime, reached: HallTime) -> Option<usize> {
        let due = self.left_open().find(|due| table::is_ripe(*due, settled, reached))?;
        Some(self.steps.partition_point(|(step, _)| step.at < due))
    }

    /// When something that was left open may be concluded, whatever is heard before.
    pub fn ripens(&self, settled: HallTime) -> Option<HallTime> {
        self.left_open().map(|due| table::ripe_by(due, settled)).min()
    }

    /// When the teller of this was last heard before it, as far back as is kept.
    pub fn last_told(&self, origin: &Origin) -> HallTime {
        let Origin::Device { device, boot, seq, .. } = origin else {
            return HallTime(i64::MAX);
        };
        let before = |_: &Input, of: &str, in_boot: u32, at: i64| of == device && (in_boot != *boot || at < *seq);
        self.after_the_last_told(before).time
    }

    /// When the last of what a device told in this boot was, as far back as is kept.
    pub fn last_told_in(&self, name: &str, boot: u32) -> HallTime {
        self.after_the_last_told(|_, of, in_boot, _| of == name && in_boot == boot)
            .time
    }

    /// How it stood after the last of what a device told up to this moment, as far back as is kept: it may have been started anew since, and have
    /// told more.
    pub fn last_told_by(&self, name: &str, through: HallTime) -> &State {
        self.after_the_last_told(|input, of, _, _| of == name && input.at <= through)
    }

    /// How it stood after the last of what devices told that is like this: what, by which device, in which boot, as which report.
    fn after_the_last_told(&self, like: impl Fn(&Input, &str, u32, i64) -> bool) -> &State {
        let told = |step: &Step| match step.input.as_deref() {
            Some(input) => match &input.origin {
                Origin::Device { device, boot, seq, .. } => like(input, device, *boot, *seq),
                _ => false,
            },
            None => false,
        };
        let last = self.steps.iter().rev().find(|(step, _)| told(step));
        last.map_or(&self.base, |(_, state)| state)
    }

    /// Runs the engine for inputs: at the end, or from where the first of them belongs on. `through` is how far time has come.
    pub fn run(
        &self,
        inputs: &[Input],
        through: HallTime,
        setup: &GameSetup,
        settled: HallTime,
        desk: &mut Desk,
    ) -> Course {
        let mut sequence = Sequence::of(&self.steps);
        let first = inputs.iter().map(|input| sequence.insert(input, desk)).min();
        let place = first.unwrap_or(self.steps.len());
        let earlier = first.and_then(|first| sequence.put_back(first));
        let keep = [Some(place), earlier, self.ripened(settled, through)];
        let keep = keep.into_iter().flatten().min().unwrap_or(place);
        let table = Table::new((**self.state_after(keep)).clone(), setup, settled, through, desk);
        let mut runner = Runner {
            table,
            steps: Vec::new(),
            number: self.number_after(keep),
        };
        for (heard, at) in sequence.after(keep) {
            runner.pass(at);
            runner.take(heard.input, at, heard.ruled);
        }
        runner.pass(through);
        runner.settle(through);
        Course {
            keep,
            steps: runner.steps,
        }
    }

    /// Takes what the engine made.
    pub fn adopt(&mut self, course: Course) {
        self.steps.truncate(course.keep);
        self.steps.extend(
            course
                .steps
                .into_iter()
                .map(|(step, state)| (Arc::new(step), Arc::new(state))),
        );
        self.bound();
    }

    fn bound(&mut self) {
        if self.steps.len() > MOST_STEPS {
            self.forget(self.steps.len() - MOST_STEPS);
        }
    }

    /// What happened before this moment cannot change any more, unless it was heard since an order that is still to be answered.
    pub fn settle(&mut self, through: HallTime, given: Option<HallTime>) {
        let settled = self.steps.partition_point(|(step, _)| step.at < through);
        let since =
            |step: &Step| given.is_some_and(|given| step.input.as_ref().is_some_and(|input| input.heard >= given));
        let heard = self.steps.iter().position(|(step, _)| since(step));
        self.forget(heard.map_or(settled, |heard| heard.min(settled)));
    }

    /// The number of the last step that cannot change any more.
    pub fn base_number(&self) -> u64 {
        self.base_number
    }

    /// Steps up to this number cannot change any more.
    pub fn forget_through(&mut self, number: u64) {
        let count = self.steps.partition_point(|(step, _)| step.number <= number);
        self.forget(count);
    }

    fn forget(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        self.base_number = self.number_after(count);
        self.base = Arc::clone(self.state_after(count));
        self.steps.drain(..count);
    }

    // Replay

    /// Takes steps after the one of this number.
    pub fn replay(&mut self, back_to: u64, steps: &[Step]) -> Result<(), FoldError> {
        let keep = if back_to == self.base_number {
            0
        } else {
            let at = self.steps.iter().position(|(step, _)| step.number == back_to);
            at.ok_or_else(|| FoldError(format!("it goes back to step {back_to}, which is not kept")))? + 1
        };
        self.steps.truncate(keep);
        for step in steps {
            self.push_step(Arc::new(step.clone()))?;
        }
        self.bound();
        Ok(())
    }

    fn push_step(&mut self, step: Arc<Step>) -> Result<(), FoldError> {
        if step.number != self.number() + 1 {
            return Err(FoldError(format!(
                "step {} comes after step {}",
                step.number,
                self.number()
            )));
        }
        let mut state = (**self.state()).clone();
        state
            .apply(&step.change, step.input.as_deref())
            .map_err(|why| FoldError(format!("step {}: {why}", step.number)))?;
        self.steps.push((step, Arc::new(state)));
        Ok(())
    }
}

/// The steps so far, and where what is heard now belongs among them.
struct Sequence<'a>(Vec<Placed<'a>>);

/// One of them.
struct Placed<'a> {
    /// The table time it comes at.
    at: HallTime,
    /// What was heard; `None` for what the passing of time brought about.
    heard: Option<Heard<'a>>,
}

struct Heard<'a> {
    input: &'a Input,
    /// When it counts.
    at: HallTime,
    /// The ruling that it carried out when it was taken before.
    ruled: Option<&'a Ruled>,
}

impl<'a> Sequence<'a> {
    fn of(steps: &'a [(Arc<Step>, Arc<State>)]) -> Sequence<'a> {
        let placed = |(step, _): &'a (Arc<Step>, Arc<State>)| Placed {
            at: step.at,
            heard: step.input.as_deref().map(|input| Heard {
                input,
                at: input.at,
                ruled: step.ruled.as_deref(),
            }),
        };
        Sequence(steps.iter().map(placed).collect())
    }

    /// Puts it where it belongs, and says from where on that is news.
    fn insert(&mut self, input: &'a Input, desk: &Desk) -> usize {
        let mut place = self.place(input, desk);
        let heard = Some(Heard {
            input,
            at: input.at,
            ruled: None,
        });
        self.0.insert(place, Placed { at: input.at, heard });
        if let Happening::Fact(Fact::OrderAnswered { number, .. }) = &input.what
            && let Some(given) = desk.sent_since(*number)
        {
            place = self.put_behind_the_order(place, given);
        }
        // Nothing comes before what it stands behind.
        let mut at = place
            .checked_sub(1)
            .map_or(HallTime(i64::MIN), |before| self.0[before].at);
        for later in &mut self.0[place..] {
            at = at.max(later.at);
            later.at = at;
        }
        place
    }

    /// An order has been answered, and what it was for came later than that by the table's time, which is behind the hall's: the answer, and
    /// all that the table's devices say to have happened after it, comes behind it. Says from where on the order has changed.
    fn put_behind_the_order(&mut self, place: usize, given: HallTime) -> usize {
        let answer = &self.0[place];
        let (Some((device, boot, seq)), Some(since)) =
            (answer.told(), answer.heard.as_ref().map(|heard| heard.input.at))
        else {
            return place;
        };
        let floor = self
            .0
            .iter()
            .rposition(|placed| placed.at <= given)
            .map_or(0, |at| at + 1)
            .max(place + 1);
        let behind = |nth: usize, placed: &Placed<'_>| {
            let own = |(of, same, at)| of == device && same == boot && at > seq;
            nth == place
                || placed.told().is_some_and(own)
                || placed.told_by_another(device).is_some_and(|at| at > since)
        };
        let from = (0..place).find(|&nth| behind(nth, &self.0[nth])).unwrap_or(place);
        let (behind, mut before): (Vec<_>, Vec<_>) = self
            .0
            .drain(from..floor)
            .enumerate()
            .partition(|(nth, placed)| behind(from + nth, placed));
        before.extend(behind);
        self.0.splice(from..from, before.into_iter().map(|(_, placed)| placed));
        from
    }

    /// Where an input belongs: after what was before its time; what its own device has told in that device's order, what several devices
    /// tell of the same moment in the order of their names.
    fn place(&self, input: &Input, desk: &Desk) -> usize {
        let Happening::Fact(fact) = &input.what else {
            return self.0.len();
        };
        // An order is answered after it was given, whatever the clock's time is taken to be by then.
        let given = match fact {
            Fact::OrderAnswered { number, .. } => desk.sent_since(*number),
            _ => None,
        };
        let at = given.map_or(input.at, |given| input.at.max(given));
        let by_time = self.0.partition_point(|placed| placed.at <= at);
        let Origin::Device { device, boot, seq, .. } = &input.origin else {
            return by_time;
        };
        let moment = self.0.partition_point(|placed| placed.at < input.at);
        let by_time = (moment..by_time)
            .find(|&at| self.0[at].told().is_some_and(|(other, ..)| other > device.as_str()))
            .unwrap_or(by_time);
        let serves = serves_as(fact);
        let own = |placed: &Placed<'_>| {
            let told = placed.told()?;
            match told {
                (of, same, seq) if of == device && same == *boot => Some(seq),
                // What it had told before it was started anew, and what was told by the device in whose place it is.
                (of, ..) if of == device => Some(i64::MIN),
                _ if serves.is_some() && placed.serves() == serves => Some(i64::MIN),
                _ => None,
            }
        };
        let before = self
            .0
            .iter()
            .rposition(|placed| own(placed).is_some_and(|other| other < *seq))
            .map_or(0, |at| at + 1);
        let after = self
            .0
            .iter()
            .position(|placed| own(placed).is_some_and(|other| other > *seq))
            .unwrap_or(self.0.len());
        // What the table's devices tell is in one time, which need not be that of the hub and of those who act there.
        let others = self
            .0
            .iter()
            .rposition(|placed| placed.told_by_another(device).is_some_and(|at| at < input.at))
            .map_or(0, |at| at + 1);
        by_time.max(others).max(before).min(after)
    }

    /// A device whose time had run ahead of the hall's has told of squares later than another took its place, or it was started anew: they
    /// were touched before what that tells first. Says from where on that is news, before this place.
    fn put_back(&mut self, place: usize) -> Option<usize> {
        // What each boot of a device has told first behind the place that is looked at, and its board.
        let mut firsts: Vec<((&'a str, u32), Option<Serves>, HallTime)> = Vec::new();
        let mut from = None;
        for nth in (0..self.0.len()).rev() {
            let serves = self.0[nth].serves();
            let told = self.0[nth].told();
            let before = self.0[nth].at;
            let (Some((device, boot, _)), Some(heard)) = (told, &mut self.0[nth].heard) else {
                continue;
            };
            let at = heard.input.at;
            if serves == Some(Serves::Board) {
                let took_over = |((of, in_boot), other, _): &&((&str, u32), Option<Serves>, HallTime)| {
                    if *of == device {
                        *in_boot != boot
                    } else {
                        *other == serves
                    }
                };
                let first = firsts.iter().filter(took_over).map(|(.., first)| *first).min();
                if let Some(first) = first.filter(|first| *first < at) {
                    heard.at = first;
                    if nth < place && first < before {
                        from = Some(nth);
                    }
                }
            }
            let key = ((device, boot), serves);
            match firsts.iter_mut().find(|(of, other, _)| (*of, *other) == key) {
                Some((.., first)) => *first = at.min(*first),
                None => firsts.push((key.0, key.1, at)),
            }
        }
        from
    }

    /// What was heard after the first `keep`, in its order, with when it counts.
    fn after(&self, keep: usize) -> impl Iterator<Item = (&Heard<'a>, HallTime)> {
        let heard = self.0[keep..].iter().filter_map(|placed| placed.heard.as_ref());
        heard.map(|heard| (heard, heard.at))
    }
}

/// As what a device tells something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Serves {
    Clock,
    Board,
}

/// `None`: either may have told it.
fn serves_as(fact: &Fact) -> Option<Serves> {
    match fact {
        Fact::Lifted { .. } | Fact::Put { .. } | Fact::Placed { .. } => Some(Serves::Board),
        Fact::Pressed { .. }
        | Fact::Reading(_)
        | Fact::FlagShown { .. }
        | Fact::ByHand { .. }
        | Fact::OrderAnswered { .. } => Some(Serves::Clock),
        _ => None,
    }
}

impl<'a> Placed<'a> {
    fn serves(&self) -> Option<Serves> {
        match &self.heard.as_ref()?.input.what {
            Happening::Fact(fact) => serves_as(fact),
            _ => None,
        }
    }

    /// When another device than this told it to have been, by the table's time.
    fn told_by_another(&self, device: &str) -> Option<HallTime> {
        let (of, ..) = self.told()?;
        self.heard.as_ref().filter(|_| of != device).map(|heard| heard.input.at)
    }

    /// Which report of which device it is.
    fn told(&self) -> Option<(&'a str, u32, i64)> {
        match &self.heard.as_ref()?.input.origin {
            Origin::Device { device, boot, seq, .. } => Some((device, *boot, *seq)),
            _ => None,
        }
    }
}

/// Runs a table step by step.
struct Runner<'a> {
    table: Table<'a>,
    steps: Vec<(Step, State)>,
    number: u64,
}

impl Runner<'_> {
    /// Draws what the passing of time brings about up to this moment.
    fn pass(&mut self, to: HallTime) {
        for _ in 0..MOST_CONCLUSIONS {
            let Some((at, due)) = self.table.due().filter(|(at, _)| *at <= to) else {
                return;
            };
            self.table.begin(at);
            self.table.happen(due);
            self.finish(None);
        }
    }

    fn take(&mut self, input: &Input, at: HallTime, made: Option<&Ruled>) {
        self.table.begin(at);
        self.table.origin = input.origin.clone();
        self.table.told_at = at;
        match &input.what {
            Happening::Fact(fact) => self.table.fact(fact),
            Happening::Act(act) => self.table.act(act, &input.origin, made),
            Happening::Settled { .. } | Happening::Alarm => {}
        }
        self.table.cured_positions();
        self.finish(Some(input));
    }

    /// What is certain by now is said to be, and carried out where the regulations say so.
    fn settle(&mut self, now: HallTime) {
        for _ in 0..MOST_CONCLUSIONS {
            self.table.begin(self.table.s.time);
            self.table.refresh();
            if self.table.s.items != self.table.before.items {
                // Becoming certain is something that happens now.
                self.table.s.time = self.table.s.time.max(now.min(self.table.settled));
                self.finish(None);
            }
            let Some(item) = self.table.automatic() else { return };
            let at = self
                .table
                .s
                .time
                .max(self.table.s.item(item).map_or(now, |item| item.since));
            self.take(&super::regulations_confirm(item, at), at, None);
        }
    }

    fn finish(&mut self, input: Option<&Input>) {
        self.table.has_caught_up();
        self.table.refresh();
        self.table.number_revisions();
        let change = self.table.s.change_since(&self.table.before, input);
        self.number += 1;
        let step = Step {
            number: self.number,
            at: self.table.s.time,
            input: input.cloned().map(Box::new),
            ruled: self.table.ruled.take().map(Box::new),
            notes: std::mem::take(&mut self.table.notes),
            change,
        };
        self.steps.push((step, self.table.s.clone()));
    }
}
