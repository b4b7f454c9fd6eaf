//! The embedded broker: mqtt5 on a thread and runtime of its own, asked by nobody but the devices of the hall.
//!
//! What mqtt5 0.49 does and what is added here:
//! * it asks for every publish and subscription, live and delayed Wills included, but not for a Will at the connect: that is
//!   done here, so that a device with a bad Will is refused at once, with a reason in the log;
//! * under MQTT 3.1.1 it answers a refused publish with a PUBACK, as the protocol demands, and drops it;
//! * a packet above its own limit closes the connection without naming topic or device: its limit is therefore set well above
//!   ours, and a payload above ours is dropped here by name;
//! * dropping a client's entry closes the connection and keeps the session: that is how a revoked device is put out;
//! * it listens on whichever of its addresses can be bound: there is only one here, so that none means an error;
//! * sessions and retained messages are in memory. Devices send again what the hub has not seen, so that nothing is lost.

use std::collections::HashMap;
use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use mqtt5::broker::auth::{AuthProvider, AuthResult};
use mqtt5::broker::config::{BrokerConfig as Mqtt5Config, StorageBackend, StorageConfig, TlsConfig};
use mqtt5::broker::events::{BrokerEventHandler, ClientDisconnectEvent, ClientPublishEvent, PublishAction};
use mqtt5::broker::server::{BrokerShutdownHandle, MqttBroker};
use mqtt5::packet::connect::ConnectPacket;
use mqtt5::protocol::v5::reason_codes::ReasonCode;
use tokio::sync::mpsc;
use tracing::{info, warn};

use super::codec::MAX_PAYLOAD;
use super::permit::{Credentials, User};
use crate::hall::lockout::{Lockout, Refused};
use crate::telemetry;

/// Closes the connection above this; see above.
const MAX_PACKET: usize = 2 * 1024 * 1024;
/// What is queued for a client that is away. The hub's own queue has to hold a hall's worth while it restarts.
const MAX_QUEUED: usize = 50_000;
/// A session of a device that does not come back.
const SESSION_KEPT: Duration = Duration::from_secs(24 * 3600);
/// How long [`Broker::stop`] waits.
const STOPPING: Duration = Duration::from_secs(7);

/// Why the broker did not start.
#[derive(Debug, thiserror::Error)]
pub enum BrokerError {
    /// It cannot listen there.
    #[error(
        "the embedded broker cannot listen on {listen}: {why}. Is another one running? Set `mqtt.listen` or `mqtt.url`"
    )]
    Listen {
        /// Where.
        listen: SocketAddr,
        /// Why not.
        why: String,
    },
    /// The system gave it no thread or runtime.
    #[error("the embedded broker cannot start: {0}")]
    Start(#[from] std::io::Error),
}

/// A second listener, for devices that speak TLS.
#[derive(Clone, Debug)]
pub struct BrokerTls {
    /// Where.
    pub listen: SocketAddr,
    /// What they are shown: a PEM file.
    pub certificate: PathBuf,
    /// Its key.
    pub key: PathBuf,
}

/// A running broker.
pub struct Broker {
    addr: SocketAddr,
    shutdown: BrokerShutdownHandle,
    thread: Option<JoinHandle<()>>,
}

impl Broker {
    /// Starts listening; a port of 0 chooses a free one, see [`Broker::addr`]. Blocks until it listens.
    pub fn start(listen: SocketAddr, credentials: Credentials) -> Result<Broker, BrokerError> {
        Broker::start_with(listen, None, credentials)
    }

