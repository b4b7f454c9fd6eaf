//! FIDE's tournament report file, TRF16 and TRF26, as it really is.
//!
//! A document is the file's bytes, and fields read out of them by their columns. What is not understood is never touched:
//! [`Trf::bytes`] is the file, byte for byte, and [`results::fill`](results) changes only the columns of the round that was played.
//!
//! Columns are counted in characters; a file whose columns only fit when they are counted in bytes is read so.

mod fields;
pub mod results;
mod round;

use std::collections::BTreeMap;
use std::ops::Range;

use super::control::{self, Coded};
use super::encoding::{Encoding, lines};
use super::remark::{Remark, shown};
use crate::hall::model::Player;
use fields::Cells;

pub use round::{Met, Paired, RoundOf};

/// So many rounds a file may have: keeps a line of a million columns from being one.
const MOST_ROUNDS: u32 = 999;

/// A file.
#[derive(Clone, Debug)]
pub struct Trf {
    bytes: Vec<u8>,
    encoding: Encoding,
    /// `012`.
    pub name: String,
    /// `022`.
    pub city: String,
    /// The free text of `122`, and its line.
    pub control_text: Option<(u64, String)>,
    /// `222`, read.
    pub control: Option<Coded>,
    /// It has records that only TRF26 has.
    pub is_trf26: bool,
    players: BTreeMap<u32, Entrant>,
}

/// A player's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// His line, from 1.
    pub line: u64,
    /// His starting number.
    pub number: u32,
    /// As a pairing names him.
    pub player: Player,
    /// What the points column says, in tenths.
    pub points: Option<i64>,
    /// His rounds, from the first.
    pub rounds: Vec<Cell>,
    at: Range<usize>,
    cells: Cells,
}

/// A round in a player's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// His opponent; `None`: nobody, written `0000` or not at all.
    pub opponent: Option<u32>,
    /// What stands where the opponent should is no number.
    pub garbled: bool,
    /// `w`, `b`, `-` or a blank.
    pub colour: char,
    /// The code of the result; a blank where there is none.
    pub result: char,
}

impl Entrant {
    /// What he had before this round, in tenths: as the points column says, unless this round's results are counted in it already; then as
    /// the results of the rounds before it say.
    pub fn before(&self, round: u32) -> Option<i64> {
        let index = round.saturating_sub(1) as usize;
        let earlier: i64 = self.rounds.iter().take(index).map(Cell::worth).sum();
        let later = self.rounds.iter().skip(index);
        let counted = later.map(Cell::worth).sum::<i64>() > 0;
        let points = self.points?;
        Some(if counted { earlier } else { points })
    }
}

impl Cell {
    /// Nothing at all stands here.
    pub fn is_blank(&self) -> bool {
        self.opponent.is_none() && !self.garbled && self.colour == ' ' && self.result == ' '
    }

    /// What it is worth, in tenths, as is usual.
    pub fn worth(&self) -> i64 {
        worth(self.result)
    }
}

/// What a code is worth, in tenths, as is usual.
pub fn worth(code: char) -> i64 {
    match code {
        '1' | '+' | 'W' | 'w' | 'F' | 'f' | 'U' | 'u' => 10,
        '=' | 'D' | 'd' | 'H' | 'h' => 5,
        _ => 0,
    }
}

impl Trf {
    /// Whether a file looks like one: a line that begins with `001` or `012` and a blank.
    pub fn is_one(bytes: &[u8]) -> bool {
        lines(bytes).into_iter().any(|line| {
            let line = &bytes[line];
            line.starts_with(b"012 ") || (line.starts_with(b"001 ") && line.len() > 40)
        })
    }

    /// Reads a file. What is odd comes as warnings.
    ///
    /// # Errors
    /// Everything for which it cannot be told who the players are.
    pub fn read(bytes: Vec<u8>, encoding: Encoding) -> Result<(Trf, Vec<Remark>), Vec<Remark>> {
        let mut trf = Trf {
            bytes,
            encoding,
            name: String::new(),
            city: String::new(),
            control_text: None,
            control: None,
            is_trf26: false,
            players: BTreeMap::new(),
        };
        let mut reading = Reading::default();
        for (index, line) in lines(&trf.bytes).into_iter().enumerate() {
            trf.line(index as u64 + 1, line, &mut reading);
        }
        trf.teams(&reading.teams);
        reading.tell(&trf);
        if trf.players.is_empty() && reading.errors.is_empty() {
            reading.errors.push(Remark::file(
                "there is no player in it: a tournament report has a line that begins with 001 for each",
            ));
        }
        if reading.errors.is_empty() {
            Ok((trf, reading.warnings))
        } else {
            Err(reading.errors)
        }
    }

    /// The file, byte for byte.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The players by their starting numbers.
    pub fn players(&self) -> &BTreeMap<u32, Entrant> {
        &self.players
    }

