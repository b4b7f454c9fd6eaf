//! Readers that were written from what is published of LiveChess and Lichess, and know nothing of this hub, read the folder and take
//! the pushes while games are played and the hub is killed (`kill -9`) and started again: never half a file, never a game lost, never
//! one in another's place, and nothing that had been shown goes back.

mod common;

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use common::calls::{put_event, set_result};
use common::hostile::NAMES;
use common::pgn::{Seen, games};
use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::arbiter::v1::arbiter_service_client::ArbiterServiceClient;
use serde::Deserialize;
use tempfile::TempDir;
use tonic::Request;
use tonic::transport::Channel;

/// What is played: each line is a game.
const GAMES: [&str; NAMES.len() / 2] = [
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 h7h6 g5h4 b7b6",
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 d7d5 c4d5 f6d5 f1g2 d5b6 e1g1 f8e7",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3 e7e5 d4b3 f8e7",
    "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6 c1g5 f8e7 e4e5 f6d7 g5e7 d8e7 f2f4 e8g8",
    "g1f3 d7d5 g2g3 c7c6 f1g2 c8g4 e1g1 b8d7 d2d4 e7e6 b1d2 f8d6 f1e1 g8f6",
    "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5 e4g3 f5g6 h2h4 h7h6 g1f3 b8d7",
];

const TOKEN: &str = "lip_of_the_owner";

/// A hub of its own, in a process of its own.
struct House {
    folder: TempDir,
    http: SocketAddr,
    token: String,
    hub: Option<Child>,
    asked: u32,
}

fn free_port() -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("an address")
}

fn flagfall() -> Command {
    Command::new(env!("CARGO_BIN_EXE_flagfall"))
}

impl House {
    fn build(lichess: SocketAddr) -> House {
        let folder = TempDir::new().expect("a folder");
        std::fs::create_dir(folder.path().join("out")).expect("made");
        std::fs::write(folder.path().join("token"), TOKEN).expect("written");
        let toml = format!(
            "[livechess]\nfolder = {out:?}\n[lichess]\nurl = \"http://{lichess}\"\ntoken_file = {token:?}\nevery_s = 1\n\
             rounds = {{ \"open/1\" = \"AbCd1234\" }}\n",
            out = folder.path().join("out"),
            token = folder.path().join("token"),
        );
        std::fs::write(folder.path().join("hall.toml"), toml).expect("written");
        let told = flagfall()
            .args(["token", "first", "--data"])
            .arg(folder.path().join("data"))
            .output()
            .expect("it runs");
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
        let token = String::from_utf8(told.stdout).expect("text").trim().to_owned();
        let mut house = House {
            folder,
            http: free_port(),
            token,
            hub: None,
            asked: 0,
        };
        house.start();
        house
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn start(&mut self) {
        // Another one each time: somebody else may have taken it meanwhile.
        self.http = free_port();
        let log = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.path().join("log"))
            .expect("a log");
        let hub = flagfall()
            .arg("serve")
            .arg("--config")
            .arg(self.folder.path().join("hall.toml"))
            .arg("--data")
            .arg(self.folder.path().join("data"))
            .args(["--http", &self.http.to_string(), "--mqtt", "127.0.0.1:0"])
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("it starts");
        self.hub = Some(hub);
    }

    /// `kill -9`, at whatever it is doing.
    fn kill(&mut self) {
        if let Some(mut hub) = self.hub.take() {
            hub.kill().expect("killed");
            hub.wait().expect("gone");
        }
    }

    fn id(&mut self) -> String {
        self.asked += 1;
        format!("call-{}", self.asked)
    }

