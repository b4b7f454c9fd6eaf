//! The command line: one file a command. Those that rule, list and set up are clients of the public gRPC interface.

pub mod arbiter;
pub mod client;
pub mod config;
pub mod delay;
mod demo;
pub mod device;
pub mod event;
pub mod export;
pub mod import;
pub mod journal;
pub mod mate;
pub mod person;
pub mod print;
mod qr;
pub mod record;
mod refused;
pub mod regulations;
pub mod rehearse;
pub mod round;
pub mod serve;
pub mod sim;
pub mod storm;
pub mod tls;
pub mod token;
pub mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use crate::config::Config;

/// Causes in a row: what failed, why, and why that; one that is in the words before it already is not said twice.
pub fn causes(error: &anyhow::Error) -> String {
    let mut said = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if said.is_empty() {
            said = cause;
        } else if !said.contains(&cause) {
            said.push_str(": ");
            said.push_str(&cause);
        }
    }
    said
}

/// One daemon for a whole chess hall: clocks, boards, the Laws, arbiters and screens.
#[derive(Debug, Parser)]
#[command(
    name = "flagfall",
    version,
    about,
    disable_help_subcommand = true,
    max_term_width = 110
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open a hall.
    Serve(serve::ServeCommand),
    /// See tables, and rule.
    Arbiter(arbiter::ArbiterCommand),
    /// Pairings in; rounds armed, called and closed.
    Round(round::RoundCommand),
    /// A round from a pairing program's file.
    Import(import::ImportCommand),
    /// Results for the pairing program, and games as PGN.
    Export(export::ExportCommand),
    /// The events of a hall, and their regulations.
    Event(event::EventCommand),
    /// An event's regulations, as an arbiter reads them out.
    Regulations(regulations::RegulationsCommand),
    /// Devices, what they serve, and what they log in with.
    Device(device::DeviceCommand),
    /// Who has a token, and for what.
    Person(person::PersonCommand),
    /// The first chief arbiter's token, on the hub's own machine.
    Token(token::TokenCommand),
    /// A certificate authority for the hall, and the hub's certificate.
    Tls(tls::TlsCommand),
    /// Keep your token where these commands look for it.
    Login(person::LoginCommand),
    /// Look at the journal, check it, copy it.
    Journal(JournalArgs),
    /// One game on paper, for an appeals committee.
    Record(record::RecordCommand),
    /// Ask whether a side can still mate (6.9).
    Mate(mate::MateCommand),
    /// Open a hall of real games on this machine, with nothing to set up.
    Demo(demo::DemoCommand),
    /// Play real games at a running hub with simulated tables, and compare.
    Sim(sim::SimCommand),
    /// Run thousands of halls over simulated networks, devices, people and disks, and check them all.
    Storm(storm::StormCommand),
    /// Play situations through the engine that runs the hall, and judge its rulings.
    Rehearse(rehearse::Rehearse),
    /// Look at a configuration.
    Config(config::ConfigCommand),
}

/// Which data folder, and what to do with it.
#[derive(Debug, Args)]
struct JournalArgs {
    #[command(flatten)]
    data: Data,
    #[command(subcommand)]
    what: journal::JournalCommand,
}

/// A hub's data folder, for commands that need no running hub.
#[derive(Clone, Debug, Args)]
pub struct Data {
    /// The hub's data folder; what the configuration says without it.
    #[arg(long, value_name = "FOLDER", global = true)]
    data: Option<PathBuf>,
    /// The hub's configuration file.
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
}

impl Data {
    /// The folder.
    pub fn folder(&self) -> anyhow::Result<PathBuf> {
        if let Some(folder) = &self.data {
            return Ok(folder.clone());
        }
        Ok(Config::load(self.config.as_deref().map(Path::new))?.hall.data)
    }
}

