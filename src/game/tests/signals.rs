//! What the players show of the result: kings, result pieces, entries at the clock.

use super::*;
use crate::game::item::Kind;
use crate::laws::{GameResult, Termination};

/// A game with a board that tells pieces apart, and its own count of reports.
struct Shown {
    game: Game,
    seq: i64,
    now: i64,
}

impl Shown {
    /// Called, and no move made.
    fn from(fen: Option<&str>) -> Shown {
        let mut shown = Shown {
            game: Game::new(GameSetup {
                fen: fen.map(str::to_owned),
                ..GameSetup::default()
            }),
            seq: 0,
            now: 0,
        };
        shown.act(Deed::Start);
        shown
    }

    /// After 1. e4 e5.
    fn opened() -> Shown {
        let mut shown = Shown::from(None);
        shown.played(Color::White, "e2e4");
        shown.played(Color::Black, "e7e5");
        shown
    }

    fn act(&mut self, what: Deed) {
        self.now += 1_000;
        self.game.take(&act(self.now, what)).expect("it is done");
        self.game.take(&settled(self.now)).expect("it settles");
    }

    fn tell(&mut self, what: Fact) {
        self.now += 1_000;
        self.seq += 1;
        self.game.take(&fact(self.now, self.seq, what)).expect("it is taken");
        self.game.take(&settled(self.now)).expect("it settles");
    }

    fn played(&mut self, by: Color, mv: &str) {
        let position = self.game.state().position().clone();
        let mv: Move = mv.parse().expect("a move");
        for fact in shown(BoardKind::Pieces, &position, &mv, by) {
            self.tell(fact);
        }
        self.tell(Fact::Pressed { by });
    }

    /// A king is taken from its square and put elsewhere, and nobody presses.
    fn king(&mut self, of: Color, to: &str) {
        let square = self.game.state().position().king_of(of).expect("a king");
        self.tell(Fact::Lifted { square });
        self.tell(Fact::Put {
            square: to.parse().expect("a square"),
            piece: Some((of, Role::King)),
        });
    }

    fn enters(&mut self, by: Color, result: &str) {
        let result = result.to_owned();
        self.tell(Fact::ResultEntered { by, result });
    }

    fn confirm(&mut self) {
        self.act(Deed::Confirm {
            item: None,
            promotion: None,
        });
    }

    fn kinds(&self) -> Vec<Kind> {
        self.game.state().items.iter().map(|item| item.key.kind).collect()
    }

    fn moves(&self) -> usize {
        self.game.state().record.len()
    }

    fn ending(&self) -> Option<(GameResult, Termination)> {
        result(self.game.state())
    }

    fn what(&self) -> String {
        let view = self.game.arbiter_view(HallTime(self.now));
        view.items.first().map(|item| item.what.clone()).unwrap_or_default()
    }
}

#[test]
fn kings_in_the_centre_are_a_sign_and_the_game_ends_by_resignation_or_agreement_when_it_is_confirmed() {
    for (white, black, result, termination) in [
        ("e4", "d5", GameResult::WhiteWins, Termination::Resignation),
        ("d5", "e4", GameResult::WhiteWins, Termination::Resignation),
        ("d4", "e5", GameResult::BlackWins, Termination::Resignation),
        ("d4", "d5", GameResult::Draw, Termination::Agreement),
        ("e4", "e5", GameResult::Draw, Termination::Agreement),
    ] {
        let mut shown = Shown::from(Some("6k1/r4ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"));
        shown.played(Color::White, "h2h3");
        shown.played(Color::Black, "h7h6");
        shown.king(Color::White, white);
        shown.king(Color::Black, black);
        assert_eq!(shown.kinds(), [Kind::ResultSignal], "{white} {black}");
        assert_eq!(
            (shown.moves(), shown.ending()),
            (2, None),
            "a sign is no move and no result"
        );
        shown.confirm();
        assert_eq!(shown.ending(), Some((result, termination)), "{white} {black}");
        assert_eq!((shown.kinds(), shown.moves()), (vec![], 2));
    }
}

