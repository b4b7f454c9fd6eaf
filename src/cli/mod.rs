//! The command line.
pub mod journal;
