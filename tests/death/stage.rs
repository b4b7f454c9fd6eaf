//! What the play is given on: a folder, ports, and the programs, each of which can be killed.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};

use super::Common;

/// Long enough for a busy machine.
pub const SOON: Duration = Duration::from_secs(60);

/// The release binary.
pub fn flagfall() -> PathBuf {
    std::env::var_os("FLAGFALL_BIN").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("target/release/flagfall"),
        PathBuf::from,
    )
}

/// A program that is killed when it goes out of sight.
pub struct Program {
    child: Child,
    name: &'static str,
}

impl Program {
    pub fn start(name: &'static str, command: &mut Command) -> anyhow::Result<Program> {
        let child = command
            .stdin(Stdio::null())
            .spawn()
            .with_context(|| format!("{name} cannot be started"))?;
        Ok(Program { child, name })
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// kill -9, and wait for the body.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        self.child
            .kill()
            .with_context(|| format!("{} cannot be killed", self.name))?;
        self.child
            .wait()
            .with_context(|| format!("{} does not end", self.name))?;
        Ok(())
    }

    pub fn signal(&self, signal: &str) -> anyhow::Result<()> {
        let sent = Command::new("kill")
            .arg(format!("-{signal}"))
            .arg(self.id().to_string())
            .status()?;
        ensure!(sent.success(), "{} cannot be sent {signal}", self.name);
        Ok(())
    }

    /// Whether it has ended, and how.
    pub fn ended(&mut self) -> anyhow::Result<Option<ExitStatus>> {
        Ok(self.child.try_wait()?)
    }

    pub fn wait(&mut self, patience: Duration) -> anyhow::Result<ExitStatus> {
        let until = Instant::now() + patience;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            ensure!(Instant::now() < until, "{} does not end", self.name);
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The stage.
pub struct Stage {
    pub work: PathBuf,
    keep: bool,
    pub data: PathBuf,
    pub http: SocketAddr,
    /// Where mosquitto listens.
    pub mqtt: SocketAddr,
    /// Where the hub believes it to be.
    pub mqtt_for_hub: SocketAddr,
    pub token: String,
    pub speed: f64,
    starts: u32,
}

pub fn free_port() -> anyhow::Result<SocketAddr> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?)
}

