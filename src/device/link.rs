//! The hub's own connection to the broker, whichever broker it is: rumqttc, kept on a short lead.
//!
//! One task polls and forwards, another publishes from a bounded queue of ours, so that neither can lock the other up. MQTT is
//! transport, at least once: sessions number everything and orders are repeated until they are answered, so that nothing here
//! has to survive a broken connection. A client that is wedged (a packet id that collides after a lost session, or nothing
//! acknowledged any more) is thrown away and made anew.

use std::collections::VecDeque;
use std::time::Duration;

use bytes::Bytes;
use rumqttc::{
    AsyncClient, ConnectionError, Event, EventLoop, LastWill, MqttOptions, Outgoing, Packet, QoS, StateError,
    SubscribeFilter, SubscribeReasonCode,
};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tracing::{info, warn};

use super::codec::MAX_PAYLOAD;
use super::topics::{DeviceId, HUB, HallId, Topic, Up, hub_filters};

/// Room for a topic and the packet's head above the payload.
const MAX_PACKET: usize = MAX_PAYLOAD + 1024;
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// Nothing acknowledged for so long: wedged. Nothing at all, not even a ping, for as long: too.
const WEDGED: Duration = Duration::from_secs(25);
/// How long [`LinkHandle::close`] waits.
const CLOSING: Duration = Duration::from_secs(3);
const REQUESTS: usize = 1000;
const IN_FLIGHT: u16 = 100;
const BACKOFF_FIRST: Duration = Duration::from_millis(200);
const BACKOFF_MOST: Duration = Duration::from_secs(10);

/// Where to connect, and as whom.
#[derive(Clone, Debug)]
pub struct LinkConfig {
    /// The hall in the topics.
    pub hall: HallId,
    /// The broker's host.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// The user; also the client id.
    pub username: String,
    /// The password.
    pub password: String,
    /// What the broker publishes on `hub/state` when this connection breaks.
    pub will: Vec<u8>,
    /// Messages waiting to be published, and events waiting to be read.
    pub queue: usize,
}

impl LinkConfig {
    /// For the embedded broker, or any on this machine.
    pub fn new(hall: HallId, host: String, port: u16, password: String, will: Vec<u8>) -> LinkConfig {
        LinkConfig {
            hall,
            host,
            port,
            username: HUB.to_owned(),
            password,
            will,
            queue: 10_000,
        }
    }
}

/// Reads `mqtt://host:port` (port 1883 where none is named).
pub fn parse_url(url: &str) -> Result<(String, u16), BadUrl> {
    let bad = |why| BadUrl {
        url: url.to_owned(),
        why,
    };
    let rest = url
        .strip_prefix("mqtt://")
        .ok_or_else(|| bad("it must begin with mqtt://"))?;
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    if rest.contains(['/', '@', '?']) {
        return Err(bad(
            "only host and port belong in it; user and password have keys of their own",
        ));
    }
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if !host.ends_with(':') && (!host.contains(':') || host.ends_with(']')) => (
            host,
            port.parse().map_err(|_| bad("the port is no number from 1 to 65535"))?,
        ),
        _ => (rest, 1883),
    };
    let host = host
        .strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .unwrap_or(host);
    if host.is_empty() || port == 0 {
        return Err(bad("host or port is missing"));
    }
    Ok((host.to_owned(), port))
}

/// An address that is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{url}` is no address of a broker: {why}")]
pub struct BadUrl {
    /// What was given.
    pub url: String,
    /// What is wrong.
    pub why: &'static str,
}

/// What comes over the link.
#[derive(Clone, PartialEq, Debug)]
pub enum LinkEvent {
    /// Connected and subscribed. Every device is unknown until it speaks.
    Up {
        /// Counts the connections of this link, from 1.
        connection: u64,
        /// The broker has kept what came meanwhile.
        session_present: bool,
    },
    /// Not connected any more. It tries again by itself.
    Down {
        /// Which connection; 0 = none has stood yet.
        connection: u64,
        /// For people.
        why: String,
    },
    /// A message of a device.
    Message {
        /// In which connection.
        connection: u64,
        /// Whose.
        device: DeviceId,
        /// Which topic.
        up: Up,
        /// The broker had kept it: it proves nothing.
        retained: bool,
        /// As it came.
        payload: Bytes,
    },
}

