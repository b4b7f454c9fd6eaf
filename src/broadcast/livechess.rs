//! A round in the files that DGT's LiveChess 2.2 writes and its cloud serves, which broadcasters and viewers know how to read:
//!
//! ```text
//! tournament.json             the event, and how many games each round has
//! round-5/index.json          who plays whom, and the results
//! round-5/game-1.json         the moves of the first game, with times
//! round-5/game-1.pgn          the same as PGN
//! round-5/games.pgn           all of the round
//! ```
//!
//! Games are counted from 1 in the order of their boards; a pairing that comes later is counted on, so that a game's file is never another
//! game's. What a reader has to tell them apart by stands in the PGN: `Board` and `GameId`, which stay as they are.
//!
//! A move is `SAN`, `SAN left`, `SAN +spent` or `SAN left+spent`, in whole seconds. What this form cannot say stands in the PGN and in
//! the game's `comment`: an illegal move that stands and all after it, a game that begins from any other than a starting position,
//! results like `0-0`.
//!
//! **The clock** of a game under way is told as of when the running side's time began to run: with what the last move left it. The
//! same seconds come of it at every moment, and the file does not change while nothing happens.

mod start;

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use serde::Serialize;

use super::pgn::{self, Half, Mainline, Wanted};
use super::published::{Published, PublishedBoard, PublishedRound, Stage};
use crate::chess::Color;
use crate::hall::ids::{EventId, RoundNo};
use crate::hall::model::{Player, RoundStatus, Variant};
use crate::time::{HallTime, Millis};

/// `tournament.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tournament {
    /// The event's short name.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Where.
    pub location: Option<String>,
    /// Not known to the hall.
    pub country: Option<String>,
    /// Not known to the hall.
    pub website: Option<String>,
    /// Always `STANDARD`.
    pub rules: &'static str,
    /// `STANDARD`; `ANY` where there are games of Chess960.
    pub chess960: &'static str,
    /// For people: `90m+30s`.
    pub timecontrol: String,
    /// By number, from the first.
    pub rounds: Vec<Counts>,
    /// The boards; here by the tables that they stand at.
    pub eboards: Vec<String>,
}

/// How many games a round has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All of them.
    pub count: usize,
    /// Those being played.
    pub live: usize,
}

/// `index.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Index {
    /// `2026-08-01`.
    pub date: Option<String>,
    /// In the order of the games' files.
    pub pairings: Vec<IndexPairing>,
}

/// A game in the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IndexPairing {
    /// White; none where nobody is named.
    pub white: Option<Named>,
    /// Black.
    pub black: Option<Named>,
    /// `1-0`, …, `*`.
    pub result: String,
    /// It is being played.
    pub live: bool,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// First name.
    pub fname: Option<String>,
    /// Never said apart.
    pub mname: Option<String>,
    /// Surname, or the whole name where it is not written as `Surname, First name`.
    pub lname: Option<String>,
    /// `GM`.
    pub title: Option<String>,
    /// `NOR`.
    pub federation: Option<String>,
    /// Not known to the hall.
    pub gender: Option<String>,
    /// FIDE's number.
    pub fideid: Option<u64>,
}

/// `game-1.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Game {
    /// It is being played.
    pub live: bool,
    /// The board's; here the table that it stands at.
    pub serial_nr: String,
    /// When the first move was made, in milliseconds since 1970; 0: none yet.
    pub first_move: i64,
    /// The number of the starting position.
    pub chess960: u16,
    /// `WHITEWIN`, `BLACKWIN`, `DRAW`, `NOTPLAYED`, `*`.
    pub result: &'static str,
    /// What the rest cannot say.
    pub comment: Option<String>,
    /// While it is being played.
    pub clock: Option<Clock>,
    /// `e4 5428+32`.
    pub moves: Vec<String>,
}

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Clock {
    /// White's seconds.
    pub white: i64,
    /// Black's seconds.
    pub black: i64,
    /// Whose time runs: White's, Black's, or nobody's.
    pub run: Option<bool>,
    /// When that was, in milliseconds since 1970.
    pub time: i64,
}

/// A file by its path below the event's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// `round-5/game-1.json`.
    pub path: String,
    /// All of it.
    pub content: Arc<str>,
}

/// What a game looked like when it was last written, so that only what has changed is written anew.
///
/// The texts of closed rounds are not kept, but for the last few that were asked for: they are made again when they are wanted, by the same
/// calendar, so that they are the same to the letter.
#[derive(Debug, Default)]
pub struct Written {
    games: HashMap<GameKey, WrittenGame>,
    /// Rounds that were not closed when texts of their games were kept.
    open: BTreeSet<(EventId, RoundNo)>,
    /// Games of closed rounds whose texts are kept, the latest last.
    closed: VecDeque<GameKey>,
    /// So many of them at most.
    most: usize,
}

