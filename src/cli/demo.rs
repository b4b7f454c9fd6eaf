//! `flagfall demo`: a whole hall on this machine, with nothing to set up.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use tokio_util::sync::CancellationToken;

use super::client::{DEFAULT_HUB, keep_token};
use super::sim::tell;
use crate::config::Config;
use crate::hall::model::PersonRole;
use crate::hub::Hub;
use crate::sim::games;
use crate::sim::plan::plan;
use crate::sim::progress::Progress;
use crate::sim::run::{Order, Report, Settings, run};
use crate::sim::table::BoardKind;
use crate::telemetry;

/// A hall of real games on this machine: hub, broker, clocks, boards and a screen to look at.
///
/// Needs no configuration and no network, listens on loopback only, and keeps nothing when it is ended with Ctrl-C.
#[derive(Clone, Debug, Args)]
pub struct DemoCommand {
    /// Hall seconds in one real second.
    #[arg(long, value_name = "X", default_value_t = 10.0, value_parser = speed)]
    speed: f64,

    /// How many tables.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=1000))]
    tables: u32,

    /// Where the page is; a free port is taken where this one is in use.
    #[arg(long, value_name = "P", default_value_t = 7878)]
    port: u16,

    /// Chance: the same seed plays the same games in the same way.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Keep the hall's journal and state in this folder, and go on from what is there.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// What is logged beside the progress, as RUST_LOG has it.
    #[arg(long, value_name = "FILTER", default_value = "warn")]
    log: String,
}

fn speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if (0.1..=1000.0).contains(&speed) {
        Ok(speed)
    } else {
        Err("a demo runs at 0.1 to 1000 hall seconds a second".to_owned())
    }
}

/// A table shows how its game ended for so long before the next one.
const SHOWN: Duration = Duration::from_secs(4);

impl DemoCommand {
    /// Opens the hall, plays until Ctrl-C, closes it.
    pub async fn run(self) -> anyhow::Result<ExitCode> {
        telemetry::start_logs(&self.log, telemetry::LogFormat::Text).context("--log cannot be read")?;
        let folder = Folder::open(self.data.as_deref())?;
        let ended = self.in_folder(folder.path()).await;
        let removed = folder.close();
        let report = ended?;
        removed?;
        eprintln!(
            "\n{} games were played to their end, {} half-moves, {} reports; press to feed p50 {:.1} ms, p99 {:.1} ms. The hall is closed.",
            report.games, report.plies_recorded, report.reports_sent, report.latency.p50, report.latency.p99,
        );
        for ruled in &report.ruled_otherwise {
            eprintln!("{ruled}");
        }
        for difference in &report.differences {
            eprintln!("not as planned: {difference}");
        }
        Ok(ExitCode::SUCCESS)
    }

    async fn in_folder(&self, folder: &Path) -> anyhow::Result<Report> {
        let mut config = Config::default();
        config.hall.name = "demo".to_owned();
        config.hall.data = folder.to_owned();
        config.hall.speed = self.speed;
        config.listen.http = free_or_any(self.port);
        config.mqtt.listen = free_or_any(1883);
        config.program = std::env::current_exe().ok();
        let hub = Hub::start(config).await.context("the demo's hub does not start")?;
        let stop = CancellationToken::new();
        let played = self.in_hall(&hub, folder, &stop).await;
        hub.stop().await;
        played
    }

    async fn in_hall(
        &self,
        hub: &crate::hub::RunningHub,
        folder: &Path,
        stop: &CancellationToken,
    ) -> anyhow::Result<Report> {
        // A folder that is gone on from knows the names of before.
        let mark = uuid::Uuid::new_v4().simple().to_string();
        let name = format!("simulation {}", &mark[..6]);
        let simulation = hub.grant(&name, PersonRole::ChiefArbiter).await?;
        let arbiter = hub
            .grant(&format!("demo arbiter {}", &mark[..6]), PersonRole::ChiefArbiter)
            .await?;
        let token_file = folder.join("arbiter.token");
        keep_token(&token_file, &arbiter)?;

        let address = format!("http://{}", hub.http_addr);
        print!("{}", self.greeting(&address, &hub.mqtt_url, &token_file));
        let planned = plan(&games::all().context("the demo's games cannot be read")?, self.seed);
        let settings = Settings {
            hub: address,
            token: simulation,
            name: Some(name),
            mqtt: None,
            tables: self.tables,
            first_table: 1,
            board: BoardKind::Pieces,
            split: false,
            scan_ms: 0,
            persistent: false,
            seed: self.seed,
            order: Order::EachOnItsOwn { shown: SHOWN },
            event_name: "World Cup games, Flagfall demo".to_owned(),
            patience: Duration::from_secs(60),
        };
        let progress = Arc::new(Progress::default());
        let playing = run(&settings, planned, Arc::clone(&progress), stop);
        let interrupted = async {
            asked_to_stop().await;
            stop.cancel();
            std::future::pending::<()>().await
        };
        let report = tokio::select! {
            report = playing => report.context("the demo's players have given up")?,
            () = tell(&progress, "demo", true) => unreachable!("it tells on for ever"),
            () = interrupted => unreachable!("it waits for the players to end"),
        };
        Ok(report)
    }

