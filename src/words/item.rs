//! Items explained: what happened and why, what to do, and what the arbiter should know beside it.

use super::lexicon::{Lexicon, Words};
use super::{Language, names, why};
use crate::chess::mates::Proof;
use crate::chess::{Color, Piece, Square};
use crate::game::BoardKind;
use crate::game::account::{Account, Doubt, MateFacts, OffenceFacts, OtherFlag, Outcome, Shown, SquareSeen};
use crate::game::audience::Item;
use crate::game::input::ClockFault;
use crate::game::item::{Bound, ClaimVerdict, Kind, Matter, Offence, QuickplayVerdict, Ruling, Sign};
use crate::laws::{GameResult, Termination};
use crate::time::Millis;

/// An item as an arbiter reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// In which language.
    pub language: Language,
    /// What it is, in a few words.
    pub title: String,
    /// What happened, and why it matters: sentences.
    pub what: Vec<String>,
    /// What to do, in order: what a confirm carries out on the clocks, and what is done by hand on the board.
    pub steps: Vec<String>,
    /// How sure it is, how long it can be dealt with, what it rests on.
    pub notes: Vec<String>,
}

/// The kind of an item in a few words.
pub fn kind_name(language: Language, kind: Kind) -> String {
    Lexicon::of(language).say(names::kind(kind))
}

/// Explains an item.
pub fn explain(language: Language, item: &Item) -> Explanation {
    let lexicon = Lexicon::of(language);
    let Some(account) = &item.account else {
        return by_hand(lexicon, item);
    };
    let mut telling = Telling {
        lexicon,
        account,
        articles: &item.articles,
        what: Vec::new(),
        steps: Vec::new(),
        notes: Vec::new(),
    };
    telling.matter();
    telling.proposal();
    telling.mate();
    let kind = lexicon.say(names::kind(account.kind));
    let title = match account.of {
        Some(of) => lexicon.words().text("kind", kind).side("by", of).say("title-of"),
        None => kind,
    };
    Explanation {
        language,
        title,
        what: telling.what,
        steps: telling.steps,
        notes: telling.notes,
    }
}

/// The game has failed in the hub.
fn by_hand(lexicon: &Lexicon, item: &Item) -> Explanation {
    Explanation {
        language: lexicon.language(),
        title: lexicon.say("kind-by-hand"),
        what: vec![ended(
            lexicon,
            lexicon.words().foreign("reason", &item.what).say("item-by-hand"),
            &[],
        )],
        steps: vec![ended(lexicon, lexicon.say("step-by-hand"), &[])],
        notes: Vec::new(),
    }
}

/// A sentence with its articles and its full stop.
fn ended(lexicon: &Lexicon, sentence: String, articles: &[&str]) -> String {
    if articles.is_empty() {
        return format!("{sentence}.");
    }
    let named = articles
        .join(", ")
        .replace("Guidelines", &lexicon.words().part("guidelines"));
    format!("{sentence} ({named}).")
}

struct Telling<'a> {
    lexicon: &'static Lexicon,
    account: &'a Account,
    articles: &'a [String],
    what: Vec<String>,
    steps: Vec<String>,
    notes: Vec<String>,
}

/// As many moves as can be taken in at a glance.
const GLANCE: usize = 12;

