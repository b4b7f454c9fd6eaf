//! A whole hub on free ports, with a round that nobody's devices play.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::arbiter::v1::arbiter_service_client::ArbiterServiceClient;
use flagfall::api::proto::feed::v1::Color;
use flagfall::config::Config;
use flagfall::hall::PersonRole;
use flagfall::hub::{Hub, RunningHub};
use flagfall::sim::games;
use flagfall::sim::plan::plan;
use flagfall::sim::run::{Order, Settings, run};
use flagfall::sim::table::BoardKind;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tonic::Request;
use tonic::transport::Channel;

use crate::browser::Browser;
use crate::calls::{put_event, set_result};

const SOON: Duration = Duration::from_secs(10);
const HOSTILE: &str = "<img src=x onerror=\"document.title='owned'\">, {what}";

/// A hub with one event of so many tables, called and running; nobody has devices.
pub struct House {
    pub hub: RunningHub,
    /// The chief arbiter's token.
    pub anna: String,
    /// An arbiter's.
    pub ben: String,
    /// Whoever plays at tables with devices.
    playing: CancellationToken,
    _data: TempDir,
}

impl Drop for House {
    fn drop(&mut self) {
        self.playing.cancel();
    }
}

impl House {
    pub async fn open(tables: u32, time_control: &str) -> House {
        let house = House::empty().await;
        house.play(tables, time_control).await;
        house
    }

    /// A hub with its two arbiters, and nothing else.
    pub async fn empty() -> House {
        House::at_speed(1.0).await
    }

    /// The same, whose time goes so many times as fast as the wall's.
    pub async fn at_speed(speed: f64) -> House {
        let data = TempDir::new().expect("a folder");
        let mut config = Config::default();
        config.hall.data = data.path().to_owned();
        config.hall.speed = speed;
        config.listen.http = ([127, 0, 0, 1], 0).into();
        config.mqtt.listen = ([127, 0, 0, 1], 0).into();
        let hub = Hub::start(config).await.expect("the hub starts");
        let anna = hub.grant("Anna", PersonRole::ChiefArbiter).await.expect("a token");
        let ben = hub.grant("Ben", PersonRole::Arbiter).await.expect("a token");
        House {
            hub,
            anna,
            ben,
            playing: CancellationToken::new(),
            _data: data,
        }
    }

    /// A phone that is this table's clock: the code that the technician scans.
    pub async fn phone(&self, table: u32) -> String {
        let code = self.phone_without_a_table(table).await;
        self.bind_phone(table, admin::Side::Left).await;
        code
    }

    /// A board on which a recorder taps the moves: the code that makes a phone this board. With table 0 it serves none yet.
    pub async fn recorder(&self, name: &str, table: u32) -> String {
        let mut admin = AdminServiceClient::new(self.channel().await);
        let request = admin::AddDeviceRequest {
            request_id: format!("add-{name}"),
            id: name.to_owned(),
            kind: admin::DeviceKind::Board.into(),
            speaks_for: Vec::new(),
        };
        let added = admin.add_device(self.by(request)).await.expect("added").into_inner();
        if table != 0 {
            let request = admin::BindDeviceRequest {
                request_id: format!("bind-{name}"),
                device: name.to_owned(),
                table,
                as_clock: false,
                as_board: true,
                white_side: admin::Side::Left.into(),
                board_turned: None,
            };
            admin.bind_device(self.by(request)).await.expect("bound");
        }
        format!("{name}:{}", added.credential.expect("a secret, once").password)
    }

    /// As the hub lists it.
    pub async fn listed(&self, device: &str) -> admin::Device {
        let mut admin = AdminServiceClient::new(self.channel().await);
        let request = self.by(admin::ListDevicesRequest {});
        let all = admin.list_devices(request).await.expect("listed").into_inner().devices;
        all.into_iter().find(|known| known.id == device).expect("it is known")
    }

