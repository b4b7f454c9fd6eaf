//! How games end.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::chess::Color;

/// A result, unequal ones and a loss for both included (10, 11.8, 12.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// `1-0`
    #[serde(rename = "1-0")]
    WhiteWins,
    /// `0-1`
    #[serde(rename = "0-1")]
    BlackWins,
    /// `1/2-1/2`
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// `0-0`
    #[serde(rename = "0-0")]
    BothLose,
    /// `1/2-0`
    #[serde(rename = "1/2-0")]
    HalfForWhite,
    /// `0-1/2`
    #[serde(rename = "0-1/2")]
    HalfForBlack,
}

/// Not a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no result; there are 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0 and 0-1/2")]
pub struct NoResult(pub String);

impl GameResult {
    const ALL: [GameResult; 6] = [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::BothLose,
        GameResult::HalfForWhite,
        GameResult::HalfForBlack,
    ];

    /// This player wins.
    pub fn win(winner: Color) -> GameResult {
        match winner {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// Who has won; nobody where it is a draw, or both lost, or one had half of it.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            _ => None,
        }
    }

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::BothLose => "0-0",
            GameResult::HalfForWhite => "1/2-0",
            GameResult::HalfForBlack => "0-1/2",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl FromStr for GameResult {
    type Err = NoResult;

    fn from_str(text: &str) -> Result<GameResult, NoResult> {
        GameResult::ALL
            .into_iter()
            .find(|result| result.text() == text)
            .ok_or_else(|| NoResult(text.to_owned()))
    }
}

/// What ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// 5.1.1.
    Checkmate,
    /// 5.2.1.
    Stalemate,
    /// 5.2.2.
    DeadPosition,
    /// 6.9.
    Flag,
    /// 6.9, the opponent cannot mate.
    FlagNoMate,
    /// 7.5.5.
    IllegalMoves,
    /// 7.5.5, the opponent cannot mate.
    IllegalMovesNoMate,
    /// 9.2.
    Threefold,
    /// 9.6.1.
    Fivefold,
    /// 9.3.
    FiftyMoves,
    /// 9.6.2.
    SeventyFiveMoves,
    /// 5.2.3.
    Agreement,
    /// 5.1.2.
    Resignation,
    /// 5.1.2, the opponent cannot mate.
    ResignationNoMate,
    /// 6.7.1.
    Default,
    /// A.5.4.
    ImpossiblePosition,
    /// 11.3.2.2.
    Device,
    /// 12.9.
    Penalty,
    /// The arbiter's decision.
    Arbiter,
}

impl Termination {
    /// In the words of the cases: `checkmate`, `flag-no-mate`, …
    pub fn name(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::DeadPosition => "dead-position",
            Termination::Flag => "flag",
            Termination::FlagNoMate => "flag-no-mate",
            Termination::IllegalMoves => "illegal-moves",
            Termination::IllegalMovesNoMate => "illegal-moves-no-mate",
            Termination::Threefold => "threefold",
            Termination::Fivefold => "fivefold",
            Termination::FiftyMoves => "fifty-moves",
            Termination::SeventyFiveMoves => "seventy-five-moves",
            Termination::Agreement => "agreement",
            Termination::Resignation => "resignation",
            Termination::ResignationNoMate => "resignation-no-mate",
            Termination::Default => "default",
            Termination::ImpossiblePosition => "impossible-position",
            Termination::Device => "device",
            Termination::Penalty => "penalty",
            Termination::Arbiter => "arbiter",
        }
    }

    /// The article it rests on.
    pub fn article(self) -> &'static str {
        match self {
            Termination::Checkmate => "5.1.1",
            Termination::Stalemate => "5.2.1",
            Termination::DeadPosition => "5.2.2",
            Termination::Flag | Termination::FlagNoMate => "6.9",
            Termination::IllegalMoves | Termination::IllegalMovesNoMate => "7.5.5",
            Termination::Threefold => "9.2",
            Termination::Fivefold => "9.6.1",
            Termination::FiftyMoves => "9.3",
            Termination::SeventyFiveMoves => "9.6.2",
            Termination::Agreement => "5.2.3",
            Termination::Resignation | Termination::ResignationNoMate => "5.1.2",
            Termination::Default => "6.7.1",
            Termination::ImpossiblePosition => "A.5.4",
            Termination::Device => "11.3.2.2",
            Termination::Penalty => "12.9",
            Termination::Arbiter => "8.7",
        }
    }
}
