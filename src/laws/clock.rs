//! The chessclock of both players as a pure state (6.1 to 6.4): all modes, all periods, integer milliseconds.
//!
//! It is moved only by what it is told happened, with the time at which it happened, and never shows less than zero.

use serde::{Deserialize, Serialize};

use super::open_points::Freeze;
use super::{Bonus, TimeControl};
use crate::chess::Color;
use crate::time::{HallTime, Millis};

/// When the time of the next period is added (6.3.1, 6.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PeriodRule {
    /// To both clocks when the first of them reaches zero.
    #[default]
    OnZero,
    /// To a player's own clock at the press that makes the number of moves.
    OnMoves,
}

/// One player's half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Half {
    /// Time left, as of the clock's own moment.
    pub left: Millis,
    /// Used on the present move, over pauses: what a delay or Bronstein is reckoned from.
    pub used: Millis,
    /// The period he is in, from 0.
    pub period: u32,
    /// Moves completed (6.2.1).
    pub completed: u32,
}

/// Both halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    halves: [Half; 2],
    running: Option<Color>,
    as_of: HallTime,
    /// Whose flag has fallen first.
    fallen: Option<Color>,
    /// Taken from both together while they ran.
    #[serde(default)]
    ran: Millis,
    /// Which sides are at zero for good, where the other runs on.
    #[serde(default, skip_serializing_if = "none_down")]
    down: [bool; 2],
    /// Added with every press of either player, beside what the control adds (Guidelines III.4).
    #[serde(default, skip_serializing_if = "nothing")]
    extra: Millis,
}

fn nothing(span: &Millis) -> bool {
    *span == Millis::ZERO
}

fn none_down(down: &[bool; 2]) -> bool {
    *down == [false; 2]
}

/// What a press did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gain {
    /// Time that the press added: increment, Bronstein's share, a period on moves.
    pub time: Millis,
    /// The mover's half as it was at the press, before anything was added.
    pub before: Half,
}

impl Gain {
    /// Whether the press made the number of moves that brings the next period.
    pub fn brought_period(&self, control: &TimeControl, rule: PeriodRule) -> bool {
        let required = control.moves_required(self.before.period);
        rule == PeriodRule::OnMoves
            && required.is_some_and(|required| self.before.completed.saturating_add(1) >= required)
    }

    /// The same without the time of a period that the press brought.
    #[must_use]
    pub fn without_period(self, control: &TimeControl, rule: PeriodRule) -> Gain {
        let period = if self.brought_period(control, rule) {
            control.period(self.before.period + 1).time
        } else {
            Millis::ZERO
        };
        Gain {
            time: self.time - period,
            ..self
        }
    }
}

/// What reaching zero did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    /// Both stand: the last period, or one that is added on moves.
    Frozen,
    /// This side stands at zero, and the other runs when it is pressed for: clocks that do not freeze.
    RunsOn,
    /// The next period went to both, and this many moves were missing to the requirement.
    NextPeriod {
        /// Moves missing.
        missing: u32,
    },
}

impl Clock {
    /// Standing, with this on both sides.
    pub fn new(white: Half, black: Half) -> Clock {
        Clock {
            halves: [white, black],
            running: None,
            as_of: HallTime(0),
            fallen: None,
            ran: Millis::ZERO,
            down: [false; 2],
            extra: Millis::ZERO,
        }
    }

    /// From now on every press adds so much more (Guidelines III.4).
    pub fn add_to_every_move(&mut self, extra: Millis) {
        self.extra = extra;
    }

    /// Whether more is added with every press than the control adds.
    pub fn adds_to_every_move(&self) -> bool {
        self.extra > Millis::ZERO
    }

    /// One half, as of the last change.
    pub fn half(&self, of: Color) -> &Half {
        &self.halves[of as usize]
    }

    /// Whose time runs.
    pub fn running(&self) -> Option<Color> {
        self.running
    }

    /// Whose flag has fallen so that both stand; the first of two where they do not.
    pub fn fallen(&self) -> Option<Color> {
        self.fallen
    }

    /// How much has been taken from both together while they ran, up to this moment. What they show together, and this, come to what
    /// they began with and were given since.
    pub fn ran(&self, at: HallTime, control: &TimeControl) -> Millis {
        match self.running {
            Some(of) => self.ran + self.spent(self.half(of), at, control).min(self.half(of).left),
            None => self.ran,
        }
    }

