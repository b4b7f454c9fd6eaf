//! The record of one game on paper: for an appeals committee, and to be signed.
//!
//! A page by itself: no file beside it, no script, a style sheet for the screen and for paper. Names, reasons and what the journal
//! has of devices come from outside, and are text here, whatever they look like.

use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};

use super::lexicon::{Lexicon, harmless};
use super::{Language, dates, journal, kind_name, names, ruled};
use crate::chess::Color;
use crate::game::audience::{ArbiterView, MoveView, Order, OrderKind, OrderStatus, RulingView};
use crate::hall::record::TableRecord;
use crate::hall::{EventId, GameId, RoundNo, TableNo};
use crate::time::{HallTime, Millis};

/// The page's style sheet, the same for every record: pages that open one allow exactly this.
pub const STYLE: &str = include_str!("record/record.css");

/// Which game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// This one.
    Game(GameId),
    /// The newest at this table.
    Table(TableNo),
    /// That of a round, at this table.
    Round(EventId, RoundNo, TableNo),
}

impl std::fmt::Display for Which {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Which::Game(game) => write!(f, "game {game}"),
            Which::Table(table) => write!(f, "a game at table {table}"),
            Which::Round(event, round, table) => write!(f, "a game of {event}, round {round}, at table {table}"),
        }
    }
}

/// Everything that stands in a game's record.
#[derive(Clone, Debug)]
pub struct Record {
    /// The hall.
    pub hall: String,
    /// The game's id.
    pub game: String,
    /// The event's name, place and date.
    pub event: [String; 3],
    /// The round.
    pub round: u32,
    /// The board's number in the event.
    pub board: u32,
    /// The table.
    pub table: u32,
    /// White's and Black's.
    pub players: [Signer; 2],
    /// The game as it stands.
    pub view: ArbiterView,
    /// The table goes on by hand, and why.
    pub parked: Option<String>,
    /// Every order that was given to the table's clock.
    pub orders: Vec<Ordered>,
    /// What the journal has of the game, entry by entry.
    pub lines: Vec<Line>,
    /// The game's chain up to and with the last of them.
    pub chain: String,
    /// The hall's last entry when the record was made, and its chain.
    pub head: (u64, String),
    /// When the record was made, in Unix milliseconds.
    pub made_ms: i64,
    /// How hall time was tied to the wall's.
    pub times: Times,
}

/// A player, as he signs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signer {
    /// `GM`; may be empty.
    pub title: String,
    /// His name.
    pub name: String,
    /// Rating, federation, FIDE id, as far as they are known.
    pub about: Vec<String>,
}

/// An order to the table's clock, as it stood at last.
#[derive(Clone, Debug, PartialEq)]
pub struct Ordered {
    /// The order.
    pub order: Order,
    /// The journal's position at which it was given.
    pub position: u64,
    /// Whose call it was; `None`: it followed from what was reported, or from the event's regulations.
    pub by: Option<String>,
}

/// One entry of the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its position.
    pub position: u64,
    /// When it was written, in Unix milliseconds.
    pub written_ms: i64,
    /// When it was heard.
    pub heard: HallTime,
    /// What it has; `None`: this version cannot read it.
    pub record: Option<Box<TableRecord>>,
    /// Whose call it answers.
    pub by: Option<String>,
    /// Who, what, by which articles: as the journal's own reader says it, in English.
    pub text: String,
}

/// Hall time by the wall: at each start of the hub, hall time, Unix milliseconds, and hall seconds in a real second.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Times(pub Vec<(HallTime, i64, f64)>);

impl Times {
    /// The wall time of a moment.
    fn wall(&self, at: HallTime) -> Option<i64> {
        let known = self
            .0
            .iter()
            .rev()
            .find(|(hall, _, _)| *hall <= at)
            .or(self.0.first())?;
        let (hall, wall, speed) = *known;
        Some(wall + ((at - hall).0 as f64 / speed) as i64)
    }
}

