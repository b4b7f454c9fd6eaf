//! The reading: which moves explain the picture.

use std::cell::Cell;

use super::picture::{Board, Seen, Squares, meaningful};
use super::{Change, Ply, Reading, Sensor, single};
use crate::chess::{Color, Move, Position, Role, Square};

/// So many half-moves may stand on the board that no press has committed.
const DEEPEST: usize = 4;
/// So many positions are looked at for one picture: some milliseconds at worst, where a board was knocked over and nothing explains it.
/// Four half-moves that were made one after the other take some dozens.
const POSITIONS: u32 = 2_000;
/// And so many at a change of the board that no press has followed yet.
const POSITIONS_AT_A_GLANCE: u32 = 200;
/// So many changes after a player's move may be his opponent's beginning of a reply.
const BEGINNING_OF_A_REPLY: usize = 6;

impl Sensor {
    /// Which moves since `position` explain the picture; `mover` is who presses, or whose time runs.
    pub fn reading(&self, position: &Position, mover: Color) -> Reading {
        self.read(position, mover, POSITIONS)
    }

    /// The same with less effort, for a picture that is about to change again: several moves that are hard to tell are not told.
    pub fn glance(&self, position: &Position, mover: Color) -> Reading {
        self.read(position, mover, POSITIONS_AT_A_GLANCE)
    }

    fn read(&self, position: &Position, mover: Color, positions: u32) -> Reading {
        if let Some(winner) = kings_in_centre(&self.board, &self.changes, position) {
            return Reading::KingsInCentre { winner };
        }
        let left = Cell::new(positions);
        let whole = Glimpse {
            board: self.board.clone(),
            changes: &self.changes,
            left: &left,
        };
        if whole.board.shows(position) {
            return match whole.castling_on_the_spot(position) {
                Some(ply) => Reading::Moves {
                    plies: vec![ply],
                    in_hand: Vec::new(),
                },
                None => whole.out_and_home(position).unwrap_or(Reading::NoChange),
            };
        }
        self.explained(&whole, position, mover)
            .unwrap_or_else(|| Reading::Disagrees {
                squares: self.board.differences(position),
            })
    }

    fn explained(&self, whole: &Glimpse<'_>, position: &Position, mover: Color) -> Option<Reading> {
        let moves = |plies, in_hand| Some(Reading::Moves { plies, in_hand });
        if let Some(plies) = whole.seen(position) {
            return moves(plies, Vec::new());
        }
        // A reply that has only begun is its player's business, judged at his own press. Who presses without having the move has made it.
        let prefixes = || self.prefixes(whole);
        let begun = prefixes().filter(|_| mover == position.turn());
        for (glimpse, rest) in begun {
            if let Some(plies) = glimpse.seen(position).filter(|plies| begins_a_reply(plies, rest)) {
                return moves(plies, in_hand(rest));
            }
        }
        if let Some(plies) = whole.legal(position) {
            return moves(plies, Vec::new());
        }
        if let Some(plies) = whole.illegal(position) {
            return moves(plies, Vec::new());
        }
        for (glimpse, rest) in prefixes() {
            if let Some(plies) = glimpse.illegal(position).filter(|plies| begins_a_reply(plies, rest)) {
                // An illegal move that was answered at once.
                let answered = Glimpse {
                    board: whole.board.clone(),
                    changes: rest,
                    left: whole.left,
                };
                let answer = plies.last().and_then(|last| answered.legal(&last.after));
                return match answer {
                    Some(answer) => moves(plies.into_iter().chain(answer).collect(), Vec::new()),
                    None => moves(plies, in_hand(rest)),
                };
            }
        }
        if let Some(ply) = self.pawn_taken_off_its_last_rank(whole, position) {
            return moves(vec![ply], Vec::new());
        }
        let out_of_turn = (mover != position.turn())
            .then(|| single::moved(whole, position, mover))
            .flatten();
        out_of_turn.and_then(|ply| moves(vec![ply], Vec::new()))
    }

