//! What arbiters see: tables by urgency, one game, and everything as it changes.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use tonic::Status;

use super::super::auth::Caller;
use super::super::feed::no_such_table;
use super::super::proto::arbiter::v1 as wire;
use super::super::proto::arbiter::v1::watch_tables_response::Update as Told;
use super::super::proto::feed::v1 as feed;
use super::super::watch::Telling;
use super::super::{convert, errors};
use crate::hall::{ArbiterTable, CallError, CallReason, HallHandle, TableNo};
use crate::time::HallTime;
use crate::words::Language;

const PAGE: usize = 200;
const LONGEST_PAGE: usize = 3_000;

/// Tables by urgency, a page of them.
pub fn list(
    hall: &HallHandle,
    caller: &Caller,
    language: Language,
    request: &wire::ListTablesRequest,
) -> Result<wire::ListTablesResponse, Status> {
    let skipped: usize = match request.page_token.as_str() {
        "" => 0,
        token => token.parse().map_err(|_| {
            let message = "`page_token` is not one of ours: take `next_page_token` of the answer before";
            errors::status(&CallError::field("page_token", message), None)
        })?,
    };
    let size = match request.page_size as usize {
        0 => PAGE,
        size => size.min(LONGEST_PAGE),
    };
    let (_, tables) = hall.arbiters().all();
    let mut tables: Vec<Arc<ArbiterTable>> = tables
        .into_iter()
        .map(|(_, table)| table)
        .filter(|table| caller.has(&table.sector))
        .filter(|table| request.event.is_empty() || table.card.event.as_str() == request.event)
        .filter(|table| request.sector.is_empty() || table.sector == request.sector)
        .filter(|table| !request.only_with_items || !table.view.items.is_empty())
        .collect();
    tables.sort_by_key(|table| urgency(table));
    let rest = tables.len().saturating_sub(skipped.saturating_add(size));
    Ok(wire::ListTablesResponse {
        tables: tables
            .iter()
            .skip(skipped)
            .take(size)
            .map(|table| convert::table::arbiter_table(table, language))
            .collect(),
        next_page_token: if rest > 0 {
            (skipped + size).to_string()
        } else {
            String::new()
        },
    })
}

/// What needs an arbiter comes first: a parked table, then certain items, then suspected ones, the oldest first.
fn urgency(table: &ArbiterTable) -> (Reverse<u8>, HallTime, TableNo) {
    let items = &table.view.items;
    let rank = if table.view.parked.is_some() {
        3
    } else if items.iter().any(|item| item.certain) {
        2
    } else {
        u8::from(!items.is_empty())
    };
    let oldest = items.iter().map(|item| item.since).min().unwrap_or_default();
    (Reverse(rank), oldest, table.card.table)
}

/// One game, with everything.
pub fn game(
    hall: &HallHandle,
    caller: &Caller,
    language: Language,
    request: &wire::GetGameRequest,
) -> Result<wire::GetGameResponse, Status> {
    use wire::get_game_request::Which;
    let refused = |error: CallError| errors::status(&error, None);
    let table = match &request.which {
        Some(Which::Table(number)) => convert::table(*number).map_err(refused)?,
        Some(Which::Game(id)) => {
            let game = convert::game(id).map_err(refused)?;
            let at = hall
                .arbiters()
                .all()
                .1
                .into_iter()
                .find(|(_, table)| table.card.game == Some(game));
            at.map(|(table, _)| table).ok_or_else(|| {
                refused(CallError::new(
                    CallReason::NoGame,
                    format!("game {game} is at no table: see `ListTables`"),
                ))
            })?
        }
        None => return Err(refused(CallError::field("which", "which game? Give `table` or `game`"))),
    };
    caller
        .at(table, &hall.registry())
        .map_err(|error| errors::status(&error, Some(table)))?;
    let table = hall.arbiters().get(table).ok_or_else(|| no_such_table(table))?;
    Ok(wire::GetGameResponse {
        table: Some(convert::table::arbiter_table(&table, language)),
        rulings: convert::table::rulings(&table, language),
    })
}

/// An arbiter's tablet.
pub struct Tablet {
    /// Only these; empty: all.
    pub tables: BTreeSet<TableNo>,
    /// Whose it is: only his part of the hall.
    pub bearer: Caller,
    /// Where it is known which sectors are his by now.
    pub hall: HallHandle,
    /// Without records.
    pub brief: bool,
    /// What its bearer is spoken to in.
    pub language: Language,
}

impl Tablet {
    /// Whether the tablet's bearer has this sector now: it may have been handed over since he began to watch.
    fn has(&self, sector: &str) -> bool {
        let registry = self.hall.registry();
        let person = registry.people.get(&self.bearer.person().name);
        person.map_or_else(|| self.bearer.has(sector), |person| person.has(sector))
    }

    fn table(&self, table: &ArbiterTable) -> wire::ArbiterTable {
        if self.brief {
            convert::table::brief(table, self.language)
        } else {
            convert::table::arbiter_table(table, self.language)
        }
    }
}

fn told(update: Told) -> wire::WatchTablesResponse {
    wire::WatchTablesResponse { update: Some(update) }
}

impl Telling<ArbiterTable> for Tablet {
    type Message = wire::WatchTablesResponse;

    fn wants(&self, number: TableNo, table: &ArbiterTable) -> bool {
        (self.tables.is_empty() || self.tables.contains(&number)) && self.has(&table.sector)
    }

    fn snapshot(&self, table: &ArbiterTable) -> wire::WatchTablesResponse {
        told(Told::Snapshot(self.table(table)))
    }

    fn snapshot_end(&self, end: feed::SnapshotEnd) -> wire::WatchTablesResponse {
        told(Told::SnapshotEnd(end))
    }

    fn changed(&self, place: feed::Place, table: &ArbiterTable, _: Option<&ArbiterTable>) -> wire::WatchTablesResponse {
        let table = Some(self.table(table));
        told(Told::Changed(wire::ArbiterTableChanged {
            place: Some(place),
            table,
        }))
    }

    fn removed(&self, place: feed::Place, table: TableNo) -> wire::WatchTablesResponse {
        told(Told::Removed(wire::ArbiterTableRemoved {
            place: Some(place),
            table: table.0,
        }))
    }

    fn heartbeat(&self, beat: feed::Heartbeat) -> wire::WatchTablesResponse {
        told(Told::Heartbeat(beat))
    }
}