/// Event, round and table.
type GameKey = (EventId, RoundNo, u32);

#[derive(Debug)]
struct WrittenGame {
    board: Arc<PublishedBoard>,
    /// The calendar by which it was first written so: another one could be off by a millisecond.
    times: Times,
    pgn: Option<Arc<str>>,
    json: Option<Arc<str>>,
    /// It stands among the closed.
    is_closed: bool,
}

impl WrittenGame {
    fn put_away(&mut self) {
        (self.pgn, self.json, self.is_closed) = (None, None, false);
    }
}

/// Turns the hall time of what is published into milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    as_of: HallTime,
    unix_ms: i64,
    speed: f64,
}

impl Times {
    /// In a hall whose clock runs so many times as fast as the world's.
    pub fn new(published: &Published, speed: f64) -> Times {
        Times {
            as_of: published.as_of,
            unix_ms: published.unix_ms,
            speed,
        }
    }

    fn unix_ms(self, at: HallTime) -> i64 {
        let ahead = (at - self.as_of).0;
        // At the speed of real halls nothing is rounded: the same moment is the same number each time.
        let real = if self.speed == 1.0 {
            ahead
        } else {
            (ahead as f64 / self.speed).round() as i64
        };
        self.unix_ms + real
    }
}

/// `tournament.json` of an event; `None` where nothing of it is published.
pub fn tournament(published: &Published, event: &EventId) -> Option<Tournament> {
    let rounds: Vec<&Arc<PublishedRound>> = published.rounds_of(event).collect();
    let first = rounds.first()?;
    let last = rounds.iter().map(|round| round.number.0).max().unwrap_or_default();
    let counts = (1..=last).map(|number| {
        let round = rounds.iter().find(|round| round.number.0 == number);
        round.map_or_else(Counts::default, |round| Counts {
            count: round.boards.len(),
            live: round.boards.iter().filter(|board| board.stage == Stage::Live).count(),
        })
    });
    let boards = || rounds.iter().flat_map(|round| &round.boards);
    let any_960 = boards().any(|board| board.score.variant == Variant::Chess960);
    let mut tables: Vec<u32> = boards().map(|board| board.table.0).collect();
    tables.sort_unstable();
    tables.dedup();
    let control = rounds.iter().rev().find_map(|round| round.control.as_ref());
    Some(Tournament {
        id: event.to_string(),
        name: first.event.name.clone(),
        location: filled(&first.event.site),
        country: None,
        website: None,
        rules: "STANDARD",
        chess960: if any_960 { "ANY" } else { "STANDARD" },
        timecontrol: control.map(ToString::to_string).unwrap_or_default(),
        rounds: counts.collect(),
        eboards: tables.iter().map(ToString::to_string).collect(),
    })
}

/// `index.json` of a round.
pub fn index(round: &PublishedRound) -> Index {
    let date = round.event.date.trim();
    let is_date = date.len() == 10 && date.parse::<jiff::civil::Date>().is_ok();
    let pairings = round.boards.iter().map(|board| IndexPairing {
        white: named(&board.score.white),
        black: named(&board.score.black),
        result: if board.score.result.is_empty() {
            "*".to_owned()
        } else {
            board.score.result.clone()
        },
        live: board.stage == Stage::Live,
    });
    Index {
        date: is_date.then(|| date.to_owned()),
        pairings: pairings.collect(),
    }
}

/// `game-1.json` of a game.
pub fn game(board: &PublishedBoard, times: Times) -> Game {
    let score = &board.score;
    let mainline = pgn::mainline(score);
    let number = start::number(&mainline.start.full_fen());
    let mut comments = Vec::new();
    if number.is_none() {
        comments.push(format!(
            "The game begins from {}: its moves are in the PGN only.",
            mainline.start.full_fen()
        ));
    }
    comments.extend(mainline.rest.clone());
    if let Some(why) = &score.provisional {
        comments.push(format!("The result is provisional: {why}"));
    }
    if !matches!(score.result.as_str(), "1-0" | "0-1" | "1/2-1/2" | "*" | "") {
        comments.push(format!("The result is {}", score.result));
    }
    let moves = match number {
        Some(_) => mainline.moves.iter().map(with_times).collect(),
        None => Vec::new(),
    };
    Game {
        live: board.stage == Stage::Live,
        serial_nr: board.table.to_string(),
        first_move: score.moves.first().map_or(0, |first| times.unix_ms(first.at)),
        chess960: number.unwrap_or(start::USUAL),
        result: match score.result.as_str() {
            "1-0" => "WHITEWIN",
            "0-1" => "BLACKWIN",
            "1/2-1/2" => "DRAW",
            "" | "*" => "*",
            _ if score.moves.is_empty() => "NOTPLAYED",
            _ => "*",
        },
        comment: (!comments.is_empty()).then(|| comments.join(" ")),
        clock: clock(board, &mainline, times),
        moves,
    }
}