impl Telling<'_> {
    fn words(&self) -> Words<'static> {
        match self.account.of {
            Some(of) => self.lexicon.words().sides(of),
            None => self.lexicon.words(),
        }
    }

    fn happened(&mut self, sentence: String, articles: &[&str]) {
        self.what.push(ended(self.lexicon, sentence, articles));
    }

    fn step(&mut self, sentence: String, articles: &[&str]) {
        self.steps.push(ended(self.lexicon, sentence, articles));
    }

    fn note(&mut self, sentence: String, articles: &[&str]) {
        self.notes.push(ended(self.lexicon, sentence, articles));
    }

    /// What happened. Exhaustive, so that a new matter has to be given words.
    fn matter(&mut self) {
        let account = self.account;
        match &account.matter {
            Matter::Offence(offence) => self.offence(offence),
            Matter::Flag {
                period,
                frozen,
                missing,
                by_clock,
                unordered,
                seen_only,
            } => {
                self.flag(*period, *frozen, *missing);
                match account.other_flag {
                    Some(OtherFlag::First) => self.happened(self.words().say("item-flag-other-first"), &["6.8"]),
                    Some(OtherFlag::Later) => self.happened(self.words().say("item-flag-other-later"), &["6.8"]),
                    Some(OtherFlag::Unknown) => {
                        self.happened(self.lexicon.say("item-flags-unknown"), &["Guidelines III.3.1"]);
                    }
                    None => {}
                }
                if *seen_only {
                    self.note(self.lexicon.say("note-flag-seen-only"), &["6.8"]);
                }
                if *by_clock {
                    self.note(self.lexicon.say("note-flag-by-clock"), &["6.8"]);
                }
                if let Some((after, apart)) = unordered {
                    let key = if *after < Millis::ZERO {
                        "item-flag-unordered-before"
                    } else {
                        "item-flag-unordered-after"
                    };
                    let after = Millis(after.0.saturating_abs());
                    let words = self.lexicon.words().span("time", after).span("apart", *apart);
                    self.happened(words.say(key), &["5.1.1", "6.8"]);
                }
            }
            Matter::Absence { white, black } => {
                let key = match (white, black) {
                    (true, true) => "item-absent-both",
                    _ => "item-absent",
                };
                let words = self.words();
                let said = if account.default_time == Millis::ZERO {
                    words.say(&format!("{key}-at-start"))
                } else {
                    words.span("time", account.default_time).say(key)
                };
                self.happened(said, &["6.7.1"]);
                self.doubt();
                self.note(self.lexicon.say("note-absent"), &["6.7.1"]);
            }
            Matter::DrawClaim { verdict, intends } => {
                let intended = match (intends, account.occurrences.last()) {
                    (Some(_), Some(Some(last))) => Some(last.clone()),
                    (Some(mv), _) => Some(mv.from_to()),
                    (None, _) => None,
                };
                let threefold = account.kind == Kind::ClaimThreefold;
                let (key, article) = match (threefold, intended.is_some()) {
                    (true, false) => ("item-claim-threefold", "9.2.2"),
                    (true, true) => ("item-claim-threefold-intends", "9.2.1"),
                    (false, false) => ("item-claim-fifty-moves", "9.3.2"),
                    (false, true) => ("item-claim-fifty-moves-intends", "9.3.1"),
                };
                let said = match intended {
                    Some(mv) => self.words().text("move", mv).say(key),
                    None => self.words().say(key),
                };
                self.happened(said, &[article]);
                self.verdict(*verdict, threefold);
                self.note(self.words().say("note-claim-is-offer"), &["9.1.2.3"]);
            }
            Matter::Quickplay {
                verdict: QuickplayVerdict::IncrementAsked,
            } => {
                self.happened(self.words().say("item-ask-increment"), &["Guidelines III.4"]);
                self.quickplay(QuickplayVerdict::IncrementAsked);
                self.note(self.words().say("note-increment-is-offer"), &["Guidelines III.4"]);
            }
            Matter::Quickplay { verdict } => {
                self.happened(self.words().say("item-claim-quickplay"), &["Guidelines III.5"]);
                self.quickplay(*verdict);
            }
            Matter::OtherClaim if account.kind == Kind::ClaimFlag => {
                self.happened(self.words().say("item-claim-flag"), &["6.8"]);
            }
            Matter::OtherClaim => self.happened(self.words().say("item-claim-illegal-move"), &["7.5.1"]),
            Matter::Call { by: Some(by) } => {
                let said = self.lexicon.words().side("by", *by).say("item-call");
                self.happened(said, &["6.11.2"]);
            }
            Matter::Call { by: None } => self.happened(self.lexicon.say("item-call-by-somebody"), &["6.11.2"]),
            Matter::Disagreement { squares } => {
                let squares = self.squares(squares);
                self.happened(self.words().text("squares", squares).say("item-board-disagrees"), &[]);
                let seen: Vec<String> = account.squares.iter().map(|seen| self.seen(seen)).collect();
                if !seen.is_empty() {
                    self.what.extend(seen);
                }
            }
            Matter::Promotion { role, .. } => {
                let mv = account.recorded.clone().unwrap_or_default();
                let words = self.words().piece("piece", *role).text("move", mv);
                self.happened(words.say("item-promotion"), &["3.7.3.3"]);
            }
            Matter::IllegalPosition { offence, .. } => {
                self.happened(self.lexicon.say("item-illegal-position"), &[]);
                if let Some(offence) = offence {
                    self.offence(offence);
                }
            }
            Matter::WrongStart { moves } if account.kind == Kind::ColoursReversed => {
                let said = self.lexicon.words().count("n", *moves).say("item-colours-reversed");
                self.happened(said, &["7.3"]);
            }
            Matter::WrongStart { moves } => {
                let said = self.lexicon.words().count("n", *moves).say("item-wrong-setup");
                self.happened(said, &["7.2.1"]);
            }
            Matter::WrongClock => self.happened(self.lexicon.say("item-wrong-clock"), &["6.10.2"]),
            Matter::SidesExchanged => self.happened(self.lexicon.say("item-sides-exchanged"), &["6.10.2"]),
            Matter::Device => {
                let said = match account.of {
                    Some(_) => self.words().say("item-device"),
                    None => self.lexicon.say("item-device-somebody"),
                };
                self.happened(said, &["11.3.2"]);
            }
            Matter::ResultSignal { result, shown } => {
                let words = self.lexicon.words();
                let said = match *shown {
                    Sign::Entered {
                        white: Some(white),
                        black: Some(black),
                    } => words
                        .text("white", white.text())
                        .text("black", black.text())
                        .say("item-result-entered-both"),
                    Sign::Entered {
                        white: Some(result),
                        black: None,
                    } => words
                        .sides(Color::White)
                        .text("result", result.text())
                        .say("item-result-entered"),
                    Sign::Entered {
                        white: None,
                        black: Some(result),
                    } => words
                        .sides(Color::Black)
                        .text("result", result.text())
                        .say("item-result-entered"),
                    _ => words.text("result", result.text()).say("item-result-signal"),
                };
                self.happened(said, &[]);
                self.note(self.lexicon.say("note-result-signal"), &["5.1.2", "5.2.3"]);
            }
            Matter::LateNews { ruled, kind } => {
                let kind = self.lexicon.words().part(names::kind(*kind));
                let words = self
                    .lexicon
                    .words()
                    .text("number", ruled.to_string())
                    .text("kind", kind);
                self.happened(words.say("item-late-news"), &[]);
            }
            Matter::Adjusted { count, shown, .. } => {
                let words = self
                    .lexicon
                    .words()
                    .clock("white-count", count.white)
                    .clock("black-count", count.black)
                    .clock("white-shown", shown.white)
                    .clock("black-shown", shown.black);
                self.happened(words.say("item-adjusted-at-table"), &["6.10.1"]);
                if shown.running != count.running {
                    let runs = |running: Option<Color>| match running {
                        Some(of) => self.lexicon.words().side("side", of).part("clock-runs"),
                        None => self.lexicon.words().part("clocks-stand"),
                    };
                    let words = self.lexicon.words().text("shown", runs(shown.running));
                    let said = words.text("counted", runs(count.running)).say("item-adjusted-running");
                    self.happened(said, &["6.10.1"]);
                }
            }
            Matter::Lost { count } => {
                let count = i64::try_from(*count).unwrap_or(i64::MAX);
                self.happened(self.lexicon.words().count("n", count).say("item-reports-lost"), &[]);
            }
            Matter::Silent { device } => {
                let said = self.lexicon.words().foreign("device", device).say("item-silent-device");
                self.happened(said, &[]);
            }
            Matter::ClockTime { device, what } => self.clock_time(device, *what),
            Matter::Renewed { device, given, by_hand } => {
                let words = self.lexicon.words().foreign("device", device);
                let words = words.clock("white", given.white).clock("black", given.black);
                let key = if *by_hand {
                    "item-clock-not-renewed"
                } else {
                    "item-clock-renewed"
                };
                self.happened(words.say(key), &["6.10.1"]);
            }
            Matter::Unordered { apart } => {
                let said = self.lexicon.words().span("time", *apart).say("item-order-unknown");
                self.happened(said, &["6.2.1"]);
            }
            Matter::MovesMissing => self.happened(self.lexicon.say("item-moves-missing"), &["6.2.1"]),
        }
    }

    fn offence(&mut self, offence: &Offence) {
        let account = self.account;
        let none = OffenceFacts::default();
        let facts = account.offence.as_ref().unwrap_or(&none);
        let words = || self.lexicon.words().sides(offence.of).text("move", facts.mv.clone());
        let (key, article) = match (&offence.why, offence.ply) {
            (Some(_), Some(_)) if offence.unpromoted.is_some() => ("item-illegal-move", "7.5.2"),
            (Some(_), Some(_)) => ("item-illegal-move", "7.5.1"),
            (None, _) if offence.two_hands => ("item-two-hands", "7.5.4"),
            (None, Some(_)) => ("item-illegal-move-seen", "7.5.1"),
            _ if account.board == BoardKind::None => ("item-illegal-move-seen-no-board", "7.5.1"),
            _ => ("item-press-without-move", "7.5.3"),
        };
        let said = match key {
            "item-two-hands" | "item-illegal-move-seen-no-board" | "item-press-without-move" => {
                self.lexicon.words().sides(offence.of).say(key)
            }
            _ => words().say(key),
        };
        self.happened(said, &[article]);
        if let Some(why) = &offence.why {
            let because = why::sentence(self.lexicon, offence, why, facts);
            self.happened(because, &[why.article()]);
            if offence.two_hands {
                self.happened(self.lexicon.say("item-two-hands-as-well"), &["7.5.4"]);
            }
        }
        if account.kind == Kind::IllegalPosition {
            return;
        }
        if offence.stands {
            self.happened(
                words_of(self.lexicon, offence.of).say("item-offence-stands"),
                &["A.5.2"],
            );
        } else if account.limited && !account.observed {
            self.note(words_of(self.lexicon, offence.of).say("note-window"), &["A.5.2"]);
        }
        if !account.certain && !account.observed {
            self.note(self.lexicon.say("note-not-certain"), &[]);
        }
    }

    fn flag(&mut self, period: u32, frozen: bool, missing: Option<u32>) {
        let missing = missing.unwrap_or(0);
        let words = self.words().count("n", missing).count("period", period + 1);
        if !frozen {
            self.happened(words.say("item-flag-passed"), &["6.3.1", "6.4"]);
        } else if missing > 0 {
            self.happened(words.say("item-flag-missing"), &["6.3.1", "6.9"]);
        } else {
            self.happened(self.words().say("item-flag"), &["6.8", "6.9"]);
        }
        self.doubt();
        if self.account.board == BoardKind::None {
            self.note(self.words().say("note-flag-no-board"), &["6.9"]);
        }
        if !frozen || missing > 0 {
            self.note(self.words().say("note-flag-scoresheets"), &["8.5", "8.6"]);
        }
    }

    /// The clock on the table does not go as it should.
    fn clock_time(&mut self, device: &str, what: ClockFault) {
        let words = self.lexicon.words().foreign("device", device);
        match what {
            ClockFault::Drifts { ppm, over, off } => {
                let (whole, part) = (ppm.unsigned_abs() / 10_000, ppm.unsigned_abs() % 10_000 / 100);
                let percent = format!("{whole}{}{part:02}", self.lexicon.say("decimal-point"));
                let key = if ppm < 0 { "item-clock-slow" } else { "item-clock-fast" };
                let words = words
                    .text("percent", percent)
                    .span("time", Millis(off.0.saturating_abs()))
                    .clock("over", Millis(over.0 / 1000 * 1000));
                self.happened(words.say(key), &["6.10.1"]);
            }
            ClockFault::Jumped { by, bridged } => {
                let key = if by < Millis::ZERO {
                    "item-clock-leapt-back"
                } else {
                    "item-clock-leapt-ahead"
                };
                let said = words.span("time", Millis(by.0.saturating_abs())).say(key);
                self.happened(said, &["6.10.1"]);
                let key = if bridged {
                    "note-clock-bridged"
                } else {
                    "note-clock-counted"
                };
                self.note(self.lexicon.say(key), &[]);
            }
        }
    }

    /// How sure the hub is of what the passing of time brought about.
    fn doubt(&mut self) {
        let said = match (self.account.certain, self.account.observed, self.account.doubt) {
            (true, _, _) => self.lexicon.say("note-certain"),
            (false, true, _) => self.lexicon.say("note-observed"),
            (false, false, None) => self.lexicon.say("note-suspected"),
            (false, false, Some(Doubt::Unheard)) => self.lexicon.say("note-suspected-unheard"),
            (false, false, Some(Doubt::HeardUntil(short))) => {
                self.lexicon.words().span("time", short).say("note-suspected-heard")
            }
            (false, false, Some(Doubt::NotShown)) => self.lexicon.say("note-suspected-not-shown"),
        };
        self.note(said, &[]);
    }

    fn verdict(&mut self, verdict: ClaimVerdict, threefold: bool) {
        let account = self.account;
        let moves: Vec<String> = account
            .occurrences
            .iter()
            .map(|mv| {
                mv.clone()
                    .unwrap_or_else(|| self.lexicon.words().part("first-position"))
            })
            .collect();
        let fifty = |count: u32, which: &str| {
            let words = self.lexicon.words().count("n", count / 2);
            match &account.counted_from {
                Some(mv) => words
                    .text("move", mv.clone())
                    .say(&format!("claim-{which}-fifty-moves")),
                None => words.say(&format!("claim-{which}-fifty-moves-all")),
            }
        };
        let three = |count: u32, which: &str| {
            let words = self.lexicon.words().count("n", count);
            let moves = self.lexicon.list(&moves);
            words.text("moves", moves).say(&format!("claim-{which}-threefold"))
        };
        let (said, article) = match verdict {
            ClaimVerdict::Right { count } if threefold => (three(count, "right"), "9.2"),
            ClaimVerdict::Right { count } => (fifty(count, "right"), "9.3"),
            ClaimVerdict::TooFew { count } if threefold => (three(count, "wrong"), "9.2"),
            ClaimVerdict::TooFew { count } => (fifty(count, "wrong"), "9.3"),
            ClaimVerdict::NotOnMove => (self.words().say("claim-not-on-move"), "9.4"),
            ClaimVerdict::Touched => (self.words().say("claim-touched"), "9.4"),
            ClaimVerdict::IntendedIllegal => (self.lexicon.say("claim-intended-illegal"), "9.5.3"),
            ClaimVerdict::IntendedStartsAnew => (self.lexicon.say("claim-intended-starts-anew"), "9.3.1"),
            ClaimVerdict::NoRecord => (self.lexicon.say("claim-no-record"), "9.5"),
        };
        self.happened(said, &[article]);
        self.claimed();
    }

    /// The moves that the claimant names, and which of them the record does not bear out.
    fn claimed(&mut self) {
        let claimed = &self.account.claimed;
        if claimed.is_empty() {
            return;
        }
        let list = |some: &mut dyn Iterator<Item = &(u32, bool)>| {
            let numbers: Vec<String> = some.map(|(number, _)| number.to_string()).collect();
            self.lexicon.list(&numbers)
        };
        let words = self.words().text("moves", list(&mut claimed.iter()));
        let wrong = list(&mut claimed.iter().filter(|(_, stood)| !stood));
        let said = if wrong.is_empty() {
            words.say("note-claimed-right")
        } else {
            words.text("wrong", wrong).say("note-claimed-wrong")
        };
        self.note(said, &["9.2.3"]);
    }

    /// What record and clocks say of a claim under Guidelines III.
    fn quickplay(&mut self, verdict: QuickplayVerdict) {
        let (key, article) = match verdict {
            QuickplayVerdict::ForTheArbiter => ("quickplay-for-the-arbiter", "Guidelines III.5"),
            QuickplayVerdict::IncrementAsked => ("quickplay-increment-asked", "Guidelines III.4"),
            QuickplayVerdict::CannotBeWon => ("quickplay-cannot-be-won", "Guidelines III.5"),
            QuickplayVerdict::NotAnnounced => ("quickplay-not-announced", "Guidelines III.2.1"),
            QuickplayVerdict::NoQuickplayFinish => ("quickplay-no-finish", "Guidelines III.2.2"),
            QuickplayVerdict::NotOnMove => ("quickplay-not-on-move", "Guidelines III.5"),
            QuickplayVerdict::TimeLeft => ("quickplay-time-left", "Guidelines III.5"),
            QuickplayVerdict::TooLate => ("quickplay-too-late", "Guidelines III.5"),
        };
        self.happened(self.words().say(key), &[article]);
    }

    fn squares(&self, squares: &[Square]) -> String {
        let squares: Vec<String> = squares.iter().map(ToString::to_string).collect();
        self.lexicon.list(&squares)
    }

    fn seen(&self, seen: &SquareSeen) -> String {
        let words = self.lexicon.words().square("square", seen.square);
        let thing = |piece: Piece| self.piece_of(piece);
        let record = match seen.record {
            Some(piece) => thing(piece),
            None => self.lexicon.words().part("square-empty"),
        };
        let board = match seen.board {
            Shown::Empty => self.lexicon.words().part("square-empty"),
            Shown::Taken => self.lexicon.words().part("square-taken"),
            Shown::Piece(piece) => thing(piece),
        };
        words.text("record", record).text("board", board).part("square-seen")
    }

    /// `White's knight`.
    fn piece_of(&self, piece: Piece) -> String {
        self.lexicon
            .words()
            .side("side", piece.color)
            .piece("piece", piece.role)
            .part("piece-of")
    }

    /// What a confirm carries out. Exhaustive, so that a new ruling has to be given words.
    fn proposal(&mut self) {
        let account = self.account;
        match &account.proposal {
            Ruling::Nothing => self.nothing(),
            Ruling::Wait if account.kind == Kind::Flag => {
                self.step(self.lexicon.say("step-wait-for-irregularity"), &[]);
            }
            Ruling::Wait => self.step(self.lexicon.say("step-wait"), &["A.5.4"]),
            Ruling::Offence {
                offence,
                penalty,
                count,
                bound,
                ends,
                by_material: _,
            } => self.offence_steps(offence, *penalty, *count, *bound, *ends),
            Ruling::End {
                result,
                termination,
                by_material,
            } => {
                self.end(*result, *termination);
                if *by_material && account.mate.is_none() {
                    self.note(self.lexicon.say("note-by-material"), &["6.9"]);
                }
            }
            Ruling::WrongClaim { by, penalty, bound } => {
                let words = || words_of(self.lexicon, *by).span("time", *penalty);
                self.step(words().say("step-claim-refused"), &["9.5.3"]);
                self.times();
                self.bound(*by, *bound, "9.5.3");
            }
            Ruling::Increment { by, increment, time } => {
                let said = words_of(self.lexicon, *by)
                    .span("time", *increment)
                    .say("step-introduce-increment");
                self.step(said, &["Guidelines III.4"]);
                let said = words_of(self.lexicon, *by).span("time", *time).say("step-penalty");
                self.step(said, &["Guidelines III.4"]);
                self.times();
            }
            Ruling::NewGame => {
                let key = if account.kind == Kind::ColoursReversed {
                    "step-new-game-colours"
                } else {
                    "step-new-game"
                };
                self.step(self.lexicon.say(key), &[]);
            }
            Ruling::StopClocks => {
                if matches!(account.matter, Matter::SidesExchanged) {
                    self.step(self.lexicon.say("step-sides-exchanged"), &["6.10.2"]);
                }
                self.step(self.lexicon.say("step-stop-clocks"), &["6.10.2"]);
            }
            Ruling::Promoted { role, .. } => {
                self.step(self.lexicon.words().piece("piece", *role).say("step-promoted"), &[]);
            }
            Ruling::TakeReading(reading) => {
                let words = self
                    .lexicon
                    .words()
                    .clock("white", reading.white)
                    .clock("black", reading.black);
                self.step(words.say("step-take-reading"), &["6.10.1"]);
            }
        }
    }

    /// Where a confirm changes nothing: what the arbiter does himself.
    fn nothing(&mut self) {
        let account = self.account;
        let (key, articles): (&str, &[&str]) = match &account.matter {
            Matter::Offence(offence) if offence.stands => ("step-offence-stands", &["A.5.2"]),
            Matter::Offence(_) => ("step-out-of-turn", &["7.1", "12.9"]),
            Matter::Quickplay {
                verdict: QuickplayVerdict::ForTheArbiter,
            } => {
                let said = self.words().span("time", account.quickplay_time).say("step-quickplay");
                self.step(said, &["Guidelines III.5"]);
                return;
            }
            Matter::Quickplay { .. } => ("step-claim-void", &[]),
            Matter::OtherClaim if account.kind == Kind::ClaimFlag => ("step-claim-flag", &[]),
            Matter::OtherClaim => ("step-claim-illegal-move", &[]),
            Matter::DrawClaim {
                verdict: ClaimVerdict::NoRecord,
                ..
            } => ("step-claim-by-scoresheets", &["9.5"]),
            Matter::DrawClaim { .. } => ("step-claim-void", &[]),
            Matter::Call { .. } => ("step-call", &["6.11.2", "6.11.3"]),
            Matter::Disagreement { .. } => ("step-board-disagrees", &["7.6"]),
            Matter::WrongStart { .. } if account.kind == Kind::ColoursReversed => ("step-colours-stay", &["7.3"]),
            Matter::WrongStart { .. } => ("step-setup-stays", &["A.5.1.2"]),
            Matter::WrongClock => ("step-clock-stays", &["A.5.1.1"]),
            Matter::SidesExchanged => ("step-sides-exchanged", &["6.10.2"]),
            Matter::LateNews { .. } => ("step-late-news", &["11.10"]),
            Matter::Lost { .. } => ("step-reports-lost", &[]),
            Matter::Silent { .. } => ("step-silent-device", &["6.10.1"]),
            Matter::Renewed { by_hand: false, .. } => ("step-clock-renewed", &["6.10.1"]),
            Matter::Renewed { by_hand: true, .. } => ("step-clock-not-renewed", &["6.10.1"]),
            Matter::ClockTime { .. } => ("step-clock-time", &["6.10.1", "6.10.2"]),
            Matter::Device => ("step-device", &["11.3.2.2"]),
            Matter::IllegalPosition { .. } => ("step-illegal-position", &["7.5.1"]),
            Matter::Flag { unordered: Some(_), .. } => ("step-flag-order", &["6.8"]),
            Matter::Flag { .. } if account.other_flag == Some(OtherFlag::Unknown) => ("step-flags-unknown", &["6.8"]),
            Matter::Flag { .. } => ("step-flag-other-first", &["6.8"]),
            Matter::Unordered { .. } => ("step-order-unknown", &[]),
            Matter::MovesMissing => ("step-moves-missing", &["8.5.3"]),
            Matter::Adjusted { .. } => ("step-reading-stands", &["6.10.1"]),
            Matter::Absence { .. } | Matter::Promotion { .. } | Matter::ResultSignal { .. } => ("step-nothing", &[]),
        };
        self.step(self.lexicon.say(key), articles);
    }

    fn offence_steps(
        &mut self,
        offence: &Offence,
        penalty: Millis,
        count: u32,
        bound: Option<Bound>,
        ends: Option<(GameResult, Termination)>,
    ) {
        let account = self.account;
        let by = offence.of;
        self.note(
            words_of(self.lexicon, by).count("n", count).say("note-count"),
            &["7.5.5"],
        );
        if ends.is_none() {
            self.step(self.lexicon.say("step-stop"), &["6.11.1"]);
        }
        self.put_back(offence);
        match ends {
            Some((result, termination)) => self.end(result, termination),
            None => {
                let in_rapid = self.articles.iter().any(|article| article == "A.3");
                let articles: &[&str] = if in_rapid { &["7.5.5", "A.3"] } else { &["7.5.5"] };
                let said = words_of(self.lexicon, by).span("time", penalty).say("step-penalty");
                self.step(said, articles);
                let [white, black] = account.outcome.times;
                let own = if by == Color::White { white } else { black };
                if let Some(gain) = offence
                    .gain
                    .filter(|gain| gain.time > Millis::ZERO && own.after < own.before)
                {
                    let said = words_of(self.lexicon, by).span("time", gain.time).say("step-increment");
                    self.step(said, &[]);
                }
                self.times();
                if offence.unpromoted.is_none() {
                    self.bound(by, bound, "4.3");
                    if bound.is_none() {
                        let free = offence.why.is_some() && offence.ply.is_some();
                        let key = if free { "step-any-move" } else { "step-has-the-move" };
                        self.step(words_of(self.lexicon, by).say(key), if free { &["4.5"] } else { &[] });
                    }
                }
                if let Some(turn) = account.outcome.turn {
                    self.step(words_of(self.lexicon, turn).say("step-run"), &["6.11.3"]);
                }
            }
        }
    }

    fn put_back(&mut self, offence: &Offence) {
        let account = self.account;
        if let Some(square) = offence.unpromoted {
            let said = words_of(self.lexicon, offence.of)
                .square("square", square)
                .say("step-queen");
            self.step(said, &["7.5.2"]);
        }
        if account.board == BoardKind::None && offence.ply.is_none() {
            self.step(self.lexicon.say("step-put-back-no-board"), &["7.5.1"]);
            return;
        }
        if account.outcome.taken_back.len() > 1 {
            let moves = account.outcome.taken_back.join(" ");
            self.step(
                self.lexicon.words().text("moves", moves).say("step-taken-back"),
                &["7.5.1"],
            );
        }
        let back: Vec<String> = account
            .outcome
            .pieces
            .iter()
            .map(|piece| {
                let words = self.lexicon.words().text("piece", self.piece_of(piece.piece));
                match (piece.from, piece.to) {
                    (Some(from), Some(to)) => words.square("from", from).square("to", to).part("piece-moves-back"),
                    (None, Some(to)) => words.square("to", to).part("piece-comes-back"),
                    (Some(from), None) => words.square("from", from).part("piece-goes-off"),
                    (None, None) => words.part("piece-stays"),
                }
            })
            .collect();
        if !back.is_empty() && offence.unpromoted.is_none() {
            let said = self
                .lexicon
                .words()
                .text("pieces", back.join("; "))
                .say("step-put-back");
            self.step(said, &["7.5.1"]);
        }
    }

    /// `White 1:02:03 → 1:01:33, Black +2:00`.
    fn times(&mut self) {
        let changed = clocks(self.lexicon, &self.account.outcome);
        if !changed.is_empty() {
            let said = self.lexicon.words().text("times", changed.join(", ")).say("step-times");
            self.step(said, &[]);
        }
    }

    fn bound(&mut self, by: Color, bound: Option<Bound>, article: &str) {
        let outcome = &self.account.outcome;
        let choices = glance(&outcome.choices);
        let words = words_of(self.lexicon, by);
        match (bound, outcome.touched) {
            (None, _) => {}
            (Some(Bound::Piece(square)), Some(piece)) => {
                let words = words
                    .piece("piece", piece.role)
                    .square("square", square)
                    .text("moves", choices);
                let (key, article) = match (piece.color == by, article) {
                    (true, "4.3") => ("step-must-move", "4.3.1"),
                    (false, "4.3") => ("step-must-capture", "4.3.2"),
                    (true, article) => ("step-must-move", article),
                    (false, article) => ("step-must-capture", article),
                };
                self.step(words.say(key), &[article]);
            }
            (Some(Bound::Piece(square)), None) => {
                self.step(
                    words.text("moves", square.to_string()).say("step-must-play"),
                    &[article],
                );
            }
            (Some(Bound::Move(mv)), _) => {
                let mv = if choices.is_empty() { mv.from_to() } else { choices };
                self.step(words.text("moves", mv).say("step-must-play"), &[article]);
            }
        }
    }

    fn end(&mut self, result: GameResult, termination: Termination) {
        let how = self.lexicon.words().part(names::ending(termination));
        let words = self.lexicon.words().text("result", result.text()).text("ending", how);
        let article = termination.article();
        let articles: &[&str] = if article.is_empty() { &[] } else { &[article] };
        self.step(words.say("step-end"), articles);
    }

    /// Whether the opponent can still mate, on which the ruling rests.
    fn mate(&mut self) {
        let account = self.account;
        let (Some(mate), Some(of)) = (&account.mate, account.of) else {
            return;
        };
        let article = match account.proposal {
            Ruling::Offence { .. } => "7.5.5",
            _ => "6.9",
        };
        let words = || words_of(self.lexicon, of);
        let said = match mate {
            MateFacts::Possible(line) if line.is_empty() => words().say("mate-on-board"),
            MateFacts::Possible(line) => {
                let count = i64::try_from(line.len().div_ceil(2)).unwrap_or(i64::MAX);
                words()
                    .count("n", count)
                    .text("moves", glance(line))
                    .say("mate-possible")
            }
            MateFacts::Impossible(proof) => {
                let proof = proof_part(self.lexicon, proof);
                words().text("proof", proof).say("mate-impossible")
            }
            MateFacts::Searched(true, evidence) => words().foreign("evidence", evidence).say("mate-searched-possible"),
            MateFacts::Searched(false, evidence) => {
                words().foreign("evidence", evidence).say("mate-searched-impossible")
            }
            MateFacts::Undecided(true) => words().say("mate-undecided-enough"),
            MateFacts::Undecided(false) => words().say("mate-undecided-not-enough"),
        };
        self.note(said, &[article]);
    }
}

