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
//! | `delay` | how late the public sees the board, where that is not as late as the round: `30m` |
//!
//! Commas, semicolons and tabs are taken between the fields, whichever the first line uses. A file with any error is refused
//! whole, with all its errors.

use std::collections::BTreeMap;

use super::check;
use super::remark::Remark;
use super::rows::{self, COLUMNS, Side};
use super::sheet::{Row, Sheet};
use crate::hall::TableNo;
use crate::hall::model::{Pairing, Variant};
use crate::time::Millis;

const NEEDED: [&str; 3] = ["table", "white", "black"];

/// A file's bytes as text: UTF-8, with or without a byte order mark.
///
/// # Errors
/// The line with the first byte that is not UTF-8, and what to do.
pub fn text(bytes: &[u8]) -> Result<&str, Remark> {
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
        Remark::line(line, format!("{what}: save the file as `CSV UTF-8` and try again"))
    })
}

/// What a file says of a round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundFile {
    /// Who plays whom where.
    pub pairings: Vec<Pairing>,
    /// How late the public sees these boards.
    pub delays: BTreeMap<u32, Millis>,
}

/// What a file's text says.
///
/// # Errors
/// Everything that is wrong with the file.
pub fn round(text: &str) -> Result<RoundFile, Vec<Remark>> {
    let sheet = Sheet::read(text, &COLUMNS)?;
    // Nothing is left out: what a column was meant for is not guessed.
    let mut errors: Vec<Remark> = sheet.warnings.clone();
    let names = COLUMNS.map(|(name, _)| name).join(", ");
    for error in &mut errors {
        error.message = format!("no such column: take it out, or call it one of {names}");
    }
    for name in NEEDED {
        if errors.is_empty() && !sheet.has(name) {
            let needed = NEEDED.join(", ");
            let message = format!("the column is missing: add it to the first line, which needs {needed}");
            errors.push(Remark::at(1, 0, name, message));
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let (mut pairings, mut lines, mut delays) = (Vec::new(), Vec::new(), BTreeMap::new());
    for row in sheet.rows() {
        let before = errors.len();
        let pairing = pairing(&sheet, row, &mut errors);
        let delay = rows::delay(&sheet, row, &mut errors);
        delays.extend(delay.map(|delay| (pairing.board, delay)));
        if errors.len() == before {
            pairings.push(pairing);
            lines.push(row);
        }
    }
    for fault in check::faults(&pairings) {
        let name = match fault.field {
            "white.name" => "white",
            "black.name" => "black",
            other => other,
        };
        errors.push(sheet.remark(lines[fault.pairing], name, fault.message));
    }
    if errors.is_empty() && pairings.is_empty() {
        let message = "no games after the columns' names: add a line for each";
        errors.push(Remark::line(1, message));
    }
    errors.sort_by_key(|error| (error.line, error.column));
    if errors.is_empty() {
        Ok(RoundFile { pairings, delays })
    } else {
        Err(errors)
    }
}

fn pairing(sheet: &Sheet, row: &Row, errors: &mut Vec<Remark>) -> Pairing {
    let before = errors.len();
    let wanted = "the number of a table in the hall, from 1";
    let table = sheet.number_of::<u32>(row, "table", wanted, errors);
    if sheet.field(row, "table").is_empty() && errors.len() == before {
        errors.push(sheet.remark(row, "table", "no table: give the number of the table in the hall"));
    }
    let table = table.unwrap_or_default();
    let mut pairing = Pairing {
        table: TableNo(table),
        board: sheet.number(row, "board", errors).unwrap_or(table),
        white: rows::player(sheet, row, Side::WHITE, None, errors),
        black: rows::player(sheet, row, Side::BLACK, None, errors),
        time_control: None,
        board_kind: None,
        variant: Variant::Standard,
        fen: None,
        game: None,
    };
    rows::special(sheet, row, &mut pairing, errors);
    pairing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairings(file: &str) -> Result<Vec<Pairing>, Vec<Remark>> {
        round(file).map(|round| round.pairings)
    }

    #[test]
    fn a_board_may_have_a_delay_of_its_own() {
        let file = "table,board,white,black,delay\n11,1,A,B,30m\n12,2,C,D,\n13,3,E,F,0\n";
        let delays = round(file).expect("sound").delays;
        assert_eq!(delays, [(1, Millis::mins(30)), (3, Millis::ZERO)].into());
        let told = told("table,white,black,delay\n1,A,B,soon\n");
        assert!(told[0].starts_with("line 2, column 4 (delay): "), "{told:?}");
        assert!(
            told[0].ends_with("30m, or nothing for as late as the round"),
            "{told:?}"
        );
    }

    fn told(file: &str) -> Vec<String> {
        pairings(file)
            .expect_err("has faults")
            .iter()
            .map(Remark::to_string)
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
