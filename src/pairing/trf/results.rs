//! The results of a round, written back into the report they came from.

use super::{Entrant, Trf, worth};
use crate::pairing::remark::Remark;

/// What one player gets from a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// His starting number.
    pub number: u32,
    /// Against whom; `None`: nobody.
    pub opponent: Option<u32>,
    /// `w` or `b`, as it was played; `-` without a game.
    pub colour: char,
    /// The code of his result.
    pub code: char,
}

/// The file with these results in this round. Nothing else of it changes but the points of those who have new ones, where
/// they agreed with the file's results before.
///
/// # Errors
/// A player who is not in the file.
pub fn fill(trf: &Trf, round: u32, scored: &[Scored]) -> Result<(Vec<u8>, Vec<Remark>), Remark> {
    let index = round.saturating_sub(1) as usize;
    let mut warnings = Vec::new();
    let mut edits: Vec<(&Entrant, Vec<u8>)> = Vec::new();
    for score in scored {
        let Some(entrant) = trf.players.get(&score.number) else {
            return Err(Remark::file(format!(
                "player {} of round {round} is not in the file that was imported: import the round again",
                score.number
            )));
        };
        if let Some(line) = row(trf, entrant, index, score, &mut warnings) {
            edits.push((entrant, line));
        }
    }
    edits.sort_by_key(|(entrant, _)| entrant.at.start);
    let mut out = Vec::with_capacity(trf.bytes.len() + 16 * edits.len());
    let mut from = 0;
    for (entrant, line) in edits {
        out.extend_from_slice(&trf.bytes[from..entrant.at.start]);
        out.extend_from_slice(&line);
        from = entrant.at.end;
    }
    out.extend_from_slice(&trf.bytes[from..]);
    Ok((out, warnings))
}

/// The player's row with this; `None` where it says so already.
fn row(trf: &Trf, entrant: &Entrant, index: usize, score: &Scored, warnings: &mut Vec<Remark>) -> Option<Vec<u8>> {
    let line = &trf.bytes[entrant.at.clone()];
    let mut columns: Vec<Vec<u8>> = (0..entrant.cells.len())
        .map(|column| entrant.cells.bytes(line, column..column + 1).to_vec())
        .collect();
    let begin = 91 + 10 * index;
    let before = entrant.rounds.get(index);
    let opponent = match score.opponent {
        // Written as it was where it says the same: `  12`, `0012`.
        opponent if before.is_some_and(|cell| cell.opponent == opponent && !cell.is_blank()) => None,
        Some(opponent) => Some(format!("{opponent:>4}")),
        None => Some("0000".to_owned()),
    };
    let colour = before
        .filter(|cell| !cell.is_blank())
        .is_none_or(|cell| {
            !(cell.colour.eq_ignore_ascii_case(&score.colour) || cell.colour == ' ' && score.colour == '-')
        })
        .then_some(score.colour);
    let code = before
        .is_none_or(|cell| !cell.result.eq_ignore_ascii_case(&score.code))
        .then_some(score.code);
    if opponent.is_none() && colour.is_none() && code.is_none() {
        return None;
    }
    let mut put = |column: usize, letter: u8| {
        if columns.len() <= column {
            columns.resize(column + 1, b" ".to_vec());
        }
        columns[column] = vec![letter];
    };
    for (at, letter) in opponent.iter().flat_map(|text| text.bytes().enumerate()) {
        put(begin + at, letter);
    }
    for (at, letter) in [(5, colour), (7, code)] {
        if let Some(letter) = letter.and_then(|letter| u8::try_from(letter).ok()) {
            put(begin + at, letter);
        }
    }
    let all: i64 = entrant.rounds.iter().map(super::Cell::worth).sum();
    let earlier: i64 = entrant.rounds.iter().take(index).map(super::Cell::worth).sum();
    let own = before.map_or(0, super::Cell::worth);
    match entrant.points {
        Some(points) if points == all || (points == earlier && all == earlier + own) => {
            let now = all - own + worth(score.code);
            if now != points {
                let text = format!("{:>4}", format!("{}.{}", now / 10, now % 10));
                for (at, letter) in text.bytes().enumerate().take(4) {
                    put(80 + at, letter);
                }
            }
        }
        Some(_) => warnings.push(Remark::at(
            entrant.line,
            81,
            "points",
            format!(
                "the points of player {} did not agree with the results in the file and are left as they are: let the pairing \
                 program count them",
                entrant.number
            ),
        )),
        None => {}
    }
    Some(columns.concat())
}
