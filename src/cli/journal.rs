//! `flagfall journal`: look at the journal, check it, copy it, go on after a loss.

use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Subcommand;
use uuid::Uuid;

use crate::store::{self, ShowFilter};

/// What to do with the journal in the data folder.
#[derive(Clone, Debug, Subcommand)]
pub enum JournalCommand {
    /// Check every record, position and chain, and print the head's hash. May be run while the hub runs.
    ///
    /// The exit code is 1 when anything is not as it was written.
    Verify,
    /// Print what happened, one line an entry: position, time, hall time, table, who, and what in words with the articles.
    ///
    /// May be run while the hub runs.
    Show {
        /// Only what happened at this table.
        #[arg(value_parser = super::words::table, long, value_name = "N")]
        table: Option<u32>,
        /// Only what belongs to this game.
        #[arg(long, value_name = "ID")]
        game: Option<Uuid>,
        /// From this position on.
        #[arg(long, value_name = "POSITION", default_value_t = 1)]
        from: u64,
        /// One JSON object a line instead, with the raw event, hashes, request ids and device sequences.
        #[arg(long)]
        json: bool,
    },
    /// Copy the journal, also of a running hub, into a folder that a hub can be started on.
    ///
    /// A folder that has an earlier copy is brought up to date. The copy is checked; keep the head that is printed with it.
    Backup {
        /// The folder; it is made if it is not there.
        folder: PathBuf,
    },
    /// Put back from a backup what is missing or damaged: all of the journal where there is none, otherwise only those files.
    ///
    /// For a hub that is stopped. The damaged files are moved aside, never removed; a journal that is whole is left alone.
    Restore {
        /// The folder that `flagfall journal backup` has made.
        backup: PathBuf,
    },
    /// Go on without entries that are lost: when the hub does not start because the journal is damaged and no backup is to be had.
    ///
    /// The damaged files are moved aside, never removed, and a note of it stands in the journal.
    AcceptLoss {
        /// The first position that is lost, as the hub's message names it.
        #[arg(long, value_name = "POSITION")]
        from: u64,
    },
}

impl JournalCommand {
    /// Does it, on the hub's data folder.
    pub fn run(&self, data: &Path) -> anyhow::Result<ExitCode> {
        match self {
            JournalCommand::Verify => {
                let report = store::verify(data).context("the journal cannot be verified")?;
                println!("{report}");
                Ok(if report.damage.is_none() {
                    ExitCode::SUCCESS
                } else {
                    ExitCode::FAILURE
                })
            }
            JournalCommand::Show {
                table,
                game,
                from,
                json,
            } => {
                let filter = ShowFilter {
                    table: *table,
                    game: *game,
                    from: *from,
                    json: *json,
                };
                let mut out = BufWriter::new(io::stdout().lock());
                let shown = store::show_told(data, &filter, &crate::hall::chronicle::told, &mut out);
                let flushed = out.flush();
                if [
                    shown.as_ref().err().and_then(printing),
                    flushed.as_ref().err().map(io::Error::kind),
                ]
                .contains(&Some(io::ErrorKind::BrokenPipe))
                {
                    // `| head` has seen enough.
                    return Ok(ExitCode::SUCCESS);
                }
                shown.context("the journal cannot be shown")?;
                flushed.context("printing failed")?;
                Ok(ExitCode::SUCCESS)
            }
            JournalCommand::Backup { folder } => {
                let copied = store::backup(data, folder).context("the journal was not copied")?;
                println!(
                    "copied to {}: {} segments, {} of them written now ({} bytes), all of them checked; head {} {}",
                    folder.display(),
                    copied.segments,
                    copied.written,
                    copied.bytes,
                    copied.head.position,
                    copied.head.hash
                );
                Ok(ExitCode::SUCCESS)
            }
            JournalCommand::Restore { backup } => {
                let now = crate::hall::clock::wall_ms();
                let restored = store::restore(backup, data, now).context("nothing was restored")?;
                for file in &restored.files {
                    println!("from the backup: {}", file.display());
                }
                if let Some(aside) = &restored.aside {
                    println!("the damaged files are in {}", aside.display());
                }
                if let Some(still) = restored.still {
                    eprintln!("the backup does not have all that is missing");
                    return Err(store::JournalError::Damaged(still).into());
                }
                println!(
                    "the journal is whole; head {} {}; the next start builds the state again where it has to",
                    restored.head.position, restored.head.hash
                );
                Ok(ExitCode::SUCCESS)
            }
            JournalCommand::AcceptLoss { from } => {
                let now = crate::hall::clock::wall_ms();
                let accepted = store::accept_loss(data, *from, now).context("the loss was not accepted")?;
                println!("{}", accepted.what);
                if let Some(aside) = accepted.aside {
                    println!("the damaged files are in {}", aside.display());
                }
                println!(
                    "the journal goes on from position {}; the next start builds the state again",
                    accepted.from
                );
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

fn printing(error: &store::JournalError) -> Option<io::ErrorKind> {
    match error {
        store::JournalError::Io {
            what: "printing",
            source,
            ..
        } => Some(source.kind()),
        _ => None,
    }
}
