//! The task that pumps the front.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::front::{Front, FrontEffect, FrontInput};
use super::keep::Keeper;
use crate::device::link::{LinkEvent, LinkHandle, NotSent};
use crate::device::permit::Credentials;
use crate::hall::call::{Answer, CallError, CallReason, Command};
use crate::hall::clock::{HallClock, wall_ms};
use crate::hall::handle::{Asked, HallHandle};
use crate::hall::ids::GameId;
use crate::hall::registry::Part;
use crate::hall::secrets::Chance;
use crate::hall::shard::{CallTicket, ShardInput};
use crate::store::{Commit, CommitError, CommitHandle};
use crate::telemetry;

const MEASURE_EVERY: Duration = Duration::from_secs(2);
/// What is with the journal when the hub stops gets so long.
const STOPPING: Duration = Duration::from_secs(5);

/// A shard's inbox. What does not fit waits here, and while anything waits nothing new is taken in: the broker and the callers
/// wait then, and the devices keep their reports.
pub(super) struct Outlet {
    pub shard: mpsc::Sender<Box<ShardInput>>,
    pub backlog: VecDeque<Box<ShardInput>>,
}

/// The front, and all it is tied to.
pub(super) struct FrontTask {
    pub front: Front,
    pub outlets: Vec<Outlet>,
    pub from_shards: mpsc::Receiver<FrontInput>,
    pub calls: mpsc::Receiver<Asked>,
    pub link: LinkHandle,
    pub events: mpsc::Receiver<LinkEvent>,
    pub hall: HallHandle,
    pub clock: HallClock,
    pub commits: CommitHandle,
    pub keeper: Keeper,
    /// The embedded broker's, where there is one.
    pub credentials: Option<Credentials>,
    pub stop: CancellationToken,
}

type DeskCommit = BoxFuture<'static, Result<Commit, CommitError>>;

struct Answers(HashMap<CallTicket, oneshot::Sender<Result<Answer, CallError>>>);

impl FrontTask {
    /// Runs until it is stopped; then commits what is in, tells the devices, and ends.
    pub async fn run(mut self, registry_position: u64) {
        let mut answers = Answers(HashMap::new());
        let mut desk: Option<DeskCommit> = None;
        let begin = self.front.begin(registry_position);
        self.effects(begin, &mut answers, &mut desk);
        let mut measure = tokio::time::interval(MEASURE_EVERY);
        loop {
            let blocked = self.outlets.iter().position(|outlet| !outlet.backlog.is_empty());
            let deadline = self.front.next_deadline();
            let now = self.clock;
            let alarm = async {
                match deadline {
                    Some(deadline) => tokio::time::sleep(now.until(deadline)).await,
                    None => std::future::pending().await,
                }
            };
            let room = blocked.map(|at| self.outlets[at].shard.clone());
            tokio::select! {
                biased;
                () = self.stop.cancelled() => break,
                Some(input) = self.from_shards.recv() => self.input(input, &mut answers, &mut desk),
                outcome = commit(&mut desk), if desk.is_some() => {
                    desk = None;
                    self.desk_committed(outcome, &mut answers, &mut desk);
                }
                true = has_room(room), if blocked.is_some() => self.flush(),
                () = alarm => self.input(FrontInput::Tick, &mut answers, &mut desk),
                _ = measure.tick() => self.measure(),
                Some(event) = self.events.recv(), if blocked.is_none() => self.link_event(event, &mut answers, &mut desk),
                Some((call, answer)) = self.calls.recv(), if blocked.is_none() => {
                    let ticket = self.front.ticket();
                    answers.0.insert(ticket, answer);
                    match chance() {
                        Ok(chance) => {
                            let over = self.over(&call.command);
                            let input = FrontInput::Call { call: ticket, what: Box::new(call), chance, over };
                            self.input(input, &mut answers, &mut desk);
                        }
                        Err(error) => answers.give(ticket, Err(error)),
                    }
                }
            }
        }
        let ending = self.end(answers, desk);
        if tokio::time::timeout(STOPPING, ending).await.is_err() {
            tracing::warn!(
                "the journal did not take everything in time; what was not acknowledged comes again from the devices"
            );
        }
    }

    /// Takes nothing more, and lets the shards finish.
    async fn end(mut self, mut answers: Answers, mut desk: Option<DeskCommit>) {
        self.calls.close();
        while let Some(at) = self.outlets.iter().position(|outlet| !outlet.backlog.is_empty()) {
            let outlet = &mut self.outlets[at];
            let next = outlet.backlog.pop_front();
            if let Some(next) = next
                && outlet.shard.send(next).await.is_err()
            {
                outlet.backlog.clear();
            }
        }
        if let Some(commit) = desk.take() {
            let outcome = commit.await;
            self.desk_committed(outcome, &mut answers, &mut desk);
        }
        // Without senders the shards end when they are done, and then this channel does.
        self.outlets.clear();
        while let Some(input) = self.from_shards.recv().await {
            self.input(input, &mut answers, &mut desk);
        }
        self.input(FrontInput::Stopping, &mut answers, &mut desk);
        let stopping = || {
            CallError::new(
                CallReason::Stopping,
                "the hub is stopping; ask again when it is back, with the same request id",
            )
        };
        for (_, answer) in answers.0.drain() {
            tell(answer, Err(stopping()));
        }
        self.link.close().await;
    }

