//! The state of a table: all that is known of a game, as a value. Only the `table` changes it, and events carry the
//! difference, so that replay needs no Laws.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::appeal::Appeal;
use super::input::{Fact, Happening, Input, Origin};
use super::item::{Bound, Kind, OpenItem};
use super::mating::Question;
use super::orders::{Want, WantCount, Wanted};
use super::setup::{BoardKind, ClockKind, GameSetup};
use crate::chess::{Color, Illegality, Move, Picture, Piece, Position, Sensor, Square, Variant};
use crate::laws::clock::{Gain, Half};
use crate::laws::{Clock, GameResult, Termination};
use crate::time::{HallTime, Millis};

/// One half-move of the record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ply {
    /// Who moved.
    pub by: Color,
    /// What.
    pub mv: Move,
    /// How the record writes it.
    pub san: String,
    /// Why it is illegal, if it is.
    pub illegal: Option<Illegality>,
    /// When it was made (4.7).
    pub made: HallTime,
    /// The press that completed it.
    pub pressed: Option<Pressed>,
    /// Completed, by a press or because its player has made his next move (6.2.1.2).
    pub completed: bool,
    /// Moves completed by White and Black when it was made.
    pub before: [u32; 2],
    /// The board could not tell the promoted piece.
    pub unconfirmed: bool,
    /// What an illegal move was seen to lift, in its order (4.3); empty where no board saw it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touched: Vec<Square>,
    /// The position after it.
    pub after: Arc<Position>,
}

/// A press that counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pressed {
    /// Whose.
    pub by: Color,
    /// When.
    pub at: HallTime,
    /// What his clock showed after it.
    pub shows: Millis,
    /// What it gave him.
    pub gain: Gain,
    /// Moves completed by White and Black before it.
    pub before: [u32; 2],
}

/// The half-moves so far; cheap to copy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Record(Arc<Vec<Arc<Ply>>>);

impl std::ops::Deref for Record {
    type Target = [Arc<Ply>];

    fn deref(&self) -> &[Arc<Ply>] {
        &self.0
    }
}

impl Record {
    /// One more.
    pub fn push(&mut self, ply: Ply) {
        Arc::make_mut(&mut self.0).push(Arc::new(ply));
    }

    /// Only so many stay; the others come back.
    pub fn truncate(&mut self, keep: usize) -> Vec<Arc<Ply>> {
        if keep >= self.0.len() {
            return Vec::new();
        }
        Arc::make_mut(&mut self.0).split_off(keep)
    }

    /// Changes one.
    pub fn edit(&mut self, ply: usize, change: impl FnOnce(&mut Ply)) {
        if let Some(ply) = Arc::make_mut(&mut self.0).get_mut(ply) {
            change(Arc::make_mut(ply));
        }
    }

    /// These at the end again.
    pub fn extend(&mut self, plies: &[Arc<Ply>]) {
        Arc::make_mut(&mut self.0).extend_from_slice(plies);
    }
}

/// How the record differs from an earlier one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordChange {
    keep: usize,
    add: Vec<Arc<Ply>>,
}

/// What the table's board shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Board {
    /// The picture and how it came about.
    pub sensor: Sensor,
    /// When it last changed.
    pub changed: HallTime,
}

impl Board {
    /// What a board of this kind shows of a position.
    pub fn showing(kind: BoardKind, position: &Position, masked: &[Square]) -> Option<Arc<Board>> {
        let kind = match kind {
            BoardKind::Pieces => crate::chess::sensing::Kind::Pieces,
            BoardKind::Occupancy => crate::chess::sensing::Kind::Occupancy,
            BoardKind::None => return None,
        };
        Some(Arc::new(Board {
            sensor: Sensor::masked(kind, position, masked),
            changed: HallTime(i64::MIN),
        }))
    }

