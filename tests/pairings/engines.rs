//! Whole tournaments: an engine of others pairs each round from the report that the hub has written, and from nothing else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{House, admin, arbiter, common};
use common::engines::Engine;
use tempfile::TempDir;

/// A tournament on its way.
struct Tournament {
    house: House,
    engine: Engine,
    folder: TempDir,
    /// What everybody has by the results that were entered, in tenths.
    points: BTreeMap<u32, i64>,
}

/// How a game goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// So many half-moves, and then this result is entered.
    Played(usize, &'static str),
    /// White, Black or both did not come (6.7.1).
    Off { white: bool, black: bool },
}

impl Way {
    /// What White and Black get, in tenths.
    fn worth(self) -> (i64, i64) {
        match self {
            Way::Played(_, result) => match result {
                "1-0" => (10, 0),
                "0-1" => (0, 10),
                "1/2-1/2" => (5, 5),
                "1/2-0" => (5, 0),
                _ => (0, 0),
            },
            Way::Off { white, black } => (if white { 0 } else { 10 }, if black { 0 } else { 10 }),
        }
    }

    /// White's code and Black's.
    fn codes(self) -> (char, char) {
        match self {
            Way::Played(moves, result) => {
                let (won, drawn, lost) = if moves > 1 { ('1', '=', '0') } else { ('W', 'D', 'L') };
                let (white, black) = result.split_once('-').expect("two of them");
                let code = |half: &str| match half {
                    "1" => won,
                    "0" => lost,
                    _ => drawn,
                };
                (code(white), code(black))
            }
            Way::Off { white, black } => {
                let code = |off: bool| if off { '-' } else { '+' };
                (code(white), code(black))
            }
        }
    }
}

impl Tournament {
    async fn begin(engine: Engine, report: &str, points: BTreeMap<u32, i64>) -> Tournament {
        let folder = TempDir::new().expect("a folder");
        std::fs::write(folder.path().join("event.trf"), report).expect("written");
        Tournament {
            house: House::open().await,
            engine,
            folder,
            points,
        }
    }

    /// The one report there is.
    fn report(&self) -> PathBuf {
        self.folder.path().join("event.trf")
    }

    /// What the organiser does with the report between two rounds.
    fn edit(&self, change: impl FnOnce(String) -> String) {
        let before = std::fs::read_to_string(self.report()).expect("there");
        std::fs::write(self.report(), change(before)).expect("written");
    }

    /// `flagfall ARGS`: what it prints, and what it says aside.
    fn flagfall(&self, args: &[&str]) -> (String, String) {
        let told = tokio::task::block_in_place(|| {
            Command::new(env!("CARGO_BIN_EXE_flagfall"))
                .args(args)
                .env("FLAGFALL_HUB", format!("http://{}", self.house.hub.http_addr))
                .env("FLAGFALL_TOKEN", &self.house.token)
                .env("XDG_CONFIG_HOME", self.folder.path())
                .output()
                .expect("it runs")
        });
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        let (out, aside) = (text(told.stdout), text(told.stderr));
        assert!(told.status.success(), "{args:?}: {out}{aside}");
        (out, aside)
    }

