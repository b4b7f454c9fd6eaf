//! A round for a broadcast on Lichess: what is pushed, and what comes of the answer.
//!
//! `POST /api/broadcast/round/{id}/push` takes the PGN of up to 100 games, parted by empty lines, and the whole of it each time. The
//! answer says for every game how many half-moves were read, or what is wrong with it; it is 200 also where single games were not
//! taken, so that it has to be read.
//!
//! Games are told apart over there by `GameId`, `Board` and the players' names: these never change within a round. A game that was
//! pushed once is pushed every time, and boards are in order.
//!
//! A round there shows a hundred games. A greater one is told in several, each with its own boards.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;

use super::livechess::{Times, Written};
use super::pgn;
use super::published::{PublishedBoard, PublishedRound};
use crate::hall::ids::TableNo;
use crate::hall::model::RoundStatus;

/// So many games are taken at once, and shown in a round.
pub const MOST_GAMES: usize = 100;
/// Whoever is told that he asks too often waits at least so long.
const TOO_OFTEN: Duration = Duration::from_secs(60);
/// Words of another program are cut after so many letters.
const LONGEST: usize = 200;

/// A round's id over there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundId(String);

/// What cannot be a round's id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no id of a broadcast round: it is the 8 letters and figures at the end of the round's address on Lichess"
)]
pub struct NoRoundId(String);

impl std::str::FromStr for RoundId {
    type Err = NoRoundId;
    fn from_str(text: &str) -> Result<RoundId, NoRoundId> {
        if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            Ok(RoundId(text.to_owned()))
        } else {
            Err(NoRoundId(
                text.chars().take(80).flat_map(char::escape_default).collect(),
            ))
        }
    }
}

impl fmt::Display for RoundId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Where a round's games are pushed to, on a server like `https://lichess.org`.
pub fn address(server: &str, round: &RoundId) -> String {
    format!("{}/api/broadcast/round/{round}/push", server.trim_end_matches('/'))
}

/// What is pushed.
#[derive(Clone, Debug, PartialEq)]
pub struct Push {
    /// The games as PGN.
    pub body: String,
    /// Whose games they are, in their order.
    pub games: Vec<Pushed>,
}

/// A game of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pushed {
    /// Where it is played.
    pub table: TableNo,
    /// Its own name, over there too.
    pub id: Option<String>,
    /// Half-moves in the PGN.
    pub plies: usize,
}

/// Boards from one number to another; `None`: all of a round.
pub type Boards = Option<RangeInclusive<u32>>;

/// The round with these boards only, and no more of them than are taken.
pub fn part(round: &PublishedRound, boards: &Boards) -> PublishedRound {
    PublishedRound {
        boards: taken(round, boards).cloned().collect(),
        ..round.clone()
    }
}

fn taken<'a>(round: &'a PublishedRound, boards: &'a Boards) -> impl Iterator<Item = &'a Arc<PublishedBoard>> {
    let own = move |board: &&Arc<PublishedBoard>| boards.as_ref().is_none_or(|boards| boards.contains(&board.board));
    round.boards.iter().filter(own).take(MOST_GAMES)
}

/// The boards of a round that go to none of these; of a round that is over nobody need know.
pub fn left_out<'a>(round: &PublishedRound, ways: impl IntoIterator<Item = &'a Boards>) -> Vec<u32> {
    if round.status == RoundStatus::Ended {
        return Vec::new();
    }
    let mut left: BTreeSet<u32> = round.boards.iter().map(|board| board.board).collect();
    for boards in ways {
        for board in taken(round, boards) {
            left.remove(&board.board);
        }
    }
    left.into_iter().collect()
}

/// Numbers in order as people write them: `101-104, 120`.
pub fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let run = |run: &[u32]| match run {
        [] => String::new(),
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
    };
    runs.map(run).collect::<Vec<_>>().join(", ")
}

