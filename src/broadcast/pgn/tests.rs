use std::ops::ControlFlow;

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use proptest::prelude::*;

use super::*;

/// What another reader makes of it.
#[derive(Debug, Default)]
struct Seen {
    tags: Vec<(String, String)>,
    moves: Vec<String>,
    comments: Vec<String>,
    outcome: String,
}

impl Seen {
    fn tag(&self, name: &str) -> &str {
        let found = self.tags.iter().find(|(tag, _)| tag == name);
        found.map_or("", |(_, value)| value)
    }
}

struct Other;

/// As the standard says: a backslash stands before a quote or a backslash. (pgn-reader's own decoding takes `\\\\\"` for a quote.)
fn unescaped(raw: &str) -> String {
    let mut chars = raw.chars();
    std::iter::from_fn(|| match chars.next()? {
        '\\' => chars.next(),
        c => Some(c),
    })
    .collect()
}

impl Visitor for Other {
    type Tags = Seen;
    type Movetext = Seen;
    type Output = Seen;

    fn begin_tags(&mut self) -> ControlFlow<Seen, Seen> {
        ControlFlow::Continue(Seen::default())
    }

    fn tag(&mut self, seen: &mut Seen, name: &[u8], value: RawTag<'_>) -> ControlFlow<Seen> {
        let name = String::from_utf8_lossy(name).into_owned();
        seen.tags
            .push((name, unescaped(&String::from_utf8_lossy(value.as_bytes()))));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, seen: Seen) -> ControlFlow<Seen, Seen> {
        ControlFlow::Continue(seen)
    }

    fn san(&mut self, seen: &mut Seen, san: SanPlus) -> ControlFlow<Seen> {
        seen.moves.push(san.to_string());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, seen: &mut Seen, comment: RawComment<'_>) -> ControlFlow<Seen> {
        seen.comments
            .push(String::from_utf8_lossy(comment.as_bytes()).into_owned());
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Seen) -> ControlFlow<Seen, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, seen: &mut Seen, outcome: pgn_reader::Outcome) -> ControlFlow<Seen> {
        seen.outcome = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, seen: Seen) -> Seen {
        seen
    }
}

fn read(text: &str) -> Vec<Seen> {
    let mut reader = Reader::new(text.as_bytes());
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut Other).expect("memory") {
        games.push(game);
    }
    games
}

fn only(score: &Score) -> (String, Seen) {
    let text = game(score, Wanted { elapsed: true });
    let mut games = read(&text);
    assert_eq!(games.len(), 1, "{text}");
    (text, games.remove(0))
}

fn player(name: &str) -> Player {
    Player {
        name: name.to_owned(),
        ..Player::default()
    }
}

/// `uci`, `san`, seconds on the clock.
fn ply(index: i64, uci: &str, san: &str, clock: Option<i64>) -> MoveView {
    MoveView {
        san: san.to_owned(),
        uci: uci.to_owned(),
        clock: clock.map(Millis::secs),
        at: HallTime(1000 * 10 * (index + 1)),
        promotion_unconfirmed: false,
    }
}

fn moves(list: &[(&str, &str)]) -> Vec<MoveView> {
    let of = |(index, (uci, san)): (usize, &(&str, &str))| ply(index as i64, uci, san, Some(5430 - 10 * index as i64));
    list.iter().enumerate().map(of).collect()
}

fn score() -> Score {
    Score {
        event: "Open".to_owned(),
        site: "Oslo NOR".to_owned(),
        date: "2026-08-01".to_owned(),
        round: 3,
        board: 12,
        white: Player {
            title: "GM".to_owned(),
            fide_id: Some(1_503_014),
            rating: Some(2850),
            federation: "NOR".to_owned(),
            team: "Red".to_owned(),
            ..player("Carlsen, Magnus")
        },
        black: player("Hou, Yifan"),
        result: "1-0".to_owned(),
        termination: Some(Termination::Flag),
        control: Some("40/90m+30s,30m+30s".parse().expect("a control")),
        moves: moves(&[("e2e4", "e4"), ("e7e5", "e5"), ("g1f3", "Nf3")]),
        started: Some(HallTime(0)),
        frank: true,
        ..Score::default()
    }
}

#[test]
fn a_game_is_written_as_the_standard_says() {
    let (text, seen) = only(&score());
    let expected = "[Event \"Open\"]\n[Site \"Oslo NOR\"]\n[Date \"2026.08.01\"]\n[Round \"3.12\"]\n[White \"Carlsen, Magnus\"]\n\
        [Black \"Hou, Yifan\"]\n[Result \"1-0\"]\n[Board \"12\"]\n[WhiteTitle \"GM\"]\n[WhiteElo \"2850\"]\n\
        [WhiteFideId \"1503014\"]\n[WhiteFederation \"NOR\"]\n[WhiteTeam \"Red\"]\n[TimeControl \"40/5400+30:1800+30\"]\n\
        [Termination \"time forfeit\"]\n\n\
        1. e4 {[%clk 1:30:30] [%emt 0:00:10]} 1... e5 {[%clk 1:30:20] [%emt 0:00:10]} 2.\n\
        Nf3 {[%clk 1:30:10] [%emt 0:00:10]} 1-0\n";
    assert_eq!(text, expected);
    assert_eq!(seen.moves, ["e4", "e5", "Nf3"]);
    assert_eq!((seen.outcome.as_str(), seen.comments.len()), ("1-0", 3));
    let plain = game(&score(), Wanted::default());
    assert!(!plain.contains("%emt"));
}