    /// Earlier pictures with the changes since, the latest first.
    fn prefixes<'a>(&'a self, whole: &'a Glimpse<'_>) -> impl Iterator<Item = (Glimpse<'a>, &'a [Change])> {
        let all = self.changes.len();
        (1..=BEGINNING_OF_A_REPLY.min(all)).map(move |back| {
            let (changes, rest) = self.changes.split_at(all - back);
            (
                Glimpse {
                    board: whole.board.before(rest),
                    changes,
                    left: whole.left,
                },
                rest,
            )
        })
    }

    /// 7.5.2: the pawn reached its last rank and was taken off, and nothing stands there at the press.
    fn pawn_taken_off_its_last_rank(&self, whole: &Glimpse<'_>, position: &Position) -> Option<Ply> {
        let (last, changes) = self.changes.split_last()?;
        let rank = if position.turn() == Color::White { 7 } else { 0 };
        if last.now != Seen::Empty || last.square.rank() != rank {
            return None;
        }
        let glimpse = Glimpse {
            board: whole.board.before(&self.changes[changes.len()..]),
            changes,
            left: whole.left,
        };
        let ply = match glimpse.legal(position) {
            // What an occupancy board saw there may have been the pawn or the piece.
            Some(mut plies) if plies.len() == 1 && plies[0].promotion_unconfirmed => plies.remove(0),
            Some(_) => return None,
            None => single::moved(&glimpse, position, position.turn())?,
        };
        let mv = Move {
            promotion: None,
            ..ply.mv
        };
        (mv.to == last.square)
            .then(|| single::ply(position, mv, position.turn()))
            .filter(|ply| matches!(ply.illegal, Some(crate::chess::Illegality::NotPromoted { .. })))
    }
}

/// Whether what happened after these moves began with the opponent's hand on a piece of his own, or on what he may capture.
fn begins_a_reply(plies: &[Ply], rest: &[Change]) -> bool {
    let (Some(last), Some(first)) = (plies.last(), rest.first()) else {
        return false;
    };
    let color_at = |square| last.after.piece_at(square).map(|piece| piece.color);
    let opponent = Some(last.by.other());
    let lifted = |change: &Change| change.now == Seen::Empty;
    let own = lifted(first) && color_at(first.square) == opponent;
    // He takes off what he captures first, but never what has just been moved there and goes on.
    let capture_first = lifted(first)
        && first.square != last.mv.to
        && rest
            .iter()
            .skip(1)
            .any(|change| lifted(change) && color_at(change.square) == opponent);
    own || capture_first
}

/// The squares of changes that left something missing.
fn in_hand(rest: &[Change]) -> Vec<Square> {
    let mut squares: Vec<Square> = Vec::new();
    for change in rest {
        squares.retain(|&square| square != change.square);
        if change.now == Seen::Empty {
            squares.push(change.square);
        }
    }
    squares
}

/// A picture and how it came about.
pub(super) struct Glimpse<'a> {
    pub board: Board,
    pub changes: &'a [Change],
    /// How many positions may still be looked at.
    left: &'a Cell<u32>,
}

