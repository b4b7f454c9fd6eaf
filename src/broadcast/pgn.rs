//! Games as PGN, for readers of every kind: databases, broadcasters, engines.
//!
//! One game is a [`Score`]. Tags come in the standard's order, the seven first; a move is followed by what its player's clock showed
//! (`[%clk h:mm:ss]`), and by the time spent where that is wanted (`[%emt …]`).
//!
//! PGN has no form for some of what happens in a hall. It is written so that every reader gets the legal moves and the result:
//!
//! * An illegal move that stands (A.5.2), a position that an arbiter has set in the middle, and everything after it stand in one comment
//!   after the last legal move, which says so in words.
//! * Results that only the Laws know (`0-0`, `1/2-0`, `0-1/2`) are in the Result tag; the movetext ends with `*`, because there `0-0`
//!   would be castling.
//! * A provisional result has a comment that says so.
//!
//! Names are strangers' texts: quotes and backslashes are escaped as the standard says, control characters become blanks.

use crate::chess::{Color, Move, Position, Variant as Rules};
use crate::game::audience::MoveView;
use crate::hall::model::{Player, Variant};
use crate::laws::{Termination, TimeControl};
use crate::time::{HallTime, Millis};

/// Lines are at most so long, where no word is longer.
const WIDTH: usize = 80;

/// A game to be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// The event's name.
    pub event: String,
    /// Where.
    pub site: String,
    /// `2026-08-01` or `2026.08.01`; anything else is not known.
    pub date: String,
    /// The round; 0: not known.
    pub round: u32,
    /// The board in the round; 0: none.
    pub board: u32,
    /// White.
    pub white: Player,
    /// Black.
    pub black: Player,
    /// `1-0`, …, `*`.
    pub result: String,
    /// What ended it; `None` with a result: the players, or nobody says.
    pub termination: Option<Termination>,
    /// Something is still open about the result.
    pub provisional: Option<String>,
    /// The time control.
    pub control: Option<TimeControl>,
    /// What is played.
    pub variant: Variant,
    /// The position it begins from, where that is not the usual one.
    pub fen: Option<String>,
    /// The same from push to push.
    pub game_id: Option<String>,
    /// The moves.
    pub moves: Vec<MoveView>,
    /// Where positions were set: half-moves before, and the whole FEN.
    pub starts: Vec<(u32, String)>,
    /// Hall time of the round's call, from which the first move's time counts.
    pub started: Option<HallTime>,
    /// Whoever reads it may be told that a move is not legal (12.6).
    pub frank: bool,
    /// Other tags, in this order.
    pub more: Vec<(String, String)>,
}

/// What is wanted beside the moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// `[%emt …]`.
    pub elapsed: bool,
}

/// Games one after the other, parted by an empty line.
pub fn games<'a>(scores: impl IntoIterator<Item = &'a Score>, wanted: Wanted) -> String {
    let games: Vec<String> = scores.into_iter().map(|score| game(score, wanted)).collect();
    games.join("\n")
}

/// One game: tags, an empty line, moves, and a line's end.
pub fn game(score: &Score, wanted: Wanted) -> String {
    let mut text = String::new();
    for (name, value) in tags(score) {
        tag(&mut text, &name, &value);
    }
    text.push('\n');
    movetext(&mut text, score, wanted);
    text
}

/// Whether this is one of the four results that a movetext can end with.
fn is_standard(result: &str) -> bool {
    matches!(result, "1-0" | "0-1" | "1/2-1/2" | "*")
}

fn tags(score: &Score) -> Vec<(String, String)> {
    let or = |text: &str, other: &str| {
        let text = text.trim();
        if text.is_empty() {
            other.to_owned()
        } else {
            text.to_owned()
        }
    };
    let round = match (score.round, score.board) {
        (0, _) => "?".to_owned(),
        (round, 0) => round.to_string(),
        (round, board) => format!("{round}.{board}"),
    };
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: String| tags.push((name.to_owned(), value));
    add("Event", or(&score.event, "?"));
    add("Site", or(&score.site, "?"));
    add("Date", date(&score.date));
    add("Round", round);
    add("White", or(&score.white.name, "?"));
    add("Black", or(&score.black.name, "?"));
    add("Result", or(&score.result, "*"));
    if score.board > 0 {
        add("Board", score.board.to_string());
    }
    for (color, player) in [("White", &score.white), ("Black", &score.black)] {
        let mut own = |name: &str, value: String| {
            if !value.is_empty() {
                add(&format!("{color}{name}"), value);
            }
        };
        own("Title", player.title.clone());
        own(
            "Elo",
            player.rating.map(|rating| rating.to_string()).unwrap_or_default(),
        );
        own("FideId", player.fide_id.map(|id| id.to_string()).unwrap_or_default());
        own("Federation", player.federation.clone());
        own("Team", player.team.clone());
    }
    if let Some(control) = &score.control {
        add("TimeControl", control.coded());
    }
    add("Termination", termination(score).to_owned());
    if score.variant == Variant::Chess960 {
        add("Variant", "Chess960".to_owned());
    }
    if let Some(fen) = start_fen(score) {
        add("SetUp", "1".to_owned());
        add("FEN", fen);
    }
    if let Some(id) = &score.game_id {
        add("GameId", id.clone());
    }
    for (name, value) in &score.more {
        add(name, value.clone());
    }
    tags
}

