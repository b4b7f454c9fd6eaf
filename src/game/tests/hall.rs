//! What the hall needs of a game: orders to the clock, boards that are late, suspected flags, readings, revisions.

use super::*;
use crate::game::audience::{Order, OrderKind, OrderStatus};
use crate::game::item::Kind;

/// A game under the hands of a hall, with its own count of reports.
pub(super) struct Hall {
    pub game: Game,
    pub seq: i64,
}

impl Hall {
    pub fn new(setup: GameSetup) -> Hall {
        Hall {
            game: Game::new(setup),
            seq: 0,
        }
    }

    /// A game whose clock takes orders, armed and started at 0.
    pub fn counting() -> Hall {
        Hall::counting_by(GameSetup::default())
    }

    /// The same with other regulations.
    pub fn counting_by(setup: GameSetup) -> Hall {
        let setup = GameSetup {
            clock: ClockKind::Counting,
            ..setup
        };
        let mut hall = Hall::new(setup);
        hall.done(0);
        hall.act(0, Deed::Start);
        hall.done(0);
        hall
    }

    pub fn act(&mut self, at: i64, what: Deed) {
        self.game.take(&act(at, what)).expect("it is done");
        self.game.take(&settled(at)).expect("it settles");
    }

    pub fn tell(&mut self, at: i64, what: Fact) {
        self.seq += 1;
        self.game.take(&fact(at, self.seq, what)).expect("it is taken");
        self.game.take(&settled(at)).expect("it settles");
    }

    fn only_order(&self) -> Order {
        let orders = self.game.pending_orders();
        assert_eq!(orders.len(), 1, "{orders:?}");
        orders[0].clone()
    }

    fn answer(&mut self, at: i64, answer: OrderAnswer) -> OrderKind {
        let order = self.only_order();
        self.answer_to(order.number, at, answer);
        order.what
    }

    /// An answer to an order that may have been answered before.
    fn answer_to(&mut self, number: u64, at: i64, answer: OrderAnswer) {
        self.tell(
            at,
            Fact::OrderAnswered {
                number,
                answer,
                reading: None,
            },
        );
    }

    /// An arbiter adds to Black's time at ten seconds, and the one order for it is answered so.
    fn gives_black_36_s_and_hears(&mut self, answers: [(i64, OrderAnswer); 2]) {
        let more = Deed::Adjust {
            white: None,
            black: Some(TimeChange::By(Millis::secs(36))),
            moves_done: None,
        };
        self.act(10_000, more);
        let number = self.only_order().number;
        for (at, answer) in answers {
            self.answer_to(number, at, answer);
        }
    }

    pub fn done(&mut self, at: i64) -> OrderKind {
        self.answer(at, OrderAnswer::Done)
    }

    pub fn makes(&mut self, at: i64, mv: &str) {
        let by = self.game.state().position().turn();
        self.tell(at, Fact::Moved { by, mv: mv.to_owned() });
    }

    pub fn plays(&mut self, at: i64, mv: &str) {
        let by = self.game.state().position().turn();
        self.makes(at, mv);
        self.tell(at, Fact::Pressed { by });
    }

    /// What White and Black have at this moment, in seconds, and whose time runs.
    pub fn clocks(&self, at: i64) -> (f64, f64, Option<Color>) {
        let clocks = self.game.arbiter_view(HallTime(at)).clocks;
        (
            clocks.white.0 as f64 / 1000.0,
            clocks.black.0 as f64 / 1000.0,
            clocks.running,
        )
    }

    pub fn open(&self) -> Vec<String> {
        self.game
            .arbiter_view(HallTime(0))
            .items
            .iter()
            .map(|item| item.kind.clone())
            .collect()
    }

    pub fn moves(&self) -> String {
        let moves: Vec<String> = self
            .game
            .hall_view(HallTime(0))
            .moves
            .iter()
            .map(|mv| mv.san.clone())
            .collect();
        moves.join(" ")
    }
}

const WHITE: Option<Color> = Some(Color::White);
const BLACK: Option<Color> = Some(Color::Black);

#[test]
fn a_clock_that_takes_orders_is_given_its_control_and_runs_from_when_it_says_so() {
    let mut hall = Hall::new(GameSetup {
        clock: ClockKind::Counting,
        ..GameSetup::default()
    });
    assert_eq!(hall.done(0), OrderKind::Control);
    hall.act(1_000, Deed::Start);
    assert_eq!(hall.clocks(5_000), (5430.0, 5430.0, None));
    assert_eq!(hall.done(1_200), OrderKind::Run(Color::White));
    assert_eq!(hall.clocks(11_200), (5420.0, 5430.0, WHITE));
    assert!(hall.game.pending_orders().is_empty());
}

#[test]
fn a_pause_takes_effect_when_the_clock_has_stopped_and_presses_meanwhile_count() {
    let mut hall = Hall::counting();
    hall.makes(9_000, "e2e4");
    hall.act(10_000, Deed::Pause);
    assert_eq!(hall.only_order().what, OrderKind::Stop);
    hall.tell(10_100, Fact::Pressed { by: Color::White });
    assert_eq!(hall.clocks(10_100).0, 5449.9);
    assert_eq!(hall.answer(10_150, OrderAnswer::MovedOn), OrderKind::Stop);
    assert_eq!(hall.done(10_600), OrderKind::Stop, "it is decided anew");
    assert_eq!(hall.clocks(60_000), (5449.9, 5429.5, None));
    hall.act(70_000, Deed::Resume);
    assert_eq!(hall.done(70_200), OrderKind::Run(Color::Black));
    assert_eq!(hall.clocks(71_200), (5449.9, 5428.5, BLACK));
}

