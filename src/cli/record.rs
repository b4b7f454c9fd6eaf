//! `flagfall record`: one game on paper, for an appeals committee.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use uuid::Uuid;

use super::client::Hub;
use super::print;
use crate::api::proto::arbiter::v1 as wire;
use crate::config::Language;
use crate::hall::clock::wall_ms;
use crate::hall::{EventId, GameId, RoundNo, TableNo};
use crate::hub::dossier;
use crate::words::record::{self, Which};

/// One game on paper, for an appeals committee: moves with times, every finding, ruling and order with its author, the articles, the
/// journal's positions and chains, and a scoresheet to sign. A page for a browser, ready to print.
#[derive(Clone, Debug, Args)]
pub struct RecordCommand {
    #[command(flatten)]
    hub: Hub,
    /// The table; its newest game, where no round is named.
    #[arg(value_parser = super::words::table, long, value_name = "T", conflicts_with = "game", required_unless_present = "game")]
    table: Option<u32>,
    /// The event of the round.
    #[arg(long, value_name = "EVENT", requires = "round", requires = "table")]
    event: Option<EventId>,
    /// The round.
    #[arg(long, value_name = "N", requires = "event")]
    round: Option<u32>,
    /// The game's id.
    #[arg(long, value_name = "ID")]
    game: Option<Uuid>,
    /// English (en), Serbian (sr), Russian (ru) or Polish (pl); the hall's own without it.
    #[arg(long, value_name = "LANG")]
    lang: Option<Language>,
    /// Write to this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Read this data folder instead of asking a hub: no hub has to run, and no token is needed.
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

impl RecordCommand {
    /// Does it.
    pub async fn run(self) -> anyhow::Result<()> {
        let html = match &self.data {
            Some(data) => {
                let (data, which) = (data.clone(), self.which()?);
                let language = self.lang.unwrap_or_default();
                let hall = data.display().to_string();
                let made = tokio::task::spawn_blocking(move || dossier::gather(&data, &hall, &which, wall_ms()));
                let record = made
                    .await
                    .context("the journal could not be read")?
                    .context("no record was made")?;
                record::page(&record, language)
            }
            None => {
                let client = self.hub.connect().await?.speaking(self.lang);
                let request = wire::GetRecordRequest {
                    which: Some(self.asked()?),
                };
                let answer = client.answer(None, client.arbiter().get_record(request)).await?;
                if self.hub.json {
                    return client.print(&answer, |_| String::new());
                }
                answer.html
            }
        };
        match &self.out {
            Some(file) => std::fs::write(file, html).with_context(|| format!("{} cannot be written", file.display())),
            None => print::out(html.trim_end()),
        }
    }

    fn which(&self) -> anyhow::Result<Which> {
        Ok(match (self.game, self.table, &self.event, self.round) {
            (Some(game), _, _, _) => Which::Game(GameId(game)),
            (None, Some(table), Some(event), Some(round)) => {
                Which::Round(event.clone(), RoundNo(round), TableNo(table))
            }
            (None, Some(table), _, _) => Which::Table(TableNo(table)),
            (None, None, _, _) => bail!("which game? Give --table or --game"),
        })
    }

    fn asked(&self) -> anyhow::Result<wire::get_record_request::Which> {
        use wire::get_record_request::Which as Asked;
        Ok(match self.which()? {
            Which::Game(game) => Asked::Game(game.to_string()),
            Which::Table(table) => Asked::Table(table.0),
            Which::Round(event, round, table) => Asked::Round(wire::RoundTable {
                event: event.to_string(),
                round: round.0,
                table: table.0,
            }),
        })
    }
}
