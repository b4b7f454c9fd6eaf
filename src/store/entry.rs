//! What the journal holds: entries, as the hall writes them and as it reads them back.

use std::fmt;

use uuid::Uuid;

use crate::time::HallTime;

/// What an entry is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EntryKind {
    /// The hall: events, rounds, people, devices, settings.
    Hall,
    /// One table's game.
    Table,
    /// Only progress of device sessions: reports that changed nothing, but are not to be sent again.
    Sessions,
    /// The hall clock: its speed, and where it went on after a start.
    Clock,
    /// Written by the journal itself (a torn group cut off, a loss accepted). The hall is never given these to fold.
    Note,
}

impl EntryKind {
    /// The word for it in print.
    pub fn name(self) -> &'static str {
        match self {
            EntryKind::Hall => "hall",
            EntryKind::Table => "table",
            EntryKind::Sessions => "sessions",
            EntryKind::Clock => "clock",
            EntryKind::Note => "note",
        }
    }
}

/// What makes a call the same call: who made it, and the id he gave it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RequestKey {
    /// The caller, as his token names him.
    pub author: String,
    /// The request id he chose.
    pub id: String,
}

/// How far the reports of a device are durable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionMark {
    /// The device's id.
    pub device: String,
    /// The boot whose reports these are.
    pub boot: u32,
    /// The highest sequence without a gap; -1 for none.
    pub seq: i64,
}

/// An entry to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewEntry {
    /// What it is about.
    pub kind: EntryKind,
    /// The game it belongs to, whose chain it joins.
    pub game: Option<Uuid>,
    /// The table it belongs to.
    pub table: Option<u32>,
    /// When the hub heard of it.
    pub heard: HallTime,
    /// The call that caused it.
    pub request: Option<RequestKey>,
    /// What that call was answered; given again when the call is repeated.
    pub answer: Vec<u8>,
    /// Device reports that are durable with this entry.
    pub sessions: Vec<SessionMark>,
    /// The event itself, as JSON; the store does not look inside.
    pub payload: Vec<u8>,
}

impl NewEntry {
    /// An entry of this kind that belongs to no table and no call.
    pub fn new(kind: EntryKind, heard: HallTime, payload: Vec<u8>) -> NewEntry {
        NewEntry {
            kind,
            game: None,
            table: None,
            heard,
            request: None,
            answer: Vec::new(),
            sessions: Vec::new(),
            payload,
        }
    }

    /// The same, belonging to a game at a table.
    #[must_use]
    pub fn at_table(mut self, table: u32, game: Uuid) -> NewEntry {
        self.table = Some(table);
        self.game = Some(game);
        self
    }

    /// The same, caused by a call that is answered so.
    #[must_use]
    pub fn answering(mut self, request: RequestKey, answer: Vec<u8>) -> NewEntry {
        self.request = Some(request);
        self.answer = answer;
        self
    }

    /// The same, with the progress of device sessions.
    #[must_use]
    pub fn with_sessions(mut self, sessions: Vec<SessionMark>) -> NewEntry {
        self.sessions = sessions;
        self
    }
}

impl Entry {
    /// An entry as it was in a journal, outside of it: without its places in the chains.
    pub fn detached(position: u64, epoch: u64, wall_ms: i64, content: NewEntry) -> Entry {
        Entry {
            position,
            epoch,
            wall_ms,
            content,
            hall_hash: ChainHash([0; 32]),
            game_hash: None,
        }
    }
}

/// A SHA-256 chain hash.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChainHash(pub [u8; 32]);

impl fmt::Display for ChainHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ChainHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// An entry as it stands in the journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its number: from 1, without gaps.
    pub position: u64,
    /// The start of the hub that wrote it.
    pub epoch: u64,
    /// Unix time in ms when it was written. For people; never counted with.
    pub wall_ms: i64,
    /// What was written.
    pub content: NewEntry,
    /// The hall's chain up to and with this entry.
    pub hall_hash: ChainHash,
    /// The game's chain up to and with this entry, if it belongs to one.
    pub game_hash: Option<ChainHash>,
}
