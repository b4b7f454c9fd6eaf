//! The gRPC services: arbiters, administration and the hall's feed. Generated types stop here.

pub mod proto;
