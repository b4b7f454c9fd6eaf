//! `flagfall regulations`: an event's regulations in words.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use serde::Deserialize;

use super::client::{Client, Hub};
use super::print;
use crate::api::proto::admin::v1 as wire;
use crate::config::Language;
use crate::hall::model::{OpenPoints, Regulations};
use crate::laws::{TimeControl, span};
use crate::words::{Announcement, Boards};

/// What an event's regulations say.
#[derive(Clone, Debug, Args)]
pub struct RegulationsCommand {
    #[command(flatten)]
    hub: Hub,
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// The announcement that an arbiter reads out before round one.
    Print {
        /// An event of the running hub.
        #[arg(
            long,
            value_name = "ID",
            conflicts_with = "config",
            required_unless_present = "config"
        )]
        event: Option<String>,
        /// The event's round; its first without it.
        #[arg(long, value_name = "N", requires = "event")]
        round: Option<u32>,
        /// A file that describes an event, with no hub running: see docs/arbiters.md.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// en, sr, ru or pl; the hall's own without it.
        #[arg(long, value_name = "LANGUAGE")]
        lang: Option<Language>,
    },
}

impl RegulationsCommand {
    /// Does it.
    pub async fn run(self) -> anyhow::Result<()> {
        let What::Print {
            event,
            round,
            config,
            lang,
        } = self.what;
        match (event, config) {
            (_, Some(file)) => print::out(&described(&file)?.text(lang.unwrap_or_default())),
            (Some(event), None) => {
                let client = self.hub.connect().await?.speaking(lang);
                of_hub(&client, event, round.unwrap_or(0)).await
            }
            (None, None) => bail!("which regulations? Give --event or --config"),
        }
    }
}

async fn of_hub(client: &Client, event: String, round: u32) -> anyhow::Result<()> {
    let request = wire::GetAnnouncementRequest { event, round };
    let answer = client.answer(None, client.admin().get_announcement(request)).await?;
    client.print(&answer, |answer| super::refused::shown(&answer.text))
}

/// A file that describes an event.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    name: String,
    #[serde(default)]
    site: String,
    #[serde(default)]
    date: String,
    time_control: TimeControl,
    #[serde(default)]
    boards: Option<WithBoards>,
    #[serde(default)]
    regulations: toml::Table,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum WithBoards {
    Word(AllOrNone),
    Tables(Vec<u32>),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AllOrNone {
    All,
    None,
}

fn described(file: &Path) -> anyhow::Result<Announcement> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    announcement(&text).with_context(|| file.display().to_string())
}

fn announcement(text: &str) -> anyhow::Result<Announcement> {
    let described: Described = toml::from_str(text)?;
    Ok(Announcement {
        name: described.name,
        site: described.site,
        date: described.date,
        regulations: regulations(described.regulations)?,
        control: described.time_control,
        others: Vec::new(),
        boards: match described.boards {
            Some(WithBoards::Word(AllOrNone::All)) => Boards::All,
            Some(WithBoards::Word(AllOrNone::None)) | None => Boards::None,
            Some(WithBoards::Tables(tables)) => Boards::At(tables),
        },
    })
}

/// The regulations as the journal writes them, and the default time as people do: `default_time = "15m"`.
fn regulations(mut table: toml::Table) -> anyhow::Result<Regulations> {
    if let Some(late) = table.remove("default_time") {
        let late = late.as_str().context("default_time is written as \"15m\"")?;
        let late = span::parse(late).context("default_time")?;
        table.insert("default_time_ms".to_owned(), late.0.into());
    }
    let known = serde_json::to_value(Regulations::default())?;
    if let Some(key) = table.keys().find(|key| known.get(key.as_str()).is_none()) {
        bail!("regulations have no `{key}`");
    }
    if let Some(points) = table.get("open_points").and_then(toml::Value::as_table) {
        let defaults = OpenPoints::default();
        if let Some(name) = points.keys().find(|name| defaults.value(name).is_none()) {
            bail!("there is no open point `{name}`");
        }
    }
    let regulations: Regulations = table.try_into().context("regulations")?;
    if regulations.rated {
        regulations.enforcement.check_rated()?;
    }
    Ok(regulations)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
        name = "Open"
        date = "2026-08-01"
        time_control = "40/90m+30s,30m+30s"
        boards = [1, 2, 3, 7]
        [regulations]
        default_time = "15m"
        min_moves_for_draw = 30
        [regulations.open_points]
        device_found = "arbiter-decides"
    "#;

    #[test]
    fn an_event_is_announced_from_a_file() {
        let said = announcement(FILE).expect("an event").text(Language::English);
        for part in [
            "1 August 2026",
            "15 minutes",
            "30 moves",
            "tables 1–3, 7",
            "decides on the penalty",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }

    #[test]
    fn what_a_file_cannot_say_is_refused() {
        let why = |from: &str, to: &str| {
            let error = announcement(&FILE.replace(from, to)).expect_err(to);
            crate::cli::causes(&error)
        };
        assert!(why("min_moves_for_draw", "min_moves").contains("min_moves"));
        assert!(why("device_found", "devise_found").contains("devise_found"));
        assert!(why("\"15m\"", "15").contains("15m"));
        assert!(why("date =", "day =").contains("day"));
        assert!(why("[regulations]", "[regulations]\nenforcement = \"automatic\"").contains("rated"));
    }
}
