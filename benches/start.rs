//! How long a start takes on a journal of many events: `cargo bench --bench start`.
//!
//! The journal is a real one: shards run whole games of a hall's rounds (boards that tell pieces apart, clocks that count), and what
//! they ask for is committed; only the network is left out and time passes as fast as the machine goes. Then the hub is started on
//! it, once with the state gone and once with the state there; and the journal is folded for the public, which the hall does not wait for, with
//! what that keeps in memory of a game. `FLAGFALL_EVENTS=1000000` sets how many (100,000 if not set), and
//! `FLAGFALL_KEEP=FOLDER` leaves the journal there.
#![expect(clippy::disallowed_methods, reason = "measures")]

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use flagfall::broadcast::delay::{Delayed, Moment};
use flagfall::broadcast::livechess::{self, Written};
use flagfall::chess::{Color, Move, Position};
use flagfall::config::Config;
use flagfall::game::input::{Act, Deed};
use flagfall::hall::call::{Author, Command};
use flagfall::hall::clock::Mapping;
use flagfall::hall::ids::{DeviceId, EventId, RoundNo, TableNo};
use flagfall::hall::model::{
    DeviceHealth, DeviceKind, Online, Pairing, PersonRole, Player, Registry, Regulations, Side,
};
use flagfall::hall::record::write;
use flagfall::hall::registry::Context;
use flagfall::hall::report::{Abilities, Ack, Occupant, Outcome, Report, ReportKind};
use flagfall::hall::secrets::Chance;
use flagfall::hall::shard::{DeviceLife, Shard, ShardEffect, ShardInput, ShardSettings, TableCall, TableDeed};
use flagfall::hub::Hub;
use flagfall::store::{self, EntryKind, JournalReader, NewEntry, RequestKey, Store, StoreOptions};
use flagfall::time::{HallTime, Millis};

const TABLES: u32 = 200;
/// Half-moves of each game.
const PLIES: usize = 90;

fn main() -> anyhow::Result<()> {
    let events: u64 = match std::env::var("FLAGFALL_EVENTS") {
        Ok(text) => text.parse().context("FLAGFALL_EVENTS is a number")?,
        Err(_) => 100_000,
    };
    let temporary = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR"))?;
    let data = std::env::var("FLAGFALL_KEEP").map_or_else(|_| temporary.path().join("data"), PathBuf::from);
    let begun = Instant::now();
    let mut hall = Hall::new(&data)?;
    while hall.written < events {
        hall.play_round(events)?;
    }
    let written = hall.written;
    drop(hall);
    let bytes: u64 = std::fs::read_dir(data.join("journal"))?
        .filter_map(|file| file.ok()?.metadata().ok())
        .map(|file| file.len())
        .sum();
    println!(
        "{written} events, {bytes} bytes ({} each), written in {:.1} s",
        bytes / written.max(1),
        begun.elapsed().as_secs_f64()
    );

    // What no start can be quicker than: the bytes read and hashed once.
    let floor = timed(|| read_and_hash(&data.join("journal")))?;
    let verified = timed(|| Ok(store::verify(&data).map(|report| assert!(report.damage.is_none()))?))?;
    let state = data.join("state");
    if state.exists() {
        std::fs::remove_dir_all(&state)?;
    }
    let runtime = tokio::runtime::Runtime::new()?;
    let without = timed(|| start(&runtime, &data))?;
    let with = timed(|| start(&runtime, &data))?;
    println!("{:<32} {:>9} {:>12} {:>8}", "", "seconds", "µs an event", "ratio");
    for (name, took) in [
        ("the bytes, read and hashed", floor),
        ("journal verify", verified),
        ("start, the state gone", without),
        ("start, the state there", with),
    ] {
        println!(
            "{name:<32} {:>9.2} {:>12.2} {:>8.1}",
            took.as_secs_f64(),
            took.as_secs_f64() * 1e6 / written as f64,
            took.as_secs_f64() / floor.as_secs_f64()
        );
    }
    public(&data, written)?;
    Ok(())
}

