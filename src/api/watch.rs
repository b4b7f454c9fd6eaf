//! Streams of a bulletin: pulled by the reader, so that a slow one waits for himself only. That they end when his token is void
//! is the door's work, as for every answer.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;

use futures::Stream;
use futures::stream;
use tonic::Status;

use super::proto::feed::v1 as feed;
use crate::hall::{HallHandle, Subscription, TableNo, Update};

/// What a watch method answers.
pub type Watching<M> = Pin<Box<dyn Stream<Item = Result<M, Status>> + Send>>;

/// Whose updates go into a stream, and how.
pub trait Telling<T>: Send + 'static {
    /// The stream's message.
    type Message;
    /// Is this table's state for this reader?
    fn wants(&self, table: TableNo, state: &T) -> bool;
    /// Part of a snapshot.
    fn snapshot(&self, state: &T) -> Self::Message;
    /// The snapshot is whole.
    fn snapshot_end(&self, end: feed::SnapshotEnd) -> Self::Message;
    /// A table is now so, and was told so before.
    fn changed(&self, place: feed::Place, state: &T, before: Option<&T>) -> Self::Message;
    /// A table is gone.
    fn removed(&self, place: feed::Place, table: TableNo) -> Self::Message;
    /// The stream lives.
    fn heartbeat(&self, beat: feed::Heartbeat) -> Self::Message;
}

struct Watcher<T, W> {
    hall: HallHandle,
    subscription: Subscription<T>,
    telling: W,
    epoch: u64,
    /// What the reader was told last of each table: only what he was told of is taken back.
    told: BTreeMap<TableNo, Arc<T>>,
    in_snapshot: bool,
}

/// A stream of a subscription's updates.
pub fn stream<T, W>(hall: HallHandle, subscription: Subscription<T>, telling: W) -> Watching<W::Message>
where
    T: Send + Sync + 'static,
    W: Telling<T>,
    W::Message: Send + 'static,
{
    let epoch = hall.info().epoch;
    let watcher = Watcher {
        hall,
        subscription,
        telling,
        epoch,
        told: BTreeMap::new(),
        in_snapshot: false,
    };
    Box::pin(stream::unfold(watcher, |mut watcher| async move {
        let message = watcher.next().await?;
        Some((message, watcher))
    }))
}

impl<T, W: Telling<T>> Watcher<T, W> {
    async fn next(&mut self) -> Option<Result<W::Message, Status>> {
        loop {
            let update = self.subscription.next().await?;
            if let Some(message) = self.tell(update) {
                return Some(Ok(message));
            }
        }
    }

    fn tell(&mut self, update: Update<T>) -> Option<W::Message> {
        let epoch = self.epoch;
        let place = |position| feed::Place { epoch, position };
        Some(match update {
            Update::Snapshot { table, state } => {
                if !std::mem::replace(&mut self.in_snapshot, true) {
                    // It replaces everything.
                    self.told.clear();
                }
                if !self.telling.wants(table, &state) {
                    return None;
                }
                let message = self.telling.snapshot(&state);
                self.told.insert(table, state);
                message
            }
            Update::SnapshotEnd { epoch, position, reset } => {
                if !std::mem::take(&mut self.in_snapshot) && reset {
                    self.told.clear();
                }
                let place = Some(feed::Place { epoch, position });
                self.telling.snapshot_end(feed::SnapshotEnd { place, reset })
            }
            Update::Changed { position, table, state } => {
                if self.telling.wants(table, &state) {
                    let before = self.told.insert(table, Arc::clone(&state));
                    self.telling.changed(place(position), &state, before.as_deref())
                } else {
                    // It was this reader's before: another sector's now.
                    self.told.remove(&table)?;
                    self.telling.removed(place(position), table)
                }
            }
            Update::Removed { position, table } => {
                self.told.remove(&table);
                self.telling.removed(place(position), table)
            }
            Update::Heartbeat { position } => {
                let now_ms = self.hall.info().now.0;
                self.telling.heartbeat(feed::Heartbeat {
                    place: Some(place(position)),
                    now_ms,
                })
            }
        })
    }
}
