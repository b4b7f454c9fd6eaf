//! What a board of its own tells waits until its time is known.
//!
//! When it happened, against what the clock tells, is known by an exchange with the board's boot; until there is one, only that it was no later
//! than it was heard. After an outage, or a restart of either side, that may be seconds off, and a press would seem to have come without the
//! move that was put on the board before it. The exchange is had within a moment after the board is heard; so that long its reports, answers
//! and states are kept here, in their order. Nothing is lost with them: the device keeps what has not been said to be durable. A device that
//! answers no exchange is waited for once.

use super::front::{Front, FrontEffect};
use crate::device::session::SessionEffect;
use crate::hall::ids::DeviceId;
use crate::time::{DeviceTime, HallTime, Millis};

/// So long is waited for the first exchange with a boot, in real time.
const WAIT: Millis = Millis::secs(3);

/// What waits of one device.
pub(super) struct Held {
    effects: Vec<SessionEffect>,
    /// Which boot is waited for, or was, and until when.
    of: Option<(u32, HallTime)>,
    wait: Millis,
}

impl Held {
    /// Nothing, in a hall of this speed.
    pub fn new(speed: f64) -> Held {
        Held {
            effects: Vec::new(),
            of: None,
            wait: Millis((WAIT.0 as f64 * speed) as i64),
        }
    }

    /// When it is waited no longer; `None`: nothing waits.
    pub fn due(&self) -> Option<HallTime> {
        self.of.filter(|_| !self.effects.is_empty()).map(|(_, until)| until)
    }

    /// Whether that time has come.
    pub fn is_due(&self, now: HallTime) -> bool {
        self.due().is_some_and(|due| due <= now)
    }

    /// Whether this boot is still waited for.
    fn waits_for(&mut self, boot: u32, now: HallTime) -> bool {
        let (_, until) = *match &mut self.of {
            Some(of) if of.0 == boot => of,
            of => of.insert((boot, now + self.wait)),
        };
        now < until
    }
}

/// In which boot, and when by its time, a device sent what its table is to be told.
fn told(effect: &SessionEffect) -> Option<(u32, DeviceTime)> {
    match effect {
        SessionEffect::Deliver(report) => Some((report.boot, report.sent)),
        SessionEffect::Acked(ack) => Some((ack.boot, ack.sent)),
        SessionEffect::State(state) => Some((state.boot, state.at)),
        SessionEffect::Settled { boot, through } => Some((*boot, *through)),
        _ => None,
    }
}

impl Front {
    /// Keeps this effect where it has to wait; otherwise it is given back.
    pub(super) fn hold_back(
        &mut self,
        now: HallTime,
        id: &DeviceId,
        effect: SessionEffect,
        out: &mut Vec<FrontEffect>,
    ) -> Option<SessionEffect> {
        let Some((boot, sent)) = told(&effect) else {
            return Some(effect);
        };
        let Some(device) = self.device_mut(id) else {
            return Some(effect);
        };
        let behind_others = !device.held.effects.is_empty();
        let present = device.session.boot() == Some(boot);
        let unknown = present && !device.map(boot, sent, now).has_exchange();
        let waits = behind_others || unknown && self.is_board_in_play(id);
        if !waits {
            return Some(effect);
        }
        let Some(device) = self.device_mut(id) else {
            return Some(effect);
        };
        if behind_others || device.held.waits_for(boot, now) {
            // That it has come by now bounds its time, as long as nothing better is known.
            let leapt = matches!(effect, SessionEffect::Deliver(_)) && present;
            let leapt = leapt.then(|| device.map(boot, sent, now).heard(sent, now)).flatten();
            device.held.effects.push(effect);
            self.time_note(now, id, boot, leapt, out);
            return None;
        }
        Some(effect)
    }

    /// It is a board beside a clock, and a game is at their table.
    fn is_board_in_play(&self, id: &DeviceId) -> bool {
        let table = self.device(id).and_then(|device| device.bound);
        table.is_some_and(|table| {
            let (clock, board) = self.devices_at(table);
            board == Some(id) && clock.is_some() && clock != board && self.has_game(table)
        })
    }

    /// What has waited for the device's time goes to its table, in its order.
    pub(super) fn release(&mut self, now: HallTime, id: &DeviceId, out: &mut Vec<FrontEffect>) {
        let Some(device) = self.device_mut(id) else { return };
        for effect in std::mem::take(&mut device.held.effects) {
            self.effect(now, id, effect, out);
        }
    }
}
