//! What is heard late, and in another order than it happened.

use super::*;

/// A game's moves (written, at which moment, what its clock showed), its items, and its clocks.
type Told = (Vec<(String, i64, Option<Millis>)>, Vec<String>, audience::ClockView);

/// A fact that a device tells of this boot; its time may be off by so much.
fn told_by(name: &str, boot: u32, bar: i64, at: i64, seq: i64, what: Fact) -> Input {
    Input {
        origin: Origin::Device {
            device: name.to_owned(),
            boot,
            seq,
            bar: Some(Millis(bar)),
        },
        ..fact(at, seq, what)
    }
}

/// What a game of these facts is once all is heard, told in this order.
fn told(setup: &GameSetup, order: &[Input]) -> Told {
    let mut game = Game::new(setup.clone());
    game.take(&act(0, Deed::Start)).expect("it starts");
    let mut heard = 0;
    for input in order {
        heard = heard.max(input.heard.0);
        let _ = game.take(&alarm(heard));
        game.take(input).expect("it is taken");
    }
    let end = heard + 60_000;
    let _ = game.take(&alarm(end));
    let _ = game.take(&settled(end));
    let view = game.arbiter_view(HallTime(end));
    let moves = view.moves.into_iter().map(|mv| (mv.san, mv.at.0, mv.clock)).collect();
    (
        moves,
        view.items.into_iter().map(|item| item.kind).collect(),
        view.clocks,
    )
}

#[test]
fn what_is_put_on_the_board_later_does_not_explain_a_press_that_has_been_waited_for() {
    let knight = Some((Color::White, Role::Knight));
    let facts = [
        fact(1, 1, Fact::Pressed { by: Color::White }),
        fact(
            500,
            2,
            Fact::Lifted {
                square: "b1".parse().expect("a square"),
            },
        ),
        fact(
            700,
            3,
            Fact::Put {
                square: "a3".parse().expect("a square"),
                piece: knight,
            },
        ),
        fact(900, 4, Fact::Pressed { by: Color::Black }),
    ];
    let setup = GameSetup {
        time_control: "5m+2s".parse().expect("a control"),
        ..GameSetup::default()
    };
    // Everything at once, and settled after each; or the move heard seconds after the press that came after it.
    let mut game = Game::new(setup.clone());
    game.take(&act(0, Deed::Start)).expect("it starts");
    for input in &facts {
        game.take(input).expect("it is taken");
        game.take(&settled(input.at.0)).expect("it settles");
    }
    let moves = game.arbiter_view(HallTime(1_000)).moves;
    assert!(moves.is_empty(), "the press came without a move: {moves:?}");
    let [press, lifted, put, answer] = facts;
    let late = |mut input: Input, heard: i64| {
        input.heard = HallTime(heard);
        input
    };
    let order = [press, lifted, late(answer, 8_133), late(put, 8_284)];
    let (moves, items, clocks) = told(&setup, &order);
    assert!(moves.is_empty(), "{moves:?}");
    assert_eq!(
        items,
        game.arbiter_view(HallTime(1_000))
            .items
            .into_iter()
            .map(|item| item.kind)
            .collect::<Vec<_>>()
    );
    // White's time runs since Black's press, until a minute after the last delivery.
    let white = Millis(303_999 - (68_284 - 900));
    assert_eq!((clocks.white, clocks.black), (white, Millis(303_101)));
}

#[test]
fn what_waits_for_the_board_is_judged_by_the_picture_of_its_moment_once_it_may_be() {
    let two = |name: &str, at: i64, seq: i64, what: Fact| told_by(name, 1, 40, at, seq, what);
    let setup = GameSetup::default();
    let mut game = Game::new(setup);
    game.take(&act(0, Deed::Start)).expect("it starts");
    // White presses and the board is not heard; a quarter of a second later he moves: too late for that press.
    game.take(&two("clock", 1_000, 1, Fact::Pressed { by: Color::White }))
        .expect("a press");
    let position = Position::initial();
    let mv: Move = "e2e4".parse().expect("a move");
    for (nth, what) in shown(BoardKind::Pieces, &position, &mv, Color::White)
        .into_iter()
        .enumerate()
    {
        game.take(&two("board", 1_250, nth as i64 + 1, what)).expect("a change");
    }
    game.take(&alarm(2_000)).expect("time passes");
    assert!(game.arbiter_view(HallTime(2_000)).items.is_empty());
    let deadline = game.next_deadline().expect("it waits for the board");
    assert_eq!(deadline, HallTime(1_080 + 5_000));
    let events = game.take(&settled(2_000)).expect("it settles");
    assert!(
        matches!(events.as_slice(), [Event::Reconsidered { cause, .. }] if matches!(cause.what, Happening::Settled { .. })),
        "{events:?}"
    );
    let items = game.arbiter_view(HallTime(2_000)).items;
    assert_eq!(
        items
            .iter()
            .map(|item| (item.kind.as_str(), item.since))
            .collect::<Vec<_>>(),
        [("illegal-move", HallTime(1_080))]
    );
}

