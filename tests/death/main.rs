//! Real death: the release binary and Debian's mosquitto are started and killed, disks fill up, turn read-only and lose their
//! power, files are cut and garbled, the network delays, drops and doubles; and what had been acknowledged must be there, or the
//! hub must refuse, name the first missing position and the command to go on, and that command must work.
//!
//! `tests/death/run` is how it is started. Chance comes from `--seed`: it decides when something is killed, not what the machine
//! does meanwhile, so that a failure is a story to read and not one to repeat to the letter; the folder of a failed run is kept.
#![expect(clippy::disallowed_methods, reason = "waits for real programs")]

mod chance;
mod disks;
mod files;
mod grow;
mod kills;
mod network;
mod proxy;
mod stage;
mod witness;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// What every run takes.
#[derive(Clone, Debug, Args)]
pub struct Common {
    /// Decides what is killed when, and where files are damaged.
    #[arg(long, default_value_t = 1, global = true)]
    seed: u64,
    /// Keep the folder also when all is well.
    #[arg(long, global = true)]
    keep: bool,
}

#[derive(Debug, Parser)]
#[command(name = "death")]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// kill -9 for hub, broker and devices while games are played.
    Kills {
        /// How many.
        #[arg(long, default_value_t = 20)]
        kills: u32,
        /// So many entries are in the journal before it begins.
        #[arg(long, default_value_t = 0)]
        events: u64,
        /// No restart may take longer, in ms.
        #[arg(long, default_value_t = 2000)]
        restart_ms: u64,
        /// Tables that play at a time.
        #[arg(long, default_value_t = 10)]
        tables: u32,
        /// The hall's speed.
        #[arg(long, default_value_t = 20.0)]
        speed: f64,
    },
    /// The journal's last file cut, and overwritten with zeros, at every byte near its end.
    Tail {
        /// How many bytes.
        #[arg(long, default_value_t = 400)]
        bytes: usize,
    },
    /// sled's files emptied, deleted and garbled.
    State {
        /// How often.
        #[arg(long, default_value_t = 40)]
        times: u32,
    },
    /// A journal damaged in the middle, and put back from a backup.
    Backup,
    /// A disk that fills up, and one that turns read-only (loop mounts: needs root).
    Disk,
    /// The power is cut: a start on the disk's image as the device saw it (loop mounts: needs root).
    Power {
        /// How often.
        #[arg(long, default_value_t = 5)]
        times: u32,
    },
    /// A network that delays, stalls, cuts, drops and doubles.
    Network {
        /// How many tables.
        #[arg(long, default_value_t = 50)]
        tables: u32,
        /// The hall's speed.
        #[arg(long, default_value_t = 1.0)]
        speed: f64,
        /// Half-moves of each game.
        #[arg(long, default_value_t = 16)]
        plies: u32,
        /// The hub's own connection goes through it as well.
        #[arg(long)]
        hub_too: bool,
        /// PUBLISH packets dropped, and as many doubled, in a thousand.
        #[arg(long, default_value_t = 50)]
        dropped: u64,
    },
}

fn main() -> ExitCode {
    // Without an argument nothing is asked for: this is how `cargo test` and nextest call it, who find no tests here.
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments
        .peek()
        .is_none_or(|first| first == "--list" || first == "--nocapture")
    {
        return ExitCode::SUCCESS;
    }
    let cli = Cli::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let common = cli.common.clone();
    let outcome = runtime.block_on(async move {
        match cli.what {
            What::Kills {
                kills,
                events,
                restart_ms,
                tables,
                speed,
            } => kills::run(&common, kills, events, restart_ms, tables, speed).await,
            What::Tail { bytes } => files::tail(&common, bytes).await,
            What::State { times } => files::state(&common, times).await,
            What::Backup => files::backup(&common).await,
            What::Disk => disks::run(&common).await,
            What::Power { times } => disks::power(&common, times).await,
            What::Network {
                tables,
                speed,
                plies,
                hub_too,
                dropped,
            } => network::run(&common, tables, speed, plies, hub_too, dropped).await,
        }
    });
    match outcome {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("FAILED: {error:#}");
            ExitCode::FAILURE
        }
    }
}
