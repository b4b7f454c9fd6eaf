//! What a seed stands for: the tables, what is played at them, how the network is, and what goes wrong when.
//!
//! A plan is data, so that a failing one can be made smaller by leaving things out.

use std::collections::BTreeSet;
use std::fmt;

use super::chance::Chance;
use super::device::Nature;
use crate::device::codec::Format;
use crate::store::{CrashStyle, SimFault};

/// The kinds of things that go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "their names say it; docs/storm.md explains them")]
pub enum Kind {
    Delay,
    Loss,
    Duplication,
    Reordering,
    Partition,
    Stall,
    BrokerRestart,
    HubCut,
    Kill,
    PowerCut,
    TornWrite,
    FailedDisk,
    Arbiters,
    SlowClock,
    Wrap,
    Restart,
    Exchange,
    Retained,
    SmallMemory,
    Illegal,
    Flags,
    /// Players go on while their board is off.
    BlindBoard,
    /// Results are entered while moves are still under way from the table.
    HastyResults,
    /// Messages take a second and more.
    LongDelay,
    /// One of a table's two devices is started anew or exchanged.
    RestartApart,
    /// Moves within a second, at a table with two devices.
    QuickApart,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 26] = [
        Kind::Delay,
        Kind::Loss,
        Kind::Duplication,
        Kind::Reordering,
        Kind::Partition,
        Kind::Stall,
        Kind::BrokerRestart,
        Kind::HubCut,
        Kind::Kill,
        Kind::PowerCut,
        Kind::TornWrite,
        Kind::FailedDisk,
        Kind::Arbiters,
        Kind::SlowClock,
        Kind::Wrap,
        Kind::Restart,
        Kind::Exchange,
        Kind::Retained,
        Kind::SmallMemory,
        Kind::Illegal,
        Kind::Flags,
        Kind::BlindBoard,
        Kind::HastyResults,
        Kind::LongDelay,
        Kind::RestartApart,
        Kind::QuickApart,
    ];

    /// What happens only on demand, in the halls before `ALL_KINDS_FROM`. `docs/storm.md` says why.
    pub const ON_DEMAND: [Kind; 6] = [
        Kind::SmallMemory,
        Kind::BlindBoard,
        Kind::HastyResults,
        Kind::LongDelay,
        Kind::RestartApart,
        Kind::QuickApart,
    ];

    /// Whether a device may not be heard for a while because of it.
    pub(super) fn silences(self) -> bool {
        matches!(
            self,
            Kind::Loss
                | Kind::Partition
                | Kind::Stall
                | Kind::BrokerRestart
                | Kind::HubCut
                | Kind::Restart
                | Kind::Exchange
                | Kind::RestartApart
                | Kind::LongDelay
        )
    }

    /// As it is written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Delay => "delay",
            Kind::Loss => "loss",
            Kind::Duplication => "duplication",
            Kind::Reordering => "reordering",
            Kind::Partition => "partition",
            Kind::Stall => "stall",
            Kind::BrokerRestart => "broker-restart",
            Kind::HubCut => "hub-cut",
            Kind::Kill => "kill",
            Kind::PowerCut => "power-cut",
            Kind::TornWrite => "torn-write",
            Kind::FailedDisk => "failed-disk",
            Kind::Arbiters => "arbiters",
            Kind::SlowClock => "slow-clock",
            Kind::Wrap => "wrap",
            Kind::Restart => "restart",
            Kind::Exchange => "exchange",
            Kind::Retained => "retained",
            Kind::SmallMemory => "small-memory",
            Kind::Illegal => "illegal",
            Kind::Flags => "flags",
            Kind::BlindBoard => "blind-board",
            Kind::HastyResults => "hasty-results",
            Kind::LongDelay => "long-delay",
            Kind::RestartApart => "restart-apart",
            Kind::QuickApart => "quick-apart",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Kind {
    type Err = String;
    fn from_str(text: &str) -> Result<Kind, String> {
        Kind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
            format!("there is no fault {text:?}; the faults are {}", names.join(", "))
        })
    }
}

/// How messages travel.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub least_ms: i64,
    pub jitter_ms: i64,
    pub lost_percent: u64,
    pub doubled_percent: u64,
    pub reordered: bool,
}

