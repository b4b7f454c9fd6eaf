//! What a device has said, in the words that leave this room. Sides are the device's own: left and right.

use serde::{Deserialize, Serialize};

use super::topics::DeviceId;
use crate::chess::{Color, Role, Square};
use crate::time::{DeviceTime, Millis};

pub use crate::hall::model::Side;

/// One message of a device, from whichever topic.
#[derive(Clone, PartialEq, Debug)]
#[expect(missing_docs, reason = "named as the messages")]
pub enum FromDevice {
    Birth(Birth),
    Report(Report),
    Vital(Vital),
    Ack(Ack),
    Death(Death),
}

/// What the device can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Abilities {
    /// It reports presses.
    pub clock: bool,
    /// It counts down and shows by itself, and takes orders. A clock that does not is a button.
    pub counts: bool,
    /// It reports squares.
    pub board: bool,
    /// Its board tells pieces apart.
    pub tells_pieces: bool,
    /// It can show a line of text.
    pub shows_text: bool,
    /// Resolution of its time; at least 1 ms.
    pub resolution: Millis,
    /// How late it may see a change of a square.
    pub sensing_lag: Millis,
    /// Bits of its counter, where it wraps; 0 = never.
    pub counter_bits: u32,
    /// A person tells its changes: whole moves, in their order.
    #[serde(default)]
    pub by_hand: bool,
}

/// What a clock shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ClockState {
    /// Time left on the left side.
    pub left: Millis,
    /// Time left on the right side.
    pub right: Millis,
    /// Whose time runs.
    pub running: Option<Side>,
    /// Presses completed on the left since the control was set.
    pub left_moves: u32,
    /// Presses completed on the right.
    pub right_moves: u32,
    /// The flag shown on the left.
    pub left_flag: bool,
    /// The flag shown on the right.
    pub right_flag: bool,
    /// It holds a time control given by an order.
    pub has_control: bool,
}

/// The device has started, or come back to the broker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Birth {
    /// Chosen at random at every start of the device; never 0.
    pub boot: u32,
    /// For people.
    pub model: String,
    /// For people.
    pub firmware: String,
    /// What it can do.
    pub abilities: Abilities,
    /// What the clock shows.
    pub clock: Option<ClockState>,
    /// What stands on the board, in the device's own coordinates; see [`ReportKind::Placement`].
    pub placement: Option<String>,
    /// The last order it carried out.
    pub last_order: Option<String>,
    /// The highest hub epoch it has obeyed.
    pub highest_epoch: u64,
    /// Its time at sending.
    pub sent: DeviceTime,
    /// The sequence of its next report.
    pub next_seq: u64,
    /// The oldest report it still keeps.
    pub oldest_seq: u64,
    /// How long this boot has been up, where it knows.
    pub up: Option<Millis>,
    /// Reports of an earlier boot that it is about to send.
    pub kept: Option<Kept>,
    /// Counts the connections of this boot; `None` where it does not count them.
    pub connection: Option<u32>,
}

/// Reports of an earlier boot, kept over a restart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// That boot.
    pub boot: u32,
    /// The oldest kept.
    pub oldest_seq: u64,
    /// The sequence after the last.
    pub next_seq: u64,
}

/// A report as it came in, in whatever order.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The device's boot.
    pub boot: u32,
    /// From 0 in every boot, without gaps.
    pub seq: u64,
    /// When it happened.
    pub event: DeviceTime,
    /// When it was sent.
    pub sent: DeviceTime,
    /// What happened.
    pub what: ReportKind,
}

/// A report in its place: a session hands out every one once and in order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DeviceReport {
    /// Whose.
    pub device: DeviceId,
    /// Its boot.
    pub boot: u32,
    /// From 0 in every boot. For [`ReportKind::Lost`] the last one lost.
    pub seq: u64,
    /// When it happened; never wraps within a boot.
    pub event: DeviceTime,
    /// When it was sent.
    pub sent: DeviceTime,
    /// What happened.
    pub what: ReportKind,
}