#[test]
fn a_time_is_set_only_on_a_clock_that_stands_and_added_to_any() {
    let mut hall = Hall::counting();
    hall.act(
        10_000,
        Deed::Adjust {
            white: Some(TimeChange::By(Millis::mins(1))),
            black: None,
            moves_done: None,
        },
    );
    let add = OrderKind::Add {
        white: Millis::mins(1),
        black: Millis::ZERO,
    };
    assert_eq!(hall.done(10_500), add);
    assert_eq!(hall.clocks(11_000), (5479.0, 5430.0, WHITE));
    hall.act(
        20_000,
        Deed::Adjust {
            white: None,
            black: Some(TimeChange::To(Millis::secs(300))),
            moves_done: None,
        },
    );
    assert_eq!(hall.done(21_000), OrderKind::Stop);
    let set = OrderKind::Set {
        white: Millis::secs(5469),
        black: Millis::secs(300),
        moves: None,
    };
    assert_eq!(hall.done(22_000), set);
    assert_eq!(hall.done(23_000), OrderKind::Run(Color::White));
    assert_eq!(hall.clocks(24_000), (5468.0, 300.0, WHITE));
}

#[test]
fn a_ruling_stops_the_clock_and_then_sets_it() {
    let mut hall = Hall::counting();
    hall.plays(10_000, "e2e4");
    hall.plays(20_000, "e7e4");
    assert_eq!(hall.open(), ["illegal-move"]);
    hall.act(
        25_000,
        Deed::Confirm {
            item: None,
            promotion: None,
        },
    );
    assert_eq!(hall.done(26_000), OrderKind::Stop);
    // White had used six seconds since the press; two minutes for him, the increment from Black.
    let set = OrderKind::Set {
        white: Millis::secs(5450 - 6 + 120),
        black: Millis::secs(5420),
        moves: None,
    };
    assert_eq!(hall.done(27_000), set);
    assert_eq!(hall.clocks(60_000), (5564.0, 5420.0, None));
    assert_eq!(hall.moves(), "e4");
}

#[test]
fn what_the_clock_does_not_do_counts_from_the_ruling() {
    let mut hall = Hall::counting();
    hall.act(10_000, Deed::Pause);
    hall.answer(15_000, OrderAnswer::Unanswered);
    assert_eq!(hall.clocks(20_000), (5420.0, 5430.0, None));
    assert_eq!(hall.only_order().status, OrderStatus::ByHand);
    hall.act(30_000, Deed::Resume);
    let refused = OrderAnswer::Refused {
        why: "the arbiter's key is in".to_owned(),
    };
    let number = hall
        .game
        .pending_orders()
        .iter()
        .map(|order| order.number)
        .max()
        .expect("an order");
    hall.tell(
        31_000,
        Fact::OrderAnswered {
            number,
            answer: refused,
            reading: None,
        },
    );
    assert_eq!(hall.clocks(40_000), (5410.0, 5430.0, WHITE));
}

#[test]
fn a_game_that_ends_without_a_press_stops_its_clock() {
    let mut hall = Hall::counting();
    for (at, mv) in [(1, "f2f3"), (2, "e7e5"), (3, "g2g4")] {
        hall.plays(at * 1000, mv);
    }
    hall.makes(4_000, "d8h4");
    assert_eq!(hall.only_order().what, OrderKind::Stop);
    assert_eq!(hall.game.result(), Some(GameResult::BlackWins));
    hall.done(4_500);
    assert_eq!(hall.clocks(9_000), (5488.0, 5459.0 - 1.0 + 0.0, None));
}

fn board_facts(game: &Game, mv: &str) -> Vec<Fact> {
    let position = game.state().position();
    shown(
        game.setup().board,
        position,
        &mv.parse().expect("a move"),
        position.turn(),
    )
}

#[test]
fn a_board_that_sees_late_shows_a_move_after_its_press() {
    let mut hall = Hall::new(GameSetup {
        sensing_lag: Millis(300),
        ..GameSetup::default()
    });
    hall.act(0, Deed::Start);
    let facts = board_facts(&hall.game, "e2e4");
    hall.tell(10_000, Fact::Pressed { by: Color::White });
    assert_eq!(hall.clocks(10_000), (5450.0, 5430.0, BLACK));
    for fact in facts {
        hall.tell(10_200, fact);
    }
    assert_eq!(hall.moves(), "");
    assert_eq!(
        hall.game.next_deadline(),
        Some(HallTime(10_310 + 5_000)),
        "its device has not been heard so far"
    );
    hall.game.take(&settled(10_400)).expect("it settles");
    assert_eq!((hall.moves().as_str(), hall.open().len()), ("e4", 0));
    let mv = &hall.game.arbiter_view(HallTime(11_000)).moves[0];
    assert_eq!((mv.at, mv.clock), (HallTime(10_000), Some(Millis::secs(5450))));
}

