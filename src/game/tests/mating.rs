//! What the game itself cannot decide about a mate (6.9, 5.2.2, 5.1.2) is asked outside, and the answer belongs to its move.

use super::*;
use crate::chess::mates::{Bound, fuller};
use crate::game::input::Fact;

/// White's flag leaves a draw: all 5,573 positions that can still arise are without mate, more than a game looks at.
const WALLED_IN: &str = "1k6/1b5p/5p1P/5p1K/5Pp1/6P1/8/8 w - - 0 1";
/// Black's flag loses: White mates in ten moves, found after more positions than a game looks at.
const FAR_MATE: &str = "1k6/1P1p3p/BP3p2/1P5p/8/3P4/5PKP/8 b - - 0 1";
/// Dead after 1.Bd2, which takes 37,292 positions to see.
const DEAD: &str = "2b1k3/1p6/pPp5/p1Pp4/P1pP4/1pP5/pP6/K1B5 w - - 0 1";

/// A game from a position, and what its events alone make of it.
struct Played {
    game: Game,
    replayed: Game,
    seq: i64,
}

impl Played {
    fn from(fen: &str) -> Played {
        let setup = GameSetup {
            fen: Some(fen.to_owned()),
            ..GameSetup::default()
        };
        let mut played = Played {
            game: Game::new(setup.clone()),
            replayed: Game::new(setup),
            seq: 0,
        };
        played.take(&act(0, Deed::Start));
        played
    }

    fn take(&mut self, input: &Input) {
        let events = self.game.take(input).expect("it is taken");
        for event in &events {
            self.replayed.fold(event).expect("it can be replayed");
        }
        assert!(
            self.game == self.replayed,
            "a replay comes out otherwise after {input:?}"
        );
    }

    fn tell(&mut self, at: i64, what: Fact) {
        self.seq += 1;
        self.take(&fact(at, self.seq, what));
    }

    fn plays(&mut self, at: i64, mv: &str) {
        let by = self.game.state().position().turn();
        self.tell(at, Fact::Moved { by, mv: mv.to_owned() });
        self.tell(at, Fact::Pressed { by });
    }

    /// The flag of whoever is on move falls, and all of it has been heard.
    fn flag(&mut self) -> i64 {
        let at = 3 * 3_600_000;
        self.take(&alarm(at));
        self.take(&settled(at));
        at
    }

    /// The full answer to everything that is asked.
    fn answer(&mut self, heard: i64) {
        let questions = self.game.questions();
        assert!(!questions.is_empty());
        for question in questions {
            let verdict = fuller(&question.position, question.winner, Bound::WORKER);
            self.hear(heard, &question, question.answered(&verdict));
        }
    }

    fn hear(&mut self, heard: i64, question: &Question, answer: Fact) {
        self.take(&Input {
            at: question.at,
            heard: HallTime(heard),
            origin: Origin::Hub,
            what: Happening::Fact(answer),
        });
    }

    fn only_item(&self) -> audience::Item {
        let mut items = self.game.arbiter_view(HallTime(0)).items;
        assert_eq!(items.len(), 1, "{items:?}");
        items.remove(0)
    }
}

fn evidence<'a>(item: &'a audience::Item, what: &str) -> Option<&'a str> {
    let found = item.evidence.iter().find(|(key, _)| key == what);
    found.map(|(_, value)| value.as_str())
}

#[test]
fn an_undecided_flag_is_proposed_by_the_material_and_the_answer_makes_it_a_draw() {
    let mut played = Played::from(WALLED_IN);
    let at = played.flag();
    let item = played.only_item();
    assert!(
        item.proposal.contains("0-1") && item.proposal.contains("undecided"),
        "{}",
        item.proposal
    );
    assert_eq!(evidence(&item, "mate"), Some("undecided; by the material alone it can"));
    assert_eq!(evidence(&item, "fuller search"), Some("has been asked"));
    let asked = played.game.questions();
    assert_eq!(
        asked.iter().map(|asked| asked.winner).collect::<Vec<_>>(),
        [Color::Black]
    );

    played.answer(at + 900);
    let decided = played.only_item();
    assert_eq!(decided.number, item.number);
    assert!(
        decided.revision > item.revision,
        "what an arbiter has not seen he cannot confirm"
    );
    assert!(decided.proposal.contains("1/2-1/2"), "{}", decided.proposal);
    let why = evidence(&decided, "mate").expect("why");
    assert!(why.starts_with("cannot mate: none of the "), "{why}");
    assert!(played.game.questions().is_empty());
}

#[test]
fn a_mate_that_is_far_away_is_shown_move_by_move() {
    let mut played = Played::from(FAR_MATE);
    let at = played.flag();
    played.answer(at + 900);
    let item = played.only_item();
    assert!(
        item.proposal.contains("1-0") && !item.proposal.contains("undecided"),
        "{}",
        item.proposal
    );
    let line = evidence(&item, "mating line").expect("a line");
    let from = evidence(&item, "mate from").expect("a position");
    let start = Position::from_fen(from, crate::chess::Variant::Standard).expect("a position");
    let end = line.split(' ').fold(start, |at, mv| {
        at.play(&mv.parse::<Move>().expect("a move")).expect("a legal move")
    });
    assert!(end.is_checkmate() && end.turn() == Color::Black, "{line}");
}

