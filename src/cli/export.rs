//! `flagfall export`: an event's results and games, as files.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};

use super::client::Hub;
use super::import::{the_event, warnings};
use crate::api::proto::admin::v1 as wire;

/// Results for the pairing program, and games.
///
/// What has to be looked at (games that are not over, provisional results) is said on standard error.
#[derive(Clone, Debug, Args)]
pub struct ExportCommand {
    #[command(flatten)]
    hub: Hub,
    /// What to write.
    format: Format,
    /// The event's id; not needed where the hall has one event.
    #[arg(long, value_name = "ID")]
    event: Option<String>,
    /// Only this round. Without it all of them; a TRF is that of the last round that was imported.
    #[arg(long, value_name = "N")]
    round: Option<u32>,
    /// Where to; standard output without it. What is there is written over.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// PGN: the time spent on each move, too.
    #[arg(long)]
    emt: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The tournament report that was imported, with the results of the round.
    Trf,
    /// All of it, a line a game.
    Csv,
    /// Board, numbers, names, result.
    Results,
    /// The games.
    Pgn,
}

impl ExportCommand {
    /// Does it.
    pub async fn run(self) -> anyhow::Result<()> {
        if self.emt && self.format != Format::Pgn {
            bail!("--emt is for pgn");
        }
        let client = self.hub.connect().await?;
        let format = match self.format {
            Format::Trf => wire::ExportFormat::Trf,
            Format::Csv => wire::ExportFormat::Csv,
            Format::Results => wire::ExportFormat::Results,
            Format::Pgn => wire::ExportFormat::Pgn,
        };
        let request = wire::ExportEventRequest {
            event: the_event(&client, self.event.as_deref()).await?,
            round: self.round.unwrap_or(0),
            format: format.into(),
            elapsed_times: self.emt,
        };
        let answer = client.answer(None, client.admin().export_event(request)).await?;
        eprint!("{}", warnings(&answer.warnings));
        match self.out {
            None if client.json => client.print(&answer, |_| String::new()),
            None => match std::io::stdout().lock().write_all(&answer.content) {
                Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
                _ => Ok(()),
            },
            Some(file) => {
                // Written aside and renamed: whoever reads it sees it whole.
                let mut aside = file.clone().into_os_string();
                aside.push(".new");
                let told = || format!("{} cannot be written", file.display());
                std::fs::write(&aside, &answer.content).with_context(told)?;
                std::fs::rename(&aside, &file).with_context(told)?;
                super::print::out(&format!("{}: {} bytes.", file.display(), answer.content.len()))
            }
        }
    }
}
