//! One simulated table: a board, a clock that counts by itself, and two people who play a planned game.
//!
//! A state machine in virtual milliseconds, which run at the hall's speed. What is due is done at its own time however late it is
//! woken, so a slow machine or a dead network changes no player's time; an order takes effect when it comes.

use std::collections::VecDeque;
use std::sync::Arc;

use shakmaty::{Board, Color, Piece, Square};

use crate::device::codec::Format;
use crate::device::wire as pb;
use pb::report::What;

use super::clock::{Side, TableClock};
use super::dice::Dice;
use super::firmware::{Firmware, Nature, Out, clock_state, wire_side};
use super::hands::{self, Touch};
use super::plan::{Call, Ending, Game};

/// What the table's board knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum BoardKind {
    /// It tells pieces apart.
    #[default]
    Pieces,
    /// Taken and empty squares only.
    Occupancy,
    /// There is none.
    None,
}

/// How the table is equipped and stands.
#[derive(Clone, Debug)]
pub struct Equipment {
    /// The table's number.
    pub table: u32,
    /// Its board.
    pub board: BoardKind,
    /// Clock and board are two devices.
    pub split: bool,
    /// White sits at this side of the clock.
    pub white_side: Side,
    /// The board lies the other way round.
    pub board_turned: bool,
    /// How late the board sees a change, at most: it scans so often. 0: at once.
    pub scan_ms: i64,
    /// How its devices write.
    pub format: Format,
    /// What the counters show when switched on, and their width.
    pub counter: (u64, u32),
}

/// Something that people in the hall see, with no device in between.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// The pieces are set up for the game.
    Seated,
    /// The clock shows the control it was given.
    Ready,
    /// The player of this half-move (from 0) has pressed.
    Pressed(usize),
    /// The clocks are stopped, and the arbiter is called for this.
    Called(Call),
    /// A flag has fallen.
    Flagged(Color),
    /// The players are through with the game.
    Finished,
}

/// What the players do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Todo {
    Touch(Touch),
    Call(Call),
    Press,
    /// Both clocks are stopped at the end.
    Stop,
    /// The last move needs no press.
    Finish,
}

/// A game being played.
#[derive(Debug)]
struct Sitting {
    game: Arc<Game>,
    number: u64,
    turn: usize,
    /// What is still to be done in this turn, with its place in the turn's running time.
    todo: VecDeque<(i64, Todo)>,
    /// The turn's running time up to `since`.
    ran_ms: i64,
    /// Since when the mover's time runs.
    since: Option<i64>,
    /// The clock has been given this game's control: what runs now, runs for this game.
    ready: bool,
}

/// Virtual milliseconds between two signs of life: of a clock, or of a board that nobody tells of presses.
const VITAL_MS: i64 = 5000;
const BOARD_VITAL_MS: i64 = 1000;

/// When a scan of the board ends, and what it then sees changed.
type Scan = (i64, Vec<(Square, Option<Piece>)>);

/// The table.
#[derive(Debug)]
pub struct Table {
    equipment: Equipment,
    dice: Dice,
    board: Board,
    clock: TableClock,
    /// The clock (and board), and a board of its own.
    devices: Vec<Firmware>,
    alive: Vec<bool>,
    next_vital: Vec<i64>,
    /// A sign of life soon after a press, when the board has looked once more.
    look_again: Option<i64>,
    sitting: Option<Sitting>,
    /// Hands with no clock running: kings in the centre, a move after the flag.
    idle_touches: VecDeque<(i64, Touch)>,
    finish_after_touches: bool,
    /// Changes that the scan that ends then is going to see.
    unscanned: Option<Scan>,
    /// Real time is not simulated: vitals are not sent oftener than this many virtual ms.
    least_vital_ms: i64,
}

/// What happened while the table was awake: messages by device, and what people saw.
#[derive(Debug, Default)]
pub struct Happened {
    /// Device (0: the clock, 1: a board of its own) and message.
    pub out: Vec<(usize, Out)>,
    /// In order.
    pub notices: Vec<Notice>,
}

