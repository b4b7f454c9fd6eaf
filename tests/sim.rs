//! Simulated tables play real games at a hub of their own, over real MQTT and gRPC, and everything must be recorded as planned.

mod common;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::hall::ids::EventId;
use flagfall::hall::model::PersonRole;
use flagfall::hub::archive::{self, ArchiveError};
use flagfall::sim::games;
use flagfall::sim::plan::{Game, plan};
use flagfall::sim::progress::Progress;
use flagfall::sim::run::{Order, Report, Settings, run};
use flagfall::sim::table::BoardKind;
use flagfall::store;
use tokio_util::sync::CancellationToken;

const SEED: u64 = 11;

fn settings(tables: u32, board: BoardKind) -> Settings {
    Settings {
        hub: String::new(),
        token: String::new(),
        mqtt: None,
        tables,
        first_table: 1,
        board,
        split: false,
        scan_ms: 0,
        persistent: false,
        seed: SEED,
        order: Order::Rounds,
        event_name: "Test".to_owned(),
        name: None,
        patience: Duration::from_secs(60),
    }
}

/// Plays at a hub that runs at `speed` in a folder of its own.
async fn play(speed: f64, games: Vec<Game>, settings: Settings) -> Report {
    let data = tempfile::tempdir().expect("a folder");
    play_in(data.path(), speed, games, settings).await
}

async fn play_in(data: &Path, speed: f64, games: Vec<Game>, settings: Settings) -> Report {
    let mut config = common::config(data);
    config.hall.speed = speed;
    let hub = common::start(config).await;
    let token = hub
        .grant("simulation", PersonRole::ChiefArbiter)
        .await
        .expect("a token");
    let settings = Settings {
        hub: format!("http://{}", hub.http_addr),
        token,
        ..settings
    };
    let stop = CancellationToken::new();
    let report = run(&settings, games, Arc::new(Progress::default()), &stop).await;
    hub.stop().await;
    report.unwrap_or_else(|trouble| panic!("{trouble}"))
}

fn all() -> Vec<Game> {
    plan(&games::all().expect("reads"), SEED)
}

fn rounds(wanted: &[(&str, &str, &str)]) -> Vec<Game> {
    let is = |game: &Game, (file, round, white): &(&str, &str, &str)| {
        game.source.starts_with(file) && game.round == *round && game.white.name.starts_with(white)
    };
    let games: Vec<Game> = all()
        .into_iter()
        .filter(|game| wanted.iter().any(|which| is(game, which)))
        .collect();
    assert_eq!(games.len(), wanted.len());
    games
}

/// Games that end in all ways there are, some of them with the kings put into the centre.
fn with_every_ending() -> Vec<Game> {
    rounds(&[
        ("classical", "1.1", "Abu"),
        ("rapid", "4.8", "Lashkin"),
        ("blitz", "7.4", "Oro"),
        ("blitz", "8.4", "Brkic"),
        ("rapid", "4.1", "Kavin"),
        ("classical", "1.21", "Mandizha"),
        ("classical", "1.14", "Svane"),
        ("rapid", "5.5", "Brkic"),
    ])
}

