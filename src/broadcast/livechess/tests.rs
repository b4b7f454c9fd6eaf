use super::*;
use crate::broadcast::pgn::Score;
use crate::broadcast::published::PublishedEvent;
use crate::game::audience::{ClockView, MoveView};
use crate::hall::ids::TableNo;
use crate::hall::model::RoundStatus;

fn event() -> EventId {
    "open".parse().expect("an id")
}

fn player(name: &str) -> Player {
    Player {
        name: name.to_owned(),
        fide_id: Some(1_503_014),
        title: "GM".to_owned(),
        ..Player::default()
    }
}

/// Moves pressed ten seconds after one another from a call at 1,000 ms, each leaving ten seconds less.
fn moves(sans: &[(&str, &str)]) -> Vec<MoveView> {
    let one = |(at, (san, uci)): (usize, &(&str, &str))| {
        let at = at as i64;
        MoveView {
            san: (*san).to_owned(),
            uci: (*uci).to_owned(),
            clock: Some(Millis(5_400_900 - 10_000 * (at / 2 + 1))),
            at: HallTime(1_000 + 10_000 * (at + 1)),
            promotion_unconfirmed: false,
        }
    };
    sans.iter().enumerate().map(one).collect()
}

fn board(number: u32, white: &str, black: &str, sans: &[(&str, &str)], result: &str) -> PublishedBoard {
    let moves = moves(sans);
    PublishedBoard {
        table: TableNo(100 + number),
        board: number,
        game: None,
        stage: Stage::of(true, result),
        score: Score {
            event: "Open".to_owned(),
            round: 2,
            board: number,
            white: player(white),
            black: player(black),
            result: result.to_owned(),
            started: Some(HallTime(1_000)),
            moves,
            ..Score::default()
        },
        clocks: None,
        fen: String::new(),
        paused: false,
    }
}

fn published(boards: Vec<PublishedBoard>) -> Published {
    Published {
        position: 7,
        as_of: HallTime(1_000_000),
        unix_ms: 1_750_000_000_000,
        rounds: vec![Arc::new(PublishedRound {
            event: PublishedEvent {
                id: event(),
                name: "Open 2026".to_owned(),
                site: "Oslo".to_owned(),
                date: "2026-08-01".to_owned(),
            },
            number: RoundNo(2),
            status: RoundStatus::Started,
            control: "90m+30s".parse().ok(),
            boards: boards.into_iter().map(Arc::new).collect(),
        })],
    }
}

const OPENING: [(&str, &str); 3] = [("e4", "e2e4"), ("e5", "e7e5"), ("Nf3", "g1f3")];

fn read(files: &[File], path: &str) -> serde_json::Value {
    let file = files.iter().find(|file| file.path == path).expect(path);
    serde_json::from_str(&file.content).expect("JSON")
}

