//! What arbiters do at a table beside its rulings: masked squares, a board given up, moves mended, moves that a claimant names, appeals.

use super::*;
use crate::game::audience::Item;
use crate::game::input::{AppealOutcome, AppealStep};

fn table(board: BoardKind, clock: ClockKind) -> Game {
    let mut game = Game::new(GameSetup {
        board,
        clock,
        time_control: "5m+3s".parse().expect("a control"),
        ..GameSetup::default()
    });
    game.take(&act(0, Deed::Start)).expect("it starts");
    game
}

/// Takes it, and proves that a replay of what comes of it leads to the same.
fn take(game: &mut Game, input: &Input) {
    let mut replayed = game.clone();
    let events = game.take(input).expect("it is taken");
    for event in &events {
        let written = serde_json::to_string(event).expect("written");
        replayed
            .fold(&serde_json::from_str(&written).expect("read"))
            .expect("it fits");
    }
    assert_eq!(*game, replayed);
}

fn deed(game: &mut Game, at: i64, what: Deed) {
    take(game, &act(at, what));
}

fn refused(game: &Game, at: i64, what: Deed) -> String {
    game.clone().take(&act(at, what)).expect_err("refused").to_string()
}

fn record(game: &Game) -> Vec<String> {
    let view = game.arbiter_view(HallTime(1_000_000));
    view.moves.into_iter().map(|mv| mv.san).collect()
}

fn item(game: &Game, kind: &str) -> Option<Item> {
    let items = game.arbiter_view(HallTime(1_000_000)).items;
    items.into_iter().find(|item| item.kind == kind)
}

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

/// The board tells of squares only, and the clock of the press.
fn press(game: &mut Game, at: i64, seq: &mut i64, seen: &[Fact], by: Color) {
    let pressed = Fact::Pressed { by };
    for what in seen.iter().cloned().chain([pressed]) {
        *seq += 1;
        take(game, &fact(at, *seq, what));
    }
    game.take(&settled(at + 2_000)).expect("it settles");
    game.take(&alarm(at + 8_000)).expect("time passes");
}

#[test]
fn a_square_that_is_masked_counts_for_nothing_and_the_move_to_it_is_known_by_the_others() {
    for kind in [BoardKind::Pieces, BoardKind::Occupancy] {
        let mut game = table(kind, ClockKind::Button);
        let mut seq = 0;
        let lifted = |name: &str| Fact::Lifted { square: square(name) };
        let put = |name: &str| Fact::Put {
            square: square(name),
            piece: None,
        };
        deed(
            &mut game,
            100,
            Deed::MaskSquares {
                squares: vec![square("e4")],
            },
        );
        assert_eq!(game.arbiter_view(HallTime(200)).masked, [square("e4")]);
        // The sensor of e4 shows whatever it likes, and not the pawn.
        press(
            &mut game,
            1_000,
            &mut seq,
            &[put("e4"), lifted("e4"), lifted("e2")],
            Color::White,
        );
        assert_eq!(record(&game), ["e4"], "{kind:?}");
        let sensed = game.arbiter_view(HallTime(20_000)).sensed.expect("a board");
        assert!(sensed.differs.is_empty(), "{sensed:?}");
        // It counts again, and is taken for what the record has.
        deed(&mut game, 20_000, Deed::MaskSquares { squares: Vec::new() });
        let sensed = game.arbiter_view(HallTime(20_000)).sensed.expect("a board");
        assert!(sensed.differs.is_empty(), "{sensed:?}");
    }
    let bare = table(BoardKind::None, ClockKind::Button);
    assert!(
        refused(
            &bare,
            100,
            Deed::MaskSquares {
                squares: vec![square("e4")]
            }
        )
        .contains("no board")
    );
}

