//! A game on paper, from the hub by its API and from a data folder by the command line; and names and texts that mean harm, through
//! everything that shows them.

mod common;

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use common::calls::{by as with, put_event};
use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::arbiter::v1::arbiter_service_client::ArbiterServiceClient;
use flagfall::api::proto::arbiter::v1::get_record_request::Which;
use flagfall::hall::PersonRole;
use flagfall::hub::RunningHub;
use tempfile::TempDir;
use tonic::transport::Channel;
use tonic::{Code, Request};

const HOSTILE: [&str; 5] = [
    "<img src=x onerror=alert(1)>",
    "=HYPERLINK(\"http://evil.example\",\"click\")",
    "\"quoted\" 'name' & <script>alert(2)</script>",
    "+cmd|' /C calc'!A0",
    "@SUM(1+1)*<b>bold</b>",
];

struct House {
    hub: RunningHub,
    chief: String,
    folder: TempDir,
}

impl House {
    async fn open() -> House {
        let folder = TempDir::new().expect("a folder");
        let sheets = folder.path().join("second machine");
        std::fs::create_dir(&sheets).expect("made");
        let mut config = common::config(&folder.path().join("data"));
        config.sheet.folder = Some(sheets);
        config.sheet.every_s = 1;
        let hub = common::start(config).await;
        let chief = hub.grant("Chief <b>", PersonRole::ChiefArbiter).await.expect("a token");
        House { hub, chief, folder }
    }

    async fn channel(&self) -> Channel {
        common::channel(format!("http://{}", self.hub.http_addr)).await
    }

    async fn arbiter(&self) -> ArbiterServiceClient<Channel> {
        ArbiterServiceClient::new(self.channel().await).max_decoding_message_size(64 << 20)
    }

    /// A table for each name, in sector A but the last, which is in B; armed, called, a move and a ruling at each.
    async fn play(&self, names: &[&str]) {
        let mut admin = AdminServiceClient::new(self.channel().await);
        let event = admin::Event {
            id: "open".to_owned(),
            name: HOSTILE[0].to_owned(),
            site: HOSTILE[2].to_owned(),
            ..Default::default()
        };
        put_event(self.channel().await, &self.chief, event).await;
        let mut csv = "table,white,black,board_kind\n".to_owned();
        for (table, name) in (1..).zip(names) {
            let cell = name.replace('"', "\"\"");
            csv.push_str(&format!("{table},\"{cell}\",\"{cell} II\",none\n"));
        }
        let request = admin::PutRoundRequest {
            request_id: "round".to_owned(),
            event: "open".to_owned(),
            number: 1,
            time_control: "90m+30s".to_owned(),
            source: Some(admin::put_round_request::Source::Csv(csv)),
            validate_only: false,
        };
        admin.put_round(self.by(request)).await.expect("the round");
        let mut arbiters = self.arbiter().await;
        for (table, _) in (1..).zip(names) {
            let sector = if table as usize == names.len() { "B" } else { "A" };
            let request = admin::PutTableRequest {
                request_id: format!("table-{table}"),
                table,
                sector: Some(sector.to_owned()),
                ..Default::default()
            };
            admin.put_table(self.by(request)).await.expect("the table");
        }
        let request = arbiter::StartRoundRequest {
            request_id: "start".to_owned(),
            event: "open".to_owned(),
            round: 1,
            tables: Vec::new(),
        };
        arbiters.start_round(self.by(request)).await.expect("called");
        for (table, name) in (1..).zip(names) {
            let request = arbiter::PauseGameRequest {
                request_id: format!("pause-{table}"),
                reason: (*name).to_owned(),
                table,
            };
            arbiters.pause_game(self.by(request)).await.expect("paused");
            let request = arbiter::AdjustClocksRequest {
                request_id: format!("adjust-{table}"),
                reason: (*name).to_owned(),
                table,
                white: Some(arbiter::TimeChange {
                    change: Some(arbiter::time_change::Change::AddMs(120_000)),
                }),
                ..Default::default()
            };
            arbiters.adjust_clocks(self.by(request)).await.expect("adjusted");
        }
    }

    fn by<T>(&self, message: T) -> Request<T> {
        with(&self.chief, message)
    }

    async fn record(&self, which: Which, language: &'static str) -> arbiter::GetRecordResponse {
        let mut request = self.by(arbiter::GetRecordRequest { which: Some(which) });
        request
            .metadata_mut()
            .insert("accept-language", language.parse().expect("a header"));
        self.arbiter()
            .await
            .get_record(request)
            .await
            .expect("a record")
            .into_inner()
    }
}