/// A round, or a part of it, as it is pushed.
pub fn push(round: &PublishedRound, times: Times, written: &mut Written) -> Push {
    let taken = || taken(round, &None);
    let texts: Vec<Arc<str>> = taken().map(|board| written.pgn(round, board, times)).collect();
    let games = taken().map(|board| Pushed {
        table: board.table,
        id: board.score.game_id.clone(),
        plies: pgn::mainline(&board.score).moves.len(),
    });
    Push {
        // Each ends with a line's end: one more parts them.
        body: texts.join("\n"),
        games: games.collect(),
    }
}

/// Something wrong with one game, as the server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Where it is played.
    pub table: TableNo,
    /// What is wrong.
    pub why: String,
}

/// Why a push was not taken. It is tried again, with what is new by then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotTaken {
    /// The server does not know the token, or it may not do this.
    #[error(
        "the token is not taken ({status}): it has to have the right `study:write`, and its owner has to own the broadcast"
    )]
    Token {
        /// 401 or 403.
        status: u16,
    },
    /// There is no such round.
    #[error("there is no such round (404): the id in `lichess.rounds` is at the end of the round's address")]
    NoRound,
    /// Refused as a whole.
    #[error("it was refused ({status}): {why}")]
    Refused {
        /// 400, …
        status: u16,
        /// In the server's words.
        why: String,
    },
    /// The server is asked too often.
    #[error("the server is asked too often (429); again in {} s", wait.as_secs())]
    TooOften {
        /// Not before.
        wait: Duration,
    },
    /// The server has trouble of its own.
    #[error("the server has trouble ({status})")]
    Trouble {
        /// 5xx.
        status: u16,
        /// Not before, if it says so.
        wait: Option<Duration>,
    },
    /// It answered something else than it should.
    #[error("the answer cannot be read: {0}; is `lichess.url` right?")]
    Unreadable(String),
    /// It was not reached.
    #[error("the server is not reached: {0}")]
    Unreached(String),
    /// The token's file cannot be read.
    #[error("the token is not known: {0}")]
    NoToken(String),
}

impl NotTaken {
    /// It is not tried again before.
    pub fn wait(&self) -> Duration {
        match self {
            NotTaken::TooOften { wait } => *wait,
            NotTaken::Trouble { wait, .. } => wait.unwrap_or_default(),
            _ => Duration::ZERO,
        }
    }
}

#[derive(Deserialize)]
struct Answer {
    games: Vec<GameAnswer>,
}

#[derive(Deserialize)]
struct GameAnswer {
    #[serde(default)]
    tags: std::collections::BTreeMap<String, String>,
    #[serde(default)]
    moves: Option<usize>,
    #[serde(default)]
    error: Option<String>,
}

#[derive(Deserialize)]
struct ErrorAnswer {
    error: serde_json::Value,
}

/// Reads the answer to a push: the games that were not taken, or not to their end.
///
/// # Errors
/// The push as a whole was not taken.
pub fn answer(push: &Push, status: u16, retry_after: Option<Duration>, body: &[u8]) -> Result<Vec<Refused>, NotTaken> {
    match status {
        200 => {}
        401 | 403 => return Err(NotTaken::Token { status }),
        404 => return Err(NotTaken::NoRound),
        429 => {
            return Err(NotTaken::TooOften {
                wait: retry_after.unwrap_or(TOO_OFTEN).max(TOO_OFTEN),
            });
        }
        500..=599 => {
            return Err(NotTaken::Trouble {
                status,
                wait: retry_after,
            });
        }
        _ => {
            if let Ok(read) = serde_json::from_slice::<Answer>(body)
                && read.games.len() == push.games.len()
            {
                return Ok(refused(push, &read.games));
            }
            let why = match serde_json::from_slice::<ErrorAnswer>(body).map(|answer| answer.error) {
                Ok(serde_json::Value::String(why)) => plain(&why),
                Ok(other) => plain(&other.to_string()),
                Err(_) => {
                    let games = serde_json::from_slice::<Answer>(body)
                        .map(|read| read.games)
                        .unwrap_or_default();
                    match games.into_iter().find_map(|told| told.error) {
                        Some(why) => plain(&why),
                        None => plain(&String::from_utf8_lossy(body)),
                    }
                }
            };
            return Err(NotTaken::Refused { status, why });
        }
    }
    let read: Answer = serde_json::from_slice(body).map_err(|error| NotTaken::Unreadable(error.to_string()))?;
    if read.games.len() > push.games.len() {
        let (told, pushed) = (read.games.len(), push.games.len());
        return Err(NotTaken::Unreadable(format!(
            "{told} games were pushed, it says, and not {pushed}"
        )));
    }
    // A round that takes no pushes answers so for all games at once.
    let of_all = |told: &&GameAnswer| told.error.is_some() && told.tags.is_empty();
    if read.games.len() < push.games.len()
        && let Some(why) = read.games.iter().find(of_all).and_then(|told| told.error.as_deref())
    {
        return Err(NotTaken::Refused {
            status,
            why: plain(why),
        });
    }
    Ok(refused(push, &read.games))
}

