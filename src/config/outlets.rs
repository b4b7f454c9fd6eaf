//! Where what is published goes by itself: files in a folder, broadcasts on Lichess.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A round: its event's id and its number.
pub type RoundKey = (String, u32);

/// The files of LiveChess, in a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LiveChess {
    /// The folder; none are written without one.
    pub folder: Option<PathBuf>,
}

/// Broadcasts on Lichess.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lichess {
    /// The server.
    pub url: String,
    /// A file with nothing but the token; nothing is pushed without one.
    pub token_file: Option<PathBuf>,
    /// Not more often than so many seconds of real time.
    pub every_s: u64,
    /// `open/1 = "AbCd1234"`: rounds of the hall's events, and the ids of the broadcasts' rounds.
    pub rounds: BTreeMap<String, String>,
}

impl Default for Lichess {
    fn default() -> Lichess {
        Lichess {
            url: "https://lichess.org".into(),
            token_file: None,
            every_s: 2,
            rounds: BTreeMap::new(),
        }
    }
}

impl Lichess {
    /// The rounds as they are meant.
    ///
    /// # Errors
    /// What is wrong with one of them.
    pub fn rounds(&self) -> Result<BTreeMap<RoundKey, String>, String> {
        let shown = |given: &str| -> String { given.chars().take(80).flat_map(char::escape_default).collect() };
        let one = |(round, id): (&String, &String)| {
            let (event, number) = round.rsplit_once('/').unwrap_or((round, ""));
            let slug = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            let number = number.parse().ok().filter(|number: &u32| *number > 0);
            let Some(number) = number.filter(|_| !event.is_empty() && event.bytes().all(slug)) else {
                let given = shown(round);
                return Err(format!(
                    "`{given}` is no round: write the event's id and the round's number, \"open/1\""
                ));
            };
            if id.len() != 8 || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                let given = shown(id);
                return Err(format!(
                    "`{given}` is no id of a broadcast's round: it is the 8 letters and figures at the end of its address"
                ));
            }
            Ok(((event.to_owned(), number), id.clone()))
        };
        self.rounds.iter().map(one).collect()
    }

    /// Pause between two pushes.
    pub fn every(&self) -> Duration {
        Duration::from_secs(self.every_s)
    }

    /// As the environment has it: `open/1=AbCd1234,open/2=EfGh5678`.
    pub(super) fn rounds_of(text: &str) -> Result<BTreeMap<String, String>, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let one = |part: &str| match part.split_once('=') {
            Some((round, id)) => Ok((round.trim().to_owned(), id.trim().to_owned())),
            None => Err("write open/1=AbCd1234,open/2=EfGh5678".to_owned()),
        };
        parts.map(one).collect()
    }

    /// The key that is wrong, and what is.
    pub(super) fn check(&self) -> Result<(), (&'static str, String)> {
        let server = self
            .url
            .strip_prefix("https://")
            .or_else(|| self.url.strip_prefix("http://"));
        if server.is_none_or(|rest| rest.is_empty() || self.url.parse::<http::Uri>().is_err()) {
            return Err((
                "lichess.url",
                format!("{:?} is no address: write https://lichess.org", self.url),
            ));
        }
        let secret = self.url.starts_with("https://");
        let own = server.is_some_and(|rest| {
            let host = rest.split(['/', ':']).next().unwrap_or_default();
            host == "localhost" || host == "127.0.0.1" || rest.starts_with("[::1]")
        });
        if !secret && !own {
            return Err((
                "lichess.url",
                "the token could be read on the way: write https://".to_owned(),
            ));
        }
        if self.every_s == 0 {
            return Err(("lichess.every_s", "0 is too often: 2 is a good value".to_owned()));
        }
        self.rounds().map_err(|what| ("lichess.rounds", what))?;
        if !self.rounds.is_empty() && self.token_file.is_none() {
            let what = "missing: a push needs the token of the broadcast's owner, in a file";
            return Err(("lichess.token_file", what.to_owned()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(rounds: &[(&str, &str)]) -> Result<(), (&'static str, String)> {
        let rounds = rounds.iter().map(|(round, id)| ((*round).to_owned(), (*id).to_owned()));
        Lichess {
            rounds: rounds.collect(),
            token_file: Some("token".into()),
            ..Lichess::default()
        }
        .check()
    }

    #[test]
    fn rounds_are_named_by_event_and_number() {
        assert_eq!(told(&[("open/1", "AbCd1234"), ("open/2", "EfGh5678")]), Ok(()));
        for (round, id) in [
            ("open", "AbCd1234"),
            ("open/0", "AbCd1234"),
            ("Open/1", "AbCd1234"),
            ("open/1", "short"),
        ] {
            let (key, what) = told(&[(round, id)]).expect_err(round);
            assert_eq!(key, "lichess.rounds");
            assert!(!what.is_empty());
        }
        let rounds = Lichess::rounds_of("open/1=AbCd1234, open/2=EfGh5678").expect("read");
        assert_eq!(rounds.len(), 2);
        assert!(Lichess::rounds_of("open/1").is_err());
    }

    #[test]
    fn a_token_is_not_sent_where_it_can_be_read() {
        let at = |url: &str| Lichess {
            url: url.to_owned(),
            ..Lichess::default()
        };
        for good in [
            "https://lichess.org",
            "https://lichess.dev/",
            "http://127.0.0.1:9663",
            "http://localhost:80",
        ] {
            assert_eq!(at(good).check(), Ok(()), "{good}");
        }
        for bad in [
            "http://lichess.org",
            "lichess.org",
            "https://",
            "ftp://x",
            "https://a b",
        ] {
            assert!(at(bad).check().is_err(), "{bad}");
        }
    }
}
