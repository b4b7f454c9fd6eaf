//! Bytes to messages and back: Protobuf, or the same message as proto3 JSON. The first byte tells: no message of ours begins
//! with `{` in Protobuf.
//!
//! A device is answered in the form in which it last spoke. Whatever comes in is checked here once and for all: what leaves
//! this file has sides, squares, placements and results that are some.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::message::{
    Abilities, Ack, AckOutcome, Birth, ButtonKind, ByHandKind, ClaimKind, ClockState, Death, FromDevice, Kept,
    Occupant, ProbeEcho, Report, ReportKind, Side, SquareChange, Vital,
};
use super::order::DeviceOrder;
use super::proto::device::v1 as pb;
use super::topics::{DeviceId, Up};
use crate::chess::{Color, Role};
use crate::time::{DeviceTime, HallTime, Millis};

/// The longest payload taken or sent.
pub const MAX_PAYLOAD: usize = 64 * 1024;

/// Times and sequences above this are no times: 2^53, what a JSON number holds exactly.
const MAX_COUNT: u64 = 1 << 53;
/// No clock shows more than a thousand hours.
const MAX_CLOCK_MS: u64 = 1000 * 3_600_000;
/// Longest name or id of anything.
const MAX_NAME: usize = 64;
/// Longest text for people.
const MAX_TEXT: usize = 240;
/// Most squares changed in one report: each of them twice.
const MAX_CHANGES: usize = 128;

/// How a device writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Binary Protobuf.
    Protobuf,
    /// proto3 JSON; also what is written to a device that has not spoken yet.
    #[default]
    Json,
}

/// A payload that cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("device {device}, topic {topic}: {field}: {problem}")]
pub struct Malformed {
    /// Whose topic it came on.
    pub device: DeviceId,
    /// The last level of the topic.
    pub topic: &'static str,
    /// The field at fault, or `payload`.
    pub field: String,
    /// What is wrong with it, and what is right.
    pub problem: String,
}

/// A field and what is wrong with it.
#[derive(Debug)]
struct Fault {
    field: String,
    problem: String,
}

fn fault(field: &str, problem: impl Into<String>) -> Fault {
    Fault {
        field: field.to_owned(),
        problem: problem.into(),
    }
}

impl Fault {
    /// The same fault, seen from the message around.
    fn within(mut self, outer: &str) -> Fault {
        self.field = format!("{outer}.{}", self.field);
        self
    }
}

/// Reads what `device` sent on topic `up`.
pub fn decode(device: &DeviceId, up: Up, payload: &[u8]) -> Result<(FromDevice, Format), Malformed> {
    let read = || -> Result<(FromDevice, Format), Fault> {
        if payload.len() > MAX_PAYLOAD {
            return Err(fault(
                "payload",
                format!("{} bytes, more than {MAX_PAYLOAD}", payload.len()),
            ));
        }
        let format = if payload.first() == Some(&b'{') {
            Format::Json
        } else {
            Format::Protobuf
        };
        let message = match up {
            Up::Birth => FromDevice::Birth(birth(parse(payload, format)?)?),
            Up::Report => FromDevice::Report(report(parse(payload, format)?)?),
            Up::Vital => FromDevice::Vital(vital(parse(payload, format)?)?),
            Up::Ack => FromDevice::Ack(ack(parse(payload, format)?)?),
            Up::Death => FromDevice::Death(death(&parse(payload, format)?)?),
        };
        Ok((message, format))
    };
    read().map_err(|Fault { field, problem }| Malformed {
        device: device.clone(),
        topic: up.name(),
        // Both may hold what the device wrote: a field that nobody knows is named as it stands.
        field: harmless(&field, 100),
        problem: harmless(&problem, 400),
    })
}

/// At most so many characters, none of which steers a terminal or a log.
fn harmless(text: &str, longest: usize) -> String {
    let shown = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    shown.take(longest).collect()
}

