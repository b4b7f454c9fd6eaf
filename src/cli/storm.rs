//! `flagfall storm`: thousands of simulated halls.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};

use crate::storm::{Failure, Figures, Kind, run, story};

/// How far a long run has come is written down after so many halls.
const CHUNK: u64 = 500;

/// Run whole halls over simulated networks, devices, people and disks, and check that nothing is ever wrong.
#[derive(Debug, clap::Args)]
pub struct StormCommand {
    /// The halls: from the first number up to, not including, the second.
    #[arg(long, value_name = "A..B", default_value = "0..100", value_parser = range)]
    seeds: (u64, u64),
    /// One hall only.
    #[arg(long, value_name = "N", conflicts_with = "seeds")]
    seed: Option<u64>,
    /// Only this goes wrong (may be given more than once).
    #[arg(long, value_name = "NAME")]
    fault: Vec<Kind>,
    /// Tell what happened in the hall of `--seed`; one that fails as short as it still fails.
    #[arg(long, requires = "seed")]
    story: bool,
    /// Tell it as it was, however long.
    #[arg(long, requires = "story")]
    whole: bool,
    /// The figures as JSON.
    #[arg(long)]
    json: bool,
    /// Halls at the same time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Go on where this file says the run came to; it is written as the run goes on.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "story"])]
    resume: Option<PathBuf>,
    /// Switch a deliberate fault on, or `all` of them one after the other, each until it is caught.
    #[cfg(feature = "mutations")]
    #[arg(long, value_name = "NAME")]
    mutation: Option<String>,
}

fn range(text: &str) -> Result<(u64, u64), String> {
    let (from, to) = text.split_once("..").ok_or("write two numbers: 0..2000")?;
    let number = |text: &str| {
        let plain = text.replace('_', "");
        plain.parse::<u64>().map_err(|_| format!("{text:?} is no number"))
    };
    Ok((number(from)?, number(to)?))
}

/// How far a long run has come.
#[derive(Debug, Serialize, Deserialize)]
struct Progress {
    first: u64,
    next: u64,
    figures: Figures,
    failed: Vec<u64>,
}

impl Progress {
    fn read(file: &Path, first: u64) -> anyhow::Result<Progress> {
        if !file.exists() {
            return Ok(Progress {
                first,
                next: first,
                figures: Figures::default(),
                failed: Vec::new(),
            });
        }
        let text = std::fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
        let progress: Progress =
            serde_json::from_slice(&text).with_context(|| format!("{} is no state of a storm", file.display()))?;
        anyhow::ensure!(
            progress.first == first,
            "{} belongs to a run from {}; give that, or another file",
            file.display(),
            progress.first
        );
        Ok(progress)
    }

    fn write(&self, file: &Path) -> anyhow::Result<()> {
        let aside = file.with_extension("new");
        std::fs::write(&aside, serde_json::to_vec_pretty(self)?)
            .and_then(|()| std::fs::rename(&aside, file))
            .with_context(|| format!("{} cannot be written", file.display()))
    }
}

impl StormCommand {
    /// Runs them; the exit code is 0 only if nothing was wrong.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let only: BTreeSet<Kind> = self.fault.iter().copied().collect();
        let only = (!only.is_empty()).then_some(only);
        #[cfg(feature = "mutations")]
        if let Some(name) = &self.mutation {
            return self.mutate(name, only.as_ref());
        }
        let mut out = std::io::stdout().lock();
        if let (true, Some(seed)) = (self.story, self.seed) {
            let story = story(seed, only.as_ref(), self.whole);
            for (at, words) in &story.lines {
                writeln!(out, "{:>9.3}  {words}", *at as f64 / 1000.0)?;
            }
            if let Some(failure) = &story.failure {
                for fault in &story.faults {
                    writeln!(out, "needed: {fault}")?;
                }
                writeln!(out, "{}", told(failure))?;
                return Ok(ExitCode::FAILURE);
            }
            return Ok(ExitCode::SUCCESS);
        }
        let (first, end) = self.seed.map_or(self.seeds, |seed| (seed, seed + 1));
        let mut progress = match &self.resume {
            Some(file) => Progress::read(file, first)?,
            None => Progress {
                first,
                next: first,
                figures: Figures::default(),
                failed: Vec::new(),
            },
        };
        while progress.next < end {
            let until = if self.resume.is_some() {
                end.min(progress.next + CHUNK)
            } else {
                end
            };
            let (figures, failures) = halls(progress.next, until, only.as_ref(), self.jobs);
            for failure in &failures {
                writeln!(out, "{}", told(failure))?;
            }
            progress.figures.add(&figures);
            progress.failed.extend(failures.iter().map(|failure| failure.seed));
            progress.next = until;
            if let Some(file) = &self.resume {
                progress.write(file)?;
            }
        }
        if self.json {
            writeln!(out, "{}", serde_json::to_string(&progress.figures)?)?;
        } else {
            write!(out, "{}", progress.figures)?;
        }
        if let (false, Some(file)) = (progress.failed.is_empty(), &self.resume) {
            writeln!(
                out,
                "failed: {:?}; they are kept in {}",
                progress.failed,
                file.display()
            )?;
        }
        Ok(if progress.failed.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }

    /// Runs halls with a deliberate fault until it is caught.
    #[cfg(feature = "mutations")]
    fn mutate(&self, name: &str, only: Option<&BTreeSet<Kind>>) -> anyhow::Result<ExitCode> {
        use crate::mutation::{Mutation, with};
        let chosen: Vec<Mutation> = Mutation::ALL
            .into_iter()
            .filter(|mutation| name == "all" || mutation.name() == name)
            .collect();
        let names: Vec<_> = Mutation::ALL.iter().map(|mutation| mutation.name()).collect();
        anyhow::ensure!(
            !chosen.is_empty(),
            "there is no deliberate fault {name:?}; there are {}",
            names.join(", ")
        );
        let mut out = std::io::stdout().lock();
        let mut missed = 0;
        for mutation in chosen {
            let caught = (self.seeds.0..self.seeds.1).find_map(|seed| with(mutation, || run(seed, only)).err());
            match caught {
                Some(failure) => {
                    writeln!(
                        out,
                        "{:<18} seed {:<5} {}: {}",
                        mutation.name(),
                        failure.seed,
                        failure.rule,
                        failure.what
                    )?;
                }
                None => {
                    missed += 1;
                    writeln!(out, "{:<18} NOT CAUGHT", mutation.name())?;
                }
            }
        }
        Ok(if missed == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

/// Runs these halls, some of them at the same time.
fn halls(first: u64, end: u64, only: Option<&BTreeSet<Kind>>, jobs: usize) -> (Figures, Vec<Failure>) {
    let next = AtomicU64::new(first);
    let total = Mutex::new((Figures::default(), Vec::new()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                return;
            }
            let outcome = run(seed, only);
            let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
            match outcome {
                Ok(figures) => total.0.add(&figures),
                Err(failure) => {
                    total.0.halls += 1;
                    total.0.wrong += 1;
                    total.1.push(failure);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs.max(1) {
            scope.spawn(work);
        }
        work();
    });
    let (figures, mut failures) = total.into_inner().unwrap_or_else(PoisonError::into_inner);
    failures.sort_by_key(|failure| failure.seed);
    (figures, failures)
}

fn told(failure: &Failure) -> String {
    format!(
        "seed {}, at {:.3} s: {}: {}\n  its story: flagfall storm --seed {} --story",
        failure.seed,
        failure.at as f64 / 1000.0,
        failure.rule,
        failure.what,
        failure.seed
    )
}
