//! A change of times that the clock had not answered when the game ended, and what a reopening makes of it.

use super::by_hand::{answered, done, no_answer, reading, sent};
use super::hall::Hall;
use super::*;
use crate::game::audience::{OrderKind, OrderStatus};

const WHITE: f64 = 5_420.0;
const BLACK: f64 = 5_430.0;
const MORE: f64 = 36.0;

fn black_gets_more() -> Deed {
    Deed::Adjust {
        white: None,
        black: Some(TimeChange::By(Millis::secs(36))),
        moves_done: None,
    }
}

fn drawn() -> Deed {
    let result = "1/2-1/2".to_owned();
    Deed::Decide { result }
}

/// Paused at ten seconds, and over before the clock has answered that Black is given more.
fn over_before_the_answer() -> Hall {
    let mut hall = Hall::counting();
    hall.act(10_000, Deed::Pause);
    done(&mut hall, 10_000);
    hall.act(11_000, black_gets_more());
    hall.act(12_000, drawn());
    hall
}

fn under_way(hall: &Hall) -> usize {
    let sent = |order: &audience::Order| order.status == OrderStatus::Sent;
    hall.game.pending_orders().iter().filter(|order| sent(order)).count()
}

#[test]
fn what_the_clock_has_not_answered_before_the_end_is_given_again_at_the_reopening() {
    for refused in [false, true] {
        let mut hall = over_before_the_answer();
        if refused {
            let why = "no".to_owned();
            let clock = device("table", 90);
            answered(&mut hall, 20_000, OrderAnswer::Refused { why }, clock);
        } else {
            no_answer(&mut hall, 20_000);
        }
        assert_eq!(under_way(&hall), 0, "nothing is given to a clock whose game is over");
        hall.act(40_000, Deed::Reopen);
        assert_eq!(hall.clocks(40_000), (WHITE, BLACK, None), "it has not answered yet");
        let set = OrderKind::Set {
            white: Millis::secs(5_420),
            black: Millis::secs(5_466),
            moves: None,
        };
        assert_eq!(done(&mut hall, 41_000), set);
        assert_eq!(hall.clocks(41_000), (WHITE, BLACK + MORE, None));
        assert_eq!(under_way(&hall), 0);
    }
}

#[test]
fn what_the_clock_answers_after_the_end_is_not_given_a_second_time() {
    let mut hall = over_before_the_answer();
    done(&mut hall, 12_500);
    hall.act(40_000, Deed::Reopen);
    assert_eq!(hall.clocks(40_000), (WHITE, BLACK + MORE, None));
    assert_eq!(under_way(&hall), 0);
}

#[test]
fn a_clock_that_shows_what_was_ruled_is_not_given_it_again() {
    let mut hall = over_before_the_answer();
    let number = sent(&hall).number;
    hall.tell(
        13_000,
        Fact::OrderAnswered {
            number,
            answer: OrderAnswer::MovedOn,
            reading: Some(reading(5_420, 5_466, None)),
        },
    );
    hall.act(40_000, Deed::Reopen);
    assert_eq!(hall.clocks(40_000), (WHITE, BLACK + MORE, None));
    assert_eq!(under_way(&hall), 0);
}

#[test]
fn an_addition_to_a_clock_that_runs_is_a_time_to_set_once_the_clock_has_stopped() {
    let mut hall = Hall::counting();
    hall.act(10_000, black_gets_more());
    hall.act(11_000, drawn());
    hall.act(12_000, Deed::Reopen);
    // That it was to stop is not forgotten with the end.
    let add = OrderKind::Add {
        white: Millis::ZERO,
        black: Millis::secs(36),
    };
    assert_eq!(no_answer(&mut hall, 20_000), add);
    assert_eq!(done(&mut hall, 21_000), OrderKind::Stop);
    let set = OrderKind::Set {
        white: Millis::secs(5_419),
        black: Millis::secs(5_466),
        moves: None,
    };
    assert_eq!(done(&mut hall, 22_000), set);
    assert_eq!(hall.clocks(22_000), (5_419.0, BLACK + MORE, None));
}

#[test]
fn a_clock_that_was_never_given_its_control_is_given_it_when_the_game_is_open_again() {
    let mut hall = Hall::new(GameSetup {
        clock: ClockKind::Counting,
        ..GameSetup::default()
    });
    hall.act(0, Deed::Start);
    hall.act(1_000, drawn());
    no_answer(&mut hall, 2_000);
    hall.act(3_000, Deed::Reopen);
    while under_way(&hall) > 0 && sent(&hall).what != OrderKind::Control {
        done(&mut hall, 4_000);
    }
    assert_eq!(done(&mut hall, 5_000), OrderKind::Control);
}
