//! The thread that pumps the committer in a running hub.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::{io, thread};

use thiserror::Error;
use tokio::sync::{mpsc, oneshot, watch};

use super::checkpoint::{Checkpoint, FoldGuard};
use super::committer::{Committer, Ticket};
use super::entry::NewEntry;
use super::error::JournalError;
use super::journal::{Head, Journal};
use super::requests::Requests;

/// How often a full disk is looked at again.
const BETWEEN_LOOKS: std::time::Duration = std::time::Duration::from_millis(500);
/// How many commits may wait before the next asker has to.
const WAITING: usize = 4096;

/// Why a commit did not happen.
#[derive(Clone, Debug, Error)]
pub enum CommitError {
    /// The journal refused it or failed; none of its entries will ever be there.
    #[error(transparent)]
    Journal(#[from] Arc<JournalError>),
    /// The hub is stopping.
    #[error("the journal is closed: the hub is stopping")]
    Closed,
}

/// Entries that are durable.
///
/// Put the values that change through them ([`super::StateWriter::put`]), then say [`Commit::folded`]: until then the state's
/// checkpoint does not pass them.
#[derive(Debug)]
#[must_use = "put the changed values, then say `folded`"]
pub struct Commit {
    positions: RangeInclusive<u64>,
    fold: FoldGuard,
}

impl Commit {
    /// The positions the entries were given.
    pub fn positions(&self) -> RangeInclusive<u64> {
        self.positions.clone()
    }

    /// The position of the last entry: that of every value folded from them.
    pub fn last(&self) -> u64 {
        *self.positions.end()
    }

    /// All values that these entries change have been put.
    pub fn folded(self) {
        self.fold.folded();
    }

    /// The positions, and the guard to be told later that all values are put.
    pub fn into_parts(self) -> (RangeInclusive<u64>, FoldGuard) {
        (self.positions, self.fold)
    }
}

enum Message {
    Commit(Asked),
    Stop,
}

struct Asked {
    entries: Vec<NewEntry>,
    answer: Waiter,
}

/// Asks for commits. Clones ask the same committer.
#[derive(Clone)]
pub struct CommitHandle {
    asked: mpsc::Sender<Message>,
    head: watch::Receiver<Head>,
    held_up: watch::Receiver<Option<String>>,
}

impl CommitHandle {
    /// Makes these entries durable together, in this order, and says at which positions; or none of them.
    pub async fn commit(&self, entries: Vec<NewEntry>) -> Result<Commit, CommitError> {
        let (answer, answered) = oneshot::channel();
        self.asked
            .send(Message::Commit(Asked { entries, answer }))
            .await
            .map_err(|_| CommitError::Closed)?;
        answered.await.map_err(|_| CommitError::Closed)?
    }

    /// The same, from a thread that may wait.
    pub fn commit_blocking(&self, entries: Vec<NewEntry>) -> Result<Commit, CommitError> {
        let (answer, answered) = oneshot::channel();
        self.asked
            .blocking_send(Message::Commit(Asked { entries, answer }))
            .map_err(|_| CommitError::Closed)?;
        answered.blocking_recv().map_err(|_| CommitError::Closed)?
    }

    /// The last durable entry.
    pub fn head(&self) -> Head {
        *self.head.borrow()
    }

    /// Why nothing can be made durable for now, though it will be when that is over: a disk that is full.
    pub fn watch_held_up(&self) -> watch::Receiver<Option<String>> {
        self.held_up.clone()
    }

    /// Follows the last durable entry.
    pub fn watch_head(&self) -> watch::Receiver<Head> {
        self.head.clone()
    }
}

/// The thread that writes the journal.
pub struct CommitterThread {
    thread: JoinHandle<()>,
    asked: mpsc::Sender<Message>,
}

impl CommitterThread {
    /// Starts it. `wall_ms` tells Unix time for the record.
    pub fn start<J: Journal + 'static>(
        journal: J,
        requests: Requests,
        checkpoint: Checkpoint,
        wall_ms: impl Fn() -> i64 + Send + 'static,
    ) -> io::Result<(CommitHandle, CommitterThread)> {
        let (asked, inbox) = mpsc::channel(WAITING);
        let (told, head) = watch::channel(journal.head());
        let (holds_up, held_up) = watch::channel(None);
        let pump = Pump {
            committer: Committer::new(journal, requests),
            inbox,
            told,
            holds_up,
            checkpoint,
            last_ticket: 0,
        };
        let thread = thread::Builder::new()
            .name("journal".into())
            .spawn(move || pump.run(wall_ms))?;
        Ok((
            CommitHandle {
                asked: asked.clone(),
                head,
                held_up,
            },
            CommitterThread { thread, asked },
        ))
    }

    /// Answers all that was asked before, closes the journal and ends the thread. Later commits are refused.
    pub fn stop(self) {
        // From a thread of its own, because a thread that runs tasks must not wait for room in the channel.
        let asked = self.asked;
        let told = thread::spawn(move || asked.blocking_send(Message::Stop).is_ok());
        if !told.join().unwrap_or(false) {
            tracing::debug!("The journal's thread had ended before.");
        }
        if self.thread.join().is_err() {
            tracing::error!("The journal's thread panicked.");
        }
    }
}