#[test]
fn a_round_is_written_as_livechess_writes_it() {
    let published = published(vec![
        board(1, "Carlsen, Magnus", "Hou, Yifan", &OPENING, "*"),
        board(2, "Ju, Wenjun", "Anand", &[], "1-0"),
    ]);
    let files = files(&published, &event(), 1.0, &mut Written::default());
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "round-2/game-1.pgn",
            "round-2/game-1.json",
            "round-2/game-2.pgn",
            "round-2/game-2.json",
            "round-2/games.pgn",
            "round-2/index.json",
            "tournament.json"
        ]
    );
    assert_eq!(
        read(&files, "tournament.json"),
        serde_json::json!({
            "id": "open", "name": "Open 2026", "location": "Oslo", "country": null, "website": null, "rules": "STANDARD",
            "chess960": "STANDARD", "timecontrol": "90m+30s", "rounds": [{"count": 0, "live": 0}, {"count": 2, "live": 1}],
            "eboards": ["101", "102"]
        })
    );
    let index = read(&files, "round-2/index.json");
    assert_eq!(index["date"], "2026-08-01");
    assert_eq!(
        index["pairings"][0]["white"],
        serde_json::json!({
            "fname": "Magnus", "mname": null, "lname": "Carlsen", "title": "GM", "federation": null, "gender": null,
            "fideid": 1_503_014
        })
    );
    assert_eq!(index["pairings"][1]["black"]["lname"], "Anand");
    assert_eq!(index["pairings"][1]["black"]["fname"], serde_json::Value::Null);
    assert_eq!(index["pairings"][1]["result"], "1-0");
    assert_eq!(
        read(&files, "round-2/game-1.json"),
        serde_json::json!({
            "live": true, "serialNr": "101", "firstMove": 1_749_999_011_000_i64, "chess960": 518, "result": "*",
            "comment": null, "clock": null, "moves": ["e4 5390+10", "e5 5390+10", "Nf3 5380+10"]
        })
    );
    assert_eq!(read(&files, "round-2/game-2.json")["result"], "WHITEWIN");
    let all = &files
        .iter()
        .find(|file| file.path.ends_with("games.pgn"))
        .expect("there")
        .content;
    assert_eq!(all.matches("[Event ").count(), 2);
    assert!(all.contains("\n\n[Event "), "{all}");
    for path in paths {
        let one = super::file(&published, &event(), path, 1.0, &mut Written::default());
        assert_eq!(
            one.as_ref(),
            files.iter().find(|file| file.path == path).map(|file| &file.content)
        );
    }
    for nothing in [
        "round-1/index.json",
        "round-02/index.json",
        "round-2/game-0.pgn",
        "round-2/game-3.json",
        "round-2/../x",
    ] {
        assert_eq!(
            super::file(&published, &event(), nothing, 1.0, &mut Written::default()),
            None
        );
    }
}

#[test]
fn a_running_clock_is_told_as_of_when_it_began_to_run_and_is_the_same_at_every_moment() {
    let at = |later: i64| {
        let mut board = board(1, "A", "B", &OPENING, "*");
        board.clocks = Some(ClockView {
            white: Millis(5_380_900),
            black: Millis(5_390_900 - later),
            running: Some(Color::Black),
            as_of: HallTime(31_000 + later),
            delay_until: None,
            no_signal: false,
        });
        let published = published(vec![board]);
        game(&published.rounds[0].boards[0], Times::new(&published, 1.0)).clock
    };
    let told = at(0).expect("it runs");
    assert_eq!(
        told,
        Clock {
            white: 5380,
            black: 5390,
            run: Some(false),
            time: 1_749_999_031_000
        }
    );
    assert_eq!(at(17_345), Some(told));
}

#[test]
fn what_the_form_cannot_say_is_in_the_comment_and_the_result_is_always_there() {
    let mut illegal = board(
        1,
        "A",
        "B",
        &[("e4", "e2e4"), ("e5", "e7e5"), ("Ke3", "e1e3"), ("d5", "d7d5")],
        "0-0",
    );
    let published = published(vec![illegal.clone()]);
    let told = game(&illegal, Times::new(&published, 1.0));
    assert_eq!(told.moves, ["e4 5390+10", "e5 5390+10"]);
    assert_eq!(told.result, "*");
    let comment = told.comment.expect("said");
    assert!(
        comment.contains("3 Ke3") && comment.ends_with("The result is 0-0"),
        "{comment}"
    );
    // The public is never told what is legal (12.6).
    assert!(!comment.contains("legal"), "{comment}");
    illegal.score.moves.clear();
    assert_eq!(game(&illegal, Times::new(&published, 1.0)).result, "NOTPLAYED");

    let mut study = board(1, "A", "B", &[("Kd2", "e1d2")], "*");
    study.score.fen = Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned());
    let told = game(&study, Times::new(&published, 1.0));
    assert_eq!((told.moves.len(), told.chess960), (0, 518));
    assert!(told.comment.is_some_and(|comment| comment.contains("4k3/8")));

    study.score.variant = Variant::Chess960;
    study.score.fen = Some("bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1".to_owned());
    study.score.moves = moves(&[("e4", "e2e4")]);
    let told = game(&study, Times::new(&published, 1.0));
    assert_eq!((told.chess960, told.moves.len(), told.comment), (1, 1, None));
}