/// Writes an order.
pub fn encode_order(order: &DeviceOrder, format: Format) -> Vec<u8> {
    encode(&pb::Order::from(order), format)
}

/// Writes what is durable, and what is asked for.
pub fn encode_seen(boot: u32, seq: i64, resend: bool, birth: bool, format: Format) -> Vec<u8> {
    encode(
        &pb::Seen {
            boot,
            seq,
            resend,
            birth,
        },
        format,
    )
}

/// Writes a time probe.
pub fn encode_probe(id: u64, hub: HallTime, format: Format) -> Vec<u8> {
    encode(
        &pb::TimeProbe {
            id,
            hub_ms: count(hub.0),
        },
        format,
    )
}

/// Writes the hub's retained state: always JSON, since all read it.
pub fn encode_hub_state(online: bool, epoch: u64, now: HallTime, speed: f64) -> Vec<u8> {
    encode(
        &pb::HubState {
            online,
            epoch,
            hall_ms: count(now.0),
            speed,
        },
        Format::Json,
    )
}

fn count(ms: i64) -> u64 {
    u64::try_from(ms).unwrap_or(0)
}

/// Writes any message of the contract; what a simulated device uses too.
pub fn encode<M: prost::Message + Serialize>(message: &M, format: Format) -> Vec<u8> {
    match format {
        Format::Protobuf => message.encode_to_vec(),
        // Writing generated messages to memory cannot fail: their keys are strings and their numbers finite.
        Format::Json => serde_json::to_vec(message).unwrap_or_else(|_| message.encode_to_vec()),
    }
}

/// Reads any message of the contract, unchecked; what a simulated device reads orders with.
pub fn decode_wire<M: prost::Message + Default + DeserializeOwned>(payload: &[u8]) -> Result<M, String> {
    let format = if payload.first() == Some(&b'{') {
        Format::Json
    } else {
        Format::Protobuf
    };
    parse(payload, format).map_err(|fault| format!("{}: {}", fault.field, fault.problem))
}

const NEITHER: &str = "data did not match any variant of untagged enum Content";

/// Reads one JSON value and nothing after it; an error comes with the path of the field where it is.
fn read_json<M: DeserializeOwned>(payload: &[u8]) -> Result<M, (Option<String>, serde_json::Error)> {
    let mut json = serde_json::Deserializer::from_slice(payload);
    let read = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = Some(error.path().to_string());
        // `.` is the whole message, `?` a field whose name was not read yet.
        let path = path.filter(|path| path != "." && !path.contains('?'));
        (path, error.into_inner())
    })?;
    json.end().map_err(|error| (None, error))?;
    Ok(read)
}

fn parse<M: prost::Message + Default + DeserializeOwned>(payload: &[u8], format: Format) -> Result<M, Fault> {
    match format {
        Format::Protobuf => M::decode(payload).map_err(|error| fault("payload", error.to_string())),
        Format::Json => read_json(payload).map_err(|(path, error)| {
            let text = error.to_string();
            // That is how serde says that neither a number nor a string of digits fits.
            let text = text.replace(NEITHER, "is neither a number of this field's kind nor a string of one");
            // serde names the field it does not know, or knows twice, in back-quotes.
            let named = ["unknown field `", "duplicate field `"].iter().find_map(|start| {
                let rest = text.split_once(start)?.1;
                Some(rest.split_once('`')?.0.to_owned())
            });
            Fault {
                field: named.or(path).unwrap_or_else(|| "payload".to_owned()),
                problem: text,
            }
        }),
    }
}

fn boot(boot: u32) -> Result<u32, Fault> {
    if boot == 0 {
        Err(fault("boot", "must not be 0: choose it at random at every start"))
    } else {
        Ok(boot)
    }
}

fn seq(field: &str, seq: u64) -> Result<u64, Fault> {
    if seq < MAX_COUNT {
        Ok(seq)
    } else {
        Err(fault(field, "is no sequence: it counts from 0 in every boot"))
    }
}

