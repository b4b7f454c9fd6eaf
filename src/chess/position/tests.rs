//! The own rules held against the library's, and what the library refuses.

use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::SanPlus, uci::UciMove};

use super::*;
use crate::chess::Illegality;

fn at(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Standard).unwrap()
}

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

/// The library's move as ours.
fn ours(theirs: shakmaty::Move, variant: Variant) -> Move {
    let uci = match variant {
        Variant::Standard => UciMove::from_standard(theirs),
        Variant::Chess960 => UciMove::from_chess960(theirs),
    };
    mv(&uci.to_string())
}

fn fen_of(chess: &Chess) -> String {
    Fen::from_position(chess, EnPassantMode::Legal).to_string()
}

/// Plays a game by the library and by us, choosing moves by `picks`, and compares everything at every move.
fn compare(mut theirs: Chess, variant: Variant, picks: &[u16]) {
    let mut position = Position::from_fen(&fen_of(&theirs), variant).unwrap();
    for pick in picks {
        assert_eq!(position.full_fen(), fen_of(&theirs));
        let legal = theirs.legal_moves();
        let mut expected: Vec<Move> = legal.iter().map(|&m| ours(m, variant)).collect();
        let mut found = position.legal_moves();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{position:?}");
        assert_eq!(position.is_checkmate(), theirs.is_checkmate());
        assert_eq!(position.is_stalemate(), theirs.is_stalemate());
        assert_eq!(position.is_check(position.turn()), theirs.is_check());
        let Some(&chosen) = legal.get(usize::from(*pick) % legal.len().max(1)) else {
            return;
        };
        let ours = ours(chosen, variant);
        let san = position.san(&ours);
        assert_eq!(san, SanPlus::from_move(theirs.clone(), chosen).to_string());
        assert_eq!(position.parse_san(&san), Ok(ours));
        position = position.play_unchecked(&ours, position.turn());
        theirs = theirs.play(chosen).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_random_game_goes_as_the_library_plays_it(picks in prop::collection::vec(any::<u16>(), 0..160)) {
        compare(Chess::default(), Variant::Standard, &picks);
    }

    #[test]
    fn a_random_chess960_game_goes_as_the_library_plays_it(
        number in 0..960_u32,
        picks in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        let mut setup = shakmaty::Setup::initial();
        setup.board = shakmaty::Board::chess960(number);
        setup.castling_rights = setup.board.rooks();
        compare(setup.position(CastlingMode::Chess960).unwrap(), Variant::Chess960, &picks);
    }

}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_move_between_any_squares_is_legal_exactly_if_it_is_listed(picks in prop::collection::vec(any::<u16>(), 0..80)) {
        let mut position = Position::initial();
        for pick in picks {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            position = position.play(&legal[usize::from(pick) % legal.len()]).unwrap();
        }
        let legal = position.legal_moves();
        for from in Square::all() {
            for to in Square::all().filter(|&to| to != from) {
                for promotion in [None, Some(Role::Queen), Some(Role::Knight)] {
                    let mv = Move { from, to, promotion };
                    prop_assert_eq!(position.why_illegal(&mv, position.turn()).is_none(), legal.contains(&mv), "{}", mv);
                    // Whatever it is, it can be played and written down.
                    let after = position.play_unchecked(&mv, position.turn());
                    let text = String::from(after.clone());
                    prop_assert_eq!(Position::try_from(text).unwrap(), after);
                }
            }
        }
    }
}

#[test]
fn as_many_moves_as_the_rules_give() {
    fn perft(position: &Position, depth: u32) -> u64 {
        let moves = position.legal_moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .iter()
            .map(|mv| perft(&position.play_unchecked(mv, position.turn()), depth - 1))
            .sum()
    }
    let crowded = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_eq!(perft(&at(crowded), 3), 97_862);
    assert_eq!(perft(&at("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"), 4), 43_238);
}

