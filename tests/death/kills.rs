//! kill -9 while games are played.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};

use super::Common;
use super::chance::Chance;
use super::grow;
use super::stage::{Program, SOON, Stage};
use super::witness::Witness;

/// Simulated tables: each simulation at tables of its own, since the last one's devices stay bound.
struct Players {
    sim: Option<Program>,
    name: String,
    count: u32,
    tables: u32,
    /// Devices were killed in it: its games cannot come to their end.
    doomed: bool,
}

impl Players {
    fn sit_down(&mut self, stage: &Stage, seed: u64) -> anyhow::Result<()> {
        self.count += 1;
        self.name = format!("sim-{}", self.count);
        self.doomed = false;
        let first = (1 + (self.count - 1) * self.tables).to_string();
        let (tables, seed) = (self.tables.to_string(), (seed + u64::from(self.count)).to_string());
        let arguments = [
            "--tables",
            &tables,
            "--first-table",
            &first,
            "--seed",
            &seed,
            "--until-plies",
            "30",
            "--pgn",
            "tests/games/blitz.pgn",
            "tests/games/rapid.pgn",
        ];
        self.sim = Some(stage.sim(&self.name, &arguments)?);
        Ok(())
    }

    /// What a simulation that has come to its end found; the next one begins.
    fn look(&mut self, stage: &Stage, seed: u64) -> anyhow::Result<Option<u64>> {
        let Some(status) = self.sim.as_mut().context("they play")?.ended()? else {
            return Ok(None);
        };
        let games = self.judged(stage, status.success())?;
        self.sit_down(stage, seed)?;
        Ok(Some(games))
    }

    fn judged(&self, stage: &Stage, success: bool) -> anyhow::Result<u64> {
        let report = stage.report(&self.name)?;
        ensure!(
            success,
            "{}: its record differs from what was played: {report:#}",
            self.name
        );
        Ok(report["games"].as_u64().unwrap_or(0))
    }
}

pub async fn run(
    common: &Common,
    kills: u32,
    events: u64,
    restart_ms: u64,
    tables: u32,
    speed: f64,
) -> anyhow::Result<String> {
    let mut chance = Chance::new(common.seed);
    let mut stage = Stage::new(common, "kills", speed)?;
    let mut broker = stage.broker()?;
    let (mut hub, _) = stage.hub()?;
    let mut players = Players {
        sim: None,
        name: String::new(),
        count: 0,
        tables,
        doomed: false,
    };
    players.sit_down(&stage, common.seed)?;
    if events > 0 {
        // A record of real games, to be had again and again under other names.
        let status = players
            .sim
            .as_mut()
            .context("they play")?
            .wait(Duration::from_secs(900))?;
        players.judged(&stage, status.success())?;
        hub.signal("TERM")?;
        hub.wait(SOON)?;
        let grown = grow::grow(&stage, events)?;
        println!("the journal has {grown} entries");
        hub = stage.hub()?.0;
        players.sit_down(&stage, common.seed)?;
    }
    let mut witness = Witness::start(&stage)?;
    let mut restarts: Vec<Duration> = Vec::new();
    let mut killed = [0_u32; 4];
    let mut games = 0;
    let began = Instant::now();
    for number in 1..=kills {
        tokio::time::sleep(Duration::from_millis(chance.between(100, 3000))).await;
        if let Some(played) = players.look(&stage, common.seed)? {
            games += played;
        }
        let what = chance.between(0, 100);
        let must = match what {
            0..60 => {
                hub.kill()?;
                killed[0] += 1;
                Some(witness.acknowledged())
            }
            // In the middle of its start.
            60..70 => {
                hub.kill()?;
                let must = witness.acknowledged();
                let mut dying = stage.hub_process()?;
                tokio::time::sleep(Duration::from_millis(chance.between(0, 400))).await;
                dying.kill()?;
                killed[1] += 1;
                Some(must)
            }
            70..85 => {
                broker.kill()?;
                tokio::time::sleep(Duration::from_millis(chance.between(0, 1500))).await;
                broker = stage.broker()?;
                killed[2] += 1;
                None
            }
            _ => {
                // The devices die with everything that they had not sent; what was acknowledged is the hub's.
                players.sim.as_mut().context("they play")?.kill()?;
                players.sit_down(&stage, common.seed)?;
                killed[3] += 1;
                None
            }
        };
        if let Some(must) = must {
            let (started, took) = stage.hub().with_context(|| format!("after kill {number}"))?;
            hub = started;
            restarts.push(took);
            witness.check(&must).with_context(|| format!("after kill {number}"))?;
        }
        if number % 20 == 0 {
            let (reports, calls) = witness.counts();
            println!(
                "{number} kills, {} s: {} entries, {reports} reports and {calls} calls acknowledged",
                began.elapsed().as_secs(),
                witness.entries()
            );
        }
    }
    // What still plays plays to its end.
    let status = players
        .sim
        .as_mut()
        .context("they play")?
        .wait(Duration::from_secs(900))?;
    games += players.judged(&stage, status.success())?;
    let must = witness.acknowledged();
    witness.check(&must).context("at the end")?;
    hub.signal("TERM")?;
    ensure!(hub.wait(SOON)?.success(), "the hub does not stop well");
    let verified = stage.verify()?;
    restarts.sort();
    let slowest = restarts.last().copied().unwrap_or_default();
    let middle = restarts.get(restarts.len() / 2).copied().unwrap_or_default();
    let (reports, calls) = witness.counts();
    let said = format!(
        "{kills} kills ({} of the hub, {} of it while it started, {} of the broker, {} of the devices), 0 acknowledged events lost\n\
         {reports} reports and {calls} calls acknowledged, {games} games played to their end, all as planned\n\
         restarts: median {} ms, slowest {} ms, at {} entries in the end\n{verified}",
        killed[0],
        killed[1],
        killed[2],
        killed[3],
        middle.as_millis(),
        slowest.as_millis(),
        witness.entries(),
    );
    if slowest > Duration::from_millis(restart_ms) {
        bail!(
            "a restart took {} ms, more than {restart_ms}\n{said}",
            slowest.as_millis()
        );
    }
    drop((hub, broker, players.sim.take()));
    stage.done();
    Ok(said)
}