fn assert_holds(report: &Report) {
    assert!(report.holds(), "{report:#?}");
    assert!(report.plies_recorded > 0 && report.reports_sent > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_opening_is_recorded_as_it_was_played_to_the_millisecond() {
    let games: Vec<Game> = all().into_iter().take(16).map(|game| game.until(24)).collect();
    assert_holds(&play(200.0, games, settings(8, BoardKind::Pieces)).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mates_flags_kings_in_the_centre_calls_and_forfeits_come_out_as_planned() {
    let games = with_every_ending();
    assert_holds(&play(400.0, games, settings(8, BoardKind::Pieces)).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn boards_that_know_only_taken_and_empty_give_the_same_record() {
    let games = rounds(&[
        ("rapid", "5.5", "Brkic"),
        ("rapid", "4.8", "Lashkin"),
        ("rapid", "6.6", "Nogerbek"),
        ("classical", "1.37", "Velten"),
    ]);
    assert_holds(&play(400.0, games, settings(4, BoardKind::Occupancy)).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_and_a_board_that_know_nothing_of_each_other_give_the_same_record() {
    // What two devices tell is put together by hall time, and a network's milliseconds are as many more of a quick hall.
    let games: Vec<Game> = all().into_iter().take(4).map(|game| game.until(6)).collect();
    assert_holds(
        &play(
            2.0,
            games,
            Settings {
                split: true,
                ..settings(4, BoardKind::Pieces)
            },
        )
        .await,
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_board_every_press_is_counted() {
    let games: Vec<Game> = all()
        .into_iter()
        .take(4)
        .map(|game| game.without_board().until(30))
        .collect();
    assert_holds(&play(200.0, games, settings(4, BoardKind::None)).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_half_move_takes_no_more_than_its_share_of_the_disk() {
    let data = tempfile::tempdir().expect("a folder");
    let games: Vec<Game> = all().into_iter().take(8).map(|game| game.until(30)).collect();
    let report = play_in(data.path(), 300.0, games, settings(8, BoardKind::Pieces)).await;
    assert_holds(&report);
    let written = store::verify(data.path()).expect("a journal").bytes;
    // Only what has been followed by another segment is packed.
    let opened = store::Store::open(data.path(), store::StoreOptions::default(), || 0).expect("opens");
    opened.store.close();
    let _bytes = store::pack_closed(data.path()).expect("packs");
    let packed = store::verify(data.path()).expect("a journal");
    let each = |bytes: u64| bytes / report.plies_recorded as u64;
    assert!(packed.damage.is_none() && packed.packed > 0, "{packed}");
    println!("{} bytes a half-move, {} packed", each(written), each(packed.bytes));
    assert!(each(written) < 4500, "{} bytes a half-move", each(written));
    assert!(
        each(packed.bytes) < 600,
        "{} bytes a half-move, packed",
        each(packed.bytes)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_goes_into_another_hall_as_one_file_with_nothing_secret_in_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let (here, there) = (folder.path().join("here"), folder.path().join("there"));
    let games: Vec<Game> = all().into_iter().take(4).map(|game| game.until(16)).collect();
    assert_holds(&play_in(&here, 200.0, games, settings(4, BoardKind::Pieces)).await);
    let records = |data: &Path, table_only: bool| {
        let entries = store::JournalReader::of_data(data).entries(1).expect("a journal");
        let entries = entries.map(|entry| entry.expect("it is whole").content);
        let entries = entries.filter(|content| !table_only || content.kind == store::EntryKind::Table);
        entries.collect::<Vec<_>>()
    };
    let text: String = records(&here, false)
        .iter()
        .map(|content| String::from_utf8_lossy(&content.payload).into_owned())
        .collect();
    let after = |key: &str| {
        let begin = text.find(key).expect("it is in the journal") + key.len();
        text[begin..begin + 64].to_owned()
    };
    let id: EventId = {
        let begin = text.find("{\"EventPut\":{\"event\":\"").expect("an event") + 22;
        let name = text[begin..].split('"').next().expect("a name");
        name.parse().expect("an id")
    };

    let file = folder.path().join("open.flagfall");
    let written = archive::export(&here, &id, &file, 5).expect("exports");
    assert_eq!((written.games, written.rounds), (4, 1));
    assert!(written.entries > 100 && written.under_way.is_empty());
    let mode = std::fs::metadata(&file).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(matches!(
        archive::export(&here, &id, &file, 5),
        Err(ArchiveError::Exists(_))
    ));
    let shown = std::process::Command::new("zcat")
        .arg(&file)
        .output()
        .expect("zcat is there");
    assert!(shown.status.success());
    let shown = String::from_utf8(shown.stdout).expect("text");
    assert!(shown.contains("\"white\""));
    for secret in [after("\"token_sha256\":\""), after("\"sha256\":\"")] {
        assert!(
            text.contains(&secret) && !shown.contains(&secret),
            "{secret} is in the file"
        );
    }
    assert!(!shown.contains("$7$") && !shown.contains("token_sha256"));

    // A hub's journal is written from a thread that may wait.
    let import = |data: &Path, file: &Path, name: Option<EventId>| {
        let (data, file) = (data.to_owned(), file.to_owned());
        let taken = tokio::task::spawn_blocking(move || archive::import(&data, &file, name.as_ref(), || 0));
        async move { taken.await.expect("it ends") }
    };
    // Changed or cut, it is refused, and the hall stays as it was.
    let bytes = std::fs::read(&file).expect("reads");
    let broken = folder.path().join("broken");
    for at in [0, 20, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        std::fs::write(&broken, changed).expect("writes");
        assert!(import(&there, &broken, None).await.is_err(), "byte {at}");
        std::fs::write(&broken, &bytes[..at]).expect("writes");
        assert!(import(&there, &broken, None).await.is_err(), "cut at {at}");
    }
    assert!(!there.exists());

    let taken = import(&there, &file, None).await.expect("imports");
    assert_eq!(
        (taken.games, taken.entries, taken.was_here),
        (4, written.entries, false)
    );
    let payloads = |data: &Path| {
        let of = |content: store::NewEntry| (content.game, content.table, content.payload);
        records(data, true).into_iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(payloads(&there), payloads(&here));
    assert!(import(&there, &file, None).await.expect("again").was_here);
    let other: EventId = "another".parse().expect("a name");
    let twice = import(&there, &file, Some(other))
        .await
        .expect_err("its games are here");
    assert!(twice.to_string().contains("imported before"), "{twice}");
    let back = import(&here, &file, None).await;
    assert!(back.expect("it is the same event").was_here);

    // A hub starts on it, and has the event and its games, at no table.
    let hub = common::start(common::config(&there)).await;
    let registry = hub.handle.registry();
    assert_eq!(registry.events[&id].rounds.len(), 1);
    assert_eq!(registry.games.len(), 4);
    assert!(registry.tables.values().all(|table| table.game.is_none()));
    drop(registry);
    hub.stop().await;
    let opened = store::Store::open(&there, store::StoreOptions::default(), || 0).expect("opens");
    let kept = opened.store.state().iter(store::Tree::Games).expect("reads").count();
    assert_eq!(kept, 4, "every game is kept as it ended");
    opened.store.close();
}

/// A game of `tests/games`, and what is true of it, as its README and a look at the score have it: how many of the half-moves in the file
/// were played (what follows are kings in the centre, a move after the flag or after the end), and how it ended.
struct True {
    file: &'static str,
    round: &'static str,
    white: &'static str,
    played: usize,
    result: &'static str,
    /// The last move ends the game: no press is due.
    ends: bool,
}

const fn of(file: &'static str, round: &'static str, white: &'static str, played: usize, result: &'static str) -> True {
    True {
        file,
        round,
        white,
        played,
        result,
        ends: false,
    }
}

const fn ended_by_itself(game: True) -> True {
    True { ends: true, ..game }
}

const TRUTH: [True; 13] = [
    ended_by_itself(of("classical", "1.1", "Abu", 34, "0-1")),
    of("rapid", "4.8", "Lashkin", 74, "0-1"),
    of("blitz", "7.4", "Oro", 53, "1-0"),
    of("blitz", "8.4", "Brkic", 104, "0-1"),
    of("rapid", "4.1", "Kavin", 146, "0-1"),
    of("classical", "1.21", "Mandizha", 0, "0-1"),
    of("classical", "1.14", "Svane", 1, "1-0"),
    ended_by_itself(of("rapid", "5.5", "Brkic", 170, "1/2-1/2")),
    // A legal king move that only shows the draw, and two of which the first is not legal.
    of("classical", "1.28", "Mendonca", 98, "1/2-1/2"),
    of("second-round", "9.10", "Lodici", 86, "1/2-1/2"),
    // The clock in that hall added the second half-hour by a rule of its own: long after the 40th move, for one side only, never.
    of("second-round", "10.27", "Abasov", 92, "0-1"),
    of("classical", "1.36", "Piorun", 101, "1/2-1/2"),
    of("rapid", "6.6", "Nogerbek", 87, "0-1"),
];

impl True {
    fn is(&self, white: &str, round: &str) -> bool {
        white.starts_with(self.white) && round == self.round
    }

    /// What the clock shows after each half-move, in whole seconds: what the score says, and half an hour more from a player's own 40th
    /// press until the clock in that hall had added it. Where the score says nothing, and at an end without a press, there is nothing to hold
    /// it against.
    fn clocks(&self, score: &common::pgn::Seen) -> Vec<Option<u64>> {
        let has_second_period = matches!(self.file, "classical" | "second-round");
        let (mut owed, mut last) = ([0; 2], [None; 2]);
        let clock = |(at, told): (usize, &Option<u64>)| {
            let side = at % 2;
            if has_second_period && at / 2 + 1 == 40 {
                owed[side] = 1800;
            }
            let told = (*told)?;
            // More than the increment and most of half an hour has come, though time was spent.
            let spent = score.spent[at].unwrap_or(0);
            if last[side].is_some_and(|before: u64| told + spent > before + 30 + 900) {
                owed[side] = 0;
            }
            last[side] = Some(told);
            let unpressed = self.ends && at + 1 == self.played;
            (!unpressed).then_some(told + owed[side])
        };
        score.clocks[..self.played].iter().enumerate().map(clock).collect()
    }

    fn score(&self) -> common::pgn::Seen {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/games/{}.pgn", self.file));
        let games = common::pgn::games(&std::fs::read_to_string(file).expect("a file of games"));
        let mut own = games
            .into_iter()
            .filter(|game| self.is(&game.tags["White"], &game.tags["Round"]));
        own.next_back().expect("it is there")
    }

    /// What is not as it was.
    fn differences(&self, read: &common::pgn::Seen) -> Vec<String> {
        let score = self.score();
        let mut found: Vec<String> = read.errors.clone();
        if read.moves != score.moves[..self.played] {
            found.push(format!("moves {:?}", read.moves));
        }
        if [&read.tags["Result"], &read.outcome] != [self.result; 2] {
            found.push(format!("result {} and {}", read.tags["Result"], read.outcome));
        }
        for (at, (clock, truth)) in read.clocks.iter().zip(self.clocks(&score)).enumerate() {
            // A clock that the score does not have is there all the same, but for the last move of all.
            let fits = match truth {
                Some(_) => *clock == truth,
                None => clock.is_some() || at + 1 == self.played && self.ends,
            };
            if !fits {
                found.push(format!("{} ({at}): {clock:?}, not {truth:?}", read.moves[at]));
            }
        }
        found
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_that_were_played_go_out_as_pgn_with_the_same_moves_clocks_and_results_and_no_king_in_the_centre() {
    let wanted: Vec<_> = TRUTH.iter().map(|game| (game.file, game.round, game.white)).collect();
    let games = rounds(&wanted);
    assert!(games.iter().filter(|game| !game.kings.is_empty()).count() >= 2);
    let data = tempfile::tempdir().expect("a folder");
    let mut config = common::config(data.path());
    config.hall.speed = 300.0;
    let hub = common::start(config).await;
    let token = hub
        .grant("simulation", PersonRole::ChiefArbiter)
        .await
        .expect("a token");
    let settings = Settings {
        hub: format!("http://{}", hub.http_addr),
        token: token.clone(),
        ..settings(TRUTH.len() as u32, BoardKind::Pieces)
    };
    let stop = CancellationToken::new();
    let report = run(&settings, games, Arc::new(Progress::default()), &stop).await;
    let report = report.unwrap_or_else(|trouble| panic!("{trouble}"));
    let differ = (report.san_differs, report.presses_time_differs, report.results_differ);
    assert_eq!(differ, (0, 0, 0), "{report:#?}");
    let mut admin = AdminServiceClient::new(common::channel(settings.hub.clone()).await);
    let mut pgn = String::new();
    let events: Vec<String> = hub.handle.registry().events.keys().map(ToString::to_string).collect();
    for event in events {
        let mut request = tonic::Request::new(flagfall::api::proto::admin::v1::ExportEventRequest {
            event,
            round: 0,
            format: flagfall::api::proto::admin::v1::ExportFormat::Pgn.into(),
            elapsed_times: true,
        });
        let bearer = format!("Bearer {token}").parse().expect("a token");
        request.metadata_mut().insert("authorization", bearer);
        let content = admin.export_event(request).await.expect("written").into_inner().content;
        pgn.push_str(&String::from_utf8(content).expect("text"));
        pgn.push('\n');
    }
    hub.stop().await;
    let readers = [
        ("pgn-reader", Some(common::pgn::games(&pgn))),
        ("python-chess", common::pgn::games_by_python_chess(&pgn)),
    ];
    for (reader, read) in readers.into_iter().filter_map(|(name, read)| Some((name, read?))) {
        assert_eq!(read.len(), TRUTH.len(), "{reader}");
        let mut clocks = 0;
        for game in &TRUTH {
            let white = &game.score().tags["White"];
            let black = &game.score().tags["Black"];
            let own = read
                .iter()
                .filter(|read| read.tags["White"] == *white && read.tags["Black"] == *black);
            // Two may have met twice: the one that fits best is meant.
            let least = own.map(|read| game.differences(read)).min_by_key(Vec::len);
            let differences = least.unwrap_or_else(|| vec!["it is missing".to_owned()]);
            assert!(
                differences.is_empty(),
                "{reader}, {white} ({}): {differences:#?}",
                game.round
            );
            clocks += game.clocks(&game.score()).iter().flatten().count();
        }
        println!("{reader}: {} games and {clocks} clocks as they were", read.len());
    }
}