/// The games that were not taken, or not to their end.
fn refused(push: &Push, answers: &[GameAnswer]) -> Vec<Refused> {
    let in_order = answers.len() == push.games.len();
    let mut refused = Vec::new();
    for (at, game) in push.games.iter().enumerate() {
        let own = |told: &&GameAnswer| game.id.is_some() && told.tags.get("GameId") == game.id.as_ref();
        let told = answers.iter().find(own).or_else(|| {
            let same_place = answers.get(at).filter(|_| in_order)?;
            (!same_place.tags.contains_key("GameId") || game.id.is_none()).then_some(same_place)
        });
        let why = match told {
            None => "the game is not in the answer".to_owned(),
            Some(GameAnswer { error: Some(error), .. }) => plain(error),
            Some(GameAnswer { moves: Some(moves), .. }) if *moves < game.plies => {
                format!("only {moves} of {} half-moves were read", game.plies)
            }
            Some(_) => continue,
        };
        refused.push(Refused { table: game.table, why });
    }
    refused
}

/// A stranger's words, on one line and not too long.
fn plain(words: &str) -> String {
    let clean: String = words
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(LONGEST)
        .collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn three() -> Push {
        let game = |table, id: &str, plies| Pushed {
            table: TableNo(table),
            id: Some(id.to_owned()),
            plies,
        };
        Push {
            body: String::new(),
            games: vec![game(1, "a", 4), game(2, "b", 6), game(3, "c", 0)],
        }
    }

    fn told(status: u16, body: &str) -> Result<Vec<Refused>, NotTaken> {
        answer(&three(), status, None, body.as_bytes())
    }

    #[test]
    fn an_answer_is_read_game_by_game_also_where_it_is_200() {
        let all = r#"{"games":[{"tags":{},"moves":4},{"tags":{},"moves":6},{"tags":{},"moves":0}]}"#;
        assert_eq!(told(200, all), Ok(vec![]));
        let one =
            r#"{"games":[{"tags":{"White":"A"},"moves":4},{"tags":{},"error":"Cannot parse\nmove 3"},{"tags":{}}]}"#;
        assert_eq!(
            told(200, one),
            Ok(vec![Refused {
                table: TableNo(2),
                why: "Cannot parse move 3".to_owned()
            }])
        );
        let short = r#"{"games":[{"tags":{},"moves":3},{"tags":{},"moves":6},{"tags":{},"moves":0}]}"#;
        assert_eq!(
            told(200, short).expect("taken")[0].why,
            "only 3 of 4 half-moves were read"
        );
    }

    #[test]
    fn games_are_known_by_their_id_where_the_answer_has_it_in_another_order_or_leaves_one_out() {
        let turned = r#"{"games":[{"tags":{"GameId":"c"},"moves":0},{"tags":{"GameId":"b"},"error":"no"},{"tags":{"GameId":"a"},"moves":4}]}"#;
        assert_eq!(told(200, turned).expect("taken")[0].table, TableNo(2));
        let less = r#"{"games":[{"tags":{"GameId":"a"},"moves":4},{"tags":{"GameId":"c"},"moves":0}]}"#;
        assert_eq!(
            told(200, less),
            Ok(vec![Refused {
                table: TableNo(2),
                why: "the game is not in the answer".to_owned()
            }])
        );
    }

    #[test]
    fn what_was_not_taken_says_why_and_when_to_try_again() {
        assert_eq!(told(401, ""), Err(NotTaken::Token { status: 401 }));
        assert_eq!(told(404, "<html>"), Err(NotTaken::NoRound));
        let refused = told(400, r#"{"error":"The broadcast has an upstream URL"}"#).expect_err("refused");
        assert_eq!(
            refused.to_string(),
            "it was refused (400): The broadcast has an upstream URL"
        );
        assert_eq!(told(429, "").expect_err("too often").wait(), Duration::from_secs(60));
        let later = answer(&three(), 429, Some(Duration::from_secs(90)), b"").expect_err("too often");
        assert_eq!(later.wait(), Duration::from_secs(90));
        assert_eq!(told(503, "").expect_err("trouble").wait(), Duration::ZERO);
        assert!(matches!(told(200, "<html>"), Err(NotTaken::Unreadable(_))));
        for status in [200, 400] {
            let none = told(status, r#"{"games":[{"tags":{},"error":"it has an upstream URL"}]}"#);
            assert_eq!(
                none,
                Err(NotTaken::Refused {
                    status,
                    why: "it has an upstream URL".to_owned()
                })
            );
        }
    }

    fn round(boards: impl Iterator<Item = u32>) -> PublishedRound {
        let board = |number: u32| PublishedBoard {
            table: TableNo(number),
            board: number,
            game: None,
            score: pgn::Score::default(),
            stage: crate::broadcast::published::Stage::Live,
            clocks: None,
            fen: String::new(),
            paused: false,
        };
        PublishedRound {
            event: crate::broadcast::published::PublishedEvent {
                id: "open".parse().expect("an id"),
                name: "Open".to_owned(),
                site: String::new(),
                date: String::new(),
            },
            number: crate::hall::ids::RoundNo(1),
            status: RoundStatus::Started,
            control: None,
            boards: boards.map(|number| Arc::new(board(number))).collect(),
        }
    }

    #[test]
    fn a_great_round_goes_to_several_and_what_goes_to_none_is_known() {
        let mut whole = round(1..=150);
        assert_eq!(part(&whole, &None).boards.len(), MOST_GAMES);
        assert_eq!(ranges(&left_out(&whole, [&None])), "101-150");
        let halves = [Some(1..=75), Some(76..=150)];
        assert_eq!(part(&whole, &halves[1]).boards[0].board, 76);
        assert_eq!(left_out(&whole, &halves), [0; 0]);
        assert_eq!(
            ranges(&left_out(&whole, [&Some(2..=64), &Some(66..=120)])),
            "1, 65, 121-150"
        );
        whole.status = RoundStatus::Ended;
        assert_eq!(left_out(&whole, [&None]), [0; 0]);
        assert_eq!(ranges(&[7]), "7");
    }

    #[test]
    fn who_is_paired_late_takes_nobodys_place_among_the_hundred() {
        let late = round((2..=101).chain([1]));
        let pushed: Vec<u32> = part(&late, &None).boards.iter().map(|board| board.board).collect();
        assert_eq!(pushed, (2..=101).collect::<Vec<_>>());
        assert_eq!(left_out(&late, [&None]), [1]);
    }

    #[test]
    fn a_rounds_id_is_eight_letters_and_figures() {
        assert!("AbCd1234".parse::<RoundId>().is_ok());
        for bad in ["", "short", "../../ab", "AbCd123\n", "AbCd12345"] {
            assert!(bad.parse::<RoundId>().is_err(), "{bad:?}");
        }
        let id = "AbCd1234".parse().expect("an id");
        assert_eq!(
            address("https://lichess.org/", &id),
            "https://lichess.org/api/broadcast/round/AbCd1234/push"
        );
    }
}
