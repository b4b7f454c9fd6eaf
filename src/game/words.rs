//! Items and proposals in English sentences, for arbiters.

use super::input::ClockFault;
use super::item::{ClaimVerdict, Kind, Matter, Offence, OpenItem, QuickplayVerdict, Ruling, Sign};
use super::setup::{BoardKind, GameSetup};
use super::state::State;
use crate::chess::Color;
use crate::laws::Termination;
use crate::time::Millis;

/// What happened.
pub(super) fn what(item: &OpenItem, state: &State) -> String {
    let who = item.key.of.map_or("Somebody".to_owned(), |of| of.to_string());
    match &item.matter {
        Matter::Offence(offence) => offence_words(offence, state),
        Matter::Flag {
            unordered: Some((after, apart)),
            ..
        } => format!(
            "{who}'s clock is at zero, and the board shows the game's end: whether that came before is not known, it was seen {} s {} \
             the flag, and the two devices' times may be off by {} s",
            Seconds(*after),
            if after.0 < 0 { "before" } else { "after" },
            Seconds(*apart)
        ),
        Matter::Flag {
            frozen: false, missing, ..
        } => {
            format!(
                "{who}'s time for the period ran out with {} moves missing; the next period was added",
                missing.unwrap_or(0)
            )
        }
        Matter::Flag {
            missing: Some(missing), ..
        } if *missing > 0 => {
            format!("{who}'s clock is at zero with {missing} moves missing")
        }
        Matter::Flag { .. } => format!("{who}'s clock is at zero"),
        Matter::Absence {
            white: true,
            black: true,
        } => "Both players have not come within the default time".to_owned(),
        Matter::Absence { .. } => format!("{who} has not come within the default time"),
        Matter::DrawClaim { verdict, intends } => {
            let with = intends.map_or(String::new(), |mv| format!(", intending {mv}"));
            let what = if item.key.kind == Kind::ClaimThreefold {
                "the third occurrence of a position"
            } else {
                "the 50-move rule"
            };
            format!("{who} claims a draw by {what}{with}: {}", claim_verdict(*verdict))
        }
        Matter::Quickplay {
            verdict: QuickplayVerdict::IncrementAsked,
        } => format!(
            "{who} asks for an increment for both under Guidelines III.4: {}",
            quickplay_verdict(QuickplayVerdict::IncrementAsked)
        ),
        Matter::Quickplay { verdict } => format!(
            "{who} claims a draw under Guidelines III.5: {}",
            quickplay_verdict(*verdict)
        ),
        Matter::OtherClaim if item.key.kind == Kind::ClaimFlag => {
            format!("{who} claims that the opponent's flag has fallen; by the count there is time left")
        }
        Matter::OtherClaim => format!("{who} claims an illegal move; by the record there is none to be dealt with"),
        Matter::Call { by: None } => "The clocks were stopped to call the arbiter".to_owned(),
        Matter::Call { by: Some(by) } => format!("{by} has stopped the clocks to call the arbiter"),
        Matter::Disagreement { squares } => {
            let squares: Vec<String> = squares.iter().map(ToString::to_string).collect();
            format!(
                "No move explains the board at {who}'s press; it differs from the record on {}",
                squares.join(", ")
            )
        }
        Matter::Promotion { ply, role } => {
            let san = state
                .record
                .get(*ply)
                .map_or(String::new(), |ply| format!(" ({})", ply.san));
            format!(
                "{who} promoted a pawn{san}; the board cannot see the piece, the record says {}",
                role.name()
            )
        }
        Matter::IllegalPosition { .. } => "The position on the board cannot have come about by legal moves".to_owned(),
        Matter::WrongStart { moves } if item.key.kind == Kind::ColoursReversed => {
            format!("The game began with colours reversed; Black has made {moves} moves")
        }
        Matter::WrongStart { moves } => {
            format!("The initial position was incorrect; {moves} moves have been completed by each player")
        }
        Matter::WrongClock => "The setting of the clock is wrong".to_owned(),
        Matter::SidesExchanged => {
            "The first presses came from the side whose clock does not run: left and right of the clock are taken for each other"
                .to_owned()
        }
        Matter::Renewed { device, given, by_hand } => {
            let times = format!("White {} and Black {}", given.white, given.black);
            if *by_hand {
                format!("Another clock, or one that has lost everything ({device}), does not take its times: {times}")
            } else {
                format!(
                    "Another clock, or one that had lost everything ({device}), was given its times in mid-game: {times}"
                )
            }
        }
        Matter::Device => format!("{who} was found with an electronic device"),
        Matter::ResultSignal {
            shown: Sign::Entered { white, black },
            ..
        } => match (white, black) {
            (Some(white), Some(black)) => {
                format!("At the clock White has entered {white}, Black {black}")
            }
            (Some(result), None) => format!("White has entered {result} at the clock, and Black nothing yet"),
            (None, Some(result)) => format!("Black has entered {result} at the clock, and White nothing yet"),
            (None, None) => "A result was entered at the clock".to_owned(),
        },
        Matter::ResultSignal { result, .. } => format!("The players show a result at the table: {result}"),
        Matter::LateNews { ruled, kind } => {
            format!(
                "News that came late bear on the ruling made on item {ruled} ({}): it would have been proposed otherwise",
                kind.name()
            )
        }
        Matter::Adjusted { count, shown, .. } => {
            let runs =
                |running: Option<Color>| running.map_or("both stood".to_owned(), |of| format!("{of}'s time ran"));
            let running = if shown.running == count.running {
                String::new()
            } else {
                format!(
                    "; on the clock {}, by the count {}",
                    runs(shown.running),
                    runs(count.running)
                )
            };
            format!(
                "The clock on the table shows {} and {}, the count was {} and {}{running}",
                shown.white, shown.black, count.white, count.black
            )
        }
        Matter::Lost { count } => format!("{count} reports of a device of this table are gone for good"),
        Matter::Silent { device } => format!("Device {device} has gone silent"),
        Matter::ClockTime { device, what } => clock_fault(device, *what),
        Matter::Unordered { apart } => format!(
            "At {who}'s press the board showed a legal move, and within {} s of it something else; the times of the clock and the \
             board do not tell which of them was pressed",
            Seconds(*apart)
        ),
        Matter::MovesMissing => format!(
            "{who} pressed the clock, and a minute later whoever tells the moves has told none for it; that shows nothing against \
             {who}"
        ),
    }
}

