//! How far a simulation is, for the line that tells of it and for the report at its end.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::judge::Latency;

/// Shared between all tables and whoever shows it.
#[derive(Debug, Default)]
pub struct Progress {
    /// Games to play; grows where they are played without end.
    pub games: AtomicUsize,
    /// Half-moves planned in them.
    pub plies: AtomicUsize,
    /// Presses made so far.
    pub pressed: AtomicUsize,
    /// Games judged.
    pub over: AtomicUsize,
    /// Of them not as planned.
    pub differing: AtomicUsize,
    /// Of them otherwise because another arbiter has ruled.
    pub ruled: AtomicUsize,
    /// Reports made by all devices, and of them not yet seen by the hub.
    pub reports: AtomicU64,
    /// See there.
    pub unseen: AtomicU64,
    timing: Mutex<Timing>,
}

#[derive(Debug, Default)]
struct Timing {
    tables: HashMap<u32, Track>,
    micros: Vec<u64>,
}

/// The game that is being played at a table.
#[derive(Debug, Default)]
struct Track {
    event: String,
    round: u32,
    plies: Vec<(Option<Instant>, Option<Instant>)>,
}

impl Track {
    fn ply(&mut self, ply: usize) -> &mut (Option<Instant>, Option<Instant>) {
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, (None, None));
        }
        &mut self.plies[ply]
    }
}

impl Progress {
    fn timing(&self) -> MutexGuard<'_, Timing> {
        // Counters only: whoever panicked with them left them whole.
        self.timing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new game at this table.
    pub fn sat_down(&self, table: u32, event: &str, round: u32) {
        let track = Track {
            event: event.to_owned(),
            round,
            plies: Vec::new(),
        };
        self.timing().tables.insert(table, track);
    }

    /// The press of this half-move was sent.
    pub fn pressed(&self, table: u32, ply: usize, at: Instant) {
        self.pressed.fetch_add(1, Ordering::Relaxed);
        let mut timing = self.timing();
        let Some(track) = timing.tables.get_mut(&table) else {
            return;
        };
        let place = track.ply(ply);
        place.0 = Some(at);
        if let Some(shown) = place.1 {
            timing
                .micros
                .push(shown.saturating_duration_since(at).as_micros() as u64);
        }
    }

    /// The feed shows these half-moves of the table's game as pressed.
    pub fn shown(&self, table: u32, event: &str, round: u32, pressed: usize, at: Instant) {
        let mut timing = self.timing();
        let timing = &mut *timing;
        let Some(track) = timing.tables.get_mut(&table) else {
            return;
        };
        if track.event != event || track.round != round {
            return;
        }
        for ply in 0..pressed {
            let place = track.ply(ply);
            if place.1.is_none() {
                place.1 = Some(at);
                if let Some(sent) = place.0 {
                    timing
                        .micros
                        .push(at.saturating_duration_since(sent).as_micros() as u64);
                }
            }
        }
    }

    /// From press to feed so far.
    pub fn latency(&self) -> Latency {
        let micros = self.timing().micros.clone();
        Latency::of(&micros)
    }

    /// One line.
    pub fn line(&self) -> String {
        let latency = self.latency();
        let of = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        let mut line = format!(
            "{} of {} half-moves, {} of {} games over, {} reports ({} under way), press to feed p50 {:.0} ms, p99 {:.0} ms, max {:.0} ms",
            of(&self.pressed),
            of(&self.plies),
            of(&self.over),
            of(&self.games),
            self.reports.load(Ordering::Relaxed),
            self.unseen.load(Ordering::Relaxed),
            latency.p50,
            latency.p99,
            latency.max,
        );
        match of(&self.differing) {
            0 => {}
            differing => line += &format!(", {differing} NOT AS PLANNED"),
        }
        match of(&self.ruled) {
            0 => {}
            ruled => line += &format!(", {ruled} as arbiters have ruled"),
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn latency_is_counted_once_a_press_whichever_is_heard_first() {
        let progress = Progress::default();
        let at = Instant::now();
        let later = |ms| at + Duration::from_millis(ms);
        progress.sat_down(3, "e", 1);
        progress.pressed(3, 0, at);
        progress.shown(3, "e", 2, 1, later(5));
        assert_eq!(progress.latency().max, 0.0, "another round's");
        progress.shown(3, "e", 1, 1, later(10));
        progress.shown(3, "e", 1, 2, later(30));
        progress.pressed(3, 1, later(10));
        assert_eq!(
            progress.latency(),
            Latency {
                p50: 10.0,
                p99: 20.0,
                max: 20.0
            }
        );
    }
}
