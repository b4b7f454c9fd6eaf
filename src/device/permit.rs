//! Who may write and read what, whichever broker asks: a device its own topics, a gateway those of the devices it speaks for,
//! the hub everything that goes down.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::mpsc;

use super::topics::{Down, HUB, HallId, Topic};
use crate::hall::credential::SECRET_BYTES;
use crate::hall::ids::DeviceId;
use crate::hall::model::Credential;

/// One login.
#[derive(Clone, Debug)]
struct Login {
    credential: Credential,
    speaks_for: Vec<DeviceId>,
    /// Changes with every new secret: connections made with an older one have no rights any more.
    version: u64,
}

#[derive(Debug)]
struct Registry {
    hall: HallId,
    hub_secret: String,
    logins: HashMap<DeviceId, Login>,
    next_version: u64,
    /// Told of every device whose connection must end.
    ended: Vec<mpsc::UnboundedSender<DeviceId>>,
}

/// Every device's credential, shared with the embedded broker and changed while it runs.
#[derive(Clone, Debug)]
pub struct Credentials(Arc<RwLock<Registry>>);

/// Who has logged in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum User {
    /// The hub itself.
    Hub,
    /// A device or gateway, by the secret of this version.
    Device(DeviceId, u64),
}

impl Credentials {
    /// No device yet, and the secret of the hub's own login.
    pub fn new(hall: HallId, hub_secret: String) -> Credentials {
        Credentials(Arc::new(RwLock::new(Registry {
            hall,
            hub_secret,
            logins: HashMap::new(),
            next_version: 1,
            ended: Vec::new(),
        })))
    }

    /// As above, with a fresh secret for the hub; the error is that of the system's random source.
    pub fn with_fresh_hub(hall: HallId) -> std::io::Result<Credentials> {
        let mut random = [0; SECRET_BYTES];
        getrandom::fill(&mut random).map_err(|error| std::io::Error::other(error.to_string()))?;
        Ok(Credentials::new(hall, crate::hall::credential::secret(random)))
    }

    /// The hub's own secret, for its link.
    pub fn hub_secret(&self) -> String {
        self.read(|registry| registry.hub_secret.clone())
    }

    /// Adds a device, or gives it a new credential or other devices to speak for. A connection made with another secret ends.
    pub fn set(&self, device: DeviceId, credential: Credential, speaks_for: Vec<DeviceId>) {
        self.write(|registry| {
            if let Some(login) = registry.logins.get_mut(&device)
                && login.credential == credential
            {
                login.speaks_for = speaks_for;
                return;
            }
            let version = registry.next_version;
            registry.next_version += 1;
            if registry
                .logins
                .insert(
                    device.clone(),
                    Login {
                        credential,
                        speaks_for,
                        version,
                    },
                )
                .is_some()
            {
                registry.end(&device);
            }
        });
    }

    /// Takes a device's credential away: it cannot log in any more, and a connection that stands ends.
    pub fn revoke(&self, device: &DeviceId) {
        self.write(|registry| {
            if registry.logins.remove(device).is_some() {
                registry.end(device);
            }
        });
    }

    /// The devices that a login speaks for: a gateway's death is theirs.
    pub fn speaks_for(&self, login: &DeviceId) -> Vec<DeviceId> {
        self.read(|registry| {
            registry
                .logins
                .get(login)
                .map(|login| login.speaks_for.clone())
                .unwrap_or_default()
        })
    }

    /// Devices whose connections must end are told here from now on.
    pub(super) fn on_end(&self, told: mpsc::UnboundedSender<DeviceId>) {
        self.write(|registry| registry.ended.push(told));
    }