    /// The same, with a second listener for devices that speak TLS.
    pub fn start_with(
        listen: SocketAddr,
        tls: Option<BrokerTls>,
        credentials: Credentials,
    ) -> Result<Broker, BrokerError> {
        // Asked first, for the system's own word: mqtt5 wraps it in several lines of its own advice.
        for listen in std::iter::once(listen).chain(tls.as_ref().map(|tls| tls.listen)) {
            if let Err(error) = std::net::TcpListener::bind(listen) {
                let why = error.to_string();
                return Err(BrokerError::Listen { listen, why });
            }
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("mqtt-broker")
            .enable_all()
            .build()?;
        let (started, starting) = std::sync::mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("mqtt-broker".to_owned())
            .spawn(move || {
                runtime.block_on(serve(listen, tls, credentials, started));
                // Whatever handler still hangs on a dead socket is not waited for.
                runtime.shutdown_timeout(Duration::from_secs(1));
            })?;
        match starting.recv() {
            Ok(Ok((addr, shutdown))) => {
                info!(%addr, "the embedded broker listens");
                Ok(Broker {
                    addr,
                    shutdown,
                    thread: Some(thread),
                })
            }
            Ok(Err(why)) => Err(BrokerError::Listen { listen, why }),
            Err(_) => Err(BrokerError::Listen {
                listen,
                why: "it ended at once".to_owned(),
            }),
        }
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Stops listening, closes every connection and waits for it, at most some seconds. Blocks.
    pub fn stop(mut self) {
        self.end();
    }

    #[expect(clippy::disallowed_methods, reason = "waits for a real thread")]
    fn end(&mut self) {
        self.shutdown.shutdown();
        let Some(thread) = self.thread.take() else { return };
        let until = std::time::Instant::now() + STOPPING;
        while !thread.is_finished() && std::time::Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        if thread.is_finished() {
            let _ = thread.join();
        } else {
            warn!("the embedded broker did not stop in time and is left behind");
        }
    }
}

impl std::fmt::Debug for Broker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Broker")
            .field("addr", &self.addr)
            .finish_non_exhaustive()
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.end();
    }
}

type Started = std::sync::mpsc::Sender<Result<(SocketAddr, BrokerShutdownHandle), String>>;

async fn serve(listen: SocketAddr, tls: Option<BrokerTls>, credentials: Credentials, started: Started) {
    let guard = Arc::new(Guard {
        credentials: credentials.clone(),
        users: Mutex::default(),
        lockout: Mutex::default(),
        begun: tokio::time::Instant::now(),
    });
    let config = Mqtt5Config {
        bind_addresses: vec![listen],
        tls_config: tls.map(|tls| TlsConfig::new(tls.certificate, tls.key).with_bind_address(tls.listen)),
        max_clients: 20_000,
        max_packet_size: MAX_PACKET,
        session_expiry_interval: SESSION_KEPT,
        client_channel_capacity: MAX_QUEUED,
        sys_topics_enabled: false,
        event_handler: Some(guard.clone()),
        storage_config: StorageConfig {
            backend: StorageBackend::Memory,
            max_queued_messages_per_client: MAX_QUEUED,
            ..StorageConfig::default()
        },
        ..Mqtt5Config::default()
    };
    let mut broker = match MqttBroker::with_config(config).await {
        Ok(broker) => broker.with_auth_provider(guard),
        Err(error) => {
            let _ = started.send(Err(error.to_string()));
            return;
        }
    };
    let Some(addr) = broker.local_addr() else {
        let _ = started.send(Err("it has no address".to_owned()));
        return;
    };
    let router = broker.router();
    let (told, mut ended) = mpsc::unbounded_channel();
    credentials.on_end(told);
    tokio::spawn(async move {
        while let Some(device) = ended.recv().await {
            info!(%device, "its credential was changed or taken away: its connection ends");
            router.disconnect_client(device.as_str()).await;
        }
    });
    if started.send(Ok((addr, broker.shutdown_handle()))).is_err() {
        return;
    }
    if let Err(error) = broker.run().await {
        warn!(%error, "the embedded broker ended");
    }
}

type Asked<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Answers the broker's questions, and logs each refusal once.
struct Guard {
    credentials: Credentials,
    /// Who is behind a client id, since its last connect.
    users: Mutex<HashMap<String, User>>,
    /// Names under which a wrong password was given lately.
    lockout: Mutex<Lockout>,
    begun: tokio::time::Instant,
}

/// One more refusal, for the metrics.
fn count(why: &'static str) {
    metrics::counter!(telemetry::MESSAGES_REFUSED, "why" => why).increment(1);
}

