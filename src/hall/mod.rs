//! Events, rounds, tables; the shards that run games; bulletins that others watch.
//!
//! Everything that changes here goes to the journal first: nothing is shown, sent or answered before what it rests on is
//! durable. The registry and the shards are state machines, `(now, message)` in, effects out; the hub pumps them.

pub mod binding;
pub mod bulletin;
pub mod call;
pub mod chronicle;
pub mod clock;
pub mod credential;
pub mod desk;
pub mod handle;
pub mod ids;
pub mod imported;
pub mod lockout;
pub mod model;
pub mod notice;
pub mod record;
pub mod registry;
pub mod report;
pub mod secrets;
pub mod shard;

pub use bulletin::{Bulletin, Subscription, Update};
pub use call::{Answer, Author, Call, CallError, CallReason, Command};
pub use handle::{HallHandle, HallInfo};
pub use ids::{DeviceId, EventId, GameId, RequestId, RoundNo, TableNo};
pub use model::{ArbiterTable, Device, Person, PersonRole, Registry, TableCard};
