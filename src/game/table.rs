//! The engine: one state, moved forward through table time by what is heard and by what the passing of time brings about.
//!
//! It is run on a copy; what it made of the state is journalled as the difference, and replay never runs it.

use std::sync::Arc;

use super::event::Note;
use super::input::{Origin, UNKNOWN_BAR};
use super::item::{ItemKey, Kind, Matter, OpenItem, Ruled, Ruling};
use super::orders::{Desk, Want, Wanted};
use super::setup::{BoardKind, ClockKind, GameSetup};
use super::state::{Ending, Pressed, State, Told};
use crate::chess::Color;
use crate::laws::category::limited;
use crate::laws::clock::Zero;
use crate::laws::open_points::Alert;
use crate::laws::{Enforced, Finding, GameResult, Termination};
use crate::mutation::{self, Mutation};
use crate::time::{HallTime, Millis};

/// A picture of the game's end has to stand so long.
pub(super) const ENDING_STANDS: Millis = Millis::secs(3);

/// A board that has not been heard up to a moment is waited for so long, and then what has been heard has to do.
const HEARD_BY: Millis = Millis::secs(5);

/// A state being moved forward.
pub(super) struct Table<'a> {
    /// The state.
    pub s: State,
    /// The regulations.
    pub setup: &'a GameSetup,
    /// Everything before this has been heard.
    pub settled: HallTime,
    /// How far hall time has come.
    pub reached: HallTime,
    /// Numbers and orders.
    pub desk: &'a mut Desk,
    /// Findings and rulings of this step.
    pub notes: Vec<Note>,
    /// The state at the beginning of this step.
    pub before: State,
    /// The ruling that this step carried out.
    pub ruled: Option<Ruled>,
    /// Who tells what this step takes.
    pub origin: Origin,
    /// The time that it has by whoever tells it; the state's is later where something before it was.
    pub told_at: HallTime,
}

/// How something done on the board lies to a flag that decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AgainstFlag {
    /// There is none, or it comes later.
    Before,
    /// The times of the two devices do not tell.
    Unknown {
        /// The flag's item.
        item: u64,
        /// So long after the flag (negative: before it), as far as is known.
        by: Millis,
        /// How far that may be off.
        apart: Millis,
    },
    /// The flag came first.
    After,
}

/// What the passing of time brings about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// The board has had its time to show the move of a press.
    Judgement,
    /// A picture of the game's end has stood long enough.
    Picture,
    /// The running clock reaches zero.
    Zero,
    /// The default time is over (6.7.1).
    Absence,
}

/// What hangs on the board's picture of a moment, with that moment.
pub(super) fn awaited(s: &State) -> [Option<(HallTime, Due)>; 2] {
    if s.ending.is_some() {
        return [None, None];
    }
    let judgement = s.waiting.first().filter(|_| s.away.is_none());
    let judgement = judgement.map(|press| (press.until, Due::Judgement));
    let picture = s
        .standing
        .map(|standing| (standing.since + ENDING_STANDS, Due::Picture));
    [judgement, picture]
}

/// When what hangs on the picture of this moment may be concluded: once the board has been heard up to then, but it is not waited for
/// for ever. It belongs to that moment all the same, whatever has been heard of later ones meanwhile.
pub(super) fn ripe_by(at: HallTime, settled: HallTime) -> HallTime {
    if settled >= at { at } else { at + HEARD_BY }
}

/// Whether that time has come.
pub(super) fn is_ripe(at: HallTime, settled: HallTime, reached: HallTime) -> bool {
    ripe_by(at, settled) <= reached
}

/// What comes by the passing of time, whatever a board shows.
fn passing(s: &State, setup: &GameSetup) -> [Option<(HallTime, Due)>; 2] {
    if s.ending.is_some() {
        return [None, None];
    }
    // Where no clock is heard, nobody tells of presses: that White's time would be over shows no flag.
    let heard = setup.clock != ClockKind::None;
    let zero = s.clock.zero_at(&setup.time_control).filter(|_| heard);
    let zero = zero.map(|(_, at)| (at, Due::Zero));
    let absent = s.present != [true, true] && !s.absence_judged;
    // Later than the default time loses, not at it.
    let absence = s
        .started
        .filter(|_| absent)
        .map(|start| (start + setup.default_time + Millis(1), Due::Absence));
    [zero, absence]
}

