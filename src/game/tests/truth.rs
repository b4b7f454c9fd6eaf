//! What a game makes of devices that are late, silent, or do not agree with each other: flags, orders, and the order of things.

use super::*;
use crate::game::audience::OrderStatus;

/// A game under the hands of a test: each device with its own count of reports.
struct Bench {
    game: Game,
    seq: i64,
}

const BAR: i64 = 40;

impl Bench {
    fn new(setup: GameSetup) -> Bench {
        let mut bench = Bench {
            game: Game::new(setup),
            seq: 0,
        };
        bench.obey(0);
        bench.act(0, Deed::Start);
        bench.obey(0);
        bench
    }

    fn of(clock: ClockKind, board: BoardKind, fen: Option<&str>, enforcement: Enforcement) -> Bench {
        Bench::new(GameSetup {
            time_control: "1m".parse().expect("a control"),
            category: Category::Blitz,
            clock,
            board,
            enforcement,
            fen: fen.map(str::to_owned),
            ..GameSetup::default()
        })
    }

    fn act(&mut self, at: i64, what: Deed) {
        self.game.take(&act(at, what)).expect("it is done");
    }

    /// What the clock, or the board, tells.
    fn tells(&mut self, who: &str, at: i64, heard: i64, what: Fact) -> Vec<Event> {
        self.seq += 1;
        let input = Input {
            at: HallTime(at),
            heard: HallTime(heard),
            origin: Origin::Device {
                device: who.to_owned(),
                boot: 1,
                seq: self.seq,
                bar: Some(Millis(BAR)),
            },
            what: Happening::Fact(what),
        };
        self.game.take(&input).expect("it is taken")
    }

    fn settle(&mut self, at: i64) -> Vec<Event> {
        self.game.take(&settled(at)).expect("it settles")
    }

    fn ring(&mut self, at: i64) -> Vec<Event> {
        self.game.take(&alarm(at)).expect("the alarm")
    }

    /// The clock does every order at once.
    fn obey(&mut self, at: i64) {
        while let Some(order) = self
            .game
            .pending_orders()
            .into_iter()
            .find(|order| order.status == OrderStatus::Sent)
        {
            let answer = Fact::OrderAnswered {
                number: order.number,
                answer: OrderAnswer::Done,
                reading: None,
            };
            self.tells("clock", at, at, answer);
        }
    }

    fn items(&self, at: i64) -> Vec<(String, bool)> {
        let view = self.game.arbiter_view(HallTime(at));
        view.items
            .iter()
            .map(|item| (item.kind.clone(), item.certain))
            .collect()
    }

    fn result(&self) -> String {
        self.game.arbiter_view(HallTime(0)).result
    }
}

fn flag(certain: bool) -> Vec<(String, bool)> {
    vec![("flag".to_owned(), certain)]
}

fn confirm() -> Deed {
    Deed::Confirm {
        item: None,
        promotion: None,
    }
}

/// White mates by Re1-e8.
const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 40";

fn mate_is_shown(bench: &mut Bench, at: i64, heard: i64) {
    let square = |name: &str| name.parse().expect("a square");
    bench.tells("board", at - 200, heard, Fact::Lifted { square: square("e1") });
    let piece = Some((Color::White, Role::Rook));
    bench.tells(
        "board",
        at,
        heard,
        Fact::Put {
            square: square("e8"),
            piece,
        },
    );
}

#[test]
fn the_flag_of_a_clock_that_counts_is_certain_only_when_the_clock_has_shown_it() {
    for enforcement in [Enforcement::CONFIRM, Enforcement::AUTOMATIC] {
        let mut bench = Bench::of(ClockKind::Counting, BoardKind::None, None, enforcement);
        bench.ring(60_000);
        assert_eq!(bench.items(60_000), flag(false));
        bench.settle(75_000);
        assert_eq!(bench.items(75_000), flag(false), "the count alone is no fact");
        let evidence = &bench.game.arbiter_view(HallTime(75_000)).items[0].evidence;
        assert!(
            evidence
                .iter()
                .any(|(key, why)| key == "not certain" && why.contains("has not shown")),
            "{evidence:?}"
        );
        bench.tells(
            "clock",
            60_000,
            75_500,
            Fact::FlagShown {
                of: Color::White,
                reading: None,
            },
        );
        bench.settle(75_500);
        assert_eq!(bench.items(75_500), flag(true));
    }
}

