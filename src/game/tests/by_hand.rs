//! Orders that no clock answers: they count from their ruling, until the clock tells what it did.

use super::hall::Hall;
use super::*;
use crate::game::audience::{Order, OrderKind, OrderStatus};

const WHITE: Option<Color> = Some(Color::White);
const BLACK: Option<Color> = Some(Color::Black);

pub(super) fn reading(white: i64, black: i64, running: Option<Color>) -> Reading {
    Reading {
        white: Millis::secs(white),
        black: Millis::secs(black),
        running,
    }
}

fn stopped(white: i64, black: i64) -> Fact {
    Fact::ByHand {
        what: ByHand::Stopped,
        reading: reading(white, black, None),
    }
}

/// The order that is under way.
pub(super) fn sent(hall: &Hall) -> Order {
    let orders = hall.game.pending_orders();
    let sent = |order: &&Order| order.status == OrderStatus::Sent;
    orders.iter().find(sent).cloned().expect("one was sent")
}

pub(super) fn answered(hall: &mut Hall, at: i64, answer: OrderAnswer, origin: Origin) -> OrderKind {
    let order = sent(hall);
    let answer = Fact::OrderAnswered {
        number: order.number,
        answer,
        reading: None,
    };
    let input = Input {
        origin,
        ..fact(at, 0, answer)
    };
    hall.game.take(&input).expect("it is taken");
    hall.game.take(&settled(at)).expect("it settles");
    order.what
}

/// The hub gives the order up.
pub(super) fn no_answer(hall: &mut Hall, at: i64) -> OrderKind {
    answered(hall, at, OrderAnswer::Unanswered, Origin::Hub)
}

pub(super) fn done(hall: &mut Hall, at: i64) -> OrderKind {
    hall.seq += 1;
    let clock = device("table", hall.seq);
    answered(hall, at, OrderAnswer::Done, clock)
}

fn white_to(time: i64) -> Deed {
    Deed::Adjust {
        white: Some(TimeChange::To(Millis::secs(time))),
        black: None,
        moves_done: None,
    }
}

#[test]
fn what_is_pressed_on_a_clock_that_nobody_stopped_counts_to_the_millisecond() {
    let mut hall = Hall::counting();
    hall.plays(5_000, "e2e4");
    hall.act(10_000, Deed::Pause);
    assert_eq!(no_answer(&mut hall, 30_000), OrderKind::Stop);
    assert_eq!(hall.clocks(35_000), (5455.0, 5425.0, None));
    hall.plays(40_000, "e7e5");
    assert_eq!(hall.clocks(41_000), (5454.0, 5425.0, WHITE));
    assert_eq!(hall.moves(), "e4 e5");
    hall.tell(45_000, stopped(5450, 5425));
    assert_eq!(hall.clocks(60_000), (5450.0, 5425.0, None));
    assert!(hall.open().is_empty(), "it shows what is counted: {:?}", hall.open());
}

#[test]
fn a_clock_that_is_stopped_by_hand_later_than_ruled_stands_from_then_on() {
    let mut hall = Hall::counting();
    hall.plays(5_000, "e2e4");
    hall.act(10_000, Deed::Pause);
    no_answer(&mut hall, 30_000);
    hall.tell(33_000, stopped(5455, 5402));
    assert_eq!(hall.clocks(60_000), (5455.0, 5402.0, None));
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}

#[test]
fn a_delay_is_not_used_up_by_a_run_that_was_done_by_hand_later() {
    let mut hall = Hall::counting_by(GameSetup {
        time_control: "5md3s".parse().expect("a control"),
        ..GameSetup::default()
    });
    hall.plays(5_000, "e2e4");
    hall.act(6_000, Deed::Pause);
    assert_eq!(done(&mut hall, 6_000), OrderKind::Stop);
    hall.act(20_000, Deed::Resume);
    assert_eq!(no_answer(&mut hall, 40_000), OrderKind::Run(Color::Black));
    hall.tell(
        60_000,
        Fact::ByHand {
            what: ByHand::Started,
            reading: reading(298, 300, BLACK),
        },
    );
    assert_eq!(
        hall.clocks(62_000),
        (298.0, 300.0, BLACK),
        "two of three seconds are left"
    );
    assert_eq!(hall.clocks(63_000), (298.0, 299.0, BLACK));
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}

