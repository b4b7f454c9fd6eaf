//! A bulletin: the newest state of every table, and who watches it.
//!
//! It keeps its last changes, so that a watcher who was away for a moment goes on where he was. Whoever asks from an older
//! position, or another epoch of the hub, gets a fresh snapshot marked as such. A watcher who is slow is never waited for: what
//! he has not fetched is replaced by what is newer of the same table.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use super::ids::TableNo;

/// So many changes are kept.
pub const CHANGES_KEPT: usize = 10_000;
/// A watcher hears something at least this often.
pub const HEARTBEAT: Duration = Duration::from_secs(5);

/// The newest state of every table, for whoever watches. Cheap to clone.
pub struct Bulletin<T> {
    shared: Arc<Shared<T>>,
}

struct Shared<T> {
    epoch: u64,
    board: Mutex<Board<T>>,
    /// Rises with every change; watchers sleep on it.
    bell: watch::Sender<u64>,
    kept: usize,
}

struct Board<T> {
    /// The highest position published.
    position: u64,
    /// Counts changes; several may stand at one position.
    count: u64,
    tables: BTreeMap<TableNo, (u64, Arc<T>)>,
    /// Which table changed: the change's count, position and table, oldest first.
    changes: VecDeque<(u64, u64, TableNo)>,
    /// The count and position of the newest change that is no longer kept.
    forgotten: (u64, u64),
    /// The hub is stopping: watchers are told no more.
    closed: bool,
}

/// What a watcher is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Update<T> {
    /// One table of a snapshot.
    Snapshot {
        /// Which.
        table: TableNo,
        /// Its state.
        state: Arc<T>,
    },
    /// The snapshot is whole; or, where it was possible to go on, there was none.
    SnapshotEnd {
        /// This start of the hub.
        epoch: u64,
        /// Where the watcher is now.
        position: u64,
        /// What the watcher had before is void: what is not in the snapshot is gone.
        reset: bool,
    },
    /// A table's newest state.
    Changed {
        /// Where the watcher is now.
        position: u64,
        /// Which.
        table: TableNo,
        /// Its state.
        state: Arc<T>,
    },
    /// A table is no longer shown.
    Removed {
        /// Where the watcher is now.
        position: u64,
        /// Which.
        table: TableNo,
    },
    /// Nothing has happened.
    Heartbeat {
        /// Where the watcher is now.
        position: u64,
    },
}