/// The page, in this language.
pub fn page(record: &Record, language: Language) -> String {
    let writer = Writer {
        record,
        language,
        lexicon: Lexicon::of(language),
        zone: TimeZone::system(),
    };
    writer.page()
}

struct Writer<'a> {
    record: &'a Record,
    language: Language,
    lexicon: &'static Lexicon,
    zone: TimeZone,
}

impl Writer<'_> {
    fn say(&self, key: &str) -> String {
        escaped(&self.lexicon.say(key))
    }

    fn page(&self) -> String {
        let title = format!(
            "{} · {} {} · {} {}",
            self.lexicon.say("record-title"),
            self.lexicon.say("record-round"),
            self.record.round,
            self.lexicon.say("record-table"),
            self.record.table
        );
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
            lang = self.language,
            title = escaped(&title),
        );
        self.head(&mut out);
        self.moves(&mut out);
        self.rulings(&mut out);
        self.items(&mut out);
        self.orders(&mut out);
        self.journal(&mut out);
        self.scoresheet(&mut out);
        out.push_str("</body>\n</html>\n");
        out
    }

    fn head(&self, out: &mut String) {
        let record = self.record;
        let _ = write!(out, "<header>\n<h1>{}</h1>\n", self.say("record-title"));
        self.facts(out);
        let _ = write!(
            out,
            "<p class=\"note\">{} {} · {}</p>\n</header>\n",
            self.say("record-made"),
            escaped(&self.moment(record.made_ms)),
            self.zone_words(),
        );
    }

    /// What both the record and the scoresheet begin with.
    fn facts(&self, out: &mut String) {
        let record = self.record;
        let [event, site, date] = &record.event;
        let mut facts: Vec<(&str, String)> = Vec::new();
        for (key, player) in [
            ("record-white", &record.players[0]),
            ("record-black", &record.players[1]),
        ] {
            let about: String = player.about.iter().map(|part| format!(" · {}", text(part))).collect();
            facts.push((key, format!("<b>{}</b>{about}", self.player(player))));
        }
        facts.push(("record-event", text(event)));
        if !site.is_empty() {
            facts.push(("record-site", text(site)));
        }
        if !date.is_empty() {
            let day = dates::day(self.lexicon, date).map_or_else(|| text(date), |day| escaped(&day));
            facts.push(("record-date", day));
        }
        facts.push(("record-round", record.round.to_string()));
        facts.push(("record-table", record.table.to_string()));
        if record.board != 0 && record.board != record.table {
            facts.push(("record-board", record.board.to_string()));
        }
        facts.push(("record-control", escaped(&record.view.time_control)));
        facts.push(("record-result", self.result()));
        out.push_str("<dl class=\"facts\">\n");
        for (key, value) in facts {
            let _ = writeln!(out, "<div><dt>{}</dt><dd>{value}</dd></div>", self.say(key));
        }
        out.push_str("</dl>\n");
    }

    fn player(&self, player: &Signer) -> String {
        if player.title.is_empty() {
            text(&player.name)
        } else {
            format!("{} {}", text(&player.title), text(&player.name))
        }
    }

    fn result(&self) -> String {
        let view = &self.record.view;
        let mut said = escaped(if view.result == "*" { "–" } else { &view.result });
        if let Some(ended) = view.ended {
            let _ = write!(said, " ({})", escaped(&names::termination(self.language, ended)));
        }
        if let Some(why) = &self.record.parked {
            let _ = write!(said, " · {}: {}", self.say("record-parked"), text(why));
        }
        said
    }

    fn moves(&self, out: &mut String) {
        let _ = write!(out, "<section>\n<h2>{}</h2>\n", self.say("record-moves"));
        let view = &self.record.view;
        for (plies, fen) in &view.starts {
            if *plies > 0 || *fen != crate::chess::Position::initial().full_fen() {
                let _ = writeln!(
                    out,
                    "<p class=\"note\">{} {plies}: <code>{}</code></p>",
                    self.say("record-set-up"),
                    escaped(fen)
                );
            }
        }
        let _ = write!(
            out,
            "<table class=\"moves\">\n<thead><tr><th></th><th>{white}</th><th>{after}</th><th>{pressed}</th>\
             <th>{black}</th><th>{after}</th><th>{pressed}</th></tr></thead>\n<tbody>\n",
            white = self.say("record-white"),
            black = self.say("record-black"),
            after = self.say("record-clock-after"),
            pressed = self.say("record-pressed"),
        );
        for (number, white, black) in numbered(view) {
            let _ = writeln!(
                out,
                "<tr><th scope=\"row\">{number}</th>{}{}</tr>",
                self.half_move(white),
                self.half_move(black)
            );
        }
        let _ = write!(
            out,
            "</tbody>\n</table>\n<p>{}: <code>{}</code></p>\n",
            self.say("record-position-now"),
            escaped(&view.fen)
        );
        let clocks = &view.clocks;
        let _ = write!(
            out,
            "<p>{}: {} {} · {} {}</p>\n</section>\n",
            self.say("record-clocks"),
            self.say("record-white"),
            clocks.white,
            self.say("record-black"),
            clocks.black
        );
    }

    fn half_move(&self, half: Option<&MoveView>) -> String {
        let Some(half) = half else {
            return "<td></td><td></td><td></td>".to_owned();
        };
        let clock = half.clock.map(|clock| clock.to_string()).unwrap_or_default();
        let guess = if half.promotion_unconfirmed { "?" } else { "" };
        format!(
            "<td>{}{guess}</td><td>{}</td><td>{}</td>",
            escaped(&half.san),
            escaped(&clock),
            self.time(half.at)
        )
    }

    fn rulings(&self, out: &mut String) {
        let _ = write!(out, "<section>\n<h2>{}</h2>\n", self.say("record-rulings"));
        if self.record.view.rulings.is_empty() {
            let _ = write!(out, "<p>{}</p>\n</section>\n", self.say("record-none"));
            return;
        }
        let _ = write!(
            out,
            "<table>\n<thead><tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr></thead>\n<tbody>\n",
            self.say("record-when"),
            self.say("record-who"),
            self.say("record-what"),
            self.say("record-articles"),
            self.say("record-reason"),
        );
        for ruling in &self.record.view.rulings {
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td>{}</td><td>{}{}</td><td>{}</td><td>{}</td></tr>",
                self.time(ruling.at),
                self.author(ruling),
                escaped(&ruled(self.language, ruling)),
                ruling
                    .item
                    .map_or(String::new(), |item| format!(" ({} {item})", self.say("record-item"))),
                escaped(&ruling.articles.join(", ")),
                text(&ruling.reason),
            );
        }
        out.push_str("</tbody>\n</table>\n</section>\n");
    }

    fn author(&self, ruling: &RulingView) -> String {
        if ruling.author == "regulations" {
            self.say("record-by-regulations")
        } else {
            text(&ruling.author)
        }
    }

    fn items(&self, out: &mut String) {
        let items = &self.record.view.items;
        if items.is_empty() {
            return;
        }
        let _ = write!(out, "<section>\n<h2>{}</h2>\n<ul>\n", self.say("record-open-items"));
        for item in items {
            let kind = item
                .account
                .as_deref()
                .map_or_else(|| item.kind.clone(), |account| kind_name(self.language, account.kind));
            let _ = writeln!(
                out,
                "<li>{} {} · {} · {} ({})</li>",
                self.say("record-item"),
                item.number,
                self.time(item.since),
                escaped(&kind),
                escaped(&item.articles.join(", "))
            );
        }
        out.push_str("</ul>\n</section>\n");
    }

    fn orders(&self, out: &mut String) {
        if self.record.orders.is_empty() {
            return;
        }
        let _ = write!(
            out,
            "<section>\n<h2>{}</h2>\n<table>\n<thead><tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th></th></tr></thead>\n<tbody>\n",
            self.say("record-orders"),
            self.say("record-position"),
            self.say("record-when"),
            self.say("record-who"),
            self.say("record-what"),
        );
        for Ordered { order, position, by } in &self.record.orders {
            let _ = writeln!(
                out,
                "<tr><td>{position}</td><td>{}</td><td>{}</td><td>{} · {}</td><td>{}</td></tr>",
                self.time(order.since),
                by.as_deref().map_or_else(|| self.say("record-by-hub"), text),
                order.number,
                self.order(&order.what),
                self.order_status(order),
            );
        }
        out.push_str("</tbody>\n</table>\n</section>\n");
    }

    fn order(&self, what: &OrderKind) -> String {
        match what {
            OrderKind::Control => self.say("record-order-control"),
            OrderKind::Add { white, black } => {
                format!(
                    "{} {} / {}",
                    self.say("record-order-add"),
                    signed(*white),
                    signed(*black)
                )
            }
            OrderKind::Set { white, black, .. } => format!("{} {white} / {black}", self.say("record-order-set")),
            OrderKind::Run(Color::White) => {
                format!("{} ({})", self.say("record-order-run"), self.say("record-white"))
            }
            OrderKind::Run(Color::Black) => {
                format!("{} ({})", self.say("record-order-run"), self.say("record-black"))
            }
            OrderKind::Stop => self.say("record-order-stop"),
        }
    }

    fn order_status(&self, order: &Order) -> String {
        let said = match &order.status {
            OrderStatus::Sent => self.say("record-order-sent"),
            OrderStatus::Refused(why) => format!("{}: {}", self.say("record-order-refused"), text(why)),
            OrderStatus::ByHand => self.say("record-order-by-hand"),
            OrderStatus::Done => self.say("record-order-done"),
            OrderStatus::MovedOn => self.say("record-order-moved-on"),
        };
        order
            .answered
            .map_or(said.clone(), |at| format!("{said} {}", self.time(at)))
    }

    fn journal(&self, out: &mut String) {
        let record = self.record;
        let _ = write!(
            out,
            "<section>\n<h2>{}</h2>\n<p class=\"note\">{}</p>\n<table class=\"journal\">\n<thead><tr><th>{}</th><th>{}</th>\
             <th>{}</th><th>{}</th></tr></thead>\n<tbody>\n",
            self.say("record-journal"),
            self.say("record-journal-note"),
            self.say("record-position"),
            self.say("record-written"),
            self.say("record-hall-time"),
            self.say("record-what"),
        );
        for line in &record.lines {
            let _ = writeln!(
                out,
                "<tr id=\"p{position}\"><td>{position}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escaped(&self.clock(line.written_ms)),
                Millis(line.heard.0),
                text(&self.line(line)),
                position = line.position,
            );
        }
        let _ = write!(
            out,
            "</tbody>\n</table>\n<dl class=\"chain\">\n<div><dt>{}</dt><dd><code>{}</code></dd></div>\n\
             <div><dt>{}</dt><dd><code>{}</code></dd></div>\n<div><dt>{} {}</dt><dd><code>{}</code></dd></div>\n</dl>\n</section>\n",
            self.say("record-game"),
            escaped(&record.game),
            self.say("record-chain"),
            escaped(&record.chain),
            self.say("record-head"),
            record.head.0,
            escaped(&record.head.1),
        );
    }

    /// What an entry says; as the journal's own reader says it where this version cannot read it.
    fn line(&self, line: &Line) -> String {
        match &line.record {
            Some(record) => journal::line(self.language, record, line.heard, line.by.as_deref()),
            None => line.text.clone(),
        }
    }

    fn scoresheet(&self, out: &mut String) {
        let _ = write!(
            out,
            "<section class=\"scoresheet\">\n<h2>{}</h2>\n",
            self.say("record-scoresheet")
        );
        self.facts(out);
        out.push_str("<ol class=\"score\">\n");
        for (number, white, black) in numbered(&self.record.view) {
            let san = |half: Option<&MoveView>| half.map(|half| escaped(&half.san)).unwrap_or_default();
            let _ = writeln!(
                out,
                "<li value=\"{number}\"><span>{}</span><span>{}</span></li>",
                san(white),
                san(black)
            );
        }
        out.push_str("</ol>\n<div class=\"sign\">\n");
        for key in ["record-white", "record-black", "record-arbiter"] {
            let _ = writeln!(
                out,
                "<div><span></span>{} ({})</div>",
                self.say("record-signature"),
                self.say(key)
            );
        }
        out.push_str("</div>\n");
        let _ = write!(
            out,
            "<h3>{}</h3>\n<div class=\"sign\">\n<div><span></span>{}</div>\n<div><span></span>{}</div>\n<div><span></span>{}</div>\n</div>\n",
            self.say("record-appeal"),
            self.say("record-appeal-time"),
            self.say("record-appeal-fee"),
            self.say("record-appeal-by"),
        );
        let _ = write!(
            out,
            "<p class=\"note\">{} · {} · {} {} <code>{}</code></p>\n</section>\n",
            text(&self.record.hall),
            escaped(&self.record.game),
            self.say("record-head"),
            self.record.head.0,
            escaped(&self.record.head.1),
        );
    }

    fn time(&self, at: HallTime) -> String {
        self.record
            .times
            .wall(at)
            .map(|wall| escaped(&self.clock(wall)))
            .unwrap_or_default()
    }

    fn clock(&self, unix_ms: i64) -> String {
        match Timestamp::from_millisecond(unix_ms) {
            Ok(time) => self.zone.to_datetime(time).strftime("%H:%M:%S").to_string(),
            Err(_) => String::new(),
        }
    }

    fn moment(&self, unix_ms: i64) -> String {
        match Timestamp::from_millisecond(unix_ms) {
            Ok(time) => self.zone.to_datetime(time).strftime("%Y-%m-%d %H:%M:%S").to_string(),
            Err(_) => String::new(),
        }
    }

    fn zone_words(&self) -> String {
        let offset =
            Timestamp::from_millisecond(self.record.made_ms).map_or(Offset::UTC, |time| self.zone.to_offset(time));
        let minutes = offset.seconds() / 60;
        let sign = if minutes < 0 { '-' } else { '+' };
        let minutes = minutes.abs();
        format!(
            "{} UTC{sign}{:02}:{:02}",
            self.say("record-zone"),
            minutes / 60,
            minutes % 60
        )
    }
}

