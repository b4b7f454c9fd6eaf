//! An organiser's day through the public interface of a running hub: a round comes out of a pairing program's file, is played, its
//! results go back into the file, and the games go out as PGN; also after a restart, when others sit at the tables.

mod common;
#[path = "pairings/engines.rs"]
mod engines;

use common::calls::{by, put_event, set_result};
use common::hostile;
use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::arbiter::v1::arbiter_service_client::ArbiterServiceClient;
use flagfall::hall::PersonRole;
use flagfall::hub::RunningHub;
use tempfile::TempDir;
use tonic::transport::Channel;
use tonic::{Code, Request};
use tonic_types::StatusExt as _;

const NAMES: [&str; 6] = [
    hostile::NAMES[0],
    hostile::NAMES[1],
    hostile::NAMES[2],
    hostile::NAMES[3],
    hostile::NAMES[4],
    "Sixth, Absent",
];

struct House {
    hub: RunningHub,
    token: String,
    data: TempDir,
    asked: u32,
}

impl House {
    async fn open() -> House {
        let data = TempDir::new().expect("a folder");
        let hub = common::start(common::config(data.path())).await;
        let token = hub.grant("Chief", PersonRole::ChiefArbiter).await.expect("a token");
        let house = House {
            hub,
            token,
            data,
            asked: 0,
        };
        let event = admin::Event {
            id: "open".to_owned(),
            name: "Open \"2026\"".to_owned(),
            date: "2026-08-01".to_owned(),
            ..Default::default()
        };
        put_event(house.channel().await, &house.token, event).await;
        house
    }

    async fn reopen(self) -> House {
        self.hub.stop().await;
        let hub = common::start(common::config(self.data.path())).await;
        House { hub, ..self }
    }

    fn id(&mut self) -> String {
        self.asked += 1;
        format!("call-{}", self.asked)
    }

    fn by<T>(&self, message: T) -> Request<T> {
        by(&self.token, message)
    }

    async fn channel(&self) -> Channel {
        common::channel(format!("http://{}", self.hub.http_addr)).await
    }

    async fn admin(&self) -> AdminServiceClient<Channel> {
        AdminServiceClient::new(self.channel().await)
    }

    async fn arbiter(&self) -> ArbiterServiceClient<Channel> {
        ArbiterServiceClient::new(self.channel().await)
    }

    async fn import(
        &mut self,
        round: u32,
        name: &str,
        content: &[u8],
        confirm: bool,
    ) -> Result<admin::ImportRoundResponse, tonic::Status> {
        let request = admin::ImportRoundRequest {
            request_id: self.id(),
            event: "open".to_owned(),
            round,
            file: Some(admin::PairingFile {
                name: name.to_owned(),
                content: content.to_vec(),
            }),
            first_table: 11,
            // Only a TRF26 codes it.
            time_control: if name.ends_with(".csv") { "90m+30s" } else { "" }.to_owned(),
            confirm,
            ..Default::default()
        };
        let answer = self.admin().await.import_round(self.by(request)).await;
        answer.map(tonic::Response::into_inner)
    }

    async fn export(&self, round: u32, format: admin::ExportFormat) -> admin::ExportEventResponse {
        let request = admin::ExportEventRequest {
            event: "open".to_owned(),
            round,
            format: format.into(),
            elapsed_times: false,
        };
        let answer = self.admin().await.export_event(self.by(request)).await;
        answer.expect("written").into_inner()
    }

    async fn text(&self, round: u32, format: admin::ExportFormat) -> String {
        String::from_utf8(self.export(round, format).await.content).expect("text")
    }

    async fn start(&mut self, round: u32) {
        let request = arbiter::StartRoundRequest {
            request_id: self.id(),
            event: "open".to_owned(),
            round,
            tables: Vec::new(),
        };
        let answer = self.arbiter().await.start_round(self.by(request)).await;
        for at in answer.expect("started").into_inner().answers {
            assert!(
                matches!(at.answer, Some(arbiter::table_answer::Answer::Done(_))),
                "{at:?}"
            );
        }
    }

    async fn moves(&mut self, table: u32, moves: &[&str]) {
        for mv in moves {
            let request = arbiter::EnterMoveRequest {
                request_id: self.id(),
                table,
                r#move: (*mv).to_owned(),
                ..Default::default()
            };
            self.arbiter()
                .await
                .enter_move(self.by(request))
                .await
                .expect("entered");
        }
    }

