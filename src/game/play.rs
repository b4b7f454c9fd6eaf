//! Moves and presses (Articles 4.7, 6.2, 7.5): what is made, what is completed, and what that ends or offends against.

use std::sync::Arc;

use super::event::Note;
use super::input::Origin;
use super::item::{Kind, Matter, Offence, OpenItem, Sign};
use super::mating::Dead;
use super::orders::Wanted;
use super::setup::BoardKind;
use super::state::{Board, Ply, Pressed, Standing, Unexplained};
use super::table::{AgainstFlag, Table};
use crate::chess::sensing::Reading;
use crate::chess::{Color, Illegality, Move, Picture, Position, Role, Square};
use crate::laws::open_points::{EnPassantIdentity, FivefoldAndMate, UnpunishedIllegalMoves};
use crate::laws::{Clock, GameResult, Termination};
use crate::time::{HallTime, Millis};

/// So many presses from the wrong side, before any from the right one, are no slip of the hand.
const CONTRARY_PRESSES: u32 = 2;

/// A picture that nothing explains is looked at again when it has stood so long.
const STANDS: Millis = Millis::secs(1);
/// But no later than so long after the press.
const WAITED_FOR: Millis = Millis::secs(4);
/// A person who tells the moves of a board is asked for one that is missing so long after its press.
const TOLD_WITHIN: Millis = Millis::secs(60);

