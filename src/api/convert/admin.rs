//! Events, rounds, tables, devices and people.

use super::table::player as wire_player;
use crate::api::proto::admin::v1 as wire;
use crate::api::proto::feed::v1 as feed;
use crate::hall::CallError;
use crate::hall::model::{
    BoardKind, Category, ChessEvent, Device, DeviceHealth, DeviceKind, Enforced, Enforcement, Finding, Online,
    OpenPoints, Pairing, PeriodAdded, Person, PersonRole, Player, Regulations, Release, Round, RoundStatus, Side,
    Supervision, Table, Variant,
};
use crate::hall::{DeviceId, TableNo};
use crate::time::Millis;

/// Longer names are nobody's.
const LONGEST_NAME: usize = 200;

/// An event.
pub fn event(event: &ChessEvent) -> wire::Event {
    wire::Event {
        id: event.id.to_string(),
        name: event.name.clone(),
        site: event.site.clone(),
        date: event.date.clone(),
        regulations: Some(wire_regulations(&event.regulations)),
        release: Some(wire_release(&event.releases.all)),
        release_of: event
            .releases
            .rounds
            .iter()
            .map(|(round, release)| (round.0, wire_release(release)))
            .collect(),
    }
}

fn wire_release(release: &Release) -> wire::Release {
    wire::Release {
        delay_ms: release.delay_ms.0,
        boards: release.boards.iter().map(|(board, delay)| (*board, delay.0)).collect(),
        finished_at_once: release.finished_at_once,
        ended_at_once: release.ended_at_once,
    }
}

/// When the public sees what happens.
pub fn release(given: &wire::Release) -> Release {
    Release {
        delay_ms: Millis(given.delay_ms),
        boards: given
            .boards
            .iter()
            .map(|(board, delay)| (*board, Millis(*delay)))
            .collect(),
        finished_at_once: given.finished_at_once,
        ended_at_once: given.ended_at_once,
    }
}

/// A text of people, within reason.
pub fn text(given: &str, field: &str) -> Result<String, CallError> {
    if given.len() > LONGEST_NAME {
        return Err(CallError::field(
            field,
            format!("`{field}` is longer than {LONGEST_NAME} bytes: shorten it"),
        ));
    }
    if given.chars().any(char::is_control) {
        return Err(CallError::field(
            field,
            format!("`{field}` has control characters in it: take them out"),
        ));
    }
    Ok(given.trim().to_owned())
}

/// The same, not empty.
pub fn needed_text(given: &str, field: &str) -> Result<String, CallError> {
    let text = text(given, field)?;
    if text.is_empty() {
        return Err(CallError::field(field, format!("`{field}` is missing")));
    }
    Ok(text)
}

/// What the Laws leave to an event; absent fields are as [`Regulations::default`] has them.
pub fn regulations(given: Option<&wire::Regulations>) -> Result<Regulations, CallError> {
    let usual = Regulations::default();
    let Some(given) = given else { return Ok(usual) };
    if !(0..=86_400_000).contains(&given.default_time_ms) {
        return Err(CallError::field(
            "event.regulations.default_time_ms",
            "the default time is from 0 to 24 hours, in milliseconds",
        ));
    }
    Ok(Regulations {
        category: match given.category() {
            wire::Category::Unspecified => usual.category,
            wire::Category::Standard => Some(Category::Standard),
            wire::Category::Rapid => Some(Category::Rapid),
            wire::Category::Blitz => Some(Category::Blitz),
        },
        supervision: match given.supervision() {
            wire::Supervision::Unspecified => usual.supervision,
            wire::Supervision::Limited => Supervision::Limited,
            wire::Supervision::Adequate => Supervision::Adequate,
        },
        enforcement: enforcement(given)?,
        rated: given.rated.unwrap_or(usual.rated),
        open_points: open_points(given)?,
        default_time_ms: Millis(given.default_time_ms),
        min_moves_for_draw: given.min_moves_for_draw,
        period_added: match given.period_added() {
            wire::PeriodAdded::Unspecified => usual.period_added,
            wire::PeriodAdded::OnZero => PeriodAdded::OnZero,
            wire::PeriodAdded::OnMoves => PeriodAdded::OnMoves,
        },
        first_increment: given.first_increment.unwrap_or(usual.first_increment),
        endings_shown_at_once: given.endings_shown_at_once,
    })
}

