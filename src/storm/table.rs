//! The truth at one table: what stands on the board, who has moved what, and what the players are about to do.

use std::collections::VecDeque;

use shakmaty::{Board, CastlingMode, Chess, Color, Move, Piece, Position as _, Role, Square};

use super::chance::Chance;
use super::plan::Play;

/// What a hand does.
#[derive(Clone, Debug)]
pub(super) enum Hand {
    /// A square is empty now, or has this.
    Touch(Square, Option<Piece>),
    /// The lever.
    Press,
}

/// A half-move that was completed.
#[derive(Clone, Debug)]
pub(super) struct Ply {
    pub uci: String,
    /// What the mover's clock showed after the press.
    pub shown: i64,
    pub legal: bool,
}

/// One table.
pub(super) struct Table {
    pub number: u32,
    pub clock: usize,
    pub board: usize,
    pub white_side: usize,
    pub turned: bool,
    plays: VecDeque<Play>,
    pub chess: Chess,
    /// What stands there.
    pub pieces: Board,
    pub record: Vec<Ply>,
    /// What is being done, each so long after the one before.
    pub hands: VecDeque<(i64, Hand)>,
    moving: Option<(Move, bool, String)>,
    /// The hands of before do not go on.
    pub token: u64,
    /// A hand is due.
    pub moving_on: bool,
    /// Whose flag fell.
    pub fell: Option<Color>,
    /// Every flag that has fallen: one before a ruling that gave its player time is a fact all the same.
    pub fallen: Vec<Color>,
    /// Who has completed an illegal move that is not ruled on.
    pub offender: Option<Color>,
    /// His move has not been found, and an arbiter is asked what stands on the board, since then.
    pub puzzled: Option<i64>,
    /// Every illegal move there was: the half-move, from 0, and whose.
    pub offences: Vec<(usize, Color)>,
    /// Players are told to stop; the arbiter enters the result.
    pub finished: bool,
    pub finished_at: i64,
    /// The result that was answered.
    pub result: Option<String>,
    /// Nothing has happened to its clock that hall time has to bridge, or that was done by hand.
    pub exact: bool,
    /// All its reports have come, or will.
    pub whole: bool,
    /// As it was shown last before its end, the devices' times did not tell what stood on its board at a press, and no arbiter had said it.
    pub unordered: bool,
    /// Every device that has served it.
    pub devices: Vec<usize>,
    /// Orders that the clock did not take, and that were done by hand.
    pub by_hand: Vec<u64>,
    /// Its clock stands, and should not, since then.
    pub asleep: Option<i64>,
    /// Both its clocks stand since then, as the hub has it.
    pub standing: Option<i64>,
    /// Clock changes that were answered as done.
    pub granted: Vec<Granted>,
    /// For so long the hub could have reached its clock.
    pub reached: i64,
    /// How long that was when the result was known.
    pub result_at: i64,
}

/// A change of its clock that an arbiter was told to be done.
#[derive(Clone, Copy, Debug)]
pub struct Granted {
    /// Where it stands in the journal.
    pub position: u64,
    /// When, by the time for which the clock could be reached.
    pub reached: i64,
    /// White's and Black's.
    pub by: [i64; 2],
    /// Of a game that was over.
    pub after_the_end: bool,
}

impl Table {
    pub fn new(number: u32, clock: usize, board: usize, white_side: usize, turned: bool, plays: &[Play]) -> Table {
        let chess = Chess::default();
        Table {
            number,
            clock,
            board,
            white_side,
            turned,
            plays: plays.iter().cloned().collect(),
            pieces: chess.board().clone(),
            chess,
            record: Vec::new(),
            hands: VecDeque::new(),
            moving: None,
            token: 0,
            moving_on: false,
            fell: None,
            fallen: Vec::new(),
            offender: None,
            puzzled: None,
            offences: Vec::new(),
            finished: false,
            result: None,
            exact: true,
            whole: true,
            unordered: false,
            by_hand: Vec::new(),
            asleep: None,
            standing: None,
            finished_at: 0,
            devices: if clock == board {
                vec![clock]
            } else {
                vec![clock, board]
            },
            granted: Vec::new(),
            reached: 0,
            result_at: 0,
        }
    }

    pub fn side(&self, color: Color) -> usize {
        if color == Color::White {
            self.white_side
        } else {
            1 - self.white_side
        }
    }

    pub fn color(&self, side: usize) -> Color {
        Color::from_white(side == self.white_side)
    }

    /// White's and Black's, from left and right.
    pub fn by_color<T: Copy>(&self, sides: [T; 2]) -> [T; 2] {
        [sides[self.white_side], sides[1 - self.white_side]]
    }

    /// What the board's device calls this square.
    pub fn seen_as(&self, square: Square) -> Square {
        if self.turned { square.rotate_180() } else { square }
    }

