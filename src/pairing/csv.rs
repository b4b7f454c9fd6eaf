//! A round's pairings as CSV: one line a game, columns by name in any order.
//!
//! | column | what |
//! |---|---|
//! | `table` | the table's number in the hall; needed |
//! | `white`, `black` | `Surname, First name`; needed |
//! | `board` | the board's number in the round; the table's number without it |
//! | `white_title`, `white_fide_id`, `white_rating`, `white_federation`, `white_team` | and the same of `black_` |
//! | `time_control` | where it differs from the round's: `15m+10s` |
//! | `board_kind` | `pieces`, `occupancy` or `none`; what the board says of itself without it |
//! | `variant` | `standard` or `chess960` |
//! | `fen` | where the game does not begin from the first position |
//!
//! Commas, semicolons and tabs are taken between the fields, whichever the first line uses. A file with any error is refused
//! whole, with all its errors.

use std::fmt;

use super::check;
use super::remark::shown;
use crate::hall::TableNo;
use crate::hall::model::{BoardKind, Pairing, Player, Variant};

/// Something wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Fault {
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1; 0: the line as a whole.
    pub column: usize,
    /// The column's name; empty for the line as a whole.
    pub name: String,
    /// What is wrong, and what to do.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if self.column > 0 {
            write!(f, ", column {}", self.column)?;
        }
        if !self.name.is_empty() {
            write!(f, " ({})", self.name)?;
        }
        write!(f, ": {}", self.message)
    }
}

const COLUMNS: [&str; 18] = [
    "table",
    "board",
    "white",
    "white_title",
    "white_fide_id",
    "white_rating",
    "white_federation",
    "white_team",
    "black",
    "black_title",
    "black_fide_id",
    "black_rating",
    "black_federation",
    "black_team",
    "time_control",
    "board_kind",
    "variant",
    "fen",
];
const NEEDED: [&str; 3] = ["table", "white", "black"];

/// A file's bytes as text: UTF-8, with or without a byte order mark.
///
/// # Errors
/// The line with the first byte that is not UTF-8, and what to do.
pub fn text(bytes: &[u8]) -> Result<&str, Fault> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count() as u64;
        let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        let what = if utf16 {
            "the file is UTF-16, not UTF-8"
        } else {
            "this line is not UTF-8"
        };
        Fault {
            line,
            column: 0,
            name: String::new(),
            message: format!("{what}: save the file as `CSV UTF-8` and try again"),
        }
    })
}

/// The pairings in a file's text.
///
/// # Errors
/// Everything that is wrong with the file.
pub fn pairings(text: &str) -> Result<Vec<Pairing>, Vec<Fault>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = ::csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .trim(::csv::Trim::All)
        .has_headers(false)
        .from_reader(text.as_bytes());
    let mut records = reader.records();
    let header = match records.next() {
        Some(Ok(header)) => Header::of(&header)?,
        Some(Err(error)) => return Err(vec![broken(&error)]),
        None => {
            let message = format!(
                "the file is empty: begin it with the columns' names, {}",
                NEEDED.join(", ")
            );
            return Err(vec![Fault {
                line: 1,
                column: 0,
                name: String::new(),
                message,
            }]);
        }
    };
    let (mut pairings, mut lines, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for record in records {
        match record {
            Ok(record) => {
                let line = record.position().map_or(0, ::csv::Position::line);
                let row = Row {
                    header: &header,
                    record: &record,
                    line,
                    faults: &mut faults,
                };
                if let Some(pairing) = row.pairing() {
                    pairings.push(pairing);
                    lines.push(line);
                }
            }
            Err(error) => faults.push(broken(&error)),
        }
    }
    for fault in check::faults(&pairings) {
        let name = match fault.field {
            "white.name" => "white",
            "black.name" => "black",
            other => other,
        };
        let column = header.column(name).map_or(0, |index| index + 1);
        faults.push(Fault {
            line: lines[fault.pairing],
            column,
            name: name.to_owned(),
            message: fault.message,
        });
    }
    if faults.is_empty() && pairings.is_empty() {
        let message = "no games after the columns' names: add a line for each".to_owned();
        faults.push(Fault {
            line: 1,
            column: 0,
            name: String::new(),
            message,
        });
    }
    faults.sort_by_key(|fault| (fault.line, fault.column));
    if faults.is_empty() { Ok(pairings) } else { Err(faults) }
}

/// What stands between the fields of the first line, most often.
pub(super) fn delimiter(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let count = |byte: u8| first.bytes().filter(|b| *b == byte).count();
    [b',', b';', b'\t']
        .into_iter()
        .rev()
        .max_by_key(|byte| count(*byte))
        .unwrap_or(b',')
}

