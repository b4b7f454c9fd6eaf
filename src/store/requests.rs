//! The calls that have been answered, so that a repeated one gets the same answer and changes nothing.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::entry::{Entry, NewEntry, RequestKey};
use crate::mutation::{self, Mutation};

/// A call whose effect is durable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownRequest {
    /// Where its effect stands in the journal.
    pub position: u64,
    /// What was answered.
    pub answer: Vec<u8>,
}

/// All calls whose effects are in the journal. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    known: Arc<RwLock<HashMap<RequestKey, KnownRequest>>>,
}

/// The calls among the entries of one commit, each with its place in it.
pub(super) type Learnt = Vec<(u64, RequestKey, Vec<u8>)>;

impl Requests {
    /// The call's answer, if its effect is durable.
    pub fn get(&self, key: &RequestKey) -> Option<KnownRequest> {
        self.known
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(key)
            .cloned()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.known.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Remembers the call that caused this entry, if one did.
    pub(crate) fn see(&self, entry: Entry) {
        if let Some(key) = entry.content.request {
            self.learn(entry.position, vec![(0, key, entry.content.answer)]);
        }
    }

    pub(super) fn of(entries: &[NewEntry]) -> Learnt {
        let numbered = (0u64..).zip(entries);
        numbered
            .filter_map(|(at, entry)| Some((at, entry.request.clone()?, entry.answer.clone())))
            .collect()
    }

    /// Remembers the calls of a commit that begins at this position. The first answer to a call stays.
    pub(super) fn learn(&self, first: u64, learnt: Learnt) {
        if learnt.is_empty() || mutation::on(Mutation::NoRequests) {
            return;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        for (at, key, answer) in learnt {
            known.entry(key).or_insert(KnownRequest {
                position: first + at,
                answer,
            });
        }
    }
}
