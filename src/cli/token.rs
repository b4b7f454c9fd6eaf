//! `flagfall token`: how the first chief arbiter gets in.

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::Data;
use super::print;
use crate::hall::PersonRole;
use crate::hub::grant_offline;

/// Tokens that only whoever has the hub's machine can make.
#[derive(Clone, Debug, Args)]
pub struct TokenCommand {
    #[command(flatten)]
    data: Data,
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// Give a chief arbiter his token, on the data folder of a hub that is not running. All others are given by him:
    /// `flagfall person add`.
    First {
        /// As the journal writes it.
        #[arg(long, value_name = "NAME", default_value = "Chief arbiter")]
        name: String,
    },
}

impl TokenCommand {
    /// Does it.
    pub async fn run(self) -> anyhow::Result<()> {
        let folder = self.data.folder()?;
        let What::First { name } = self.what;
        let told = format!("no token was made in {}", folder.display());
        // The journal is read and written, which takes its time.
        let granted = tokio::task::spawn_blocking(move || grant_offline(&folder, &name, PersonRole::ChiefArbiter));
        let token = granted
            .await
            .context("the data folder could not be read")?
            .context(told)?;
        eprintln!("Shown once, and kept nowhere else. Keep it for the other commands with `flagfall login`.");
        print::out(&token)
    }
}
