//! The journal's own Protobuf messages, and entries to and from them.

use std::collections::HashMap;

use prost::Message as _;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::entry::{ChainHash, Entry, EntryKind, NewEntry, RequestKey, SessionMark};
use crate::time::HallTime;

/// Generated from `proto/flagfall/journal/v1`.
pub(super) mod proto {
    tonic::include_proto!("flagfall.journal.v1");
}

/// The format in which a segment is written.
pub(super) const FORMAT: u32 = 1;
/// The format of a segment that has been packed: the newest that this version reads.
pub(super) const PACKED: u32 = 2;

/// The ends of all chains.
#[derive(Clone, Debug)]
pub(super) struct Chains {
    /// The last position.
    pub(super) position: u64,
    /// The last group.
    pub(super) group: u64,
    pub(super) hall: ChainHash,
    pub(super) games: HashMap<Uuid, ChainHash>,
    /// Where the segments before have not been read: the first entry of each game, to be checked against them.
    firsts: Option<Vec<First>>,
}

/// A game's first entry since where the chains began, with what it says that the game's chain is after it.
#[derive(Clone, Debug)]
struct First {
    game: Uuid,
    encoded: Vec<u8>,
    hash: ChainHash,
}

impl Chains {
    /// Before a hall's first entry.
    pub(super) fn begin(hall_id: Uuid) -> Chains {
        Chains {
            position: 0,
            group: 0,
            hall: first_hash(hall_id),
            games: HashMap::new(),
            firsts: None,
        }
    }

    /// As far as a segment's header tells them, for a reader that has not read the segments before it.
    pub(super) fn before(header: &proto::SegmentHeader) -> Result<Chains, String> {
        Ok(Chains {
            position: header.first_position.saturating_sub(1),
            group: header.first_group.saturating_sub(1),
            hall: hash(&header.previous_hash).ok_or("its header has no chain hash")?,
            games: HashMap::new(),
            firsts: None,
        })
    }

    /// The same, for one who will check what hangs on the segments before with [`Chains::join`].
    pub(super) fn ahead(header: &proto::SegmentHeader) -> Result<Chains, String> {
        Ok(Chains {
            firsts: Some(Vec::new()),
            ..Chains::before(header)?
        })
    }

    /// Whether the segments before are still to be read.
    pub(super) fn is_ahead(&self) -> bool {
        self.firsts.is_some()
    }

    /// Goes on to the end of a segment that was read ahead and begins where these chains are; false, and nothing is changed, where a
    /// game does not go on in it as it should.
    pub(super) fn join(&mut self, ahead: Chains) -> bool {
        let goes_on = |first: &First| {
            let before = self.games.get(&first.game).copied();
            chained(before.unwrap_or_else(|| first_hash(first.game)), &first.encoded) == first.hash
        };
        if !ahead.firsts.iter().flatten().all(goes_on) {
            return false;
        }
        (self.position, self.group, self.hall) = (ahead.position, ahead.group, ahead.hall);
        self.games.extend(ahead.games);
        true
    }

    /// The game of an entry whose chain is not known yet.
    fn unknown(&self, game: Option<Uuid>) -> Option<Uuid> {
        game.filter(|game| self.is_ahead() && !self.games.contains_key(game))
    }

    /// What an entry says of its game's chain is taken as it is until the segments before are known.
    fn believe(&mut self, game: Uuid, encoded: &[u8], said: Option<ChainHash>) -> Result<ChainHash, String> {
        let hash = said.ok_or("an entry does not say where its game's chain is")?;
        if let Some(firsts) = &mut self.firsts {
            firsts.push(First {
                game,
                encoded: encoded.to_vec(),
                hash,
            });
        }
        Ok(hash)
    }

    /// The ends after this entry, which must be encoded with the next position.
    fn link(&self, encoded: &[u8], game: Option<Uuid>) -> (ChainHash, Option<ChainHash>) {
        let of_game = game.map(|game| {
            let before = self.games.get(&game).copied().unwrap_or_else(|| first_hash(game));
            chained(before, encoded)
        });
        (chained(self.hall, encoded), of_game)
    }

    /// What the ends are now, as far as these entries will change them.
    pub(super) fn mark(&self, entries: &[NewEntry]) -> Mark {
        self.mark_games(entries.iter().filter_map(|entry| entry.game))
    }

    /// What the ends are now, as far as entries of these games will change them.
    pub(super) fn mark_games(&self, games: impl Iterator<Item = Uuid>) -> Mark {
        let games = games.map(|game| (game, self.games.get(&game).copied())).collect();
        Mark {
            position: self.position,
            hall: self.hall,
            games,
        }
    }