#[test]
fn a_button_s_flag_is_certain_when_everything_before_it_is_heard_and_the_arbiter_sees_why_not() {
    let mut bench = Bench::of(ClockKind::Button, BoardKind::None, None, Enforcement::CONFIRM);
    bench.settle(54_999);
    bench.ring(60_000);
    assert_eq!(bench.items(60_000), flag(false));
    let evidence = &bench.game.arbiter_view(HallTime(60_000)).items[0].evidence;
    assert!(
        evidence.contains(&(
            "not certain".to_owned(),
            "everything is heard only up to 0:00:05 before it".to_owned()
        )),
        "{evidence:?}"
    );
    bench.settle(60_000);
    assert_eq!(bench.items(60_001), flag(true));
}

#[test]
fn a_single_zero_is_no_flag() {
    let mut bench = Bench::of(ClockKind::Counting, BoardKind::None, None, Enforcement::AUTOMATIC);
    let zero = Fact::Reading(Reading {
        white: Millis::ZERO,
        black: Millis::secs(60),
        running: Some(Color::White),
    });
    bench.tells("clock", 20_000, 20_010, zero);
    bench.settle(25_000);
    assert_eq!(bench.items(25_000), [("adjusted-at-table".to_owned(), true)]);
    assert_eq!(bench.result(), "*");
    bench.tells("clock", 30_000, 30_010, Fact::Pressed { by: Color::White });
    assert_eq!(bench.game.state().clock.running(), Some(Color::Black));
}

#[test]
fn a_press_made_in_time_withdraws_a_suspicion_and_the_journal_says_so() {
    for kind in [ClockKind::Counting, ClockKind::Button] {
        let mut bench = Bench::of(kind, BoardKind::None, None, Enforcement::AUTOMATIC);
        bench.settle(50_000);
        bench.ring(60_000);
        assert_eq!(bench.items(60_000), flag(false));
        let events = bench.tells("clock", 59_990, 72_000, Fact::Pressed { by: Color::White });
        let withdrawn = events.iter().any(|event| {
            matches!(event, Event::Reconsidered { withdrawn, .. }
                if matches!(withdrawn.as_slice(), [Note::Opened { kind: item::Kind::Flag, .. }]))
        });
        assert!(withdrawn, "{kind:?}: {events:?}");
        assert!(bench.items(72_000).is_empty(), "{kind:?}");
        let view = bench.game.arbiter_view(HallTime(72_000));
        assert_eq!(
            (view.clocks.white, view.clocks.black),
            (Millis(10), Millis(60_000 - 12_010)),
            "{kind:?}"
        );
    }
}

#[test]
fn a_ruling_on_a_suspected_flag_stays_and_late_news_are_put_before_the_arbiter() {
    let mut bench = Bench::of(ClockKind::Button, BoardKind::None, None, Enforcement::CONFIRM);
    bench.settle(50_000);
    bench.ring(60_000);
    bench.act(65_000, confirm());
    assert_eq!(bench.result(), "0-1");
    bench.tells("clock", 59_000, 70_000, Fact::Pressed { by: Color::White });
    assert_eq!(bench.result(), "0-1", "the ruling is the arbiter's");
    assert_eq!(bench.items(70_000), [("late-news".to_owned(), true)]);
}

#[test]
fn a_mate_put_on_the_board_before_the_flag_is_never_ruled_away() {
    // In time by more than the devices can be apart; the picture has not stood yet when the flag falls.
    let mut bench = Bench::of(
        ClockKind::Counting,
        BoardKind::Pieces,
        Some(MATE),
        Enforcement::AUTOMATIC,
    );
    bench.tells(
        "clock",
        60_000,
        60_010,
        Fact::FlagShown {
            of: Color::White,
            reading: None,
        },
    );
    mate_is_shown(&mut bench, 59_800, 60_020);
    bench.settle(60_500);
    assert_eq!(bench.result(), "*");
    bench.settle(63_500);
    bench.ring(63_500);
    assert_eq!(
        bench.game.state().ending.as_ref().map(|ending| ending.termination),
        Some(crate::laws::Termination::Checkmate)
    );
}

#[test]
fn whether_mate_or_flag_came_first_is_left_to_the_arbiter_where_the_devices_cannot_tell() {
    let mut bench = Bench::of(
        ClockKind::Counting,
        BoardKind::Pieces,
        Some(MATE),
        Enforcement::AUTOMATIC,
    );
    bench.tells(
        "clock",
        60_000,
        60_010,
        Fact::FlagShown {
            of: Color::White,
            reading: None,
        },
    );
    mate_is_shown(&mut bench, 60_030, 60_050);
    bench.settle(70_000);
    bench.ring(70_000);
    assert_eq!(bench.result(), "*", "neither is ruled by itself");
    let item = bench.game.arbiter_view(HallTime(70_000)).items[0].clone();
    assert_eq!(item.kind, "flag");
    assert!(
        item.what.contains("whether that came before is not known"),
        "{}",
        item.what
    );
    assert!(item.what.contains("0.030 s after the flag"), "{}", item.what);
    assert_eq!(item.proposal, "Find out which came first, and set the result");
}

