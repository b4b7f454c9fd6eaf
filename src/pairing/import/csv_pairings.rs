//! Pairings with named columns.
//!
//! As `flagfall round put` takes them ([`crate::pairing::csv`]), and more: `table` may be missing, players may be starting numbers of a
//! list (`white_no`, `black_no`), columns may be there that nobody knows, and a line without Black, or with `U H F Z + -` as its
//! `result`, is a bye or a forfeit.

use super::{Game, pairing};
use crate::hall::imported::Unpaired;
use crate::hall::model::Player;
use crate::pairing::remark::{Remark, shown};
use crate::pairing::roster::Roster;
use crate::pairing::rows::{self, COLUMNS, Side};
use crate::pairing::sheet::{Known, Row, Sheet};

/// Beside those that any file with games may have.
const MORE: [Known; 12] = [
    ("white_no", &["white_number", "no_white", "white_id", "wno"]),
    ("black_no", &["black_number", "no_black", "black_id", "bno"]),
    // What the players had before the round.
    ("white_score", &[]),
    ("black_score", &[]),
    ("result", &["res"]),
    // What our own export has besides: nothing to import.
    ("round", &[]),
    ("white_points", &[]),
    ("black_points", &[]),
    ("how", &[]),
    ("rated", &[]),
    ("colours_reversed", &[]),
    ("provisional", &[]),
];

pub(super) struct CsvPairings {
    pub(super) games: Vec<Game>,
    pub(super) unpaired: Vec<Unpaired>,
    pub(super) warnings: Vec<Remark>,
}

enum Outcome {
    /// To be played.
    Open,
    /// It has been.
    Played,
    /// It is not going to be: White's code, Black's.
    Off(char, char),
}