    /// When it was last changed.
    pub fn as_of(&self) -> HallTime {
        self.as_of
    }

    /// What it shows for this player at this moment.
    pub fn shows(&self, of: Color, at: HallTime, control: &TimeControl) -> Millis {
        let half = self.half(of);
        if self.running != Some(of) {
            return half.left;
        }
        (half.left - self.spent(half, at, control)).at_least_zero()
    }

    /// When the main time of the running side begins to run: later than the clock's moment only within a simple delay.
    pub fn delay_until(&self, control: &TimeControl) -> Option<HallTime> {
        let half = self.half(self.running?);
        let wait = (control.period(half.period).bonus.delay() - half.used).at_least_zero();
        (wait > Millis::ZERO).then(|| self.as_of + wait)
    }

    /// When the running side reaches zero if nothing happens before.
    pub fn zero_at(&self, control: &TimeControl) -> Option<(Color, HallTime)> {
        let of = self.running.filter(|of| !self.down[*of as usize])?;
        let from = self.delay_until(control).unwrap_or(self.as_of);
        Some((of, from + self.half(of).left))
    }

    fn spent(&self, half: &Half, at: HallTime, control: &TimeControl) -> Millis {
        let delay = control.period(half.period).bonus.delay();
        let before = (half.used - delay).at_least_zero();
        let elapsed = (at - self.as_of).at_least_zero();
        (half.used + elapsed - delay).at_least_zero() - before
    }

    /// Brings the figures up to this moment.
    fn settle(&mut self, at: HallTime, control: &TimeControl) {
        if let Some(of) = self.running {
            let spent = self.spent(self.half(of), at, control);
            let elapsed = (at - self.as_of).at_least_zero();
            let half = &mut self.halves[of as usize];
            self.ran += spent.min(half.left);
            half.left = (half.left - spent).at_least_zero();
            half.used += elapsed;
        }
        self.as_of = self.as_of.max(at);
    }

    /// What a period or a delay has spared so far is reckoned by what it was so far. A clock that stands shows the same whenever it is run
    /// again, and from when that is may be known later.
    fn settle_if_running(&mut self, at: HallTime, control: &TimeControl) {
        if self.running.is_some() {
            self.settle(at, control);
        }
    }

    /// A press by the side whose time runs; any other press does nothing and gives `None`.
    pub fn press(&mut self, by: Color, at: HallTime, control: &TimeControl, rule: PeriodRule) -> Option<Gain> {
        if self.running != Some(by) {
            return None;
        }
        self.settle(at, control);
        let half = &mut self.halves[by as usize];
        let before = *half;
        // No time is added after the flag.
        let bonus = control.period(half.period).bonus;
        match if self.down[by as usize] { Bonus::None } else { bonus } {
            Bonus::Increment(bonus) => half.left += bonus,
            Bonus::Bronstein(bonus) => half.left += half.used.min(bonus),
            Bonus::None | Bonus::Delay(_) => {}
        }
        if !self.down[by as usize] {
            half.left += self.extra;
        }
        half.completed = half.completed.saturating_add(1);
        half.used = Millis::ZERO;
        if rule == PeriodRule::OnMoves
            && !self.down[by as usize]
            && control
                .moves_required(half.period)
                .is_some_and(|moves| half.completed >= moves)
        {
            half.period += 1;
            half.left += control.period(half.period).time;
        }
        let gain = Gain {
            time: half.left - before.left,
            before,
        };
        self.halves[by.other() as usize].used = Millis::ZERO;
        self.running = Some(by.other());
        Some(gain)
    }