pub(super) fn broken(error: &::csv::Error) -> Fault {
    let line = error.position().map_or(0, ::csv::Position::line);
    let message = match error.kind() {
        ::csv::ErrorKind::UnequalLengths { expected_len, len, .. } => format!(
            "{len} fields where the first line names {expected_len} columns: put a text that has the separator in it \
             (`Hou, Yifan`) between double quotes, and leave no field out"
        ),
        _ => error.to_string(),
    };
    Fault {
        line,
        column: 0,
        name: String::new(),
        message,
    }
}

/// Which column is where.
struct Header {
    names: Vec<&'static str>,
}

impl Header {
    fn of(record: &::csv::StringRecord) -> Result<Header, Vec<Fault>> {
        let line = record.position().map_or(1, ::csv::Position::line);
        let (mut names, mut faults) = (Vec::new(), Vec::new());
        for (index, given) in record.iter().enumerate() {
            let mut fault = |message| {
                faults.push(Fault {
                    line,
                    column: index + 1,
                    name: shown(given),
                    message,
                })
            };
            let plain = given.to_lowercase().replace([' ', '-'], "_");
            match COLUMNS.into_iter().find(|name| *name == plain) {
                Some(name) if names.contains(&name) => fault("this column is there twice: take one out".to_owned()),
                Some(name) => names.push(name),
                None => fault(format!(
                    "no such column: take it out, or call it one of {}",
                    COLUMNS.join(", ")
                )),
            }
        }
        for name in NEEDED {
            if faults.is_empty() && !names.contains(&name) {
                let message = format!(
                    "the column is missing: add it to the first line, which needs {}",
                    NEEDED.join(", ")
                );
                faults.push(Fault {
                    line,
                    column: 0,
                    name: name.to_owned(),
                    message,
                });
            }
        }
        if faults.is_empty() {
            Ok(Header { names })
        } else {
            Err(faults)
        }
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| *known == name)
    }
}

struct Row<'a> {
    header: &'a Header,
    record: &'a ::csv::StringRecord,
    line: u64,
    faults: &'a mut Vec<Fault>,
}