    /// A fact that a board tells changes the picture, and nothing else is done about it here. Whether it was one.
    pub fn sense(&mut self, fact: &Fact, at: HallTime) -> bool {
        match fact {
            Fact::Lifted { square } => self.sensor.lift(*square),
            Fact::Put { square, piece } => {
                self.sensor
                    .put(*square, piece.map(|(color, role)| Piece { color, role }));
            }
            Fact::Placed { placement } => match placement.parse::<Picture>() {
                Ok(picture) => self.sensor.place(&picture),
                Err(_) => return false,
            },
            _ => return false,
        }
        self.changed = self.changed.max(at);
        true
    }
}

/// A press that the board has not explained yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unexplained {
    /// The press.
    pub pressed: Pressed,
    /// The clock before it: an ending that the picture shows dates from before the press.
    pub clock: Clock,
    /// When it is to be judged.
    pub until: HallTime,
    /// The legal move that the picture showed at the press already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Move>,
}

impl Unexplained {
    /// A press that has been judged.
    pub fn judged(pressed: Pressed, clock: Clock) -> Unexplained {
        Unexplained {
            pressed,
            clock,
            until: pressed.at,
            shown: None,
        }
    }
}

/// A picture that shows the game's end and has to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// When the last piece was put down.
    pub since: HallTime,
    /// The clock of that moment.
    pub clock: Clock,
}

/// What the players have been told beyond clock times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// An arbiter stopped the clocks.
    Stopped,
    /// A ruling was carried out.
    Ruling,
    /// The result.
    Result,
}

impl Told {
    /// In the words of the cases.
    pub fn name(self) -> &'static str {
        match self {
            Told::Stopped => "stopped",
            Told::Ruling => "ruling",
            Told::Result => "result",
        }
    }
}

/// The game's end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// With this result.
    pub result: GameResult,
    /// For this reason.
    pub termination: Termination,
    /// When.
    pub at: HallTime,
    /// Known to the hall: by a ruling, the players themselves, or an arbiter's acknowledgement.
    pub announced: bool,
    /// The state before the move or act that ended it, its record left empty.
    pub before: Arc<State>,
    /// So many half-moves of the present record were there before.
    pub keep: usize,
    /// And these after them.
    pub tail: Vec<Arc<Ply>>,
}

/// What a fuller search has said (6.9).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchVerdict {
    /// The position, its first four fields.
    pub fen4: String,
    /// Who would have to mate.
    pub winner: Color,
    /// Whether he can.
    pub can_mate: Option<bool>,
    /// For people.
    pub evidence: String,
    /// The mating line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<Move>,
}

