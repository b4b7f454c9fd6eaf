//! What arbiters do, from their requests.

use super::{color, needed_color};
use crate::api::proto::arbiter::v1 as wire;
use crate::chess::Role;
use crate::game::input::{
    Act, Agreement, AppealOutcome, AppealStep, Claim, Deed, Fact, Observation, Penalty, Restoration, TimeChange,
};
use crate::hall::CallError;
use crate::time::{HallTime, Millis};

/// No chess clock shows more: 100 hours.
const MOST: i64 = 360_000_000;
/// Longer reasons belong into a report.
const LONGEST_REASON: usize = 2_000;
/// An appeal is written, and may need some room.
const LONGEST_STATEMENT: usize = 8_000;
const LONGEST_LINE: usize = 200;
const RESULTS: [&str; 6] = ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2"];

/// A deed with its reason and the revision that it rests on.
pub fn act(what: Deed, revision: Option<u64>, reason: &str) -> Result<Act, CallError> {
    if reason.len() > LONGEST_REASON {
        return Err(CallError::field(
            "reason",
            format!("`reason` is longer than {LONGEST_REASON} bytes: shorten it"),
        ));
    }
    Ok(Act {
        revision,
        reason: reason.to_owned(),
        what,
    })
}

/// See `AdjustClocks`.
pub fn adjust(request: &wire::AdjustClocksRequest) -> Result<Act, CallError> {
    let white = time_change(request.white.as_ref(), "white")?;
    let black = time_change(request.black.as_ref(), "black")?;
    if white.is_none() && black.is_none() && request.moves_done.is_none() {
        return Err(CallError::field(
            "white",
            "nothing to adjust: give `white`, `black` or `moves_done`",
        ));
    }
    let sets = [white, black]
        .into_iter()
        .flatten()
        .any(|change| matches!(change, TimeChange::To(_)));
    if (sets || request.moves_done.is_some()) && request.revision.is_none() {
        return Err(CallError::field(
            "revision",
            "setting a time or the moves needs `revision`, the table's ruling revision as you saw it; additions do not",
        ));
    }
    act(
        Deed::Adjust {
            white,
            black,
            moves_done: request.moves_done,
        },
        request.revision,
        &request.reason,
    )
}

fn time_change(change: Option<&wire::TimeChange>, field: &str) -> Result<Option<TimeChange>, CallError> {
    let Some(change) = change else { return Ok(None) };
    match change.change {
        Some(wire::time_change::Change::SetMs(ms)) => {
            Ok(Some(TimeChange::To(span(ms, 0, &format!("{field}.set_ms"))?)))
        }
        Some(wire::time_change::Change::AddMs(ms)) => {
            Ok(Some(TimeChange::By(span(ms, -MOST, &format!("{field}.add_ms"))?)))
        }
        None => Err(CallError::field(
            field,
            format!("`{field}` says no time: give `set_ms` or `add_ms`"),
        )),
    }
}

fn span(ms: i64, least: i64, field: &str) -> Result<Millis, CallError> {
    if (least..=MOST).contains(&ms) {
        return Ok(Millis(ms));
    }
    Err(CallError::field(
        field,
        format!("{ms} ms is out of range: `{field}` is from {least} to {MOST}"),
    ))
}

/// The same more time for both; `None`: none.
pub fn equal_time(ms: i64, reason: &str) -> Result<Option<Act>, CallError> {
    if ms == 0 {
        return Ok(None);
    }
    let more = Some(TimeChange::By(span(ms, 1, "add_ms")?));
    let deed = Deed::Adjust {
        white: more,
        black: more,
        moves_done: None,
    };
    act(deed, None, reason).map(Some)
}

/// See `ConfirmItem`.
pub fn confirm(request: &wire::ConfirmItemRequest) -> Result<Act, CallError> {
    let deed = Deed::Confirm {
        item: Some(item(request.item)?),
        promotion: promotion(request.promotion),
    };
    act(deed, Some(request.item_revision), &request.reason)
}

/// See `DismissItem`.
pub fn dismiss(request: &wire::DismissItemRequest) -> Result<Act, CallError> {
    act(
        Deed::Dismiss {
            item: Some(item(request.item)?),
        },
        Some(request.item_revision),
        &request.reason,
    )
}

