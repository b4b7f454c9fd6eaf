//! `flagfall arbiter`: see tables, and rule.

mod notices;
mod show;

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, Subcommand};

use super::client::{Client, Hub};
use super::words::{Colour, Penalty, Promotion, Said, Seen, Time};
use crate::api::proto::arbiter::v1 as wire;
use crate::api::proto::feed::v1 as feed;
use crate::config::Language;

/// Rule at tables of a running hub.
#[derive(Clone, Debug, Args)]
pub struct ArbiterCommand {
    #[command(flatten)]
    hub: Hub,
    /// What items and rulings are explained in: en, sr, ru or pl; the hall's own language without it.
    #[arg(long, value_name = "LANGUAGE", global = true)]
    lang: Option<Language>,
    #[command(subcommand)]
    what: What,
}

/// The words for the record, and the revision that a ruling rests on.
#[derive(Clone, Debug, Args)]
struct Ruling {
    /// In your own words, for the record.
    #[arg(long, value_name = "TEXT", default_value = "")]
    reason: String,
    /// The revision that you have seen; what there is at this moment without it. A ruling on anything else is refused.
    #[arg(long, value_name = "N")]
    revision: Option<u64>,
}

/// The words for the record.
#[derive(Clone, Debug, Args)]
struct Reason {
    /// In your own words, for the record.
    #[arg(long, value_name = "TEXT", default_value = "")]
    reason: String,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// All tables, those that need an arbiter first.
    List {
        /// Only this event's.
        #[arg(long, value_name = "ID")]
        event: Option<String>,
        /// Only this part of the hall.
        #[arg(long, value_name = "NAME")]
        sector: Option<String>,
        /// Only tables with open items.
        #[arg(long)]
        items: bool,
    },
    /// What is wrong in the hall beyond single tables: lost devices, batteries, signals.
    Notices {
        /// Print them again whenever they change, until Ctrl-C.
        #[arg(long)]
        watch: bool,
    },
    /// All open items of the hall, explained.
    Items {
        /// Only this event's.
        #[arg(long, value_name = "ID")]
        event: Option<String>,
        /// Only this part of the hall.
        #[arg(long, value_name = "NAME")]
        sector: Option<String>,
    },
    /// One table: clocks, position, record, what waits for you.
    Show {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
    },
    /// Print what changes, until Ctrl-C.
    Watch {
        /// Only these tables.
        #[arg(value_parser = super::words::table)]
        tables: Vec<u32>,
    },
    /// Stop both clocks, at one table or many.
    Pause {
        /// The tables' numbers.
        #[arg(value_parser = super::words::table, required = true)]
        tables: Vec<u32>,
        #[command(flatten)]
        reason: Reason,
    },
    /// Let the time of the player on move run again.
    Resume {
        /// The tables' numbers.
        #[arg(value_parser = super::words::table, required = true)]
        tables: Vec<u32>,
        /// So much more for both players of each: `+2:00`.
        #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
        more: Option<Time>,
        #[command(flatten)]
        reason: Reason,
    },
    /// Change or set times: `--white +2:00 --black 5:00`.
    Adjust {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// White's new time, or with + or - the change.
        #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
        white: Option<Time>,
        /// Black's new time, or with + or - the change.
        #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
        black: Option<Time>,
        /// Moves that each has completed, for periods counted in moves.
        #[arg(long, value_name = "N")]
        moves_done: Option<u32>,
        #[command(flatten)]
        ruling: Ruling,
    },
    /// Carry out what an item proposes.
    Confirm {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// The item's number; the oldest one without it.
        item: Option<u64>,
        /// For `promotion`: the piece that it really is.
        #[arg(long, value_name = "PIECE")]
        piece: Option<Promotion>,
        #[command(flatten)]
        ruling: Ruling,
    },
    /// Drop an item.
    Dismiss {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// The item's number; the oldest one without it.
        item: Option<u64>,
        #[command(flatten)]
        ruling: Ruling,
    },
    /// "I am on it": tell the other arbiters.
    Take {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// The item's number; the oldest one without it.
        item: Option<u64>,
    },
    /// Say what a pawn became that no board has seen.
    Promotion {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// The half-move in the record, from 1.
        ply: u32,
        /// The piece.
        piece: Promotion,
        #[command(flatten)]
        reason: Reason,
    },
    /// Decide the game; also after its end.
    Result {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0 or 0-1/2.
        result: String,
        #[command(flatten)]
        ruling: Ruling,
    },
    /// Enter or mend a move of the side to move.
    Move {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// `e2e4`, `e7e8q` or SAN.
        #[arg(value_name = "MOVE")]
        mv: String,
        #[command(flatten)]
        ruling: Ruling,
    },
    /// Enter what a player said or did away from the clock.
    Fact {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// What.
        what: Said,
        /// Who.
        #[arg(long, value_name = "COLOUR")]
        by: Option<Colour>,
        /// The move that was written down, with a claim.
        #[arg(long, value_name = "MOVE")]
        intends: Option<String>,
    },
    /// Put the position back; times stay.
    Restore {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// So many half-moves of the record stay.
        #[arg(long, value_name = "PLIES", conflicts_with = "fen", required_unless_present = "fen")]
        keep: Option<u32>,
        /// To this position.
        #[arg(long, value_name = "FEN")]
        fen: Option<String>,
        #[command(flatten)]
        ruling: Ruling,
    },
    /// A penalty of 12.9: `warning`, `+2:00` for the opponent, `-2:00` off the offender's, `loss`.
    Penalise {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// Whom.
        of: Colour,
        /// How.
        #[arg(allow_hyphen_values = true)]
        penalty: Penalty,
        #[command(flatten)]
        ruling: Ruling,
    },
    /// You have seen it yourself.
    Observe {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// What.
        what: Seen,
        /// Of which player.
        #[arg(long, value_name = "COLOUR")]
        of: Option<Colour>,
        #[command(flatten)]
        reason: Reason,
    },
    /// Give back the last moment before the end (chief arbiter).
    Reopen {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        #[command(flatten)]
        ruling: Ruling,
    },
    /// A player is absent, or there.
    Presence {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// Who.
        who: Colour,
        /// Whether he is there.
        #[arg(value_parser = ["present", "absent"])]
        is: String,
        #[command(flatten)]
        reason: Reason,
    },

