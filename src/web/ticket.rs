//! Who may see the hall's view, where a listener is not open: whoever has a token.
//!
//! A browser's event stream cannot carry a header of ours, and a token never stands in an address. So a screen hands its token
//! in once and gets it back as a cookie that no script can read and no other site can send.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};

use super::{Screens, Web};

const COOKIE: &str = "flagfall-token";

/// Lets the caller in, or says why not.
#[expect(clippy::result_large_err, reason = "the refusal is the answer, made once")]
pub(super) fn check(web: &Web, headers: &HeaderMap) -> Result<(), Response> {
    if web.serving.screens == Screens::Open {
        return Ok(());
    }
    match bearer(headers).or_else(|| cookie(headers)) {
        Some(token) if web.hall.authenticate(token).is_some() => Ok(()),
        Some(_) => Err(refusal("The hub does not know this screen's token, or it has expired.")),
        None => Err(refusal("This screen needs a token.")),
    }
}

/// Takes a token from the header and gives it back as a cookie.
pub(super) async fn enter(State(web): State<Web>, headers: HeaderMap) -> Response {
    let Some(token) = bearer(&headers) else {
        return refusal("This screen needs a token.");
    };
    if web.hall.authenticate(token).is_none() {
        return refusal("The hub does not know this screen's token, or it has expired.");
    }
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=1209600");
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
}

fn refusal(what: &str) -> Response {
    let words = format!("{what} Make one with `flagfall person add --role screen` and open /hall#token=… once.\n");
    (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], words).into_response()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(name, value)| (name == COOKIE).then_some(value))
}
