//! A case understood: the game's setup and the steps, or the file, line and reason why it is not one.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use toml::Spanned;

use super::judge::{Expectation, KINDS, TERMINATIONS, TOLD};
use super::raw::{RawCase, RawEvent, RawExpect, RawStep};
use crate::chess::{Color, Move, Picture, Piece, Position, Square, Variant};
use crate::game::input::{Agreement, Claim, Deed, Fact, Observation, Penalty, Restoration, TimeChange};
use crate::game::{BoardKind, GameSetup};
use crate::laws::open_points::NoOpenPoint;
use crate::laws::{Category, Enforced, Enforcement, Finding, GameResult, OpenPoints, PeriodRule, Supervision, span};
use crate::time::Millis;

/// One rehearsed situation.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it shows.
    pub title: String,
    /// The articles it rests on.
    pub law: Vec<String>,
    /// Where the ruling is known from.
    pub source: Option<String>,
    /// The event's regulations and the table.
    pub setup: GameSetup,
    /// What happens and what is expected, in order.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it stands in the file: a line, from 1.
    pub line: usize,
    /// Hall time since the round was called.
    pub at: Millis,
    /// When the hub hears of it, where that is later.
    pub arrives: Option<Millis>,
    /// What is done.
    pub action: Option<Action>,
    /// What is expected afterwards.
    pub expect: Option<Expectation>,
}

/// What somebody does in a step.
#[derive(Clone, Debug)]
pub enum Action {
    /// A player, or the board under his hands.
    Player(Fact),
    /// The arbiter.
    Arbiter(Deed),
}

impl Action {
    /// Whether an arbiter only says what he has seen: where it finds nothing to be about, the hall tells him so, and nothing is done.
    pub fn is_a_look(&self) -> bool {
        matches!(self, Action::Arbiter(Deed::Observe { .. }))
    }
}

/// A file that is no case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faulty {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub why: String,
}

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}  {}", self.line, self.why)
    }
}

type Place = Range<usize>;
type Read<T> = Result<T, (Place, String)>;

impl Case {
    /// Reads a case file.
    pub fn parse(text: &str) -> Result<Case, Faulty> {
        let fault = |(place, why): (Place, String)| Faulty {
            line: line_of(text, place.start),
            why,
        };
        let raw: RawCase = toml::from_str(text).map_err(|error| {
            let place = error.span().unwrap_or(0..0);
            fault((
                place,
                error.message().lines().next().unwrap_or("it is no TOML").to_owned(),
            ))
        })?;
        let mut case = understand(raw).map_err(fault)?;
        for step in &mut case.steps {
            // Until here it is a place in the text.
            step.line = line_of(text, step.line);
        }
        Ok(case)
    }
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
        + 1
}

fn understand(raw: RawCase) -> Read<Case> {
    let mut setup = setup(raw.event)?;
    let mut steps: Vec<Step> = Vec::new();
    let mut arrivals = false;
    for raw in raw.step {
        let place = raw.span();
        let step = step(raw.into_inner(), place.clone(), &setup)?;
        if steps.last().is_some_and(|last| step.at < last.at) {
            return Err((
                place,
                "hall time never goes back: this step is earlier than the one before".to_owned(),
            ));
        }
        arrivals |= matches!(step.action, Some(Action::Player(Fact::Arrived { .. })));
        steps.push(step);
    }
    if steps.is_empty() {
        return Err((0..0, "a case has at least one step".to_owned()));
    }
    // In a case without `arrive` both are there from the start.
    setup.present = (!arrivals, !arrivals);
    Ok(Case {
        title: raw.title,
        law: raw.law,
        source: raw.source,
        setup,
        steps,
    })
}

