//! What an explanation rests on is what a confirm really does, and what the record really has.

use super::*;
use crate::game::account::{Account, PieceBack, RightLost, TimeEffect};
use crate::game::input::{Claim, Fact};

/// A game from a position, with these moves a second apart, each pressed.
fn played(fen: &str, moves: &[&str]) -> (Game, i64) {
    let mut game = Game::new(GameSetup {
        fen: Some(fen.to_owned()),
        ..GameSetup::default()
    });
    take(&mut game, &act(0, Deed::Start));
    let mut seq = 0;
    for mv in moves {
        let by = game.state().position().turn();
        let at = (seq / 2 + 1) * 1_000;
        take(
            &mut game,
            &fact(
                at,
                seq,
                Fact::Moved {
                    by,
                    mv: (*mv).to_owned(),
                },
            ),
        );
        take(&mut game, &fact(at, seq + 1, Fact::Pressed { by }));
        seq += 2;
    }
    let now = (seq / 2) * 1_000 + 400;
    take(&mut game, &settled(now));
    take(&mut game, &alarm(now));
    (game, now)
}

fn take(game: &mut Game, input: &Input) {
    game.take(input).expect("it is taken");
}

fn only_account(game: &Game, now: i64) -> Account {
    let mut items = game.arbiter_view(HallTime(now)).items;
    assert_eq!(items.len(), 1, "{items:?}");
    *items.remove(0).account.expect("the game can say it")
}

#[test]
fn the_outcome_of_an_illegal_move_is_what_its_confirm_brings() {
    let (mut game, now) = played("4k3/8/8/8/1b6/8/8/1N2K3 w - - 0 1", &["b1a3"]);
    let account = only_account(&game, now);
    let outcome = &account.outcome;
    let knight = crate::chess::Piece {
        color: Color::White,
        role: Role::Knight,
    };
    let square = |name: &str| name.parse().expect(name);
    assert_eq!(
        outcome.pieces,
        [PieceBack {
            piece: knight,
            from: Some(square("a3")),
            to: Some(square("b1")),
        }]
    );
    assert_eq!(outcome.taken_back, ["1.Nb1-a3"]);
    assert_eq!(
        (outcome.choices.as_slice(), outcome.touched),
        (["Nd2", "Nc3"].map(str::to_owned).as_slice(), Some(knight))
    );
    assert_eq!(outcome.turn, Some(Color::White));
    let [white, black] = outcome.times;
    let before = Millis::secs(90 * 60 + 30 - 1 + 30);
    assert_eq!(
        white,
        TimeEffect {
            before,
            after: before - Millis::secs(30),
            runs: false,
        }
    );
    assert_eq!((black.after - black.before, black.runs), (Millis::mins(2), true));

    take(
        &mut game,
        &act(
            now,
            Deed::Confirm {
                item: None,
                promotion: None,
            },
        ),
    );
    let view = game.arbiter_view(HallTime(now));
    assert_eq!((view.clocks.white, view.clocks.black), (white.after, black.after));
    assert_eq!((view.must_play.as_str(), view.moves.len()), ("b1", 0));
}

#[test]
fn it_is_known_since_when_castling_was_lost() {
    let rook_and_king = "4k3/p7/8/8/8/8/8/4K2R w K - 0 1";
    let right = |moves: &[&str]| {
        let (game, now) = played(rook_and_king, moves);
        only_account(&game, now).offence.expect("an offence").right
    };
    let king = right(&["e1e2", "a7a6", "e2e1", "a6a5", "e1g1"]);
    assert_eq!(king, Some(RightLost::KingMoved("1.Ke2".to_owned())));
    let rook = right(&["h1h2", "a7a6", "h2h1", "a6a5", "e1g1"]);
    assert_eq!(rook, Some(RightLost::RookMoved("1.Rh2".to_owned())));
}

#[test]
fn a_claim_names_the_moves_after_which_the_position_stood() {
    let there_and_back = ["h1h2", "e8e7", "h2h1", "e7e8", "h1h2", "e8e7", "h2h1", "e7e8"];
    let (mut game, now) = played("4k3/8/8/8/8/8/8/4K2R w - - 0 1", &there_and_back);
    let claim = Fact::Claimed {
        by: Color::White,
        what: Claim::Threefold,
        intends: None,
    };
    take(&mut game, &fact(now, 90, claim));
    let account = only_account(&game, now);
    let moves = [None, Some("2...Ke8".to_owned()), Some("4...Ke8".to_owned())];
    assert_eq!(account.occurrences, moves);
}
