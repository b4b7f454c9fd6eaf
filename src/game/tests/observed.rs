//! Every observation of an arbiter, at every kind of table and in every state of a game: it is refused with a reason, or something comes
//! of it.

use super::*;
use crate::game::audience::OrderStatus;
use crate::game::item::{Kind, Matter, Ruling};

const OBSERVATIONS: [Observation; 8] = [
    Observation::Flag,
    Observation::IllegalMove,
    Observation::TwoHands,
    Observation::IllegalPosition,
    Observation::ColoursReversed,
    Observation::WrongSetup,
    Observation::WrongClock,
    Observation::Device,
];

/// A game under way, in one of several states, at a table with this clock and board.
fn game_at(clock: ClockKind, board: BoardKind, category: Category, state: usize) -> Game {
    let mut game = Game::new(GameSetup {
        clock,
        board,
        category,
        time_control: "5m+3s".parse().expect("a control"),
        ..GameSetup::default()
    });
    let mut seq = 0;
    let mut told = |game: &mut Game, at: i64, what: Fact| {
        seq += 1;
        game.take(&fact(at, seq, what)).expect("it is taken");
        game.take(&settled(at + 1)).expect("it settles");
    };
    if state == 0 {
        return game;
    }
    game.take(&act(0, Deed::Start)).expect("it starts");
    let sent = |game: &Game| {
        game.pending_orders()
            .into_iter()
            .find(|order| order.status == OrderStatus::Sent)
    };
    while let Some(order) = sent(&game) {
        let number = order.number;
        let answer = OrderAnswer::Done;
        told(
            &mut game,
            0,
            Fact::OrderAnswered {
                number,
                answer,
                reading: None,
            },
        );
    }
    // Two moves each at most; the last without its press in the fourth state.
    let moves = [("e2e4", Color::White), ("e7e5", Color::Black), ("g1f3", Color::White)];
    for (nth, (mv, by)) in moves.into_iter().enumerate().take(state - 1) {
        let at = 1_000 * (nth as i64 + 1);
        let mv = mv.to_owned();
        match board {
            BoardKind::None => {
                game.take(&act(at, Deed::EnterMove { mv })).expect("it is entered");
            }
            _ => told(&mut game, at, Fact::Moved { by, mv }),
        }
        if clock != ClockKind::None && nth < 2 {
            told(&mut game, at + 1, Fact::Pressed { by });
        }
    }
    if state == 5 {
        game.take(&act(
            9_000,
            Deed::Decide {
                result: "1-0".to_owned(),
            },
        ))
        .expect("it is decided");
    }
    game
}

#[test]
fn every_observation_opens_an_item_or_is_refused_with_a_reason() {
    let clocks = [ClockKind::Counting, ClockKind::Button, ClockKind::None];
    let boards = [BoardKind::Pieces, BoardKind::Occupancy, BoardKind::None];
    for (clock, board) in clocks.into_iter().flat_map(|clock| boards.map(|board| (clock, board))) {
        for category in [Category::Standard, Category::Blitz] {
            for (state, what) in (0..=5).flat_map(|state| OBSERVATIONS.map(|what| (state, what))) {
                for of in [None, Some(Color::White), Some(Color::Black)] {
                    let mut game = game_at(clock, board, category, state);
                    let items = game.state().items.len();
                    let seen = format!("{what:?} of {of:?}: {clock:?}, {board:?}, {category:?}, state {state}");
                    match game.take(&act(10_000, Deed::Observe { what, of })) {
                        Ok(_) => assert!(game.state().items.len() > items, "nothing came of {seen}"),
                        Err(Refusal::NotNow(why)) => assert!(why.len() > 20, "{seen}: {why}"),
                        Err(other) => panic!("{seen}: {other}"),
                    }
                }
            }
        }
    }
}

