//! Between the words of the device room and those of the hall.

use crate::device::message as said;
use crate::device::order as told;
use crate::game::input::Claim;
use crate::hall::report::{
    Abilities, Button, Control, ControlBonus, DeviceOrderKind, Face, Occupant, Outcome, ReportKind,
};

/// What a device can do.
pub fn abilities(able: &said::Abilities) -> Abilities {
    Abilities {
        clock: able.clock,
        counts: able.counts,
        board: able.board,
        tells_pieces: able.tells_pieces,
        resolution: able.resolution,
        sensing_lag: able.sensing_lag,
        counter_bits: able.counter_bits,
        by_hand: able.by_hand,
    }
}

/// What a clock shows.
pub fn face(state: &said::ClockState) -> Face {
    Face {
        left: state.left,
        right: state.right,
        running: state.running,
    }
}

/// What a report says.
pub fn report(what: &said::ReportKind) -> ReportKind {
    let shown = |clock: &Option<said::ClockState>| clock.as_ref().map(face);
    match what {
        said::ReportKind::Press { side, clock } => ReportKind::Press {
            side: *side,
            face: shown(clock),
        },
        said::ReportKind::Squares(changes) => ReportKind::Squares(
            changes
                .iter()
                .map(|change| {
                    let now = match change.now {
                        said::Occupant::Nothing => Occupant::Nothing,
                        said::Occupant::Something => Occupant::Something,
                        said::Occupant::Piece(color, role) => Occupant::Piece(color, role),
                    };
                    (change.square, now)
                })
                .collect(),
        ),
        said::ReportKind::Placement(picture) => ReportKind::Placement(picture.clone()),
        said::ReportKind::Reading(clock) => ReportKind::Reading(face(clock)),
        said::ReportKind::Flag { side, clock } => ReportKind::Flag {
            side: *side,
            face: shown(clock),
        },
        said::ReportKind::Button { kind, side, clock } => ReportKind::Button {
            button: button(kind),
            side: *side,
            face: shown(clock),
        },
        said::ReportKind::ByHand { kind, before, after } => match kind {
            said::ByHandKind::Started => ReportKind::StartedByHand(face(after)),
            said::ByHandKind::Stopped => ReportKind::StoppedByHand(face(after)),
            said::ByHandKind::Adjusted => ReportKind::AdjustedByHand {
                before: shown(before),
                after: face(after),
            },
        },
        said::ReportKind::Lost { first, last } => ReportKind::Lost {
            count: last.saturating_sub(*first) + 1,
        },
    }
}

fn button(kind: &said::ButtonKind) -> Button {
    match kind {
        said::ButtonKind::Pause => Button::Pause,
        said::ButtonKind::Claim(claim) => Button::Claim(match claim {
            said::ClaimKind::Threefold => Some(Claim::Threefold),
            said::ClaimKind::FiftyMoves => Some(Claim::FiftyMoves),
            said::ClaimKind::Flag => Some(Claim::Flag),
            said::ClaimKind::IllegalMove => Some(Claim::IllegalMove),
            // By which article is for the arbiter to ask.
            said::ClaimKind::Draw | said::ClaimKind::Unspecified => None,
        }),
        said::ButtonKind::DrawOffered => Button::DrawOffered,
        said::ButtonKind::DrawAccepted => Button::DrawAccepted,
        said::ButtonKind::DrawDeclined => Button::DrawDeclined,
        said::ButtonKind::Result(result) => Button::Result(result.clone()),
    }
}

/// How an order went.
pub fn outcome(ack: &said::Ack) -> Outcome {
    match ack.outcome {
        said::AckOutcome::Done => Outcome::Done,
        said::AckOutcome::MovedOn => Outcome::MovedOn,
        said::AckOutcome::Expired => Outcome::Expired,
        said::AckOutcome::OldEpoch => Outcome::OldEpoch,
        said::AckOutcome::Cannot => Outcome::Cannot(if ack.detail.is_empty() {
            "the clock does not do that in its present state".to_owned()
        } else {
            ack.detail.clone()
        }),
    }
}

/// What a device is to do.
pub fn order(what: &DeviceOrderKind) -> told::DeviceOrderKind {
    match what {
        DeviceOrderKind::Control(control) => told::DeviceOrderKind::Control(time_control(control)),
        DeviceOrderKind::Add { left, right } => told::DeviceOrderKind::Add {
            left: *left,
            right: *right,
        },
        DeviceOrderKind::Set { left, right, moves } => told::DeviceOrderKind::Set {
            left: *left,
            right: *right,
            moves: *moves,
        },
        DeviceOrderKind::Run(side) => told::DeviceOrderKind::Run(*side),
        DeviceOrderKind::Stop => told::DeviceOrderKind::Stop,
    }
}

fn time_control(control: &Control) -> told::Control {
    told::Control {
        periods: control
            .periods
            .iter()
            .map(|period| told::ControlPeriod {
                moves: period.moves,
                time: period.time,
                bonus: match period.bonus {
                    ControlBonus::None => told::ControlBonus::None,
                    ControlBonus::Increment(span) => told::ControlBonus::Increment(span),
                    ControlBonus::Delay(span) => told::ControlBonus::Delay(span),
                    ControlBonus::Bronstein(span) => told::ControlBonus::Bronstein(span),
                },
            })
            .collect(),
        added_on_moves: control.added_on_moves,
        white: control.white,
        left: control.left,
        right: control.right,
        freeze: control.freeze,
    }
}
