//! One game at one table: inputs in, events out, state a fold of the events. Pure: time comes with the inputs.

pub mod audience;
pub mod input;
