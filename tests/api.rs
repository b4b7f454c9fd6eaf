//! The public gRPC interface of a running hub: a whole hub on free ports, called as anybody would.

mod common;

use std::time::Duration;

use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::arbiter::v1::arbiter_service_client::ArbiterServiceClient;
use flagfall::api::proto::feed::v1 as feed;
use flagfall::api::proto::feed::v1::feed_service_client::FeedServiceClient;
use flagfall::hall::PersonRole;
use flagfall::hub::RunningHub;
use tempfile::TempDir;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};
use tonic_types::StatusExt as _;

struct House {
    hub: RunningHub,
    token: String,
    data: TempDir,
}

impl House {
    async fn open() -> House {
        let data = TempDir::new().expect("a folder");
        let hub = common::start(common::config(data.path())).await;
        let token = hub
            .grant("Chief", PersonRole::ChiefArbiter)
            .await
            .expect("the first token");
        House { hub, token, data }
    }

    /// The hub is stopped and started again on the same folder.
    async fn reopen(self) -> House {
        self.hub.stop().await;
        let hub = common::start(common::config(self.data.path())).await;
        House { hub, ..self }
    }

    async fn channel(&self) -> Channel {
        common::channel(format!("http://{}", self.hub.http_addr)).await
    }

    async fn arbiter(&self) -> ArbiterServiceClient<Channel> {
        ArbiterServiceClient::new(self.channel().await)
    }

    async fn admin(&self) -> AdminServiceClient<Channel> {
        AdminServiceClient::new(self.channel().await)
    }

    fn by<T>(&self, message: T) -> Request<T> {
        with(&self.token, message)
    }

    /// An event with one round of so many tables, armed and called; nobody has devices.
    async fn play(&self, tables: u32) {
        let mut admin = self.admin().await;
        let event = admin::Event {
            id: "open".to_owned(),
            name: "Open".to_owned(),
            ..Default::default()
        };
        let request = admin::PutEventRequest {
            request_id: "event".to_owned(),
            event: Some(event),
        };
        admin.put_event(self.by(request)).await.expect("the event");
        let mut csv = "table,white,black,board_kind\n".to_owned();
        for table in 1..=tables {
            csv.push_str(&format!("{table},\"White, {table}\",\"Black, {table}\",none\n"));
        }
        let request = admin::PutRoundRequest {
            request_id: "round".to_owned(),
            event: "open".to_owned(),
            number: 1,
            time_control: "90m+30s".to_owned(),
            source: Some(admin::put_round_request::Source::Csv(csv)),
            validate_only: false,
        };
        let round = admin
            .put_round(self.by(request))
            .await
            .expect("the round")
            .into_inner()
            .round
            .expect("a round");
        assert_eq!(round.pairings.len(), tables as usize);
        let request = arbiter::StartRoundRequest {
            request_id: "start".to_owned(),
            event: "open".to_owned(),
            round: 1,
            tables: Vec::new(),
        };
        let answers = self
            .arbiter()
            .await
            .start_round(self.by(request))
            .await
            .expect("starts")
            .into_inner()
            .answers;
        assert_eq!(answers.len(), tables as usize);
        for answer in answers {
            assert!(
                matches!(answer.answer, Some(arbiter::table_answer::Answer::Done(_))),
                "{answer:?}"
            );
        }
    }

    async fn game(&self, table: u32) -> arbiter::Game {
        let which = Some(arbiter::get_game_request::Which::Table(table));
        let answer = self
            .arbiter()
            .await
            .get_game(self.by(arbiter::GetGameRequest { which }))
            .await;
        answer
            .expect("shown")
            .into_inner()
            .table
            .expect("a table")
            .game
            .expect("a game")
    }
}

fn with<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request
        .metadata_mut()
        .insert("authorization", format!("Bearer {token}").parse().expect("a token"));
    request
}

fn reason(status: &Status) -> String {
    status
        .get_details_error_info()
        .map(|info| info.reason)
        .unwrap_or_default()
}

fn give(request_id: &str, table: u32, add_ms: i64) -> arbiter::AdjustClocksRequest {
    arbiter::AdjustClocksRequest {
        request_id: request_id.to_owned(),
        reason: "noise".to_owned(),
        table,
        white: Some(arbiter::TimeChange {
            change: Some(arbiter::time_change::Change::AddMs(add_ms)),
        }),
        ..Default::default()
    }
}

