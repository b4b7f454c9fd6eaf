//! What the public may know, and when: a crawler asks everything that is served to it, again and again, through a round with its
//! start, moves, results, corrections, changes of the delay and a restart, and finds nothing that is younger than it may be.
#![expect(clippy::disallowed_methods, reason = "waits for a real hub")]

mod common;

use std::collections::{BTreeMap, HashSet};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::http::{body, get, header};
use flagfall::api::proto::feed::v1 as feed;
use flagfall::api::proto::feed::v1::feed_service_client::FeedServiceClient;
use flagfall::game::input::{Act, Deed, Restoration};
use flagfall::hall::model::{BoardKind, Pairing, PersonRole, Player, Regulations, Release};
use flagfall::hall::{Author, Call, Command, EventId, HallHandle, RoundNo, TableNo};
use flagfall::hub::RunningHub;
use flagfall::time::{HallTime, Millis};
use flagfall::web::public::PATHS;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A quarter of an hour passes in a second and a half.
const SPEED: f64 = 600.0;
const SLOW_BOARD: u32 = 3;
const SLOW_DELAY: Millis = Millis::mins(30);
const TABLES: u32 = 3;
/// Nothing of one is in another.
const GAMES: [&[&str]; 3] = [
    &[
        "e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6", "Be3", "e5",
    ],
    &[
        "c4", "e6", "Nh3", "d5", "b3", "Nh6", "Bb2", "Be7", "g3", "O-O", "Bg2", "b6",
    ],
    &[
        "f4", "f5", "Na3", "Na6", "g4", "g6", "Nb5", "Nb4", "a4", "a5", "h4", "h5",
    ],
];
/// At table 2 after the restart.
const OTHERWISE: [&str; 2] = ["e3", "c6"];

fn event() -> EventId {
    "open".parse().expect("an id")
}

async fn open(data: &std::path::Path) -> RunningHub {
    let mut config = common::config(data);
    config.hall.speed = SPEED;
    config.hall.shards = 2;
    config.public.listen = Some("127.0.0.1:0".parse().expect("an address"));
    common::start(config).await
}

/// Something that was told to the hub, and by when the public may know it at the earliest.
#[derive(Clone, Debug)]
struct Secret {
    what: String,
    board: Option<u32>,
    heard: HallTime,
}

/// A delay, and from when to when it held at most.
#[derive(Clone, Copy, Debug)]
struct Held {
    from: HallTime,
    until: HallTime,
    board: Option<u32>,
    delay: Millis,
}

/// All that the crawler has to know of the hall.
#[derive(Default)]
struct Truth {
    /// By the word that gives it away.
    secrets: BTreeMap<String, Secret>,
    delays: Vec<Held>,
}

impl Truth {
    /// When the public may know it at the earliest, as far as it has been decided.
    fn earliest(&self, secret: &Secret) -> HallTime {
        let own = |held: &&Held| held.board == secret.board;
        let has_own = secret.board.is_some() && self.delays.iter().any(|held| own(&held));
        let held = self.delays.iter().filter(|held| match has_own {
            true => held.board == secret.board,
            false => held.board.is_none(),
        });
        let moments = held.filter_map(|held| {
            let then = (secret.heard + held.delay).max(held.from);
            (then <= held.until).then_some(then)
        });
        moments.min().unwrap_or(HallTime(i64::MAX))
    }
}

/// Something that the public was answered.
struct Seen {
    at: HallTime,
    asked: String,
    words: HashSet<String>,
}

/// Every word of an answer, and what stands in quotes there.
fn words(text: &str) -> HashSet<String> {
    let part = |c: char| c.is_ascii_alphanumeric() || "+#=-/".contains(c);
    let words = text
        .split(|c| !part(c))
        .filter(|word| !word.is_empty())
        .map(str::to_owned);
    let quoted = text.split('"').filter(|word| (1..10).contains(&word.len())).map(quoted);
    words.chain(quoted).collect()
}

fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}

