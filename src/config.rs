//! The configuration file: every key, its default, and where an error in it stands.
//!
//! `hall.toml` is read with unknown keys refused; then `FLAGFALL_…` variables of the environment go before it, and options of
//! the command line before both. What does not fit together is refused as a whole, before anything is opened.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::telemetry::LogFormat;

pub mod certificate;
mod language;
mod outlets;

pub use language::{Language, NoLanguage};
pub use outlets::{Lichess, LichessRound, LiveChess};

/// The commented default, as `flagfall config print` writes it.
pub const DEFAULT: &str = include_str!("config/hall.toml");

/// Everything that can be set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The hall.
    pub hall: Hall,
    /// Pages and API.
    pub listen: Listen,
    /// What the public gets.
    pub public: Public,
    /// Devices.
    pub mqtt: Mqtt,
    /// All games on paper.
    pub sheet: Sheet,
    /// Files for broadcasts.
    pub livechess: LiveChess,
    /// Broadcasts on Lichess.
    pub lichess: Lichess,
    /// Logs.
    pub log: Log,
    /// The `flagfall` that answers what takes longer than a game may wait; the command line sets it, no file does.
    #[serde(skip)]
    pub program: Option<PathBuf>,
}

/// The hall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hall {
    /// Its name in topics: `[a-z0-9-]{1,32}`.
    pub name: String,
    /// The journal and the state.
    pub data: PathBuf,
    /// Hall seconds in one real second; 1 in every real hall.
    pub speed: f64,
    /// Threads that run games; 0 is as many as the machine has cores.
    pub shards: usize,
    /// What arbiters are spoken to in who ask for no other language.
    pub language: Language,
}

/// Pages and API.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Listen {
    /// Pages, feeds, gRPC and metrics, for the inside of the hall.
    pub http: SocketAddr,
    /// Names by which browsers call it, beside `localhost` and its address.
    pub names: Vec<String>,
    /// The certificate, in PEM, with those that lead to its CA; with it the hub speaks TLS and nothing else there.
    pub certificate: Option<PathBuf>,
    /// The certificate's key.
    pub key: Option<PathBuf>,
    /// Plain HTTP off this machine's loopback, though tokens can be read on the way.
    pub insecure: bool,
}

/// What the public gets, each board later by its round's delay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Public {
    /// Pages, feeds and files for the public; none without it.
    pub listen: Option<SocketAddr>,
    /// The certificate that is shown there; plain HTTP without one: nothing secret goes over it.
    pub certificate: Option<PathBuf>,
    /// The certificate's key.
    pub key: Option<PathBuf>,
    /// So many connections at a time; who comes then waits.
    pub connections: usize,
}

impl Default for Public {
    fn default() -> Public {
        Public {
            listen: None,
            certificate: None,
            key: None,
            connections: 500,
        }
    }
}

/// Devices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mqtt {
    /// Where the embedded broker listens.
    pub listen: SocketAddr,
    /// Where it listens for devices by TLS, with the certificate of the pages.
    pub tls_listen: Option<SocketAddr>,
    /// `mqtt://host:1883` of another broker; the embedded one is then not started.
    pub url: Option<String>,
    /// The hub's name at the other broker.
    pub username: String,
    /// A file with nothing but the hub's password there.
    pub password_file: Option<PathBuf>,
    /// Plain MQTT off this machine's loopback, though passwords can be read on the way.
    pub insecure: bool,
    /// A device not heard for so long is silent, in seconds of real time.
    pub silent_after_s: u64,
}

/// All games on paper.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sheet {
    /// A folder, meant to be another machine's; none are written without one.
    pub folder: Option<PathBuf>,
    /// How often, in seconds of real time.
    pub every_s: u64,
}

impl Default for Sheet {
    fn default() -> Sheet {
        Sheet {
            folder: None,
            every_s: 60,
        }
    }
}

/// Logs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// What is logged, as `RUST_LOG` has it.
    pub filter: String,
    /// How.
    pub format: LogFormat,
}

impl Default for Hall {
    fn default() -> Hall {
        Hall {
            name: "hall".into(),
            data: "flagfall-data".into(),
            speed: 1.0,
            shards: 0,
            language: Language::English,
        }
    }
}

impl Default for Listen {
    fn default() -> Listen {
        Listen {
            http: SocketAddr::from(([127, 0, 0, 1], 7878)),
            names: Vec::new(),
            certificate: None,
            key: None,
            insecure: false,
        }
    }
}