    /// A phone that will be this table's clock and serves none yet.
    pub async fn phone_without_a_table(&self, table: u32) -> String {
        let mut admin = AdminServiceClient::new(self.channel().await);
        let id = format!("phone-{table}");
        let request = admin::AddDeviceRequest {
            request_id: format!("add-{id}"),
            id: id.clone(),
            kind: admin::DeviceKind::Clock.into(),
            speaks_for: Vec::new(),
        };
        let added = admin.add_device(self.by(request)).await.expect("added").into_inner();
        format!("{id}:{}", added.credential.expect("a secret, once").password)
    }

    pub async fn bind_phone(&self, table: u32, white_side: admin::Side) {
        let mut admin = AdminServiceClient::new(self.channel().await);
        let request = admin::BindDeviceRequest {
            request_id: format!("bind-{table}"),
            device: format!("phone-{table}"),
            table,
            as_clock: true,
            as_board: false,
            white_side: white_side.into(),
            board_turned: None,
        };
        admin.bind_device(self.by(request)).await.expect("bound");
    }

    /// A table with a simulated clock and board, at which a real game is played as fast as it was.
    pub fn simulate(&self, table: u32) {
        let settings = Settings {
            hub: format!("http://{}", self.hub.http_addr),
            token: self.anna.clone(),
            mqtt: None,
            tables: 1,
            first_table: table,
            board: BoardKind::Pieces,
            split: false,
            scan_ms: 0,
            persistent: false,
            seed: 1,
            order: Order::EachOnItsOwn {
                shown: Duration::from_secs(60),
            },
            event_name: "Masters".to_owned(),
            name: None,
            patience: Duration::from_secs(60),
        };
        let (stop, games) = (self.playing.clone(), games::all().expect("the games can be read"));
        tokio::spawn(async move { run(&settings, plan(&games, 1), Arc::default(), &stop).await });
    }

    pub async fn channel(&self) -> Channel {
        Channel::from_shared(format!("http://{}", self.hub.http_addr))
            .expect("an address")
            .connect()
            .await
            .expect("connects")
    }

    pub fn by<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let token = format!("Bearer {}", self.anna).parse().expect("a token");
        request.metadata_mut().insert("authorization", token);
        request
    }

    pub async fn arbiter(&self) -> ArbiterServiceClient<Channel> {
        ArbiterServiceClient::new(self.channel().await)
    }

    pub async fn play(&self, tables: u32, time_control: &str) {
        self.pair(tables, time_control).await;
        self.start().await;
    }

    pub async fn pair(&self, tables: u32, time_control: &str) {
        self.pair_with(tables, time_control, admin::BoardKind::None).await;
    }

    /// With boards of this kind; unspecified: whatever board serves the table.
    pub async fn pair_with(&self, tables: u32, time_control: &str, boards: admin::BoardKind) {
        let mut admin = AdminServiceClient::new(self.channel().await);
        let event = admin::Event {
            id: "open".to_owned(),
            name: "Open".to_owned(),
            ..Default::default()
        };
        put_event(self.channel().await, &self.anna, event).await;
        let player = |name: String| {
            Some(flagfall::api::proto::feed::v1::Player {
                name,
                ..Default::default()
            })
        };
        let pairings = (1..=tables).map(|table| admin::Pairing {
            table,
            white: player(if table == 2 {
                HOSTILE.to_owned()
            } else {
                format!("Ćosić, {table}")
            }),
            black: player(format!("Nowak, {table}")),
            board_kind: boards.into(),
            ..Default::default()
        });
        let request = admin::PutRoundRequest {
            request_id: "round".to_owned(),
            event: "open".to_owned(),
            number: 1,
            time_control: time_control.to_owned(),
            source: Some(admin::put_round_request::Source::Pairings(admin::PairingList {
                pairings: pairings.collect(),
            })),
            validate_only: false,
        };
        admin.put_round(self.by(request)).await.expect("the round");
    }

    /// The table's part of the hall.
    pub async fn sector(&self, table: u32, sector: &str) {
        let request = admin::PutTableRequest {
            request_id: format!("sector-{table}"),
            table,
            sector: Some(sector.to_owned()),
            ..Default::default()
        };
        let mut admin = AdminServiceClient::new(self.channel().await);
        admin.put_table(self.by(request)).await.expect("put");
    }

    pub async fn start(&self) {
        let request = arbiter::StartRoundRequest {
            request_id: "start".to_owned(),
            event: "open".to_owned(),
            round: 1,
            tables: Vec::new(),
        };
        self.arbiter()
            .await
            .start_round(self.by(request))
            .await
            .expect("the round is called");
    }

    pub async fn enter(&self, table: u32, moves: &[&str]) {
        let mut client = self.arbiter().await;
        for (n, mv) in moves.iter().enumerate() {
            let request = arbiter::EnterMoveRequest {
                request_id: format!("move-{table}-{n}"),
                table,
                r#move: (*mv).to_owned(),
                ..Default::default()
            };
            client.enter_move(self.by(request)).await.expect("entered");
        }
    }

    pub async fn game(&self, table: u32) -> (arbiter::Game, Vec<arbiter::Ruling>) {
        let (table, rulings) = self.table(table).await;
        (table.game.expect("a game"), rulings)
    }

    pub async fn table(&self, table: u32) -> (arbiter::ArbiterTable, Vec<arbiter::Ruling>) {
        let which = Some(arbiter::get_game_request::Which::Table(table));
        let answer = self
            .arbiter()
            .await
            .get_game(self.by(arbiter::GetGameRequest { which }))
            .await
            .expect("shown")
            .into_inner();
        (answer.table.expect("a table"), answer.rulings)
    }

    /// Opens the console with this token, over this address.
    pub async fn console(&self, token: &str, at: SocketAddr, width: u32, height: u32) -> Browser {
        let browser = Browser::start(width, height, "light").await;
        let address = format!("http://{at}/arbiter#token={token}");
        browser.page.goto(&address).await.expect("the page opens");
        browser
            .until("document.querySelectorAll('.row, .item').length > 0", SOON)
            .await;
        browser
    }
}

