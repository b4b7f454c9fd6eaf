//! Players and their clocks.

use super::*;

impl World<'_> {
    /// Lets a clock count on to now; a flag that falls is shown and told.
    pub(super) fn count(&mut self, device: usize) {
        if !self.devices[device].nature.counts || !self.devices[device].on {
            return;
        }
        let local = self.devices[device].local(self.now);
        let Some((side, zero)) = self.devices[device].clock.count(local) else {
            return;
        };
        let at = self.devices[device].true_time(zero).min(self.now);
        let clock = Some(self.devices[device].clock.state());
        let what = What::Flag(pb::Flag {
            side: wire_side(Some(side)),
            clock,
        });
        let out = self.devices[device].report(what, "flag", 1, at, self.now);
        if let Some(table) = self.tables.iter_mut().find(|table| table.clock == device) {
            table.fell = Some(table.color(side));
            table.fallen.push(table.color(side));
            table.token += 1;
            table.hands.clear();
            table.finished = true;
            let (number, color) = (table.number, table.color(side));
            tell!(self, "table {number}: {color}'s flag falls");
            self.figures.flags += 1;
        }
        self.send_up(device, vec![out]);
    }

    pub(super) fn clock_changed(&mut self, device: usize) {
        if let Some(zero) = self.devices[device].clock.zero() {
            let at = self.devices[device].true_time(zero);
            let boot = self.devices[device].boot;
            if at < self.now + 1_000_000 {
                self.at(at, Event::Zero { device, boot });
            }
        }
        if let Some(table) = self.tables.iter().position(|table| table.clock == device) {
            self.look(table);
        }
    }

    /// The players look at their clock.
    pub(super) fn look(&mut self, at: usize) {
        let device = &self.devices[self.tables[at].clock];
        let running = device.clock.running;
        let tells = self.devices[self.tables[at].board].nature.tells_pieces;
        let table = &mut self.tables[at];
        if table.result.is_some() || table.fell.is_some() {
            return;
        }
        let turn = table.side(table.chess.turn());
        let dark = !self.devices[table.board].on && !self.plan.kinds.contains(&Kind::BlindBoard);
        if running != Some(turn) || table.offender.is_some() || dark {
            // What was begun waits.
            if table.offender.is_none() {
                table.token += 1;
                table.moving_on = false;
            }
            return;
        }
        if table.hands.is_empty() {
            table.begin_turn(tells);
            if table.finished {
                table.finished_at = self.now;
            }
        }
        self.next_hand(at);
    }

    pub(super) fn next_hand(&mut self, at: usize) {
        let table = &mut self.tables[at];
        table.token += 1;
        if let Some((wait, _)) = table.hands.front() {
            let (wait, token) = (*wait, table.token);
            table.moving_on = true;
            self.after(wait, Event::Hand { table: at, token });
        }
    }

    pub(super) fn hand(&mut self, at: usize) {
        let clock = self.tables[at].clock;
        self.count(clock);
        let Some((_, hand)) = self.tables[at].hands.pop_front() else {
            return;
        };
        match hand {
            Hand::Touch(square, piece) => {
                let table = &mut self.tables[at];
                match piece {
                    Some(piece) => table.pieces.set_piece_at(square, piece),
                    None => table.pieces.discard_piece_at(square),
                }
                let board = table.board;
                let seen = table.seen_as(square);
                let tells = self.devices[board].nature.tells_pieces;
                let now = match piece {
                    None => String::new(),
                    Some(piece) if tells => piece.char().to_string(),
                    Some(_) => "x".to_owned(),
                };
                let what = What::Squares(pb::SquaresChanged {
                    changes: vec![pb::SquareChange {
                        square: seen.to_string(),
                        now,
                    }],
                });
                if self.devices[board].on {
                    let out = self.devices[board].report(what, "square", 1, self.now, self.now);
                    self.send_up(board, vec![out]);
                }
            }
            Hand::Press => {
                let turn = self.tables[at].chess.turn();
                let side = self.tables[at].side(turn);
                let local = self.devices[clock].local(self.now);
                if !self.devices[clock].clock.press(side, local) {
                    self.tables[at].hands.push_front((50, Hand::Press));
                    return;
                }
                let shown = self.devices[clock].clock.halves[side].left;
                let state = self.devices[clock].clock.state();
                let what = What::Press(pb::Press {
                    side: wire_side(Some(side)),
                    clock: Some(state),
                });
                let out = self.devices[clock].report(what, "press", 1, self.now, self.now);
                self.tables[at].completed(shown);
                if self.story.is_some() {
                    let table = &self.tables[at];
                    let ply = table.record.last().cloned();
                    let words = format!(
                        "table {}: {turn} plays {}{}, {shown} ms left",
                        table.number,
                        ply.as_ref().map_or("?", |ply| &ply.uci),
                        if ply.as_ref().is_some_and(|ply| ply.legal) {
                            ""
                        } else {
                            " (illegal)"
                        },
                    );
                    self.tell(words);
                }
                self.send_up(clock, vec![out]);
                self.clock_changed(clock);
                return;
            }
        }
        if self.tables[at].hands.is_empty() {
            // Pieces were put back.
            self.look(at);
        } else {
            self.next_hand(at);
        }
    }

    /// A clock that has forgotten that it ran, or runs the other side's time, is started by the players.
    pub(super) fn by_hand_soon(&mut self, device: usize) {
        if self.devices[device].clock.has_control() && self.tables.iter().any(|table| table.clock == device) {
            let (boot, wait) = (self.devices[device].boot, self.dice.between(1_000, 4_000));
            self.after(wait, Event::ByHand { device, boot });
        }
    }

    pub(super) fn by_hand(&mut self, device: usize) {
        let Some(at) = self.tables.iter().position(|table| table.clock == device) else {
            return;
        };
        let now = self.now;
        self.count(device);
        let table = &self.tables[at];
        let started = self
            .shown
            .get(&table.number)
            .is_some_and(|shown| shown.view.started.is_some());
        if table.result.is_some() || table.fell.is_some() || table.offender.is_some() || !started {
            return;
        }
        let side = table.side(table.chess.turn());
        if self.devices[device].clock.running == Some(side) {
            return;
        }
        let local = self.devices[device].local(now);
        self.devices[device].clock.run(side, local);
        let after = Some(self.devices[device].clock.state());
        let what = What::ByHand(pb::ByHand {
            kind: pb::by_hand::Kind::Started.into(),
            before: None,
            after,
        });
        tell!(self, "table {}: the clock is started by hand", self.tables[at].number);
        let out = self.devices[device].report(what, "by-hand", 1, now, now);
        self.send_up(device, vec![out]);
        self.clock_changed(device);
    }
}