    /// Goes back (or forth) to a mark, and gives one for the way back.
    pub(super) fn swap(&mut self, mark: Mark) -> Mark {
        let was = Mark {
            position: self.position,
            hall: self.hall,
            games: HashMap::new(),
        };
        (self.position, self.hall) = (mark.position, mark.hall);
        let swap = |(game, hash)| {
            let was = match hash {
                Some(hash) => self.games.insert(game, hash),
                None => self.games.remove(&game),
            };
            (game, was)
        };
        Mark {
            games: mark.games.into_iter().map(swap).collect(),
            ..was
        }
    }

    fn moved(&mut self, hall: ChainHash, game: Option<(Uuid, ChainHash)>) {
        self.position += 1;
        self.hall = hall;
        if let Some((game, hash)) = game {
            self.games.insert(game, hash);
        }
    }

    /// Encodes an entry as the next one, and moves on to it.
    pub(super) fn write(&mut self, epoch: u64, wall_ms: i64, content: &NewEntry) -> Vec<u8> {
        let entry = encode(self.position + 1, epoch, wall_ms, content);
        let (hall, game) = self.link(&entry, content.game);
        self.moved(hall, content.game.zip(game));
        let game_hash = game.map_or_else(Vec::new, |hash| hash.0.to_vec());
        proto::ChainedEntry {
            entry,
            hall_hash: hall.0.to_vec(),
            game_hash,
        }
        .encode_to_vec()
    }

    /// Takes an entry that was kept without its hashes as the next one. `games` are games' hashes after their first entry from
    /// here on: checked, or, where `known` is false because what was before has not been read, taken as they are.
    pub(super) fn take(
        &mut self,
        encoded: &[u8],
        games: &mut HashMap<Uuid, ChainHash>,
        known: bool,
    ) -> Result<Entry, String> {
        let next = self.position + 1;
        let fields = decode_fields(encoded)?;
        if fields.position != next {
            return Err(format!(
                "an entry says that it has position {}, where {next} should be",
                fields.position
            ));
        }
        let unknown = self.unknown(fields.content.game);
        let (hall, linked) = self.link(encoded, fields.content.game.filter(|_| unknown.is_none()));
        let given = fields.content.game.and_then(|game| games.remove(&game));
        let game_hash = match (given, known) {
            _ if let Some(game) = unknown => Some(self.believe(game, encoded, given)?),
            (Some(given), false) => Some(given),
            (Some(given), true) if linked != Some(given) => {
                return Err(format!(
                    "the game's chain is broken at position {next}: entries were changed"
                ));
            }
            _ => linked,
        };
        self.moved(hall, fields.content.game.zip(game_hash));
        Ok(fields.entry(hall, game_hash))
    }

    /// Checks an entry read against the chains, and moves on to it.
    pub(super) fn check(&mut self, read: &ReadEntry) -> Result<(), String> {
        let next = self.position + 1;
        let entry = &read.entry;
        if entry.position != next {
            return Err(format!(
                "an entry says that it has position {}, where {next} should be",
                entry.position
            ));
        }
        let unknown = self.unknown(entry.content.game);
        let (hall, mut game) = self.link(&read.encoded, entry.content.game.filter(|_| unknown.is_none()));
        if let Some(unknown) = unknown {
            game = Some(self.believe(unknown, &read.encoded, entry.game_hash)?);
        }
        if hall != entry.hall_hash {
            return Err(format!(
                "the hall's chain is broken at position {next}: entries were changed"
            ));
        }
        if game != entry.game_hash {
            return Err(format!(
                "the game's chain is broken at position {next}: entries were changed"
            ));
        }
        self.moved(hall, entry.content.game.zip(game));
        Ok(())
    }
}

/// One game's chain, worked out again from its entries, wherever they were kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameChain(ChainHash);

impl GameChain {
    /// Before a game's first entry.
    pub fn begin(game: Uuid) -> GameChain {
        GameChain(first_hash(game))
    }

    /// Goes on to this entry, and says where the chain is then.
    pub fn take(&mut self, entry: &Entry) -> ChainHash {
        let encoded = encode(entry.position, entry.epoch, entry.wall_ms, &entry.content);
        self.0 = chained(self.0, &encoded);
        self.0
    }

    /// Where it is.
    pub fn hash(&self) -> ChainHash {
        self.0
    }
}

/// A point to which the chains can go back.
#[derive(Debug)]
pub(super) struct Mark {
    position: u64,
    hall: ChainHash,
    games: HashMap<Uuid, Option<ChainHash>>,
}

fn first_hash(id: Uuid) -> ChainHash {
    ChainHash(Sha256::digest(id.as_bytes()).into())
}

fn chained(before: ChainHash, encoded: &[u8]) -> ChainHash {
    ChainHash(
        Sha256::new()
            .chain_update(before.0)
            .chain_update(encoded)
            .finalize()
            .into(),
    )
}