/// For all kinds of findings, and then for those that are named.
fn enforcement(given: &wire::Regulations) -> Result<Enforcement, CallError> {
    let mut enforcement = enforced(given.enforcement()).map_or(Enforcement::default(), Enforcement::all);
    for (name, how) in &given.enforcement_of {
        let field = || format!("event.regulations.enforcement_of[{name}]");
        let finding: Finding = name.parse().map_err(|no| CallError::field(field(), no))?;
        let how = wire::Enforcement::try_from(*how).ok().and_then(enforced);
        let how = how.ok_or_else(|| CallError::field(field(), "it is `confirm` or `automatic`"))?;
        enforcement.set(finding, how);
    }
    Ok(enforcement)
}

fn enforced(how: wire::Enforcement) -> Option<Enforced> {
    match how {
        wire::Enforcement::Unspecified => None,
        wire::Enforcement::Confirm => Some(Enforced::Confirm),
        wire::Enforcement::Automatic => Some(Enforced::Automatic),
    }
}

fn wire_enforced(how: Enforced) -> wire::Enforcement {
    match how {
        Enforced::Confirm => wire::Enforcement::Confirm,
        Enforced::Automatic => wire::Enforcement::Automatic,
    }
}

fn open_points(given: &wire::Regulations) -> Result<OpenPoints, CallError> {
    let mut points = OpenPoints::default();
    for (name, value) in &given.open_points {
        let set = points.set(name, value);
        set.map_err(|no| CallError::field(format!("event.regulations.open_points[{name}]"), no.to_string()))?;
    }
    Ok(points)
}

fn wire_regulations(regulations: &Regulations) -> wire::Regulations {
    let category = match regulations.category {
        None => wire::Category::Unspecified,
        Some(Category::Standard) => wire::Category::Standard,
        Some(Category::Rapid) => wire::Category::Rapid,
        Some(Category::Blitz) => wire::Category::Blitz,
    };
    let supervision = match regulations.supervision {
        Supervision::Limited => wire::Supervision::Limited,
        Supervision::Adequate => wire::Supervision::Adequate,
    };
    // One word where one says it.
    let first = regulations.enforcement.of(Finding::ALL[0]);
    let others = Finding::ALL.into_iter().filter_map(|finding| {
        let how = regulations.enforcement.of(finding);
        (how != first).then(|| (finding.name().to_owned(), wire_enforced(how).into()))
    });
    let period_added = match regulations.period_added {
        PeriodAdded::OnZero => wire::PeriodAdded::OnZero,
        PeriodAdded::OnMoves => wire::PeriodAdded::OnMoves,
    };
    wire::Regulations {
        category: category.into(),
        supervision: supervision.into(),
        enforcement: wire_enforced(first).into(),
        enforcement_of: others.collect(),
        rated: Some(regulations.rated),
        open_points: OpenPoints::ALL
            .iter()
            .filter_map(|point| {
                Some((
                    point.name.to_owned(),
                    regulations.open_points.value(point.name)?.to_owned(),
                ))
            })
            .collect(),
        default_time_ms: regulations.default_time_ms.0,
        min_moves_for_draw: regulations.min_moves_for_draw,
        period_added: period_added.into(),
        first_increment: Some(regulations.first_increment),
        endings_shown_at_once: regulations.endings_shown_at_once,
    }
}

/// A round.
pub fn round(round: &Round) -> wire::Round {
    let state = match round.status {
        RoundStatus::Prepared => wire::RoundState::Prepared,
        RoundStatus::Armed => wire::RoundState::Armed,
        RoundStatus::Started => wire::RoundState::Started,
        RoundStatus::Ended => wire::RoundState::Ended,
    };
    wire::Round {
        event: round.event.to_string(),
        number: round.number.0,
        time_control: round.time_control.clone(),
        state: state.into(),
        pairings: round.pairings.iter().map(wire_pairing).collect(),
    }
}

