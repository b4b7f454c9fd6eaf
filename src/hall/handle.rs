//! What the upper floors hold of a running hall.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use tokio::sync::{mpsc, oneshot, watch};

use super::bulletin::Bulletin;
use super::call::{Answer, Call, CallError, CallReason};
use super::ids::DeviceId;
use super::lockout::{Lockout, Refused};
use super::model::{ArbiterTable, DeviceHealth, Person, Registry, TableCard};
use super::notice::{Notice, NoticeKind, NoticePlace};
use crate::time::HallTime;

/// So long a token is taken to be good without another look, where nothing says that it is not.
const LOOK_AGAIN: Duration = Duration::from_secs(60);

/// A call on its way into the hall, and where its answer is awaited.
pub type Asked = (Call, oneshot::Sender<Result<Answer, CallError>>);

/// A running hall, as the API, the pages and the demo see it. Cheap to clone.
#[derive(Clone)]
pub struct HallHandle {
    inner: Arc<Inner>,
}

struct Inner {
    calls: mpsc::Sender<Asked>,
    arbiters: Bulletin<ArbiterTable>,
    screens: Bulletin<TableCard>,
    registry: RwLock<Arc<Registry>>,
    /// Told whenever a token was given or made void.
    people: watch::Sender<()>,
    refused: Mutex<Lockout>,
    devices: RwLock<BTreeMap<DeviceId, DeviceHealth>>,
    /// `None`: the hub is stopping.
    notices: watch::Sender<Option<Arc<Vec<Notice>>>>,
    /// What they are made of: the hub's own, and those of devices.
    troubles: Mutex<(Vec<Notice>, Vec<Notice>)>,
    now: Box<dyn Fn() -> HallTime + Send + Sync>,
    wall_unix_ms: Box<dyn Fn() -> i64 + Send + Sync>,
    info: HallInfo,
    room: RwLock<Option<String>>,
    /// Why the journal takes nothing for now.
    held_up: RwLock<Option<String>>,
}

/// The hall in a few words.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct HallInfo {
    /// Its name, as in the topics.
    pub name: String,
    /// This start of the hub.
    pub epoch: u64,
    /// Hall seconds in one real second; 1 in every real hall.
    pub speed: f64,
    /// Hall time.
    pub now: HallTime,
    /// MQTT is reachable from outside this machine without TLS, because the configuration says so.
    pub insecure: bool,
}

impl HallHandle {
    /// Asks the hall to do something, and waits until it is durable.
    ///
    /// # Errors
    /// What the hall refuses, and why.
    pub async fn call(&self, call: Call) -> Result<Answer, CallError> {
        let (answer, answered) = oneshot::channel();
        let stopping = || CallError::new(CallReason::Stopping, "the hub is stopping; ask again when it is back");
        self.inner.calls.send((call, answer)).await.map_err(|_| stopping())?;
        answered.await.map_err(|_| stopping())?
    }

    /// What arbiters see, table by table.
    pub fn arbiters(&self) -> &Bulletin<ArbiterTable> {
        &self.inner.arbiters
    }

    /// What the hall sees, table by table.
    pub fn screens(&self) -> &Bulletin<TableCard> {
        &self.inner.screens
    }

    /// Events, tables, devices and people, as of now.
    pub fn registry(&self) -> Arc<Registry> {
        Arc::clone(
            &self
                .inner
                .registry
                .read()
                .unwrap_or_else(std::sync::PoisonError::into_inner),
        )
    }

    /// How all devices are that have been heard of.
    pub fn devices(&self) -> BTreeMap<DeviceId, DeviceHealth> {
        let devices = self
            .inner
            .devices
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        devices.clone()
    }

    /// A device is so from now on.
    pub fn set_device(&self, health: DeviceHealth) {
        let mut devices = self
            .inner
            .devices
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        devices.insert(health.id.clone(), health);
    }

    /// What is wrong in the hall beyond single games, and every change of it; `None` when the hub is stopping.
    pub fn notices(&self) -> watch::Receiver<Option<Arc<Vec<Notice>>>> {
        self.inner.notices.subscribe()
    }

    /// What is wrong with devices from now on.
    pub fn set_notices(&self, notices: Vec<Notice>) {
        self.troubles(|_, devices| *devices = notices);
    }

    /// This is wrong with the hub itself from now on, or not any more.
    pub fn set_own_notice(&self, kind: NoticeKind, is_so: bool) {
        let since = (self.inner.now)();
        self.troubles(|own, _| {
            let known = own.iter().any(|notice| notice.kind == kind);
            if is_so && !known {
                own.push(Notice {
                    kind,
                    since,
                    devices: Vec::new(),
                    places: Vec::new(),
                });
            } else if !is_so {
                own.retain(|notice| notice.kind != kind);
            }
        });
    }

    /// This is wrong with the hub itself, and whom it concerns; nobody: not any more. Who was concerned before stays so since then.
    pub fn set_own_notice_of(&self, kind: NoticeKind, concerns: Vec<NoticePlace>) {
        let now = (self.inner.now)();
        self.troubles(|own, _| {
            let before = own.iter().position(|notice| notice.kind == kind);
            let before = before.map(|at| own.remove(at));
            if concerns.is_empty() {
                return;
            }
            let since = |one: &NoticePlace| {
                let known = before.iter().flat_map(|notice| &notice.places);
                let is_same = |known: &&NoticePlace| {
                    (&known.event, known.round, known.table) == (&one.event, one.round, one.table)
                };
                let mut same = known.filter(is_same);
                same.next().map_or(now, |known| known.since)
            };
            own.push(Notice {
                kind,
                since: before.as_ref().map_or(now, |notice| notice.since),
                devices: Vec::new(),
                places: concerns
                    .into_iter()
                    .map(|one| NoticePlace {
                        since: since(&one),
                        ..one
                    })
                    .collect(),
            });
        });
    }