/// What is refused and what is not, where it matters.
#[test]
fn an_observation_is_refused_only_where_there_is_nothing_that_it_could_be_about() {
    let refused = |clock, board, state, what, of| {
        let mut game = game_at(clock, board, Category::Standard, state);
        game.take(&act(10_000, Deed::Observe { what, of })).is_err()
    };
    let white = Some(Color::White);
    for board in [BoardKind::Pieces, BoardKind::None] {
        for clock in [ClockKind::Counting, ClockKind::Button, ClockKind::None] {
            for what in OBSERVATIONS {
                assert!(refused(clock, board, 0, what, white), "{what:?} before the start");
                assert!(refused(clock, board, 5, what, white), "{what:?} after the end");
            }
            assert!(
                refused(clock, board, 1, Observation::IllegalMove, white),
                "nothing made"
            );
            assert!(!refused(clock, board, 3, Observation::IllegalMove, white));
            assert!(!refused(clock, board, 3, Observation::TwoHands, Some(Color::Black)));
            assert!(!refused(clock, board, 1, Observation::Device, white));
        }
    }
    // 6.2.1: made and not pressed is not completed; where no clock is heard, only the arbiter knows.
    let black_has_not_pressed = |clock| {
        refused(
            clock,
            BoardKind::Pieces,
            2,
            Observation::IllegalMove,
            Some(Color::Black),
        )
    };
    assert!(black_has_not_pressed(ClockKind::Button) && black_has_not_pressed(ClockKind::None));
    assert!(!refused(
        ClockKind::None,
        BoardKind::Pieces,
        2,
        Observation::IllegalMove,
        white
    ));
}

fn only_item(game: &Game) -> (Kind, Option<Color>, Matter, Ruling) {
    let items = &game.state().items;
    assert_eq!(items.len(), 1, "{items:?}");
    (
        items[0].key.kind,
        items[0].key.of,
        items[0].matter.clone(),
        items[0].proposal.clone(),
    )
}

/// A table with neither clock nor board, whose moves are entered: the illegal move that the arbiter has seen is the last one entered,
/// it is taken back with the ruling, and counts.
#[test]
fn an_illegal_move_seen_at_a_table_with_neither_clock_nor_board_is_the_last_one_entered() {
    let mut game = game_at(ClockKind::None, BoardKind::None, Category::Standard, 4);
    let of = Some(Color::White);
    let what = Observation::IllegalMove;
    game.take(&act(10_000, Deed::Observe { what, of })).expect("it is seen");
    let (kind, by, matter, _) = only_item(&game);
    assert_eq!((kind, by), (Kind::IllegalMove, Some(Color::White)));
    let Matter::Offence(offence) = matter else {
        panic!("{matter:?}");
    };
    assert_eq!((offence.ply, offence.keep, offence.gain), (Some(2), 2, None));
    let confirm = Deed::Confirm {
        item: None,
        promotion: None,
    };
    game.take(&act(11_000, confirm.clone())).expect("it is confirmed");
    let state = game.state();
    assert_eq!((state.record.len(), state.illegal), (2, [1, 0]));
    assert_eq!(state.turn(game.setup()), Color::White);
    assert_eq!(state.clock.half(Color::Black).left, Millis::mins(7) + Millis::secs(3));
    // His second one loses (7.5.5).
    game.take(&act(12_000, Deed::EnterMove { mv: "g1h3".to_owned() }))
        .expect("it is entered");
    game.take(&act(13_000, Deed::Observe { what, of })).expect("it is seen");
    game.take(&act(14_000, confirm)).expect("it is confirmed");
    assert_eq!(game.result(), Some(GameResult::BlackWins));
}

/// What was ruled on already is not seen a second time: the press of it completes nothing any more.
#[test]
fn an_offence_that_was_ruled_on_is_not_found_again_on_a_table_without_a_board() {
    let mut game = game_at(ClockKind::Button, BoardKind::None, Category::Standard, 3);
    let observe = Deed::Observe {
        what: Observation::IllegalMove,
        of: Some(Color::White),
    };
    game.take(&act(10_000, observe.clone())).expect("it is seen");
    let confirm = Deed::Confirm {
        item: None,
        promotion: None,
    };
    game.take(&act(11_000, confirm)).expect("it is confirmed");
    assert!(game.take(&act(12_000, observe)).is_err());
    assert_eq!(game.state().illegal, [1, 0]);
}