#[test]
fn two_devices_at_the_same_moment_have_one_order() {
    let by = |name: &str, seq: i64, what: Fact| told_by(name, 1, 5, 1_000, seq, what);
    let offer = by("left", 1, Fact::DrawOffered { by: Color::White });
    let answer = by("right", 1, Fact::DrawDeclined { by: Color::Black });
    let offers = |order: &[&Input]| {
        let mut game = Game::new(GameSetup::default());
        game.take(&act(0, Deed::Start)).expect("it starts");
        for input in order {
            game.take(input).expect("it is taken");
        }
        game.state().offer
    };
    assert_eq!(offers(&[&offer, &answer]), None);
    assert_eq!(offers(&[&answer, &offer]), None);
}

#[test]
fn a_picture_that_is_there_already_says_nothing_whenever_it_is_heard() {
    let mut game = Game::new(GameSetup::default());
    game.take(&act(0, Deed::Start)).expect("it starts");
    for (at, mv) in [(1_000, "f2f3"), (2_000, "e7e5"), (3_000, "g2g4")] {
        let by = game.state().position().turn();
        game.take(&fact(at, at, Fact::Moved { by, mv: mv.to_owned() }))
            .expect("a move");
        game.take(&fact(at + 1, at + 1, Fact::Pressed { by })).expect("a press");
    }
    let position = Arc::clone(game.state().position());
    let mv: Move = "d8h4".parse().expect("a move");
    for (nth, what) in shown(BoardKind::Pieces, &position, &mv, Color::Black)
        .into_iter()
        .enumerate()
    {
        game.take(&fact(4_000, 4_000 + nth as i64, what)).expect("a change");
    }
    let placement = position.play(&mv).expect("it is legal").placement().to_string();
    // The mate stands since 4.000 s, whatever the board says again, and though a later report was heard before.
    game.take(&fact(6_000, 6_002, Fact::DrawOffered { by: Color::White }))
        .expect("an offer");
    game.take(&fact(6_000, 6_001, Fact::Placed { placement }))
        .expect("a picture");
    game.take(&settled(7_000)).expect("it settles");
    assert_eq!(game.result(), Some(GameResult::BlackWins));
}

#[test]
fn a_press_whose_move_was_among_lost_reports_accuses_nobody() {
    let mut game = Game::new(GameSetup::default());
    let mut take = |input: Input| {
        game.take(&input).expect("it is taken");
        game.arbiter_view(HallTime(60_000))
            .items
            .iter()
            .map(|item| item.kind.clone())
            .collect::<Vec<_>>()
    };
    let board = |at, heard, seq, what| Input {
        heard: HallTime(heard),
        origin: device("board", seq),
        ..fact(at, seq, what)
    };
    let square = |name: &str| name.parse::<Square>().expect("a square");
    take(act(0, Deed::Start));
    take(board(1_000, 1_000, 0, Fact::Lifted { square: square("e2") }));
    take(board(
        1_500,
        1_500,
        1,
        Fact::Put {
            square: square("e4"),
            piece: Some((Color::White, Role::Pawn)),
        },
    ));
    take(fact(2_000, 0, Fact::Pressed { by: Color::White }));
    take(fact(8_000, 1, Fact::Pressed { by: Color::Black }));
    take(fact(12_000, 2, Fact::Pressed { by: Color::White }));
    // The board comes back; of what it saw it has kept nothing.
    take(board(11_000, 30_000, 5, Fact::ReportsLost { count: 4 }));
    let placement = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R".to_owned();
    take(board(30_000, 30_000, 5, Fact::Placed { placement }));
    let items = take(settled(40_000));
    assert!(!items.contains(&"illegal-move".to_owned()), "{items:?}");
}

