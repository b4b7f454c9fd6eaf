//! A small file beside the database that says what must be in it, and in the journal.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::store::error::StateError;
use crate::store::journal::Known;

const NAME: &str = "MANIFEST";

/// What was durable when it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::store) struct Manifest {
    pub(in crate::store) hall_id: Uuid,
    /// What the journal had.
    pub(in crate::store) known: Known,
    /// Up to where the database's values hold everything.
    pub(in crate::store) checkpoint: u64,
    /// The database's folder.
    pub(in crate::store) database: String,
}

/// In the file: one line of JSON, and the CRC32C of that line in a second one.
#[derive(Serialize, Deserialize)]
struct Line {
    format: u32,
    hall_id: Uuid,
    position: u64,
    epoch: u64,
    segment: u64,
    checkpoint: u64,
    database: String,
}

impl Manifest {
    /// What is there; `Err` with what is wrong when it cannot be read as written.
    pub(super) fn read(folder: &Path) -> Result<Option<Result<Manifest, String>>, StateError> {
        let path = folder.join(NAME);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(StateError::io("reading", &path))?,
        };
        Ok(Some(
            parse(&text).ok_or_else(|| format!("{} is damaged", path.display())),
        ))
    }

    /// Moves it out of the way.
    pub(super) fn remove(folder: &Path) -> Result<(), StateError> {
        let path = folder.join(NAME);
        let moved = match fs::rename(&path, folder.join("MANIFEST.before-loss")) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            other => other,
        };
        moved
            .and_then(|()| File::open(folder)?.sync_all())
            .map_err(StateError::io("moving aside", &path))
    }

    /// Writes it aside and gives it its name, so that there is always a whole one.
    pub(super) fn write(&self, folder: &Path) -> Result<(), StateError> {
        let line = Line {
            format: 1,
            hall_id: self.hall_id,
            position: self.known.position,
            epoch: self.known.epoch,
            segment: self.known.segment,
            checkpoint: self.checkpoint,
            database: self.database.clone(),
        };
        let (aside, path) = (folder.join("MANIFEST.new"), folder.join(NAME));
        let written = || {
            let json = serde_json::to_string(&line)?;
            let mut file = File::create(&aside)?;
            write!(file, "{json}\n{:08x}\n", crc32c::crc32c(json.as_bytes()))?;
            file.sync_all()?;
            fs::rename(&aside, &path)?;
            File::open(folder)?.sync_all()
        };
        written().map_err(StateError::io("writing", &path))
    }
}

fn parse(text: &[u8]) -> Option<Manifest> {
    let mut lines = std::str::from_utf8(text).ok()?.lines();
    let (json, crc) = (lines.next()?, lines.next()?);
    if u32::from_str_radix(crc, 16).ok()? != crc32c::crc32c(json.as_bytes()) {
        return None;
    }
    let line: Line = serde_json::from_str(json).ok()?;
    Some(Manifest {
        hall_id: line.hall_id,
        known: Known {
            position: line.position,
            epoch: line.epoch,
            segment: line.segment,
        },
        checkpoint: line.checkpoint,
        database: line.database,
    })
}