impl<'a> Table<'a> {
    pub fn new(s: State, setup: &'a GameSetup, settled: HallTime, reached: HallTime, desk: &'a mut Desk) -> Table<'a> {
        let before = s.clone();
        Table {
            s,
            setup,
            settled,
            reached,
            desk,
            notes: Vec::new(),
            before,
            ruled: None,
            origin: Origin::Hub,
            told_at: HallTime(i64::MIN),
        }
    }

    /// A new step begins, at this time or at that of the state if it is already past it.
    pub fn begin(&mut self, at: HallTime) {
        self.notes.clear();
        self.ruled = None;
        self.before = self.s.clone();
        self.s.time = self.s.time.max(at);
    }

    /// What comes next by the passing of time alone, of what may be concluded by now.
    pub fn due(&self) -> Option<(HallTime, Due)> {
        let judged = awaited(&self.s)
            .into_iter()
            .flatten()
            .filter(|(at, _)| is_ripe(*at, self.settled, self.reached));
        let passing = passing(&self.s, self.setup).into_iter().flatten();
        judged.chain(passing).min_by_key(|(at, _)| *at)
    }

    /// The hall time at which something is concluded by itself if nothing is heard before.
    pub fn deadline(s: &State, setup: &GameSetup, settled: HallTime) -> Option<HallTime> {
        let judged = awaited(s).into_iter().flatten().map(|(at, _)| ripe_by(at, settled));
        let passing = passing(s, setup).into_iter().flatten().map(|(at, _)| at);
        judged.chain(passing).min()
    }

    /// Carries out what is due; the step has begun at its time.
    pub fn happen(&mut self, due: Due) {
        match due {
            Due::Judgement => self.judge_when_it_stands(),
            Due::Picture => self.picture_stood(),
            Due::Zero => self.zero(),
            Due::Absence => self.absence(),
        }
    }

    fn zero(&mut self) {
        // A run that is known late only may have come to zero before: the next period runs from then on.
        let Some((_, at)) = self.s.clock.zero_at(&self.setup.time_control) else {
            return;
        };
        let Some((of, zero)) = self.s.clock.reach_zero(
            at.min(self.s.time),
            &self.setup.time_control,
            self.setup.period_rule,
            self.setup.open_points.freeze,
        ) else {
            return;
        };
        self.flag(of, zero);
    }

    /// A clock has reached zero, or an arbiter has put it there.
    pub fn flag(&mut self, of: Color, zero: Zero) {
        if self
            .s
            .items
            .iter()
            .any(|item| item.key.of == Some(of) && matches!(item.matter, Matter::Flag { frozen: true, .. }))
        {
            return;
        }
        let half = *self.s.clock.half(of);
        match zero {
            Zero::NextPeriod { missing: 0 } => {}
            Zero::NextPeriod { missing } => {
                let period = half.period.saturating_sub(1);
                self.find(
                    Kind::Flag,
                    Some(of),
                    i64::from(period),
                    Matter::Flag {
                        period,
                        frozen: false,
                        missing: Some(missing),
                        by_clock: false,
                        unordered: None,
                        seen_only: false,
                    },
                );
            }
            Zero::Frozen | Zero::RunsOn => {
                let required = self.setup.time_control.moves_required(half.period);
                let missing = required.map(|required| required.saturating_sub(half.completed));
                let matter = Matter::Flag {
                    period: half.period,
                    frozen: true,
                    missing,
                    by_clock: false,
                    unordered: None,
                    seen_only: false,
                };
                self.find(Kind::Flag, Some(of), self.s.time.0, matter);
            }
        }
    }

    /// 6.7.1: whoever is not at the board when the default time is over.
    fn absence(&mut self) {
        self.s.absence_judged = true;
        let [white, black] = self.s.present.map(|present| !present);
        let of = match (white, black) {
            (true, false) => Some(Color::White),
            (false, true) => Some(Color::Black),
            _ => None,
        };
        if white || black {
            self.find(Kind::Default, of, 0, Matter::Absence { white, black });
        }
    }

    // Items

    /// The hub has found something.
    pub fn find(&mut self, kind: Kind, of: Option<Color>, anchor: i64, matter: Matter) {
        let certain = self.is_heard(kind, self.s.time) && !self.clock_has_to_say(&matter);
        // What the hub finds is the arbiter's own observation only where the regulations say so.
        let alert = self.setup.open_points.alert == Alert::AtOnce && kind.is_for_eyes();
        let observed = alert.then_some(self.s.time);
        self.open(ItemKey { kind, of, anchor }, matter, certain, observed);
    }

    /// What time brings about is certain once all before it is heard, and what the board may show late of it; what a press shows once
    /// that moment itself is.
    fn is_heard(&self, kind: Kind, since: HallTime) -> bool {
        if mutation::on(Mutation::FlagUnsettled) && kind == Kind::Flag {
            return true;
        }
        if kind.shown_when_suspected() {
            self.settled >= since + self.board_shows_by()
        } else {
            self.settled > since
        }
    }

    /// How long after a flag the board may still show what was put on it before: its lag, and how far its times and the clock's may be
    /// off against each other.
    pub fn board_shows_by(&self) -> Millis {
        if self.s.board.is_none() {
            return Millis::ZERO;
        }
        self.setup.sensing_lag + self.apart()
    }

    /// How far the times of the table's clock and of its board may be off against each other; nothing where one device is both.
    pub fn apart(&self) -> Millis {
        if self.s.board.is_none() {
            return Millis::ZERO;
        }
        match (&self.s.clock_from, &self.s.board_from) {
            (Some((clock, bar)), board) if self.setup.two_devices || board.is_some() => self.apart_from((clock, *bar)),
            // No clock has told of a press or a flag: what is counted goes by the hall's time.
            (None, Some((_, board))) if self.setup.two_devices => board.unwrap_or(UNKNOWN_BAR),
            (None, None) if self.setup.two_devices => UNKNOWN_BAR,
            _ => Millis::ZERO,
        }
    }

    /// The same of this device of this bar. A board that has told nothing yet may be off by as much as any; where it is not known to be
    /// another device, it is taken to be like this one.
    pub fn apart_from(&self, (clock, bar): (&str, Option<Millis>)) -> Millis {
        let board = match &self.s.board_from {
            Some((board, _)) if board == clock => return Millis::ZERO,
            Some((_, bar)) => *bar,
            None if self.setup.two_devices => None,
            None => bar,
        };
        bar.unwrap_or(UNKNOWN_BAR) + board.unwrap_or(UNKNOWN_BAR)
    }

    /// A clock that counts shows its flag itself, and then it is a fact; that the hub's count is at zero is not one.
    fn clock_has_to_say(&self, matter: &Matter) -> bool {
        !mutation::on(Mutation::FlagUnsettled)
            && self.counting()
            && matches!(
                matter,
                Matter::Flag {
                    frozen: true,
                    by_clock: false,
                    ..
                }
            )
    }

    /// Where there are no devices everything is entered by people, and known when it is.
    fn is_certain(&self, item: &OpenItem) -> bool {
        let no_devices = self.setup.clock == ClockKind::None && self.s.board_kind(self.setup) == BoardKind::None;
        no_devices || (self.is_heard(item.key.kind, item.since) && !self.clock_has_to_say(&item.matter))
    }

    /// The clock shows the flag that has been counted.
    pub fn flag_is_shown(&mut self, of: Color) {
        let counted =
            |item: &OpenItem| item.key.of == Some(of) && matches!(item.matter, Matter::Flag { frozen: true, .. });
        let Some(number) = self.s.items.iter().find(|item| counted(item)).map(|item| item.number) else {
            return;
        };
        self.edit_item(number, |item| {
            if let Matter::Flag { by_clock, .. } = &mut item.matter {
                *by_clock = true;
            }
        });
    }

    /// A player has claimed or an arbiter has seen something.
    pub fn bring(&mut self, kind: Kind, of: Option<Color>, matter: Matter) {
        let now = self.s.time;
        let mut key = ItemKey {
            kind,
            of,
            anchor: now.0,
        };
        // Another matter of the same kind and moment: two devices lost at once.
        let other = |item: &OpenItem, key: &ItemKey| item.key == *key && item.matter != matter;
        while self.s.items.iter().any(|item| other(item, &key)) {
            key.anchor += 1;
        }
        self.open(key, matter, true, Some(now));
    }

    fn open(&mut self, key: ItemKey, matter: Matter, certain: bool, observed: Option<HallTime>) {
        if self.s.items.iter().any(|item| item.key == key) {
            return;
        }
        let number = self.desk.item_number(key);
        let revision = self.desk.item_revision(number);
        let mut item = OpenItem {
            key,
            number,
            revision,
            since: self.s.time,
            certain,
            observed,
            observed_after: self.s.record.len(),
            matter,
            proposal: Ruling::Nothing,
            taken: None,
            claimed: Vec::new(),
        };
        item.proposal = self.propose(&item);
        let articles = super::articles::of_item(&item, self.setup);
        self.notes.push(Note::Opened {
            item: number,
            kind: key.kind,
            of: key.of,
            articles,
        });
        Arc::make_mut(&mut self.s.items).push(Arc::new(item));
    }

    /// Items that are no more.
    pub fn close(&mut self, mut gone: impl FnMut(&OpenItem) -> bool) {
        if !self.s.items.iter().any(|item| gone(item)) {
            return;
        }
        let notes = &mut self.notes;
        Arc::make_mut(&mut self.s.items).retain(|item| {
            let goes = gone(item);
            if goes {
                notes.push(Note::Closed {
                    item: item.number,
                    kind: item.key.kind,
                });
            }
            !goes
        });
    }

    pub fn edit_item(&mut self, number: u64, change: impl FnOnce(&mut OpenItem)) {
        if let Some(item) = Arc::make_mut(&mut self.s.items)
            .iter_mut()
            .find(|item| item.number == number)
        {
            change(Arc::make_mut(item));
        }
    }

    /// Works the proposals out anew for the state as it is, and certainty for what has been heard by now.
    pub fn refresh(&mut self) {
        for at in 0..self.s.items.len() {
            let item = Arc::clone(&self.s.items[at]);
            let proposal = self.propose(&item);
            let certain = item.certain || self.is_certain(&item);
            if proposal != item.proposal || certain != item.certain {
                self.edit_item(item.number, |item| {
                    item.proposal = proposal;
                    item.certain = certain;
                });
            }
        }
    }

    /// An item's revision changes with its proposal or evidence.
    pub fn number_revisions(&mut self) {
        for at in 0..self.s.items.len() {
            let item = Arc::clone(&self.s.items[at]);
            let changed = self
                .before
                .item(item.number)
                .is_some_and(|before| !before.says_the_same(&item));
            if changed {
                let revision = self.desk.item_revision(item.number);
                self.edit_item(item.number, |item| item.revision = revision);
            }
        }
    }

    /// The first item that the regulations have carried out at once.
    pub fn automatic(&self) -> Option<u64> {
        if self.s.ending.is_some() {
            return None;
        }
        let automatic = |finding| self.setup.enforcement.of(finding) == Enforced::Automatic;
        let at_once = |item: &OpenItem| {
            item.certain
                && item.proposal != Ruling::Wait
                && match &item.matter {
                    Matter::Offence(offence) => {
                        automatic(Finding::IllegalMove)
                            && item.key.kind == Kind::IllegalMove
                            && !offence.two_hands
                            && !offence.stands
                            && !item.proposal.is_by_material()
                            && item.proposal != Ruling::Nothing
                    }
                    // Only an arbiter's confirm loses a game for moves missing in an earlier period (6.4, 8.6), and only he knows
                    // the position where there is no board.
                    Matter::Flag { frozen, unordered, .. } => {
                        *frozen
                            && automatic(Finding::Flag)
                            && unordered.is_none()
                            // It was to stand: whether what it ran on counts is for the arbiter.
                            && !self.s.ran_on
                            // What stands on the board may have ended the game before.
                            && self.s.standing.is_none()
                            && self.s.waiting.is_empty()
                            && self.s.board_kind(self.setup) != BoardKind::None
                            && !item.proposal.is_by_material()
                    }
                    Matter::Absence { .. } => automatic(Finding::Default),
                    _ => false,
                }
        };
        self.s.items.iter().find(|item| at_once(item)).map(|item| item.number)
    }

    // Who and what

    /// A.5, B.3.
    pub fn limited(&self) -> bool {
        limited(self.setup.category, self.setup.supervision)
    }

    /// Whether the game is being played.
    pub fn in_play(&self) -> bool {
        self.s.started.is_some() && self.s.ending.is_none()
    }

    /// A flag that makes both clocks stand has been claimed or seen, and waits for its ruling: what is done on the board now comes
    /// too late (6.8).
    pub fn flag_decides(&self) -> bool {
        let decides =
            |item: &OpenItem| item.observed.is_some() && matches!(item.matter, Matter::Flag { frozen: true, .. });
        self.s.items.iter().any(|item| decides(item))
    }

    /// How something that was done on the board at this moment lies to a flag that was claimed or seen, or that the regulations have
    /// ruled on at once.
    pub fn against_the_flag(&self, at: HallTime) -> AgainstFlag {
        let at_once = self.setup.enforcement.of(Finding::Flag) == Enforced::Automatic
            && self.s.board_kind(self.setup) != BoardKind::None;
        let flag = self.s.items.iter().find_map(|item| {
            let frozen = matches!(item.matter, Matter::Flag { frozen: true, .. });
            let moment = item.observed.or(at_once.then_some(item.since))?;
            frozen.then_some((item.number, moment))
        });
        let Some((item, moment)) = flag else {
            return AgainstFlag::Before;
        };
        if at >= moment + self.board_shows_by() {
            AgainstFlag::After
        } else if at < moment - self.apart() {
            AgainstFlag::Before
        } else {
            AgainstFlag::Unknown {
                item,
                by: at - moment,
                apart: self.board_shows_by(),
            }
        }
    }

    pub fn tell(&mut self, what: Told) {
        self.s.told.push(what);
    }

    // The clock

    pub fn counting(&self) -> bool {
        self.setup.clock == ClockKind::Counting
    }

    pub fn want(&mut self, what: Wanted) {
        self.desk.want(&mut self.s.wants, &mut self.s.wanted, self.s.time, what);
    }

    /// The same, before all else that is wanted.
    pub fn want_first(&mut self, what: Wanted) {
        self.want(what);
        self.s.wants.rotate_right(1);
    }

    /// An arbiter or a ruling stops both.
    pub fn stop_by_ruling(&mut self) {
        if !self.counting() {
            self.s.clock.stop(self.s.time, &self.setup.time_control);
            return;
        }
        self.withdraw_run();
        let stopping = self.s.wants.iter().any(|want| want.what == Wanted::Stop);
        if !stopping && (self.s.clock.running().is_some() || self.running_is_ordered()) {
            self.want(Wanted::Stop);
        }
    }

    /// The clock is to stop, whatever is counted.
    pub fn want_stop(&mut self) {
        if !self.s.wants.iter().any(|want| want.what == Wanted::Stop) {
            self.want(Wanted::Stop);
        }
    }

    /// Nobody's time is to run as it was wanted. An order that was sent cannot be taken back: the clock may have done it, or still do it.
    fn withdraw_run(&mut self) {
        let sent = |want: &Want| self.desk.sent.iter().any(|(_, of, _)| *of == want.id);
        for want in &self.s.wants {
            if let Wanted::Run(of) = want.what
                && sent(want)
            {
                self.s.may_run = Some((of, want.since));
            }
        }
        self.s.wants.retain(|want| !matches!(want.what, Wanted::Run(_)));
    }

    /// A run was sent to the clock and may have been done.
    fn running_is_ordered(&self) -> bool {
        use super::audience::{OrderKind, OrderStatus};
        self.desk
            .orders
            .iter()
            .any(|order| order.status == OrderStatus::Sent && matches!(order.what, OrderKind::Run(_)))
    }

    /// This side's time is to run.
    pub fn run_by_ruling(&mut self, of: Color) {
        if !self.counting() {
            self.s.clock.run(of, self.s.time, &self.setup.time_control);
        } else if !self.s.wants.iter().any(|want| want.what == Wanted::Run(of)) {
            self.withdraw_run();
            self.want(Wanted::Run(of));
        }
    }

    /// Times are changed.
    pub fn change_times(&mut self, changes: [Option<super::input::TimeChange>; 2], count: bool) {
        use super::input::TimeChange;
        if changes != [None, None] {
            // What the clock had been set to by hand is overtaken by what is ruled now.
            self.close(|item| item.key.kind == super::item::Kind::AdjustedAtTable);
        }
        if self.counting() {
            if changes == [None, None] && !count {
                return;
            }
            let stopping = self.s.wants.iter().any(|want| want.what == Wanted::Stop);
            let relative = !count && changes.iter().all(|change| !matches!(change, Some(TimeChange::To(_))));
            let change = Wanted::Change {
                white: changes[0],
                black: changes[1],
                count,
            };
            // A clock takes other times than an addition only while it stands.
            match self.s.clock.running() {
                Some(of) if !stopping && !relative => {
                    self.want(Wanted::Stop);
                    self.want(change);
                    self.want(Wanted::Run(of));
                }
                _ => self.want(change),
            }
            return;
        }
        for (color, change) in Color::BOTH.into_iter().zip(changes) {
            match change {
                Some(TimeChange::To(time)) => self.s.clock.set(color, time, self.s.time, &self.setup.time_control),
                Some(TimeChange::By(span)) => self.s.clock.add(color, span, self.s.time, &self.setup.time_control),
                None => {}
            }
        }
    }

    /// The table's clock is to take the time control anew.
    pub fn want_control(&mut self) {
        if self.counting() {
            self.s.wants.retain(|want| want.what == Wanted::Stop);
            self.want(Wanted::Control);
        }
    }

    // The end

    /// The game is over, as of this moment.
    pub fn end(&mut self, result: GameResult, termination: Termination, at: HallTime, announced: bool) {
        let was_running = self.s.clock.running().is_some();
        self.s.clock.stop(at, &self.setup.time_control);
        let (before, keep, tail) = match &self.s.ending {
            Some(ending) => (Arc::clone(&ending.before), ending.keep, ending.tail.clone()),
            None => {
                let mut before = self.before.clone();
                before.time = self.s.time;
                before.clock = self.s.clock;
                if self.before.waiting.is_empty() {
                    // What was taken back by the ruling that ended the game is there again.
                    for color in Color::BOTH {
                        before
                            .clock
                            .set_completed(color, self.before.clock.half(color).completed);
                    }
                }
                before.standing = None;
                before.waiting.clear();
                before.puzzling = None;
                super::unanswered::kept(&mut before.wants);
                before.unheard = None;
                before.may_run = None;
                before.ran_on = false;
                before.board = None;
                let record = std::mem::take(&mut before.record);
                let keep = self
                    .s
                    .record
                    .iter()
                    .zip(record.iter())
                    .take_while(|(now, then)| Arc::ptr_eq(now, then))
                    .count();
                (Arc::new(before), keep, record[keep..].to_vec())
            }
        };
        self.s.ending = Some(Arc::new(Ending {
            result,
            termination,
            at,
            announced,
            before,
            keep,
            tail,
        }));
        self.close(|_| true);
        self.s.offer = None;
        self.s.bound = None;
        self.s.standing = None;
        self.s.waiting.clear();
        self.s.puzzling = None;
        self.s.passed = false;
        self.s.wants.clear();
        self.s.unheard = None;
        self.s.may_run = None;
        self.s.ran_on = false;
        if self.counting() && (was_running || self.running_is_ordered()) {
            self.want(Wanted::Stop);
        }
        if !self.s.told.contains(&Told::Result) {
            self.tell(Told::Result);
        }
        self.notes.push(Note::Ended {
            result,
            termination,
            article: termination.article().to_owned(),
        });
    }

    /// The last press of this player, if nobody has pressed since.
    pub fn latest_press(&self, by: Color) -> Option<Pressed> {
        let press = self.s.last_press[by as usize]?;
        let other = self.s.last_press[by.other() as usize];
        other.is_none_or(|other| other.at <= press.at).then_some(press)
    }
}