/// Bytes of this process that are in memory.
fn memory() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<i64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// The fold of the journal for the public, as it is made at every start.
fn public(data: &Path, written: u64) -> anyhow::Result<()> {
    let before = memory();
    let mut delayed = Delayed::new(0);
    let mut last = HallTime(0);
    let took = timed(|| {
        for entry in JournalReader::of_data(data).entries(1)? {
            let entry = entry?;
            last = last.max(entry.content.heard);
            delayed.take(&entry)?;
            if entry.position % 1000 == 0 {
                delayed.advance(last);
            }
        }
        delayed.advance(last + Millis(1));
        delayed.news(Moment { hall: last, unix_ms: 0 });
        Ok(())
    })?;
    let kept = memory() - before;
    let games: usize = delayed.published().rounds.iter().map(|round| round.boards.len()).sum();
    println!(
        "folded for the public in {:.2} s ({:.2} µs an event); {games} games, {:.1} kB in memory for each",
        took.as_secs_f64(),
        took.as_secs_f64() * 1e6 / written as f64,
        kept as f64 / 1000.0 / games.max(1) as f64
    );
    let mut texts = Written::keeping(512);
    let files = livechess::files(delayed.published(), &open(), 1.0, &mut texts);
    println!(
        "{} files of them, {:.1} kB for each game; of that an outlet keeps {:.1} kB in all",
        files.len(),
        files.iter().map(|file| file.content.len()).sum::<usize>() as f64 / 1000.0 / games.max(1) as f64,
        texts.held() as f64 / 1000.0
    );
    Ok(())
}

fn timed(work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<Duration> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed())
}

fn read_and_hash(folder: &Path) -> anyhow::Result<()> {
    use sha2::Digest as _;
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        if path.is_file() {
            std::hint::black_box(sha2::Sha256::digest(std::fs::read(path)?));
        }
    }
    Ok(())
}

/// A start until everything listens, without the stop after it.
fn start(runtime: &tokio::runtime::Runtime, data: &Path) -> anyhow::Result<()> {
    let mut config = Config::default();
    config.hall.data = data.to_owned();
    config.listen.http = "127.0.0.1:0".parse()?;
    config.mqtt.listen = "127.0.0.1:0".parse()?;
    let begun = Instant::now();
    let hub = runtime.block_on(Hub::start(config))?;
    let listening = begun.elapsed();
    runtime.block_on(hub.stop());
    eprintln!("listening after {:.2} s", listening.as_secs_f64());
    Ok(())
}

/// A hall without a network.
struct Hall {
    store: Store,
    registry: Registry,
    shard: Shard,
    now: HallTime,
    round: u32,
    seq: HashMap<DeviceId, u64>,
    boards: HashMap<TableNo, Position>,
    written: u64,
}

fn device(table: u32) -> DeviceId {
    format!("unit-{table}").parse().expect("a device id")
}

fn open() -> EventId {
    "open".parse().expect("an event id")
}

fn able() -> Abilities {
    Abilities {
        clock: true,
        counts: true,
        board: true,
        tells_pieces: true,
        resolution: Millis(1),
        ..Abilities::default()
    }
}

impl Hall {
    fn new(data: &Path) -> anyhow::Result<Hall> {
        let opened = Store::open(data, StoreOptions::default(), || 0)?;
        let mut hall = Hall {
            store: opened.store,
            registry: Registry::default(),
            shard: Shard::new(ShardSettings { epoch: 1, speed: 1.0 }, Vec::new()),
            now: HallTime(0),
            round: 0,
            seq: HashMap::new(),
            boards: HashMap::new(),
            written: 0,
        };
        let mapping = write(&Mapping::first(0, 1.0));
        hall.commit(vec![NewEntry::new(EntryKind::Clock, HallTime(0), mapping)])?;
        hall.decide(&Command::PutEvent {
            event: open(),
            name: "Open".into(),
            site: String::new(),
            date: String::new(),
            regulations: Regulations::default(),
        })?;
        for table in 1..=TABLES {
            hall.decide(&Command::PutTable {
                table: TableNo(table),
                sector: None,
                white_side: None,
                board_turned: None,
            })?;
            hall.decide(&Command::AddDevice {
                device: device(table),
                kind: DeviceKind::Both,
                speaks_for: Vec::new(),
            })?;
            hall.decide(&Command::BindDevice {
                device: device(table),
                table: TableNo(table),
                as_clock: true,
                as_board: true,
                white_side: Some(Side::Left),
                board_turned: Some(false),
            })?;
        }
        Ok(hall)
    }

