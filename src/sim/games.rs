//! The games that come with Flagfall: a few dozen real ones, for the demo and for tests.

use std::io;

use super::pgn::{self, Score};

/// Their files; `tests/games/README.md` says where they are from.
const FILES: [(&str, &[u8]); 4] = [
    ("rapid.pgn", include_bytes!("../../tests/games/rapid.pgn")),
    ("blitz.pgn", include_bytes!("../../tests/games/blitz.pgn")),
    ("classical.pgn", include_bytes!("../../tests/games/classical.pgn")),
    ("second-round.pgn", include_bytes!("../../tests/games/second-round.pgn")),
];

/// All of them.
pub fn all() -> io::Result<Vec<Score>> {
    let mut games = Vec::new();
    for (name, text) in FILES {
        games.extend(pgn::read(name, text)?);
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use shakmaty::{Color, Move, Square};

    use super::*;
    use crate::sim::plan::{Ending, Game, plan};

    fn of<'a>(games: &'a [Game], file: &str, round: &str, white: &str) -> &'a Game {
        games
            .iter()
            .find(|game| game.source.starts_with(file) && game.round == round && game.white.name.starts_with(white))
            .expect("is among the games")
    }

    #[test]
    fn every_game_is_told_its_control_and_planned_as_its_readme_says() {
        let games = plan(&all().expect("reads"), 1);
        assert_eq!(games.len(), 42);
        let controls: BTreeSet<String> = games.iter().map(|game| game.control.notation()).collect();
        assert_eq!(
            controls.into_iter().collect::<Vec<_>>(),
            ["10m+10s", "15m+10s", "40/90m+30s,30m+30s", "5m+3s"]
        );
        let ending = |file, round, white| of(&games, file, round, white).ending.clone();
        assert_eq!(ending("classical", "1.1", "Abu"), Ending::OnTheBoard("checkmate"));
        assert_eq!(ending("rapid", "4.7", "Subelj"), Ending::OnTheBoard("checkmate"));
        assert_eq!(ending("rapid", "5.5", "Brkic"), Ending::OnTheBoard("dead-position"));
        assert!(matches!(
            ending("rapid", "4.8", "Lashkin"),
            Ending::Flag { late: Some(_), .. }
        ));
        assert!(matches!(
            ending("blitz", "7.4", "Oro"),
            Ending::Flag { late: Some(_), .. }
        ));
        assert_eq!(ending("classical", "1.21", "Mandizha"), Ending::Unplayed);
        assert_eq!(of(&games, "classical", "1.14", "Svane").turns.len(), 1);
        // Phantom kings are no moves; a king that was pressed there is one.
        let phantom = of(&games, "second", "9.10", "Lodici");
        assert_eq!((phantom.turns.len(), phantom.kings.len()), (86, 2));
        assert_eq!(phantom.turns[85].san, "Bd6");
        let legal = of(&games, "classical", "1.28", "Mendonca");
        assert_eq!(
            (legal.turns.len(), legal.kings.clone()),
            (98, vec![(Color::White, Square::E4)])
        );
        assert_eq!(
            of(&games, "classical", "1.19", "Manon")
                .turns
                .last()
                .map(|turn| turn.san.starts_with('K')),
            Some(true)
        );
        let calls = |game: &Game| game.turns.iter().filter(|turn| turn.call.is_some()).count();
        assert_eq!(calls(of(&games, "rapid", "4.1", "Kavin")), 2);
        assert!(games.iter().map(calls).sum::<usize>() < 10);
    }

    #[test]
    fn among_them_is_every_kind_of_move() {
        let games = plan(&all().expect("reads"), 1);
        let moves: Vec<Move> = games.iter().flat_map(|game| &game.turns).map(|turn| turn.mv).collect();
        assert!(moves.iter().any(|mv| mv.is_en_passant()));
        assert!(
            moves
                .iter()
                .any(|mv| mv.castling_side().is_some_and(|side| side.is_king_side()))
        );
        assert!(
            moves
                .iter()
                .any(|mv| mv.castling_side().is_some_and(|side| side.is_queen_side()))
        );
        assert!(
            moves
                .iter()
                .any(|mv| mv.promotion().is_some_and(|role| role != shakmaty::Role::Queen))
        );
        assert!(moves.iter().any(|mv| mv.promotion() == Some(shakmaty::Role::Queen)));
    }
}