    /// The last round in which anybody is paired with anybody.
    pub fn last_paired(&self) -> u32 {
        let rounds = |entrant: &Entrant| entrant.rounds.iter().rposition(|cell| cell.opponent.is_some());
        let last = self.players.values().filter_map(rounds).max();
        last.map_or(0, |last| u32::try_from(last).unwrap_or(MOST_ROUNDS) + 1)
    }

    fn line(&mut self, number: u64, at: Range<usize>, reading: &mut Reading) {
        let line = &self.bytes[at.clone()];
        let Some((tag, rest)) = line.split_at_checked(3) else {
            if !line.iter().all(u8::is_ascii_whitespace) {
                reading.stray.push(number);
            }
            return;
        };
        let text = || self.encoding.text(rest).trim().to_owned();
        match tag {
            b"001" => {
                let at = at.clone();
                self.entrant(number, at, reading);
            }
            b"012" => self.name = text(),
            b"022" => self.city = text(),
            b"042" | b"052" => {
                let text = text();
                if !text.is_empty() && !is_date(&text) {
                    reading.warnings.push(Remark::at(
                        number,
                        5,
                        "date",
                        format!(
                            "`{}` is no date as the document has them (2026/08/01): kept as it is",
                            shown(&text)
                        ),
                    ));
                }
            }
            b"062" => {
                reading.count = text()
                    .split(' ')
                    .next()
                    .and_then(|count| count.parse().ok())
                    .map(|n| (number, n))
            }
            b"122" => {
                let text = text();
                if !text.is_empty() {
                    self.control_text = Some((number, text));
                }
            }
            b"222" => {
                self.is_trf26 = true;
                let text = text();
                match control::decode(&text) {
                    Ok(coded) => self.control = Some(coded),
                    Err(_) if text.is_empty() => {}
                    Err(why) => reading.warnings.push(Remark::at(
                        number,
                        5,
                        "time control",
                        format!("`{}` cannot be read ({why}): give `--time-control`", shown(&text)),
                    )),
                }
            }
            b"013" => reading.teams.push(team(self.encoding, line, 4..36, 36)),
            b"310" => {
                self.is_trf26 = true;
                reading.teams.push(team(self.encoding, line, 8..40, 73));
            }
            b"142" | b"152" | b"162" | b"172" | b"182" | b"192" | b"202" | b"212" | b"240" | b"250" | b"260"
            | b"299" | b"300" | b"320" | b"330" | b"352" | b"362" | b"801" | b"802" => self.is_trf26 = true,
            b"###" => {}
            b"032" | b"072" | b"082" | b"092" | b"102" | b"112" | b"132" => {}
            // XXR, BBW, and ratings by federation.
            _ if tag.iter().all(u8::is_ascii_uppercase) && rest.first().is_none_or(|byte| *byte == b' ') => {}
            _ if line.iter().all(u8::is_ascii_whitespace) => {}
            _ => reading.stray.push(number),
        }
    }

    fn entrant(&mut self, number: u64, at: Range<usize>, reading: &mut Reading) {
        let line = &self.bytes[at.clone()];
        let (cells, by_bytes) = Cells::of(line, self.encoding);
        if by_bytes {
            reading.by_bytes.push(number);
        }
        let text = |columns: Range<usize>| self.encoding.text(cells.bytes(line, columns)).trim().to_owned();
        let start = text(4..8);
        let Some(start) = start.parse::<u32>().ok().filter(|start| *start > 0) else {
            reading.errors.push(Remark::at(
                number,
                5,
                "starting number",
                format!(
                    "`{}` is no starting number: every 001 line has one in columns 5 to 8",
                    shown(&start)
                ),
            ));
            return;
        };
        let name = text(14..47);
        if name.is_empty() {
            reading.errors.push(Remark::at(
                number,
                15,
                "name",
                format!("player {start} has no name: it stands in columns 15 to 47"),
            ));
        }
        let mut figure = |columns: Range<usize>, field: &'static str| {
            let column = columns.start + 1;
            let given = text(columns);
            let read = given.parse::<u64>().ok();
            if read.is_none() && !given.is_empty() {
                reading.warnings.push(Remark::at(
                    number,
                    column,
                    field,
                    format!("`{}` is no number: kept in the file, not used", shown(&given)),
                ));
            }
            read.filter(|figure| *figure != 0)
        };
        let rating = figure(48..52, "rating").and_then(|rating| u32::try_from(rating).ok());
        let fide_id = figure(57..68, "FIDE number");
        let birth = text(69..79);
        if !birth.is_empty() && !is_date(&birth) {
            reading.births.push(number);
        }
        let rounds = (0..MOST_ROUNDS as usize)
            .map(|round| 91 + 10 * round)
            .take_while(|begin| *begin < cells.len())
            .map(|begin| cell(line, &cells, begin))
            .collect();
        let entrant = Entrant {
            line: number,
            number: start,
            player: Player {
                name,
                title: title(&text(10..13)),
                fide_id,
                rating,
                federation: text(53..56),
                team: String::new(),
            },
            points: tenths(&text(80..84)),
            rounds,
            at,
            cells,
        };
        if let Some(before) = self.players.get(&start) {
            reading.errors.push(Remark::at(
                number,
                5,
                "starting number",
                format!(
                    "{start} is the starting number of line {} already: export the file again from the pairing program",
                    before.line
                ),
            ));
            return;
        }
        self.players.insert(start, entrant);
    }

    fn teams(&mut self, teams: &[(String, Vec<u32>)]) {
        for (name, members) in teams {
            for number in members {
                if let Some(entrant) = self.players.get_mut(number) {
                    entrant.player.team.clone_from(name);
                }
            }
        }
    }
}

