//! What no round's pairings may say, wherever they come from.

use std::collections::{BTreeMap, HashMap};

use crate::hall::TableNo;
use crate::hall::model::{Pairing, Player};

/// What is wrong with one of a round's pairings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which, from 0.
    pub pairing: usize,
    /// Its field: `white.name`.
    pub field: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
}

/// Everything that is wrong with the pairings of one round, in their order; empty when nothing is.
pub fn faults(pairings: &[Pairing]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut tables: BTreeMap<TableNo, usize> = BTreeMap::new();
    let mut boards: BTreeMap<u32, usize> = BTreeMap::new();
    let mut seats = Seats::default();
    for (index, pairing) in pairings.iter().enumerate() {
        let mut fault = |field, message| {
            faults.push(Fault {
                pairing: index,
                field,
                message,
            })
        };
        if pairing.table.0 == 0 {
            fault(
                "table",
                "a table's number is 1 or more: give the number of the table in the hall".to_owned(),
            );
        } else if let Some(first) = tables.insert(pairing.table, index) {
            let first = names(&pairings[first]);
            let table = pairing.table;
            fault(
                "table",
                format!("two games at table {table}: {first} is there already; give one of them another table"),
            );
        }
        if let Some(first) = boards.insert(pairing.board, index) {
            let first = names(&pairings[first]);
            let board = pairing.board;
            fault(
                "board",
                format!("two games on board {board}: {first} has it already; give one of them another number"),
            );
        }
        let players = [("white.name", &pairing.white), ("black.name", &pairing.black)];
        for (field, player) in players {
            if player.name.trim().is_empty() {
                fault(
                    field,
                    "a player has no name: write it as `Surname, First name`".to_owned(),
                );
            }
        }
        if is_same(&pairing.white, &pairing.black) {
            fault(
                "black.name",
                format!(
                    "{} is paired against himself: correct one of the two",
                    pairing.white.name
                ),
            );
            continue;
        }
        for (field, player) in players {
            if let Some(first) = seats.find(player) {
                let table = pairings[first].table;
                fault(
                    field,
                    format!(
                        "{} plays at table {table} already: a player has one game a round",
                        player.name
                    ),
                );
            }
        }
        for (_, player) in players {
            seats.take(player, index);
        }
    }
    faults
}

/// Two entries mean one person: the same FIDE number, or the same name where one of them has no number.
pub fn is_same(one: &Player, other: &Player) -> bool {
    match (one.fide_id, other.fide_id) {
        (Some(one), Some(other)) => one == other,
        _ => !one.name.trim().is_empty() && key(one) == key(other),
    }
}

fn key(player: &Player) -> String {
    player.name.trim().to_lowercase()
}

/// Who sits where, found as [`is_same`] says.
#[derive(Default)]
struct Seats {
    by_number: HashMap<u64, usize>,
    by_name: HashMap<String, Vec<(Option<u64>, usize)>>,
}

impl Seats {
    fn find(&self, player: &Player) -> Option<usize> {
        let by_number = player.fide_id.and_then(|id| self.by_number.get(&id)).copied();
        by_number.or_else(|| {
            let namesakes = self.by_name.get(&key(player))?;
            namesakes
                .iter()
                .find(|(id, _)| id.is_none() || player.fide_id.is_none())
                .map(|(_, index)| *index)
        })
    }

    fn take(&mut self, player: &Player, index: usize) {
        if let Some(id) = player.fide_id {
            self.by_number.entry(id).or_insert(index);
        }
        let key = key(player);
        if !key.is_empty() {
            self.by_name.entry(key).or_default().push((player.fide_id, index));
        }
    }
}

fn names(pairing: &Pairing) -> String {
    format!("{} – {}", pairing.white.name, pairing.black.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(table: u32, white: &str, black: &str) -> Pairing {
        let player = |name: &str| Player {
            name: name.to_owned(),
            ..Player::default()
        };
        Pairing {
            table: TableNo(table),
            board: table,
            white: player(white),
            black: player(black),
            time_control: None,
            board_kind: None,
            variant: Default::default(),
            fen: None,
            game: None,
        }
    }

    fn told(pairings: &[Pairing]) -> Vec<(usize, &'static str)> {
        faults(pairings)
            .into_iter()
            .map(|fault| (fault.pairing, fault.field))
            .collect()
    }

    #[test]
    fn a_sound_round_has_no_faults() {
        assert_eq!(told(&[pairing(1, "A", "B"), pairing(2, "C", "D")]), []);
    }

    #[test]
    fn a_player_against_himself_is_a_fault() {
        assert_eq!(told(&[pairing(1, "Hou, Yifan", "hou, yifan ")]), [(0, "black.name")]);
    }

    #[test]
    fn a_player_twice_is_a_fault_that_names_the_other_table() {
        let round = [pairing(7, "A", "B"), pairing(8, "C", "A")];
        assert_eq!(told(&round), [(1, "black.name")]);
        assert!(faults(&round)[0].message.contains("table 7"));
    }

    #[test]
    fn namesakes_with_their_own_fide_numbers_are_two_people() {
        let mut round = [pairing(1, "Smith, John", "B"), pairing(2, "Smith, John", "D")];
        round[0].white.fide_id = Some(1);
        assert_eq!(told(&round), [(1, "white.name")], "one of them has no number");
        round[1].white.fide_id = Some(2);
        assert_eq!(told(&round), []);
        round[1].white = Player {
            name: "Smith, J.".to_owned(),
            fide_id: Some(1),
            ..Player::default()
        };
        assert_eq!(told(&round), [(1, "white.name")], "one number under two names");
    }

    #[test]
    fn two_games_at_one_table_or_board_are_faults() {
        let mut round = [pairing(1, "A", "B"), pairing(1, "C", "D")];
        round[1].board = 2;
        assert_eq!(told(&round), [(1, "table")]);
        round[1].table = TableNo(2);
        round[1].board = 1;
        assert_eq!(told(&round), [(1, "board")]);
    }

    #[test]
    fn a_missing_name_or_table_is_a_fault() {
        assert_eq!(told(&[pairing(0, " ", "B")]), [(0, "table"), (0, "white.name")]);
    }
}