#[test]
fn what_a_device_tells_since_it_was_started_anew_comes_after_all_that_it_had_told_before() {
    // The clock was fast, and the moment of the last press by it is not yet there when it is off and on again.
    let boot = |number: u32, at: i64, seq: i64, what: Fact| told_by("table", number, 5, at, seq, what);
    let mut game = Game::new(GameSetup::default());
    game.take(&act(0, Deed::Start)).expect("it starts");
    let mut position = Position::initial();
    for (number, mv, by, pressed) in [(1, "e2e4", Color::White, 9_000), (2, "e7e5", Color::Black, 8_500)] {
        let mv: Move = mv.parse().expect("a move");
        let mut told = shown(BoardKind::Pieces, &position, &mv, by);
        told.push(Fact::Pressed { by });
        for (seq, what) in (0..).zip(told) {
            game.take(&boot(number, pressed - 200 + 100 * seq, seq, what))
                .expect("a report");
        }
        position = position.play_unchecked(&mv, by);
    }
    game.take(&settled(20_000)).expect("it settles");
    let view = game.arbiter_view(HallTime(20_000));
    let moves: Vec<_> = view.moves.iter().map(|mv| mv.san.as_str()).collect();
    assert_eq!((moves, view.completed), (vec!["e4", "e5"], (1, 1)));
    assert!(view.items.is_empty(), "{:?}", view.items);
}

#[test]
fn what_a_device_has_touched_was_touched_before_another_took_its_place() {
    // The first was fast: what it told last is, by its time, still to come as the spare is put there.
    let of = |name: &str, at: i64, seq: i64, what: Fact| told_by(name, 1, 5, at, seq, what);
    let mut game = Game::new(GameSetup {
        fen: Some("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2".to_owned()),
        ..GameSetup::default()
    });
    game.take(&act(0, Deed::Start)).expect("it starts");
    let square = |name: &str| name.parse::<Square>().expect("a square");
    let lifted = |name: &str| Fact::Lifted { square: square(name) };
    let put = |name: &str, piece: (Color, Role)| Fact::Put {
        square: square(name),
        piece: Some(piece),
    };
    game.take(&of("first", 9_900, 1, lifted("d5"))).expect("a change");
    let placement = "rnbqkbnr/ppp1pppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR".to_owned();
    let told = [
        (8_000, Fact::Placed { placement }),
        (8_200, lifted("e4")),
        (8_300, put("d5", (Color::White, Role::Pawn))),
        (8_400, Fact::Pressed { by: Color::White }),
        (10_500, lifted("g8")),
        (10_600, put("f6", (Color::Black, Role::Knight))),
        (10_700, Fact::Pressed { by: Color::Black }),
    ];
    for (seq, (at, what)) in (-1..).zip(told) {
        game.take(&of("spare", at, seq, what)).expect("a report");
    }
    game.take(&settled(20_000)).expect("it settles");
    let view = game.arbiter_view(HallTime(20_000));
    let moves: Vec<_> = view.moves.iter().map(|mv| (mv.san.as_str(), mv.at.0)).collect();
    assert_eq!(moves, [("exd5", 8_400), ("Nf6", 10_700)]);
    assert!(view.items.is_empty(), "{:?}", view.items);
}

#[test]
fn what_a_slow_clock_tells_after_its_answer_comes_after_what_it_answers() {
    let mut game = Game::new(GameSetup {
        clock: ClockKind::Counting,
        ..GameSetup::default()
    });
    let answered = |game: &Game| Fact::OrderAnswered {
        number: game.pending_orders()[0].number,
        answer: OrderAnswer::Done,
        reading: None,
    };
    let control = answered(&game);
    game.take(&fact(5_000, -1, control)).expect("an answer");
    game.take(&act(10_000, Deed::Start)).expect("it starts");
    // The clock is half a second behind: it has been told to run, and the answer is heard after all else.
    let run = answered(&game);
    let mv: Move = "e2e4".parse().expect("a move");
    let mut told = shown(BoardKind::Pieces, &Position::initial(), &mv, Color::White);
    told.push(Fact::Pressed { by: Color::White });
    for (seq, what) in (0..).zip(told) {
        game.take(&fact(9_700 + 100 * seq, seq, what)).expect("a report");
    }
    game.take(&fact(9_600, -1, run)).expect("an answer");
    game.take(&settled(20_000)).expect("it settles");
    let view = game.arbiter_view(HallTime(20_000));
    let moves: Vec<_> = view.moves.iter().map(|mv| mv.san.as_str()).collect();
    assert_eq!((moves, view.completed), (vec!["e4"], (1, 0)));
    assert_eq!(view.clocks.running, Some(Color::Black));
}

