//! What two hands do with the pieces when a move is made, as the squares see it: in the orders that people use.

use shakmaty::{Board, Color, Move, Piece, Role, Square, attacks};

use super::dice::Dice;

/// One change of one square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// After so much of the turn's running time.
    pub at_ms: i64,
    /// Where.
    pub square: Square,
    /// What stands there now.
    pub now: Option<Piece>,
}

/// The hands of a move, done before the press that comes after `think_ms`. `tells_pieces`: the board does; where it does not, a
/// captured piece is always seen to leave its square.
pub fn of_move(board: &Board, mv: Move, think_ms: i64, tells_pieces: bool, dice: &mut Dice) -> Vec<Touch> {
    let mut steps = Vec::new();
    // An adjusted piece first, now and then, where there is time.
    if think_ms > 6000
        && dice.one_in(25)
        && let Some(mover) = mv.from().and_then(|from| board.piece_at(from))
    {
        let own: Vec<Square> = board.by_color(mover.color).into_iter().collect();
        if let Some(square) = dice.pick(&own) {
            steps.push((square, None));
            steps.push((square, board.piece_at(square)));
        }
    }
    steps.extend(squares(board, mv, tells_pieces, dice));
    spread(&steps, think_ms, dice)
}

/// The hands of a move that comes without a press, over about a second.
pub fn at_leisure(board: &Board, mv: Move, tells_pieces: bool, dice: &mut Dice) -> Vec<Touch> {
    let steps = squares(board, mv, tells_pieces, dice);
    spread(&steps, 1500, dice)
}

/// Kings taken to other squares to show a result; what stands there is taken off first.
pub fn kings(board: &Board, to: &[(Color, Square)], dice: &mut Dice) -> Vec<Touch> {
    let mut board = board.clone();
    let mut steps = Vec::new();
    for &(color, square) in to {
        let Some(from) = board.king_of(color) else { continue };
        if from == square {
            continue;
        }
        if board.piece_at(square).is_some() {
            steps.push((square, None));
        }
        steps.push((from, None));
        steps.push((square, Some(color.king())));
        board.discard_piece_at(from);
        board.set_piece_at(square, color.king());
    }
    spread(&steps, 500 * steps.len() as i64 + 500, dice)
}

type Step = (Square, Option<Piece>);

fn squares(board: &Board, mv: Move, tells_pieces: bool, dice: &mut Dice) -> Vec<Step> {
    match mv {
        Move::Castle { king, rook } => castle(board, king, rook, dice),
        Move::EnPassant { from, to } => {
            let taken = Square::from_coords(to.file(), from.rank());
            let pawn = board.piece_at(from);
            let mut steps = vec![(from, None), (to, pawn)];
            steps.insert(dice.between(0, 2) as usize, (taken, None));
            steps
        }
        Move::Normal {
            role,
            from,
            capture,
            to,
            promotion,
        } => {
            let Some(piece) = board.piece_at(from) else {
                return Vec::new();
            };
            let stands = Piece {
                color: piece.color,
                role: promotion.unwrap_or(role),
            };
            let mut steps = match (capture, dice.between(0, 3)) {
                (None, _) => vec![(from, None), (to, Some(stands))],
                // Straight from one piece to the other: a scan that never saw the square empty.
                (Some(_), 3) if tells_pieces && promotion.is_none() => vec![(from, None), (to, Some(stands))],
                (Some(_), 0) => vec![(from, None), (to, None), (to, Some(stands))],
                (Some(_), _) => vec![(to, None), (from, None), (to, Some(stands))],
            };
            if promotion.is_some() && dice.one_in(2) {
                // The pawn stands on its last rank for a moment.
                let last = steps.len() - 1;
                steps.insert(last, (to, Some(piece)));
                steps.insert(last + 1, (to, None));
            } else if capture.is_none() && matches!(role, Role::Queen | Role::Rook | Role::Bishop) && dice.one_in(6) {
                // Slid over the squares between.
                let way: Vec<Square> = attacks::between(from, to).into_iter().collect();
                let way = if way.first().is_some_and(|first| first.distance(from) > 1) {
                    way.into_iter().rev().collect()
                } else {
                    way
                };
                let seen = way
                    .into_iter()
                    .flat_map(|square| [(square, Some(piece)), (square, None)]);
                steps.splice(1..1, seen);
            } else if capture.is_none() && promotion.is_none() && dice.one_in(12) {
                // The scan tells of the new square before the old.
                steps.swap(0, 1);
            }
            steps
        }
        Move::Put { .. } => Vec::new(),
    }
}

