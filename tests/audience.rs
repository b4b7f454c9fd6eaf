//! The arbiter does not help (12.6): whatever happens at a table, what the hall sees, and the public later, is what lies open on
//! the board and the clock, and nothing of what the hub found, claims, counts or waits for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use flagfall::game::Game;
use flagfall::game::audience::{ArbiterView, HallView};
use flagfall::rehearsal::{Case, play_watched};
use flagfall::time::HallTime;
use serde_json::Value;

fn cases() -> Vec<(PathBuf, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the cases are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    files.sort();
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("a case");
        (file, Case::parse(&text).expect("a case"))
    };
    files.into_iter().map(read).collect()
}

/// Whether a value may stand somewhere.
type May = fn(&Value) -> bool;

/// Every path of keys that the hall may be sent, with what may stand there.
const HALL: [(&str, May); 18] = [
    ("fen", |value| value.as_str().is_some_and(is_placement_and_side)),
    ("moves", Value::is_array),
    ("moves[]", Value::is_object),
    ("moves[].san", |value| value.as_str().is_some_and(is_san)),
    ("moves[].uci", |value| value.as_str().is_some_and(is_from_to)),
    ("moves[].clock", |value| {
        value.is_null() || value.as_i64().is_some_and(|ms| ms >= 0)
    }),
    ("moves[].at", Value::is_i64),
    ("moves[].promotion_unconfirmed", |value| *value == Value::Bool(false)),
    ("clocks", Value::is_object),
    ("clocks.white", |value| value.as_i64().is_some_and(|ms| ms >= 0)),
    ("clocks.black", |value| value.as_i64().is_some_and(|ms| ms >= 0)),
    ("clocks.running", |value| {
        value.is_null() || value == "white" || value == "black"
    }),
    ("clocks.as_of", Value::is_i64),
    ("clocks.delay_until", |value| value.is_null() || value.is_i64()),
    ("clocks.no_signal", Value::is_boolean),
    ("result", |value| {
        ["*", "1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2"]
            .iter()
            .any(|result| value == result)
    }),
    ("started", Value::is_boolean),
    ("paused", Value::is_boolean),
];

/// No castling rights, no counters, no en passant square.
fn is_placement_and_side(text: &str) -> bool {
    let Some((placement, side)) = text.split_once(' ') else {
        return false;
    };
    let rank = |rank: &str| !rank.is_empty() && rank.chars().all(|c| "KQRBNPkqrbnp12345678".contains(c));
    matches!(side, "w" | "b") && placement.split('/').count() == 8 && placement.split('/').all(rank)
}

/// SAN, whether the move was legal or not: never from-to.
fn is_san(text: &str) -> bool {
    let text = text.trim_end_matches(['+', '#']);
    if matches!(text, "O-O" | "O-O-O") {
        return true;
    }
    let (text, promoted) = text.split_once('=').unwrap_or((text, "Q"));
    let body = text.trim_start_matches(['K', 'Q', 'R', 'B', 'N']);
    let square = body.len() >= 2 && is_from_to(&format!("a1{}", &body[body.len() - 2..]));
    let before = &body[..body.len().saturating_sub(2)];
    square
        && before.len() <= 3
        && before.chars().all(|c| "abcdefgh12345678x".contains(c))
        && promoted.len() == 1
        && "QRBN".contains(promoted)
}

fn is_from_to(text: &str) -> bool {
    let bytes = text.as_bytes();
    let square = |at: usize| matches!(bytes.get(at..at + 2), Some([b'a'..=b'h', b'1'..=b'8']));
    square(0) && square(2) && matches!(bytes.get(4..), Some([] | [b'q' | b'r' | b'b' | b'n']))
}

/// What of a value is not on the list.
fn forbidden(value: &Value, path: &str, found: &mut Vec<String>) {
    if !path.is_empty() {
        match HALL.iter().find(|(known, _)| *known == path) {
            None => found.push(format!("{path} is not for the hall: {value}")),
            Some((_, may)) if !may(value) => found.push(format!("{path} says {value}")),
            Some(_) => {}
        }
    }
    match value {
        Value::Object(parts) => {
            for (key, part) in parts {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                forbidden(part, &path, found);
            }
        }
        Value::Array(parts) => parts
            .iter()
            .for_each(|part| forbidden(part, &format!("{path}[]"), found)),
        _ => {}
    }
}

/// What everybody in the hall can see with his own eyes: the moves on the board, both clocks, and that the game is over if it was said.
fn open_to_all(arbiter: &ArbiterView, game: &Game) -> (Vec<String>, i64, i64, Option<flagfall::chess::Color>, bool) {
    let said = game.state().ending.as_ref().is_some_and(|ending| ending.announced);
    let moves = arbiter.moves.iter().map(|mv| mv.uci.clone()).collect();
    (
        moves,
        arbiter.clocks.white.0,
        arbiter.clocks.black.0,
        arbiter.clocks.running,
        said,
    )
}

#[test]
fn nothing_in_the_halls_view_is_more_than_board_clock_and_result() {
    let mut looks = 0;
    for (file, case) in cases() {
        let outcome = play_watched(&case, |input, game, _| {
            let view = game.hall_view(input.heard);
            let written = serde_json::to_value(&view).expect("a view is written");
            let mut found = Vec::new();
            forbidden(&written, "", &mut found);
            assert!(
                found.is_empty(),
                "{}: after {input:?}: {}",
                file.display(),
                found.join("; ")
            );
            looks += 1;
        });
        assert!(outcome.is_ok(), "{}", file.display());
    }
    assert!(looks > 2000, "only {looks} looks");
}

