//! The topics: `flagfall/v1/{hall}/{device}/…` and `flagfall/v1/{hall}/hub/state`.

use std::fmt;
use std::str::FromStr;

use crate::hall::ids::BadName;

pub use crate::hall::ids::DeviceId;

/// What stands before the hall's name in every topic.
pub const ROOT: &str = "flagfall/v1";

/// The name under which the hub itself logs in at the broker; no device can have it.
pub const HUB: &str = "hub";

/// The name of the hall in topics, written as a device's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HallId(DeviceId);

impl HallId {
    /// As text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for HallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for HallId {
    type Err = BadName;
    fn from_str(text: &str) -> Result<HallId, BadName> {
        text.parse().map(HallId).map_err(|bad: BadName| BadName {
            what: "hall's name",
            ..bad
        })
    }
}

/// What a device sends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "named as the last level of the topic")]
pub enum Up {
    Birth,
    Report,
    Vital,
    Ack,
    Death,
}

impl Up {
    /// All of them.
    pub const ALL: [Up; 5] = [Up::Birth, Up::Report, Up::Vital, Up::Ack, Up::Death];

    /// The last level of the topic.
    pub fn name(self) -> &'static str {
        match self {
            Up::Birth => "birth",
            Up::Report => "report",
            Up::Vital => "vital",
            Up::Ack => "ack",
            Up::Death => "death",
        }
    }
}

/// What the hub sends to a device.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "named as the last level of the topic")]
pub enum Down {
    Order,
    Time,
    Seen,
}

impl Down {
    /// All of them.
    pub const ALL: [Down; 3] = [Down::Order, Down::Time, Down::Seen];

    /// The last level of the topic.
    pub fn name(self) -> &'static str {
        match self {
            Down::Order => "order",
            Down::Time => "time",
            Down::Seen => "seen",
        }
    }
}

/// A topic of ours.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Topic {
    /// From a device.
    Up(DeviceId, Up),
    /// To a device.
    Down(DeviceId, Down),
    /// `hub/state`.
    HubState,
}

impl Topic {
    /// The topic in this hall.
    pub fn name(&self, hall: &HallId) -> String {
        match self {
            Topic::Up(device, what) => format!("{ROOT}/{hall}/{device}/{}", what.name()),
            Topic::Down(device, what) => format!("{ROOT}/{hall}/{device}/{}", what.name()),
            Topic::HubState => format!("{ROOT}/{hall}/{HUB}/state"),
        }
    }

    /// Reads a topic of this hall; `None` when it is not one.
    pub fn parse(hall: &HallId, name: &str) -> Option<Topic> {
        let rest = name
            .strip_prefix(ROOT)?
            .strip_prefix('/')?
            .strip_prefix(hall.as_str())?
            .strip_prefix('/')?;
        let (device, what) = rest.split_once('/')?;
        if device == HUB {
            return (what == "state").then_some(Topic::HubState);
        }
        let device: DeviceId = device.parse().ok()?;
        if let Some(up) = Up::ALL.into_iter().find(|up| up.name() == what) {
            return Some(Topic::Up(device, up));
        }
        Down::ALL
            .into_iter()
            .find(|down| down.name() == what)
            .map(|down| Topic::Down(device, down))
    }
}

/// What the hub subscribes to: one filter for each kind, every device.
pub fn hub_filters(hall: &HallId) -> [String; 5] {
    Up::ALL.map(|up| format!("{ROOT}/{hall}/+/{}", up.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_read_as_it_was_written() {
        let hall: HallId = "main".parse().expect("an id");
        let device: DeviceId = "clock-17".parse().expect("an id");
        let all = Up::ALL
            .map(|up| Topic::Up(device.clone(), up))
            .into_iter()
            .chain(Down::ALL.map(|down| Topic::Down(device.clone(), down)))
            .chain([Topic::HubState]);
        for topic in all {
            assert_eq!(Topic::parse(&hall, &topic.name(&hall)), Some(topic));
        }
    }

    #[test]
    fn other_halls_devices_named_hub_and_deeper_topics_are_not_ours() {
        let hall: HallId = "main".parse().expect("an id");
        for name in [
            "flagfall/v1/other/clock-1/report",
            "flagfall/v1/mainx/clock-1/report",
            "flagfall/v1/main/hub/report",
            "flagfall/v1/main/clock-1/report/x",
            "flagfall/v1/main/Clock/report",
            "flagfall/v1/main/+/report",
            "flagfall/v2/main/clock-1/report",
            "flagfall/v1/main/clock-1",
            "",
        ] {
            assert_eq!(Topic::parse(&hall, name), None, "{name}");
        }
        assert!("hub".parse::<DeviceId>().is_err() && "a/b".parse::<HallId>().is_err());
    }
}