impl Table<'_> {
    /// A move known as such: entered, or a rehearsal's player.
    pub fn moved(&mut self, by: Color, mv: Move) {
        if !self.in_play() || self.s.board_kind(self.setup) == BoardKind::None {
            return;
        }
        self.s.present[by as usize] = true;
        let at = self.s.time;
        while !self.s.waiting.is_empty() && self.in_play() {
            self.judge();
        }
        self.try_to_explain();
        if !self.in_play() {
            return;
        }
        if self.corrects(by) {
            self.correct(by, mv, at);
        } else {
            // A board that does not tell pieces apart has not shown which piece it was.
            let unseen = self.s.board_kind(self.setup) == BoardKind::Occupancy
                && mv.promotion.is_some()
                && self.s.position().why_illegal(&mv, by).is_none();
            let mv = if unseen { mv.promoting(Role::Queen) } else { mv };
            self.made(by, mv, at, unseen);
        }
        self.board_shows_record();
    }

    /// Whether the player has just made a move, not pressed and not answered: what he does now corrects it.
    fn corrects(&self, by: Color) -> bool {
        self.s
            .record
            .last()
            .is_some_and(|last| last.by == by && !last.completed)
            && self.s.record.len() > self.s.base.0
    }

    /// He moves on, or takes back, what he has not completed: both together are one move, or none, or something that no move
    /// explains.
    fn correct(&mut self, by: Color, mv: Move, at: HallTime) {
        let keep = self.s.record.len() - 1;
        let shown = self.s.position().play_unchecked(&mv, by).placement();
        let from = Arc::clone(self.s.position_after(keep));
        self.s.record.truncate(keep);
        let Some(mut board) = Board::showing(BoardKind::Pieces, &from, &self.s.masked) else {
            return;
        };
        let sensor = &mut Arc::make_mut(&mut board).sensor;
        sensor.place(&Picture::Pieces(shown.clone()));
        match sensor.reading(&from, by) {
            Reading::NoChange => {}
            Reading::Moves { plies, .. } if plies.len() == 1 && plies[0].by == by => {
                self.made(by, plies[0].mv, at, false)
            }
            _ => {
                if let Some(board) = &mut self.s.board {
                    let board = Arc::make_mut(board);
                    board.sensor.place(&Picture::Pieces(shown));
                    board.changed = at;
                }
            }
        }
    }

    /// The board's picture is what the record says, unless something else has just been put on it.
    fn board_shows_record(&mut self) {
        let position = Arc::clone(self.s.position());
        let Some(board) = &self.s.board else { return };
        if board.changed < self.s.time && !(board.sensor.agrees_with(&position) && self.s.puzzling.is_none()) {
            self.reset_board();
        }
    }

    /// What a ruling or an entered move sets on the board counts as standing there.
    pub fn reset_board(&mut self) {
        let position = Arc::clone(self.s.position());
        self.s.board = Board::showing(self.s.board_kind(self.setup), &position, &self.s.masked);
        self.s.standing = None;
        self.s.picture_gap = false;
        self.s.behind = false;
        self.s.presses_lost = false;
    }

    /// From now on the board has told nothing of what was touched, until it shows its whole picture. Where that is the one it had, nothing
    /// was touched.
    pub fn board_was_away(&mut self, placement: &str) {
        if self.s.board.is_some() && !self.s.board_shows(placement) {
            self.s.away = Some(self.s.time);
        }
    }

    /// After reports were lost the board has shown its whole picture, and it is that of the record, with the move where the clock has it:
    /// two moves of one player may look like one.
    pub fn has_caught_up(&mut self) {
        let turn = self.s.position().turn();
        let has_the_move = self.s.clock.running().is_none_or(|running| running == turn);
        let agrees = |board: &Arc<Board>| has_the_move && board.sensor.agrees_with(self.s.position());
        let complete = self.s.waiting.is_empty() && !self.s.picture_gap && !self.s.presses_lost;
        if self.s.behind && complete && self.s.board.as_ref().is_some_and(agrees) {
            self.s.behind = false;
        }
    }

    /// A move is made (4.7).
    pub fn made(&mut self, by: Color, mv: Move, at: HallTime, unconfirmed: bool) {
        self.made_as(by, mv, at, unconfirmed, None);
    }

    /// A move is made, as the board shows it: what it has against a move that would be legal from its squares alone is that a rook, or
    /// a pawn captured, was left where it stood, or something else taken off.
    fn made_as(
        &mut self,
        by: Color,
        mv: Move,
        at: HallTime,
        unconfirmed: bool,
        shown: Option<(Illegality, &Position)>,
    ) {
        let mut from = Arc::clone(self.s.position());
        if from.turn() != by && self.s.passed {
            // The other side has pressed without a move and that stands so far: this player has the move all the same.
            from = Arc::new(from.with_turn(by));
        }
        let lawful = from.why_illegal(&mv, by);
        let shown = shown.filter(|_| lawful.is_none());
        let illegal = lawful.or(shown.map(|(why, _)| why));
        let mv = if illegal.is_none() {
            from.canonical(&mv).unwrap_or(mv)
        } else {
            mv
        };
        let san = if illegal.is_none() { from.san(&mv) } else { mv.from_to() };
        let after = Arc::new(match shown {
            Some((_, after)) => after.clone(),
            None => from.play_unchecked(&mv, by),
        });
        self.complete_earlier(by);
        let ply = Ply {
            by,
            mv,
            san: san.clone(),
            illegal,
            made: at,
            pressed: None,
            completed: false,
            before: self.s.completed(),
            unconfirmed,
            touched: Vec::new(),
            after: Arc::clone(&after),
        };
        self.s.record.push(ply);
        let count = self.s.record.len();
        self.notes.push(Note::Moved { ply: count, san });
        self.s.passed = false;
        self.s.standing = None;
        if self.s.bound.is_some_and(|(who, _)| who == by) {
            self.s.bound = None;
        }
        // 9.1.2.1: an offer ends when the other player makes a move; his own does not end it.
        if self.s.offer == Some(by.other()) {
            self.s.offer = None;
        }
        if self.limited() {
            // A.5.2: an illegal move stands once the opponent has made his next move, unless it was claimed or seen before.
            let lapses = |item: &OpenItem| {
                item.observed.is_none()
                    && matches!(&item.matter, Matter::Offence(offence) if item.key.kind == Kind::IllegalMove && offence.of != by)
            };
            if self.setup.open_points.unpunished_illegal_moves == UnpunishedIllegalMoves::Count {
                let stands = self.s.items.iter().filter(|item| lapses(item)).count();
                self.s.illegal[by.other() as usize] += u32::try_from(stands).unwrap_or(u32::MAX);
            }
            self.close(lapses);
        }
        if unconfirmed {
            let role = mv.promotion.unwrap_or(Role::Queen);
            self.find(
                Kind::Promotion,
                Some(by),
                count as i64,
                Matter::Promotion { ply: count - 1, role },
            );
        }
        if illegal.is_some() {
            return;
        }
        match self.against_the_flag(at) {
            AgainstFlag::Before => self.conclude(by, at),
            AgainstFlag::Unknown { item, by: after, apart } => {
                // Whether the game had ended before the flag is for the arbiter to find out (6.8, 5.1.1).
                let plies = Some(self.s.record.len());
                let concluded = self.concluded(self.s.position(), plies, by, &mut Vec::new());
                if concluded.is_some() {
                    self.edit_item(item, |item| {
                        if let Matter::Flag { unordered, .. } = &mut item.matter {
                            *unordered = Some((after, apart));
                        }
                    });
                }
            }
            AgainstFlag::After => {}
        }
    }

    /// 6.2.1.2: a move that was never pressed is completed when its player has made his next one.
    fn complete_earlier(&mut self, by: Color) {
        let Some(at) = self.s.record.iter().rposition(|ply| ply.by == by) else {
            return;
        };
        let ply = Arc::clone(&self.s.record[at]);
        if ply.completed || at < self.s.base.0 {
            return;
        }
        self.s.record.edit(at, |ply| ply.completed = true);
        let completed = self.s.clock.half(by).completed;
        self.s.clock.set_completed(by, completed.saturating_add(1));
        if let Some(why) = ply.illegal {
            self.offence(by, Some(at), Some(why), None, ply.before);
        }
    }

    /// What ends the game at the move that makes it: 5.1.1, 5.2.1, 5.2.2, 9.6.
    pub fn conclude(&mut self, by: Color, at: HallTime) {
        let mut undecided = Vec::new();
        let plies = Some(self.s.record.len());
        let concluded = self.concluded(self.s.position(), plies, by, &mut undecided);
        undecided.into_iter().for_each(|color| self.ask(color));
        if let Some((result, termination)) = concluded {
            let at_once = matches!(termination, Termination::Checkmate | Termination::Stalemate);
            let announced = at_once && self.setup.endings_at_once;
            self.end(result, termination, at, announced);
        }
    }

    /// `plies`: it is the position after so many half-moves of the record. Sides of which it is not known whether they can mate, the
    /// others being hopeless, go to `undecided`.
    pub fn concluded(
        &self,
        position: &Position,
        plies: Option<usize>,
        by: Color,
        undecided: &mut Vec<Color>,
    ) -> Option<(GameResult, Termination)> {
        if position.is_checkmate() {
            let drawn = self.setup.open_points.fivefold_and_mate == FivefoldAndMate::Fivefold
                && self.occurrences(position, None) >= 5;
            return Some(if drawn {
                (GameResult::Draw, Termination::Fivefold)
            } else {
                (GameResult::win(by), Termination::Checkmate)
            });
        }
        if position.is_stalemate() {
            return Some((GameResult::Draw, Termination::Stalemate));
        }
        match self.dead(position, plies) {
            Dead::Yes => return Some((GameResult::Draw, Termination::DeadPosition)),
            Dead::Undecided(sides) => *undecided = sides,
            Dead::No => {}
        }
        if self.occurrences(position, None) >= 5 {
            return Some((GameResult::Draw, Termination::Fivefold));
        }
        if position.halfmoves() >= 150 {
            return Some((GameResult::Draw, Termination::SeventyFiveMoves));
        }
        None
    }

    /// How often this position, just reached or about to be, has stood on the board: the record's last one counts if it is it (9.2.3).
    /// `by` is the move that would bring it about; `None` for the position of record.
    pub fn occurrences(&self, position: &Position, by: Option<&Move>) -> u32 {
        let (base, _) = self.s.base;
        let made = |plies: usize| plies.checked_sub(1).filter(|last| *last >= base);
        let made = |plies: usize| Some(&self.s.record.get(made(plies)?)?.mv);
        let wanted = self.bare_en_passant(position, by.or(made(self.s.record.len())));
        let as_before = |plies: &usize| self.bare_en_passant(self.s.position_after(*plies), made(*plies)) == wanted;
        let same = self.s.stood(position).filter(as_before).count();
        u32::try_from(same).unwrap_or(u32::MAX)
    }

    /// The square that a pawn has just passed with an enemy pawn beside it, whether that one may capture or not: only where the event
    /// counts that as another position (9.2.3.1).
    fn bare_en_passant(&self, after: &Position, mv: Option<&Move>) -> Option<Square> {
        if self.setup.open_points.en_passant_identity == EnPassantIdentity::Legal {
            return None;
        }
        let mv = mv.filter(|mv| mv.from.rank().abs_diff(mv.to.rank()) == 2)?;
        let pawn = |square: Square, color: Color| {
            let piece = after.piece_at(square);
            piece.is_some_and(|piece| piece.role == Role::Pawn && piece.color == color)
        };
        let beside = [mv.to.index() as i32 - 1, mv.to.index() as i32 + 1];
        let beside = beside
            .into_iter()
            .filter_map(|index| Square::from_index(u32::try_from(index).ok()?))
            .filter(|square| square.rank() == mv.to.rank());
        (pawn(mv.to, after.turn().other()) && beside.into_iter().any(|square| pawn(square, after.turn())))
            .then_some(mv.to)
    }

    // Presses

    /// A player has pressed the clock.
    pub fn pressed(&mut self, by: Color) {
        if !self.in_play() {
            return;
        }
        self.has_run(by);
        // By the clock's own time, also where an act before it has a later one by the hub's.
        let at = self.told_at.max(self.s.clock.as_of()).min(self.s.time);
        self.s.present[by as usize] = true;
        if self.s.waiting.is_empty() {
            self.try_to_explain();
        }
        if !self.in_play() {
            return;
        }
        self.runs_as_told(by);
        if self.s.clock.running() != Some(by) {
            self.contradicts_the_sides(by);
            return;
        }
        self.sides_are_right();
        let clock = self.s.clock;
        // A move that is on the record already needs no board.
        let known = self
            .s
            .record
            .last()
            .is_some_and(|last| last.by == by && !last.completed);
        // Nor does one that the board had shown before it told nothing more: it is taken to be what was pressed.
        let away = self.s.away.is_some() && !known;
        let shown = away && self.shows_a_legal_move(by);
        let wait = if known || shown {
            Millis::ZERO
        } else {
            self.board_may_be_late()
        };
        let waits = !self.s.waiting.is_empty() || wait > Millis::ZERO || (away && !shown);
        let mut reading = Reading::NoChange;
        if self.s.board.is_some() && !waits {
            reading = self.believed(self.read(by), by);
            self.commit(&reading, at, &mut Vec::new(), clock);
            if !self.in_play() {
                return;
            }
            if matches!(&reading, Reading::Moves { plies, .. } if plies.len() == 1 && plies[0].by == by) {
                self.s.presses_lost = false;
            }
        }
        let before = self.s.completed();
        let Some(gain) = self
            .s
            .clock
            .press(by, at, &self.setup.time_control, self.setup.period_rule)
        else {
            return;
        };
        let shows = self.s.clock.half(by).left;
        let pressed = Pressed {
            by,
            at,
            shows,
            gain,
            before,
        };
        self.s.last_press[by as usize] = Some(pressed);
        if self.s.board_kind(self.setup) == BoardKind::None {
            self.bare_press(pressed);
        } else if waits {
            let until = at + wait;
            let shown = Some(by).filter(|_| self.s.waiting.is_empty());
            let shown = shown.and_then(|by| self.legal_move_shown(by));
            self.s.waiting.push(Unexplained {
                pressed,
                clock,
                until,
                shown,
            });
        } else {
            self.attach(pressed, &reading, clock, None);
        }
    }

    /// The first presses come from the side whose clock does not run: left and right of the clock may be taken for each other. One alone is
    /// a slip of the hand.
    fn contradicts_the_sides(&mut self, by: Color) {
        let first = self.s.last_press.iter().all(Option::is_none) && self.s.record.is_empty();
        let Some(started) = self.s.started.filter(|_| first) else {
            return;
        };
        if self.s.clock.running() != Some(by.other()) {
            return;
        }
        self.s.contrary += 1;
        if self.s.contrary == CONTRARY_PRESSES {
            self.find(Kind::WrongClock, None, started.0, Matter::SidesExchanged);
        }
    }

    /// The first press that counts comes from the side whose clock runs: what went before was no more than that.
    fn sides_are_right(&mut self) {
        if std::mem::take(&mut self.s.contrary) >= CONTRARY_PRESSES
            && let Some(started) = self.s.started
        {
            let found = |item: &OpenItem| {
                item.key.kind == Kind::WrongClock && item.key.anchor == started.0 && item.observed.is_none()
            };
            self.close(found);
        }
    }

    /// A clock that has been told to run this player's time, and is pressed by him before its answer has come, runs: from the ruling on,
    /// until the answer says from when. The press is not lost with it.
    fn runs_as_told(&mut self, by: Color) {
        if self.s.clock.running().is_some() {
            return;
        }
        let told = |want: &super::orders::Want| want.what == Wanted::Run(by);
        let stops = self.s.wants.iter().any(|want| want.what == Wanted::Stop);
        let wanted = self.s.wants.iter().find(|want| told(want)).filter(|_| !stops);
        let wanted = wanted.map(|want| want.since);
        // One that was sent and is not wanted any more is shown by the press to have been made before the stop behind it.
        let withdrawn = self.s.may_run.filter(|(of, _)| *of == by).map(|(_, since)| since);
        let Some(since) = wanted.or(withdrawn) else { return };
        let since = since.max(self.s.clock.as_of());
        if self.s.clock.run(by, since, &self.setup.time_control) {
            self.s.may_run = None;
            if wanted.is_some() {
                self.s.wants.retain(|want| !told(want));
            }
        }
    }

    /// How long after this moment the board may still show what was there before it: its lag, and where press and board are told by
    /// two devices, what their times may be off against each other.
    fn board_may_be_late(&self) -> Millis {
        if self.s.board.is_none() {
            return Millis::ZERO;
        }
        let Origin::Device { device, bar, .. } = &self.origin else {
            return self.setup.sensing_lag;
        };
        self.setup.sensing_lag + self.apart_from((device, *bar))
    }

    /// Where moves are not known a press completes one.
    fn bare_press(&mut self, pressed: Pressed) {
        let nth = self.s.ply_of(self.s.bare_presses.len());
        Arc::make_mut(&mut self.s.bare_presses).push(pressed);
        self.s.bare_turn = pressed.by.other();
        let entered = nth.filter(|nth| self.s.record.get(*nth).is_some_and(|ply| ply.by == pressed.by));
        if let Some(nth) = entered {
            self.s.record.edit(nth, |ply| {
                ply.pressed = Some(pressed);
                ply.completed = true;
            });
        }
    }

    /// What the board shows, for the player who presses.
    fn read(&self, by: Color) -> Reading {
        let Some(board) = &self.s.board else {
            return Reading::NoChange;
        };
        let position = self.s.position();
        if self.s.passed && position.turn() != by {
            return board.sensor.reading(&position.with_turn(by), by);
        }
        board.sensor.reading(position, by)
    }

    /// What the board shows at a change of it, with less effort.
    fn glance(&self, mover: Color) -> Reading {
        let Some(board) = &self.s.board else {
            return Reading::NoChange;
        };
        let position = self.s.position();
        if self.s.passed && position.turn() != mover {
            return board.sensor.glance(&position.with_turn(mover), mover);
        }
        board.sensor.glance(position, mover)
    }

    /// The moves of a reading are made; they date from the last change of the picture. Presses that wait are theirs, in order.
    fn commit(&mut self, reading: &Reading, at: HallTime, presses: &mut Vec<Unexplained>, now: Clock) {
        let Reading::Moves { plies, .. } = reading else { return };
        let waited = presses.len();
        let mut at = at;
        // What was lifted, in its order, belongs to the first of them.
        let mut touched = self.s.board.as_ref().map_or(Vec::new(), |board| {
            let lifted = board.sensor.touched(self.s.position());
            lifted.into_iter().map(|(square, _)| square).collect()
        });
        for ply in plies {
            if !self.in_play() {
                return;
            }
            // Each move is made before its press, and what was never pressed after the last of them.
            match presses.first() {
                Some(press) if press.pressed.by == ply.by => {
                    at = press.pressed.at;
                    self.clock_of(press.clock);
                }
                Some(_) => {}
                None => {
                    at = self.s.time;
                    self.clock_of(now);
                }
            }
            let changed = self.s.board.as_ref().map_or(at, |board| board.changed.min(at));
            let mut ply = ply.clone();
            if self.corrects(ply.by) {
                // A move that was answered in the picture, and the answer taken back or moved on: it stands as the board shows it now,
                // from the position that it answers.
                let keep = self.s.record.len() - 1;
                self.s.record.truncate(keep);
                if let Some(whole) = self.whole_move(ply.by).filter(|_| plies.len() == 1) {
                    ply = whole;
                }
            }
            let shown = ply.illegal.map(|why| (why, &ply.after));
            self.made_as(ply.by, ply.mv, changed, ply.promotion_unconfirmed, shown);
            let lifted = std::mem::take(&mut touched);
            if let Some(last) = self
                .s
                .record
                .len()
                .checked_sub(1)
                .filter(|at| self.s.record[*at].illegal.is_some())
            {
                self.s.record.edit(last, |ply| ply.touched = lifted);
            }
            if self.in_play() && presses.first().is_some_and(|press| press.pressed.by == ply.by) {
                let press = presses.remove(0);
                self.complete(self.s.record.len() - 1, press.pressed);
            }
        }
        if waited - presses.len() == plies.len() {
            // Each of them has its press.
            self.s.presses_lost = false;
        }
        let position = Arc::clone(self.s.position());
        if let Some(board) = &mut self.s.board {
            Arc::make_mut(board).sensor.settle(&position);
        }
    }

    /// What the board shows as one move of this player from the position of record.
    fn whole_move(&self, by: Color) -> Option<crate::chess::Ply> {
        let (shown, from) = (self.s.board.as_ref()?.sensor.picture(), self.s.position());
        let mut board = Board::showing(self.s.board_kind(self.setup), from, &self.s.masked)?;
        let sensor = &mut Arc::make_mut(&mut board).sensor;
        sensor.place(&shown);
        match sensor.reading(from, by) {
            Reading::Moves { mut plies, .. } if plies.len() == 1 && plies[0].by == by => plies.pop(),
            _ => None,
        }
    }

    /// The clock is that of another moment; the moves completed meanwhile stay counted.
    fn clock_of(&mut self, clock: Clock) {
        let counted = self.s.completed();
        self.s.clock = clock;
        for color in Color::BOTH {
            let completed = clock.half(color).completed.max(counted[color as usize]);
            self.s.clock.set_completed(color, completed);
        }
    }

    /// This press completes this half-move (6.2.1).
    fn complete(&mut self, at: usize, pressed: Pressed) {
        let Some(why) = self.s.record.get(at).map(|ply| ply.illegal) else {
            return;
        };
        self.s.record.edit(at, |ply| {
            ply.pressed = Some(pressed);
            ply.completed = true;
        });
        self.s.puzzling = None;
        self.close(|item| item.key.kind.is_about_the_picture());
        if let Some(why) = why {
            self.offence(pressed.by, Some(at), Some(why), Some(pressed), pressed.before);
        }
    }

    /// A press completes its player's move; or there is none, or the board does not say which.
    fn attach(&mut self, pressed: Pressed, reading: &Reading, clock: Clock, doubt: Option<Millis>) {
        let by = pressed.by;
        let uncompleted = self.s.record.iter().rposition(|ply| ply.by == by).filter(|&at| {
            let answers = self.s.record.len() - 1 - at;
            at >= self.s.base.0 && !self.s.record[at].completed && answers <= 1
        });
        if let Some(at) = uncompleted {
            self.complete(at, pressed);
            return;
        }
        match reading {
            Reading::Disagrees { squares } => {
                self.puzzles(pressed, clock);
                let matter = Matter::Disagreement {
                    squares: squares.clone(),
                };
                let (kind, matter) = match doubt {
                    Some(apart) => (Kind::OrderUnknown, Matter::Unordered { apart }),
                    None => (Kind::BoardDisagrees, matter),
                };
                self.asks_about_the_picture(kind, pressed, matter);
            }
            Reading::KingsInCentre { winner } => self.signal(*winner),
            // That nobody has told a move says nothing against him who pressed.
            _ if self.s.position().turn() == by && self.s.puzzling.is_none() && self.setup.told_by_hand => {
                self.puzzles(pressed, clock);
                self.asks_about_the_picture(Kind::MovesMissing, pressed, Matter::MovesMissing);
            }
            // The record may lack what was played before it.
            _ if self.s.position().turn() == by && self.s.puzzling.is_none() && self.s.behind => {
                self.puzzles(pressed, clock);
                let squares = self.differences();
                self.asks_about_the_picture(Kind::BoardDisagrees, pressed, Matter::Disagreement { squares });
            }
            // 6.2.4, 7.5.3: he has the move and has made none.
            _ if self.s.position().turn() == by && self.s.puzzling.is_none() => {
                if let Some(apart) = self.unordered(pressed) {
                    self.puzzles(pressed, clock);
                    self.asks_about_the_picture(Kind::OrderUnknown, pressed, Matter::Unordered { apart });
                    return;
                }
                self.offence(by, None, None, Some(pressed), pressed.before);
                self.s.passed = true;
                self.s.without_move = Some(Unexplained::judged(pressed, clock));
            }
            _ => {}
        }
    }

    /// The press stays without its move until the board, or an arbiter, says which it was.
    fn puzzles(&mut self, pressed: Pressed, clock: Clock) {
        self.s.puzzling = Some(Unexplained::judged(pressed, clock));
    }

    /// A press was found to have come without a move, and now a change of the board is heard that is no later than it, by what their times
    /// may be off: nobody has known until now by how much. Nothing is found that hangs on it.
    fn doubts_the_missing_move(&mut self) {
        let Some(press) = self.s.without_move.filter(|_| self.s.passed) else {
            return;
        };
        let (pressed, apart) = (press.pressed, self.apart());
        if self.s.time - pressed.at >= apart {
            return;
        }
        let found = |item: &OpenItem| {
            let offence = matches!(&item.matter, Matter::Offence(offence) if offence.ply.is_none());
            offence && item.key.anchor == pressed.at.0 && item.observed.is_none()
        };
        if self.s.items.iter().any(|item| found(item)) {
            self.close(found);
            self.s.passed = false;
            self.puzzles(pressed, press.clock);
            self.asks_about_the_picture(Kind::OrderUnknown, pressed, Matter::Unordered { apart });
        }
    }

    /// An arbiter is asked what was on the board at this press, unless he is asked already.
    fn asks_about_the_picture(&mut self, kind: Kind, pressed: Pressed, matter: Matter) {
        if !self.s.items.iter().any(|item| item.key.kind.is_about_the_picture()) {
            self.find(kind, Some(pressed.by), pressed.at.0, matter);
        }
    }

    /// A board that has lost reports is believed where it shows legal moves; it accuses nobody, until the record is known to have all that
    /// was played.
    fn believed(&self, reading: Reading, by: Color) -> Reading {
        let position = self.s.position();
        let accuses = match &reading {
            Reading::Moves { plies, .. } => plies.iter().any(|ply| ply.illegal.is_some()),
            Reading::NoChange => position.turn() == by,
            _ => false,
        };
        if !(self.s.picture_gap || self.s.behind) || !accuses {
            return reading;
        }
        Reading::Disagrees {
            squares: self.differences(),
        }
    }

    /// Where the board shows something else than the record.
    fn differences(&self) -> Vec<Square> {
        let board = self.s.board.as_ref();
        board.map_or(Vec::new(), |board| board.sensor.differences(self.s.position()))
    }

    /// Whether the picture shows one legal move of this player, made to its end.
    fn shows_a_legal_move(&self, by: Color) -> bool {
        self.legal_move_shown(by).is_some()
    }

    /// The one legal move of this player that the picture shows, made to its end.
    fn legal_move_shown(&self, by: Color) -> Option<Move> {
        match self.read(by) {
            Reading::Moves { plies, in_hand } if in_hand.is_empty() => match plies.as_slice() {
                [ply] if ply.by == by && ply.illegal.is_none() && self.was_put_down(plies.as_slice()) => Some(ply.mv),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the last of these moves was seen to its end. On a board that sees only taken squares a piece in the air looks like one that
    /// has captured; a press says that it has, until then it is in the player's hand.
    fn was_put_down(&self, plies: &[crate::chess::Ply]) -> bool {
        let (Some(last), Some(board)) = (plies.last(), &self.s.board) else {
            return false;
        };
        let before = plies
            .len()
            .checked_sub(2)
            .map_or(&**self.s.position(), |at| &plies[at].after);
        let captures = before.piece_at(last.mv.to).is_some_and(|piece| piece.color != last.by);
        !captures || board.sensor.was_put_down(last.mv.from, last.mv.to)
    }

    /// What the board showed at the first press is its move, where the picture by now reads as something else: as no more moves than there
    /// were presses, and what it shows from there gives each of them its own; or as a capture by a piece that is still in the air. Only
    /// legal moves are read so.
    fn as_shown(&self, presses: &[Unexplained], reading: &Reading) -> Option<Reading> {
        let (first, Reading::Moves { plies, .. }) = (presses.first()?, reading) else {
            return None;
        };
        let (by, mv, position) = (first.pressed.by, first.shown?, self.s.position());
        if plies.first()?.mv == mv || position.turn() != by || !position.is_legal(&mv) {
            return None;
        }
        let kind = self.s.board_kind(self.setup);
        let after = position.play_unchecked(&mv, by);
        let first = crate::chess::Ply {
            by,
            mv,
            after: after.clone(),
            illegal: None,
            promotion_unconfirmed: kind == BoardKind::Occupancy && mv.promotion.is_some(),
        };
        if !self.was_put_down(plies) {
            return Some(Reading::Moves {
                plies: vec![first],
                in_hand: Vec::new(),
            });
        }
        if plies.len() > presses.len() {
            return None;
        }
        let mut board = Board::showing(kind, &after, &self.s.masked)?;
        let sensor = &mut Arc::make_mut(&mut board).sensor;
        sensor.place(&self.s.board.as_ref()?.sensor.picture());
        let Reading::Moves { plies: rest, in_hand } = sensor.reading(&after, by.other()) else {
            return None;
        };
        // Each press has its own; and the last of them may not have been pressed yet.
        let shown = 1 + rest.len();
        let explains = if plies.len() < presses.len() {
            plies.len() < shown && shown <= presses.len()
        } else {
            presses.len() <= shown && shown <= presses.len() + 1
        };
        if !explains || rest.iter().any(|ply| ply.illegal.is_some()) {
            return None;
        }
        let plies = std::iter::once(first).chain(rest).collect();
        Some(Reading::Moves { plies, in_hand })
    }

    /// A whole picture from after the last of these presses has no order in it: what it lacks of who has the move then is in his hand, and
    /// nobody has taken it off.
    fn with_a_reply_begun(&self, presses: &[Unexplained], reading: &Reading) -> Option<Reading> {
        const MOST_DIFFERENCES: usize = 12;
        let legal = |reading: &Reading| match reading {
            Reading::Moves { plies, .. } => plies.iter().all(|ply| ply.illegal.is_none()),
            _ => false,
        };
        let (first, last, board) = (presses.first()?, presses.last()?, self.s.board.as_ref()?);
        let later = board.changed > last.pressed.at && board.sensor.came_at_once();
        let position = self.s.position();
        let differences = board.sensor.differences(position);
        let accuses = matches!(reading, Reading::Moves { .. } | Reading::Disagrees { .. }) && !legal(reading);
        if !later || !accuses || differences.len() > MOST_DIFFERENCES {
            return None;
        }
        differences.into_iter().find_map(|square| {
            let piece = position.piece_at(square)?;
            if piece.color == last.pressed.by || board.sensor.is_taken(square) {
                return None;
            }
            let mut sensor = board.sensor.clone();
            sensor.put(square, Some(piece));
            match sensor.reading(position, first.pressed.by) {
                Reading::Moves { plies, mut in_hand } => {
                    in_hand.push(square);
                    let whose = plies.last()?.by == last.pressed.by && plies.len() <= presses.len();
                    let begun = Reading::Moves { plies, in_hand };
                    (whose && legal(&begun)).then_some(begun)
                }
                _ => None,
            }
        })
    }

    /// That this press came without a move hangs on whether the last change of the board came before it, or before the press that it
    /// answers, and their times do not tell. How far they may be off.
    fn unordered(&self, pressed: Pressed) -> Option<Millis> {
        let apart = self.apart();
        let changed = self.s.board.as_ref()?.changed;
        let answered = self.s.last_press[pressed.by.other() as usize].map(|press| press.at);
        let near = |at: HallTime| (changed - at).0.saturating_abs() < apart.0;
        (near(pressed.at) || answered.is_some_and(near)).then_some(apart)
    }

    /// The board showed a legal move at the press, and then, within what its times and the clock's may be off, something else: which
    /// of them was pressed is not known, and no offence is found in it. How far they may be off.
    fn doubt(&self, press: &Unexplained, reading: &Reading) -> Option<Millis> {
        let illegal = match reading {
            Reading::Disagrees { .. } => true,
            Reading::Moves { plies, .. } => plies
                .first()
                .is_some_and(|ply| ply.by == press.pressed.by && ply.illegal.is_some()),
            _ => false,
        };
        (press.shown.is_some() && illegal).then(|| press.until - press.pressed.at)
    }

    /// What the board shows by now belongs to the press that waits longest.
    pub fn judge(&mut self) {
        let Some(first) = self.s.waiting.first().copied() else {
            return;
        };
        let mut presses = std::mem::take(&mut self.s.waiting);
        // A press that the board could not explain while the answer was being played is explained together with the answer's.
        let puzzling = self.s.puzzling;
        presses.splice(0..0, puzzling);
        let mut reading = self.believed(self.read(presses[0].pressed.by), presses[0].pressed.by);
        if let Some(shown) = self.as_shown(&presses, &reading) {
            reading = shown;
        }
        if let Some(begun) = self.with_a_reply_begun(&presses, &reading) {
            reading = begun;
        }
        let doubt = self.doubt(&first, &reading).filter(|_| puzzling.is_none());
        if doubt.is_some() {
            reading = Reading::Disagrees {
                squares: self.differences(),
            };
        }
        let now = std::mem::replace(&mut self.s.clock, first.clock);
        // An ending that the picture shows dates from before the press: its increment never came.
        self.commit(&reading, first.pressed.at, &mut presses, now);
        if !self.in_play() {
            return;
        }
        self.clock_of(now);
        if puzzling.is_some() && presses.first() == puzzling.as_ref() {
            presses.remove(0);
        }
        let judged = presses.first() != Some(&first);
        if !judged {
            presses.remove(0);
        }
        self.s.waiting = presses;
        if !judged {
            self.attach(first.pressed, &reading, first.clock, doubt);
        }
    }

    /// The board has had its time after a press. Where the answer is being played just now, and the picture in between says nothing of
    /// the move before, it is looked at again when it stands.
    pub fn judge_when_it_stands(&mut self) {
        let (Some(first), Some(board)) = (self.s.waiting.first(), &self.s.board) else {
            return self.judge();
        };
        if self.is_untold(first) {
            return self.waits_to_be_told();
        }
        let until = (board.changed + STANDS).min(first.pressed.at + WAITED_FOR);
        let asked = self.s.puzzling.as_ref().unwrap_or(first).pressed.by;
        let moving = board.changed > first.pressed.at && until > self.s.time;
        if moving && matches!(self.read(asked), Reading::Disagrees { .. }) {
            self.s.waiting[0].until = until;
        } else {
            self.judge();
        }
    }

    /// The board is told by a person, and has no move for this press: he is late. What the player did he does not show.
    fn is_untold(&self, press: &Unexplained) -> bool {
        let by = press.pressed.by;
        self.setup.told_by_hand
            && self.s.puzzling.is_none()
            && self.s.position().turn() == by
            && matches!(self.read(by), Reading::NoChange)
    }

    /// The press keeps waiting for its move, and all after it for theirs; after a while an arbiter is told that moves are missing.
    fn waits_to_be_told(&mut self) {
        let now = self.s.time;
        let Some(first) = self.s.waiting.first_mut() else {
            return;
        };
        let asked = first.pressed.at + TOLD_WITHIN;
        let pressed = first.pressed;
        if now < asked {
            first.until = asked;
            return;
        }
        first.until = now + TOLD_WITHIN;
        self.asks_about_the_picture(Kind::MovesMissing, pressed, Matter::MovesMissing);
    }

    /// Something has been told while a press waits that nothing had been told for in time: it may still be put right for as long as it may
    /// come late.
    fn is_told(&mut self) {
        let by = self.s.time + self.setup.sensing_lag;
        if let Some(first) = self.s.waiting.first_mut() {
            first.until = first.until.min(by);
        }
    }

    /// The press that waits for a move of this player and has none told: a move that is entered is that of this press. What waits behind
    /// it is looked at now.
    pub fn press_to_be_told(&mut self, by: Color) -> Option<Unexplained> {
        let first = self.s.waiting.first()?;
        if first.pressed.by != by || !self.is_untold(first) {
            return None;
        }
        let press = self.s.waiting.remove(0);
        let now = self.s.time;
        if let Some(next) = self.s.waiting.first_mut() {
            next.until = next.until.min(now);
        }
        Some(press)
    }

    /// The game is about to be ended by somebody's word: what the board shows by now of the presses that wait was played before.
    pub fn judge_what_is_shown(&mut self) {
        while let Some(first) = self.s.waiting.first()
            && self.in_play()
            && matches!(self.read(first.pressed.by), Reading::Moves { .. })
        {
            self.judge();
        }
    }

    /// A person who tells the moves in their order has told the answer as well: what he told before it is what was made, and need not be
    /// waited for.
    fn judge_what_is_answered(&mut self) {
        while let Some(first) = self.s.waiting.first()
            && self.in_play()
            && let Reading::Moves { plies, .. } = self.glance(first.pressed.by)
            && plies.len() > 1
            && plies.iter().all(|ply| ply.illegal.is_none())
            && plies[0].by == first.pressed.by
        {
            self.judge();
        }
    }

    /// The board has disagreed at a press; now it shows a legal move of that player, and perhaps the answer.
    fn try_to_explain(&mut self) {
        let Some(puzzling) = self.s.puzzling else { return };
        let reading = self.glance(puzzling.pressed.by);
        let Reading::Moves { plies, .. } = &reading else { return };
        let explains = plies.first().is_some_and(|ply| ply.by == puzzling.pressed.by)
            && plies.iter().all(|ply| ply.illegal.is_none());
        if explains {
            self.s.puzzling = None;
            let now = self.s.clock;
            self.commit(&reading, self.s.time, &mut vec![puzzling], now);
            if self.in_play() {
                self.clock_of(now);
            }
        }
    }

    /// An illegal move was completed, or a press came without one (7.5).
    fn offence(
        &mut self,
        of: Color,
        ply: Option<usize>,
        why: Option<Illegality>,
        pressed: Option<Pressed>,
        completed: [u32; 2],
    ) {
        let unpromoted = match why {
            Some(Illegality::NotPromoted { square }) => Some(square),
            _ => None,
        };
        let keep = ply.unwrap_or(self.s.record.len());
        let offence = Offence {
            of,
            ply,
            keep,
            mv: ply.and_then(|ply| self.s.record.get(ply)).map(|ply| ply.mv),
            why,
            unpromoted,
            two_hands: false,
            gain: pressed.map(|pressed| Offence::taken_back(pressed.gain, unpromoted, self.setup)),
            completed,
            stands: false,
        };
        let anchor = pressed.map_or(self.s.time, |pressed| pressed.at);
        self.find(Kind::IllegalMove, Some(of), anchor.0, Matter::Offence(offence));
    }

    // The board between presses

    /// A whole picture that is there already says nothing, whether it is sent or not.
    fn is_shown(&self, fact: &super::input::Fact) -> bool {
        matches!(fact, super::input::Fact::Placed { placement } if self.s.board_shows(placement))
    }

    /// Which device the board's facts come from, for the order of what it and the clock tell.
    fn board_speaks(&mut self, fact: &super::input::Fact) {
        if let Origin::Device { device, boot, bar, .. } = &self.origin {
            // What it has touched since it was started anew says nothing of what was there before.
            if matches!(fact, super::input::Fact::Placed { .. }) || self.s.board_boot.is_none() {
                self.s.board_boot = Some(*boot);
            }
            let from = Some((device.clone(), *bar));
            if self.s.board_from != from {
                self.s.board_from = from;
            }
        }
    }

    /// A change on the board.
    pub fn sensed(&mut self, fact: &super::input::Fact) {
        let at = self.s.time;
        if matches!(fact, super::input::Fact::Placed { .. }) {
            self.s.picture_gap = false;
            if self.s.away.take().is_some() && self.s.waiting.len() > 1 {
                // Of several moves one picture may tell too little.
                self.s.behind = true;
            }
        }
        if self.is_shown(fact) {
            self.board_speaks(fact);
            return;
        }
        let changed = self
            .s
            .board
            .as_mut()
            .is_some_and(|board| Arc::make_mut(board).sense(fact, at));
        if changed {
            self.board_speaks(fact);
        }
        if !changed || !self.in_play() {
            return;
        }
        self.doubts_the_missing_move();
        self.s.standing = None;
        if matches!(fact, super::input::Fact::Lifted { .. }) {
            return;
        }
        if !self.s.waiting.is_empty() {
            if self.setup.told_by_hand {
                self.judge_what_is_answered();
                self.is_told();
            }
            return;
        }
        if self.s.puzzling.is_some() {
            self.try_to_explain();
            return;
        }
        let mover = self.s.clock.running().unwrap_or(self.s.position().turn());
        match self.glance(mover) {
            Reading::KingsInCentre { winner } => self.signal(winner),
            Reading::Moves { plies, in_hand }
                if in_hand.is_empty() && plies.iter().all(|ply| ply.illegal.is_none()) =>
            {
                let ends = plies.last().is_some_and(|last| self.would_conclude(&plies, last.by));
                if ends && self.was_put_down(&plies) && self.against_the_flag(at) != AgainstFlag::After {
                    self.s.standing = Some(Standing {
                        since: at,
                        clock: self.s.clock,
                    });
                }
            }
            _ => {}
        }
    }

    fn would_conclude(&self, plies: &[crate::chess::Ply], by: Color) -> bool {
        let Some(last) = plies.last() else { return false };
        if plies.len() == 1 {
            // The record does not have it yet: it counts as one more occurrence.
            let repeated = self.occurrences(&last.after, Some(&last.mv)) >= 4;
            return repeated || self.concluded(&last.after, None, by, &mut Vec::new()).is_some();
        }
        last.after.is_checkmate() || last.after.is_stalemate() || matches!(self.dead(&last.after, None), Dead::Yes)
    }

    /// The picture has stood: it counts from when its last piece was put down.
    pub fn picture_stood(&mut self) {
        let Some(standing) = self.s.standing.take() else { return };
        let mover = standing.clock.running().unwrap_or(self.s.position().turn());
        let reading = self.read(mover);
        let now = std::mem::replace(&mut self.s.clock, standing.clock);
        self.commit(&reading, standing.since, &mut Vec::new(), standing.clock);
        if self.in_play() {
            self.clock_of(now);
        }
    }

    /// The kings say who has won (or that it is a draw): for the arbiter, never a result by itself.
    fn signal(&mut self, winner: Option<Color>) {
        let result = winner.map_or(GameResult::Draw, GameResult::win);
        self.result_signal(result, Sign::Kings);
    }

    pub fn result_signal(&mut self, result: GameResult, shown: Sign) {
        if self.s.items.iter().any(|item| item.key.kind == Kind::ResultSignal) {
            return;
        }
        self.find(
            Kind::ResultSignal,
            None,
            self.s.time.0,
            Matter::ResultSignal { result, shown },
        );
    }
}