fn words_of(lexicon: &'static Lexicon, by: Color) -> Words<'static> {
    lexicon.words().sides(by)
}

/// Why no series of legal moves ends in mate. Exhaustive, so that a new proof has to be given words.
fn proof_part(lexicon: &Lexicon, proof: &Proof) -> String {
    match proof {
        Proof::Over => lexicon.words().part("proof-over"),
        Proof::Material => lexicon.words().part("proof-material"),
        Proof::WalledIn { frozen } => {
            let squares: Vec<String> = frozen.iter().map(ToString::to_string).collect();
            let squares = lexicon.list(&squares);
            lexicon.words().text("squares", squares).part("proof-walled-in")
        }
        Proof::Forced { positions } => lexicon.words().count("n", *positions).part("proof-forced"),
        Proof::Exhausted { positions } => lexicon.words().count("n", *positions).part("proof-exhausted"),
        Proof::SecondOpinion => lexicon.words().part("proof-second-opinion"),
    }
}

/// The first moves of a line, and a sign where there are more.
fn glance(moves: &[String]) -> String {
    let more = if moves.len() > GLANCE { " …" } else { "" };
    format!("{}{more}", moves[..moves.len().min(GLANCE)].join(" "))
}

/// Each clock that is set, as `White 1:02:03 → 1:01:33`, or `Black +2:00` where it runs meanwhile.
fn clocks(lexicon: &Lexicon, outcome: &Outcome) -> Vec<String> {
    Color::BOTH
        .into_iter()
        .zip(outcome.times)
        .filter(|(_, time)| time.before != time.after)
        .map(|(of, time)| {
            let words = lexicon.words().side("side", of);
            if time.runs {
                words
                    .text("change", signed(time.after - time.before))
                    .part("time-change")
            } else {
                words
                    .clock("before", time.before)
                    .clock("after", time.after)
                    .part("time-set")
            }
        })
        .collect()
}

/// `+2:00`, `−0:30`.
pub(super) fn signed(change: Millis) -> String {
    let sign = if change < Millis::ZERO { '\u{2212}' } else { '+' };
    let text = Millis(change.0.saturating_abs()).to_string();
    let short = text.strip_prefix("0:0").or(text.strip_prefix("0:")).unwrap_or(&text);
    format!("{sign}{short}")
}

impl Explanation {
    /// All of it as lines of plain text, what is to be done numbered.
    pub fn lines(&self) -> Vec<String> {
        let steps = self.steps.iter().enumerate().map(|(at, step)| match self.steps.len() {
            1 => format!("→ {step}"),
            _ => format!("{}. {step}", at + 1),
        });
        let notes = self.notes.iter().map(|note| format!("* {note}"));
        self.what.iter().cloned().chain(steps).chain(notes).collect()
    }
}
