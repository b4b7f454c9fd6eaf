//! A round out of a pairing program's file: read, checked, and proposed with tables for an arbiter to confirm.

mod csv_pairings;

use std::collections::{BTreeMap, BTreeSet};

use super::check;
use super::control::Coded;
use super::encoding::{Encoding, NoEncoding};
use super::pair_list::{self, PairList};
use super::remark::{Remark, shown};
use super::roster::{self, Roster};
use super::trf::Trf;
use crate::hall::TableNo;
use crate::hall::imported::{Before, ImportFormat, Imported, KeptFile, LARGEST_FILE, Numbers, Unpaired};
use crate::hall::model::{Pairing, Player, Round, RoundStatus, Variant};
use crate::laws::TimeControl;
use crate::time::Millis;

/// A file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, as errors give it.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What is to be imported.
#[derive(Clone, Debug)]
pub struct Import<'a> {
    /// The file with the pairings.
    pub file: Source,
    /// The file with the players, where the pairings have only starting numbers.
    pub players: Option<Source>,
    /// Which round.
    pub round: u32,
    /// How the files' bytes are letters; what they say themselves without it.
    pub encoding: Option<Encoding>,
    /// The table of board 1, where the file has no tables.
    pub first_table: u32,
    /// The round as the hall has it.
    pub known: Option<&'a Round>,
}

/// A round as it is proposed.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The event's name in the file; may be empty.
    pub event_name: String,
    /// The games with their tables.
    pub pairings: Vec<Pairing>,
    /// How late the public sees these boards, where the file says so.
    pub delays: BTreeMap<u32, Millis>,
    /// What is kept of the files, with everybody who does not play.
    pub imported: Imported,
    /// The file's coded time control.
    pub control: Option<TimeControl>,
    /// What the file says of the time control in words.
    pub control_text: String,
    /// What is odd.
    pub warnings: Vec<Remark>,
}

/// A game before it has a table.
#[derive(Clone, Debug)]
struct Game {
    /// Where it stands, for errors.
    at: Remark,
    table: Option<u32>,
    board: Option<u32>,
    pairing: Pairing,
    numbers: Option<(u32, u32)>,
    /// How late the public sees it.
    delay: Option<Millis>,
    /// What White and Black had before the round, in tenths.
    before: (Option<i64>, Option<i64>),
}

/// What a file says.
struct Content {
    format: ImportFormat,
    event_name: String,
    games: Vec<Game>,
    unpaired: Vec<Unpaired>,
    control: Option<TimeControl>,
    control_text: String,
}

struct Text<'a> {
    name: &'a str,
    bytes: &'a [u8],
    encoding: Encoding,
}

