//! A case file as it is written, before its words are understood.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCase {
    pub title: String,
    pub law: Vec<String>,
    pub source: Option<String>,
    pub event: Spanned<RawEvent>,
    #[serde(default)]
    pub step: Vec<Spanned<RawStep>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEvent {
    pub category: Spanned<String>,
    pub time_control: Spanned<String>,
    pub supervision: Option<Spanned<String>>,
    /// One word for all kinds of findings, or a table with one for each.
    pub enforcement: Option<Spanned<toml::Value>>,
    pub default_time: Option<Spanned<String>>,
    pub period_added: Option<Spanned<String>>,
    pub first_increment: Option<bool>,
    pub board: Option<Spanned<String>>,
    pub variant: Option<Spanned<String>>,
    pub min_moves_for_draw: Option<u32>,
    pub fen: Option<Spanned<String>>,
    pub white_time: Option<Spanned<String>>,
    pub black_time: Option<Spanned<String>>,
    pub moves_done: Option<u32>,
    pub illegal_done: Option<RawPair>,
    #[serde(default)]
    pub open_points: BTreeMap<Spanned<String>, Spanned<String>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawPair {
    #[serde(default)]
    pub white: u32,
    #[serde(default)]
    pub black: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawStep {
    pub at: Spanned<String>,
    pub by: Option<Spanned<String>>,
    #[serde(rename = "do")]
    pub action: Option<Spanned<String>>,
    pub expect: Option<RawExpect>,
    pub arrives: Option<Spanned<String>>,
    #[serde(rename = "move")]
    pub mv: Option<Spanned<String>>,
    pub board: Option<Spanned<String>>,
    pub square: Option<Spanned<String>>,
    pub piece: Option<Spanned<String>>,
    pub what: Option<Spanned<String>>,
    pub intends: Option<Spanned<String>>,
    pub of: Option<Spanned<String>>,
    pub white: Option<Spanned<String>>,
    pub black: Option<Spanned<String>>,
    pub moves_done: Option<Spanned<u32>>,
    pub keep: Option<Spanned<u32>>,
    pub fen: Option<Spanned<String>>,
    pub span: Option<Spanned<String>>,
    pub result: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawExpect {
    pub white: Option<Spanned<String>>,
    pub black: Option<Spanned<String>>,
    pub running: Option<Spanned<String>>,
    pub turn: Option<Spanned<String>>,
    pub fen: Option<Spanned<String>>,
    pub moves: Option<String>,
    pub result: Option<Spanned<String>>,
    pub termination: Option<Spanned<String>>,
    pub rated: Option<bool>,
    pub illegal: Option<RawPair>,
    pub open: Option<Vec<Spanned<String>>>,
    pub draw_offer: Option<Spanned<String>>,
    pub players_told: Option<Vec<Spanned<String>>>,
    pub must_play: Option<Spanned<String>>,
}
