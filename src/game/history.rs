//! Everything that was ruled at a game, for arbiters and for an appeals committee.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::audience::{RuledView, RulingView};
use super::event::{Note, Step};
use super::input::{AppealOutcome, AppealStep, Deed, Happening, Penalty, Restoration, TimeChange};
use super::item::Ruling;
use crate::chess::Color;
use crate::time::Millis;

/// The rulings of a game's present course, each with the step that it belongs to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct History(Arc<Vec<(u64, RulingView)>>);

impl History {
    /// After `back_to` come these steps: what was ruled in those before them stays.
    pub fn fold(&mut self, back_to: u64, steps: &[Step]) {
        let goes_back = self.0.last().is_some_and(|(step, _)| *step > back_to);
        let rules = |step: &Step| {
            step.notes
                .iter()
                .any(|note| matches!(note, Note::Ruled { .. } | Note::Acted { .. }))
        };
        if !goes_back && !steps.iter().any(rules) {
            return;
        }
        let history = Arc::make_mut(&mut self.0);
        history.retain(|(step, _)| *step <= back_to);
        for step in steps {
            history.extend(
                step.notes
                    .iter()
                    .filter_map(|note| Some((step.number, ruling(step, note)?))),
            );
        }
    }

    /// As arbiters see it, oldest first.
    pub fn views(&self) -> Vec<RulingView> {
        self.0.iter().map(|(_, ruling)| ruling.clone()).collect()
    }

    /// An arbiter has ruled that a game begun with colours reversed goes on so (7.3).
    pub fn colours_reversed(&self) -> bool {
        self.0.iter().any(|(_, ruling)| {
            ruling.articles.iter().any(|article| article == "7.3")
                && matches!(ruling.ruled.as_deref(), Some(RuledView::Ruling(Ruling::Nothing)))
        })
    }
}

fn ruling(step: &Step, note: &Note) -> Option<RulingView> {
    match note {
        Note::Ruled {
            item,
            ruling,
            words,
            articles,
            author,
            reason,
        } => Some(RulingView {
            at: step.at,
            author: author.clone(),
            what: words.clone(),
            reason: reason.clone(),
            articles: articles.clone(),
            item: *item,
            ruled: Some(Box::new(RuledView::Ruling((**ruling).clone()))),
        }),
        Note::Acted {
            what,
            articles,
            author,
            reason,
        } => {
            let act = step.input.as_ref().and_then(|input| match &input.what {
                Happening::Act(act) => Some(&act.what),
                _ => None,
            });
            Some(RulingView {
                at: step.at,
                author: author.clone(),
                what: act.and_then(deed).unwrap_or_else(|| what.clone()),
                reason: reason.clone(),
                articles: articles.clone(),
                item: match act {
                    Some(Deed::Dismiss { item }) => *item,
                    _ => None,
                },
                ruled: act.map(|act| Box::new(RuledView::Deed(act.clone()))),
            })
        }
        _ => None,
    }
}