    async fn game(&self, table: u32) -> arbiter::Game {
        let which = Some(arbiter::get_game_request::Which::Table(table));
        let request = arbiter::GetGameRequest { which };
        let game = self.arbiter().await.get_game(self.by(request)).await.expect("shown");
        game.into_inner().table.and_then(|table| table.game).expect("a game")
    }

    async fn observe(&mut self, table: u32, what: arbiter::Observation) {
        let request = arbiter::ObserveRequest {
            request_id: self.id(),
            reason: String::new(),
            table,
            what: what.into(),
            ..Default::default()
        };
        self.arbiter().await.observe(self.by(request)).await.expect("taken");
    }

    async fn confirm(&mut self, table: u32) {
        let item = self.game(table).await.items.first().cloned().expect("an item");
        let request = arbiter::ConfirmItemRequest {
            request_id: self.id(),
            reason: String::new(),
            table,
            item: item.number,
            item_revision: item.revision,
            ..Default::default()
        };
        self.arbiter()
            .await
            .confirm_item(self.by(request))
            .await
            .expect("confirmed");
    }

    async fn result(&self, table: u32, result: &str) {
        set_result(self.channel().await, &self.token, table, result).await;
    }
}

/// A tournament report as a pairing program writes it after it has paired the second round.
fn report() -> Vec<[String; 3]> {
    let rounds = [
        ["1.0", "   4 w 1     2 b  "],
        ["1.0", "   5 b 1     1 w  "],
        ["0.5", "   6 w =     4 b  "],
        ["0.0", "   1 b 0     3 w  "],
        ["1.0", "   2 w 0  0000 - U"],
        ["0.5", "   3 b =  0000 - Z"],
    ];
    let row = |(at, [points, rounds]): (usize, &[&str; 2])| {
        let name = NAMES[at];
        let head = format!(
            "001 {:>4} m  g {name:<33} {:>4} NOR {:>11} 1990/11/30 ",
            at + 1,
            2500 - at,
            1_503_014 + at
        );
        [head, (*points).to_owned(), format!("    {}  {rounds}", at + 1)]
    };
    rounds.iter().enumerate().map(row).collect()
}

