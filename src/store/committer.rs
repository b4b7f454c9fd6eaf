//! Group commit: everything that waits becomes durable with one write and one sync.
//!
//! A state machine: it is told what waits and when to write. [`super::CommitterThread`] pumps it in a running hub, the storm
//! in a simulated one.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::entry::NewEntry;
use super::error::JournalError;
use super::journal::{Head, Journal};
use super::record;
use super::requests::{Learnt, Requests};

/// The most that one group takes, unless a single commit is larger: a write stays short and latency even.
const GROUP_BYTES: usize = 2 << 20;
/// The most that one commit may hold.
const COMMIT_BYTES: usize = 32 << 20;

/// The asker's own number for what he submits.
pub type Ticket = u64;

/// The answer to one submission: all its entries are durable, or none ever will be.
#[derive(Clone, Debug)]
pub struct Committed {
    /// The submission it answers.
    pub ticket: Ticket,
    /// The positions its entries were given.
    pub outcome: Result<RangeInclusive<u64>, Arc<JournalError>>,
}

struct Waiting {
    ticket: Ticket,
    entries: Vec<NewEntry>,
    bytes: usize,
}

/// A submission of the group that is written.
struct Taken {
    ticket: Ticket,
    count: u64,
    calls: Learnt,
}

/// Gathers what waits to become durable, and writes it in groups.
pub struct Committer<J> {
    journal: J,
    requests: Requests,
    waiting: VecDeque<Waiting>,
}

impl<J: Journal> Committer<J> {
    /// Over this journal. The calls among what becomes durable are remembered in `requests` before anything is answered.
    pub fn new(journal: J, requests: Requests) -> Committer<J> {
        Committer {
            journal,
            requests,
            waiting: VecDeque::new(),
        }
    }

    /// Takes entries that belong together. They are answered by a later [`Committer::step`]. What is refused here has not been
    /// taken: an empty submission is the caller's mistake, and answered with the head.
    pub fn submit(&mut self, ticket: Ticket, entries: Vec<NewEntry>) {
        let bytes = entries.iter().map(record::size_bound).sum();
        self.waiting.push_back(Waiting { ticket, entries, bytes });
    }

    /// How many submissions wait.
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The last position written, and its hash.
    pub fn head(&self) -> Head {
        self.journal.head()
    }

    /// Makes room for the group that [`Committer::step`] would write. `Err` where the disk has none: nothing has been changed, and
    /// whoever can wait tries again.
    pub fn make_room(&mut self, wall_ms: i64) -> Result<(), JournalError> {
        let mut size = 0;
        for next in self.waiting.iter().filter(|next| next.bytes <= COMMIT_BYTES) {
            if size > 0 && size + next.bytes > GROUP_BYTES {
                break;
            }
            size += next.bytes;
        }
        match self.journal.make_room(wall_ms, size) {
            Err(error @ JournalError::NoRoom { .. }) => Err(error),
            // It has failed for good: the step answers so.
            _ => Ok(()),
        }
    }

    /// Writes one group of what waits, syncs it, and answers. `wall_ms` is Unix time, for the record only.
    pub fn step(&mut self, wall_ms: i64) -> Vec<Committed> {
        let mut answers = Vec::new();
        let mut group = Vec::new();
        let mut tickets = Vec::new();
        let mut size = 0;
        while let Some(next) = self.waiting.front() {
            if !tickets.is_empty() && size + next.bytes > GROUP_BYTES {
                break;
            }
            let Some(next) = self.waiting.pop_front() else { break };
            if next.bytes > COMMIT_BYTES {
                let refused = JournalError::TooLarge {
                    bytes: next.bytes,
                    most: COMMIT_BYTES,
                };
                answers.push(Committed {
                    ticket: next.ticket,
                    outcome: Err(Arc::new(refused)),
                });
                continue;
            }
            size += next.bytes;
            tickets.push(Taken {
                ticket: next.ticket,
                count: next.entries.len() as u64,
                calls: Requests::of(&next.entries),
            });
            group.extend(next.entries);
        }
        if tickets.is_empty() {
            return answers;
        }
        match self.journal.append(wall_ms, group) {
            Ok(mut first) => {
                for Taken { ticket, count, calls } in tickets {
                    self.requests.learn(first, calls);
                    // An empty range for an empty submission.
                    answers.push(Committed {
                        ticket,
                        outcome: Ok(first..=first + count - 1),
                    });
                    first += count;
                }
            }
            Err(error) => {
                let error = Arc::new(error);
                let refuse = |taken: Taken| Committed {
                    ticket: taken.ticket,
                    outcome: Err(error.clone()),
                };
                answers.extend(tickets.into_iter().map(refuse));
            }
        }
        answers
    }

    /// Ends the journal's last segment properly, and gives the journal back.
    pub fn into_journal(self) -> J {
        self.journal
    }
}
