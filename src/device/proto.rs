//! What the compiler made of `proto/flagfall/device/v1`.

#[allow(missing_docs, clippy::all, clippy::pedantic)]
pub mod device {
    pub mod v1 {
        include!(concat!(env!("OUT_DIR"), "/flagfall.device.v1.rs"));
        include!(concat!(env!("OUT_DIR"), "/flagfall.device.v1.serde.rs"));
    }
}