fn setup(raw: Spanned<RawEvent>) -> Read<GameSetup> {
    let event = raw.into_inner();
    let category = word(
        &event.category,
        &[
            ("standard", Category::Standard),
            ("rapid", Category::Rapid),
            ("blitz", Category::Blitz),
        ],
    )?;
    let time_control = event
        .time_control
        .get_ref()
        .parse()
        .map_err(|no: crate::laws::time_control::NoTimeControl| (event.time_control.span(), no.to_string()))?;
    let chess960 = or(&event.variant, &[("standard", false), ("chess960", true)], false)?;
    if let Some(fen) = &event.fen {
        let variant = if chess960 { Variant::Chess960 } else { Variant::Standard };
        let position = Position::from_fen(fen.get_ref(), variant).map_err(|no| (fen.span(), no.to_string()))?;
        let kings = |color: Color| {
            let king = Piece {
                color,
                role: crate::chess::Role::King,
            };
            position
                .placement()
                .pieces()
                .filter(|(_, piece)| *piece == king)
                .count()
        };
        if let Some(color) = Color::BOTH.into_iter().find(|color| kings(*color) != 1) {
            let why = format!(
                "a game begins with one king of each side, here there are {} of {color}",
                kings(color)
            );
            return Err((fen.span(), why));
        }
    }
    let illegal = event.illegal_done.map_or((0, 0), |pair| (pair.white, pair.black));
    Ok(GameSetup {
        category,
        time_control,
        supervision: or(
            &event.supervision,
            &[("limited", Supervision::Limited), ("adequate", Supervision::Adequate)],
            Supervision::Limited,
        )?,
        enforcement: event.enforcement.map_or(Ok(Enforcement::CONFIRM), enforcement)?,
        open_points: open_points(event.open_points)?,
        default_time: event.default_time.as_ref().map(time).transpose()?.unwrap_or_default(),
        period_rule: or(
            &event.period_added,
            &[("on-zero", PeriodRule::OnZero), ("on-moves", PeriodRule::OnMoves)],
            PeriodRule::OnZero,
        )?,
        first_increment: event.first_increment.unwrap_or(true),
        board: or(
            &event.board,
            &[
                ("pieces", BoardKind::Pieces),
                ("occupancy", BoardKind::Occupancy),
                ("none", BoardKind::None),
            ],
            BoardKind::Pieces,
        )?,
        chess960,
        fen: event.fen.map(Spanned::into_inner),
        white_time: event.white_time.as_ref().map(time).transpose()?,
        black_time: event.black_time.as_ref().map(time).transpose()?,
        moves_done: event.moves_done.unwrap_or(0),
        illegal_done: illegal,
        min_moves_for_draw: event.min_moves_for_draw.unwrap_or(0),
        ..GameSetup::default()
    })
}

/// `"automatic"`, or `{ flag = "automatic" }`.
fn enforcement(raw: Spanned<toml::Value>) -> Read<Enforcement> {
    let place = raw.span();
    let how = |value: &toml::Value| match value.as_str() {
        Some("confirm") => Ok(Enforced::Confirm),
        Some("automatic") => Ok(Enforced::Automatic),
        _ => Err((place.clone(), format!("unknown {value}; there are confirm, automatic"))),
    };
    let toml::Value::Table(each) = raw.get_ref() else {
        return how(raw.get_ref()).map(Enforcement::all);
    };
    let mut enforcement = Enforcement::CONFIRM;
    for (finding, value) in each {
        let finding: Finding = finding.parse().map_err(|no| (place.clone(), no))?;
        enforcement.set(finding, how(value)?);
    }
    Ok(enforcement)
}

fn open_points(raw: BTreeMap<Spanned<String>, Spanned<String>>) -> Read<OpenPoints> {
    let mut points = OpenPoints::default();
    for (name, value) in &raw {
        points.set(name.get_ref(), value.get_ref()).map_err(|no| {
            let place = match no {
                NoOpenPoint::Name { .. } => name.span(),
                NoOpenPoint::Value { .. } => value.span(),
            };
            (place, no.to_string())
        })?;
    }
    Ok(points)
}

// Words

