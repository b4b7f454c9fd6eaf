//! The hall's bulletin as an event stream (server-sent events), for the hall's screen and whoever else likes HTTP.
//!
//! Events: `info` (the hall, its speed and its time now; at the start and every five seconds), `round` (an event's round, and who has
//! no game in it: after an `info`, when it is new), `snapshot` (tables follow that replace everything), `table` (one table's state),
//! `removed`, `end` (the snapshot is whole). A stream goes on from
//! `Last-Event-ID`, or `?from=` where a browser cannot say it. The stream is only made as fast as its client reads: what he
//! missed is replaced by the newest of the same table, so that nothing piles up for him.
//!
//! With `?changes=moves` a change of a game is told as `moves`: what the record is replaced by from a half-move on, and what else
//! changes in a game. It is made against what this very client was told last, so that he always ends with the same as all others.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::convert::Infallible;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Query, State};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures::{Stream, StreamExt as _};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Interval, MissedTickBehavior, interval};

use super::tables::Tables;
use super::{Web, assets, ticket};
use crate::hall::model::RoundStatus;
use crate::hall::{EventId, Subscription, TableCard, TableNo, Update};
use crate::pairing::trf::worth;

/// So often a client hears the hall's time, and that the hub lives.
const INFO_EVERY: Duration = Duration::from_secs(5);
/// So soon a browser asks again after the hub went away.
const RETRY: Duration = Duration::from_secs(1);

#[derive(Deserialize)]
pub(super) struct Asked {
    tables: Option<String>,
    from: Option<String>,
    changes: Option<String>,
}

pub(super) async fn feed(State(web): State<Web>, Query(asked): Query<Asked>, headers: HeaderMap) -> Response {
    let void = match ticket::check(&web, &headers) {
        Ok(void) => void,
        Err(refusal) => return refusal,
    };
    let tables = match asked.tables.as_deref().map(Tables::from_str).transpose() {
        Ok(tables) => tables.unwrap_or_default(),
        Err(bad) => return (StatusCode::BAD_REQUEST, format!("{bad}\n")).into_response(),
    };
    let by_moves = match asked.changes.as_deref() {
        None | Some("tables") => false,
        Some("moves") => true,
        Some(_) => return (StatusCode::BAD_REQUEST, "changes are told by `tables` or by `moves`\n").into_response(),
    };
    // The header is the newer of the two: a browser sends it when it resumes what it had opened with `from`.
    let last = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok())
        .map(str::to_owned);
    let from = last.or(asked.from).as_deref().and_then(place);
    // A screen whose token is made void goes dark at once.
    let void = void.unwrap_or_else(|| Box::pin(std::future::pending()));
    let stream = Watcher::new(web, tables, from, by_moves).stream().take_until(void);
    let mut answer = Sse::new(stream).into_response();
    answer
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// `EPOCH-POSITION`; anything else is no place to go on from.
fn place(id: &str) -> Option<(u64, u64)> {
    let (epoch, position) = id.split_once('-')?;
    Some((epoch.parse().ok()?, position.parse().ok()?))
}

struct Watcher {
    web: Web,
    epoch: u64,
    tables: Tables,
    subscription: Subscription<TableCard>,
    info_due: Interval,
    /// A snapshot has been announced and is not whole yet.
    in_snapshot: bool,
    /// What the client has is void, and he has not been told.
    void: bool,
    /// Announced before what comes next.
    next: Option<Update<TableCard>>,
    first: bool,
    /// What has been said of each event's round, and what waits to be said.
    rounds: HashMap<EventId, String>,
    rounds_due: VecDeque<Event>,
    /// What the client was told last of each table, where changes are told by moves.
    told: Option<BTreeMap<TableNo, Arc<TableCard>>>,
}

impl Watcher {
    fn new(web: Web, tables: Tables, from: Option<(u64, u64)>, by_moves: bool) -> Watcher {
        let mut info_due = interval(INFO_EVERY);
        info_due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Watcher {
            epoch: web.hall.info().epoch,
            subscription: web.hall.screens().subscribe(from),
            web,
            tables,
            info_due,
            in_snapshot: false,
            void: from.is_none(),
            next: None,
            first: true,
            rounds: HashMap::new(),
            rounds_due: VecDeque::new(),
            told: by_moves.then(BTreeMap::new),
        }
    }

