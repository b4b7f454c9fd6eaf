//! Up to where the state holds everything: the checkpoint from which a start replays the journal.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Knows which durable entries have not been folded yet. Clones are the same.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    marks: Arc<Mutex<Marks>>,
}

#[derive(Debug, Default)]
struct Marks {
    /// The last position of what was committed.
    durable: u64,
    /// How many guards stand at each position.
    unfolded: BTreeMap<u64, usize>,
}

/// Durable entries whose values have not been put yet: the checkpoint does not pass them before [`FoldGuard::folded`].
///
/// Dropped without it, as by a task that was stopped between the journal's answer and the fold, the entries keep the
/// checkpoint where it is: the next start folds them again, and nothing is lost.
#[derive(Debug)]
#[must_use = "without `folded` the checkpoint stays before these entries"]
pub struct FoldGuard {
    marks: Arc<Mutex<Marks>>,
    first: u64,
}

impl Checkpoint {
    /// After a start: the journal ends at `durable`, the values stand at `checkpoint`. The guard is for the replay of what
    /// lies between.
    pub fn new(durable: u64, checkpoint: u64) -> (Checkpoint, FoldGuard) {
        let marks = Arc::new(Mutex::new(Marks {
            durable,
            unfolded: BTreeMap::from([(checkpoint + 1, 1)]),
        }));
        (
            Checkpoint { marks: marks.clone() },
            FoldGuard {
                marks,
                first: checkpoint + 1,
            },
        )
    }

    /// These entries have become durable.
    pub fn committed(&self, positions: &RangeInclusive<u64>) -> FoldGuard {
        let mut marks = lock(&self.marks);
        marks.durable = marks.durable.max(*positions.end());
        *marks.unfolded.entry(*positions.start()).or_default() += 1;
        FoldGuard {
            marks: self.marks.clone(),
            first: *positions.start(),
        }
    }

    /// The last durable position.
    pub fn durable(&self) -> u64 {
        lock(&self.marks).durable
    }

    /// The last position up to which everything has been folded and put.
    pub fn folded(&self) -> u64 {
        let marks = lock(&self.marks);
        marks
            .unfolded
            .keys()
            .next()
            .map_or(marks.durable, |first| first - 1)
            .min(marks.durable)
    }
}

impl FoldGuard {
    /// All values that these entries change have been put.
    pub fn folded(self) {
        let mut marks = lock(&self.marks);
        if let Some(count) = marks.unfolded.get_mut(&self.first) {
            *count -= 1;
            if *count == 0 {
                marks.unfolded.remove(&self.first);
            }
        }
    }
}

fn lock(marks: &Mutex<Marks>) -> MutexGuard<'_, Marks> {
    // Every change under the lock is whole before anything that could panic.
    marks.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checkpoint_waits_for_the_oldest_entries_that_are_not_folded() {
        let (checkpoint, replay) = Checkpoint::new(10, 4);
        assert_eq!(checkpoint.folded(), 4);
        replay.folded();
        assert_eq!(checkpoint.folded(), 10);
        let first = checkpoint.committed(&(11..=12));
        let second = checkpoint.committed(&(13..=13));
        second.folded();
        assert_eq!((checkpoint.folded(), checkpoint.durable()), (10, 13));
        first.folded();
        assert_eq!(checkpoint.folded(), 13);
        drop(checkpoint.committed(&(14..=14)));
        checkpoint.committed(&(15..=15)).folded();
        assert_eq!(
            checkpoint.folded(),
            13,
            "what was dropped unfolded is folded again at the next start"
        );
    }
}