/// What is gathered while a file is read.
#[derive(Default)]
struct Reading {
    errors: Vec<Remark>,
    warnings: Vec<Remark>,
    stray: Vec<u64>,
    by_bytes: Vec<u64>,
    births: Vec<u64>,
    teams: Vec<(String, Vec<u32>)>,
    count: Option<(u64, usize)>,
}

impl Reading {
    /// What is odd about many lines is said once.
    fn tell(&mut self, trf: &Trf) {
        let many = |lines: &[u64]| match lines {
            [_] => String::new(),
            [_, rest @ ..] => format!(" (and {} more)", rest.len()),
            [] => String::new(),
        };
        if let Some(first) = self.stray.first() {
            let message = format!(
                "this line is of no kind that is known{}: it is kept as it is",
                many(&self.stray)
            );
            self.warnings.push(Remark::line(*first, message));
        }
        if let Some(first) = self.by_bytes.first() {
            let message = format!(
                "its columns only fit when they are counted in bytes{}, and are read so",
                many(&self.by_bytes)
            );
            self.warnings.push(Remark::line(*first, message));
        }
        if let Some(first) = self.births.first() {
            let message = format!(
                "the date of birth is not as the document has them (1963/04/13){}: kept as it is",
                many(&self.births)
            );
            self.warnings.push(Remark::at(*first, 70, "birth", message));
        }
        if let Some((line, count)) = self.count
            && count != trf.players.len()
        {
            let message = format!("it says {count} players, and there are {}", trf.players.len());
            self.warnings.push(Remark::at(line, 5, "number of players", message));
        }
        self.warnings.sort_by_key(|remark| (remark.line, remark.column));
    }
}

fn cell(line: &[u8], cells: &Cells, begin: usize) -> Cell {
    let letter = |column: usize| match cells.bytes(line, column..column + 1) {
        [byte] => char::from(*byte),
        [] => ' ',
        _ => '?',
    };
    let opponent = cells.bytes(line, begin..begin + 4);
    let opponent = std::str::from_utf8(opponent).unwrap_or("?").trim();
    let read = opponent.parse::<u32>().ok();
    Cell {
        opponent: read.filter(|number| *number != 0),
        garbled: read.is_none() && !opponent.is_empty(),
        colour: letter(begin + 5),
        result: letter(begin + 7),
    }
}

/// A team's name and its players' starting numbers.
fn team(encoding: Encoding, line: &[u8], name: Range<usize>, members: usize) -> (String, Vec<u32>) {
    let (cells, _) = Cells::of(line, encoding);
    let text = |columns: Range<usize>| encoding.text(cells.bytes(line, columns)).trim().to_owned();
    let rest = text(members.min(cells.len())..cells.len());
    let members = rest.split_whitespace().map_while(|word| word.parse().ok()).collect();
    (text(name), members)
}

/// `2026/08/01` and its shorter forms, with zeros for what is not known; also `26/08/01`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['/', '.', '-']).collect();
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.iter().all(digits)
        && matches!(
            parts.iter().map(|part| part.len()).collect::<Vec<_>>()[..],
            [4] | [4, 2] | [4, 2, 2] | [2, 2, 2]
        )
}

/// `g`, `m` and `f` are GM, IM and FM in older files.
fn title(given: &str) -> String {
    let title = match given.to_ascii_lowercase().as_str() {
        "g" | "gm" => "GM",
        "m" | "im" => "IM",
        "f" | "fm" => "FM",
        "c" | "cm" => "CM",
        "wg" | "wgm" => "WGM",
        "wm" | "wim" => "WIM",
        "wf" | "wfm" => "WFM",
        "wc" | "wcm" => "WCM",
        _ => given,
    };
    title.to_owned()
}

/// `4.0`, `4,5`, `4½`: in tenths.
fn tenths(text: &str) -> Option<i64> {
    let text = text.replace(',', ".");
    let (whole, part) = text.split_once('.').unwrap_or((&text, "0"));
    let digit = part.parse::<i64>().ok().filter(|_| part.len() == 1)?;
    Some(whole.parse::<i64>().ok().filter(|whole| (0..1000).contains(whole))? * 10 + digit)
}

#[cfg(test)]
mod tests;
