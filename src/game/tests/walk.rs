//! Games played at random, with all that can go wrong in between.

use super::*;

/// How a game is played at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Nobody rules: only what devices and players tell.
    pub facts_only: bool,
    /// Clock and board are two devices.
    pub split: bool,
}

/// A game being played.
struct Walk<'a> {
    game: Game,
    manner: Manner,
    at: i64,
    seq: i64,
    judge: &'a mut dyn FnMut(&Input, &Game, &[Event]),
}

/// Plays a game of these choices: mostly moves and presses, with all that can go wrong in between. Every input is judged.
pub fn walk(
    setup: GameSetup,
    choices: &[(u16, u16, u32)],
    manner: Manner,
    mut judge: impl FnMut(&Input, &Game, &[Event]),
) -> Game {
    let mut walk = Walk {
        game: Game::new(setup),
        manner,
        at: 0,
        seq: 0,
        judge: &mut judge,
    };
    walk.answer_orders(0);
    walk.hear(act(0, Deed::Start));
    walk.answer_orders(0);
    for &(what, which, wait) in choices {
        walk.wait(wait);
        if manner.facts_only {
            walk.happens(u32::from(what) % FACTS, which);
        } else if what % 3 > 0 {
            // Mostly chess: two of three are moves and presses, and what keeps a game going.
            match what / 3 % 16 {
                0 => walk.rules(u32::from(which) % 3, which),
                _ => walk.happens(0, which),
            }
        } else if what / 3 % 2 == 0 {
            walk.happens(u32::from(what / 6) % FACTS, which);
        } else {
            walk.rules(u32::from(what / 6) % DEEDS, which);
        }
        if !which.is_multiple_of(4) {
            walk.answer_orders(which);
        }
        walk.hear(settled(walk.at));
    }
    walk.game
}

const FACTS: u32 = 30;
const DEEDS: u32 = 24;

