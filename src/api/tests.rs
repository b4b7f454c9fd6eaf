//! The services on a real port, called by real clients, over a hall that answers as it is told to.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};
use tonic_types::StatusExt as _;

use super::proto::admin::v1 as admin;
use super::proto::admin::v1::admin_service_client::AdminServiceClient;
use super::proto::arbiter::v1 as arbiter;
use super::proto::arbiter::v1::arbiter_service_client::ArbiterServiceClient;
use super::proto::arbiter::v1::watch_tables_response::Update as Told;
use super::proto::feed::v1 as feed;
use super::proto::feed::v1::feed_service_client::FeedServiceClient;
use super::{Surroundings, listener, routes};
use crate::chess::Color;
use crate::game::BoardKind;
use crate::game::account::{Account, Outcome};
use crate::game::audience::{ArbiterView, ClockView, HallView, Item};
use crate::game::input::Deed;
use crate::game::item::{Kind, Matter, Ruling};
use crate::hall::handle::sha256_hex;
use crate::hall::model::{Player, Side, Table};
use crate::hall::{
    Answer, ArbiterTable, Call, CallError, CallReason, Command, HallHandle, HallInfo, Person, PersonRole, Registry,
    RoundNo, TableCard, TableNo,
};
use crate::laws::{GameResult, Termination};
use crate::time::{HallTime, Millis};

const PEOPLE: [(&str, PersonRole, Option<&str>); 5] = [
    ("chief", PersonRole::ChiefArbiter, None),
    ("anna", PersonRole::Arbiter, Some("A")),
    ("tech", PersonRole::Technician, None),
    ("recorder", PersonRole::Recorder, None),
    ("screen", PersonRole::Screen, None),
];

/// A hall with tables 1 (sector A) and 2 (sector B), on a port of its own.
struct Hall {
    handle: HallHandle,
    calls: Arc<Mutex<Vec<Call>>>,
    address: SocketAddr,
    stop: CancellationToken,
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// What a hall answers.
type Answers = Box<dyn Fn(&Call) -> Result<Answer, CallError> + Send>;

impl Hall {
    async fn start(answers: impl Fn(&Call) -> Result<Answer, CallError> + Send + 'static) -> Hall {
        Hall::start_with(Some(Box::new(answers))).await
    }

    /// `None`: a hall that never answers.
    async fn start_with(answers: Option<Answers>) -> Hall {
        let (sender, mut asked) = mpsc::channel(8);
        let info = HallInfo {
            name: "hall".to_owned(),
            epoch: 3,
            speed: 1.0,
            now: HallTime(0),
            insecure: false,
        };
        let handle = HallHandle::new(sender, info, Box::new(|| HallTime(77)), Box::new(|| 1_000));
        handle.set_registry(Arc::new(registry()));
        for (table, sector) in [(1, "A"), (2, "B")] {
            publish(&handle, 10, table, sector, "*");
        }
        let calls = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&calls);
        tokio::spawn(async move {
            while let Some((call, answer)) = asked.recv().await {
                match &answers {
                    Some(answers) => drop(answer.send(answers(&call))),
                    None => std::mem::forget(answer),
                }
                kept.lock().expect("no test panics with it").push(call);
            }
        });
        let surroundings = Surroundings {
            mqtt_url: "mqtt://127.0.0.1:1883".to_owned(),
            journal_head: Arc::new(|| (41, "ab".to_owned())),
            past_games: Arc::new(|_| None),
            language: crate::words::Language::English,
            records: Arc::new(|which| Err(CallError::new(CallReason::NoGame, which.to_string()))),
        };
        let port = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = port.local_addr().expect("an address");
        let stop = CancellationToken::new();
        let router = routes(handle.clone(), surroundings);
        tokio::spawn(listener::serve(
            port,
            router,
            None,
            None,
            stop.clone().cancelled_owned(),
        ));
        Hall {
            handle,
            calls,
            address,
            stop,
        }
    }

    async fn channel(&self) -> Channel {
        let endpoint = tonic::transport::Endpoint::try_from(format!("http://{}", self.address)).expect("an address");
        endpoint.connect().await.expect("connects")
    }

    async fn arbiter(&self) -> ArbiterServiceClient<Channel> {
        ArbiterServiceClient::new(self.channel().await)
    }

    fn calls(&self) -> Vec<Call> {
        self.calls.lock().expect("no test panics with it").clone()
    }
}