/// Why a message was not taken for sending.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotSent {
    /// There is no connection.
    #[error("the broker is away")]
    Down,
    /// Too much is waiting.
    #[error("too many messages wait for the broker")]
    Full,
}

#[derive(Debug)]
struct Outgoings {
    topic: Topic,
    payload: Vec<u8>,
}

/// Sends over the link; cheap to clone.
#[derive(Clone, Debug)]
pub struct LinkHandle {
    queue: mpsc::Sender<Outgoings>,
    up: watch::Receiver<bool>,
    stop: watch::Sender<bool>,
}

impl LinkHandle {
    /// Queues a message to a device, or the hub's own state (which is retained). Never waits. What is not taken, or lost when
    /// the connection breaks, comes again by the rules of orders and sessions.
    pub fn send(&self, topic: Topic, payload: Vec<u8>) -> Result<(), NotSent> {
        if !*self.up.borrow() {
            return Err(NotSent::Down);
        }
        self.queue.try_send(Outgoings { topic, payload }).map_err(|_| {
            metrics::counter!("flagfall_mqtt_queue_full_total").increment(1);
            NotSent::Full
        })
    }

    /// Whether it stands.
    pub fn is_up(&self) -> bool {
        *self.up.borrow()
    }

    /// Sends what is queued, says good-bye and ends; the events end with it.
    pub async fn close(&self) {
        let _ = self.stop.send(true);
        let mut up = self.up.clone();
        let ended = async { while up.changed().await.is_ok() {} };
        if tokio::time::timeout(CLOSING, ended).await.is_err() {
            warn!("the link to the broker did not close in time");
        }
    }
}

/// Keeps a connection to the broker.
#[derive(Debug)]
pub struct Link;

impl Link {
    /// Starts connecting, and goes on until the handle is closed, or all handles or the receiver are dropped.
    pub fn start(config: LinkConfig) -> (LinkHandle, mpsc::Receiver<LinkEvent>) {
        let (queue, queued) = mpsc::channel(config.queue);
        let (events, received) = mpsc::channel(config.queue);
        let (up_tx, up) = watch::channel(false);
        let (stop, stopped) = watch::channel(false);
        let (client_tx, client) = watch::channel(None);
        let publisher = tokio::spawn(publish(config.hall.clone(), queued, client, stopped.clone()));
        let poller = Poller {
            config,
            events,
            up: up_tx,
            client: client_tx,
            stopped,
            connection: 0,
            unacknowledged: VecDeque::new(),
        };
        tokio::spawn(poller.run(publisher));
        (LinkHandle { queue, up, stop }, received)
    }
}

/// Takes from our queue and waits for room in rumqttc's, which only the other task makes. Says good-bye when all is sent.
async fn publish(
    hall: HallId,
    mut queued: mpsc::Receiver<Outgoings>,
    mut client: watch::Receiver<Option<AsyncClient>>,
    mut stopped: watch::Receiver<bool>,
) {
    loop {
        let Outgoings { topic, payload } = tokio::select! {
            biased;
            Some(next) = queued.recv() => next,
            _ = stopped.wait_for(|stopped| *stopped) => break,
        };
        let Some(now) = client.borrow_and_update().clone() else {
            continue;
        };
        let retain = topic == Topic::HubState;
        tokio::select! {
            sent = now.publish(topic.name(&hall), QoS::AtLeastOnce, retain, payload) => {
                if let Err(error) = sent {
                    warn!(%error, "a message was not taken by the link");
                }
            }
            // The connection has broken or ended meanwhile: the message goes with it.
            _ = client.changed() => {}
        }
    }
    let now = client.borrow().clone();
    if let Some(now) = now {
        // If it fails there is nobody to say good-bye to.
        let _ = now.disconnect().await;
    }
}

