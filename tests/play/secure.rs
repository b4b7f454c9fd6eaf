//! Phones over TLS, and with a broker that is not ours: the links that the commands print, opened in a browser that trusts the hall's own
//! authority; and mosquitto between them and the hub.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::browser::{Browser, free_port};
use crate::glass::Glass;
use crate::house::program;
use crate::recorder::runs;

const SOON: Duration = Duration::from_secs(20);

/// A hub with a certificate of its own authority, a broker beside it where that is asked for, and the commands that speak to them.
struct Hall {
    folder: tempfile::TempDir,
    http: u16,
    mqtt: u16,
    token: String,
    programs: Vec<Child>,
    external: bool,
}

impl Drop for Hall {
    fn drop(&mut self) {
        for program in &mut self.programs {
            let _gone = program.kill();
            let _reaped = program.wait();
        }
    }
}

impl Hall {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(program());
        command
            .env("FLAGFALL_HALL_DATA", self.path("hall"))
            .env("FLAGFALL_LISTEN_HTTP", format!("127.0.0.1:{}", self.http))
            .env("FLAGFALL_LISTEN_CERTIFICATE", self.path("tls/hub.pem"))
            .env("FLAGFALL_LISTEN_KEY", self.path("tls/hub.key"))
            .env("FLAGFALL_HUB", format!("https://127.0.0.1:{}", self.http))
            .env("FLAGFALL_CA", self.path("tls/ca.pem"))
            .env("FLAGFALL_TOKEN", &self.token)
            .env("FLAGFALL_LOG_FILTER", "warn");
        if self.external {
            command
                .env("FLAGFALL_MQTT_URL", format!("mqtt://127.0.0.1:{}", self.mqtt))
                .env("FLAGFALL_MQTT_PASSWORD_FILE", self.path("mqtt-password"));
        } else {
            command.env("FLAGFALL_MQTT_LISTEN", format!("127.0.0.1:{}", self.mqtt));
        }
        command
    }

    fn does(&self, arguments: &[&str]) -> String {
        done(self.command().args(arguments).output())
    }

    async fn open(external: bool) -> Hall {
        let mut hall = Hall {
            folder: tempfile::tempdir().expect("a folder"),
            http: free_port(),
            mqtt: free_port(),
            token: String::new(),
            programs: Vec::new(),
            external,
        };
        let tls = hall.path("tls");
        let tls = tls.to_str().expect("a plain path");
        hall.does(&["tls", "init", "--dir", tls, "--name", "localhost", "--ip", "127.0.0.1"]);
        hall.token = hall.does(&["token", "first", "--name", "Anna"]).trim().to_owned();
        if external {
            write_secret(&hall.path("mqtt-password"));
        }
        let hub = hall
            .command()
            .arg("serve")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        hall.programs.push(hub.expect("flagfall starts"));
        let begun = Instant::now();
        while !hall
            .command()
            .args(["event", "list"])
            .output()
            .is_ok_and(|told| told.status.success())
        {
            assert!(begun.elapsed() < SOON, "the hub does not answer");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        hall
    }

    /// A table of the first round, and the links of its two phones as the commands print them.
    fn table(&self) -> [String; 2] {
        let page = format!("https://127.0.0.1:{}", self.http);
        self.does(&["event", "put", "open", "Open"]);
        std::fs::write(self.path("round.csv"), "table,white,black\n1,A,B\n").expect("written");
        let file = self.path("round.csv");
        let file = file.to_str().expect("a plain path");
        self.does(&["round", "put", "open", "1", file, "--time-control", "3m+2s"]);
        [("phone-1", "clock"), ("board-1", "board")].map(|(id, kind)| {
            let told = self.does(&["device", "add", id, "--kind", kind, "--table", "1", "--at", &page]);
            let link = told
                .split_whitespace()
                .find(|word| word.starts_with("https://") && word.contains('#'));
            link.unwrap_or_else(|| panic!("no link: {told}")).to_owned()
        })
    }

    /// Starts mosquitto with the files that the hub writes for it.
    async fn broker(&mut self) {
        let folder = self.path("mosquitto");
        let listen = format!("127.0.0.1:{}", self.mqtt);
        let password = self.path("mqtt-password");
        let of = |path: &Path| path.to_str().expect("a plain path").to_owned();
        self.does(&[
            "device",
            "acl",
            &of(&folder),
            "--listen",
            &listen,
            "--hub-password-file",
            &of(&password),
        ]);
        // As root it would become a user who cannot read our files.
        let configuration = folder.join("mosquitto.conf");
        let written = std::fs::read_to_string(&configuration).expect("it is written");
        std::fs::write(&configuration, written + "\nuser root\n").expect("written");
        let broker = Command::new("mosquitto")
            .env("PATH", "/usr/sbin:/usr/bin:/bin")
            .args(["-c", &of(&configuration)])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.programs
            .push(broker.expect("mosquitto starts: apt-get install mosquitto"));
        let begun = Instant::now();
        while std::net::TcpStream::connect(&listen).is_err() {
            assert!(begun.elapsed() < SOON, "mosquitto does not listen");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// A home in which the browser trusts the hall's authority, as a technician makes a phone trust it.
    fn trusting_home(&self) -> PathBuf {
        let home = self.path("home");
        let store = home.join(".pki/nssdb");
        std::fs::create_dir_all(&store).expect("a folder");
        let store = format!("sql:{}", store.display());
        let certutil =
            |arguments: &[&str]| done(Command::new("certutil").args(["-d", &store]).args(arguments).output());
        certutil(&["-N", "--empty-password"]);
        let ca = self.path("tls/ca.pem");
        certutil(&[
            "-A",
            "-n",
            "hall",
            "-t",
            "C,,",
            "-i",
            ca.to_str().expect("a plain path"),
        ]);
        home
    }
}

fn write_secret(file: &Path) {
    std::fs::write(file, "0123456789abcdef0123456789abcdef").expect("written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600)).expect("closed");
    }
}

fn done(output: std::io::Result<Output>) -> String {
    let output = output.expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A game of some moves at a clock and a recorder's board over TLS, and what the hub has of it.
async fn game(external: bool) {
    let mut hall = Hall::open(external).await;
    let links = hall.table();
    if external {
        hall.broker().await;
    }
    let home = hall.trusting_home();
    let mut phones = Vec::new();
    for link in &links {
        let phone = Browser::start_at_home(390, 844, "dark", Some(&home)).await;
        phone.goto(link).await;
        phone
            .until("document.querySelector('.strip')?.dataset.online === 'true'", SOON)
            .await;
        phones.push(phone);
    }
    let (clock, board) = (&phones[0], &phones[1]);
    // What the page has over a connection that nobody else can read, by a certificate that is trusted and not waved through.
    let has =
        "[isSecureContext, 'locks' in navigator, 'wakeLock' in navigator, location.protocol, location.hash].join()";
    assert_eq!(clock.value(has).await, "true,true,true,https:,");
    for phone in [clock, board] {
        phone.until("navigator.serviceWorker.controller !== null", SOON).await;
    }
    hall.does(&["round", "arm", "open", "1"]);
    hall.does(&["round", "start", "open", "1"]);
    for (ply, mv) in ["e2e4", "e7e5", "g1f3", "b8c6"].iter().enumerate() {
        for square in [&mv[..2], &mv[2..]] {
            board.touches(&format!("[data-square={square}]")).await;
        }
        let side = if ply % 2 == 0 { "left" } else { "right" };
        runs(clock, side).await;
        clock.touches(&format!(".half.{side} .press")).await;
    }
    // A reload without the hub is answered from what the phone keeps; the broker tells the page when it is opened elsewhere.
    clock.refresh().await;
    runs(clock, "left").await;
    let second = Browser::start_at_home(390, 844, "dark", Some(&home)).await;
    second.goto(&links[0]).await;
    clock.says("h1", "opened elsewhere").await;
    second
        .until("document.querySelector('.strip')?.dataset.online === 'true'", SOON)
        .await;
    let begun = Instant::now();
    loop {
        let told = hall.does(&["arbiter", "show", "1"]);
        if told.contains("Nc6") && told.contains("Nf3") {
            break;
        }
        assert!(begun.elapsed() < SOON, "{told}");
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    second.end().await;
    for phone in phones {
        phone.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "wants certutil: tests/run evening"]
async fn phones_over_tls_trust_the_halls_own_authority() {
    game(false).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "wants certutil and mosquitto: tests/run evening"]
async fn phones_over_tls_are_the_same_with_mosquitto_behind_the_hub() {
    game(true).await;
}
