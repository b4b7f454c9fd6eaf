//! Fuller answers to "can this side still mate?" (6.9): a process of its own for each question, one at a time, bounded in time and
//! memory, that is given up when it takes too long. No shard and no thread of the hub ever waits for one.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, nice, setrlimit};
use tokio::process::Command;
use tokio::sync::Semaphore;

use crate::chess::mates::Verdict;
use crate::chess::{Color, Variant};
use crate::game::Question;
use crate::game::input::Fact;

/// A question not answered by then, in real time, stays undecided.
const PATIENCE: Duration = Duration::from_secs(20);
/// The same for a process whose hub has gone.
const CPU_SECONDS: u64 = 30;
/// What a search may take.
const MEMORY: u64 = 1 << 30;

/// Whoever is asked.
#[derive(Clone)]
pub(super) struct Searches {
    program: Option<PathBuf>,
    patience: Duration,
    /// One at a time: the machine is the hall's.
    free: Arc<Semaphore>,
}

impl Searches {
    /// By `program mate FEN white|black --worker`; without one every question stays undecided.
    pub fn new(program: Option<PathBuf>) -> Searches {
        Searches {
            program,
            patience: PATIENCE,
            free: Arc::new(Semaphore::new(1)),
        }
    }

    /// The answer, as a fact of the game: decided, or undecided and why. Dropped, the search ends.
    pub async fn ask(self, question: Question) -> Fact {
        match self.search(&question).await {
            Ok(verdict) => question.answered(&verdict),
            Err(why) => question.given_up(&why),
        }
    }

    async fn search(&self, question: &Question) -> Result<Verdict, String> {
        let Some(program) = &self.program else {
            return Err("this hub has no program for a fuller search".to_owned());
        };
        let _turn = self.free.acquire().await.map_err(|error| error.to_string())?;
        let winner = match question.winner {
            Color::White => "white",
            Color::Black => "black",
        };
        let mut command = Command::new(program);
        command.args(["mate", &question.position.full_fen(), winner, "--worker"]);
        if question.position.variant() == Variant::Chess960 {
            command.arg("--chess960");
        }
        command.stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let output = match tokio::time::timeout(self.patience, command.output()).await {
            Ok(output) => output.map_err(|error| format!("the fuller search did not start: {error}"))?,
            Err(_) => return Err(format!("given up after {} s", self.patience.as_secs_f64())),
        };
        if !output.status.success() {
            return Err(format!("the fuller search ended without an answer ({})", output.status));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("the fuller search said what cannot be read: {error}"))
    }
}

/// Bounds the present process, which does nothing but search: memory, processor time, and other work goes before it.
pub(crate) fn bound_this_process() -> std::io::Result<()> {
    let limit = |most| Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    setrlimit(Resource::Data, limit(MEMORY))?;
    setrlimit(Resource::Cpu, limit(CPU_SECONDS))?;
    setrlimit(Resource::Core, limit(0))?;
    nice(10)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::chess::Position;
    use crate::time::HallTime;

    const MATE_IN_ONE: &str = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";

    fn question() -> Question {
        Question {
            position: Arc::new(Position::from_fen(MATE_IN_ONE, Variant::Standard).expect("a position")),
            winner: Color::White,
            at: HallTime(7),
        }
    }

    /// What comes of a program that does this.
    async fn told(script: &str, patience: Duration) -> (Option<bool>, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("program");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("written");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("a program");
        let searches = Searches {
            patience,
            ..Searches::new(Some(program))
        };
        match searches.ask(question()).await {
            Fact::Verdict { can_mate, evidence, .. } => (can_mate, evidence),
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn what_the_program_says_is_the_answer() {
        let said = r#"echo '{"verdict":"can-mate","line":["a1a8"]}'"#;
        let (can_mate, evidence) = told(said, PATIENCE).await;
        assert_eq!((can_mate, evidence.as_str()), (Some(true), "can mate: Ra8#"));
    }

    #[tokio::test]
    async fn a_search_that_takes_too_long_is_given_up_and_its_process_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let mark = folder.path().join("still-there");
        let script = format!("sleep 1; touch {}", mark.display());
        let (can_mate, evidence) = told(&script, Duration::from_millis(200)).await;
        assert_eq!(can_mate, None);
        assert_eq!(
            evidence,
            "undecided, given up after 0.2 s; by the material alone it can"
        );
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        assert!(!mark.exists(), "the process went on after it was given up");
    }

    #[tokio::test]
    async fn a_search_that_fails_leaves_the_question_undecided() {
        let (can_mate, evidence) = told("exit 3", PATIENCE).await;
        assert_eq!(can_mate, None);
        assert!(evidence.contains("ended without an answer"), "{evidence}");
        let (can_mate, evidence) = told("echo no", PATIENCE).await;
        assert_eq!(can_mate, None);
        assert!(evidence.contains("cannot be read"), "{evidence}");
        let Fact::Verdict { can_mate: None, .. } = Searches::new(None).ask(question()).await else {
            panic!("decided without a program");
        };
    }
}