#[test]
fn clock_and_board_of_two_devices_are_put_together_whatever_comes_first() {
    let mut game = Game::new(GameSetup::default());
    game.take(&act(0, Deed::Start)).expect("it starts");
    let two = |name: &str, at: i64, seq: i64, what: Fact| {
        let origin = Origin::Device {
            device: name.to_owned(),
            boot: 1,
            seq,
            bar: Some(Millis(40)),
        };
        Input {
            at: HallTime(at),
            heard: HallTime(at),
            origin,
            what: Happening::Fact(what),
        }
    };
    let mut position = Position::initial();
    let mut seq = 0;
    for (ply, mv) in ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().enumerate() {
        let at = 1_000 * (ply as i64 + 1);
        let mv: Move = mv.parse().expect("a move");
        // The clock is heard first, and the board says, within what its time may be off, that it was later.
        game.take(&two("clock", at, ply as i64, Fact::Pressed { by: position.turn() }))
            .expect("a press");
        for fact in shown(BoardKind::Pieces, &position, &mv, position.turn()) {
            seq += 1;
            game.take(&two("board", at + 50, seq, fact)).expect("a change");
        }
        position = position.play(&mv).expect("legal");
        game.take(&settled(at + 900)).expect("it settles");
    }
    let view = game.arbiter_view(HallTime(5_000));
    let moves: Vec<(&str, i64)> = view.moves.iter().map(|mv| (mv.san.as_str(), mv.at.0)).collect();
    assert_eq!(moves, [("e4", 1000), ("e5", 2000), ("Nf3", 3000), ("Nc6", 4000)]);
    assert!(view.items.is_empty(), "{:?}", view.items);
}

#[test]
fn the_hall_never_sees_a_flag_that_is_only_suspected() {
    let setup = GameSetup {
        time_control: "1m".parse().expect("a control"),
        category: Category::Blitz,
        ..GameSetup::default()
    };
    let mut hall = Hall::new(setup);
    hall.act(0, Deed::Start);
    hall.game.take(&settled(50_000)).expect("it settles");
    hall.game.take(&alarm(60_000)).expect("the alarm");
    let item = hall.game.arbiter_view(HallTime(61_000)).items[0].clone();
    assert_eq!((item.kind.as_str(), item.certain), ("flag", false));
    let clocks = hall.game.hall_view(HallTime(61_000)).clocks;
    assert_eq!((clocks.white, clocks.no_signal), (Millis(9_999), true));
    hall.game.take(&settled(61_000)).expect("it settles");
    let clocks = hall.game.hall_view(HallTime(61_000)).clocks;
    assert_eq!((clocks.white, clocks.no_signal), (Millis::ZERO, false));
    assert!(hall.game.arbiter_view(HallTime(61_000)).items[0].certain);
}

#[test]
fn a_reading_that_differs_is_put_before_the_arbiter_once_and_one_in_between_is_nothing() {
    let mut hall = Hall::counting();
    let reading = |white: i64, running| {
        Fact::Reading(Reading {
            white: Millis(white),
            black: Millis::secs(5430),
            running,
        })
    };
    let events = |hall: &mut Hall, at: i64, what: Fact| {
        hall.seq += 1;
        hall.game.take(&fact(at, hall.seq, what)).expect("it is taken").len()
    };
    assert_eq!(events(&mut hall, 10_000, reading(5_420_000, WHITE)), 0);
    assert_eq!(events(&mut hall, 10_000, reading(5_400_000, None)), 0);
    assert_eq!(events(&mut hall, 10_000, reading(5_400_000, WHITE)), 1);
    assert_eq!(hall.open(), ["adjusted-at-table"]);
    assert_eq!(hall.clocks(10_000).0, 5400.0, "it stands at once");
    assert_eq!(events(&mut hall, 11_000, reading(5_399_000, WHITE)), 0);
    hall.act(
        12_000,
        Deed::Confirm {
            item: None,
            promotion: None,
        },
    );
    assert!(hall.open().is_empty());
    assert_eq!(hall.clocks(12_000).0, 5398.0, "the clock has gone on since");
}

#[test]
fn a_stale_revision_is_refused_with_what_has_changed() {
    let mut hall = Hall::new(GameSetup::default());
    hall.act(0, Deed::Start);
    hall.plays(10_000, "e2e4");
    hall.plays(20_000, "e7e4");
    let view = hall.game.arbiter_view(HallTime(20_000));
    let (table, item) = (view.revision, view.items[0].clone());
    let decide = |revision| {
        let what = Deed::Decide {
            result: "1-0".to_owned(),
        };
        let act = Act {
            revision: Some(revision),
            reason: String::new(),
            what,
        };
        Input {
            at: HallTime(30_000),
            heard: HallTime(30_000),
            origin: arbiter(),
            what: Happening::Act(act),
        }
    };
    hall.act(21_000, Deed::Take { item: item.number });
    assert_eq!(
        hall.game.arbiter_view(HallTime(22_000)).items[0]
            .taken
            .as_ref()
            .map(|taken| taken.0.as_str()),
        Some("Anna")
    );
    assert!(
        hall.game.arbiter_view(HallTime(22_000) + Millis::mins(3)).items[0]
            .taken
            .is_none()
    );
    hall.act(
        25_000,
        Deed::Confirm {
            item: Some(item.number),
            promotion: None,
        },
    );
    match hall.game.take(&decide(table)) {
        Err(Refusal::StaleTable { given, now, changed }) => {
            assert_eq!(
                (given, now, changed.as_str()),
                (table, table + 1, "an arbiter has ruled")
            );
        }
        other => panic!("{other:?}"),
    }
    hall.game.take(&decide(table + 1)).expect("it is done");
    let confirm = act(
        40_000,
        Deed::Confirm {
            item: Some(item.number),
            promotion: None,
        },
    );
    assert!(matches!(hall.game.take(&confirm), Err(Refusal::NoItem { .. })));
}