impl Table {
    /// A table with its devices switched on. `boots` are theirs, none 0.
    pub fn new(equipment: Equipment, boots: [u32; 2], dice: Dice) -> Table {
        let has_board = equipment.board != BoardKind::None;
        let two = equipment.split && has_board;
        let abilities = |clock: bool, board: bool| pb::Abilities {
            clock,
            counts: clock,
            board,
            tells_pieces: board && equipment.board == BoardKind::Pieces,
            shows_text: false,
            resolution_ms: 1,
            sensing_lag_ms: if board { equipment.scan_ms.max(0) as u32 } else { 0 },
            counter_bits: equipment.counter.1,
            by_hand: false,
        };
        let nature = |model: &str, abilities, start: u64| Nature {
            model: model.to_owned(),
            abilities,
            format: equipment.format,
            counter_start: start,
        };
        let mut devices = vec![Firmware::new(
            nature(
                "flagfall-sim-table",
                abilities(true, has_board && !two),
                equipment.counter.0,
            ),
            boots[0],
        )];
        if two {
            // Another counter altogether: the two share no time.
            devices.push(Firmware::new(
                nature(
                    "flagfall-sim-board",
                    abilities(false, true),
                    equipment.counter.0 / 2 + 12_345,
                ),
                boots[1],
            ));
        }
        let count = devices.len();
        Table {
            equipment,
            dice,
            board: Board::default(),
            clock: TableClock::default(),
            devices,
            alive: vec![false; count],
            next_vital: vec![0; count],
            look_again: None,
            sitting: None,
            idle_touches: VecDeque::new(),
            finish_after_touches: false,
            unscanned: None,
            least_vital_ms: VITAL_MS,
        }
    }

    /// Its devices.
    pub fn devices(&self) -> &[Firmware] {
        &self.devices
    }

    /// The device numbered so; for the connection's own business (its Will, a polite leave).
    pub fn device_mut(&mut self, device: usize) -> &mut Firmware {
        &mut self.devices[device]
    }

    /// How it is equipped.
    pub fn equipment(&self) -> &Equipment {
        &self.equipment
    }

    /// The hall runs at this speed: real networks carry only so many signs of life.
    pub fn set_speed(&mut self, speed: f64) {
        self.least_vital_ms = (250.0 * speed) as i64;
    }

    /// Two people sit down to this game: the pieces are set up, the old game is forgotten.
    pub fn sit_down(&mut self, game: Arc<Game>, number: u64, now: i64) -> Happened {
        let mut happened = self.wake(now);
        if self.clock.running().is_some() {
            let before = clock_state(&self.clock);
            self.clock.stop(now);
            let by_hand = pb::ByHand {
                kind: pb::by_hand::Kind::Stopped.into(),
                before: Some(before),
                after: Some(clock_state(&self.clock)),
            };
            self.tell(0, What::ByHand(by_hand), now, now, &mut happened);
        }
        self.board = game
            .start()
            .map(|start| shakmaty::Position::board(&start).clone())
            .unwrap_or_default();
        self.unscanned = None;
        self.idle_touches.clear();
        self.finish_after_touches = false;
        let mut sitting = Sitting {
            game,
            number,
            turn: 0,
            todo: VecDeque::new(),
            ran_ms: 0,
            since: None,
            ready: false,
        };
        sitting.todo = self.todo(&sitting);
        self.sitting = Some(sitting);
        if let Some(board) = self.board_device() {
            let what = What::Placement(pb::Placement {
                squares: self.placement(),
            });
            self.tell(board, what, now, now, &mut happened);
        }
        happened.notices.push(Notice::Seated);
        happened
    }

    /// The move that came after the flag is made on the board, and then the players are through.
    pub fn move_late(&mut self, now: i64) {
        let Some(sitting) = &self.sitting else { return };
        let touches = match sitting.game.ending {
            Ending::Flag { late: Some(mv), .. } => {
                let mut dice = self.dice.fork("late", sitting.number);
                hands::at_leisure(&self.board, mv, self.tells_pieces(), &mut dice)
            }
            _ => Vec::new(),
        };
        self.idle(touches, now);
        self.finish_after_touches = true;
    }

    /// Kings in the centre, after the result.
    pub fn show_result(&mut self, now: i64) {
        if let Some(sitting) = &self.sitting
            && !sitting.game.kings_first
        {
            self.kings(now);
        }
    }

    fn kings(&mut self, now: i64) {
        if let Some(sitting) = &self.sitting {
            let mut dice = self.dice.fork("kings", sitting.number);
            let touches = hands::kings(&self.board, &sitting.game.kings, &mut dice);
            self.idle(touches, now);
        }
    }

