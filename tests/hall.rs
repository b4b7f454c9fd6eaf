//! A whole hub on free ports, with one table over real MQTT: from the press to the arbiter's view, and over a restart.
#![expect(clippy::disallowed_methods, reason = "waits for real programs")]

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use flagfall::chess::Color;
use flagfall::config::Config;
use flagfall::game::input::{Act, Deed, Observation, TimeChange};
use flagfall::hall::model::{DeviceKind, Online, Pairing, PersonRole, Player, Regulations, Side};
use flagfall::hall::{
    ArbiterTable, Author, Call, CallReason, Command, DeviceId, EventId, HallHandle, RoundNo, TableNo, Update,
};
use flagfall::hub::{Hub, RunningHub};
use flagfall::time::Millis;
use rumqttc::{AsyncClient, Event, MqttOptions, Packet, QoS};
use serde_json::{Value, json};

const TABLE: TableNo = TableNo(7);
const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
const PATIENCE: Duration = Duration::from_secs(20);

fn config(data: &std::path::Path) -> Config {
    let mut config = common::config(data);
    config.hall.name = "test".into();
    config.hall.shards = 2;
    config
}

async fn hub(data: &std::path::Path) -> RunningHub {
    common::start(config(data)).await
}

fn call(request: &str, command: Command) -> Call {
    let author = Author {
        name: "Vera".into(),
        role: PersonRole::ChiefArbiter,
        sector: None,
    };
    Call {
        request: request.parse().expect("a request id"),
        author,
        command,
        until: None,
    }
}

