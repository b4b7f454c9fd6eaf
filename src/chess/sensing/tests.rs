use proptest::prelude::*;

use super::*;
use crate::chess::{Role, Variant};

fn position(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Standard).unwrap()
}

fn chess960(fen: &str) -> Position {
    Position::from_fen(fen, Variant::Chess960).unwrap()
}

/// `-e2` lifts, `+e4P` puts; an occupancy board does not hear the letter.
fn feel(sensor: &mut Sensor, script: &str) {
    for word in script.split_whitespace() {
        let square: Square = word[1..3].parse().unwrap();
        match word.split_at(1).0 {
            "-" => sensor.lift(square),
            _ => sensor.put(square, word[3..].chars().next().and_then(Piece::from_letter)),
        }
    }
}

fn read(kind: Kind, position: &Position, script: &str, mover: Color) -> Reading {
    let mut sensor = Sensor::new(kind, position);
    feel(&mut sensor, script);
    let copy: Sensor = serde_json::from_str(&serde_json::to_string(&sensor).unwrap()).unwrap();
    assert_eq!(copy, sensor, "a sensor survives a checkpoint");
    sensor.reading(position, mover)
}

/// The moves that both kinds of board tell, SAN or from-to.
fn moves(position: &Position, reading: Reading) -> String {
    let Reading::Moves { plies, .. } = reading else {
        return format!("{reading:?}");
    };
    let mut at = position.clone();
    let mut names = Vec::new();
    for ply in plies {
        names.push(if ply.illegal.is_some() {
            ply.mv.from_to()
        } else {
            at.san(&ply.mv)
        });
        at = ply.after;
    }
    names.join(" ")
}

fn both(position: &Position, script: &str, expected: &str) {
    for kind in [Kind::Pieces, Kind::Occupancy] {
        let reading = read(kind, position, script, position.turn());
        assert_eq!(moves(position, reading), expected, "{kind:?}");
    }
}

const KING_IN_CHECK: &str = "k3r3/8/8/8/8/8/P7/4K3 w - - 0 1";

#[test]
fn a_move_is_read_in_any_order_of_the_scan() {
    let start = Position::initial();
    both(&start, "-e2 +e4P", "e4");
    both(&start, "+e4P -e2", "e4");
    both(&start, "-g1 +f3N", "Nf3");
}

