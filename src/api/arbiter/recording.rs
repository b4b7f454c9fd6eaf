//! A game's record on paper.

use std::sync::Arc;

use tonic::Status;

use super::super::auth::Caller;
use super::super::proto::arbiter::v1 as wire;
use super::super::proto::arbiter::v1::get_record_request::Which as Asked;
use super::super::{convert, errors};
use super::Arbiters;
use crate::hall::{CallError, CallReason, TableNo};
use crate::words::Language;
use crate::words::record::{self, Which};

/// Reads the journal and writes the page, both beside the hall's own work.
pub async fn record(
    arbiters: &Arbiters,
    caller: &Caller,
    language: Language,
    request: &wire::GetRecordRequest,
) -> Result<wire::GetRecordResponse, Status> {
    let refused = |error: CallError| errors::status(&error, None);
    let which = which(request).map_err(refused)?;
    let registry = arbiters.hall.registry();
    let table = match &which {
        Which::Table(table) | Which::Round(_, _, table) => Some(*table),
        Which::Game(game) => registry.games.get(game).map(|seat| seat.table),
    };
    if let Some(table) = table {
        caller
            .at(table, &registry)
            .map_err(|error| errors::status(&error, Some(table)))?;
    }
    let _turn = arbiters.reading.acquire().await;
    let records = Arc::clone(&arbiters.records);
    let made = tokio::task::spawn_blocking(move || {
        let record = records(&which)?;
        let html = record::page(&record, language);
        Ok((TableNo(record.table), record.game, html))
    });
    let (table, game, html) = made
        .await
        .map_err(|error| {
            refused(CallError::new(
                CallReason::JournalDown,
                format!("the record was not made: {error}"),
            ))
        })?
        .map_err(refused)?;
    Ok(wire::GetRecordResponse {
        html,
        language: language.to_string(),
        table: table.0,
        game,
    })
}

fn which(request: &wire::GetRecordRequest) -> Result<Which, CallError> {
    match &request.which {
        Some(Asked::Table(table)) => Ok(Which::Table(convert::table(*table)?)),
        Some(Asked::Game(game)) => Ok(Which::Game(convert::game(game)?)),
        Some(Asked::Round(place)) => Ok(Which::Round(
            convert::event(&place.event, "round.event")?,
            convert::round(place.round, "round.round")?,
            convert::table(place.table)?,
        )),
        None => Err(CallError::field("which", "which game? Give `table`, `game` or `round`")),
    }
}
