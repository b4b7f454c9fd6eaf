//! Simulated tables that play real games through the public contract only: as devices over MQTT, and as an arbiter over gRPC.
//!
//! What ought to be recorded is worked out beforehand in [`plan`], from the games' own clock comments, with none of the hub's
//! game or clock code: a mistake there cannot hide here. [`table`] is one table with its board, its clock and two people who
//! play the plan.

pub mod arbiter;
pub mod clock;
pub mod control;
pub mod dice;
pub mod firmware;
pub mod games;
pub mod hands;
pub mod judge;
pub mod link;
pub mod office;
pub mod pgn;
pub mod plan;
pub mod progress;
pub mod run;
pub mod seat;
pub mod table;
