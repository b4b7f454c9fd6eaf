//! `flagfall sim`: simulated tables play real games at a running hub, and what it recorded is compared with what ought to be.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use tokio_util::sync::CancellationToken;

use super::client::Hub;
use crate::sim::plan::{Game, plan};
use crate::sim::progress::Progress;
use crate::sim::run::{Order, Report, Settings, run};
use crate::sim::table::BoardKind;
use crate::sim::{games, pgn};

/// Play real games at a running hub with simulated clocks and boards, and compare its record with the plan.
///
/// The hall is set up through the public interface with a chief arbiter's token; simulated devices follow its speed
/// (`flagfall serve --speed`). Exits 1 if anything differs.
#[derive(Clone, Debug, Args)]
pub struct SimCommand {
    #[command(flatten)]
    hub: Hub,

    /// Files of games with clock comments; without any, those that come with Flagfall.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pgn: Vec<PathBuf>,

    /// How many tables. With more games than tables there are several rounds.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=3000))]
    tables: u32,

    /// The first table's number.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    first_table: u32,

    /// What the boards know.
    #[arg(long, value_enum, default_value_t)]
    board: BoardKind,

    /// Clock and board in one device, or two that know nothing of each other: what two tell is put together by hall time, so
    /// the network's delay, times the hall's speed, must be less than players think.
    #[arg(long, value_enum, default_value_t)]
    devices: Devices,

    /// How late the boards see a change, at most, in ms of their time: they look around so often. A DGT board has 200.
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1000))]
    lag: u32,

    /// The broker keeps the devices' sessions while they are away.
    #[arg(long)]
    persistent: bool,

    /// Chance: the same seed plays the same games in the same way.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// The broker, where it is not the one that the hub names: HOST:PORT.
    #[arg(long, value_name = "ADDR")]
    mqtt: Option<String>,

    /// Only the first half-moves of every game.
    #[arg(long, value_name = "N")]
    until_plies: Option<usize>,

    /// A hub that does not answer for so many seconds is gone; one that is only restarted is waited for.
    #[arg(long, value_name = "S", default_value_t = 60)]
    patience: u64,

    /// No line of progress.
    #[arg(long, short)]
    quiet: bool,
}

/// How a table is equipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Devices {
    /// Clock and board in one.
    #[default]
    One,
    /// A clock and a board.
    Split,
}

impl SimCommand {
    /// Plays, and judges.
    pub async fn run(self) -> anyhow::Result<ExitCode> {
        let planned = self.games()?;
        let settings = Settings {
            hub: self.hub.hub.clone(),
            token: self.hub.token()?,
            mqtt: self.mqtt.clone(),
            tables: self.tables,
            first_table: self.first_table,
            board: self.board,
            split: self.devices == Devices::Split,
            scan_ms: i64::from(self.lag),
            persistent: self.persistent,
            seed: self.seed,
            order: Order::Rounds,
            event_name: "Simulation".to_owned(),
            name: None,
            patience: Duration::from_secs(self.patience),
        };
        let progress = Arc::new(Progress::default());
        let stop = CancellationToken::new();
        let playing = run(&settings, planned, Arc::clone(&progress), &stop);
        let telling = tell(&progress, "sim", !self.quiet);
        let interrupted = async {
            // Without the signal there is nothing to wait for.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let report = tokio::select! {
            report = playing => report.context("the simulation did not come to its end")?,
            () = telling => unreachable!("it tells on for ever"),
            () = interrupted => bail!("stopped; the hall is left as it is"),
        };
        if self.hub.json {
            println!("{}", serde_json::to_string_pretty(&report)?);
        } else {
            print!("{}", text(&report));
        }
        Ok(if report.holds() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }

    fn games(&self) -> anyhow::Result<Vec<Game>> {
        let mut scores = Vec::new();
        for file in &self.pgn {
            let bytes = std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
            let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
            let read = pgn::read(&name, &bytes).with_context(|| format!("{} cannot be read", file.display()))?;
            if read.is_empty() {
                bail!("{} has no games in it", file.display());
            }
            scores.extend(read);
        }
        if self.pgn.is_empty() {
            scores = games::all().context("the games that come along cannot be read")?;
        }
        let planned = plan(&scores, self.seed).into_iter().map(|game| {
            let game = if self.board == BoardKind::None {
                game.without_board()
            } else {
                game
            };
            match self.until_plies {
                Some(plies) => game.until(plies),
                None => game,
            }
        });
        Ok(planned.collect())
    }
}

/// Tells how far it is, once a second, in one line where it is a terminal that shows it.
pub async fn tell(progress: &Progress, name: &str, loud: bool) {
    use std::io::{IsTerminal as _, Write as _};
    let terminal = std::io::stderr().is_terminal();
    let every = if terminal {
        Duration::from_secs(1)
    } else {
        Duration::from_secs(5)
    };
    let mut last = String::new();
    loop {
        tokio::time::sleep(every).await;
        let line = progress.line();
        if loud && line != last {
            let mut err = std::io::stderr().lock();
            // Whoever has closed it does not want to be told.
            let _ = if terminal {
                write!(err, "\r\x1b[2K{name}: {line}")
            } else {
                writeln!(err, "{name}: {line}")
            };
            let _ = err.flush();
            last = line;
        }
    }
}

/// The report for people.
fn text(report: &Report) -> String {
    let mut text = format!(
        "\n{} games, {} half-moves planned, {} recorded\n\
         differences: {} games in their moves, {} presses in time, {} results\n\
         reports: {} made, {} lost, {} recorded twice ({} sent again over {} connections)\n\
         press to feed: p50 {:.1} ms, p99 {:.1} ms, max {:.1} ms\n\
         {:.1} s at speed {}, seed {}\n",
        report.games,
        report.plies_planned,
        report.plies_recorded,
        report.san_differs,
        report.presses_time_differs,
        report.results_differ,
        report.reports_sent,
        report.reports_lost,
        report.reports_twice,
        report.reports_resent,
        report.connections,
        report.latency.p50,
        report.latency.p99,
        report.latency.max,
        report.wall_seconds,
        report.speed,
        report.seed,
    );
    for (what, lines) in [
        ("differs", &report.differences),
        ("unexpected item", &report.unexpected_items),
        ("of the score", &report.remarks),
    ] {
        for line in lines {
            text += &format!("{what}: {line}\n");
        }
    }
    text
}