    /// Checks a login. The client id must be the user's name; why not is for the log only.
    pub(super) fn login(&self, client: &str, user: Option<&str>, secret: Option<&[u8]>) -> Result<User, &'static str> {
        let user = user.ok_or("no user name")?;
        if client != user {
            return Err("the client id is not the user name");
        }
        let secret = secret.ok_or("no password")?;
        self.read(|registry| {
            if user == HUB {
                let hub = Credential::of(&registry.hub_secret, [0; crate::hall::credential::SALT_BYTES]);
                return if hub.proves(secret) {
                    Ok(User::Hub)
                } else {
                    Err("wrong password")
                };
            }
            let device: DeviceId = user.parse().map_err(|_| "unknown device")?;
            let login = registry.logins.get(&device).ok_or("unknown device")?;
            if !login.credential.proves(secret) {
                return Err("wrong password");
            }
            let version = login.version;
            Ok(User::Device(device, version))
        })
    }

    pub(super) fn may_publish(&self, user: &User, topic: &str) -> bool {
        self.read(|registry| match (user, Topic::parse(&registry.hall, topic)) {
            (User::Hub, Some(Topic::Down(..) | Topic::HubState)) => true,
            (User::Device(login, version), Some(Topic::Up(device, _))) => registry.speaks(login, *version, &device),
            _ => false,
        })
    }

    pub(super) fn may_subscribe(&self, user: &User, filter: &str) -> bool {
        self.read(|registry| match user {
            User::Hub => filter.starts_with(&format!("{}/{}/", super::topics::ROOT, registry.hall)),
            User::Device(login, version) => match Topic::parse(&registry.hall, filter) {
                Some(Topic::Down(device, _)) => registry.speaks(login, *version, &device),
                Some(Topic::HubState) => registry.stands(login, *version),
                // What it may write it may read back; and all of its own `order`, `time`, `seen` at once.
                Some(Topic::Up(device, _)) => registry.speaks(login, *version, &device),
                None => registry.own_wildcard(login, *version, filter),
            },
        })
    }

    fn read<T>(&self, with: impl FnOnce(&Registry) -> T) -> T {
        with(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn write<T>(&self, with: impl FnOnce(&mut Registry) -> T) -> T {
        with(&mut self.0.write().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Registry {
    fn end(&mut self, device: &DeviceId) {
        self.ended.retain(|told| told.send(device.clone()).is_ok());
    }

    /// The connection's secret is still the device's.
    fn stands(&self, login: &DeviceId, version: u64) -> bool {
        self.logins.get(login).is_some_and(|login| login.version == version)
    }

    fn speaks(&self, login: &DeviceId, version: u64, device: &DeviceId) -> bool {
        self.stands(login, version)
            && (login == device
                || self
                    .logins
                    .get(login)
                    .is_some_and(|login| login.speaks_for.contains(device)))
    }

    /// `…/{device}/+` and `…/{device}/#`.
    fn own_wildcard(&self, login: &DeviceId, version: u64, filter: &str) -> bool {
        let Some(rest) = filter.strip_suffix("/+").or_else(|| filter.strip_suffix("/#")) else {
            return false;
        };
        match Topic::parse(&self.hall, &format!("{rest}/{}", Down::Order.name())) {
            Some(Topic::Down(device, _)) => self.speaks(login, version, &device),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> DeviceId {
        name.parse().expect("an id")
    }

    fn hall() -> Credentials {
        let all = Credentials::new("main".parse().expect("a name"), "hub's".to_owned());
        all.set(id("clock-1"), Credential::of("one", [0; 12]), vec![]);
        all.set(
            id("gate"),
            Credential::of("two", [0; 12]),
            vec![id("board-1"), id("board-2")],
        );
        all
    }

    #[test]
    fn only_the_right_secret_under_the_right_name_logs_in() {
        let all = hall();
        assert!(matches!(
            all.login("clock-1", Some("clock-1"), Some(b"one")),
            Ok(User::Device(..))
        ));
        assert_eq!(
            all.login("clock-1", Some("clock-1"), Some(b"two")),
            Err("wrong password")
        );
        assert_eq!(
            all.login("clock-2", Some("clock-2"), Some(b"one")),
            Err("unknown device")
        );
        assert_eq!(
            all.login("other", Some("clock-1"), Some(b"one")),
            Err("the client id is not the user name")
        );
        assert_eq!(all.login("clock-1", None, None), Err("no user name"));
        assert_eq!(all.login("hub", Some("hub"), Some(b"hub's")), Ok(User::Hub));
        assert_eq!(all.login("hub", Some("hub"), Some(b"one")), Err("wrong password"));
    }

    #[test]
    fn a_device_writes_and_reads_its_own_topics_only() {
        let all = hall();
        let clock = all.login("clock-1", Some("clock-1"), Some(b"one")).expect("logs in");
        let gate = all.login("gate", Some("gate"), Some(b"two")).expect("logs in");
        let may = |user: &User, topic: &str| all.may_publish(user, &format!("flagfall/v1/main/{topic}"));
        assert!(may(&clock, "clock-1/report") && may(&gate, "board-2/birth") && may(&gate, "gate/death"));
        for topic in [
            "clock-2/report",
            "clock-1/order",
            "hub/state",
            "clock-1",
            "clock-1/report/x",
            "board-1/report",
        ] {
            assert!(!may(&clock, topic), "{topic}");
        }
        assert!(may(&User::Hub, "clock-1/order") && may(&User::Hub, "hub/state") && !may(&User::Hub, "clock-1/report"));
        let may = |user: &User, topic: &str| all.may_subscribe(user, &format!("flagfall/v1/main/{topic}"));
        assert!(may(&clock, "clock-1/order") && may(&clock, "hub/state") && may(&clock, "clock-1/#"));
        for topic in [
            "clock-2/order",
            "+/order",
            "#",
            "+/+",
            "clock-1/../x",
            "board-1/#",
            "hub/#",
        ] {
            assert!(!may(&clock, topic), "{topic}");
        }
        assert!(!all.may_subscribe(&clock, "#") && !all.may_subscribe(&clock, "$SYS/#"));
        assert!(may(&User::Hub, "+/report") && !all.may_subscribe(&User::Hub, "#"));
    }

    #[test]
    fn a_revoked_or_renewed_secret_ends_its_connections() {
        let all = hall();
        let (told, mut ended) = mpsc::unbounded_channel();
        all.on_end(told);
        let clock = all.login("clock-1", Some("clock-1"), Some(b"one")).expect("logs in");
        all.set(id("clock-1"), Credential::of("one", [0; 12]), vec![]);
        assert!(ended.try_recv().is_err());
        all.set(id("clock-1"), Credential::of("new", [0; 12]), vec![]);
        assert_eq!(ended.try_recv().expect("told"), id("clock-1"));
        assert!(!all.may_publish(&clock, "flagfall/v1/main/clock-1/report"));
        all.revoke(&id("clock-1"));
        assert_eq!(ended.try_recv().expect("told"), id("clock-1"));
        assert!(all.login("clock-1", Some("clock-1"), Some(b"new")).is_err());
    }
}
