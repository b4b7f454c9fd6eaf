//! The Laws over many thousands of random steps: whatever the players, the devices and the arbiters do.

use std::cell::Cell;
use std::collections::BTreeMap;

use proptest::test_runner::{TestCaseError, TestRunner};

use super::ledger::Follower;
use super::walk::{Manner, walk};
use super::*;

/// So many inputs at least in every run; more where `FLAGFALL_RANDOM_STEPS` says so.
const STEPS: u64 = 100_000;

/// What is the same of two games whatever the order of delivery.
fn record(game: &Game, now: HallTime) -> (audience::ClockView, String, String, Vec<String>, Vec<String>) {
    let view = game.arbiter_view(now);
    let moves = view.moves.iter().map(|mv| format!("{mv:?}")).collect();
    let items = view
        .items
        .iter()
        .map(|item| format!("{} {:?} {} {}", item.kind, item.of, item.since.0, item.proposal))
        .collect();
    (view.clocks, view.result, view.fen, moves, items)
}

/// Plays a game and judges every step of it.
fn judged(setup: GameSetup, choices: &[(u16, u16, u32)], manner: Manner, steps: &Cell<u64>) {
    let mut replayed = Game::new(setup.clone());
    let mut follower = Follower::new(&replayed);
    let written = choices.len().is_multiple_of(8);
    walk(setup, choices, manner, |input, game, events| {
        steps.set(steps.get() + 1);
        let before = follower.state().clone();
        for event in events {
            follower.follow(event, &replayed.desk);
            if written {
                let read = serde_json::from_str(&serde_json::to_string(event).expect("written")).expect("read");
                replayed.fold(&read).expect("it fits");
            } else {
                replayed.fold(event).expect("it fits");
            }
            let (Event::Taken { steps, .. } | Event::Reconsidered { steps, .. }) = event;
            for note in steps.iter().flat_map(|step| &step.notes) {
                names_its_article(note);
            }
        }
        let state = game.state();
        // After all that followed from one choice.
        if matches!(input.what, Happening::Settled { .. }) {
            assert!(&replayed == game, "the replay differs after {input:?}");
            assert!(follower.state() == state, "the steps lead elsewhere after {input:?}");
        }
        for side in Color::BOTH {
            let shows = state.clock.shows(side, input.heard, &game.setup().time_control);
            assert!(
                shows >= Millis::ZERO && state.clock.half(side).left >= Millis::ZERO,
                "{input:?}"
            );
        }
        // What belongs before the end changes what came to it, however late it is heard.
        if !events.iter().any(|event| matches!(event, Event::Reconsidered { .. })) {
            nothing_after_the_end(&before, state, input);
        }
    });
}

fn names_its_article(note: &Note) {
    match note {
        Note::Ruled { articles, ruling, .. } => assert!(!articles.is_empty(), "{ruling:?}"),
        Note::Opened { articles, .. } => assert!(!articles.is_empty(), "{note:?}"),
        Note::Ended {
            article, termination, ..
        } => {
            let by_himself = *termination == crate::laws::Termination::Arbiter;
            assert!(by_himself || !article.is_empty(), "{note:?}");
        }
        Note::Acted { articles, what, .. } => {
            let by_himself = ["result", "reopen", "dismiss", "enter-move"].contains(&what.as_str());
            assert!(by_himself || !articles.is_empty(), "{note:?}");
        }
        Note::Moved { .. } | Note::Closed { .. } => {}
    }
}

/// Only arbiters change anything of a game that is over.
fn nothing_after_the_end(before: &state::State, state: &state::State, input: &Input) {
    let (Some(then), Some(now)) = (&before.ending, &state.ending) else {
        return;
    };
    assert!(
        state.items.iter().all(|item| item.key.kind == item::Kind::LateNews),
        "{input:?}"
    );
    assert!(state.clock.running().is_none(), "{input:?}");
    if !matches!(input.what, Happening::Act(_)) {
        assert_eq!(
            (then.result, then.termination, then.at),
            (now.result, now.termination, now.at),
            "{input:?}"
        );
        assert_eq!(before.record.len(), state.record.len(), "{input:?}");
        assert_eq!(before.clock, state.clock, "{input:?}");
    }
}