    /// The periods that the players are in, from 1.
    Periods {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// White's.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        white: Option<u32>,
        /// Black's.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        black: Option<u32>,
        #[command(flatten)]
        ruling: Ruling,
    },
    /// A half-move of the record was another one; those after it stay, and so do clocks.
    Mend {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// The half-move, from 1.
        ply: u32,
        /// `e2e4`, `e7e8q` or SAN.
        #[arg(value_name = "MOVE")]
        mv: String,
        #[command(flatten)]
        ruling: Ruling,
    },
    /// After which moves the position stood, as the claimant of a threefold repetition says; `show` has what the record says of each.
    Claimed {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// The item of the claim.
        item: u64,
        /// Move numbers.
        moves: Vec<u32>,
        #[command(flatten)]
        reason: Reason,
    },
    /// What the board shows on these squares counts for nothing; without any, all count again.
    Mask {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// `e4`: all that are masked from now on.
        squares: Vec<String>,
        #[command(flatten)]
        reason: Reason,
    },
    /// Go on without the table's board, or with it again.
    Board {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// Whether it is used.
        #[arg(value_parser = ["used", "unused"])]
        is: String,
        #[command(flatten)]
        reason: Reason,
    },
    /// A player appeals; play goes on, and the result is provisional until the appeal is closed.
    Appeal {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// Who.
        by: Colour,
        /// What he says.
        statement: String,
        /// What was paid for it.
        #[arg(long, value_name = "TEXT", default_value = "")]
        fee: String,
    },
    /// What somebody says about an appeal.
    AppealSay {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// Its number.
        appeal: u64,
        /// Who, in words.
        by: String,
        /// What.
        statement: String,
    },
    /// What became of an appeal (chief arbiter).
    AppealClose {
        /// The table's number.
        #[arg(value_parser = super::words::table)]
        table: u32,
        /// Its number.
        appeal: u64,
        /// How.
        #[arg(value_parser = ["upheld", "dismissed", "withdrawn"])]
        outcome: String,
        #[command(flatten)]
        reason: Reason,
    },
    /// Give a sector to another arbiter, or back to its own.
    HandOver {
        /// Which.
        sector: String,
        /// His name; nobody: back.
        to: Option<String>,
    },

