use super::*;
use crate::hall::model::Round;
use crate::hall::{EventId, RoundNo};
use crate::pairing::difference::{Change, changes};

fn source(name: &str, bytes: impl Into<Vec<u8>>) -> Source {
    Source {
        name: name.to_owned(),
        bytes: bytes.into(),
    }
}

fn import(file: Source, round: u32) -> Import<'static> {
    Import {
        file,
        players: None,
        round,
        encoding: None,
        first_table: 1,
        known: None,
    }
}

fn of_tests(name: &str) -> Source {
    let path = format!("{}/tests/pairings/{name}", env!("CARGO_MANIFEST_DIR"));
    source(name, std::fs::read(path).expect("a test file"))
}

fn told(errors: &[Remark]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

fn round(pairings: Vec<Pairing>, status: RoundStatus) -> Round {
    Round {
        event: "open".parse::<EventId>().expect("an id"),
        number: RoundNo(2),
        time_control: "90m+30s".to_owned(),
        status,
        pairings,
    }
}

#[test]
fn every_file_of_other_programs_is_read_and_kept_byte_for_byte() {
    for (name, number, games, unpaired, format) in [
        ("sharly-example_trf26.trf", 1, 94, 61, ImportFormat::Trf26),
        ("sharly-example_trf26.trf", 14, 44, 161, ImportFormat::Trf26),
        ("echecsjs-issue_7.trf", 14, 28, 4, ImportFormat::Trf16),
        ("echecsjs-javafo_sample2.trf", 5, 0, 0, ImportFormat::Trf16),
        ("echecsjs-dutch_2025_C5.trf", 2, 3, 0, ImportFormat::Trf16),
        ("echecsjs-trf26_team.trf", 1, 1, 0, ImportFormat::Trf26),
        ("sklangen-2020_06.trf", 10, 6, 1, ImportFormat::Trf16),
    ] {
        let file = of_tests(name);
        let bytes = file.bytes.clone();
        match read(&import(file, number)) {
            Ok(proposal) => {
                assert_eq!(proposal.pairings.len(), games, "{name}");
                assert_eq!(proposal.imported.unpaired.len(), unpaired, "{name}");
                assert_eq!(proposal.imported.format, format, "{name}");
                assert_eq!(proposal.imported.file.bytes().as_deref(), Some(&bytes[..]), "{name}");
                assert_eq!(proposal.imported.numbers.len(), games, "{name}");
            }
            Err(errors) => {
                assert_eq!(games, 0, "{name}: {:?}", told(&errors));
                assert!(
                    told(&errors)[0].contains("the last round with pairings is 4"),
                    "{:?}",
                    told(&errors)
                );
            }
        }
    }
}

#[test]
fn trf26_tells_its_time_control_and_its_teams() {
    let proposal = read(&import(of_tests("sharly-example_trf26.trf"), 1)).expect("read");
    assert_eq!(proposal.event_name, "Grandmommy's Cup");
    assert_eq!(
        proposal.control.map(|control| control.to_string()).as_deref(),
        Some("40/100m+30s,15m+30s")
    );
    assert_eq!(proposal.control_text, "100'x40+15'+30\"");
    let first = &proposal.pairings[0];
    assert_eq!((first.table, first.board), (TableNo(1), 1));
    assert_eq!(first.black.name, "Test0001 Player0001");
    assert_eq!(
        (first.black.team.as_str(), first.black.fide_id),
        ("India", Some(70_123_454_321))
    );
}

#[test]
fn a_pair_list_needs_its_players_and_gives_the_bye() {
    let list = source("pairs.txt", "3\n1 4\n5 2\n3 0\n");
    let errors = read(&import(list.clone(), 3)).expect_err("no players");
    assert!(
        told(&errors)[0].starts_with("pairs.txt: it is a pair list"),
        "{:?}",
        told(&errors)
    );
    let with = |players| Import {
        players: Some(players),
        ..import(list.clone(), 3)
    };
    let proposal = read(&with(of_tests("echecsjs-dutch_2025_C5.trf"))).expect("read");
    assert_eq!(proposal.pairings[1].white.name, "Test0005 Player0005");
    // The sixth is not in the list, and is absent by that.
    let off = |number: u32, code, points| Unpaired {
        number: Some(number),
        name: format!("Test000{number} Player000{number}"),
        code,
        opponent: None,
        points: Some(points),
    };
    assert_eq!(proposal.imported.unpaired, [off(3, 'U', 20), off(6, 'Z', 0)]);
    let had = |white, black| Before {
        table: TableNo(0),
        white,
        black,
    };
    let points = proposal.imported.points.iter();
    assert_eq!(
        points
            .map(|before| Before {
                table: TableNo(0),
                ..*before
            })
            .collect::<Vec<_>>(),
        [had(Some(20), Some(0)), had(Some(10), Some(10))],
        "as the players' report says"
    );
    let csv = source("players.csv", "No;Name;Fed\n1;A;NOR\n2;B;\n3;C;\n4;D;\n5;E;\n");
    assert_eq!(read(&with(csv)).expect("read").pairings[0].black.name, "D");
    let short = source("players.csv", "No;Name\n1;A\n4;D\n3;C\n");
    let errors = read(&with(short)).expect_err("two are missing");
    assert!(told(&errors)[0].starts_with("pairs.txt, line 3: there is no player with the starting number 5"));
    assert_eq!(errors.len(), 2);
}

#[test]
fn named_columns_give_tables_byes_and_forfeits() {
    let text = "Bo.,White,White Rating,Black,Result,Remarks\n\
                1,\"Hou, Yifan\",2633,\"'=Ju, Wenjun\",,x\n\
                2,A,,B,+-,\n\
                3,C,,,,\n\
                4,D,,bye,H,\n";
    let proposal = read(&import(source("r.csv", text), 1)).expect("read");
    assert_eq!(proposal.pairings.len(), 1);
    assert_eq!(proposal.pairings[0].black.name, "=Ju, Wenjun");
    let codes: Vec<_> = proposal
        .imported
        .unpaired
        .iter()
        .map(|one| (one.name.as_str(), one.code))
        .collect();
    assert_eq!(codes, [("A", '+'), ("B", '-'), ("C", 'U'), ("D", 'H')]);
    assert!(told(&proposal.warnings)[0].contains("r.csv, line 1, column 6 (Remarks): no column that is known"));
}

#[test]
fn a_round_that_cannot_be_is_refused_whole_with_every_place() {
    let text = "table,white,black,white_rating,result\n1,A,A,,\n2,B,C,,\n3,C,D,strong,\n2,E,F,,\n5,G,H,,won\n";
    let errors = read(&import(source("r.csv", text), 1)).expect_err("refused");
    assert_eq!(
        told(&errors)[0],
        "r.csv, line 4, column 4 (white_rating): `strong` is no number: give a whole number, or nothing"
    );
    assert!(told(&errors)[1].contains("line 6, column 5 (result): `won`"));
    let text = "table,white,black\n1,A,A\n2,B,C\n3,C,D\n2,E,F\n";
    let errors = read(&import(source("r.csv", text), 1)).expect_err("refused");
    let told = told(&errors).join("\n");
    for part in [
        "r.csv, line 2 (black.name): A is paired against himself",
        "C plays at table",
        "two games at table 2",
    ] {
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn what_is_no_file_of_pairings_is_said() {
    for (bytes, says) in [
        (&b""[..], "it is empty"),
        (b"\xff\xfet\0a\0", "UTF-16"),
        (b"hello\nworld\n", "its first line has to name its columns"),
        (b"012 Only a head\n", "there is no player in it"),
    ] {
        let errors = read(&import(source("x", bytes), 1)).expect_err("refused");
        assert!(told(&errors)[0].contains(says), "{:?}", told(&errors));
    }
}

#[test]
fn names_are_read_in_the_encoding_that_is_given() {
    let text = b"table,white,black\n1,\"Wo\x9fniak, \x8cwit\",B\n";
    let proposal = read(&import(source("r.csv", &text[..]), 1)).expect("read");
    assert!(told(&proposal.warnings)[0].contains("r.csv, line 2: the file is not UTF-8"));
    let given = Import {
        encoding: Some(Encoding::Windows1250),
        ..import(source("r.csv", &text[..]), 1)
    };
    assert_eq!(read(&given).expect("read").pairings[0].white.name, "Woźniak, Świt");
}

const BEFORE: &str = "white,black\nA,B\nC,D\nE,F\n";
const AFTER: &str = "white,black\nE,F\nA,D\nC,B\nG,H\n";

#[test]
fn an_import_again_keeps_the_tables_and_tells_the_difference() {
    let first = Import {
        first_table: 11,
        ..import(source("r.csv", BEFORE), 2)
    };
    let before = read(&first).expect("read").pairings;
    let tables: Vec<_> = before.iter().map(|pairing| (pairing.table.0, pairing.board)).collect();
    assert_eq!(tables, [(11, 1), (12, 2), (13, 3)]);
    let known = round(before.clone(), RoundStatus::Prepared);
    let again = Import {
        known: Some(&known),
        first_table: 11,
        ..import(source("r.csv", AFTER), 2)
    };
    let after = read(&again).expect("read").pairings;
    let told: Vec<_> = after
        .iter()
        .map(|pairing| {
            (
                pairing.table.0,
                pairing.white.name.as_str(),
                pairing.black.name.as_str(),
            )
        })
        .collect();
    assert_eq!(told, [(11, "A", "D"), (12, "C", "B"), (13, "E", "F"), (14, "G", "H")]);
    let kinds: Vec<_> = changes(&before, &after)
        .into_iter()
        .map(|change| match change {
            Change::Added(pairing) => format!("+{}", pairing.white.name),
            Change::Removed(pairing) => format!("-{}", pairing.white.name),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds, ["+A", "+C", "+G", "-A", "-C"]);
    assert!(changes(&before, &before).is_empty());
}

#[test]
fn colours_turned_and_names_corrected_are_changes_of_their_own() {
    let before = read(&import(source("r.csv", "white,black,white_fide_id\nA,B,7\nC,D,\n"), 1))
        .expect("read")
        .pairings;
    let after = read(&import(source("r.csv", "white,black,white_fide_id\nAa,B,7\nD,C,\n"), 1))
        .expect("read")
        .pairings;
    let changes = changes(&before, &after);
    assert!(matches!(&changes[0], Change::Renamed { after, .. } if after.white.name == "Aa"));
    assert!(matches!(&changes[1], Change::ColoursTurned { after, .. } if after.white.name == "D"));
    assert_eq!(changes.len(), 2);
}

#[test]
fn games_of_a_round_that_was_called_stay() {
    let before = read(&import(source("r.csv", BEFORE), 2)).expect("read").pairings;
    let known = round(before, RoundStatus::Started);
    let again = |text: &str| {
        read(&Import {
            known: Some(&known),
            ..import(source("r.csv", text), 2)
        })
    };
    let more = again("white,black\nE,F\nG,H\n").expect("a late pairing").pairings;
    let told: Vec<_> = more
        .iter()
        .map(|pairing| (pairing.table.0, pairing.white.name.as_str()))
        .collect();
    assert_eq!(told, [(1, "A"), (2, "C"), (3, "E"), (4, "G")]);
    let errors = again(AFTER).expect_err("two of them play already");
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(
        errors[0]
            .to_string()
            .starts_with("r.csv, line 3: A – D cannot be taken"),
        "{}",
        errors[0]
    );
    assert!(errors[0].message.contains("A – B has its game at table 1"));
}

#[test]
fn turned_colours_in_a_round_that_was_called_are_refused() {
    let before = read(&import(source("r.csv", BEFORE), 2)).expect("read").pairings;
    let known = round(before, RoundStatus::Started);
    let turned = Import {
        known: Some(&known),
        ..import(source("r.csv", "white,black\nB,A\nC,D\nE,F\n"), 2)
    };
    assert_eq!(read(&turned).expect_err("refused").len(), 1);
}

#[test]
fn what_players_had_before_the_round_is_not_what_they_have_after_it() {
    let file = of_tests("echecsjs-dutch_2025_C5.trf");
    let before = |round| {
        let proposal = read(&import(file.clone(), round)).expect("read");
        let points = proposal.imported.points.iter();
        points.map(|before| (before.white, before.black)).collect::<Vec<_>>()
    };
    // The points column counts both rounds that are in the file.
    assert_eq!(before(1), [(Some(0), Some(0)); 3]);
    let all: i64 = before(2)
        .iter()
        .map(|(white, black)| white.unwrap_or(0) + black.unwrap_or(0))
        .sum();
    assert_eq!(all, 30, "three games of the first round");

    let csv = "white,black,white_score,black_score\nA,B,3.5,2\nC,D,½,\nE,,\"1,5\",\n";
    let proposal = read(&import(source("r.csv", csv), 4)).expect("read");
    let points = proposal.imported.points.iter();
    assert_eq!(
        points.map(|before| (before.white, before.black)).collect::<Vec<_>>(),
        [(Some(35), Some(20)), (Some(5), None)]
    );
    assert_eq!(proposal.imported.unpaired[0].points, Some(15));
    let errors = read(&import(source("r.csv", "white,black,white_score\nA,B,many\n"), 4)).expect_err("no points");
    assert!(told(&errors)[0].contains("write them like 3.5"), "{errors:?}");
}