    /// The running side has reached zero at this moment (the one of [`Clock::zero_at`]).
    pub fn reach_zero(
        &mut self,
        at: HallTime,
        control: &TimeControl,
        rule: PeriodRule,
        freeze: Freeze,
    ) -> Option<(Color, Zero)> {
        let of = self.running.filter(|of| !self.down[*of as usize])?;
        self.settle(at, control);
        let half = self.half(of);
        let (period, completed) = (half.period, half.completed);
        match (rule, control.moves_required(period)) {
            (PeriodRule::OnZero, Some(required)) => {
                for half in &mut self.halves {
                    // Both are in the same period where it is added on zero; a half set by hand to another stays right too.
                    if half.period == period {
                        half.period += 1;
                        half.left += control.period(half.period).time;
                    }
                }
                Some((
                    of,
                    Zero::NextPeriod {
                        missing: required.saturating_sub(completed),
                    },
                ))
            }
            _ => {
                self.halves[of as usize].left = Millis::ZERO;
                self.fallen = self.fallen.or(Some(of));
                if freeze == Freeze::RunsOn {
                    self.down[of as usize] = true;
                    return Some((of, Zero::RunsOn));
                }
                self.running = None;
                Some((of, Zero::Frozen))
            }
        }
    }

    /// Both stand.
    pub fn stop(&mut self, at: HallTime, control: &TimeControl) {
        self.settle(at, control);
        self.running = None;
    }

    /// This side's time runs; not where it has none left. Says whether it does. A clock that stands shows the same at any time, so that
    /// it can be run from a moment before the one up to which it is known to stand.
    pub fn run(&mut self, of: Color, at: HallTime, control: &TimeControl) -> bool {
        if self.running.is_none() {
            self.as_of = at;
        } else {
            self.settle(at, control);
        }
        if self.half(of).left == Millis::ZERO {
            return false;
        }
        self.running = Some(of);
        if self.down == [false; 2] {
            self.fallen = None;
        }
        true
    }

    /// Sets one time.
    pub fn set(&mut self, of: Color, left: Millis, at: HallTime, control: &TimeControl) {
        self.settle(at, control);
        self.halves[of as usize].left = left.at_least_zero();
        if left > Millis::ZERO {
            self.down[of as usize] = false;
            if self.fallen == Some(of) {
                self.fallen = Some(of.other()).filter(|other| self.down[*other as usize]);
            }
        }
    }

    /// Adds to (or takes from) one time.
    pub fn add(&mut self, of: Color, span: Millis, at: HallTime, control: &TimeControl) {
        self.settle(at, control);
        let left = self.half(of).left + span;
        self.set(of, left, at, control);
    }

    /// Corrects how many moves this player has completed.
    pub fn set_completed(&mut self, of: Color, completed: u32) {
        self.halves[of as usize].completed = completed;
    }

    /// Corrects the period this player is in.
    pub fn set_period(&mut self, of: Color, period: u32, at: HallTime, control: &TimeControl) {
        self.settle_if_running(at, control);
        self.halves[of as usize].period = period;
    }

    /// What this player has used on the present move.
    pub fn set_used(&mut self, of: Color, used: Millis, at: HallTime, control: &TimeControl) {
        self.settle_if_running(at, control);
        self.halves[of as usize].used = used;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().expect("a control")
    }

    fn clock(control: &TimeControl) -> Clock {
        let half = Half {
            left: control.start(true),
            ..Half::default()
        };
        let mut clock = Clock::new(half, half);
        assert!(clock.run(Color::White, HallTime(0), control));
        clock
    }

    const RULE: PeriodRule = PeriodRule::OnZero;

    /// Guidelines III.4: it comes with the presses from then on, and is part of what a press gave.
    #[test]
    fn what_is_added_to_every_move_comes_with_the_presses() {
        let c = control("60m");
        let mut clock = clock(&c);
        assert!(!clock.adds_to_every_move());
        clock
            .press(Color::White, HallTime(10_000), &c, RULE)
            .expect("his time runs");
        clock.add_to_every_move(Millis::secs(5));
        assert!(clock.adds_to_every_move());
        let gain = clock
            .press(Color::Black, HallTime(12_000), &c, RULE)
            .expect("his time runs");
        assert_eq!(gain.time, Millis::secs(5));
        assert_eq!(clock.half(Color::Black).left, Millis::mins(60) + Millis::secs(3));
        assert_eq!(clock.half(Color::White).left, Millis::mins(60) - Millis::secs(10));
    }

