//! Games through a bad network.

use std::fs;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

use super::Common;
use super::proxy::{Proxy, Weather};
use super::stage::{SOON, Stage};

pub async fn run(
    common: &Common,
    tables: u32,
    speed: f64,
    plies: u32,
    hub_too: bool,
    dropped: u64,
) -> anyhow::Result<String> {
    let mut stage = Stage::new(common, "network", speed)?;
    let _broker = stage.broker()?;
    let weather = Weather {
        delay: Duration::from_millis(400),
        dropped,
        every: Duration::from_secs(50),
        dark: Duration::from_secs(10),
    };
    let proxy = Proxy::start(stage.mqtt, weather, common.seed).await?;
    let hubs = Proxy::start(stage.mqtt, weather, common.seed + 1).await?;
    if hub_too {
        stage.mqtt_for_hub = hubs.address;
    }
    let (mut hub, _) = stage.hub()?;
    let games = games(&stage, tables)?;
    let began = Instant::now();
    let (tables, plies) = (tables.to_string(), plies.to_string());
    let mqtt = proxy.address.to_string();
    let seed = common.seed.to_string();
    let mut arguments = vec![
        "--mqtt",
        &mqtt,
        "--tables",
        &tables,
        "--until-plies",
        &plies,
        "--seed",
        &seed,
        "--pgn",
    ];
    arguments.extend(games.iter().map(String::as_str));
    let mut sim = stage.sim("sim", &arguments)?;
    let status = loop {
        if let Some(status) = sim.ended()? {
            break status;
        }
        ensure!(hub.ended()?.is_none(), "the hub has gone: see {}", stage.work.display());
        ensure!(
            began.elapsed() < Duration::from_secs(3600),
            "the games do not come to their end"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    let report = stage.report("sim")?;
    let count = |field: &str| report[field].as_u64().unwrap_or(u64::MAX);
    let tally = |what: fn(&super::proxy::Done) -> u64| what(&proxy.done) + what(&hubs.done);
    let said = format!(
        "{} games at {tables} tables, {} half-moves, speed {speed}, through a network that delays each packet by up to 400 ms each way, \
         is dark for 10 s of every minute and cuts every connection then\n\
         PUBLISH packets: {} dropped, {} doubled of {} packets; {} connections cut\n\
         differences: {} presses in time, {} games in moves, {} results; reports {} made, {} lost, {} twice, {} sent again over {} connections\n\
         unexpected items: {}; {:.0} s",
        count("games"),
        count("plies_recorded"),
        tally(|done| done.dropped.load(Ordering::Relaxed)),
        tally(|done| done.doubled.load(Ordering::Relaxed)),
        tally(|done| done.passed.load(Ordering::Relaxed)),
        tally(|done| done.cut.load(Ordering::Relaxed)),
        count("presses_time_differs"),
        count("san_differs"),
        count("results_differ"),
        count("reports_sent"),
        count("reports_lost"),
        count("reports_twice"),
        count("reports_resent"),
        count("connections"),
        report["unexpected_items"],
        began.elapsed().as_secs_f64(),
    );
    ensure!(status.success(), "{said}\n{:#}", report["differences"]);
    hub.signal("TERM")?;
    ensure!(hub.wait(SOON)?.success(), "the hub does not stop well");
    stage.verify()?;
    drop(hub);
    stage.done();
    Ok(said)
}

/// The games that come along, as often as there are tables: each time in another round.
fn games(stage: &Stage, tables: u32) -> anyhow::Result<Vec<String>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/games");
    let mut files = Vec::new();
    let mut count = 0;
    for copy in 0.. {
        for name in ["blitz", "rapid"] {
            if count >= tables as usize {
                return Ok(files);
            }
            let text = fs::read_to_string(folder.join(format!("{name}.pgn"))).context("the games that come along")?;
            count += text.matches("[White ").count();
            let path = stage.work.join(format!("{name}-{copy}.pgn"));
            fs::write(&path, text.replace("[Round \"", &format!("[Round \"{copy}")))?;
            files.push(path.display().to_string());
        }
    }
    unreachable!("there is no end to copies")
}
