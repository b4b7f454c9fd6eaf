//! Names that mean something to PGN, HTML, JSON, spreadsheets and lines of text go in by a tournament report and come out of everything
//! that leaves the hall as they were. What a browser makes of them is tested with the pages (`tests/screen.rs`), paper in `tests/record.rs`.

mod common;

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::routing::post;
use common::calls::{by, put_event};
use common::hostile::NAMES;
use common::http::{body, get, header};
use common::pgn::{Seen, games, games_by_python_chess};
use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::arbiter::v1::arbiter_service_client::ArbiterServiceClient;
use flagfall::api::proto::feed::v1 as feed;
use flagfall::api::proto::feed::v1::feed_service_client::FeedServiceClient;
use flagfall::hall::PersonRole;
use flagfall::hub::RunningHub;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tonic::Request;
use tonic::transport::Channel;

/// A game for every two.
const BOARDS: u32 = NAMES.len() as u32 / 2;
const EVENT: &str = "Open \"] [Site \"x\" </script><b> =1+1";

struct House {
    hub: RunningHub,
    token: String,
}

impl House {
    fn by<T>(&self, message: T) -> Request<T> {
        by(&self.token, message)
    }

    async fn channel(&self) -> Channel {
        common::channel(format!("http://{}", self.hub.http_addr)).await
    }

    async fn admin(&self) -> AdminServiceClient<Channel> {
        AdminServiceClient::new(self.channel().await)
    }

    async fn import(&self, name: &str, content: String, round: u32, confirm: bool) -> admin::ImportRoundResponse {
        let request = admin::ImportRoundRequest {
            request_id: format!("import-{round}-{confirm}"),
            event: "open".to_owned(),
            round,
            file: Some(admin::PairingFile {
                name: name.to_owned(),
                content: content.into_bytes(),
            }),
            first_table: 1,
            time_control: "90m+30s".to_owned(),
            confirm,
            ..Default::default()
        };
        let answer = self.admin().await.import_round(self.by(request)).await;
        answer.expect("read").into_inner()
    }

    async fn export(&self, format: admin::ExportFormat) -> String {
        let request = admin::ExportEventRequest {
            event: "open".to_owned(),
            round: 1,
            format: format.into(),
            elapsed_times: true,
        };
        let answer = self.admin().await.export_event(self.by(request)).await;
        String::from_utf8(answer.expect("written").into_inner().content).expect("text")
    }
}

/// The first round of all of them, White's numbers odd.
fn report() -> String {
    let row = |(at, name): (usize, &&str)| {
        let (number, color) = (at + 1, if at % 2 == 0 { 'w' } else { 'b' });
        let other = if at % 2 == 0 { number + 1 } else { number - 1 };
        let id = 1_503_014 + at;
        format!(
            "001 {number:>4} m    {name:<33} {:>4} NOR {id:>11} 1990/11/30  0.0 {number:>4}  {other:>4} {color}  ",
            2500 - at
        )
    };
    let rows: Vec<String> = NAMES.iter().enumerate().map(row).collect();
    format!(
        "012 {EVENT}\r\n062 {}\r\nXXR 9\r\n{}\r\n",
        NAMES.len(),
        rows.join("\r\n")
    )
}

/// Whoever is named, and that nobody else is.
fn all_there(outlet: &str, named: impl IntoIterator<Item = String>) {
    let mut named: Vec<String> = named.into_iter().collect();
    named.sort();
    named.dedup();
    let mut wanted = NAMES.map(str::to_owned);
    wanted.sort();
    assert_eq!(named, wanted, "{outlet}");
}

fn of_games(games: &[Seen]) -> Vec<String> {
    for game in games {
        assert_eq!((game.errors.len(), game.moves.len()), (0, 1), "{game:?}");
        assert_eq!(game.tags["Event"], EVENT);
    }
    games
        .iter()
        .flat_map(|game| [game.tags["White"].clone(), game.tags["Black"].clone()])
        .collect()
}

/// The names of an `index.json`, put together as viewers do.
fn of_index(text: &str) -> Vec<String> {
    let index: Value = serde_json::from_str(text).expect("JSON");
    let pairings = index["pairings"].as_array().expect("pairings");
    let name = |player: &Value| {
        let parts = ["lname", "fname"].map(|part| player[part].as_str().map(str::to_owned));
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    };
    pairings
        .iter()
        .flat_map(|pairing| [name(&pairing["white"]), name(&pairing["black"])])
        .collect()
}

fn of_cards<'a>(cards: impl IntoIterator<Item = &'a Value>) -> Vec<String> {
    let name = |player: &Value| player["name"].as_str().expect("a name").to_owned();
    cards
        .into_iter()
        .flat_map(|card| [name(&card["white"]), name(&card["black"])])
        .collect()
}

