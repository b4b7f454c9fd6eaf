//! The `flagfall` command.

use std::process::ExitCode;

use clap::Parser as _;
use flagfall::cli::Cli;

#[tokio::main]
async fn main() -> ExitCode {
    match Cli::parse().run().await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("flagfall: {}", flagfall::cli::causes(&error));
            ExitCode::FAILURE
        }
    }
}
