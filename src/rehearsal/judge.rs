//! What a case expects, held against what the hub knows.

use std::collections::BTreeSet;
use std::fmt;

use crate::chess::Color;
use crate::game::audience::ArbiterView;
use crate::time::Millis;

/// Kinds of items, as cases name them.
pub(super) const KINDS: [&str; 18] = [
    "illegal-move",
    "flag",
    "default",
    "claim-threefold",
    "claim-fifty-moves",
    "claim-flag",
    "claim-illegal-move",
    "claim-quickplay",
    "call",
    "board-disagrees",
    "promotion",
    "illegal-position",
    "colours-reversed",
    "wrong-setup",
    "wrong-clock",
    "device",
    "result-signal",
    "late-news",
];

/// What ends a game, as cases name it.
pub(super) const TERMINATIONS: [&str; 19] = [
    "checkmate",
    "stalemate",
    "dead-position",
    "flag",
    "flag-no-mate",
    "illegal-moves",
    "illegal-moves-no-mate",
    "threefold",
    "fivefold",
    "fifty-moves",
    "seventy-five-moves",
    "agreement",
    "resignation",
    "resignation-no-mate",
    "default",
    "impossible-position",
    "device",
    "penalty",
    "arbiter",
];

/// What players are told.
pub(super) const TOLD: [&str; 3] = ["stopped", "ruling", "result"];

/// What is expected; what is not named is not judged.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "named and described in the README of the cases")]
pub struct Expectation {
    pub white: Option<Millis>,
    pub black: Option<Millis>,
    pub running: Option<Option<Color>>,
    pub turn: Option<Color>,
    pub fen: Option<String>,
    pub moves: Option<String>,
    pub result: Option<String>,
    pub termination: Option<String>,
    pub rated: Option<bool>,
    pub illegal: Option<(u32, u32)>,
    pub open: Option<Vec<String>>,
    pub draw_offer: Option<Option<Color>>,
    pub players_told: Option<Vec<String>>,
    pub must_play: Option<String>,
}

/// One thing that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The key of the expectation.
    pub key: &'static str,
    /// What the case wants.
    pub want: String,
    /// What the hub has.
    pub have: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| {
            if text.is_empty() {
                "nothing".to_owned()
            } else {
                text.to_owned()
            }
        };
        write!(
            f,
            "{}: want {}, have {}",
            self.key,
            shown(&self.want),
            shown(&self.have)
        )
    }
}

impl Expectation {
    /// All that is not as expected.
    pub fn judge(&self, view: &ArbiterView) -> Vec<Mismatch> {
        let mut wrong = Vec::new();
        let mut hold = |key: &'static str, want: Option<String>, have: String| {
            if let Some(want) = want.filter(|want| *want != have) {
                wrong.push(Mismatch { key, want, have });
            }
        };
        let who = |color: Option<Color>| color.map_or("none", Color::name).to_owned();
        let pair = |(white, black): (u32, u32)| format!("white {white}, black {black}");
        // Told once or twice, and in any order.
        let set = |words: &[String]| {
            words
                .iter()
                .cloned()
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect::<Vec<_>>()
                .join(" ")
        };
        hold(
            "white",
            self.white.map(|time| time.to_string()),
            view.clocks.white.to_string(),
        );
        hold(
            "black",
            self.black.map(|time| time.to_string()),
            view.clocks.black.to_string(),
        );
        hold("running", self.running.map(who), who(view.clocks.running));
        hold("turn", self.turn.map(|color| who(Some(color))), who(Some(view.turn)));
        hold("fen", self.fen.clone(), view.fen.clone());
        let moves: Vec<&str> = view.moves.iter().map(|mv| mv.san.as_str()).collect();
        hold("moves", self.moves.clone(), moves.join(" "));
        hold("result", self.result.clone(), view.result.clone());
        hold(
            "termination",
            self.termination.clone(),
            view.termination.clone().unwrap_or_default(),
        );
        hold(
            "rated",
            self.rated.map(|rated| rated.to_string()),
            view.rated.to_string(),
        );
        hold("illegal", self.illegal.map(pair), pair(view.illegal));
        let open: Vec<&str> = view.items.iter().map(|item| item.kind.as_str()).collect();
        hold("open", self.open.as_ref().map(|kinds| kinds.join(" ")), open.join(" "));
        hold("draw_offer", self.draw_offer.map(who), who(view.draw_offer));
        hold(
            "players_told",
            self.players_told.as_ref().map(|told| set(told)),
            set(&view.players_told),
        );
        hold("must_play", self.must_play.clone(), view.must_play.clone());
        wrong
    }
}