macro_rules! state {
    ($($(#[$doc:meta])* $field:ident: $kind:ty,)*) => {
        /// All that is known of a game.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        pub struct State {
            $($(#[$doc])* pub $field: $kind,)*
            /// The moves.
            pub record: Record,
            /// The board's picture, where there is a board.
            pub board: Option<Arc<Board>>,
        }

        /// What became of a state in one step: only the parts that changed, each as it is now.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Change {
            $(#[serde(default, skip_serializing_if = "Option::is_none")] $field: Option<($kind,)>,)*
            #[serde(default, skip_serializing_if = "Option::is_none")]
            record: Option<RecordChange>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            board: Option<(Option<Arc<Board>>,)>,
            /// The board's picture took the step's own input, nothing more.
            #[serde(default, skip_serializing_if = "std::ops::Not::not")]
            sensed: bool,
        }

        impl State {
            /// What led from `before` to here by this input.
            pub fn change_since(&self, before: &State, input: Option<&Input>) -> Change {
                let mut change = Change::default();
                $(if self.$field != before.$field {
                    change.$field = Some((self.$field.clone(),));
                })*
                change.record = self.record.change_since(&before.record);
                if !same_board(&self.board, &before.board) {
                    let sensed = sensed(&before.board, input);
                    if sensed.is_some() && sensed == self.board {
                        change.sensed = true;
                    } else {
                        change.board = Some((self.board.clone(),));
                    }
                }
                change
            }

            /// Takes a change that was made with this input.
            pub fn apply(&mut self, change: &Change, input: Option<&Input>) -> Result<(), &'static str> {
                $(if let Some((value,)) = &change.$field {
                    self.$field = value.clone();
                })*
                if let Some(record) = &change.record {
                    self.record.apply(record)?;
                }
                if change.sensed {
                    self.board = sensed(&self.board, input);
                }
                if let Some((board,)) = &change.board {
                    self.board = board.clone();
                }
                Ok(())
            }
        }
    };
}

fn same_board(a: &Option<Arc<Board>>, b: &Option<Arc<Board>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a == b,
        (None, None) => true,
        _ => false,
    }
}

fn sensed(board: &Option<Arc<Board>>, input: Option<&Input>) -> Option<Arc<Board>> {
    let Happening::Fact(fact) = &input?.what else {
        return board.clone();
    };
    let mut board = board.as_deref()?.clone();
    board.sense(fact, input?.at);
    Some(Arc::new(board))
}

impl Record {
    fn change_since(&self, before: &Record) -> Option<RecordChange> {
        if Arc::ptr_eq(&self.0, &before.0) {
            return None;
        }
        let same = self
            .iter()
            .zip(before.iter())
            .take_while(|(a, b)| Arc::ptr_eq(a, b) || a == b)
            .count();
        if same == self.len() && same == before.len() {
            return None;
        }
        Some(RecordChange {
            keep: same,
            add: self[same..].to_vec(),
        })
    }

    fn apply(&mut self, change: &RecordChange) -> Result<(), &'static str> {
        if change.keep > self.len() {
            return Err("it keeps more half-moves than there are");
        }
        self.truncate(change.keep);
        self.extend(&change.add);
        Ok(())
    }
}

state! {
    /// The table time that the state has come to.
    time: HallTime,
    /// When the round was called.
    started: Option<HallTime>,
    /// Both times.
    clock: Clock,
    /// Who is at the board: White, Black.
    present: [bool; 2],
    /// Whether the default time has passed and was looked at.
    absence_judged: bool,
    /// The last position that was set and not played, and after how many half-moves.
    base: (usize, Arc<Position>),
    /// Who has the move where moves are not known.
    bare_turn: Color,
    /// Presses where moves are not known.
    bare_presses: Arc<Vec<Pressed>>,
    /// Where moves are not known, and an arbiter has told the position: after so many presses, and so many half-moves of the record.
    #[serde(default)]
    told_position: Option<(usize, usize)>,
    /// Each player's last press that counted.
    last_press: [Option<Pressed>; 2],
    /// The side that has the move has pressed without one.
    passed: bool,
    /// That press, as far as the hub has found so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    without_move: Option<Unexplained>,
    /// Presses whose moves the board may still be about to show, in their order.
    waiting: Vec<Unexplained>,
    /// A press at which the board disagreed.
    puzzling: Option<Unexplained>,
    /// Which device tells of the board, and how far its time may be off.
    board_from: Option<(String, Option<Millis>)>,
    /// In which boot it has told its picture; of a board that has told none yet, what was touched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    board_boot: Option<u32>,
    /// The same of the clock.
    #[serde(default)]
    clock_from: Option<(String, Option<Millis>)>,
    /// Reports of the board are gone: its picture is not believed against anybody until it shows everything.
    #[serde(default)]
    picture_gap: bool,
    /// The board has told nothing since then, and presses wait for its picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    away: Option<HallTime>,
    /// The record may lack moves until the whole picture is that of its position.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    behind: bool,
    /// Reports of a clock that is a device of its own are gone: there may have been presses among them, whose moves are on the board and not
    /// on the record. Until a press has its move again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    presses_lost: bool,
    /// Devices of the table that are silent.
    #[serde(default)]
    silent: Vec<String>,
    /// A picture of the game's end.
    standing: Option<Standing>,
    /// What waits for an arbiter, oldest first.
    items: Arc<Vec<Arc<OpenItem>>>,
    /// Illegal moves punished.
    illegal: [u32; 2],
    /// Whose draw offer stands.
    offer: Option<Color>,
    /// What a player is bound to, and who.
    bound: Option<(Color, Bound)>,
    /// What the players have been told.
    told: Vec<Told>,
    /// The game's end.
    ending: Option<Arc<Ending>>,
    /// What the clock on the table is still to do.
    wants: Vec<Want>,
    /// The wants that were done by hand, by their numbers: a clock's answer that comes after all does not do them again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    by_hand: Vec<u64>,
    /// The wants for other times that a game begun anew has overtaken, by their numbers: the clock gets its times with the control, and an
    /// answer that comes after all says nothing of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    overtaken: Vec<u64>,
    /// The clock as it was before a stop or a run that it has not answered was counted as done by hand, while nothing is heard of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unheard: Option<Clock>,
    /// A run that was sent to the clock and is not wanted any more; until the clock says a word it may have been made. Whose, and since when
    /// it was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    may_run: Option<(Color, HallTime)>,
    /// The clock has run on though it was to stand.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    ran_on: bool,
    /// How many wants there were of late, by which they are known again.
    wanted: WantCount,
    /// The round was called, nobody was there, and nobody's time runs until somebody comes (6.7.2).
    #[serde(default)]
    nobody_there: bool,
    /// Started at the clock by hand before the round was called.
    hand_started: Option<HallTime>,
    /// Presses from the side whose clock does not run, before the first from the one whose clock does.
    #[serde(default)]
    contrary: u32,
    /// Rulings so far.
    rulings: u32,
    /// What fuller searches said.
    verdicts: Arc<Vec<SearchVerdict>>,
    /// What they are asked besides what open items rest on.
    #[serde(default)]
    asks: Arc<Vec<Question>>,
    /// What was appealed against.
    #[serde(default)]
    appeals: Arc<Vec<Appeal>>,
    /// What the board shows on these squares counts for nothing.
    #[serde(default)]
    masked: Vec<Square>,
    /// The game goes on without the table's board.
    #[serde(default)]
    without_board: bool,
}

