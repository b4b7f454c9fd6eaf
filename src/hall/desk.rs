//! The desk: everything that is asked of the hall and is not for one table. `(now, input)` in, effects out.
//!
//! It owns the registry. One change is with the journal at a time; calls that come meanwhile wait. The start of a round goes to
//! its tables one by one, each with a request id made from the call's, so that a call that was cut off by a crash can be
//! repeated and starts nothing twice.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::call::{Answer, Author, CallError, CallReason, Command, TableAnswer};
use super::ids::{DeviceId, EventId, GameId, RoundNo, TableNo};
use super::model::{Registry, Round, RoundStatus};
use super::record::{DoneCall, write};
use super::registry::{Context, Decided, HallEvent, Part};
use super::report::Abilities;
use super::secrets::Chance;
use super::shard::{CallTicket, TableCall, TableDeed};
use crate::game::ClockKind;
use crate::game::input::{Act, Deed};
use crate::store::{EntryKind, NewEntry, RequestKey};
use crate::time::HallTime;

/// What the desk is told.
#[derive(Clone)]
pub enum DeskInput {
    /// Somebody asks.
    Call {
        /// To be answered.
        call: CallTicket,
        /// What.
        what: Box<DeskCall>,
    },
    /// The journal has taken the change, or has not.
    Committed {
        /// At these positions; or why not.
        outcome: Result<RangeInclusive<u64>, String>,
    },
    /// A table has answered what the desk asked of it.
    Table {
        /// The call for which it was asked.
        call: CallTicket,
        /// Which.
        table: TableNo,
        /// How.
        answer: Result<Answer, CallError>,
    },
}

/// A call for the desk.
#[derive(Clone)]
pub struct DeskCall {
    /// Who asks.
    pub author: Author,
    /// By which the call is known again.
    pub request: RequestKey,
    /// The SHA-256 of what was asked.
    pub asked: String,
    /// What.
    pub command: Command,
    /// Randomness for it.
    pub chance: Chance,
    /// Games at tables that are over, though their rounds are not.
    pub over: Arc<BTreeSet<GameId>>,
}

/// What the desk wants done.
#[derive(Clone, Debug)]
pub enum DeskEffect {
    /// Entries for the journal; there is one such at a time.
    Commit(Vec<NewEntry>),
    /// The registry has changed.
    Registry {
        /// The journal's position of the change.
        position: u64,
        /// As it is now.
        registry: Arc<Registry>,
        /// What of it.
        parts: BTreeSet<Part>,
    },
    /// A call is answered.
    Answer {
        /// Which.
        call: CallTicket,
        /// How.
        answer: Result<Answer, CallError>,
    },
    /// Something is asked of a table.
    Table {
        /// The call for which it is.
        call: CallTicket,
        /// Which table.
        table: TableNo,
        /// What.
        what: TableCall,
    },
}

/// The registry and who asks for changes of it.
pub struct Desk {
    registry: Arc<Registry>,
    waiting: VecDeque<(CallTicket, Box<DeskCall>)>,
    busy: Option<Busy>,
    starts: HashMap<CallTicket, Start>,
    down: Option<String>,
}

struct Busy {
    event: HallEvent,
    /// What is done when it is durable.
    then: Then,
}

enum Then {
    Answer(CallTicket, Answer),
    Start(CallTicket, Box<DeskCall>),
}

/// A round that is being started.
struct Start {
    what: Box<DeskCall>,
    event: EventId,
    round: RoundNo,
    open: BTreeSet<TableNo>,
    answers: BTreeMap<TableNo, Option<CallError>>,
}

impl Desk {
    /// With the registry as it was.
    pub fn new(registry: Arc<Registry>) -> Desk {
        Desk {
            registry,
            waiting: VecDeque::new(),
            busy: None,
            starts: HashMap::new(),
            down: None,
        }
    }

    /// As it is.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// Takes one input. `abilities` are what the devices have said they can do.
    pub fn handle(
        &mut self,
        now: HallTime,
        abilities: &HashMap<DeviceId, Abilities>,
        input: DeskInput,
    ) -> Vec<DeskEffect> {
        let mut out = Vec::new();
        match input {
            DeskInput::Call { call, what } => self.waiting.push_back((call, what)),
            DeskInput::Committed { outcome: Ok(positions) } => self.committed(*positions.end(), &mut out),
            DeskInput::Committed { outcome: Err(why) } => {
                if let Some(Busy {
                    then: Then::Answer(call, _) | Then::Start(call, _),
                    ..
                }) = self.busy.take()
                {
                    out.push(DeskEffect::Answer {
                        call,
                        answer: Err(journal_down(&why)),
                    });
                }
                self.down = Some(why);
            }
            DeskInput::Table { call, table, answer } => self.table_answered(call, table, answer),
        }
        self.work(now, abilities, &mut out);
        out
    }