fn registry() -> Registry {
    let mut registry = Registry::default();
    for (name, role, sector) in PEOPLE {
        let person = Person {
            name: name.to_owned(),
            role,
            sector: sector.map(str::to_owned),
            also: Vec::new(),
            token_sha256: sha256_hex(name),
            expires_unix_ms: None,
        };
        registry.people.insert(name.to_owned(), person);
    }
    let late = Person {
        name: "late".to_owned(),
        role: PersonRole::ChiefArbiter,
        sector: None,
        also: Vec::new(),
        token_sha256: sha256_hex("late"),
        expires_unix_ms: Some(999),
    };
    registry.people.insert("late".to_owned(), late);
    for (number, sector) in [(1, "A"), (2, "B")] {
        let table = Table {
            number: TableNo(number),
            sector: sector.to_owned(),
            clock: None,
            board: None,
            white_side: Side::Left,
            board_turned: false,
            game: None,
        };
        registry.tables.insert(TableNo(number), table);
    }
    registry
}

fn publish(handle: &HallHandle, position: u64, table: u32, sector: &str, result: &str) {
    let clocks = ClockView {
        white: Millis::mins(90),
        black: Millis::mins(90),
        running: None,
        as_of: HallTime(5),
        delay_until: None,
        no_signal: false,
    };
    let player = |name: &str| Player {
        name: name.to_owned(),
        ..Player::default()
    };
    let card = TableCard {
        table: TableNo(table),
        event: "open".parse().expect("an id"),
        event_name: "Open".to_owned(),
        round: RoundNo(1),
        board: table,
        white: player("A"),
        black: player("B"),
        game: Some(crate::hall::GameId(uuid::Uuid::from_u128(u128::from(table)))),
        white_points: None,
        black_points: None,
        view: HallView {
            fen: "8/8/8/8/8/8/8/K1k5 w".to_owned(),
            moves: Vec::new(),
            clocks,
            result: "*".to_owned(),
            started: true,
            paused: false,
        },
    };
    let item = Item {
        number: 1,
        revision: 1,
        kind: "flag".to_owned(),
        of: Some(Color::White),
        certain: table == 2,
        articles: vec!["6.8".to_owned()],
        what: "White's flag has fallen.".to_owned(),
        proposal: "Black wins.".to_owned(),
        since: HallTime(4),
        taken: None,
        evidence: Vec::new(),
        effect: crate::game::audience::Effect::default(),
        until_answered: false,
        account: Some(Box::new(flag_account(table == 2))),
    };
    let view = ArbiterView {
        fen: "8/8/8/8/8/8/8/K1k5 w - -".to_owned(),
        turn: Color::White,
        moves: Vec::new(),
        clocks,
        completed: (0, 0),
        period: (0, 0),
        result: result.to_owned(),
        termination: None,
        ended: None,
        rated: true,
        illegal: (0, 0),
        items: vec![item],
        draw_offer: None,
        must_play: String::new(),
        players_told: Vec::new(),
        revision: 1,
        orders: Vec::new(),
        answered: Vec::new(),
        check: None,
        parked: None,
        started: Some(HallTime(1)),
        rulings: Vec::new(),
        sensed: None,
        absent: (false, false),
        time_control: "90m+30s".to_owned(),
        appeals: Vec::new(),
        masked: Vec::new(),
        without_board: false,
        starts: Vec::new(),
    };
    handle.screens().publish(position, TableNo(table), card.clone());
    let table_of_arbiters = ArbiterTable {
        card,
        view,
        sector: sector.to_owned(),
        clock_device: None,
        board_device: None,
        white_side: Side::Left,
        board_turned: false,
    };
    handle.arbiters().publish(position, TableNo(table), table_of_arbiters);
}

fn flag_account(certain: bool) -> Account {
    Account {
        kind: Kind::Flag,
        of: Some(Color::White),
        certain,
        doubt: None,
        observed: false,
        matter: Matter::Flag {
            period: 0,
            frozen: true,
            missing: None,
            by_clock: false,
            unordered: None,
            seen_only: false,
        },
        proposal: Ruling::End {
            result: GameResult::BlackWins,
            termination: Termination::Flag,
            by_material: false,
        },
        limited: false,
        board: BoardKind::Pieces,
        default_time: Millis::ZERO,
        quickplay_time: Millis::mins(2),
        other_flag: None,
        offence: None,
        occurrences: Vec::new(),
        claimed: Vec::new(),
        counted_from: None,
        squares: Vec::new(),
        recorded: None,
        mate: None,
        outcome: Outcome::default(),
    }
}

