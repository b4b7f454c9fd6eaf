//! The routes, asked without a network.

mod clients;
mod schema;

use std::sync::Arc;

use axum::body::Body;
use futures::StreamExt as _;
use http::{Request, StatusCode, header};
use tower::ServiceExt as _;

use super::*;
use crate::chess::Color;
use crate::game::audience::{ClockView, HallView};
use crate::hall::model::{Person, PersonRole, Player, Registry};
use crate::hall::{HallInfo, RoundNo, TableCard, TableNo, handle::sha256_hex};
use crate::time::{HallTime, Millis};

pub(super) fn hall() -> HallHandle {
    let (calls, _nobody) = tokio::sync::mpsc::channel(1);
    let info = HallInfo {
        name: "test".to_owned(),
        epoch: 3,
        speed: 1.0,
        now: HallTime(0),
        insecure: false,
    };
    HallHandle::new(calls, info, Box::new(|| HallTime(5_000)), Box::new(|| 0))
}

fn card(table: u32, name: &str) -> TableCard {
    let player = Player {
        name: name.to_owned(),
        ..Player::default()
    };
    TableCard {
        table: TableNo(table),
        event: "open".parse().expect("a name"),
        event_name: "Open".to_owned(),
        round: RoundNo(1),
        board: table,
        white: player.clone(),
        black: player,
        game: None,
        white_points: None,
        black_points: None,
        view: HallView {
            fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w".to_owned(),
            moves: Vec::new(),
            clocks: ClockView {
                white: Millis::mins(5),
                black: Millis::mins(5),
                running: Some(Color::White),
                as_of: HallTime(0),
                delay_until: None,
                no_signal: false,
            },
            result: "*".to_owned(),
            started: true,
            paused: false,
        },
    }
}

fn served(hall: &HallHandle, screens: Screens) -> Router {
    let metrics = Arc::new(|| "flagfall_up 1\n".to_owned());
    routes(
        hall.clone(),
        Serving {
            names: Vec::new(),
            screens,
            secure: false,
            metrics,
            mqtt: None,
        },
    )
}

fn get(path: &str) -> http::request::Builder {
    Request::builder().uri(path).header(header::HOST, "127.0.0.1:7878")
}

async fn asked(router: &Router, request: http::request::Builder) -> (StatusCode, http::HeaderMap, String) {
    let request = request.body(Body::empty()).expect("a request");
    let answer = router.clone().oneshot(request).await.expect("infallible");
    let (head, body) = answer.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.expect("a body");
    (head.status, head.headers, String::from_utf8_lossy(&body).into_owned())
}

/// The stream's next events: name, id, data.
async fn events(body: &mut axum::body::BodyDataStream, count: usize) -> Vec<(String, String, String)> {
    let (mut text, mut found) = (String::new(), Vec::new());
    while found.len() < count {
        let chunk = body.next().await.expect("the stream goes on").expect("a chunk");
        text.push_str(&String::from_utf8_lossy(&chunk));
        while let Some((event, rest)) = text.split_once("\n\n") {
            let field = |name: &str| {
                let line = event.lines().find_map(|line| line.strip_prefix(name));
                line.map(|value| value.trim_start_matches(": ").trim_start_matches(':').to_owned())
                    .unwrap_or_default()
            };
            found.push((field("event"), field("id"), field("data")));
            text = rest.to_owned();
        }
    }
    found
}

async fn opened(router: &Router, request: http::request::Builder) -> axum::body::BodyDataStream {
    let request = request.body(Body::empty()).expect("a request");
    let answer = router.clone().oneshot(request).await.expect("infallible");
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/event-stream");
    answer.into_body().into_data_stream()
}

#[tokio::test]
async fn every_answer_forbids_inline_scripts_framing_and_sniffing() {
    let router = served(&hall(), Screens::Open);
    for path in [
        "/",
        "/hall",
        "/hall/hall.js",
        "/pieces/wK.svg",
        "/api/hall/tables",
        "/healthz",
        "/metrics",
    ] {
        let (status, headers, _) = asked(&router, get(path)).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().expect("text");
        assert!(
            policy.contains("default-src 'none'") && !policy.contains("unsafe"),
            "{path}"
        );
        assert_eq!(headers[header::X_FRAME_OPTIONS], "DENY", "{path}");
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff", "{path}");
        assert_eq!(headers[header::REFERRER_POLICY], "no-referrer", "{path}");
    }
}

