//! The people of the storm who ask the hub for things: arbiters who are in a hurry, ask again, and get in each other's way.

use crate::game::input::{Act, Deed};
use crate::hall::call::{Answer, Author, Call, CallError, Command};
use crate::hall::ids::TableNo;
use crate::hall::model::PersonRole;

/// What was asked for, as far as the asker goes on from the answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Purpose {
    Setup,
    Call,
    Confirm {
        kind: String,
    },
    Pause {
        resume_after: i64,
    },
    Resume,
    /// White's and Black's change.
    Add([i64; 2]),
    /// With a revision that is not the present one.
    Set {
        stale: bool,
    },
    Result(String),
}

/// One request, asked until it is answered.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    /// The table, from 0.
    pub table: Option<usize>,
    pub purpose: Purpose,
    pub call: Call,
    pub attempts: u32,
    pub answer: Option<Result<Answer, CallError>>,
    /// It is asked once more after the answer.
    pub again: bool,
}

/// Two chief arbiters, who see the same.
pub(super) const PEOPLE: [&str; 2] = ["Anna", "Bela"];

pub(super) fn call(who: usize, id: usize, command: Command) -> Option<Call> {
    Some(Call {
        request: format!("r-{id}").parse().ok()?,
        author: Author {
            name: PEOPLE[who].to_owned(),
            role: PersonRole::ChiefArbiter,
            sector: None,
        },
        command,
        until: None,
    })
}

pub(super) fn act(table: u32, revision: Option<u64>, what: Deed) -> Command {
    Command::Act {
        table: TableNo(table),
        act: Act {
            revision,
            reason: String::new(),
            what,
        },
    }
}
