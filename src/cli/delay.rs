//! `flagfall event delay` and `flagfall round delay`: when the public sees what happens.

use std::fmt::Write as _;

use clap::Args;

use super::client::Client;
use crate::api::proto::admin::v1 as wire;
use crate::laws::span;
use crate::time::Millis;

/// What is held back from the public.
#[derive(Clone, Debug, Args)]
pub struct Release {
    /// Boards with another delay, by their numbers in the event: 1=30m,2=30m.
    #[arg(long, value_name = "BOARD=SPAN", value_parser = board, value_delimiter = ',')]
    board: Vec<(u32, i64)>,
    /// What is left of a game is told at once when the hall sees its result.
    #[arg(long)]
    finished_at_once: bool,
    /// What is left of a round is told at once when it ends.
    #[arg(long)]
    all_at_end: bool,
}

impl Release {
    /// Asks for it. Without a delay the round goes by its event.
    pub async fn ask(&self, client: &Client, event: String, round: u32, delay: Option<i64>) -> anyhow::Result<()> {
        let release = delay.map(|delay_ms| wire::Release {
            delay_ms,
            boards: self.board.iter().copied().collect(),
            finished_at_once: self.finished_at_once,
            ended_at_once: self.all_at_end,
        });
        let request_id = client.request_id();
        let request = wire::SetReleaseRequest {
            request_id: request_id.clone(),
            event: event.clone(),
            round,
            release: release.clone(),
        };
        let answer = client
            .answer(Some(&request_id), client.admin().set_release(request))
            .await?;
        client.print(&answer, |_| {
            let of = match round {
                0 => format!("event {event}"),
                round => format!("round {round} of {event}"),
            };
            told(&of, release.as_ref())
        })
    }
}

fn told(of: &str, release: Option<&wire::Release>) -> String {
    let Some(release) = release else {
        return format!("The public sees {of} as the rest of the event.");
    };
    let mut words = format!("The public sees {of} {} late", Millis(release.delay_ms));
    let mut boards: Vec<_> = release.boards.iter().collect();
    boards.sort_unstable();
    for (board, delay) in boards {
        let _infallible = write!(words, ", board {board} {} late", Millis(*delay));
    }
    if release.finished_at_once {
        words.push_str("; what is left of a game with its result");
    }
    if release.ended_at_once {
        words.push_str("; everything at the round's end");
    }
    words.push('.');
    words
}

/// A span of time: `15m`.
pub fn delay(text: &str) -> Result<i64, span::NoSpan> {
    span::parse(text).map(|span| span.0)
}

fn board(text: &str) -> Result<(u32, i64), String> {
    let (board, delay) = text
        .split_once('=')
        .ok_or_else(|| format!("{text:?}: write a board and its delay, 1=30m"))?;
    let board = board.parse().map_err(|_| format!("{board:?} is no board's number"))?;
    let delay = self::delay(delay).map_err(|error| error.to_string())?;
    Ok((board, delay))
}