    /// The picture in the board's own coordinates.
    pub fn picture(&self, tells_pieces: bool) -> String {
        let mut picture = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let square = Square::from_coords(shakmaty::File::new(file), shakmaty::Rank::new(rank));
                match self.pieces.piece_at(self.seen_as(square)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            picture.push_str(&empty.to_string());
                            empty = 0;
                        }
                        picture.push(if tells_pieces { piece.char() } else { 'x' });
                    }
                }
            }
            if empty > 0 {
                picture.push_str(&empty.to_string());
            }
            if rank > 0 {
                picture.push('/');
            }
        }
        picture
    }

    /// The player to move begins his turn.
    pub fn begin_turn(&mut self, tells_pieces: bool) {
        let Some(play) = self.plays.pop_front() else {
            self.finished = true;
            return;
        };
        let mut dice = Chance::new(play.pick);
        let mut legal = self.chess.legal_moves();
        // Which piece it was is not to be seen on a board that does not tell pieces apart.
        legal.retain(|mv| tells_pieces || mv.promotion().is_none_or(|role| role == Role::Queen));
        let wrong = if play.illegal && tells_pieces && self.offences.is_empty() {
            self.wrong_move(&mut dice)
        } else {
            None
        };
        let mv = match wrong.or_else(|| (!legal.is_empty()).then(|| *dice.pick(&legal))) {
            Some(mv) => mv,
            None => {
                self.finished = true;
                return;
            }
        };
        let touches = touches(&self.pieces, mv, self.chess.turn());
        let uci = mv.to_uci(CastlingMode::Standard).to_string();
        let span = (play.think * 6 / 10).min(dice.between(150, 900));
        let each = span / (touches.len() as i64 + 1);
        self.hands.clear();
        let mut wait = play.think - each * (touches.len() as i64);
        for (square, piece) in touches {
            self.hands.push_back((wait, Hand::Touch(square, piece)));
            wait = each;
        }
        self.hands.push_back((wait.max(20), Hand::Press));
        self.moving = Some((mv, wrong.is_none(), uci));
    }

    /// The press that completes the move has been made.
    pub fn completed(&mut self, shown: i64) {
        let Some((mv, legal, uci)) = self.moving.take() else {
            return;
        };
        let by = self.chess.turn();
        if legal {
            self.chess.play_unchecked(mv);
        } else {
            self.offences.push((self.record.len(), by));
            self.offender = Some(by);
        }
        self.record.push(Ply { uci, shown, legal });
    }

    /// What has to be touched to put the right position back.
    pub fn put_back(&mut self) {
        let right = self.chess.board().clone();
        let wrong: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&square| self.pieces.piece_at(square) != right.piece_at(square))
            .collect();
        self.hands.clear();
        for &square in &wrong {
            if self.pieces.piece_at(square).is_some() {
                self.hands.push_back((300, Hand::Touch(square, None)));
            }
        }
        for &square in &wrong {
            if right.piece_at(square).is_some() {
                self.hands.push_back((300, Hand::Touch(square, right.piece_at(square))));
            }
        }
        if self.record.last().is_some_and(|ply| !ply.legal) {
            self.record.pop();
        }
        self.moving = None;
    }

    /// A move of a piece to where it cannot go; nobody's king is touched.
    fn wrong_move(&self, dice: &mut Chance) -> Option<Move> {
        let by = self.chess.turn();
        let legal = self.chess.legal_moves();
        let own: Vec<Square> = self.pieces.by_color(by).into_iter().collect();
        for _ in 0..40 {
            let from = *dice.pick(&own);
            let to = Square::new(dice.below(64) as u32);
            let piece = self.pieces.piece_at(from)?;
            let taken = self.pieces.piece_at(to);
            let can = legal
                .iter()
                .any(|mv| mv.from() == Some(from) && (mv.to() == to || mv.is_castle()));
            let last_rank = to.rank() == shakmaty::Rank::First || to.rank() == shakmaty::Rank::Eighth;
            let bad = taken.is_some_and(|taken| taken.color == by || taken.role == Role::King)
                || piece.role == Role::King
                || (piece.role == Role::Pawn && last_rank)
                || from == to;
            if !can && !bad {
                return Some(Move::Normal {
                    role: piece.role,
                    from,
                    capture: taken.map(|taken| taken.role),
                    to,
                    promotion: None,
                });
            }
        }
        None
    }
}

/// The squares that a move changes, in the order in which hands change them.
fn touches(board: &Board, mv: Move, by: Color) -> Vec<(Square, Option<Piece>)> {
    match mv {
        Move::Castle { king, rook } => {
            let side = if rook.file() > king.file() {
                (shakmaty::File::G, shakmaty::File::F)
            } else {
                (shakmaty::File::C, shakmaty::File::D)
            };
            let on = |file| Square::from_coords(file, king.rank());
            vec![
                (king, None),
                (on(side.0), Some(by.king())),
                (rook, None),
                (on(side.1), Some(by.rook())),
            ]
        }
        Move::EnPassant { from, to } => {
            let taken = Square::from_coords(to.file(), from.rank());
            vec![(from, None), (to, Some(by.pawn())), (taken, None)]
        }
        _ => {
            let Some(from) = mv.from() else { return Vec::new() };
            let piece = mv
                .promotion()
                .map(|role| Piece { color: by, role })
                .or(board.piece_at(from));
            let mut touches = Vec::new();
            if board.piece_at(mv.to()).is_some() {
                touches.push((mv.to(), None));
            }
            touches.push((from, None));
            touches.push((mv.to(), piece));
            touches
        }
    }
}