impl<T> Clone for Bulletin<T> {
    fn clone(&self) -> Bulletin<T> {
        Bulletin {
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<T> Bulletin<T> {
    /// An empty one, of this start of the hub.
    pub fn new(epoch: u64) -> Bulletin<T> {
        Bulletin::keeping(epoch, CHANGES_KEPT)
    }

    fn keeping(epoch: u64, kept: usize) -> Bulletin<T> {
        let board = Board {
            position: 0,
            count: 0,
            tables: BTreeMap::new(),
            changes: VecDeque::new(),
            forgotten: (0, 0),
            closed: false,
        };
        Bulletin {
            shared: Arc::new(Shared {
                epoch,
                board: Mutex::new(board),
                bell: watch::Sender::new(0),
                kept,
            }),
        }
    }

    /// The state of one table.
    pub fn get(&self, table: TableNo) -> Option<Arc<T>> {
        self.shared
            .lock()
            .tables
            .get(&table)
            .map(|(_, state)| Arc::clone(state))
    }

    /// The state of every table, in the order of their numbers, and the position it is of.
    pub fn all(&self) -> (u64, Vec<(TableNo, Arc<T>)>) {
        let board = self.shared.lock();
        (
            board.position,
            board
                .tables
                .iter()
                .map(|(table, (_, state))| (*table, Arc::clone(state)))
                .collect(),
        )
    }

    /// Watches: from a place where the watcher has been before, or from a snapshot.
    pub fn subscribe(&self, from: Option<(u64, u64)>) -> Subscription<T> {
        let bell = self.shared.bell.subscribe();
        let mut subscription = Subscription {
            shared: Arc::clone(&self.shared),
            bell,
            seen: 0,
            position: 0,
            waiting: VecDeque::new(),
        };
        let board = self.shared.lock();
        let goes_on = from.is_some_and(|(epoch, position)| {
            // Several changes may stand at the watcher's own position, so that one is told again.
            epoch == self.shared.epoch && position > board.forgotten.1 && position <= board.position
        });
        match from {
            Some((_, position)) if goes_on => {
                subscription.seen = board
                    .changes
                    .iter()
                    .find(|change| change.1 >= position)
                    .map_or(board.count, |change| change.0 - 1);
                subscription.position = position;
                subscription.waiting.push_back(Update::SnapshotEnd {
                    epoch: self.shared.epoch,
                    position,
                    reset: false,
                });
            }
            _ => {
                subscription.snapshot(&board, from.is_some());
            }
        }
        drop(board);
        subscription
    }

    /// Shows a table's new state. `position` is the journal's; a lower one than was shown before counts as that.
    pub fn publish(&self, position: u64, table: TableNo, state: T) {
        self.change(position, table, Some(state));
    }

    /// Shows the table no longer.
    pub fn remove(&self, position: u64, table: TableNo) {
        self.change(position, table, None);
    }

    /// Ends every watch, when the hub stops.
    pub fn close(&self) {
        self.shared.lock().closed = true;
        self.shared.bell.send_modify(|bell| *bell += 1);
    }

    fn change(&self, position: u64, table: TableNo, state: Option<T>) {
        let mut board = self.shared.lock();
        // Shards publish side by side: positions must not go back, or who resumes from one would miss a change.
        board.position = board.position.max(position);
        board.count += 1;
        let (count, position) = (board.count, board.position);
        match state {
            Some(state) => {
                board.tables.insert(table, (count, Arc::new(state)));
            }
            None => {
                board.tables.remove(&table);
            }
        }
        board.changes.push_back((count, position, table));
        while board.changes.len() > self.shared.kept {
            if let Some((count, position, _)) = board.changes.pop_front() {
                board.forgotten = (count, position);
            }
        }
        drop(board);
        self.shared.bell.send_replace(count);
    }
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, Board<T>> {
        // A board is whole after every statement that changes it.
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One watcher's place.
pub struct Subscription<T> {
    shared: Arc<Shared<T>>,
    bell: watch::Receiver<u64>,
    /// The count of the newest change told.
    seen: u64,
    position: u64,
    waiting: VecDeque<Update<T>>,
}

impl<T> Subscription<T> {
    /// The next update; `None` when the hub is gone. Something comes at least every [`HEARTBEAT`].
    pub async fn next(&mut self) -> Option<Update<T>> {
        loop {
            if let Some(update) = self.waiting.pop_front() {
                return Some(update);
            }
            self.bell.mark_unchanged();
            let closed = self.fetch();
            if !self.waiting.is_empty() {
                continue;
            }
            if closed {
                return None;
            }
            match tokio::time::timeout(HEARTBEAT, self.bell.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return None,
                Err(_) => {
                    return Some(Update::Heartbeat {
                        position: self.position,
                    });
                }
            }
        }
    }

    /// Takes what has changed since, the newest of each table only, and says whether the bulletin is closed.
    fn fetch(&mut self) -> bool {
        let shared = Arc::clone(&self.shared);
        let board = shared.lock();
        if board.count == self.seen {
            return board.closed;
        }
        if self.seen < board.forgotten.0 {
            self.snapshot(&board, true);
            return board.closed;
        }
        let first = board.changes.partition_point(|change| change.0 <= self.seen);
        let mut newest = BTreeMap::new();
        for (count, position, table) in board.changes.iter().skip(first) {
            newest.insert(*table, (*count, *position));
        }
        let mut order: Vec<_> = newest.into_iter().collect();
        order.sort_by_key(|(_, (count, _))| *count);
        for (table, (_, position)) in order {
            self.waiting.push_back(match board.tables.get(&table) {
                Some((_, state)) => Update::Changed {
                    position,
                    table,
                    state: Arc::clone(state),
                },
                None => Update::Removed { position, table },
            });
        }
        self.seen = board.count;
        self.position = board.position;
        board.closed
    }

    fn snapshot(&mut self, board: &Board<T>, reset: bool) {
        self.waiting.clear();
        for (table, (_, state)) in &board.tables {
            self.waiting.push_back(Update::Snapshot {
                table: *table,
                state: Arc::clone(state),
            });
        }
        self.waiting.push_back(Update::SnapshotEnd {
            epoch: self.shared.epoch,
            position: board.position,
            reset,
        });
        self.seen = board.count;
        self.position = board.position;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn drain(watcher: &mut Subscription<u32>, into: &mut BTreeMap<u32, u32>) -> (u64, u32, bool) {
        let (mut position, mut told, mut was_reset) = (0, 0, false);
        loop {
            match tokio::time::timeout(Duration::from_millis(10), watcher.next()).await {
                Ok(Some(Update::Snapshot { table, state } | Update::Changed { table, state, .. })) => {
                    told += 1;
                    into.insert(table.0, *state);
                }
                Ok(Some(Update::SnapshotEnd {
                    position: at, reset, ..
                })) => {
                    position = at;
                    was_reset |= reset;
                }
                Ok(Some(Update::Removed { table, .. })) => {
                    into.remove(&table.0);
                }
                Ok(Some(Update::Heartbeat { .. })) | Ok(None) | Err(_) => return (position, told, was_reset),
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_late_joiner_and_one_who_saw_it_all_end_with_the_same() {
        let bulletin = Bulletin::keeping(1, 100);
        let (mut all, mut late) = (BTreeMap::new(), BTreeMap::new());
        let mut watcher = bulletin.subscribe(None);
        for n in 0..50u32 {
            bulletin.publish(u64::from(n), TableNo(n % 7), n);
            if n % 3 == 0 {
                drain(&mut watcher, &mut all).await;
            }
        }
        bulletin.remove(50, TableNo(3));
        drain(&mut watcher, &mut all).await;
        drain(&mut bulletin.subscribe(None), &mut late).await;
        assert_eq!(all, late);
        assert_eq!(all.len(), 6);
    }

    #[tokio::test(start_paused = true)]
    async fn who_was_away_goes_on_and_who_was_away_too_long_or_over_a_restart_is_reset() {
        let bulletin = Bulletin::keeping(7, 10);
        for n in 0..5u32 {
            bulletin.publish(u64::from(n) + 1, TableNo(n), n);
        }
        let mut state = BTreeMap::new();
        let (_, told, reset) = drain(&mut bulletin.subscribe(Some((7, 4))), &mut state).await;
        assert!(!reset, "goes on");
        assert_eq!(told, 2, "its own position again, and the one after it");
        assert!(
            drain(&mut bulletin.subscribe(Some((6, 4))), &mut state).await.2,
            "another epoch"
        );
        assert!(
            drain(&mut bulletin.subscribe(Some((7, 99))), &mut state).await.2,
            "a position that never was"
        );
        for n in 0..20u32 {
            bulletin.publish(u64::from(n) + 10, TableNo(n), n);
        }
        let (_, told, reset) = drain(&mut bulletin.subscribe(Some((7, 4))), &mut state).await;
        assert!(reset, "too old");
        assert_eq!(told, 20);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_watcher_gets_the_newest_state_of_each_table_once() {
        let bulletin = Bulletin::keeping(1, 1000);
        let mut watcher = bulletin.subscribe(None);
        let mut state = BTreeMap::new();
        drain(&mut watcher, &mut state).await;
        for n in 0..300u32 {
            bulletin.publish(u64::from(n), TableNo(n % 3), n);
        }
        let (_, told, reset) = drain(&mut watcher, &mut state).await;
        assert_eq!((told, reset), (3, false));
        assert_eq!(state, BTreeMap::from([(0, 297), (1, 298), (2, 299)]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_quiet_bulletin_beats() {
        let bulletin = Bulletin::<u32>::new(1);
        let mut watcher = bulletin.subscribe(None);
        assert!(matches!(
            watcher.next().await,
            Some(Update::SnapshotEnd { reset: false, .. })
        ));
        assert_eq!(watcher.next().await, Some(Update::Heartbeat { position: 0 }));
        bulletin.close();
        assert_eq!(watcher.next().await, None);
    }
}
