//! Appeals against what was ruled: lodged, spoken about, decided. A game goes on meanwhile, and a result is provisional.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::input::{Act, AppealOutcome, AppealStep};
use super::refusal::Refusal;
use super::state::State;
use crate::chess::Color;
use crate::time::HallTime;

/// More of them are no appeals any more.
const MOST: usize = 20;

/// An appeal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Appeal {
    /// Counted per game, from 1.
    pub number: u64,
    /// Who has lodged it.
    pub by: Color,
    /// When.
    pub lodged: HallTime,
    /// Which arbiter took it.
    pub taken_by: String,
    /// What was paid for it, in words.
    pub fee: String,
    /// Until when it is to be decided.
    pub deadline: Option<HallTime>,
    /// What was said, the appellant's own first.
    pub statements: Vec<Statement>,
    /// What became of it; `None` while it is open.
    pub decided: Option<Decision>,
}

/// Something that was said about an appeal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// Who, in words; empty: the appellant.
    pub by: String,
    /// When it was written down.
    pub at: HallTime,
    /// What.
    pub text: String,
}

/// How an appeal ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// How.
    pub outcome: AppealOutcome,
    /// When.
    pub at: HallTime,
    /// Who has entered it.
    pub by: String,
    /// In which words.
    pub words: String,
}

impl State {
    /// Whether a step can be taken.
    pub(super) fn check_appeal(&self, step: &AppealStep) -> Result<(), Refusal> {
        let said = |statement: &str| match statement.trim() {
            "" => Err(Refusal::Invalid {
                field: "statement",
                why: "it says nothing: write down what is claimed".to_owned(),
            }),
            _ => Ok(()),
        };
        match step {
            AppealStep::Lodge { statement, .. } => {
                if self.started.is_none() {
                    return Err(Refusal::NotNow(
                        "the game has not begun: there is no decision to appeal against".to_owned(),
                    ));
                }
                if self.appeals.len() >= MOST {
                    return Err(Refusal::NotNow(format!(
                        "there are {MOST} appeals at this game already"
                    )));
                }
                said(statement)
            }
            AppealStep::State { appeal, statement, .. } => {
                self.open_appeal(*appeal)?;
                said(statement)
            }
            AppealStep::Close { appeal, .. } => self.open_appeal(*appeal).map(|_| ()),
        }
    }

    fn open_appeal(&self, number: u64) -> Result<&Appeal, Refusal> {
        let known = self.appeals.iter().find(|appeal| appeal.number == number);
        match known {
            Some(appeal) if appeal.decided.is_none() => Ok(appeal),
            Some(_) => Err(Refusal::NotNow(format!(
                "appeal {number} is decided already; lodge another one"
            ))),
            None => Err(Refusal::Invalid {
                field: "appeal",
                why: format!("there is no appeal {number} at this game"),
            }),
        }
    }

    /// Takes a step that can be taken.
    pub(super) fn appeal(&mut self, step: &AppealStep, author: &str, act: &Act) {
        let now = self.time;
        let appeals = Arc::make_mut(&mut self.appeals);
        match step {
            AppealStep::Lodge {
                by,
                at,
                fee,
                deadline,
                statement,
            } => appeals.push(Appeal {
                number: appeals.len() as u64 + 1,
                by: *by,
                lodged: at.unwrap_or(now).min(now),
                taken_by: author.to_owned(),
                fee: fee.trim().to_owned(),
                deadline: *deadline,
                statements: vec![Statement {
                    by: String::new(),
                    at: now,
                    text: statement.trim().to_owned(),
                }],
                decided: None,
            }),
            AppealStep::State { appeal, by, statement } => {
                if let Some(appeal) = appeals.iter_mut().find(|known| known.number == *appeal) {
                    appeal.statements.push(Statement {
                        by: by.trim().to_owned(),
                        at: now,
                        text: statement.trim().to_owned(),
                    });
                }
            }
            AppealStep::Close { appeal, outcome } => {
                if let Some(appeal) = appeals.iter_mut().find(|known| known.number == *appeal) {
                    appeal.decided = Some(Decision {
                        outcome: *outcome,
                        at: now,
                        by: author.to_owned(),
                        words: act.reason.clone(),
                    });
                }
            }
        }
    }
}
