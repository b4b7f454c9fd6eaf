//! A hub as it is installed: the program itself, with a hall in a folder of its own.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use flagfall::api::proto::admin::v1 as admin;
use flagfall::api::proto::admin::v1::admin_service_client::AdminServiceClient;
use flagfall::api::proto::arbiter::v1 as arbiter;
use flagfall::api::proto::arbiter::v1::arbiter_service_client::ArbiterServiceClient;
use flagfall::api::proto::feed::v1::Player;
use tempfile::TempDir;
use tonic::Request;
use tonic::transport::Channel;

use crate::browser::free_port;

const SOON: Duration = Duration::from_secs(30);

/// The program under test: the one that `FLAGFALL_BIN` names, else the one built with the tests.
pub fn program() -> PathBuf {
    std::env::var_os("FLAGFALL_BIN").map_or_else(|| env!("CARGO_BIN_EXE_flagfall").into(), PathBuf::from)
}

/// A hub that runs, and the chief arbiter's token. Dropped, it is killed.
pub struct House {
    pub http: SocketAddr,
    pub mqtt: SocketAddr,
    /// The chief arbiter's.
    pub anna: String,
    hub: Child,
    data: TempDir,
    channel: Channel,
}

impl Drop for House {
    fn drop(&mut self) {
        let _gone = self.hub.kill();
        let _reaped = self.hub.wait();
    }
}

