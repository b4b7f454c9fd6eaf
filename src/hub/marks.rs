//! How far each device's reports are durable, how its boots are mapped, and what it can do: what a restarted hub needs to go on
//! with every device where it was.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::device::session::Mark;
use crate::device::time::BootOffset;
use crate::hall::DeviceId;
use crate::hall::record::DeviceRecord;
use crate::hall::report::Abilities;
use crate::store::SessionMark;
use crate::time::Millis;

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
            DeviceRecord::Offset { device, boot, offset } => {
                self.boot(device, *boot).offset = Some(*offset);
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
    /// What a session is built from.
    pub fn session(&self) -> Option<Mark> {
        let (last, past) = self.boots.split_last()?;
        let past = past.iter().map(|boot| (boot.boot, boot.seq)).collect();
        Some(Mark {
            past,
            ..Mark::at(last.boot, last.seq)
        })
    }

    /// How a boot is mapped, if that has been fixed.
    pub fn offset(&self, boot: u32) -> Option<BootOffset> {
        let offset = self.boots.iter().find(|known| known.boot == boot)?.offset?;
        Some(BootOffset {
            boot,
            offset,
            fixed: true,
        })
    }
}