impl Walk<'_> {
    fn hear(&mut self, input: Input) {
        if let Ok(events) = self.game.take(&input) {
            (self.judge)(&input, &self.game, &events);
        }
    }

    fn tell(&mut self, what: Fact) {
        let board = matches!(what, Fact::Lifted { .. } | Fact::Put { .. } | Fact::Placed { .. });
        let mut input = fact(self.at, self.seq, what);
        self.seq += 1;
        if let (Origin::Device { device, .. }, true) = (&mut input.origin, board && self.manner.split) {
            *device = "board".to_owned();
        }
        self.hear(input);
    }

    fn act(&mut self, what: Deed) {
        self.hear(act(self.at, what));
    }

    /// Time passes, and what is due is concluded at its time; now and then so much that flags fall.
    fn wait(&mut self, wait: u32) {
        let long = if wait.is_multiple_of(16) { 20 } else { 1 };
        self.at += i64::from(wait) * long + 1;
        while let Some(deadline) = self.game.next_deadline().filter(|deadline| deadline.0 <= self.at) {
            let before = self.game.state().time;
            self.hear(alarm(deadline.0));
            if self.game.state().time == before {
                break;
            }
        }
    }

    fn answer_orders(&mut self, which: u16) {
        for order in self.game.pending_orders() {
            let answers = [
                OrderAnswer::Done,
                OrderAnswer::Done,
                OrderAnswer::Done,
                OrderAnswer::Done,
                OrderAnswer::MovedOn,
                OrderAnswer::Unanswered,
                OrderAnswer::Refused {
                    why: "a key is in".to_owned(),
                },
            ];
            let answer = answers[usize::from(which / 4) % answers.len()].clone();
            self.at += 7;
            self.tell(Fact::OrderAnswered {
                number: order.number,
                answer,
                reading: None,
            });
        }
    }

    /// A move on the board, and its press.
    fn moves(&mut self, which: u16, presses: bool) {
        let position = self.game.state().position().clone();
        let moves = position.legal_moves();
        if let Some(mv) = moves.get(usize::from(which) % moves.len().max(1)) {
            let kind = self.game.setup().board;
            let changes = shown(kind, &position, mv, position.turn());
            // A board that sees late tells of the last change after the press.
            let late = self.game.setup().sensing_lag > Millis::ZERO && which.is_multiple_of(5) && presses;
            let last = changes.len().saturating_sub(1);
            for (nth, change) in changes.into_iter().enumerate() {
                if late && nth == last {
                    self.press();
                }
                self.tell(change);
                self.at += 20;
            }
            if late {
                return;
            }
        }
        if presses {
            self.press();
        }
    }

    fn press(&mut self) {
        self.at += 30;
        if let Some(by) = self.game.state().clock.running() {
            self.tell(Fact::Pressed { by });
            self.at += 1;
        }
    }

    fn on(&mut self, which: u16) -> Square {
        Square::from_index(u32::from(which) % 64).expect("a square")
    }

    fn happens(&mut self, what: u32, which: u16) {
        let state = self.game.state().clone();
        let (running, turn) = (state.clock.running(), state.position().turn());
        let someone = if which.is_multiple_of(2) {
            Color::White
        } else {
            Color::Black
        };
        let pick = usize::from(which / 2);
        match what {
            0..=9 => self.moves(which, true),
            10 => {
                let moves = state.position().legal_moves();
                if let Some(mv) = moves.get(pick % moves.len().max(1)) {
                    self.tell(Fact::Moved {
                        by: turn,
                        mv: mv.to_string(),
                    });
                }
            }
            11 => {
                let (from, to) = (self.on(which), self.on(which / 64));
                if from != to {
                    self.tell(Fact::Moved {
                        by: someone,
                        mv: Move::new(from, to).to_string(),
                    });
                    self.press();
                }
            }
            12 => self.tell(Fact::Pressed { by: someone }),
            // A press without a move, and the other at once.
            13 => {
                self.press();
                self.press();
            }
            14 => {
                self.tell(Fact::Paused { by: Some(someone) });
                self.resume(running.unwrap_or(turn), which);
            }
            15 => {
                let claims = [
                    Claim::Threefold,
                    Claim::FiftyMoves,
                    Claim::Flag,
                    Claim::IllegalMove,
                    Claim::Unspecified,
                ];
                let what = claims[pick % claims.len()];
                let intends = (which.is_multiple_of(3)).then(|| "g1f3".to_owned());
                self.tell(Fact::Claimed {
                    by: someone,
                    what,
                    intends,
                });
                self.resume(running.unwrap_or(turn), which);
            }
            16 => self.tell(Fact::DrawOffered { by: someone }),
            17 => self.tell(Fact::DrawDeclined { by: someone }),
            18 if which.is_multiple_of(4) => self.tell(Fact::DrawAccepted { by: someone }),
            // Pieces are knocked over, and perhaps the board is put right.
            19 => {
                let before = state.position().placement();
                for nth in 0..which % 5 {
                    let square = self.on(which.wrapping_mul(nth * 7 + 3));
                    self.tell(Fact::Lifted { square });
                    self.at += 3;
                }
                let told = !self.manner.facts_only || self.manner.split;
                if told && !which.is_multiple_of(3) && self.game.setup().board == BoardKind::Pieces {
                    self.at += 500;
                    self.tell(Fact::Placed {
                        placement: before.to_string(),
                    });
                }
            }
            // Two moves of one side in a row.
            20 => {
                self.moves(which, false);
                let mine = state.position().with_turn(turn);
                if let Some(mv) = mine.legal_moves().get(pick % 20) {
                    for change in shown(self.game.setup().board, &mine, mv, turn) {
                        self.at += 10;
                        self.tell(change);
                    }
                    self.press();
                }
            }
            21 => self.moves(which, false),
            22 => {
                let what = if which.is_multiple_of(5) {
                    Agreement::Draw
                } else {
                    Agreement::Correct
                };
                self.tell(Fact::Agreed { what });
            }
            23 if which.is_multiple_of(8) => self.tell(Fact::Resigned { by: someone }),
            24 => {
                if let Some(of) = running {
                    let near = state
                        .clock
                        .shows(of, HallTime(self.at), &self.game.setup().time_control)
                        < Millis::secs(3);
                    if near || which.is_multiple_of(8) {
                        self.tell(Fact::FlagShown { of, reading: None });
                    }
                }
            }
            25 => {
                let reading = Reading {
                    white: Millis(i64::from(which)),
                    black: Millis(50_000),
                    running: Some(someone),
                };
                let what = match which % 3 {
                    0 => ByHand::Adjusted { before: reading },
                    1 => ByHand::Started,
                    _ => ByHand::Stopped,
                };
                self.tell(Fact::ByHand { what, reading });
            }
            26 => self.tell(Fact::ResultEntered {
                by: someone,
                result: "1-0".to_owned(),
            }),
            27 => self.tell(Fact::Silent {
                device: "table".to_owned(),
                silent: which.is_multiple_of(2),
                shared: false,
            }),
            28 => self.tell(Fact::Arrived { by: someone }),
            29 if !self.manner.facts_only => {
                let reading = Reading {
                    white: Millis(i64::from(which)),
                    black: Millis(5000),
                    running,
                };
                self.tell(Fact::Reading(reading));
            }
            _ => {}
        }
    }

    /// Whoever had the move goes on, without an arbiter where there is none.
    fn resume(&mut self, side: Color, which: u16) {
        self.at += 1_000;
        if self.manner.facts_only {
            let shows = |of| {
                self.game
                    .state()
                    .clock
                    .shows(of, HallTime(self.at), &self.game.setup().time_control)
            };
            let reading = Reading {
                white: shows(Color::White),
                black: shows(Color::Black),
                running: Some(side),
            };
            self.tell(Fact::ByHand {
                what: ByHand::Started,
                reading,
            });
        } else if !which.is_multiple_of(4) {
            self.act(Deed::Resume);
        }
    }

    fn rules(&mut self, what: u32, which: u16) {
        let state = self.game.state().clone();
        let someone = if which.is_multiple_of(2) {
            Color::White
        } else {
            Color::Black
        };
        let pick = usize::from(which / 2);
        let plies = u32::try_from(state.record.len()).unwrap_or(0);
        match what {
            0 => self.act(Deed::Resume),
            1 | 3 => {
                let promotion = (which.is_multiple_of(2)).then_some(Role::Rook);
                self.act(Deed::Confirm { item: None, promotion });
                self.at += 500;
                self.answer_orders(0);
                self.act(Deed::Resume);
            }
            2 => self.act(Deed::Dismiss { item: None }),
            4 => {
                self.act(Deed::Pause);
                self.at += 2_000;
                self.answer_orders(0);
                self.act(Deed::Resume);
            }
            5 => self.act(Deed::Pause),
            6 => {
                let white = (which.is_multiple_of(2)).then_some(TimeChange::By(Millis(i64::from(which) - 30_000)));
                let black = (which.is_multiple_of(3)).then_some(TimeChange::To(Millis(i64::from(which))));
                let moves_done = (which.is_multiple_of(11)).then_some(u32::from(which % 6));
                self.act(Deed::Adjust {
                    white,
                    black,
                    moves_done,
                });
            }
            7..=9 => {
                let seen = [
                    Observation::Flag,
                    Observation::IllegalMove,
                    Observation::TwoHands,
                    Observation::IllegalPosition,
                    Observation::ColoursReversed,
                    Observation::WrongSetup,
                    Observation::WrongClock,
                    Observation::Device,
                ];
                let what = seen[pick % seen.len()];
                self.act(Deed::Observe {
                    what,
                    of: (!which.is_multiple_of(5)).then_some(someone),
                });
            }
            10 => self.act(Deed::Restore {
                to: Restoration::Keep(plies.saturating_sub(u32::from(which) % 4)),
            }),
            11 => {
                let fens = [
                    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
                    "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
                    "7k/5Q2/8/8/8/8/8/K7 b - - 140 90",
                ];
                self.act(Deed::Restore {
                    to: Restoration::Fen(fens[pick % fens.len()].to_owned()),
                });
            }
            12 | 13 => {
                let what = match which % 7 {
                    0 => Penalty::Loss,
                    1 => Penalty::Warning,
                    2..=4 => Penalty::AddTime(Millis::secs(10)),
                    _ => Penalty::TakeTime(Millis::secs(i64::from(which % 90))),
                };
                self.act(Deed::Penalise { of: someone, what });
            }
            14 if which.is_multiple_of(4) => {
                let results = ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2"];
                self.act(Deed::Decide {
                    result: results[pick % results.len()].to_owned(),
                });
            }
            15..=17 => self.act(Deed::Reopen),
            18 => {
                let moves = state.position().legal_moves();
                if let Some(mv) = moves.get(pick % moves.len().max(1)) {
                    self.act(Deed::EnterMove { mv: mv.to_string() });
                }
            }
            19 => {
                let promoted = (0..state.record.len())
                    .rev()
                    .find(|&at| state.record[at].mv.promotion.is_some());
                if let Some(ply) = promoted {
                    let role = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight][pick % 4];
                    self.act(Deed::Promoted {
                        ply: ply as u32 + 1,
                        role,
                    });
                }
            }
            20 => self.act(Deed::MarkPresent {
                who: someone,
                present: !which.is_multiple_of(3),
            }),
            21 => {
                if let Some(item) = state.shown_items().next() {
                    self.act(Deed::Take { item: item.number });
                }
            }
            22 => {
                if let Some(item) = state.shown_items().last() {
                    self.act(Deed::Confirm {
                        item: Some(item.number),
                        promotion: None,
                    });
                }
            }
            _ => self.act(Deed::Adjust {
                white: Some(TimeChange::To(Millis::secs(4))),
                black: None,
                moves_done: None,
            }),
        }
    }
}
