//! The task that pumps one shard.

use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, StreamExt as _};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::front::FrontInput;
use super::keep::{Keeper, Progress};
use crate::hall::HallHandle;
use crate::hall::clock::HallClock;
use crate::hall::shard::{CommitTicket, Shard, ShardEffect, ShardInput};
use crate::store::{Commit, CommitError, CommitHandle};
use crate::telemetry;

/// How often changed games are kept; until then a start replays them from the journal.
const KEEP_EVERY: Duration = Duration::from_secs(2);

type Committed = (CommitTicket, Progress, Instant, Result<Commit, CommitError>);

/// One shard, and all it is tied to.
pub(super) struct ShardTask {
    pub number: usize,
    pub shard: Shard,
    pub inbox: mpsc::Receiver<Box<ShardInput>>,
    /// Bounded, and always read by the front: to wait here is never to wait for ourselves.
    pub front: mpsc::Sender<FrontInput>,
    pub hall: HallHandle,
    pub clock: HallClock,
    pub commits: CommitHandle,
    pub keeper: Keeper,
}

impl ShardTask {
    /// Runs until the front drops its end, and then until everything is durable that was taken.
    pub async fn run(mut self) {
        let mut under_way: FuturesUnordered<BoxFuture<'static, Committed>> = FuturesUnordered::new();
        // Durable, and in no kept value yet.
        let mut unkept: Vec<Commit> = Vec::new();
        let mut keep = tokio::time::interval(KEEP_EVERY);
        keep.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut open = true;
        while open || !under_way.is_empty() {
            let deadline = self.shard.next_deadline();
            let alarm = async {
                match deadline {
                    Some(deadline) => tokio::time::sleep(self.clock.until(deadline)).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                Some(committed) = under_way.next() => self.committed(committed, &mut unkept, &mut under_way).await,
                input = self.inbox.recv(), if open => match input {
                    Some(input) => self.input(*input, &mut unkept, &mut under_way).await,
                    None => open = false,
                },
                () = alarm, if open => self.input(ShardInput::Tick, &mut unkept, &mut under_way).await,
                _ = keep.tick() => {
                    self.input(ShardInput::Keep, &mut unkept, &mut under_way).await;
                    self.measure();
                }
            }
        }
        self.input(ShardInput::Keep, &mut unkept, &mut under_way).await;
    }

    fn measure(&self) {
        let (items, parked) = self.shard.waiting();
        let shard = self.number.to_string();
        metrics::gauge!(telemetry::OPEN_ITEMS, "shard" => shard.clone()).set(items as f64);
        metrics::gauge!(telemetry::PARKED, "shard" => shard.clone()).set(parked as f64);
        metrics::gauge!(telemetry::QUEUE, "queue" => format!("shard {shard}")).set(self.inbox.len() as f64);
    }

    async fn committed(
        &mut self,
        (ticket, progress, asked, outcome): Committed,
        unkept: &mut Vec<Commit>,
        under_way: &mut FuturesUnordered<BoxFuture<'static, Committed>>,
    ) {
        let outcome = match outcome {
            Ok(commit) => {
                metrics::histogram!(telemetry::COMMIT_SECONDS).record(asked.elapsed().as_secs_f64());
                let positions = commit.positions();
                metrics::counter!(telemetry::COMMITS).increment(1);
                metrics::counter!(telemetry::ENTRIES).increment(positions.clone().count() as u64);
                self.keeper.progress(commit.last(), &progress);
                unkept.push(commit);
                Ok(positions)
            }
            Err(error) => Err(error.to_string()),
        };
        self.input(ShardInput::Committed { ticket, outcome }, unkept, under_way)
            .await;
    }

    async fn input(
        &mut self,
        input: ShardInput,
        unkept: &mut Vec<Commit>,
        under_way: &mut FuturesUnordered<BoxFuture<'static, Committed>>,
    ) {
        let now = self.clock.now();
        for effect in self.shard.handle(now, input) {
            let to_front = match effect {
                ShardEffect::Commit { ticket, entries } => {
                    let commits = self.commits.clone();
                    let progress = Progress::of(&entries);
                    let asked = Instant::now();
                    under_way.push(Box::pin(async move {
                        (ticket, progress, asked, commits.commit(entries).await)
                    }));
                    continue;
                }
                ShardEffect::Arbiters { position, state } => {
                    self.hall.arbiters().publish(position, state.card.table, *state);
                    continue;
                }
                ShardEffect::Screens { position, state } => {
                    self.hall.screens().publish(position, state.table, *state);
                    continue;
                }
                ShardEffect::Keep { games } => {
                    for (position, kept) in games {
                        self.keeper.game(position, &kept);
                    }
                    unkept.drain(..).for_each(Commit::folded);
                    continue;
                }
                ShardEffect::Latency(span) => {
                    let real = span.0.max(0) as f64 / 1000.0 / self.clock.speed();
                    metrics::histogram!(telemetry::REPORT_SECONDS).record(real);
                    continue;
                }
                ShardEffect::Down(why) => {
                    tracing::error!(%why, "nothing is acknowledged any more");
                    continue;
                }
                ShardEffect::Seen(mark) => FrontInput::Seen(mark),
                ShardEffect::Order(order) => FrontInput::Order(Box::new(order)),
                ShardEffect::Answer { call, answer } => FrontInput::Answered { call, answer },
            };
            if self.front.send(to_front).await.is_err() {
                tracing::debug!("the front has ended before a shard");
            }
        }
    }
}