/// One pairing; `path` is where it stands in the request: `pairings.pairings[3]`.
pub fn pairing(given: &wire::Pairing, path: &str) -> Result<Pairing, CallError> {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let variant = match given.variant.as_str() {
        "" | "standard" => Variant::Standard,
        "chess960" => Variant::Chess960,
        _ => {
            let path = format!("{path}.variant");
            return Err(CallError::field(
                path,
                "the variant is `standard`, `chess960` or nothing",
            ));
        }
    };
    Ok(Pairing {
        table: TableNo(given.table),
        board: if given.board == 0 { given.table } else { given.board },
        white: player(given.white.as_ref(), &format!("{path}.white"))?,
        black: player(given.black.as_ref(), &format!("{path}.black"))?,
        time_control: some(&text(&given.time_control, &format!("{path}.time_control"))?),
        board_kind: match given.board_kind() {
            wire::BoardKind::Unspecified => None,
            wire::BoardKind::Pieces => Some(BoardKind::Pieces),
            wire::BoardKind::Occupancy => Some(BoardKind::Occupancy),
            wire::BoardKind::None => Some(BoardKind::None),
        },
        variant,
        fen: some(&text(&given.fen, &format!("{path}.fen"))?),
        game: None,
    })
}

fn player(given: Option<&feed::Player>, path: &str) -> Result<Player, CallError> {
    let given = given.ok_or_else(|| CallError::field(path, "the player is missing"))?;
    Ok(Player {
        name: text(&given.name, &format!("{path}.name"))?,
        title: text(&given.title, &format!("{path}.title"))?,
        fide_id: given.fide_id,
        rating: given.rating,
        federation: text(&given.federation, &format!("{path}.federation"))?,
        team: text(&given.team, &format!("{path}.team"))?,
    })
}

/// A pairing.
pub fn wire_pairing(pairing: &Pairing) -> wire::Pairing {
    let board_kind = match pairing.board_kind {
        None => wire::BoardKind::Unspecified,
        Some(BoardKind::Pieces) => wire::BoardKind::Pieces,
        Some(BoardKind::Occupancy) => wire::BoardKind::Occupancy,
        Some(BoardKind::None) => wire::BoardKind::None,
    };
    let variant = match pairing.variant {
        Variant::Standard => "standard",
        Variant::Chess960 => "chess960",
    };
    wire::Pairing {
        table: pairing.table.0,
        board: pairing.board,
        white: Some(wire_player(&pairing.white)),
        black: Some(wire_player(&pairing.black)),
        time_control: pairing.time_control.clone().unwrap_or_default(),
        board_kind: board_kind.into(),
        variant: variant.to_owned(),
        fen: pairing.fen.clone().unwrap_or_default(),
        game: pairing.game.map(|game| game.to_string()).unwrap_or_default(),
    }
}

fn wire_side(side: Side) -> wire::Side {
    match side {
        Side::Left => wire::Side::Left,
        Side::Right => wire::Side::Right,
    }
}

/// A table.
pub fn table(table: &Table) -> wire::Table {
    let id = |device: &Option<DeviceId>| device.as_ref().map(DeviceId::to_string).unwrap_or_default();
    let white_side = wire_side(table.white_side);
    wire::Table {
        number: table.number.0,
        sector: table.sector.clone(),
        clock: id(&table.clock),
        board: id(&table.board),
        white_side: white_side.into(),
        board_turned: table.board_turned,
        game: table.game.map(|game| game.to_string()).unwrap_or_default(),
    }
}

/// A side; `None` leaves it as it is.
pub fn side(side: wire::Side) -> Option<Side> {
    match side {
        wire::Side::Unspecified => None,
        wire::Side::Left => Some(Side::Left),
        wire::Side::Right => Some(Side::Right),
    }
}

/// A device's id, needed.
pub fn device_id(id: &str, field: &str) -> Result<DeviceId, CallError> {
    id.parse().map_err(|error| CallError::field(field, format!("{error}")))
}

