//! Notices of the hall, on a terminal.

use super::super::client::Client;
use super::super::print;
use super::super::refused::{self, shown};
use crate::api::proto::arbiter::v1 as wire;

/// So many devices are named in a line; the rest is counted.
const NAMED: usize = 12;

/// What there is now.
pub async fn list(client: &Client) -> anyhow::Result<()> {
    let request = wire::ListNoticesRequest {};
    let answer = client.answer(None, client.arbiter().list_notices(request)).await?;
    client.print(&answer, |answer| text(&answer.notices))
}

/// Again at every change, until the stream ends.
pub async fn watch(client: &Client) -> anyhow::Result<()> {
    let request = wire::WatchNoticesRequest {};
    let mut stream = client.answer(None, client.arbiter().watch_notices(request)).await?;
    let mut last = None;
    loop {
        let message = tokio::select! {
            message = stream.message() => message.map_err(|status| refused::told(&status, None))?,
            ended = tokio::signal::ctrl_c() => return Ok(ended?),
        };
        let Some(message) = message else { return Ok(()) };
        if last.as_ref() == Some(&message.notices) {
            continue;
        }
        let told = if client.json {
            serde_json::to_string(&message)?
        } else {
            text(&message.notices)
        };
        print::out(&told)?;
        last = Some(message.notices);
    }
}

/// One paragraph a notice.
pub fn text(notices: &[wire::Notice]) -> String {
    if notices.is_empty() {
        return "Nothing is wrong in the hall.".to_owned();
    }
    let mut text = String::new();
    for notice in notices {
        text.push_str(&format!("{}: {}.\n  {}.\n", notice.kind, notice.what, notice.advice));
        let named = notice.devices.iter().take(NAMED).map(|device| {
            let table = device.table.map_or(String::new(), |table| format!(" at table {table}"));
            let detail = if device.detail.is_empty() {
                String::new()
            } else {
                format!(" ({})", device.detail)
            };
            format!("{}{table}{detail}", device.id)
        });
        let places = notice.places.iter().map(|place| {
            let table = place.table.map_or(String::new(), |table| format!(", table {table}"));
            let detail = if place.detail.is_empty() {
                String::new()
            } else {
                format!(" ({})", place.detail)
            };
            format!("{} round {}{table}{detail}", place.event, place.round)
        });
        let named: Vec<String> = named.chain(places.take(NAMED)).collect();
        if !named.is_empty() {
            let rest = notice.devices.len() + notice.places.len() - named.len();
            let rest = if rest > 0 {
                format!(", and {rest} more")
            } else {
                String::new()
            };
            text.push_str(&format!("  {}{rest}\n", named.join(", ")));
        }
    }
    shown(text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hundred_devices_are_one_paragraph() {
        let device = |number: u32| wire::NoticeDevice {
            id: format!("clock-{number}"),
            table: Some(number),
            since_ms: 0,
            detail: String::new(),
        };
        let notice = wire::Notice {
            kind: "lost-with-broker".to_owned(),
            what: "200 devices lost with the broker have not come back".to_owned(),
            advice: "Look".to_owned(),
            since_ms: 0,
            devices: (1..=200).map(device).collect(),
            places: Vec::new(),
        };
        let text = text(&[notice]);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.contains("clock-1 at table 1, "), "{text}");
        assert!(text.ends_with("and 188 more"), "{text}");
    }

    #[test]
    fn what_is_no_devices_trouble_is_told_with_its_round_and_table() {
        let notice = wire::Notice {
            kind: "lichess-refuses".to_owned(),
            what: "A game is not taken by Lichess as it is".to_owned(),
            advice: "Mend it".to_owned(),
            since_ms: 0,
            devices: Vec::new(),
            places: vec![wire::NoticePlace {
                event: "open".to_owned(),
                round: 5,
                table: Some(41),
                since_ms: 0,
                detail: "Cannot parse move 12".to_owned(),
            }],
        };
        let text = text(&[notice]);
        assert!(
            text.ends_with("  open round 5, table 41 (Cannot parse move 12)"),
            "{text}"
        );
    }
}