impl Row<'_> {
    fn pairing(mut self) -> Option<Pairing> {
        let before = self.faults.len();
        let table = self.number("table", "the number of a table in the hall, from 1");
        if table.is_none() && self.faults.len() == before {
            self.fault("table", "no table: give the number of the table in the hall".to_owned());
        }
        let table = table.unwrap_or_default();
        let board = self.number("board", "a whole number, or nothing").unwrap_or(table);
        let pairing = Pairing {
            table: TableNo(table),
            board,
            white: self.player([
                "white",
                "white_title",
                "white_fide_id",
                "white_rating",
                "white_federation",
                "white_team",
            ]),
            black: self.player([
                "black",
                "black_title",
                "black_fide_id",
                "black_rating",
                "black_federation",
                "black_team",
            ]),
            time_control: self.some("time_control").map(str::to_owned),
            board_kind: self.choice(
                "board_kind",
                &[
                    ("pieces", BoardKind::Pieces),
                    ("occupancy", BoardKind::Occupancy),
                    ("none", BoardKind::None),
                ],
            ),
            variant: self
                .choice(
                    "variant",
                    &[("standard", Variant::Standard), ("chess960", Variant::Chess960)],
                )
                .unwrap_or_default(),
            fen: self.some("fen").map(str::to_owned),
            game: None,
        };
        (self.faults.len() == before).then_some(pairing)
    }

    fn player(&mut self, [name, title, fide_id, rating, federation, team]: [&'static str; 6]) -> Player {
        Player {
            name: self.some(name).unwrap_or_default().to_owned(),
            title: self.some(title).unwrap_or_default().to_owned(),
            fide_id: self.number(fide_id, "FIDE's number, or nothing").filter(|id| *id != 0),
            rating: self
                .number(rating, "a whole number, or nothing")
                .filter(|rating| *rating != 0),
            federation: self.some(federation).unwrap_or_default().to_owned(),
            team: self.some(team).unwrap_or_default().to_owned(),
        }
    }

    fn some(&self, name: &str) -> Option<&str> {
        let index = self.header.column(name)?;
        self.record.get(index).filter(|field| !field.is_empty())
    }

    fn number<N: std::str::FromStr>(&mut self, name: &'static str, wanted: &str) -> Option<N> {
        let given = self.some(name)?;
        let number = given.parse().ok();
        if number.is_none() {
            let message = format!("`{}` is no number: give {wanted}", shown(given));
            self.fault(name, message);
        }
        number
    }

    fn choice<T: Copy>(&mut self, name: &'static str, choices: &[(&str, T)]) -> Option<T> {
        let given = self.some(name)?;
        let chosen = choices.iter().find(|(word, _)| given.eq_ignore_ascii_case(word));
        if chosen.is_none() {
            let words: Vec<_> = choices.iter().map(|(word, _)| *word).collect();
            let message = format!(
                "`{}` is not known: write {}, or nothing",
                shown(given),
                words.join(" or ")
            );
            self.fault(name, message);
        }
        chosen.map(|(_, value)| *value)
    }

    fn fault(&mut self, name: &'static str, message: String) {
        let column = self.header.column(name).map_or(0, |index| index + 1);
        self.faults.push(Fault {
            line: self.line,
            column,
            name: name.to_owned(),
            message,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(file: &str) -> Vec<String> {
        pairings(file)
            .expect_err("has faults")
            .iter()
            .map(Fault::to_string)
            .collect()
    }

    #[test]
    fn columns_may_stand_in_any_order_and_fields_between_quotes() {
        let file = "black,white,table,white_title,white rating,black-fide-id,time_control\n\
                    \"Carlsen, Magnus\",\"Hou, Yifan\",12,GM,2633,1503014,15m+10s\n";
        let round = pairings(file).expect("sound");
        assert_eq!(round.len(), 1);
        let game = &round[0];
        assert_eq!((game.table, game.board), (TableNo(12), 12));
        assert_eq!(
            (game.white.name.as_str(), game.white.title.as_str(), game.white.rating),
            ("Hou, Yifan", "GM", Some(2633))
        );
        assert_eq!(
            (game.black.name.as_str(), game.black.fide_id),
            ("Carlsen, Magnus", Some(1_503_014))
        );
        assert_eq!(game.time_control.as_deref(), Some("15m+10s"));
    }

    #[test]
    fn semicolons_and_tabs_are_taken_too() {
        assert_eq!(
            pairings("table;white;black\n1;Hou, Yifan;Ju, Wenjun\n").expect("sound")[0]
                .white
                .name,
            "Hou, Yifan"
        );
        assert_eq!(
            pairings("table\twhite\tblack\n1\tA\tB\n").expect("sound")[0].black.name,
            "B"
        );
    }

    #[test]
    fn a_byte_order_mark_is_tolerated_and_another_encoding_is_said() {
        let bytes = b"\xef\xbb\xbftable,white,black\n1,A,B\n";
        assert_eq!(pairings(text(bytes).expect("UTF-8")).expect("sound").len(), 1);
        assert_eq!(pairings("\u{feff}table,white,black\n1,A,B\n").expect("sound").len(), 1);
        let fault = text(b"table,white,black\n1,M\xfcller,B\n").expect_err("latin-1");
        assert_eq!(fault.line, 2);
        assert!(fault.message.contains("CSV UTF-8"), "{fault}");
        assert!(text(b"\xff\xfet\0a\0").expect_err("utf-16").message.contains("UTF-16"));
    }

    #[test]
    fn an_error_names_line_and_column_and_what_to_do() {
        let told = told("table,white,black,white_rating\n1,A,B,strong\nx,C,D,\n");
        assert_eq!(
            told,
            [
                "line 2, column 4 (white_rating): `strong` is no number: give a whole number, or nothing",
                "line 3, column 1 (table): `x` is no number: give the number of a table in the hall, from 1",
            ]
        );
    }

    #[test]
    fn a_missing_unknown_or_repeated_column_is_refused() {
        assert!(told("table,white\n1,A\n")[0].starts_with("line 1 (black): the column is missing"));
        assert!(told("table,white,black,elo\n")[0].starts_with("line 1, column 4 (elo): no such column"));
        assert!(
            told("table,white,black,white\n")[0].starts_with("line 1, column 4 (white): this column is there twice")
        );
    }

    #[test]
    fn an_unquoted_comma_in_a_name_is_explained() {
        let told = told("table,white,black\n1,Hou, Yifan,Ju\n");
        assert!(
            told[0].starts_with("line 2: 4 fields where the first line names 3"),
            "{told:?}"
        );
        assert!(told[0].contains("double quotes"));
    }

    #[test]
    fn a_round_that_cannot_be_played_is_refused_whole() {
        let told = told("table,white,black\n1,A,A\n2,B,C\n3,C,D\n2,E,F\n");
        assert_eq!(told.len(), 4, "{told:?}");
        assert!(told[0].starts_with("line 2, column 3 (black): A is paired against himself"));
        assert!(told[1].starts_with("line 4, column 2 (white): C plays at table 2 already"));
        assert!(told[2].contains("(table): two games at table 2") || told[3].contains("(table): two games at table 2"));
    }

    #[test]
    fn an_empty_file_is_refused() {
        assert!(told("")[0].contains("the file is empty"));
        assert!(told("table,white,black\n")[0].contains("no games"));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let told = told("table,white,black,variant\n1,A,B,\u{1b}[31m\n");
        assert!(told[0].contains("\\u{1b}"), "{told:?}");
    }
}
