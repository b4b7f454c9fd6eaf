//! How far each device's reports are durable, how its boots are mapped, and what it can do: what a restarted hub needs to go on
//! with every device where it was.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::device::session::{Mark, PastMark};
use crate::device::time::BootOffset;
use crate::hall::DeviceId;
use crate::hall::record::DeviceRecord;
use crate::hall::report::{Abilities, KnownOffset};
use crate::mutation::{self, Mutation};
use crate::store::SessionMark;
use crate::time::{DeviceTime, HallTime, Millis};

/// Boots of a device that are remembered.
const BOOTS: usize = 8;

/// What is durable of one device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DeviceMarks {
    /// The latest last.
    pub boots: Vec<BootMark>,
    /// What it said at its last birth.
    pub able: Option<Abilities>,
}

/// What is durable of one boot.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BootMark {
    /// Which.
    pub boot: u32,
    /// Without a gap up to here; -1: nothing.
    pub seq: i64,
    /// Hall time minus device time, once fixed.
    pub offset: Option<Millis>,
    /// What is known of how far that is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<KnownOffset>,
}

/// What is durable of all devices.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    devices: BTreeMap<DeviceId, DeviceMarks>,
}

impl Marks {
    /// With one device as it was kept.
    pub fn restore(&mut self, device: DeviceId, marks: DeviceMarks) {
        self.devices.insert(device, marks);
    }

    /// One device's.
    pub fn get(&self, device: &DeviceId) -> Option<&DeviceMarks> {
        self.devices.get(device)
    }

    /// All that are known.
    pub fn iter(&self) -> impl Iterator<Item = (&DeviceId, &DeviceMarks)> {
        self.devices.iter()
    }

    /// Reports are durable. Says whose mark has changed.
    pub fn progress(&mut self, mark: &SessionMark) -> Option<DeviceId> {
        let device: DeviceId = mark.device.parse().ok()?;
        let boot = self.boot(&device, mark.boot);
        boot.seq = boot.seq.max(mark.seq);
        Some(device)
    }

    /// Something was learnt of a device. Says of which.
    pub fn record(&mut self, record: &DeviceRecord) -> Option<DeviceId> {
        match record {
            DeviceRecord::Progress => None,
            DeviceRecord::Offset {
                device,
                boot,
                offset,
                known,
            } => {
                let mark = self.boot(device, *boot);
                mark.offset = Some(*offset);
                mark.known = *known;
                Some(device.clone())
            }
            DeviceRecord::Born { device, boot, able, .. } => {
                self.boot(device, *boot);
                self.devices.entry(device.clone()).or_default().able = Some(*able);
                Some(device.clone())
            }
        }
    }

    fn boot(&mut self, device: &DeviceId, boot: u32) -> &mut BootMark {
        let boots = &mut self.devices.entry(device.clone()).or_default().boots;
        let at = boots.iter().position(|known| known.boot == boot).unwrap_or_else(|| {
            boots.push(BootMark {
                boot,
                seq: -1,
                offset: None,
                known: None,
            });
            if boots.len() > BOOTS {
                boots.remove(0);
            }
            boots.len() - 1
        });
        &mut boots[at]
    }
}

impl DeviceMarks {
    /// What a session is built from. How often a counter has wrapped is told by the hall time that has passed since its
    /// offset was fixed.
    pub fn session(&self, now: HallTime) -> Option<Mark> {
        let (last, past) = self.boots.split_last()?;
        if mutation::on(Mutation::NoMarks) {
            return Some(Mark::at(last.boot, -1));
        }
        let counter = |boot: &BootMark| {
            let (offset, able) = boot.offset.zip(self.able)?;
            let latest = now.0.saturating_sub(offset.0).max(0).unsigned_abs();
            Some((DeviceTime(latest), able.counter_bits))
        };
        let over = |boot: &BootMark| PastMark {
            boot: boot.boot,
            seq: boot.seq,
            counter: counter(boot),
        };
        Some(Mark {
            past: past.iter().map(over).collect(),
            counter: counter(last),
            ..Mark::at(last.boot, last.seq)
        })
    }

    /// How a boot is mapped, if that has been fixed.
    pub fn offset(&self, boot: u32) -> Option<BootOffset> {
        let mark = self.boots.iter().find(|known| known.boot == boot)?;
        Some(BootOffset {
            boot,
            offset: mark.offset?,
            fixed: true,
            known: mark.known,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_never_go_back_and_old_boots_are_forgotten_at_last() {
        let mut marks = Marks::default();
        let mark = |boot, seq| SessionMark {
            device: "clock-1".into(),
            boot,
            seq,
        };
        marks.progress(&mark(1, 5));
        marks.progress(&mark(1, 3));
        for boot in 2..12 {
            marks.progress(&mark(boot, 0));
        }
        let kept = marks.get(&"clock-1".parse().expect("an id")).expect("known");
        assert_eq!(
            (kept.boots.len(), kept.boots.last().map(|boot| boot.boot)),
            (BOOTS, Some(11))
        );
        marks.progress(&mark(11, 7));
        marks.progress(&mark(11, 6));
        let session = marks
            .get(&"clock-1".parse().expect("an id"))
            .and_then(|kept| kept.session(HallTime(0)));
        assert_eq!(session.map(|mark| (mark.boot, mark.seq)), Some((11, 7)));
    }

    #[test]
    fn a_counter_that_has_wrapped_is_known_to_have_after_a_restart() {
        let device: DeviceId = "clock-1".parse().expect("an id");
        let able = Abilities {
            counter_bits: 32,
            ..Abilities::default()
        };
        let mut marks = Marks::default();
        marks.record(&DeviceRecord::Born {
            device: device.clone(),
            boot: 1,
            model: String::new(),
            firmware: String::new(),
            able,
        });
        // Switched on 1 s before its counter's end, at hall time 0.
        let begun = (1 << 32) - 1_000;
        marks.record(&DeviceRecord::Offset {
            device: device.clone(),
            boot: 1,
            offset: Millis(-begun),
            known: None,
        });
        let mark = marks
            .get(&device)
            .and_then(|kept| kept.session(HallTime(61_000)))
            .expect("known");
        let wrapped = Some((DeviceTime((1 << 32) + 60_000), 32));
        assert_eq!(mark.counter, wrapped);
        // Also where the device has been started anew since, and has kept reports of before.
        marks.progress(&SessionMark {
            device: device.to_string(),
            boot: 2,
            seq: -1,
        });
        let mark = marks
            .get(&device)
            .and_then(|kept| kept.session(HallTime(61_000)))
            .expect("known");
        assert_eq!((mark.boot, mark.past[0].counter), (2, wrapped));
    }
}
