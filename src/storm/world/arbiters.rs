//! Arbiters: they see what is shown, do what has to be done, and now and then what need not be.

use super::*;
use crate::game::audience::Item;

impl World<'_> {
    pub(super) fn ask(
        &mut self,
        who: usize,
        table: Option<usize>,
        purpose: Purpose,
        command: Command,
    ) -> Option<usize> {
        let id = self.asks.len();
        let call = people::call(who, id, command)?;
        self.asks.push(Ask {
            table,
            purpose,
            call,
            attempts: 0,
            answer: None,
            again: false,
        });
        Some(id)
    }

    pub(super) fn ask_soon(&mut self, who: usize, table: usize, purpose: Purpose, command: Command) -> Option<usize> {
        let id = self.ask(who, Some(table), purpose, command)?;
        let wait = self.dice.between(1, 80);
        self.after(wait, Event::Ask { id });
        Some(id)
    }

    /// A request reaches the hub, or does not.
    pub(super) fn bring(&mut self, id: usize) {
        self.asks[id].attempts += 1;
        let attempt = self.asks[id].attempts;
        if self.started {
            let wait = self.dice.between(2_000, 5_000);
            self.after(wait, Event::Again { id, attempt });
        }
        let Some(house) = &mut self.house else { return };
        let ticket = house.ticket();
        self.tickets.insert(ticket, id);
        self.figures.calls += 1;
        let mut bytes = [0; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = (id as u8).wrapping_mul(31).wrapping_add(at as u8);
        }
        let what = Box::new(self.asks[id].call.clone());
        let chance = Random {
            bytes,
            wall_ms: crate::storm::house::wall(self.now),
        };
        tell!(
            self,
            "{} asks (r-{id}, {attempt}): {:?}",
            self.asks[id].call.author.name,
            self.asks[id].call.command
        );
        self.front(FrontInput::Call {
            call: ticket,
            what,
            chance,
            over: std::sync::Arc::default(),
        });
    }

    /// Who exchanges a spare that is not yet known to be at the table, because the exchange before it still waits for its answer, reads
    /// so, and tries again.
    fn exchange_again(&mut self, refused: &Ask) {
        const WAIT_MS: i64 = 3_000;
        const OFTEN: usize = 20;
        let Command::ReplaceDevice { old, new } = &refused.call.command else {
            return;
        };
        let is_the_same = |ask: &&Ask| matches!(&ask.call.command, Command::ReplaceDevice { old: other, new: by } if (other, by) == (old, new));
        if self.asks.iter().filter(is_the_same).count() >= OFTEN {
            return;
        }
        if let Some(id) = self.ask(0, refused.table, refused.purpose.clone(), refused.call.command.clone()) {
            self.after(WAIT_MS, Event::Ask { id });
        }
    }

    pub(super) fn told(&mut self, id: usize, answer: Result<Answer, CallError>) {
        tell!(self, "r-{id} is answered: {answer:?}");
        let ask = self.asks[id].clone();
        if let Err(error) = &answer
            && matches!(
                error.reason,
                CallReason::JournalDown | CallReason::Busy | CallReason::Stopping
            )
        {
            // Asked again later, under the same id.
            return;
        }
        let first = ask.answer.is_none();
        self.asks[id].answer = Some(answer.clone());
        if !first {
            return;
        }
        if ask.again {
            let wait = self.dice.between(100, 4_000);
            self.after(wait, Event::Ask { id });
        }
        let Some(table) = ask.table else { return };
        if let Err(error) = &answer {
            if error.reason == CallReason::WrongState {
                self.exchange_again(&ask);
            }
            return;
        }
        if let Command::ReplaceDevice { new, .. } = &ask.call.command
            && let Some(device) = self.devices.iter_mut().find(|device| device.id == *new)
        {
            device.put_there = Some(self.now);
        }
        match ask.purpose {
            Purpose::Pause { resume_after } => self.after(resume_after, Event::Resume { table }),
            Purpose::Add([white, black]) => {
                let position = answer.as_ref().map_or(0, |answer| answer.position);
                let over = self.is_over_at(table, position);
                let table = &mut self.tables[table];
                table.granted.push(Granted {
                    position,
                    reached: table.reached,
                    by: [white, black],
                    after_the_end: over,
                });
            }
            Purpose::Result(result) => {
                tell!(self, "table {} is over: {result}", table + 1);
                let table = &mut self.tables[table];
                table.result = Some(result);
                table.result_at = table.reached;
                table.token += 1;
            }
            Purpose::Confirm { kind } if kind == "illegal-move" => {
                let table_state = &mut self.tables[table];
                if table_state.offender.is_some() {
                    table_state.put_back();
                    self.next_hand(table);
                }
            }
            _ => {}
        }
    }

    /// Whether the table's game is over as of this position of the journal; as far as is known, where that is not kept any more.
    fn is_over_at(&self, table: usize, position: u64) -> bool {
        let table = &self.tables[table];
        let kept = self.record.at_table(table.number).and_then(|kept| kept.as_of(position));
        kept.map_or(table.result.is_some(), |game| game.state().ending.is_some())
    }

    /// An open request of anybody at this table.
    pub(super) fn busy(&self, table: usize) -> bool {
        self.asks
            .iter()
            .rev()
            .take(40)
            .any(|ask| ask.table == Some(table) && ask.answer.is_none())
    }

    /// An arbiter looks at what is shown, and does what has to be done.
    pub(super) fn look_round(&mut self, who: usize) {
        for at in 0..self.tables.len() {
            let number = self.tables[at].number;
            let Some(shown) = self.shown.get(&number) else { continue };
            let view = shown.view.clone();
            if self.busy(at) {
                continue;
            }
            let fell = self.tables[at].fell.map(Color::from);
            if let Some(item) = view.items.iter().find(|item| {
                item.certain
                    // A flag of before a ruling that gave its player time decides nothing any more.
                    && (item.kind != "flag" || item.of == fell)
                    && matches!(
                        item.kind.as_str(),
                        "illegal-move" | "flag" | "adjusted-at-table" | "reports-lost" | "late-news"
                    )
            }) {
                self.confirm(who, at, item);
                continue;
            }
            // A flag that only the players have seen fall, before the clock was started anew.
            let seen = |item: &&Item| item.kind == "flag" && item.of == fell && !item.certain;
            if let Some(item) = view.items.iter().find(seen).filter(|_| fell.is_some())
                && view.items.iter().any(|item| item.kind == "clock-renewed")
                && self.now > item.since.0 + 120_000
            {
                self.confirm(who, at, item);
                continue;
            }
            if view.result != "*" {
                if self.tables[at].result.is_none() {
                    self.tables[at].result = Some(view.result.clone());
                    self.tables[at].result_at = self.tables[at].reached;
                }
                continue;
            }
            self.do_by_hand(at, &view);
            let (clock, turn) = (
                self.tables[at].clock,
                self.tables[at].side(self.tables[at].chess.turn()),
            );
            let asleep = view.clocks.running.is_some()
                && self.devices[clock].on
                && self.devices[clock].clock.running != Some(turn)
                && self.devices[clock].clock.has_control()
                && self.tables[at].fell.is_none();
            // It stands though the hub counts on, or is a spare that runs the other side's time: whoever sits there sees that, and starts it.
            let since = self.tables[at].asleep;
            self.tables[at].asleep = asleep.then(|| since.unwrap_or(self.now));
            if asleep && since.is_some_and(|since| self.now > since + 8_000) {
                self.tables[at].exact = false;
                self.by_hand(clock);
            }
            let table = &self.tables[at];
            // It stands, and nobody remembers why.
            let stands = view.started.is_some()
                && view.clocks.running.is_none()
                && !view.orders.iter().any(|order| order.status == OrderStatus::Sent)
                && table.offender.is_none()
                && table.fell.is_none()
                && !table.finished;
            let since = table.standing;
            self.tables[at].standing = stands.then(|| since.unwrap_or(self.now));
            if stands && since.is_some_and(|since| self.now > since + 25_000) {
                self.tables[at].standing = None;
                self.ask_soon(who, at, Purpose::Resume, people::act(number, None, Deed::Resume));
                continue;
            }
            let table = &self.tables[at];
            // Everything is put back: on it goes.
            if let Some(offender) = table.offender {
                // What was lost accuses nobody, nor does what a board shows after it was off: the arbiter asks the players, and they give
                // the game up.
                let lost = |&device: &usize| self.devices[device].made.iter().any(|made| made.gone);
                let asks = |item: &Item| matches!(item.kind.as_str(), "board-disagrees" | "order-unknown");
                let blind = self.plan.kinds.contains(&Kind::BlindBoard) && view.items.iter().any(asks);
                let found = view.items.iter().any(|item| item.kind == "illegal-move");
                let puzzled = !found && (blind || table.devices.iter().any(lost));
                let since = puzzled.then(|| table.puzzled.unwrap_or(self.now));
                self.tables[at].puzzled = since;
                if since.is_some_and(|since| self.now > since + 120_000) {
                    let result = "1/2-1/2".to_owned();
                    let deed = Deed::Decide { result: result.clone() };
                    let act = people::act(number, Some(view.revision), deed);
                    self.ask_soon(who, at, Purpose::Result(result), act);
                    continue;
                }
                let table = &self.tables[at];
                let ruled = view.illegal.0 + view.illegal.1 > 0;
                if ruled && table.record.last().is_some_and(|ply| !ply.legal) {
                    // The regulations have ruled by themselves.
                    self.tables[at].put_back();
                    self.next_hand(at);
                    continue;
                }
                let back = table.pieces == *table.chess.board();
                let stands = self.devices[table.clock].clock.running.is_none();
                let waits = view.orders.iter().any(|order| order.status == OrderStatus::Sent);
                let goes_on = self.devices[table.clock].clock.running == Some(table.side(offender));
                if ruled && back && stands && !waits {
                    self.tables[at].offender = None;
                    self.ask_soon(who, at, Purpose::Resume, people::act(number, None, Deed::Resume));
                } else if ruled && back && goes_on && !waits {
                    // The other arbiter, who had stopped the clocks for something else, has let them go on already.
                    self.tables[at].offender = None;
                    self.look(at);
                }
                continue;
            }
            // A result is entered when the last move has been seen; an impatient arbiter does not wait for that.
            let heard = [table.clock, table.board]
                .into_iter()
                .all(|device| self.devices[device].on && self.devices[device].unseen() == 0);
            let hasty = self.plan.kinds.contains(&Kind::HastyResults);
            let waits = !hasty && (!heard || self.now < table.finished_at + 6_000);
            if table.finished && table.fell.is_none() && !waits {
                let result = (*self.dice.pick(&["1-0", "0-1", "1/2-1/2"])).to_owned();
                let deed = Deed::Decide { result: result.clone() };
                self.ask_soon(
                    who,
                    at,
                    Purpose::Result(result),
                    people::act(number, Some(view.revision), deed),
                );
            }
        }
    }

    /// What an item proposes is ruled.
    fn confirm(&mut self, who: usize, at: usize, item: &Item) {
        let purpose = Purpose::Confirm {
            kind: item.kind.clone(),
        };
        let deed = Deed::Confirm {
            item: Some(item.number),
            promotion: None,
        };
        let act = people::act(self.tables[at].number, Some(item.revision), deed);
        self.ask_soon(who, at, purpose, act);
    }

    /// What the clock did not take is done at the clock.
    pub(super) fn do_by_hand(&mut self, at: usize, view: &ArbiterView) {
        let number = self.tables[at].number;
        let game = self
            .record
            .registry
            .tables
            .get(&TableNo(number))
            .and_then(|table| table.game);
        let Some(game) = game else { return };
        for order in &view.orders {
            let open = matches!(order.status, OrderStatus::ByHand | OrderStatus::Refused(_));
            if !open || self.tables[at].by_hand.contains(&order.number) {
                continue;
            }
            self.tables[at].by_hand.push(order.number);
            self.tables[at].exact = false;
            let clock = self.tables[at].clock;
            // An empty one takes nothing from anybody.
            let takes = self.devices[clock].on && self.devices[clock].clock.has_control();
            if !takes || self.devices[clock].has_done(&format!("{game}:{}", order.number)) {
                continue;
            }
            self.count(clock);
            if self.tables[at].fell.is_some() {
                return;
            }
            let (now, local) = (self.now, self.devices[clock].local(self.now));
            let white = self.tables[at].white_side;
            let turn = self.tables[at].side(self.tables[at].chess.turn());
            let sides = |of_white: i64, of_black: i64| {
                if white == 0 {
                    [of_white, of_black]
                } else {
                    [of_black, of_white]
                }
            };
            let device = &mut self.devices[clock];
            let before = Some(device.clock.state());
            let kind = match &order.what {
                OrderKind::Stop => {
                    device.clock.stop(local);
                    pb::by_hand::Kind::Stopped
                }
                OrderKind::Run(_) => {
                    // Whoever walks over there sees who has the move.
                    device.clock.run(turn, local);
                    pb::by_hand::Kind::Started
                }
                OrderKind::Add { white, black } => {
                    device.clock.add(sides(white.0, black.0), local);
                    pb::by_hand::Kind::Adjusted
                }
                OrderKind::Set { white, black, .. } => {
                    let runs = device.clock.running;
                    device.clock.stop(local);
                    device.clock.set(sides(white.0, black.0), [None; 2]);
                    device.clock.running = runs;
                    pb::by_hand::Kind::Adjusted
                }
                OrderKind::Control => continue,
            };
            let after = Some(device.clock.state());
            let what = What::ByHand(pb::ByHand {
                kind: kind.into(),
                before,
                after,
            });
            tell!(self, "table {number}: order {} is done by hand: {kind:?}", order.number);
            let out = self.devices[clock].report(what, "by-hand", 1, now, now);
            self.send_up(clock, vec![out]);
            self.clock_changed(clock);
        }
    }

    pub(super) fn whim(&mut self, at: usize) {
        let act = self.plan.acts[at].clone();
        let table = act.table;
        let number = self.tables[table].number;
        let Some(view) = self.shown.get(&number).map(|shown| shown.view.clone()) else {
            return;
        };
        if self.healed || view.result != "*" || self.tables[table].result.is_some() || view.started.is_none() {
            return;
        }
        self.figures.fault(Kind::Arbiters);
        let adjust = |white: Option<TimeChange>, black: Option<TimeChange>| Deed::Adjust {
            white,
            black,
            moves_done: None,
        };
        let by = |ms: i64| Some(TimeChange::By(Millis(ms)));
        let mut asked = Vec::new();
        match act.whim {
            Whim::Pause { lasts } => {
                let purpose = Purpose::Pause { resume_after: lasts };
                asked.extend(self.ask_soon(1, table, purpose, people::act(number, None, Deed::Pause)));
            }
            Whim::Add { white, black } => {
                let deed = adjust(by(white), by(black));
                asked.extend(self.ask_soon(0, table, Purpose::Add([white, black]), people::act(number, None, deed)));
            }
            Whim::Set { white, stale } => {
                let revision = if stale { view.revision + 1_000 } else { view.revision };
                let deed = adjust(Some(TimeChange::To(Millis(white))), None);
                asked.extend(self.ask_soon(
                    0,
                    table,
                    Purpose::Set { stale },
                    people::act(number, Some(revision), deed),
                ));
            }
            Whim::Both { black } => {
                for who in 0..2 {
                    let deed = adjust(None, by(black));
                    let id = self.ask(
                        who,
                        Some(table),
                        Purpose::Add([0, black]),
                        people::act(number, None, deed),
                    );
                    if let Some(id) = id {
                        self.after(20, Event::Ask { id });
                        asked.push(id);
                    }
                }
            }
        }
        for id in asked {
            self.asks[id].again = act.repeated;
        }
    }
}