fn seq_or_none(field: &str, seq: i64) -> Result<i64, Fault> {
    if (-1..MAX_COUNT as i64).contains(&seq) {
        Ok(seq)
    } else {
        Err(fault(
            field,
            "is no sequence: -1 for none, else counted from 0 in every boot",
        ))
    }
}

fn time(field: &str, ms: u64) -> Result<DeviceTime, Fault> {
    if ms < MAX_COUNT {
        Ok(DeviceTime(ms))
    } else {
        Err(fault(field, "is no time in milliseconds of the device"))
    }
}

fn span(field: &str, ms: u64) -> Result<Millis, Fault> {
    if ms <= MAX_CLOCK_MS {
        Ok(Millis(ms as i64))
    } else {
        Err(fault(field, "is more than 1,000 hours"))
    }
}

fn name(field: &str, text: String, longest: usize) -> Result<String, Fault> {
    if text.len() > longest {
        return Err(fault(field, format!("is longer than {longest} bytes")));
    }
    Ok(text
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect())
}

/// A side that may be left out.
fn side_or_none(field: &str, side: i32) -> Result<Option<Side>, Fault> {
    match pb::Side::try_from(side) {
        Ok(pb::Side::Unspecified) => Ok(None),
        Ok(pb::Side::Left) => Ok(Some(Side::Left)),
        Ok(pb::Side::Right) => Ok(Some(Side::Right)),
        Err(_) => Err(fault(field, "is neither SIDE_LEFT nor SIDE_RIGHT")),
    }
}

fn side(field: &str, side: i32) -> Result<Side, Fault> {
    side_or_none(field, side)?.ok_or_else(|| fault(field, "is missing: SIDE_LEFT or SIDE_RIGHT"))
}

fn clock(state: Option<pb::ClockState>) -> Result<Option<ClockState>, Fault> {
    state
        .map(clock_state)
        .transpose()
        .map_err(|fault| fault.within("clock"))
}

fn clock_state(state: pb::ClockState) -> Result<ClockState, Fault> {
    Ok(ClockState {
        left: span("left_ms", state.left_ms)?,
        right: span("right_ms", state.right_ms)?,
        running: side_or_none("running", state.running)?,
        left_moves: state.left_moves,
        right_moves: state.right_moves,
        left_flag: state.left_flag,
        right_flag: state.right_flag,
        has_control: state.has_control,
    })
}

/// Eight ranks of eight squares, as in a FEN, where `x` may stand for any piece.
fn placement(field: &str, text: String) -> Result<String, Fault> {
    let wrong = || {
        fault(
            field,
            "is no placement: eight ranks from a8 to h1 as in a FEN, `x` for an unknown piece",
        )
    };
    let mut ranks = 0;
    for rank in text.split('/') {
        ranks += 1;
        let mut squares = 0;
        for c in rank.chars() {
            squares += match c {
                '1'..='8' => c as u32 - '0' as u32,
                'x' => 1,
                _ if Role::from_letter(c).is_some() => 1,
                _ => return Err(wrong()),
            };
        }
        if squares != 8 {
            return Err(wrong());
        }
    }
    if ranks == 8 { Ok(text) } else { Err(wrong()) }
}

fn abilities(message: &pb::Abilities) -> Result<Abilities, Fault> {
    if message.counter_bits != 0 && !(16..=53).contains(&message.counter_bits) {
        return Err(fault(
            "counter_bits",
            "is neither 0 (never wraps) nor 16 to 53; millis() has 32",
        ));
    }
    if message.resolution_ms > 60_000 || message.sensing_lag_ms > 60_000 {
        return Err(fault("resolution_ms", "and sensing_lag_ms are at most a minute"));
    }
    Ok(Abilities {
        clock: message.clock,
        counts: message.counts,
        board: message.board,
        tells_pieces: message.tells_pieces,
        shows_text: message.shows_text,
        resolution: Millis(i64::from(message.resolution_ms.max(1))),
        sensing_lag: Millis(i64::from(message.sensing_lag_ms)),
        counter_bits: message.counter_bits,
        by_hand: message.by_hand,
    })
}

