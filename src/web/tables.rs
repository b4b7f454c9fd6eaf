//! The tables asked for, and all of them at once as JSON.

use std::ops::RangeInclusive;
use std::str::FromStr;

use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, StatusCode, header};
use serde::Deserialize;
use serde_json::json;

use super::{Web, assets, ticket};
use crate::hall::TableNo;

/// Tables as a page's address names them: `1-8,12`. None named are all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables(Vec<RangeInclusive<u32>>);

/// What was given as tables and names none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` names no tables: write numbers like 1-8,12", .0.escape_default())]
pub struct BadTables(String);

impl FromStr for Tables {
    type Err = BadTables;
    fn from_str(text: &str) -> Result<Tables, BadTables> {
        let bad = || BadTables(text.chars().take(80).collect());
        let number = |text: &str| text.parse::<u32>().map_err(|_| bad());
        let mut ranges = Vec::new();
        for part in text.split(',') {
            ranges.push(match part.split_once('-') {
                Some((first, last)) => number(first)?..=number(last)?,
                None => number(part)?..=number(part)?,
            });
        }
        Ok(Tables(ranges))
    }
}

impl Tables {
    /// Whether this table is asked for.
    pub fn hold(&self, table: TableNo) -> bool {
        self.0.is_empty() || self.0.iter().any(|range| range.contains(&table.0))
    }
}

#[derive(Deserialize)]
pub(super) struct Asked {
    tables: Option<String>,
}

/// Every table's newest state.
pub(super) async fn snapshot(State(web): State<Web>, Query(asked): Query<Asked>, headers: HeaderMap) -> Response {
    if let Err(refusal) = ticket::check(&web, &headers) {
        return refusal;
    }
    let tables = match asked.tables.as_deref().map(Tables::from_str).transpose() {
        Ok(tables) => tables.unwrap_or_default(),
        Err(bad) => return (StatusCode::BAD_REQUEST, format!("{bad}\n")).into_response(),
    };
    let info = web.hall.info();
    let (position, all) = web.hall.screens().all();
    let cards: Vec<_> = all
        .iter()
        .filter(|(table, _)| tables.hold(*table))
        .map(|(_, card)| web.cards.json(card))
        .collect();
    let about =
        json!({ "hall": info.name, "epoch": info.epoch, "speed": info.speed, "position": position }).to_string();
    let body = format!("{},\"tables\":[{}]}}", about.trim_end_matches('}'), cards.join(","));
    // Not the position alone: shards publish side by side, and two tables may change at one.
    let tag = assets::tag_of(&body);
    let now = HeaderName::from_static("flagfall-hall-ms");
    let about = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        // Beside the body, which would otherwise differ with every look: clocks count on from their `as_of` to this.
        (now, info.now.0.to_string()),
    ];
    if headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known == tag.as_str())
    {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_named_by_numbers_and_ranges() {
        let some: Tables = "1-3,7".parse().expect("tables");
        let held: Vec<_> = (0..10).filter(|n| some.hold(TableNo(*n))).collect();
        assert_eq!(held, [1, 2, 3, 7]);
        assert!(Tables::default().hold(TableNo(4_000_000_000)));
        for bad in ["", "a", "1-", "-1", "1,,2", "1-2-3", "99999999999", "\u{1b}[2J"] {
            let told = bad.parse::<Tables>().expect_err(bad).to_string();
            assert!(told.chars().all(|c| !c.is_control()), "{told:?}");
        }
    }
}
