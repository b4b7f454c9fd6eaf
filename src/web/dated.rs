//! Since when a public file is as it is: `Last-Modified`, for readers that ask with `If-Modified-Since`.
//!
//! What is told is the moment at which the *public* state was made in which the file was first seen so, and never when something
//! happened in the hall. It changes only with the file, so that it tells no more than the file does.
//!
//! HTTP's dates are whole seconds, and a file may change twice in one. A date is given only when its second is over: from then on
//! another content has another date, and whoever comes with this one has this content.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use jiff::Timestamp;
use jiff::fmt::rfc2822::{DateTimeParser, DateTimePrinter};

use super::assets::tag_of;
use crate::broadcast::published::Published;
use crate::hall::clock::wall_ms;

/// Since when each file is as it is. There are as many as there are files.
#[derive(Clone, Default)]
pub(super) struct Dates {
    known: Arc<Mutex<HashMap<String, Known>>>,
}

struct Known {
    tag: String,
    /// Seconds since 1970.
    since: i64,
}

impl Dates {
    /// A file's body with its tag and its date, or only the news that it is unchanged. `name` is the file's own, however it was asked
    /// for; `of` is what it was made of.
    pub(super) fn serve(
        &self,
        headers: &HeaderMap,
        name: &str,
        kind: &'static str,
        body: String,
        of: &Published,
    ) -> Response {
        let tag = tag_of(&body);
        let since = self.since(name, &tag, of.unix_ms.div_euclid(1000));
        let date = (since < wall_ms().div_euclid(1000)).then(|| written(since)).flatten();
        let mut about = vec![
            (header::CACHE_CONTROL, "no-cache".to_owned()),
            (header::ETAG, tag.clone()),
        ];
        about.extend(date.as_ref().map(|date| (header::LAST_MODIFIED, date.clone())));
        let mut answer = if is_unchanged(headers, &tag, date.is_some().then_some(since)) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            ([(header::CONTENT_TYPE, kind)], body).into_response()
        };
        for (name, value) in about {
            if let Ok(value) = HeaderValue::try_from(value) {
                answer.headers_mut().insert(name, value);
            }
        }
        answer
    }

    /// Since when the file has this tag; seen first now, since `made`.
    fn since(&self, name: &str, tag: &str, made: i64) -> i64 {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get_mut(name) {
            Some(known) if known.tag == tag => known.since,
            Some(known) => {
                // Also where the machine's clock has been put back.
                known.since = made.max(known.since + 1);
                tag.clone_into(&mut known.tag);
                known.since
            }
            None => {
                let new = Known {
                    tag: tag.to_owned(),
                    since: made,
                };
                known.insert(name.to_owned(), new);
                made
            }
        }
    }
}

/// A tag says it exactly, and where one is given it alone counts (RFC 9110, 13.1.3). Of dates only the file's own does: a later one is
/// of another machine's clock.
fn is_unchanged(headers: &HeaderMap, tag: &str, since: Option<i64>) -> bool {
    if let Some(known) = headers.get(header::IF_NONE_MATCH) {
        return known == tag;
    }
    let given = headers
        .get(header::IF_MODIFIED_SINCE)
        .and_then(|given| given.to_str().ok());
    since.is_some() && given.and_then(read) == since
}

fn written(second: i64) -> Option<String> {
    let at = Timestamp::from_second(second).ok()?;
    DateTimePrinter::new().timestamp_to_rfc9110_string(&at).ok()
}

fn read(date: &str) -> Option<i64> {
    Some(DateTimeParser::new().parse_timestamp(date).ok()?.as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(unix_ms: i64) -> Published {
        Published {
            unix_ms,
            ..Published::default()
        }
    }

    fn asked(dates: &Dates, given: Option<&str>, body: &str, made: &Published) -> (u16, Option<String>) {
        let mut headers = HeaderMap::new();
        if let Some(given) = given {
            headers.insert(header::IF_MODIFIED_SINCE, given.parse().expect("a value"));
        }
        let answer = dates.serve(&headers, "open/1", "text/plain", body.to_owned(), made);
        let date = answer.headers().get(header::LAST_MODIFIED);
        let date = date.map(|date| date.to_str().expect("text").to_owned());
        (answer.status().as_u16(), date)
    }

    #[test]
    fn a_file_has_the_date_of_the_state_it_was_first_seen_in_and_another_when_it_has_changed() {
        let dates = Dates::default();
        let first = asked(&dates, None, "1. e4", &made(784_111_777_000));
        assert_eq!(first, (200, Some("Sun, 06 Nov 1994 08:49:37 GMT".to_owned())));
        // Something else has been published since.
        let again = asked(&dates, first.1.as_deref(), "1. e4", &made(784_111_900_000));
        assert_eq!(again, (304, first.1.clone()));
        // Twice in a second, and with the clock put back.
        let changed = asked(&dates, first.1.as_deref(), "1. e4 e5", &made(784_111_777_900));
        assert_eq!(changed, (200, Some("Sun, 06 Nov 1994 08:49:38 GMT".to_owned())));
        for other in ["Sun, 06 Nov 2094 08:49:38 GMT", "yesterday", ""] {
            assert_eq!(asked(&dates, Some(other), "1. e4 e5", &made(0)).0, 200, "{other}");
        }
    }

    #[test]
    fn while_its_second_lasts_a_file_has_no_date() {
        let dates = Dates::default();
        let now = wall_ms() + 60_000;
        assert_eq!(asked(&dates, None, "1. e4", &made(now)), (200, None));
        let own = written(now.div_euclid(1000)).expect("a date");
        assert_eq!(asked(&dates, Some(&own), "1. e4", &made(now)), (200, None));
    }

    #[test]
    fn a_tag_comes_before_a_date() {
        let dates = Dates::default();
        let date = asked(&dates, None, "1. e4", &made(784_111_777_000)).1.expect("a date");
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_MODIFIED_SINCE, date.parse().expect("a value"));
        headers.insert(header::IF_NONE_MATCH, "\"another\"".parse().expect("a value"));
        let answer = dates.serve(&headers, "open/1", "text/plain", "1. e4".to_owned(), &made(0));
        assert_eq!(answer.status(), 200);
    }
}