/// A request with a token.
fn by<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request
        .metadata_mut()
        .insert("authorization", format!("Bearer {token}").parse().expect("a token"));
    request
}

fn pause(table: u32) -> arbiter::PauseGameRequest {
    arbiter::PauseGameRequest {
        request_id: "r-1".to_owned(),
        reason: "noise".to_owned(),
        table,
    }
}

fn reason(status: &Status) -> String {
    status
        .get_details_error_info()
        .map(|info| info.reason)
        .unwrap_or_default()
}

fn well(_: &Call) -> Result<Answer, CallError> {
    Ok(Answer {
        position: 42,
        revision: Some(2),
        ..Answer::default()
    })
}

#[tokio::test]
async fn nobody_gets_in_without_a_good_token() {
    let hall = Hall::start(well).await;
    let mut client = hall.arbiter().await;
    let status = client.pause_game(pause(1)).await.expect_err("no token");
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::Unauthenticated, "NO_TOKEN".to_owned())
    );
    for token in ["nonsense", "late"] {
        let status = client
            .pause_game(by(token, pause(1)))
            .await
            .expect_err("not a good token");
        assert_eq!(
            (status.code(), reason(&status)),
            (Code::Unauthenticated, "NO_TOKEN".to_owned()),
            "{token}"
        );
    }
    assert_eq!(hall.calls(), []);
}

#[tokio::test]
async fn a_role_gets_what_its_line_says_and_no_more() {
    let hall = Hall::start(well).await;
    let mut client = hall.arbiter().await;
    for token in ["screen", "recorder", "tech"] {
        let status = client.pause_game(by(token, pause(1))).await.expect_err("not his");
        assert_eq!(
            (status.code(), reason(&status)),
            (Code::PermissionDenied, "NOT_ALLOWED".to_owned()),
            "{token}"
        );
    }
    let reopen = arbiter::ReopenGameRequest {
        request_id: "x".to_owned(),
        table: 1,
        ..Default::default()
    };
    let status = client
        .reopen_game(by("anna", reopen.clone()))
        .await
        .expect_err("the chief's");
    assert!(status.message().contains("chief-arbiter"), "{status}");
    client.reopen_game(by("chief", reopen)).await.expect("the chief may");
    assert_eq!(hall.calls().len(), 1);
}

#[tokio::test]
async fn an_act_reaches_the_hall_with_author_reason_and_id() {
    let hall = Hall::start(well).await;
    let mut client = hall.arbiter().await;
    let answer = client
        .pause_game(by("anna", pause(1)))
        .await
        .expect("done")
        .into_inner();
    assert_eq!(
        answer.receipt.map(|receipt| (receipt.position, receipt.revision)),
        Some((42, Some(2)))
    );
    let call = &hall.calls()[0];
    assert_eq!((call.request.as_str(), call.author.name.as_str()), ("r-1", "anna"));
    let Command::Act { table, act } = &call.command else {
        panic!("{call:?}")
    };
    assert_eq!(
        (*table, &act.what, act.reason.as_str()),
        (TableNo(1), &Deed::Pause, "noise")
    );
}

#[tokio::test]
async fn a_refusal_of_the_hall_is_told_with_its_details() {
    let stale = |_: &Call| {
        let mut error = CallError::new(
            CallReason::StaleRevision,
            "table 1: Black was given +2:00 meanwhile; look again",
        );
        error.current_revision = Some(9);
        Err(error)
    };
    let hall = Hall::start(stale).await;
    let mut client = hall.arbiter().await;
    let request = arbiter::SetResultRequest {
        request_id: "x".to_owned(),
        table: 1,
        revision: 8,
        result: "1-0".to_owned(),
        ..Default::default()
    };
    let status = client.set_result(by("chief", request)).await.expect_err("stale");
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::Aborted, "STALE_REVISION".to_owned())
    );
    let info = status.get_details_error_info().expect("info");
    assert_eq!(info.metadata.get("current_revision").map(String::as_str), Some("9"));
    assert!(status.message().contains("+2:00"), "what has changed");
}

