//! All games of the hall on paper, as they stand: for going on by hand if the hub dies.

use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Language;
use super::lexicon::Lexicon;
use super::record::{escaped, numbered, text};
use crate::chess::Color;
use crate::hall::model::{ArbiterTable, Player};
use crate::time::{HallTime, Millis};

/// The page's style sheet.
const STYLE: &str = include_str!("sheet/sheet.css");

/// What is written.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The hall.
    pub hall: String,
    /// When, in Unix milliseconds.
    pub made_ms: i64,
    /// And in hall time.
    pub now: HallTime,
    /// All tables with a game.
    pub tables: Vec<Arc<ArbiterTable>>,
}

/// The times of a table at this moment, White's and Black's, as the hall may see them: of a clock that is not heard the last that it has
/// reported, and never a zero that nobody has seen.
fn times(table: &ArbiterTable, now: HallTime) -> [Millis; 2] {
    let clocks = &table.card.view.clocks;
    if clocks.no_signal {
        return [clocks.white, clocks.black];
    }
    let since = clocks.delay_until.map_or(clocks.as_of, |until| until.max(clocks.as_of));
    let spent = (now - since).at_least_zero();
    let left = |of: Color, time: Millis| {
        if clocks.running == Some(of) {
            (time - spent).at_least_zero()
        } else {
            time
        }
    };
    [left(Color::White, clocks.white), left(Color::Black, clocks.black)]
}

/// `not-started`, `running`, `standing`, `over`.
fn state(table: &ArbiterTable) -> &'static str {
    let view = &table.view;
    if view.result != "*" {
        "over"
    } else if view.started.is_none() {
        "not-started"
    } else if view.clocks.running.is_some() {
        "running"
    } else {
        "standing"
    }
}

fn ordered(sheet: &Sheet) -> Vec<&ArbiterTable> {
    let mut tables: Vec<&ArbiterTable> = sheet.tables.iter().map(|table| &**table).collect();
    tables.sort_by_key(|table| table.card.table);
    tables
}

/// One table a line, for a spreadsheet. No cell of it is taken for a formula.
///
/// # Errors
/// The machine has no memory for it.
pub fn csv(sheet: &Sheet) -> io::Result<Vec<u8>> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record([
        "table",
        "event",
        "round",
        "board",
        "white",
        "black",
        "state",
        "white_time",
        "black_time",
        "to_move",
        "moves",
        "position",
        "result",
        "written",
    ])?;
    let written = Timestamp::from_millisecond(sheet.made_ms).map_or_else(|_| String::new(), |time| time.to_string());
    for table in ordered(sheet) {
        let [white, black] = times(table, sheet.now);
        let card = &table.card;
        out.write_record([
            card.table.to_string(),
            plain(&card.event_name),
            card.round.to_string(),
            card.board.to_string(),
            plain(&card.white.name),
            plain(&card.black.name),
            state(table).to_owned(),
            white.to_string(),
            black.to_string(),
            table.view.turn.to_string(),
            score(table),
            table.view.fen.clone(),
            table.view.result.clone(),
            written.clone(),
        ])?;
    }
    out.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// A cell that a spreadsheet leaves as it is.
fn plain(outside: &str) -> String {
    let clean = super::lexicon::harmless(outside);
    if clean.starts_with(['=', '+', '-', '@', '\t', '\r', '|', '%']) {
        format!("'{clean}")
    } else {
        clean
    }
}

/// `1. e4 e5 2. Nf3`.
fn score(table: &ArbiterTable) -> String {
    let rows = numbered(&table.view);
    let parts: Vec<String> = rows
        .iter()
        .map(|(number, white, black)| match (white, black) {
            (Some(white), Some(black)) => format!("{number}. {} {}", white.san, black.san),
            (Some(white), None) => format!("{number}. {}", white.san),
            (None, Some(black)) => format!("{number}... {}", black.san),
            (None, None) => String::new(),
        })
        .collect();
    parts.join(" ")
}

