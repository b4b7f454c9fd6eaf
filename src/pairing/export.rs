//! The results of a round, as files for pairing programs and people.

use super::encoding::Encoding;
use super::guard::guarded;
use super::remark::Remark;
use super::trf::Trf;
use super::trf::results::{Scored, fill};
use crate::hall::imported::{ImportFormat, Imported};
use crate::hall::model::{Pairing, Player};
use crate::laws::{GameResult, Termination};

/// A game of the round, as it stands.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// As it was paired.
    pub pairing: Pairing,
    /// How it ended; `None`: it is not over.
    pub result: Option<GameResult>,
    /// What ended it.
    pub termination: Option<Termination>,
    /// Both have made a move.
    pub rated: bool,
    /// The colours were reversed, and it was played on so (7.3).
    pub reversed: bool,
    /// Why the result may still change.
    pub provisional: Option<String>,
}

impl Outcome {
    /// Who had White as it was played.
    pub fn white(&self) -> &Player {
        if self.reversed {
            &self.pairing.black
        } else {
            &self.pairing.white
        }
    }

    /// Who had Black.
    pub fn black(&self) -> &Player {
        if self.reversed {
            &self.pairing.white
        } else {
            &self.pairing.black
        }
    }

    /// Not played: somebody did not come in time (6.7.1).
    pub fn is_forfeit(&self) -> bool {
        self.termination == Some(Termination::Default) && self.result != Some(GameResult::Draw)
    }

    /// The codes of a tournament report, White's and Black's.
    pub fn codes(&self) -> Option<(char, char)> {
        let result = self.result?;
        if self.is_forfeit() {
            return Some(match result {
                GameResult::WhiteWins => ('+', '-'),
                GameResult::BlackWins => ('-', '+'),
                _ => ('-', '-'),
            });
        }
        let (won, drawn, lost) = if self.rated { ('1', '=', '0') } else { ('W', 'D', 'L') };
        Some(match result {
            GameResult::WhiteWins => (won, lost),
            GameResult::BlackWins => (lost, won),
            GameResult::Draw => (drawn, drawn),
            GameResult::BothLose => (lost, lost),
            GameResult::HalfForWhite => (drawn, lost),
            GameResult::HalfForBlack => (lost, drawn),
        })
    }

    /// `1-0`, with an `F` where it was forfeited; `*`.
    fn text(&self) -> String {
        let forfeit = if self.is_forfeit() { "F" } else { "" };
        self.result
            .map_or_else(|| "*".to_owned(), |result| format!("{result}{forfeit}"))
    }

    fn points(&self) -> (&'static str, &'static str) {
        match self.result {
            None => ("", ""),
            Some(GameResult::WhiteWins) => ("1", "0"),
            Some(GameResult::BlackWins) => ("0", "1"),
            Some(GameResult::Draw) => ("0.5", "0.5"),
            Some(GameResult::BothLose) => ("0", "0"),
            Some(GameResult::HalfForWhite) => ("0.5", "0"),
            Some(GameResult::HalfForBlack) => ("0", "0.5"),
        }
    }
}

/// A round with its outcomes.
#[derive(Clone, Debug)]
pub struct Results<'a> {
    /// Its number.
    pub round: u32,
    /// In the order of boards.
    pub outcomes: Vec<Outcome>,
    /// What it was imported from, if it was.
    pub imported: Option<&'a Imported>,
}

