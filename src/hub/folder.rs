//! What is published, as files in a folder: for Lichess's and chess.com's uploaders, for web servers and for viewers.
//!
//! Each event has a folder of its own name there, laid out as LiveChess does ([`crate::broadcast::livechess`]). Only files that have
//! changed are written, each aside and renamed. What is not published any more stays as it is: a hub that has just been started, and
//! has nothing to tell yet, takes nothing away.
//!
//! A folder that cannot be written, or that hangs, is a notice to arbiters and nothing more.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::aside::{Durable, replace};
use crate::broadcast::livechess::{self, Times, Written};
use crate::broadcast::published::{Published, PublishedRound};
use crate::hall::handle::HallHandle;
use crate::hall::ids::{EventId, RoundNo};
use crate::hall::model::RoundStatus;
use crate::hall::notice::NoticeKind;

/// The file of an event itself.
const TOURNAMENT: &str = "tournament.json";
/// Not more often than this.
const PACE: Duration = Duration::from_secs(1);
/// A folder that failed is tried again so soon.
const AGAIN: Duration = Duration::from_secs(5);
/// A write that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// What has been written, and where.
#[derive(Debug)]
struct Writer {
    root: PathBuf,
    speed: f64,
    written: Written,
    /// The sum of each file as it is there.
    there: HashMap<PathBuf, [u8; 32]>,
    /// Closed rounds as they were written.
    closed: HashMap<(EventId, RoundNo), Arc<PublishedRound>>,
    games: BTreeMap<(EventId, RoundNo), usize>,
}

impl Writer {
    fn new(root: PathBuf, speed: f64) -> Writer {
        Writer {
            root,
            speed,
            written: Written::default(),
            there: HashMap::new(),
            closed: HashMap::new(),
            games: BTreeMap::new(),
        }
    }

    /// Brings the folder to what is published.
    fn write(&mut self, published: &Published) -> io::Result<()> {
        // The folder itself is whoever set it up's: a drive that is not there is not made up.
        if !std::fs::metadata(&self.root)?.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        let times = Times::new(published, self.speed);
        for event in published.events() {
            let folder = self.root.join(event.id.as_str());
            for round in published.rounds_of(&event.id) {
                self.round(&folder, round, times)?;
            }
            if let Some(tournament) = livechess::file(published, &event.id, TOURNAMENT, self.speed, &mut self.written) {
                self.put(folder.join(TOURNAMENT), &tournament)?;
            }
        }
        Ok(())
    }

    fn round(&mut self, folder: &Path, round: &Arc<PublishedRound>, times: Times) -> io::Result<()> {
        let key = (round.event.id.clone(), round.number);
        if self.closed.get(&key).is_some_and(|written| Arc::ptr_eq(written, round)) {
            return Ok(());
        }
        for file in livechess::round_files(round, times, &mut self.written) {
            self.put(folder.join(&file.path), &file.content)?;
        }
        self.clear(folder, &round.event.id, round.number, round.boards.len())?;
        if round.status == RoundStatus::Ended {
            self.written.put_away(round);
            self.closed.insert(key, Arc::clone(round));
        }
        Ok(())
    }

    fn put(&mut self, path: PathBuf, content: &str) -> io::Result<()> {
        let known = self.there.get(&path);
        let sum: [u8; 32] = Sha256::digest(content).into();
        if known == Some(&sum) {
            return Ok(());
        }
        // Before this start: the same file is not touched, so that nobody uploads all of it again.
        let same_as_before = known.is_none() && std::fs::read(&path).is_ok_and(|before| before == content.as_bytes());
        if !same_as_before {
            if let Some(folder) = path.parent() {
                std::fs::DirBuilder::new().recursive(true).mode(0o755).create(folder)?;
            }
            if let Err(error) = replace(&path, content.as_bytes(), Durable::No) {
                self.there.remove(&path);
                return Err(error);
            }
        }
        self.there.insert(path, sum);
        Ok(())
    }

    /// Takes away games that a round has no more: its pairings were changed before it began.
    fn clear(&mut self, folder: &Path, event: &EventId, round: RoundNo, games: usize) -> io::Result<()> {
        if self.games.get(&(event.clone(), round)) == Some(&games) {
            return Ok(());
        }
        let folder = folder.join(format!("round-{round}"));
        for number in games + 1.. {
            let mut any = false;
            for kind in ["pgn", "json"] {
                let path = folder.join(format!("game-{number}.{kind}"));
                self.there.remove(&path);
                match std::fs::remove_file(&path) {
                    Ok(()) => any = true,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
            }
            if !any {
                break;
            }
        }
        self.games.insert((event.clone(), round), games);
        Ok(())
    }
}

type Job = JoinHandle<(Writer, io::Result<()>)>;

/// Writes whenever something new is published, until the hub stops; once more then.
pub(super) async fn write(
    root: PathBuf,
    speed: f64,
    mut published: watch::Receiver<Arc<Published>>,
    hall: HallHandle,
    stop: CancellationToken,
) {
    let mut writer = Some(Writer::new(root.clone(), speed));
    let mut hanging: Option<Job> = None;
    let mut failing: Option<String> = None;
    loop {
        if let Some(task) = hanging.take_if(|task| task.is_finished()) {
            writer = task.await.ok().map(|(writer, _)| writer);
        }
        let failed = match (writer.take(), &hanging) {
            (None, Some(_)) => Some("a write to it has not come back".to_owned()),
            (own, _) => {
                let own = own.unwrap_or_else(|| Writer::new(root.clone(), speed));
                let mut task = put(own, published.borrow_and_update().clone());
                match tokio::time::timeout(PATIENCE, &mut task).await {
                    Ok(Ok((own, result))) => {
                        writer = Some(own);
                        result.err().map(|error| error.to_string())
                    }
                    Ok(Err(error)) => Some(error.to_string()),
                    Err(_) => {
                        hanging = Some(task);
                        Some("a write to it does not come back".to_owned())
                    }
                }
            }
        };
        match &failed {
            Some(why) if failing.is_none() => {
                tracing::warn!(folder = %root.display(), %why, "the files of the broadcast cannot be written");
            }
            None if failing.is_some() => {
                tracing::info!(folder = %root.display(), "the files of the broadcast are written again");
            }
            _ => {}
        }
        failing = failed;
        hall.set_own_notice(NoticeKind::BroadcastNotWritten, failing.is_some());
        let pause = if failing.is_some() { AGAIN } else { PACE };
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(pause) => {}
        }
        if failing.is_none() {
            tokio::select! {
                () = stop.cancelled() => break,
                changed = published.changed() => if changed.is_err() {
                    break;
                },
            }
        }
    }
    if let Some(writer) = writer {
        // Readers are left with the last state; but no drive holds up the stop.
        let last = published.borrow().clone();
        let _ = tokio::time::timeout(Duration::from_secs(2), put(writer, last)).await;
    }
}

fn put(mut writer: Writer, published: Arc<Published>) -> Job {
    tokio::task::spawn_blocking(move || {
        let result = writer.write(&published);
        (writer, result)
    })
}

#[cfg(test)]
mod tests;
