//! What was ruled, for the history of a game: one sentence each.

use super::item::signed;
use super::lexicon::Lexicon;
use super::{Language, names};
use crate::chess::Color;
use crate::game::audience::{RuledView, RulingView};
use crate::game::input::{AppealOutcome, AppealStep, Deed, Observation, Penalty, Restoration, TimeChange};
use crate::game::item::{Bound, Ruling};
use crate::time::Millis;

/// One sentence; what the journal says in English where it has no data.
pub fn ruled(language: Language, view: &RulingView) -> String {
    let lexicon = Lexicon::of(language);
    match view.ruled.as_deref() {
        Some(RuledView::Ruling(ruling)) => ruling_said(lexicon, ruling),
        Some(RuledView::Deed(deed)) => deed_said(lexicon, deed),
        None => view.what.clone(),
    }
}

pub(super) fn ruling_said(lexicon: &Lexicon, ruling: &Ruling) -> String {
    match ruling {
        Ruling::Nothing => lexicon.say("ruled-nothing"),
        Ruling::Wait => lexicon.say("ruled-wait"),
        Ruling::Offence {
            offence,
            penalty,
            count,
            bound,
            ends,
            by_material: _,
        } => {
            let words = || lexicon.words().sides(offence.of).count("n", *count);
            let mut parts = vec![words().say("ruled-offence")];
            parts.push(match offence.unpromoted {
                Some(square) => lexicon.words().square("square", square).part("ruled-queen"),
                None => lexicon.words().part("ruled-put-back"),
            });
            if let Some((result, termination)) = ends {
                parts.push(ended(lexicon, result.text(), names::ending(*termination)));
            } else {
                parts.push(change(lexicon, offence.of.other(), *penalty));
                if let Some(gain) = offence.gain.filter(|gain| gain.time > Millis::ZERO) {
                    parts.push(change(lexicon, offence.of, -gain.time));
                }
                parts.extend(bound.map(|bound| bound_to(lexicon, offence.of, bound)));
            }
            parts.join("; ")
        }
        Ruling::End {
            result, termination, ..
        } => ended(lexicon, result.text(), names::ending(*termination)),
        Ruling::WrongClaim { by, penalty, bound } => {
            let mut parts = vec![
                lexicon.words().sides(*by).say("ruled-claim-refused"),
                change(lexicon, by.other(), *penalty),
            ];
            parts.extend(bound.map(|bound| bound_to(lexicon, *by, bound)));
            parts.join("; ")
        }
        Ruling::Increment { by, increment, time } => [
            lexicon.words().span("time", *increment).say("ruled-increment"),
            change(lexicon, by.other(), *time),
        ]
        .join("; "),
        Ruling::NewGame => lexicon.say("ruled-new-game"),
        Ruling::StopClocks => lexicon.say("ruled-stop-clocks"),
        Ruling::Promoted { ply, role } => promoted(lexicon, *ply as u64 + 1, *role),
        Ruling::TakeReading(reading) => lexicon
            .words()
            .clock("white", reading.white)
            .clock("black", reading.black)
            .say("ruled-take-reading"),
    }
}

fn promoted(lexicon: &Lexicon, ply: u64, role: crate::chess::Role) -> String {
    lexicon
        .words()
        .piece("piece", role)
        .text("ply", ply.to_string())
        .say("ruled-promoted")
}

fn ended(lexicon: &Lexicon, result: &str, ending: &str) -> String {
    let ending = lexicon.words().part(ending);
    lexicon
        .words()
        .text("result", result)
        .text("ending", ending)
        .part("ruled-end")
}

/// `Black +2:00`.
fn change(lexicon: &Lexicon, side: Color, by: Millis) -> String {
    lexicon
        .words()
        .side("side", side)
        .text("change", signed(by))
        .part("time-change")
}

fn bound_to(lexicon: &Lexicon, by: Color, bound: Bound) -> String {
    let bound = match bound {
        Bound::Piece(square) => square.to_string(),
        Bound::Move(mv) => mv.from_to(),
    };
    lexicon.words().sides(by).text("bound", bound).part("ruled-bound")
}

