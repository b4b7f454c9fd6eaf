//! The product as it is used: the program itself, arbiters' consoles and phones in a real browser.
//!
//! `FLAGFALL_BIN` names the program; without it the one built with the tests is used.
#![expect(clippy::disallowed_methods, reason = "waits for real programs")]

mod blitz;
#[path = "../browser/mod.rs"]
#[expect(dead_code, reason = "what other tests look at")]
mod browser;
mod clocks;
mod firefox;
mod glass;
#[path = "../console/hands.rs"]
#[expect(dead_code, reason = "what other tests do")]
mod hands;
mod house;
#[path = "../console/line.rs"]
#[expect(dead_code, reason = "what other tests do to it")]
mod line;
mod recorder;
mod secure;
mod trace;
mod turnaround;
