//! What the public gets: a bulletin of its own, made of the journal as it was a while ago.
//!
//! One task follows the journal's file, hands its entries and the time to [`Delayed`], and shows what comes out: to the feeds and
//! pages of the public listener by a handle that holds nothing but that, to all else by [`RunningHub::published`](super::RunningHub::published).
//! Nothing outside can be told more, because nothing more is there.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::HubError;
use crate::broadcast::delay::{Delayed, Moment};
use crate::broadcast::published::Published;
use crate::hall::clock::{HallClock, wall_ms};
use crate::hall::handle::{HallHandle, HallInfo};
use crate::hall::record::{Unreadable, read, write};
use crate::store::{CommitHandle, Follow, JournalError, JournalReader, StateReader, StateWriter, Tree};
use crate::time::HallTime;

/// So often what may be known is looked at, in real time.
const EVERY: Duration = Duration::from_millis(200);
/// What was heard later than this ago, in real time, may not be in the journal yet; a delay that was made longer neither.
const GRACE: Duration = Duration::from_millis(500);
/// How far time had come for the public, in the state.
const REACHED: &[u8] = b"public";
/// So often that is kept.
const KEEP_EVERY: Duration = Duration::from_secs(2);
/// Positions of a start begin so far after those of the one before.
const POSITIONS: u32 = 32;

/// What the outlets read.
#[derive(Clone)]
pub(super) struct Outside {
    /// A hall that holds the delayed bulletin and nothing else: it takes no calls, and knows nobody.
    pub hall: HallHandle,
    /// Everything, whenever it changes.
    pub published: watch::Receiver<Arc<Published>>,
    /// The whole journal has been read once.
    ready: watch::Receiver<bool>,
}

impl Outside {
    /// Waits until the public may be served: before that it would see less than it has seen already.
    pub async fn ready(&self) {
        // The task that tells it ends with the hub, and so does whoever waits.
        let _ = self.ready.clone().wait_for(|ready| *ready).await;
    }
}

/// Follows the journal and shows what the public may know.
pub(super) struct Follower {
    reader: JournalReader,
    follow: Follow,
    delayed: Delayed,
    hall: HallHandle,
    told: watch::Sender<Arc<Published>>,
    clock: HallClock,
    state: StateWriter,
    /// The bulletin's own position.
    position: u64,
    reached: HallTime,
    trouble: Option<String>,
}

#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

/// What the public gets of a hall, and the task that makes it.
pub(super) fn prepare(
    data: &Path,
    info: &HallInfo,
    clock: HallClock,
    state: &StateReader,
    writer: StateWriter,
) -> Result<(Outside, Follower, watch::Sender<bool>), HubError> {
    let kept = state.get(Tree::Meta, REACHED)?.and_then(|kept| kept.value);
    let reached = match kept {
        Some(value) => read("how far the public was", &value)?,
        None => HallTime(i64::MIN),
    };
    // Nobody is at the other end: whatever is asked of this hall is refused.
    let (nobody, _) = mpsc::channel(1);
    let info = HallInfo {
        insecure: false,
        ..info.clone()
    };
    let delayed = Delayed::new(info.epoch << POSITIONS);
    let hall = HallHandle::new(nobody, info, Box::new(move || clock.now()), Box::new(wall_ms));
    let (told, published) = watch::channel(Arc::clone(delayed.published()));
    let (is_ready, ready) = watch::channel(false);
    let outside = Outside {
        hall: hall.clone(),
        published,
        ready,
    };
    let reader = JournalReader::of_data(data);
    let follower = Follower {
        follow: reader.follow(1),
        reader,
        delayed,
        hall,
        told,
        clock,
        state: writer,
        position: 0,
        reached,
        trouble: None,
    };
    Ok((outside, follower, is_ready))
}

impl Follower {
    /// Runs until the hub stops.
    pub async fn run(mut self, commits: CommitHandle, is_ready: watch::Sender<bool>, stop: CancellationToken) {
        let mut every = tokio::time::interval(EVERY);
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut kept = tokio::time::Instant::now();
        let held_up = commits.watch_held_up();
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                _ = every.tick() => {}
            }
            if held_up.borrow().is_some() {
                // A delay that was made longer may wait there, too.
                continue;
            }
            let head = commits.head().position;
            let keep = kept.elapsed() >= KEEP_EVERY;
            let stepping = stop.clone();
            let stepped = tokio::task::spawn_blocking(move || {
                let whole = self.step(head, &stepping);
                if keep {
                    self.state.put(Tree::Meta, REACHED, head, write(&self.reached));
                }
                (self, whole)
            });
            let whole;
            (self, whole) = match stepped.await {
                Ok(done) => done,
                Err(error) => {
                    tracing::error!(%error, "the public is shown nothing new any more; start the hub again");
                    return;
                }
            };
            if keep {
                kept = tokio::time::Instant::now();
            }
            if whole {
                is_ready.send_if_modified(|ready| !std::mem::replace(ready, true));
            }
        }
        self.hall.screens().close();
    }

    /// Takes what has come and shows what may be known; whether all of the journal was there.
    fn step(&mut self, head: u64, stop: &CancellationToken) -> bool {
        let now = self.clock.now();
        self.reached = self.reached.max(now - self.clock.span(GRACE));
        match self.take(head, stop) {
            Ok(true) => {
                if self.trouble.take().is_some() {
                    tracing::info!("the journal can be read for the public again");
                }
            }
            Ok(false) => return false,
            Err(error) => {
                let told = error.to_string();
                if self.trouble.as_ref() != Some(&told) {
                    tracing::error!(%error, "the public is shown nothing new while the journal cannot be read");
                    self.trouble = Some(told);
                }
                return false;
            }
        }
        let news = self.delayed.news(Moment {
            hall: now,
            unix_ms: wall_ms(),
        });
        if let Some(registry) = news.registry {
            self.hall.set_registry(registry);
        }
        for (table, card) in news.tables {
            self.position += 1;
            match card {
                Some(card) => self.hall.screens().publish(self.position, table, card),
                None => self.hall.screens().remove(self.position, table),
            }
        }
        if let Some(published) = news.published {
            self.told.send_replace(published);
        }
        true
    }

    fn take(&mut self, head: u64, stop: &CancellationToken) -> Result<bool, Trouble> {
        loop {
            if stop.is_cancelled() {
                return Ok(false);
            }
            let entries = self.follow.read(head)?;
            let Some(last) = entries.last() else {
                break;
            };
            let heard = last.content.heard;
            for entry in &entries {
                self.delayed.take(entry)?;
            }
            // What is old is not kept in memory while all of a long journal is read.
            self.delayed.advance(heard - self.clock.span(GRACE));
        }
        self.delayed.advance(self.reached);
        // Of games that were put aside something new was heard.
        while let Some(from) = self.delayed.missing() {
            for entry in self.reader.entries(from)? {
                if stop.is_cancelled() {
                    return Ok(false);
                }
                let entry = entry?;
                if entry.position > head {
                    break;
                }
                self.delayed.again(&entry);
            }
            self.delayed.restored();
            self.delayed.advance(self.reached);
        }
        Ok(true)
    }
}
