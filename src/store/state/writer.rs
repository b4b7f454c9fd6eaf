//! The thread that writes the state behind the journal.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::database::{Change, Database};
use super::{Manifest, Tree};
use crate::store::checkpoint::Checkpoint;
use crate::store::error::StateError;

enum Message {
    Put(Tree, Vec<u8>, Change),
    Flush(Sender<()>),
    Stop,
}

/// Takes values that have changed. Clones give to the same thread.
///
/// Nothing here waits for the disk, and nothing fails: a state that cannot be written only makes the next start replay more.
#[derive(Clone)]
pub struct StateWriter {
    messages: Sender<Message>,
}

impl StateWriter {
    /// The value of this key is now this, with everything in it up to and with the journal's entry at `position`.
    pub fn put(&self, tree: Tree, key: impl Into<Vec<u8>>, position: u64, value: Vec<u8>) {
        self.send(Message::Put(tree, key.into(), (position, Some(value))));
    }

    /// There is no value of this key any more, since the entry at `position`.
    pub fn remove(&self, tree: Tree, key: impl Into<Vec<u8>>, position: u64) {
        self.send(Message::Put(tree, key.into(), (position, None)));
    }

    /// Waits until everything put before is written. Not for a thread that runs tasks.
    pub fn flush(&self) {
        let (done, wait) = mpsc::channel();
        self.send(Message::Flush(done));
        // The thread drops `done` unused when it is stopping, after having written everything.
        wait.recv().unwrap_or_default();
    }

    fn send(&self, message: Message) {
        if self.messages.send(message).is_err() {
            tracing::debug!("A value came after the state was closed; the next start folds it from the journal.");
        }
    }
}

/// The thread.
pub(in crate::store) struct StateThread {
    messages: Sender<Message>,
    thread: JoinHandle<()>,
}

impl StateThread {
    /// Starts it. The manifest is written before anything else happens.
    pub(in crate::store) fn start(
        database: Database,
        manifest: Manifest,
        checkpoint: Checkpoint,
        write_behind: Duration,
    ) -> Result<(StateWriter, StateThread), StateError> {
        manifest.write(database.folder())?;
        let (messages, inbox) = mpsc::channel();
        let folder = database.folder().to_owned();
        let behind = Behind {
            database,
            manifest,
            checkpoint,
            pending: BTreeMap::new(),
            failed: false,
        };
        let started = thread::Builder::new()
            .name("state".into())
            .spawn(move || behind.run(&inbox, write_behind));
        let thread = started.map_err(StateError::io("starting the thread of", folder))?;
        Ok((
            StateWriter {
                messages: messages.clone(),
            },
            StateThread { messages, thread },
        ))
    }

    /// Writes everything put before and ends the thread.
    pub(in crate::store) fn stop(self) {
        if self.messages.send(Message::Stop).is_err() || self.thread.join().is_err() {
            tracing::error!("The state's thread panicked; the next start replays more of the journal.");
        }
    }
}

struct Behind {
    database: Database,
    manifest: Manifest,
    checkpoint: Checkpoint,
    /// The newest of each value that is not written yet.
    pending: BTreeMap<(Tree, Vec<u8>), Change>,
    failed: bool,
}

impl Behind {
    #[expect(
        clippy::disallowed_methods,
        reason = "a thread that waits for real time; nothing that is written depends on it"
    )]
    fn run(mut self, inbox: &Receiver<Message>, write_behind: Duration) {
        let mut due = Instant::now() + write_behind;
        loop {
            let left = due.saturating_duration_since(Instant::now());
            let go_on = match inbox.recv_timeout(left) {
                Ok(Message::Put(tree, key, change)) => {
                    self.take(tree, key, change);
                    continue;
                }
                Ok(Message::Flush(done)) => {
                    let go_on = self.write(inbox);
                    if done.send(()).is_err() {
                        tracing::debug!("Whoever asked for the state to be written did not wait for it.");
                    }
                    go_on
                }
                Err(RecvTimeoutError::Timeout) => self.write(inbox),
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => {
                    self.write(inbox);
                    false
                }
            };
            if !go_on {
                return;
            }
            due = Instant::now() + write_behind;
        }
    }

    fn take(&mut self, tree: Tree, key: Vec<u8>, change: Change) {
        if self.failed {
            return;
        }
        let pending = self.pending.entry((tree, key)).or_insert((0, None));
        // Two shards may put in another order than they were committed in.
        if change.0 >= pending.0 {
            *pending = change;
        }
    }

    /// Writes what is due; says whether to go on.
    fn write(&mut self, inbox: &Receiver<Message>) -> bool {
        // Read before the inbox is emptied: all values up to here have been sent.
        let folded = self.checkpoint.folded();
        let mut go_on = true;
        let mut flushed = Vec::new();
        while go_on && let Ok(message) = inbox.try_recv() {
            match message {
                Message::Put(tree, key, change) => self.take(tree, key, change),
                Message::Flush(done) => flushed.push(done),
                Message::Stop => go_on = false,
            }
        }
        if !self.failed
            && let Err(error) = self.write_pending(folded)
        {
            self.failed = true;
            self.pending.clear();
            tracing::error!(%error, "The state is not written any more; the next start replays more of the journal.");
        }
        for done in flushed {
            if done.send(()).is_err() {
                tracing::debug!("Whoever asked for the state to be written did not wait for it.");
            }
        }
        go_on
    }

    fn write_pending(&mut self, folded: u64) -> Result<(), StateError> {
        // Never ahead of the journal.
        let durable = self.checkpoint.durable();
        let pending = std::mem::take(&mut self.pending);
        let (due, early): (BTreeMap<_, _>, BTreeMap<_, _>) =
            pending.into_iter().partition(|(_, (position, _))| *position <= durable);
        self.pending = early;
        if due.is_empty() && folded <= self.manifest.checkpoint {
            return Ok(());
        }
        let values = due
            .into_iter()
            .map(|((tree, key), change)| (tree, key, change))
            .collect();
        let checkpoint = folded.max(self.manifest.checkpoint);
        self.database.write(values, checkpoint)?;
        self.manifest.checkpoint = checkpoint;
        self.manifest.known.position = self.manifest.known.position.max(durable);
        self.manifest.write(self.database.folder())
    }
}