/// What a device is, needed.
pub fn device_kind(kind: wire::DeviceKind) -> Result<DeviceKind, CallError> {
    Ok(match kind {
        wire::DeviceKind::Clock => DeviceKind::Clock,
        wire::DeviceKind::Board => DeviceKind::Board,
        wire::DeviceKind::Both => DeviceKind::Both,
        wire::DeviceKind::Gateway => DeviceKind::Gateway,
        wire::DeviceKind::Unspecified => {
            return Err(CallError::field(
                "kind",
                "`kind` is missing: clock, board, both or gateway",
            ));
        }
    })
}

/// A device, with how it does and what it serves.
pub fn device(device: &Device, serves: Option<&Table>, health: Option<&DeviceHealth>) -> wire::Device {
    let kind = match device.kind {
        DeviceKind::Clock => wire::DeviceKind::Clock,
        DeviceKind::Board => wire::DeviceKind::Board,
        DeviceKind::Both => wire::DeviceKind::Both,
        DeviceKind::Gateway => wire::DeviceKind::Gateway,
    };
    let online = match health.map(|health| health.online) {
        None | Some(Online::Unknown) => wire::Online::Unknown,
        Some(Online::Online) => wire::Online::Online,
        Some(Online::Silent) => wire::Online::Silent,
    };
    let serves_as =
        |slot: fn(&Table) -> &Option<DeviceId>| serves.is_some_and(|t| slot(t).as_ref() == Some(&device.id));
    let pressed = health
        .and_then(|health| health.pressed)
        .filter(|_| device.bound_to.is_none());
    wire::Device {
        id: device.id.to_string(),
        kind: kind.into(),
        speaks_for: device.speaks_for.iter().map(DeviceId::to_string).collect(),
        table: device.bound_to.map_or(0, |table| table.0),
        as_clock: serves_as(|table| &table.clock),
        as_board: serves_as(|table| &table.board),
        online: online.into(),
        battery: health.and_then(|health| health.battery),
        signal: health.and_then(|health| health.signal),
        last_heard_ms: health.and_then(|health| health.last_heard).map(|at| at.0),
        bar_ms: health.and_then(|health| health.bar).map(|bar| bar.0),
        pressed_ms: pressed.map(|pressed| pressed.at.0),
        pressed_side: pressed
            .map_or(wire::Side::Unspecified, |pressed| wire_side(pressed.side))
            .into(),
    }
}

/// What a broker needs to know of a device.
pub fn device_access(device: &Device) -> wire::DeviceAccess {
    wire::DeviceAccess {
        id: device.id.to_string(),
        speaks_for: device.speaks_for.iter().map(DeviceId::to_string).collect(),
        mosquitto_hash: device.credential.mosquitto.clone(),
    }
}

/// Somebody with a token; never the token.
pub fn person(person: &Person) -> wire::Person {
    let role = match person.role {
        PersonRole::ChiefArbiter => wire::Role::ChiefArbiter,
        PersonRole::Arbiter => wire::Role::Arbiter,
        PersonRole::Technician => wire::Role::Technician,
        PersonRole::Recorder => wire::Role::Recorder,
        PersonRole::Screen => wire::Role::Screen,
    };
    wire::Person {
        name: person.name.clone(),
        role: role.into(),
        sector: person.sector.clone().unwrap_or_default(),
        expires_ms: person.expires_unix_ms,
        also: person.also.clone(),
    }
}