#[test]
fn what_was_given_up_stays_undecided_and_is_not_asked_again() {
    let mut played = Played::from(WALLED_IN);
    let at = played.flag();
    let question = played.game.questions().remove(0);
    let answer = question.given_up("given up after 20 s");
    played.hear(at + 20_000, &question, answer);
    assert!(played.game.questions().is_empty());
    let item = played.only_item();
    assert!(item.proposal.contains("undecided"), "{}", item.proposal);
    let told = evidence(&item, "fuller search").expect("told");
    assert_eq!(told, "undecided, given up after 20 s; by the material alone it can");
}

#[test]
fn the_regulations_carry_nothing_out_by_the_material_alone() {
    let setup = GameSetup {
        enforcement: Enforcement::all(crate::laws::Enforced::Automatic),
        ..GameSetup::default()
    };
    let mut played = Played::from(WALLED_IN);
    let setup = GameSetup {
        fen: Some(WALLED_IN.to_owned()),
        ..setup
    };
    (played.game, played.replayed) = (Game::new(setup.clone()), Game::new(setup));
    played.take(&act(0, Deed::Start));
    let at = played.flag();
    assert_eq!(played.game.result(), None);
    played.answer(at + 900);
    assert_eq!(
        played.game.result(),
        Some(GameResult::Draw),
        "it is decided, and carried out"
    );
}

#[test]
fn a_position_found_dead_later_ended_the_game_at_its_move() {
    for settles in [false, true] {
        let mut played = Played::from(DEAD);
        played.plays(10_000, "c1d2");
        let asked = played.game.questions();
        assert!(
            !asked.is_empty() && asked.iter().all(|asked| asked.at == HallTime(10_000)),
            "{asked:?}"
        );
        played.plays(20_000, "e8d8");
        played.plays(30_000, "d2e3");
        if settles {
            played.take(&settled(40_000));
        }
        assert_eq!(played.game.result(), None);
        played.answer(45_000);
        let ending = played.game.state().ending.clone().expect("over");
        assert_eq!(
            (ending.result, ending.termination),
            (GameResult::Draw, crate::laws::Termination::DeadPosition)
        );
        assert_eq!(ending.at, HallTime(10_000), "settled: {settles}");
        assert_eq!(
            played.game.state().record.len(),
            1,
            "what was played after it is no part of the game"
        );
        played.take(&act(50_000, Deed::Reopen));
        assert_eq!(played.game.state().record.len(), 1 + 2 * usize::from(settles));
    }
}

#[test]
fn what_is_unwinnable_stays_so_until_a_position_is_restored() {
    let mut played = Played::from(DEAD);
    played.plays(10_000, "c1d2");
    let white = played
        .game
        .questions()
        .into_iter()
        .find(|asked| asked.winner == Color::White)
        .expect("asked of White");
    let answer = white.answered(&fuller(&white.position, Color::White, Bound::WORKER));
    played.hear(15_000, &white, answer);
    played.plays(20_000, "e8d8");
    let asks = |played: &Played, of| {
        played
            .game
            .questions()
            .iter()
            .filter(|asked| asked.winner == of)
            .count()
    };
    assert_eq!((asks(&played, Color::White), asks(&played, Color::Black)), (0, 2));
    let fen = "4k3/1p1b4/pPp5/p1Pp4/P1pP4/1pP5/pP6/K1B5 w - - 0 1";
    played.take(&act(
        25_000,
        Deed::Restore {
            to: Restoration::Fen(fen.to_owned()),
        },
    ));
    played.take(&act(26_000, Deed::Resume));
    played.plays(30_000, "c1d2");
    assert_eq!(asks(&played, Color::White), 1, "another position is another question");
}

#[test]
fn a_resignation_drew_where_it_turns_out_that_the_opponent_could_not_mate() {
    let mut played = Played::from(WALLED_IN);
    played.tell(10_000, Fact::Resigned { by: Color::White });
    assert_eq!(played.game.result(), Some(GameResult::BlackWins), "until it is known");
    played.take(&settled(60_000));
    played.answer(70_000);
    let ending = played.game.state().ending.clone().expect("over");
    let drawn = (GameResult::Draw, crate::laws::Termination::ResignationNoMate);
    assert_eq!((ending.result, ending.termination), drawn);
}

#[test]
fn an_answer_after_the_ruling_changes_nothing_and_an_arbiter_is_told() {
    let mut played = Played::from(WALLED_IN);
    let at = played.flag();
    let question = played.game.questions().remove(0);
    played.take(&act(
        at + 1_000,
        Deed::Confirm {
            item: None,
            promotion: None,
        },
    ));
    played.take(&settled(at + 2_000));
    let verdict = fuller(&question.position, question.winner, Bound::WORKER);
    played.hear(at + 3_000, &question, question.answered(&verdict));
    assert_eq!(played.game.result(), Some(GameResult::BlackWins));
    assert_eq!(played.only_item().kind, "late-news");
}