impl Results<'_> {
    /// The starting numbers of White and Black, as played.
    fn numbers(&self, outcome: &Outcome) -> Option<(u32, u32)> {
        let numbers = &self.imported?.numbers;
        let found = numbers.iter().find(|numbers| numbers.table == outcome.pairing.table)?;
        Some(if outcome.reversed {
            (found.black, found.white)
        } else {
            (found.white, found.black)
        })
    }

    /// What has to be looked at before these results are believed.
    pub fn remarks(&self) -> Vec<Remark> {
        let mut remarks = Vec::new();
        let mut open = Vec::new();
        let mut unmoved = Vec::new();
        for outcome in &self.outcomes {
            let table = outcome.pairing.table;
            if outcome.result.is_none() {
                open.push(table.to_string());
            } else if !outcome.rated && !outcome.is_forfeit() {
                unmoved.push(table.to_string());
            }
            if let Some(why) = &outcome.provisional {
                remarks.push(Remark::file(format!(
                    "round {}, table {table}: {} is provisional: {why}",
                    self.round,
                    outcome.text()
                )));
            }
            if outcome.reversed {
                remarks.push(Remark::file(format!(
                    "round {}, table {table}: the colours were reversed and the game played on so (7.3): {} had White",
                    self.round,
                    outcome.white().name
                )));
            }
        }
        if !open.is_empty() {
            remarks.push(Remark::file(format!(
                "round {}: {} games have no result yet: tables {}",
                self.round,
                open.len(),
                open.join(", ")
            )));
        }
        if !unmoved.is_empty() {
            remarks.push(Remark::file(format!(
                "round {}: the hall has not seen both players move at tables {}, whose results go out as not rated (W D L): where \
                 they did, enter a move of each (`flagfall arbiter move`) and export again",
                self.round,
                unmoved.join(", ")
            )));
        }
        remarks
    }
}

/// The tournament report that the round came from, with its results, in its own bytes.
///
/// # Errors
/// There is no such report, or it does not fit the round.
pub fn trf(results: &Results<'_>) -> Result<(Vec<u8>, Vec<Remark>), Remark> {
    let round = results.round;
    let none = || {
        Remark::file(format!(
            "round {round} was not imported from a tournament report (TRF), so that there is none to write results into: export \
             csv or results, or import the round from a TRF"
        ))
    };
    let imported = results.imported.ok_or_else(none)?;
    let (kept, is_pair_list) = match imported.format {
        ImportFormat::Trf16 | ImportFormat::Trf26 => (&imported.file, false),
        ImportFormat::PairList | ImportFormat::Csv => (imported.players.as_ref().ok_or_else(none)?, true),
    };
    let bytes = kept.bytes().ok_or_else(|| {
        Remark::file("what is kept of the file is damaged: import the round again").in_file(&kept.name)
    })?;
    if !Trf::is_one(&bytes) {
        return Err(none());
    }
    let encoding: Encoding = kept.encoding.parse().unwrap_or_default();
    let (trf, _) = Trf::read(bytes, encoding).map_err(|errors| {
        let first = errors.into_iter().next();
        first.unwrap_or_else(none).in_file(&kept.name)
    })?;
    let mut scored = Vec::new();
    let mut remarks = results.remarks();
    for outcome in &results.outcomes {
        let Some((white, black)) = results.numbers(outcome) else {
            remarks.push(Remark::file(format!(
                "table {}: {} – {} is not paired in the file, and is left out: enter {} in the pairing program",
                outcome.pairing.table,
                outcome.white().name,
                outcome.black().name,
                outcome.text()
            )));
            continue;
        };
        let score = |number, opponent, colour, code| Scored {
            number,
            opponent: Some(opponent),
            colour,
            code,
        };
        match outcome.codes() {
            Some((one, other)) => {
                scored.push(score(white, black, 'w', one));
                scored.push(score(black, white, 'b', other));
            }
            // Paired elsewhere than in this file: the pairing itself is news to it.
            None if is_pair_list => {
                scored.push(score(white, black, 'w', ' '));
                scored.push(score(black, white, 'b', ' '));
            }
            None => {}
        }
    }
    if is_pair_list {
        scored.extend(imported.unpaired.iter().filter_map(|one| {
            Some(Scored {
                number: one.number?,
                opponent: one.opponent,
                colour: '-',
                code: one.code,
            })
        }));
    }
    let (filled, odd) = fill(&trf, round, &scored).map_err(|error| error.in_file(&kept.name))?;
    remarks.extend(odd.into_iter().map(|remark| remark.in_file(&kept.name)));
    Ok((filled, remarks))
}