#[test]
fn an_item_says_what_is_wrong_and_what_is_proposed() {
    let mut hall = Hall::new(GameSetup::default());
    hall.act(0, Deed::Start);
    hall.plays(10_000, "e2e4");
    hall.plays(20_000, "e7e4");
    let item = hall.game.arbiter_view(HallTime(20_000)).items[0].clone();
    assert!(
        item.what.starts_with("Black completed an illegal move, 1...e7-e4: "),
        "{}",
        item.what
    );
    assert_eq!(
        item.proposal,
        "The position before it is put back; White +2:00; Black -0:30; Black must play e7"
    );
    assert_eq!(item.articles[0], "7.5.1");
    let evidence: Vec<&str> = item.evidence.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(evidence, ["before", "after", "move", "added by the press"]);
}

#[test]
fn late_news_say_what_they_withdraw_and_from_which_half_move_on() {
    let mut hall = Hall::new(GameSetup {
        category: Category::Blitz,
        time_control: "1m".parse().expect("a control"),
        ..GameSetup::default()
    });
    hall.act(0, Deed::Start);
    hall.game.take(&settled(30_000)).expect("it settles");
    hall.game.take(&alarm(60_000)).expect("the alarm");
    let events = hall
        .game
        .take(&fact(
            59_000,
            1,
            Fact::Moved {
                by: Color::White,
                mv: "e2e4".to_owned(),
            },
        ))
        .expect("taken");
    let events = [
        events,
        hall.game
            .take(&fact(59_500, 2, Fact::Pressed { by: Color::White }))
            .expect("taken"),
    ]
    .concat();
    let withdrawn: Vec<&Note> = events
        .iter()
        .filter_map(|event| match event {
            Event::Reconsidered {
                withdrawn,
                from_ply: 0 | 1,
                ..
            } => Some(withdrawn),
            _ => None,
        })
        .flatten()
        .collect();
    assert!(
        matches!(withdrawn.as_slice(), [Note::Opened { kind: Kind::Flag, .. }]),
        "{withdrawn:?}"
    );
    assert_eq!(hall.clocks(60_000), (0.5, 59.5, BLACK));
    assert!(hall.open().is_empty());
}

#[test]
fn late_news_change_what_a_ruling_wants_of_the_clock_and_not_what_an_order_was_for() {
    let mut hall = Hall::counting();
    let to_five_minutes = Deed::Adjust {
        white: None,
        black: Some(TimeChange::To(Millis::mins(5))),
        moves_done: None,
    };
    hall.game.take(&act(10_000, to_five_minutes)).expect("it is done");
    assert_eq!(
        hall.only_order().what,
        OrderKind::Stop,
        "the clock runs, as far as is known"
    );
    hall.seq += 1;
    let paused = Fact::Paused { by: WHITE };
    hall.game.take(&fact(9_500, hall.seq, paused)).expect("it is taken");
    assert_eq!(hall.done(10_100), OrderKind::Stop, "it was on its way");
    let set = OrderKind::Set {
        white: Millis(5_420_500),
        black: Millis::mins(5),
        moves: None,
    };
    assert_eq!(hall.done(10_200), set, "what was ruled is not lost, and ordered once");
    assert!(hall.game.pending_orders().is_empty());
    assert_eq!(hall.clocks(60_000), (5420.5, 300.0, None));
}

#[test]
fn an_illegal_move_is_written_for_the_hall_like_any_other() {
    let mut hall = Hall::new(GameSetup::default());
    hall.act(0, Deed::Start);
    hall.plays(5_000, "e2e4");
    hall.plays(10_000, "e7e5");
    hall.plays(15_000, "d1f3");
    hall.plays(20_000, "b8d7");
    hall.plays(25_000, "f3f8");
    assert_eq!(hall.open(), ["illegal-move", "illegal-move"]);
    assert_eq!(hall.moves(), "e4 e5 Qf3 Nxd7 Qxf8+");
    let record: Vec<String> = hall
        .game
        .arbiter_view(HallTime(25_000))
        .moves
        .into_iter()
        .map(|mv| mv.san)
        .collect();
    assert_eq!(record.join(" "), "e4 e5 Qf3 b8-d7 f3-f8", "arbiters see what it was");
}