pub(super) fn read(text: &str, roster: Option<&Roster>) -> Result<CsvPairings, Vec<Remark>> {
    let known: Vec<Known> = COLUMNS.into_iter().chain(MORE).collect();
    let sheet = Sheet::read(text, &known)?;
    for (name, number) in [("white", "white_no"), ("black", "black_no")] {
        if !sheet.has(name) && !sheet.has(number) {
            return Err(vec![Remark::at(
                1,
                0,
                name,
                "the column is missing. The file is no tournament report and no pair list, so its first line has to name its \
                 columns: white and black (or white_no and black_no with `--players`), and table or board",
            )]);
        }
    }
    let mut read = CsvPairings {
        games: Vec::new(),
        unpaired: Vec::new(),
        warnings: sheet.warnings.clone(),
    };
    let (mut errors, mut played) = (Vec::new(), 0);
    for row in sheet.rows() {
        let before = errors.len();
        let white = side(&sheet, row, roster, Side::WHITE, &mut errors);
        let black = side(&sheet, row, roster, Side::BLACK, &mut errors);
        let before_round = ["white_score", "black_score"].map(|column| score(&sheet, row, column, &mut errors));
        let outcome = outcome(&sheet, row, black.is_none(), &mut errors);
        if errors.len() > before {
            continue;
        }
        let (Some((white, white_no)), Some(outcome)) = (white, outcome) else {
            errors.push(sheet.remark(
                row,
                "white",
                "White is missing: a bye stands in White's columns, with nothing in Black's",
            ));
            continue;
        };
        match (black, outcome) {
            (None, Outcome::Off(code, _)) => read.unpaired.push(Unpaired {
                number: white_no,
                name: white.name,
                code,
                opponent: None,
                points: before_round[0],
            }),
            (None, _) => errors.push(sheet.remark(
                row,
                "black",
                "Black is missing: give one, or the code of a bye as the result (U H F Z)",
            )),
            (Some((black, black_no)), Outcome::Off(one, other)) => {
                let ends = [
                    (white, white_no, one, black_no, before_round[0]),
                    (black, black_no, other, white_no, before_round[1]),
                ];
                read.unpaired
                    .extend(ends.map(|(player, number, code, opponent, points)| Unpaired {
                        number,
                        name: player.name,
                        code,
                        opponent,
                        points,
                    }));
            }
            (Some((black, black_no)), outcome) => {
                played += usize::from(matches!(outcome, Outcome::Played));
                let mut pairing = pairing(white, black);
                rows::special(&sheet, row, &mut pairing, &mut errors);
                read.games.push(Game {
                    at: Remark::line(row.line, ""),
                    table: sheet.number(row, "table", &mut errors),
                    board: sheet.number(row, "board", &mut errors),
                    pairing,
                    numbers: white_no.zip(black_no),
                    delay: rows::delay(&sheet, row, &mut errors),
                    before: (before_round[0], before_round[1]),
                });
            }
        }
    }
    if errors.is_empty() && read.games.is_empty() {
        errors.push(Remark::file(
            "there is no game after the columns' names: add a line for each",
        ));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    if played > 0 {
        let message = format!("{played} games have a result already: they are paired to be played here");
        read.warnings
            .push(Remark::at(0, sheet.column("result"), "result", message));
    }
    Ok(read)
}

/// A player and his starting number; what the list of players has of him stands where the row says nothing.
fn side(
    sheet: &Sheet,
    row: &Row,
    roster: Option<&Roster>,
    side: Side,
    errors: &mut Vec<Remark>,
) -> Option<(Player, Option<u32>)> {
    let number = sheet.number::<u32>(row, side.number, errors);
    let name = sheet.field(row, side.name);
    let is_nobody = name.is_empty() || name.eq_ignore_ascii_case("bye");
    if number.is_none() && is_nobody {
        return None;
    }
    let listed = number.and_then(|number| roster?.get(&number));
    if let (Some(number), Some(_), None) = (number, roster, listed) {
        let message = format!("there is no player with the starting number {number} in the list of players");
        errors.push(sheet.remark(row, side.number, message));
        return None;
    }
    if name.is_empty() && listed.is_none() {
        let message = "there is only a starting number: give the players with `--players`, or their names";
        errors.push(sheet.remark(row, side.number, message));
        return None;
    }
    let player = rows::player(sheet, row, side, listed, errors);
    Some((player, number))
}

/// Points as they are written, `3.5`, `3,5` or `3½`, in tenths.
fn score(sheet: &Sheet, row: &Row, column: &'static str, errors: &mut Vec<Remark>) -> Option<i64> {
    let given = sheet.field(row, column);
    if given.is_empty() {
        return None;
    }
    let plain = if given == "½" {
        "0.5".to_owned()
    } else {
        given.replace('½', ".5").replace(',', ".")
    };
    let found = plain
        .parse::<f64>()
        .ok()
        .filter(|points| (0.0..1000.0).contains(points));
    if found.is_none() {
        let message = format!("`{}` are no points: write them like 3.5, or nothing", shown(given));
        errors.push(sheet.remark(row, column, message));
    }
    found.map(|points| (points * 10.0).round() as i64)
}

fn outcome(sheet: &Sheet, row: &Row, alone: bool, errors: &mut Vec<Remark>) -> Option<Outcome> {
    let given = sheet.field(row, "result");
    let plain: String = given
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect::<String>()
        .to_uppercase();
    let outcome = match plain.as_str() {
        "" if alone => Outcome::Off('U', ' '),
        "" | "*" | ":" => Outcome::Open,
        "U" | "H" | "F" | "Z" | "+" | "-" if alone => Outcome::Off(plain.chars().next().unwrap_or('U'), ' '),
        "+" | "+-" | "+:-" | "+/-" | "+--" | "1-0F" => Outcome::Off('+', '-'),
        "-" | "-+" | "-:+" | "-/+" | "--+" | "0-1F" => Outcome::Off('-', '+'),
        "--" | "-:-" | "-/-" | "---" | "0-0F" => Outcome::Off('-', '-'),
        "1-0" | "0-1" | "1:0" | "0:1" | "1/2-1/2" | "1/2" | "½-½" | "½:½" | "=" | "1" | "0" | "0-0" | "0:0"
        | "1/2-0" | "0-1/2" => Outcome::Played,
        _ => {
            let message = format!(
                "`{}` is no result that is known: leave it empty, or write a bye's code (U H F Z), a forfeit (+- -+ --) or 1-0",
                shown(given)
            );
            errors.push(sheet.remark(row, "result", message));
            return None;
        }
    };
    Some(outcome)
}
