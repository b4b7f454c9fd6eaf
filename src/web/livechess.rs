//! What LiveChess's cloud serves, of this hall's events: `/livechess/EVENT/tournament.json`, `…/round-N/index.json`, `…/game-M.json`,
//! `…/game-M.pgn`, `…/games.pgn`; the same below `/get/EVENT/`, where viewers of the cloud look.
//!
//! The address of a round itself is its `games.pgn`, for readers that are given no more than that.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use http::{HeaderMap, StatusCode};
use tokio::sync::watch;

use super::dated::Dates;
use super::public::{PGN, serve};
use crate::broadcast::livechess::{Written, file};
use crate::broadcast::published::Published;
use crate::hall::ids::EventId;

/// Texts of games of closed rounds are made anew for whoever asks, but for so many that were asked for last: some 5 kB each.
const CLOSED_KEPT: usize = 512;

#[derive(Clone)]
struct Files {
    published: watch::Receiver<Arc<Published>>,
    speed: f64,
    written: Arc<Mutex<Written>>,
    dates: Dates,
}

/// The files of everything that is published. It sets no fallback.
pub(super) fn routes(published: watch::Receiver<Arc<Published>>, speed: f64) -> Router {
    let files = Files {
        published,
        speed,
        written: Arc::new(Mutex::new(Written::keeping(CLOSED_KEPT))),
        dates: Dates::default(),
    };
    ["/livechess/{event}/{*path}", "/get/{event}/{*path}"]
        .into_iter()
        .fold(Router::new(), |router, path| serve(router, path, get(one)))
        .with_state(files)
}

async fn one(State(files): State<Files>, Path((event, path)): Path<(String, String)>, headers: HeaderMap) -> Response {
    let nothing = || (StatusCode::NOT_FOUND, "There is no such file.\n").into_response();
    let Ok(event) = event.parse::<EventId>() else {
        return nothing();
    };
    let mut path = path.trim_end_matches('/').to_owned();
    if path.starts_with("round-") && !path.contains('/') {
        path.push_str("/games.pgn");
    }
    let published = Arc::clone(&files.published.borrow());
    let content = {
        let mut written = files.written.lock().unwrap_or_else(PoisonError::into_inner);
        file(&published, &event, &path, files.speed, &mut written)
    };
    let kind = if path.ends_with(".pgn") {
        PGN
    } else {
        "application/json; charset=utf-8"
    };
    let Some(content) = content else { return nothing() };
    // Only what is there has a name, and each has one.
    let name = format!("{event}/{path}");
    files
        .dates
        .serve(&headers, &name, kind, content.as_ref().to_owned(), &published)
}