#[tokio::test]
async fn a_call_without_a_request_id_or_with_a_bad_field_names_the_field() {
    let hall = Hall::start(well).await;
    let mut client = hall.arbiter().await;
    let mut request = pause(1);
    request.request_id.clear();
    let status = client.pause_game(by("chief", request)).await.expect_err("no id");
    let fields = status.get_details_bad_request().expect("fields").field_violations;
    assert_eq!(
        (status.code(), fields[0].field.as_str()),
        (Code::InvalidArgument, "request_id")
    );
    let status = client.pause_game(by("chief", pause(0))).await.expect_err("no table");
    assert_eq!(
        status.get_details_bad_request().expect("fields").field_violations[0].field,
        "table"
    );
}

#[tokio::test]
async fn an_arbiter_of_a_sector_acts_and_sees_there_only() {
    let hall = Hall::start(well).await;
    let mut client = hall.arbiter().await;
    let status = client
        .pause_game(by("anna", pause(2)))
        .await
        .expect_err("another sector");
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::PermissionDenied, "NOT_ALLOWED".to_owned())
    );
    let tables = client
        .list_tables(by("anna", arbiter::ListTablesRequest::default()))
        .await
        .expect("hers")
        .into_inner();
    assert_eq!(numbers(&tables), [1]);
    let request = arbiter::GetGameRequest {
        which: Some(arbiter::get_game_request::Which::Table(2)),
    };
    assert_eq!(
        client.get_game(by("anna", request)).await.expect_err("not hers").code(),
        Code::PermissionDenied
    );

    let request = arbiter::PauseTablesRequest {
        request_id: "fire".to_owned(),
        reason: "fire".to_owned(),
        tables: vec![1, 2],
    };
    let answers = client
        .pause_tables(by("anna", request))
        .await
        .expect("answered")
        .into_inner()
        .answers;
    use arbiter::table_answer::Answer as One;
    assert!(matches!(answers[0].answer, Some(One::Done(_))), "{answers:?}");
    let Some(One::Refused(refusal)) = &answers[1].answer else {
        panic!("{answers:?}")
    };
    assert_eq!(refusal.reason(), arbiter::ErrorReason::NotAllowed);
    assert_eq!(
        hall.calls()
            .iter()
            .map(|call| call.request.as_str().to_owned())
            .collect::<Vec<_>>(),
        ["fire/1"]
    );

    let request = arbiter::StartRoundRequest {
        request_id: "s".to_owned(),
        event: "open".to_owned(),
        round: 1,
        tables: vec![],
    };
    assert_eq!(
        client
            .start_round(by("anna", request))
            .await
            .expect_err("whole hall")
            .code(),
        Code::PermissionDenied
    );
}

fn numbers(answer: &arbiter::ListTablesResponse) -> Vec<u32> {
    answer
        .tables
        .iter()
        .filter_map(|table| table.hall.as_ref())
        .map(|hall| hall.table)
        .collect()
}

#[tokio::test]
async fn tables_come_by_urgency_and_in_pages() {
    let hall = Hall::start(well).await;
    let mut client = hall.arbiter().await;
    let mut request = arbiter::ListTablesRequest {
        page_size: 1,
        ..Default::default()
    };
    let first = client
        .list_tables(by("chief", request.clone()))
        .await
        .expect("a page")
        .into_inner();
    assert_eq!(numbers(&first), [2], "the certain item first");
    request.page_token = first.next_page_token;
    let second = client
        .list_tables(by("chief", request))
        .await
        .expect("a page")
        .into_inner();
    assert_eq!((numbers(&second), second.next_page_token.as_str()), (vec![1], ""));
}

/// The tables as this person sees them.
async fn watching(
    client: &mut ArbiterServiceClient<Channel>,
    who: &str,
    request: arbiter::WatchTablesRequest,
) -> tonic::Streaming<arbiter::WatchTablesResponse> {
    let watched = client.watch_tables(by(who, request)).await;
    watched.expect("watches").into_inner()
}