/// What a clock's time does, with its figure.
pub(super) fn clock_fault(device: &str, what: ClockFault) -> String {
    let span = |span: Millis| Seconds(span).to_string();
    match what {
        ClockFault::Drifts { ppm, over, off } => format!(
            "The clock {device} runs {}.{:02} % {}: {} s {} over {}",
            ppm.unsigned_abs() / 10_000,
            ppm.unsigned_abs() % 10_000 / 100,
            if ppm < 0 { "slow" } else { "fast" },
            span(off),
            if off.0 < 0 { "behind" } else { "ahead" },
            Millis(over.0 / 1000 * 1000)
        ),
        ClockFault::Jumped { by, bridged } => format!(
            "The time of the clock {device} has leapt {} by {} s; {}",
            if by.0 < 0 { "back" } else { "ahead" },
            span(by),
            if bridged {
                "the move being played then was counted by the hall's time, and everything after it by the clock's"
            } else {
                "it was counted as the clock counts it"
            }
        ),
    }
}

fn offence_words(offence: &Offence, state: &State) -> String {
    let who = offence.of;
    let number = |ply: usize| {
        let dots = if offence.of == Color::White { "." } else { "..." };
        format!("{}{dots}", state.position_after(ply).fullmoves())
    };
    let mut text = match (&offence.why, offence.ply) {
        (Some(why), Some(ply)) => {
            let mv = offence.mv.map_or(String::new(), |mv| mv.from_to());
            format!("{who} completed an illegal move, {}{mv}: {why}", number(ply))
        }
        (None, Some(ply)) if !offence.two_hands => {
            let mv = offence.mv.map_or(String::new(), |mv| mv.from_to());
            format!("The arbiter has seen an illegal move by {who}: {}{mv}", number(ply))
        }
        (None, Some(_)) => format!("{who} used two hands for one move"),
        (_, None) if offence.two_hands => format!("{who} used two hands for one move"),
        // Presses are kept so only where there is no board.
        (_, None) if !state.bare_presses.is_empty() => format!("The arbiter has seen an illegal move by {who}"),
        (_, None) => format!("{who} pressed the clock without having made a move"),
    };
    if offence.two_hands && offence.why.is_some() {
        text += ", with two hands";
    }
    if offence.stands {
        text += "; the opponent has made his next move since";
    }
    text
}

