use super::*;
use crate::chess::Variant;

fn ask(fen: &str, winner: Color) -> Verdict {
    can_mate(
        &Position::from_fen(fen, Variant::Standard).unwrap(),
        winner,
        Bound::GAME,
    )
}

#[test]
fn bishops_on_one_colour_are_dead_and_on_both_they_are_not() {
    let dead = |fen| is_dead(&Position::from_fen(fen, Variant::Standard).unwrap(), Bound::GAME);
    assert_eq!(dead("5b1k/8/8/8/8/8/1K6/2B5 b - - 0 1"), Some(true));
    assert_eq!(dead("2b4k/8/8/8/8/8/1K6/2B5 b - - 0 1"), Some(false));
    assert_eq!(dead("4N3/8/8/8/8/k7/8/4K3 b - - 0 1"), Some(true));
    assert_eq!(
        dead("4k3/8/8/1p1p1p1p/1P1P1P1P/8/4K3/8 b - - 0 1"),
        Some(true),
        "the wall is closed"
    );
    assert_eq!(
        dead("4k3/8/8/2p1p1p1/2P1P1P1/8/4K3/8 b - - 0 1"),
        Some(false),
        "the kings walk round"
    );
    assert_eq!(
        dead("7k/7P/6qK/8/8/8/8/8 w - - 0 61"),
        Some(true),
        "the only move is stalemate"
    );
}