#[test]
fn what_was_pressed_and_shown_before_the_result_is_in_the_record() {
    let mut hall = Hall::new(GameSetup {
        sensing_lag: Millis(300),
        ..GameSetup::default()
    });
    hall.act(0, Deed::Start);
    let facts = board_facts(&hall.game, "e2e4");
    hall.tell(10_000, Fact::Pressed { by: Color::White });
    for fact in facts {
        hall.seq += 1;
        hall.game
            .take(&super::fact(10_100, hall.seq, fact))
            .expect("it is taken");
    }
    let result = "1/2-1/2".to_owned();
    hall.game
        .take(&act(10_200, Deed::Decide { result }))
        .expect("it is done");
    assert_eq!(hall.moves(), "e4");
    let mv = &hall.game.arbiter_view(HallTime(11_000)).moves[0];
    assert_eq!(mv.clock, Some(Millis::secs(5450)));
}

/// Colours are found reversed at eleven seconds, and the game begins anew (7.3).
fn begins_anew(hall: &mut Hall) {
    let seen = Deed::Observe {
        what: Observation::ColoursReversed,
        of: None,
    };
    hall.act(11_000, seen);
    let confirm = Deed::Confirm {
        item: None,
        promotion: None,
    };
    hall.act(11_000, confirm);
}

#[test]
fn what_the_clock_was_told_before_a_new_game_changes_none_of_its_times() {
    // The addition is given up before the new game, or still under way; the clock tells of it when the game has begun anew.
    for given_up in [true, false] {
        let mut hall = Hall::counting();
        let more = Deed::Adjust {
            white: None,
            black: Some(TimeChange::By(Millis::secs(36))),
            moves_done: None,
        };
        hall.act(10_000, more);
        let number = hall.only_order().number;
        if given_up {
            hall.answer_to(number, 10_500, OrderAnswer::Unanswered);
        }
        begins_anew(&mut hall);
        assert_eq!(hall.clocks(11_000), (5430.0, 5430.0, None));
        hall.answer_to(number, 11_200, OrderAnswer::Done);
        assert_eq!(hall.clocks(11_200), (5430.0, 5430.0, None), "given up: {given_up}");
    }
}

#[test]
fn a_silent_device_is_silent_in_the_new_game_too() {
    let mut hall = Hall::counting();
    let silent = |silent| Fact::Silent {
        device: "board".to_owned(),
        silent,
        shared: false,
    };
    hall.tell(9_000, silent(true));
    let seen = Deed::Observe {
        what: Observation::WrongSetup,
        of: None,
    };
    hall.act(11_000, seen);
    let wrong = hall.game.arbiter_view(HallTime(11_000)).items;
    let number = wrong
        .iter()
        .find(|item| item.kind == "wrong-setup")
        .expect("it is open")
        .number;
    let confirm = Deed::Confirm {
        item: Some(number),
        promotion: None,
    };
    hall.act(11_000, confirm);
    assert_eq!(hall.moves(), "");
    assert_eq!(hall.open(), ["silent-device"]);
    hall.tell(12_000, silent(false));
    assert!(hall.open().is_empty());
}

#[test]
fn three_quick_moves_at_an_unknown_order_are_three_though_one_piece_made_two_of_them() {
    let mut game = Game::new(GameSetup::default());
    game.take(&act(0, Deed::Start)).expect("it starts");
    let told = |name: &str, at: i64, seq: i64, what: Fact| Input {
        origin: Origin::Device {
            device: name.to_owned(),
            boot: 1,
            seq,
            bar: None,
        },
        ..fact(at, seq, what)
    };
    let mut position = Position::initial();
    let mut seq = 0;
    let moves = [
        ("c2c3", 10_000),
        ("h7h5", 20_000),
        ("d1c2", 36_300),
        ("d7d6", 37_000),
        ("c2b3", 38_060),
    ];
    for (ply, (mv, at)) in moves.into_iter().enumerate() {
        let mv: Move = mv.parse().expect("a move");
        let by = position.turn();
        for fact in shown(BoardKind::Pieces, &position, &mv, by) {
            seq += 1;
            game.take(&told("board", at - 200 + seq % 2 * 50, seq, fact))
                .expect("a change");
        }
        game.take(&told("clock", at, ply as i64, Fact::Pressed { by }))
            .expect("a press");
        position = position.play_unchecked(&mv, by);
    }
    game.take(&settled(50_000)).expect("it settles");
    game.take(&alarm(50_000)).expect("time passes");
    let view = game.arbiter_view(HallTime(50_000));
    let moves: Vec<&str> = view.moves.iter().map(|mv| mv.san.as_str()).collect();
    assert_eq!(moves, ["c3", "h5", "Qc2", "d6", "Qb3"]);
    assert!(view.items.is_empty(), "{:?}", view.items);
}

#[test]
fn a_piece_taken_as_the_round_is_called_makes_the_first_move() {
    let mut hall = Hall::new(GameSetup::default());
    let square = |name: &str| name.parse::<Square>().expect("a square");
    // What was shifted about before is put right; only what is in the air at the call is not.
    for (at, moved) in [(100, "a2"), (900, "e2")] {
        hall.tell(at, Fact::Lifted { square: square(moved) });
        if moved == "a2" {
            let piece = Some((Color::White, Role::Pawn));
            hall.tell(
                at + 10,
                Fact::Put {
                    square: square("a2"),
                    piece,
                },
            );
        }
    }
    hall.act(1_000, Deed::Start);
    let piece = Some((Color::White, Role::Pawn));
    hall.tell(
        1_100,
        Fact::Put {
            square: square("e4"),
            piece,
        },
    );
    hall.tell(1_200, Fact::Pressed { by: Color::White });
    hall.game.take(&settled(3_000)).expect("it settles");
    assert_eq!(hall.moves(), "e4");
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}

