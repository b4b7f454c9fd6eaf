//! `flagfall config`: what a configuration says, and whether it can be so.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::print;
use crate::config::{Config, DEFAULT};

/// Look at a configuration.
#[derive(Clone, Debug, Args)]
pub struct ConfigCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// Name the line and key of what is wrong with a file, or the variable of the environment that goes before it.
    Check {
        /// The file.
        file: PathBuf,
    },
    /// Print every key with its default and what it is for: a file to begin with.
    Print,
}

impl ConfigCommand {
    /// Does it.
    pub fn run(self) -> anyhow::Result<()> {
        match self.what {
            What::Check { file } => {
                // As `serve` would have it: with the environment.
                Config::load(Some(&file))?;
                print::out(&format!(
                    "{} is sound, with the environment's variables.",
                    file.display()
                ))
            }
            What::Print => print::out(DEFAULT),
        }
    }
}
