//! `flagfall import`: a round from a pairing program's file.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;

use super::client::{Client, Hub};
use super::print::Table;
use crate::api::proto::admin::v1 as wire;
use crate::api::proto::feed::v1::Player;

/// A round from a pairing program's file: TRF16, TRF26, a pair list, or CSV with named columns.
///
/// Shows the games with the tables proposed for them, and takes nothing until it is run again with --confirm. docs/pairing-programs.md
/// tells where each program writes its file.
#[derive(Clone, Debug, Args)]
pub struct ImportCommand {
    #[command(flatten)]
    hub: Hub,
    /// The file.
    file: PathBuf,
    /// The round's number.
    #[arg(long, value_name = "N")]
    round: u32,
    /// The event's id; not needed where the hall has one event.
    #[arg(long, value_name = "ID")]
    event: Option<String>,
    /// The players, where the pairings are starting numbers: the TRF that was paired, or CSV with number and name.
    #[arg(long, value_name = "FILE")]
    players: Option<PathBuf>,
    /// How the file's bytes are letters: utf-8, latin-1, windows-1250, windows-1251, windows-1252.
    #[arg(long, default_value = "")]
    encoding: String,
    /// The time control: 90m+30s. What the round has, or else the file codes, without it.
    #[arg(long, value_name = "CONTROL", default_value = "")]
    time_control: String,
    /// The table of board 1, where the file has no tables.
    #[arg(long, value_name = "N", default_value_t = 1)]
    first_table: u32,
    /// Only show it, and say nothing of --confirm.
    #[arg(long, conflicts_with = "confirm")]
    dry_run: bool,
    /// Take it.
    #[arg(long)]
    confirm: bool,
    /// Take it only if it is this proposal, as it was shown.
    #[arg(long, value_name = "MARK", default_value = "", requires = "confirm")]
    proposal: String,
}

impl ImportCommand {
    /// Does it.
    pub async fn run(self) -> anyhow::Result<()> {
        let client = self.hub.connect().await?;
        let event = the_event(&client, self.event.as_deref()).await?;
        let request_id = client.request_id();
        let id = self.confirm.then(|| request_id.clone());
        let request = wire::ImportRoundRequest {
            request_id,
            event: event.clone(),
            round: self.round,
            file: Some(file(&self.file)?),
            players: self.players.as_deref().map(file).transpose()?,
            encoding: self.encoding,
            time_control: self.time_control,
            first_table: self.first_table,
            confirm: self.confirm,
            proposal: self.proposal,
        };
        let answer = client
            .answer(id.as_deref(), client.admin().import_round(request))
            .await?;
        client.print(&answer, |answer| {
            let mut text = shown(answer);
            text.push_str(&match (answer.taken, self.dry_run) {
                (true, _) => format!(
                    "Round {} of {event} is taken: {} games.\n",
                    self.round,
                    answer.games.len()
                ),
                (false, true) => "Nothing was changed.\n".to_owned(),
                (false, false) => format!(
                    "Nothing was changed. To take exactly this: the same command with --confirm --proposal {}\n",
                    answer.proposal
                ),
            });
            text
        })
    }
}

/// The event that is meant.
pub async fn the_event(client: &Client, given: Option<&str>) -> anyhow::Result<String> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    let request = wire::ListEventsRequest {};
    let answer = client.answer(None, client.admin().list_events(request)).await?;
    match &answer.events[..] {
        [one] => Ok(one.id.clone()),
        [] => bail!("the hall has no event: make it first, `flagfall event put ID NAME`"),
        many => {
            let ids: Vec<_> = many.iter().map(|event| event.id.as_str()).collect();
            bail!("which event? Give --event {}", ids.join(" or "))
        }
    }
}

fn file(path: &Path) -> anyhow::Result<wire::PairingFile> {
    let content = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned();
    Ok(wire::PairingFile { name, content })
}

fn shown(answer: &wire::ImportRoundResponse) -> String {
    let source = match answer.time_control_source() {
        wire::TimeControlSource::File => " (from the file)",
        wire::TimeControlSource::Round => " (as the round has it)",
        _ => "",
    };
    let event_name = Some(&answer.event_name).filter(|name| !name.is_empty());
    let mut text = format!(
        "{}{}, {}; time control {}{source}\n",
        event_name.map(|name| format!("{name}: ")).unwrap_or_default(),
        answer.format,
        answer.encoding,
        answer.time_control
    );
    let mut games = Table::new(&["TABLE", "BOARD", "WHITE", "BLACK"]);
    for game in &answer.games {
        games.row([
            game.table.to_string(),
            game.board.to_string(),
            player(game.white.as_ref()),
            player(game.black.as_ref()),
        ]);
    }
    text.push_str(&games.text());
    if !answer.unpaired.is_empty() {
        let mut others = Table::new(&["NO GAME", "NUMBER", "NAME", "AGAINST"]);
        let number = |number: u32| if number == 0 { String::new() } else { number.to_string() };
        for one in &answer.unpaired {
            others.row([
                one.code.clone(),
                number(one.number),
                one.name.clone(),
                number(one.opponent),
            ]);
        }
        text.push_str(&others.text());
    }
    if !answer.is_new {
        text.push_str(&changes(&answer.changes));
    }
    text.push_str(&warnings(&answer.warnings));
    text
}

fn player(player: Option<&Player>) -> String {
    let Some(player) = player else { return String::new() };
    let title = if player.title.is_empty() {
        String::new()
    } else {
        format!("{} ", player.title)
    };
    let rating = player.rating.map(|rating| format!(" {rating}")).unwrap_or_default();
    format!("{title}{}{rating}", player.name)
}

fn changes(changes: &[wire::PairingChange]) -> String {
    use wire::PairingChangeKind as Kind;
    if changes.is_empty() {
        return "The round is paired like this already.\n".to_owned();
    }
    let mut table = Table::new(&["CHANGE", "TABLE", "BEFORE", "AFTER"]);
    let game = |game: Option<&wire::Pairing>| {
        game.map(|game| format!("{} – {}", player(game.white.as_ref()), player(game.black.as_ref())))
            .unwrap_or_default()
    };
    for change in changes {
        let (before, after) = (change.before.as_ref(), change.after.as_ref());
        let kind = match change.kind() {
            Kind::Added => "added",
            Kind::Removed => "removed",
            Kind::Moved => "moved",
            Kind::ColoursTurned => "colours turned",
            Kind::Renamed => "renamed",
            Kind::Unspecified => "?",
        };
        let number = |game: &wire::Pairing| game.table.to_string();
        let tables = match (before.map(number), after.map(number)) {
            (Some(before), Some(after)) if before != after => format!("{before} to {after}"),
            (before, after) => after.or(before).unwrap_or_default(),
        };
        table.row([kind.to_owned(), tables, game(before), game(after)]);
    }
    table.text()
}

/// What is odd, one line each.
pub fn warnings(warnings: &[wire::FileRemark]) -> String {
    let told = warnings.iter().map(|warning| {
        let remark = crate::pairing::Remark {
            file: warning.file.clone(),
            line: warning.line,
            column: warning.column as usize,
            field: warning.field.clone(),
            message: warning.message.clone(),
        };
        format!("Note: {}\n", super::refused::shown(&remark.to_string()))
    });
    told.collect()
}