#[test]
fn moves_that_were_taken_back_after_the_end_stay_so_when_the_game_is_reopened() {
    let mut hall = Hall::new(GameSetup::default());
    hall.act(0, Deed::Start);
    for (at, mv) in [(1_000, "e2e4"), (2_000, "e7e5"), (3_000, "g1f3")] {
        hall.plays(at, mv);
    }
    let seen = Deed::Observe {
        what: Observation::TwoHands,
        of: Some(Color::White),
    };
    hall.act(4_000, seen);
    let result = "1/2-1/2".to_owned();
    hall.act(5_000, Deed::Decide { result });
    let to = Restoration::Keep(1);
    hall.act(6_000, Deed::Restore { to });
    hall.act(7_000, Deed::Reopen);
    assert_eq!(hall.moves(), "e4");
    assert_eq!(hall.game.state().completed(), [1, 0]);
    assert_eq!(hall.open(), Vec::<String>::new(), "its move is not there any more");
}

#[test]
fn no_more_time_is_taken_from_a_clock_than_it_has() {
    let mut hall = Hall::new(GameSetup::default());
    hall.act(0, Deed::Start);
    let adjust = |by: i64| Deed::Adjust {
        white: Some(TimeChange::By(Millis(by))),
        black: None,
        moves_done: None,
    };
    let refused = hall
        .game
        .take(&act(60_000, adjust(-99 * 3_600_000)))
        .expect_err("refused");
    assert_eq!(
        refused.to_string(),
        "white: White has 1:29:30, so 99:00:00 cannot be taken from it; take no more than that, or set the time to 0:00:00"
    );
    assert!(hall.game.take(&act(60_000, adjust(-3_600_000))).is_ok());
}

#[test]
fn a_press_before_the_clock_has_answered_shows_that_it_runs() {
    let mut hall = Hall::new(GameSetup {
        clock: ClockKind::Counting,
        ..GameSetup::default()
    });
    hall.act(1_000, Deed::Start);
    assert_eq!(hall.only_order().what, OrderKind::Control, "not answered yet");
    hall.makes(9_000, "e2e4");
    hall.tell(10_000, Fact::Pressed { by: Color::White });
    assert_eq!(
        hall.clocks(11_000),
        (5451.0, 5429.0, BLACK),
        "it counts from the start of the round"
    );
    assert_eq!(hall.moves(), "e4");
    hall.makes(19_000, "e7e5");
    hall.tell(20_000, Fact::Pressed { by: Color::Black });
    assert_eq!(hall.clocks(20_000), (5451.0, 5450.0, WHITE));
    // The answer comes at last: there is nothing more to start.
    assert_eq!(hall.done(21_000), OrderKind::Control);
    assert!(hall.game.pending_orders().is_empty());
    assert_eq!(hall.clocks(30_000), (5441.0, 5450.0, WHITE));
}

#[test]
fn an_answer_that_is_heard_after_the_press_says_from_when_the_clock_ran() {
    let mut hall = Hall::new(GameSetup {
        clock: ClockKind::Counting,
        ..GameSetup::default()
    });
    hall.done(0);
    hall.act(1_000, Deed::Start);
    let run = hall.only_order();
    assert_eq!(run.what, OrderKind::Run(Color::White));
    let told = |at: i64, seq: i64, what: Fact| fact(at, seq, what);
    let mv = "e2e4".to_owned();
    let by = Color::White;
    hall.game
        .take(&told(9_000, 10, Fact::Moved { by, mv }))
        .expect("a move");
    hall.game
        .take(&told(10_000, 11, Fact::Pressed { by }))
        .expect("a press");
    assert_eq!(hall.clocks(10_000), (5451.0, 5430.0, BLACK));
    let done = Fact::OrderAnswered {
        number: run.number,
        answer: OrderAnswer::Done,
        reading: None,
    };
    hall.game.take(&told(1_400, 5, done)).expect("an answer");
    assert_eq!(hall.clocks(10_000), (5451.4, 5430.0, BLACK));
}

