//! Simulated tables play real games at a hub of their own, over real MQTT and gRPC, and everything must be recorded as planned.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::config::Config;
use flagfall::hall::ids::EventId;
use flagfall::hall::model::PersonRole;
use flagfall::hub::Hub;
use flagfall::hub::archive::{self, ArchiveError};
use flagfall::sim::games;
use flagfall::sim::plan::{Ending, Game, plan};
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
    let mut config = Config::default();
    config.hall.data = data.to_owned();
    config.hall.speed = speed;
    config.listen.http = ([127, 0, 0, 1], 0).into();
    config.mqtt.listen = ([127, 0, 0, 1], 0).into();
    let hub = Hub::start(config).await.expect("the hub starts");
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
    let mut config = Config::default();
    config.hall.data = there.clone();
    config.listen.http = ([127, 0, 0, 1], 0).into();
    config.mqtt.listen = ([127, 0, 0, 1], 0).into();
    let hub = Hub::start(config).await.expect("the hub starts");
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

/// What a reader that is not ours makes of a game.
#[derive(Debug, Default)]
struct Read {
    tags: std::collections::BTreeMap<String, String>,
    /// SAN without check marks, and the seconds of `%clk`.
    moves: Vec<(String, Option<u64>)>,
    outcome: String,
}

struct Other;

impl pgn_reader::Visitor for Other {
    type Tags = Read;
    type Movetext = Read;
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, Read> {
        ControlFlow::Continue(Read::default())
    }

    fn tag(&mut self, read: &mut Read, name: &[u8], value: pgn_reader::RawTag<'_>) -> ControlFlow<Read> {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        read.tags.insert(String::from_utf8_lossy(name).into_owned(), value);
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, read: Read) -> ControlFlow<Read, Read> {
        ControlFlow::Continue(read)
    }

    fn san(&mut self, read: &mut Read, san: pgn_reader::SanPlus) -> ControlFlow<Read> {
        read.moves.push((san.san.to_string(), None));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, read: &mut Read, comment: pgn_reader::RawComment<'_>) -> ControlFlow<Read> {
        let words = String::from_utf8_lossy(comment.as_bytes()).into_owned();
        let clock = words.split("[%clk ").nth(1).and_then(|rest| rest.split(']').next());
        let seconds = clock.map(|clock| {
            let part = |seconds, part: &str| seconds * 60 + part.parse::<u64>().expect("a number");
            clock.split(':').fold(0, part)
        });
        if let (Some(last), Some(seconds)) = (read.moves.last_mut(), seconds) {
            last.1 = Some(seconds);
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, read: &mut Read, outcome: pgn_reader::Outcome) -> ControlFlow<Read> {
        read.outcome = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, read: Read) -> Read {
        read
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_that_were_played_go_out_as_pgn_with_the_same_moves_clocks_and_results_and_no_king_in_the_centre() {
    let games = with_every_ending();
    assert!(
        games.iter().any(|game| !game.kings.is_empty()),
        "one shows its result so"
    );
    let data = tempfile::tempdir().expect("a folder");
    let mut config = Config::default();
    config.hall.data = data.path().to_owned();
    config.hall.speed = 400.0;
    config.listen.http = ([127, 0, 0, 1], 0).into();
    config.mqtt.listen = ([127, 0, 0, 1], 0).into();
    let hub = Hub::start(config).await.expect("the hub starts");
    let token = hub
        .grant("simulation", PersonRole::ChiefArbiter)
        .await
        .expect("a token");
    let settings = Settings {
        hub: format!("http://{}", hub.http_addr),
        token: token.clone(),
        ..settings(8, BoardKind::Pieces)
    };
    let stop = CancellationToken::new();
    let report = run(&settings, games.clone(), Arc::new(Progress::default()), &stop).await;
    assert_holds(&report.unwrap_or_else(|trouble| panic!("{trouble}")));
    let channel = tonic::transport::Channel::from_shared(settings.hub.clone()).expect("an address");
    let mut admin = AdminServiceClient::new(channel.connect().await.expect("connects"));
    let mut read = Vec::new();
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
        let pgn = admin.export_event(request).await.expect("written").into_inner().content;
        let mut reader = pgn_reader::Reader::new(pgn.as_slice());
        while let Some(game) = reader.read_game(&mut Other).expect("PGN") {
            read.push(game);
        }
    }
    assert_eq!(read.len(), games.len());
    for game in &games {
        let planned: Vec<&str> = game.turns.iter().map(|turn| turn.san.as_str()).collect();
        // Two may have met twice.
        let is = |read: &&Read| {
            let moves = read.moves.iter().map(|(san, _)| san.as_str());
            read.tags["White"] == game.white.name && read.tags["Black"] == game.black.name && moves.eq(planned.clone())
        };
        let found = read.iter().find(is);
        let found = found.unwrap_or_else(|| panic!("{} is missing, or has other moves: {read:#?}", game.white.name));
        for (at, (turn, (san, clock))) in game.turns.iter().zip(&found.moves).enumerate() {
            let left = turn.by.fold_wb(turn.shows_ms[0], turn.shows_ms[1]).max(0);
            let shown = turn.pressed.then_some(left as u64 / 1000);
            // A game that has ended by itself takes no press.
            let ends = at + 1 == game.turns.len() && matches!(game.ending, Ending::OnTheBoard(_));
            let fits = *clock == shown || ends && clock.is_none();
            assert!(fits, "{}: {san}: {clock:?}, {shown:?}", game.white.name);
        }
        assert_eq!(found.tags["Result"], game.result, "{}", game.white.name);
    }
    hub.stop().await;
}