/// What somebody may do, needed.
pub fn role(role: wire::Role) -> Result<PersonRole, CallError> {
    Ok(match role {
        wire::Role::ChiefArbiter => PersonRole::ChiefArbiter,
        wire::Role::Arbiter => PersonRole::Arbiter,
        wire::Role::Technician => PersonRole::Technician,
        wire::Role::Recorder => PersonRole::Recorder,
        wire::Role::Screen => PersonRole::Screen,
        wire::Role::Unspecified => {
            let message = "`role` is missing: chief arbiter, arbiter, technician, recorder or screen";
            return Err(CallError::field("person.role", message));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn somebody(name: &str) -> Player {
        Player {
            name: name.to_owned(),
            title: "WGM".to_owned(),
            fide_id: Some(123),
            rating: Some(2400),
            federation: "NOR".to_owned(),
            team: "Offerspill".to_owned(),
        }
    }

    #[test]
    fn a_pairing_comes_back_as_it_went() {
        for (board_kind, variant) in [
            (None, Variant::Standard),
            (Some(BoardKind::Pieces), Variant::Chess960),
            (Some(BoardKind::Occupancy), Variant::Standard),
            (Some(BoardKind::None), Variant::Standard),
        ] {
            let there = Pairing {
                table: TableNo(12),
                board: 3,
                white: somebody("A"),
                black: somebody("B"),
                time_control: Some("15m+10s".to_owned()),
                board_kind,
                variant,
                fen: Some("8/8/8/8/8/8/8/K1k5 w - -".to_owned()),
                game: None,
            };
            assert_eq!(pairing(&wire_pairing(&there), "p"), Ok(there));
        }
    }

    #[test]
    fn a_pairing_without_a_board_number_has_its_tables() {
        let mut given = wire::Pairing {
            table: 9,
            ..Default::default()
        };
        assert_eq!(
            pairing(&given, "pairings[0]").expect_err("no player").field.as_deref(),
            Some("pairings[0].white")
        );
        given.white = Some(wire_player(&somebody("A")));
        given.black = Some(wire_player(&somebody("B")));
        assert_eq!(pairing(&given, "p").expect("whole").board, 9);
        given.variant = "atomic".to_owned();
        assert_eq!(
            pairing(&given, "p").expect_err("unknown").field.as_deref(),
            Some("p.variant")
        );
    }

    #[test]
    fn regulations_come_back_as_they_went() {
        let mut points = OpenPoints::default();
        points.set("void_claim", "refused").expect("a setting");
        let there = Regulations {
            category: Some(Category::Blitz),
            supervision: Supervision::Adequate,
            enforcement: Enforcement {
                flag: Enforced::Automatic,
                ..Enforcement::CONFIRM
            },
            rated: false,
            open_points: points,
            default_time_ms: Millis::mins(15),
            min_moves_for_draw: 30,
            period_added: PeriodAdded::OnMoves,
            first_increment: false,
            endings_shown_at_once: true,
        };
        assert_eq!(regulations(Some(&wire_regulations(&there))), Ok(there));
        assert_eq!(
            regulations(Some(&wire_regulations(&Regulations::default()))),
            Ok(Regulations::default())
        );
        assert_eq!(regulations(None), Ok(Regulations::default()));
        assert_eq!(
            regulations(Some(&wire::Regulations::default())),
            Ok(Regulations::default())
        );
        let late = wire::Regulations {
            default_time_ms: -1,
            ..Default::default()
        };
        assert!(regulations(Some(&late)).is_err());
        let with = |change: fn(&mut wire::Regulations)| {
            let mut given = wire::Regulations::default();
            change(&mut given);
            regulations(Some(&given)).expect_err("refused").field
        };
        let point = with(|given| given.open_points = [("void_claim".to_owned(), "free".to_owned())].into());
        assert_eq!(point.as_deref(), Some("event.regulations.open_points[void_claim]"));
        let kind = with(|given| given.enforcement_of = [("claim".to_owned(), 2)].into());
        assert_eq!(kind.as_deref(), Some("event.regulations.enforcement_of[claim]"));
    }

    #[test]
    fn roles_and_kinds_come_back_as_they_went_and_are_needed() {
        for there in [
            PersonRole::ChiefArbiter,
            PersonRole::Arbiter,
            PersonRole::Technician,
            PersonRole::Recorder,
            PersonRole::Screen,
        ] {
            let somebody = Person {
                name: "A".to_owned(),
                role: there,
                sector: None,
                also: Vec::new(),
                token_sha256: "secret".to_owned(),
                expires_unix_ms: None,
            };
            assert_eq!(role(person(&somebody).role()), Ok(there));
        }
        assert!(role(wire::Role::Unspecified).is_err());
        assert!(device_kind(wire::DeviceKind::Unspecified).is_err());
    }

    #[test]
    fn hostile_names_are_refused_with_their_field() {
        for bad in ["\u{1b}[31mred".to_owned(), "a\nb".to_owned(), "x".repeat(201)] {
            assert_eq!(
                text(&bad, "event.name").expect_err("hostile").field.as_deref(),
                Some("event.name")
            );
        }
        assert!(needed_text("  ", "name").is_err());
    }
}