/// One of these words.
fn word<T: Copy>(text: &Spanned<String>, words: &[(&str, T)]) -> Read<T> {
    let found = words.iter().find(|(word, _)| word == text.get_ref());
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        (
            text.span(),
            format!("unknown {:?}; there are {}", text.get_ref(), known.join(", ")),
        )
    })
}

fn or<T: Copy>(text: &Option<Spanned<String>>, words: &[(&str, T)], default: T) -> Read<T> {
    text.as_ref().map_or(Ok(default), |text| word(text, words))
}

fn time(text: &Spanned<String>) -> Read<Millis> {
    span::parse(text.get_ref()).map_err(|no| (text.span(), no.to_string()))
}

fn parsed<T: std::str::FromStr>(text: &Spanned<String>) -> Read<T>
where
    T::Err: fmt::Display,
{
    text.get_ref()
        .parse()
        .map_err(|no: T::Err| (text.span(), no.to_string()))
}

const COLORS: [(&str, Color); 2] = [("white", Color::White), ("black", Color::Black)];

// Steps

/// The keys of a step beside `at`, `by`, `do`, `expect`: taken one by one, and none may be left.
struct Keys {
    raw: RawStep,
    place: Place,
    action: String,
}

macro_rules! take {
    ($keys:ident, $key:ident, $name:literal) => {
        $keys.raw.$key.take().ok_or_else(|| {
            (
                $keys.place.clone(),
                format!("`{}` needs the key `{}`", $keys.action, $name),
            )
        })
    };
}

impl Keys {
    fn color(&mut self) -> Read<Option<Color>> {
        self.raw.of.take().map(|text| word(&text, &COLORS)).transpose()
    }

    fn mv(&mut self) -> Read<String> {
        let text = take!(self, mv, "move")?;
        parsed::<Move>(&text)?;
        Ok(text.into_inner())
    }

    fn none_left(&self) -> Read<()> {
        let raw = &self.raw;
        let left = [
            ("arrives", raw.arrives.as_ref().map(Spanned::span)),
            ("move", raw.mv.as_ref().map(Spanned::span)),
            ("board", raw.board.as_ref().map(Spanned::span)),
            ("square", raw.square.as_ref().map(Spanned::span)),
            ("piece", raw.piece.as_ref().map(Spanned::span)),
            ("what", raw.what.as_ref().map(Spanned::span)),
            ("intends", raw.intends.as_ref().map(Spanned::span)),
            ("of", raw.of.as_ref().map(Spanned::span)),
            ("white", raw.white.as_ref().map(Spanned::span)),
            ("black", raw.black.as_ref().map(Spanned::span)),
            ("moves_done", raw.moves_done.as_ref().map(Spanned::span)),
            ("keep", raw.keep.as_ref().map(Spanned::span)),
            ("fen", raw.fen.as_ref().map(Spanned::span)),
            ("span", raw.span.as_ref().map(Spanned::span)),
            ("result", raw.result.as_ref().map(Spanned::span)),
        ];
        match left.into_iter().find_map(|(key, place)| Some((key, place?))) {
            Some((key, place)) => Err((place, format!("`{}` has no key `{key}`", self.action))),
            None => Ok(()),
        }
    }
}