impl Stage {
    /// A new hall in a folder of its own.
    pub fn new(common: &Common, name: &str, speed: f64) -> anyhow::Result<Stage> {
        let program = flagfall();
        ensure!(
            program.exists(),
            "{} is missing: cargo build --release, or set FLAGFALL_BIN",
            program.display()
        );
        let base = std::env::var_os("FLAGFALL_DEATH_FOLDER")
            .map_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).to_owned(), PathBuf::from);
        let work = base.join(format!("death-{name}-{}", std::process::id()));
        fs::create_dir_all(&work)?;
        let mqtt = free_port()?;
        let mut stage = Stage {
            data: work.join("data"),
            work,
            keep: common.keep,
            http: free_port()?,
            mqtt,
            mqtt_for_hub: mqtt,
            token: String::new(),
            speed,
            starts: 0,
        };
        stage.token = stage.grant()?;
        Ok(stage)
    }

    fn grant(&self) -> anyhow::Result<String> {
        let output = self.flagfall(&["token", "first", "--name", "Death"])?;
        ensure!(output.status.success(), "no token: {}", said(&output));
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    pub fn hub_url(&self) -> String {
        format!("http://{}", self.http)
    }

    /// Another data folder, with the token that is in it.
    pub fn use_data(&mut self, data: PathBuf) {
        self.data = data;
    }

    /// A command on the data folder, to its end.
    pub fn flagfall(&self, arguments: &[&str]) -> anyhow::Result<Output> {
        let output = Command::new(flagfall())
            .args(arguments)
            .arg("--data")
            .arg(&self.data)
            .stdin(Stdio::null())
            .output();
        output.with_context(|| format!("flagfall {}", arguments.join(" ")))
    }

    /// mosquitto, as its own documentation starts it; who may write what is tried elsewhere.
    pub fn broker(&self) -> anyhow::Result<Program> {
        let program = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/usr/local/sbin/mosquitto"]
            .into_iter()
            .find(|path| Path::new(path).exists())
            .context("mosquitto is missing: apt-get install mosquitto")?;
        let folder = self.work.join("mosquitto");
        fs::create_dir_all(&folder)?;
        let file = folder.join("mosquitto.conf");
        let user = if rustix_is_root() { "user root\n" } else { "" };
        fs::write(
            &file,
            format!(
                "listener {} 127.0.0.1\nallow_anonymous true\nuse_username_as_clientid true\nmax_inflight_messages 100\n\
                 max_queued_messages 20000\npersistence true\npersistence_location {}/\nautosave_interval 30\n{user}",
                self.mqtt.port(),
                folder.display()
            ),
        )?;
        let mut broker = Program::start(
            "mosquitto",
            Command::new(program)
                .arg("-c")
                .arg(&file)
                .stdout(Stdio::null())
                .stderr(self.log("mosquitto.log")?),
        )?;
        let until = Instant::now() + SOON;
        while TcpStream::connect(self.mqtt).is_err() {
            if let Some(status) = broker.ended()? {
                bail!("mosquitto ended with {status}: see {}", self.work.display());
            }
            ensure!(Instant::now() < until, "mosquitto does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(broker)
    }

    /// Lines go to the end of a file of this name.
    pub fn log(&self, name: &str) -> anyhow::Result<File> {
        let path = self.work.join(name);
        Ok(File::options().create(true).append(true).open(path)?)
    }

    /// The hub, as far as the system has started it.
    pub fn hub_process(&mut self) -> anyhow::Result<Program> {
        self.starts += 1;
        let password = self.work.join("mqtt-password");
        if !password.exists() {
            fs::write(&password, "0123456789abcdef0123456789abcdef")?;
        }
        Program::start(
            "the hub",
            Command::new(flagfall())
                .args(["serve", "--speed", &self.speed.to_string()])
                .env("FLAGFALL_HALL_DATA", &self.data)
                .env("FLAGFALL_LISTEN_HTTP", self.http.to_string())
                .env("FLAGFALL_MQTT_URL", format!("mqtt://{}", self.mqtt_for_hub))
                .env("FLAGFALL_MQTT_PASSWORD_FILE", &password)
                .env("FLAGFALL_LOG_FILTER", "info,mqtt5=error")
                .stdout(self.log("hub.log")?)
                .stderr(self.log("hub.log")?),
        )
    }

    /// The hub, answering; and how long that took.
    pub fn hub(&mut self) -> anyhow::Result<(Program, Duration)> {
        match self.hub_or_refusal()? {
            Ok(started) => Ok(started),
            Err(said) => bail!("the hub does not start: {said}"),
        }
    }

    /// The hub, answering, or what it said when it refused.
    pub fn hub_or_refusal(&mut self) -> anyhow::Result<Result<(Program, Duration), String>> {
        let before = self.log("hub.log")?.metadata()?.len();
        let began = Instant::now();
        let mut hub = self.hub_process()?;
        loop {
            if self.answers() {
                return Ok(Ok((hub, began.elapsed())));
            }
            if hub.ended()?.is_some() {
                let log = fs::read(self.work.join("hub.log"))?;
                let said = log.get(before as usize..).unwrap_or_default();
                return Ok(Err(String::from_utf8_lossy(said).into_owned()));
            }
            ensure!(began.elapsed() < SOON, "the hub does not answer");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether the hub serves.
    pub fn answers(&self) -> bool {
        use std::io::{Read as _, Write as _};
        let asked = || -> std::io::Result<bool> {
            let mut socket = TcpStream::connect_timeout(&self.http, Duration::from_millis(200))?;
            socket.set_read_timeout(Some(Duration::from_secs(2)))?;
            let host = self.http;
            socket
                .write_all(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes())?;
            let mut answer = [0; 12];
            socket.read_exact(&mut answer)?;
            Ok(answer.ends_with(b" 200"))
        };
        asked().unwrap_or(false)
    }

    /// Simulated tables that play; `name` is its log's.
    pub fn sim(&self, name: &str, arguments: &[&str]) -> anyhow::Result<Program> {
        let log = self.log(&format!("{name}.log"))?;
        let json = self.log(&format!("{name}.json"))?;
        Program::start(
            "sim",
            Command::new(flagfall())
                .args([
                    "sim",
                    "--json",
                    "--quiet",
                    "--patience",
                    "180",
                    "--hub",
                    &self.hub_url(),
                ])
                .args(arguments)
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .env("FLAGFALL_TOKEN", &self.token)
                .stdout(json)
                .stderr(log),
        )
    }

    /// What a simulation found.
    pub fn report(&self, name: &str) -> anyhow::Result<serde_json::Value> {
        let text = fs::read_to_string(self.work.join(format!("{name}.json")))?;
        serde_json::from_str(&text).with_context(|| {
            let log = fs::read_to_string(self.work.join(format!("{name}.log"))).unwrap_or_default();
            format!("the simulation {name} did not report: {log}")
        })
    }

    /// The whole journal checked by the program itself.
    pub fn verify(&self) -> anyhow::Result<String> {
        let output = self.flagfall(&["journal", "verify"])?;
        ensure!(output.status.success(), "verify: {}", said(&output));
        Ok(String::from_utf8(output.stdout)?)
    }

    /// All went well: the folder may go.
    pub fn done(self) {
        if !self.keep {
            let _ = fs::remove_dir_all(&self.work);
        }
    }
}

/// Everything that a program printed.
pub fn said(output: &Output) -> String {
    let signal = output
        .status
        .signal()
        .map_or(String::new(), |signal| format!(" (signal {signal})"));
    format!(
        "{}{signal} {}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Whether we may mount.
pub fn rustix_is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
}

/// A copy of a folder, holes and all.
pub fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    let _ = fs::remove_dir_all(to);
    let copied = Command::new("cp")
        .args(["-a", "--sparse=always"])
        .arg(from)
        .arg(to)
        .status()?;
    ensure!(copied.success(), "{} cannot be copied", from.display());
    Ok(())
}
