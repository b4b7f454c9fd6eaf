use super::results::{Scored, fill};
use super::*;

fn row(number: u32, name: &str, points: &str, rounds: &str) -> String {
    format!(
        "001 {number:>4}      {name:<33} 2500 NOR     1503014 1990/11/30 {points:>4} {:>4}  {rounds}",
        1
    )
}

fn read(text: &str) -> Trf {
    Trf::read(text.as_bytes().to_vec(), Encoding::Utf8).expect("read").0
}

fn file(rows: &[String]) -> String {
    format!("012 Open\r\n{}\r\nXXR 3\r\nabc what is this\r\n", rows.join("\r\n"))
}

fn four() -> Vec<String> {
    vec![
        row(1, "A", "1.0", "   2 w 1     3 b  "),
        row(2, "B", "0.0", "   1 b 0     4 w"),
        row(3, "C", "1.0", "   4 w 1     1 w  "),
        row(4, "D", "0.0", "   3 b 0     2 b  "),
    ]
}

#[test]
fn a_row_is_read_by_its_columns() {
    let trf = read(&file(&four()));
    let first = &trf.players()[&1];
    assert_eq!(trf.name, "Open");
    assert_eq!(
        (first.line, first.player.name.as_str(), first.player.rating),
        (2, "A", Some(2500))
    );
    assert_eq!((first.player.fide_id, first.points), (Some(1_503_014), Some(10)));
    assert_eq!(trf.last_paired(), 2);
}

#[test]
fn a_round_is_ordered_by_score_and_says_who_has_white() {
    let round = read(&file(&four())).round(2).expect("paired");
    let games: Vec<_> = round.games.iter().map(|game| (game.white, game.black)).collect();
    assert_eq!(games, [(3, 1), (2, 4)]);
    assert!(round.warnings.is_empty());
}