impl State {
    /// Before the start.
    pub fn new(setup: &GameSetup) -> State {
        let start = Arc::new(start_position(setup));
        let shown = setup.time_control.start(setup.first_increment);
        let half = |given: Option<Millis>| Half {
            left: given.unwrap_or(shown).at_least_zero(),
            completed: setup.moves_done,
            period: starting_period(setup),
            ..Half::default()
        };
        State {
            time: HallTime(i64::MIN),
            started: None,
            clock: Clock::new(half(setup.white_time), half(setup.black_time)),
            present: [setup.present.0, setup.present.1],
            absence_judged: false,
            bare_turn: start.turn(),
            bare_presses: Arc::default(),
            told_position: None,
            last_press: [None; 2],
            passed: false,
            without_move: None,
            waiting: Vec::new(),
            puzzling: None,
            board_from: None,
            board_boot: None,
            clock_from: None,
            picture_gap: false,
            away: None,
            behind: false,
            presses_lost: false,
            silent: Vec::new(),
            standing: None,
            items: Arc::default(),
            illegal: [setup.illegal_done.0, setup.illegal_done.1],
            offer: None,
            bound: None,
            told: Vec::new(),
            ending: None,
            wants: Vec::new(),
            by_hand: Vec::new(),
            overtaken: Vec::new(),
            unheard: None,
            may_run: None,
            ran_on: false,
            wanted: WantCount::default(),
            nobody_there: false,
            hand_started: None,
            contrary: 0,
            rulings: 0,
            verdicts: Arc::default(),
            asks: Arc::default(),
            appeals: Arc::default(),
            masked: Vec::new(),
            without_board: false,
            record: Record::default(),
            board: Board::showing(setup.board, &start, &[]),
            base: (0, start),
        }
    }