#[test]
fn what_an_illegal_move_leaves_is_in_a_comment_with_the_legal_part_and_the_result_kept() {
    let mut score = score();
    score.moves = moves(&[("e2e4", "e4"), ("e7e5", "e5"), ("e1e3", "e1-e3"), ("d7d5", "d5")]);
    let (text, seen) = only(&score);
    assert_eq!(seen.moves, ["e4", "e5"]);
    assert_eq!(seen.outcome, "1-0");
    let last = seen.comments.last().expect("a comment").replace('\n', " ");
    assert_eq!(
        last,
        "A move that is not legal was made and stands (A.5.2). The game went on: 3 e1-e3 (1:30:10) 4 d5 (1:30:00)"
    );
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    score.frank = false;
    assert!(
        !game(&score, Wanted::default()).contains("legal"),
        "the hall is not told (12.6)"
    );
}

#[test]
fn a_position_that_was_set_ends_what_can_be_replayed() {
    let mut score = score();
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    score.starts = vec![(0, Position::initial().full_fen()), (2, fen.to_owned())];
    let (_, seen) = only(&score);
    assert_eq!(seen.moves, ["e4", "e5"]);
    assert!(seen.comments.last().expect("a comment").contains(fen));
    assert_eq!(seen.tag("FEN"), "");
}

#[test]
fn results_that_only_the_laws_know_stay_in_the_tag() {
    for result in ["0-0", "1/2-0", "0-1/2"] {
        let mut score = score();
        score.result = result.to_owned();
        let (text, seen) = only(&score);
        assert_eq!(seen.tag("Result"), result);
        assert_eq!((seen.outcome.as_str(), seen.moves.len()), ("*", 3), "{text}");
        assert!(
            seen.comments
                .last()
                .expect("said")
                .contains(&format!("The result is {result}"))
        );
    }
}

#[test]
fn a_game_without_moves_and_one_that_goes_on_are_whole() {
    let mut score = score();
    score.moves.clear();
    score.termination = Some(Termination::Default);
    let (_, seen) = only(&score);
    assert_eq!(
        (seen.outcome.as_str(), seen.tag("Termination")),
        ("1-0", "rules infraction")
    );
    score.result = "*".to_owned();
    let (_, seen) = only(&score);
    assert_eq!((seen.outcome.as_str(), seen.tag("Termination")), ("*", "unterminated"));
    score.provisional = Some("an item is open".to_owned());
    let (_, seen) = only(&score);
    assert_eq!(seen.comments, ["The result is provisional: an item is open"]);
    let text = games([&score, &score], Wanted::default());
    assert_eq!(read(&text).len(), 2);
}

#[test]
fn chess960_says_its_position_before_the_first_move() {
    let fen = "nrbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBRN w KQkq - 0 1";
    let mut score = score();
    score.variant = Variant::Chess960;
    score.fen = Some(fen.to_owned());
    score.moves = moves(&[("e2e4", "e4")]);
    let (_, seen) = only(&score);
    let tags = ["Variant", "SetUp", "FEN"].map(|name| seen.tag(name));
    assert_eq!(tags, ["Chess960", "1", fen]);
    assert_eq!(seen.moves, ["e4"]);
}

#[test]
fn a_game_that_begins_with_black_counts_so() {
    let mut score = score();
    score.fen = Some("4k3/8/8/8/8/8/8/4K2R b K - 0 7".to_owned());
    score.moves = moves(&[("e8e7", "Ke7"), ("h1h7", "Rh7+")]);
    let (text, seen) = only(&score);
    assert!(text.contains("7... Ke7 {"), "{text}");
    assert_eq!(seen.moves, ["Ke7", "Rh7+"]);
}

proptest! {
    #[test]
    fn hostile_texts_come_back_and_break_nothing(
        name in "[\"\\\\\\]\\[{}();%<>=+a-zäЖ ]{0,30}",
        event in "\\PC{0,30}",
        why in "[{}\\[\\]%; a-z]{0,40}",
    ) {
        let mut score = score();
        score.white.name = format!("x{name}x");
        score.event = format!("e{event}e");
        score.provisional = Some(why);
        let (text, seen) = only(&score);
        prop_assert_eq!(seen.tag("White"), score.white.name.as_str());
        prop_assert_eq!(seen.tag("Event"), score.event.as_str());
        prop_assert_eq!(seen.moves.len(), 3, "{}", text);
        prop_assert_eq!(seen.outcome.as_str(), "1-0");
    }
}
