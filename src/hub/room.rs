//! Room for the journal: looked after before there is none.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::hall::handle::HallHandle;
use crate::telemetry::{DISK_FREE, DISK_SIZE, JOURNAL_BYTES};

/// How often it is looked at.
const EVERY: Duration = Duration::from_secs(10);

/// How much there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Room {
    free: u64,
    size: u64,
}

/// How little that is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Enough,
    Little,
    Urgent,
}

impl Room {
    fn of(folder: &Path) -> std::io::Result<Room> {
        let found = rustix::fs::statvfs(folder)?;
        Ok(Room {
            free: found.f_bavail * found.f_frsize,
            size: found.f_blocks * found.f_frsize,
        })
    }

    fn level(self) -> Level {
        if self.free < (self.size / 40).min(256 << 20) {
            Level::Urgent
        } else if self.free < (self.size / 10).min(2 << 30) {
            Level::Little
        } else {
            Level::Enough
        }
    }

    fn warning(self, folder: &Path) -> Option<String> {
        let urgent = match self.level() {
            Level::Enough => return None,
            Level::Little => "",
            Level::Urgent => " at once",
        };
        Some(format!(
            "{} MiB are free on the disk of {}: free some space{urgent}; without any nothing more can be acknowledged",
            self.free >> 20,
            folder.display()
        ))
    }
}

/// Looks again and again, counts, and warns once whenever it becomes worse.
pub(super) async fn watch(data: PathBuf, hall: HallHandle, stop: CancellationToken) {
    let mut every = tokio::time::interval(EVERY);
    let mut was = Level::Enough;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = every.tick() => {}
        }
        let folder = data.clone();
        let looked = tokio::task::spawn_blocking(move || {
            let journal = crate::store::journal_bytes(&folder);
            Room::of(&folder).map(|room| (room, journal))
        });
        let (room, journal) = match looked.await {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => {
                tracing::debug!(%error, "the room on the disk is not known");
                continue;
            }
            Err(_) => return,
        };
        // As a gauge has it: what is lost of it does not matter.
        metrics::gauge!(DISK_FREE).set(room.free as f64);
        metrics::gauge!(DISK_SIZE).set(room.size as f64);
        metrics::gauge!(JOURNAL_BYTES).set(journal as f64);
        let warning = room.warning(&data);
        if let Some(warning) = warning.as_ref().filter(|_| room.level() > was) {
            tracing::warn!("{warning}");
        }
        if was > Level::Enough && warning.is_none() {
            tracing::info!(free_mib = room.free >> 20, "there is room for the journal again");
        }
        was = room.level();
        hall.warn_of_room(warning);
    }
}

/// Tells the hall whenever the journal waits for room, so that nobody is left waiting with it.
pub(super) async fn held_up(mut why: watch::Receiver<Option<String>>, hall: HallHandle, stop: CancellationToken) {
    loop {
        let now = why.borrow_and_update().clone();
        hall.set_held_up(now);
        tokio::select! {
            () = stop.cancelled() => return,
            changed = why.changed() => if changed.is_err() {
                return;
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_warned_of_a_tenth_and_urgently_of_a_fortieth() {
        let gib = 1 << 30;
        let level = |free, size| Room { free, size }.level();
        assert_eq!(level(60 * gib, 500 * gib), Level::Enough);
        assert_eq!(level(3 * gib, 500 * gib), Level::Enough);
        assert_eq!(level(gib, 500 * gib), Level::Little);
        assert_eq!(level(200 << 20, 500 * gib), Level::Urgent);
        assert_eq!(level(900 << 20, 8 * gib), Level::Enough);
        assert_eq!(level(700 << 20, 8 * gib), Level::Little);
        let warning = Room {
            free: 5 << 20,
            size: 8 * gib,
        }
        .warning(Path::new("data"));
        assert!(
            warning.is_some_and(|text| text.contains("5 MiB are free on the disk of data: free some space at once"))
        );
    }

    #[test]
    fn the_room_of_a_folder_is_known() {
        let room = Room::of(Path::new(".")).expect("it is there");
        assert!(room.size > 0 && room.free <= room.size);
    }
}