    fn commit(&mut self, entries: Vec<NewEntry>) -> anyhow::Result<std::ops::RangeInclusive<u64>> {
        self.written += entries.len() as u64;
        let (positions, fold) = self.store.commits().commit_blocking(entries)?.into_parts();
        fold.folded();
        Ok(positions)
    }

    fn decide(&mut self, command: &Command) -> anyhow::Result<()> {
        let chance = Chance {
            bytes: [self.round as u8; 32],
            wall_ms: self.now.0,
        };
        let abilities = (1..=TABLES).map(|table| (device(table), able())).collect();
        let context = Context {
            chance: &chance,
            abilities: &abilities,
            now: self.now,
            over: &Default::default(),
        };
        let decided = self.registry.decide(command, &context)?;
        self.registry.fold(&decided.event)?;
        self.commit(vec![NewEntry::new(EntryKind::Hall, self.now, write(&decided.event))])?;
        Ok(())
    }

    /// All tables play, in turns, until there is enough.
    fn play_round(&mut self, enough: u64) -> anyhow::Result<()> {
        self.round += 1;
        let number = RoundNo(self.round);
        let player = |name: String| Player {
            name,
            ..Player::default()
        };
        let pairings = (1..=TABLES).map(|table| Pairing {
            table: TableNo(table),
            board: table,
            white: player(format!("White {table}")),
            black: player(format!("Black {table}")),
            time_control: None,
            board_kind: None,
            variant: Default::default(),
            fen: None,
            game: None,
        });
        self.decide(&Command::PutRound {
            event: open(),
            round: number,
            time_control: "90m+30s".into(),
            pairings: pairings.collect(),
        })?;
        self.now = self.now + Millis::secs(60);
        self.decide(&Command::ArmRound {
            event: open(),
            round: number,
        })?;
        let tables: BTreeSet<TableNo> = (1..=TABLES).map(TableNo).collect();
        self.tell(vec![ShardInput::Registry {
            position: self.store.head().position,
            registry: Arc::new(self.registry.clone()),
            tables,
        }])?;
        self.tell((1..=TABLES).map(alive).collect())?;
        self.now = self.now + Millis::secs(60);
        self.decide(&Command::StartRound {
            event: open(),
            round: number,
            tables: None,
        })
        .ok();
        let round = self.round;
        self.tell((1..=TABLES).map(|table| deed(table, round, Deed::Start)).collect())?;
        self.boards = (1..=TABLES)
            .map(|table| (TableNo(table), Position::initial()))
            .collect();
        for ply in 0..PLIES {
            if self.written >= enough {
                return Ok(());
            }
            self.ply(ply)?;
        }
        let result = |table| {
            let what = Deed::Decide {
                result: "1/2-1/2".into(),
            };
            deed(table, round, what)
        };
        self.tell((1..=TABLES).map(result).collect())?;
        self.decide(&Command::EndRound {
            event: open(),
            round: number,
        })
        .ok();
        Ok(())
    }

    /// Every table makes a move: its squares one by one, then the press.
    fn ply(&mut self, ply: usize) -> anyhow::Result<()> {
        let mut waves: Vec<Vec<ShardInput>> = Vec::new();
        let tables: Vec<TableNo> = self.boards.keys().copied().collect();
        for table in tables {
            let position = self.boards[&table].clone();
            let moves = position.legal_moves();
            let Some(mv) = moves.get((ply * 7 + table.0 as usize * 3) % moves.len().max(1)) else {
                continue;
            };
            let side = if position.turn() == Color::White {
                Side::Left
            } else {
                Side::Right
            };
            let mut reports: Vec<ReportKind> = changes(&position, mv)
                .into_iter()
                .map(|change| ReportKind::Squares(vec![change]))
                .collect();
            reports.push(ReportKind::Press { side, face: None });
            self.boards.insert(table, position.play_unchecked(mv, position.turn()));
            for (wave, what) in reports.into_iter().enumerate() {
                let seq = self.seq.entry(device(table.0)).or_default();
                let report = Report {
                    device: device(table.0),
                    boot: 1,
                    seq: *seq,
                    at: self.now + Millis(wave as i64 * 700),
                    bar: Some(Millis(1)),
                    apart: Some(Millis(1)),
                    what,
                };
                *seq += 1;
                if waves.len() <= wave {
                    waves.push(Vec::new());
                }
                waves[wave].push(ShardInput::Report { table, report });
            }
        }
        for wave in waves {
            self.now = self.now + Millis(700);
            self.tell(wave)?;
        }
        self.now = self.now + Millis::secs(8);
        Ok(())
    }