impl Glimpse<'_> {
    /// The fewest legal moves that explain the picture.
    fn legal(&self, position: &Position) -> Option<Vec<Ply>> {
        self.fewest(position, |chains| self.choose(chains))
    }

    /// The same, where each of several moves was seen to be made in its turn: a piece in the hand of who replies has captured
    /// nothing yet.
    fn seen(&self, position: &Position) -> Option<Vec<Ply>> {
        self.fewest(position, |chains| self.only_in_order(&chains))
    }

    fn fewest(&self, position: &Position, choose: impl Fn(Vec<Vec<Ply>>) -> Option<Vec<Ply>>) -> Option<Vec<Ply>> {
        if let Some(ply) = self.one_legal(position) {
            return Some(vec![ply]);
        }
        let touched = self.touched(position);
        if touched.len() > 24 {
            return None;
        }
        (2..=DEEPEST).find_map(|depth| choose(self.chains(position, depth, touched)?))
    }

    fn one_legal(&self, position: &Position) -> Option<Ply> {
        let fits: Vec<Move> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| self.board.shows(&position.play_unchecked(mv, position.turn())))
            .collect();
        let mv = self.most_likely(position, &fits)?;
        let unconfirmed = mv.promotion.is_some() && fits.iter().filter(|fit| same_way(fit, &mv)).count() > 1;
        Some(Ply {
            promotion_unconfirmed: unconfirmed,
            ..single::ply(position, mv, position.turn())
        })
    }

    /// Of legal moves that look the same, the one whose squares the changes touch; `None` if that does not tell.
    fn most_likely(&self, position: &Position, fits: &[Move]) -> Option<Move> {
        let fits: Vec<Move> = fits
            .iter()
            .filter(|mv| matches!(mv.promotion, None | Some(Role::Queen)) || fits.len() == 1)
            .copied()
            .collect();
        let [first, rest @ ..] = fits.as_slice() else {
            return None;
        };
        if rest.is_empty() {
            return Some(*first);
        }
        let touched = meaningful(self.changes);
        let likeness = |mv: &Move| {
            let involved = involved(position, mv);
            involved.and(touched).len() - involved.without(touched).len()
        };
        let best = fits.iter().map(likeness).max()?;
        let mut likely = fits.iter().filter(|mv| likeness(mv) == best);
        let one = likely.next()?;
        if likely.next().is_none() {
            return Some(*one);
        }
        // Two captured squares were in the air: the piece stands where something was put down last.
        let last = self
            .changes
            .iter()
            .rev()
            .find(|change| change.now != Seen::Empty)?
            .square;
        let mut there = fits.iter().filter(|mv| likeness(mv) == best && mv.to == last);
        there.next().filter(|_| there.next().is_none()).copied()
    }

    /// Squares that changed at some time, or look different now.
    fn touched(&self, position: &Position) -> Squares {
        self.changes
            .iter()
            .map(|change| change.square)
            .chain(self.board.differences(position))
            // Nobody sees what is touched there.
            .chain(Square::all().filter(|&square| self.board.at(square) == Seen::Masked))
            .collect()
    }

    /// All sequences of `depth` legal moves over touched squares only that end in the picture; `None` where they are too many to look
    /// at.
    fn chains(&self, position: &Position, depth: usize, touched: Squares) -> Option<Vec<Vec<Ply>>> {
        let mut found = Vec::new();
        self.follow(position, depth, touched, &mut Vec::new(), &mut found)?;
        Some(found)
    }

    fn follow(
        &self,
        at: &Position,
        depth: usize,
        touched: Squares,
        line: &mut Vec<Ply>,
        found: &mut Vec<Vec<Ply>>,
    ) -> Option<()> {
        let within = |mv: &Move| touched.contains(mv.from) && touched.contains(mv.to);
        for mv in at.legal_moves_where(within) {
            if matches!(mv.promotion, Some(Role::Rook | Role::Bishop | Role::Knight)) && self.untold(mv.to) {
                continue;
            }
            if involved(at, &mv).without(touched).len() > 0 {
                continue;
            }
            self.left.set(self.left.get().checked_sub(1)?);
            let after = at.play_unchecked(&mv, at.turn());
            // A move changes three squares at most, castling four, and each side castles once.
            let most = (4 * (depth - 1)).min(3 * (depth - 1) + 2);
            if self.board.differs_more(&after, most) {
                continue;
            }
            line.push(Ply {
                by: at.turn(),
                mv,
                after: after.clone(),
                illegal: None,
                promotion_unconfirmed: mv.promotion.is_some() && self.untold(mv.to),
            });
            if depth > 1 {
                self.follow(&after, depth - 1, touched, line, found)?;
            } else {
                found.push(line.clone());
            }
            line.pop();
        }
        Some(())
    }

    fn untold(&self, square: Square) -> bool {
        self.board.at(square) == Seen::Taken
    }

    /// The one sequence whose pieces were lifted in its order; else the only one there is.
    fn choose(&self, mut chains: Vec<Vec<Ply>>) -> Option<Vec<Ply>> {
        let ordered = chains.iter().filter(|chain| self.in_order(chain)).count();
        match ordered {
            0 if chains.len() == 1 => chains.pop(),
            _ => self.only_in_order(&chains),
        }
    }

    /// The one sequence whose pieces were lifted in its order.
    fn only_in_order(&self, chains: &[Vec<Ply>]) -> Option<Vec<Ply>> {
        let mut ordered = chains.iter().filter(|chain| self.in_order(chain));
        ordered.next().filter(|_| ordered.next().is_none()).cloned()
    }

    /// Whether each move's piece was lifted no earlier than that of the move before, and put down where the move says: one putting
    /// down is one move's only.
    fn in_order(&self, chain: &[Ply]) -> bool {
        let mut from = 0;
        let mut puts: Vec<usize> = Vec::new();
        for ply in chain {
            // What was put down tells one promotion from another, though the piece may be gone again.
            let placed = ply.after.piece_at(ply.mv.to);
            let fits = |change: &Change, square: Square| change.batch >= from && change.square == square;
            let lifted = self
                .changes
                .iter()
                .position(|change| fits(change, ply.mv.from) && change.now == Seen::Empty);
            let put = (0..self.changes.len()).find(|index| {
                let change = &self.changes[*index];
                let shown = match change.now {
                    Seen::Empty | Seen::Masked => false,
                    Seen::Taken => true,
                    Seen::Piece(piece) => placed.is_none_or(|placed| placed == piece),
                };
                shown && fits(change, ply.mv.to) && !puts.contains(index)
            });
            let (Some(lifted), Some(put)) = (lifted, put) else {
                return false;
            };
            puts.push(put);
            from = self.changes[lifted].batch + 1;
        }
        true
    }

    /// Chess960 on a board that sees only taken squares: king and rook that change places leave the picture as it was. Both were in
    /// the air at once.
    fn castling_on_the_spot(&self, position: &Position) -> Option<Ply> {
        let lifted: Squares = self
            .changes
            .iter()
            .filter(|c| c.now == Seen::Empty)
            .map(|c| c.square)
            .collect();
        let touched = meaningful(self.changes);
        let mv = position.legal_moves().into_iter().find(|mv| {
            position.castling_squares(mv).is_some_and(|squares| {
                let both = squares
                    .iter()
                    .all(|(from, _)| lifted.contains(*from) && touched.contains(*from));
                both && self.untold(mv.from) && self.board.shows(&position.play_unchecked(mv, position.turn()))
            })
        })?;
        Some(single::ply(position, mv, position.turn()))
    }

    /// The picture is that of the position of record again, and yet both sides have moved: out and home, unpressed.
    fn out_and_home(&self, position: &Position) -> Option<Reading> {
        let touched = meaningful(self.changes);
        let moved_by = |color| {
            Square::all()
                .filter(|&square| touched.contains(square))
                .any(|square| position.piece_at(square).is_some_and(|piece| piece.color == color))
        };
        if !Color::BOTH.into_iter().all(moved_by) || self.touched(position).len() > 24 {
            return None;
        }
        let mut chains = self.chains(position, 4, self.touched(position))?;
        chains.retain(|chain| self.in_order(chain));
        let plies = chains.pop().filter(|_| chains.is_empty())?;
        Some(Reading::Moves {
            plies,
            in_hand: Vec::new(),
        })
    }

    /// One illegal move of the side that has the move.
    fn illegal(&self, position: &Position) -> Option<Vec<Ply>> {
        single::moved(self, position, position.turn()).map(|ply| vec![ply])
    }
}

