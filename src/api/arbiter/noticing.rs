//! Notices of the hall: what is wrong beyond single tables.

use std::sync::Arc;
use std::time::Duration;

use futures::stream;
use tokio::sync::watch;

use super::super::auth::Caller;
use super::super::proto::arbiter::v1 as wire;
use super::super::watch::Watching;
use crate::hall::notice::Notice;
use crate::hall::{HallHandle, TableNo};

/// A watcher hears at least so often.
const EVERY: Duration = Duration::from_secs(5);

/// What there is now, of the caller's part of the hall.
pub fn now(hall: &HallHandle, caller: &Caller) -> Vec<wire::Notice> {
    let notices = hall.notices();
    let notices = notices.borrow().clone().unwrap_or_default();
    told(hall, caller, &notices)
}

fn told(hall: &HallHandle, caller: &Caller, notices: &[Notice]) -> Vec<wire::Notice> {
    let registry = hall.registry();
    let his = |table: Option<TableNo>| {
        caller.sector().is_none_or(|_| {
            let place = table.and_then(|table| registry.tables.get(&table));
            place.is_some_and(|place| caller.has(&place.sector))
        })
    };
    let part = |notice: &Notice| Notice {
        devices: notice
            .devices
            .iter()
            .filter(|device| his(device.table))
            .cloned()
            .collect(),
        places: notice.places.iter().filter(|place| his(place.table)).cloned().collect(),
        ..notice.clone()
    };
    notices
        .iter()
        .map(|notice| (notice.devices.is_empty() && notice.places.is_empty(), part(notice)))
        // That the broker is gone concerns everybody; of the rest he is told what is his.
        .filter(|(of_nobody, part)| *of_nobody || !part.devices.is_empty() || !part.places.is_empty())
        .map(|(_, notice)| wire::Notice {
            kind: notice.kind.name().to_owned(),
            what: notice.what(),
            advice: notice.kind.advice().to_owned(),
            since_ms: notice.since.0,
            devices: notice
                .devices
                .iter()
                .map(|device| wire::NoticeDevice {
                    id: device.id.to_string(),
                    table: device.table.map(|table| table.0),
                    since_ms: device.since.0,
                    detail: device.detail.clone(),
                })
                .collect(),
            places: notice
                .places
                .iter()
                .map(|place| wire::NoticePlace {
                    event: place.event.to_string(),
                    round: place.round.0,
                    table: place.table.map(|table| table.0),
                    since_ms: place.since.0,
                    detail: place.detail.clone(),
                })
                .collect(),
        })
        .collect()
}

struct Watcher {
    hall: HallHandle,
    caller: Caller,
    notices: watch::Receiver<Option<Arc<Vec<Notice>>>>,
    first: bool,
}

/// Everything now, at every change, and every few seconds; until the hub stops.
pub fn watch(hall: HallHandle, caller: Caller) -> Watching<wire::WatchNoticesResponse> {
    let notices = hall.notices();
    let watcher = Watcher {
        hall,
        caller,
        notices,
        first: true,
    };
    Box::pin(stream::unfold(watcher, |mut watcher| async move {
        if !std::mem::take(&mut watcher.first)
            && let Ok(Err(_)) = tokio::time::timeout(EVERY, watcher.notices.changed()).await
        {
            return None;
        }
        let notices = watcher.notices.borrow_and_update().clone()?;
        let message = wire::WatchNoticesResponse {
            notices: told(&watcher.hall, &watcher.caller, &notices),
            now_ms: watcher.hall.info().now.0,
        };
        Some((Ok(message), watcher))
    }))
}
