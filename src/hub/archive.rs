//! A whole event as one file: `flagfall event export`, and `flagfall event import` into another hall.
//!
//! The file is gzip of lines of JSON, so that `zcat` shows it: what it is; the event with its rounds and pairings; each game's
//! seat; every entry of the games as the journal has it; at last how many those were, each game's chain hash, and the SHA-256 of
//! all lines before. A game's chain is computed again from its entries when the file is written and when it is read: what is in
//! it is what was played. Nothing of devices' credentials or people's tokens is in it, but names of players, arbiters and devices are.

mod gzip;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use self::gzip::{GzipReader, GzipWriter};
use crate::game::Game;
use crate::hall::ids::{EventId, RoundNo};
use crate::hall::model::{ChessEvent, Registry, RoundStatus, Seat};
use crate::hall::record::{TableRecord, Unreadable, read, write};
use crate::hall::registry::HallEvent;
use crate::store::{
    CommitError, Entry, EntryKind, GameChain, JournalError, JournalReader, NewEntry, RequestKey, SessionMark, Store,
    StoreError, StoreOptions,
};
use crate::time::HallTime;

const FORMAT: u32 = 1;
/// So many entries are committed together.
const TOGETHER: usize = 500;
/// No event is larger: keeps a mistaken file from filling the memory.
const LONGEST_LINE: usize = 64 << 20;

/// What was exported or imported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Archived {
    /// The event, as the hall calls it.
    pub event: EventId,
    /// Its rounds.
    pub rounds: usize,
    /// Its games.
    pub games: usize,
    /// Entries of those games.
    pub entries: u64,
    /// Rounds that are under way.
    pub under_way: Vec<RoundNo>,
    /// All of it was here before.
    pub was_here: bool,
}

