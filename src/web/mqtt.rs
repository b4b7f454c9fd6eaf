//! `/mqtt`: MQTT over WebSocket on the pages' own port, for devices that are browsers. The bytes go to the broker that every
//! other device uses, embedded or not, which says what each login may write and read.
//!
//! It is never a way round that: the first packet is read here, and only a device that the hall knows, with its own secret, is let
//! through at all. So whatever else a broker lets in from this machine (the hub's own login, or somebody without a name) stays
//! out of reach of browsers. Nothing is queued: where one side does not read, the other is not read from either.

mod hello;
mod seats;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::response::{IntoResponse, Response};
use futures::stream::{SplitSink, SplitStream};
use futures::{SinkExt as _, StreamExt as _};
use http::StatusCode;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use self::hello::{Hello, NotHello};
use self::seats::Seats;
use super::Web;
use crate::hall::HallHandle;
use crate::hall::ids::DeviceId;
use crate::hall::lockout::{Lockout, Refused};

/// Connections at a time.
const MOST: usize = 4_000;
/// The largest frame of a browser: a packet may be spread over several, and none of a usual device is above 1 KiB.
const MAX_FRAME: usize = 72 * 1024;
/// How much of the broker's is read at a time.
const CHUNK: usize = 8 * 1024;
/// Who opens a socket has so long to say who he is, and the broker so long to be reached.
const PATIENCE: Duration = Duration::from_secs(10);
/// Where the broker has ended a connection, another login may be the reason, which is known here a moment later.
const MOMENT: Duration = Duration::from_millis(200);

/// The way to the broker.
#[derive(Clone)]
pub struct Broker {
    host: String,
    port: u16,
    stop: CancellationToken,
    room: Arc<Semaphore>,
    lockout: Arc<Mutex<Lockout>>,
    seats: Seats,
    since: Instant,
}

impl Broker {
    /// The broker there; every connection ends with `stop`.
    pub fn at(host: String, port: u16, stop: CancellationToken) -> Broker {
        let room = Arc::new(Semaphore::new(MOST));
        Broker {
            host,
            port,
            stop,
            room,
            lockout: Arc::default(),
            seats: Seats::default(),
            since: Instant::now(),
        }
    }

    /// One more refusal of whoever calls himself so.
    fn refused(&self, name: &str) -> Refused {
        let mut lockout = self.lockout.lock().unwrap_or_else(PoisonError::into_inner);
        let name: String = name.chars().take(64).collect();
        lockout.refused(&name, self.since.elapsed().as_millis() as i64)
    }
}

/// Lets a browser in, or says why not.
pub(super) async fn enter(
    State(web): State<Web>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Some(broker) = web.serving.mqtt.clone() else {
        return refusal(StatusCode::NOT_FOUND, "Devices are not served on this port.");
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade.protocols(["mqtt"]),
        Err(rejection) => return rejection.into_response(),
    };
    if upgrade.selected_protocol().is_none() {
        return refusal(
            StatusCode::BAD_REQUEST,
            "This speaks MQTT over WebSocket: subprotocol `mqtt`.",
        );
    }
    let Ok(seat) = Arc::clone(&broker.room).try_acquire_owned() else {
        tracing::warn!(most = MOST, "no room for another device over WebSocket");
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "Too many devices are connected.");
    };
    let hall = web.hall.clone();
    upgrade
        .max_message_size(MAX_FRAME)
        .max_frame_size(MAX_FRAME)
        .on_upgrade(move |socket| async move {
            tokio::select! {
                () = broker.stop.cancelled() => {}
                () = serve(socket, &hall, &broker) => {}
            }
            drop(seat);
        })
}

fn refusal(status: StatusCode, words: &'static str) -> Response {
    (status, format!("{words}\n")).into_response()
}

async fn serve(socket: WebSocket, hall: &HallHandle, broker: &Broker) {
    let (mut to_page, mut from_page) = socket.split();
    let Ok(Some(first)) = timeout(PATIENCE, first_packet(&mut from_page)).await else {
        return;
    };
    let hello = match Hello::read(&first) {
        Ok(hello) => hello,
        Err(why) => {
            tracing::warn!(%why, "a WebSocket for MQTT did not begin as MQTT does");
            return;
        }
    };
    if let Err(why) = known(&hello, hall) {
        let refused = broker.refused(&hello.client);
        if refused.is_news() {
            tracing::warn!(device = %hello.client.escape_debug(), why, shut_out = refused.is_shut_out(), "login over WebSocket refused");
        }
        let _gone = to_page.send(Message::Binary(hello.refusal().into())).await;
        let _gone = to_page.close().await;
        return;
    }
    let address = (broker.host.as_str(), broker.port);
    let stream = match timeout(PATIENCE, TcpStream::connect(address)).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => {
            tracing::warn!(%error, host = broker.host, port = broker.port, "the broker cannot be reached for a device over WebSocket");
            return;
        }
        Err(_) => return,
    };
    // Small messages are to leave at once.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection could not be set to send small messages at once");
    }
    let (from_broker, mut to_broker) = stream.into_split();
    if to_broker.write_all(&first).await.is_err() {
        return;
    }
    let seat = broker.seats.take(&hello.client);
    let elsewhere = tokio::select! {
        () = up(from_page, to_broker) => return,
        () = down(from_broker, &mut to_page) => false,
        () = seat.taken.cancelled() => true,
    };
    // The broker may have ended it because of the other login, before that was let in here.
    let elsewhere = elsewhere || timeout(MOMENT, seat.taken.cancelled()).await.is_ok();
    if let Some(goodbye) = hello.opened_elsewhere().filter(|_| elsewhere) {
        let _gone = to_page.send(Message::Binary(goodbye.into())).await;
    }
    let _gone = to_page.close().await;
}

/// The device is the hall's, and the secret is its own.
fn known(hello: &Hello, hall: &HallHandle) -> Result<(), &'static str> {
    if hello.user.as_deref() != Some(hello.client.as_str()) {
        return Err("the client id is not the user name");
    }
    let id: DeviceId = hello.client.parse().map_err(|_| "unknown device")?;
    let registry = hall.registry();
    let device = registry.devices.get(&id).ok_or("unknown device")?;
    let secret = hello.password.as_deref().ok_or("no password")?;
    if device.credential.proves(secret) {
        Ok(())
    } else {
        Err("wrong password")
    }
}

/// Reads until a whole packet is there; what came after it is in it too.
async fn first_packet(from_page: &mut SplitStream<WebSocket>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        match from_page.next().await?.ok()? {
            Message::Binary(more) => bytes.extend_from_slice(&more),
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Text(_) | Message::Close(_) => return None,
        }
        if !matches!(Hello::read(&bytes), Err(NotHello::Short)) {
            return Some(bytes);
        }
        if bytes.len() > MAX_FRAME {
            return None;
        }
    }
}

async fn up(mut from_page: SplitStream<WebSocket>, mut to_broker: OwnedWriteHalf) {
    while let Some(Ok(message)) = from_page.next().await {
        match message {
            Message::Binary(bytes) => {
                if to_broker.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Message::Ping(_) | Message::Pong(_) => {}
            Message::Text(_) | Message::Close(_) => return,
        }
    }
}

async fn down(mut from_broker: OwnedReadHalf, to_page: &mut SplitSink<WebSocket, Message>) {
    let mut bytes = vec![0; CHUNK];
    while let Ok(read @ 1..) = from_broker.read(&mut bytes).await {
        let message = Message::Binary(Bytes::copy_from_slice(&bytes[..read]));
        if to_page.send(message).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
