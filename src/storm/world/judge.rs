//! The end: everything that the devices have said is on the record, and the record is what was played.

use super::*;

impl World<'_> {
    /// Whether everything is over, or time is up; heals the network when the games are.
    pub(super) fn is_over(&mut self) -> bool {
        if !self.started {
            return false;
        }
        let games_over = self.tables.iter().all(|table| table.result.is_some());
        let long = self.now > CALL_AT + 2 * PATIENCE;
        if !self.healed && (games_over || long) {
            self.heal();
        }
        if !self.healed {
            return false;
        }
        if self.now > CALL_AT + 3 * PATIENCE {
            return true;
        }
        let done = games_over
            && self.house.is_some()
            && self
                .devices
                .iter()
                .all(|device| device.unseen() == 0 && device.connected)
            && self.asks.iter().all(|ask| ask.answer.is_some())
            && self.tables.iter().all(|table| {
                self.shown
                    .get(&table.number)
                    .is_some_and(|shown| shown.view.result != "*")
            })
            && !self.disk_waits;
        if !done {
            self.quiet = None;
            return false;
        }
        self.now > *self.quiet.get_or_insert(self.now) + SETTLES
    }

    pub(super) fn heal(&mut self) {
        tell!(self, "the weather clears");
        self.healed = true;
        if !matches!(self.death, Some(Fault::Disk { .. })) {
            self.death = None;
        }
        for device in 0..self.devices.len() {
            self.links[device].cut = false;
            self.links[device].stalled = false;
            self.let_go(device);
        }
        // Every device connects anew: what it was not told to be seen it tells once more.
        self.broker_up = true;
        for device in 0..self.devices.len() {
            self.disconnect(device);
        }
        self.hub_reachable = true;
        self.link_soon();
    }

    /// Everything that the devices have said is on the record, and the record is what was played.
    pub(super) fn judge(&mut self) {
        for at in 0..self.devices.len() {
            if self.devices[at].unseen() > 0 {
                let what = format!(
                    "{} still keeps {} reports, long after the network was mended",
                    self.devices[at].id,
                    self.devices[at].unseen()
                );
                self.fail("seen", what);
                return;
            }
        }
        if let Some(ask) = self.asks.iter().find(|ask| ask.answer.is_none()) {
            let what = format!(
                "request {} was never answered: {:?}",
                ask.call.request, ask.call.command
            );
            self.fail("answered", what);
            return;
        }
        for at in 0..self.tables.len() {
            if let Some((rule, what)) = self.judge_table(at) {
                self.fail(rule, what);
                return;
            }
        }
    }

    /// The course of a table's game, for the story.
    pub(super) fn tell_course(&mut self, at: usize) {
        let Some(kept) = self.record.at_table(self.tables[at].number) else {
            return;
        };
        let step = |(number, input): &(u64, Option<Box<crate::game::Input>>)| match input {
            Some(input) => format!(
                "step {number}: at {} heard {} {:?} {:?}",
                input.at.0, input.heard.0, input.what, input.origin
            ),
            None => format!("step {number}: by the passing of time"),
        };
        let number = self.tables[at].number;
        let lines: Vec<String> = kept
            .course
            .iter()
            .map(|kept| format!("table {number}, {}", step(kept)))
            .collect();
        for line in lines {
            self.tell(line);
        }
    }

    pub(super) fn judge_table(&self, at: usize) -> Option<(&'static str, String)> {
        let table = &self.tables[at];
        let number = table.number;
        let Some(shown) = self.shown.get(&number) else {
            return Some(("views", format!("table {number} was never shown")));
        };
        let view = &shown.view;
        if view.result == "*" {
            return Some((
                "over",
                format!(
                    "table {number} is not over: items {:?}, orders {:?}",
                    view.items.iter().map(|item| &item.kind).collect::<Vec<_>>(),
                    view.orders
                        .iter()
                        .map(|order| (&order.what, &order.status))
                        .collect::<Vec<_>>()
                ),
            ));
        }
        let kept = self.record.at_table(number)?;
        for &device in &table.devices {
            let device = &self.devices[device];
            for made in device.made.iter().filter(|made| !made.gone) {
                let facts = kept.facts(device.id.as_str(), made.boot, made.seq);
                // What a spare told before the hub knew where it stands is in the picture that it tells then.
                let before = facts == 0 && device.put_there.is_some_and(|since| made.at <= since);
                if facts != made.facts && !before {
                    let what = format!(
                        "report {} of {} (a {}, at {}) is {facts} times on the record of table {number}",
                        made.seq, device.id, made.what, made.at
                    );
                    return Some(("events", what));
                }
            }
        }
        let moves: Vec<&str> = view.moves.iter().map(|mv| mv.uci.as_str()).collect();
        let mut played: Vec<&str> = table.record.iter().map(|ply| ply.uci.as_str()).collect();
        let lost = |&device: &usize| self.devices[device].made.iter().any(|made| made.gone);
        let whole = table.whole && !table.devices.iter().any(lost);
        if whole {
            // The last one may have been made and not pressed, or be an ending by release.
            if table.record.last().is_some_and(|ply| !ply.legal) && moves.len() + 1 == played.len() {
                // Taken back by a ruling at the end.
                played.pop();
            }
            if moves.len() == played.len() + 1 {
                played.push(moves[played.len()]);
            }
            // Where an arbiter ended the game without looking at what the devices' times do not tell, it has the moves up to there.
            let unknown = table.unordered && played.starts_with(&moves);
            if moves != played && !unknown {
                return Some((
                    "record",
                    format!("table {number}: played {played:?}, on the record {moves:?}"),
                ));
            }
            // What an illegal move leaves of a delay, or gives back, is for the arbiter.
            let plain = table.offences.is_empty() || !self.plan.control.contains(['d', 'b']);
            if table.exact && plain {
                for (ply, (shown, played)) in view.moves.iter().zip(&table.record).enumerate() {
                    if shown.clock.is_some_and(|clock| clock.0 != played.shown) {
                        let what = format!(
                            "table {number}, half-move {}: the clock showed {} ms, on the record are {:?}",
                            ply + 1,
                            played.shown,
                            shown.clock
                        );
                        return Some(("times", what));
                    }
                }
            }
        }
        let ruled = self.asks.iter().any(|ask| {
            ask.table == Some(at)
                && !matches!(
                    ask.purpose,
                    Purpose::Add(_) | Purpose::Pause { .. } | Purpose::Resume | Purpose::Result(_)
                )
        });
        if table.exact && !ruled && table.offences.is_empty() {
            // What the clock was given is what was granted, in that order, but for the last of it. What it had not been given when its game
            // ended it is not given after it, and what is granted then it is given all the same.
            let mut given = [0; 2];
            for change in &self.devices[table.clock].changes {
                given = [given[0] + change[0], given[1] + change[1]];
            }
            let given = table.by_color(given);
            let sums = |granted: &[Granted]| -> Vec<[i64; 2]> {
                let added = |sum: &mut [i64; 2], one: &Granted| {
                    *sum = [sum[0] + one.by[0], sum[1] + one.by[1]];
                    Some(*sum)
                };
                std::iter::once([0; 2])
                    .chain(granted.iter().scan([0; 2], added))
                    .collect()
            };
            let mut granted = table.granted.clone();
            granted.sort_by_key(|one| one.position);
            let (after, before): (Vec<Granted>, Vec<Granted>) = granted.iter().partition(|one| one.after_the_end);
            // What was granted half a minute before the end, with the clock within reach for so long, has been carried out, or was done by
            // hand. A clock that is cut off may be given nothing before the game is over, and then nothing is missing on it.
            let early = before
                .iter()
                .filter(|one| one.reached + 30_000 < table.result_at)
                .count();
            let (before, after) = (sums(&before), sums(&after));
            let mut may_be = before[early..].iter().flat_map(|sum| {
                let both = |after: &[i64; 2]| [sum[0] + after[0], sum[1] + after[1]];
                after.iter().map(both)
            });
            if !may_be.any(|sum| sum == given) {
                let what = format!(
                    "table {number}: the clock was given {given:?} ms, granted were {:?}",
                    table.granted
                );
                return Some(("orders", what));
            }
        }
        None
    }
}
