//! Pairings in, results out.