/// All that the crawler has seen.
#[derive(Default)]
struct Notes {
    seen: Vec<Seen>,
    /// Answers that were only the news that a file is as it was at its date.
    as_dated: usize,
    /// What is wrong with dates.
    faults: Vec<String>,
}

type Shared = Arc<Mutex<Notes>>;

/// A file's tag and date, as they were answered last.
#[derive(Clone, Default)]
struct Stamp {
    tag: String,
    date: Option<String>,
}

impl Notes {
    /// A date belongs to one content, changes only with it, and is over when it is told.
    fn stamped(&mut self, path: &str, before: Option<&Stamp>, asked_by_date: bool, answer: &str) -> Option<Stamp> {
        let line = |name: &str| header(answer, name).map(str::to_owned);
        let now = Stamp {
            tag: line("etag")?,
            date: line("last-modified"),
        };
        let mut fault = |what: &str| {
            let before = before.map(|before| (&before.tag, &before.date));
            self.faults
                .push(format!("{path}: {what}: {before:?}, then {:?} {:?}", now.tag, now.date));
        };
        if let Some(before) = before {
            if asked_by_date && answer.starts_with("HTTP/1.1 304") {
                if before.tag == now.tag {
                    self.as_dated += 1;
                } else {
                    fault("another content was said to be as old");
                }
            } else if before.date.is_some()
                && (before.tag == now.tag) != (before.date == now.date)
                && now.date.is_some()
            {
                fault("date and content do not change together");
            }
        }
        let seconds = |date: &str| {
            let parsed = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(date);
            parsed.expect("a date").as_second()
        };
        if let (Some(date), Some(told)) = (&now.date, line("date"))
            && seconds(date) > seconds(&told)
        {
            fault("it is of the future");
        }
        Some(now)
    }
}

/// Every address there is, and some that are not there, or not for the public.
fn addresses() -> Vec<String> {
    let mut all = Vec::new();
    for path in PATHS {
        let mut of = vec![(*path).to_owned()];
        // The last part of these is a file.
        for (name, values) in [
            ("{event}", vec!["open", "open.pgn", "closed.pgn"]),
            ("{round}", vec!["1", "1.pgn", "2", "2.pgn", "9.pgn"]),
            ("{board}", vec!["1.pgn", "2.pgn", "3.pgn", "9.pgn"]),
            (
                "{*path}",
                vec![
                    "tournament.json",
                    "round-1",
                    "round-1/index.json",
                    "round-1/game-1.json",
                    "round-1/game-2.json",
                    "round-1/game-3.pgn",
                    "round-1/games.pgn",
                    "round-9/index.json",
                ],
            ),
        ] {
            of = of
                .iter()
                .flat_map(|path| {
                    let with = |value: &&str| path.replace(name, value);
                    if path.contains(name) {
                        values.iter().map(with).collect()
                    } else {
                        vec![path.clone()]
                    }
                })
                .collect();
        }
        all.extend(of.into_iter().filter(|path| !path.ends_with("/feed")));
    }
    all.extend(
        [
            "/api/hall/tables?tables=1-2",
            "/metrics",
            "/arbiter",
            "/table/1",
            "/join",
            "/mqtt",
            "/api/hall/token",
            "/pgn/open/1/1",
            "/pgn/../journal",
            "/flagfall.arbiter.v1.ArbiterService/ListTables",
            "/flagfall.admin.v1.AdminService/GetHall",
        ]
        .map(str::to_owned),
    );
    all
}

/// Asks the public address everything, as often as it can, until it is stopped.
struct Crawler {
    notes: Shared,
    tasks: Vec<tokio::task::JoinHandle<()>>,
}