fn birth(message: pb::Birth) -> Result<Birth, Fault> {
    let (oldest, next) = (
        seq("oldest_seq", message.oldest_seq)?,
        seq("next_seq", message.next_seq)?,
    );
    if oldest > next {
        return Err(fault("oldest_seq", "is above next_seq"));
    }
    let kept = match message.kept_boot {
        0 => None,
        same if same == message.boot => return Err(fault("kept_boot", "is this boot itself")),
        kept => {
            let (oldest, next) = (
                seq("kept_oldest_seq", message.kept_oldest_seq)?,
                seq("kept_next_seq", message.kept_next_seq)?,
            );
            if oldest > next {
                return Err(fault("kept_oldest_seq", "is above kept_next_seq"));
            }
            Some(Kept {
                boot: kept,
                oldest_seq: oldest,
                next_seq: next,
            })
        }
    };
    let abilities = message.abilities.ok_or_else(|| fault("abilities", "is missing"))?;
    Ok(Birth {
        boot: boot(message.boot)?,
        model: name("model", message.model, MAX_NAME)?,
        firmware: name("firmware", message.firmware, MAX_NAME)?,
        abilities: self::abilities(&abilities).map_err(|fault| fault.within("abilities"))?,
        clock: clock(message.clock)?,
        placement: match message.placement {
            none if none.is_empty() => None,
            text => Some(placement("placement", text)?),
        },
        last_order: Some(name("last_order", message.last_order, MAX_NAME)?).filter(|id| !id.is_empty()),
        highest_epoch: message.highest_epoch,
        sent: time("sent_ms", message.sent_ms)?,
        next_seq: next,
        oldest_seq: oldest,
        up: match message.up_ms {
            0 => None,
            ms => Some(Millis(time("up_ms", ms)?.0 as i64)),
        },
        kept,
        connection: Some(message.connection).filter(|&number| number != 0),
    })
}

fn report(message: pb::Report) -> Result<Report, Fault> {
    let what = message.what.ok_or_else(|| {
        fault(
            "what",
            "is missing: press, squares, placement, reading, flag, button, by_hand or lost, with its content",
        )
    })?;
    let seq = seq("seq", message.seq)?;
    Ok(Report {
        boot: boot(message.boot)?,
        seq,
        event: time("event_ms", message.event_ms)?,
        sent: time("sent_ms", message.sent_ms)?,
        what: report_kind(what, seq)?,
    })
}

fn report_kind(what: pb::report::What, seq: u64) -> Result<ReportKind, Fault> {
    use pb::report::What;
    Ok(match what {
        What::Press(press) => ReportKind::Press {
            side: side("press.side", press.side)?,
            clock: clock(press.clock).map_err(|fault| fault.within("press"))?,
        },
        What::Squares(squares) => ReportKind::Squares(changes(squares)?),
        What::Placement(picture) => ReportKind::Placement(placement("placement.squares", picture.squares)?),
        What::Reading(state) => ReportKind::Reading(clock_state(state).map_err(|fault| fault.within("reading"))?),
        What::Flag(flag) => ReportKind::Flag {
            side: side("flag.side", flag.side)?,
            clock: clock(flag.clock).map_err(|fault| fault.within("flag"))?,
        },
        What::Button(button) => self::button(button).map_err(|fault| fault.within("button"))?,
        What::ByHand(by_hand) => self::by_hand(by_hand).map_err(|fault| fault.within("by_hand"))?,
        What::Lost(lost) => {
            if lost.first_seq > lost.last_seq || lost.last_seq != seq {
                return Err(fault(
                    "lost",
                    "must name first_seq to last_seq, and stand in the place of last_seq",
                ));
            }
            ReportKind::Lost {
                first: lost.first_seq,
                last: lost.last_seq,
            }
        }
    })
}