const COLUMNS: [&str; 24] = [
    "round",
    "table",
    "board",
    "white_no",
    "white",
    "white_title",
    "white_fide_id",
    "white_rating",
    "white_federation",
    "white_team",
    "black_no",
    "black",
    "black_title",
    "black_fide_id",
    "black_rating",
    "black_federation",
    "black_team",
    "result",
    "white_points",
    "black_points",
    "how",
    "rated",
    "colours_reversed",
    "provisional",
];

/// All of it as CSV in UTF-8, with the columns that an import takes, and more.
pub fn csv(rounds: &[Results<'_>]) -> String {
    let mut sheet = Sheet::new(b',');
    sheet.row(COLUMNS.map(str::to_owned));
    for results in rounds {
        for outcome in &results.outcomes {
            let numbers = results.numbers(outcome);
            let (white, black) = outcome.points();
            let how = outcome.termination.map(Termination::name).unwrap_or_default();
            let yes = |is: bool| if is { "yes" } else { "" }.to_owned();
            let mut row = vec![
                results.round.to_string(),
                outcome.pairing.table.to_string(),
                outcome.pairing.board.to_string(),
            ];
            row.extend(player(outcome.white(), numbers.map(|(white, _)| white)));
            row.extend(player(outcome.black(), numbers.map(|(_, black)| black)));
            row.extend([
                outcome.text(),
                white.to_owned(),
                black.to_owned(),
                how.to_owned(),
                if outcome.result.is_none() {
                    String::new()
                } else if outcome.rated && !outcome.is_forfeit() {
                    "yes".to_owned()
                } else {
                    "no".to_owned()
                },
                yes(outcome.reversed),
                outcome.provisional.clone().unwrap_or_default(),
            ]);
            sheet.row(row);
        }
        for one in results.imported.iter().flat_map(|imported| &imported.unpaired) {
            let mut row = vec![results.round.to_string(), String::new(), String::new()];
            let named = Player {
                name: one.name.clone(),
                ..Player::default()
            };
            row.extend(player(&named, one.number));
            row.extend(player(&Player::default(), None));
            row.push(one.code.to_string());
            row.resize(COLUMNS.len(), String::new());
            sheet.row(row);
        }
    }
    sheet.text()
}

/// What a pairing program, or whoever types into it, needs: a line a board, parted by semicolons.
pub fn list(rounds: &[Results<'_>]) -> String {
    let mut sheet = Sheet::new(b';');
    sheet.row(["round", "board", "white_no", "white", "black_no", "black", "result"].map(str::to_owned));
    for results in rounds {
        for outcome in &results.outcomes {
            let numbers = results.numbers(outcome);
            let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
            let mark = if outcome.provisional.is_some() { " ?" } else { "" };
            sheet.row([
                results.round.to_string(),
                outcome.pairing.board.to_string(),
                number(numbers.map(|(white, _)| white)),
                outcome.white().name.clone(),
                number(numbers.map(|(_, black)| black)),
                outcome.black().name.clone(),
                format!("{}{mark}", outcome.text()),
            ]);
        }
    }
    sheet.text()
}

fn player(player: &Player, number: Option<u32>) -> [String; 7] {
    let text = |number: Option<String>| number.unwrap_or_default();
    [
        text(number.map(|number| number.to_string())),
        player.name.clone(),
        player.title.clone(),
        text(player.fide_id.map(|id| id.to_string())),
        text(player.rating.map(|rating| rating.to_string())),
        player.federation.clone(),
        player.team.clone(),
    ]
}

struct Sheet(::csv::Writer<Vec<u8>>);

impl Sheet {
    fn new(delimiter: u8) -> Sheet {
        let mut builder = ::csv::WriterBuilder::new();
        builder.delimiter(delimiter).flexible(true);
        Sheet(builder.from_writer(Vec::new()))
    }

    fn row(&mut self, fields: impl IntoIterator<Item = String>) {
        let fields: Vec<String> = fields.into_iter().map(|field| guarded(&field).into_owned()).collect();
        self.0.write_record(fields).expect("memory takes every record");
    }

    fn text(self) -> String {
        let bytes = self.0.into_inner().expect("memory takes every record");
        String::from_utf8(bytes).expect("made of text")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pairing::import::{Import, Proposal, Source, read};

    fn proposal(name: &str, bytes: &[u8], round: u32) -> Proposal {
        let file = Source {
            name: name.to_owned(),
            bytes: bytes.to_vec(),
        };
        read(&Import {
            file,
            players: None,
            round,
            encoding: None,
            first_table: 1,
            known: None,
        })
        .expect("read")
    }

    fn outcome(pairing: &Pairing, result: Option<GameResult>) -> Outcome {
        Outcome {
            pairing: pairing.clone(),
            result,
            termination: result.map(|_| Termination::Agreement),
            rated: true,
            reversed: false,
            provisional: None,
        }
    }

    fn results<'a>(proposal: &'a Proposal, round: u32, result: impl Fn(usize) -> Option<GameResult>) -> Results<'a> {
        let outcomes = proposal.pairings.iter().enumerate();
        Results {
            round,
            outcomes: outcomes.map(|(at, pairing)| outcome(pairing, result(at))).collect(),
            imported: Some(&proposal.imported),
        }
    }

    /// A reader of its own: the points that a row of this round gives, by plain columns.
    fn points(text: &str, round: usize) -> Vec<(u32, u32, char, char)> {
        let rows = text.lines().filter(|line| line.starts_with("001"));
        rows.filter_map(|line| {
            let cell = line.get(91 + 10 * (round - 1)..)?;
            let opponent: u32 = cell.get(..4)?.trim().parse().ok().filter(|number| *number > 0)?;
            let letter = |at: usize| cell.chars().nth(at).unwrap_or(' ');
            Some((line[4..8].trim().parse().ok()?, opponent, letter(5), letter(7)))
        })
        .collect()
    }

    #[test]
    fn without_play_every_file_goes_out_as_it_came() {
        for (name, round) in [
            ("sharly-example_trf26.trf", 14),
            ("echecsjs-issue_7.trf", 14),
            ("echecsjs-javafo_sample2.trf", 4),
            ("echecsjs-dutch_2025_C5.trf", 2),
            ("echecsjs-trf26_team.trf", 1),
            ("sklangen-2020_06.trf", 10),
        ] {
            let bytes = std::fs::read(format!("{}/tests/pairings/{name}", env!("CARGO_MANIFEST_DIR"))).expect("there");
            let proposal = proposal(name, &bytes, round);
            let (out, remarks) = trf(&results(&proposal, round, |_| None)).expect("written");
            assert!(out == bytes, "{name} has changed");
            assert!(remarks[0].message.contains("games have no result yet"), "{remarks:?}");
        }
    }

    #[test]
    fn results_are_read_back_by_plain_columns() {
        let path = format!("{}/tests/pairings/echecsjs-issue_7.trf", env!("CARGO_MANIFEST_DIR"));
        let before = std::fs::read_to_string(path).expect("there");
        let proposal = proposal("a.trf", before.as_bytes(), 14);
        let all = [
            GameResult::WhiteWins,
            GameResult::BlackWins,
            GameResult::Draw,
            GameResult::BothLose,
            GameResult::HalfForWhite,
            GameResult::HalfForBlack,
        ];
        let results = results(&proposal, 14, |at| Some(all[at % all.len()]));
        let (out, _) = trf(&results).expect("written");
        let text = String::from_utf8(out).expect("text");
        let read = points(&text, 14);
        let code = [("1", "0"), ("0", "1"), ("=", "="), ("0", "0"), ("=", "0"), ("0", "=")];
        for (at, numbers) in proposal.imported.numbers.iter().enumerate() {
            let (white, black) = code[at % code.len()];
            let (white, black) = (white.chars().next().expect("one"), black.chars().next().expect("one"));
            assert!(
                read.contains(&(numbers.white, numbers.black, 'w', white)),
                "{numbers:?}"
            );
            assert!(
                read.contains(&(numbers.black, numbers.white, 'b', black)),
                "{numbers:?}"
            );
        }
        for (old, new) in before.lines().zip(text.lines()) {
            let end = 91 + 130;
            assert_eq!(old.get(..80), new.get(..80));
            assert_eq!(old.get(84..end), new.get(84..end), "earlier rounds stay");
        }
    }

    #[test]
    fn forfeits_unrated_games_and_reversed_colours_have_their_codes() {
        let proposal = proposal("a.csv", b"white,black\nA,B\n", 1);
        let mut game = outcome(&proposal.pairings[0], Some(GameResult::BlackWins));
        assert_eq!(game.codes(), Some(('0', '1')));
        game.rated = false;
        assert_eq!(game.codes(), Some(('L', 'W')));
        game.termination = Some(Termination::Default);
        assert_eq!((game.codes(), game.text().as_str()), (Some(('-', '+')), "0-1F"));
        game.result = Some(GameResult::BothLose);
        assert_eq!(game.codes(), Some(('-', '-')));
        game.reversed = true;
        assert_eq!(game.white().name, "B");
        game.result = None;
        assert_eq!(game.codes(), None);
    }

    #[test]
    fn a_pair_list_fills_in_the_report_that_was_paired() {
        let row = |number: u32, points: &str| {
            format!(
                "001 {number:>4}      {:<33} {:<32}{points:>4}    1  ",
                format!("P{number}"),
                ""
            )
        };
        let report = format!(
            "012 Open\r\n{}\r\n{}\r\n{}\r\n",
            row(1, "0.0"),
            row(2, "0.0"),
            row(3, "0.0")
        );
        let source = |name: &str, bytes: &str| Source {
            name: name.to_owned(),
            bytes: bytes.as_bytes().to_vec(),
        };
        let proposal = read(&Import {
            file: source("pairs", "2\n2 1\n3 0\n"),
            players: Some(source("open.trf", &report)),
            round: 1,
            encoding: None,
            first_table: 1,
            known: None,
        })
        .expect("read");
        let (out, _) = trf(&results(&proposal, 1, |_| Some(GameResult::WhiteWins))).expect("written");
        let expected = format!(
            "012 Open\r\n{}   2 b 0\r\n{}   1 w 1\r\n{}0000 - U\r\n",
            row(1, "0.0"),
            row(2, "1.0"),
            row(3, "1.0")
        );
        assert_eq!(String::from_utf8(out).expect("text"), expected);
    }

    #[test]
    fn whoever_is_not_in_a_pair_list_is_absent_or_has_the_bye_of_the_report() {
        let row = |number: u32, points: &str, round: &str| {
            format!(
                "001 {number:>4}      {:<33} {:<32}{points:>4}    1  {round}\n",
                format!("P{number}"),
                ""
            )
        };
        // The second row's blanks are room for the round.
        let report = [
            row(1, "0.0", ""),
            row(2, "0.0", "          "),
            row(3, "0.0", "          "),
            row(4, "0.5", "0000 - H"),
            row(5, "0.0", ""),
        ];
        let source = |name: &str, bytes: &str| Source {
            name: name.to_owned(),
            bytes: bytes.as_bytes().to_vec(),
        };
        let proposal = read(&Import {
            file: source("pairs", "2\n2 1\n3 0\n"),
            players: Some(source("open.trf", &report.concat())),
            round: 1,
            encoding: None,
            first_table: 1,
            known: None,
        })
        .expect("read");
        let told: Vec<String> = proposal.warnings.iter().map(ToString::to_string).collect();
        assert!(
            told.iter()
                .any(|told| told.contains("players 5. They are taken as absent (Z)")),
            "{told:?}"
        );
        let codes: Vec<_> = proposal
            .imported
            .unpaired
            .iter()
            .map(|one| (one.number, one.code))
            .collect();
        assert_eq!(codes, [(Some(3), 'U'), (Some(4), 'H'), (Some(5), 'Z')]);
        let (out, _) = trf(&results(&proposal, 1, |_| Some(GameResult::WhiteWins))).expect("written");
        let expected = [
            row(1, "0.0", "   2 b 0"),
            row(2, "1.0", "   1 w 1  "),
            row(3, "1.0", "0000 - U  "),
            row(4, "0.5", "0000 - H"),
            row(5, "0.0", "0000 - Z"),
        ];
        assert_eq!(String::from_utf8(out).expect("text"), expected.concat());
    }

    #[test]
    fn results_without_a_move_are_named_at_the_export() {
        let proposal = proposal("a.csv", b"white,black\nA,B\n", 1);
        let mut results = results(&proposal, 1, |_| Some(GameResult::Draw));
        assert!(results.remarks().is_empty());
        results.outcomes[0].rated = false;
        assert!(
            results.remarks()[0]
                .message
                .contains("move at tables 1, whose results go out as not rated")
        );
        results.outcomes[0].result = Some(GameResult::WhiteWins);
        results.outcomes[0].termination = Some(Termination::Default);
        assert!(results.remarks().is_empty(), "nobody was there to move");
    }

    #[test]
    fn a_round_without_a_report_says_what_to_do() {
        let proposal = proposal("a.csv", b"white,black\nA,B\n", 1);
        let error = trf(&results(&proposal, 1, |_| None)).expect_err("none");
        assert!(error.message.contains("export csv"), "{error}");
    }

    #[test]
    fn provisional_results_are_marked() {
        let proposal = proposal("a.csv", b"white,black\nA,B\n", 1);
        let mut results = results(&proposal, 1, |_| Some(GameResult::Draw));
        results.outcomes[0].provisional = Some("an item is open".to_owned());
        assert!(list(std::slice::from_ref(&results)).contains(";1/2-1/2 ?"));
        assert!(csv(std::slice::from_ref(&results)).contains(",an item is open"));
        assert!(
            results.remarks()[0]
                .message
                .contains("1/2-1/2 is provisional: an item is open")
        );
    }

    proptest! {
        #[test]
        fn hostile_names_come_back_through_csv(
            one in "[=+@'\"<>\\[\\]{};,.a-zäß\\\\-]{1,24}[a-z]",
            other in "[A-Z][=+@'\"<>\\[\\]{};,. a-z]{0,24}",
        ) {
            let names = [one.trim().to_owned(), format!("={}", other.trim())];
            let pairing = Pairing {
                table: crate::hall::TableNo(1),
                board: 1,
                white: Player { name: names[0].clone(), ..Player::default() },
                black: Player { name: names[1].clone(), ..Player::default() },
                time_control: None,
                board_kind: None,
                variant: Default::default(),
                fen: None,
                game: None,
            };
            let results = Results { round: 1, outcomes: vec![outcome(&pairing, None)], imported: None };
            let text = csv(&[results]);
            for record in ::csv::Reader::from_reader(text.as_bytes()).records() {
                for field in &record.expect("a record") {
                    prop_assert!(!field.starts_with(['=', '+', '-', '@']), "{}", field);
                }
            }
            let again = proposal("a.csv", text.as_bytes(), 1);
            prop_assert_eq!(&again.pairings[0].white.name, &names[0]);
            prop_assert_eq!(&again.pairings[0].black.name, &names[1]);
        }
    }
}