#[tokio::test]
async fn the_pages_have_no_inline_script_or_style() {
    for asset in assets::ALL.iter().filter(|asset| asset.path.ends_with(".html")) {
        let (_, _, page) = asked(
            &served(&hall(), Screens::Open),
            get(if asset.path.starts_with("/hall") { "/hall" } else { "/" }),
        )
        .await;
        for tag in page.split('<').filter(|tag| tag.starts_with("script")) {
            assert!(
                tag.contains("src=") && tag.trim_end().ends_with('>'),
                "{}: <{tag}",
                asset.path
            );
        }
        assert!(
            !page.contains("<style")
                && !page.contains(" style=")
                && !page.contains("onload")
                && !page.contains("onclick"),
            "{}",
            asset.path
        );
    }
}

#[tokio::test]
async fn a_strange_host_is_refused() {
    let request = Request::builder()
        .uri("/api/hall/tables")
        .header(header::HOST, "evil.example");
    let (status, _, words) = asked(&served(&hall(), Screens::Open), request).await;
    assert_eq!(status, StatusCode::MISDIRECTED_REQUEST);
    assert!(words.contains("listen.names"));
}

#[tokio::test]
async fn a_file_that_the_browser_has_is_not_sent_again() {
    let router = served(&hall(), Screens::Open);
    let (_, headers, _) = asked(&router, get("/hall/card.js")).await;
    let tag = headers[header::ETAG].clone();
    let (status, _, body) = asked(&router, get("/hall/card.js").header(header::IF_NONE_MATCH, tag)).await;
    assert_eq!((status, body.as_str()), (StatusCode::NOT_MODIFIED, ""));
}

#[tokio::test]
async fn the_snapshot_has_a_tag_that_changes_with_what_it_says() {
    let hall = hall();
    let router = served(&hall, Screens::Open);
    hall.screens().publish(7, TableNo(1), card(1, "a"));
    hall.screens().publish(8, TableNo(2), card(2, "b"));
    let (_, headers, body) = asked(&router, get("/api/hall/tables?tables=2")).await;
    let body: serde_json::Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(body["tables"].as_array().map(Vec::len), Some(1));
    assert_eq!(body["tables"][0]["white"]["name"], "b");
    assert_eq!(headers["flagfall-hall-ms"], "5000");
    let tag = headers[header::ETAG].clone();
    let again = get("/api/hall/tables?tables=2").header(header::IF_NONE_MATCH, tag.clone());
    assert_eq!(asked(&router, again).await.0, StatusCode::NOT_MODIFIED);
    // A shard that was behind another: the position stays.
    hall.screens().publish(6, TableNo(2), card(2, "c"));
    let again = get("/api/hall/tables?tables=2").header(header::IF_NONE_MATCH, tag);
    assert_eq!(asked(&router, again).await.0, StatusCode::OK);
    assert_eq!(
        asked(&router, get("/api/hall/tables?tables=x")).await.0,
        StatusCode::BAD_REQUEST
    );
}

#[tokio::test(start_paused = true)]
async fn the_feed_begins_with_a_snapshot_and_goes_on_with_changes() {
    let hall = hall();
    hall.screens().publish(7, TableNo(1), card(1, "a"));
    let mut stream = opened(&served(&hall, Screens::Open), get("/api/hall/feed")).await;
    let names: Vec<_> = events(&mut stream, 4)
        .await
        .into_iter()
        .map(|(name, id, _)| (name, id))
        .collect();
    let told = |name: &str, id: &str| (name.to_owned(), id.to_owned());
    assert_eq!(
        names,
        [
            told("info", ""),
            told("snapshot", ""),
            told("table", ""),
            told("end", "3-7")
        ]
    );
    hall.screens().publish(8, TableNo(1), card(1, "b"));
    hall.screens().remove(9, TableNo(1));
    let (name, id, data) = events(&mut stream, 1).await.remove(0);
    assert_eq!(
        (name.as_str(), id.as_str(), data.as_str()),
        ("removed", "3-9", "{\"table\":1}"),
        "coalesced to the newest"
    );
    let (name, _, data) = events(&mut stream, 1).await.remove(0);
    assert_eq!(name, "info", "a heartbeat comes though nothing happens");
    assert!(data.contains("\"now_ms\":5000"));
}