/// Only facts, in two orders of delivery, and all rulings after the last.
fn in_another_order(setup: &GameSetup, choices: &[(u16, u16, u32)], delays: &[i64], split: bool, steps: &Cell<u64>) {
    let setup = GameSetup {
        clock: ClockKind::Button,
        enforcement: Enforcement::CONFIRM,
        ..setup.clone()
    };
    let mut heard: Vec<Input> = Vec::new();
    let manner = Manner {
        facts_only: true,
        split,
    };
    let mut in_order = walk(setup.clone(), choices, manner, |input, _, _| {
        steps.set(steps.get() + 1);
        if matches!(input.what, Happening::Fact(_)) {
            heard.push(input.clone());
        }
    });
    for (input, delay) in heard.iter_mut().zip(delays.iter().cycle()) {
        input.heard = input.at + Millis(*delay);
    }
    if split {
        // Each device's own reports come in their order; only the two of them are late against each other.
        let mut last: BTreeMap<String, HallTime> = BTreeMap::new();
        for input in &mut heard {
            if let Origin::Device { device, .. } = &input.origin {
                let last = last.entry(device.clone()).or_insert(input.heard);
                input.heard = input.heard.max(*last);
                *last = input.heard;
            }
        }
    }
    let last = heard.iter().map(|input| input.heard.0).max().unwrap_or(0);
    let mut end = last.max(in_order.reached.0) + 20_000;
    heard.sort_by_key(|input| input.heard);
    let mut late = Game::new(setup);
    late.take(&act(0, Deed::Start)).expect("it starts");
    for input in &heard {
        steps.set(steps.get() + 1);
        let _ = late.take(&alarm(input.heard.0));
        late.take(input).expect("a fact is taken");
    }
    for ruling in 0..6 {
        for game in [&mut late, &mut in_order] {
            let _ = game.take(&alarm(end));
            let _ = game.take(&settled(end));
        }
        let (one, other) = (record(&in_order, HallTime(end)), record(&late, HallTime(end)));
        assert_eq!(one, other, "after {ruling} rulings");
        end += 1_000;
        for game in [&mut late, &mut in_order] {
            let _ = game.take(&act(
                end,
                Deed::Confirm {
                    item: None,
                    promotion: None,
                },
            ));
        }
    }
}

#[test]
fn a_hundred_thousand_random_steps_keep_the_clocks_the_record_and_the_laws() {
    let wanted = std::env::var("FLAGFALL_RANDOM_STEPS")
        .ok()
        .and_then(|steps| steps.parse().ok())
        .unwrap_or(STEPS);
    let steps = Cell::new(0);
    let games = (
        setups(),
        choices(120),
        prop::collection::vec(0..20_000_i64, 60),
        any::<(bool, u8)>(),
    );
    while steps.get() < wanted {
        let config = ProptestConfig {
            cases: 100,
            max_shrink_iters: 4_000,
            source_file: Some(file!()),
            test_name: Some("random"),
            ..ProptestConfig::default()
        };
        let played = TestRunner::new(config).run(&games, |(setup, choices, delays, (split, reorder))| {
            if steps.get() >= wanted {
                return Ok(());
            }
            judged(
                setup.clone(),
                &choices,
                Manner {
                    facts_only: false,
                    split,
                },
                &steps,
            );
            if reorder < 48 {
                in_another_order(&setup, &choices[..choices.len().min(40)], &delays, split, &steps);
            }
            Ok::<(), TestCaseError>(())
        });
        if let Err(failed) = played {
            panic!("{failed}");
        }
    }
    assert!(steps.get() >= wanted, "{} steps", steps.get());
    println!("{} steps", steps.get());
}
