//! A board whose moves a person tells, late or not at all.

use super::hall::Hall;
use super::*;

/// What a recorder taps, whole moves in their order; he may be behind the play.
struct Recorder(Position);

impl Recorder {
    fn tells(&mut self, hall: &mut Hall, at: i64, moves: &[&str]) {
        for mv in moves {
            let mv: Move = mv.parse().expect("a move");
            for fact in shown(BoardKind::Pieces, &self.0, &mv, self.0.turn()) {
                hall.tell(at, fact);
            }
            self.0 = self.0.play(&mv).expect("legal");
        }
    }
}

fn hall() -> (Hall, Recorder) {
    let mut hall = Hall::new(GameSetup {
        sensing_lag: Millis::secs(5),
        told_by_hand: true,
        ..GameSetup::default()
    });
    hall.act(0, Deed::Start);
    (hall, Recorder(Position::initial()))
}

fn presses(hall: &mut Hall, presses: &[i64]) {
    for (nth, at) in presses.iter().enumerate() {
        let by = if nth % 2 == 0 { Color::White } else { Color::Black };
        hall.tell(*at, Fact::Pressed { by });
    }
}

fn is_heard(hall: &mut Hall, at: i64) {
    hall.game.take(&settled(at)).expect("it settles");
}

fn made(hall: &Hall) -> Vec<(String, i64)> {
    let view = hall.game.arbiter_view(HallTime(200_000));
    view.moves.iter().map(|mv| (mv.san.clone(), mv.at.0)).collect()
}

#[test]
fn a_recorder_who_is_minutes_behind_accuses_nobody_and_catches_up_with_every_press() {
    let (mut hall, mut recorder) = hall();
    presses(&mut hall, &[10_000, 20_000, 30_000]);
    is_heard(&mut hall, 69_000);
    assert_eq!((hall.moves().as_str(), hall.open().len()), ("", 0));
    // A minute after the first press somebody is asked for the moves.
    is_heard(&mut hall, 71_000);
    assert_eq!(hall.open(), ["moves-missing"]);
    is_heard(&mut hall, 150_000);
    assert_eq!(hall.open(), ["moves-missing"]);
    let running = Some(Color::Black);
    assert_eq!(hall.clocks(150_000).2, running, "presses count meanwhile");
    recorder.tells(&mut hall, 160_000, &["e2e4", "e7e5", "g1f3"]);
    is_heard(&mut hall, 170_000);
    assert_eq!((hall.moves().as_str(), hall.open().len()), ("e4 e5 Nf3", 0));
    let times = [("e4", 10_000), ("e5", 20_000), ("Nf3", 30_000)].map(|(san, at)| (san.to_owned(), at));
    assert_eq!(made(&hall), times);
    // 90 minutes and 30 seconds with each move, the first too: what each used is that of the presses.
    assert_eq!(hall.clocks(30_000), (5_470.0, 5_450.0, running));
}

#[test]
fn a_slip_of_a_late_recorder_can_still_be_put_right() {
    let (mut hall, _) = hall();
    presses(&mut hall, &[10_000]);
    is_heard(&mut hall, 40_000);
    let mut slip = Recorder(Position::initial());
    slip.tells(&mut hall, 50_000, &["e2e3"]);
    for (square, piece) in [("e3", None), ("e2", Some((Color::White, Role::Pawn)))] {
        let square: Square = square.parse().expect("a square");
        match piece {
            None => hall.tell(52_000, Fact::Lifted { square }),
            Some((color, role)) => hall.tell(
                52_000,
                Fact::Put {
                    square,
                    piece: Some((color, role)),
                },
            ),
        }
    }
    Recorder(Position::initial()).tells(&mut hall, 53_000, &["e2e4"]);
    is_heard(&mut hall, 60_000);
    assert_eq!((hall.moves().as_str(), hall.open().len()), ("e4", 0));
}

#[test]
fn an_arbiter_enters_what_the_recorder_has_missed_and_it_gets_its_press() {
    let (mut hall, _) = hall();
    presses(&mut hall, &[10_000, 20_000]);
    is_heard(&mut hall, 85_000);
    assert_eq!(hall.open(), ["moves-missing"]);
    hall.act(90_000, Deed::EnterMove { mv: "e4".to_owned() });
    assert_eq!(hall.open(), ["moves-missing"], "Black's is missing as well");
    hall.act(95_000, Deed::EnterMove { mv: "e5".to_owned() });
    assert_eq!(hall.open(), Vec::<String>::new());
    assert_eq!(made(&hall), [("e4".to_owned(), 10_000), ("e5".to_owned(), 20_000)]);
    assert_eq!(hall.clocks(20_000), (5_450.0, 5_450.0, Some(Color::White)));
}

#[test]
fn a_move_that_was_told_and_is_not_allowed_is_found_all_the_same() {
    let (mut hall, _) = hall();
    presses(&mut hall, &[10_000]);
    let position = Position::initial();
    let mv: Move = "e2e5".parse().expect("a move");
    for fact in shown(BoardKind::Pieces, &position, &mv, Color::White) {
        hall.tell(12_000, fact);
    }
    is_heard(&mut hall, 20_000);
    assert_eq!(hall.open(), ["illegal-move"]);
}
