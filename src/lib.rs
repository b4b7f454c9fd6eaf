//! Flagfall: one daemon for a whole chess hall.
//!
//! The rooms, from the ground up; a room uses only rooms on floors below it (`docs/architecture.md`):
//! [`time`] · [`chess`] · [`laws`] · [`game`] · [`store`], [`rehearsal`] · [`hall`] · [`device`], [`pairing`], [`broadcast`],
//! [`words`] ·
//! [`api`], [`web`], [`sim`] · [`hub`] · [`storm`] · [`cli`]; [`config`] and [`telemetry`] stand beside the upper floors.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod api;
pub mod broadcast;
pub mod chess;
pub mod cli;
pub mod config;
pub mod device;
pub mod game;
pub mod hall;
pub mod hub;
pub mod laws;
pub mod mutation;
pub mod pairing;
pub mod rehearsal;
pub mod sim;
pub mod store;
pub mod storm;
pub mod telemetry;
pub mod time;
pub mod web;
pub mod words;