#[test]
fn every_name_can_be_put_together_as_it_was() {
    for name in [
        "Carlsen, Magnus",
        "A,B",
        "Anand",
        "\"], x",
        "<img src=x onerror=alert(1)>",
        "=HYPERLINK(\"x\")",
        "van 't Hof, Jan, jr.",
        "Müller, Jürgen",
        "\\, \\",
    ] {
        let named = named(&player(name)).expect("a name");
        let whole = [named.lname, named.fname]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ");
        assert_eq!(whole, name);
    }
    assert_eq!(named(&Player::default()), None);
}

/// What an outlet has in memory of a season of closed rounds, and that whoever asks later reads the same bytes, so that the tag and the date of
/// the file stay.
#[test]
fn texts_of_closed_rounds_are_not_kept_and_are_the_same_when_they_are_made_again() {
    const ROUNDS: u32 = 9;
    const BOARDS: u32 = 100;
    const KEPT: usize = 64;
    // Ninety half-moves.
    let there = [("Nf3", "g1f3"), ("Nf6", "g8f6"), ("Ng1", "f3g1"), ("Ng8", "f6g8")];
    let game: Vec<_> = there.into_iter().cycle().take(90).collect();
    let one = published(
        (1..=BOARDS)
            .map(|number| board(number, "A", "B", &game, "1-0"))
            .collect(),
    );
    let round = |number: u32, status| {
        Arc::new(PublishedRound {
            number: RoundNo(number),
            status,
            ..PublishedRound::clone(&one.rounds[0])
        })
    };
    let paths = |number: u32| {
        (1..=BOARDS).flat_map(move |game| ["pgn", "json"].map(|kind| format!("round-{number}/game-{game}.{kind}")))
    };
    let mut written = Written::keeping(KEPT);
    let mut now = one.clone();
    now.rounds.clear();
    let mut first: Vec<(String, Arc<str>)> = Vec::new();
    let mut most = 0;
    for number in 1..=ROUNDS {
        now.rounds.push(round(number, RoundStatus::Started));
        for path in paths(number) {
            let text = file(&now, &event(), &path, 1.0, &mut written).expect("there");
            first.push((path, text));
        }
        most = most.max(written.held());
        *now.rounds.last_mut().expect("one") = round(number, RoundStatus::Ended);
    }
    let all: usize = first.iter().map(|(_, text)| text.len()).sum();
    let of_a_game = all / (ROUNDS * BOARDS) as usize;
    println!("{of_a_game} bytes of text a game: {all} bytes in all, of which {most} were kept at most");
    assert!(of_a_game > 3_000, "{of_a_game}");
    // One round under way, and the last of those that are closed.
    assert!(most <= (BOARDS as usize + KEPT) * (of_a_game + 10), "{most}");
    file(&now, &event(), "round-1/game-1.pgn", 1.0, &mut written).expect("there");
    assert!(written.held() <= KEPT * (of_a_game + 10), "{}", written.held());
    // The calendar is off by a little by now: the times that were told stay.
    now.unix_ms += 3;
    for (path, text) in &first {
        let again = file(&now, &event(), path, 1.0, &mut written).expect("there");
        assert_eq!(again, *text, "{path}");
        assert!(written.held() <= KEPT * (of_a_game + 10));
    }
}

#[test]
fn only_what_has_changed_is_written_anew() {
    let mut published = published(vec![
        board(1, "A", "B", &OPENING, "*"),
        board(2, "C", "D", &OPENING, "*"),
    ]);
    let mut written = Written::default();
    let before = files(&published, &event(), 1.0, &mut written);
    let mut round = (*published.rounds[0]).clone();
    round.boards[1] = Arc::new(board(2, "C", "D", &OPENING, "1/2-1/2"));
    published.rounds = vec![Arc::new(round)];
    let after = files(&published, &event(), 1.0, &mut written);
    assert!(Arc::ptr_eq(&before[0].content, &after[0].content));
    assert!(Arc::ptr_eq(&before[1].content, &after[1].content));
    assert!(after[2].content.contains("[Result \"1/2-1/2\"]"));
    assert!(after[3].content.contains("\"DRAW\""));
}
