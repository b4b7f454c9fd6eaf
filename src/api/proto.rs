//! The messages and services of `proto/flagfall/{feed,arbiter,admin}/v1`, as generated. They are seen here and by clients
//! of the public API (`cli`, `sim`) only.
#![allow(missing_docs, reason = "generated; the documentation stands in the proto files")]
#![allow(clippy::all, clippy::pedantic, reason = "generated")]

/// What anybody in the hall may see.
pub mod feed {
    pub mod v1 {
        tonic::include_proto!("flagfall.feed.v1");
        include!(concat!(env!("OUT_DIR"), "/flagfall.feed.v1.serde.rs"));
    }
}

/// What arbiters see and do.
pub mod arbiter {
    pub mod v1 {
        tonic::include_proto!("flagfall.arbiter.v1");
        include!(concat!(env!("OUT_DIR"), "/flagfall.arbiter.v1.serde.rs"));
    }
}

/// Setting up a hall.
pub mod admin {
    pub mod v1 {
        tonic::include_proto!("flagfall.admin.v1");
        include!(concat!(env!("OUT_DIR"), "/flagfall.admin.v1.serde.rs"));
    }
}

/// All the packages' descriptors, for reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/flagfall.bin"));