#[test]
fn a_mate_well_after_a_flag_that_the_regulations_rule_on_is_too_late() {
    let mut bench = Bench::of(
        ClockKind::Counting,
        BoardKind::Pieces,
        Some(MATE),
        Enforcement::AUTOMATIC,
    );
    bench.tells(
        "clock",
        60_000,
        60_010,
        Fact::FlagShown {
            of: Color::White,
            reading: None,
        },
    );
    mate_is_shown(&mut bench, 60_500, 60_510);
    bench.settle(70_000);
    bench.ring(70_000);
    assert_eq!(bench.result(), "0-1");
}

#[test]
fn a_mate_that_stood_before_the_claim_of_a_flag_ends_the_game() {
    let mut bench = Bench::of(ClockKind::Counting, BoardKind::Pieces, Some(MATE), Enforcement::CONFIRM);
    bench.tells(
        "clock",
        60_000,
        60_010,
        Fact::FlagShown {
            of: Color::White,
            reading: None,
        },
    );
    mate_is_shown(&mut bench, 61_000, 61_010);
    let claim = Fact::Claimed {
        by: Color::Black,
        what: crate::game::input::Claim::Flag,
        intends: None,
    };
    bench.tells("clock", 62_000, 62_010, claim);
    bench.settle(70_000);
    bench.ring(70_000);
    assert_eq!(
        bench.result(),
        "1-0",
        "6.8: it is fallen when it is claimed, and the game was over by then"
    );
}

#[test]
fn an_order_is_shown_until_the_clock_has_it_and_a_minute_longer() {
    let mut bench = Bench::of(ClockKind::Counting, BoardKind::None, None, Enforcement::CONFIRM);
    bench.act(10_000, Deed::Pause);
    let view = bench.game.arbiter_view(HallTime(10_000));
    assert_eq!(
        view.orders.iter().map(|order| order.status.clone()).collect::<Vec<_>>(),
        [OrderStatus::Sent]
    );
    let number = view.orders[0].number;
    let answer = |answer| Fact::OrderAnswered {
        number,
        answer,
        reading: None,
    };
    bench.tells("clock", 10_400, 10_410, answer(OrderAnswer::MovedOn));
    let view = bench.game.arbiter_view(HallTime(10_500));
    assert_eq!(
        view.answered.last().map(|order| order.status.clone()),
        Some(OrderStatus::MovedOn)
    );
    assert_eq!(view.orders.len(), 1, "decided again");
    bench.obey(11_000);
    let view = bench.game.arbiter_view(HallTime(12_000));
    assert!(view.orders.is_empty());
    let done = view.answered.last().expect("shown");
    assert_eq!(
        (done.status.clone(), done.answered),
        (OrderStatus::Done, Some(HallTime(11_000)))
    );
    assert!(bench.game.arbiter_view(HallTime(80_000)).answered.is_empty());
}

#[test]
fn the_sum_of_both_clocks_is_what_they_began_with_and_were_given_less_what_has_run() {
    let mut bench = Bench::new(GameSetup {
        time_control: "90m+30s".parse().expect("a control"),
        clock: ClockKind::Button,
        board: BoardKind::None,
        ..GameSetup::default()
    });
    let mut by = Color::White;
    for at in 1..=30_i64 {
        bench.tells("clock", at * 60_000, at * 60_000, Fact::Pressed { by });
        by = by.other();
    }
    let add = Deed::Adjust {
        white: Some(TimeChange::By(Millis::mins(2))),
        black: None,
        moves_done: None,
    };
    bench.act(1_800_000, add);
    bench.tells("clock", 1_800_000, 1_800_000, Fact::Paused { by: None });
    let check = bench.game.arbiter_view(HallTime(2_000_000)).check.expect("it goes on");
    assert_eq!(check.initial, Millis::secs(2 * 5430));
    assert_eq!(check.granted, Millis::secs(30 * 30 + 120));
    assert_eq!(check.elapsed, Millis::mins(30), "what stood is not counted");
    assert_eq!(check.deviation(), Millis::ZERO);
}

fn reading(white: i64, black: i64, running: Option<Color>) -> Fact {
    Fact::Reading(Reading {
        white: Millis(white),
        black: Millis(black),
        running,
    })
}