/// Reads files and proposes a round.
///
/// # Errors
/// Everything for which it cannot be told who plays whom where; nothing is taken then.
pub fn read(import: &Import<'_>) -> Result<Proposal, Vec<Remark>> {
    let mut warnings = Vec::new();
    let main = text(&import.file, import.encoding, &mut warnings).map_err(|error| vec![error])?;
    let players = match &import.players {
        Some(source) => Some(text(source, import.encoding, &mut warnings).map_err(|error| vec![error])?),
        None => None,
    };
    let roster = match &players {
        Some(players) => Some(roster_of(players, &mut warnings)?),
        None => None,
    };
    let mut content = if Trf::is_one(main.bytes) {
        of_trf(&main, import.round, &mut warnings)
    } else if pair_list::is_one(main.bytes) {
        of_pair_list(&main, roster.as_ref(), import.round, &mut warnings)
    } else {
        of_csv(&main, roster.as_ref().map(|(roster, _)| roster), &mut warnings)
    }
    .map_err(|errors| in_file(errors, main.name))?;
    if let Some((_, Some(trf))) = &roster {
        if content.event_name.is_empty() {
            content.event_name.clone_from(&trf.name);
        }
        if content.control.is_none() && content.control_text.is_empty() {
            (content.control, content.control_text) = control_of(trf);
        }
    }
    let pairings = seat(&mut content.games, import);
    let pairings = match import.known.filter(|known| known.status == RoundStatus::Started) {
        Some(known) => keep_started(known, pairings, &content.games, main.name)?,
        None => pairings,
    };
    let wrong: Vec<Remark> = check::faults(&pairings)
        .into_iter()
        .map(|fault| {
            match content
                .games
                .iter()
                .find(|game| game.pairing == pairings[fault.pairing])
            {
                Some(game) => Remark {
                    field: fault.field.to_owned(),
                    message: fault.message,
                    ..game.at.clone()
                },
                None => Remark::file(fault.message),
            }
        })
        .map(|remark| remark.in_file(main.name))
        .collect();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let numbers = numbers(&pairings, &content.games);
    let points = before(&pairings, &content.games);
    let delay = |game: &Game| {
        let pairing = pairings.iter().find(|pairing| is_same_game(pairing, &game.pairing))?;
        Some((pairing.board, game.delay?))
    };
    let delays = content.games.iter().filter_map(delay).collect();
    let kept = |text: &Text<'_>| KeptFile::new(text.name, &text.encoding.to_string(), text.bytes);
    Ok(Proposal {
        event_name: content.event_name,
        imported: Imported {
            format: content.format,
            file: kept(&main),
            players: players.as_ref().map(kept),
            numbers,
            unpaired: content.unpaired,
            points,
        },
        pairings,
        delays,
        control: content.control,
        control_text: content.control_text,
        warnings,
    })
}

fn text<'a>(source: &'a Source, given: Option<Encoding>, warnings: &mut Vec<Remark>) -> Result<Text<'a>, Remark> {
    if source.bytes.len() > LARGEST_FILE {
        let message = format!("it is larger than {} MiB: is it the right file?", LARGEST_FILE >> 20);
        return Err(Remark::file(message).in_file(&source.name));
    }
    if source.bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Remark::file("it is empty").in_file(&source.name));
    }
    let (encoding, warning) = Encoding::of(&source.bytes, given).map_err(|error| error.in_file(&source.name))?;
    warnings.extend(warning.map(|warning| warning.in_file(&source.name)));
    Ok(Text {
        name: &source.name,
        bytes: &source.bytes,
        encoding,
    })
}

fn in_file(remarks: Vec<Remark>, name: &str) -> Vec<Remark> {
    remarks.into_iter().map(|remark| remark.in_file(name)).collect()
}

fn roster_of(text: &Text<'_>, warnings: &mut Vec<Remark>) -> Result<(Roster, Option<Trf>), Vec<Remark>> {
    if Trf::is_one(text.bytes) {
        let (trf, odd) = Trf::read(text.bytes.to_vec(), text.encoding).map_err(|errors| in_file(errors, text.name))?;
        warnings.extend(in_file(odd, text.name));
        let players = trf.players().values();
        let roster = players
            .map(|entrant| (entrant.number, entrant.player.clone()))
            .collect();
        return Ok((roster, Some(trf)));
    }
    let (roster, odd) =
        roster::of_csv(&text.encoding.whole(text.bytes)).map_err(|errors| in_file(errors, text.name))?;
    warnings.extend(in_file(odd, text.name));
    Ok((roster, None))
}

fn control_of(trf: &Trf) -> (Option<TimeControl>, String) {
    let text = trf
        .control_text
        .as_ref()
        .map(|(_, text)| text.clone())
        .unwrap_or_default();
    match &trf.control {
        Some(Coded::Same(control)) => (Some(control.clone()), text),
        Some(Coded::Unequal { white, black }) => (None, format!("White {white}, Black {black}")),
        None => (None, text),
    }
}