#[test]
fn a_quick_answer_on_two_devices_waits_for_the_board_to_stand() {
    let mut game = Game::new(GameSetup::default());
    game.take(&act(0, Deed::Start)).expect("it starts");
    let two = |name: &str, at: i64, seq: i64, what: Fact| Input {
        origin: Origin::Device {
            device: name.to_owned(),
            boot: 1,
            seq,
            bar: Some(Millis(100)),
        },
        ..fact(at, seq, what)
    };
    let mut position = Position::initial();
    let mut seq = 0;
    let mut items = Vec::new();
    // Each answers a tenth of a second after the other's press, captures among them, and the board's times lie a little late.
    for (ply, mv) in ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d8"].into_iter().enumerate() {
        let at = 1_000 + 150 * ply as i64;
        let mv: Move = mv.parse().expect("a move");
        game.take(&two("clock", at, ply as i64, Fact::Pressed { by: position.turn() }))
            .expect("a press");
        for (nth, fact) in shown(BoardKind::Pieces, &position, &mv, position.turn())
            .into_iter()
            .enumerate()
        {
            seq += 1;
            game.take(&two("board", at + 20 + 50 * nth as i64, seq, fact))
                .expect("a change");
            game.take(&settled(at + 20 + 50 * nth as i64)).expect("it settles");
            items.extend(game.arbiter_view(HallTime(at)).items.into_iter().map(|item| item.kind));
        }
        position = position.play(&mv).expect("legal");
    }
    game.take(&alarm(10_000)).expect("time passes");
    game.take(&settled(10_000)).expect("it settles");
    items.extend(
        game.arbiter_view(HallTime(10_000))
            .items
            .into_iter()
            .map(|item| item.kind),
    );
    assert_eq!(items, Vec::<String>::new());
    let moves: Vec<String> = game
        .arbiter_view(HallTime(10_000))
        .moves
        .into_iter()
        .map(|mv| mv.san)
        .collect();
    assert_eq!(moves.join(" "), "e4 d5 exd5 Qxd5 Nc3 Qd8");
}

#[test]
fn a_mate_that_a_late_board_shows_with_the_move_before_leaves_that_press_its_increment() {
    let mut hall = Hall::new(GameSetup {
        sensing_lag: Millis(300),
        ..GameSetup::default()
    });
    hall.act(0, Deed::Start);
    for (at, mv) in [(1, "f2f3"), (2, "e7e5")] {
        hall.plays(at * 1_000, mv);
    }
    hall.game.take(&settled(2_900)).expect("it settles");
    let mut position = (**hall.game.state().position()).clone();
    for (nth, mv) in ["g2g4", "d8h4"].into_iter().enumerate() {
        let (at, by) = (3_000 + 100 * nth as i64, position.turn());
        let mv: Move = mv.parse().expect("a move");
        hall.seq += 1;
        hall.game
            .take(&fact(at, hall.seq, Fact::Pressed { by }))
            .expect("a press");
        for what in shown(BoardKind::Pieces, &position, &mv, by) {
            hall.seq += 1;
            hall.game.take(&fact(at + 50, hall.seq, what)).expect("a change");
        }
        position = position.play(&mv).expect("legal");
    }
    hall.game.take(&settled(4_000)).expect("it settles");
    assert_eq!(hall.game.result(), Some(GameResult::BlackWins));
    // White: 5430 - 1 + 30, then one second and the increment of his last press. Black: the mate came with his press, which gives nothing.
    assert_eq!(hall.clocks(9_000), (5488.0, 5458.9, None));
}

#[test]
fn a_game_reopened_has_the_moves_that_its_last_ruling_took_back() {
    let mut hall = Hall::new(GameSetup {
        illegal_done: (0, 1),
        ..GameSetup::default()
    });
    hall.act(0, Deed::Start);
    hall.plays(10_000, "e2e4");
    hall.plays(20_000, "e7e4");
    let confirm = || Deed::Confirm {
        item: None,
        promotion: None,
    };
    hall.act(25_000, confirm());
    assert_eq!(hall.game.result(), Some(GameResult::WhiteWins));
    hall.act(30_000, Deed::Reopen);
    let view = hall.game.arbiter_view(HallTime(30_000));
    assert_eq!((view.moves.len(), view.completed), (2, (1, 1)));
}

#[test]
fn a_clock_goes_on_for_whoever_has_not_pressed_though_the_board_is_still_waited_for() {
    let mut hall = Hall::new(GameSetup {
        clock: ClockKind::Counting,
        sensing_lag: Millis(300),
        ..GameSetup::default()
    });
    hall.done(0);
    hall.act(0, Deed::Start);
    hall.done(0);
    hall.tell(10_000, Fact::Pressed { by: Color::White });
    hall.act(10_050, Deed::Pause);
    assert_eq!(hall.done(10_100), OrderKind::Stop);
    hall.act(10_150, Deed::Resume);
    assert_eq!(hall.only_order().what, OrderKind::Run(Color::Black));
}

#[test]
fn an_order_answered_after_the_presses_that_follow_it_is_put_before_them_and_counts_once() {
    let mut hall = Hall::new(GameSetup {
        clock: ClockKind::Counting,
        ..GameSetup::default()
    });
    hall.done(0);
    hall.act(0, Deed::Start);
    let number = hall.only_order().number;
    // The clock ran from 100 on; that it did is heard after White's move and press.
    hall.makes(9_000, "e2e4");
    hall.tell(10_000, Fact::Pressed { by: Color::White });
    let answered = Fact::OrderAnswered {
        number,
        answer: OrderAnswer::Done,
        reading: None,
    };
    for _ in 0..2 {
        let mut late = fact(100, 0, answered.clone());
        late.heard = HallTime(12_000);
        hall.game.take(&late).expect("it is taken");
    }
    assert_eq!(hall.moves(), "e4");
    assert_eq!(hall.clocks(12_000), (5450.1, 5428.0, BLACK));
}

#[test]
fn an_addition_whose_answer_is_heard_twice_is_made_once() {
    let mut hall = Hall::counting();
    hall.gives_black_36_s_and_hears([(10_100, OrderAnswer::Done), (10_100, OrderAnswer::Done)]);
    assert_eq!(hall.clocks(11_000).1, 5466.0);
}