    fn work(&mut self, now: HallTime, abilities: &HashMap<DeviceId, Abilities>, out: &mut Vec<DeskEffect>) {
        while self.busy.is_none() {
            let over = self
                .starts
                .iter()
                .find(|(_, start)| start.open.is_empty())
                .map(|(call, _)| *call);
            if let Some((call, start)) = over.and_then(|call| self.starts.remove_entry(&call)) {
                self.started(now, call, start, out);
                continue;
            }
            let Some((call, what)) = self.waiting.pop_front() else {
                return;
            };
            if let Some(why) = &self.down {
                out.push(DeskEffect::Answer {
                    call,
                    answer: Err(journal_down(why)),
                });
                continue;
            }
            let context = Context {
                chance: &what.chance,
                abilities,
                now,
                over: &what.over,
            };
            if let Command::StartRound { event, round, tables } = &what.command {
                let status = self
                    .registry
                    .round(event, *round)
                    .map(|found| (found.status, has_unarmed(found, tables.as_deref())));
                match status {
                    Err(error) => out.push(DeskEffect::Answer {
                        call,
                        answer: Err(error),
                    }),
                    Ok((RoundStatus::Ended, _)) => {
                        let error = CallError::new(
                            CallReason::WrongState,
                            format!("round {round} of {event} has ended already; nothing was started"),
                        );
                        out.push(DeskEffect::Answer {
                            call,
                            answer: Err(error),
                        });
                    }
                    Ok((status, unarmed)) if status == RoundStatus::Prepared || unarmed => {
                        let arm = Command::ArmRound {
                            event: event.clone(),
                            round: *round,
                        };
                        match self.registry.decide(&arm, &context) {
                            // What cannot be armed yet is refused below, table by table.
                            Err(_) if status != RoundStatus::Prepared => self.start(call, what, out),
                            Err(error) => out.push(DeskEffect::Answer {
                                call,
                                answer: Err(error),
                            }),
                            Ok(Decided { event, .. }) => {
                                out.push(DeskEffect::Commit(vec![NewEntry::new(
                                    EntryKind::Hall,
                                    now,
                                    write(&event),
                                )]));
                                self.busy = Some(Busy {
                                    event,
                                    then: Then::Start(call, what),
                                });
                            }
                        }
                    }
                    Ok(_) => self.start(call, what, out),
                }
                continue;
            }
            match self.registry.decide(&what.command, &context) {
                Err(error) => out.push(DeskEffect::Answer {
                    call,
                    answer: Err(error),
                }),
                Ok(Decided { event, answer }) => {
                    out.push(DeskEffect::Commit(vec![entry(now, &event, &what, &answer)]));
                    self.busy = Some(Busy {
                        event,
                        then: Then::Answer(call, answer),
                    });
                }
            }
        }
    }

    fn committed(&mut self, position: u64, out: &mut Vec<DeskEffect>) {
        let Some(Busy { event, then }) = self.busy.take() else {
            return;
        };
        let parts = self.registry.touched(&event);
        let mut registry = Registry::clone(&self.registry);
        match registry.fold(&event) {
            Ok(()) => self.registry = Arc::new(registry),
            // It was decided on this very registry.
            Err(error) => tracing::error!(%error, "a change of the hall was written down and does not fit it"),
        }
        out.push(DeskEffect::Registry {
            position,
            registry: Arc::clone(&self.registry),
            parts,
        });
        match then {
            Then::Answer(call, answer) => {
                out.push(DeskEffect::Answer {
                    call,
                    answer: Ok(Answer { position, ..answer }),
                });
            }
            Then::Start(call, what) => self.start(call, what, out),
        }
    }