fn adjusted() -> Vec<(String, bool)> {
    vec![("adjusted-at-table".to_owned(), true)]
}

#[test]
fn the_reading_of_a_counting_clock_stands_at_once_and_the_arbiter_sees_both_values() {
    let mut bench = Bench::of(ClockKind::Counting, BoardKind::None, None, Enforcement::CONFIRM);
    bench.tells("clock", 10_000, 10_010, reading(45_000, 60_000, Some(Color::White)));
    assert_eq!(bench.items(10_010), adjusted());
    let item = bench.game.arbiter_view(HallTime(10_010)).items[0].clone();
    assert_eq!(
        item.what,
        "The clock on the table shows 0:00:45 and 0:01:00, the count was 0:00:50 and 0:01:00"
    );
    assert!(
        item.proposal.starts_with("The clock's times stand"),
        "{}",
        item.proposal
    );
    assert_eq!(bench.game.arbiter_view(HallTime(20_000)).clocks.white, Millis(35_000));
    // Confirmed minutes later it gives nobody anything.
    bench.act(30_000, confirm());
    assert_eq!(bench.game.arbiter_view(HallTime(30_000)).clocks.white, Millis(25_000));
    assert!(bench.items(30_000).is_empty());
}

#[test]
fn a_difference_that_is_only_proposed_is_worked_out_at_the_confirm() {
    let mut bench = Bench::of(ClockKind::Button, BoardKind::None, None, Enforcement::CONFIRM);
    bench.tells("clock", 10_000, 10_010, reading(45_000, 60_000, Some(Color::White)));
    assert_eq!(
        bench.game.arbiter_view(HallTime(10_000)).clocks.white,
        Millis(50_000),
        "the hub counts"
    );
    bench.act(30_000, confirm());
    assert_eq!(bench.game.arbiter_view(HallTime(30_000)).clocks.white, Millis(25_000));
}

#[test]
fn a_clock_that_stands_while_its_side_is_counted_down_is_believed_when_it_is_shown_again() {
    let mut bench = Bench::of(ClockKind::Counting, BoardKind::None, None, Enforcement::CONFIRM);
    bench.tells("clock", 10_000, 10_010, reading(52_000, 60_000, None));
    assert!(bench.items(10_010).is_empty(), "it may be between two states");
    bench.tells("clock", 15_000, 15_010, reading(52_000, 60_000, None));
    assert_eq!(bench.items(15_010), adjusted());
    let view = bench.game.arbiter_view(HallTime(60_000));
    assert_eq!((view.clocks.white, view.clocks.running), (Millis(52_000), None));
    assert!(
        view.items[0]
            .what
            .ends_with("on the clock both stood, by the count White's time ran"),
        "{}",
        view.items[0].what
    );
    // A press that is shown with the next sign of life only is no such thing.
    let mut bench = Bench::of(ClockKind::Counting, BoardKind::None, None, Enforcement::CONFIRM);
    bench.tells("clock", 10_000, 10_010, reading(50_000, 60_000, Some(Color::Black)));
    bench.tells("clock", 15_000, 15_010, reading(45_000, 60_000, Some(Color::White)));
    bench.tells("clock", 55_000, 55_010, reading(5_000, 60_000, None));
    assert!(bench.items(55_010).is_empty());
}

#[test]
fn a_counted_flag_that_the_clock_contradicts_is_withdrawn() {
    let mut bench = Bench::of(ClockKind::Counting, BoardKind::None, None, Enforcement::AUTOMATIC);
    bench.ring(60_000);
    assert_eq!(bench.items(60_000), flag(false));
    bench.tells("clock", 60_500, 60_510, reading(29_500, 60_000, Some(Color::White)));
    assert_eq!(bench.items(60_510), adjusted());
    let clocks = bench.game.arbiter_view(HallTime(61_000)).clocks;
    assert_eq!((clocks.white, clocks.running), (Millis(29_000), Some(Color::White)));
}

#[test]
fn a_counted_flag_is_withdrawn_by_a_clock_that_is_started_by_hand_with_time_left() {
    let mut bench = Bench::of(ClockKind::Counting, BoardKind::None, None, Enforcement::CONFIRM);
    // The clock was off for a while, and the count went on.
    bench.ring(60_000);
    assert_eq!(bench.items(60_000), flag(false));
    let started = Fact::ByHand {
        what: ByHand::Started,
        reading: Reading {
            white: Millis(3_154),
            black: Millis(60_000),
            running: Some(Color::White),
        },
    };
    bench.tells("clock", 63_000, 63_010, started);
    assert_eq!(bench.items(63_010), adjusted());
    let clocks = bench.game.arbiter_view(HallTime(64_000)).clocks;
    assert_eq!((clocks.white, clocks.running), (Millis(2_154), Some(Color::White)));
    bench.act(64_500, confirm());
    let shown = Fact::FlagShown {
        of: Color::White,
        reading: None,
    };
    bench.tells("clock", 66_154, 66_160, shown);
    bench.settle(66_200);
    assert_eq!(bench.items(66_200), flag(true));
}

