//! Why a game does not take an input, and why an event does not fit.

/// An arbiter's act that is not carried out. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The table has had a ruling, a result or a reconsideration since.
    #[error("the table has changed since revision {given}, it is at {now}: {changed}; look again and repeat")]
    StaleTable {
        /// What the caller had seen.
        given: u64,
        /// What it is.
        now: u64,
        /// What has changed, in words.
        changed: String,
    },
    /// The item's proposal or evidence has changed since.
    #[error("item {item} has changed since revision {given}, it is at {now}: {changed}; look again and repeat")]
    StaleItem {
        /// Which.
        item: u64,
        /// What the caller had seen.
        given: u64,
        /// What it is.
        now: u64,
        /// What it proposes now.
        changed: String,
    },
    /// No such item is open.
    #[error("item {item} is not open: {why}")]
    NoItem {
        /// Which.
        item: u64,
        /// Never opened, answered or lapsed.
        why: String,
    },
    /// It cannot be done as things stand.
    #[error("{0}")]
    NotNow(String),
    /// It says something that makes no sense.
    #[error("{field}: {why}")]
    Invalid {
        /// Which part of it.
        field: &'static str,
        /// What is wrong, and what would be right.
        why: String,
    },
}

/// An event that does not fit the game it is folded into: the table is to be parked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event does not fit the game: {0}")]
pub struct FoldError(pub String);
