//! `flagfall round`: pairings in, rounds armed, called and closed.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use serde::Serialize;

use super::client::{Client, Hub};
use super::print::Table;
use super::refused::shown;
use super::words::Time;
use crate::api::proto::admin::v1 as admin;
use crate::api::proto::arbiter::v1 as arbiter;
use crate::api::proto::feed::v1::Player;
use crate::pairing::csv;

/// Rounds of a running hub's events.
#[derive(Clone, Debug, Args)]
pub struct RoundCommand {
    #[command(flatten)]
    hub: Hub,
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// Make a round from a CSV file, or change it while it is not armed.
    ///
    /// The first line names the columns: table, white and black are needed; board, time_control, board_kind, variant, fen, delay (how
    /// late the public sees the board: 30m), and white_ or black_ with title, fide_id, rating, federation or team may be there.
    Put {
        /// The event's id.
        event: String,
        /// The round's number.
        round: u32,
        /// The pairings.
        file: PathBuf,
        /// The time control of games that have none of their own: `90m+30s`.
        #[arg(long, value_name = "CONTROL", default_value = "")]
        time_control: String,
        /// Check only, and change nothing.
        #[arg(long)]
        check: bool,
    },
    /// Give every table its game and every clock the time control.
    Arm {
        /// The event's id.
        event: String,
        /// The round's number.
        round: u32,
    },
    /// Call the round: White's clocks run.
    Start {
        /// The event's id.
        event: String,
        /// The round's number.
        round: u32,
        /// Only these tables.
        #[arg(value_parser = super::words::table, long, value_name = "N", value_delimiter = ',')]
        tables: Vec<u32>,
    },
    /// One more game in a round that is armed or goes on: its table is opened, and started by `flagfall round start --tables N`.
    Pair {
        /// The event's id.
        event: String,
        /// The round's number.
        round: u32,
        /// The table, at which nothing of this round is played.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// What White's clock begins with, if not with the time control's time: 45:00.
        #[arg(long, value_name = "TIME", value_parser = time)]
        white_time: Option<i64>,
        /// The same of Black's.
        #[arg(long, value_name = "TIME", value_parser = time)]
        black_time: Option<i64>,
        /// The time control, if it is not the round's: `90m+30s`.
        #[arg(long, value_name = "CONTROL", default_value = "")]
        time_control: String,
        /// The board's number in the round; without it the next one.
        #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
        board: u32,
        /// No board serves the table: moves are entered by hand.
        #[arg(long)]
        no_board: bool,
    },
    /// Close the round, when every game has its result.
    End {
        /// The event's id.
        event: String,
        /// The round's number.
        round: u32,
    },
    /// When the public sees what happens in the round, from now on; also before the round is made, or while it is played.
    ///
    /// What the public has seen it keeps: a longer delay lets it wait, a shorter one catches up.
    Delay {
        /// The event's id.
        event: String,
        /// The round's number.
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        round: u32,
        /// How late: 15m; 0 for at once; without it as the rest of the event.
        #[arg(value_parser = super::delay::delay)]
        delay: Option<i64>,
        #[command(flatten)]
        release: super::delay::Release,
    },
    /// The rounds of an event.
    List {
        /// The event's id.
        event: String,
        /// The pairings, too.
        #[arg(long)]
        pairings: bool,
    },
}