#[test]
fn two_additions_after_the_end_are_both_given_and_nobody_elses_time_is_written() {
    let mut hall = Hall::counting();
    hall.plays(5_000, "e2e4");
    hall.act(
        10_000,
        Deed::Decide {
            result: "1-0".to_owned(),
        },
    );
    for _ in 0..2 {
        hall.act(
            10_000,
            Deed::Adjust {
                white: None,
                black: Some(TimeChange::By(Millis::secs(25))),
                moves_done: None,
            },
        );
    }
    assert_eq!(done(&mut hall, 10_100), OrderKind::Stop);
    let add = OrderKind::Add {
        white: Millis::ZERO,
        black: Millis::secs(25),
    };
    assert_eq!(done(&mut hall, 10_200), add);
    assert_eq!(done(&mut hall, 10_300), add);
    assert!(hall.game.pending_orders().is_empty());
}

#[test]
fn an_addition_to_a_clock_that_is_not_heard_tells_no_figure_of_it() {
    let mut hall = Hall::counting();
    hall.plays(5_000, "e2e4");
    hall.act(10_000, Deed::Pause);
    no_answer(&mut hall, 30_000);
    hall.act(
        31_000,
        Deed::Adjust {
            white: Some(TimeChange::By(Millis::secs(60))),
            black: None,
            moves_done: None,
        },
    );
    let add = OrderKind::Add {
        white: Millis::secs(60),
        black: Millis::ZERO,
    };
    assert_eq!(sent(&hall).what, add);
}

#[test]
fn a_time_that_is_set_by_hand_leaves_the_other_player_his_own() {
    let mut hall = Hall::counting();
    hall.plays(5_000, "e2e4");
    hall.act(10_000, white_to(100));
    assert_eq!(no_answer(&mut hall, 30_000), OrderKind::Stop);
    no_answer(&mut hall, 50_000);
    assert_eq!(hall.clocks(55_000), (100.0, 5425.0, None));
    // Nobody has been there but the players.
    hall.plays(60_000, "e7e5");
    assert_eq!(hall.clocks(60_000), (100.0, 5405.0, WHITE));
}

#[test]
fn what_an_order_has_set_otherwise_than_ruled_is_put_right() {
    let mut hall = Hall::counting();
    hall.plays(5_000, "e2e4");
    hall.act(10_000, white_to(100));
    assert_eq!(no_answer(&mut hall, 30_000), OrderKind::Stop);
    let set = |black| OrderKind::Set {
        white: Millis::secs(100),
        black: Millis::secs(black),
        moves: None,
    };
    assert_eq!(sent(&hall).what, set(5425), "as if it had been stopped at once");
    hall.seq += 1;
    hall.game
        .take(&fact(12_000, hall.seq, stopped(5455, 5423)))
        .expect("taken");
    assert_eq!(done(&mut hall, 31_000), set(5425), "it was on its way");
    assert_eq!(done(&mut hall, 31_100), set(5423), "Black had two seconds less");
    assert_eq!(done(&mut hall, 31_200), OrderKind::Run(Color::Black));
    assert_eq!(hall.clocks(32_200), (100.0, 5422.0, BLACK));
}

#[test]
fn a_flag_that_a_clock_shows_while_it_is_counted_as_standing_is_the_arbiters_to_rule_on() {
    let mut hall = Hall::counting_by(GameSetup {
        enforcement: Enforcement::AUTOMATIC,
        ..GameSetup::default()
    });
    hall.plays(5_000, "e2e4");
    hall.act(10_000, Deed::Pause);
    assert_eq!(done(&mut hall, 10_000), OrderKind::Stop);
    let flag = Fact::FlagShown {
        of: Color::Black,
        reading: Some(reading(5455, 0, None)),
    };
    hall.tell(6_000_000, flag);
    assert_eq!(hall.clocks(6_000_000), (5455.0, 0.0, None));
    assert!(hall.open().contains(&"flag".to_owned()), "{:?}", hall.open());
    assert_eq!(hall.game.result(), None);
}

#[test]
fn a_flag_that_was_only_counted_is_none_where_the_clock_stands_with_time_left() {
    let mut hall = Hall::counting_by(GameSetup {
        time_control: "1m".parse().expect("a control"),
        ..GameSetup::default()
    });
    hall.act(10_000, white_to(30));
    assert_eq!(no_answer(&mut hall, 30_000), OrderKind::Stop);
    no_answer(&mut hall, 50_000);
    assert_eq!(no_answer(&mut hall, 70_000), OrderKind::Run(Color::White));
    assert_eq!(hall.game.state().clock.fallen(), WHITE, "as far as is counted");
    hall.tell(80_000, stopped(30, 60));
    assert_eq!(hall.clocks(90_000), (30.0, 60.0, None));
    assert!(!hall.open().contains(&"flag".to_owned()), "{:?}", hall.open());
}