    /// Asks the tables of an armed round to start.
    fn start(&mut self, call: CallTicket, what: Box<DeskCall>, out: &mut Vec<DeskEffect>) {
        let Command::StartRound { event, round, tables } = &what.command else {
            return;
        };
        let found = match self.registry.round(event, *round) {
            Ok(found) => found,
            Err(error) => {
                out.push(DeskEffect::Answer {
                    call,
                    answer: Err(error),
                });
                return;
            }
        };
        let all: BTreeSet<TableNo> = found.pairings.iter().map(|pairing| pairing.table).collect();
        let wanted: BTreeSet<TableNo> = tables
            .clone()
            .map_or_else(|| all.clone(), |some| some.into_iter().collect());
        if let Some(stranger) = wanted.difference(&all).next() {
            let error = CallError::field(
                "tables",
                format!("table {stranger} has no pairing in round {round} of {event}"),
            );
            out.push(DeskEffect::Answer {
                call,
                answer: Err(error),
            });
            return;
        }
        let mut start = Start {
            event: event.clone(),
            round: *round,
            open: BTreeSet::new(),
            answers: BTreeMap::new(),
            what: what.clone(),
        };
        for table in wanted {
            let unarmed = found
                .pairings
                .iter()
                .any(|pairing| pairing.table == table && pairing.game.is_none());
            if let Some(error) = self.not_to_be_started(table, unarmed) {
                start.answers.insert(table, Some(error));
                continue;
            }
            start.open.insert(table);
            out.push(DeskEffect::Table {
                call,
                table,
                what: TableCall {
                    author: what.author.clone(),
                    // Nobody else can make this id: those of callers have no spaces.
                    request: RequestKey {
                        author: what.request.author.clone(),
                        id: format!("{} {table}", what.request.id),
                    },
                    asked: what.asked.clone(),
                    deed: TableDeed::Act(Act {
                        revision: None,
                        reason: String::new(),
                        what: Deed::Start,
                    }),
                },
            });
        }
        self.starts.insert(call, start);
    }

    /// A clock that neither counts nor takes orders is a button, and no round starts on it.
    fn not_to_be_started(&self, table: TableNo, unarmed: bool) -> Option<CallError> {
        if unarmed {
            return Some(CallError::new(
                CallReason::WrongState,
                format!("table {table} still has a game of another round: call it again when that is over"),
            ));
        }
        let place = self.registry.tables.get(&table)?;
        let seat = self.registry.games.get(&place.game?)?;
        let clock = place.clock.as_ref().filter(|_| seat.setup.clock == ClockKind::Button)?;
        Some(CallError::new(
            CallReason::WrongState,
            format!("table {table}: {clock} does not count by itself, and no game can start on it; replace it"),
        ))
    }

    fn table_answered(&mut self, call: CallTicket, table: TableNo, answer: Result<Answer, CallError>) {
        if let Some(start) = self.starts.get_mut(&call)
            && start.open.remove(&table)
        {
            start.answers.insert(table, answer.err());
        }
    }

    /// All tables have answered.
    fn started(&mut self, now: HallTime, call: CallTicket, start: Start, out: &mut Vec<DeskEffect>) {
        let tables: Vec<_> = start
            .answers
            .into_iter()
            .map(|(table, error)| TableAnswer { table, error })
            .collect();
        let failed = tables.iter().filter(|table| table.error.is_some()).count();
        let note = if failed == 0 {
            String::new()
        } else {
            format!("{failed} of {} tables were not started", tables.len())
        };
        let some = failed < tables.len();
        let answer = Answer {
            note,
            tables,
            ..Answer::default()
        };
        if !some {
            out.push(DeskEffect::Answer {
                call,
                answer: Ok(answer),
            });
            return;
        }
        let event = HallEvent::RoundStarted {
            event: start.event,
            round: start.round,
        };
        out.push(DeskEffect::Commit(vec![entry(now, &event, &start.what, &answer)]));
        self.busy = Some(Busy {
            event,
            then: Then::Answer(call, answer),
        });
    }
}

/// Whether a table that is meant has no game of this round yet.
fn has_unarmed(round: &Round, tables: Option<&[TableNo]>) -> bool {
    let meant = |table: TableNo| tables.is_none_or(|tables| tables.contains(&table));
    let mut pairings = round.pairings.iter();
    pairings.any(|pairing| pairing.game.is_none() && meant(pairing.table))
}

/// The journal's entry of a call: without its secret, which a repeated call does not get again.
fn entry(now: HallTime, event: &HallEvent, what: &DeskCall, answer: &Answer) -> NewEntry {
    let mut told = answer.clone();
    if told.secret.take().is_some() {
        told.note =
            "already made; its secret was shown once: rotate it, or revoke and add again, to get a new one".into();
    }
    let done = DoneCall {
        asked: what.asked.clone(),
        answer: told,
    };
    NewEntry::new(EntryKind::Hall, now, write(event)).answering(what.request.clone(), write(&done))
}

fn journal_down(why: &str) -> CallError {
    CallError::new(
        CallReason::JournalDown,
        format!("nothing was done: the journal takes nothing more ({why}); mend the disk and start the hub again"),
    )
}
