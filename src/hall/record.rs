//! What the hall writes to the journal, entry by entry: JSON that says what it is, read back at every start.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest as _, Sha256};

use super::call::{Answer, Command};
use super::ids::{DeviceId, GameId, TableNo};
use super::model::Seat;
use super::report::{Abilities, KnownOffset};
use crate::game::input::Input;
use crate::game::{Event, Game};
use crate::time::Millis;

/// What happened at a table; payload of entries of that kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableRecord {
    /// The game took something.
    Taken {
        /// What is to be folded.
        events: Vec<Event>,
    },
    /// The game failed in the hub: from here on the table goes on by hand.
    Parked {
        /// What failed.
        why: String,
        /// On what.
        input: Option<Box<Input>>,
    },
    /// Heard while the table was parked: kept for people, out of the game.
    Aside {
        /// What was heard.
        input: Box<Input>,
    },
    /// The result of a parked table, by an arbiter.
    ResultByHand {
        /// `1-0`, …
        result: String,
        /// Who entered it.
        by: String,
    },
}

/// What became known of devices; payload of entries of that kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceRecord {
    /// Only progress, which stands beside the payload.
    Progress,
    /// How a boot's time is mapped from now on.
    Offset {
        /// Which device.
        device: DeviceId,
        /// Which boot.
        boot: u32,
        /// Hall time minus device time.
        offset: Millis,
        /// What is known of how far that is off.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        known: Option<KnownOffset>,
    },
    /// A device was started.
    Born {
        /// Which.
        device: DeviceId,
        /// Its boot.
        boot: u32,
        /// For people.
        model: String,
        /// For people.
        firmware: String,
        /// What it can do.
        able: Abilities,
    },
}

/// What stands in the journal of a call that was done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DoneCall {
    /// The SHA-256 of what was asked.
    pub asked: String,
    /// What was answered, without secrets.
    pub answer: Answer,
}

/// A game as it is kept in the state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptGame {
    /// Its id.
    pub id: GameId,
    /// Its table.
    pub table: TableNo,
    /// The game.
    pub game: Game,
    /// The table is parked.
    #[serde(default)]
    pub parked: Option<String>,
    /// The result of a parked table.
    #[serde(default)]
    pub result_by_hand: Option<String>,
}

impl KeptGame {
    /// A game that nothing has happened in yet.
    pub fn new(seat: &Seat) -> KeptGame {
        KeptGame {
            id: seat.game,
            table: seat.table,
            game: Game::new(seat.setup.clone()),
            parked: None,
            result_by_hand: None,
        }
    }

    /// Takes what happened at its table.
    ///
    /// # Errors
    /// It cannot be replayed: the table is parked.
    pub fn fold(&mut self, record: &TableRecord) -> Result<(), String> {
        match record {
            TableRecord::Taken { .. } if self.parked.is_some() => {}
            TableRecord::Taken { events } => {
                let mut copy = self.game.clone();
                let done = catch_unwind(AssertUnwindSafe(|| {
                    events
                        .iter()
                        .try_for_each(|event| copy.fold(event))
                        .map_err(|error| error.to_string())
                }));
                match done {
                    Ok(Ok(())) => self.game = copy,
                    Ok(Err(why)) => return Err(self.park(why)),
                    Err(_) => return Err(self.park("a panic while its events were replayed".to_owned())),
                }
            }
            TableRecord::Parked { why, .. } => self.parked = Some(why.clone()),
            TableRecord::Aside { .. } => {}
            TableRecord::ResultByHand { result, .. } => self.result_by_hand = Some(result.clone()),
        }
        Ok(())
    }

    fn park(&mut self, why: String) -> String {
        self.parked = Some(why.clone());
        why
    }
}

/// A payload or value that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{what} cannot be read: {source}")]
pub struct Unreadable {
    /// What it was to be.
    pub what: &'static str,
    /// Why not.
    pub source: serde_json::Error,
}

/// Reads a payload.
///
/// # Errors
/// It is not what it was to be.
pub fn read<T: DeserializeOwned>(what: &'static str, bytes: &[u8]) -> Result<T, Unreadable> {
    serde_json::from_slice(bytes).map_err(|source| Unreadable { what, source })
}

/// Writes a payload.
pub fn write<T: Serialize>(value: &T) -> Vec<u8> {
    // None of the records has a map with keys other than text, which is all that could fail.
    serde_json::to_vec(value).expect("a record can be written as JSON")
}

/// The SHA-256 of what a call asks, by which a repeated request id is told from a reused one.
pub fn fingerprint(command: &Command) -> String {
    Sha256::digest(write(command))
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