/// One thing that goes wrong. Devices and tables are numbered from 0.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// The device hears and is heard no more.
    Partition { device: usize, at: i64, lasts: i64 },
    /// What it says and is told waits.
    Stall { device: usize, at: i64, lasts: i64 },
    /// The broker is started anew.
    BrokerRestart { at: i64, lasts: i64 },
    /// The hub loses the broker.
    HubCut { at: i64, lasts: i64 },
    /// The hub dies after so many effects of that life.
    Kill { effects: u64, down: i64 },
    /// Its machine goes off, between two effects.
    PowerCut { effects: u64, style: CrashStyle, down: i64 },
    /// A disk operation goes wrong, so many after the start of that life.
    Disk { operation: u64, fault: SimFault, down: i64 },
    /// A device is started anew.
    Restart {
        device: usize,
        at: i64,
        lasts: i64,
        memory: bool,
    },
    /// A device is replaced by another one.
    Exchange { table: usize, at: i64 },
    /// The broker has kept something that it should not have: the last birth or death of the device, as it was at `taken`.
    Retained { device: usize, taken: i64, at: i64 },
}

impl Fault {
    pub fn kind(&self) -> Kind {
        match self {
            Fault::Partition { .. } => Kind::Partition,
            Fault::Stall { .. } => Kind::Stall,
            Fault::BrokerRestart { .. } => Kind::BrokerRestart,
            Fault::HubCut { .. } => Kind::HubCut,
            Fault::Kill { .. } => Kind::Kill,
            Fault::PowerCut { .. } => Kind::PowerCut,
            Fault::Disk {
                fault: SimFault::PowerOff,
                ..
            } => Kind::TornWrite,
            Fault::Disk { .. } => Kind::FailedDisk,
            Fault::Restart { .. } => Kind::Restart,
            Fault::Exchange { .. } => Kind::Exchange,
            Fault::Retained { .. } => Kind::Retained,
        }
    }
}

/// What an arbiter takes into his head.
#[derive(Clone, Debug)]
pub(super) enum Whim {
    /// Both clocks stop, and go on after so long.
    Pause { lasts: i64 },
    /// So much more for White and Black.
    Add { white: i64, black: i64 },
    /// White's clock is set to this, by an arbiter who knows the present revision, or an old one.
    Set { white: i64, stale: bool },
    /// Two arbiters give Black time in the same instant.
    Both { black: i64 },
}

#[derive(Clone, Debug)]
pub(super) struct Act {
    pub at: i64,
    pub table: usize,
    pub whim: Whim,
    /// The request is sent again though it was answered.
    pub repeated: bool,
}

/// One turn of a player.
#[derive(Clone, Debug)]
pub(super) struct Play {
    pub pick: u64,
    pub think: i64,
    pub illegal: bool,
}

#[derive(Clone, Debug)]
pub(super) struct TablePlan {
    pub clock: Nature,
    /// A board of its own; `None`: the clock's device is the board too.
    pub board: Option<Nature>,
    pub white_side: usize,
    pub turned: bool,
    pub counters: [i64; 2],
    pub plays: Vec<Play>,
}

#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub seed: u64,
    pub kinds: BTreeSet<Kind>,
    pub control: &'static str,
    pub automatic: bool,
    pub tables: Vec<TablePlan>,
    pub network: Network,
    pub faults: Vec<Fault>,
    pub acts: Vec<Act>,
}

/// When the round is called, from the opening of the hall.
pub(super) const CALL_AT: i64 = 20_000;

/// From this hall on what had to be asked for goes wrong unasked, but for hasty results. The halls before are what they were.
pub(super) const ALL_KINDS_FROM: u64 = 100_000;

const CONTROLS: [&str; 7] = ["3m+2s", "2m", "1m+3s", "90s+1s", "2md2s", "2mb3s", "90m+30s"];