impl Default for Mqtt {
    fn default() -> Mqtt {
        Mqtt {
            listen: SocketAddr::from(([127, 0, 0, 1], 1883)),
            tls_listen: None,
            url: None,
            username: "hub".into(),
            password_file: None,
            insecure: false,
            silent_after_s: 15,
        }
    }
}

impl Default for Log {
    fn default() -> Log {
        Log {
            filter: "info,mqtt5=error,mqtt5::broker::client_handler=warn".into(),
            format: LogFormat::Text,
        }
    }
}

/// Why a configuration is not taken.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file could not be read.
    #[error("{file}: {source}", file = file.display())]
    Unreadable {
        /// Which.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is not TOML, or a key or value is unknown.
    #[error("{file}, line {line}{key}: {what}", file = file.display(), key = in_key(key))]
    Syntax {
        /// The file.
        file: PathBuf,
        /// Counted from 1.
        line: usize,
        /// The key, as far as it is known.
        key: String,
        /// What is wrong.
        what: String,
    },
    /// A variable of the environment cannot be so.
    #[error("the environment's {variable}: {what}")]
    Environment {
        /// Which.
        variable: String,
        /// What is wrong.
        what: String,
    },
    /// A value cannot be so, alone or with another.
    #[error("{place}{key}: {what}")]
    Value {
        /// `hall.toml, line 7, `; empty where it does not come from a file.
        place: String,
        /// `mqtt.listen`.
        key: &'static str,
        /// What is wrong and what to do.
        what: String,
    },
}

fn in_key(key: &str) -> String {
    if key.is_empty() {
        String::new()
    } else {
        format!(", key `{key}`")
    }
}