    fn idle(&mut self, touches: Vec<Touch>, now: i64) {
        if self.equipment.board != BoardKind::None {
            self.idle_touches
                .extend(touches.into_iter().map(|touch| (now + touch.at_ms, touch)));
        }
    }

    fn tells_pieces(&self) -> bool {
        self.equipment.board == BoardKind::Pieces
    }

    fn board_device(&self) -> Option<usize> {
        (self.equipment.board != BoardKind::None).then(|| self.devices.len() - 1)
    }

    fn side(&self, color: Color) -> Side {
        match color {
            Color::White => self.equipment.white_side,
            Color::Black => self.equipment.white_side.other(),
        }
    }

    /// What the players do in the turn that `sitting` is at.
    fn todo(&self, sitting: &Sitting) -> VecDeque<(i64, Todo)> {
        let game = &sitting.game;
        let Some(turn) = game.turns.get(sitting.turn) else {
            return match game.ending {
                Ending::Decided { after_ms } => VecDeque::from([(after_ms, Todo::Stop)]),
                Ending::Unplayed | Ending::OnTheBoard(_) => VecDeque::from([(0, Todo::Finish)]),
                Ending::Flag { .. } => VecDeque::new(),
            };
        };
        let mut todo = VecDeque::new();
        let mut first = turn.think_ms;
        if self.equipment.board != BoardKind::None {
            let place = sitting.number << 16 | sitting.turn as u64;
            let mut dice = self.dice.fork("hands", place);
            let touches = hands::of_move(&turn.board, turn.mv, turn.think_ms, self.tells_pieces(), &mut dice);
            first = touches.first().map_or(first, |touch| touch.at_ms);
            todo.extend(touches.into_iter().map(|touch| (touch.at_ms, Todo::Touch(touch))));
        }
        if let Some(call) = turn.call {
            // Before a hand touches a piece.
            todo.push_front((call.at_ms.min(first), Todo::Call(call)));
        }
        let last = if turn.pressed { Todo::Press } else { Todo::Finish };
        todo.push_back((turn.think_ms, last));
        todo
    }

    /// When the table has to be woken next, if nothing comes before.
    pub fn next_due(&self) -> Option<i64> {
        let vitals = (0..self.devices.len())
            .filter(|&device| self.alive[device])
            .map(|device| self.next_vital[device]);
        self.next_event().into_iter().chain(self.look_again).chain(vitals).min()
    }

    /// When the next thing happens: signs of life are none.
    fn next_event(&self) -> Option<i64> {
        self.player_due()
            .into_iter()
            .chain(self.clock.next_zero())
            .chain(self.idle_touches.front().map(|(at, _)| *at))
            .chain(self.unscanned.as_ref().map(|(at, _)| *at))
            .min()
    }

    fn player_due(&self) -> Option<i64> {
        let sitting = self.sitting.as_ref()?;
        let (at, _) = sitting.todo.front()?;
        Some(sitting.since? + (at - sitting.ran_ms).max(0))
    }

    /// Everything that is due up to `now` happens, each thing at its own time.
    pub fn wake(&mut self, now: i64) -> Happened {
        let mut happened = Happened::default();
        while let Some(at) = self.next_event().filter(|at| *at <= now) {
            if self.clock.next_zero() == Some(at) {
                // Before a press of the same millisecond: that one comes too late (6.8).
                if let Some((side, zero)) = self.clock.count_to(at) {
                    let flag = pb::Flag {
                        side: wire_side(Some(side)),
                        clock: Some(clock_state(&self.clock)),
                    };
                    self.tell(0, What::Flag(flag), zero, now, &mut happened);
                    let color = if side == self.equipment.white_side {
                        Color::White
                    } else {
                        Color::Black
                    };
                    happened.notices.push(Notice::Flagged(color));
                }
                self.follow_clock(at);
            } else if self.player_due() == Some(at) {
                self.play(at, now, &mut happened);
            } else if let Some((_, touch)) = self.idle_touches.pop_front_if(|(due, _)| *due == at) {
                self.touch(touch, at, now, &mut happened);
            } else if let Some((_, changes)) = self.unscanned.take_if(|(due, _)| *due == at) {
                self.tell_squares(&changes, at, now, &mut happened);
            }
        }
        self.speak(now, &mut happened);
        if self.finish_after_touches && self.idle_touches.is_empty() && self.unscanned.is_none() {
            self.finish_after_touches = false;
            happened.notices.push(Notice::Finished);
        }
        happened
    }