    /// The same table with its game begun anew (7.2.1, 7.3): its devices, who is at the board, and what arbiters have said of all this stay
    /// as they are. Every field is named, so that a new one is not forgotten here.
    pub fn begun_anew(self, setup: &GameSetup) -> State {
        let fresh = State::new(setup);
        let changes = self
            .wants
            .iter()
            .filter(|want| matches!(want.what, Wanted::Change { .. }));
        let dropped = changes.map(|want| want.id);
        let overtaken = self
            .overtaken
            .iter()
            .chain(&self.by_hand)
            .copied()
            .chain(dropped)
            .collect();
        State {
            time: self.time,
            started: self.started,
            present: self.present,
            absence_judged: self.absence_judged,
            board_from: self.board_from,
            board_boot: self.board_boot,
            clock_from: self.clock_from,
            silent: self.silent,
            items: self.items,
            told: self.told,
            wants: self.wants,
            overtaken,
            ran_on: self.ran_on,
            wanted: self.wanted,
            rulings: self.rulings,
            verdicts: self.verdicts,
            asks: self.asks,
            appeals: self.appeals,
            masked: self.masked,
            without_board: self.without_board,
            clock: fresh.clock,
            base: fresh.base,
            bare_turn: fresh.bare_turn,
            bare_presses: fresh.bare_presses,
            told_position: fresh.told_position,
            last_press: fresh.last_press,
            passed: fresh.passed,
            without_move: fresh.without_move,
            waiting: fresh.waiting,
            puzzling: fresh.puzzling,
            picture_gap: fresh.picture_gap,
            away: fresh.away,
            behind: fresh.behind,
            presses_lost: fresh.presses_lost,
            standing: fresh.standing,
            illegal: fresh.illegal,
            offer: fresh.offer,
            bound: fresh.bound,
            ending: fresh.ending,
            by_hand: fresh.by_hand,
            unheard: fresh.unheard,
            may_run: fresh.may_run,
            nobody_there: fresh.nobody_there,
            hand_started: fresh.hand_started,
            contrary: fresh.contrary,
            record: fresh.record,
            board: fresh.board,
        }
    }

    /// Whether another device tells of the board than before, or one that knows less of how far its time may be off: by more than a
    /// quarter, for every bar grows a little until the next exchange.
    pub fn is_another_board(&self, teller: &Origin) -> bool {
        let (Some(_), Origin::Device { device, boot, bar, .. }) = (&self.board, teller) else {
            return false;
        };
        if self.board_boot.is_some_and(|told| told != *boot) {
            return true;
        }
        let grown = |before: Option<Millis>| match (before, bar) {
            (Some(before), Some(bar)) => bar.0 > before.0.saturating_add(before.0 / 4),
            (before, bar) => before.is_some() && bar.is_none(),
        };
        match &self.board_from {
            Some((board, before)) => board != device || grown(*before),
            None => true,
        }
    }

    /// What the board that counts can see.
    pub fn board_kind(&self, setup: &GameSetup) -> BoardKind {
        if self.without_board {
            BoardKind::None
        } else {
            setup.board
        }
    }

    /// Whether the board is known to show this picture.
    pub fn board_shows(&self, placement: &str) -> bool {
        let shown = self.board.as_ref().map(|board| board.sensor.picture());
        shown.is_some() && shown == placement.parse().ok()
    }

    /// The position of record.
    pub fn position(&self) -> &Arc<Position> {
        match self.record.last() {
            Some(ply) if self.record.len() > self.base.0 => &ply.after,
            _ => &self.base.1,
        }
    }

    /// The position after so many half-moves.
    pub fn position_after(&self, plies: usize) -> &Arc<Position> {
        match plies.checked_sub(1).and_then(|last| self.record.get(last)) {
            Some(ply) if plies > self.base.0 => &ply.after,
            _ => &self.base.1,
        }
    }

