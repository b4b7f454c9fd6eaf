//! `flagfall serve`: the hub of a real hall.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::config::Config;
use crate::hall::model::PersonRole;
use crate::hub::{self, Hub};
use crate::telemetry;

/// Open the hall: broker, games, pages and API, until Ctrl-C.
///
/// What is asked for here goes before the environment, and that before the configuration file.
#[derive(Clone, Debug, Args)]
pub struct ServeCommand {
    /// The configuration file; `flagfall config print` writes one.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder of journal and state.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Hall seconds in one real second; only for simulated halls.
    #[arg(long, value_name = "X")]
    speed: Option<f64>,
    /// Where pages, feeds and gRPC are.
    #[arg(long, value_name = "ADDRESS")]
    http: Option<SocketAddr>,
    /// Where the embedded broker listens.
    #[arg(long, value_name = "ADDRESS")]
    mqtt: Option<SocketAddr>,
}

impl ServeCommand {
    /// Serves until it is told to stop.
    pub async fn run(self) -> anyhow::Result<ExitCode> {
        let config = self.config()?;
        telemetry::start_logs(&config.log.filter, config.log.format).context("log.filter cannot be read")?;
        let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for Ctrl-C")?;
        let mut terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
        let data = config.hall.data.clone();
        let hub = tokio::select! {
            hub = Hub::start(config) => hub.context("the hub does not start")?,
            () = told(&mut interrupt, &mut terminate) => return Ok(ExitCode::SUCCESS),
        };
        hub::notify(&[sd_notify::NotifyState::Ready]);
        let chiefs = hub
            .handle
            .registry()
            .people
            .values()
            .filter(|person| person.role == PersonRole::ChiefArbiter)
            .count();
        if chiefs == 0 {
            tracing::warn!(
                "nobody can set the hall up yet: stop the hub, run `flagfall token first --data {}`, and start it again",
                data.display()
            );
        }
        told(&mut interrupt, &mut terminate).await;
        tracing::info!("the hub is stopping; once more, and it ends at once");
        hub::notify(&[sd_notify::NotifyState::Stopping]);
        tokio::select! {
            () = hub.stop() => Ok(ExitCode::SUCCESS),
            () = told(&mut interrupt, &mut terminate) => {
                tracing::warn!("the hub ends at once; nothing acknowledged is lost by that");
                Ok(ExitCode::from(130))
            }
        }
    }

    fn config(&self) -> anyhow::Result<Config> {
        let mut config = Config::load(self.config.as_deref())?;
        if let Some(data) = &self.data {
            config.hall.data.clone_from(data);
        }
        config.hall.speed = self.speed.unwrap_or(config.hall.speed);
        config.listen.http = self.http.unwrap_or(config.listen.http);
        config.mqtt.listen = self.mqtt.unwrap_or(config.mqtt.listen);
        config.program = std::env::current_exe().ok();
        config.check()?;
        Ok(config)
    }
}

async fn told(interrupt: &mut Signal, terminate: &mut Signal) {
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