async fn until_end(stream: &mut tonic::Streaming<arbiter::WatchTablesResponse>) -> (Vec<u32>, feed::SnapshotEnd) {
    let mut tables = Vec::new();
    loop {
        match stream.message().await.expect("goes on").expect("does not end").update {
            Some(Told::Snapshot(table)) => tables.push(table.hall.unwrap_or_default().table),
            Some(Told::SnapshotEnd(end)) => return (tables, end),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_watcher_gets_a_snapshot_then_changes_and_resumes_where_he_was() {
    let hall = Hall::start(well).await;
    let mut client = hall.arbiter().await;
    let request = arbiter::WatchTablesRequest::default();
    let mut stream = watching(&mut client, "chief", request).await;
    let (tables, end) = until_end(&mut stream).await;
    assert_eq!(tables, [1, 2]);
    let place = end.place.expect("a place");
    assert_eq!(place.epoch, 3);

    publish(&hall.handle, 11, 2, "B", "0-1");
    let Some(Told::Changed(changed)) = stream.message().await.expect("goes on").expect("open").update else {
        panic!("no change")
    };
    assert_eq!(changed.place.map(|place| place.position), Some(11));
    let table = changed.table.expect("a table");
    assert_eq!(table.game.expect("a game").result, "0-1");
    assert_eq!(
        table.hall.expect("the hall's view").result,
        "*",
        "the hall is not told before"
    );
    drop(stream);

    publish(&hall.handle, 12, 1, "A", "1-0");
    let resume = Some(feed::Place { epoch: 3, position: 11 });
    let request = arbiter::WatchTablesRequest {
        resume,
        tables: Vec::new(),
        brief: false,
    };
    let mut stream = watching(&mut client, "chief", request).await;
    let (tables, end) = until_end(&mut stream).await;
    assert!(tables.is_empty() && !end.reset, "no snapshot");
    let mut seen = Vec::new();
    while seen.last() != Some(&12) {
        match stream.message().await.expect("goes on").expect("open").update {
            Some(Told::Changed(changed)) => seen.push(changed.place.expect("a place").position),
            other => panic!("{other:?}"),
        }
    }

    let resume = Some(feed::Place { epoch: 2, position: 11 });
    let request = arbiter::WatchTablesRequest {
        resume,
        tables: vec![1],
        brief: false,
    };
    let mut stream = watching(&mut client, "chief", request).await;
    let (tables, end) = until_end(&mut stream).await;
    assert_eq!((tables, end.reset), (vec![1], true), "another epoch");
}

#[tokio::test]
async fn the_stream_of_a_revoked_person_ends() {
    let hall = Hall::start(well).await;
    let mut client = hall.arbiter().await;
    let mut stream = watching(&mut client, "anna", Default::default()).await;
    assert_eq!(until_end(&mut stream).await.0, [1]);
    let mut without = registry();
    without.people.remove("anna");
    hall.handle.set_registry(Arc::new(without));
    // Nothing happens at any table: it ends all the same.
    let ended = tokio::time::timeout(Duration::from_secs(2), stream.message());
    let status = ended.await.expect("at once").expect_err("told that it ends");
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::Unauthenticated, "NO_TOKEN".to_owned())
    );
    assert!(stream.message().await.expect("ended").is_none());
}

#[tokio::test]
async fn a_table_that_leaves_the_sector_is_taken_from_its_arbiter() {
    let hall = Hall::start(well).await;
    let mut client = hall.arbiter().await;
    let mut stream = watching(&mut client, "anna", Default::default()).await;
    until_end(&mut stream).await;
    publish(&hall.handle, 20, 2, "B", "1-0");
    publish(&hall.handle, 21, 1, "B", "1-0");
    let Some(Told::Removed(removed)) = stream.message().await.expect("goes on").expect("open").update else {
        panic!("not taken")
    };
    assert_eq!(removed.table, 1);
}

#[tokio::test]
async fn a_screen_sees_the_hall_and_no_items() {
    let hall = Hall::start(well).await;
    let mut client = FeedServiceClient::new(hall.channel().await);
    let table = client
        .get_table(by("screen", feed::GetTableRequest { table: 2 }))
        .await
        .expect("shown")
        .into_inner();
    assert_eq!(table.table.expect("a table").result, "*");
    let status = client
        .get_table(by("screen", feed::GetTableRequest { table: 9 }))
        .await
        .expect_err("none such");
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::NotFound, "NO_SUCH_TABLE".to_owned())
    );
    let request = feed::WatchHallRequest {
        tables: vec![2],
        ..Default::default()
    };
    let mut stream = client
        .watch_hall(by("screen", request))
        .await
        .expect("watches")
        .into_inner();
    use feed::watch_hall_response::Update;
    let first = stream.message().await.expect("goes on").expect("open").update;
    assert!(matches!(first, Some(Update::Snapshot(table)) if table.table == 2));
    let end = stream.message().await.expect("goes on").expect("open").update;
    assert!(matches!(end, Some(Update::SnapshotEnd(_))));
}