fn step(mut raw: RawStep, place: Place, setup: &GameSetup) -> Read<Step> {
    let start = place.start;
    let at = time(&raw.at)?;
    let expect = raw
        .expect
        .take()
        .map(|raw| expectation(raw, setup.chess960))
        .transpose()?;
    let (by, action) = (raw.by.take(), raw.action.take());
    let (by, name) = match (by, action) {
        (Some(by), Some(action)) => (by, action),
        (None, None) if expect.is_some() => {
            Keys {
                raw,
                place,
                action: "expect".to_owned(),
            }
            .none_left()?;
            return Ok(Step {
                line: start,
                at,
                arrives: None,
                action: None,
                expect,
            });
        }
        (None, None) => return Err((place, "a step does something, expects something, or both".to_owned())),
        (Some(by), None) => return Err((by.span(), "`by` without `do`".to_owned())),
        (None, Some(action)) => return Err((action.span(), "`do` without `by`".to_owned())),
    };
    let mut keys = Keys {
        raw,
        place: place.clone(),
        action: name.get_ref().clone(),
    };
    let (action, arrives) = match by.get_ref().as_str() {
        "arbiter" => (Action::Arbiter(arbiters(&mut keys, &name)?), None),
        "white" | "black" => {
            let color = word(&by, &COLORS)?;
            let fact = players(&mut keys, &name, color, setup.board)?;
            (Action::Player(fact), keys.raw.arrives.take())
        }
        "players" => {
            if name.get_ref() != "agree" {
                return Err((
                    name.span(),
                    format!("unknown action {:?} of the players; there is agree", name.get_ref()),
                ));
            }
            let what = take!(keys, what, "what")?;
            let what = word(&what, &[("draw", Agreement::Draw), ("correct", Agreement::Correct)])?;
            (Action::Player(Fact::Agreed { what }), keys.raw.arrives.take())
        }
        other => {
            return Err((
                by.span(),
                format!("unknown {other:?}; there are arbiter, white, black, players"),
            ));
        }
    };
    keys.none_left()?;
    let arrives = match arrives {
        Some(text) => {
            let time = time(&text)?;
            if time < at {
                return Err((text.span(), "nothing is heard of before it happens".to_owned()));
            }
            Some(time)
        }
        None => None,
    };
    Ok(Step {
        line: start,
        at,
        arrives,
        action: Some(action),
        expect,
    })
}

fn players(keys: &mut Keys, name: &Spanned<String>, by: Color, board: BoardKind) -> Read<Fact> {
    Ok(match name.get_ref().as_str() {
        "arrive" => Fact::Arrived { by },
        "move" => Fact::Moved { by, mv: keys.mv()? },
        "place" => {
            let board = take!(keys, board, "board")?;
            parsed::<Picture>(&board)?;
            Fact::Placed {
                placement: board.into_inner(),
            }
        }
        "lift" => Fact::Lifted {
            square: parsed::<Square>(&take!(keys, square, "square")?)?,
        },
        "put" => {
            let square = parsed::<Square>(&take!(keys, square, "square")?)?;
            let piece = keys.raw.piece.take().map(|text| {
                let letter = Some(text.get_ref().chars())
                    .filter(|letters| letters.clone().count() == 1)
                    .and_then(|mut l| l.next());
                letter.and_then(Piece::from_letter).ok_or_else(|| {
                    (
                        text.span(),
                        format!(
                            "{:?} is no piece; write N for a white knight, q for a black queen",
                            text.get_ref()
                        ),
                    )
                })
            });
            if piece.is_none() && board == BoardKind::Pieces {
                let why = "`put` needs the key `piece`: this board tells pieces apart";
                return Err((keys.place.clone(), why.to_owned()));
            }
            Fact::Put {
                square,
                piece: piece.transpose()?.map(|piece| (piece.color, piece.role)),
            }
        }
        "press" => Fact::Pressed { by },
        "pause" => Fact::Paused { by: Some(by) },
        "claim" => {
            let what = word(
                &take!(keys, what, "what")?,
                &[
                    ("threefold", Claim::Threefold),
                    ("fifty-moves", Claim::FiftyMoves),
                    ("flag", Claim::Flag),
                    ("illegal-move", Claim::IllegalMove),
                    ("quickplay", Claim::Quickplay),
                ],
            )?;
            let intends = keys.raw.intends.take();
            if let Some(text) = &intends {
                parsed::<Move>(text)?;
                if !matches!(what, Claim::Threefold | Claim::FiftyMoves) {
                    let why = "only a draw claim can intend a move (9.2.1, 9.3.1)";
                    return Err((text.span(), why.to_owned()));
                }
            }
            Fact::Claimed {
                by,
                what,
                intends: intends.map(Spanned::into_inner),
            }
        }
        "offer-draw" => Fact::DrawOffered { by },
        "accept-draw" => Fact::DrawAccepted { by },
        "decline-draw" => Fact::DrawDeclined { by },
        "resign" => Fact::Resigned { by },
        other => {
            let known =
                "arrive, move, place, lift, put, press, pause, claim, offer-draw, accept-draw, decline-draw, resign";
            return Err((
                name.span(),
                format!("unknown action {other:?} of a player; there are {known}"),
            ));
        }
    })
}