struct Poller {
    config: LinkConfig,
    events: mpsc::Sender<LinkEvent>,
    up: watch::Sender<bool>,
    client: watch::Sender<Option<AsyncClient>>,
    stopped: watch::Receiver<bool>,
    connection: u64,
    unacknowledged: VecDeque<(u16, Instant)>,
}

/// How one client ended.
enum End {
    /// The hub closes the link.
    Closed,
    /// The connection broke; the client can go on.
    Broken(String),
    /// The client itself is of no use any more.
    Wedged(String),
}

impl Poller {
    async fn run(mut self, publisher: JoinHandle<()>) {
        let mut failures = 0_u32;
        'clients: loop {
            let (client, mut event_loop) = AsyncClient::new(self.options(), REQUESTS);
            event_loop.network_options.set_tcp_nodelay(true);
            loop {
                let before = self.connection;
                let end = self.connected(&client, &mut event_loop).await;
                self.client.send_replace(None);
                let was_up = self.up.send_replace(false);
                self.unacknowledged.clear();
                failures = if self.connection > before {
                    1
                } else {
                    failures.saturating_add(1)
                };
                let (why, wedged) = match end {
                    End::Closed => break 'clients,
                    End::Broken(why) => (why, false),
                    End::Wedged(why) => (why, true),
                };
                if was_up || failures == 1 {
                    warn!(broker = %format_args!("{}:{}", self.config.host, self.config.port), %why, "no connection to the broker");
                    if self
                        .tell(LinkEvent::Down {
                            connection: self.connection,
                            why,
                        })
                        .await
                        .is_err()
                    {
                        break 'clients;
                    }
                }
                let mut stopped = self.stopped.clone();
                tokio::select! {
                    () = tokio::time::sleep(backoff(failures)) => {}
                    _ = stopped.wait_for(|stopped| *stopped) => break 'clients,
                }
                if wedged {
                    continue 'clients;
                }
            }
        }
        publisher.abort();
        let _ = publisher.await;
    }

    fn options(&self) -> MqttOptions {
        let LinkConfig {
            hall,
            host,
            port,
            username,
            password,
            will,
            ..
        } = &self.config;
        let mut options = MqttOptions::new(username, host, *port);
        options
            .set_credentials(username, password)
            .set_keep_alive(KEEP_ALIVE)
            .set_clean_session(false)
            .set_max_packet_size(MAX_PACKET, MAX_PACKET)
            .set_inflight(IN_FLIGHT)
            .set_last_will(LastWill::new(
                Topic::HubState.name(hall),
                will.clone(),
                QoS::AtLeastOnce,
                true,
            ));
        options
    }

    async fn tell(&self, event: LinkEvent) -> Result<(), End> {
        self.events.send(event).await.map_err(|_| End::Closed)
    }

    /// Told to, or nobody holds a handle any more.
    fn stopping(&self) -> bool {
        *self.stopped.borrow() || self.stopped.has_changed().is_err()
    }

    /// Polls until the connection ends.
    async fn connected(&mut self, client: &AsyncClient, event_loop: &mut EventLoop) -> End {
        let mut session_present = false;
        loop {
            let event = tokio::select! {
                biased;
                // Only before it stands: a poll that is given up later may drop what it has half written.
                _ = self.stopped.wait_for(|stopped| *stopped), if !*self.up.borrow() => return End::Closed,
                event = tokio::time::timeout(WEDGED, event_loop.poll()) => match event {
                    Ok(event) => event,
                    Err(_) => return End::Wedged("the client stands still".to_owned()),
                },
            };
            let done = match event {
                Ok(event) => self.event(event, client, &mut session_present).await,
                Err(_) if self.stopping() => Err(End::Closed),
                Err(ConnectionError::MqttState(error @ (StateError::CollisionTimeout | StateError::InvalidState))) => {
                    Err(End::Wedged(error.to_string()))
                }
                Err(error) => Err(End::Broken(error.to_string())),
            };
            if let Err(end) = done {
                return end;
            }
            if let Some((_, since)) = self.unacknowledged.front()
                && since.elapsed() > WEDGED
            {
                return End::Wedged("the broker acknowledges nothing any more".to_owned());
            }
        }
    }

    async fn event(&mut self, event: Event, client: &AsyncClient, session_present: &mut bool) -> Result<(), End> {
        match event {
            Event::Incoming(Packet::ConnAck(connack)) => {
                *session_present = connack.session_present;
                let filters =
                    hub_filters(&self.config.hall).map(|filter| SubscribeFilter::new(filter, QoS::AtLeastOnce));
                client
                    .try_subscribe_many(filters)
                    .map_err(|error| End::Wedged(error.to_string()))?;
            }
            Event::Incoming(Packet::SubAck(suback)) => {
                if suback.return_codes.contains(&SubscribeReasonCode::Failure) {
                    return Err(End::Broken(
                        "the broker does not let the hub subscribe: mend its access rules".to_owned(),
                    ));
                }
                self.connection += 1;
                self.client.send_replace(Some(client.clone()));
                self.up.send_replace(true);
                info!(connection = self.connection, "connected to the broker");
                self.tell(LinkEvent::Up {
                    connection: self.connection,
                    session_present: *session_present,
                })
                .await?;
            }
            Event::Incoming(Packet::Publish(publish)) => match Topic::parse(&self.config.hall, &publish.topic) {
                Some(Topic::Up(device, up)) => {
                    let (connection, retained, payload) = (self.connection, publish.retain, publish.payload);
                    self.tell(LinkEvent::Message {
                        connection,
                        device,
                        up,
                        retained,
                        payload,
                    })
                    .await?;
                }
                _ => warn!(topic = %publish.topic.escape_debug(), "a message on a topic of no device was not taken"),
            },
            Event::Incoming(Packet::PubAck(ack)) => self.unacknowledged.retain(|(id, _)| *id != ack.pkid),
            Event::Outgoing(Outgoing::Publish(id)) if id != 0 => self.unacknowledged.push_back((id, Instant::now())),
            Event::Incoming(Packet::Disconnect) => {
                return Err(End::Broken("the broker closed the connection".to_owned()));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Twice as long at every failure, to 10 s, each between half and the whole, so that a hall does not come back at one stroke.
fn backoff(failures: u32) -> Duration {
    let whole = BACKOFF_FIRST
        .saturating_mul(1 << failures.clamp(1, 8).saturating_sub(1))
        .min(BACKOFF_MOST);
    let mut random = [0_u8; 2];
    // Without randomness it is only less well spread.
    let _ = getrandom::fill(&mut random);
    whole / 2 + whole.mul_f64(f64::from(u16::from_le_bytes(random)) / f64::from(u16::MAX) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_host_and_port_and_nothing_else() {
        assert_eq!(
            parse_url("mqtt://broker.hall:1884"),
            Ok(("broker.hall".to_owned(), 1884))
        );
        assert_eq!(parse_url("mqtt://10.0.0.1/"), Ok(("10.0.0.1".to_owned(), 1883)));
        assert_eq!(parse_url("mqtt://[::1]:1885"), Ok(("::1".to_owned(), 1885)));
        assert_eq!(parse_url("mqtt://[::1]"), Ok(("::1".to_owned(), 1883)));
        for bad in [
            "mqtts://x",
            "x:1883",
            "mqtt://",
            "mqtt://u:p@x",
            "mqtt://x:99999",
            "mqtt://x:0",
            "mqtt://x/y",
        ] {
            assert!(parse_url(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn each_failure_waits_longer_up_to_a_limit() {
        for failures in 0..100 {
            let wait = backoff(failures);
            assert!(
                wait >= BACKOFF_FIRST / 2 && wait <= BACKOFF_MOST,
                "{failures}: {wait:?}"
            );
        }
        assert!(backoff(20) >= BACKOFF_MOST / 2);
    }
}