/// Waits until the table looks as it should.
async fn until(hall: &HallHandle, what: &str, good: impl Fn(&ArbiterTable) -> bool) -> Arc<ArbiterTable> {
    let begun = Instant::now();
    loop {
        let table = hall.arbiters().get(TABLE);
        if let Some(table) = table.as_ref().filter(|table| good(table)) {
            return Arc::clone(table);
        }
        assert!(
            begun.elapsed() < PATIENCE,
            "{what} did not come; the table is {table:#?}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A clock and board in one, as a maker would write it: JSON, and its own milliseconds.
struct Device {
    id: &'static str,
    client: AsyncClient,
    begun: Instant,
    seen: Arc<AtomicI64>,
    twice: Arc<AtomicU64>,
    reports: Vec<Value>,
    task: tokio::task::JoinHandle<()>,
}

impl Device {
    async fn connect(hub: &RunningHub, secret: &str, begun: Instant, reports: Vec<Value>) -> Device {
        let placement = if reports.is_empty() { INITIAL } else { AFTER_E4 };
        Device::connect_as("unit-7", placement, hub, secret, begun, reports).await
    }

    async fn connect_as(
        id: &'static str,
        placement: &'static str,
        hub: &RunningHub,
        secret: &str,
        begun: Instant,
        reports: Vec<Value>,
    ) -> Device {
        let port = hub.mqtt_addr.expect("the embedded broker").port();
        let mut options = MqttOptions::new(id, "127.0.0.1", port);
        options
            .set_credentials(id, secret)
            .set_keep_alive(Duration::from_secs(10));
        let (client, mut events) = AsyncClient::new(options, 100);
        let seen = Arc::new(AtomicI64::new(-1));
        let twice = Arc::new(AtomicU64::new(0));
        let (next, said_seen, said) = (reports.len(), Arc::clone(&seen), client.clone());
        let task = tokio::spawn(async move {
            let mut last_seq = next as i64 - 1;
            while let Ok(event) = events.poll().await {
                match event {
                    Event::Incoming(Packet::ConnAck(_)) => {
                        for topic in ["order", "time", "seen"] {
                            said.subscribe(format!("flagfall/v1/test/{id}/{topic}"), QoS::AtLeastOnce)
                                .await
                                .expect("asked");
                        }
                    }
                    // The third subscription stands: everything can be heard now.
                    Event::Incoming(Packet::SubAck(ack)) if ack.pkid == 3 => {
                        let birth = json!({
                            "boot": 77, "model": "test unit", "firmware": "1",
                            "abilities": {"clock": true, "counts": true, "board": true, "tellsPieces": true, "resolutionMs": 1},
                            "clock": {"leftMs": "300000", "rightMs": "300000", "hasControl": next > 0},
                            "placement": placement,
                            "sentMs": ms(begun), "nextSeq": next, "oldestSeq": 0,
                        });
                        send(&said, id, "birth", &birth).await;
                    }
                    Event::Incoming(Packet::Publish(publish)) => {
                        let told: Value =
                            serde_json::from_slice(&publish.payload).expect("the hub answers JSON with JSON");
                        let topic = publish.topic.rsplit('/').next().unwrap_or_default().to_owned();
                        match topic.as_str() {
                            "order" => {
                                let ack = json!({
                                    "boot": 77, "orderId": told["id"], "outcome": "OUTCOME_DONE",
                                    "effectMs": ms(begun), "afterSeq": last_seq, "sentMs": ms(begun),
                                });
                                send(&said, id, "ack", &ack).await;
                            }
                            "time" => {
                                let vital = json!({
                                    "boot": 77, "lastSeq": last_seq, "sentMs": ms(begun),
                                    "probeId": told["id"], "probeReceivedMs": ms(begun), "batteryPercent": 80,
                                });
                                send(&said, id, "vital", &vital).await;
                            }
                            "seen" => {
                                let seq = told["seq"].as_str().map_or(0, |seq| seq.parse().expect("a number"));
                                last_seq = last_seq.max(seq);
                                said_seen.fetch_max(seq, Ordering::SeqCst);
                            }
                            other => panic!("{other}"),
                        }
                    }
                    _ => {}
                }
            }
        });
        Device {
            id,
            client,
            begun,
            seen,
            twice,
            reports,
            task,
        }
    }

    async fn report(&mut self, mut what: Value) {
        what["boot"] = json!(77);
        what["seq"] = json!(self.reports.len());
        what["eventMs"] = json!(ms(self.begun));
        what["sentMs"] = json!(ms(self.begun));
        self.reports.push(what.clone());
        send(&self.client, self.id, "report", &what).await;
    }

    async fn again(&self) {
        for report in &self.reports {
            self.twice.fetch_add(1, Ordering::SeqCst);
            send(&self.client, self.id, "report", report).await;
        }
    }

    async fn moves(&mut self, from: &str, to: &str, piece: &str, side: &str) {
        self.report(json!({"squares": {"changes": [{"square": from, "now": ""}, {"square": to, "now": piece}]}}))
            .await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        self.report(json!({"press": {"side": side}})).await;
    }

    async fn is_seen(&self, seq: i64) {
        let begun = Instant::now();
        while self.seen.load(Ordering::SeqCst) < seq {
            assert!(
                begun.elapsed() < PATIENCE,
                "only {} is seen",
                self.seen.load(Ordering::SeqCst)
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

fn ms(begun: Instant) -> u64 {
    1_000_000 + begun.elapsed().as_millis() as u64
}

async fn send(client: &AsyncClient, id: &str, topic: &str, payload: &Value) {
    let topic = format!("flagfall/v1/test/{id}/{topic}");
    client
        .publish(topic, QoS::AtLeastOnce, false, payload.to_string())
        .await
        .expect("taken");
}

/// One event, one round, one table with one device; returns the device's secret.
async fn set_up(hall: &HallHandle) -> String {
    let event: EventId = "open".parse().expect("an id");
    let unit: DeviceId = "unit-7".parse().expect("an id");
    let player = |name: &str| Player {
        name: name.into(),
        ..Player::default()
    };
    let put = |command, n: u32| hall.call(call(&format!("setup-{n}"), command));
    put(
        Command::PutEvent {
            event: event.clone(),
            name: "Open".into(),
            site: String::new(),
            date: String::new(),
            regulations: Regulations {
                first_increment: false,
                ..Regulations::default()
            },
        },
        1,
    )
    .await
    .expect("an event");
    put(
        Command::PutTable {
            table: TABLE,
            sector: None,
            white_side: None,
            board_turned: None,
        },
        2,
    )
    .await
    .expect("a table");
    let add = Command::AddDevice {
        device: unit.clone(),
        kind: DeviceKind::Both,
        speaks_for: Vec::new(),
    };
    let secret = put(add.clone(), 3).await.expect("a device").secret.expect("its secret");
    let again = put(add, 3).await.expect("the same answer");
    assert!(
        again.secret.is_none() && again.note.contains("already made"),
        "{again:?}"
    );
    let bind = Command::BindDevice {
        device: unit,
        table: TABLE,
        as_clock: true,
        as_board: true,
        white_side: Some(Side::Left),
        board_turned: Some(false),
    };
    put(bind, 4).await.expect("bound");
    let pairing = Pairing {
        table: TABLE,
        board: 1,
        white: player("Adams"),
        black: player("Bell"),
        time_control: None,
        board_kind: None,
        variant: Default::default(),
        fen: None,
        game: None,
    };
    put(
        Command::PutRound {
            event,
            round: RoundNo(1),
            time_control: "5m+3s".into(),
            pairings: vec![pairing],
        },
        5,
    )
    .await
    .expect("a round");
    secret
}

/// White's flag is a draw here, which takes more positions to see than a game looks at.
const HARD: &str = "1k6/1b5p/5p1P/5p1K/5Pp1/6P1/8/8 w - - 0 1";

/// The worker beside the games is another process of the program itself.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_game_cannot_decide_about_a_mate_the_hub_finds_out_beside_it() {
    let data = tempfile::tempdir().expect("a folder");
    let mut config = config(data.path());
    config.program = Some(env!("CARGO_BIN_EXE_flagfall").into());
    let running = Hub::start(config).await.expect("the hub starts");
    let hall = running.handle.clone();
    let event: EventId = "open".parse().expect("an id");
    let commands = [
        Command::PutEvent {
            event: event.clone(),
            name: "Open".into(),
            site: String::new(),
            date: String::new(),
            regulations: Regulations::default(),
        },
        Command::PutRound {
            event: event.clone(),
            round: RoundNo(1),
            time_control: "5m+3s".into(),
            pairings: vec![Pairing {
                table: TABLE,
                board: 1,
                white: Player {
                    name: "Adams".into(),
                    ..Player::default()
                },
                black: Player {
                    name: "Bell".into(),
                    ..Player::default()
                },
                time_control: None,
                board_kind: Some(flagfall::game::BoardKind::Pieces),
                variant: Default::default(),
                fen: Some(HARD.to_owned()),
                game: None,
            }],
        },
        Command::ArmRound {
            event,
            round: RoundNo(1),
        },
        start(),
        Command::Act {
            table: TABLE,
            act: Act {
                revision: None,
                reason: "a test".into(),
                what: Deed::Adjust {
                    white: Some(TimeChange::To(Millis::ZERO)),
                    black: None,
                    moves_done: None,
                },
            },
        },
        // No clock is heard here: its flag is what an arbiter sees.
        Command::Act {
            table: TABLE,
            act: Act {
                revision: None,
                reason: "a test".into(),
                what: Deed::Observe {
                    what: Observation::Flag,
                    of: Some(Color::White),
                },
            },
        },
    ];
    for (n, command) in commands.into_iter().enumerate() {
        hall.call(call(&format!("mate-{n}"), command)).await.expect("done");
    }
    let decided = until(&hall, "the answer", |table| {
        let proposal = table.view.items.first().map(|item| item.proposal.as_str());
        proposal.is_some_and(|proposal| proposal.contains("1/2-1/2"))
    })
    .await;
    let evidence = &decided.view.items[0].evidence;
    assert!(
        evidence
            .iter()
            .any(|(what, why)| what == "mate" && why.contains("can still arise is mate")),
        "{evidence:?}"
    );
    running.stop().await;
}

/// A game with the first move made and pressed by `unit-7`.
async fn playing(hub: &RunningHub) -> Device {
    let hall = hub.handle.clone();
    let secret = set_up(&hall).await;
    let mut device = Device::connect(hub, &secret, Instant::now(), Vec::new()).await;
    let arm = Command::ArmRound {
        event: "open".parse().expect("an id"),
        round: RoundNo(1),
    };
    tokio::time::sleep(Duration::from_millis(500)).await;
    hall.call(call("arm", arm)).await.expect("armed");
    until(&hall, "the device", |table| {
        table
            .clock_device
            .as_ref()
            .is_some_and(|clock| clock.online == Online::Online)
    })
    .await;
    hall.call(call("start", start())).await.expect("started");
    until(&hall, "White's running clock", |table| {
        table.view.clocks.running == Some(Color::White)
    })
    .await;
    device.moves("e2", "e4", "P", "SIDE_LEFT").await;
    until(&hall, "the move and its press", |table| {
        table.view.completed == (1, 0) && table.view.moves.len() == 1
    })
    .await;
    device
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_is_replaced_in_mid_game_by_one_call_and_the_game_goes_on_with_the_spare() {
    let data = tempfile::tempdir().expect("a folder");
    let running = hub(data.path()).await;
    let hall = running.handle.clone();
    let mut broken = playing(&running).await;
    let spare: DeviceId = "spare-1".parse().expect("an id");
    let add = Command::AddDevice {
        device: spare.clone(),
        kind: DeviceKind::Both,
        speaks_for: Vec::new(),
    };
    let secret = hall
        .call(call("spare", add))
        .await
        .expect("added")
        .secret
        .expect("its secret");
    let replace = Command::ReplaceDevice {
        old: "unit-7".parse().expect("an id"),
        new: spare.clone(),
    };
    hall.call(call("replace", replace)).await.expect("replaced");
    let mut device = Device::connect_as("spare-1", AFTER_E4, &running, &secret, Instant::now(), Vec::new()).await;
    let table = until(&hall, "the spare with the game's times", |table| {
        table
            .clock_device
            .as_ref()
            .is_some_and(|clock| clock.id == spare && clock.online == Online::Online)
            && table.view.items.iter().any(|item| item.kind == "clock-renewed")
    })
    .await;
    assert_eq!(table.view.clocks.running, Some(Color::Black), "his time has gone on");
    device.moves("e7", "e5", "p", "SIDE_RIGHT").await;
    let table = until(&hall, "Black's move at the spare", |table| {
        table.view.completed == (1, 1)
    })
    .await;
    assert_eq!(table.view.moves.len(), 2);
    assert_eq!(table.view.moves[1].san, "e5");
    let black = table.view.moves[1].clock.expect("pressed");
    assert!(black > Millis::secs(270) && black < Millis::secs(303), "{black:?}");

    // What the broken one says now is no part of the game; it is taken all the same, so that it need not keep it.
    broken.moves("g1", "f3", "N", "SIDE_LEFT").await;
    broken.is_seen(3).await;
    let table = hall.arbiters().get(TABLE).expect("the table");
    assert_eq!(table.view.moves.len(), 2);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_secret_puts_the_old_connection_out_and_an_expired_token_is_void() {
    let data = tempfile::tempdir().expect("a folder");
    let running = hub(data.path()).await;
    let hall = running.handle.clone();
    let device = playing(&running).await;
    let rotate = Command::RotateDevice {
        device: "unit-7".parse().expect("an id"),
    };
    let secret = hall
        .call(call("rotate", rotate))
        .await
        .expect("rotated")
        .secret
        .expect("a secret");
    let begun = Instant::now();
    while !device.task.is_finished() {
        assert!(begun.elapsed() < PATIENCE, "the connection with the old secret stays");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let reports = device.reports.clone();
    let mut device = Device::connect(&running, &secret, device.begun, reports).await;
    device.moves("e7", "e5", "p", "SIDE_RIGHT").await;
    until(&hall, "Black's move with the new secret", |table| {
        table.view.completed == (1, 1)
    })
    .await;

    let person = |name: &str, expires_unix_ms| Command::AddPerson {
        name: name.to_owned(),
        role: PersonRole::Arbiter,
        sector: None,
        expires_unix_ms,
    };
    let token = |answer: flagfall::hall::Answer| answer.secret.expect("a token");
    let past = token(
        hall.call(call("past", person("Past", Some(1_000))))
            .await
            .expect("added"),
    );
    let ever = token(hall.call(call("ever", person("Ever", None))).await.expect("added"));
    assert!(hall.authenticate(&past).is_none());
    assert_eq!(
        hall.authenticate(&ever).map(|person| person.name),
        Some("Ever".to_owned())
    );
    running.stop().await;
}

fn start() -> Command {
    Command::StartRound {
        event: "open".parse().expect("an id"),
        round: RoundNo(1),
        tables: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn from_the_press_to_the_view_and_over_a_restart() {
    let data = tempfile::tempdir().expect("a folder");
    let running = hub(data.path()).await;
    let hall = running.handle.clone();
    let secret = set_up(&hall).await;
    let mut device = Device::connect(&running, &secret, Instant::now(), Vec::new()).await;
    let arm = Command::ArmRound {
        event: "open".parse().expect("an id"),
        round: RoundNo(1),
    };
    tokio::time::sleep(Duration::from_millis(500)).await;
    hall.call(call("arm", arm)).await.expect("armed");
    until(&hall, "the device", |table| {
        table
            .clock_device
            .as_ref()
            .is_some_and(|clock| clock.online == Online::Online)
    })
    .await;

    let started = hall.call(call("start", start())).await.expect("started");
    assert!(started.tables.iter().all(|table| table.error.is_none()), "{started:?}");
    assert_eq!(
        hall.call(call("start", start())).await.expect("the same answer"),
        started
    );
    let reused = hall.call(call(
        "start",
        Command::PutTable {
            table: TableNo(8),
            sector: None,
            white_side: None,
            board_turned: None,
        },
    ));
    assert_eq!(
        reused.await.expect_err("another body").reason,
        CallReason::RequestReused
    );
    until(&hall, "White's running clock", |table| {
        table.view.clocks.running == Some(Color::White)
    })
    .await;

    let mut screens = hall.screens().subscribe(None);
    device.moves("e2", "e4", "P", "SIDE_LEFT").await;
    let table = until(&hall, "the move and its press", |table| {
        table.view.completed == (1, 0) && table.view.moves.len() == 1
    })
    .await;
    assert_eq!(table.view.moves[0].san, "e4");
    let clock = table.view.moves[0].clock.expect("pressed");
    assert!(clock > Millis::secs(300) && clock < Millis::secs(303), "{clock:?}");
    device.is_seen(1).await;
    let mut screened = false;
    while let Ok(Some(update)) = tokio::time::timeout(Duration::from_secs(2), screens.next()).await {
        if let Update::Changed { state, .. } | Update::Snapshot { state, .. } = update {
            screened |= state.view.moves.len() == 1;
        }
        if screened {
            break;
        }
    }
    assert!(screened, "the hall sees the move");

    let stale = Act {
        revision: Some(9_999),
        reason: String::new(),
        what: Deed::Adjust {
            white: Some(TimeChange::To(Millis(1))),
            black: None,
            moves_done: None,
        },
    };
    let refused = hall
        .call(call(
            "stale",
            Command::Act {
                table: TABLE,
                act: stale,
            },
        ))
        .await;
    assert!(refused.is_err_and(|error| error.reason == CallReason::StaleRevision));
    let (epoch, before) = (hall.info().epoch, hall.info().now);
    running.stop().await;
    assert!(
        hall.call(call("late", start()))
            .await
            .is_err_and(|error| error.reason == CallReason::Stopping)
    );
    device.task.abort();

    let running = hub(data.path()).await;
    let hall = running.handle.clone();
    assert!(hall.info().epoch > epoch);
    assert!(hall.info().now >= before, "hall time goes on");
    assert!(
        hall.arbiters().get(TABLE).is_some(),
        "who asks first is not told that nothing is paired"
    );
    let restored = until(&hall, "the game of before", |table| table.view.moves.len() == 1).await;
    assert_eq!(restored.view.moves, table.view.moves);
    assert_eq!(restored.view.clocks.running, Some(Color::Black));
    assert_eq!(
        hall.call(call("start", start())).await.expect("the same answer"),
        started,
        "over a restart too"
    );

    let mut device = Device::connect(&running, &secret, device.begun, device.reports).await;
    until(&hall, "the device again", |table| {
        table
            .clock_device
            .as_ref()
            .is_some_and(|clock| clock.online == Online::Online)
    })
    .await;
    device.again().await;
    device.moves("e7", "e5", "p", "SIDE_RIGHT").await;
    let table = until(&hall, "the reply", |table| {
        table.view.moves.len() == 2 && table.view.completed == (1, 1)
    })
    .await;
    assert_eq!(
        (table.view.moves[0].san.as_str(), table.view.moves[1].san.as_str()),
        ("e4", "e5")
    );
    device.is_seen(3).await;
    assert_eq!(device.twice.load(Ordering::SeqCst), 2);

    hall.call(call(
        "pause",
        Command::Act {
            table: TABLE,
            act: Act {
                revision: None,
                reason: "noise".into(),
                what: Deed::Pause,
            },
        },
    ))
    .await
    .expect("paused");
    until(&hall, "standing clocks", |table| {
        table.view.clocks.running.is_none() && table.card.view.paused
    })
    .await;
    device.task.abort();
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_chief_arbiter_gets_in_by_the_command_line_and_a_second_hub_stays_out() {
    let data = tempfile::tempdir().expect("a folder");
    let folder = data.path().to_owned();
    let grant = move |name: &'static str, folder: std::path::PathBuf| {
        tokio::task::spawn_blocking(move || flagfall::hub::grant_offline(&folder, name, PersonRole::ChiefArbiter))
    };
    let token = grant("Vera", folder.clone()).await.expect("ran").expect("a token");
    let running = hub(data.path()).await;
    let person = running.handle.authenticate(&token).expect("the token is good");
    assert_eq!((person.name.as_str(), person.role), ("Vera", PersonRole::ChiefArbiter));
    assert!(running.handle.authenticate("0000").is_none());
    assert!(
        grant("Igor", folder.clone()).await.expect("ran").is_err(),
        "a hub uses the folder"
    );
    let screen = running.grant("Screen 1", PersonRole::Screen).await.expect("a token");
    running.stop().await;
    let running = hub(data.path()).await;
    assert_eq!(
        running.handle.authenticate(&screen).expect("kept").role,
        PersonRole::Screen
    );
    running.stop().await;
}