/// What record and clocks say of a claim under Guidelines III.
fn quickplay_verdict(verdict: QuickplayVerdict) -> &'static str {
    match verdict {
        QuickplayVerdict::ForTheArbiter => "whether the opponent tries to win by normal means, the arbiter judges",
        QuickplayVerdict::IncrementAsked => {
            "an increment for both comes first (III.4), and asking for it offers a draw"
        }
        QuickplayVerdict::CannotBeWon => "the opponent cannot mate by any series of legal moves",
        QuickplayVerdict::NotAnnounced => "the Guidelines were not announced for this event",
        QuickplayVerdict::NoQuickplayFinish => "this is no quickplay finish: time is added, or another period follows",
        QuickplayVerdict::NotOnMove => "the claimant does not have the move",
        QuickplayVerdict::TimeLeft => "the claimant has two minutes or more left",
        QuickplayVerdict::TooLate => "the claimant's flag had fallen before",
    }
}

/// What the record says of a draw claim.
pub(super) fn claim_verdict(verdict: ClaimVerdict) -> String {
    match verdict {
        ClaimVerdict::Right { count } => format!("right by the record ({count})"),
        ClaimVerdict::TooFew { count } => format!("wrong by the record, only {count}"),
        ClaimVerdict::NotOnMove => "wrong, the claimant does not have the move".to_owned(),
        ClaimVerdict::Touched => "wrong, the claimant has touched a piece".to_owned(),
        ClaimVerdict::IntendedIllegal => "wrong, the intended move is illegal".to_owned(),
        ClaimVerdict::IntendedStartsAnew => "wrong, the intended move captures or moves a pawn".to_owned(),
        ClaimVerdict::NoRecord => "there is no record to check it with".to_owned(),
    }
}

const NOT_DECIDED: &str =
    "undecided whether a mate is possible from the position, this is by the material alone: the arbiter judges";