impl Config {
    /// Reads a file (or, without one, the defaults), then the environment, and checks all of it.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn load(file: Option<&Path>) -> Result<Config, ConfigError> {
        let mut config = match file {
            Some(file) => Config::parse(file, &read(file)?)?,
            None => Config::default(),
        };
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        no_misspelt_variable(names)?;
        config.take_environment(|name| std::env::var(name).ok())?;
        config.check().map_err(|error| error.placed(file))?;
        Ok(config)
    }

    /// Reads and checks a file alone.
    ///
    /// # Errors
    /// The first thing that is wrong, with line and key.
    pub fn check_file(file: &Path) -> Result<Config, ConfigError> {
        let config = Config::parse(file, &read(file)?)?;
        config.check().map_err(|error| error.placed(Some(file)))?;
        Ok(config)
    }

    fn parse(file: &Path, text: &str) -> Result<Config, ConfigError> {
        toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            ConfigError::Syntax {
                file: file.to_owned(),
                line: line_of(text, at),
                key: key_at(text, at),
                what: error.message().to_owned(),
            }
        })
    }

    /// `FLAGFALL_HALL_SPEED=60` is `hall.speed = 60`.
    fn take_environment(&mut self, variable: impl Fn(&str) -> Option<String>) -> Result<(), ConfigError> {
        fn parsed<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, ConfigError>
        where
            T::Err: std::fmt::Display,
        {
            text.trim().parse().map_err(|error: T::Err| ConfigError::Environment {
                variable: name.to_owned(),
                what: format!("`{}` cannot be read: {error}", text.escape_default()),
            })
        }
        for key in KEYS {
            let name = format!("FLAGFALL_{}", key.to_uppercase().replace('.', "_"));
            let Some(text) = variable(&name) else { continue };
            match *key {
                "hall.name" => self.hall.name = text,
                "hall.data" => self.hall.data = text.into(),
                "hall.speed" => self.hall.speed = parsed(&name, &text)?,
                "hall.shards" => self.hall.shards = parsed(&name, &text)?,
                "hall.language" => self.hall.language = parsed(&name, &text)?,
                "listen.http" => self.listen.http = parsed(&name, &text)?,
                "listen.names" => {
                    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
                    self.listen.names = names.map(str::to_owned).collect();
                }
                "listen.certificate" => self.listen.certificate = (!text.is_empty()).then(|| text.into()),
                "listen.key" => self.listen.key = (!text.is_empty()).then(|| text.into()),
                "listen.insecure" => self.listen.insecure = parsed(&name, &text)?,
                "public.listen" => {
                    self.public.listen = if text.is_empty() {
                        None
                    } else {
                        Some(parsed(&name, &text)?)
                    };
                }
                "public.certificate" => self.public.certificate = (!text.is_empty()).then(|| text.into()),
                "public.key" => self.public.key = (!text.is_empty()).then(|| text.into()),
                "public.connections" => self.public.connections = parsed(&name, &text)?,
                "mqtt.tls_listen" => {
                    self.mqtt.tls_listen = if text.is_empty() {
                        None
                    } else {
                        Some(parsed(&name, &text)?)
                    };
                }
                "mqtt.listen" => self.mqtt.listen = parsed(&name, &text)?,
                "mqtt.url" => self.mqtt.url = (!text.is_empty()).then_some(text),
                "mqtt.username" => self.mqtt.username = text,
                "mqtt.password_file" => self.mqtt.password_file = (!text.is_empty()).then(|| text.into()),
                "mqtt.insecure" => self.mqtt.insecure = parsed(&name, &text)?,
                "mqtt.silent_after_s" => self.mqtt.silent_after_s = parsed(&name, &text)?,
                "sheet.folder" => self.sheet.folder = (!text.is_empty()).then(|| text.into()),
                "sheet.every_s" => self.sheet.every_s = parsed(&name, &text)?,
                "livechess.folder" => self.livechess.folder = (!text.is_empty()).then(|| text.into()),
                "lichess.url" => self.lichess.url = text,
                "lichess.token_file" => self.lichess.token_file = (!text.is_empty()).then(|| text.into()),
                "lichess.every_s" => self.lichess.every_s = parsed(&name, &text)?,
                "lichess.rounds" => {
                    let rounds = Lichess::rounds_of(&text);
                    self.lichess.rounds = rounds.map_err(|what| ConfigError::Environment { variable: name, what })?;
                }
                "log.filter" => self.log.filter = text,
                "log.format" => {
                    self.log.format = match text.as_str() {
                        "text" => LogFormat::Text,
                        "json" => LogFormat::Json,
                        _ => {
                            let what = "write `text` or `json`".to_owned();
                            return Err(ConfigError::Environment { variable: name, what });
                        }
                    }
                }
                other => unreachable!("`{other}` stands in KEYS and not here"),
            }
        }
        Ok(())
    }

    /// What cannot be, alone or together.
    ///
    /// # Errors
    /// The first such thing.
    pub fn check(&self) -> Result<(), ConfigError> {
        let refuse = |key, what: String| {
            Err(ConfigError::Value {
                place: String::new(),
                key,
                what,
            })
        };
        let name = &self.hall.name;
        let slug = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        if !(1..=32).contains(&name.len()) || !name.bytes().all(slug) {
            return refuse(
                "hall.name",
                format!("{name:?} is no name for topics: 1 to 32 of a-z, 0-9 and -"),
            );
        }
        if !(self.hall.speed.is_finite() && (0.1..=10_000.0).contains(&self.hall.speed)) {
            return refuse(
                "hall.speed",
                format!("{} is no speed: 1 in a real hall, 0.1 to 10000", self.hall.speed),
            );
        }
        if self.hall.shards > 256 {
            return refuse("hall.shards", format!("{} is too many: 0 to 256", self.hall.shards));
        }
        if self.mqtt.silent_after_s == 0 {
            return refuse(
                "mqtt.silent_after_s",
                "0 would call every device silent; 15 is a good value".into(),
            );
        }
        if self.sheet.every_s == 0 {
            return refuse(
                "sheet.every_s",
                "0 would write without a pause; 60 is a good value".into(),
            );
        }
        if let Err((key, what)) = self.lichess.check() {
            return refuse(key, what);
        }
        self.check_listen()?;
        self.check_public()?;
        match &self.mqtt.url {
            None if !self.mqtt.listen.ip().is_loopback() && !self.mqtt.insecure => refuse(
                "mqtt.listen",
                format!(
                    "{} is reachable from outside this machine without TLS, so passwords can be read on the way; listen on \
                     127.0.0.1 and for devices by TLS (`mqtt.tls_listen`), or set `mqtt.insecure = true` (every arbiter's \
                     page will say so)",
                    self.mqtt.listen
                ),
            ),
            None => Ok(()),
            Some(url) => {
                let Some(broker) = Broker::parse(url) else {
                    return refuse(
                        "mqtt.url",
                        format!("{url:?} is no address: write mqtt://host or mqtt://host:1883"),
                    );
                };
                if !broker.is_loopback() && !self.mqtt.insecure {
                    return refuse(
                        "mqtt.url",
                        format!(
                            "the way to {} is without TLS, so passwords can be read on it; use a broker on this machine, or \
                             set `mqtt.insecure = true` (every arbiter's page will say so)",
                            broker.host
                        ),
                    );
                }
                if self.mqtt.password_file.is_none() {
                    return refuse(
                        "mqtt.password_file",
                        "missing: with `mqtt.url` it must name a file with the hub's password at that broker".into(),
                    );
                }
                Ok(())
            }
        }
    }

    /// Pages and API, and the certificate that devices are shown too.
    fn check_listen(&self) -> Result<(), ConfigError> {
        let refuse = |key, what: String| {
            Err(ConfigError::Value {
                place: String::new(),
                key,
                what,
            })
        };
        match (&self.listen.certificate, &self.listen.key) {
            (Some(certificate), Some(key)) => {
                if let Err(wrong) = certificate::load(certificate, key) {
                    let key = if wrong.is_key {
                        "listen.key"
                    } else {
                        "listen.certificate"
                    };
                    return refuse(key, wrong.to_string());
                }
            }
            (Some(_), None) => return refuse("listen.key", "missing: a certificate needs its key".into()),
            (None, Some(_)) => return refuse("listen.certificate", "missing: a key needs its certificate".into()),
            (None, None) if !self.listen.http.ip().is_loopback() && !self.listen.insecure => {
                return refuse(
                    "listen.http",
                    format!(
                        "{} is reachable from outside this machine without TLS, so tokens can be read on the way; make a \
                         certificate with `flagfall tls init` and set `listen.certificate` and `listen.key`, listen on 127.0.0.1, \
                         or set `listen.insecure = true` (every arbiter's page will say so)",
                        self.listen.http
                    ),
                );
            }
            (None, None) => {}
        }
        if self.mqtt.tls_listen.is_some() {
            if self.listen.certificate.is_none() {
                return refuse(
                    "mqtt.tls_listen",
                    "TLS needs a certificate: set `listen.certificate` and `listen.key`".into(),
                );
            }
            if self.mqtt.url.is_some() {
                return refuse(
                    "mqtt.tls_listen",
                    "the embedded broker is not started with `mqtt.url`: let the other broker speak TLS".into(),
                );
            }
        }
        Ok(())
    }

    /// What the public gets.
    fn check_public(&self) -> Result<(), ConfigError> {
        let refuse = |key, what: &str| {
            Err(ConfigError::Value {
                place: String::new(),
                key,
                what: what.to_owned(),
            })
        };
        match (&self.public.certificate, &self.public.key) {
            (Some(certificate), Some(key)) => {
                if let Err(wrong) = certificate::load(certificate, key) {
                    let key = if wrong.is_key {
                        "public.key"
                    } else {
                        "public.certificate"
                    };
                    return refuse(key, &wrong.to_string());
                }
            }
            (Some(_), None) => return refuse("public.key", "missing: a certificate needs its key"),
            (None, Some(_)) => return refuse("public.certificate", "missing: a key needs its certificate"),
            (None, None) => {}
        }
        if self.public.connections == 0 {
            return refuse("public.connections", "0 would serve nobody; 500 is a good value");
        }
        let shared = self
            .public
            .listen
            .filter(|public| public.port() != 0 && *public == self.listen.http);
        if shared.is_some() {
            return refuse(
                "public.listen",
                "the inside of the hall listens there (`listen.http`): take another port",
            );
        }
        Ok(())
    }

    /// Something is made for the public.
    pub fn serves_public(&self) -> bool {
        self.public.listen.is_some() || self.livechess.folder.is_some() || !self.lichess.rounds.is_empty()
    }

    /// Devices or people reach the hub from outside this machine without TLS.
    pub fn is_insecure(&self) -> bool {
        let plain_pages = self.listen.certificate.is_none() && !self.listen.http.ip().is_loopback();
        plain_pages || self.is_mqtt_insecure()
    }

    /// MQTT is reachable from outside this machine without TLS.
    fn is_mqtt_insecure(&self) -> bool {
        match self.mqtt.url.as_deref().and_then(Broker::parse) {
            Some(broker) => !broker.is_loopback(),
            None => !self.mqtt.listen.ip().is_loopback(),
        }
    }

    /// A device not heard for so long is silent.
    pub fn silent_after(&self) -> Duration {
        Duration::from_secs(self.mqtt.silent_after_s)
    }
}

