//! What tests of a whole hub begin with, and readers that are not the hub's own.

#![allow(dead_code, reason = "no test needs all of it")]

pub mod calls;
pub mod engines;
pub mod hostile;
pub mod http;
pub mod pgn;

use std::path::Path;

use flagfall::config::Config;
use flagfall::hub::{Hub, RunningHub};
use tonic::transport::Channel;

/// A hall in this folder, on free ports of this machine.
pub fn config(data: &Path) -> Config {
    let mut config = Config::default();
    config.hall.data = data.to_owned();
    config.listen.http = ([127, 0, 0, 1], 0).into();
    config.mqtt.listen = ([127, 0, 0, 1], 0).into();
    config
}

/// A hub with these settings.
pub async fn start(config: Config) -> RunningHub {
    Hub::start(config).await.expect("the hub starts")
}

/// A way to what listens there, `http://127.0.0.1:1234`.
pub async fn channel(address: String) -> Channel {
    let endpoint = Channel::from_shared(address).expect("an address");
    endpoint.connect().await.expect("connects")
}
