//! Events in English sentences, for whoever reads a journal: an appeals committee, an arbiter the morning after.

use super::event::{Event, Note, Step};
use super::history;
use super::input::{Agreement, ByHand, Claim, Deed, Fact, Happening, Input, Observation, OrderAnswer, Origin, Reading};
use crate::chess::Color;
use crate::time::HallTime;

/// What one step says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The table time it belongs to.
    pub at: HallTime,
    /// Who said or did it: a device, a person, or the hub.
    pub who: String,
    /// What, and what followed, with the articles.
    pub what: String,
}

impl Event {
    /// What it says, step by step.
    pub fn told(&self) -> Vec<Told> {
        match self {
            Event::Taken { steps, .. } => steps.iter().map(step).collect(),
            Event::Reconsidered {
                cause,
                with_it,
                from_ply,
                withdrawn,
                found,
                ..
            } => {
                let more = match with_it {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let mut what = vec![format!(
                    "late: {}{more}; the game is taken again from half-move {} on",
                    input(cause),
                    from_ply + 1
                )];
                let notes = |notes: &[Note]| notes.iter().map(note).collect::<Vec<_>>().join("; ");
                if !withdrawn.is_empty() {
                    what.push(format!("no longer so: {}", notes(withdrawn)));
                }
                if !found.is_empty() {
                    what.push(format!("found now: {}", notes(found)));
                }
                vec![Told {
                    at: cause.at,
                    who: who(&cause.origin),
                    what: what.join("; "),
                }]
            }
        }
    }
}

fn step(step: &Step) -> Told {
    let mut parts: Vec<String> = Vec::new();
    if let Some(heard) = &step.input {
        parts.push(input(heard));
    }
    let acted = step.input.as_ref().and_then(|input| match &input.what {
        Happening::Act(act) => history::deed(&act.what),
        _ => None,
    });
    for one in &step.notes {
        match one {
            // The act itself has said it.
            Note::Acted { articles, .. } if acted.is_some() => {
                parts.push(articled(String::new(), articles).trim().to_owned())
            }
            other => parts.push(note(other)),
        }
    }
    parts.retain(|part| !part.is_empty());
    if parts.is_empty() {
        parts.push("time has passed, and what is open is looked at again".to_owned());
    }
    Told {
        at: step.at,
        who: step
            .input
            .as_ref()
            .map_or_else(|| "the hub".to_owned(), |input| who(&input.origin)),
        what: parts.join("; "),
    }
}

fn who(origin: &Origin) -> String {
    match origin {
        Origin::Hub => "the hub".to_owned(),
        Origin::Person { name, role } => format!("{name} ({})", role.replace('-', " ")),
        Origin::Device { device, .. } => device.clone(),
    }
}

fn articled(words: String, articles: &[String]) -> String {
    if articles.is_empty() {
        words
    } else {
        format!("{words} ({})", articles.join(", "))
    }
}

fn note(note: &Note) -> String {
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
            let of = of.map_or(String::new(), |of| format!(", {of}"));
            articled(
                format!("item {item} is opened: {}{of}", kind.name().replace('-', " ")),
                articles,
            )
        }
        Note::Closed { item, kind } => format!("item {item} is closed: {}", kind.name().replace('-', " ")),
        Note::Ruled {
            item,
            words,
            articles,
            author,
            reason,
            ..
        } => {
            let on = item.map_or(String::new(), |item| format!(" on item {item}"));
            articled(format!("{author} rules{on}: {words}{}", because(reason)), articles)
        }
        Note::Acted {
            what,
            articles,
            author,
            reason,
        } => articled(
            format!("{author}: {}{}", what.replace('-', " "), because(reason)),
            articles,
        ),
        Note::Ended {
            result,
            termination,
            article,
        } => format!(
            "the game ends {result}, {} ({article})",
            termination.name().replace('-', " ")
        ),
    }
}

fn because(reason: &str) -> String {
    if reason.is_empty() {
        String::new()
    } else {
        format!(", reason: {reason:?}")
    }
}