fn castle(board: &Board, king: Square, rook: Square, dice: &mut Dice) -> Vec<Step> {
    let short = king < rook;
    let to = |file| Square::from_coords(file, king.rank());
    let (king_to, rook_to) = match short {
        true => (to(shakmaty::File::G), to(shakmaty::File::F)),
        false => (to(shakmaty::File::C), to(shakmaty::File::D)),
    };
    let (king_piece, rook_piece) = (board.piece_at(king), board.piece_at(rook));
    match dice.between(0, 2) {
        // With one hand, king first (4.1, 4.4.2).
        0 | 1 => vec![(king, None), (king_to, king_piece), (rook, None), (rook_to, rook_piece)],
        // Both up, the king first.
        _ => vec![(king, None), (rook, None), (rook_to, rook_piece), (king_to, king_piece)],
    }
}

/// Spreads steps over the end of a turn: the last one a moment before the press.
fn spread(steps: &[Step], think_ms: i64, dice: &mut Dice) -> Vec<Touch> {
    let count = steps.len() as i64;
    let gap = dice.between(60.min(think_ms / 8), 700.min(think_ms / 4));
    let room = (think_ms - gap).max(0);
    let hand = room.min(count * dice.between(130, 350));
    steps
        .iter()
        .zip(1..)
        .map(|(&(square, now), nth)| Touch {
            at_ms: room - hand + hand * nth / count.max(1),
            square,
            now,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::san::San;
    use shakmaty::{Chess, Position};

    fn after(sans: &[&str]) -> (Board, Move, Board) {
        let mut position = Chess::default();
        let mut last = None;
        for san in sans {
            let mv = san.parse::<San>().expect("san").to_move(&position).expect("legal");
            last = Some((position.board().clone(), mv));
            position.play_unchecked(mv);
        }
        let (before, mv) = last.expect("a move");
        (before, mv, position.board().clone())
    }

    #[test]
    fn whatever_the_order_the_board_ends_as_the_move_leaves_it_and_before_the_press() {
        let games: [&[&str]; 6] = [
            &["e4"],
            &["e4", "d5", "exd5"],
            &["e4", "e5", "Nf3", "Nf6", "Bc4", "Bc5", "O-O"],
            &["d4", "d5", "Nc3", "Nc6", "Bf4", "Bf5", "Qd2", "Qd7", "O-O-O"],
            &["e4", "a6", "e5", "d5", "exd6"],
            &["a4", "b5", "axb5", "a6", "bxa6", "Bb7", "axb7", "Nc6", "bxa8=N"],
        ];
        for game in games {
            let (before, mv, want) = after(game);
            for seed in 0..200 {
                for (think, pieces) in [(90_000, true), (2, true), (300, false), (8_000, false)] {
                    let mut board = before.clone();
                    let mut last = 0;
                    for touch in of_move(&before, mv, think, pieces, &mut Dice::new(seed)) {
                        assert!(touch.at_ms >= last && touch.at_ms <= think, "{game:?} {touch:?}");
                        last = touch.at_ms;
                        board.discard_piece_at(touch.square);
                        if let Some(piece) = touch.now {
                            board.set_piece_at(touch.square, piece);
                        }
                    }
                    assert_eq!(board, want, "{game:?} seed {seed}");
                }
            }
        }
    }

    #[test]
    fn kings_go_to_the_centre_and_what_stood_there_comes_off() {
        let (_, _, board) = after(&["e4", "e5"]);
        let touches = kings(
            &board,
            &[(Color::White, Square::E4), (Color::Black, Square::E5)],
            &mut Dice::new(1),
        );
        let puts: Vec<Square> = touches
            .iter()
            .filter(|touch| touch.now.is_some())
            .map(|touch| touch.square)
            .collect();
        assert_eq!(puts, [Square::E4, Square::E5]);
        assert_eq!(touches.len(), 6);
    }
}