impl Guard {
    fn connect(&self, connect: &ConnectPacket, from: SocketAddr) -> Result<String, ReasonCode> {
        let client = connect.client_id.as_str();
        let user = self
            .credentials
            .login(client, connect.username.as_deref(), connect.password.as_deref())
            .map_err(|why| {
                count("login");
                let name = connect.username.as_deref().unwrap_or_default();
                // The right password never comes here, however many wrong ones were tried under the same name.
                let refused = self.refused(name);
                if refused.is_news() {
                    warn!(device = %name.escape_debug(), client = %client.escape_debug(), %from, why,
                        shut_out = refused.is_shut_out(), "login refused");
                }
                ReasonCode::BadUsernameOrPassword
            })?;
        if let Some(will) = &connect.will {
            let topic = will.topic.escape_debug();
            if !self.credentials.may_publish(&user, &will.topic) {
                count("will");
                warn!(device = client, %topic, %from, "login refused: its Will is on a topic that is not its own");
                return Err(ReasonCode::NotAuthorized);
            }
            if will.payload.len() > MAX_PAYLOAD {
                count("too long");
                warn!(device = client, %topic, bytes = will.payload.len(), "login refused: its Will is too long");
                return Err(ReasonCode::NotAuthorized);
            }
        }
        self.users
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(client.to_owned(), user);
        Ok(client.to_owned())
    }

    fn refused(&self, name: &str) -> Refused {
        let now = i64::try_from(self.begun.elapsed().as_millis()).unwrap_or(i64::MAX);
        let name: String = name.chars().take(64).collect();
        self.lockout
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .refused(&name, now)
    }

    fn user(&self, client: &str) -> Option<User> {
        self.users
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(client)
            .cloned()
    }
}

impl AuthProvider for Guard {
    fn authenticate<'a>(
        &'a self,
        connect: &'a ConnectPacket,
        client_addr: SocketAddr,
    ) -> Asked<'a, mqtt5::error::Result<AuthResult>> {
        let answer = match self.connect(connect, client_addr) {
            Ok(user) => AuthResult::success_with_user(user),
            Err(reason) => AuthResult::fail(reason),
        };
        Box::pin(std::future::ready(Ok(answer)))
    }

    fn authorize_publish<'a>(&'a self, client_id: &str, _: Option<&'a str>, topic: &'a str) -> Asked<'a, bool> {
        let may = self
            .user(client_id)
            .is_some_and(|user| self.credentials.may_publish(&user, topic));
        if !may {
            count("topic");
            warn!(device = client_id, topic = %topic.escape_debug(), "publish refused: not its topic");
        }
        Box::pin(std::future::ready(may))
    }

    fn authorize_subscribe<'a>(
        &'a self,
        client_id: &str,
        _: Option<&'a str>,
        topic_filter: &'a str,
    ) -> Asked<'a, bool> {
        let may = self
            .user(client_id)
            .is_some_and(|user| self.credentials.may_subscribe(&user, topic_filter));
        if !may {
            count("topic");
            warn!(device = client_id, topic = %topic_filter.escape_debug(), "subscription refused: not its topic");
        }
        Box::pin(std::future::ready(may))
    }
}

impl BrokerEventHandler for Guard {
    fn on_client_publish<'a>(&'a self, event: ClientPublishEvent) -> Asked<'a, PublishAction> {
        let action = if event.payload.len() > MAX_PAYLOAD {
            count("too long");
            warn!(device = %event.client_id, topic = %event.topic, bytes = event.payload.len(),
                "publish refused: the payload is longer than {MAX_PAYLOAD} bytes");
            PublishAction::Handled
        } else {
            PublishAction::Continue
        };
        Box::pin(std::future::ready(action))
    }

    fn on_client_disconnect<'a>(&'a self, event: ClientDisconnectEvent) -> Asked<'a, ()> {
        if event.unexpected {
            info!(device = %event.client_id, "its connection broke");
        }
        Box::pin(std::future::ready(()))
    }
}
