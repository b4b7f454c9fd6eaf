//! How long "can this side still mate?" takes, beside the second solver called bare.
//!
//! `cargo bench --bench mates`; with `FLAGFALL_MATES=FILE.csv` on that file instead of the sample. The best of three runs counts, so
//! that the figures are the solver's and not the machine's other work. Ends with an error if ours takes two milliseconds anywhere.
#![expect(clippy::disallowed_methods, reason = "measures")]

use std::str::FromStr;
use std::time::{Duration, Instant};

use flagfall::chess::mates::{Bound, can_mate};
use flagfall::chess::{Color, Position, Variant};

const LIMIT: Duration = Duration::from_millis(2);

fn main() -> anyhow::Result<()> {
    let text = match std::env::var("FLAGFALL_MATES") {
        Ok(path) => std::fs::read_to_string(path)?,
        Err(_) => include_str!("../tests/mates/sample.csv").to_owned(),
    };
    let (mut ours, mut fast, mut full) = (Row::default(), Row::default(), Row::default());
    for line in text.lines().skip(1) {
        let mut fields = line.split(';');
        let (Some(fen), Some(winner)) = (fields.next(), fields.next()) else {
            continue;
        };
        let (color, theirs) = match winner {
            "white" => (Color::White, chess_board::Color::White),
            _ => (Color::Black, chess_board::Color::Black),
        };
        let position = Position::from_fen(fen, Variant::Standard)?;
        ours.add(3, || can_mate(&position, color, Bound::GAME).can_mate().is_some());
        if let Ok(board) = chess_board::Board::from_str(fen) {
            fast.add(3, || chasolver::is_unwinnable_fast(&board, theirs));
            full.add(1, || chasolver::winnability(&board, theirs).is_some());
        }
    }
    println!(
        "{:<28} {:>7} {:>8} {:>9} {:>9} {:>9} {:>9}",
        "", "asked", "decided", "mean µs", "p50", "p99", "max"
    );
    ours.print("Flagfall, as a game asks");
    fast.print("chasolver, unwinnable only");
    full.print("chasolver, full");
    anyhow::ensure!(
        ours.max() < LIMIT,
        "the slowest answer took {:?}; a game may wait {LIMIT:?}",
        ours.max()
    );
    Ok(())
}

#[derive(Default)]
struct Row {
    times: Vec<Duration>,
    decided: usize,
}

impl Row {
    fn add(&mut self, runs: u32, ask: impl Fn() -> bool) {
        let mut best = Duration::MAX;
        let mut decided = false;
        for _ in 0..runs {
            let started = Instant::now();
            decided = std::hint::black_box(ask());
            best = best.min(started.elapsed());
        }
        self.times.push(best);
        self.decided += usize::from(decided);
    }

    fn max(&self) -> Duration {
        self.times.iter().max().copied().unwrap_or_default()
    }

    fn print(&mut self, name: &str) {
        self.times.sort();
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let at = |part: usize| {
            self.times
                .get((self.times.len() * part / 100).min(self.times.len() - 1))
                .map_or(0.0, |t| micros(*t))
        };
        let mean = self.times.iter().copied().map(micros).sum::<f64>() / self.times.len().max(1) as f64;
        println!(
            "{name:<28} {:>7} {:>8} {mean:>9.1} {:>9.1} {:>9.1} {:>9.1}",
            self.times.len(),
            self.decided,
            at(50),
            at(99),
            micros(self.max())
        );
    }
}