    /// Inputs, and all that comes of them: what is to be committed is committed together.
    fn tell(&mut self, inputs: Vec<ShardInput>) -> anyhow::Result<()> {
        let mut inputs = inputs;
        while !inputs.is_empty() {
            let mut asked = Vec::new();
            let mut next = Vec::new();
            for input in inputs {
                for effect in self.shard.handle(self.now, input) {
                    match effect {
                        ShardEffect::Commit { ticket, entries } => asked.push((ticket, entries)),
                        ShardEffect::Order(order) => next.push(self.obeyed(&order)),
                        ShardEffect::Answer { answer, .. } => {
                            answer?;
                        }
                        _ => {}
                    }
                }
            }
            let counts: Vec<(u64, usize)> = asked.iter().map(|(ticket, entries)| (*ticket, entries.len())).collect();
            let entries: Vec<NewEntry> = asked.into_iter().flat_map(|(_, entries)| entries).collect();
            if !entries.is_empty() {
                let mut first = *self.commit(entries)?.start();
                for (ticket, count) in counts {
                    let last = first + count as u64 - 1;
                    next.push(ShardInput::Committed {
                        ticket,
                        outcome: Ok(first..=last),
                    });
                    first = last + 1;
                }
            }
            inputs = next;
        }
        Ok(())
    }

    fn obeyed(&self, order: &flagfall::hall::report::DeviceOrder) -> ShardInput {
        let table = self
            .registry
            .devices
            .get(&order.device)
            .and_then(|device| device.bound_to);
        ShardInput::Acked {
            table: table.unwrap_or(TableNo(0)),
            ack: Ack {
                device: order.device.clone(),
                boot: order.boot,
                order: order.id.clone(),
                outcome: Outcome::Done,
                at: self.now,
                apart: Some(Millis(1)),
                after_seq: order.decided_seq,
                face: None,
            },
        }
    }
}

/// What the board sees of a move: pieces lifted, then put.
fn changes(position: &Position, mv: &Move) -> Vec<(flagfall::chess::Square, Occupant)> {
    let before = position.placement();
    let after = position.play_unchecked(mv, position.turn()).placement();
    let differing: HashSet<_> = before.differences(&after).collect();
    let lifted = differing.iter().filter(|square| before.at(**square).is_some());
    let put = differing
        .iter()
        .filter_map(|square| Some((*square, after.at(*square)?)));
    lifted
        .map(|square| (*square, Occupant::Nothing))
        .chain(put.map(|(square, piece)| (square, Occupant::Piece(piece.color, piece.role))))
        .collect()
}

fn alive(table: u32) -> ShardInput {
    ShardInput::Device {
        table: TableNo(table),
        life: DeviceLife {
            health: DeviceHealth {
                id: device(table),
                online: Online::Online,
                battery: None,
                signal: None,
                last_heard: None,
                bar: Some(Millis(1)),
                ahead: None,
                drift_ppm: 0,
                pressed: None,
            },
            boot: Some(1),
            able: Some(able()),
            empty: false,
            silence: Default::default(),
            durable: -1,
        },
    }
}

fn deed(table: u32, round: u32, what: Deed) -> ShardInput {
    let name = match &what {
        Deed::Start => "start",
        _ => "result",
    };
    ShardInput::Call {
        call: u64::from(table),
        table: TableNo(table),
        what: TableCall {
            author: Author {
                name: "Vera".into(),
                role: PersonRole::ChiefArbiter,
                sector: None,
            },
            request: RequestKey {
                author: "Vera".into(),
                id: format!("{name}-{round}-{table}"),
            },
            asked: String::new(),
            deed: TableDeed::Act(Act {
                revision: None,
                reason: String::new(),
                what,
            }),
        },
    }
}