impl House {
    /// A hall in mid-round: an illegal move, a right and a wrong claim, a flag, a stopped table, time trouble, a result.
    pub async fn a_round_goes_on(&self) {
        let mut client = self.arbiter().await;
        let opening = [
            "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5", "Bb3", "d6", "c3", "O-O",
        ];
        for (table, plies) in [
            (1, 16),
            (3, 9),
            (4, 14),
            (6, 12),
            (7, 5),
            (8, 11),
            (9, 16),
            (10, 7),
            (11, 10),
            (12, 3),
        ] {
            self.enter(table, &opening[..plies]).await;
        }
        self.enter(5, &["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"])
            .await;
        for (table, by) in [(5, Color::White), (6, Color::White)] {
            let claim = arbiter::EnterFactRequest {
                request_id: format!("claim-{table}"),
                table,
                kind: arbiter::FactKind::ClaimedThreefold.into(),
                by: by.into(),
                ..Default::default()
            };
            client.enter_fact(self.by(claim)).await.expect("claimed");
        }
        let request = arbiter::ObserveRequest {
            request_id: "observe-3".to_owned(),
            reason: "seen".to_owned(),
            table: 3,
            what: arbiter::Observation::IllegalMove.into(),
            of: Color::White.into(),
        };
        client.observe(self.by(request)).await.expect("observed");
        let add = |ms: i64| {
            Some(arbiter::TimeChange {
                change: Some(arbiter::time_change::Change::AddMs(ms)),
            })
        };
        for (table, white, black) in [
            (8, -5_392_000, -3_000_000),
            (9, -5_300_000, -5_240_000),
            (11, -800_000, -5_210_000),
        ] {
            let request = arbiter::AdjustClocksRequest {
                request_id: format!("adjust-{table}"),
                reason: "as on the clock".to_owned(),
                table,
                white: add(white),
                black: add(black),
                ..Default::default()
            };
            client.adjust_clocks(self.by(request)).await.expect("adjusted");
        }
        let request = arbiter::PauseGameRequest {
            request_id: "pause-7".to_owned(),
            reason: "spilt coffee".to_owned(),
            table: 7,
        };
        client.pause_game(self.by(request)).await.expect("paused");
        self.result(10, "1-0").await;
    }

    /// The chief arbiter says how a game has ended.
    pub async fn result(&self, table: u32, result: &str) {
        set_result(self.channel().await, &self.anna, table, result).await;
    }
}
