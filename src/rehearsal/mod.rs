//! Case files, the player that plays them through the same [`crate::game`] that runs the hall, and the judge.