fn of_trf(text: &Text<'_>, round: u32, warnings: &mut Vec<Remark>) -> Result<Content, Vec<Remark>> {
    let (trf, odd) = Trf::read(text.bytes.to_vec(), text.encoding)?;
    warnings.extend(in_file(odd, text.name));
    let found = trf.round(round)?;
    warnings.extend(in_file(found.warnings, text.name));
    let (control, control_text) = control_of(&trf);
    if matches!(trf.control, Some(Coded::Unequal { .. })) {
        let message = "its time control (222) gives White and Black different times: give `--time-control`, and set the \
                       clocks by hand";
        warnings.push(Remark::file(message).in_file(text.name));
    }
    let entrant = |number: u32| trf.players().get(&number);
    let had = |number: u32| entrant(number).and_then(|entrant| entrant.before(round));
    let games = found.games.iter().filter_map(|game| {
        let (white, black) = (entrant(game.white)?, entrant(game.black)?);
        Some(Game {
            at: Remark::at(white.line, 15, "", ""),
            table: None,
            board: None,
            pairing: pairing(white.player.clone(), black.player.clone()),
            numbers: Some((game.white, game.black)),
            delay: None,
            before: (had(game.white), had(game.black)),
        })
    });
    let unpaired = found.unpaired.iter().map(|met| Unpaired {
        number: Some(met.number),
        name: entrant(met.number)
            .map(|entrant| entrant.player.name.clone())
            .unwrap_or_default(),
        code: met.code,
        opponent: met.opponent,
        points: had(met.number),
    });
    Ok(Content {
        format: if trf.is_trf26 {
            ImportFormat::Trf26
        } else {
            ImportFormat::Trf16
        },
        event_name: trf.name.clone(),
        games: games.collect(),
        unpaired: unpaired.collect(),
        control,
        control_text,
    })
}

