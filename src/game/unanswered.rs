//! What had been ruled of the clock, and not yet answered by it, when the game ended: what becomes of it if the game is reopened.
//!
//! Nothing of it is given to a clock whose game is over. It is kept with the moment before the end, until an answer, or what the clock
//! shows with one, says that it was done after all; what is left is given again at the reopening. Then it is a time to set and no
//! addition, as of the end, so that a clock which has it already is not given it twice.

use std::sync::Arc;

use super::audience::OrderKind;
use super::input::{Reading, TimeChange};
use super::orders::{Want, Wanted};
use super::state::State;
use super::table::Table;
use crate::chess::Color;
use crate::laws::{Clock, TimeControl};
use crate::time::{HallTime, Millis};

/// Those that are to be given again if the game is reopened: who is to run is ruled anew then.
pub(super) fn kept(wants: &mut Vec<Want>) {
    wants.retain(|want| matches!(want.what, Wanted::Control | Wanted::Change { .. }));
}

/// The times of a clock that stands once these changes are made, of the sides that they change; and whether the moves are to be told too.
fn ruled(wants: &[Want], clock: &Clock, control: &TimeControl) -> ([Option<Millis>; 2], bool) {
    let (mut times, mut counted) = ([None; 2], false);
    for want in wants {
        let Wanted::Change { white, black, count } = &want.what else {
            continue;
        };
        counted |= count;
        for (of, change) in Color::BOTH.into_iter().zip([white, black]) {
            let time = &mut times[of as usize];
            let had = time.unwrap_or_else(|| clock.shows(of, clock.as_of(), control));
            match change {
                Some(TimeChange::To(to)) => *time = Some(to.at_least_zero()),
                Some(TimeChange::By(span)) => *time = Some((had + *span).at_least_zero()),
                None => {}
            }
        }
    }
    (times, counted)
}

impl Table<'_> {
    /// The clock has done this, and the game is over: if it was ruled before the end, it is so in the moment before it.
    pub fn done_after_the_end(&mut self, want: u64, what: &OrderKind, at: HallTime) {
        let control = &self.setup.time_control;
        let Some(before) = before_the_end(&mut self.s, |before| before.wants.iter().any(|open| open.id == want)) else {
            return;
        };
        let at = at.max(before.clock.as_of());
        match what {
            OrderKind::Add { white, black } => {
                before.clock.add(Color::White, *white, at, control);
                before.clock.add(Color::Black, *black, at, control);
            }
            OrderKind::Set { white, black, .. } => {
                before.clock.set(Color::White, *white, at, control);
                before.clock.set(Color::Black, *black, at, control);
            }
            OrderKind::Control | OrderKind::Stop | OrderKind::Run(_) => {}
        }
        before.wants.retain(|open| open.id != want);
    }

    /// What the clock shows after the end may say that it has the times that were ruled, whether it has answered that order or not.
    pub fn shown_after_the_end(&mut self, shown: Reading) {
        let (control, tolerance) = (&self.setup.time_control, self.tolerance());
        let near = |a: Millis, b: Millis| (a - b).0.saturating_abs() <= tolerance.0;
        let has_them = |before: &State| {
            let (times, _) = ruled(&before.wants, &before.clock, control);
            let mut sides = Color::BOTH.into_iter().filter_map(|of| Some((of, times[of as usize]?)));
            let had = |of| before.clock.shows(of, before.clock.as_of(), control);
            let tells = |(of, time): (Color, Millis)| near(shown.of(of), time) && !near(had(of), time);
            times != [None; 2] && sides.all(tells)
        };
        let Some(before) = before_the_end(&mut self.s, has_them) else {
            return;
        };
        let (times, _) = ruled(&before.wants, &before.clock, control);
        let at = before.clock.as_of();
        for of in Color::BOTH {
            if let Some(time) = times[of as usize] {
                before.clock.set(of, time, at, control);
            }
        }
        before.wants.retain(|open| !matches!(open.what, Wanted::Change { .. }));
    }

    /// The game is open again: what the clock is not known to have is given to it.
    pub fn give_again(&mut self, wants: &[Want]) {
        if wants.iter().any(|want| want.what == Wanted::Control) {
            self.want(Wanted::Control);
        }
        let (times, count) = ruled(wants, &self.s.clock, &self.setup.time_control);
        let [white, black] = times.map(|time| time.map(TimeChange::To));
        if count || times != [None; 2] {
            self.want(Wanted::Change { white, black, count });
        }
    }
}

/// The moment before the end, where it is so.
fn before_the_end(state: &mut State, is: impl FnOnce(&State) -> bool) -> Option<&mut State> {
    let ending = state.ending.as_mut().filter(|ending| is(&ending.before))?;
    Some(Arc::make_mut(&mut Arc::make_mut(ending).before))
}