/// The FEN that a reader has to begin from.
fn start_fen(score: &Score) -> Option<String> {
    let usual = Position::initial().full_fen();
    let first = score
        .starts
        .first()
        .filter(|(plies, _)| *plies == 0)
        .map(|(_, fen)| fen.clone());
    let fen = first.or_else(|| score.fen.clone())?;
    (fen != usual || score.variant == Variant::Chess960).then_some(fen)
}

/// In the standard's words.
fn termination(score: &Score) -> &'static str {
    match score.termination {
        _ if score.result == "*" || score.result.is_empty() => "unterminated",
        Some(Termination::Flag | Termination::FlagNoMate) => "time forfeit",
        Some(
            Termination::IllegalMoves
            | Termination::IllegalMovesNoMate
            | Termination::Default
            | Termination::Device
            | Termination::Penalty,
        ) => "rules infraction",
        Some(Termination::ImpossiblePosition | Termination::Arbiter) => "adjudication",
        Some(
            Termination::Checkmate
            | Termination::Stalemate
            | Termination::DeadPosition
            | Termination::Threefold
            | Termination::Fivefold
            | Termination::FiftyMoves
            | Termination::SeventyFiveMoves
            | Termination::Agreement
            | Termination::Resignation
            | Termination::ResignationNoMate,
        )
        | None => "normal",
    }
}

fn date(text: &str) -> String {
    let plain = text.trim().replace(['-', '/'], ".");
    let parts: Vec<&str> = plain.split('.').collect();
    let digits = |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    match parts[..] {
        [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2) => plain,
        _ => "????.??.??".to_owned(),
    }
}

fn tag(text: &mut String, name: &str, value: &str) {
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => {
                text.push('\\');
                text.push(c);
            }
            c if c.is_control() => text.push(' '),
            c => text.push(c),
        }
    }
    text.push_str("\"]\n");
}

/// Words on lines, none of which is broken.
struct Lines<'a> {
    text: &'a mut String,
    column: usize,
}

impl Lines<'_> {
    fn word(&mut self, word: &str) {
        let wide = word.chars().count();
        if self.column > 0 && self.column + 1 + wide > WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += wide;
    }

    /// Words of people and of the hub in a comment, where there is no escape: braces become round.
    fn comment(&mut self, words: &str) {
        let words: String = words
            .chars()
            .map(|c| match c {
                '{' | '[' => '(',
                '}' | ']' => ')',
                c if c.is_control() => ' ',
                c => c,
            })
            .collect();
        let mut words = words.split_whitespace().peekable();
        let mut begin = "{";
        while let Some(word) = words.next() {
            // A line that begins with a percent sign is not read.
            let word = word.replace('%', "％");
            let end = if words.peek().is_none() { "}" } else { "" };
            self.word(&format!("{begin}{word}{end}"));
            begin = "";
        }
    }
}

/// A half-move that every reader can play.
#[derive(Clone, Debug, PartialEq)]
pub struct Half<'a> {
    /// As the record writes it.
    pub san: String,
    /// The move's number.
    pub number: u32,
    /// Who made it.
    pub by: Color,
    /// What the clock showed, and when.
    pub view: &'a MoveView,
    /// The time since the move before it, or since the call of the round.
    pub spent: Option<Millis>,
}

/// A game's moves as far as every reader can play them, and the rest in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Mainline<'a> {
    /// The position it begins from.
    pub start: Position,
    /// Legal moves, one after the other.
    pub moves: Vec<Half<'a>>,
    /// What no reader can play: an illegal move that stands, a position that was set, and everything after it.
    pub rest: Option<String>,
}

