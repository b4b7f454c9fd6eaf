//! The broker and the network between hub and devices: late, lost, doubled, cut.

use super::*;

impl World<'_> {
    pub(super) fn send_down(&mut self, topic: Topic, payload: Vec<u8>) {
        if !self.house.as_ref().is_some_and(|house| house.linked) {
            return;
        }
        let (id, down) = match topic {
            Topic::HubState => {
                let Ok(state) = codec::decode_wire::<pb::HubState>(&payload) else {
                    return;
                };
                self.state = Some(state.epoch);
                for device in 0..self.devices.len() {
                    self.say_state(device);
                }
                return;
            }
            Topic::Down(id, down) => (id, down),
            Topic::Up(..) => return,
        };
        let Some(device) = self.devices.iter().position(|device| device.id == id) else {
            return;
        };
        match down {
            Down::Seen => {
                let Ok(seen) = codec::decode_wire::<pb::Seen>(&payload) else {
                    self.fail("storm", "a `seen` that cannot be read".into());
                    return;
                };
                let durable = self.record.mark(id.as_str(), seen.boot);
                if seen.resend || seen.birth {
                    tell!(self, "{id} is asked for what is missing: {seen:?}");
                }
                if seen.seq > durable {
                    self.fail(
                        "seen",
                        format!("{id} is told that {} is seen, and {durable} is durable", seen.seq),
                    );
                    return;
                }
            }
            Down::Order => {
                let Ok(order) = codec::decode_wire::<pb::Order>(&payload) else {
                    self.fail("storm", "an order that cannot be read".into());
                    return;
                };
                if order.epoch != self.highest_epoch {
                    self.fail("epoch", format!("order {} has epoch {}", order.id, order.epoch));
                }
                tell!(
                    self,
                    "order to {id}: {} {:?} decided on {}",
                    order.id,
                    order.what,
                    order.decided_seq
                );
                self.figures.orders += 1;
            }
            Down::Time => {}
        }
        if !self.devices[device].connected || !self.broker_up {
            return;
        }
        let link = self.links[device].number;
        self.travel(
            device,
            false,
            |payload| Event::ToDevice {
                device,
                down,
                payload,
                link,
            },
            payload,
        );
    }

    pub(super) fn say_state(&mut self, device: usize) {
        if let Some(epoch) = self.state
            && self.devices[device].connected
        {
            let (link, wait) = (self.links[device].number, self.dice.between(5, 80));
            self.after(wait, Event::State { device, epoch, link });
        }
    }

    /// Sends something on its way: late, twice, or never. What happens to a message hangs on its number alone.
    pub(super) fn travel(&mut self, device: usize, up: bool, event: impl Fn(Vec<u8>) -> Event, payload: Vec<u8>) {
        let way = usize::from(up);
        let link = &mut self.links[device];
        link.messages[way] += 1;
        let number = link.messages[way];
        let mut dice = Chance::new(self.plan.seed).of((device as u64) << 40 | (way as u64) << 39 | number);
        let network = &self.plan.network;
        let wild = !self.calm && !self.healed;
        if wild && dice.percent(network.lost_percent) {
            self.figures.fault(Kind::Loss);
            return;
        }
        let copies = if wild && dice.percent(network.doubled_percent) {
            self.figures.fault(Kind::Duplication);
            2
        } else {
            1
        };
        for copy in 0..copies {
            let jitter = if wild { network.jitter_ms } else { 5 };
            let mut at = self.now + network.least_ms + dice.between(0, jitter);
            let link = &mut self.links[device];
            if !(wild && network.reordered) {
                at = at.max(link.last[way]);
                link.last[way] = at;
            } else if copy == 0 && at < link.last[way] {
                self.figures.fault(Kind::Reordering);
            }
            let link = &mut self.links[device];
            link.last[way] = link.last[way].max(at);
            let event = event(payload.clone());
            if link.cut || link.stalled {
                link.held.push((up, event));
            } else {
                self.at(at, event);
            }
        }
    }

    pub(super) fn send_up(&mut self, device: usize, out: Vec<Out>) {
        for (up, payload) in out {
            if up == Up::Birth {
                self.links[device].kept = Some((up, payload.clone()));
            }
            if !self.devices[device].connected || !self.broker_up {
                continue;
            }
            let broker = self.broker;
            self.travel(
                device,
                true,
                |payload| Event::ToHub {
                    device,
                    up,
                    payload,
                    retained: false,
                    broker,
                },
                payload,
            );
        }
    }

    pub(super) fn picture(&self, device: usize) -> String {
        let nature = &self.devices[device].nature;
        if !nature.board {
            return String::new();
        }
        let table = self.tables.iter().find(|table| table.board == device);
        table
            .map(|table| table.picture(nature.tells_pieces))
            .unwrap_or_default()
    }

    pub(super) fn connect(&mut self, device: usize) {
        let cut = self.links[device].cut;
        let known = &self.devices[device];
        if !known.on || known.connected {
            return;
        }
        if cut || !self.broker_up {
            let wait = self.dice.between(1_000, 4_000);
            self.after(wait, Event::Connect { device });
            return;
        }
        self.links[device].number += 1;
        self.links[device].held.clear();
        tell!(
            self,
            "{} connects, {} reports not seen",
            self.devices[device].id,
            self.devices[device].unseen()
        );
        self.devices[device].connecting();
        self.say_state(device);
        self.say_birth(device);
        let (boot, wait) = (self.devices[device].boot, self.dice.between(500, 5_000));
        self.after(wait, Event::Vital { device, boot });
    }

    pub(super) fn say_birth(&mut self, device: usize) {
        let picture = self.picture(device);
        self.count(device);
        let now = self.now;
        let birth = self.devices[device].birth(now, picture);
        let mut out = vec![birth];
        out.extend(self.devices[device].all_kept(now));
        self.send_up(device, out);
    }

    /// The connection is gone; the device tries again.
    pub(super) fn disconnect(&mut self, device: usize) {
        if !self.devices[device].connected {
            return;
        }
        self.devices[device].connected = false;
        self.links[device].number += 1;
        self.links[device].held.clear();
        let wait = self.dice.between(500, 5_000);
        self.after(wait, Event::Connect { device });
    }

    pub(super) fn link_up(&mut self) {
        if let Some(house) = &mut self.house
            && !house.linked
        {
            house.linked = true;
            house.tell_front(FrontInput::LinkUp);
        }
    }

    pub(super) fn link_down(&mut self) {
        if let Some(house) = &mut self.house
            && house.linked
        {
            house.linked = false;
            house.tell_front(FrontInput::LinkDown);
        }
    }

    pub(super) fn heard(&mut self, device: usize, down: Down, payload: &[u8]) {
        let now = self.now;
        self.count(device);
        match down {
            Down::Time => {
                if let Ok(probe) = codec::decode_wire::<pb::TimeProbe>(payload) {
                    let vital = self.devices[device].vital(now, Some(&probe));
                    self.send_up(device, vec![vital]);
                }
            }
            Down::Seen => {
                if let Ok(seen) = codec::decode_wire::<pb::Seen>(payload) {
                    let picture = self.picture(device);
                    let out = self.devices[device].seen(&seen, now, picture);
                    self.send_up(device, out);
                }
            }
            Down::Order => {
                if let Ok(order) = codec::decode_wire::<pb::Order>(payload) {
                    let (out, changed) = self.devices[device].order(&order, now);
                    tell!(self, "{} obeys {}: {changed}", self.devices[device].id, order.id);
                    self.send_up(device, vec![out]);
                    if changed {
                        self.clock_changed(device);
                    }
                }
            }
        }
    }

    pub(super) fn link_soon(&mut self) {
        let (life, cut, wait) = (self.life, self.hub_cut, self.dice.between(100, 3_000));
        self.after(wait, Event::LinkUp { life, cut });
    }

    /// What waited is under way again, if its connection lived.
    pub(super) fn let_go(&mut self, device: usize) {
        let link = &mut self.links[device];
        if link.cut || link.stalled {
            return;
        }
        for (_, event) in std::mem::take(&mut link.held) {
            let wait = self.dice.between(5, 60);
            let at = (self.now + wait).max(self.links[device].last[0]);
            self.links[device].last[0] = at;
            self.at(at, event);
        }
    }
}