#[test]
fn a_game_goes_on_without_its_board_and_the_press_it_did_not_explain_is_that_of_the_move_entered_next() {
    let mut game = table(BoardKind::Pieces, ClockKind::Button);
    let mut seq = 0;
    let gone: Vec<Fact> = ["a1", "b1", "c1"]
        .map(|name| Fact::Lifted { square: square(name) })
        .into();
    press(&mut game, 1_000, &mut seq, &gone, Color::White);
    assert!(item(&game, "board-disagrees").is_some());
    let clocks = game.arbiter_view(HallTime(12_000)).clocks;
    deed(&mut game, 12_000, Deed::UseBoard { used: false });
    let view = game.arbiter_view(HallTime(12_000));
    assert!(
        view.without_board && view.sensed.is_none() && view.items.is_empty(),
        "{view:?}"
    );
    assert_eq!(
        (view.turn, view.clocks),
        (Color::Black, clocks),
        "the clocks are not touched"
    );
    deed(&mut game, 13_000, Deed::EnterMove { mv: "e4".to_owned() });
    let first = &game.arbiter_view(HallTime(13_000)).moves[0];
    assert!(first.san == "e4" && first.clock.is_some(), "{first:?}");
    press(&mut game, 20_000, &mut seq, &[], Color::Black);
    assert!(item(&game, "board-disagrees").is_none() && item(&game, "illegal-move").is_none());
    assert!(refused(&game, 30_000, Deed::UseBoard { used: true }).contains("missing"));
    deed(&mut game, 30_000, Deed::EnterMove { mv: "e5".to_owned() });
    assert_eq!(record(&game), ["e4", "e5"]);
    deed(&mut game, 31_000, Deed::UseBoard { used: true });
    let view = game.arbiter_view(HallTime(31_000));
    assert!(!view.without_board && view.sensed.is_some_and(|sensed| sensed.differs.is_empty()));
    assert!(refused(&game, 32_000, Deed::UseBoard { used: true }).contains("already"));
}

#[test]
fn a_move_of_the_record_is_mended_and_what_follows_has_to_be_possible() {
    let mut game = table(BoardKind::None, ClockKind::None);
    for (nth, mv) in ["e4", "e5", "Nf3"].into_iter().enumerate() {
        deed(
            &mut game,
            1_000 * (nth as i64 + 1),
            Deed::EnterMove { mv: mv.to_owned() },
        );
    }
    let before = game.arbiter_view(HallTime(9_000));
    let mend = |ply: u32, mv: &str| Deed::Mend { ply, mv: mv.to_owned() };
    deed(&mut game, 9_000, mend(1, "d4"));
    let after = game.arbiter_view(HallTime(9_000));
    assert_eq!(record(&game), ["d4", "e5", "Nf3"]);
    assert_eq!((before.clocks, before.turn), (after.clocks, after.turn));
    assert_eq!(before.moves[0].at, after.moves[0].at, "it was made when it was made");
    assert!(
        refused(&game, 9_500, mend(1, "Nf3")).contains("half-move 3"),
        "the knight is gone from g1"
    );
    assert!(refused(&game, 9_500, mend(4, "d4")).contains("half-move 4"));
    assert!(refused(&game, 9_500, mend(2, "Qh5")).contains("no move"));
}

#[test]
fn what_a_claimant_says_is_held_against_the_record_for_the_arbiter() {
    let mut game = table(BoardKind::None, ClockKind::None);
    let there_and_back = ["Nf3", "Nf6", "Ng1", "Ng8"];
    for (nth, mv) in there_and_back.iter().cycle().take(8).enumerate() {
        let mv = (*mv).to_owned();
        deed(&mut game, 1_000 * (nth as i64 + 1), Deed::EnterMove { mv });
    }
    let claim = Fact::Claimed {
        by: Color::White,
        what: Claim::Threefold,
        intends: None,
    };
    take(&mut game, &fact(9_000, 1, claim));
    let open = item(&game, "claim-threefold").expect("an item");
    let named = |moves: Vec<u32>| Deed::ClaimedMoves {
        item: open.number,
        moves,
    };
    let revision = game.arbiter_view(HallTime(9_000)).revision;
    deed(&mut game, 10_000, named(vec![2, 3, 4]));
    let checked = item(&game, "claim-threefold").expect("an item");
    assert!(
        checked
            .evidence
            .contains(&("claimed".to_owned(), "2:4:yes 3:6:no 4:8:yes".to_owned())),
        "{checked:?}"
    );
    assert!(checked.revision > open.revision, "the evidence is another");
    assert_eq!(
        game.arbiter_view(HallTime(10_000)).revision,
        revision,
        "nothing was ruled"
    );
    assert!(refused(&game, 11_000, named(vec![0])).contains("numbers"));
    let hall = serde_json::to_string(&game.hall_view(HallTime(11_000))).expect("written");
    assert!(!hall.contains("claim"), "nobody else is told: {hall}");
}