impl ConfigError {
    /// With the line of the file in which the key stands.
    fn placed(self, file: Option<&Path>) -> ConfigError {
        match (self, file) {
            (ConfigError::Value { key, what, .. }, Some(file)) => {
                let text = std::fs::read_to_string(file).unwrap_or_default();
                let mut place = file.display().to_string();
                if let Some(line) = line_of_key(&text, key) {
                    let _infallible = write!(place, ", line {line}");
                }
                ConfigError::Value {
                    place: place + ": ",
                    key,
                    what,
                }
            }
            (error, _) => error,
        }
    }
}

/// Another broker's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broker {
    /// Name or address.
    pub host: String,
    /// 1883 where none is given.
    pub port: u16,
}

impl Broker {
    /// Reads `mqtt://host[:port]`.
    pub fn parse(url: &str) -> Option<Broker> {
        let rest = url
            .strip_prefix("mqtt://")
            .or_else(|| url.strip_prefix("tcp://"))?
            .trim_end_matches('/');
        if let Ok(address) = rest.parse::<SocketAddr>() {
            return Some(Broker {
                host: address.ip().to_string(),
                port: address.port(),
            });
        }
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().ok()?),
            None => (rest, 1883),
        };
        let good = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'.';
        (!host.is_empty() && host.bytes().all(good)).then(|| Broker {
            host: host.to_owned(),
            port,
        })
    }

    fn is_loopback(&self) -> bool {
        self.host == "localhost" || self.host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}