impl Crawler {
    fn begin(address: SocketAddr, hall: &HallHandle, seen: &Shared) -> Crawler {
        let mut tasks = Vec::new();
        let note = |seen: &Shared, hall: &HallHandle, asked: &str, text: &str| {
            let seen_now = Seen {
                at: hall.info().now,
                asked: asked.to_owned(),
                words: words(text),
            };
            seen.lock().expect("whole").seen.push(seen_now);
        };
        let (hall_of, seen_of) = (hall.clone(), Arc::clone(seen));
        tasks.push(tokio::spawn(async move {
            let all = addresses();
            let mut stamps: BTreeMap<String, Stamp> = BTreeMap::new();
            // By tag in one round, by date in the next.
            for by_date in [false, true].into_iter().cycle() {
                for path in &all {
                    let before = stamps.get(path).cloned();
                    let date = before
                        .as_ref()
                        .and_then(|before| before.date.clone())
                        .filter(|_| by_date);
                    let head = match (&date, &before) {
                        (Some(date), _) => format!("if-modified-since: {date}\r\n"),
                        (None, Some(before)) if !by_date => format!("if-none-match: {}\r\n", before.tag),
                        (None, _) => String::new(),
                    };
                    let Some(answer) = get(address, path, &head).await else {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                        continue;
                    };
                    note(&seen_of, &hall_of, path, &answer);
                    let mut notes = seen_of.lock().expect("whole");
                    if let Some(stamp) = notes.stamped(path, before.as_ref(), date.is_some(), &answer) {
                        stamps.insert(path.clone(), stamp);
                    }
                }
            }
        }));
        for path in [
            "/api/hall/feed",
            "/api/hall/feed?changes=moves",
            "/api/hall/feed?tables=2&from=1-1",
        ] {
            let (hall, seen) = (hall.clone(), Arc::clone(seen));
            tasks.push(tokio::spawn(async move {
                loop {
                    let Ok(mut stream) = TcpStream::connect(address).await else {
                        return;
                    };
                    let asked = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n");
                    if stream.write_all(asked.as_bytes()).await.is_err() {
                        continue;
                    }
                    let mut piece = vec![0; 1 << 20];
                    // Each piece as it comes: a word that is cut is seen by the others.
                    while let Ok(read @ 1..) = stream.read(&mut piece).await {
                        note(&seen, &hall, path, &String::from_utf8_lossy(&piece[..read]));
                    }
                }
            }));
        }
        for only_new_moves in [false, true] {
            let (hall, seen) = (hall.clone(), Arc::clone(seen));
            tasks.push(tokio::spawn(async move {
                let Ok(mut client) = FeedServiceClient::connect(format!("http://{address}")).await else {
                    return;
                };
                let request = feed::WatchHallRequest {
                    only_new_moves,
                    ..Default::default()
                };
                let Ok(stream) = client.watch_hall(request).await else {
                    return;
                };
                let mut stream = stream.into_inner();
                while let Ok(Some(message)) = stream.message().await {
                    note(&seen, &hall, "WatchHall", &format!("{message:?}"));
                    for table in 1..=TABLES {
                        let answer = client.get_table(feed::GetTableRequest { table }).await;
                        note(&seen, &hall, "GetTable", &format!("{answer:?}"));
                    }
                }
            }));
        }
        Crawler {
            notes: Arc::clone(seen),
            tasks,
        }
    }

    fn stop(self) {
        for task in self.tasks {
            task.abort();
        }
        drop(self.notes);
    }
}

/// A hall in which everything is noted that the public may know later only.
struct Organiser {
    hall: HallHandle,
    truth: Truth,
    calls: u32,
}

impl Organiser {
    fn of(hub: &RunningHub) -> Organiser {
        Organiser {
            hall: hub.handle.clone(),
            truth: Truth::default(),
            calls: 0,
        }
    }

    fn now(&self) -> HallTime {
        self.hall.info().now
    }

    async fn call(&mut self, command: Command) {
        self.calls += 1;
        let author = Author {
            name: "Vera".into(),
            role: PersonRole::ChiefArbiter,
            sector: None,
        };
        let call = Call {
            request: format!("call-{}", self.calls).parse().expect("an id"),
            author,
            command,
            until: None,
        };
        self.hall.call(call).await.expect("done");
    }

