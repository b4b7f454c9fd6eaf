//! Devices of the registry: added, bound to tables, replaced.

use super::*;

impl Registry {
    pub(super) fn device(&self, field: &str, device: &DeviceId) -> Result<&Device, CallError> {
        self.devices.get(device).ok_or_else(|| CallError {
            field: Some(field.to_owned()),
            ..not_found(format!("the hall does not know a device {device}; add it first"))
        })
    }

    pub(super) fn unbind(&mut self, device: &DeviceId) {
        let Some(known) = self.devices.get_mut(device) else {
            return;
        };
        let Some(place) = known.bound_to.take().and_then(|table| self.tables.get_mut(&table)) else {
            return;
        };
        for serves in [&mut place.clock, &mut place.board] {
            if serves.as_ref() == Some(device) {
                *serves = None;
            }
        }
    }

    pub(super) fn add_device(
        &self,
        device: &DeviceId,
        kind: DeviceKind,
        speaks_for: &[DeviceId],
        context: &Context<'_>,
    ) -> Result<Decided, CallError> {
        if device.as_str() == "hub" {
            return Err(CallError::field("device", "`hub` is the hub's own name; take another"));
        }
        if self.devices.contains_key(device) {
            return Err(CallError {
                field: Some("device".into()),
                ..CallError::new(
                    CallReason::AlreadyExists,
                    format!("{device} is known already; rotate it for a new secret, or take another name"),
                )
            });
        }
        if !speaks_for.is_empty() && kind != DeviceKind::Gateway {
            return Err(CallError::field("speaks_for", "only a gateway speaks for others"));
        }
        for (at, other) in speaks_for.iter().enumerate() {
            let path = format!("speaks_for[{at}]");
            let known = self.device(&path, other)?;
            if known.kind == DeviceKind::Gateway {
                return Err(CallError::field(path, format!("{other} is a gateway itself")));
            }
        }
        let secret = context.chance.secret();
        Ok(Decided {
            event: HallEvent::DevicePut(Device {
                id: device.clone(),
                kind,
                speaks_for: speaks_for.to_vec(),
                credential: context.chance.credential(&secret),
                bound_to: None,
            }),
            answer: Answer {
                secret: Some(secret),
                ..Answer::default()
            },
        })
    }

    pub(super) fn bind(
        &self,
        device: &DeviceId,
        table: TableNo,
        (as_clock, as_board): (bool, bool),
        white_side: Option<Side>,
        board_turned: Option<bool>,
    ) -> Result<HallEvent, CallError> {
        let known = self.device("device", device)?;
        let place = self.tables.get(&table).ok_or_else(|| no_table(table))?;
        let (as_clock, as_board) = match (as_clock, as_board, known.kind) {
            (_, _, DeviceKind::Gateway) => {
                return Err(CallError::field(
                    "device",
                    format!("{device} is a gateway: bind the devices it speaks for"),
                ));
            }
            (false, false, DeviceKind::Clock) => (true, false),
            (false, false, DeviceKind::Board) => (false, true),
            (false, false, DeviceKind::Both) => (true, true),
            (true, _, DeviceKind::Board) => return Err(CallError::field("as_clock", format!("{device} is a board"))),
            (_, true, DeviceKind::Clock) => return Err(CallError::field("as_board", format!("{device} is a clock"))),
            (as_clock, as_board, _) => (as_clock, as_board),
        };
        if let Some(other) = known.bound_to.filter(|other| *other != table) {
            return Err(wrong_state(format!(
                "{device} serves table {other}; unbind it there first"
            )));
        }
        let taken =
            |wanted: bool, serves: &Option<DeviceId>| serves.clone().filter(|serves| wanted && serves != device);
        for (what, serves) in [
            ("clock", taken(as_clock, &place.clock)),
            ("board", taken(as_board, &place.board)),
        ] {
            if let Some(other) = serves {
                return Err(wrong_state(format!(
                    "table {table} has {other} as its {what}; unbind it, or replace it by {device} in one call"
                )));
            }
        }
        Ok(HallEvent::DeviceBound {
            device: device.clone(),
            table,
            as_clock,
            as_board,
            white_side: white_side.unwrap_or(place.white_side),
            board_turned: board_turned.unwrap_or(place.board_turned),
        })
    }

    pub(super) fn replace(&self, old: &DeviceId, new: &DeviceId) -> Result<HallEvent, CallError> {
        let broken = self.device("old", old)?;
        let fresh = self.device("new", new)?;
        let Some(table) = broken.bound_to else {
            return Err(wrong_state(format!("{old} serves no table: bind {new} instead")));
        };
        if let Some(other) = fresh.bound_to {
            return Err(wrong_state(format!(
                "{new} serves table {other} already; unbind it there first"
            )));
        }
        let place = self.tables.get(&table).ok_or_else(|| no_table(table))?;
        let (clock, board) = (place.clock.as_ref() == Some(old), place.board.as_ref() == Some(old));
        let can = match fresh.kind {
            DeviceKind::Both => true,
            DeviceKind::Clock => !board,
            DeviceKind::Board => !clock,
            DeviceKind::Gateway => false,
        };
        if !can {
            return Err(CallError::field(
                "new",
                format!("{new} cannot do all that {old} does at table {table}"),
            ));
        }
        Ok(HallEvent::DeviceReplaced {
            old: old.clone(),
            new: new.clone(),
        })
    }
}