    fn by<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let token = format!("Bearer {}", self.token).parse().expect("a token");
        request.metadata_mut().insert("authorization", token);
        request.set_timeout(Duration::from_secs(5));
        request
    }

    /// A way to the hub, which may be starting.
    async fn channel(&mut self) -> Channel {
        for _ in 0..600 {
            let ended = self
                .hub
                .as_mut()
                .is_some_and(|hub| hub.try_wait().is_ok_and(|ended| ended.is_some()));
            if ended {
                self.start();
            }
            let endpoint = Channel::from_shared(format!("http://{}", self.http)).expect("an address");
            if let Ok(channel) = endpoint.connect().await {
                return channel;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the hub does not come: {}", self.log());
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    async fn prepare(&mut self) {
        let channel = self.channel().await;
        let event = admin::Event {
            id: "open".to_owned(),
            name: "Open \"2026\"".to_owned(),
            site: "Novi Sad".to_owned(),
            date: "2026-08-01".to_owned(),
            ..Default::default()
        };
        put_event(channel.clone(), &self.token, event).await;
        let mut admin = AdminServiceClient::new(channel.clone());
        let mut csv = "table,board,white,black,board_kind\n".to_owned();
        for game in 0..GAMES.len() {
            let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
            let (white, black) = (quoted(NAMES[2 * game]), quoted(NAMES[2 * game + 1]));
            csv.push_str(&format!("{},{},{white},{black},none\n", 40 + game, game + 1));
        }
        let request = admin::PutRoundRequest {
            request_id: self.id(),
            event: "open".to_owned(),
            number: 1,
            time_control: "90m+30s".to_owned(),
            source: Some(admin::put_round_request::Source::Csv(csv)),
            validate_only: false,
        };
        admin.put_round(self.by(request)).await.expect("the round");
        let mut arbiter = ArbiterServiceClient::new(channel);
        let request = arbiter::StartRoundRequest {
            request_id: self.id(),
            event: "open".to_owned(),
            round: 1,
            tables: Vec::new(),
        };
        arbiter.start_round(self.by(request)).await.expect("called");
    }

    /// Enters a move, again and again by the same name until the hub has answered.
    async fn play(&mut self, table: u32, mv: &str) {
        let request_id = self.id();
        for _ in 0..200 {
            let request = arbiter::EnterMoveRequest {
                request_id: request_id.clone(),
                table,
                r#move: mv.to_owned(),
                ..Default::default()
            };
            let channel = self.channel().await;
            match ArbiterServiceClient::new(channel).enter_move(self.by(request)).await {
                Ok(_) => return,
                Err(status) if matches!(status.code(), tonic::Code::Unavailable | tonic::Code::Unknown) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                Err(status) => panic!("{mv} at table {table}: {status}"),
            }
        }
        panic!("{mv} at table {table} is not taken");
    }

    async fn result(&mut self, table: u32, result: &str) {
        let channel = self.channel().await;
        set_result(channel, &self.token, table, result).await;
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.kill();
    }
}

/// As lichess reads `index.json`.
#[derive(Deserialize)]
struct Index {
    pairings: Vec<Pairing>,
}

#[derive(Deserialize)]
struct Pairing {
    white: Option<Player>,
    black: Option<Player>,
    result: Option<String>,
}

#[derive(Deserialize)]
struct Player {
    fname: Option<String>,
    mname: Option<String>,
    lname: Option<String>,
}

impl Player {
    /// As the viewers put it together.
    fn name(&self) -> String {
        assert_eq!(self.mname, None);
        let parts = [self.lname.as_deref(), self.fname.as_deref()];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// As lichess reads `game-1.json`.
#[derive(Deserialize)]
struct Game {
    moves: Vec<String>,
    result: Option<String>,
    chess960: Option<u16>,
}

/// `e4 5428+32`: the move, the seconds left, the seconds spent.
fn timed(text: &str) -> (String, Option<u32>, Option<u32>) {
    let mut parts = text.split(' ');
    let san = parts.next().expect("a move").to_owned();
    let Some(times) = parts.next() else {
        return (san, None, None);
    };
    match times.split_once('+') {
        Some(("", spent)) => (san, None, spent.parse().ok()),
        Some((left, spent)) => (san, left.parse().ok(), spent.parse().ok()),
        None => (san, times.parse().ok(), None),
    }
}

/// What each board has shown so far; it only grows.
#[derive(Default)]
struct Memory {
    shown: BTreeMap<String, Vec<String>>,
}

impl Memory {
    fn see(&mut self, who: &str, moves: &[String]) {
        let before = self.shown.entry(who.to_owned()).or_default();
        assert!(
            moves.starts_with(before) || before.starts_with(moves),
            "{who}: {moves:?} was {before:?}"
        );
        assert!(moves.len() >= before.len(), "{who} went back: {moves:?} was {before:?}");
        *before = moves.to_vec();
    }
}

/// Reads everything in the folder once, if there is anything.
fn read_folder(out: &Path, memory: &mut Memory) -> bool {
    let round = out.join("open/round-1");
    let Ok(index) = std::fs::read_to_string(round.join("index.json")) else {
        return false;
    };
    let index: Index = serde_json::from_str(&index).expect("a whole index.json");
    assert_eq!(index.pairings.len(), GAMES.len());
    let all = games(&std::fs::read_to_string(round.join("games.pgn")).expect("there"));
    assert_eq!(all.len(), GAMES.len(), "a game is lost");
    for (at, pairing) in index.pairings.iter().enumerate() {
        let names = [&pairing.white, &pairing.black].map(|player| player.as_ref().expect("a name").name());
        assert_eq!(names, [NAMES[2 * at], NAMES[2 * at + 1]], "in its place");
        assert!(pairing.result.is_some());
        let one = games(&std::fs::read_to_string(round.join(format!("game-{}.pgn", at + 1))).expect("there"));
        assert_eq!((one.len(), &one[0].errors), (1, &Vec::new()));
        for game in [&one[0], &all[at]] {
            assert_eq!(game.tags["White"], NAMES[2 * at]);
            assert_eq!(game.tags["Black"], NAMES[2 * at + 1]);
            assert_eq!(game.tags["Board"], (at + 1).to_string());
        }
        memory.see(&format!("game-{}.pgn", at + 1), &one[0].moves);
        memory.see(&format!("games.pgn, {}", at + 1), &all[at].moves);
        let game = std::fs::read_to_string(round.join(format!("game-{}.json", at + 1))).expect("there");
        let game: Game = serde_json::from_str(&game).expect("a whole game.json");
        assert_eq!(game.chess960, Some(518));
        assert!(game.result.is_some());
        let moves: Vec<String> = game.moves.iter().map(|text| timed(text).0).collect();
        memory.see(&format!("game-{}.json", at + 1), &moves);
    }
    let tournament = std::fs::read_to_string(out.join("open/tournament.json"));
    if let Ok(tournament) = tournament {
        let tournament: serde_json::Value = serde_json::from_str(&tournament).expect("a whole tournament.json");
        assert_eq!(tournament["rounds"][0]["count"], GAMES.len());
    }
    true
}

/// Lichess as it is documented, on a bad day.
#[derive(Clone, Default)]
struct Lichess {
    state: Arc<Mutex<Taken>>,
}

#[derive(Default)]
struct Taken {
    memory: Memory,
    ids: Vec<String>,
    pushes: usize,
    last: Vec<Seen>,
}

async fn push(State(lichess): State<Lichess>, headers: http::HeaderMap, body: String) -> Response {
    let bearer = headers.get("authorization").and_then(|value| value.to_str().ok());
    assert_eq!(bearer, Some(format!("Bearer {TOKEN}").as_str()));
    let read = games(&body);
    assert_eq!(read.len(), GAMES.len(), "the whole state, each time");
    let mut taken = lichess.state.lock().expect("no reader has failed");
    let ids: Vec<String> = read.iter().map(|game| game.tags["GameId"].clone()).collect();
    if taken.ids.is_empty() {
        taken.ids.clone_from(&ids);
    }
    assert_eq!(taken.ids, ids, "the same games in the same order");
    let mut answers = Vec::new();
    for (at, game) in read.iter().enumerate() {
        assert_eq!(game.tags["White"], NAMES[2 * at]);
        taken.memory.see(&game.tags["GameId"], &game.moves);
        answers.push(serde_json::json!({ "tags": game.tags, "moves": game.moves.len() }));
    }
    taken.pushes += 1;
    taken.last = read;
    match taken.pushes % 5 {
        2 => (http::StatusCode::BAD_GATEWAY, "<html>").into_response(),
        3 => {
            answers[1] = serde_json::json!({ "tags": {}, "error": "Cannot parse it today" });
            axum::Json(serde_json::json!({ "games": answers })).into_response()
        }
        _ => axum::Json(serde_json::json!({ "games": answers })).into_response(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_of_livechess_and_lichess_never_see_half_a_game_though_the_hub_is_killed() {
    let lichess = Lichess::default();
    let router = Router::new()
        .route("/api/broadcast/round/AbCd1234/push", post(push))
        .with_state(lichess.clone());
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });

    let mut house = House::build(address);
    house.prepare().await;
    let over = Arc::new(AtomicBool::new(false));
    let reader = std::thread::spawn({
        let (over, out) = (Arc::clone(&over), house.out());
        move || {
            let (mut memory, mut times) = (Memory::default(), 0);
            while !over.load(Ordering::Relaxed) {
                times += usize::from(read_folder(&out, &mut memory));
                std::thread::sleep(Duration::from_millis(5));
            }
            assert!(read_folder(&out, &mut memory));
            (memory, times)
        }
    });

    let games_played: Vec<Vec<&str>> = GAMES.iter().map(|game| game.split(' ').collect()).collect();
    let plies = games_played[0].len();
    for ply in 0..plies {
        for (at, game) in games_played.iter().enumerate() {
            // In the middle of it all, six times: at once, while files are written, and later.
            if at == 3 && ply % 2 == 1 {
                tokio::time::sleep(Duration::from_millis([0, 15, 60, 250, 600, 1100, 0][ply / 2])).await;
                house.kill();
                house.start();
            }
            house.play(40 + at as u32, game[ply]).await;
        }
        assert!(!reader.is_finished(), "the reader has failed");
    }
    house.result(40, "1-0").await;
    house.result(41, "0-0").await;
    house.result(42, "1/2-1/2").await;

    let told_all = |last: &[Seen]| {
        last.len() == GAMES.len()
            && last.iter().all(|game| game.moves.len() == plies)
            && last[0].outcome == "1-0"
            && last[1].tags["Result"] == "0-0"
            && last[2].outcome == "1/2-1/2"
    };
    let mut waited = 0;
    loop {
        let pushed = told_all(&lichess.state.lock().expect("no reader has failed").last);
        let all = std::fs::read_to_string(house.out().join("open/round-1/games.pgn")).unwrap_or_default();
        if pushed && told_all(&games(&all)) {
            break;
        }
        waited += 1;
        assert!(waited < 600, "not all is told: {}", house.log());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    over.store(true, Ordering::Relaxed);
    let (memory, times) = reader.join().expect("the reader has not failed");
    assert!(times > 20, "read {times} times");
    for at in 1..=GAMES.len() {
        assert_eq!(memory.shown[&format!("game-{at}.json")].len(), plies);
    }
    // What Lichess did not like is said to arbiters, at its table.
    let mut seen = false;
    for tried in 0..200 {
        let mut client = ArbiterServiceClient::new(house.channel().await);
        let request = house.by(arbiter::ListNoticesRequest {});
        let notices = client.list_notices(request).await.expect("told").into_inner().notices;
        let refused = notices.iter().find(|notice| notice.kind == "lichess-refuses");
        if let Some(notice) = refused {
            assert_eq!(notice.places[0].table, Some(41));
            assert_eq!(notice.places[0].detail, "Cannot parse it today");
            seen = true;
            break;
        }
        // It is said until the next push is taken: make one.
        let other = if tried % 2 == 0 { "1-0" } else { "0-1" };
        house.result(43, other).await;
        tokio::time::sleep(Duration::from_millis(1200)).await;
    }
    assert!(seen, "{}", house.log());
}
