//! Entries of the journal in English sentences: what `flagfall journal show` prints for people.

use super::record::{DeviceRecord, TableRecord, read};
use super::registry::HallEvent;
use super::report::KnownOffset;
use crate::game::Told;
use crate::store::{Entry, EntryKind};
use crate::time::{HallTime, Millis};

/// So much later than it happened is late: then the line says when it happened.
const LATE: Millis = Millis::secs(2);

/// What an entry says, on one line: who, and what, with the articles. `None` where this version cannot read it.
pub fn told(entry: &Entry) -> Option<String> {
    let content = &entry.content;
    let payload = &content.payload;
    let by = content.request.as_ref().map(|key| key.author.as_str());
    let words = match content.kind {
        EntryKind::Table => {
            let record: TableRecord = read("what happened at a table", payload).ok()?;
            return Some(at_table(&record, content.heard, by));
        }
        EntryKind::Hall => {
            let event: HallEvent = read("a change of the hall", payload).ok()?;
            hall(&event)
        }
        EntryKind::Sessions => {
            let record: DeviceRecord = read("what became known of a device", payload).ok()?;
            let mut words = device(&record);
            let marks = content.sessions.iter();
            words.extend(marks.map(|mark| format!("reports of {} are durable up to {}", mark.device, mark.seq)));
            words.join("; ")
        }
        EntryKind::Clock => {
            let mapping: super::clock::Mapping = read("the hall clock", payload).ok()?;
            let speed = mapping.speed;
            format!("the hub starts, hall time goes on from here at speed {speed}")
        }
        EntryKind::Note => {
            let note: serde_json::Value = serde_json::from_slice(payload).ok()?;
            note.get("note")?.as_str()?.to_owned()
        }
    };
    Some(match by {
        Some(by) => format!("{by}: {words}"),
        None => words,
    })
}

fn at_table(record: &TableRecord, heard: HallTime, by: Option<&str>) -> String {
    match record {
        TableRecord::Taken { events } if events.is_empty() => {
            format!("{}: nothing to do, nothing changed", by.unwrap_or("the hub"))
        }
        TableRecord::Taken { events } => {
            let told: Vec<String> = events
                .iter()
                .flat_map(|event| event.told())
                .map(|told| line(&told, heard))
                .collect();
            told.join(" | ")
        }
        TableRecord::Parked { why, .. } => format!("the game failed in the hub, the table goes on by hand: {why}"),
        TableRecord::Aside { .. } => "heard while the table goes on by hand, and kept out of the game".to_owned(),
        TableRecord::ResultByHand { result, by } => format!("{by}: the result of the table by hand is {result}"),
    }
}

fn line(told: &Told, heard: HallTime) -> String {
    let Told { at, who, what } = told;
    if *at != HallTime(i64::MIN) && heard - *at > LATE {
        format!("{who}, of {}: {what}", Millis(at.0))
    } else {
        format!("{who}: {what}")
    }
}

fn device(record: &DeviceRecord) -> Vec<String> {
    match record {
        DeviceRecord::Progress => Vec::new(),
        DeviceRecord::Offset {
            device,
            boot,
            offset,
            known,
        } => {
            let bound = format!(
                "the time of {device} (boot {boot}) is bound to the hall's: {} ms apart",
                offset.0
            );
            vec![match known {
                Some(KnownOffset { exchange, slope }) => format!(
                    "{bound}; known to be {} to {} ms, and to move by {} to {} in a million",
                    exchange.low.0, exchange.high.0, slope.least_ppm, slope.most_ppm
                ),
                None => bound,
            }]
        }
        DeviceRecord::Born {
            device,
            boot,
            model,
            firmware,
            ..
        } => vec![format!("{device} was started (boot {boot}, {model} {firmware})")],
    }
}

