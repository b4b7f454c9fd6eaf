//! What the public gets by HTTP: the hall's page, its feed, and the games as PGN.
//!
//! All of it is read from the delayed bulletin and from [`Published`], which hold nothing that may not be known. So there is no door
//! here, and nothing to hide: what is not there yet is answered like what will never be.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodRouter, get};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde::Serialize;
use tokio::sync::watch;

use super::dated::Dates;
use super::{Screens, Serving, Web, assets, cards, feed, guard, tables};
use crate::broadcast::pgn::{self, Score};
use crate::broadcast::published::{Published, PublishedBoard, PublishedEvent, PublishedRound, Stage};
use crate::hall::HallHandle;
use crate::hall::ids::{EventId, RoundNo};
use crate::hall::model::{Player, RoundStatus};

/// The feed's JSON Schema.
pub const SCHEMA: &str = include_str!("../../docs/feed.schema.json");

/// Every path that the public is served, beside the page's own files below `/hall/` and `/pieces/`. `docs/security.md` lists them,
/// and a test asks all of them throughout a round.
pub const PATHS: &[&str] = &[
    "/",
    "/hall",
    "/hall/",
    "/api/hall/feed",
    "/api/hall/tables",
    "/api/hall/feed.schema.json",
    "/healthz",
    "/api/rounds",
    "/pgn/{event}",
    "/pgn/{event}/{round}",
    "/pgn/{event}/{round}/{board}",
    "/livechess/{event}/{*path}",
    "/get/{event}/{*path}",
];

/// Adds a path that is in the list.
pub(super) fn serve<S: Clone + Send + Sync + 'static>(
    router: Router<S>,
    path: &'static str,
    how: MethodRouter<S>,
) -> Router<S> {
    assert!(
        PATHS.contains(&path),
        "{path} is served to the public and not in the list"
    );
    router.route(path, how)
}

/// What PGN is.
pub(super) const PGN: &str = "application/vnd.chess-pgn; charset=utf-8";

#[derive(Clone)]
struct Outlet {
    published: watch::Receiver<Arc<Published>>,
    dates: Dates,
}

impl Outlet {
    fn now(&self) -> Arc<Published> {
        Arc::clone(&self.published.borrow())
    }
}

/// Everything for the public. `hall` holds the delayed bulletin and nothing else. It sets no fallback.
pub fn routes(hall: HallHandle, published: watch::Receiver<Arc<Published>>, speed: f64) -> Router {
    let web = Web {
        hall,
        serving: Serving {
            names: Vec::new(),
            screens: Screens::Open,
            secure: false,
            metrics: Arc::new(String::new),
            mqtt: None,
        },
        cards: cards::Cards::default(),
    };
    let listed: [(&str, MethodRouter<Web>); 7] = [
        ("/", get(|| async { Redirect::temporary("/hall") })),
        ("/hall", get(|| assets::page("/hall/index.html"))),
        ("/hall/", get(|| async { Redirect::permanent("/hall") })),
        ("/api/hall/feed", get(feed::feed)),
        ("/api/hall/tables", get(tables::snapshot)),
        ("/api/hall/feed.schema.json", get(schema)),
        ("/healthz", get(|| async { "ok\n" })),
    ];
    let mut pages = listed
        .into_iter()
        .fold(Router::new(), |pages, (path, how)| serve(pages, path, how));
    let of_the_page = |path: &str| path.starts_with("/hall/") || path.starts_with("/pieces/");
    for asset in assets::ALL.iter().filter(|asset| of_the_page(asset.path)) {
        if !asset.path.ends_with(".html") {
            pages = pages.route(asset.path, get(move |headers| assets::serve(asset, headers)));
        }
    }
    let listed: [(&str, MethodRouter<Outlet>); 4] = [
        ("/api/rounds", get(rounds)),
        ("/pgn/{event}", get(pgn_of_event)),
        ("/pgn/{event}/{round}", get(pgn_of_round)),
        ("/pgn/{event}/{round}/{board}", get(pgn_of_board)),
    ];
    let games = listed
        .into_iter()
        .fold(Router::new(), |games, (path, how)| serve(games, path, how));
    let files = super::livechess::routes(published.clone(), speed);
    pages
        .with_state(web)
        .merge(games.with_state(Outlet {
            published,
            dates: Dates::default(),
        }))
        .merge(files)
}

/// `router` with what holds for every answer to the public: read by whatever page likes, run by none.
pub fn dressed(router: Router) -> Router {
    router.layer(axum::middleware::from_fn(dress))
}

async fn dress(request: Request, next: Next) -> Response {
    let mut answer = next.run(request).await;
    let headers = answer.headers_mut();
    for (name, value) in guard::HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::try_from(guard::POLICY.as_str()) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    // There is no cookie and no token: a page from elsewhere learns no more than whoever wrote it.
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let policy = HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(policy, HeaderValue::from_static("cross-origin"));
    answer
}

async fn schema(headers: HeaderMap) -> Response {
    tagged(&headers, "application/schema+json", SCHEMA.to_owned())
}