/// What an arbiter did of his own, in a sentence; `None` where one word says it.
pub(super) fn deed(deed: &Deed) -> Option<String> {
    Some(match deed {
        Deed::Adjust {
            white,
            black,
            moves_done,
        } => {
            let time = |color: Color, change: &Option<TimeChange>| {
                change.map(|change| match change {
                    TimeChange::To(time) => format!("{color} set to {time}"),
                    TimeChange::By(time) if time < Millis::ZERO => format!("{color} -{}", -time),
                    TimeChange::By(time) => format!("{color} +{time}"),
                })
            };
            let moves = moves_done.map(|moves| format!("{moves} moves completed"));
            let parts: Vec<String> = [time(Color::White, white), time(Color::Black, black), moves]
                .into_iter()
                .flatten()
                .collect();
            format!("Clocks adjusted: {}", parts.join(", "))
        }
        Deed::Dismiss { item: Some(item) } => format!("Item {item} was dismissed"),
        Deed::Dismiss { item: None } => "The oldest item was dismissed".to_owned(),
        Deed::Restore {
            to: Restoration::Keep(plies),
        } => format!("The position after {plies} half-moves was put back"),
        Deed::Restore {
            to: Restoration::Fen(fen),
        } => format!("The position {fen} was put back"),
        Deed::Penalise { of, what } => match what {
            Penalty::Warning => format!("{of} was warned"),
            Penalty::AddTime(time) => format!("{} was given {time}", of.other()),
            Penalty::TakeTime(time) => format!("{time} was taken from {of}"),
            Penalty::Loss => format!("The game was declared lost for {of}"),
        },
        Deed::Decide { result } => format!("The result was set to {result}"),
        Deed::Reopen => "The game was reopened".to_owned(),
        Deed::Note => "A note".to_owned(),
        Deed::SetPeriods { white, black } => {
            let of = |color: Color, period: &Option<u32>| {
                period.map(|period| format!("{color} is in period {}", period.saturating_add(1)))
            };
            let parts: Vec<String> = [of(Color::White, white), of(Color::Black, black)]
                .into_iter()
                .flatten()
                .collect();
            format!("Periods set: {}", parts.join(", "))
        }
        Deed::Mend { ply, mv } => format!("Half-move {ply} of the record was mended: {mv}"),
        Deed::ClaimedMoves { item, moves } => {
            let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
            format!("Item {item}: the claimant names the moves {}", moves.join(", "))
        }
        Deed::MaskSquares { squares } if squares.is_empty() => "All squares of the board count again".to_owned(),
        Deed::MaskSquares { squares } => {
            let squares: Vec<String> = squares.iter().map(ToString::to_string).collect();
            format!("What the board shows on {} counts for nothing", squares.join(", "))
        }
        Deed::UseBoard { used: false } => "The game goes on without the board".to_owned(),
        Deed::UseBoard { used: true } => "The board is used again".to_owned(),
        Deed::Appeal(step) => appeal(step),
        Deed::EnterMove { mv } => format!("The move {mv} was entered"),
        Deed::Promoted { ply, role } => format!("The piece promoted at half-move {ply} is a {}", role.name()),
        _ => return None,
    })
}

fn appeal(step: &AppealStep) -> String {
    match step {
        AppealStep::Lodge { by, fee, statement, .. } => {
            let fee = if fee.trim().is_empty() {
                String::new()
            } else {
                format!(", fee {:?}", fee.trim())
            };
            format!("{by} appeals{fee}: {:?}", statement.trim())
        }
        AppealStep::State { appeal, by, statement } => {
            format!("Appeal {appeal}, {:?} says: {:?}", by.trim(), statement.trim())
        }
        AppealStep::Close { appeal, outcome } => {
            let outcome = match outcome {
                AppealOutcome::Upheld => "upheld",
                AppealOutcome::Dismissed => "dismissed",
                AppealOutcome::Withdrawn => "withdrawn",
            };
            format!("Appeal {appeal} is {outcome}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::input::{Act, Input, Origin};
    use crate::game::state::Change;
    use crate::time::HallTime;

    fn step(number: u64, what: Option<Deed>) -> Step {
        let act = |what| Act {
            revision: None,
            reason: "noise".to_owned(),
            what,
        };
        let notes = what.iter().map(|_| Note::Acted {
            what: "adjust".to_owned(),
            articles: vec!["6.10.2".to_owned()],
            author: "Anna".to_owned(),
            reason: "noise".to_owned(),
        });
        Step {
            number,
            at: HallTime(number as i64),
            notes: notes.collect(),
            input: what.map(|what| {
                Box::new(Input {
                    at: HallTime(number as i64),
                    heard: HallTime(number as i64),
                    origin: Origin::Hub,
                    what: Happening::Act(act(what)),
                })
            }),
            ruled: None,
            change: Change::default(),
        }
    }

    fn told(history: &History) -> Vec<String> {
        history
            .views()
            .into_iter()
            .map(|ruling| format!("{} {}", ruling.at.0, ruling.what))
            .collect()
    }

    #[test]
    fn what_late_news_take_again_is_not_there_twice() {
        let give = Deed::Adjust {
            white: Some(TimeChange::By(Millis::mins(2))),
            black: Some(TimeChange::By(Millis::secs(-30))),
            moves_done: None,
        };
        let mut history = History::default();
        history.fold(0, &[step(1, None), step(2, Some(Deed::Reopen))]);
        history.fold(2, &[step(3, Some(give.clone()))]);
        let all = [
            "2 The game was reopened",
            "3 Clocks adjusted: White +0:02:00, Black -0:00:30",
        ];
        assert_eq!(told(&history), all);
        history.fold(1, &[step(2, Some(Deed::Reopen)), step(3, None), step(4, Some(give))]);
        assert_eq!(
            told(&history),
            [all[0], "4 Clocks adjusted: White +0:02:00, Black -0:00:30"]
        );
    }
}