fn input(input: &Input) -> String {
    match &input.what {
        Happening::Fact(told) => fact(told),
        Happening::Act(act) => {
            let what = history::deed(&act.what).unwrap_or_else(|| plain(&act.what));
            format!("{what}{}", because(&act.reason))
        }
        Happening::Settled { through } => format!("everything before {} has been heard", hall_time(*through)),
        Happening::Alarm => "time has passed".to_owned(),
    }
}

/// Acts that one word says.
fn plain(deed: &Deed) -> String {
    match deed {
        Deed::Start => "the round is called: White's clock is to run".to_owned(),
        Deed::Pause => "the clocks are to stop".to_owned(),
        Deed::Resume => "the clock of the player on move is to run".to_owned(),
        Deed::Confirm { item: Some(item), .. } => format!("the proposal for item {item} is confirmed"),
        Deed::Confirm { item: None, .. } => "the oldest proposal is confirmed".to_owned(),
        Deed::Observe { what, of } => {
            let what = match what {
                Observation::Flag => "a fallen flag",
                Observation::IllegalMove => "an illegal move",
                Observation::TwoHands => "a move with two hands",
                Observation::IllegalPosition => "an illegal position",
                Observation::ColoursReversed => "colours reversed",
                Observation::WrongSetup => "a wrong initial position",
                Observation::WrongClock => "a wrong setting of the clock",
                Observation::Device => "an electronic device",
            };
            let of = of.map_or(String::new(), |of| format!(", {of}"));
            format!("seen: {what}{of}")
        }
        Deed::Take { item } => format!("somebody is on item {item}"),
        Deed::MarkPresent { who, present } => {
            format!("{who} is marked {}", if *present { "present" } else { "absent" })
        }
        other => format!("{other:?}"),
    }
}

fn fact(fact: &Fact) -> String {
    match fact {
        Fact::Pressed { by } => format!("{by} presses the clock"),
        Fact::Lifted { square } => format!("{square} is empty"),
        Fact::Put {
            square,
            piece: Some((color, role)),
        } => format!("{color}'s {} stands on {square}", role.name()),
        Fact::Put { square, piece: None } => format!("something stands on {square}"),
        Fact::Placed { placement } => format!("the board shows {placement}"),
        Fact::Moved { by, mv } => format!("{by} moves {mv}"),
        Fact::Reading(reading) => format!("the clock shows {}", times(reading)),
        Fact::FlagShown { of, .. } => format!("the clock shows {of}'s flag"),
        Fact::Paused { by: Some(by) } => format!("{by} stops the clocks to call the arbiter (6.11.2)"),
        Fact::Paused { by: None } => "the clocks are stopped to call the arbiter (6.11.2)".to_owned(),
        Fact::Claimed { by, what, intends } => {
            let what = match what {
                Claim::Threefold => "a draw by threefold repetition (9.2)",
                Claim::FiftyMoves => "a draw by the 50-move rule (9.3)",
                Claim::Flag => "the opponent's flag (6.8)",
                Claim::IllegalMove => "an illegal move (7.5)",
                Claim::Quickplay => "a draw under the Guidelines III.5",
                Claim::Unspecified => "something, and calls the arbiter",
            };
            let with = intends.as_ref().map_or(String::new(), |mv| format!(", intending {mv}"));
            format!("{by} claims {what}{with}")
        }
        Fact::DrawOffered { by } => format!("{by} offers a draw (9.1)"),
        Fact::DrawAccepted { by } => format!("{by} accepts the draw (9.1)"),
        Fact::DrawDeclined { by } => format!("{by} declines the draw (9.1)"),
        Fact::Resigned { by } => format!("{by} resigns (5.1.2)"),
        Fact::Agreed { what: Agreement::Draw } => "the players agree to a draw (5.2.3)".to_owned(),
        Fact::Agreed {
            what: Agreement::Correct,
        } => "the players take an illegal move back themselves (A.5.2)".to_owned(),
        Fact::Arrived { by } => format!("{by} has come to the board"),
        Fact::ResultEntered { by, result } => format!("{by} enters {result} at the clock"),
        Fact::ResultShown { result } => format!("the result {result} is shown at the table"),
        Fact::OrderAnswered {
            number,
            answer,
            reading,
        } => {
            let shows = reading
                .as_ref()
                .map_or(String::new(), |reading| format!(", and shows {}", times(reading)));
            let how = match answer {
                OrderAnswer::Done => "has done".to_owned(),
                OrderAnswer::MovedOn => "has moved on before".to_owned(),
                OrderAnswer::Refused { why } => format!("refuses ({why})"),
                OrderAnswer::Unanswered => "does not answer".to_owned(),
            };
            format!("the clock {how} order {number}{shows}")
        }
        Fact::ByHand { what, reading } => {
            let what = match what {
                ByHand::Started => "started".to_owned(),
                ByHand::Stopped => "stopped".to_owned(),
                ByHand::Adjusted { before } => format!("changed from {}", times(before)),
            };
            format!("the clock is {what} by hand and shows {}", times(reading))
        }
        Fact::ReportsLost { count } => format!("{count} reports are lost for good"),
        Fact::BoardBack { device, .. } => {
            format!("{device} was off, or is another board than before, and shows now what stands on it")
        }
        Fact::ClockTime { device, what } => super::words::clock_fault(device, *what),
        Fact::ClockRenewed { device, given, by_hand } => format!(
            "{device} was exchanged or has lost everything in mid-game, and {}: {} (6.10.1)",
            if *by_hand {
                "does not take its times"
            } else {
                "is given its times"
            },
            times(given)
        ),
        Fact::Silent {
            device, silent: true, ..
        } => format!("{device} has gone silent"),
        Fact::Silent {
            device, silent: false, ..
        } => format!("{device} speaks again"),
        Fact::Verdict { winner, evidence, .. } => format!("a fuller search about {winner}: {evidence} (6.9)"),
    }
}