    fn troubles(&self, change: impl FnOnce(&mut Vec<Notice>, &mut Vec<Notice>)) {
        let mut troubles = self.inner.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        let (own, devices) = &mut *troubles;
        let own_before = own.clone();
        let devices_before = devices.clone();
        change(own, devices);
        if *own == own_before && *devices == devices_before {
            return;
        }
        let all = own.iter().chain(devices.iter()).cloned().collect();
        // Under the lock, so that the newer is never followed by the older. Who has been told that the hub stops stays so.
        self.inner.notices.send_modify(|told| {
            if told.is_some() {
                *told = Some(Arc::new(all));
            }
        });
    }

    /// Whoever watches the notices is told that no more come.
    pub fn close_notices(&self) {
        self.inner.notices.send_replace(None);
    }

    /// Whose token this is; nobody's when it is void.
    pub fn authenticate(&self, token: &str) -> Option<Person> {
        let hash = sha256_hex(token);
        let now = (self.inner.wall_unix_ms)();
        self.registry()
            .people
            .values()
            .find(|person| person.token_sha256 == hash && person.expires_unix_ms.is_none_or(|end| now < end))
            .cloned()
    }

    /// Whose token this is; or how often it has been refused lately. A valid one is never shut out.
    ///
    /// # Errors
    /// It is nobody's.
    pub fn admit(&self, token: &str) -> Result<Person, Refused> {
        self.authenticate(token).ok_or_else(|| {
            let now = (self.inner.wall_unix_ms)();
            let mut refused = self.inner.refused.lock().unwrap_or_else(PoisonError::into_inner);
            refused.refused(&sha256_hex(token), now)
        })
    }

    /// Waits until a token that is good now is void: revoked, given to somebody else, or expired. At once, where it is not good.
    pub fn until_void(&self, token: &str) -> impl Future<Output = ()> + Send + 'static {
        let mut people = self.inner.people.subscribe();
        let whose = self.authenticate(token);
        let (hall, token) = (self.clone(), token.to_owned());
        async move {
            let Some(person) = whose else { return };
            // Sectors that are handed over, or taken back, leave the token good.
            let same = |now: Option<Person>| {
                now.is_some_and(|now| {
                    let also = person.also.clone();
                    Person { also, ..now } == person
                })
            };
            while same(hall.authenticate(&token)) {
                // The wall clock may be set meanwhile: it is looked at again now and then.
                let left = person.expires_unix_ms.map_or(LOOK_AGAIN, |end| {
                    let left = end.saturating_sub((hall.inner.wall_unix_ms)()).max(1);
                    Duration::from_millis(left.unsigned_abs()).min(LOOK_AGAIN)
                });
                // It cannot end before the handle that is held here.
                let _ = tokio::time::timeout(left, people.changed()).await;
            }
        }
    }

    /// The hall in a few words.
    pub fn info(&self) -> HallInfo {
        HallInfo {
            now: (self.inner.now)(),
            ..self.inner.info.clone()
        }
    }

    /// What is wrong with the room for the journal, if anything is, and what to do.
    pub fn room_warning(&self) -> Option<String> {
        // That it is over is known at once; how much there is left is looked at now and then.
        let warning = self.inner.room.read().unwrap_or_else(PoisonError::into_inner);
        self.held_up().or_else(|| warning.clone())
    }

    /// Why the journal takes nothing for now, and what to do; what has come to it before waits.
    pub fn held_up(&self) -> Option<String> {
        let held_up = self.inner.held_up.read().unwrap_or_else(PoisonError::into_inner);
        held_up.clone()
    }

    /// Says why the journal takes nothing for now, or that it takes everything again.
    pub fn set_held_up(&self, why: Option<String>) {
        *self.inner.held_up.write().unwrap_or_else(PoisonError::into_inner) = why;
    }

    /// Says what is wrong with the room for the journal, or that nothing is any more.
    pub fn warn_of_room(&self, warning: Option<String>) {
        *self.inner.room.write().unwrap_or_else(PoisonError::into_inner) = warning;
    }

    /// Ties a handle to a hall.
    pub fn new(
        calls: mpsc::Sender<Asked>,
        info: HallInfo,
        now: Box<dyn Fn() -> HallTime + Send + Sync>,
        wall_unix_ms: Box<dyn Fn() -> i64 + Send + Sync>,
    ) -> HallHandle {
        HallHandle {
            inner: Arc::new(Inner {
                calls,
                arbiters: Bulletin::new(info.epoch),
                screens: Bulletin::new(info.epoch),
                registry: RwLock::new(Arc::default()),
                people: watch::Sender::new(()),
                refused: Mutex::default(),
                devices: RwLock::default(),
                notices: watch::Sender::new(Some(Arc::default())),
                troubles: Mutex::default(),
                now,
                wall_unix_ms,
                info,
                room: RwLock::new(None),
                held_up: RwLock::new(None),
            }),
        }
    }

    /// What `registry` says from now on.
    pub fn set_registry(&self, registry: Arc<Registry>) {
        let mut kept = self.inner.registry.write().unwrap_or_else(PoisonError::into_inner);
        let others = kept.people != registry.people;
        *kept = registry;
        drop(kept);
        if others {
            self.inner.people.send_replace(());
        }
    }
}

/// The SHA-256 of a secret, in hex: the only thing of it that is ever stored.
pub fn sha256_hex(secret: &str) -> String {
    Sha256::digest(secret.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
