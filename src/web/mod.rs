//! What the hub serves to browsers: the hall's screen with its feed, the arbiters' console, and health and metrics for whoever looks
//! after the hub.
//!
//! The pages' sources stand in `web/` and are served as they are, the console's as built. Everything answered here shows the hall's
//! view and nothing else: no item, no hint (12.6); the console is a page like any other, and asks the API. It owns no state; it must never hold up the hall, however slow or rude a client is.

mod assets;
mod cards;
mod dated;
mod feed;
mod guard;
mod livechess;
mod mqtt;
pub mod public;
mod tables;
mod ticket;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{any, get, post};

pub use mqtt::Broker;
pub use tables::{BadTables, Tables};

use crate::hall::HallHandle;

/// How the pages are served on one listener.
#[derive(Clone)]
pub struct Serving {
    /// Names by which this listener may be called, beside `localhost` and plain addresses: any other `Host` is refused, so that
    /// no page from elsewhere can have its name lead here (DNS rebinding).
    pub names: Vec<String>,
    /// Who may see the hall's view.
    pub screens: Screens,
    /// The listener speaks TLS: a cookie is sent back over nothing else.
    pub secure: bool,
    /// Renders the metrics.
    pub metrics: Arc<dyn Fn() -> String + Send + Sync>,
    /// The broker, for devices that are browsers; `None` where they are not served.
    pub mqtt: Option<Broker>,
}

/// Who may see the hall's view on a listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screens {
    /// Whoever reaches the listener: for one on loopback.
    Open,
    /// Whoever has a token, of whatever role.
    ByToken,
}

#[derive(Clone)]
struct Web {
    hall: HallHandle,
    serving: Serving,
    cards: cards::Cards,
}

/// Everything served to browsers. It sets no fallback, so that it can be merged with the gRPC services of the same port.
pub fn routes(hall: HallHandle, serving: Serving) -> Router {
    let web = Web {
        hall,
        serving,
        cards: cards::Cards::default(),
    };
    let mut router = Router::new()
        .route("/", get(|| assets::page("/start/index.html")))
        .route("/hall", get(|| assets::page("/hall/index.html")))
        .route("/hall/", get(|| async { Redirect::permanent("/hall") }))
        .route("/arbiter", get(|| assets::page("/arbiter/index.html")))
        .route("/arbiter/", get(|| async { Redirect::permanent("/arbiter") }))
        .route("/table/{table}", get(clock))
        .route("/table/{table}/board", get(clock))
        .route("/join", get(clock))
        .route("/api/hall/feed", get(feed::feed))
        .route("/api/hall/tables", get(tables::snapshot))
        .route("/api/hall/token", post(ticket::enter))
        .route("/mqtt", any(mqtt::enter))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics));
    for asset in assets::ALL.iter().filter(|asset| !asset.path.ends_with(".html")) {
        router = router.route(asset.path, get(move |headers| assets::serve(asset, headers)));
    }
    guarded(router.with_state(web.clone()), &web.serving.names)
}

/// `router` behind the guard: called by a name that is the hub's, by no page from elsewhere, every answer dressed. For the gRPC
/// services too, which browsers call by gRPC-Web.
pub fn guarded(router: Router, names: &[String]) -> Router {
    let names: guard::Names = names.into();
    router.layer(axum::middleware::from_fn_with_state(names, guard::guard))
}

/// A phone as a table's clock or as the board on which a recorder taps the moves, and how it becomes one.
async fn clock(State(web): State<Web>) -> axum::response::Response {
    assets::clock_page(&web.hall.info().name).await
}

async fn health(State(web): State<Web>) -> axum::Json<serde_json::Value> {
    let info = web.hall.info();
    axum::Json(serde_json::json!({ "status": "ok", "hall": info.name, "epoch": info.epoch }))
}

/// How much waits for arbiters is in them: off loopback they are for staff.
async fn metrics(State(web): State<Web>, headers: http::HeaderMap) -> axum::response::Response {
    if let Err(refusal) = ticket::check_staff(&web, &headers) {
        return refusal;
    }
    let kind = [(http::header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, (web.serving.metrics)()).into_response()
}

#[cfg(test)]
mod tests;
