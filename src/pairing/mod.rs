//! Who plays whom where, from files that pairing programs write; and the results back into them.
//!
//! [`import`] reads any of the files and proposes a round; [`difference`] tells what that changes; [`export`] writes the results.
//! What cannot be told for certain is refused whole, with the line and column of everything that is wrong ([`Remark`]).

pub mod check;
pub mod control;
pub mod csv;
pub mod difference;
pub mod encoding;
pub mod export;
pub mod guard;
pub mod import;
pub mod pair_list;
pub mod remark;
pub mod roster;
pub mod rows;
pub mod sheet;
pub mod trf;

pub use encoding::Encoding;
pub use import::{Import, Proposal, Source};
pub use remark::Remark;