/// Every file of an event, games before what counts them. Nothing where nothing of it is published.
pub fn files(published: &Published, event: &EventId, speed: f64, written: &mut Written) -> Vec<File> {
    let times = Times::new(published, speed);
    written.close(published);
    let mut files = Vec::new();
    for round in published.rounds_of(event) {
        files.append(&mut round_files(round, times, written));
    }
    if let Some(tournament) = tournament(published, event) {
        files.push(File {
            path: "tournament.json".to_owned(),
            content: json(&tournament),
        });
    }
    written.forget_all_but(published);
    files
}

/// Every file of a round, games before what counts them.
pub fn round_files(round: &PublishedRound, times: Times, written: &mut Written) -> Vec<File> {
    let games = (1..=round.boards.len()).flat_map(|number| ["pgn", "json"].map(|kind| format!("game-{number}.{kind}")));
    games
        .chain(["games.pgn", "index.json"].map(str::to_owned))
        .filter_map(|name| {
            Some(File {
                content: round_file(round, &name, times, written)?,
                path: format!("round-{}/{name}", round.number),
            })
        })
        .collect()
}

/// One file of an event, by its path; `None` where there is none.
pub fn file(published: &Published, event: &EventId, path: &str, speed: f64, written: &mut Written) -> Option<Arc<str>> {
    if path == "tournament.json" {
        return tournament(published, event).map(|tournament| json(&tournament));
    }
    let (folder, name) = path.split_once('/')?;
    let number = plain_number(folder.strip_prefix("round-")?)?;
    written.close(published);
    let round = published.round(event, RoundNo(number))?;
    round_file(round, name, Times::new(published, speed), written)
}

fn round_file(round: &PublishedRound, name: &str, times: Times, written: &mut Written) -> Option<Arc<str>> {
    match name {
        "index.json" => return Some(json(&index(round))),
        "games.pgn" => return Some(written.games(round, times)),
        _ => {}
    }
    let (number, kind) = name.strip_prefix("game-")?.split_once('.')?;
    let at = usize::try_from(plain_number(number)?).ok()?.checked_sub(1)?;
    let board = round.boards.get(at)?;
    match kind {
        "pgn" => Some(written.pgn(round, board, times)),
        "json" => Some(written.json(round, board, times)),
        _ => None,
    }
}

