//! Orders to clocks, by side, and how they are written.

use super::message::Side;
use super::proto::device::v1 as pb;
use crate::time::{DeviceTime, Millis};

/// An order to one device.
#[derive(Clone, PartialEq, Debug)]
pub struct DeviceOrder {
    /// Done once, however often it comes.
    pub id: String,
    /// The hub's epoch.
    pub epoch: u64,
    /// The boot it is meant for.
    pub boot: u32,
    /// The last report it was decided on; -1: none.
    pub decided_seq: i64,
    /// The device's own time after which it is refused; `None` = never. See [`super::time::TimeMap::to_device`].
    pub expires: Option<DeviceTime>,
    /// What to do.
    pub what: DeviceOrderKind,
}

/// What a device is to do.
#[derive(Clone, PartialEq, Debug)]
pub enum DeviceOrderKind {
    /// Take this time control and show the starting times.
    Control(Control),
    /// Change both sides, running or not.
    Add {
        /// The left side's change.
        left: Millis,
        /// The right side's change.
        right: Millis,
    },
    /// Set both sides of a clock that stands.
    Set {
        /// The left side's time.
        left: Millis,
        /// The right side's time.
        right: Millis,
        /// Presses completed, left and right.
        moves: Option<(u32, u32)>,
    },
    /// This side's time runs.
    Run(Side),
    /// Both stand.
    Stop,
    /// Show a line of text.
    Text {
        /// The line.
        text: String,
        /// For how long.
        shown: Millis,
    },
}

/// A time control for a clock that counts by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Control {
    /// One after the other.
    pub periods: Vec<ControlPeriod>,
    /// The next period is added at the press that completes the moves; otherwise to both sides when the first reaches zero.
    pub added_on_moves: bool,
    /// Which side is White's.
    pub white: Side,
    /// What the left side shows before the start, first increment included.
    pub left: Millis,
    /// What the right side shows before the start.
    pub right: Millis,
    /// In the last period both stand when one reaches zero.
    pub freeze: bool,
}

/// One period.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ControlPeriod {
    /// Moves to complete; `None` = the rest of the game.
    pub moves: Option<u32>,
    /// Its time.
    pub time: Millis,
    /// What is given at every move.
    pub bonus: ControlBonus,
}

/// What is given at every move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ControlBonus {
    /// Nothing.
    None,
    /// Added at the press.
    Increment(Millis),
    /// The main time waits so long (6.3.2).
    Delay(Millis),
    /// The time used is given back, at most so much.
    Bronstein(Millis),
}

impl From<Side> for pb::Side {
    fn from(side: Side) -> pb::Side {
        match side {
            Side::Left => pb::Side::Left,
            Side::Right => pb::Side::Right,
        }
    }
}

/// Times on a clock are never negative on the wire.
fn ms(span: Millis) -> u64 {
    u64::try_from(span.0).unwrap_or(0)
}

impl From<&DeviceOrder> for pb::Order {
    fn from(order: &DeviceOrder) -> pb::Order {
        use pb::order::What;
        let what = match &order.what {
            DeviceOrderKind::Control(control) => What::Control(control.into()),
            DeviceOrderKind::Add { left, right } => What::Add(pb::AddTime {
                left_ms: left.0,
                right_ms: right.0,
            }),
            DeviceOrderKind::Set { left, right, moves } => What::Set(pb::SetTimes {
                left_ms: ms(*left),
                right_ms: ms(*right),
                left_moves: moves.map(|(left, _)| left),
                right_moves: moves.map(|(_, right)| right),
            }),
            DeviceOrderKind::Run(side) => What::Run(pb::Run {
                side: pb::Side::from(*side).into(),
            }),
            DeviceOrderKind::Stop => What::Stop(pb::Stop {}),
            DeviceOrderKind::Text { text, shown } => What::Text(pb::ShowText {
                text: text.clone(),
                for_ms: ms(*shown),
            }),
        };
        pb::Order {
            id: order.id.clone(),
            epoch: order.epoch,
            boot: order.boot,
            decided_seq: order.decided_seq,
            expires_ms: order.expires.map_or(0, |at| at.0),
            what: Some(what),
        }
    }
}

impl From<&Control> for pb::SetControl {
    fn from(control: &Control) -> pb::SetControl {
        pb::SetControl {
            periods: control.periods.iter().map(pb::Period::from).collect(),
            added_on_moves: control.added_on_moves,
            white: pb::Side::from(control.white).into(),
            left_ms: ms(control.left),
            right_ms: ms(control.right),
            freeze: control.freeze,
        }
    }
}

impl From<&ControlPeriod> for pb::Period {
    fn from(period: &ControlPeriod) -> pb::Period {
        use pb::period::Bonus;
        let (bonus, given) = match period.bonus {
            ControlBonus::None => (Bonus::None, Millis::ZERO),
            ControlBonus::Increment(given) => (Bonus::Increment, given),
            ControlBonus::Delay(given) => (Bonus::Delay, given),
            ControlBonus::Bronstein(given) => (Bonus::Bronstein, given),
        };
        pb::Period {
            moves: period.moves.unwrap_or(0),
            time_ms: ms(period.time),
            bonus: bonus.into(),
            bonus_ms: ms(given),
        }
    }
}