#[test]
fn an_illegal_move_moves_the_piece_and_takes_what_stands_there() {
    let position = at("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1");
    assert_eq!(
        position.play_unchecked(&mv("a1e2"), Color::White).fen4(),
        "4k3/8/8/8/8/8/4R3/4K2R b K -"
    );
    let king_taken = at("4k3/8/8/8/8/8/8/K3R3 w - - 0 1").play_unchecked(&mv("e1e8"), Color::White);
    assert_eq!(king_taken.fen4(), "4R3/8/8/8/8/8/8/K7 b - -");
    assert!(!king_taken.is_check(Color::Black) && king_taken.king_of(Color::Black).is_none());
    let wrong_side = Position::initial().play_unchecked(&mv("e7e5"), Color::Black);
    assert_eq!(
        wrong_side.fen4(),
        "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    );
    let own_piece = Position::initial().play_unchecked(&mv("d1d2"), Color::White);
    assert_eq!(own_piece.fen4(), "rnbqkbnr/pppppppp/8/8/8/8/PPPQPPPP/RNB1KBNR b KQkq -");
}

#[test]
fn an_illegal_castling_moves_the_king_alone_and_a_legal_one_takes_the_rook_along() {
    let attacked = at("r3k2r/8/8/8/8/5r2/8/R3K2R w KQkq - 0 1");
    assert_eq!(
        attacked.play_unchecked(&mv("e1g1"), Color::White).fen4(),
        "r3k2r/8/8/8/8/5r2/8/R5KR b kq -"
    );
    assert_eq!(
        attacked.play_unchecked(&mv("e1c1"), Color::White).fen4(),
        "r3k2r/8/8/8/8/5r2/8/2KR3R b kq -"
    );
}

#[test]
fn a_pawn_without_its_piece_waits_on_its_last_rank() {
    let after = at("4r3/3P2k1/8/8/8/8/8/3K4 w - - 0 1").play_unchecked(&mv("d7e8"), Color::White);
    assert_eq!(after.fen4(), "4P3/6k1/8/8/8/8/8/3K4 b - -");
    assert_eq!(after.unpromoted_pawn(), Some("e8".parse().unwrap()));
    let queen = Piece {
        color: Color::White,
        role: Role::Queen,
    };
    assert_eq!(
        after.with_piece("e8".parse().unwrap(), Some(queen)).fen4(),
        "4Q3/6k1/8/8/8/8/8/3K4 b - -"
    );
    assert!(after.legal_moves().iter().all(|mv| mv.promotion.is_none()));
}

#[test]
fn both_kings_can_stand_in_check() {
    let position = at("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1").play_unchecked(&mv("a1a8"), Color::White);
    assert!(position.both_kings_in_check());
}

#[test]
fn chess960_castling_is_the_king_onto_his_rook_and_a_step_is_a_step() {
    let side = |fen| Position::from_fen(fen, Variant::Chess960).unwrap();
    let changed = side("bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1");
    assert_eq!(changed.san(&mv("f1g1")), "O-O");
    assert_eq!(
        changed.play(&mv("f1g1")).unwrap().placement().to_string(),
        "bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRRKB"
    );
    let step = side("bqnnrk1r/pppppppp/6b1/8/8/6B1/PPPPPPPP/BQNNRK1R w KQkq - 0 1");
    assert_eq!(step.san(&mv("f1g1")), "Kg1");
    assert_eq!(step.san(&mv("f1h1")), "O-O");
    assert_eq!(
        step.play(&mv("f1g1")).unwrap().fen4(),
        "bqnnrk1r/pppppppp/6b1/8/8/6B1/PPPPPPPP/BQNNR1KR b kq -"
    );
    let far = side("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert_eq!(far.canonical(&mv("e1g1")), Some(mv("e1h1")));
}

#[test]
fn the_reason_names_what_an_arbiter_looks_for() {
    let why = |fen: &str, text: &str| at(fen).why_illegal(&mv(text), at(fen).turn()).unwrap().to_string();
    assert_eq!(
        why("k3r3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a3"),
        "the king on e1 stays in check from Re8"
    );
    assert_eq!(
        why("4k3/8/8/8/1b6/8/3R4/4K3 w - - 0 1", "d2d8"),
        "the rook on d2 is pinned by Bb4"
    );
    assert_eq!(
        why("4k3/8/8/8/8/8/8/4K2r w - - 0 1", "e1f1"),
        "the king goes into check on f1 from Rh1"
    );
    assert_eq!(
        why("5r1k/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        "castling through f1, which is attacked from f8"
    );
    assert_eq!(
        why("4r2k/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        "castling out of check from e8"
    );
    assert_eq!(
        why("6rk/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
        "castling into check on g1 from g8"
    );
    assert_eq!(
        why("7k/8/8/8/8/8/8/4KB1R w K - 0 1", "e1g1"),
        "castling over the piece on f1"
    );
    assert!(why("7k/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1").starts_with("no castling to g1"));
    assert_eq!(
        why("7k/8/8/8/8/8/8/N3K3 w - - 0 1", "a1a3"),
        "a knight does not go to a3 from there"
    );
    assert_eq!(
        why("7k/8/8/8/8/P7/8/R3K3 w - - 0 1", "a1a5"),
        "the rook is blocked by the pawn on a3"
    );
    assert_eq!(
        why("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8"),
        "the pawn on a8 was not exchanged for a piece"
    );
    assert_eq!(
        why("7k/8/8/8/8/8/8/R3K3 w - - 0 1", "h8h7"),
        "the king on h8 is Black's"
    );
    let twice = Position::initial()
        .play(&mv("e2e4"))
        .unwrap()
        .why_illegal(&mv("d2d4"), Color::White);
    assert_eq!(twice, Some(Illegality::NotHisTurn { by: Color::White }));
}

#[test]
fn notation_is_read_with_more_or_less_detail_than_needed() {
    let position = at("k7/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    for text in ["Ra1d1", "Rad1", "a1d1"] {
        assert_eq!(position.parse_san(text), Ok(mv("a1d1")), "{text}");
    }
    assert_eq!(position.parse_san("O-O"), Ok(mv("e1g1")));
    assert!(matches!(position.parse_san("Rb8"), Err(BadSan::NotLegal(_))));
    assert!(matches!(position.parse_san("castles"), Err(BadSan::NoNotation(_))));
    let two = at("k7/8/8/8/8/8/8/R3K2R w - - 0 1");
    assert!(two.parse_san("Rf1").is_ok());
    assert!(matches!(
        at("k7/8/8/8/8/R7/8/R3K3 w - - 0 1").parse_san("Ra2"),
        Err(BadSan::Ambiguous(_))
    ));
}