impl RoundCommand {
    /// Does it.
    pub async fn run(self) -> anyhow::Result<()> {
        let client = self.hub.connect().await?;
        let request_id = client.request_id();
        let id = request_id.clone();
        let id = Some(id.as_str());
        match self.what {
            What::Put {
                event,
                round,
                file,
                time_control,
                check,
            } => {
                let bytes = std::fs::read(&file).with_context(|| format!("{} cannot be read", file.display()))?;
                let text = csv::text(&bytes).with_context(|| format!("{} was not taken", file.display()))?;
                let request = admin::PutRoundRequest {
                    request_id,
                    event,
                    number: round,
                    time_control,
                    source: Some(admin::put_round_request::Source::Csv(text.to_owned())),
                    validate_only: check,
                };
                let answer = client
                    .answer(id, client.admin().put_round(request))
                    .await
                    .with_context(|| file.display().to_string())?;
                client.print(&answer, |answer| {
                    let games = answer.round.as_ref().map_or(0, |round| round.pairings.len());
                    let done = if check { "sound; nothing was changed" } else { "taken" };
                    format!("Round {round}: {games} games {done}.")
                })
            }
            What::Arm { event, round } => {
                let request = arbiter::ArmRoundRequest {
                    request_id,
                    event,
                    round,
                };
                let answer = client.answer(id, client.arbiter().arm_round(request)).await?;
                answers(&client, &answer.answers, "armed")
            }
            What::Start { event, round, tables } => {
                let request = arbiter::StartRoundRequest {
                    request_id,
                    event,
                    round,
                    tables,
                };
                let answer = client.answer(id, client.arbiter().start_round(request)).await?;
                answers(&client, &answer.answers, "started")
            }
            What::Pair {
                event,
                round,
                table,
                white,
                black,
                white_time,
                black_time,
                time_control,
                board,
                no_board,
            } => {
                let player = |name: String| {
                    Some(Player {
                        name,
                        ..Default::default()
                    })
                };
                let mut pairing = admin::Pairing {
                    table,
                    board,
                    white: player(white),
                    black: player(black),
                    time_control,
                    ..Default::default()
                };
                if no_board {
                    pairing.board_kind = admin::BoardKind::None.into();
                }
                let request = admin::AddPairingRequest {
                    request_id,
                    event,
                    round,
                    pairing: Some(pairing),
                    white_ms: white_time,
                    black_ms: black_time,
                    table,
                };
                let answer = client.answer(id, client.admin().add_pairing(request)).await?;
                client.print(&answer, |_| {
                    format!("Round {round} has one more game, at table {table}; start it there when both are ready.")
                })
            }
            What::End { event, round } => {
                let request = arbiter::EndRoundRequest {
                    request_id,
                    event,
                    round,
                };
                let answer = client.answer(id, client.arbiter().end_round(request)).await?;
                answers(&client, &answer.answers, "ended")
            }
            What::Delay {
                event,
                round,
                delay,
                release,
            } => release.ask(&client, event, round, delay).await,
            What::List { event, pairings } => {
                let request = admin::ListRoundsRequest { event };
                let answer = client.answer(None, client.admin().list_rounds(request)).await?;
                client.print(&answer, |answer| list(answer, pairings))
            }
        }
    }
}

/// A time on a clock, in ms.
fn time(text: &str) -> Result<i64, String> {
    match text.parse() {
        Ok(Time::To(ms)) => Ok(ms),
        Ok(Time::By(_)) => Err("what a clock begins with has no sign: 45:00".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn state(state: admin::RoundState) -> &'static str {
    match state {
        admin::RoundState::Unspecified => "?",
        admin::RoundState::Prepared => "prepared",
        admin::RoundState::Armed => "armed",
        admin::RoundState::Started => "started",
        admin::RoundState::Ended => "ended",
    }
}

fn list(answer: &admin::ListRoundsResponse, pairings: bool) -> String {
    if answer.rounds.is_empty() {
        return "No rounds.".to_owned();
    }
    let mut table = if pairings {
        Table::new(&["ROUND", "STATE", "TABLE", "WHITE", "BLACK", "TIME CONTROL"])
    } else {
        Table::new(&["ROUND", "STATE", "GAMES", "TIME CONTROL"])
    };
    for round in &answer.rounds {
        let first = [round.number.to_string(), state(round.state()).to_owned()];
        if !pairings {
            let rest = [round.pairings.len().to_string(), round.time_control.clone()];
            table.row(first.into_iter().chain(rest));
            continue;
        }
        for pairing in &round.pairings {
            let own = Some(&pairing.time_control)
                .filter(|own| !own.is_empty())
                .unwrap_or(&round.time_control);
            let name = |player: &Option<crate::api::proto::feed::v1::Player>| {
                player.as_ref().map(|player| player.name.clone()).unwrap_or_default()
            };
            let rest = [
                pairing.table.to_string(),
                name(&pairing.white),
                name(&pairing.black),
                own.clone(),
            ];
            table.row(first.clone().into_iter().chain(rest));
        }
    }
    table.text()
}

#[derive(Serialize)]
struct Answers<'a> {
    answers: &'a [arbiter::TableAnswer],
}

/// Prints how a call went at many tables; fails if one refused.
pub fn answers(client: &Client, answers: &[arbiter::TableAnswer], done: &str) -> anyhow::Result<()> {
    use arbiter::table_answer::Answer;
    let refused: Vec<_> = answers
        .iter()
        .filter_map(|at| match &at.answer {
            Some(Answer::Refused(refusal)) => Some(shown(&refusal.message)),
            Some(Answer::Done(_)) | None => None,
        })
        .collect();
    let well = answers.len() - refused.len();
    client.print(&Answers { answers }, |_| {
        let tables = if well == 1 {
            "1 table".to_owned()
        } else {
            format!("{well} tables")
        };
        format!("{tables} {done}.")
    })?;
    if refused.is_empty() {
        return Ok(());
    }
    bail!(
        "{} of {} tables refused:\n  {}",
        refused.len(),
        answers.len(),
        refused.join("\n  ")
    )
}
