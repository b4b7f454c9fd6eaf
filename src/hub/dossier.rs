//! One game's record, gathered from the journal: for the appeals committee. Also while the hub runs, of which it needs nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::game::Game;
use crate::hall::chronicle;
use crate::hall::clock::Mapping;
use crate::hall::model::{ChessEvent, Player, Registry, Seat};
use crate::hall::record::{TableRecord, Unreadable, read};
use crate::hall::registry::HallEvent;
use crate::store::{Entry, EntryKind, JournalError, JournalReader};
use crate::words::record::{Line, Ordered, Record, Signer, Times, Which};

/// Why there is no record.
#[derive(Debug, thiserror::Error)]
pub enum NoRecord {
    /// The game is not there.
    #[error("the journal has not {0}: is the round armed?")]
    NoGame(Which),
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
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

/// A game while its entries are read.
struct Reading {
    seat: Arc<Seat>,
    game: Game,
    parked: Option<String>,
    result_by_hand: Option<String>,
    lines: Vec<Line>,
    orders: BTreeMap<u64, Ordered>,
    chain: String,
}

impl Reading {
    fn of(seat: Arc<Seat>) -> Reading {
        Reading {
            game: Game::new(seat.setup.clone()),
            seat,
            parked: None,
            result_by_hand: None,
            lines: Vec::new(),
            orders: BTreeMap::new(),
            chain: String::new(),
        }
    }

    fn take(&mut self, entry: &Entry) -> Result<(), NoRecord> {
        let content = &entry.content;
        let record: TableRecord = read("what happened at a table", &content.payload)?;
        match &record {
            TableRecord::Taken { events } if self.parked.is_none() => {
                for event in events {
                    self.game.fold(event).map_err(|error| NoRecord::Unfit {
                        position: entry.position,
                        why: error.to_string(),
                    })?;
                }
                self.ordered(entry);
            }
            TableRecord::Taken { .. } | TableRecord::Aside { .. } => {}
            TableRecord::Parked { why, .. } => self.parked = Some(why.clone()),
            TableRecord::ResultByHand { result, .. } => self.result_by_hand = Some(result.clone()),
        }
        let unread = || String::from_utf8_lossy(&content.payload).into_owned();
        self.lines.push(Line {
            position: entry.position,
            written_ms: entry.wall_ms,
            heard: content.heard,
            text: chronicle::told(entry).unwrap_or_else(unread),
            by: content.request.as_ref().map(|key| key.author.clone()),
            record: Some(Box::new(record)),
        });
        self.chain = entry.game_hash.map(|hash| hash.to_string()).unwrap_or_default();
        Ok(())
    }
}

impl Reading {
    /// Notes the orders that this entry has given, and how far the earlier ones have got.
    fn ordered(&mut self, entry: &Entry) {
        let view = self.game.arbiter_view(entry.content.heard);
        for order in view.orders.into_iter().chain(view.answered) {
            let by = || entry.content.request.as_ref().map(|key| key.author.clone());
            let known = self.orders.entry(order.number).or_insert_with(|| Ordered {
                order: order.clone(),
                position: entry.position,
                by: by(),
            });
            known.order = order;
        }
    }
}

/// Reads the whole journal up to its end. Blocks.
///
/// # Errors
/// There is no such game, or the journal cannot be read.
pub fn gather(data: &Path, hall: &str, which: &Which, made_ms: i64) -> Result<Record, NoRecord> {
    let mut registry = Registry::default();
    let mut times = Vec::new();
    let mut reading: Option<Reading> = None;
    let mut head = (0, String::new());
    let mut now = crate::time::HallTime(0);
    for entry in JournalReader::of_data(data).entries(1)? {
        let entry = entry?;
        let content = &entry.content;
        head = (entry.position, entry.hall_hash.to_string());
        now = now.max(content.heard);
        match content.kind {
            EntryKind::Hall => {
                let event: HallEvent = read("a change of the hall", &content.payload)?;
                registry.fold(&event).map_err(|error| NoRecord::Unfit {
                    position: entry.position,
                    why: error.to_string(),
                })?;
                if matches!(
                    event,
                    HallEvent::RoundArmed { .. }
                        | HallEvent::RoundImported { .. }
                        | HallEvent::PairingAdded { .. }
                        | HallEvent::EventImported { .. }
                ) && let Some(seat) = newest(&registry, which)
                    && reading.as_ref().is_none_or(|reading| reading.seat.game != seat.game)
                {
                    reading = Some(Reading::of(Arc::clone(seat)));
                }
            }
            EntryKind::Table => {
                if let Some(reading) = &mut reading
                    && content.game == Some(reading.seat.game.0)
                {
                    reading.take(&entry)?;
                }
            }
            EntryKind::Clock => {
                let mapping: Mapping = read("the hall clock", &content.payload)?;
                times.push((mapping.hall, mapping.wall_ms, mapping.speed));
            }
            EntryKind::Sessions | EntryKind::Note => {}
        }
    }
    let reading = reading.ok_or_else(|| NoRecord::NoGame(which.clone()))?;
    let seat = &reading.seat;
    let event = registry.events.get(&seat.event);
    let mut view = reading.game.arbiter_view(now);
    if let Some(result) = reading.result_by_hand {
        view.result = result;
    }
    Ok(Record {
        hall: hall.to_owned(),
        game: seat.game.to_string(),
        event: event.map_or_else(
            || [seat.event.to_string(), String::new(), String::new()],
            |event| [event.name.clone(), event.site.clone(), event.date.clone()],
        ),
        round: seat.round.0,
        board: seat.board,
        table: seat.table.0,
        players: players(event, seat),
        view,
        parked: reading.parked,
        orders: reading.orders.into_values().collect(),
        lines: reading.lines,
        chain: reading.chain,
        head,
        made_ms,
        times: Times(times),
    })
}

/// Whose record it is, as far as the registry knows yet.
fn newest<'a>(registry: &'a Registry, which: &Which) -> Option<&'a Arc<Seat>> {
    match which {
        Which::Game(game) => registry.games.get(game),
        Which::Table(table) => {
            let game = registry.tables.get(table)?.game?;
            registry.games.get(&game)
        }
        Which::Round(event, round, table) => registry
            .games
            .values()
            // Ids are in the order of their making: the last is the one that was played.
            .rfind(|seat| seat.event == *event && seat.round == *round && seat.table == *table),
    }
}

fn players(event: Option<&ChessEvent>, seat: &Seat) -> [Signer; 2] {
    let pairing = event.and_then(|event| {
        let round = event.rounds.get(&seat.round)?;
        round.pairings.iter().find(|pairing| pairing.table == seat.table)
    });
    pairing.map_or_else(Default::default, |pairing| {
        [signer(&pairing.white), signer(&pairing.black)]
    })
}

fn signer(player: &Player) -> Signer {
    let mut about = Vec::new();
    if let Some(rating) = player.rating.filter(|rating| *rating > 0) {
        about.push(rating.to_string());
    }
    about.extend((!player.federation.is_empty()).then(|| player.federation.clone()));
    if let Some(id) = player.fide_id {
        about.push(format!("FIDE {id}"));
    }
    Signer {
        title: player.title.clone(),
        name: player.name.clone(),
        about,
    }
}
