//! Puts a running hall together and takes it apart again.
//!
//! A start: the store is opened and the hall folded from it; shards and front are built on that; the broker (ours, or another),
//! the link to it, and the listener for people. The machines are pure; here they are given time, the journal, the network and
//! randomness. Every task is joined at the end, and every channel is bounded: where one is full, the broker and the callers
//! wait, and devices keep their reports.

pub mod archive;
mod aside;
mod devices;
pub mod dossier;
mod folder;
pub(crate) mod front;
mod fronts;
mod held;
mod keep;
mod lichess;
pub(crate) mod marks;
pub(crate) mod mates;
mod moment;
mod public;
pub(crate) mod restore;
mod room;
mod shards;
mod sheets;
mod translate;
mod trouble;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use self::front::{Front, FrontSettings};
use self::fronts::{FrontTask, Outlet};
use self::keep::Keeper;
use self::mates::Searches;
use self::shards::ShardTask;
use crate::broadcast::published::Published;
use crate::config::Config;
use crate::config::certificate::Shown;
use crate::device::broker::{Broker, BrokerError, BrokerTls};
use crate::device::codec;
use crate::device::link::{BadUrl, Link, LinkConfig, parse_url};
use crate::device::permit::Credentials;
use crate::device::session::Limits;
use crate::hall::call::{Author, Call, CallError, Command};
use crate::hall::clock::{HallClock, wall_ms, wall_now};
use crate::hall::handle::{HallHandle, HallInfo};
use crate::hall::ids::{BadName, RequestId, RoundNo, TableNo};
use crate::hall::model::PersonRole;
use crate::hall::record::Unreadable;
use crate::hall::shard::{Shard, ShardSettings};
use crate::store::{CommitError, JournalError, StateError, Store, StoreError};
use crate::telemetry::Metrics;

/// What a hub is started with.
pub type HubConfig = Config;

/// Inputs waiting for a shard.
const SHARD_INBOX: usize = 4096;
/// Shards' news waiting for the front, which always reads it.
const FRONT_INBOX: usize = 4096;
/// So long the tables may take to be shown before the hall is opened without them.
const SHOWN: Duration = Duration::from_secs(10);
/// Calls waiting to be taken; who comes then waits.
const CALLS: usize = 256;

