//! Who plays whom in one round of a tournament report.

use super::{Entrant, Trf};
use crate::pairing::remark::{Remark, shown};

/// One round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundOf {
    /// The games to be played, in the order of boards: the highest score first, then the greater sum of both, then the lower
    /// starting number.
    pub games: Vec<Paired>,
    /// Those who play no game: byes, forfeits and absences, as the file has them.
    pub unpaired: Vec<Met>,
    /// What is odd.
    pub warnings: Vec<Remark>,
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paired {
    /// White's starting number.
    pub white: u32,
    /// Black's.
    pub black: u32,
}

/// A player without a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Met {
    /// His starting number.
    pub number: u32,
    /// The code: `U H F Z + -`.
    pub code: char,
    /// Whom a forfeit is against.
    pub opponent: Option<u32>,
}

impl Trf {
    /// What the file says of this round.
    ///
    /// # Errors
    /// Whatever leaves open who plays whom with which colour.
    pub fn round(&self, number: u32) -> Result<RoundOf, Vec<Remark>> {
        let index = number.saturating_sub(1) as usize;
        let mut found = RoundOf::default();
        let mut errors = Vec::new();
        let mut played = Vec::new();
        for entrant in self.players.values() {
            let Some(cell) = entrant.rounds.get(index).filter(|cell| !cell.is_blank()) else {
                continue;
            };
            let column = |offset: usize| 92 + 10 * index + offset;
            if cell.garbled {
                errors.push(Remark::at(
                    entrant.line,
                    column(0),
                    "opponent",
                    format!("the opponent of {} is no starting number", who(entrant)),
                ));
                continue;
            }
            let Some(opponent) = cell.opponent else {
                match cell.result.to_ascii_uppercase() {
                    code @ ('U' | 'H' | 'F' | 'Z' | '+' | '-') => found.unpaired.push(Met {
                        number: entrant.number,
                        code,
                        opponent: None,
                    }),
                    ' ' => {}
                    code => errors.push(Remark::at(
                        entrant.line,
                        column(7),
                        "result",
                        format!(
                            "{} has the result `{}` and no opponent: give the opponent, or the code of a bye (U H F Z) or forfeit (+ -)",
                            who(entrant),
                            shown(&code.to_string())
                        ),
                    )),
                }
                continue;
            };
            if opponent == entrant.number {
                errors.push(Remark::at(
                    entrant.line,
                    column(0),
                    "opponent",
                    format!("{} is paired against himself: correct the pairing", who(entrant)),
                ));
                continue;
            }
            let Some(other) = self.players.get(&opponent) else {
                errors.push(Remark::at(
                    entrant.line,
                    column(0),
                    "opponent",
                    format!(
                        "{} plays {opponent}, and there is no player with that starting number",
                        who(entrant)
                    ),
                ));
                continue;
            };
            let back = other.rounds.get(index).copied();
            if back.and_then(|back| back.opponent) != Some(entrant.number) {
                let says = match back.and_then(|back| back.opponent) {
                    Some(third) => format!("plays {third}"),
                    None => "plays nobody".to_owned(),
                };
                errors.push(Remark::at(
                    entrant.line,
                    column(0),
                    "opponent",
                    format!(
                        "{} plays {} here, and the row of the latter (line {}) says that he {says}",
                        who(entrant),
                        who(other),
                        other.line
                    ),
                ));
                continue;
            }
            let Some(back) = back else { continue };
            if entrant.number > opponent {
                // Both rows were looked at with the first.
                continue;
            }
            match meeting(entrant, cell, other, &back) {
                Err((offset, field, message)) => {
                    errors.push(Remark::at(entrant.line, column(offset), field, message));
                }
                Ok(Meeting::Off(codes)) => {
                    let ends = [(entrant.number, codes.0, opponent), (opponent, codes.1, entrant.number)];
                    found.unpaired.extend(ends.map(|(number, code, opponent)| Met {
                        number,
                        code,
                        opponent: Some(opponent),
                    }));
                }
                Ok(Meeting::Game {
                    first_is_white,
                    is_played,
                    warning,
                }) => {
                    if let Some((offset, field, message)) = warning {
                        found
                            .warnings
                            .push(Remark::at(entrant.line, column(offset), field, message));
                    }
                    if is_played {
                        played.push(entrant.line);
                    }
                    let (white, black) = if first_is_white {
                        (entrant.number, opponent)
                    } else {
                        (opponent, entrant.number)
                    };
                    found.games.push(Paired { white, black });
                }
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        if found.games.is_empty() {
            let last = self.last_paired();
            let what = if last == 0 {
                "no round is paired in it".to_owned()
            } else {
                format!("the last round with pairings is {last}")
            };
            return Err(vec![Remark::file(format!(
                "nobody is paired in round {number}: {what}; pair the round first and export the file again, or give another `--round`"
            ))]);
        }
        if let Some(first) = played.first() {
            found.warnings.push(Remark::at(
                *first,
                92 + 10 * index + 7,
                "result",
                format!(
                    "{} of {} games of round {number} have a result in the file already: they are paired to be played here, and \
                     what is played replaces it",
                    played.len(),
                    found.games.len()
                ),
            ));
        }
        self.order(&mut found.games, index);
        found.unpaired.sort_by_key(|met| met.number);
        Ok(found)
    }

    fn order(&self, games: &mut [Paired], index: usize) {
        let score = |number: u32| -> i64 {
            let entrant = self.players.get(&number);
            let before = entrant.map(|entrant| &entrant.rounds[..index.min(entrant.rounds.len())]);
            before.into_iter().flatten().map(super::Cell::worth).sum()
        };
        games.sort_by_key(|game| {
            let (white, black) = (score(game.white), score(game.black));
            let lead = match white.cmp(&black) {
                std::cmp::Ordering::Greater => game.white,
                std::cmp::Ordering::Less => game.black,
                std::cmp::Ordering::Equal => game.white.min(game.black),
            };
            (-white.max(black), -(white + black), lead)
        });
    }
}

enum Meeting {
    Game {
        first_is_white: bool,
        is_played: bool,
        warning: Option<(usize, &'static str, String)>,
    },
    /// Forfeited before it began.
    Off((char, char)),
}

type Wrong = (usize, &'static str, String);

/// What two rows say of one game.
fn meeting(one: &Entrant, cell: &super::Cell, other: &Entrant, back: &super::Cell) -> Result<Meeting, Wrong> {
    let pair = || format!("{} and {} (line {})", who(one), who(other), other.line);
    let codes = (cell.result.to_ascii_uppercase(), back.result.to_ascii_uppercase());
    for (code, whose) in [(codes.0, one), (codes.1, other)] {
        if !matches!(
            code,
            ' ' | '*' | '1' | '0' | '=' | 'W' | 'D' | 'L' | '+' | '-' | 'H' | 'F' | 'U' | 'Z'
        ) {
            let code = shown(&code.to_string());
            let message = format!(
                "`{code}` is no result of {}: there are 1 = 0, W D L, + -, H F U Z, or a blank",
                who(whose)
            );
            return Err((7, "result", message));
        }
    }
    let is_off = |code: char| matches!(code, '+' | '-' | 'H' | 'F' | 'U' | 'Z');
    if is_off(codes.0) || is_off(codes.1) {
        let agree =
            matches!(codes, ('+', '-') | ('-', '+' | '-')) || !(matches!(codes, ('+' | '-', _) | (_, '+' | '-')));
        return if agree && is_off(codes.0) && is_off(codes.1) {
            Ok(Meeting::Off(codes))
        } else {
            Err((7, "result", format!("the results of {} do not match", pair())))
        };
    }
    let is_open = |code: char| matches!(code, ' ' | '*');
    let mut warning = None;
    match (is_open(codes.0), is_open(codes.1)) {
        (true, true) => {}
        (false, false) => {
            let sum = super::worth(codes.0) + super::worth(codes.1);
            let is_unrated = |code: char| matches!(code, 'W' | 'D' | 'L');
            if sum > 10 || is_unrated(codes.0) != is_unrated(codes.1) {
                return Err((7, "result", format!("the results of {} do not match", pair())));
            }
        }
        _ => {
            let message = format!("only one of {} has a result in the file", pair());
            warning = Some((7, "result", message));
        }
    }
    let is_played = !(is_open(codes.0) && is_open(codes.1));
    let first_is_white = match (cell.colour.to_ascii_lowercase(), back.colour.to_ascii_lowercase()) {
        ('w', 'b') => true,
        ('b', 'w') => false,
        ('w', '-' | ' ') | ('-' | ' ', 'b') => {
            warning = Some((5, "colour", format!("only one of {} has a colour in the file", pair())));
            true
        }
        ('b', '-' | ' ') | ('-' | ' ', 'w') => {
            warning = Some((5, "colour", format!("only one of {} has a colour in the file", pair())));
            false
        }
        ('-' | ' ', '-' | ' ') => {
            let message = format!("it is open who of {} has White: give both their colours", pair());
            return Err((5, "colour", message));
        }
        _ => return Err((5, "colour", format!("the colours of {} do not match", pair()))),
    };
    Ok(Meeting::Game {
        first_is_white,
        is_played,
        warning,
    })
}

fn who(entrant: &Entrant) -> String {
    format!("player {} ({})", entrant.number, shown(&entrant.player.name))
}