async fn json(address: SocketAddr, path: &str) -> Value {
    let answer = get(address, path, "").await.expect("answered");
    assert!(
        header(&answer, "content-type")
            .expect("a kind")
            .starts_with("application/json"),
        "{path}"
    );
    assert_eq!(header(&answer, "x-content-type-options"), Some("nosniff"));
    serde_json::from_str(body(&answer)).expect("JSON")
}

/// What the feed says of its tables, up to the end of the first snapshot.
async fn snapshot(address: SocketAddr) -> Vec<Value> {
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("connects");
    let asked = format!("GET /api/hall/feed HTTP/1.0\r\nhost: {address}\r\n\r\n");
    stream.write_all(asked.as_bytes()).await.expect("asked");
    let (mut text, mut piece) = (String::new(), vec![0; 1 << 16]);
    while !text.contains("event: end") {
        let read = tokio::time::timeout(Duration::from_secs(5), stream.read(&mut piece)).await;
        let read = read.expect("it is told").expect("it goes on");
        assert!(read > 0, "{text}");
        text.push_str(std::str::from_utf8(&piece[..read]).expect("no letter is cut here"));
    }
    let events = text.split("\n\n").filter(|event| event.contains("event: table\n"));
    let data = |event: &str| {
        let data = event.lines().find_map(|line| line.strip_prefix("data: "));
        serde_json::from_str(data.expect("data")).expect("JSON on one line")
    };
    events.map(data).collect()
}

type Pushes = Arc<Mutex<Vec<String>>>;

async fn lichess() -> (SocketAddr, Pushes) {
    let pushes = Pushes::default();
    let take = async |State(pushes): State<Pushes>, body: String| {
        let read = games(&body);
        pushes.lock().expect("whole").push(body);
        let game = |game: &Seen| serde_json::json!({ "tags": game.tags, "moves": game.moves.len() });
        axum::Json(serde_json::json!({ "games": read.iter().map(game).collect::<Vec<_>>() }))
    };
    let router = Router::new()
        .route("/api/broadcast/round/AbCd1234/push", post(take))
        .with_state(Arc::clone(&pushes));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    (address, pushes)
}