/// Why an event was not exported or imported. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// There is no such event.
    #[error("there is no event {event} in {data}; `flagfall event list` shows all", data = data.display())]
    NoEvent {
        /// Which.
        event: EventId,
        /// In which data folder.
        data: PathBuf,
    },
    /// The file is there.
    #[error("{0} is there already: choose another name, or move it away")]
    Exists(PathBuf),
    /// The file is not what an export has written.
    #[error("{file} is no whole event: {what}; export it again", file = file.display())]
    Damaged {
        /// Which.
        file: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// It was written by a newer version.
    #[error("{file} was written by a newer flagfall (format {found}): import it with that one", file = file.display())]
    Newer {
        /// Which.
        file: PathBuf,
        /// Its format.
        found: u32,
    },
    /// It would mix with what is here.
    #[error("the event is not imported into this hall: {what}; {todo}")]
    Collides {
        /// With what.
        what: String,
        /// What to do.
        todo: String,
    },
    /// A file.
    #[error("{file}: {source}", file = file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The data folder.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The journal, while it is written.
    #[error("the journal cannot be written: {0}; what is missing comes with the next import of the same file")]
    Commit(#[from] CommitError),
    /// Something in the journal.
    #[error("{0}; was the data folder written by a newer version?")]
    Unreadable(#[from] Unreadable),
    /// Something in the journal does not fit.
    #[error("the journal's entry {position} does not fit what was before it: {why}")]
    Unfit {
        /// Which entry.
        position: u64,
        /// Why not.
        why: String,
    },
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    flagfall_event: u32,
    event: EventId,
    /// The hall it is from: the first entry's hash stands for it.
    exported_ms: i64,
    position: u64,
    hall_hash: String,
}

/// The second line.
#[derive(Serialize, Deserialize)]
struct EventLine {
    event: ChessEvent,
}

/// A game's seat.
#[derive(Serialize, Deserialize)]
struct SeatLine {
    seat: Seat,
}

/// An entry, without its payload: that stands behind it, byte for byte, as `event`.
#[derive(Serialize, Deserialize)]
struct EntryLine {
    position: u64,
    epoch: u64,
    wall_ms: i64,
    game: Uuid,
    table: u32,
    heard_ms: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    request: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    answer: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sessions: Vec<(String, u32, i64)>,
}

/// The last line.
#[derive(Serialize, Deserialize)]
struct End {
    end: u64,
    chains: BTreeMap<Uuid, String>,
    sha256: String,
}

/// Where the payload begins in an entry's line: no text inside JSON can look so.
const PAYLOAD: &str = ",\"event\":";

fn entry_line(entry: &Entry, game: Uuid) -> Result<String, String> {
    let content = &entry.content;
    let text = |what: &str, bytes: &[u8]| {
        String::from_utf8(bytes.to_vec()).map_err(|_| format!("entry {}: its {what} is no text", entry.position))
    };
    let line = EntryLine {
        position: entry.position,
        epoch: entry.epoch,
        wall_ms: entry.wall_ms,
        game,
        table: content
            .table
            .ok_or_else(|| format!("entry {} has no table", entry.position))?,
        heard_ms: content.heard.0,
        by: content.request.as_ref().map(|key| key.author.clone()),
        request: content.request.as_ref().map(|key| key.id.clone()),
        answer: text("answer", &content.answer)?,
        sessions: content
            .sessions
            .iter()
            .map(|mark| (mark.device.clone(), mark.boot, mark.seq))
            .collect(),
    };
    let payload = text("event", &content.payload)?;
    if payload.contains('\n') || serde_json::from_str::<serde::de::IgnoredAny>(&payload).is_err() {
        return Err(format!("entry {}: its event is no line of JSON", entry.position));
    }
    let line = String::from_utf8(write(&line)).map_err(|error| error.to_string())?;
    let open = line.strip_suffix('}').unwrap_or(&line);
    Ok(format!("{open}{PAYLOAD}{payload}}}"))
}

fn read_entry(line: &str) -> Option<Entry> {
    let (open, payload) = line.split_once(PAYLOAD)?;
    let payload = payload.strip_suffix('}')?;
    let fields: EntryLine = serde_json::from_str(&format!("{open}}}")).ok()?;
    let mark = |(device, boot, seq)| SessionMark { device, boot, seq };
    let mut content = NewEntry::new(EntryKind::Table, HallTime(fields.heard_ms), payload.as_bytes().to_vec())
        .at_table(fields.table, fields.game)
        .with_sessions(fields.sessions.into_iter().map(mark).collect());
    content.request = fields
        .by
        .zip(fields.request)
        .map(|(author, id)| RequestKey { author, id });
    content.answer = fields.answer.into_bytes();
    Some(Entry::detached(fields.position, fields.epoch, fields.wall_ms, content))
}

/// Writes an event of the hall's journal into a new file that only its owner can read. Also while the hub runs: the file holds
/// what was durable when it was begun.
///
/// # Errors
/// Nothing is left then.
pub fn export(data: &Path, event: &EventId, file: &Path, wall_ms: i64) -> Result<Archived, ArchiveError> {
    if file.exists() {
        return Err(ArchiveError::Exists(file.to_owned()));
    }
    let journal = JournalReader::of_data(data);
    let mut registry = Registry::default();
    let mut last = None;
    for entry in journal.entries(1)? {
        let entry = entry?;
        fold(&mut registry, &entry)?;
        last = Some((entry.position, entry.hall_hash));
    }
    let no_event = || ArchiveError::NoEvent {
        event: event.clone(),
        data: data.to_owned(),
    };
    let found = registry.events.get(event).ok_or_else(no_event)?;
    let (position, hall_hash) = last.ok_or_else(no_event)?;
    let seats: Vec<&Arc<Seat>> = registry.games.values().filter(|seat| seat.event == *event).collect();
    let aside = PathBuf::from(format!("{}.new", file.display()));
    let failed = |source| ArchiveError::File {
        file: aside.clone(),
        source,
    };
    let made = File::options()
        .create(true)
        .write(true)
        .truncate(true)
        .mode(0o600)
        .open(&aside)
        .map_err(failed)?;
    let written = (|| {
        let mut lines = Lines {
            out: GzipWriter::new(BufWriter::new(made)),
            hash: Sha256::new(),
        };
        let head = Head {
            flagfall_event: FORMAT,
            event: event.clone(),
            exported_ms: wall_ms,
            position,
            hall_hash: hall_hash.to_string(),
        };
        lines.write(&write(&head)).map_err(failed)?;
        let event_line = EventLine { event: found.clone() };
        lines.write(&write(&event_line)).map_err(failed)?;
        let mut chains: HashMap<Uuid, GameChain> = HashMap::new();
        for seat in &seats {
            let line = SeatLine {
                seat: Seat::clone(seat),
            };
            lines.write(&write(&line)).map_err(failed)?;
            chains.insert(seat.game.0, GameChain::begin(seat.game.0));
        }
        let mut entries = 0;
        for entry in journal.entries(1)? {
            let entry = entry?;
            if entry.position > position {
                break;
            }
            let Some(game) = entry.content.game.filter(|_| entry.content.kind == EntryKind::Table) else {
                continue;
            };
            let Some(chain) = chains.get_mut(&game) else {
                continue;
            };
            let unfit = |why: String| ArchiveError::Unfit {
                position: entry.position,
                why,
            };
            if Some(chain.take(&entry)) != entry.game_hash {
                return Err(unfit("its game's chain is broken".to_owned()));
            }
            lines
                .write(entry_line(&entry, game).map_err(unfit)?.as_bytes())
                .map_err(failed)?;
            entries += 1;
        }
        let end = End {
            end: entries,
            chains: chains
                .iter()
                .map(|(game, chain)| (*game, chain.hash().to_string()))
                .collect(),
            sha256: hex(lines.hash.clone()),
        };
        lines.write(&write(&end)).map_err(failed)?;
        let out = lines
            .out
            .finish()
            .and_then(|out| out.into_inner().map_err(io::Error::from));
        out.and_then(|file| file.sync_all()).map_err(failed)?;
        fs::rename(&aside, file).map_err(failed)?;
        Ok(Archived {
            event: event.clone(),
            rounds: found.rounds.len(),
            games: seats.len(),
            entries,
            under_way: under_way(found),
            was_here: false,
        })
    })();
    if written.is_err() && fs::remove_file(&aside).is_err() {
        tracing::debug!("what was begun of the file had gone");
    }
    written
}

struct Lines<W: Write> {
    out: GzipWriter<W>,
    hash: Sha256,
}

impl<W: Write> Lines<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        self.hash.update(line);
        self.hash.update(b"\n");
        self.out.write_all(line)?;
        self.out.write_all(b"\n")
    }
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn fold(registry: &mut Registry, entry: &Entry) -> Result<(), ArchiveError> {
    if entry.content.kind == EntryKind::Hall {
        let event: HallEvent = read("a change of the hall", &entry.content.payload)?;
        registry.fold(&event).map_err(|error| ArchiveError::Unfit {
            position: entry.position,
            why: error.to_string(),
        })?;
    }
    Ok(())
}

fn under_way(event: &ChessEvent) -> Vec<RoundNo> {
    let rounds = event.rounds.values();
    rounds
        .filter(|round| matches!(round.status, RoundStatus::Armed | RoundStatus::Started))
        .map(|round| round.number)
        .collect()
}

/// What a file holds, checked.
struct Archive {
    event: ChessEvent,
    seats: Vec<Seat>,
    entries: Vec<Entry>,
}

impl Archive {
    fn read(file: &Path) -> Result<Archive, ArchiveError> {
        let damaged = |what: String| ArchiveError::Damaged {
            file: file.to_owned(),
            what,
        };
        let bytes = fs::read(file).map_err(|source| ArchiveError::File {
            file: file.to_owned(),
            source,
        })?;
        let mut lines = GzipReader::new(&bytes, LONGEST_LINE);
        let mut hash = Sha256::new();
        let mut number = 0;
        let mut next = |hash: &mut Sha256| -> Result<Option<(String, Sha256)>, ArchiveError> {
            let Some(line) = lines.line().map_err(&damaged)? else {
                return Ok(None);
            };
            number += 1;
            let before = hash.clone();
            hash.update(line.as_bytes());
            hash.update(b"\n");
            Ok(Some((line, before)))
        };
        let cut = || damaged("it ends early".to_owned());
        let (line, _) = next(&mut hash)?.ok_or_else(cut)?;
        let head: Head = serde_json::from_str(&line).map_err(|_| damaged("it is no event of flagfall's".to_owned()))?;
        if head.flagfall_event > FORMAT {
            return Err(ArchiveError::Newer {
                file: file.to_owned(),
                found: head.flagfall_event,
            });
        }
        let (line, _) = next(&mut hash)?.ok_or_else(cut)?;
        let event: EventLine = serde_json::from_str(&line).map_err(|error| damaged(format!("line 2: {error}")))?;
        let (mut seats, mut entries) = (Vec::new(), Vec::new());
        let mut chains: HashMap<Uuid, GameChain> = HashMap::new();
        let end: (End, Sha256) = loop {
            let (line, before) = next(&mut hash)?.ok_or_else(cut)?;
            if line.starts_with("{\"seat\":") {
                let SeatLine { seat } = serde_json::from_str(&line).map_err(|error| damaged(error.to_string()))?;
                chains.insert(seat.game.0, GameChain::begin(seat.game.0));
                seats.push(seat);
            } else if line.starts_with("{\"end\":") {
                let end = serde_json::from_str(&line).map_err(|error| damaged(error.to_string()))?;
                break (end, before);
            } else {
                let entry = read_entry(&line).ok_or_else(|| damaged("one of its lines cannot be read".to_owned()))?;
                let game = entry.content.game.unwrap_or_default();
                let chain = chains
                    .get_mut(&game)
                    .ok_or_else(|| damaged(format!("game {game} has no seat in it")))?;
                chain.take(&entry);
                entries.push(entry);
            }
        };
        let (end, before) = end;
        if end.sha256 != hex(before) || end.end != entries.len() as u64 || next(&mut hash)?.is_some() {
            return Err(damaged("it was changed since it was written".to_owned()));
        }
        for seat in &seats {
            let chain = chains.get(&seat.game.0).map(|chain| chain.hash().to_string());
            if end.chains.get(&seat.game.0) != chain.as_ref() {
                return Err(damaged(format!("the chain of game {} is broken", seat.game)));
            }
        }
        Ok(Archive {
            event: event.event,
            seats,
            entries,
        })
    }

    /// Under another name.
    fn rename(&mut self, id: &EventId) {
        self.event.id = id.clone();
        for round in self.event.rounds.values_mut() {
            round.event = id.clone();
        }
        for seat in &mut self.seats {
            seat.event = id.clone();
        }
    }

    /// Every game folds to its end in this version, too.
    fn replay(&self) -> Result<(), ArchiveError> {
        let mut games: HashMap<Uuid, Game> = HashMap::new();
        for seat in &self.seats {
            games.insert(seat.game.0, Game::new(seat.setup.clone()));
        }
        let mut parked = BTreeSet::new();
        for entry in &self.entries {
            let id = entry.content.game.unwrap_or_default();
            let record: TableRecord = read("what happened at a table", &entry.content.payload)?;
            let Some(game) = games.get_mut(&id).filter(|_| !parked.contains(&id)) else {
                continue;
            };
            match record {
                TableRecord::Taken { events } => {
                    let folded = catch_unwind(AssertUnwindSafe(|| {
                        events
                            .iter()
                            .try_for_each(|event| game.fold(event))
                            .map_err(|error| error.to_string())
                    }));
                    let why = match folded {
                        Ok(Ok(())) => continue,
                        Ok(Err(why)) => why,
                        Err(_) => "it panicked".to_owned(),
                    };
                    return Err(ArchiveError::Unfit {
                        position: entry.position,
                        why,
                    });
                }
                TableRecord::Parked { .. } => {
                    parked.insert(id);
                }
                TableRecord::Aside { .. } | TableRecord::ResultByHand { .. } => {}
            }
        }
        Ok(())
    }
}

/// Takes an event into the journal of a hub that is stopped; under another name, if one is given. Tables and devices of this hall
/// are not touched: its games are records. Where an import was broken off, the same import goes on.
///
/// # Errors
/// The file is not whole, or would mix with what is here; nothing has changed then.
pub fn import(
    data: &Path,
    file: &Path,
    name: Option<&EventId>,
    wall_ms: impl Fn() -> i64 + Send + 'static,
) -> Result<Archived, ArchiveError> {
    let mut archive = Archive::read(file)?;
    if let Some(name) = name {
        archive.rename(name);
    }
    let id = archive.event.id.clone();
    let collides = |what: String, todo: &str| {
        Err(ArchiveError::Collides {
            what,
            todo: todo.to_owned(),
        })
    };
    if let Some(round) = under_way(&archive.event).first() {
        return collides(
            format!("round {round} was under way when it was exported"),
            "end it where it is played, and export the event again",
        );
    }
    archive.replay()?;
    let opened = Store::open(data, StoreOptions::default(), wall_ms)?;
    // The next start folds what this one has not.
    let mut registry = Registry::default();
    let mut heard = HallTime(0);
    let mut here: HashMap<Uuid, u64> = HashMap::new();
    for entry in opened.store.reader().entries(1)? {
        let entry = entry?;
        fold(&mut registry, &entry)?;
        heard = heard.max(entry.content.heard);
        if let (EntryKind::Table, Some(game)) = (entry.content.kind, entry.content.game) {
            *here.entry(game).or_default() += 1;
        }
    }
    let seats: Vec<Arc<Seat>> = archive.seats.iter().cloned().map(Arc::new).collect();
    let begun = registry.events.get(&id) == Some(&archive.event)
        && seats
            .iter()
            .all(|seat| registry.games.get(&seat.game).is_some_and(|here| here == seat));
    if !begun {
        if registry.events.contains_key(&id) {
            return collides(
                format!("event {id} is here already"),
                "import it under another name: --as NAME",
            );
        }
        if let Some(seat) = seats.iter().find_map(|seat| registry.games.get(&seat.game)) {
            return collides(
                format!("its game {} is here already, in event {}", seat.game, seat.event),
                "the event was imported before under that name, and need not be again",
            );
        }
    }
    let commits = opened.store.commits();
    if !begun {
        let event = HallEvent::EventImported {
            event: Box::new(archive.event.clone()),
            seats,
        };
        let entry = NewEntry::new(EntryKind::Hall, heard, write(&event));
        drop(commits.commit_blocking(vec![entry])?);
    }
    // What an import that was broken off has brought is not brought again: games' entries come in their order.
    let mut missing = archive.entries.iter().filter(|entry| {
        let game = entry.content.game.unwrap_or_default();
        match here.get_mut(&game) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        }
    });
    let mut brought = 0;
    loop {
        let batch: Vec<NewEntry> = missing
            .by_ref()
            .take(TOGETHER)
            .map(|entry| {
                let content = entry.content.clone();
                let (table, game) = (content.table.unwrap_or_default(), content.game.unwrap_or_default());
                NewEntry::new(EntryKind::Table, heard, content.payload).at_table(table, game)
            })
            .collect();
        if batch.is_empty() {
            break;
        }
        brought += batch.len();
        drop(commits.commit_blocking(batch)?);
    }
    // Not folded here, and said nowhere: the checkpoint stays where it was.
    opened.store.close();
    Ok(Archived {
        event: id,
        rounds: archive.event.rounds.len(),
        games: archive.seats.len(),
        entries: archive.entries.len() as u64,
        under_way: Vec::new(),
        was_here: begun && brought == 0,
    })
}