/// The same but for the promoted piece.
fn same_way(a: &Move, b: &Move) -> bool {
    a.from == b.from && a.to == b.to
}

/// All squares on which a legal move lifts or puts something.
fn involved(position: &Position, mv: &Move) -> Squares {
    let squares: Vec<Square> = match position.castling_squares(mv) {
        Some(both) => both.iter().flat_map(|(from, to)| [*from, *to]).collect(),
        None => [Some(mv.from), Some(mv.to), position.captured_by(mv)]
            .into_iter()
            .flatten()
            .collect(),
    };
    squares.into_iter().collect()
}

/// Whether both kings stand on d4, e4, d5, e5, and whom that makes the winner. Any two of these squares are neighbours, so no legal
/// position looks like that.
fn kings_in_centre(board: &Board, changes: &[Change], position: &Position) -> Option<Option<Color>> {
    let centre: Vec<Square> = Square::all()
        .filter(|sq| matches!(sq.file(), 3 | 4) && matches!(sq.rank(), 3 | 4))
        .collect();
    let told = |color| {
        let king = Seen::Piece((color, Role::King).into());
        centre.iter().copied().find(|&square| board.at(square) == king)
    };
    let squares = match (told(Color::White), told(Color::Black)) {
        (Some(white), Some(black)) => (white, black),
        _ => kings_put_unseen(board, changes, position, &centre)?,
    };
    Some(match (squares.0.is_light(), squares.1.is_light()) {
        (true, true) => Some(Color::White),
        (false, false) => Some(Color::Black),
        _ => None,
    })
}

/// On a board that sees only taken squares: both kings left their squares for good, and the last two things put down stand on two
/// squares of the centre.
fn kings_put_unseen(
    board: &Board,
    changes: &[Change],
    position: &Position,
    centre: &[Square],
) -> Option<(Square, Square)> {
    let mut first_lift = usize::MAX;
    for color in Color::BOTH {
        let king = position.king_of(color)?;
        let lifted = changes
            .iter()
            .position(|change| change.square == king && change.now == Seen::Empty)?;
        first_lift = first_lift.min(lifted);
        if board.at(king) != Seen::Empty && !centre.contains(&king) {
            return None;
        }
    }
    let put = changes[first_lift..]
        .iter()
        .rev()
        .filter(|change| change.now == Seen::Taken);
    let mut squares: Vec<Square> = Vec::new();
    for change in put {
        if board.at(change.square) == Seen::Taken && !squares.contains(&change.square) {
            squares.push(change.square);
        }
    }
    match squares.as_slice() {
        [a, b] if centre.contains(a) && centre.contains(b) => Some((*a, *b)),
        _ => None,
    }
}