impl Cli {
    /// Does what was asked, and says how it went.
    pub async fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Serve(serve) => return serve.run().await,
            Command::Arbiter(arbiter) => arbiter.run().await?,
            Command::Round(round) => round.run().await?,
            Command::Import(import) => import.run().await?,
            Command::Export(export) => export.run().await?,
            Command::Event(event) => event.run().await?,
            Command::Regulations(regulations) => regulations.run().await?,
            Command::Device(device) => device.run().await?,
            Command::Person(person) => person.run().await?,
            Command::Token(token) => token.run().await?,
            Command::Tls(tls) => tls.run()?,
            Command::Login(login) => login.run().await?,
            Command::Journal(journal) => return journal.what.run(&journal.data.folder()?),
            Command::Record(record) => record.run().await?,
            Command::Mate(mate) => return mate.run(),
            Command::Demo(demo) => return demo.run().await,
            Command::Sim(sim) => return sim.run().await,
            Command::Storm(storm) => return storm.run(),
            Command::Rehearse(rehearse) => return rehearse.run(),
            Command::Config(config) => config.run()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_holds_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_cause_that_is_in_the_words_already_is_not_said_twice() {
        let disk = std::io::Error::from(std::io::ErrorKind::StorageFull);
        let twice = anyhow::Error::new(disk).context("no room in data (no storage space)");
        assert_eq!(causes(&twice), "no room in data (no storage space)");
        let once = anyhow::anyhow!("no such file")
            .context("hall.toml cannot be read")
            .context("no start");
        assert_eq!(causes(&once), "no start: hall.toml cannot be read: no such file");
    }

    #[test]
    fn commands_are_written_as_the_readme_has_them() {
        for line in [
            "flagfall arbiter show 12 --lang sr",
            "flagfall arbiter items --lang pl",
            "flagfall regulations print --event open --lang ru",
            "flagfall regulations print --config open.toml",
            "flagfall arbiter pause 12",
            "flagfall arbiter pause 1 2 3 --reason fire",
            "flagfall arbiter adjust 12 --white +2:00 --black -0:30",
            "flagfall arbiter penalise 12 white -2:00",
            "flagfall arbiter confirm 12",
            "flagfall arbiter result 12 1/2-1/2 --reason agreed",
            "flagfall arbiter presence 12 black absent",
            "flagfall round put open 1 round1.csv --time-control 90m+30s",
            "flagfall import round5.trf --round 5 --event open --encoding windows-1250 --dry-run",
            "flagfall import pairs.txt --round 5 --players event.trf --confirm --proposal 0123456789abcdef --json",
            "flagfall export trf --event open --round 5 --out round5.trf",
            "flagfall export pgn --emt",
            "flagfall round start open 1 --tables 1,2,3",
            "flagfall event put open Open --default-time 15m --enforcement automatic --not-rated",
            "flagfall event put open Open --enforcement flag=automatic --open-point void_claim=refused",
            "flagfall device add clock-12 --kind clock",
            "flagfall device bind clock-12 12 --as clock --white left",
            "flagfall device sector A 1-30 41",
            "flagfall arbiter hand-over A Ben",
            "flagfall device acl /etc/mosquitto/flagfall --hub-password-file hub.password",
            "flagfall person add Anna --role arbiter --sector A --expires 2026-12-01T20:00Z",
            "flagfall person add Boris --role technician --expires 12h --at https://hub.example:7878",
            "flagfall tls init --dir tls --name hub.example --name hub --ip 10.0.0.5",
            "flagfall tls renew --dir tls",
            "flagfall record --table 12 --lang sr --out record.html",
            "flagfall record --event open --round 3 --table 12",
            "flagfall record --game 01890a5d-ac96-774b-bcce-b302099a8057 --data somewhere",
            "flagfall arbiter list --hub https://hub.example:7878 --ca tls/ca.pem",
            "flagfall token first --data somewhere",
            "flagfall journal verify --data somewhere",
            "flagfall config check hall.toml",
        ] {
            if let Err(error) = Cli::try_parse_from(line.split(' ')) {
                panic!("{line}: {error}");
            }
        }
    }

    #[test]
    fn a_token_is_never_an_argument() {
        assert!(Cli::try_parse_from(["flagfall", "arbiter", "list", "--token", "x"]).is_err());
    }
}
