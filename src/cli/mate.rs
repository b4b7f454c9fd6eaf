//! `flagfall mate`: can this side still mate by any series of legal moves (6.9)? As a game asks at a flag, and as the worker
//! beside it does.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, bail};
use clap::Args;

use super::print;
use super::refused::shown;
use super::words::Colour;
use crate::chess::mates::{Bound, Verdict, can_mate, explain, fuller};
use crate::chess::{Color, Position, Variant};
use crate::hub::mates as limits;

/// Ask whether a side can still mate (6.9).
#[derive(Clone, Debug, Args)]
pub struct MateCommand {
    /// The position, as a FEN between quotes.
    #[arg(required_unless_present = "file", requires = "winner")]
    fen: Option<String>,
    /// The side that would have to mate.
    #[arg(required_unless_present = "file")]
    winner: Option<Colour>,
    /// Many positions instead: a file with the columns `fen;winner`, and `expected` (`winnable` or `unwinnable`) if it is to be
    /// checked; the exit code is 1 then when an answer is wrong.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "winner"])]
    file: Option<PathBuf>,
    /// Only what a game asks, not the longer search.
    #[arg(long)]
    fast: bool,
    /// The game is Chess960.
    #[arg(long)]
    chess960: bool,
    /// The full answer alone, as one line of JSON, by a process that has bounded itself: what a hub asks.
    #[arg(long, hide = true, conflicts_with_all = ["file", "fast"])]
    worker: bool,
}

impl MateCommand {
    /// Does it.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        if let Some(file) = &self.file {
            return self.many(file);
        }
        let (Some(fen), Some(winner)) = (&self.fen, self.winner) else {
            bail!("give a FEN and a side, or --file")
        };
        let winner = match winner {
            Colour::White => Color::White,
            Colour::Black => Color::Black,
        };
        let position = Position::from_fen(fen, self.variant())?;
        if self.worker {
            limits::bound_this_process().context("this process cannot be bounded")?;
            let verdict = fuller(&position, winner, Bound::WORKER);
            print::out(&serde_json::to_string(&verdict).context("the answer cannot be written")?)?;
            return Ok(ExitCode::SUCCESS);
        }
        for asked in self.questions() {
            let (verdict, micros) = asked.of(&position, winner);
            print::out(&format!(
                "{}  {}  {micros} µs",
                asked.name(),
                explain(&position, &verdict)
            ))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn variant(&self) -> Variant {
        if self.chess960 {
            Variant::Chess960
        } else {
            Variant::Standard
        }
    }

    fn questions(&self) -> &'static [Asked] {
        if self.fast {
            &[Asked::Fast]
        } else {
            &[Asked::Fast, Asked::Full]
        }
    }

    fn many(&self, file: &Path) -> anyhow::Result<ExitCode> {
        let mut reader = ::csv::ReaderBuilder::new()
            .delimiter(b';')
            .flexible(true)
            .from_path(file)
            .with_context(|| format!("{} cannot be read", file.display()))?;
        let headers = reader
            .headers()
            .with_context(|| format!("{} cannot be read", file.display()))?
            .clone();
        let column = |name: &str| headers.iter().position(|header| header.trim() == name);
        let (Some(fens), Some(winners)) = (column("fen"), column("winner")) else {
            bail!("{}, line 1: name the columns `fen;winner`", file.display());
        };
        let expected = column("expected");
        let (mut asked_for, mut wrong, mut undecided) = (0_u64, 0_u64, 0_u64);
        for record in reader.records() {
            let record = record.with_context(|| format!("{} cannot be read", file.display()))?;
            let line = record.position().map_or(0, ::csv::Position::line);
            let place = || format!("{}, line {line}", file.display());
            let winner = match record.get(winners).map(str::trim) {
                Some("white") => Color::White,
                Some("black") => Color::Black,
                other => bail!(
                    "{}: the winner is `white` or `black`, not `{}`",
                    place(),
                    shown(other.unwrap_or_default())
                ),
            };
            let position =
                Position::from_fen(record.get(fens).unwrap_or_default(), self.variant()).with_context(place)?;
            let mut said = Vec::new();
            let mut last = None;
            for asked in self.questions() {
                let (verdict, micros) = asked.of(&position, winner);
                last = verdict.can_mate();
                said.push(format!("{} {} {micros} µs", asked.name(), explain(&position, &verdict)));
            }
            asked_for += 1;
            undecided += u64::from(last.is_none());
            let want = expected.and_then(|column| record.get(column)).and_then(wanted);
            let is_wrong = matches!((want, last), (Some(want), Some(have)) if want != have);
            wrong += u64::from(is_wrong);
            let mark = if is_wrong { "WRONG " } else { "" };
            print::out(&format!("{line}  {mark}{}", said.join("  |  ")))?;
        }
        print::out(&format!("{asked_for} positions, {undecided} undecided, {wrong} wrong"))?;
        Ok(if wrong == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

fn wanted(expected: &str) -> Option<bool> {
    match expected.trim() {
        "winnable" => Some(true),
        "unwinnable" => Some(false),
        _ => None,
    }
}

/// How hard is it tried?
#[derive(Clone, Copy)]
enum Asked {
    Fast,
    Full,
}

impl Asked {
    fn name(self) -> &'static str {
        match self {
            Asked::Fast => "fast",
            Asked::Full => "full",
        }
    }

    #[expect(clippy::disallowed_methods, reason = "says how long a search took")]
    fn of(self, position: &Position, winner: Color) -> (Verdict, u128) {
        let begun = Instant::now();
        let verdict = match self {
            Asked::Fast => can_mate(position, winner, Bound::GAME),
            Asked::Full => fuller(position, winner, Bound::WORKER),
        };
        (verdict, begun.elapsed().as_micros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(fen: &str, winner: Color) -> String {
        let position = Position::from_fen(fen, Variant::Standard).expect("a position");
        explain(&position, &Asked::Fast.of(&position, winner).0)
    }

    #[test]
    fn a_mating_line_is_told_in_san_and_a_bare_king_cannot_mate() {
        let fen = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
        assert_eq!(told(fen, Color::White), "can mate: Ra8#");
        assert!(told(fen, Color::Black).starts_with("cannot mate: "));
    }

    #[test]
    fn a_file_with_a_wrong_answer_fails() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("positions.csv");
        let run = |expected: &str| {
            let text = format!("fen;winner;expected\n7k/8/6K1/8/8/8/8/R7 w - - 0 1;white;{expected}\n");
            std::fs::write(&file, text).expect("written");
            MateCommand {
                fen: None,
                winner: None,
                file: Some(file.clone()),
                fast: true,
                chess960: false,
                worker: false,
            }
            .run()
            .expect("ran")
        };
        assert_eq!(run("winnable"), ExitCode::SUCCESS);
        assert_eq!(run("unwinnable"), ExitCode::FAILURE);
    }
}