fn pause(request_id: &str, table: u32) -> arbiter::PauseGameRequest {
    arbiter::PauseGameRequest {
        request_id: request_id.to_owned(),
        reason: String::new(),
        table,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_without_a_token_sees_or_does_anything() {
    let house = House::open().await;
    house.play(1).await;
    let refused = house
        .arbiter()
        .await
        .list_tables(arbiter::ListTablesRequest::default())
        .await
        .expect_err("refused");
    assert_eq!(
        (refused.code(), reason(&refused)),
        (Code::Unauthenticated, "NO_TOKEN".to_owned())
    );
    let refused = house
        .arbiter()
        .await
        .pause_game(with("guessed", pause("x", 1)))
        .await
        .expect_err("refused");
    assert_eq!(refused.code(), Code::Unauthenticated);
    let mut feed = FeedServiceClient::new(house.channel().await);
    assert_eq!(
        feed.watch_hall(feed::WatchHallRequest::default())
            .await
            .expect_err("refused")
            .code(),
        Code::Unauthenticated
    );
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_request_is_done_once_and_answered_the_same_also_after_a_restart() {
    let house = House::open().await;
    house.play(1).await;
    let mut client = house.arbiter().await;
    client.pause_game(house.by(pause("pause", 1))).await.expect("paused");
    let before = house.game(1).await.clocks.expect("clocks").white_ms;
    let first = client
        .adjust_clocks(house.by(give("give", 1, 120_000)))
        .await
        .expect("given")
        .into_inner()
        .receipt;
    let again = client
        .adjust_clocks(house.by(give("give", 1, 120_000)))
        .await
        .expect("again")
        .into_inner()
        .receipt;
    assert_eq!(first, again);
    assert_eq!(
        house.game(1).await.clocks.expect("clocks").white_ms,
        before + 120_000,
        "once"
    );

    let refused = client
        .adjust_clocks(house.by(give("give", 1, 60_000)))
        .await
        .expect_err("another call");
    assert_eq!(
        (refused.code(), reason(&refused)),
        (Code::AlreadyExists, "REQUEST_REUSED".to_owned())
    );

    let house = house.reopen().await;
    let answer = house
        .arbiter()
        .await
        .adjust_clocks(house.by(give("give", 1, 120_000)))
        .await;
    assert_eq!(answer.expect("after the restart").into_inner().receipt, first);
    assert_eq!(
        house.game(1).await.clocks.expect("clocks").white_ms,
        before + 120_000,
        "still once"
    );
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_revision_is_refused_with_what_it_is_now() {
    let house = House::open().await;
    house.play(1).await;
    let mut client = house.arbiter().await;
    let seen = house.game(1).await.revision;
    client.pause_game(house.by(pause("pause", 1))).await.expect("paused");
    client
        .adjust_clocks(house.by(give("give", 1, 120_000)))
        .await
        .expect("given");
    let now = house.game(1).await.revision;
    assert_ne!(seen, now, "an adjustment is a ruling");
    let result = |request_id: &str, revision| arbiter::SetResultRequest {
        request_id: request_id.to_owned(),
        reason: "agreed at the board".to_owned(),
        table: 1,
        revision,
        result: "1/2-1/2".to_owned(),
        game: String::new(),
    };
    let refused = client
        .set_result(house.by(result("stale", seen)))
        .await
        .expect_err("stale");
    assert_eq!(
        (refused.code(), reason(&refused)),
        (Code::Aborted, "STALE_REVISION".to_owned())
    );
    let info = refused.get_details_error_info().expect("details");
    assert_eq!(info.metadata.get("current_revision"), Some(&now.to_string()));
    assert!(refused.message().contains("table 1"), "{refused}");

    client
        .set_result(house.by(result("fresh", now)))
        .await
        .expect("decided");
    let game = house.game(1).await;
    assert_eq!(game.result, "1/2-1/2");
    let which = Some(arbiter::get_game_request::Which::Table(1));
    let answer = client
        .get_game(house.by(arbiter::GetGameRequest { which }))
        .await
        .expect("shown");
    let ruled: Vec<_> = answer
        .into_inner()
        .rulings
        .into_iter()
        .map(|ruling| (ruling.what, ruling.author, ruling.reason))
        .collect();
    let ruling = |what: &str, reason: &str| (what.to_owned(), "Chief".to_owned(), reason.to_owned());
    assert_eq!(
        ruled,
        [
            ruling("Clocks adjusted: White +0:02:00", "noise"),
            ruling("The result was set to 1/2-1/2", "agreed at the board"),
        ]
    );
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watcher_sees_changes_and_resumes_over_a_broken_connection_and_a_restart() {
    use arbiter::watch_tables_response::Update;
    async fn until_end(stream: &mut tonic::Streaming<arbiter::WatchTablesResponse>) -> (Vec<u32>, feed::SnapshotEnd) {
        let mut tables = Vec::new();
        loop {
            match stream.message().await.expect("goes on").expect("open").update {
                Some(Update::Snapshot(table)) => tables.push(table.hall.unwrap_or_default().table),
                Some(Update::SnapshotEnd(end)) => return (tables, end),
                Some(Update::Changed(_) | Update::Heartbeat(_) | Update::Removed(_)) | None => {}
            }
        }
    }
    async fn until_paused(stream: &mut tonic::Streaming<arbiter::WatchTablesResponse>, number: u32) -> feed::Place {
        let wait = async {
            loop {
                let Some(Update::Changed(changed)) = stream.message().await.expect("goes on").expect("open").update
                else {
                    continue;
                };
                let table = changed.table.and_then(|table| table.hall).expect("a table");
                if table.table == number && table.paused {
                    return changed.place.expect("a place");
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), wait)
            .await
            .expect("in-time")
    }

    let house = House::open().await;
    house.play(3).await;
    let mut client = house.arbiter().await;
    let mut stream = client
        .watch_tables(house.by(arbiter::WatchTablesRequest::default()))
        .await
        .expect("watches")
        .into_inner();
    let (tables, _) = until_end(&mut stream).await;
    assert_eq!(tables, [1, 2, 3]);
    client.pause_game(house.by(pause("one", 1))).await.expect("paused");
    let place = until_paused(&mut stream, 1).await;
    drop(stream);

    client.pause_game(house.by(pause("two", 2))).await.expect("paused");
    let resume = arbiter::WatchTablesRequest {
        resume: Some(place),
        tables: Vec::new(),
        brief: false,
    };
    let mut stream = client
        .watch_tables(house.by(resume))
        .await
        .expect("watches")
        .into_inner();
    let (tables, end) = until_end(&mut stream).await;
    assert!(tables.is_empty() && !end.reset, "goes on without a snapshot");
    until_paused(&mut stream, 2).await;
    drop(stream);

    let house = house.reopen().await;
    let resume = arbiter::WatchTablesRequest {
        resume: Some(place),
        tables: Vec::new(),
        brief: false,
    };
    let mut client = house.arbiter().await;
    let mut stream = client
        .watch_tables(house.by(resume))
        .await
        .expect("watches")
        .into_inner();
    let (tables, end) = until_end(&mut stream).await;
    assert_eq!((tables, end.reset), (vec![1, 2, 3], true), "another epoch");
    drop(stream);
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_given_tokens_once_and_shut_out_when_revoked() {
    let house = House::open().await;
    house.play(1).await;
    let mut admin = house.admin().await;
    let person = admin::Person {
        name: "Screen".to_owned(),
        role: admin::Role::Screen.into(),
        ..Default::default()
    };
    let request = admin::AddPersonRequest {
        request_id: "screen".to_owned(),
        person: Some(person),
    };
    let token = admin
        .add_person(house.by(request.clone()))
        .await
        .expect("added")
        .into_inner()
        .token;
    assert!(token.len() >= 43, "256 bits");
    assert_eq!(
        admin
            .add_person(house.by(request))
            .await
            .expect("the same")
            .into_inner()
            .token,
        "",
        "shown once"
    );

    let mut feed = FeedServiceClient::new(house.channel().await);
    let shown = feed
        .get_table(with(&token, feed::GetTableRequest { table: 1 }))
        .await
        .expect("shown")
        .into_inner();
    assert_eq!(shown.table.expect("a table").white.expect("a player").name, "White, 1");
    let refused = house
        .arbiter()
        .await
        .list_tables(with(&token, arbiter::ListTablesRequest::default()))
        .await;
    assert_eq!(
        refused.expect_err("no items for screens").code(),
        Code::PermissionDenied
    );

    let request = admin::RevokePersonRequest {
        request_id: "revoke".to_owned(),
        name: "Screen".to_owned(),
    };
    admin.revoke_person(house.by(request)).await.expect("revoked");
    let refused = feed
        .get_table(with(&token, feed::GetTableRequest { table: 1 }))
        .await
        .expect_err("void");
    assert_eq!(refused.code(), Code::Unauthenticated);
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn devices_are_made_known_bound_replaced_and_listed() {
    let house = House::open().await;
    house.play(2).await;
    let mut admin = house.admin().await;
    for id in ["clock-1", "clock-2"] {
        let kind = admin::DeviceKind::Clock.into();
        let request = admin::AddDeviceRequest {
            request_id: id.to_owned(),
            id: id.to_owned(),
            kind,
            speaks_for: vec![],
        };
        let answer = admin.add_device(house.by(request)).await.expect("added").into_inner();
        let credential = answer.credential.expect("shown once");
        assert_eq!(credential.username, id);
        assert!(credential.password.len() >= 43, "256 bits");
        assert_eq!(credential.topic_prefix, format!("flagfall/v1/hall/{id}"));
        assert_eq!(credential.mqtt_url, house.hub.mqtt_url);
    }
    let request = admin::BindDeviceRequest {
        request_id: "bind".to_owned(),
        device: "clock-1".to_owned(),
        table: 2,
        as_clock: true,
        white_side: admin::Side::Right.into(),
        ..Default::default()
    };
    let table = admin
        .bind_device(house.by(request))
        .await
        .expect("bound")
        .into_inner()
        .table
        .expect("a table");
    assert_eq!(
        (table.clock.as_str(), table.white_side()),
        ("clock-1", admin::Side::Right)
    );
    let request = admin::ReplaceDeviceRequest {
        request_id: "replace".to_owned(),
        old_device: "clock-1".to_owned(),
        new_device: "clock-2".to_owned(),
    };
    let table = admin
        .replace_device(house.by(request))
        .await
        .expect("replaced")
        .into_inner()
        .table
        .expect("a table");
    assert_eq!((table.number, table.clock.as_str()), (2, "clock-2"));
    let devices = admin
        .list_devices(house.by(admin::ListDevicesRequest {}))
        .await
        .expect("listed")
        .into_inner()
        .devices;
    let serves: Vec<_> = devices
        .iter()
        .map(|device| (device.id.as_str(), device.table, device.as_clock))
        .collect();
    assert_eq!(serves, [("clock-1", 0, false), ("clock-2", 2, true)]);
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_tables_are_paused_in_one_call_with_an_answer_for_each() {
    let house = House::open().await;
    house.play(3).await;
    let request = arbiter::PauseTablesRequest {
        request_id: "fire".to_owned(),
        reason: "fire alarm".to_owned(),
        tables: vec![1, 3, 99],
    };
    let answers = house
        .arbiter()
        .await
        .pause_tables(house.by(request))
        .await
        .expect("answered")
        .into_inner()
        .answers;
    use arbiter::table_answer::Answer;
    assert!(matches!(answers[0].answer, Some(Answer::Done(_))), "{answers:?}");
    assert!(matches!(answers[1].answer, Some(Answer::Done(_))), "{answers:?}");
    let Some(Answer::Refused(refusal)) = &answers[2].answer else {
        panic!("{answers:?}")
    };
    assert_eq!(refusal.reason(), arbiter::ErrorReason::NoSuchTable);
    let mut feed = FeedServiceClient::new(house.channel().await);
    for (table, paused) in [(1, true), (2, false), (3, true)] {
        let shown = feed
            .get_table(house.by(feed::GetTableRequest { table }))
            .await
            .expect("shown")
            .into_inner();
        assert_eq!(shown.table.expect("a table").paused, paused, "table {table}");
    }
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_pages_and_grpc_share_one_port() {
    use tonic_health::pb::HealthCheckRequest;
    use tonic_health::pb::health_client::HealthClient;
    let house = House::open().await;
    let mut health = HealthClient::new(house.channel().await);
    let request = HealthCheckRequest {
        service: "flagfall.feed.v1.FeedService".to_owned(),
    };
    health.check(request).await.expect("answers");
    let hall = house
        .admin()
        .await
        .get_hall(house.by(admin::GetHallRequest {}))
        .await
        .expect("told")
        .into_inner();
    assert_eq!((hall.name.as_str(), hall.speed, hall.insecure), ("hall", 1.0, false));
    assert!(hall.journal_head.expect("a head").position > 0);
    assert_eq!(hall.mqtt_url, house.hub.mqtt_url);

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut page = tokio::net::TcpStream::connect(house.hub.http_addr)
        .await
        .expect("connects");
    page.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .await
        .expect("sent");
    let mut answer = String::new();
    page.read_to_string(&mut answer).await.expect("read");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_ends_when_every_game_has_its_result_and_no_sooner() {
    let house = House::open().await;
    house.play(2).await;
    let mut client = house.arbiter().await;
    let end = |request_id: &str| arbiter::EndRoundRequest {
        request_id: request_id.to_owned(),
        event: "open".to_owned(),
        round: 1,
    };
    for (table, open) in [(1, vec![1, 2]), (2, vec![2])] {
        let answers = client
            .end_round(house.by(end("early")))
            .await
            .expect("answered")
            .into_inner()
            .answers;
        let refused: Vec<_> = answers
            .iter()
            .filter(|answer| matches!(answer.answer, Some(arbiter::table_answer::Answer::Refused(_))))
            .map(|answer| answer.table)
            .collect();
        assert_eq!(refused, open);
        let request = arbiter::SetResultRequest {
            request_id: format!("result-{table}"),
            reason: String::new(),
            table,
            revision: house.game(table).await.revision,
            result: "1-0".to_owned(),
            game: String::new(),
        };
        client.set_result(house.by(request)).await.expect("decided");
    }
    let answers = client
        .end_round(house.by(end("now")))
        .await
        .expect("ended")
        .into_inner()
        .answers;
    assert_eq!(answers.len(), 2);
    let request = admin::ListRoundsRequest {
        event: "open".to_owned(),
    };
    let rounds = house
        .admin()
        .await
        .list_rounds(house.by(request))
        .await
        .expect("listed")
        .into_inner()
        .rounds;
    assert_eq!(rounds[0].state(), admin::RoundState::Ended);
    house.hub.stop().await;
}

#[tokio::test]
async fn what_comes_too_late_is_not_done_and_what_was_done_in_time_is_answered_whenever_asked_again() {
    fn until<T>(mut request: Request<T>, ms: i64) -> Request<T> {
        request
            .metadata_mut()
            .insert("flagfall-until-ms", ms.to_string().parse().expect("a number"));
        request
    }
    let house = House::open().await;
    house.play(1).await;
    let mut client = house.arbiter().await;

    let late = until(house.by(pause("late", 1)), 0);
    let refused = client.pause_game(late).await.expect_err("too late");
    assert_eq!(
        (refused.code(), reason(&refused).as_str()),
        (Code::DeadlineExceeded, "TOO_LATE")
    );
    let late = until(house.by(pause("late", 1)), 0);
    let refused = client.pause_game(late).await.expect_err("still too late");
    assert_eq!(reason(&refused), "TOO_LATE");
    assert_eq!(house.game(1).await.revision, 0, "nothing was done");

    let now = house.hub.handle.info().now.0;
    let soon = until(house.by(give("in-time", 1, 60_000)), now + 60_000);
    let done = client.adjust_clocks(soon).await.expect("in-time").into_inner();
    let before = house.game(1).await.clocks.expect("clocks");
    let asked = until(house.by(give("in-time", 1, 60_000)), now - 60_000);
    let again = client.adjust_clocks(asked).await.expect("it was done").into_inner();
    assert_eq!(done, again);
    let after = house.game(1).await.clocks.expect("clocks");
    assert!(after.white_ms <= before.white_ms, "nothing was given twice");

    let bad = until(house.by(pause("never", 1)), -1);
    assert_eq!(reason(&client.pause_game(bad).await.expect_err("long ago")), "TOO_LATE");
}

#[tokio::test]
async fn a_browser_calls_by_grpc_web_and_is_refused_like_anybody() {
    use hyper_util::client::legacy::Client;
    use hyper_util::rt::TokioExecutor;
    use prost::Message as _;

    let house = House::open().await;
    let client: Client<_, axum::body::Body> = Client::builder(TokioExecutor::new()).build_http();
    let call = async |token: Option<&str>| {
        let uri = format!("http://{}/flagfall.admin.v1.AdminService/GetHall", house.hub.http_addr);
        let mut request = http::Request::post(uri).header("content-type", "application/grpc-web+proto");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        // One frame with an empty message.
        let request = request.body(axum::body::Body::from(vec![0_u8; 5])).expect("a request");
        let answer = client.request(request).await.expect("an answer");
        let (head, body) = answer.into_parts();
        let body = axum::body::to_bytes(axum::body::Body::new(body), 1 << 20)
            .await
            .expect("a body");
        (head, body)
    };

    let (head, body) = call(Some(&house.token)).await;
    assert_eq!(head.headers["content-type"], "application/grpc-web+proto");
    assert!(
        head.headers.get("access-control-allow-origin").is_none(),
        "other origins are told nothing"
    );
    let length = u32::from_be_bytes(body[1..5].try_into().expect("four bytes")) as usize;
    let hall = admin::GetHallResponse::decode(&body[5..5 + length]).expect("a message");
    let you = hall.you.expect("who called");
    assert_eq!((you.name.as_str(), you.role()), ("Chief", admin::Role::ChiefArbiter));
    assert_eq!(body[5 + length], 0x80, "the trailers are in the body");

    let (head, _) = call(None).await;
    assert_eq!(head.headers["grpc-status"], "16");
}

#[tokio::test]
async fn a_brief_watch_tells_the_last_half_move_only() {
    let house = House::open().await;
    house.play(1).await;
    let mut client = house.arbiter().await;
    for (id, mv) in [("one", "e4"), ("two", "e5"), ("three", "Nf3")] {
        let request = arbiter::EnterMoveRequest {
            request_id: id.to_owned(),
            table: 1,
            r#move: mv.to_owned(),
            ..Default::default()
        };
        client.enter_move(house.by(request)).await.expect("entered");
    }
    let brief = arbiter::WatchTablesRequest {
        brief: true,
        ..Default::default()
    };
    let mut stream = client
        .watch_tables(house.by(brief))
        .await
        .expect("watches")
        .into_inner();
    let told = stream.message().await.expect("goes on").expect("open");
    let Some(arbiter::watch_tables_response::Update::Snapshot(table)) = told.update else {
        panic!("a snapshot first: {told:?}")
    };
    let (hall, game) = (table.hall.expect("a table"), table.game.expect("a game"));
    assert!(hall.moves.is_empty());
    let moves: Vec<_> = game.moves.iter().map(|mv| mv.san.as_str()).collect();
    assert_eq!((moves.as_slice(), game.plies), (["Nf3"].as_slice(), 3));
    assert_eq!(game.starts.len(), 1);
    assert_eq!(house.game(1).await.moves.len(), 3);
}

#[tokio::test]
async fn a_note_stands_among_the_rulings_and_makes_nothing_stale() {
    let house = House::open().await;
    house.play(1).await;
    let mut client = house.arbiter().await;
    let note = |request_id: &str, text: &str| arbiter::AddNoteRequest {
        request_id: request_id.to_owned(),
        table: 1,
        text: text.to_owned(),
        revision: None,
        game: String::new(),
    };
    let empty = client
        .add_note(house.by(note("empty", " ")))
        .await
        .expect_err("it says nothing");
    assert_eq!(
        (empty.code(), reason(&empty).as_str()),
        (Code::InvalidArgument, "BAD_FIELD")
    );
    let seen = house.game(1).await.revision;
    client
        .add_note(house.by(note("note", "Black asked about the time")))
        .await
        .expect("noted");
    assert_eq!(house.game(1).await.revision, seen);
    let which = Some(arbiter::get_game_request::Which::Table(1));
    let answer = client.get_game(house.by(arbiter::GetGameRequest { which })).await;
    let rulings = answer.expect("shown").into_inner().rulings;
    let last = rulings.last().expect("the note");
    assert_eq!(
        (last.author.as_str(), last.reason.as_str()),
        ("Chief", "Black asked about the time")
    );
}