impl Plan {
    /// The plan of a seed; `only`: nothing else goes wrong.
    pub fn new(seed: u64, only: Option<&BTreeSet<Kind>>) -> Plan {
        let chance = Chance::new(seed);
        let mut dice = chance.of(1);
        let mut kinds = BTreeSet::new();
        let often = *dice.pick(&[0, 10, 25, 25, 45]);
        for kind in Kind::ALL {
            let unasked = if seed < ALL_KINDS_FROM {
                !Kind::ON_DEMAND.contains(&kind)
            } else {
                kind != Kind::HastyResults
            };
            let chosen = dice.percent(often) && unasked;
            if only.map_or(chosen, |only| only.contains(&kind)) {
                kinds.insert(kind);
            }
        }
        let has = |kind| kinds.contains(&kind);
        let mut dice = chance.of(2);
        let network = Network {
            least_ms: dice.between(1, 10),
            jitter_ms: if has(Kind::LongDelay) {
                1_500
            } else if has(Kind::Delay) {
                *dice.pick(&[30, 120, 400])
            } else {
                5
            },
            lost_percent: if has(Kind::Loss) { *dice.pick(&[1, 5, 20]) } else { 0 },
            doubled_percent: if has(Kind::Duplication) {
                *dice.pick(&[2, 10, 30])
            } else {
                0
            },
            reordered: has(Kind::Reordering),
        };
        let control = *chance.of(3).pick(&CONTROLS);
        let mut dice = chance.of(4);
        let count = *dice.pick(&[1, 2, 2, 3]);
        let tables: Vec<TablePlan> = (0..count)
            .map(|table| table_plan(&mut chance.of(100 + table), &kinds, control))
            .collect();
        let length = tables
            .iter()
            .map(|table| table.plays.iter().map(|play| play.think).sum::<i64>())
            .max()
            .unwrap_or(0);
        let faults = faults(&mut chance.of(5), &kinds, length, &tables);
        let acts = if has(Kind::Arbiters) {
            acts(&mut chance.of(6), length, tables.len())
        } else {
            Vec::new()
        };
        Plan {
            seed,
            automatic: chance.of(7).percent(40),
            kinds,
            control,
            tables,
            network,
            faults,
            acts,
        }
    }
}

fn table_plan(dice: &mut Chance, kinds: &BTreeSet<Kind>, control: &str) -> TablePlan {
    let has = |kind| kinds.contains(&kind);
    let format = if dice.percent(70) {
        Format::Protobuf
    } else {
        Format::Json
    };
    let memory = if has(Kind::SmallMemory) && dice.percent(50) {
        dice.between(6, 20) as usize
    } else {
        512
    };
    let together = dice.percent(50);
    let tells_pieces = dice.percent(75);
    let ppm = if has(Kind::SlowClock) && dice.percent(60) {
        *dice.pick(&[-50_000, 30_000, -200, 900])
    } else {
        0
    };
    let bits = if dice.percent(70) { 32 } else { 0 };
    let clock = Nature {
        clock: true,
        counts: true,
        board: together,
        tells_pieces: together && tells_pieces,
        format,
        counter_bits: bits,
        sensing_lag: 0,
        ppm,
        memory,
    };
    let lag = *dice.pick(&[0, 0, 150]);
    let board = (!together).then(|| Nature {
        clock: false,
        counts: false,
        board: true,
        tells_pieces,
        sensing_lag: lag,
        counter_bits: 32,
        // The two drift apart.
        ppm: -ppm,
        ..clock.clone()
    });
    let mut counter = |bits: u32| {
        if has(Kind::Wrap) && bits == 32 {
            (1 << 32) - dice.between(1_000, 150_000)
        } else {
            dice.between(1_000, 5_000_000)
        }
    };
    let counters = [counter(bits), counter(32)];
    let turns = dice.between(4, 22);
    let quick = dice.percent(15) && (together || has(Kind::QuickApart));
    let falls = (has(Kind::Flags) && !control.starts_with("90m")).then(|| dice.between(1, turns));
    let illegal = has(Kind::Illegal).then(|| dice.between(1, turns));
    let plays = (0..turns)
        .map(|turn| Play {
            pick: dice.next(),
            think: if Some(turn) == falls {
                400_000
            } else if quick {
                dice.between(250, 1_500)
            } else {
                dice.between(700, 9_000)
            },
            illegal: Some(turn) == illegal,
        })
        .collect();
    TablePlan {
        clock,
        board,
        white_side: dice.below(2) as usize,
        turned: dice.percent(40),
        counters,
        plays,
    }
}