/// A body with its tag, or only the news that it is unchanged. The tag is of the body: it tells nothing but whether that has changed.
fn tagged(headers: &HeaderMap, kind: &'static str, body: String) -> Response {
    let tag = assets::tag_of(&body);
    let about = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    let known = headers.get(header::IF_NONE_MATCH);
    if known.is_some_and(|known| known == tag.as_str()) {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, [(header::CONTENT_TYPE, kind)], body).into_response()
}

/// A round in the list of all.
#[derive(Serialize)]
struct RoundLine<'a> {
    event: EventLine<'a>,
    round: RoundNo,
    status: RoundStatus,
    time_control: Option<String>,
    boards: Vec<BoardLine<'a>>,
}

#[derive(Serialize)]
struct EventLine<'a> {
    id: &'a EventId,
    name: &'a str,
    site: &'a str,
    date: &'a str,
}

#[derive(Serialize)]
struct BoardLine<'a> {
    board: u32,
    table: u32,
    white: &'a Player,
    black: &'a Player,
    stage: &'static str,
    moves: usize,
    result: &'a str,
}

impl<'a> RoundLine<'a> {
    fn of(round: &'a PublishedRound) -> RoundLine<'a> {
        let PublishedEvent { id, name, site, date } = &round.event;
        let board = |board: &'a Arc<PublishedBoard>| BoardLine {
            board: board.board,
            table: board.table.0,
            white: &board.score.white,
            black: &board.score.black,
            stage: match board.stage {
                Stage::Waiting => "waiting",
                Stage::Live => "live",
                Stage::Finished => "finished",
            },
            moves: board.score.moves.len(),
            result: &board.score.result,
        };
        RoundLine {
            event: EventLine { id, name, site, date },
            round: round.number,
            status: round.status,
            time_control: round.control.as_ref().map(ToString::to_string),
            boards: round.by_board().into_iter().map(board).collect(),
        }
    }
}

async fn rounds(State(outlet): State<Outlet>, headers: HeaderMap) -> Response {
    let published = outlet.now();
    let rounds: Vec<RoundLine<'_>> = published.rounds.iter().map(|round| RoundLine::of(round)).collect();
    match serde_json::to_string(&serde_json::json!({ "rounds": rounds })) {
        Ok(body) => outlet
            .dates
            .serve(&headers, "rounds", "application/json", body, &published),
        Err(error) => {
            tracing::error!(%error, "the list of rounds cannot be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// The name of a file without its end.
fn stem(file: &str) -> Option<&str> {
    file.strip_suffix(".pgn")
}

impl Outlet {
    fn games<'a>(
        &self,
        headers: &HeaderMap,
        name: &str,
        scores: impl IntoIterator<Item = &'a Score>,
        of: &Published,
    ) -> Response {
        let body = pgn::games(scores, pgn::Wanted::default());
        self.dates.serve(headers, name, PGN, body, of)
    }
}

/// What is not there, or not yet: nobody is told which.
fn nothing() -> Response {
    StatusCode::NOT_FOUND.into_response()
}

async fn pgn_of_event(State(outlet): State<Outlet>, Path(file): Path<String>, headers: HeaderMap) -> Response {
    let published = outlet.now();
    let Some(event) = stem(&file).and_then(|event| event.parse::<EventId>().ok()) else {
        return nothing();
    };
    let rounds: Vec<_> = published.rounds_of(&event).collect();
    if rounds.is_empty() {
        return nothing();
    }
    let scores = rounds.iter().flat_map(|round| scores(round));
    outlet.games(&headers, event.as_str(), scores, &published)
}

async fn pgn_of_round(
    State(outlet): State<Outlet>,
    Path((event, file)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let published = outlet.now();
    let number = stem(&file).and_then(|round| round.parse().ok()).map(RoundNo);
    match round(&published, &event, number) {
        Some(round) => {
            let name = format!("{}/{}", round.event.id, round.number);
            outlet.games(&headers, &name, scores(round), &published)
        }
        None => nothing(),
    }
}

async fn pgn_of_board(
    State(outlet): State<Outlet>,
    Path((event, number, file)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Response {
    let published = outlet.now();
    let board = stem(&file).and_then(|board| board.parse::<u32>().ok());
    let round = round(&published, &event, number.parse().ok().map(RoundNo));
    let board = round
        .zip(board)
        .and_then(|(round, board)| Some((round, round.board(board)?)));
    match board {
        Some((round, board)) => {
            let name = format!("{}/{}/{}", round.event.id, round.number, board.board);
            outlet.games(&headers, &name, [&board.score], &published)
        }
        None => nothing(),
    }
}

fn round<'a>(published: &'a Published, event: &str, number: Option<RoundNo>) -> Option<&'a Arc<PublishedRound>> {
    published.round(&event.parse().ok()?, number?)
}

fn scores(round: &PublishedRound) -> impl Iterator<Item = &Score> {
    round.by_board().into_iter().map(|board| &board.score)
}