/// See `TakeItem`.
pub fn take(request: &wire::TakeItemRequest) -> Result<Act, CallError> {
    act(
        Deed::Take {
            item: item(request.item)?,
        },
        None,
        "",
    )
}

fn item(number: u64) -> Result<u64, CallError> {
    if number == 0 {
        return Err(CallError::field(
            "item",
            "`item` is missing: give the item's number, from 1",
        ));
    }
    Ok(number)
}

/// See `ConfirmPromotion`.
pub fn promoted(request: &wire::ConfirmPromotionRequest) -> Result<Act, CallError> {
    let role = promotion(request.piece)
        .ok_or_else(|| CallError::field("piece", "`piece` is missing: say what the pawn became"))?;
    if request.ply == 0 {
        return Err(CallError::field(
            "ply",
            "`ply` is missing: give the half-move in the record, from 1",
        ));
    }
    act(
        Deed::Promoted { ply: request.ply, role },
        request.revision,
        &request.reason,
    )
}

fn promotion(piece: i32) -> Option<Role> {
    match wire::PromotionPiece::try_from(piece) {
        Ok(wire::PromotionPiece::Queen) => Some(Role::Queen),
        Ok(wire::PromotionPiece::Rook) => Some(Role::Rook),
        Ok(wire::PromotionPiece::Bishop) => Some(Role::Bishop),
        Ok(wire::PromotionPiece::Knight) => Some(Role::Knight),
        Ok(wire::PromotionPiece::Unspecified) | Err(_) => None,
    }
}

/// See `SetResult`.
pub fn decide(request: &wire::SetResultRequest) -> Result<Act, CallError> {
    if !RESULTS.contains(&request.result.as_str()) {
        return Err(CallError::field(
            "result",
            format!("`result` is one of {}", RESULTS.join(", ")),
        ));
    }
    act(
        Deed::Decide {
            result: request.result.clone(),
        },
        Some(request.revision),
        &request.reason,
    )
}