/// 6.9 without a board: the ruling waits for the arbiter to look, and where he has told the position it goes by it.
#[test]
fn a_flag_at_a_table_without_a_board_goes_by_the_position_that_was_told() {
    let mut game = game_at(ClockKind::Button, BoardKind::None, Category::Standard, 1);
    game.take(&fact(2_000, 90, Fact::Pressed { by: Color::White }))
        .expect("it is pressed");
    game.take(&settled(2_001)).expect("it settles");
    let flag = Deed::Observe {
        what: Observation::Flag,
        of: Some(Color::Black),
    };
    game.take(&act(10_000, flag)).expect("it is seen");
    let ends = |game: &Game| match only_item(game).3 {
        Ruling::End { result, .. } => result,
        other => panic!("{other:?}"),
    };
    assert_eq!(ends(&game), GameResult::WhiteWins);
    let to = Restoration::Fen("8/5k2/4q3/8/8/8/8/K7 b - - 0 60".to_owned());
    game.take(&act(11_000, Deed::Restore { to })).expect("it is told");
    assert_eq!(ends(&game), GameResult::Draw);
    assert_eq!(game.state().turn(game.setup()), Color::Black);
}

/// Nobody tells of presses there: that the time of one side would be over is no flag.
#[test]
fn a_table_whose_clock_is_not_heard_shows_no_flag_by_itself() {
    let mut game = game_at(ClockKind::None, BoardKind::Pieces, Category::Blitz, 3);
    assert_eq!(game.next_deadline(), None);
    game.take(&settled(3_600_000)).expect("it settles");
    game.take(&alarm(3_600_000)).expect("an alarm");
    assert!(game.state().items.is_empty());
}

/// A.5.4 without a board: what the arbiter has seen waits for the next press, and is then a draw unless he dismisses it.
#[test]
fn an_illegal_position_seen_at_a_table_without_a_board_waits_for_the_next_press() {
    let mut game = game_at(ClockKind::Button, BoardKind::None, Category::Blitz, 1);
    let observe = Deed::Observe {
        what: Observation::IllegalPosition,
        of: None,
    };
    let press = |game: &mut Game, at: i64, by: Color| {
        game.take(&fact(at, at, Fact::Pressed { by })).expect("it is pressed");
        game.take(&settled(at + 1)).expect("it settles");
    };
    press(&mut game, 100, Color::White);
    press(&mut game, 200, Color::Black);
    game.take(&act(500, observe)).expect("it is seen");
    assert_eq!(only_item(&game).3, Ruling::Wait);
    press(&mut game, 1_000, Color::White);
    assert!(matches!(
        only_item(&game).3,
        Ruling::End {
            result: GameResult::Draw,
            ..
        }
    ));
}

/// 7.5.4 without a board: what is seen of a press before a position was told takes back that position too.
#[test]
fn an_offence_of_before_a_position_was_told_gives_its_player_the_move() {
    let mut game = Game::new(GameSetup {
        clock: ClockKind::Button,
        board: BoardKind::None,
        ..GameSetup::default()
    });
    game.take(&act(0, Deed::Start)).expect("it starts");
    for (at, by) in [(1_000, Color::White), (2_000, Color::Black), (3_000, Color::White)] {
        game.take(&fact(at, at, Fact::Pressed { by })).expect("a press");
    }
    let to = Restoration::Fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1".to_owned());
    let seen = Deed::Observe {
        what: Observation::TwoHands,
        of: Some(Color::White),
    };
    let confirm = Deed::Confirm {
        item: None,
        promotion: None,
    };
    for (at, deed) in (4_000..).zip([Deed::Restore { to }, seen, confirm, Deed::Resume]) {
        game.take(&act(at, deed)).expect("it is done");
    }
    assert_eq!(game.state().clock.running(), Some(Color::White));
    assert_eq!(**game.state().position(), Position::initial());
    assert!(!game.state().knows_the_position(game.setup()));
}