#[test]
fn a_result_is_shown_when_it_was_said_and_a_mate_is_not_marked_before() {
    for (file, case) in cases() {
        // Whether the event shows mates at once or when they are acknowledged, the cases say the same of it.
        let mut case = case;
        case.setup.endings_at_once = false;
        let _ = play_watched(&case, |input, game, _| {
            let view = game.hall_view(input.heard);
            let said = game.state().ending.as_ref().filter(|ending| ending.announced);
            let result = said.map_or("*", |ending| ending.result.text());
            assert_eq!(view.result, result, "{}: after {input:?}", file.display());
            let mates = view.moves.iter().filter(|mv| mv.san.contains('#')).count();
            let last = view.moves.last().is_some_and(|mv| mv.san.ends_with('#'));
            assert!(
                mates == 0 || (mates == 1 && last && said.is_some()),
                "{}: after {input:?} the hall is told of a mate that nobody has acknowledged",
                file.display()
            );
        });
    }
}

#[test]
fn an_item_changes_nothing_that_the_hall_sees() {
    let mut opened = BTreeSet::new();
    for (file, case) in cases() {
        let mut before: Option<(ArbiterView, HallView, HallTime)> = None;
        let mut seen: Option<_> = None;
        let _ = play_watched(&case, |input, game, _| {
            let at = game.state().time.max(input.heard);
            let arbiter = game.arbiter_view(at);
            let hall = game.hall_view(at);
            let open = open_to_all(&arbiter, game);
            if let (Some((earlier, shown, then)), Some(was)) = (&before, &seen)
                && *was == open
                && *then == at
                && earlier.started == arbiter.started
            {
                let kinds = |view: &ArbiterView| view.items.iter().map(|item| item.kind.clone()).collect::<Vec<_>>();
                let suspected = |view: &ArbiterView| view.items.iter().any(|item| item.kind == "flag");
                if kinds(earlier) != kinds(&arbiter) && !suspected(earlier) && !suspected(&arbiter) {
                    opened.extend(kinds(&arbiter));
                    let same = HallView {
                        clocks: flagfall::game::audience::ClockView {
                            as_of: shown.clocks.as_of,
                            no_signal: shown.clocks.no_signal,
                            ..hall.clocks
                        },
                        ..hall.clone()
                    };
                    assert_eq!(&same, shown, "{}: after {input:?}", file.display());
                }
            }
            before = Some((arbiter, hall, at));
            seen = Some(open);
        });
    }
    assert!(opened.len() >= 3, "items that opened by themselves: {opened:?}");
}

/// The same moves at the same times, once with an illegal move among them and once with a legal one: the hall gets them in the same shape.
#[test]
fn an_illegal_move_looks_to_the_hall_like_any_other_and_as_soon() {
    let with = |mv: &str| {
        let text = format!(
            r#"
title = "t"
law = []
[event]
category = "standard"
time_control = "90m+30s"
[[step]]
at = "0"
by = "arbiter"
do = "start"
[[step]]
at = "10s"
by = "white"
do = "move"
move = "{mv}"
[[step]]
at = "11s"
by = "white"
do = "press"
[[step]]
at = "20s"
by = "black"
do = "move"
move = "g8f6"
[[step]]
at = "21s"
by = "black"
do = "press"
"#
        );
        let case = Case::parse(&text).expect("a case");
        let mut views = Vec::new();
        let mut items = 0;
        play_watched(&case, |input, game, _| {
            views.push(game.hall_view(input.heard));
            items = game.arbiter_view(input.heard).items.len();
        })
        .expect("it holds");
        (views, items)
    };
    let (legal, none) = with("b1c3");
    let (illegal, one) = with("b1d3");
    assert_eq!((none, one), (0, 1));
    assert_eq!(legal.len(), illegal.len());
    for (legal, illegal) in legal.iter().zip(&illegal) {
        let blind = |view: &HallView| {
            let mut view = view.clone();
            view.fen = view.fen.split(' ').next_back().unwrap_or_default().to_owned();
            for mv in &mut view.moves {
                mv.san = mv.san.replace("Nd3", "N").replace("Nc3", "N");
                mv.uci.truncate(2);
            }
            view
        };
        assert_eq!(blind(legal), blind(illegal));
    }
}

/// One place decides: nobody else makes a hall's view, and only those who serve arbiters ask for theirs.
#[test]
fn one_place_decides_who_may_be_told_what() {
    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("src can be read") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let who = |word: &str| -> BTreeSet<String> {
        let has = |path: &&PathBuf| {
            let text = std::fs::read_to_string(path).expect("a source");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
            !path.to_string_lossy().contains("tests") && code.contains(word)
        };
        let room = |path: &PathBuf| {
            path.strip_prefix(&root)
                .expect("below src")
                .to_string_lossy()
                .into_owned()
        };
        files.iter().filter(has).map(room).collect()
    };
    let set = |names: &[&str]| {
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<BTreeSet<String>>()
    };
    assert_eq!(who("fn hall_view("), set(&["game/views.rs"]));
    assert_eq!(who("fn arbiter_view("), set(&["game/views.rs"]));
    for room in ["web", "broadcast"] {
        for word in ["ArbiterView", "arbiter_view(", "ArbiterTable"] {
            let users: Vec<String> = who(word).into_iter().filter(|path| path.starts_with(room)).collect();
            assert!(users.is_empty(), "{users:?} ask for what only arbiters see ({word})");
        }
    }
}