fn file(rows: &[[String; 3]]) -> String {
    let rows: Vec<String> = rows
        .iter()
        .map(|[head, points, rest]| format!("{head}{points:>4}{rest}"))
        .collect();
    format!(
        "012 Open\r\n062 6\r\n222 5400+30\r\n{}\r\nXXR 9\r\n### anything else\r\n",
        rows.join("\r\n")
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_comes_from_the_file_is_played_and_goes_back_into_it() {
    let mut house = House::open().await;
    let mut rows = report();
    let before = file(&rows);

    let shown = house
        .import(2, "round2.trf", before.as_bytes(), false)
        .await
        .expect("proposed");
    assert!(shown.is_new && !shown.taken);
    assert_eq!(
        (shown.format.as_str(), shown.time_control.as_str()),
        ("TRF26", "90m+30s")
    );
    let games: Vec<_> = shown.games.iter().map(|game| (game.table, game.board)).collect();
    assert_eq!(games, [(11, 1), (12, 2)]);
    let codes: Vec<_> = shown
        .unpaired
        .iter()
        .map(|one| (one.number, one.code.as_str()))
        .collect();
    assert_eq!(codes, [(5, "U"), (6, "Z")]);
    let rounds = admin::ListRoundsRequest {
        event: "open".to_owned(),
    };
    let rounds = house.admin().await.list_rounds(house.by(rounds)).await.expect("listed");
    assert!(rounds.into_inner().rounds.is_empty(), "nothing was taken yet");

    let taken = house
        .import(2, "round2.trf", before.as_bytes(), true)
        .await
        .expect("taken");
    assert!(taken.taken && taken.proposal == shown.proposal);
    assert_eq!(
        house.text(2, admin::ExportFormat::Trf).await,
        before,
        "without play: the same bytes"
    );

    house.start(2).await;
    let turned = before.replace("   3 w  ", "   2 w  ");
    let refused = house
        .import(2, "again.trf", turned.as_bytes(), true)
        .await
        .expect_err("two rows differ");
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert!(
        refused
            .get_details_bad_request()
            .expect("fields")
            .field_violations
            .len()
            > 1
    );
    let again = house
        .import(2, "again.trf", before.as_bytes(), true)
        .await
        .expect("the same again");
    assert!(again.changes.is_empty());

    house.moves(11, &["e2e4", "e7e5", "g1f3"]).await;
    house.result(11, "1/2-1/2").await;
    house.result(12, "1-0").await;
    // White at table 11 is player 2; at table 12, where nobody has moved, player 4.
    rows[0] = [
        rows[0][0].clone(),
        "1.5".to_owned(),
        "    1     4 w 1     2 b =".to_owned(),
    ];
    rows[1] = [
        rows[1][0].clone(),
        "1.5".to_owned(),
        "    2     5 b 1     1 w =".to_owned(),
    ];
    rows[2] = [
        rows[2][0].clone(),
        "0.5".to_owned(),
        "    3     6 w =     4 b L".to_owned(),
    ];
    rows[3] = [
        rows[3][0].clone(),
        "1.0".to_owned(),
        "    4     1 b 0     3 w W".to_owned(),
    ];
    let after = file(&rows);
    assert_eq!(house.text(2, admin::ExportFormat::Trf).await, after);

    let list = house.text(2, admin::ExportFormat::Results).await;
    assert!(
        list.contains("2;1;2;<img src=x onerror=alert(1)>;1;\"Quote \"\"] Back\\slash\";1/2-1/2\n"),
        "{list}"
    );
    let csv = house.text(2, admin::ExportFormat::Csv).await;
    assert!(csv.contains("\"'=HYPERLINK(\"\"http://x\"\")\""), "{csv}");
    let names = house
        .import(3, "round.csv", csv.as_bytes(), false)
        .await
        .expect("read again");
    let all: Vec<String> = names
        .games
        .iter()
        .flat_map(|game| [&game.white, &game.black])
        .filter_map(|player| player.as_ref().map(|player| player.name.clone()))
        .chain(names.unpaired.iter().map(|one| one.name.clone()))
        .collect();
    for name in NAMES {
        assert!(all.iter().any(|read| read == name), "{name} in {all:?}");
    }

    let pgn = house.text(2, admin::ExportFormat::Pgn).await;
    for part in [
        "[Event \"Open \\\"2026\\\"\"]\n",
        "[Round \"2.1\"]\n[White \"<img src=x onerror=alert(1)>\"]\n[Black \"Quote \\\"] Back\\\\slash\"]\n[Result \"1/2-1/2\"]\n",
        "[TimeControl \"5400+30\"]\n",
        "Nf3",
        "[Black \"=HYPERLINK(\\\"http://x\\\")\"]",
    ] {
        assert!(pgn.contains(part), "{part} in {pgn}");
    }

    // The next round sits at the same tables, the hub has been stopped in between: nothing of the round before is lost.
    let request = arbiter::EndRoundRequest {
        request_id: house.id(),
        event: "open".to_owned(),
        round: 2,
    };
    house.arbiter().await.end_round(house.by(request)).await.expect("ended");
    let third = after
        .replace("     2 b =", "     2 b =     4 w  ")
        .replace("     3 w W", "     3 w W     1 b  ");
    house
        .import(3, "round3.trf", third.as_bytes(), true)
        .await
        .expect("round 3");
    house.start(3).await;
    let house = house.reopen().await;
    assert_eq!(house.text(2, admin::ExportFormat::Trf).await, after);
    assert_eq!(house.text(2, admin::ExportFormat::Pgn).await, pgn);
    assert_eq!(
        house.text(0, admin::ExportFormat::Trf).await,
        third,
        "the last round's own file"
    );
    let notes = house.export(3, admin::ExportFormat::Trf).await.warnings;
    assert!(
        notes
            .iter()
            .any(|note| note.message.contains("1 games have no result yet: tables 11")),
        "{notes:?}"
    );
    house.hub.stop().await;
}

/// Ten moves of each.
const TEN: [&str; 20] = [
    "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7", "f1e1", "b7b5", "a4b3", "d7d6",
    "c2c3", "e8g8", "h2h3", "c6a5", "b3c2", "c7c5",
];

#[tokio::test(flavor = "multi_thread")]
async fn colours_reversed_and_played_on_with_go_out_as_they_were_played() {
    let mut house = House::open().await;
    let before = file(&report());
    house
        .import(2, "round2.trf", before.as_bytes(), true)
        .await
        .expect("taken");
    house.start(2).await;
    house.moves(12, &TEN).await;
    house.observe(12, arbiter::Observation::ColoursReversed).await;
    // 7.3: both have made ten moves, so the game goes on.
    house.confirm(12).await;
    house.moves(12, &["d2d4"]).await;
    house.result(12, "1-0").await;

    // Everybody who looks sees who has White.
    let table = flagfall::hall::TableNo(12);
    let card = house.hub.handle.screens().get(table).expect("shown");
    let names = (card.white.name.as_str(), card.black.name.as_str());
    assert_eq!(names, (NAMES[2], NAMES[3]));

    // Paired as 4 with White against 3: it was 3 who had White, and has won.
    let after = house.text(2, admin::ExportFormat::Trf).await;
    let row = |number: u32| {
        let begin = format!("001 {number:>4}");
        let row = after.lines().find(|line| line.starts_with(&begin));
        row.expect("a row").to_owned()
    };
    assert!(row(3).ends_with("     4 w 1"), "{}", row(3));
    assert!(row(4).ends_with("     3 b 0"), "{}", row(4));
    let list = house.text(2, admin::ExportFormat::Results).await;
    let line = list.lines().find(|line| line.starts_with("2;2;")).expect("a line");
    assert_eq!(line, "2;2;3;\"'=HYPERLINK(\"\"http://x\"\")\";4;''t Hart, Jan;1-0");
    let csv = house.text(2, admin::ExportFormat::Csv).await;
    let line = csv.lines().find(|line| line.starts_with("2,12,")).expect("a line");
    assert!(
        line.starts_with("2,12,2,3,\"'=HYPERLINK") && line.contains(",yes,"),
        "{line}"
    );
    let pgn = house.text(2, admin::ExportFormat::Pgn).await;
    assert!(
        pgn.contains("[White \"=HYPERLINK(\\\"http://x\\\")\"]\n[Black \"'t Hart, Jan\"]\n[Result \"1-0\"]"),
        "{pgn}"
    );
    let notes = house.export(2, admin::ExportFormat::Trf).await.warnings;
    let told = notes
        .iter()
        .any(|note| note.message.contains("the colours were reversed"));
    assert!(told, "{notes:?}");
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delay_in_the_file_holds_its_board_back_before_the_pairing_is_there() {
    let mut house = House::open().await;
    let put = |house: &mut House, csv: &str| {
        let request = admin::PutRoundRequest {
            request_id: house.id(),
            event: "open".to_owned(),
            number: 1,
            time_control: "90m+30s".to_owned(),
            source: Some(admin::put_round_request::Source::Csv(csv.to_owned())),
            validate_only: false,
        };
        house.by(request)
    };
    let release = admin::SetReleaseRequest {
        request_id: house.id(),
        event: "open".to_owned(),
        round: 0,
        release: Some(admin::Release {
            delay_ms: 900_000,
            finished_at_once: true,
            ..Default::default()
        }),
    };
    house.admin().await.set_release(house.by(release)).await.expect("set");
    let of = |house: &House, round: u32| {
        let registry = house.hub.handle.registry();
        let event = registry.events.values().next().expect("the event");
        event.releases.of(flagfall::hall::RoundNo(round)).clone()
    };
    let csv = "table,board,white,black,delay\n21,1,A,B,30m\n22,2,C,D,\n";
    let request = put(&mut house, csv);
    house.admin().await.put_round(request).await.expect("taken");
    let own = of(&house, 1);
    assert_eq!(own.delay(1), flagfall::time::Millis::mins(30));
    assert_eq!(own.delay(2), flagfall::time::Millis::mins(15), "as the round");
    assert!(own.finished_at_once, "the rest is as it was");

    // The same by an import: shown first, and set when it is taken.
    let csv = b"table,board,white,black,delay\n31,1,E,F,1h\n";
    let shown = house.import(2, "two.csv", csv, false).await.expect("read");
    let told = shown
        .warnings
        .iter()
        .any(|note| note.message.contains("board 1 1:00:00 late"));
    assert!(told, "{:?}", shown.warnings);
    assert_eq!(
        of(&house, 2).delay(1),
        flagfall::time::Millis::mins(15),
        "nothing was taken"
    );
    house.import(2, "two.csv", csv, true).await.expect("taken");
    assert_eq!(of(&house, 2).delay(1), flagfall::time::Millis::mins(60));
    assert_eq!(of(&house, 1), own);

    // A round that is armed is refused, and nothing of it changed.
    house.start(1).await;
    let request = put(&mut house, "table,board,white,black,delay\n21,1,A,B,0\n");
    let refused = house.admin().await.put_round(request).await.expect_err("armed");
    assert_eq!(refused.code(), Code::FailedPrecondition);
    assert_eq!(of(&house, 1), own);
    house.hub.stop().await;
}