#[test]
fn a_claim_that_a_person_enters_stops_a_clock_that_does_not_know_of_it() {
    let mut bench = Bench::of(ClockKind::Counting, BoardKind::None, None, Enforcement::CONFIRM);
    let claim = Fact::Claimed {
        by: Color::Black,
        what: crate::game::input::Claim::IllegalMove,
        intends: None,
    };
    let entered = Input {
        at: HallTime(5_000),
        heard: HallTime(5_000),
        origin: arbiter(),
        what: Happening::Fact(claim),
    };
    bench.game.take(&entered).expect("it is taken");
    assert_eq!(bench.game.pending_orders()[0].what, audience::OrderKind::Stop);
    bench.obey(5_200);
    assert_eq!(bench.game.arbiter_view(HallTime(9_000)).clocks.white, Millis(54_800));
}

#[test]
fn an_offence_that_hangs_on_an_order_nobody_knows_is_not_found_and_the_item_says_so() {
    let square = |name: &str| name.parse().expect("a square");
    // White plays e2-e4 and presses; the pawn is then seen on e5. Within what the two devices may be off, nobody knows which was
    // there at the press; well after it the move is the one that was pressed.
    for (seen, kinds) in [(10_060, vec!["order-unknown"]), (10_400, vec![])] {
        let mut bench = Bench::new(GameSetup {
            enforcement: Enforcement::AUTOMATIC,
            clock: ClockKind::Counting,
            ..GameSetup::default()
        });
        let pawn = Some((Color::White, Role::Pawn));
        bench.tells("board", 9_000, 9_010, Fact::Lifted { square: square("e2") });
        bench.tells(
            "board",
            9_200,
            9_210,
            Fact::Put {
                square: square("e4"),
                piece: pawn,
            },
        );
        bench.tells("clock", 10_000, 10_010, Fact::Pressed { by: Color::White });
        bench.tells("board", seen - 20, seen, Fact::Lifted { square: square("e4") });
        bench.tells(
            "board",
            seen,
            seen,
            Fact::Put {
                square: square("e5"),
                piece: pawn,
            },
        );
        bench.settle(20_000);
        let open: Vec<String> = bench.items(20_000).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(open, kinds, "seen at {seen}");
        assert_eq!(bench.game.state().illegal, [0, 0]);
    }
}

#[test]
fn a_board_that_has_lost_reports_accuses_nobody_until_it_shows_everything() {
    let square = |name: &str| name.parse().expect("a square");
    let mut bench = Bench::new(GameSetup {
        enforcement: Enforcement::AUTOMATIC,
        clock: ClockKind::Counting,
        ..GameSetup::default()
    });
    let knight = Some((Color::White, Role::Knight));
    let put = |name: &str, piece| Fact::Put {
        square: square(name),
        piece,
    };
    bench.tells("board", 1_000, 1_010, Fact::Lifted { square: square("g1") });
    bench.tells("board", 1_200, 1_210, put("f3", knight));
    bench.tells("clock", 2_000, 2_010, Fact::Pressed { by: Color::White });
    bench.settle(2_500);
    // That Black's knight was lifted from g8 is lost; then it stands on f6 too.
    bench.tells("board", 3_000, 9_000, Fact::ReportsLost { count: 2 });
    bench.tells("clock", 4_000, 9_010, Fact::Pressed { by: Color::Black });
    bench.settle(20_000);
    assert_eq!(
        bench.game.state().illegal,
        [0, 0],
        "nobody is punished for what the board has lost"
    );
    let kinds: Vec<String> = bench.items(20_000).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["reports-lost", "board-disagrees"]);
    // The whole picture explains the press.
    let placement = "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R".to_owned();
    bench.tells("board", 21_000, 21_010, Fact::Placed { placement });
    bench.tells("clock", 30_000, 30_010, Fact::Pressed { by: Color::White });
    bench.settle(31_000);
    let moves: Vec<String> = bench
        .game
        .hall_view(HallTime(31_000))
        .moves
        .into_iter()
        .map(|mv| mv.san)
        .collect();
    assert_eq!(moves[..2], ["Nf3", "Nf6"]);
    let illegal = bench
        .items(31_000)
        .into_iter()
        .filter(|(kind, _)| kind == "board-disagrees")
        .count();
    assert_eq!((bench.game.state().picture_gap, illegal), (false, 0));
}

