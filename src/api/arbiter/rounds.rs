//! Rounds: many tables in one call, with an answer for each.

use tonic::Status;

use super::super::ask::ask;
use super::super::auth::Caller;
use super::super::proto::arbiter::v1 as wire;
use super::super::{convert, errors};
use super::table_answer;
use crate::hall::{Answer, CallError, Command, HallHandle, TableNo};

/// Gives every table its game.
pub async fn arm(
    hall: &HallHandle,
    caller: &Caller,
    request: &wire::ArmRoundRequest,
) -> Result<Vec<wire::TableAnswer>, Status> {
    caller.everywhere().map_err(refused)?;
    let event = convert::event(&request.event, "event").map_err(refused)?;
    let round = convert::round(request.round, "round").map_err(refused)?;
    asked(hall, caller, &request.request_id, Command::ArmRound { event, round }).await
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
    asked(
        hall,
        caller,
        &request.request_id,
        Command::StartRound { event, round, tables },
    )
    .await
}

/// Closes the round.
pub async fn end(
    hall: &HallHandle,
    caller: &Caller,
    request: &wire::EndRoundRequest,
) -> Result<Vec<wire::TableAnswer>, Status> {
    caller.everywhere().map_err(refused)?;
    let event = convert::event(&request.event, "event").map_err(refused)?;
    let round = convert::round(request.round, "round").map_err(refused)?;
    asked(hall, caller, &request.request_id, Command::EndRound { event, round }).await
}

async fn asked(
    hall: &HallHandle,
    caller: &Caller,
    request: &str,
    command: Command,
) -> Result<Vec<wire::TableAnswer>, Status> {
    let id = convert::request(request).map_err(refused)?;
    let answer = ask(hall, caller, id, command, None::<TableNo>).await?;
    Ok(answers(&answer))
}

fn answers(answer: &Answer) -> Vec<wire::TableAnswer> {
    let done = || wire::Receipt {
        position: answer.position,
        revision: None,
        note: String::new(),
    };
    answer
        .tables
        .iter()
        .map(|at| table_answer(at.table, at.error.as_ref().map_or_else(|| Ok(done()), Err)))
        .collect()
}

fn refused(error: CallError) -> Status {
    errors::status(&error, None)
}