async fn open(folder: &Path, lichess: SocketAddr) -> House {
    std::fs::create_dir(folder.join("out")).expect("made");
    std::fs::write(folder.join("token"), "lip_of_the_owner").expect("written");
    let mut config = common::config(&folder.join("data"));
    config.public.listen = Some(([127, 0, 0, 1], 0).into());
    config.livechess.folder = Some(folder.join("out"));
    config.lichess.url = format!("http://{lichess}");
    config.lichess.token_file = Some(folder.join("token"));
    config.lichess.every_s = 1;
    config.lichess.rounds = [("open/1".to_owned(), "AbCd1234".to_owned())].into();
    let hub = common::start(config).await;
    let token = hub.grant("Chief", PersonRole::ChiefArbiter).await.expect("a token");
    House { hub, token }
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_names_come_out_of_everything_as_they_went_in() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let (server, pushes) = lichess().await;
    let house = open(folder.path(), server).await;
    let event = admin::Event {
        id: "open".to_owned(),
        name: EVENT.to_owned(),
        site: NAMES[1].to_owned(),
        date: "2026-08-01".to_owned(),
        ..Default::default()
    };
    put_event(house.channel().await, &house.token, event).await;

    // What would be two lines anywhere is no name.
    for (field, name) in [
        ("white", "Two\nLines"),
        ("black", "Two\r\nLines"),
        ("white", "Bell\u{7}"),
    ] {
        let player = |own: &str| feed::Player {
            name: if field == own { name } else { "Somebody" }.to_owned(),
            ..Default::default()
        };
        let pairing = admin::Pairing {
            table: 1,
            white: Some(player("white")),
            black: Some(player("black")),
            ..Default::default()
        };
        let request = admin::PutRoundRequest {
            request_id: "bad".to_owned(),
            event: "open".to_owned(),
            number: 1,
            time_control: "90m+30s".to_owned(),
            source: Some(admin::put_round_request::Source::Pairings(admin::PairingList {
                pairings: vec![pairing],
            })),
            validate_only: false,
        };
        let refused = house
            .admin()
            .await
            .put_round(house.by(request))
            .await
            .expect_err("refused");
        assert_eq!(refused.code(), tonic::Code::InvalidArgument);
        assert!(
            !refused.message().contains('\n') && !refused.message().contains('\u{7}'),
            "{refused:?}"
        );
    }

    let taken = house.import("round1.trf", report(), 1, true).await;
    assert!(taken.taken, "{taken:?}");
    let mut arbiters = ArbiterServiceClient::new(house.channel().await);
    let request = arbiter::StartRoundRequest {
        request_id: "start".to_owned(),
        event: "open".to_owned(),
        round: 1,
        tables: Vec::new(),
    };
    arbiters.start_round(house.by(request)).await.expect("called");
    for table in 1..=BOARDS {
        let request = arbiter::EnterMoveRequest {
            request_id: format!("move-{table}"),
            table,
            r#move: "e2e4".to_owned(),
            ..Default::default()
        };
        arbiters.enter_move(house.by(request)).await.expect("entered");
    }

    // To arbiters and the pairing program.
    assert_eq!(
        house.export(admin::ExportFormat::Trf).await,
        report(),
        "no result yet: the same bytes"
    );
    let csv = house.export(admin::ExportFormat::Csv).await;
    for cell in csv.split([',', '\n']) {
        let cell = cell.trim_start_matches('"');
        assert!(
            !cell.starts_with(['=', '+', '@', '-']),
            "{cell} would be carried out: {csv}"
        );
    }
    let again = house.import("round.csv", csv, 2, false).await;
    let players = again.games.iter().flat_map(|game| [&game.white, &game.black]);
    all_there(
        "CSV",
        players.map(|player| player.as_ref().expect("a player").name.clone()),
    );
    let results = house.export(admin::ExportFormat::Results).await;
    assert!(results.contains(";\"'=HYPERLINK(\"\"http://x\"\")\";"), "{results}");
    let pgn = house.export(admin::ExportFormat::Pgn).await;
    all_there("PGN", of_games(&games(&pgn)));
    if let Some(read) = games_by_python_chess(&pgn) {
        all_there("PGN, by python-chess", of_games(&read));
    }

    // To the public, when all of it is there.
    let address = house.hub.public_addr.expect("served");
    let mut all = Vec::new();
    for _ in 0..200 {
        let answer = get(address, "/pgn/open/1.pgn", "").await.unwrap_or_default();
        all = answer
            .split_once("\r\n\r\n")
            .map(|(_, body)| games(body))
            .unwrap_or_default();
        if all.len() == BOARDS as usize && all.iter().all(|game| game.moves.len() == 1) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    all_there("/pgn", of_games(&all));
    let index = get(address, "/livechess/open/round-1/index.json", "")
        .await
        .expect("answered");
    all_there("index.json", of_index(body(&index)));
    let one = get(address, "/get/open/round-1/game-1.pgn", "")
        .await
        .expect("answered");
    assert_eq!(of_games(&games(body(&one))), [NAMES[0], NAMES[1]]);
    assert_eq!(json(address, "/livechess/open/tournament.json").await["name"], EVENT);
    let rounds = json(address, "/api/rounds").await;
    assert_eq!(rounds["rounds"][0]["event"]["name"], EVENT);
    all_there(
        "/api/rounds",
        of_cards(rounds["rounds"][0]["boards"].as_array().expect("boards")),
    );
    let tables = json(address, "/api/hall/tables").await;
    all_there(
        "/api/hall/tables",
        of_cards(tables["tables"].as_array().expect("tables")),
    );
    all_there("the feed by SSE", of_cards(&snapshot(address).await));
    let mut client = FeedServiceClient::new(common::channel(format!("http://{address}")).await);
    let mut stream = client
        .watch_hall(feed::WatchHallRequest::default())
        .await
        .expect("told")
        .into_inner();
    let mut named = Vec::new();
    while named.len() < NAMES.len() {
        let message = tokio::time::timeout(Duration::from_secs(5), stream.message())
            .await
            .expect("it is told");
        let message = message.expect("it goes on").expect("there is more");
        if let Some(feed::watch_hall_response::Update::Snapshot(table)) = message.update {
            assert_eq!(table.event_name, EVENT);
            named.extend([table.white, table.black].map(|player| player.expect("a player").name));
        }
    }
    all_there("the feed by gRPC", named);

    // Into the folder and to Lichess.
    let is_whole = |text: &str| {
        let read = games(text);
        read.len() == BOARDS as usize && read.iter().all(|game| game.moves.len() == 1)
    };
    let (mut file, mut push) = (String::new(), String::new());
    for _ in 0..200 {
        file = std::fs::read_to_string(folder.path().join("out/open/round-1/games.pgn")).unwrap_or_default();
        push = pushes.lock().expect("whole").last().cloned().unwrap_or_default();
        if is_whole(&file) && is_whole(&push) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    all_there("the folder", of_games(&games(&file)));
    all_there("Lichess", of_games(&games(&push)));
    let index = std::fs::read_to_string(folder.path().join("out/open/round-1/index.json")).expect("there");
    all_there("the folder's index.json", of_index(&index));
    house.hub.stop().await;
}