#[test]
fn what_a_board_has_told_since_it_was_started_anew_says_nothing_of_when_it_was_off() {
    let of = |name: &str, boot: u32, at: i64, seq: i64, what: Fact| told_by(name, boot, 5, at, seq, what);
    let mut game = Game::new(GameSetup::default());
    game.take(&act(0, Deed::Start)).expect("it starts");
    // The board is off while Black answers, and tells of White's second move before its whole picture.
    let mut position = Position::initial();
    for (mv, by, boot, pressed, seq) in [
        ("e2e4", Color::White, Some(1), 1_200, 0),
        ("e7e5", Color::Black, None, 5_000, 2),
        ("d2d4", Color::White, Some(2), 8_000, 0),
    ] {
        let mv: Move = mv.parse().expect("a move");
        for (nth, what) in (0..).zip(shown(BoardKind::Pieces, &position, &mv, by)) {
            if let Some(boot) = boot {
                let told = of("board", boot, pressed - 200 + 100 * nth, seq + nth, what);
                game.take(&told).expect("a change");
            }
        }
        position = position.play_unchecked(&mv, by);
        game.take(&of("clock", 1, pressed, pressed, Fact::Pressed { by }))
            .expect("a press");
    }
    let placement = position.placement().to_string();
    let back = Fact::BoardBack {
        device: "board".to_owned(),
        before: "board".to_owned(),
        placement: placement.clone(),
    };
    let back = Input {
        at: HallTime(1_100),
        heard: HallTime(9_000),
        origin: Origin::Hub,
        what: Happening::Fact(back),
    };
    game.take(&back).expect("it is back");
    game.take(&of("board", 2, 9_000, 1, Fact::Placed { placement }))
        .expect("a picture");
    game.take(&settled(20_000)).expect("it settles");
    let view = game.arbiter_view(HallTime(20_000));
    let moves: Vec<_> = view.moves.iter().map(|mv| mv.san.as_str()).collect();
    assert_eq!((moves, view.completed), (vec!["e4", "e5", "d4"], (2, 1)));
    assert!(view.items.is_empty(), "{:?}", view.items);
}

/// White presses and has no move to show for it; what the board told only later, and by its bar perhaps from before, is that move, or leaves
/// an arbiter to say so.
#[test]
fn a_press_without_a_move_is_no_finding_where_the_boards_time_is_learned_to_be_worse_than_it_was() {
    for (bar, to, moves, items) in [
        (5_000, "e4", vec!["e4"], vec![]),
        (5_000, "e5", vec![], vec!["order-unknown"]),
        (500, "e4", vec![], vec!["illegal-move"]),
    ] {
        let of = |name: &str, bar: i64, at: i64, seq: i64, what: Fact| told_by(name, 1, bar, at, seq, what);
        let square = |name: &str| name.parse().expect("a square");
        let pawn = |name: &str| Fact::Put {
            square: square(name),
            piece: Some((Color::White, Role::Pawn)),
        };
        let lifted = |name: &str| Fact::Lifted { square: square(name) };
        let mut game = Game::new(GameSetup::default());
        game.take(&act(0, Deed::Start)).expect("it starts");
        let mut hear = |input: Input| game.take(&input).expect("it is taken");
        hear(of("board", 5, 100, 0, lifted("c2")));
        hear(of("board", 5, 200, 1, pawn("c2")));
        hear(of("clock", 5, 2_000, 0, Fact::Pressed { by: Color::White }));
        hear(alarm(9_000));
        hear(of("board", bar, 4_000, 2, lifted("e2")));
        hear(of("board", bar, 4_200, 3, pawn(to)));
        hear(settled(20_000));
        let view = game.arbiter_view(HallTime(20_000));
        let found: Vec<_> = view.items.iter().map(|item| item.kind.as_str()).collect();
        let made: Vec<_> = view.moves.iter().map(|mv| mv.san.as_str()).collect();
        assert_eq!((made, found), (moves, items), "{to}, {bar} ms");
    }
}