fn of_pair_list(
    text: &Text<'_>,
    roster: Option<&(Roster, Option<Trf>)>,
    round: u32,
    warnings: &mut Vec<Remark>,
) -> Result<Content, Vec<Remark>> {
    let list = pair_list::read(text.bytes)?;
    let Some((roster, trf)) = roster else {
        return Err(vec![Remark::file(
            "it is a pair list, with starting numbers only: give the players with `--players`, the tournament report that was \
             paired or a CSV file with number and name",
        )]);
    };
    let mut errors = Vec::new();
    let mut player = |line: u64, number: u32| match roster.get(&number) {
        Some(player) => Some(player.clone()),
        None => {
            errors.push(Remark::line(
                line,
                format!("there is no player with the starting number {number} in the list of players: give the one that was paired"),
            ));
            None
        }
    };
    let had = |number: u32| trf.as_ref()?.players().get(&number)?.before(round);
    let mut games = Vec::new();
    for (line, white, black) in &list.games {
        let (one, other) = (player(*line, *white), player(*line, *black));
        if let Some((one, other)) = one.zip(other) {
            games.push(Game {
                at: Remark::line(*line, ""),
                table: None,
                board: None,
                pairing: pairing(one, other),
                numbers: Some((*white, *black)),
                delay: None,
                before: (had(*white), had(*black)),
            });
        }
    }
    let mut unpaired = Vec::new();
    for (line, number) in &list.byes {
        if let Some(player) = player(*line, *number) {
            unpaired.push(Unpaired {
                number: Some(*number),
                name: player.name,
                code: 'U',
                opponent: None,
                points: had(*number),
            });
        }
    }
    if let Some(trf) = trf {
        let (off, silent) = not_listed(trf, &games, &list, round);
        unpaired.extend(off);
        if !silent.is_empty() {
            let message = format!(
                "not in the list, and the report says nothing of them in round {round}: players {}. They are taken as absent (Z)",
                silent.join(", ")
            );
            warnings.push(Remark::file(message).in_file(text.name));
        }
    }
    if errors.is_empty() && games.is_empty() {
        errors.push(Remark::file("there is no game in it"));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(Content {
        format: ImportFormat::PairList,
        event_name: String::new(),
        games,
        unpaired,
        control: None,
        control_text: String::new(),
    })
}

/// The players of the report whom an engine was not asked to pair: with the bye that the report gives them, or absent. The starting
/// numbers of those of whom it says nothing come apart.
fn not_listed(trf: &Trf, games: &[Game], list: &PairList, round: u32) -> (Vec<Unpaired>, Vec<String>) {
    let paired: BTreeSet<u32> = games
        .iter()
        .filter_map(|game| game.numbers)
        .flat_map(|(white, black)| [white, black])
        .chain(list.byes.iter().map(|(_, number)| *number))
        .collect();
    let mut silent = Vec::new();
    let off = trf
        .players()
        .values()
        .filter(|entrant| !paired.contains(&entrant.number));
    let off = off.map(|entrant| {
        let cell = entrant.rounds.get(round.saturating_sub(1) as usize);
        let code = cell.map_or(' ', |cell| cell.result.to_ascii_uppercase());
        let code = if matches!(code, 'H' | 'F' | 'Z' | 'U' | '+' | '-') {
            code
        } else {
            silent.push(entrant.number.to_string());
            'Z'
        };
        Unpaired {
            number: Some(entrant.number),
            name: entrant.player.name.clone(),
            code,
            opponent: None,
            points: entrant.before(round),
        }
    });
    (off.collect(), silent)
}

fn of_csv(text: &Text<'_>, roster: Option<&Roster>, warnings: &mut Vec<Remark>) -> Result<Content, Vec<Remark>> {
    let read = csv_pairings::read(&text.encoding.whole(text.bytes), roster)?;
    warnings.extend(in_file(read.warnings, text.name));
    Ok(Content {
        format: ImportFormat::Csv,
        event_name: String::new(),
        games: read.games,
        unpaired: read.unpaired,
        control: None,
        control_text: String::new(),
    })
}

fn pairing(white: Player, black: Player) -> Pairing {
    Pairing {
        table: TableNo(0),
        board: 0,
        white,
        black,
        time_control: None,
        board_kind: None,
        variant: Variant::Standard,
        fen: None,
        game: None,
    }
}

/// Gives every game its board and table: what the file says; where the hall has the game already; where one of the two sat
/// whose game is no more; the next that is free.
fn seat(games: &mut [Game], import: &Import<'_>) -> Vec<Pairing> {
    let known = import.known.map(|known| known.pairings.as_slice()).unwrap_or_default();
    let find = |game: &Pairing| known.iter().find(|before| is_same_game(before, game));
    let mut taken: BTreeSet<u32> = games.iter().filter_map(|game| game.table).collect();
    let mut places: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
    for (index, game) in games.iter().enumerate() {
        if let Some(table) = game.table {
            places.insert(index, (table, game.board.unwrap_or(table)));
        } else if let Some(before) = find(&game.pairing)
            && taken.insert(before.table.0)
        {
            places.insert(index, (before.table.0, before.board));
        }
    }
    for (index, game) in games.iter().enumerate() {
        if places.contains_key(&index) {
            continue;
        }
        let sat = |player: &Player| {
            known
                .iter()
                .find(|before| check::is_same(&before.white, player) || check::is_same(&before.black, player))
        };
        let place = [&game.pairing.white, &game.pairing.black].into_iter().filter_map(sat);
        for before in place {
            if game.board.is_none() && taken.insert(before.table.0) {
                places.insert(index, (before.table.0, before.board));
                break;
            }
        }
    }
    let first = import.first_table.max(1);
    let mut boards: BTreeSet<u32> = places.values().map(|(_, board)| *board).collect();
    for (index, game) in games.iter().enumerate() {
        if places.contains_key(&index) {
            continue;
        }
        let board = game.board.unwrap_or_else(|| {
            let is_free = |board: &u32| !boards.contains(board) && !taken.contains(&(first + board - 1));
            (1..).find(is_free).unwrap_or(1)
        });
        let table = first.saturating_add(board).saturating_sub(1);
        boards.insert(board);
        taken.insert(table);
        places.insert(index, (table, board));
    }
    for (index, game) in games.iter_mut().enumerate() {
        if let Some((table, board)) = places.get(&index) {
            (game.pairing.table, game.pairing.board) = (TableNo(*table), *board);
        }
    }
    let mut pairings: Vec<Pairing> = games.iter().map(|game| game.pairing.clone()).collect();
    pairings.sort_by_key(|pairing| (pairing.board, pairing.table));
    pairings
}

/// The same two with the same colours.
pub(super) fn is_same_game(one: &Pairing, other: &Pairing) -> bool {
    check::is_same(&one.white, &other.white) && check::is_same(&one.black, &other.black)
}

/// Where the round has been called, its games stay; what the file has besides is added.
fn keep_started(known: &Round, read: Vec<Pairing>, games: &[Game], file: &str) -> Result<Vec<Pairing>, Vec<Remark>> {
    let mut kept = known.pairings.clone();
    let mut errors = Vec::new();
    for pairing in read {
        if let Some(before) = kept.iter_mut().find(|before| is_same_game(before, &pairing)) {
            // A name may be corrected.
            (before.white, before.black) = (pairing.white, pairing.black);
            continue;
        }
        let sits = |player: &Player, before: &Pairing| {
            check::is_same(&before.white, player) || check::is_same(&before.black, player)
        };
        let clash = known
            .pairings
            .iter()
            .find(|before| sits(&pairing.white, before) || sits(&pairing.black, before));
        let at = games
            .iter()
            .find(|game| game.pairing == pairing)
            .map(|game| game.at.clone());
        let place = |message: String| {
            Remark {
                message,
                ..at.clone().unwrap_or_default()
            }
            .in_file(file)
        };
        match clash {
            Some(before) => errors.push(place(format!(
                "{} – {} cannot be taken: the round is called, and {} – {} has its game at table {}; it stays. Pair those two \
                 as they play, or set that game's result first and pair the others in a round of their own",
                shown(&pairing.white.name),
                shown(&pairing.black.name),
                shown(&before.white.name),
                shown(&before.black.name),
                before.table
            ))),
            None if known.pairings.iter().any(|before| before.table == pairing.table || before.board == pairing.board) => {
                let free = known.pairings.iter().map(|before| before.table.0.max(before.board)).max().unwrap_or(0) + 1;
                let taken = kept.iter().map(|before| before.table.0.max(before.board)).max().unwrap_or(0) + 1;
                let place = free.max(taken);
                kept.push(Pairing {
                    table: TableNo(place),
                    board: place,
                    ..pairing
                });
            }
            None => kept.push(pairing),
        }
    }
    if errors.is_empty() { Ok(kept) } else { Err(errors) }
}

fn numbers(pairings: &[Pairing], games: &[Game]) -> Vec<Numbers> {
    let of = |pairing: &Pairing| {
        let game = games.iter().find(|game| is_same_game(&game.pairing, pairing))?;
        let (white, black) = game.numbers?;
        Some(Numbers {
            table: pairing.table,
            white,
            black,
        })
    };
    pairings.iter().filter_map(of).collect()
}

fn before(pairings: &[Pairing], games: &[Game]) -> Vec<Before> {
    let of = |pairing: &Pairing| {
        let game = games.iter().find(|game| is_same_game(&game.pairing, pairing))?;
        let (white, black) = game.before;
        (white.is_some() || black.is_some()).then_some(Before {
            table: pairing.table,
            white,
            black,
        })
    };
    pairings.iter().filter_map(of).collect()
}

/// The encoding that somebody named; nothing named is none.
///
/// # Errors
/// It is not known.
pub fn encoding(given: &str) -> Result<Option<Encoding>, NoEncoding> {
    if given.is_empty() {
        return Ok(None);
    }
    given.parse().map(Some)
}

#[cfg(test)]
mod tests;