fn changes(squares: pb::SquaresChanged) -> Result<Vec<SquareChange>, Fault> {
    if squares.changes.is_empty() || squares.changes.len() > MAX_CHANGES {
        return Err(fault(
            "squares.changes",
            format!("has {} entries: 1 to {MAX_CHANGES}", squares.changes.len()),
        ));
    }
    let change = |change: pb::SquareChange| {
        let square = change
            .square
            .parse()
            .map_err(|_| fault("squares.changes.square", "is no square: a1 to h8"))?;
        let mut letters = change.now.chars();
        let now = match (letters.next(), letters.next()) {
            (None, _) => Occupant::Nothing,
            (Some('x'), None) => Occupant::Something,
            (Some(letter), None) => {
                let role = Role::from_letter(letter)
                    .ok_or_else(|| fault("squares.changes.now", "is no piece letter, `x`, or empty"))?;
                let color = if letter.is_ascii_uppercase() {
                    Color::White
                } else {
                    Color::Black
                };
                Occupant::Piece(color, role)
            }
            _ => return Err(fault("squares.changes.now", "is longer than one letter")),
        };
        Ok(SquareChange { square, now })
    };
    squares.changes.into_iter().map(change).collect()
}

fn button(button: pb::Button) -> Result<ReportKind, Fault> {
    use pb::button::Kind;
    let side = side_or_none("side", button.side)?;
    let kind = match Kind::try_from(button.kind) {
        Ok(Kind::Pause) => ButtonKind::Pause,
        Ok(Kind::Claim) => ButtonKind::Claim(match button.claim.as_str() {
            "threefold" => ClaimKind::Threefold,
            "fifty-moves" => ClaimKind::FiftyMoves,
            "flag" => ClaimKind::Flag,
            "illegal-move" => ClaimKind::IllegalMove,
            "draw" => ClaimKind::Draw,
            "" => ClaimKind::Unspecified,
            _ => {
                return Err(fault(
                    "claim",
                    "is none of threefold, fifty-moves, flag, illegal-move, draw, or empty",
                ));
            }
        }),
        Ok(Kind::DrawOffered) => ButtonKind::DrawOffered,
        Ok(Kind::DrawAccepted) => ButtonKind::DrawAccepted,
        Ok(Kind::DrawDeclined) => ButtonKind::DrawDeclined,
        Ok(Kind::Result) => match button.result.as_str() {
            "1-0" | "0-1" | "1/2-1/2" => ButtonKind::Result(button.result),
            _ => return Err(fault("result", "is none of 1-0, 0-1, 1/2-1/2")),
        },
        Ok(Kind::Unspecified) | Err(_) => return Err(fault("kind", "is missing or unknown")),
    };
    if side.is_none() && !matches!(kind, ButtonKind::Pause | ButtonKind::Result(_)) {
        return Err(fault(
            "side",
            "is missing: only a pause button and result pieces may be nobody's",
        ));
    }
    Ok(ReportKind::Button {
        kind,
        side,
        clock: clock(button.clock)?,
    })
}

fn by_hand(by_hand: pb::ByHand) -> Result<ReportKind, Fault> {
    use pb::by_hand::Kind;
    let kind = match Kind::try_from(by_hand.kind) {
        Ok(Kind::Started) => ByHandKind::Started,
        Ok(Kind::Stopped) => ByHandKind::Stopped,
        Ok(Kind::Adjusted) => ByHandKind::Adjusted,
        Ok(Kind::Unspecified) | Err(_) => return Err(fault("kind", "is missing or unknown")),
    };
    let before = by_hand
        .before
        .map(clock_state)
        .transpose()
        .map_err(|fault| fault.within("before"))?;
    let after = by_hand.after.ok_or_else(|| fault("after", "is missing"))?;
    Ok(ReportKind::ByHand {
        kind,
        before,
        after: clock_state(after).map_err(|fault| fault.within("after"))?,
    })
}