fn arbiters(keys: &mut Keys, name: &Spanned<String>) -> Read<Deed> {
    Ok(match name.get_ref().as_str() {
        "start" => Deed::Start,
        "observe" => {
            let what = word(
                &take!(keys, what, "what")?,
                &[
                    ("flag", Observation::Flag),
                    ("illegal-move", Observation::IllegalMove),
                    ("two-hands", Observation::TwoHands),
                    ("illegal-position", Observation::IllegalPosition),
                    ("colours-reversed", Observation::ColoursReversed),
                    ("wrong-setup", Observation::WrongSetup),
                    ("wrong-clock", Observation::WrongClock),
                    ("device", Observation::Device),
                ],
            )?;
            Deed::Observe {
                what,
                of: keys.color()?,
            }
        }
        "confirm" => Deed::Confirm {
            item: None,
            promotion: None,
        },
        "dismiss" => Deed::Dismiss { item: None },
        "pause" => Deed::Pause,
        "resume" => Deed::Resume,
        "adjust" => {
            let raw = &mut keys.raw;
            if raw.white.is_none() && raw.black.is_none() && raw.moves_done.is_none() {
                let why = "`adjust` needs one of the keys `white`, `black` and `moves_done`";
                return Err((keys.place.clone(), why.to_owned()));
            }
            Deed::Adjust {
                white: raw.white.take().map(|text| change(&text)).transpose()?,
                black: raw.black.take().map(|text| change(&text)).transpose()?,
                moves_done: raw.moves_done.take().map(Spanned::into_inner),
            }
        }
        "restore" => match (keys.raw.keep.take(), keys.raw.fen.take()) {
            (Some(keep), None) => Deed::Restore {
                to: Restoration::Keep(keep.into_inner()),
            },
            (None, Some(fen)) => {
                Position::from_fen(fen.get_ref(), Variant::Chess960)
                    .or_else(|_| Position::from_fen(fen.get_ref(), Variant::Standard))
                    .map_err(|no| (fen.span(), no.to_string()))?;
                Deed::Restore {
                    to: Restoration::Fen(fen.into_inner()),
                }
            }
            _ => {
                return Err((
                    keys.place.clone(),
                    "`restore` needs one of the keys `keep` and `fen`".to_owned(),
                ));
            }
        },
        "penalise" => {
            let of = keys
                .color()?
                .ok_or_else(|| (keys.place.clone(), "`penalise` needs the key `of`".to_owned()))?;
            let what = take!(keys, what, "what")?;
            let what = match what.get_ref().as_str() {
                "warning" => Penalty::Warning,
                "add-time" => Penalty::AddTime(time(&take!(keys, span, "span")?)?),
                "take-time" => Penalty::TakeTime(time(&take!(keys, span, "span")?)?),
                "loss" => Penalty::Loss,
                other => {
                    return Err((
                        what.span(),
                        format!("unknown penalty {other:?}; there are warning, add-time, take-time, loss"),
                    ));
                }
            };
            Deed::Penalise { of, what }
        }
        "result" => {
            let result = take!(keys, result, "result")?;
            parsed::<GameResult>(&result)?;
            Deed::Decide {
                result: result.into_inner(),
            }
        }
        "reopen" => Deed::Reopen,
        other => {
            let known = "start, observe, confirm, dismiss, pause, resume, adjust, restore, penalise, result, reopen";
            return Err((
                name.span(),
                format!("unknown action {other:?} of the arbiter; there are {known}"),
            ));
        }
    })
}