#[test]
fn a_press_with_the_kings_in_the_centre_makes_no_move_either() {
    let mut shown = Shown::opened();
    shown.king(Color::White, "e4");
    shown.king(Color::Black, "d5");
    shown.tell(Fact::Pressed { by: Color::White });
    assert_eq!((shown.kinds(), shown.moves()), (vec![Kind::ResultSignal], 2));
}

#[test]
fn who_has_only_his_king_wins_by_no_resignation() {
    // 5.1.2: White is shown to have won, but he cannot mate by any series of legal moves.
    let mut shown = Shown::from(Some("r5k1/8/8/8/8/8/8/6K1 w - - 0 1"));
    shown.king(Color::White, "e4");
    shown.king(Color::Black, "d5");
    shown.confirm();
    assert_eq!(shown.ending(), Some((GameResult::Draw, Termination::ResignationNoMate)));
}

#[test]
fn result_pieces_are_a_sign_for_an_arbiter() {
    let mut shown = Shown::opened();
    shown.tell(Fact::ResultShown {
        result: "0-1".to_owned(),
    });
    assert_eq!((shown.kinds(), shown.ending()), (vec![Kind::ResultSignal], None));
    shown.confirm();
    assert_eq!(shown.ending(), Some((GameResult::BlackWins, Termination::Resignation)));
}

#[test]
fn both_enter_the_same_and_the_game_is_over() {
    for (entered, result, termination) in [
        ("1-0", GameResult::WhiteWins, Termination::Resignation),
        ("0-1", GameResult::BlackWins, Termination::Resignation),
        ("1/2-1/2", GameResult::Draw, Termination::Agreement),
    ] {
        let mut shown = Shown::opened();
        shown.enters(Color::Black, entered);
        assert_eq!((shown.kinds(), shown.ending()), (vec![Kind::ResultSignal], None));
        assert!(shown.what().contains("Black has entered"), "{}", shown.what());
        shown.enters(Color::White, entered);
        assert_eq!((shown.ending(), shown.kinds()), (Some((result, termination)), vec![]));
    }
}

#[test]
fn different_entries_are_for_an_arbiter_until_one_is_mended() {
    let mut shown = Shown::opened();
    shown.enters(Color::White, "1-0");
    shown.enters(Color::Black, "0-1");
    assert_eq!((shown.kinds(), shown.ending()), (vec![Kind::ResultSignal], None));
    assert_eq!(shown.what(), "At the clock White has entered 1-0, Black 0-1");
    let revision = shown.game.state().items[0].revision;
    shown.enters(Color::White, "1/2-1/2");
    assert!(
        shown.game.state().items[0].revision > revision,
        "the evidence is another one"
    );
    shown.enters(Color::Black, "1/2-1/2");
    assert_eq!(shown.ending(), Some((GameResult::Draw, Termination::Agreement)));
    assert_eq!(shown.kinds(), []);
}

#[test]
fn one_entry_alone_is_confirmed_by_an_arbiter() {
    let mut shown = Shown::opened();
    shown.enters(Color::White, "1-0");
    shown.confirm();
    assert_eq!(shown.ending(), Some((GameResult::WhiteWins, Termination::Resignation)));
}

#[test]
fn a_draw_that_may_not_be_agreed_yet_waits_for_an_arbiter_who_is_proposed_nothing() {
    let mut shown = Shown::from(None);
    shown.played(Color::White, "e2e4");
    shown.enters(Color::White, "1/2-1/2");
    shown.enters(Color::Black, "1/2-1/2");
    assert_eq!((shown.kinds(), shown.ending()), (vec![Kind::ResultSignal], None));
    shown.confirm();
    assert_eq!((shown.kinds(), shown.ending()), (vec![], None));
}