fn times(reading: &Reading) -> String {
    let runs = match reading.running {
        Some(Color::White) => ", White's time running",
        Some(Color::Black) => ", Black's time running",
        None => "",
    };
    format!("White {} and Black {}{runs}", reading.white, reading.black)
}

fn hall_time(at: HallTime) -> String {
    crate::time::Millis(at.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::input::Act;
    use crate::game::{Game, GameSetup};
    use crate::time::Millis;

    fn told(game: &mut Game, at: i64, origin: Origin, what: Happening) -> Vec<String> {
        let input = Input {
            at: HallTime(at),
            heard: HallTime(at),
            origin,
            what,
        };
        let events = game.take(&input).expect("it is taken");
        let told = events.iter().flat_map(Event::told);
        told.map(|told| format!("{}: {}", told.who, told.what)).collect()
    }

    #[test]
    fn a_game_reads_as_what_happened_by_whom_with_the_article() {
        let mut game = Game::new(GameSetup::default());
        let arbiter = Origin::Person {
            name: "Anna".to_owned(),
            role: "chief-arbiter".to_owned(),
        };
        let unit = |seq| Origin::Device {
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
        let started = told(&mut game, 0, arbiter.clone(), act(Deed::Start)).join(" | ");
        assert!(
            started.starts_with("Anna (chief arbiter): the round is called"),
            "{started}"
        );
        let by = Color::White;
        let mv = "e2e4".to_owned();
        let moved = told(&mut game, 4_000, unit(1), Happening::Fact(Fact::Moved { by, mv }));
        assert_eq!(moved, ["unit-7: White moves e2e4; 1. e4"]);
        let pressed = told(&mut game, 5_000, unit(2), Happening::Fact(Fact::Pressed { by }));
        assert_eq!(pressed, ["unit-7: White presses the clock"]);
        let resigned = told(
            &mut game,
            9_000,
            unit(3),
            Happening::Fact(Fact::Resigned { by: Color::Black }),
        );
        assert_eq!(
            resigned,
            ["unit-7: Black resigns (5.1.2); the game ends 1-0, resignation (5.1.2)"]
        );
        let set = act(Deed::Decide {
            result: "1/2-1/2".to_owned(),
        });
        let decided = told(&mut game, 60_000, arbiter, set).join(" | ");
        assert!(
            decided.contains("The result was set to 1/2-1/2, reason: \"a test\""),
            "{decided}"
        );
    }
}