    /// Pairs, imports, plays and exports one round. `way` says how the game on a board goes.
    async fn round(&mut self, round: u32, way: impl Fn(u32) -> Way) {
        let (report, pairs) = (self.report(), self.folder.path().join("pairs.txt"));
        tokio::task::block_in_place(|| self.engine.pair(&report, round, &pairs))
            .unwrap_or_else(|told| panic!("round {round}: {told}"));
        let number = round.to_string();
        let [report, pairs] = [&report, &pairs].map(|path| path.to_str().expect("text"));
        let import = [
            "import",
            pairs,
            "--round",
            &number,
            "--players",
            report,
            "--time-control",
            "90m+30s",
        ];
        let (shown, _) = self.flagfall(&import);
        let (_, proposal) = shown.trim().rsplit_once("--proposal ").expect("it says what to do");
        let mut confirmed = import.to_vec();
        confirmed.extend(["--confirm", "--proposal", proposal]);
        self.flagfall(&confirmed);
        let games: Vec<(u32, u32)> = pair_list(Path::new(pairs));

        self.flagfall(&["round", "arm", "open", &number]);
        for (at, _) in games.iter().enumerate() {
            if let Way::Off { white, black } = way(at as u32 + 1) {
                for (who, is_off) in [("white", white), ("black", black)] {
                    if is_off {
                        self.flagfall(&["arbiter", "presence", &(at + 1).to_string(), who, "absent"]);
                    }
                }
            }
        }
        self.house.start(round).await;
        for (at, (white, black)) in games.iter().enumerate() {
            let (table, way) = (at as u32 + 1, way(at as u32 + 1));
            match way {
                Way::Played(moves, result) => {
                    self.house.moves(table, &super::TEN[..moves]).await;
                    self.house.result(table, result).await;
                }
                Way::Off { .. } => {
                    while self.house.game(table).await.items.is_empty() {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                    self.flagfall(&["arbiter", "confirm", &table.to_string()]);
                }
            }
            let (one, other) = way.worth();
            *self.points.get_mut(white).expect("a player") += one;
            *self.points.get_mut(black).expect("a player") += other;
        }
        let request = arbiter::EndRoundRequest {
            request_id: self.house.id(),
            event: "open".to_owned(),
            round,
        };
        let ended = self.house.arbiter().await.end_round(self.house.by(request)).await;
        ended.expect("ended");

        let (_, aside) = self.flagfall(&["export", "trf", "--round", &number, "--out", report]);
        let unmoved = (1..=games.len() as u32).any(|board| matches!(way(board), Way::Played(0 | 1, _)));
        assert_eq!(aside.lines().count(), usize::from(unmoved), "{aside}");
        let written = std::fs::read_to_string(report).expect("there");
        for (at, (white, black)) in games.iter().enumerate() {
            let (one, other) = way(at as u32 + 1).codes();
            assert_eq!(cell(&written, *white, round), format!("{black:>4} w {one}"));
            assert_eq!(cell(&written, *black, round), format!("{white:>4} b {other}"));
        }
    }

    /// The bye that the engine has given in this round's list.
    fn bye(&mut self, round: u32) -> Option<u32> {
        let text = std::fs::read_to_string(self.folder.path().join("pairs.txt")).expect("there");
        let number = text.lines().find_map(|line| line.strip_suffix(" 0")?.parse().ok())?;
        let written = std::fs::read_to_string(self.report()).expect("there");
        assert_eq!(cell(&written, number, round), "0000 - U");
        *self.points.get_mut(&number).expect("a player") += 10;
        Some(number)
    }

    /// The points in the report are those of the results that were entered, by whoever reads it.
    fn agrees(&self, reader: Engine) {
        let read = tokio::task::block_in_place(|| reader.points(&self.report()));
        assert_eq!(
            read.unwrap_or_else(|told| panic!("{reader:?}: {told}")),
            self.points,
            "{reader:?}"
        );
    }
}

/// White's number and Black's, in the order of boards.
fn pair_list(path: &Path) -> Vec<(u32, u32)> {
    let text = std::fs::read_to_string(path).expect("there");
    let pair = |line: &str| {
        let (white, black) = line.split_once(' ').expect("two numbers");
        (white.parse().expect("a number"), black.parse().expect("a number"))
    };
    let pairs: Vec<(u32, u32)> = text.lines().skip(1).map(pair).collect();
    pairs.into_iter().filter(|(_, black)| *black > 0).collect()
}

/// What a player's row says of a round.
fn cell(report: &str, number: u32, round: u32) -> String {
    let begin = format!("001 {number:>4}");
    let row = report.lines().find(|line| line.starts_with(&begin)).expect("a row");
    row.chars().skip(91 + 10 * (round as usize - 1)).take(8).collect()
}

/// With more at the end of a player's row, and other points.
fn with_cell(report: String, number: u32, more: &str, points: i64) -> String {
    let begin = format!("001 {number:>4}");
    let row = |line: &str| {
        if line.starts_with(&begin) {
            format!(
                "{}{:>4}{}{more}",
                &line[..80],
                format!("{}.{}", points / 10, points % 10),
                &line[84..]
            )
        } else {
            line.to_owned()
        }
    };
    let rows: Vec<String> = report.lines().map(row).collect();
    rows.join("\n") + "\n"
}

#[tokio::test(flavor = "multi_thread")]
async fn py4swiss_pairs_every_round_from_the_report_of_the_round_before() {
    if !Engine::Py4swiss.is_here() {
        return;
    }
    let players = 41;
    let row = |number: u32| {
        format!(
            "001 {number:>4} m    {:<33} {:>4} NOR {:>11} 1990/11/30  0.0 {number:>4}",
            format!("Player{number:02}, Test"),
            2500 - 20 * number,
            1_503_014 + number
        )
    };
    let rows: Vec<String> = (1..=players).map(row).collect();
    let report = format!(
        "012 Open of forty-one\n062 {players}\n{}\nXXR 5\nXXC white1\n",
        rows.join("\n")
    );
    let points = (1..=players).map(|number| (number, 0)).collect();
    let mut open = Tournament::begin(Engine::Py4swiss, &report, points).await;
    for round in 1..=5 {
        if round == 3 {
            // Two have asked for half a point, which the organiser writes in before he pairs.
            for number in [9, 12] {
                let points = open.points.get_mut(&number).expect("a player");
                *points += 5;
                let points = *points;
                open.edit(|report| with_cell(report, number, "  0000 - H", points));
            }
        }
        if round == 4 {
            // One goes home: JaVaFo's list of those who are not to be paired.
            open.edit(|report| report + "XXZ 17\n");
        }
        open.round(round, |board| match (board, round) {
            (1, _) => Way::Played(20, "1-0"),
            (2, _) => Way::Played(8, "1/2-1/2"),
            (3, 1..=4) => Way::Off {
                white: round % 2 == 0,
                black: round % 2 == 1,
            },
            (4, 2) => Way::Off {
                white: true,
                black: true,
            },
            // Nobody has moved, or White alone.
            (5, 1) => Way::Played(0, "0-1"),
            (6, 1) => Way::Played(1, "1/2-1/2"),
            _ => Way::Played(2, ["1-0", "0-1", "1/2-1/2"][(board + 2 * round) as usize % 3]),
        })
        .await;
        let bye = open.bye(round);
        assert_eq!(bye.is_some(), round <= 3, "round {round}: {bye:?}");
        open.agrees(Engine::Py4swiss);
    }
    let written = std::fs::read_to_string(open.report()).expect("there");
    assert_eq!(
        (cell(&written, 9, 3), cell(&written, 12, 3)),
        ("0000 - H".to_owned(), "0000 - H".to_owned())
    );
    assert_eq!(
        (cell(&written, 17, 4), cell(&written, 17, 5)),
        ("0000 - Z".to_owned(), "0000 - Z".to_owned())
    );
    if Engine::Caissify.is_here() {
        open.agrees(Engine::Caissify);
    }
    // The hub's own table of results has everybody, once in each round.
    let csv = open.house.text(0, admin::ExportFormat::Csv).await;
    let lines = |round: u32| {
        csv.lines()
            .filter(|line| line.starts_with(&format!("{round},")))
            .count()
    };
    assert_eq!([1, 2, 3, 4, 5].map(lines), [21, 21, 22, 21, 21], "{csv}");
    open.house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn py4swiss_pairs_on_from_a_report_of_another_program() {
    if !Engine::Py4swiss.is_here() {
        return;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pairings/echecsjs-issue_7.trf");
    let report = std::fs::read_to_string(path).expect("there");
    let points = Engine::Py4swiss.points(Path::new(path)).expect("it reads it");
    // Fourteen rounds are there, and one is left.
    let mut open = Tournament::begin(Engine::Py4swiss, &report, points).await;
    open.round(15, |board| match board {
        4 => Way::Off {
            white: false,
            black: true,
        },
        _ => Way::Played(2, ["1-0", "1/2-1/2", "0-1"][board as usize % 3]),
    })
    .await;
    open.agrees(Engine::Py4swiss);
    open.house.hub.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn caissify_pairs_a_tournament_of_another_program_to_its_end() {
    if !Engine::Caissify.is_here() {
        return;
    }
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/pairings/echecsjs-javafo_sample2.trf"
    );
    let report = std::fs::read_to_string(path).expect("there");
    let points = Engine::Caissify.points(Path::new(path)).expect("it reads it");
    // Four rounds of nine are played; three rows say already who is not there in the fifth.
    let mut open = Tournament::begin(Engine::Caissify, &report, points).await;
    for round in 5..=9 {
        open.round(round, |board| match board {
            // Both lose at the board, and one gets the half alone.
            2 => Way::Played(4, "0-0"),
            3 => Way::Played(4, "1/2-0"),
            4 => Way::Off {
                white: true,
                black: false,
            },
            _ => Way::Played(2, ["0-1", "1-0", "1/2-1/2"][(board + round) as usize % 3]),
        })
        .await;
        open.bye(round);
        open.agrees(Engine::Caissify);
    }
    open.house.hub.stop().await;
}
