//! A simulated device's connection to the broker: as a small device has one, made anew whenever it breaks.
//!
//! Every attempt has its own client: nothing of a broken connection is carried over, since what matters is kept by the
//! device until the hub has seen it.

use std::time::Duration;

use rumqttc::{AsyncClient, Event, LastWill, MqttOptions, Packet, QoS};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::device::codec;
use crate::device::topics::{Down, Up};
use crate::device::wire as pb;

use super::dice::Dice;

/// Where a device logs in, and as whom.
#[derive(Clone)]
pub struct Login {
    /// Host name or address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// User name and client id.
    pub username: String,
    /// Password.
    pub password: String,
    /// What its topics begin with: `flagfall/v1/HALL/DEVICE`.
    pub prefix: String,
    /// The broker keeps the session while the device is away.
    pub persistent: bool,
}

/// What comes over the connection.
pub enum Incoming {
    /// A connection is about to be tried: what is its Will?
    Connecting(oneshot::Sender<Vec<u8>>),
    /// There is one. Messages go out by this.
    Connected(Line),
    /// It is gone.
    Gone,
    /// The hub's retained state.
    State(pb::HubState),
    /// An order.
    Order(pb::Order),
    /// What is durable.
    Seen(pb::Seen),
    /// A question for the time.
    Probe(pb::TimeProbe),
}

/// The way out of one connection.
#[derive(Clone)]
pub struct Line {
    client: AsyncClient,
    prefix: String,
}

impl Line {
    /// Hands a message to the connection; false when it has too many waiting.
    pub fn send(&self, up: Up, payload: Vec<u8>) -> bool {
        self.client
            .try_publish(
                format!("{}/{}", self.prefix, up.name()),
                QoS::AtLeastOnce,
                false,
                payload,
            )
            .is_ok()
    }

    /// Ends the connection politely: the broker then sends no Will.
    pub async fn leave(&self) {
        // A connection that is gone already has nothing to end.
        drop(self.client.disconnect().await);
    }
}

/// First and longest wait between attempts: a broker that restarts must not meet all its devices at once.
const FIRST_WAIT_MS: i64 = 100;
const LONGEST_WAIT_MS: i64 = 2000;
/// Messages on their way into the connection.
const WAITING: usize = 512;

/// Keeps a device connected until `stop`. `device` is passed on with everything that comes.
pub async fn keep(
    login: Login,
    device: usize,
    to: mpsc::Sender<(usize, Incoming)>,
    mut dice: Dice,
    stop: CancellationToken,
) {
    let mut wait = FIRST_WAIT_MS;
    while !stop.is_cancelled() {
        let (ask, will) = oneshot::channel();
        if to.send((device, Incoming::Connecting(ask))).await.is_err() {
            return;
        }
        let Ok(will) = will.await else { return };
        let ended = tokio::select! {
            connected = one(&login, device, will, &to) => connected,
            () = stop.cancelled() => return,
        };
        match ended {
            Ended::TableGone => return,
            Ended::Broken { was_up: true } => wait = FIRST_WAIT_MS,
            Ended::Broken { was_up: false } => wait = (wait * 2).min(LONGEST_WAIT_MS),
        }
        let pause = Duration::from_millis(dice.between(wait / 2, wait) as u64);
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = stop.cancelled() => return,
        }
    }
}

enum Ended {
    TableGone,
    Broken { was_up: bool },
}

async fn one(login: &Login, device: usize, will: Vec<u8>, to: &mpsc::Sender<(usize, Incoming)>) -> Ended {
    let mut options = MqttOptions::new(&login.username, &login.host, login.port);
    options
        .set_credentials(&login.username, &login.password)
        .set_clean_session(!login.persistent)
        .set_keep_alive(Duration::from_secs(15))
        .set_max_packet_size(64 * 1024, 64 * 1024)
        .set_inflight(100)
        .set_last_will(LastWill::new(
            format!("{}/{}", login.prefix, Up::Death.name()),
            will,
            QoS::AtLeastOnce,
            false,
        ));
    let (client, mut connection) = AsyncClient::new(options, WAITING);
    let hall = login.prefix.rsplit_once('/').map_or("", |(hall, _)| hall);
    let state_topic = format!("{hall}/hub/state");
    let topics: Vec<(String, Option<Down>)> = Down::ALL
        .into_iter()
        .map(|down| (format!("{}/{}", login.prefix, down.name()), Some(down)))
        .chain([(state_topic, None)])
        .collect();
    let mut up = false;
    loop {
        let event = match connection.poll().await {
            Ok(event) => event,
            Err(error) => {
                tracing::debug!(device = login.username, %error, "simulated device lost its connection");
                return match to.send((device, Incoming::Gone)).await {
                    Ok(()) => Ended::Broken { was_up: up },
                    Err(_) => Ended::TableGone,
                };
            }
        };
        let incoming = match event {
            Event::Incoming(Packet::ConnAck(_)) => {
                up = true;
                // The queue is empty and has room for these.
                for (topic, _) in &topics {
                    if client.try_subscribe(topic, QoS::AtLeastOnce).is_err() {
                        return Ended::Broken { was_up: up };
                    }
                }
                Incoming::Connected(Line {
                    client: client.clone(),
                    prefix: login.prefix.clone(),
                })
            }
            Event::Incoming(Packet::Publish(publish)) => {
                let Some((_, down)) = topics.iter().find(|(topic, _)| *topic == publish.topic) else {
                    continue;
                };
                let read = match down {
                    Some(Down::Order) => codec::decode_wire(&publish.payload).map(Incoming::Order),
                    Some(Down::Seen) => codec::decode_wire(&publish.payload).map(Incoming::Seen),
                    Some(Down::Time) => codec::decode_wire(&publish.payload).map(Incoming::Probe),
                    None => codec::decode_wire(&publish.payload).map(Incoming::State),
                };
                match read {
                    Ok(incoming) => incoming,
                    Err(error) => {
                        tracing::warn!(
                            device = login.username,
                            topic = publish.topic,
                            error,
                            "what the hub sent cannot be read"
                        );
                        continue;
                    }
                }
            }
            _ => continue,
        };
        if to.send((device, incoming)).await.is_err() {
            return Ended::TableGone;
        }
    }
}