    /// Something for the record that changes nothing.
    Note {
        /// The table's number.
        table: u32,
        /// In your own words.
        text: String,
    },
}

impl ArbiterCommand {
    /// Does it.
    pub async fn run(self) -> anyhow::Result<()> {
        let client = self.hub.connect().await?.speaking(self.lang);
        match self.what {
            What::List { event, sector, items } => show::list(&client, event, sector, items).await,
            What::Items { event, sector } => show::items(&client, event, sector).await,
            What::Show { table } => {
                let answer = game(&client, table).await?;
                client.print(&answer, show::game)
            }
            What::Watch { tables } => show::watch(&client, tables).await,
            What::Notices { watch: false } => notices::list(&client).await,
            What::Notices { watch: true } => notices::watch(&client).await,
            What::Pause { tables, reason } => pause(&client, tables, reason.reason).await,
            What::Resume { tables, more, reason } => resume(&client, tables, more, reason.reason).await,
            rest => rule(&client, rest).await,
        }
    }
}

async fn game(client: &Client, table: u32) -> anyhow::Result<wire::GetGameResponse> {
    let request = wire::GetGameRequest {
        which: Some(wire::get_game_request::Which::Table(table)),
    };
    client.answer(None, client.arbiter().get_game(request)).await
}

fn told(client: &Client, table: u32, receipt: Option<wire::Receipt>, done: &str) -> anyhow::Result<()> {
    let receipt = receipt.ok_or_else(|| anyhow!("the hub's answer has no receipt"))?;
    client.print(&receipt, |receipt| line(table, receipt, done))
}

fn line(table: u32, receipt: &wire::Receipt, done: &str) -> String {
    let note = if receipt.note.is_empty() {
        String::new()
    } else {
        format!(": {}", super::refused::shown(&receipt.note))
    };
    format!("Table {table}: {done}{note} (journal position {})", receipt.position)
}

/// Prints the answers of many tables; fails if one was refused.
fn told_many(client: &Client, answers: &[wire::TableAnswer], done: &str) -> anyhow::Result<()> {
    super::round::answers(client, answers, done)
}

async fn pause(client: &Client, tables: Vec<u32>, reason: String) -> anyhow::Result<()> {
    let request_id = client.request_id();
    let id = Some(request_id.as_str());
    if let [table] = tables[..] {
        let request = wire::PauseGameRequest {
            request_id: request_id.clone(),
            reason,
            table,
        };
        let answer = client.answer(id, client.arbiter().pause_game(request)).await?;
        return told(client, table, answer.receipt, "paused");
    }
    let request = wire::PauseTablesRequest {
        request_id: request_id.clone(),
        reason,
        tables,
    };
    let answer = client.answer(id, client.arbiter().pause_tables(request)).await?;
    told_many(client, &answer.answers, "paused")
}

async fn resume(client: &Client, tables: Vec<u32>, more: Option<Time>, reason: String) -> anyhow::Result<()> {
    let add_ms = match more {
        None => 0,
        Some(Time::By(ms)) if ms > 0 => ms,
        Some(_) => bail!("--more is what both get in addition, as in `+2:00`"),
    };
    let request_id = client.request_id();
    let id = Some(request_id.as_str());
    if let ([table], 0) = (&tables[..], add_ms) {
        let table = *table;
        let request = wire::ResumeGameRequest {
            request_id: request_id.clone(),
            reason,
            table,
        };
        let answer = client.answer(id, client.arbiter().resume_game(request)).await?;
        return told(client, table, answer.receipt, "resumed");
    }
    let request = wire::ResumeTablesRequest {
        request_id: request_id.clone(),
        reason,
        tables,
        add_ms,
    };
    let answer = client.answer(id, client.arbiter().resume_tables(request)).await?;
    told_many(client, &answer.answers, "resumed")
}

