//! Who may see the hall's view, where a listener is not open: whoever has a token.
//!
//! A browser's event stream cannot carry a header of ours, and a token never stands in an address. So a screen hands its token
//! in once and gets it back as a cookie that no script can read and no other site can send.

use std::pin::Pin;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};

use super::{Screens, Web};
use crate::hall::{Person, PersonRole};

const COOKIE: &str = "flagfall-token";

/// Lets the caller in, or says why not. Where a token was needed: what ends when it is void.
#[expect(clippy::result_large_err, reason = "the refusal is the answer, made once")]
pub(super) fn check(web: &Web, headers: &HeaderMap) -> Result<Option<Void>, Response> {
    if web.serving.screens == Screens::Open {
        return Ok(None);
    }
    let token = bearer(headers)
        .or_else(|| cookie(headers))
        .ok_or_else(|| refusal("This screen needs a token."))?;
    admit(web, token)?;
    Ok(Some(Box::pin(web.hall.until_void(token))))
}

/// Ends when a token is void.
pub(super) type Void = Pin<Box<dyn Future<Output = ()> + Send>>;

/// As [`check`], for what tells more than the hall sees: how much waits for arbiters.
#[expect(clippy::result_large_err, reason = "the refusal is the answer, made once")]
pub(super) fn check_staff(web: &Web, headers: &HeaderMap) -> Result<(), Response> {
    if web.serving.screens == Screens::Open {
        return Ok(());
    }
    let words = "This is for arbiters and technicians, by a bearer token.";
    let person = admit(web, bearer(headers).ok_or_else(|| refusal(words))?)?;
    match person.role {
        PersonRole::ChiefArbiter | PersonRole::Arbiter | PersonRole::Technician => Ok(()),
        PersonRole::Recorder | PersonRole::Screen => Err((StatusCode::FORBIDDEN, format!("{words}\n")).into_response()),
    }
}

#[expect(clippy::result_large_err, reason = "the refusal is the answer, made once")]
fn admit(web: &Web, token: &str) -> Result<Person, Response> {
    web.hall.admit(token).map_err(|refused| {
        if refused.is_news() {
            let shut_out = refused.is_shut_out();
            tracing::warn!(shut_out, "a screen's token was refused: not known, revoked or expired");
        }
        if refused.is_shut_out() {
            let words = "This token was refused too often; it is not looked at before a minute of quiet.\n";
            return (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "60")], words).into_response();
        }
        refusal("The hub does not know this screen's token, or it has expired.")
    })
}

/// Takes a token from the header and gives it back as a cookie.
pub(super) async fn enter(State(web): State<Web>, headers: HeaderMap) -> Response {
    let Some(token) = bearer(&headers) else {
        return refusal("This screen needs a token.");
    };
    if let Err(refusal) = admit(&web, token) {
        return refusal;
    }
    let secure = if web.serving.secure { "; Secure" } else { "" };
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=1209600{secure}");
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
