//! PGN as any reader has it, by pgn-reader and by python-chess. Each plays every move.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use serde::Deserialize;
use shakmaty::{Chess, Position as _};

/// A game.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Seen {
    /// Escapes are gone.
    pub tags: BTreeMap<String, String>,
    /// Half-moves that are legal, up to the first that is not.
    pub moves: Vec<String>,
    /// What `%clk` says after each, in whole seconds.
    pub clocks: Vec<Option<u64>>,
    /// What `%emt` says of each.
    pub spent: Vec<Option<u64>>,
    /// What the movetext ends with.
    pub outcome: String,
    /// What it did not like.
    pub errors: Vec<String>,
}

#[derive(Default)]
struct Reading {
    seen: Seen,
    position: Chess,
}

struct Pgn;

impl Visitor for Pgn {
    type Tags = Reading;
    type Movetext = Reading;
    type Output = Seen;

    fn begin_tags(&mut self) -> ControlFlow<Seen, Reading> {
        ControlFlow::Continue(Reading::default())
    }

    fn tag(&mut self, reading: &mut Reading, name: &[u8], value: RawTag<'_>) -> ControlFlow<Seen> {
        // As the standard says: a backslash stands before a quote or a backslash.
        let raw = String::from_utf8_lossy(value.as_bytes()).into_owned();
        let mut chars = raw.chars();
        let value = std::iter::from_fn(|| match chars.next()? {
            '\\' => chars.next(),
            c => Some(c),
        });
        let name = String::from_utf8_lossy(name).into_owned();
        reading.seen.tags.insert(name, value.collect());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, reading: Reading) -> ControlFlow<Seen, Reading> {
        ControlFlow::Continue(reading)
    }

    fn san(&mut self, reading: &mut Reading, san: SanPlus) -> ControlFlow<Seen> {
        if !reading.seen.errors.is_empty() {
            return ControlFlow::Continue(());
        }
        match san.san.to_move(&reading.position) {
            Ok(mv) => {
                reading.position.play_unchecked(mv);
                reading.seen.moves.push(san.san.to_string());
                reading.seen.clocks.push(None);
                reading.seen.spent.push(None);
            }
            Err(error) => reading.seen.errors.push(format!("{san}: {error}")),
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, reading: &mut Reading, comment: RawComment<'_>) -> ControlFlow<Seen> {
        let words = String::from_utf8_lossy(comment.as_bytes()).into_owned();
        let seen = &mut reading.seen;
        if let (true, Some(clock), Some(spent)) =
            (seen.errors.is_empty(), seen.clocks.last_mut(), seen.spent.last_mut())
        {
            *clock = command(&words, "%clk").or(*clock);
            *spent = command(&words, "%emt").or(*spent);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Reading) -> ControlFlow<Seen, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, reading: &mut Reading, outcome: pgn_reader::Outcome) -> ControlFlow<Seen> {
        reading.seen.outcome = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, reading: Reading) -> Seen {
        reading.seen
    }
}

/// The time of `[%clk 1:30:00]` in seconds; lines may be broken in the middle of it.
fn command(comment: &str, name: &str) -> Option<u64> {
    let (_, rest) = comment.split_once(name)?;
    let (time, _) = rest.split_once(']')?;
    let mut parts = time.trim().split(':');
    parts.try_fold(0, |sum, part| Some(sum * 60 + part.parse::<u64>().ok()?))
}

/// All games, as pgn-reader has them.
pub fn games(pgn: &str) -> Vec<Seen> {
    let mut reader = Reader::new(pgn.as_bytes());
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut Pgn).expect("PGN") {
        assert!(!game.outcome.is_empty(), "half a game: {pgn}");
        games.push(game);
    }
    games
}

const PYTHON: &str = r#"
import io, json, re, sys, chess, chess.pgn
text, games = io.StringIO(sys.stdin.buffer.read().decode()), []
def command(name, node):
    found = re.search(r"\[" + name + r"\s+(\d+):(\d+):(\d+)", node.comment)
    return found and int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3])
while (game := chess.pgn.read_game(text)) is not None:
    nodes = list(game.mainline())
    games.append({
        # It hands on tags as they are written, escapes and all.
        "tags": {name: re.sub(r"\\(.)", r"\1", value) for name, value in game.headers.items()},
        "moves": [node.parent.board().san(node.move).rstrip("+#") for node in nodes],
        "clocks": [command("%clk", node) for node in nodes],
        "spent": [command("%emt", node) for node in nodes],
        "outcome": game.headers.get("Result", "*"),
        "errors": [str(error) for error in game.errors],
    })
print(json.dumps(games))
"#;

/// All games, as python-chess has them; `None`, and a line that says so, where it is not installed.
pub fn games_by_python_chess(pgn: &str) -> Option<Vec<Seen>> {
    let has = Command::new("python3")
        .args(["-c", "import chess.pgn"])
        .stderr(Stdio::null())
        .status();
    if !has.is_ok_and(|has| has.success()) {
        eprintln!("python-chess is not here and has read nothing: python3 -m pip install chess==1.11.2");
        return None;
    }
    let mut python = Command::new("python3")
        .args(["-c", PYTHON])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("python3 runs");
    python
        .stdin
        .take()
        .expect("piped")
        .write_all(pgn.as_bytes())
        .expect("it reads");
    let told = python.wait_with_output().expect("it ends");
    assert!(told.status.success(), "python-chess has failed");
    Some(serde_json::from_slice(&told.stdout).expect("JSON"))
}
