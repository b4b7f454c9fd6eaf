//! Every minute all games on paper, in a folder that is meant to be another machine's: what is needed to go on by hand if the hub dies.
//!
//! A folder that cannot be written, or that hangs as a lost network drive does, is a notice to arbiters and nothing more: no game
//! waits for it, and no second write is begun while the first one hangs.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::aside::{Durable, replace};
use crate::config::Language;
use crate::hall::clock::wall_ms;
use crate::hall::handle::HallHandle;
use crate::hall::model::ArbiterTable;
use crate::hall::notice::NoticeKind;
use crate::words::sheet::{self, Sheet};

/// A write that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is written where.
#[derive(Clone, Debug)]
pub(super) struct Sheets {
    pub folder: PathBuf,
    pub every: Duration,
    pub language: Language,
}

/// Writes again and again, until the hub stops; once more then.
pub(super) async fn write(sheets: Sheets, hall: HallHandle, stop: CancellationToken) {
    let mut every = tokio::time::interval(sheets.every);
    every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut hanging: Option<JoinHandle<io::Result<()>>> = None;
    let mut failing = false;
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            _ = every.tick() => {}
        }
        if let Some(task) = hanging.take_if(|task| task.is_finished()) {
            let _late = task.await;
        }
        let failed = match &hanging {
            Some(_) => Some("a write to it has not come back".to_owned()),
            None => {
                let mut task = put(&sheets, &hall);
                match tokio::time::timeout(PATIENCE, &mut task).await {
                    Ok(Ok(Ok(()))) => None,
                    Ok(Ok(Err(error))) => Some(error.to_string()),
                    Ok(Err(error)) => Some(error.to_string()),
                    Err(_) => {
                        hanging = Some(task);
                        Some("a write to it does not come back".to_owned())
                    }
                }
            }
        };
        match &failed {
            Some(why) if !failing => {
                tracing::warn!(folder = %sheets.folder.display(), %why, "the sheets of all games cannot be written");
            }
            None if failing => {
                tracing::info!(folder = %sheets.folder.display(), "the sheets of all games are written again")
            }
            _ => {}
        }
        failing = failed.is_some();
        hall.set_own_notice(NoticeKind::SheetsNotWritten, failing);
    }
    if hanging.is_none() {
        // The last state is on the other machine as well; but no drive holds up the stop.
        let _ = tokio::time::timeout(Duration::from_secs(2), put(&sheets, &hall)).await;
    }
}

fn put(sheets: &Sheets, hall: &HallHandle) -> JoinHandle<io::Result<()>> {
    let tables: Vec<Arc<ArbiterTable>> = hall.arbiters().all().1.into_iter().map(|(_, table)| table).collect();
    let info = hall.info();
    let (folder, language) = (sheets.folder.clone(), sheets.language);
    tokio::task::spawn_blocking(move || {
        let sheet = Sheet {
            hall: info.name,
            made_ms: wall_ms(),
            now: info.now,
            tables,
        };
        replace(
            &folder.join("tables.html"),
            sheet::page(&sheet, language).as_bytes(),
            Durable::Yes,
        )?;
        replace(&folder.join("tables.csv"), &sheet::csv(&sheet)?, Durable::Yes)
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn hall() -> HallHandle {
        let (calls, _nobody) = tokio::sync::mpsc::channel(1);
        let info = crate::hall::HallInfo {
            name: "hall".to_owned(),
            epoch: 1,
            speed: 1.0,
            now: crate::time::HallTime(0),
            insecure: false,
        };
        HallHandle::new(calls, info, Box::new(|| crate::time::HallTime(0)), Box::new(|| 0))
    }

    fn kinds(hall: &HallHandle) -> Vec<NoticeKind> {
        let notices = hall.notices();
        let notices = notices.borrow();
        notices
            .iter()
            .flat_map(|notices| notices.iter().map(|notice| notice.kind))
            .collect()
    }

    #[tokio::test]
    async fn sheets_are_written_and_a_folder_that_fails_is_a_notice_until_it_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let away = folder.path().join("usb");
        std::fs::create_dir(&away).expect("made");
        let hall = hall();
        let stop = CancellationToken::new();
        let sheets = Sheets {
            folder: away.clone(),
            every: Duration::from_millis(20),
            language: Language::English,
        };
        let task = tokio::spawn(write(sheets, hall.clone(), stop.clone()));
        let until = async |what: &dyn Fn() -> bool| {
            for _ in 0..500 {
                if what() {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            panic!("it did not come to that");
        };
        until(&|| away.join("tables.csv").exists() && away.join("tables.html").exists()).await;
        assert_eq!(kinds(&hall), []);
        let mode = std::fs::metadata(away.join("tables.html"))
            .expect("there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o644);
        // Gone at one moment, whatever is being written there.
        std::fs::rename(&away, folder.path().join("unplugged")).expect("unplugged");
        until(&|| kinds(&hall) == [NoticeKind::SheetsNotWritten]).await;
        std::fs::create_dir(&away).expect("plugged in again");
        until(&|| kinds(&hall).is_empty()).await;
        stop.cancel();
        task.await.expect("ends");
        let names: Vec<_> = std::fs::read_dir(&away)
            .expect("there")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        assert!(names.iter().all(|name| !name.ends_with(".new")), "{names:?}");
    }
}