/// The moves of a game.
pub fn mainline(score: &Score) -> Mainline<'_> {
    let rules = match score.variant {
        Variant::Standard => Rules::Standard,
        Variant::Chess960 => Rules::Chess960,
    };
    let begin = start_fen(score).and_then(|fen| Position::from_fen(&fen, rules).ok());
    let start = begin.unwrap_or_else(Position::initial);
    let mut position = start.clone();
    let set = score.starts.iter().find(|(plies, _)| *plies > 0);
    let mut moves = Vec::with_capacity(score.moves.len());
    let mut rest: Option<String> = None;
    let mut last = score.started;
    for (index, view) in score.moves.iter().enumerate() {
        if rest.is_none() {
            let reset = set.filter(|(plies, _)| *plies as usize == index);
            let legal = match reset {
                Some(_) => None,
                None => legal(&position, view),
            };
            match (reset, legal) {
                (None, Some((mv, after))) => {
                    moves.push(Half {
                        san: san(&position, &mv, view),
                        number: position.fullmoves(),
                        by: position.turn(),
                        view,
                        spent: last.map(|last| (view.at - last).at_least_zero()),
                    });
                    last = Some(view.at);
                    position = after;
                    continue;
                }
                (Some((_, fen)), _) => {
                    rest = Some(format!("An arbiter set the position {fen} here. The game went on:"));
                }
                (None, None) if score.frank => {
                    rest = Some("A move that is not legal was made and stands (A.5.2). The game went on:".to_owned());
                }
                (None, None) => rest = Some("The game went on:".to_owned()),
            }
        }
        if let Some(words) = &mut rest {
            let clock = view.clock.map(|clock| format!(" ({})", clk(clock))).unwrap_or_default();
            // Whose move it was can no longer be told from a position: moves are counted.
            words.push_str(&format!(" {} {}{clock}", index + 1, view.san));
        }
    }
    if rest.is_none()
        && let Some((_, fen)) = set.filter(|(plies, _)| *plies as usize == score.moves.len() && *plies > 0)
    {
        rest = Some(format!("An arbiter set the position {fen}."));
    }
    Mainline { start, moves, rest }
}

fn movetext(text: &mut String, score: &Score, wanted: Wanted) {
    let mut lines = Lines { text, column: 0 };
    let mainline = mainline(score);
    let mut is_first = true;
    for half in &mainline.moves {
        let number = half.number;
        if half.by == Color::White {
            lines.word(&format!("{number}."));
        } else if is_first {
            lines.word(&format!("{number}..."));
        }
        lines.word(&half.san);
        let comment = times(half, wanted);
        is_first = !comment.is_empty();
        if is_first {
            // A command is never broken: readers of every age take it as one word.
            lines.word(&format!("{{{comment}}}"));
        }
    }
    if let Some(words) = &mainline.rest {
        lines.comment(words);
    }
    if let Some(why) = &score.provisional {
        lines.comment(&format!("The result is provisional: {why}"));
    }
    if is_standard(&score.result) {
        lines.word(&score.result);
    } else {
        if !score.result.is_empty() {
            lines.comment(&format!("The result is {}", score.result));
        }
        lines.word("*");
    }
    text.push('\n');
}

/// As the record writes it, where that names the move; whether a check is a mate is the record's to say (12.6).
fn san(position: &Position, mv: &Move, ply: &MoveView) -> String {
    if position.parse_san(&ply.san) == Ok(*mv) && ply.san.parse::<Move>().is_err() {
        ply.san.clone()
    } else {
        position.san(mv)
    }
}

/// The move and what comes of it, if it is legal here.
fn legal(position: &Position, ply: &MoveView) -> Option<(Move, Position)> {
    let mv = ply.uci.parse::<Move>().ok().and_then(|mv| position.canonical(&mv));
    let mv = mv.or_else(|| position.parse_san(&ply.san).ok())?;
    let after = position.play(&mv).ok()?;
    Some((mv, after))
}

/// What the clock showed after the move, and the time spent on it.
fn times(half: &Half<'_>, wanted: Wanted) -> String {
    let shown = half.view.clock.map(|clock| format!("[%clk {}]", clk(clock)));
    let spent = half.spent.filter(|_| wanted.elapsed);
    let spent = spent.map(|spent| format!("[%emt {}]", clk(spent)));
    shown.into_iter().chain(spent).collect::<Vec<_>>().join(" ")
}

/// `h:mm:ss`, cut to the whole second, as a clock shows it.
fn clk(time: Millis) -> String {
    let seconds = time.at_least_zero().0 / 1000;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests;
