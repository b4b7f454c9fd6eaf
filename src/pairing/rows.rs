//! What a line of a CSV file says of a game, wherever such a file is taken: names of columns, players, and what is special.

use super::remark::{Remark, shown};
use super::sheet::{Known, Row, Sheet};
use crate::hall::model::{BoardKind, Pairing, Player, Variant};
use crate::laws::{TimeControl, span};
use crate::time::Millis;

/// Columns that any file with games may have.
pub const COLUMNS: [Known; 19] = [
    ("table", &["tisch", "stol", "stolik"]),
    ("board", &["bo", "bd", "brd", "board_no"]),
    ("white", &["white_name", "name_white", "white_player"]),
    ("white_title", &[]),
    ("white_fide_id", &["white_fideid", "whitefideid"]),
    ("white_rating", &["white_elo", "white_rtg"]),
    ("white_federation", &["white_fed"]),
    ("white_team", &[]),
    ("black", &["black_name", "name_black", "black_player"]),
    ("black_title", &[]),
    ("black_fide_id", &["black_fideid", "blackfideid"]),
    ("black_rating", &["black_elo", "black_rtg"]),
    ("black_federation", &["black_fed"]),
    ("black_team", &[]),
    ("time_control", &[]),
    ("board_kind", &[]),
    ("variant", &[]),
    ("fen", &[]),
    ("delay", &["public_delay"]),
];

/// The columns of one player.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// His name.
    pub name: &'static str,
    /// His starting number.
    pub number: &'static str,
    title: &'static str,
    fide_id: &'static str,
    rating: &'static str,
    federation: &'static str,
    team: &'static str,
}

impl Side {
    /// White's.
    pub const WHITE: Side = Side {
        name: "white",
        number: "white_no",
        title: "white_title",
        fide_id: "white_fide_id",
        rating: "white_rating",
        federation: "white_federation",
        team: "white_team",
    };
    /// Black's.
    pub const BLACK: Side = Side {
        name: "black",
        number: "black_no",
        title: "black_title",
        fide_id: "black_fide_id",
        rating: "black_rating",
        federation: "black_federation",
        team: "black_team",
    };
}

/// A player; what a list of players has of him stands where the row says nothing.
pub fn player(sheet: &Sheet, row: &Row, side: Side, listed: Option<&Player>, errors: &mut Vec<Remark>) -> Player {
    let own = |column: &'static str, listed: Option<&String>| match sheet.field(row, column) {
        "" => listed.cloned().unwrap_or_default(),
        own => own.to_owned(),
    };
    Player {
        name: own(side.name, listed.map(|player| &player.name)),
        title: own(side.title, listed.map(|player| &player.title)),
        federation: own(side.federation, listed.map(|player| &player.federation)),
        team: own(side.team, listed.map(|player| &player.team)),
        fide_id: sheet
            .number(row, side.fide_id, errors)
            .or_else(|| listed.and_then(|player| player.fide_id)),
        rating: sheet
            .number(row, side.rating, errors)
            .or_else(|| listed.and_then(|player| player.rating)),
    }
}

/// What is special about a game.
pub fn special(sheet: &Sheet, row: &Row, pairing: &mut Pairing, errors: &mut Vec<Remark>) {
    let some = |name: &str| Some(sheet.field(row, name)).filter(|field| !field.is_empty());
    pairing.time_control = some("time_control").map(str::to_owned);
    if let Some(own) = &pairing.time_control
        && let Err(error) = own.parse::<TimeControl>()
    {
        errors.push(sheet.remark(row, "time_control", error.to_string()));
    }
    pairing.fen = some("fen").map(str::to_owned);
    let kinds = [
        ("pieces", BoardKind::Pieces),
        ("occupancy", BoardKind::Occupancy),
        ("none", BoardKind::None),
    ];
    pairing.board_kind = choice(sheet, row, "board_kind", &kinds, errors);
    let variants = [("standard", Variant::Standard), ("chess960", Variant::Chess960)];
    pairing.variant = choice(sheet, row, "variant", &variants, errors).unwrap_or_default();
}

/// How long the board is held back from the public, where the file says so.
pub fn delay(sheet: &Sheet, row: &Row, errors: &mut Vec<Remark>) -> Option<Millis> {
    let given = sheet.field(row, "delay");
    if given.is_empty() {
        return None;
    }
    let read = span::parse(given);
    if let Err(error) = &read {
        let message =
            format!("{error}; it is how late the public sees the board: 30m, or nothing for as late as the round");
        errors.push(sheet.remark(row, "delay", message));
    }
    read.ok()
}

fn choice<T: Copy>(sheet: &Sheet, row: &Row, name: &str, choices: &[(&str, T)], errors: &mut Vec<Remark>) -> Option<T> {
    let given = sheet.field(row, name);
    if given.is_empty() {
        return None;
    }
    let chosen = choices.iter().find(|(word, _)| given.eq_ignore_ascii_case(word));
    if chosen.is_none() {
        let words: Vec<_> = choices.iter().map(|(word, _)| *word).collect();
        let message = format!(
            "`{}` is not known: write {}, or nothing",
            shown(given),
            words.join(" or ")
        );
        errors.push(sheet.remark(row, name, message));
    }
    chosen.map(|(_, value)| *value)
}