#[tokio::test]
async fn a_quiet_stream_beats_with_the_halls_time() {
    let hall = Hall::start(well).await;
    let mut client = hall.arbiter().await;
    let mut stream = watching(&mut client, "chief", Default::default()).await;
    until_end(&mut stream).await;
    let beat = tokio::time::timeout(Duration::from_secs(8), stream.message())
        .await
        .expect("in time");
    let Some(Told::Heartbeat(beat)) = beat.expect("goes on").expect("open").update else {
        panic!("no heartbeat")
    };
    assert_eq!(beat.now_ms, 77);
}

#[tokio::test]
async fn the_hall_says_where_devices_connect_and_what_its_head_is() {
    let hall = Hall::start(well).await;
    let mut client = AdminServiceClient::new(hall.channel().await);
    let hall_said = client
        .get_hall(by("screen", admin::GetHallRequest {}))
        .await
        .expect("told")
        .into_inner();
    assert_eq!(
        (hall_said.name.as_str(), hall_said.epoch, hall_said.now_ms),
        ("hall", 3, 77)
    );
    assert_eq!(hall_said.mqtt_url, "mqtt://127.0.0.1:1883");
    assert_eq!(hall_said.journal_head.map(|head| head.position), Some(41));
}

#[tokio::test]
async fn a_round_that_is_only_checked_does_not_reach_the_hall() {
    let hall = Hall::start(well).await;
    let mut client = AdminServiceClient::new(hall.channel().await);
    let request = admin::PutRoundRequest {
        request_id: "r".to_owned(),
        event: "open".to_owned(),
        number: 1,
        time_control: "90m+30s".to_owned(),
        source: Some(admin::put_round_request::Source::Csv(
            "table,white,black\n1,A,B\n".to_owned(),
        )),
        validate_only: true,
    };
    let round = client
        .put_round(by("chief", request))
        .await
        .expect("sound")
        .into_inner()
        .round
        .expect("a round");
    assert_eq!(round.pairings.len(), 1);
    assert_eq!(hall.calls(), []);
}

#[tokio::test]
async fn a_person_gets_the_token_of_the_answer_and_a_repetition_none() {
    let answers = Mutex::new(HashMap::<String, Answer>::new());
    let hall = Hall::start(move |call| {
        let mut answers = answers.lock().expect("no test panics with it");
        if let Some(before) = answers.get(call.request.as_str()) {
            return Ok(before.clone());
        }
        let answer = Answer {
            position: 5,
            ..Answer::default()
        };
        answers.insert(call.request.as_str().to_owned(), answer.clone());
        Ok(Answer {
            secret: Some("s3cret".to_owned()),
            ..answer
        })
    })
    .await;
    let mut client = AdminServiceClient::new(hall.channel().await);
    let person = admin::Person {
        name: "Eva".to_owned(),
        role: admin::Role::Arbiter.into(),
        ..Default::default()
    };
    let request = admin::AddPersonRequest {
        request_id: "r".to_owned(),
        person: Some(person),
    };
    let first = client
        .add_person(by("chief", request.clone()))
        .await
        .expect("added")
        .into_inner();
    assert_eq!(first.token, "s3cret");
    let again = client
        .add_person(by("chief", request))
        .await
        .expect("the same")
        .into_inner();
    assert_eq!(again.token, "");
}

#[tokio::test]
async fn health_and_reflection_answer_without_a_token() {
    use tonic_health::pb::health_client::HealthClient;
    use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus};
    use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
    use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;
    use tonic_reflection::pb::v1::server_reflection_response::MessageResponse;
    use tonic_reflection::pb::v1::{ServerReflectionRequest, ServiceResponse};

    let hall = Hall::start(well).await;
    let mut health = HealthClient::new(hall.channel().await);
    for service in ["", "flagfall.arbiter.v1.ArbiterService"] {
        let request = HealthCheckRequest {
            service: service.to_owned(),
        };
        let answer = health.check(request).await.expect("answers").into_inner();
        assert_eq!(answer.status(), ServingStatus::Serving, "{service:?}");
    }
    let mut reflection = ServerReflectionClient::new(hall.channel().await);
    let ask = ServerReflectionRequest {
        host: String::new(),
        message_request: Some(MessageRequest::ListServices(String::new())),
    };
    let mut answers = reflection
        .server_reflection_info(tokio_stream::iter([ask]))
        .await
        .expect("answers")
        .into_inner();
    let answer = answers
        .message()
        .await
        .expect("goes on")
        .expect("open")
        .message_response;
    let Some(MessageResponse::ListServicesResponse(list)) = answer else {
        panic!("{answer:?}")
    };
    let names: Vec<String> = list.service.into_iter().map(|ServiceResponse { name }| name).collect();
    for service in [
        "flagfall.arbiter.v1.ArbiterService",
        "flagfall.admin.v1.AdminService",
        "flagfall.feed.v1.FeedService",
        "grpc.health.v1.Health",
    ] {
        assert!(
            names.iter().any(|name| name == service),
            "{service} is not in {names:?}"
        );
    }
}