fn vital(message: pb::Vital) -> Result<Vital, Fault> {
    if message.battery_percent.is_some_and(|percent| percent > 100) {
        return Err(fault("battery_percent", "is above 100"));
    }
    Ok(Vital {
        boot: boot(message.boot)?,
        last_seq: seq_or_none("last_seq", message.last_seq)?,
        sent: time("sent_ms", message.sent_ms)?,
        battery_percent: message.battery_percent,
        signal_dbm: message.signal_dbm,
        clock: clock(message.clock)?,
        probe: match message.probe_id {
            0 => None,
            id => Some(ProbeEcho {
                id,
                received: time("probe_received_ms", message.probe_received_ms)?,
            }),
        },
    })
}

fn ack(message: pb::Ack) -> Result<Ack, Fault> {
    use pb::ack::Outcome;
    if message.order_id.is_empty() {
        return Err(fault("order_id", "is missing"));
    }
    Ok(Ack {
        boot: boot(message.boot)?,
        order: name("order_id", message.order_id, MAX_NAME)?,
        outcome: match Outcome::try_from(message.outcome) {
            Ok(Outcome::Done) => AckOutcome::Done,
            Ok(Outcome::MovedOn) => AckOutcome::MovedOn,
            Ok(Outcome::Expired) => AckOutcome::Expired,
            Ok(Outcome::OldEpoch) => AckOutcome::OldEpoch,
            Ok(Outcome::Cannot) => AckOutcome::Cannot,
            Ok(Outcome::Unspecified) | Err(_) => return Err(fault("outcome", "is missing or unknown")),
        },
        effect: time("effect_ms", message.effect_ms)?,
        after_seq: seq_or_none("after_seq", message.after_seq)?,
        clock: clock(message.clock)?,
        detail: name("detail", message.detail, MAX_TEXT)?,
        sent: time("sent_ms", message.sent_ms)?,
    })
}

