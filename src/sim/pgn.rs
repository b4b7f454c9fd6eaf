//! Reads games with clock comments, as electronic boards write them: comments wrapped in the middle, two comments a move,
//! times missing here and there, king moves that only show the result.

use std::io;
use std::ops::ControlFlow;

use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

/// A game as the file has it. Nothing is judged here: a move may be illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// Where it stands: the file's name, and the game's number in it from 1.
    pub source: String,
    /// The `Event` tag.
    pub event: String,
    /// The `Site` tag.
    pub site: String,
    /// The `Date` tag.
    pub date: String,
    /// The `Round` tag, as written.
    pub round: String,
    /// White.
    pub white: Name,
    /// Black.
    pub black: Name,
    /// The `FEN` tag.
    pub fen: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2`, `*`: the tag, or the end of the movetext where there is no tag.
    pub result: String,
    /// The half-moves of the main line.
    pub plies: Vec<Ply>,
}

/// A player, as the tags have him.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name {
    /// "Surname, First name".
    pub name: String,
    /// FIDE id.
    pub fide_id: Option<u32>,
    /// Rating.
    pub rating: Option<u32>,
    /// Title.
    pub title: String,
    /// Federation.
    pub federation: String,
}

/// A half-move and what its comments say of time, in whole seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// As written, without check marks.
    pub san: String,
    /// What the mover's clock showed after his press.
    pub clk: Option<u32>,
    /// Time spent.
    pub emt: Option<u32>,
}

/// Reads all games of `text`. `source` names it in messages.
///
/// A game that stands twice (the same Round and the same players) is a correction that came later: the later one is kept, in
/// the place of the first. Playing both would put two people at two boards at once.
pub fn read(source: &str, text: &[u8]) -> io::Result<Vec<Score>> {
    let mut reader = Reader::new(io::Cursor::new(text));
    let mut games: Vec<Score> = Vec::new();
    let mut number = 0_usize;
    while let Some(mut score) = reader.read_game(&mut Scribe)? {
        number += 1;
        score.source = format!("{source}#{number}");
        let earlier = games.iter_mut().find(|game| {
            !game.round.is_empty()
                && game.round == score.round
                && game.date == score.date
                && game.white.name == score.white.name
                && game.black.name == score.black.name
        });
        match earlier {
            Some(place) => *place = score,
            None => games.push(score),
        }
    }
    Ok(games)
}

struct Scribe;

#[derive(Default)]
struct Draft {
    tags: Vec<(String, String)>,
    plies: Vec<Ply>,
    outcome: Option<String>,
}

impl Draft {
    fn tag(&self, name: &str) -> &str {
        self.tags
            .iter()
            .find(|(tag, _)| tag == name)
            .map_or("", |(_, value)| value)
    }

    fn player(&self, colour: &str) -> Name {
        let of = |tag: &str| self.tag(&format!("{colour}{tag}")).to_owned();
        Name {
            name: self.tag(colour).to_owned(),
            fide_id: of("FideId").parse().ok(),
            rating: of("Elo").parse().ok(),
            title: of("Title"),
            federation: of("Federation"),
        }
    }
}

impl Visitor for Scribe {
    type Tags = Draft;
    type Movetext = Draft;
    type Output = Score;

    fn begin_tags(&mut self) -> ControlFlow<Score, Draft> {
        ControlFlow::Continue(Draft::default())
    }

    fn tag(&mut self, draft: &mut Draft, name: &[u8], value: RawTag<'_>) -> ControlFlow<Score> {
        draft.tags.push((
            String::from_utf8_lossy(name).into_owned(),
            value.decode_utf8_lossy().into_owned(),
        ));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, draft: Draft) -> ControlFlow<Score, Draft> {
        ControlFlow::Continue(draft)
    }

    fn san(&mut self, draft: &mut Draft, san: SanPlus) -> ControlFlow<Score> {
        draft.plies.push(Ply {
            san: san.san.to_string(),
            clk: None,
            emt: None,
        });
        ControlFlow::Continue(())
    }

    fn comment(&mut self, draft: &mut Draft, comment: RawComment<'_>) -> ControlFlow<Score> {
        if let Some(ply) = draft.plies.last_mut() {
            let text = String::from_utf8_lossy(comment.as_bytes());
            ply.clk = command(&text, "%clk").or(ply.clk);
            ply.emt = command(&text, "%emt").or(ply.emt);
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Draft) -> ControlFlow<Score, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, draft: &mut Draft, outcome: Outcome) -> ControlFlow<Score> {
        draft.outcome = Some(outcome.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, draft: Draft) -> Score {
        let result = match draft.tag("Result") {
            "" => draft.outcome.clone().unwrap_or_else(|| "*".to_owned()),
            tag => tag.to_owned(),
        };
        let fen = Some(draft.tag("FEN").to_owned()).filter(|fen| !fen.is_empty());
        Score {
            source: String::new(),
            event: draft.tag("Event").to_owned(),
            site: draft.tag("Site").to_owned(),
            date: draft.tag("Date").to_owned(),
            round: draft.tag("Round").to_owned(),
            white: draft.player("White"),
            black: draft.player("Black"),
            fen,
            result,
            plies: draft.plies,
        }
    }
}

/// The time of `[%clk 1:30:00]` in whole seconds. Lines are wrapped inside of it, so any white space parts the words.
fn command(comment: &str, name: &str) -> Option<u32> {
    let mut words = comment
        .split(|c: char| c.is_whitespace() || c == '[' || c == ']')
        .filter(|word| !word.is_empty());
    words.find(|word| *word == name)?;
    seconds(words.next()?)
}

/// `h:mm:ss`, `mm:ss` or `ss`, a fraction cut off.
fn seconds(text: &str) -> Option<u32> {
    let whole = text.split_once('.').map_or(text, |(whole, _)| whole);
    whole
        .split(':')
        .try_fold(0_u32, |sum, part| sum.checked_mul(60)?.checked_add(part.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWICE: &str = "[Round \"1.1\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {[%clk\n1:30:28]} {[%emt 00:00:02]} \
        e5 $1 (1... c5 {[%clk 0:00:01]}) {[%emt\n00:01:00]} 2. Nf3+ 1-0\n\n\
        [Round \"1.1\"]\n[White \"C\"]\n[Black \"D\"]\n[Result \"*\"]\n\n*\n\n\
        [Round \"1.1\"]\n[White \"A\"]\n[Black \"B\"]\n\n1. d4 0-1\n";

    #[test]
    fn wrapped_and_doubled_comments_are_read_and_variations_are_not() {
        let first = &TWICE[..TWICE.find("[Round \"1.1\"]\n[White \"C\"]").expect("is there")];
        let games = read("t", first.as_bytes()).expect("reads");
        let ply = |san: &str, clk, emt| Ply {
            san: san.to_owned(),
            clk,
            emt,
        };
        assert_eq!(games.len(), 1);
        assert_eq!(
            games[0].plies,
            [
                ply("e4", Some(5428), Some(2)),
                ply("e5", None, Some(60)),
                ply("Nf3", None, None)
            ]
        );
        assert_eq!(games[0].result, "1-0");
    }

    #[test]
    fn a_later_correction_takes_the_place_of_the_game_it_corrects() {
        let games = read("t", TWICE.as_bytes()).expect("reads");
        assert_eq!(games.len(), 2);
        assert_eq!((games[0].plies.len(), games[0].result.as_str()), (1, "0-1"));
        assert_eq!(games[0].source, "t#3");
        assert_eq!(games[1].white.name, "C");
    }
}