#[tokio::test]
async fn the_listener_stops_with_a_stream_open() {
    let hall = Hall::start(well).await;
    let mut client = hall.arbiter().await;
    let mut stream = watching(&mut client, "chief", Default::default()).await;
    until_end(&mut stream).await;
    hall.stop.cancel();
    let ended = tokio::time::timeout(Duration::from_secs(5), async {
        while let Ok(Some(_)) = stream.message().await {}
    });
    ended.await.expect("cut in time");
}

#[tokio::test]
async fn an_item_is_explained_in_the_language_that_the_call_asks_for() {
    let hall = Hall::start(well).await;
    let game = |language: Option<&'static str>| {
        let which = Some(arbiter::get_game_request::Which::Table(2));
        let mut request = by("chief", arbiter::GetGameRequest { which });
        if let Some(language) = language {
            let language = tonic::metadata::MetadataValue::from_static(language);
            request.metadata_mut().insert("accept-language", language);
        }
        request
    };
    for (asked, language, title) in [
        (None, "en", "Flag fall (White)"),
        (Some("de"), "en", "Flag fall (White)"),
        (Some("sr-RS, en;q=0.5"), "sr-Latn", "Pad zastavice (beli)"),
        (Some("ru"), "ru", "Падение флажка (белые)"),
        (Some("en;q=0.3, pl;q=0.8"), "pl", "Opadnięcie chorągiewki (białe)"),
    ] {
        let mut client = hall.arbiter().await;
        let answer = client.get_game(game(asked)).await.expect("a game").into_inner();
        let items = answer.table.and_then(|table| table.game).expect("a game").items;
        let explanation = items[0].explanation.as_ref().expect("explained");
        assert_eq!(
            (explanation.language.as_str(), explanation.title.as_str()),
            (language, title)
        );
        assert!(
            !explanation.what.is_empty() && !explanation.steps.is_empty(),
            "{explanation:?}"
        );
    }
}

#[tokio::test]
async fn a_call_that_the_journal_cannot_take_is_refused_and_not_done_behind_its_back() {
    let hall = Hall::start(well).await;
    let mut client = hall.arbiter().await;
    let full = "another journal segment cannot be made; nothing was written: free some space and try again";
    hall.handle.set_held_up(Some(full.to_owned()));
    let pause = arbiter::PauseGameRequest {
        request_id: "r-1".to_owned(),
        table: 1,
        ..arbiter::PauseGameRequest::default()
    };
    let status = client
        .pause_game(by("anna", pause.clone()))
        .await
        .expect_err("it cannot be written");
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::Unavailable, "JOURNAL_DOWN".to_owned())
    );
    for said in ["free some space", "not known to be done", "same request id"] {
        assert!(status.message().contains(said), "{status}");
    }
    assert!(hall.calls().is_empty(), "it would be done when there is room");
    assert_eq!(hall.handle.room_warning().as_deref(), Some(full));
    hall.handle.set_held_up(None);
    client.pause_game(by("anna", pause)).await.expect("there is room again");
    assert_eq!(hall.calls().len(), 1);
}

#[tokio::test]
async fn a_call_that_is_not_durable_within_some_seconds_is_answered_all_the_same() {
    let hall = Hall::start_with(None).await;
    let mut client = hall.arbiter().await;
    let pause = arbiter::PauseGameRequest {
        request_id: "r-1".to_owned(),
        table: 1,
        ..arbiter::PauseGameRequest::default()
    };
    let asked = tokio::time::timeout(Duration::from_secs(9), client.pause_game(by("anna", pause)));
    let status = asked.await.expect("it is answered").expect_err("it is not done");
    assert_eq!((status.code(), reason(&status)), (Code::Unavailable, "BUSY".to_owned()));
    assert!(status.message().contains("same request id"), "{status}");
}