    fn secret(&mut self, word: &str, what: &str, board: Option<u32>, heard: HallTime) {
        let secret = Secret {
            what: what.to_owned(),
            board,
            heard,
        };
        self.truth.secrets.entry(word.to_owned()).or_insert(secret);
    }

    async fn name(&mut self, name: &str) {
        let heard = self.now();
        self.secret(name, "the event's name", None, heard);
        self.call(Command::PutEvent {
            event: event(),
            name: name.to_owned(),
            site: String::new(),
            date: String::new(),
            regulations: Regulations::default(),
        })
        .await;
    }

    async fn delay(&mut self, release: Release) {
        let before = self.now();
        self.call(Command::SetRelease {
            event: event(),
            round: None,
            release: Some(release.clone()),
        })
        .await;
        let after = self.now();
        for held in self
            .truth
            .delays
            .iter_mut()
            .filter(|held| held.until == HallTime(i64::MAX))
        {
            held.until = after;
        }
        let all = [(None, release.delay_ms)].into_iter();
        let boards = (1..=TABLES).map(|board| (Some(board), release.delay(board)));
        for (board, delay) in all.chain(boards) {
            self.truth.delays.push(Held {
                from: before,
                until: HallTime(i64::MAX),
                board,
                delay,
            });
        }
    }

    async fn start(&mut self, number: u32) {
        let heard = self.now();
        let mut player = |color: &str, table: u32| {
            let name = format!("{color}{number}x{table}");
            self.secret(&name, "a pairing", None, heard);
            Player {
                name,
                ..Player::default()
            }
        };
        let pairings = (1..=TABLES).map(|table| Pairing {
            table: TableNo(table),
            board: table,
            white: player("Wh", table),
            black: player("Bl", table),
            time_control: None,
            board_kind: Some(BoardKind::Pieces),
            variant: Default::default(),
            fen: None,
            game: None,
        });
        let command = Command::PutRound {
            event: event(),
            round: RoundNo(number),
            time_control: "20h+30s".into(),
            pairings: pairings.collect(),
        };
        self.call(command).await;
        self.call(Command::StartRound {
            event: event(),
            round: RoundNo(number),
            tables: None,
        })
        .await;
    }

    async fn act(&mut self, table: u32, what: Deed) {
        let revision = self.hall.arbiters().get(TableNo(table)).map(|at| at.view.revision);
        let act = Act {
            revision,
            reason: String::new(),
            what,
        };
        self.call(Command::Act {
            table: TableNo(table),
            act,
        })
        .await;
    }

    async fn moves(&mut self, table: u32, san: &str) {
        let heard = self.now();
        self.act(table, Deed::EnterMove { mv: san.to_owned() }).await;
        let what = format!("{san} at table {table}");
        self.secret(san, &what, Some(table), heard);
        let card = self.hall.screens().get(TableNo(table)).expect("shown");
        let uci = card.view.moves.last().expect("made").uci.clone();
        self.secret(&uci, &what, Some(table), heard);
        let placement = card.view.fen.split(' ').next().expect("a position").to_owned();
        self.secret(&placement, &what, Some(table), heard);
    }

    async fn result(&mut self, table: u32, result: &str) {
        let heard = self.now();
        let as_livechess = match result {
            "1-0" => "WHITEWIN",
            "0-1" => "BLACKWIN",
            _ => "DRAW",
        };
        self.secret(
            &quoted(as_livechess),
            &format!("{result} at table {table}"),
            Some(table),
            heard,
        );
        // Alone it could be the number of an event in the feed.
        self.secret(
            &quoted(result),
            &format!("{result} at table {table}"),
            Some(table),
            heard,
        );
        self.act(
            table,
            Deed::Decide {
                result: result.to_owned(),
            },
        )
        .await;
    }

