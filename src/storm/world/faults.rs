//! What goes wrong around the hub.

use super::*;

impl World<'_> {
    pub(super) fn fault(&mut self, at: usize) {
        if self.healed {
            return;
        }
        let fault = self.plan.faults[at].clone();
        // What is lost with a device is a matter of its own: it waits until all is told.
        let waits = match &fault {
            Fault::Restart { device, .. } => self.devices[*device].unseen() > 0,
            Fault::Exchange { table, .. } => self.devices[self.tables[*table].clock].unseen() > 0,
            _ => false,
        };
        if waits && !self.plan.kinds.contains(&Kind::SmallMemory) {
            self.after(1_000, Event::Fault(at));
            return;
        }
        self.figures.fault(fault.kind());
        tell!(self, "FAULT {fault:?}");
        match fault {
            Fault::Partition { device, lasts, .. } => {
                self.links[device].cut = true;
                let link = self.links[device].number;
                let (soon, will) = (self.dice.between(3_000, 12_000), self.dice.between(10_000, 22_000));
                self.after(soon, Event::Gone { device, link });
                let payload = self.devices[device].death(false).1;
                self.after(will, Event::Will { device, link, payload });
                self.after(lasts, Event::FaultOver(at));
            }
            Fault::Stall { device, lasts, .. } => {
                self.links[device].stalled = true;
                self.after(lasts, Event::FaultOver(at));
            }
            Fault::BrokerRestart { lasts, .. } => {
                self.broker_up = false;
                self.broker += 1;
                self.state = None;
                for device in 0..self.devices.len() {
                    let (link, wait) = (self.links[device].number, self.dice.between(0, 2_000));
                    self.after(wait, Event::Gone { device, link });
                }
                self.link_down();
                self.after(lasts, Event::FaultOver(at));
            }
            Fault::HubCut { lasts, .. } => {
                self.hub_reachable = false;
                self.hub_cut += 1;
                self.link_down();
                self.after(lasts, Event::FaultOver(at));
            }
            Fault::Retained { .. } => {
                // Comes at the hub's next subscription, or now.
                self.after(1, Event::FaultOver(at));
            }
            Fault::Restart { device, lasts, .. } => {
                let payload = self.devices[device].death(false).1;
                let link = self.links[device].number;
                // What is lost with a device is a matter of its own.
                let lossy = self.plan.kinds.contains(&Kind::SmallMemory);
                if self.devices[device].unseen() > 0 && !lossy {
                    self.after(1_000, Event::Fault(at));
                    return;
                }
                if !self.devices[device].on {
                    return;
                }
                self.count(device);
                self.devices[device].switch_off(self.now);
                self.disconnect(device);
                self.after(50, Event::Will { device, link, payload });
                self.after(lasts, Event::FaultOver(at));
                if let Some(table) = self.tables.iter_mut().find(|table| table.devices.contains(&device)) {
                    table.exact &= table.clock != device;
                }
                self.clock_changed(device);
                if let Some(table) = self.tables.iter().position(|table| table.board == device) {
                    self.look(table);
                }
            }
            Fault::Exchange { table, .. } => self.exchange(table, at),
            Fault::Kill { .. } | Fault::PowerCut { .. } | Fault::Disk { .. } => {}
        }
    }

    pub(super) fn fault_over(&mut self, at: usize) {
        match self.plan.faults[at].clone() {
            Fault::Partition { device, .. } => {
                self.links[device].cut = false;
                self.let_go(device);
            }
            Fault::Stall { device, .. } => {
                self.links[device].stalled = false;
                self.let_go(device);
            }
            Fault::BrokerRestart { .. } => {
                self.broker_up = true;
                for device in 0..self.devices.len() {
                    // Whoever had not noticed does now.
                    self.disconnect(device);
                }
                self.link_soon();
            }
            Fault::HubCut { .. } => {
                self.hub_reachable = true;
                self.link_soon();
            }
            Fault::Retained { device, at: when, .. } => {
                let broker = self.broker;
                let birth = self.links[device].kept.clone();
                let death = self.devices[device].death(false);
                for (wait, (up, payload)) in (0..).zip(birth.into_iter().chain([death])) {
                    let event = Event::ToHub {
                        device,
                        up,
                        payload,
                        retained: true,
                        broker,
                    };
                    self.at(when + wait, event);
                }
            }
            Fault::Restart { device, memory, .. } => {
                let (boot, counter) = (
                    self.dice.below(u64::from(u32::MAX)) as u32 | 1,
                    self.dice.between(300, 3_000),
                );
                let before = self.devices[device].unseen();
                self.devices[device].restart(boot, counter, memory, self.now);
                let lost = self.devices[device].unseen() < before;
                if let Some(table) = self.tables.iter_mut().find(|table| table.devices.contains(&device)) {
                    table.whole &= !lost;
                }
                tell!(self, "{} is on again: boot {boot}", self.devices[device].id);
                self.connect(device);
                self.by_hand_soon(device);
                if let Some(table) = self.tables.iter().position(|table| table.board == device) {
                    self.look(table);
                }
            }
            _ => {}
        }
    }

    /// Another clock is put there; the arbiter tells the hub.
    pub(super) fn exchange(&mut self, table: usize, at: usize) {
        let Some(spare) = self.spares.get(&at).copied() else {
            return;
        };
        let old = self.tables[table].clock;
        if self.devices[old].unseen() > 0 && !self.plan.kinds.contains(&Kind::SmallMemory) {
            self.after(1_000, Event::Fault(at));
            return;
        }
        if self.tables[table].result.is_some() || !self.devices[old].on {
            return;
        }
        self.count(old);
        if self.tables[table].fell.is_some() {
            return;
        }
        let payload = self.devices[old].death(false).1;
        let link = self.links[old].number;
        self.devices[old].switch_off(self.now);
        let lost = self.devices[old].unseen() > 0;
        self.devices[old].is_lost();
        self.links[old].number += 1;
        self.after(
            50,
            Event::Will {
                device: old,
                link,
                payload,
            },
        );
        let table_state = &mut self.tables[table];
        table_state.exact = false;
        table_state.whole &= !lost;
        table_state.clock = spare;
        if table_state.board == old {
            table_state.board = spare;
        }
        table_state.devices.push(spare);
        let now = self.now;
        let counter = self.devices[spare].local(now);
        let boot = self.devices[spare].boot;
        self.devices[spare].restart(boot, counter, false, now);
        self.look(table);
        self.connect(spare);
        let command = Command::ReplaceDevice {
            old: self.devices[old].id.clone(),
            new: self.devices[spare].id.clone(),
        };
        self.ask_soon(0, table, Purpose::Setup, command);
    }
}