#[tokio::test(start_paused = true)]
async fn a_feed_that_was_cut_goes_on_where_it_was() {
    let hall = hall();
    hall.screens().publish(7, TableNo(1), card(1, "a"));
    hall.screens().publish(8, TableNo(2), card(2, "b"));
    hall.screens().publish(9, TableNo(1), card(1, "c"));
    let router = served(&hall, Screens::Open);
    for request in [
        get("/api/hall/feed?from=3-8"),
        get("/api/hall/feed?from=3-7").header("last-event-id", "3-8"),
    ] {
        let names: Vec<_> = events(&mut opened(&router, request).await, 3)
            .await
            .into_iter()
            .map(|event| event.0)
            .collect();
        assert_eq!(names[..2], ["info", "end"], "no snapshot is needed");
        assert_eq!(names[2], "table");
    }
    for request in [
        get("/api/hall/feed?from=2-8"),
        get("/api/hall/feed?from=3-99"),
        get("/api/hall/feed?from=x"),
    ] {
        let names: Vec<_> = events(&mut opened(&router, request).await, 5)
            .await
            .into_iter()
            .map(|event| event.0)
            .collect();
        assert_eq!(
            names,
            ["info", "snapshot", "table", "table", "end"],
            "another epoch: everything again"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_feed_of_some_tables_tells_of_no_other() {
    let hall = hall();
    for table in 1..=3 {
        hall.screens().publish(7, TableNo(table), card(table, "a"));
    }
    let mut stream = opened(&served(&hall, Screens::Open), get("/api/hall/feed?tables=2")).await;
    let names: Vec<_> = events(&mut stream, 4).await.into_iter().map(|event| event.0).collect();
    assert_eq!(names, ["info", "snapshot", "table", "end"]);
    hall.screens().publish(8, TableNo(1), card(1, "b"));
    hall.screens().publish(9, TableNo(2), card(2, "b"));
    let (name, id, _) = events(&mut stream, 1).await.remove(0);
    assert_eq!((name.as_str(), id.as_str()), ("table", "3-9"));
}

#[tokio::test]
async fn where_tokens_are_asked_for_nobody_sees_the_hall_without_one() {
    let hall = hall();
    let mut registry = Registry::default();
    let screen = Person {
        name: "lobby".to_owned(),
        role: PersonRole::Screen,
        sector: None,
        also: Vec::new(),
        token_sha256: sha256_hex("secret"),
        expires_unix_ms: None,
    };
    registry.people.insert(screen.name.clone(), screen);
    hall.set_registry(Arc::new(registry));
    let router = served(&hall, Screens::ByToken);
    for path in ["/api/hall/tables", "/api/hall/feed"] {
        assert_eq!(asked(&router, get(path)).await.0, StatusCode::UNAUTHORIZED, "{path}");
        let wrong = get(path).header(header::AUTHORIZATION, "Bearer other");
        assert_eq!(asked(&router, wrong).await.0, StatusCode::UNAUTHORIZED, "{path}");
    }
    let request = get("/api/hall/token")
        .method("POST")
        .header(header::AUTHORIZATION, "Bearer secret");
    let (status, headers, _) = asked(&router, request).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let cookie = headers[header::SET_COOKIE].to_str().expect("text");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let cookie = cookie.split(';').next().expect("a pair");
    let request = get("/api/hall/tables").header(header::COOKIE, format!("other=1; {cookie}"));
    assert_eq!(asked(&router, request).await.0, StatusCode::OK);
}
