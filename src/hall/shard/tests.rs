//! A shard with a journal in memory that answers when the test says so.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::*;
use crate::chess::Color;
use crate::game::Game;
use crate::game::input::{ClockFault, Deed, Happening, TimeChange};
use crate::hall::call::Command;
use crate::hall::ids::RoundNo;
use crate::hall::model::{Ahead, Online, Pairing, PersonRole, Player, Regulations, Side};
use crate::hall::record::{TableRecord, read};
use crate::hall::registry::{Context, HallEvent};
use crate::hall::report::{Face, Outcome, ReportKind};
use crate::hall::secrets::Chance;

thread_local! {
    static FAILS_AT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Fails where a test has said so, in the middle of a game's work.
pub(super) fn fail_where_told(table: TableNo) {
    assert!(
        FAILS_AT.get() != Some(table.0),
        "the game of table {table} failed as it was told to"
    );
}

struct World {
    shard: Shard,
    registry: Registry,
    now: HallTime,
    /// Durable entries; the position is the place in it, from 1.
    journal: Vec<NewEntry>,
    asked: Vec<(CommitTicket, Vec<NewEntry>)>,
    told: Vec<ShardEffect>,
    seq: HashMap<DeviceId, u64>,
}

fn table(number: u32) -> TableNo {
    TableNo(number)
}

fn clock(number: u32) -> DeviceId {
    format!("clock-{number}").parse().expect("a device id")
}

fn able() -> Abilities {
    Abilities {
        clock: true,
        counts: true,
        resolution: Millis(1),
        ..Abilities::default()
    }
}

/// An event with two tables, clocks only, its round armed.
fn registry() -> Registry {
    registry_from(None)
}

/// The same; with a position the moves are known, though no board tells them.
fn registry_from(fen: Option<&str>) -> Registry {
    let mut registry = Registry::default();
    let chance = Chance {
        bytes: [3; 32],
        wall_ms: 1_000,
    };
    let abilities = HashMap::from([(clock(1), able()), (clock(2), able())]);
    let context = Context {
        chance: &chance,
        abilities: &abilities,
        now: HallTime(0),
        over: &Default::default(),
    };
    let event: crate::hall::EventId = "open".parse().expect("an event id");
    let player = |name: &str| Player {
        name: name.to_owned(),
        ..Player::default()
    };
    let pairing = |number: u32| Pairing {
        table: table(number),
        board: number,
        white: player(&format!("White {number}")),
        black: player(&format!("Black {number}")),
        time_control: None,
        board_kind: fen.map(|_| crate::game::BoardKind::Pieces),
        variant: Default::default(),
        fen: fen.map(str::to_owned),
        game: None,
    };
    let mut commands = vec![
        Command::PutEvent {
            event: event.clone(),
            name: "Open".into(),
            site: String::new(),
            date: String::new(),
            regulations: Regulations::default(),
        },
        Command::PutRound {
            event: event.clone(),
            round: RoundNo(1),
            time_control: "5m+3s".into(),
            pairings: vec![pairing(1), pairing(2)],
        },
    ];
    for number in [1, 2] {
        commands.push(Command::AddDevice {
            device: clock(number),
            kind: crate::hall::model::DeviceKind::Clock,
            speaks_for: Vec::new(),
        });
        commands.push(Command::BindDevice {
            device: clock(number),
            table: table(number),
            as_clock: true,
            as_board: false,
            white_side: Some(Side::Right),
            board_turned: None,
        });
    }
    commands.push(Command::ArmRound {
        event,
        round: RoundNo(1),
    });
    for command in commands {
        let decided = registry.decide(&command, &context).expect("a hall that can be");
        registry.fold(&decided.event).expect("it fits");
    }
    registry
}

impl World {
    fn new() -> World {
        World::over(registry(), Vec::new(), Vec::new())
    }

    fn over(registry: Registry, restored: Vec<(u64, KeptGame)>, journal: Vec<NewEntry>) -> World {
        let mut world = World {
            shard: Shard::new(ShardSettings { epoch: 7, speed: 1.0 }, restored),
            registry,
            now: HallTime(1_000),
            journal,
            asked: Vec::new(),
            told: Vec::new(),
            seq: HashMap::new(),
        };
        let tables = world.registry.tables.keys().copied().collect();
        world.tell(ShardInput::Registry {
            position: 1,
            registry: Arc::new(world.registry.clone()),
            tables,
        });
        for number in [1, 2] {
            world.alive(number, 1);
        }
        world
    }

    fn tell(&mut self, input: ShardInput) {
        for effect in self.shard.handle(self.now, input) {
            match effect {
                ShardEffect::Commit { ticket, entries } => self.asked.push((ticket, entries)),
                other => self.told.push(other),
            }
        }
    }

    fn alive(&mut self, number: u32, boot: u32) {
        let health = DeviceHealth {
            id: clock(number),
            online: Online::Online,
            battery: None,
            signal: None,
            last_heard: Some(self.now),
            bar: Some(Millis(1)),
            ..DeviceHealth::unknown(clock(number))
        };
        let life = DeviceLife {
            health,
            boot: Some(boot),
            able: Some(able()),
            empty: false,
            silence: SilenceTold::No,
            durable: -1,
        };
        self.tell(ShardInput::Device {
            table: table(number),
            life,
        });
    }

    /// The journal takes what it was asked, and what comes of that, until nothing is asked any more.
    fn commit(&mut self) {
        while !self.asked.is_empty() {
            let (ticket, entries) = self.asked.remove(0);
            let first = self.journal.len() as u64 + 1;
            self.journal.extend(entries);
            let outcome = Ok(first..=self.journal.len() as u64);
            self.tell(ShardInput::Committed { ticket, outcome });
        }
    }

    /// The clock answers every order that was sent.
    fn obey(&mut self) {
        let orders: Vec<_> = self
            .told
            .extract_if(.., |effect| matches!(effect, ShardEffect::Order(_)))
            .collect();
        for order in orders {
            let ShardEffect::Order(order) = order else { continue };
            let ack = Ack {
                device: order.device.clone(),
                boot: order.boot,
                order: order.id,
                outcome: Outcome::Done,
                at: self.now,
                apart: Some(Millis(1)),
                after_seq: order.decided_seq,
                face: None,
            };
            let number = u32::from(order.device == clock(2)) + 1;
            self.tell(ShardInput::Acked {
                table: table(number),
                ack,
            });
        }
    }

    fn call(&mut self, call: CallTicket, number: u32, act: Act) {
        let what = TableCall {
            author: Author {
                name: "Vera".into(),
                role: PersonRole::ChiefArbiter,
                sector: None,
            },
            request: RequestKey {
                author: "Vera".into(),
                id: format!("call-{call}"),
            },
            asked: "fingerprint".into(),
            deed: TableDeed::Act(act),
        };
        self.tell(ShardInput::Call {
            call,
            table: table(number),
            what,
        });
    }

    fn answer(&mut self, of: CallTicket) -> Option<Result<Answer, CallError>> {
        let at = self
            .told
            .iter()
            .position(|effect| matches!(effect, ShardEffect::Answer { call, .. } if *call == of))?;
        match self.told.remove(at) {
            ShardEffect::Answer { answer, .. } => Some(answer),
            _ => None,
        }
    }

    fn start(&mut self, number: u32) {
        self.commit();
        self.obey();
        self.commit();
        self.call(900 + u64::from(number), number, act(Deed::Start, None));
        self.commit();
        self.obey();
        self.commit();
        assert!(self.answer(900 + u64::from(number)).expect("answered").is_ok());
    }

    /// A press at the left side of the table's clock: Black's, whose side that is.
    fn press(&mut self, number: u32, side: Side) {
        self.pressed(number, side, self.now);
    }

    /// One that was made at another moment than it is heard.
    fn pressed(&mut self, number: u32, side: Side, at: HallTime) {
        let seq = self.seq.entry(clock(number)).or_default();
        let report = Report {
            device: clock(number),
            boot: 1,
            seq: *seq,
            at,
            bar: Some(Millis(1)),
            apart: Some(Millis(1)),
            what: ReportKind::Press { side, face: None },
        };
        *seq += 1;
        self.tell(ShardInput::Report {
            table: table(number),
            report,
        });
    }

    fn view(&self, number: u32) -> Option<ArbiterTable> {
        self.told.iter().rev().find_map(|effect| match effect {
            ShardEffect::Arbiters { state, .. } if state.card.table == table(number) => Some((**state).clone()),
            _ => None,
        })
    }

    fn seen(&self, number: u32) -> Option<i64> {
        self.told.iter().rev().find_map(|effect| match effect {
            ShardEffect::Seen(mark) if mark.device == clock(number).to_string() => Some(mark.seq),
            _ => None,
        })
    }
}

fn act(what: Deed, revision: Option<u64>) -> Act {
    Act {
        revision,
        reason: String::new(),
        what,
    }
}

fn adjust(span: i64) -> Deed {
    Deed::Adjust {
        white: Some(TimeChange::To(Millis::secs(span))),
        black: None,
        moves_done: None,
    }
}

/// As a restart does it: every entry of a game's table is folded.
fn replayed(registry: &Registry, journal: &[NewEntry]) -> Vec<(u64, KeptGame)> {
    let mut games: Vec<(u64, KeptGame)> = Vec::new();
    for seat in registry.games.values() {
        let game = Game::new(seat.setup.clone());
        games.push((
            0,
            KeptGame {
                id: seat.game,
                table: seat.table,
                game,
                parked: None,
                result_by_hand: None,
            },
        ));
    }
    for (position, entry) in (1u64..)
        .zip(journal)
        .filter(|(_, entry)| entry.kind == EntryKind::Table)
    {
        let record: TableRecord = read("a record", &entry.payload).expect("readable");
        let kept = games
            .iter_mut()
            .find(|(_, kept)| Some(kept.id.0) == entry.game)
            .expect("its game");
        kept.0 = position;
        match record {
            TableRecord::Taken { events } => {
                for event in &events {
                    kept.1.game.fold(event).expect("it folds");
                }
            }
            TableRecord::Parked { why, .. } => kept.1.parked = Some(why),
            TableRecord::Aside { .. } => {}
            TableRecord::ResultByHand { result, .. } => kept.1.result_by_hand = Some(result),
        }
    }
    games
}

#[test]
fn a_press_is_neither_shown_nor_seen_before_it_is_durable() {
    let mut world = World::new();
    world.start(1);
    world.now = HallTime(11_000);
    world.told.clear();
    world.press(1, Side::Right);
    assert!(world.told.is_empty(), "{:?}", world.told);
    assert_eq!(world.asked.len(), 1);
    world.commit();
    assert_eq!(world.seen(1), Some(0));
    let view = world.view(1).expect("shown").view;
    assert_eq!(view.completed, (1, 0), "the right side is White's at this table");
    assert_eq!(view.clocks.white, Millis(303_000 - 10_000 + 3_000));
    assert_eq!(view.clocks.running, Some(Color::Black));
}

/// White's flag is a draw here, which takes more positions to see than a game looks at.
const HARD: &str = "1k6/1b5p/5p1P/5p1K/5Pp1/6P1/8/8 w - - 0 1";

impl World {
    fn searches(&mut self) -> Vec<(GameId, Question)> {
        let asked = self
            .told
            .extract_if(.., |effect| matches!(effect, ShardEffect::Search { .. }));
        asked
            .filter_map(|effect| match effect {
                ShardEffect::Search { game, question, .. } => Some((game, question)),
                _ => None,
            })
            .collect()
    }

    fn restarted(self) -> World {
        let restored = replayed(&self.registry, &self.journal);
        let now = self.now;
        let mut world = World::over(self.registry, restored, self.journal);
        world.now = now;
        world.commit();
        world
    }
}

#[test]
fn what_a_game_cannot_decide_is_asked_beside_the_shard_once_and_again_after_a_restart() {
    let mut world = World::over(registry_from(Some(HARD)), Vec::new(), Vec::new());
    world.start(1);
    world.now = HallTime(400_000);
    world.tell(ShardInput::Tick);
    world.commit();
    let asked = world.searches();
    assert_eq!(asked.len(), 1, "{asked:?}");
    let undecided = world.view(1).expect("shown").view.items.remove(0);
    assert!(undecided.proposal.contains("undecided"), "{}", undecided.proposal);
    world.call(1, 1, act(Deed::Take { item: undecided.number }, None));
    world.commit();
    assert!(world.searches().is_empty(), "asked twice");

    // No answer before the hub goes: it is asked anew.
    let mut world = world.restarted();
    let asked = world.searches();
    assert_eq!(asked.len(), 1, "{asked:?}");
    let (game, question) = asked[0].clone();
    let verdict = crate::chess::mates::fuller(&question.position, question.winner, crate::chess::mates::Bound::WORKER);
    world.tell(ShardInput::Searched {
        table: table(1),
        game,
        at: question.at,
        fact: question.answered(&verdict),
    });
    assert!(
        world.view(1).expect("shown").view.items[0]
            .proposal
            .contains("undecided"),
        "shown before it is durable"
    );
    world.commit();
    let decided = world.view(1).expect("shown").view.items.remove(0);
    assert!(decided.proposal.contains("1/2-1/2"), "{}", decided.proposal);

    // The answer is in the journal: nothing is asked, and it stands.
    let mut world = world.restarted();
    assert!(world.searches().is_empty());
    assert_eq!(world.view(1).expect("shown").view.items[0].proposal, decided.proposal);
}

#[test]
fn an_answer_for_the_game_before_is_not_for_this_one() {
    let mut world = World::over(registry_from(Some(HARD)), Vec::new(), Vec::new());
    world.start(1);
    let before = world.journal.len();
    let position = crate::chess::Position::from_fen(HARD, crate::chess::Variant::Standard).expect("a position");
    let question = Question {
        position: Arc::new(position),
        winner: Color::Black,
        at: HallTime(1_000),
    };
    world.tell(ShardInput::Searched {
        table: table(1),
        game: GameId(uuid::Uuid::nil()),
        at: question.at,
        fact: question.given_up("for a test"),
    });
    world.commit();
    assert_eq!(world.journal.len(), before);
}

#[test]
fn one_batch_is_with_the_journal_and_the_rest_waits_for_the_next() {
    let mut world = World::new();
    world.start(1);
    world.press(1, Side::Right);
    for _ in 0..3 {
        world.now = world.now + Millis::secs(1);
        world.press(1, Side::Left);
        world.now = world.now + Millis::secs(1);
        world.press(1, Side::Right);
    }
    assert_eq!(world.asked.len(), 1);
    world.told.clear();
    let (ticket, entries) = world.asked.remove(0);
    let first = world.journal.len() as u64 + 1;
    world.journal.extend(entries);
    world.tell(ShardInput::Committed {
        ticket,
        outcome: Ok(first..=world.journal.len() as u64),
    });
    assert_eq!(world.seen(1), Some(0), "of the first batch only");
    assert_eq!(world.asked.len(), 1, "all the others are the next");
    world.commit();
    assert_eq!(world.seen(1), Some(6));
    assert_eq!(world.view(1).expect("shown").view.completed, (4, 3));
}

#[test]
fn the_reports_of_an_outage_are_taken_in_one_run() {
    let mut world = World::new();
    world.start(1);
    world.now = HallTime(60_000);
    let words = Act {
        reason: "the clock is not heard".to_owned(),
        ..act(Deed::Note, None)
    };
    world.call(1, 1, words);
    world.commit();
    let before = world.journal.len();
    for nth in 0..9 {
        let side = [Side::Right, Side::Left][nth % 2];
        world.pressed(1, side, HallTime(10_000 + 1_000 * nth as i64));
    }
    world.commit();
    assert_eq!(world.seen(1), Some(8));
    let view = world.view(1).expect("shown").view;
    assert_eq!(view.completed, (5, 4));
    // White has used the time to the first press and four times a second, and was given an increment before the first move and after
    // each of five.
    let first = HallTime(10_000) - view.started.expect("started");
    assert_eq!(view.clocks.white, Millis::secs(300 + 6 * 3 - 4) - first);
    let told: Vec<u32> = world.journal[before..]
        .iter()
        .filter_map(|entry| match read("a table's", &entry.payload) {
            Ok(TableRecord::Taken { events }) => Some(events),
            _ => None,
        })
        .flatten()
        .filter_map(|event| match event {
            crate::game::Event::Reconsidered { with_it, .. } => Some(with_it),
            crate::game::Event::Taken { .. } => None,
        })
        .collect();
    assert_eq!(
        told,
        [0, 7],
        "the first alone, and what came while that was with the journal together"
    );
}

#[test]
fn of_two_arbiters_with_the_same_revision_one_wins_and_the_other_is_told() {
    let mut world = World::new();
    world.start(1);
    world.call(1, 1, act(Deed::Pause, None));
    world.commit();
    world.obey();
    world.commit();
    world.answer(1).expect("answered").expect("paused");
    let revision = world.view(1).expect("shown").view.revision;
    world.call(2, 1, act(adjust(100), Some(revision)));
    world.call(3, 1, act(adjust(200), Some(revision)));
    assert!(world.answer(2).is_none(), "not before it is durable");
    world.commit();
    let won = world.answer(2).expect("answered").expect("it was first");
    assert!(won.revision > Some(revision));
    let lost = world.answer(3).expect("answered").expect_err("it was second");
    assert_eq!(
        (lost.reason, lost.current_revision),
        (CallReason::StaleRevision, won.revision),
        "{lost}"
    );
    assert!(lost.message.contains("table 1"), "{lost}");
}

#[test]
fn a_table_whose_game_fails_is_parked_and_again_after_a_restart_and_the_others_go_on() {
    let mut world = World::new();
    world.start(1);
    world.start(2);
    FAILS_AT.set(Some(1));
    world.press(1, Side::Right);
    world.press(2, Side::Right);
    world.commit();
    FAILS_AT.set(None);
    let parked = world.view(1).expect("shown").view;
    assert!(
        parked
            .parked
            .as_deref()
            .is_some_and(|why| why.contains("failed as it was told to")),
        "{:?}",
        parked.parked
    );
    assert!(parked.items.iter().any(|item| item.kind == "by-hand"));
    assert_eq!(world.view(2).expect("shown").view.completed, (1, 0));
    assert_eq!(
        (world.seen(1), world.seen(2)),
        (Some(0), Some(0)),
        "what is aside need not be sent again"
    );

    world.press(1, Side::Left);
    world.call(5, 1, act(Deed::Pause, None));
    world.commit();
    assert_eq!(
        world.answer(5).expect("answered").expect_err("by hand").reason,
        CallReason::Parked
    );

    let games = replayed(&world.registry, &world.journal);
    let mut again = World::over(world.registry.clone(), games, world.journal.clone());
    again.commit();
    assert_eq!(again.view(1).expect("shown").view.parked, parked.parked);
    again.call(6, 1, act(Deed::Decide { result: "1-0".into() }, None));
    again.commit();
    again.answer(6).expect("answered").expect("a result can be entered");
    assert_eq!(again.view(1).expect("shown").card.view.result, "1-0");
}

#[test]
fn a_restart_from_the_journal_shows_the_same() {
    let mut world = World::new();
    world.start(1);
    for (at, side) in [(9, Side::Right), (15, Side::Left), (40, Side::Right)] {
        world.now = HallTime(at * 1000);
        world.press(1, side);
        world.commit();
    }
    world.call(4, 1, act(Deed::Pause, None));
    world.commit();
    world.obey();
    world.commit();
    let mut again = World::over(
        world.registry.clone(),
        replayed(&world.registry, &world.journal),
        world.journal.clone(),
    );
    again.now = world.now;
    again.alive(1, 1);
    let (before, after) = (world.view(1).expect("shown"), again.view(1).expect("shown"));
    assert_eq!(before.view.clocks.white, after.view.clocks.white);
    assert_eq!(before.view.clocks.black, after.view.clocks.black);
    let untimed = |mut table: ArbiterTable| {
        table.view.clocks.as_of = HallTime(0);
        table.card.view.clocks.as_of = HallTime(0);
        table.clock_device = None;
        table.view.check = table.view.check.map(|check| crate::game::audience::ClockCheck {
            as_of: HallTime(0),
            ..check
        });
        table
    };
    assert_eq!(untimed(before), untimed(after));
}

#[test]
fn after_a_failed_commit_nothing_is_shown_or_acknowledged_any_more() {
    let mut world = World::new();
    world.start(1);
    world.told.clear();
    world.press(1, Side::Right);
    world.call(8, 1, act(Deed::Pause, None));
    let (ticket, _) = world.asked.remove(0);
    world.tell(ShardInput::Committed {
        ticket,
        outcome: Err("no space left".into()),
    });
    assert!(world.told.iter().any(|effect| matches!(effect, ShardEffect::Down(_))));
    assert_eq!(
        world.answer(8).expect("answered").expect_err("down").reason,
        CallReason::JournalDown
    );
    world.press(2, Side::Right);
    world.call(9, 2, act(Deed::Pause, None));
    assert_eq!(
        world.answer(9).expect("answered").expect_err("down").reason,
        CallReason::JournalDown
    );
    assert!(world.asked.is_empty() && world.seen(1).is_none() && world.view(1).is_none());
    assert_eq!(world.shard.next_deadline(), None);
}

#[test]
fn an_order_is_repeated_until_it_is_answered_and_given_up_after_its_lifetime() {
    let mut world = World::new();
    world.start(1);
    world.told.clear();
    world.call(1, 1, act(Deed::Pause, None));
    world.commit();
    let orders = |world: &World| {
        world
            .told
            .iter()
            .filter(|effect| matches!(effect, ShardEffect::Order(_)))
            .count()
    };
    assert_eq!(orders(&world), 1);
    for _ in 0..3 {
        world.now = world.shard.next_deadline().expect("it waits");
        world.tell(ShardInput::Tick);
        world.commit();
    }
    assert_eq!(orders(&world), 4, "the same order again");
    world.now = world.now + Millis::mins(1);
    world.tell(ShardInput::Tick);
    world.commit();
    let view = world.view(1).expect("shown").view;
    assert!(
        view.orders
            .iter()
            .any(|order| order.status == crate::game::audience::OrderStatus::ByHand),
        "{:?}",
        view.orders
    );
}

#[test]
fn an_answer_that_comes_while_another_batch_is_with_the_journal_is_taken_once() {
    let mut world = World::new();
    world.start(1);
    let shown = |world: &World| world.view(1).expect("shown").view.clocks.white;
    let before = shown(&world);
    let more = Deed::Adjust {
        white: Some(TimeChange::By(Millis::secs(36))),
        black: None,
        moves_done: None,
    };
    world.call(1, 1, act(more.clone(), None));
    world.commit();
    // A second one is with the journal when the clock answers the first.
    world.call(2, 1, act(more, None));
    world.obey();
    world.commit();
    // Whatever was sent again meanwhile is answered too.
    world.obey();
    world.commit();
    world.obey();
    world.commit();
    assert_eq!(shown(&world), before + Millis(72_000));
}

#[test]
fn a_call_is_answered_with_the_position_at_which_it_stands() {
    let mut world = World::new();
    world.start(1);
    world.press(1, Side::Right);
    for call in [1, 2, 3] {
        world.call(call, 1, act(adjust(1_000), None));
    }
    world.commit();
    for call in [1, 2, 3] {
        let answer = world.answer(call).expect("answered").expect("done");
        let entry = &world.journal[answer.position as usize - 1];
        assert_eq!(
            entry.request.as_ref().map(|key| key.id.clone()),
            Some(format!("call-{call}"))
        );
    }
}

#[test]
fn reports_that_belong_to_no_game_are_taken_and_acknowledged_when_durable() {
    let mut world = World::new();
    world.commit();
    let device: DeviceId = "stranger".parse().expect("an id");
    for seq in 0..4 {
        world.tell(ShardInput::Loose {
            device: device.clone(),
            boot: 9,
            seq,
        });
    }
    let seen = |world: &World| {
        world
            .told
            .iter()
            .any(|effect| matches!(effect, ShardEffect::Seen(mark) if mark.device == "stranger" && mark.seq == 3))
    };
    assert!(!seen(&world));
    world.commit();
    assert!(seen(&world));
    let marks: Vec<_> = world
        .journal
        .iter()
        .flat_map(|entry| &entry.sessions)
        .filter(|mark| mark.device == "stranger")
        .collect();
    assert_eq!(marks.last().map(|mark| mark.seq), Some(3));
}

/// What the games have taken of their devices and of the hub, by when it counts.
fn taken(world: &World) -> Vec<(i64, Fact)> {
    let mut facts = Vec::new();
    for entry in world.journal.iter().filter(|entry| entry.kind == EntryKind::Table) {
        let Ok(TableRecord::Taken { events }) = read("a table's", &entry.payload) else {
            continue;
        };
        for event in events {
            let (crate::game::Event::Taken { steps, .. } | crate::game::Event::Reconsidered { steps, .. }) = event;
            for input in steps.into_iter().filter_map(|step| step.input) {
                if let Happening::Fact(fact) = input.what {
                    facts.push((input.at.0, fact));
                }
            }
        }
    }
    facts
}

#[test]
fn what_is_lost_may_be_anything_since_the_last_report_whatever_happened_at_the_table_meanwhile() {
    let mut world = World::new();
    world.start(1);
    world.now = HallTime(11_000);
    world.press(1, Side::Right);
    world.commit();
    world.now = HallTime(15_000);
    world.call(1, 1, act(Deed::Pause, None));
    world.commit();
    world.now = HallTime(30_000);
    let report = Report {
        device: clock(1),
        boot: 1,
        seq: 4,
        at: HallTime(20_000),
        bar: Some(Millis(1)),
        apart: Some(Millis(1)),
        what: ReportKind::Lost { count: 3 },
    };
    world.tell(ShardInput::Report {
        table: table(1),
        report,
    });
    world.commit();
    let lost = |(_, fact): &&(i64, Fact)| matches!(fact, Fact::ReportsLost { .. });
    let taken = taken(&world);
    assert_eq!(taken.iter().find(lost).map(|(at, _)| *at), Some(11_000));
}

#[test]
fn a_board_that_was_off_tells_what_stands_on_it_as_of_when_it_was_heard_last() {
    let placement = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".to_owned();
    let placed = Fact::Placed {
        placement: placement.clone(),
    };
    let back = Fact::BoardBack {
        device: clock(1).to_string(),
        before: clock(1).to_string(),
        placement: placement.clone(),
    };
    // With its birth, or by a report of its own.
    for reports in [false, true] {
        let mut world = World::new();
        world.start(1);
        let as_both = HallEvent::DeviceBound {
            device: clock(1),
            table: table(1),
            as_clock: true,
            as_board: true,
            white_side: Side::Right,
            board_turned: false,
        };
        world.registry.fold(&as_both).expect("it fits");
        let registry = Arc::new(world.registry.clone());
        world.tell(ShardInput::Registry {
            position: 50,
            registry,
            tables: BTreeSet::from([table(1)]),
        });
        world.now = HallTime(11_000);
        world.press(1, Side::Right);
        world.commit();
        for (boot, now) in [(1, 12_000), (2, 20_000)] {
            world.now = HallTime(now);
            world.alive(1, boot);
            let (table, device, at, apart) = (table(1), clock(1), HallTime(now), Some(Millis(1)));
            world.tell(if reports && boot == 2 {
                let what = ReportKind::Placement(placement.clone());
                let report = Report {
                    device,
                    boot,
                    seq: 0,
                    at,
                    bar: apart,
                    apart,
                    what,
                };
                ShardInput::Report { table, report }
            } else {
                let state = DeviceState {
                    device,
                    boot,
                    after_seq: -1,
                    at,
                    apart,
                    face: None,
                    placement: Some(placement.clone()),
                };
                ShardInput::State { table, state }
            });
            world.commit();
        }
        let taken: Vec<_> = taken(&world)
            .into_iter()
            .filter(|(_, fact)| matches!(fact, Fact::BoardBack { .. } | Fact::Placed { .. }))
            .collect();
        // The same boot has missed nothing.
        let expected = [(12_000, &placed), (12_000, &back), (20_000, &placed)];
        assert_eq!(taken.iter().map(|(at, fact)| (*at, fact)).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_clock_that_is_exchanged_in_mid_game_gets_control_and_times() {
    let mut world = World::new();
    world.start(1);
    world.now = HallTime(11_000);
    world.press(1, Side::Right);
    world.commit();
    world.told.clear();
    let spare: DeviceId = "spare".parse().expect("an id");
    let device = crate::hall::model::Device {
        id: spare.clone(),
        kind: crate::hall::model::DeviceKind::Clock,
        speaks_for: Vec::new(),
        credential: Default::default(),
        bound_to: None,
    };
    world.registry.fold(&HallEvent::DevicePut(device)).expect("it fits");
    world
        .registry
        .fold(&HallEvent::DeviceReplaced {
            old: clock(1),
            new: spare.clone(),
        })
        .expect("it fits");
    world.now = HallTime(14_000);
    let registry = Arc::new(world.registry.clone());
    world.tell(ShardInput::Registry {
        position: 50,
        registry,
        tables: BTreeSet::from([table(1)]),
    });
    let health = DeviceHealth {
        id: spare.clone(),
        online: Online::Online,
        battery: None,
        signal: None,
        last_heard: None,
        bar: Some(Millis(1)),
        ..DeviceHealth::unknown(spare.clone())
    };
    let life = DeviceLife {
        health,
        boot: Some(4),
        able: Some(able()),
        empty: true,
        silence: SilenceTold::No,
        durable: -1,
    };
    world.tell(ShardInput::Device { table: table(1), life });
    // One after the other, each when the clock has done the one before.
    let mut orders = Vec::new();
    for step in 0..3 {
        world.commit();
        orders.extend(world.told.iter().filter_map(|effect| match effect {
            ShardEffect::Order(order) if order.device == spare => Some(order.what.clone()),
            _ => None,
        }));
        if step < 2 {
            world.obey();
        }
    }
    use crate::hall::report::DeviceOrderKind;
    assert!(matches!(orders[0], DeviceOrderKind::Control(_)), "{orders:?}");
    let set = DeviceOrderKind::Set {
        left: Millis(300_000),
        right: Millis(296_000),
        moves: Some((0, 1)),
    };
    assert_eq!(
        orders[1..],
        [set, DeviceOrderKind::Run(Side::Left)],
        "Black, at the left, had 3 s of his move behind him"
    );
    let items = world.view(1).expect("shown").view.items;
    assert_eq!(items.len(), 1, "{items:?}");
    assert_eq!(
        (items[0].kind.as_str(), &items[0].articles[..]),
        ("clock-renewed", &["6.10.1".to_owned()][..])
    );
    assert!(
        items[0].what.contains("spare") && items[0].what.contains("0:05:00"),
        "{}",
        items[0].what
    );
}

#[test]
fn a_clock_that_does_not_take_its_times_anew_is_to_be_set_by_hand() {
    let mut world = World::new();
    world.start(1);
    world.now = HallTime(14_000);
    let life = DeviceLife {
        health: DeviceHealth {
            online: Online::Online,
            bar: Some(Millis(1)),
            ..DeviceHealth::unknown(clock(1))
        },
        boot: Some(2),
        able: Some(able()),
        empty: true,
        silence: SilenceTold::No,
        durable: -1,
    };
    world.tell(ShardInput::Device { table: table(1), life });
    world.commit();
    let renewed = |world: &World| {
        let items = world.view(1).expect("shown").view.items;
        items
            .into_iter()
            .find(|item| item.kind == "clock-renewed")
            .expect("an item")
            .what
    };
    assert!(renewed(&world).contains("was given its times"), "{}", renewed(&world));
    world.now = world.now + Millis::secs(21);
    world.tell(ShardInput::Tick);
    world.commit();
    assert!(renewed(&world).contains("does not take"), "{}", renewed(&world));
}

impl World {
    /// How far the table's clock is said to be ahead of the hall's time.
    fn ahead(&mut self, number: u32, ahead: i64) {
        let health = DeviceHealth {
            online: Online::Online,
            bar: Some(Millis(1)),
            ahead: Some(Ahead {
                by: Millis(ahead),
                ..Ahead::default()
            }),
            ..DeviceHealth::unknown(clock(number))
        };
        let life = DeviceLife {
            health,
            boot: Some(1),
            able: Some(able()),
            empty: false,
            silence: SilenceTold::No,
            durable: -1,
        };
        self.tell(ShardInput::Device {
            table: table(number),
            life,
        });
    }

    /// What the clock shows in a sign of life, by the table's time: left is Black.
    fn shows(&mut self, number: u32, at: i64, white: i64, black: i64, running: Option<Side>) {
        let after_seq = self.seq.get(&clock(number)).map_or(-1, |next| *next as i64 - 1);
        let state = DeviceState {
            device: clock(number),
            boot: 1,
            after_seq,
            at: HallTime(at),
            apart: Some(Millis(1)),
            face: Some(Face {
                left: Millis(black),
                right: Millis(white),
                running,
            }),
            placement: None,
        };
        let table = table(number);
        self.tell(ShardInput::Heard {
            table,
            device: clock(number),
            through: HallTime(at),
            apart: Some(Millis(1)),
        });
        self.tell(ShardInput::State { table, state });
    }

    fn kinds(&self, number: u32) -> Vec<String> {
        let view = self.view(number).expect("shown").view;
        view.items.into_iter().map(|item| item.kind).collect()
    }
}

#[test]
fn a_slow_clock_is_suspected_of_its_flag_when_it_is_there_itself() {
    let mut world = World::new();
    world.start(1);
    // White has 303 s from 1 s on: by the hall's time his flag would fall at 304 s. The clock is 15 s behind by then.
    world.ahead(1, -15_000);
    world.now = HallTime(304_500);
    world.tell(ShardInput::Tick);
    world.commit();
    assert!(world.kinds(1).is_empty());
    let deadline = world.shard.next_deadline().expect("it waits");
    assert_eq!(deadline, HallTime(304_000 + 15_000));
    world.now = HallTime(319_100);
    world.tell(ShardInput::Tick);
    world.commit();
    assert_eq!(world.kinds(1), ["flag"]);
    assert!(!world.view(1).expect("shown").view.items[0].certain);
}

#[test]
fn a_clock_that_drifts_or_leaps_is_an_item_with_its_figure_and_its_times_stay() {
    let mut world = World::new();
    world.start(1);
    world.now = HallTime(61_000);
    let trouble = |by| ShardInput::Trouble {
        table: table(1),
        device: clock(1),
        trouble: DeviceTrouble::Time(by),
    };
    let drifts = |ppm, off| ClockFault::Drifts {
        ppm,
        over: Millis::mins(20),
        off: Millis(off),
    };
    world.tell(trouble(drifts(-50_000, -60_000)));
    world.tell(trouble(drifts(-51_000, -61_200)));
    world.tell(trouble(ClockFault::Jumped {
        by: Millis(3_600_000),
        bridged: true,
    }));
    world.commit();
    let view = world.view(1).expect("shown").view;
    let said: Vec<&str> = view.items.iter().map(|item| item.what.as_str()).collect();
    assert_eq!(
        said,
        [
            "The clock clock-1 runs 5.10 % slow: 61.200 s behind over 0:20:00",
            "The time of the clock clock-1 has leapt ahead by 3600.000 s; the move being played then was counted by the hall's time, \
             and everything after it by the clock's"
        ]
    );
    assert_eq!(view.clocks.white, Millis(303_000 - 60_000), "nothing is repaired");
    assert!(
        view.items
            .iter()
            .all(|item| item.proposal.starts_with("Nothing is changed"))
    );
}

#[test]
fn the_sum_of_the_clocks_is_checked_against_what_the_clock_shows_and_the_hall_s_time() {
    let mut world = World::new();
    world.start(1);
    world.now = HallTime(61_000);
    world.shows(1, 61_000, 303_000 - 60_000, 303_000, Some(Side::Right));
    world.commit();
    let check = world.view(1).expect("shown").view.check.expect("it goes on");
    assert_eq!(
        (check.read, check.elapsed, check.deviation()),
        (true, Millis(60_000), Millis::ZERO)
    );
    // Five per cent slow for ten minutes, with nothing pressed: the clock's own milliseconds agree with its face.
    world.ahead(1, -7_500);
    world.now = HallTime(151_000);
    world.shows(1, 151_000 - 7_500, 303_000 - 142_500, 303_000, Some(Side::Right));
    world.commit();
    let check = world.view(1).expect("shown").view.check.expect("it goes on");
    assert_eq!(check.elapsed, Millis(150_000));
    assert_eq!(check.deviation(), Millis(7_500), "it shows so much too much");
    assert!(world.kinds(1).is_empty());
}

impl World {
    fn silence(&mut self, number: u32, online: Online, silence: SilenceTold) {
        let life = DeviceLife {
            health: DeviceHealth {
                online,
                ..DeviceHealth::unknown(clock(number))
            },
            boot: Some(1),
            able: Some(able()),
            empty: false,
            silence,
            durable: -1,
        };
        self.tell(ShardInput::Device {
            table: table(number),
            life,
        });
        self.commit();
    }

    fn no_signal(&self, number: u32) -> bool {
        self.view(number).expect("shown").view.clocks.no_signal
    }
}

#[test]
fn a_device_lost_alone_is_an_item_and_one_lost_with_others_only_has_no_signal() {
    let mut world = World::new();
    world.start(1);
    world.silence(1, Online::Silent, SilenceTold::Held);
    assert_eq!((world.kinds(1).len(), world.no_signal(1)), (0, false));
    world.silence(1, Online::Silent, SilenceTold::Alone);
    assert_eq!(
        (world.kinds(1), world.no_signal(1)),
        (vec!["silent-device".to_owned()], true)
    );
    world.silence(1, Online::Online, SilenceTold::No);
    assert_eq!((world.kinds(1).len(), world.no_signal(1)), (0, false));
    world.silence(1, Online::Silent, SilenceTold::Shared);
    assert_eq!((world.kinds(1).len(), world.no_signal(1)), (0, true));
    world.silence(1, Online::Unknown, SilenceTold::No);
    assert!(world.no_signal(1), "that the link is back says nothing of the device");
    world.silence(1, Online::Online, SilenceTold::No);
    assert!(!world.no_signal(1));
}

#[test]
fn an_item_of_a_silent_device_is_closed_when_it_speaks_to_the_next_start_of_the_hub() {
    let mut world = World::new();
    world.start(1);
    world.silence(1, Online::Silent, SilenceTold::Alone);
    let journal = world.journal.clone();
    let mut again = World::over(world.registry.clone(), replayed(&world.registry, &journal), journal);
    again.commit();
    assert!(again.kinds(1).is_empty(), "it has spoken");
}

#[test]
fn reports_that_went_with_a_boot_are_an_item() {
    let mut world = World::new();
    world.start(1);
    world.tell(ShardInput::Trouble {
        table: table(1),
        device: clock(1),
        trouble: DeviceTrouble::Lost(3),
    });
    world.commit();
    assert_eq!(world.kinds(1), ["reports-lost"]);
}

#[test]
fn an_exchanged_clock_is_brought_to_the_count_however_long_its_orders_took() {
    use crate::hall::report::DeviceOrderKind;
    let mut world = World::new();
    world.start(1);
    world.now = HallTime(11_000);
    world.press(1, Side::Right);
    world.commit();
    // The clock loses everything at 14 s; what it shows then is no reading of the game.
    world.now = HallTime(14_000);
    let life = |silence| DeviceLife {
        health: DeviceHealth {
            online: Online::Online,
            bar: Some(Millis(1)),
            ..DeviceHealth::unknown(clock(1))
        },
        boot: Some(2),
        able: Some(able()),
        empty: true,
        silence,
        durable: -1,
    };
    world.told.clear();
    world.tell(ShardInput::Device {
        table: table(1),
        life: life(SilenceTold::No),
    });
    world.commit();
    let ordered = |world: &mut World| -> Vec<DeviceOrder> {
        let orders = world
            .told
            .extract_if(.., |effect| matches!(effect, ShardEffect::Order(_)));
        let order = |effect| match effect {
            ShardEffect::Order(order) => Some(order),
            _ => None,
        };
        orders.filter_map(order).collect()
    };
    let shows = |world: &mut World, at: i64, left: i64, running| {
        let face = Face {
            left: Millis(left),
            right: Millis(296_000),
            running,
        };
        let state = DeviceState {
            device: clock(1),
            boot: 2,
            after_seq: -1,
            at: HallTime(at),
            apart: Some(Millis(1)),
            face: Some(face),
            placement: None,
        };
        world.now = HallTime(at);
        world.tell(ShardInput::State { table: table(1), state });
        world.commit();
        face
    };
    let done = |world: &mut World, order: &DeviceOrder, at: i64, face| {
        let ack = Ack {
            device: clock(1),
            boot: 2,
            order: order.id.clone(),
            outcome: Outcome::Done,
            at: HallTime(at),
            apart: Some(Millis(1)),
            after_seq: -1,
            face: Some(face),
        };
        world.now = HallTime(at + 10);
        world.tell(ShardInput::Acked { table: table(1), ack });
        world.commit();
    };
    let mut face = shows(&mut world, 14_500, 300_000, None);
    // Control, times, Black's time runs: one after the other. It is set 3.61 s after the press, and runs only at 15 s.
    for at in [14_600, 14_700] {
        let orders = ordered(&mut world);
        assert_eq!(orders.len(), 1, "{orders:?}");
        if let DeviceOrderKind::Set { left, .. } = orders[0].what {
            face.left = left;
        }
        done(&mut world, &orders[0], at, face);
    }
    assert_eq!(face.left, Millis(303_000 - 3_610));
    let run = ordered(&mut world);
    assert!(matches!(run[0].what, DeviceOrderKind::Run(Side::Left)), "{run:?}");
    let runs = Face {
        running: Some(Side::Left),
        ..face
    };
    done(&mut world, &run[0], 15_000, runs);
    let orders = ordered(&mut world);
    let off = DeviceOrderKind::Add {
        left: Millis(-390),
        right: Millis::ZERO,
    };
    assert_eq!(orders.iter().map(|order| order.what.clone()).collect::<Vec<_>>(), [off]);
    let face = Face {
        left: Millis(298_900),
        running: Some(Side::Left),
        ..face
    };
    done(&mut world, &orders[0], 15_100, face);
    shows(&mut world, 20_000, 294_000, Some(Side::Left));
    assert!(
        !world.kinds(1).contains(&"adjusted-at-table".to_owned()),
        "{:?}",
        world.kinds(1)
    );
    let clocks = world.view(1).expect("shown").view.clocks;
    assert_eq!(
        (clocks.white, clocks.black + (clocks.as_of - HallTime(20_000))),
        (Millis(296_000), Millis(294_000))
    );
}

/// The clock is started anew with an order under way: the order is given up, and before the game has taken that, something else happens.
#[test]
fn an_order_that_is_given_up_is_not_sent_to_the_clocks_next_boot() {
    let mut world = World::new();
    world.start(1);
    world.call(1, 1, act(Deed::Pause, None));
    world.commit();
    let stop = |effect: &ShardEffect| matches!(effect, ShardEffect::Order(order) if order.what == crate::hall::report::DeviceOrderKind::Stop);
    let id = |effect: &ShardEffect| match effect {
        ShardEffect::Order(order) => order.id.clone(),
        _ => String::new(),
    };
    let given_up = world.told.iter().find(|effect| stop(effect)).map(id);
    let given_up = given_up.expect("the clock is told to stop");
    world.told.clear();
    world.now = HallTime(world.now.0 + 500);
    world.alive(1, 2);
    world.alive(1, 2);
    world.commit();
    let sent: Vec<_> = world.told.iter().map(id).collect();
    assert!(!sent.contains(&given_up), "{given_up} in {sent:?}");
}
