//! Between the API's messages and the hall's own types: nothing is decided here but what a field may hold.

pub mod admin;
pub mod deed;
pub mod table;

use crate::api::proto::feed::v1 as feed;
use crate::chess::Color;
use crate::hall::CallError;
use crate::hall::{EventId, GameId, RequestId, RoundNo, TableNo};
use crate::words::Language;

/// White or Black, as a message says it; `None` is neither.
pub fn color(wire: i32) -> Option<Color> {
    match feed::Color::try_from(wire) {
        Ok(feed::Color::White) => Some(Color::White),
        Ok(feed::Color::Black) => Some(Color::Black),
        Ok(feed::Color::Unspecified) | Err(_) => None,
    }
}

/// The same, needed.
pub fn needed_color(wire: i32, field: &str) -> Result<Color, CallError> {
    color(wire).ok_or_else(|| CallError::field(field, format!("`{field}` is missing: say COLOR_WHITE or COLOR_BLACK")))
}

/// As messages say it.
pub fn wire_color(color: Option<Color>) -> feed::Color {
    match color {
        Some(Color::White) => feed::Color::White,
        Some(Color::Black) => feed::Color::Black,
        None => feed::Color::Unspecified,
    }
}

/// A table's number, needed.
pub fn table(number: u32) -> Result<TableNo, CallError> {
    if number == 0 {
        return Err(CallError::field(
            "table",
            "`table` is missing: give the table's number in the hall, from 1",
        ));
    }
    Ok(TableNo(number))
}

/// A round's number, needed.
pub fn round(number: u32, field: &str) -> Result<RoundNo, CallError> {
    if number == 0 {
        return Err(CallError::field(
            field,
            format!("`{field}` is missing: give the round's number, from 1"),
        ));
    }
    Ok(RoundNo(number))
}

/// An event's id, needed.
pub fn event(id: &str, field: &str) -> Result<EventId, CallError> {
    id.parse().map_err(|error| CallError::field(field, format!("{error}")))
}

/// A game's id, needed.
pub fn game(id: &str) -> Result<GameId, CallError> {
    id.parse().map_err(|error| CallError::field("game", format!("{error}")))
}

/// The language that a call asks for; the hall's own where it asks for none of ours.
pub fn language(metadata: &tonic::metadata::MetadataMap, default: Language) -> Language {
    let accepted = metadata.get("accept-language").and_then(|value| value.to_str().ok());
    accepted.and_then(Language::best_of).unwrap_or(default)
}

/// A request's id, needed of every call that changes something.
pub fn request(id: &str) -> Result<RequestId, CallError> {
    id.parse().map_err(|error| {
        CallError::field(
            "request_id",
            format!("{error}; a UUID will do, a new one for each new call"),
        )
    })
}
