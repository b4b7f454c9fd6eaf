//! The simulated arbiter: what he does at a table when he is called, sees an item or hears that the players are through.

use std::collections::BTreeSet;
use std::time::Duration;

use shakmaty::{Color, Role};
use tokio::time::Instant;

use crate::api::proto::arbiter::v1 as wire;
use crate::api::proto::feed::v1 as feed;

use super::office::{Office, Trouble, request_id};
use super::plan::{Call, Ending, Game};

/// How often he looks while he waits for something.
const LOOK: Duration = Duration::from_millis(50);

/// The arbiter at one table, for one game.
pub struct Arbiter<'a> {
    office: &'a Office,
    table: u32,
    game: &'a Game,
    flagged: bool,
    /// Items that he had no business with, by number.
    reported: BTreeSet<u64>,
    /// What they were.
    pub unexpected: Vec<String>,
}

impl<'a> Arbiter<'a> {
    /// At this table, for this game.
    pub fn new(office: &'a Office, table: u32, game: &'a Game) -> Arbiter<'a> {
        Arbiter {
            office,
            table,
            game,
            flagged: false,
            reported: BTreeSet::new(),
            unexpected: Vec::new(),
        }
    }

    /// The game as it stands.
    pub async fn look(&self) -> Result<wire::Game, Trouble> {
        use wire::get_game_request::Which;
        let answer = self.office.call("GetGame", |mut office| async move {
            office
                .arbiter
                .get_game(wire::GetGameRequest {
                    which: Some(Which::Table(self.table)),
                })
                .await
        });
        let table = answer.await?.table.unwrap_or_default();
        table
            .game
            .ok_or_else(|| Trouble::Stuck(format!("table {}: its game is gone", self.table)))
    }

    /// Another arbiter who has ruled in this game, if one has.
    pub async fn ruled_by_another(&self, own: &str) -> Result<Option<String>, Trouble> {
        use wire::get_game_request::Which;
        let answer = self.office.call("GetGame", |mut office| async move {
            office
                .arbiter
                .get_game(wire::GetGameRequest {
                    which: Some(Which::Table(self.table)),
                })
                .await
        });
        let rulings = answer.await?.rulings;
        let other = rulings
            .into_iter()
            .find(|ruling| ruling.author != own && ruling.author != "regulations");
        Ok(other.map(|ruling| ruling.author))
    }

    /// Looks until something is so; the last look when it does not become so in time.
    async fn until(&self, most: Duration, so: impl Fn(&wire::Game) -> bool) -> Result<(wire::Game, bool), Trouble> {
        let began = Instant::now();
        loop {
            let game = self.look().await?;
            if so(&game) {
                return Ok((game, true));
            }
            if began.elapsed() > most {
                return Ok((game, false));
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// A player has stopped the clocks and called: a time is corrected, and the game goes on.
    pub async fn correct(&mut self, call: Call) -> Result<(), Trouble> {
        let (game, stopped) = self.until(Duration::from_secs(60), called).await?;
        if !stopped {
            return Err(Trouble::Stuck(format!(
                "table {}: the clocks were stopped at the table, the hub does not know",
                self.table
            )));
        }
        let (id, change) = (
            request_id(),
            wire::TimeChange {
                change: Some(wire::time_change::Change::AddMs(call.by_ms)),
            },
        );
        let (white, black) = match call.side {
            Color::White => (Some(change), None),
            Color::Black => (None, Some(change)),
        };
        let request = wire::AdjustClocksRequest {
            request_id: id,
            reason: "the clock was wrong".to_owned(),
            table: self.table,
            white,
            black,
            ..wire::AdjustClocksRequest::default()
        };
        self.office
            .call("AdjustClocks", |mut office| {
                let request = request.clone();
                async move { office.arbiter.adjust_clocks(request).await }
            })
            .await?;
        // The clock on the table has to have done it.
        self.until(Duration::from_secs(60), |game| game.orders.is_empty())
            .await?;
        for item in game.items.iter().filter(|item| item.kind == "call") {
            self.dismiss(item).await?;
        }
        let request = wire::ResumeGameRequest {
            request_id: request_id(),
            reason: String::new(),
            table: self.table,
        };
        self.office
            .call("ResumeGame", |mut office| {
                let request = request.clone();
                async move { office.arbiter.resume_game(request).await }
            })
            .await?;
        Ok(())
    }

    /// A flag has fallen at the table. True when the plan knows of it.
    pub fn flag_fell(&mut self, of: Color) -> bool {
        self.flagged = true;
        let mover = self.game.turns.last().map_or(Color::White, |last| last.by.other());
        matches!(self.game.ending, Ending::Flag { .. }) && of == mover
    }

    /// Deals with what waits for him. True when the result stands.
    pub async fn deal_with(&mut self, game: &wire::Game) -> Result<bool, Trouble> {
        for item in &game.items {
            match item.kind.as_str() {
                // Dealt with below: a game that has ended has no items, and may have such a piece still.
                "promotion" => {}
                "flag" if self.flagged && item.certain => self.confirm(item).await?,
                // Called for: it has been, or is being, dealt with by whoever was called.
                "call" | "result-signal" => {}
                // Suspected only until the clock has been heard.
                "flag" if !item.certain => {}
                _ if game.result != "*" => {}
                // Closed by the hub itself when the network is back.
                "silent-device" | "clock-renewed" => {}
                _ => {
                    if self.reported.insert(item.number) {
                        let place = format!("{} table {}", self.game.source, self.table);
                        self.unexpected.push(format!(
                            "{place}: {} after half-move {}: {}",
                            item.kind,
                            game.moves.len(),
                            item.what
                        ));
                    }
                }
            }
        }
        self.promotions(game).await?;
        Ok(game.result != "*")
    }

    /// The promoted pieces that the board could not see.
    async fn promotions(&self, game: &wire::Game) -> Result<(), Trouble> {
        for (at, mv) in game.moves.iter().enumerate() {
            let role = self.game.turns.get(at).and_then(|turn| turn.mv.promotion());
            let (true, Some(role)) = (mv.promotion_unconfirmed, role) else {
                continue;
            };
            let piece = match role {
                Role::Rook => wire::PromotionPiece::Rook,
                Role::Bishop => wire::PromotionPiece::Bishop,
                Role::Knight => wire::PromotionPiece::Knight,
                _ => wire::PromotionPiece::Queen,
            };
            let request = wire::ConfirmPromotionRequest {
                request_id: request_id(),
                reason: "seen at the board".to_owned(),
                table: self.table,
                revision: None,
                ply: at as u32 + 1,
                piece: piece.into(),
            };
            let answer = self.office.call("ConfirmPromotion", |mut office| {
                let request = request.clone();
                async move { office.arbiter.confirm_promotion(request).await }
            });
            forgive(answer.await.map(drop), &["STALE_REVISION", "NOT_FOUND", "WRONG_STATE"])?;
        }
        Ok(())
    }

    async fn confirm(&self, item: &wire::Item) -> Result<(), Trouble> {
        let request = wire::ConfirmItemRequest {
            request_id: request_id(),
            reason: "seen at the table".to_owned(),
            table: self.table,
            item: item.number,
            item_revision: item.revision,
            promotion: wire::PromotionPiece::Unspecified.into(),
        };
        let answer = self.office.call("ConfirmItem", |mut office| {
            let request = request.clone();
            async move { office.arbiter.confirm_item(request).await }
        });
        // What he saw has changed or is dealt with: he looks again.
        forgive(answer.await.map(drop), &["STALE_REVISION", "NOT_FOUND"])
    }

    async fn dismiss(&self, item: &wire::Item) -> Result<(), Trouble> {
        let request = wire::DismissItemRequest {
            request_id: request_id(),
            reason: "dealt with at the table".to_owned(),
            table: self.table,
            item: item.number,
            item_revision: item.revision,
        };
        let answer = self.office.call("DismissItem", |mut office| {
            let request = request.clone();
            async move { office.arbiter.dismiss_item(request).await }
        });
        forgive(answer.await.map(drop), &["STALE_REVISION", "NOT_FOUND"])
    }

    /// The players are through. The hub is given time to have heard it all; then the result is entered where it does not stand.
    pub async fn conclude(&mut self) -> Result<(), Trouble> {
        let planned = self.game.turns.len();
        let stopped = matches!(self.game.ending, Ending::Decided { .. });
        let by_itself = matches!(self.game.ending, Ending::OnTheBoard(_) | Ending::Flag { .. });
        let heard = |game: &wire::Game| {
            // Without a board there are only presses to count; with one, a press waits for what the board shows.
            let moves = match game.moves.len() {
                0 => (game.completed_white + game.completed_black) as usize,
                moves => moves,
            };
            let last_pressed = game.moves.last().is_none_or(|mv| mv.clock_ms.is_some());
            let stands = !stopped || called(game);
            game.result != "*" || !by_itself && moves >= planned && last_pressed && stands
        };
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(30) {
            let (game, _) = self.until(Duration::from_secs(1), heard).await?;
            self.deal_with(&game).await?;
            if heard(&game) {
                break;
            }
        }
        let began = Instant::now();
        loop {
            let game = self.look().await?;
            self.deal_with(&game).await?;
            if game.result != "*" {
                return Ok(());
            }
            let request = wire::SetResultRequest {
                request_id: request_id(),
                reason: "as the players reported".to_owned(),
                table: self.table,
                revision: game.revision,
                result: self.game.result.clone(),
                game: String::new(),
            };
            let answer = self.office.call("SetResult", |mut office| {
                let request = request.clone();
                async move { office.arbiter.set_result(request).await }
            });
            forgive(answer.await.map(drop), &["STALE_REVISION"])?;
            if began.elapsed() > Duration::from_secs(30) {
                return Err(Trouble::Stuck(format!(
                    "table {}: a result was entered and does not stand",
                    self.table
                )));
            }
        }
    }
}

/// The hub has heard that the clocks were stopped to call the arbiter.
fn called(game: &wire::Game) -> bool {
    let stand = |clocks: feed::Clocks| clocks.running == feed::Color::Unspecified as i32;
    game.clocks.is_some_and(stand) && game.items.iter().any(|item| item.kind == "call")
}

/// These refusals mean that something has changed meanwhile.
fn forgive(answer: Result<(), Trouble>, reasons: &[&str]) -> Result<(), Trouble> {
    match answer {
        Err(Trouble::Refused { status, .. }) if reasons.contains(&status.reason.as_str()) => Ok(()),
        other => other,
    }
}
