//! What people should know of the hall's devices beyond single games: one notice for each kind of trouble, with everybody it
//! concerns, so that two hundred devices lost with the broker are one line and not two hundred.
//!
//! Notices are state, not record: they stand while the trouble does, and rest on what is heard, not on the journal.

use serde::{Deserialize, Serialize};

use super::ids::{DeviceId, EventId, RoundNo, TableNo};
use crate::time::HallTime;

/// A battery with so many percent or less is low, and again as it should be from the second figure on.
pub const BATTERY_LOW: (u32, u32) = (20, 25);
/// So low that it will not last.
pub const BATTERY_CRITICAL: u32 = 10;
/// A signal of so many dBm or less is weak, and again as it should be from the second figure on.
pub const SIGNAL_WEAK: (i32, i32) = (-80, -75);
/// A signal has to be weak so often, one sign of life after the other, before it is said.
pub const SIGNAL_WEAK_TIMES: u32 = 3;
/// So many devices that are lost within moments are one trouble: an access point, a cable, a fuse.
pub const LOST_TOGETHER: usize = 5;

/// The kinds of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// A device has obeyed a newer hub: this one gives no more orders.
    NewerHub,
    /// The hub has no connection to the broker: nothing is known of any device.
    BrokerLost,
    /// Devices that spoke before the connection to the broker broke, and have not since it is back.
    LostWithBroker,
    /// Devices that have not spoken since the hub was started.
    NotSeenYet,
    /// Devices whose gateway is gone.
    LostWithGateway,
    /// Many devices lost within moments.
    LostTogether,
    /// Devices that have gone silent, each by itself.
    Silent,
    /// Reports that do not come though they were asked for.
    ReportsMissing,
    /// Batteries that are low.
    BatteryLow,
    /// Signals that are weak.
    SignalWeak,
    /// Devices whose time does not go as the hall's.
    TimeOff,
    /// The sheets of all games do not get to the folder that they are meant for.
    SheetsNotWritten,
    /// The files of broadcasts do not get to the folder that they are meant for.
    BroadcastNotWritten,
    /// Nothing new gets to broadcasts on Lichess.
    LichessNotTold,
    /// Games that a broadcast on Lichess does not take as they are.
    LichessRefuses,
    /// Boards that go to no broadcast on Lichess.
    LichessLeavesOut,
}