/// At least the bytes that an entry takes in the file.
pub(super) fn size_bound(content: &NewEntry) -> usize {
    let request = content
        .request
        .as_ref()
        .map_or(0, |key| key.author.len() + key.id.len());
    let sessions: usize = content.sessions.iter().map(|mark| mark.device.len() + 24).sum();
    super::frame::size(256 + content.payload.len() + content.answer.len() + request + sessions)
}

fn encode(position: u64, epoch: u64, wall_ms: i64, content: &NewEntry) -> Vec<u8> {
    let kind = match content.kind {
        EntryKind::Hall => proto::Kind::Hall,
        EntryKind::Table => proto::Kind::Table,
        EntryKind::Sessions => proto::Kind::Sessions,
        EntryKind::Clock => proto::Kind::Clock,
        EntryKind::Note => proto::Kind::Note,
    };
    let (request_author, request_id) = content
        .request
        .as_ref()
        .map_or_else(Default::default, |key| (key.author.clone(), key.id.clone()));
    let mark = |mark: &SessionMark| proto::SessionMark {
        device: mark.device.clone(),
        boot: mark.boot,
        seq: mark.seq,
    };
    proto::Entry {
        position,
        epoch,
        wall_ms,
        kind: kind.into(),
        table: content.table,
        game: content.game.map_or_else(Vec::new, |game| game.as_bytes().to_vec()),
        heard_ms: content.heard.0,
        request_author,
        request_id,
        answer: content.answer.clone(),
        sessions: content.sessions.iter().map(mark).collect(),
        payload: content.payload.clone(),
    }
    .encode_to_vec()
}

/// An entry as it was read, with the bytes that the chains are over.
pub(super) struct ReadEntry {
    pub(super) entry: Entry,
    pub(super) encoded: Vec<u8>,
}

/// Reads the payload of an entry's frame.
pub(super) fn decode(payload: &[u8]) -> Result<ReadEntry, String> {
    let chained = proto::ChainedEntry::decode(payload).map_err(|error| format!("an entry cannot be read: {error}"))?;
    let fields = decode_fields(&chained.entry)?;
    let position = fields.position;
    let hall_hash = hash(&chained.hall_hash).ok_or_else(|| format!("entry {position} has no hall hash"))?;
    let game_hash = match chained.game_hash.is_empty() {
        true => None,
        false => Some(hash(&chained.game_hash).ok_or_else(|| format!("entry {position} has no proper game hash"))?),
    };
    Ok(ReadEntry {
        entry: fields.entry(hall_hash, game_hash),
        encoded: chained.entry,
    })
}

/// What is encoded of an entry: all but its hashes.
struct Fields {
    position: u64,
    epoch: u64,
    wall_ms: i64,
    content: NewEntry,
}

impl Fields {
    fn entry(self, hall_hash: ChainHash, game_hash: Option<ChainHash>) -> Entry {
        Entry {
            position: self.position,
            epoch: self.epoch,
            wall_ms: self.wall_ms,
            content: self.content,
            hall_hash,
            game_hash,
        }
    }
}

fn decode_fields(encoded: &[u8]) -> Result<Fields, String> {
    let read = proto::Entry::decode(encoded).map_err(|error| format!("an entry cannot be read: {error}"))?;
    let position = read.position;
    let kind = match read.kind() {
        proto::Kind::Hall => EntryKind::Hall,
        proto::Kind::Table => EntryKind::Table,
        proto::Kind::Sessions => EntryKind::Sessions,
        proto::Kind::Clock => EntryKind::Clock,
        proto::Kind::Note => EntryKind::Note,
        proto::Kind::Unspecified => return Err(format!("entry {position} is of no known kind")),
    };
    let game = match read.game.is_empty() {
        true => None,
        false => Some(Uuid::from_slice(&read.game).map_err(|_| format!("entry {position} has no proper game id"))?),
    };
    let request = (!read.request_id.is_empty() || !read.request_author.is_empty()).then_some(RequestKey {
        author: read.request_author,
        id: read.request_id,
    });
    let mark = |mark: proto::SessionMark| SessionMark {
        device: mark.device,
        boot: mark.boot,
        seq: mark.seq,
    };
    let content = NewEntry {
        kind,
        game,
        table: read.table,
        heard: HallTime(read.heard_ms),
        request,
        answer: read.answer,
        sessions: read.sessions.into_iter().map(mark).collect(),
        payload: read.payload,
    };
    Ok(Fields {
        position,
        epoch: read.epoch,
        wall_ms: read.wall_ms,
        content,
    })
}

/// A hash from its bytes.
pub(super) fn hash(bytes: &[u8]) -> Option<ChainHash> {
    bytes.try_into().ok().map(ChainHash)
}
