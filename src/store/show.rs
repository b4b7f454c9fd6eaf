//! Printing a journal for people: `flagfall journal show`.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use uuid::Uuid;

use super::entry::Entry;
use super::error::JournalError;
use super::opening::journal_folder;
use super::reader::JournalReader;
use crate::time::Millis;

/// Which entries, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ShowFilter {
    /// Only of this table.
    pub table: Option<u32>,
    /// Only of this game.
    pub game: Option<Uuid>,
    /// From this position on.
    pub from: u64,
    /// One JSON object a line, with everything in it; otherwise one line for the eye.
    pub json: bool,
}

impl ShowFilter {
    fn wants(&self, entry: &Entry) -> bool {
        self.table.is_none_or(|table| entry.content.table == Some(table))
            && self.game.is_none_or(|game| entry.content.game == Some(game))
    }
}

/// Writes the entries of the hub's journal that are wanted, and says how many they were. Takes no lock and changes nothing.
pub fn show(data: &Path, filter: &ShowFilter, out: &mut dyn Write) -> Result<u64, JournalError> {
    show_told(data, filter, &|_| None, out)
}

/// The same; `words` says in words what an entry holds, where it can, and its JSON stands there otherwise.
pub fn show_told(
    data: &Path,
    filter: &ShowFilter,
    words: &dyn Fn(&Entry) -> Option<String>,
    out: &mut dyn Write,
) -> Result<u64, JournalError> {
    let mut shown = 0;
    for entry in JournalReader::of_data(data).entries(filter.from)? {
        let entry = entry?;
        if filter.wants(&entry) {
            let line = if filter.json {
                as_json(&entry).to_string()
            } else {
                as_line(&entry, words(&entry))
            };
            writeln!(out, "{}", harmless(&line)).map_err(JournalError::io("printing", journal_folder(data)))?;
            shown += 1;
        }
    }
    Ok(shown)
}

/// The event as JSON; what is not JSON (nothing the hub writes) as text.
fn event(entry: &Entry) -> Value {
    let payload = &entry.content.payload;
    serde_json::from_slice(payload).unwrap_or_else(|_| Value::String(String::from_utf8_lossy(payload).into_owned()))
}

fn wall(entry: &Entry) -> String {
    let time = jiff::Timestamp::from_millisecond(entry.wall_ms);
    time.map_or_else(|_| format!("{} ms", entry.wall_ms), |time| time.to_string())
}

fn as_json(entry: &Entry) -> Value {
    let content = &entry.content;
    let mark = |mark: &super::SessionMark| json!({ "device": mark.device, "boot": mark.boot, "seq": mark.seq });
    json!({
        "position": entry.position,
        "epoch": entry.epoch,
        "written": wall(entry),
        "kind": content.kind.name(),
        "table": content.table,
        "game": content.game,
        "heard_ms": content.heard.0,
        "request": content.request.as_ref().map(|key| json!({ "author": key.author, "id": key.id })),
        "sessions": content.sessions.iter().map(mark).collect::<Vec<_>>(),
        "event": event(entry),
        "hall_hash": entry.hall_hash.to_string(),
        "game_hash": entry.game_hash.map(|hash| hash.to_string()),
    })
}

fn as_line(entry: &Entry, words: Option<String>) -> String {
    let content = &entry.content;
    let place = content
        .table
        .map_or_else(|| content.kind.name().to_owned(), |table| format!("table {table}"));
    let what = words.unwrap_or_else(|| {
        let by = content
            .request
            .as_ref()
            .map(|key| format!("  by {} ({})", key.author, key.id));
        format!("{}{}", event(entry), by.unwrap_or_default())
    });
    let heard = Millis(content.heard.0).to_string();
    format!(
        "{:>8}  {}  {heard:>11}  {place:<10}  {what}",
        entry.position,
        wall(entry),
    )
}

/// Names and texts come from anywhere: what could steer a terminal is shown as an escape.
fn harmless(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.chars() {
        let steers =
            c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if steers {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_cannot_steer_the_terminal() {
        assert_eq!(
            harmless("Na\u{1b}[2Jme \u{9b}1m \u{202e}x"),
            "Na\\u001b[2Jme \\u009b1m \\u202ex"
        );
    }
}