fn hall(event: &HallEvent) -> String {
    match event {
        HallEvent::EventPut { event, name, .. } => format!("event {event} is set up: {name:?}"),
        HallEvent::RoundPut(round) => format!(
            "round {} of {} is set up: {}, {} pairings",
            round.number,
            round.event,
            round.time_control,
            round.pairings.len()
        ),
        HallEvent::RoundImported { round, imported, seats } => {
            let mut words = format!(
                "round {} of {} is imported from {:?} ({}): {}, {} pairings, {} without a game",
                round.number,
                round.event,
                imported.file.name,
                imported.format.name(),
                round.time_control,
                round.pairings.len(),
                imported.unpaired.len()
            );
            if !seats.is_empty() {
                words.push_str(&format!("; {} games are new", seats.len()));
            }
            words
        }
        HallEvent::ReleaseSet { event, round, release } => {
            let of = match round {
                Some(round) => format!("round {round} of {event}"),
                None => format!("event {event}"),
            };
            let Some(release) = release else {
                return format!("{of} is shown to the public as the rest of the event");
            };
            let mut words = format!("{of} is shown to the public {} late", release.delay_ms);
            for (board, delay) in &release.boards {
                words.push_str(&format!(", board {board} {delay} late"));
            }
            if release.finished_at_once {
                words.push_str("; what is left of a game with its result");
            }
            if release.ended_at_once {
                words.push_str("; everything at the round's end");
            }
            words
        }
        HallEvent::RoundArmed { event, round, seats } => {
            format!("round {round} of {event} is armed: {} games", seats.len())
        }
        HallEvent::PairingAdded {
            event, round, pairing, ..
        } => format!(
            "round {round} of {event} has one more game, at table {}: {:?} – {:?}",
            pairing.table, pairing.white.name, pairing.black.name
        ),
        HallEvent::RoundStarted { event, round } => format!("round {round} of {event} is called (6.6)"),
        HallEvent::RoundEnded { event, round } => format!("round {round} of {event} is over"),
        HallEvent::EventImported { event, seats } => {
            format!(
                "event {} was brought from another hall, with {} games",
                event.id,
                seats.len()
            )
        }
        HallEvent::DevicePut(device) => format!("device {} is added or changed", device.id),
        HallEvent::DeviceRotated { device, .. } => format!("device {device} has a new secret"),
        HallEvent::DeviceRemoved { device } => format!("device {device} is removed"),
        HallEvent::DeviceBound {
            device,
            table,
            as_clock,
            as_board,
            ..
        } => {
            let what = match (as_clock, as_board) {
                (true, true) => "clock and board",
                (false, true) => "board",
                _ => "clock",
            };
            format!("device {device} is the {what} of table {table}")
        }
        HallEvent::DeviceUnbound { device } => format!("device {device} serves no table any more"),
        HallEvent::DeviceReplaced { old, new } => format!("device {new} stands in the place of {old} (6.10.1)"),
        HallEvent::TablePut { table, sector, .. } if sector.is_empty() => format!("table {table} is set up"),
        HallEvent::TablePut { table, sector, .. } => format!("table {table} is set up, in sector {sector:?}"),
        HallEvent::PersonPut(person) => format!("{} has a token as {}", person.name, person.role.name()),
        HallEvent::SectorHandedOver { sector, to: Some(to) } => format!("sector {sector:?} is handed over to {to}"),
        HallEvent::SectorHandedOver { sector, to: None } => format!("sector {sector:?} is handed back"),
        HallEvent::PersonRevoked { name } => format!("the token of {name} is void"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hall::ids::{DeviceId, TableNo};
    use crate::hall::record::write;
    use crate::store::{ChainHash, NewEntry, RequestKey};

    fn entry(kind: EntryKind, payload: Vec<u8>) -> Entry {
        Entry {
            position: 7,
            epoch: 1,
            wall_ms: 0,
            content: NewEntry::new(kind, HallTime(90_000), payload),
            hall_hash: ChainHash([0; 32]),
            game_hash: None,
        }
    }

    #[test]
    fn who_did_what_in_the_hall_is_said_in_a_sentence() {
        let id = |name: &str| name.parse::<DeviceId>().expect("a device id");
        let event = HallEvent::DeviceReplaced {
            old: id("clock-1"),
            new: id("spare"),
        };
        let mut entry = entry(EntryKind::Hall, write(&event));
        entry.content.request = Some(RequestKey {
            author: "Anna".to_owned(),
            id: "1".to_owned(),
        });
        assert_eq!(
            told(&entry).as_deref(),
            Some("Anna: device spare stands in the place of clock-1 (6.10.1)")
        );
        entry.content.request = None;
        entry.content.payload = write(&HallEvent::DeviceBound {
            device: id("spare"),
            table: TableNo(3),
            as_clock: true,
            as_board: false,
            white_side: Default::default(),
            board_turned: false,
        });
        assert_eq!(told(&entry).as_deref(), Some("device spare is the clock of table 3"));
    }

    #[test]
    fn what_this_version_cannot_read_is_not_told() {
        assert_eq!(told(&entry(EntryKind::Table, b"{\"later\":1}".to_vec())), None);
    }
}