    fn stream(self) -> impl Stream<Item = Result<Event, Infallible>> {
        futures::stream::unfold(self, |mut watcher| async move {
            let event = watcher.event().await?;
            Some((Ok(event), watcher))
        })
    }

    /// The next event; `None` when the hub stops.
    async fn event(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.rounds_due.pop_front() {
                return Some(event);
            }
            let update = match self.next.take() {
                Some(update) => update,
                None => tokio::select! {
                    biased;
                    _ = self.info_due.tick() => {
                        self.look_at_rounds();
                        return self.info();
                    }
                    update = self.subscription.next() => update?,
                },
            };
            if let Some(event) = self.told(update) {
                return Some(event);
            }
        }
    }

    fn info(&mut self) -> Option<Event> {
        let info = self.web.hall.info();
        let said = json!({
            "hall": info.name, "epoch": info.epoch, "speed": info.speed, "now_ms": info.now.0, "page": *assets::EDITION,
        });
        let event = Event::default().event("info").json_data(said).ok()?;
        Some(if std::mem::take(&mut self.first) {
            event.retry(RETRY)
        } else {
            event
        })
    }

    /// Of each event the round that is played last, where it is new.
    fn look_at_rounds(&mut self) {
        let registry = self.web.hall.registry();
        for (id, event) in &registry.events {
            let called = event.rounds.iter().rev();
            let Some((number, _)) = called
                .into_iter()
                .find(|(_, round)| round.status > RoundStatus::Prepared)
            else {
                continue;
            };
            let unpaired = event.imports.get(number).map_or(&[][..], |imported| &imported.unpaired);
            let unpaired: Vec<_> = unpaired
                .iter()
                .map(|one| json!({ "name": one.name, "points": one.points, "gains": worth(one.code) }))
                .collect();
            let said = json!({ "event": id, "name": event.name, "round": number, "unpaired": unpaired }).to_string();
            if self.rounds.get(id) != Some(&said) {
                self.rounds_due
                    .push_back(Event::default().event("round").data(said.as_str()));
                self.rounds.insert(id.clone(), said);
            }
        }
    }

    fn told(&mut self, update: Update<TableCard>) -> Option<Event> {
        let begins = match &update {
            Update::Snapshot { .. } => !self.in_snapshot,
            // An empty snapshot has no tables to begin it.
            Update::SnapshotEnd { reset, .. } => !self.in_snapshot && (self.void || *reset),
            _ => false,
        };
        if begins {
            (self.in_snapshot, self.void) = (true, false);
            self.next = Some(update);
            if let Some(told) = &mut self.told {
                told.clear();
            }
            return Some(Event::default().event("snapshot").data("{}"));
        }
        let event = Event::default();
        match update {
            // Without an id: a client cut off in the middle must begin again.
            Update::Snapshot { table, state } if self.tables.hold(table) => {
                let event = event.event("table").data(self.web.cards.json(&state));
                if let Some(told) = &mut self.told {
                    told.insert(table, state);
                }
                Some(event)
            }
            Update::SnapshotEnd { epoch, position, reset } => {
                self.in_snapshot = false;
                let said = json!({ "epoch": epoch, "position": position, "reset": reset });
                event
                    .event("end")
                    .id(format!("{epoch}-{position}"))
                    .json_data(said)
                    .ok()
            }
            Update::Changed { position, table, state } if self.tables.hold(table) => {
                let before = match &mut self.told {
                    Some(told) => told.insert(table, Arc::clone(&state)),
                    None => None,
                };
                let (name, said) = match before.and_then(|before| self.web.cards.change(&before, &state)) {
                    Some(change) => ("moves", change),
                    None => ("table", self.web.cards.json(&state)),
                };
                Some(event.event(name).id(self.id(position)).data(said))
            }
            Update::Removed { position, table } if self.tables.hold(table) => {
                if let Some(told) = &mut self.told {
                    told.remove(&table);
                }
                let event = event.event("removed").id(self.id(position));
                event.json_data(json!({ "table": table })).ok()
            }
            // `info` is our own heartbeat, which a busy hall does not silence.
            Update::Heartbeat { .. } | Update::Snapshot { .. } | Update::Changed { .. } | Update::Removed { .. } => {
                None
            }
        }
    }

    fn id(&self, position: u64) -> String {
        format!("{}-{position}", self.epoch)
    }
}