/// An answer with what the clock shows.
fn moved_on(hall: &mut Hall, at: i64, shown: Reading) -> OrderKind {
    let order = sent(hall);
    hall.tell(
        at,
        Fact::OrderAnswered {
            number: order.number,
            answer: OrderAnswer::MovedOn,
            reading: Some(shown),
        },
    );
    order.what
}

/// White's time is to run again, then not after all, before the clock has answered.
fn resumed_and_paused_again() -> Hall {
    let mut hall = Hall::counting();
    hall.act(10_000, Deed::Pause);
    assert_eq!(done(&mut hall, 10_000), OrderKind::Stop);
    hall.act(20_000, Deed::Resume);
    hall.act(25_000, Deed::Pause);
    hall
}

#[test]
fn presses_show_that_a_run_was_made_though_it_was_withdrawn_meanwhile() {
    let mut hall = resumed_and_paused_again();
    hall.plays(30_000, "e2e4");
    hall.plays(33_000, "e7e5");
    assert_eq!(no_answer(&mut hall, 40_000), OrderKind::Run(Color::White));
    assert_eq!(hall.moves(), "e4 e5");
    let shown = reading(5431, 5457, WHITE);
    assert_eq!(moved_on(&mut hall, 42_000, shown), OrderKind::Stop);
    assert_eq!(done(&mut hall, 45_000), OrderKind::Stop, "it is decided anew");
    assert_eq!(hall.clocks(60_000), (5428.0, 5457.0, None));
}

#[test]
fn presses_that_are_heard_after_the_withdrawn_run_was_given_up_count_too() {
    let mut hall = resumed_and_paused_again();
    assert_eq!(no_answer(&mut hall, 40_000), OrderKind::Run(Color::White));
    hall.plays(30_000, "e2e4");
    hall.plays(43_000, "e7e5");
    assert_eq!(hall.moves(), "e4 e5");
    assert_eq!(done(&mut hall, 45_000), OrderKind::Stop);
    assert_eq!(hall.clocks(60_000), (5438.0, 5447.0, None));
}

#[test]
fn a_stop_that_comes_after_a_press_is_not_made_where_the_clock_shows_that_it_runs() {
    let mut hall = resumed_and_paused_again();
    no_answer(&mut hall, 40_000);
    assert_eq!(moved_on(&mut hall, 42_000, reading(5399, 5430, WHITE)), OrderKind::Stop);
    assert_eq!(sent(&hall).what, OrderKind::Stop);
    // One that stands needs none.
    assert_eq!(moved_on(&mut hall, 43_000, reading(5420, 5430, None)), OrderKind::Stop);
    assert_eq!(
        hall.game
            .pending_orders()
            .iter()
            .filter(|order| order.status == OrderStatus::Sent)
            .count(),
        0
    );
}

#[test]
fn a_clock_that_was_counted_as_down_runs_when_it_is_started_with_time_left() {
    let mut hall = Hall::counting_by(GameSetup {
        time_control: "1m".parse().expect("a control"),
        ..GameSetup::default()
    });
    // Both are down by the count: White's time ran out, and Black's was taken from him.
    hall.tell(
        70_000,
        Fact::Silent {
            device: "clock".to_owned(),
            silent: true,
            shared: false,
        },
    );
    let take = Deed::Adjust {
        white: None,
        black: Some(TimeChange::To(Millis::ZERO)),
        moves_done: None,
    };
    hall.act(80_000, take);
    while let Some(order) = hall
        .game
        .pending_orders()
        .into_iter()
        .find(|order| order.status == OrderStatus::Sent)
    {
        hall.seq += 1;
        let unanswered = Fact::OrderAnswered {
            number: order.number,
            answer: OrderAnswer::Unanswered,
            reading: None,
        };
        hall.tell(80_000, unanswered);
    }
    // What the count says of White is ruled on, so that no item is left that the clock could contradict.
    let flag = hall.game.arbiter_view(HallTime(80_000)).items;
    let flag = flag.iter().find(|item| item.kind == "flag").map(|item| item.number);
    hall.act(85_000, Deed::Dismiss { item: flag });
    assert_eq!(hall.clocks(85_000), (0.0, 0.0, None));
    let started = Fact::ByHand {
        what: ByHand::Started,
        reading: reading(50, 40, BLACK),
    };
    hall.tell(90_000, started);
    assert_eq!(hall.clocks(100_000), (50.0, 30.0, BLACK));
}
