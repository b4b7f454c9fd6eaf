//! Where what is published goes by itself: files in a folder, broadcasts on Lichess.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Which games go to which round of a broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LichessRound {
    /// The event's id.
    pub event: String,
    /// The round's number.
    pub round: u32,
    /// Only these boards.
    pub boards: Option<RangeInclusive<u32>>,
    /// The round's id over there.
    pub id: String,
}

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
    /// `open/1 = "AbCd1234"`, `open/1/65-128 = "EfGh5678"`: rounds of the hall's events, or some boards of them, and the ids of the
    /// broadcasts' rounds.
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
    pub fn rounds(&self) -> Result<Vec<LichessRound>, String> {
        let rounds: Vec<LichessRound> = self.rounds.iter().map(round_of).collect::<Result<_, _>>()?;
        let mut known = BTreeSet::new();
        if let Some(twice) = rounds.iter().find(|round| !known.insert(&round.id)) {
            return Err(format!(
                "`{}` stands there twice: each would take away what the other has pushed; make another round there",
                twice.id
            ));
        }
        Ok(rounds)
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

fn shown(given: &str) -> String {
    given.chars().take(80).flat_map(char::escape_default).collect()
}

fn round_of((name, id): (&String, &String)) -> Result<LichessRound, String> {
    let mut parts = name.split('/');
    let event = parts.next().unwrap_or_default();
    let slug = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let number = parts.next().and_then(|number| number.parse().ok());
    let boards = parts.next().map(|boards| {
        let (first, last) = boards.split_once('-').unwrap_or((boards, boards));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        (0 < first && first <= last).then_some(first..=last)
    });
    let round = number.filter(|number: &u32| *number > 0);
    let (Some(round), None, false, false) = (round, parts.next(), event.is_empty(), boards == Some(None)) else {
        return Err(format!(
            "`{}` is no round: write the event's id and the round's number, \"open/1\", and for some of its boards only \"open/1/65-128\"",
            shown(name)
        ));
    };
    if !event.bytes().all(slug) {
        return Err(format!(
            "`{}` is no event's id: \"open/1\" is a round of `open`",
            shown(event)
        ));
    }
    if id.len() != 8 || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(format!(
            "`{}` is no id of a broadcast's round: it is the 8 letters and figures at the end of its address",
            shown(id)
        ));
    }
    Ok(LichessRound {
        event: event.to_owned(),
        round,
        boards: boards.flatten(),
        id: id.clone(),
    })
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
            ("open/1/", "AbCd1234"),
            ("open/1/0-9", "AbCd1234"),
            ("open/1/9-1", "AbCd1234"),
            ("open/1/1-9/2", "AbCd1234"),
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
    fn a_great_round_goes_to_several_by_its_boards_and_no_two_to_the_same() {
        let both = [("open/1/1-64", "AbCd1234"), ("open/1/65-128", "EfGh5678")];
        assert_eq!(told(&both), Ok(()));
        let rounds = Lichess::rounds_of("open/1/65-128=EfGh5678,open/1/7=AbCd1234").expect("read");
        let read = Lichess {
            rounds,
            ..Lichess::default()
        };
        let boards: Vec<_> = read
            .rounds()
            .expect("sound")
            .into_iter()
            .map(|one| one.boards)
            .collect();
        assert_eq!(boards, [Some(65..=128), Some(7..=7)]);
        let (_, what) = told(&[("open/1", "AbCd1234"), ("open/2", "AbCd1234")]).expect_err("twice");
        assert!(what.contains("twice"), "{what}");
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
