//! The storm: a whole hub over a simulated world, thousands of halls an hour, every one the same each time it is run.
//!
//! One number makes a hall: its tables and games, its network, its disk and what goes wrong. Time is virtual, nothing sleeps, and
//! no thread runs inside a seed. The hub in it is the real one: front, sessions, device time, shards, games, desk, committer and
//! journal; only tokio, the broker and the kernel are left out. The storm knows what was played, and after every effect of the
//! hub checks what it shows, answers and calls seen.

mod chance;
mod clock;
mod device;
mod house;
mod people;
mod plan;
mod record;
mod shrink;
mod table;
mod world;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use plan::Kind;
use plan::Plan;
use shrink::shrink;
use world::World;

/// What was wrong in a hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The hall.
    pub seed: u64,
    /// When, in ms of the storm's time.
    pub at: i64,
    /// Which rule was broken.
    pub rule: &'static str,
    /// What happened.
    pub what: String,
}

/// What a storm has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "their names say it")]
pub struct Figures {
    pub halls: u64,
    pub games: u64,
    pub moves: u64,
    pub flags: u64,
    pub findings: u64,
    pub rulings: u64,
    pub calls: u64,
    pub orders: u64,
    pub views: u64,
    pub messages: u64,
    pub entries: u64,
    pub starts: u64,
    pub deaths: u64,
    pub virtual_ms: u64,
    /// By kind.
    pub faults: BTreeMap<String, u64>,
    pub wrong: u64,
}

impl Figures {
    fn fault(&mut self, kind: Kind) {
        match self.faults.get_mut(kind.name()) {
            Some(count) => *count += 1,
            None => _ = self.faults.insert(kind.name().to_owned(), 1),
        }
    }

    /// Takes those of other halls too.
    pub fn add(&mut self, other: &Figures) {
        let pairs = [
            (&mut self.halls, other.halls),
            (&mut self.games, other.games),
            (&mut self.moves, other.moves),
            (&mut self.flags, other.flags),
            (&mut self.findings, other.findings),
            (&mut self.rulings, other.rulings),
            (&mut self.calls, other.calls),
            (&mut self.orders, other.orders),
            (&mut self.views, other.views),
            (&mut self.messages, other.messages),
            (&mut self.entries, other.entries),
            (&mut self.starts, other.starts),
            (&mut self.deaths, other.deaths),
            (&mut self.virtual_ms, other.virtual_ms),
            (&mut self.wrong, other.wrong),
        ];
        for (own, more) in pairs {
            *own += more;
        }
        for (kind, count) in &other.faults {
            *self.faults.entry(kind.clone()).or_default() += count;
        }
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "{} halls, {} games, {} moves, {} flags; {} findings, {} rulings, {} orders; {} calls, {} messages, {} views",
            self.halls,
            self.games,
            self.moves,
            self.flags,
            self.findings,
            self.rulings,
            self.orders,
            self.calls,
            self.messages,
            self.views
        )?;
        writeln!(
            f,
            "{} journal entries, {} starts of the hub, {} of them after a sudden death; {:.1} hours of play",
            self.entries,
            self.starts,
            self.deaths,
            self.virtual_ms as f64 / 3_600_000.0
        )?;
        let faults: Vec<String> = self
            .faults
            .iter()
            .map(|(kind, count)| format!("{kind} {count}"))
            .collect();
        writeln!(f, "faults: {}", faults.join(", "))?;
        writeln!(f, "wrong: {}", self.wrong)
    }
}

/// Runs the hall of this seed; `only`: nothing else goes wrong in it.
///
/// # Errors
/// What was wrong.
pub fn run(seed: u64, only: Option<&BTreeSet<Kind>>) -> Result<Figures, Failure> {
    let plan = Plan::new(seed, only);
    World::new(&plan, false).run().0
}

/// What happened in a hall, for people.
pub struct Story {
    /// What was wrong, if anything was.
    pub failure: Option<Failure>,
    /// What went wrong around the hub, of all that was planned.
    pub faults: Vec<String>,
    /// What happened, with its moments in ms.
    pub lines: Vec<(i64, String)>,
}

/// The story of a hall. One that fails is told as short as it still fails, unless it is wanted `whole`.
pub fn story(seed: u64, only: Option<&BTreeSet<Kind>>, whole: bool) -> Story {
    let mut plan = Plan::new(seed, only);
    if !whole && let Err(failure) = World::new(&plan, false).run().0 {
        plan = shrink(&plan, &failure);
    }
    let (outcome, lines) = World::new(&plan, true).run();
    let acts = plan.acts.iter().map(|act| {
        format!(
            "{:.3} s: {:?} at table {}",
            act.at as f64 / 1000.0,
            act.whim,
            act.table + 1
        )
    });
    Story {
        failure: outcome.err(),
        faults: plan
            .faults
            .iter()
            .map(|fault| format!("{fault:?}"))
            .chain(acts)
            .collect(),
        lines,
    }
}

#[cfg(test)]
mod tests;
