//! Pairing engines of others, as they come from PyPI: they read what the hub has written and nothing else.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// py4swiss, with the FIDE Dutch system; it reads tournament reports and writes pair lists itself.
    Py4swiss,
    /// caissify-pairings, with the same system; it reads tournament reports, and is told the rest by its caller.
    Caissify,
}

const SCRIPT: &str = include_str!("engines.py");

impl Engine {
    fn name(self) -> &'static str {
        match self {
            Engine::Py4swiss => "py4swiss",
            Engine::Caissify => "caissify",
        }
    }

    /// Whether it is installed; a line says so where it is not.
    pub fn is_here(self) -> bool {
        let (module, package) = match self {
            Engine::Py4swiss => ("py4swiss.main", "py4swiss==0.3.1"),
            Engine::Caissify => ("caissify_pairings", "caissify-pairings==0.5.0"),
        };
        let has = Command::new("python3")
            .args(["-c", &format!("import {module}")])
            .stderr(Stdio::null())
            .status();
        let is_here = has.is_ok_and(|has| has.success());
        if !is_here {
            eprintln!(
                "{} is not here and has paired nothing: python3 -m pip install {package}",
                self.name()
            );
        }
        is_here
    }

    fn ask(self, what: &str, of: &[&str]) -> Result<String, String> {
        let told = Command::new("python3")
            .args(["-c", SCRIPT, self.name(), what])
            .args(of)
            .output()
            .expect("python3 runs");
        if told.status.success() {
            Ok(String::from_utf8(told.stdout).expect("text"))
        } else {
            Err(String::from_utf8_lossy(&told.stderr).into_owned())
        }
    }

    /// Pairs a round of this report, into this pair list.
    pub fn pair(self, report: &Path, round: u32, pairs: &Path) -> Result<(), String> {
        let path = |path: &Path| path.to_str().expect("text").to_owned();
        self.ask("pair", &[&path(report), &round.to_string(), &path(pairs)])
            .map(drop)
    }

    /// What it reads in the report that every player has, in tenths, by starting number.
    pub fn points(self, report: &Path) -> Result<BTreeMap<u32, i64>, String> {
        let told = self.ask("points", &[report.to_str().expect("text")])?;
        Ok(serde_json::from_str(&told).expect("JSON"))
    }
}