    #[test]
    fn an_increment_comes_with_the_press() {
        let c = control("90m+30s");
        let mut clock = clock(&c);
        let gain = clock
            .press(Color::White, HallTime(10_000), &c, RULE)
            .expect("his time runs");
        assert_eq!(gain.time, Millis::secs(30));
        assert_eq!(clock.shows(Color::White, HallTime(12_000), &c), Millis::secs(5450));
        assert_eq!(clock.shows(Color::Black, HallTime(12_000), &c), Millis::secs(5428));
        assert_eq!(clock.press(Color::White, HallTime(13_000), &c, RULE), None);
    }

    #[test]
    fn a_delay_goes_on_after_a_pause_where_it_stood() {
        let c = control("15md10s");
        let mut clock = clock(&c);
        clock.stop(HallTime(4_000), &c);
        clock.run(Color::White, HallTime(30_000), &c);
        assert_eq!(clock.delay_until(&c), Some(HallTime(36_000)));
        assert_eq!(clock.shows(Color::White, HallTime(39_000), &c), Millis::secs(897));
        assert_eq!(clock.zero_at(&c), Some((Color::White, HallTime(36_000 + 900_000))));
    }

    #[test]
    fn bronstein_gives_back_what_was_used_and_no_more() {
        let c = control("5mb3s");
        let mut clock = clock(&c);
        clock.press(Color::White, HallTime(2_000), &c, RULE);
        assert_eq!(clock.half(Color::White).left, Millis::secs(303));
        clock.press(Color::Black, HallTime(7_000), &c, RULE);
        assert_eq!(clock.half(Color::Black).left, Millis::secs(301));
    }

    #[test]
    fn on_zero_the_next_period_goes_to_both_and_the_last_zero_freezes() {
        let c = control("40/1m,30m");
        let mut clock = clock(&c);
        let (of, zero) = clock
            .reach_zero(HallTime(60_000), &c, RULE, Freeze::BothStand)
            .expect("it runs");
        assert_eq!((of, zero), (Color::White, Zero::NextPeriod { missing: 40 }));
        assert_eq!(clock.half(Color::Black).left, Millis::mins(31));
        let (_, at) = clock.zero_at(&c).expect("it runs");
        assert_eq!(
            clock.reach_zero(at, &c, RULE, Freeze::BothStand),
            Some((Color::White, Zero::Frozen))
        );
        assert_eq!((clock.running(), clock.fallen()), (None, Some(Color::White)));
        assert!(!clock.run(Color::White, at, &c));
    }

    #[test]
    fn clocks_that_run_on_show_which_was_first_and_add_nothing_after() {
        let c = control("1m+5s");
        let mut clock = clock(&c);
        let (of, at) = clock.zero_at(&c).expect("it runs");
        let fell = clock.reach_zero(at, &c, RULE, Freeze::RunsOn);
        assert_eq!(fell, Some((of, Zero::RunsOn)));
        assert_eq!(clock.zero_at(&c), None, "once");
        let gain = clock
            .press(of, at + Millis::secs(2), &c, RULE)
            .expect("it can be pressed");
        assert_eq!((gain.time, clock.half(of).left), (Millis::ZERO, Millis::ZERO));
        let (other, at) = clock.zero_at(&c).expect("the other runs");
        assert_eq!(
            clock.reach_zero(at, &c, RULE, Freeze::RunsOn),
            Some((other, Zero::RunsOn))
        );
        assert_eq!((clock.fallen(), clock.running()), (Some(of), Some(other)));
        clock.set(of, Millis::secs(10), at, &c);
        assert_eq!(clock.fallen(), Some(other));
    }

    #[test]
    fn on_moves_each_press_that_makes_the_number_brings_the_period() {
        let c = control("1/1m+5s,30m+5s");
        let mut clock = clock(&c);
        let gain = clock
            .press(Color::White, HallTime(60_000), &c, PeriodRule::OnMoves)
            .expect("it runs");
        assert_eq!(gain.time, Millis::secs(1805));
        assert_eq!(clock.half(Color::Black).period, 0);
    }

    #[test]
    fn a_delay_that_begins_anew_has_spared_what_it_had() {
        let c = control("15md10s");
        let mut clock = clock(&c);
        clock.set_used(Color::White, Millis::ZERO, HallTime(12_000), &c);
        assert_eq!(clock.half(Color::White).left, Millis::secs(898));
        assert_eq!(clock.shows(Color::White, HallTime(23_000), &c), Millis::secs(897));
    }
}