/// All tables, ready to print.
pub fn page(sheet: &Sheet, language: Language) -> String {
    let lexicon = Lexicon::of(language);
    let say = |key: &str| escaped(&lexicon.say(key));
    let zone = TimeZone::system();
    let made = Timestamp::from_millisecond(sheet.made_ms).map_or_else(
        |_| String::new(),
        |time| zone.to_datetime(time).strftime("%Y-%m-%d %H:%M:%S").to_string(),
    );
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title} {made}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{hall} · <b>{made}</b></p>\n<p>{help}</p>\n",
        title = say("sheet-title"),
        hall = text(&sheet.hall),
        help = say("sheet-help"),
    );
    for table in ordered(sheet) {
        let card = &table.card;
        let [white, black] = times(table, sheet.now);
        let side = |color: Color, player: &Player, time: Millis| {
            let moves = table.view.turn == color && table.view.result == "*";
            let key = if color == Color::White {
                "record-white"
            } else {
                "record-black"
            };
            let title = if player.title.is_empty() {
                String::new()
            } else {
                format!("{} ", text(&player.title))
            };
            format!(
                "<tr{}><th>{}</th><td>{title}{}</td><td class=\"time\">{time}</td></tr>",
                if moves { " class=\"to-move\"" } else { "" },
                say(key),
                text(&player.name),
            )
        };
        let _ = write!(
            out,
            "<section>\n<h2>{} {} <small>{} · {} {} · {}</small></h2>\n<div class=\"two\">\n{}\n<div>\n<table>{}{}</table>\n\
             <p class=\"moves\">{}</p>\n<p><code>{}</code></p>\n</div>\n</div>\n</section>\n",
            say("record-table"),
            card.table,
            text(&card.event_name),
            say("record-round"),
            card.round,
            if table.view.result == "*" {
                say(match state(table) {
                    "not-started" => "sheet-not-started",
                    "running" => "sheet-running",
                    _ => "sheet-standing",
                })
            } else {
                escaped(&table.view.result)
            },
            board(&table.view.fen),
            side(Color::White, &card.white, white),
            side(Color::Black, &card.black, black),
            escaped(&score(table)),
            escaped(&table.view.fen),
        );
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// The position as a diagram of letters that every printer has.
fn board(fen: &str) -> String {
    let mut out = "<table class=\"board\">".to_owned();
    let placement = fen.split(' ').next().unwrap_or_default();
    for (rank, row) in placement.split('/').enumerate().take(8) {
        let _ = write!(out, "<tr><th>{}</th>", 8 - rank);
        let mut file = 0;
        for c in row.chars() {
            let (count, piece) = match c.to_digit(10) {
                Some(empty) => (empty as usize, ""),
                None => (1, piece(c)),
            };
            for _ in 0..count.min(8 - file.min(8)) {
                let dark = (rank + file) % 2 == 1;
                let _ = write!(out, "<td{}>{piece}</td>", if dark { " class=\"dark\"" } else { "" });
                file += 1;
            }
        }
        out.push_str("</tr>");
    }
    out.push_str("<tr><th></th>");
    for file in 'a'..='h' {
        let _ = write!(out, "<th>{file}</th>");
    }
    out.push_str("</tr></table>");
    out
}

fn piece(letter: char) -> &'static str {
    match letter {
        'K' => "♔",
        'Q' => "♕",
        'R' => "♖",
        'B' => "♗",
        'N' => "♘",
        'P' => "♙",
        'k' => "♚",
        'q' => "♛",
        'r' => "♜",
        'b' => "♝",
        'n' => "♞",
        'p' => "♟",
        _ => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::{HOSTILE, tags};
    use super::*;
    use crate::game::{Game, GameSetup};
    use crate::hall::model::TableCard;
    use crate::hall::{RoundNo, TableNo};

    fn table(number: u32, outside: &str) -> Arc<ArbiterTable> {
        let game = Game::new(GameSetup::default());
        let mut view = game.arbiter_view(HallTime(0));
        view.started = Some(HallTime(0));
        view.clocks.running = Some(Color::Black);
        let mut hall = game.hall_view(HallTime(0));
        hall.clocks.running = Some(Color::Black);
        hall.clocks.as_of = HallTime(10_000);
        let player = Player {
            name: outside.to_owned(),
            ..Player::default()
        };
        Arc::new(ArbiterTable {
            card: TableCard {
                table: TableNo(number),
                event: "open".parse().expect("an event"),
                event_name: outside.to_owned(),
                round: RoundNo(3),
                board: number,
                white: player.clone(),
                black: player,
                game: None,
                white_points: None,
                black_points: None,
                view: hall,
            },
            view,
            sector: String::new(),
            clock_device: None,
            board_device: None,
            white_side: Default::default(),
            board_turned: false,
        })
    }

    fn sheet(outside: &str) -> Sheet {
        Sheet {
            hall: outside.to_owned(),
            made_ms: 1_785_000_000_000,
            now: HallTime(70_000),
            tables: vec![table(2, outside), table(1, outside)],
        }
    }

    #[test]
    fn nothing_from_outside_becomes_part_of_the_page_or_a_formula() {
        let plain = tags(&page(&sheet("Anna"), Language::English));
        for outside in HOSTILE {
            let sheet = sheet(outside);
            assert_eq!(tags(&page(&sheet, Language::English)), plain, "{outside:?}");
            let csv = csv(&sheet).expect("written");
            let mut rows = csv::Reader::from_reader(&csv[..]);
            let rows: Vec<_> = rows.records().map(|row| row.expect("a row")).collect();
            assert_eq!(rows.len(), 2, "{outside:?}");
            for cell in rows.iter().flat_map(|row| row.iter().collect::<Vec<_>>()) {
                assert!(!cell.starts_with(['=', '+', '@']), "{outside:?}: {cell:?}");
                assert!(!cell.contains(['\n', '\r']), "{outside:?}: {cell:?}");
            }
        }
    }

    #[test]
    fn the_tables_stand_in_order_with_the_times_of_this_moment() {
        let sheet = sheet("Anna");
        let csv = String::from_utf8(csv(&sheet).expect("written")).expect("text");
        let rows: Vec<&str> = csv.lines().collect();
        assert!(
            rows[1].starts_with("1,Anna,3,1,Anna,Anna,running,1:30:30,1:29:30,White,,"),
            "{}",
            rows[1]
        );
        assert!(rows[2].starts_with("2,"), "{}", rows[2]);
        for language in Language::ALL {
            let page = page(&sheet, language);
            assert!(page.contains("1:29:30") && page.contains("♔"), "{language}");
            assert!(
                !page.contains(concat!("sheet", "-")),
                "{language}: a message without words"
            );
        }
    }

    #[test]
    fn of_a_clock_that_is_not_heard_the_last_time_stands() {
        let mut lost = ArbiterTable::clone(&table(1, "Anna"));
        lost.card.view.clocks.no_signal = true;
        let last = Millis::mins(90) + Millis::secs(30);
        assert_eq!(times(&lost, HallTime(90_000_000)), [last, last]);
    }
}