#[test]
fn what_was_adjusted_is_no_move() {
    let start = Position::initial();
    for kind in [Kind::Pieces, Kind::Occupancy] {
        let reading = read(kind, &start, "-e1 -f1 +f1B +e1K", Color::White);
        assert_eq!(reading, Reading::NoChange);
    }
    let opened = position("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    both(&opened, "-e4 -d5 +d5p +e4P -b1 +c3N", "Nc3");
    both(
        &position("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
        "-g1 +f3N -h1 -e1 -f1 +e1K +h1R +f1B",
        "Nf3",
    );
}

#[test]
fn a_piece_that_slides_stands_where_it_stands_at_the_press() {
    let opened = position("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    both(&opened, "-f1 +e2B -e2 +d3B -d3 +b5B", "Bb5");
    let mating = position("6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1");
    both(&mating, "-d1 +d8Q", "Qd8#");
    both(&mating, "-d1 +d8Q -d8 +d7Q", "Qd7");
}

#[test]
fn captures_are_read_whichever_piece_goes_first() {
    let forked = position("6k1/8/2p1p3/8/3N4/8/5PPP/6K1 w - - 0 1");
    both(&forked, "-d4 -e6 +e6N", "Nxe6");
    both(&forked, "-e6 -d4 +e6N", "Nxe6");
    both(&forked, "-c6 +c6p -d4 -e6 +e6N", "Nxe6");
    both(&forked, "-d4 +e6N", "Nxe6");
    let alone = position("6k1/8/4p3/8/3N4/8/5PPP/6K1 w - - 0 1");
    assert_eq!(
        moves(&alone, read(Kind::Occupancy, &alone, "-d4", Color::White)),
        "Nxe6"
    );
    let untold = read(Kind::Occupancy, &forked, "-d4", Color::White);
    assert!(
        matches!(untold, Reading::Disagrees { .. }),
        "two captures look the same: not guessed"
    );
}

#[test]
fn castling_is_read_either_way_round() {
    let ready = position("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP1QPPP/R3K2R w KQkq - 0 1");
    both(&ready, "-e1 -a1 +d1R +c1K", "O-O-O");
    both(&ready, "-e1 +g1K -h1 +f1R", "O-O");
    both(&ready, "-h1 +f1R -e1 +g1K", "O-O");
    both(&ready, "-h1 +f1R", "Rf1");
}

#[test]
fn a_king_two_squares_away_with_his_rook_at_home_is_unfinished() {
    let ready = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    for kind in [Kind::Pieces, Kind::Occupancy] {
        let Reading::Moves { plies, .. } = read(kind, &ready, "-e1 +g1K", Color::White) else {
            panic!("a move")
        };
        assert_eq!(
            plies[0].illegal,
            Some(Illegality::RookNotMoved {
                rook: "h1".parse().unwrap()
            })
        );
        assert_eq!(plies[0].after.fen4(), "4k3/8/8/8/8/8/8/6KR b - -");
    }
}

#[test]
fn an_illegal_castling_has_moved_the_rook_as_well() {
    let attacked = position("4kr2/8/8/8/8/8/8/4K2R w K - 0 1");
    for kind in [Kind::Pieces, Kind::Occupancy] {
        let Reading::Moves { plies, .. } = read(kind, &attacked, "-e1 +g1K -h1 +f1R", Color::White) else {
            panic!("a move")
        };
        assert!(
            matches!(plies[0].illegal, Some(Illegality::CastlingThroughCheck { .. })),
            "{plies:?}"
        );
        assert_eq!(plies[0].after.fen4(), "4kr2/8/8/8/8/8/8/5RK1 b - -");
    }
}

#[test]
fn chess960_castling_needs_the_rook_and_a_step_is_a_step() {
    let beside = chess960("bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1");
    both(&beside, "-f1 -g1 +f1R +g1K", "O-O");
    let step = chess960("bqnnrk1r/pppppppp/6b1/8/8/6B1/PPPPPPPP/BQNNRK1R w KQkq - 0 1");
    both(&step, "-f1 +g1K", "Kg1");
    both(&step, "-f1 +g1K -h1 +f1R", "O-O");
    both(&step, "-h1 +g1R", "Rg1");
}

#[test]
fn en_passant_is_read_whichever_pawn_goes_first() {
    let chance = position("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    both(&chance, "-e4 -d4 +e3p", "dxe3");
    both(&chance, "-d4 +e3p -e4", "dxe3");
    for kind in [Kind::Pieces, Kind::Occupancy] {
        let Reading::Moves { plies, .. } = read(kind, &chance, "-d4 +e3p", Color::Black) else {
            panic!("a move")
        };
        assert_eq!(
            plies[0].illegal,
            Some(Illegality::CapturedPawnStays {
                square: "e4".parse().unwrap()
            })
        );
    }
    let too_late = position("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
    let Reading::Moves { plies, .. } = read(Kind::Pieces, &too_late, "-d4 +e3p -e4", Color::Black) else {
        panic!("a move")
    };
    assert!(matches!(plies[0].illegal, Some(Illegality::NothingToCapture { .. })));
    assert_eq!(plies[0].after.placement().to_string(), "4k3/8/8/8/8/4p3/8/4K3");
}

#[test]
fn a_promotion_is_told_by_pieces_and_a_queen_unconfirmed_otherwise() {
    let ready = position("4r3/3P2k1/8/8/8/8/8/3K4 w - - 0 1");
    let told = read(Kind::Pieces, &ready, "-e8 -d7 +e8R", Color::White);
    assert_eq!(moves(&ready, told), "dxe8=R");
    let Reading::Moves { plies, .. } = read(Kind::Occupancy, &ready, "-e8 -d7 +e8", Color::White) else {
        panic!("a move")
    };
    assert_eq!(plies[0].mv.to_string(), "d7e8q");
    assert!(plies[0].promotion_unconfirmed);
    let uncoded = read(Kind::Pieces, &ready, "-e8 -d7 +e8", Color::White);
    assert!(
        matches!(&uncoded, Reading::Moves { plies, .. } if plies[0].promotion_unconfirmed),
        "{uncoded:?}"
    );
}

#[test]
fn a_pawn_left_on_its_last_rank_or_taken_off_there_is_not_promoted() {
    let ready = position("8/3P3k/8/8/8/8/5r2/K2Q4 w - - 0 1");
    let square = "d8".parse().unwrap();
    for (kind, script) in [
        (Kind::Pieces, "-d7 +d8P"),
        (Kind::Pieces, "-d7 +d8P -d8"),
        (Kind::Occupancy, "-d7 +d8 -d8"),
    ] {
        let Reading::Moves { plies, .. } = read(kind, &ready, script, Color::White) else {
            panic!("a move: {script}")
        };
        assert_eq!(plies[0].illegal, Some(Illegality::NotPromoted { square }), "{script}");
        assert_eq!(plies[0].after.placement().to_string(), "3P4/7k/8/8/8/8/5r2/K2Q4");
    }
    assert_eq!(
        moves(&ready, read(Kind::Pieces, &ready, "-d7 +d8P -d8 +d8R", Color::White)),
        "d8=R"
    );
}

#[test]
fn an_illegal_move_is_a_move_with_its_reason() {
    let checked = position(KING_IN_CHECK);
    both(&checked, "-a2 +a3P", "a2-a3");
    both(&checked, "-a2 +a3P -a3 +a2P -e1 +d2K", "Kd2");
    let rook = position("1R6/8/5k2/8/8/8/8/4K3 w - - 0 1");
    both(&rook, "-b8 +e5R", "b8-e5");
    let taken = position("4k3/8/8/3p4/8/8/8/3NK3 w - - 0 1");
    both(&taken, "-d5 -d1 +d5N", "d1-d5");
    let king = position("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1");
    both(&king, "-e7 -e8 +e8R", "e7-e8");
}

#[test]
fn an_enemy_piece_taken_off_along_with_a_move_makes_it_illegal() {
    let Reading::Moves { plies, .. } = read(Kind::Pieces, &Position::initial(), "-d7 -e2 +e4P", Color::White) else {
        panic!("a move")
    };
    assert!(matches!(plies[0].illegal, Some(Illegality::TookOff { .. })));
}

#[test]
fn any_other_picture_disagrees() {
    let start = Position::initial();
    for kind in [Kind::Pieces, Kind::Occupancy] {
        for script in ["-e2 +e4P -d2 +d3P", "-e2", "-e2 +e4P +e5P", "-e2 +e4P -g1"] {
            let reading = read(kind, &start, script, Color::White);
            assert!(
                matches!(reading, Reading::Disagrees { .. }),
                "{kind:?} {script} {reading:?}"
            );
        }
    }
    let mended = read(
        Kind::Pieces,
        &start,
        "-e2 +e4P -d2 +d3P -d3 +d2P -e7 +e5p",
        Color::Black,
    );
    assert_eq!(moves(&start, mended), "e4 e5");
}

#[test]
fn replies_before_the_press_are_read_in_turn() {
    let start = Position::initial();
    both(&start, "-e2 +e4P -e7 +e5p", "e4 e5");
    both(&start, "-e2 +e4P -e7 +e5p -g1 +f3N", "e4 e5 Nf3");
    both(&start, "-e2 +e4P -d7 +d5p -e4 -d5 +d5P", "e4 d5 exd5");
    both(&start, "-g1 +f3N -g8 +f6n -f3 +g1N", "Nf3 Nf6 Ng1");
    both(&start, "-g1 +f3N -g8 +f6n -f3 +g1N -f6 +g8n", "Nf3 Nf6 Ng1 Ng8");
    let recapture = position("4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1");
    both(&recapture, "-f3 -e5 +e5N -e5 -d6 +e5p", "Nxe5 dxe5");
}

#[test]
fn a_reply_in_the_air_does_not_spoil_the_move_before_the_press() {
    let start = Position::initial();
    for kind in [Kind::Pieces, Kind::Occupancy] {
        let Reading::Moves { plies, in_hand } = read(kind, &start, "-e2 +e4P -e7", Color::White) else {
            panic!("a move")
        };
        assert_eq!((plies.len(), plies[0].mv.to_string().as_str()), (1, "e2e4"));
        assert_eq!(in_hand, ["e7".parse().unwrap()]);
    }
    let recapture = position("4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1");
    both(&recapture, "-f3 -e5 +e5N -d6 -e5", "Nxe5");
    both(&position(KING_IN_CHECK), "-a2 +a3P -e8", "a2-a3");
    both(&position(KING_IN_CHECK), "-a2 +a3P -e8 +d8r", "a2-a3 Rd8");
}

#[test]
fn kings_in_the_middle_are_a_sign_and_no_move() {
    let far = position("6k1/r4pp1/7p/8/8/7P/5PP1/6K1 w - - 0 3");
    let near = position("8/5pp1/4k2p/8/8/4K2P/5PP1/8 w - - 0 3");
    for kind in [Kind::Pieces, Kind::Occupancy] {
        let sign = |position, script| read(kind, position, script, Color::White);
        let black = Reading::KingsInCentre {
            winner: Some(Color::Black),
        };
        assert_eq!(sign(&far, "-g1 +d4K -g8 +e5k"), black);
        let white = Reading::KingsInCentre {
            winner: Some(Color::White),
        };
        assert_eq!(sign(&near, "-e3 +e4K -e6 +d5k -f2 -g2"), white);
        assert_eq!(
            sign(&near, "-e3 +e4K -e6 +d4k"),
            Reading::KingsInCentre { winner: None }
        );
        assert_eq!(moves(&near, sign(&near, "-e3 +e4K")), "Ke4");
    }
}

#[test]
fn a_lift_is_a_touch_unless_the_piece_is_put_back() {
    for kind in [Kind::Pieces, Kind::Occupancy] {
        let start = Position::initial();
        let mut sensor = Sensor::new(kind, &start);
        feel(&mut sensor, "-d2 +d2P -h1 -g1 +h1R +f3N");
        let squares: Vec<String> = sensor
            .touched(&start)
            .iter()
            .map(|(square, _)| square.to_string())
            .collect();
        assert!(
            squares.contains(&"g1".to_owned()) && !squares.contains(&"d2".to_owned()),
            "{squares:?}"
        );
        let after = start.play(&"g1f3".parse().unwrap()).unwrap();
        sensor.settle(&after);
        assert!(sensor.touched(&after).is_empty() && sensor.agrees_with(&after));
    }
}

#[test]
fn what_the_opponent_has_begun_outlives_the_settling() {
    let start = Position::initial();
    let after = start.play(&"e2e4".parse().unwrap()).unwrap();
    for kind in [Kind::Pieces, Kind::Occupancy] {
        let mut sensor = Sensor::new(kind, &start);
        feel(&mut sensor, "-e2 +e4P -e7");
        sensor.settle(&after);
        assert_eq!(sensor.touched(&after).len(), 1);
        feel(&mut sensor, "+e5p");
        assert_eq!(moves(&after, sensor.reading(&after, Color::Black)), "e5");
    }
}

#[test]
fn whole_pictures_are_read_like_lifts_and_puts() {
    let start = Position::initial();
    for kind in [Kind::Pieces, Kind::Occupancy] {
        let mut sensor = Sensor::new(kind, &start);
        let after = start.play(&"e2e4".parse().unwrap()).unwrap();
        sensor.place(&match kind {
            Kind::Pieces => Picture::Pieces(after.placement()),
            Kind::Occupancy => Picture::Occupancy(after.placement().occupancy()),
        });
        assert_eq!(moves(&start, sensor.reading(&start, Color::White)), "e4");
        assert!(sensor.agrees_with(&after));
    }
}

#[test]
fn a_piece_adjusted_before_the_press_was_judged_is_in_the_hand() {
    let position = Position::initial().play(&"g2g3".parse().unwrap()).unwrap();
    both(&position, "-d7 +d5p -g3", "d5");
    both(&position, "-d7 +d5p -g3 +g3P", "d5");
    both(&position, "-d7 +d5p -g3 +g3P -g1", "d5");
    both(&position, "-d7 -g3 +g3P +d5p", "d5");
}

#[test]
fn a_promoted_piece_that_was_captured_at_once_is_known_by_what_was_put_down() {
    let fen = "2rqkb1r/pbp1n1PR/2n2p2/1p1pp3/8/3P1P2/PPP1P1P1/RNBQKBN1 w Qk - 0 10";
    let position = Position::from_fen(fen, crate::chess::Variant::Standard).unwrap();
    let reading = read(Kind::Pieces, &position, "-g7 -f8 +f8B -h8 -f8 +f8r", Color::White);
    assert_eq!(moves(&position, reading), "gxf8=B Rxf8");
}

/// What a hand does for a legal move, as single changes that keep physical order but are otherwise shuffled by `order`.
fn changes_of(position: &Position, mv: &Move, order: u64, swap: bool) -> Vec<(Square, Option<Piece>)> {
    let after = position.play_unchecked(mv, position.turn());
    let squares: Vec<Square> = Square::all()
        .filter(|&square| position.piece_at(square) != after.piece_at(square))
        .collect();
    let mut lifts: Vec<(Square, Option<Piece>)> = Vec::new();
    let mut puts = Vec::new();
    for square in squares {
        // A captured square may never read empty, but an occupancy board then must see a change elsewhere.
        let captured = after.piece_at(square).is_some()
            && position
                .piece_at(square)
                .is_some_and(|piece| piece.color != position.turn());
        if position.piece_at(square).is_some() && !(swap && captured) {
            lifts.push((square, None));
        }
        if let Some(piece) = after.piece_at(square) {
            puts.push((square, Some(piece)));
        }
    }
    let mut changes: Vec<(Square, Option<Piece>)> = Vec::new();
    let mut seed = order;
    while !lifts.is_empty() || !puts.is_empty() {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let pick = (seed >> 33) as usize;
        // Of king and rook, neither stands anywhere before it was taken up: a scan may mix up the order of one piece's squares, but
        // two pieces that pass each other are two movements of the hand.
        let in_hand = |piece: &Option<Piece>| {
            let up = |(square, _): &(Square, Option<Piece>)| position.piece_at(*square) != *piece;
            position.castling_squares(mv).is_none() || lifts.iter().all(up)
        };
        let free: Vec<usize> = (0..puts.len())
            .filter(|&i| lifts.iter().all(|(square, _)| *square != puts[i].0) && in_hand(&puts[i].1))
            .collect();
        if !lifts.is_empty() && (free.is_empty() || !pick.is_multiple_of(3)) {
            changes.push(lifts.remove(pick % lifts.len()));
        } else {
            changes.push(puts.remove(free[pick % free.len()]));
        }
    }
    changes
}

fn sense(sensor: &mut Sensor, changes: &[(Square, Option<Piece>)]) {
    for &(square, piece) in changes {
        match piece {
            None => sensor.lift(square),
            Some(piece) => sensor.put(square, Some(piece)),
        }
    }
}

/// Plays a random game; at every position every legal move is sensed on a board of its own.
fn every_move_is_read(mut at: Position, picks: &[u64]) {
    for &pick in picks {
        let legal = at.legal_moves();
        for (index, mv) in legal.iter().enumerate() {
            for kind in [Kind::Pieces, Kind::Occupancy] {
                let swap = pick.is_multiple_of(2);
                let mut sensor = Sensor::new(kind, &at);
                sense(&mut sensor, &changes_of(&at, mv, pick ^ index as u64, swap));
                let Reading::Moves { plies, in_hand } = sensor.reading(&at, at.turn()) else {
                    panic!("{kind:?} {at:?} {mv} {:?}", sensor.reading(&at, at.turn()))
                };
                let seen = match kind {
                    Kind::Occupancy if mv.promotion.is_some() => mv.promoting(Role::Queen),
                    _ => *mv,
                };
                assert_eq!(
                    plies.iter().map(|ply| ply.mv).collect::<Vec<_>>(),
                    [seen],
                    "{kind:?} {at:?} {mv}"
                );
                assert!(in_hand.is_empty() && plies[0].illegal.is_none());
                assert_eq!(
                    plies[0].promotion_unconfirmed,
                    kind == Kind::Occupancy && mv.promotion.is_some()
                );
            }
        }
        let Some(mv) = legal.get(pick as usize % legal.len().max(1)) else {
            return;
        };
        at = at.play_unchecked(mv, at.turn());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_legal_move_of_a_random_game_is_read_in_any_order(picks in prop::collection::vec(any::<u64>(), 40..90)) {
        every_move_is_read(Position::initial(), &picks);
    }

    #[test]
    fn every_legal_move_of_a_random_chess960_game_is_read(
        number in 0..960_u32,
        picks in prop::collection::vec(any::<u64>(), 10..50),
    ) {
        let board = shakmaty::Board::chess960(number);
        let fen = format!("{} w KQkq - 0 1", board.board_fen());
        every_move_is_read(chess960(&fen), &picks);
    }

    #[test]
    fn unpressed_answers_are_read_in_turn(picks in prop::collection::vec(any::<u64>(), 60..120), deep in 2..=3_usize) {
        let mut at = Position::initial();
        for chunk in picks.chunks(deep) {
            let mut sensor = Sensor::new(Kind::Pieces, &at);
            let (mut next, mut line) = (at.clone(), Vec::new());
            for &pick in chunk {
                let legal = next.legal_moves();
                let Some(mv) = legal.get(pick as usize % legal.len().max(1)) else { break };
                sense(&mut sensor, &changes_of(&next, mv, pick, false));
                line.push(*mv);
                next = next.play_unchecked(mv, next.turn());
            }
            if let Reading::Moves { plies, .. } = sensor.reading(&at, at.turn()) {
                let last = plies.last().map(|ply| ply.after.placement());
                prop_assert_eq!(last, Some(next.placement()), "{:?} {:?} {:?}", at, line, plies);
            } else if next.placement() != at.placement() {
                prop_assert!(false, "{:?} {:?} {:?}", at, line, sensor.reading(&at, at.turn()));
            }
            at = next;
        }
    }
}