/// The board is off after what it has told at `since`, and shows this when it is heard again.
fn back(bench: &mut Bench, since: i64, heard: i64, placement: &str) {
    let back = Fact::BoardBack {
        device: "board".to_owned(),
        before: "board".to_owned(),
        placement: placement.to_owned(),
    };
    let input = Input {
        at: HallTime(since),
        heard: HallTime(heard),
        origin: Origin::Hub,
        what: Happening::Fact(back),
    };
    bench.game.take(&input).expect("it is taken");
    let placement = placement.to_owned();
    bench.tells("board", heard, heard, Fact::Placed { placement });
}

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

fn sans(bench: &Bench) -> Vec<String> {
    let moves = bench.game.hall_view(HallTime(60_000)).moves;
    moves.into_iter().map(|mv| mv.san).collect()
}

/// A board of its own, and White's first move; the board has been off since.
fn off_after_a_move() -> Bench {
    let mut bench = Bench::new(GameSetup {
        clock: ClockKind::Counting,
        ..GameSetup::default()
    });
    let knight = Some((Color::White, Role::Knight));
    bench.tells("board", 1_000, 1_010, Fact::Lifted { square: square("g1") });
    let put = Fact::Put {
        square: square("f3"),
        piece: knight,
    };
    bench.tells("board", 1_200, 1_210, put);
    bench.tells("clock", 2_000, 2_010, Fact::Pressed { by: Color::White });
    bench.tells("board", 2_500, 2_510, Fact::Lifted { square: square("b1") });
    let put = Fact::Put {
        square: square("b1"),
        piece: knight,
    };
    bench.tells("board", 2_600, 2_610, put);
    bench.settle(2_600);
    bench
}

#[test]
fn what_was_played_while_the_board_was_off_is_read_from_what_it_shows_afterwards() {
    let mut bench = off_after_a_move();
    bench.tells("clock", 4_000, 4_010, Fact::Pressed { by: Color::Black });
    bench.tells("clock", 5_000, 5_010, Fact::Pressed { by: Color::White });
    // Without the board Black is taken to have pressed without a move, for want of anything better.
    bench.ring(9_100);
    bench.ring(12_000);
    assert_eq!(sans(&bench), ["Nf3"]);
    back(
        &mut bench,
        2_600,
        13_000,
        "rnbqkb1r/pppppppp/5n2/8/4P3/5N2/PPPP1PPP/RNBQKB1R",
    );
    bench.settle(14_000);
    bench.ring(20_000);
    assert_eq!(sans(&bench), ["Nf3", "Nf6", "e4"]);
    assert_eq!(bench.items(20_000), []);
}

#[test]
fn a_move_that_the_board_had_shown_before_it_was_off_is_what_was_pressed() {
    let mut bench = off_after_a_move();
    let knight = Some((Color::Black, Role::Knight));
    bench.tells("board", 3_000, 3_010, Fact::Lifted { square: square("b8") });
    let put = Fact::Put {
        square: square("c6"),
        piece: knight,
    };
    bench.tells("board", 3_200, 3_210, put);
    bench.tells("clock", 4_000, 4_010, Fact::Pressed { by: Color::Black });
    bench.tells("clock", 5_000, 5_010, Fact::Pressed { by: Color::White });
    bench.tells("clock", 6_000, 6_010, Fact::Pressed { by: Color::Black });
    // The knight has gone on to d4: one picture does not tell that it was on c6.
    back(
        &mut bench,
        3_200,
        13_000,
        "r1bqkbnr/pppppppp/8/8/3nP3/5N2/PPPP1PPP/RNBQKB1R",
    );
    bench.settle(14_000);
    bench.ring(20_000);
    assert_eq!(sans(&bench), ["Nf3", "Nc6", "e4", "Nd4"]);
    assert_eq!(bench.items(20_000), []);
}

#[test]
fn a_piece_that_was_in_the_air_as_the_board_went_off_has_captured_nothing_yet() {
    let mut bench = Bench::new(GameSetup {
        clock: ClockKind::Counting,
        board: BoardKind::Occupancy,
        fen: Some("rnbqkbnr/p1pppppp/8/1p6/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1".to_owned()),
        ..GameSetup::default()
    });
    // The bishop could have taken on b5, and a picture without it on f1 would look the same.
    bench.tells("board", 1_000, 1_010, Fact::Lifted { square: square("f1") });
    bench.tells("clock", 2_000, 2_010, Fact::Pressed { by: Color::White });
    back(
        &mut bench,
        1_000,
        13_000,
        "xxxxxxxx/x1xxxxxx/8/1x6/4x3/8/xxxxxxxx/xxxxx1xx",
    );
    bench.settle(14_000);
    bench.ring(20_000);
    assert_eq!(sans(&bench), ["Be2"]);
    assert_eq!(bench.items(20_000), []);
}