/// A number as it is written: no sign, no zero before it.
fn plain_number(text: &str) -> Option<u32> {
    let number: u32 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

impl Written {
    /// One that keeps the texts of so many games of closed rounds, for whoever is asked for them.
    pub fn keeping(most: usize) -> Written {
        Written {
            most,
            ..Written::default()
        }
    }

    fn text(
        &mut self,
        round: &PublishedRound,
        board: &Arc<PublishedBoard>,
        times: Times,
        which: fn(&mut WrittenGame) -> &mut Option<Arc<str>>,
        make: fn(&PublishedBoard, Times) -> Arc<str>,
    ) -> Arc<str> {
        let key = (round.event.id.clone(), round.number, board.table.0);
        let fresh = || WrittenGame {
            board: Arc::clone(board),
            times,
            pgn: None,
            json: None,
            is_closed: false,
        };
        let known = self.games.entry(key.clone()).or_insert_with(fresh);
        if !Arc::ptr_eq(&known.board, board) {
            if known.board == *board {
                // What it was before need not be in memory, too.
                known.board = Arc::clone(board);
            } else {
                let is_closed = known.is_closed;
                *known = WrittenGame { is_closed, ..fresh() };
            }
        }
        if let Some(text) = which(known) {
            return Arc::clone(text);
        }
        let text = make(board, known.times);
        *which(known) = Some(Arc::clone(&text));
        if round.status != RoundStatus::Ended {
            self.open.insert((key.0, key.1));
        } else if !std::mem::replace(&mut known.is_closed, true) {
            self.closed.push_back(key);
            self.keep_the_latest();
        }
        text
    }

    fn keep_the_latest(&mut self) {
        while self.closed.len() > self.most {
            let oldest = self.closed.pop_front().and_then(|key| self.games.get_mut(&key));
            if let Some(oldest) = oldest {
                oldest.put_away();
            }
        }
    }

    /// Takes notice of rounds that were closed, or are gone.
    fn close(&mut self, published: &Published) {
        let is_open = |(event, number): &(EventId, RoundNo)| {
            let round = published.round(event, *number);
            round.is_some_and(|round| round.status != RoundStatus::Ended)
        };
        if self.open.iter().all(is_open) {
            return;
        }
        let gone = std::mem::take(&mut self.open);
        let (open, gone): (BTreeSet<_>, BTreeSet<_>) = gone.into_iter().partition(is_open);
        self.open = open;
        for (key, game) in &mut self.games {
            let is_gone = !game.is_closed && gone.iter().any(|(event, round)| (event, round) == (&key.0, &key.1));
            if is_gone && (game.pgn.is_some() || game.json.is_some()) {
                game.is_closed = true;
                self.closed.push_back(key.clone());
            }
        }
        self.keep_the_latest();
    }

    /// The PGN of all games of a round, parted by empty lines.
    pub fn games(&mut self, round: &PublishedRound, times: Times) -> Arc<str> {
        let mut all = String::new();
        for board in &round.boards {
            if !all.is_empty() {
                all.push('\n');
            }
            all.push_str(&self.pgn(round, board, times));
        }
        all.into()
    }

    /// The PGN of one game.
    pub fn pgn(&mut self, round: &PublishedRound, board: &Arc<PublishedBoard>, times: Times) -> Arc<str> {
        let make = |board: &PublishedBoard, _| pgn::game(&board.score, Wanted { elapsed: true }).into();
        self.text(round, board, times, |game| &mut game.pgn, make)
    }

    fn json(&mut self, round: &PublishedRound, board: &Arc<PublishedBoard>, times: Times) -> Arc<str> {
        let make = |board: &PublishedBoard, times| json(&game(board, times));
        self.text(round, board, times, |game| &mut game.json, make)
    }

    /// Keeps nothing of this round's texts, which has been told.
    pub fn put_away(&mut self, round: &PublishedRound) {
        let games = self.games.iter_mut();
        for (_, game) in games.filter(|((event, number, _), _)| *event == round.event.id && *number == round.number) {
            game.put_away();
        }
        self.closed
            .retain(|(event, number, _)| *event != round.event.id || *number != round.number);
        self.open.remove(&(round.event.id.clone(), round.number));
    }

    fn forget_all_but(&mut self, published: &Published) {
        let there = |event: &EventId, round: RoundNo| published.round(event, round).is_some();
        self.games.retain(|(event, round, _), _| there(event, *round));
    }

    /// How many bytes of text are kept.
    pub fn held(&self) -> usize {
        let games = self.games.values();
        games
            .flat_map(|game| [&game.pgn, &game.json])
            .flatten()
            .map(|text| text.len())
            .sum()
    }
}

fn json(value: &impl Serialize) -> Arc<str> {
    // Nothing in these types can fail to be written.
    serde_json::to_string_pretty(value).unwrap_or_default().into()
}

fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// `Surname, First name` in its parts, so that they can be put together again as they were.
fn named(player: &Player) -> Option<Named> {
    let name = filled(&player.name)?;
    let (last, first) = match name.split_once(", ") {
        Some((last, first)) if !last.trim().is_empty() && !first.trim().is_empty() => (last, Some(first)),
        _ => (name.as_str(), None),
    };
    Some(Named {
        fname: first.map(str::to_owned),
        mname: None,
        lname: Some(last.to_owned()),
        title: filled(&player.title),
        federation: filled(&player.federation),
        gender: None,
        fideid: player.fide_id.filter(|id| *id != 0),
    })
}

fn with_times(half: &Half<'_>) -> String {
    let left = half.view.clock.map(seconds);
    let spent = half.spent.map(seconds);
    match (left, spent) {
        (None, None) => half.san.clone(),
        (Some(left), None) => format!("{} {left}", half.san),
        (None, Some(spent)) => format!("{} +{spent}", half.san),
        (Some(left), Some(spent)) => format!("{} {left}+{spent}", half.san),
    }
}

fn seconds(time: Millis) -> i64 {
    time.at_least_zero().0 / 1000
}

fn clock(board: &PublishedBoard, mainline: &Mainline<'_>, times: Times) -> Option<Clock> {
    let view = board.clocks.as_ref().filter(|_| board.stage == Stage::Live)?;
    let mut shown = (view.white, view.black);
    let mut since = view.as_of;
    // What is not heard is not counted on.
    let running = view.running.filter(|_| !view.no_signal);
    if let Some(of) = running {
        let now = if of == Color::White { view.white } else { view.black };
        let moves = &board.score.moves;
        let turn_of_last = mainline.moves.iter().rev().find(|half| half.by == of);
        let began = match turn_of_last {
            Some(half) => half.view.clock,
            // Nothing of it has run before the call.
            None if moves.is_empty() => board.score.started.map(|called| now + (view.as_of - called)),
            None => None,
        };
        if let Some(began) = began.filter(|began| *began >= now) {
            since = view.delay_until.unwrap_or(view.as_of - (began - now));
            match of {
                Color::White => shown.0 = began,
                Color::Black => shown.1 = began,
            }
        }
    }
    Some(Clock {
        white: seconds(shown.0),
        black: seconds(shown.1),
        run: running.map(|of| of == Color::White),
        time: times.unix_ms(since),
    })
}

#[cfg(test)]
mod tests;
