//! Rounds: many tables in one call, with an answer for each.

use tonic::Status;

use super::super::ask::ask;
use super::super::auth::Caller;
use super::super::proto::arbiter::v1 as wire;
use super::super::{convert, errors};
use super::table_answer;
use crate::hall::model::{Pairing, RoundStatus};
use crate::hall::{Answer, CallError, CallReason, Command, EventId, HallHandle, RoundNo};

/// Gives every table its game.
pub async fn arm(
    hall: &HallHandle,
    caller: &Caller,
    request: &wire::ArmRoundRequest,
) -> Result<Vec<wire::TableAnswer>, Status> {
    caller.everywhere().map_err(refused)?;
    let event = convert::event(&request.event, "event").map_err(refused)?;
    let round = convert::round(request.round, "round").map_err(refused)?;
    let command = Command::ArmRound {
        event: event.clone(),
        round,
    };
    let answer = asked(hall, caller, &request.request_id, command).await?;
    if answer.tables.is_empty() {
        return Ok(whole_round(hall, &event, round, &answer));
    }
    Ok(answers(&answer))
}

/// Calls the round.
pub async fn start(
    hall: &HallHandle,
    caller: &Caller,
    request: &wire::StartRoundRequest,
) -> Result<Vec<wire::TableAnswer>, Status> {
    let event = convert::event(&request.event, "event").map_err(refused)?;
    let round = convert::round(request.round, "round").map_err(refused)?;
    let tables = if request.tables.is_empty() {
        caller.everywhere().map_err(refused)?;
        None
    } else {
        let registry = hall.registry();
        let mut tables = Vec::with_capacity(request.tables.len());
        for number in &request.tables {
            let table = convert::table(*number).map_err(refused)?;
            caller
                .at(table, &registry)
                .map_err(|error| errors::status(&error, Some(table)))?;
            tables.push(table);
        }
        Some(tables)
    };
    let command = Command::StartRound { event, round, tables };
    let answer = asked(hall, caller, &request.request_id, command).await?;
    Ok(answers(&answer))
}

/// Closes the round, when every game at its tables has a result.
pub async fn end(
    hall: &HallHandle,
    caller: &Caller,
    request: &wire::EndRoundRequest,
) -> Result<Vec<wire::TableAnswer>, Status> {
    caller.everywhere().map_err(refused)?;
    let event = convert::event(&request.event, "event").map_err(refused)?;
    let round = convert::round(request.round, "round").map_err(refused)?;
    let unfinished = unfinished(hall, &event, round);
    if !unfinished.is_empty() {
        return Ok(unfinished);
    }
    let command = Command::EndRound {
        event: event.clone(),
        round,
    };
    let answer = asked(hall, caller, &request.request_id, command).await?;
    Ok(whole_round(hall, &event, round, &answer))
}

async fn asked(hall: &HallHandle, caller: &Caller, request: &str, command: Command) -> Result<Answer, Status> {
    let id = convert::request(request).map_err(refused)?;
    ask(hall, caller, id, command, None).await
}

/// The games of a round that wait for a result, each as a refusal.
fn unfinished(hall: &HallHandle, event: &EventId, round: RoundNo) -> Vec<wire::TableAnswer> {
    let games = hall.arbiters();
    let registry = hall.registry();
    let known = registry.round(event, round);
    let prepared = known.is_ok_and(|round| round.status == RoundStatus::Prepared);
    let waits = |pairing: &Pairing| {
        let table = pairing.table;
        if pairing.game.is_none() && !prepared {
            let message =
                format!("table {table} has not had its game yet: arm the round again, or take the pairing out");
            return Some(table_answer(
                table,
                Err(&CallError::new(CallReason::WrongState, message)),
            ));
        }
        let at = games.get(pairing.table)?;
        let is_open = pairing.game.is_some() && at.card.game == pairing.game && at.view.result == "*";
        let message = format!("table {table} has no result yet: set it, then end the round again");
        is_open.then(|| table_answer(table, Err(&CallError::new(CallReason::WrongState, message))))
    };
    pairings(hall, event, round).iter().filter_map(waits).collect()
}

fn pairings(hall: &HallHandle, event: &EventId, round: RoundNo) -> Vec<Pairing> {
    let registry = hall.registry();
    let found = registry.events.get(event).and_then(|event| event.rounds.get(&round));
    found.map(|round| round.pairings.clone()).unwrap_or_default()
}

/// What was done to the round was done to all its tables.
fn whole_round(hall: &HallHandle, event: &EventId, round: RoundNo, answer: &Answer) -> Vec<wire::TableAnswer> {
    let tables = pairings(hall, event, round);
    tables
        .iter()
        .map(|pairing| table_answer(pairing.table, Ok(done(answer))))
        .collect()
}

fn answers(answer: &Answer) -> Vec<wire::TableAnswer> {
    let tables = answer.tables.iter();
    tables
        .map(|at| table_answer(at.table, at.error.as_ref().map_or_else(|| Ok(done(answer)), Err)))
        .collect()
}

fn done(answer: &Answer) -> wire::Receipt {
    wire::Receipt {
        position: answer.position,
        revision: None,
        note: String::new(),
    }
}

fn refused(error: CallError) -> Status {
    errors::status(&error, None)
}
