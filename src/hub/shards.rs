//! The task that pumps one shard.

use std::time::Duration;

use futures::future::BoxFuture;
use futures::stream::{FuturesUnordered, StreamExt as _};
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::front::FrontInput;
use super::keep::{Keeper, Progress};
use super::mates::Searches;
use crate::game::input::Fact;
use crate::hall::HallHandle;
use crate::hall::clock::HallClock;
use crate::hall::shard::{CommitTicket, Shard, ShardEffect, ShardInput};
use crate::store::{Commit, CommitError, CommitHandle};
use crate::telemetry;

/// How often changed games are kept; until then a start replays them from the journal.
const KEEP_EVERY: Duration = Duration::from_secs(2);

/// An answer of a fuller search, on its way.
type Searched = BoxFuture<'static, ShardInput>;
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
    pub searches: Searches,
}

/// What a shard's task waits for.
#[derive(Default)]
struct Work {
    commits: FuturesUnordered<BoxFuture<'static, Committed>>,
    /// Not waited for at the end: what has no answer is asked again at the next start.
    searches: FuturesUnordered<Searched>,
    /// Durable, and in no kept value yet.
    unkept: Vec<Commit>,
}

impl ShardTask {
    /// Runs until the front drops its end, and then until everything is durable that was taken.
    pub async fn run(mut self) {
        let mut work = Work::default();
        let mut keep = tokio::time::interval(KEEP_EVERY);
        keep.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut open = true;
        while open || !work.commits.is_empty() {
            let deadline = self.shard.next_deadline();
            let alarm = async {
                match deadline {
                    Some(deadline) => tokio::time::sleep(self.clock.until(deadline)).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                Some(committed) = work.commits.next() => self.committed(committed, &mut work).await,
                input = self.inbox.recv(), if open => match input {
                    Some(input) => self.input(*input, &mut work).await,
                    None => open = false,
                },
                Some(searched) = work.searches.next(), if open => self.input(searched, &mut work).await,
                () = alarm, if open => self.input(ShardInput::Tick, &mut work).await,
                _ = keep.tick() => {
                    self.input(ShardInput::Keep, &mut work).await;
                    self.measure();
                }
            }
        }
        self.input(ShardInput::Keep, &mut work).await;
    }

    fn measure(&self) {
        let (items, parked) = self.shard.waiting();
        let shard = self.number.to_string();
        metrics::gauge!(telemetry::OPEN_ITEMS, "shard" => shard.clone()).set(items as f64);
        metrics::gauge!(telemetry::PARKED, "shard" => shard.clone()).set(parked as f64);
        metrics::gauge!(telemetry::QUEUE, "queue" => format!("shard {shard}")).set(self.inbox.len() as f64);
    }

    async fn committed(&mut self, (ticket, progress, asked, outcome): Committed, work: &mut Work) {
        let outcome = match outcome {
            Ok(commit) => {
                metrics::histogram!(telemetry::COMMIT_SECONDS).record(asked.elapsed().as_secs_f64());
                let positions = commit.positions();
                metrics::counter!(telemetry::COMMITS).increment(1);
                metrics::counter!(telemetry::ENTRIES).increment(positions.clone().count() as u64);
                self.keeper.progress(commit.last(), &progress);
                work.unkept.push(commit);
                Ok(positions)
            }
            Err(error) => Err(error.to_string()),
        };
        self.input(ShardInput::Committed { ticket, outcome }, work).await;
    }

    async fn input(&mut self, input: ShardInput, work: &mut Work) {
        let now = self.clock.now();
        for effect in self.shard.handle(now, input) {
            let to_front = match effect {
                ShardEffect::Commit { ticket, entries } => {
                    let commits = self.commits.clone();
                    let progress = Progress::of(&entries);
                    let asked = Instant::now();
                    work.commits.push(Box::pin(async move {
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
                    work.unkept.drain(..).for_each(Commit::folded);
                    continue;
                }
                ShardEffect::Search { table, game, question } => {
                    let at = question.at;
                    let asked = Instant::now();
                    let search = self.searches.clone().ask(question);
                    work.searches.push(Box::pin(async move {
                        let fact = search.await;
                        if let Fact::Verdict { evidence, .. } = &fact {
                            let took_ms = asked.elapsed().as_millis() as u64;
                            tracing::info!(table = table.0, game = %game, took_ms, %evidence, "a fuller search has answered");
                        }
                        ShardInput::Searched { table, game, at, fact }
                    }));
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