    fn greeting(&self, address: &str, mqtt: &str, token_file: &Path) -> String {
        let program = program();
        let mut set = format!("  export FLAGFALL_TOKEN=$(cat {})\n", token_file.display());
        if address != DEFAULT_HUB {
            set += &format!("  export FLAGFALL_HUB={address}\n");
        }
        format!(
            "Flagfall demo: {tables} tables with real games, {speed} times as fast as life.\n\
             \n\
             The hall's screen:  {address}/hall\n\
             The console:        {address}/arbiter  (your token is in {token})\n\
             Clocks and boards:  {mqtt}\n\
             \n\
             Be the arbiter, in another terminal:\n\
             {set}  \
             {program} arbiter list\n  \
             {program} arbiter pause 3\n  \
             {program} arbiter adjust 3 --white +2:00\n  \
             {program} arbiter resume 3\n\
             \n\
             Ctrl-C ends it.\n",
            token = token_file.display(),
            tables = self.tables,
            speed = self.speed,
        )
    }
}

/// Ctrl-C, or a polite kill.
async fn asked_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        // Without signals it plays until it is killed.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

/// How this program is called from a shell in this folder.
fn program() -> String {
    let Ok(own) = std::env::current_exe() else {
        return "flagfall".to_owned();
    };
    let in_path = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| own.parent() == Some(folder.as_path())));
    if in_path {
        return "flagfall".to_owned();
    }
    let here = std::env::current_dir().ok();
    let near = here.and_then(|here| own.strip_prefix(here).ok().map(Path::to_owned));
    near.unwrap_or(own).display().to_string()
}

/// This port on loopback, or any if it is taken.
fn free_or_any(port: u16) -> SocketAddr {
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    match TcpListener::bind(wanted) {
        Ok(_) => wanted,
        Err(_) => SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
    }
}

/// The demo's data: one's own folder, or one that is gone afterwards.
enum Folder {
    Kept(PathBuf),
    Passing(PathBuf),
}

impl Folder {
    fn open(given: Option<&Path>) -> anyhow::Result<Folder> {
        if let Some(given) = given {
            return Ok(Folder::Kept(given.to_owned()));
        }
        let name = format!("flagfall-demo-{}", uuid::Uuid::new_v4().simple());
        let path = std::env::temp_dir().join(name);
        std::fs::DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .with_context(|| format!("{} cannot be made", path.display()))?;
        Ok(Folder::Passing(path))
    }

    fn path(&self) -> &Path {
        match self {
            Folder::Kept(path) | Folder::Passing(path) => path,
        }
    }

    fn close(self) -> anyhow::Result<()> {
        match self {
            Folder::Kept(_) => Ok(()),
            Folder::Passing(path) => {
                std::fs::remove_dir_all(&path).with_context(|| format!("{} cannot be removed", path.display()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_in_use_is_not_insisted_on() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = taken.local_addr().expect("has one").port();
        assert_eq!(free_or_any(port).port(), 0);
        drop(taken);
        assert_eq!(free_or_any(port).port(), port);
    }

    #[test]
    fn a_passing_folder_is_gone_after_it_and_a_given_one_stays() {
        let folder = Folder::open(None).expect("opens");
        let path = folder.path().to_owned();
        assert!(path.is_dir());
        folder.close().expect("closes");
        assert!(!path.exists());
        let kept = tempfile::tempdir().expect("a folder");
        Folder::open(Some(kept.path())).expect("opens").close().expect("closes");
        assert!(kept.path().is_dir());
    }

    #[test]
    fn a_demo_runs_at_a_speed_that_can_be() {
        assert_eq!(speed("60"), Ok(60.0));
        assert!(speed("0").is_err() && speed("-1").is_err() && speed("fast").is_err() && speed("NaN").is_err());
    }
}
