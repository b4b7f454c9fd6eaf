//! Deliberate faults, to prove that the storm would find real ones: `docs/storm.md` lists them and what catches each.
//!
//! They exist in test builds and with the feature `mutations` only. In every other build [`on`] is a constant `false`, and the
//! compiler leaves nothing of them.

/// A deliberate fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// A report that has been here before is taken again.
    NoDedupe,
    /// What comes after a missing report is taken at once.
    NoGaps,
    /// Things happen when they are heard.
    ArrivalTime,
    /// A retained message is believed.
    RetainedBirth,
    /// Reports are called seen before they are durable.
    SeenEarly,
    /// A call is answered before it is durable.
    AnsweredEarly,
    /// What is shown is ahead of the journal.
    ShownEarly,
    /// The journal says that it is durable without a sync.
    NoSync,
    /// A start takes the epoch of the one before.
    SameEpoch,
    /// What a device had told before a restart of the hub is forgotten.
    NoMarks,
    /// The answers of calls are forgotten.
    NoRequests,
    /// A flag is certain though the table is not settled.
    FlagUnsettled,
    /// An order that the clock refused, since it had moved on, counts as done.
    MovedOnIsDone,
    /// An order that is sent again has a new id.
    OrderTwice,
    /// A revision that is not the present one is taken.
    StaleRevision,
    /// The left side is White's everywhere.
    LeftIsWhite,
    /// A board is put in order by its own time, though that and its clock's run apart.
    BoardByItself,
}

impl Mutation {
    /// All of them.
    pub const ALL: [Mutation; 17] = [
        Mutation::NoDedupe,
        Mutation::NoGaps,
        Mutation::ArrivalTime,
        Mutation::RetainedBirth,
        Mutation::SeenEarly,
        Mutation::AnsweredEarly,
        Mutation::ShownEarly,
        Mutation::NoSync,
        Mutation::SameEpoch,
        Mutation::NoMarks,
        Mutation::NoRequests,
        Mutation::FlagUnsettled,
        Mutation::MovedOnIsDone,
        Mutation::OrderTwice,
        Mutation::StaleRevision,
        Mutation::LeftIsWhite,
        Mutation::BoardByItself,
    ];

    /// As it is written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Mutation::NoDedupe => "no-dedupe",
            Mutation::NoGaps => "no-gaps",
            Mutation::ArrivalTime => "arrival-time",
            Mutation::RetainedBirth => "retained-birth",
            Mutation::SeenEarly => "seen-early",
            Mutation::AnsweredEarly => "answered-early",
            Mutation::ShownEarly => "shown-early",
            Mutation::NoSync => "no-sync",
            Mutation::SameEpoch => "same-epoch",
            Mutation::NoMarks => "no-marks",
            Mutation::NoRequests => "no-requests",
            Mutation::FlagUnsettled => "flag-unsettled",
            Mutation::MovedOnIsDone => "moved-on-is-done",
            Mutation::OrderTwice => "order-twice",
            Mutation::StaleRevision => "stale-revision",
            Mutation::LeftIsWhite => "left-is-white",
            Mutation::BoardByItself => "board-by-itself",
        }
    }
}

#[cfg(any(test, feature = "mutations"))]
mod switch {
    use std::cell::Cell;

    use super::Mutation;

    thread_local! {
        static ON: Cell<Option<Mutation>> = const { Cell::new(None) };
    }

    /// Whether this fault is switched on in this thread.
    pub fn on(mutation: Mutation) -> bool {
        ON.get() == Some(mutation)
    }

    /// Does something with a fault switched on in this thread.
    pub fn with<T>(mutation: Mutation, does: impl FnOnce() -> T) -> T {
        ON.set(Some(mutation));
        let done = does();
        ON.set(None);
        done
    }
}

#[cfg(any(test, feature = "mutations"))]
pub use switch::{on, with};

/// Never, in this build.
#[cfg(not(any(test, feature = "mutations")))]
pub const fn on(_mutation: Mutation) -> bool {
    false
}
