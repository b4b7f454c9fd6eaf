//! The players of an event by their starting numbers: of a tournament report, or of a CSV file.

use std::collections::BTreeMap;

use super::remark::Remark;
use super::sheet::{Known, Sheet};
use crate::hall::model::Player;

/// Players by their starting numbers.
pub type Roster = BTreeMap<u32, Player>;

const COLUMNS: [Known; 7] = [
    ("number", &["no", "start_no", "starting_number", "id", "rank"]),
    ("name", &["player"]),
    ("title", &[]),
    ("fide_id", &["fideid", "fide", "fide_number"]),
    ("rating", &["elo", "rtg"]),
    ("federation", &["fed"]),
    ("team", &["club"]),
];

/// The players of a CSV file: `number` and `name` are needed.
///
/// # Errors
/// Everything that is wrong with the file.
pub fn of_csv(text: &str) -> Result<(Roster, Vec<Remark>), Vec<Remark>> {
    let sheet = Sheet::read(text, &COLUMNS)?;
    let mut errors = Vec::new();
    for needed in ["number", "name"] {
        if !sheet.has(needed) {
            errors.push(Remark::at(
                1,
                0,
                needed,
                "the column is missing: a list of players has number and name, and may have title, fide_id, rating, federation and team",
            ));
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut roster = Roster::new();
    for row in sheet.rows() {
        let number = sheet.number::<u32>(row, "number", &mut errors);
        let player = Player {
            name: sheet.field(row, "name").to_owned(),
            title: sheet.field(row, "title").to_owned(),
            fide_id: sheet.number(row, "fide_id", &mut errors),
            rating: sheet.number(row, "rating", &mut errors),
            federation: sheet.field(row, "federation").to_owned(),
            team: sheet.field(row, "team").to_owned(),
        };
        match number {
            None => errors.push(sheet.remark(row, "number", "a player has a starting number, from 1")),
            Some(_) if player.name.is_empty() => errors.push(sheet.remark(row, "name", "the player has no name")),
            Some(number) => {
                if let Some(before) = roster.insert(number, player) {
                    let message = format!("{number} is the starting number of {} already", before.name);
                    errors.push(sheet.remark(row, "number", message));
                }
            }
        }
    }
    if errors.is_empty() {
        Ok((roster, sheet.warnings))
    } else {
        Err(errors)
    }
}