#[test]
fn the_answer_being_played_just_then_makes_no_other_move_of_what_the_board_showed_at_the_press() {
    let mut bench = Bench::new(GameSetup {
        clock: ClockKind::Counting,
        board: BoardKind::Occupancy,
        fen: Some("rnbqkbnr/1p1ppppp/2p5/p7/1P6/8/P1PPPPPP/RNBQKBNR w KQkq - 0 3".to_owned()),
        sensing_lag: Millis(300),
        ..GameSetup::default()
    });
    let lift = |name: &str| Fact::Lifted { square: square(name) };
    let put = |name: &str| Fact::Put {
        square: square(name),
        piece: None,
    };
    bench.tells("board", 1_000, 1_010, lift("b4"));
    bench.tells("board", 1_100, 1_110, put("b5"));
    bench.tells("clock", 1_200, 1_210, Fact::Pressed { by: Color::White });
    // The pawn is taken off the board, and without it the picture would be that of bxa5.
    bench.tells("board", 1_300, 1_310, lift("b5"));
    bench.settle(1_800);
    bench.ring(1_800);
    bench.tells("board", 1_900, 1_910, lift("c6"));
    bench.tells("board", 2_000, 2_010, put("b5"));
    bench.tells("clock", 2_100, 2_110, Fact::Pressed { by: Color::Black });
    bench.settle(9_000);
    bench.ring(9_000);
    assert_eq!(sans(&bench), ["b5", "cxb5"]);
    assert_eq!(bench.items(9_000), []);
}

#[test]
fn a_piece_in_the_hand_of_who_replies_as_a_board_comes_back_was_taken_off_by_nobody() {
    let mut bench = off_after_a_move();
    bench.tells("clock", 4_000, 4_010, Fact::Pressed { by: Color::Black });
    back(
        &mut bench,
        2_600,
        13_000,
        "r1bqkbnr/pppppppp/2n5/8/8/5N2/PPPPPPPP/RNBQK2R",
    );
    bench.settle(14_000);
    bench.ring(20_000);
    assert_eq!(sans(&bench), ["Nf3", "Nc6"]);
    assert_eq!(bench.items(20_000), []);
}

#[test]
fn a_piece_in_the_hand_of_who_thinks_has_mated_nobody() {
    let mut bench = Bench::new(GameSetup {
        clock: ClockKind::Counting,
        board: BoardKind::Occupancy,
        fen: Some("6k1/8/8/4r3/8/8/5PPP/4N1K1 b - - 0 40".to_owned()),
        ..GameSetup::default()
    });
    bench.tells("board", 1_000, 1_010, Fact::Lifted { square: square("e5") });
    bench.settle(9_000);
    bench.ring(10_000);
    assert_eq!(bench.result(), "*", "it may still go elsewhere");
}

#[test]
fn the_time_of_a_board_that_has_told_nothing_yet_is_off_by_nobody_knows_how_much() {
    // Before its first word; and started anew, with the picture of the record.
    for restarted in [false, true] {
        let mut bench = Bench::new(GameSetup {
            clock: ClockKind::Counting,
            two_devices: true,
            ..GameSetup::default()
        });
        if restarted {
            bench.tells("board", 100, 110, Fact::Lifted { square: square("c2") });
            let pawn = Some((Color::White, Role::Pawn));
            let put = Fact::Put {
                square: square("c2"),
                piece: pawn,
            };
            bench.tells("board", 200, 210, put);
            let placement = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".to_owned();
            let origin = Origin::Device {
                device: "board".to_owned(),
                boot: 2,
                seq: -1,
                bar: None,
            };
            let born = Input {
                at: HallTime(300),
                heard: HallTime(310),
                origin,
                what: Happening::Fact(Fact::Placed { placement }),
            };
            bench.game.take(&born).expect("it is taken");
        }
        bench.tells("clock", 2_000, 2_010, Fact::Pressed { by: Color::White });
        bench.settle(2_600);
        assert_eq!(bench.items(2_600), [], "restarted {restarted}");
        bench.tells("board", 2_610, 2_620, Fact::Lifted { square: square("c2") });
        let pawn = Some((Color::White, Role::Pawn));
        let put = Fact::Put {
            square: square("c3"),
            piece: pawn,
        };
        bench.tells("board", 2_700, 2_710, put);
        bench.settle(9_000);
        bench.ring(9_000);
        assert_eq!((sans(&bench), bench.items(9_000)), (vec!["c3".to_owned()], vec![]));
    }
}

