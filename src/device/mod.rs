//! The contract with clocks and boards over MQTT: messages, sessions, time, the broker.
//!
//! [`link`] brings in bytes and [`topics`] says whose they are; [`codec`] makes messages of them ([`message`]); a
//! [`session::Session`] puts one device's stream in order, and a [`time::TimeMap`] maps its milliseconds to hall time.
//! [`order`] and [`codec`] write what goes down. [`broker`] is the embedded broker and [`acl`] writes the files for another.
//! Generated types stay in here, except that a simulated device speaks the same [`wire`].

pub mod acl;
pub mod broker;
pub mod codec;
pub mod link;
pub mod message;
mod offset;
pub mod order;
pub mod permit;
mod proto;
pub mod session;
pub mod time;
pub mod topics;

/// The messages as they go over the wire, for whoever is a device himself (the simulated tables).
pub mod wire {
    pub use super::proto::device::v1::*;
}