#[test]
fn what_leaves_the_pairing_open_is_refused_with_line_and_column() {
    let told = |row_of: usize, row: String| {
        let mut rows = four();
        rows[row_of] = row;
        let errors = read(&file(&rows)).round(2).expect_err("refused");
        errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let himself = told(0, row(1, "A", "1.0", "   2 w 1     1 b"));
    assert!(
        himself.contains("line 2, column 102 (opponent): player 1 (A) is paired against himself"),
        "{himself}"
    );
    assert!(told(0, row(1, "A", "1.0", "   2 w 1     9 b")).contains("no player with that starting number"));
    assert!(told(0, row(1, "A", "1.0", "   2 w 1     4 b")).contains("(line 5) says that he plays 2"));
    assert!(
        told(0, row(1, "A", "1.0", "   2 w 1     3 w"))
            .contains("(colour): the colours of player 1 (A) and player 3 (C)")
    );
    assert!(told(0, row(1, "A", "1.0", "   2 w 1    xx b")).contains("is no starting number"));
    let mut rows = four();
    rows[0] = row(1, "A", "1.0", "   2 w 1     3 b 1");
    rows[2] = row(3, "C", "1.0", "   4 w 1     1 w 1");
    let errors = read(&file(&rows)).round(2).expect_err("both win");
    assert!(
        errors[0].message.contains("results of player 1 (A) and player 3 (C)"),
        "{errors:?}"
    );
    assert!(
        read(&file(&four())).round(3).expect_err("not paired")[0]
            .message
            .contains("the last round with pairings is 2")
    );
}

#[test]
fn byes_and_forfeits_have_no_game() {
    let rows = [
        row(1, "A", "0.0", "   2 w"),
        row(2, "B", "0.0", "   1 b"),
        row(3, "C", "0.5", "0000 - H"),
        row(4, "D", "1.0", "   5 w +"),
        row(5, "E", "0.0", "   4 b -"),
        row(6, "F", "1.0", "       U"),
        row(7, "G", "0.0", ""),
    ];
    let round = read(&file(&rows)).round(1).expect("paired");
    assert_eq!(round.games, [Paired { white: 1, black: 2 }]);
    let met: Vec<_> = round
        .unpaired
        .iter()
        .map(|met| (met.number, met.code, met.opponent))
        .collect();
    assert_eq!(
        met,
        [(3, 'H', None), (4, '+', Some(5)), (5, '-', Some(4)), (6, 'U', None)]
    );
}

#[test]
fn results_change_their_columns_and_the_points_and_nothing_else() {
    let text = file(&four());
    let trf = read(&text);
    let scored = |number, opponent, colour, code| Scored {
        number,
        opponent: Some(opponent),
        colour,
        code,
    };
    let (same, _) = fill(&trf, 2, &[]).expect("filled");
    assert_eq!(same, text.as_bytes());
    let played = [
        scored(3, 1, 'w', '='),
        scored(1, 3, 'b', '='),
        scored(2, 4, 'b', '0'),
        scored(4, 2, 'w', '+'),
    ];
    let (filled, warnings) = fill(&trf, 2, &played).expect("filled");
    assert!(warnings.is_empty());
    let mut rows = four();
    rows[0] = row(1, "A", "1.5", "   2 w 1     3 b =");
    // Colours were reversed and played on.
    rows[1] = row(2, "B", "0.0", "   1 b 0     4 b 0");
    rows[2] = row(3, "C", "1.5", "   4 w 1     1 w =");
    rows[3] = row(4, "D", "1.0", "   3 b 0     2 w +");
    assert_eq!(String::from_utf8(filled).expect("text"), file(&rows));
    assert!(fill(&trf, 2, &[scored(9, 1, 'w', '1')]).is_err());
}

#[test]
fn points_that_did_not_agree_are_left_and_said() {
    let mut rows = four();
    rows[0] = row(1, "A", "7.5", "   2 w 1     3 b");
    let trf = read(&file(&rows));
    let score = Scored {
        number: 1,
        opponent: Some(3),
        colour: 'b',
        code: '1',
    };
    let (filled, warnings) = fill(&trf, 2, &[score]).expect("filled");
    assert_eq!(warnings.len(), 1);
    rows[0] = row(1, "A", "7.5", "   2 w 1     3 b 1");
    assert_eq!(String::from_utf8(filled).expect("text"), file(&rows));
}

#[test]
fn columns_are_counted_in_characters_or_in_bytes() {
    let by_characters = row(1, "Müller, Jürgen", "0.0", "   2 w");
    let name = "Müller, Jürgen";
    let short: String = format!("{name:<33}").chars().take(31).collect();
    let by_bytes = row(1, name, "0.0", "   2 w").replacen(&format!("{name:<33}"), &short, 1);
    for (first, counted) in [(by_characters, false), (by_bytes, true)] {
        let text = file(&[first, row(2, "B", "0.0", "   1 b")]);
        let (trf, warnings) = Trf::read(text.clone().into_bytes(), Encoding::Utf8).expect("read");
        assert_eq!(trf.players()[&1].player.name, name);
        assert_eq!(trf.players()[&1].player.rating, Some(2500));
        assert_eq!(trf.round(1).expect("paired").games, [Paired { white: 1, black: 2 }]);
        assert_eq!(
            warnings.iter().any(|warning| warning.message.contains("in bytes")),
            counted
        );
        assert_eq!(trf.bytes(), text.as_bytes());
    }
}

#[test]
fn what_is_odd_is_a_warning_and_what_is_broken_an_error() {
    let mut text = file(&four());
    text.insert_str(0, "042 May 29, 2020\n062 7\n122\n222 40/6000+30:900+30\n");
    let (trf, warnings) = Trf::read(text.into_bytes(), Encoding::Utf8).expect("read");
    let told: Vec<_> = warnings.iter().map(ToString::to_string).collect();
    assert!(
        told[0].starts_with("line 1, column 5 (date): `May 29, 2020`"),
        "{told:?}"
    );
    assert!(told[1].contains("it says 7 players, and there are 4"), "{told:?}");
    assert!(told[2].contains("line 11: this line is of no kind"), "{told:?}");
    assert!(matches!(&trf.control, Some(Coded::Same(control)) if control.to_string() == "40/100m+30s,15m+30s"));
    let mut rows = four();
    rows[3] = row(1, "A", "1.0", "");
    rows.push(row(5, "", "0.0", ""));
    rows.push("001    x".to_owned());
    let errors = Trf::read(file(&rows).into_bytes(), Encoding::Utf8).expect_err("refused");
    assert_eq!(errors.len(), 3, "{errors:?}");
    assert!(Trf::read(b"012 Nobody\n".to_vec(), Encoding::Utf8).is_err());
}

#[test]
fn older_titles_and_teams_are_read() {
    let text = format!(
        "{}\n{}\n013 {:<32}    1    2\n",
        row(1, "A", "0.0", "").replacen("      A", " f wg A", 1),
        row(2, "B", "0.0", "").replacen("      B", " m  g B", 1),
        "Red"
    );
    let trf = read(&text);
    let of = |number| &trf.players()[&number].player;
    assert_eq!((of(1).title.as_str(), of(2).title.as_str()), ("WGM", "GM"));
    assert_eq!((of(1).team.as_str(), of(2).team.as_str()), ("Red", "Red"));
}