/// Why a hub does not start.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The state.
    #[error(transparent)]
    State(#[from] StateError),
    /// The journal, while it is read.
    #[error(transparent)]
    Reading(#[from] JournalError),
    /// The journal, while it is written.
    #[error("the journal cannot be written: {0}")]
    Commit(#[from] CommitError),
    /// Something in it is not of this version.
    #[error("{0}; was the data folder written by a newer version?")]
    Unreadable(#[from] Unreadable),
    /// Something in it does not fit what was before.
    #[error(
        "the journal's entry {position} does not fit what was before it: {why}; `flagfall journal verify` checks the whole"
    )]
    Journal {
        /// Which entry.
        position: u64,
        /// Why not.
        why: String,
    },
    /// The hall's name.
    #[error(transparent)]
    Name(#[from] BadName),
    /// The other broker's address.
    #[error(transparent)]
    Url(#[from] BadUrl),
    /// The embedded broker.
    #[error(transparent)]
    Broker(#[from] BrokerError),
    /// The listener for people.
    #[error("cannot listen on {address}: {source}; is another hub running? Set `listen.http`")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The listener for the public.
    #[error("cannot listen on {address}: {source}; set another `public.listen`")]
    ListenPublic {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file.
    #[error("{what}: {source}")]
    File {
        /// Which, and what was tried.
        what: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A thread that opens files ended without a word.
    #[error("a part of the hub failed while it started: {0}")]
    Failed(String),
}

/// Starts hubs.
pub struct Hub;

/// A running hub.
pub struct RunningHub {
    /// Pages, feeds and gRPC.
    pub http_addr: SocketAddr,
    /// Where devices connect; `None` with another broker.
    pub mqtt_addr: Option<SocketAddr>,
    /// `mqtt://127.0.0.1:1883`.
    pub mqtt_url: String,
    /// The hall.
    pub handle: HallHandle,
    /// What the public gets: pages, feeds, files; `None` where there is no listener for it.
    pub public_addr: Option<SocketAddr>,
    /// What the public may know, and every change of it; `None` where nothing is made for the public.
    pub published: Option<watch::Receiver<Arc<Published>>>,
    stop: CancellationToken,
    tasks: JoinSet<()>,
    store: Store,
    broker: Option<Broker>,
}

impl Hub {
    /// Starts everything, and returns when it listens. A port of 0 takes a free one.
    ///
    /// # Errors
    /// What could not be started; nothing of it is left running.
    pub async fn start(config: HubConfig) -> Result<RunningHub, HubError> {
        let metrics = Metrics::start();
        let (data, speed) = (config.hall.data.clone(), config.hall.speed);
        let restored = blocking(move || restore::restore(&data, Some(speed))).await??;
        let clock = HallClock::start(restored.mapping);
        let epoch = restored.store.epoch();
        let hall_id = config.hall.name.parse()?;

        let credentials = match &config.mqtt.url {
            Some(_) => None,
            None => {
                let fresh = Credentials::with_fresh_hub(crate::device::topics::HallId::clone(&hall_id));
                let credentials = fresh.map_err(|source| HubError::File {
                    what: "a secret for the broker".into(),
                    source,
                })?;
                for device in restored.registry.devices.values() {
                    credentials.set(device.id.clone(), device.credential.clone(), device.speaks_for.clone());
                }
                Some(credentials)
            }
        };
        let certificate = certificate(config.listen.certificate.as_deref(), config.listen.key.as_deref())?;
        let tls = tls(certificate.as_ref())?;
        let for_public = certificate_of_public(&config)?;
        let public_listener = match config.public.listen {
            None => None,
            Some(address) => Some(listen_public(address).await?),
        };
        let public_addr = public_listener.as_ref().map(|(_, address)| *address);
        let listener = TcpListener::bind(config.listen.http)
            .await
            .map_err(|source| HubError::Listen {
                address: config.listen.http,
                source,
            })?;
        let http_addr = listener.local_addr().map_err(|source| HubError::Listen {
            address: config.listen.http,
            source,
        })?;
        let broker = match credentials.clone() {
            None => None,
            Some(credentials) => {
                let listen = config.mqtt.listen;
                let tls = broker_tls(&config);
                Some(blocking(move || Broker::start_with(listen, tls, credentials)).await??)
            }
        };
        let mqtt_addr = broker.as_ref().map(Broker::addr);
        let (host, port, password) = match (&config.mqtt.url, mqtt_addr, &credentials) {
            (None, Some(address), Some(credentials)) => (reachable(address), address.port(), credentials.hub_secret()),
            (url, _, _) => {
                let (host, port) = parse_url(url.as_deref().unwrap_or_default())?;
                (host, port, password(config.mqtt.password_file.as_deref())?)
            }
        };
        let mqtt_url = match mqtt_addr {
            Some(address) => format!("mqtt://{}", SocketAddr::new(address.ip(), address.port())),
            None => config.mqtt.url.clone().unwrap_or_default(),
        };

        let (ask, calls) = mpsc::channel(CALLS);
        let info = HallInfo {
            name: config.hall.name.clone(),
            epoch,
            speed: clock.speed(),
            now: clock.now(),
            insecure: config.is_insecure(),
        };
        let handle = HallHandle::new(ask, info, Box::new(move || clock.now()), Box::new(wall_ms));
        handle.set_registry(Arc::clone(&restored.registry));

        let will = codec::encode_hub_state(false, epoch, clock.now(), clock.speed());
        let stop = CancellationToken::new();
        let browsers = crate::web::Broker::at(host.clone(), port, stop.clone());
        let mut link = LinkConfig::new(hall_id, host, port, password, will);
        if config.mqtt.url.is_some() {
            link.username.clone_from(&config.mqtt.username);
        }
        let (link, events) = Link::start(link);

        let mut tasks = JoinSet::new();
        let commits = restored.store.commits();
        let keeper = Keeper::new(restored.store.writer(), restored.marks.clone());
        let shards = match config.hall.shards {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            given => given,
        };
        let searches = Searches::new(config.program.clone());
        let at_tables: Vec<TableNo> = restored.games.iter().map(|(_, kept)| kept.table).collect();
        let (to_front, from_shards) = mpsc::channel(FRONT_INBOX);
        let mut outlets = Vec::with_capacity(shards);
        for number in 0..shards {
            let (outlet, inbox) = mpsc::channel(SHARD_INBOX);
            outlets.push(Outlet {
                shard: outlet,
                backlog: VecDeque::new(),
            });
            let own = restored
                .games
                .iter()
                .filter(|(_, kept)| kept.table.0 as usize % shards == number)
                .cloned()
                .collect();
            let shard = Shard::new(
                ShardSettings {
                    epoch,
                    speed: clock.speed(),
                },
                own,
            );
            let task = ShardTask {
                number,
                shard,
                inbox,
                front: to_front.clone(),
                hall: handle.clone(),
                clock,
                commits: commits.clone(),
                keeper: keeper.clone(),
                searches: searches.clone(),
            };
            tasks.spawn(task.run());
        }
        drop(to_front);
        let settings = FrontSettings {
            epoch,
            speed: clock.speed(),
            shards,
            limits: limits(&config, clock.speed()),
        };
        let front = Front::new(
            settings,
            restored.registry,
            restored.store.requests(),
            &restored.marks,
            clock.now(),
        );
        let outside = if config.serves_public() {
            let state = restored.store.state();
            let (outside, follower, is_ready) = public::prepare(
                &config.hall.data,
                &handle.info(),
                clock,
                &state,
                restored.store.writer(),
            )?;
            tasks.spawn(follower.run(restored.store.commits(), is_ready, stop.clone()));
            Some(outside)
        } else {
            None
        };
        let front = FrontTask {
            front,
            outlets,
            from_shards,
            calls,
            link,
            events,
            hall: handle.clone(),
            clock,
            commits,
            keeper,
            credentials,
            stop: stop.clone(),
        };
        tasks.spawn(front.run(restored.registry_position));

        let router = router(
            &config,
            &handle,
            &mqtt_url,
            &restored.store,
            &metrics,
            http_addr,
            browsers,
        );
        shown(&handle, &at_tables).await;
        let stopping = stop.clone();
        tasks.spawn(async move {
            crate::api::listener::serve(listener, router, tls, None, stopping.cancelled_owned()).await;
        });
        let published = outside.as_ref().map(|outside| outside.published.clone());
        if let Some(outside) = &outside {
            send_out(&mut tasks, &config, outside, &handle, clock.speed(), &stop)?;
        }
        if let (Some(outside), Some((listener, address))) = (outside, public_listener) {
            let tls = self::tls(for_public.as_ref())?;
            tracing::info!(public = %address, tls = tls.is_some(), "the public is served, by each round's delay");
            tasks.spawn(serve_public(
                outside,
                listener,
                tls,
                config.public.connections,
                clock.speed(),
                stop.clone(),
            ));
        }
        for shown in certificate.into_iter().chain(for_public) {
            tasks.spawn(renewing(shown, stop.clone()));
        }
        tasks.spawn(upkeep(metrics, stop.clone()));
        if let Some(folder) = &config.sheet.folder {
            let sheets = sheets::Sheets {
                folder: folder.clone(),
                every: Duration::from_secs(config.sheet.every_s),
                language: config.hall.language,
            };
            tasks.spawn(sheets::write(sheets, handle.clone(), stop.clone()));
        }
        tasks.spawn(room::watch(config.hall.data.clone(), handle.clone(), stop.clone()));
        tasks.spawn(room::held_up(
            restored.store.commits().watch_held_up(),
            handle.clone(),
            stop.clone(),
        ));
        tracing::info!(hall = %config.hall.name, epoch, http = %http_addr, mqtt = %mqtt_url, speed = clock.speed(), "the hall is open");
        if config.is_insecure() {
            tracing::warn!(
                http = %http_addr, mqtt = %mqtt_url,
                "the hub is reachable without TLS: passwords and tokens can be read on the way"
            );
        }
        Ok(RunningHub {
            http_addr,
            mqtt_addr,
            mqtt_url,
            handle,
            public_addr,
            published,
            stop,
            tasks,
            store: restored.store,
            broker,
        })
    }
}

impl RunningHub {
    /// Gives somebody a token, as only whoever has this machine may: the first chief arbiter's.
    ///
    /// # Errors
    /// The hall refuses.
    pub async fn grant(&self, name: &str, role: PersonRole) -> Result<String, CallError> {
        grant(&self.handle, name, role).await
    }

    /// Takes nothing more, commits what is in, says good-bye to devices and watchers, and joins everything.
    pub async fn stop(mut self) {
        self.handle.arbiters().close();
        self.handle.screens().close();
        self.handle.close_notices();
        self.stop.cancel();
        while let Some(ended) = self.tasks.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a part of the hub did not end well");
            }
        }
        let (store, broker) = (self.store, self.broker);
        let closed = blocking(move || {
            if let Some(broker) = broker {
                broker.stop();
            }
            store.close();
        });
        if let Err(error) = closed.await {
            tracing::error!(%error, "the store did not close well");
        }
        tracing::info!("the hall is closed");
    }
}

/// Gives somebody a token on a data folder that no hub is using: how the first chief arbiter gets in.
///
/// # Errors
/// The folder cannot be opened (a running hub has it), or the name is taken.
pub fn grant_offline(data: &Path, name: &str, role: PersonRole) -> Result<String, GrantError> {
    let restored = restore::restore(data, None)?;
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)
        .map_err(|error| HubError::Failed(format!("the system gives no random numbers: {error}")))?;
    let chance = crate::hall::secrets::Chance {
        bytes,
        wall_ms: wall_ms(),
    };
    let context = crate::hall::registry::Context {
        chance: &chance,
        abilities: &Default::default(),
        now: restored.mapping.hall,
        over: &Default::default(),
    };
    let decided = restored.registry.decide(&add_person(name, role), &context)?;
    let entry = crate::store::NewEntry::new(
        crate::store::EntryKind::Hall,
        restored.mapping.hall,
        crate::hall::record::write(&decided.event),
    );
    let commit = restored
        .store
        .commits()
        .commit_blocking(vec![entry])
        .map_err(HubError::from)?;
    let keeper = Keeper::new(restored.store.writer(), restored.marks);
    let mut registry = crate::hall::model::Registry::clone(&restored.registry);
    registry
        .fold(&decided.event)
        .map_err(|error| HubError::Failed(error.to_string()))?;
    keeper.registry(commit.last(), &registry, []);
    commit.folded();
    restored.store.close();
    Ok(decided.answer.secret.unwrap_or_default())
}

/// Why nobody was given a token.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// The data folder.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// The hall.
    #[error(transparent)]
    Call(#[from] CallError),
}

async fn grant(handle: &HallHandle, name: &str, role: PersonRole) -> Result<String, CallError> {
    let request: RequestId = uuid::Uuid::now_v7()
        .to_string()
        .parse()
        .map_err(|error: BadName| CallError::field("request", error.to_string()))?;
    let author = Author {
        name: "command line".into(),
        role: PersonRole::ChiefArbiter,
        sector: None,
    };
    let answer = handle
        .call(Call {
            request,
            author,
            command: add_person(name, role),
            until: None,
        })
        .await?;
    Ok(answer.secret.unwrap_or_default())
}

fn add_person(name: &str, role: PersonRole) -> Command {
    Command::AddPerson {
        name: name.to_owned(),
        role,
        sector: None,
        expires_unix_ms: None,
    }
}

fn router(
    config: &Config,
    handle: &HallHandle,
    mqtt_url: &str,
    store: &Store,
    metrics: &Metrics,
    http: SocketAddr,
    browsers: crate::web::Broker,
) -> axum::Router {
    let commits = store.commits();
    let state = store.state();
    let surroundings = crate::api::Surroundings {
        mqtt_url: mqtt_url.to_owned(),
        journal_head: Arc::new(move || {
            let head = commits.head();
            (head.position, head.hash.to_string())
        }),
        past_games: Arc::new(move |seat| restore::past_game(&state, seat)),
        language: config.hall.language,
        records: records(config),
    };
    let metrics = metrics.clone();
    let serving = crate::web::Serving {
        names: config.listen.names.clone(),
        screens: if http.ip().is_loopback() {
            crate::web::Screens::Open
        } else {
            crate::web::Screens::ByToken
        },
        secure: config.listen.certificate.is_some(),
        metrics: Arc::new(move || metrics.render()),
        mqtt: Some(browsers),
    };
    let services = crate::web::guarded(crate::api::routes(handle.clone(), surroundings), &serving.names);
    services.merge(crate::web::routes(handle.clone(), serving))
}

/// Nobody is served before every table with a game is there to be seen: otherwise who asks in the first moments after a start is
/// told that nothing is paired where a game is played.
async fn shown(hall: &HallHandle, tables: &[TableNo]) {
    let all = async {
        for table in tables {
            while hall.arbiters().get(*table).is_none() {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
    };
    if tokio::time::timeout(SHOWN, all).await.is_err() {
        tracing::warn!("not every table is shown yet; the hall is opened all the same");
    }
}

/// Finds a game's record in the journal; a hall that runs is not asked.
fn records(config: &Config) -> crate::api::Records {
    let (data, hall) = (config.hall.data.clone(), config.hall.name.clone());
    Arc::new(move |which| {
        dossier::gather(&data, &hall, which, wall_ms()).map_err(|error| {
            let reason = match error {
                dossier::NoRecord::NoGame(_) => crate::hall::CallReason::NoGame,
                _ => crate::hall::CallReason::JournalDown,
            };
            CallError::new(reason, error.to_string())
        })
    })
}

/// What is shown to the public, if it is served by TLS.
fn certificate_of_public(config: &Config) -> Result<Option<Arc<Shown>>, HubError> {
    match config.public.listen {
        Some(_) => certificate(config.public.certificate.as_deref(), config.public.key.as_deref()),
        None => Ok(None),
    }
}

async fn listen_public(address: SocketAddr) -> Result<(TcpListener, SocketAddr), HubError> {
    let failed = |source| HubError::ListenPublic { address, source };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// What is published goes by itself into a folder and to Lichess, as soon as everything that was seen there before is there again.
fn send_out(
    tasks: &mut JoinSet<()>,
    config: &Config,
    outside: &public::Outside,
    hall: &HallHandle,
    speed: f64,
    stop: &CancellationToken,
) -> Result<(), HubError> {
    if let Some(folder) = config.livechess.folder.clone() {
        let (outside, hall, stop) = (outside.clone(), hall.clone(), stop.clone());
        tasks.spawn(async move {
            outside.ready().await;
            folder::write(folder, speed, outside.published, hall, stop).await;
        });
    }
    let rounds = config.lichess.rounds().map_err(HubError::Failed)?;
    if let (Some(token_file), false) = (&config.lichess.token_file, rounds.is_empty()) {
        let mut named = Vec::new();
        for round in rounds {
            let id = round
                .id
                .parse()
                .map_err(|no: crate::broadcast::lichess::NoRoundId| HubError::Failed(no.to_string()))?;
            named.push(lichess::Target {
                event: round.event.parse()?,
                round: RoundNo(round.round),
                boards: round.boards,
                id,
            });
        }
        let every = config.lichess.every();
        let settings = lichess::Lichess::new(config.lichess.url.clone(), token_file.clone(), every, named, speed);
        let (outside, hall, stop) = (outside.clone(), hall.clone(), stop.clone());
        tasks.spawn(async move {
            outside.ready().await;
            lichess::push(settings, outside.published, hall, stop).await;
        });
    }
    Ok(())
}

/// Serves the public, as soon as everything it has seen before is there again.
async fn serve_public(
    outside: public::Outside,
    listener: TcpListener,
    tls: Option<Arc<rustls::ServerConfig>>,
    most: usize,
    speed: f64,
    stop: CancellationToken,
) {
    tokio::select! {
        () = stop.cancelled() => return,
        () = outside.ready() => {}
    }
    let router = crate::web::public::routes(outside.hall.clone(), outside.published.clone(), speed);
    let router = crate::web::public::dressed(router.merge(crate::api::public_routes(outside.hall)));
    crate::api::listener::serve(listener, router, tls, Some(most), stop.cancelled_owned()).await;
}

fn tls(certificate: Option<&Arc<Shown>>) -> Result<Option<Arc<rustls::ServerConfig>>, HubError> {
    let server = certificate.map(|shown| shown.server(&["h2", "http/1.1"])).transpose();
    let server = server.map_err(|error| HubError::Failed(format!("TLS cannot be set up: {error}")))?;
    Ok(server.map(Arc::new))
}

/// The certificate that is shown, if the hub speaks TLS.
fn certificate(certificate: Option<&Path>, key: Option<&Path>) -> Result<Option<Arc<Shown>>, HubError> {
    let (Some(certificate), Some(key)) = (certificate, key) else {
        return Ok(None);
    };
    let shown = Shown::new(certificate, key).map_err(|error| HubError::Failed(error.to_string()))?;
    Ok(Some(shown))
}

/// Where devices are listened to by TLS, and what they are shown.
fn broker_tls(config: &Config) -> Option<BrokerTls> {
    Some(BrokerTls {
        listen: config.mqtt.tls_listen?,
        certificate: config.listen.certificate.clone()?,
        key: config.listen.key.clone()?,
    })
}

/// Takes renewed certificate files, and warns before one ends.
async fn renewing(shown: Arc<Shown>, stop: CancellationToken) {
    let mut every = tokio::time::interval(Duration::from_secs(60));
    let mut warned: Option<(String, jiff::Timestamp)> = None;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = every.tick() => {}
        }
        match shown.renew() {
            Ok(false) => {}
            Ok(true) => tracing::info!(
                until = shown.validity().map(|held| held.until.to_string()),
                "the certificate was renewed; devices by TLS are shown it after the next start"
            ),
            Err(error) => tracing::error!(%error, "the renewed certificate cannot be used: the one before stays"),
        }
        let now = wall_now();
        let warning = shown.validity().and_then(|held| held.warning(now));
        let Some(warning) = warning else {
            warned = None;
            continue;
        };
        // Once when it comes up, and then once a day.
        let is_new = warned
            .as_ref()
            .is_none_or(|(said, at)| *said != warning || now.as_second() - at.as_second() >= 24 * 3600);
        if is_new {
            tracing::warn!("the hub's certificate {warning}");
            warned = Some((warning, now));
        }
    }
}

/// Histograms are drained, and systemd hears that the hub lives.
async fn upkeep(metrics: Metrics, stop: CancellationToken) {
    let watchdog = sd_notify::watchdog_enabled().map_or(Duration::from_secs(5), |limit| limit / 3);
    let mut every = tokio::time::interval(watchdog.min(Duration::from_secs(5)));
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = every.tick() => {
                metrics.upkeep();
                notify(&[sd_notify::NotifyState::Watchdog]);
            }
        }
    }
}

/// Tells systemd, where it listens.
pub(crate) fn notify(state: &[sd_notify::NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        tracing::debug!(%error, "systemd was not told");
    }
}

fn limits(config: &Config, speed: f64) -> Limits {
    let mut limits = Limits::at_speed(speed);
    let silence = (config.silent_after().as_secs_f64() * 1000.0 * speed) as i64;
    limits.silence = limits.silence.max(crate::time::Millis(silence));
    limits
}

fn password(file: Option<&Path>) -> Result<String, HubError> {
    let Some(file) = file else { return Ok(String::new()) };
    let text = std::fs::read_to_string(file).map_err(|source| HubError::File {
        what: format!("the broker's password in {}", file.display()),
        source,
    })?;
    Ok(text.trim().to_owned())
}

/// Where we reach what listens there.
fn reachable(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        return if address.is_ipv4() {
            "127.0.0.1".into()
        } else {
            "::1".into()
        };
    }
    address.ip().to_string()
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, HubError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| HubError::Failed(error.to_string()))
}
