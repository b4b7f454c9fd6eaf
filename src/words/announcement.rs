//! The announcement that an arbiter reads out before round one: what the regulations say, in words.
//!
//! Every setting of [`Regulations`] is taken apart by name, so that a new one has to be given words before this compiles.

use super::lexicon::Lexicon;
use super::{Language, dates, names};
use crate::hall::model::{
    BoardKind, Category, ChessEvent, Enforced, Finding, OpenPoints, PeriodAdded, Registry, Regulations, Supervision,
};
use crate::hall::{EventId, RoundNo};
use crate::laws::category::limited;
use crate::laws::open_points::QuickplayFinish;
use crate::laws::time_control::NoTimeControl;
use crate::laws::{Bonus, Period, TimeControl, penalty};
use crate::time::Millis;

/// What is announced.
#[derive(Clone, Debug)]
pub struct Announcement {
    /// The event's name.
    pub name: String,
    /// Where it is played; may be empty.
    pub site: String,
    /// Its first day, `2026-08-01`; may be empty.
    pub date: String,
    /// Its regulations.
    pub regulations: Regulations,
    /// The time control of the round.
    pub control: TimeControl,
    /// Tables with another one.
    pub others: Vec<(Vec<u32>, TimeControl)>,
    /// Which tables have boards.
    pub boards: Boards,
}

/// Which tables have electronic boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Boards {
    /// Each of them.
    All,
    /// None.
    None,
    /// These.
    At(Vec<u32>),
}

/// Why there is nothing to announce.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnnouncement {
    /// The time control is the round's.
    #[error("event {event} has no round {round}: put it first, its time control is a part of the announcement")]
    NoRound {
        /// The event.
        event: EventId,
        /// The round asked for; 1 where none was.
        round: RoundNo,
    },
    /// A time control that cannot be read.
    #[error(transparent)]
    NoControl(#[from] NoTimeControl),
}

impl Announcement {
    /// Of an event of the hall, before this round or its first.
    ///
    /// # Errors
    /// There is no such round yet, or its time control cannot be read.
    pub fn of(event: &ChessEvent, round: Option<RoundNo>, registry: &Registry) -> Result<Announcement, NoAnnouncement> {
        let found = match round {
            Some(number) => event.rounds.get(&number),
            None => event.rounds.values().next(),
        };
        let round = found.ok_or_else(|| NoAnnouncement::NoRound {
            event: event.id.clone(),
            round: round.unwrap_or(RoundNo(1)),
        })?;
        let control: TimeControl = round.time_control.parse()?;
        let mut others: Vec<(Vec<u32>, TimeControl)> = Vec::new();
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for pairing in &round.pairings {
            let table = pairing.table;
            if let Some(own) = &pairing.time_control {
                let own: TimeControl = own.parse()?;
                match others.iter_mut().find(|(_, other)| *other == own) {
                    Some((tables, _)) => tables.push(table.0),
                    None if own != control => others.push((vec![table.0], own)),
                    None => {}
                }
            }
            let bound = registry.tables.get(&table).is_some_and(|table| table.board.is_some());
            let has_board = pairing.board_kind.map_or(bound, |kind| kind != BoardKind::None);
            if has_board { &mut with } else { &mut without }.push(table.0);
        }
        Ok(Announcement {
            name: event.name.clone(),
            site: event.site.clone(),
            date: event.date.clone(),
            regulations: event.regulations.clone(),
            control,
            others,
            boards: match (with.is_empty(), without.is_empty()) {
                (true, _) => Boards::None,
                (false, true) => Boards::All,
                (false, false) => Boards::At(with),
            },
        })
    }
}

/// A part of the announcement: its heading and its sentences, or a list.
struct Section {
    heading: &'static str,
    sentences: Vec<String>,
    listed: Vec<String>,
}

/// Lines are no wider than this.
const WIDTH: usize = 100;

impl Announcement {
    /// The whole text, in plain lines.
    pub fn text(&self, language: Language) -> String {
        let lexicon = Lexicon::of(language);
        let mut text = format!("{}\n", shown(&self.name));
        let place = [shown(&self.site), dates::day(lexicon, &self.date).unwrap_or_default()];
        let place: Vec<&str> = place
            .iter()
            .map(String::as_str)
            .filter(|part| !part.is_empty())
            .collect();
        if !place.is_empty() {
            text.push_str(&place.join(", "));
            text.push('\n');
        }
        for section in self.sections(lexicon) {
            text.push_str(&format!("\n{}\n", lexicon.say(section.heading).to_uppercase()));
            if !section.sentences.is_empty() {
                wrap(&section.sentences.join(" "), "", &mut text);
            }
            for line in &section.listed {
                wrap(line, "– ", &mut text);
            }
        }
        text
    }

