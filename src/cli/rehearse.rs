//! `flagfall rehearse`: case files through the engine of the hall.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;

use crate::rehearsal::{Case, play};

/// Play situations through the engine that runs the hall, and judge its rulings.
#[derive(Debug, clap::Args)]
pub struct Rehearse {
    /// Case files, and folders that are searched for `*.toml`.
    #[arg(required = true)]
    pub paths: Vec<PathBuf>,
}

impl Rehearse {
    /// Plays all cases; the exit code is 0 only if every one holds.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let mut out = std::io::stdout().lock();
        let report = rehearse(&self.paths, &mut out)?;
        writeln!(
            out,
            "{} cases, {} hold, {} failed",
            report.held + report.failed,
            report.held,
            report.failed
        )?;
        if report.held + report.failed == 0 {
            anyhow::bail!("no case files found; give *.toml files, or folders that contain some");
        }
        Ok(if report.failed == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }
}

/// How many cases held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// As expected.
    pub held: usize,
    /// Not, or no cases at all.
    pub failed: usize,
}

/// Plays all cases under these paths and writes a line for each.
pub fn rehearse(paths: &[PathBuf], out: &mut impl std::io::Write) -> anyhow::Result<Report> {
    let mut report = Report::default();
    for path in paths {
        let mut files = Vec::new();
        if let Err(error) = case_files(path, &mut files) {
            writeln!(out, "FAILED  {}  line 1  {error:#}", path.display())?;
            report.failed += 1;
        }
        for file in files {
            match judge(&file) {
                Ok(title) => {
                    writeln!(out, "ok      {title}")?;
                    report.held += 1;
                }
                Err(why) => {
                    writeln!(out, "FAILED  {}  {why}", file.display())?;
                    report.failed += 1;
                }
            }
        }
    }
    Ok(report)
}

fn judge(file: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("line 1  cannot be read: {error}"))?;
    let case = Case::parse(&text).map_err(|faulty| faulty.to_string())?;
    play(&case).map_err(|failure| {
        let step = failure.step().checked_sub(1).and_then(|at| case.steps.get(at));
        step.map_or(failure.to_string(), |step| format!("{failure}  (line {})", step.line))
    })?;
    Ok(case.title)
}

/// The file itself, or all `*.toml` under a folder, in order.
fn case_files(path: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let kind = std::fs::metadata(path).with_context(|| "cannot be read".to_owned())?;
    if !kind.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut inside: Vec<PathBuf> = std::fs::read_dir(path)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    inside.sort();
    for path in inside {
        if path.is_dir() || path.extension().is_some_and(|extension| extension == "toml") {
            case_files(&path, files)?;
        }
    }
    Ok(())
}