/// What a report says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ReportKind {
    /// A side has ended its turn.
    Press {
        /// The side whose time ran, or would have, until then.
        side: Side,
        /// What the clock showed just after, bonus included.
        clock: Option<ClockState>,
    },
    /// Squares changed, in the order in which they were seen.
    Squares(Vec<SquareChange>),
    /// A whole picture: eight ranks as in a FEN, from the device's own a8 to h1; `x` for a taken square where pieces are not
    /// told apart. Checked: eight ranks of eight squares.
    Placement(String),
    /// What the clock shows.
    Reading(ClockState),
    /// The clock has shown a flag by itself.
    Flag {
        /// On this side.
        side: Side,
        /// What it showed.
        clock: Option<ClockState>,
    },
    /// A player's button.
    Button {
        /// Which.
        kind: ButtonKind,
        /// Whose; `None` for one in the middle.
        side: Option<Side>,
        /// What the clock showed.
        clock: Option<ClockState>,
    },
    /// Something done to the clock by hand.
    ByHand {
        /// What.
        kind: ByHandKind,
        /// The state before, where it is known.
        before: Option<ClockState>,
        /// The state after.
        after: ClockState,
    },
    /// These reports are gone for good: from the first to the one whose place this takes.
    Lost {
        /// The first that is gone.
        first: u64,
        /// The last that is gone.
        last: u64,
    },
}

/// One square that changed, in the device's own coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SquareChange {
    /// The device's own name for it.
    pub square: Square,
    /// What stands there now.
    pub now: Occupant,
}

/// What a board knows of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Occupant {
    /// Nothing.
    Nothing,
    /// Something; the board cannot tell what.
    Something,
    /// This piece.
    Piece(Color, Role),
}

/// A player's buttons.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ButtonKind {
    /// Both clocks stopped to call the arbiter (6.11.2).
    Pause,
    /// A claim.
    Claim(ClaimKind),
    /// 9.1.2.
    DrawOffered,
    /// 9.1.2.
    DrawAccepted,
    /// 9.1.2.
    DrawDeclined,
    /// `1-0`, `0-1` or `1/2-1/2`, checked.
    Result(String),
}

/// What a player claims by button.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClaimKind {
    /// 9.2.
    Threefold,
    /// 9.3.
    FiftyMoves,
    /// 6.8.
    Flag,
    /// 7.5, A.5.2.
    IllegalMove,
    /// A draw, by whichever article.
    Draw,
    /// The button says no more.
    Unspecified,
}

/// What was done to the clock by hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "they say what they say")]
pub enum ByHandKind {
    Started,
    Stopped,
    Adjusted,
}

/// A sign of life.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Vital {
    /// The device's boot.
    pub boot: u32,
    /// The highest sequence made so far; -1: none.
    pub last_seq: i64,
    /// Its time at sending: everything before is in reports up to `last_seq`.
    pub sent: DeviceTime,
    /// 0 to 100.
    pub battery_percent: Option<u32>,
    /// The signal's strength.
    pub signal_dbm: Option<i32>,
    /// What the clock shows.
    pub clock: Option<ClockState>,
    /// The time probe this answers.
    pub probe: Option<ProbeEcho>,
}

/// The device's half of a time exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProbeEcho {
    /// The probe's id.
    pub id: u64,
    /// The device's time when it came in.
    pub received: DeviceTime,
}

/// The answer to an order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ack {
    /// The device's boot.
    pub boot: u32,
    /// The order.
    pub order: String,
    /// How it went.
    pub outcome: AckOutcome,
    /// The device's time at which it took effect.
    pub effect: DeviceTime,
    /// The highest report sequence made before that; -1: none.
    pub after_seq: i64,
    /// What the clock showed then.
    pub clock: Option<ClockState>,
    /// For people.
    pub detail: String,
    /// When it was sent.
    pub sent: DeviceTime,
}

/// How a device answered an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AckOutcome {
    /// Done.
    Done,
    /// It has pressed, flagged or rebooted since the order was decided.
    MovedOn,
    /// Its lifetime was over.
    Expired,
    /// It has obeyed a higher epoch.
    OldEpoch,
    /// Not in this state, or not at all.
    Cannot,
}

/// The device is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Death {
    /// Its boot.
    pub boot: u32,
    /// It said so before it disconnected; otherwise its Will did.
    pub polite: bool,
    /// Which of the boot's connections; `None` where they are not counted.
    pub connection: Option<u32>,
}

impl FromDevice {
    /// The boot it speaks of.
    pub fn boot(&self) -> u32 {
        match self {
            FromDevice::Birth(birth) => birth.boot,
            FromDevice::Report(report) => report.boot,
            FromDevice::Vital(vital) => vital.boot,
            FromDevice::Ack(ack) => ack.boot,
            FromDevice::Death(death) => death.boot,
        }
    }
}