#[test]
fn an_appeal_stops_nothing_and_stays_with_the_game_through_its_end_and_a_reopening() {
    let mut game = table(BoardKind::None, ClockKind::None);
    deed(&mut game, 1_000, Deed::EnterMove { mv: "e4".to_owned() });
    let before = game.arbiter_view(HallTime(2_000));
    let lodge = |statement: &str| {
        Deed::Appeal(AppealStep::Lodge {
            by: Color::Black,
            at: Some(HallTime(1_500)),
            fee: "100 EUR".to_owned(),
            deadline: Some(HallTime(3_600_000)),
            statement: statement.to_owned(),
        })
    };
    assert!(refused(&game, 2_000, lodge("  ")).contains("statement"));
    deed(&mut game, 2_000, lodge("<b>It was j'adoube</b>"));
    let view = game.arbiter_view(HallTime(2_000));
    assert_eq!(
        (view.clocks, view.revision),
        (before.clocks, before.revision),
        "play goes on"
    );
    assert!(view.is_appealed());
    let result = "1-0".to_owned();
    deed(&mut game, 3_000, Deed::Decide { result });
    let said = AppealStep::State {
        appeal: 1,
        by: "the opponent".to_owned(),
        statement: "He touched it".to_owned(),
    };
    deed(&mut game, 4_000, Deed::Appeal(said));
    deed(&mut game, 5_000, Deed::Reopen);
    let close = |appeal| {
        Deed::Appeal(AppealStep::Close {
            appeal,
            outcome: AppealOutcome::Dismissed,
        })
    };
    assert!(refused(&game, 6_000, close(2)).contains("no appeal 2"));
    deed(&mut game, 6_000, close(1));
    let view = game.arbiter_view(HallTime(6_000));
    let [appeal] = view.appeals.as_slice() else {
        panic!("{view:?}")
    };
    assert_eq!((appeal.lodged, appeal.statements.len()), (HallTime(1_500), 2));
    assert!(!view.is_appealed() && view.result == "*");
    assert!(refused(&game, 7_000, close(1)).contains("decided already"));
}

#[test]
fn a_note_that_rests_on_what_was_seen_is_not_made_when_that_has_changed() {
    let mut game = table(BoardKind::None, ClockKind::None);
    let note = |revision| {
        let mut input = act(2_000, Deed::Note);
        if let Happening::Act(act) = &mut input.what {
            act.revision = Some(revision);
            act.reason = "Black asked for the time".to_owned();
        }
        input
    };
    game.take(&note(0)).expect("nothing has changed");
    deed(
        &mut game,
        3_000,
        Deed::Decide {
            result: "1-0".to_owned(),
        },
    );
    let stale = game.take(&note(0)).expect_err("refused");
    assert!(matches!(stale, Refusal::StaleTable { now: 1, .. }), "{stale}");
}

#[test]
fn the_period_that_a_player_is_in_is_set_and_has_to_be_one_of_the_control() {
    let mut game = Game::new(GameSetup {
        board: BoardKind::None,
        clock: ClockKind::None,
        time_control: "40/90m+30s,30m+30s".parse().expect("a control"),
        ..GameSetup::default()
    });
    game.take(&act(0, Deed::Start)).expect("it starts");
    let set = |white| Deed::SetPeriods { white, black: None };
    deed(&mut game, 1_000, set(Some(1)));
    assert_eq!(game.arbiter_view(HallTime(1_000)).period, (1, 0));
    assert!(refused(&game, 2_000, set(Some(2))).contains("2 periods"));
}

#[test]
fn a_draw_that_is_agreed_too_early_is_refused_with_the_article() {
    let mut game = Game::new(GameSetup {
        board: BoardKind::None,
        clock: ClockKind::None,
        min_moves_for_draw: 2,
        ..GameSetup::default()
    });
    game.take(&act(0, Deed::Start)).expect("it starts");
    let agreed = |at| Input {
        at: HallTime(at),
        heard: HallTime(at),
        origin: arbiter(),
        what: Happening::Fact(Fact::Agreed { what: Agreement::Draw }),
    };
    for (nth, mv) in ["e4", "e5", "Nf3"].into_iter().enumerate() {
        let mv = mv.to_owned();
        deed(&mut game, 1_000 * (nth as i64 + 1), Deed::EnterMove { mv });
    }
    let early = game.clone().take(&agreed(4_000)).expect_err("refused").to_string();
    assert!(early.contains("9.1.1") && early.contains("Black 1"), "{early}");
    let mv = "Nc6".to_owned();
    deed(&mut game, 5_000, Deed::EnterMove { mv });
    take(&mut game, &agreed(6_000));
    assert_eq!(game.arbiter_view(HallTime(6_000)).result, "1/2-1/2");
}