    fn category(&self) -> Category {
        self.regulations.category.unwrap_or_else(|| Category::of(&self.control))
    }

    fn sections(&self, lexicon: &Lexicon) -> Vec<Section> {
        // Taken apart by name: a new setting is to be said somewhere below.
        let Regulations {
            category: _,
            supervision,
            enforcement,
            rated,
            open_points,
            default_time_ms,
            min_moves_for_draw,
            period_added,
            first_increment,
            endings_shown_at_once,
        } = &self.regulations;
        let category = self.category();
        let limited = limited(category, *supervision);
        let cost = penalty::opponents_time(category, *supervision, open_points);
        let section = |heading, sentences| Section {
            heading,
            sentences,
            listed: Vec::new(),
        };
        let say = |key: &str| lexicon.say(key);

        let mut time = vec![
            lexicon
                .words()
                .text("category", lexicon.words().part(names::category(category)))
                .say("reg-category"),
        ];
        if category != Category::Standard {
            time.push(match supervision {
                Supervision::Adequate => say("reg-supervision-adequate"),
                Supervision::Limited => say("reg-supervision-limited"),
            });
        }
        time.push(if *rated { say("reg-rated") } else { say("reg-unrated") });
        time.push(control(lexicon, &self.control));
        for (tables, other) in &self.others {
            let tables = ranges(tables);
            let said = control(lexicon, other);
            time.push(
                lexicon
                    .words()
                    .text("tables", tables)
                    .text("control", said)
                    .say("reg-other-control"),
            );
        }
        let first = self.control.period(0).bonus;
        if let Bonus::Increment(_) | Bonus::Bronstein(_) = first {
            let shown = self.control.start(*first_increment);
            let key = if *first_increment {
                "reg-first-increment"
            } else {
                "reg-no-first-increment"
            };
            time.push(lexicon.words().clock("time", shown).say(key));
        }
        if self.control.periods().len() > 1 {
            time.push(match period_added {
                PeriodAdded::OnZero => say("reg-period-on-zero"),
                PeriodAdded::OnMoves => say("reg-period-on-moves"),
            });
        }
        time.push(if *default_time_ms == Millis::ZERO {
            say("reg-default-zero")
        } else {
            lexicon.words().span("time", *default_time_ms).say("reg-default-time")
        });
        if category == Category::Standard {
            let always = first.span() >= Millis::secs(30);
            time.push(say(if always {
                "reg-record-always"
            } else {
                "reg-record-five-minutes"
            }));
        } else {
            time.push(say("reg-record-free"));
        }

        let illegal = vec![
            say(if limited {
                "reg-illegal-limited"
            } else {
                "reg-illegal-always"
            }),
            lexicon.words().span("time", cost).say("reg-illegal-penalty"),
            say("reg-illegal-second"),
            say("reg-illegal-also"),
        ];

        let mut claims = vec![
            say("reg-call"),
            say("reg-claim-draw"),
            lexicon.words().span("time", cost).say("reg-claim-wrong"),
            say("reg-claim-flag"),
            say("reg-automatic-draws"),
            say("reg-offer"),
        ];
        claims.push(match *min_moves_for_draw {
            0 | 1 => say("reg-draw-one-move"),
            moves => lexicon.words().count("n", moves).say("reg-draw-minimum"),
        });

        let phones = vec![point(lexicon, "device_found", open_points), say("reg-phones-approved")];

        let mut hall = vec![
            match &self.boards {
                Boards::All => say("reg-boards-all"),
                Boards::None => say("reg-boards-none"),
                Boards::At(tables) => lexicon.words().text("tables", ranges(tables)).say("reg-boards-at"),
            },
            say("reg-screens-prove-nothing"),
            say("reg-hub-alerts"),
            say("reg-hub-is-silent"),
        ];
        hall.push(say(if *endings_shown_at_once {
            "reg-endings-at-once"
        } else {
            "reg-endings-later"
        }));

        let rules: Vec<String> = Finding::ALL
            .into_iter()
            .filter(|finding| enforcement.of(*finding) == Enforced::Automatic)
            .map(|finding| say(house_rule(finding)))
            .collect();
        let house = Section {
            heading: "reg-heading-house-rules",
            sentences: vec![say(if rules.is_empty() {
                "reg-house-none"
            } else {
                "reg-house-some"
            })],
            listed: rules,
        };

        let open: Vec<String> = OpenPoints::ALL
            .iter()
            // Said among the phones already.
            .filter(|open| open.name != "device_found" && self.arises(open.name))
            .map(|open| point(lexicon, open.name, open_points))
            .collect();
        let open = Section {
            heading: "reg-heading-open-points",
            sentences: vec![say("reg-open-points")],
            listed: open,
        };

        vec![
            section("reg-heading-time", time),
            section("reg-heading-illegal", illegal),
            section("reg-heading-claims", claims),
            section("reg-heading-phones", phones),
            section("reg-heading-hall", hall),
            house,
            open,
        ]
    }