/// A new time, or `+1m`, `-30s`.
fn change(text: &Spanned<String>) -> Read<TimeChange> {
    let bad = |no: span::NoSpan| (text.span(), no.to_string());
    match text.get_ref().split_at_checked(1) {
        Some(("+", span)) => Ok(TimeChange::By(span::parse(span).map_err(bad)?)),
        Some(("-", span)) => Ok(TimeChange::By(-span::parse(span).map_err(bad)?)),
        _ => Ok(TimeChange::To(time(text)?)),
    }
}

// Expectations

/// The position of record, as an expectation writes it. In Chess960 castling rights may name the files of the rooks, or not.
fn four_fields(fen: Spanned<String>, chess960: bool) -> Read<String> {
    let fields: Vec<&str> = fen.get_ref().split(' ').collect();
    if let [placement, side, _, passed] = fields[..] {
        let known = Position::from_fen(&format!("{} 0 1", fen.get_ref()), Variant::Chess960);
        let rights = known.ok().filter(|_| chess960).map(|position| position.fen4());
        let rights = rights.as_deref().and_then(|fen4| fen4.split(' ').nth(2));
        return Ok(match rights {
            Some(rights) => format!("{placement} {side} {rights} {passed}"),
            None => fen.into_inner(),
        });
    }
    let why = format!(
        "{:?} is not the position of record: write the first four fields of a FEN, en passant square only where a capture is legal",
        fen.get_ref()
    );
    Err((fen.span(), why))
}

/// What a player is bound to: a piece's square, a move, or nothing.
fn bound(text: Spanned<String>) -> Read<String> {
    let known = text.get_ref();
    if known.is_empty() || known.parse::<Square>().is_ok() || known.parse::<Move>().is_ok() {
        return Ok(text.into_inner());
    }
    let why = format!("{known:?} binds to nothing: write a piece's square (g1), a move (g1f3), or \"\" for nothing");
    Err((text.span(), why))
}

fn expectation(raw: RawExpect, chess960: bool) -> Read<Expectation> {
    const WHO: [(&str, Option<Color>); 3] = [
        ("white", Some(Color::White)),
        ("black", Some(Color::Black)),
        ("none", None),
    ];
    let known = |text: &Spanned<String>, words: &[&str]| -> Read<String> {
        if words.contains(&text.get_ref().as_str()) {
            return Ok(text.get_ref().clone());
        }
        Err((
            text.span(),
            format!("unknown {:?}; there are {}", text.get_ref(), words.join(", ")),
        ))
    };
    let all = |texts: &Option<Vec<Spanned<String>>>, words: &[&str]| -> Read<Option<Vec<String>>> {
        texts
            .as_ref()
            .map(|texts| texts.iter().map(|text| known(text, words)).collect())
            .transpose()
    };
    let results = ["*", "1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2"];
    Ok(Expectation {
        white: raw.white.as_ref().map(time).transpose()?,
        black: raw.black.as_ref().map(time).transpose()?,
        running: raw.running.as_ref().map(|text| word(text, &WHO)).transpose()?,
        turn: raw.turn.as_ref().map(|text| word(text, &COLORS)).transpose()?,
        fen: raw.fen.map(|fen| four_fields(fen, chess960)).transpose()?,
        moves: raw.moves,
        result: raw.result.as_ref().map(|text| known(text, &results)).transpose()?,
        termination: raw
            .termination
            .as_ref()
            .map(|text| known(text, &TERMINATIONS))
            .transpose()?,
        rated: raw.rated,
        illegal: raw.illegal.map(|pair| (pair.white, pair.black)),
        open: all(&raw.open, &KINDS)?,
        draw_offer: raw.draw_offer.as_ref().map(|text| word(text, &WHO)).transpose()?,
        players_told: all(&raw.players_told, &TOLD)?,
        must_play: raw.must_play.map(bound).transpose()?,
    })
}
