//! Properties of whole games: replay, late delivery, clock sums, and that nothing whatsoever makes a game panic.

mod account;
mod by_hand;
mod desk;
mod hall;
mod late;
mod ledger;
mod mating;
mod observed;
mod random;
mod signals;
mod told;
mod truth;
mod unanswered;
mod walk;

use proptest::prelude::*;

use super::input::{
    Act, Agreement, ByHand, Claim, Deed, Fact, Happening, Observation, OrderAnswer, Origin, Penalty, Reading,
    Restoration, TimeChange,
};
use super::*;
use crate::chess::{Move, Position, Role, Square};
use crate::laws::{Category, PeriodRule, Supervision};
use crate::time::Millis;

fn device(name: &str, seq: i64) -> Origin {
    Origin::Device {
        device: name.to_owned(),
        boot: 1,
        seq,
        bar: Some(Millis(5)),
    }
}

fn arbiter() -> Origin {
    Origin::Person {
        name: "Anna".to_owned(),
        role: "chief-arbiter".to_owned(),
    }
}

fn act(at: i64, what: Deed) -> Input {
    let act = Act {
        revision: None,
        reason: String::new(),
        what,
    };
    Input {
        at: HallTime(at),
        heard: HallTime(at),
        origin: arbiter(),
        what: Happening::Act(act),
    }
}

fn fact(at: i64, seq: i64, what: Fact) -> Input {
    Input {
        at: HallTime(at),
        heard: HallTime(at),
        origin: device("table", seq),
        what: Happening::Fact(what),
    }
}

fn settled(at: i64) -> Input {
    let through = HallTime(at) + Millis(1);
    Input {
        at: HallTime(at),
        heard: HallTime(at),
        origin: Origin::Hub,
        what: Happening::Settled { through },
    }
}

fn alarm(at: i64) -> Input {
    Input {
        at: HallTime(at),
        heard: HallTime(at),
        origin: Origin::Hub,
        what: Happening::Alarm,
    }
}

/// What a board of this kind tells while `mv` is made.
fn shown(kind: BoardKind, position: &Position, mv: &Move, by: Color) -> Vec<Fact> {
    let (before, after) = (position.placement(), position.play_unchecked(mv, by).placement());
    let mut facts: Vec<Fact> = Vec::new();
    for square in before.differences(&after) {
        if before.at(square).is_some() {
            facts.push(Fact::Lifted { square });
        }
    }
    for square in before.differences(&after) {
        if let Some(piece) = after.at(square) {
            let piece = (kind == BoardKind::Pieces).then_some((piece.color, piece.role));
            facts.push(Fact::Put { square, piece });
        }
    }
    facts
}

fn setups() -> impl Strategy<Value = GameSetup> {
    let control = prop::sample::select(ledger::CONTROLS.iter().map(|(text, _)| *text).collect::<Vec<_>>());
    let board = prop::sample::select(vec![
        BoardKind::Pieces,
        BoardKind::Pieces,
        BoardKind::Occupancy,
        BoardKind::None,
    ]);
    let clock = prop::sample::select(vec![ClockKind::Button, ClockKind::Counting]);
    let lag = prop::sample::select(vec![0, 0, 300]);
    let category = prop::sample::select(vec![Category::Standard, Category::Rapid, Category::Blitz]);
    let flags = any::<(bool, bool, bool)>();
    (control, board, clock, lag, category, flags).prop_map(
        |(control, board, clock, lag, category, (adequate, automatic, on_moves))| GameSetup {
            category,
            time_control: control.parse().expect("a control"),
            supervision: if adequate {
                Supervision::Adequate
            } else {
                Supervision::Limited
            },
            enforcement: if automatic {
                Enforcement::AUTOMATIC
            } else {
                Enforcement::CONFIRM
            },
            period_rule: if on_moves {
                PeriodRule::OnMoves
            } else {
                PeriodRule::OnZero
            },
            board,
            clock,
            sensing_lag: Millis(lag),
            ..GameSetup::default()
        },
    )
}

/// The game that comes of these facts, where those that are late are taken together as long as one comes right after the other; what is
/// journalled of them is that game too.
fn with_what_is_late_together(setup: GameSetup, heard: &[Input]) -> Game {
    let mut game = Game::new(setup);
    game.take(&act(0, Deed::Start)).expect("it starts");
    let mut replayed = game.clone();
    let mut late: Vec<Input> = Vec::new();
    let mut take = |game: &mut Game, late: &mut Vec<Input>| {
        if !late.is_empty() {
            for event in game.take_late(late).expect("they are late") {
                replayed.fold(&event).expect("it fits");
            }
            assert!(&replayed == game, "after {late:?}");
            late.clear();
        }
        replayed.clone_from(game);
    };
    for input in heard {
        if game.is_late(input) {
            late.push(input.clone());
            continue;
        }
        take(&mut game, &mut late);
        let _ = game.take(&alarm(input.heard.0));
        game.take(input).expect("a fact is taken");
        take(&mut game, &mut late);
    }
    take(&mut game, &mut late);
    game
}