/// What a browser would take for tags.
fn tags(page: &str) -> BTreeSet<String> {
    page.split('<')
        .skip(1)
        .map(|tag| {
            tag.chars()
                .take_while(|c| c.is_ascii_alphanumeric() || "/!".contains(*c))
                .collect()
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_has_every_ruling_with_its_author_and_the_chains_that_verify_shows() {
    let house = House::open().await;
    house.play(&["Carlsen, Magnus"]).await;
    let record = house.record(Which::Table(1), "en").await;
    assert_eq!((record.table, record.language.as_str()), (1, "en"));
    let html = &record.html;
    for part in [
        "Carlsen, Magnus",
        "Chief &lt;b&gt;",
        "Clocks adjusted",
        "1:32:",
        &record.game,
        "Scoresheet",
        "@media print",
        "flagfall journal verify",
    ] {
        assert!(html.contains(part), "{part} is not in it: {html}");
    }
    // The same by its id, and of the round.
    let by_id = house.record(Which::Game(record.game.clone()), "en").await;
    let place = arbiter::RoundTable {
        event: "open".to_owned(),
        round: 1,
        table: 1,
    };
    let of_round = house.record(Which::Round(place), "pl").await;
    assert_eq!((&by_id.game, &of_round.game), (&record.game, &record.game));
    assert!(of_round.html.contains("Zapis partii"));

    // Every entry of the game is in it, with its position, and the newest hash of its chain.
    let data = house.folder.path().join("data");
    house.hub.stop().await;
    let filter = flagfall::store::ShowFilter {
        table: Some(1),
        game: None,
        from: 1,
        json: true,
    };
    let mut lines = Vec::new();
    flagfall::store::show(&data, &filter, &mut lines).expect("shown");
    let mut chain = String::new();
    for line in String::from_utf8(lines).expect("text").lines() {
        let entry: serde_json::Value = serde_json::from_str(line).expect("JSON");
        if entry["game"].as_str() != Some(&record.game) {
            continue;
        }
        let position = &entry["position"];
        assert!(
            html.contains(&format!("<tr id=\"p{position}\">")),
            "entry {position} is not in it"
        );
        chain = entry["game_hash"].as_str().expect("a hash").to_owned();
    }
    assert!(html.contains(&chain), "{chain}");

    // And from the data folder, with no hub.
    let out = house.folder.path().join("record.html");
    let done = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .args([
            "record", "--event", "open", "--round", "1", "--table", "1", "--lang", "ru", "--out",
        ])
        .arg(&out)
        .arg("--data")
        .arg(&data)
        .output()
        .expect("runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let offline = std::fs::read_to_string(&out).expect("written");
    assert!(offline.contains("Запись партии") && offline.contains(&chain));
    let none = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .args(["record", "--table", "99", "--data"])
        .arg(&data)
        .output()
        .expect("runs");
    assert!(!none.status.success());
    assert!(String::from_utf8_lossy(&none.stderr).contains("a game at table 99"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_is_for_arbiters_of_its_sector() {
    let house = House::open().await;
    house.play(&["A", "B"]).await;
    let record = house.record(Which::Table(2), "en").await;
    let mut admin = AdminServiceClient::new(house.channel().await);
    let person = admin::Person {
        name: "Anna".to_owned(),
        role: admin::Role::Arbiter.into(),
        sector: "A".to_owned(),
        expires_ms: None,
        also: Vec::new(),
    };
    let request = admin::AddPersonRequest {
        request_id: "anna".to_owned(),
        person: Some(person),
    };
    let anna = admin
        .add_person(house.by(request))
        .await
        .expect("added")
        .into_inner()
        .token;
    let mut arbiters = house.arbiter().await;
    let ask = |which| with(&anna, arbiter::GetRecordRequest { which: Some(which) });
    arbiters.get_record(ask(Which::Table(1))).await.expect("his own");
    let place = arbiter::RoundTable {
        event: "open".to_owned(),
        round: 1,
        table: 2,
    };
    for which in [Which::Table(2), Which::Game(record.game), Which::Round(place)] {
        let refused = arbiters.get_record(ask(which.clone())).await.expect_err("another's");
        assert_eq!(refused.code(), Code::PermissionDenied, "{which:?}");
    }
    house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_and_texts_that_mean_harm_stay_text_everywhere() {
    let house = House::open().await;
    house.play(&HOSTILE).await;
    let mut plain: Option<BTreeSet<String>> = None;
    for table in 1..=HOSTILE.len() as u32 {
        for language in ["en", "sr", "ru", "pl"] {
            let html = house.record(Which::Table(table), language).await.html;
            let found = tags(&html);
            for tag in ["img", "script", "b>", "/script"] {
                assert!(!found.contains(tag), "table {table}: <{tag}>");
            }
            assert_eq!(plain.get_or_insert_with(|| found.clone()), &found, "table {table}");
        }
    }
    let names: Vec<String> = house
        .hub
        .handle
        .screens()
        .all()
        .1
        .iter()
        .map(|(_, card)| card.white.name.clone())
        .collect();
    // They are kept as they were written: what shows them makes them harmless, and nobody's name is changed.
    assert_eq!(names, HOSTILE);

    let folder = house.folder.path().join("second machine");
    let written = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    for _ in 0..100 {
        if written("tables.csv").lines().count() > HOSTILE.len() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let csv = written("tables.csv");
    assert_eq!(csv.lines().count(), HOSTILE.len() + 1, "{csv}");
    for start in [",=", ",+", ",@", ",\"=", ",\"+", ",\"@"] {
        assert!(!csv.contains(start), "{start}: {csv}");
    }
    let found = tags(&written("tables.html"));
    assert!(!found.contains("img") && !found.contains("script"), "{found:?}");
    assert!(found.contains("section"), "{found:?}");

    let data = house.folder.path().join("data");
    house.hub.stop().await;
    // A terminal is steered by nothing that stands in a name.
    let shown = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .args(["journal", "show", "--data"])
        .arg(&data)
        .output()
        .expect("runs");
    assert!(shown.status.success());
    assert!(
        !shown
            .stdout
            .iter()
            .any(|byte| byte.is_ascii_control() && *byte != b'\n')
    );
    assert_private(&data);
}

fn assert_private(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let mode = std::fs::metadata(&path).expect("there").permissions().mode() & 0o077;
        assert_eq!(mode, 0, "{}", path.display());
    }
}