#[test]
fn a_period_that_ran_out_before_that_was_known_ends_at_its_zero() {
    let mut hall = Hall::new(GameSetup {
        clock: ClockKind::Counting,
        time_control: "4/1m,2m".parse().expect("a control"),
        ..GameSetup::default()
    });
    hall.done(0);
    hall.act(0, Deed::Start);
    hall.answer(70_000, OrderAnswer::Unanswered);
    assert_eq!(hall.clocks(70_000), (110.0, 180.0, WHITE), "by hand, from the ruling");
}

#[test]
fn what_is_ruled_of_a_standing_clock_does_not_cost_the_next_player_the_time_since_its_run() {
    let mut hall = Hall::counting();
    hall.act(10_000, Deed::Pause);
    hall.done(10_000);
    hall.act(20_000, Deed::Resume);
    hall.act(
        25_000,
        Deed::Restore {
            to: Restoration::Keep(0),
        },
    );
    hall.answer(30_000, OrderAnswer::Unanswered);
    assert_eq!(hall.clocks(30_000), (5410.0, 5430.0, WHITE), "by hand, from the ruling");
}

#[test]
fn an_addition_made_by_hand_is_not_made_again_when_the_clock_answers_after_all() {
    let mut hall = Hall::counting();
    hall.gives_black_36_s_and_hears([(20_000, OrderAnswer::Unanswered), (20_100, OrderAnswer::Done)]);
    assert_eq!(hall.clocks(21_000).1, 5466.0);
}

#[test]
fn a_press_whose_move_no_board_has_shown_has_ended_its_player_s_turn_all_the_same() {
    let mut hall = Hall::new(GameSetup {
        clock: ClockKind::Counting,
        sensing_lag: Millis(300),
        ..GameSetup::default()
    });
    hall.done(0);
    hall.act(0, Deed::Start);
    hall.done(0);
    hall.tell(10_000, Fact::Pressed { by: Color::White });
    hall.game.take(&settled(12_000)).expect("it settles");
    assert!(
        hall.game.state().passed,
        "it was waited for, and the board has shown nothing"
    );
    hall.act(13_000, Deed::Pause);
    assert_eq!(hall.done(13_000), OrderKind::Stop);
    hall.act(14_000, Deed::Resume);
    assert_eq!(hall.only_order().what, OrderKind::Run(Color::Black));
}

#[test]
fn a_run_behind_a_stop_is_for_whoever_has_the_move_when_the_clock_has_stopped() {
    let mut hall = Hall::counting();
    hall.act(10_000, Deed::Pause);
    hall.act(11_000, Deed::Resume);
    // The stop has not come through, and White plays on.
    hall.plays(12_000, "e2e4");
    assert_eq!(hall.done(12_500), OrderKind::Stop);
    assert_eq!(hall.only_order().what, OrderKind::Run(Color::Black));
}

#[test]
fn a_clock_runs_from_when_it_says_so_though_the_hub_s_own_time_is_ahead_of_it() {
    let mut hall = Hall::counting();
    let silent = Fact::Silent {
        device: "table".to_owned(),
        silent: true,
        shared: false,
    };
    let by_hub = Input {
        origin: Origin::Hub,
        ..fact(30_000, 0, silent)
    };
    hall.game.take(&by_hub).expect("it is taken");
    hall.act(
        20_000,
        Deed::Restore {
            to: Restoration::Keep(0),
        },
    );
    hall.act(20_000, Deed::Pause);
    let shown = |white: i64, running| Reading {
        white: Millis(white),
        black: Millis::secs(5430),
        running,
    };
    let mut answer = |at: i64, shown: Reading| {
        let order = hall.only_order();
        let fact = Fact::OrderAnswered {
            number: order.number,
            answer: OrderAnswer::Done,
            reading: Some(shown),
        };
        hall.tell(at, fact);
        if order.what == OrderKind::Stop {
            hall.act(21_000, Deed::Resume);
        }
    };
    answer(20_050, shown(5_409_950, None));
    answer(21_100, shown(5_409_950, WHITE));
    hall.plays(25_000, "e2e4");
    let view = hall.game.arbiter_view(HallTime(31_000));
    assert_eq!(view.moves[0].clock, Some(Millis(5_409_950 - 3_900 + 30_000)));
}

#[test]
fn a_clock_that_was_at_zero_and_is_started_by_hand_with_time_left_runs() {
    let mut hall = Hall::new(GameSetup {
        clock: ClockKind::Button,
        ..GameSetup::default()
    });
    hall.act(0, Deed::Start);
    let to_zero = TimeChange::To(Millis::secs(3));
    hall.act(
        1_000,
        Deed::Adjust {
            white: Some(to_zero),
            black: None,
            moves_done: None,
        },
    );
    hall.act(10_000, Deed::Dismiss { item: None });
    let reading = Reading {
        white: Millis::secs(50),
        black: Millis::secs(25),
        running: Some(Color::White),
    };
    hall.tell(
        20_000,
        Fact::ByHand {
            what: ByHand::Started,
            reading,
        },
    );
    assert_eq!(hall.clocks(21_000), (49.0, 25.0, WHITE));
}