/// Every key that an environment variable can set.
const KEYS: &[&str] = &[
    "hall.name",
    "hall.data",
    "hall.speed",
    "hall.shards",
    "hall.language",
    "listen.http",
    "listen.names",
    "listen.certificate",
    "listen.key",
    "listen.insecure",
    "public.listen",
    "public.certificate",
    "public.key",
    "public.connections",
    "mqtt.listen",
    "mqtt.tls_listen",
    "mqtt.url",
    "mqtt.username",
    "mqtt.password_file",
    "mqtt.insecure",
    "mqtt.silent_after_s",
    "sheet.folder",
    "sheet.every_s",
    "livechess.folder",
    "lichess.url",
    "lichess.token_file",
    "lichess.every_s",
    "lichess.rounds",
    "log.filter",
    "log.format",
];

fn read(file: &Path) -> Result<String, ConfigError> {
    std::fs::read_to_string(file).map_err(|source| ConfigError::Unreadable {
        file: file.to_owned(),
        source,
    })
}

fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|&b| b == b'\n').count() + 1
}

/// The key at this place of a file, with its table's name.
fn key_at(text: &str, at: usize) -> String {
    let mut table = String::new();
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            table = name.trim().to_owned();
        }
        begin += line.len();
        if begin > at {
            let key = trimmed.split(['=', '#']).next().unwrap_or_default().trim();
            return match (table.is_empty(), key.is_empty() || key.starts_with('[')) {
                (_, true) => table,
                (true, false) => key.to_owned(),
                (false, false) => format!("{table}.{key}"),
            };
        }
    }
    String::new()
}

/// A variable for one of the file's tables that is no key of it is a slip of the pen, and would be passed over in silence.
fn no_misspelt_variable(names: impl Iterator<Item = String>) -> Result<(), ConfigError> {
    let variable = |key: &str| format!("FLAGFALL_{}", key.to_uppercase().replace('.', "_"));
    let known: Vec<String> = KEYS.iter().map(|key| variable(key)).collect();
    let tables: Vec<String> = KEYS
        .iter()
        .filter_map(|key| Some(format!("{}_", variable(key.split_once('.')?.0))))
        .collect();
    for name in names {
        if tables.iter().any(|table| name.starts_with(table.as_str())) && !known.contains(&name) {
            let nearest = known.iter().min_by_key(|known| distance(known, &name));
            let meant = nearest.map_or(String::new(), |nearest| format!(": is {nearest} meant?"));
            let what = format!("no key has this variable{meant} `flagfall config print` lists all");
            return Err(ConfigError::Environment { variable: name, what });
        }
    }
    Ok(())
}

/// How many letters have to be changed, added or left out.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, a) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, b) in other.iter().enumerate() {
            let changed = diagonal + usize::from(a != *b);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