/// The press of White's move was lost with the clock, and the one that took its place is started by hand for Black: what Black presses next
/// is two moves, or for an arbiter to say, and nobody's offence.
#[test]
fn a_clock_started_by_hand_for_the_other_player_tells_of_a_press_that_was_not_heard() {
    // With the clock goes the board that it is; Black has taken his pawn already as the spare sees the board.
    for (placement, moves, kinds) in [
        (
            "xxxxxxxx/xx1xxxxx/8/8/8/5x2/xxxxx1xx/xxxxxxxx",
            vec!["f3", "c6"],
            vec!["adjusted-at-table"],
        ),
        (
            "xxxxxxxx/xx1xxxxx/8/8/8/8/xxxxxxxx/xxxxxxxx",
            vec![],
            vec!["adjusted-at-table", "board-disagrees"],
        ),
    ] {
        let of = |name: &str, at: i64, seq: i64, what: Fact| told_by(name, 1, 5, at, seq, what);
        let square = |name: &str| name.parse().expect("a square");
        let put = |name: &str| Fact::Put {
            square: square(name),
            piece: None,
        };
        let mut game = Game::new(GameSetup {
            board: BoardKind::Occupancy,
            ..GameSetup::default()
        });
        game.take(&act(0, Deed::Start)).expect("it starts");
        let mut hear = |input: Input| {
            let at = input.heard.0;
            game.take(&input).expect("it is taken");
            game.take(&settled(at)).expect("it settles");
        };
        hear(of("clock", 100, 0, Fact::Lifted { square: square("a2") }));
        hear(of("clock", 200, 1, put("a2")));
        let back = Fact::BoardBack {
            device: "spare".to_owned(),
            before: "clock".to_owned(),
            placement: placement.to_owned(),
        };
        hear(Input {
            origin: Origin::Hub,
            ..of("", 8_000, 0, back)
        });
        let placement = placement.to_owned();
        hear(of("spare", 8_100, -1, Fact::Placed { placement }));
        let started = Fact::ByHand {
            what: ByHand::Started,
            reading: Reading {
                white: Millis(5_397_000),
                black: Millis(5_400_000),
                running: Some(Color::Black),
            },
        };
        hear(of("spare", 16_000, 0, started));
        hear(of("spare", 16_100, 1, put("c6")));
        hear(of("spare", 16_200, 2, Fact::Pressed { by: Color::Black }));
        hear(alarm(18_000));
        hear(settled(40_000));
        let view = game.arbiter_view(HallTime(40_000));
        let made: Vec<_> = view.moves.iter().map(|mv| mv.san.as_str()).collect();
        let found: Vec<_> = view.items.iter().map(|item| item.kind.as_str()).collect();
        assert_eq!((made, found, view.illegal), (moves, kinds, (0, 0)));
    }
}

/// A clock that runs slow tells of everything at a time that is behind the hub's; its board is put in the same time. What an arbiter did at
/// the hub's time is no measure for them: the start was before the first move, whenever its answer is heard.
#[test]
fn what_a_board_tells_after_an_order_was_obeyed_comes_after_it_by_the_tables_time() {
    let setup = GameSetup {
        two_devices: true,
        clock: ClockKind::Counting,
        ..GameSetup::default()
    };
    let done = |number: u64, at: i64| {
        let what = Fact::OrderAnswered {
            number,
            answer: OrderAnswer::Done,
            reading: None,
        };
        told_by("clock", 1, 5, at, -1, what)
    };
    let begun = || {
        let mut game = Game::new(setup.clone());
        let control = game.pending_orders()[0].number;
        game.take(&done(control, 15_000)).expect("it has its control");
        game.take(&act(20_000, Deed::Start)).expect("it starts");
        game
    };
    let orders = begun().pending_orders();
    let run = orders
        .iter()
        .find(|order| order.what == audience::OrderKind::Run(Color::White));
    let started = done(run.expect("the clock is told to run").number, 19_000);
    let mv: Move = "e2e4".parse().expect("a move");
    let mut facts: Vec<Input> = shown(BoardKind::Pieces, &Position::initial(), &mv, Color::White)
        .into_iter()
        .enumerate()
        .map(|(nth, what)| told_by("board", 7, 5, 19_400 + nth as i64, nth as i64, what))
        .collect();
    facts.push(told_by("clock", 1, 5, 19_900, 0, Fact::Pressed { by: Color::White }));
    let moves = |order: &[&Input]| {
        let mut game = begun();
        for input in order {
            game.take(input).expect("it is taken");
        }
        let _ = game.take(&alarm(60_000));
        let _ = game.take(&settled(60_000));
        let view = game.arbiter_view(HallTime(60_000));
        let moves: Vec<_> = view.moves.into_iter().map(|mv| mv.san).collect();
        (moves, view.items.len())
    };
    let expected = (vec!["e4".to_owned()], 0);
    let mut order: Vec<&Input> = facts.iter().collect();
    order.push(&started);
    assert_eq!(moves(&order), expected, "the answer is heard last");
    order.rotate_right(1);
    assert_eq!(moves(&order), expected, "the answer is heard first");
    let (board, clock) = facts.split_at(facts.len() - 1);
    let order: Vec<&Input> = clock.iter().chain([&started]).chain(board).collect();
    assert_eq!(moves(&order), expected, "the board is heard last");
}