/// What a confirm does.
pub(super) fn proposal(item: &OpenItem, state: &State, setup: &GameSetup) -> String {
    match &item.proposal {
        Ruling::Nothing => match &item.matter {
            Matter::Offence(offence) if offence.stands => "It stands, nothing is done (A.5.2)".to_owned(),
            Matter::OtherClaim => "The claim is refused; nothing changes".to_owned(),
            Matter::DrawClaim { .. } => {
                "To be checked on the scoresheets; set the result if the claim is right".to_owned()
            }
            Matter::Offence(_) => "To be dealt with under 12.9".to_owned(),
            Matter::Quickplay {
                verdict: QuickplayVerdict::ForTheArbiter,
            } => format!(
                "Declare the game drawn, or refuse and give the opponent {}, or postpone",
                short(setup.open_points.quickplay_time(setup.category))
            ),
            Matter::Quickplay { .. } => "The claim is refused; nothing changes".to_owned(),
            Matter::WrongStart { .. } => "The game goes on as it is".to_owned(),
            Matter::Disagreement { .. } => "Enter the move that was made".to_owned(),
            Matter::Unordered { .. } => "Ask the players, and enter the move that was made".to_owned(),
            Matter::MovesMissing => "Have the missing moves told, or enter them from a scoresheet".to_owned(),
            Matter::Flag { unordered: Some(_), .. } => "Find out which came first, and set the result".to_owned(),
            Matter::Flag { .. } => "The other flag fell first, or nobody can say which did".to_owned(),
            Matter::ClockTime { .. } => {
                "Nothing is changed: what the clock shows stands. Exchange the clock, and adjust the times if that is just".to_owned()
            }
            Matter::Adjusted { .. } => {
                "The clock's times stand; add the reason, or adjust them if the clock is defect or was set wrong".to_owned()
            }
            Matter::Renewed { by_hand: false, .. } => {
                "Look at the clock: it has to show these times, less what has run since, and the control".to_owned()
            }
            Matter::Renewed { by_hand: true, .. } => "Set control and times at the clock by hand".to_owned(),
            Matter::LateNews { .. } => "The ruling stays; change it if you find otherwise".to_owned(),
            _ => "Nothing changes".to_owned(),
        },
        Ruling::Wait if item.key.kind == Kind::Flag => "The irregularity found before it is ruled on first".to_owned(),
        Ruling::Wait => {
            "Wait for the next completed move: if the position is still illegal then, the game is drawn".to_owned()
        }
        Ruling::Offence {
            offence,
            penalty,
            count,
            bound,
            ends,
            by_material,
        } => {
            let mut parts = Vec::new();
            match offence.unpromoted {
                Some(square) => parts.push(format!("the pawn on {square} becomes a queen")),
                None if offence.ply.is_some() => parts.push("the position before it is put back".to_owned()),
                None => {}
            }
            if let Some((result, _)) = ends {
                parts.push(format!("it is illegal move number {count}: the game ends {result}"));
                if *by_material {
                    parts.push(NOT_DECIDED.to_owned());
                }
            } else {
                parts.push(format!("{} +{}", offence.of.other(), short(*penalty)));
                if let Some(gain) = offence.gain.filter(|gain| gain.time > Millis::ZERO) {
                    parts.push(format!("{} -{}", offence.of, short(gain.time)));
                }
                if let Some(bound) = bound {
                    parts.push(format!("{} must play {bound}", offence.of));
                }
            }
            capital(&parts.join("; "))
        }
        Ruling::End {
            result,
            termination,
            by_material,
        } => {
            let mut text = format!("The game ends {result} ({})", termination.name());
            if *termination == Termination::Flag && state.board_kind(setup) == BoardKind::None {
                text += "; look at the position: if the opponent cannot mate by any series of legal moves, set 1/2-1/2";
            } else if *by_material {
                text += "; ";
                text += NOT_DECIDED;
            }
            text
        }
        Ruling::WrongClaim { by, penalty, bound } => {
            let bound = bound.map_or(String::new(), |bound| format!("; {by} must play {bound}"));
            format!("The claim is wrong: {} +{}{bound}", by.other(), short(*penalty))
        }
        Ruling::Increment { by, increment, time } => format!(
            "Each move of both adds {} from now on; {} +{}",
            short(*increment),
            by.other(),
            short(*time)
        ),
        Ruling::NewGame => "A new game from the initial position, with full times".to_owned(),
        Ruling::StopClocks => "The clocks are stopped, to be set right".to_owned(),
        Ruling::Promoted { ply, role } => {
            let san = state
                .record
                .get(*ply)
                .map_or(String::new(), |ply| format!(" ({})", ply.san));
            format!("The promoted piece was a {}{san}", role.name())
        }
        Ruling::TakeReading(reading) => format!("The clock's times stand: {} and {}", reading.white, reading.black),
    }
}

/// `12.5`: seconds without a sign.
struct Seconds(Millis);

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ms = self.0.0.unsigned_abs();
        write!(f, "{}.{:03}", ms / 1000, ms % 1000)
    }
}

/// `2:00`, `0:30`, `0:02.5`.
fn short(span: Millis) -> String {
    let text = span.to_string();
    text.strip_prefix("0:0")
        .or(text.strip_prefix("0:"))
        .unwrap_or(&text)
        .to_owned()
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
