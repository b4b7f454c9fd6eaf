//! Who plays whom where, from files that pairing programs write.

pub mod check;
pub mod csv;
