//! What the journal has of a game, in the reader's language: who said or did what, and what followed, with the articles.

use super::lexicon::Lexicon;
use super::{Language, names, ruled};
use crate::chess::Color;
use crate::game::input::{Agreement, ByHand, Claim, ClockFault, Fact, Happening, Input, OrderAnswer, Origin, Reading};
use crate::game::item::Kind;
use crate::game::{Event, Note, Step};
use crate::hall::record::TableRecord;
use crate::time::{HallTime, Millis};

/// So much later than it happened is late: then the line says when it happened.
const LATE: Millis = Millis::secs(2);

/// What an entry of a table says, on one line.
pub fn line(language: Language, record: &TableRecord, heard: HallTime, by: Option<&str>) -> String {
    let telling = Telling(Lexicon::of(language));
    let lexicon = telling.0;
    match record {
        TableRecord::Taken { events } if events.is_empty() => {
            let who = by.map_or_else(|| lexicon.words().part("journal-hub"), super::lexicon::foreign);
            format!("{who}: {}", lexicon.words().part("journal-nothing"))
        }
        TableRecord::Taken { events } => {
            let told: Vec<String> = events.iter().flat_map(|event| telling.event(event, heard)).collect();
            told.join(" | ")
        }
        TableRecord::Parked { why, .. } => lexicon.words().foreign("why", why).say("journal-parked"),
        TableRecord::Aside { .. } => lexicon.say("journal-aside"),
        TableRecord::ResultByHand { result, by } => {
            let said = lexicon
                .words()
                .text("result", result.clone())
                .part("journal-result-by-hand");
            format!("{}: {said}", super::lexicon::foreign(by))
        }
    }
}

