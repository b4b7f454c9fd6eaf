//! How long a game takes for one input: a press with its move, and a change on the board; and for a flood of late ones.

use flagfall::chess::{Color, Move, Position};
use flagfall::game::input::{Act, Deed, Fact, Happening, Origin};
use flagfall::game::{Game, GameSetup, Input};
use flagfall::time::{HallTime, Millis};

fn main() {
    divan::main();
}

fn input(at: i64, what: Happening) -> Input {
    let origin = Origin::Device {
        device: "table".to_owned(),
        boot: 1,
        seq: at,
        bar: Some(Millis::ZERO),
    };
    Input {
        at: HallTime(at),
        heard: HallTime(at),
        origin,
        what,
    }
}

fn started() -> Game {
    let mut game = Game::new(GameSetup::default());
    let start = Act {
        revision: None,
        reason: String::new(),
        what: Deed::Start,
    };
    game.take(&input(0, Happening::Act(start))).expect("it starts");
    game
}

/// A game after so many half-moves, settled, with what the board tells of the next move.
fn after(plies: usize) -> (Game, Vec<Fact>, Color, i64) {
    let (mut game, mut at) = (started(), 0);
    loop {
        let position = game.state().position().clone();
        let moves = position.legal_moves();
        let mv = moves[(game.state().record.len() * 7 + 3) % moves.len()];
        let (facts, by) = (board(&position, &mv), position.turn());
        if game.state().record.len() == plies {
            return (game, facts, by, at);
        }
        for what in facts.into_iter().chain([Fact::Pressed { by }]) {
            at += 500;
            game.take(&input(at, Happening::Fact(what))).expect("it is taken");
        }
        game.take(&input(at, Happening::Settled { through: HallTime(at) }))
            .expect("it settles");
    }
}

fn board(position: &Position, mv: &Move) -> Vec<Fact> {
    let (before, after) = (
        position.placement(),
        position.play_unchecked(mv, position.turn()).placement(),
    );
    let lifted = before.differences(&after).filter(|square| before.at(*square).is_some());
    let put = before
        .differences(&after)
        .filter_map(|square| Some((square, after.at(square)?)));
    let puts = put.map(|(square, piece)| Fact::Put {
        square,
        piece: Some((piece.color, piece.role)),
    });
    lifted.map(|square| Fact::Lifted { square }).chain(puts).collect()
}

#[divan::bench(args = [0, 40, 100])]
fn a_press_with_its_move(bencher: divan::Bencher<'_, '_>, plies: usize) {
    let (mut game, facts, by, at) = after(plies);
    for what in facts {
        game.take(&input(at + 100, Happening::Fact(what))).expect("it is taken");
    }
    let press = input(at + 500, Happening::Fact(Fact::Pressed { by }));
    bencher.bench(|| game.clone().take(&press));
}

#[divan::bench(args = [0, 40, 100])]
fn a_change_on_the_board(bencher: divan::Bencher<'_, '_>, plies: usize) {
    let (game, facts, _, at) = after(plies);
    let lift = input(at + 100, Happening::Fact(facts[0].clone()));
    bencher.bench(|| game.clone().take(&lift));
}

/// The board was cut off for so many half-moves: the clock's presses are here, all of the board's reports come now.
fn late(plies: usize) -> (Game, Vec<Input>) {
    let from = |device: &str, at: i64, heard: i64, what: Happening| Input {
        heard: HallTime(heard),
        origin: Origin::Device {
            device: device.to_owned(),
            boot: 1,
            seq: at,
            bar: Some(Millis(10)),
        },
        ..input(at, what)
    };
    let mut game = started();
    let (mut position, mut late, mut at) = (game.state().position().as_ref().clone(), Vec::new(), 0);
    for ply in 0..plies {
        let moves = position.legal_moves();
        let Some(mv) = moves.get((ply * 7 + 3) % moves.len().max(1)) else {
            break;
        };
        for fact in board(&position, mv) {
            at += 500;
            late.push(from("board", at, 10_000_000, Happening::Fact(fact)));
        }
        at += 500;
        let press = Fact::Pressed { by: position.turn() };
        game.take(&from("clock", at, at, Happening::Fact(press)))
            .expect("it is taken");
        position = position.play_unchecked(mv, position.turn());
    }
    (game, late)
}

/// One by one: what is put before something that was taken already has all of that taken again; no more than 512 steps are kept to go
/// back to.
#[divan::bench(args = [4, 16, 64], sample_count = 3, sample_size = 1)]
fn late_reports_of_a_board_one_by_one(bencher: divan::Bencher<'_, '_>, plies: usize) {
    let (game, late) = late(plies);
    bencher.bench(|| {
        let mut game = game.clone();
        for report in &late {
            game.take(report).expect("it is taken");
        }
        game
    });
}

/// As a shard takes them: those that wait together in one run.
#[divan::bench(args = [4, 16, 64, 150], sample_count = 5, sample_size = 1)]
fn late_reports_of_a_board_together(bencher: divan::Bencher<'_, '_>, plies: usize) {
    let (game, late) = late(plies);
    bencher.bench(|| {
        let mut game = game.clone();
        game.take_late(&late).expect("they are taken");
        game
    });
}