struct Pump<J> {
    committer: Committer<J>,
    inbox: mpsc::Receiver<Message>,
    told: watch::Sender<Head>,
    holds_up: watch::Sender<Option<String>>,
    checkpoint: Checkpoint,
    last_ticket: Ticket,
}

impl<J: Journal> Pump<J> {
    fn run(mut self, wall_ms: impl Fn() -> i64) {
        let mut waiting = HashMap::new();
        let mut stopping = false;
        while !stopping || self.committer.waiting() > 0 {
            if self.committer.waiting() == 0 {
                let next = self.inbox.blocking_recv();
                stopping = !self.take(next, &mut waiting);
            }
            while !stopping && let Ok(next) = self.inbox.try_recv() {
                stopping = !self.take(Some(next), &mut waiting);
            }
            if self.committer.waiting() > 0 {
                stopping |= !self.wait_for_room(&wall_ms, &mut waiting);
                self.write(wall_ms(), &mut waiting);
            }
        }
        // Whoever still waits in the inbox is told that the hub is stopping.
        drop(self.inbox);
        if let Err(error) = self.committer.into_journal().close() {
            // Nothing acknowledged depends on it: the next start reads the segment as after a crash.
            tracing::warn!(%error, "The journal's last segment could not be closed.");
        }
    }

    /// A full disk is waited for: nothing is answered meanwhile, and nothing has to be done again. Says whether to go on.
    fn wait_for_room(&mut self, wall_ms: &impl Fn() -> i64, waiting: &mut HashMap<Ticket, Waiter>) -> bool {
        let mut told = false;
        while let Err(error) = self.committer.make_room(wall_ms()) {
            if !told {
                tracing::error!(%error, "Nothing can be acknowledged until there is room; the hub waits for it.");
                self.holds_up.send_replace(Some(error.to_string()));
                told = true;
            }
            thread::sleep(BETWEEN_LOOKS);
            while let Ok(next) = self.inbox.try_recv() {
                if !self.take(Some(next), waiting) {
                    // What waits is refused by the step.
                    self.holds_up.send_replace(None);
                    return false;
                }
            }
        }
        if told {
            self.holds_up.send_replace(None);
            tracing::info!("There is room for the journal again: the hub goes on.");
        }
        true
    }

    /// Says whether to go on.
    fn take(&mut self, message: Option<Message>, waiting: &mut HashMap<Ticket, Waiter>) -> bool {
        let Some(Message::Commit(asked)) = message else {
            return false;
        };
        self.last_ticket += 1;
        waiting.insert(self.last_ticket, asked.answer);
        self.committer.submit(self.last_ticket, asked.entries);
        true
    }

    fn write(&mut self, wall_ms: i64, waiting: &mut HashMap<Ticket, Waiter>) {
        let answers = self.committer.step(wall_ms);
        self.told.send_replace(self.committer.head());
        for committed in answers {
            let Some(answer) = waiting.remove(&committed.ticket) else {
                continue;
            };
            let outcome = match committed.outcome {
                Ok(positions) => {
                    let fold = self.checkpoint.committed(&positions);
                    Ok(Commit { positions, fold })
                }
                Err(error) => Err(CommitError::Journal(error)),
            };
            if answer.send(outcome).is_err() {
                tracing::debug!("Whoever asked for a commit did not wait for it.");
            }
        }
    }
}

/// Who waits for a commit.
type Waiter = oneshot::Sender<Result<Commit, CommitError>>;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use uuid::Uuid;

    use super::*;
    use crate::store::disk::{SimDisk, SimFault};
    use crate::store::entry::EntryKind;
    use crate::store::journal::{FileJournal, JournalOptions, Known};
    use crate::time::HallTime;

    #[test]
    fn a_full_disk_is_waited_for_and_what_waited_is_then_durable() {
        let disk = SimDisk::new();
        let options = JournalOptions {
            segment_bytes: 4096,
            new_hall_id: Uuid::from_u128(7),
        };
        let opened = FileJournal::open(
            Arc::new(disk.clone()),
            Path::new("/hall/journal"),
            options,
            Known::default(),
            0,
            &mut |_| {},
        );
        let (checkpoint, _replay) = Checkpoint::new(0, 0);
        let journal = opened.expect("it opens").journal;
        let started = CommitterThread::start(journal, Requests::default(), checkpoint, || 0);
        let (commits, thread) = started.expect("it starts");
        // The next thing that the disk is asked for is a segment that is large enough.
        disk.fault_at(disk.operations(), SimFault::Full);
        let mut held_up = commits.watch_held_up();
        let said = thread::spawn(move || {
            let wait = tokio::runtime::Builder::new_current_thread()
                .build()
                .expect("a runtime");
            wait.block_on(async {
                let why = held_up.wait_for(Option::is_some).await.expect("it lives").clone();
                held_up.wait_for(Option::is_none).await.expect("it lives");
                why
            })
        });
        let large = NewEntry::new(EntryKind::Hall, HallTime(0), vec![b' '; 9000]);
        let commit = commits.commit_blocking(vec![large]).expect("it waits for room");
        assert_eq!(commit.positions(), 1..=1);
        commit.folded();
        let why = said.join().expect("it is said").unwrap_or_default();
        assert!(why.contains("free some space"), "{why}");
        thread.stop();
    }
}