fn signed(time: Millis) -> String {
    if time < Millis::ZERO {
        format!("-{}", -time)
    } else {
        format!("+{time}")
    }
}

/// Moves by number: White's, Black's.
pub(super) fn numbered(view: &ArbiterView) -> Vec<(u32, Option<&MoveView>, Option<&MoveView>)> {
    let mut rows: Vec<(u32, Option<&MoveView>, Option<&MoveView>)> = Vec::new();
    let mut starts = view.starts.iter().peekable();
    let (mut number, mut white) = (1, true);
    for (ply, half) in (0..).zip(&view.moves) {
        while let Some((_, fen)) = starts.next_if(|(plies, _)| *plies <= ply) {
            let mut fields = fen.split(' ').skip(1);
            white = fields.next() != Some("b");
            number = fields.nth(3).and_then(|count| count.parse().ok()).unwrap_or(1);
        }
        if white {
            rows.push((number, Some(half), None));
        } else {
            match rows.last_mut() {
                Some((last, _, black @ None)) if *last == number => *black = Some(half),
                _ => rows.push((number, None, Some(half))),
            }
            number += 1;
        }
        white = !white;
    }
    rows
}

/// Text from outside: without what steers the direction of writing, and set apart.
pub(super) fn text(outside: &str) -> String {
    if outside.is_empty() {
        return String::new();
    }
    format!("<bdi>{}</bdi>", escaped(&harmless(outside)))
}

/// For HTML, between tags and in attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
pub(super) mod tests;