/// What an arbiter did of his own. Exhaustive, so that a new deed has to be given words.
pub(super) fn deed_said(lexicon: &Lexicon, deed: &Deed) -> String {
    match deed {
        Deed::Start => lexicon.say("deed-start"),
        Deed::Pause => lexicon.say("deed-pause"),
        Deed::Resume => lexicon.say("deed-resume"),
        Deed::Adjust {
            white,
            black,
            moves_done,
        } => {
            let time = |side: Color, wanted: &Option<TimeChange>| {
                wanted.map(|wanted| match wanted {
                    TimeChange::To(time) => lexicon
                        .words()
                        .side("side", side)
                        .clock("time", time)
                        .part("deed-time-set"),
                    TimeChange::By(by) => change(lexicon, side, by),
                })
            };
            let moves = moves_done.map(|moves| lexicon.words().count("n", moves).part("deed-moves-done"));
            let parts: Vec<String> = [time(Color::White, white), time(Color::Black, black), moves]
                .into_iter()
                .flatten()
                .collect();
            lexicon.words().text("times", parts.join(", ")).say("deed-adjust")
        }
        Deed::Confirm { .. } => lexicon.say("deed-confirm"),
        Deed::Dismiss { item: Some(item) } => lexicon.words().text("number", item.to_string()).say("deed-dismiss"),
        Deed::Dismiss { item: None } => lexicon.say("deed-dismiss-oldest"),
        Deed::Observe { what, of } => {
            let what = lexicon.words().part(observed(*what));
            match of {
                Some(of) => lexicon.words().sides(*of).text("what", what).say("deed-observe-of"),
                None => lexicon.words().text("what", what).say("deed-observe"),
            }
        }
        Deed::Restore {
            to: Restoration::Keep(plies),
        } => lexicon.words().count("n", *plies).say("deed-restore"),
        Deed::Restore {
            to: Restoration::Fen(fen),
        } => lexicon.words().text("fen", fen.clone()).say("deed-restore-fen"),
        Deed::Penalise { of, what } => {
            let words = lexicon.words().sides(*of);
            match what {
                Penalty::Warning => words.say("deed-warn"),
                Penalty::AddTime(time) => words.span("time", *time).say("deed-give-time"),
                Penalty::TakeTime(time) => words.span("time", *time).say("deed-take-time"),
                Penalty::Loss => words.say("deed-loss"),
            }
        }
        Deed::Decide { result } => lexicon.words().text("result", result.clone()).say("deed-result"),
        Deed::Reopen => lexicon.say("deed-reopen"),
        Deed::Note => lexicon.say("deed-note"),
        Deed::SetPeriods { white, black } => {
            let of = |side: Color, period: &Option<u32>| {
                period.map(|period| {
                    let words = lexicon
                        .words()
                        .side("side", side)
                        .text("n", (u64::from(period) + 1).to_string());
                    words.part("deed-period-of")
                })
            };
            let parts: Vec<String> = [of(Color::White, white), of(Color::Black, black)]
                .into_iter()
                .flatten()
                .collect();
            lexicon.words().text("periods", parts.join(", ")).say("deed-periods")
        }
        Deed::Mend { ply, mv } => {
            let words = lexicon.words().foreign("move", mv).text("ply", ply.to_string());
            words.say("deed-mend")
        }
        Deed::ClaimedMoves { moves, .. } => {
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            lexicon
                .words()
                .text("moves", moves.join(", "))
                .say("deed-claimed-moves")
        }
        Deed::MaskSquares { squares } if squares.is_empty() => lexicon.say("deed-mask-none"),
        Deed::MaskSquares { squares } => {
            let squares: Vec<String> = squares.iter().map(ToString::to_string).collect();
            lexicon.words().text("squares", squares.join(", ")).say("deed-mask")
        }
        Deed::UseBoard { used: false } => lexicon.say("deed-without-board"),
        Deed::UseBoard { used: true } => lexicon.say("deed-with-board"),
        Deed::Appeal(step) => appeal_said(lexicon, step),
        Deed::EnterMove { mv } => lexicon.words().foreign("move", mv).say("deed-enter-move"),
        Deed::Promoted { ply, role } => promoted(lexicon, u64::from(*ply), *role),
        Deed::Take { item } => lexicon.words().text("number", item.to_string()).say("deed-take"),
        Deed::MarkPresent { who, present: true } => lexicon.words().sides(*who).say("deed-present"),
        Deed::MarkPresent { who, present: false } => lexicon.words().sides(*who).say("deed-absent"),
    }
}

/// What was done about an appeal.
fn appeal_said(lexicon: &Lexicon, step: &AppealStep) -> String {
    match step {
        AppealStep::Lodge { by, fee, statement, .. } => {
            let words = lexicon.words().sides(*by).foreign("statement", statement);
            match fee.trim() {
                "" => words.say("deed-appeal"),
                fee => words.foreign("fee", fee).say("deed-appeal-fee"),
            }
        }
        AppealStep::State { appeal, by, statement } => lexicon
            .words()
            .text("number", appeal.to_string())
            .foreign("who", by)
            .foreign("statement", statement)
            .say("deed-appeal-statement"),
        AppealStep::Close { appeal, outcome } => {
            let words = lexicon.words().text("number", appeal.to_string());
            words.say(match outcome {
                AppealOutcome::Upheld => "deed-appeal-upheld",
                AppealOutcome::Dismissed => "deed-appeal-dismissed",
                AppealOutcome::Withdrawn => "deed-appeal-withdrawn",
            })
        }
    }
}

/// What an arbiter has seen himself. Exhaustive, so that something new has to be given words.
fn observed(what: Observation) -> &'static str {
    match what {
        Observation::Flag => "kind-flag",
        Observation::IllegalMove => "kind-illegal-move",
        Observation::TwoHands => "seen-two-hands",
        Observation::IllegalPosition => "kind-illegal-position",
        Observation::ColoursReversed => "kind-colours-reversed",
        Observation::WrongSetup => "kind-wrong-setup",
        Observation::WrongClock => "kind-wrong-clock",
        Observation::Device => "kind-device",
    }
}
