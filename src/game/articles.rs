//! The Laws on which each kind of item rests.

use super::item::{Kind, Matter, OpenItem, QuickplayVerdict};
use super::setup::GameSetup;
use crate::chess::Illegality;
use crate::laws::Category;
use crate::laws::category::limited;
use crate::laws::open_points::MovingOutOfTurn;

/// The articles of an item, the most telling first.
pub(super) fn of_item(item: &OpenItem, setup: &GameSetup) -> Vec<String> {
    let limited = limited(setup.category, setup.supervision);
    let mut articles: Vec<&str> = match item.key.kind {
        Kind::IllegalMove | Kind::ClaimIllegalMove => {
            let mut articles = match &item.matter {
                // Moving out of turn is dealt with by Article 12 where the event says so.
                Matter::Offence(offence)
                    if matches!(offence.why, Some(Illegality::NotHisTurn { .. }))
                        && setup.open_points.moving_out_of_turn == MovingOutOfTurn::Arbiter =>
                {
                    return ["1.3", "12.9"].map(str::to_owned).to_vec();
                }
                Matter::Offence(offence) if offence.unpromoted.is_some() => vec!["7.5.2"],
                Matter::Offence(offence) if offence.two_hands && offence.why.is_none() => vec!["7.5.4"],
                Matter::Offence(offence)
                    if offence.ply.is_none() && offence.gain.is_some() && offence.why.is_none() =>
                {
                    vec!["7.5.3"]
                }
                _ => vec!["7.5.1"],
            };
            if let Matter::Offence(offence) = &item.matter {
                articles.extend(offence.why.as_ref().map(Illegality::article));
            }
            articles.push("7.5.5");
            if limited {
                articles.push("A.5.2");
            }
            if setup.category != Category::Standard {
                articles.push("A.3");
            }
            articles
        }
        Kind::Flag | Kind::ClaimFlag => match &item.matter {
            Matter::Flag { missing: Some(_), .. } => vec!["6.4", "6.3.1", "6.9", "8.6"],
            _ => vec!["6.8", "6.9"],
        },
        Kind::Default => vec!["6.7.1"],
        Kind::ClaimThreefold => vec!["9.2", "9.5"],
        Kind::ClaimFiftyMoves => vec!["9.3", "9.5"],
        Kind::ClaimQuickplay => match &item.matter {
            Matter::Quickplay {
                verdict: QuickplayVerdict::IncrementAsked,
            } => vec!["Guidelines III.4"],
            _ => vec!["Guidelines III.5"],
        },
        Kind::Call => vec!["6.11.2"],
        Kind::BoardDisagrees => vec!["7.6", "8.5.3"],
        Kind::OrderUnknown => vec!["6.2.1", "7.5.1"],
        Kind::MovesMissing => vec!["6.2.1", "8.5.3"],
        Kind::Promotion => vec!["3.7.3.3", "4.4.4"],
        Kind::IllegalPosition => {
            if limited {
                vec!["A.5.4"]
            } else {
                vec!["7.5.1"]
            }
        }
        Kind::ColoursReversed => vec!["7.3"],
        Kind::WrongSetup => {
            if limited {
                vec!["7.2.1", "A.5.1.2"]
            } else {
                vec!["7.2.1"]
            }
        }
        Kind::WrongClock => {
            if limited {
                vec!["6.10.2", "A.5.1.1"]
            } else {
                vec!["6.10.2"]
            }
        }
        Kind::Device => vec!["11.3.2.2"],
        Kind::ResultSignal => vec!["5.1.2", "8.7"],
        Kind::LateNews => vec!["11.10"],
        Kind::AdjustedAtTable | Kind::ReportsLost | Kind::SilentDevice | Kind::ClockRenewed => vec!["6.10.1"],
        Kind::ClockTime => vec!["6.10.1", "6.10.2"],
    };
    articles.dedup();
    articles.into_iter().map(str::to_owned).collect()
}
