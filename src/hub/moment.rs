//! One time for a table's devices.
//!
//! A player's time is the difference of his clock's own milliseconds, however fast or slow they go; so the clock's time, as its boot was
//! bound to the table, is the table's. A board of its own only says what came before what: it is mapped to the same time by what is known of
//! both counters at that moment. So a clock that runs off takes its board along, and the two can be put in order as closely as the exchanges
//! with them allow, not as badly as the two have run apart since the game began.

use super::devices::Device;
use super::front::Front;
use crate::device::time::TimeMap;
use crate::game::input::UNKNOWN_BAR;
use crate::hall::ids::{DeviceId, TableNo};
use crate::mutation::{self, Mutation};
use crate::time::{DeviceTime, HallTime, Millis};

/// When something happened at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// In the table's time.
    pub at: HallTime,
    /// How far that may be off against hall time; `None` is unknown.
    pub bar: Option<Millis>,
    /// How far it may be off against what the table's other device tells; `None` is unknown.
    pub apart: Option<Millis>,
}

impl Device {
    /// The latest that was told of an earlier boot than this.
    fn boot_before(&self, boot: u32) -> Option<HallTime> {
        let others = self.maps().iter().filter(|map| map.boot() != boot);
        others.filter_map(TimeMap::told_of).max()
    }

    /// By how much this device's time, as it was bound, was ahead of the hall's at that hall time: by its newest boot that was there then;
    /// `None`: none was. Inside: not known.
    fn ahead_at(&self, at: HallTime) -> Option<Option<Millis>> {
        let there = |map: &&TimeMap| map.offset().fixed && map.began() <= at;
        self.maps().iter().rfind(there).map(|map| map.mapped_ahead(at))
    }
}

impl Front {
    /// By how much the table's time was ahead of the hall's: as its clock's is, or until that is bound, as that of the clock before it was.
    fn table_ahead(&self, table: TableNo, clock: &DeviceId, at: HallTime) -> Option<Option<Millis>> {
        let of = |device: &DeviceId| self.device(device)?.ahead_at(at);
        of(clock).or_else(|| of(self.clock_before(table)?))
    }

    /// So far ahead a boot of this device is bound to its table. Only the clock's time is the table's; it goes on with another boot, or
    /// another clock, where it had come to.
    pub(super) fn ahead_for(&self, id: &DeviceId, table: TableNo, now: HallTime) -> Millis {
        let plays = self.has_game(table);
        let is_clock = self.devices_at(table).0 == Some(id);
        let ahead = self.table_ahead(table, id, now).flatten().filter(|_| plays && is_clock);
        ahead.unwrap_or(Millis::ZERO)
    }

    /// When `at` was for this device, which told it at `sent`, heard now. Nothing has happened after it was told.
    pub(super) fn moment(
        &mut self,
        now: HallTime,
        id: &DeviceId,
        table: TableNo,
        boot: u32,
        (sent, at): (DeviceTime, DeviceTime),
    ) -> Option<Moment> {
        if mutation::on(Mutation::ArrivalTime) {
            return Some(Moment {
                at: now,
                bar: None,
                apart: None,
            });
        }
        let at = at.min(sent);
        let device = self.device_mut(id)?;
        let before = device.boot_before(boot);
        let map = device.map(boot, sent, now);
        map.tells(at);
        let (mapped, bar) = map.to_hall(at);
        let known = map.known(at);
        let mut moment = Moment {
            at: mapped,
            bar,
            apart: bar,
        };
        let (clock, board) = self.devices_at(table);
        if clock == Some(id) && board.is_some_and(|board| board != id) {
            moment.apart = known.map(|(_, bar)| bar);
        } else if mutation::on(Mutation::BoardByItself) {
            return Some(moment);
        } else if let (true, Some(clock)) = (board == Some(id), clock.filter(|&clock| clock != id)) {
            // Without an exchange it may have waited for as long as the device has been on: it was no earlier than what came before that.
            let unknown = before.map(|before| (mapped - before).max(UNKNOWN_BAR));
            let (hall, open) = known.map_or((mapped, unknown), |(hall, open)| (hall, Some(open)));
            match self.table_ahead(table, clock, hall) {
                // It is not known by how much: to take that for nothing makes wrong findings (hall 101859 of the storm).
                Some(None) => moment.apart = None,
                // Where no clock has been heard yet, nothing is counted.
                ahead => {
                    let ahead = ahead.flatten().unwrap_or(Millis::ZERO);
                    moment.at = hall + ahead;
                    moment.bar = open.map(|open| open + Millis(ahead.0.abs()));
                    moment.apart = open;
                }
            }
        }
        Some(moment)
    }
}
