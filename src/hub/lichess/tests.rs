//! Against a server of our own that answers as Lichess documents it.

use std::collections::VecDeque;
use std::net::SocketAddr;

use axum::Router;
use axum::extract::{Path as UrlPath, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use http::HeaderMap;

use super::*;
use crate::broadcast::pgn::Score;
use crate::broadcast::published::{PublishedBoard, PublishedEvent, Stage};
use crate::hall::ids::TableNo;
use crate::hall::model::{Player, RoundStatus};

const TOKEN: &str = "lip_secret";

/// How the server answers one push.
#[derive(Clone, Debug)]
enum Mood {
    /// As it is documented.
    Takes,
    /// This game cannot be read.
    Refuses(usize, &'static str),
    /// So, with this text.
    Says(u16, &'static str),
    /// Never.
    Silent,
}

#[derive(Clone, Default)]
struct Server {
    moods: Arc<Mutex<VecDeque<Mood>>>,
    pushes: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start(&self) -> SocketAddr {
        let router = Router::new()
            .route("/api/broadcast/round/{id}/push", post(take))
            .with_state(self.clone());
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        address
    }

    fn moods(&self, moods: impl IntoIterator<Item = Mood>) {
        self.moods.lock().expect("whole").extend(moods);
    }

    fn pushes(&self) -> Vec<String> {
        self.pushes.lock().expect("whole").clone()
    }

    async fn pushed(&self, count: usize) -> Vec<String> {
        for _ in 0..1000 {
            if self.pushes().len() >= count {
                return self.pushes();
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("only {} pushes came", self.pushes().len());
    }
}

async fn take(
    State(server): State<Server>,
    UrlPath(id): UrlPath<String>,
    headers: HeaderMap,
    body: String,
) -> Response {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if bearer != Some(&format!("Bearer {TOKEN}")) {
        return (StatusCode::UNAUTHORIZED, r#"{"error":"No such token"}"#).into_response();
    }
    if id != "AbCd1234" {
        return (StatusCode::NOT_FOUND, "<html>404</html>").into_response();
    }
    let games: Vec<&str> = body.split("\n\n[Event ").collect();
    let mood = server.moods.lock().expect("whole").pop_front().unwrap_or(Mood::Takes);
    server.pushes.lock().expect("whole").push(body.clone());
    let read = |(at, game): (usize, &&str)| {
        let tag = |name: &str| {
            let begin = game.find(&format!("[{name} \""))? + name.len() + 3;
            Some(game[begin..].split('"').next()?.to_owned())
        };
        let tags = serde_json::json!({ "White": tag("White"), "GameId": tag("GameId") });
        match mood {
            Mood::Refuses(bad, why) if bad == at => serde_json::json!({ "tags": tags, "error": why }),
            _ => serde_json::json!({ "tags": tags, "moves": game.matches("[%clk").count() }),
        }
    };
    match mood {
        Mood::Says(status, text) => (StatusCode::from_u16(status).expect("a status"), text).into_response(),
        Mood::Silent => std::future::pending().await,
        Mood::Takes | Mood::Refuses(..) => {
            let games: Vec<_> = games.iter().enumerate().map(read).collect();
            axum::Json(serde_json::json!({ "games": games })).into_response()
        }
    }
}

struct House {
    server: Server,
    publish: watch::Sender<Arc<Published>>,
    hall: HallHandle,
    stop: CancellationToken,
    token: tempfile::NamedTempFile,
    task: tokio::task::JoinHandle<()>,
}

impl House {
    async fn open(moods: &[Mood]) -> House {
        House::with_id(moods, "AbCd1234").await
    }

    async fn with_id(moods: &[Mood], id: &str) -> House {
        House::with(moods, id, None).await
    }

    async fn with(moods: &[Mood], id: &str, boards: Boards) -> House {
        let server = Server::default();
        server.moods(moods.iter().cloned());
        let address = server.start().await;
        let (publish, published) = watch::channel(Published::empty());
        let (calls, _nobody) = tokio::sync::mpsc::channel(1);
        let info = crate::hall::HallInfo {
            name: "hall".to_owned(),
            epoch: 1,
            speed: 1.0,
            now: HallTime(0),
            insecure: false,
        };
        let hall = HallHandle::new(calls, info, Box::new(|| HallTime(5)), Box::new(|| 0));
        let token = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(token.path(), format!("{TOKEN}\n")).expect("written");
        let stop = CancellationToken::new();
        let targets = vec![Target {
            event: event(),
            round: RoundNo(1),
            boards,
            id: id.parse().expect("an id"),
        }];
        let mut settings = Lichess::new(
            format!("http://{address}"),
            token.path().to_owned(),
            Duration::from_millis(20),
            targets,
            1.0,
        );
        settings.back_off = (Duration::from_millis(10), Duration::from_millis(40));
        let task = tokio::spawn(push(settings, published, hall.clone(), stop.clone()));
        House {
            server,
            publish,
            hall,
            stop,
            token,
            task,
        }
    }

    fn publish(&self, results: [&'static str; 2]) {
        let board = |number: usize| {
            Arc::new(PublishedBoard {
                table: TableNo(10 + number as u32),
                board: number as u32,
                game: None,
                stage: Stage::of(true, results[number - 1]),
                score: Score {
                    event: "Open".to_owned(),
                    board: number as u32,
                    white: Player {
                        name: format!("White, {number}"),
                        ..Player::default()
                    },
                    result: results[number - 1].to_owned(),
                    game_id: Some(format!("game-{number}")),
                    ..Score::default()
                },
                clocks: None,
                fen: String::new(),
                paused: false,
            })
        };
        let round = PublishedRound {
            event: PublishedEvent {
                id: event(),
                name: "Open".to_owned(),
                site: String::new(),
                date: String::new(),
            },
            number: RoundNo(1),
            status: RoundStatus::Started,
            control: None,
            boards: vec![board(1), board(2)],
        };
        self.publish.send_modify(|published| {
            *published = Arc::new(Published {
                position: published.position + 1,
                rounds: vec![Arc::new(round)],
                ..Published::default()
            });
        });
    }

    /// What arbiters read: kind, table, words.
    fn notices(&self) -> Vec<(NoticeKind, Option<u32>, String)> {
        let notices = self.hall.notices().borrow().clone().unwrap_or_default();
        let told = notices.iter().flat_map(|notice| {
            assert!(notice.devices.is_empty(), "it is no device's trouble");
            let one = |place: &NoticePlace| {
                assert_eq!((&place.event, place.round), (&event(), RoundNo(1)));
                (notice.kind, place.table.map(|table| table.0), place.detail.clone())
            };
            notice.places.iter().map(one).collect::<Vec<_>>()
        });
        told.collect()
    }

    async fn until_notices(&self, wanted: impl Fn(&[(NoticeKind, Option<u32>, String)]) -> bool) {
        for _ in 0..1000 {
            if wanted(&self.notices()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it stayed at {:?}", self.notices());
    }

    async fn close(self) {
        self.stop.cancel();
        self.task.await.expect("ends");
    }
}

fn event() -> EventId {
    "open".parse().expect("an id")
}

#[tokio::test]
async fn the_whole_round_is_pushed_whenever_something_is_new_and_only_then() {
    let house = House::open(&[]).await;
    house.publish(["*", "*"]);
    let first = house.server.pushed(1).await;
    assert_eq!(first[0].matches("[Event ").count(), 2);
    assert!(first[0].contains("[GameId \"game-1\"]") && first[0].contains("[GameId \"game-2\"]"));
    house.publish(["*", "*"]);
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert_eq!(house.server.pushes().len(), 1);
    house.publish(["1-0", "*"]);
    let second = house.server.pushed(2).await;
    assert!(second[1].contains("[Result \"1-0\"]") && second[1].contains("[GameId \"game-2\"]"));
    assert_eq!(house.notices(), []);
    house.close().await;
}

#[tokio::test]
async fn a_game_that_is_not_taken_is_shown_at_its_table_until_it_is() {
    let house = House::open(&[Mood::Refuses(1, "Cannot parse move 12")]).await;
    house.publish(["*", "*"]);
    let shown = (NoticeKind::LichessRefuses, Some(12), "Cannot parse move 12".to_owned());
    house.until_notices(|notices| notices == [shown.clone()]).await;
    house.publish(["*", "1-0"]);
    house.until_notices(<[_]>::is_empty).await;
    house.close().await;
}

#[tokio::test]
async fn what_was_not_taken_is_tried_again_with_what_is_new_by_then() {
    let trouble = Mood::Says(502, "<html>Bad Gateway</html>");
    let house = House::open(&[trouble.clone(), trouble.clone(), trouble]).await;
    house.publish(["*", "*"]);
    house.server.pushed(1).await;
    house
        .until_notices(|notices| matches!(notices, [(NoticeKind::LichessNotTold, None, why)] if why.contains("502")))
        .await;
    house.publish(["0-1", "*"]);
    let pushes = house.server.pushed(4).await;
    assert!(pushes[3].contains("[Result \"0-1\"]"));
    house.until_notices(<[_]>::is_empty).await;
    // Taken: no more of it.
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert_eq!(house.server.pushes().len(), 4);
    // Nothing old came after something newer.
    let news: Vec<bool> = pushes.iter().map(|push| push.contains("0-1")).collect();
    assert!(news.is_sorted(), "{news:?}");
    house.close().await;
}

#[tokio::test]
async fn only_its_boards_are_pushed_and_those_that_go_nowhere_are_said() {
    let house = House::with(&[], "AbCd1234", Some(2..=64)).await;
    house.publish(["*", "*"]);
    let first = house.server.pushed(1).await;
    assert_eq!(first[0].matches("[Event ").count(), 1);
    assert!(first[0].contains("[GameId \"game-2\"]"));
    house
        .until_notices(
            |notices| matches!(notices, [(NoticeKind::LichessLeavesOut, None, which)] if which == "boards 1"),
        )
        .await;
    // What is new at the other boards is no push.
    house.publish(["1-0", "*"]);
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert_eq!(house.server.pushes().len(), 1);
    house.publish(["1-0", "0-1"]);
    assert!(house.server.pushed(2).await[1].contains("[Result \"0-1\"]"));
    house.close().await;
}

#[tokio::test]
async fn whoever_is_told_that_it_is_too_often_waits() {
    let house = House::open(&[Mood::Says(429, "")]).await;
    house.publish(["*", "*"]);
    house
        .until_notices(|notices| matches!(notices, [(_, None, why)] if why.contains("429") && why.contains("60 s")))
        .await;
    house.publish(["1-0", "*"]);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(house.server.pushes().len(), 1);
    // The stop does not wait for it.
    house.close().await;
}

#[tokio::test]
async fn a_new_token_is_taken_without_a_new_start() {
    let house = House::open(&[]).await;
    std::fs::write(house.token.path(), "lip_old").expect("written");
    house.publish(["*", "*"]);
    house
        .until_notices(|notices| matches!(notices, [(_, None, why)] if why.contains("study:write")))
        .await;
    assert!(
        !format!("{:?}", house.notices()).contains("lip_old"),
        "the token is nobody's business"
    );
    std::fs::write(house.token.path(), TOKEN).expect("written");
    house.until_notices(<[_]>::is_empty).await;
    assert_eq!(house.server.pushes().len(), 1);
    std::fs::remove_file(house.token.path()).expect("removed");
    house.publish(["1-0", "*"]);
    house
        .until_notices(|notices| matches!(notices, [(_, None, why)] if why.contains("the token is not known")))
        .await;
    house.close().await;
}

#[tokio::test]
async fn a_wrong_round_and_a_round_with_a_source_of_its_own_are_said() {
    let house = House::with_id(&[], "Wrong123").await;
    house.publish(["*", "*"]);
    house
        .until_notices(|notices| matches!(notices, [(_, None, why)] if why.contains("no such round")))
        .await;
    house.close().await;
    let house = House::open(&[Mood::Says(400, r#"{"error":"The relay has an upstream URL"}"#)]).await;
    house.publish(["*", "*"]);
    house
        .until_notices(|notices| matches!(notices, [(_, None, why)] if why.contains("upstream URL")))
        .await;
    house.until_notices(<[_]>::is_empty).await;
    house.close().await;
}

#[tokio::test]
async fn a_server_that_never_answers_does_not_hold_up_the_stop() {
    let house = House::open(&[Mood::Silent]).await;
    house.publish(["*", "*"]);
    house.server.pushed(1).await;
    let stopped = tokio::time::timeout(Duration::from_secs(5), house.close());
    stopped.await.expect("it stops");
}