    /// The games that have their results, though their rounds go on: a round's call looks at them.
    fn over(&self, command: &Command) -> Arc<BTreeSet<GameId>> {
        let asks = matches!(
            command,
            Command::ArmRound { .. }
                | Command::StartRound { .. }
                | Command::AddPairing { .. }
                | Command::ImportRound { .. }
        );
        if !asks {
            return Arc::default();
        }
        let (_, tables) = self.hall.arbiters().all();
        let over = tables.into_iter().filter(|(_, table)| table.view.result != "*");
        Arc::new(over.filter_map(|(_, table)| table.card.game).collect())
    }

    fn input(&mut self, input: FrontInput, answers: &mut Answers, desk: &mut Option<DeskCommit>) {
        let effects = self.front.handle(self.clock.now(), input);
        self.effects(effects, answers, desk);
    }

    fn effects(&mut self, effects: Vec<FrontEffect>, answers: &mut Answers, desk: &mut Option<DeskCommit>) {
        for effect in effects {
            match effect {
                FrontEffect::Shard(at, input) => {
                    if let Some(outlet) = self.outlets.get_mut(at) {
                        outlet.backlog.push_back(input);
                    }
                }
                FrontEffect::Send(topic, payload) => match self.link.send(topic, payload) {
                    // What was meant for a device comes again by its own rules.
                    Ok(()) | Err(NotSent::Down) => {}
                    Err(NotSent::Full) => tracing::warn!("too many messages wait for the broker: one was dropped"),
                },
                FrontEffect::Commit(entries) => {
                    let commits = self.commits.clone();
                    *desk = Some(Box::pin(async move { commits.commit(entries).await }));
                }
                FrontEffect::Registry {
                    position,
                    registry,
                    parts,
                } => {
                    for part in &parts {
                        if let (Part::Device(id), Some(credentials)) = (part, &self.credentials) {
                            match registry.devices.get(id) {
                                Some(device) => {
                                    credentials.set(id.clone(), device.credential.clone(), device.speaks_for.clone());
                                }
                                None => credentials.revoke(id),
                            }
                        }
                    }
                    let seats = parts.iter().filter_map(|part| match part {
                        Part::Game(game) => registry.games.get(game),
                        _ => None,
                    });
                    self.keeper.registry(position, &registry, seats);
                    self.hall.set_registry(registry);
                }
                FrontEffect::Answer { call, answer } => answers.give(call, answer),
                FrontEffect::Health(health) => self.hall.set_device(*health),
                FrontEffect::Notices(notices) => self.hall.set_notices(notices),
            }
        }
        self.flush();
    }

    /// Gives the shards what they have room for.
    fn flush(&mut self) {
        for outlet in &mut self.outlets {
            while let Some(next) = outlet.backlog.pop_front() {
                if let Err(mpsc::error::TrySendError::Full(next)) = outlet.shard.try_send(next) {
                    outlet.backlog.push_front(next);
                    break;
                }
            }
        }
    }

    fn desk_committed(
        &mut self,
        outcome: Result<Commit, CommitError>,
        answers: &mut Answers,
        desk: &mut Option<DeskCommit>,
    ) {
        // Told as folded when the registry has been put.
        let (outcome, commit) = match outcome {
            Ok(commit) => (Ok(commit.positions()), Some(commit)),
            Err(error) => (Err(error.to_string()), None),
        };
        self.input(FrontInput::DeskCommitted { outcome }, answers, desk);
        if let Some(commit) = commit {
            commit.folded();
        }
    }

    fn link_event(&mut self, event: LinkEvent, answers: &mut Answers, desk: &mut Option<DeskCommit>) {
        let input = match event {
            LinkEvent::Up { .. } => FrontInput::LinkUp,
            LinkEvent::Down { .. } => FrontInput::LinkDown,
            LinkEvent::Message {
                device,
                up,
                retained,
                payload,
                ..
            } => FrontInput::Message {
                device,
                up,
                retained,
                payload,
            },
        };
        self.input(input, answers, desk);
    }

    fn measure(&self) {
        metrics::gauge!(telemetry::DEVICES_ONLINE).set(self.front.online() as f64);
        metrics::gauge!(telemetry::QUEUE, "queue" => "link").set(self.events.len() as f64);
        metrics::gauge!(telemetry::QUEUE, "queue" => "calls").set(self.calls.len() as f64);
    }
}

impl Answers {
    fn give(&mut self, call: CallTicket, answer: Result<Answer, CallError>) {
        if let Some(waits) = self.0.remove(&call) {
            tell(waits, answer);
        }
    }
}

fn tell(waits: oneshot::Sender<Result<Answer, CallError>>, answer: Result<Answer, CallError>) {
    if waits.send(answer).is_err() {
        tracing::debug!("whoever called did not wait for the answer");
    }
}

async fn commit(desk: &mut Option<DeskCommit>) -> Result<Commit, CommitError> {
    match desk {
        Some(commit) => commit.await,
        None => std::future::pending().await,
    }
}

/// Waits until a shard's inbox has room again (or is gone, and then nothing is to be waited for).
async fn has_room(shard: Option<mpsc::Sender<Box<ShardInput>>>) -> bool {
    match shard {
        Some(shard) => {
            let _room = shard.reserve().await;
            true
        }
        None => std::future::pending().await,
    }
}

fn chance() -> Result<Chance, CallError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        CallError::new(
            CallReason::Busy,
            format!("the system gives no random numbers ({error}); try again"),
        )
    })?;
    Ok(Chance {
        bytes,
        wall_ms: wall_ms(),
    })
}