fn faults(dice: &mut Chance, kinds: &BTreeSet<Kind>, length: i64, tables: &[TablePlan]) -> Vec<Fault> {
    // Which table each device serves, in the order in which the world makes them.
    let serves: Vec<usize> = (0..tables.len())
        .flat_map(|table| std::iter::repeat_n(table, 1 + usize::from(tables[table].board.is_some())))
        .collect();
    let devices = serves.len();
    let apart = |table: usize| tables[table].board.is_some() && !kinds.contains(&Kind::RestartApart);
    let length = length.min(150_000);
    let mut faults = Vec::new();
    for &kind in kinds {
        let mut own = dice.of(kind as u64);
        let times = match kind {
            Kind::Partition | Kind::Stall => own.between(1, 1 + devices as i64),
            Kind::Kill | Kind::PowerCut | Kind::TornWrite => own.between(1, 3),
            _ => own.between(1, 2),
        };
        for _ in 0..times {
            let at = CALL_AT + own.between(0, length);
            let device = own.below(devices as u64) as usize;
            let down = own.between(300, 9_000);
            let table = own.below(tables.len() as u64) as usize;
            let fault = match kind {
                Kind::Restart | Kind::RestartApart if apart(serves[device]) => continue,
                Kind::Exchange if apart(table) => continue,
                Kind::Partition => {
                    let lasts = if own.percent(30) {
                        own.between(60_000, 180_000)
                    } else {
                        own.between(3_000, 40_000)
                    };
                    Fault::Partition { device, at, lasts }
                }
                Kind::Stall => Fault::Stall {
                    device,
                    at,
                    lasts: own.between(500, 12_000),
                },
                Kind::BrokerRestart => Fault::BrokerRestart {
                    at,
                    lasts: own.between(500, 8_000),
                },
                Kind::HubCut => Fault::HubCut {
                    at,
                    lasts: own.between(500, 20_000),
                },
                Kind::Kill => Fault::Kill {
                    effects: own.between(1, 900) as u64,
                    down,
                },
                Kind::PowerCut => Fault::PowerCut {
                    effects: own.between(1, 900) as u64,
                    style: *own.pick(&[CrashStyle::LoseAll, CrashStyle::Tear, CrashStyle::Tear]),
                    down,
                },
                Kind::TornWrite => Fault::Disk {
                    operation: own.between(0, 300) as u64,
                    fault: SimFault::PowerOff,
                    down,
                },
                Kind::FailedDisk => Fault::Disk {
                    operation: own.between(8, 300) as u64,
                    fault: *own.pick(&[SimFault::Fail, SimFault::Fail, SimFault::Full]),
                    down,
                },
                Kind::Restart | Kind::RestartApart => Fault::Restart {
                    device,
                    at,
                    lasts: own.between(500, 6_000),
                    memory: own.percent(70),
                },
                Kind::Exchange => Fault::Exchange { table, at },
                Kind::Retained => Fault::Retained {
                    device,
                    taken: CALL_AT - 5_000,
                    at,
                },
                _ => continue,
            };
            faults.push(fault);
        }
    }
    faults
}

fn acts(dice: &mut Chance, length: i64, tables: usize) -> Vec<Act> {
    let length = length.min(150_000);
    let mut acts: Vec<Act> = (0..dice.between(1, 6))
        .map(|_| Act {
            at: CALL_AT + dice.between(2_000, length.max(3_000)),
            table: dice.below(tables as u64) as usize,
            whim: match dice.below(5) {
                0 | 1 => Whim::Pause {
                    lasts: dice.between(500, 15_000),
                },
                2 => Whim::Add {
                    white: dice.between(-5, 60) * 1_000,
                    black: dice.between(-5, 60) * 1_000,
                },
                3 => Whim::Set {
                    white: dice.between(30, 200) * 1_000,
                    stale: dice.percent(40),
                },
                _ => Whim::Both {
                    black: dice.between(1, 60) * 1_000,
                },
            },
            repeated: dice.percent(40),
        })
        .collect();
    acts.sort_by_key(|act| act.at);
    acts
}
