//! The hub's life: it starts, its parts take turns, it writes, and it may die between any two effects.

use super::*;

impl World<'_> {
    pub(super) fn start(&mut self) {
        if self.house.is_some() {
            return;
        }
        match House::start(&self.disk, self.now) {
            Ok(begun) => {
                let begun_epoch = begun.house.epoch;
                self.figures.starts += 1;
                if begun_epoch <= self.highest_epoch {
                    self.fail(
                        "epoch",
                        format!("a start took epoch {begun_epoch} after {}", self.highest_epoch),
                    );
                }
                self.highest_epoch = begun_epoch;
                match self.record.compare(&begun.entries) {
                    Ok(notes) => self.notes(notes),
                    Err(what) => self.fail("journal", what),
                }
                if let Err(what) = self.record.same(&begun.folding.registry, &begun.games) {
                    self.fail("restored", what);
                }
                tell!(
                    self,
                    "the hub starts: epoch {begun_epoch}, journal to {}",
                    self.record.durable()
                );
                self.house = Some(begun.house);
                self.life += 1;
                self.effects = 0;
                if !self.calm {
                    self.next_death();
                }
                if self.run_effects(begun.effects) {
                    let (life, cut) = (self.life, self.hub_cut);
                    let wait = self.dice.between(20, 400);
                    self.after(wait, Event::LinkUp { life, cut });
                }
            }
            Err(why) => {
                // Only a disk that fails may keep it from starting.
                if self.disk.is_off() {
                    self.disk.reboot(CrashStyle::Tear, self.plan.seed ^ self.now as u64);
                    self.death = None;
                    self.after(1_000, Event::Start);
                } else if matches!(self.death, Some(Fault::Disk { .. })) {
                    self.death = None;
                    self.after(1_000, Event::Start);
                } else {
                    self.fail("start", format!("the hub does not start: {why}"));
                }
            }
        }
    }

    /// What this life dies of.
    pub(super) fn next_death(&mut self) {
        self.death = if self.healed { None } else { self.deaths.pop_front() };
        if let Some(Fault::Disk { operation, fault, .. }) = self.death {
            self.disk.fault_at(self.disk.operations() + operation, fault);
        }
    }

    pub(super) fn die(&mut self, style: CrashStyle, down: i64, how: &str) {
        tell!(self, "the hub dies: {how}; {} effects into this life", self.effects);
        self.house = None;
        self.tickets.clear();
        self.disk_waits = false;
        self.death = None;
        let seed = self.plan.seed ^ self.life << 32;
        self.disk.reboot(style, seed);
        self.figures.deaths += 1;
        self.after(down, Event::Start);
    }

    pub(super) fn pump(&mut self) {
        while self.failure.is_none() {
            let now = self.now;
            let Some(house) = &mut self.house else { return };
            let Some(effects) = house.step(now, &mut self.dice) else {
                break;
            };
            if !self.run_effects(effects) {
                return;
            }
        }
        if self.house.as_ref().is_some_and(|house| house.down)
            && let Some(Fault::Disk { down, .. }) = self.death
        {
            // The technician sees that the hall acknowledges nothing, and starts the hub again.
            self.death = None;
            self.die(
                CrashStyle::KeepAll,
                down,
                "it is stopped, since its journal takes nothing more",
            );
        }
    }

    /// False when the hub has died on the way.
    pub(super) fn run_effects(&mut self, effects: Vec<Effect>) -> bool {
        for effect in effects {
            match self.death {
                Some(Fault::Kill { effects, down }) if !self.calm && self.effects >= effects => {
                    self.figures.fault(Kind::Kill);
                    self.die(CrashStyle::KeepAll, down, "killed");
                    return false;
                }
                Some(Fault::PowerCut { effects, style, down }) if !self.calm && self.effects >= effects => {
                    self.figures.fault(Kind::PowerCut);
                    self.die(style, down, "its power is cut");
                    return false;
                }
                _ => {}
            }
            self.effects += 1;
            self.effect(effect);
            if self.failure.is_some() {
                return false;
            }
        }
        true
    }

    pub(super) fn effect(&mut self, effect: Effect) {
        match effect {
            Effect::Front(effect) => match effect {
                FrontEffect::Shard(at, input) => {
                    if let Some(house) = &mut self.house {
                        house.tell_shard(at, *input);
                    }
                }
                FrontEffect::Send(topic, payload) => self.send_down(topic, payload),
                FrontEffect::Health(_) | FrontEffect::Notices(_) => {}
                FrontEffect::Commit(entries) => self.submit(Waiter::Desk, entries),
                FrontEffect::Registry { position, .. } => {
                    if position > self.record.durable() {
                        self.fail(
                            "durable",
                            format!("a change of the hall is told before position {position} is durable"),
                        );
                    }
                }
                FrontEffect::Answer { call, answer } => self.answered(call, answer),
            },
            Effect::Shard(at, effect) => match effect {
                ShardEffect::Commit { ticket, entries } => self.submit(Waiter::Shard(at, ticket), entries),
                ShardEffect::Seen(mark) => self.front(FrontInput::Seen(mark)),
                ShardEffect::Order(order) => self.front(FrontInput::Order(Box::new(order))),
                ShardEffect::Answer { call, answer } => self.front(FrontInput::Answered { call, answer }),
                ShardEffect::Arbiters { position, state } => self.published(position, *state),
                ShardEffect::Screens { position, state } => self.screened(position, *state),
                ShardEffect::Down(_) => {
                    if let Some(house) = &mut self.house {
                        house.down = true;
                    }
                }
                ShardEffect::Keep { .. } | ShardEffect::Latency(_) | ShardEffect::Search { .. } => {}
            },
        }
    }

    pub(super) fn front(&mut self, input: FrontInput) {
        if let Some(house) = &mut self.house {
            house.tell_front(input);
        }
    }

    pub(super) fn submit(&mut self, waiter: Waiter, entries: Vec<crate::store::NewEntry>) {
        let Some(house) = &mut self.house else { return };
        if house.submit(waiter, entries) {
            self.disk_waits = true;
            if self.started {
                let wait = if self.dice.percent(2) {
                    self.dice.between(200, 2_500)
                } else {
                    self.dice.between(1, 12)
                };
                let life = self.life;
                self.after(wait, Event::Disk { life });
            }
        }
    }

    pub(super) fn write(&mut self) {
        let now = self.now;
        let Some(house) = &mut self.house else { return };
        let written = house.write(now);
        self.disk_waits = house.to_write();
        if self.disk.is_off() {
            let down = match self.death {
                Some(Fault::Disk { down, .. }) => down,
                _ => 1_000,
            };
            self.figures.fault(Kind::TornWrite);
            self.die(CrashStyle::Tear, down, "its power goes in the middle of a write");
            return;
        }
        for done in written {
            match done.outcome {
                Ok(positions) => {
                    for (position, content) in positions.zip(&done.entries) {
                        match self.record.take(position, content) {
                            Ok(notes) => self.notes(notes),
                            Err(what) => self.fail("journal", what),
                        }
                    }
                }
                Err(why) => {
                    tell!(self, "the journal: {why}");
                    self.figures.fault(Kind::FailedDisk);
                    if !matches!(self.death, Some(Fault::Disk { .. })) && !self.healed {
                        self.fail("journal", format!("a commit failed on a good disk: {why}"));
                    }
                    if let Some(house) = &mut self.house {
                        house.down = true;
                    }
                }
            }
        }
        if self.disk_waits && self.started {
            let (wait, life) = (self.dice.between(1, 8), self.life);
            self.after(wait, Event::Disk { life });
        }
    }
}