    /// One thing that the players do.
    fn play(&mut self, at: i64, now: i64, happened: &mut Happened) {
        let Some(sitting) = &mut self.sitting else { return };
        let Some((_, todo)) = sitting.todo.pop_front() else {
            return;
        };
        let side_to_move = mover(sitting);
        match todo {
            Todo::Touch(touch) => self.touch(touch, at, now, happened),
            Todo::Press => {
                let side = self.side(side_to_move);
                if self.clock.press(side, at) {
                    let press = pb::Press {
                        side: wire_side(Some(side)),
                        clock: Some(clock_state(&self.clock)),
                    };
                    self.tell(0, What::Press(press), at, now, happened);
                }
                self.look_again = Some(at + self.equipment.scan_ms + 1);
                if let Some(mut sitting) = self.sitting.take() {
                    happened.notices.push(Notice::Pressed(sitting.turn));
                    sitting.turn += 1;
                    sitting.ran_ms = 0;
                    sitting.since = None;
                    sitting.todo = self.todo(&sitting);
                    self.sitting = Some(sitting);
                }
                self.follow_clock(at);
            }
            Todo::Call(call) => {
                self.stop_by_button(side_to_move, at, now, happened);
                happened.notices.push(Notice::Called(call));
            }
            Todo::Stop => {
                let kings_first = sitting.game.kings_first;
                self.stop_by_button(side_to_move, at, now, happened);
                if kings_first {
                    self.kings(at);
                }
                self.finish_after_touches = true;
            }
            Todo::Finish => self.finish_after_touches = true,
        }
    }

    fn stop_by_button(&mut self, by: Color, at: i64, now: i64, happened: &mut Happened) {
        self.clock.stop(at);
        let button = pb::Button {
            kind: pb::button::Kind::Pause.into(),
            side: wire_side(Some(self.side(by))),
            clock: Some(clock_state(&self.clock)),
            ..pb::Button::default()
        };
        self.tell(0, What::Button(button), at, now, happened);
        self.follow_clock(at);
    }

    /// Whether the time of the player to move runs has changed, perhaps.
    fn follow_clock(&mut self, at: i64) {
        let running = self.clock.running();
        let white_side = self.equipment.white_side;
        let Some(sitting) = &mut self.sitting else { return };
        let side = if mover(sitting) == Color::White {
            white_side
        } else {
            white_side.other()
        };
        let runs = sitting.ready && running == Some(side);
        match (sitting.since, runs) {
            (None, true) => sitting.since = Some(at),
            (Some(since), false) => {
                sitting.ran_ms += at - since;
                sitting.since = None;
            }
            _ => {}
        }
    }

    fn touch(&mut self, touch: Touch, at: i64, now: i64, happened: &mut Happened) {
        let Some(_) = self.board_device() else { return };
        self.board.discard_piece_at(touch.square);
        if let Some(piece) = touch.now {
            self.board.set_piece_at(touch.square, piece);
        }
        if self.equipment.scan_ms <= 0 {
            self.tell_squares(&[(touch.square, touch.now)], at, now, happened);
            return;
        }
        let scan = self.equipment.scan_ms;
        let (_, changes) = self
            .unscanned
            .get_or_insert_with(|| ((at / scan + 1) * scan, Vec::new()));
        changes.push((touch.square, touch.now));
    }

    fn tell_squares(&mut self, changes: &[(Square, Option<Piece>)], at: i64, now: i64, happened: &mut Happened) {
        let Some(device) = self.board_device() else { return };
        let changes = changes.iter().map(|&(square, now)| pb::SquareChange {
            square: self.own_square(square).to_string(),
            now: now.map(|piece| self.letter(piece).to_string()).unwrap_or_default(),
        });
        let squares = pb::SquaresChanged {
            changes: changes.collect(),
        };
        self.tell(device, What::Squares(squares), at, now, happened);
    }

    fn own_square(&self, square: Square) -> Square {
        if self.equipment.board_turned {
            square.rotate_180()
        } else {
            square
        }
    }

    fn letter(&self, piece: Piece) -> char {
        if self.tells_pieces() { piece.char() } else { 'x' }
    }