    /// What was seen before it might be.
    fn leaks(&self, seen: &[Seen]) -> Vec<String> {
        let mut leaks = Vec::new();
        // The schema says what results there are.
        for seen in seen.iter().filter(|seen| !seen.asked.ends_with("schema.json")) {
            for (word, secret) in &self.truth.secrets {
                let earliest = self.truth.earliest(secret);
                if seen.at < earliest && seen.words.contains(word) {
                    leaks.push(format!(
                        "{} gave away {} ({word}) at {:?}; it was heard at {:?}, and may be known at {earliest:?}",
                        seen.asked, secret.what, seen.at, secret.heard
                    ));
                }
            }
        }
        leaks
    }
}

async fn pass(ms: u64) {
    tokio::time::sleep(Duration::from_millis(ms)).await;
}

/// How many half-moves the public sees at each table.
async fn public_moves(hub: &RunningHub) -> BTreeMap<u64, usize> {
    let answer = get(hub.public_addr.expect("served"), "/api/hall/tables", "")
        .await
        .expect("answered");
    let read: serde_json::Value = serde_json::from_str(body(&answer)).expect("JSON");
    let tables = read["tables"].as_array().expect("tables");
    tables
        .iter()
        .map(|table| {
            let moves = table["view"]["moves"].as_array().expect("moves").len();
            (table["table"].as_u64().expect("a number"), moves)
        })
        .collect()
}

fn delay(minutes: i64, slow: Millis) -> Release {
    Release {
        delay_ms: Millis::mins(minutes),
        boards: [(SLOW_BOARD, slow)].into(),
        ..Release::default()
    }
}

/// The first part of a round: the public sees none of it at its end.
async fn opening(organiser: &mut Organiser) {
    organiser.name("Maribor").await;
    organiser.delay(delay(15, SLOW_DELAY)).await;
    organiser.start(1).await;
    play(organiser, 8, 30).await;
}