/// Choices from which a game is played: what, which of it, how long after the last.
fn choices(most: usize) -> impl Strategy<Value = Vec<(u16, u16, u32)>> {
    prop::collection::vec((any::<u16>(), any::<u16>(), 0..9_000_u32), 1..most)
}

/// So many games in every run; more where `PROPTEST_CASES` says so.
fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(usual)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(24), max_shrink_iters: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn the_events_replay_to_the_same_game_and_every_ruling_names_its_article(setup in setups(), choices in choices(120)) {
        let mut replayed = Game::new(setup.clone());
        walk::walk(setup, &choices, walk::Manner::default(), |input, game, events| {
            for event in events {
                let read: Event = serde_json::from_str(&serde_json::to_string(event).expect("written")).expect("read");
                assert_eq!(&read, event);
                replayed.fold(&read).expect("it fits");
                let (Event::Taken { steps, .. } | Event::Reconsidered { steps, .. }) = event;
                for note in steps.iter().flat_map(|step| &step.notes) {
                    if let Note::Ruled { articles, .. } | Note::Opened { articles, .. } = note {
                        assert!(!articles.is_empty(), "{note:?}");
                    }
                }
            }
            assert!(&replayed == game, "after {input:?}");
        });
        let read: Game = serde_json::from_str(&serde_json::to_string(&replayed).expect("written")).expect("read");
        prop_assert!(read == replayed);
    }

    #[test]
    fn no_time_is_below_zero_nothing_is_recorded_after_the_end_and_the_hall_sees_no_item(setup in setups(), choices in choices(120)) {
        let mut over: Option<usize> = None;
        walk::walk(setup, &choices, walk::Manner::default(), |input, game, events| {
            let view = game.arbiter_view(input.heard);
            assert!(view.clocks.white >= Millis::ZERO && view.clocks.black >= Millis::ZERO, "{input:?}");
            let state = game.state();
            if let (Some(moves), true) = (over, state.ending.is_some()) {
                // What belongs before the end is recorded, however late it is known.
                let late = events.iter().any(|event| matches!(event, Event::Reconsidered { .. }));
                let ruled = matches!(input.what, Happening::Act(_));
                assert!(ruled || late || state.record.len() == moves, "{input:?}");
            }
            assert!(state.ending.is_none() || state.items.iter().all(|item| item.key.kind == item::Kind::LateNews));
            over = state.ending.as_ref().map(|_| state.record.len());
            let hall = serde_json::to_string(&game.hall_view(input.heard)).expect("written");
            for hint in ["item", "illegal", "claim", "must_play", "told", "completed", "offer"] {
                assert!(!hall.contains(hint), "{hint} in {hall}");
            }
        });
    }

    #[test]
    fn another_delivery_order_with_the_same_device_times_gives_the_same_record(
        limited in any::<bool>(),
        choices in choices(40),
        delays in prop::collection::vec(0..20_000_i64, 200),
    ) {
        let setup = GameSetup {
            category: if limited { Category::Rapid } else { Category::Standard },
            time_control: "5m+2s".parse().expect("a control"),
            ..GameSetup::default()
        };
        let mut heard: Vec<Input> = Vec::new();
        let manner = walk::Manner { facts_only: true, split: false };
        let in_order = walk::walk(setup.clone(), &choices, manner, |input, _, _| {
            if matches!(input.what, Happening::Fact(_)) {
                heard.push(input.clone());
            }
        });
        // Ties of time are told by the device's own sequence; a fact is heard some time after it happened.
        for (input, delay) in heard.iter_mut().zip(delays.iter().cycle()) {
            input.heard = input.at + Millis(*delay);
        }
        // As far as either has come: waiting without a fact is part of a game too.
        let last = heard.iter().map(|input| input.heard.0).max().unwrap_or(0);
        let end = last.max(in_order.reached.0) + 20_000;
        heard.sort_by_key(|input| input.heard);
        let mut game = Game::new(setup.clone());
        game.take(&act(0, Deed::Start)).expect("it starts");
        for input in &heard {
            let _ = game.take(&alarm(input.heard.0));
            game.take(input).expect("a fact is taken");
        }
        let mut together = with_what_is_late_together(setup, &heard);
        let mut in_order = in_order;
        for game in [&mut game, &mut in_order, &mut together] {
            let _ = game.take(&alarm(end));
            let _ = game.take(&settled(end));
        }
        let [one_by_one, then, together] = [game, in_order, together].map(|game| game.arbiter_view(HallTime(end)));
        let kinds = |items: &[audience::Item]| items.iter().map(|item| (item.kind.clone(), item.of)).collect::<Vec<_>>();
        for now in [one_by_one, together] {
            prop_assert_eq!(&now.moves, &then.moves);
            prop_assert_eq!(&now.clocks, &then.clocks);
            prop_assert_eq!(&now.result, &then.result);
            prop_assert_eq!(&now.fen, &then.fen);
            prop_assert_eq!(kinds(&now.items), kinds(&then.items));
        }
    }

    #[test]
    fn nothing_whatsoever_makes_a_game_panic(
        setup in setups(),
        whats in prop::collection::vec((0..29_u8, any::<i64>(), any::<i64>(), any::<u16>(), ".{0,12}"), 1..40),
    ) {
        let mut game = Game::new(setup);
        let _ = game.take(&act(0, Deed::Start));
        for (what, at, number, which, text) in whats {
            let by = if which % 2 == 0 { Color::White } else { Color::Black };
            let square = Square::from_index(u32::from(which) % 64).expect("a square");
            let reading = Reading { white: Millis(number), black: Millis(at), running: Some(by) };
            let happening = match what {
                0 => Happening::Fact(Fact::Pressed { by }),
                1 => Happening::Fact(Fact::Lifted { square }),
                2 => Happening::Fact(Fact::Put { square, piece: (which % 3 == 0).then_some((by, Role::King)) }),
                3 => Happening::Fact(Fact::Placed { placement: text }),
                4 => Happening::Fact(Fact::Moved { by, mv: text }),
                5 => Happening::Fact(Fact::Reading(reading)),
                6 => Happening::Fact(Fact::FlagShown { of: by, reading: Some(reading) }),
                7 => Happening::Fact(Fact::Claimed { by, what: Claim::Threefold, intends: Some(text) }),
                8 => Happening::Fact(Fact::OrderAnswered { number: number.unsigned_abs(), answer: OrderAnswer::Done, reading: Some(reading) }),
                9 => Happening::Fact(Fact::ByHand { what: ByHand::Adjusted { before: reading }, reading }),
                10 => Happening::Fact(Fact::Verdict { fen: text, winner: by, can_mate: Some(false), evidence: String::new(), line: Vec::new() }),
                11 => Happening::Settled { through: HallTime(number) },
                12 => Happening::Alarm,
                13 => Happening::Fact(Fact::Silent { device: text, silent: which % 3 == 0, shared: which % 2 == 0 }),
                _ => {
                    let what = match what {
                        14 => Deed::Adjust {
                            white: Some(TimeChange::To(Millis(number))),
                            black: Some(TimeChange::By(Millis(at))),
                            moves_done: Some(u32::from(which)),
                        },
                        15 => Deed::Restore { to: Restoration::Fen(text) },
                        16 => Deed::Penalise { of: by, what: Penalty::TakeTime(Millis(number)) },
                        17 => Deed::EnterMove { mv: text },
                        18 => Deed::Promoted { ply: u32::from(which), role: Role::King },
                        19 => Deed::Confirm { item: Some(number.unsigned_abs()), promotion: Some(Role::Pawn) },
                        20 => Deed::Decide { result: text },
                        21 => Deed::Observe { what: Observation::Flag, of: None },
                        22 => Deed::Resume,
                        23 => Deed::Mend { ply: u32::from(which), mv: text },
                        24 => Deed::MaskSquares { squares: vec![square] },
                        25 => Deed::UseBoard { used: which % 3 == 0 },
                        26 => Deed::SetPeriods { white: Some(u32::from(which)), black: None },
                        27 => Deed::ClaimedMoves { item: number.unsigned_abs(), moves: vec![u32::from(which)] },
                        _ => Deed::Confirm { item: None, promotion: None },
                    };
                    Happening::Act(Act { revision: None, reason: String::new(), what })
                }
            };
            let origin = if which % 5 == 0 { arbiter() } else { device("x", number) };
            let input = Input { at: HallTime(at), heard: HallTime(number), origin, what: happening };
            if let Ok(events) = game.take(&input) {
                let mut copy = game.clone();
                drop(events);
                let _ = copy.take(&alarm(at));
            }
            let _ = (game.arbiter_view(HallTime(number)), game.hall_view(HallTime(at)), game.next_deadline(), game.questions());
        }
    }
}