    /// What stands on the board, as the device sees it.
    fn placement(&self) -> String {
        let rank = |rank: u32| {
            let mut text = String::new();
            let mut empty = 0;
            for file in 0..8 {
                let square = Square::from_coords(shakmaty::File::new(file), shakmaty::Rank::new(rank));
                match self.board.piece_at(self.own_square(square)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text += &empty.to_string();
                        }
                        empty = 0;
                        text.push(self.letter(piece));
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text
        };
        (0..8).rev().map(rank).collect::<Vec<_>>().join("/")
    }

    fn tell(&mut self, device: usize, what: What, at: i64, now: i64, happened: &mut Happened) {
        let out = self.devices[device].report(what, at, now);
        happened.out.push((device, out));
    }

    /// Signs of life that are due: with what the clock shows at the sending, everything before it told.
    fn speak(&mut self, now: i64, happened: &mut Happened) {
        self.clock.count_to(now);
        let looks = self.look_again.take_if(|due| *due <= now).is_some();
        for device in 0..self.devices.len() {
            let due = self.next_vital[device] <= now;
            if self.alive[device] && (due || looks && device == 0) {
                let out = self.devices[device].vital(now, (device == 0).then_some(&self.clock), None);
                happened.out.push((device, out));
            }
            if due {
                let every = if device == 0 { VITAL_MS } else { BOARD_VITAL_MS };
                self.next_vital[device] = now + every.max(self.least_vital_ms);
            }
        }
    }

    /// Connected to the broker, and the hall's state is known.
    pub fn connected(&mut self, device: usize, now: i64) -> Happened {
        let mut happened = self.wake(now);
        self.alive[device] = true;
        self.next_vital[device] = now + 1;
        self.clock.count_to(now);
        let placement = self.placement_of(device);
        let clock = (device == 0).then_some(&self.clock);
        let out = self.devices[device].connected(now, clock, placement);
        happened.out.extend(out.into_iter().map(|out| (device, out)));
        happened
    }

    fn placement_of(&self, device: usize) -> String {
        if self.board_device() == Some(device) {
            self.placement()
        } else {
            String::new()
        }
    }

    /// The connection is gone. The table goes on.
    pub fn disconnected(&mut self, device: usize) {
        self.alive[device] = false;
    }

    /// An order for the clock.
    pub fn order(&mut self, order: &pb::Order, now: i64) -> Happened {
        let mut happened = self.wake(now);
        self.clock.count_to(now);
        let out = self.devices[0].order(order, now, &mut self.clock);
        happened.out.push((0, out));
        if let Some(pb::order::What::Control(_)) = order.what
            && let Some(sitting) = &mut self.sitting
            && self.clock.has_control()
        {
            sitting.ready = true;
            happened.notices.push(Notice::Ready);
        }
        self.follow_clock(now);
        happened
    }

    /// Reports have become durable.
    pub fn seen(&mut self, device: usize, seen: &pb::Seen, now: i64) -> Happened {
        let mut happened = self.wake(now);
        self.clock.count_to(now);
        let placement = self.placement_of(device);
        let clock = (device == 0).then_some(&self.clock);
        let out = self.devices[device].seen(seen, now, clock, placement);
        happened.out.extend(out.into_iter().map(|out| (device, out)));
        happened
    }

    /// The hub asks for the time.
    pub fn probe(&mut self, device: usize, probe: &pb::TimeProbe, now: i64) -> Happened {
        let mut happened = self.wake(now);
        self.clock.count_to(now);
        let out = self.devices[device].vital(now, (device == 0).then_some(&self.clock), Some(probe));
        happened.out.push((device, out));
        happened
    }
}

/// Who is to move.
fn mover(sitting: &Sitting) -> Color {
    let turns = &sitting.game.turns;
    match (turns.get(sitting.turn), turns.last()) {
        (Some(turn), _) => turn.by,
        (None, Some(last)) => last.by.other(),
        (None, None) => sitting
            .game
            .start()
            .map_or(Color::White, |start| shakmaty::Position::turn(&start)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use shakmaty::Position;

    use super::*;
    use crate::device::codec;
    use crate::sim::plan::index;
    use crate::sim::{games, plan};

    fn equipment(board: BoardKind, split: bool, seed: u64) -> Equipment {
        Equipment {
            table: 1,
            board,
            split,
            white_side: if seed.is_multiple_of(2) {
                Side::Left
            } else {
                Side::Right
            },
            board_turned: seed % 3 == 1,
            scan_ms: [0, 41, 200][seed as usize % 3],
            format: if seed.is_multiple_of(5) {
                Format::Json
            } else {
                Format::Protobuf
            },
            counter: (u64::from(u32::MAX) - 400_000, 32),
        }
    }

    /// A hub of a few lines: gives the control, lets the clock run, does what an arbiter is called for.
    struct Hub {
        table: Table,
        orders: u64,
        reports: Vec<(usize, pb::Report)>,
        pressed: usize,
        ended: Vec<Notice>,
    }

    impl Hub {
        fn order(&mut self, what: pb::order::What, now: i64) {
            self.orders += 1;
            let decided = self.table.devices()[0].made() as i64 - 1;
            let order = pb::Order {
                id: format!("o{}", self.orders),
                epoch: 1,
                boot: 5,
                decided_seq: decided,
                expires_ms: 0,
                what: Some(what),
            };
            let happened = self.table.order(&order, now);
            self.take(happened, now);
        }

        fn take(&mut self, happened: Happened, now: i64) {
            for (device, out) in happened.out {
                if out.up == crate::device::topics::Up::Report {
                    self.reports
                        .push((device, codec::decode_wire(&out.payload).expect("reads")));
                }
            }
            for notice in happened.notices {
                match notice {
                    Notice::Pressed(_) => self.pressed += 1,
                    Notice::Called(call) => {
                        let white_left = self.table.equipment.white_side == Side::Left;
                        let left = white_left == (call.side == Color::White);
                        let add = if left { (call.by_ms, 0) } else { (0, call.by_ms) };
                        // Long after, and it costs nobody anything.
                        let later = now + 100_000;
                        self.order(
                            pb::order::What::Add(pb::AddTime {
                                left_ms: add.0,
                                right_ms: add.1,
                            }),
                            later,
                        );
                        let mover = self.table.sitting.as_ref().map(mover).expect("a game");
                        let side = wire_side(Some(self.table.side(mover)));
                        self.order(pb::order::What::Run(pb::Run { side }), later + 7);
                    }
                    ended => self.ended.push(ended),
                }
            }
        }
    }

    fn play(game: &Arc<Game>, board: BoardKind, split: bool, seed: u64) -> Hub {
        let table = Table::new(equipment(board, split, seed), [5, 6], Dice::new(seed));
        let mut hub = Hub {
            table,
            orders: 0,
            reports: Vec::new(),
            pressed: 0,
            ended: Vec::new(),
        };
        let happened = hub.table.sit_down(Arc::clone(game), 1, 10);
        hub.take(happened, 10);
        let bonus = pb::period::Bonus::Increment.into();
        let bonus_ms = game.control.increment_ms as u64;
        let period = |moves, time_ms: i64| pb::Period {
            moves,
            time_ms: time_ms as u64,
            bonus,
            bonus_ms,
        };
        let periods = match game.control.second {
            None => vec![period(0, game.control.first_ms)],
            Some((moves, more)) => vec![period(moves, game.control.first_ms), period(0, more)],
        };
        let start = game.control.start_ms() as u64;
        let control = pb::SetControl {
            periods,
            added_on_moves: true,
            white: wire_side(Some(hub.table.equipment.white_side)),
            left_ms: start,
            right_ms: start,
            freeze: true,
        };
        hub.order(pb::order::What::Control(control), 20);
        let side = wire_side(Some(hub.table.equipment.white_side));
        hub.order(pb::order::What::Run(pb::Run { side }), 500);
        // Woken late, by whatever comes.
        let mut dice = Dice::new(seed + 99);
        let mut now = 500;
        while !hub
            .ended
            .iter()
            .any(|notice| matches!(notice, Notice::Finished | Notice::Flagged(_)))
        {
            now = hub.table.next_due().expect("something is due").max(now) + dice.between(0, 3000);
            let happened = hub.table.wake(now);
            hub.take(happened, now);
        }
        hub
    }

    #[test]
    fn every_press_shows_what_the_plan_says_and_the_board_ends_as_the_game_does() {
        let games: Vec<Arc<Game>> = plan::plan(&games::all().expect("reads"), 3)
            .into_iter()
            .map(Arc::new)
            .collect();
        for (seed, game) in (0..).zip(&games) {
            let kind = if seed % 2 == 0 {
                BoardKind::Pieces
            } else {
                BoardKind::Occupancy
            };
            let hub = play(game, kind, seed % 4 == 3, seed);
            let place = &game.source;
            assert_eq!(
                hub.pressed,
                game.turns.iter().filter(|turn| turn.pressed).count(),
                "{place}"
            );
            let presses = hub.reports.iter().filter_map(|(_, report)| match &report.what {
                Some(What::Press(press)) => Some((report.event_ms, press)),
                _ => None,
            });
            let mut last = None;
            for ((at, press), turn) in presses.zip(&game.turns) {
                let clock = press.clock.as_ref().expect("a clock");
                let mut shows = [clock.left_ms as i64, clock.right_ms as i64];
                if hub.table.equipment.white_side == Side::Right {
                    shows.reverse();
                }
                assert_eq!(shows, turn.shows_ms, "{place} {}", turn.san);
                // Where nobody stopped the clocks the presses are as far apart as the mover thought.
                if let (Some(before), None) = (last, turn.call) {
                    let apart = u64::wrapping_sub(at, before) & u64::from(u32::MAX);
                    assert_eq!(apart, turn.think_ms as u64, "{place}");
                }
                last = Some(at);
            }
            if game.kings.is_empty() && matches!(game.ending, Ending::Decided { .. } | Ending::OnTheBoard(_)) {
                let mut position = game.start().expect("a start");
                for turn in &game.turns {
                    position.play_unchecked(turn.mv);
                }
                assert_eq!(hub.table.board, *position.board(), "{place}");
                let seen = seen_by_device(&hub);
                assert_eq!(
                    seen,
                    hub.table.placement(),
                    "{place}: what was reported adds up to the board"
                );
            }
        }
    }

    /// The picture that the reports of squares add up to.
    fn seen_by_device(hub: &Hub) -> String {
        let mut squares: BTreeMap<String, String> = BTreeMap::new();
        for (_, report) in &hub.reports {
            match &report.what {
                Some(What::Placement(whole)) => {
                    squares.clear();
                    for (row, rank) in whole.squares.split('/').zip((1..=8).rev()) {
                        let mut file = b'a';
                        for c in row.chars() {
                            match c.to_digit(10) {
                                Some(empty) => file += empty as u8,
                                None => {
                                    squares.insert(format!("{}{rank}", file as char), c.to_string());
                                    file += 1;
                                }
                            }
                        }
                    }
                }
                Some(What::Squares(changed)) => {
                    for change in &changed.changes {
                        if change.now.is_empty() {
                            squares.remove(&change.square);
                        } else {
                            squares.insert(change.square.clone(), change.now.clone());
                        }
                    }
                }
                _ => {}
            }
        }
        let rank = |rank: u32| {
            let cells = ('a'..='h').map(|file| squares.get(&format!("{file}{rank}")).cloned().unwrap_or("1".into()));
            cells.collect::<String>()
        };
        let text = (1..=8).rev().map(rank).collect::<Vec<_>>().join("/");
        // Runs of empty squares as a FEN counts them.
        (2..=8)
            .rev()
            .fold(text, |text, n| text.replace(&"1".repeat(n), &n.to_string()))
    }

    #[test]
    fn a_flag_stops_the_table_and_the_late_move_comes_after_it() {
        let games = plan::plan(&games::all().expect("reads"), 3);
        let game = games
            .into_iter()
            .find(|game| matches!(game.ending, Ending::Flag { .. }))
            .map(Arc::new)
            .expect("one");
        let mut hub = play(&game, BoardKind::Pieces, false, 4);
        let loser = game.turns.last().map(|turn| turn.by.other()).expect("turns");
        assert!(hub.ended.contains(&Notice::Flagged(loser)));
        let Some((
            _,
            pb::Report {
                what: Some(What::Flag(flag)),
                ..
            },
        )) = hub.reports.last()
        else {
            panic!("a flag")
        };
        let clock = flag.clock.as_ref().expect("a clock");
        assert_eq!([clock.left_ms, clock.right_ms][(index(loser) + 4) % 2], 0);
        let before = hub.table.board.clone();
        hub.table.move_late(1 << 40);
        let happened = hub.table.wake((1 << 40) + 10_000);
        hub.take(happened, 0);
        assert_ne!(hub.table.board, before);
        assert!(hub.ended.contains(&Notice::Finished));
    }

    #[test]
    fn the_same_seed_makes_the_same_reports() {
        let games = plan::plan(&games::all().expect("reads"), 3);
        let game = Arc::new(games[5].clone());
        let what = |seed| {
            play(&game, BoardKind::Pieces, false, seed)
                .reports
                .into_iter()
                .map(|(_, r)| r.what)
                .collect::<Vec<_>>()
        };
        assert_eq!(what(6), what(6));
    }
}