impl NoticeKind {
    /// As arbiters' clients know it.
    pub fn name(self) -> &'static str {
        match self {
            NoticeKind::NewerHub => "newer-hub",
            NoticeKind::BrokerLost => "broker-lost",
            NoticeKind::LostWithBroker => "lost-with-broker",
            NoticeKind::NotSeenYet => "not-seen-yet",
            NoticeKind::LostWithGateway => "lost-with-gateway",
            NoticeKind::LostTogether => "lost-together",
            NoticeKind::Silent => "silent",
            NoticeKind::ReportsMissing => "reports-missing",
            NoticeKind::BatteryLow => "battery-low",
            NoticeKind::SignalWeak => "signal-weak",
            NoticeKind::TimeOff => "time-off",
            NoticeKind::SheetsNotWritten => "sheets-not-written",
            NoticeKind::BroadcastNotWritten => "broadcast-not-written",
            NoticeKind::LichessNotTold => "lichess-not-told",
            NoticeKind::LichessRefuses => "lichess-refuses",
            NoticeKind::LichessLeavesOut => "lichess-leaves-out",
        }
    }

    /// What has happened, in one sentence.
    pub fn what(self, count: usize) -> String {
        let devices = if count == 1 {
            "1 device".to_owned()
        } else {
            format!("{count} devices")
        };
        match self {
            NoticeKind::NewerHub => {
                "A device has obeyed a newer hub than this one, which gives no more orders".to_owned()
            }
            NoticeKind::BrokerLost => {
                format!(
                    "The hub has no connection to the broker; {devices} were there before, and nothing is known of them now"
                )
            }
            NoticeKind::LostWithBroker => format!("{devices} lost with the broker have not come back"),
            NoticeKind::NotSeenYet => format!("{devices} at tables have not spoken since the hub was started"),
            NoticeKind::LostWithGateway => format!("{devices} lost with their gateway"),
            NoticeKind::LostTogether => format!("{devices} were lost within moments"),
            NoticeKind::Silent => format!("{devices} silent"),
            NoticeKind::ReportsMissing => {
                format!("Reports of {devices} are missing, and do not come though they were asked for")
            }
            NoticeKind::BatteryLow => format!("The battery of {devices} is low"),
            NoticeKind::SignalWeak => format!("The signal of {devices} is weak"),
            NoticeKind::TimeOff => format!("The time of {devices} does not go as the hall's"),
            NoticeKind::SheetsNotWritten => "The sheets of all games do not get to their folder".to_owned(),
            NoticeKind::BroadcastNotWritten => "The files of the broadcast do not get to their folder".to_owned(),
            NoticeKind::LichessNotTold => match count {
                1 => "Nothing new gets to a broadcast on Lichess".to_owned(),
                _ => format!("Nothing new gets to {count} broadcasts on Lichess"),
            },
            NoticeKind::LichessRefuses => match count {
                1 => "A game is not taken by Lichess as it is".to_owned(),
                _ => format!("{count} games are not taken by Lichess as they are"),
            },
            NoticeKind::LichessLeavesOut => match count {
                1 => "Some boards of a round are in no broadcast on Lichess".to_owned(),
                _ => format!("Some boards of {count} rounds are in no broadcast on Lichess"),
            },
        }
    }

    /// What to do about it, in one sentence.
    pub fn advice(self) -> &'static str {
        match self {
            NoticeKind::NewerHub => {
                "Two hubs are running, or the data folder is an old copy: stop this one, and start the newest"
            }
            NoticeKind::BrokerLost => {
                "Clocks that count go on by themselves and report when they can; look after the broker and its cable"
            }
            NoticeKind::LostWithBroker | NoticeKind::LostTogether => {
                "Clocks that count go on by themselves; look after the access point or switch that they share, and its power"
            }
            NoticeKind::NotSeenYet => "Switch them on, or unbind what does not stand at its table",
            NoticeKind::LostWithGateway => "Look after the gateway: its cable, its power, its program",
            NoticeKind::Silent => "Look at each: switched off, battery empty, out of reach; exchange what is broken",
            NoticeKind::ReportsMissing => {
                "Nothing is certain at these tables until they come; exchange the device, or rule without it"
            }
            NoticeKind::BatteryLow => "Charge or exchange them before the next round",
            NoticeKind::SignalWeak => "Move the access point or the device; reports come late",
            NoticeKind::SheetsNotWritten => {
                "Look after the drive or the other machine (`sheet.folder`); the games go on, but without a copy on paper"
            }
            NoticeKind::BroadcastNotWritten => {
                "Look after the drive or the other machine (`livechess.folder`); the games go on, but who reads there sees nothing new"
            }
            NoticeKind::LichessNotTold => {
                "It is tried again by itself; look after the network, the token and the round's id"
            }
            NoticeKind::LichessRefuses => {
                "Compare the record with the players' scoresheets, and mend it; the other games are told"
            }
            NoticeKind::LichessLeavesOut => {
                "A broadcast's round takes 100 games: make another there, and give it these boards in `lichess.rounds`"
            }
            NoticeKind::TimeOff => "Exchange the device; what a clock shows stands unless an arbiter rules otherwise",
        }
    }
}

/// One trouble of the hall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// Of which kind; there is one of each at most.
    pub kind: NoticeKind,
    /// Since when there is any of it.
    pub since: HallTime,
    /// Whom it concerns, the worst first.
    pub devices: Vec<NoticeDevice>,
    /// Rounds and tables that it concerns, where it is no device's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<NoticePlace>,
}

impl Notice {
    /// What has happened, in one sentence.
    pub fn what(&self) -> String {
        self.kind.what(self.devices.len() + self.places.len())
    }
}

/// A round that a notice concerns, or one table of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoticePlace {
    /// Whose round.
    pub event: EventId,
    /// Which.
    pub round: RoundNo,
    /// Only this table.
    pub table: Option<TableNo>,
    /// Since when.
    pub since: HallTime,
    /// What is known of the cause.
    pub detail: String,
}

/// One device of a notice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoticeDevice {
    /// Which.
    pub id: DeviceId,
    /// The table that it serves.
    pub table: Option<TableNo>,
    /// Since when.
    pub since: HallTime,
    /// The figure, or what is known of the cause: `8 %`, `-84 dBm`, `5.00 % slow`.
    pub detail: String,
}