/// The table's ruling revision: the one given, or what it is now.
async fn revision(client: &Client, table: u32, given: Option<u64>) -> anyhow::Result<u64> {
    match given {
        Some(revision) => Ok(revision),
        None => Ok(now(client, table).await?.revision),
    }
}

async fn now(client: &Client, table: u32) -> anyhow::Result<wire::Game> {
    let answer = game(client, table).await?;
    answer
        .table
        .and_then(|table| table.game)
        .with_context(|| format!("no game is at table {table}: arm its round first"))
}

/// The item meant, and its revision: the one given, or what it is now.
async fn item(client: &Client, table: u32, number: Option<u64>, given: Option<u64>) -> anyhow::Result<wire::Item> {
    let game = now(client, table).await?;
    let mut item = match number {
        Some(number) => game.items.into_iter().find(|item| item.number == number),
        None => game.items.into_iter().next(),
    }
    .with_context(|| match number {
        Some(number) => format!("table {table} has no open item {number}: see `flagfall arbiter show {table}`"),
        None => format!("table {table} has no open item: there is nothing to decide"),
    })?;
    item.revision = given.unwrap_or(item.revision);
    Ok(item)
}

async fn rule(client: &Client, what: What) -> anyhow::Result<()> {
    let request_id = client.request_id();
    let id = request_id.clone();
    let id = Some(id.as_str());
    let mut hub = client.arbiter();
    let (table, receipt, done) = match what {
        What::Adjust {
            table,
            white,
            black,
            moves_done,
            ruling,
        } => {
            let sets = [white, black].iter().flatten().any(|time| matches!(time, Time::To(_))) || moves_done.is_some();
            let revision = if sets {
                Some(revision(client, table, ruling.revision).await?)
            } else {
                ruling.revision
            };
            let request = wire::AdjustClocksRequest {
                request_id,
                reason: ruling.reason,
                table,
                revision,
                white: white.map(Into::into),
                black: black.map(Into::into),
                moves_done,
            };
            (
                table,
                client.answer(id, hub.adjust_clocks(request)).await?.receipt,
                "adjusted".to_owned(),
            )
        }
        What::Confirm {
            table,
            item: number,
            piece,
            ruling,
        } => {
            let item = item(client, table, number, ruling.revision).await?;
            let request = wire::ConfirmItemRequest {
                request_id,
                reason: ruling.reason,
                table,
                item: item.number,
                item_revision: item.revision,
                promotion: piece.map_or(wire::PromotionPiece::Unspecified, Into::into).into(),
            };
            let receipt = client.answer(id, hub.confirm_item(request)).await?.receipt;
            (
                table,
                receipt,
                format!("confirmed {} ({}): {}", item.number, item.kind, item.proposal),
            )
        }
        What::Dismiss {
            table,
            item: number,
            ruling,
        } => {
            let item = item(client, table, number, ruling.revision).await?;
            let request = wire::DismissItemRequest {
                request_id,
                reason: ruling.reason,
                table,
                item: item.number,
                item_revision: item.revision,
            };
            let receipt = client.answer(id, hub.dismiss_item(request)).await?.receipt;
            (table, receipt, format!("dismissed {} ({})", item.number, item.kind))
        }
        What::Take { table, item: number } => {
            let item = item(client, table, number, None).await?;
            let request = wire::TakeItemRequest {
                request_id,
                table,
                item: item.number,
            };
            let receipt = client.answer(id, hub.take_item(request)).await?.receipt;
            (
                table,
                receipt,
                format!("you are on {} ({}): {}", item.number, item.kind, item.what),
            )
        }
        What::Promotion {
            table,
            ply,
            piece,
            reason,
        } => {
            let piece = wire::PromotionPiece::from(piece).into();
            let request = wire::ConfirmPromotionRequest {
                request_id,
                reason: reason.reason,
                table,
                revision: None,
                ply,
                piece,
            };
            (
                table,
                client.answer(id, hub.confirm_promotion(request)).await?.receipt,
                "promotion noted".to_owned(),
            )
        }
        What::Result { table, result, ruling } => {
            let revision = revision(client, table, ruling.revision).await?;
            let done = format!("result {result}");
            let request = wire::SetResultRequest {
                request_id,
                reason: ruling.reason,
                table,
                revision,
                result,
                game: String::new(),
            };
            (table, client.answer(id, hub.set_result(request)).await?.receipt, done)
        }
        What::Move { table, mv, ruling } => {
            let revision = Some(revision(client, table, ruling.revision).await?);
            let done = format!("move {mv} entered");
            let request = wire::EnterMoveRequest {
                request_id,
                reason: ruling.reason,
                table,
                revision,
                r#move: mv,
            };
            (table, client.answer(id, hub.enter_move(request)).await?.receipt, done)
        }
        What::Fact {
            table,
            what,
            by,
            intends,
        } => {
            let by = by.map_or(feed::Color::Unspecified, Into::into).into();
            let kind = wire::FactKind::from(what).into();
            let request = wire::EnterFactRequest {
                request_id,
                table,
                kind,
                by,
                intends: intends.unwrap_or_default(),
            };
            (
                table,
                client.answer(id, hub.enter_fact(request)).await?.receipt,
                "entered".to_owned(),
            )
        }
        What::Restore {
            table,
            keep,
            fen,
            ruling,
        } => {
            use wire::restore_position_request::To;
            let revision = revision(client, table, ruling.revision).await?;
            let to = keep.map(To::KeepPlies).or(fen.map(To::Fen));
            let request = wire::RestorePositionRequest {
                request_id,
                reason: ruling.reason,
                table,
                revision,
                to,
            };
            (
                table,
                client.answer(id, hub.restore_position(request)).await?.receipt,
                "position restored".to_owned(),
            )
        }
        What::Penalise {
            table,
            of,
            penalty,
            ruling,
        } => {
            let revision = if penalty == Penalty::Loss {
                Some(revision(client, table, ruling.revision).await?)
            } else {
                ruling.revision
            };
            let request = wire::PenaliseRequest {
                request_id,
                reason: ruling.reason,
                table,
                revision,
                of: feed::Color::from(of).into(),
                penalty: Some(penalty.into()),
            };
            (
                table,
                client.answer(id, hub.penalise(request)).await?.receipt,
                "penalty given".to_owned(),
            )
        }
        What::Observe {
            table,
            what,
            of,
            reason,
        } => {
            let request = wire::ObserveRequest {
                request_id,
                reason: reason.reason,
                table,
                what: wire::Observation::from(what).into(),
                of: of.map_or(feed::Color::Unspecified, Into::into).into(),
            };
            (
                table,
                client.answer(id, hub.observe(request)).await?.receipt,
                "observed".to_owned(),
            )
        }
        What::Reopen { table, ruling } => {
            let revision = revision(client, table, ruling.revision).await?;
            let request = wire::ReopenGameRequest {
                request_id,
                reason: ruling.reason,
                table,
                revision,
            };
            (
                table,
                client.answer(id, hub.reopen_game(request)).await?.receipt,
                "reopened, clocks standing".to_owned(),
            )
        }
        What::Periods {
            table,
            white,
            black,
            ruling,
        } => {
            let request = wire::SetPeriodsRequest {
                request_id,
                reason: ruling.reason,
                table,
                revision: revision(client, table, ruling.revision).await?,
                white: white.map(|period| period - 1),
                black: black.map(|period| period - 1),
            };
            let receipt = client.answer(id, hub.set_periods(request)).await?.receipt;
            (table, receipt, "periods set".to_owned())
        }
        What::Mend { table, ply, mv, ruling } => {
            let request = wire::MendMoveRequest {
                request_id,
                reason: ruling.reason,
                table,
                revision: revision(client, table, ruling.revision).await?,
                ply,
                r#move: mv,
            };
            let receipt = client.answer(id, hub.mend_move(request)).await?.receipt;
            (table, receipt, "mended".to_owned())
        }
        What::Claimed {
            table,
            item,
            moves,
            reason,
        } => {
            let request = wire::EnterClaimedMovesRequest {
                request_id,
                reason: reason.reason,
                table,
                item,
                moves,
            };
            let receipt = client.answer(id, hub.enter_claimed_moves(request)).await?.receipt;
            (table, receipt, "entered".to_owned())
        }
        What::Mask { table, squares, reason } => {
            let done = if squares.is_empty() {
                "all squares count"
            } else {
                "masked"
            };
            let request = wire::MaskSquaresRequest {
                request_id,
                reason: reason.reason,
                table,
                squares,
            };
            let receipt = client.answer(id, hub.mask_squares(request)).await?.receipt;
            (table, receipt, done.to_owned())
        }
        What::Board { table, is, reason } => {
            let request = wire::UseBoardRequest {
                request_id,
                reason: reason.reason,
                table,
                used: is == "used",
            };
            let receipt = client.answer(id, hub.use_board(request)).await?.receipt;
            (table, receipt, format!("its board is {is}"))
        }
        What::Appeal {
            table,
            by,
            statement,
            fee,
        } => {
            let request = wire::LodgeAppealRequest {
                request_id,
                table,
                by: feed::Color::from(by).into(),
                lodged_ms: None,
                fee,
                deadline_ms: None,
                statement,
            };
            let receipt = client.answer(id, hub.lodge_appeal(request)).await?.receipt;
            (table, receipt, "appeal lodged".to_owned())
        }
        What::AppealSay {
            table,
            appeal,
            by,
            statement,
        } => {
            let request = wire::AddAppealStatementRequest {
                request_id,
                table,
                appeal,
                by,
                statement,
            };
            let receipt = client.answer(id, hub.add_appeal_statement(request)).await?.receipt;
            (table, receipt, "written down".to_owned())
        }
        What::AppealClose {
            table,
            appeal,
            outcome,
            reason,
        } => {
            let how = match outcome.as_str() {
                "upheld" => wire::AppealOutcome::Upheld,
                "dismissed" => wire::AppealOutcome::Dismissed,
                _ => wire::AppealOutcome::Withdrawn,
            };
            let request = wire::CloseAppealRequest {
                request_id,
                reason: reason.reason,
                table,
                appeal,
                outcome: how.into(),
            };
            let receipt = client.answer(id, hub.close_appeal(request)).await?.receipt;
            (table, receipt, format!("appeal {appeal} {outcome}"))
        }
        What::HandOver { sector, to } => {
            let request = wire::HandOverSectorRequest {
                request_id,
                sector: sector.clone(),
                to: to.clone().unwrap_or_default(),
            };
            let answer = client.answer(id, hub.hand_over_sector(request)).await?;
            return client.print(&answer, |_| {
                format!(
                    "Sector {sector}: {}",
                    to.as_deref().unwrap_or("back to its own arbiter")
                )
            });
        }
        What::Note { table, text } => {
            let request = wire::AddNoteRequest {
                request_id,
                table,
                text,
                revision: None,
                game: String::new(),
            };
            (
                table,
                client.answer(id, hub.add_note(request)).await?.receipt,
                "noted".to_owned(),
            )
        }
        What::Presence { table, who, is, reason } => {
            let request = wire::SetPresenceRequest {
                request_id,
                reason: reason.reason,
                table,
                who: feed::Color::from(who).into(),
                present: is == "present",
            };
            (
                table,
                client.answer(id, hub.set_presence(request)).await?.receipt,
                format!("marked {is}"),
            )
        }
        What::List { .. }
        | What::Items { .. }
        | What::Show { .. }
        | What::Watch { .. }
        | What::Notices { .. }
        | What::Pause { .. }
        | What::Resume { .. } => {
            bail!("not a ruling")
        }
    };
    told(client, table, receipt, &super::refused::shown(&done))
}