fn death(message: &pb::Death) -> Result<Death, Fault> {
    Ok(Death {
        boot: boot(message.boot)?,
        polite: message.polite,
        connection: Some(message.connection).filter(|&number| number != 0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device() -> DeviceId {
        "clock-1".parse().expect("an id")
    }

    fn refused(up: Up, payload: &str) -> String {
        decode(&device(), up, payload.as_bytes())
            .expect_err("must be refused")
            .to_string()
    }

    #[test]
    fn a_press_reads_the_same_in_both_forms() {
        let json =
            br#"{"boot":7,"seq":3,"event_ms":1000,"sentMs":"1002","press":{"side":"SIDE_LEFT","clock":{"leftMs":5}}}"#;
        let (from_json, format) = decode(&device(), Up::Report, json).expect("reads");
        assert_eq!(format, Format::Json);
        let wire: pb::Report = decode_wire(json).expect("reads");
        let (from_binary, format) = decode(&device(), Up::Report, &encode(&wire, Format::Protobuf)).expect("reads");
        assert_eq!(format, Format::Protobuf);
        assert_eq!(from_json, from_binary);
        let FromDevice::Report(report) = from_json else {
            panic!("no report")
        };
        assert_eq!(
            (report.boot, report.seq, report.event, report.sent),
            (7, 3, DeviceTime(1000), DeviceTime(1002))
        );
        let left = ClockState {
            left: Millis(5),
            ..ClockState::default()
        };
        assert_eq!(
            report.what,
            ReportKind::Press {
                side: Side::Left,
                clock: Some(left)
            }
        );
    }

    #[test]
    fn a_refusal_names_device_topic_and_field() {
        let unknown = refused(Up::Report, r#"{"boot":7,"seq":3,"evnt_ms":1}"#);
        assert!(
            unknown.starts_with("device clock-1, topic report: evnt_ms: unknown field"),
            "{unknown}"
        );
        let nested = refused(Up::Report, r#"{"boot":7,"press":{"sid":"SIDE_LEFT"}}"#);
        assert!(nested.starts_with("device clock-1, topic report: sid: "), "{nested}");
        for (up, payload, field) in [
            (Up::Report, r#"{"boot":0,"seq":0,"reading":{}}"#, "boot"),
            (Up::Report, r#"{"boot":1}"#, "what"),
            (Up::Report, r#"{"boot":1,"press":{}}"#, "press.side"),
            (
                Up::Report,
                r#"{"boot":1,"squares":{"changes":[{"square":"i9"}]}}"#,
                "squares.changes.square",
            ),
            (
                Up::Report,
                r#"{"boot":1,"squares":{"changes":[{"square":"e4","now":"z"}]}}"#,
                "squares.changes.now",
            ),
            (
                Up::Report,
                r#"{"boot":1,"placement":{"squares":"8/8/8/8/8/8/8/9"}}"#,
                "placement.squares",
            ),
            (
                Up::Report,
                r#"{"boot":1,"seq":4,"lost":{"firstSeq":2,"lastSeq":3}}"#,
                "lost",
            ),
            (
                Up::Report,
                r#"{"boot":1,"button":{"kind":"KIND_RESULT","side":"SIDE_LEFT","result":"2-0"}}"#,
                "button.result",
            ),
            (
                Up::Report,
                r#"{"boot":1,"reading":{"leftMs":"99999999999999"}}"#,
                "reading.left_ms",
            ),
            (Up::Vital, r#"{"boot":1,"lastSeq":-2}"#, "last_seq"),
            (Up::Vital, r#"{"boot":1,"batteryPercent":101}"#, "battery_percent"),
            (Up::Ack, r#"{"boot":1,"orderId":"x"}"#, "outcome"),
            (
                Up::Birth,
                r#"{"boot":1,"abilities":{"counterBits":8}}"#,
                "abilities.counter_bits",
            ),
            (Up::Birth, r#"{"boot":1}"#, "abilities"),
            (Up::Report, r#"{"boot":1,"seq":"x"}"#, "seq"),
            (Up::Report, r#"{"boot":1,"seq":-3}"#, "seq"),
            (Up::Report, r#"{"boot":1,"press":{"side":"LEFT"}}"#, "press.side"),
            (Up::Report, r#"{"boot":1} {"boot":1}"#, "payload"),
            (Up::Death, "", "boot"),
            (Up::Death, "{", "payload"),
        ] {
            let text = refused(up, payload);
            let start = format!("device clock-1, topic {}: {field}: ", up.name());
            assert!(text.starts_with(&start), "{payload}: {text}");
        }
    }

    #[test]
    fn the_name_of_an_unknown_field_cannot_steer_a_log() {
        let said = refused(Up::Report, "{\"boot\":7,\"se\\u001b[2J\\nq\":3}");
        assert!(said.contains("unknown field"), "{said}");
        assert!(!said.chars().any(char::is_control), "{said:?}");
    }

    #[test]
    fn what_is_too_long_or_no_message_is_refused() {
        let long = vec![b'{'; MAX_PAYLOAD + 1];
        assert!(
            decode(&device(), Up::Report, &long)
                .expect_err("too long")
                .problem
                .contains("65537 bytes")
        );
        assert!(decode(&device(), Up::Report, &[0xff, 0x13, 0x77, 0x00]).is_err());
        let name = "n".repeat(65);
        assert!(refused(Up::Birth, &format!(r#"{{"boot":1,"abilities":{{}},"model":"{name}"}}"#)).contains("model"));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_or_refused_without_a_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            for up in Up::ALL {
                let _ = decode(&device(), up, &bytes);
            }
        }
    }
}