impl House {
    pub async fn open() -> House {
        let data = TempDir::new().expect("a folder");
        let local = |port| SocketAddr::from(([127, 0, 0, 1], port));
        let (http, mqtt) = (local(free_port()), local(free_port()));
        let folder = data.path().join("hall");
        let made = command(&folder)
            .args(["token", "first", "--name", "Anna"])
            .output()
            .expect("flagfall starts");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let anna = String::from_utf8(made.stdout).expect("text").trim().to_owned();
        let hub = command(&folder)
            .arg("serve")
            .env("FLAGFALL_LISTEN_HTTP", http.to_string())
            .env("FLAGFALL_MQTT_LISTEN", mqtt.to_string())
            .env("FLAGFALL_LOG_FILTER", "warn")
            .stdout(Stdio::null())
            .stderr(if std::env::var_os("FLAGFALL_TEST_LOG").is_some() {
                Stdio::inherit()
            } else {
                Stdio::null()
            })
            .spawn()
            .expect("flagfall starts");
        let begun = Instant::now();
        let endpoint = Channel::from_shared(format!("http://{http}")).expect("an address");
        let channel = loop {
            match endpoint.connect().await {
                Ok(channel) => break channel,
                Err(error) => assert!(begun.elapsed() < SOON, "the hub does not answer: {error}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        House {
            http,
            mqtt,
            anna,
            hub,
            data,
            channel,
        }
    }

    pub fn by<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let token = format!("Bearer {}", self.anna).parse().expect("a token");
        request.metadata_mut().insert("authorization", token);
        request
    }

    pub fn arbiter(&self) -> ArbiterServiceClient<Channel> {
        ArbiterServiceClient::new(self.channel.clone())
    }

    pub fn admin(&self) -> AdminServiceClient<Channel> {
        AdminServiceClient::new(self.channel.clone())
    }

    /// A second arbiter's token.
    pub async fn person(&self, name: &str, role: admin::Role) -> String {
        let person = admin::Person {
            name: name.to_owned(),
            role: role.into(),
            ..Default::default()
        };
        let request = admin::AddPersonRequest {
            request_id: format!("person-{name}"),
            person: Some(person),
        };
        let added = self.admin().add_person(self.by(request)).await.expect("added");
        added.into_inner().token
    }

    /// A device that serves this table, and the code that makes a phone that device.
    pub async fn device(&self, table: u32, kind: admin::DeviceKind) -> String {
        let is_clock = kind == admin::DeviceKind::Clock;
        let id = format!("{}-{table}", if is_clock { "phone" } else { "board" });
        let request = admin::AddDeviceRequest {
            request_id: format!("add-{id}"),
            id: id.clone(),
            kind: kind.into(),
            speaks_for: Vec::new(),
        };
        let added = self.admin().add_device(self.by(request)).await.expect("added");
        let credential = added.into_inner().credential.expect("a secret, once");
        let request = admin::BindDeviceRequest {
            request_id: format!("bind-{id}"),
            device: id.clone(),
            table,
            as_clock: is_clock,
            as_board: !is_clock,
            white_side: admin::Side::Left.into(),
            board_turned: None,
        };
        self.admin().bind_device(self.by(request)).await.expect("bound");
        format!("{id}:{}", credential.password)
    }

    pub async fn event(&self) {
        let event = admin::Event {
            id: "open".to_owned(),
            name: "Open".to_owned(),
            ..Default::default()
        };
        let request = admin::PutEventRequest {
            request_id: "event".to_owned(),
            event: Some(event),
        };
        self.admin().put_event(self.by(request)).await.expect("the event");
    }

    /// Round `round` of the open, paired at so many tables; boards are what the tables have.
    pub async fn pair(&self, round: u32, tables: u32, time_control: &str) {
        if round == 1 {
            self.event().await;
        }
        let player = |name: String| {
            Some(Player {
                name,
                ..Default::default()
            })
        };
        let pairings = (1..=tables).map(|table| admin::Pairing {
            table,
            white: player(format!("Ivanović, {table}")),
            black: player(format!("Nowak, {table}")),
            ..Default::default()
        });
        let request = admin::PutRoundRequest {
            request_id: format!("round-{round}"),
            event: "open".to_owned(),
            number: round,
            time_control: time_control.to_owned(),
            source: Some(admin::put_round_request::Source::Pairings(admin::PairingList {
                pairings: pairings.collect(),
            })),
            validate_only: false,
        };
        self.admin().put_round(self.by(request)).await.expect("the round");
    }

    pub async fn arm(&self, round: u32) {
        let request = arbiter::ArmRoundRequest {
            request_id: format!("arm-{round}"),
            event: "open".to_owned(),
            round,
        };
        self.arbiter().arm_round(self.by(request)).await.expect("armed");
    }

    pub async fn start(&self, round: u32) {
        let request = arbiter::StartRoundRequest {
            request_id: format!("start-{round}"),
            event: "open".to_owned(),
            round,
            tables: Vec::new(),
        };
        self.arbiter().start_round(self.by(request)).await.expect("called");
    }

    pub async fn table(&self, table: u32) -> arbiter::GetGameResponse {
        let which = Some(arbiter::get_game_request::Which::Table(table));
        let request = self.by(arbiter::GetGameRequest { which });
        self.arbiter().get_game(request).await.expect("shown").into_inner()
    }

    pub async fn game(&self, table: u32) -> arbiter::Game {
        self.table(table).await.table.expect("a table").game.expect("a game")
    }

    /// Waits until the table's game is so.
    pub async fn until(&self, table: u32, what: &str, is: impl Fn(&arbiter::Game) -> bool) -> arbiter::Game {
        let begun = Instant::now();
        loop {
            let game = self.game(table).await;
            if is(&game) {
                return game;
            }
            assert!(begun.elapsed() < SOON, "table {table}: {what} has not come: {game:#?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// What the journal has of a table, one line an entry.
    pub fn journal(&self, table: u32) -> String {
        let shown = command(&self.data.path().join("hall"))
            .args(["journal", "show", "--table", &table.to_string()])
            .output()
            .expect("flagfall starts");
        assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
        String::from_utf8(shown.stdout).expect("text")
    }

    /// The journal as the program checks it.
    pub fn verified(&self) -> String {
        let shown = command(&self.data.path().join("hall"))
            .args(["journal", "verify"])
            .output()
            .expect("flagfall starts");
        assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stdout));
        String::from_utf8(shown.stdout).expect("text")
    }
}

fn command(data: &Path) -> Command {
    let mut command = Command::new(program());
    command.env("FLAGFALL_HALL_DATA", data);
    command
}