/// So many half-moves at each table, with a pause after each round of them.
async fn play(organiser: &mut Organiser, plies: usize, pause: u64) {
    for ply in 0..plies {
        for (table, game) in (1..=TABLES).zip(GAMES) {
            organiser.moves(table, game[ply]).await;
        }
        pass(pause).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_younger_than_its_delay_is_had_from_any_public_address_in_any_order() {
    let data = tempfile::TempDir::new().expect("a folder");
    let mut hub = open(data.path()).await;
    let seen = Shared::default();
    let mut crawler = Crawler::begin(hub.public_addr.expect("served"), &hub.handle, &seen);
    let mut organiser = Organiser::of(&hub);
    opening(&mut organiser).await;
    organiser.name("Ljubljana").await;
    pass(700).await;
    organiser.result(1, "1-0").await;
    pass(500).await;

    // Over a restart, in the middle of the delay.
    let before = public_moves(&hub).await;
    crawler.stop();
    hub.stop().await;
    hub = open(data.path()).await;
    organiser.hall = hub.handle.clone();
    crawler = Crawler::begin(hub.public_addr.expect("served"), &hub.handle, &seen);
    let after = public_moves(&hub).await;
    for (table, moves) in &before {
        assert!(
            after[table] >= *moves,
            "the public has gone back at table {table}: {before:?}, then {after:?}"
        );
    }

    // A correction: the record goes back, and on in another way.
    organiser
        .act(
            2,
            Deed::Restore {
                to: Restoration::Keep(4),
            },
        )
        .await;
    organiser.act(2, Deed::Resume).await;
    for san in OTHERWISE {
        organiser.moves(2, san).await;
    }
    pass(900).await;
    // A longer delay freezes what is seen.
    organiser.delay(delay(60, Millis::mins(60))).await;
    pass(600).await;
    let frozen = public_moves(&hub).await;
    for san in &GAMES[2][8..10] {
        organiser.moves(3, san).await;
    }
    pass(1_200).await;
    assert_eq!(public_moves(&hub).await, frozen, "time stands still for the public");
    // A restart does not thaw it.
    crawler.stop();
    hub.stop().await;
    hub = open(data.path()).await;
    organiser.hall = hub.handle.clone();
    crawler = Crawler::begin(hub.public_addr.expect("served"), &hub.handle, &seen);
    assert_eq!(public_moves(&hub).await, frozen, "after a restart as before it");
    // The result is corrected, and the delay is made short: all comes, each in its time.
    organiser.result(1, "0-1").await;
    organiser.delay(delay(5, Millis::mins(10))).await;
    organiser.moves(3, GAMES[2][10]).await;
    organiser.result(2, "1/2-1/2").await;
    pass(2_500).await;
    let end = public_moves(&hub).await;
    assert_eq!(end, [(1, 8), (2, 6), (3, 11)].into());
    let answer = get(hub.public_addr.expect("served"), "/pgn/open/1.pgn", "")
        .await
        .expect("answered");
    for wanted in [
        "[Event \"Ljubljana\"]",
        "[Result \"0-1\"]",
        "[Result \"1/2-1/2\"]",
        "Wh1x3",
        "h4",
    ] {
        assert!(answer.contains(wanted), "{wanted} is missing in {answer}");
    }

    // Files that have not changed for more than a second have dates.
    pass(2_500).await;
    crawler.stop();
    let notes = std::mem::take(&mut *seen.lock().expect("whole"));
    assert!(
        notes.faults.is_empty(),
        "{} faults: {:#?}",
        notes.faults.len(),
        notes.faults.first()
    );
    assert!(
        notes.as_dated > 5,
        "only {} files were as old as their date",
        notes.as_dated
    );
    let seen = notes.seen;
    let leaks = organiser.leaks(&seen);
    assert!(
        leaks.is_empty(),
        "{} leaks:\n{}",
        leaks.len(),
        leaks[..leaks.len().min(20)].join("\n")
    );
    // It has looked everywhere, and would have found something.
    for path in addresses() {
        assert!(seen.iter().any(|seen| seen.asked == path), "{path} was never answered");
    }
    for asked in [
        "/api/hall/feed",
        "/api/hall/feed?changes=moves",
        "WatchHall",
        "GetTable",
        "/pgn/open/1/2.pgn",
        "/api/rounds",
    ] {
        let words = seen
            .iter()
            .filter(|seen| seen.asked == asked)
            .flat_map(|seen| &seen.words);
        let found: HashSet<&String> = words
            .filter(|word| organiser.truth.secrets.contains_key(*word))
            .collect();
        assert!(found.len() >= 5, "{asked} has told next to nothing: {found:?}");
    }
    println!("{} answers, {} secrets", seen.len(), organiser.truth.secrets.len());
    hub.stop().await;
}

/// The crawler is no better than what it can find: inside the hall nothing is held back.
#[tokio::test(flavor = "multi_thread")]
async fn the_crawler_finds_what_is_told_too_early() {
    let data = tempfile::TempDir::new().expect("a folder");
    let hub = open(data.path()).await;
    let seen = Shared::default();
    let crawler = Crawler::begin(hub.http_addr, &hub.handle, &seen);
    let mut organiser = Organiser::of(&hub);
    opening(&mut organiser).await;
    organiser.result(1, "1-0").await;
    pass(200).await;
    crawler.stop();
    let leaks = organiser.leaks(&seen.lock().expect("whole").seen);
    for wanted in [
        "/api/hall/feed gave away Nf3",
        "/api/hall/feed?changes=moves gave away Nf3",
        "/api/hall/tables gave away a pairing",
        "gave away 1-0 at table 1",
    ] {
        assert!(
            leaks.iter().any(|leak| leak.contains(wanted)),
            "nobody found that {wanted}"
        );
    }
    hub.stop().await;
}

/// Viewers know a game by its file: it stays the same game's though somebody is paired later at a lower board, over a restart too.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_keeps_its_file_though_somebody_is_paired_later_at_a_lower_board() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("out"));
    std::fs::create_dir(&out).expect("made");
    let settings = || {
        let mut config = common::config(&data);
        config.public.listen = Some(([127, 0, 0, 1], 0).into());
        config.livechess.folder = Some(out.clone());
        config
    };
    let mut hub = common::start(settings()).await;
    let mut organiser = Organiser::of(&hub);
    organiser.name("Maribor").await;
    let pairing = |board: u32| Pairing {
        table: TableNo(board),
        board,
        white: Player {
            name: format!("White {board}"),
            ..Player::default()
        },
        black: Player {
            name: format!("Black {board}"),
            ..Player::default()
        },
        time_control: None,
        board_kind: Some(BoardKind::Pieces),
        variant: Default::default(),
        fen: None,
        game: None,
    };
    let (event, round) = (event(), RoundNo(1));
    let command = Command::PutRound {
        event: event.clone(),
        round,
        time_control: "90m+30s".into(),
        pairings: vec![pairing(4), pairing(2)],
    };
    organiser.call(command).await;
    let command = Command::StartRound {
        event: event.clone(),
        round,
        tables: None,
    };
    organiser.call(command).await;
    organiser.moves(2, "e4").await;
    let whites = |text: &str| -> Vec<String> {
        let index: serde_json::Value = serde_json::from_str(text).expect("JSON");
        let pairings = index["pairings"].as_array().expect("pairings").iter();
        let name = |pairing: &serde_json::Value| pairing["white"]["lname"].as_str().expect("a name").to_owned();
        pairings.map(name).collect()
    };
    let mut late = false;
    for restarts in 0..2 {
        let wanted = if late {
            vec!["White 2", "White 4", "White 1"]
        } else {
            vec!["White 2", "White 4"]
        };
        let address = hub.public_addr.expect("served");
        let begun = Instant::now();
        loop {
            let index = get(address, "/livechess/open/round-1/index.json", "")
                .await
                .unwrap_or_default();
            let file = std::fs::read_to_string(out.join("open/round-1/index.json")).unwrap_or_default();
            let first = std::fs::read_to_string(out.join("open/round-1/game-1.json")).unwrap_or_default();
            if index.starts_with("HTTP/1.1 200")
                && whites(body(&index)) == wanted
                && !file.is_empty()
                && first.contains("e4")
            {
                if whites(&file) == wanted {
                    break;
                }
                // Between the two nobody gets another's file.
                assert_eq!(whites(&file)[..2], wanted[..2]);
            }
            assert!(begun.elapsed() < Duration::from_secs(10), "{index}");
            pass(20).await;
        }
        for (number, white) in (1..).zip(&wanted) {
            let path = format!("/livechess/open/round-1/game-{number}.pgn");
            let pgn = get(address, &path, "").await.expect("answered");
            assert!(pgn.contains(&format!("[White \"{white}\"]")), "{path}: {pgn}");
        }
        if restarts == 0 {
            let command = Command::AddPairing {
                event: event.clone(),
                round,
                pairing: Box::new(pairing(1)),
                white_time: None,
                black_time: None,
            };
            organiser.call(command).await;
            late = true;
            hub.stop().await;
            hub = common::start(settings()).await;
            organiser.hall = hub.handle.clone();
        }
    }
    // People read by board.
    let pgn = get(hub.public_addr.expect("served"), "/pgn/open/1.pgn", "")
        .await
        .expect("answered");
    let boards: Vec<String> = common::pgn::games(body(&pgn))
        .iter()
        .map(|game| game.tags["Board"].clone())
        .collect();
    assert_eq!(boards, ["1", "2", "4"]);
    hub.stop().await;
}

/// Until the public may know of a round, asking for it is like asking for one that will never be.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_held_back_is_answered_like_what_never_was() {
    let data = tempfile::TempDir::new().expect("a folder");
    let hub = open(data.path()).await;
    let mut organiser = Organiser::of(&hub);
    opening(&mut organiser).await;
    let address = hub.public_addr.expect("served");
    let undated = |answer: Option<String>| {
        let answer = answer.expect("answered");
        let lines = answer.lines().filter(|line| !line.starts_with("date: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    for (there, never) in [
        ("/pgn/open.pgn", "/pgn/shut.pgn"),
        ("/pgn/open/1.pgn", "/pgn/open/7.pgn"),
        ("/pgn/open/1/1.pgn", "/pgn/open/1/77.pgn"),
    ] {
        let (there, never) = (get(address, there, "").await, get(address, never, "").await);
        assert_eq!(undated(there), undated(never));
    }
    let mut client = FeedServiceClient::connect(format!("http://{address}"))
        .await
        .expect("connects");
    let mut told = Vec::new();
    for table in [1, 77] {
        let refused = client
            .get_table(feed::GetTableRequest { table })
            .await
            .expect_err("nothing is there");
        told.push((refused.code(), refused.message().replace(&table.to_string(), "N")));
    }
    assert_eq!(told[0], told[1]);
    for path in ["/metrics", "/arbiter", "/table/1", "/api/hall/token", "/mqtt"] {
        let answer = get(address, path, "").await.expect("answered");
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
    }
    hub.stop().await;
}

/// Where the settings say so, a finished game is told with its result, and a round with its end.
#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_and_an_ended_round_are_told_at_once_where_it_is_set() {
    let data = tempfile::TempDir::new().expect("a folder");
    let hub = open(data.path()).await;
    let mut organiser = Organiser::of(&hub);
    let release = Release {
        finished_at_once: true,
        ended_at_once: true,
        ..delay(15, SLOW_DELAY)
    };
    organiser.name("Maribor").await;
    organiser.delay(release).await;
    organiser.start(1).await;
    // The round itself is known.
    pass(2_600).await;
    for table in 1..=TABLES {
        organiser.moves(table, GAMES[table as usize - 1][0]).await;
    }
    organiser.result(1, "1-0").await;
    let begun = Instant::now();
    while public_moves(&hub).await.get(&1) != Some(&1) {
        assert!(
            begun.elapsed() < Duration::from_millis(900),
            "the finished game is not told"
        );
        pass(20).await;
    }
    assert_eq!(
        public_moves(&hub).await,
        [(1, 1), (2, 0), (3, 0)].into(),
        "only that game"
    );
    organiser
        .call(Command::EndRound {
            event: event(),
            round: RoundNo(1),
        })
        .await;
    let begun = Instant::now();
    while public_moves(&hub).await != [(1, 1), (2, 1), (3, 1)].into() {
        assert!(
            begun.elapsed() < Duration::from_millis(900),
            "the ended round is not told"
        );
        pass(20).await;
    }
    hub.stop().await;
}

/// The example for whoever reads the feed ends with what the hub itself says.
#[tokio::test(flavor = "multi_thread")]
async fn the_example_client_ends_with_what_the_public_may_know() {
    let data = tempfile::TempDir::new().expect("a folder");
    let hub = open(data.path()).await;
    let mut organiser = Organiser::of(&hub);
    organiser.name("Maribor").await;
    organiser.delay(delay(1, Millis::mins(2))).await;
    organiser.start(1).await;
    let address = hub.public_addr.expect("served");
    let client = tokio::process::Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/feed_client.py"))
        .args([format!("http://{address}"), "6".to_owned()])
        .output();
    let client = tokio::spawn(client);
    pass(1_500).await;
    play(&mut organiser, 4, 200).await;
    organiser
        .act(
            2,
            Deed::Restore {
                to: Restoration::Keep(1),
            },
        )
        .await;
    organiser.act(2, Deed::Resume).await;
    organiser.moves(2, "c5").await;
    organiser.result(1, "1/2-1/2").await;
    let output = client.await.expect("ran").expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    let told: serde_json::Value = serde_json::from_str(last).unwrap_or_else(|error| {
        panic!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr));
    });
    let answer = get(address, "/api/hall/tables", "").await.expect("answered");
    let read: serde_json::Value = serde_json::from_str(body(&answer)).expect("JSON");
    assert_eq!(told, read["tables"]);
    assert_eq!(told[1]["view"]["moves"].as_array().map(Vec::len), Some(2), "corrected");
    hub.stop().await;
}
