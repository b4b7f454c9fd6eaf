//! What things in a hall are called.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What was given as a name and cannot be one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is no {what}: {rule}")]
pub struct BadName {
    /// What was given.
    pub given: String,
    /// What it was to be.
    pub what: &'static str,
    /// How one is written.
    pub rule: &'static str,
}

fn slug(name: &str, longest: usize) -> bool {
    (1..=longest).contains(&name.len())
        && name
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $rule:literal, $check:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// As text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = BadName;
            fn from_str(name: &str) -> Result<$name, BadName> {
                let good: fn(&str) -> bool = $check;
                if good(name) {
                    return Ok($name(name.to_owned()));
                }
                let given: String = name.chars().take(80).flat_map(char::escape_default).collect();
                Err(BadName { given, what: $what, rule: $rule })
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadName;
            fn try_from(name: String) -> Result<$name, BadName> {
                name.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name!(
    /// An event's short name, as in addresses: `open-2026`.
    EventId,
    "event id",
    "1 to 64 of a-z, 0-9 and -",
    |name| slug(name, 64)
);
name!(
    /// A device's name, as in its topics: `clock-12`. `hub` is the hub's own.
    DeviceId,
    "device id",
    "1 to 32 of a-z, 0-9 and -, and not `hub`",
    |name| slug(name, 32) && name != "hub"
);
name!(
    /// A caller's own name for one call, so that it may be repeated.
    RequestId,
    "request id",
    "1 to 128 printable ASCII characters without spaces",
    |name| (1..=128).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_graphic())
);

/// A round of an event, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RoundNo(pub u32);

/// A table of the hall; no two events have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TableNo(pub u32);

/// One game, for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameId(pub uuid::Uuid);

impl fmt::Display for RoundNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for TableNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl FromStr for GameId {
    type Err = BadName;
    fn from_str(name: &str) -> Result<GameId, BadName> {
        uuid::Uuid::try_parse(name).map(GameId).map_err(|_| BadName {
            given: name.chars().take(80).flat_map(char::escape_default).collect(),
            what: "game id",
            rule: "a UUID",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_are_refused_and_quoted_harmlessly() {
        assert!("clock-12".parse::<DeviceId>().is_ok());
        for bad in ["", "Clock", "a/b", "+", "#", "a\u{1b}[31m", &"a".repeat(33)] {
            let told = bad.parse::<DeviceId>().unwrap_err().to_string();
            assert!(told.chars().all(|c| !c.is_control()), "{told:?}");
        }
        assert!(serde_json::from_str::<EventId>("\"../x\"").is_err());
    }
}
