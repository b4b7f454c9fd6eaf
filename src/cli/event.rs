//! `flagfall event`: the events of a hall and their regulations.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum};

use super::Data;
use super::client::Hub;
use super::print::Table;
use crate::api::proto::admin::v1 as wire;
use crate::hall::ids::EventId;
use crate::hub::archive;
use crate::laws::{Finding, OpenPoints, span};
use crate::time::Millis;

/// Events of a running hub.
#[derive(Clone, Debug, Args)]
pub struct EventCommand {
    #[command(flatten)]
    hub: Hub,
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Category {
    Standard,
    Rapid,
    Blitz,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Supervision {
    Limited,
    Adequate,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PeriodAdded {
    OnZero,
    OnMoves,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// Make an event, or change it. What is not given is as the Laws, or the house, have it.
    Put {
        /// Its id, never changed: 1 to 64 of a-z, 0-9 and -.
        id: String,
        /// Its name.
        name: String,
        /// Where it is played.
        #[arg(long, value_name = "PLACE", default_value = "")]
        site: String,
        /// Its first day: 2026-08-01.
        #[arg(long, value_name = "DAY", default_value = "")]
        date: String,
        /// Standard, rapid or blitz; what the time control says without it.
        #[arg(long)]
        category: Option<Category>,
        /// Rapid and blitz: limited (A.5, B.3) or adequate (A.4, B.2).
        #[arg(long)]
        supervision: Option<Supervision>,
        /// Whether what the hub finds waits for an arbiter (confirm) or is carried out at once (automatic): for all, or of a
        /// kind, flag=automatic. Kinds: illegal-move, flag, default.
        #[arg(long, value_name = "[KIND=]HOW", value_parser = enforced, value_delimiter = ',')]
        enforcement: Vec<(Option<Finding>, wire::Enforcement)>,
        /// The games are not sent in for rating.
        #[arg(long)]
        not_rated: bool,
        /// What the event decides where the Laws leave it open: void_claim=refused. docs/laws.md has them all.
        #[arg(long, value_name = "NAME=VALUE", value_parser = open_point)]
        open_point: Vec<(String, String)>,
        /// How late a player may arrive: 15m.
        #[arg(long, value_name = "SPAN", default_value = "0", value_parser = milliseconds)]
        default_time: i64,
        /// No draw by agreement before both have made so many moves.
        #[arg(long, value_name = "N", default_value_t = 0)]
        min_moves_for_draw: u32,
        /// When the next period's time is given.
        #[arg(long)]
        period_added: Option<PeriodAdded>,
        /// The clocks start without the first move's increment.
        #[arg(long)]
        no_first_increment: bool,
        /// Screens show mate and stalemate at once.
        #[arg(long)]
        endings_shown_at_once: bool,
    },
    /// When the public sees what happens in the event's rounds, from now on.
    ///
    /// What the public has seen it keeps: a longer delay lets it wait, a shorter one catches up. Rounds with a delay of their own
    /// (`flagfall round delay`) keep that.
    Delay {
        /// Its id.
        event: String,
        /// How late: 15m; 0 for at once.
        #[arg(value_parser = super::delay::delay)]
        delay: i64,
        #[command(flatten)]
        release: super::delay::Release,
    },
    /// All events.
    List,
    /// Write a whole event into one file: rounds, pairings, every game with its whole record. On the hub's own machine, also while
    /// it runs.
    ///
    /// Names of players, arbiters and devices are in the file; tokens and credentials are not. Only its owner can read it.
    Export {
        /// The event's id.
        id: EventId,
        /// The file; it must not be there.
        file: PathBuf,
        #[command(flatten)]
        data: Data,
    },
    /// Take an event that `flagfall event export` has written into this hall, as a record. On the data folder of a hub that is stopped.
    Import {
        /// The file.
        file: PathBuf,
        /// Another id for it, where its own is taken.
        #[arg(long = "as", value_name = "NAME")]
        name: Option<EventId>,
        #[command(flatten)]
        data: Data,
    },
}

fn milliseconds(text: &str) -> Result<i64, span::NoSpan> {
    span::parse(text).map(|span| span.0)
}

fn enforced(text: &str) -> Result<(Option<Finding>, wire::Enforcement), String> {
    let (finding, how) = match text.split_once('=') {
        Some((finding, how)) => (Some(finding.parse()?), how),
        None => (None, text),
    };
    match how {
        "confirm" => Ok((finding, wire::Enforcement::Confirm)),
        "automatic" => Ok((finding, wire::Enforcement::Automatic)),
        _ => Err(format!("{how:?} is neither confirm nor automatic")),
    }
}

fn open_point(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("it is written NAME=VALUE")?;
    OpenPoints::default().set(name, value).map_err(|no| no.to_string())?;
    Ok((name.to_owned(), value.to_owned()))
}

impl EventCommand {
    /// Does it.
    pub async fn run(self) -> anyhow::Result<()> {
        let what = match self.what {
            What::Export { id, file, data } => {
                let folder = data.folder()?;
                let wall_ms = crate::hall::clock::wall_ms();
                let told = format!("event {id} was not exported");
                let path = file.clone();
                let done = tokio::task::spawn_blocking(move || archive::export(&folder, &id, &path, wall_ms));
                let done = done.await.context("the journal could not be read")?.context(told)?;
                for round in &done.under_way {
                    eprintln!(
                        "round {round} is under way: the file can be imported only when it is over; export it again then"
                    );
                }
                return super::print::out(&format!(
                    "{}: event {}, {} rounds, {} games with {} entries; names are in it, tokens and credentials are not",
                    file.display(),
                    done.event,
                    done.rounds,
                    done.games,
                    done.entries
                ));
            }
            What::Import { file, name, data } => {
                let folder = data.folder()?;
                let told = format!("{} was not imported", file.display());
                let import = move || archive::import(&folder, &file, name.as_ref(), crate::hall::clock::wall_ms);
                let done = tokio::task::spawn_blocking(import)
                    .await
                    .context("the journal could not be read")?
                    .context(told)?;
                let was = if done.was_here {
                    "was here already"
                } else {
                    "is here now"
                };
                return super::print::out(&format!(
                    "Event {} {was}: {} rounds, {} games with {} entries. No table is touched by it.",
                    done.event, done.rounds, done.games, done.entries
                ));
            }
            what => what,
        };
        let client = self.hub.connect().await?;
        match what {
            What::Export { .. } | What::Import { .. } => Ok(()),
            What::Put {
                id,
                name,
                site,
                date,
                category,
                supervision,
                enforcement,
                not_rated,
                open_point,
                default_time,
                min_moves_for_draw,
                period_added,
                no_first_increment,
                endings_shown_at_once,
            } => {
                let for_all = enforcement.iter().rev().find(|(finding, _)| finding.is_none());
                let of_kinds = enforcement
                    .iter()
                    .filter_map(|(finding, how)| Some(((*finding)?.name().to_owned(), (*how).into())));
                let regulations = wire::Regulations {
                    category: category.map_or(wire::Category::Unspecified, Into::into).into(),
                    supervision: supervision.map_or(wire::Supervision::Unspecified, Into::into).into(),
                    enforcement: for_all.map_or(wire::Enforcement::Unspecified, |(_, how)| *how).into(),
                    enforcement_of: of_kinds.collect(),
                    rated: Some(!not_rated),
                    open_points: open_point.into_iter().collect(),
                    default_time_ms: default_time,
                    min_moves_for_draw,
                    period_added: period_added.map_or(wire::PeriodAdded::Unspecified, Into::into).into(),
                    first_increment: Some(!no_first_increment),
                    endings_shown_at_once,
                };
                let event = wire::Event {
                    id,
                    name,
                    site,
                    date,
                    regulations: Some(regulations),
                    ..wire::Event::default()
                };
                let request_id = client.request_id();
                let request = wire::PutEventRequest {
                    request_id: request_id.clone(),
                    event: Some(event),
                };
                let answer = client
                    .answer(Some(&request_id), client.admin().put_event(request))
                    .await?;
                client.print(&answer, |answer| match &answer.event {
                    Some(event) => format!("Event {} is set.", event.id),
                    None => "The event is set.".to_owned(),
                })
            }
            What::Delay { event, delay, release } => release.ask(&client, event, 0, Some(delay)).await,
            What::List => {
                let answer = client
                    .answer(None, client.admin().list_events(wire::ListEventsRequest {}))
                    .await?;
                client.print(&answer, |answer| {
                    if answer.events.is_empty() {
                        return "No events.".to_owned();
                    }
                    let mut table = Table::new(&["ID", "NAME", "SITE", "DATE", "PUBLIC DELAY"]);
                    for event in &answer.events {
                        table.row([
                            event.id.clone(),
                            event.name.clone(),
                            event.site.clone(),
                            event.date.clone(),
                            Millis(event.release.as_ref().map_or(0, |release| release.delay_ms)).to_string(),
                        ]);
                    }
                    table.text()
                })
            }
        }
    }
}

impl From<Category> for wire::Category {
    fn from(category: Category) -> wire::Category {
        match category {
            Category::Standard => wire::Category::Standard,
            Category::Rapid => wire::Category::Rapid,
            Category::Blitz => wire::Category::Blitz,
        }
    }
}

impl From<Supervision> for wire::Supervision {
    fn from(supervision: Supervision) -> wire::Supervision {
        match supervision {
            Supervision::Limited => wire::Supervision::Limited,
            Supervision::Adequate => wire::Supervision::Adequate,
        }
    }
}

impl From<PeriodAdded> for wire::PeriodAdded {
    fn from(added: PeriodAdded) -> wire::PeriodAdded {
        match added {
            PeriodAdded::OnZero => wire::PeriodAdded::OnZero,
            PeriodAdded::OnMoves => wire::PeriodAdded::OnMoves,
        }
    }
}