    /// Where the record begins, and where a position was set in it: half-moves before, and the whole FEN.
    pub fn starts(&self, setup: &GameSetup) -> Vec<(u32, String)> {
        let (plies, set) = &self.base;
        let mut starts = Vec::new();
        if *plies > 0 {
            starts.push((0, State::new(setup).base.1.full_fen()));
        }
        starts.push((u32::try_from(*plies).unwrap_or(u32::MAX), set.full_fen()));
        starts
    }

    /// How many half-moves of the record there are with this player's move of this number.
    pub fn plies_of(&self, number: u32, mover: Color) -> usize {
        let (set, position) = &self.base;
        let black_first = usize::from(position.turn() == Color::Black);
        let moves = (number as usize).saturating_sub(position.fullmoves() as usize);
        let after = 2 * moves + 1 + usize::from(mover == Color::Black);
        set + after.saturating_sub(black_first)
    }

    /// After how many half-moves of the record this position stood, the latest first (9.2.3).
    pub fn stood<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = usize> + 'a {
        // What came before a capture or a pawn move cannot come again.
        let reach = position.halfmoves() as usize + 1;
        let (base, _) = self.base;
        let all = (base..=self.record.len()).rev().take(reach + 1);
        all.filter(move |plies| self.position_after(*plies).is_same(position))
    }

    /// Whose time is to run: a press has ended its player's turn also while its move is not known, because it waits for the board,
    /// or the board has not shown what explains it and nobody has ruled on that.
    pub fn to_run(&self, setup: &GameSetup) -> Color {
        if let Some(press) = self.waiting.last() {
            return press.pressed.by.other();
        }
        // A press without a move that was dismissed leaves the move with its player.
        let open = |item: &std::sync::Arc<OpenItem>| item.key.kind == Kind::IllegalMove;
        let unexplained = self.puzzling.is_some() || self.passed && self.items.iter().any(open);
        match self.last_press.iter().flatten().max_by_key(|press| press.at) {
            Some(press) if unexplained => press.by.other(),
            _ => self.turn(setup),
        }
    }

    /// Who has the move (1.3). Where there is no board it goes by the presses, but for moves that were entered and not pressed.
    pub fn turn(&self, setup: &GameSetup) -> Color {
        let ahead = || {
            self.ply_of(self.bare_presses.len())
                .is_some_and(|plies| plies < self.record.len())
        };
        if self.board_kind(setup) == BoardKind::None && !ahead() {
            self.bare_turn
        } else {
            self.position().turn()
        }
    }

    // Where there is no board

    /// The half-move that the press of this number completes, both from 0.
    pub fn ply_of(&self, press: usize) -> Option<usize> {
        let (presses, plies) = self.told_position.unwrap_or_default();
        Some(press.checked_sub(presses)? + plies)
    }

    /// The press that completed this half-move.
    pub fn press_of(&self, ply: usize) -> Option<&Pressed> {
        let (presses, plies) = self.told_position.unwrap_or_default();
        self.bare_presses.get(ply.checked_sub(plies)? + presses)
    }

    /// Whether the position of record is the one on the table, as far as anybody has told: a board shows it, or all that was pressed was
    /// entered by hand.
    pub fn knows_the_position(&self, setup: &GameSetup) -> bool {
        if self.board_kind(setup) != BoardKind::None {
            return true;
        }
        let entered = self
            .ply_of(self.bare_presses.len())
            .is_some_and(|plies| plies <= self.record.len());
        let told = setup.clock != ClockKind::None || !self.record.is_empty() || self.told_position.is_some();
        entered && told
    }

    /// The position of record was set by hand.
    pub fn position_was_told(&mut self, setup: &GameSetup) {
        if self.board_kind(setup) == BoardKind::None {
            self.told_position = Some((self.bare_presses.len(), self.record.len()));
            self.bare_turn = self.position().turn();
        }
    }

    /// Only so many half-moves of the record stayed, and the presses with them.
    pub fn presses_taken_back_to(&mut self, keep: usize, setup: &GameSetup) {
        if self.board_kind(setup) != BoardKind::None {
            return;
        }
        match self.told_position {
            Some((presses, plies)) if keep < plies => {
                let stay = presses.min(keep);
                Arc::make_mut(&mut self.bare_presses).truncate(stay);
                self.told_position = Some((stay, keep));
            }
            told => {
                let (presses, plies) = told.unwrap_or_default();
                Arc::make_mut(&mut self.bare_presses).truncate(presses + keep - plies);
            }
        }
        self.bare_turn = self.position().turn();
    }

    /// Moves completed by White and Black.
    pub fn completed(&self) -> [u32; 2] {
        Color::BOTH.map(|color| self.clock.half(color).completed)
    }

    /// Whether this player has made a move in this game.
    pub fn moves_made(&self, by: Color) -> u32 {
        let known = self.record.iter().filter(|ply| ply.by == by).count();
        let pressed = self.bare_presses.iter().filter(|press| press.by == by).count();
        u32::try_from(known.max(pressed)).unwrap_or(u32::MAX)
    }

    /// The half-moves of the record from this one on (from 0), this one being another. Presses and times stay theirs.
    ///
    /// # Errors
    /// What is wrong with the move, or which later one is not possible any more.
    pub fn mended(&self, at: usize, text: &str) -> Result<Vec<Arc<Ply>>, String> {
        if at < self.base.0 || at >= self.record.len() {
            return Err(format!(
                "half-move {} is not one of {} to {} of the record",
                at + 1,
                self.base.0 + 1,
                self.record.len()
            ));
        }
        let mut position = Arc::clone(self.position_after(at));
        let mut mended = Vec::with_capacity(self.record.len() - at);
        for (nth, ply) in self.record[at..].iter().enumerate() {
            let mv = if nth == 0 {
                let read = text.parse().ok().or_else(|| position.parse_san(text).ok());
                read.ok_or_else(|| format!("{text:?} is no move here; write e2e4, e7e8q or the SAN of a legal move"))?
            } else {
                ply.mv
            };
            let from = if position.turn() == ply.by {
                position
            } else {
                Arc::new(position.with_turn(ply.by))
            };
            if ply.illegal.is_some() && nth > 0 {
                return Err(format!(
                    "half-move {} is illegal, and has to be ruled on first",
                    at + nth + 1
                ));
            }
            let after = from.play(&mv).map_err(|_| {
                format!(
                    "half-move {}, {mv}, is not possible then: restore the position instead",
                    at + nth + 1
                )
            })?;
            position = Arc::new(after);
            mended.push(Arc::new(Ply {
                mv,
                san: from.san(&mv),
                illegal: None,
                unconfirmed: ply.unconfirmed && nth > 0,
                touched: Vec::new(),
                after: Arc::clone(&position),
                ..Ply::clone(ply)
            }));
        }
        Ok(mended)
    }

    /// An item by its number.
    pub fn item(&self, number: u64) -> Option<&Arc<OpenItem>> {
        self.items.iter().find(|item| item.number == number)
    }

    /// The items that arbiters see, oldest first.
    pub fn shown_items(&self) -> impl Iterator<Item = &Arc<OpenItem>> {
        self.items.iter().filter(|item| item.shown())
    }
}

/// On moves, the periods whose number of moves is already completed are behind; on zero they end by the clock alone.
fn starting_period(setup: &GameSetup) -> u32 {
    if setup.period_rule == crate::laws::PeriodRule::OnZero {
        return 0;
    }
    setup.time_control.periods_behind(setup.moves_done)
}

/// The position of the setup, as if the game began with it: no moves count before (9.3); the usual one where it cannot be read.
fn start_position(setup: &GameSetup) -> Position {
    let variant = if setup.chess960 {
        Variant::Chess960
    } else {
        Variant::Standard
    };
    let Some(fen) = &setup.fen else {
        return Position::initial();
    };
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    if fields.len() > 4 {
        fields[4] = "0";
    }
    Position::from_fen(&fields.join(" "), variant).unwrap_or_else(|_| Position::initial())
}
