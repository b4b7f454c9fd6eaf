//! The hall's view, for screens.

use std::collections::BTreeSet;

use tonic::{Request, Response, Status};

use super::convert;
use super::errors;
use super::proto::feed::v1 as wire;
use super::proto::feed::v1::watch_hall_response::Update as Told;
use super::watch::{self, Telling, Watching};
use crate::hall::{CallError, CallReason, HallHandle, TableCard, TableNo};

/// See `feed.proto`.
pub struct Feed {
    /// The hall that is shown.
    pub hall: HallHandle,
}

#[tonic::async_trait]
impl wire::feed_service_server::FeedService for Feed {
    type WatchHallStream = Watching<wire::WatchHallResponse>;

    async fn get_table(
        &self,
        request: Request<wire::GetTableRequest>,
    ) -> Result<Response<wire::GetTableResponse>, Status> {
        let table = convert::table(request.get_ref().table).map_err(|error| errors::status(&error, None))?;
        let card = self.hall.screens().get(table).ok_or_else(|| no_such_table(table))?;
        Ok(Response::new(wire::GetTableResponse {
            table: Some(convert::table::hall_table(&card)),
        }))
    }

    async fn watch_hall(
        &self,
        request: Request<wire::WatchHallRequest>,
    ) -> Result<Response<Self::WatchHallStream>, Status> {
        let request = request.into_inner();
        let place = request.resume.map(|place| (place.epoch, place.position));
        let only_new_moves = request.only_new_moves;
        let tables = request.tables.into_iter().map(TableNo).collect();
        let subscription = self.hall.screens().subscribe(place);
        Ok(Response::new(watch::stream(
            self.hall.clone(),
            subscription,
            Screen { tables, only_new_moves },
        )))
    }
}

/// Nothing is shown of a table with this number.
pub fn no_such_table(table: TableNo) -> Status {
    let message = format!("nothing is paired at table {table}: see `ListTables` for those there are");
    errors::status(&CallError::new(CallReason::NoSuchTable, message), Some(table))
}

struct Screen {
    tables: BTreeSet<TableNo>,
    only_new_moves: bool,
}

fn told(update: Told) -> wire::WatchHallResponse {
    wire::WatchHallResponse { update: Some(update) }
}

impl Telling<TableCard> for Screen {
    type Message = wire::WatchHallResponse;

    fn wants(&self, table: TableNo, _: &TableCard) -> bool {
        self.tables.is_empty() || self.tables.contains(&table)
    }

    fn snapshot(&self, card: &TableCard) -> wire::WatchHallResponse {
        told(Told::Snapshot(convert::table::hall_table(card)))
    }

    fn snapshot_end(&self, end: wire::SnapshotEnd) -> wire::WatchHallResponse {
        told(Told::SnapshotEnd(end))
    }

    fn changed(&self, place: wire::Place, card: &TableCard, before: Option<&TableCard>) -> wire::WatchHallResponse {
        let from = before.and_then(|before| before.replaced_from(card));
        let mut table = convert::table::hall_table(card);
        if let Some(from) = from.filter(|_| self.only_new_moves) {
            table.moves.drain(..from);
        }
        told(Told::Changed(wire::TableChanged {
            place: Some(place),
            table: Some(table),
            from_ply: from.and_then(|from| u32::try_from(from).ok()),
        }))
    }

    fn removed(&self, place: wire::Place, table: TableNo) -> wire::WatchHallResponse {
        told(Told::Removed(wire::TableRemoved {
            place: Some(place),
            table: table.0,
        }))
    }

    fn heartbeat(&self, beat: wire::Heartbeat) -> wire::WatchHallResponse {
        told(Told::Heartbeat(beat))
    }
}