/// See `EnterMove`.
pub fn enter_move(request: &wire::EnterMoveRequest) -> Result<Act, CallError> {
    let mv = notation(&request.r#move, "move")?;
    if mv.is_empty() {
        return Err(CallError::field(
            "move",
            "`move` is missing: write it as `e2e4`, `e7e8q` or SAN",
        ));
    }
    act(Deed::EnterMove { mv }, request.revision, &request.reason)
}

fn notation(mv: &str, field: &str) -> Result<String, CallError> {
    if mv.len() > 12 || !mv.bytes().all(|b| b.is_ascii_graphic()) {
        return Err(CallError::field(
            field,
            format!("`{field}` is no move: write it as `e2e4`, `e7e8q` or SAN"),
        ));
    }
    Ok(mv.to_owned())
}

/// See `RestorePosition`.
pub fn restore(request: &wire::RestorePositionRequest) -> Result<Act, CallError> {
    use wire::restore_position_request::To;
    let to = match &request.to {
        Some(To::KeepPlies(plies)) => Restoration::Keep(*plies),
        Some(To::Fen(fen)) if fen.len() <= 120 => Restoration::Fen(fen.clone()),
        Some(To::Fen(_)) => return Err(CallError::field("fen", "`fen` is too long to be one")),
        None => return Err(CallError::field("to", "to where? Give `keep_plies` or `fen`")),
    };
    act(Deed::Restore { to }, Some(request.revision), &request.reason)
}

/// See `Penalise`.
pub fn penalise(request: &wire::PenaliseRequest) -> Result<Act, CallError> {
    use wire::penalty::Kind;
    let of = needed_color(request.of, "of")?;
    let what = match request.penalty.as_ref().and_then(|penalty| penalty.kind.as_ref()) {
        Some(Kind::Warning(_)) => Penalty::Warning,
        Some(Kind::AddTimeMs(ms)) => Penalty::AddTime(span(*ms, 1, "penalty.add_time_ms")?),
        Some(Kind::TakeTimeMs(ms)) => Penalty::TakeTime(span(*ms, 1, "penalty.take_time_ms")?),
        Some(Kind::Loss(_)) if request.revision.is_none() => {
            return Err(CallError::field(
                "revision",
                "a loss needs `revision`, the table's ruling revision as you saw it",
            ));
        }
        Some(Kind::Loss(_)) => Penalty::Loss,
        None => {
            return Err(CallError::field(
                "penalty",
                "`penalty` is missing: warning, time or loss",
            ));
        }
    };
    act(Deed::Penalise { of, what }, request.revision, &request.reason)
}

/// See `Observe`.
pub fn observe(request: &wire::ObserveRequest) -> Result<Act, CallError> {
    let what = match wire::Observation::try_from(request.what) {
        Ok(wire::Observation::Flag) => Observation::Flag,
        Ok(wire::Observation::IllegalMove) => Observation::IllegalMove,
        Ok(wire::Observation::TwoHands) => Observation::TwoHands,
        Ok(wire::Observation::IllegalPosition) => Observation::IllegalPosition,
        Ok(wire::Observation::ColoursReversed) => Observation::ColoursReversed,
        Ok(wire::Observation::WrongSetup) => Observation::WrongSetup,
        Ok(wire::Observation::WrongClock) => Observation::WrongClock,
        Ok(wire::Observation::Device) => Observation::Device,
        Ok(wire::Observation::Unspecified) | Err(_) => {
            return Err(CallError::field("what", "`what` is missing: say what was seen"));
        }
    };
    act(
        Deed::Observe {
            what,
            of: color(request.of),
        },
        None,
        &request.reason,
    )
}

/// See `SetPresence`.
pub fn presence(request: &wire::SetPresenceRequest) -> Result<Act, CallError> {
    let who = needed_color(request.who, "who")?;
    act(
        Deed::MarkPresent {
            who,
            present: request.present,
        },
        None,
        &request.reason,
    )
}

/// See `AddNote`.
pub fn note(request: &wire::AddNoteRequest) -> Result<Act, CallError> {
    if request.text.trim().is_empty() {
        return Err(CallError::field("text", "`text` is missing: a note says something"));
    }
    act(Deed::Note, request.revision, &request.text)
}

/// See `SetPeriods`.
pub fn periods(request: &wire::SetPeriodsRequest) -> Result<Act, CallError> {
    if request.white.is_none() && request.black.is_none() {
        return Err(CallError::field(
            "white",
            "nothing to set: give `white`, `black` or both",
        ));
    }
    let deed = Deed::SetPeriods {
        white: request.white,
        black: request.black,
    };
    act(deed, Some(request.revision), &request.reason)
}

/// See `MendMove`.
pub fn mend(request: &wire::MendMoveRequest) -> Result<Act, CallError> {
    let mv = notation(&request.r#move, "move")?;
    if mv.is_empty() {
        return Err(CallError::field(
            "move",
            "`move` is missing: write it as `e2e4`, `e7e8q` or SAN",
        ));
    }
    let deed = Deed::Mend { ply: request.ply, mv };
    act(deed, Some(request.revision), &request.reason)
}

/// See `EnterClaimedMoves`.
pub fn claimed_moves(request: &wire::EnterClaimedMovesRequest) -> Result<Act, CallError> {
    let deed = Deed::ClaimedMoves {
        item: item(request.item)?,
        moves: request.moves.clone(),
    };
    act(deed, None, &request.reason)
}

/// See `MaskSquares`.
pub fn mask(request: &wire::MaskSquaresRequest) -> Result<Act, CallError> {
    let mut squares: Vec<crate::chess::Square> = Vec::new();
    for (at, name) in request.squares.iter().take(65).enumerate() {
        let square = name.parse().map_err(|_| {
            CallError::field(
                format!("squares[{at}]"),
                "it is no square: write them as `e4`, each one once",
            )
        })?;
        if !squares.contains(&square) {
            squares.push(square);
        }
    }
    act(Deed::MaskSquares { squares }, None, &request.reason)
}

/// See `UseBoard`.
pub fn use_board(request: &wire::UseBoardRequest) -> Result<Act, CallError> {
    act(Deed::UseBoard { used: request.used }, None, &request.reason)
}

/// See `LodgeAppeal`.
pub fn lodge(request: &wire::LodgeAppealRequest) -> Result<Act, CallError> {
    let step = AppealStep::Lodge {
        by: needed_color(request.by, "by")?,
        at: request.lodged_ms.map(HallTime),
        fee: line(&request.fee, "fee")?,
        deadline: request.deadline_ms.map(HallTime),
        statement: statement(&request.statement)?,
    };
    act(Deed::Appeal(step), None, "")
}

/// See `AddAppealStatement`.
pub fn appeal_statement(request: &wire::AddAppealStatementRequest) -> Result<Act, CallError> {
    let by = line(&request.by, "by")?;
    if by.trim().is_empty() {
        return Err(CallError::field("by", "`by` is missing: say who has said it"));
    }
    let step = AppealStep::State {
        appeal: request.appeal,
        by,
        statement: statement(&request.statement)?,
    };
    act(Deed::Appeal(step), None, "")
}

/// See `CloseAppeal`.
pub fn close_appeal(request: &wire::CloseAppealRequest) -> Result<Act, CallError> {
    let outcome = match wire::AppealOutcome::try_from(request.outcome) {
        Ok(wire::AppealOutcome::Upheld) => AppealOutcome::Upheld,
        Ok(wire::AppealOutcome::Dismissed) => AppealOutcome::Dismissed,
        Ok(wire::AppealOutcome::Withdrawn) => AppealOutcome::Withdrawn,
        Ok(wire::AppealOutcome::Unspecified) | Err(_) => {
            return Err(CallError::field(
                "outcome",
                "`outcome` is missing: upheld, dismissed or withdrawn",
            ));
        }
    };
    let step = AppealStep::Close {
        appeal: request.appeal,
        outcome,
    };
    act(Deed::Appeal(step), None, &request.reason)
}

fn statement(text: &str) -> Result<String, CallError> {
    if text.trim().is_empty() {
        return Err(CallError::field(
            "statement",
            "`statement` is missing: write down what is said",
        ));
    }
    if text.len() > LONGEST_STATEMENT {
        return Err(CallError::field(
            "statement",
            format!("`statement` is longer than {LONGEST_STATEMENT} bytes: shorten it, and keep the paper"),
        ));
    }
    Ok(text.to_owned())
}

/// A few words on one line.
fn line(text: &str, field: &str) -> Result<String, CallError> {
    if text.len() > LONGEST_LINE || text.chars().any(char::is_control) {
        return Err(CallError::field(
            field,
            format!("`{field}` is one line of at most {LONGEST_LINE} bytes"),
        ));
    }
    Ok(text.to_owned())
}

/// See `EnterFact`.
pub fn fact(request: &wire::EnterFactRequest) -> Result<Fact, CallError> {
    use wire::FactKind as Kind;
    let by = || needed_color(request.by, "by");
    let intends = notation(&request.intends, "intends")?;
    let intends = (!intends.is_empty()).then_some(intends);
    Ok(match Kind::try_from(request.kind).unwrap_or_default() {
        Kind::Resigned => Fact::Resigned { by: by()? },
        Kind::DrawAgreed => Fact::Agreed { what: Agreement::Draw },
        Kind::DrawOffered => Fact::DrawOffered { by: by()? },
        Kind::DrawAccepted => Fact::DrawAccepted { by: by()? },
        Kind::DrawDeclined => Fact::DrawDeclined { by: by()? },
        Kind::Arrived => Fact::Arrived { by: by()? },
        Kind::ClaimedThreefold => Fact::Claimed {
            by: by()?,
            what: Claim::Threefold,
            intends,
        },
        Kind::ClaimedFiftyMoves => Fact::Claimed {
            by: by()?,
            what: Claim::FiftyMoves,
            intends,
        },
        Kind::ClaimedFlag => Fact::Claimed {
            by: by()?,
            what: Claim::Flag,
            intends: None,
        },
        Kind::ClaimedIllegalMove => Fact::Claimed {
            by: by()?,
            what: Claim::IllegalMove,
            intends: None,
        },
        Kind::ClaimedQuickplay => Fact::Claimed {
            by: by()?,
            what: Claim::Quickplay,
            intends: None,
        },
        Kind::CorrectionAgreed => Fact::Agreed {
            what: Agreement::Correct,
        },
        Kind::Unspecified => return Err(CallError::field("kind", "`kind` is missing: say what the player did")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::proto::feed::v1::Color as WireColor;
    use crate::chess::Color;

    fn field(result: Result<Act, CallError>) -> String {
        result.expect_err("refused").field.expect("names a field")
    }

    #[test]
    fn setting_a_time_needs_the_revision_and_adding_does_not() {
        let set = |ms| {
            Some(wire::TimeChange {
                change: Some(wire::time_change::Change::SetMs(ms)),
            })
        };
        let add = |ms| {
            Some(wire::TimeChange {
                change: Some(wire::time_change::Change::AddMs(ms)),
            })
        };
        let mut request = wire::AdjustClocksRequest {
            white: add(120_000),
            ..Default::default()
        };
        let act = adjust(&request).expect("needs none");
        assert_eq!(
            act.what,
            Deed::Adjust {
                white: Some(TimeChange::By(Millis(120_000))),
                black: None,
                moves_done: None
            }
        );
        request.black = set(60_000);
        assert_eq!(field(adjust(&request)), "revision");
        request.revision = Some(3);
        assert_eq!(adjust(&request).expect("whole").revision, Some(3));
        request.black = set(-1);
        assert_eq!(field(adjust(&request)), "black.set_ms");
        request.black = Some(wire::TimeChange { change: None });
        assert_eq!(field(adjust(&request)), "black");
        assert_eq!(field(adjust(&wire::AdjustClocksRequest::default())), "white");
    }

    #[test]
    fn an_item_is_confirmed_by_number_and_revision() {
        let request = wire::ConfirmItemRequest {
            item: 4,
            item_revision: 2,
            promotion: wire::PromotionPiece::Knight.into(),
            reason: "seen".to_owned(),
            ..Default::default()
        };
        let act = confirm(&request).expect("whole");
        assert_eq!(act.revision, Some(2));
        assert_eq!(act.reason, "seen");
        assert_eq!(
            act.what,
            Deed::Confirm {
                item: Some(4),
                promotion: Some(Role::Knight)
            }
        );
        assert_eq!(field(confirm(&wire::ConfirmItemRequest::default())), "item");
    }

    #[test]
    fn only_results_that_the_laws_know_are_taken() {
        for result in RESULTS {
            let request = wire::SetResultRequest {
                result: result.to_owned(),
                ..Default::default()
            };
            assert_eq!(
                decide(&request).expect("known").what,
                Deed::Decide {
                    result: result.to_owned()
                }
            );
        }
        for result in ["", "*", "1-1", "draw"] {
            let request = wire::SetResultRequest {
                result: result.to_owned(),
                ..Default::default()
            };
            assert_eq!(field(decide(&request)), "result");
        }
    }

    #[test]
    fn every_fact_kind_becomes_a_fact_and_those_of_one_player_need_him() {
        for kind in 1..=11 {
            let mut request = wire::EnterFactRequest {
                kind,
                ..Default::default()
            };
            if !matches!(fact(&request), Ok(Fact::Agreed { .. })) {
                assert_eq!(fact(&request).expect_err("needs a player").field.as_deref(), Some("by"));
            }
            request.by = WireColor::Black.into();
            assert!(fact(&request).is_ok(), "{kind}");
        }
        let request = wire::EnterFactRequest {
            kind: wire::FactKind::ClaimedThreefold.into(),
            by: WireColor::White.into(),
            intends: "Nf3".to_owned(),
            ..Default::default()
        };
        let claim = Fact::Claimed {
            by: Color::White,
            what: Claim::Threefold,
            intends: Some("Nf3".to_owned()),
        };
        assert_eq!(fact(&request), Ok(claim));
    }

    #[test]
    fn hostile_moves_and_endless_reasons_are_refused() {
        for mv in ["", "e2 e4", "\u{1b}[2J", "Qh8#Qh8#Qh8#Q"] {
            let request = wire::EnterMoveRequest {
                r#move: mv.to_owned(),
                ..Default::default()
            };
            assert_eq!(field(enter_move(&request)), "move");
        }
        assert_eq!(field(act(Deed::Pause, None, &"x".repeat(2_001))), "reason");
    }

    #[test]
    fn a_loss_as_a_penalty_names_the_revision() {
        let mut request = wire::PenaliseRequest {
            of: WireColor::White.into(),
            penalty: Some(wire::Penalty {
                kind: Some(wire::penalty::Kind::Loss(wire::Loss {})),
            }),
            ..Default::default()
        };
        assert_eq!(field(penalise(&request)), "revision");
        request.revision = Some(0);
        assert_eq!(
            penalise(&request).expect("whole").what,
            Deed::Penalise {
                of: Color::White,
                what: Penalty::Loss
            }
        );
        request.penalty = None;
        assert_eq!(field(penalise(&request)), "penalty");
    }
}