#[test]
fn a_board_that_shows_what_it_had_shown_before_it_was_off_has_missed_nothing() {
    let mut bench = off_after_a_move();
    back(
        &mut bench,
        2_600,
        13_000,
        "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R",
    );
    bench.tells("clock", 14_000, 14_010, Fact::Pressed { by: Color::Black });
    bench.settle(15_000);
    bench.tells("board", 16_000, 16_010, Fact::Lifted { square: square("a7") });
    bench.settle(16_000);
    let kinds: Vec<String> = bench.items(17_000).into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["illegal-move"], "he pressed without having made a move");
}

/// A board that was put on anew told of a move before anything of its time was known; the picture that comes next is no news by then.
#[test]
fn a_move_that_a_board_tells_before_its_picture_is_not_missing_at_its_press() {
    let mut bench = off_after_a_move();
    bench.tells("board", 4_400, 13_000, Fact::Lifted { square: square("g8") });
    let put = Fact::Put {
        square: square("f6"),
        piece: Some((Color::Black, Role::Knight)),
    };
    bench.tells("board", 4_500, 13_000, put);
    back(
        &mut bench,
        2_600,
        13_000,
        "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R",
    );
    // It was pressed before that, by a time that is known; only then is it heard.
    bench.tells("clock", 4_000, 14_000, Fact::Pressed { by: Color::Black });
    bench.settle(15_000);
    bench.ring(20_000);
    assert_eq!(
        (sans(&bench), bench.items(20_000)),
        (vec!["Nf3".to_owned(), "Nf6".to_owned()], vec![])
    );
}

#[test]
fn where_presses_of_a_clock_of_its_own_are_lost_the_board_accuses_nobody() {
    let mut bench = off_after_a_move();
    let pawn = |color| Some((color, Role::Pawn));
    let moves = [
        (3_000, "b7", "b5", Color::Black),
        (4_000, "a2", "a4", Color::White),
        (5_000, "h7", "h6", Color::Black),
        (6_000, "a4", "a5", Color::White),
        (7_000, "b5", "b4", Color::Black),
    ];
    for (at, from, to, by) in moves {
        bench.tells("board", at, at + 10, Fact::Lifted { square: square(from) });
        let put = Fact::Put {
            square: square(to),
            piece: pawn(by),
        };
        bench.tells("board", at + 100, at + 110, put);
    }
    bench.tells("clock", 6_500, 20_000, Fact::ReportsLost { count: 4 });
    bench.tells("clock", 7_500, 20_000, Fact::Pressed { by: Color::Black });
    bench.settle(20_000);
    bench.ring(26_000);
    let kinds: Vec<String> = bench.items(26_000).into_iter().map(|(kind, _)| kind).collect();
    assert!(!kinds.contains(&"illegal-move".to_owned()), "{kinds:?}");
}

#[test]
fn an_answer_that_is_moved_on_before_it_is_pressed_is_one_move() {
    let mut bench = off_after_a_move();
    let touch = |bench: &mut Bench, at: i64, from: &str, to: &str, by: Color| {
        bench.tells("board", at, at + 10, Fact::Lifted { square: square(from) });
        let put = Fact::Put {
            square: square(to),
            piece: Some((by, Role::Pawn)),
        };
        bench.tells("board", at + 10, at + 20, put);
    };
    touch(&mut bench, 3_000, "e7", "e6", Color::Black);
    bench.tells("clock", 4_000, 4_010, Fact::Pressed { by: Color::Black });
    // White answers before the board is known to have shown what was pressed.
    touch(&mut bench, 4_020, "a2", "a3", Color::White);
    bench.settle(5_000);
    assert_eq!(sans(&bench), ["Nf3", "e6", "a3"]);
    touch(&mut bench, 6_000, "a3", "a4", Color::White);
    bench.tells("clock", 8_000, 8_010, Fact::Pressed { by: Color::White });
    touch(&mut bench, 9_000, "h7", "h5", Color::Black);
    bench.settle(9_500);
    bench.tells("clock", 10_000, 10_010, Fact::Pressed { by: Color::Black });
    touch(&mut bench, 12_000, "h2", "h3", Color::White);
    bench.settle(12_500);
    assert_eq!(sans(&bench), ["Nf3", "e6", "a4", "h5"]);
    assert_eq!(bench.items(13_000), []);
}
