//! A failing hall made smaller: whatever can be left out without the same rule being kept is left out.

use super::Failure;
use super::plan::Plan;
use super::world::World;

/// So many halls are tried at most.
const TRIES: usize = 400;

/// The smallest plan found that still breaks the same rule.
pub(super) fn shrink(plan: &Plan, failure: &Failure) -> Plan {
    let mut search = Search {
        best: plan.clone(),
        rule: failure.rule,
        tries: 0,
    };
    loop {
        let before = search.tries;
        let smaller = search.round();
        if !smaller || search.tries >= TRIES || search.tries == before {
            return search.best;
        }
    }
}

struct Search {
    best: Plan,
    rule: &'static str,
    tries: usize,
}

impl Search {
    /// Tries everything once; says whether anything could be left out.
    fn round(&mut self) -> bool {
        let mut smaller = false;
        // From the end, so that what is left keeps its number.
        for at in (0..self.best.faults.len()).rev() {
            smaller |= self.attempt(|plan| _ = plan.faults.remove(at));
        }
        for at in (0..self.best.acts.len()).rev() {
            smaller |= self.attempt(|plan| _ = plan.acts.remove(at));
        }
        for table in 0..self.best.tables.len() {
            if !self.best.tables[table].plays.is_empty() {
                let emptied = self.attempt(|plan| plan.tables[table].plays.clear());
                smaller |= emptied || self.shorten(table);
            }
            if self.best.tables[table].clock.ppm != 0 {
                smaller |= self.attempt(|plan| plan.tables[table].clock.ppm = 0);
            }
        }
        let network = self.best.network.clone();
        if network.lost_percent > 0 {
            smaller |= self.attempt(|plan| plan.network.lost_percent = 0);
        }
        if network.doubled_percent > 0 {
            smaller |= self.attempt(|plan| plan.network.doubled_percent = 0);
        }
        if network.reordered {
            smaller |= self.attempt(|plan| plan.network.reordered = false);
        }
        if network.jitter_ms > 5 {
            smaller |= self.attempt(|plan| plan.network.jitter_ms = 5);
        }
        smaller
    }

    /// Fewer moves at a table.
    fn shorten(&mut self, table: usize) -> bool {
        let mut smaller = false;
        let mut step = self.best.tables[table].plays.len() / 2;
        while step > 0 {
            let left = self.best.tables[table].plays.len().saturating_sub(step);
            if left > 0 && self.attempt(|plan| plan.tables[table].plays.truncate(left)) {
                smaller = true;
            } else {
                step /= 2;
            }
        }
        smaller
    }

    fn attempt(&mut self, change: impl FnOnce(&mut Plan)) -> bool {
        if self.tries >= TRIES {
            return false;
        }
        self.tries += 1;
        let mut plan = self.best.clone();
        change(&mut plan);
        let broken = World::new(&plan, false)
            .run()
            .0
            .is_err_and(|failure| failure.rule == self.rule);
        if broken {
            self.best = plan;
        }
        broken
    }
}
