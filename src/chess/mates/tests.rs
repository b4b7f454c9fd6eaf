use std::path::Path;

use super::*;
use crate::chess::Variant;

const SAMPLE: &str = include_str!("../../../tests/mates/sample.csv");

fn position(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Standard).unwrap()
}

fn ask(fen: &str, winner: Color) -> Verdict {
    can_mate(&position(fen), winner, Bound::GAME)
}

/// Asks every line of a file; a mating line is played move by move. Answers how many there were and how many were not decided.
fn every_line(text: &str, answer: impl Fn(&Position, Color) -> Verdict) -> (usize, usize) {
    let (mut asked, mut undecided) = (0, 0);
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(';').collect();
        let [fen, winner, expected, ..] = fields.as_slice() else {
            panic!("{line}")
        };
        let winner = if *winner == "white" { Color::White } else { Color::Black };
        let at = position(fen);
        let verdict = answer(&at, winner);
        asked += 1;
        match verdict.can_mate() {
            None => undecided += 1,
            Some(can) => assert_eq!(can, *expected == "winnable", "{line}: {verdict:?}"),
        }
        if let Verdict::CanMate { line: moves } = verdict {
            let last = moves.iter().fold(at, |at, mv| {
                at.play(mv).unwrap_or_else(|why| panic!("{line}: {mv}: {why}"))
            });
            assert!(last.is_checkmate() && last.turn() == winner.other(), "{line}");
        }
    }
    (asked, undecided)
}

#[test]
fn no_verdict_on_the_sample_is_wrong_and_few_are_undecided() {
    let (asked, undecided) = every_line(SAMPLE, |at, winner| can_mate(at, winner, Bound::GAME));
    assert!(asked > 350, "{asked}");
    assert!(undecided * 12 < asked, "{undecided} of {asked}");
}

#[test]
fn no_real_game_of_the_sample_is_undecided() {
    let real: Vec<&str> = SAMPLE
        .lines()
        .filter(|line| line.starts_with("fen") || line.ends_with("timeout"))
        .collect();
    let (asked, undecided) = every_line(&real.join("\n"), |at, winner| can_mate(at, winner, Bound::GAME));
    assert_eq!((asked, undecided), (60, 0));
}

#[test]
fn the_second_opinion_agrees() {
    let some: Vec<&str> = SAMPLE
        .lines()
        .enumerate()
        .filter(|(at, _)| at % 9 == 0)
        .map(|(_, line)| line)
        .collect();
    let (_, undecided) = every_line(&some.join("\n"), |at, winner| {
        second_opinion(at, winner).unwrap_or(Verdict::Undecided { by_material: true })
    });
    assert_eq!(undecided, 0);
}

/// With `FLAGFALL_MATES` naming a file or a folder: all of it.
#[test]
fn no_verdict_on_the_files_named_by_the_environment_is_wrong() {
    let Ok(path) = std::env::var("FLAGFALL_MATES") else {
        return;
    };
    let path = Path::new(&path);
    let files = match path.is_dir() {
        false => vec![path.to_owned()],
        true => std::fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect(),
    };
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "csv"))
    {
        let text = std::fs::read_to_string(file).unwrap();
        let (asked, undecided) = every_line(&text, |at, winner| can_mate(at, winner, Bound::GAME));
        println!("{}: {asked} asked, {undecided} undecided", file.display());
    }
}

#[test]
fn dead_positions_are_told_from_those_where_a_mate_can_still_be_constructed() {
    let dead = |fen| is_dead(&position(fen), Bound::GAME);
    assert_eq!(
        dead("5b1k/8/8/8/8/8/1K6/2B5 b - - 0 1"),
        Some(true),
        "bishops on one colour"
    );
    assert_eq!(dead("2b4k/8/8/8/8/8/1K6/2B5 b - - 0 1"), Some(false), "on both");
    assert_eq!(
        dead("8/8/8/2n5/3k4/8/2B5/K7 w - - 0 1"),
        Some(false),
        "bishop against knight"
    );
    assert_eq!(dead("4N3/8/8/8/8/k7/8/4K3 b - - 0 1"), Some(true), "a lone knight");
    assert_eq!(
        dead("4k3/8/8/1p1p1p1p/1P1P1P1P/8/4K3/8 b - - 0 1"),
        Some(true),
        "the wall is closed"
    );
    assert_eq!(
        dead("4k3/8/8/2p1p1p1/2P1P1P1/8/4K3/8 b - - 0 1"),
        Some(false),
        "the kings walk round"
    );
    assert_eq!(
        dead("7k/7P/6qK/8/8/8/8/8 w - - 0 61"),
        Some(true),
        "the only move is stalemate"
    );
    assert_eq!(
        dead("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        Some(false)
    );
}

#[test]
fn the_proof_says_what_it_rests_on() {
    let why = |fen, winner| match ask(fen, winner) {
        Verdict::CannotMate { why } => why,
        other => panic!("{fen}: {other:?}"),
    };
    assert_eq!(why("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", Color::Black), Proof::Material);
    assert!(
        matches!(why("4k3/8/8/1p1p1p1p/1P1P1P1P/8/4K3/8 b - - 0 1", Color::White), Proof::WalledIn { frozen } if frozen.len() == 8)
    );
    assert_eq!(
        why("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", Color::White),
        Proof::Over,
        "stalemate"
    );
}

#[test]
fn en_passant_may_open_a_wall() {
    let with = "8/5k2/1p6/pPpp2pp/P1PPppPP/4PP2/2K5/8 w - a6 0 1";
    assert_eq!(ask(with, Color::Black).can_mate(), Some(true));
}

#[test]
fn a_position_that_only_an_illegal_move_brings_about_is_not_decided() {
    let kingless = ask("8/8/8/8/8/8/8/K6R w - - 0 1", Color::White);
    assert_eq!(kingless, Verdict::Undecided { by_material: true });
    let capturable = ask("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", Color::White);
    assert_eq!(capturable, Verdict::Undecided { by_material: true });
}

#[test]
fn the_material_rule_counts_what_can_stand_in_the_kings_way() {
    let can = |fen, winner| material_can_mate(&position(fen), winner);
    assert!(!can("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", Color::White));
    assert!(can("r3k3/8/8/8/8/8/8/4KN2 w - - 0 1", Color::White));
    assert!(!can("q3k3/8/8/8/8/8/8/4KN2 w - - 0 1", Color::White));
    assert!(!can("r3k3/8/8/8/8/8/8/4KB2 w - - 0 1", Color::White));
    assert!(can("n3k3/8/8/8/8/8/8/4KB2 w - - 0 1", Color::White));
    assert!(can("4k3/8/8/8/8/8/8/4KNN1 w - - 0 1", Color::White));
}
