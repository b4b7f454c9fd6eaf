//! A journal of so many entries: real games, recorded once, and again under other names.

use std::collections::BTreeMap;

use anyhow::Context as _;
use flagfall::store::{Entry, EntryKind, JournalReader, Store, StoreOptions};
use uuid::Uuid;

use super::stage::Stage;

/// Grows the journal of a hub that is stopped until it has `wanted` entries.
pub fn grow(stage: &Stage, wanted: u64) -> anyhow::Result<u64> {
    let all: Vec<Entry> = JournalReader::of_data(&stage.data)
        .entries(1)?
        .collect::<Result<_, _>>()?;
    // Events, rounds and games; devices and people stay one.
    let of_events = |entry: &&Entry| match entry.content.kind {
        EntryKind::Table => true,
        EntryKind::Hall => {
            let text = String::from_utf8_lossy(&entry.content.payload);
            ["{\"EventPut\"", "{\"Round"]
                .iter()
                .any(|begin| text.starts_with(begin))
        }
        _ => false,
    };
    let games: Vec<&Entry> = all.iter().filter(of_events).collect();
    let ids: Vec<String> = {
        let events = games.iter().filter_map(|entry| {
            let value: serde_json::Value = serde_json::from_slice(&entry.content.payload).ok()?;
            Some(value.get("EventPut")?.get("event")?.as_str()?.to_owned())
        });
        events.collect()
    };
    let mut opened = Store::open(&stage.data, StoreOptions::default(), || 0)?;
    for entry in opened.tail.by_ref() {
        let _folded_later = entry?;
    }
    let commits = opened.store.commits();
    for copy in 1.. {
        if opened.store.head().position >= wanted {
            break;
        }
        let mut renamed = BTreeMap::new();
        for batch in games.chunks(500) {
            let entries = batch.iter().map(|entry| {
                let mut content = entry.content.clone();
                let mut text = String::from_utf8(content.payload).context("JSON is text")?;
                for id in &ids {
                    text = text.replace(&format!("\"{id}\""), &format!("\"{id}-{copy}\""));
                }
                if content.kind == EntryKind::Hall {
                    text = with_new_games(&text, &mut renamed);
                }
                content.payload = text.into_bytes();
                content.game = content.game.map(|game| renamed.get(&game).copied().unwrap_or(game));
                content.request = None;
                content.answer = Vec::new();
                Ok(content)
            });
            let entries = entries.collect::<anyhow::Result<Vec<_>>>()?;
            tokio::task::block_in_place(|| commits.commit_blocking(entries))?.folded();
        }
    }
    let head = opened.store.head().position;
    tokio::task::block_in_place(|| opened.store.close());
    Ok(head)
}

/// Every game in it gets another id, the same one each time.
fn with_new_games(text: &str, renamed: &mut BTreeMap<Uuid, Uuid>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\"game\":\"") {
        let (before, after) = rest.split_at(at + 8);
        out.push_str(before);
        match after.get(..36).and_then(|id| id.parse::<Uuid>().ok()) {
            Some(id) => {
                out.push_str(&renamed.entry(id).or_insert_with(Uuid::new_v4).to_string());
                rest = &after[36..];
            }
            None => rest = after,
        }
    }
    out + rest
}