struct Telling(&'static Lexicon);

impl Telling {
    fn event(&self, event: &Event, heard: HallTime) -> Vec<String> {
        match event {
            Event::Taken { steps, .. } => steps.iter().map(|step| self.step(step, heard)).collect(),
            Event::Reconsidered {
                cause,
                with_it,
                from_ply,
                withdrawn,
                found,
                ..
            } => {
                let mut what = self.input(cause);
                if *with_it > 0 {
                    let words = self.0.words().text("what", what);
                    what = words.text("more", with_it.to_string()).part("journal-with");
                }
                let words = self.0.words().text("what", what);
                let mut parts = vec![words.text("ply", (from_ply + 1).to_string()).part("journal-late")];
                let notes = |notes: &[Note]| {
                    notes
                        .iter()
                        .map(|note| self.note(note, None))
                        .collect::<Vec<_>>()
                        .join("; ")
                };
                if !withdrawn.is_empty() {
                    parts.push(self.0.words().text("what", notes(withdrawn)).part("journal-withdrawn"));
                }
                if !found.is_empty() {
                    parts.push(self.0.words().text("what", notes(found)).part("journal-found"));
                }
                vec![self.said(&self.who(&cause.origin), cause.at, heard, &parts.join("; "))]
            }
        }
    }

    fn step(&self, step: &Step, heard: HallTime) -> String {
        let mut parts: Vec<String> = step.input.iter().map(|heard| self.input(heard)).collect();
        let act = step.input.as_ref().and_then(|input| match &input.what {
            Happening::Act(act) => Some(&act.what),
            _ => None,
        });
        parts.extend(step.notes.iter().map(|note| self.note(note, act)));
        parts.retain(|part| !part.is_empty());
        if parts.is_empty() {
            parts.push(self.0.words().part("journal-time-passed"));
        }
        let who = step
            .input
            .as_ref()
            .map_or_else(|| self.0.words().part("journal-hub"), |input| self.who(&input.origin));
        self.said(&who, step.at, heard, &parts.join("; "))
    }

    fn said(&self, who: &str, at: HallTime, heard: HallTime, what: &str) -> String {
        if at != HallTime(i64::MIN) && heard - at > LATE {
            let words = self.0.words().text("who", who).clock("time", Millis(at.0));
            return words.text("what", what).part("journal-of");
        }
        format!("{who}: {what}")
    }

    fn who(&self, origin: &Origin) -> String {
        match origin {
            Origin::Hub => self.0.words().part("journal-hub"),
            Origin::Person { name, .. } => super::lexicon::foreign(name),
            Origin::Device { device, .. } => super::lexicon::foreign(device),
        }
    }

    fn articled(&self, words: String, articles: &[String]) -> String {
        if articles.is_empty() {
            return words;
        }
        let named = articles
            .join(", ")
            .replace("Guidelines", &self.0.words().part("guidelines"));
        format!("{words} ({named})")
    }

    fn because(&self, reason: &str) -> String {
        match reason {
            "" => String::new(),
            reason => format!(", {}", self.0.words().foreign("reason", reason).part("journal-reason")),
        }
    }

    fn kind(&self, kind: Kind) -> String {
        self.0.words().part(names::kind(kind))
    }

    fn note(&self, note: &Note, act: Option<&crate::game::input::Deed>) -> String {
        match note {
            Note::Moved { ply, san } => {
                let dots = if ply % 2 == 1 { "." } else { "..." };
                format!("{}{dots} {san}", ply.div_ceil(2))
            }
            Note::Opened {
                item,
                kind,
                of,
                articles,
            } => {
                let words = self
                    .0
                    .words()
                    .text("number", item.to_string())
                    .text("kind", self.kind(*kind));
                let said = match of {
                    Some(of) => words.side("by", *of).part("journal-opened-of"),
                    None => words.part("journal-opened"),
                };
                self.articled(said, articles)
            }
            Note::Closed { item, kind } => {
                let words = self.0.words().text("number", item.to_string());
                words.text("kind", self.kind(*kind)).part("journal-closed")
            }
            Note::Ruled {
                item,
                ruling,
                articles,
                author,
                reason,
                ..
            } => {
                let what = format!("{}{}", ruled::ruling_said(self.0, ruling), self.because(reason));
                let words = self.0.words().text("who", self.author(author)).text("what", what);
                let said = match item {
                    Some(item) => words.text("number", item.to_string()).part("journal-rules-on"),
                    None => words.part("journal-rules"),
                };
                self.articled(said, articles)
            }
            // The act itself has said it.
            Note::Acted { articles, .. } if act.is_some() => self.articled(String::new(), articles).trim().to_owned(),
            Note::Acted {
                what,
                articles,
                author,
                reason,
            } => self.articled(
                format!(
                    "{}: {}{}",
                    self.author(author),
                    what.replace('-', " "),
                    self.because(reason)
                ),
                articles,
            ),
            Note::Ended {
                result,
                termination,
                article,
            } => {
                let ending = self.0.words().part(names::ending(*termination));
                let words = self.0.words().text("result", result.text()).text("ending", ending);
                self.articled(words.part("ruled-end"), std::slice::from_ref(article))
            }
        }
    }

    fn author(&self, author: &str) -> String {
        match author {
            "regulations" => self.0.say("record-by-regulations"),
            author => super::lexicon::foreign(author),
        }
    }

    fn input(&self, input: &Input) -> String {
        match &input.what {
            Happening::Fact(fact) => self.fact(fact),
            Happening::Act(act) => {
                let said = ruled::deed_said(self.0, &act.what);
                format!("{said}{}", self.because(&act.reason))
            }
            Happening::Settled { through } => self.0.words().clock("time", Millis(through.0)).part("journal-settled"),
            Happening::Alarm => self.0.words().part("journal-time-passed"),
        }
    }

    /// Exhaustive, so that a new fact has to be given words.
    fn fact(&self, fact: &Fact) -> String {
        let words = || self.0.words();
        let of = |by: &Color| words().side("by", *by);
        match fact {
            Fact::Pressed { by } => of(by).part("journal-pressed"),
            Fact::Lifted { square } => words().square("square", *square).part("journal-lifted"),
            Fact::Put {
                square,
                piece: Some((color, role)),
            } => {
                let piece = words().side("side", *color).piece("piece", *role).part("piece-of");
                words()
                    .square("square", *square)
                    .text("piece", piece)
                    .part("journal-put")
            }
            Fact::Put { square, piece: None } => words().square("square", *square).part("journal-put-something"),
            Fact::Placed { placement } => words().foreign("picture", placement).part("journal-placed"),
            Fact::Moved { by, mv } => of(by).foreign("move", mv).part("journal-moved"),
            Fact::Reading(reading) => self.shows(reading),
            Fact::FlagShown { of: whose, .. } => of(whose).part("journal-flag-shown"),
            Fact::Paused { by: Some(by) } => self.articled(of(by).part("journal-paused"), &["6.11.2".to_owned()]),
            Fact::Paused { by: None } => self.articled(words().part("journal-paused-somebody"), &["6.11.2".to_owned()]),
            Fact::Claimed { by, what, intends } => {
                let kind = match what {
                    Claim::Threefold => Kind::ClaimThreefold,
                    Claim::FiftyMoves => Kind::ClaimFiftyMoves,
                    Claim::Flag => Kind::ClaimFlag,
                    Claim::IllegalMove => Kind::ClaimIllegalMove,
                    Claim::Quickplay => Kind::ClaimQuickplay,
                    Claim::Unspecified => Kind::Call,
                };
                let said = of(by).text("what", self.kind(kind));
                match intends {
                    Some(mv) => said.foreign("move", mv).part("journal-claims-intends"),
                    None => said.part("journal-claims"),
                }
            }
            Fact::DrawOffered { by } => self.articled(of(by).part("journal-draw-offered"), &["9.1.2.1".to_owned()]),
            Fact::DrawAccepted { by } => self.articled(of(by).part("journal-draw-accepted"), &["9.1.2.1".to_owned()]),
            Fact::DrawDeclined { by } => self.articled(of(by).part("journal-draw-declined"), &["9.1.2.1".to_owned()]),
            Fact::Resigned { by } => self.articled(of(by).part("journal-resigned"), &["5.1.2".to_owned()]),
            Fact::Agreed { what: Agreement::Draw } => {
                self.articled(words().part("journal-agreed-draw"), &["5.2.3".to_owned()])
            }
            Fact::Agreed {
                what: Agreement::Correct,
            } => self.articled(words().part("journal-agreed-correct"), &["A.5.2".to_owned()]),
            Fact::Arrived { by } => of(by).part("journal-arrived"),
            Fact::ResultEntered { by, result } => of(by).foreign("result", result).part("journal-result-entered"),
            Fact::ResultShown { result } => words().foreign("result", result).part("journal-result-shown"),
            Fact::OrderAnswered {
                number,
                answer,
                reading,
            } => {
                let said = words().text("number", number.to_string());
                let said = match answer {
                    OrderAnswer::Done => said.part("journal-order-done"),
                    OrderAnswer::MovedOn => said.part("journal-order-moved-on"),
                    OrderAnswer::Refused { why } => said.foreign("why", why).part("journal-order-refused"),
                    OrderAnswer::Unanswered => said.part("journal-order-unanswered"),
                };
                let shown = reading.as_ref().map(|reading| self.shows(reading));
                [Some(said), shown].into_iter().flatten().collect::<Vec<_>>().join(", ")
            }
            Fact::ByHand { what, reading } => {
                let said = match what {
                    ByHand::Started => words().part("journal-by-hand-started"),
                    ByHand::Stopped => words().part("journal-by-hand-stopped"),
                    ByHand::Adjusted { before } => {
                        let times = words().clock("white", before.white).clock("black", before.black);
                        times.part("journal-by-hand-changed")
                    }
                };
                format!("{said}, {}", self.shows(reading))
            }
            Fact::ReportsLost { count } => {
                let count = i64::try_from(*count).unwrap_or(i64::MAX);
                words().count("n", count).part("item-reports-lost")
            }
            Fact::BoardBack { device, .. } => words().foreign("device", device).part("journal-board-back"),
            Fact::ClockTime { device, what } => self.clock_time(device, *what),
            Fact::ClockRenewed { device, given, by_hand } => {
                let key = if *by_hand {
                    "item-clock-not-renewed"
                } else {
                    "item-clock-renewed"
                };
                let said = words().foreign("device", device).clock("white", given.white);
                self.articled(said.clock("black", given.black).part(key), &["6.10.1".to_owned()])
            }
            Fact::Silent { device, silent, .. } => {
                let key = if *silent { "journal-silent" } else { "journal-speaks" };
                words().foreign("device", device).part(key)
            }
            Fact::Verdict { winner, evidence, .. } => {
                let said = words().side("by", *winner).foreign("evidence", evidence);
                self.articled(said.part("journal-verdict"), &["6.9".to_owned()])
            }
        }
    }

    /// What the clock shows, and whose time runs.
    fn shows(&self, reading: &Reading) -> String {
        let runs = match reading.running {
            Some(side) => self.0.words().side("side", side).part("clock-runs"),
            None => self.0.words().part("clocks-stand"),
        };
        let words = self
            .0
            .words()
            .clock("white", reading.white)
            .clock("black", reading.black);
        words.text("runs", runs).part("journal-shows")
    }

    fn clock_time(&self, device: &str, what: ClockFault) -> String {
        let words = self.0.words().foreign("device", device);
        match what {
            ClockFault::Drifts { ppm, over, off } => {
                let (whole, part) = (ppm.unsigned_abs() / 10_000, ppm.unsigned_abs() % 10_000 / 100);
                let percent = format!("{whole}{}{part:02}", self.0.say("decimal-point"));
                let key = if ppm < 0 { "item-clock-slow" } else { "item-clock-fast" };
                words
                    .text("percent", percent)
                    .span("time", Millis(off.0.saturating_abs()))
                    .clock("over", Millis(over.0 / 1000 * 1000))
                    .part(key)
            }
            ClockFault::Jumped { by, .. } => {
                let key = if by < Millis::ZERO {
                    "item-clock-leapt-back"
                } else {
                    "item-clock-leapt-ahead"
                };
                words.span("time", Millis(by.0.saturating_abs())).part(key)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::input::{Act, Deed};
    use crate::game::{Game, GameSetup};

    /// What a whole little game says in this language, entry by entry.
    fn told(language: Language) -> Vec<String> {
        let mut game = Game::new(GameSetup::default());
        let person = Origin::Person {
            name: "Anna\u{202e}<b>".to_owned(),
            role: "chief-arbiter".to_owned(),
        };
        let device = |seq| Origin::Device {
            device: "unit-7".to_owned(),
            boot: 1,
            seq,
            bar: Some(Millis(1)),
        };
        let act = |what| {
            Happening::Act(Act {
                revision: None,
                reason: "a test".to_owned(),
                what,
            })
        };
        let (white, black) = (Color::White, Color::Black);
        let square = "e4".parse().expect("a square");
        let reading = Reading {
            white: Millis::mins(5),
            black: Millis::mins(4),
            running: Some(black),
        };
        let facts = vec![
            Fact::Moved {
                by: white,
                mv: "e2e4".to_owned(),
            },
            Fact::Pressed { by: white },
            Fact::Lifted { square },
            Fact::Put { square, piece: None },
            Fact::Reading(reading),
            Fact::FlagShown {
                of: white,
                reading: None,
            },
            Fact::Paused { by: Some(black) },
            Fact::Paused { by: None },
            Fact::Claimed {
                by: black,
                what: Claim::Threefold,
                intends: Some("Nf6".to_owned()),
            },
            Fact::DrawOffered { by: white },
            Fact::DrawDeclined { by: black },
            Fact::ResultEntered {
                by: white,
                result: "1-0".to_owned(),
            },
            Fact::ByHand {
                what: ByHand::Adjusted { before: reading },
                reading,
            },
            Fact::ReportsLost { count: 2 },
            Fact::Silent {
                device: "unit-7".to_owned(),
                silent: true,
                shared: false,
            },
            Fact::BoardBack {
                device: "unit-7".to_owned(),
                before: "unit-7".to_owned(),
                placement: "8/8/8/8/8/8/8/8".to_owned(),
            },
            Fact::Resigned { by: black },
        ];
        let mut inputs = vec![(person.clone(), act(Deed::Start))];
        inputs.extend((1..).zip(facts).map(|(seq, fact)| (device(seq), Happening::Fact(fact))));
        inputs.push((
            person,
            act(Deed::Decide {
                result: "1/2-1/2".to_owned(),
            }),
        ));
        let mut lines = Vec::new();
        for (at, (origin, what)) in (0..).step_by(1_000).zip(inputs) {
            let input = Input {
                at: HallTime(at),
                heard: HallTime(at),
                origin,
                what,
            };
            let events = game.take(&input).expect("it is taken");
            lines.push(line(language, &TableRecord::Taken { events }, HallTime(at), None));
        }
        lines
    }

    #[test]
    fn a_game_is_told_in_every_language_and_nothing_of_it_is_left_in_english() {
        let english = told(Language::English);
        assert!(english[1].contains("White moves \u{2068}e2e4\u{2069}"), "{english:?}");
        for language in Language::ALL {
            let lines = told(language);
            assert_eq!(lines.len(), english.len());
            for (line, english) in lines.iter().zip(&english) {
                assert!(!line.contains('{') && !line.contains('\u{202e}'), "{language}: {line}");
                if language != Language::English {
                    assert_ne!(line, english, "{language}");
                    for word in ["White", "Black", "clock", "item ", "draw"] {
                        assert!(!line.contains(word), "{language}: {line}");
                    }
                }
            }
        }
    }
}