fn line_of_key(text: &str, wanted: &str) -> Option<usize> {
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if key_at(text, at) == wanted && line.contains('=') {
            return Some(number + 1);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_variable_is_refused_with_the_one_that_is_meant() {
        let check = |names: &[&str]| no_misspelt_variable(names.iter().map(|name| (*name).to_owned()));
        assert!(check(&["FLAGFALL_HALL_SPEED", "FLAGFALL_TOKEN", "FLAGFALL_HUB", "PATH"]).is_ok());
        let told = check(&["FLAGFALL_HALL_SPED"]).expect_err("misspelt").to_string();
        assert!(
            told.contains("FLAGFALL_HALL_SPED") && told.contains("is FLAGFALL_HALL_SPEED meant?"),
            "{told}"
        );
    }

    fn refused(text: &str) -> String {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), text).expect("written");
        let told = Config::check_file(file.path())
            .expect_err("must be refused")
            .to_string();
        told.replace(&file.path().display().to_string(), "hall.toml")
    }

    #[test]
    fn the_printed_default_is_the_default_and_names_every_key() {
        let printed: Config = toml::from_str(DEFAULT).expect("the default is read");
        assert_eq!(printed, Config::default());
        for key in KEYS {
            let (table, name) = key.split_once('.').expect("two parts");
            assert!(DEFAULT.contains(&format!("[{table}]")), "{key}");
            assert!(
                DEFAULT
                    .lines()
                    .any(|line| line.trim_start_matches("# ").starts_with(&format!("{name} ="))),
                "{key} is not documented"
            );
            assert!(
                DEFAULT.contains(&format!("FLAGFALL_{}", key.to_uppercase().replace('.', "_"))),
                "{key}: its variable"
            );
        }
    }

    #[test]
    fn an_error_names_line_and_key() {
        let told = refused("[hall]\nname = \"main\"\nspeeed = 2\n");
        assert!(
            told.starts_with("hall.toml, line 3, key `hall.speeed`: unknown field"),
            "{told}"
        );
        let told = refused("[hall]\nspeed = \"fast\"\n");
        assert!(
            told.starts_with("hall.toml, line 2, key `hall.speed`: invalid type"),
            "{told}"
        );
        let told = refused("[mqtt]\n# everywhere\nlisten = \"0.0.0.0:1883\"\n");
        assert!(
            told.starts_with("hall.toml, line 3: mqtt.listen: 0.0.0.0:1883 is reachable"),
            "{told}"
        );
    }

    #[test]
    fn plain_mqtt_off_loopback_needs_the_word_insecure() {
        let mut config = Config::default();
        config.mqtt.listen = "0.0.0.0:1883".parse().expect("an address");
        assert!(config.check().is_err());
        config.mqtt.insecure = true;
        assert!(config.check().is_ok() && config.is_insecure());
        let mut config = Config::default();
        config.mqtt.password_file = Some("secret".into());
        for (url, good) in [
            ("mqtt://localhost", true),
            ("mqtt://[::1]:1884", true),
            ("mqtt://10.0.0.1", false),
        ] {
            config.mqtt.url = Some(url.into());
            assert_eq!(config.check().is_ok(), good, "{url}");
        }
        assert_eq!(Broker::parse("mqtt://h:x"), None);
    }

    #[test]
    fn plain_pages_off_loopback_need_a_certificate_or_the_word_insecure() {
        let mut config = Config::default();
        config.listen.http = "0.0.0.0:7878".parse().expect("an address");
        let told = config.check().expect_err("plain").to_string();
        assert!(told.contains("flagfall tls init"), "{told}");
        config.listen.insecure = true;
        assert!(config.check().is_ok() && config.is_insecure());
        let told = refused("[listen]\nkey = \"hub.key\"\n");
        assert!(told.contains("listen.certificate: missing"), "{told}");
        let told = refused("[listen]\n\ncertificate = \"none.pem\"\nkey = \"none.key\"\n");
        assert!(
            told.starts_with("hall.toml, line 3: listen.certificate: none.pem: No such file"),
            "{told}"
        );
        let told = refused("[mqtt]\ntls_listen = \"0.0.0.0:8883\"\n");
        assert!(
            told.starts_with("hall.toml, line 2: mqtt.tls_listen: TLS needs"),
            "{told}"
        );
    }

    #[test]
    fn the_environment_goes_before_the_file() {
        let mut config: Config = toml::from_str("[hall]\nspeed = 2").expect("read");
        config
            .take_environment(|name| (name == "FLAGFALL_HALL_SPEED").then(|| "60".into()))
            .expect("taken");
        assert_eq!(config.hall.speed, 60.0);
        let told = config
            .take_environment(|name| (name == "FLAGFALL_MQTT_LISTEN").then(|| "x".into()))
            .unwrap_err();
        assert!(told.to_string().contains("FLAGFALL_MQTT_LISTEN"));
        config
            .take_environment(|_| Some("1".into()))
            .expect_err("an address is not 1");
    }
}