    /// Whether a point that the Laws leave open can arise in this event.
    fn arises(&self, name: &str) -> bool {
        let (category, supervision) = (self.category(), self.regulations.supervision);
        let bonus = self.control.period(0).bonus;
        let quickplay = bonus == Bonus::None && category != Category::Blitz;
        let announced = self.regulations.open_points.quickplay_finish != QuickplayFinish::NotAnnounced;
        match name {
            "blitz_supervised_penalty" => category == Category::Blitz && supervision == Supervision::Adequate,
            "unpunished_illegal_moves" => limited(category, supervision),
            "unpromoted_press" => matches!(bonus, Bonus::Increment(_) | Bonus::Bronstein(_)),
            "quickplay_finish" => quickplay,
            "quickplay_increment" => quickplay && announced,
            "quickplay_penalty" => quickplay && announced && category == Category::Rapid,
            _ => true,
        }
    }
}

/// The message of a point that the Laws leave open, as this event has decided it.
pub(super) fn point_key(name: &str, value: &str) -> String {
    format!("point-{}-{value}", name.replace('_', "-"))
}

fn point(lexicon: &Lexicon, name: &str, points: &OpenPoints) -> String {
    lexicon.say(&point_key(name, points.value(name).unwrap_or_default()))
}

/// The message of what is carried out without waiting for an arbiter. Exhaustive, so that a new kind has to be given words.
fn house_rule(finding: Finding) -> &'static str {
    match finding {
        Finding::IllegalMove => "house-illegal-move",
        Finding::Flag => "house-flag",
        Finding::Default => "house-default",
    }
}

/// A time control in one sentence.
fn control(lexicon: &Lexicon, control: &TimeControl) -> String {
    let periods = control.periods();
    let same = periods.iter().all(|period| period.bonus == periods[0].bonus);
    let last = periods.len() - 1;
    let parts: Vec<String> = periods
        .iter()
        .enumerate()
        .map(|(at, period)| {
            let said = period_said(lexicon, at, at == last, period);
            if same {
                said
            } else {
                format!("{said}{}", bonus(lexicon, period.bonus))
            }
        })
        .collect();
    let common = if same {
        bonus(lexicon, periods[0].bonus)
    } else {
        String::new()
    };
    lexicon
        .words()
        .text("periods", parts.join(", "))
        .text("bonus", common)
        .say("reg-control")
}

fn period_said(lexicon: &Lexicon, at: usize, last: bool, period: &Period) -> String {
    let words = lexicon.words().span("time", period.time);
    match (at, last) {
        (0, true) => words.part("reg-period-only"),
        (_, true) => words.part("reg-period-last"),
        (0, false) => words.count("n", period.moves.unwrap_or(0)).part("reg-period-first"),
        (_, false) => words.count("n", period.moves.unwrap_or(0)).part("reg-period-next"),
    }
}

/// What every move adds or is spared, as the end of a sentence.
fn bonus(lexicon: &Lexicon, bonus: Bonus) -> String {
    let words = lexicon.words().span("time", bonus.span());
    match bonus {
        Bonus::None => lexicon.words().part("reg-bonus-none"),
        Bonus::Increment(_) => words.part("reg-bonus-increment"),
        Bonus::Delay(_) => words.part("reg-bonus-delay"),
        Bonus::Bronstein(_) => words.part("reg-bonus-bronstein"),
    }
}

/// `1–8, 11`.
fn ranges(numbers: &[u32]) -> String {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(number) => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let runs: Vec<String> = runs
        .into_iter()
        .map(|(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first}, {last}"),
            _ => format!("{first}–{last}"),
        })
        .collect();
    runs.join(", ")
}

/// A name from outside on a line of its own needs no setting apart.
fn shown(text: &str) -> String {
    super::lexicon::foreign(text)
        .trim_matches(['\u{2068}', '\u{2069}'])
        .to_owned()
}

/// Breaks a paragraph into lines; what follows a sign is indented under it.
fn wrap(paragraph: &str, sign: &str, out: &mut String) {
    let indent = " ".repeat(sign.chars().count());
    let mut line = sign.to_owned();
    let mut wide = sign.chars().count();
    let mut fresh = true;
    for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
        let width = word.chars().count();
        if !fresh && wide + 1 + width > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line.clone_from(&indent);
            wide = indent.len();
            fresh = true;
        }
        if !fresh {
            line.push(' ');
            wide += 1;
        }
        line.push_str(word);
        wide += width;
        fresh = false;
    }
    out.push_str(line.trim_end());
    out.push('\n');
}
